//! The days that a report is about.

use crate::report::{Day, Period, Week};
use miette::Diagnostic;

/// An error in the days of a report.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum PeriodError {
    #[error("{from} comes after {until}")]
    #[diagnostic(code(report::no_time), help("--since is the first day, --until the last"))]
    Reversed { from: Day, until: Day },
}

/// The days that are asked for. What is left out is the last week in which there was anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct PeriodRequest {
    /// A week.
    pub week: Option<Week>,
    /// The first day.
    pub since: Option<Day>,
    /// The last day.
    pub until: Option<Day>,
}

impl PeriodRequest {
    /// Returns the days; `last` is the last week in which there was anything.
    pub fn period(&self, last: Week) -> Result<Period, PeriodError> {
        let (from, until) = match (self.since, self.until) {
            (None, None) => return Ok(self.week.unwrap_or(last).period()),
            (Some(from), None) => (from, last.last().max(from)),
            (from, Some(until)) => (from.unwrap_or_else(|| until.week().first()), until),
        };
        if from <= until { Ok(Period { from, until }) } else { Err(PeriodError::Reversed { from, until }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(week: &str, since: &str, until: &str) -> Result<String, String> {
        let day = |text: &str| Day::parse(text);
        let asked = PeriodRequest { week: Week::parse(week), since: day(since), until: day(until) };
        let last = Week::parse("2026-W47").unwrap();
        asked.period(last).map(|period| period.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_not_said_is_the_last_week() {
        assert_eq!(asked("", "", "").unwrap(), "week 2026-W47, 2026-11-16 to 2026-11-22");
        assert_eq!(asked("2026-11-15", "", "").unwrap(), "week 2026-W46, 2026-11-09 to 2026-11-15");
        assert_eq!(asked("", "2026-11-01", "").unwrap(), "2026-11-01 to 2026-11-22");
        assert_eq!(asked("", "2026-12-01", "").unwrap(), "2026-12-01 to 2026-12-01");
        assert_eq!(asked("", "", "2026-11-18").unwrap(), "2026-11-16 to 2026-11-18");
        assert_eq!(asked("", "2026-10-01", "2026-10-31").unwrap(), "2026-10-01 to 2026-10-31");
        assert_eq!(asked("", "2026-11-02", "2026-11-01").unwrap_err(), "2026-11-02 comes after 2026-11-01");
    }
}
