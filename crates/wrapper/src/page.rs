//! A page as the executor sees it: a source text with an address, and the tree, tokens and extents of it as soon as a
//! rule asks for them.
//!
//! A page made from text stays text while only patterns and splits run on it: no tree is built and nothing is copied.
//! A caller who knows that the tree will be needed ([`Extractor::needs_document`](crate::Extractor::needs_document))
//! gives the document at once and saves the copy that a later parse would make.

use std::sync::OnceLock;

use url::Url;
use windrow_dom::{Document, NodeId, NodeKind, Span, Token, names};

use crate::values::Hints;
use crate::values::date::Date;
use crate::values::money::is_code;

/// A page to extract from.
#[derive(Debug)]
pub struct Page {
    name: String,
    url: Option<Url>,
    at: Option<Date>,
    body: Body,
    tokens: OnceLock<Vec<Token>>,
    extents: OnceLock<Extents>,
    base: OnceLock<Option<Url>>,
    hints: OnceLock<Hints>,
}

#[derive(Debug)]
enum Body {
    Text(String, OnceLock<Box<Document>>),
    Document(Box<Document>),
}

impl Page {
    /// A page whose tree is built only if a rule needs it.
    pub fn from_text(name: impl Into<String>, source: impl Into<String>) -> Page {
        Page::new(name.into(), Body::Text(source.into(), OnceLock::new()))
    }

    /// A page that was parsed already.
    pub fn from_document(name: impl Into<String>, document: Document) -> Page {
        Page::new(name.into(), Body::Document(Box::new(document)))
    }

    fn new(name: String, body: Body) -> Page {
        let url = Url::parse(&name).ok().filter(|url| !url.cannot_be_a_base());
        Page {
            name,
            url,
            at: None,
            body,
            tokens: OnceLock::new(),
            extents: OnceLock::new(),
            base: OnceLock::new(),
            hints: OnceLock::new(),
        }
    }

    /// The same with an address, against which its links are resolved. A page whose name is a URL has it already.
    pub fn with_url(mut self, url: Url) -> Page {
        self.url = Some(url);
        self
    }

    /// The same with the time it was made or fetched: "yesterday" and "March 3" count from there.
    pub fn with_time(mut self, at: Date) -> Page {
        self.at = Some(at);
        self
    }

    /// What the caller calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// Its decoded source; spans of objects are ranges of it.
    pub fn source(&self) -> &str {
        match &self.body {
            Body::Text(text, _) => text,
            Body::Document(document) => document.source(),
        }
    }

    /// Its tree; built now if it was not before.
    pub fn document(&self) -> &Document {
        match &self.body {
            Body::Text(text, document) => document.get_or_init(|| Box::new(Document::parse(text.as_str()))),
            Body::Document(document) => document,
        }
    }

    /// Its tree, if it has been built.
    pub fn built(&self) -> Option<&Document> {
        match &self.body {
            Body::Text(_, document) => document.get().map(Box::as_ref),
            Body::Document(document) => Some(document),
        }
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| self.document().tokens())
    }

    pub(crate) fn extents(&self) -> &Extents {
        self.extents.get_or_init(|| Extents::new(self.document()))
    }

    /// What links are resolved against: the `base` element's address, else the page's own, else what the page says its
    /// address is (`link rel=canonical`).
    pub fn base(&self) -> Option<&Url> {
        let base = || {
            let source = self.source();
            // Looking for the tags first keeps a page that stays text from being parsed for this.
            let declared = |tag: &str, attribute: &str, is: &dyn Fn(&Document, NodeId) -> bool| {
                let document = match self.built() {
                    Some(document) => document,
                    None if has_tag(source, tag) => self.document(),
                    None => return None,
                };
                let element = document.nodes().find(|&id| document.name(id) == Some(tag) && is(document, id))?;
                let href = document.attr(element, attribute)?.trim();
                match &self.url {
                    Some(url) => url.join(href).ok(),
                    None => Url::parse(href).ok(),
                }
            };
            declared("base", "href", &|document, id| document.attr(id, "href").is_some())
                .or_else(|| self.url.clone())
                .or_else(|| {
                    declared("link", "href", &|document, id| {
                        document.attr(id, "rel").is_some_and(|rel| {
                            rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
                        })
                    })
                })
        };
        self.base.get_or_init(base).as_ref()
    }

    /// What the page tells about how to read its dates, numbers and amounts.
    pub fn hints(&self) -> &Hints {
        self.hints.get_or_init(|| {
            // A page that stays text says the same as its tree would: only what the tags may be in is parsed.
            let hints = match self.built() {
                Some(document) => Hints::from_document(document, self.url.as_ref()),
                None => {
                    let document = Document::parse(head(self.source()));
                    let hints = Hints::from_document(&document, self.url.as_ref());
                    Hints { currency: declared_currency(self.source()), ..hints }
                }
            };
            Hints { reference: self.at, ..hints }
        })
    }
}

