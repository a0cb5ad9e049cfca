//! The page as the learners see it: what a reader sees, each piece with a key that says how it stands in the tree.
//!
//! A *leaf* is one piece of content: a text (inline formatting joined), an image, a form value. A *step* is what an
//! element looks like by itself: its tag and its class words, those left out that only count or mark (`odd`, `item-17`,
//! what occurs once on the page). A *key* is the sequence of steps between two nodes as one number: with a rolling hash,
//! the key of a leaf below any of its ancestors is one subtraction, so a candidate list can be judged without walking
//! the tree again.
//!
//! # Cost
//!
//! Linear in the page; about 40 bytes a node, and what is kept of texts in one line (4 MiB at most) and of answers to selectors once they
//! are asked for.

use std::cell::{OnceCell, RefCell};
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NameId, NodeId, NodeKind, names};

use crate::alignment::shape::collapse;
use crate::induce::generated::looks_generated;
use crate::induce::selections::ElementIndex;

/// One piece of content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    /// The text, or the element whose content is one piece.
    pub(crate) node: NodeId,
    /// How much a reader sees of it: the root of its length.
    pub(crate) weight: f32,
    /// Its text, hashed.
    pub(crate) value: u64,
    /// Key of its node from the root.
    pub(crate) path: u64,
    /// The same by tags alone.
    pub(crate) plain: u64,
}

/// What keys are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Tags and class words.
    Class,
    /// Tags alone: records whose classes differ, but whose build does not.
    Tag,
}

/// What a reader does not see, but a script may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// It is left out.
    LeftOut,
    /// It counts.
    Shown,
}

/// The page's leaves and keys.
pub(crate) struct PageView<'d> {
    pub(crate) document: &'d Document,
    pub(crate) leaves: Vec<Leaf>,
    /// By node: the first leaf at or behind it.
    first: Vec<u32>,
    /// By node: its step.
    steps: Vec<u64>,
    /// By node: the key from the root down to it.
    paths: Vec<u64>,
    /// By node: the same by tags alone.
    plain: Vec<u64>,
    /// By node.
    depths: Vec<u16>,
    /// By node: whether a reader does not see it.
    hidden: Vec<bool>,
    /// By node: the elements in front of it that break the line, so that what is below a node can be counted at once.
    blocks: Vec<u32>,
    /// By leaf: what a reader sees of all in front of it.
    weights: Vec<f64>,
    powers: Vec<u64>,
    words: Words,
    parts: NamedParts,
    /// Whether a cell of some table covers rows below it.
    spans: bool,
    /// Texts in one line that were asked for.
    texts: RefCell<Texts>,
    /// The elements by class and by tag, once they are asked for.
    elements: OnceCell<Option<ElementIndex>>,
}

/// The columns of tables, a cell that covers several rows or columns standing in each of them.
#[derive(Default)]
struct Grids {
    /// The row that is being read in each table that is open, the innermost last.
    open: Vec<Grid>,
    has_spans: bool,
}

struct Grid {
    section: NodeId,
    row: NodeId,
    /// The next free column.
    next: usize,
    /// By column, how many rows below the last one are covered from above.
    covered: Vec<u16>,
    /// By column, whether this row is covered from above.
    taken: Vec<bool>,
}

/// Columns that are told apart; a `colspan` beyond says nothing.
const MOST_COLUMNS: usize = 256;

impl Grids {
    /// The column of a cell, from 0. Cells are asked for in the order of the document.
    fn column(&mut self, document: &Document, cell: NodeId) -> u16 {
        let Some(row) = document.parent(cell) else { return 0 };
        let section = document.parent(row).unwrap_or(row);
        while self.open.last().is_some_and(|grid| document.subtree_end(grid.section) <= cell) {
            self.open.pop();
        }
        if self.open.last().is_none_or(|grid| grid.section != section) {
            self.open.push(Grid { section, row, next: 0, covered: Vec::new(), taken: Vec::new() });
        }
        let Some(grid) = self.open.last_mut() else { return 0 };
        if grid.row != row {
            grid.row = row;
            grid.next = 0;
            grid.taken.clear();
            grid.taken.extend(grid.covered.iter().map(|&rows| rows > 0));
            grid.covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        }
        while grid.taken.get(grid.next).copied().unwrap_or(false) {
            grid.next += 1;
        }
        let span = |name| document.attr(cell, name).and_then(|value| value.trim().parse::<usize>().ok());
        let column = grid.next;
        let across = span("colspan").unwrap_or(1).clamp(1, MOST_COLUMNS);
        let down = span("rowspan").unwrap_or(1).clamp(1, usize::from(u16::MAX));
        grid.next = (column + across).min(MOST_COLUMNS);
        if down > 1 {
            self.has_spans = true;
            if grid.covered.len() < grid.next {
                grid.covered.resize(grid.next, 0);
            }
            grid.covered[column.min(grid.next)..grid.next].fill(down as u16 - 1);
        }
        column.min(MOST_COLUMNS) as u16
    }
}

