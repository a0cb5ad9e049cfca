//! Records into stores, from one day to the next: `extract --into`, `crawl --into`, `check`, `versions`.

use expect_test::expect;

use crate::{Folder, check_error, windrow};
use serde_json::Value as Json;

const RULES: &str = "testdata/wrappers/ads/offers.toml";
const PAGE: &str = "testdata/pages/ads/page-1.html";

/// The ads as a page of their own, so that they can change.
fn folder(name: &str) -> Folder {
    let page = std::fs::read_to_string(crate::root().join(PAGE)).unwrap();
    let rules = std::fs::read_to_string(crate::root().join(RULES)).unwrap();
    Folder::new(name).with("ads.html", &page).with("offers.toml", &rules)
}

/// What a run that keeps the page says, and how it ends.
fn keep(folder: &Folder, more: &[&str]) -> (Option<i32>, String) {
    let (rules, page, store) = (folder.path("offers.toml"), folder.path("ads.html"), folder.path("ads.db"));
    let run = windrow(&[&["extract", "-w", &rules, &page, "--into", &store], more].concat());
    assert_eq!(run.stdout, "");
    (run.code, folder.hide(&run.stderr))
}

/// The answer to a query, as lines of CSV.
fn ask(folder: &Folder, sql: &str) -> String {
    windrow(&["query", &folder.path("ads.db"), sql, "--format", "csv"]).stdout
}

fn change(folder: &Folder, from: &str, to: &str) {
    let page = folder.read("ads.html");
    assert!(page.contains(from));
    std::fs::write(folder.path("ads.html"), page.replace(from, to)).unwrap();
}

