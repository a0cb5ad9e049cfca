//! Where a page leads, and how likely it is that things of the domain are told there in full.
//!
//! A crawl for records has to choose: a shop links from every page to its terms, its cart and its weblog, and from some to
//! what it sells. Each link of a page has a rank, the best first:
//!
//! | rank | links |
//! |---|---|
//! | [`OFFERED`] | in a list that the domain's words mark as one of offers, or of a record that is told in full there |
//! | [`LISTED`] | one of several alike in the page's main part: how lists of things look, whatever their words |
//! | [`NEXT`] | to the next page of a list |
//! | [`NAMED`] | whose words, or address, speak of things of the domain, or of a shop's departments |
//! | [`OTHER`] | of any other kind |
//! | [`UNLIKELY`] | to what every site has: accounts, carts, terms, imprints |
//!
//! Files that are no pages, and what leads back to the page itself, are left out.
//!
//! An *offer* is a record whose name is a link to another page of the site: a row of a list, a box of related things. What
//! it says is said there again and in full (the paper takes such doubles out in a step of its own, section 4), so whoever
//! judges records by what they lack must not judge offers.
//!
//! # Cost
//!
//! One walk over the page's links, each with a bounded number of ancestors.

use std::collections::{BTreeMap, HashMap};

use url::Url;
use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::Page;

use super::entropy::Kind;
use super::judge::link_around;
use super::lexicon::folded;
use super::reader::Reader;
use super::{Reading, Record};
use crate::next::{self, canonical};

/// In a list of offers.
pub const OFFERED: u8 = 0;
/// One of several links alike.
pub const LISTED: u8 = 1;
/// The next page of a list.
pub const NEXT: u8 = 2;
/// Its words speak of such things.
pub const NAMED: u8 = 3;
/// Any other.
pub const OTHER: u8 = 4;
/// What every site has.
pub const UNLIKELY: u8 = 5;

/// Links of a page that are looked at; a page with more is a list of links for machines.
const MOST: usize = 2000;
/// Links alike that are a list. Fewer are a pair of buttons.
const ALIKE: usize = 4;
/// Ancestors that make links alike.
const SHAPE: usize = 4;
/// Ancestors that are looked at for the part of the page that a link is in.
const AROUND: usize = 12;

/// What a page leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leads {
    /// Links on the page's own site and elsewhere, in the page's order, each address once.
    pub links: Vec<Lead>,
    /// For each record of the reading: where it is told in full, if it is an offer.
    pub offers: Vec<Option<Url>>,
}

/// A link, and how soon to follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    /// Where it leads.
    pub url: Url,
    /// A lower one comes first.
    pub rank: u8,
}

impl Reader {
    /// Where a page leads that has been read.
    pub fn leads(&self, page: &Page, reading: &Reading) -> Leads {
        let Some(base) = page.base() else {
            return Leads { links: Vec::new(), offers: vec![None; reading.records.len()] };
        };
        let document = page.document();
        let address = page.url().unwrap_or(base);
        let this = canonical(address);
        let here = Here { document, base, this: &this };
        let offers = reading.records.iter().map(|record| self.offer(&here, reading, record)).collect::<Vec<_>>();
        let things: Vec<String> = self.domain().things.iter().map(|thing| folded(thing)).collect();
        let shapes = here.shapes();
        let next = next::page(document, address).map(|next| canonical(&next.url));
        let mut ranks: BTreeMap<usize, (Url, u8)> = BTreeMap::new();
        let mut known: HashMap<Url, usize> = HashMap::new();
        for (link, url) in here.links() {
            let key = canonical(&url);
            let rank = match () {
                () if next.as_ref() == Some(&key) => NEXT,
                () if offers.iter().flatten().any(|offer| canonical(offer) == key) => OFFERED,
                () if is_unlikely(&url) => UNLIKELY,
                () if here.is_offered(link, reading) => OFFERED,
                () if here.is_main(link) && shapes.get(&here.shape(link)).is_some_and(|&count| count >= ALIKE) => {
                    LISTED
                }
                () if speaks(&here.words(link), &url, &things) => NAMED,
                () => OTHER,
            };
            let number = *known.entry(key).or_insert(ranks.len());
            let entry = ranks.entry(number).or_insert((url, rank));
            entry.1 = entry.1.min(rank);
        }
        Leads { links: ranks.into_values().map(|(url, rank)| Lead { url, rank }).collect(), offers }
    }

    /// Where a record is told in full.
    fn offer(&self, here: &Here<'_>, reading: &Reading, record: &Record) -> Option<Url> {
        let title = self.domain().title();
        let called = record.pairs.iter().find(|pair| pair.role == title)?.values.first()?.node;
        let is_link = here.document.name_id(called) == Some(names::A);
        let link = if is_link { Some(called) } else { link_around(here.document, called) }?;
        // A page about one thing, with its name as the first heading, is where it is told, whatever the heading leads to.
        let is_head = |id: NodeId| here.document.name_id(id) == Some(names::H1);
        if reading.records.len() < 2 && here.document.ancestors(called).take(AROUND).any(is_head) {
            return None;
        }
        here.target(link).filter(|url| url.host_str() == here.this.host_str() && !is_unlikely(url))
    }
}

/// A page and its address.
struct Here<'p> {
    document: &'p Document,
    base: &'p Url,
    /// In its canonical form.
    this: &'p Url,
}

