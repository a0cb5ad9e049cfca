//! How pages are fetched, for every command that takes pages.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use windrow::fetch::{FetcherConfig, http, render};

/// How pages are fetched. They never are unless a page argument is an address, a wrapper that is run on such a page asks
/// for others, or --fetch is given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct Fetching {
    /// Answer every address from this WARC file alone; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Vec<PathBuf>,

    /// Add everything that is fetched to this WARC file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,

    /// Let a browser run the scripts of addresses and files first (Chromium, which must be installed)
    #[arg(long)]
    pub(crate) render: bool,

    /// Keep what is fetched in this file, and ask servers only whether it has changed
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(crate) cache: Option<PathBuf>,

    /// Fetch what rules ask for with `get` even for pages that are files, if there is no saved copy; with --render, let
    /// the scripts of such pages use the network
    #[arg(long, hide_short_help = true)]
    pub(crate) fetch: bool,

    /// Seconds between requests to one host; a longer crawl-delay of its robots.txt is kept to
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1", hide_short_help = true)]
    pub(crate) delay: Duration,

    /// Requests to one host at a time
    #[arg(long, value_name = "N", default_value = "2", hide_short_help = true)]
    pub(crate) per_host: NonZeroUsize,

    /// Fetch what a site's robots.txt asks robots not to
    #[arg(long, hide_short_help = true)]
    pub(crate) ignore_robots: bool,

    /// Let pages lead to private addresses (this machine, the local network) other than those you name yourself
    #[arg(long, hide_short_help = true)]
    pub(crate) allow_private: bool,

    /// Seconds that an answer may take [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide_short_help = true)]
    pub(crate) timeout: Option<Duration>,

    /// The most that a page may have, packed or unpacked [default: 64M]
    #[arg(long, value_name = "BYTES", value_parser = size, hide_short_help = true)]
    pub(crate) max_size: Option<u64>,

    /// What to call ourselves; say who you are, if you fetch much
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    pub(crate) user_agent: Option<String>,

    /// The languages to ask for, as in the header Accept-Language
    #[arg(long, value_name = "LANGUAGES", hide_short_help = true)]
    pub(crate) languages: Option<String>,

    /// Fetch through this proxy, which then decides what is private
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub(crate) proxy: Option<String>,
}

impl Fetching {
    /// Whether something of it must work even if nothing is fetched.
    pub(crate) fn is_demanded(&self) -> bool {
        !self.replay.is_empty() || self.record.is_some() || self.cache.is_some()
    }

    /// Bytes of one page at most.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_size.unwrap_or_else(|| http::Config::default().max_size)
    }

    /// The settings that decide which pages can be had, in words. A crawl that finds others than in its last run tries
    /// again what failed.
    pub(crate) fn conditions(&self) -> String {
        let Fetching { replay, render, ignore_robots, allow_private, timeout, user_agent, languages, proxy, .. } = self;
        let max_size = self.most_bytes();
        // A proxy's address may have a password in it, and the state is a file like any other.
        let proxy = proxy.as_deref().map(crate::crawl::reading::sum);
        format!(
            "{replay:?} render {render} robots {ignore_robots} private {allow_private} {timeout:?} {max_size} \
             {user_agent:?} {languages:?} {proxy:?}"
        )
    }

    /// All of it for the fetcher.
    pub(crate) fn config(&self) -> FetcherConfig {
        let mut http = http::Config::default()
            .with_obey_robots(!self.ignore_robots)
            .with_allow_private(self.allow_private)
            .with_max_size(self.most_bytes())
            .with_delay(self.delay)
            .with_per_host(self.per_host.get());
        let mut render =
            render::Config::default().with_allow_private(self.allow_private).with_user_agent(&http.user_agent);
        if let Some(timeout) = self.timeout {
            http = http.with_timeout(timeout);
            render = render.with_timeout(timeout);
        }
        if let Some(user_agent) = &self.user_agent {
            http = http.with_user_agent(user_agent);
            render = render.with_user_agent(user_agent);
        }
        if let Some(languages) = &self.languages {
            http = http.with_accept_language(languages);
        }
        if let Some(proxy) = &self.proxy {
            http = http.with_proxy(proxy);
        }
        let mut config = FetcherConfig::default();
        config.http = http;
        config.replay = self.replay.clone();
        config.record = self.record.clone();
        config.cache = self.cache.clone();
        config.render = self.render.then_some(render);
        config
    }
}

/// Ten years: more is a slip of the finger.
const MOST_SECONDS: f64 = 315_360_000.0;

/// A number of seconds, which may be broken.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.trim_end_matches('s').trim().parse().ok();
    let sensible = seconds.filter(|seconds| *seconds <= MOST_SECONDS);
    let duration = sensible.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give a number of seconds, for instance 30 or 0.5".to_owned())
}

/// A number of bytes, with or without K, M or G.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit: u64 = match text[digits.len()..].trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b')
    {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => return Err("give a number of bytes, for instance 500000, 64M or 2G".to_owned()),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "give a number of bytes, for instance 64M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_read() {
        assert_eq!(size("500"), Ok(500));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2 GiB"), Ok(2 << 30));
        assert!(size("many").is_err());
        assert!(size("99999999999G").is_err());
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("30s"), Ok(Duration::from_secs(30)));
        assert!(seconds("-1").is_err());
        assert!(seconds("NaN").is_err());
        assert!(seconds("1e19").is_err());
    }
}
