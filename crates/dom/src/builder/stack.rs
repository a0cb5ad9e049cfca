//! The stack of open elements, which tests whether an element is in scope in constant time.
//!
//! The standard does this by walking down the stack, which makes deep pages quadratic. Here each name knows its
//! topmost open element, and each kind of scope the positions of its boundaries: an element is in scope if it is not
//! below the topmost boundary. Entries remember what they covered, so popping restores it.

use crate::document::Namespace;
use crate::names::{self, NameId, traits};

/// A kind of scope: the elements that end a search down the stack. The numbers index [`Stack::bounds`] and the bits
/// of [`Open::marks`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    Default,
    ListItem,
    Button,
    Table,
    /// Any special element: the target of a stray end tag must be above it.
    Special,
    /// Special elements other than `address`, `div` and `p`: for the search of `li`, `dd`, `dt`.
    Item,
    /// The HTML element below a run of foreign ones: the target of an end tag in SVG or MathML must be above it.
    Foreign,
    /// Elements that determine the insertion mode.
    Mode,
}

const SCOPES: usize = 8;

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) node: u32,
    /// Lower-cased tag name, also for foreign elements.
    pub(super) name: NameId,
    /// Node that its children are added to: the node itself, or the contents of a template.
    pub(super) inside: u32,
    pub(super) namespace: Namespace,
    /// `true` for an `annotation-xml` that contains HTML.
    pub(super) html_point: bool,
    /// Scopes it bounds.
    marks: u8,
    /// Position of the next element with that name further down.
    below: u32,
}

impl Open {
    pub(super) fn new(node: u32, name: NameId, namespace: Namespace) -> Open {
        Open { node, name, inside: node, namespace, html_point: false, marks: 0, below: 0 }
    }

    #[inline]
    pub(super) fn is_html(&self, name: NameId) -> bool {
        self.name == name && self.namespace == Namespace::Html
    }

    #[inline]
    pub(super) fn is_any(&self, names: &[NameId]) -> bool {
        self.namespace == Namespace::Html && names.contains(&self.name)
    }

    /// Returns the traits of the element: those of its name if it is HTML, scope boundaries for a few foreign ones.
    #[inline]
    pub(super) fn traits(&self) -> u16 {
        if self.namespace == Namespace::Html {
            self.name.traits()
        } else if self.is_text_point() || self.is_html_point() || self.is_annotation() {
            traits::SPECIAL | traits::SCOPE
        } else {
            0
        }
    }

    pub(super) fn is_special(&self) -> bool {
        self.traits() & traits::SPECIAL != 0
    }

    fn is_annotation(&self) -> bool {
        self.namespace == Namespace::MathMl && self.name == names::ANNOTATION_XML
    }

    /// Returns `true` for a MathML text integration point.
    pub(super) fn is_text_point(&self) -> bool {
        self.namespace == Namespace::MathMl
            && matches!(self.name, names::MI | names::MO | names::MN | names::MS | names::MTEXT)
    }

    /// Returns `true` for an HTML integration point.
    pub(super) fn is_html_point(&self) -> bool {
        match self.namespace {
            Namespace::Svg => matches!(self.name, names::FOREIGNOBJECT | names::DESC | names::TITLE),
            Namespace::MathMl => self.html_point,
            _ => false,
        }
    }
}

/// Returns the scopes that an element with these traits bounds, as bits.
const fn marks(bits: u16, item_exempt: bool) -> u8 {
    const fn bit(scope: Scope) -> u8 {
        1 << scope as u8
    }
    let mut marks = 0;
    if bits & traits::SPECIAL != 0 {
        marks |= bit(Scope::Special);
        if !item_exempt {
            marks |= bit(Scope::Item);
        }
    }
    if bits & traits::SCOPE != 0 {
        marks |= bit(Scope::Default) | bit(Scope::ListItem) | bit(Scope::Button);
    }
    if bits & traits::LIST_SCOPE != 0 {
        marks |= bit(Scope::ListItem);
    }
    if bits & traits::BUTTON_SCOPE != 0 {
        marks |= bit(Scope::Button);
    }
    if bits & traits::TABLE_SCOPE != 0 {
        marks |= bit(Scope::Table);
    }
    if bits & traits::MODE != 0 {
        marks |= bit(Scope::Mode);
    }
    marks
}

/// [`marks`] of the HTML elements, by name id.
static MARKS: [u8; names::ELEMENT_TRAITS.len()] = {
    let mut out = [0; names::ELEMENT_TRAITS.len()];
    let mut id = 0;
    while id < out.len() {
        let exempt = id == names::ADDRESS.index() || id == names::DIV.index() || id == names::P.index();
        out[id] = marks(names::ELEMENT_TRAITS[id], exempt);
        id += 1;
    }
    out
};

/// The stack; see the [module documentation](self). Positions are one-based where zero means "none".
#[derive(Debug, Default)]
pub(super) struct Stack {
    open: Vec<Open>,
    /// Topmost position by name: of HTML elements, then of foreign ones.
    top: Vec<u32>,
    top_foreign: Vec<u32>,
    /// Positions of the boundaries of each scope, the topmost last.
    bounds: [Vec<u32>; SCOPES],
}

