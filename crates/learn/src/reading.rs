//! The page as one line of text, with the way back to its nodes: where a person's words are found on it.
//!
//! Finding is a ladder: the whole text of a node, several nodes in a row, a part of a text, the same with case and
//! quotes aside, a part of a word, what is hidden, attributes. All places are kept, each with its rung; which of them is
//! meant is decided later, with the other fields in view.
//!
//! # Cost
//!
//! Linear in the page to make; each search is one substring search.

use std::collections::BTreeMap;
use std::ops::Range;

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::text::collapse;

use crate::labels::Place;

/// Places of one text that are looked at: a short one may be in each record of a long list, and the others that are shown
/// say in which.
const MOST: usize = 100_000;
/// Places of one text that a reader does not see.
const MOST_UNSEEN: usize = 500;

/// How well a place fits what was asked for, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rung {
    /// All the text of a node.
    Whole,
    /// The same, but for signs at the edges of either.
    Trimmed,
    /// From the beginning of a text to the end of another.
    Run,
    /// Whole words of a text.
    Part,
    /// All the text of a node, case and kinds of quotes aside.
    Folded,
    /// A part of a text, case and kinds of quotes aside.
    FoldedPart,
    /// A part of a word.
    Inside,
    /// An attribute.
    Attribute,
    /// The text of a node that a reader does not see.
    Unseen,
}

/// A place where a text was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) place: Place,
    pub(crate) rung: Rung,
}

/// The visible text of a page.
pub(crate) struct Reading<'d> {
    pub(crate) document: &'d Document,
    /// White space collapsed.
    pub(crate) text: String,
    runs: Vec<Run>,
}

/// What one text node gave to it.
#[derive(Debug, Clone, Copy)]
struct Run {
    node: NodeId,
    start: usize,
    end: usize,
}