impl Hints {
    /// What a document tells about how to read its values: its language, the country of its address, and the currency
    /// that it declares. `url` is where the page was fetched; without it, its canonical address counts.
    pub fn from_document(document: &Document, url: Option<&Url>) -> Hints {
        let html = document.find_html(names::HTML);
        let language = html.and_then(|html| document.attr(html, "lang")).filter(|tag| !tag.trim().is_empty());
        let language = language.map(str::to_owned).or_else(|| language_of_script(head(document.source())));
        let country = match url {
            Some(url) => country_of(url),
            None => canonical(document).and_then(|url| country_of(&url)),
        };
        Hints { language, country, currency: declared_currency(document.source()), ..Hints::default() }
    }
}

/// Nodes of a page that are looked at for its canonical address, which stands in the head.
const HEAD_NODES: usize = 4096;

/// The address that a page says it has.
fn canonical(document: &Document) -> Option<Url> {
    let is_canonical = |id: &NodeId| {
        let rel = document.attr(*id, "rel").unwrap_or_default();
        document.name(*id) == Some("link")
            && rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let link = document.nodes().take(HEAD_NODES).find(is_canonical)?;
    Url::parse(document.attr(link, "href")?.trim()).ok()
}

/// The country of an address: its last label, if that is one of two letters that stands for the country and is not sold
/// as a word.
fn country_of(url: &Url) -> Option<String> {
    const WORDS: &str =
        "ac ai am app as bz cc cd co eu fm ga gg gl im io la ly me ms mu nu pw re sc sh so st sx tk to tv vc ws";
    let Some(url::Host::Domain(host)) = url.host() else { return None };
    let label = host.trim_end_matches('.').rsplit('.').next()?;
    let is_country = label.len() == 2 && label.bytes().all(|byte| byte.is_ascii_alphabetic()) && host.contains('.');
    if !is_country || WORDS.split(' ').any(|word| word.eq_ignore_ascii_case(label)) {
        return None;
    }
    Some(if label.eq_ignore_ascii_case("uk") { "GB".to_owned() } else { label.to_ascii_uppercase() })
}

/// The language of a page that does not tell it but is written in a script that does: Chinese, Japanese or Korean.
fn language_of_script(source: &str) -> Option<String> {
    const FEWEST: usize = 16;
    let (mut han, mut kana, mut hangul) = (0_usize, 0_usize, 0_usize);
    for c in source.chars() {
        match c {
            '\u{4E00}'..='\u{9FFF}' => han += 1,
            '\u{3041}'..='\u{30FA}' => kana += 1,
            '\u{AC00}'..='\u{D7A3}' => hangul += 1,
            _ => {}
        }
    }
    let language = match () {
        () if hangul >= FEWEST && hangul > han + kana => "ko",
        () if kana >= FEWEST && kana * 10 >= han => "ja",
        () if han >= FEWEST && kana == 0 && hangul == 0 => "zh",
        () => return None,
    };
    Some(language.to_owned())
}

/// The currency of a page's prices as it tells machines: in JSON-LD and microdata (`priceCurrency`) and in `meta`
/// elements (`price:currency`). None if it declares several.
fn declared_currency(source: &str) -> Option<String> {
    const MOST: usize = 200;
    const BEHIND: usize = 48;
    let bytes = source.as_bytes();
    let mut declared: Option<&str> = None;
    for key in ["priceCurrency", "price:currency"] {
        for at in memchr::memmem::find_iter(bytes, key).take(MOST) {
            let start = at + key.len();
            let end = source.floor_char_boundary((start + BEHIND).min(source.len()));
            let mut words = source[start..end].split(|c: char| !c.is_ascii_alphabetic());
            let Some(code) = words.find(|word| is_code(word)) else { continue };
            if declared.is_some_and(|other| other != code) {
                return None;
            }
            declared = Some(code);
        }
    }
    declared.map(str::to_owned)
}

/// The first part of a source, where heads are.
fn head(source: &str) -> &str {
    &source[..source.floor_char_boundary(1 << 16)]
}

/// Whether a start tag of this name may be in the head of a source.
fn has_tag(source: &str, tag: &str) -> bool {
    let head = head(source).as_bytes();
    memchr::memchr_iter(b'<', head)
        .any(|at| head.get(at + 1..at + 1 + tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes())))
}

