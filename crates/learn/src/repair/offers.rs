//! Locators that may find a field on the new page, from the places where its known values stand.
//!
//! Places that stand alike in their records are one shape; the shapes of most records come first. Of each, the inducer
//! says how it may be found, the most lasting way first. What the old rule did behind the element it found (an attribute,
//! a part of the text, a text among others) is done behind the new one, too. A value that is a part of a text is cut out
//! of it as other learners do.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{NodeId, names};
use windrow_wrapper::values::Type;
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Find, Locator, Rule, Slice};

use super::level::Level;
use super::look::likeness;
use super::runs;
use super::sheet::hash;
use crate::induce::locate::{Finder, attribute};
use crate::induce::part;
use crate::labels::Place;
use crate::scope::Scope;

/// Shapes that are looked at, and records of each that show it.
const SHAPES: usize = 4;
const EXAMPLES: usize = 2;
/// Locators of one place that are tried.
const WAYS: usize = 26;
/// Elements around a value that the old rule may have begun with.
const AROUND: usize = 4;
/// Columns that a field may be found in by its looks.
const COLUMNS: usize = 40;
/// Places of one shape in a record that are columns of their own.
const RANKS: usize = 6;
/// Columns that locators are made for, and how much they must look like the field at least.
const LIKELY: usize = 8;
const RATHER: f32 = 0.2;
/// Records that are asked for what stands in front of them, and elements that are looked at there.
const OUTSIDE: usize = 6;
const FRONT: usize = 6;
/// How much what stands there must look like a value that is gone.
const SHAPED: f32 = 0.45;
/// Locators of one field in all.
const MOST: usize = 90;

/// Where a known value stands in a record.
#[derive(Debug, Clone)]
struct Spot {
    scope: usize,
    place: Place,
}

/// How a place stands in its record: a key, and the attribute.
type Shape<'s> = (u64, Option<&'s str>);

/// The attribute that a locator reads.
pub(super) fn attribute_of(locator: &Locator) -> Option<&str> {
    if let Some(then) = &locator.then {
        return attribute_of(then);
    }
    match &locator.find {
        Find::Css(text) | Find::Expression(text) | Find::XPath(text) => {
            let css = text.rsplit_once("::attr(").and_then(|(_, name)| name.strip_suffix(')'));
            let name = css.or_else(|| text.rsplit_once('@').map(|(_, name)| name))?;
            let plain = name.chars().all(|c| c.is_alphanumeric() || "-_:.".contains(c));
            (plain && !name.is_empty()).then_some(name)
        }
        Find::Case(cases) => cases.first().and_then(attribute_of),
        _ => None,
    }
}

/// What an old rule did with the element it found; none if it took it as it is.
fn tail(locator: &Locator) -> Option<Locator> {
    match &locator.find {
        Find::Case(cases) if locator.then.is_none() => return cases.first().and_then(tail),
        _ => {}
    }
    let then = locator.then.clone().filter(|then| !matches!(&then.find, Find::XPath(text) if text.starts_with('@')));
    let own = Locator { find: Find::Scope, slice: None, then, ..locator.clone() };
    (own != Locator::default()).then_some(own)
}

/// The same locator, with what an old rule did behind it.
fn followed(locator: Locator, tail: &Locator) -> Locator {
    match locator.then {
        // A text that was chosen already.
        Some(_) => locator,
        None => Locator { find: locator.find, slice: locator.slice, ..tail.clone() },
    }
}

