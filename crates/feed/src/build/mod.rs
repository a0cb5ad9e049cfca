//! Builds a feed from tags and texts: one mapping for all XML formats.
//!
//! The formats differ in names and habits, and feeds mix them: Atom's links in RSS, Dublin Core's dates in both. So
//! no format has a reader of its own: the meaning of an element is its [`Tag`], wherever it stands, and the open
//! elements around it decide what it belongs to: an item, an aside (an image, a source) that has a title of its own,
//! a person.
//!
//! There is no lookahead and nothing is changed afterwards: a feed that is cut off gives the same result up to that
//! point as the whole feed (unless the cut is in a comment, which then hides nothing).
//!
//! Tags need not match. An end tag ends everything above its start tag; one without a start tag is ignored. Inside a
//! text that should have no elements, a tag that can only belong to a feed (`<pubDate>` in a title) ends the text.
//!
//! # Cost
//!
//! Linear. Elements deeper than [`DEEPEST`] are not tracked, so that the search for a start tag is bounded.

mod draft;
mod value;

use std::borrow::Cow;

use crate::content::{Content, Slot};
use crate::model::{Feed, Format, Note};
use crate::names::{Scope, ShadowedPrefix, Tag};
use crate::uri;
use crate::xml::Reader;

use draft::Draft;

/// Largest number of open elements that are tracked. Feeds have ten; XHTML content rarely has thirty.
const DEEPEST: usize = 256;
/// Largest length of a base address in bytes, which nested `xml:base` may increase.
const LONGEST_BASE: usize = 4096;

/// Attributes as returned by the reader.
type Attributes<'a, 's> = &'a [(&'s str, Cow<'s, str>)];

/// The role of an open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An item.
    Item,
    /// Something with titles and links of its own.
    Aside,
    /// An author.
    Author,
    /// Another person.
    Person,
    /// A plain value.
    Value(Tag),
    /// The element of [`Builder::content`].
    Content,
    /// An element in a content; `true` if its tags are written.
    Inline(bool),
    /// Anything else.
    Other,
}

/// An open element.
#[derive(Debug)]
struct Open<'s> {
    /// Name as written.
    name: &'s str,
    kind: Kind,
    text: String,
    /// For an identifier: `true` if it is also an address. For a category: `true` if it was given as an attribute.
    flag: bool,
    /// Base outside of the element, if it has one of its own.
    outer_base: Option<String>,
    shadowed: Vec<ShadowedPrefix<'s>>,
}

/// A person whose element is open.
#[derive(Debug, Default)]
struct PersonDraft {
    name: Option<String>,
    email: Option<String>,
}

