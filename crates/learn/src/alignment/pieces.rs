//! Whether the content of an element is one value or several: seen in all records at once.
//!
//! A reader takes `a <b>bold</b> word` for one text, and `<a>Oslo</a> <b>3°</b> Monday` for three. The markup alone does
//! not tell; the other records do. If the content is built alike everywhere, its pieces are columns; if links, bold words
//! and line breaks come and go, they are part of a text. Some pieces that are built alike are one value all the same:
//! `17<br>May<br>2016` is a date, `<small>$</small>20` is money, and a word that is marked in the middle of each sentence
//! is a part of it.
//!
//! # Cost
//!
//! Linear in the children of the elements, and the texts of a sample of them.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId, names};

use super::lines::Lines;
use super::shape;
use crate::page_view::{PageView, is_formatting};

/// How the content of one element of each record is to be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// As one value.
    Whole,
    /// As so many lines.
    Lines(usize),
    /// As lines that begin with these labels.
    Labels(Vec<String>),
    /// As one line of values, each behind one of these labels, in this order.
    Labelled(Vec<String>),
    /// As what its children are.
    Parts,
}

/// Elements whose texts are looked at.
const SAMPLE: usize = 60;
/// Kinds of pieces that are compared with each other.
const MOST_KINDS: usize = 24;
/// Characters from which on a paragraph is a part of a text, not one of a list of words.
const PROSE: usize = 50;

/// Signs that sentences end with, which words in a list do not.
const END_OF_SENTENCE: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '؟', '।'];
/// Characters of the longest badge.
const BADGE: usize = 20;

/// The kind of a node among its siblings: what it looks like; of a text, what it stands behind.
pub(crate) fn kind(view: &PageView<'_>, node: NodeId) -> u64 {
    let document = view.document;
    if !document.is_text(node) {
        // A link on an icon is not of the kind of a link on a word.
        let icon = view.leaves_below(node).iter().all(|leaf| document.name_id(leaf.node) == Some(names::IMG));
        return if icon && view.has_content(node) { !view.step(node) } else { view.step(node) };
    }
    let mut before = document.prev_sibling(node);
    for _ in 0..8 {
        match before {
            Some(id) if is_break(document, id) || document.is_element(id) && view.has_content(id) => {
                return view.step(id).rotate_left(23) ^ view.step(node);
            }
            Some(id) => before = document.prev_sibling(id),
            None => break,
        }
    }
    view.step(node)
}

/// How the content of these elements, one of each record, is to be taken. `top`: they are the records themselves.
pub(crate) fn content(view: &PageView<'_>, members: &[(usize, NodeId)], top: bool) -> Content {
    let document = view.document;
    let atom = |node: NodeId| !document.is_element(node) || document.name_id(node) == Some(names::IMG);
    if members.iter().all(|&(_, node)| atom(node)) {
        return Content::Whole;
    }
    let mut weigh = Weigh { view, members, runs: members.iter().map(|&(_, node)| run(view, node)).collect() };
    weigh.unify();
    let inline = members.iter().filter(|&&(_, node)| view.is_inline(node)).count();
    if inline * 10 >= members.len() * 9 { weigh.line(top) } else { weigh.blocks(top) }
}

/// One child that has content, or breaks the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) node: NodeId,
    /// What it looks like; of all texts the same.
    kind: u64,
    text: bool,
    /// It only gives its text a look.
    format: bool,
}

pub(crate) fn is_break(document: &Document, node: NodeId) -> bool {
    document.name_id(node) == Some(names::BR)
}

/// The content of a node, in order.
fn run(view: &PageView<'_>, node: NodeId) -> Vec<Piece> {
    let document = view.document;
    if !document.is_element(node) {
        return vec![Piece { node, kind: 1, text: true, format: false }];
    }
    let holds = |&child: &NodeId| !view.is_hidden(child) && (is_break(document, child) || view.has_content(child));
    let pieces: Vec<NodeId> = document.children(node).filter(holds).collect();
    // Texts that nothing but comments part are one.
    let only_texts = pieces.iter().all(|&child| document.is_text(child));
    let count = if only_texts { 1 } else { pieces.len() };
    pieces
        .into_iter()
        .take(count)
        .map(|child| Piece {
            node: child,
            kind: if document.is_text(child) { 1 } else { kind(view, child) },
            text: document.is_text(child),
            format: document.is_element(child) && is_formatting(document, child),
        })
        .collect()
}

