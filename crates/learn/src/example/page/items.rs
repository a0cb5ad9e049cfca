//! A list on a page that shows a single record: its ingredients, its steps, its tags.
//!
//! One item is shown. Expressions are written from it outwards: by a class of the items, by an element around them that
//! has a name, by the heading in front of them. Each is tried on the page, and what it selects is judged as a list: the
//! shown item and its like belong to it, further groups of items do as long as no heading of the list's own rank stands
//! between them, and what was shown for another field does not. The rule is a chain of those that select the same.
//!
//! # Cost
//!
//! A bounded number of expressions, each one evaluation a page.

use std::ops::Range;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Find, Locator, Rule};
use windrow_xpath::{Node, path_of};

use super::super::error::Note;
use super::Shown;
use crate::induce::label::{self, Label, LabelKind};
use crate::induce::locate::attribute;
use crate::induce::names::likeness;
use crate::induce::part::Cutting;
use crate::induce::path::{class_test, lasting_classes, lasting_id, meet, plain_down, step, tag};
use crate::induce::way::{Kind, Probe, Way};
use crate::induce::ways::Site;
use crate::reading::Reading;

/// Elements around the shown text that may be the item.
const LEVELS: usize = 5;
/// Elements around an item that are looked at for a name.
const AROUND: usize = 12;
/// Of those, the ones with a name that expressions begin at.
const ANCHORS: usize = 6;
/// Letters and digits that may stand beside the shown text in an item: its number, `Step 1`.
const BESIDE: usize = 12;
/// Nodes in front of the list that are looked at for its heading.
const REACH: usize = 400;
/// Headings in front of it that expressions are written for.
const HEADINGS: usize = 3;
/// Characters that a heading may have.
const LONGEST: usize = 60;
/// Alternatives of the rule.
const CHAIN: usize = 3;
/// Bytes of text between two items of one list: the name of a group, a short remark.
const BETWEEN: usize = 160;
/// Items that are compared one by one.
const MOST: usize = 2000;

/// A node that may be the item, and what stands in it beside the shown text.
struct Level {
    node: NodeId,
    front: String,
    behind: String,
}

/// An expression that may be the rule.
struct Offer {
    way: Way,
    level: usize,
    /// The names that it needs.
    needs: Vec<String>,
    /// The named element around the items that it begins at.
    anchor: Option<NodeId>,
}

/// An expression that was tried.
struct Tried {
    offer: Offer,
    nodes: Vec<NodeId>,
    cost: f32,
}

/// The rule of the list that the shown items are of. `others`: the places of other fields, by page, and whether each is
/// an item of a list; `shown`: all values that are shown.
pub(super) fn rule(
    probes: &[Probe<'_, '_>],
    name: &str,
    examples: &[Shown<'_, '_>],
    others: &[(usize, NodeId, bool)],
    shown: &[String],
    notes: &mut Vec<Note>,
) -> Option<Rule> {
    let first = examples.first()?;
    let site = first.sites.first()?;
    let others_here = others.iter().filter(|other| other.0 == first.page);
    let writer = Writer {
        reading: site.reading,
        document: site.reading.document,
        name,
        attribute: site.place.attribute.as_deref(),
        levels: levels(site),
        shown,
        others: others_here.map(|&(_, node, list)| (node, list)).collect(),
    };
    let probe = probes.get(first.page)?;
    let mut tried: Vec<Tried> = Vec::new();
    for offer in writer.offers() {
        let Some(nodes) = probe.select(&offer.way) else { continue };
        if let Some(cost) = writer.judge(&nodes, &offer) {
            let more: f32 = examples.iter().skip(1).map(|shown| elsewhere(probes, shown, &offer)).sum();
            tried.push(Tried { cost: offer.way.cost + cost + more, offer, nodes });
        }
    }
    tried.sort_by(|one, two| one.cost.total_cmp(&two.cost));
    let mut tried = tried.into_iter();
    let best = tried.next()?;
    let texts = |nodes: &[NodeId]| nodes.iter().map(|&node| site.reading.range(node)).collect::<Vec<_>>();
    let same = texts(&best.nodes);
    let mut chain = vec![best];
    for other in tried {
        let names = |tried: &Tried| tried.offer.needs.iter().any(|name| other.offer.needs.contains(name));
        let weak = other.offer.way.kind >= Kind::Words || other.cost > chain[0].cost + 1.2;
        if chain.len() < CHAIN && !weak && !chain.iter().any(names) && texts(&other.nodes) == same {
            chain.push(other);
        }
    }
    let best = &chain[0];
    if best.nodes.len() == 1 {
        notes.push(Note::OneItem { field: name.to_owned() });
    }
    if best.offer.way.kind >= Kind::Words {
        notes.push(Note::Positional { field: name.to_owned() });
    }
    let locator = |tried: &Tried| {
        let locator = match writer.attribute {
            Some(name) => attribute(&tried.offer.way.locator(), name),
            None => tried.offer.way.locator(),
        };
        writer.cutting(tried).of(locator)
    };
    let mut alternatives: Vec<Locator> = chain.iter().map(locator).collect();
    let locator = match alternatives.len() {
        1 => alternatives.pop()?,
        _ => Locator::new(Find::Case(alternatives)),
    };
    let node = writer.levels[best.offer.level].node;
    let path = path_of(writer.document, Node::node(node));
    let path = path.rfind('[').map_or(path.as_str(), |at| &path[..at]).to_owned();
    Some(Rule::list(name, locator).optional().found_at(path))
}

