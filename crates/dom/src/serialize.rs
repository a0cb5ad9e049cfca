//! Writes documents as HTML.
//!
//! Follows the standard's serialising algorithm, with three additions that make the output parse back to the same
//! tree: a line feed at the beginning of a `pre` or `textarea` is doubled (parsers drop the first), carriage returns
//! are written as references (parsers turn them into line feeds), and a doctype keeps its identifiers (they affect
//! how tables nest).

use crate::document::{Doctype, Document, Namespace, NodeId, NodeKind};
use crate::names::{self, traits};

impl Document {
    /// Returns the contents of a node as HTML.
    pub fn inner_html(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write_contents(id, &mut out);
        out
    }

    /// Returns a node with its contents as HTML.
    pub fn outer_html(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write_range(id.index(), self.subtree_end(id).index(), &mut out);
        out
    }

    fn write_contents(&self, id: NodeId, out: &mut String) {
        match self.template_contents(id) {
            Some(contents) => self.write_range(contents.index() + 1, self.subtree_end(contents).index(), out),
            None => self.write_range(id.index() + 1, self.subtree_end(id).index(), out),
        }
    }

    /// Writes a run of whole subtrees. Templates refer to other parts of the arena, so the work is a list of ranges.
    fn write_range(&self, start: usize, end: usize, out: &mut String) {
        // Remaining work, last entry first: nodes `from..to`, then an end tag.
        let mut work = vec![Work::Nodes(start, end)];
        while let Some(task) = work.pop() {
            let (at, end) = match task {
                Work::EndTag(id) => {
                    if let Some(name) = self.name(id) {
                        out.push_str("</");
                        out.push_str(name);
                        out.push('>');
                    }
                    continue;
                }
                Work::Nodes(at, end) if at >= end => continue,
                Work::Nodes(at, end) => (at, end),
            };
            let id = NodeId::from_index(at);
            let after = self.subtree_end(id).index();
            work.push(Work::Nodes(after, end));
            match self.kind(id) {
                NodeKind::Document | NodeKind::Fragment => work.push(Work::Nodes(at + 1, after)),
                NodeKind::Doctype => {
                    if let Some(doctype) = self.doctype(id) {
                        write_doctype(doctype, out);
                    }
                }
                NodeKind::Comment => {
                    out.push_str("<!--");
                    out.push_str(self.text(id));
                    out.push_str("-->");
                }
                NodeKind::Text => {
                    if self.is_raw(id) {
                        out.push_str(self.text(id));
                    } else {
                        escape(self.text(id), Escape::Text, out);
                    }
                }
                NodeKind::Element => {
                    self.write_start_tag(id, out);
                    let html = self.namespace(id) == Namespace::Html;
                    if html && self.name_id(id).is_some_and(|name| name.has(traits::VOID)) {
                        continue;
                    }
                    work.push(Work::EndTag(id));
                    match self.template_contents(id) {
                        Some(contents) => {
                            work.push(Work::Nodes(contents.index() + 1, self.subtree_end(contents).index()));
                        }
                        None => work.push(Work::Nodes(at + 1, after)),
                    }
                }
            }
        }
    }

    fn write_start_tag(&self, id: NodeId, out: &mut String) {
        out.push('<');
        out.push_str(self.name(id).unwrap_or(""));
        for attr in self.attrs(id) {
            out.push(' ');
            out.push_str(attr.name());
            out.push_str("=\"");
            escape(attr.value(), Escape::Attribute, out);
            out.push('"');
        }
        out.push('>');
        let drops_line_feed = [names::PRE, names::TEXTAREA, names::LISTING].iter().any(|&name| self.is_html(id, name));
        if drops_line_feed
            && let Some(first) = self.first_child(id)
            && self.text(first).starts_with('\n')
            && self.is_text(first)
        {
            out.push('\n');
        }
    }

    /// Returns `true` if a text is written without escaping: the content of `script`, `style` and similar elements.
    fn is_raw(&self, text: NodeId) -> bool {
        let Some(parent) = self.parent(text) else { return false };
        self.namespace(parent) == Namespace::Html
            && matches!(
                self.name_id(parent),
                Some(
                    names::STYLE
                        | names::SCRIPT
                        | names::XMP
                        | names::IFRAME
                        | names::NOEMBED
                        | names::NOFRAMES
                        | names::PLAINTEXT
                )
            )
    }
}

fn write_doctype(doctype: &Doctype, out: &mut String) {
    out.push_str("<!DOCTYPE ");
    out.push_str(&doctype.name);
    let ids = match (&doctype.public_id, &doctype.system_id) {
        (Some(public), system) => [Some(("PUBLIC", public)), system.as_ref().map(|system| ("", system))],
        (None, system) => [system.as_ref().map(|system| ("SYSTEM", system)), None],
    };
    for (keyword, id) in ids.into_iter().flatten() {
        if !keyword.is_empty() {
            out.push(' ');
            out.push_str(keyword);
        }
        let quote = if id.contains('"') { '\'' } else { '"' };
        out.push(' ');
        out.push(quote);
        out.push_str(id);
        out.push(quote);
    }
    out.push('>');
}

enum Work {
    Nodes(usize, usize),
    EndTag(NodeId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    Text,
    Attribute,
}

fn escape(text: &str, place: Escape, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\u{A0}', '\r']) {
        out.push_str(&rest[..at]);
        let found = rest[at..].chars().next().unwrap_or_default();
        match found {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if place == Escape::Attribute => out.push_str("&quot;"),
            '\u{A0}' => out.push_str("&nbsp;"),
            '\r' => out.push_str("&#13;"),
            other => out.push(other),
        }
        rest = &rest[at + found.len_utf8()..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use crate::Document;

    fn check(html: &str, expected: &str) {
        let document = Document::parse(format!("<body>{html}"));
        let body = document.find_html(crate::names::BODY).unwrap();
        assert_eq!(document.inner_html(body), expected);
    }

    #[test]
    fn what_must_be_escaped_is() {
        check("a &lt; b &amp;&nbsp;c", "a &lt; b &amp;&nbsp;c");
        check("<a title='\"x\" <y>'>z</a>", "<a title=\"&quot;x&quot; &lt;y&gt;\">z</a>");
        check("<script>a < b && c</script>", "<script>a < b && c</script>");
    }

    #[test]
    fn line_feeds_and_templates_survive() {
        check("<pre>\n\nx</pre>", "<pre>\n\nx</pre>");
        check("x&#13;y", "x&#13;y");
        check("<template><p>t</template><p>x", "<template><p>t</p></template><p>x</p>");
    }
}
