//! Dates with a month's name: "4 July 2013", "July 4th, 2013", "2013. július 4.", "ngày 4 tháng 7 năm 2013".

use super::read::{Parts, Reader};
use crate::values::words::Meaning;

/// Small words between day, month and year.
const LINKS: [Meaning; 2] = [Meaning::Glue, Meaning::Ordinal];

/// The name of a month in the text.
#[derive(Clone, Copy)]
struct Month {
    month: u8,
    end: usize,
    persian: bool,
    /// `true` if years after this name are in the Buddhist era.
    thai: bool,
}

impl Reader<'_> {
    /// Reads "4 July 2013", "4. Juli", "22-Jul-05", "3–5 July 2013" (the first day).
    pub(super) fn day_first(&self, at: usize) -> Option<Parts> {
        let day = self.small(at).filter(|day| (1..=31).contains(day))?;
        if self.adjacent(at)
            && matches!(self.sign(at - 1), Some('.' | ':' | '/' | '$'))
            && self.number(at.wrapping_sub(2)).is_some()
        {
            return None;
        }
        let mut next = self.skip(at + 1, 3, ".º°)", &[Meaning::Ordinal, Meaning::DayMark]);
        // The second day of a range.
        if matches!(self.sign(next), Some('-' | '/' | '&' | '+')) && self.small(next + 1).is_some_and(|day| day <= 31) {
            next = self.skip(next + 2, 2, ".º°", &[Meaning::Ordinal]);
        }
        let next = self.link(next, 4, ".,-/'()");
        let month = self.month_at(next)?;
        // "5d ago": "ago" is August in Spanish, but not here.
        if self.has(next, Meaning::AgoAfter) && self.unit(next - 1).is_some() {
            return None;
        }
        let mut parts = self.named(month, next);
        parts.day = Some(day);
        match self.year_behind(month) {
            Some((year, end)) => (parts.year, parts.end) = (Some(year), end),
            // "Chapter 3, May 5, 2013" has the day after the month.
            None if self.month_first(next).is_some_and(|parts| parts.year.is_some() && parts.day.is_some()) => {
                return None;
            }
            None => {}
        }
        Some(parts)
    }

    /// Reads "July 4th, 2013", "July 2013", "Jul 22 16:24:55 2005", "July 3-5, 2013" (the first day).
    pub(super) fn month_first(&self, at: usize) -> Option<Parts> {
        let month = self.month_at(at)?;
        let mut parts = self.named(month, at);
        let next = self.skip(month.end, 3, ".,-/", &[Meaning::Glue]);
        let Some(day) = self.small(next).filter(|day| (1..=31).contains(day) && self.sign(next + 1) != Some(':'))
        else {
            let (year, end) = self.year_behind(month)?;
            (parts.year, parts.end) = (Some(year), end);
            return Some(parts);
        };
        let mut end = next + 1;
        if self.adjacent(end) {
            end = self.skip(end, 1, "º°", &[Meaning::Ordinal]);
        }
        (parts.day, parts.end) = (Some(day), end);
        if matches!(self.sign(end), Some('-' | '&'))
            && self.small(end + 1).is_some_and(|day| day <= 31)
            && self.sign(end + 2) != Some(':')
        {
            end = self.skip(end + 2, 1, "", &[Meaning::Ordinal]);
        }
        // "mar. 3 mars 2013" begins with a weekday.
        if self.month_at(self.link(end, 3, ".,-/")).is_some() {
            return None;
        }
        if let Some((year, end)) = self.year_behind(Month { end, ..month }) {
            (parts.year, parts.end) = (Some(year), end);
        } else if let Some((clock, after)) = self.clock(self.skip(end, 1, ",", &[]), false)
            && let Some((value, 4)) = self.number(after)
            && let Some(year) = self.year_of(value, 4)
        {
            (parts.year, parts.clock, parts.end) = (Some(year), Some(clock), after + 1);
        }
        Some(parts)
    }

    /// Reads "2013 July 4", "2013. július 4.", "2013. gada 4. jūlijs", "2013 July".
    pub(super) fn year_first(&self, at: usize) -> Option<Parts> {
        let (value, 4) = self.number(at)? else { return None };
        let links = [Meaning::Glue, Meaning::YearMark];
        let mut next = self.skip(at + 1, 3, ".,-/", &links);
        // Basque: "2020(e)ko".
        if self.sign(at + 1) == Some('(') && self.sign(at + 3) == Some(')') && self.has(at + 4, Meaning::YearMark) {
            next = at + 5;
        }
        if let Some(month) = self.month_at(next) {
            let year = self.year_with(value, month)?;
            let mut parts = Parts { year: Some(year), ..self.named(month, next) };
            let behind = self.skip(month.end, 2, ".,-/", &[Meaning::Glue]);
            // "2013 – July 2014" is not a day.
            if let Some(day) = self.small(behind).filter(|day| (1..=31).contains(day)) {
                if self.sign(behind + 1) != Some(':') {
                    (parts.day, parts.end) = (Some(day), behind + 1);
                }
            } else if self.number(behind).is_some() {
                return None;
            }
            return Some(parts);
        }
        let day = self.small(next).filter(|day| (1..=31).contains(day))?;
        let name = self.link(next + 1, 2, ".");
        let month = self.month_at(name)?;
        if self.year_behind(month).is_some() {
            return None;
        }
        Some(Parts { year: Some(self.year_with(value, month)?), day: Some(day), ..self.named(month, name) })
    }

    /// Skips signs and small words, but not the name of a month: "des" is a German article and a Nordic December.
    fn link(&self, from: usize, most: usize, signs: &str) -> usize {
        let mut at = from;
        while at < from + most && self.month_at(at).is_none() {
            let next = self.skip(at, 1, signs, &LINKS);
            if next == at {
                break;
            }
            at = next;
        }
        at
    }

    fn named(&self, month: Month, name: usize) -> Parts {
        Parts { month: Some(month.month), persian: month.persian, end: month.end, name: Some(name), ..Parts::default() }
    }

    /// Reads the name of a month, or "tháng" and its number.
    fn month_at(&self, at: usize) -> Option<Month> {
        let senses = self.senses(at);
        if senses.is_empty() {
            return None;
        }
        let mut best: Option<Month> = None;
        for sense in senses {
            let (month, persian) = match sense.meaning {
                Meaning::Month(month) => (month, false),
                Meaning::PersianMonth(month) => (month, true),
                Meaning::MonthBefore => match self.small(at + 1) {
                    Some(month @ 1..=12) => return Some(Month { month, end: at + 2, persian: false, thai: false }),
                    _ => continue,
                },
                _ => continue,
            };
            let thai = matches!(self.slice(at).chars().next(), Some('\u{E00}'..='\u{E7F}'));
            let found = Month { month, end: at + 1, persian, thai };
            if sense.languages & self.language != 0 {
                return Some(found);
            }
            best.get_or_insert(found);
        }
        best
    }

    /// Reads the year after a month or day.
    fn year_behind(&self, month: Month) -> Option<(i32, usize)> {
        let at = self.skip(month.end, 4, ".,-/'", &LINKS);
        if let Some(era) = self.era(at) {
            let at = self.skip(at + 1, 1, ".", &[]);
            let (value, 1..=4) = self.number(at)? else { return None };
            return Some((i32::try_from(value).ok()? + era, at + 1));
        }
        let (value, digits) = self.number(at)?;
        let year = match digits {
            4 => self.year_with(value, month)?,
            2 if month.thai && self.closes(at) => i32::try_from(value).ok()? + 2500 - 543,
            2 if self.closes(at) => self.year_of(value, 2)?,
            _ => return None,
        };
        let end = at + 1;
        let marked = self.has(end, Meaning::YearMark) && !self.adjacent(end);
        Some((year, end + usize::from(marked)))
    }

    /// Returns `true` if a two-digit number after a month is a year: it follows a dash, slash or apostrophe, or is
    /// not followed by anything it could count.
    fn closes(&self, at: usize) -> bool {
        let before = self.sign(at - 1);
        // "set 3 of 12" is not a date.
        if self.free && self.has(at - 1, Meaning::Glue) {
            return false;
        }
        if self.sign(at + 1) == Some(':')
            || self.adjacent(at + 1) && self.number(at + 2).is_some() && self.sign(at + 1).is_some()
        {
            return matches!(before, Some('-' | '/'))
                && self.number(at + 2).is_some_and(|(_, digits)| digits == 2)
                && self.sign(at + 3) == Some(':');
        }
        matches!(before, Some('-' | '/' | '\''))
            || match self.tokens.get(at + 1).map(|token| token.kind) {
                None | Some(crate::values::token::Kind::Sign(_)) => true,
                Some(crate::values::token::Kind::Number { .. }) => self.clock(at + 1, false).is_some(),
                Some(crate::values::token::Kind::Word(_)) => {
                    self.has(at + 1, Meaning::YearMark) || self.has(at + 1, Meaning::At)
                }
            }
    }

    /// Converts a four-digit year, in the calendar of the month's name.
    fn year_with(&self, value: u64, month: Month) -> Option<i32> {
        let year = i32::try_from(value).ok()?;
        match (month.persian, month.thai) {
            (true, _) => (1244..=1472).contains(&year).then_some(year),
            (_, true) if (2400..=2700).contains(&year) => Some(year - 543),
            _ => self.year_of(value, 4),
        }
    }
}
