//! A polite web crawler whose state survives being killed.
//!
//! A crawl begins with seeds, requests each page from a [`Source`], passes it to a [`Visitor`], and continues with the
//! links that the visitor returns. Its whole state is in one SQLite file: if it is killed, the same crawl resumes where
//! it was, without fetching a stored page again or losing one.
//!
//! # How it works
//!
//! ```text
//!             jobs                   answers                  what they brought
//!  keeper ───────────▶ scheduler ───────────────▶ visitors ──────────────────────▶ keeper
//!  (frontier, files)   (politeness, sockets)      (threads)                        (one transaction a batch)
//! ```
//!
//! The keeper is the only writer. It hands out a window of jobs and writes their results in batches: first the new
//! bytes of the output files, then one transaction with the pages' states, their links and the lengths of the files.
//!
//! A page may need other pages (`get` in a wrapper). The visitor requests them through [`Visited::part`]; if any is
//! missing, the page waits until all have arrived and is then visited again with its stored answer.
//!
//! # Exactly once
//!
//! Redirects are not followed directly but entered into the frontier, so two addresses that lead to one page fetch it
//! once. A stored page is never fetched again. A page that was fetched but not yet stored when the process was killed
//! is fetched again, after whatever it had written to the output files is cut off. Outputs are written to temporary
//! files that replace the requested ones when the crawl has ended.
//!
//! # Memory
//!
//! Addresses are on disk. Memory holds a bounded cache of their keys, a window of jobs, the answers in progress, and a
//! few bytes for each host.

mod engine;
mod files;
mod frontier;
mod keeper;
mod kept;
mod link;
mod scheduler;
mod visit;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use url::{Position, Url};

use crate::answer::{Answer, without_fragment};
use crate::error::FetchError;

pub use engine::{Observer, run};
pub use frontier::{Canonical, Counts};
pub use link::{Link, Way};
pub use visit::{Visit, Visited, Visitor};

/// Largest number of redirects followed from one page.
const MOST_HOPS: usize = 10;

/// Settings of a crawl.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// File that holds the crawl's state.
    pub state: PathBuf,
    /// Settings that distinguish this crawl from others, as parts separated by `, `. A state with another identity is
    /// rejected, and the error names the parts that differ. A part such as `wrapper#12ab` is reported as another
    /// wrapper.
    pub identity: String,
    /// Settings that decide which pages can be fetched, as text. If they differ from those of the last run, all failed
    /// pages are tried again.
    pub conditions: String,
    /// Outputs that visits write to: the file and its initial bytes. Bytes for an output without a file go to the
    /// observer.
    pub outputs: Vec<(Option<PathBuf>, Vec<u8>)>,
    /// Archive in which answers are recorded.
    pub record: Option<PathBuf>,
    /// Order in which pages are fetched.
    pub order: Order,
    /// Selection of the links to follow.
    pub scope: Scope,
    /// Largest number of links between a seed and a page.
    pub depth: Option<u32>,
    /// Limits for sites that links may open beside those of the seeds; `None` if they may not.
    pub sites: Option<Sites>,
    /// Limits after which the crawl ends.
    pub budget: Budget,
    /// Largest number of simultaneous requests.
    pub concurrency: usize,
    /// Largest number of simultaneous requests to one host.
    pub per_host: usize,
    /// Time between the starts of two requests to one host.
    pub delay: Duration,
    /// Largest crawl-delay of a robots.txt and largest Retry-After that are respected.
    pub longest_delay: Duration,
    /// Number of attempts after the first.
    pub retries: u32,
    /// Time before the second attempt; it doubles with each further one.
    pub back_off: Duration,
    /// Largest size of a page in bytes, compressed or decompressed.
    pub max_size: u64,
    /// True if visits may request parts; answers are then kept in the state.
    pub parts: bool,
    /// Number of threads that run visits.
    pub threads: usize,
    /// Largest number of jobs in progress or queued. With a window of one, every run visits pages in the same order.
    pub window: usize,
    /// Largest number of these that belong to one host. Links found meanwhile do not overtake them.
    pub share: usize,
    /// True to start over: removes the state of an earlier run and replaces its files when this one has ended.
    pub restart: bool,
    /// Canonicalization of addresses.
    pub canonical: Canonical,
}

impl Config {
    /// Creates the settings of a polite crawl with this state, limited to the sites of its seeds.
    pub fn new(state: impl Into<PathBuf>) -> Config {
        Config {
            state: state.into(),
            identity: String::new(),
            conditions: String::new(),
            outputs: Vec::new(),
            record: None,
            order: Order::BreadthFirst,
            scope: Scope::Site,
            depth: None,
            sites: None,
            budget: Budget::default(),
            concurrency: 64,
            per_host: 2,
            delay: Duration::from_secs(1),
            longest_delay: Duration::from_secs(120),
            retries: 3,
            back_off: Duration::from_secs(1),
            max_size: 16 << 20,
            parts: false,
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
            window: 4096,
            share: 512,
            restart: false,
            canonical: without_fragment,
        }
    }
}

