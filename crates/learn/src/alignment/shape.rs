//! What a text looks like: a date, an amount, a number, or words.

use std::ops::Range;

use windrow_wrapper::values::{Hints, date, money, number};

/// Characters beyond which a text is no single value of these kinds.
const LONGEST: usize = 48;

/// A text on one line.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is one date, number or amount, and little else.
pub(crate) fn is_value(text: &str) -> bool {
    let text = collapse(text);
    is_date(&text) || is_money(&text) || covered(&text, |text, hints| number::find(text, hints).map(|found| found.1))
}

/// Whether a text is a date.
pub(crate) fn is_date(text: &str) -> bool {
    covered(text, |text, hints| date::find(text, hints).map(|found| found.1))
}

/// Whether a text is an amount of money.
pub(crate) fn is_money(text: &str) -> bool {
    covered(text, |text, hints| money::find(text, hints).map(|found| found.1))
}

/// Whether what is found in a text is all there is.
fn covered(text: &str, find: impl Fn(&str, &Hints) -> Option<Range<usize>>) -> bool {
    let rest = |range: Range<usize>| {
        let around = text[..range.start].chars().chain(text[range.end..].chars());
        around.filter(|c| c.is_alphanumeric()).count()
    };
    text.chars().count() <= LONGEST && find(text, &Hints::default()).is_some_and(|range| rest(range) <= 1)
}

/// Whether a sign says what a number is of.
pub(crate) fn is_unit(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '￥' | '₹' | '₽' | '₩' | '%' | '°' | '#')
}

/// The label that a line begins with, its colon included.
pub(crate) fn label(line: &str) -> Option<&str> {
    let line = line.trim();
    let at = line.find([':', '：'])?;
    let colon = line[at..].chars().next()?;
    let label = &line[..at];
    let short = label.chars().count() <= 30 && label.starts_with(char::is_alphabetic);
    // A time or an address has a colon, too.
    let behind = &line[at + colon.len_utf8()..];
    (short && !behind.starts_with("//") && !behind.trim().is_empty()).then(|| &line[..at + colon.len_utf8()])
}
