//! The small fields of entries: title, link, date, author, categories.
//!
//! Of the places in an entry that fit its item, those that stand alike in most entries are taken: a date in the text of a
//! body is of the right day now and then, the one of the template always. A date that is in no entry may stand in a
//! heading above several.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};
use windrow_wrapper::values::date::Date;

use super::index::Entry;
use super::matcher::Wanted;
use super::sheet::{Dated, Sheet};
use super::{How, Match};
use crate::labels::Place;
use crate::page_view::is_heading;
use crate::scope::Scope;

/// Dates in front of an entry that may be its heading.
const HEADINGS: usize = 3;

/// An entry with the page that it is on.
pub(super) struct Seen<'s, 'p> {
    pub(super) sheet: &'s Sheet<'p>,
    pub(super) entry: &'s Entry,
    pub(super) wanted: Option<&'s Wanted>,
}

/// A place that a field may have, and how much speaks for it.
struct Choice {
    key: u64,
    worth: f32,
    found: Match,
}

impl Seen<'_, '_> {
    fn base(&self) -> NodeId {
        let Scope { record, run } = self.entry.scope;
        if run { self.sheet.document.parent(record.first).unwrap_or(record.first) } else { record.first }
    }

    fn holds(&self, node: NodeId) -> bool {
        self.entry.scope.contains(node)
    }

    /// Where a node stands in its entry.
    fn key(&self, place: &Place) -> u64 {
        let keys = self.sheet.view.node_keys_below(self.base(), place.node);
        let document = self.sheet.document;
        let class = document.attr_by_id(place.node, names::CLASS).unwrap_or_default();
        let hasher = FixedState::default();
        hasher.hash_one((keys[1], class, place.attribute.as_deref()))
    }
}

/// The place in each entry that those of most entries are like.
fn settle(options: Vec<Vec<Choice>>) -> Vec<Option<Match>> {
    let mut sums: HashMap<u64, f32, FixedState> = HashMap::default();
    for own in &options {
        let mut best: HashMap<u64, f32, FixedState> = HashMap::default();
        for option in own {
            let known = best.entry(option.key).or_insert(0.0);
            *known = known.max(option.worth);
        }
        for (key, worth) in best {
            *sums.entry(key).or_insert(0.0) += worth;
        }
    }
    options
        .into_iter()
        .map(|own| {
            let order = |option: &Choice| sums.get(&option.key).copied().unwrap_or(0.0);
            let best = own.into_iter().reduce(|best, other| if order(&other) > order(&best) { other } else { best });
            best.map(|option| option.found)
        })
        .collect()
}

/// The titles: of each entry the element whose text is its title, as far out as it goes.
pub(super) fn titles(seen: &[Seen<'_, '_>]) -> Vec<Option<Match>> {
    let title = |seen: &Seen<'_, '_>| {
        let how = seen.entry.titled?;
        let node = outermost(seen, seen.entry.head);
        Some(Match { places: vec![Place::node(node)], how })
    };
    // Where most titles are known, what stands there in other entries is the title, whatever the feed says.
    let mut found: Vec<Option<Match>> = seen.iter().map(title).collect();
    let known = found.iter().flatten().count();
    let items = seen.iter().filter(|seen| seen.entry.item.is_some()).count();
    if known * 2 < items && name_entries(seen) {
        for (found, seen) in found.iter_mut().zip(seen).filter(|(found, _)| found.is_none()) {
            *found = Some(Match { places: vec![Place::node(outermost(seen, seen.entry.head))], how: How::Other });
        }
        return found;
    }
    if known * 2 >= items {
        let seen_all = seen;
        let seen_titles: Vec<usize> = (0..found.len()).filter(|&at| found[at].is_some()).take(3).collect();
        for (found, seen) in found.iter_mut().zip(seen) {
            let like = |other: &Seen<'_, '_>| {
                other.key(&Place::node(other.entry.head)) == seen.key(&Place::node(seen.entry.head))
            };
            let told = || seen_titles.iter().any(|&at| like(&seen_all[at]));
            if found.is_none()
                && seen.entry.item.is_some()
                && !seen.sheet.reading.of(seen.entry.head).is_empty()
                && told()
            {
                let node = outermost(seen, seen.entry.head);
                *found = Some(Match { places: vec![Place::node(node)], how: How::Other });
            }
        }
    }
    found
}

