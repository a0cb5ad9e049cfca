//! The page as lines of pieces: what a reader sees, in the order of reading, each text with the way back to its node.
//!
//! A *piece* is one text node. A *line* is what stands side by side: it ends where a block, a cell or a `br` begins or
//! ends. Formatting breaks no line, so `<b>Price:</b> $3.77` is one line of two pieces; this is the cleaning of the
//! paper's first two steps, without changing the tree. Beside the text stands the same text *folded*: lower case, accents
//! and compatibility forms aside, in which keywords are looked for.
//!
//! # Cost
//!
//! Linear in the page.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};
use windrow_dom::{Document, Namespace, NodeId, NodeKind, names};

use crate::page_view::Blocks;

/// Cells of one row that are looked at.
const MOST_CELLS: usize = 128;

/// One text node that a reader sees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) node: NodeId,
    /// Its bytes in the text.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The same in the folded text.
    pub(super) folded: u32,
    pub(super) folded_end: u32,
    /// The line it stands in.
    pub(super) line: u32,
    /// The leaf it is a part of: a line, or the lines of one row of a table.
    pub(super) row: u32,
    /// How it looks: its element and that around it, by tag and class.
    pub(super) style: u64,
    /// Whether a style hides it: a tab that is not in front.
    pub(super) unseen: bool,
    /// True if it stands in a menu of the site.
    pub(super) in_menu: bool,
    /// Whether its folded text is as long as itself, letter by letter.
    pub(super) plain: bool,
}

impl Piece {
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The lines of a page.
pub(super) struct Sheet<'d> {
    pub(super) document: &'d Document,
    /// White space collapsed; a line break between lines.
    pub(super) text: String,
    /// The same text, folded.
    pub(super) folded: String,
    pub(super) pieces: Vec<Piece>,
    /// By line: its pieces.
    pub(super) lines: Vec<Range<u32>>,
    /// Fields of forms that a reader fills in, in order.
    pub(super) controls: Vec<NodeId>,
}

