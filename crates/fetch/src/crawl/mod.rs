//! From page to page, politely, surviving being killed.
//!
//! A crawl begins with seeds, asks a [`Source`] for each page, hands it to a [`Visitor`], and goes on with the links
//! that the visitor gives back. Everything it knows is in one SQLite file, its state: killed at any moment, the same
//! crawl goes on where it was, without fetching a stored page again or losing one.
//!
//! # How it works
//!
//! ```text
//!             jobs                   answers                  what they brought
//!  keeper ───────────▶ scheduler ───────────────▶ visitors ──────────────────────▶ keeper
//!  (frontier, files)   (politeness, sockets)      (threads)                        (one transaction a batch)
//! ```
//!
//! The keeper is the only one that writes. It hands out a window of jobs, and writes what comes back in batches: the
//! files' new bytes first, then one transaction with the pages' ends, their links and the files' lengths.
//!
//! A page may need others to be read (`get` in a wrapper): the visitor asks for them through [`Visited::part`], and
//! if any is not there the page waits until they are, and is then visited again with what was kept of it.
//!
//! # Exactly once
//!
//! Redirects are not followed but entered into the frontier, so two addresses that lead to one page fetch it once. A
//! page that is stored is never fetched again. A page that was fetched but not yet stored when the process was
//! killed is fetched again, and what it had written to the files is cut off first. Files are written beside the ones that
//! were asked for, and take their places when the crawl has ended.
//!
//! # Memory
//!
//! Addresses are on disk; in memory are a bounded cache of their keys, a window of jobs, the answers under way, and a
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

/// Redirects that are followed from one page.
const MOST_HOPS: usize = 10;

/// What a crawl does, and within which bounds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The file that holds everything the crawl knows.
    pub state: PathBuf,
    /// What makes this crawl another than one with other rules, as parts with `, ` between them: a state with another
    /// identity is refused, and the parts that differ are named. A part `wrapper#12ab` is told as another wrapper.
    pub identity: String,
    /// The settings that decide which pages can be had, in words. If they differ from those of the last run, everything
    /// that failed is tried again.
    pub conditions: String,
    /// What visits write to: files, each with what a new one begins with, or none, whose bytes the observer is told.
    pub outputs: Vec<(Option<PathBuf>, Vec<u8>)>,
    /// The archive that answers are recorded in.
    pub record: Option<PathBuf>,
    /// Which page comes next.
    pub order: Order,
    /// Which links are followed.
    pub scope: Scope,
    /// Links from a seed to the farthest page.
    pub depth: Option<u32>,
    /// The sites that links may open beside those of the seeds; none if they may not.
    pub sites: Option<Sites>,
    /// When to stop.
    pub budget: Budget,
    /// Requests at a time in all.
    pub concurrency: usize,
    /// Requests at a time to one host.
    pub per_host: usize,
    /// Time between the starts of two requests to one host.
    pub delay: Duration,
    /// The longest crawl-delay of a robots.txt that is kept to, and the longest Retry-After.
    pub longest_delay: Duration,
    /// Attempts behind the first.
    pub retries: u32,
    /// Time before the second attempt; each further one takes twice as long.
    pub back_off: Duration,
    /// Bytes of one page, packed or unpacked.
    pub max_size: u64,
    /// Whether visits may ask for parts: answers are then kept in the state.
    pub parts: bool,
    /// Threads that visit.
    pub threads: usize,
    /// Jobs under way or waiting for their turn. One at a time makes every run the same.
    pub window: usize,
    /// Those of them that are one host's, at most. What is found meanwhile does not come before them.
    pub share: usize,
    /// Whether to begin anew: the state of an earlier run is removed, and its files are replaced when this one has ended.
    pub restart: bool,
    /// How addresses are told apart.
    pub canonical: Canonical,
}

impl Config {
    /// A crawl with this state, polite, within the sites of its seeds.
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

/// Which page comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Those with the fewest links behind them.
    #[default]
    BreadthFirst,
    /// Those found last.
    DepthFirst,
}

