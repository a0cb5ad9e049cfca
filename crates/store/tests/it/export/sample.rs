//! A list with all kinds of values, lists inside, and texts that formats stumble over.

use windrow_store::export::{Exporter, Format, Options, Summary};
use windrow_store::{Column, Kind, Layout, Record, Value};

/// Texts that quoting, escaping or guessing gets wrong.
pub(crate) const NASTY: [&str; 14] = [
    "plain",
    "say \"hi\", then; go",
    "two\nlines\r\nand a tab\t",
    "=SUM(A1:A9)",
    "+1-2",
    "@cmd|' /C calc'!A0",
    "<b>&amp;</b> ]]>",
    "nul \0 bell \x07 esc \x1b vt \x0b",
    "\u{feff}mark",
    "not characters \u{fffe}\u{ffff}",
    "zürich 東京 😀 \u{202e}",
    "_x0041_ looks escaped",
    "  spaces  ",
    "007",
];

pub(crate) fn column(label: &str, kind: Kind) -> Column {
    Column { label: label.to_owned(), kind, rule: String::new() }
}

pub(crate) fn layout(label: &str, columns: &[(&str, Kind)], lists: Vec<Layout>) -> Layout {
    let columns = columns.iter().map(|(label, kind)| column(label, *kind)).collect();
    Layout { label: label.to_owned(), key: Vec::new(), columns, lists }
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

pub(crate) fn number(digits: &str) -> Value {
    Value::Number(digits.to_owned())
}

pub(crate) fn money(amount: &str, currency: &str) -> Value {
    let currency = (!currency.is_empty()).then(|| currency.to_owned());
    Value::Money { amount: amount.to_owned(), currency }
}

pub(crate) fn record(id: i64, values: Vec<Value>, lists: Vec<Vec<Record>>) -> Record {
    Record {
        id,
        page: "https://farm.example/ads?p=1".to_owned(),
        first: "2026-11-01T08:00:00Z".to_owned(),
        seen: "2026-11-16T08:00:00.250Z".to_owned(),
        gone: None,
        changed: None,
        values,
        lists,
    }
}

/// Ads with tags (values) and photos (records), which have sizes of their own.
pub(crate) fn ads() -> (Layout, Vec<Record>) {
    let columns = [
        ("title", Kind::Text),
        ("link", Kind::Url),
        ("posted", Kind::Date),
        ("rooms", Kind::Number),
        ("price", Kind::Money),
        ("body", Kind::Html),
        ("place.city", Kind::Text),
        ("place.zip", Kind::Text),
    ];
    let sizes = layout("sizes", &[("width", Kind::Number)], Vec::new());
    let photos = layout("photos", &[("src", Kind::Url)], vec![sizes]);
    let tags = layout("tags", &[("value", Kind::Text)], Vec::new());
    let layout = layout("ads", &columns, vec![tags, photos]);
    let inner = |value: Value| record(0, vec![value], Vec::new());
    let photo = |src: &str, widths: &[&str]| {
        let widths = widths.iter().map(|width| inner(number(width))).collect();
        record(0, vec![text(src)], vec![widths])
    };
    let first = record(
        1,
        vec![
            text("Flat, \"sunny\""),
            text("https://farm.example/1"),
            text("2026-11-15"),
            number("3.50"),
            money("340.00", "EUR"),
            text("<p>Big & bright</p>"),
            text("Vienna"),
            text("1010"),
        ],
        vec![
            vec![inner(text("flat")), inner(text("sun"))],
            vec![photo("https://farm.example/1.jpg", &["640", "80"]), photo("https://farm.example/2.jpg", &[])],
        ],
    );
    let mut second = record(
        2,
        vec![
            text("=House"),
            Value::Null,
            text("2026-11"),
            Value::Null,
            money("1200", ""),
            Value::Null,
            text("Graz"),
            Value::Null,
        ],
        vec![Vec::new(), Vec::new()],
    );
    second.gone = Some("2026-11-17T00:00:00Z".to_owned());
    (layout, vec![first, second])
}

/// A list of one column with all the nasty texts.
pub(crate) fn nasty() -> (Layout, Vec<Record>) {
    let records = NASTY.iter().enumerate().map(|(at, value)| record(at as i64 + 1, vec![text(value)], Vec::new()));
    (layout("nasty", &[("title", Kind::Text)], Vec::new()), records.collect())
}

pub(crate) fn export(format: Format, layout: &Layout, options: &Options, records: &[Record]) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    let mut exporter = Exporter::new(format, layout, options, &mut out).unwrap();
    for record in records {
        exporter.push(record).unwrap();
    }
    let summary = exporter.finish().unwrap();
    (out, summary)
}

pub(crate) fn export_text(format: Format, layout: &Layout, options: &Options, records: &[Record]) -> (String, Summary) {
    let (bytes, summary) = export(format, layout, options, records);
    (String::from_utf8(bytes).unwrap(), summary)
}
