//! Days, and the weeks that they are in as ISO 8601 counts them: from Monday, and week 1 has the year's first Thursday.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, ISOWeekDate, Weekday};

/// Weeks that a week may be moved by; beyond are no years of four digits.
const MOST_WEEKS: i64 = 600_000;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// A week, from Monday to Sunday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    monday: Day,
}

/// Some days, the last of them among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub until: Day,
}

impl Day {
    /// The day at the beginning of a text: `2026-11-17`, perhaps with a time behind it.
    pub fn parse(text: &str) -> Option<Day> {
        let text = text.get(..10)?;
        let day = Day(text.parse().ok()?);
        // Other ways to write a day are not meant.
        (day.to_string() == text).then_some(day)
    }

    /// The week that it is in.
    pub fn week(self) -> Week {
        Week { monday: self.plus(-i64::from(self.0.weekday().to_monday_zero_offset())) }
    }

    /// The day that is so many later, or earlier; at the ends of time, the last or the first one.
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
    /// `2026-W47`, or the week of a day.
    pub fn parse(text: &str) -> Option<Week> {
        let Some((year, number)) = text.split_once("-W") else { return Day::parse(text).map(Day::week) };
        let monday = ISOWeekDate::new(year.parse().ok()?, number.parse().ok()?, Weekday::Monday).ok()?;
        let week = Week { monday: Day(monday.date()) };
        (week.to_string() == text).then_some(week)
    }

    /// Its Monday.
    pub fn first(self) -> Day {
        self.monday
    }

    /// Its Sunday.
    pub fn last(self) -> Day {
        self.monday.plus(6)
    }

    /// The week that is so many later, or earlier.
    #[must_use]
    pub fn plus(self, weeks: i64) -> Week {
        Week { monday: self.monday.plus(weeks.saturating_mul(7)) }
    }

    /// How many weeks later it is than another.
    pub fn since(self, other: Week) -> i64 {
        self.monday.0.duration_since(other.monday.0).as_hours() / (24 * 7)
    }

    /// All of it.
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
    /// Whether a day is one of them.
    pub fn has(self, day: Day) -> bool {
        self.from <= day && day <= self.until
    }

    /// The week, if it is one.
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
        // The turns of years.
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
        // The ends of time are as far as it goes.
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