/// The locators that may find a field whose values are known in these records, by the number of their scope.
pub(super) fn of_field(level: &Level<'_, '_, '_>, rule: &Rule, values: &[(usize, String)]) -> Vec<Locator> {
    let mut all = Offers { finder: level.finder(), level, all: vec![rule.locator.clone()] };
    let old = attribute_of(&rule.locator);
    let spots = whole(level, rule, old, values);
    let shapes = by_shape(level, &spots);
    let tail = tail(&rule.locator).filter(|_| old.is_none());
    for spot in shapes.iter().take(SHAPES).flat_map(|shape| shape.iter().take(EXAMPLES)) {
        all.add_place(spot, rule);
    }
    if let Some(tail) = &tail {
        let parts = parts(level, values);
        let around = shapes.iter().flatten().chain(&parts);
        for spot in around.take(EXAMPLES * 2) {
            all.add_tail(spot, tail, 8);
        }
    }
    // A value that is a part of a text almost everywhere.
    if old.is_none() && spots.len() * 2 < values.len() {
        let parts = parts(level, values);
        let parts = by_shape(level, &parts);
        for shape in parts.iter().take(SHAPES) {
            all.add_run(shape);
        }
        for shape in parts.iter().take(SHAPES) {
            all.add_cut(shape);
        }
    }
    all.all.truncate(MOST);
    if old.is_none() && spots.len() * 2 < values.len() {
        for locator in outside(level, values) {
            all.push(locator);
        }
    }
    all.all
}

/// Places in records that stand for the same thing, by how they stand: by column, in the order of scopes.
pub(super) struct Columns {
    all: Vec<Vec<Spot>>,
}

impl Columns {
    /// All that most of the matched records have: texts, and what is around them if it is no longer than known values
    /// are; or this attribute.
    pub(super) fn new(level: &Level<'_, '_, '_>, attribute: Option<&str>, values: &[(usize, String)]) -> Columns {
        let (sheet, document) = (level.sheet, level.sheet.document);
        let matched = level.matched();
        let longest = values.iter().map(|value| value.1.len()).max().unwrap_or_default();
        let mut spots: Vec<Spot> = Vec::new();
        for &scope in &matched {
            let place = level.scopes[scope];
            let nodes = (place.record.first.index()..place.record.end.index()).map(NodeId::from_index);
            match attribute {
                Some(name) => {
                    let nodes = nodes.filter(|&id| document.is_element(id) && document.attr(id, name).is_some());
                    spots.extend(nodes.take(64).map(|id| Spot { scope, place: Place::attribute(id, name) }));
                }
                None => {
                    let says = |id: &NodeId| {
                        let own = sheet.reading.range(*id);
                        // The outermost of those that say the same.
                        let outer = document.parent(*id).filter(|&parent| place.contains(parent));
                        let same = outer.is_some_and(|parent| sheet.reading.range(parent) == own);
                        !own.is_empty() && own.len() <= longest + longest / 2 + 8 && !same
                    };
                    spots.extend(nodes.filter(says).take(96).map(|node| Spot { scope, place: Place::node(node) }));
                }
            }
        }
        let mut all = Vec::new();
        for shape in by_shape(level, &spots).iter().take(COLUMNS) {
            // What stands several times in records is as many columns.
            let mut ranks: Vec<Vec<Spot>> = Vec::new();
            for spots in shape.chunk_by(|one, two| one.scope == two.scope) {
                for (rank, spot) in spots.iter().take(RANKS).enumerate() {
                    ranks.resize(ranks.len().max(rank + 1), Vec::new());
                    ranks[rank].push(spot.clone());
                }
            }
            all.extend(ranks.into_iter().filter(|column| column.len() * 2 >= values.len()));
        }
        Columns { all }
    }

    /// What they say, each by scope.
    pub(super) fn texts(&self, level: &Level<'_, '_, '_>) -> Vec<Vec<(usize, String)>> {
        let text = |spot: &Spot| (spot.scope, line(&spot.place.text(level.sheet.document)));
        self.all.iter().map(|column| column.iter().map(text).collect()).collect()
    }

