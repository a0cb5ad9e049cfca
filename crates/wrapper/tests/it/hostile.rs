//! Pages that are long, wide or malicious: they are read to the end, and limits stop unbounded growth.
//!
//! The program `growth` of `crates/bench` times the same pages at two sizes.

use std::fmt::Write;

use windrow_testkit::hostile::{EXTRACTIONS, Shape};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extraction, Extractor, Page};

fn run(rules: &str, page: &str) -> Extraction {
    let extractor = Extractor::new(&files::read(rules, Format::Toml).unwrap()).unwrap();
    extractor.extract(Page::from_text("page", page))
}

/// Runs the rules of a shape on its larger page.
fn run_shape(name: &str) -> Extraction {
    let (rules, shape) = EXTRACTIONS.iter().find(|(_, shape)| shape.name == name).unwrap();
    assert!(Shape::FACTOR * shape.units >= 20_000);
    run(rules, &shape.large())
}

fn problems(extraction: &Extraction) -> Vec<String> {
    extraction.problems().iter().map(|problem| problem.message(extraction)).collect()
}

fn last_fields(extraction: &Extraction) -> Vec<String> {
    extraction.objects().last().unwrap().objects().map(|field| field.text().into_owned()).collect()
}

#[test]
fn twenty_thousand_records_over_siblings() {
    let extraction = run_shape("records over siblings");
    assert_eq!(problems(&extraction), [""; 0]);
    assert_eq!(extraction.objects().count(), 20_000);
    assert_eq!(last_fields(&extraction), ["19999", "19999 EUR"]);
}

#[test]
fn twenty_thousand_ranges_of_the_source() {
    let extraction = run_shape("ranges of the source");
    assert_eq!(problems(&extraction), [""; 0]);
    assert_eq!(extraction.objects().count(), 20_000);
    assert_eq!(last_fields(&extraction), ["19999", "b19999", "19999 EUR"]);
}

#[test]
fn parts_left_out_of_twenty_thousand_records() {
    let extraction = run_shape("parts left out");
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
    let extraction = run_shape("a table looked for in many ranges");
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
