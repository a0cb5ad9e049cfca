//! The keys of each table of a wrapper file, and hints for unknown keys.
//!
//! The schema lists the same keys for editors; a test compares the two.

use super::node::{Entry, Value};
use crate::error::nearest;
use crate::key::ONLY_LISTS;

/// A kind of table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    Wrapper,
    Learned,
    Follow,
    Search,
    Field,
    Group,
    List,
    Save,
    Into,
    Locator,
    Landmark,
    Until,
}

impl TableKind {
    /// Returns its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TableKind::Wrapper => "a wrapper",
            TableKind::Learned => "`learned`",
            TableKind::Follow => "`follow`",
            TableKind::Search => "`search`",
            TableKind::Field => "a field",
            TableKind::Group => "a group",
            TableKind::List => "a list",
            TableKind::Save => "a save",
            TableKind::Into => "a saved text",
            TableKind::Locator => "a locator",
            TableKind::Landmark => "a landmark",
            TableKind::Until => "`until`",
        }
    }
}

/// Keys that find something: a locator has at most one of them.
pub(crate) const FIND: &[&str] =
    &["find", "xpath", "css", "pattern", "split", "landmark", "table", "column", "case", "get"];

/// Keys that narrow or extend the matches.
const REFINE: &[&str] = &["until", "slice", "without", "after", "before", "match", "then"];

const RULE: &[&str] = &["type", "optional", "label", "members", "path"];

const SECTIONS: &[&str] = &["save", "field", "group", "list"];

/// Returns the keys that a table may contain.
pub(crate) fn valid_keys(kind: TableKind) -> impl Iterator<Item = &'static str> {
    let groups: &[&[&str]] = match kind {
        TableKind::Wrapper => &[&["$schema", "name", "description", "url", "learned", "follow", "search"], SECTIONS],
        TableKind::Learned => &[&["by", "from", "at"]],
        TableKind::Follow => &[&["depth", "pages"]],
        TableKind::Search => &[&["url", "first", "step", "pages", "link"]],
        TableKind::Field => &[FIND, REFINE, RULE],
        TableKind::Group => &[&["at", "take"], RULE, SECTIONS],
        TableKind::List => &[&["records", "key"], RULE, SECTIONS],
        TableKind::Save => &[FIND, REFINE, &["into", "optional", "members"]],
        TableKind::Into => &[&["name"], FIND, REFINE, &["records", "key", "at", "take"], RULE, SECTIONS],
        TableKind::Locator => &[FIND, REFINE],
        TableKind::Landmark => &[&["start", "end", "each"]],
        TableKind::Until => &[&["before"]],
    };
    groups.iter().copied().flatten().copied()
}

/// Returns `true` if it is a key of locators.
pub(crate) fn is_locator(key: &str) -> bool {
    FIND.contains(&key) || REFINE.contains(&key)
}

/// Suggests a correction for a key that the table may not contain.
pub(crate) fn hint(place: TableKind, entry: &Entry) -> Option<String> {
    let key = &*entry.key;
    match place {
        TableKind::List if is_locator(key) => {
            return Some(format!("it belongs in `records`: `records = {{ {key} = … }}`"));
        }
        TableKind::Group if is_locator(key) => return Some(format!("it belongs in `at`: `at = {{ {key} = … }}`")),
        TableKind::Field if SECTIONS.contains(&key) => {
            return Some("a field is a single value; rules belong in a `group` or a `list`".to_owned());
        }
        TableKind::Field | TableKind::Group | TableKind::Save if key == "key" => return Some(ONLY_LISTS.to_owned()),
        TableKind::Locator if RULE.contains(&key) || key == "key" => {
            return Some("it belongs next to the locator, not inside it".to_owned());
        }
        _ => {}
    }
    if let Some(known) = nearest(key, valid_keys(place)) {
        return Some(format!("did you mean `{known}`?"));
    }
    let holds_rules = matches!(place, TableKind::Wrapper | TableKind::List | TableKind::Group);
    if holds_rules && matches!(entry.node.value, Value::String(_) | Value::Table(_)) {
        return Some(format!("a field belongs in the section `field`: `field.{key} = …`"));
    }
    let known = valid_keys(place).filter(|key| !key.starts_with('$')).map(|key| format!("`{key}`"));
    Some(format!("the valid keys are {}", known.collect::<Vec<_>>().join(", ")))
}