#[test]
fn a_page_is_kept_once_and_matched_when_it_changes() {
    let folder = folder("keep");
    assert_eq!(keep(&folder, &[]), (Some(0), "kept in DIR/ads.db: 1 page, 6 rows: 6 new, 0 changed, 0 gone\n".into()));
    assert_eq!(keep(&folder, &[]), (Some(0), "kept in DIR/ads.db: 1 page unchanged\n".into()));
    let again = "kept in DIR/ads.db: 1 page, 6 rows: 0 new, 0 changed, 0 gone\n";
    assert_eq!(keep(&folder, &["--refresh"]), (Some(0), again.into()));
    change(&folder, "€ 340", "€ 300");
    change(&folder, "Old hay wagon", "New hay wagon");
    let changed = "kept in DIR/ads.db: 1 page, 6 rows: 1 new, 1 changed, 1 gone\n";
    assert_eq!(keep(&folder, &["--quiet"]), (Some(0), String::new()));
    assert_eq!(keep(&folder, &[]), (Some(0), "kept in DIR/ads.db: 1 page unchanged\n".into()));
    let answer = ask(&folder, "select title, price from offers_now order by title");
    expect![[r#"
        title,price
        "Baler twine, 12 rolls",55
        New hay wagon,
        "Two-wheel rake, hardly used",300
    "#]]
    .assert_eq(&answer);
    let history = ask(&folder, "select what, was from _changes order by what");
    expect![[r#"
        what,was
        changed,"{""price"":340}"
        gone,
    "#]]
    .assert_eq(&history);
    let runs = ask(&folder, "select inserted, updated, gone, unchanged from _runs order by id");
    assert!(runs.contains("1,1,1,0\n"), "{changed}: {runs}");
}

#[test]
fn a_list_of_which_nothing_is_left_is_an_error_and_nothing_is_touched() {
    let folder = folder("emptied");
    keep(&folder, &[]);
    change(&folder, "class=\"ad", "class=\"card");
    let (code, told) = keep(&folder, &["--quiet"]);
    assert_eq!(code, Some(2));
    expect![[r#"
        error: DIR/ads.html: `offers` had records and has none now; they were left as they are (--accept-empty if it is right that there are none)
    "#]]
    .assert_eq(&told);
    assert_eq!(ask(&folder, "select count(*) as n from offers_now"), "n\n3\n");
    let check = windrow(&["check", &folder.path("ads.db")]);
    assert_eq!(check.code, Some(1));
    expect![[r#"
        offers: 1 problem (2 runs, the last at 2025-11-16T09:00:00Z with 1 page)
          offers has no records; before, it had 3
            since 2025-11-16T09:00:00Z, on 1 of 1 page: DIR/ads.html
            the rule that finds the records may no longer match the page
          if the page really is like this now: windrow check DIR/ads.db offers --accept
          if not, mend the wrapper: windrow repair RULES PAGE --store DIR/ads.db, or change its rules by hand
          no record changed in the last run
    "#]]
    .assert_eq(&folder.hide(&check.stdout));
    let (code, told) = keep(&folder, &["--accept-empty", "--refresh", "--quiet"]);
    assert_eq!((code, told.as_str()), (Some(1), ""));
    assert_eq!(ask(&folder, "select count(*) as n from offers_now"), "n\n0\n");
}

#[test]
fn a_check_says_which_records_changed() {
    let folder = folder("changes");
    keep(&folder, &[]);
    let check = |more: &[&str]| {
        let run = windrow(&[&["check", &folder.path("ads.db"), "offers"], more].concat());
        (run.code, folder.hide(&run.stdout))
    };
    let (code, told) = check(&[]);
    assert_eq!((code, told.contains("change")), (Some(0), false), "{told}");
    let json: Json = serde_json::from_str(&check(&["--format", "json"]).1).unwrap();
    assert_eq!(json[0]["changes"], Json::Null);
    change(&folder, "€ 340", "€ 300");
    change(&folder, "Old hay wagon", "New hay wagon");
    change(&folder, "<ul class=\"tags\"><li>rakes", "<ul class=\"tags\"><li>tools<li>rakes");
    keep(&folder, &["--quiet"]);
    let (code, told) = check(&[]);
    assert_eq!(code, Some(0));
    expect![[r#"
        offers: the wrapper finds what it found before (2 runs, the last at 2025-11-16T09:00:00Z with 1 page)
          changes in the last run: 1 changed, 2 new, 1 gone
            changed: offers «Two-wheel rake, hardly used»: price 340 EUR → 300 EUR
            new: offers «New hay wagon»
            new: offers_tags «tools» in «Two-wheel rake, hardly used»
            gone: offers «Old hay wagon»
    "#]]
    .assert_eq(&told);
    let json: Json = serde_json::from_str(&check(&["--format", "json"]).1).unwrap();
    expect![[r#"
        {
          "run": 2,
          "at": "2025-11-16T09:00:00Z",
          "counts": {
            "changed": 1,
            "new": 2,
            "back": 0,
            "gone": 1
          },
          "records": [
            {
              "what": "changed",
              "list": "offers",
              "id": 1,
              "record": "Two-wheel rake, hardly used",
              "inside": null,
              "page": "DIR/ads.html",
              "fields": [
                {
                  "field": "price",
                  "was": {
                    "amount": 340,
                    "currency": "EUR"
                  },
                  "is": {
                    "amount": 300,
                    "currency": "EUR"
                  }
                }
              ]
            },
            {
              "what": "new",
              "list": "offers",
              "id": 4,
              "record": "New hay wagon",
              "inside": null,
              "page": "DIR/ads.html",
              "fields": []
            },
            {
              "what": "new",
              "list": "offers_tags",
              "id": 4,
              "record": "tools",
              "inside": "Two-wheel rake, hardly used",
              "page": "DIR/ads.html",
              "fields": []
            },
            {
              "what": "gone",
              "list": "offers",
              "id": 3,
              "record": "Old hay wagon",
              "inside": null,
              "page": "DIR/ads.html",
              "fields": []
            }
          ]
        }
    "#]]
    .assert_eq(&format!("{:#}\n", json[0]["changes"]));
    // So many of each kind, and how to see the rest.
    let more: String = (0..12)
        .map(|n| format!("<li class=ad><h2><a href=/n/{n}>Bale number {n}</a></h2><p class=price>€ 9</p></li>"))
        .collect();
    change(&folder, "<ul id=\"ads\">", &format!("<ul id=\"ads\">{more}"));
    keep(&folder, &["--quiet"]);
    let (_, told) = check(&["--changes", "2"]);
    expect![[r#"
        offers: the wrapper finds what it found before (3 runs, the last at 2025-11-16T09:00:00Z with 1 page)
          changes in the last run: 12 new
            new: offers «Bale number 0»
            new: offers «Bale number 1»
            … and 10 more new; `windrow check DIR/ads.db offers --changes all` prints all
    "#]]
    .assert_eq(&told);
    assert_eq!(check(&["--changes", "all"]).1.matches("new: offers").count(), 12);
}

#[test]
fn prices_that_all_rise_are_a_problem() {
    let folder = folder("shifted");
    let price = |n: usize| format!("<p class=price>€ {}", 20 + 2 * n);
    let ads = |price: &dyn Fn(usize) -> String| -> String {
        let ad = |n| format!("<li class=ad><h2><a href=/n/{n}>Bale number {n}</a></h2>{}</p></li>", price(n));
        (0..8).map(ad).collect()
    };
    std::fs::write(folder.path("ads.html"), ads(&price)).unwrap();
    keep(&folder, &["--quiet"]);
    // A second price for each, which comes first: what it cost before.
    let second = |n: usize| format!("<p class=price>€ {}</p>{}", (20 + 2 * n) * 3 / 2, price(n));
    std::fs::write(folder.path("ads.html"), ads(&second)).unwrap();
    keep(&folder, &["--quiet"]);
    let check = windrow(&["check", &folder.path("ads.db"), "--changes", "1"]);
    assert_eq!(check.code, Some(1));
    expect![[r#"
        offers: 1 problem (2 runs, the last at 2025-11-16T09:00:00Z with 1 page)
          offers.price rose by 50 %, in most records at once
            since 2025-11-16T09:00:00Z, on 1 of 1 page: DIR/ads.html
            before, for example: “€ 20”, “€ 22”
            now, for example: “€ 30”, “€ 33”
            the rule may read another amount now, such as an old price beside the new one, or lose a decimal point
          if the page really is like this now: windrow check DIR/ads.db offers --accept
          if not, mend the wrapper: windrow repair RULES PAGE --store DIR/ads.db, or change its rules by hand
          changes in the last run: 8 changed
            changed: offers «Bale number 0»: price 20 EUR → 30 EUR
            … and 7 more changed; `windrow check DIR/ads.db offers --changes all` prints all
    "#]]
    .assert_eq(&folder.hide(&check.stdout));
}

#[test]
fn a_field_that_broke_is_told_until_it_is_accepted() {
    let folder = folder("drift");
    keep(&folder, &[]);
    // As many records as it takes to tell chance from change.
    let more: String = (0..9)
        .map(|n| format!("<li class=ad><h2><a href=/n/{n}>Bale number {n}</a></h2><p class=price>€ {n}</p></li>"))
        .collect();
    change(&folder, "<ul id=\"ads\">", &format!("<ul id=\"ads\">{more}"));
    keep(&folder, &["--quiet"]);
    change(&folder, "class=price", "class=cost");
    keep(&folder, &["--quiet"]);
    let check = windrow(&["check", &folder.path("ads.db"), "offers"]);
    assert_eq!(check.code, Some(1));
    expect![[r#"
        offers: 1 problem (3 runs, the last at 2025-11-16T09:00:00Z with 1 page)
          offers.price is found in 17 % of the records; before, in 92 %
            since 2025-11-16T09:00:00Z, on 1 of 1 page: DIR/ads.html
            before, for example: “€ 340”, “€ 55”
            now, for example: “€ 340”, “€ 55”
            the rule of this field may no longer match the page
          if the page really is like this now: windrow check DIR/ads.db offers --accept
          if not, mend the wrapper: windrow repair RULES PAGE --store DIR/ads.db, or change its rules by hand
          changes in the last run: 9 changed
            changed: offers «Bale number 0»: price 0 EUR → (none)
            changed: offers «Bale number 1»: price 1 EUR → (none)
            changed: offers «Bale number 2»: price 2 EUR → (none)
            changed: offers «Bale number 3»: price 3 EUR → (none)
            changed: offers «Bale number 4»: price 4 EUR → (none)
            changed: offers «Bale number 5»: price 5 EUR → (none)
            changed: offers «Bale number 6»: price 6 EUR → (none)
            changed: offers «Bale number 7»: price 7 EUR → (none)
            changed: offers «Bale number 8»: price 8 EUR → (none)
    "#]]
    .assert_eq(&folder.hide(&check.stdout));
    let json = windrow(&["check", &folder.path("ads.db"), "--format", "json"]);
    assert!(json.stdout.contains("\"what\": \"missing\""), "{}", json.stdout);
    assert_eq!(windrow(&["check", &folder.path("ads.db"), "offers", "--accept"]).code, Some(0));
    assert_eq!(windrow(&["check", &folder.path("ads.db")]).code, Some(0));
}

#[test]
fn versions_are_listed_compared_and_put_back() {
    let folder = folder("versions");
    keep(&folder, &[]);
    let rules = folder.read("offers.toml");
    std::fs::write(folder.path("offers.toml"), rules.replace("h2/a", "h2")).unwrap();
    keep(&folder, &[]);
    let store = folder.path("ads.db");
    expect![[r#"
        offers
            1  2025-11-16T09:00:00Z  given
            2  2025-11-16T09:00:00Z  given, in use
    "#]]
    .assert_eq(&windrow(&["versions", &store]).stdout);
    let diff = windrow(&["versions", &store, "offers", "--diff", "2"]).stdout;
    assert!(diff.contains("-title = \"h2/a\"\n+title = \"h2\"\n"), "{diff}");
    assert_eq!(windrow(&["versions", &store, "--show", "1"]).stdout, rules);
    let back = windrow(&["versions", &store, "--put-back", "1", "-o", &folder.path("offers.toml")]);
    assert_eq!(folder.hide(&back.stderr), "wrote DIR/offers.toml: version 1 of offers, now version 3\n");
    assert_eq!(folder.read("offers.toml"), rules);
    assert_eq!(windrow(&["versions", &store, "--show", "9"]).code, Some(2));
}

#[test]
fn a_crawl_keeps_too() {
    let folder = Folder::new("crawl-into");
    let store = folder.path("barn.db");
    let crawl = |more: &[&str]| {
        let arguments = ["crawl", "https://barn.example/", "-w", RULES, "--replay", "testdata/archives/barn.warc.gz"];
        let run = windrow(&[&arguments[..], &["--into", &store], more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
        folder.hide(&run.stderr)
    };
    let told = crawl(&[]);
    assert!(told.contains("kept in DIR/barn.db: 3 pages, 5 rows: 5 new, 0 changed, 0 gone\n"), "{told}");
    let again = crawl(&["--restart"]);
    assert!(again.contains("kept in DIR/barn.db: 3 pages unchanged\n"), "{again}");
    let answer = windrow(&["query", &store, "select title from offers_now order by title", "--format", "csv"]);
    assert_eq!(answer.stdout.lines().count(), 6, "{}", answer.stdout);
}

#[test]
fn what_a_domain_reads_is_kept() {
    let folder = Folder::new("domain-into");
    let store = folder.path("drugs.db");
    let page = "testdata/domain/drugstore/nasal-spray.html";
    let run = windrow(&["extract", "--domain", "drugs", page, "--into", &store, "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    let sql = "select proprietary_name, discount_price from records_now";
    let answer = windrow(&["query", &store, sql, "--format", "csv"]);
    assert_eq!(answer.stdout, "proprietary_name,discount_price\nClearmeadow Nasal Spray,9.95\n");
}

#[test]
fn what_does_not_go_with_a_store_is_refused() {
    let folder = Folder::new("into-errors").with("notes.txt", "not a database");
    let store = folder.path("ads.db");
    check_error(
        &["extract", "-w", RULES, PAGE, "--into", &store, "--format", "csv"],
        &expect![[r#"
            extract::into

              × --into keeps records instead of printing them, so --format has nothing to do
              help: leave it out; `windrow export STORE -o FILE` writes what was kept, in many formats
        "#]],
    );
    assert_eq!(folder.names(), ["notes.txt"]);
    let run = windrow(&["extract", "-w", RULES, PAGE, "--into", &folder.path("notes.txt")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is not a Windrow store"), "{}", run.stderr);
    assert_eq!(folder.read("notes.txt"), "not a database");
    let missing = windrow(&["check", &folder.path("none.db")]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("does not exist"), "{}", missing.stderr);
}

/// Two shops whose lists have the same name.
fn shops(name: &str) -> Folder {
    let page = |thing: &str, price: &str| {
        format!("<ul><li><b>{thing}</b> <i>{price}</i><li><b>{thing}, old</b> <i>{price}0</i></ul>")
    };
    let rules =
        "[list.offers]\nrecords = \"li\"\nfield.title = \"b\"\nfield.price = { xpath = \"i\", type = \"money\" }\n";
    Folder::new(name)
        .with("barn.html", &page("Rake", "€ 3"))
        .with("mill.html", &page("Flour", "€ 2"))
        .with("barn.toml", rules)
        .with("mill.toml", rules)
}

fn keep_shop(folder: &Folder, shop: &str, more: &[&str]) -> (Option<i32>, String) {
    let (rules, page) = (folder.path(&format!("{shop}.toml")), folder.path(&format!("{shop}.html")));
    let run = windrow(&[&["extract", "-w", &rules, &page, "--into", &folder.path("ads.db")], more].concat());
    (run.code, folder.hide(&run.stderr))
}

#[test]
fn two_sites_do_not_share_a_table_by_accident() {
    let folder = shops("two_sites");
    assert_eq!(keep_shop(&folder, "barn", &[]).0, Some(0));
    let (code, told) = keep_shop(&folder, "mill", &[]);
    assert_eq!(code, Some(0));
    expect![[r#"
        note: `offers` of another wrapper is in this store, so this one is kept in the table `mill_offers` (--share-tables keeps both in one)
        kept in DIR/ads.db: 1 page, 2 rows: 2 new, 0 changed, 0 gone
    "#]]
    .assert_eq(&told);
    assert_eq!(ask(&folder, "select title from offers_now order by title"), "title\nRake\n\"Rake, old\"\n");
    assert_eq!(ask(&folder, "select title from mill_offers_now order by title"), "title\nFlour\n\"Flour, old\"\n");
    // From then on each finds its own again, and nothing more is said.
    let again = "kept in DIR/ads.db: 1 page, 2 rows: 0 new, 0 changed, 0 gone\n";
    assert_eq!(keep_shop(&folder, "mill", &["--refresh"]), (Some(0), again.to_owned()));
    assert_eq!(keep_shop(&folder, "barn", &["--refresh"]), (Some(0), again.to_owned()));
    let export = windrow(&["export", &folder.path("ads.db"), "mill_offers", "--format", "csv"]);
    assert!(export.stdout.contains("Flour"), "{}", export.stderr);
}

#[test]
fn two_sites_share_a_table_if_they_are_told_to() {
    let folder = shops("shared_table");
    keep_shop(&folder, "barn", &[]);
    let kept = "kept in DIR/ads.db: 1 page, 2 rows: 2 new, 0 changed, 0 gone\n";
    assert_eq!(keep_shop(&folder, "mill", &["--share-tables"]), (Some(0), kept.to_owned()));
    assert_eq!(ask(&folder, "select count(*) as n from offers_now"), "n\n4\n");
}

/// Rules of one file name, learned from one site and then from another.
#[test]
fn a_wrapper_of_another_site_does_not_take_a_name_that_is_used() {
    let folder = shops("other_site");
    let rules = folder.read("barn.toml");
    let learned = |host: &str, name: &str| {
        let from = format!("learned = {{ by = \"discover\", from = [\"https://{host}/\"] }}\n");
        std::fs::write(folder.path("barn.toml"), format!("{name}{from}\n{rules}")).unwrap();
    };
    learned("barn.example", "");
    assert_eq!(keep_shop(&folder, "barn", &[]).0, Some(0));
    learned("www.barn.example", "");
    assert_eq!(keep_shop(&folder, "barn", &[]).0, Some(0));
    learned("mill.example", "");
    let (code, told) = keep_shop(&folder, "barn", &[]);
    assert_eq!(code, Some(2));
    expect![[r#"
        keep::other_site

          × `barn` in DIR/ads.db keeps records of barn.example, and this wrapper was learned from mill.example
          help: give the wrapper a name of its own, by its file's name or by a line `name = "…"` at its top; the same `name` in both files keeps them together
    "#]].assert_eq(&told);
    assert_eq!(ask(&folder, "select count(*) as n from _wrappers"), "n\n1\n");
    learned("mill.example", "name = \"barn\"\n");
    assert_eq!(keep_shop(&folder, "barn", &[]).0, Some(0));
}
