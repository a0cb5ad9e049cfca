//! Behaviour of feeds: one small feed for each format, one for each kind of damage, and properties of all inputs.

#![allow(clippy::print_stderr, reason = "a test prints its totals, and what it skips")]

mod bounds;
mod corpus;
mod damage;
mod formats;
mod properties;

use std::fmt::Write;

use windrow_feed::{Feed, Options, Text, parse};

/// Formats a feed as lines, without its absent properties.
fn outline(feed: &Feed) -> String {
    let mut out = format!("{}\n", feed.format);
    let mut line = |indent: &str, name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{indent}{name}: {}", value.replace('\n', "\\n"));
        }
    };
    let text = |text: &Option<Text>| match text {
        Some(text) => format!("[{}] {}", if text.is_html { "html" } else { "text" }, text.value),
        None => String::new(),
    };
    let plain = |value: &Option<String>| value.clone().unwrap_or_default();
    let date = |date: Option<windrow_feed::Date>| date.map(|date| date.to_string()).unwrap_or_default();
    line("", "title", &plain(&feed.title));
    line("", "link", &plain(&feed.link));
    line("", "description", &plain(&feed.description));
    line("", "language", &plain(&feed.language));
    line("", "address", &plain(&feed.address));
    line("", "next", &plain(&feed.next));
    for item in &feed.items {
        line("", "item", &item.title.clone().unwrap_or_else(|| "-".into()));
        line("  ", "link", &plain(&item.link));
        line("  ", "original link", &plain(&item.original_link));
        line("  ", "id", &plain(&item.id));
        line("  ", "published", &date(item.published));
        line("  ", "updated", &date(item.updated));
        line("  ", "created", &date(item.created));
        line("  ", "authors", &item.authors.join("; "));
        line("  ", "categories", &item.categories.join("; "));
        for enclosure in &item.enclosures {
            line("  ", "enclosure", &format!("{} {:?} {:?}", enclosure.url, enclosure.media_type, enclosure.length));
        }
        line("  ", "summary", &text(&item.summary));
        line("  ", "body", &text(&item.body));
    }
    for note in &feed.notes {
        line("", "note", &note.to_string());
    }
    out
}

/// Reads a valid feed.
#[track_caller]
fn read(bytes: impl AsRef<[u8]>) -> Feed {
    parse(bytes.as_ref(), &Options::new()).unwrap()
}