    /// The locators that may find a field of which no known value is left.
    /// `values`: what is known of it, by scope.
    pub(super) fn offers(&self, level: &Level<'_, '_, '_>, rule: &Rule, values: &[(usize, String)]) -> Vec<Locator> {
        let mut all = Offers { finder: level.finder(), level, all: vec![rule.locator.clone()] };
        let like = |spot: &Spot| {
            let known = values.binary_search_by_key(&spot.scope, |value| value.0).ok()?;
            Some(likeness(&values[known].1, &line(&spot.place.text(level.sheet.document))))
        };
        let mut alike: Vec<(f32, &Vec<Spot>)> = self
            .all
            .iter()
            .map(|column| {
                let likes: Vec<f32> = column.iter().filter_map(like).collect();
                (likes.iter().sum::<f32>() / likes.len().max(1) as f32, column)
            })
            .filter(|column| column.0 >= RATHER)
            .collect();
        alike.sort_by(|one, two| two.0.total_cmp(&one.0));
        for (_, column) in alike.iter().take(LIKELY) {
            for spot in [&column[column.len() / 2], &column[0]] {
                all.add_place(spot, rule);
            }
        }
        if let Some(tail) = tail(&rule.locator).filter(|_| attribute_of(&rule.locator).is_none()) {
            for column in &self.all {
                if all.all.len() < 6 * MOST {
                    all.add_tail(&column[column.len() / 2], &tail, 4);
                }
            }
        }
        if attribute_of(&rule.locator).is_none() {
            outside(level, values).into_iter().for_each(|locator| all.push(locator));
        }
        all.all
    }
}

/// The locators that may find the items of a list in records: `wanted` by scope.
/// `slice`: what the old rule took of what it found.
pub(super) fn of_items(
    level: &Level<'_, '_, '_>,
    scopes: &[usize],
    wanted: &[Vec<NodeId>],
    slice: Option<Slice>,
) -> Vec<Locator> {
    let mut all = Offers { finder: level.finder(), level, all: Vec::new() };
    let document = level.sheet.document;
    let own: Vec<Scope> = scopes.iter().map(|&at| level.scopes[at]).collect();
    let nodes: Vec<Vec<NodeId>> = scopes.iter().map(|&at| wanted[at].clone()).collect();
    if let Some(locator) = level.finder().list(&own, &nodes) {
        all.push(locator);
    }
    // Records with many items and with few show it best.
    let mut shown: Vec<usize> = scopes.iter().copied().filter(|&at| !wanted[at].is_empty()).collect();
    shown.sort_by_key(|&at| std::cmp::Reverse(wanted[at].len()));
    let shown: Vec<usize> = shown.first().into_iter().chain(shown.last()).copied().collect();
    for at in shown {
        let (scope, item) = (level.scopes[at], wanted[at][0]);
        let Some(tag) = document.name(item) else { continue };
        for way in all.ways(scope, item).into_iter().filter(|way| way.slice.is_none()) {
            all.push(unindexed(&way));
            all.push(way);
        }
        let mut steps = tag.to_owned();
        let above: Vec<NodeId> = document.ancestors(item).take_while(|&id| scope.contains(id)).take(AROUND).collect();
        for holder in above {
            for way in all.ways(scope, holder) {
                all.extend_with(&way, &steps);
            }
            let Some(name) = document.name(holder) else { break };
            steps = format!("{name}/{steps}");
        }
    }
    all.all.truncate(2 * MOST);
    if slice.is_some() {
        let sliced = |locator: &Locator| locator.slice.is_none() && locator.then.is_none();
        let more: Vec<Locator> = all.all.iter().filter(|locator| sliced(locator)).cloned().collect();
        all.all.extend(more.into_iter().map(|locator| Locator { slice, ..locator }));
    }
    all.all
}

/// The same without the last index.
fn unindexed(locator: &Locator) -> Locator {
    match &locator.find {
        Find::XPath(text) => match text.rfind('[').filter(|_| text.ends_with(']')) {
            Some(at) if text[at + 1..text.len() - 1].bytes().all(|byte| byte.is_ascii_digit()) => {
                Locator { find: Find::XPath(text[..at].into()), ..locator.clone() }
            }
            _ => locator.clone(),
        },
        _ => locator.clone(),
    }
}

