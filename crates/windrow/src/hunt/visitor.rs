//! The visits of a hunt: pages of results lead to sites, pages of sites are read by the domain's words.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Page;
use crate::audit::{self, Auditor, Record};
use crate::fetch::crawl::{self, Link, Visit, Visited, Way, site};
use crate::learn::domain::{Class, Leads, Reading, Telling};
use crate::learn::next::{self, canonical};
use crate::store::Layout;
use crate::store::audits::{PageKind, Site, Verdict};
use miette::Report;
use url::Url;

use super::HuntOptions;
use super::plan::{Asked, Engines};
use super::summary::{self, Count};
use crate::audit::keeping::{FindingsRun, host as host_name, record_key, verdict};
use crate::audit::print::{Style, conclusion};
use crate::clock::stamp;
use crate::crawl::{Fatal, pages};
use crate::domains::DomainFile;
use crate::keeping::{self, PageOutcome, StoreRun};
use crate::monitor::Monitor;

/// The auditor of records, with the form of its findings.
pub(super) struct HuntJudge<'a> {
    pub(super) auditor: &'a Auditor<'a>,
    pub(super) style: Style,
}

/// Reads the pages of a hunt.
pub(super) struct HuntVisitor<'a> {
    engines: &'a Engines,
    /// Pages of results, by their canonical address.
    asked: Mutex<HashMap<Url, Asked>>,
    /// The engines' own sites, which are not hunted on.
    own: HashSet<String>,
    not_hosts: &'a [String],
    words: &'a DomainFile,
    telling: Telling,
    keeping: &'a StoreRun,
    list: Layout,
    judge: Option<HuntJudge<'a>>,
    findings: Option<Mutex<FindingsRun>>,
    /// The query that led to each site.
    found_by: Mutex<HashMap<String, String>>,
    /// Hosts that are noted, with their servers' addresses.
    noted: Mutex<HashSet<(String, Option<String>)>>,
    charset: Option<&'static str>,
    fatal: &'a Fatal,
    monitor: &'a dyn Monitor,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A visit that panics fails its page; what the others share is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> HuntVisitor<'a> {
    pub(super) fn new(
        options: &'a HuntOptions,
        engines: &'a Engines,
        asked: Vec<(Url, Asked)>,
        words: &'a DomainFile,
        (list, judge, findings): (Layout, Option<HuntJudge<'a>>, Option<FindingsRun>),
        config: &crawl::Config,
        (keeping, fatal, monitor): (&'a StoreRun, &'a Fatal, &'a dyn Monitor),
    ) -> HuntVisitor<'a> {
        // A hunt that goes on knows what led to the sites that it has not seen yet.
        let goes_on = !config.restart && config.state.exists();
        let sites = if goes_on { crawl::sites(&config.state).unwrap_or_default() } else { Vec::new() };
        let found_by = sites.into_iter().filter_map(|site| Some((site.name, site.note?))).collect();
        HuntVisitor {
            engines,
            own: asked.iter().map(|(url, _)| site(url)).collect(),
            asked: Mutex::new(asked.into_iter().map(|(url, asked)| (canonical(&url), asked)).collect()),
            not_hosts: &options.not_hosts,
            words,
            telling: Telling::new(words.reader.domain()),
            keeping,
            list,
            judge,
            findings: findings.map(Mutex::new),
            found_by: Mutex::new(found_by),
            noted: Mutex::default(),
            charset: options.charset,
            fatal,
            monitor,
        }
    }

    /// The audit, once all pages are visited.
    pub(super) fn into_findings(self) -> Option<FindingsRun> {
        self.findings.map(|findings| findings.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.monitor.note(&line));
    }

    /// A page of results: the sites, and the next page.
    fn results(&self, page: Arc<Page>, url: &Url) -> Visit {
        let mut visit = Visit { tallies: vec![Count::Searched.tally("", 1)], ..Visit::default() };
        let known = locked(&self.asked).get(&canonical(url)).cloned();
        // Of an address that nobody asked for, the engine's redirect, the query is not known.
        let asked = known.unwrap_or(Asked { engine: 0, query: String::new(), page: u32::MAX });
        let Some(engine) = self.engines.get(asked.engine) else { return visit };
        let results = engine.results(Arc::clone(&page));
        visit.tallies.push(Count::Results.tally("", results.len() as u64));
        if !results.is_empty() {
            visit.links.extend(self.next(&page, url, &asked).map(|url| Link::from(url).on(Way::Beside)));
        }
        for result in results {
            let name = site(&result);
            if self.is_left_out(&name) {
                continue;
            }
            let mut link = Link::from(result).on(Way::Site);
            if !asked.query.is_empty() {
                locked(&self.found_by).entry(name).or_insert_with(|| asked.query.clone());
                link = link.noted(&asked.query);
            }
            visit.links.push(link);
        }
        visit
    }

    /// The page behind a page of results.
    fn next(&self, page: &Page, url: &Url, asked: &Asked) -> Option<Url> {
        let engine = self.engines.get(asked.engine)?;
        let number = asked.page.checked_add(1).filter(|number| *number < engine.pages())?;
        let next = if engine.is_numbered() {
            engine.address(&asked.query, number)?
        } else {
            next::page(page.document(), url)?.url
        };
        locked(&self.asked).entry(canonical(&next)).or_insert(Asked { page: number, ..asked.clone() });
        Some(next)
    }

    /// Returns `true` if a site is not to be looked at.
    fn is_left_out(&self, name: &str) -> bool {
        let host = name.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        let host = host.map_or(name, |(host, _)| host);
        self.not_hosts.iter().map(|not| not.trim_start_matches("www.")).any(|not| {
            host.eq_ignore_ascii_case(not) || name.eq_ignore_ascii_case(not) || {
                let (host, not) = (host.to_ascii_lowercase(), not.to_ascii_lowercase());
                host.strip_suffix(&not).is_some_and(|front| front.ends_with('.'))
            }
        })
    }

    /// A page of a site.
    fn page(&self, visited: &Visited<'_>, page: Arc<Page>) -> Result<Visit, Report> {
        let name = visited.answer.url.as_str();
        let host = site(&visited.answer.url);
        let reading = self.words.reader.read(&page);
        let leads = self.words.reader.leads(&page, &reading);
        // What an offer says is told in full elsewhere, and judged there; what any shop says of anything is not judged.
        let judged: Vec<bool> = (reading.records.iter().zip(&leads.offers))
            .map(|(record, offer)| offer.is_none() && self.telling.has(record))
            .collect();
        let kind = kind(&reading, &leads, &judged);
        let extraction = self.words.reader.extraction(Arc::clone(&page), &reading);
        self.note_site(&host, visited)?;
        self.keep(visited, name, &extraction)?;
        let records = audit::extracted(&self.list, &extraction);
        let mut visit = Visit { records: records.len() as u64, ..Visit::default() };
        visit.tallies = vec![summary::page(kind).tally(&host, 1), Count::Records.tally(&host, records.len() as u64)];
        let offers = leads.offers.iter().flatten().count() as u64;
        visit.tallies.push(Count::Offers.tally(&host, offers));
        let own: Vec<&Record> =
            records.iter().zip(&judged).filter(|(_, judged)| **judged).map(|(one, _)| one).collect();
        let verdicts = self.judge(&own, &host, &mut visit);
        if let Some(findings) = &self.findings {
            locked(findings).page(name, kind, own.len(), &verdicts)?;
        }
        let links = leads.links.into_iter().filter(|lead| !self.own.contains(&site(&lead.url)));
        visit.links = links.map(|lead| Link::from(lead.url).ranked(lead.rank)).collect();
        visit.tallies.retain(|(_, count)| *count > 0);
        Ok(visit)
    }

    /// Audits records; findings to be printed and counts go to the visit.
    fn judge(&self, records: &[&Record], host: &str, visit: &mut Visit) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let Some(judge) = &self.judge else { return verdicts };
        let mut printed = String::new();
        for record in records {
            let audited = judge.auditor.audit(record);
            for finding in &audited.findings {
                visit.tallies.push(Count::Finding(conclusion(finding)).tally(host, 1));
                printed += &judge.style.render(finding);
                verdicts.push(verdict(finding, &record_key(record)));
            }
            if let Some(why) = audited.failure {
                visit.tallies.push(Count::Undecided.tally(host, 1));
                self.note([format!("note: {} {}: {why}", record.page, record.path)]);
            }
        }
        if !printed.is_empty() {
            visit.output.push((0, printed.into_bytes()));
        }
        verdicts
    }

    /// Keeps the records of a page.
    fn keep(&self, visited: &Visited<'_>, name: &str, extraction: &crate::Extraction) -> Result<(), Report> {
        let hash = pages::fingerprint(visited, self.charset);
        if self.keeping.is_unchanged(name, &hash)? {
            return self.keeping.keep_unchanged(name);
        }
        match keeping::outcome(self.keeping, name, hash, extraction, None, false, Vec::new()) {
            PageOutcome::Page { page, notes } => self.note(self.keeping.keep(&page)?.into_iter().chain(notes)),
            PageOutcome::Cut { errors, notes } => {
                self.keeping.keep_failed()?;
                self.note(errors.into_iter().chain(notes));
            }
            PageOutcome::Unchanged { .. } => unreachable!("it was extracted from"),
        }
        Ok(())
    }

    /// Notes a site, and the address of the server that answered.
    fn note_site(&self, host: &str, visited: &Visited<'_>) -> Result<(), Report> {
        let ip = visited.answer.address.map(|address| address.to_string());
        let name = host_name(visited.answer.url.as_str());
        if !locked(&self.noted).insert((name.clone(), ip.clone())) {
            return Ok(());
        }
        let at = stamp();
        let found_by = locked(&self.found_by).get(host).cloned();
        self.keeping.note_site(&Site { host: name, first: at.clone(), last: at, ip, found_by })
    }
}

/// Returns the kind of a page: one whose records are all described in full elsewhere only leads there.
fn kind(reading: &Reading, leads: &Leads, judged: &[bool]) -> PageKind {
    match reading.class {
        Class::DataRich if judged.contains(&true) => PageKind::Rich,
        Class::DataRich if leads.offers.iter().any(Option::is_some) => PageKind::Offer,
        Class::LinkOffer => PageKind::Offer,
        Class::DataRich | Class::Neither => PageKind::Neither,
    }
}

impl crawl::Visitor for HuntVisitor<'_> {
    fn visit(&self, visited: &Visited<'_>) -> Visit {
        let url = &visited.answer.url;
        if !pages::is_page(visited.answer) {
            return Visit::default();
        }
        // Only pages of results are no link away from a seed.
        if visited.depth > 0 && self.own.contains(&site(url)) {
            return Visit::default();
        }
        let page = Arc::new(pages::page(visited.answer, &visited.content, self.charset));
        if visited.depth == 0 {
            return self.results(page, url);
        }
        self.page(visited, page).unwrap_or_else(|report| {
            self.fatal.set(report);
            Visit::default()
        })
    }
}
