//! Feed: a weblog's own feed teaches its rules.
//!
//! A feed says what the newest entries of a weblog are; its home page shows them. [`learn`] finds the one in the other
//! (`matcher`), takes the pages apart into entries, and writes the wrapper that finds entries on all pages of the same
//! templates: the home page and older index pages, and the page of each entry.
//!
//! Paper: M. Zhang, Y. Zhou, J. Patrick, "Automatic Extraction of Complex Web Data" (WTM), PACIS 2006.

mod body;
mod entry;
mod error;
mod fields;
mod index;
mod kinds;
mod matcher;
mod rules;
mod sheet;
mod words;

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;
use windrow_dom::NodeId;
use windrow_feed::Item;
use windrow_wrapper::{Learned, Locator, Page, Rule, Wrapper};

use self::body::{Bodies, Body, Case};
pub use self::error::{Error, Note};
use self::fields::Seen;
use self::index::{Entries, Entry};
use self::kinds::Kept;
use self::matcher::Wanted;
use self::rules::Template;
use self::sheet::Sheet;
use crate::labels::{Labels, Place};
use crate::scope::Cut;

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
    /// What it was learned from.
    pub labels: Labels,
    /// Which item was found where.
    pub matches: Vec<Matched>,
    /// By page: what it was taken for.
    pub kinds: Vec<PageKind>,
    /// By field of [`FIELDS`] how its rule was chosen, on index pages and on entry pages.
    pub trials: Vec<Trial>,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// How the two forms of a field's rule did on the entries that were held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The field.
    pub field: &'static str,
    /// On which pages.
    pub kind: PageKind,
    /// Entries that were held back and have the field.
    pub held_back: usize,
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

