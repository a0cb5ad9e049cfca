//! Parsers for option values: a duration, a size or a date is written the same way in every option that takes one.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::time::Duration;
use windrow::format::OutputFormat;

use url::Url;
use windrow::learn::domain::file::MAX_ENTROPY;
use windrow::report::{Day, Week};
use windrow::wrapper::values::Hints;
use windrow::wrapper::values::date::{self, Date};

/// The longest duration that is accepted, in seconds: ten years. More is a typing mistake.
const LONGEST_SECONDS: f64 = 315_360_000.0;

/// Parses a duration: a number with `ms`, `s`, `m`, `h` or `d`. A number alone counts seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const HELP: &str = "write a duration such as 500ms, 30s, 30m, 1h or 1d; a number alone counts seconds";
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds_per_unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(HELP.to_owned()),
    };
    let number: f64 = digits.trim().parse().map_err(|_| HELP.to_owned())?;
    let seconds = number * seconds_per_unit;
    if seconds > LONGEST_SECONDS {
        return Err("at most ten years".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| HELP.to_owned())
}

/// Parses a size in bytes: a number, alone or with `K`, `M` or `G` (powers of 1024).
pub(super) fn size(text: &str) -> Result<u64, String> {
    const HELP: &str = "write a number of bytes such as 500000, 64M or 2G";
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = text[digits.len()..].trim().to_ascii_lowercase();
    let bytes_per_unit: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(HELP.to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| HELP.to_owned())?;
    number.checked_mul(bytes_per_unit).ok_or_else(|| HELP.to_owned())
}

/// Parses a date, which may have a time of day.
pub(super) fn date(text: &str) -> Result<Date, String> {
    let date = date::parse(text, &Hints::default());
    date.ok_or_else(|| "write a date such as 2026-11-15".to_owned())
}

/// Parses a date and keeps its day.
pub(super) fn day(text: &str) -> Result<Day, String> {
    let date = date(text)?.to_string();
    let day = date.get(..10).and_then(Day::parse);
    day.ok_or_else(|| "write a whole date such as 2026-11-15".to_owned())
}

/// Parses a week: its number, such as 2026-W47, or a date in it.
pub(super) fn week(text: &str) -> Result<Week, String> {
    let week = Week::parse(text).or_else(|| day(text).ok().map(Day::week));
    week.ok_or_else(|| "write a week such as 2026-W47, or a date in it such as 2026-11-17".to_owned())
}

/// Formats of plain rows.
pub(super) const ROW_FORMATS: [OutputFormat; 4] =
    [OutputFormat::Table, OutputFormat::Json, OutputFormat::JSONL, OutputFormat::CSV];

/// Parses the name of one of these formats.
pub(super) fn formats(formats: &'static [OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
    named_formats(formats, OutputFormat::name)
}

/// Parses the name of one of these formats, under names of their own.
pub(super) fn named_formats(
    formats: &'static [OutputFormat],
    name: fn(OutputFormat) -> &'static str,
) -> impl TypedValueParser<Value = OutputFormat> {
    let value = move |format: &OutputFormat| {
        let others = format.endings().iter().filter(|ending| ending.len() > 3 && **ending != format.name());
        PossibleValue::new(name(*format)).help(format.about()).aliases(others.copied())
    };
    PossibleValuesParser::new(formats.iter().map(value)).try_map(move |given| {
        let is_meant = |format: &&OutputFormat| name(**format) == given || format.endings().contains(&given.as_str());
        formats.iter().find(is_meant).copied().ok_or("no such format")
    })
}

/// Parses the address of a page.
pub(super) fn address(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| format!("{error}; write an address such as https://example.org/jobs"))
}

/// Parses an entropy in bits: what a threshold can be.
pub(super) fn entropy(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.0..=MAX_ENTROPY).contains(value));
    value.ok_or_else(|| format!("write a number from 0 to {MAX_ENTROPY}, such as 2.0"))
}

/// Parses a probability.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "write a probability from 0 to 1, such as 0.8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("30s", 30_000),
            ("30 s", 30_000),
            ("7", 7_000),
            ("0.5", 500),
            ("0", 0),
            ("30m", 1_800_000),
            ("2min", 120_000),
            ("1.5h", 5_400_000),
            ("2d", 172_800_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "h", "1w", "-1s", "NaN", "infs", "1e19", "4000d", "s30", "1h30m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("500"), Ok(500));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2 GiB"), Ok(2 << 30));
        assert_eq!(size("1kb"), Ok(1 << 10));
        for wrong in ["", "many", "M", "-1M", "5x", "99999999999G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn days_and_weeks_are_written_as_dates() {
        assert_eq!(day("2026-11-17").unwrap().to_string(), "2026-11-17");
        assert_eq!(day("17 November 2026").unwrap().to_string(), "2026-11-17");
        assert_eq!(day("2026-11-17T08:00:00").unwrap().to_string(), "2026-11-17");
        assert_eq!(week("2026-W47"), week("2026-11-17"));
        for wrong in ["", "soon", "2026-11", "2026-13-40"] {
            assert!(day(wrong).is_err(), "{wrong}");
            assert!(week(wrong).is_err(), "{wrong}");
        }
    }
}
