//! Namespaces and elements: the many names for the few things that feeds contain.
//!
//! A namespace is identified by its address; an unknown or missing address, by its prefix. So `dc:date` is understood
//! in a feed that declares `dc` wrongly or not at all.

use std::collections::HashMap;

/// Known vocabularies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// The formats' own: RSS, Atom, CDF, and elements without a namespace.
    Core,
    /// Dublin Core, and its terms.
    Dublin,
    /// RSS 1.0's module for content.
    Content,
    /// Media RSS.
    Media,
    /// Apple's podcasts.
    Itunes,
    /// FeedBurner.
    Feedburner,
    /// RDF.
    Rdf,
    /// XHTML.
    Xhtml,
    /// `xml:base`, `xml:lang`.
    Xml,
    /// All others.
    Other,
}

/// Addresses in lower case, without scheme, `www.` and a final `/` or `#`, since all of these vary.
const ADDRESSES: &[(&str, Space)] = &[
    ("w3.org/2005/atom", Space::Core),
    ("purl.org/atom/ns", Space::Core),
    ("purl.org/rss/1.0", Space::Core),
    ("purl.org/rss/1.0/modules/rss091", Space::Core),
    ("my.netscape.com/rdf/simple/0.9", Space::Core),
    ("channel.netscape.com/rdf/simple/0.9", Space::Core),
    ("backend.userland.com/rss", Space::Core),
    ("blogs.law.harvard.edu/tech/rss", Space::Core),
    ("purl.org/dc/elements/1.1", Space::Dublin),
    ("purl.org/dc/elements/1.0", Space::Dublin),
    ("purl.org/dc/terms", Space::Dublin),
    ("purl.org/rss/1.0/modules/content", Space::Content),
    ("search.yahoo.com/mrss", Space::Media),
    ("itunes.com/dtds/podcast-1.0.dtd", Space::Itunes),
    ("rssnamespace.org/feedburner/ext/1.0", Space::Feedburner),
    ("w3.org/1999/02/22-rdf-syntax-ns", Space::Rdf),
    ("w3.org/1999/xhtml", Space::Xhtml),
    ("w3.org/xml/1998/namespace", Space::Xml),
    ("w3.org/2000/svg", Space::Other),
    ("w3.org/1998/math/mathml", Space::Other),
];

/// Modules that share element names with the core but do not belong to it.
const OTHERS: &[&str] = &[
    "georss.org/",
    "opengis.net/",
    "purl.org/rss/1.0/modules/",
    "podlove.org/",
    "webns.net/",
    "wellformedweb.org/",
    "xmlns.com/foaf",
    "creativecommons.org/",
    "web.resource.org/cc",
    "w3.org/2003/01/geo",
];

/// Returns the namespace with this address.
fn by_address(address: &str) -> Option<Space> {
    let address = address.trim().to_ascii_lowercase();
    let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches(['/', '#']);
    if rest.contains("backend.userland.com/rss") {
        return Some(Space::Core);
    }
    let known = ADDRESSES.iter().find(|(known, _)| *known == rest).map(|(_, space)| *space);
    known.or_else(|| OTHERS.iter().any(|start| rest.starts_with(start)).then_some(Space::Other))
}

/// Returns the usual namespace of a prefix.
fn by_prefix(prefix: &str) -> Space {
    match prefix.to_ascii_lowercase().as_str() {
        "" | "atom" | "atom10" | "a10" | "rss" => Space::Core,
        "dc" | "dcterms" => Space::Dublin,
        "content" => Space::Content,
        "media" => Space::Media,
        "itunes" => Space::Itunes,
        "feedburner" => Space::Feedburner,
        "rdf" => Space::Rdf,
        "xhtml" => Space::Xhtml,
        "xml" => Space::Xml,
        _ => Space::Other,
    }
}

/// The prefixes declared at the current element.
#[derive(Debug, Default)]
pub(crate) struct Scope<'s> {
    spaces: HashMap<&'s str, Space>,
    /// First prefix that was not declared.
    pub(crate) undeclared: Option<&'s str>,
}

/// A prefix and the namespace that a new declaration replaced.
pub(crate) type ShadowedPrefix<'s> = (&'s str, Option<Space>);

impl<'s> Scope<'s> {
    /// Declares a prefix (`""` for the default namespace); returns the value for [`Scope::restore`] at the element's
    /// end.
    pub(crate) fn declare(&mut self, prefix: &'s str, address: &str) -> ShadowedPrefix<'s> {
        let space = by_address(address).unwrap_or_else(|| by_prefix(prefix));
        (prefix, self.spaces.insert(prefix, space))
    }

    pub(crate) fn restore(&mut self, (prefix, space): ShadowedPrefix<'s>) {
        match space {
            Some(space) => self.spaces.insert(prefix, space),
            None => self.spaces.remove(prefix),
        };
    }

    /// Returns the namespace of a name, and the name without its prefix.
    pub(crate) fn resolve(&mut self, name: &'s str) -> (Space, &'s str) {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if let Some(space) = self.spaces.get(prefix) {
            return (*space, local);
        }
        if !prefix.is_empty() && !prefix.eq_ignore_ascii_case("xml") {
            self.undeclared.get_or_insert(prefix);
        }
        (by_prefix(prefix), local)
    }
}

/// The meaning of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    /// `rss`, `rdf:RDF`.
    Rss,
    Rdf,
    /// `feed`.
    Feed,
    Channel,
    /// `item`, `entry`.
    Item,
    /// Elements with titles and links of their own: `image`, `textinput`, `source`.
    Aside,
    Author,
    /// `contributor`, `itunes:owner`: persons other than the author.
    Person,
    Name,
    Email,
    Uri,
    Title,
    MediaTitle,
    Link,
    /// `guid`, `id`.
    Id,
    /// `description`.
    Description,
    /// A `description` in Media RSS, which describes a file.
    MediaDescription,
    /// `abstract`: a description in plain text.
    Abstract,
    /// `summary`.
    Summary,
    /// `content`.
    Content,
    /// `content:encoded`.
    Encoded,
    /// `body`: content in XHTML.
    Body,
    /// `subtitle`, `tagline`: the feed's description in Atom.
    Subtitle,
    Published,
    Updated,
    Created,
    Category,
    /// Categories separated by commas.
    Keywords,
    Language,
    Enclosure,
    OriginalLink,
    /// Any other element.
    Other,
}

