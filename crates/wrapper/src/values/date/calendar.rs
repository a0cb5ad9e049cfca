//! Calendar arithmetic: days, weeks, the Persian year.
//!
//! Days are numbered from 1970-01-01; years are counted from March, so that the leap day is the last day. Cost:
//! constant.

/// Returns `true` if February has 29 days.
fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days of a month; 0 if there is no such month.
pub(super) fn days_in_month(year: i32, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// Returns the number of days since 1970-01-01.
pub(super) fn day_number(year: i32, month: u8, day: u8) -> i64 {
    // Counted from March, the lengths of the months are linear: 153 days every five months.
    let shifted = (i64::from(month) + 9) % 12;
    let year = i64::from(year) - i64::from(month <= 2);
    let of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// Converts a day number to year, month and day.
pub(super) fn from_day_number(number: i64) -> (i32, u8, u8) {
    let number = number.clamp(-800_000, 3_000_000) + 719_468;
    let (cycle, of_cycle) = (number.div_euclid(146_097), number.rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u8;
    let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }) as u8;
    ((year + 400 * cycle) as i32 + i32::from(month <= 2), month, day)
}

/// Converts the 1st to 366th day of a year to month and day.
pub(super) fn from_ordinal(year: i32, ordinal: u32) -> Option<(u8, u8)> {
    if ordinal == 0 || ordinal > 365 + u32::from(is_leap(year)) {
        return None;
    }
    let (_, month, day) = from_day_number(day_number(year, 1, 1) + i64::from(ordinal) - 1);
    Some((month, day))
}

/// Converts an ISO week date; weekdays count from Monday, 1.
pub(super) fn from_week(year: i32, week: u32, weekday: u32) -> Option<(i32, u8, u8)> {
    // The week with 4 January is the first.
    let fourth = day_number(year, 1, 4);
    let monday = fourth - (fourth + 3).rem_euclid(7);
    let start = monday + 7 * (i64::from(week) - 1);
    // A year has a 53rd week only if that week's Thursday is still in it.
    let (thursday_year, ..) = from_day_number(start + 3);
    ((1..=53).contains(&week) && (1..=7).contains(&weekday) && thursday_year == year)
        .then(|| from_day_number(start + i64::from(weekday) - 1))
}

/// Converts a day of the Persian solar calendar to the Gregorian calendar, by its cycle of 33 years (exact from 1244
/// to 1472).
pub(super) fn from_persian(year: i32, month: u8, day: u8) -> Option<(i32, u8, u8)> {
    let year_days = |year: i32| {
        let (cycle, rest) = (i64::from(year.div_euclid(33)), i64::from(year.rem_euclid(33)));
        // Leap years are the 1st, 5th, 9th, 13th, 17th, 22nd, 26th and 30th of a cycle.
        let leaps = [1, 5, 9, 13, 17, 22, 26, 30].into_iter().filter(|&leap| leap < rest).count() as i64;
        cycle * (33 * 365 + 8) + rest * 365 + leaps
    };
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + (year_days(year + 1) - year_days(year) - 365) as u8,
        _ => 0,
    };
    if !(1244..=1472).contains(&year) || day == 0 || day > length {
        return None;
    }
    let before = if month <= 7 { 31 * (i64::from(month) - 1) } else { 186 + 30 * (i64::from(month) - 7) };
    // 1 Farvardin 1403 was 20 March 2024.
    let anchor = day_number(2024, 3, 20) - year_days(1403);
    Some(from_day_number(anchor + year_days(year) + before + i64::from(day) - 1))
}

#[cfg(test)]
mod tests {
    use super::{day_number, days_in_month, from_day_number, from_ordinal, from_persian, from_week};

    #[test]
    fn day_numbers_go_both_ways() {
        assert_eq!(day_number(1970, 1, 1), 0);
        assert_eq!(day_number(2000, 3, 1), 11_017);
        let mut expected = day_number(1599, 12, 31);
        for year in 1600..2400 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    expected += 1;
                    assert_eq!(day_number(year, month, day), expected);
                    assert_eq!(from_day_number(expected), (year, month, day));
                }
            }
        }
    }

    #[test]
    fn weeks_and_ordinals() {
        assert_eq!(from_week(2013, 27, 4), Some((2013, 7, 4)));
        assert_eq!(from_week(2009, 1, 1), Some((2008, 12, 29)));
        assert_eq!(from_week(2009, 53, 7), Some((2010, 1, 3)));
        assert_eq!(from_week(2010, 53, 1), None);
        assert_eq!(from_week(2010, 0, 1), None);
        assert_eq!(from_ordinal(2013, 185), Some((7, 4)));
        assert_eq!(from_ordinal(2012, 366), Some((12, 31)));
        assert_eq!(from_ordinal(2013, 366), None);
    }

    #[test]
    fn persian_years() {
        for (persian, expected) in [
            ((1403, 1, 1), Some((2024, 3, 20))),
            ((1400, 1, 1), Some((2021, 3, 21))),
            ((1357, 11, 22), Some((1979, 2, 11))),
            ((1399, 12, 30), Some((2021, 3, 20))),
            ((1400, 12, 30), None),
            ((1402, 7, 31), None),
            ((2024, 1, 1), None),
        ] {
            assert_eq!(from_persian(persian.0, persian.1, persian.2), expected, "{persian:?}");
        }
    }
}
