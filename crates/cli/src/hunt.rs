//! `windrow hunt`: from a search engine's results to records and findings in a store.

use std::path::PathBuf;

use miette::Diagnostic;
use windrow::fetch::crawl::{Budget, Config, Sites};
use windrow::format::OutputFormat;
use windrow::hunt::{self, HuntOptions};
use windrow::monitor::Reports;

use crate::args::{HUNT_FORMATS, HuntArguments};
use crate::crawl::progress::Watch;
use crate::run::{Ending, ended, tell};
use crate::terminal;

/// An argument that is missing or unclear.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum HuntArgumentError {
    #[error("it is not said where to keep what is found")]
    #[diagnostic(code(hunt::no_store), help("give a store: --into hunt.db"))]
    NoStore,
    #[error("the name `{path}` does not tell how to write")]
    #[diagnostic(code(hunt::format), help("a hunt writes .txt, .jsonl, .ndjson or .csv; else say --format"))]
    Format { path: String },
}

/// Runs the command.
pub(crate) fn run(arguments: &HuntArguments) -> Ending {
    ended(hunt(arguments))
}

fn hunt(arguments: &HuntArguments) -> Result<Ending, Reports> {
    let options = options(arguments)?;
    let quiet = arguments.reading.quiet;
    let (mut watch, lines, stop) = Watch::new(quiet);
    let result = hunt::run(&options, &stop, &mut watch, &lines);
    let told = watch.finish();
    let (result, failure) = result?;
    told?;
    if !quiet {
        result.lines(terminal::columns()).iter().for_each(|line| tell(line));
    }
    match failure {
        Some(failure) => Err(failure.into()),
        None => Ok(result.ending()),
    }
}

fn options(arguments: &HuntArguments) -> Result<HuntOptions, HuntArgumentError> {
    Ok(HuntOptions {
        domain: arguments.domain.clone(),
        search: arguments.search.clone(),
        own_queries: arguments.own.clone(),
        queries: arguments.queries as usize,
        names: arguments.names.clone(),
        most_names: arguments.most_names as usize,
        rules: arguments.rules.clone(),
        references: arguments.references.clone(),
        at_least: arguments.at_least,
        today: arguments.today.map(|day| day.to_string()),
        lenient: arguments.lenient,
        format: format(arguments)?,
        output: arguments.output.clone(),
        not_hosts: arguments.not_host.clone(),
        store: arguments.keep.into.clone().ok_or(HuntArgumentError::NoStore)?,
        keep: arguments.keep.options(),
        charset: arguments.reading.charset,
        fetcher: arguments.reading.fetching.config(),
        state: arguments.state.clone(),
        config: config(arguments),
    })
}

fn config(arguments: &HuntArguments) -> Config {
    let mut config = Config::new(PathBuf::new());
    config.sites = Some(Sites { most: arguments.sites, pages: arguments.pages });
    // From a page of results to a site's first page it is one link.
    config.depth = Some(arguments.depth.saturating_add(1));
    config.budget = Budget { pages: None, time: arguments.budget.time, bytes: arguments.budget.bytes };
    config.max_size = arguments.reading.fetching.most_bytes();
    if let Some(threads) = arguments.reading.threads {
        config.threads = threads.get();
    }
    config.restart = arguments.restart;
    config.conditions = arguments.reading.fetching.conditions();
    arguments.politeness.apply(&mut config, &arguments.reading.fetching);
    config
}

fn format(arguments: &HuntArguments) -> Result<Option<OutputFormat>, HuntArgumentError> {
    match (arguments.format, &arguments.output) {
        (Some(format), _) => Ok(Some(format)),
        (None, Some(path)) => OutputFormat::from_path(path, &HUNT_FORMATS)
            .map(Some)
            .ok_or_else(|| HuntArgumentError::Format { path: path.display().to_string() }),
        (None, None) => Ok(None),
    }
}
