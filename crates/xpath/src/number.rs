//! Parses, formats and rounds numbers as XPath does: IEEE doubles, no exponents, `NaN` for anything that is not a
//! number.

use std::borrow::Cow;

/// Returns `true` if XPath regards the byte as white space.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Removes white space at the ends of a string.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

/// Implements `number(string)`: optional white space, an optional minus, digits with at most one point.
pub(crate) fn parse(text: &str) -> f64 {
    let text = trim(text);
    let digits = text.strip_prefix('-').unwrap_or(text);
    // Rust's own grammar also accepts `+`, exponents, `inf` and `nan`.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return f64::NAN;
    }
    text.parse().unwrap_or(f64::NAN)
}

/// Implements `string(number)`: the shortest digits that parse to the same number, never an exponent.
pub(crate) fn format(number: f64) -> Cow<'static, str> {
    if number.is_nan() {
        "NaN".into()
    } else if number == 0.0 {
        "0".into()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else {
        number.to_string().into()
    }
}

/// Implements `round()`: rounds to the nearest integer, halves towards positive infinity, and keeps minus zero.
pub(crate) fn round(number: f64) -> f64 {
    // Beyond 2^52 every double is an integer, and adding one half would not be exact.
    if !number.is_finite() || number.abs() >= 4_503_599_627_370_496.0 {
        number
    } else if number.is_sign_negative() && number >= -0.5 {
        -0.0
    } else {
        let floor = number.floor();
        if number - floor >= 0.5 { floor + 1.0 } else { floor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_to_numbers() {
        for (text, number) in
            [("5", 5.0), (" -5.5\n", -5.5), ("5.", 5.0), (".5", 0.5), ("-.5", -0.5), ("-0", 0.0), ("007", 7.0)]
        {
            assert_eq!(parse(text), number, "{text:?}");
        }
        for text in ["", " ", "-", ".", "-.", "+5", "1e3", "inf", "NaN", "1 2", "- 5", "5-", "1.2.3", "\u{a0}5", "٣"] {
            assert!(parse(text).is_nan(), "{text:?}");
        }
    }

    #[test]
    fn numbers_to_strings() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-1.5, "-1.5"),
            (1e21, "1000000000000000000000"),
            (1e-7, "0.0000001"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(format(number), text);
        }
    }

    #[test]
    fn halves_round_up() {
        for (number, rounded) in
            [(2.5, 3.0), (-2.5, -2.0), (0.49999999999999994, 0.0), (-0.5, 0.0), (-0.6, -1.0), (1e300, 1e300)]
        {
            assert_eq!(round(number), rounded, "{number}");
        }
        assert!(round(-0.2).is_sign_negative());
        assert!(round(f64::NAN).is_nan());
    }
}
