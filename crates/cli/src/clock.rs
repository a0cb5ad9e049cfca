//! What time it is.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time, as RFC 3339 has it, to the second. `SOURCE_DATE_EPOCH` stands in for it where builds must repeat.
pub(crate) fn now() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let seconds = match fixed {
        Some(seconds) => seconds,
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs(),
    };
    // RFC 3339 has years of four digits.
    (seconds < 253_402_300_800).then(|| rfc3339(seconds))
}

fn rfc3339(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March: the leap day is the last of them, and all else is division.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3_600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_763_283_661), "2025-11-16T09:01:01Z");
        assert_eq!(rfc3339(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