/// Whether the links to the entries say what these are: each says something else, and not when it was written.
fn name_entries(seen: &[Seen<'_, '_>]) -> bool {
    let texts: Vec<&str> = seen.iter().map(|seen| seen.sheet.reading.of(seen.entry.head)).collect();
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let is_name = |(text, seen): (&&str, &Seen<'_, '_>)| {
        text.chars().filter(|c| c.is_alphabetic()).count() > 2
            && seen.sheet.dates_at(seen.entry.head).iter().all(|dated| dated.date.is_none())
            && seen.entry.start.is_none_or(|start| !seen.sheet.words_at(seen.entry.head).contains(&start))
    };
    distinct.len() == texts.len() && texts.len() > 1 && texts.iter().zip(seen).all(is_name)
}

/// The outermost element of an entry with the same text, up to a heading.
fn outermost(seen: &Seen<'_, '_>, node: NodeId) -> NodeId {
    let sheet = seen.sheet;
    let own = sheet.reading.range(node);
    let mut best = node;
    if is_heading(sheet.document, node) {
        return node;
    }
    for id in sheet.document.ancestors(node).take(4) {
        let whole = seen.entry.scope.record.first == id && !seen.entry.scope.run;
        if whole || !seen.holds(id) || sheet.reading.range(id) != own {
            break;
        }
        best = id;
        if is_heading(sheet.document, id) {
            break;
        }
    }
    best
}

/// The links to the entries' own pages.
pub(super) fn links(seen: &[Seen<'_, '_>]) -> Vec<Option<Match>> {
    let options = seen.iter().map(|seen| {
        let Some(wanted) = seen.wanted else { return Vec::new() };
        let document = seen.sheet.document;
        let mut inside: Vec<NodeId> = wanted.links(seen.sheet).into_iter().filter(|&link| seen.holds(link)).collect();
        // `#comments` leads to a part of the page, unless the item itself is a part of one.
        let whole = |link: &NodeId| document.attr(*link, "href").is_some_and(|href| !href.contains('#'));
        if !wanted.anchored && inside.iter().any(whole) {
            inside.retain(whole);
        }
        inside
            .into_iter()
            .map(|link| {
                let head = seen.entry.head;
                let title = link == head || document.is_ancestor(link, head) || document.is_ancestor(head, link);
                let place = Place::attribute(link, "href");
                Choice {
                    key: seen.key(&place),
                    worth: if title { 1.5 } else { 1.0 },
                    found: Match { places: vec![place], how: How::Same },
                }
            })
            .collect()
    });
    let found = settle(options.collect());
    if found.iter().any(Option::is_some) {
        return found;
    }
    // A feed may lead through another service: then what the title links to is the entry's page, if it is not the same
    // for all.
    let around = |seen: &Seen<'_, '_>| {
        seen.wanted?;
        let document = seen.sheet.document;
        let head = seen.entry.head;
        let lineage = std::iter::once(head).chain(document.ancestors(head)).take(4).filter(|&id| seen.holds(id));
        let mut near = lineage.chain(document.descendants(head).take(8));
        let link = near.find(|&id| document.name_id(id) == Some(names::A) && document.attr(id, "href").is_some())?;
        Some(Match { places: vec![Place::attribute(link, "href")], how: How::Template })
    };
    let found: Vec<Option<Match>> = seen.iter().map(around).collect();
    let address = |(found, seen): (&Option<Match>, &Seen<'_, '_>)| {
        found.as_ref().map(|found| found.places[0].text(seen.sheet.document))
    };
    let mut addresses: Vec<String> = found.iter().zip(seen).filter_map(address).collect();
    let all = addresses.len();
    addresses.sort_unstable();
    addresses.dedup();
    if addresses.len() == all { found } else { vec![None; seen.len()] }
}

/// The dates. `heading`: whether one may stand in front of the entry.
pub(super) fn dates(seen: &[Seen<'_, '_>], heading: bool) -> Vec<Option<Match>> {
    let known = seen.iter().filter(|seen| seen.wanted.is_some_and(|wanted| wanted.date.is_some())).count();
    let options: Vec<Vec<Choice>> = seen.iter().map(|seen| inside(seen, known == 0)).collect();
    let found = settle(options);
    let count = found.iter().flatten().count();
    if !heading || count * 2 >= seen.iter().filter(|seen| seen.wanted.is_some()).count() {
        return found;
    }
    let above: Vec<Vec<Choice>> = seen.iter().map(|seen| above(seen, known == 0)).collect();
    let above = settle(above);
    if above.iter().flatten().count() > count { above } else { found }
}

