//! Parse options, limits on the work a page may cause, and the notes on limits that were reached.

/// Options for parsing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// Charset from the `Content-Type` header, if there was one.
    pub charset: Option<String>,
    /// Charset to decode with, regardless of the page, the transport and the bytes.
    pub forced_charset: Option<String>,
    /// `true` to parse `noscript` as a browser that runs scripts does (its contents are one text). Off by default:
    /// the content for readers without scripts is the content that can be read here.
    pub scripting: bool,
    /// Limits on hostile pages.
    pub limits: Limits,
}

impl ParseOptions {
    /// Sets the charset given by the transport.
    pub fn with_charset(mut self, charset: impl Into<String>) -> ParseOptions {
        self.charset = Some(charset.into());
        self
    }

    /// Sets the charset that the bytes are decoded with, without detection. A charset that does not exist
    /// ([`encoding_name`](crate::encoding_name) returns `None`) is ignored.
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

/// Limits. Content beyond a limit is left out, and a [`Note`] is added.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of decoded source; the rest is ignored. At most 1 GiB.
    pub source_bytes: usize,
    /// Depth of the tree: deeper elements become siblings. The default is that of browsers.
    pub depth: usize,
    /// Nodes of the tree; parsing stops at the limit.
    pub nodes: usize,
    /// Attributes per element; further ones are left out.
    pub attributes: usize,
    /// Elements created to repair misnested formatting, per byte of source, plus a thousand. The standard alone
    /// allows their number to grow with the square of the page.
    pub repairs_per_byte: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { source_bytes: 256 << 20, depth: 512, nodes: 1 << 26, attributes: 4096, repairs_per_byte: 4 }
    }
}

/// A limit that was reached, and the place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The source was cut at [`Limits::source_bytes`].
    SourceCut {
        /// Number of bytes left out.
        dropped: usize,
    },
    /// Elements deeper than [`Limits::depth`] became siblings.
    DepthLimited {
        /// Byte offset of the first such element.
        at: u32,
    },
    /// Parsing stopped at [`Limits::nodes`].
    NodesLimited {
        /// Byte offset at which parsing stopped.
        at: u32,
    },
    /// An element had more attributes than [`Limits::attributes`].
    AttributesLimited {
        /// Byte offset of the first such element.
        at: u32,
    },
    /// Misnested formatting was no longer repaired ([`Limits::repairs_per_byte`]).
    RepairsLimited {
        /// Byte offset from which on nothing was repaired.
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
                write!(f, "misnested formatting elements were no longer repaired from byte {at} on")
            }
        }
    }
}
