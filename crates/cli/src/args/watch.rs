//! The arguments of `watch`.

use std::num::NonZeroU64;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{KeepArguments, Reading};

/// Fetch pages again and again, keep their records, and say what changed and what broke
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct WatchArguments {
    /// The wrapper; it is read anew in each round
    #[arg(value_name = "RULES")]
    pub(crate) wrapper: String,

    /// Pages: addresses, files, directories
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// How long from one round to the next: 90s, 30m, 1h, 1d
    #[arg(long, value_name = "TIME", value_parser = every, default_value = "1h")]
    pub(crate) every: Duration,

    /// End after this many rounds [default: go on until Ctrl-C]
    #[arg(long, value_name = "N")]
    pub(crate) times: Option<NonZeroU64>,

    /// Mend the wrapper when it breaks, if that can be done with certainty: its file is changed
    #[arg(long)]
    pub(crate) repair: bool,

    /// Run this command when something breaks, is mended, or records change: it gets the report on its standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) alarm: Option<String>,

    /// When to run the command of --alarm
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = AlarmOn::All, requires = "alarm")]
    pub(crate) alarm_on: AlarmOn,

    /// How to keep records.
    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// How to read pages.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Events that run the alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlarmOn {
    /// The wrapper broke, or was mended; once, until something else breaks
    Broken,
    /// Records are new, changed, back or gone
    Changes,
    /// Either
    All,
}

impl AlarmOn {
    pub(crate) fn broken(self) -> bool {
        self != AlarmOn::Changes
    }

    pub(crate) fn changes(self) -> bool {
        self != AlarmOn::Broken
    }
}

const ABOUT: &str = "\
Fetch pages again and again, keep their records, and say what changed and what broke

In each round the pages are fetched, what the wrapper finds is kept in the store (`--into`; without
it in a file of the wrapper's name with .db), and compared with earlier rounds as `windrow check`
does. Records that are new, changed or gone are printed, with old and new values; so is what broke.
With --repair, the wrapper is mended from the kept records, if that can be done with certainty (see
`windrow repair`), and the pages are extracted again; the old version stays in the store (`windrow
versions`).

--alarm runs a command of yours with the report on its standard input: by default when something
broke or was mended, and in every round in which records changed; --alarm-on narrows it to one of
the two. A first round has nothing to compare with, and rings no alarm. --quiet prints only what
broke.

A page that cannot be fetched is named, and tried again in the next round.";

const EXAMPLES: &str = "\
Examples:
  windrow watch ads.toml https://example.org/ads --every 1h --into ads.db
  windrow watch ads.toml https://example.org/ads --every 1d --repair --alarm 'mail -s windrow me'
  windrow watch ads.toml https://example.org/ads --alarm 'cat >> changes.txt' --alarm-on changes
  windrow watch ads.toml page.html --times 1

Exit status, with --times, of the last round:
  0  all is well
  1  something is broken
  2  an error, such as a page that cannot be fetched";

/// A time with its unit.
fn every(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err("give a time such as 90s, 30m, 1h or 1d".to_owned()),
    };
    let seconds = digits.trim().parse::<f64>().ok().map(|number| number * unit);
    let sensible = seconds.filter(|seconds| (0.0..=31_536_000.0).contains(seconds));
    sensible
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "give a time such as 90s, 30m, 1h or 1d, a year at most".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(every("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(every("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(every("2d"), Ok(Duration::from_secs(172_800)));
        assert_eq!(every("7"), Ok(Duration::from_secs(7)));
        for wrong in ["", "h", "1w", "-1s", "NaNs", "400d"] {
            assert!(every(wrong).is_err(), "{wrong}");
        }
    }
}
