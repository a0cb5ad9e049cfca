//! Dates as feeds write them.
//!
//! The formats require RFC 822 (RSS) or RFC 3339 (Atom, Dublin Core). Feeds use both in each other's place, with
//! parts missing, swapped or out of range, and a dozen habits of single programs or countries. The forms found in
//! feeds are tried one after the other, the strictest first; then `windrow-wrapper`'s date parser for all languages.
//!
//! A date without a zone is compared as UTC, but no zone is added to it; dates with the day named in Hangul, as
//! Korean programs write them, are in Korean time.

use windrow_wrapper::values::Hints;
use windrow_wrapper::values::date::{self, Date, Precision};

/// Largest length of a date in bytes. The longest real ones have forty.
const LONGEST: usize = 200;

/// Parses a date in any of the forms that feeds use.
///
/// ```
/// let iso = |text| windrow_feed::parse_date(text).map(|date| date.to_string());
/// assert_eq!(iso("Thu, 01 Jan 2004 19:48:21 EST").as_deref(), Some("2004-01-01T19:48:21-05:00"));
/// assert_eq!(iso("2003-12-31T10:14:55.7Z").as_deref(), Some("2003-12-31T10:14:55Z"));
/// assert_eq!(iso("2003-12").as_deref(), Some("2003-12"));
/// assert_eq!(iso("soon"), None);
/// ```
pub fn parse(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    let tokens: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || c == ',').filter(|token| !token.is_empty()).collect();
    w3c(&lower)
        .or_else(|| rfc822(&tokens))
        .or_else(|| ordinal(&lower))
        .or_else(|| asctime(&tokens))
        .or_else(|| slashes(&tokens))
        .or_else(|| korean(&tokens))
        .or_else(|| any(text))
}

/// Parses a day in any language. A month or year alone would be a mere guess.
fn any(text: &str) -> Option<Date> {
    date::parse(text, &Hints::default()).filter(|date| date.precision() >= Precision::Day)
}

/// Parses `2003-12-31T10:14:55Z`, `20031231`, and incomplete forms: a year, a month, a space for the `T`, no zone.
fn w3c(text: &str) -> Option<Date> {
    let (day, rest) = match text.find(|c: char| c == 't' || c.is_whitespace()) {
        Some(at) => (&text[..at], text[at..].trim_start_matches(|c: char| c == 't' || c.is_whitespace())),
        None => (text, ""),
    };
    let written = day;
    let mut parts = day.splitn(3, '-');
    let first = parts.next()?;
    let day = match (first.len(), parts.next()) {
        (4, None) => Date::from_year(number(first)?)?,
        // `2004-július-13`: the month is a name.
        (4, Some(month)) if number(first).is_some() && month.starts_with(char::is_alphabetic) => {
            any(written)?.without_time()
        }
        (4, Some(month)) => {
            // `2003-012-31`: a month that was padded twice.
            let month = if month.len() == 3 { month.strip_prefix('0')? } else { month };
            let (year, month) = (number(first)?, number(month)?);
            match parts.next() {
                Some(day) => Date::from_day(year, month.try_into().ok()?, number(day)?.try_into().ok()?)?,
                None => Date::from_month(year, month.try_into().ok()?)?,
            }
        }
        (2, Some(month)) => {
            let day = parts.next()?;
            let month = number(month)?.try_into().ok()?;
            Date::from_day(2000 + number(first)?, month, number(day)?.try_into().ok()?)?
        }
        (8, None) if first.is_ascii() => {
            let (month, day) = (number(&first[4..6])?, number(&first[6..])?);
            Date::from_day(number(&first[..4])?, month.try_into().ok()?, day.try_into().ok()?)?
        }
        _ => return None,
    };
    if rest.is_empty() {
        return Some(day);
    }
    let clock = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | ','))).unwrap_or(rest.len());
    let (clock, zone) = (&rest[..clock], rest[clock..].trim());
    let zone = zone.split_whitespace().next().unwrap_or_default();
    with_clock(day, clock, if zone.is_empty() { None } else { Some(offset(zone)?) })
}

