//! Pages as a wrapper finds them after a relaunch, and what it must give there once it is repaired.
//!
//! [`Subject::new`] is given a page and what a wrapper found on it; [`Subject::mutate`] writes the page as it could look
//! after a redesign, from a seed, together with the [`Truth`]: the values it shows now, record by record. The pages of
//! [`negative`] show the list no more, or another one, and a repair has to refuse them.
//!
//! | kind | what is done |
//! |---|---|
//! | [`Kind::Classes`] | all classes and ids get other names, half of them generated ones; `data-*` attributes go |
//! | [`Kind::Moved`] | blocks around the list change places, a banner and a column come in, fields of records change places |
//! | [`Kind::Wrapped`] | an element around each record, around the page's main part, around fields; others are taken away |
//! | [`Kind::Tags`] | `li` to `div`, `h2` to `h3`, `span` to `em`, tables to `div`s, all alike |
//! | [`Kind::Values`] | a third of the values are new, a tenth of the records are gone, a tenth are new |
//! | [`Kind::Volatile`] | every number, amount, date and count is another |
//! | [`Kind::All`] | all of it, but for `Volatile` |
//! | [`Kind::Worst`] | all of it |
//!
//! [`redesign`](crate::redesign) makes the small changes that rules should survive; this makes the large ones that they cannot.
//!
//! # How the truth is known
//!
//! Every value is laid over the texts that it is made of (`slots`). Changes of the markup do not touch those; a
//! changed text tells what becomes of every value that holds it. Each step is tried on a copy: if a parser would make
//! another tree of it, or if an element whose text is a value would show another text, the step is thrown away.
//!
//! # Cost
//!
//! A copy, a writing and a parse of the page for each step, of which there are at most ten.

mod moved;
mod names;
pub mod negative;
mod reword;
mod shape;
mod slots;
mod tags;
#[cfg(test)]
mod tests;
mod truth;
mod values;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::Extraction;

use self::slots::{MadeOf, Member, Reader, Slot, one_line};
pub use self::truth::{Agreement, Content, Told, Truth};
use crate::generate::Rng;
use crate::redesign::tree::{ROOT, Tree};

/// Kind of change of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Classes and ids have other names.
    Classes,
    /// Blocks and fields stand elsewhere.
    Moved,
    /// Elements come around others, or go.
    Wrapped,
    /// Elements have other tags.
    Tags,
    /// Some values and records are new, some records gone.
    Values,
    /// Numbers, amounts, dates and counts are others.
    Volatile,
    /// All of these, of numbers, amounts, dates and counts a third as of the other values.
    All,
    /// All of these.
    Worst,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 8] =
        [Kind::Classes, Kind::Moved, Kind::Wrapped, Kind::Tags, Kind::Values, Kind::Volatile, Kind::All, Kind::Worst];

    /// Returns the name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Classes => "classes",
            Kind::Moved => "moved",
            Kind::Wrapped => "wrapped",
            Kind::Tags => "tags",
            Kind::Values => "values",
            Kind::Volatile => "volatile",
            Kind::All => "all",
            Kind::Worst => "worst",
        }
    }

    /// Its steps, in the order in which they are made: texts first, since the places of values are known by them.
    fn steps(self) -> &'static [Step] {
        const CLASSES: [Step; 1] = [names::rename];
        const MOVED: [Step; 3] = [moved::insert, moved::blocks, moved::fields];
        const WRAPPED: [Step; 3] = [shape::records, shape::fields, shape::main];
        const TAGS: [Step; 2] = [tags::retag, tags::untable];
        const VALUES: [Step; 1] = [values::renew];
        const VOLATILE: [Step; 1] = [values::revalue];
        const ALL: [Step; 10] = together(values::renew);
        const WORST: [Step; 10] = together(values::renew_all);
        match self {
            Kind::Classes => &CLASSES,
            Kind::Moved => &MOVED,
            Kind::Wrapped => &WRAPPED,
            Kind::Tags => &TAGS,
            Kind::Values => &VALUES,
            Kind::Volatile => &VOLATILE,
            Kind::All => &ALL,
            Kind::Worst => &WORST,
        }
    }
}

/// All that is done to the markup, after what is done to the values.
const fn together(values: Step) -> [Step; 10] {
    [
        values,
        shape::records,
        shape::fields,
        shape::main,
        moved::blocks,
        moved::fields,
        moved::insert,
        tags::retag,
        tags::untable,
        names::rename,
    ]
}

/// Changes a page in place; says whether there was anything to change.
type Step = fn(&mut State, &mut Rng, &[String]) -> bool;

/// A page with the values that a wrapper found on it.
#[derive(Debug)]
pub struct Subject {
    state: State,
    source: u64,
}

/// A page after a redesign.
#[derive(Debug)]
pub struct Mutation {
    /// Its source.
    pub html: String,
    /// Expected result of a wrapper on the changed page.
    pub truth: Truth,
    /// Number of steps of this kind that changed something; with none, the page is unchanged.
    pub steps: usize,
}

/// A tree with its values.
#[derive(Debug, Clone)]
struct State {
    tree: Tree,
    slots: Vec<Slot>,
    members: Vec<Member>,
}

impl Subject {
    /// A page and what was found on it. The page has to be one that writes back to itself: see
    /// [`settled`](crate::redesign::settled).
    pub fn new(document: &Document, extraction: &Extraction) -> Subject {
        let tree = Tree::new(document);
        let mut items: Vec<Option<usize>> = vec![None; document.len()];
        for (at, item) in tree.items.iter().enumerate() {
            if let Some(id) = item.origin {
                items[id.index()] = Some(at);
            }
        }
        let mut reader = Reader::new(document, &items);
        let members = reader.read(extraction);
        let slots = reader.slots;
        Subject { state: State { tree, slots, members }, source: hash(0, document.source()) }
    }

