//! JSON Feed, 1 and 1.1.
//!
//! Broken JSON is repaired where the repair is obvious: content after the first value is ignored, line breaks in
//! strings become spaces, and a feed that ends in the middle is closed at its last comma.

use serde_json::Value;

use crate::date;
use crate::error::NotAFeed;
use crate::markup::collapse;
use crate::model::{Enclosure, Feed, Format, Item, Note, Text};
use crate::uri;

/// Reads a JSON Feed.
pub(crate) fn parse(text: &str, base: &str) -> Result<Feed, NotAFeed> {
    let mut notes = Vec::new();
    let value = match first_value(text) {
        Ok(value) => value,
        Err(error) => {
            notes.push(Note::BadJson { cause: error.to_string() });
            first_value(&mended(text)).map_err(|_| NotAFeed::Json)?
        }
    };
    let version = value.get("version").and_then(Value::as_str).unwrap_or_default();
    let items = value.get("items").and_then(Value::as_array);
    let Some(items) = items.filter(|_| version.contains("jsonfeed") || value.get("feed_url").is_some()) else {
        return Err(NotAFeed::Json);
    };
    let mut dates = BadDates::default();
    let inherited = authors(&value);
    let mut feed = Feed {
        format: if version.trim_end_matches('/').ends_with("1.1") { Format::Json11 } else { Format::Json1 },
        title: line(&value, "title"),
        link: link(&value, "home_page_url", base),
        description: line(&value, "description"),
        language: line(&value, "language"),
        address: link(&value, "feed_url", base),
        next: link(&value, "next_url", base),
        ..Feed::default()
    };
    feed.items =
        items.iter().filter(|item| item.is_object()).map(|it| item(it, base, &inherited, &mut dates)).collect();
    if let Some(first) = dates.first {
        notes.push(Note::BadDates { count: dates.count, first });
    }
    feed.notes = notes;
    Ok(feed)
}

#[derive(Default)]
struct BadDates {
    count: usize,
    first: Option<String>,
}

