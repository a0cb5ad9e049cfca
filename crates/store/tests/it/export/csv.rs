//! CSV, read back by Python's rules of quoting, as the `csv` crate has them.

use windrow_store::export::{Format, Options};
use windrow_store::{Kind, Value};

use super::sample::{NASTY, ads, export, export_text, layout, money, nasty, record, text};

#[test]
fn a_record_is_a_row_and_its_lists_are_cells() {
    let (layout, records) = ads();
    let (text, summary) = export_text(Format::Csv, &layout, &Options::new(), &records);
    let expected = concat!(
        "title,link,posted,rooms,price,price.currency,body,place.city,place.zip,tags,photos\n",
        "\"Flat, \"\"sunny\"\"\",https://farm.example/1,2026-11-15,3.50,340.00,EUR,<p>Big & bright</p>,Vienna,1010,flat; sun,",
        "https://farm.example/1.jpg | 640;; 80; https://farm.example/2.jpg | \n",
        "=House,,2026-11,,1200,,,Graz,,,\n",
    );
    assert_eq!(text, expected);
    assert_eq!(summary.rows, 2);
    let note = "list `photos` is joined into one cell per record (src | sizes); export to .xlsx to get a separate sheet for it";
    assert_eq!(summary.notes, [note]);
}

#[test]
fn signs_inside_values_are_marked() {
    let tags = layout("tags", &[("value", Kind::Text)], Vec::new());
    let layout = layout("list", &[("a", Kind::Text)], vec![tags]);
    let one = |value: &str| record(0, vec![text(value)], Vec::new());
    let records = [record(1, vec![text("x; y | z")], vec![vec![one("red; pale"), one("a|b")]])];
    let (text, summary) = export_text(Format::Csv, &layout, &Options::new(), &records);
    assert_eq!(text, "a,tags\nx; y | z,red\\; pale; a\\|b\n");
    assert!(summary.notes.is_empty(), "a list of values needs no note");
}

#[test]
fn names_of_columns_differ() {
    let columns = [("page", Kind::Money), ("page.currency", Kind::Text), ("page", Kind::Text)];
    let layout = layout("list", &columns, Vec::new());
    let records = [record(1, vec![money("1", "EUR"), Value::Null, text("x")], Vec::new())];
    let (text, _) = export_text(Format::Csv, &layout, &Options::new().with_provenance(true), &records);
    let expected = "page,first_seen,last_seen,gone,page_2,page.currency,page.currency_2,page_3\n\
                    https://farm.example/ads?p=1,2026-11-01T08:00:00Z,2026-11-16T08:00:00.250Z,,1,EUR,,x\n";
    assert_eq!(text, expected);
}

#[test]
fn nasty_texts_come_back() {
    let (layout, records) = nasty();
    let (bytes, _) = export(Format::Csv, &layout, &Options::new(), &records);
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let cells: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(cells, NASTY);
}
