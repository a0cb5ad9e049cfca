//! Atom and RSS 2.0: turns a list into a feed, for pages that have none.
//!
//! The first records that are pushed become entries, in the given order; callers that want the newest first push them
//! in that order. The columns for title, link and so on are named by the caller or guessed (see `roles`). An entry's id
//! is its link. A record without a link, or whose link another record shares, gets a tag URI made of its page's host,
//! the day it was first seen and its number in the store, so that ids stay the same from one export to the next. The
//! publication date is the date given on the page, else the time the record was first seen. The update time is the
//! record's last change in the store, else its publication date. A date in the future, such as that of an event, does
//! not count as an update time. No clock is read: the feed's update time is that of its latest entry.
//!
//! Cost: memory for the entries only; further records are only counted.

mod atom;
mod roles;
mod rss;
mod xml;

use std::collections::HashMap;
use std::io::Write;

use jiff::{Timestamp, Zoned, tz::TimeZone};

use self::roles::Columns;
pub use self::roles::Roles;
use super::csv::text;
use super::names::Names;
use super::time::{moment, rfc3339};
use super::{ExportError, Options, list, value};
use crate::data::{Kind, Layout, Record, Value};

/// Feed formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    Atom,
    Rss,
}

/// Collects the records that become entries.
pub(super) struct Entries<W: Write> {
    flavour: Flavour,
    layout: Layout,
    options: Options,
    named: Columns,
    out: W,
    records: Vec<Record>,
    pushed: u64,
}

/// Metadata of a feed.
struct About {
    title: String,
    id: String,
    self_url: Option<String>,
    site_url: Option<String>,
    updated: Zoned,
}

/// An entry of a feed.
struct Entry {
    id: String,
    title: String,
    link: Option<String>,
    published: Zoned,
    updated: Zoned,
    author: Option<String>,
    content: Option<String>,
    is_html: bool,
    /// Base URL of links in markup.
    base: Option<String>,
    categories: Vec<String>,
}

impl<W: Write> Entries<W> {
    pub(super) fn new(flavour: Flavour, layout: &Layout, options: &Options, out: W) -> Result<Entries<W>, ExportError> {
        let named = Columns::named(layout, &options.roles)?;
        let (layout, options) = (layout.clone(), options.clone());
        Ok(Entries { flavour, layout, options, named, out, records: Vec::new(), pushed: 0 })
    }

    pub(super) fn push(&mut self, record: &Record) {
        self.pushed += 1;
        if self.records.len() < self.options.entries {
            self.records.push(record.clone());
        }
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        let columns = self.named.clone().guess(&self.layout, &self.records);
        let entries = self.entries(&columns);
        let about = self.about(&entries);
        let text = match self.flavour {
            Flavour::Atom => atom::write(&about, &entries),
            Flavour::Rss => rss::write(&about, &entries),
        };
        self.out.write_all(text.as_bytes())?;
        self.out.flush()?;
        let mut notes = vec![self.explain(&columns)];
        if self.pushed > entries.len() as u64 {
            notes.push(format!("the feed contains the first {} of {} records", entries.len(), self.pushed));
        }
        Ok(notes)
    }