/// Texts that are kept, by their nodes.
#[derive(Default)]
struct Texts {
    by_node: HashMap<NodeId, Rc<str>, FixedState>,
    /// The bytes of all of them.
    bytes: usize,
}

/// Bytes of the texts that are kept, at most: those of all records of the largest open page are a third of it. What stands deep in others is in
/// several of them.
const MOST_TEXT: usize = 4 << 20;

/// The base of the rolling hash: odd, so that multiplying loses nothing.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

impl<'d> PageView<'d> {
    pub(crate) fn new(document: &'d Document, unseen: Unseen) -> PageView<'d> {
        let count = document.len();
        // A fixed seed: the same page gives the same keys, whatever else the program does.
        let hasher = FixedState::default();
        let classes = Classes::new(document, &hasher);
        let mut view = PageView {
            document,
            leaves: Vec::new(),
            first: vec![0; count + 1],
            steps: vec![0; count],
            paths: vec![0; count],
            plain: vec![0; count],
            depths: vec![0; count],
            hidden: vec![false; count],
            blocks: vec![0; count + 1],
            weights: Vec::new(),
            powers: vec![1],
            words: Words::default(),
            parts: NamedParts::default(),
            spans: false,
            texts: RefCell::default(),
            elements: OnceCell::new(),
        };
        // The columns of a table differ by nothing but their number.
        let mut grids = Grids::default();
        let parts = NamedParts::new(document);
        let mut blocks = Blocks::default();
        let mut skip_until = NodeId::ROOT;
        for id in document.nodes() {
            let at = id.index();
            view.first[at] = view.leaves.len() as u32;
            let (above, plain_above, depth, hidden) = match document.parent(id) {
                Some(parent) => {
                    let parent = parent.index();
                    let depth = view.depths[parent].saturating_add(1);
                    (view.paths[parent], view.plain[parent], depth, view.hidden[parent])
                }
                None => (0, 0, 0, false),
            };
            let (step, plain) = match document.kind(id) {
                NodeKind::Element => {
                    let mut plain = tag_step(document, id);
                    let mut step = plain.wrapping_add(classes.step(id)).wrapping_add(parts.step(document, id));
                    if matches!(document.name_id(id), Some(names::TD | names::TH)) {
                        let column = u64::from(grids.column(document, id)) + 1;
                        step = step.wrapping_add(column << 48);
                        plain = plain.wrapping_add(column << 48);
                        view.spans |= grids.has_spans;
                    }
                    (step, plain)
                }
                NodeKind::Text => (1, 1),
                _ => (2, 2),
            };
            view.steps[at] = step;
            view.paths[at] = above.wrapping_mul(BASE).wrapping_add(step);
            view.plain[at] = plain_above.wrapping_mul(BASE).wrapping_add(plain);
            view.depths[at] = depth;
            view.blocks[at + 1] = view.blocks[at] + u32::from(blocks.has(document, id));
            // The choices of a form are no content.
            let choice = matches!(document.name_id(id), Some(names::SELECT | names::DATALIST));
            view.hidden[at] = hidden || choice || document.is_element(id) && is_hidden(document, id, unseen);
            while view.powers.len() <= usize::from(depth) + 1 {
                let next = view.powers[view.powers.len() - 1].wrapping_mul(BASE);
                view.powers.push(next);
            }
            if id < skip_until || view.hidden[at] {
                continue;
            }
            match document.kind(id) {
                NodeKind::Text => view.add_text(id, document.text(id), &hasher),
                NodeKind::Element if is_image(document.name_id(id)) => {
                    let alt = document.attr(id, "alt").unwrap_or_default();
                    let source = document.attr(id, "src").unwrap_or_default();
                    view.add_image(id, alt, source, &hasher);
                }
                NodeKind::Element if is_joined(document, id) => {
                    let text = document.visible_text(id);
                    view.add_text(id, &text, &hasher);
                    skip_until = document.subtree_end(id);
                }
                _ => {}
            }
        }
        view.first[count] = view.leaves.len() as u32;
        view.words = classes.words;
        view.parts = parts;
        let sums = view.leaves.iter().scan(0.0, |sum, leaf| {
            *sum += f64::from(leaf.weight);
            Some(*sum)
        });
        view.weights = std::iter::once(0.0).chain(sums).collect();
        view
    }

    /// The visible text of a node in one line.
    pub(crate) fn text(&self, id: NodeId) -> Rc<str> {
        if let Some(known) = self.texts.borrow().by_node.get(&id) {
            return Rc::clone(known);
        }
        let text: Rc<str> = collapse(&self.document.visible_text(id)).into();
        let mut texts = self.texts.borrow_mut();
        if texts.bytes + text.len() <= MOST_TEXT {
            texts.bytes += text.len();
            texts.by_node.insert(id, Rc::clone(&text));
        }
        text
    }

    /// The elements of the page by class and by tag; none if this page's classes cannot be looked up.
    pub(crate) fn elements(&self) -> Option<&ElementIndex> {
        let index = || ElementIndex::new(self.document, |id| usize::from(self.depth(id)));
        self.elements.get_or_init(index).as_ref()
    }

    /// The class words of an element that say what it is, as they may stand in a selector.
    pub(crate) fn class_words(&self, id: NodeId) -> Vec<&'d str> {
        let class = self.document.attr_by_id(id, names::CLASS).unwrap_or_default();
        let mut words: Vec<&str> =
            class.split_ascii_whitespace().filter(|word| self.words.says_what(word) && is_name(word)).collect();
        words.dedup();
        words
    }

