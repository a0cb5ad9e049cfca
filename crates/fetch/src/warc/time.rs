//! Times in archives: `2026-11-16T09:30:00.250Z` in records, `20261116093000` in lists.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;

/// Parses a time in UTC. Parts may be missing at the end: a year alone means its first second.
pub(super) fn read(text: &str) -> Option<SystemTime> {
    let mut digits = text.trim().bytes().filter(u8::is_ascii_digit);
    let mut number = |length: usize, missing: i64| -> Option<i64> {
        let mut value = 0;
        for at in 0..length {
            match digits.next() {
                Some(digit) => value = value * 10 + i64::from(digit - b'0'),
                None => return (at == 0).then_some(missing),
            }
        }
        Some(value)
    };
    let year = number(4, -1)?;
    let (month, day) = (number(2, 1)?, number(2, 1)?);
    let (hour, minute, second) = (number(2, 0)?, number(2, 0)?, number(2, 0)?);
    let fields = [(year, 1..=9999), (month, 1..=12), (day, 1..=31), (hour, 0..=24), (minute, 0..=59), (second, 0..=60)];
    if fields.iter().any(|(value, range)| !range.contains(value)) {
        return None;
    }
    let mut nanos = 0;
    if let Some((_, fraction)) = text.split_once('.') {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).chain(std::iter::repeat(b'0')).take(9);
        nanos = digits.fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    }
    let seconds = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    let whole = Duration::new(seconds.unsigned_abs(), 0);
    let time = if seconds < 0 { UNIX_EPOCH.checked_sub(whole) } else { UNIX_EPOCH.checked_add(whole) };
    time?.checked_add(Duration::new(0, nanos))
}

/// Formats a time for a record, in milliseconds.
pub(super) fn write(time: SystemTime) -> String {
    let millis = millis(time).clamp(-62_135_596_800_000, 253_402_300_799_999);
    let (seconds, millis) = (millis.div_euclid(1000), millis.rem_euclid(1000));
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let mut text = String::with_capacity(24);
    let _ = write!(text, "{year:04}-{month:02}-{day:02}T");
    let _ = write!(text, "{:02}:{:02}:{:02}.{millis:03}Z", second / 3600, second / 60 % 60, second % 60);
    text
}

/// Converts a time to milliseconds since 1970.
pub(super) fn millis(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos().div_ceil(1_000_000)).map_or(i64::MIN, |millis| -millis)
        }
    }
}

/// Returns the number of days from 1970 to a date. Years are counted from March, so that the leap day is the last day
/// of a year; every 400 years have the same number of days.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the date for a number of days since 1970: year, month, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, seconds: i64, written: &str) {
        let time = read(text).expect("a time");
        assert_eq!(millis(time).div_euclid(1000), seconds, "{text}");
        assert_eq!(write(time), written);
    }

    #[test]
    fn the_two_forms() {
        check("2026-11-16T09:30:00Z", 1_794_821_400, "2026-11-16T09:30:00.000Z");
        check("20261116093000", 1_794_821_400, "2026-11-16T09:30:00.000Z");
        check("2016-09-19T17:20:24.25Z", 1_474_305_624, "2016-09-19T17:20:24.250Z");
        check("1969-12-31T23:59:59.5Z", -1, "1969-12-31T23:59:59.500Z");
        check("2000-02-29", 951_782_400, "2000-02-29T00:00:00.000Z");
        check("1996", 820_454_400, "1996-01-01T00:00:00.000Z");
    }

    #[test]
    fn nonsense_is_no_time() {
        for text in ["", "x", "20", "2026-13-01", "2026-1", "0000-01-01", "2026-11-16T25:00:00Z"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_reads_back() {
        for day in (-200_000..200_000).step_by(17) {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
    }
}
