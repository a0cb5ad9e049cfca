//! Feed: a weblog's own feed teaches its rules.
//!
//! A feed says what the newest entries of a weblog are; its home page shows them. [`learn`] reads the pages (`sheet`),
//! finds the one in the other (`matcher`), takes the pages apart into entries (`index`, `entry`), finds their fields and
//! bodies (`fields`, `body`), sorts pages by template (`blog`, `kinds`), and writes the wrapper that finds entries on all
//! pages of the same templates (`rules`): the home page and older index pages, lists of titles, the page of each entry.
//!
//! Paper: M. Zhang, Y. Zhou, J. Patrick, "Automatic Extraction of Complex Web Data" (WTM), PACIS 2006.

mod blog;
mod body;
mod entry;
mod error;
mod fields;
mod gather;
mod index;
mod kinds;
mod matcher;
mod rules;
mod sheet;
mod words;

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;
use windrow_feed::Item;
use windrow_wrapper::{Page, Wrapper};

use self::blog::Blog;
pub use self::error::{Error, Note};
use self::fields::Seen;
pub use self::gather::{Library, gather};
use self::index::{Entries, Entry};
use self::matcher::Wanted;
use self::sheet::Sheet;
use crate::labels::Place;

/// The fields of an entry, in the order of [`Matched::fields`].
pub const FIELDS: [&str; 6] = ["title", "link", "date", "body", "author", "categories"];

/// How a wrapper is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Which entries are held back to test rules with.
    pub seed: u64,
    /// Which form the rules have.
    pub form: Form,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 2006, form: Form::Best }
    }
}

impl Options {
    /// The same with another form of rules.
    #[must_use]
    pub fn with_form(mut self, form: Form) -> Options {
        self.form = form;
        self
    }

    /// The same with other entries held back.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Options {
        self.seed = seed;
        self
    }
}

/// The form of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// For each field the one that does better on entries that were held back, then the simpler.
    #[default]
    Best,
    /// XPath and CSS.
    XPath,
    /// The paper's: the tokens in front of a value and behind it, for index pages alone. They can be written as the
    /// paper's XML.
    Landmark,
}

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// Which item was found where.
    pub matches: Vec<Matched>,
    /// By page: what it was taken for.
    pub kinds: Vec<PageKind>,
    /// By field of [`FIELDS`] how its rule was chosen, on index pages and on entry pages.
    pub trials: Vec<Trial>,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// How the two forms of a field's rule did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The field.
    pub field: &'static str,
    /// On which pages.
    pub kind: PageKind,
    /// Entries that have the field and that the rules were tried on: those held back, or all if these are too few to
    /// hold any back.
    pub tried: usize,
    /// Of these, found by XPath or CSS; none if there is no such rule.
    pub xpath: Option<usize>,
    /// Of these, found by tokens; none if there is no such rule.
    pub landmark: Option<usize>,
    /// The form that was kept.
    pub kept: Form,
}

/// What a page of a weblog is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// It shows entries as the home page does.
    Index,
    /// It lists entries in another way: titles with links, maybe dates.
    Titles,
    /// It is the page of one entry.
    Entry,
    /// No item was found on it.
    Other,
}

/// Where an item of the feed is on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The page, by its number.
    pub page: usize,
    /// The item, by its number.
    pub item: usize,
    /// By field of [`FIELDS`]: where it is, and how it was known.
    pub fields: [Option<Match>; FIELDS.len()],
}

/// Where a field is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Where it stands; several for categories.
    pub places: Vec<Place>,
    /// How it was known.
    pub how: How,
}

/// How a value of the feed was known on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum How {
    /// The page says the same.
    Same,
    /// The same but for case, white space, kinds of quotes and dashes.
    Alike,
    /// One of them is cut short.
    Abbreviated,
    /// The page says something else, at the place that leads to the entry.
    Other,
    /// It begins as the feed does, and goes on.
    Longer,
    /// It is the beginning of what the feed has.
    Shorter,
    /// It is of the same day.
    Day,
    /// It is of the same day if day and month stand in the other order than the page's language has them.
    Swapped,
    /// It says month and day, and the year stands elsewhere.
    Yearless,
    /// It stands in a heading for several entries.
    Heading,
    /// The page has it where the template has it, and the feed does not say it.
    Template,
}