    /// The class words of an element that may stand in a selector as they are written, made-up ones too, and that the page repeats.
    pub(crate) fn written_words(&self, id: NodeId) -> impl Iterator<Item = &'d str> {
        let class = self.document.attr_by_id(id, names::CLASS).unwrap_or_default();
        class.split_ascii_whitespace().filter(|word| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
                && self.words.count(word) > 1
        })
    }

    /// Returns the number of times that a value of an attribute occurs on the page.
    pub(crate) fn attribute_count(&self, value: &str) -> usize {
        self.parts.values.get(&hash_of(value.trim())).map_or(0, |&count| count as usize)
    }

    /// How often a class word occurs on the page.
    pub(crate) fn word_count(&self, word: &str) -> usize {
        self.words.count(word) as usize
    }

    /// The same as [`class_words`](Self::class_words), with those that occur once.
    pub(crate) fn words_of(&self, id: NodeId) -> Vec<&'d str> {
        let class = self.document.attr_by_id(id, names::CLASS).unwrap_or_default();
        class.split_ascii_whitespace().filter(|word| !self.words.only_marks(word) && is_name(word)).collect()
    }

    fn add_text(&mut self, node: NodeId, text: &str, hasher: &FixedState) {
        // Much of a page's text is what indents its source.
        if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return;
        }
        let mut length = 0usize;
        let mut hash = hasher.build_hasher();
        for word in text.split_whitespace() {
            // Two for a letter that is a word by itself: Chinese, Japanese, Korean.
            length += word.chars().map(|c| if c as u32 >= 0x2E80 { 2 } else { 1 }).sum::<usize>();
            hash.write(word.as_bytes());
            hash.write_u8(b' ');
        }
        if length > 0 && text.chars().any(char::is_alphanumeric) {
            let (path, plain) = (self.paths[node.index()], self.plain[node.index()]);
            let weight = (length.min(400) as f32).sqrt();
            self.leaves.push(Leaf { node, weight, value: hash.finish(), path, plain });
        }
    }

    fn add_image(&mut self, node: NodeId, alt: &str, source: &str, hasher: &FixedState) {
        if source.is_empty() && alt.is_empty() {
            return;
        }
        let mut hash = hasher.build_hasher();
        hash.write(source.as_bytes());
        hash.write(alt.as_bytes());
        let (path, plain) = (self.paths[node.index()], self.plain[node.index()]);
        self.leaves.push(Leaf { node, weight: 2.0, value: hash.finish(), path, plain });
    }

    /// The leaves in a run of nodes: from `first` up to the node `end`.
    pub(crate) fn leaves_in(&self, first: NodeId, end: NodeId) -> &[Leaf] {
        &self.leaves[self.first[first.index()] as usize..self.first[end.index()] as usize]
    }

    /// What a reader sees of a run of nodes.
    pub(crate) fn weight_in(&self, first: NodeId, end: NodeId) -> f32 {
        let before = |id: NodeId| self.weights[self.first[id.index()] as usize];
        (before(end) - before(first)) as f32
    }

    /// The leaves below a node.
    pub(crate) fn leaves_below(&self, id: NodeId) -> &[Leaf] {
        self.leaves_in(id, self.document.subtree_end(id))
    }

    /// Whether a reader sees something at a node: a leaf, one below it, or a part of one.
    pub(crate) fn has_content(&self, id: NodeId) -> bool {
        let at = self.first[id.index()] as usize;
        if at < self.first[self.document.subtree_end(id).index()] as usize {
            return true;
        }
        let within = at > 0 && self.document.subtree_end(self.leaves[at - 1].node) > id;
        within && self.document.text_content(id).contains(char::is_alphanumeric)
    }

    /// The key of a leaf as seen from one of its ancestors.
    pub(crate) fn key_below(&self, ancestor: NodeId, leaf: &Leaf, by: By) -> u64 {
        let down = usize::from(self.depths[leaf.node.index()] - self.depths[ancestor.index()]);
        let (path, above) = match by {
            By::Class => (leaf.path, self.paths[ancestor.index()]),
            By::Tag => (leaf.plain, self.plain[ancestor.index()]),
        };
        path.wrapping_sub(above.wrapping_mul(self.powers[down]))
    }

    /// The keys of a node as seen from one of its ancestors, by classes and by tags.
    pub(crate) fn node_keys_below(&self, ancestor: NodeId, id: NodeId) -> [u64; 2] {
        let down = usize::from(self.depths[id.index()] - self.depths[ancestor.index()]);
        let below =
            |keys: &[u64]| keys[id.index()].wrapping_sub(keys[ancestor.index()].wrapping_mul(self.powers[down]));
        [below(&self.paths), below(&self.plain)]
    }

    /// The last leaf in front of a node.
    pub(crate) fn leaf_before(&self, id: NodeId) -> Option<&Leaf> {
        self.leaves.get((self.first[id.index()] as usize).checked_sub(1)?)
    }

    /// The number of elements around a node.
    pub(crate) fn depth(&self, id: NodeId) -> u16 {
        self.depths[id.index()]
    }

    pub(crate) fn step(&self, id: NodeId) -> u64 {
        self.steps[id.index()]
    }

    /// Whether an element's classes say what it is.
    pub(crate) fn has_class(&self, id: NodeId) -> bool {
        self.steps[id.index()] != tag_step(self.document, id) && self.document.name_id(id) != Some(names::TD)
    }

    pub(crate) fn path(&self, id: NodeId) -> u64 {
        self.paths[id.index()]
    }

    /// Whether all that is below a node stands in one line, but for `br`.
    pub(crate) fn is_inline(&self, id: NodeId) -> bool {
        self.blocks[self.document.subtree_end(id).index()] == self.blocks[id.index() + 1]
    }

    /// The column of a cell in its table, from 1; 0 for what is no cell.
    pub(crate) fn column(&self, cell: NodeId) -> u64 {
        self.plain_step(cell).wrapping_sub(tag_step(self.document, cell)) >> 48
    }

    /// The column of a cell in its table, from 0, if some table of the page has cells that cover rows below them: then the
    /// number of a cell in its row does not tell.
    pub(crate) fn spanned_column(&self, cell: NodeId) -> Option<u32> {
        let is_cell = matches!(self.document.name_id(cell), Some(names::TD | names::TH));
        let plain = tag_step(self.document, cell);
        let own = self.plain_step(cell).wrapping_sub(plain) >> 48;
        (self.spans && is_cell && own > 0).then(|| own as u32 - 1)
    }

    /// The step of a node by its tag, and of a cell by its column.
    fn plain_step(&self, id: NodeId) -> u64 {
        let above = self.document.parent(id).map_or(0, |parent| self.plain[parent.index()]);
        self.plain[id.index()].wrapping_sub(above.wrapping_mul(BASE))
    }

    /// Whether a node begins a line of its own.
    pub(crate) fn is_block(&self, id: NodeId) -> bool {
        self.blocks[id.index() + 1] > self.blocks[id.index()]
    }

    pub(crate) fn is_hidden(&self, id: NodeId) -> bool {
        self.hidden[id.index()]
    }
}