impl<'d> Sheet<'d> {
    pub(super) fn new(document: &'d Document) -> Sheet<'d> {
        let body = document.find_html(names::BODY).unwrap_or(document.root());
        let mut sheet = Sheet {
            document,
            text: String::new(),
            folded: String::new(),
            pieces: Vec::new(),
            lines: Vec::new(),
            controls: Vec::new(),
        };
        let mut walk = Walk {
            hasher: FixedState::default(),
            blocks: Blocks::default(),
            open: Vec::new(),
            broken: true,
            apart: false,
            beside: false,
            row: 0,
        };
        let mut styles: Vec<(NodeId, u64)> = Vec::new();
        let mut unseen_until = NodeId::ROOT;
        let mut menu_until = NodeId::ROOT;
        let mut skip_until = NodeId::ROOT;
        for id in document.descendants(body) {
            walk.close(id);
            while styles.last().is_some_and(|(end, _)| *end <= id) {
                styles.pop();
            }
            if id < skip_until {
                continue;
            }
            match document.kind(id) {
                NodeKind::Element => {
                    if is_control(document, id) {
                        sheet.controls.push(id);
                    }
                    if is_no_content(document, id) {
                        skip_until = document.subtree_end(id);
                        continue;
                    }
                    if id >= unseen_until && document.is_hidden(id) {
                        unseen_until = document.subtree_end(id);
                    }
                    if id >= menu_until && is_menu(document, id) {
                        menu_until = document.subtree_end(id);
                    }
                    walk.open(document, id);
                    styles.push((document.subtree_end(id), walk.look(document, id)));
                }
                NodeKind::Text => {
                    let style = styles.iter().rev().take(2).fold(0u64, |all, (_, look)| all.rotate_left(21) ^ look);
                    let place = Place { unseen: id < unseen_until, in_menu: id < menu_until };
                    sheet.add(id, style, place, &mut walk);
                }
                _ => {}
            }
        }
        sheet
    }

    fn add(&mut self, node: NodeId, style: u64, place: Place, walk: &mut Walk) {
        let raw = self.document.text(node);
        let clean = raw.trim_matches(is_space);
        if clean.is_empty() {
            walk.apart |= !raw.is_empty();
            return;
        }
        let apart = walk.apart || raw.starts_with(is_space);
        if walk.broken {
            if !self.text.is_empty() {
                self.text.push('\n');
                self.folded.push('\n');
            }
            let at = self.pieces.len() as u32;
            self.lines.push(at..at);
            walk.broken = false;
            if walk.beside {
                walk.beside = false;
            } else {
                walk.row += 1;
            }
        } else if apart {
            self.text.push(' ');
            self.folded.push(' ');
        }
        walk.apart = raw.ends_with(is_space);
        let (start, folded) = (self.text.len() as u32, self.folded.len() as u32);
        collapse_into(clean, &mut self.text);
        fold_into(&self.text[start as usize..], &mut self.folded);
        let line = self.lines.len() as u32 - 1;
        self.lines[line as usize].end += 1;
        let (end, folded_end) = (self.text.len() as u32, self.folded.len() as u32);
        self.pieces.push(Piece {
            node,
            start,
            end,
            folded,
            folded_end,
            line,
            row: walk.row,
            style,
            unseen: place.unseen,
            in_menu: place.in_menu,
            plain: self.text[start as usize..].is_ascii(),
        });
    }

    /// The text of these pieces in one line.
    pub(super) fn text_of(&self, pieces: Range<usize>) -> &str {
        match (self.pieces.get(pieces.start), pieces.end.checked_sub(1).and_then(|last| self.pieces.get(last))) {
            (Some(first), Some(last)) if first.start < last.end => &self.text[first.start as usize..last.end as usize],
            _ => "",
        }
    }

    /// The pieces in a run of nodes.
    pub(super) fn pieces_in(&self, first: NodeId, end: NodeId) -> Range<usize> {
        let from = self.pieces.partition_point(|piece| piece.node < first);
        let to = self.pieces.partition_point(|piece| piece.node < end);
        from..to
    }

    /// The pieces below a node, or the node's own.
    pub(super) fn pieces_below(&self, id: NodeId) -> Range<usize> {
        self.pieces_in(id, self.document.subtree_end(id))
    }

    /// How many leaves are below a node.
    pub(super) fn leaves_below(&self, id: NodeId) -> u32 {
        let pieces = self.pieces_below(id);
        match (self.pieces.get(pieces.start), pieces.end.checked_sub(1).and_then(|last| self.pieces.get(last))) {
            (Some(first), Some(last)) if !pieces.is_empty() => last.row - first.row + 1,
            _ => 0,
        }
    }

    /// Whether a field of a form stands between two nodes.
    pub(super) fn has_control(&self, from: NodeId, to: NodeId) -> bool {
        let at = self.controls.partition_point(|&id| id <= from);
        self.controls.get(at).is_some_and(|&id| id < to)
    }

    /// Whether a byte of the folded text is where a piece begins or ends.
    pub(super) fn is_edge(&self, at: usize) -> bool {
        let number = self.pieces.partition_point(|piece| (piece.folded_end as usize) < at);
        let near = self.pieces.get(number..(number + 2).min(self.pieces.len())).unwrap_or_default();
        near.iter().any(|piece| piece.folded as usize == at || piece.folded_end as usize == at)
    }

    /// The cell that a node is in.
    pub(super) fn cell(&self, id: NodeId) -> Option<NodeId> {
        let document = self.document;
        document.ancestors(id).find(|&id| matches!(document.name_id(id), Some(names::TD | names::TH)))
    }

    /// The cells of a row.
    pub(super) fn cells(&self, row: NodeId) -> Vec<NodeId> {
        let document = self.document;
        let cell = |&id: &NodeId| matches!(document.name_id(id), Some(names::TD | names::TH));
        document.children(row).filter(cell).take(MOST_CELLS).collect()
    }

    /// The rows behind a row, in the next part of its table, too.
    pub(super) fn rows_below(&self, row: NodeId) -> impl Iterator<Item = NodeId> + use<'_, 'd> {
        let document = self.document;
        let siblings = move |id: Option<NodeId>| std::iter::successors(id, move |&id| document.next_sibling(id));
        let parts = document.parent(row).into_iter().flat_map(move |part| siblings(document.next_sibling(part)));
        let parts = parts.filter(move |&id| matches!(document.name_id(id), Some(names::TBODY | names::TFOOT)));
        let rows =
            siblings(document.next_sibling(row)).chain(parts.flat_map(move |id| siblings(document.first_child(id))));
        rows.filter(move |&id| document.name_id(id) == Some(names::TR))
    }

    pub(super) fn line_pieces(&self, line: u32) -> Range<usize> {
        self.lines.get(line as usize).map_or(0..0, |range| range.start as usize..range.end as usize)
    }
}

/// The way back from the folded text. Keywords are found in their order, so the letters of one text node are counted once.
pub(super) struct Unfolder<'s, 'd> {
    sheet: &'s Sheet<'d>,
    /// The piece whose letters are counted.
    piece: usize,
    /// Of each of its letters that is something when folded: where it is, folded and not.
    letters: Vec<(u32, u32)>,
}

impl<'s, 'd> Unfolder<'s, 'd> {
    pub(super) fn new(sheet: &'s Sheet<'d>) -> Unfolder<'s, 'd> {
        Unfolder { sheet, piece: usize::MAX, letters: Vec::new() }
    }