/// What speaks against an expression on another page that shows an item.
fn elsewhere(probes: &[Probe<'_, '_>], shown: &Shown<'_, '_>, offer: &Offer) -> f32 {
    let Some((probe, site)) = probes.get(shown.page).zip(shown.sites.first()) else { return 0.0 };
    let value = site.reading.range(site.place.node);
    let holds = |&node: &NodeId| {
        let own = site.reading.range(node);
        own.start <= value.start && value.end <= own.end && own.len() < value.len() + 4 * BESIDE
    };
    match probe.select(&offer.way) {
        Some(nodes) if nodes.iter().any(holds) => 0.0,
        Some(_) => 4.0,
        None => 3.0,
    }
}

/// The nodes that may be the item that is shown, the innermost first.
fn levels(site: &Site<'_, '_>) -> Vec<Level> {
    let (reading, document) = (site.reading, site.reading.document);
    let place = &site.place;
    let plain = |node: NodeId| Level { node, front: String::new(), behind: String::new() };
    if place.attribute.is_some() {
        return vec![plain(place.node)];
    }
    let own = reading.range(place.node);
    let value = place.part.clone().map_or(own.clone(), |part| own.start + part.start..own.start + part.end);
    let mut levels = Vec::new();
    for id in std::iter::once(place.node).chain(document.ancestors(place.node)) {
        let around = matches!(
            document.name(id),
            Some("body" | "html" | "main" | "ul" | "ol" | "dl" | "table" | "tbody" | "thead" | "form")
        );
        let range = reading.range(id);
        let (Some(front), Some(behind)) =
            (reading.text.get(range.start..value.start), reading.text.get(value.end..range.end))
        else {
            break;
        };
        let told = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        if levels.len() == LEVELS || around && id != place.node || told(front) + told(behind) > BESIDE {
            break;
        }
        levels.push(Level { node: id, front: front.trim().to_owned(), behind: behind.trim().to_owned() });
    }
    levels
}

/// What is known of the shown item.
struct Writer<'w, 'd> {
    reading: &'w Reading<'d>,
    document: &'d Document,
    name: &'w str,
    attribute: Option<&'w str>,
    levels: Vec<Level>,
    /// All values that are shown.
    shown: &'w [String],
    /// Places of other fields, and whether each is an item of a list.
    others: Vec<(NodeId, bool)>,
}

