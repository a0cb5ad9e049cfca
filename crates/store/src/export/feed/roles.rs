//! Selection of the columns for an entry's title, link, date, author and content.
//!
//! Columns named by the caller come first. Otherwise labels decide, first whole ones (`title`), then words in them
//! (`post_title`), then kinds: the first address is the link, the first date the date, the first text the title. The
//! content is a markup column, else a text column with a fitting label, else the text column that is longest in the
//! given records.

use super::super::{ExportError, value};
use crate::data::{Kind, Layout, Record, Value};

const TITLES: &[&str] = &["title", "headline", "heading", "name", "subject"];
const LINKS: &[&str] = &["link", "url", "href", "permalink"];
const DATES: &[&str] = &["date", "updated", "modified", "published", "posted", "time"];
const AUTHORS: &[&str] = &["author", "byline", "creator", "writer", "by"];
const CONTENTS: &[&str] = &["content", "body", "text", "description", "summary", "abstract", "excerpt", "teaser"];
/// Labels of addresses that lead to images and not to the entry.
const IMAGES: &[&str] = &["image", "img", "photo", "picture", "thumbnail", "thumb", "avatar", "logo", "icon", "src"];
const CATEGORIES: &[&str] = &["categories", "category", "tags", "tag", "keywords"];

/// Columns that a caller names for the parts of a feed's entries; the others are guessed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Roles {
    /// Column of the titles.
    pub title: Option<String>,
    /// Column of the addresses.
    pub link: Option<String>,
    /// Column of the dates of the last change.
    pub date: Option<String>,
    /// Column of the authors.
    pub author: Option<String>,
    /// Column of the contents.
    pub content: Option<String>,
}

impl Roles {
    /// Creates an empty set: all columns are guessed.
    pub fn new() -> Roles {
        Roles::default()
    }

    /// Names the column of the titles.
    pub fn with_title(mut self, column: impl Into<String>) -> Roles {
        self.title = Some(column.into());
        self
    }

    /// Names the column of the addresses.
    pub fn with_link(mut self, column: impl Into<String>) -> Roles {
        self.link = Some(column.into());
        self
    }

    /// Names the column of the dates.
    pub fn with_date(mut self, column: impl Into<String>) -> Roles {
        self.date = Some(column.into());
        self
    }

    /// Names the column of the authors.
    pub fn with_author(mut self, column: impl Into<String>) -> Roles {
        self.author = Some(column.into());
        self
    }

    /// Names the column of the contents.
    pub fn with_content(mut self, column: impl Into<String>) -> Roles {
        self.content = Some(column.into());
        self
    }
}

/// Indexes of the columns for the parts of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) title: Option<usize>,
    pub(super) link: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) author: Option<usize>,
    pub(super) content: Option<usize>,
    /// Index of a list of values.
    pub(super) categories: Option<usize>,
}

impl Columns {
    /// Looks up the columns that the caller named.
    pub(super) fn named(layout: &Layout, roles: &Roles) -> Result<Columns, ExportError> {
        let find = |name: &Option<String>, role| match name {
            None => Ok(None),
            Some(name) => match layout.columns.iter().position(|column| column.label == *name) {
                Some(number) => Ok(Some(number)),
                None => Err(unknown(layout, name, role)),
            },
        };
        Ok(Columns {
            title: find(&roles.title, "title")?,
            link: find(&roles.link, "link")?,
            date: find(&roles.date, "date")?,
            author: find(&roles.author, "author")?,
            content: find(&roles.content, "content")?,
            categories: None,
        })
    }

