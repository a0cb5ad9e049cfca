//! What a page says of itself for machines: JSON-LD, microdata, RDFa, and the meta tags of the Open Graph.
//!
//! The idea: many pages carry their record twice, once for people and once for programs. The second telling is read here into
//! one form, whatever its syntax: items with types and named values, a value being a text or another item. Names of
//! schema.org are bare (`name`, `Product`), however the page writes them; other vocabularies keep their full address.
//! Values are texts with white space collapsed, numbers as written (`19.90` stays `19.90`), links absolute where the
//! page's address is known.
//!
//! ```
//! use windrow_dom::Document;
//!
//! let document = Document::parse(
//!     "<div itemscope itemtype='https://schema.org/Product'><b itemprop=name>Rake</b>
//!      <span itemprop=brand itemscope><i itemprop=name>Oak &amp; Ash</i></span>
//!      <p itemprop=offers itemscope><span itemprop=price content=19.90>€ 19,90</span></p></div>",
//! );
//! let structured = windrow_learn::structured::read(&document, None);
//! let product = structured.of_type("Product").next().unwrap();
//! assert_eq!(product.find(&structured.items, "offers.price")[0].0, "19.90");
//! assert_eq!(product.find(&structured.items, "brand")[0].0, "Oak & Ash");
//! ```
//!
//! Items of one page form a graph, and graphs have cycles (a page about a product that is the main thing of the page):
//! walk them with [`Item::find`], which is bounded by its way, or keep count.
//!
//! # Departures from the standards
//!
//! - JSON-LD: no context is fetched, the page's own is used; broken JSON is read as far as it can be, and a
//!   [`Note`] says from where on it could not.
//! - Microdata: a `content` attribute counts on every element, as schema.org's own examples have it; a property whose
//!   attribute is missing (`<a itemprop=name>`) is worth its text; texts are the visible ones, or all there is if none is.
//! - RDFa: `rel` and `rev` count only with prefixed names, since `rel=nofollow` says nothing of the page's data; literals are
//!   plain text.
//! - Open Graph names count as `name` too, not only as `property`: pages write both.
//!
//! # Cost
//!
//! One walk over the elements' attributes (a few per cent of the time the page took to parse) tells what there is, and is
//! all that a page without such data costs. What there is costs linear time: each bound is a constant here, and what
//! goes over one is left out with a [`Note`].

mod graph;
mod json;
mod jsonld;
mod meta;
mod microdata;
mod rdfa;
mod survey;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::fmt;

use hashbrown::HashSet;
use url::Url;
use windrow_dom::{Document, NodeId, Span};

/// Items read from one page; real pages have tens, listings a few hundred.
pub const MAX_ITEMS: usize = 20_000;

/// Properties read from one page, and steps taken to follow `itemref`s.
pub const MAX_PROPERTIES: usize = 200_000;

/// Bytes of values read from one page, each counted as it is read and as it is kept. A value inside another counts for
/// both: this is what keeps nesting linear.
pub const MAX_TEXT_BYTES: usize = 32 << 20;

/// Nodes whose texts are read for values, all values together; nodes in nested values count for each.
pub const MAX_TEXT_NODES: usize = 4 << 20;

/// Values (objects, arrays, texts, numbers) in the JSON-LD of one page.
pub const MAX_JSON_VALUES: usize = 500_000;

/// Depth of arrays and objects in JSON-LD: what is deeper is left out. Real pages stay below twenty.
pub const MAX_JSON_DEPTH: usize = 64;

/// Reads what a page says of itself for machines. `base` is what its links are relative to; without it they stay as
/// written.
///
/// Items are in the order of the syntaxes ([`Syntax`]), then in the page's.
pub fn read(document: &Document, base: Option<&Url>) -> Structured {
    let survey = survey::look(document);
    let mut graph = graph::Graph::new(document, base);
    if !survey.scripts.is_empty() {
        jsonld::read(&mut graph, &survey.scripts);
    }
    if !survey.microdata.is_empty() {
        microdata::read(&mut graph, &survey.microdata);
    }
    if survey.rdfa {
        rdfa::read(&mut graph);
    }
    if !survey.metas.is_empty() {
        meta::read(&mut graph, &survey.metas);
    }
    graph.finish()
}

/// What a page says of itself: its items, and what could not be read of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Structured {
    /// All items, nested ones too; [`ItemId`]s index it.
    pub items: Vec<Item>,
    /// What was cut short or could not be read; empty for most pages.
    pub notes: Vec<Note>,
}

impl Structured {
    /// Whether the page says nothing of itself, not even something unreadable.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.notes.is_empty()
    }

    /// The items that stand for themselves, not as the value of another's property.
    pub fn top(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.top)
    }

    /// The items of a type (`Product`), nested ones too; upper and lower case are the same.
    pub fn of_type<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(move |item| item.types.iter().any(|found| found.eq_ignore_ascii_case(name)))
    }
}

