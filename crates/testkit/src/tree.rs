//! Trees as a run of events, and what is made of it: html5lib's dump, or bytes to compare.
//!
//! Both parsers give the same events, so a comparison never depends on how either stores its nodes. The walk keeps no
//! recursion; comparing two trees costs one pass over each into a buffer that is used again.

use std::fmt::Write as _;

use windrow_dom::{Document, Namespace, NodeId, NodeKind, QuirksMode};

/// One step of a walk over a tree; the root itself makes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// A doctype; identifiers that were not given are empty.
    Doctype {
        /// Its name.
        name: &'a str,
        /// Its public identifier.
        public_id: &'a str,
        /// Its system identifier.
        system_id: &'a str,
    },
    /// An element begins; its attributes follow.
    Open {
        /// Its namespace.
        namespace: Namespace,
        /// Its local name.
        name: &'a str,
    },
    /// An attribute of the element that has just begun.
    Attr {
        /// Its namespace.
        namespace: Namespace,
        /// Its local name.
        name: &'a str,
        /// Its value.
        value: &'a str,
    },
    /// The contents of the template that has just begun, until the matching [`Event::Close`].
    Contents,
    /// A text.
    Text(&'a str),
    /// A comment.
    Comment(&'a str),
    /// The innermost open element, or contents, ends.
    Close,
}

/// A tree that can be walked.
pub trait Tree {
    /// Calls `visit` with each event, in order.
    fn walk(&self, visit: &mut dyn FnMut(Event<'_>));

    /// The layout mode.
    fn quirks(&self) -> QuirksMode;
}

impl Tree for Document {
    fn walk(&self, visit: &mut dyn FnMut(Event<'_>)) {
        // One entry a subtree being walked: what is next in it, and where it ends; template contents nest.
        let mut runs: Vec<Run> = vec![Run { next: NodeId::ROOT.index() + 1, ends: vec![self.len()] }];
        while let Some(run) = runs.last_mut() {
            if let Some(&end) = run.ends.last()
                && run.next >= end
            {
                run.ends.pop();
                if run.ends.is_empty() {
                    runs.pop();
                    if !runs.is_empty() {
                        visit(Event::Close);
                    }
                } else {
                    visit(Event::Close);
                }
                continue;
            }
            let id = NodeId::from_index(run.next);
            run.next += 1;
            match self.kind(id) {
                NodeKind::Document | NodeKind::Fragment => {}
                NodeKind::Doctype => {
                    if let Some(doctype) = self.doctype(id) {
                        visit(Event::Doctype {
                            name: &doctype.name,
                            public_id: doctype.public_id.as_deref().unwrap_or(""),
                            system_id: doctype.system_id.as_deref().unwrap_or(""),
                        });
                    }
                }
                NodeKind::Text => visit(Event::Text(self.text(id))),
                NodeKind::Comment => visit(Event::Comment(self.text(id))),
                NodeKind::Element => {
                    visit(Event::Open { namespace: self.namespace(id), name: self.name(id).unwrap_or("") });
                    for attr in self.attrs(id) {
                        visit(Event::Attr {
                            namespace: attr.namespace(),
                            name: attr.local_name(),
                            value: attr.value(),
                        });
                    }
                    run.ends.push(self.subtree_end(id).index());
                    if let Some(contents) = self.template_contents(id) {
                        visit(Event::Contents);
                        let end = self.subtree_end(contents).index();
                        runs.push(Run { next: contents.index() + 1, ends: vec![end] });
                    }
                }
            }
        }
    }

    fn quirks(&self) -> QuirksMode {
        Document::quirks(self)
    }
}

struct Run {
    next: usize,
    ends: Vec<usize>,
}

fn prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::None | Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
        Namespace::XLink => "xlink ",
        Namespace::Xml => "xml ",
        Namespace::XmlNs => "xmlns ",
    }
}

/// The tree as html5lib's `#document` sections write it, without a final newline.
pub fn dump(tree: &impl Tree) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut attrs: Vec<(String, String)> = Vec::new();
    let flush = |out: &mut String, attrs: &mut Vec<(String, String)>, depth: usize| {
        attrs.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        for (name, value) in attrs.drain(..) {
            let _ = writeln!(out, "| {:1$}{name}=\"{value}\"", "", depth * 2);
        }
    };
    tree.walk(&mut |event| {
        if !matches!(event, Event::Attr { .. }) {
            flush(&mut out, &mut attrs, depth);
        }
        let indent = depth * 2;
        let _ = match event {
            Event::Doctype { name, public_id: "", system_id: "" } => {
                writeln!(out, "| {:indent$}<!DOCTYPE {name}>", "")
            }
            Event::Doctype { name, public_id, system_id } => {
                writeln!(out, "| {:indent$}<!DOCTYPE {name} \"{public_id}\" \"{system_id}\">", "")
            }
            Event::Open { namespace, name } => {
                depth += 1;
                writeln!(out, "| {:indent$}<{}{name}>", "", prefix(namespace))
            }
            Event::Attr { namespace, name, value } => {
                attrs.push((format!("{}{name}", prefix(namespace)), value.to_owned()));
                Ok(())
            }
            Event::Contents => {
                depth += 1;
                writeln!(out, "| {:indent$}content", "")
            }
            Event::Text(text) => writeln!(out, "| {:indent$}\"{text}\"", ""),
            Event::Comment(text) => writeln!(out, "| {:indent$}<!-- {text} -->", ""),
            Event::Close => {
                depth -= 1;
                Ok(())
            }
        };
    });
    flush(&mut out, &mut attrs, depth);
    out.pop();
    out
}

/// Writes the tree into `out` so that two trees are the same exactly if their bytes are; attributes in source order.
pub fn encode(tree: &impl Tree, out: &mut Vec<u8>) {
    out.clear();
    out.push(tree.quirks() as u8);
    tree.walk(&mut |event| {
        let mut put = |tag: u8, strings: &[&str]| {
            out.push(tag);
            for string in strings {
                out.extend_from_slice(&(string.len() as u32).to_le_bytes());
                out.extend_from_slice(string.as_bytes());
            }
        };
        match event {
            Event::Doctype { name, public_id, system_id } => put(b'D', &[name, public_id, system_id]),
            Event::Open { namespace, name } => {
                put(b'E', &[name]);
                out.push(namespace as u8);
            }
            Event::Attr { namespace, name, value } => {
                put(b'A', &[name, value]);
                out.push(namespace as u8);
            }
            Event::Contents => put(b'F', &[]),
            Event::Text(text) => put(b'T', &[text]),
            Event::Comment(text) => put(b'C', &[text]),
            Event::Close => put(b'.', &[]),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree given as its events.
    struct Given(Vec<Event<'static>>);

    impl Tree for Given {
        fn walk(&self, visit: &mut dyn FnMut(Event<'_>)) {
            self.0.iter().for_each(|&event| visit(event));
        }

        fn quirks(&self) -> QuirksMode {
            QuirksMode::None
        }
    }

    #[test]
    fn dump_sorts_attributes_and_names_namespaces() {
        let tree = Given(vec![
            Event::Doctype { name: "html", public_id: "", system_id: "x" },
            Event::Open { namespace: Namespace::Svg, name: "a" },
            Event::Attr { namespace: Namespace::XLink, name: "href", value: "2" },
            Event::Attr { namespace: Namespace::None, name: "b", value: "1" },
            Event::Text("t"),
            Event::Close,
            Event::Open { namespace: Namespace::Html, name: "template" },
            Event::Contents,
            Event::Comment("c"),
            Event::Close,
            Event::Close,
        ]);
        assert_eq!(
            dump(&tree),
            "| <!DOCTYPE html \"\" \"x\">\n| <svg a>\n|   b=\"1\"\n|   xlink href=\"2\"\n|   \"t\"\n| <template>\n|   content\n|     <!-- c -->"
        );
    }

    #[test]
    fn encoding_tells_texts_apart() {
        let (mut one, mut two) = (Vec::new(), Vec::new());
        encode(&Given(vec![Event::Text("a"), Event::Text("b")]), &mut one);
        encode(&Given(vec![Event::Text("ab")]), &mut two);
        assert_ne!(one, two);
    }
}
