//! Crawls: from page to page, with a wrapper on each.
//!
//! The crawl itself is [`windrow_fetch::crawl`]; here are its visits, the store that belongs to a
//! crawl, and what tells one crawl from another.

pub mod pages;
mod visitor;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use miette::{Diagnostic, Report};
use url::Url;

use crate::Expr;
use crate::fetch::crawl::{self, Checkpoint, Config, End, Observer, Progress, Reason, Scope, Stop, Summary};
use crate::fetch::{Fetcher, FetcherConfig};
use crate::format::OutputFormat;
use crate::keeping::{KeepOptions, KeepSummary, StoreRun, WrapperOrigin};
use crate::monitor::{Ending, Monitor};
use crate::text::grouped;
use crate::wrapper_file::WrapperFile;

use visitor::CrawlVisitor;

/// Reasons for failures that are described.
const MOST: usize = 10;
/// Largest number of bytes of a list of seeds.
const SEEDS_BYTES: u64 = 1 << 30;

/// An error that keeps a crawl from beginning.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum CrawlError {
    /// A seed is not an address.
    #[error("`{text}` is no address: {cause}")]
    #[diagnostic(code(crawl::seed), help("an address looks like https://example.org/page"))]
    Seed {
        /// The seed.
        text: String,
        /// Reason.
        cause: String,
    },
    /// The list of seeds cannot be read.
    #[error("cannot read the seeds in `{path}`: {cause}")]
    #[diagnostic(code(crawl::seeds))]
    Seeds {
        /// The file.
        path: String,
        /// Error of the system.
        cause: io::Error,
    },
    /// The list of seeds is empty.
    #[error("there is no seed in `{path}`")]
    #[diagnostic(code(crawl::no_seeds), help("the file has an address on each line"))]
    NoSeeds {
        /// The file.
        path: String,
    },
    /// There is a store, and no wrapper.
    #[error("there is no wrapper, so there are no records to keep")]
    #[diagnostic(code(crawl::nothing_to_keep), help("give one with -w, or leave --into out"))]
    NothingToKeep,
    /// CSV needs its columns before the first page.
    #[error("the columns of this wrapper depend on the pages, so a crawl cannot write them as CSV")]
    #[diagnostic(
        code(crawl::open_columns),
        help("write .jsonl, or: --record FILE.warc.gz, then windrow extract -w RULES FILE.warc.gz")
    )]
    OpenColumns,
}

/// A crawl to run.
#[derive(Debug)]
pub struct CrawlOptions {
    /// Addresses to start from.
    pub seeds: Vec<Url>,
    /// Expressions of further links to follow.
    pub follow: Vec<Expr>,
    /// Follows the next page of lists.
    pub next_pages: bool,
    /// Writes every value as its visible text.
    pub raw: bool,
    /// Format of the records: JSON Lines or CSV.
    pub format: OutputFormat,
    /// File for the records; without one, the observer gets them.
    pub output: Option<PathBuf>,
    /// Charset that pages are decoded with, whatever they declare.
    pub charset: Option<&'static str>,
    /// Settings for fetching.
    pub fetcher: FetcherConfig,
    /// Store to keep the records in; its address.
    pub store: Option<String>,
    /// Options for the store.
    pub keep: KeepOptions,
    /// Limits of the crawl, its scope and its state. The identity, the outputs and the archive are set from the other options.
    pub config: Config,
}

/// The result of a crawl.
#[derive(Debug)]
pub struct CrawlResult {
    /// Summary of the crawl.
    pub summary: Summary,
    /// Summary of the kept records, and the name of the store.
    pub kept: Option<(KeepSummary, String)>,
}

impl CrawlResult {
    /// Describes the crawl, whose state is in this file, a line each; then what was kept.
    pub fn lines(&self, state: &Path) -> Vec<String> {
        let kept = self.kept.as_ref().map(|(kept, place)| kept.told(place));
        summary_lines(&self.summary, state).into_iter().chain(kept).collect()
    }

