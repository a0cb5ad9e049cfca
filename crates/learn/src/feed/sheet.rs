//! A page as the matcher sees it: its words, its short texts, its links and its dates.
//!
//! # Cost
//!
//! One walk over the page for each; what is asked for later is looked up.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use url::Url;
use windrow_dom::{Document, NodeId, NodeKind, names};
use windrow_wrapper::Page;
use windrow_wrapper::values::Hints;
use windrow_wrapper::values::date::{self, Date};

use super::words::{self, Word};
use crate::labels::Place;
use crate::next::Address;
use crate::page_view::{PageView, Unseen, is_formatting};
use crate::reading::Reading;

/// Words in a row that a text is looked up by.
pub(super) const GRAM: usize = 4;
/// Links to one address that are looked at.
const LINKS: usize = 256;
/// Bytes of a text that may be a title.
const TITLE: usize = 400;
/// Bytes of a text in which a date is looked for.
const DATED: usize = 240;
/// Bytes of a date without a year.
const YEARLESS: usize = 40;
/// Dates of one text that are looked at.
const DATES: usize = 3;

/// A text of a few words that is all there is in an element.
#[derive(Debug, Clone)]
pub(super) struct Short {
    /// The innermost such element, or the text.
    pub(super) node: NodeId,
    /// Its words, by their numbers.
    pub(super) words: Range<usize>,
}

/// A date on the page.
#[derive(Debug, Clone)]
pub(super) struct Dated {
    pub(super) place: Place,
    /// What it says; none if only the year is missing.
    pub(super) date: Option<Date>,
    /// The bytes of it in the text of its node, if it stands there.
    pub(super) bytes: Option<Range<usize>>,
    /// What it says if day and month stand in the other order, and that is a date, too.
    pub(super) swapped: Option<Date>,
    /// True if its digits have day and month in the other order than the page's language: others of its kind, with days up to
    /// the twelfth, would be read wrongly.
    pub(super) against: bool,
}

/// A page, read.
pub(super) struct Sheet<'p> {
    pub(super) page: &'p Page,
    pub(super) document: &'p Document,
    pub(super) view: PageView<'p>,
    pub(super) reading: Reading<'p>,
    pub(super) words: Vec<Word>,
    pub(super) shorts: Vec<Short>,
    pub(super) dates: Vec<Dated>,
    pub(super) hints: Hints,
    /// By node: the tags from the root down to it, those that only give a look aside.
    skeleton: Vec<u64>,
    /// By the words of a short text: its numbers.
    titles: HashMap<u64, Vec<u32>, FixedState>,
    /// By words in a row: where they begin.
    grams: HashMap<u64, Vec<u32>, FixedState>,
    /// By address: links that lead there.
    links: HashMap<String, Vec<NodeId>, FixedState>,
}