/// Order in which pages are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Pages with the fewest links from a seed first.
    #[default]
    BreadthFirst,
    /// Most recently found pages first.
    DepthFirst,
}

/// Selection of the links to follow. Parts of pages are fetched wherever they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Hosts of the seeds and of their redirect targets; `www.` makes no difference.
    #[default]
    Site,
    /// Addresses with the same origin as one of these, whose path begins with its path.
    Prefixes(Vec<Url>),
    /// All addresses.
    Anywhere,
}

/// Limits for sites that are found during the crawl. The sites of the seeds do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sites {
    /// Largest number of sites, over all runs.
    pub most: u64,
    /// Largest number of pages fetched from each, including failed ones.
    pub pages: u64,
}

/// A site that a link has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSite {
    /// Host, in the form returned by [`site`].
    pub name: String,
    /// Note of the link.
    pub note: Option<String>,
}

/// Limits of a crawl. Requests in progress are finished when the page or byte limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Number of stored pages, over all runs of the crawl.
    pub pages: Option<u64>,
    /// Duration of this run.
    pub time: Option<Duration>,
    /// Number of bytes received in this run.
    pub bytes: Option<u64>,
}

/// Reason for the end of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// No pages are left.
    Complete,
    /// A limit of the budget was reached.
    Budget,
    /// The crawl was stopped.
    Stopped,
}

/// Progress of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Numbers of addresses, over all runs.
    pub counts: Counts,
    /// Number of jobs in progress.
    pub active: u64,
    /// Number of bytes received in this run.
    pub bytes: u64,
    /// Number of requests in this run.
    pub requests: u64,
    /// Number of records found in this run.
    pub records: u64,
}

/// Summary of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Reason for its end.
    pub end: End,
    /// Final progress.
    pub progress: Progress,
    /// True if an earlier run had begun the crawl.
    pub resumed: bool,
    /// Some of the failed addresses, with their reasons.
    pub failures: Vec<(String, String)>,
    /// Reasons for failures, most frequent first.
    pub reasons: Vec<Reason>,
    /// Temporary files that have not replaced the requested ones, because the crawl was stopped or stored nothing.
    pub parts: Vec<PathBuf>,
    /// Tallies of the visits, over all runs.
    pub tallies: BTreeMap<String, u64>,
}

/// Reason why addresses failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// Number of addresses.
    pub count: u64,
    /// Address of an example.
    pub url: String,
    /// Reason for the example.
    pub note: String,
    /// Common reason, without the address.
    pub summary: String,
}

/// Progress mark of a crawl. Data stored outside its state carries the same mark, which shows that both belong
/// together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Random identifier of the crawl, created with its state.
    pub crawl: String,
    /// Number of batches of pages that were stored; it only grows.
    pub generation: u64,
}

/// Source of answers.
pub trait Source: Send + Sync {
    /// Receives the addresses that the user gave, before the first request. Pages may link to their origins, even if
    /// those are private.
    fn name(&self, _given: &[Url]) {}

    /// Requests a page once without following redirects. `given` says that the user gave the address, so it may be
    /// private.
    fn ask<'a>(&'a self, url: &'a Url, given: bool) -> Asking<'a>;

    /// Checks that the site permits fetching the page; returns the delay it requires between requests.
    fn leave<'a>(&'a self, url: &'a Url, given: bool) -> Leave<'a>;

    /// Returns the initial bytes of an archive.
    fn prelude(&self, _name: &str) -> Vec<u8> {
        Vec::new()
    }

    /// Returns an answer as an archive record.
    fn pack(&self, _answer: &Answer) -> Vec<u8> {
        Vec::new()
    }
}

/// Future of an answer.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Answer, FetchError>> + Send + 'a>>;

/// Future of a site's permission.
pub type Leave<'a> = Pin<Box<dyn Future<Output = Result<Option<Duration>, FetchError>> + Send + 'a>>;

