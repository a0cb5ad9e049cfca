//! Options for fetching pages, for every command that takes pages.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use windrow::fetch::{FetcherConfig, http, render};

use super::values::{duration, size};

/// Options for fetching pages. Nothing is fetched unless a page argument is an address, a wrapper that is run on such a page asks
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
    #[arg(long)]
    pub(crate) fetch: bool,

    /// The time between requests to one host; a longer crawl-delay in its robots.txt is obeyed
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1s")]
    pub(crate) delay: Duration,

    /// Simultaneous requests to one host
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) per_host: NonZeroUsize,

    /// Fetch what a site's robots.txt asks robots not to
    #[arg(long)]
    pub(crate) ignore_robots: bool,

    /// Let pages lead to private addresses (this machine, the local network) other than those you name yourself
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// The longest time to wait for an answer, such as 30s or 500ms [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// The largest page to accept, compressed or not [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_size: Option<u64>,

    /// The User-Agent to send; if you fetch many pages, say who you are
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,

    /// The languages to ask for, as in the header Accept-Language
    #[arg(long, value_name = "LANGUAGES")]
    pub(crate) languages: Option<String>,

    /// Fetch through this proxy; the proxy then decides which addresses are private
    #[arg(long, value_name = "URL")]
    pub(crate) proxy: Option<String>,
}

impl Fetching {
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
        let proxy = proxy.as_deref().map(windrow::crawl::pages::sum);
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
