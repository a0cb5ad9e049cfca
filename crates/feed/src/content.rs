//! The texts of a feed that may be marked up: titles, summaries, contents.
//!
//! A format has several ways to put markup into an element: escaped, in CDATA, as elements (XHTML), in base64; and it
//! may or may not say which. Here is gathered what stands in one such element, and decided at its end.

use std::borrow::Cow;

use crate::markup;
use crate::model::Text;
use crate::repair;

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Title,
    MediaTitle,
    Summary,
    MediaSummary,
    Content,
    Subtitle,
}

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// Plain text, or so it is said.
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

/// An element with a text that may be marked up, while it is open.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) slot: Slot,
    /// Its place among the open elements.
    pub(crate) level: usize,
    writing: Writing,
    base64: bool,
    /// Whether it is declared to have elements, so that they are its own, whatever they are called.
    pub(crate) has_elements: bool,
    text: String,
}

impl Content {
    /// An element of this type, or of this default.
    pub(crate) fn new(
        slot: Slot,
        level: usize,
        media_type: Option<&str>,
        mode: Option<&str>,
        default: &str,
    ) -> Content {
        let media_type = media_type.unwrap_or(default).trim().to_ascii_lowercase();
        let writing = match media_type.as_str() {
            "text" | "plain" | "text/plain" => Writing::Plain,
            "html" | "text/html" => Writing::Html,
            "xhtml" | "application/xhtml+xml" => Writing::Xhtml,
            other if other.ends_with("+xml") || other.ends_with("/xml") => Writing::Xml,
            other if other.starts_with("text/") => Writing::Plain,
            _ => Writing::Other,
        };
        let base64 = mode.is_some_and(|mode| mode.eq_ignore_ascii_case("base64")) || writing == Writing::Other;
        let has_elements = matches!(writing, Writing::Xhtml | Writing::Xml);
        Content { slot, level, writing, base64, has_elements, text: String::new() }
    }

    /// A text in it.
    pub(crate) fn text(&mut self, text: &str) {
        match self.writing {
            Writing::Xhtml | Writing::Xml => markup::escape(text, &mut self.text),
            _ => self.text.push_str(text),
        }
    }

    /// An element in it. It says that it has escaped markup, but it has elements; one `div` is no proof.
    ///
    /// Gives whether the element is written down, and its end tag is to be.
    pub(crate) fn start(&mut self, local: &str, attributes: &[(&str, Cow<'_, str>)]) -> bool {
        if !matches!(self.writing, Writing::Xhtml | Writing::Xml) {
            if local.eq_ignore_ascii_case("div") {
                return false;
            }
            self.writing = Writing::Xhtml;
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

    /// The end of an element in it.
    pub(crate) fn end(&mut self, local: &str) {
        if !markup::is_void(local) {
            self.text.push_str("</");
            self.text.push_str(local);
            self.text.push('>');
        }
    }

    /// The text, when its element has ended. `guess`: whether plain text may be HTML all the same.
    pub(crate) fn finish(self, guess: bool) -> Text {
        let mut value = self.text;
        if self.base64 {
            value = repair::base64(&value).unwrap_or(value);
        }
        let trimmed = value.trim();
        if trimmed.len() != value.len() {
            value = trimmed.to_owned();
        }
        if self.writing == Writing::Xhtml
            && let Some(inner) = without_div(&value)
        {
            value = inner.to_owned();
        }
        let value = repair::mend(value);
        let is_html = match self.writing {
            Writing::Html | Writing::Xhtml | Writing::Xml => true,
            Writing::Plain => guess && markup::looks_like_html(&value),
            Writing::Other => false,
        };
        Text { value, is_html }
    }
}

/// What is inside the one `div` that Atom wants around XHTML.
fn without_div(html: &str) -> Option<&str> {
    let rest = html.strip_prefix("<div")?;
    let open = rest.find('>')?;
    if !(rest[..open].is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let inner = rest[open + 1..].strip_suffix("</div>")?;
    // Two of them, side by side, are both kept.
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
