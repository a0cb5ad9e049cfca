//! From pages of one template to its wrapper: what was read on them labels them, and the inducer does the rest.
//!
//! Each role is a field at the places where its values were found; a role that shows lists is a list of the links in the
//! place that has them all. The rules are tried on the pages they were learned from, and a rule that gives something
//! else than was read, or nothing, is told.

use std::sync::Arc;

use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Extraction, Extractor, Learned, Locator, Page, Rule, Wrapper};

use super::judge::link_around;
use super::reader::{RECORDS, TITLE};
use super::{Evidence, Pair, Reader, Reading};
use crate::example::{self, Wanted, meet};
use crate::labels::Place;
use crate::reading::{Reading as Text, Rung, Spot};
use crate::structured::Syntax;

/// What was learned from the pages of a template.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The rules.
    pub wrapper: Wrapper,
    /// What became of each role, in the order of the domain.
    pub trials: Vec<Trial>,
}

/// A role on the pages that rules were learned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// On how many pages it was read.
    pub read: usize,
    /// On how many of those its rule gives the same.
    pub right: usize,
}

/// Why nothing was learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// No page has exactly one record.
    #[error("none of the {pages} pages has exactly one record of the domain")]
    #[diagnostic(
        code(domain::no_records),
        help("give pages that tell of one thing each; `windrow extract --domain … --explain` says what a page is")
    )]
    NoRecords {
        /// How many there are.
        pages: usize,
    },
}

/// Learns the rules of a template from pages of it, as they were read.
///
/// # Errors
///
/// If no page has exactly one record.
pub fn learn(reader: &Reader, pages: &[(Arc<Page>, &Reading)]) -> Result<Lesson, Error> {
    let given = pages.len();
    let pages: Vec<&(Arc<Page>, &Reading)> = pages.iter().filter(|(_, reading)| reading.records.len() == 1).collect();
    if pages.is_empty() {
        return Err(Error::NoRecords { pages: given });
    }
    let texts: Vec<Text<'_>> = pages.iter().map(|(page, _)| Text::new(page.document())).collect();
    let names = reader.names();
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut lists: Vec<bool> = Vec::new();
    for name in &names {
        let found = |page: usize| pages[page].1.records[0].pairs.iter().find(|pair| reader.name(pair) == *name);
        let found: Vec<(usize, &Pair)> = (0..pages.len()).filter_map(|page| Some((page, found(page)?))).collect();
        let list = found.iter().any(|(_, pair)| pair.values.len() > 1);
        let spots: Vec<(usize, Vec<Spot>)> = found
            .iter()
            .filter(|(_, pair)| !matches!(pair.evidence, Evidence::Said(syntax) if syntax != Syntax::Meta))
            .filter_map(|&(page, pair)| Some((page, vec![spot(&texts[page], pair, list)?])))
            .collect();
        if !spots.is_empty() {
            wanted.push(Wanted { name: name.clone(), spots });
            lists.push(list);
        }
    }
    let mut rules = example::page_rules(&texts, &wanted);
    for rule in &mut rules {
        let role = reader.domain().role(&rule.name);
        if let Some(role) = role {
            rule.ty = reader.domain().roles[role].ty;
        }
        if wanted.iter().zip(&lists).any(|(wanted, list)| *list && wanted.name == *rule.name) {
            let mut holder = rule.locator.clone();
            members(&mut holder);
            *rule = Rule::list(rule.name.to_string(), holder).optional();
        }
    }
    // A part of a text has no links in it: what cannot run is no rule.
    rules.retain(|rule| {
        let alone = Wrapper { rules: vec![rule.clone()], ..Wrapper::default() };
        Extractor::new(&alone).is_ok()
    });
    let list = Rule::list(RECORDS, Locator::xpath("/html")).found_at("/html[1]").with(rules);
    let from = pages.iter().map(|(page, _)| page.name().to_owned()).collect();
    let learned = Some(Learned { by: "domain".to_owned(), from, at: None });
    let name = Some(reader.domain().name.clone()).filter(|name| !name.is_empty());
    let mut wrapper = Wrapper { name, learned, rules: vec![list], ..Wrapper::default() };
    let trials = try_on(reader, &names, &pages, &wrapper);
    // What is wrong more often than right is no rule.
    let bad = |name: &str| trials.iter().any(|trial| trial.name == name && 2 * trial.right < trial.read);
    wrapper.rules[0].rules.retain(|rule| !bad(&rule.name));
    Ok(Lesson { wrapper, trials })
}

/// Makes a locator find the links in what it finds.
fn members(locator: &mut Locator) {
    match locator.then {
        Some(ref mut then) => members(then),
        None => locator.then = Some(Box::new(Locator::xpath(".//a"))),
    }
}

/// Where a pair's value stands; of a list, what has all its members.
fn spot(text: &Text<'_>, pair: &Pair, list: bool) -> Option<Spot> {
    let document = text.document;
    let first = pair.values.first()?;
    if pair.evidence == Evidence::Said(Syntax::Meta) {
        return Some(Spot { place: Place::attribute(first.node, "content"), rung: Rung::Attribute });
    }
    if list {
        let node = match pair.values.as_slice() {
            [only] => document.parent(link_around(document, only.node)?)?,
            values => meet(document, values.first()?.node, values.last()?.node),
        };
        return Some(Spot { place: Place::node(node), rung: Rung::Whole });
    }
    let all = collapse(text.of(first.node)).into_owned();
    let part = match all == first.text {
        true => None,
        false => Some(all.find(&first.text).map(|at| at..at + first.text.len())?),
    };
    let rung = if part.is_some() { Rung::Part } else { Rung::Whole };
    Some(Spot { place: Place { node: first.node, attribute: None, part }, rung })
}

/// How the rules do on the pages that they were learned from.
fn try_on(reader: &Reader, names: &[String], pages: &[&(Arc<Page>, &Reading)], wrapper: &Wrapper) -> Vec<Trial> {
    let mut trials: Vec<Trial> = names.iter().map(|name| Trial { name: name.clone(), read: 0, right: 0 }).collect();
    let Ok(extractor) = Extractor::new(wrapper) else { return trials };
    for (page, reading) in pages {
        let extraction = extractor.extract(page.clone());
        for pair in &reading.records[0].pairs {
            let name = reader.name(pair);
            if let Some(trial) = trials.iter_mut().find(|trial| trial.name == name) {
                trial.read += 1;
                let said: Vec<&str> = pair.values.iter().map(|value| value.text.as_str()).collect();
                trial.right += usize::from(values(&extraction, name) == said);
            }
        }
    }
    trials.retain(|trial| trial.read > 0);
    trials
}

/// The values of a field of the first record.
pub(super) fn values(extraction: &Extraction, name: &str) -> Vec<String> {
    let record = extraction.objects().next();
    let fields = record.into_iter().flat_map(|record| record.objects()).filter(|field| field.label() == name);
    fields.map(|field| collapse(&field.text()).into_owned()).collect()
}

impl Reader {
    /// What pairs are called: the title, if no role asks for it, and the roles.
    pub(super) fn names(&self) -> Vec<String> {
        let title = self.domain().title().is_none().then(|| TITLE.to_owned());
        let roles = self.domain().roles.iter().filter(|role| role.within.is_none()).map(|role| role.name.clone());
        title.into_iter().chain(roles).collect()
    }

    /// What a pair is called.
    pub fn name(&self, pair: &Pair) -> &str {
        pair.role.map_or(TITLE, |role| &self.domain().roles[role].name)
    }
}
