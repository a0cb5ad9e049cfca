//! Hunts: from a search engine's results to records and findings in a store.
//!
//! A hunt is a crawl whose seeds are pages of results, each result opening a site. The crawl is
//! [`windrow_fetch::crawl`]; the queries ([`queries`](crate::learn::domain::queries)), the engine
//! ([`Engine`](crate::wrapper::Engine)) and the order of links come from the other crates. Here they meet.

mod error;
mod plan;
mod summary;
mod visitor;

use std::path::PathBuf;

use miette::Report;
use url::Url;

pub use self::error::HuntError;
use self::plan::Engines;
use self::summary::HuntSummary;
use self::visitor::{HuntJudge, HuntVisitor};
use crate::audit::keeping::FindingsRun;
use crate::audit::print::{Findings, Style};
use crate::audit::references;
use crate::audit::rule_file::RuleFile;
use crate::audit::{self, Auditor, Options};
use crate::crawl::{Fatal, Guarded, pages};
use crate::domains::DomainFile;
use crate::fetch::crawl::{self, Config, Observer, Scope, Stop};
use crate::fetch::{Fetcher, FetcherConfig};
use crate::format::OutputFormat;
use crate::keep::Keeper;
use crate::keeping::{KeepOptions, KeepSummary, StoreRun, WrapperOrigin};
use crate::monitor::{Ending, Monitor, Reports};
use crate::store::audits::Scope as Audited;

/// Jobs of one site that are handed out at a time: what is found meanwhile may come before the rest.
const SHARE: usize = 4;

/// A hunt to run.
#[derive(Debug)]
pub struct HuntOptions {
    /// The domain: a file, or the name of a built-in one.
    pub domain: String,
    /// Wrappers of search engines.
    pub search: Vec<String>,
    /// Queries of one's own.
    pub own_queries: Vec<String>,
    /// Number of queries to make from the domain's words.
    pub queries: usize,
    /// Column of a reference table with names to search for.
    pub names: Option<String>,
    /// Largest number of names.
    pub most_names: usize,
    /// Rules to audit with: a file, or a built-in set.
    pub rules: Option<String>,
    /// Reference tables, as `NAME=PLACE`.
    pub references: Vec<String>,
    /// Least probability of a conclusion that is reported.
    pub at_least: f64,
    /// The day that rules use as today, as `2026-11-15`; without one, today.
    pub today: Option<String>,
    /// Treats fields that the records do not have as empty.
    pub lenient: bool,
    /// Format of the findings; without one they are only stored.
    pub format: Option<OutputFormat>,
    /// File for the findings.
    pub output: Option<PathBuf>,
    /// Hosts that are skipped, with their subdomains.
    pub not_hosts: Vec<String>,
    /// Address of the store.
    pub store: String,
    /// Options for the store.
    pub keep: KeepOptions,
    /// Charset that pages are decoded with, whatever they declare.
    pub charset: Option<&'static str>,
    /// Settings for fetching.
    pub fetcher: FetcherConfig,
    /// File with the state; without one, its name comes from the store's.
    pub state: Option<PathBuf>,
    /// Limits of the crawl. The state, the identity, the scope, the outputs and the archive are set from the other options.
    pub config: Config,
}

/// The result of a hunt.
#[derive(Debug)]
pub struct HuntResult {
    crawled: crawl::Summary,
    config: Config,
    kept: KeepSummary,
    place: String,
    findings: Option<String>,
    audited: bool,
}

impl HuntResult {
    /// Returns the result as lines: a table of sites of at most this width, sums, what was kept.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = HuntSummary::new(&self.crawled, &self.config).text(self.audited, width);
        lines.push(self.kept.told(&self.place));
        lines.extend(self.findings.clone());
        lines
    }

    /// Returns the kind of result.
    pub fn ending(&self) -> Ending {
        let found = HuntSummary::new(&self.crawled, &self.config).is_found(self.audited);
        match (self.kept.failed > 0 || !self.kept.outcome.emptied.is_empty(), found) {
            (true, _) => Ending::Failed,
            (false, true) => Ending::Found,
            (false, false) => Ending::Nothing,
        }
    }
}

/// Runs a hunt. The second value is the reason why it came to nothing, if it can be seen to.
///
/// # Errors
///
/// A domain, a wrapper or a rule is wrong, which is found before anything is asked; or the state or the store failed: the
/// same hunt goes on from its last batch.
pub fn run(
    options: &HuntOptions,
    stop: &Stop,
    observer: &mut dyn Observer,
    monitor: &dyn Monitor,
) -> Result<(HuntResult, Option<HuntError>), Reports> {
    // All that was written is checked before anything is asked.
    let words = DomainFile::open(&options.domain)?;
    let engines = Engines::open(&options.search)?;
    let rules = options.rules.as_deref().map(RuleFile::open).transpose()?;
    let tables = match &rules {
        Some(rules) => references::open(&options.references, rules)?,
        None => Vec::new(),
    };
    let layouts = Keeper::new(&words.reader.shape()).layouts().to_vec();
    let list = layouts.into_iter().next().ok_or(HuntError::NoRecords)?;
    let auditor = match &rules {
        Some(rules) => {
            let fields = (!options.lenient).then(|| audit::fields(&list));
            let mut settings = Options::default().with_report(options.at_least);
            settings.today.clone_from(&options.today);
            Some(audit::prepare(rules, &tables, fields.as_deref(), settings)?)
        }
        None => None,
    };
    let queries = plan::queries(options, words.reader.domain(), &tables)?;
    let config = config(options, &words, &engines, rules.as_ref());
    auditor.iter().flat_map(Auditor::notes).for_each(|note| monitor.note(&format!("note: {note}")));
    let parts = HuntFiles { words: &words, engines: &engines, queries, rules: rules.as_ref(), list, auditor };
    Ok(go(options, parts, config, (stop, observer, monitor))?)
}

