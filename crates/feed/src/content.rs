//! The texts of a feed that may contain markup: titles, summaries, contents.
//!
//! A format has several ways to put markup into an element: escaped, in CDATA, as elements (XHTML), in base64; and it
//! may or may not declare which one. This module collects the content of one such element and decides at its end.

use std::borrow::Cow;

use crate::markup;
use crate::model::Text;
use crate::repair;

/// The property of the feed or item that a text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Title,
    MediaTitle,
    Summary,
    MediaSummary,
    Content,
    Subtitle,
}

/// The way a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextSyntax {
    /// Plain text, or declared as such.
    Plain,
    /// Escaped HTML.
    Html,
    /// Elements.
    Xhtml,
    /// Elements of another vocabulary.
    Xml,
    /// Something else.
    Other,
}

/// An open element whose text may contain markup.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) slot: Slot,
    /// Index among the open elements.
    pub(crate) level: usize,
    writing: TextSyntax,
    base64: bool,
    /// `true` if it is declared to contain elements; then all of them are its content, whatever their names.
    pub(crate) has_elements: bool,
    text: String,
}

impl Content {
    /// Creates the content of an element with this media type, or with this default.
    pub(crate) fn new(
        slot: Slot,
        level: usize,
        media_type: Option<&str>,
        mode: Option<&str>,
        default: &str,
    ) -> Content {
        let media_type = media_type.unwrap_or(default).trim().to_ascii_lowercase();
        let writing = match media_type.as_str() {
            "text" | "plain" | "text/plain" => TextSyntax::Plain,
            "html" | "text/html" => TextSyntax::Html,
            "xhtml" | "application/xhtml+xml" => TextSyntax::Xhtml,
            other if other.ends_with("+xml") || other.ends_with("/xml") => TextSyntax::Xml,
            other if other.starts_with("text/") => TextSyntax::Plain,
            _ => TextSyntax::Other,
        };
        let base64 = mode.is_some_and(|mode| mode.eq_ignore_ascii_case("base64")) || writing == TextSyntax::Other;
        let has_elements = matches!(writing, TextSyntax::Xhtml | TextSyntax::Xml);
        Content { slot, level, writing, base64, has_elements, text: String::new() }
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) {
        match self.writing {
            TextSyntax::Xhtml | TextSyntax::Xml => markup::escape(text, &mut self.text),
            _ => self.text.push_str(text),
        }
    }

    /// Adds an element. If the content is declared as escaped markup but has elements, it becomes XHTML; a single
    /// `div` is no evidence.
    ///
    /// Returns `true` if the element is written, and its end tag has to be.
    pub(crate) fn start(&mut self, local: &str, attributes: &[(&str, Cow<'_, str>)]) -> bool {
        if !matches!(self.writing, TextSyntax::Xhtml | TextSyntax::Xml) {
            if local.eq_ignore_ascii_case("div") {
                return false;
            }
            self.writing = TextSyntax::Xhtml;
        }
        self.text.push('<');
        self.text.push_str(local);
        for (name, value) in attributes {
            if *name == "xmlns" || name.starts_with("xmlns:") {
                continue;
            }
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            let mut escaped = String::new();
            markup::escape(value, &mut escaped);
            self.text.push_str(&escaped.replace('"', "&quot;"));
            self.text.push('"');
        }
        self.text.push('>');
        true
    }

    /// Adds the end of an element.
    pub(crate) fn end(&mut self, local: &str) {
        if !markup::is_void(local) {
            self.text.push_str("</");
            self.text.push_str(local);
            self.text.push('>');
        }
    }

    /// Returns the text at the end of the element. `guess` says that plain text may be HTML nevertheless.
    pub(crate) fn finish(self, guess: bool) -> Text {
        let mut value = self.text;
        if self.base64 {
            value = repair::base64(&value).unwrap_or(value);
        }
        let trimmed = value.trim();
        if trimmed.len() != value.len() {
            value = trimmed.to_owned();
        }
        if self.writing == TextSyntax::Xhtml
            && let Some(inner) = without_div(&value)
        {
            value = inner.to_owned();
        }
        let value = repair::mend(value);
        let is_html = match self.writing {
            TextSyntax::Html | TextSyntax::Xhtml | TextSyntax::Xml => true,
            TextSyntax::Plain => guess && markup::looks_like_html(&value),
            TextSyntax::Other => false,
        };
        Text { value, is_html }
    }
}

/// Returns the content of the single `div` that Atom requires around XHTML.
fn without_div(html: &str) -> Option<&str> {
    let rest = html.strip_prefix("<div")?;
    let open = rest.find('>')?;
    if !(rest[..open].is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let inner = rest[open + 1..].strip_suffix("</div>")?;
    // Two `div`s side by side are both kept.
    let mut depth = 1_usize;
    let mut at = 0;
    while let Some(step) = inner[at..].find("div") {
        at += step;
        if inner[..at].ends_with("</") {
            depth -= 1;
            if depth == 0 {
                return None;
            }
        } else if inner[..at].ends_with('<') {
            depth += 1;
        }
        at += 3;
    }
    Some(inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_div_goes() {
        assert_eq!(without_div("<div class=\"a\"> x <div>y</div></div>"), Some("x <div>y</div>"));
        assert_eq!(without_div("<div>x</div><div>y</div>"), None);
        assert_eq!(without_div("<divx>x</div>"), None);
        assert_eq!(without_div("x"), None);
    }
}
