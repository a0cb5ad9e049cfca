//! Days and ISO 8601 weeks, which begin on Monday; week 1 contains the year's first Thursday.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, ISOWeekDate, Weekday};

/// Largest number of weeks by which a week may be moved; beyond that, years have more than four digits.
const MOST_WEEKS: i64 = 600_000;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// A week, from Monday to Sunday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    monday: Day,
}

/// A range of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First day.
    pub from: Day,
    /// Last day.
    pub until: Day,
}

impl Day {
    /// Parses the day at the beginning of a text: `2026-11-17`, optionally followed by a time.
    pub fn parse(text: &str) -> Option<Day> {
        let text = text.get(..10)?;
        let day = Day(text.parse().ok()?);
        // Rejects other notations that the parser accepts.
        (day.to_string() == text).then_some(day)
    }

    /// Returns the week that contains the day.
    pub fn week(self) -> Week {
        Week { monday: self.plus(-i64::from(self.0.weekday().to_monday_zero_offset())) }
    }

    /// Returns the day this many days later (or earlier), limited to the supported range.
    fn plus(self, days: i64) -> Day {
        let days = days.clamp(-7 * MOST_WEEKS, 7 * MOST_WEEKS);
        Day(self.0.saturating_add(SignedDuration::from_hours(24 * days)))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Week {
    /// Parses a week such as `2026-W47`, or returns the week of a day.
    pub fn parse(text: &str) -> Option<Week> {
        let Some((year, number)) = text.split_once("-W") else { return Day::parse(text).map(Day::week) };
        let monday = ISOWeekDate::new(year.parse().ok()?, number.parse().ok()?, Weekday::Monday).ok()?;
        let week = Week { monday: Day(monday.date()) };
        (week.to_string() == text).then_some(week)
    }

    /// Returns the Monday of the week.
    pub fn first(self) -> Day {
        self.monday
    }

    /// Returns the Sunday of the week.
    pub fn last(self) -> Day {
        self.monday.plus(6)
    }

    /// Returns the week this many weeks later, or earlier.
    #[must_use]
    pub fn plus(self, weeks: i64) -> Week {
        Week { monday: self.monday.plus(weeks.saturating_mul(7)) }
    }

    /// Returns the number of weeks between another week and this one.
    pub fn since(self, other: Week) -> i64 {
        self.monday.0.duration_since(other.monday.0).as_hours() / (24 * 7)
    }

    /// Returns the week as a period.
    pub fn period(self) -> Period {
        Period { from: self.first(), until: self.last() }
    }
}

impl fmt::Display for Week {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let week = self.monday.0.iso_week_date();
        write!(f, "{:04}-W{:02}", week.year(), week.week())
    }
}

impl Period {
    /// Reports whether a day is in the period.
    pub fn has(self, day: Day) -> bool {
        self.from <= day && day <= self.until
    }

    /// Returns the week, if the period is exactly one.
    pub fn week(self) -> Option<Week> {
        Some(self.from.week()).filter(|week| week.period() == self)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.week() {
            Some(week) => write!(f, "week {week}, {} to {}", self.from, self.until),
            None => write!(f, "{} to {}", self.from, self.until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn week(day: &str) -> String {
        Day::parse(day).unwrap().week().to_string()
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        assert_eq!(week("2026-11-17"), "2026-W47");
        assert_eq!(week("2026-11-16T00:00:00Z"), "2026-W47");
        assert_eq!(week("2026-11-15"), "2026-W46");
        // Around the turn of the year.
        assert_eq!(week("2021-01-03"), "2020-W53");
        assert_eq!(week("2021-01-04"), "2021-W01");
        assert_eq!(week("2024-12-30"), "2025-W01");
        assert_eq!(week("2027-01-01"), "2026-W53");
        assert_eq!(week("1969-12-28"), "1969-W52");
        assert_eq!(week("2000-02-29"), "2000-W09");
    }

    #[test]
    fn weeks_are_read_as_they_are_written() {
        let mut week = Week::parse("1999-W52").unwrap();
        for _ in 0..3_000 {
            assert_eq!(Week::parse(&week.to_string()), Some(week));
            assert_eq!(Week::parse(&week.first().to_string()), Some(week));
            assert_eq!(Week::parse(&week.last().to_string()), Some(week));
            assert_eq!(week.plus(1).first(), week.last().plus(1));
            week = week.plus(1);
        }
        assert_eq!(week.since(Week::parse("1999-W52").unwrap()), 3_000);
        // Results are limited to the supported range.
        assert_eq!(week.plus(i64::MAX).last().to_string(), "9999-12-31");
        for wrong in [
            "2026-W54",
            "2026-W00",
            "2025-W53",
            "2026-W1",
            "2026-47",
            "2026-02-30",
            "2026-13-01",
            "",
            "é026-01-01",
            "+026-01-01",
        ] {
            assert_eq!(Week::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_period_says_what_it_is() {
        let week = Week::parse("2026-W47").unwrap();
        assert_eq!(week.period().to_string(), "week 2026-W47, 2026-11-16 to 2026-11-22");
        let other = Period { from: week.first(), until: week.plus(1).first() };
        assert_eq!(other.to_string(), "2026-11-16 to 2026-11-23");
        assert!(other.has(week.last()) && !week.period().has(other.until));
    }
}
