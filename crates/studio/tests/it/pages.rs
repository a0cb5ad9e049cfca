//! Many pages, stores, repair.

use serde_json::{Value, json};

use crate::support::{ADS, RULES, Running, testdata, toml};

fn titles(row: &Value) -> usize {
    row["result"]["tables"][0]["total"].as_u64().unwrap_or_default() as usize
}

#[test]
fn rules_run_on_files_folders_and_archives() {
    let studio = Running::new();
    std::fs::create_dir_all(studio.folder.join("pages/more")).unwrap();
    std::fs::write(studio.folder.join("pages/one.html"), ADS).unwrap();
    std::fs::write(studio.folder.join("pages/more/two.htm"), ADS).unwrap();
    std::fs::write(studio.folder.join("pages/notes.txt"), "no page").unwrap();
    let folder = studio.folder.join("pages").display().to_string();
    let pages = json!([folder, testdata("pages/ads/page-1.html"), "not-there.html", testdata("archives/barn.warc.gz")]);
    let rows = studio.call("many", &json!({ "rules": toml(RULES), "pages": pages }));
    let rows = rows.as_array().unwrap();
    assert!(rows[0]["name"].as_str().unwrap().ends_with("two.htm"), "{}", rows[0]["name"]);
    assert_eq!((titles(&rows[0]), titles(&rows[1]), titles(&rows[2])), (3, 3, 3));
    assert_eq!(rows[3]["failure"]["code"], "page::unreadable");
    assert!(
        rows[4..].iter().any(|row| titles(row) > 0),
        "{:?}",
        rows[4..].iter().map(|row| &row["name"]).collect::<Vec<_>>()
    );
    assert!(rows[4]["page"]["url"].as_str().unwrap().starts_with("https://barn.example/"));
    assert_eq!(studio.refused("many", &json!({ "rules": toml(RULES), "pages": [] })), "studio::pages");
    assert_eq!(studio.refused("many", &json!({ "rules": toml("x"), "pages": ["a"] })), "wrapper::rejected");
}

#[test]
fn only_so_many_are_opened_and_the_page_in_view_stays() {
    let studio = Running::new();
    let page = studio.open(ADS);
    std::fs::create_dir_all(studio.folder.join("pages")).unwrap();
    for number in 0..60 {
        std::fs::write(studio.folder.join(format!("pages/{number:02}.html")), ADS).unwrap();
    }
    let folder = studio.folder.join("pages").display().to_string();
    for _ in 0..2 {
        let rows = studio.call("many", &json!({ "rules": toml(RULES), "pages": [folder] }));
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.last().unwrap()["failure"]["code"], "studio::too_many");
        assert_eq!(rows.iter().filter(|row| titles(row) == 3).count(), 40);
        // Who looks at a page asks for it.
        studio.call("run", &json!({ "page": page, "rules": toml(RULES) }));
    }
}

#[test]
fn a_store_is_looked_into() {
    use windrow::keep::Keeper;
    use windrow::store::Store;
    use windrow::{Extractor, Format, Page};

    let studio = Running::new();
    let path = studio.folder.join("ads.db").display().to_string();
    let extractor = Extractor::new(&windrow::read_wrapper(RULES, Format::Toml).unwrap()).unwrap();
    let mut store = Store::open(&path).unwrap();
    let keeper = Keeper::new(&extractor.shape());
    let version = store.version("barn", RULES, "toml", "given", "2026-11-16T09:00:00Z").unwrap();
    for (day, html) in [(16, ADS.to_owned()), (17, ADS.replace("class=ad", "class=card"))] {
        let at = format!("2026-11-{day}T09:00:00Z");
        let mut run = store.begin(version.id, &at).unwrap();
        let extraction = extractor.extract(Page::from_text("ads.html", html.clone()));
        store.keep(&mut run, &keeper.page("https://barn.example/ads", html.as_bytes(), &extraction), false).unwrap();
        store.finish(run, &at).unwrap();
    }
    drop(store);
    let stored = studio.call("store", &json!({ "store": path }));
    let barn = &stored["wrappers"][0];
    assert_eq!((&barn["name"], &barn["rules"]["text"]), (&json!("barn"), &json!(RULES)));
    assert_eq!(barn["pages"], json!([{ "name": "https://barn.example/ads", "seen": "2026-11-17T09:00:00Z" }]));
    assert!(barn["broken"][0].as_str().unwrap().contains("ads has no records; before, it had 3"), "{barn}");
    assert_eq!(studio.refused("store", &json!({ "store": "not-there.db" })), "store::missing");

    // And mended from what it knows.
    let after = studio.open(&ADS.replace("class=ad", "class=card"));
    let repaired =
        studio.call("repair", &json!({ "rules": toml(RULES), "store": path, "wrapper": "barn", "after": after }));
    assert_eq!(repaired["refused"], Value::Null, "{repaired}");
    assert_eq!(repaired["after"]["tables"][0]["total"], 3, "{repaired}");
}

#[test]
fn a_wrapper_is_mended_from_the_page_as_it_was() {
    let studio = Running::new();
    let (before, after) = (studio.open_file("pages/ads/page-1.html"), studio.open_file("redesigned/ads.html"));
    let rules = std::fs::read_to_string(testdata("wrappers/ads/offers.toml")).unwrap();
    let repaired = studio.call("repair", &json!({ "rules": toml(&rules), "before": before, "after": after }));
    assert_eq!(repaired["refused"], Value::Null, "{repaired}");
    assert!(repaired["patch"].as_str().unwrap().contains("-records = \"li.ad\""), "{repaired}");
    assert!(repaired["rules"]["text"].as_str().unwrap().starts_with("# One list and nothing beside it."));
    let list = &repaired["lists"][0];
    assert_eq!((&list["label"], &list["found"], &list["known"]), (&json!("offers"), &json!(3), &json!(3)));
    let changed: Vec<&str> =
        list["rules"].as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert_eq!(changed, ["offers", "offers.title", "offers.price", "offers.tags"], "{list}");
    assert_eq!(list["rules"][0]["before"], "li.ad");
    assert_eq!(repaired["before"]["tables"][0]["total"], 3);
    // One is new.
    assert_eq!(repaired["after"]["tables"][0]["total"], 4);
    assert_eq!(repaired["rules"]["text"].as_str().unwrap().matches("2026-11-17T09:00:00Z").count(), 1);
}

#[test]
fn what_still_works_is_not_mended() {
    let studio = Running::new();
    let (before, after) = (studio.open(ADS), studio.open(ADS));
    let repaired = studio.call("repair", &json!({ "rules": toml(RULES), "before": before, "after": after }));
    assert_eq!(repaired["refused"], "the wrapper still gives what is known");
    assert_eq!(repaired["hint"], "there is nothing to repair");
    assert_eq!((&repaired["rules"], &repaired["patch"]), (&Value::Null, &json!("")));
    assert_eq!(repaired["after"]["tables"][0]["total"], 3);
    let other = studio.open("<p>Closed.</p>");
    let repaired = studio.call("repair", &json!({ "rules": toml(RULES), "before": before, "after": other }));
    assert!(repaired["refused"].as_str().unwrap().contains("no"), "{repaired}");
    assert_eq!(studio.refused("repair", &json!({ "rules": toml(RULES), "after": after })), "studio::nothing_known");
    let unnamed = json!({ "rules": toml(RULES), "after": after, "store": "not-there.db" });
    assert_eq!(studio.refused("repair", &unnamed), "studio::no_name");
}
