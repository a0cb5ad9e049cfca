//! Pages that are long, wide or made to hurt: the work stays in proportion to the page.

use std::fmt::Write;
use std::time::{Duration, Instant};

use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extraction, Extractor, Page};

/// Runs rules on a page. What grows with the square of the page takes far longer than the time allowed here.
fn run(rules: &str, page: &str) -> Extraction {
    let extractor = Extractor::new(&files::read(rules, Format::Toml).unwrap()).unwrap();
    let begun = Instant::now();
    let extraction = extractor.extract(Page::from_text("page", page));
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    extraction
}

fn problems(extraction: &Extraction) -> Vec<String> {
    extraction.problems().iter().map(|problem| problem.message(extraction)).collect()
}

#[test]
fn twenty_thousand_records_over_siblings() {
    let mut page = "<table>".to_owned();
    for number in 0..20_000 {
        write!(page, "<tr class=h><td><h2>{number}</h2><tr><td><p class=pay>{number} EUR</p></tr>").unwrap();
    }
    let rules = r#"
        [list.ads]
        records = { css = "tr.h", until = "next" }
        field = { title = "h2", pay = { css = "p.pay", type = "money" } }
    "#;
    let extraction = run(rules, &page);
    assert_eq!(problems(&extraction), [""; 0]);
    let last = extraction.objects().last().unwrap();
    let fields: Vec<_> = last.objects().map(|field| field.text().into_owned()).collect();
    assert_eq!(fields, ["19999", "19999 EUR"]);
}

#[test]
fn twenty_thousand_ranges_of_the_source() {
    let mut page = "<ul>".to_owned();
    for number in 0..20_000 {
        write!(page, "<li><b id=b{number}>{number}</b> <i>{number} EUR</i></li>").unwrap();
    }
    let rules = r#"
        [list.ads]
        records = { landmark = { each = "<li>" } }
        field = { title = { xpath = ".//b" }, id = { xpath = "li/b/@id" }, pay = { css = "i" } }
    "#;
    let extraction = run(rules, &page);
    assert_eq!(problems(&extraction), [""; 0]);
    let last = extraction.objects().last().unwrap();
    let fields: Vec<_> = last.objects().map(|field| field.text().into_owned()).collect();
    assert_eq!(fields, ["19999", "b19999", "19999 EUR"]);
}

#[test]
fn parts_left_out_of_twenty_thousand_records() {
    let mut page = "<div>".to_owned();
    for number in 0..20_000 {
        write!(page, "<h3>{number}</h3>text <b>{number}</b><i class=ad>ad</i> more<p>last<u class=ad>x</u></p>")
            .unwrap();
    }
    let rules = r#"
        [list.nodes]
        records = { css = "p", without = ".ad" }
        [list.absolute]
        records = { css = "p", without = "//*[@class='ad']" }
        [list.runs]
        records = { css = "h3", until = "next", without = ".ad" }
        field = { title = "h3", last = "p" }
        [list.ranges]
        records = { landmark = { each = "<h3>" }, without = ".ad" }
        field = { bold = "b" }
        [list.bodies]
        records = { landmark = { start = "</h3>", end = "<p>" }, without = ".ad" }
    "#;
    let extraction = run(rules, &page);
    assert_eq!(problems(&extraction), [""; 0]);
    let texts = |label: &str| {
        let objects = extraction.objects().filter(|object| object.label() == label);
        objects.map(|object| object.text().into_owned()).collect::<Vec<_>>()
    };
    for label in ["nodes", "absolute"] {
        assert!(texts(label) == vec!["last"; 20_000], "{label}");
    }
    assert_eq!(texts("runs").last().map(String::as_str), Some("19999 text 19999 more last"));
    assert_eq!(texts("ranges").last().map(String::as_str), Some("19999 text 19999 more last"));
    assert_eq!(texts("bodies").last().map(String::as_str), Some("text 19999 more"));
}

#[test]
fn tables_looked_for_in_many_ranges() {
    let page = "<p>x".repeat(100_000) + "<table><tr><td>1</table>";
    let rules = r#"
        [list.parts]
        records = { split = "<p>" }
        [list.parts.list.rows]
        records = { table = true }
        optional = true
    "#;
    let extraction = run(rules, &page);
    assert_eq!(extraction.objects().filter(|part| part.objects().count() > 0).count(), 1);
}

#[test]
fn texts_inside_texts_do_not_fill_the_memory() {
    let page = "<div>".repeat(400) + &"word ".repeat(200_000);
    let rules = r#"
        [list.parts]
        records = "//div"
        field = { text = { find = ".", match = ".*" } }
    "#;
    let told = problems(&run(rules, &page));
    assert_eq!(told[0], "more than 67108864 bytes of computed texts: the rest was left out");
}

const TABLE: &str = r#"list.rows.records = { table = true }"#;

#[test]
fn cells_over_thousands_of_rows() {
    let mut page = "<table><tr>".to_owned();
    (0..1000).for_each(|number| write!(page, "<th>{number:05}").unwrap());
    page += "<tr>";
    page += &"<td rowspan=65534>x".repeat(1000);
    page += &"<tr>".repeat(3000);
    let extraction = run(TABLE, &page);
    assert_eq!(extraction.len(), 1001 * 3001);
    page += &"<tr>".repeat(3000);
    assert_eq!(problems(&run(TABLE, &page)), ["more than 4000000 places in tables: the rest was left out"]);
}

#[test]
fn a_long_header_over_many_columns() {
    let header = format!("<tr><th colspan=1000>{}", "word ".repeat(400_000));
    let page = format!("<table>{header}{header}<tr><td>1</table>");
    let extraction = run(TABLE, &page);
    let label = extraction.objects().next().unwrap().objects().next().unwrap().label();
    assert_eq!(label.len(), 100);
}

#[test]
fn no_two_columns_have_one_label() {
    let page = "<table><tr><th>A<th>A<th>A_2<th><th>A<th>column_4<tr><td>1<td>2<td>3<td>4<td>5<td>6<td>7</table>";
    let extraction = run(TABLE, page);
    let labels: Vec<_> = extraction.objects().next().unwrap().objects().map(|cell| cell.label()).collect();
    assert_eq!(labels, ["A", "A_2_", "A_2", "column_4_", "A_5", "column_4", "column_7"]);
}