/// Which links are followed. Parts of pages are fetched wherever they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// The hosts of the seeds, and of where seeds lead; `www.` makes no difference.
    #[default]
    Site,
    /// Addresses of the same origin as one of these, whose path begins with its path.
    Prefixes(Vec<Url>),
    /// All.
    Anywhere,
}

/// Sites that are found on the way, and how much of each is seen. The seeds' own are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sites {
    /// How many there may be, over all runs.
    pub most: u64,
    /// Pages of each that are fetched, those that fail among them.
    pub pages: u64,
}

/// A site that a link has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSite {
    /// Its host, as [`site`] has it.
    pub name: String,
    /// What the link said of itself.
    pub note: Option<String>,
}

/// When to stop. What is under way is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Pages stored, over all runs of the crawl.
    pub pages: Option<u64>,
    /// Time of this run.
    pub time: Option<Duration>,
    /// Bytes received in this run.
    pub bytes: Option<u64>,
}

/// Why a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// There is nothing left.
    Complete,
    /// The budget is used up.
    Budget,
    /// Somebody stopped it.
    Stopped,
}

/// How a crawl stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Addresses, over all runs.
    pub counts: Counts,
    /// Requests under way.
    pub active: u64,
    /// Bytes received in this run.
    pub bytes: u64,
    /// Requests of this run.
    pub requests: u64,
    /// Records found in this run.
    pub records: u64,
}

/// How a crawl went.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Why it ended.
    pub end: End,
    /// How it stands.
    pub progress: Progress,
    /// Whether an earlier run had begun it.
    pub resumed: bool,
    /// Some of the addresses that failed, with why.
    pub failures: Vec<(String, String)>,
    /// Why addresses failed, the most frequent reason first.
    pub reasons: Vec<Reason>,
    /// Files that are not in their places yet, since the crawl was stopped or has stored nothing.
    pub parts: Vec<PathBuf>,
    /// What visits have counted, over all runs.
    pub tallies: BTreeMap<String, u64>,
}

/// Why addresses failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// How many did.
    pub count: u64,
    /// One of them.
    pub url: String,
    /// Why that one did.
    pub note: String,
    /// Why they all did: the same without the address.
    pub summary: String,
}

/// How far a crawl has come. What is kept outside its state carries the same mark, so that both are known to belong
/// together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// A random name of the crawl, made with its state.
    pub crawl: String,
    /// The number of batches of pages that are stored. It only grows.
    pub generation: u64,
}

/// Where answers come from.
pub trait Source: Send + Sync {
    /// Is told the addresses that a person gave, before anything is asked. Pages may lead back to their origins, even if
    /// those are private.
    fn name(&self, _given: &[Url]) {}

    /// Asks for a page once, without following where it leads. `given`: a person gave the address, so it may be
    /// private.
    fn ask<'a>(&'a self, url: &'a Url, given: bool) -> Asking<'a>;

    /// Whether the site lets us have the page, and the time it wants between requests.
    fn leave<'a>(&'a self, url: &'a Url, given: bool) -> Leave<'a>;

    /// What an archive begins with.
    fn prelude(&self, _name: &str) -> Vec<u8> {
        Vec::new()
    }

    /// An answer as an archive keeps it.
    fn pack(&self, _answer: &Answer) -> Vec<u8> {
        Vec::new()
    }
}

/// An answer to come.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Answer, FetchError>> + Send + 'a>>;

/// A site's leave to come.
pub type Leave<'a> = Pin<Box<dyn Future<Output = Result<Option<Duration>, FetchError>> + Send + 'a>>;

