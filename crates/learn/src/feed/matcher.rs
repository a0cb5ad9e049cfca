//! The matcher: where an item of the feed may be on a page.
//!
//! Paper: Zhang et al. 2006, Table 2. A title is known by its words, also if one of the two is cut short; a link by its
//! address, however it is spelled; a body by the words it begins with. What stands at several places is settled
//! later, with all items in view (`index`, `entry`): an item's title is where those of the others are.
//!
//! # Departures from the paper
//!
//! The paper wants the same string; here case, quotes, white space, host and scheme do not count. It takes one item at a
//! time and the place nearest to the description; all items together settle more.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use windrow_dom::NodeId;
use windrow_feed::Item;
use windrow_wrapper::values::date::Date;
use windrow_wrapper::values::text::collapse;

use super::How;
use super::sheet::{GRAM, Sheet, address, by_path};
use super::words::{self, Counts, cut_short};
use crate::page_view::is_heading;
use url::Url;

/// Words from the beginning of a body at which it may be known.
const BEGINNING: usize = 24;
/// Places at which one body may begin.
const STARTS: usize = 8;
/// Letters that a title which is cut short must have.
const CUT: usize = 8;

/// What is looked for of an item.
pub(super) struct Wanted {
    /// Its title as the feed has it, white space collapsed.
    text: String,
    pub(super) title: Vec<u64>,
    /// The title without the signs that it is cut short, if it is.
    cut: Option<Vec<u64>>,
    /// Spellings of its address.
    pub(super) addresses: Vec<String>,
    /// Whether its address is a place on a page that has others, too.
    pub(super) anchored: bool,
    pub(super) date: Option<Date>,
    pub(super) body: Vec<u64>,
    pub(super) counts: Counts,
    /// What follows each other in its body, three words at a time.
    grams: HashSet<u64, FixedState>,
    /// Its summary, if that is another text than its body.
    pub(super) summary: Vec<u64>,
    pub(super) authors: Vec<String>,
    pub(super) categories: Vec<String>,
}

