//! The date reader: goes through the tokens of a text and tries each way to write a date at each of them.

use std::ops::Range;

use super::clock::Clock;
use super::{Date, Precision, calendar};
use crate::values::token::{self, Kind, Token};
use crate::values::words::{self, Languages, Meaning, Sense};
use crate::values::{Hints, head};

/// The order of day and month in numeric dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
    /// Unknown: it depends on the separator.
    Unknown,
}

impl Order {
    /// Returns the order that the page's language uses, or its country if there is no language.
    fn from_hints(hints: &Hints) -> Order {
        let (primary, region) = (hints.primary(), hints.region());
        let is_region = |regions: &[&str]| regions.iter().any(|other| region.eq_ignore_ascii_case(other));
        let is_language = |codes: &[&str]| codes.iter().any(|code| primary.eq_ignore_ascii_case(code));
        let american = is_region(&["US", "PH", "CA"]);
        match hints.day_first {
            Some(true) => Order::DayFirst,
            Some(false) => Order::MonthFirst,
            None if primary.is_empty() && region.is_empty() => Order::Unknown,
            None if is_language(&["en"]) && (region.is_empty() || american) => Order::MonthFirst,
            None if is_region(&["HK", "MO"]) => Order::DayFirst,
            None if is_language(&["zh", "ja", "ko"]) => Order::MonthFirst,
            None if primary.is_empty() && (american || is_region(&["CN", "JP", "KR", "TW"])) => Order::MonthFirst,
            None => Order::DayFirst,
        }
    }
}

/// Returns `true` if the day comes before the month in numeric dates on this page, if that is certain: `en` alone is
/// written in both orders, Canada uses both, and the language of one country at the address of another proves
/// nothing.
pub(in crate::values) fn known_day_first(hints: &Hints) -> Option<bool> {
    let (tag, country) = (hints.language_region(), hints.country.as_deref().unwrap_or(""));
    let contradictory = !tag.is_empty() && !country.is_empty() && !tag.eq_ignore_ascii_case(country);
    let doubtful = hints.primary().eq_ignore_ascii_case("en") && hints.region().is_empty()
        || hints.region().eq_ignore_ascii_case("CA")
        || contradictory;
    match Order::from_hints(hints) {
        _ if hints.day_first.is_some() => hints.day_first,
        _ if doubtful => None,
        Order::DayFirst => Some(true),
        Order::MonthFirst => Some(false),
        Order::Unknown => None,
    }
}

/// The tokens of a text, and the page's hints.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) hints: &'t Hints,
    pub(super) language: Languages,
    /// Code of the language; empty if it is not known.
    code: &'static str,
    pub(super) order: Order,
    /// `true` for free text: tokens that could be something else are not read as dates.
    pub(super) free: bool,
}

/// The parts of a date, before they are checked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) year: Option<i32>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
    pub(super) persian: bool,
    pub(super) clock: Option<Clock>,
    /// Token with the name of the month.
    pub(super) name: Option<usize>,
    /// Token after the date.
    pub(super) end: usize,
}

/// A date and the tokens it consists of.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundDate {
    pub(super) date: Date,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Returns `true` if a text is worth splitting into tokens: without a reference, every date has a digit or a Han
