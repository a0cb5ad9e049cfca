//! The time of day.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// Returns the time in RFC 3339, to the second. `SOURCE_DATE_EPOCH` stands in for it where builds must repeat.
pub fn now() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let seconds = match fixed {
        Some(seconds) => seconds,
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs(),
    };
    // Beyond the year 9999, which RFC 3339 does not have, there are no timestamps.
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok().map(|time| time.to_string())
}

/// Returns the time in RFC 3339; a clock beyond the year 9999 gives its last second.
pub fn stamp() -> String {
    now().unwrap_or_else(|| "9999-12-31T23:59:59Z".to_owned())
}