/// The class words of the page, weighed by how the page uses them.
#[derive(Default)]
struct Words {
    /// Number of times that each occurs.
    counts: HashMap<u64, u32, FixedState>,
    /// By a word without the number at its end.
    numbers: HashMap<u64, Numbers, FixedState>,
}

/// Words that differ by a number at their end only.
#[derive(Default)]
struct Numbers {
    /// Their number.
    many: u32,
    /// The same one stands on several children of one element, beside another one: rows are striped.
    striped: bool,
}

/// So many numbers behind one word count; fewer may name columns.
const COUNTING: u32 = 8;

/// Letters of a word that may name a column together with its number: `c2`, `td3`.
const SHORT: usize = 2;

impl Words {
    /// Adds the words of a class that occurs so often.
    fn add(&mut self, class: &str, often: u32) {
        for word in class.split_ascii_whitespace() {
            let count = self.counts.entry(hash_of(word)).or_default();
            if *count == 0
                && let Some(stem) = numbered(word)
            {
                self.numbers.entry(hash_of(stem)).or_default().many += 1;
            }
            *count += often;
        }
    }

    /// Sees which numbers at the ends of words stripe the children of an element.
    fn see_stripes(&mut self, document: &Document) {
        self.numbers.retain(|_, numbers| numbers.many > 1);
        if self.numbers.is_empty() {
            return;
        }
        // By an element and a word without its number: the number met first, and whether it is met again and another one, too.
        let mut children: HashMap<(NodeId, u64), (u64, bool, bool), FixedState> = HashMap::default();
        for id in document.nodes().filter(|&id| document.is_element(id)) {
            let Some(class) = document.attr_by_id(id, names::CLASS) else { continue };
            for word in class.split_ascii_whitespace() {
                let Some(stem) = numbered(word).map(hash_of) else { continue };
                let Some(numbers) = self.numbers.get_mut(&stem).filter(|numbers| !numbers.striped) else { continue };
                let number = hash_of(word);
                let known = children.entry((document.parent(id).unwrap_or(id), stem)).or_insert((number, false, false));
                if known.0 == number {
                    // The first time it is only met.
                    known.1 |= known.2;
                } else {
                    known.2 = true;
                }
                numbers.striped = known.1;
            }
        }
    }

