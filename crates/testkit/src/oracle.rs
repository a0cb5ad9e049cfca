//! html5ever as a second opinion: its tree, in a small arena of ours, walked like a [`windrow_dom::Document`].
//!
//! Costs what html5ever costs; the arena adds one allocation a node at most.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::driver::parse_fragment_for_element;
use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, TreeSink, create_element};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::{QuirksMode as TheirQuirks, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, ParseOpts, QualName, expanded_name, local_name, ns, parse_document};
use windrow_dom::{Namespace, QuirksMode};

use crate::tree::{Event, Tree};

const NONE: u32 = u32::MAX;

/// Parses a page with html5ever.
pub fn page(html: &str, scripting: bool) -> OracleTree {
    parse_document(Sink::new(), options(scripting)).one(StrTendril::from(html))
}

/// Parses a fragment with html5ever, in a context named as html5lib does (`td`, `svg path`).
pub fn fragment(html: &str, context: &str, scripting: bool) -> OracleTree {
    let (namespace, local) = match context.split_once(' ') {
        Some(("svg", local)) => (ns!(svg), local),
        Some(("math", local)) => (ns!(mathml), local),
        _ => (ns!(html), context),
    };
    let name = QualName::new(None, namespace, LocalName::from(local));
    let sink = Sink::new();
    let context = create_element(&sink, name.clone(), Vec::new());
    // The form element pointer is the caller's to set: the nearest form around, the context itself included.
    let form = (name.expanded() == expanded_name!(html "form")).then(|| context.clone());
    let parser = parse_fragment_for_element(sink, options(scripting), context, scripting, form);
    let mut tree = parser.one(StrTendril::from(html));
    // The standard parses a fragment under an `html` element of its own; what is below that is the result.
    tree.root = tree.nodes[tree.root as usize].first;
    tree
}

fn options(scripting: bool) -> ParseOpts {
    ParseOpts {
        tokenizer: TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() },
        tree_builder: TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() },
    }
}

/// A tree that html5ever built.
pub struct OracleTree {
    nodes: Vec<Node>,
    root: u32,
    quirks: TheirQuirks,
}

struct Node {
    parent: u32,
    prev: u32,
    next: u32,
    first: u32,
    last: u32,
    data: Data,
}

enum Data {
    Root,
    Doctype { name: StrTendril, public_id: StrTendril, system_id: StrTendril },
    Text(StrTendril),
    Comment(StrTendril),
    Element { name: Rc<QualName>, attrs: Vec<Attribute>, contents: u32, html_point: bool },
}

impl Tree for OracleTree {
    fn walk(&self, visit: &mut dyn FnMut(Event<'_>)) {
        let Some(root) = self.nodes.get(self.root as usize) else { return };
        // Where to go on after the children: `stack` holds the elements (and contents) being walked.
        let mut stack: Vec<u32> = Vec::new();
        let mut at = root.first;
        loop {
            if at == NONE {
                let Some(done) = stack.pop() else { return };
                visit(Event::Close);
                let node = &self.nodes[done as usize];
                at = match (&node.data, stack.last()) {
                    // Contents end: go on with the children of their template.
                    (Data::Root, Some(&template)) => self.nodes[template as usize].first,
                    _ => node.next,
                };
                continue;
            }
            let node = &self.nodes[at as usize];
            match &node.data {
                Data::Root => {}
                Data::Doctype { name, public_id, system_id } => visit(Event::Doctype { name, public_id, system_id }),
                Data::Text(text) => visit(Event::Text(text)),
                Data::Comment(text) => visit(Event::Comment(text)),
                Data::Element { name, attrs, contents, .. } => {
                    visit(Event::Open { namespace: namespace(&name.ns), name: &name.local });
                    for attr in attrs {
                        visit(Event::Attr {
                            namespace: namespace(&attr.name.ns),
                            name: &attr.name.local,
                            value: &attr.value,
                        });
                    }
                    stack.push(at);
                    if *contents == NONE {
                        at = node.first;
                    } else {
                        visit(Event::Contents);
                        stack.push(*contents);
                        at = self.nodes[*contents as usize].first;
                    }
                    continue;
                }
            }
            at = node.next;
        }
    }

    fn quirks(&self) -> QuirksMode {
        match self.quirks {
            TheirQuirks::NoQuirks => QuirksMode::None,
            TheirQuirks::LimitedQuirks => QuirksMode::Limited,
            TheirQuirks::Quirks => QuirksMode::Full,
        }
    }
}

fn namespace(uri: &html5ever::Namespace) -> Namespace {
    const KNOWN: [Namespace; 6] =
        [Namespace::Html, Namespace::Svg, Namespace::MathMl, Namespace::XLink, Namespace::Xml, Namespace::XmlNs];
    KNOWN.into_iter().find(|known| known.uri() == &**uri).unwrap_or(Namespace::None)
}

/// A node, with its name at hand: html5ever asks for names while it changes the tree.
#[derive(Clone)]
struct Handle {
    id: u32,
    name: Option<Rc<QualName>>,
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    quirks: Cell<TheirQuirks>,
}

impl Sink {
    fn new() -> Sink {
        let root = Node { parent: NONE, prev: NONE, next: NONE, first: NONE, last: NONE, data: Data::Root };
        Sink { nodes: RefCell::new(vec![root]), quirks: Cell::new(TheirQuirks::NoQuirks) }
    }

