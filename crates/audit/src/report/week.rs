//! Days, and the weeks that they are in as ISO 8601 counts them: from Monday, and week 1 has the year's first Thursday.

use std::fmt;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(
    /// Since 1970-01-01.
    i64,
);

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
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i64>().ok())?;
        let (year, month, day) = (number(text.get(..4)?)?, number(text.get(5..7)?)?, number(text.get(8..10)?)?);
        let day = Day::new(year, month, day);
        // What is no day of the calendar is written differently.
        (day.to_string() == text).then_some(day)
    }

    /// Years that begin in March: the leap day is the last of them, and all else is division.
    fn new(year: i64, month: i64, day: i64) -> Day {
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * month + 2) / 5 + day - 1;
        Day(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    /// Year, month and day.
    fn civil(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        (era * 400 + year + i64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 }, day)
    }

    /// The week that it is in.
    pub fn week(self) -> Week {
        // 1970-01-01 was a Thursday.
        Week { monday: Day(self.0 - (self.0 + 3).rem_euclid(7)) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl Week {
    /// `2026-W47`, or the week of a day.
    pub fn parse(text: &str) -> Option<Week> {
        let Some((year, number)) = text.split_once("-W") else { return Day::parse(text).map(Day::week) };
        let number = (number.len() == 2).then(|| number.parse::<i64>().ok())?.filter(|number| *number >= 1)?;
        // The fourth of January is always in the first week.
        let first = Day::parse(&format!("{year}-01-04"))?.week();
        let week = Week { monday: Day(first.monday.0 + 7 * (number - 1)) };
        (week.to_string() == text).then_some(week)
    }

    /// Its Monday.
    pub fn first(self) -> Day {
        self.monday
    }

    /// Its Sunday.
    pub fn last(self) -> Day {
        Day(self.monday.0 + 6)
    }

    /// The week that is so many later, or earlier.
    #[must_use]
    pub fn plus(self, weeks: i64) -> Week {
        Week { monday: Day(self.monday.0.saturating_add(weeks.saturating_mul(7))) }
    }

    /// How many weeks later it is than another.
    pub fn since(self, other: Week) -> i64 {
        (self.monday.0 - other.monday.0) / 7
    }

    /// All of it.
    pub fn period(self) -> Period {
        Period { from: self.first(), until: self.last() }
    }
}

impl fmt::Display for Week {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A week is its Thursday's year's.
        let (year, ..) = Day(self.monday.0 + 3).civil();
        let first = Day::new(year, 1, 4).week();
        write!(f, "{year:04}-W{:02}", self.since(first) + 1)
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
            assert_eq!(week.plus(1).first().0, week.last().0 + 1);
            week = week.plus(1);
        }
        assert_eq!(week.since(Week::parse("1999-W52").unwrap()), 3_000);
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
