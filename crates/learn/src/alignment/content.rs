//! The content of an element as one value or several, decided by all records at once.
//!
//! A reader takes `a <b>bold</b> word` for one text, and `<a>Oslo</a> <b>3°</b> Monday` for three. The markup of one record
//! does not tell; all of them together do: where the same pieces stand in every record, they are columns; where links, bold
//! words, quotes and paragraphs come and go, they are parts of a text. What is seen of a place is a row of numbers, and a
//! fitted model says how likely it is that a reader takes it as one.
//!
//! Paper: Fontán et al. 2012 align strings of tags and texts, in which each text is a field; a post of three paragraphs is
//! three fields there.
//!
//! # Cost
//!
//! The children of a bounded sample of the elements, and their texts.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

use super::whole;
use crate::alignment::pieces::is_break;
use crate::alignment::shape;
use crate::page_view::{By, PageView, is_formatting, is_heading};

/// A place in numbers.
pub(crate) type Look = [f32; NAMES.len()];

/// The name of each number of a [`Look`].
pub(crate) const NAMES: [&str; 48] = [
    "share of elements with the usual build",
    "share of the content in pieces that all have",
    "share of the content in kinds that stand twice",
    "share in bare text",
    "share in formatting",
    "share in pieces with a class",
    "share in blocks",
    "share in paragraphs and quotes",
    "share in links",
    "pieces, log",
    "leaves, log",
    "length, log",
    "spread of lengths",
    "share of elements in one line",
    "share that is a date, number or amount",
    "share with sentences",
    "share of the content that never changes",
    "share with line breaks",
    "steady number of lines",
    "in a link or heading",
    "has a class",
    "share of the record",
    "depth in the record",
    "texts that flow around a piece",
    "kinds of pieces, log",
    "share of the content in kinds that are values",
    "like pieces only",
    "share that begins with a label",
    "table cell",
    "paragraph",
    "share with one piece",
    "share with signs between the pieces",
    "share in headings",
    "share in images",
    "longest piece, log",
    "share of the content in different values",
    "records, log",
    "share with two kinds of build",
    "share in markup of texts, at any depth",
    "share in the longest leaf",
    "sentences, built differently",
    "sentences, in markup of texts",
    "share of leaves at places that most have",
    "share of elements with a long leaf",
    "kinds that stand twice, in bare text",
    "kinds that stand twice, and others",
    "kinds that stand twice, in links",
    "bare text that flows around a piece",
];

/// The share of elements with sentences from which on a place may be prose. On short texts the rules of `pieces` did better on
/// pages that were held back.
const PROSE: f32 = 0.25;
/// Elements of a place that are looked at.
const SAMPLE: usize = 60;
/// Kinds of pieces that are told apart at one place.
const MOST_KINDS: usize = 64;
/// The root of the length of a leaf that is a sentence or more.
const LONG: f32 = 9.0;
/// Places of leaves that are told apart.
const MOST_PLACES: usize = 2000;
/// Characters of the longest label.
const LABEL: usize = 40;
/// Pieces of one element that are looked at.
const MOST_PIECES: usize = 200;

/// One child that has content, or breaks the line.
#[derive(Debug, Clone, Copy)]
struct Piece {
    node: NodeId,
    kind: u64,
    weight: f32,
}

/// The pieces of one kind at a place.
struct Kind {
    example: NodeId,
    /// Elements that have one.
    members: u32,
    /// Of these, how many have a date, a number or an amount there.
    values: u32,
    /// The texts that stand there, hashed.
    texts: Vec<u64>,
    weight: f32,
    /// The part of the weight that comes from second and later ones in an element.
    again: f32,
}

/// The leaves at one place below the elements.
#[derive(Default)]
struct Spot {
    members: u32,
    weight: f32,
    last: usize,
}

/// A place: one element in each of some records.
pub(crate) struct Place<'m> {
    /// Record and element.
    pub(crate) members: &'m [(usize, NodeId)],
    /// The number of elements above it in its record.
    pub(crate) depth: usize,
    /// The mean weight of a record.
    pub(crate) record_weight: f32,
}

/// Says whether the content of each element is a text of sentences, with whatever links, quotes and paragraphs.
pub(crate) fn is_prose(view: &PageView<'_>, place: &Place<'_>) -> bool {
    share_of_sentences(view, place) > PROSE && whole::probability(&look(view, place)) > 0.5
}

/// The share of elements with sentences, which most places have none of: the rest need not be looked at then.
fn share_of_sentences(view: &PageView<'_>, place: &Place<'_>) -> f32 {
    let step = place.members.len().div_ceil(SAMPLE).max(1);
    let (mut all, mut sentences) = (0u32, 0u32);
    for &(_, node) in place.members.iter().step_by(step) {
        all += 1;
        sentences += u32::from(has_sentences(&view.text(node)));
    }
    sentences as f32 / all.max(1) as f32
}