    fn entries(&self, columns: &Columns) -> Vec<Entry> {
        let links: Vec<Option<&str>> = self.records.iter().map(|record| link(record, columns.link)).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        links.iter().flatten().for_each(|link| *times.entry(link).or_default() += 1);
        let mut ids = Names::default();
        let mut entries = Vec::with_capacity(self.records.len());
        for (record, link) in self.records.iter().zip(links) {
            let id = match link {
                Some(link) if times[link] == 1 => link.to_owned(),
                _ => tag(record, &self.layout.label),
            };
            let cell = |column: Option<usize>| {
                let text = text(value(record, column?)).trim().to_owned();
                (!text.is_empty()).then_some(text)
            };
            let named = || format!("{} {}", self.layout.label, record.id);
            let content = cell(columns.content).or_else(|| self.rest(columns, record));
            let categories = columns.categories.map_or(&[][..], |number| list(record, number));
            let categories = categories.iter().map(|one| text(value(one, 0)).trim().to_owned());
            let first = first_seen(record);
            let seen = moment(&record.seen).unwrap_or_else(|| first.clone());
            let date = cell(columns.date).as_deref().and_then(moment);
            let published = date.clone().unwrap_or_else(|| first.clone());
            let past = date.filter(|date| date.timestamp() <= seen.timestamp());
            let changed = record.changed.as_deref().and_then(moment);
            entries.push(Entry {
                id: ids.give(&id),
                title: cell(columns.title).or_else(|| link.map(str::to_owned)).unwrap_or_else(named),
                link: link.map(str::to_owned),
                published,
                updated: changed.or(past).unwrap_or(first),
                author: cell(columns.author),
                is_html: columns.content.is_some_and(|number| self.layout.columns[number].kind == Kind::Html)
                    && cell(columns.content).is_some(),
                content,
                base: is_address(&record.page).then(|| record.page.clone()),
                categories: categories.filter(|category| !category.is_empty()).collect(),
            });
        }
        entries
    }

    /// Returns the fields that no other part of the entry contains, in one line: `price: 340 EUR; rooms: 3`.
    fn rest(&self, columns: &Columns, record: &Record) -> Option<String> {
        let mut parts = Vec::new();
        for (number, column) in self.layout.columns.iter().enumerate() {
            if columns.leaves(number) && *value(record, number) != Value::Null && column.kind != Kind::Html {
                parts.push(format!("{}: {}", column.label, text(value(record, number))));
            }
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn about(&self, entries: &[Entry]) -> About {
        let page = self.records.first().map(|record| record.page.clone()).filter(|page| is_address(page));
        let site_url = self.options.site_url.clone().or(page);
        let id = self.options.self_url.clone().or_else(|| site_url.clone());
        let latest = entries.iter().map(|entry| &entry.updated).max_by_key(|updated| updated.timestamp());
        About {
            title: self.options.title.clone().unwrap_or_else(|| self.layout.label.clone()),
            id: id.unwrap_or_else(|| format!("tag:localhost,1970-01-01:{}", encode(&self.layout.label))),
            self_url: self.options.self_url.clone(),
            site_url,
            updated: latest.cloned().unwrap_or_else(epoch),
        }
    }

    /// Returns a note that says which column is used for which part.
    fn explain(&self, columns: &Columns) -> String {
        let roles = [
            ("title", columns.title),
            ("link", columns.link),
            ("date", columns.date),
            ("author", columns.author),
            ("content", columns.content),
        ];
        let found =
            |(role, number): (&str, Option<usize>)| Some(format!("{role} `{}`", self.layout.columns[number?].label));
        let found: Vec<String> = roles.into_iter().filter_map(found).collect();
        if found.is_empty() {
            "found no column for the title, link, date, author or content of the entries".to_owned()
        } else {
            format!("columns used for the entries: {}", found.join(", "))
        }
    }
}

/// Returns the address in a column, if it is one that a feed reader can open.
fn link(record: &Record, column: Option<usize>) -> Option<&str> {
    match value(record, column?) {
        Value::Text(text) if is_address(text) => Some(text),
        _ => None,
    }
}

/// Reports whether a text is an absolute web address.
fn is_address(text: &str) -> bool {
    let scheme = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) && text.len() > scheme.len()
    };
    (scheme("http://") || scheme("https://"))
        && !text.contains(|character: char| character.is_whitespace() || character.is_control())
}

fn epoch() -> Zoned {
    Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC)
}

fn first_seen(record: &Record) -> Zoned {
    moment(&record.first).unwrap_or_else(epoch)
}

/// Returns a tag URI (RFC 4151): the host and the day stand for the naming authority, label and number for the name.
fn tag(record: &Record, label: &str) -> String {
    let host = if is_address(&record.page) { record.page.split("//").nth(1).unwrap_or_default() } else { "localhost" };
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_lowercase();
    let day = rfc3339(&first_seen(record));
    let day = day.split('T').next().unwrap_or_default();
    format!("tag:{},{day}:{}/{}", encode(&host), encode(label), record.id)
}

/// Percent-encodes all characters except letters, digits and `-._~`.
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}
