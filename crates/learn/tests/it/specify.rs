//! Specifications that write themselves: what they look like, that they find the same, and what is told of the rest.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use windrow_dom::{Document, ParseOptions};
use windrow_learn::discover::discover;
use windrow_learn::specify::{Error, LeftOut, Specification, Why, specify};
use windrow_testkit::shared;
use windrow_wrapper::files::{Format, read};
use windrow_wrapper::{Page, Wrapper};

fn wrapper(toml: &str) -> Wrapper {
    read(toml, Format::Toml).unwrap()
}

fn specified(toml: &str, page: &str) -> Result<Specification, Error> {
    specify(&wrapper(toml), Page::from_text("page.html", page))
}

/// The commands and what is left out.
#[track_caller]
fn check(toml: &str, page: &str, expected: Expect) {
    let told = match specified(toml, page) {
        Ok(Specification { text, left_out, values, .. }) => {
            for LeftOut { rule, why } in left_out {
                assert!(text.contains(&format!("; left out: {rule}: {why}\n")), "{text}");
            }
            format!("{text}{values} values\n")
        }
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&told);
}

const ADS: &str = r#"
    [list.ads]
    records = "li"
    [list.ads.field]
    title = "h2 a"
    link = { css = "h2 a::attr(href)", type = "url" }
    price = { css = ".price", type = "money", optional = true }
    seller = { css = "p", after = "Seller:", optional = true }
"#;

#[test]
fn a_list_with_what_its_records_may_lack() {
    check(
        ADS,
        "<nav><a href=/>Home</a></nav><h1>Ads</h1><ul id=ads>\n\
         <li class=ad><h2><a href=\"/1\">Rake</a></h2> <b class=price>3 EUR</b><p>Seller: Ada</p></li>\n\
         <li class=ad><h2><a href=\"/2\">Fork &amp; spade</a></h2><p>As new</p></li>\n\
         <li class=ad><h2><a href=\"/3\">Twine</a></h2> <b class=price>1 EUR</b><p>Seller: Bo</p></li>\n\
         </ul><p class=price>9 EUR</p>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["_ads_all",
              "_root",
              "*Ads</h1><ul id=ads>#</ul>*"],
             ["ads",
              "split(_ads_all, '<li class=ad>')",
              "#"],
             ["title",
              "ads",
              "*<h2>#</a>*"],
             ["link",
              "ads",
              '*<a href="#"*'],
             ["price?:money",
              "ads",
              "*<b class=price>#</b>*"],
             ["seller?",
              "ads",
              "*<p>Seller:#</p>*"]]
            10 values
        "##]],
    );
}

#[test]
fn cells_are_counted_and_records_reach_over_siblings() {
    check(
        "[list.rows]\nrecords = \"tr:has(td)\"\nfield = { city = \"td:nth-child(1)\", low = \"td:nth-child(3)\" }",
        "<table><tr><th>City<th>High<th>Low</tr><tr><td>Oslo</td><td>3</td><td>-2</td></tr><tr><td>Rome</td><td>15</td><td>9</td></tr></table>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["_rows_all",
              "_root",
              "*Low</tr>#</table>*"],
             ["rows",
              "split(_rows_all, '<tr>')",
              "#"],
             ["city",
              "rows",
              "*<td>#</td>*"],
             ["low",
              "rows",
              "*</td>*</td>#</td>*"]]
            4 values
        "##]],
    );
    check(
        "[list.terms]\nrecords = { css = \"dt\", until = \"next\" }\nfield = { term = \"dt\", text = { css = \"dd\", optional = true } }",
        "<dl><dt>Hay</dt><dd>Dry grass</dd><dt>Straw</dt><dt>Rake</dt><dd>A tool</dd></dl>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["_terms_all",
              "_root",
              "*<dl>#</dl>*"],
             ["terms",
              "split(_terms_all, '<dt>')",
              "#"],
             ["term",
              "terms",
              "#</dt>*"],
             ["text?",
              "terms",
              "*<dd>#</dd>*"]]
            5 values
        "##]],
    );
}

