//! Small pages, the wrapper that is written for each, and what it finds.

use expect_test::{Expect, expect};
use windrow_dom::Document;
use windrow_wrapper::{Extractor, Objects, Page, files};

use super::discover;

/// The main list's wrapper as TOML, and its records, one a line.
fn check(html: &str, expected: Expect) {
    fn line(objects: Objects<'_>, out: &mut String) {
        for object in objects {
            match object.is_set() {
                true => {
                    out.push_str(&format!(" {}{{", object.label()));
                    line(object.objects(), out);
                    out.push_str(" }");
                }
                false => out.push_str(&format!(" {}={:?}", object.label(), object.text())),
            }
        }
    }
    let document = Document::parse(html);
    let mut out = String::new();
    for wrapper in discover(&document, 1) {
        out.push_str(&files::write(&wrapper, files::Format::Toml).unwrap());
        let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html));
        for record in extraction.objects() {
            line(record.objects(), &mut out);
            out.push('\n');
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn the_list_is_found_and_the_menu_is_not() {
    check(
        "<nav><ul><li><a href=/>Home</a><li><a href=/s>Search</a><li><a href=/h>Help</a></ul></nav>\
         <div class=r><h3>Oslo in the snow</h3><p class=pop>709037</p></div>\
         <div class=ad>Umbrellas!</div>\
         <div class=r><h3>Rome in the rain</h3><p class=pop>2873494</p></div>\
         <div class=r><h3>Wien at night</h3></div>\
         <div class=r><h3>Bern by boat</h3><p class=pop>134591</p></div>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "div.r"

            [list.records.field]
            title = { css = "h3" }
            pop = { css = "p.pop", type = "number", optional = true }
             title="Oslo in the snow" pop="709037"
             title="Rome in the rain" pop="2873494"
             title="Wien at night"
             title="Bern by boat" pop="134591"
        "#]],
    );
}

#[test]
fn sublists_of_any_length_are_lists() {
    check(
        "<ul class=ads><li><h2>Babysitter wanted</h2><ul class=seen><li>here 1<li>there 2<li>elsewhere 3</ul>\
         <li><h2>Nanny and driver</h2><ul class=seen><li>only here 4</ul>\
         <li><h2>Cook for a castle</h2><ul class=seen><li>nowhere 5<li>anywhere 6</ul></ul>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "/html[1]/body[1]/ul[1]/li"

            [list.records.field]
            title = { css = "h2" }

            [list.records.list.seen]
            records = { css = "ul.seen > li" }
            optional = true
             title="Babysitter wanted" seen="here 1" seen="there 2" seen="elsewhere 3"
             title="Nanny and driver" seen="only here 4"
             title="Cook for a castle" seen="nowhere 5" seen="anywhere 6"
        "#]],
    );
}

#[test]
fn rows_of_a_table_without_its_header() {
    check(
        "<table><tr><th>City<th>People<tr><td>Oslo<td>709037<tr class=odd><td>Rome<td>2873494<tr><td>Bern<td>134591</table>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = "/html[1]/body[1]/table[1]/tbody[1]/tr[td[1]]"

            [list.records.field]
            city = { css = "td:nth-child(1)" }
            people = { css = "td:nth-child(2)", type = "number" }
             city="Oslo" people="709037"
             city="Rome" people="2873494"
             city="Bern" people="134591"
        "#]],
    );
}

#[test]
fn a_page_without_a_list_has_none() {
    check("<h1>About us</h1><p>We rake hay.</p>", expect![[r#""#]]);
    check("", expect![[r#""#]]);
}

#[test]
fn records_over_siblings() {
    check(
        "<dl><dt>Oslo<dd class=a>the capital of Norway<dd class=b>709037<dt>Rome<dd class=a>the eternal city<dd class=b>2873494\
         <dt>Bern<dd class=a>seat of the Swiss council<dd class=b>134591</dl>",
        expect![[r#"
            learned = { by = "discover" }

            [list.records]
            records = { find = "/html[1]/body[1]/dl[1]/dt", until = "next" }

            [list.records.field]
            text = { css = "dt" }
            text_2 = { css = "dd.a" }
            text_3 = { css = "dd.b", type = "number" }
             text="Oslo" text_2="the capital of Norway" text_3="709037"
             text="Rome" text_2="the eternal city" text_3="2873494"
             text="Bern" text_2="seat of the Swiss council" text_3="134591"
        "#]],
    );
}

#[test]
fn records_of_thousands_of_kinds_end_soon() {
    let record =
        |number: usize| (0..20_000).map(|kind| format!("<x{kind}>w {number} {kind}</x{kind}>")).collect::<String>();
    let page = format!("<ul><li>{}<li>{}</ul>", record(1), record(2));
    let wrappers = discover(&Document::parse(page), 1);
    assert!(wrappers.iter().all(|wrapper| wrapper.rules[0].rules.len() <= 200));
}
