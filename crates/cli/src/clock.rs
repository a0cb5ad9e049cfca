//! What time it is.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// The time, as RFC 3339 has it, to the second. `SOURCE_DATE_EPOCH` stands in for it where builds must repeat.
pub(crate) fn now() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let seconds = match fixed {
        Some(seconds) => seconds,
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs(),
    };
    // Beyond the year 9999, which RFC 3339 does not have, there are no timestamps.
    Timestamp::from_second(i64::try_from(seconds).ok()?).ok().map(|time| time.to_string())
}
