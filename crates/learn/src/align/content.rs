//! Whether the content of an element is one value or several: seen in all records at once.
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
use crate::discover::shape;
use crate::outline::{By, Outline, is_formatting};

/// What is seen of a place.
pub(crate) type Look = [f32; NAMES.len()];

/// What each number of a [`Look`] is.
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

/// Where the share of elements with sentences stands.
const SENTENCES: usize = 15;
/// From which share on a place may be prose. On short texts the rules of `pieces` did better on pages that were held back.
const PROSE: f32 = 0.25;
/// Elements of a place that are looked at.
const SAMPLE: usize = 60;
/// Kinds of pieces that are told apart at one place.
const MOST_KINDS: usize = 64;
/// The root of the length of a leaf that is a sentence or more.
const LONG: f32 = 9.0;
/// Places of leaves that are told apart.
const MOST_PLACES: usize = 2000;
/// Pieces of one element that are looked at.
const MOST_PIECES: usize = 200;

/// One child that has content, or breaks the line.
#[derive(Debug, Clone, Copy)]
struct Piece {
    node: NodeId,
    kind: u64,
    weight: f32,
}

struct Kind {
    node: NodeId,
    members: u32,
    twice: u32,
    weight: f32,
    twice_weight: f32,
    values: u32,
    texts: Vec<u64>,
}

impl Kind {
    fn new(node: NodeId) -> Kind {
        Kind { node, members: 0, twice: 0, weight: 0.0, twice_weight: 0.0, values: 0, texts: Vec::new() }
    }
}

/// A place: one element in each of some records.
pub(crate) struct Place<'m> {
    /// Record and element.
    pub(crate) members: &'m [(usize, NodeId)],
    /// How many elements are above it in its record.
    pub(crate) depth: usize,
    /// By member, what a reader sees of its record.
    pub(crate) record_weight: f32,
}

/// Whether the content of each element is a text of sentences, whatever links, quotes and paragraphs it has.
pub(crate) fn is_prose(outline: &Outline<'_>, place: &Place<'_>) -> bool {
    let look = look(outline, place);
    look[SENTENCES] > PROSE && whole::probability(&look) > 0.5
}

