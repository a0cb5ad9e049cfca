//! The words in front of a value that say what it is.
//!
//! A label is the text that a reader meets before the value, as far as it stands by itself; in a row of a table it is also
//! the first cell.

use windrow_dom::{NodeId, names};

use super::names::likeness;
use super::path::{down, meet, quoted, step, tag};
use crate::reading::{Reading, is_edge};

/// Characters that a label may have.
const LONGEST: usize = 48;
/// Elements of a row, and rows, that are looked at.
const ROW: usize = 40;
/// Nodes looked at in search of the text in front.
const REACH: usize = 60;

/// A label of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    /// The element or text that is the label and nothing else.
    pub(crate) node: NodeId,
    pub(crate) text: String,
    /// How surely it is one.
    pub(crate) kind: LabelKind,
    /// How much it is what the field is called.
    pub(crate) likeness: f32,
}

impl Label {
    /// Whether it is one by its look or by its words.
    pub(crate) fn is_sure(&self) -> bool {
        self.kind < LabelKind::Words || self.likeness > 0.6
    }
}

/// How surely a text is a label, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelKind {
    /// It ends with a colon.
    Colon,
    /// It is a term, a cell or a heading by itself, or set in bold.
    Apart,
    /// It is just what stands in front.
    Words,
}

/// The labels of a node, the nearest first; `name` is what the field is called.
pub(crate) fn labels(reading: &Reading<'_>, target: NodeId, name: &str) -> Vec<Label> {
    let document = reading.document;
    let mut labels: Vec<Label> = Vec::new();
    if let Some(text) = text_before(reading, target) {
        labels.extend(widest(reading, text, target, name));
        // A part of the label may be set apart: `<b>Fuel</b> economy:`.
        if labels.first().is_none_or(|label| label.node != text)
            && document.parent(text).is_some_and(|parent| document.is_ancestor(parent, target))
        {
            labels.extend(label(reading, text, name));
        }
    }
    let is_cell = |&id: &NodeId| document.is_html(id, names::TD);
    if let Some(cell) = std::iter::once(target).chain(document.ancestors(target)).find(is_cell)
        && let Some(row) = document.parent(cell)
    {
        let first = document.children(row).find(|&id| document.is_element(id));
        // Above most cells stand others of their kind.
        let is_header = |&above: &NodeId| document.is_html(above, names::TH) || likeness(name, reading.of(above)) > 0.3;
        for other in [first, header(reading, row, cell).filter(is_header)].into_iter().flatten() {
            if other != cell && !labels.iter().any(|label| label.node == other) {
                labels.extend(label(reading, other, name));
            }
        }
    }
    for label in labels.iter_mut().filter(|label| label.kind == LabelKind::Words) {
        if in_row(reading, label.node, target).unwrap_or_default() {
            label.kind = LabelKind::Apart;
        }
    }
    labels
}

/// Whether a text and what is behind it are one of several rows that are built alike: a label and its value in each.
fn in_row(reading: &Reading<'_>, label: NodeId, target: NodeId) -> Option<bool> {
    let document = reading.document;
    let (row, here, there) = meet(document, label, target)?;
    let both = reading.range(label).len() + reading.range(target).len();
    let class = |id: NodeId| document.attr_by_id(id, names::CLASS);
    let like = |one: NodeId, two: NodeId| {
        document.is_element(one) && document.name_id(one) == document.name_id(two) && class(one) == class(two)
    };
    let short = |id: NodeId| (1..=LONGEST).contains(&reading.of(id).chars().count());
    if here == there || reading.of(label).contains(|c: char| c.is_ascii_digit()) {
        return Some(false);
    }
    let children = |id: NodeId| document.children(id).take(ROW);
    // A row for each, or all of them in one.
    if reading.range(row).len() > both + 4 {
        let labels = children(row).filter(|&id| like(id, here) && short(id)).count();
        let values = children(row).filter(|&id| like(id, there)).count();
        return Some(!like(here, there) && labels > 1 && values > 1 && labels.abs_diff(values) <= 1);
    }
    let parts = |row: NodeId| {
        let mut parts = children(row).filter(|&id| document.is_element(id) && !reading.range(id).is_empty());
        Some((parts.next()?, parts.last()?))
    };
    let alike = |other: &NodeId| {
        like(*other, row)
            && parts(*other).is_some_and(|(first, last)| like(first, here) && like(last, there) && short(first))
    };
    let rows = children(document.parent(row)?).filter(|&other| other != row);
    Some(document.is_element(here) && rows.filter(alike).count() > 0)
}