pub(super) struct Weigh<'w, 'o, 'd> {
    pub(super) view: &'o PageView<'d>,
    members: &'w [(usize, NodeId)],
    /// By member: its content.
    pub(super) runs: Vec<Vec<Piece>>,
}

impl Weigh<'_, '_, '_> {
    /// Takes pieces of one tag that share a class word, or one of which has none, and that never stand together, for one
    /// kind: one of them is marked as new, or as the author's own.
    fn unify(&mut self) {
        let view = self.view;
        let mut kinds: Vec<(u64, NodeId)> = Vec::new();
        for piece in self.runs.iter().flatten().filter(|piece| !piece.text) {
            if !kinds.iter().any(|kind| kind.0 == piece.kind) {
                if kinds.len() >= MOST_KINDS {
                    return;
                }
                kinds.push((piece.kind, piece.node));
            }
        }
        for at in 1..kinds.len() {
            let alike = |&(kind, node): &(u64, NodeId)| {
                let (one, other) = (view.class_words(node), view.class_words(kinds[at].1));
                let together = |run: &Vec<Piece>| {
                    run.iter().any(|piece| piece.kind == kind) && run.iter().any(|piece| piece.kind == kinds[at].0)
                };
                view.document.name_id(node) == view.document.name_id(kinds[at].1)
                    && (one.is_empty() || other.is_empty() || one.iter().any(|word| other.contains(word)))
                    && !self.runs.iter().any(together)
            };
            if let Some(&(kind, _)) = kinds[..at].iter().find(|kind| alike(kind)) {
                let old = kinds[at].0;
                self.runs.iter_mut().flatten().filter(|piece| piece.kind == old).for_each(|piece| piece.kind = kind);
                kinds[at].0 = kind;
            }
        }
    }

    /// Whether most of the content is in elements that their classes tell apart.
    fn is_marked(&self) -> bool {
        let (mut marked, mut all) = (0.0, 0.0);
        for run in &self.runs {
            for (at, piece) in run.iter().enumerate() {
                let leaves = self.view.leaves_below(piece.node);
                let weight: f32 = leaves.iter().map(|leaf| leaf.weight).sum();
                let twice = run[..at].iter().any(|other| other.kind == piece.kind);
                if twice && !piece.text && weight > 0.0 {
                    return false;
                }
                all += weight;
                if !piece.text && self.view.has_class(piece.node) {
                    marked += weight;
                }
            }
        }
        marked >= all * 0.6 && all > 0.0
    }

    /// Elements whose content is lines of text.
    fn line(&self, top: bool) -> Content {
        let document = self.view.document;
        let usual = self.usual();
        let Some(usual) = usual else { return Content::Parts };
        let model = &self.runs[usual.at];
        if !self.has_words() {
            return Content::Parts;
        }
        let lines = self.lines();
        if let Lines::Steady(count) = lines
            && (self.is_value() || self.ends_alike(count))
        {
            return Content::Whole;
        }
        if usual.share == 1.0 {
            match &model[..] {
                [piece] if piece.text => return Content::Whole,
                [_] if self.has_unit() => return Content::Whole,
                [piece] if document.is_element(piece.node) => return Content::Parts,
                _ if self.is_value() && !self.are_values(model) || self.flows(model) || self.is_labelled(model) => {
                    return Content::Whole;
                }
                _ => return Content::Parts,
            }
        }
        if (lines == Lines::One || self.has_labels_within_lines())
            && let Some(labels) = self.labels_in_line()
        {
            return Content::Labelled(labels);
        }
        if self.runs.iter().all(|run| run.len() == 1) {
            // A link here, a plain text there.
            return Content::Whole;
        }
        // A link or a marked name, and now and then something behind it.
        if let [name] = &model[..]
            && !name.text
            && !name.format
            && usual.share >= 0.9
            && self.runs.iter().all(|run| run.first().is_some_and(|piece| piece.kind == name.kind))
        {
            return Content::Parts;
        }
        if self.is_marked() || self.has_marked_edge(model) || usual.share >= 0.5 && self.has_badges(model) {
            return Content::Parts;
        }
        if lines != Lines::One
            && let Some(labels) = self.labels()
        {
            return Content::Labels(labels);
        }
        if lines == Lines::Vary {
            // One address has more lines than the other.
            return if top || self.is_list() { Content::Parts } else { Content::Whole };
        }
        let alike = self.runs.iter().filter(|run| like(run, model)).count();
        let enough = if top { 0.5 } else { 0.9 };
        let built = usual.share >= 0.5 && alike as f64 >= enough * self.runs.len() as f64 && (top || model.len() > 2);
        if (built || self.in_order()) && !self.flows(model) && !self.absorbs() || self.is_list() {
            return Content::Parts;
        }
        match lines {
            Lines::Steady(lines) => Content::Lines(lines),
            _ if top && model.len() > 2 => Content::Parts,
            _ => Content::Whole,
        }
    }

    /// Elements with paragraphs, lists or boxes in them: one value if they are a text, of which no two are built alike.
    fn blocks(&self, top: bool) -> Content {
        let document = self.view.document;
        let Some(usual) = self.usual() else { return Content::Parts };
        if top || usual.share == 1.0 {
            return Content::Parts;
        }
        let model = &self.runs[usual.at];
        let alike = self.runs.iter().filter(|run| like(run, model)).count();
        if self.is_paragraphs() {
            return Content::Whole;
        }
        if alike * 10 >= self.runs.len() * 8 && usual.share >= 0.5 {
            return Content::Parts;
        }
        let (mut bare, mut all, mut paragraphs, mut letters) = (0.0, 0.0, 0usize, 0usize);
        let mut kinds: Vec<u64> = Vec::new();
        for piece in self.runs.iter().flatten() {
            let leaves = self.view.leaves_below(piece.node);
            let weight: f32 = leaves.iter().map(|leaf| leaf.weight).sum();
            all += weight;
            let plain = piece.text
                || !self.view.has_class(piece.node)
                    && matches!(
                        document.name(piece.node),
                        Some(
                            "p" | "div"
                                | "span"
                                | "br"
                                | "b"
                                | "i"
                                | "em"
                                | "strong"
                                | "u"
                                | "a"
                                | "ul"
                                | "ol"
                                | "font"
                                | "blockquote"
                                | "img"
                                | "pre"
                                | "center"
                                | "hr"
                        )
                    );
            if plain {
                bare += weight;
            }
            if !kinds.contains(&piece.kind) && kinds.len() < 8 {
                kinds.push(piece.kind);
            }
            if document.name_id(piece.node) == Some(names::P) {
                paragraphs += 1;
                // The weight of a leaf is the root of its length.
                letters += leaves.iter().map(|leaf| (leaf.weight * leaf.weight) as usize).sum::<usize>();
            }
        }
        let prose = match kinds.len() {
            // Like blocks alone are a list; but paragraphs are a text.
            0 | 1 => paragraphs > 0 && letters >= paragraphs * PROSE,
            _ => true,
        };
        if prose && bare >= all * 0.9 { Content::Whole } else { Content::Parts }
    }

    /// Returns whether the content is paragraphs that nothing names, most of them with the end of a sentence: one text, however many
    /// there are and however short.
    fn is_paragraphs(&self) -> bool {
        let document = self.view.document;
        let (mut all, mut ended) = (0, 0);
        for piece in self.runs.iter().flatten() {
            if document.name_id(piece.node) != Some(names::P) || self.view.has_class(piece.node) {
                return false;
            }
            all += 1;
            ended += usize::from(self.view.text(piece.node).ends_with(END_OF_SENTENCE));
        }
        ended * 2 > all
    }

    /// The usual build: a member that has it, and the share of those that have.
    fn usual(&self) -> Option<Usual> {
        let mut builds: HashMap<Vec<u64>, (usize, usize), FixedState> = HashMap::default();
        for (at, run) in self.runs.iter().enumerate() {
            let build = run.iter().map(|piece| piece.kind).collect();
            builds.entry(build).or_insert((0, at)).0 += 1;
        }
        let most =
            builds.into_iter().max_by_key(|(build, (count, at))| (*count, build.len(), std::cmp::Reverse(*at)))?;
        Some(Usual { at: most.1.1, share: most.1.0 as f64 / self.runs.len() as f64 })
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = String> + '_ {
        let step = self.members.len().div_ceil(SAMPLE).max(1);
        self.members.iter().step_by(step).map(|&(_, node)| self.view.document.visible_text(node))
    }

    /// Says whether the content is one piece, beside which some have badges: elements with a class that say the same here and there.
    fn has_badges(&self, model: &[Piece]) -> bool {
        let [main] = model else { return false };
        let document = self.view.document;
        // A word of the text itself that is marked has a space beside it, and stands anywhere.
        let parted = |id: Option<NodeId>| {
            id.is_some_and(|id| {
                document.is_text(id) && document.text(id).contains(char::is_whitespace) && main.text && {
                    let text = document.text(id);
                    text.trim().is_empty()
                        || text.starts_with(char::is_whitespace)
                        || text.ends_with(char::is_whitespace)
                }
            })
        };
        let mut badges: Vec<String> = Vec::new();
        for run in self.runs.iter().filter(|run| run.len() > 1) {
            if run.iter().filter(|piece| piece.kind == main.kind).count() != 1 {
                return false;
            }
            for piece in run.iter().filter(|piece| piece.kind != main.kind) {
                let beside = [document.prev_sibling(piece.node), document.next_sibling(piece.node)];
                if piece.text
                    || !self.view.has_class(piece.node)
                    || is_break(document, piece.node)
                    || beside.into_iter().any(parted)
                {
                    return false;
                }
                badges.push(shape::collapse(&document.visible_text(piece.node)));
            }
        }
        let all = badges.len();
        badges.sort_unstable();
        badges.dedup();
        all >= 2 && badges.len() * 2 <= all && badges.iter().all(|badge| badge.chars().count() <= BADGE)
    }

    /// Whether nearly all begin, or end, with an element that its class marks, and that is a value by itself.
    fn has_marked_edge(&self, model: &[Piece]) -> bool {
        let edges = [model.first(), model.last()];
        edges.into_iter().enumerate().any(|(end, edge)| {
            let Some(edge) = edge.filter(|edge| !edge.text && self.view.has_class(edge.node)) else { return false };
            let at_edge = |run: &&Vec<Piece>| {
                let piece = if end == 0 { run.first() } else { run.last() };
                piece.is_some_and(|piece| piece.kind == edge.kind)
            };
            let held = self.runs.iter().filter(at_edge).count();
            let text = self.view.document.visible_text(edge.node);
            held * 20 >= self.runs.len() * 19 && shape::is_value(&text)
        })
    }

    /// Whether there is anything but images.
    fn has_words(&self) -> bool {
        let document = self.view.document;
        let image = |node: NodeId| document.name_id(node) == Some(names::IMG);
        self.runs.iter().flatten().any(|piece| {
            let leaves = self.view.leaves_below(piece.node);
            leaves.is_empty() && !is_break(document, piece.node) || leaves.iter().any(|leaf| !image(leaf.node))
        })
    }

    /// Whether the whole of it is one date, number or amount.
    fn is_value(&self) -> bool {
        let (mut right, mut all) = (0, 0);
        for text in self.texts() {
            all += 1;
            right += usize::from(shape::is_value(&text));
        }
        right * 10 >= all * 9
    }

    /// Returns whether each piece is an amount or a date of its own: a price and what it fell by. The parts of one date are none.
    fn are_values(&self, model: &[Piece]) -> bool {
        let document = self.view.document;
        let text = |piece: &Piece| self.view.text(piece.node);
        let is_whole = |text: &str| {
            let with_unit = text.len() > 1 && text.ends_with(shape::is_unit) && shape::is_value(text);
            shape::is_money(text) || shape::is_date(text) || with_unit
        };
        model.len() > 1 && model.iter().all(|piece| document.is_element(piece.node) && is_whole(&text(piece)))
    }

    /// Whether a sign that is no content by itself stands beside the only piece, and says what its number is of.
    fn has_unit(&self) -> bool {
        let document = self.view.document;
        let holds = |&(_, node): &(usize, NodeId)| {
            document.children(node).any(|child| {
                !self.view.has_content(child)
                    && !self.view.is_hidden(child)
                    && document.text_content(child).chars().take(16).any(shape::is_unit)
            })
        };
        let held = self.members.iter().filter(|member| holds(member)).count();
        held * 2 >= self.members.len()
    }

    /// Whether the pieces run into each other: something is marked in the middle of a text, mostly the same words.
    fn flows(&self, model: &[Piece]) -> bool {
        let marked =
            |at: usize| at > 0 && at + 1 < model.len() && model[at].format && model[at - 1].text && model[at + 1].text;
        let Some(at) = (0..model.len()).find(|&at| marked(at)) else { return false };
        let document = self.view.document;
        let kinds: Vec<u64> = model.iter().map(|piece| piece.kind).collect();
        let (mut joints, mut all) = (0, 0);
        let mut values: Vec<String> = Vec::new();
        let built = |run: &&Vec<Piece>| run.iter().map(|piece| piece.kind).eq(kinds.iter().copied());
        for run in self.runs.iter().filter(built).take(SAMPLE) {
            all += 1;
            let before = document.text(run[at - 1].node).trim_end();
            let after = document.text(run[at + 1].node).trim_start();
            let open = before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
            joints += usize::from(open && after.starts_with(|c: char| c.is_lowercase() || c == ',' || c == '.'));
            values.push(document.visible_text(run[at].node).to_lowercase());
        }
        values.sort_unstable();
        values.dedup();
        joints * 2 >= all || values.len() * 2 <= all && all > 2
    }

    /// Whether a word is set off in front of a text, the same one everywhere, which stays with it.
    fn is_labelled(&self, model: &[Piece]) -> bool {
        let [label, text] = model else { return false };
        if !(label.format && text.text || label.text && text.format) || self.runs.len() < 3 {
            return false;
        }
        let document = self.view.document;
        let said = |run: &Vec<Piece>| document.visible_text(run[0].node);
        let first = said(&self.runs[0]);
        // One that is set off and ends with a colon is a label by itself.
        !(label.format && first.ends_with([':', '：'])) && self.runs.iter().take(SAMPLE).all(|run| said(run) == first)
    }

    /// Whether pieces come and go, but each has its place: none stands twice, all keep one order, and where a text stands
    /// behind one of them, it mostly does.
    fn in_order(&self) -> bool {
        let document = self.view.document;
        // Texts by what they stand behind.
        let mut slots: Vec<Vec<u64>> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let mut before = 0u64;
            let mut own = Vec::with_capacity(run.len());
            for piece in run {
                if piece.text {
                    own.push(before | 1);
                } else {
                    before = piece.kind << 1;
                    own.push(before);
                }
            }
            slots.push(own);
        }
        let is_text = |slot: u64| slot & 1 == 1;
        // Kinds in order, how often each is met, and how often a text is so alone in its run.
        let mut order: Vec<(u64, usize, usize)> = Vec::new();
        for own in &slots {
            let texts = own.iter().filter(|&&slot| is_text(slot)).count();
            let mut last = None;
            for &slot in own {
                let at = match order.iter().position(|known| known.0 == slot) {
                    Some(at) if last.is_some_and(|last| at <= last) => return false,
                    Some(at) => at,
                    None if order.len() >= 24 => return false,
                    None => {
                        // Behind what it was met behind.
                        let at = last.map_or(0, |last: usize| last + 1);
                        order.insert(at, (slot, 0, 0));
                        at
                    }
                };
                order[at].1 += 1;
                order[at].2 += usize::from(is_text(slot) && texts == 1);
                last = Some(at);
            }
        }
        // The order was made up as the runs came: it must hold for those before, too.
        let placed = |own: &Vec<u64>| {
            let mut rest = order.iter();
            own.iter().all(|&slot| rest.any(|known| known.0 == slot))
        };
        if !slots.iter().all(placed) {
            return false;
        }
        let count = self.runs.len();
        let breaks: Vec<u64> = self
            .runs
            .iter()
            .flatten()
            .find(|piece| is_break(document, piece.node))
            .map(|piece| piece.kind << 1)
            .into_iter()
            .collect();
        let met = |slot: u64| order.iter().find(|known| known.0 == slot).map_or(count, |known| known.1);
        let texts: Vec<(u64, usize, usize)> = order.iter().filter(|known| is_text(known.0)).copied().collect();
        let single: usize = texts.iter().map(|known| known.2).sum();
        // One text in nearly every run, wherever the badges are.
        if single * 10 >= count * 9 && texts.iter().all(|known| known.1 == known.2) {
            return true;
        }
        texts.iter().all(|&(slot, often, _)| {
            let behind = slot & !1;
            let around = if behind == 0 { count } else { met(behind) };
            let steady = around * 10 >= count * 9;
            // Mostly there; or now and then a remark behind something that is always there.
            often * 10 >= around * 9 && (often * 2 >= count || breaks.contains(&behind))
                || steady && often * 5 <= around && behind != 0
        })
    }

    /// Whether the text in front of a piece is the same wherever the piece is there, and goes on where it is not:
    /// "by <a>Ann</a>" and "by Bo".
    fn absorbs(&self) -> bool {
        let document = self.view.document;
        let read = |node: NodeId| document.text(node).split_whitespace().collect::<Vec<_>>().join(" ");
        // By the place of the text in its run: what it says in front of a piece, and without one.
        let mut labels: Vec<(usize, Vec<String>, Vec<String>)> = Vec::new();
        for run in self.runs.iter().take(SAMPLE) {
            for (at, piece) in run.iter().enumerate().filter(|(_, piece)| piece.text) {
                let followed = run.get(at + 1).is_some_and(|next| !is_break(document, next.node));
                let known = match labels.iter().position(|known| known.0 == at) {
                    Some(known) => known,
                    None => {
                        labels.push((at, Vec::new(), Vec::new()));
                        labels.len() - 1
                    }
                };
                let side = if followed { &mut labels[known].1 } else { &mut labels[known].2 };
                side.push(read(piece.node));
            }
        }
        labels.iter().any(|(_, label, alone)| {
            let Some(first) = label.first() else { return false };
            label.iter().all(|text| text == first)
                && !alone.is_empty()
                && alone.iter().all(|text| text.len() > first.len() && text.starts_with(first.as_str()))
        })
    }

    /// Whether it is a list of like elements, with nothing but separators between them.
    fn is_list(&self) -> bool {
        let document = self.view.document;
        let word = |piece: &Piece| document.text(piece.node).chars().filter(|c| c.is_alphanumeric()).count() > 4;
        let mut several = 0;
        for run in &self.runs {
            let mut elements = run.iter().filter(|piece| !piece.text && !is_break(document, piece.node));
            if elements.clone().any(|piece| piece.format) {
                return false;
            }
            if let Some(first) = elements.next() {
                several += usize::from(elements.any(|piece| piece.kind == first.kind));
            }
            if run.iter().skip(1).any(|piece| piece.text && word(piece)) {
                return false;
            }
            // A label may stand in front of all, but is not all there is.
            if run.len() == 1 && run[0].text && word(&run[0]) {
                return false;
            }
        }
        several > 0
    }
}

struct Usual {
    at: usize,
    share: f64,
}

/// Whether content is built like the usual one, but for pieces left out, or something of its own put in front or behind.
fn like(run: &[Piece], model: &[Piece]) -> bool {
    let within = |part: &[Piece], whole: &[Piece]| {
        let mut rest = whole.iter();
        part.iter().all(|piece| rest.any(|other| other.kind == piece.kind))
    };
    if within(run, model) {
        // What is left out must not be what was marked in a text.
        let marks = model.iter().enumerate().any(|(at, piece)| piece.format && at > 0 && at + 1 < model.len());
        return run.len() == model.len() || !marks;
    }
    if !within(model, run) {
        return false;
    }
    // Something more: a badge before or behind the text, not a link or a bold word in it.
    let front = run.len() - model.len();
    let same = |part: &[Piece]| part.iter().zip(model).all(|(one, other)| one.kind == other.kind);
    let plain = |part: &[Piece]| part.iter().all(|piece| !piece.format && !piece.text);
    same(&run[front..]) && plain(&run[..front]) || same(&run[..model.len()]) && plain(&run[model.len()..])
}