/// Handle for stopping a crawl from another thread.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Requests that the crawl stop after the work in progress.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Reports whether a stop was requested.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Error that ends a crawl.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum CrawlError {
    /// The state could not be read or written.
    #[error("the crawl's state could not be read or written: {cause}")]
    #[diagnostic(code(crawl::state))]
    State {
        /// Error of SQLite.
        #[from]
        cause: rusqlite::Error,
    },
    /// The state was written by a later version of the program.
    #[error("`{}` was written by a later version of Windrow", path.display())]
    #[diagnostic(code(crawl::newer))]
    Newer {
        /// Path of the state.
        path: PathBuf,
    },
    /// Another process is using the state.
    #[error("`{}` is in use by another crawl", path.display())]
    #[diagnostic(code(crawl::busy), help("wait for it to end, or give this crawl another --state"))]
    Busy {
        /// Path of the state.
        path: PathBuf,
    },
    /// The state belongs to a crawl with other settings.
    #[error("`{}` holds a different crawl ({difference})", path.display())]
    #[diagnostic(code(crawl::other), help("add --restart to discard it, or --state FILE to keep both"))]
    Other {
        /// Path of the state.
        path: PathBuf,
        /// Settings that differ.
        difference: String,
    },
    /// A file of the crawl could not be used.
    #[error("cannot use `{}`: {cause}", path.display())]
    #[diagnostic(code(crawl::file))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        cause: std::io::Error,
    },
    /// A new crawl would overwrite an existing file.
    #[error("`{}` exists and is not from a crawl that can be resumed", path.display())]
    #[diagnostic(code(crawl::file_exists), help("add --restart to replace it, move it away, or write to another file"))]
    FileExists {
        /// Path of the file.
        path: PathBuf,
    },
    /// Another crawl is writing to the file, or two outputs name the same file.
    #[error("`{}` is being written by another crawl, or named twice", path.display())]
    #[diagnostic(code(crawl::file_busy), help("each output needs a file of its own"))]
    FileBusy {
        /// Path of the file.
        path: PathBuf,
    },
    /// A file was changed since the crawl wrote it.
    #[error("`{}` is not the file that this crawl has written", path.display())]
    #[diagnostic(
        code(crawl::file_changed),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileChanged {
        /// Path of the file.
        path: PathBuf,
    },
    /// A file is shorter than the crawl left it.
    #[error("`{}` has {there} bytes, but the crawl has written {length}", path.display())]
    #[diagnostic(
        code(crawl::file_short),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileShort {
        /// Path of the file.
        path: PathBuf,
        /// Number of bytes written.
        length: u64,
        /// Number of bytes in the file.
        there: u64,
    },
    /// A file of the crawl is missing.
    #[error("`{}` is gone, with the {length} bytes that this crawl has written", path.display())]
    #[diagnostic(
        code(crawl::file_gone),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileGone {
        /// Path of the file.
        path: PathBuf,
        /// Number of bytes written.
        length: u64,
    },
    /// Data stored outside the state could not be made durable.
    #[error("the crawl's results could not be stored: {cause}")]
    #[diagnostic(code(crawl::secure), help("run the same command again to resume from the last batch that was stored"))]
    Secure {
        /// Reason, as text.
        cause: String,
    },
    /// Threads or sockets could not be created.
    #[error("the crawl could not be started: {cause}")]
    #[diagnostic(code(crawl::system))]
    System {
        /// Error of the operating system.
        cause: std::io::Error,
    },
}

/// Hosts and addresses that are in scope.
#[derive(Debug)]
struct Bounds {
    scope: Scope,
    hosts: HashSet<String>,
}

impl Bounds {
    fn new(scope: Scope) -> Bounds {
        Bounds { scope, hosts: HashSet::new() }
    }

    /// Adds the host of a seed.
    fn admit(&mut self, url: &Url) {
        self.hosts.insert(site(url));
    }

    /// Adds a site.
    fn open(&mut self, site: String) {
        self.hosts.insert(site);
    }

    fn holds(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
            && match &self.scope {
                Scope::Site => self.hosts.contains(&site(url)),
                Scope::Prefixes(prefixes) => prefixes.iter().any(|prefix| {
                    let rest = |url: &Url| url[Position::BeforePath..Position::AfterQuery].to_owned();
                    prefix.origin() == url.origin() && rest(url).starts_with(&rest(prefix))
                }),
                Scope::Anywhere => true,
            }
    }
}

/// Returns the site of an address: its host without `www.`, with its port unless that is the default.
pub fn site(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Reads the counts of a crawl's state without resuming it.
pub fn status(state: &Path) -> Result<Counts, CrawlError> {
    frontier::counts(&frontier::reader(state)?)
}

/// Reads the checkpoint of a crawl's state; `None` if there is no state or it was written by an earlier version.
pub fn checkpoint(state: &Path) -> Result<Option<Checkpoint>, CrawlError> {
    if state.exists() { frontier::checkpoint(&frontier::reader(state)?) } else { Ok(None) }
}

/// Reads the sites that links have opened.
pub fn sites(state: &Path) -> Result<Vec<OpenSite>, CrawlError> {
    frontier::sites(&frontier::reader(state)?)
}

/// Reads the addresses whose pages are stored.
pub fn stored(state: &Path) -> Result<Vec<String>, CrawlError> {
    frontier::stored(&frontier::reader(state)?)
}