    /// The piece of a byte of the folded text, and the byte of the text that it stands for.
    pub(super) fn unfold(&mut self, at: usize) -> Option<(usize, usize)> {
        let number = self.sheet.pieces.partition_point(|piece| piece.folded_end as usize <= at);
        let piece = self.sheet.pieces.get(number)?;
        let within = at.saturating_sub(piece.folded as usize);
        if piece.plain {
            return Some((number, piece.start as usize + within));
        }
        if self.piece != number {
            self.piece = number;
            self.letters.clear();
            let mut folded = 0;
            fold_each(&self.sheet.text[piece.range()], |byte, c| {
                let before = folded;
                fold(c, |c| folded += c.len_utf8() as u32);
                // A letter that is nothing when folded belongs to the one in front of it.
                if folded > before {
                    self.letters.push((before, byte as u32));
                }
            });
        }
        let letter = self.letters.get(self.letters.partition_point(|letter| (letter.0 as usize) < within));
        Some((number, letter.map_or(piece.end as usize, |letter| piece.start as usize + letter.1 as usize)))
    }
}

/// The words around a text.
#[derive(Clone, Copy)]
struct Place {
    unseen: bool,
    in_menu: bool,
}

/// What the walk over the page remembers.
struct Walk {
    hasher: FixedState,
    blocks: Blocks,
    /// The ends of the blocks around.
    open: Vec<NodeId>,
    /// Whether the next text begins a line.
    broken: bool,
    /// Whether there is white space in front of the next text.
    apart: bool,
    /// Whether the next line stands beside the one in front of it, in the next cell.
    beside: bool,
    /// Leaves so far.
    row: u32,
}

impl Walk {
    fn close(&mut self, id: NodeId) {
        while self.open.last().is_some_and(|end| *end <= id) {
            self.open.pop();
            self.broken = true;
        }
    }

    fn open(&mut self, document: &Document, id: NodeId) {
        if self.blocks.has(document, id) {
            // A cell begins a line, but no leaf: a pair is one.
            let cell = matches!(document.name_id(id), Some(names::TD | names::TH));
            self.beside = cell && self.open_row(document, id);
            self.broken = true;
            self.open.push(document.subtree_end(id));
        } else if document.name_id(id) == Some(names::BR) {
            self.broken = true;
        }
    }