/// Describes a place in numbers, in the order of [`NAMES`].
pub(crate) fn look(view: &PageView<'_>, place: &Place<'_>) -> Look {
    let document = view.document;
    let step = place.members.len().div_ceil(SAMPLE).max(1);
    let mut tally = Counts::default();
    for &(_, node) in place.members.iter().step_by(step) {
        tally.add(view, node);
    }
    let count = tally.members.max(1) as f32;
    let share = |number: u32| number as f32 / count;
    let example = place.members.first().map_or(NodeId::ROOT, |member| member.1);
    let titled = std::iter::once(example)
        .chain(document.ancestors(example).take(place.depth))
        .any(|id| document.name_id(id) == Some(names::A) || is_heading(document, id));
    let (usual, two) = tally.builds();
    let kinds = tally.kinds(view);
    let length = tally.lengths.iter().sum::<f32>() / count;
    let spread = (tally.lengths.iter().map(|own| (own - length).powi(2)).sum::<f32>() / count).sqrt();
    let alike = share(tally.alike);
    let sentences = share(tally.sentences);
    let textual = tally.textual / tally.leaf_weight.max(0.1);
    let joints = if tally.around > 0.0 { tally.joints / tally.around } else { 0.0 };
    let placed: f32 = tally.spots.values().map(|spot| spot.weight).sum();
    let steady: f32 = tally.spots.values().map(|spot| spot.weight * share(spot.members)).sum();
    [
        usual,
        kinds.common,
        kinds.again,
        kinds.bare,
        kinds.formatted,
        kinds.classed,
        kinds.blocks,
        kinds.paragraphs,
        kinds.links,
        (tally.pieces as f32 / count).max(0.5).ln(),
        (tally.leaves as f32 / count).max(0.5).ln(),
        length,
        spread,
        share(tally.inline),
        share(tally.values),
        sentences,
        kinds.constant,
        share(tally.broken),
        tally.steady_lines(),
        flag(titled),
        flag(view.has_class(example)),
        tally.weight / (count * place.record_weight.max(0.1)),
        place.depth as f32,
        joints,
        (tally.kinds.len().max(1) as f32).ln(),
        kinds.values,
        alike,
        share(tally.labelled),
        flag(matches!(document.name_id(example), Some(names::TD | names::TH))),
        flag(document.name_id(example) == Some(names::P)),
        share(tally.single),
        share(tally.signs),
        kinds.headings,
        kinds.images,
        (tally.longest_pieces / count).max(0.5).ln(),
        kinds.distinct,
        (place.members.len().max(1) as f32).ln(),
        two,
        textual,
        tally.longest_leaves / tally.leaf_weight.max(0.1),
        sentences * (1.0 - usual),
        sentences * textual,
        steady / placed.max(0.1),
        share(tally.long),
        kinds.again * kinds.bare,
        kinds.again * (1.0 - alike),
        kinds.again * kinds.links,
        kinds.bare * joints,
    ]
}

/// Sums over the elements of a place. Numbers of elements are `u32`, sums of weights `f32`.
#[derive(Default)]
struct Counts {
    members: u32,
    /// Elements whose content stands in one line, is a value, has sentences, has line breaks, begins with a label, is one piece, has
    /// signs between its pieces, is like pieces and nothing else, has a leaf of a sentence or more.
    inline: u32,
    values: u32,
    sentences: u32,
    broken: u32,
    labelled: u32,
    single: u32,
    signs: u32,
    alike: u32,
    long: u32,
    pieces: usize,
    leaves: usize,
    weight: f32,
    /// Sums over the elements of the weight of the longest piece, of the longest leaf, of leaves in the markup of texts, of all leaves.
    longest_pieces: f32,
    longest_leaves: f32,
    textual: f32,
    leaf_weight: f32,
    /// Elements between two texts, and those around which the texts flow on.
    around: f32,
    joints: f32,
    /// By element, the log of its length and the number of its line breaks.
    lengths: Vec<f32>,
    breaks: Vec<usize>,
    /// By the sequence of kinds, the number of elements that have it.
    builds: HashMap<u64, u32, FixedState>,
    kinds: HashMap<u64, Kind, FixedState>,
    spots: HashMap<u64, Spot, FixedState>,
}

/// Shares of the weight of all pieces.
#[derive(Default)]
struct Kinds {
    common: f32,
    again: f32,
    bare: f32,
    formatted: f32,
    classed: f32,
    blocks: f32,
    paragraphs: f32,
    links: f32,
    constant: f32,
    values: f32,
    headings: f32,
    images: f32,
    distinct: f32,
}

