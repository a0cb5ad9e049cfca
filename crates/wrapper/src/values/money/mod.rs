//! Amounts of money: a number with a currency before or after it.
//!
//! # Rules
//!
//! - Symbols, ISO 4217 codes and words in many languages; the first number that has one is the amount.
//! - One separator followed by three digits always groups (`1.299 €`, `€1,299`), whatever the page's language says:
//!   prices have two decimals, and `lang` is often wrong. `0.999` stays below one.
//! - A sign shared by several countries is resolved by the currency that the page declares, its language and its
//!   country: `$` is USD unless these indicate another dollar or peso; `kr` is DKK, NOK, SEK or ISK, and `¥` CNY or
//!   JPY, and both have no currency without such evidence.
//! - `,-`, `.–` and `:-` after a number mark a price of whole units.
//! - "free" is not an amount. `€5 – €9` is 5 EUR.
//! - [`parse`] also accepts a number without currency; [`find`] does not.
//!
//! Cost: linear.

mod currency;

use std::ops::Range;

use super::number::{self, FoundNumber, Grouping, Number, Scanner};
use super::{Hints, head};
use currency::Name;
pub(crate) use currency::is_code;

/// An amount, and its currency if the text indicates one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Money {
    /// Amount in units of the currency.
    pub amount: Number,
    /// Code of the currency (ISO 4217).
    pub currency: Option<&'static str>,
}

/// Formats as `1234.56 EUR`.
impl std::fmt::Display for Money {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.currency {
            Some(currency) => write!(out, "{} {currency}", self.amount),
            None => self.amount.fmt(out),
        }
    }
}

/// Parses a text that is an amount, possibly with a label around it: the first amount with a currency, else the first
/// number.
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

/// Finds the first amount with a currency in free text, with its byte range, which includes the currency.
pub fn find(text: &str, hints: &Hints) -> Option<(Money, Range<usize>)> {
    read(head(text), hints).map(|(money, range, _)| (money, range))
}

/// Finds the first amount with a currency; also returns its byte range, and whether it has decimals, groups or a
/// symbol.
fn read(text: &str, hints: &Hints) -> Option<(Money, Range<usize>, bool)> {
    let mut scanner = Scanner::new(text, Grouping::Always, hints);
    // A number that may be the lower end of a range.
    let mut lower: Option<FoundNumber> = None;
    while let Some(found) = scanner.next() {
        let before = currency::before(text, found.range.start);
        let (end, priced) = behind_price(text, behind_stop(text, found.range.end));
        let after = currency::after(text, end);
        if before.is_none() && is_stuck(text, &found) {
            lower = None;
            continue;
        }
        let (name, range, negative) = match (before, after) {
            // "$12 CAD" specifies which dollar.
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

/// An amount that is the whole text, with an unambiguous currency, and the text of its number.
pub(super) struct WholeAmount<'t> {
    pub(super) money: Money,
    pub(super) number: &'t str,
}

/// The reason why a text is not an amount that can be reconstructed.
pub(super) enum AmountError {
    /// The text is something else, or more than an amount.
    Other,
    /// The text is an amount, but the currency is ambiguous.
    Currency,
}

/// Parses a text that is an amount with nothing around it.
pub(super) fn whole<'t>(text: &'t str, hints: &Hints) -> Result<WholeAmount<'t>, AmountError> {
    let found = Scanner::new(text, Grouping::Always, hints).next().ok_or(AmountError::Other)?;
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
        (None, None) => return Err(AmountError::Other),
    };
    if range != (0..text.len()) {
        return Err(AmountError::Other);
    }
    let written = written.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '\u{2212}' | '\u{2013}'));
    let code = currency::proven(name, written, in_front, hints).ok_or(AmountError::Currency)?;
    let amount = if negative { found.number.negated() } else { found.number };
    Ok(WholeAmount { money: Money { amount, currency: Some(code) }, number: &text[found.range] })
}

/// Returns `true` if only a dash or the like stands between two numbers.
fn is_span(text: &str, lower: &FoundNumber, upper: &FoundNumber) -> bool {
    let between = text.get(lower.range.end..upper.range.end).unwrap_or("").trim_start();
    // The dash may have been read as the sign of the upper number.
    let dash = between.strip_prefix(['-', '\u{2010}', '\u{2013}', '\u{2014}', '~', '\u{FF5E}']);
    let word = || ["to ", "bis ", "à ", "a ", "do ", "до "].iter().find_map(|word| between.strip_prefix(word));
    dash.or_else(word).is_some_and(|rest| rest.trim_start().starts_with(|next: char| next.is_numeric()))
}

/// Skips the full stop of a multiplying abbreviation: "1,5 Mio. €".
fn behind_stop(text: &str, end: usize) -> usize {
    end + usize::from(text[..end].ends_with(char::is_alphabetic) && text[end..].starts_with('.'))
}

/// Returns `true` if a number without a currency before it is attached to a word.
fn is_stuck(text: &str, found: &FoundNumber) -> bool {
    let before = text[..found.range.start].chars().next_back();
    before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_')
}

/// Skips `,-` after a price; also returns whether there was one.
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

/// A currency before a number.
struct LeadingCurrency {
    name: Name,
    start: usize,
    /// `true` if a minus precedes the symbol.
    negative: bool,
}

#[cfg(test)]
mod tests;
