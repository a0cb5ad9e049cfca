//! The keys of each table of a wrapper file, and hints for unknown keys.
//!
//! The schema lists the same keys for editors; a test compares the two.

use super::node::{Entry, Value};
use crate::error::nearest;
use crate::key::ONLY_LISTS;

/// A kind of table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
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

impl Place {
    /// Returns its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Place::Wrapper => "a wrapper",
            Place::Learned => "`learned`",
            Place::Follow => "`follow`",
            Place::Search => "`search`",
            Place::Field => "a field",
            Place::Group => "a group",
            Place::List => "a list",
            Place::Save => "a save",
            Place::Into => "a saved text",
            Place::Locator => "a locator",
            Place::Landmark => "a landmark",
            Place::Until => "`until`",
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
pub(crate) fn of(place: Place) -> impl Iterator<Item = &'static str> {
    let groups: &[&[&str]] = match place {
        Place::Wrapper => &[&["$schema", "name", "description", "url", "learned", "follow", "search"], SECTIONS],
        Place::Learned => &[&["by", "from", "at"]],
        Place::Follow => &[&["depth", "pages"]],
        Place::Search => &[&["url", "first", "step", "pages", "link"]],
        Place::Field => &[FIND, REFINE, RULE],
        Place::Group => &[&["at", "take"], RULE, SECTIONS],
        Place::List => &[&["records", "key"], RULE, SECTIONS],
        Place::Save => &[FIND, REFINE, &["into", "optional", "members"]],
        Place::Into => &[&["name"], FIND, REFINE, &["records", "key", "at", "take"], RULE, SECTIONS],
        Place::Locator => &[FIND, REFINE],
        Place::Landmark => &[&["start", "end", "each"]],
        Place::Until => &[&["before"]],
    };
    groups.iter().copied().flatten().copied()
}

/// Returns `true` if it is a key of locators.
pub(crate) fn is_locator(key: &str) -> bool {
    FIND.contains(&key) || REFINE.contains(&key)
}

/// Suggests a correction for a key that the table may not contain.
pub(crate) fn hint(place: Place, entry: &Entry) -> Option<String> {
    let key = &*entry.key;
    match place {
        Place::List if is_locator(key) => return Some(format!("it stands in `records`: `records = {{ {key} = … }}`")),
        Place::Group if is_locator(key) => return Some(format!("it stands in `at`: `at = {{ {key} = … }}`")),
        Place::Field if SECTIONS.contains(&key) => {
            return Some("a field is one value; what holds rules is a `group` or a `list`".to_owned());
        }
        Place::Field | Place::Group | Place::Save if key == "key" => return Some(ONLY_LISTS.to_owned()),
        Place::Locator if RULE.contains(&key) || key == "key" => {
            return Some("it stands beside the locator, not in it".to_owned());
        }
        _ => {}
    }
    if let Some(known) = nearest(key, of(place)) {
        return Some(format!("did you mean `{known}`?"));
    }
    let holds_rules = matches!(place, Place::Wrapper | Place::List | Place::Group);
    if holds_rules && matches!(entry.node.value, Value::String(_) | Value::Table(_)) {
        return Some(format!("a field stands in the section `field`: `field.{key} = …`"));
    }
    let known = of(place).filter(|key| !key.starts_with('$')).map(|key| format!("`{key}`"));
    Some(format!("there are {}", known.collect::<Vec<_>>().join(", ")))
}