#[test]
fn lists_in_records_and_groups() {
    check(
        r#"
        [list.ads]
        records = ".ad"
        field = { name = "h3" }
        [list.ads.group.seller]
        field = { name = "i" }
        [list.ads.list.tags]
        records = "em"
        optional = true
        [list.ads.list.offers]
        records = "tr"
        optional = true
        field = { shop = "td:nth-child(1)", price = "td:nth-child(2)" }
        "#,
        "<div class=ad><h3>A</h3><i>Ann</i><p><em>x</em><em>y</em></p><table><tr><td>S1</td><td>3</td></tr><tr><td>S2</td><td>4</td></tr></table></div>\
         <div class=ad><h3>B</h3><i>Bob</i><p></p></div>\
         <div class=ad><h3>C</h3><i>Cy</i><p><em>z</em></p><table><tr><td>S3</td><td>5</td></tr></table></div>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["ads",
              "split(_root, '<div class=ad>')",
              "#"],
             ["name",
              "ads",
              "*<h3>#</h3>*"],
             ["seller",
              "ads",
              "#"],
             ["name2->name",
              "seller",
              "*<i>#</i>*"],
             ["_tags_all?",
              "ads",
              "*<p>#</p>*"],
             ["tags?",
              "split(_tags_all, '<em>')",
              "#</em>*"],
             ["_offers_all?",
              "ads",
              "*<table>#</div>*"],
             ["offers?",
              "split(_offers_all, '<tr>')",
              "#"],
             ["shop",
              "offers",
              "*<td>#</td>*"],
             ["price",
              "offers",
              "*</td><td>#</td>*"]]
            15 values
        "##]],
    );
}

#[test]
fn a_page_of_one_record() {
    check(
        "[field]\ntitle = \"h1\"\nprice = { css = \"p\", match = '([0-9]+) EUR', type = \"number\" }\nimage = { css = \"img::attr(src)\", type = \"url\" }",
        "<title>T</title><body><h1 class=big>Rake</h1><img alt='' src='r.png'><p>Only 3 EUR today</p>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["title",
              "_root",
              "*<h1 class=big>#</h1>*"],
             ["price:number",
              "_root",
              "*<p>Only#E*"],
             ["image",
              "_root",
              "*src='#'*"]]
            3 values
        "##]],
    );
}

#[test]
fn signs_of_patterns_are_letters() {
    check(
        "[list.rows]\nrecords = \"li\"\nfield = { text = \"b\", note = { css = \"i\", optional = true } }",
        r#"<ul><li *#\ title="a'b"><b>1 * 2 # 3</b><i>\*"'[x]</i></li><li *#\ title="a'b"><b>[#]</b></li><li *#\ title="a'b"><b>*</b><i>\\</i></li></ul>"#,
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["_rows_all",
              "_root",
              "*<ul>#</ul>*"],
             ["rows",
              "split(_rows_all, '<li *#\\\\ title=\"a\\'b\">')",
              "#"],
             ["text",
              "rows",
              "*<b>#</b>*"],
             ["note?",
              "rows",
              "*<i>#</i>*"]]
            5 values
        "##]],
    );
}

