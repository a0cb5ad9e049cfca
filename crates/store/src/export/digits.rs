//! Numbers as texts: the store keeps the digits of the page, and each format allows different notations.

use std::borrow::Cow;

/// Returns the number in JSON notation: the same digits, without a plus sign or leading zeros, and with a digit on each
/// side of the decimal point. Returns `None` if the text is not a number.
pub(crate) fn plain(digits: &str) -> Option<Cow<'_, str>> {
    let (negative, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let signless = |text: &str| text.strip_prefix(['-', '+']).unwrap_or(text).to_owned();
    if !all_digits(whole)
        || !fraction.is_none_or(all_digits)
        || (whole.is_empty() && fraction.is_none_or(str::is_empty))
    {
        return None;
    }
    if exponent.is_some_and(|exponent| signless(exponent).is_empty() || !all_digits(&signless(exponent))) {
        return None;
    }
    let trimmed = match whole.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    };
    if digits.as_bytes()[0] != b'+' && trimmed.len() == whole.len() && fraction != Some("") {
        return Some(Cow::Borrowed(digits));
    }
    let mut plain = String::with_capacity(digits.len() + 1);
    plain.push_str(if negative { "-" } else { "" });
    plain.push_str(trimmed);
    if let Some(fraction) = fraction.filter(|fraction| !fraction.is_empty()) {
        plain.push('.');
        plain.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        plain.push('e');
        plain.push_str(exponent);
    }
    Some(Cow::Owned(plain))
}

/// Returns the number as a double, or `None` if it is not a number or too large.
pub(super) fn double(digits: &str) -> Option<f64> {
    plain(digits)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the number of significant digits.
pub(super) fn significant(digits: &str) -> usize {
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    let figures = mantissa.trim_start_matches(['-', '+', '0', '.']);
    let figures = if mantissa.contains('.') { figures.trim_end_matches('0') } else { figures };
    figures.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_keep_their_digits() {
        for digits in ["0", "-0", "340", "340.00", "-1.50", "0.5", "1e5", "1.5E-3", "12345678901234567890.12"] {
            assert!(matches!(plain(digits), Some(Cow::Borrowed(same)) if same == digits), "{digits}");
        }
        let changed = [
            ("+5", "5"),
            ("007", "7"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-.5", "-0.5"),
            ("00", "0"),
            ("+00.10e+2", "0.10e+2"),
        ];
        for (digits, expected) in changed {
            assert_eq!(plain(digits).as_deref(), Some(expected), "{digits}");
        }
        for text in
            ["", "-", "+", ".", "-.", "1.2.3", "--1", "1e", "1e+", "e5", "0x10", "NaN", "inf", "1 000", "٣", "1,5"]
        {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn doubles_are_finite() {
        assert_eq!(double("340.00"), Some(340.0));
        assert_eq!(double("1e999"), None);
        assert_eq!(double("inf"), None);
    }

    #[test]
    fn significant_digits() {
        let cases =
            [("0", 0), ("340.00", 3), ("0.0012", 2), ("-1234567890123456", 16), ("1e99", 1), ("100", 3), ("1.05", 3)];
        for (digits, expected) in cases {
            assert_eq!(significant(digits), expected, "{digits}");
        }
    }
}