    /// Guesses the remaining columns.
    pub(super) fn guess(mut self, layout: &Layout, records: &[Record]) -> Columns {
        let free = |columns: &Columns, number: usize| {
            ![columns.title, columns.link, columns.date, columns.author, columns.content].contains(&Some(number))
        };
        let named = |columns: &Columns, words: &[&str], kinds: &[Kind]| {
            let fits = |number: &usize| kinds.contains(&layout.columns[*number].kind) && free(columns, *number);
            let all = || (0..layout.columns.len()).filter(fits);
            let whole = |word: &&str| all().find(|number| whole_label(&layout.columns[*number].label) == **word);
            let part = |word: &&str| all().find(|number| has_word(&layout.columns[*number].label, word));
            words.iter().find_map(whole).or_else(|| words.iter().find_map(part))
        };
        let first = |columns: &Columns, kind: Kind| {
            let fits = |number: &usize| layout.columns[*number].kind == kind && free(columns, *number);
            (0..layout.columns.len()).find(fits)
        };
        let is_image = |number: &usize| IMAGES.iter().any(|word| has_word(&layout.columns[*number].label, word));

        self.link = self.link.or_else(|| named(&self, LINKS, &[Kind::Url])).or_else(|| {
            let address = |number: &usize| layout.columns[*number].kind == Kind::Url && free(&self, *number);
            (0..layout.columns.len()).filter(address).find(|number| !is_image(number))
        });
        self.date = self.date.or_else(|| named(&self, DATES, &[Kind::Date])).or_else(|| first(&self, Kind::Date));
        self.author = self.author.or_else(|| named(&self, AUTHORS, &[Kind::Text]));
        self.title = self.title.or_else(|| named(&self, TITLES, &[Kind::Text])).or_else(|| first(&self, Kind::Text));
        self.content = self.content.or_else(|| {
            let content = named(&self, CONTENTS, &[Kind::Html]).or_else(|| first(&self, Kind::Html));
            content.or_else(|| named(&self, CONTENTS, &[Kind::Text])).or_else(|| {
                let texts = (0..layout.columns.len()).filter(|number| layout.columns[*number].kind == Kind::Text);
                let sized = texts.filter(|number| free(&self, *number)).map(|number| (length(records, number), number));
                // A text that is shorter than the titles adds nothing to them.
                let least = self.title.map_or(0, |title| length(records, title));
                let longer = sized.filter(|(length, _)| *length > least);
                longer.max_by_key(|(length, number)| (*length, std::cmp::Reverse(*number))).map(|(_, number)| number)
            })
        });
        let is_category = |word: &&str| {
            layout.lists.iter().position(|list| super::super::of_values(list) && whole_label(&list.label) == **word)
        };
        self.categories = CATEGORIES.iter().find_map(is_category);
        self
    }

    /// Reports whether a column is not used for any part of the entry.
    pub(super) fn leaves(&self, column: usize) -> bool {
        ![self.title, self.link, self.date, self.author, self.content].contains(&Some(column))
    }
}

/// Returns the total length of a column's texts.
fn length(records: &[Record], column: usize) -> usize {
    let one = |record: &Record| match value(record, column) {
        Value::Text(text) => text.len(),
        _ => 0,
    };
    records.iter().map(one).sum()
}

/// Returns the label without its group prefix, in lower case.
fn whole_label(label: &str) -> String {
    label.rsplit('.').next().unwrap_or(label).to_lowercase()
}

fn has_word(label: &str, word: &str) -> bool {
    whole_label(label).split(|character: char| !character.is_alphanumeric()).any(|part| part == word)
}

fn unknown(layout: &Layout, name: &str, role: &'static str) -> ExportError {
    let names: Vec<String> = layout.columns.iter().map(|column| format!("`{}`", column.label)).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    ExportError::UnknownColumn { list: layout.label.clone(), name: name.to_owned(), role, known }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    /// Columns are written `label:kind`, the expectation `title link date author content`.
    fn check(columns: &str, expected: [&str; 5]) {
        let column = |text: &str| {
            let (label, kind) = text.split_once(':').unwrap();
            Column { label: label.to_owned(), kind: Kind::from_name(kind).unwrap(), rule: String::new() }
        };
        let columns = columns.split_whitespace().map(column).collect();
        let layout = Layout { label: "list".to_owned(), columns, ..Layout::default() };
        // The further right a text, the longer.
        let values = (0..layout.columns.len()).map(|number| Value::Text("x".repeat(number + 1))).collect();
        let records = [Record { values, ..Record::default() }];
        let found = Columns::named(&layout, &Roles::new()).unwrap().guess(&layout, &records);
        let label = |number: Option<usize>| number.map_or("-", |number| layout.columns[number].label.as_str());
        assert_eq!([found.title, found.link, found.date, found.author, found.content].map(label), expected);
    }

    #[test]
    fn labels_and_kinds_tell() {
        check("title:text link:url date:date author:text body:html", ["title", "link", "date", "author", "body"]);
        check("id:text photo:url page:url post_title:text when:date", ["post_title", "page", "when", "-", "-"]);
        check("street:text photo:url price:money info:text note:text", ["street", "-", "-", "-", "note"]);
        check("body:text headline:text", ["headline", "-", "-", "-", "body"]);
        check("n:number", ["-", "-", "-", "-", "-"]);
        check("made:date updated:date by.name:text by:text", ["by.name", "-", "updated", "by", "-"]);
    }
}
