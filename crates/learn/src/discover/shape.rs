//! What a text looks like: a date, an amount, a number, or words.

use windrow_wrapper::values::{Hints, date, money, number};

/// Characters beyond which a text is no single value of these kinds.
const LONGEST: usize = 48;

/// Whether a text is one date, number or amount, and little else.
pub(crate) fn is_value(text: &str) -> bool {
    if text.chars().count() > LONGEST {
        return false;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hints = Hints::default();
    let covers = |range: std::ops::Range<usize>| {
        let rest = text[..range.start].chars().chain(text[range.end..].chars()).filter(|c| c.is_alphanumeric()).count();
        rest <= 1
    };
    date::find(&text, &hints).is_some_and(|(_, range)| covers(range))
        || money::find(&text, &hints).is_some_and(|(_, range)| covers(range))
        || number::find(&text, &hints).is_some_and(|(_, range)| covers(range))
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
