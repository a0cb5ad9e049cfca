//! Decimal numbers as people write them.
//!
//! # Rules
//!
//! - If both `.` and `,` occur, the last one is the decimal separator. A separator that occurs several times groups
//!   digits, by threes or as in India (`12,34,567`); spaces of all widths and apostrophes group by threes.
//! - A single separator followed by exactly three digits and preceded by one to three (`1.234`, `1,234`, not `0.123`)
//!   is ambiguous: the page's language decides; without one, `,` groups and `.` is decimal.
//! - A percent sign is not part of the number: `12 %` is 12.
//! - `k`, `M`, `B` and `bn` after the digits, and words like million, Mio., Mrd., lakh, 万, 億 multiply.
//! - `(1,234.56)` is negative, as accountants write, if it is the whole text and has a decimal part or groups; `(12)`
//!   is 12.
//! - Digits after a letter (`B2`, `x86`) and versions (`1.2.3`) are not numbers. Neither is a text that consists only
//!   of digits and begins with a zero (`007`, `02139`): it is a code, which the number could not distinguish from
//!   `7`.
//!
//! A number is kept exactly, as its decimal digits. Cost: linear.

mod scan;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use super::{Hints, fold, head};
pub(super) use scan::{FoundNumber, Grouping, Scanner, separator_of};

/// An exact decimal number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number {
    /// `-`, digits without leading zeros, and a point with digits that do not end in a zero.
    digits: String,
}

impl Number {
    /// Creates a number from its digits before and after the point.
    pub(super) fn new(negative: bool, whole: &str, fraction: &str) -> Number {
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let mut digits = String::with_capacity(whole.len() + fraction.len() + 3);
        if negative && !(whole.is_empty() && fraction.is_empty()) {
            digits.push('-');
        }
        digits.push_str(if whole.is_empty() { "0" } else { whole });
        if !fraction.is_empty() {
            digits.push('.');
            digits.push_str(fraction);
        }
        Number { digits }
    }

    /// Returns the decimal digits: `-1234.56`.
    pub fn as_str(&self) -> &str {
        &self.digits
    }

    /// Returns the nearest floating-point number.
    pub fn as_f64(&self) -> f64 {
        self.digits.parse().unwrap_or(f64::NAN)
    }

    /// Returns the number, if it is whole and fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.digits.parse().ok()
    }

    /// Changes the sign.
    pub(super) fn negated(self) -> Number {
        let digits = match self.digits.strip_prefix('-') {
            Some(digits) => digits.to_owned(),
            None if self.digits == "0" => self.digits,
            None => format!("-{}", self.digits),
        };
        Number { digits }
    }

    fn split(&self) -> (bool, &str, &str) {
        let digits = self.digits.trim_start_matches('-');
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        (digits.len() != self.digits.len(), whole, fraction)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.digits)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number { digits: value.to_string() }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let ((negative, whole, fraction), (other_negative, other_whole, other_fraction)) =
            (self.split(), other.split());
        // Neither side has superfluous zeros, so lengths are compared before digits.
        let size =
            whole.len().cmp(&other_whole.len()).then_with(|| (whole, fraction).cmp(&(other_whole, other_fraction)));
        match (negative, other_negative) {
            (false, false) => size,
            (true, true) => size.reverse(),
            _ => other_negative.cmp(&negative),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parses a text that is a number, possibly with a label or unit around it; the first number if there are several.
pub fn parse(text: &str, hints: &Hints) -> Option<Number> {
    let text = head(text);
    if is_padded(text) {
        return None;
    }
    let found = Scanner::new(text, Grouping::from_hints(hints), hints).next_loose()?;
    Some(if found.is_written_out() && is_parenthesised(text, &found.range) {
        found.number.negated()
    } else {
        found.number
    })
}

/// Finds the first number in free text, with its byte range.
pub fn find(text: &str, hints: &Hints) -> Option<(Number, Range<usize>)> {
    let found = Scanner::new(head(text), Grouping::from_hints(hints), hints).next_loose()?;
    Some((found.number, found.range))
}

/// Returns `true` if a text consists of several digits, the first of which is a zero.
fn is_padded(text: &str) -> bool {
    let mut digits = text.trim().chars().map(fold::digit);
    digits.next() == Some(Some(0))
        && digits.next().is_some_and(|next| next.is_some())
        && digits.all(|next| next.is_some())
}

/// Returns `true` if a text consists only of these bytes in parentheses.
pub(super) fn is_parenthesised(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].trim_start().strip_prefix('(');
    let behind = text[range.end..].trim_end().strip_suffix(')');
    before.is_some_and(|inner| inner.trim().is_empty()) && behind.is_some_and(|inner| inner.trim().is_empty())
}

#[cfg(test)]
mod tests;
