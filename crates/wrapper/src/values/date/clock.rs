//! Times of day and zones: "9:15 pm", "14h30", "14 Uhr 30", "kl. 14.30", "下午3点05分", "16:24:55 -0400", "10:00Z".

use super::Date;
use super::read::Reader;
use crate::values::token::Kind;
use crate::values::words::Meaning;

/// A time of day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    hour: u8,
    minute: u8,
    second: Option<u8>,
    offset: Option<i16>,
}

impl Clock {
    /// Returns `true` if an offset was written.
    pub(super) fn is_zoned(self) -> bool {
        self.offset.is_some()
    }

    /// Combines the time with a day; 24:00 is the beginning of the next day.
    pub(super) fn on(self, day: Date) -> Option<Date> {
        let late = self.hour == 24;
        let date = day.with_time(if late { 0 } else { self.hour }, self.minute, self.second, self.offset)?;
        if late { date.plus_seconds(86_400) } else { Some(date) }
    }
}

/// Words that may stand between a date and its time.
const BETWEEN: [Meaning; 6] =
    [Meaning::Glue, Meaning::At, Meaning::Weekday, Meaning::YearMark, Meaning::DayMark, Meaning::Ordinal];

impl Reader<'_> {
    /// Reads the time after a date; also returns the token after it.
    pub(super) fn clock_behind(&self, end: usize) -> Option<(Clock, usize)> {
        if self.is_time_mark(end) {
            return self.iso_clock(end + 1);
        }
        let mut at = end;
        while at < end + 6 {
            // "am" is also a German word.
            if self.number(at + 1).is_some() && self.meridiem(at).is_some() {
                break;
            }
            // "2024年3月5日 UTC 15:05".
            if self.number(at + 1).is_some()
                && let Some((offset, next)) = self.zone(at, false)
                && let Some((clock, end)) = self.clock(next, false)
            {
                return Some((Clock { offset: Some(offset), ..clock }, end));
            }
            let next = self.skip(at, 1, ",-|·•@()/;:.~", &BETWEEN);
            if next == at {
                break;
            }
            at = next;
        }
        let announced = (end..at).any(|between| self.has(between, Meaning::At));
        // Finnish and Danish write 14.30 without a word before it.
        let dotted = announced || at == end && ["fi", "da", "no", "id", "et"].iter().any(|code| self.is_language(code));
        self.clock(at, dotted)
    }

    /// Reads a time at a token; also returns the token after it. `dotted` says that "14.30" is a time without more
    /// evidence.
    pub(super) fn clock(&self, at: usize, dotted: bool) -> Option<(Clock, usize)> {
        let early = self.meridiem(at);
        let at = early.map_or(at, |(_, next)| next);
        let hour = self.small(at).filter(|&hour| hour <= 24)?;
        let (mut clock, mut next) = (Clock { hour, minute: 0, second: None, offset: None }, at + 1);
        let mut complete = false;
        match self.sign(next) {
            Some(':') => {
                clock.minute = self.two(next + 1)?;
                next += 2;
                complete = true;
                if self.sign(next) == Some(':')
                    && let Some(second) = self.two(next + 1)
                {
                    clock.second = Some(second);
                    next = self.behind_fraction(next + 2);
                }
            }
            Some('.') => {
                clock.minute = self.two(next + 1).filter(|_| self.adjacent(next) && self.adjacent(next + 1))?;
                next += 2;
                complete = dotted
                    && !(self.sign(next) == Some('.') && self.adjacent(next + 1) && self.number(next + 1).is_some());
                if self.sign(next) == Some('.')
                    && self.adjacent(next + 1)
                    && let Some(second) = self.two(next + 1)
                {
                    (clock.second, next, complete) = (Some(second), next + 2, dotted);
                }
            }
            _ if self.has(next, Meaning::HourMark) => {
                next += 1;
                complete = true;
                if let Some(minute) = self.small(next).filter(|&minute| minute < 60) {
                    // "14h30", "14 Uhr 30", "3点05分"; but not "14h 2 comments".
                    let marked = self.has(next + 1, Meaning::MinuteMark);
                    if marked || self.number(next).is_some_and(|(_, digits)| digits == 2) {
                        clock.minute = minute;
                        next += 1 + usize::from(marked);
                        if let Some(second) = self.small(next).filter(|_| self.has(next + 1, Meaning::SecondMark)) {
                            (clock.second, next) = (Some(second), next + 2);
                        }
                    }
                } else if self.slice(next) == "半" {
                    (clock.minute, next) = (30, next + 1);
                }
            }
            _ => {}
        }
        if self.has(next, Meaning::HourMark) {
            (next, complete) = (next + 1, true);
        }
        let late = if early.is_none() { self.meridiem(next) } else { None };
        if let Some((_, end)) = late {
            (next, complete) = (end, true);
        }
        if !complete && early.is_none() {
            return None;
        }
        match early.or(late).map(|(pm, _)| pm) {
            Some(true) if clock.hour < 12 => clock.hour += 12,
            Some(false) if clock.hour == 12 => clock.hour = 0,
            _ => {}
        }
        self.zoned(clock, next)
    }

    /// Reads hours, minutes and seconds after a `T`, with or without colons.
    fn iso_clock(&self, at: usize) -> Option<(Clock, usize)> {
        let (value, digits) = self.number(at)?;
        let value = u32::try_from(value).ok()?;
        let (hour, minute, second) = match digits {
            6 => (value / 10_000, value / 100 % 100, Some(value % 100)),
            4 => (value / 100, value % 100, None),
            2 if self.sign(at + 1) == Some(':') => return self.clock(at, false),
            2 => (value, 0, None),
            _ => return None,
        };
        let clock =
            Clock { hour: hour as u8, minute: minute as u8, second: second.map(|second| second as u8), offset: None };
        self.zoned(clock, self.behind_fraction(at + 1))
    }

    fn behind_fraction(&self, at: usize) -> usize {
        let fraction =
            matches!(self.sign(at), Some('.' | ',')) && self.adjacent(at + 1) && self.number(at + 1).is_some();
        if fraction && self.adjacent(at) { at + 2 } else { at }
    }

    /// Checks a time and adds the zone after it.
    pub(super) fn zoned(&self, clock: Clock, at: usize) -> Option<(Clock, usize)> {
        let midnight = clock.hour == 24 && clock.minute == 0 && clock.second.unwrap_or(0) == 0;
        if clock.hour > 24 || clock.hour == 24 && !midnight || clock.minute > 59 || clock.second.unwrap_or(0) > 60 {
            return None;
        }
        let open = usize::from(self.sign(at) == Some('('));
        match self.zone(at + open, clock.second.is_some() || self.is_time_mark(at.wrapping_sub(4))) {
            Some((offset, end)) => {
                let close = usize::from(open == 1 && self.sign(end) == Some(')'));
                Some((Clock { offset: Some(offset), ..clock }, end + close))
            }
            None => Some((clock, at)),
        }
    }

    /// Reads a zone: minutes east of Greenwich, and the token after it.
    fn zone(&self, at: usize, exact: bool) -> Option<(i16, usize)> {
        if let Some(offset) = self.offset(at, exact) {
            return Some(offset);
        }
        let word = self.slice(at);
        if word.is_empty() || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        if word.eq_ignore_ascii_case("z") {
            return Some((0, at + 1));
        }
        let zone = self.senses(at).iter().find_map(|sense| match sense.meaning {
            Meaning::Zone(offset) => Some(offset),
            _ => None,
        })?;
        // "est" is also a French word, "art" an English one.
        if word.chars().any(char::is_lowercase)
            && !word.eq_ignore_ascii_case("utc")
            && !word.eq_ignore_ascii_case("gmt")
        {
            return None;
        }
        let zone = if word.eq_ignore_ascii_case("cst") && self.is_language("zh") { 480 } else { zone };
        if zone == 0
            && let Some((offset, end)) = self.short_offset(at + 1)
        {
            return Some((offset, end));
        }
        Some((zone, at + 1))
    }

    /// Reads "+01:00", "-0400", "+02".
    fn offset(&self, at: usize, exact: bool) -> Option<(i16, usize)> {
        let negative = match self.sign(at)? {
            '+' => false,
            '-' => true,
            _ => return None,
        };
        if !self.adjacent(at + 1) {
            return None;
        }
        let (hours, minutes, end) = match self.number(at + 1)? {
            (value, 4) => (value / 100, value % 100, at + 2),
            (hours, 2) => match self.two(at + 3).filter(|_| self.sign(at + 2) == Some(':')) {
                // "10:30-11:30" is a time span.
                Some(_) if negative && !exact => return None,
                Some(minutes) => (hours, minutes.into(), at + 4),
                None => (hours, 0, at + 2),
            },
            _ => return None,
        };
        if hours > 14 || !matches!(minutes, 0 | 15 | 30 | 45) {
            return None;
        }
        let offset = (hours * 60 + minutes) as i16;
        Some((if negative { -offset } else { offset }, end))
    }

    /// Reads "+2", "-5:30" after "GMT" or "UTC".
    fn short_offset(&self, at: usize) -> Option<(i16, usize)> {
        if let Some(offset) = self.offset(at, true) {
            return Some(offset);
        }
        let negative = self.sign(at).filter(|sign| matches!(sign, '+' | '-'))? == '-';
        let hours = self.small(at + 1).filter(|&hours| hours <= 14 && self.adjacent(at + 1))?;
        let minutes = self.two(at + 3).filter(|_| self.sign(at + 2) == Some(':'));
        let offset = i16::from(hours) * 60 + i16::from(minutes.unwrap_or(0));
        Some((if negative { -offset } else { offset }, at + if minutes.is_some() { 4 } else { 2 }))
    }

    /// Reads a mark of the morning (`false`) or afternoon (`true`); also returns the token after it.
    fn meridiem(&self, at: usize) -> Option<(bool, usize)> {
        let pm = if self.has(at, Meaning::Pm) {
            true
        } else if self.has(at, Meaning::Am) {
            false
        } else {
            return None;
        };
        if self.slice(at).len() > 1 {
            return Some((pm, at + 1));
        }
        // "9:15 a. m.", "9:15p".
        let letter = self.skip(at + 1, 1, ".", &[]);
        if self.slice(letter).eq_ignore_ascii_case("m") {
            return Some((pm, letter + 1));
        }
        let attached = self.adjacent(at) && matches!(self.tokens[at - 1].kind, Kind::Number { .. });
        attached.then_some((pm, at + 1))
    }

    /// Reads a number of exactly two digits, at most 60 (a leap second).
    fn two(&self, at: usize) -> Option<u8> {
        self.number(at)
            .filter(|&(value, digits)| digits == 2 && value <= 60 && self.adjacent(at))
            .map(|(value, _)| value as u8)
    }
}
