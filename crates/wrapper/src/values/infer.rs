//! Infers the type of a column of texts such that no information is lost.
//!
//! [`infer`] looks at all values of a column. A type is chosen only if each text can be reconstructed from its typed
//! value, except for grouping separators, the notation of the currency, and white space; otherwise the column stays
//! text. So codes (`02139`, `4006381333931`), ranges (`10–12`), measures (`12 km`, `5 %`), abbreviations (`1.2k`) and
//! dates without a year are texts.
//!
//! The executor later parses each value separately, using only the page's [`Hints`]. A column is therefore also text
//! if its values together prove a different interpretation from the executor's: `1.234` next to `856` is grouped,
//! whatever the page's language says.
//!
//! # Rules
//!
//! - **Numbers** have no leading zeros, no more than seven digits without grouping (longer ones are article, phone
//!   and account numbers), and not all the same number of five or more digits (postcodes). One separator followed by
//!   three digits is accepted only if the other values, or the language and the country of the page, determine its
//!   meaning. Trailing zeros of a decimal part are accepted only if all values have as many decimals: otherwise
//!   `1.10` is a version.
//! - **Amounts** are a number and an unambiguous currency: `€`, an ISO code, or a shared sign such as `$` together
//!   with the currency that the page declares, its country or its language.
//! - **Dates** have a year of four digits, and an order of day and month that the values or the page prove.
//! - A column whose name indicates codes (`zip`, `sku`, `phone`, `version`) stays text.
//!
//! Cost: linear in the texts; for a column of words, only the first value is examined.

use std::borrow::Cow;
use std::fmt;

use super::money::AmountError;
use super::number::{Grouping, Number};
use super::text::collapse;
use super::{Hints, Type, date, fold, money, number};

/// Largest number of characters of a single number, amount or date.
const LONGEST: usize = 40;
/// Largest number of digits that people write without grouping.
const UNGROUPED: usize = 7;
/// Largest number of digits in a number grouped with spaces; longer ones are phone numbers.
const SPACED: usize = 8;
/// Digits that a double-precision number keeps, which most JSON readers use.
const EXACT: usize = 15;
/// Numbers with at least so many digits, all of one length, are codes if there are at least so many of them.
const CODE: (usize, usize) = (5, 3);

/// The type of a column, and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inferred {
    /// The type.
    pub ty: Type,
    /// Evidence for the type, or against any type other than text.
    pub reason: Reason,
}

/// The reason for a type. `value` is the first value that is evidence for text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Every value has the type, and can be reconstructed from its typed value.
    Lossless,
    /// There are no values.
    Empty,
    /// The name of the column indicates codes.
    Named,
    /// A value is not a number, an amount or a date, or not only that.
    Words {
        /// The value.
        value: String,
    },
    /// A value is a code: a leading zero, a long run of digits, or digits of one length in all values.
    Code {
        /// The value.
        value: String,
    },
    /// A separator could either group digits or mark the decimals.
    Separator {
        /// The value.
        value: String,
    },
    /// Trailing zeros of a decimal part, or signs, would be lost in the typed value.
    Form {
        /// The value.
        value: String,
    },
    /// A currency sign is shared by several countries, without evidence for one of them.
    Currency {
        /// The value.
        value: String,
    },
    /// The order of day and month is ambiguous.
    Order {
        /// The value.
        value: String,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Lossless => write!(out, "every value can be written back"),
            Reason::Empty => write!(out, "there are no values"),
            Reason::Named => write!(out, "its name says that it holds codes"),
            Reason::Words { value } => write!(out, "`{value}` is more than a number, an amount or a date"),
            Reason::Code { value } => write!(out, "`{value}` looks like a code"),
            Reason::Separator { value } => write!(out, "the separator in `{value}` may group digits or part decimals"),
            Reason::Form { value } => write!(out, "`{value}` could not be written back from its number"),
            Reason::Currency { value } => write!(out, "the currency of `{value}` may be one of several"),
            Reason::Order { value } => write!(out, "the order of day and month in `{value}` is not known"),
        }
    }
}

