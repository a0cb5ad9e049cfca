//! Delays between retries.
//!
//! Delays double with each attempt and are drawn between half and the whole of that value, so that clients that failed
//! together do not return together. They depend on a seed: equal runs use equal delays.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;

/// Longest delay reached by doubling.
const MAX_BACKOFF: Duration = Duration::from_secs(30);

/// Returns the delay before retry `attempt`, counted from 0. `salt` distinguishes the requests.
pub fn backoff(first: Duration, attempt: u32, seed: u64, salt: &str) -> Duration {
    let whole = first.saturating_mul(2u32.saturating_pow(attempt)).min(MAX_BACKOFF.max(first));
    // FNV-1a over the salt, then the finalizer of SplitMix64: both are short, and their quality hardly matters here.
    let mut state = salt
        .bytes()
        .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    state = state.wrapping_add(u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^= state >> 31;
    let share = 0.5 + (state >> 11) as f64 / (1u64 << 54) as f64;
    whole.mul_f64(share)
}

/// Returns the delay that `Retry-After` asks for, given in seconds or as a date. `None` if it is neither; zero if the
/// date has passed.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_with_jitter_from_the_seed() {
        let first = Duration::from_millis(500);
        for attempt in 0..5 {
            let whole = first * 2u32.pow(attempt);
            let mut waits = Vec::new();
            for seed in 0..100 {
                let wait = backoff(first, attempt, seed, "https://example.org/");
                assert!(wait >= whole / 2 && wait <= whole, "{attempt} {seed}: {wait:?}");
                assert_eq!(wait, backoff(first, attempt, seed, "https://example.org/"));
                waits.push(wait);
            }
            waits.sort();
            waits.dedup();
            assert!(waits.len() > 90, "{attempt}: {} different waits", waits.len());
            let mean = waits.iter().sum::<Duration>() / waits.len() as u32;
            assert!(mean > whole.mul_f64(0.68) && mean < whole.mul_f64(0.82), "{mean:?} of {whole:?}");
        }
        assert!(backoff(first, 1000, 0, "") <= MAX_BACKOFF);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let after = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            retry_after(&headers, now)
        };
        assert_eq!(after("120"), Some(Duration::from_secs(120)));
        assert_eq!(after(" 0 "), Some(Duration::ZERO));
        assert_eq!(after("Sun, 06 Nov 1994 08:50:07 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(after("Sunday, 06-Nov-94 08:50:07 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(after("Sat, 06 Nov 1993 08:50:07 GMT"), Some(Duration::ZERO));
        assert_eq!(after("soon"), None);
        assert_eq!(after("-1"), None);
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
