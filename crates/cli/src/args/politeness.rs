//! Limits for the commands that fetch many pages: when to stop, and how often to ask a site.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::Fetching;
use super::values::{duration, size};

/// Limits of a run.
#[derive(Debug, Args)]
pub(crate) struct Budget {
    /// Stop after this time, such as 90s, 30m or 1h
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Budget")]
    pub(crate) time: Option<Duration>,

    /// Stop when this run has received this many bytes, such as 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Budget")]
    pub(crate) bytes: Option<u64>,
}

/// Limits that protect the sites.
#[derive(Debug, Args)]
#[command(next_help_heading = "Politeness")]
pub(crate) struct Politeness {
    /// Simultaneous requests in all
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) concurrency: NonZeroUsize,

    /// Number of retries after time-outs, broken connections and busy servers
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) retries: u32,

    /// The time before the first retry; it doubles with each further one
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1s")]
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
