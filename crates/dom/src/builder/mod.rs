//! The tree builder: builds a tree from lexemes by the HTML standard's insertion modes.
//!
//! Reading order: [`tree`] (storage of nodes while they move), [`stack`] (the open elements), this file (inserting),
//! [`modes`] (the meaning of each tag in each context), [`formatting`] (misnested `<b>` and `<a>`), [`foreign`] (SVG
//! and MathML), [`selected`] (the copy of the selected option that a customised `select` shows).
//!
//! The modes follow the standard's section 13.2.6 step by step. The implementation differs from a transcription in
//! its cost: no step walks the stack ([`stack`]), no node is linked before it must be ([`tree`]), and a tag's
//! attributes are never copied.

mod foreign;
mod foreign_table;
mod formatting;
mod modes;
mod quirks;
mod selected;
mod stack;
mod tree;

use crate::arena::{DecodedString, NONE, Node, StrRef};
use crate::document::{Doctype, Document, Namespace, NodeKind, QuirksMode};
use crate::encoding::EncodingDecision;
use crate::names::{self, NameId, traits};
use crate::options::{Note, ParseOptions};
use crate::span::Span;
use crate::tokenizer::{DoctypeTag, Lexeme, Model, StartTag, Text, Tokenizer};
use formatting::Entry;
use modes::Mode;
use stack::{Open, Scope, Stack};
use tree::{Place, Tree};

/// Largest number of open elements. The tree stops growing deeper long before ([`Limits::depth`](crate::Limits)); at
/// this limit, opening an element closes the previous one, so that the stack stays small.
const MAX_OPEN: usize = 1 << 14;

/// Spans are 32-bit and string lengths 31-bit.
const MAX_SOURCE: usize = 1 << 30;

/// Parses a page.
pub(crate) fn page(source: String, encoding: EncodingDecision, options: &ParseOptions) -> Document {
    run(source, encoding, None, options)
}

/// Parses a fragment in the context of an element, given as `name`, `svg name` or `math name`.
pub(crate) fn fragment(source: String, context: &str, options: &ParseOptions) -> Document {
    run(source, EncodingDecision::TEXT, Some(context), options)
}

fn run(mut source: String, encoding: EncodingDecision, context: Option<&str>, options: &ParseOptions) -> Document {
    let mut notes = Vec::new();
    let limit = options.limits.source_bytes.min(MAX_SOURCE);
    if source.len() > limit {
        let cut = source.floor_char_boundary(limit);
        notes.push(Note::SourceCut { dropped: source.len() - cut });
        source.truncate(cut);
    }
    let mut builder = Builder::new(&source, context, options, notes);
    builder.run();
    let parts = builder.finish();
    Document {
        nodes: parts.nodes,
        strings: parts.strings,
        doctypes: parts.doctypes,
        templates: parts.templates,
        main_len: parts.main_len,
        quirks: parts.quirks,
        notes: parts.notes,
        encoding,
        source,
    }
}

/// The builder's result: a document without its source, which the builder only borrows.
struct Parts {
    nodes: Vec<Node>,
    strings: crate::arena::Strings,
    doctypes: Vec<Doctype>,
    templates: Vec<(crate::NodeId, crate::NodeId)>,
    main_len: u32,
    quirks: QuirksMode,
    notes: Vec<Note>,
}

/// An item for the current mode to process.
#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    Start(StartTag),
    End(NameId, Span),
    /// Characters; if [`Text::has_nul`] is set, only NULs.
    Text(Text),
    Comment(Text),
    Doctype(&'a DoctypeTag),
    Eof,
}

/// The builder; see the [module documentation](self).
struct Builder<'s> {
    tokenizer: Tokenizer<'s>,
    tree: Tree,
    stack: Stack,
    formatting: Vec<Entry>,
    mode: Mode,
    /// Mode to return to after a raw text or the texts of a table.
    original: Mode,
    template_modes: Vec<Mode>,
    head: Option<u32>,
    form: Option<u32>,
    frameset_ok: bool,
    /// `true` if content that does not belong in a table is placed before it.
    foster: bool,
    /// `true` if a line feed directly after `<pre>` has to be dropped.
    skip_line_feed: bool,
    /// `true` once `html` or `body` has all the attributes it may have.
    attributes_full: bool,
    /// `true` if an element kept the current tag's attributes.
    claimed: bool,
    /// Characters in a table, until it is known whether they may stay there.
    table_texts: Vec<Text>,
    /// Context element of a fragment.
    context: Option<Open>,
    doctypes: Vec<Doctype>,
    quirks: QuirksMode,
    scripting: bool,
    notes: Vec<Note>,
    max_depth: usize,
    max_nodes: usize,
    max_attrs: usize,
    depth_noted: bool,
    /// Remaining budget for repairing misnested content.
    repairs: usize,
    repairs_noted: bool,
    lexeme_start: u32,
    selected_contents: bool,
}