    /// Returns the kind of result.
    pub fn ending(&self) -> Ending {
        if self.kept.as_ref().is_some_and(|(kept, _)| kept.ending() == Ending::Failed) {
            return Ending::Failed;
        }
        match (self.summary.progress.counts.done, self.summary.progress.counts.failed) {
            (0, 1..) => Ending::Failed,
            (0, 0) | (_, 1..) => Ending::Nothing,
            (_, 0) => Ending::Found,
        }
    }
}

/// Runs a crawl until it is complete, its budget is used up, or `stop` is set.
///
/// # Errors
///
/// The crawl cannot begin, or the state or the store failed: the same crawl goes on from its last batch.
pub fn run(
    options: CrawlOptions,
    rules: Option<&WrapperFile>,
    stop: &Stop,
    observer: &mut dyn Observer,
    monitor: &dyn Monitor,
) -> Result<CrawlResult, Report> {
    let mut config = options.config.clone();
    let keeping = match (&options.store, rules) {
        (Some(store), Some(rules)) => {
            pages::check_store(store, &config.state, config.restart)?;
            let (name, format) = (rules.store_name(), rules.file.format.to_string());
            let origin = WrapperOrigin { name: &name, text: &rules.file.text, format: &format };
            Some(StoreRun::begin(store, options.keep, origin, &rules.extractor.shape())?)
        }
        (Some(_), None) => return Err(CrawlError::NothingToKeep.into()),
        (None, _) => None,
    };
    let fatal = Fatal::default();
    let visitor = CrawlVisitor::new(&options, rules, keeping.as_ref(), &fatal, monitor)?;
    config.identity = identity(&options, rules);
    if options.output.is_some() || options.store.is_none() {
        config.outputs = vec![(options.output.clone(), visitor.header())];
    }
    config.parts = rules.is_some_and(|rules| rules.extractor.asks_for_pages());
    config.canonical = windrow_learn::next::canonical;
    let mut fetching = options.fetcher.clone();
    // The crawl records for itself, in step with its state.
    config.record = fetching.record.take();
    let fetcher = Fetcher::new(fetching)?;
    fetcher.notes().iter().for_each(|note| monitor.note(&format!("note: {note}")));
    let mut guarded = Guarded { observer, keeping: keeping.as_ref(), fatal: &fatal };
    let summary = crawl::run(&config, &options.seeds, fetcher.into_source(), &visitor, stop, &mut guarded);
    drop(visitor);
    fatal.into_result()?;
    let kept = keeping.map(|keeping| {
        let place = keeping.place().to_owned();
        keeping.finish().map(|(kept, _)| (kept, place))
    });
    let summary = summary?;
    Ok(CrawlResult { summary, kept: kept.transpose()? })
}

/// The first error of the store that a visit met. The batch of that visit is not committed, so the same crawl goes on
/// with its page.
#[derive(Debug, Default)]
pub(crate) struct Fatal(Mutex<Option<Report>>);

impl Fatal {
    pub(crate) fn set(&self, report: Report) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(report);
    }

    fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn into_result(self) -> Result<(), Report> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// An observer that keeps the state of a crawl behind its store.
pub(crate) struct Guarded<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) keeping: Option<&'a StoreRun>,
    pub(crate) fatal: &'a Fatal,
}

impl Observer for Guarded<'_> {
    fn secure(&mut self, checkpoint: &Checkpoint) -> Result<(), String> {
        if self.fatal.is_set() {
            return Err("the store takes no more records".to_owned());
        }
        self.keeping.map_or(Ok(()), |keeping| keeping.mark(checkpoint).map_err(|report| report.to_string()))
    }

    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }

    fn output(&mut self, number: usize, bytes: &[u8]) {
        self.observer.output(number, bytes);
    }
}

