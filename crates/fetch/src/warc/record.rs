//! One record: its header's fields, its block, and the answer that it holds.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use url::Url;

use super::response::{self, BadAnswer};
use super::time;
use crate::Answer;

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// About the file.
    Warcinfo,
    /// What a server answered.
    Response,
    /// A thing by itself, without what a protocol said around it.
    Resource,
    /// What was asked for.
    Request,
    /// About another record.
    Metadata,
    /// An answer whose body was seen before, in another record.
    Revisit,
    /// Another form of another record: in WET files, a page's text.
    Conversion,
    /// The next part of a record.
    Continuation,
    /// Something else.
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

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In these bytes of the file, which can be read without those before them.
    File {
        /// The offset of the first byte.
        offset: u64,
        /// How many bytes the record takes there, compressed if it is.
        length: u64,
    },
    /// Somewhere in a gzip member that begins before it or ends behind it, so that it can only be reached by
    /// unpacking that member.
    Member {
        /// Where the member begins in the file.
        offset: u64,
        /// Where the record begins in the file's unpacked bytes.
        unpacked: u64,
    },
}

impl Place {
    /// The offset in the file, of the record or of the member that it is in.
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
    /// Names and values in `header`.
    pub(super) fields: &'a [(Range<usize>, Range<usize>)],
    pub(super) block: &'a [u8],
    pub(super) place: Place,
}

impl<'a> Record<'a> {
    /// The kind of record.
    pub fn kind(&self) -> Kind {
        self.field("WARC-Type").map_or(Kind::Other, |name| Kind::read(&name))
    }

    /// The first field with a name, whose case does not matter. Folded lines are one.
    pub fn field(&self, name: &str) -> Option<Cow<'a, str>> {
        let (_, value) = self.fields.iter().find(|(found, _)| {
            self.header.get(found.clone()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        })?;
        Some(String::from_utf8_lossy(self.header.get(value.clone())?))
    }

    /// All fields in order, names as written.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + use<'a> {
        let header = self.header;
        let text = move |range: &Range<usize>| String::from_utf8_lossy(header.get(range.clone()).unwrap_or_default());
        self.fields.iter().map(move |(name, value)| (text(name), text(value)))
    }

    /// What the record is about, if that is an address. Some programs write it in angle brackets.
    pub fn target(&self) -> Option<Url> {
        self.address("WARC-Target-URI")
    }

    /// A field that holds an address.
    pub(super) fn address(&self, field: &str) -> Option<Url> {
        let text = self.field(field)?;
        let text = text.trim();
        Url::parse(text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text)).ok()
    }

    /// When it was captured.
    pub fn date(&self) -> Option<SystemTime> {
        time::read(&self.field("WARC-Date")?)
    }

    /// Its own name: `<urn:uuid:…>`, as written.
    pub fn id(&self) -> Option<Cow<'a, str>> {
        self.field("WARC-Record-ID")
    }

    /// Its content.
    pub fn block(&self) -> &'a [u8] {
        self.block
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether it is a page as a browser had it after its scripts: see [`Writer::rendered`](super::Writer::rendered).
    pub fn is_rendered(&self) -> bool {
        let Some(metadata) = self.field("WARC-JSON-Metadata") else { return false };
        let metadata: Option<serde_json::Value> = serde_json::from_str(&metadata).ok();
        self.kind() == Kind::Resource && metadata.is_some_and(|metadata| metadata["rendered"] == true)
    }

    /// The answer that it holds: a response's own, or one made up around a resource or a conversion, of status 200.
    ///
    /// There is none in records of other kinds, or about things that are not addresses. A revisit has only a part of
    /// one, the other being elsewhere: [`Replay`](super::Replay) puts them together.
    pub fn answer(&self) -> Option<Result<Answer, BadAnswer>> {
        let kind = self.kind();
        if !matches!(kind, Kind::Response | Kind::Resource | Kind::Conversion) {
            return None;
        }
        let url = self.target()?;
        let http = kind == Kind::Response && matches!(url.scheme(), "http" | "https");
        if kind == Kind::Response && !http {
            // What a name server or an FTP server said is no page's answer.
            return None;
        }
        let mut answer = self.blank(url);
        if http && (self.block.starts_with(b"HTTP/") || self.says_http()) {
            return Some(self.read_response(&mut answer).map(|()| answer));
        }
        if let Some(mut media) = self.field("Content-Type") {
            if kind == Kind::Conversion && media.eq_ignore_ascii_case("text/plain") {
                // Common Crawl's texts are UTF-8, and say so nowhere.
                media = Cow::Borrowed("text/plain; charset=utf-8");
            }
            if let Ok(media) = HeaderValue::from_bytes(media.trim().as_bytes()) {
                answer.headers.insert(header::CONTENT_TYPE, media);
            }
        }
        answer.body = Bytes::copy_from_slice(self.block);
        Some(Ok(answer))
    }

    /// What the headers of a revisit say, without the body that is elsewhere.
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
            // Status lines of HTTP/2 do not exist; archives have them as if it were HTTP/1.1.
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