impl<'s> Builder<'s> {
    fn new(source: &'s str, context: Option<&str>, options: &ParseOptions, notes: Vec<Note>) -> Builder<'s> {
        let root = if context.is_some() { NodeKind::Fragment } else { NodeKind::Document };
        let limits = &options.limits;
        let mut builder = Builder {
            tokenizer: Tokenizer::new(source, limits.attributes),
            // Pages have about one node per fifty bytes; excess capacity is released at the end.
            tree: Tree::new(root, source.len() / 48 + 16),
            stack: Stack::default(),
            formatting: Vec::new(),
            mode: Mode::Initial,
            original: Mode::Initial,
            template_modes: Vec::new(),
            head: None,
            form: None,
            frameset_ok: true,
            foster: false,
            skip_line_feed: false,
            attributes_full: false,
            claimed: false,
            table_texts: Vec::new(),
            context: None,
            doctypes: Vec::new(),
            quirks: QuirksMode::None,
            scripting: options.scripting,
            notes,
            max_depth: limits.depth.max(16),
            max_nodes: limits.nodes.min(NONE as usize - 1),
            max_attrs: limits.attributes,
            depth_noted: false,
            repairs: source.len().saturating_mul(limits.repairs_per_byte).saturating_add(1000),
            repairs_noted: false,
            lexeme_start: 0,
            selected_contents: false,
        };
        if let Some(context) = context {
            builder.enter(context);
        }
        builder
    }

    /// Prepares for parsing a fragment: the root acts as the `html` element.
    fn enter(&mut self, context: &str) {
        let (namespace, name) = match context.split_once(' ') {
            Some(("svg", name)) => (Namespace::Svg, name),
            Some(("math", name)) => (Namespace::MathMl, name),
            _ => (Namespace::Html, context),
        };
        let name = self.tokenizer.intern(&name.to_ascii_lowercase());
        self.context = Some(Open::new(0, name, namespace));
        if namespace == Namespace::Html {
            let model = match name {
                names::TITLE | names::TEXTAREA => Model::Rcdata,
                names::STYLE | names::XMP | names::IFRAME | names::NOEMBED | names::NOFRAMES => Model::Rawtext,
                names::SCRIPT => Model::Script,
                names::NOSCRIPT if self.scripting => Model::Rawtext,
                names::PLAINTEXT => Model::Plaintext,
                _ => Model::Data,
            };
            self.tokenizer.set_model(model, None);
            if name == names::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
            if name == names::FORM {
                self.form = Some(0);
            }
        }
        self.stack.push(Open::new(0, names::HTML, Namespace::Html));
        self.reset_mode();
    }

    fn run(&mut self) {
        loop {
            let foreign = self.adjusted().is_some_and(|open| open.namespace != Namespace::Html);
            // Most of a page is body, or cells, which are like the body except for the tags of tables: this takes the
            // direct path.
            let body = !foreign && self.mode == Mode::InBody;
            let cell = !foreign && self.mode == Mode::InCell;
            self.lexeme_start = self.tokenizer.position() as u32;
            let lexeme = self.tokenizer.next(foreign);
            match &lexeme {
                Lexeme::StartTag(tag) => {
                    self.lexeme_start = tag.span.start;
                    self.skip_line_feed = false;
                    self.claimed = false;
                    let direct = body || cell && !tag.name.has(traits::IN_CELL);
                    let rest = if direct { self.start_in_body(tag) } else { Some(Item::Start(*tag)) };
                    if let Some(item) = rest {
                        self.dispatch(item);
                    }
                    if !self.claimed {
                        self.tokenizer.drop_attrs(tag);
                    }
                }
                &Lexeme::EndTag { name, span } => {
                    self.lexeme_start = span.start;
                    self.skip_line_feed = false;
                    let direct = body || cell && !name.has(traits::IN_CELL);
                    let rest = if direct { self.end_in_body(name, span) } else { Some(Item::End(name, span)) };
                    if let Some(item) = rest {
                        self.dispatch(item);
                    }
                }
                Lexeme::Text(text) if (body || cell) && !text.has_nul && !self.skip_line_feed => {
                    self.text_in_body(text)
                }
                Lexeme::Text(text) => self.text(*text),
                Lexeme::Comment(text) => {
                    self.skip_line_feed = false;
                    self.dispatch(Item::Comment(*text));
                }
                Lexeme::Doctype(tag) => {
                    self.skip_line_feed = false;
                    self.dispatch(Item::Doctype(tag));
                }
                Lexeme::Eof => break,
            }
            if self.tree.nodes.len() >= self.max_nodes {
                self.notes.push(Note::NodesLimited { at: self.tokenizer.position() as u32 });
                break;
            }
        }
        self.dispatch(Item::Eof);
    }

    /// Splits characters where the modes require it: at a skipped line feed and at runs of NULs.
    #[inline]
    fn text(&mut self, mut text: Text) {
        if self.skip_line_feed {
            self.skip_line_feed = false;
            if self.tokenizer.str(&text).starts_with('\n') {
                text = self.tokenizer.split(text, 1).1;
                if text.string.len() == 0 {
                    return;
                }
            }
        }
        if !text.has_nul {
            self.dispatch(Item::Text(text));
            return;
        }
        while text.string.len() > 0 {
            let string = self.tokenizer.str(&text);
            let nul = string.starts_with('\0');
            let count = string.bytes().position(|byte| (byte == 0) != nul).unwrap_or(string.len());
            let (mut piece, rest) = self.tokenizer.split(text, count);
            piece.has_nul = nul;
            self.dispatch(Item::Text(piece));
            text = rest;
        }
    }

    /// Returns the current node or, at the outermost level of a fragment, the context element.
    #[inline]
    fn adjusted(&self) -> Option<&Open> {
        if self.stack.len() == 1
            && let Some(context) = &self.context
        {
            return Some(context);
        }
        self.stack.last()
    }

    #[inline]
    fn dispatch(&mut self, item: Item<'_>) {
        let mut item = item;
        loop {
            let next = if self.is_foreign(&item) { self.foreign(item) } else { self.by_mode(self.mode, item) };
            match next {
                None => return,
                Some(again) => item = again,
            }
        }
    }

    // ---- inserting ----

    /// Implements "the appropriate place for inserting a node".
    #[inline]
    fn place(&mut self) -> Place {
        match self.stack.last() {
            Some(&open) => self.place_in(open),
            None => Place::Into(0),
        }
    }

    #[inline]
    fn place_in(&mut self, target: Open) -> Place {
        use names::{TABLE, TBODY, TFOOT, THEAD, TR};
        if self.foster && target.is_any(&[TABLE, TBODY, TFOOT, THEAD, TR]) {
            return self.foster_place();
        }
        if self.stack.len() > self.max_depth {
            return self.limited_place(target.inside);
        }
        Place::Into(target.inside)
    }

    fn foster_place(&self) -> Place {
        let table = self.stack.topmost(names::TABLE);
        let template = self.stack.topmost(names::TEMPLATE);
        let inside = |index: usize| Place::Into(self.stack.get(index).map_or(0, |open| open.inside));
        match (table, template) {
            (None, Some(template)) => inside(template),
            (Some(table), Some(template)) if template > table => inside(template),
            (None, None) => inside(0),
            (Some(table), _) => {
                let node = self.stack.get(table).map_or(0, |open| open.node);
                if self.tree.nodes[node as usize].parent != NONE { Place::Before(node) } else { inside(table - 1) }
            }
        }
    }

    /// Places a node that is too deep as a sibling of the current one, as browsers do.
    fn limited_place(&mut self, parent: u32) -> Place {
        self.note_depth();
        match self.tree.nodes[parent as usize].parent {
            NONE => Place::Into(parent),
            above => Place::Into(above),
        }
    }

    fn note_depth(&mut self) {
        if !self.depth_noted {
            self.depth_noted = true;
            self.notes.push(Note::DepthLimited { at: self.lexeme_start });
        }
    }

    /// Closes the innermost element, because no more may be open.
    #[cold]
    fn make_room(&mut self) {
        self.note_depth();
        self.pop();
    }

    #[inline]
    fn push_open(&mut self, open: Open) {
        if self.stack.len() >= MAX_OPEN {
            self.make_room();
        }
        self.tree.nodes[open.node as usize].set(Node::OPEN, true);
        self.stack.push(open);
    }

    #[inline]
    fn element(tag: &StartTag, name: NameId, namespace: Namespace) -> Node {
        Node::element(name, namespace, tag.span.start, Tokenizer::first_attr(tag))
    }

    /// Inserts an element without opening it, because it has no content.
    #[inline]
    fn insert_void(&mut self, tag: &StartTag) -> u32 {
        self.claimed = true;
        let (bits, attrs) = (Node::element_bits(tag.name, Namespace::Html), Tokenizer::first_attr(tag));
        if !self.foster
            && let Some(open) = self.stack.last()
            && self.stack.len() <= self.max_depth
            && let Some(node) = self.tree.append(open.inside, bits, tag.span.start, attrs, NONE)
        {
            return node;
        }
        let place = self.place();
        self.tree.add(Self::element(tag, tag.name, Namespace::Html), place)
    }

    /// Inserts an HTML element for a tag and opens it.
    #[inline]
    fn insert(&mut self, tag: &StartTag) -> u32 {
        let node = self.insert_void(tag);
        if self.stack.len() >= MAX_OPEN {
            self.make_room();
        }
        self.tree.nodes[node as usize].set(Node::OPEN, true);
        self.stack.push_html(node, tag.name);
        node
    }

    /// Inserts and opens an element for which there is no tag.
    fn insert_implied(&mut self, name: NameId) -> u32 {
        let place = self.place();
        let element = Node::element(name, Namespace::Html, self.lexeme_start, NONE).with(Node::INSERTED);
        let node = self.tree.add(element, place);
        self.push_open(Open::new(node, name, Namespace::Html));
        node
    }

    #[inline]
    fn insert_text(&mut self, text: Text) {
        let Text { span, string, .. } = text;
        if !self.foster
            && string == StrRef::source(span.start as usize, span.end as usize)
            && let Some(open) = self.stack.last()
            && self.stack.len() <= self.max_depth
            && self.tree.append(open.inside, NodeKind::Text as u32, span.start, span.end, Node::LITERAL).is_some()
        {
            return;
        }
        let place = self.place();
        let source = self.tokenizer.source();
        self.tree.add_text(place, text.span, text.string, source, &mut self.tokenizer.strings);
    }

    fn insert_comment(&mut self, text: Text, place: Place) {
        let strings = &mut self.tokenizer.strings;
        let second = strings.values.len() as u32;
        strings.values.push(DecodedString { string: text.string, source_len: text.span.len() as u32 });
        self.tree.add(Node::new(NodeKind::Comment, text.span.start, text.span.end, second), place);
    }

    fn insert_doctype(&mut self, tag: &DoctypeTag) {
        let second = self.doctypes.len() as u32;
        self.doctypes.push(Doctype {
            name: tag.name.clone().unwrap_or_default(),
            public_id: tag.public_id.clone(),
            system_id: tag.system_id.clone(),
        });
        self.tree.add(Node::new(NodeKind::Doctype, tag.span.start, tag.span.end, second), Place::Into(0));
    }

    /// Adds the attributes of a tag that an element does not have yet (for repeated `<html>` and `<body>` tags).
    fn add_missing_attributes(&mut self, node: u32, tag: &StartTag) {
        let Node { first, .. } = self.tree.nodes[node as usize];
        // The root of a fragment acts as `html` but has no attributes.
        if self.tree.nodes[node as usize].kind() != NodeKind::Element || self.attributes_full {
            return;
        }
        let have = self.tokenizer.strings.attrs_from(first);
        let count = have.len();
        // Every pair is compared; and old copies are left behind when new ones are made, so they cost memory too.
        let work = 8 * count + tag.attr_count as usize * count / 16;
        if self.repairs < work || count >= self.max_attrs {
            // Permanently: even counting them again would cost their number for every tag.
            self.attributes_full = true;
            self.tokenizer.attrs_limited.get_or_insert(self.lexeme_start);
            return;
        }
        self.repairs -= work;
        let missing: Vec<_> = self
            .tokenizer
            .attrs_of(tag.attrs, tag.attr_count)
            .iter()
            .filter(|new| have.iter().all(|old| old.name() != new.name()))
            .copied()
            .collect();
        if missing.is_empty() || count + missing.len() > self.max_attrs {
            return;
        }
        let attrs = &mut self.tokenizer.strings.attrs;
        attrs.truncate(tag.attrs as usize);
        let old = if count == 0 { attrs.len()..attrs.len() } else { first as usize..first as usize + count };
        // In place if the element's attributes are the last ones, otherwise after all others.
        let start = if old.end == attrs.len() {
            old.start
        } else {
            let start = attrs.len();
            attrs.extend_from_within(old);
            start
        };
        attrs.extend_from_slice(&missing);
        for attr in &mut attrs[start..] {
            attr.set_last(false);
        }
        if let Some(last) = attrs.last_mut() {
            last.set_last(true);
        }
        self.tree.nodes[node as usize].first = start as u32;
        self.claimed = true;
    }

    // ---- closing ----

    #[inline]
    fn pop(&mut self) {
        if let Some(open) = self.stack.pop() {
            self.tree.nodes[open.node as usize].set(Node::OPEN, false);
        }
    }

    /// Closes the current node by its end tag.
    #[inline]
    fn pop_closed(&mut self, tag: Option<Span>) {
        if let Some(open) = self.stack.last() {
            let node = open.node;
            self.close_at(node, tag);
        }
        self.pop();
    }

    #[inline]
    fn close_at(&mut self, node: u32, tag: Option<Span>) {
        let node = &mut self.tree.nodes[node as usize];
        if let Some(tag) = tag
            && node.kind() == NodeKind::Element
        {
            node.second = tag.start;
        }
    }

    /// Closes all elements down to and including the one at `index`, which the tag belongs to.
    #[inline]
    fn pop_to(&mut self, index: usize, tag: Option<Span>) {
        while self.stack.len() > index + 1 {
            self.pop();
        }
        self.pop_closed(tag);
    }

    /// Removes an element from the middle of the stack.
    fn remove_open(&mut self, index: usize) {
        if let Some(open) = self.stack.get(index) {
            self.tree.nodes[open.node as usize].set(Node::OPEN, false);
        }
        let rest: Vec<Open> = self.stack.from(index + 1).to_vec();
        self.repairs = self.repairs.saturating_sub(rest.len());
        self.stack.replace_from(index, &rest);
    }

    #[inline]
    fn current_is(&self, name: NameId) -> bool {
        self.stack.last().is_some_and(|open| open.is_html(name))
    }

    fn current_is_any(&self, names: &[NameId]) -> bool {
        self.stack.last().is_some_and(|open| open.is_any(names))
    }

    /// Implements "generate implied end tags", except for one name.
    #[inline]
    fn close_implied(&mut self, except: Option<NameId>) {
        while self.stack.last().is_some_and(|open| {
            open.namespace == Namespace::Html && open.name.has(traits::IMPLIED) && Some(open.name) != except
        }) {
            self.pop();
        }
    }

    fn close_implied_thoroughly(&mut self) {
        while self.stack.last().is_some_and(|open| open.namespace == Namespace::Html && open.name.has(traits::THOROUGH))
        {
            self.pop();
        }
    }

    /// Implements "close a p element" if one is in button scope.
    #[inline]
    fn close_p(&mut self) {
        if let Some(index) = self.stack.find(names::P, Scope::Button) {
            self.pop_to(index, None);
        }
    }

    fn finish(mut self) -> Parts {
        if let Some(at) = self.tokenizer.attrs_limited {
            self.notes.push(Note::AttributesLimited { at });
        }
        if self.selected_contents {
            self.fill_selected_contents();
        }
        let mut strings = self.tokenizer.into_strings();
        let (mut nodes, main_len, templates) = self.tree.finish(&mut strings);
        trim(&mut nodes);
        trim(&mut strings.attrs);
        trim(&mut strings.values);
        strings.store.shrink_to_fit();
        strings.names.shrink();
        Parts { nodes, strings, doctypes: self.doctypes, templates, main_len, quirks: self.quirks, notes: self.notes }
    }
}

/// Releases reserved memory if it is more than a sixteenth.
fn trim<T>(items: &mut Vec<T>) {
    if items.capacity() - items.len() > items.len() / 16 {
        items.shrink_to_fit();
    }
}
