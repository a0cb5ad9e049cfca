//! Dates relative to the reference: "yesterday at 9:15", "3 hours ago", "vor 2 Tagen", "3小时前".

use super::read::{FoundDate, Reader};
use super::{Date, Precision};
use crate::values::words::{Languages, Meaning, Unit};

/// English, whose words are on pages of all languages.
const ENGLISH: Languages = 1;

/// Largest count; larger ones are not ages of pages.
const MOST: u64 = 100_000;

impl Reader<'_> {
    /// Reads a relative date that begins at a token; `None` without a reference.
    pub(super) fn relative(&self, at: usize) -> Option<FoundDate> {
        let reference = self.hints.reference.filter(|reference| reference.precision() >= Precision::Day)?;
        self.named_day(at, reference).or_else(|| self.ago(at, reference))
    }

    /// Reads "yesterday", possibly followed by a time.
    fn named_day(&self, at: usize, reference: Date) -> Option<FoundDate> {
        let shift = self.senses(at).iter().find_map(|sense| match sense.meaning {
            // "hier" is yesterday in French and here in German; "ma" is today in Hungarian and much else elsewhere.
            Meaning::Day(shift) if sense.languages & (self.language | ENGLISH) != 0 => Some(shift),
            Meaning::Day(shift) if self.language == 0 && !self.free && self.slice(at).len() > 2 => Some(shift),
            _ => None,
        })?;
        let day = reference.without_time().plus_seconds(i64::from(shift) * 86_400)?;
        // "aujourd'hui" is three tokens.
        let hui = self.sign(at + 1) == Some('\'') && self.slice(at + 2).eq_ignore_ascii_case("hui");
        let end = at + if hui { 3 } else { 1 };
        if let Some((clock, end)) = self.clock_behind(end) {
            return Some(FoundDate { date: clock.on(day)?, start: at, end });
        }
        // "Join today!", "so yesterday": in prose these words are not dates.
        let most = match (self.free, shift) {
            (false, _) => 16,
            (true, -2..=-1) => 8,
            (true, _) => 1,
        };
        (self.tokens.len() <= most).then_some(FoundDate { date: day, start: at, end })
    }

    /// Reads a count, a unit, and a word for the past before or after them.
    fn ago(&self, at: usize, reference: Date) -> Option<FoundDate> {
        let before = self.has(at, Meaning::AgoBefore);
        let mut next = at + usize::from(before);
        // "vor etwa 3 Stunden", "hace más de 3 horas".
        if before {
            next += (0..3).find(|&step| self.count(next + step).is_some()).unwrap_or(0);
        }
        let (mut seconds, mut months, mut finest) = (0_i64, 0_i64, Unit::Year);
        let mut parts = 0;
        // "2 days, 3 hours ago".
        while parts < 3 {
            let from = if parts == 0 { next } else { self.skip(next, 2, ",", &[Meaning::Glue]) };
            let Some((count, unit_at)) = self.count(from) else { break };
            let Some(unit) = self.unit(unit_at) else { break };
            match unit {
                Unit::Second => seconds += count,
                Unit::Minute => seconds += count * 60,
                Unit::Hour => seconds += count * 3600,
                Unit::Day => seconds += count * 86_400,
                Unit::Week => seconds += count * 7 * 86_400,
                Unit::Month => months += count,
                Unit::Year => months += count * 12,
            }
            if parts == 0 || (unit as u8) < (finest as u8) {
                finest = unit;
            }
            next = unit_at + 1;
            parts += 1;
        }
        if parts == 0 {
            return None;
        }
        let end = self.skip(next, 1, "", &[Meaning::AgoAfter]);
        if end == next && !before {
            return None;
        }
        // The words must belong to one language: "fa14d" in an identifier is Catalan and English.
        let past = |meaning: Meaning| move |found: Meaning| found == meaning;
        let ago = if end > next {
            self.speakers(next, past(Meaning::AgoAfter))
        } else {
            self.speakers(at, past(Meaning::AgoBefore))
        };
        if ago & self.speakers(next - 1, |found| matches!(found, Meaning::Unit(_))) == 0 {
            return None;
        }
        Some(FoundDate { date: back(reference, seconds, months, finest)?, start: at, end })
    }

    /// Reads a count; also returns the token after it.
    fn count(&self, at: usize) -> Option<(i64, usize)> {
        if let Some((value, _)) = self.number(at) {
            return (value <= MOST).then_some((value as i64, at + 1));
        }
        if self.has(at, Meaning::One) {
            return Some((1, at + 1));
        }
        // "קודם לפני שעה": a unit alone means one if the word for the past precedes it.
        (at > 0 && self.has(at - 1, Meaning::AgoBefore) && self.unit(at).is_some()).then_some((1, at))
    }

    /// Returns the languages in which a word has such a meaning.
    fn speakers(&self, at: usize, is_meant: impl Fn(Meaning) -> bool) -> Languages {
        let senses = self.senses(at).iter().filter(|sense| is_meant(sense.meaning));
        senses.fold(0, |languages, sense| languages | sense.languages)
    }

    pub(super) fn unit(&self, at: usize) -> Option<Unit> {
        let mut best = None;
        for sense in self.senses(at) {
            if let Meaning::Unit(unit) = sense.meaning {
                if sense.languages & self.language != 0 {
                    return Some(unit);
                }
                best = best.or(Some(unit));
            }
        }
        best
    }
}

/// Subtracts an age from the reference, at the precision of the age's finest unit.
fn back(reference: Date, seconds: i64, months: i64, finest: Unit) -> Option<Date> {
    let index = i64::from(reference.year()) * 12 + i64::from(reference.month) - 1 - months;
    let year = i32::try_from(index.div_euclid(12)).ok()?;
    let month = (index.rem_euclid(12) + 1) as u8;
    match finest {
        Unit::Year => Date::from_year(year),
        Unit::Month => Date::from_month(year, month),
        _ => {
            let day = reference.day.min(super::calendar::days_in_month(year, month));
            let base = Date { year: i16::try_from(year).ok()?, month, day, ..reference };
            // A reference without a time cannot resolve hours: only whole days count.
            let seconds = if reference.precision() == Precision::Day { seconds / 86_400 * 86_400 } else { seconds };
            let date = base.plus_seconds(-seconds)?;
            match finest {
                Unit::Day | Unit::Week => Some(date.without_time()),
                _ if reference.precision() == Precision::Day => Some(date),
                _ => date.with_time(date.hour, date.minute, None, date.offset),
            }
        }
    }
}