    fn add(&self, data: Data) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { parent: NONE, prev: NONE, next: NONE, first: NONE, last: NONE, data });
        nodes.len() as u32 - 1
    }

    fn detach(&self, id: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let node = &mut nodes[id as usize];
        let (parent, prev, next) = (node.parent, node.prev, node.next);
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
        if parent == NONE {
            return;
        }
        match prev {
            NONE => nodes[parent as usize].first = next,
            prev => nodes[prev as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = prev,
            next => nodes[next as usize].prev = prev,
        }
    }

    /// Puts a detached node under `parent`, before `next` (or last).
    fn link(&self, id: u32, parent: u32, next: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let prev = if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].prev };
        let node = &mut nodes[id as usize];
        (node.parent, node.prev, node.next) = (parent, prev, next);
        match prev {
            NONE => nodes[parent as usize].first = id,
            prev => nodes[prev as usize].next = id,
        }
        match next {
            NONE => nodes[parent as usize].last = id,
            next => nodes[next as usize].prev = id,
        }
    }

    fn insert(&self, child: NodeOrText<Handle>, parent: u32, next: u32) {
        let id = match child {
            NodeOrText::AppendNode(handle) => {
                self.detach(handle.id);
                handle.id
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let prev = if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].prev };
                if let Some(Node { data: Data::Text(before), .. }) = nodes.get_mut(prev as usize) {
                    before.push_tendril(&text);
                    return;
                }
                drop(nodes);
                self.add(Data::Text(text))
            }
        };
        self.link(id, parent, next);
    }

    fn parent(&self, id: u32) -> u32 {
        self.nodes.borrow()[id as usize].parent
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = OracleTree;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> OracleTree {
        OracleTree { nodes: self.nodes.into_inner(), root: 0, quirks: self.quirks.get() }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: 0, name: None }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        target.name.as_deref().expect("html5ever asks for the names of elements only")
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let name = Rc::new(name);
        let contents = if flags.template { self.add(Data::Root) } else { NONE };
        let html_point = flags.mathml_annotation_xml_integration_point;
        let id = self.add(Data::Element { name: Rc::clone(&name), attrs, contents, html_point });
        Handle { id, name: Some(name) }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        Handle { id: self.add(Data::Comment(text)), name: None }
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Handle {
        // The HTML parser makes none.
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(child, parent.id, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Handle, prev_element: &Handle, child: NodeOrText<Handle>) {
        match self.parent(element.id) {
            NONE => self.insert(child, prev_element.id, NONE),
            parent => self.insert(child, parent, element.id),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let id = self.add(Data::Doctype { name, public_id, system_id });
        self.link(id, 0, NONE);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.nodes.borrow()[target.id as usize].data {
            Data::Element { contents, .. } if contents != NONE => Handle { id: contents, name: None },
            _ => unreachable!("html5ever asks for the contents of templates only"),
        }
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, mode: TheirQuirks) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let parent = self.parent(sibling.id);
        self.insert(new_node, parent, sibling.id);
    }

    fn add_attrs_if_missing(&self, target: &Handle, new: Vec<Attribute>) {
        if let Data::Element { attrs, .. } = &mut self.nodes.borrow_mut()[target.id as usize].data {
            for attr in new {
                if !attrs.iter().any(|old| old.name == attr.name) {
                    attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let first = self.nodes.borrow()[node.id as usize].first;
            if first == NONE {
                return;
            }
            self.detach(first);
            self.link(first, new_parent.id, NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        matches!(self.nodes.borrow()[handle.id as usize].data, Data::Element { html_point: true, .. })
    }

    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        // Windrow keeps declarative shadow roots as templates: what they hold is what it reads.
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::dump;

    #[test]
    fn fostered_text_joins_and_templates_have_contents() {
        let tree = page("<table>a<template>t</template>b", false);
        assert_eq!(
            dump(&tree),
            "| <html>\n|   <head>\n|   <body>\n|     \"ab\"\n|     <table>\n|       <template>\n|         content\n|           \"t\""
        );
    }

    #[test]
    fn fragments_show_what_is_below_their_root() {
        assert_eq!(dump(&fragment("<td>x", "tr", false)), "| <td>\n|   \"x\"");
        assert_eq!(dump(&fragment("<g>", "svg svg", false)), "| <svg g>");
    }

    #[test]
    fn the_arena_keeps_html5evers_conformance() {
        let Some(runs) = crate::html5lib::tree_runs() else { return };
        let mut failed = Vec::new();
        for run in &runs {
            let tree = match &run.context {
                Some(context) => fragment(&run.html, context, run.scripting),
                None => page(&run.html, run.scripting),
            };
            if dump(&tree) != run.expected {
                failed.push(run.name.as_str());
            }
        }
        // Scripts that write and `selectedcontent` are what html5ever leaves to its sink, and 0.40 has a few gaps.
        let rate = 1.0 - failed.len() as f64 / runs.len() as f64;
        assert!(rate > 0.99, "{} of {} failed: {failed:?}", failed.len(), runs.len());
    }
}
