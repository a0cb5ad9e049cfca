//! `windrow hunt`: from a search engine's results to records and findings in a store.
//!
//! A hunt is a crawl whose seeds are pages of results, each result opening a site. The crawl is the library's, and so are
//! the queries ([`domain::queries`]), the engine ([`wrapper::Engine`]) and which links come first ([`domain::leads`]); here
//! they meet ([`visitor`]), and what came of it is told ([`summary`]).
//!
//! [`domain::queries`]: windrow::learn::domain::queries
//! [`domain::leads`]: windrow::learn::domain::leads
//! [`wrapper::Engine`]: windrow::wrapper::Engine

mod error;
mod plan;
mod summary;
mod visitor;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::Report;
use url::Url;
use windrow::audit::{self, Auditor, Options};
use windrow::fetch::crawl::{self, Budget, Config, Scope, Sites, Stop};
use windrow::fetch::{Fetcher, FetcherError};
use windrow::keep::Keeper;
use windrow::store::audits::Scope as Audited;

use crate::args::{AuditFormat, HuntArguments, HuntFormat};
use crate::audit::keeping;
use crate::audit::print::{Findings, Style};
use crate::audit::references;
use crate::audit::rules::RuleFile;
use crate::crawl::reading;
use crate::crawl::watch::Watch;
use crate::domain::Words;
use crate::keep::{Keeping, Origin};
use crate::output;
use crate::run::{Ending, tell, tell_error};

use error::HuntError;
use plan::{Asked, Engines};
use summary::Summary;
use visitor::{Judge, Visitor};

/// Jobs of one site that are handed out at a time: what is found meanwhile may come before the rest.
const SHARE: usize = 4;

/// Runs the command.
pub(crate) fn run(arguments: &HuntArguments) -> Ending {
    hunt(arguments).unwrap_or_else(|report| {
        tell_error(&report);
        Ending::Failed
    })
}

fn hunt(arguments: &HuntArguments) -> Result<Ending, Report> {
    let store = arguments.keep.into.as_deref().ok_or(HuntError::NoStore)?;
    // All that was written is checked before anything is asked.
    let Some(words) = Words::open(&arguments.domain) else { return Ok(Ending::Failed) };
    let Some(engines) = Engines::open(&arguments.search)? else { return Ok(Ending::Failed) };
    let rules = match &arguments.rules {
        Some(name) => match RuleFile::open(name)? {
            Some(rules) => Some(rules),
            None => return Ok(Ending::Failed),
        },
        None => None,
    };
    let tables = match &rules {
        Some(rules) => references::open(&arguments.references, rules)?,
        None => Vec::new(),
    };
    let layouts = Keeper::new(&words.reader.shape()).layouts().to_vec();
    let list = layouts.into_iter().next().ok_or(HuntError::NoRecords)?;
    let auditor = match &rules {
        Some(rules) => {
            let fields = (!arguments.lenient).then(|| audit::fields(&list));
            let mut options = Options::default().with_report(arguments.at_least);
            options.today = arguments.today.map(|day| day.to_string());
            match crate::audit::auditor(rules, &tables, fields.as_deref(), options) {
                Some(auditor) => Some(auditor),
                None => return Ok(Ending::Failed),
            }
        }
        None => None,
    };
    let queries = plan::queries(arguments, words.reader.domain(), &tables)?;
    let asked = engines.ask(&queries);
    let format = format(arguments)?;
    let style = style(format);
    let mut config = config(arguments, store, &words, style);
    config.identity = identity(store, &words, &engines, rules.as_ref(), format);
    if !arguments.reading.quiet {
        auditor.iter().flat_map(Auditor::notes).for_each(|note| tell(&format!("note: {note}")));
    }
    go(
        arguments,
        Parts { store, words: &words, engines: &engines, asked, rules: rules.as_ref(), list, auditor, style },
        &config,
    )
}

/// What a hunt is made of.
struct Parts<'a> {
    store: &'a str,
    words: &'a Words,
    engines: &'a Engines,
    asked: Vec<(Url, Asked)>,
    rules: Option<&'a RuleFile>,
    list: windrow::store::Layout,
    auditor: Option<Auditor<'a>>,
    style: Style,
}

