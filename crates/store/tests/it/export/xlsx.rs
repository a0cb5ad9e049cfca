//! XLSX, read back by `calamine`.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use windrow_store::Kind;
use windrow_store::export::{Format, Options};

use super::sample::{NASTY, ads, export, layout, nasty, number, record, text};

fn open(bytes: Vec<u8>) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

fn rows(book: &mut Xlsx<Cursor<Vec<u8>>>, sheet: &str) -> Vec<Vec<String>> {
    let range = book.worksheet_range(sheet).unwrap();
    let cell = |cell: &Data| match cell {
        Data::Empty => String::new(),
        Data::String(text) => format!("'{text}"),
        Data::Float(number) => number.to_string(),
        Data::DateTime(date) => format!("day {}", date.as_f64()),
        other => panic!("{other:?}"),
    };
    range.rows().map(|row| row.iter().map(cell).collect()).collect()
}

#[test]
fn lists_inside_have_sheets_of_their_own() {
    let (layout, records) = ads();
    let (bytes, summary) = export(Format::Xlsx, &layout, &Options::new(), &records);
    assert_eq!((summary.rows, summary.notes.len()), (2, 0));
    let mut book = open(bytes);
    assert_eq!(book.sheet_names(), ["ads", "ads.tags", "ads.photos", "ads.photos.sizes"]);
    let ads = rows(&mut book, "ads");
    let header =
        ["_id", "title", "link", "posted", "rooms", "price", "price.currency", "body", "place.city", "place.zip"];
    assert_eq!(ads[0], header.map(|name| format!("'{name}")));
    // 46,341 days after Excel's beginning is the 15th of November 2026.
    let first = [
        "1",
        "'Flat, \"sunny\"",
        "'https://farm.example/1",
        "day 46341",
        "3.5",
        "340",
        "'EUR",
        "'<p>Big & bright</p>",
        "'Vienna",
        "'1010",
    ];
    assert_eq!(ads[1], first);
    assert_eq!(ads[2], ["2", "'=House", "", "'2026-11", "", "1200", "", "", "'Graz", ""]);
    assert_eq!(rows(&mut book, "ads.tags"), [["'_id", "'_parent", "'value"], ["1", "1", "'flat"], ["2", "1", "'sun"]]);
    let photos = rows(&mut book, "ads.photos");
    assert_eq!(photos[2], ["2", "1", "'https://farm.example/2.jpg"]);
    assert_eq!(
        rows(&mut book, "ads.photos.sizes"),
        [["'_id", "'_parent", "'width"], ["1", "1", "640"], ["2", "1", "80"]]
    );
    assert!(book.worksheet_formula("ads").unwrap().is_empty());
}

#[test]
fn texts_stay_texts() {
    let (layout, records) = nasty();
    let (bytes, summary) = export(Format::Xlsx, &layout, &Options::new().with_provenance(true), &records);
    assert!(summary.notes.is_empty());
    let mut book = open(bytes);
    assert!(book.worksheet_formula("nasty").unwrap().is_empty());
    let rows = rows(&mut book, "nasty");
    assert_eq!(rows[0], ["'page", "'first_seen", "'last_seen", "'gone", "'title"]);
    let cells: Vec<&str> = rows[1..].iter().map(|row| row[4].as_str()).collect();
    assert_eq!(cells, NASTY.map(|text| format!("'{text}")));
}

#[test]
fn what_excel_cannot_hold_is_told() {
    let columns = [("n", Kind::Number), ("d", Kind::Date), ("t", Kind::Text)];
    let layout = layout("a/b", &columns, Vec::new());
    let long = "😀".repeat(20_000);
    let records = [
        record(1, vec![number("1234567890123456"), text("1899-12-31"), text(&long)], Vec::new()),
        record(2, vec![number("123456789012345"), text("2026-11-15T10:00"), text("x")], Vec::new()),
    ];
    let (bytes, summary) = export(Format::Xlsx, &layout, &Options::new(), &records);
    let notes = [
        "texts cut because they are longer than 32767 characters: 1",
        "numbers written as text because they have more than 15 digits: 1",
    ];
    assert_eq!(summary.notes, notes);
    let rows = rows(&mut open(bytes), "a_b");
    assert_eq!(rows[1][..2], ["'1234567890123456", "'1899-12-31"]);
    assert_eq!(rows[1][2].chars().count(), 1 + 32_767 / 2);
    assert_eq!(rows[2], ["123456789012345", "'2026-11-15T10:00", "'x"]);
}