impl Wanted {
    /// What is looked for of all items.
    pub(super) fn all(items: &[Item], base: Option<&Url>) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = items.iter().map(|item| Wanted::new(item, base)).collect();
        let mut paths: Vec<&str> = Vec::new();
        for wanted in &all {
            paths.extend(wanted.addresses.first().map(|address| address.split('?').next().unwrap_or_default()));
        }
        let count = paths.len();
        paths.sort_unstable();
        paths.dedup();
        // Where paths tell items apart, parameters are not needed to.
        if paths.len() == count {
            all.iter_mut().zip(items).for_each(|(wanted, item)| wanted.add_path(item, base));
        }
        all
    }

    fn new(item: &Item, base: Option<&Url>) -> Wanted {
        let title = item.title.as_deref().unwrap_or_default();
        let id = item.id.as_ref().filter(|id| id.starts_with("http"));
        let plain = item.body.as_ref().map(|body| body.plain()).unwrap_or_default();
        let body = words::hashes(cut_short(&plain).unwrap_or(&plain));
        let summary = item.summary.as_ref().map(|text| text.plain()).unwrap_or_default();
        let summary = words::hashes(cut_short(&summary).unwrap_or(&summary));
        let mut wanted = Wanted {
            text: collapse(title).into_owned(),
            title: words::hashes(title),
            cut: cut_short(title).filter(|cut| cut.chars().count() >= CUT).map(words::hashes),
            addresses: Vec::new(),
            anchored: item.original_link.iter().chain(&item.link).any(|link| link.contains('#')),
            date: item.date(),
            counts: words::counts(body.iter().copied()),
            grams: body.windows(3).map(|gram| words::sequence(gram.iter().copied())).collect(),
            summary: if summary == body { Vec::new() } else { summary },
            body,
            authors: item.authors.clone(),
            categories: item.categories.clone(),
        };
        for link in [item.original_link.as_ref(), item.link.as_ref(), id].into_iter().flatten() {
            wanted.add_address(link.trim(), base);
        }
        wanted
    }

    /// Adds another spelling of its address.
    pub(super) fn add_address(&mut self, link: &str, base: Option<&Url>) {
        let url = base.map_or_else(|| Url::parse(link), |base| base.join(link));
        if let Ok(address) = url.map(|url| address(&url))
            && !self.addresses.contains(&address)
        {
            self.addresses.push(address);
        }
    }

    /// Adds its address without what is asked of it.
    pub(super) fn add_path(&mut self, item: &Item, base: Option<&Url>) {
        let link = item.original_link.as_ref().or(item.link.as_ref());
        let url = link.and_then(|link| base.map_or_else(|| Url::parse(link), |base| base.join(link)).ok());
        self.addresses.extend(url.map(|url| by_path(&url)));
    }

    /// Whether there is anything to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.title.is_empty() && self.addresses.is_empty() && self.body.is_empty()
    }

    /// Whether its body has these words one behind the other.
    pub(super) fn says(&self, words: &[super::words::Word]) -> bool {
        let mut grams = words.windows(3).map(|gram| words::sequence(gram.iter().map(|word| word.hash)));
        words.len() >= 3 && grams.all(|gram| self.grams.contains(&gram))
    }

    /// Where its title may be: the innermost elements that have it for their text.
    pub(super) fn titles(&self, sheet: &Sheet<'_>) -> Vec<(NodeId, How)> {
        if self.title.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(NodeId, How)> = sheet
            .titled(&self.title)
            .map(|short| (short.node, if sheet.reading.of(short.node) == self.text { How::Same } else { How::Alike }))
            .collect();
        if !found.is_empty() {
            return found;
        }
        // A feed may make up the title of a note from its first words: they are the body's.
        let invented = self.cut.as_ref().is_some_and(|cut| self.body.starts_with(cut));
        let is_headed = |node: NodeId| {
            let document = sheet.document;
            std::iter::once(node).chain(document.ancestors(node)).take(4).any(|id| is_heading(document, id))
        };
        for short in &sheet.shorts {
            let own = &sheet.words[short.words.clone()];
            let hashes: Vec<u64> = own.iter().map(|word| word.hash).collect();
            let page_is_cut = || {
                let text = sheet.reading.of(short.node);
                let cut = cut_short(text).filter(|cut| cut.chars().count() >= CUT);
                cut.is_some_and(|_| self.title.starts_with(&hashes))
            };
            let feed_is_cut = self.cut.as_ref().is_some_and(|cut| hashes.starts_with(cut))
                && (!invented || hashes.len() == self.title.len() || is_headed(short.node));
            if feed_is_cut || own.first().is_some_and(|word| word.hash == self.title[0]) && page_is_cut() {
                found.push((short.node, How::Abbreviated));
            }
        }
        found
    }

    /// The links that lead to it.
    pub(super) fn links(&self, sheet: &Sheet<'_>) -> Vec<NodeId> {
        let found = self.addresses.iter().flat_map(|address| sheet.links_to(address)).copied();
        let mut found: Vec<NodeId> = found.collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where its body may begin, by the numbers of words.
    pub(super) fn starts(&self, sheet: &Sheet<'_>) -> Vec<usize> {
        let mut found = starts(sheet, &self.body);
        if found.is_empty() {
            found = starts(sheet, &self.summary);
        }
        found
    }

    /// Whether a date is this item's: the same day, or one beside it, since a page may be written in another zone.
    pub(super) fn is_date(&self, date: Date) -> Option<bool> {
        let wanted = self.date?;
        let number = |date: Date| {
            let (year, month, day) = super::sheet::day_of(date)?;
            Some(i64::from(year) * 372 + i64::from(month) * 31 + i64::from(day))
        };
        let (one, other) = (number(wanted)?, number(date)?);
        match (one - other).abs() {
            0 => Some(true),
            // From one month to the next it is more than one, which is seldom worth the calendar.
            1 => Some(false),
            _ => None,
        }
    }
}

/// Where words may begin on a page: the first few of them in a row; if the page lacks those, some a little further on.
fn starts(sheet: &Sheet<'_>, body: &[u64]) -> Vec<usize> {
    if body.len() < GRAM {
        // A body of a few words is all there is in its element.
        return match body.is_empty() {
            true => Vec::new(),
            false => sheet.titled(body).map(|short| short.words.start).take(STARTS).collect(),
        };
    }
    for (skipped, gram) in body.windows(GRAM).take(BEGINNING).enumerate() {
        let found = sheet.gram(gram);
        if !found.is_empty() {
            let begins = found.iter().map(|&at| (at as usize).saturating_sub(skipped.min(2)));
            // What was skipped is not on the page: the body begins with what is.
            return if skipped <= 2 {
                begins.take(STARTS).collect()
            } else {
                found.iter().map(|&at| at as usize).take(STARTS).collect()
            };
        }
    }
    Vec::new()
}