/// What is seen of a place.
pub(crate) fn look(outline: &Outline<'_>, place: &Place<'_>) -> Look {
    let document = outline.document;
    let step = place.members.len().div_ceil(SAMPLE).max(1);
    let members: Vec<NodeId> = place.members.iter().step_by(step).map(|&(_, node)| node).collect();
    let count = members.len().max(1) as f32;
    let runs: Vec<Vec<Piece>> = members.iter().map(|&node| pieces(outline, node)).collect();
    let mut kinds: HashMap<u64, Kind, FixedState> = HashMap::default();
    let mut builds: HashMap<u64, u32, FixedState> = HashMap::default();
    let mut seen: Look = [0.0; NAMES.len()];
    let (mut total, mut lengths) = (0.0f32, Vec::with_capacity(members.len()));
    let mut lines: Vec<usize> = Vec::with_capacity(members.len());
    let (mut markup, mut longest_leaf, mut of_all) = (0.0f32, 0.0f32, 0.0f32);
    let mut leaf_places: HashMap<u64, (u32, f32, usize), FixedState> = HashMap::default();
    let (mut joints, mut around) = (0.0f32, 0.0f32);
    for (&node, run) in members.iter().zip(&runs) {
        let text = document.visible_text(node);
        let text = shape::collapse(&text);
        let length = text.chars().count().max(1) as f32;
        lengths.push(length.ln());
        let build = run.iter().fold(0u64, |sum, piece| sum.wrapping_mul(31).wrapping_add(piece.kind));
        *builds.entry(build).or_default() += 1;
        let mut own: Vec<u64> = Vec::new();
        let mut twice: Vec<u64> = Vec::new();
        let mut last_break = 0;
        let mut breaks = 0;
        for (at, piece) in run.iter().enumerate() {
            if is_break(document, piece.node) {
                last_break += 1;
            } else {
                breaks += last_break;
                last_break = 0;
            }
            total += piece.weight;
            if kinds.len() >= MOST_KINDS && !kinds.contains_key(&piece.kind) {
                continue;
            }
            let kind = kinds.entry(piece.kind).or_insert_with(|| Kind::new(piece.node));
            kind.weight += piece.weight;
            if own.contains(&piece.kind) {
                kind.twice_weight += piece.weight;
                if !twice.contains(&piece.kind) {
                    twice.push(piece.kind);
                    kind.twice += 1;
                }
            } else {
                own.push(piece.kind);
                kind.members += 1;
                let said = piece_text(document, piece.node);
                kind.values += u32::from(shape::is_value(&said));
                if kind.texts.len() < SAMPLE {
                    kind.texts.push(hash(&said));
                }
            }
            if at > 0
                && at + 1 < run.len()
                && document.is_element(piece.node)
                && document.is_text(run[at - 1].node)
                && document.is_text(run[at + 1].node)
            {
                around += 1.0;
                let before = document.text(run[at - 1].node).trim_end();
                let after = document.text(run[at + 1].node).trim_start();
                let open = before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
                joints += f32::from(u8::from(
                    open && after.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | '.' | ';' | ')')),
                ));
            }
        }
        lines.push(breaks);
        seen[13] += flag(outline.is_inline(node)) / count;
        seen[14] += flag(shape::is_value(&text)) / count;
        seen[15] += flag(has_sentences(&text)) / count;
        seen[17] += flag(breaks > 0) / count;
        let first = run.first().map(|piece| piece_text(document, piece.node)).unwrap_or_default();
        seen[27] += flag(run.len() > 1 && first.ends_with([':', '：']) && first.chars().count() <= 40) / count;
        seen[30] += flag(run.iter().filter(|piece| !is_break(document, piece.node)).count() <= 1) / count;
        let signs = document.children(node).filter(|&child| document.is_text(child)).any(|child| {
            let between = document.text(child).trim();
            !between.is_empty() && !between.contains(char::is_alphanumeric)
        });
        seen[31] += flag(signs) / count;
        seen[34] += run.iter().map(|piece| piece.weight).fold(0.0, f32::max) / count;
        let elements = || run.iter().filter(|piece| document.is_element(piece.node) && !is_break(document, piece.node));
        let one_kind = elements().map(|piece| piece.kind).collect::<Vec<_>>();
        let alike = one_kind.len() > 1 && one_kind.windows(2).all(|pair| pair[0] == pair[1]);
        seen[26] +=
            flag(alike && elements().count() == run.iter().filter(|piece| !is_break(document, piece.node)).count())
                / count;
        let (textual, longest, own) = textual(outline, node);
        markup += textual;
        longest_leaf += longest;
        of_all += own;
        seen[43] += flag(longest >= LONG) / count;
        if leaf_places.len() < MOST_PLACES {
            for leaf in outline.leaves_below(node).iter().take(MOST_PIECES) {
                let known = leaf_places.entry(outline.key_below(node, leaf, By::Class)).or_insert((0, 0.0, 0));
                if known.2 != lengths.len() {
                    known.0 += 1;
                    known.2 = lengths.len();
                }
                known.1 += leaf.weight;
            }
        }
        seen[9] += run.len() as f32 / count;
        seen[10] += outline.leaves_below(node).len() as f32 / count;
    }
    seen[38] = markup / of_all.max(0.1);
    seen[39] = longest_leaf / of_all.max(0.1);
    let placed: f32 = leaf_places.values().map(|place| place.1).sum();
    let steady: f32 = leaf_places.values().map(|place| place.1 * place.0 as f32 / count).sum();
    seen[42] = steady / placed.max(0.1);
    let total = total.max(0.1);
    let mut often: Vec<u32> = builds.values().copied().collect();
    often.sort_unstable_by(|one, two| two.cmp(one));
    seen[0] = often.first().copied().unwrap_or(0) as f32 / count;
    seen[37] = (often.first().copied().unwrap_or(0) + often.get(1).copied().unwrap_or(0)) as f32 / count;
    for kind in kinds.values() {
        let share = kind.weight / total;
        let text = document.is_text(kind.node);
        let name = document.name(kind.node);
        seen[1] += share * kind.members as f32 / count;
        seen[2] += kind.twice_weight / total;
        seen[3] += share * flag(text);
        seen[4] += share * flag(!text && is_formatting(document, kind.node));
        seen[5] += share * flag(!text && outline.has_class(kind.node));
        let block = !text && (outline.is_block(kind.node) || !outline.is_inline(kind.node));
        seen[6] += share * flag(block);
        seen[7] += share * flag(matches!(name, Some("p" | "blockquote" | "pre")));
        seen[8] += share * flag(name == Some("a"));
        seen[32] += share * flag(matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6")));
        seen[33] += share * flag(name == Some("img"));
        let mut texts = kind.texts.clone();
        texts.sort_unstable();
        texts.dedup();
        seen[16] += share * flag(kind.members > 2 && texts.len() == 1);
        seen[35] += share * texts.len() as f32 / kind.texts.len().max(1) as f32;
        seen[25] += share * flag(kind.values * 10 >= kind.members * 8);
    }
    seen[40] = seen[15] * (1.0 - seen[0]);
    seen[41] = seen[15] * seen[38];
    seen[9] = seen[9].max(0.5).ln();
    seen[10] = seen[10].max(0.5).ln();
    seen[34] = seen[34].max(0.5).ln();
    let mean = lengths.iter().sum::<f32>() / count;
    seen[11] = mean;
    seen[12] = (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f32>() / count).sqrt();
    lines.sort_unstable();
    let usual = lines.get(lines.len() / 2).copied().unwrap_or(0);
    seen[18] = lines.iter().filter(|&&own| own == usual).count() as f32 / count * flag(usual > 0);
    let example = members.first().copied().unwrap_or(NodeId::ROOT);
    let titled = std::iter::once(example)
        .chain(document.ancestors(example).take(place.depth))
        .any(|id| matches!(document.name(id), Some("a" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")));
    seen[19] = flag(titled);
    seen[20] = flag(outline.has_class(example));
    seen[21] = members.iter().map(|&node| outline.weight_in(node, document.subtree_end(node))).sum::<f32>()
        / (count * place.record_weight.max(0.1));
    seen[22] = place.depth as f32;
    seen[23] = if around > 0.0 { joints / around } else { 0.0 };
    seen[44] = seen[2] * seen[3];
    seen[45] = seen[2] * (1.0 - seen[26]);
    seen[46] = seen[2] * seen[8];
    seen[47] = seen[3] * seen[23];
    seen[24] = (kinds.len().max(1) as f32).ln();
    seen[28] = flag(matches!(document.name_id(example), Some(names::TD | names::TH)));
    seen[29] = flag(document.name_id(example) == Some(names::P));
    seen[36] = (place.members.len().max(1) as f32).ln();
    seen
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

/// What a reader sees of an element in markup that texts have (paragraphs, links, quotes, without a class), of its longest leaf,
/// and of all of it.
fn textual(outline: &Outline<'_>, node: NodeId) -> (f32, f32, f32) {
    let document = outline.document;
    let (mut textual, mut longest, mut all) = (0.0f32, 0.0f32, 0.0f32);
    for leaf in outline.leaves_below(node).iter().take(MOST_PIECES) {
        all += leaf.weight;
        longest = longest.max(leaf.weight);
        let below = std::iter::once(leaf.node).chain(document.ancestors(leaf.node)).take_while(|&id| id > node).take(8);
        let plain = |id: NodeId| {
            document.is_text(id)
                || !outline.has_class(id)
                    && matches!(
                        document.name(id),
                        Some(
                            "p" | "br"
                                | "a"
                                | "b"
                                | "i"
                                | "em"
                                | "strong"
                                | "u"
                                | "s"
                                | "span"
                                | "font"
                                | "blockquote"
                                | "ul"
                                | "ol"
                                | "li"
                                | "pre"
                                | "code"
                                | "img"
                                | "sup"
                                | "sub"
                                | "small"
                                | "q"
                                | "cite"
                                | "center"
                                | "hr"
                                | "figure"
                                | "div"
                        )
                    )
        };
        if below.into_iter().all(plain) {
            textual += leaf.weight;
        }
    }
    (textual, longest, all)
}

/// Whether a text ends as a sentence does, and has the words of one.
pub(crate) fn is_sentence(text: &str) -> bool {
    has_sentences(text) && text.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether a text is prose: words enough, and the end of a sentence.
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

pub(super) fn is_break(document: &Document, node: NodeId) -> bool {
    document.name_id(node) == Some(names::BR)
}

/// Whether an element has no more than one piece.
pub(super) fn is_single(outline: &Outline<'_>, node: NodeId) -> bool {
    let document = outline.document;
    pieces(outline, node).iter().filter(|piece| !is_break(document, piece.node)).count() <= 1
}

/// The content of a node, in order.
fn pieces(outline: &Outline<'_>, node: NodeId) -> Vec<Piece> {
    let document = outline.document;
    let weight = |id: NodeId| {
        let seen = outline.weight_in(id, document.subtree_end(id));
        // What is joined to one leaf has no leaves of its own below.
        if seen > 0.0 { seen } else { (document.text_content(id).trim().chars().count().min(400) as f32).sqrt() }
    };
    if !document.is_element(node) {
        return vec![Piece { node, kind: 1, weight: weight(node) }];
    }
    let holds =
        |&child: &NodeId| !outline.is_hidden(child) && (is_break(document, child) || outline.has_content(child));
    document
        .children(node)
        .filter(holds)
        .take(MOST_PIECES)
        .map(|child| Piece {
            node: child,
            kind: if document.is_text(child) { 1 } else { outline.step(child) },
            weight: if is_break(document, child) { 0.0 } else { weight(child) },
        })
        .collect()
}
