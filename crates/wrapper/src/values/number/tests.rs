//! The type's own behaviour; the ways to write numbers are a table in `values/tests`.

use super::{Number, find, parse};
use crate::values::Hints;

#[test]
fn numbers_are_exact_and_ordered() {
    let sorted = ["-1234.5", "-12", "-0.5", "0", "0.25", "0.3", "2", "12", "12.01", "1234"];
    let numbers: Vec<Number> = sorted.iter().filter_map(|text| parse(text, &Hints::default())).collect();
    assert_eq!(numbers.iter().map(Number::as_str).collect::<Vec<_>>(), sorted);
    assert!(numbers.is_sorted());
    assert_eq!(numbers[0].as_f64(), -1234.5);
    assert_eq!(numbers[0].as_i64(), None);
    assert_eq!(numbers[1].as_i64(), Some(-12));
    assert_eq!(Number::from(-12), numbers[1]);
}

#[test]
fn found_numbers_have_their_bytes() {
    for (text, expected) in [
        ("about −1 234,5 kg", "−1\u{20}234,5"),
        ("rated 4.5 of 5", "4.5"),
        ("(12 comments)", "12"),
        ("1.5 Mio. Euro", "1.5 Mio"),
        ("B2 and v1.2.3, then 7", "7"),
    ] {
        let (_, range) = find(text, &Hints::default().with_language("de")).expect(text);
        assert_eq!(&text[range], expected);
    }
}
