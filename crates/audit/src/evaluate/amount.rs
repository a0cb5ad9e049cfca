//! Numbers and days for comparisons of amounts.
//!
//! Records provide numbers and days that were already parsed. Texts in reference tables, and unparsed texts of records,
//! are parsed here: the first number in a text, or a day at its beginning in the order year, month, day.

/// A comparable value: a number, a day, or both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Amount {
    pub(super) number: Option<f64>,
    /// Days since 1 January 1970.
    pub(super) day: Option<f64>,
}

impl Amount {
    /// Parses a text.
    pub(super) fn read(text: &str) -> Amount {
        let day = days(text).map(|day| day as f64);
        // In 2026-11-17, 2026 is not a number.
        let number = if day.is_some() { None } else { number(text) };
        Amount { number, day }
    }

    /// Compares two values: as days if both are days, as numbers if both are numbers, else returns `None`.
    pub(super) fn compare(self, other: Amount) -> Option<std::cmp::Ordering> {
        match (self.day, other.day, self.number, other.number) {
            (Some(one), Some(other), _, _) | (_, _, Some(one), Some(other)) => one.partial_cmp(&other),
            _ => None,
        }
    }

    /// Multiplies and adds; a day permits only addition.
    pub(super) fn scaled(self, factor: Option<f64>, plus: Option<f64>) -> Amount {
        let plus = plus.unwrap_or(0.0);
        Amount {
            number: self.number.map(|number| number * factor.unwrap_or(1.0) + plus),
            day: if factor.is_none() { self.day.map(|day| day + plus) } else { None },
        }
    }
}

/// Returns the day at the beginning of a text, as days since 1 January 1970.
pub(crate) fn days(text: &str) -> Option<i64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let mut parts = [0i64; 3];
    let mut at = 0;
    for (number, width) in [4, 2, 2].into_iter().enumerate() {
        if number > 0 {
            if !matches!(bytes.get(at), Some(b'-' | b'/' | b'.')) {
                return None;
            }
            at += 1;
        }
        let digits = bytes.get(at..)?.iter().take(width).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || number == 0 && digits < width {
            return None;
        }
        parts[number] = text[at..at + digits].parse().ok()?;
        at += digits;
    }
    if bytes.get(at).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let [year, month, day] = parts;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if day < 1 || day > length {
        return None;
    }
    let before = |year: i64| 365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    let months: i64 = lengths.iter().take(month as usize - 1).sum();
    Some(before(year) - before(1970) + months + day - 1)
}

/// Returns the first number in a text. A last separator with three digits after it separates thousands, any other is
/// the decimal point; `1.234,50` and `1,234.50` are the same.
fn number(text: &str) -> Option<f64> {
    let start = text.find(|character: char| character.is_ascii_digit())?;
    let negative = text[..start].trim_end().ends_with(['-', '−']);
    let rest = &text[start..];
    let length = rest
        .find(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | ',')))
        .unwrap_or(rest.len());
    let digits = rest[..length].trim_end_matches(['.', ',']);
    let last = digits.rfind(['.', ',']);
    let grouped = |at: usize| {
        let sign = digits.as_bytes()[at];
        let same = digits.bytes().filter(|byte| *byte == sign).count();
        let other = digits.bytes().any(|byte| matches!(byte, b'.' | b',') && byte != sign);
        // `1.234.567` and `1,234` are grouped; `1.234` with a single point is a number in the notation of programs.
        digits.len() - at == 4 && !other && (same > 1 || sign == b',')
    };
    let point = last.filter(|at| !grouped(*at));
    let plain: String = digits
        .char_indices()
        .filter_map(|(at, character)| match character {
            '.' | ',' => (Some(at) == point).then_some('.'),
            digit => Some(digit),
        })
        .collect();
    let value: f64 = plain.parse().ok()?;
    value.is_finite().then_some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-03-01"), Some(11_017));
        assert_eq!(days("2026-11-17T19:00:00Z"), Some(20_774));
        assert_eq!(days("2024/2/29"), Some(19_782));
        for wrong in ["2023-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "26-01-01", "2026-01-011", "today", ""] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_with_and_without_groups() {
        for (text, value) in [
            ("12.80", 12.8),
            ("¥1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("1,234", 1234.0),
            ("1.234", 1.234),
            ("1.234.567", 1_234_567.0),
            ("12,5", 12.5),
            ("-3", -3.0),
            ("costs 7.", 7.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert_eq!(number("none"), None);
    }
}
