//! `windrow extract`: a wrapper's objects in every format, what is missing, how it ends.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::{Folder, check, windrow, windrow_on};

const ADS: &str = "testdata/pages/ads/page-1.html";
const BLOG: &str = "testdata/pages/blog/page-1.html";
/// Page-level fields, a list, a nested list; a required price that one ad lacks.
const WRAPPER: &str = "testdata/wrappers/ads/ads.toml";
/// One list only, nothing required that is missing.
const OFFERS: &str = "testdata/wrappers/ads/offers.toml";

/// Nested lists of records, groups, a list of values, types.
const SHOP: &str = r#"
[field]
shop = "h1"
[group.contact]
at = "address"
field = { mail = "a", hours = { css = "b", label = "opening hours" } }
[list.items]
records = "article"
field = { name = "h2", price = { css = "i", type = "money" }, sold = { css = "u", type = "number", optional = true } }
group.maker = { at = ".maker", field = { name = "b" } }
list.colours = { records = "em", optional = true }
[list.items.list.offers]
records = "li"
optional = true
field = { by = "a", "by.url" = { xpath = "a/@href", type = "url", optional = true } }
[list.items.list.notes]
records = "q"
optional = true
field = { note = "." }
[list.words]
records = "dfn"
"#;

const SHOP_PAGE: &str = "<h1>Barn &amp; <i>Field</i></h1><address><a>x@y.example</a> <b>8 to 5</b></address>
<article><h2>Rake</h2><i>€ 340.50</i><u>12</u><p class=maker><b>Weir</b></p><em>red</em><em>blue</em>
<ul><li><a href=/1>Ann</a><li><a href=/2>Bob</a></ul><q>good</q></article>
<article><h2>Twine</h2><i>ask us</i><p class=maker><b>Veit</b></p></article>
<dfn>hay</dfn><dfn>row</dfn>";

fn shop(name: &str) -> Folder {
    Folder::new(name).with("shop.toml", SHOP).with("shop.html", SHOP_PAGE)
}

