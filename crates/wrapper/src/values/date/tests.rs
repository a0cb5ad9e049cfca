//! The type's own behaviour; the ways to write dates are tables in `values/tests`.

use super::{Date, Precision, parse};
use crate::values::Hints;

fn date(text: &str) -> Date {
    parse(text, &Hints::default()).expect(text)
}

#[test]
fn dates_order_by_instant() {
    assert!(date("2013-07-04T10:00+02:00") < date("2013-07-04T09:00Z"));
    assert!(date("2013") < date("2013-02"));
    assert!(date("2013-07-04") < date("2013-07-04T00:01"));
    assert_eq!(date("2013-07-04").cmp(&date("4 July 2013")), std::cmp::Ordering::Equal);
}

#[test]
fn parts_are_there_as_far_as_written() {
    let full = date("2013-07-04T10:30:05-04:00");
    assert_eq!((full.year(), full.month(), full.day()), (2013, Some(7), Some(4)));
    assert_eq!((full.hour(), full.minute(), full.second()), (Some(10), Some(30), Some(5)));
    assert_eq!((full.offset_minutes(), full.precision()), (Some(-240), Precision::Second));
    assert_eq!(full.without_time().to_string(), "2013-07-04");
    let month = date("July 2013");
    assert_eq!((month.month(), month.day(), month.hour(), month.precision()), (Some(7), None, None, Precision::Month));
}

#[test]
fn what_does_not_exist_cannot_be_made() {
    assert_eq!(Date::from_day(2013, 2, 29), None);
    assert_eq!(Date::from_day(2013, 13, 1), None);
    assert_eq!(Date::from_month(2013, 0), None);
    assert_eq!(Date::from_year(0), None);
    assert_eq!(Date::from_year(10_000), None);
    assert_eq!(Date::from_day(2012, 2, 29).and_then(|day| day.with_time(24, 0, None, None)), None);
    assert_eq!(Date::from_unix(i64::MAX), None);
    assert_eq!(Date::from_unix(i64::MIN), None);
}

#[test]
fn display_is_iso() {
    for text in
        ["2026", "2026-11", "2026-11-15", "2026-11-15T09:30", "2026-11-15T09:30:00Z", "2026-11-15T09:30:00+01:00"]
    {
        assert_eq!(date(text).to_string(), text);
    }
}
