//! Rules as XPath and CSS: of the records of an index page, and of the pages of single entries.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use windrow_dom::{NodeId, names};
use windrow_wrapper::{Find, Locator};
use windrow_xpath::{Expr, Node};

use super::Template;
use super::dates::{above, by_first_word};
use super::runs::in_holder;
use crate::example::{self, Wanted as Shown};
use crate::feed::body::Body;
use crate::feed::{FIELDS, How, Match, PageKind};
use crate::induce::locate::{Finder, attribute};
use crate::induce::part::{self, Cutting};
use crate::induce::record::clean_id;
use crate::labels::Place;
use crate::reading::{Reading, Rung, Spot};
use crate::scope::Scope;

/// The date in an address.
const ADDRESS_DATE: &str = r"\b((?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2})\b";
/// Elements around a title whose names may tell it from others.
const AROUND: usize = 6;
/// Selectors of the title that are tried.
const TRIES: usize = 48;
/// Selectors of the title that are kept, one to stand in for the other.
const CHAIN: usize = 3;
/// Entry pages that rules are written from; the others test them.
const PAGES: usize = 6;

/// The same cutting without the words that hold digits, and those beyond them: a year in front of a name is the entry's.
fn without_numbers(cutting: Cutting, text: &str, part: &Range<usize>) -> Cutting {
    let number = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let nearest = |words: &str, front: bool| {
        let mut words: Vec<&str> = words.split(' ').collect();
        if front {
            words.reverse();
        }
        let mut near: Vec<&str> = words.into_iter().take_while(|word| !number(word)).collect();
        if front {
            near.reverse();
        }
        Some(near.join(" ")).filter(|near| !near.is_empty())
    };
    if cutting.matches.is_some() || ![&cutting.after, &cutting.before].into_iter().flatten().any(|it| number(it)) {
        return cutting;
    }
    let shorter = Cutting {
        after: cutting.after.as_deref().and_then(|after| nearest(after, true)),
        before: cutting.before.as_deref().and_then(|before| nearest(before, false)),
        matches: None,
    };
    let same = shorter.apply(text, None) == text.get(part.clone()).map(str::trim);
    if same { shorter } else { cutting }
}

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
        let finder = Finder { view: &sheet.view, document: sheet.document };
        let scopes: Vec<Scope> = entries.iter().map(|&at| self.seen[at].entry.scope).collect();
        let own: Vec<Option<&Match>> = entries.iter().map(|&at| self.found[field][at].as_ref()).collect();
        own.iter().flatten().next()?;
        if FIELDS[field] == "categories" {
            let nodes = |found: &Match| found.places.iter().map(|place| place.node).collect();
            let wanted: Vec<Vec<NodeId>> = own.iter().map(|found| found.map_or_else(Vec::new, nodes)).collect();
            let listed = finder.list(&scopes, &wanted);
            // By position it would miss the second where those that are known have one.
            return match listed.as_ref().is_none_or(|locator| locator.slice.is_some()) {
                true => self.links_of_kind(entries).map(Locator::css).or(listed),
                false => listed,
            };
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
        if FIELDS[field] == "date"
            && own.iter().flatten().any(|found| found.how == How::Swapped)
            && let Some(locator) = self.reordered(entries)
        {
            return Some(locator);
        }
        let mut locator = match own.iter().flatten().any(|found| found.how == How::Heading) {
            true => above(sheet, &scopes, &nodes)?,
            false => {
                let sure: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].is_some()).collect();
                let unnamed = |node: &NodeId| sheet.view.words_of(*node).is_empty();
                let said = (scopes.iter().all(|scope| scope.run) && nodes.iter().flatten().all(unnamed))
                    .then(|| by_first_word(sheet, &scopes, &nodes))
                    .flatten();
                let field = || finder.field(&scopes, &nodes, &sure).or_else(|| finder.field(&scopes, &nodes, &[]));
                said.or_else(field)?
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
            let text = sheet.reading.of(shown.node);
            let cutting = part::cutting(text, range.start, range.end, &texts)?;
            locator = without_numbers(cutting, text, &range).of(locator);
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
        if let Some(title) = self.page_title(entries) {
            locators[0] = Some(title);
        }
        if entries.iter().any(|&at| self.found[2][at].as_ref().is_some_and(|found| found.how == How::Swapped))
            && let Some(date) = self.reordered(entries)
        {
            locators[2] = Some(date);
        }
        locators
    }

    /// The locator of the titles on entry pages: by names and headings, each tried on all of these pages. What a title
    /// says is never a label: "Tutorial: …" begins many.
    fn page_title(&self, entries: &[usize]) -> Option<Locator> {
        let titled: Vec<(usize, NodeId)> =
            entries.iter().filter_map(|&at| Some((at, self.found[0][at].as_ref()?.places.first()?.node))).collect();
        let mut tries: Vec<String> = Vec::new();
        for &(at, node) in titled.iter().take(3) {
            let sheet = self.seen[at].sheet;
            let document = sheet.document;
            let Some(tag) = document.name(node).filter(|_| document.is_element(node)) else { continue };
            let mut own: Vec<String> = sheet.view.words_of(node).iter().map(|word| format!("{tag}.{word}")).collect();
            own.push(tag.to_owned());
            tries.extend(own.iter().cloned());
            for around in document.ancestors(node).take(AROUND).filter(|&id| document.name_id(id) != Some(names::BODY))
            {
                let words = sheet.view.words_of(around).into_iter().map(|word| format!(".{word}"));
                let outer: Vec<String> = words.chain(clean_id(document, around).map(|id| format!("#{id}"))).collect();
                tries.extend(outer.iter().flat_map(|outer| own.iter().map(move |own| format!("{outer} {own}"))));
            }
        }
        let mut known: HashSet<String, FixedState> = HashSet::default();
        tries.retain(|selector| known.insert(selector.clone()));
        tries.truncate(TRIES);
        // By selector: pages on which the first that it selects is the title, and those on which it selects others, too.
        let score = |selector: &String| {
            let Ok(expr) = Expr::css(selector) else { return (0, 0) };
            let (mut right, mut others) = (0, 0);
            for &(at, node) in &titled {
                let sheet = self.seen[at].sheet;
                let found = expr.select(sheet.document, NodeId::ROOT).unwrap_or_default();
                right += usize::from(found.first().is_some_and(|found| found.id() == node));
                others += usize::from(found.len() > 1);
            }
            (right, others)
        };
        let mut scored: Vec<((usize, usize), String)> = tries.into_iter().map(|it| (score(&it), it)).collect();
        scored.sort_by_key(|((right, others), _)| (std::cmp::Reverse(*right), *others));
        let (best, _) = scored.first()?;
        if best.0 * 2 < titled.len() || best.0 == 0 {
            return None;
        }
        let chosen = scored.iter().take_while(|(score, _)| score.0 == best.0).take(CHAIN);
        let mut chain: Vec<Locator> = chosen.map(|(_, selector)| Locator::css(selector.clone())).collect();
        if chain.len() == 1 { chain.pop() } else { Some(Locator::new(Find::Case(chain))) }
    }

    /// A selector of links by a part of their address that all links to categories have: `/category/`, `/tag/`. It
    /// selects in each of these entries what is known, and nothing else.
    fn links_of_kind(&self, entries: &[usize]) -> Option<String> {
        let filed: Vec<(usize, Vec<NodeId>)> = entries
            .iter()
            .filter_map(|&at| {
                let document = self.seen[at].sheet.document;
                let link = |node: NodeId| {
                    let mut lineage = std::iter::once(node).chain(document.ancestors(node)).take(3);
                    lineage.find(|&id| document.name_id(id) == Some(names::A))
                };
                let places = &self.found[5][at].as_ref()?.places;
                Some((at, places.iter().map(|place| link(place.node)).collect::<Option<Vec<NodeId>>>()?))
            })
            .collect();
        let hrefs: Vec<&str> = filed
            .iter()
            .flat_map(|(at, links)| links.iter().map(|&link| self.seen[*at].sheet.document.attr(link, "href")))
            .collect::<Option<_>>()?;
        let first = hrefs.first()?;
        // The directories of the address, without the last: that is the category.
        let path = first.split_once("://").map_or(*first, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').filter(|part| !part.is_empty()).collect();
        let (_, kinds) = parts.split_last()?;
        let plain = |part: &&&str| part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let patterns = kinds.iter().rev().filter(plain).map(|kind| format!("/{kind}/"));
        let exact = |pattern: &String| {
            hrefs.iter().all(|href| href.contains(pattern.as_str()))
                && filed.iter().all(|(at, links)| {
                    let (document, scope) = (self.seen[*at].sheet.document, self.seen[*at].entry.scope);
                    let record = scope.record.first.index()..scope.record.end.index();
                    let own = record.map(NodeId::from_index).filter(|&id| document.name_id(id) == Some(names::A));
                    let like =
                        |id: &NodeId| document.attr(*id, "href").is_some_and(|href| href.contains(pattern.as_str()));
                    own.filter(like).eq(links.iter().copied())
                })
        };
        let pattern = patterns.into_iter().find(exact)?;
        Some(format!("a[href*='{pattern}']"))
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
            tries.extend(self.links_of_kind(&filed));
            tries.extend(sheet.view.words_of(node).iter().map(|word| format!(".{word}")));
            for around in document.ancestors(node).take(4).filter(|&id| document.name_id(id) != Some(names::BODY)) {
                tries.extend(sheet.view.words_of(around).iter().map(|word| format!(".{word} {tag}")));
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
