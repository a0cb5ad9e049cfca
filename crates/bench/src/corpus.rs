//! The pages: all of `../shared/corpus`, decoded, whole and as markup only.

use std::fs;

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::shared;

/// One page, decoded: every parser gets the same bytes.
pub struct Page {
    /// Its path below the corpus.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Every `step`-th page of the corpus; none, with a note on standard error, if it is not there.
///
/// # Panics
///
/// If a page cannot be read.
pub fn pages(step: usize) -> Vec<Page> {
    let (Some(root), Some(paths)) = (shared::find("corpus"), shared::pages()) else {
        eprintln!("{}", shared::missing("corpus"));
        return Vec::new();
    };
    let read = |path: &std::path::PathBuf| {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let text = Document::from_bytes(bytes, &ParseOptions::default()).source().to_owned();
        Page { name, text }
    };
    paths.iter().step_by(step.max(1)).map(read).collect()
}

/// The page without scripts, styles and comments: what is left is what a tree builder works for.
pub fn markup_only(page: &Page) -> Page {
    let text = page.text.as_str();
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let end = if bytes[start..].starts_with(b"<!--") {
            text[start + 4..].find("-->").map_or(text.len(), |end| start + 4 + end + 3)
        } else if let Some(close) = ["script", "style"].iter().find(|name| opens(&bytes[start + 1..], name)) {
            element_end(bytes, start, close)
        } else {
            at = start + 1;
            continue;
        };
        out.push_str(&text[kept..start]);
        kept = end;
        at = end;
    }
    out.push_str(&text[kept..]);
    Page { name: page.name.clone(), text: out }
}

/// Reports whether a tag with this name begins here, after its `<` or `</`.
fn opens(rest: &[u8], name: &str) -> bool {
    rest.len() > name.len()
        && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes())
        && matches!(rest[name.len()], b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// One past the end tag of the raw text element at `start`, or the end of the page.
fn element_end(bytes: &[u8], start: usize, name: &str) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes[at..].windows(2).position(|pair| pair == b"</") {
        at += found + 2;
        if opens(&bytes[at..], name) {
            return bytes[at..].iter().position(|&byte| byte == b'>').map_or(bytes.len(), |end| at + end + 1);
        }
    }
    bytes.len()
}

/// Bytes of all the pages.
pub fn total_bytes(pages: &[Page]) -> usize {
    pages.iter().map(|page| page.text.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let page = Page { name: String::new(), text: text.to_owned() };
        assert_eq!(markup_only(&page).text, expected);
    }

    #[test]
    fn scripts_styles_and_comments_go() {
        check("<p>a<script x='1'>if (a</b) {}</SCRIPT >b<!-- <p> -->c<STYLE>p{}</style>d", "<p>abcd");
    }

    #[test]
    fn unclosed_ones_take_the_rest_and_similar_names_stay() {
        check("<scripty>a</scripty><style>x</styled>", "<scripty>a</scripty>");
        check("é<!-- x", "é");
        check("<script", "<script");
    }
}
