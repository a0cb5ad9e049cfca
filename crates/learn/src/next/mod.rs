//! Next: where does this page's list go on?
//!
//! A list that is longer than a page leads to its next page in one of a few ways. It may say so to machines
//! (`rel=next`); it may have a link that says *next* or *older* in the page's language, or shows an arrow; it may have a
//! row of page numbers, one of which is this page's; it may have a button that loads more from an address. None of that is
//! certain alone: an arrow turns a carousel, a month of a calendar, or the entries of a weblog. So each link is weighed by
//! all that speaks for it: its words, the names of the elements around it, and what its address is to this page's, which
//! often counts (`page=2`, `/page/2/`, `start=20`).
//!
//! # Worked example
//!
//! `/list?page=2` has `<div class=pager><a href="?page=1">1</a> 2 <a href="?page=3">3</a> <a href="?page=3">»</a></div>`.
//! The arrow (40) in a pager (20) counts on by one (30); the number 3 (50) follows the one that is no link, in a row (20)
//! and counts on as well (30). They lead to the same page, which has 110 points in all, and 60 are needed.
//!
//! # Cost
//!
//! O(page): every element is looked at once, with a bounded number of its ancestors. Nothing is fetched; the same page
//! gives the same answer.

mod canonical;
mod links;
mod numbers;
mod place;
mod step;
mod words;

use std::collections::BTreeMap;
use std::fmt;

use url::Url;
use windrow_dom::Document;

use self::links::{Kind, Link, Reader};
use self::numbers::Row;
use self::place::Place;
use self::step::Step;
use self::words::Says;

pub use self::canonical::{Address, canonical};

/// A further page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Next {
    /// Where it is, as the page says it: not in its canonical spelling.
    pub url: Url,
    /// What says so.
    pub why: Why,
}

/// What says that a link leads to a further page: the strongest, if several do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// `rel=next`.
    Rel,
    /// Its text, title or label: *next*, *older posts*.
    Words,
    /// The number after this page's.
    Number,
    /// An arrow, or the name of its class.
    Arrow,
    /// A button or form that loads more.
    More,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Rel => "it is said to be the next page (rel=next)",
            Why::Words => "its text says so",
            Why::Number => "its number says so",
            Why::Arrow => "an arrow leads there",
            Why::More => "more is loaded from there",
        })
    }
}

/// What speaks for a link, in points. Set by hand on the pages of `testdata/next/truth.toml`; the order is what matters.
mod points {
    pub(super) const REL: i32 = 70;
    pub(super) const TEXT: i32 = 60;
    pub(super) const TITLE: i32 = 55;
    pub(super) const NUMBER: i32 = 50;
    pub(super) const SCRIPTED: i32 = 45;
    pub(super) const ARROW: i32 = 40;
    pub(super) const CLASS: i32 = 40;
    pub(super) const MORE: i32 = 35;
    pub(super) const EARLIER: i32 = 30;
    /// Each thing more that says the same.
    pub(super) const ALSO: i32 = 10;
    pub(super) const PAGER: i32 = 20;
    /// Words in a pair are enough, an arrow whose address does not count is not: days have arrows, too.
    pub(super) const PAIR: i32 = 14;
    pub(super) const ON: i32 = 25;
    pub(super) const ON_BY_ONE: i32 = 30;
    pub(super) const BESIDE: i32 = 5;
    pub(super) const AWAY: i32 = -15;
    /// Lists whose pages have addresses of their own stand in pagers all the same.
    pub(super) const AWAY_IN_PAGER: i32 = -10;
    /// What is needed.
    pub(super) const ENOUGH: i32 = 60;
}

/// The page after this one, if there is one.
///
/// ```
/// # use url::Url;
/// # use windrow_dom::Document;
/// # use windrow_learn::next;
/// let html = r#"<ul class="pager"><li><a href="?page=1">← Zurück</a><li><a href="?page=3">Weiter →</a></ul>"#;
/// let next = next::page(&Document::parse(html), &Url::parse("https://example.org/list?page=2")?);
/// assert_eq!(next.unwrap().url.as_str(), "https://example.org/list?page=3");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn page(document: &Document, address: &Url) -> Option<Next> {
    let links = Reader::new(document, address).links();
    let rows = numbers::rows(document, &links);
    best(&links, &rows).map(|best| Next { url: links[best.link].url.clone(), why: best.why })
}

/// All other pages of this page's list that it links to: those of its row of page numbers, and the next. In order of
/// their numbers, the next one behind if it has none.
pub fn pages(document: &Document, address: &Url) -> Vec<Next> {
    let links = Reader::new(document, address).links();
    let rows = numbers::rows(document, &links);
    let next = best(&links, &rows);
    let leads_to_next = |row: &&Row| {
        next.as_ref().is_some_and(|next| row.pages.iter().any(|(_, link)| links[*link].key == links[next.link].key))
    };
    let ends_here = |row: &&Row| {
        row.is_own
            && !row.is_guess
            && row.next.is_none()
            && row.pages.iter().all(|(_, link)| links[*link].step == Step::Back)
    };
    let row = rows.iter().find(leads_to_next).or_else(|| rows.iter().find(ends_here).filter(|_| next.is_none()));
    let mut numbered: Vec<(u32, usize)> = row.map(|row| row.pages.clone()).unwrap_or_default();
    numbered.sort_by_key(|(number, _)| *number);
    let listed = numbered.into_iter().map(|(_, link)| (link, Why::Number));
    let mut pages: Vec<Next> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (link, why) in listed.chain(next.iter().map(|next| (next.link, next.why))) {
        if seen.insert(links[link].key.as_str()) {
            let why = next.as_ref().filter(|next| links[next.link].key == links[link].key).map_or(why, |next| next.why);
            pages.push(Next { url: links[link].url.clone(), why });
        }
    }
    pages
}

