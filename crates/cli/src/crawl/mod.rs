//! `windrow crawl`: from page to page, with a wrapper.
//!
//! The crawl itself is the library's; here are what is read off a page ([`visitor`]), where it goes, and what the person
//! at the terminal sees meanwhile ([`watch`]).

pub(crate) mod reading;
mod visitor;
pub(crate) mod watch;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Diagnostic, Report};
use url::Url;
use windrow::Expr;
use windrow::fetch::crawl::{self, Budget, Config, Order, Scope, Stop};
use windrow::fetch::{Fetcher, FetcherError};

use crate::args::{CrawlArguments, CrawlFormat};
use crate::extract::into::wrapper_name;
use crate::keep::{Keeping, Origin};
use crate::output;
use crate::rules::Rules;
use crate::run::{self, Ending};

use visitor::Visitor;
use watch::Watch;

/// The most of a list of seeds that is read.
const SEEDS_BYTES: u64 = 1 << 30;

/// Why a crawl cannot begin.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum CrawlError {
    #[error("`{text}` is no address: {cause}")]
    #[diagnostic(code(crawl::seed), help("an address looks like https://example.org/page"))]
    Seed { text: String, cause: String },
    #[error("cannot read the seeds in `{path}`: {cause}")]
    #[diagnostic(code(crawl::seeds))]
    Seeds { path: String, cause: io::Error },
    #[error("there is no seed in `{path}`")]
    #[diagnostic(code(crawl::no_seeds), help("the file has an address on each line"))]
    NoSeeds { path: String },
    #[error("the name `{path}` does not tell how to write")]
    #[diagnostic(
        code(crawl::format),
        help(
            "a crawl writes .jsonl, .ndjson or .csv; for other formats: --record FILE.warc.gz, then windrow extract -w RULES FILE.warc.gz"
        )
    )]
    Format { path: String },
    #[error("there is no wrapper, so there are no records to keep")]
    #[diagnostic(code(crawl::nothing_to_keep), help("give one with -w, or leave --into out"))]
    NothingToKeep,
    #[error("the columns of this wrapper depend on the pages, so a crawl cannot write them as CSV")]
    #[diagnostic(
        code(crawl::open_columns),
        help("write .jsonl, or: --record FILE.warc.gz, then windrow extract -w RULES FILE.warc.gz")
    )]
    OpenColumns,
}

/// Runs the command.
pub(crate) fn run(arguments: &CrawlArguments) -> Ending {
    let rules = match &arguments.wrapper {
        Some(wrapper) => match Rules::open(wrapper) {
            Some(rules) => Some(rules),
            None => return Ending::Failed,
        },
        None => None,
    };
    match begin(arguments, rules.as_ref()) {
        Ok(ending) => ending,
        Err(report) => {
            run::tell_error(&report);
            Ending::Failed
        }
    }
}

fn begin(arguments: &CrawlArguments, rules: Option<&Rules>) -> Result<Ending, Report> {
    let seeds = seeds(arguments)?;
    let follow = arguments.follow.iter().map(|text| expression(text)).collect::<Result<Vec<_>, _>>()?;
    let format = format(arguments)?;
    let state = state(arguments, &seeds);
    let keeping = match (&arguments.keep.into, rules) {
        (Some(store), Some(rules)) => {
            reading::check_store(store, &state, arguments.restart)?;
            Some(keeping(arguments, store, rules)?)
        }
        (Some(_), None) => return Err(CrawlError::NothingToKeep.into()),
        (None, _) => None,
    };
    let visitor = Visitor::new(arguments, rules, follow, format, keeping.as_ref())?;
    let config = config(arguments, rules, state, &visitor, format)?;
    let mut fetching = arguments.reading.fetching.config();
    // The crawl records for itself, in step with its state.
    fetching.record = None;
    let fetcher = Fetcher::new(fetching).map_err(|error: FetcherError| Report::new(error))?;
    if !arguments.reading.quiet {
        fetcher.notes().iter().for_each(|note| run::tell(&format!("note: {note}")));
    }
    let stop = Arc::new(Stop::default());
    output::stop_on_interrupt(Arc::clone(&stop));
    let mut watch = Watch::new(arguments.reading.quiet, Arc::clone(&stop), keeping.as_ref());
    visitor.tell_through(watch.lines());
    let summary = crawl::run(&config, &seeds, fetcher.into_source(), &visitor, &stop, &mut watch);
    let told = watch.finish();
    drop(visitor);
    let kept = keeping.map(|keeping| {
        let place = keeping.place().to_owned();
        keeping.finish().map(|(kept, _)| (kept, place))
    });
    let summary = summary?;
    told?;
    let kept = kept.transpose()?;
    if !arguments.reading.quiet {
        watch::tell_summary(&summary, &config.state);
    }
    if let Some((kept, place)) = &kept {
        kept.tell(place, arguments.reading.quiet);
        if kept.ending() == Ending::Failed {
            return Ok(Ending::Failed);
        }
    }
    Ok(match (summary.progress.counts.done, summary.progress.counts.failed) {
        (0, 1..) => Ending::Failed,
        (0, 0) | (_, 1..) => Ending::Nothing,
        (_, 0) => Ending::Found,
    })
}