/// Chooses the type of a column. `label` is the name of the column, if it has a meaningful one.
///
/// ```
/// use windrow_wrapper::values::{Hints, Type, infer::infer};
///
/// let hints = Hints::default().with_language("en-US");
/// assert_eq!(infer(["1,200", "85"], None, &hints).ty, Type::Number);
/// assert_eq!(infer(["$12.50", "$8"], None, &hints).ty, Type::Money);
/// assert_eq!(infer(["10001", "02139"], None, &hints).ty, Type::String);
/// ```
pub fn infer<'v>(values: impl IntoIterator<Item = &'v str>, label: Option<&str>, hints: &Hints) -> Inferred {
    let text = |reason: Reason| Inferred { ty: Type::String, reason };
    let mut texts: Vec<Cow<'v, str>> = Vec::new();
    for value in values {
        let value = collapse(value);
        if value.chars().nth(LONGEST).is_some() {
            let value = value.chars().take(LONGEST).chain(['…']).collect();
            return text(Reason::Words { value });
        }
        if !value.is_empty() {
            texts.push(value);
        }
    }
    let Some(first) = texts.first() else { return text(Reason::Empty) };
    let mut reason = Reason::Words { value: first.clone().into_owned() };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let kinds: [(Type, Judge); 3] = [(Type::Number, numbers), (Type::Money, amounts), (Type::Date, dates)];
    for (ty, judge) in kinds {
        match judge(&texts, hints) {
            Ok(()) if label.is_some_and(names_codes) => return text(Reason::Named),
            Ok(()) => return Inferred { ty, reason: Reason::Lossless },
            // An objection to a value of the right kind is more specific than not being of another kind.
            Err(other) if matches!(reason, Reason::Words { .. }) => reason = other,
            Err(_) => {}
        }
    }
    text(reason)
}

/// A test of whether all values of a column are of one kind and can be reconstructed.
type Judge = fn(&[&str], &Hints) -> Result<(), Reason>;

/// Returns `true` if the name of a column indicates codes.
fn names_codes(label: &str) -> bool {
    const CODES: &[&str] = &[
        "account",
        "article",
        "asin",
        "barcode",
        "code",
        "docket",
        "doi",
        "ean",
        "fax",
        "gtin",
        "iban",
        "id",
        "isbn",
        "issn",
        "mobile",
        "mpn",
        "no",
        "nr",
        "number",
        "phone",
        "plz",
        "pmid",
        "postal",
        "postcode",
        "ref",
        "reference",
        "release",
        "serial",
        "sku",
        "tel",
        "telephone",
        "upc",
        "ver",
        "version",
        "zip",
        "zipcode",
    ];
    // A field called just `number` is no evidence of codes.
    let words = || label.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words().any(|word| {
        let word = word.to_lowercase();
        CODES.contains(&word.as_str()) && (word != "number" || words().filter(|word| !is_count(word)).count() > 1)
    })
}