/// The cell above another in the row in front. Cells may span rows: then the cells are counted from the end.
fn header(reading: &Reading<'_>, row: NodeId, cell: NodeId) -> Option<NodeId> {
    let document = reading.document;
    let above = document.children(document.parent(row)?).take_while(|&id| id < row);
    let above = above.filter(|&id| document.is_html(id, names::TR)).last()?;
    let cells = |row: NodeId| document.children(row).filter(|&id| document.is_element(id)).collect::<Vec<_>>();
    let (own, others) = (cells(row), cells(above));
    let behind = own.len() - own.iter().position(|&id| id == cell)?;
    others.len().checked_sub(behind).map(|at| others[at])
}

/// The text that a reader meets before a node.
pub(crate) fn text_before(reading: &Reading<'_>, target: NodeId) -> Option<NodeId> {
    let document = reading.document;
    let before = (0..target.index()).rev().take(REACH).map(NodeId::from_index);
    before.filter(|&id| document.is_text(id)).find(|&id| !reading.of(id).chars().all(is_edge))
}

/// The label that a text ends: the largest node in front of the target that is short enough to be one.
fn widest(reading: &Reading<'_>, text: NodeId, target: NodeId, name: &str) -> Option<Label> {
    let document = reading.document;
    let mut best = label(reading, text, name);
    let own = reading.range(text).len();
    for above in document.ancestors(text) {
        if document.is_ancestor(above, target) || matches!(document.name(above), Some("tr" | "ul" | "ol" | "dl")) {
            break;
        }
        match label(reading, above, name) {
            // Several texts together are one label only if they say so.
            Some(label)
                if reading.range(above).len() > own && label.kind != LabelKind::Colon && label.likeness < 0.5 =>
            {
                break;
            }
            Some(label) => best = Some(label),
            None => break,
        }
    }
    best
}

fn label(reading: &Reading<'_>, node: NodeId, name: &str) -> Option<Label> {
    let document = reading.document;
    let text = reading.of(node);
    if text.len() > 4 * LONGEST {
        return None;
    }
    let length = text.chars().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    // A colon in the middle: a label with its own value.
    let colon = text.find(": ").is_some();
    if length > LONGEST || letters == 0 || colon || text.split_whitespace().count() > 6 {
        return None;
    }
    let named = matches!(
        document.name(node),
        Some("td" | "th" | "dt" | "label" | "b" | "strong" | "h2" | "h3" | "h4" | "h5" | "h6")
    );
    let kind = if text.ends_with([':', '：']) {
        LabelKind::Colon
    } else if named && length <= 32 && !text.contains(|c: char| c.is_ascii_digit()) {
        LabelKind::Apart
    } else {
        LabelKind::Words
    };
    Some(Label { node, text: text.to_owned(), kind, likeness: likeness(name, text) })
}

/// The node beside a label, or beside what the label is in, in which a node is; none if that is far from the label.
pub(crate) fn beside(reading: &Reading<'_>, label: &Label, target: NodeId) -> Option<NodeId> {
    let document = reading.document;
    let (above, here, there) = meet(document, label.node, target)?;
    let near = document.ancestors(label.node).take(3).any(|id| id == above);
    (here != there && near && there != above).then_some(there)
}

