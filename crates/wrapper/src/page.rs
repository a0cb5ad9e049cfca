//! A page as the executor sees it: a source text with an address; its tree, tokens and extents are computed on
//! request.
//!
//! A page made from text stays text while only patterns and splits run on it: no tree is built and nothing is copied.
//! A caller who knows that the tree will be needed ([`Extractor::needs_document`](crate::Extractor::needs_document))
//! passes the document at once and saves the copy that a later parse would make.

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
    /// Creates a page whose tree is built only if a rule needs it.
    pub fn from_text(name: impl Into<String>, source: impl Into<String>) -> Page {
        Page::new(name.into(), Body::Text(source.into(), OnceLock::new()))
    }

    /// Creates a page from a parsed document.
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

    /// Sets the address against which its links are resolved. A page whose name is a URL has one already.
    pub fn with_url(mut self, url: Url) -> Page {
        self.url = Some(url);
        self
    }

    /// Sets the time the page was made or fetched, which "yesterday" and "March 3" refer to.
    pub fn with_time(mut self, at: Date) -> Page {
        self.at = Some(at);
        self
    }

    /// Returns the name the caller gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its address.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// Returns its decoded source; spans of objects are ranges of it.
    pub fn source(&self) -> &str {
        match &self.body {
            Body::Text(text, _) => text,
            Body::Document(document) => document.source(),
        }
    }

    /// Returns its tree, building it if necessary.
    pub fn document(&self) -> &Document {
        match &self.body {
            Body::Text(text, document) => document.get_or_init(|| Box::new(Document::parse(text.as_str()))),
            Body::Document(document) => document,
        }
    }

    /// Returns its tree, if it has been built.
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

    /// Returns the URL that links are resolved against: the `base` element's address, else the page's own, else the
    /// address the page declares (`link rel=canonical`).
    pub fn base(&self) -> Option<&Url> {
        let base = || {
            let source = self.source();
            // Searching for the tags first avoids parsing a page that stays text.
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

    /// Returns the page's hints for parsing its dates, numbers and amounts.
    pub fn hints(&self) -> &Hints {
        self.hints.get_or_init(|| {
            // A page that stays text gives the same hints as its tree would; only the part that may hold the tags is
            // parsed.
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
    /// Collects a document's hints for parsing its values: its language, the country of its address, and the currency
    /// it declares. `url` is the address it was fetched from; without one, its canonical address is used.
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

/// Number of nodes searched for the canonical address, which stands in the head.
const HEAD_NODES: usize = 4096;

/// Returns the address that a page declares for itself.
fn canonical(document: &Document) -> Option<Url> {
    let is_canonical = |id: &NodeId| {
        let rel = document.attr(*id, "rel").unwrap_or_default();
        document.name(*id) == Some("link")
            && rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let link = document.nodes().take(HEAD_NODES).find(is_canonical)?;
    Url::parse(document.attr(link, "href")?.trim()).ok()
}

/// Returns the country of an address: the last label of the host, if it is a two-letter country code that is not
/// commonly sold for other uses.
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

/// Guesses the language of a page that does not declare it from its script: Chinese, Japanese or Korean.
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

/// Returns the currency that a page declares in structured data: in JSON-LD and microdata (`priceCurrency`) or in
/// `meta` elements (`price:currency`). `None` if it declares several.
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

/// Returns the first part of a source, which contains the head.
fn head(source: &str) -> &str {
    &source[..source.floor_char_boundary(1 << 16)]
}

/// Returns `true` if the head of a source may contain a start tag of this name.
fn has_tag(source: &str, tag: &str) -> bool {
    let head = head(source).as_bytes();
    memchr::memchr_iter(b'<', head)
        .any(|at| head.get(at + 1..at + 1 + tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes())))
}

/// The range of the source that each node covers, and the nodes sorted by where they begin, to find the nodes in a
/// range of bytes.
///
/// Computed once per page, in linear time except for sorting nodes that are nearly sorted.
#[derive(Debug)]
pub(crate) struct Extents {
    spans: Vec<Span>,
    by_start: Vec<NodeId>,
}

/// The extent of a node that has no part in the source.
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

    /// Returns the range that a node covers.
    pub(crate) fn span_of(&self, id: NodeId) -> Option<Span> {
        self.spans.get(id.index()).copied().filter(|span| *span != NOWHERE)
    }

    /// Returns the nodes that begin in a range, in source order.
    pub(crate) fn starting_in(&self, range: Span) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.by_start[self.first_from(range.start)..].iter().copied();
        nodes.take_while(move |id| self.spans[id.index()].start < range.end)
    }

    /// Returns the index, in source order, of the first node that begins at or after a byte.
    fn first_from(&self, start: u32) -> usize {
        self.by_start.partition_point(|id| self.spans[id.index()].start < start)
    }

    /// Returns the parent of the nodes inside a range: the parent of the outermost node that lies wholly in it or, if
    /// there is none, the innermost element around it.
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

/// Number of nodes beginning in a range that are tried before it is taken to contain none. A range that begins in the
/// middle of blank texts is rare, and the bound keeps the work for many ranges on one page linear.
const MOST_LOOKED_AT: usize = 64;
