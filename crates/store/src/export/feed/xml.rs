//! A minimal XML writer for feeds: elements with attributes and text, one per line.

/// A document that is being written.
#[derive(Debug)]
pub(super) struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    pub(super) fn new() -> Xml {
        Xml { text: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".to_owned(), depth: 0 }
    }

    /// Opens an element that contains other elements.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.begin(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    /// Closes an element.
    pub(super) fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.indent();
        self.end(name);
    }

    /// Writes an element with text.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.begin(name, attributes);
        if text.is_empty() {
            self.text.push_str("/>\n");
            return;
        }
        self.text.push('>');
        escape(text, false, &mut self.text);
        self.end(name);
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn begin(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, true, &mut self.text);
            self.text.push('"');
        }
    }

    fn end(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

/// Appends escaped text. Characters that XML cannot represent become U+FFFD. Carriage returns, and line feeds and tabs
/// in attributes, are written as character references, because parsers would normalize them otherwise.
fn escape(text: &str, attribute: bool, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' if attribute => out.push_str("&#10;"),
            '\t' if attribute => out.push_str("&#9;"),
            '\n' | '\t' => out.push(character),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_escaped() {
        let mut xml = Xml::new();
        xml.open("a", &[("b", "\"<\n\t&\r'")]);
        xml.element("c", &[], "]]> & \0\u{b}\u{ffff}\r\n😀");
        xml.element("d", &[], "");
        xml.close("a");
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a b=\"&quot;&lt;&#10;&#9;&amp;&#13;'\">\n  \
                        <c>]]&gt; &amp; \u{fffd}\u{fffd}\u{fffd}&#13;\n😀</c>\n  <d/>\n</a>\n";
        assert_eq!(xml.finish(), expected);
    }
}