fn is_count(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn words(value: &str) -> Reason {
    Reason::Words { value: value.to_owned() }
}

/// Checks that all values are numbers that can be reconstructed.
fn numbers(values: &[&str], hints: &Hints) -> Result<(), Reason> {
    let mut column = Vec::with_capacity(values.len());
    for value in values {
        column.push(Digits::read(value).ok_or_else(|| words(value))?);
    }
    for (digits, value) in column.iter().zip(values) {
        if digits.is_code() {
            return Err(Reason::Code { value: (*value).to_owned() });
        }
    }
    let lengths = || column.iter().map(|digits| digits.whole.len());
    let plain = column.iter().all(|digits| digits.is_plain());
    if plain && column.len() >= CODE.1 && lengths().all(|length| length >= CODE.0 && Some(length) == lengths().next()) {
        return Err(Reason::Code { value: values[0].to_owned() });
    }
    // A plus before only some of the numbers carries information that the typed value would lose.
    let plus = |digits: &Digits| digits.sign == Some('+');
    if column.iter().any(plus) {
        let missing = column.iter().position(|digits| digits.sign.is_none() && !digits.is_zero());
        if let Some(missing) = missing {
            return Err(Reason::Form { value: values[missing].to_owned() });
        }
    }
    let evidence = Evidence::from_column(&column);
    for (digits, value) in column.iter().zip(values) {
        // "1,5" on an English page is more likely a list of two numbers.
        let foreign = digits.decimal == Some(',') && Grouping::known_decimal(hints) == Some('.');
        let number = evidence.number(digits, hints).filter(|_| !foreign);
        if number.is_none() || number != number::parse(value, hints) {
            return Err(Reason::Separator { value: (*value).to_owned() });
        }
    }
    zeros(&column, values, 0)
}

/// Checks that all values are amounts that can be reconstructed.
fn amounts(values: &[&str], hints: &Hints) -> Result<(), Reason> {
    let mut column = Vec::with_capacity(values.len());
    let mut read = Vec::with_capacity(values.len());
    for value in values {
        let whole = money::whole(value, hints).map_err(|why| match why {
            AmountError::Other => words(value),
            AmountError::Currency => Reason::Currency { value: (*value).to_owned() },
        })?;
        let digits = Digits::read(whole.number).ok_or_else(|| words(value))?;
        if digits.is_padded() || digits.len() > EXACT {
            return Err(Reason::Code { value: (*value).to_owned() });
        }
        column.push(digits);
        read.push(whole.money);
    }
    let evidence = Evidence::from_column(&column);
    for ((digits, value), amount) in column.iter().zip(values).zip(&read) {
        let number = evidence.number(digits, hints);
        let negative = amount.amount.as_str().starts_with('-') && digits.sign.is_none();
        let number = if negative { number.map(Number::negated) } else { number };
        if number.as_ref() != Some(&amount.amount) || money::parse(value, hints).as_ref() != Some(amount) {
            return Err(Reason::Separator { value: (*value).to_owned() });
        }
    }
    zeros(&column, values, 2)
}

/// Checks that trailing zeros of decimal parts can be reconstructed: if the part has the `usual` length, or all
/// values of the column have as many decimals.
fn zeros(column: &[Digits], values: &[&str], usual: usize) -> Result<(), Reason> {
    let decimals = |digits: &Digits| digits.fraction.len();
    let alike = column.len() > 1 && column.iter().all(|digits| decimals(digits) == decimals(&column[0]));
    let lost = |digits: &Digits| digits.fraction.ends_with('0') && decimals(digits) != usual;
    match column.iter().position(lost).filter(|_| !alike) {
        Some(at) => Err(Reason::Form { value: values[at].to_owned() }),
        None => Ok(()),
    }
}

/// The digits of a number as written, without deciding the meaning of an ambiguous separator.
#[derive(Debug)]
struct Digits {
    sign: Option<char>,
    /// ASCII digits before the decimal separator.
    whole: String,
    /// ASCII digits after the decimal separator.
    fraction: String,
    /// Separator of groups.
    grouped: Option<char>,
    /// Decimal separator.
    decimal: Option<char>,
    /// Ambiguous separator: `whole` has the digits on both sides, and `fraction` none.
    doubtful: Option<char>,
}

impl Digits {
    /// Parses a text that consists only of digits and separators with an optional sign.
    fn read(text: &str) -> Option<Digits> {
        let mut rest = text;
        let sign = rest.chars().next().filter(|first| matches!(first, '+' | '-' | '\u{2212}' | '\u{2013}'));
        if let Some(sign) = sign {
            rest = &rest[sign.len_utf8()..];
        }
        let mut groups: Vec<String> = vec![String::new()];
        let mut separators = Vec::new();
        for c in rest.chars() {
            match (fold::digit(c), groups.last_mut()) {
                (Some(digit), Some(group)) => group.push(char::from(b'0' + digit)),
                _ => {
                    separators.push(number::separator_of(c)?);
                    groups.push(String::new());
                }
            }
        }
        if groups.iter().any(String::is_empty) {
            return None;
        }
        let sign = sign.map(|sign| if sign == '+' { '+' } else { '-' });
        let digits = Digits {
            sign,
            whole: groups.concat(),
            fraction: String::new(),
            grouped: None,
            decimal: None,
            doubtful: None,
        };
        let Some((&last, before)) = separators.split_last() else { return Some(digits) };
        let is_mark = matches!(last, '.' | ',');
        let with_fraction = |digits: Digits, grouped: Option<char>| {
            let fraction = groups.last().cloned().unwrap_or_default();
            let whole = digits.whole[..digits.whole.len() - fraction.len()].to_owned();
            Some(Digits { whole, fraction, grouped, decimal: Some(last), ..digits })
        };
        match before.first() {
            None if is_mark && groups[1].len() == 3 && groups[0].len() <= 3 && !groups[0].starts_with('0') => {
                Some(Digits { doubtful: Some(last), ..digits })
            }
            None if is_mark || last == 'd' => with_fraction(digits, None),
            _ if separators.iter().all(|separator| *separator == last) => {
                is_grouped(&groups, last).then_some(Digits { grouped: Some(last), ..digits })
            }
            Some(&first) if (is_mark || last == 'd') && before.iter().all(|separator| *separator == first) => {
                if is_grouped(&groups[..groups.len() - 1], first) {
                    with_fraction(digits, Some(first))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Returns the number of digits.
    fn len(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// Returns `true` if it is a whole number without separators.
    fn is_plain(&self) -> bool {
        self.fraction.is_empty() && self.grouped.is_none() && self.doubtful.is_none()
    }

    fn is_zero(&self) -> bool {
        self.whole.bytes().chain(self.fraction.bytes()).all(|byte| byte == b'0')
    }

    /// Returns `true` if it begins with a superfluous zero.
    fn is_padded(&self) -> bool {
        self.whole.len() > 1 && self.whole.starts_with('0')
    }

    /// Returns `true` if it is more likely a code than a number.
    fn is_code(&self) -> bool {
        let most = match self.grouped {
            None if self.doubtful.is_none() => UNGROUPED,
            Some(' ') => SPACED,
            _ => EXACT,
        };
        self.is_padded() || self.whole.len() > most || self.len() > EXACT
    }
}

/// Returns `true` if groups of digits form one number: groups of three, or as in India.
fn is_grouped(groups: &[String], separator: char) -> bool {
    let Some((first, rest)) = groups.split_first() else { return false };
    let Some((last, inner)) = rest.split_last() else { return false };
    let by_threes = (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3);
    let indian = separator == ','
        && (1..=2).contains(&first.len())
        && inner.iter().all(|group| group.len() == 2)
        && last.len() == 3;
    separator != 'd' && (by_threes || indian)
}

/// The evidence in a column about the meaning of its separators.
struct Evidence {
    grouped: Vec<char>,
    decimal: Vec<char>,
    /// `true` if there is a whole number of up to three digits, which would have decimals if the others had.
    small: bool,
    /// `true` if there is a longer whole number without grouping.
    large: bool,
}

impl Evidence {
    fn from_column(column: &[Digits]) -> Evidence {
        let plain = || column.iter().filter(|digits| digits.is_plain());
        Evidence {
            grouped: column.iter().filter_map(|digits| digits.grouped).collect(),
            decimal: column.iter().filter_map(|digits| digits.decimal).collect(),
            small: plain().any(|digits| digits.whole.len() <= 3 && !digits.is_zero()),
            large: plain().any(|digits| digits.whole.len() > 3),
        }
    }

    /// Returns the value of digits, if the column or the page proves its interpretation.
    fn number(&self, digits: &Digits, hints: &Hints) -> Option<Number> {
        // The same mark groups digits in one value and is the decimal separator in another.
        if self.grouped.iter().any(|mark| self.decimal.contains(mark)) {
            return None;
        }
        let negative = digits.sign == Some('-');
        let Some(mark) = digits.doubtful else {
            return Some(Number::new(negative, &digits.whole, &digits.fraction));
        };
        let other = if mark == '.' { ',' } else { '.' };
        let groups = self.grouped.contains(&mark) || self.decimal.contains(&other);
        let parts = self.decimal.contains(&mark) || self.grouped.contains(&other);
        let grouped = match (groups, parts) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => return None,
            // The language alone proves that a mark groups, but not that three digits are decimals.
            (false, false) if Grouping::known_decimal(hints) == Some(other) => !self.large,
            (false, false) if self.small && !self.large => true,
            (false, false) => return None,
        };
        if grouped {
            return Some(Number::new(negative, &digits.whole, ""));
        }
        let (whole, fraction) = digits.whole.split_at(digits.whole.len() - 3);
        Some(Number::new(negative, whole, fraction))
    }
}

/// Checks that all values are dates that can be reconstructed.
fn dates(values: &[&str], hints: &Hints) -> Result<(), Reason> {
    // The text of a date that depends on when the page was read does not contain the whole date.
    let hints = Hints { reference: None, ..hints.clone() };
    let read = |value: &str, day_first: Option<bool>| {
        date::parse(value, &Hints { day_first: day_first.or(hints.day_first), ..hints.clone() })
    };
    let mut orders = Vec::new();
    let mut doubtful = Vec::new();
    for &value in values {
        let (found, range) = date::find(value, &hints).ok_or_else(|| words(value))?;
        if range != (0..value.len()) || !is_written_out(value, found) {
            return Err(words(value));
        }
        // Dots mean that the day comes first, in all languages.
        let numeric = numeric(value).filter(|(.., separator)| *separator != '.');
        if let Some((first, second, _)) = numeric {
            match (first > 12, second > 12) {
                (true, false) => orders.push(true),
                (false, true) => orders.push(false),
                _ if read(value, Some(true)) != read(value, Some(false)) => doubtful.push(value),
                _ => {}
            }
        }
    }
    let unproven = || Reason::Order { value: doubtful.first().copied().unwrap_or(values[0]).to_owned() };
    if orders.contains(&true) && orders.contains(&false) {
        return Err(unproven());
    }
    if doubtful.is_empty() {
        return Ok(());
    }
    let order = orders.first().copied().or_else(|| date::known_day_first(&hints)).ok_or_else(unproven)?;
    if doubtful.iter().all(|value| read(value, Some(order)) == read(value, None)) { Ok(()) } else { Err(unproven()) }
}

/// Returns the numbers before the year of a numeric date, and their separator: `4/7/2013`.
fn numeric(value: &str) -> Option<(u32, u32, char)> {
    let date = value.split(' ').find(|part| part.contains(['/', '-', '.']))?;
    let separator = date.chars().find(|c| matches!(c, '/' | '-' | '.'))?;
    let mut numbers = date.split(separator).map(|part| part.parse::<u32>().ok());
    let (first, second) = (numbers.next()??, numbers.next()??);
    (first < 100 && second < 100).then_some((first, second, separator))
}

/// Returns `true` if the text contains exactly the date: a year of four digits, no mere numbers of a year and a month,
/// no fractions of seconds, no name of a time zone that several zones share, and no span of days.
fn is_written_out(value: &str, date: date::Date) -> bool {
    let digits: Vec<u8> = value.chars().map(|c| fold::digit(c).map_or(b' ', |digit| b'0' + digit)).collect();
    let runs = || digits.split(|byte| *byte == b' ').filter(|run| !run.is_empty());
    let has_year = runs().any(|run| run.len() >= 4);
    let worded = value.chars().any(char::is_alphabetic);
    let fraction = date.second().is_some() && {
        let clock = value.rsplit(':').next().unwrap_or_default();
        clock.chars().nth(2).is_some_and(|c| matches!(c, '.' | ',')) && clock[..].contains(|c: char| c.is_ascii_digit())
    };
    let zone = |word: &str| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_uppercase())
            && !matches!(word, "UTC" | "GMT" | "AM" | "PM")
    };
    let named_zone = date.offset_minutes().is_some() && value.split(|c: char| !c.is_alphabetic()).any(zone);
    has_year && (worded || runs().count() >= 3) && !fraction && !named_zone && !(worded && has_span(value))
}

/// Returns `true` if a date with words begins with a range of days: `4–6 July 2013`.
fn has_span(value: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(value);
    let behind = value[first..].trim_start();
    let second = behind.strip_prefix(['-', '\u{2010}', '\u{2013}', '\u{2014}']).map(|rest| digits(rest.trim_start()));
    (1..=2).contains(&first) && second.is_some_and(|second| (1..=2).contains(&second))
}
