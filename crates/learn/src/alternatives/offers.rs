//! The ways that may find what a rule finds, from the places where it finds it.
//!
//! What the inducer writes for records, for fields in records and for fields of a page is taken as it comes, its most lasting
//! first; a label in front of a field in a record is added, and the path by position at the end. Values that are a part of a
//! text, or an attribute, are cut out or read as the rule does it.

use std::collections::BTreeMap;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Find, Kind, Locator, Rule, Until};
use windrow_xpath::{Node, Paths};

use super::trial::{Hit, Tried};
use crate::induce::label;
use crate::induce::locate::{Finder, attribute};
use crate::induce::record;
use crate::induce::ways::Site;
use crate::labels::Place;
use crate::page_view::{PageView, Unseen};
use crate::reading::Reading;
use crate::scope::{Record, Scope};

/// Scopes that show how a field stands in its record: the first, the last and one between may each be built otherwise.
const EXAMPLES: usize = 3;
/// Ways of one example.
const WAYS: usize = 30;
/// Labels of one value.
const LABELS: usize = 3;
/// Nodes whose paths are laid over each other.
const PATHS: usize = 500;

/// What is known of the places.
pub(super) struct Offers<'a> {
    document: &'a Document,
    above: &'a [&'a Rule],
    target: &'a Rule,
    found: &'a Tried,
    view: PageView<'a>,
}