/// What each node covers in the source, and the nodes by where they begin: how a range of bytes finds its nodes.
///
/// Made once for a page, in linear time but for a sort of nodes that are nearly sorted.
#[derive(Debug)]
pub(crate) struct Extents {
    spans: Vec<Span>,
    by_start: Vec<NodeId>,
}

/// The extent of a node that has nothing of its own in the source.
const NOWHERE: Span = Span { start: u32::MAX, end: 0 };

impl Extents {
    fn new(document: &Document) -> Extents {
        let mut spans = vec![NOWHERE; document.len()];
        for id in document.nodes().rev() {
            let own = match document.kind(id) {
                NodeKind::Element => document.start_tag(id),
                NodeKind::Document | NodeKind::Fragment => None,
                _ => document.span(id),
            };
            let mut span = spans[id.index()];
            for part in [own, document.end_tag(id)].into_iter().flatten() {
                span = Span { start: span.start.min(part.start), end: span.end.max(part.end) };
            }
            spans[id.index()] = span;
            if let Some(parent) = document.parent(id) {
                let above = &mut spans[parent.index()];
                *above = Span { start: above.start.min(span.start), end: above.end.max(span.end) };
            }
        }
        if let Some(root) = spans.first_mut() {
            *root = Span::new(0, document.source().len());
        }
        let mut by_start: Vec<NodeId> = document.nodes().filter(|id| spans[id.index()] != NOWHERE).collect();
        by_start.sort_by_key(|id| (spans[id.index()].start, *id));
        Extents { spans, by_start }
    }

    /// What a node covers.
    pub(crate) fn of(&self, id: NodeId) -> Option<Span> {
        self.spans.get(id.index()).copied().filter(|span| *span != NOWHERE)
    }

    /// The nodes that begin in a range, in the order of the source.
    pub(crate) fn starting_in(&self, range: Span) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.by_start[self.first_from(range.start)..].iter().copied();
        nodes.take_while(move |id| self.spans[id.index()].start < range.end)
    }

    /// The number, in the order of the source, of the first node that begins at or behind a byte.
    fn first_from(&self, start: u32) -> usize {
        self.by_start.partition_point(|id| self.spans[id.index()].start < start)
    }

    /// The node whose children the nodes inside a range are: the parent of the outermost node that lies wholly in it,
    /// or, if none does, the innermost element around it.
    pub(crate) fn context(&self, document: &Document, range: Span) -> NodeId {
        let inside = |id: NodeId| range.contains(self.spans[id.index()]);
        let blank = |id: NodeId| document.is_text(id) && document.text(id).trim().is_empty();
        let candidate = self.starting_in(range).take(MOST_LOOKED_AT).find(|&id| inside(id) && !blank(id));
        if let Some(mut id) = candidate {
            while let Some(parent) = document.parent(id) {
                if !inside(parent) || parent == document.root() {
                    return parent;
                }
                id = parent;
            }
            return document.root();
        }
        let mut id =
            self.first_from(range.start).checked_sub(1).map_or(document.root(), |before| self.by_start[before]);
        loop {
            if document.is_element(id) && self.spans[id.index()].contains(range) {
                return id;
            }
            match document.parent(id) {
                Some(parent) => id = parent,
                None => return id,
            }
        }
    }
}

/// Nodes beginning in a range that are tried before it is taken to hold none: a range that begins in the middle of
/// blank texts is rare, and the bound keeps many ranges on one page linear.
const MOST_LOOKED_AT: usize = 64;
