//! Text and HTML: tells them apart, and extracts the text that people read.

use windrow_dom::{Document, NodeKind, ParseOptions};

use crate::uri;
use crate::xml::html_entity;

/// Collapses white space to single spaces and removes it at the ends.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Returns the text of HTML on one line, without scripts and styles.
pub(crate) fn text_of(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return collapse(html);
    }
    let document = Document::parse_fragment(html, "div", &ParseOptions::default());
    let mut text = String::new();
    for node in document.descendants(document.root()) {
        match document.kind(node) {
            NodeKind::Text => {
                let parent = document.parent(node).and_then(|parent| document.name(parent));
                if !parent.is_some_and(|name| matches!(name, "script" | "style" | "noscript" | "template")) {
                    text.push_str(document.text(node));
                }
            }
            NodeKind::Element if document.name(node).is_some_and(is_block) => text.push(' '),
            _ => {}
        }
    }
    collapse(&text)
}

/// Resolves the relative links of HTML; `None` if there are none, or there is no base to resolve them against.
pub(crate) fn absolute_links(html: &str, base: &str) -> Option<String> {
    if base.is_empty() || !html.contains('=') {
        return None;
    }
    let document = Document::parse_fragment(html, "div", &ParseOptions::default());
    let source = document.source();
    let mut links = Vec::new();
    for node in document.descendants(document.root()) {
        if document.kind(node) != NodeKind::Element || document.is_inserted(node) {
            continue;
        }
        for attribute in document.attrs(node) {
            let value = attribute.value().trim();
            let known =
                matches!(attribute.name(), "href" | "src" | "cite" | "poster" | "action" | "background" | "longdesc");
            if known && !value.starts_with('#') && !uri::is_absolute(value) {
                links.push((attribute.value_span().range(), uri::join(base, value)));
            }
        }
    }
    // The parser may move a node, or create two formatting elements from one tag.
    links.sort_by_key(|(range, _)| range.start);
    links.dedup_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(html.len() + 64 * links.len());
    let mut done = 0;
    for (range, link) in &links {
        let quoted = range.start > 0 && matches!(source.as_bytes()[range.start - 1], b'"' | b'\'');
        let bare =
            link.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'>' | b'<' | b'`'));
        if range.start < done || range.is_empty() || !(quoted || bare) {
            continue;
        }
        out.push_str(source.get(done..range.start)?);
        let mut escaped = String::new();
        escape(link, &mut escaped);
        out.push_str(&escaped.replace('"', "&quot;").replace('\'', "&#39;"));
        done = range.end;
    }
    if done == 0 {
        return None;
    }
    out.push_str(source.get(done..)?);
    Some(out)
}

/// Returns `true` for elements that separate words.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address" | "article" | "aside" | "blockquote" | "br" | "dd" | "div" | "dl" | "dt" | "figcaption" | "figure"
    ) || matches!(
        name,
        "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hr" | "img" | "li" | "main" | "nav"
    ) || matches!(name, "ol" | "p" | "pre" | "section" | "table" | "td" | "th" | "tr" | "ul")
}

/// Returns `true` if a text that its format calls plain is HTML nevertheless.
///
/// RSS never defined the markup of titles. A text is treated as HTML only if it has an end tag or a reference, and no
/// tag or reference unknown to HTML: a false positive loses text in angle brackets (`Vec<T>`), a false negative shows
/// markup.
pub(crate) fn looks_like_html(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut evidence = false;
    let mut at = 0;
    while let Some(step) = memchr::memchr2(b'<', b'&', &bytes[at..]) {
        at += step + 1;
        if bytes[at - 1] == b'<' {
            let end_tag = bytes.get(at) == Some(&b'/');
            let name = &text[at + usize::from(end_tag)..];
            let name = &name[..word(name)];
            if name.is_empty() {
                continue;
            }
            if !is_html_element(name) {
                return false;
            }
            evidence |= end_tag && bytes.get(at + 1 + name.len()) == Some(&b'>');
        } else {
            let number = bytes.get(at) == Some(&b'#');
            let name = &text[at + usize::from(number)..];
            let name = &name[..word(name)];
            if name.is_empty() || bytes.get(at + usize::from(number) + name.len()) != Some(&b';') {
                continue;
            }
            if !number && html_entity(name).is_none() {
                return false;
            }
            evidence = true;
        }
    }
    evidence
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// The elements that occur in the bodies of pages.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "big",
    "blockquote",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "command",
    "datagrid",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "event-source",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "keygen",
    "label",
    "legend",
    "li",
    "m",
    "map",
    "menu",
    "meter",
    "multicol",
    "nav",
    "nextid",
    "noscript",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "pre",
    "progress",
    "q",
    "s",
    "samp",
    "section",
    "select",
    "small",
    "sound",
    "source",
    "spacer",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "video",
];

fn is_html_element(name: &str) -> bool {
    name.len() <= 12 && ELEMENTS.binary_search(&name.to_ascii_lowercase().as_str()).is_ok()
}

/// Returns `true` if an element never has an end tag.
pub(crate) fn is_void(name: &str) -> bool {
    let void = ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "wbr"];
    void.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Appends a text escaped for markup.
pub(crate) fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'&', b'<', b'>', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            _ => "&gt;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted() {
        assert!(ELEMENTS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn html_is_told_from_text() {
        for html in ["<b>x</b>", "a &amp; b", "AT&#38;T", "x<br>y</p>"] {
            assert!(looks_like_html(html), "{html}");
        }
        for text in ["a & b", "1 < 2", "Vec<T> and </T>", "<b>x", "&bogus;", "é <é></é>", "<", "&", "</"] {
            assert!(!looks_like_html(text), "{text}");
        }
    }

    #[test]
    fn people_read_no_scripts() {
        assert_eq!(text_of("a<script>b</script><p>c &eacute;<style>d</style>\n e"), "a c é e");
        assert_eq!(text_of("a<p>b</p><p>c"), "a b c");
    }

    #[test]
    fn links_are_made_absolute() {
        let html =
            "<p><a href='/a?b&amp;c'>x</a> <img src=i.png alt=y><a href=#n>z</a><a href=\"http://o.example\">o</a>";
        let expected = "<p><a href='http://f.example/a?b&amp;c'>x</a> <img src=http://f.example/d/i.png alt=y>\
                        <a href=#n>z</a><a href=\"http://o.example\">o</a>";
        assert_eq!(absolute_links(html, "http://f.example/d/").as_deref(), Some(expected));
        assert_eq!(absolute_links("<b>a=b</b>", "http://f.example/"), None);
        assert_eq!(absolute_links(html, ""), None);
    }

    #[test]
    fn what_is_escaped_means_the_same() {
        let mut out = String::new();
        escape("a<b>&c", &mut out);
        assert_eq!(out, "a&lt;b&gt;&amp;c");
    }
}