/// Dates that are a part of the entries' addresses.
pub(super) fn dates_of_links(seen: &[Seen<'_, '_>], links: &[Option<Match>]) -> Vec<Option<Match>> {
    let dated = |(seen, link): (&Seen<'_, '_>, &Option<Match>)| {
        let wanted = seen.wanted?;
        let canonical = || {
            let document = seen.sheet.document;
            let mut links = document.nodes().filter(|&id| document.attr(id, "rel") == Some("canonical"));
            links.find(|&id| document.attr(id, "href").is_some()).map(|id| Place::attribute(id, "href"))
        };
        let place = link.as_ref().and_then(|link| link.places.first().cloned()).or_else(canonical)?;
        let address = place.text(seen.sheet.document);
        let (date, part) = date_of_address(&address)?;
        wanted.is_date(date)?;
        Some(Match { places: vec![Place { part: Some(part), ..place }], how: How::Day })
    };
    let found: Vec<Option<Match>> = seen.iter().zip(links).map(dated).collect();
    let items = seen.iter().filter(|seen| seen.wanted.is_some()).count();
    if found.iter().flatten().count() * 2 > items { found } else { vec![None; seen.len()] }
}

/// The date in an address, `/2013/08/07/`, and its bytes.
pub(super) fn date_of_address(address: &str) -> Option<(Date, Range<usize>)> {
    let mut at = 0;
    let parts: Vec<(usize, &str)> = address
        .split(['/', '-', '?'])
        .map(|part| {
            let start = at;
            at += part.len() + 1;
            (start, part)
        })
        .collect();
    let number = |part: &str, most: usize| match part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit()) {
        true => part.parse::<u16>().ok(),
        false => None,
    };
    parts.windows(3).find_map(|window| {
        let [(start, year), (_, month), (last, day)] = window else { return None };
        let year = number(year, 4).filter(|year| (1990..2100).contains(year))?;
        let (month, day_of_month) = (number(month, 2)?, number(day, 2)?);
        let date = Date::from_day(i32::from(year), month as u8, day_of_month as u8)?;
        Some((date, *start..last + day.len()))
    })
}

/// How a date is known to be an item's, and how much that is worth.
fn fits(seen: &Seen<'_, '_>, dated: &Dated, unknown: bool) -> Option<(How, f32)> {
    let Some(wanted) = seen.wanted.filter(|_| !unknown) else {
        return dated.date.filter(|_| unknown && seen.wanted.is_some()).map(|_| (How::Template, 1.0));
    };
    match dated.date {
        Some(date) => {
            let day = wanted.is_date(date).map(|same| (How::Day, if same { 1.0 } else { 0.4 }));
            let swapped = || dated.swapped.and_then(|date| wanted.is_date(date)).filter(|same| *same);
            match day {
                Some((_, 1.0)) if dated.against => Some((How::Swapped, 1.0)),
                Some((_, 1.0)) => day,
                _ => swapped().map(|_| (How::Swapped, 1.0)).or(day),
            }
        }
        None => seen.sheet.is_yearless(dated, wanted.date?).then_some((How::Yearless, 0.8)),
    }
}

fn option(seen: &Seen<'_, '_>, dated: &Dated, how: How, mut worth: f32) -> Choice {
    let document = seen.sheet.document;
    let node = dated.place.node;
    if document.attr(node, "datetime").is_some() {
        worth *= 1.3;
    }
    if dated.place.part.is_some() {
        worth *= 0.8;
    }
    // In the body it may be any date; the nearer to the title, the likelier.
    let near = seen.sheet.words_at(seen.entry.head).start.abs_diff(seen.sheet.words_at(node).start);
    worth *= 1.0 + 0.2 / (1.0 + near as f32 / 20.0);
    Choice { key: seen.key(&dated.place), worth, found: Match { places: vec![dated.place.clone()], how } }
}

fn inside(seen: &Seen<'_, '_>, unknown: bool) -> Vec<Choice> {
    let dates = &seen.sheet.dates;
    let from = dates.partition_point(|dated| dated.place.node < seen.entry.scope.record.first);
    let own = dates[from..].iter().take_while(|dated| dated.place.node < seen.entry.scope.record.end);
    own.filter_map(|dated| fits(seen, dated, unknown).map(|(how, worth)| option(seen, dated, how, worth))).collect()
}

