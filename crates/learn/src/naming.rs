//! Names for lists: short, plain, and after what is listed.
//!
//! A list is called after its own heading, caption or label, else after the type that its records declare (microdata,
//! RDFa), else after a word of the classes or ids of its records or of what holds them, else after the page: its
//! title, the last part of its address, its host, or its file. What only says how something is shown (`card`, `row`,
//! `clearfix`) names nothing. Without any of these the list is called `records`.
//!
//! Cost: a few nodes around the first and the last record.

use url::Url;
use windrow_dom::{Document, NodeId, names};

use crate::class_words::{self, parts};
use crate::induce::generated::looks_generated;
use crate::source::Source;

/// The name of a list for which there is no better one.
pub(crate) const FALLBACK: &str = "records";

/// Characters and words of the longest name.
const LONGEST: usize = 32;
const MOST_WORDS: usize = 4;
/// Elements around the records that may name them.
const LEVELS: usize = 3;
/// Nodes of a record, and in front of a list, that are looked at.
const NODES: usize = 12;
/// Characters of a text that is turned into a name.
const TEXT: usize = 200;

/// A name for the list of these records, given by their first nodes.
pub(crate) fn list_name(source: &Source<'_>, records: &[NodeId]) -> String {
    let document = source.document;
    let Some((&first, &last)) = records.first().zip(records.last()) else { return FALLBACK.to_owned() };
    // A record that is the page: its heading is the record's own, and names no other.
    if first == last && document.name_id(first) == Some(names::HTML) {
        let name = page_type(document).or_else(|| source.url.and_then(section));
        return name.unwrap_or_else(|| FALLBACK.to_owned());
    }
    let holders: Vec<NodeId> = document
        .ancestors(first)
        .filter(|&id| first == last || document.is_ancestor(id, last))
        .take_while(|&id| !matches!(document.name_id(id), Some(names::BODY | names::HTML)))
        .take(LEVELS)
        .collect();
    label(document, first, &holders)
        .or_else(|| item_type(document, first, last))
        .or_else(|| class(document, first, last, &holders))
        .or_else(|| title(document))
        .or_else(|| source.url.and_then(path_segment))
        .or_else(|| source.url.and_then(host))
        .or_else(|| file_stem(source))
        .unwrap_or_else(|| FALLBACK.to_owned())
}

/// What the page calls the list: its caption, its label for screen readers, or the heading in front of it.
fn label(document: &Document, first: NodeId, holders: &[NodeId]) -> Option<String> {
    let own = |id: NodeId| {
        let labelled = document.attr(id, "aria-labelledby").and_then(|ids| {
            let wanted = ids.split_ascii_whitespace().next()?;
            document.nodes().find(|&other| document.attr(other, "id") == Some(wanted))
        });
        let caption = || document.children(id).find(|&child| document.name(child) == Some("caption"));
        let text = labelled.or_else(caption).map(|node| document.visible_text(node));
        text.as_deref().and_then(phrase).or_else(|| document.attr(id, "aria-label").and_then(phrase))
    };
    if let Some(name) = holders.iter().find_map(|&id| own(id)) {
        return Some(name);
    }
    std::iter::once(&first).chain(holders).find_map(|&id| {
        let before = std::iter::successors(document.prev_sibling(id), |&id| document.prev_sibling(id)).take(NODES);
        // Another list in front has a heading of its own.
        let heading = before.into_iter().find(|&id| document.is_element(id) && !is_blank(document, id))?;
        is_heading(document, heading).then(|| phrase(&document.visible_text(heading))).flatten()
    })
}

fn is_heading(document: &Document, id: NodeId) -> bool {
    matches!(document.name(id), Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "legend"))
}

fn is_blank(document: &Document, id: NodeId) -> bool {
    document.visible_text(id).trim().is_empty()
}

/// The type that records declare, such as `https://schema.org/Product`.
fn item_type(document: &Document, first: NodeId, last: NodeId) -> Option<String> {
    let declared = |record: NodeId| {
        let end = document.subtree_end(record);
        let below = document.descendants(record).take(NODES).take_while(|&id| id < end);
        std::iter::once(record).chain(below).find_map(|id| type_of(document, id))
    };
    declared(first).filter(|name| declared(last).as_ref() == Some(name))
}

fn type_of(document: &Document, id: NodeId) -> Option<String> {
    let kind = document.attr(id, "itemtype").or_else(|| document.attr(id, "typeof"))?;
    let kind = kind.split_ascii_whitespace().next()?;
    let kind = kind.rsplit(['/', '#', ':']).next()?;
    (!matches!(kind, "ListItem" | "Thing" | "ItemList")).then(|| joined(&parts(kind))).flatten()
}

/// The type of the thing that a page is about.
fn page_type(document: &Document) -> Option<String> {
    document.nodes().take(TEXT * NODES).find_map(|id| {
        let declared = type_of(document, id).filter(|name| !matches!(name.as_str(), "web_page" | "web_site"));
        let meta = || {
            let is_type = document.name(id) == Some("meta") && document.attr(id, "property") == Some("og:type");
            let content = document.attr(id, "content").filter(|_| is_type)?;
            (content != "website").then(|| joined(&parts(content.rsplit(['.', ':']).next()?))).flatten()
        };
        declared.or_else(meta)
    })
}