/// The files of a hunt, read and checked.
struct HuntFiles<'a> {
    words: &'a DomainFile,
    engines: &'a Engines,
    queries: Vec<String>,
    rules: Option<&'a RuleFile>,
    list: crate::store::Layout,
    auditor: Option<Auditor<'a>>,
}

fn go(
    options: &HuntOptions,
    parts: HuntFiles<'_>,
    config: Config,
    (stop, observer, monitor): (&Stop, &mut dyn Observer, &dyn Monitor),
) -> Result<(HuntResult, Option<HuntError>), Report> {
    let HuntFiles { words, engines, queries, rules, list, auditor } = parts;
    let store = options.store.as_str();
    let text = words.reader.domain().write();
    let origin = WrapperOrigin { name: &words.reader.domain().name, text: &text, format: "domain" };
    pages::check_store(store, &config.state, config.restart)?;
    let keeping = StoreRun::begin(store, options.keep, origin, &words.reader.shape())?;
    let findings = match rules {
        Some(rules) => Some(FindingsRun::begin(store, (&rules.name, &rules.text), &list.label, Audited::Pages)?),
        None => None,
    };
    let judge = auditor.as_ref().map(|auditor| HuntJudge { auditor, style: Style::new(options.format) });
    let asked = engines.ask(&queries);
    let seeds: Vec<Url> = asked.iter().map(|(url, _)| url.clone()).collect();
    let fatal = Fatal::default();
    let visitor =
        HuntVisitor::new(options, engines, asked, words, (list, judge, findings), &config, (&keeping, &fatal, monitor));
    let mut fetching = options.fetcher.clone();
    // The crawl records for itself, in step with its state.
    fetching.record = None;
    let fetcher = Fetcher::new(fetching)?;
    let mut guarded = Guarded { observer, keeping: Some(&keeping), fatal: &fatal };
    let crawled = crawl::run(&config, &seeds, fetcher.into_source(), &visitor, stop, &mut guarded);
    let findings = visitor.into_findings();
    fatal.into_result()?;
    let (kept, _) = keeping.finish()?;
    let crawled = crawled?;
    // An audit that was stopped has not seen all pages; its findings stay marked as incomplete.
    let findings = match findings.filter(|_| crawled.end != crawl::End::Stopped) {
        Some(findings) => Some(findings.finish()?),
        None => None,
    };
    let failure = HuntSummary::new(&crawled, &config).check(&seeds, engines).err();
    let place = store_name(store).to_owned();
    Ok((HuntResult { crawled, config, kept, place, findings, audited: rules.is_some() }, failure))
}

/// Returns the name of a store for messages: without a password.
fn store_name(store: &str) -> &str {
    if store.contains("://") { "the store" } else { store }
}

fn config(options: &HuntOptions, words: &DomainFile, engines: &Engines, rules: Option<&RuleFile>) -> Config {
    let mut config = options.config.clone();
    config.state = options.state.clone().unwrap_or_else(|| {
        if options.store.contains("://") {
            PathBuf::from(format!("{}.hunt", words.reader.domain().name))
        } else {
            PathBuf::from(format!("{}.hunt", options.store))
        }
    });
    if options.format.is_some() {
        config.outputs = vec![(options.output.clone(), Findings::new(Style::new(options.format)).header())];
    }
    config.record.clone_from(&options.fetcher.record);
    config.scope = Scope::Site;
    config.share = SHARE;
    config.canonical = windrow_learn::next::canonical;
    config.identity = identity(options, words, engines, rules);
    config
}

/// Returns what tells this hunt from another with the same state. More queries and larger budgets go on with it.
fn identity(options: &HuntOptions, words: &DomainFile, engines: &Engines, rules: Option<&RuleFile>) -> String {
    let mut parts = vec![
        format!("a hunt for {}", words.reader.domain().name),
        format!("vocabulary#{}", pages::sum(&words.reader.domain().write())),
        format!("search engine#{}", engines.sum()),
        format!("kept in {}", crate::store::shown(&options.store)),
    ];
    parts.extend(rules.map(|rules| format!("audit rule file#{}", pages::sum(&rules.text))));
    parts.extend(options.format.map(|format| format!("{} output", audit::print::name(format).to_uppercase())));
    parts.join(", ")
}
