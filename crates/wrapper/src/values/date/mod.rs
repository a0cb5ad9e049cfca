//! Dates as people and machines write them, in many languages.
//!
//! [`parse`] reads a text that is a date, possibly with a label around it; [`find`] searches for one in free text.
//! Both read ISO 8601, RFC 822 and 2822, RFC 850, `asctime`, numeric dates in the orders of the world, dates with
//! month names, the marks and eras of Chinese, Japanese and Korean, Thai and Persian years, and times with zones. If
//! [`Hints::reference`] gives the time of the page, they also read "yesterday", "3 hours ago", and dates without a
//! year.
//!
//! # Rules
//!
//! - The result has the precision that was written: "March 2024" is `2024-03`. Fractions of a second are dropped.
//! - `4/7/2013`: the valid interpretation, if there is only one (`31/12/2013`); else [`Hints::day_first`]; else the
//!   language: month first in English (unless its region is not the United States, the Philippines or Canada),
//!   Chinese (but not in Hong Kong), Japanese and Korean, day first in all others. Without a language, month first
//!   with slashes, day first with dashes and dots.
//! - Two-digit years below 50 are 20xx, others 19xx (RFC 2822). `99/12/31` begins with its year; so does `13/07/04`
//!   in Chinese, Japanese, Korean, Hungarian and Basque.
//! - Without a year: the latest such day up to one day after the reference.
//! - "2 months ago" is a month, "3 years ago" a year, "5 days ago" a day, "3 hours ago" a minute if the reference has
//!   one.
//! - A week date without a day (`2013-W27`) is its Monday.
//! - An abbreviated zone shared by two parts of the world is read as the North American one (`CST`), `IST` as
//!   India's.
//! - Numbers alone (Unix times of 10 or 13 digits, `2013`, `07/2013`, `2013-185`) are dates only if they are the
//!   whole text, and only for `parse`.
//!
//! # Cost
//!
//! Linear: from each token, a bounded number of tokens is examined.

mod calendar;
mod clock;
mod named;
mod numeric;
mod read;
mod relative;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use super::Hints;
pub(super) use read::known_day_first;

/// The precision of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// A year.
    Year,
    /// A month of a year.
    Month,
    /// A day.
    Day,
    /// A day with hour and minute.
    Minute,
    /// A day with hour, minute and second.
    Second,
}

/// A calendar date with the precision that was written, and an offset from UTC if one was given.
///
/// Dates are ordered by the instant at which they begin; without an offset, UTC is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    year: i16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    precision: Precision,
    offset: Option<i16>,
}

impl Date {
    /// Creates a day; `None` if there is no such day.
    pub fn from_day(year: i32, month: u8, day: u8) -> Option<Date> {
        if !(1..=12).contains(&month) || day == 0 || day > calendar::days_in_month(year, month) {
            return None;
        }
        let date = Date::from_month(year, month)?;
        Some(Date { day, precision: Precision::Day, ..date })
    }

    /// Creates a month of a year.
    pub fn from_month(year: i32, month: u8) -> Option<Date> {
        let date = Date::from_year(year)?;
        (1..=12).contains(&month).then_some(Date { month, precision: Precision::Month, ..date })
    }

    /// Creates a year, 1 to 9999.
    pub fn from_year(year: i32) -> Option<Date> {
        let year = i16::try_from(year).ok().filter(|year| (1..=9999).contains(year))?;
        Some(Date { year, month: 1, day: 1, hour: 0, minute: 0, second: 0, precision: Precision::Year, offset: None })
    }

    /// Creates the instant so many seconds after the beginning of 1970, in UTC.
    pub fn from_unix(seconds: i64) -> Option<Date> {
        let (year, month, day) = calendar::from_day_number(seconds.div_euclid(86_400));
        let second = seconds.rem_euclid(86_400) as u32;
        let date = Date::from_day(year, month, day)?;
        let clock = (second / 3600) as u8;
        date.with_time(clock, (second / 60 % 60) as u8, Some((second % 60) as u8), Some(0))
    }

    /// Adds a time; `None` if the date has no day or there is no such time.
    pub fn with_time(self, hour: u8, minute: u8, second: Option<u8>, offset_minutes: Option<i16>) -> Option<Date> {
        let valid = self.precision >= Precision::Day && hour < 24 && minute < 60 && second.unwrap_or(0) <= 60;
        let precision = if second.is_some() { Precision::Second } else { Precision::Minute };
        let second = second.unwrap_or(0);
        let offset = offset_minutes;
        (valid && offset.is_none_or(|minutes| minutes.abs() < 1440)).then_some(Date {
            hour,
            minute,
            second,
            precision,
            offset,
            ..self
        })
    }

