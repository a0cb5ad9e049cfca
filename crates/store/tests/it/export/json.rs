//! JSON Lines, read back by `serde_json`.

use windrow_store::export::{Format, Options};

use super::sample::{NASTY, ads, export_text, layout, nasty, number, record};
use windrow_store::Kind;

#[test]
fn records_are_lines_with_their_digits() {
    let (layout, records) = ads();
    let (text, summary) = export_text(Format::Jsonl, &layout, &Options::new(), &records);
    let expected = concat!(
        r#"{"title":"Flat, \"sunny\"","link":"https://farm.example/1","posted":"2026-11-15","rooms":3.50,"#,
        r#""price":{"amount":340.00,"currency":"EUR"},"body":"<p>Big & bright</p>","#,
        r#""place":{"city":"Vienna","zip":"1010"},"tags":["flat","sun"],"#,
        r#""photos":[{"src":"https://farm.example/1.jpg","sizes":[{"width":640},{"width":80}]},"#,
        r#"{"src":"https://farm.example/2.jpg","sizes":[]}]}"#,
        "\n",
        r#"{"title":"=House","link":null,"posted":"2026-11","rooms":null,"#,
        r#""price":{"amount":1200,"currency":null},"body":null,"place":{"city":"Graz","zip":null},"tags":[],"photos":[]}"#,
        "\n",
    );
    assert_eq!(text, expected);
    assert_eq!(summary.rows, 2);
    let nested = [("tags", 2), ("photos", 2), ("photos.sizes", 2)];
    assert_eq!(summary.nested, nested.map(|(name, rows)| (name.to_owned(), rows)));
    assert!(summary.notes.is_empty());
}

#[test]
fn provenance_comes_first() {
    let (layout, mut records) = ads();
    records.iter_mut().for_each(|record| record.values.truncate(0));
    let (text, _) = export_text(Format::Jsonl, &layout, &Options::new().with_provenance(true), &records);
    let gone = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["_gone"].clone();
    assert!(text.starts_with(
        r#"{"_page":"https://farm.example/ads?p=1","_first":"2026-11-01T08:00:00Z","_seen":"2026-11-16T08:00:00.250Z","_gone":null,"title":null,"#
    ));
    assert_eq!(text.lines().map(gone).collect::<Vec<_>>(), [serde_json::json!(null), "2026-11-17T00:00:00Z".into()]);
}

#[test]
fn nasty_texts_come_back() {
    let (layout, records) = nasty();
    let (text, _) = export_text(Format::Jsonl, &layout, &Options::new(), &records);
    let title =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["title"].as_str().unwrap().to_owned();
    assert_eq!(text.lines().map(title).collect::<Vec<_>>(), NASTY);
}

#[test]
fn what_is_no_number_is_a_text() {
    let layout = layout("n", &[("n", Kind::Number)], Vec::new());
    let digits = ["12345678901234567890.125", "+7", "1,5", "NaN"];
    let records: Vec<_> = digits.iter().map(|digits| record(1, vec![number(digits)], Vec::new())).collect();
    let (text, _) = export_text(Format::Jsonl, &layout, &Options::new(), &records);
    assert_eq!(text, "{\"n\":12345678901234567890.125}\n{\"n\":7}\n{\"n\":\"1,5\"}\n{\"n\":\"NaN\"}\n");
}