/// Dates in front of an entry: headings for the entries of a day.
fn above(seen: &Seen<'_, '_>, unknown: bool) -> Vec<Choice> {
    let dates = &seen.sheet.dates;
    let to = dates.partition_point(|dated| dated.place.node < seen.entry.scope.record.first);
    let near = dates[..to].iter().rev().take(if unknown { 1 } else { HEADINGS });
    near.filter_map(|dated| {
        let (_, worth) = fits(seen, dated, unknown)?;
        let document = seen.sheet.document;
        let class = document.attr_by_id(dated.place.node, names::CLASS).unwrap_or_default();
        let key = FixedState::default().hash_one((document.name(dated.place.node), class));
        Some(Choice { key, worth, found: Match { places: vec![dated.place.clone()], how: How::Heading } })
    })
    .collect()
}

/// Who wrote the entries.
pub(super) fn authors(seen: &[Seen<'_, '_>], bodies: &[Option<(NodeId, NodeId)>]) -> Vec<Option<Match>> {
    let options = seen.iter().zip(bodies).map(|(seen, body)| {
        let Some(author) = seen.wanted.and_then(|wanted| wanted.authors.first()) else { return Vec::new() };
        named(seen, author, body)
            .into_iter()
            .map(|place| {
                let worth = if place.part.is_some() { 0.6 } else { 1.0 };
                Choice { key: seen.key(&place), worth, found: Match { places: vec![place], how: How::Same } }
            })
            .collect()
    });
    settle(options.collect())
}

/// What the entries are filed under: elements in a row, each with one of the item's categories.
pub(super) fn categories(seen: &[Seen<'_, '_>], bodies: &[Option<(NodeId, NodeId)>]) -> Vec<Option<Match>> {
    let options = seen.iter().zip(bodies).map(|(seen, body)| {
        let Some(wanted) = seen.wanted else { return Vec::new() };
        let mut by_key: HashMap<u64, Vec<Place>, FixedState> = HashMap::default();
        for category in &wanted.categories {
            let whole = named(seen, category, body).into_iter().filter(|place| place.part.is_none());
            for place in whole {
                by_key.entry(seen.key(&place)).or_default().push(place);
            }
        }
        let mut all: Vec<Choice> = by_key
            .into_iter()
            .map(|(key, mut places)| {
                places.sort_by_key(|place| place.node);
                places.dedup();
                Choice { key, worth: places.len() as f32, found: Match { places, how: How::Same } }
            })
            .collect();
        all.sort_by_key(|option| option.found.places[0].node);
        all
    });
    settle(options.collect())
}

/// Links in an entry that say what it is filed under, wherever they stand.
pub(super) fn filed_under(seen: &Seen<'_, '_>) -> Vec<NodeId> {
    let document = seen.sheet.document;
    let categories = seen.wanted.into_iter().flat_map(|wanted| &wanted.categories);
    let links = categories.flat_map(|category| {
        let words = super::words::hashes(category);
        let nodes: Vec<NodeId> = seen.sheet.titled(&words).map(|short| short.node).collect();
        nodes
    });
    let linked = |id: NodeId| {
        std::iter::once(id).chain(document.ancestors(id)).take(2).any(|id| document.name_id(id) == Some(names::A))
    };
    links.filter(|&id| seen.holds(id) && linked(id)).collect()
}

/// Where a name stands in an entry, its body and its title aside.
fn named(seen: &Seen<'_, '_>, name: &str, body: &Option<(NodeId, NodeId)>) -> Vec<Place> {
    let words = super::words::hashes(name);
    if words.is_empty() {
        return Vec::new();
    }
    let in_body = |node: NodeId| body.is_some_and(|(first, end)| first <= node && node < end);
    let title = |node: NodeId| node == seen.entry.head || seen.sheet.document.is_ancestor(node, seen.entry.head);
    let mut places: Vec<Place> = seen
        .sheet
        .titled(&words)
        .map(|short| short.node)
        .filter(|&node| seen.holds(node) && !in_body(node) && !title(node))
        .map(Place::node)
        .collect();
    if places.is_empty() {
        // As a part of a short text: `Posted by Ann on 3 May`.
        for short in &seen.sheet.shorts {
            let own = &seen.sheet.words[short.words.clone()];
            if !seen.holds(short.node) || in_body(short.node) || title(short.node) || own.len() > 30 {
                continue;
            }
            let at = own
                .windows(words.len())
                .position(|window| window.iter().map(|word| word.hash).eq(words.iter().copied()));
            if let Some(at) = at {
                let begin = seen.sheet.reading.range(short.node).start;
                let part = own[at].start - begin..own[at + words.len() - 1].end - begin;
                places.push(Place { node: short.node, attribute: None, part: Some(part) });
            }
        }
    }
    places
}
