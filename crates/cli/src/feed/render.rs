//! Items in the format that was asked for.

use std::io::{self, IsTerminal};

use windrow::store::export::joined;
use windrow_feed::{Feed, Item, Link, Text};

use crate::args::{FeedFormat, RowLimit};
use crate::terminal;
use windrow::data::json::Json;
use windrow::format::csv::{CsvFiles, CsvRow, CsvSheet};
use windrow::format::printer::{Block, Printer, Room};

/// The columns of CSV, behind the page's.
const COLUMNS: [&str; 9] = ["title", "link", "id", "date", "updated", "author", "categories", "summary", "body"];

/// Writes feeds in one format.
#[derive(Debug)]
pub(crate) struct Renderer {
    format: FeedFormat,
    several: bool,
    rows: Option<RowLimit>,
}

impl Renderer {
    /// A renderer for the format, or for the usual one.
    pub(crate) fn new(format: Option<FeedFormat>, several: bool, rows: Option<RowLimit>) -> Renderer {
        let usual = || if io::stdout().is_terminal() { FeedFormat::Table } else { FeedFormat::Jsonl };
        Renderer { format: format.unwrap_or_else(usual), several, rows }
    }

    /// The printer for this format.
    pub(crate) fn printer(&self) -> Printer {
        match self.format {
            FeedFormat::Json if self.several => Printer::json_array(),
            FeedFormat::Json | FeedFormat::Jsonl => Printer::plain(),
            FeedFormat::Csv => Printer::Sheets(CsvFiles::new(vec![(columns(), false)], false)),
            FeedFormat::Table => {
                let columns = ["date", "title", "link"].map(str::to_owned).to_vec();
                Printer::table(columns, terminal::room(self.rows, "--format csv shows all"))
            }
        }
    }

    /// What a feed adds to the output.
    pub(crate) fn feed(&self, name: &str, feed: &Feed) -> Block {
        match self.format {
            FeedFormat::Table => Block::Rows(feed.items.iter().map(table_row).collect()),
            FeedFormat::Csv => {
                let rows =
                    feed.items.iter().map(|item| CsvRow { page: name.to_owned(), parent: None, cells: cells(item) });
                Block::Sheets(vec![CsvSheet { columns: columns(), rows: rows.collect() }])
            }
            FeedFormat::Json | FeedFormat::Jsonl => self.object(|json| {
                json.key("page");
                json.text(name);
                json.key("format");
                json.text(&feed.format.to_string());
                optional(json, "title", feed.title.as_deref());
                optional(json, "link", feed.link.as_deref());
                optional(json, "description", feed.description.as_deref());
                optional(json, "language", feed.language.as_deref());
                json.key("items");
                json.array(|json| feed.items.iter().for_each(|each| item(json, each)));
                json.key("notes");
                texts(json, feed.notes.iter().map(ToString::to_string));
            }),
        }
    }

    /// What a page adds to the output: its feeds, where there is a place for them.
    pub(crate) fn page(&self, name: &str, feeds: &[Link]) -> Block {
        match self.format {
            FeedFormat::Table => Block::Rows(feeds.iter().map(link_row).collect()),
            FeedFormat::Csv => Block::Sheets(Vec::new()),
            FeedFormat::Json | FeedFormat::Jsonl => self.object(|json| {
                json.key("page");
                json.text(name);
                json.key("format");
                json.text("html");
                json.key("feeds");
                json.array(|json| {
                    for feed in feeds {
                        json.element();
                        json.object(|json| {
                            json.key("url");
                            json.text(&feed.url);
                            optional(json, "title", feed.title.as_deref());
                            optional(json, "type", feed.media_type.as_deref());
                            json.key("comments");
                            json.literal(if feed.comments { "true" } else { "false" });
                        });
                    }
                });
                json.key("items");
                json.array(|_| {});
            }),
        }
    }

    fn object(&self, write: impl FnOnce(&mut Json)) -> Block {
        let (mut json, before, after) = match (self.format, self.several) {
            (FeedFormat::Json, true) => (Json::pretty(1), "  ", ""),
            (FeedFormat::Json, false) => (Json::pretty(0), "", "\n"),
            _ => (Json::line(), "", "\n"),
        };
        json.object(write);
        Block::Text(format!("{before}{}{after}", json.finish()))
    }
}

fn columns() -> Vec<String> {
    COLUMNS.map(str::to_owned).to_vec()
}

fn item(json: &mut Json, item: &Item) {
    json.element();
    json.object(|json| {
        optional(json, "title", item.title.as_deref());
        optional(json, "link", item.link.as_deref());
        optional(json, "id", item.id.as_deref());
        optional(json, "date", item.date().map(|date| date.to_string()).as_deref());
        optional(json, "updated", item.updated.map(|date| date.to_string()).as_deref());
        optional(json, "author", authors(item).as_deref());
        json.key("categories");
        texts(json, item.categories.iter().cloned());
        optional(json, "summary", item.summary.as_ref().map(|text| text.value.as_str()));
        optional(json, "body", item.body.as_ref().map(|text| text.value.as_str()));
        json.key("body_is_html");
        json.literal(if item.body.as_ref().is_some_and(|body| body.is_html) { "true" } else { "false" });
    });
}

fn optional(json: &mut Json, key: &str, value: Option<&str>) {
    json.key(key);
    match value {
        Some(value) => json.text(value),
        None => json.literal("null"),
    }
}

fn texts(json: &mut Json, texts: impl Iterator<Item = String>) {
    json.array(|json| {
        for text in texts {
            json.element();
            json.text(&text);
        }
    });
}

fn authors(item: &Item) -> Option<String> {
    (!item.authors.is_empty()).then(|| item.authors.join(", "))
}

fn cells(item: &Item) -> Vec<String> {
    let date = |date: Option<windrow_feed::Date>| date.map(|date| date.to_string()).unwrap_or_default();
    let plain = |text: &Option<Text>| text.as_ref().map(Text::plain).unwrap_or_default();
    vec![
        item.title.clone().unwrap_or_default(),
        item.link.clone().unwrap_or_default(),
        item.id.clone().unwrap_or_default(),
        date(item.date()),
        date(item.updated),
        authors(item).unwrap_or_default(),
        joined::list(&item.categories.iter().map(|name| joined::value(name)).collect::<Vec<_>>(), 1),
        plain(&item.summary),
        plain(&item.body),
    ]
}

/// What people want to see of an item.
fn table_row(item: &Item) -> Vec<String> {
    let day = item.date().map(|date| date.without_time().to_string()).unwrap_or_default();
    // Without a title, how it begins.
    let title = match (&item.title, &item.body) {
        (Some(title), _) => title.clone(),
        (None, Some(body)) => windrow::text::excerpt(&body.plain(), 80),
        (None, None) => String::new(),
    };
    vec![day, title, item.link.clone().unwrap_or_default()]
}

fn link_row(feed: &Link) -> Vec<String> {
    vec![String::new(), feed.title.clone().unwrap_or_else(|| "(a feed)".to_owned()), feed.url.clone()]
}
