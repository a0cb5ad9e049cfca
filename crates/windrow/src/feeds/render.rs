//! Items in the format that was asked for.

use crate::feed::{Feed, Item, Link, Text};
use crate::store::export::joined;

use crate::data::json::Json;
use crate::format::OutputFormat;
use crate::format::csv::{CsvFiles, CsvRow, CsvSheet};
use crate::format::printer::{Block, Printer, Room};

/// The columns of CSV, behind the page's.
const COLUMNS: [&str; 9] = ["title", "link", "id", "date", "updated", "author", "categories", "summary", "body"];

/// Writes feeds in one format.
#[derive(Debug)]
pub struct FeedRenderer {
    format: OutputFormat,
    several: bool,
    room: Room,
}

impl FeedRenderer {
    /// Creates a renderer; `several` says that there may be several feeds.
    pub fn new(format: OutputFormat, several: bool, room: Room) -> FeedRenderer {
        FeedRenderer { format, several, room }
    }

    /// The printer for this format.
    pub fn printer(&self) -> Printer {
        match self.format {
            OutputFormat::Json if self.several => Printer::json_array(),

            OutputFormat::CSV => Printer::Sheets(CsvFiles::new(vec![(columns(), false)], false)),
            OutputFormat::Table => {
                let columns = ["date", "title", "link"].map(str::to_owned).to_vec();
                Printer::table(columns, self.room)
            }
            _ => Printer::plain(),
        }
    }

    /// Renders a feed.
    pub fn feed(&self, name: &str, feed: &Feed) -> Block {
        match self.format {
            OutputFormat::Table => Block::Rows(feed.items.iter().map(table_row).collect()),
            OutputFormat::CSV => {
                let rows =
                    feed.items.iter().map(|item| CsvRow { page: name.to_owned(), parent: None, cells: cells(item) });
                Block::Sheets(vec![CsvSheet { columns: columns(), rows: rows.collect() }])
            }
            _ => self.object(|json| {
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

    /// Renders a page: its feeds, where there is a place for them.
    pub fn page(&self, name: &str, feeds: &[Link]) -> Block {
        match self.format {
            OutputFormat::Table => Block::Rows(feeds.iter().map(link_row).collect()),
            OutputFormat::CSV => Block::Sheets(Vec::new()),
            _ => self.object(|json| {
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
            (OutputFormat::Json, true) => (Json::pretty(1), "  ", ""),
            (OutputFormat::Json, false) => (Json::pretty(0), "", "\n"),
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
    let date = |date: Option<crate::feed::Date>| date.map(|date| date.to_string()).unwrap_or_default();
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

/// Returns the cells of an item for people.
fn table_row(item: &Item) -> Vec<String> {
    let day = item.date().map(|date| date.without_time().to_string()).unwrap_or_default();
    // Without a title, how it begins.
    let title = match (&item.title, &item.body) {
        (Some(title), _) => title.clone(),
        (None, Some(body)) => crate::text::excerpt(&body.plain(), 80),
        (None, None) => String::new(),
    };
    vec![day, title, item.link.clone().unwrap_or_default()]
}

fn link_row(feed: &Link) -> Vec<String> {
    vec![String::new(), feed.title.clone().unwrap_or_else(|| "(a feed)".to_owned()), feed.url.clone()]
}