impl<'d> Reading<'d> {
    pub(crate) fn new(document: &'d Document) -> Reading<'d> {
        Reading::below(document, document.root())
    }

    /// What would be read at a node if it were seen.
    pub(crate) fn below(document: &'d Document, id: NodeId) -> Reading<'d> {
        let (raw, pieces) = document.visible_pieces(id);
        let mut text = String::with_capacity(raw.len());
        let mut runs = Vec::with_capacity(pieces.len());
        let (mut end, mut apart) = (0, false);
        for (node, span) in pieces {
            let own = &raw[span.range()];
            apart |= span.start > end || own.starts_with(char::is_whitespace);
            end = span.end;
            let clean = collapse(own);
            if !clean.is_empty() {
                if apart && !text.is_empty() {
                    text.push(' ');
                }
                let start = text.len();
                text.push_str(&clean);
                runs.push(Run { node, start, end: text.len() });
                apart = false;
            }
            apart |= own.ends_with(char::is_whitespace);
        }
        Reading { document, text, runs }
    }

    /// The bytes of the text that a node gave.
    pub(crate) fn range(&self, id: NodeId) -> Range<usize> {
        let end = self.document.subtree_end(id);
        let from = self.runs.partition_point(|run| run.node < id);
        let to = self.runs.partition_point(|run| run.node < end);
        match self.runs.get(from..to) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.start..only.end,
            _ => 0..0,
        }
    }

    /// Where the text of a node begins, or that of what is behind it if it has none.
    pub(crate) fn before(&self, id: NodeId) -> usize {
        let from = self.runs.partition_point(|run| run.node < id);
        self.runs.get(from).map_or(self.text.len(), |run| run.start)
    }

    /// The text node that gave this byte.
    pub(crate) fn node_at(&self, byte: usize) -> Option<NodeId> {
        let at = self.runs.partition_point(|run| run.end <= byte);
        self.runs.get(at).map(|run| run.node)
    }

    /// A node's visible text in one line.
    pub(crate) fn of(&self, id: NodeId) -> &str {
        &self.text[self.range(id)]
    }

    /// Where a text stands on the page, the best places first, each once.
    pub(crate) fn find(&self, wanted: &str) -> Vec<Spot> {
        let wanted = collapse(wanted);
        // Nothing is everywhere.
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut spots: Vec<(Range<usize>, Spot)> = Vec::new();
        let trimmed = wanted.trim_matches(is_edge);
        let texts = [&*wanted, trimmed];
        for text in if trimmed.len() < wanted.len() { &texts[..] } else { &texts[..1] } {
            for (start, found) in self.text.match_indices(text).filter(|found| !found.1.is_empty()).take(MOST) {
                self.add(start..start + found.len(), *text == &*wanted, false, &mut spots);
            }
            // With the signs at its edges it is another text: `(PG)` is not `PG`.
            if spots.iter().any(|(_, spot)| spot.rung <= Rung::Part) {
                break;
            }
        }
        if !spots.iter().any(|(_, spot)| spot.rung <= Rung::Part) && !trimmed.is_empty() {
            let (folded, offsets) = fold(&self.text);
            for text in texts {
                for (start, found) in folded.match_indices(&fold(text).0).take(MOST) {
                    self.add(offsets[start]..offsets[start + found.len()], true, true, &mut spots);
                }
                // Signs at its edges are a part of it, if the page has them, too.
                if spots.iter().any(|(_, spot)| spot.rung <= Rung::FoldedPart) {
                    break;
                }
            }
        }
        if spots.is_empty() {
            spots.extend(self.elsewhere(&wanted).into_iter().map(|spot| (0..0, spot)));
        }
        spots.sort_by_key(|(range, spot)| (spot.rung, range.start, usual(&spot.place)));
        let mut kept: Vec<Spot> = Vec::with_capacity(spots.len());
        // Where each of them begins and ends: they are apart from each other.
        let mut ranges: BTreeMap<usize, usize> = BTreeMap::new();
        for (range, spot) in spots {
            // A better place for the same words is there already.
            let known = ranges.range(..range.end).next_back().is_some_and(|(_, &end)| range.start < end);
            // What is not in the text is told apart by its place.
            if !(known || range.is_empty() && kept.contains(&spot)) {
                if !range.is_empty() {
                    ranges.insert(range.start, range.end);
                }
                kept.push(spot);
            }
        }
        kept
    }

    /// The place of these bytes of the text.
    fn add(&self, range: Range<usize>, exact: bool, folded: bool, spots: &mut Vec<(Range<usize>, Spot)>) {
        let document = self.document;
        let from = self.runs.partition_point(|run| run.end <= range.start);
        let to = self.runs.partition_point(|run| run.start < range.end);
        let Some(runs @ [first, ..]) = self.runs.get(from..to) else { return };
        let last = runs[runs.len() - 1];
        let mut node = first.node;
        if runs.len() > 1 {
            while document.subtree_end(node) <= last.node {
                let Some(parent) = document.parent(node) else { return };
                node = parent;
            }
        }
        // What stands around it in a node.
        let around = |id: NodeId| {
            let own = self.range(id);
            [self.text.get(own.start..range.start).unwrap_or("a"), self.text.get(range.end..own.end).unwrap_or("a")]
        };
        let whole = |id: NodeId| around(id).iter().all(|rest| rest.chars().all(is_edge));
        if whole(node) {
            // A text that is all there is in its element is the element's.
            let parent = document.parent(node).filter(|&parent| document.is_text(node) && whole(parent));
            let node = parent.unwrap_or(node);
            let bare = around(node).iter().all(|rest| rest.is_empty());
            let rung = match (folded, exact && bare) {
                (true, _) => Rung::Folded,
                (_, true) => Rung::Whole,
                _ => Rung::Trimmed,
            };
            let own = self.range(node);
            let part = (!bare).then(|| range.start - own.start..range.end - own.start);
            spots.push((range, Spot { place: Place { node, attribute: None, part }, rung }));
            return;
        }
        let own = self.range(node);
        let joined = |at: usize| {
            let alike = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && (c as u32) < 0x2E80);
            alike(self.text[..at].chars().next_back()) && alike(self.text[at..].chars().next())
        };
        let aligned = first.start == range.start && last.end == range.end;
        let rung = match (aligned && runs.len() > 1, joined(range.start) || joined(range.end)) {
            (_, true) => Rung::Inside,
            _ if folded => Rung::FoldedPart,
            (true, _) => Rung::Run,
            _ => Rung::Part,
        };
        let part = Some(range.start - own.start..range.end - own.start);
        spots.push((range, Spot { place: Place { node, attribute: None, part }, rung }));
    }