/// The file that the crawl keeps its state in.
fn state(arguments: &CrawlArguments, seeds: &[Url]) -> PathBuf {
    if let Some(state) = &arguments.state {
        return state.clone();
    }
    let store = arguments.keep.into.as_deref().filter(|store| !store.contains("://"));
    match (&arguments.output, store) {
        (Some(output), _) => {
            let mut name = output.as_os_str().to_owned();
            name.push(".crawl");
            name.into()
        }
        (None, Some(store)) => format!("{store}.crawl").into(),
        // Crawls of two sites in one folder must not meet.
        (None, None) => {
            format!("{}.crawl", seeds.first().and_then(Url::host_str).unwrap_or("windrow").replace(':', "-")).into()
        }
    }
}

fn config(
    arguments: &CrawlArguments,
    rules: Option<&Rules>,
    state: PathBuf,
    visitor: &Visitor<'_>,
    format: CrawlFormat,
) -> Result<Config, CrawlError> {
    let mut config = Config::new(state);
    config.identity = identity(arguments, rules, format);
    config.conditions = arguments.reading.fetching.conditions();
    if arguments.output.is_some() || arguments.keep.into.is_none() {
        config.outputs = vec![(arguments.output.clone(), visitor.header())];
    }
    config.record = arguments.reading.fetching.record.clone();
    config.order = if arguments.depth_first { Order::DepthFirst } else { Order::BreadthFirst };
    config.scope = match (arguments.anywhere, arguments.within.is_empty()) {
        (true, _) => Scope::Anywhere,
        (false, true) => Scope::Site,
        (false, false) => Scope::Prefixes(arguments.within.iter().map(|text| seed(text)).collect::<Result<_, _>>()?),
    };
    config.depth = arguments.depth;
    config.budget = Budget { pages: arguments.most_pages, time: arguments.budget.time, bytes: arguments.budget.bytes };
    arguments.politeness.apply(&mut config, &arguments.reading.fetching);
    config.max_size = arguments.reading.fetching.most_bytes();
    config.parts = rules.is_some_and(|rules| rules.extractor.asks_for_pages());
    if let Some(threads) = arguments.reading.threads {
        config.threads = threads.get();
    }
    config.canonical = windrow::learn::next::canonical;
    if arguments.depth_first {
        // What waits for its turn would come before what was found meanwhile.
        config.window = config.window.min(config.per_host);
    }
    config.restart = arguments.restart;
    Ok(config)
}

/// The run that keeps the records.
fn keeping(arguments: &CrawlArguments, store: &str, rules: &Rules) -> Result<Keeping, Report> {
    let (name, format) = (wrapper_name(rules), rules.file.format.to_string());
    let origin = Origin { name: &name, text: &rules.file.text, format: &format };
    Keeping::begin(store, &arguments.keep, origin, &rules.extractor.shape())
}

/// What tells this crawl from another with the same state.
fn identity(arguments: &CrawlArguments, rules: Option<&Rules>, format: CrawlFormat) -> String {
    let mut words = Vec::new();
    match rules {
        Some(rules) => {
            words.push(format!("wrapper#{}", reading::sum(&rules.file.text)));
            words.push(format!("{} output", format!("{format:?}").to_uppercase()));
        }
        None => words.push("no wrapper".to_owned()),
    }
    if let Some(store) = &arguments.keep.into {
        words.push(format!("kept in {}", windrow::store::shown(store)));
    }
    if arguments.raw {
        words.push("raw values".to_owned());
    }
    words.extend(arguments.follow.iter().map(|follow| format!("following {follow}")));
    if arguments.no_next {
        words.push("without next pages".to_owned());
    }
    words.extend(arguments.depth.map(|depth| format!("to depth {depth}")));
    words.extend(arguments.within.iter().map(|within| format!("within {within}")));
    if arguments.anywhere {
        words.push("anywhere".to_owned());
    }
    words.join(", ")
}

fn format(arguments: &CrawlArguments) -> Result<CrawlFormat, CrawlError> {
    let by_name = |path: &Path| match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "jsonl" | "ndjson" => Some(CrawlFormat::Jsonl),
        "csv" => Some(CrawlFormat::Csv),
        _ => None,
    };
    match (arguments.format, &arguments.output) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(CrawlFormat::Jsonl),
        (None, Some(path)) => by_name(path).ok_or_else(|| CrawlError::Format { path: path.display().to_string() }),
    }
}

fn expression(text: &str) -> Result<Expr, Report> {
    Expr::parse(text)
        .map_err(|error| Report::new(error).with_source_code(miette::NamedSource::new("--follow", text.to_owned())))
}

fn seeds(arguments: &CrawlArguments) -> Result<Vec<Url>, CrawlError> {
    let mut texts = arguments.pages.clone();
    if let Some(path) = &arguments.seeds {
        let fail = |cause| CrawlError::Seeds { path: path.clone(), cause };
        let mut text = String::new();
        match path.as_str() {
            "-" => io::stdin().lock().take(SEEDS_BYTES).read_to_string(&mut text).map_err(fail)?,
            _ => {
                fs::File::open(path).and_then(|file| file.take(SEEDS_BYTES).read_to_string(&mut text)).map_err(fail)?
            }
        };
        texts.extend(
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned),
        );
        if texts.is_empty() {
            return Err(CrawlError::NoSeeds { path: path.clone() });
        }
    }
    texts.iter().map(|text| seed(text)).collect()
}

fn seed(text: &str) -> Result<Url, CrawlError> {
    let fail = |cause: String| CrawlError::Seed { text: text.to_owned(), cause };
    let url = Url::parse(text).map_err(|error| fail(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(fail(format!("`{other}:` addresses are not crawled"))),
    }
}
