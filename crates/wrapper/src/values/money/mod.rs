//! Amounts of money: a number with a currency before or behind it.
//!
//! # Rules
//!
//! - Symbols, ISO 4217 codes and words in many languages; the first number that has one is the amount.
//! - One separator with three digits behind it always groups (`1.299 €`, `€1,299`), whatever the page's language says:
//!   prices have two decimals, and `lang` is often wrong. `0.999` stays below one.
//! - What several countries share is settled by the currency that the page declares, by its language and by its
//!   country: `$` is USD unless these say another dollar or peso; `kr` is DKK, NOK, SEK or ISK, and `¥` CNY or JPY, and
//!   of no currency without any of them.
//! - `,-`, `.–` and `:-` behind a number say that it is a price of whole units.
//! - "free" is no amount. `€5 – €9` is 5 EUR.
//! - [`parse`] takes a number without currency, too; [`find`] does not.
//!
//! Cost: linear.

mod currency;

use std::ops::Range;

use super::number::{self, Found, Grouping, Number, Scanner};
use super::{Hints, head};
use currency::Name;
pub(crate) use currency::is_code;

/// An amount, and its currency if the text tells it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Money {
    /// How much.
    pub amount: Number,
    /// The currency's code (ISO 4217).
    pub currency: Option<&'static str>,
}

/// `1234.56 EUR`.
impl std::fmt::Display for Money {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.currency {
            Some(currency) => write!(out, "{} {currency}", self.amount),
            None => self.amount.fmt(out),
        }
    }
}

/// The amount that a text is, with a label around it. The first with a currency; else the first number.
pub fn parse(text: &str, hints: &Hints) -> Option<Money> {
    let text = head(text);
    if let Some((mut money, range, written_out)) = read(text, hints) {
        if written_out && number::is_parenthesised(text, &range) {
            money.amount = money.amount.negated();
        }
        return Some(money);
    }
    let found = Scanner::new(text, Grouping::Always, hints).next_loose()?;
    let negative = found.is_written_out() && number::is_parenthesised(text, &found.range);
    let amount = if negative { found.number.negated() } else { found.number };
    Some(Money { amount, currency: None })
}

/// The first amount with a currency in free text, and its bytes, those of the currency included.
pub fn find(text: &str, hints: &Hints) -> Option<(Money, Range<usize>)> {
    read(head(text), hints).map(|(money, range, _)| (money, range))
}

/// The first amount with a currency, its bytes, and whether it has decimals, groups or a symbol.
fn read(text: &str, hints: &Hints) -> Option<(Money, Range<usize>, bool)> {
    let mut scanner = Scanner::new(text, Grouping::Always, hints);
    // A number that may be the lower end of a span.
    let mut lower: Option<Found> = None;
    while let Some(found) = scanner.next() {
        let before = currency::before(text, found.range.start);
        let (end, priced) = behind_price(text, behind_stop(text, found.range.end));
        let after = currency::after(text, end);
        if before.is_none() && is_stuck(text, &found) {
            lower = None;
            continue;
        }
        let (name, range, negative) = match (before, after) {
            // "$12 CAD" says which dollar.
            (Some(before), Some((name, end))) if before.name.is_shared() && !name.is_shared() => {
                (name, before.start..end, before.negative)
            }
            (Some(before), _) => {
                let end = if priced { end } else { found.range.end };
                (before.name, before.start..end, before.negative)
            }
            // "5 – 9 €" begins at 5.
            (None, Some((name, end))) => match lower.filter(|lower| is_span(text, lower, &found)) {
                Some(lower) => {
                    let range = lower.range.start..end;
                    return Some((Money { amount: lower.number, currency: name.code(hints) }, range, true));
                }
                None => (name, found.range.start..end, false),
            },
            (None, None) if priced => {
                return Some((Money { amount: found.number, currency: None }, found.range.start..end, true));
            }
            _ => {
                lower = Some(found);
                continue;
            }
        };
        let amount = if negative { found.number.negated() } else { found.number };
        return Some((Money { amount, currency: name.code(hints) }, range, true));
    }
    None
}

/// An amount that is all of a text, with a currency that is beyond doubt, and the text of its number.
pub(super) struct Whole<'t> {
    pub(super) money: Money,
    pub(super) number: &'t str,
}

/// Why a text is no amount that can be written back.
pub(super) enum NotWhole {
    /// It is something else, or more than an amount.
    Other,
    /// It is an amount, but the currency may be one of several.
    Currency,
}

/// The amount that a text is, with nothing around it.
pub(super) fn whole<'t>(text: &'t str, hints: &Hints) -> Result<Whole<'t>, NotWhole> {
    let found = Scanner::new(text, Grouping::Always, hints).next().ok_or(NotWhole::Other)?;
    let before = currency::before(text, found.range.start);
    let (price_end, _) = behind_price(text, found.range.end);
    let after = currency::after(text, price_end);
    let (name, written, in_front, range, negative) = match (&before, after) {
        (Some(before), Some((name, end))) if before.name.is_shared() && !name.is_shared() => {
            (name, &text[price_end..end], false, before.start..end, before.negative)
        }
        (Some(before), _) => {
            (before.name, &text[before.start..found.range.start], true, before.start..price_end, before.negative)
        }
        (None, Some((name, end))) => (name, &text[price_end..end], false, found.range.start..end, false),
        (None, None) => return Err(NotWhole::Other),
    };
    if range != (0..text.len()) {
        return Err(NotWhole::Other);
    }
    let written = written.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '\u{2212}' | '\u{2013}'));
    let code = currency::proven(name, written, in_front, hints).ok_or(NotWhole::Currency)?;
    let amount = if negative { found.number.negated() } else { found.number };
    Ok(Whole { money: Money { amount, currency: Some(code) }, number: &text[found.range] })
}

/// Whether nothing but a dash or the like stands between two numbers.
fn is_span(text: &str, lower: &Found, upper: &Found) -> bool {
    let between = text.get(lower.range.end..upper.range.end).unwrap_or("").trim_start();
    // The dash may have been taken for the upper number's sign.
    let dash = between.strip_prefix(['-', '\u{2010}', '\u{2013}', '\u{2014}', '~', '\u{FF5E}']);
    let word = || ["to ", "bis ", "à ", "a ", "do ", "до "].iter().find_map(|word| between.strip_prefix(word));
    dash.or_else(word).is_some_and(|rest| rest.trim_start().starts_with(|next: char| next.is_numeric()))
}

/// Behind the stop of an abbreviation that multiplies: "1,5 Mio. €".
fn behind_stop(text: &str, end: usize) -> usize {
    end + usize::from(text[..end].ends_with(char::is_alphabetic) && text[end..].starts_with('.'))
}

/// Whether a number without a currency in front of it sticks to a word.
fn is_stuck(text: &str, found: &Found) -> bool {
    let before = text[..found.range.start].chars().next_back();
    before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_')
}

/// Where `,-` behind a price ends, and whether there is one.
fn behind_price(text: &str, end: usize) -> (usize, bool) {
    let rest = &text[end..];
    let Some(behind) = rest.strip_prefix([',', '.', ':']) else { return (end, false) };
    let dashes = behind.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let taken = behind.len() - dashes.len();
    // "5.-7" is something else.
    if taken == 0 || dashes.starts_with(|next: char| next.is_alphanumeric()) {
        return (end, false);
    }
    (end + 1 + taken, true)
}

/// A currency in front of a number.
struct Before {
    name: Name,
    start: usize,
    /// Whether a minus stands in front of the symbol.
    negative: bool,
}

#[cfg(test)]
mod tests;
