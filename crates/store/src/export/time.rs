//! Conversion of times: the store uses RFC 3339, values from pages ISO 8601.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Returns the milliseconds since 1970, or `None` if the text is not a time in RFC 3339.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    text.parse::<Timestamp>().ok().map(|time| time.as_millisecond())
}

/// Returns the moment of a date with any precision: its beginning, and UTC if no offset is given.
pub(crate) fn moment(text: &str) -> Option<Zoned> {
    let utc = |date: DateTime| date.to_zoned(TimeZone::UTC).ok();
    if let Ok(time) = text.parse::<Timestamp>() {
        // Keep the offset given on the page.
        let offset = jiff::fmt::temporal::Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
        return Some(time.to_zoned(offset.map_or(TimeZone::UTC, TimeZone::fixed)));
    }
    if let Ok(date) = text.parse::<DateTime>() {
        return utc(date);
    }
    let (year, month) = text.split_once('-').unwrap_or((text, "01"));
    if year.len() != 4 || month.len() != 2 {
        return None;
    }
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
    utc(date.to_datetime(jiff::civil::Time::midnight()))
}

/// Formats a time for Atom.
pub(super) fn rfc3339(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Formats a time for RSS.
pub(super) fn rfc2822(moment: &Zoned) -> String {
    moment.strftime("%a, %d %b %Y %H:%M:%S %z").to_string()
}

/// Returns year, month and day of a text that is a complete date without a time.
pub(super) fn day(text: &str) -> Option<(u16, u8, u8)> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let date: Date = text.parse().ok()?;
    Some((date.year().try_into().ok()?, date.month().try_into().ok()?, date.day().try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_any_precision_are_moments() {
        let cases = [
            ("2026", "2026-01-01T00:00:00+00:00"),
            ("2026-11", "2026-11-01T00:00:00+00:00"),
            ("2026-11-16", "2026-11-16T00:00:00+00:00"),
            ("2026-11-16T09:30", "2026-11-16T09:30:00+00:00"),
            ("2026-11-16T09:30:15", "2026-11-16T09:30:15+00:00"),
            ("2026-11-16T09:30:15.25Z", "2026-11-16T09:30:15+00:00"),
            ("2026-11-16T09:30:15-05:00", "2026-11-16T09:30:15-05:00"),
            ("2026-11-16T09:30+01:00", "2026-11-16T09:30:00+01:00"),
        ];
        for (text, expected) in cases {
            assert_eq!(moment(text).map(|moment| rfc3339(&moment)).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "soon", "11-16", "2026-13", "2026-11-31", "20261", "+002026-11", "2026-1"] {
            assert_eq!(moment(text), None, "{text}");
        }
        assert_eq!(rfc2822(&moment("2026-11-16T09:30:15-05:00").unwrap()), "Mon, 16 Nov 2026 09:30:15 -0500");
    }

    #[test]
    fn only_full_days_are_days() {
        assert_eq!(day("2026-11-16"), Some((2026, 11, 16)));
        for text in ["2026-11", "2026-11-16T09:30", "2026-02-30", "20261116", "2026-11-1é"] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_the_store() {
        assert_eq!(milliseconds("2026-11-16T09:30:15.250Z"), Some(1_794_821_415_250));
        assert_eq!(milliseconds("2026-11-16"), None);
    }
}