impl Counts {
    fn add(&mut self, view: &PageView<'_>, node: NodeId) {
        let document = view.document;
        let run = pieces(view, node);
        let text = view.text(node);
        self.members += 1;
        self.lengths.push((text.chars().count().max(1) as f32).ln());
        let build = run.iter().fold(0u64, |sum, piece| sum.wrapping_mul(31).wrapping_add(piece.kind));
        *self.builds.entry(build).or_default() += 1;
        self.add_pieces(document, &run);
        self.add_leaves(view, node);
        let said: Vec<Piece> = run.iter().filter(|piece| !is_break(document, piece.node)).copied().collect();
        let breaks =
            run.iter().rposition(|piece| !is_break(document, piece.node)).map_or(0, |last| last + 1 - said.len());
        self.breaks.push(breaks);
        self.broken += u32::from(breaks > 0);
        self.inline += u32::from(view.is_inline(node));
        self.values += u32::from(shape::is_value(&text));
        self.sentences += u32::from(has_sentences(&text));
        self.single += u32::from(said.len() <= 1);
        let first = run.first().map(|piece| piece_text(document, piece.node)).unwrap_or_default();
        self.labelled += u32::from(run.len() > 1 && first.ends_with([':', '：']) && first.chars().count() <= LABEL);
        let signs = document.children(node).filter(|&child| document.is_text(child)).any(|child| {
            let between = document.text(child).trim();
            !between.is_empty() && !between.contains(char::is_alphanumeric)
        });
        self.signs += u32::from(signs);
        let like =
            said.len() > 1 && said.iter().all(|piece| document.is_element(piece.node) && piece.kind == said[0].kind);
        self.alike += u32::from(like);
        self.pieces += run.len();
        self.longest_pieces += run.iter().map(|piece| piece.weight).fold(0.0, f32::max);
        self.weight += view.weight_in(node, document.subtree_end(node));
    }

    fn add_pieces(&mut self, document: &Document, run: &[Piece]) {
        let mut own: Vec<u64> = Vec::new();
        for (at, piece) in run.iter().enumerate() {
            if self.kinds.len() >= MOST_KINDS && !self.kinds.contains_key(&piece.kind) {
                continue;
            }
            let new =
                || Kind { example: piece.node, members: 0, values: 0, texts: Vec::new(), weight: 0.0, again: 0.0 };
            let kind = self.kinds.entry(piece.kind).or_insert_with(new);
            kind.weight += piece.weight;
            if own.contains(&piece.kind) {
                kind.again += piece.weight;
            } else {
                own.push(piece.kind);
                let said = piece_text(document, piece.node);
                kind.members += 1;
                kind.values += u32::from(shape::is_value(&said));
                kind.texts.push(hash(&said));
            }
            let texts = |number: usize| run.get(number).map(|piece| piece.node).filter(|&id| document.is_text(id));
            if document.is_element(piece.node)
                && let (Some(before), Some(after)) = (at.checked_sub(1).and_then(texts), texts(at + 1))
            {
                let before = document.text(before).trim_end();
                let after = document.text(after).trim_start();
                let open = before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
                let goes_on = after.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | '.' | ';' | ')'));
                self.around += 1.0;
                self.joints += flag(open && goes_on);
            }
        }
    }

    fn add_leaves(&mut self, view: &PageView<'_>, node: NodeId) {
        let document = view.document;
        let all = view.leaves_below(node);
        self.leaves += all.len();
        let mut longest = 0.0f32;
        for leaf in all.iter().take(MOST_PIECES) {
            self.leaf_weight += leaf.weight;
            longest = longest.max(leaf.weight);
            let below = std::iter::once(leaf.node).chain(document.ancestors(leaf.node)).take_while(|&id| id > node);
            if below.take(8).all(|id| document.is_text(id) || !view.has_class(id) && is_text_markup(document, id)) {
                self.textual += leaf.weight;
            }
            let key = view.key_below(node, leaf, By::Class);
            if self.spots.len() >= MOST_PLACES && !self.spots.contains_key(&key) {
                continue;
            }
            let spot = self.spots.entry(key).or_default();
            if spot.last != self.lengths.len() {
                spot.last = self.lengths.len();
                spot.members += 1;
            }
            spot.weight += leaf.weight;
        }
        self.longest_leaves += longest;
        self.long += u32::from(longest >= LONG);
    }

    /// The shares of elements that have the usual sequence of kinds, and one of the two usual ones.
    fn builds(&self) -> (f32, f32) {
        let mut often: Vec<u32> = self.builds.values().copied().collect();
        often.sort_unstable_by(|one, two| two.cmp(one));
        let share = |most: usize| often.iter().take(most).sum::<u32>() as f32 / self.members.max(1) as f32;
        (share(1), share(2))
    }

    /// The share of elements with the usual number of line breaks; 0 if most have none.
    fn steady_lines(&self) -> f32 {
        let mut breaks = self.breaks.clone();
        breaks.sort_unstable();
        let usual = breaks.get(breaks.len() / 2).copied().unwrap_or(0);
        let same = breaks.iter().filter(|&&own| own == usual).count();
        flag(usual > 0) * same as f32 / self.members.max(1) as f32
    }

    fn kinds(&self, view: &PageView<'_>) -> Kinds {
        let document = view.document;
        let count = self.members.max(1) as f32;
        let total = self.kinds.values().map(|kind| kind.weight).sum::<f32>().max(0.1);
        let mut kinds = Kinds::default();
        for kind in self.kinds.values() {
            let share = kind.weight / total;
            let element = document.is_element(kind.example);
            let mut texts = kind.texts.clone();
            texts.sort_unstable();
            texts.dedup();
            kinds.common += share * kind.members as f32 / count;
            kinds.again += kind.again / total;
            kinds.bare += share * flag(!element);
            kinds.formatted += share * flag(element && is_formatting(document, kind.example));
            kinds.classed += share * flag(element && view.has_class(kind.example));
            kinds.blocks += share * flag(element && (view.is_block(kind.example) || !view.is_inline(kind.example)));
            kinds.paragraphs += share * flag(matches!(document.name(kind.example), Some("p" | "blockquote" | "pre")));
            kinds.links += share * flag(document.name_id(kind.example) == Some(names::A));
            kinds.headings += share * flag(is_heading(document, kind.example));
            kinds.images += share * flag(document.name_id(kind.example) == Some(names::IMG));
            kinds.constant += share * flag(kind.members > 2 && texts.len() == 1);
            kinds.distinct += share * texts.len() as f32 / kind.texts.len().max(1) as f32;
            kinds.values += share * flag(kind.values * 10 >= kind.members * 8);
        }
        kinds
    }
}

