//! Parses HTML pages from bytes to the tree a browser would build, where every node knows its place in the source.
//!
//! ```
//! use windrow_dom::Document;
//!
//! let document = Document::parse("<ul><li>Oslo<li>Rome</ul>");
//! let list = document.find_html(windrow_dom::names::UL).unwrap();
//! let cities: Vec<String> = document.children(list).map(|item| document.visible_text(item)).collect();
//! assert_eq!(cities, ["Oslo", "Rome"]);
//!
//! let first = document.first_child(list).unwrap();
//! let tag = document.start_tag(first).unwrap();
//! assert_eq!(&document.source()[tag.range()], "<li>");
//! ```
//!
//! Parsing cannot fail: every sequence of bytes is a page. [`Document::notes`] lists whatever the parser left out of
//! a hostile page.
//!
//! This crate does no I/O and knows nothing of queries or wrappers.

mod arena;
pub mod assemble;
mod builder;
mod charref;
pub mod document;
pub mod encoding;
pub mod names;
pub mod options;
mod scan;
mod serialize;
pub mod span;
mod text;
pub mod tokenizer;
pub mod tokens;

pub use document::{Attr, Doctype, Document, Namespace, NodeId, NodeKind, QuirksMode};
pub use encoding::{EncodingDecision, EncodingReason, encoding_name};
pub use names::NameId;
pub use options::{Limits, Note, ParseOptions};
pub use span::Span;
pub use tokens::{Token, TokenKind};

/// Decodes a page given as bytes. This is the text that [`Document::from_bytes`] parses, for callers who need no
/// tree. Bytes beyond [`Limits::source_bytes`] are ignored.
///
/// ```
/// let (source, encoding) = windrow_dom::decode(b"<meta charset=latin1>Gr\xfc\xdfe".to_vec(), &Default::default());
/// assert_eq!((source.as_str(), encoding.name), ("<meta charset=latin1>Grüße", "windows-1252"));
/// ```
pub fn decode(bytes: impl Into<Vec<u8>>, options: &ParseOptions) -> (String, EncodingDecision) {
    let mut bytes = bytes.into();
    bytes.truncate(options.limits.source_bytes);
    encoding::decode(bytes, options.forced_charset.as_deref(), options.charset.as_deref())
}

impl Document {
    /// Parses a page given as text.
    pub fn parse(html: impl Into<String>) -> Document {
        Document::parse_with(html, &ParseOptions::default())
    }

    /// Parses a page given as text, with options.
    pub fn parse_with(html: impl Into<String>, options: &ParseOptions) -> Document {
        builder::page(html.into(), EncodingDecision::TEXT, options)
    }

    /// Parses a page given as bytes, detecting its encoding first ([`Document::encoding`] returns the result and the
    /// reason).
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, options: &ParseOptions) -> Document {
        let bytes = bytes.into();
        let dropped = bytes.len().saturating_sub(options.limits.source_bytes);
        let (source, encoding) = decode(bytes, options);
        let mut document = builder::page(source, encoding, options);
        if dropped > 0 {
            document.notes.insert(0, Note::SourceCut { dropped });
        }
        document
    }

    /// Parses a fragment as if it were the inner HTML of a `context` element (`"div"`, `"svg path"`, `"math mi"`).
    ///
    /// The root is a [`NodeKind::Fragment`] with the fragment's nodes below it.
    pub fn parse_fragment(html: impl Into<String>, context: &str, options: &ParseOptions) -> Document {
        builder::fragment(html.into(), context, options)
    }
}
