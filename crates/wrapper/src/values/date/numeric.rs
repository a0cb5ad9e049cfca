//! Numeric dates: with separators in the orders of the world, without separators, with CJK marks, and ISO week dates.

use super::calendar;
use super::read::{Order, Parts, Reader};
use crate::values::token::Kind;
use crate::values::words::Meaning;

impl Reader<'_> {
    /// Reads "2013-07-04", "4.7.2013", "7/4/13", "2013-W27-4".
    pub(super) fn numeric(&self, at: usize) -> Option<Parts> {
        let (first, first_digits) = self.number(at)?;
        if !self.is_loose(at) {
            return None;
        }
        if let Some(parts) = self.week(at) {
            return Some(parts);
        }
        let separator = self.sign(at + 1).filter(|sign| matches!(sign, '-' | '/' | '.'))?;
        let (second, second_digits) = self.number(at + 2)?;
        if self.sign(at + 3) != Some(separator) {
            return self.year_less(at, separator, first, second);
        }
        let Some((third, third_digits)) = self.number(at + 4) else {
            return self.year_less(at, separator, first, second);
        };
        let spaced_well = match separator {
            '-' => (1..=4).all(|step| self.adjacent(at + step)),
            '.' => self.adjacent(at + 1) && self.adjacent(at + 3) && self.adjacent(at + 2) == self.adjacent(at + 4),
            _ => true,
        };
        if !spaced_well || second_digits > 2 || !self.ends_well(at + 5, separator) {
            return None;
        }
        let (first, second, third) = (clip(first), clip(second), clip(third));
        let end = at + 5;
        let parts = |year: i32, month: u32, day: u32| {
            let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
            let persian = self.is_language("fa") && (1244..=1472).contains(&year);
            let valid = (1..=12).contains(&month)
                && day >= 1
                && (persian && day <= 31 || day <= calendar::days_in_month(year, month));
            valid.then_some(Parts {
                year: Some(year),
                month: Some(month),
                day: Some(day),
                persian,
                end,
                ..Parts::default()
            })
        };
        if first_digits == 4 {
            let year = self.year_of(first.into(), 4)?;
            return if third_digits <= 2 { parts(year, second, third) } else { None };
        }
        if first_digits > 2 || third_digits != 4 && !self.is_short_date(at, separator) {
            return None;
        }
        if first_digits == 2
            && third_digits <= 2
            && (first > 31 || self.is_year_first())
            && let Some(parts) = parts(self.year_of(first.into(), 2)?, second, third)
        {
            return Some(parts);
        }
        let year = self.year_of(third.into(), third_digits)?;
        let day_first = parts(year, second, first);
        let month_first = parts(year, first, second);
        let order = match self.order {
            Order::Unknown if separator == '/' => Order::MonthFirst,
            // Dots mean day first even on pages whose language does not.
            _ if separator == '.' && self.hints.day_first.is_none() => Order::DayFirst,
            order => order,
        };
        if order == Order::MonthFirst { month_first.or(day_first) } else { day_first.or(month_first) }
    }

    /// Reads "4.7." in languages that write it so, if the page's time is known.
    fn year_less(&self, at: usize, separator: char, first: u64, second: u64) -> Option<Parts> {
        let dotted =
            separator == '.' && self.sign(at + 3) == Some('.') && self.adjacent(at + 1) && self.adjacent(at + 3);
        if self.free || !dotted || self.order != Order::DayFirst || self.number(at + 4).is_some() {
            return None;
        }
        let (day, month) = (u8::try_from(first).ok()?, u8::try_from(second).ok()?);
        let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
        valid.then_some(Parts { month: Some(month), day: Some(day), end: at + 4, ..Parts::default() })
    }

    /// Reads "20130704", alone or followed by a time.
    pub(super) fn compact(&self, at: usize) -> Option<Parts> {
        let (value, 8) = self.number(at)? else { return None };
        let timed = self.is_time_mark(at + 1) && self.number(at + 2).is_some();
        if !self.is_loose(at) || self.free && !timed {
            return None;
        }
        let value = clip(value);
        let year = i32::try_from(value / 10_000).ok().filter(|year| (1900..2100).contains(year))?;
        let (month, day) = ((value / 100 % 100) as u8, (value % 100) as u8);
        (month >= 1 && day >= 1 && day <= calendar::days_in_month(year, month)).then_some(Parts {
            year: Some(year),
            month: Some(month),
            day: Some(day),
            end: at + 1,
            ..Parts::default()
        })
    }

    /// Reads "2013-W27-4", "2013W274".
    fn week(&self, at: usize) -> Option<Parts> {
        let (year, 4) = self.number(at)? else { return None };
        let mark = if self.sign(at + 1) == Some('-') { at + 2 } else { at + 1 };
        if !self.slice(mark).eq_ignore_ascii_case("w") || !self.adjacent(mark) || !self.adjacent(mark + 1) {
            return None;
        }
        let (week, weekday, end) = match self.number(mark + 1)? {
            (value, 3) => (clip(value) / 10, clip(value) % 10, mark + 2),
            (value, 2) => match self.number(mark + 3) {
                Some((day, 1)) if self.sign(mark + 2) == Some('-') && self.adjacent(mark + 3) => {
                    (clip(value), clip(day), mark + 4)
                }
                _ => (clip(value), 1, mark + 2),
            },
            _ => return None,
        };
        let (year, month, day) = calendar::from_week(self.year_of(year, 4)?, week, weekday)?;
        Some(Parts { year: Some(year), month: Some(month), day: Some(day), end, ..Parts::default() })
    }

    /// Reads "2024年3月5日", "2024년 3월", "3月5日"; `era` is added to the year.
    pub(super) fn marked(&self, at: usize, era: i32) -> Option<Parts> {
        let is_year = |at: usize| matches!(self.slice(at), "年" | "년" | "年度");
        let first = self.has(at, Meaning::First);
        let (value, digits) = if first { (1, 1) } else { self.number(at)? };
        let mut parts = Parts::default();
        let mut next = at;
        if is_year(at + 1) {
            let year = match (era, digits) {
                (0, _) => self.year_of(value, digits)?,
                (era, 1..=4) => i32::try_from(value).ok()? + era,
                _ => return None,
            };
            parts.year = Some(year);
            next = at + 2;
        } else if era != 0 || first {
            return None;
        }
        let month = self.small(next).filter(|_| self.has(next + 1, Meaning::MonthMark))?;
        if !(1..=12).contains(&month) {
            return None;
        }
        (parts.month, parts.end) = (Some(month), next + 2);
        if let Some(day) = self.small(next + 2).filter(|day| (1..=31).contains(day))
            && (self.has(next + 3, Meaning::DayMark) || parts.year.is_some() && self.sign(next + 3) != Some(':'))
        {
            let marked = self.has(next + 3, Meaning::DayMark);
            (parts.day, parts.end) = (Some(day), next + 3 + usize::from(marked));
        }
        (parts.year.is_some() || parts.day.is_some()).then_some(parts)
    }

    /// Returns the number of years that an era's name adds to the year after it.
    pub(super) fn era(&self, at: usize) -> Option<i32> {
        self.senses(at).iter().find_map(|sense| match sense.meaning {
            Meaning::Era(offset) => Some(offset.into()),
            _ => None,
        })
    }

    /// Returns `true` if a number is not the end of something longer: a version, a price, an identifier.
    fn is_loose(&self, at: usize) -> bool {
        if !self.adjacent(at) {
            return true;
        }
        match self.tokens[at - 1].kind {
            Kind::Sign('.' | '-' | '/' | ',' | ':' | '_' | '+') => {
                !(self.adjacent(at - 1) && self.number(at.wrapping_sub(2)).is_some())
            }
            Kind::Sign(sign) => !matches!(sign, '$' | '€' | '£' | '¥' | '#' | '%'),
            Kind::Word(_) => !self.slice(at - 1).ends_with(|last: char| last.is_ascii_alphabetic()),
            Kind::Number { .. } => false,
        }
    }

    /// Returns `true` if a numeric date does not continue after its third number.
    fn ends_well(&self, next: usize, separator: char) -> bool {
        match self.sign(next) {
            Some('%' | '€' | '$' | '£') => !self.adjacent(next),
            Some(sign) if sign == separator || sign == '_' => {
                !(self.adjacent(next) && self.adjacent(next + 1) && self.number(next + 1).is_some())
            }
            _ => true,
        }
    }

    /// Returns `true` if three numbers of at most two digits may be a date: with dots, they are often a version.
    fn is_short_date(&self, at: usize, separator: char) -> bool {
        let two = |at: usize| self.number(at).is_some_and(|(_, digits)| digits == 2);
        let version =
            at > 0 && matches!(self.slice(at - 1).to_ascii_lowercase().as_str(), "v" | "version" | "ver" | "release");
        !version && (separator != '.' || !self.free || two(at) && two(at + 2) || self.order == Order::DayFirst)
    }

    /// Returns `true` if the page's language writes the year first even with two digits.
    pub(super) fn is_year_first(&self) -> bool {
        ["zh", "ja", "ko", "hu", "eu"].iter().any(|code| self.is_language(code)) && self.hints.day_first.is_none()
    }

    /// Returns `true` for the `T` between date and time.
    pub(super) fn is_time_mark(&self, at: usize) -> bool {
        self.adjacent(at) && self.adjacent(at + 1) && self.slice(at).eq_ignore_ascii_case("t")
    }
}

fn clip(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