#[test]
fn what_cannot_be_said_is_told() {
    // Put together, left out, nowhere.
    check(
        r#"
        [list.rows]
        records = "li"
        [list.rows.field]
        name = "b"
        sum = { xpath = "concat(b, '!')" }
        rest = { css = "p", without = "i" }
        never = { css = "u", optional = true }
        last = { xpath = "(.//s)[last()]" }
        "#,
        "<ul><li><b>A</b><p>one<i>two</i>three</p><s>1</s><s>2</s></li><li><b>B</b><p>x<i>y</i>z</p><s>3</s></li><li><b>C</b><p>x<i>y</i>z</p><s>4</s><s>5</s><s>6</s></li></ul>",
        expect![[r##"
            ; left out: rows.sum: its value is not a piece of the page's source
            ; left out: rows.rest: its value is not a piece of the page's source
            ; left out: rows.never: the page has nothing of it
            ; left out: rows.last: no text around it tells where it is, in every record that has it and in no other
            [["_root",
              "get()",
              "#"],
             ["_rows_all",
              "_root",
              "*<ul>#</ul>*"],
             ["rows",
              "split(_rows_all, '<li>')",
              "#"],
             ["name",
              "rows",
              "*<b>#</b>*"]]
            3 values
        "##]],
    );
    check(
        "[list.rows]\nrecords = \"li\"\nfield = { a = \"b\" }",
        "<p>no list here</p>",
        expect![[r#"
        the rules find nothing on the page, so there is nothing to learn from
    "#]],
    );
    check(
        "[list.rows]\nrecords = \"p:has(b)\"\nfield = { a = \"b\" }",
        "<div><p>x <b>1</b></p><p>y</p><p>x <b>2</b></p><p>z</p></div>",
        expect![[r##"
            [["_root",
              "get()",
              "#"],
             ["_rows_all",
              "_root",
              "*<div>#z*"],
             ["rows",
              "split(_rows_all, '<p>x <b>')",
              "#"],
             ["a",
              "rows",
              "#</b>*"]]
            2 values
        "##]],
    );
}

#[test]
fn hostile_pages() {
    let rows = wrapper("[list.rows]\nrecords = \"li\"\nfield = { a = \"b\" }");
    for page in [
        String::new(),
        "<".to_owned(),
        "<li><b>".to_owned(),
        "<li><b>x".repeat(2000),
        "\0<li>\u{feff}<b>é</b>".repeat(3),
    ] {
        let _ = specify(&rows, Page::from_text("page.html", page));
    }
    // All records are the same.
    let same = format!("<ul>{}</ul>", "<li><b>same</b></li>".repeat(500));
    let made = specify(&rows, Page::from_text("page.html", same)).unwrap();
    assert_eq!((made.values, made.left_out), (500, vec![]));
    // Large, and deep.
    let large: String =
        (0..20_000).map(|n| format!("<li class=\"row\"><p>filler text</p><b>value {n}</b></li>\n")).collect();
    assert!(large.len() > 1 << 20);
    let made = specify(&rows, Page::from_text("page.html", format!("<ul>{large}</ul>"))).unwrap();
    assert_eq!(made.values, 20_000);
    let deep = format!("{}<li><b>x</b></li>{}<li><b>y</b></li>", "<div>".repeat(3000), "</div>".repeat(3000));
    let _ = specify(&rows, Page::from_text("page.html", deep));
}

#[test]
fn why_is_told_in_words() {
    let error = specified("[list.rows]\nrecords = \"li\"\nfield = { a = \"b\" }", "<p>").unwrap_err();
    assert_eq!(error, Error::Nothing);
    assert_eq!(Why::NotOnPage.to_string(), "the page has nothing of it");
}

/// What docs/methods/hand.md shows.
#[test]
fn the_guide_s_example() {
    let toml = include_str!("../../../../testdata/wrappers/ads/ads.toml");
    check(
        toml,
        include_str!("../../../../testdata/pages/ads/page-1.html"),
        expect![[r##"
        ; name: ads
        [["_root",
          "get('https://barn.example/tractors/')",
          "#"],
         ["heading",
          "_root",
          "*<h1>#</h1>*"],
         ["_ads_all",
          "_root",
          '*<ul id="ads">#<b>*'],
         ["ads",
          "split(_ads_all, '<li class=\"ad')",
          "#"],
         ["title",
          "ads",
          "*<h2>#</a>*"],
         ["link",
          "ads",
          '*<a href="#"*'],
         ["price?:money",
          "ads",
          '*<p class="price">#</p>*'],
         ["_tags_all?",
          "ads",
          '*<ul class="tags">#</ul>*'],
         ["tags?",
          "split(_tags_all, '<li>')",
          "#"]]
        12 values
    "##]],
    );
}

/// The share of the list pages that is read by default.
const ONE_PAGE_IN: usize = 4;

/// Specifies the wrappers that are discovered on list pages: half of them at least can be.
#[test]
fn on_real_pages() {
    let mut pages = shared::own_pages();
    pages.extend(shared::sample_pages("corpus/lists", ONE_PAGE_IN));
    let (mut wrappers, mut made, mut complete, mut fields, mut kept) = (0, 0, 0, 0, 0);
    let mut report = String::new();
    for path in pages {
        let document = Document::from_bytes(std::fs::read(&path).unwrap(), &ParseOptions::default());
        let Some(wrapper) = discover(&document, 1).into_iter().next() else { continue };
        let page = Arc::new(Page::from_document("page.html", document));
        wrappers += 1;
        fields += count_fields(&wrapper.rules);
        let outcome = match specify(&wrapper, page) {
            Ok(Specification { wrapper, left_out, .. }) => {
                made += 1;
                complete += usize::from(left_out.is_empty());
                kept += count_fields(&wrapper.rules);
                format!("{left_out:?}")
            }
            Err(error) => format!("ERROR {error}"),
        };
        let _ = writeln!(report, "{}: {outcome}", shared::short_name(&path));
    }
    let _ = writeln!(report, "{wrappers} wrappers, {made} specified, {complete} completely; {kept} of {fields} fields");
    assert!(wrappers >= 10 && made * 2 >= wrappers, "{report}");
}

/// Counts the fields of rules, those of lists in lists included.
fn count_fields(rules: &[windrow_wrapper::Rule]) -> usize {
    rules.iter().map(|rule| usize::from(rule.rules.is_empty()) + count_fields(&rule.rules)).sum()
}
