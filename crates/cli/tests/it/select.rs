//! `windrow select`: matches and rows in every format.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{check, windrow, windrow_on};

const ADS: &str = "testdata/pages/ads/page-1.html";
const BLOG: &str = "testdata/pages/blog/page-1.html";
const RESULTS: &str = "testdata/pages/results/page-1.html";

/// The one JSON line of a run.
fn line(arguments: &[&str]) -> Value {
    let run = windrow(&[arguments, &["--format", "jsonl"]].concat());
    assert_eq!(run.stderr, "");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
}

#[test]
fn xpath_and_css_find_the_same() {
    check(
        &["select", ADS, "//li/h2"],
        &expect![[r#"
        ┌───┬─────────────────────────────┐
        │ n ┆ value                       │
        ╞═══╪═════════════════════════════╡
        │ 1 ┆ Two-wheel rake, hardly used │
        │ 2 ┆ Baler twine, 12 rolls       │
        │ 3 ┆ Old hay wagon               │
        └───┴─────────────────────────────┘
    "#]],
    );
    let css = windrow(&["select", ADS, "li > h2"]);
    assert_eq!(css, windrow(&["select", ADS, "//li/h2"]));
}

#[test]
fn several_expressions_say_which_found_what() {
    check(
        &["select", ADS, "title=//h2", "price=.price", "links=count(//a)", "//title"],
        &expect![[r#"
        ┌────────────┬───┬────────────────────────────────┐
        │ expression ┆ n ┆ value                          │
        ╞════════════╪═══╪════════════════════════════════╡
        │ title      ┆ 1 ┆ Two-wheel rake, hardly used    │
        │ title      ┆ 2 ┆ Baler twine, 12 rolls          │
        │ title      ┆ 3 ┆ Old hay wagon                  │
        │ price      ┆ 1 ┆ € 340                          │
        │ price      ┆ 2 ┆ € 55                           │
        │ links      ┆ 1 ┆ 7                              │
        │ //title    ┆ 1 ┆ Barn & Field: farm classifieds │
        └────────────┴───┴────────────────────────────────┘
    "#]],
    );
}

#[test]
fn each_makes_rows() {
    check(
        &["select", ADS, "--each", "li.ad", "title=h2", "price=p[@class='price']", "link=h2/a/@href"],
        &expect![[r#"
            ┌─────────────────────────────┬───────┬────────────────────────┐
            │ title                       ┆ price ┆ link                   │
            ╞═════════════════════════════╪═══════╪════════════════════════╡
            │ Two-wheel rake, hardly used ┆ € 340 ┆ /ad/101                │
            │ Baler twine, 12 rolls       ┆  € 55 ┆ /ad/102                │
            │ Old hay wagon               ┆       ┆ /ad/103?ref=list&pos=3 │
            └─────────────────────────────┴───────┴────────────────────────┘
        "#]],
    );
}

#[test]
fn a_row_of_cells_is_a_csv_line() {
    check(
        &[
            "select",
            RESULTS,
            "--each",
            "//tr[td][not(@class)]",
            "farm=td[1]",
            "first=td[3]",
            "second=td[4]",
            "--format",
            "csv",
        ],
        &expect![[r#"
            page,farm,first,second
            testdata/pages/results/page-1.html,Nørregård,41,28
            testdata/pages/results/page-1.html,Lower Weir,30,
            testdata/pages/results/page-1.html,Sankt Veit,77,49
        "#]],
    );
}

#[test]
fn csv_of_matches_always_has_the_same_columns() {
    check(
        &["select", RESULTS, "//th", "--format", "csv"],
        &expect![[r#"
        page,expression,n,value
        testdata/pages/results/page-1.html,//th,1,Farm
        testdata/pages/results/page-1.html,//th,2,Hectares
        testdata/pages/results/page-1.html,//th,3,First cut
        testdata/pages/results/page-1.html,//th,4,Second cut
    "#]],
    );
}

#[test]
fn a_list_cell_holds_all_matches() {
    let fields = ["select", BLOG, "--each", "//article", "title=h2", "tags[]=.//li", "first=.//li"];
    assert_eq!(
        line(&fields)["records"],
        json!([
            { "title": "The second cut", "tags": ["hay", "weather"], "first": "hay" },
            { "title": "The rake is mended", "tags": ["tools"], "first": "tools" },
            { "title": "Hello", "tags": [], "first": null },
        ])
    );
    check(
        &[&fields[..], &["--format", "text"]].concat(),
        &expect![[r#"
        The second cut	hay; weather	hay
        The rake is mended	tools	tools
        Hello		
    "#]],
    );
}

#[test]
fn each_alone_prints_the_records() {
    let records = line(&["select", BLOG, "--each", "//article/h2"])["records"].clone();
    assert_eq!(records[0], json!({ "record": "The second cut" }));
}

#[test]
fn each_page_can_be_a_row() {
    check(
        &["select", "--each", "/", "-e", "title=//title", "-e", "links=count(//a)", "testdata/pages"],
        &expect![[r#"
            ┌────────────────────────────────────────┬────────────────────────────────────────────┬───────┐
            │ page                                   ┆ title                                      ┆ links │
            ╞════════════════════════════════════════╪════════════════════════════════════════════╪═══════╡
            │ testdata/pages/ads/page-1.html         ┆ Barn & Field: farm classifieds             ┆     7 │
            │ testdata/pages/auction/page-1.html     ┆ Farm auction, lots 1 to 6                  ┆     8 │
            │ testdata/pages/blog/page-1.html        ┆ Notes from a small meadow                  ┆     3 │
            │ testdata/pages/books/page-1.html       ┆ Travel books – Harbour Street Bookshop     ┆    17 │
            │ testdata/pages/classifieds/page-1.html ┆ Helping Hands: jobs in house and home      ┆    28 │
            │ testdata/pages/forum-1251/page-1.html  ┆ Сено и солома: форум                       ┆     1 │
            │ testdata/pages/offer/rake.html         ┆ Two-wheel rake, hardly used | Barn & Field ┆     4 │
            │ testdata/pages/offer/twine.html        ┆ Baler twine, 12 rolls | Barn & Field       ┆     3 │
            │ testdata/pages/offer/wagon.html        ┆ Old hay wagon | Barn & Field               ┆     3 │
            │ testdata/pages/results/page-1.html     ┆ Hay yields, season 2025                    ┆     3 │
            │ testdata/pages/shop-gbk/page-1.html    ┆ 草料店                                     ┆     0 │
            └────────────────────────────────────────┴────────────────────────────────────────────┴───────┘
        "#]],
    );
}

#[test]
fn json_is_one_array() {
    check(
        &["select", BLOG, "ids=//article/@id", "n=count(//article)", "svg=boolean(//svg:svg)", "--format", "json"],
        &expect![[r#"
            [
              {
                "page": "testdata/pages/blog/page-1.html",
                "matches": {
                  "ids": [
                    "post-3",
                    "post-2",
                    "post-1"
                  ],
                  "n": 3,
                  "svg": true
                }
              }
            ]
        "#]],
    );
}

#[test]
fn values_of_other_types_stay_themselves_unless_raw() {
    let expressions = ["select", BLOG, "n=count(//p) div 8", "b=//h1='x'", "nan=number(//h1)", "s=concat(' a ', 'b ')"];
    assert_eq!(line(&expressions)["matches"], json!({ "n": 0.5, "b": false, "nan": "NaN", "s": " a b " }));
    let raw = line(&[&expressions[..], &["--raw"]].concat());
    assert_eq!(raw["matches"], json!({ "n": "0.5", "b": "false", "nan": "NaN", "s": "a b" }));
}

#[test]
fn raw_text_is_one_line() {
    let page = ["select", ADS, "x=//li[1]/p[2]"];
    assert_eq!(line(&page)["matches"], json!({ "x": ["Folds for the road.\nPick up near Tønder."] }));
    assert_eq!(
        line(&[&page[..], &["--raw"]].concat())["matches"],
        json!({ "x": ["Folds for the road. Pick up near Tønder."] })
    );
}

#[test]
fn nodes_can_be_printed_as_html() {
    check(
        &["select", ADS, "//h2/a", "--html", "--format", "text"],
        &expect![[r#"
        <a href="/ad/101">Two-wheel rake, hardly used</a>
        <a href="/ad/102">Baler twine, 12 rolls</a>
        <a href="/ad/103?ref=list&amp;pos=3">Old hay wagon</a>
    "#]],
    );
    check(
        &["select", ADS, "//h2", "--inner-html", "--format", "text"],
        &expect![[r#"
        <a href="/ad/101">Two-wheel rake, hardly used</a>
        <a href="/ad/102">Baler twine, 12 rolls</a>
        <a href="/ad/103?ref=list&amp;pos=3">Old hay wagon</a>
    "#]],
    );
}

#[test]
fn every_kind_of_node_has_a_value() {
    assert_eq!(
        line(&["select", BLOG, "//comment()", "//title", "//template", "//article[1]/h2/a/@href", "//h1/text()"])["matches"],
        json!({
            "//comment()": [" rendered in 12 ms "],
            "//title": ["Notes from a small meadow"],
            "//template": [""],
            "//article[1]/h2/a/@href": ["/2025/07/second-cut"],
            "//h1/text()": ["Notes from a small meadow"],
        })
    );
}

#[test]
fn paths_and_spans_tell_where() {
    check(
        &["select", RESULTS, "//td[1]/a", "--path", "--span"],
        &expect![[r#"
            ┌───┬────────────┬─────────────────────────────────────────────────────┬──────────┐
            │ n ┆ value      ┆ path                                                ┆     span │
            ╞═══╪════════════╪═════════════════════════════════════════════════════╪══════════╡
            │ 1 ┆ Nørregård  ┆ /html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[1]/a[1] ┆ 216..247 │
            │ 2 ┆ Lower Weir ┆ /html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[1]/a[1] ┆ 276..306 │
            │ 3 ┆ Sankt Veit ┆ /html[1]/body[1]/table[1]/tbody[1]/tr[4]/td[1]/a[1] ┆ 330..361 │
            └───┴────────────┴─────────────────────────────────────────────────────┴──────────┘
        "#]],
    );
    let run = windrow_on(
        b"<p><a href='/x'>y</a>",
        &["select", "-", "a=//a/@href", "n=count(//a)", "--path", "--span", "--format", "jsonl"],
    );
    assert_eq!(
        serde_json::from_str::<Value>(&run.stdout).unwrap()["matches"],
        json!({
            "a": [{ "value": "/x", "path": "/html[1]/body[1]/p[1]/a[1]/@href", "span": [6, 15] }],
            "n": { "value": 1, "path": null, "span": null },
        })
    );
}

#[test]
fn paths_of_cells_are_columns_of_their_own() {
    check(
        &[
            "select",
            RESULTS,
            "--each",
            "//tr[td/a]",
            "farm=td[1]",
            "cut[]=td[position()>2]",
            "--path",
            "--format",
            "csv",
        ],
        &expect![[r#"
            page,farm,farm.path,cut,cut.path
            testdata/pages/results/page-1.html,Nørregård,/html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[1],41; 28,/html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[3]; /html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[4]
            testdata/pages/results/page-1.html,Lower Weir,/html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[1],30; ,/html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[3]; /html[1]/body[1]/table[1]/tbody[1]/tr[3]/td[4]
            testdata/pages/results/page-1.html,Sankt Veit,/html[1]/body[1]/table[1]/tbody[1]/tr[4]/td[1],77; 49,/html[1]/body[1]/table[1]/tbody[1]/tr[4]/td[3]; /html[1]/body[1]/table[1]/tbody[1]/tr[4]/td[4]
        "#]],
    );
}

#[test]
fn a_prefix_settles_the_language() {
    // As XPath `h1` is a child of the root, and there is none; as CSS it is any h1.
    assert_eq!(windrow(&["select", ADS, "xpath:h1"]).code, Some(1));
    assert_eq!(windrow(&["select", ADS, "css:h1"]).code, Some(0));
}

#[test]
fn finding_nothing_is_exit_code_one() {
    for format in ["table", "text", "json", "jsonl", "csv"] {
        let run = windrow(&["select", ADS, "//blink", "--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{format}");
        let expected = match format {
            "json" => {
                "[\n  {\n    \"page\": \"testdata/pages/ads/page-1.html\",\n    \"matches\": {\n      \"//blink\": []\n    }\n  }\n]\n"
            }
            "jsonl" => "{\"page\":\"testdata/pages/ads/page-1.html\",\"matches\":{\"//blink\":[]}}\n",
            "csv" => "page,expression,n,value\n",
            _ => "",
        };
        assert_eq!(run.stdout, expected, "{format}");
    }
}

#[test]
fn a_charset_given_is_final() {
    let page = ["select", "testdata/pages/forum-1251/page-1.html", "//title", "--format", "text"];
    assert_eq!(windrow(&page).stdout, "Сено и солома: форум\n");
    let forced = windrow(&[&page[..], &["--charset", "windows-1252"]].concat());
    assert_eq!(forced.stdout, "Ñåíî è ñîëîìà: ôîðóì\n");
}