/// The places where values stand as all of a text, or of an attribute.
fn whole(level: &Level<'_, '_, '_>, rule: &Rule, old: Option<&str>, values: &[(usize, String)]) -> Vec<Spot> {
    let (sheet, document) = (level.sheet, level.sheet.document);
    let mut spots = Vec::new();
    for (scope, value) in values {
        let key = hash(value);
        let place = level.scopes[*scope];
        let told = sheet.attributes_in(place, key).iter().filter_map(|&(node, number)| {
            let name = document.attrs(node).nth(number)?.name();
            Some(Spot { scope: *scope, place: Place::attribute(node, name) })
        });
        let told: Vec<Spot> = told.take(8).collect();
        let said = || {
            sheet.texts_in(place, key).into_iter().take(8).map(|node| Spot { scope: *scope, place: Place::node(node) })
        };
        match old {
            Some(name) => {
                let same = |spot: &&Spot| spot.place.attribute.as_deref() == Some(name);
                match told.iter().any(|spot| same(&spot)) {
                    true => spots.extend(told.iter().filter(same).cloned()),
                    false if told.is_empty() => spots.extend(said()),
                    false => spots.extend(told),
                }
            }
            None if rule.ty == Type::Url => spots.extend(told),
            None => spots.extend(said()),
        }
    }
    // What an image stands for mostly stands beside it, too, and changes with it or not.
    let is_image = |spot: &Spot| spot.place.attribute.is_none() && sheet.is_image(spot.place.node);
    if spots.iter().any(|spot| !is_image(spot)) {
        spots.retain(|spot| !is_image(spot));
    }
    spots
}

/// What stands in front of records, or of what is around them: the locators that may find it from within.
fn outside(level: &Level<'_, '_, '_>, values: &[(usize, String)]) -> Vec<Locator> {
    let (sheet, document) = (level.sheet, level.sheet.document);
    let mut all: Vec<Locator> = Vec::new();
    // A few records of all parts of the list: what stands in front of one may be new there.
    for (scope, value) in values.iter().step_by(values.len().div_ceil(OUTSIDE).max(1)) {
        let first = level.scopes[*scope].record.first;
        let nodes = sheet.texts(hash(value));
        let same = nodes.into_iter().rfind(|&node| node < first && document.subtree_end(node) <= first);
        let Some(node) = same.or_else(|| alike_in_front(level, first, value)) else { continue };
        for id in sheet.chain(node).into_iter().filter(|&id| document.is_element(id)).take(3) {
            let step = crate::induce::path::named_step(document, id);
            let tag = document.name(id).unwrap_or("*").to_owned();
            let class = document.attr_by_id(id, names::CLASS).and_then(|class| class.split_ascii_whitespace().next());
            let word = class.map(|word| format!("{tag}[{}]", crate::induce::path::class_test(word)));
            for step in [Some(step), word, Some(tag)].into_iter().flatten() {
                for axis in [
                    "preceding-sibling::",
                    "ancestor::*[1]/preceding-sibling::",
                    "ancestor::*[2]/preceding-sibling::",
                    "preceding::",
                ] {
                    let locator = Locator::xpath(format!("{axis}{step}[1]"));
                    if !all.contains(&locator) {
                        all.push(locator);
                    }
                }
            }
        }
    }
    all
}

/// The nearest element in front of a record, or of what is around it, that looks like a value, if it is no text of words.
fn alike_in_front(level: &Level<'_, '_, '_>, first: NodeId, value: &str) -> Option<NodeId> {
    let document = level.sheet.document;
    let around = std::iter::once(first).chain(document.ancestors(first)).take(3);
    for node in around {
        let siblings = std::iter::successors(document.prev_sibling(node), |&id| document.prev_sibling(id));
        let elements = siblings.filter(|&id| document.is_element(id)).take(FRONT);
        let alike = |&id: &NodeId| {
            let text = level.sheet.reading.of(id);
            text.len() <= 2 * value.len() + 8 && likeness(value, text) >= SHAPED
        };
        if let Some(found) = elements.into_iter().find(alike) {
            return Some(found);
        }
    }
    None
}