/// Parses `Thu, 01 Jan 2004 19:48:21 GMT`: the weekday, the time and the zone may be missing, day and month swapped.
fn rfc822(tokens: &[&str]) -> Option<Date> {
    let tokens = without_weekday(tokens);
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    let (day, month) = match month(second) {
        Some(month) => (first, month),
        None => (second, month(first)?),
    };
    let year_text = tokens.get(2)?;
    let year = full_year(year_text)?;
    let day = Date::from_day(year, month, number(day)?.try_into().ok()?)?;
    let Some(clock) = tokens.get(3) else { return Some(day) };
    let zone = tokens.get(4).map_or(Some(None), |zone| offset(zone).map(Some))?;
    with_clock(day, clock, zone)
}

/// Parses `Sun Jan 04 16:29:06 PST 2004`, where the year comes last.
fn asctime(tokens: &[&str]) -> Option<Date> {
    let (month, day, clock, zone, year) = match *without_weekday(tokens) {
        [month, day, clock, year] => (month, day, clock, None, year),
        [month, day, clock, zone, year] => (month, day, clock, Some(zone), year),
        _ => return None,
    };
    rfc822(&[day, month, year, clock, zone.unwrap_or("z")])
}

/// Parses `Fri, 2006/09/15 08:19:53 EDT`, as Perforce writes it.
fn slashes(tokens: &[&str]) -> Option<Date> {
    let tokens = without_weekday(tokens);
    let mut parts = tokens.first()?.split('/');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let day = Date::from_day(full_year(year)?, number(month)?.try_into().ok()?, number(day)?.try_into().ok()?)?;
    let zone = tokens.get(2).map_or(Some(None), |zone| offset(zone).map(Some))?;
    with_clock(day, tokens.get(1)?, zone)
}

/// Parses `2003-335`, `2003335`: the day of the year.
fn ordinal(text: &str) -> Option<Date> {
    let day = text.find(|c: char| !c.is_ascii_digit() && c != '-').map_or(text, |end| &text[..end]);
    let digits: String = day.chars().filter(char::is_ascii_digit).collect();
    if !matches!((day.len(), digits.len()), (7 | 8, 7) | (5 | 6, 5)) || day.len() - digits.len() > 1 {
        return None;
    }
    let (year, day) = digits.split_at(digits.len() - 3);
    let year = if year.len() == 2 { 2000 + number(year)? } else { number(year)? };
    let day = number(day).filter(|day| (1..=366).contains(day))?;
    let mut left = day;
    (1..=12).find_map(|month| {
        let days = (28..=31).rev().find(|day| Date::from_day(year, month, *day).is_some())?;
        if left <= i32::from(days) {
            return Date::from_day(year, month, u8::try_from(left).ok()?);
        }
        left -= i32::from(days);
        None
    })
}

/// Parses `2004년 05월 28일 01:31:15` and `2004-05-25 오후 11:23:17`, in Korean time.
fn korean(tokens: &[&str]) -> Option<Date> {
    const SEOUL: i16 = 9 * 60;
    let (year, month, day, clock, later) = match *tokens {
        [year, month, day, clock] => {
            (year.strip_suffix('년')?, month.strip_suffix('월')?, day.strip_suffix('일')?, clock, 0)
        }
        [day, half, clock] => {
            let mut parts = day.splitn(3, '-');
            let later = match half {
                "오전" => 0,
                "오후" => 12,
                _ => return None,
            };
            (parts.next()?, parts.next()?, parts.next()?, clock, later)
        }
        _ => return None,
    };
    let day = Date::from_day(number(year)?, number(month)?.try_into().ok()?, number(day)?.try_into().ok()?)?;
    let (hour, rest) = clock.split_once(':')?;
    let hour = number(hour)?;
    let hour = if later == 12 && hour < 12 { hour + 12 } else { hour };
    with_clock(day, &format!("{hour}:{rest}"), Some(SEOUL))
}

fn without_weekday<'a, 'b>(tokens: &'a [&'b str]) -> &'a [&'b str] {
    match tokens {
        [first, rest @ ..] if is_weekday(first) => rest,
        _ => tokens,
    }
}

fn is_weekday(token: &str) -> bool {
    let start = token.get(..3).unwrap_or_default();
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains(&start)
}

fn month(token: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = token.get(..3)?;
    MONTHS.iter().position(|month| *month == start).and_then(|at| u8::try_from(at + 1).ok())
}

/// Parses a year of four digits, or of two: 90 is 1990, 89 is 2089.
fn full_year(text: &str) -> Option<i32> {
    let year = number(text)?;
    Some(match text.len() {
        0..=2 if year < 90 => 2000 + year,
        0..=2 => 1900 + year,
        _ => year,
    })
}

