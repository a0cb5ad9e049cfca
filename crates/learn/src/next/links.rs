//! The links that could lead to the list's other pages, with all that tells whether they do.

use url::Url;
use windrow_dom::{Document, NodeId};

use super::canonical::canonical;
use super::place::{Place, label, place};
use super::step::{Step, is_same_site, step};
use super::words::{self, Says};

/// A link that says something of pages.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) url: Url,
    /// The address that all its spellings share.
    pub(super) key: Url,
    pub(super) step: Step,
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// What its text says.
    pub(super) text: Says,
    /// What its title or accessible name says.
    pub(super) title: Says,
    /// What its class or its parent's says.
    pub(super) class: Says,
    /// Whether it shows nothing but, maybe, an arrow.
    pub(super) is_bare: bool,
}

/// How an address is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<link rel=next>`.
    Head,
    /// `<a rel=next>`.
    RelAnchor,
    /// `<a>`.
    Anchor,
    /// An attribute that scripts read, and that can mean nothing else.
    Next,
    /// An attribute that scripts read.
    Data,
    /// A form.
    Form,
}

/// Attributes that hold the address of what scripts load next.
const NEXT_ATTRIBUTES: [&str; 8] = [
    "hx-get",
    "data-hx-get",
    "data-next",
    "data-next-url",
    "data-next-page",
    "data-next-page-url",
    "data-load-more-url",
    "data-more-url",
];
/// Attributes that hold the address of something.
const DATA_ATTRIBUTES: [&str; 5] = ["data-url", "data-href", "data-ajax-url", "data-page-url", "data-link"];
/// Fields of a form that are looked at.
const FIELDS: usize = 100;