    /// Where a text stands that no reader sees: in attributes, in hidden texts.
    fn elsewhere(&self, wanted: &str) -> Vec<Spot> {
        let document = self.document;
        let mut spots = Vec::new();
        for id in document.nodes() {
            if spots.len() >= MOST_UNSEEN {
                break;
            }
            if document.is_text(id) {
                let code = document
                    .parent(id)
                    .is_some_and(|parent| matches!(document.name_id(parent), Some(names::SCRIPT | names::STYLE)));
                if !code && collapse(document.text(id)) == wanted {
                    let place = Place::node(document.parent(id).unwrap_or(id));
                    spots.push(Spot { place, rung: Rung::Unseen });
                }
                continue;
            }
            for attr in document.attrs(id) {
                let value = attr.value();
                // An address may be given as a browser shows it.
                let address = || {
                    matches!(attr.name(), "href" | "src")
                        && value.starts_with('/')
                        && value.len() > 1
                        && wanted.contains("://")
                        && wanted.ends_with(value)
                };
                if value == wanted || collapse(value) == wanted || address() {
                    spots.push(Spot { place: Place::attribute(id, attr.name()), rung: Rung::Attribute });
                }
            }
        }
        spots
    }

    /// Texts of the page that are most like one that is not on it, the most alike first.
    pub(crate) fn nearest(&self, wanted: &str, most: usize) -> Vec<Place> {
        let wanted = pairs(wanted);
        let mut all: Vec<(f32, NodeId)> = Vec::new();
        for run in &self.runs {
            let own = pairs(&self.text[run.start..run.end]);
            let likeness = alike(&wanted, &own);
            if likeness > 0.4 {
                all.push((likeness, run.node));
            }
        }
        all.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        let mut places: Vec<Place> = Vec::new();
        let mut texts: Vec<&str> = Vec::new();
        for (_, node) in all {
            if places.len() < most && !texts.contains(&self.of(node)) {
                texts.push(self.of(node));
                places.push(Place::node(node));
            }
        }
        places
    }
}

/// How usual it is to take this attribute, the most usual first.
fn usual(place: &Place) -> u8 {
    match place.attribute.as_deref() {
        None => 0,
        Some("href" | "src") => 1,
        Some("alt" | "title" | "content" | "value" | "datetime") => 2,
        Some(_) => 3,
    }
}

/// Signs that may stand around a value without being part of it.
pub(crate) fn is_edge(c: char) -> bool {
    c.is_whitespace() || ":;,|·•–—-()[]«»\"'“”‘’…>‹›<".contains(c)
}

/// A text with case and kinds of quotes and dashes aside; and for each of its bytes, and its end, where that is in the
/// text.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        let mut push = |c: char| {
            folded.push(c);
            offsets.resize(folded.len(), at);
        };
        match c {
            '‘' | '’' | '`' | '´' | 'ʼ' => push('\''),
            '“' | '”' | '„' => push('"'),
            '–' | '—' | '‐' | '‑' | '−' => push('-'),
            _ => c.to_lowercase().for_each(push),
        }
    }
    offsets.push(text.len());
    (folded, offsets)
}

