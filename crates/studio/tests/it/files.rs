//! Files: saved below the folder alone, whole or not at all; cases; exports.

use std::fs;

use serde_json::json;

use crate::support::{ADS, RULES, Running, toml};

#[test]
fn a_wrapper_is_saved_and_not_replaced_unasked() {
    let studio = Running::new();
    let save = |path: &str, replace: bool| json!({ "rules": toml(RULES), "path": path, "replace": replace });
    let saved = studio.call("rules/save", &save("wrappers/ads.toml", false));
    assert_eq!(saved["files"], json!(["wrappers/ads.toml"]));
    assert_eq!(fs::read_to_string(studio.folder.join("wrappers/ads.toml")).unwrap(), RULES);
    assert_eq!(studio.refused("rules/save", &save("wrappers/ads.toml", false)), "studio::exists");
    let changed = json!({ "rules": toml("field.a = \"h1\"\n"), "path": "wrappers/ads.toml", "replace": true });
    studio.call("rules/save", &changed);
    assert_eq!(fs::read_to_string(studio.folder.join("wrappers/ads.toml")).unwrap(), "field.a = \"h1\"\n");
    // Nothing is left beside it.
    assert_eq!(fs::read_dir(studio.folder.join("wrappers")).unwrap().count(), 1);
    assert_eq!(studio.refused("rules/save", &save("ads.json", false)), "studio::extension");
    let wrong = json!({ "rules": toml("field.a = \"h1["), "path": "wrong.toml" });
    assert_eq!(studio.refused("rules/save", &wrong), "wrapper::rejected");
    assert!(!studio.folder.join("wrong.toml").exists());
}

#[test]
fn nothing_is_written_outside_the_folder() {
    let studio = Running::new();
    let outside = studio.folder.with_extension("outside");
    fs::create_dir_all(&outside).unwrap();
    let elsewhere = outside.join("x.toml").display().to_string();
    let names = ["../x.toml", "a/../../x.toml", "", ".", "..", "a\u{0}b", "/", elsewhere.as_str(), "/etc/x.toml"];
    for name in names {
        let save = json!({ "rules": toml(RULES), "path": name, "replace": true });
        assert_eq!(studio.refused("rules/save", &save), "studio::outside", "{name:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, studio.folder.join("link")).unwrap();
        fs::write(outside.join("there.toml"), "kept").unwrap();
        std::os::unix::fs::symlink(outside.join("there.toml"), studio.folder.join("file.toml")).unwrap();
        for (name, code) in
            [("link/x.toml", "studio::outside"), ("link/a/x.toml", "studio::outside"), ("file.toml", "studio::no_file")]
        {
            let save = json!({ "rules": toml(RULES), "path": name, "replace": true });
            assert_eq!(studio.refused("rules/save", &save), code, "{name}");
        }
        assert_eq!(fs::read_to_string(outside.join("there.toml")).unwrap(), "kept");
    }
    assert!(!outside.join("x.toml").exists() && !outside.join("a").exists());
    // By its whole path, a file in the folder is in the folder.
    let whole = studio.folder.canonicalize().unwrap().join("in.toml").display().to_string();
    studio.call("rules/save", &json!({ "rules": toml(RULES), "path": whole }));
    fs::remove_dir_all(&outside).unwrap();
}

#[test]
fn a_case_is_a_page_and_what_is_expected_of_it() {
    let studio = Running::new();
    let page = studio.open(ADS);
    let case = json!({ "page": page, "rules": toml(RULES), "path": "cases" });
    let saved = studio.call("rules/case", &case);
    assert_eq!(saved["files"], json!(["cases/ads.html", "cases/ads.json"]));
    assert_eq!(fs::read_to_string(studio.folder.join("cases/ads.html")).unwrap(), ADS);
    let expected: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(studio.folder.join("cases/ads.json")).unwrap()).unwrap();
    assert_eq!(expected["ads"][1]["price"], json!({ "amount": 55, "currency": "EUR" }));
    assert_eq!(studio.refused("rules/case", &case), "studio::exists");
    let outside = json!({ "page": page, "rules": toml(RULES), "path": "../cases" });
    assert_eq!(studio.refused("rules/case", &outside), "studio::outside");
}

#[test]
fn records_are_exported_in_all_formats() {
    let studio = Running::new();
    let page = studio.open(ADS);
    for (format, begins) in [
        ("jsonl", &b"{\"title\":\"Rake\""[..]),
        ("csv", b"title,link,price,price.currency"),
        ("parquet", b"PAR1"),
        ("arrow", b"ARROW1"),
        ("xlsx", b"PK"),
        ("atom", b"<?xml"),
        ("rss", b"<?xml"),
    ] {
        let asked = json!({ "pages": [page], "rules": toml(RULES), "format": format });
        let answer = studio.ask("export", &asked);
        assert_eq!(answer.status, 200, "{format}: {}", String::from_utf8_lossy(&answer.body));
        assert!(answer.body.starts_with(begins), "{format}: {}", String::from_utf8_lossy(&answer.body));
        let named = format!("content-disposition: attachment; filename=\"ads.{format}\"");
        assert!(answer.headers.contains(&named), "{}", answer.headers);
    }
    let export = |format: &str, list| json!({ "pages": [page], "rules": toml(RULES), "format": format, "list": list });
    assert_eq!(studio.refused("export", &export("pdf", json!(null))), "studio::format");
    assert_eq!(studio.refused("export", &export("csv", json!("nothing"))), "store::no_list");
    assert_eq!(
        studio.refused("export", &json!({ "pages": [], "rules": toml(RULES), "format": "csv" })),
        "studio::pages"
    );
    let two =
        "[list.ads]\nrecords = \"li.ad\"\nfield.title = \"h2\"\n[list.links]\nrecords = \"a\"\nfield.to = \"@href\"\n";
    let several = json!({ "pages": [page], "rules": toml(two), "format": "csv" });
    assert_eq!(studio.refused("export", &several), "studio::lists");
}
