//! Byte ranges and free text; the ways to write amounts are a table in `values/tests`.

use super::find;
use crate::values::Hints;

#[test]
fn found_amounts_have_their_bytes() {
    for (text, value, expected) in [
        ("2 rooms for $1,200 a month", "1200 USD", "$1,200"),
        ("2 x 5,00 € each", "5 EUR", "5,00 €"),
        ("from US $ 30 on", "30 USD", "US $ 30"),
        ("pay 1.200,- now", "1200", "1.200,-"),
        ("pay CHF 1'200.– now", "1200 CHF", "CHF 1'200.–"),
        ("a −$5.50 fee", "-5.5 USD", "−$5.50"),
        ("in 2013 it was 12 CAD, or 9 euros", "12 CAD", "12 CAD"),
    ] {
        let (money, range) = find(text, &Hints::default()).expect(text);
        assert_eq!((money.to_string().as_str(), &text[range]), (value, expected));
    }
}

#[test]
fn free_text_needs_a_currency() {
    for text in ["12 rooms", "free", "in 2013", "call 555-1234", "version 1.2.3", "6 ft tall", "A4 paper, 5 p."] {
        assert_eq!(find(text, &Hints::default()), None, "{text}");
    }
}