    fn count(&self, word: &str) -> u32 {
        self.counts.get(&hash_of(word)).copied().unwrap_or(0)
    }

    /// Returns whether a class word says what an element is: it occurs more than once, and does not only count.
    fn says_what(&self, word: &str) -> bool {
        self.count(word) > 1 && !self.only_marks(word)
    }

    /// Returns whether a class word says where an element stands among its like, not what it is: `odd`, `r0` in turn with `r1`, `item-17` of many.
    fn only_marks(&self, word: &str) -> bool {
        const MARKS: &[&str] = &[
            "odd", "even", "first", "last", "alt", "active", "selected", "current", "hover", "new", "clear", "clearfix",
        ];
        let counts = |numbers: &Numbers| numbers.striped || numbers.many > COUNTING;
        let is_counted = || {
            numbered(word).is_some_and(|stem| {
                stem.len() > SHORT && !looks_generated(word) || self.numbers.get(&hash_of(stem)).is_some_and(counts)
            })
        };
        MARKS.iter().any(|mark| word.eq_ignore_ascii_case(mark)) || is_counted()
    }
}

fn hash_of(word: &str) -> u64 {
    FixedState::default().hash_one(word.as_bytes())
}

/// A class word without the number at its end, if that number may count: a number alone or in the middle names something.
fn numbered(word: &str) -> Option<&str> {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < word.len() && !stem.is_empty() && !word.contains("col") && !stem.ends_with('h')).then_some(stem)
}