impl<'d> Writer<'_, 'd> {
    /// The expressions that may find the items.
    fn offers(&self) -> Vec<Offer> {
        let mut offers = Vec::new();
        for (number, level) in self.levels.iter().enumerate() {
            let mut own: Vec<Offer> = Vec::new();
            match self.document.is_text(level.node) {
                true => self.texts(level.node, &mut own),
                false => self.elements(level.node, &mut own),
            }
            self.by_heading(level.node, &mut own);
            let path = path_of(self.document, Node::node(level.node));
            if let Some(at) = path.rfind('[').filter(|_| path.len() < 2000) {
                let test = if self.document.is_text(level.node) { "[normalize-space()]" } else { "" };
                own.push(Offer {
                    way: Way::new(Kind::Absolute, format!("{}{test}", &path[..at])),
                    level: number,
                    needs: Vec::new(),
                    anchor: None,
                });
            }
            // The innermost is just the text; a sign beside it has to be cut off.
            let clean = self.levels.first().is_some_and(|level| level.front.is_empty() && level.behind.is_empty());
            let beside = match level.front.is_empty() && level.behind.is_empty() {
                true => 0.0,
                false if clean => 0.8,
                false => 0.4,
            };
            for mut offer in own {
                offer.level = number;
                offer.way.cost += 0.1 * number as f32 + beside;
                if !offers.iter().any(|known: &Offer| known.way.says(&offer.way) && known.level == number) {
                    offers.push(offer);
                }
            }
        }
        offers
    }

    /// The names of an element: an id, and class words.
    fn marks(&self, id: NodeId) -> Vec<(String, String, f32)> {
        let document = self.document;
        let mut marks = Vec::new();
        if let Some(value) = lasting_id(document, id).filter(|value| !value.contains(['.', ':'])) {
            marks.push((format!("#{value}"), format!("#{value}"), 1.4 - likeness(self.name, value)));
        }
        for word in lasting_classes(document, id).take(2) {
            marks.push((format!(".{word}"), word.to_owned(), 1.8 - likeness(self.name, word)));
        }
        marks
    }

    /// By a class of the items, and by names around them.
    fn elements(&self, node: NodeId, offers: &mut Vec<Offer>) {
        let document = self.document;
        let Some(tag) = tag(document, node) else { return };
        let mut add = |selector: String, cost: f32, anchor: Option<NodeId>, needs: Vec<String>| {
            let mut way = Way::css(if anchor.is_some() { Kind::Anchored } else { Kind::Class }, selector);
            way.cost = cost;
            offers.push(Offer { way, level: 0, needs, anchor });
        };
        let words: Vec<&str> = lasting_classes(document, node).take(3).collect();
        for word in &words {
            // A word of one or two letters says nothing of what it is for.
            let cost = if word.len() < 3 { 1.6 } else { 0.9 - likeness(self.name, word) };
            add(format!("{tag}.{word}"), cost, None, vec![(*word).to_owned()]);
        }
        // Where some of the siblings have a class, those are something else: names of groups.
        let bare = document.attr(node, "class").is_none_or(|class| class.trim().is_empty());
        let classed = |id: NodeId| document.attr(id, "class").is_some_and(|class| !class.trim().is_empty());
        let mixed = bare && siblings(document, node).any(classed);
        let mut items = vec![(tag.to_owned(), 0.0, None)];
        items.extend(mixed.then(|| (format!("{tag}:not([class])"), 0.1, None)));
        items.extend(words.first().map(|word| (format!("{tag}.{word}"), 0.2, Some(*word))));
        let anchors = document.ancestors(node).take(AROUND).filter(|&id| document.is_element(id));
        let anchors = anchors.filter(|&id| !matches!(document.name(id), Some("body" | "html")));
        let anchors = anchors.map(|id| (id, self.marks(id))).filter(|(_, marks)| !marks.is_empty()).take(ANCHORS);
        for (distance, (above, marks)) in anchors.enumerate() {
            let between: Vec<&str> = document
                .ancestors(node)
                .take_while(|&id| id != above)
                .map(|id| crate::induce::path::tag(document, id).unwrap_or("*"))
                .collect();
            let path: String = between.iter().rev().map(|tag| format!("{tag} > ")).collect();
            for (mark, need, cost) in &marks {
                for (item, more, word) in &items {
                    let needs: Vec<String> =
                        [Some(need.clone()), word.map(str::to_owned)].into_iter().flatten().collect();
                    let cost = cost + more + 0.1 * distance as f32;
                    add(format!("{mark} {item}"), cost, Some(above), needs.clone());
                    add(format!("{mark} > {path}{item}"), cost + 0.2, Some(above), needs);
                }
            }
        }
    }

    /// Lines that are texts of one element.
    fn texts(&self, node: NodeId, offers: &mut Vec<Offer>) {
        let document = self.document;
        let Some(parent) = document.parent(node) else { return };
        let around = std::iter::once(parent).chain(document.ancestors(parent)).take(AROUND);
        let mut distance = 0.0;
        for above in around.filter(|&id| !matches!(document.name(id), Some("body" | "html"))) {
            let (Some(tag), Some(path)) = (tag(document, above), plain_down(document, above, node)) else { return };
            let id = lasting_id(document, above).map(|id| (format!("@id='{id}'"), format!("#{id}"), 1.4));
            let words = lasting_classes(document, above).take(2);
            let words = words.map(|word| (class_test(word), word.to_owned(), 1.8));
            let before = offers.len();
            for (test, need, cost) in id.into_iter().chain(words) {
                let mut way = Way::new(Kind::Anchored, format!("//{tag}[{test}]{path}"));
                way.cost = cost - likeness(self.name, &need) + 0.1 * distance;
                offers.push(Offer { way, level: 0, needs: vec![need], anchor: Some(above) });
            }
            distance += if offers.len() > before { 1.0 } else { 0.0 };
        }
    }

    /// By the heading in front: its siblings up to the next heading of its kind.
    fn by_heading(&self, node: NodeId, offers: &mut Vec<Offer>) {
        let document = self.document;
        for (nth, heading) in self.headings(node).into_iter().enumerate() {
            let text = self.reading.of(heading).to_owned();
            let alike = likeness(self.name, &text);
            let label = Label { node: heading, text, kind: LabelKind::Apart, likeness: alike };
            let Some(found) = label::label_step(self.reading, &label) else { continue };
            let Some(test) = found.strip_prefix("//") else { continue };
            let Some((_, here, there)) = meet(document, heading, node) else { continue };
            let (Some(tag), Some(side), Some(head)) =
                (tag(document, here), step(document, there), tag(document, heading))
            else {
                continue;
            };
            if here == there {
                continue;
            }
            let Some(down) = plain_down(document, there, node) else { continue };
            // The element beside the items, and the same with this heading.
            let (kind, this) = match here == heading {
                true => (tag.to_owned(), test.to_owned()),
                false => (format!("{tag}[.//{head}]"), format!("{tag}[.//{test}]")),
            };
            let text = if document.is_text(there) { "[normalize-space()]" } else { "" };
            let is_this = this.strip_prefix(tag).unwrap_or_default();
            let cost = 1.5 - alike + 0.3 * nth as f32;
            let mut add = |expression: String, cost: f32| {
                let mut way = Way::new(Kind::Label, expression);
                way.cost = cost;
                offers.push(Offer { way, level: 0, needs: vec![format!("={}", label.text)], anchor: None });
            };
            let own = format!("//{this}/following-sibling::{side}{text}");
            add(format!("{own}[preceding-sibling::{kind}[1]{is_this}]{down}"), cost);
            if !down.is_empty() {
                add(format!("{own}[1]{down}"), cost + 0.3);
            }
        }
    }

    /// Headings in front of the list of a node, the nearest first.
    fn headings(&self, node: NodeId) -> Vec<NodeId> {
        let document = self.document;
        let first = siblings(document, node).next().unwrap_or(node).min(node);
        let before = (0..first.index()).rev().take(REACH).map(NodeId::from_index);
        let shown = |id: NodeId| self.others.iter().any(|&(other, _)| other == id || document.is_ancestor(id, other));
        // What is said of this record is no heading elsewhere.
        let value = |text: &str| {
            let text = text.to_lowercase();
            self.shown.iter().any(|shown| {
                let shown = shown.to_lowercase();
                shown.len() > 3 && (text.contains(&shown) || shown.contains(&text))
            })
        };
        let is_heading = |id: NodeId| {
            let text = self.reading.of(id);
            let short = !text.is_empty() && text.chars().count() <= LONGEST;
            short && !shown(id) && (rank(document, id).is_some() || is_bold_line(self.reading, id)) && !value(text)
        };
        let mut from = self.reading.before(first);
        let mut found = Vec::new();
        for id in before.filter(|&id| is_heading(id) && !document.is_ancestor(id, node)) {
            let range = self.reading.range(id);
            if found.len() == HEADINGS || from.saturating_sub(range.end) > BETWEEN {
                break;
            }
            from = range.start;
            found.push(id);
        }
        found
    }

    /// What speaks against these nodes as the list; none if they cannot be it.
    fn judge(&self, nodes: &[NodeId], offer: &Offer) -> Option<f32> {
        let document = self.document;
        let node = self.levels[offer.level].node;
        if !nodes.contains(&node) || nodes.len() > MOST {
            return None;
        }
        let nested = nodes.windows(2).any(|pair| document.is_ancestor(pair[0], pair[1]));
        let holds = |other: NodeId| {
            let at = nodes.partition_point(|&item| item <= other).checked_sub(1);
            at.is_some_and(|at| nodes[at] == other || document.is_ancestor(nodes[at], other))
                || nodes.iter().any(|&item| document.is_ancestor(other, item) && document.is_text(item))
        };
        if nested || self.others.iter().any(|&(other, list)| list && holds(other)) {
            return None;
        }
        let mut cost = 0.0;
        // What is shown as another field is no item.
        cost += 1.5 * self.others.iter().filter(|&&(other, list)| !list && holds(other)).count().min(2) as f32;
        if self.attribute.is_some() {
            return Some(cost);
        }
        let texts: Vec<Range<usize>> = nodes.iter().map(|&item| self.reading.range(item)).collect();
        let empty = texts.iter().filter(|range| range.is_empty()).count();
        if empty > 0 {
            cost += 0.3;
        }
        // What has much else in it is not the list's.
        if let Some(anchor) = offer.anchor {
            let all = self.reading.range(anchor);
            let inside = texts.iter().filter(|text| all.start <= text.start && text.end <= all.end);
            cost += 1.2 * (1.0 - inside.map(Range::len).sum::<usize>() as f32 / all.len().max(1) as f32);
        }
        // Its like beside it belong to the list, whatever is around the text in each of them.
        let outermost = self.levels.iter().rev().find(|level| siblings(document, level.node).count() > 0);
        let outermost = outermost.map_or(node, |level| level.node);
        let like: Vec<NodeId> =
            siblings(document, outermost).filter(|&id| self.is_like(id, outermost)).chain([outermost]).collect();
        let held = |&&id: &&NodeId| {
            let at = nodes.partition_point(|&item| item < id);
            nodes.get(at).is_some_and(|&item| item == id || document.is_ancestor(id, item))
        };
        let missing = like.len() - like.iter().filter(held).count();
        cost += 5.0 * missing as f32 / like.len() as f32;
        let all: Vec<NodeId> = siblings(document, outermost).chain([outermost]).collect();
        cost += (all.len() - all.iter().filter(held).count()).saturating_sub(missing) as f32 / all.len() as f32;
        // Each of them is one item.
        let split = |&&id: &&NodeId| {
            let at = nodes.partition_point(|&item| item < id);
            nodes.get(at + 1).is_some_and(|&item| document.is_ancestor(id, item))
        };
        cost += 3.0 * like.iter().filter(split).count() as f32 / like.len() as f32;
        if nodes.len() == 1 {
            cost += 1.0;
        }
        // Of what is beside them and has another class, most is something else.
        let unlike = nodes.iter().filter(|&&id| !self.is_like(id, node)).count();
        if 3 * unlike < nodes.len() && unlike > 0 {
            cost += 0.4;
        }
        let crossed = self.crossed(nodes, &texts);
        let further = nodes.len().saturating_sub(like.len());
        cost += match further {
            0 => 0.0,
            _ if crossed => 3.0,
            // Another group of the same list.
            _ => -0.5,
        };
        Some(cost)
    }

    /// Whether an element is like another: a class word in common, or none on either side.
    fn is_like(&self, one: NodeId, other: NodeId) -> bool {
        let document = self.document;
        let class = |id: NodeId| document.attr(id, "class").unwrap_or_default().split_ascii_whitespace();
        let bare = class(one).next().is_none() && class(other).next().is_none();
        bare || class(one).any(|word| class(other).any(|own| own == word))
    }

    /// Whether these items are of several sections: a heading of the list's rank, or much text, stands between two.
    fn crossed(&self, nodes: &[NodeId], texts: &[Range<usize>]) -> bool {
        let document = self.document;
        let Some(&first) = nodes.first() else { return false };
        // A group's name stands below the list's: the highest of the headings that follow each other is the list's.
        let mut own: Option<u8> = None;
        let mut from = self.reading.before(first);
        for id in (0..first.index()).rev().take(REACH).map(NodeId::from_index) {
            let Some(rank) = rank(document, id).filter(|_| !self.reading.of(id).is_empty()) else { continue };
            let range = self.reading.range(id);
            if from.saturating_sub(range.end) > BETWEEN || own.is_some_and(|own| rank >= own) {
                break;
            }
            own = Some(rank);
            from = range.start;
        }
        nodes.windows(2).zip(texts.windows(2)).any(|(pair, texts)| {
            if texts[0].is_empty() || texts[1].is_empty() {
                return false;
            }
            let between = (document.subtree_end(pair[0]).index()..pair[1].index()).map(NodeId::from_index);
            texts[1].start.saturating_sub(texts[0].end) > BETWEEN
                || between.filter_map(|id| rank(document, id)).any(|rank| own.is_some_and(|own| rank <= own))
        })
    }

    /// How the value is taken out of an item.
    fn cutting(&self, tried: &Tried) -> Cutting {
        let level = &self.levels[tried.offer.level];
        let matching = |pattern: String| Cutting { matches: Some(pattern), ..Cutting::default() };
        let empty = self.attribute.is_none() && tried.nodes.iter().any(|&node| self.reading.range(node).is_empty());
        if level.front.is_empty() && level.behind.is_empty() {
            return if empty { matching("(?s)^(.+)$".to_owned()) } else { Cutting::default() };
        }
        // Only what stands beside the others, too, is no part of the value.
        let usual = |end: &str, front: bool| -> Option<String> {
            let pattern = beside(end)?;
            let all = if front { format!("^{pattern}") } else { format!("{pattern}$") };
            let regex = regex::Regex::new(&all).ok()?;
            let texts = tried.nodes.iter().map(|&node| self.reading.of(node)).filter(|text| !text.is_empty());
            let (mut count, mut all) = (0, 0);
            for text in texts {
                count += usize::from(regex.is_match(text));
                all += 1;
            }
            (count > 1 && 2 * count > all).then_some(pattern)
        };
        match (usual(&level.front, true), usual(&level.behind, false)) {
            (None, None) => Cutting::default(),
            (front, behind) => {
                let end = |pattern: Option<String>| pattern.map_or(String::new(), |pattern| format!("(?:{pattern})?"));
                matching(format!(r"(?s)^{}\s*(.+?)\s*{}$", end(front), end(behind)))
            }
        }
    }
}