impl<'a> Offers<'a> {
    pub(super) fn new(document: &'a Document, above: &'a [&'a Rule], target: &'a Rule, found: &'a Tried) -> Offers<'a> {
        Offers { document, above, target, found, view: PageView::new(document, Unseen::Shown) }
    }

    /// All ways, none twice; the last is by position.
    pub(super) fn all(&self) -> Vec<Locator> {
        let ways = match (self.target.kind, self.above.is_empty()) {
            (Kind::List, true) => self.records(),
            (Kind::List, false) => self.members(),
            (_, true) => self.on_page(),
            (_, false) => self.in_records(),
        };
        let mut all: Vec<Locator> = Vec::new();
        for way in ways {
            if !all.contains(&way) {
                all.push(way);
            }
        }
        if let Some(position) = self.position().map(|way| self.refined(way)) {
            all.retain(|way| *way != position);
            all.push(position);
        }
        all
    }

    fn finder(&self) -> Finder<'_, 'a> {
        Finder { view: &self.view, document: self.document }
    }

    /// The records of a list.
    fn records(&self) -> Vec<Locator> {
        let mut nodes: Vec<NodeId> = self.found.places().filter(|node| !node.is_attribute()).map(Node::id).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let runs = self.target.locator.until.is_some();
        let ways = record::offers(&self.view, &nodes, runs, &self.target.rules);
        ways.into_iter().map(|way| self.refined(way)).collect()
    }

    /// The members of a list in records.
    fn members(&self) -> Vec<Locator> {
        let scopes = self.scopes();
        let wanted: Vec<Vec<NodeId>> = self
            .found
            .scopes
            .iter()
            .zip(&scopes)
            .filter(|(_, scope)| scope.is_some())
            .map(|(found, _)| found.hits.iter().filter_map(|hit| hit.node).map(Node::id).collect())
            .collect();
        let scopes: Vec<Scope> = scopes.into_iter().flatten().collect();
        let ways = self.finder().list_offers(&scopes, &wanted);
        ways.into_iter().map(|way| self.refined(way)).collect()
    }

    /// A field of the page.
    fn on_page(&self) -> Vec<Locator> {
        let Some(place) = self.found.scopes.first().and_then(|found| self.place(found.hits.first()?)) else {
            return Vec::new();
        };
        let reading = Reading::new(self.document);
        Site::new(&reading, &place, &self.target.name).ways().iter().map(|way| way.locator()).collect()
    }

    /// A field in records.
    fn in_records(&self) -> Vec<Locator> {
        let scopes = self.scopes();
        let mut examples: Vec<(Scope, &Hit)> = Vec::new();
        let known =
            self.found.scopes.iter().zip(&scopes).filter_map(|(found, scope)| Some(((*scope)?, found.hits.first()?)));
        let known: Vec<(Scope, &Hit)> = known.collect();
        for at in [0, known.len() / 2, known.len().saturating_sub(1)] {
            if let Some(&(scope, hit)) = known.get(at)
                && examples.len() < EXAMPLES
                && !examples.iter().any(|(other, _)| other.record == scope.record)
            {
                examples.push((scope, hit));
            }
        }
        let finder = self.finder();
        let reading = Reading::new(self.document);
        let mut ways = Vec::new();
        for (scope, hit) in examples {
            let Some(place) = self.place(hit).filter(|place| scope.contains(place.node)) else { continue };
            ways.extend(self.by_label(&reading, scope, &place));
            for way in finder.offers(scope, place.node).into_iter().take(WAYS) {
                let way = match &place.attribute {
                    Some(name) => attribute(&way, name),
                    None => way,
                };
                ways.push(self.refined(way));
            }
        }
        ways
    }

    /// By the words in front, if these are in the record.
    fn by_label(&self, reading: &Reading<'_>, scope: Scope, place: &Place) -> Vec<Locator> {
        let tail = place.attribute.as_ref().map_or(String::new(), |name| format!("/@{name}"));
        let labels = label::labels(reading, place.node, &self.target.name);
        let own = labels.iter().take(LABELS).filter(|label| scope.contains(label.node) && label.is_sure());
        let ways = own.filter_map(|label| label::from_label(reading, label, place.node, &tail));
        ways.map(|(path, _)| self.refined(Locator::xpath(format!(".{path}")))).collect()
    }

    /// Where rules run in each of the scopes; none for what is no node.
    fn scopes(&self) -> Vec<Option<Scope>> {
        let document = self.document;
        let run = self.above.last().is_some_and(|rule| rule.locator.until.is_some());
        let firsts: Vec<Option<NodeId>> = self
            .found
            .scopes
            .iter()
            .map(|found| found.scope.filter(|node| !node.is_attribute()).map(Node::id))
            .collect();
        let mut scopes = Vec::with_capacity(firsts.len());
        for (at, first) in firsts.iter().enumerate() {
            scopes.push(first.map(|first| match run {
                false => Scope::node(document, first),
                true => {
                    // Up to the next record, or the end of the parent.
                    let above =
                        document.parent(first).map_or(document.subtree_end(first), |up| document.subtree_end(up));
                    let next = firsts.get(at + 1).copied().flatten().filter(|&next| next > first);
                    Scope { record: Record { first, end: next.map_or(above, |next| next.min(above)) }, run: true }
                }
            }));
        }
        scopes
    }

    /// The place of a value. A part of a text is told only if it stands there once.
    fn place(&self, hit: &Hit) -> Option<Place> {
        let node = hit.node?;
        if let Some(attr) = node.attr(self.document) {
            return Some(Place::attribute(node.id(), attr.name()));
        }
        let mut place = Place::node(node.id());
        let whole = place.text(self.document);
        if whole != hit.text
            && let Some(at) = whole.find(&hit.text).filter(|_| !hit.text.is_empty())
        {
            place.part = Some(at..at + hit.text.len());
        }
        Some(place)
    }

    /// A way with what the rule itself does behind the finding: how far a record reaches, which part of a text counts.
    fn refined(&self, way: Locator) -> Locator {
        let mut own = &self.target.locator;
        let until = own.until.clone();
        loop {
            own = match (&own.then, &own.find) {
                (Some(then), _) => then,
                (None, Find::Case(cases)) if !cases.is_empty() => &cases[0],
                _ => break,
            };
        }
        let mut refined = way;
        if matches!(until, Some(Until::Next | Until::Before(_))) && refined.until.is_none() {
            refined.until = until;
        }
        let mut last = &mut refined;
        while let Some(then) = &mut last.then {
            last = then;
        }
        last.without = own.without.clone();
        (last.after, last.before, last.matches) = (own.after.clone(), own.before.clone(), own.matches.clone());
        refined
    }

    /// By position alone: every step with its index, but for those in which the places differ. In a record, from there on.
    fn position(&self) -> Option<Locator> {
        let run = self.above.last().is_some_and(|rule| rule.locator.until.is_some());
        let mut paths = Paths::new(self.document);
        let mut all: Vec<Vec<String>> = Vec::new();
        'scopes: for found in &self.found.scopes {
            for node in found.hits.iter().filter_map(|hit| hit.node) {
                let path = match found.scope {
                    None => paths.of(node),
                    // Paths in a run begin with its first node, and lead to what is behind that.
                    Some(_) if run => return None,
                    Some(scope) if scope == node => ".".to_owned(),
                    Some(scope) => paths.below(scope.id(), node)?,
                };
                all.push(path.split('/').map(str::to_owned).collect());
                if all.len() == PATHS {
                    break 'scopes;
                }
            }
        }
        // The path that most have.
        let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
        all.iter().for_each(|path| *counts.entry(path).or_default() += 1);
        let mut path = counts.into_iter().rev().max_by_key(|(_, count)| *count)?.0.to_vec();
        let name = |step: &str| step.split('[').next().unwrap_or_default().to_owned();
        for other in all.iter().filter(|_| self.target.kind == Kind::List) {
            let alike = other.len() == path.len() && other.iter().zip(&path).all(|(one, two)| name(one) == name(two));
            for (step, other) in path.iter_mut().zip(other).filter(|_| alike) {
                if step != other {
                    *step = name(step);
                }
            }
        }
        Some(Locator::xpath(path.join("/")))
    }
}