/// The expression that leads from a label to a node behind it, by the nearest relation; and whether that is one of
/// siblings.
pub(crate) fn from_label(reading: &Reading<'_>, label: &Label, target: NodeId, tail: &str) -> Option<(String, bool)> {
    let document = reading.document;
    let start = label_step(reading, label)?;
    let (_, here, there) = meet(document, label.node, target)?;
    let climb =
        if label.node == here { 0 } else { 1 + document.ancestors(label.node).take_while(|&id| id != here).count() };
    if here != there
        && climb <= 2
        && let Some(down) = down(document, there, target)
        && let Some(side) = step(document, there)
    {
        let kin = |id: &NodeId| {
            document.kind(*id) == document.kind(there) && document.name_id(*id) == document.name_id(there)
        };
        let between = || document.children(document.parent(here).unwrap_or(here)).filter(|&id| here < id && id < there);
        let rank = 1 + between().filter(kin).count();
        let up = "/..".repeat(climb);
        if document.is_text(there) && rank > 1 {
            let rank = 1 + between().filter(kin).filter(|&id| !document.text(id).trim().is_empty()).count();
            return Some((format!("{start}{up}/following-sibling::text()[normalize-space()][{rank}]{tail}"), true));
        }
        if rank <= 4 {
            return Some((format!("{start}{up}/following-sibling::{side}[{rank}]{down}{tail}"), true));
        }
    }
    let name = tag(document, target)?;
    let from = document.subtree_end(label.node).index();
    let same = (from..target.index()).take(400).map(NodeId::from_index);
    let rank = 1 + same.filter(|&id| document.name_id(id) == document.name_id(target)).count();
    (rank <= 2).then(|| (format!("{start}/following::{name}[{rank}]{tail}"), false))
}

/// The expression that finds a label.
pub(crate) fn label_step(reading: &Reading<'_>, label: &Label) -> Option<String> {
    let document = reading.document;
    if document.is_text(label.node) {
        let test = label_test(document.text(label.node), "", &label.text)?;
        return Some(format!("//{}/text()[{test}]", tag(document, document.parent(label.node)?)?));
    }
    // What is around the label's text may be much more than the label on other pages, or on this one in other places:
    // the text is looked for where it stands.
    let own = reading.range(label.node);
    let mut inner = label.node;
    let mut way = String::new();
    while let Some(only) = document.children(inner).find(|&id| !reading.of(id).is_empty())
        && document.is_element(only)
        && reading.range(only) == own
    {
        let name = tag(document, only)?;
        way = if way.is_empty() { name.to_owned() } else { format!("{way}/{name}") };
        inner = only;
    }
    let first = document.children(inner).find(|&id| document.is_text(id));
    let test = match first.filter(|&first| reading.range(first) == own) {
        // Without spaces around it, it is compared as the text of its element.
        Some(first) if document.text_content(inner) == label.text => {
            label_test(document.text(first), &way, &label.text)?
        }
        Some(first) => {
            let slash = if way.is_empty() { "" } else { "/" };
            label_test(document.text(first), &format!("{way}{slash}text()"), &label.text)?
        }
        None => label_test(&document.text_content(inner), &way, &label.text)?,
    };
    Some(format!("//{}[{test}]", tag(document, label.node)?))
}

/// The test that what stands at the end of a way is a label; `raw` is what stands there.
fn label_test(raw: &str, way: &str, label: &str) -> Option<String> {
    let literal = quoted(label)?;
    // Comparing the text as it stands needs no copy of it; pages of one template differ little in their white space.
    Some(if raw == label {
        format!("{}={literal}", if way.is_empty() { "." } else { way })
    } else if raw.trim_matches(|c: char| c.is_ascii_whitespace()).contains('\u{A0}') {
        // XPath knows no other white space than ASCII's.
        format!("starts-with(normalize-space({way}), {literal})")
    } else {
        format!("normalize-space({way})={literal}")
    })
}