/// The pattern of what stands beside a value: the numbers in it may be others.
fn beside(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let mut pattern = String::new();
    let mut digits = false;
    for c in text.chars() {
        let digit = c.is_ascii_digit();
        match (digit, digits, c.is_whitespace()) {
            (true, true, _) => {}
            (true, false, _) => pattern.push_str("[0-9]+"),
            (_, _, true) => pattern.push_str(r"\s*"),
            _ => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        digits = digit;
    }
    Some(pattern)
}

/// The other children of a node's parent that are of its tag and have something in them.
fn siblings(document: &Document, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let children = document.parent(node).map(|parent| document.children(parent));
    children.into_iter().flatten().filter(move |&id| {
        let text = |id: NodeId| document.is_text(id) && !document.text(id).trim().is_empty();
        let alike = match document.is_text(node) {
            true => text(id),
            false => document.is_element(id) && document.name_id(id) == document.name_id(node),
        };
        id != node && alike && (text(id) || document.descendants(id).any(text))
    })
}

/// The rank of a heading.
fn rank(document: &Document, id: NodeId) -> Option<u8> {
    match document.name(id) {
        Some("h1") => Some(1),
        Some("h2") => Some(2),
        Some("h3") => Some(3),
        Some("h4") => Some(4),
        Some("h5") => Some(5),
        Some("h6") => Some(6),
        _ => None,
    }
}

/// Whether a paragraph is a heading in bold, or ends with a colon.
fn is_bold_line(reading: &Reading<'_>, id: NodeId) -> bool {
    let document = reading.document;
    if !matches!(document.name(id), Some("p" | "div" | "legend" | "dt" | "span")) {
        return false;
    }
    let text = reading.of(id);
    let bold = |child: NodeId| {
        matches!(document.name(child), Some("b" | "strong")) && reading.range(child) == reading.range(id)
    };
    text.ends_with([':', '：']) || document.children(id).any(bold)
}