/// The page that links are read from.
pub(super) struct Reader<'a> {
    document: &'a Document,
    base: Url,
    address: &'a Url,
    /// The page's own key.
    key: Url,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document, address: &'a Url) -> Reader<'a> {
        let base = document
            .nodes()
            .find(|node| document.name(*node) == Some("base") && document.attr(*node, "href").is_some());
        let base = base.and_then(|node| address.join(document.attr(node, "href")?.trim()).ok());
        // A base that is on another site is a saved copy's, or a trap: its links would all be foreign.
        let base = base.filter(|base| is_same_site(base, address)).unwrap_or_else(|| address.clone());
        Reader { document, base, address, key: canonical(address) }
    }

    /// All links that say something, in the page's order.
    pub(super) fn links(&self) -> Vec<Link> {
        self.document.nodes().filter_map(|node| self.link(node)).collect()
    }

    /// Where a reference leads, if that is a page of this site and not this page.
    fn target(&self, reference: &str) -> Option<(Url, Url, Step)> {
        let reference = reference.trim();
        if reference.is_empty() || reference.starts_with('#') || reference.len() > 4096 {
            return None;
        }
        let url = self.base.join(reference).ok()?;
        if !matches!(url.scheme(), "http" | "https") || !is_same_site(&url, self.address) {
            return None;
        }
        let key = canonical(&url);
        match step(&self.key, &key) {
            Step::Stay => None,
            step => Some((url, key, step)),
        }
    }

    fn link(&self, node: NodeId) -> Option<Link> {
        let document = self.document;
        match document.name(node)? {
            "link" => self.head_link(node),
            "a" | "area" => self.anchor(node).or_else(|| self.scripted(node)),
            "form" => self.form(node),
            "html" | "head" | "body" | "script" | "style" | "meta" | "img" | "input" | "option" => None,
            _ => self.scripted(node),
        }
    }

    fn head_link(&self, node: NodeId) -> Option<Link> {
        let document = self.document;
        let rel = document.attr(node, "rel")?;
        if !has_word(rel, "next") {
            return None;
        }
        let (url, key, step) = self.target(document.attr(node, "href")?)?;
        // With a title it is the entry that follows this one.
        if document.attr(node, "title").is_some() && !matches!(step, Step::On { .. }) {
            return None;
        }
        let says = Says::Nothing;
        Some(Link {
            node,
            url,
            key,
            step,
            place: Place::Plain,
            kind: Kind::Head,
            text: says,
            title: says,
            class: says,
            is_bare: true,
        })
    }

    fn anchor(&self, node: NodeId) -> Option<Link> {
        let rel = self.document.attr(node, "rel").unwrap_or_default();
        let is_next = has_word(rel, "next");
        if has_word(rel, "prev") {
            return None;
        }
        let kind = if is_next { Kind::RelAnchor } else { Kind::Anchor };
        let says = self.says(node);
        if !is_next && !says.is_anything() {
            return None;
        }
        self.make(node, kind, says, self.document.attr(node, "href")?)
    }

    fn scripted(&self, node: NodeId) -> Option<Link> {
        let document = self.document;
        let given = |names: &[&str]| {
            names.iter().find_map(|name| document.attr(node, name)).filter(|value| {
                let value = value.trim();
                value.starts_with(['/', '?', '.']) || value.starts_with("http") || value.contains(['/', '?'])
            })
        };
        let (kind, reference) = match given(&NEXT_ATTRIBUTES) {
            Some(reference) => (Kind::Next, reference),
            None => (Kind::Data, given(&DATA_ATTRIBUTES)?),
        };
        let says = self.says(node);
        if !says.is_anything() {
            return None;
        }
        self.make(node, kind, says, reference)
    }

    /// A form that asks for a page by a number.
    fn form(&self, node: NodeId) -> Option<Link> {
        let document = self.document;
        if document.attr(node, "method").is_some_and(|method| !method.trim().eq_ignore_ascii_case("get")) {
            return None;
        }
        let mut fields = Vec::new();
        let mut submit = None;
        for field in document.descendants(node).take(FIELDS * 4) {
            let kind = document.attr(field, "type").unwrap_or_default().to_ascii_lowercase();
            match (document.name(field), kind.as_str()) {
                (Some("input"), "hidden") if fields.len() < FIELDS => fields.push(field),
                (Some("input"), "submit" | "button") | (Some("button"), "submit" | "") if submit.is_none() => {
                    submit = Some(field)
                }
                // A form that a person fills in is a search.
                (Some("input"), "" | "text" | "search" | "number") | (Some("select" | "textarea"), _) => return None,
                _ => {}
            }
        }
        let submit = submit?;
        let mut says = self.says(submit);
        if says.text == Says::Nothing {
            says.text = words::read(document.attr(submit, "value").unwrap_or_default());
        }
        if !matches!(says.text, Says::Next | Says::More) && !matches!(says.title, Says::Next | Says::More) {
            return None;
        }
        let mut url = self.base.join(document.attr(node, "action").unwrap_or_default().trim()).ok()?;
        url.set_query(None);
        for field in fields.into_iter().chain([submit]) {
            if let Some(name) = document.attr(field, "name") {
                url.query_pairs_mut().append_pair(name, document.attr(field, "value").unwrap_or_default());
            }
        }
        let link = self.make(submit, Kind::Form, says, url.as_str())?;
        matches!(link.step, Step::On { .. }).then_some(link)
    }

    fn make(&self, node: NodeId, kind: Kind, says: Sayings, reference: &str) -> Option<Link> {
        let (url, key, step) = self.target(reference)?;
        if self.document.attr(node, "aria-disabled") == Some("true") {
            return None;
        }
        let place = place(self.document, node);
        let Sayings { text, title, class, is_bare } = says;
        Some(Link { node, url, key, step, place, kind, text, title, class, is_bare })
    }

    fn says(&self, node: NodeId) -> Sayings {
        let document = self.document;
        let shown = label(document, node);
        let text = words::read(&shown);
        let mut title = Says::Nothing;
        for name in ["aria-label", "title"] {
            if title == Says::Nothing {
                title = words::read(document.attr(node, name).unwrap_or_default());
            }
        }
        let mut class = Says::Nothing;
        let parent = document.parent(node).filter(|parent| {
            document.children(*parent).take(6).filter(|child| document.is_element(*child)).count() == 1
        });
        for element in std::iter::once(node).chain(parent) {
            for name in ["class", "id"] {
                if class == Says::Nothing {
                    class = words::read_class(document.attr(element, name).unwrap_or_default());
                }
            }
        }
        let is_bare = shown.trim().is_empty() || text == Says::Arrow;
        Sayings { text, title, class, is_bare }
    }
}

#[derive(Debug, Clone, Copy)]
struct Sayings {
    text: Says,
    title: Says,
    class: Says,
    is_bare: bool,
}

impl Sayings {
    fn is_anything(self) -> bool {
        [self.text, self.title, self.class].into_iter().any(|says| !matches!(says, Says::Nothing | Says::Elsewhere))
    }
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(word))
}