/// The pairs of letters of a text that follow each other, sorted; of a long text those at its beginning.
fn pairs(text: &str) -> Vec<[char; 2]> {
    let letters: Vec<char> =
        text.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).take(200).collect();
    let mut pairs: Vec<[char; 2]> = letters.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    pairs.sort_unstable();
    pairs
}

/// How much of two texts is the same, from 0 to 1.
fn alike(one: &[[char; 2]], two: &[[char; 2]]) -> f32 {
    let (mut at, mut same) = (0, 0);
    for pair in one {
        while two.get(at).is_some_and(|other| other < pair) {
            at += 1;
        }
        if two.get(at) == Some(pair) {
            same += 1;
            at += 1;
        }
    }
    2.0 * same as f32 / (one.len() + two.len()).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str, wanted: &str) -> Vec<(String, Option<Range<usize>>, Rung)> {
        let document = Document::parse(html);
        let reading = Reading::new(&document);
        let spots = reading.find(wanted);
        spots.into_iter().map(|spot| (spot.place.path(&document), spot.place.part, spot.rung)).collect()
    }

    fn check(html: &str, wanted: &str, path: &str, part: Option<Range<usize>>, rung: Rung) {
        assert_eq!(found(html, wanted).first(), Some(&(format!("/html[1]/body[1]{path}"), part, rung)), "{html}");
    }

    #[test]
    fn the_ladder() {
        check("<p><b>Oslo</b>, 3°", "Oslo", "/p[1]/b[1]", None, Rung::Whole);
        check("<p><b>Oslo</b>, 3°", "3°", "/p[1]/text()[1]", Some(2..5), Rung::Trimmed);
        check("<p><b>Oslo</b>, 3°", ", 3°", "/p[1]/text()[1]", None, Rung::Whole);
        check("<p>by <b>Ann</b> <i>Lee</i>, 1 May", "Ann Lee", "/p[1]", Some(3..10), Rung::Run);
        check("<p>Price: 12 kr", "12", "/p[1]/text()[1]", Some(7..9), Rung::Part);
        check("<p>OSLO", "Oslo", "/p[1]", None, Rung::Folded);
        check("<p>It’s in OSLO", "it's", "/p[1]/text()[1]", Some(0..6), Rung::FoldedPart);
        check("<p>It’s “new”", "It's \"new\"", "/p[1]", None, Rung::Folded);
        check("<p>1234", "23", "/p[1]/text()[1]", Some(1..3), Rung::Inside);
        check("<a href=/ad/1>x</a>", "/ad/1", "/a[1]/@href", None, Rung::Attribute);
        check("<a href=/ad/1>x</a>", "https://a.example/ad/1", "/a[1]/@href", None, Rung::Attribute);
        check("<p hidden>Oslo", "Oslo", "/p[1]", None, Rung::Unseen);
    }

    #[test]
    fn every_place_once() {
        assert_eq!(found("<p><a><b>x</b></a><p>x<p>see x", "x").len(), 3);
        assert_eq!(found("<p>x", "y"), []);
        assert_eq!(found("<p>x<p>(x)", "(x)").len(), 1);
        assert_eq!(found("<p>x <b> </b><i title=''>", ""), []);
    }

    #[test]
    fn what_is_not_there_is_guessed() {
        let document = Document::parse("<p>Hay wagon, old<p>Baler<p>Hay");
        let reading = Reading::new(&document);
        let near = reading.nearest("Old hay wagons", 2);
        assert_eq!(near.iter().map(|place| place.text(&document)).collect::<Vec<_>>(), ["Hay wagon, old"]);
    }

    #[test]
    fn a_reading_is_what_the_executor_reads() {
        let document = Document::parse("<div><p>a <b>b</b>c<pre> d\n e </pre><td>f</div> g\u{200B}h");
        let reading = Reading::new(&document);
        for id in document.nodes() {
            assert_eq!(reading.of(id), collapse(&document.visible_text(id)), "{}", document.outer_html(id));
        }
    }
}