fn go(arguments: &HuntArguments, parts: Parts<'_>, config: &Config) -> Result<Ending, Report> {
    let Parts { store, words, engines, asked, rules, list, auditor, style } = parts;
    let text = words.reader.domain().write();
    let origin = Origin { name: &words.reader.domain().name, text: &text, format: "domain" };
    reading::check_store(store, &config.state, config.restart)?;
    let keeping = Keeping::begin(store, &arguments.keep, origin, &words.reader.shape())?;
    let findings = match rules {
        Some(rules) => Some(keeping::Keeping::begin(store, (&rules.name, &rules.text), &list.label, Audited::Pages)?),
        None => None,
    };
    let judge = auditor.as_ref().map(|auditor| Judge { auditor, style });
    let seeds: Vec<Url> = asked.iter().map(|(url, _)| url.clone()).collect();
    let visitor = Visitor::new(arguments, engines, asked, words, &keeping, (list, judge, findings), config);
    let mut fetching = arguments.reading.fetching.config();
    // The crawl records for itself, in step with its state.
    fetching.record = None;
    let fetcher = Fetcher::new(fetching).map_err(|error: FetcherError| Report::new(error))?;
    let stop = Arc::new(Stop::default());
    output::stop_on_interrupt(Arc::clone(&stop));
    let mut watch = Watch::new(arguments.reading.quiet, Arc::clone(&stop), Some(&keeping));
    visitor.tell_through(watch.lines());
    let crawled = crawl::run(config, &seeds, fetcher.into_source(), &visitor, &stop, &mut watch);
    let told = watch.finish();
    let findings = visitor.into_findings();
    let (kept, _) = keeping.finish()?;
    let crawled = crawled?;
    told?;
    // An audit that was stopped has not looked at all, and stays marked.
    let kept_findings = match findings.filter(|_| crawled.end != crawl::End::Stopped) {
        Some(findings) => Some(findings.finish()?),
        None => None,
    };
    let summary = Summary::new(&crawled, config);
    if !arguments.reading.quiet {
        summary.tell(rules.is_some());
        tell(&kept.told(store_name(store)));
        kept_findings.iter().for_each(|line| tell(line));
    }
    summary.check(&seeds, engines)?;
    Ok(match (kept.failed > 0 || !kept.outcome.emptied.is_empty(), summary.is_found(rules.is_some())) {
        (true, _) => Ending::Failed,
        (false, true) => Ending::Found,
        (false, false) => Ending::Nothing,
    })
}

/// A store as messages call it: without a password.
fn store_name(store: &str) -> &str {
    if store.contains("://") { "the store" } else { store }
}

fn config(arguments: &HuntArguments, store: &str, words: &Words, style: Style) -> Config {
    let state = arguments.state.clone().unwrap_or_else(|| match store.contains("://") {
        true => PathBuf::from(format!("{}.hunt", words.reader.domain().name)),
        false => PathBuf::from(format!("{store}.hunt")),
    });
    let mut config = Config::new(state);
    if style.is_printed() {
        config.outputs = vec![(arguments.output.clone(), Findings::new(style).header())];
    }
    config.record = arguments.reading.fetching.record.clone();
    config.scope = Scope::Site;
    config.sites = Some(Sites { most: arguments.sites, pages: arguments.pages });
    // From a page of results to a site's first page it is one link.
    config.depth = Some(arguments.depth.saturating_add(1));
    config.budget = Budget { pages: None, time: arguments.budget.time, bytes: arguments.budget.bytes };
    config.share = SHARE;
    config.max_size = arguments.reading.fetching.most_bytes();
    if let Some(threads) = arguments.reading.threads {
        config.threads = threads.get();
    }
    config.canonical = windrow::learn::next::canonical;
    config.restart = arguments.restart;
    config.conditions = arguments.reading.fetching.conditions();
    arguments.politeness.apply(&mut config, &arguments.reading.fetching);
    config
}

/// What tells this hunt from another with the same state. More queries and larger budgets go on with it.
fn identity(
    store: &str,
    words: &Words,
    engines: &Engines,
    rules: Option<&RuleFile>,
    format: Option<HuntFormat>,
) -> String {
    let mut parts = vec![
        format!("a hunt for {}", words.reader.domain().name),
        format!("vocabulary#{}", reading::sum(&words.reader.domain().write())),
        format!("search engine#{}", engines.sum()),
        format!("kept in {}", windrow::store::shown(store)),
    ];
    parts.extend(rules.map(|rules| format!("audit rule file#{}", reading::sum(&rules.text))));
    parts.extend(format.map(|format| format!("{} output", format!("{format:?}").to_uppercase())));
    parts.join(", ")
}

/// How findings are printed, if they are.
fn style(format: Option<HuntFormat>) -> Style {
    Style::new(format.map(|format| match format {
        HuntFormat::Text => AuditFormat::Text,
        HuntFormat::Jsonl => AuditFormat::Jsonl,
        HuntFormat::Csv => AuditFormat::Csv,
    }))
}

fn format(arguments: &HuntArguments) -> Result<Option<HuntFormat>, HuntError> {
    let by_name = |path: &Path| match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "txt" => Some(HuntFormat::Text),
        "jsonl" | "ndjson" => Some(HuntFormat::Jsonl),
        "csv" => Some(HuntFormat::Csv),
        _ => None,
    };
    match (arguments.format, &arguments.output) {
        (Some(format), _) => Ok(Some(format)),
        (None, Some(path)) => {
            by_name(path).map(Some).ok_or_else(|| HuntError::Format { path: path.display().to_string() })
        }
        (None, None) => Ok(None),
    }
}