    /// Returns the year.
    pub fn year(self) -> i32 {
        self.year.into()
    }

    /// Returns the month, 1 to 12, if written.
    pub fn month(self) -> Option<u8> {
        (self.precision >= Precision::Month).then_some(self.month)
    }

    /// Returns the day of the month, if written.
    pub fn day(self) -> Option<u8> {
        (self.precision >= Precision::Day).then_some(self.day)
    }

    /// Returns the hour, 0 to 23, if written.
    pub fn hour(self) -> Option<u8> {
        (self.precision >= Precision::Minute).then_some(self.hour)
    }

    /// Returns the minute, if written.
    pub fn minute(self) -> Option<u8> {
        (self.precision >= Precision::Minute).then_some(self.minute)
    }

    /// Returns the second, if written.
    pub fn second(self) -> Option<u8> {
        (self.precision >= Precision::Second).then_some(self.second)
    }

    /// Returns the offset in minutes east of Greenwich, if written.
    pub fn offset_minutes(self) -> Option<i16> {
        self.offset
    }

    /// Returns the precision that was written.
    pub fn precision(self) -> Precision {
        self.precision
    }

    /// Returns the date without its time.
    #[must_use]
    pub fn without_time(self) -> Date {
        let precision = self.precision.min(Precision::Day);
        Date { hour: 0, minute: 0, second: 0, offset: None, precision, ..self }
    }

    /// Returns the number of days since 1970-01-01.
    fn day_number(self) -> i64 {
        calendar::day_number(self.year(), self.month, self.day)
    }

    /// Returns the number of seconds since the beginning of 1970, assuming UTC where no offset is given.
    fn instant(self) -> i64 {
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute) - i64::from(self.offset.unwrap_or(0));
        self.day_number() * 86_400 + minutes * 60 + i64::from(self.second)
    }

    /// Returns the date this many seconds later, with the same offset and precision.
    fn plus_seconds(self, seconds: i64) -> Option<Date> {
        let local = self.instant() + i64::from(self.offset.unwrap_or(0)) * 60 + seconds;
        let moved = Date::from_unix(local)?;
        Some(Date { precision: self.precision, offset: self.offset, ..moved })
    }
}

impl Ord for Date {
    fn cmp(&self, other: &Date) -> Ordering {
        let key = |date: &Date| (date.instant(), date.precision, date.offset, date.year, date.month, date.day);
        let clock = |date: &Date| (date.hour, date.minute, date.second);
        key(self).cmp(&key(other)).then_with(|| clock(self).cmp(&clock(other)))
    }
}

impl PartialOrd for Date {
    fn partial_cmp(&self, other: &Date) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Formats as ISO 8601, with the precision that was written.
impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}", self.year)?;
        if self.precision >= Precision::Month {
            write!(out, "-{:02}", self.month)?;
        }
        if self.precision >= Precision::Day {
            write!(out, "-{:02}", self.day)?;
        }
        if self.precision >= Precision::Minute {
            write!(out, "T{:02}:{:02}", self.hour, self.minute)?;
        }
        if self.precision >= Precision::Second {
            write!(out, ":{:02}", self.second)?;
        }
        match self.offset {
            None => Ok(()),
            Some(0) => out.write_str("Z"),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                write!(out, "{sign}{:02}:{:02}", offset.unsigned_abs() / 60, offset.unsigned_abs() % 60)
            }
        }
    }
}

/// Parses a text that is a date, possibly with a label, a weekday or the like around it; the first date if there are
/// several.
pub fn parse(text: &str, hints: &Hints) -> Option<Date> {
    if !read::may_hold_date(text, hints) {
        return None;
    }
    read::Reader::new(text, hints, false).read().map(|(date, _)| date)
}

/// Finds the first date in free text, with its byte range. A full date is preferred to a month ("Archives, May 2020:
/// 3 May 2021").
pub fn find(text: &str, hints: &Hints) -> Option<(Date, Range<usize>)> {
    if !read::may_hold_date(text, hints) {
        return None;
    }
    read::Reader::new(text, hints, true).read()
}