impl Here<'_> {
    /// Links to other pages, and where they lead.
    fn links(&self) -> impl Iterator<Item = (NodeId, Url)> {
        let anchors = self.document.nodes().filter(|&id| self.document.is_html(id, names::A));
        anchors.filter_map(|id| Some((id, self.target(id)?))).take(MOST)
    }

    /// The page that a link leads to, if it is another and a page at all.
    fn target(&self, link: NodeId) -> Option<Url> {
        let href = self.document.attr_by_id(link, names::HREF)?;
        let mut url = self.base.join(href.trim()).ok()?;
        url.set_fragment(None);
        let is_page = matches!(url.scheme(), "http" | "https") && !is_file(&url);
        (is_page && canonical(&url) != *self.this).then_some(url)
    }

    /// How often links of each shape lead to something, each target once.
    fn shapes(&self) -> HashMap<String, usize> {
        let mut shapes: HashMap<String, Vec<Url>> = HashMap::new();
        for (link, url) in self.links().filter(|(link, _)| self.is_main(*link)) {
            let targets = shapes.entry(self.shape(link)).or_default();
            if targets.len() < ALIKE && !targets.contains(&url) {
                targets.push(url);
            }
        }
        shapes.into_iter().map(|(shape, targets)| (shape, targets.len())).collect()
    }

    /// What links of one list have in common: the elements around them, without their places.
    fn shape(&self, link: NodeId) -> String {
        let mut shape = String::new();
        for id in std::iter::once(link).chain(self.document.ancestors(link).take(SHAPE)) {
            let class = self.document.attr_by_id(id, names::CLASS).unwrap_or_default();
            shape += self.document.name(id).unwrap_or_default();
            // The first class says what it is; the others that it is the third, or on sale.
            shape += &format!(".{}>", class.split_whitespace().next().unwrap_or_default());
        }
        shape
    }

    /// Whether a link stands in what the page is about, not in its frame.
    fn is_main(&self, link: NodeId) -> bool {
        let frame = |id: NodeId| {
            let by_name =
                matches!(self.document.name_id(id), Some(names::NAV | names::HEADER | names::FOOTER | names::ASIDE));
            let by_role = self
                .document
                .attr(id, "role")
                .is_some_and(|role| matches!(role, "navigation" | "banner" | "contentinfo"));
            let said = [names::ID, names::CLASS].iter().filter_map(|&name| self.document.attr_by_id(id, name));
            by_name || by_role || said.flat_map(str::split_whitespace).any(is_frame)
        };
        !self.document.ancestors(link).take(AROUND).any(frame)
    }

    /// Whether a link stands in a list of offers.
    fn is_offered(&self, link: NodeId, reading: &Reading) -> bool {
        let offers = reading.nodes.iter().filter(|node| node.kind == Kind::LinkOffer);
        offers.take(AROUND).any(|offer| offer.node <= link && link < self.document.subtree_end(offer.node))
    }

    /// What a link says.
    fn words(&self, link: NodeId) -> String {
        let title = self.document.attr(link, "title").unwrap_or_default();
        folded(&format!("{} {title}", self.document.visible_text(link)))
    }
}

/// Whether the name of an element says that it frames the page.
fn is_frame(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words =
        ["nav", "navbar", "navigation", "menu", "mainmenu", "header", "footer", "breadcrumb", "breadcrumbs", "topbar"];
    words.contains(&name.as_str())
}

/// Whether words or an address speak of the domain's things, or of what shops call their departments.
fn speaks(words: &str, url: &Url, things: &[String]) -> bool {
    const SHOP: [&str; 18] = [
        "product",
        "catalog",
        "shop",
        "store",
        "categor",
        "all items",
        "a-z",
        "assortment",
        "produkt",
        "sortiment",
        "kategorie",
        "produit",
        "catalogue",
        "producto",
        "商品",
        "产品",
        "產品",
        "分类",
    ];
    let path = folded(url.path());
    let has = |word: &str| words.contains(word) || path.contains(word);
    things.iter().any(|thing| has(thing)) || SHOP.iter().any(|word| has(word))
}

/// Whether an address is that of something every site has, or of something that is done, not read.
fn is_unlikely(url: &Url) -> bool {
    const PARTS: [&str; 35] = [
        "login",
        "signin",
        "sign-in",
        "signup",
        "register",
        "registration",
        "logout",
        "account",
        "cart",
        "basket",
        "checkout",
        "wishlist",
        "compare",
        "terms",
        "privacy",
        "imprint",
        "impressum",
        "datenschutz",
        "agb",
        "legal",
        "cookies",
        "contact",
        "kontakt",
        "about",
        "about-us",
        "help",
        "faq",
        "careers",
        "press",
        "newsletter",
        "share",
        "print",
        "rss",
        "feed",
        "password",
    ];
    let is_part = |part: &str| {
        let part = part.split_once('.').map_or(part, |(name, _)| name).to_ascii_lowercase();
        PARTS.contains(&part.as_str())
    };
    let does = |(key, _): (std::borrow::Cow<'_, str>, _)| {
        matches!(
            key.to_ascii_lowercase().as_str(),
            "add-to-cart" | "add" | "action" | "share" | "replytocom" | "redirect"
        )
    };
    url.path_segments().is_some_and(|mut parts| parts.any(is_part)) || url.query_pairs().any(does)
}

/// Whether an address is that of a file that is no page.
fn is_file(url: &Url) -> bool {
    const ENDINGS: [&str; 33] = [
        "jpg", "jpeg", "png", "gif", "webp", "svg", "ico", "bmp", "css", "js", "mjs", "json", "xml", "pdf", "doc",
        "docx", "xls", "xlsx", "ppt", "pptx", "zip", "rar", "gz", "7z", "tar", "exe", "apk", "dmg", "mp3", "mp4",
        "avi", "mov", "webm",
    ];
    let last = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
    last.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}
