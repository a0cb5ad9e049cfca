//! Pages, tables and wrappers as HTML, for notebooks.
//!
//! All text comes from pages, so all of it is escaped, and nothing but a few elements without attributes from pages is written.

use std::fmt::Write;

use windrow::rows::Rows;
use windrow::store::{Found, FoundValue};

/// Rows of a table that are shown.
const MOST_ROWS: usize = 20;
/// Characters of a value that are shown.
const MOST_LETTERS: usize = 120;

/// Escapes a text for HTML, cut to the length that is shown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len().min(MOST_LETTERS * 4));
    for (number, letter) in text.chars().enumerate() {
        match letter {
            _ if number == MOST_LETTERS => {
                escaped.push('…');
                break;
            }
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A list of warnings.
pub(crate) fn warnings(warnings: &[String]) -> String {
    let items: String = warnings.iter().map(|warning| format!("<li>⚠ {}</li>", escaped(warning))).collect();
    if items.is_empty() { items } else { format!("<ul>{items}</ul>") }
}

/// A table: its first rows, each value with its place as a tooltip.
pub(crate) fn table(rows: &Rows, found: &[(String, Found)], doubts: &[String]) -> String {
    let layout = rows.layout();
    let mut html = String::from("<table><thead><tr>");
    let heads = layout.columns.iter().map(|column| &column.label).chain(layout.lists.iter().map(|list| &list.label));
    for head in heads {
        let _ = write!(html, "<th>{}</th>", escaped(head));
    }
    html.push_str("</tr></thead><tbody>");
    for (page, row) in found.iter().take(MOST_ROWS) {
        html.push_str("<tr>");
        for number in 0..layout.columns.len() {
            html.push_str(&cell(page, row.values.get(number)));
        }
        for list in &row.lists {
            let values: Vec<&str> =
                list.iter().flat_map(|member| member.values.iter().filter_map(FoundValue::text)).collect();
            let _ = write!(html, "<td>{}</td>", escaped(&values.join("; ")));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    if found.len() > MOST_ROWS {
        let _ = write!(html, "<p>{MOST_ROWS} of {} rows</p>", found.len());
    }
    html + &warnings(doubts)
}

fn cell(page: &str, value: Option<&FoundValue>) -> String {
    let Some(value) = value.filter(|value| value.is_found()) else { return "<td></td>".to_owned() };
    let path = value.place.as_ref().map_or("", |place| place.path.as_str());
    format!("<td title=\"{} {}\">{}</td>", escaped(page), escaped(path), escaped(value.text().unwrap_or_default()))
}

/// A wrapper: its rules as they are written, and what to know about them.
pub(crate) fn wrapper(toml: &str, doubts: &[String]) -> String {
    let rules: String = toml.lines().map(|line| escaped(line) + "\n").collect();
    format!("<pre>{rules}</pre>{}", warnings(doubts))
}

/// A page: its title and address, and the beginning of its text.
pub(crate) fn page(name: &str, text: &str) -> String {
    format!("<p><b>{}</b></p><p>{}</p>", escaped(name), escaped(text))
}