/// Checks what an extraction from the shop prints, on standard output and standard error.
#[track_caller]
fn check_shop(name: &str, arguments: &[&str], expected: &Expect) {
    let folder = shop(name);
    let (rules, page) = (folder.path("shop.toml"), folder.path("shop.html"));
    let run = windrow(&[&["extract", "-w", &rules, &page], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    expected.assert_eq(&folder.hide(&(run.stdout + &run.stderr)));
}

#[test]
fn a_table_for_people() {
    check(
        &["extract", "-w", OFFERS, ADS, "--format", "table"],
        &expect![[r#"
            ┌─────────────────────────────┬─────────┬────────────┐
            │ title                       ┆   price ┆ tags       │
            ╞═════════════════════════════╪═════════╪════════════╡
            │ Two-wheel rake, hardly used ┆ 340 EUR ┆ rakes; hay │
            │ Baler twine, 12 rolls       ┆  55 EUR ┆ hay        │
            │ Old hay wagon               ┆         ┆            │
            └─────────────────────────────┴─────────┴────────────┘
        "#]],
    );
}

#[test]
fn several_lists_and_fields_are_several_tables() {
    check_shop(
        "tables",
        &["--format", "table"],
        &expect![[r#"
            ┌───────────────────────┬──────────────┐
            │ shop                  ┆ Barn & Field │
            │ contact.mail          ┆ x@y.example  │
            │ contact.opening hours ┆ 8 to 5       │
            └───────────────────────┴──────────────┘
            items: 2 records
            ┌───────┬───────────┬──────┬────────────┬───────────┬───────────┬──────────┐
            │ name  ┆ price     ┆ sold ┆ maker.name ┆ colours   ┆ offers    ┆ notes    │
            ╞═══════╪═══════════╪══════╪════════════╪═══════════╪═══════════╪══════════╡
            │ Rake  ┆ 340.5 EUR ┆   12 ┆ Weir       ┆ red; blue ┆ 2 records ┆ 1 record │
            │ Twine ┆ ask us    ┆      ┆ Veit       ┆           ┆           ┆          │
            └───────┴───────────┴──────┴────────────┴───────────┴───────────┴──────────┘
            words: 2 values
            ┌───────┐
            │ words │
            ╞═══════╡
            │ hay   │
            │ row   │
            └───────┘
            warning: DIR/shop.html: items[1].price (shop.toml:9): `ask us` is not of type money
        "#]],
    );
}

#[test]
fn a_wrapper_of_fields_gives_a_block_or_a_row_a_page() {
    let folder = Folder::new("fields").with("f.toml", "field = { heading = 'h1', title = '//title' }");
    let rules = folder.path("f.toml");
    check(
        &["extract", "-w", &rules, ADS, "--format", "table"],
        &expect![[r#"
        ┌─────────┬────────────────────────────────┐
        │ heading ┆ Tractors and tools             │
        │ title   ┆ Barn & Field: farm classifieds │
        └─────────┴────────────────────────────────┘
    "#]],
    );
    check(
        &["extract", "-w", &rules, ADS, BLOG, "--format", "table"],
        &expect![[r#"
        ┌─────────────────────────────────┬───────────────────────────┬────────────────────────────────┐
        │ page                            ┆ heading                   ┆ title                          │
        ╞═════════════════════════════════╪═══════════════════════════╪════════════════════════════════╡
        │ testdata/pages/ads/page-1.html  ┆ Tractors and tools        ┆ Barn & Field: farm classifieds │
        │ testdata/pages/blog/page-1.html ┆ Notes from a small meadow ┆ Notes from a small meadow      │
        └─────────────────────────────────┴───────────────────────────┴────────────────────────────────┘
    "#]],
    );
    check(
        &["extract", "-w", &rules, ADS, BLOG, "--format", "csv"],
        &expect![[r#"
        page,heading,title
        testdata/pages/ads/page-1.html,Tractors and tools,Barn & Field: farm classifieds
        testdata/pages/blog/page-1.html,Notes from a small meadow,Notes from a small meadow
    "#]],
    );
}

#[test]
fn json_lines_are_the_default_in_a_pipe() {
    let run = windrow(&["extract", "-w", WRAPPER, ADS]);
    assert_eq!(run.code, Some(0));
    let line: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!(line["page"], ADS);
    assert_eq!(
        line["data"],
        json!({
            "heading": "Tractors and tools",
            "ads": [
                {
                    "title": "Two-wheel rake, hardly used",
                    "link": "https://barn.example/ad/101",
                    "price": {"amount": 340, "currency": "EUR"},
                    "tags": ["rakes", "hay"],
                },
                {
                    "title": "Baler twine, 12 rolls",
                    "link": "https://barn.example/ad/102",
                    "price": {"amount": 55, "currency": "EUR"},
                    "tags": ["hay"],
                },
                {
                    "title": "Old hay wagon",
                    "link": "https://barn.example/ad/103?ref=list&pos=3",
                    "price": null,
                    "tags": [],
                    "_missing": ["price"],
                },
            ],
        })
    );
}

#[test]
fn what_is_missing_is_told_with_page_object_and_line() {
    let run = windrow(&["extract", "-w", WRAPPER, ADS]);
    expect![[r#"
        warning: testdata/pages/ads/page-1.html: ads[2].price (ads.toml:14): not found in `<li class="ad"> <h2><a href="/ad/103?ref=list&amp;pos=3">Old hay…`
    "#]].assert_eq(&run.stderr);
    assert_eq!(windrow(&["extract", "-w", WRAPPER, ADS, "-q"]).stderr, "");
}

#[test]
fn raw_values_are_visible_text_on_one_line() {
    let page = "<h1>A\n<b>b</b><br>c</h1><i> € 340 </i><u>ask\nus</u><a href='/x y'>z</a>";
    let folder = Folder::new("raw").with(
        "r.toml",
        "[field]\nh = 'h1'\nm = { css = 'i', type = 'money' }\nn = { css = 'u', type = 'number' }\n\
         a = { xpath = '//a/@href', type = 'url' }\nw = { css = 'h1', type = 'html' }",
    );
    let data = |arguments: &[&str]| {
        let rules = folder.path("r.toml");
        let run = windrow_on(page.as_bytes(), &[&["extract", "-w", &rules, "-"], arguments].concat());
        serde_json::from_str::<Value>(&run.stdout).unwrap()["data"].clone()
    };
    assert_eq!(data(&["--raw"]), json!({"h": "A b c", "m": "€ 340", "n": "ask us", "a": "/x y", "w": "A b c"}));
    assert_eq!(
        data(&["--url", "https://example.org/a/"]),
        json!({
            "h": "A b\nc",
            "m": {"amount": 340, "currency": "EUR"},
            "n": "ask us",
            "a": "https://example.org/x%20y",
            "w": "A\n<b>b</b><br>c",
        })
    );
}

#[test]
fn numbers_keep_their_digits_and_dates_count_from_the_date_given() {
    let folder = Folder::new("digits")
        .with("d.toml", "[list.n]\nrecords = 'b'\ntype = 'number'\n[field]\nday = { css = 'i', type = 'date' }");
    let page = b"<b>0.10</b><b>12345678901234567890123.5</b><b>-7</b><i>yesterday</i>";
    let run = windrow_on(page, &["extract", "-w", &folder.path("d.toml"), "-", "--at", "2026-11-15"]);
    expect![[r#"
        {"page":"-","data":{"day":"2026-11-14","n":[0.1,12345678901234567890123.5,-7]}}
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn json_is_an_array_of_pages() {
    let run = windrow(&["extract", "-w", OFFERS, ADS, ADS, "--format", "json"]);
    let pages: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(pages.as_array().map(Vec::len), Some(2));
    assert_eq!(pages[0], pages[1]);
    assert!(run.stdout.starts_with("[\n  {\n    \"page\""), "{}", run.stdout);
}

#[test]
fn csv_joins_the_records_of_a_list_into_one_cell() {
    check_shop(
        "csv",
        &["--format", "csv"],
        &expect![[r#"
            page,name,price,price.currency,sold,maker.name,colours,offers,notes
            DIR/shop.html,Rake,340.5,EUR,12,Weir,red; blue,Ann | /1; Bob | /2,good
            DIR/shop.html,Twine,ask us,,,Veit,,,
            hint: the rows are those of `items`; `shop`, `contact`, `words` are left out: --csv-dir DIR writes all
            note: lists `colours`, `offers` (by | by.url), `notes` (note) are joined into one cell per record; for tables of their own, use --csv-dir DIR
            warning: DIR/shop.html: items[1].price (shop.toml:9): `ask us` is not of type money
        "#]],
    );
}

#[test]
fn xml() {
    check_shop(
        "xml",
        &["--format", "xml", "-q"],
        &expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <windrow>
          <page name="DIR/shop.html">
            <shop>Barn &amp; Field</shop>
            <contact>
              <mail>x@y.example</mail>
              <object name="opening hours">8 to 5</object>
            </contact>
            <items>
              <name>Rake</name>
              <price currency="EUR" type="money">340.5</price>
              <sold type="number">12</sold>
              <maker>
                <name>Weir</name>
              </maker>
              <colours>red</colours>
              <colours>blue</colours>
              <offers>
                <by>Ann</by>
                <by.url type="url">/1</by.url>
              </offers>
              <offers>
                <by>Bob</by>
                <by.url type="url">/2</by.url>
              </offers>
              <notes>
                <note>good</note>
              </notes>
            </items>
            <items>
              <name>Twine</name>
              <price>ask us</price>
              <maker>
                <name>Veit</name>
              </maker>
            </items>
            <words>hay</words>
            <words>row</words>
          </page>
        </windrow>
    "#]],
    );
}

#[test]
fn oem() {
    check_shop(
        "oem",
        &["--format", "oem", "-q"],
        &expect![[r#"
        shop string "Barn & Field"
        contact complex {
          mail string "x@y.example"
          "opening hours" string "8 to 5"
        }
        items complex {
          name string "Rake"
          price money 340.5 EUR
          sold number 12
          maker complex {
            name string "Weir"
          }
          colours string "red"
          colours string "blue"
          offers complex {
            by string "Ann"
            by.url url /1
          }
          offers complex {
            by string "Bob"
            by.url url /2
          }
          notes complex {
            note string "good"
          }
        }
        items complex {
          name string "Twine"
          price string "ask us"
          maker complex {
            name string "Veit"
          }
        }
        words string "hay"
        words string "row"
    "#]],
    );
}

#[test]
fn raw_forms_of_xml_and_oem_have_no_types() {
    let page = b"<i>EUR 5</i>";
    let folder = Folder::new("rawoem").with("r.toml", "field.p = { css = 'i', type = 'money' }");
    let rules = folder.path("r.toml");
    let run = |format: &str| windrow_on(page, &["extract", "-w", &rules, "-", "--raw", "--format", format]).stdout;
    assert_eq!(run("oem"), "p string \"EUR 5\"\n");
    assert!(run("xml").contains("<p>EUR 5</p>"));
    assert_eq!(run("csv"), "page,p\n-,EUR 5\n");
}

#[test]
fn bracket_commands_give_the_papers_objects() {
    check(
        &["extract", "-w", "testdata/wrappers/ads/titles.tsimmis", ADS, "--format", "oem"],
        &expect![[r#"
        root complex {
          ad complex {
            link url https://barn.example/ad/101
            title string "Two-wheel rake, hardly used"
          }
          ad complex {
            link url https://barn.example/ad/102
            title string "Baler twine, 12 rolls"
          }
          ad complex {
            link url https://barn.example/ad/103?ref=list&pos=3
            title string "Old hay wagon"
          }
        }
    "#]],
    );
}

#[test]
fn explain_says_where_everything_is_from() {
    let run = windrow(&["extract", "-w", WRAPPER, ADS, "--explain", "-q"]);
    expect![[r#"
        testdata/pages/ads/page-1.html: 15 objects
          heading string "Tractors and tools"  at /html[1]/body[1]/h1[1] 241..268  by h1 (ads.toml:6)
          ads complex  at /html[1]/body[1]/ul[1]/li[1] 285..508  by li.ad (ads.toml:8)
            title string "Two-wheel rake, hardly used"  at /html[1]/body[1]/ul[1]/li[1]/h2[1]/a[1] 318..367  by h2/a (ads.toml:12)
            link url "https://barn.example/ad/101"  at /html[1]/body[1]/ul[1]/li[1]/h2[1]/a[1]/@href 327..334  by h2/a/@href (ads.toml:13)
            price money 340 EUR  at /html[1]/body[1]/ul[1]/li[1]/p[1] 377..405  by .price (ads.toml:14)
            tags string "rakes"  at /html[1]/body[1]/ul[1]/li[1]/ul[1]/li[1] 479..488  by .tags li (ads.toml:17)
            tags string "hay"  at /html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] 488..495  by .tags li (ads.toml:17)
          ads complex  at /html[1]/body[1]/ul[1]/li[2] 511..691  by li.ad (ads.toml:8)
            title string "Baler twine, 12 rolls"  at /html[1]/body[1]/ul[1]/li[2]/h2[1]/a[1] 535..578  by h2/a (ads.toml:12)
            link url "https://barn.example/ad/102"  at /html[1]/body[1]/ul[1]/li[2]/h2[1]/a[1]/@href 544..551  by h2/a/@href (ads.toml:13)
            price money 55 EUR  at /html[1]/body[1]/ul[1]/li[2]/p[1] 588..615  by .price (ads.toml:14)
            tags string "hay"  at /html[1]/body[1]/ul[1]/li[2]/ul[1]/li[1] 671..678  by .tags li (ads.toml:17)
          ads complex  at /html[1]/body[1]/ul[1]/li[4] 780..927  by li.ad (ads.toml:8)
            price missing
            title string "Old hay wagon"  at /html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1] 804..858  by h2/a (ads.toml:12)
            link url "https://barn.example/ad/103?ref=list&pos=3"  at /html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1]/@href 813..839  by h2/a/@href (ads.toml:13)
    "#]].assert_eq(&run.stdout);
    let run = windrow(&["extract", "-w", WRAPPER, ADS, "--explain", "--format", "jsonl", "-q"]);
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        page["objects"][1]["objects"][2],
        json!({
            "label": "price",
            "type": "money",
            "value": {"amount": 340, "currency": "EUR"},
            "raw": "€ 340",
            "text": "€ 340",
            "path": "/html[1]/body[1]/ul[1]/li[1]/p[1]",
            "span": [377, 405],
            "rule": ".price",
            "line": 14,
        })
    );
    assert_eq!(page["objects"][3]["missing"], json!(["price"]));
}

#[test]
fn explain_also_places_what_patterns_found() {
    let run = windrow(&["extract", "-w", "testdata/wrappers/ads/titles.tsimmis", ADS, "--explain"]);
    expect![[r##"
        testdata/pages/ads/page-1.html: 10 objects
          root complex  at / 0..1096  by . (titles.tsimmis:3)
            ad complex  at /html[1]/body[1]/ul[1]/li[1]/h2[1] 318..531  by . (titles.tsimmis:12)
              link url "https://barn.example/ad/101"  at /html[1]/body[1]/ul[1]/li[1]/h2[1]/a[1] 327..334  by #1 of pattern *href="#">#</a>* (titles.tsimmis:15)
              title string "Two-wheel rake, hardly used"  at /html[1]/body[1]/ul[1]/li[1]/h2[1]/a[1] 336..363  by #2 of pattern *href="#">#</a>* (titles.tsimmis:15)
            ad complex  at /html[1]/body[1]/ul[1]/li[2]/h2[1] 535..800  by . (titles.tsimmis:12)
              link url "https://barn.example/ad/102"  at /html[1]/body[1]/ul[1]/li[2]/h2[1]/a[1] 544..551  by #1 of pattern *href="#">#</a>* (titles.tsimmis:15)
              title string "Baler twine, 12 rolls"  at /html[1]/body[1]/ul[1]/li[2]/h2[1]/a[1] 553..574  by #2 of pattern *href="#">#</a>* (titles.tsimmis:15)
            ad complex  at /html[1]/body[1]/ul[1]/li[4]/h2[1] 804..934  by . (titles.tsimmis:12)
              link url "https://barn.example/ad/103?ref=list&pos=3"  at /html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1] 813..839  by #1 of pattern *href="#">#</a>* (titles.tsimmis:15)
              title string "Old hay wagon"  at /html[1]/body[1]/ul[1]/li[4]/h2[1]/a[1] 841..854  by #2 of pattern *href="#">#</a>* (titles.tsimmis:15)
    "##]].assert_eq(&run.stdout);
}

#[test]
fn the_columns_of_a_pages_table_are_the_header() {
    let folder = Folder::new("columns").with("t.toml", "[list.rows]\nrecords = { table = true }");
    let rules = folder.path("t.toml");
    let results = "testdata/pages/results/page-1.html";
    check(
        &["extract", "-w", &rules, results, "--format", "csv"],
        &expect![[r#"
        page,Farm,Hectares,First cut,Second cut
        testdata/pages/results/page-1.html,Nørregård,12.5,41,28
        testdata/pages/results/page-1.html,Lower Weir,8,30,
        testdata/pages/results/page-1.html,Sankt Veit,21,77,49
        testdata/pages/results/page-1.html,Total,41.5,148,77
    "#]],
    );
    check(
        &["extract", "-w", &rules, results, "--format", "table"],
        &expect![[r#"
        rows: 4 records
        ┌────────────┬──────────┬───────────┬────────────┐
        │ Farm       ┆ Hectares ┆ First cut ┆ Second cut │
        ╞════════════╪══════════╪═══════════╪════════════╡
        │ Nørregård  ┆     12.5 ┆        41 ┆         28 │
        │ Lower Weir ┆        8 ┆        30 ┆            │
        │ Sankt Veit ┆       21 ┆        77 ┆         49 │
        │ Total      ┆     41.5 ┆       148 ┆         77 │
        └────────────┴──────────┴───────────┴────────────┘
    "#]],
    );
    let line = windrow(&["extract", "-w", &rules, results]).stdout;
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["data"]["rows"][0]["Farm"], "Nørregård");
}

#[test]
fn endings() {
    let code = |arguments: &[&str]| windrow(&[&["extract", "-w"], arguments].concat()).code;
    assert_eq!(code(&[OFFERS, ADS]), Some(0));
    assert_eq!(code(&[OFFERS, "-q", BLOG]), Some(1), "no value");
    assert_eq!(code(&[WRAPPER, ADS]), Some(0), "a missing field is no error");
    assert_eq!(code(&[WRAPPER, "--strict", ADS]), Some(2), "unless it is said to be one");
    assert_eq!(code(&[OFFERS, "--strict", ADS]), Some(0));
    assert_eq!(code(&[OFFERS, ADS, "no-such-page.html"]), Some(2));
    assert_eq!(code(&["no-such-wrapper.toml", ADS]), Some(2));
}

#[test]
fn strict_still_prints_the_records() {
    let run = windrow(&["extract", "-w", WRAPPER, "--strict", "-q", ADS]);
    assert!(run.stdout.contains("Old hay wagon"));
    assert!(
        run.stderr.starts_with("error: testdata/pages/ads/page-1.html: ads[2].price (ads.toml:14): "),
        "{}",
        run.stderr
    );
}

#[test]
fn many_problems_of_a_kind_are_counted() {
    let folder = Folder::new("many").with("m.toml", "[list.rows]\nrecords = 'li'\nfield = { a = 'b', c = 'i' }");
    let page = "<ul>".to_owned() + &"<li><b>x</b>".repeat(25);
    let run = windrow_on(page.as_bytes(), &["extract", "-w", &folder.path("m.toml"), "-"]);
    assert_eq!(run.stderr.lines().count(), 12);
    let end = "… and 15 more notes; --explain shows all\nnote: `c` is empty in 25 of 25 records\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}

#[test]
fn what_the_page_lacks_stands_beside_its_data() {
    let folder = Folder::new("beside").with("m.toml", "[field]\na = 'h1'\nb = 'h2'\n");
    let run = windrow_on(b"<h1>x</h1>", &["extract", "-q", "-w", &folder.path("m.toml"), "-"]);
    assert_eq!(run.stdout, "{\"page\":\"-\",\"data\":{\"a\":\"x\",\"b\":null},\"_missing\":[\"b\"]}\n");
}

#[test]
fn formats_of_stores_need_no_store() {
    let folder = shop("extract-export");
    let (rules, page) = (folder.path("shop.toml"), folder.path("shop.html"));
    let beginnings: [(&str, &[u8]); 3] = [("parquet", b"PAR1"), ("arrow", b"ARROW1"), ("xlsx", b"PK\x03\x04")];
    for (ending, begin) in beginnings {
        let file = folder.path(&format!("items.{ending}"));
        let run = windrow(&["extract", "-w", &rules, &page, "-o", &file]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(std::fs::read(&file).unwrap().starts_with(begin), "{ending}");
        assert!(run.stderr.contains("hint: the records are those of `items`"), "{}", run.stderr);
        let run = windrow(&["extract", "-w", &rules, &page, "--raw", "-o", &file]);
        assert_eq!(run.code, Some(2), "{ending}");
        assert!(run.stderr.contains("output::typed"), "{}", run.stderr);
    }
}

#[test]
fn a_line_for_each_record_is_what_a_store_exports() {
    let folder = shop("extract-per-record");
    let (rules, page, store) = (folder.path("shop.toml"), folder.path("shop.html"), folder.path("shop.db"));
    let lines = windrow(&["extract", "-w", &rules, &page, "--format", "jsonl", "--per-record"]);
    assert_eq!(lines.code, Some(0), "{}", lines.stderr);
    let records: Vec<Value> = lines.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["price"], json!({ "amount": 340.5, "currency": "EUR" }));
    windrow(&["extract", "-w", &rules, &page, "--into", &store]);
    assert_eq!(windrow(&["export", &store, "items", "--format", "jsonl"]).stdout, lines.stdout);
    let run = windrow(&["extract", "-w", &rules, &page, "--format", "xml", "--per-record"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("output::by_record"), "{}", run.stderr);
}
