//! Pages one after the other: what was learned from the first of a template speeds up the rest.
//!
//! Pages of one template have the same names in their markup. When enough of them were read and the last ones had no role
//! that those before had not, their wrapper is induced; if it gives on each of them what was read, it is used for the
//! pages that follow. The reader stays the judge: a page on which the wrapper finds much less than usual is read, and so
//! is every page whose number is a power of two, and if reading finds more, the wrapper is dropped and learned again.
//!
//! # Cost
//!
//! A look at the classes of a page's elements; then the wrapper.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use windrow_dom::{Document, names};
use windrow_wrapper::{Extraction, Extractor, Page};

use super::lesson::{self, values};
use super::{Reader, Reading};

/// Pages of a template that are read before it is learned.
const FIRST: usize = 5;
/// Pages in a row that must not have brought anything new.
const STEADY: usize = 3;
/// Pages that rules are learned from.
const MOST_PAGES: usize = 8;
/// Templates that are remembered.
const MOST_TEMPLATES: usize = 64;
/// Elements that a page is known by.
const MOST_ELEMENTS: usize = 4000;
/// How much of their names two pages of a template have in common.
const ALIKE: f32 = 0.7;
/// How much of its usual yield a wrapper must have.
const YIELD: f32 = 0.7;

/// What a domain has learned of the pages it has seen.
#[derive(Debug)]
pub struct Site {
    reader: Arc<Reader>,
    templates: Vec<Template>,
}

#[derive(Debug)]
struct Template {
    /// Hashes of the names in its markup, sorted.
    names: Vec<u64>,
    /// Pages that were read, with what was read.
    pages: Vec<(Arc<Page>, Reading)>,
    /// Roles seen so far, and for how many pages in a row no other was.
    roles: Vec<Option<usize>>,
    steady: usize,
    /// Pages seen.
    count: usize,
    wrapper: Option<Learned>,
    /// The page from which on a wrapper is tried: after a failure not before there were twice as many.
    next_try: usize,
}

#[derive(Debug, Clone)]
struct Learned {
    extractor: Extractor,
    roles: Vec<String>,
    /// By field: the mean confidence of its values on the pages that it was learned from.
    confidence: Vec<(String, f32)>,
    /// How many roles its pages have on average.
    usual: f32,
    /// Roles whose labels stand on its pages without a value.
    idle: Vec<u32>,
}

/// What is to be done with a page.
#[derive(Debug)]
pub enum Plan {
    /// The wrapper of its template does; use [`Accelerated::extract`].
    Wrapper(Accelerated),
    /// It is to be read, and what was read told to [`Site::learn`] with this ticket.
    Read(Ticket),
}

/// A page that was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(Option<usize>);

/// A wrapper that was induced on the way.
#[derive(Debug, Clone)]
pub struct Accelerated(Learned, Arc<Reader>);

impl Site {
    /// Nothing is learned yet.
    pub fn new(reader: Arc<Reader>) -> Site {
        Site { reader, templates: Vec::new() }
    }

    /// The reader.
    pub fn reader(&self) -> &Arc<Reader> {
        &self.reader
    }

    /// How many wrappers are in use.
    pub fn wrappers(&self) -> usize {
        self.templates.iter().filter(|template| template.wrapper.is_some()).count()
    }

    /// Says how a page is best extracted. Pages are asked about in their order, so that a run can be repeated.
    pub fn plan(&mut self, page: &Page) -> Plan {
        let names = names_of(page.document());
        let best = self.templates.iter().enumerate().map(|(at, template)| (alike(&template.names, &names), at));
        let best = best.max_by(|one, two| one.0.total_cmp(&two.0)).filter(|(alike, _)| *alike >= ALIKE);
        let at = match best {
            Some((_, at)) => at,
            None if self.templates.len() < MOST_TEMPLATES => {
                self.templates.push(Template {
                    names,
                    pages: Vec::new(),
                    roles: Vec::new(),
                    steady: 0,
                    count: 0,
                    wrapper: None,
                    next_try: FIRST,
                });
                self.templates.len() - 1
            }
            None => return Plan::Read(Ticket(None)),
        };
        let template = &mut self.templates[at];
        template.count += 1;
        match &template.wrapper {
            Some(learned) if !template.count.is_power_of_two() => {
                Plan::Wrapper(Accelerated(learned.clone(), self.reader.clone()))
            }
            _ => Plan::Read(Ticket(Some(at))),
        }
    }