fn item(value: &Value, base: &str, inherited: &[String], bad: &mut BadDates) -> Item {
    let mut date = |name: &str| {
        let text = value.get(name)?.as_str().filter(|text| !text.trim().is_empty())?;
        let date = date::parse(text);
        if date.is_none() {
            bad.count += 1;
            bad.first.get_or_insert_with(|| text.chars().take(60).collect());
        }
        date
    };
    let text = |name: &str, is_html: bool| {
        let value = value.get(name)?.as_str()?.trim();
        (!value.is_empty()).then(|| Text { value: value.to_owned(), is_html }.with_base(base))
    };
    let (published, updated) = (date("date_published"), date("date_modified"));
    let summary = text("summary", false);
    let mut authors = authors(value);
    if authors.is_empty() {
        authors = inherited.to_vec();
    }
    let strings =
        |name: &str| value.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let attachment = |attachment: &Value| {
        Some(Enclosure {
            url: uri::join(base, attachment.get("url")?.as_str()?),
            media_type: attachment.get("mime_type").and_then(Value::as_str).map(str::to_owned),
            length: attachment.get("size_in_bytes").and_then(Value::as_u64),
        })
    };
    let attachments = value.get("attachments").and_then(Value::as_array).into_iter().flatten();
    let id = match value.get("id") {
        Some(Value::String(id)) => Some(id.clone()).filter(|id| !id.is_empty()),
        // Invalid, but common.
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    let page = link(value, "url", base).or_else(|| link(value, "external_url", base));
    Item {
        title: line(value, "title"),
        link: page.or_else(|| id.clone().filter(|id| uri::is_web(id))),
        original_link: link(value, "external_url", base),
        id,
        published,
        updated,
        created: None,
        body: text("content_html", true).or_else(|| text("content_text", false)).or_else(|| summary.clone()),
        summary,
        authors,
        categories: strings("tags").map(collapse).filter(|tag| !tag.is_empty()).collect(),
        enclosures: attachments.filter_map(attachment).collect(),
    }
}

fn line(value: &Value, name: &str) -> Option<String> {
    let text = collapse(value.get(name)?.as_str()?);
    (!text.is_empty()).then_some(text)
}

fn link(value: &Value, name: &str, base: &str) -> Option<String> {
    let link = value.get(name)?.as_str()?.trim();
    (!link.is_empty()).then(|| uri::join(base, link))
}

/// Returns the names in `authors`, or in the `author` of version 1.
fn authors(value: &Value) -> Vec<String> {
    let several = value.get("authors").and_then(Value::as_array).into_iter().flatten();
    let name = |author: &Value| line(author, "name").or_else(|| line(author, "url"));
    several.chain(value.get("author")).filter_map(name).take(8).fold(Vec::new(), |mut names, name| {
        if !names.contains(&name) {
            names.push(name);
        }
        names
    })
}

/// Returns `true` if a text is JSON of some kind, even if only up to the point where it breaks.
pub(crate) fn is_json(text: &str) -> bool {
    text.starts_with('{') || first_value(text).is_ok()
}

/// Returns the first value of a text, ignoring everything after it.
fn first_value(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().next().unwrap_or(Ok(Value::Null))
}

/// Returns the text with the usual damage repaired, as far as possible.
fn mended(text: &str) -> String {
    let (clean, last_comma, complete) = scan(text, usize::MAX);
    if complete {
        return clean;
    }
    let Some(comma) = last_comma else { return clean };
    scan(text, comma).0
}

/// Copies the text up to `end`, without line breaks in strings and with all brackets closed. Also returns the
/// position of the last comma, and `true` if no bracket and no string was open.
fn scan(text: &str, end: usize) -> (String, Option<usize>, bool) {
    let mut out = String::with_capacity(text.len().min(end) + 16);
    let mut open = Vec::new();
    let (mut in_string, mut escaped, mut comma) = (false, false, None);
    for (at, character) in text.char_indices() {
        if at >= end {
            break;
        }
        if in_string {
            out.push(if character.is_control() { ' ' } else { character });
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                open.pop();
                // `[1, 2, ]`: valid in JavaScript.
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
            }
            ',' => comma = Some(at),
            _ => {}
        }
        out.push(character);
    }
    let complete = open.is_empty() && !in_string;
    out.extend(in_string.then_some('"'));
    out.extend(open.into_iter().rev());
    (out, comma, complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<String> {
        parse(text, "").unwrap().items.into_iter().filter_map(|item| item.title).collect()
    }

    const WHOLE: &str =
        r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"a, \"b\"","id":1},{"title":"c"}]}"#;

    #[test]
    fn a_whole_feed() {
        let feed = parse(WHOLE, "").unwrap();
        assert_eq!((feed.format, feed.notes.len()), (Format::Json11, 0));
        assert_eq!(feed.items[0].title.as_deref(), Some("a, \"b\""));
        assert_eq!(feed.items[0].id.as_deref(), Some("1"));
    }

    #[test]
    fn damage_is_mended() {
        let version = r#""version":"https://jsonfeed.org/version/1""#;
        assert_eq!(titles(&format!("{{{version},\"items\":[{{\"title\":\"a\nb\"}},]}}")), ["a b"]);
        assert_eq!(titles(&format!("{WHOLE} trailing")), ["a, \"b\"", "c"]);
    }

    #[test]
    fn a_cut_feed_keeps_what_is_before_the_cut() {
        for end in WHOLE.len() - 40..WHOLE.len() {
            match parse(&WHOLE[..end], "") {
                Ok(feed) if !feed.items.is_empty() => {
                    assert_eq!(feed.items[0].title.as_deref(), Some("a, \"b\""), "{end}");
                }
                Ok(_) | Err(NotAFeed::Json) => assert!(end < WHOLE.len() - 17, "{end}"),
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn other_json_is_no_feed() {
        for text in ["{}", "[]", "{\"items\":[]}", "{", "[[[["] {
            assert_eq!(parse(text, ""), Err(NotAFeed::Json), "{text}");
        }
    }
}