impl How {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            How::Same => "same",
            How::Alike => "alike",
            How::Abbreviated => "abbreviated",
            How::Other => "other",
            How::Longer => "longer",
            How::Shorter => "shorter",
            How::Day => "day",
            How::Swapped => "swapped",
            How::Yearless => "yearless",
            How::Heading => "heading",
            How::Template => "template",
        }
    }
}

/// The pages of entries that a wrapper should be learned from beside the home page, the most useful first: those that the
/// home page links to, then those of the other items. Each is optional.
pub fn wanted(items: &[Item], home: &Page) -> Vec<Url> {
    let base = home.base();
    let resolved = |link: &str| base.map_or_else(|| Url::parse(link), |base| base.join(link)).ok();
    let shown = on_home(items, home).into_iter().map(|(_, link)| link);
    let links = items.iter().filter_map(|item| item.original_link.as_ref().or(item.link.as_ref()));
    let mut known: HashSet<String> = HashSet::new();
    shown
        .chain(links.cloned())
        .filter_map(|link| resolved(link.trim()))
        .filter(|url| matches!(url.scheme(), "http" | "https") && known.insert(sheet::address(url)))
        .collect()
}

/// The root of the site that the items lead to, if they lead anywhere: what a page without an address is read against.
fn site_of(items: &[Item]) -> Option<Url> {
    let links = items.iter().filter_map(|item| item.original_link.as_ref().or(item.link.as_ref()));
    let url = links.into_iter().find_map(|link| Url::parse(link.trim()).ok())?;
    url.join("/").ok()
}

/// The items that the home page shows, with the links to their pages.
fn on_home(items: &[Item], home: &Page) -> Vec<(usize, String)> {
    let site = site_of(items);
    let wanted = Wanted::all(items, home.base());
    let sheet = Sheet::new(home, site.as_ref());
    let Some(entries) = index::entries(&sheet, &wanted) else { return Vec::new() };
    linked(&sheet, &entries, &wanted)
}

/// The items of these entries, with the links to their pages.
fn linked(sheet: &Sheet<'_>, entries: &Entries, wanted: &[Wanted]) -> Vec<(usize, String)> {
    let seen: Vec<Seen<'_, '_>> = entries
        .entries
        .iter()
        .map(|entry| Seen { sheet, entry, wanted: entry.item.map(|item| &wanted[item]) })
        .collect();
    let links = fields::links(&seen);
    let link =
        |(entry, found): (&Entry, Option<Match>)| Some((entry.item?, found?.places.first()?.text(sheet.document)));
    entries.entries.iter().zip(links).filter_map(link).collect()
}

/// Learns a wrapper from the items of a weblog's feed and pages of it, the home page first. The other pages may be those
/// of items, and further index pages, in any order; each is taken for what it shows.
pub fn learn(items: &[Item], pages: &[Arc<Page>], options: &Options) -> Result<Lesson, Error> {
    let Some(home) = pages.first() else { return Err(Error::NoPage) };
    let mut wanted = Wanted::all(items, home.base());
    if wanted.iter().all(Wanted::is_empty) {
        return Err(Error::NoItems { items: items.len() });
    }
    let site = site_of(items);
    let sheets: Vec<Sheet<'_>> = pages.iter().map(|page| Sheet::new(page, site.as_ref())).collect();
    // What the page links to may be another address than the feed's.
    if let Some(entries) = index::entries(&sheets[0], &wanted) {
        for (item, link) in linked(&sheets[0], &entries, &wanted) {
            wanted[item].add_address(&link, home.base());
        }
    }
    Blog::new(items, pages, &sheets, &wanted).lesson(options)
}
