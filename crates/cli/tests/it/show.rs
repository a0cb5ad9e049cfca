//! `windrow show`.

use expect_test::expect;
use serde_json::Value;

use crate::{Folder, check, check_error, windrow, windrow_on};

const ADS: &str = "testdata/wrappers/ads/ads.toml";
const PAGE: &str = "testdata/pages/ads/page-1.html";

#[test]
fn each_rule_has_a_block() {
    check(
        &["show", ADS, PAGE],
        &expect![[r#"
        testdata/wrappers/ads/ads.toml on testdata/pages/ads/page-1.html

        field heading = "h1"
          matched 1 of 1 page, string
          · Tractors and tools

        list ads = "li.ad"
          3 records on 1 of 1 page

          field title = "h2/a"
            matched 3 of 3 records, string
            · Two-wheel rake, hardly used
            · Baler twine, 12 rolls
            · Old hay wagon

          field link = { xpath = "h2/a/@href", type = "url" }
            matched 3 of 3 records, url
            · https://barn.example/ad/101
            · https://barn.example/ad/102
            · https://barn.example/ad/103?ref=list&pos=3

          field price = { css = ".price", type = "money" }
            matched 2 of 3 records, money
            · 340 EUR
            · 55 EUR
            warning: required, but missing in 1 of 3 records

          list tags = { records = ".tags li", optional = true }
            3 values in 2 of 3 records, string
            · rakes
            · hay
    "#]],
    );
}

#[test]
fn without_a_page_there_are_the_rules() {
    check(
        &["show", ADS],
        &expect![[r#"
        testdata/wrappers/ads/ads.toml

        field heading = "h1"

        list ads = "li.ad"
          field title = "h2/a"
          field link = { xpath = "h2/a/@href", type = "url" }
          field price = { css = ".price", type = "money" }
          list tags = { records = ".tags li", optional = true }
    "#]],
    );
}

/// Temporaries and patterns that save several texts leave no objects; they are counted all the same.
#[test]
fn rules_that_leave_nothing_are_shown() {
    check(
        &["show", "testdata/wrappers/ads/titles.tsimmis", PAGE],
        &expect![[r##"
        testdata/wrappers/ads/titles.tsimmis on testdata/pages/ads/page-1.html

        group root = {}
          matched 1 of 1 page

          group _ads = { at = { pattern = '*<ul id="ads">#<p class="pager">*' } }
            matched 1 of 1 `root`

            list _pieces = { records = { split = "<h2>" } }
              4 records in 1 of 1 `_ads`

              group ad = { members = [1, 0] }
                matched 3 of 3 records

                save = { pattern = '*href="#">#</a>*' }
                  matched 3 of 3 `ad`

                  field link = #1 then { type = "url" }
                    matched 3 of 3 `ad`, url
                    · https://barn.example/ad/101
                    · https://barn.example/ad/102
                    · https://barn.example/ad/103?ref=list&pos=3

                  field title = #2
                    matched 3 of 3 `ad`, string
                    · Two-wheel rake, hardly used
                    · Baler twine, 12 rolls
                    · Old hay wagon
    "##]],
    );
}

const LEARNED: &str = r#"
name = "shop"
learned = { by = "example", from = ["page-1.html", "page-2.html"], at = 2026-11-15T09:00:00Z }

[list.goods]
records = "tr.good"
path = "/html[1]/body[1]/table[1]/tbody[1]/tr"

[list.goods.field]
title = { case = ["td.name", "td/b"], path = "/html[1]/body[1]/table[1]/tbody[1]/tr/td[1]" }
again = { css = "td:first-child" }
price = { css = ".price", type = "number" }
unit = ".unit"
note = { css = ".note", optional = true }
never = { css = ".never", optional = true }

[list.footer]
records = "p.foot"
field.text = "i"

[list.none]
records = "p.none"
field.text = "i"
"#;

fn row(name: &str, price: &str, note: &str) -> String {
    format!("<tr class=good><td class=name>{name}<td class=price>{price}<td class=unit>kg{note}</tr>")
}

fn shop(name: &str) -> Folder {
    let note = "<td class=note>Last ones, and a note so long that nobody would want to read it to its very end";
    let one = [row("Hay", "1.50", note), row("Straw", "ask us", ""), row("Clover", "2", "")].concat();
    let two = [row("Oats", "3", ""), row("Rye", "4", ""), row("Rye", "", "")].concat();
    let page = |rows: &str| format!("<table>{rows}</table><p class=foot><i>Open daily</i></p>");
    Folder::new(name).with("shop.toml", LEARNED).with("a.html", &page(&one)).with("b.html", &page(&two))
}

/// What looks wrong stands below the rule; counts are for all pages together.
#[test]
fn what_looks_wrong_is_told() {
    let folder = shop("show");
    let run = windrow(&["show", &folder.path("shop.toml"), &folder.path("a.html"), &folder.path("b.html")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        DIR/shop.toml on 2 pages
        learned by example from 2 pages, 2026-11-15T09:00:00Z

        list goods = "tr.good"  # /html[1]/body[1]/table[1]/tbody[1]/tr
          6 records on 2 of 2 pages

          field title = { case = ["td.name", "td/b"] }  # /html[1]/body[1]/table[1]/tbody[1]/tr/td[1]
            matched 6 of 6 records, string
            · Hay
            · Clover
            · Rye

          field again = { css = "td:first-child" }
            matched 6 of 6 records, string
            · Hay
            · Clover
            · Rye
            warning: the same as `title` everywhere

          field price = { css = ".price", type = "number" }
            matched 6 of 6 records, number
            · 1.5
            · 3
            · 4
            warning: 1 of 6 values is no number, such as `ask us`
            warning: 1 of 6 values is empty

          field unit = ".unit"
            matched 6 of 6 records, string
            · kg
            warning: all 6 values are the same

          field note = { css = ".note", optional = true }
            matched 1 of 6 records, string
            · Last ones, and a note so long that nobody would want …
            warning: found in only 1 of 6 records

          field never = { css = ".never", optional = true }
            matched 0 of 6 records, string
            warning: found in none of 6 records

        list footer = "p.foot"
          2 records on 2 of 2 pages
          warning: a list that never has more than one record

          field text = "i"
            matched 2 of 2 records, string
            · Open daily

        list none = "p.none"
          0 records on 0 of 2 pages
          warning: found in none of 2 pages

          field text = "i"
            not looked for: what is around it was not found
    "#]]
    .assert_eq(&folder.hide(&run.stdout));
}

/// A report as that of `learn`: siblings that were left out and why, rules that go by position, values that differ in kind.
#[test]
fn what_learning_reports_is_told_for_any_page() {
    let row = |class: &str, city: &str, rain: &str| format!("<li class='{class}'><b>{city}</b> <i>{rain}</i>");
    let rows: String =
        (1..6).map(|number| row("day", "Oslo", &format!("{number}.5"))).chain([row("day", "Rome", "trace")]).collect();
    let page = format!("<ul>{rows}{}<li class=day><b>Bern</b></ul>", row("new", "Wien", "7 mm"));
    let rules = "[list.rain]\nrecords = \".day\"\n\n[list.rain.field]\ncity = \"b\"\nrain = { xpath = \"*[2]\", optional = true }\n";
    let folder = Folder::new("show-report").with("rain.toml", rules).with("rain.html", &page);
    let run = windrow(&["show", &folder.path("rain.toml"), &folder.path("rain.html")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let warnings: Vec<&str> = run.stdout.lines().filter(|line| line.contains("warning: ")).map(str::trim).collect();
    expect![[r#"
        [
            "warning: 1 element beside the records is built like them and was left out, the first `Wien 7 mm` (/html[1]/body[1]/ul[1]/li[7]): it lacks the class `day`",
            "warning: found by its position: a record that lacks it may give another value",
            "warning: 1 of 6 values is no number, date or amount as the others are, such as `trace`",
        ]
    "#]]
    .assert_debug_eq(&warnings);
    let run = windrow(&["show", &folder.path("rain.toml"), &folder.path("rain.html"), "--format", "json"]);
    for kind in ["left-out", "positional", "other-kind"] {
        assert!(run.stdout.contains(&format!("\"kind\": \"{kind}\"")), "{kind}: {}", run.stdout);
    }
}

#[test]
fn json_says_the_same() {
    let folder = shop("show-json");
    let run = windrow(&["show", &folder.path("shop.toml"), &folder.0.display().to_string(), "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let value: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&value["name"], &value["pages"]), (&"shop".into(), &2.into()));
    let goods = &value["rules"][0];
    assert_eq!((&goods["kind"], &goods["found"], &goods["type"]), (&"list".into(), &6.into(), &Value::Null));
    assert_eq!(goods["path"], "/html[1]/body[1]/table[1]/tbody[1]/tr");
    expect![[r#"
        {
          "name": "price",
          "kind": "field",
          "rule": "{ css = \".price\", type = \"number\" }",
          "path": null,
          "type": "number",
          "optional": false,
          "scopes": 6,
          "matched": 6,
          "found": 6,
          "samples": [
            "1.5",
            "3",
            "4"
          ],
          "warnings": [
            {
              "kind": "untyped",
              "message": "1 of 6 values is no number, such as `ask us`"
            },
            {
              "kind": "empty",
              "message": "1 of 6 values is empty"
            }
          ],
          "rules": []
        }"#]]
    .assert_eq(&format!("{:#}", goods["rules"][2]));
    // Without pages, nothing is said of finds.
    let run = windrow(&["show", &folder.path("shop.toml"), "--format", "json"]);
    let value: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&value["pages"], value["rules"][0].get("found")), (&0.into(), None));
    assert_eq!(value["rules"][0]["rules"][3]["rule"], "\".unit\"");
}

/// However many threads work on them.
#[test]
fn pages_are_joined_in_their_order() {
    let folder = shop("show-order");
    let run = |threads: &str| {
        let (a, b) = (folder.path("a.html"), folder.path("b.html"));
        windrow(&["show", &folder.path("shop.toml"), &b, &a, &b, "-j", threads])
    };
    let one = run("1");
    assert!(one.stdout.contains("· Oats\n"), "{}", one.stdout);
    assert_eq!(one, run("4"));
}

#[test]
fn a_page_without_anything_ends_with_1() {
    let folder = shop("show-nothing");
    let run = windrow_on(b"<p>Nothing here", &["show", &folder.path("shop.toml"), "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(run.stdout.contains("warning: found in none of 1 page\n"), "{}", run.stdout);
    assert!(run.stdout.contains("not looked for: what is around it was not found\n"), "{}", run.stdout);
    let run = windrow_on(b"name = 'empty'", &["show", "-"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "-\n"));
}

#[test]
fn what_goes_wrong_ends_with_2() {
    check_error(
        &["show", ADS, "nowhere.html"],
        &expect![[r#"
        page::unreadable

          × cannot read `nowhere.html`: No such file or directory (os error 2)
    "#]],
    );
    check_error(
        &["show", "-", "-"],
        &expect![[r#"
        extract::standard_input_twice

          × standard input (`-`) can be read only once, and the wrapper is to be read from it
    "#]],
    );
    // The other pages are shown.
    let run = windrow(&["show", ADS, "nowhere.html", PAGE]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("3 records on 1 of 1 page"), "{}", run.stdout);
    let folder = Folder::new("show-cut")
        .with("w.toml", "follow.depth = 0\n[group.next]\nat = { get = \"a\" }\nfield.h = \"h1\"\n[field]\na = \"a\"\n")
        .with("p.html", "<a href=q.html>q</a>");
    let run = windrow(&["show", &folder.path("w.toml"), &folder.path("p.html")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("next: cannot fetch"), "{}", run.stderr);
    assert!(run.stdout.contains("group next = { at = { get = \"a\" } }"), "{}", run.stdout);
}

/// A table whose columns no rule names has rows to show.
#[test]
fn rows_of_a_table_are_values() {
    let folder = Folder::new("show-table")
        .with("w.toml", "list.barns = { records = { table = \"table\" } }\n")
        .with("p.html", "<table><tr><th>Barn<th>Tonnes<tr><td>North<td>1,250<tr><td>South<td>80</table>");
    let run = windrow(&["show", &folder.path("w.toml"), &folder.path("p.html")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r#"
        DIR/w.toml on DIR/p.html

        list barns = { records = { table = "table" } }
          2 records on 1 of 1 page
          · North 1,250
          · South 80
    "#]]
    .assert_eq(&folder.hide(&run.stdout));
}