impl Stack {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    #[inline]
    pub(super) fn last(&self) -> Option<&Open> {
        self.open.last()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&Open> {
        self.open.get(index)
    }

    /// Opens an HTML element that is not a template. Takes the words of the entry one by one, in registers, as
    /// [`Tree::append`](super::tree::Tree::append) does.
    #[inline]
    pub(super) fn push_html(&mut self, node: u32, name: NameId) {
        let index = name.index();
        if index >= self.top.len() {
            self.top.resize((index + 1).max(names::fixed_len()), 0);
        }
        let position = self.open.len() as u32 + 1;
        let below = std::mem::replace(&mut self.top[index], position);
        let marks = MARKS.get(index).copied().unwrap_or(0);
        if marks != 0 {
            self.push_bounds(marks, position);
        }
        let (inside, namespace, html_point) = (node, Namespace::Html, false);
        self.open.push(Open { node, name, inside, namespace, html_point, marks, below });
    }

    #[inline]
    fn push_bounds(&mut self, marks: u8, position: u32) {
        let mut marks = marks;
        while marks != 0 {
            let scope = marks.trailing_zeros() as usize;
            marks &= marks - 1;
            self.bounds[scope].push(if scope == Scope::Foreign as usize { position - 1 } else { position });
        }
    }

    #[inline]
    pub(super) fn push(&mut self, mut open: Open) {
        let index = open.name.index();
        let top = if open.namespace == Namespace::Html { &mut self.top } else { &mut self.top_foreign };
        if index >= top.len() {
            top.resize((index + 1).max(names::fixed_len()), 0);
        }
        let position = self.open.len() as u32 + 1;
        open.below = std::mem::replace(&mut top[index], position);
        open.marks = self.marks_of(&open);
        self.push_bounds(open.marks, position);
        self.open.push(open);
    }

    /// Returns the scopes that a new element bounds, as bits.
    #[inline]
    fn marks_of(&self, open: &Open) -> u8 {
        if open.namespace == Namespace::Html {
            return MARKS.get(open.name.index()).copied().unwrap_or(0);
        }
        let first = self.open.last().is_none_or(|below| below.namespace == Namespace::Html);
        marks(open.traits(), false) | if first { 1 << Scope::Foreign as u8 } else { 0 }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        let top = if open.namespace == Namespace::Html { &mut self.top } else { &mut self.top_foreign };
        top[open.name.index()] = open.below;
        let mut marks = open.marks;
        while marks != 0 {
            self.bounds[marks.trailing_zeros() as usize].pop();
            marks &= marks - 1;
        }
        Some(open)
    }

    /// Returns the indexes of a scope's boundaries, beginning with the topmost.
    pub(super) fn boundaries(&self, scope: Scope) -> impl Iterator<Item = usize> + '_ {
        self.bounds[scope as usize].iter().rev().map(|&position| position as usize - 1)
    }

    /// Returns the position of a scope's topmost boundary; zero if there is none.
    #[inline]
    fn bound(&self, scope: Scope) -> u32 {
        self.bounds[scope as usize].last().copied().unwrap_or(0)
    }

    /// Returns the index of the topmost open HTML element with that name.
    #[inline]
    pub(super) fn topmost(&self, name: NameId) -> Option<usize> {
        match self.top.get(name.index()) {
            Some(&position) if position > 0 => Some(position as usize - 1),
            _ => None,
        }
    }

    /// Returns the index of the topmost HTML element with that name, if it is in scope.
    #[inline]
    pub(super) fn find(&self, name: NameId, scope: Scope) -> Option<usize> {
        let index = self.topmost(name)?;
        (index as u32 + 1 >= self.bound(scope)).then_some(index)
    }

    #[inline]
    pub(super) fn has(&self, name: NameId, scope: Scope) -> bool {
        self.find(name, scope).is_some()
    }

    /// Returns the index of the topmost element with one of several names, if it is in scope.
    pub(super) fn find_any(&self, names: &[NameId], scope: Scope) -> Option<usize> {
        names.iter().filter_map(|&name| self.find(name, scope)).max()
    }

    /// Returns the topmost foreign element with that name above all HTML elements.
    pub(super) fn find_foreign(&self, name: NameId) -> Option<usize> {
        match self.top_foreign.get(name.index()) {
            Some(&position) if position > self.bound(Scope::Foreign) => Some(position as usize - 1),
            _ => None,
        }
    }

    /// Returns the index of a node among the open HTML elements with that name.
    pub(super) fn index_of(&self, node: u32, name: NameId) -> Option<usize> {
        let mut index = self.topmost(name)?;
        loop {
            let open = &self.open[index];
            if open.node == node {
                return Some(index);
            }
            if open.below == 0 {
                return None;
            }
            index = open.below as usize - 1;
        }
    }

    /// Returns `true` if the element at an index is in scope.
    pub(super) fn in_scope(&self, index: usize, scope: Scope) -> bool {
        index as u32 + 1 >= self.bound(scope)
    }

    /// Replaces everything from `index` up by other elements.
    pub(super) fn replace_from(&mut self, index: usize, elements: &[Open]) {
        while self.open.len() > index {
            self.pop();
        }
        for &open in elements {
            self.push(open);
        }
    }

    /// Returns the elements from `index` up.
    pub(super) fn from(&self, index: usize) -> &[Open] {
        self.open.get(index..).unwrap_or(&[])
    }
}