/// The items that the home page shows, with the links to their pages.
fn on_home(items: &[Item], home: &Page) -> Vec<(usize, String)> {
    let wanted = Wanted::all(items, home.base());
    let sheet = Sheet::new(home);
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
    let sheets: Vec<Sheet<'_>> = pages.iter().map(|page| Sheet::new(page)).collect();
    let index_entries = index::entries(&sheets[0], &wanted);
    // What the page links to may be another address than the feed's.
    if let Some(entries) = &index_entries {
        for (item, link) in linked(&sheets[0], entries, &wanted) {
            wanted[item].add_address(&link, home.base());
        }
    }
    let wanted = wanted;
    let mut kinds = vec![PageKind::Other; pages.len()];
    let mut own: Vec<(usize, usize)> = Vec::new();
    for (at, sheet) in sheets.iter().enumerate().skip(1) {
        if let Some(item) = entry::item_of(sheet, &wanted) {
            kinds[at] = PageKind::Entry;
            own.push((at, item));
        }
    }
    let mut matches: Vec<Matched> = Vec::new();
    let mut trials: Vec<Trial> = Vec::new();
    let mut index_rule: Option<Rule> = None;
    let mut entry_rule: Option<Rule> = None;
    let mut kept: [Vec<Kept<'_>>; 2] = [Vec::new(), Vec::new()];
    if let Some(entries) = &index_entries {
        kinds[0] = PageKind::Index;
        let seen: Vec<Seen<'_, '_>> = entries
            .entries
            .iter()
            .map(|entry| Seen { sheet: &sheets[0], entry, wanted: entry.item.map(|item| &wanted[item]) })
            .collect();
        let (found, bodies) = find(&seen, true);
        for (at, entry) in entries.entries.iter().enumerate() {
            if let Some(item) = entry.item {
                matches.push(Matched { page: 0, item, fields: std::array::from_fn(|field| found[field][at].clone()) });
            }
        }
        let template =
            Template { kind: PageKind::Index, cut: entries.cut, pages: vec![home; seen.len()], seen, found, bodies };
        kept[0].extend(kept_of(&template, 0..entries.entries.len()));
        if let Some((rule, more)) = template.rule(options) {
            index_rule = Some(rule);
            trials.extend(more);
        }
    }
    let entry_pages: Vec<(&Sheet<'_>, usize)> = own.iter().map(|&(page, item)| (&sheets[page], item)).collect();
    let entries = entry::entries(&entry_pages, &wanted);
    let known: Vec<(usize, &Entry)> =
        own.iter().zip(&entries).filter_map(|((page, _), entry)| Some((*page, entry.as_ref()?))).collect();
    if !known.is_empty() && options.form != Form::Landmark {
        let seen: Vec<Seen<'_, '_>> = known
            .iter()
            .map(|(page, entry)| Seen { sheet: &sheets[*page], entry, wanted: entry.item.map(|item| &wanted[item]) })
            .collect();
        let (found, bodies) = find(&seen, false);
        for (at, (page, entry)) in known.iter().enumerate() {
            if let Some(item) = entry.item {
                matches.push(Matched {
                    page: *page,
                    item,
                    fields: std::array::from_fn(|field| found[field][at].clone()),
                });
            }
        }
        let own: Vec<&Arc<Page>> = known.iter().map(|(page, _)| &pages[*page]).collect();
        let template = Template { kind: PageKind::Entry, cut: Cut::Nodes, pages: own, seen, found, bodies };
        kept[1].extend((0..known.len()).filter_map(|at| kept_of(&template, at..at + 1)));
        if let Some((rule, more)) = template.rule(options) {
            entry_rule = Some(rule);
            trials.extend(more);
        }
    }
    // Further index pages tell what index pages have.
    for (at, sheet) in sheets.iter().enumerate().skip(1) {
        if kinds[at] == PageKind::Other && !kept[0].is_empty() {
            kinds[at] = PageKind::Index;
            kept[0].push(Kept { document: sheet.document, inside: Vec::new(), bodies: Vec::new() });
        }
    }
    let rules = apart(index_rule, entry_rule, &kept);
    let learned = Some(Learned { by: "feed".to_owned(), from: Vec::new(), at: None });
    let wrapper = Wrapper { learned, rules, ..Wrapper::default() };
    Ok(Lesson { wrapper, labels: Labels::default(), matches, kinds, trials, notes: Vec::new() })
}

/// The fields of entries of one template.
fn find(seen: &[Seen<'_, '_>], index: bool) -> (rules::Found, Bodies) {
    let titles = fields::titles(seen);
    let links = if index { fields::links(seen) } else { vec![None; seen.len()] };
    let mut dates = fields::dates(seen, index);
    let days = dates.iter().flatten().filter(|found| found.how != How::Yearless).count();
    if days * 2 < seen.iter().filter(|seen| seen.wanted.is_some()).count() {
        let of_links = fields::dates_of_links(seen, &links);
        if of_links.iter().flatten().count() > days {
            dates = of_links;
        }
    }
    let cases: Vec<Case<'_, '_>> = seen
        .iter()
        .zip(titles.iter().zip(&dates))
        .map(|(seen, (_, date))| {
            let mut outside = vec![seen.entry.head];
            outside.extend(date.iter().flat_map(|found| &found.places).map(|place| place.node));
            outside.extend(fields::filed_under(seen));
            let links = seen.wanted.map(|wanted| wanted.links(seen.sheet)).unwrap_or_default();
            let links = links.into_iter().filter(|&link| seen.entry.scope.contains(link)).collect();
            let (scope, start) = (seen.entry.scope, seen.entry.start);
            Case { sheet: seen.sheet, scope, start, wanted: seen.wanted, outside, links }
        })
        .collect();
    let bodies = body::bodies(&cases);
    let ranges: Vec<Option<(NodeId, NodeId)>> =
        bodies.bodies.iter().zip(seen).map(|(body, seen)| body.map(|body| body.range(seen.sheet.document))).collect();
    let authors = fields::authors(seen, &ranges);
    let categories = fields::categories(seen, &ranges);
    let body = |(body, seen): (&Option<Body>, &Seen<'_, '_>)| {
        let node = match (*body)? {
            Body::Element(id) => id,
            Body::Run { first, .. } => first,
        };
        let how = match (bodies.whole, seen.entry.start) {
            (true, _) => How::Same,
            (false, Some(_)) => How::Longer,
            (false, None) => How::Template,
        };
        Some(Match { places: vec![Place::node(node)], how })
    };
    let texts = bodies.bodies.iter().zip(seen).map(body).collect();
    ([titles, links, dates, texts, authors, categories], bodies)
}

/// A page with the titles and bodies of these entries.
fn kept_of<'d>(template: &Template<'_, 'd>, entries: std::ops::Range<usize>) -> Option<Kept<'d>> {
    let document = template.seen.get(entries.start)?.sheet.document;
    let titles = template.found[0][entries.clone()].iter().flatten().flat_map(|found| &found.places);
    let inside = titles.map(|place| place.node).collect();
    let bodies = template.bodies.bodies[entries].iter().flatten().map(|body| body.range(document));
    Some(Kept { document, inside, bodies: bodies.collect() })
}

/// The rules of index pages and of entry pages, each for its own pages.
fn apart(index: Option<Rule>, entry: Option<Rule>, kept: &[Vec<Kept<'_>>; 2]) -> Vec<Rule> {
    let (Some(index), Some(entry)) = (&index, &entry) else { return index.into_iter().chain(entry).collect() };
    let told =
        kinds::told_by(&kept[1], &kept[0]).map(|name| [format!("html:not(:has({name}))"), format!("html:has({name})")]);
    let told = told.or_else(|| {
        kinds::told_by(&kept[0], &kept[1]).map(|name| [format!("html:has({name})"), format!("html:not(:has({name}))")])
    });
    // Where nothing tells them apart, an entry is shown in the same way on both.
    let Some([on_index, on_entry]) = told else { return vec![index.clone()] };
    let group =
        |name: &str, at: String, rule: &Rule| Rule::group(name, Locator::css(at)).with(vec![rule.clone()]).optional();
    vec![group("_index", on_index, index), group("_entry", on_entry, entry)]
}