/// The places where values are a part of a text.
fn parts(level: &Level<'_, '_, '_>, values: &[(usize, String)]) -> Vec<Spot> {
    let reading = &level.sheet.reading;
    let document = level.sheet.document;
    let mut spots = Vec::new();
    for (scope, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
        let place = level.scopes[*scope];
        let from = reading.before(place.record.first);
        let to = reading.before(place.record.end).max(from);
        let Some(text) = reading.text.get(from..to) else { continue };
        for (at, _) in text.match_indices(value.as_str()).take(3) {
            let range = from + at..from + at + value.len();
            let joined = |at: usize| {
                let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && (c as u32) < 0x2E80);
                letter(reading.text[..at].chars().next_back()) && letter(reading.text[at..].chars().next())
            };
            if joined(range.start) || joined(range.end) {
                continue;
            }
            let Some(mut node) = reading.node_at(range.start) else { continue };
            while reading.range(node).end < range.end || reading.range(node).start > range.start {
                match document.parent(node) {
                    Some(parent) => node = parent,
                    None => break,
                }
            }
            if !place.contains(node) {
                continue;
            }
            let own = reading.range(node);
            let part = (own != range).then(|| range.start - own.start..range.end - own.start);
            spots.push(Spot { scope: *scope, place: Place { node, attribute: None, part } });
        }
    }
    spots
}

/// Places in groups that stand alike in their records, the largest first.
fn by_shape(level: &Level<'_, '_, '_>, spots: &[Spot]) -> Vec<Vec<Spot>> {
    let view = &level.sheet.view;
    let finder = level.finder();
    let mut groups: HashMap<Shape<'_>, (usize, Vec<Spot>), FixedState> = HashMap::default();
    for (number, spot) in spots.iter().enumerate() {
        let base = finder.base(level.scopes[spot.scope]);
        let inner = level.sheet.chain(spot.place.node).last().copied().unwrap_or(spot.place.node);
        let key = (view.node_keys_below(base, inner)[0], spot.place.attribute.as_deref());
        groups.entry(key).or_insert((number, Vec::new())).1.push(spot.clone());
    }
    let mut groups: Vec<(usize, Vec<Spot>)> = groups.into_values().collect();
    groups.sort_by_key(|(first, group)| {
        let mut scopes: Vec<usize> = group.iter().map(|spot| spot.scope).collect();
        scopes.dedup();
        (std::cmp::Reverse(scopes.len()), *first)
    });
    groups.into_iter().map(|group| group.1).collect()
}

struct Offers<'l, 's, 'p, 'k> {
    finder: Finder<'l, 'p>,
    level: &'l Level<'s, 'p, 'k>,
    all: Vec<Locator>,
}

impl Offers<'_, '_, '_, '_> {
    fn push(&mut self, locator: Locator) {
        if !self.all.contains(&locator) {
            self.all.push(locator);
        }
    }

    /// The ways to a node, those by made-up names last.
    fn ways(&self, scope: Scope, node: NodeId) -> Vec<Locator> {
        let mut ways = self.finder.offers(scope, node);
        if ways.len() > WAYS {
            // The last ones are by position.
            ways.drain(WAYS - 8..ways.len() - 8);
        }
        ways.extend(self.by_any_name(scope, node));
        ways
    }

    /// Ways by class words that nobody chose: they will not last, but some pages have no others.
    fn by_any_name(&self, scope: Scope, node: NodeId) -> Vec<Locator> {
        let document = self.level.sheet.document;
        let words = |id: NodeId| {
            let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
            let plain = |word: &&str| {
                word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
            };
            class.split_ascii_whitespace().filter(plain).take(2)
        };
        let Some(tag) = document.name(node) else { return Vec::new() };
        let mut ways: Vec<Locator> = words(node).map(|word| Locator::css(format!(".{word}"))).collect();
        let around = document.ancestors(node).take(3).take_while(|&id| scope.contains(id) && id != scope.record.first);
        for above in around {
            for word in words(above) {
                ways.push(Locator::css(format!(".{word} {tag}")));
                ways.push(Locator::css(format!(".{word} > {tag}")));
            }
        }
        ways
    }

