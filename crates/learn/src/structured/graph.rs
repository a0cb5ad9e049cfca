//! The items as they are gathered: bounds kept, texts collapsed, notes taken. All syntaxes write here.

use hashbrown::HashSet;
use url::Url;
use windrow_dom::{Document, NodeId};
use windrow_wrapper::values::text::collapse;

use super::{
    Item, ItemId, MAX_ITEMS, MAX_PROPERTIES, MAX_TEXT_BYTES, MAX_TEXT_NODES, Note, Property, Structured, Syntax, Value,
};

/// The items read so far, and what may still be read.
pub(super) struct Graph<'d> {
    pub(super) document: &'d Document,
    base: Option<&'d Url>,
    items: Vec<Item>,
    notes: Vec<Note>,
    properties_left: usize,
    bytes_left: usize,
    nodes_left: usize,
    /// Items told in several places, which may repeat themselves.
    repeated: HashSet<ItemId>,
}

impl<'d> Graph<'d> {
    pub(super) fn new(document: &'d Document, base: Option<&'d Url>) -> Graph<'d> {
        Graph {
            document,
            base,
            items: Vec::new(),
            notes: Vec::new(),
            properties_left: MAX_PROPERTIES,
            bytes_left: MAX_TEXT_BYTES,
            nodes_left: MAX_TEXT_NODES,
            repeated: HashSet::new(),
        }
    }

    /// A new item, unless there are too many.
    pub(super) fn item(&mut self, syntax: Syntax, node: NodeId, top: bool) -> Option<ItemId> {
        if self.items.len() >= MAX_ITEMS {
            self.cut(syntax, "MAX_ITEMS");
            return None;
        }
        let id = ItemId(self.items.len() as u32);
        self.items.push(Item { syntax, types: Vec::new(), id: None, properties: Vec::new(), node, top });
        Some(id)
    }

    pub(super) fn get(&mut self, id: ItemId) -> &mut Item {
        &mut self.items[id.index()]
    }

    /// Gives an item a type, once.
    pub(super) fn add_type(&mut self, id: ItemId, name: &str) {
        let Item { syntax, types, .. } = &self.items[id.index()];
        // Types are few; a page that gives one item thousands pays for the comparisons out of its properties.
        let (syntax, steps) = (*syntax, types.len() + 1);
        if name.is_empty() || !self.step(syntax, steps) || !self.spend(syntax, name.len()) {
            return;
        }
        let types = &mut self.items[id.index()].types;
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
    }

    /// Adds a property, unless its value is empty. False when there are too many: no more will be taken.
    pub(super) fn property(&mut self, owner: ItemId, name: &str, value: Value, node: Option<NodeId>) -> bool {
        let syntax = self.items[owner.index()].syntax;
        let bytes = match &value {
            Value::Text(text) if text.is_empty() => return true,
            Value::Text(text) => text.len(),
            Value::Item(_) => 0,
        };
        if name.is_empty() {
            return true;
        }
        let within = self.step(syntax, 1) && self.spend(syntax, bytes + name.len());
        if within {
            self.items[owner.index()].properties.push(Property { name: name.to_owned(), value, node });
        }
        within
    }

    /// Takes steps out of what is left. False if there are too few.
    pub(super) fn step(&mut self, syntax: Syntax, steps: usize) -> bool {
        match self.properties_left.checked_sub(steps) {
            Some(left) => {
                self.properties_left = left;
                true
            }
            None => {
                self.properties_left = 0;
                self.cut(syntax, "MAX_PROPERTIES");
                false
            }
        }
    }

    /// A text with white space collapsed; empty once too much was read.
    pub(super) fn collapsed(&mut self, syntax: Syntax, text: &str) -> String {
        if !self.spend(syntax, text.len()) {
            return String::new();
        }
        collapse(text).into_owned()
    }

    /// The text of an element: the visible one, or all there is if none is visible.
    pub(super) fn text(&mut self, syntax: Syntax, node: NodeId) -> String {
        let nodes = self.document.subtree_end(node).index() - node.index();
        match self.nodes_left.checked_sub(nodes) {
            Some(left) if self.bytes_left > 0 => self.nodes_left = left,
            _ => {
                self.nodes_left = 0;
                self.cut(syntax, "MAX_TEXT_NODES");
                return String::new();
            }
        }
        let visible = self.document.visible_text(node);
        let text = self.collapsed(syntax, &visible);
        match text.is_empty() {
            true => self.collapsed(syntax, &self.document.text_content(node)),
            false => text,
        }
    }

    /// A link as an absolute address, if that can be told.
    pub(super) fn address(&mut self, syntax: Syntax, link: &str) -> String {
        let link = link.trim();
        match self.base.and_then(|base| base.join(link).ok()) {
            Some(url) if self.spend(syntax, url.as_str().len()) => url.into(),
            Some(_) => String::new(),
            None => self.collapsed(syntax, link),
        }
    }

    /// An item's own address: as [`address`](Self::address), blank ones as they are.
    pub(super) fn identity(&mut self, syntax: Syntax, id: &str) -> String {
        match id.trim().starts_with("_:") {
            true => self.collapsed(syntax, id),
            false => self.address(syntax, id),
        }
    }

    /// Says that an item is told in several places: what it repeats will be said once.
    pub(super) fn repeats(&mut self, id: ItemId) {
        self.repeated.insert(id);
    }

    pub(super) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Notes a limit, once for each syntax.
    pub(super) fn cut(&mut self, syntax: Syntax, limit: &'static str) {
        let note = Note::Cut { syntax, limit };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Takes bytes out of what is left. False if there are too few.
    fn spend(&mut self, syntax: Syntax, bytes: usize) -> bool {
        match self.bytes_left.checked_sub(bytes) {
            Some(left) => {
                self.bytes_left = left;
                true
            }
            None => {
                self.bytes_left = 0;
                self.cut(syntax, "MAX_TEXT_BYTES");
                false
            }
        }
    }

    pub(super) fn finish(mut self) -> Structured {
        for (index, item) in self.items.iter_mut().enumerate() {
            if self.repeated.contains(&ItemId(index as u32)) {
                let mut seen = HashSet::new();
                item.properties.retain(|property| seen.insert((property.name.clone(), property.value.clone())));
            }
        }
        Structured { items: self.items, notes: self.notes }
    }
}
