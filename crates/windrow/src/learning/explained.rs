//! Which item of the feed was found where, and how each field's rule was chosen: tables for people.

use crate::Page;
use crate::feed::Item;
use crate::learn::feed::{FIELDS, Form, Matched, PageKind, Trial};

use crate::format::text_table::{cut, layout};
use crate::text::excerpt;
use crate::text::plural;

/// Columns of the terminal that a title may take: most tables then fit into a hundred.
const TITLE: usize = 32;

/// The parts of a lesson that explain it.
pub struct FeedExplanation<'a> {
    /// Items of the feed.
    pub items: &'a [Item],
    /// The pages.
    pub pages: &'a [&'a Page],
    /// Items that were found on pages.
    pub matches: &'a [Matched],
    /// Kind of each page.
    pub kinds: &'a [PageKind],
}

impl FeedExplanation<'_> {
    /// A block for each page, one for what was found nowhere, and one for the trials.
    pub fn text(&self, trials: &[Trial], width: usize) -> String {
        let pages = self.pages.iter().enumerate().map(|(number, page)| self.page(number, page.name(), width));
        let blocks: Vec<String> = pages.chain(self.nowhere(width)).chain(tried(trials, width)).collect();
        blocks.join("\n")
    }

    fn page(&self, number: usize, name: &str, width: usize) -> String {
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
        head + &layout(&columns, &rows.collect::<Vec<_>>(), width)
    }

    /// The items that no page shows.
    fn nowhere(&self, width: usize) -> Option<String> {
        let lost = (0..self.items.len()).filter(|item| self.matches.iter().all(|matched| matched.item != *item));
        let rows: Vec<Vec<String>> = lost.map(|item| vec![(item + 1).to_string(), self.title(item)]).collect();
        let head = format!("{} on none of the pages\n", plural(rows.len(), "item"));
        (!rows.is_empty()).then(|| head + &layout(&[String::new(), "item".to_owned()], &rows, width))
    }

    /// Returns a short name for an item: its title, its beginning, or its address.
    fn title(&self, item: usize) -> String {
        let Some(item) = self.items.get(item) else { return String::new() };
        let body = || item.body.as_ref().map(|body| body.plain()).filter(|body| !body.is_empty());
        let text = item.title.clone().or_else(body).or_else(|| item.link.clone());
        text.map_or_else(|| "-".to_owned(), |text| cut(&excerpt(&text, TITLE), TITLE))
    }
}

/// Returns a table of how the two forms of each rule did on the entries that they were tried on.
fn tried(trials: &[Trial], width: usize) -> Option<String> {
    if trials.is_empty() {
        return None;
    }
    let columns = ["pages", "field", "tried on", "XPath", "landmark", "kept"].map(str::to_owned);
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
        let counts = [trial.tried.to_string(), count(trial.xpath), count(trial.landmark)];
        [pages, trial.field].map(str::to_owned).into_iter().chain(counts).chain([kept.to_owned()]).collect()
    });
    Some(
        "the rules, and how many of the entries that they were tried on each form finds\n".to_owned()
            + &layout(&columns, &rows.collect::<Vec<_>>(), width),
    )
}

#[cfg(test)]
mod tests {
    use crate::learn::feed::{How, Match};
    use expect_test::expect;

    use super::*;

    #[test]
    fn tables_are_aligned() {
        let feed = "<rss><channel><item><title>Hay</title></item>
            <item><title>草原上的第一次收割，以及那台旧拖拉机是怎么又开动起来的，还有邻居们在雨里说的那些话，我们都记得</title></item>
            <item><description>&lt;p&gt;No title, but a \u{1b}[31mtext</description></item></channel></rss>";
        let feed = crate::feed::parse(feed.as_bytes(), &crate::feed::Options::new()).unwrap();
        let pages = [Page::from_text("home.html", ""), Page::from_text("a.html", "")];
        let found = |how| Some(Match { places: Vec::new(), how });
        let matched = |page, item, date| {
            let fields = [found(How::Same), found(How::Same), date, found(How::Abbreviated), None, None];
            Matched { page, item, fields }
        };
        let trial = |field, kind, xpath, landmark, kept| Trial { field, kind, tried: 12, xpath, landmark, kept };
        let explanation = FeedExplanation {
            items: &feed.items,
            pages: &pages.iter().collect::<Vec<_>>(),
            matches: &[matched(0, 0, found(How::Heading)), matched(0, 1, None)],
            kinds: &[PageKind::Index, PageKind::Other],
        };
        let trials = [
            trial("title", PageKind::Index, Some(12), Some(9), Form::XPath),
            trial("body", PageKind::Entry, None, Some(12), Form::Landmark),
        ];
        expect![[r#"
            home.html: an index page, 2 of 3 items
            ┌───┬─────────────────────────────────┬───────┬──────┬─────────┬─────────────┬────────┬────────────┐
            │   ┆ item                            ┆ title ┆ link ┆ date    ┆ body        ┆ author ┆ categories │
            ╞═══╪═════════════════════════════════╪═══════╪══════╪═════════╪═════════════╪════════╪════════════╡
            │ 1 ┆ Hay                             ┆ same  ┆ same ┆ heading ┆ abbreviated ┆ -      ┆ -          │
            │ 2 ┆ 草原上的第一次收割，以及那台旧… ┆ same  ┆ same ┆ -       ┆ abbreviated ┆ -      ┆ -          │
            └───┴─────────────────────────────────┴───────┴──────┴─────────┴─────────────┴────────┴────────────┘

            a.html: another page, 0 of 3 items

            1 item on none of the pages
            ┌───┬────────────────────────────────┐
            │   ┆ item                           │
            ╞═══╪════════════════════════════════╡
            │ 3 ┆ No title, but a \u{1b}[31mtext │
            └───┴────────────────────────────────┘

            the rules, and how many of the entries that they were tried on each form finds
            ┌───────┬───────┬──────────┬───────┬──────────┬──────────┐
            │ pages ┆ field ┆ tried on ┆ XPath ┆ landmark ┆ kept     │
            ╞═══════╪═══════╪══════════╪═══════╪══════════╪══════════╡
            │ index ┆ title ┆       12 ┆ 12    ┆        9 ┆ XPath    │
            │ entry ┆ body  ┆       12 ┆ -     ┆       12 ┆ landmark │
            └───────┴───────┴──────────┴───────┴──────────┴──────────┘
        "#]]
        .assert_eq(&explanation.text(&trials, 100));
    }
}