impl<'p> Sheet<'p> {
    /// Reads a page. `site`: an address of the site, for a page that does not say its own.
    pub(super) fn new(page: &'p Page, site: Option<&Url>) -> Sheet<'p> {
        let document = page.document();
        let view = PageView::new(document, Unseen::LeftOut);
        let reading = Reading::new(document);
        let words = words::words(&reading.text);
        let mut sheet = Sheet {
            page,
            document,
            view,
            reading,
            words,
            shorts: Vec::new(),
            dates: Vec::new(),
            hints: page.hints().clone(),
            skeleton: skeleton(document),
            titles: HashMap::default(),
            grams: HashMap::default(),
            links: HashMap::default(),
        };
        sheet.read_shorts();
        sheet.read_grams();
        sheet.read_links(site);
        sheet.read_dates();
        sheet
    }

    /// The tags from the root down to a node, those that only give a look aside: a `<b>` that is never closed is around
    /// all that follows.
    pub(super) fn skeleton(&self, node: NodeId) -> u64 {
        self.skeleton[node.index()]
    }

    /// The element around a node that does not only give it a look.
    pub(super) fn around(&self, node: NodeId) -> Option<NodeId> {
        self.document.ancestors(node).find(|&id| !is_look(self.document, id))
    }

    /// Where these words stand as all there is in an element.
    pub(super) fn titled(&self, words: &[u64]) -> impl Iterator<Item = &Short> {
        let key = words::sequence(words.iter().copied());
        let found = self.titles.get(&key).map_or(&[][..], Vec::as_slice);
        found.iter().map(|&number| &self.shorts[number as usize])
    }

    /// Where words in a row begin, by the number of the first.
    pub(super) fn gram(&self, words: &[u64]) -> &[u32] {
        let key = words::sequence(words.iter().copied());
        self.grams.get(&key).map_or(&[][..], Vec::as_slice)
    }

    /// The links to an address.
    pub(super) fn links_to(&self, address: &str) -> &[NodeId] {
        self.links.get(address).map_or(&[][..], Vec::as_slice)
    }

    /// The words at a node, by their numbers.
    pub(super) fn words_at(&self, node: NodeId) -> Range<usize> {
        words::within(&self.words, self.reading.range(node))
    }

    /// The words of a run of nodes, by their numbers.
    pub(super) fn words_in(&self, first: NodeId, end: NodeId) -> Range<usize> {
        let from = words::within(&self.words, self.reading.before(first)..usize::MAX).start;
        let to = words::within(&self.words, self.reading.before(end)..usize::MAX).start;
        from..to.max(from)
    }

    /// The text node that a word begins in.
    pub(super) fn node_of(&self, word: usize) -> Option<NodeId> {
        self.reading.node_at(self.words.get(word)?.start)
    }

    fn read_shorts(&mut self) {
        let mut shorts: Vec<Short> = Vec::new();
        for id in self.document.nodes() {
            let shown = match self.document.kind(id) {
                NodeKind::Element => !self.view.is_hidden(id),
                NodeKind::Text => !self.document.text(id).trim().is_empty(),
                _ => false,
            };
            if !shown {
                continue;
            }
            let range = self.reading.range(id);
            if range.is_empty() || range.len() > TITLE {
                continue;
            }
            let words = words::within(&self.words, range.clone());
            // A part of a word is no text of its own: boxes side by side, `6feb2024`.
            if words.is_empty() || self.words[words.end - 1].end > range.end {
                continue;
            }
            match shorts.last_mut() {
                // The same text, further in; a text that is alone in its element is the element's.
                Some(last) if last.words == words && self.document.is_ancestor(last.node, id) => {
                    if self.document.is_element(id) {
                        last.node = id;
                    }
                }
                _ => shorts.push(Short { node: id, words }),
            }
        }
        for (number, short) in shorts.iter().enumerate() {
            let key = words::sequence(self.words[short.words.clone()].iter().map(|word| word.hash));
            self.titles.entry(key).or_default().push(number as u32);
        }
        self.shorts = shorts;
    }

    fn read_grams(&mut self) {
        for (at, gram) in self.words.windows(GRAM).enumerate() {
            let key = words::sequence(gram.iter().map(|word| word.hash));
            let places = self.grams.entry(key).or_default();
            if places.len() < 64 {
                places.push(at as u32);
            }
        }
    }

    /// Reads the links. `site`: an address of the site, for a page that does not say its own.
    fn read_links(&mut self, site: Option<&Url>) {
        let base = self.page.base().or(site);
        for id in self.document.nodes().filter(|&id| self.document.name_id(id) == Some(names::A)) {
            let Some(href) = self.document.attr(id, "href").map(str::trim) else { continue };
            if href.is_empty() || href.starts_with('#') || self.view.is_hidden(id) {
                continue;
            }
            if let Ok(url) = base.map_or_else(|| Url::parse(href), |base| base.join(href)) {
                let path = url.query().is_some().then(|| by_path(&url));
                for address in path.into_iter().chain([address(&url)]) {
                    let links = self.links.entry(address).or_default();
                    if links.len() < LINKS {
                        links.push(id);
                    }
                }
            }
        }
    }

    fn read_dates(&mut self) {
        let mut dates: Vec<Dated> = Vec::new();
        let document = self.document;
        // By node: whether an element around it says its date to machines.
        let mut told = NodeId::ROOT;
        let mut leaves = self.view.leaves.iter().peekable();
        for id in document.nodes() {
            if document.is_element(id) && !self.view.is_hidden(id) && !self.reading.range(id).is_empty() {
                let attribute = |name: &'static str| Some((name, document.attr(id, name)?));
                let machine = ["datetime", "content", "title"].into_iter().find_map(attribute);
                if let Some((name, value)) = machine
                    && (name != "title" || document.name(id) == Some("abbr"))
                    && let Some(date) = date::parse(value, &self.hints)
                {
                    let place = if name == "datetime" { Place::node(id) } else { Place::attribute(id, name) };
                    dates.push(Dated { place, date: Some(date), bytes: None, swapped: None, against: false });
                    told = told.max(document.subtree_end(id));
                }
            }
            while let Some(leaf) = leaves.next_if(|leaf| leaf.node <= id) {
                if leaf.node < told {
                    continue;
                }
                let around = document.parent(leaf.node).filter(|&parent| {
                    document.is_text(leaf.node) && self.reading.range(parent) == self.reading.range(leaf.node)
                });
                let node = around.unwrap_or(leaf.node);
                let text = self.reading.of(node);
                if !text.is_empty() && text.len() <= DATED && text.contains(|c: char| c.is_numeric()) {
                    self.dates_in(node, text, &mut dates);
                }
            }
        }
        let mut leaf_dates: Vec<NodeId> =
            dates.iter().filter(|dated| dated.date.is_some()).map(|dated| dated.place.node).collect();
        leaf_dates.sort_unstable();
        // Day and month may stand in elements of their own: the leaf of a calendar.
        for short in &self.shorts {
            let text = self.reading.of(short.node);
            let parts = self.view.leaves_below(short.node).len();
            let known = |id: NodeId| {
                let from = leaf_dates.partition_point(|&dated| dated < id);
                leaf_dates.get(from).is_some_and(|&dated| dated < document.subtree_end(id))
            };
            if (2..=4).contains(&parts)
                && text.len() < YEARLESS
                && text.contains(|c: char| c.is_numeric())
                && !known(short.node)
            {
                let date = date::parse(text, &self.hints).filter(|date| date.day().is_some());
                dates.push(Dated { place: Place::node(short.node), date, bytes: None, swapped: None, against: false });
            }
        }
        dates.sort_by_key(|dated| dated.place.node);
        self.dates = dates;
    }

    /// The dates in the text of a node.
    fn dates_in(&self, node: NodeId, text: &str, dates: &mut Vec<Dated>) {
        let mut from = 0;
        for _ in 0..DATES {
            let Some((date, range)) = date::find(&text[from..], &self.hints) else { break };
            let range = from + range.start..from + range.end;
            from = range.end;
            if date.day().is_none() {
                continue;
            }
            let whole = date::parse(text, &self.hints).is_some_and(|all| day_of(all) == day_of(date));
            let part = (!whole).then_some(range.clone());
            let swapped = self.swapped(&text[range.clone()], date);
            let against = self.is_against_language(&text[range.clone()], date);
            let place = Place { node, attribute: None, part };
            dates.push(Dated { place, date: Some(date), bytes: Some(range), swapped, against });
            if whole {
                return;
            }
        }
        // Parts in elements of their own stand without spaces: `6feb2024`.
        let whole = || date::parse(text, &self.hints).filter(|date| date.day().is_some());
        if from == 0
            && text.len() < YEARLESS
            && let Some(date) = whole()
        {
            let place = Place::node(node);
            dates.push(Dated { place, date: Some(date), bytes: None, swapped: None, against: false });
        } else if from == 0 && text.len() < YEARLESS {
            let part = self.yearless_part(text);
            let place = Place { node, attribute: None, part: part.clone() };
            dates.push(Dated { place, date: None, bytes: part, swapped: None, against: false });
        }
    }

    /// The date that digits are if day and month stand in the other order than the page's language has them.
    fn swapped(&self, text: &str, date: Date) -> Option<Date> {
        if text.contains(char::is_alphabetic) {
            return None;
        }
        let readings = [true, false].map(|first| date::parse(text, &self.hints.clone().with_day_first(first)));
        readings.into_iter().flatten().find(|other| day_of(*other) != day_of(date))
    }

    /// Returns whether digits that can be read in one way alone, `20/6/2021`, have another order than the page's language.
    fn is_against_language(&self, text: &str, date: Date) -> bool {
        let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
        let [first, second, year] = numbers[..] else { return false };
        let number = |text: &str| text.parse::<u8>().ok();
        if text.contains(char::is_alphabetic) || first.len() > 2 || second.len() > 2 {
            return false;
        }
        let day_first = match (number(first), number(second), date.day()) {
            (Some(first), Some(_), Some(day)) if first == day && first > 12 => true,
            (Some(_), Some(second), Some(day)) if second == day && second > 12 => false,
            _ => return false,
        };
        // As the language has it, by digits that can be read in both ways.
        let sign = text.chars().find(|c| !c.is_ascii_digit()).unwrap_or('/');
        let sample = format!("03{sign}04{sign}{year}");
        date::parse(&sample, &self.hints).and_then(Date::day).is_some_and(|day| (day == 3) != day_first)
    }

    /// The bytes of a month and a day in a text that says more. What means another day on another day, "3 days ago", is
    /// not one.
    fn yearless_part(&self, text: &str) -> Option<Range<usize>> {
        let read = |month: u8| {
            let hints = self.hints.clone().with_reference(Date::from_day(2024, month, 28)?);
            let (date, range) = date::find(text, &hints)?;
            Some((date.month()?, date.day()?, range))
        };
        let (one, other) = (read(3)?, read(11)?);
        (one == other && one.2 != (0..text.len())).then_some(one.2)
    }

    /// The dates in the text of a node, or of the element whose only text it is.
    pub(super) fn dates_at(&self, node: NodeId) -> &[Dated] {
        let around =
            self.document.parent(node).filter(|&parent| self.reading.range(parent) == self.reading.range(node));
        let of = |id: NodeId| {
            let from = self.dates.partition_point(|dated| dated.place.node < id);
            let to = self.dates.partition_point(|dated| dated.place.node <= id);
            &self.dates[from..to]
        };
        match (of(node), around) {
            ([], Some(around)) => of(around),
            (own, _) => own,
        }
    }

    /// What a date without a year says, if it is of this day.
    pub(super) fn is_yearless(&self, dated: &Dated, day: Date) -> bool {
        if dated.date.is_some() {
            return false;
        }
        let hints = self.hints.clone().with_reference(day);
        let text = dated.place.text(self.document);
        date::parse(&text, &hints).is_some_and(|found| day_of(found) == day_of(day))
    }
}

/// Whether an element only gives its content a look, and says nothing else.
fn is_look(document: &Document, id: NodeId) -> bool {
    let named = document.attr_by_id(id, names::CLASS).is_some() || document.attr(id, "id").is_some();
    !named && (is_formatting(document, id) || document.name(id) == Some("center"))
}

fn skeleton(document: &Document) -> Vec<u64> {
    let hasher = FixedState::default();
    let mut keys = vec![0u64; document.len()];
    for id in document.nodes() {
        let above = document.parent(id).map_or(0, |parent| keys[parent.index()]);
        keys[id.index()] = match document.kind(id) {
            NodeKind::Element if is_look(document, id) => above,
            NodeKind::Element => hasher.hash_one((above, document.name(id))),
            _ => above,
        };
    }
    keys
}

/// An address as all that lead to the same page are spelled.
pub(super) fn address(url: &Url) -> String {
    let Address { site, page } = Address::new(url);
    site + &page
}

/// An address without what is asked of it, which may only say where a reader came from. Not to be taken for an address of
/// its own.
pub(super) fn by_path(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    format!("{}?", address(&url))
}

/// Year, month and day.
pub(super) fn day_of(date: Date) -> Option<(i32, u8, u8)> {
    Some((date.year(), date.month()?, date.day()?))
}
