//! `windrow crawl`: from page to page, with a wrapper.

pub(crate) mod progress;

use std::path::PathBuf;

use miette::{Diagnostic, Report};
use url::Url;
use windrow::Expr;
use windrow::crawl::{self, CrawlOptions, seed, seeds};
use windrow::fetch::crawl::{Budget, Config, Order, Scope};
use windrow::format::OutputFormat;
use windrow::monitor::Reports;
use windrow::wrapper_file::WrapperFile;

use crate::args::{CRAWL_FORMATS, CrawlArguments};
use crate::run::{Ending, ended, tell};

use progress::Watch;

/// A file name that does not tell the format.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the name `{path}` does not tell how to write")]
#[diagnostic(
    code(crawl::format),
    help(
        "a crawl writes .jsonl, .ndjson or .csv; for other formats: --record FILE.warc.gz, then windrow extract -w RULES FILE.warc.gz"
    )
)]
struct UnknownFormat {
    path: String,
}

/// Runs the command.
pub(crate) fn run(arguments: &CrawlArguments) -> Ending {
    ended(begin(arguments))
}

fn begin(arguments: &CrawlArguments) -> Result<Ending, Reports> {
    let rules = arguments.wrapper.as_deref().map(WrapperFile::open).transpose()?;
    let options = options(arguments)?;
    let state = options.config.state.clone();
    let quiet = arguments.reading.quiet;
    let (mut watch, lines, stop) = Watch::new(quiet);
    let result = crawl::run(options, rules.as_ref(), &stop, &mut watch, &lines);
    let told = watch.finish();
    let result = result?;
    told?;
    if !quiet {
        result.lines(&state).iter().for_each(|line| tell(line));
    }
    Ok(result.ending())
}

fn options(arguments: &CrawlArguments) -> Result<CrawlOptions, Report> {
    let seeds = seeds(&arguments.pages, arguments.seeds.as_deref())?;
    let follow = arguments.follow.iter().map(|text| expression(text)).collect::<Result<_, _>>()?;
    let config = config(arguments, state(arguments, &seeds))?;
    Ok(CrawlOptions {
        seeds,
        follow,
        next_pages: !arguments.no_next,
        raw: arguments.raw,
        format: format(arguments)?,
        output: arguments.output.clone(),
        charset: arguments.reading.charset,
        fetcher: arguments.reading.fetching.config(),
        store: arguments.keep.into.clone(),
        keep: arguments.keep.options(),
        config,
    })
}

/// Returns the file that the crawl keeps its state in.
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

fn config(arguments: &CrawlArguments, state: PathBuf) -> Result<Config, Report> {
    let mut config = Config::new(state);
    config.conditions = arguments.reading.fetching.conditions();
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
    if let Some(threads) = arguments.reading.threads {
        config.threads = threads.get();
    }
    if arguments.depth_first {
        // What waits for its turn would come before what was found meanwhile.
        config.window = config.window.min(config.per_host);
    }
    config.restart = arguments.restart;
    Ok(config)
}

fn format(arguments: &CrawlArguments) -> Result<OutputFormat, UnknownFormat> {
    match (arguments.format, &arguments.output) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(OutputFormat::JSONL),
        (None, Some(path)) => OutputFormat::from_path(path, &CRAWL_FORMATS)
            .ok_or_else(|| UnknownFormat { path: path.display().to_string() }),
    }
}

fn expression(text: &str) -> Result<Expr, Report> {
    Expr::parse(text)
        .map_err(|error| Report::new(error).with_source_code(miette::NamedSource::new("--follow", text.to_owned())))
}
