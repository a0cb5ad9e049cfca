//! The arguments of `watch`.

use std::num::NonZeroU64;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::positions::take_wrapper;
use super::values::duration;
use super::{KeepArguments, Reading};

/// Fetch pages again and again, keep their records, and say what changed and what broke
#[derive(Debug, Args)]
#[command(
    override_usage = "windrow watch [OPTIONS] -w <FILE> <PAGE>...",
    long_about = ABOUT,
    after_long_help = EXAMPLES
)]
pub(crate) struct WatchArguments {
    /// The wrapper; its file is read again in each round
    ///
    /// Without -w, the first argument is the wrapper.
    #[arg(short = 'w', long = "wrapper", value_name = "FILE")]
    wrapper_option: Option<String>,

    /// The wrapper, from -w or the first argument.
    #[arg(skip)]
    pub(crate) wrapper: String,

    /// Pages: addresses, files, directories
    #[arg(value_name = "PAGE")]
    pub(crate) pages: Vec<String>,

    /// The time from one round to the next, such as 90s, 30m, 1h or 1d
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1h")]
    pub(crate) every: Duration,

    /// End after this many rounds [default: go on until Ctrl-C]
    #[arg(long, value_name = "N")]
    pub(crate) times: Option<NonZeroU64>,

    /// Mend the wrapper when it breaks, if that can be done with certainty: its file is changed
    #[arg(long)]
    pub(crate) repair: bool,

    /// Rounds with changed pages in which a mended wrapper must agree with itself before it is used; 1: at once
    #[arg(long, value_name = "N", default_value = "3", requires = "repair")]
    pub(crate) repair_after: NonZeroU64,

    /// Run this command when something breaks, is mended, or records change: it gets the report on its standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) alarm: Option<String>,

    /// When to run the command of --alarm
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = AlarmOn::All, requires = "alarm")]
    pub(crate) alarm_on: AlarmOn,

    /// Options for storing records.
    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    /// Options for reading pages.
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

impl WatchArguments {
    /// Tells the wrapper from the pages.
    pub(super) fn settle(&mut self) -> Result<(), &'static str> {
        self.wrapper = take_wrapper(self.wrapper_option.take(), &mut self.pages)?;
        if self.pages.is_empty() { Err("<PAGE>...") } else { Ok(()) }
    }
}

const ABOUT: &str = "\
Fetch pages again and again, keep their records, and say what changed and what broke

In each round the pages are fetched, what the wrapper finds is kept in the store (`--into`; without
it in a file of the wrapper's name with .db), and compared with earlier rounds as `windrow check`
does. Records that are new, changed or gone are printed, with old and new values; so is what broke.
With --repair, the wrapper is mended from the kept records, if that can be done with certainty (see
`windrow repair`). The mended wrapper, ads.mended.toml, first runs beside the old one. When it has
agreed with itself in --repair-after rounds in which the pages changed, it replaces the old one and
the pages are extracted again; the old version stays in the store (`windrow versions`).

--alarm runs a command of yours with the report on its standard input: by default when something
broke or was mended, and in every round in which records changed; --alarm-on narrows it to one of
the two. A first round has nothing to compare with, and rings no alarm. --quiet prints only what
broke.

A page that cannot be fetched is named, and tried again in the next round.";

const EXAMPLES: &str = "\
Examples:
  windrow watch -w ads.toml https://example.org/ads --every 1h --into ads.db
  windrow watch -w ads.toml https://example.org/ads --every 1d --repair --alarm 'mail -s windrow me'
  windrow watch -w ads.toml https://example.org/ads --alarm 'cat >> changes.txt' --alarm-on changes
  windrow watch -w ads.toml page.html --times 1

`windrow watch ads.toml PAGE`, with the wrapper first and no -w, also works.

Exit status, with --times, of the last round:
  0  all is well
  1  something is broken
  2  an error, such as a page that cannot be fetched";
