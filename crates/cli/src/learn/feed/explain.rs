//! Which item of the feed was found where, and how each field's rule was chosen: tables for people.

use windrow::Page;
use windrow::learn::feed::{FIELDS, Form, Matched, PageKind, Trial};
use windrow_feed::Item;

use crate::discover::plural;
use crate::printer::layout;
use crate::text::excerpt;

/// Characters of a title that are shown.
const TITLE: usize = 40;

/// What a lesson is explained from.
pub(super) struct Explanation<'a> {
    pub(super) items: &'a [Item],
    pub(super) pages: &'a [&'a Page],
    pub(super) matches: &'a [Matched],
    pub(super) kinds: &'a [PageKind],
}

impl Explanation<'_> {
    /// A block for each page, one for what was found nowhere, and one for the trials.
    pub(super) fn text(&self, trials: &[Trial]) -> String {
        let pages = self.pages.iter().enumerate().map(|(number, page)| self.page(number, page.name()));
        let blocks: Vec<String> = pages.chain(self.nowhere()).chain(tried(trials)).collect();
        blocks.join("\n")
    }

    fn page(&self, number: usize, name: &str) -> String {
        let kind = match self.kinds.get(number) {
            Some(PageKind::Index) => "an index page",
            Some(PageKind::Titles) => "a list of titles",
            Some(PageKind::Entry) => "the page of an entry",
            Some(PageKind::Other) | None => "another page",
        };
        let found: Vec<&Matched> = self.matches.iter().filter(|matched| matched.page == number).collect();
        let head = format!("{name}: {kind}, {} of {}\n", found.len(), plural(self.items.len(), "item"));
        if found.is_empty() {
            return head;
        }
        let columns: Vec<String> = ["", "item"].into_iter().chain(FIELDS).map(str::to_owned).collect();
        let rows = found.into_iter().map(|matched| {
            let words = matched.fields.iter().map(|field| field.as_ref().map_or("-", |field| field.how.word()));
            let start = [(matched.item + 1).to_string(), self.title(matched.item)];
            start.into_iter().chain(words.map(str::to_owned)).collect()
        });
        head + &layout(&columns, rows.collect())
    }

    /// The items that no page shows.
    fn nowhere(&self) -> Option<String> {
        let lost = (0..self.items.len()).filter(|item| self.matches.iter().all(|matched| matched.item != *item));
        let rows: Vec<Vec<String>> = lost.map(|item| vec![(item + 1).to_string(), self.title(item)]).collect();
        let head = format!("{} on none of the pages\n", plural(rows.len(), "item"));
        (!rows.is_empty()).then(|| head + &layout(&[String::new(), "item".to_owned()], rows))
    }

    /// What an item is known by: its title, how it begins, or where it is.
    fn title(&self, item: usize) -> String {
        let Some(item) = self.items.get(item) else { return String::new() };
        let body = || item.body.as_ref().map(|body| body.plain()).filter(|body| !body.is_empty());
        let text = item.title.clone().or_else(body).or_else(|| item.link.clone());
        text.map_or_else(|| "-".to_owned(), |text| excerpt(&text, TITLE))
    }
}

/// How the two forms of each rule did on the entries that were held back.
fn tried(trials: &[Trial]) -> Option<String> {
    if trials.is_empty() {
        return None;
    }
    let columns = ["pages", "field", "held back", "XPath", "landmark", "kept"].map(str::to_owned);
    let count = |count: Option<usize>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let rows = trials.iter().map(|trial| {
        let pages = match trial.kind {
            PageKind::Index => "index",
            PageKind::Titles => "titles",
            PageKind::Entry => "entry",
            PageKind::Other => "other",
        };
        let kept = match trial.kept {
            Form::Landmark => "landmark",
            Form::XPath => "XPath",
            Form::Best => "both",
        };
        let counts = [trial.held_back.to_string(), count(trial.xpath), count(trial.landmark)];
        [pages, trial.field].map(str::to_owned).into_iter().chain(counts).chain([kept.to_owned()]).collect()
    });
    Some(
        "the rules, by how many of the entries that were held back they find\n".to_owned()
            + &layout(&columns, rows.collect()),
    )
}