/// An item of one page: an index of [`Structured::items`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(u32);

impl ItemId {
    /// The index in [`Structured::items`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a page wrote an item down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// JSON in a `script` of type `application/ld+json`.
    JsonLd,
    /// `itemscope` and `itemprop` attributes.
    Microdata,
    /// `typeof` and `property` attributes.
    Rdfa,
    /// `meta` elements of the Open Graph and its relatives (`og:title`, `product:price:amount`, `twitter:card`).
    Meta,
}

impl Syntax {
    /// The syntax's name, as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Syntax::JsonLd => "json-ld",
            Syntax::Microdata => "microdata",
            Syntax::Rdfa => "rdfa",
            Syntax::Meta => "meta",
        }
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A thing the page speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// How it was written down.
    pub syntax: Syntax,
    /// Its types, bare where they are schema.org's (`Product`); of the Open Graph, what `og:type` says.
    pub types: Vec<String>,
    /// What the page calls it, if it does: an address as a rule (`@id`, `itemid`, `resource`).
    pub id: Option<String>,
    /// Its properties, in the page's order.
    pub properties: Vec<Property>,
    /// Where it stands: the `script` of JSON-LD, the element of the others.
    pub node: NodeId,
    /// Whether it stands for itself, not as the value of another's property.
    pub top: bool,
}

/// A named value of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Property {
    /// The name, bare where it is schema.org's (`name`).
    pub name: String,
    /// What it is worth.
    pub value: Value,
    /// The element that says so; none in JSON-LD.
    pub node: Option<NodeId>,
}

/// What a property is worth.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A text, white space collapsed; never empty.
    Text(String),
    /// Another item.
    Item(ItemId),
}

impl Item {
    /// The properties of a name; upper and lower case are the same.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Property> {
        self.properties.iter().filter(move |property| property.name.eq_ignore_ascii_case(name))
    }

    /// The texts at the end of a dotted way of names (`offers.price`), with the elements that say them. `items` are all
    /// of the page ([`Structured::items`]).
    ///
    /// Where the way ends at an item, its name is taken: `brand` of `{"brand": {"name": "Oak"}}` is `Oak`.
    ///
    /// # Cost
    ///
    /// Each step looks once at the properties of the items reached so far.
    pub fn find<'a>(&'a self, items: &'a [Item], way: &str) -> Vec<(&'a str, Option<NodeId>)> {
        let mut found = Vec::new();
        let mut reached = vec![self];
        let mut steps = way.split('.').peekable();
        while let Some(step) = steps.next() {
            let mut next = Vec::new();
            let mut seen = HashSet::new();
            for property in reached.iter().flat_map(|item| &item.properties) {
                if !property.name.eq_ignore_ascii_case(step) {
                    continue;
                }
                match &property.value {
                    Value::Text(text) if steps.peek().is_none() => found.push((text.as_str(), property.node)),
                    Value::Text(_) => {}
                    Value::Item(id) if seen.insert(*id) => {
                        let Some(item) = items.get(id.index()) else { continue };
                        match steps.peek() {
                            Some(_) => next.push(item),
                            None => found.extend(item.named("name").filter_map(|name| match &name.value {
                                Value::Text(text) => Some((text.as_str(), name.node)),
                                Value::Item(_) => None,
                            })),
                        }
                    }
                    Value::Item(_) => {}
                }
            }
            reached = next;
        }
        found
    }
}

/// Something that could not be read, or was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// JSON-LD that is no JSON from some byte on; what stands before was read.
    BrokenJson {
        /// The `script`.
        node: NodeId,
        /// From the first byte that could not be read to the end of the script's text.
        span: Span,
    },
    /// JSON-LD deeper than [`MAX_JSON_DEPTH`]: the deeper parts were left out.
    DeepJson {
        /// The `script`.
        node: NodeId,
    },
    /// An `itemref` names an element that is not there.
    NoSuchElement {
        /// The item that refers.
        node: NodeId,
        /// The id it refers to.
        id: String,
    },
    /// A limit was met: what came after was left out.
    Cut {
        /// What was being read.
        syntax: Syntax,
        /// Which limit, as the name of its constant.
        limit: &'static str,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::BrokenJson { span, .. } => {
                write!(f, "the JSON-LD is no JSON from byte {} on: what stands before was read", span.start)
            }
            Note::DeepJson { .. } => {
                write!(f, "JSON-LD is nested deeper than {MAX_JSON_DEPTH}: the deeper parts were left out")
            }
            Note::NoSuchElement { id, .. } => write!(f, "an itemref names `{id}`, and no element has that id"),
            Note::Cut { syntax, limit } => write!(f, "{syntax} was cut at {limit}"),
        }
    }
}