/// Stops a crawl from another thread.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Lets what is under way finish, and no more.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Why a crawl cannot go on.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum CrawlError {
    /// The state cannot be read or written.
    #[error("the crawl's state fails: {cause}")]
    #[diagnostic(code(crawl::state))]
    State {
        /// What SQLite said.
        #[from]
        cause: rusqlite::Error,
    },
    /// A later version wrote it.
    #[error("`{}` was written by a later version", path.display())]
    #[diagnostic(code(crawl::newer))]
    Newer {
        /// The state.
        path: PathBuf,
    },
    /// Another process works on it.
    #[error("`{}` is in use by another crawl", path.display())]
    #[diagnostic(code(crawl::busy), help("wait for it to end, or give this one another --state"))]
    Busy {
        /// The state.
        path: PathBuf,
    },
    /// It belongs to other rules.
    #[error("`{}` holds a different crawl ({difference})", path.display())]
    #[diagnostic(code(crawl::other), help("add --restart to discard it, or --state FILE to keep both"))]
    Other {
        /// The state.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A file of the crawl fails.
    #[error("cannot use `{}`: {cause}", path.display())]
    #[diagnostic(code(crawl::file))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A new crawl would overwrite something.
    #[error("`{}` exists and is not from a crawl that can be resumed", path.display())]
    #[diagnostic(code(crawl::file_exists), help("add --restart to replace it, move it away, or write to another file"))]
    FileExists {
        /// The file.
        path: PathBuf,
    },
    /// Another crawl writes to a file, or this one twice.
    #[error("`{}` is being written by another crawl, or named twice", path.display())]
    #[diagnostic(code(crawl::file_busy), help("each output needs a file of its own"))]
    FileBusy {
        /// The file.
        path: PathBuf,
    },
    /// A file is not as the crawl left it.
    #[error("`{}` is not the file that this crawl has written", path.display())]
    #[diagnostic(
        code(crawl::file_changed),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileChanged {
        /// The file.
        path: PathBuf,
    },
    /// A file of the crawl has lost its end.
    #[error("`{}` has {there} bytes, and the crawl has written {length}", path.display())]
    #[diagnostic(
        code(crawl::file_short),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileShort {
        /// The file.
        path: PathBuf,
        /// Bytes that were written.
        length: u64,
        /// Bytes there are.
        there: u64,
    },
    /// A file of the crawl is not there.
    #[error("`{}` is gone, with the {length} bytes that this crawl has written", path.display())]
    #[diagnostic(
        code(crawl::file_gone),
        help("put back the file that the earlier run wrote, or add --restart to crawl everything again")
    )]
    FileGone {
        /// The file.
        path: PathBuf,
        /// Bytes that were written.
        length: u64,
    },
    /// What was kept outside the state could not be made durable.
    #[error("cannot keep what was found: {cause}")]
    #[diagnostic(code(crawl::secure), help("the same command goes on from the last batch that was kept"))]
    Secure {
        /// Why, in words.
        cause: String,
    },
    /// Threads or sockets are refused.
    #[error("cannot begin: {cause}")]
    #[diagnostic(code(crawl::system))]
    System {
        /// What the system said.
        cause: std::io::Error,
    },
}

/// Which hosts and addresses are in scope.
#[derive(Debug)]
struct Bounds {
    scope: Scope,
    hosts: HashSet<String>,
}

impl Bounds {
    fn new(scope: Scope) -> Bounds {
        Bounds { scope, hosts: HashSet::new() }
    }

    /// Takes a seed's host in.
    fn admit(&mut self, url: &Url) {
        self.hosts.insert(site(url));
    }

    /// Takes a site in.
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

/// The host as a site: without `www.`, with a port that is not the usual one.
pub fn site(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// How the crawl in a state stands, without going on with it.
pub fn status(state: &Path) -> Result<Counts, CrawlError> {
    frontier::counts(&frontier::reader(state)?)
}

/// How far the crawl in a state has come; none if there is no such state, or an earlier version made it.
pub fn checkpoint(state: &Path) -> Result<Option<Checkpoint>, CrawlError> {
    match state.exists() {
        true => frontier::checkpoint(&frontier::reader(state)?),
        false => Ok(None),
    }
}

/// The sites that links have opened.
pub fn sites(state: &Path) -> Result<Vec<OpenSite>, CrawlError> {
    frontier::sites(&frontier::reader(state)?)
}

/// The addresses whose pages are stored.
pub fn stored(state: &Path) -> Result<Vec<String>, CrawlError> {
    frontier::stored(&frontier::reader(state)?)
}