/// What the classes of all elements say. Pages say the same few classes again and again: each is taken apart once.
struct Classes {
    words: Words,
    /// By node: the number of its class from 1 on, or 0.
    numbers: Vec<u32>,
    /// By number: what of a step it is.
    steps: Vec<u64>,
}

impl Classes {
    fn new(document: &Document, hasher: &FixedState) -> Classes {
        let mut numbers = vec![0u32; document.len()];
        let mut known: HashMap<&str, u32, FixedState> = HashMap::default();
        let mut all: Vec<(&str, u32)> = Vec::new();
        for id in document.nodes().filter(|&id| document.is_element(id)) {
            let Some(class) = document.attr_by_id(id, names::CLASS) else { continue };
            let number = *known.entry(class).or_insert_with(|| {
                all.push((class, 0));
                all.len() as u32
            });
            all[number as usize - 1].1 += 1;
            numbers[id.index()] = number;
        }
        let mut words = Words::default();
        for (class, often) in &all {
            words.add(class, *often);
        }
        words.see_stripes(document);
        let step = |class: &str| {
            // Added, so that the order of the words does not count.
            let sum = |made_up: bool| {
                let told = class
                    .split_ascii_whitespace()
                    .filter(|word| words.says_what(word) && looks_generated(word) == made_up);
                told.fold(0u64, |sum, word| sum.wrapping_add(hasher.hash_one(word.as_bytes()) | 1))
            };
            // Words that a program made up tell states apart as well as things; they say what an element is where nothing else does.
            match sum(false) {
                0 => sum(true),
                told => told,
            }
        };
        let steps = std::iter::once(0).chain(all.iter().map(|(class, _)| step(class))).collect();
        Classes { words, numbers, steps }
    }

    /// What the class of an element adds to its step.
    fn step(&self, id: NodeId) -> u64 {
        self.steps[self.numbers[id.index()] as usize]
    }
}

/// Attributes in which pages name their parts for programs: microdata, tests, and the headings of cells on narrow screens.
const NAMED_IN: [&str; 13] = [
    "itemprop",
    "data-field",
    "data-column",
    "data-testid",
    "data-test",
    "data-test-id",
    "data-qa",
    "data-cy",
    "data-at",
    "data-hook",
    "data-automation",
    "data-label",
    "data-th",
];

/// The names of elements in attributes that the page uses for names: the same few again and again.
#[derive(Default)]
struct NamedParts {
    attributes: Vec<&'static str>,
    /// Number of times that each short value of an attribute stands on the page.
    values: HashMap<u64, u32, FixedState>,
}

/// Bytes of the longest value of an attribute that may be a name.
const LONGEST_VALUE: usize = 160;

impl NamedParts {
    fn new(document: &Document) -> NamedParts {
        let mut values: HashMap<u64, u32, FixedState> = HashMap::default();
        let mut uses: [(usize, HashSet<u64, FixedState>); NAMED_IN.len()] = Default::default();
        for id in document.nodes().filter(|&id| document.is_element(id)) {
            for attribute in document.attrs(id) {
                let value = attribute.value().trim();
                if !value.is_empty()
                    && value.len() <= LONGEST_VALUE
                    && !matches!(attribute.name(), "class" | "href" | "src" | "style")
                {
                    *values.entry(hash_of(value)).or_default() += 1;
                }
                if let Some(at) = NAMED_IN.iter().position(|name| *name == attribute.name()) {
                    uses[at].0 += 1;
                    uses[at].1.insert(hash_of(attribute.value()));
                }
            }
        }
        let few = |(at, uses): (usize, &(usize, HashSet<u64, FixedState>))| {
            (uses.1.len() * 2 <= uses.0 && uses.0 > 0).then(|| NAMED_IN[at])
        };
        NamedParts { values, attributes: uses.iter().enumerate().filter_map(few).collect() }
    }