fn number(text: &str) -> Option<i32> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Adds a time such as `19:48:21.5`, `1948`, `9` to a day.
fn with_clock(day: Date, clock: &str, offset: Option<i16>) -> Option<Date> {
    if !clock.is_ascii() {
        return None;
    }
    let mut parts = clock.splitn(3, ':');
    let hour = parts.next()?;
    let (hour, minute, second) = match parts.next() {
        Some(minute) => (hour, minute, parts.next()),
        None if hour.len() == 4 => (&hour[..2], &hour[2..], None),
        None if hour.len() == 6 => (&hour[..2], &hour[2..4], Some(&hour[4..])),
        None => (hour, "0", None),
    };
    let whole = |text: &str| number(text.split(['.', ',']).next().unwrap_or_default())?.try_into().ok();
    let second = match second {
        Some(second) => Some(whole(second)?),
        None => None,
    };
    let (hour, minute): (u8, u8) = (whole(hour)?, whole(minute)?);
    day.with_time(hour, minute, second, offset)
}

/// Parses a zone as minutes from UTC: `+0100`, `-5:30`, `GMT+1`, `EST`. An unknown name is UTC.
fn offset(zone: &str) -> Option<i16> {
    let zone = zone.trim_matches(['(', ')']);
    let zone = zone.strip_prefix("etc/").unwrap_or(zone);
    let zone = zone.strip_prefix("gmt").or_else(|| zone.strip_prefix("utc")).unwrap_or(zone);
    let sign = match zone.bytes().next() {
        Some(b'-') => -1,
        Some(b'+') => 1,
        _ => {
            let hours = match zone {
                "adt" => -3,
                "ast" | "at" | "edt" => -4,
                "est" | "et" | "cdt" => -5,
                "cst" | "ct" | "mdt" => -6,
                "mst" | "mt" | "pdt" => -7,
                "pst" | "pt" => -8,
                "akdt" => -8,
                "akst" => -9,
                "hst" => -10,
                "a" => -1,
                "m" => -12,
                "n" | "met" | "cet" | "bst" => 1,
                "mest" | "cest" | "eet" => 2,
                "eest" | "msk" => 3,
                "jst" | "kst" => 9,
                "aest" => 10,
                "aedt" => 11,
                "y" => 12,
                _ => 0,
            };
            return Some(hours * 60);
        }
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    if !digits.is_ascii() {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        1 | 2 => (digits.as_str(), "0"),
        3 => digits.split_at(1),
        4 => digits.split_at(2),
        _ => return None,
    };
    i16::try_from(sign * (number(hours)? * 60 + number(minutes)?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).map(|date| date.to_string()).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn the_formats_own() {
        check("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z");
        check("Thu, 1 Jan 04 19:48 -0330", "2004-01-01T19:48-03:30");
        check("2003-12-31T10:14:55+01:00", "2003-12-31T10:14:55+01:00");
        check("2003-12-31", "2003-12-31");
        check("2003", "2003");
    }

    #[test]
    fn parts_are_missing_or_swapped() {
        check("01 Jan 2004", "2004-01-01");
        check("Thursday, January 01 2004 19:48:21", "2004-01-01T19:48:21");
        check("Thu,01 Jan 2004 19:48:21 GMT+01:00", "2004-01-01T19:48:21+01:00");
        check("2003-12-31 10:14:55.5 -5", "2003-12-31T10:14:55-05:00");
        check("20031231", "2003-12-31");
        check("2003-335", "2003-12-01");
        check("2004335", "2004-11-30");
    }

    #[test]
    fn habits_of_programs_and_countries() {
        check("Sun Jan 4 16:29:06 PST 2004", "2004-01-04T16:29:06-08:00");
        check("Sun Jan 4 16:29:06 2004", "2004-01-04T16:29:06Z");
        check("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T08:19:53-04:00");
        check("2004년 05월 28일  01:31:15", "2004-05-28T01:31:15+09:00");
        check("2004-05-25 오후 11:23:17", "2004-05-25T23:23:17+09:00");
        check("2004-július-13T9:15-05:00", "2004-07-13T09:15-05:00");
        check("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T12:00:00-05:00");
        check("16. November 2026", "2026-11-16");
    }

    #[test]
    fn what_is_no_date() {
        for text in
            ["", "soon", "2003-13-01", "Thu, 32 Jan 2004", "25:61", "é", "t", "--", "1 1 1 1 1", "+é:", "jan é 2004"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