    /// Steps down from what a locator finds.
    fn extend_with(&mut self, way: &Locator, steps: &str) {
        if way.then.is_some() {
            return;
        }
        let locator = match (&way.find, way.slice) {
            (Find::Css(text), None) if !text.contains(',') => {
                Locator::css(format!("{text} > {}", steps.replace('/', " > ")))
            }
            (Find::XPath(text), None) if &**text == "." => Locator::xpath(steps),
            (Find::XPath(text), None) if !text.contains('|') => Locator::xpath(format!("{text}/{steps}")),
            (Find::Css(_), Some(_)) => Locator { then: Some(Box::new(Locator::xpath(steps))), ..way.clone() },
            _ => return,
        };
        self.push(locator);
    }

    fn add_place(&mut self, spot: &Spot, rule: &Rule) {
        let scope = self.level.scopes[spot.scope];
        if let Some(name) = &spot.place.attribute {
            for way in self.ways(scope, spot.place.node) {
                // An address may be read off the element itself.
                if rule.ty == Type::Url && attribute_of(&rule.locator).is_none() {
                    self.push(way.clone());
                }
                self.push(attribute(&way, name));
            }
            return;
        }
        let chain = self.level.sheet.chain(spot.place.node);
        let document = self.level.sheet.document;
        let inside: Vec<NodeId> = chain.iter().copied().filter(|&id| scope.contains(id)).collect();
        let elements: Vec<NodeId> = inside.iter().copied().filter(|&id| document.is_element(id)).collect();
        let mut tries: Vec<NodeId> = elements.last().into_iter().chain(elements.first()).copied().collect();
        tries.dedup();
        if tries.is_empty() {
            tries.extend(inside.first());
        }
        for node in tries {
            for way in self.ways(scope, node) {
                self.push(way);
            }
        }
    }

    /// What is around a value, and what the old rule did with it.
    fn add_tail(&mut self, spot: &Spot, tail: &Locator, ways: usize) {
        let scope = self.level.scopes[spot.scope];
        let document = self.level.sheet.document;
        let around = std::iter::once(spot.place.node).chain(document.ancestors(spot.place.node));
        let around: Vec<NodeId> =
            around.take_while(|&id| scope.contains(id)).filter(|&id| document.is_element(id)).take(AROUND).collect();
        for node in around {
            for way in self.ways(scope, node).into_iter().take(ways) {
                self.push(followed(way, tail));
            }
        }
    }

    /// Runs of siblings that stand alike.
    fn add_run(&mut self, shape: &[Spot]) {
        let (level, document) = (self.level, self.level.sheet.document);
        let found = shape.iter().filter_map(|spot| {
            let part = spot.place.part.clone()?;
            Some((level.scopes[spot.scope], spot.place.node, runs::of_part(level, spot.place.node, part)?))
        });
        for (scope, node, run) in found.take(EXAMPLES) {
            let locators = runs::locators(document, run);
            if !scope.run && node == scope.record.first {
                locators.into_iter().for_each(|locator| self.push(locator));
                continue;
            }
            for way in self.ways(scope, node).into_iter().take(4) {
                for locator in locators.iter().filter_map(|run| runs::in_holder(&way, run)) {
                    self.push(locator);
                }
            }
        }
    }

    /// Parts of texts that stand alike.
    fn add_cut(&mut self, shape: &[Spot]) {
        let reading = &self.level.sheet.reading;
        let texts: Vec<&str> = shape.iter().map(|spot| reading.of(spot.place.node)).collect();
        for spot in shape.iter().take(EXAMPLES) {
            let Some(part) = &spot.place.part else { continue };
            let Some(cutting) = part::cutting(reading.of(spot.place.node), part.start, part.end, &texts) else {
                continue;
            };
            for way in self.ways(self.level.scopes[spot.scope], spot.place.node).into_iter().take(12) {
                self.push(cutting.of(way));
            }
        }
    }
}

/// A known value as it is compared.
pub(super) fn line(text: &str) -> String {
    collapse(text).into_owned()
}