/// A link and what speaks for it.
#[derive(Debug, Clone, Copy)]
struct Weighed {
    link: usize,
    why: Why,
    points: i32,
}

/// The link that most speaks for, if it is enough.
fn best(links: &[Link], rows: &[Row]) -> Option<Weighed> {
    let worded = links.iter().enumerate().filter_map(|(index, link)| {
        let (why, points) = weigh(link)?;
        Some(Weighed { link: index, why, points })
    });
    let numbered = rows.iter().filter_map(|row| {
        let link = row.next?;
        let points = points::NUMBER + points::PAGER + of_step(&links[link], true)?;
        // A number is a link of its own kind only if something says which page this is.
        let is_sure = !row.is_guess || matches!(links[link].step, Step::On { .. });
        let is_row = row.pages.len() >= 2 || matches!(links[link].step, Step::On { .. });
        (is_sure && is_row).then_some(Weighed { link, why: Why::Number, points })
    });
    // Links to one page speak for each other, once for each kind.
    let mut by_page: BTreeMap<&str, Vec<Weighed>> = BTreeMap::new();
    for weighed in worded.chain(numbered) {
        let of_page = by_page.entry(links[weighed.link].key.as_str()).or_default();
        match of_page.iter_mut().find(|known| known.why == weighed.why) {
            Some(known) if known.points >= weighed.points => {}
            Some(known) => *known = weighed,
            None => of_page.push(weighed),
        }
    }
    let of_pages = by_page.into_values().filter_map(|of_page| {
        let strongest = *of_page.iter().max_by_key(|weighed| (weighed.points, std::cmp::Reverse(weighed.why)))?;
        let also = i32::try_from(of_page.len() - 1).unwrap_or_default() * points::ALSO;
        let why = of_page.iter().map(|weighed| weighed.why).min().unwrap_or(strongest.why);
        Some(Weighed { points: strongest.points + also, why, ..strongest })
    });
    let best = of_pages.max_by_key(|weighed| (weighed.points, std::cmp::Reverse(weighed.link)))?;
    (best.points >= points::ENOUGH).then_some(best)
}

/// What speaks for a link by itself; nothing if something speaks against it.
fn weigh(link: &Link) -> Option<(Why, i32)> {
    let is_on = matches!(link.step, Step::On { .. });
    if link.place == Place::Aside || (link.place == Place::Entry && !is_on) {
        return None;
    }
    if link.text == Says::Elsewhere
        || (link.text != Says::Next && (link.title == Says::Elsewhere || link.class == Says::Elsewhere))
    {
        return None;
    }
    let is_rel = matches!(link.kind, Kind::Head | Kind::RelAnchor);
    let mut reasons: Vec<(Why, i32)> = Vec::new();
    if is_rel && (is_on || link.is_bare || link.text != Says::Nothing || link.kind == Kind::Head) {
        reasons.push((Why::Rel, points::REL));
    }
    match link.text {
        Says::Next => reasons.push((Why::Words, points::TEXT)),
        Says::Arrow => reasons.push((Why::Arrow, points::ARROW)),
        Says::More => reasons.push((Why::More, points::MORE)),
        Says::Earlier if is_on => reasons.push((Why::Words, points::EARLIER)),
        _ => {}
    }
    match link.title {
        Says::Next => reasons.push((Why::Words, points::TITLE)),
        Says::More => reasons.push((Why::More, points::MORE)),
        _ => {}
    }
    // A class alone says it of a link that shows no words, or whose address counts.
    if link.is_bare || is_on || link.text != Says::Nothing {
        match link.class {
            Says::Next if !matches!(link.text, Says::Number(_)) => reasons.push((Why::Arrow, points::CLASS)),
            Says::More => reasons.push((Why::More, points::MORE)),
            _ => {}
        }
    }
    let (why, most) = reasons.iter().copied().max_by_key(|(why, points)| (*points, std::cmp::Reverse(*why)))?;
    let also = i32::try_from(reasons.len() - 1).unwrap_or_default() * points::ALSO;
    let (why, most) = match link.kind {
        Kind::Next => (Why::More, most.max(points::SCRIPTED) + points::ALSO),
        Kind::Data | Kind::Form => (Why::More, most.max(points::SCRIPTED)),
        _ => (why, most),
    };
    let of_place = match link.place {
        Place::Pager => points::PAGER,
        Place::Pair => points::PAIR,
        _ => 0,
    };
    Some((why, most + also + of_place + of_step(link, of_place > 0)?))
}

/// What a link's address says; nothing if it leads back.
fn of_step(link: &Link, in_pager: bool) -> Option<i32> {
    match link.step {
        Step::Stay | Step::Back => None,
        Step::On { by: Some(1) } => Some(points::ON_BY_ONE),
        Step::On { .. } => Some(points::ON),
        Step::Beside => Some(points::BESIDE),
        Step::Away if in_pager => Some(points::AWAY_IN_PAGER),
        Step::Away => Some(points::AWAY),
    }
}