/// numeral, and among the scripts of Europe only ASCII has digits. Most texts of a page are rejected here.
pub(super) fn may_hold_date(text: &str, hints: &Hints) -> bool {
    // The first digits of other scripts are the Arabic ones, which begin with this byte.
    hints.reference.is_some() || head(text).bytes().any(|byte| byte.is_ascii_digit() || byte >= 0xD9)
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, hints: &'t Hints, free: bool) -> Reader<'t> {
        let text = head(text);
        let primary = hints.primary();
        let language = words::language(primary);
        let order = Order::from_hints(hints);
        let tokens = token::scan(text);
        Reader { text, tokens, hints, language, code: words::code(language), order, free }
    }

    /// Returns the first date and its byte range.
    pub(super) fn read(&self) -> Option<(Date, Range<usize>)> {
        if !self.free
            && let Some(date) = self.lone()
        {
            return Some((date, self.bytes(0, self.tokens.len())));
        }
        // A month alone is used only if no full date follows.
        let mut month: Option<FoundDate> = None;
        let mut at = 0;
        while at < self.tokens.len() {
            match self.at(at) {
                Ok(found) if found.date.precision() >= Precision::Day => {
                    let start = self.with_weekday(found.start);
                    return Some((found.date, self.bytes(start, found.end)));
                }
                Ok(found) => {
                    month.get_or_insert(found);
                    at += 1;
                }
                Err(next) => at = next.max(at + 1),
            }
        }
        if let Some(found) = month {
            return Some((found.date, self.bytes(found.start, found.end)));
        }
        if self.free { None } else { self.lone_year() }
    }

    /// Reads a date that begins at a token; otherwise returns the token to continue at.
    fn at(&self, at: usize) -> Result<FoundDate, usize> {
        let parts = self.parts(at);
        if let Some(found) = parts.and_then(|parts| self.finish(at, parts)) {
            return Ok(found);
        }
        // "31 June 2013" is not a date; nor is the "June 2013" in it.
        let next = parts.map_or(at + 1, |parts| parts.end);
        self.clock_first(at).or_else(|| self.relative(at)).ok_or(next)
    }

    /// Reads day, month and year from a token on, in any order.
    fn parts(&self, at: usize) -> Option<Parts> {
        match self.tokens[at].kind {
            Kind::Number { .. } => self
                .marked(at, 0)
                .or_else(|| self.numeric(at))
                .or_else(|| self.compact(at))
                .or_else(|| self.day_first(at))
                .or_else(|| self.year_first(at)),
            Kind::Word(senses) if !senses.is_empty() => match self.era(at) {
                Some(era) => self.marked(at + 1, era),
                None => self.month_first(at),
            },
            _ => None,
        }
    }

    /// Reads "10:30, 4 July 2013", with the time first.
    fn clock_first(&self, at: usize) -> Option<FoundDate> {
        let (clock, end) = self.clock(at, false)?;
        let next = self.skip(end, 4, ",-|·•(", &[Meaning::Glue, Meaning::At, Meaning::Weekday]);
        if next >= self.tokens.len() {
            return None;
        }
        let parts = self.parts(next)?;
        if parts.clock.is_some() {
            return self.finish(at, parts);
        }
        // "21:15, 4 July 2013 (UTC)".
        let (clock, end) = if clock.is_zoned() { (clock, parts.end) } else { self.zoned(clock, parts.end)? };
        self.finish(at, Parts { clock: Some(clock), end, ..parts })
    }

    /// Checks the parts, adds the time after them, and fills in a missing year.
    pub(super) fn finish(&self, start: usize, mut parts: Parts) -> Option<FoundDate> {
        if parts.clock.is_none()
            && parts.day.is_some()
            && let Some((clock, end)) = self.clock_behind(parts.end)
        {
            (parts.clock, parts.end) = (Some(clock), end);
        }
        let day = match (parts.year, parts.month, parts.day) {
            (Some(year), Some(month), Some(day)) if parts.persian => {
                let (year, month, day) = calendar::from_persian(year, month, day)?;
                Date::from_day(year, month, day)?
            }
            // A Persian month is not a month of the Gregorian calendar.
            _ if parts.persian => return None,
            (Some(year), Some(month), Some(day)) => Date::from_day(year, month, day)?,
            (Some(year), Some(month), None) => Date::from_month(year, month)?,
            (None, Some(month), Some(day)) => self.with_year(&parts, month, day)?,
            _ => return None,
        };
        let date = match parts.clock {
            Some(clock) if day.precision() == Precision::Day => clock.on(day)?,
            _ => day,
        };
        Some(FoundDate { date, start, end: parts.end })
    }

    /// Fills in the year: the latest such day up to one day after the reference.
    fn with_year(&self, parts: &Parts, month: u8, day: u8) -> Option<Date> {
        let reference = self.hints.reference?;
        if self.free && !parts.name.is_none_or(|name| self.is_clearly_a_month(name)) {
            return None;
        }
        if reference.precision() < Precision::Day {
            return Date::from_day(reference.year(), month, day);
        }
        let latest = reference.day_number() + 1;
        // Leap days are up to eight years apart.
        (0..=8)
            .filter_map(|back| Date::from_day(reference.year() + 1 - back, month, day))
            .find(|date| date.day_number() <= latest)
    }

    /// Returns `true` if a month's name is unlikely to be another word of free text ("may", "set", "out").
    fn is_clearly_a_month(&self, name: usize) -> bool {
        let word = self.slice(name);
        let known = |sense: &Sense| sense.languages & self.language != 0 && matches!(sense.meaning, Meaning::Month(_));
        let english = |sense: &Sense| sense.languages & 1 != 0 && matches!(sense.meaning, Meaning::Month(_));
        let senses = self.senses(name);
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        !word.is_ascii()
            || word.len() > 5
            || senses.iter().any(known) && (capital || self.language != 1)
            || senses.iter().any(english) && capital
    }

    /// Reads digits that are a date only if they are the whole text.
    fn lone(&self) -> Option<Date> {
        match *self.tokens.as_slice() {
            [Token { kind: Kind::Number { value, digits }, .. }] => lone_number(value, digits),
            [
                Token { kind: Kind::Number { value: first, digits: first_digits }, .. },
                Token { kind: Kind::Sign('-' | '/' | '.'), .. },
                Token { kind: Kind::Number { value: second, digits: second_digits }, .. },
            ] => match (first_digits, second_digits) {
                (4, 2) => Date::from_month(self.year_of(first, 4)?, u8::try_from(second).ok()?),
                (1 | 2, 4) => Date::from_month(self.year_of(second, 4)?, u8::try_from(first).ok()?),
                // Chinese lists leave out the year in dates of the current year.
                (1 | 2, 2) if self.is_year_first() => {
                    let (month, day) = (u8::try_from(first).ok()?, u8::try_from(second).ok()?);
                    self.with_year(&Parts::default(), month, day)
                }
                (4, 3) => {
                    let year = self.year_of(first, 4)?;
                    let (month, day) = calendar::from_ordinal(year, u32::try_from(second).ok()?)?;
                    Date::from_day(year, month, day)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Reads a year with almost nothing around it.
    fn lone_year(&self) -> Option<(Date, Range<usize>)> {
        let mut numbers = self.tokens.iter().enumerate().filter(|(_, token)| matches!(token.kind, Kind::Number { .. }));
        let ((at, _), None) = (numbers.next()?, numbers.next()) else { return None };
        let (value, digits) = self.number(at)?;
        if digits != 4 || self.tokens.len() > 4 || !(1500..=2700).contains(&value) {
            return None;
        }
        Some((Date::from_year(self.year_of(value, 4)?)?, self.bytes(at, at + 1)))
    }

    /// Returns the token at which the weekday before a date begins.
    fn with_weekday(&self, start: usize) -> usize {
        let mut at = start;
        for _ in 0..3 {
            let Some(before) = at.checked_sub(1) else { return start };
            at = before;
            match self.tokens[at].kind {
                Kind::Word(_) if self.has(at, Meaning::Weekday) => return at,
                Kind::Word(_) if self.has(at, Meaning::Glue) => {}
                Kind::Sign(',' | '.') => {}
                _ => return start,
            }
        }
        start
    }

    /// Converts a number with this many digits to a year.
    pub(super) fn year_of(&self, value: u64, digits: u8) -> Option<i32> {
        let value = i32::try_from(value).ok()?;
        match digits {
            4 if (1000..2400).contains(&value) => Some(value),
            // The Buddhist era.
            4 if (2400..=2700).contains(&value) && self.is_language("th") => Some(value - 543),
            2 => Some(value + if value < 50 { 2000 } else { 1900 }),
            _ => None,
        }
    }

    /// Returns `true` if this is the page's language.
    pub(super) fn is_language(&self, code: &str) -> bool {
        self.code == code
    }

    /// Returns a number and its count of digits.
    pub(super) fn number(&self, at: usize) -> Option<(u64, u8)> {
        match self.tokens.get(at)?.kind {
            Kind::Number { value, digits } => Some((value, digits)),
            _ => None,
        }
    }

    /// Returns a number of at most two digits.
    pub(super) fn small(&self, at: usize) -> Option<u8> {
        self.number(at).filter(|&(value, digits)| digits <= 2 && value < 100).map(|(value, _)| value as u8)
    }

    /// Returns a sign.
    pub(super) fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Returns the senses of a word; empty for other tokens.
    pub(super) fn senses(&self, at: usize) -> &'static [Sense] {
        match self.tokens.get(at) {
            Some(Token { kind: Kind::Word(senses), .. }) => senses,
            _ => &[],
        }
    }

    /// Returns `true` if a word has this meaning.
    pub(super) fn has(&self, at: usize, meaning: Meaning) -> bool {
        self.senses(at).iter().any(|sense| sense.meaning == meaning)
    }

    /// Returns `true` if a token follows the one before it without white space.
    pub(super) fn adjacent(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| !token.spaced)
    }

    /// Returns the text of a token.
    pub(super) fn slice(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    /// Skips at most this many of the given signs and words.
    pub(super) fn skip(&self, from: usize, most: usize, signs: &str, meanings: &[Meaning]) -> usize {
        let mut at = from;
        while at < from + most
            && match self.tokens.get(at).map(|token| token.kind) {
                Some(Kind::Sign(sign)) => signs.contains(sign),
                Some(Kind::Word(senses)) => senses.iter().any(|sense| meanings.contains(&sense.meaning)),
                _ => false,
            }
        {
            at += 1;
        }
        at
    }

    /// Returns the byte range of tokens.
    fn bytes(&self, start: usize, end: usize) -> Range<usize> {
        match (self.tokens.get(start), self.tokens.get(end.wrapping_sub(1))) {
            (Some(first), Some(last)) => first.start as usize..last.end as usize,
            _ => 0..0,
        }
    }
}

/// Reads a number that is the whole text: a Unix time, a year, or a date without separators.
fn lone_number(value: u64, digits: u8) -> Option<Date> {
    let seconds = i64::try_from(value).ok()?;
    match digits {
        10 => Date::from_unix(seconds),
        13 => Date::from_unix(seconds / 1000),
        7 => {
            let year = i32::try_from(value / 1000).ok().filter(|year| (1900..2100).contains(year))?;
            let (month, day) = calendar::from_ordinal(year, (value % 1000) as u32)?;
            Date::from_day(year, month, day)
        }
        12 | 14 => {
            let (minutes, second) = if digits == 14 { (value / 100, Some((value % 100) as u8)) } else { (value, None) };
            let day = minutes / 10_000;
            let year = i32::try_from(day / 10_000).ok().filter(|year| (1900..2100).contains(year))?;
            let date = Date::from_day(year, (day / 100 % 100) as u8, (day % 100) as u8)?;
            date.with_time((minutes / 100 % 100) as u8, (minutes % 100) as u8, second, None)
        }
        _ => None,
    }
}
