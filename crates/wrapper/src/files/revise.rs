//! Changes a TOML file as little as possible: puts the values of a new file in the places of the old one.
//!
//! Both trees are walked in parallel. A key with the same value in both is not touched, so its layout and comments
//! stay; a different value replaces the old one; other keys are removed or added. Linear in the files, which are
//! bounded, as is their depth.

use toml_edit::{DocumentMut, Item, TableLike, Value};

/// Returns the old text with the new values; `None` if either text is not TOML.
pub(super) fn toml(old: &str, new: &str) -> Option<String> {
    let mut document: DocumentMut = old.parse().ok()?;
    let new: DocumentMut = new.parse().ok()?;
    merge(document.as_table_mut(), new.as_table());
    Some(document.to_string())
}

fn merge(old: &mut dyn TableLike, new: &dyn TableLike) {
    let gone: Vec<String> = old.iter().map(|(key, _)| key.to_owned()).filter(|key| !new.contains_key(key)).collect();
    gone.iter().for_each(|key| drop(old.remove(key)));
    for (key, item) in new.iter() {
        match old.get_mut(key) {
            Some(mine) => replace(mine, item),
            // A table with a header of its own could end up between another table's keys; an inline table cannot.
            None => {
                if let Ok(value) = item.clone().into_value() {
                    old.insert(key, Item::Value(value));
                }
            }
        }
    }
}

fn replace(old: &mut Item, new: &Item) {
    if same(old, new) {
        return;
    }
    // An inline table has no layout to lose but spaces: if keys are added, the new order is used.
    let comes = |old: &dyn TableLike, new: &dyn TableLike| new.iter().any(|(key, _)| !old.contains_key(key));
    let anew =
        old.is_inline_table() && old.as_table_like().zip(new.as_table_like()).is_some_and(|(old, new)| comes(old, new));
    if let (Some(table), Some(new), false) = (old.as_table_like_mut(), new.as_table_like(), anew) {
        merge(table, new);
        if let Some(inline) = old.as_inline_table_mut() {
            inline.fmt();
        }
        return;
    }
    if let (Some(tables), Some(new)) = (old.as_array_of_tables_mut(), new.as_array_of_tables())
        && tables.len() == new.len()
    {
        tables.iter_mut().zip(new).for_each(|(table, new)| merge(table, new));
        return;
    }
    let Ok(mut value) = new.clone().into_value() else { return };
    if let Some(old) = old.as_value() {
        *value.decor_mut() = old.decor().clone();
    }
    *old = Item::Value(value);
}

/// Returns `true` if two items have the same value, however they are laid out.
fn same(one: &Item, other: &Item) -> bool {
    match (one.as_table_like(), other.as_table_like(), one, other) {
        (Some(one), Some(other), ..) => {
            one.len() == other.len()
                && one.iter().all(|(key, item)| other.get(key).is_some_and(|other| same(item, other)))
        }
        (None, None, Item::Value(one), Item::Value(other)) => same_value(one, other),
        (None, None, Item::ArrayOfTables(one), Item::ArrayOfTables(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| same(&Item::Table(one.clone()), &Item::Table(other.clone())))
        }
        _ => false,
    }
}

fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.value() == other.value(),
        (Value::Integer(one), Value::Integer(other)) => one.value() == other.value(),
        (Value::Float(one), Value::Float(other)) => one.value() == other.value(),
        (Value::Boolean(one), Value::Boolean(other)) => one.value() == other.value(),
        (Value::Datetime(one), Value::Datetime(other)) => one.value() == other.value(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_value(one, other))
        }
        (Value::InlineTable(one), Value::InlineTable(other)) => {
            same(&Item::Value(Value::InlineTable(one.clone())), &Item::Value(Value::InlineTable(other.clone())))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, read, revise};

    const OLD: &str = r##"# The ads of the barn.
name = "ads"

[list.ads] # all of them
records = "li.ad"

[list.ads.field]
title = "h2/a"         # the heading
price = { css = ".price", type = "money" }
"##;

    fn revised(change: impl FnOnce(&str) -> String) -> String {
        let wrapper = read(&change(OLD), Format::Toml).unwrap();
        revise(OLD, Format::Toml, &wrapper).unwrap()
    }

    #[test]
    fn what_is_the_same_stays_as_it_is() {
        assert_eq!(revised(str::to_owned), OLD);
    }

    #[test]
    fn only_what_changed_changes() {
        let new =
            revised(|old| old.replace("h2/a", "h3/a").replace("\"li.ad\"", "{ css = \"div.ad\", until = \"next\" }"));
        let expected = OLD
            .replace("\"li.ad\"", "{ css = \"div.ad\", until = \"next\" }")
            .replace("title = \"h2/a\"         # the heading", "title = \"h3/a\"         # the heading");
        assert_eq!(new, expected);
    }

    #[test]
    fn keys_come_and_go() {
        let new = revised(|old| {
            let gone = old.replace("title = \"h2/a\"         # the heading\n", "");
            gone.replace("name = \"ads\"\n", "name = \"ads\"\nurl = \"https://barn.example/\"\n")
        });
        assert!(new.starts_with("# The ads of the barn.\nname = \"ads\"\nurl = \"https://barn.example/\"\n"), "{new}");
        assert!(!new.contains("title"), "{new}");
        assert!(new.contains("[list.ads] # all of them\n"), "{new}");
    }

    #[test]
    fn what_saves_stay_where_they_are() {
        let old = "[[save]] # both\npattern = \"<b>#</b> (#)\"\ninto = [\"title\", \"price\"]\n";
        let wrapper = read(&old.replace("price", "cost"), Format::Toml).unwrap();
        assert_eq!(revise(old, Format::Toml, &wrapper).unwrap(), old.replace("price", "cost"));
    }

    #[test]
    fn a_table_on_one_line_is_spaced_again() {
        let new = revised(|old| old.replace("type = \"money\"", "type = \"money\", optional = true"));
        let expected = OLD.replace("type = \"money\"", "type = \"money\", optional = true");
        assert_eq!(new, expected);
    }
}