    /// Whether a row has had a text already.
    fn open_row(&self, document: &Document, cell: NodeId) -> bool {
        std::iter::successors(document.prev_sibling(cell), |&id| document.prev_sibling(id))
            .take(8)
            .any(|id| document.is_element(id))
            && self.row > 0
    }

    /// What an element looks like.
    fn look(&self, document: &Document, id: NodeId) -> u64 {
        let mut hash = self.hasher.build_hasher();
        hash.write_usize(document.name_id(id).map_or(0, |name| name.index()));
        if !matches!(document.name_id(id), Some(names::TR)) {
            hash.write(document.attr_by_id(id, names::CLASS).unwrap_or_default().as_bytes());
        }
        hash.finish()
    }
}

/// Whether an element's text is nothing that a page says: scripts, styles, the choices of forms.
fn is_no_content(document: &Document, id: NodeId) -> bool {
    document.namespace(id) != Namespace::Html
        || matches!(
            document.name_id(id),
            Some(
                names::SCRIPT
                    | names::STYLE
                    | names::NOSCRIPT
                    | names::TEMPLATE
                    | names::SELECT
                    | names::TEXTAREA
                    | names::OPTION
                    | names::DATALIST
                    | names::IFRAME
                    | names::NOFRAMES
                    | names::NOEMBED
            )
        )
}

/// Returns whether an element is a menu: what it says is the name of another page.
fn is_menu(document: &Document, id: NodeId) -> bool {
    document.name_id(id) == Some(names::NAV)
        || document.attr(id, "role").is_some_and(|role| role.trim().eq_ignore_ascii_case("navigation"))
}

/// Whether an element is a field of a form that shows: what stands in front of it is no label of what is behind.
fn is_control(document: &Document, id: NodeId) -> bool {
    match document.name_id(id) {
        Some(names::SELECT | names::TEXTAREA) => true,
        Some(names::INPUT) => {
            let kind = document.attr_by_id(id, names::TYPE).unwrap_or_default();
            !["hidden", "submit", "button", "image", "reset"].iter().any(|other| kind.eq_ignore_ascii_case(other))
        }
        _ => false,
    }
}

/// White space, and signs that are not seen: soft hyphens, marks of the direction of writing.
pub(super) fn is_space(c: char) -> bool {
    match c {
        '\0'..='\x7F' => c.is_ascii_whitespace(),
        _ => {
            c.is_whitespace()
                || matches!(c, '\u{AD}' | '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        }
    }
}

/// Whether a letter is of a script that writes no spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn collapse_into(text: &str, out: &mut String) {
    let mut apart = false;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if apart {
            out.push(' ');
        }
        out.push_str(word);
        apart = true;
    }
}

/// A letter as keywords are compared by: lower case, accents and compatibility forms aside.
fn fold(c: char, mut push: impl FnMut(char)) {
    match c {
        'A'..='Z' => push(c.to_ascii_lowercase()),
        '\0'..='\x7F' => push(c),
        '‘' | '’' | '´' | 'ʼ' => push('\''),
        '“' | '”' | '„' => push('"'),
        '–' | '—' | '‐' | '‑' | '−' => push('-'),
        'ß' | 'ẞ' => ['s', 's'].into_iter().for_each(push),
        'ς' => push('σ'),
        'ı' => push('i'),
        _ => decompose_compatible(c, |c| {
            if !is_combining_mark(c) {
                c.to_lowercase().for_each(&mut push);
            }
        }),
    }
}

/// Appends a text, folded.
pub(super) fn fold_into(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        fold_each(text, |_, c| fold(c, |c| out.push(c)));
    }
}

/// Goes over the letters of a text that are compared: of a script without spaces, those that only spread a word are left
/// out, as in `价　格`.
fn fold_each(text: &str, mut each: impl FnMut(usize, char)) {
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let between =
            c == ' ' && before.is_some_and(is_unspaced) && letters.peek().is_some_and(|(_, next)| is_unspaced(*next));
        if !between {
            each(at, c);
        }
        before = Some(c);
    }
}
