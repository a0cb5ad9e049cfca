//! Rules as XPath and CSS: of the records of an index page, and of the pages of single entries.

use windrow_dom::{NodeId, names};
use windrow_wrapper::Locator;
use windrow_xpath::{Expr, Node};

use super::Template;
use super::dates::above;
use super::runs::in_holder;
use crate::example::{self, Wanted as Shown};
use crate::feed::body::Body;
use crate::feed::{FIELDS, How, Match, PageKind};
use crate::induce::locate::{Finder, attribute};
use crate::induce::part;
use crate::induce::record::clean_id;
use crate::labels::Place;
use crate::reading::{Reading, Rung, Spot};
use crate::scope::Scope;

/// The date in an address.
const ADDRESS_DATE: &str = r"\b((?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2})\b";
/// Entry pages that rules are written from; the others test them.
const PAGES: usize = 6;

impl Template<'_, '_> {
    /// The locators of all fields as XPath and CSS, from these entries.
    pub(super) fn xpaths(&self, entries: &[usize]) -> Vec<Option<Locator>> {
        match self.kind {
            PageKind::Entry => self.page_xpaths(entries),
            _ => (0..FIELDS.len()).map(|field| self.record_xpath(field, entries)).collect(),
        }
    }

    /// The locator of a field in the records of an index page.
    fn record_xpath(&self, field: usize, entries: &[usize]) -> Option<Locator> {
        let sheet = self.seen.first()?.sheet;
        let finder = Finder { outline: &sheet.outline, document: sheet.document };
        let scopes: Vec<Scope> = entries.iter().map(|&at| self.seen[at].entry.scope).collect();
        let own: Vec<Option<&Match>> = entries.iter().map(|&at| self.found[field][at].as_ref()).collect();
        own.iter().flatten().next()?;
        if FIELDS[field] == "categories" {
            let nodes = |found: &Match| found.places.iter().map(|place| place.node).collect();
            let wanted: Vec<Vec<NodeId>> = own.iter().map(|found| found.map_or_else(Vec::new, nodes)).collect();
            return finder.list(&scopes, &wanted);
        }
        if FIELDS[field] == "body" && !self.has_elements(entries) {
            return self.run_in_records(&finder, entries);
        }
        let places: Vec<Option<&Place>> =
            own.iter().map(|found| found.and_then(|found| found.places.first())).collect();
        let nodes: Vec<Option<NodeId>> = places.iter().map(|place| place.map(|place| place.node)).collect();
        let first = places.iter().flatten().next()?;
        if own.iter().flatten().filter(|found| found.how == How::Yearless).count() * 2 > own.iter().flatten().count() {
            return self.with_year(entries);
        }
        let mut locator = match own.iter().flatten().any(|found| found.how == How::Heading) {
            true => above(sheet, &scopes, &nodes)?,
            false => {
                let sure: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].is_some()).collect();
                finder.field(&scopes, &nodes, &sure).or_else(|| finder.field(&scopes, &nodes, &[]))?
            }
        };
        if let Some(name) = &first.attribute {
            locator = attribute(&locator, name);
        }
        if FIELDS[field] == "date" && first.attribute.is_some() && first.part.is_some() {
            return Some(Locator { matches: Some(ADDRESS_DATE.into()), ..locator });
        }
        let parts = places.iter().flatten().filter(|place| place.part.is_some()).count();
        if parts * 2 > places.iter().flatten().count()
            && let Some(shown) = places.iter().flatten().find(|place| place.part.is_some())
        {
            let range = shown.part.clone()?;
            let texts: Vec<&str> = nodes.iter().flatten().map(|&node| sheet.reading.of(node)).collect();
            locator = part::cutting(sheet.reading.of(shown.node), range.start, range.end, &texts)?.of(locator);
        }
        Some(locator)
    }

    /// The locators of fields on the pages of single entries.
    fn page_xpaths(&self, entries: &[usize]) -> Vec<Option<Locator>> {
        let entries = &entries[..entries.len().min(PAGES)];
        let readings: Vec<Reading<'_>> = entries.iter().map(|&at| Reading::new(self.seen[at].sheet.document)).collect();
        let spot = |place: &Place| {
            let rung = if place.part.is_some() { Rung::Part } else { Rung::Whole };
            Spot { place: place.clone(), rung }
        };
        let wanted = |field: usize| -> Option<Shown> {
            let single = matches!(FIELDS[field], "title" | "date" | "author");
            let body = FIELDS[field] == "body";
            let place = |at: usize| match (body, self.bodies.bodies[at]) {
                (true, Some(Body::Run { first, .. })) => {
                    self.seen[at].sheet.document.parent(first).map(|parent| spot(&Place::node(parent)))
                }
                _ => {
                    let place = self.found[field][at].as_ref()?.places.first()?;
                    let told = place.attribute.is_none()
                        && FIELDS[field] == "date"
                        && self.seen[at].sheet.document.attr(place.node, "datetime").is_some();
                    Some(if told { spot(&Place::attribute(place.node, "datetime")) } else { spot(place) })
                }
            };
            let spots: Vec<(usize, Vec<Spot>)> = entries
                .iter()
                .enumerate()
                .filter(|_| single || body)
                .filter_map(|(page, &at)| Some((page, vec![place(at)?])))
                .collect();
            (!spots.is_empty()).then(|| Shown { name: FIELDS[field].to_owned(), spots })
        };
        let all: Vec<Shown> = (0..FIELDS.len()).filter_map(wanted).collect();
        let rules = example::page_rules(&readings, &all);
        let mut locators: Vec<Option<Locator>> = FIELDS
            .iter()
            .map(|name| rules.iter().find(|rule| &*rule.name == *name).map(|rule| rule.locator.clone()))
            .collect();
        if !self.has_elements(entries)
            && let Some(holder) = locators[3].take()
        {
            locators[3] = self.run(entries).map(|run| in_holder(holder, run));
        }
        locators[5] = self.page_categories(entries);
        locators
    }

    /// The locator of the categories on entry pages: links of one relation, or in one named element, that are right on
    /// most of them.
    fn page_categories(&self, entries: &[usize]) -> Option<Locator> {
        let wanted = |at: usize| -> Vec<NodeId> {
            self.found[5][at].iter().flat_map(|found| &found.places).map(|place| place.node).collect()
        };
        let filed: Vec<usize> = entries.iter().copied().filter(|&at| self.found[5][at].is_some()).collect();
        let mut tries: Vec<String> = Vec::new();
        for &at in filed.iter().take(3) {
            let sheet = self.seen[at].sheet;
            let document = sheet.document;
            let Some(node) = wanted(at).first().copied().filter(|&node| document.is_element(node)) else { continue };
            let tag = document.name(node).unwrap_or("a");
            tries.extend(
                document.attr(node, "rel").filter(|rel| !rel.contains('\'')).map(|rel| format!("{tag}[rel='{rel}']")),
            );
            tries.extend(sheet.outline.words_of(node).iter().map(|word| format!(".{word}")));
            for around in document.ancestors(node).take(4).filter(|&id| document.name_id(id) != Some(names::BODY)) {
                tries.extend(sheet.outline.words_of(around).iter().map(|word| format!(".{word} {tag}")));
                tries.extend(clean_id(document, around).map(|id| format!("#{id} {tag}")));
            }
        }
        let right = |selector: &String| {
            let Ok(expr) = Expr::css(selector) else { return 0 };
            let exact = |&&at: &&usize| {
                let found = expr.select(self.seen[at].sheet.document, NodeId::ROOT).unwrap_or_default();
                found.into_iter().map(Node::id).eq(wanted(at))
            };
            filed.iter().filter(exact).count()
        };
        let best = tries.into_iter().map(|selector| (right(&selector), selector));
        let best = best.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        (best.0 * 2 >= filed.len() && best.0 > 0).then(|| Locator::css(best.1))
    }
}