    /// Returns the result of the wrapper.
    pub fn truth(&self) -> Truth {
        self.state.truth()
    }

    /// The page after changes of a kind. New texts are made of `words`, those of other pages.
    pub fn mutate(&self, kind: Kind, seed: u64, words: &[String]) -> Mutation {
        // The page is part of the seed: otherwise all pages of a corpus would be changed alike.
        let mut rng = Rng::new(hash(seed ^ self.source, kind.name()));
        let mut state = self.state.clone();
        let mut steps = 0;
        for step in kind.steps() {
            let mut next = state.clone();
            if step(&mut next, &mut rng, words) {
                next.tree.join_texts();
                if next.holds() {
                    state = next;
                    steps += 1;
                }
            }
        }
        Mutation { html: state.tree.to_html(), truth: state.truth(), steps }
    }
}

impl State {
    fn truth(&self) -> Truth {
        fn tell(state: &State, member: &Member) -> Told {
            match member {
                Member::Value { label, slot } => {
                    Told { label: label.clone(), value: Content::Text(state.slots[*slot].text.clone()) }
                }
                Member::Set { label, members, .. } => Told {
                    label: label.clone(),
                    value: Content::Set(members.iter().map(|member| tell(state, member)).collect()),
                },
            }
        }
        Truth::new(self.members.iter().map(|member| tell(self, member)).collect())
    }

    /// Reports whether a parser builds the same tree from the page, with the values as expected.
    fn holds(&self) -> bool {
        let page = Document::parse(self.tree.to_html());
        let Some(nodes) = self.tree.matched(&page) else { return false };
        self.used().all(|slot| match &slot.made_of {
            MadeOf::Attribute { item, name } => {
                nodes[*item].and_then(|node| page.attr(node, name)).is_some_and(|value| one_line(value) == slot.text)
            }
            MadeOf::Pieces { whole: Some(item), .. } => {
                nodes[*item].is_some_and(|node| one_line(&page.visible_text(node)) == slot.text)
            }
            _ => true,
        })
    }

    /// The slots of records that are on the page.
    fn used(&self) -> impl Iterator<Item = &Slot> {
        self.members.iter().flat_map(Member::slots).map(|slot| &self.slots[slot])
    }

    /// The items that values stand in: texts and elements with attributes.
    fn places(slot: &Slot) -> Vec<usize> {
        match &slot.made_of {
            MadeOf::Attribute { item, .. } => vec![*item],
            MadeOf::Pieces { pieces, .. } => pieces.iter().map(|piece| piece.item).collect(),
            MadeOf::Frozen { items } => items.clone(),
        }
    }

    /// For each item, whether it is inside of an element whose text is a value, or of a text that is one.
    fn inside_values(&self) -> Vec<bool> {
        let mut inside = vec![false; self.tree.items.len()];
        for slot in self.used() {
            if let MadeOf::Pieces { whole: Some(item), .. } = slot.made_of {
                inside[item] = true;
            }
        }
        for at in self.tree.order() {
            inside[at] |= at != ROOT && inside[self.tree.items[at].parent];
        }
        inside
    }

    /// For each item, how many values are in it, itself included.
    fn held(&self) -> Vec<usize> {
        let mut held = vec![0; self.tree.items.len()];
        for item in self.used().flat_map(State::places) {
            held[item] += 1;
        }
        for &at in self.tree.order().iter().skip(1).rev() {
            held[self.tree.items[at].parent] += held[at];
        }
        held
    }

    /// For each item, the record it is in: its rank among the members.
    fn records(&self) -> Vec<Option<usize>> {
        let mut records = vec![None; self.tree.items.len()];
        for (rank, member) in self.members.iter().enumerate() {
            for &unit in member.units() {
                records[unit] = Some(rank);
            }
        }
        for at in self.tree.order().into_iter().skip(1) {
            records[at] = records[at].or(records[self.tree.items[at].parent]);
        }
        records
    }

    /// For each item in a record, its place in the record's template: the tags from the record's topmost element down, and its own
    /// first class.
    fn template(&self, records: &[Option<usize>]) -> Vec<u64> {
        let mut tags = vec![0; self.tree.items.len()];
        let mut places = tags.clone();
        for at in self.tree.order().into_iter().skip(1) {
            let Some(name) = self.tree.name(at) else { continue };
            let parent = self.tree.items[at].parent;
            tags[at] = hash(if records[at] == records[parent] { tags[parent] } else { 0 }, name);
            places[at] = hash(tags[at], self.tree.classes(at).next().unwrap_or_default());
        }
        places
    }
}

/// FNV-1a: what is drawn by these numbers has to be the same everywhere.
fn hash(above: u64, name: &str) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    name.as_bytes().iter().fold(step(above ^ 0xCBF2_9CE4_8422_2325, &0xFF), step)
}

/// The words of a page that new texts can be made of: letters only, in lower case, each once, in the order of the page.
pub fn words(document: &Document) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let body = document.nodes().find(|&id| document.name(id) == Some("body")).unwrap_or(NodeId::ROOT);
    for word in document.visible_text(body).split(|char: char| !char.is_alphabetic()) {
        if (4..=12).contains(&word.chars().count()) {
            words.push(word.to_lowercase());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}