/// A word of the records' classes, else of the ids and classes of what holds them.
fn class(document: &Document, first: NodeId, last: NodeId, holders: &[NodeId]) -> Option<String> {
    let words = |id: NodeId| document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace();
    let shared = words(first).filter(|word| first == last || words(last).any(|other| other == *word));
    shared.into_iter().find_map(meaning).or_else(|| {
        holders.iter().find_map(|&id| {
            let id_word = document.attr(id, "id").into_iter();
            id_word.chain(words(id)).find_map(meaning)
        })
    })
}

/// Returns what a class or an id says of what is listed.
fn meaning(word: &str) -> Option<String> {
    let words: Vec<String> = class_words::meaningful(word)
        .into_iter()
        .filter(|word| GENERIC.binary_search(&word.as_str()).is_err())
        .collect();
    (words.len() <= 3).then(|| joined(&words)).flatten()
}

fn joined(parts: &[String]) -> Option<String> {
    name(&parts.join("_"))
}

/// The part of the page's title that is about this page: the first that is no more than a few words.
fn title(document: &Document) -> Option<String> {
    let heading = || {
        let mut headings = document.nodes().filter(|&id| document.name(id) == Some("h1")).take(2);
        let only = headings.next()?;
        headings.next().is_none().then(|| document.visible_text(only))
    };
    if let Some(name) = heading().as_deref().and_then(phrase) {
        return Some(name);
    }
    let title = document.nodes().take(TEXT * NODES).find(|&id| document.name(id) == Some("title"))?;
    let text = document.text_content(title);
    text.split(['|', '–', '—', '·', '»', '«']).flat_map(|part| part.split(" - ")).find_map(phrase)
}

/// A short text as a name; none if it is longer than a heading, or says a number.
fn phrase(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_suffix([':', '：']).unwrap_or(text).trim();
    let short = text.chars().count() <= LONGEST && text.split_whitespace().count() <= MOST_WORDS;
    // A number changes with the list: "Results (12)".
    let steady = !text.contains(|c: char| c.is_numeric());
    let worded = text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    (short && steady && worded && !text.contains('\n')).then(|| name(text)).flatten()
}

/// The last part of an address that is a word.
fn path_segment(url: &Url) -> Option<String> {
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    segments.iter().rev().find_map(|segment| stem_name(segment))
}

/// The part of an address that many pages share: that in front of the last.
fn section(url: &Url) -> Option<String> {
    let mut segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    segments.pop()?;
    segments.iter().rev().find_map(|segment| stem_name(segment))
}

/// The label of a host that its owner chose.
fn host(url: &Url) -> Option<String> {
    let Some(url::Host::Domain(host)) = url.host() else { return None };
    let mut labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty() && *label != "www").collect();
    if labels.len() > 1 {
        labels.pop();
    }
    // `shop.co.uk`
    if labels.len() > 1 && labels.last().is_some_and(|label| label.len() <= 3) {
        labels.pop();
    }
    labels.last().filter(|label| **label != "localhost").and_then(|label| name(label))
}

fn file_stem(source: &Source<'_>) -> Option<String> {
    if source.name.contains("://") {
        return None;
    }
    stem_name(source.name.rsplit(['/', '\\']).next()?)
}

/// The name that a file or a part of an address gives, if it says more than that it is a page.
fn stem_name(file: &str) -> Option<String> {
    const GENERIC: &[&str] = &[
        "default", "download", "en", "home", "htm", "html", "index", "list", "main", "page", "public", "search",
        "site", "test", "tests", "tmp", "untitled", "view", "web",
    ];
    let stem = file.split('.').next().unwrap_or(file);
    let letters = stem.chars().filter(|c| c.is_alphabetic()).count();
    let digits = stem.chars().filter(|c| c.is_numeric()).count();
    let name = name(stem).filter(|_| letters > 2 && digits == 0 && !looks_generated(stem))?;
    let generic = |part: &str| GENERIC.contains(&part);
    (!name.split('_').all(generic) && name.split('_').count() <= MOST_WORDS).then_some(name)
}

/// A text as the name of a list: small letters and digits, the rest as `_`. None if the name is taken by something
/// else, as `page` is by the fields of a page.
fn name(text: &str) -> Option<String> {
    const TAKEN: &[&str] = &["page", "record", "root", "data"];
    let mut name = String::new();
    for c in text.trim().chars().take(TEXT) {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_matches('_');
    let fits = name.starts_with(char::is_alphabetic) && name.chars().count() <= LONGEST;
    (fits && !TAKEN.contains(&name)).then(|| name.to_owned())
}

/// Words that say what every list has, or where on a page it stands. They may name a field, but not a list.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "article", "badge", "body", "brand", "content", "contents", "detail", "details", "entries", "entry", "heading",
    "image", "img", "index", "info", "level", "media", "part", "preview", "section", "teaser", "teasers", "thumb",
    "thumbnail", "title", "type", "unit", "views",
];
