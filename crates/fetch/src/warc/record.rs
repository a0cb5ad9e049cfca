//! A record: its header fields, its block, and the answer it contains.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use url::Url;

use super::response::{self, BadAnswer};
use super::time;
use crate::Answer;

/// Type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Description of the file.
    Warcinfo,
    /// Answer of a server.
    Response,
    /// A resource on its own, without protocol headers.
    Resource,
    /// Request to a server.
    Request,
    /// Metadata of another record.
    Metadata,
    /// An answer whose body is in an earlier record.
    Revisit,
    /// A converted form of another record; in WET files, the text of a page.
    Conversion,
    /// Continuation of a record.
    Continuation,
    /// Another type.
    Other,
}

impl Kind {
    fn read(name: &str) -> Kind {
        const KINDS: [(&str, Kind); 8] = [
            ("warcinfo", Kind::Warcinfo),
            ("response", Kind::Response),
            ("resource", Kind::Resource),
            ("request", Kind::Request),
            ("metadata", Kind::Metadata),
            ("revisit", Kind::Revisit),
            ("conversion", Kind::Conversion),
            ("continuation", Kind::Continuation),
        ];
        KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map_or(Kind::Other, |&(_, kind)| kind)
    }
}

/// Location of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The record occupies these bytes of the file and can be read on its own.
    File {
        /// Offset of the first byte.
        offset: u64,
        /// Number of bytes in the file, after compression.
        length: u64,
    },
    /// The record is in a gzip member that begins before it or ends after it, so that it can only be read by
    /// decompressing that member.
    Member {
        /// Offset of the member in the file.
        offset: u64,
        /// Offset of the record in the file's decompressed bytes.
        unpacked: u64,
    },
}

impl Place {
    /// Returns the offset in the file of the record, or of the member that contains it.
    pub fn offset(&self) -> u64 {
        match *self {
            Place::File { offset, .. } | Place::Member { offset, .. } => offset,
        }
    }
}

/// A record. It borrows the reader's buffer.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    pub(super) header: &'a [u8],
    /// Ranges of names and values in `header`.
    pub(super) fields: &'a [(Range<usize>, Range<usize>)],
    pub(super) block: &'a [u8],
    pub(super) place: Place,
}

impl<'a> Record<'a> {
    /// Returns the type of the record.
    pub fn kind(&self) -> Kind {
        self.field("WARC-Type").map_or(Kind::Other, |name| Kind::read(&name))
    }

    /// Returns the first field with this name, ignoring case. Folded lines are joined.
    pub fn field(&self, name: &str) -> Option<Cow<'a, str>> {
        let (_, value) = self.fields.iter().find(|(found, _)| {
            self.header.get(found.clone()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        })?;
        Some(String::from_utf8_lossy(self.header.get(value.clone())?))
    }

    /// Returns all fields in order, with their names as written.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + use<'a> {
        let header = self.header;
        let text = move |range: &Range<usize>| String::from_utf8_lossy(header.get(range.clone()).unwrap_or_default());
        self.fields.iter().map(move |(name, value)| (text(name), text(value)))
    }

    /// Returns the address that the record is about, if it is one. Some programs write it in angle brackets.
    pub fn target(&self) -> Option<Url> {
        self.address("WARC-Target-URI")
    }

    /// Returns a field that contains an address.
    pub(super) fn address(&self, field: &str) -> Option<Url> {
        let text = self.field(field)?;
        let text = text.trim();
        Url::parse(text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text)).ok()
    }

    /// Returns the time of capture.
    pub fn date(&self) -> Option<SystemTime> {
        time::read(&self.field("WARC-Date")?)
    }

    /// Returns the record's id as written: `<urn:uuid:…>`.
    pub fn id(&self) -> Option<Cow<'a, str>> {
        self.field("WARC-Record-ID")
    }

    /// Returns the content.
    pub fn block(&self) -> &'a [u8] {
        self.block
    }

    /// Returns the location.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Reports whether it is a page as rendered by a browser: see [`Writer::rendered`](super::Writer::rendered).
    pub fn is_rendered(&self) -> bool {
        let Some(metadata) = self.field("WARC-JSON-Metadata") else { return false };
        let metadata: Option<serde_json::Value> = serde_json::from_str(&metadata).ok();
        self.kind() == Kind::Resource && metadata.is_some_and(|metadata| metadata["rendered"] == true)
    }

    /// Returns the answer in the record: that of a response, or one of status 200 built from a resource or a
    /// conversion.
    ///
    /// Records of other types, or about targets that are not addresses, contain none. A revisit contains only the
    /// headers; [`Replay`](super::Replay) combines them with the body.
    pub fn answer(&self) -> Option<Result<Answer, BadAnswer>> {
        let kind = self.kind();
        if !matches!(kind, Kind::Response | Kind::Resource | Kind::Conversion) {
            return None;
        }
        let url = self.target()?;
        let http = kind == Kind::Response && matches!(url.scheme(), "http" | "https");
        if kind == Kind::Response && !http {
            // Answers of name servers or FTP servers are not answers of HTTP.
            return None;
        }
        let mut answer = self.blank(url);
        if http && (self.block.starts_with(b"HTTP/") || self.says_http()) {
            return Some(self.read_response(&mut answer).map(|()| answer));
        }
        if let Some(mut media) = self.field("Content-Type") {
            if kind == Kind::Conversion && media.eq_ignore_ascii_case("text/plain") {
                // Common Crawl's texts are UTF-8 without declaring it.
                media = Cow::Borrowed("text/plain; charset=utf-8");
            }
            if let Ok(media) = HeaderValue::from_bytes(media.trim().as_bytes()) {
                answer.headers.insert(header::CONTENT_TYPE, media);
            }
        }
        answer.body = Bytes::copy_from_slice(self.block);
        Some(Ok(answer))
    }

    /// Returns the headers of a revisit, without the body.
    pub(super) fn revisited(&self) -> Option<Answer> {
        let mut answer = self.blank(self.target()?);
        self.read_response(&mut answer).ok()?;
        Some(answer)
    }

    fn says_http(&self) -> bool {
        let media = self.field("Content-Type").unwrap_or_default();
        let essence = media.split(';').next().unwrap_or_default().trim();
        essence.is_empty() || essence.eq_ignore_ascii_case("application/http")
    }

    fn blank(&self, url: Url) -> Answer {
        Answer {
            url,
            at: self.date().unwrap_or(UNIX_EPOCH),
            address: self.field("WARC-IP-Address").and_then(|text| text.trim().parse().ok()),
            version: Version::HTTP_11,
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    fn read_response(&self, answer: &mut Answer) -> Result<(), BadAnswer> {
        let response = response::read(self.block)?;
        answer.version = match self.field("WARC-Protocol").as_deref().map(str::trim) {
            // HTTP/2 has no status lines; archives write HTTP/1.1 instead.
            Some("h2" | "h2c") => Version::HTTP_2,
            Some("h3") => Version::HTTP_3,
            _ => response.version,
        };
        answer.status = response.status;
        answer.headers = response.headers;
        answer.body = match response.body {
            Cow::Borrowed(body) => Bytes::copy_from_slice(body),
            Cow::Owned(body) => body.into(),
        };
        Ok(())
    }
}