    /// Learns from a page that was read.
    pub fn learn(&mut self, ticket: Ticket, page: &Arc<Page>, reading: &Reading) {
        let Some(template) = ticket.0.and_then(|at| self.templates.get_mut(at)) else { return };
        let [record] = &reading.records[..] else { return };
        let fresh: Vec<Option<usize>> =
            record.pairs.iter().map(|pair| pair.role).filter(|role| !template.roles.contains(role)).collect();
        template.steady = if fresh.is_empty() { template.steady + 1 } else { 0 };
        template.roles.extend(fresh);
        if template.wrapper.is_some() {
            // The judge has found something that the wrapper does not know.
            if template.steady > 0 {
                return;
            }
            template.wrapper = None;
        }
        if template.pages.len() >= MOST_PAGES {
            template.pages.remove(0);
        }
        template.pages.push((page.clone(), reading.clone()));
        let enough = template.pages.len() >= FIRST && template.count >= template.next_try;
        if enough && template.steady >= STEADY {
            template.wrapper = template.induce(&self.reader);
            match template.wrapper {
                Some(_) => template.pages.clear(),
                None => template.next_try = 2 * template.count,
            }
        }
    }
}

impl Template {
    /// The wrapper, if it gives on all pages what was read.
    fn induce(&self, reader: &Reader) -> Option<Learned> {
        // Rules for roles inside roles are not written.
        let nested = |reading: &Reading| {
            reading.records.iter().any(|record| record.pairs.iter().any(|pair| !pair.inner.is_empty()))
        };
        if self.pages.iter().any(|(_, reading)| nested(reading)) {
            return None;
        }
        let pages: Vec<(Arc<Page>, &Reading)> =
            self.pages.iter().map(|(page, reading)| (page.clone(), reading)).collect();
        let lesson = lesson::learn(reader, &pages).ok()?;
        if lesson.trials.iter().any(|trial| trial.right < trial.read) {
            return None;
        }
        let extractor = Extractor::new(&lesson.wrapper).ok()?;
        let read: usize = lesson.trials.iter().map(|trial| trial.read).sum();
        let roles = lesson.trials.into_iter().map(|trial| trial.name).collect();
        let mut idle: Vec<u32> = Vec::new();
        for (page, reading) in &pages {
            let told = |role: &u32| {
                reading.records.iter().any(|record| record.pairs.iter().any(|pair| pair.role == Some(*role as usize)))
            };
            idle.extend(reader.labels_on(page).into_iter().filter(|role| !told(role)));
        }
        let confidence = self.confidence(reader);
        Some(Learned { extractor, roles, confidence, idle, usual: read as f32 / self.pages.len().max(1) as f32 })
    }
}

impl Template {
    /// By field, in the order in which they are met: the mean confidence of its values.
    fn confidence(&self, reader: &Reader) -> Vec<(String, f32)> {
        let mut sums: Vec<(String, f32, f32)> = Vec::new();
        let records = self.pages.iter().flat_map(|(_, reading)| &reading.records);
        for pair in records.flat_map(|record| &record.pairs) {
            let name = reader.name(pair);
            match sums.iter_mut().find(|(known, ..)| known == name) {
                Some((_, sum, count)) => (*sum, *count) = (*sum + pair.confidence, *count + 1.0),
                None => sums.push((name.to_owned(), pair.confidence, 1.0)),
            }
        }
        sums.into_iter().map(|(name, sum, count)| (name, sum / count)).collect()
    }
}

impl Accelerated {
    /// By field: the mean confidence of its values on the pages that the wrapper was learned from.
    pub fn confidence(&self) -> &[(String, f32)] {
        &self.0.confidence
    }

    /// Extracts a page; none if it yields much less than pages of its template do, or has a label that the wrapper has no
    /// value for: then it is to be read.
    pub fn extract(&self, page: &Arc<Page>) -> Option<Extraction> {
        let extraction = self.0.extractor.extract(page.clone());
        let found = self.0.roles.iter().filter(|name| !values(&extraction, name).is_empty()).count();
        // A label that the wrapper has no value for: the page says more than its template's first pages did.
        let missed = |role: &u32| {
            let name = self.1.domain().roles.get(*role as usize).map_or("", |role| role.name.as_str());
            !self.0.idle.contains(role) && values(&extraction, name).is_empty()
        };
        let complete = found as f32 >= YIELD * self.0.usual && !self.1.labels_on(page).iter().any(missed);
        complete.then_some(extraction)
    }
}

/// Hashes of the names in a page's markup, sorted: its elements' ids and classes, numbers aside.
fn names_of(document: &Document) -> Vec<u64> {
    let hasher = FixedState::default();
    let mut all: Vec<u64> = Vec::new();
    for id in document.nodes().filter(|&id| document.is_element(id)).take(MOST_ELEMENTS) {
        for attribute in [names::ID, names::CLASS] {
            let Some(name) = document.attr_by_id(id, attribute) else { continue };
            if !name.bytes().any(|byte| byte.is_ascii_digit()) {
                all.push(hasher.hash_one((document.name_id(id), name)));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// How much two sorted sets have in common.
fn alike(one: &[u64], two: &[u64]) -> f32 {
    let (mut at, mut same) = (0, 0);
    for hash in one {
        while two.get(at).is_some_and(|other| other < hash) {
            at += 1;
        }
        same += usize::from(two.get(at) == Some(hash));
    }
    let all = one.len() + two.len() - same;
    if all == 0 { 0.0 } else { same as f32 / all as f32 }
}
