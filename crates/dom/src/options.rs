//! Limits on what a page may make the parser do, and the notes that say when one was met.

/// How to parse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The charset of the `Content-Type` header, if there was one.
    pub charset: Option<String>,
    /// The charset to decode with, whatever the page and its transport say and whatever the bytes look like.
    pub forced_charset: Option<String>,
    /// Parse `noscript` as a browser that runs scripts does (its contents are one text). Off by default: what a
    /// page says to those who run no scripts is what we can read.
    pub scripting: bool,
    /// Bounds on hostile pages.
    pub limits: Limits,
}

impl ParseOptions {
    /// Sets the charset given by the transport.
    pub fn with_charset(mut self, charset: impl Into<String>) -> ParseOptions {
        self.charset = Some(charset.into());
        self
    }

    /// Sets the charset that the bytes are decoded with, come what may ([`encoding_name`](crate::encoding_name) tells
    /// whether there is such a charset; one that does not exist is no demand).
    pub fn with_forced_charset(mut self, charset: impl Into<String>) -> ParseOptions {
        self.forced_charset = Some(charset.into());
        self
    }

    /// Sets whether `noscript` is parsed as if scripts ran.
    pub fn with_scripting(mut self, scripting: bool) -> ParseOptions {
        self.scripting = scripting;
        self
    }

    /// Sets the limits.
    pub fn with_limits(mut self, limits: Limits) -> ParseOptions {
        self.limits = limits;
        self
    }
}

/// Bounds. What goes over one is left out, and a [`Note`] says so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of decoded source; the rest is not read. At most 1 GiB.
    pub source_bytes: usize,
    /// Depth of the tree: deeper elements become siblings, as in browsers, whose limit this is.
    pub depth: usize,
    /// Nodes of the tree; at the limit parsing ends.
    pub nodes: usize,
    /// Attributes of one element; further ones are left out.
    pub attributes: usize,
    /// Elements made up to mend misnested formatting, per byte of source and one in a thousand more. The standard
    /// alone allows them to grow with the square of the page.
    pub repairs_per_byte: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { source_bytes: 256 << 20, depth: 512, nodes: 1 << 26, attributes: 4096, repairs_per_byte: 4 }
    }
}

/// A limit that the page met, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The source was cut at [`Limits::source_bytes`].
    SourceCut {
        /// Bytes left out.
        dropped: usize,
    },
    /// Elements deeper than [`Limits::depth`] became siblings.
    DepthLimited {
        /// Byte offset of the first such element.
        at: u32,
    },
    /// Parsing ended at [`Limits::nodes`].
    NodesLimited {
        /// Byte offset where it ended.
        at: u32,
    },
    /// An element had more than [`Limits::attributes`].
    AttributesLimited {
        /// Byte offset of the first such element.
        at: u32,
    },
    /// Misnested formatting was no longer mended ([`Limits::repairs_per_byte`]).
    RepairsLimited {
        /// Byte offset from where on.
        at: u32,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::SourceCut { dropped } => write!(f, "the page is too large: its last {dropped} bytes were not read"),
            Note::DepthLimited { at } => {
                write!(f, "elements are nested too deeply from byte {at} on: deeper ones became siblings")
            }
            Note::NodesLimited { at } => write!(f, "the page has too many nodes: reading ended at byte {at}"),
            Note::AttributesLimited { at } => {
                write!(f, "the element at byte {at} has too many attributes: the rest were left out")
            }
            Note::RepairsLimited { at } => {
                write!(f, "misnested formatting elements were no longer mended from byte {at} on")
            }
        }
    }
}