pub(super) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

pub(super) fn hash(text: &str) -> u64 {
    use std::hash::BuildHasher;
    FixedState::default().hash_one(text)
}

fn piece_text(document: &Document, node: NodeId) -> String {
    if document.name_id(node) == Some(names::IMG) {
        return document.attr(node, "src").unwrap_or_default().to_owned();
    }
    shape::collapse(&if document.is_text(node) { document.text(node).to_owned() } else { document.visible_text(node) })
}

/// Says whether texts have such elements in them: paragraphs, quotes, links, lists, formatting.
fn is_text_markup(document: &Document, id: NodeId) -> bool {
    is_formatting(document, id)
        || matches!(
            document.name(id),
            Some(
                "p" | "br"
                    | "a"
                    | "span"
                    | "blockquote"
                    | "ul"
                    | "ol"
                    | "li"
                    | "pre"
                    | "img"
                    | "cite"
                    | "center"
                    | "hr"
                    | "figure"
                    | "div"
            )
        )
}

/// Says whether a text ends as a sentence does, and has the words of one.
pub(crate) fn is_sentence(text: &str) -> bool {
    has_sentences(text) && text.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Says whether a text is prose: it has words enough, and a sentence ends in it.
fn has_sentences(text: &str) -> bool {
    let words = text.split(' ').count();
    let wide = text.chars().filter(|c| *c as u32 >= 0x2E80).count();
    (words >= 10 || wide >= 20)
        && (text.contains(". ")
            || text.ends_with(['.', '!', '?', '…', '。', '！', '？'])
            || text.contains(['。', '！', '？'])
            || text.contains("! ")
            || text.contains("? "))
}

/// Says whether an element has no more than one piece.
pub(super) fn is_single(view: &PageView<'_>, node: NodeId) -> bool {
    let document = view.document;
    pieces(view, node).iter().filter(|piece| !is_break(document, piece.node)).count() <= 1
}

/// The content of a node, in order.
fn pieces(view: &PageView<'_>, node: NodeId) -> Vec<Piece> {
    let document = view.document;
    let weight = |id: NodeId| {
        let seen = view.weight_in(id, document.subtree_end(id));
        // What is joined to one leaf has no leaves of its own below.
        if seen > 0.0 { seen } else { (document.text_content(id).trim().chars().count().min(400) as f32).sqrt() }
    };
    if !document.is_element(node) {
        return vec![Piece { node, kind: 1, weight: weight(node) }];
    }
    let holds = |&child: &NodeId| !view.is_hidden(child) && (is_break(document, child) || view.has_content(child));
    document
        .children(node)
        .filter(holds)
        .take(MOST_PIECES)
        .map(|child| Piece {
            node: child,
            kind: if document.is_text(child) { 1 } else { view.step(child) },
            weight: if is_break(document, child) { 0.0 } else { weight(child) },
        })
        .collect()
}