    /// Returns what the name of an element adds to its step. A name with a digit in it may number the records.
    fn step(&self, document: &Document, id: NodeId) -> u64 {
        let is_word =
            |value: &&str| !value.is_empty() && value.len() <= 40 && !value.contains(|c: char| c.is_ascii_digit());
        let named = self.attributes.iter().find_map(|name| document.attr(id, name).filter(is_word));
        named.map_or(0, |value| hash_of(value) | 1)
    }
}

fn tag_step(document: &Document, id: NodeId) -> u64 {
    document.name_id(id).map_or(0, |name| name.index() as u64 + 16).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Returns whether a word may stand in a selector, and was chosen by a person.
fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    word.starts_with(char::is_alphabetic) && word.chars().all(plain) && !looks_generated(word)
}

/// Whether an element is no content: never, or not unless a script shows it.
fn is_hidden(document: &Document, id: NodeId, unseen: Unseen) -> bool {
    let by_style =
        || document.attr_by_id(id, names::STYLE).is_some() || document.attr_by_id(id, names::HIDDEN).is_some();
    document.is_hidden(id) && (unseen == Unseen::LeftOut || !by_style())
}

fn is_image(name: Option<NameId>) -> bool {
    matches!(name, Some(names::IMG))
}

/// Whether an element is a heading.
pub(crate) fn is_heading(document: &Document, id: NodeId) -> bool {
    matches!(document.name(id), Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// Whether the classes of two elements have a word in common, or neither has any.
pub(crate) fn share_class(document: &Document, one: NodeId, other: NodeId) -> bool {
    let words = |id: NodeId| document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace();
    match (words(one).next().is_some(), words(other).next().is_some()) {
        (false, false) => true,
        (true, true) => words(one).any(|word| words(other).any(|other| other == word)),
        _ => false,
    }
}

/// Whether an element only gives its content a look.
pub(crate) fn is_formatting(document: &Document, id: NodeId) -> bool {
    let plain = || document.attr_by_id(id, names::CLASS).is_none() && document.attr(id, "id").is_none();
    match document.name(id) {
        Some(
            "b" | "i" | "em" | "strong" | "u" | "s" | "small" | "big" | "sub" | "sup" | "font" | "mark" | "code" | "tt"
            | "wbr" | "ins" | "del" | "abbr" | "acronym" | "q" | "bdi" | "bdo" | "kbd" | "samp" | "var" | "dfn"
            | "nobr",
        ) => true,
        Some("span") => plain(),
        _ => false,
    }
}

/// Which elements begin a line of their own, by their names: each is read once.
#[derive(Default)]
pub(crate) struct Blocks(Vec<Option<bool>>);

impl Blocks {
    pub(crate) fn has(&mut self, document: &Document, id: NodeId) -> bool {
        let Some(name) = document.name_id(id) else { return false };
        if self.0.len() <= name.index() {
            self.0.resize(name.index() + 1, None);
        }
        *self.0[name.index()].get_or_insert_with(|| document.name(id).is_some_and(is_block))
    }
}

/// Whether an element of this name begins a line of its own.
fn is_block(name: &str) -> bool {
    let text = matches!(
        name,
        "div" | "p" | "ul" | "ol" | "li" | "dl" | "dt" | "dd" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "hr" | "pre"
    );
    let table = matches!(name, "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "caption");
    let part = matches!(name, "section" | "article" | "header" | "footer" | "aside" | "nav" | "main" | "form" | "menu");
    text || table || part || matches!(name, "figure" | "figcaption" | "blockquote" | "address" | "center" | "fieldset")
}

/// Returns whether an element's content is one piece: text of its own, with nothing in it but text and formatting. Comments between texts, as
/// scripts that build pages leave them, part nothing that a reader sees.
fn is_joined(document: &Document, id: NodeId) -> bool {
    let mut texts = 0;
    let mut formatted = false;
    for child in document.children(id) {
        match document.kind(child) {
            NodeKind::Text => texts += usize::from(!document.text(child).trim_start().is_empty()),
            NodeKind::Element if is_formatting(document, child) && only_formatting(document, child) => formatted = true,
            NodeKind::Element => return false,
            _ => {}
        }
    }
    texts > 1 || texts > 0 && formatted
}

fn only_formatting(document: &Document, id: NodeId) -> bool {
    document.descendants(id).take(64).all(|below| !document.is_element(below) || is_formatting(document, below))
}