impl Tag {
    /// Returns the meaning of an element with this name.
    pub(crate) fn new(space: Space, local: &str) -> Tag {
        // The longest name is `lastbuilddate`.
        let mut lower = [0; 16];
        let Some(lower) = lower.get_mut(..local.len()) else { return Tag::Other };
        lower.copy_from_slice(local.as_bytes());
        lower.make_ascii_lowercase();
        let name: &[u8] = lower;
        match space {
            Space::Core => Tag::core(name),
            Space::Dublin => match name {
                b"title" => Tag::Title,
                b"description" => Tag::Description,
                b"creator" | b"author" => Tag::Author,
                b"contributor" => Tag::Person,
                b"date" | b"modified" => Tag::Updated,
                b"issued" => Tag::Published,
                b"created" => Tag::Created,
                b"subject" => Tag::Category,
                b"language" => Tag::Language,
                _ => Tag::Other,
            },
            Space::Content if name == b"encoded" => Tag::Encoded,
            Space::Media => match name {
                b"title" => Tag::MediaTitle,
                b"description" => Tag::MediaDescription,
                b"category" => Tag::Category,
                b"keywords" => Tag::Keywords,
                b"content" => Tag::Enclosure,
                _ => Tag::Other,
            },
            Space::Itunes => match name {
                b"author" => Tag::Author,
                b"owner" => Tag::Person,
                b"name" => Tag::Name,
                b"email" => Tag::Email,
                b"summary" => Tag::Summary,
                b"keywords" => Tag::Keywords,
                b"category" => Tag::Category,
                b"subtitle" => Tag::Subtitle,
                _ => Tag::Other,
            },
            Space::Feedburner if name == b"origlink" => Tag::OriginalLink,
            Space::Rdf if name == b"rdf" => Tag::Rdf,
            Space::Xhtml if name == b"body" => Tag::Body,
            _ => Tag::Other,
        }
    }

    fn core(name: &[u8]) -> Tag {
        match name {
            b"rss" => Tag::Rss,
            b"rdf" => Tag::Rdf,
            b"feed" => Tag::Feed,
            b"channel" => Tag::Channel,
            b"item" | b"entry" => Tag::Item,
            b"image" | b"textinput" | b"source" => Tag::Aside,
            b"author" | b"managingeditor" => Tag::Author,
            b"contributor" => Tag::Person,
            b"name" => Tag::Name,
            b"email" => Tag::Email,
            b"uri" | b"url" | b"homepage" => Tag::Uri,
            b"title" => Tag::Title,
            b"link" => Tag::Link,
            b"guid" | b"id" => Tag::Id,
            b"description" => Tag::Description,
            b"abstract" => Tag::Abstract,
            b"summary" => Tag::Summary,
            b"content" => Tag::Content,
            b"fullitem" => Tag::Encoded,
            b"body" => Tag::Body,
            b"subtitle" | b"tagline" => Tag::Subtitle,
            b"published" | b"issued" | b"pubdate" => Tag::Published,
            b"updated" | b"modified" | b"lastbuilddate" => Tag::Updated,
            b"created" => Tag::Created,
            b"category" | b"keywords" => Tag::Category,
            b"tags" => Tag::Keywords,
            b"language" => Tag::Language,
            b"enclosure" => Tag::Enclosure,
            _ => Tag::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_vary() {
        for address in
            ["http://purl.org/dc/elements/1.1/", "https://purl.org/DC/elements/1.1", "purl.org/dc/elements/1.1#"]
        {
            assert_eq!(by_address(address), Some(Space::Dublin), "{address}");
        }
        assert_eq!(by_address("http://backend.userland.com/RSS2"), Some(Space::Core));
    }

    #[test]
    fn a_wrong_or_missing_declaration_leaves_the_prefix() {
        let mut scope = Scope::default();
        assert_eq!(scope.resolve("dc:date"), (Space::Dublin, "date"));
        assert_eq!(scope.undeclared, Some("dc"));
        let shadowed = scope.declare("dc", "http://example.org/nothing");
        assert_eq!(scope.resolve("dc:date").0, Space::Dublin);
        scope.restore(shadowed);
        scope.declare("", "http://www.w3.org/1999/xhtml");
        assert_eq!(scope.resolve("title").0, Space::Xhtml);
    }
}
