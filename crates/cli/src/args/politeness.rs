//! How sites are treated, and when to stop, for the commands that ask them for many pages.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::fetching::{Fetching, seconds, size};

/// When to stop a run.
#[derive(Debug, Args)]
pub(crate) struct Budget {
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Budget")]
    pub(crate) time: Option<Duration>,

    /// Stop when this much was received in this run, for instance 2G
    #[arg(long, value_name = "BYTES", value_parser = size, help_heading = "Budget")]
    pub(crate) bytes: Option<u64>,
}

/// How sites are treated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Politeness")]
pub(crate) struct Politeness {
    /// Requests at a time in all
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) concurrency: NonZeroUsize,

    /// How often to try again what fails for a while: time-outs, broken connections, busy servers
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) retries: u32,

    /// Seconds before the second attempt; twice as many before each further one
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    pub(crate) back_off: Duration,
}

impl Politeness {
    /// Puts it into a crawl. An archive needs no courtesy, and has nothing else to say on the second try.
    pub(crate) fn apply(&self, config: &mut windrow::fetch::crawl::Config, fetching: &Fetching) {
        config.concurrency = self.concurrency.get();
        config.per_host = fetching.per_host.get();
        config.delay = fetching.delay;
        config.retries = self.retries;
        config.back_off = self.back_off;
        if !fetching.replay.is_empty() {
            (config.delay, config.per_host, config.retries) = (Duration::ZERO, config.concurrency, 0);
            // One page after the other, so that every run is the same.
            config.window = 1;
        }
    }
}