/// A builder of a feed from tags and texts.
#[derive(Debug)]
pub(crate) struct Builder<'s> {
    feed: Feed,
    is_feed: bool,
    is_html: bool,
    has_format: bool,
    open: Vec<Open<'s>>,
    /// Number of start tags that are not tracked.
    untracked: usize,
    scope: Scope<'s>,
    base: String,
    content: Option<Content>,
    draft: Option<Draft>,
    asides: usize,
    person: PersonDraft,
    feed_authors: Vec<String>,
    feed_title_level: Option<usize>,
    unclosed: usize,
    bad_dates: usize,
    first_bad_date: Option<String>,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(base: &str) -> Builder<'s> {
        Builder {
            feed: Feed::default(),
            is_feed: false,
            is_html: false,
            has_format: false,
            open: Vec::new(),
            untracked: 0,
            scope: Scope::default(),
            base: base.to_owned(),
            content: None,
            draft: None,
            asides: 0,
            person: PersonDraft::default(),
            feed_authors: Vec::new(),
            feed_title_level: None,
            unclosed: 0,
            bad_dates: 0,
            first_bad_date: None,
        }
    }

    /// Returns `true` if this is an HTML page, so that nothing else is to be expected.
    pub(crate) fn is_html(&self) -> bool {
        self.is_html
    }

    /// Handles a document type of Netscape's RSS.
    pub(crate) fn netscape(&mut self) {
        self.feed.format = Format::Rss091Netscape;
        self.has_format = true;
    }

    /// Handles a start tag.
    pub(crate) fn start(&mut self, name: &'s str, attributes: Attributes<'_, 's>) {
        let mut shadowed = Vec::new();
        for (attribute, value) in attributes {
            if *attribute == "xmlns" {
                shadowed.push(self.scope.declare("", value));
            } else if let Some(prefix) = attribute.strip_prefix("xmlns:") {
                shadowed.push(self.scope.declare(prefix, value));
            }
        }
        let (space, local) = self.scope.resolve(name);
        let tag = Tag::new(space, local);
        if let Some(content) = &self.content
            && !content.has_elements
            && ends_text(tag, content.slot)
        {
            let level = content.level;
            self.end_down_to(level, false);
        }
        let outer_base = self.enter_base(attributes);
        let mut open = Open { name, kind: Kind::Other, text: String::new(), flag: false, outer_base, shadowed };
        if let Some(content) = &mut self.content {
            open.kind = Kind::Inline(content.start(local, attributes));
        } else {
            if tag == Tag::Item && self.draft.is_some() {
                let level = self.open.iter().rposition(|open| open.kind == Kind::Item).unwrap_or(0);
                self.end_down_to(level, false);
            }
            self.element(tag, local, attributes, &mut open);
        }
        if self.open.len() < DEEPEST {
            self.open.push(open);
            return;
        }
        // Too deep to be tracked, and therefore without an end of its own.
        self.untracked += 1;
        if open.kind == Kind::Content {
            self.content = None;
        }
        if open.kind == Kind::Aside {
            self.asides -= 1;
        }
        self.leave(open);
    }

    /// Handles the end of the last start tag, which was that of an empty element.
    pub(crate) fn end_empty(&mut self) {
        if self.untracked > 0 && self.open.len() == DEEPEST {
            self.untracked -= 1;
            return;
        }
        if let Some(level) = self.open.len().checked_sub(1) {
            self.end_down_to(level, true);
        }
    }

    /// Handles an end tag.
    pub(crate) fn end(&mut self, name: &str) {
        let level = self.open.iter().rposition(|open| open.name.eq_ignore_ascii_case(name));
        if let Some(level) = level {
            self.end_down_to(level, true);
        }
    }

    /// Handles a text.
    pub(crate) fn text(&mut self, text: &str) {
        if let Some(content) = &mut self.content {
            content.text(text);
        } else if let Some(open) = self.open.last_mut()
            && matches!(open.kind, Kind::Value(_) | Kind::Author | Kind::Person)
        {
            open.text.push_str(text);
        }
    }

    /// Returns the feed at the end of the document; `None` if it is not a feed.
    pub(crate) fn finish(mut self, reader: &Reader<'_>) -> Option<Feed> {
        if self.is_html || !self.is_feed {
            return None;
        }
        let within = self.open.last().map(|open| open.name.to_owned());
        // Elements that are open because the feed is cut off are one note, not one per element.
        let unclosed = self.unclosed;
        self.end_down_to(0, true);
        let mut notes = Vec::new();
        if let Some(within) = within {
            notes.push(Note::CutOff { within: within.chars().take(60).collect() });
        }
        let count = |count: usize, note: fn(usize) -> Note| (count > 0).then(|| note(count));
        notes.extend(count(unclosed, |elements| Note::Unclosed { elements }));
        let references = &reader.references;
        notes.extend(count(references.undeclared, |references| Note::UndeclaredEntities { references }));
        notes.extend(count(references.bare, |count| Note::BareAmpersands { count }));
        notes.extend(references.bomb.then_some(Note::EntityBomb));
        notes.extend(count(reader.bad_attributes, |count| Note::BadAttributes { count }));
        if let Some(prefix) = self.scope.undeclared {
            notes.push(Note::UndeclaredPrefix { prefix: prefix.chars().take(60).collect() });
        }
        if let Some(first) = self.first_bad_date {
            notes.push(Note::BadDates { count: self.bad_dates, first });
        }
        self.feed.notes = notes;
        Some(self.feed)
    }

    /// Enters an element with a base of its own; returns the base outside.
    fn enter_base(&mut self, attributes: Attributes<'_, 's>) -> Option<String> {
        let own = attribute(attributes, "xml:base").or_else(|| attribute(attributes, "base"))?;
        let joined = uri::join(&self.base, own.trim());
        // A script or a mail address is not a base.
        let usable = joined.len() <= LONGEST_BASE && (!uri::is_absolute(&joined) || joined.contains("://"));
        usable.then(|| std::mem::replace(&mut self.base, joined))
    }

    /// Handles an element outside of all contents.
    fn element(&mut self, tag: Tag, local: &str, attributes: Attributes<'_, 's>, open: &mut Open<'s>) {
        if self.open.is_empty() && !self.is_feed && local.eq_ignore_ascii_case("html") {
            self.is_html = true;
        }
        self.recognise(tag, attributes);
        let level = self.open.len();
        let content = |slot: Slot, default: &str| {
            Content::new(slot, level, attribute(attributes, "type"), attribute(attributes, "mode"), default)
        };
        match tag {
            Tag::Item => {
                self.draft = Some(Draft::default());
                open.kind = Kind::Item;
                if let Some(about) = attributes.iter().find(|(name, _)| name.rsplit(':').next() == Some("about")) {
                    self.set_id(about.1.trim(), false);
                }
                self.cdf(attributes);
            }
            Tag::Channel => self.cdf(attributes),
            Tag::Aside => {
                open.kind = Kind::Aside;
                self.asides += 1;
            }
            Tag::Author | Tag::Person => {
                open.kind = if tag == Tag::Author { Kind::Author } else { Kind::Person };
                self.person = PersonDraft::default();
            }
            Tag::Link => open.kind = self.link(attributes),
            Tag::Enclosure => self.enclosure(attributes),
            Tag::Id => {
                open.kind = Kind::Value(tag);
                let permanent = attribute(attributes, "ispermalink");
                open.flag = permanent.is_none_or(|value| value.trim().eq_ignore_ascii_case("true"));
            }
            Tag::Category => {
                open.kind = Kind::Value(tag);
                let named = ["label", "term", "text"].iter().find_map(|name| attribute(attributes, name));
                // The media schema's labels are paths, and iTunes has subcategories: all of them count.
                open.flag = named.is_some();
                if let Some(named) = named {
                    self.category(named);
                }
            }
            Tag::Published | Tag::Updated | Tag::Created => open.kind = Kind::Value(tag),
            Tag::Keywords | Tag::Language | Tag::OriginalLink => open.kind = Kind::Value(tag),
            Tag::Name | Tag::Email | Tag::Uri => open.kind = Kind::Value(tag),
            Tag::Title => self.content = Some(content(Slot::Title, "text/plain")),
            Tag::MediaTitle => self.content = Some(content(Slot::MediaTitle, "text/plain")),
            Tag::Description => self.content = Some(content(self.summary_slot(), "text/html")),
            Tag::Abstract | Tag::Summary => self.content = Some(content(self.summary_slot(), "text/plain")),
            Tag::MediaDescription => self.content = Some(content(Slot::MediaSummary, "text/html")),
            Tag::Subtitle => self.content = Some(content(Slot::Subtitle, "text/plain")),
            Tag::Content => self.content = Some(content(Slot::Content, "text/plain")),
            Tag::Encoded => self.content = Some(content(Slot::Content, "text/html")),
            Tag::Body => self.content = Some(content(Slot::Content, "application/xhtml+xml")),
            Tag::Rss | Tag::Rdf | Tag::Feed | Tag::Other => {}
        }
        if self.content.is_some() {
            open.kind = Kind::Content;
        }
    }

    /// Determines the format, as far as the tags indicate it.
    fn recognise(&mut self, tag: Tag, attributes: Attributes<'_, 's>) {
        if !matches!(tag, Tag::Rss | Tag::Rdf | Tag::Feed | Tag::Channel | Tag::Item) {
            return;
        }
        let bare = !self.is_feed;
        self.is_feed |= tag != Tag::Rdf;
        if matches!(tag, Tag::Rss | Tag::Rdf | Tag::Feed)
            && let Some(language) = attribute(attributes, "xml:lang").filter(|language| !language.is_empty())
        {
            self.feed.language = Some(language.replace('_', "-"));
        }
        if self.has_format {
            return;
        }
        let version = attribute(attributes, "version").unwrap_or_default().trim();
        let declares = |address: &str| {
            attributes
                .iter()
                .any(|(name, value)| name.starts_with("xmlns") && value.to_ascii_lowercase().contains(address))
        };
        self.feed.format = match tag {
            Tag::Rss => match version {
                "0.90" | "0.9" => Format::Rss090,
                "0.91" => Format::Rss091,
                "0.92" => Format::Rss092,
                "0.93" => Format::Rss093,
                "0.94" => Format::Rss094,
                "1.0" => Format::Rss10,
                version if version.starts_with('2') => Format::Rss20,
                _ => Format::Rss,
            },
            Tag::Rdf if declares("my.netscape.com/rdf/simple/0.9") => Format::Rss090,
            Tag::Rdf => Format::Rss10,
            Tag::Feed if declares("w3.org/2005/atom") => Format::Atom10,
            Tag::Feed => match version {
                "0.1" => Format::Atom01,
                "0.2" => Format::Atom02,
                "0.3" => Format::Atom03,
                _ => Format::Atom,
            },
            Tag::Channel if bare && self.open.is_empty() => Format::Cdf,
            _ => Format::Rss,
        };
        self.has_format = true;
    }

    /// Ends the open elements from the last one to this one, which has an end tag if `tagged`.
    fn end_down_to(&mut self, level: usize, tagged: bool) {
        while self.open.len() > level {
            let last = self.open.len() == level + 1;
            let Some(open) = self.open.pop() else { break };
            let tagged = last && tagged;
            if !tagged && !matches!(open.kind, Kind::Inline(_)) {
                self.unclosed += 1;
            }
            self.close(open);
        }
    }

    fn close(&mut self, open: Open<'s>) {
        match open.kind {
            Kind::Inline(true) => {
                if let Some(content) = &mut self.content {
                    content.end(open.name.rsplit(':').next().unwrap_or(open.name));
                }
            }
            Kind::Content => self.end_content(),
            Kind::Item => {
                if let Some(draft) = self.draft.take() {
                    let inherited = if self.feed.format.is_atom() { &self.feed_authors[..] } else { &[] };
                    self.feed.items.push(draft.finish(inherited));
                }
            }
            Kind::Aside => self.asides -= 1,
            Kind::Author => self.end_author(&open.text),
            Kind::Person => self.person = PersonDraft::default(),
            Kind::Value(tag) => self.value(tag, &open.text, open.flag),
            Kind::Inline(false) | Kind::Other => {}
        }
        self.leave(open);
    }

    /// Leaves the scope of an element.
    fn leave(&mut self, open: Open<'s>) {
        if let Some(base) = open.outer_base {
            self.base = base;
        }
        for shadowed in open.shadowed.into_iter().rev() {
            self.scope.restore(shadowed);
        }
    }
}

/// Returns an attribute's value, given its name in lower case.
fn attribute<'a>(attributes: Attributes<'a, '_>, name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_ref())
}

/// Returns `true` if a start tag in a text proves that the text's end tag was forgotten: its name does not exist in
/// HTML.
fn ends_text(tag: Tag, slot: Slot) -> bool {
    match tag {
        Tag::Item | Tag::Channel | Tag::Published | Tag::Updated | Tag::Id | Tag::Encoded | Tag::Description => true,
        Tag::Link | Tag::Author | Tag::Category | Tag::Summary => slot == Slot::Title,
        _ => false,
    }
}