/// Returns what tells this crawl from another with the same state.
fn identity(options: &CrawlOptions, rules: Option<&WrapperFile>) -> String {
    let mut words = Vec::new();
    match rules {
        Some(rules) => {
            words.push(format!("wrapper#{}", pages::sum(&rules.file.text)));
            words.push(format!("{} output", options.format.name().to_uppercase()));
        }
        None => words.push("no wrapper".to_owned()),
    }
    if let Some(store) = &options.store {
        words.push(format!("kept in {}", crate::store::shown(store)));
    }
    if options.raw {
        words.push("raw values".to_owned());
    }
    words.extend(options.follow.iter().map(|follow| format!("following {}", follow.source())));
    if !options.next_pages {
        words.push("without next pages".to_owned());
    }
    words.extend(options.config.depth.map(|depth| format!("to depth {depth}")));
    match &options.config.scope {
        Scope::Prefixes(prefixes) => words.extend(prefixes.iter().map(|within| format!("within {within}"))),
        Scope::Anywhere => words.push("anywhere".to_owned()),
        Scope::Site => {}
    }
    words.join(", ")
}

/// Returns the addresses to start from: the given ones, then those in a file, one on each line; `-` is standard input.
///
/// # Errors
///
/// The file cannot be read or is empty, or one of them is not an address.
pub fn seeds(addresses: &[String], file: Option<&str>) -> Result<Vec<Url>, CrawlError> {
    let mut texts = addresses.to_vec();
    if let Some(path) = file {
        let fail = |cause| CrawlError::Seeds { path: path.to_owned(), cause };
        let mut text = String::new();
        match path {
            "-" => io::stdin().lock().take(SEEDS_BYTES).read_to_string(&mut text).map_err(fail)?,
            _ => {
                fs::File::open(path).and_then(|file| file.take(SEEDS_BYTES).read_to_string(&mut text)).map_err(fail)?
            }
        };
        texts.extend(
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned),
        );
        if texts.is_empty() {
            return Err(CrawlError::NoSeeds { path: path.to_owned() });
        }
    }
    texts.iter().map(|text| seed(text)).collect()
}

/// Returns an address that can be crawled.
///
/// # Errors
///
/// The text is not an address, or one that is not crawled.
pub fn seed(text: &str) -> Result<Url, CrawlError> {
    let fail = |cause: String| CrawlError::Seed { text: text.to_owned(), cause };
    let url = Url::parse(text).map_err(|error| fail(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(fail(format!("`{other}:` addresses are not crawled"))),
    }
}

/// Describes how a crawl with this state went, a line each.
fn summary_lines(summary: &Summary, state: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    let counts = summary.progress.counts;
    let how = match (summary.end, summary.resumed, summary.progress.requests) {
        (End::Complete, true, 0) => "nothing was left to do",
        (End::Complete, _, _) => "complete",
        (End::Budget, _, _) => "the budget is used up",
        (End::Stopped, _, _) => "stopped",
    };
    let pages = if counts.done == 1 { "page" } else { "pages" };
    let mut line = format!("{how}: {} {pages} stored", grouped(counts.done));
    if counts.failed > 0 {
        line += &format!(", {} failed", grouped(counts.failed));
    }
    if counts.queued > 0 {
        line += &format!(", {} queued; the same command goes on", grouped(counts.queued));
    }
    line += &format!(" (state: {})", state.display());
    lines.push(line);
    for part in &summary.parts {
        lines.push(format!("so far in {}", part.display()));
    }
    lines.extend(summary.reasons.iter().take(MOST).map(|reason| format!("failed: {}", describe(reason))));
    let told: u64 = summary.reasons.iter().take(MOST).map(|reason| reason.count).sum();
    if counts.failed > told {
        lines.push(format!("failed: {} more, for other reasons", grouped(counts.failed - told)));
    }
    if counts.failed > 0 {
        let retry = "to retry: the same command tries again what may have passed; with other options (--timeout, \
                     --ignore-robots, --allow-private, …) it tries all of them again";
        lines.push(retry.to_owned());
    }
    lines
}

/// Describes why pages failed, on one line.
fn describe(reason: &Reason) -> String {
    let (url, note) = (short(&reason.url), short(&reason.note));
    // Most reasons name the address themselves.
    match (reason.count, note.contains(&url)) {
        (1, true) => note,
        (1, false) => format!("{url}: {note}"),
        (count, _) => format!("{} pages: {}, for instance {url}", grouped(count), short(&reason.summary)),
    }
}

/// A text that fits on a few lines.
fn short(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
