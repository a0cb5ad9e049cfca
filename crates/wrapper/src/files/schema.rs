//! The JSON Schema of wrapper files, for editors and for programs that write them.
//!
//! The types here mirror the file, not the model: they exist to be described, and their comments become the schema's.
//! A test holds the published `schema/wrapper.schema.json` and the reader's keys to it.
#![allow(dead_code, reason = "the types are described, never made")]

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::keys;
use crate::key::FIELDS;

/// What a rule may be called, as far as a pattern that every validator reads can say it.
const NAME: &str = r#"^[^\u0000-@\[-^`{-\u007f][^\s,="'`()\[\]{}\u0000-\u001f]*$"#;

/// The schema of wrapper files, as JSON Schema 2020-12. It describes TOML as well, with its times as strings.
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Wrapper>().to_value();
    without_null(&mut schema);
    // What a person reads first stands first.
    let mut ordered = serde_json::Map::new();
    for key in ["$schema", "title", "description"] {
        ordered.extend(schema.as_object_mut().and_then(|schema| schema.shift_remove_entry(key)));
    }
    if let Value::Object(rest) = schema {
        ordered.extend(rest);
    }
    Value::Object(ordered)
}

/// `Option` stands for a key that may be left out; null is no value of the language.
fn without_null(schema: &mut Value) {
    if let Value::Array(items) = schema {
        items.iter_mut().for_each(without_null);
    }
    let Value::Object(object) = schema else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|ty| ty != "null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            object.remove("anyOf");
            object.extend(only);
        }
    }
    object.values_mut().for_each(without_null);
}

/// A locator finds in one way at most.
fn one_way(schema: &mut Schema) {
    let ways = keys::FIND.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>();
    let mut choices = ways.clone();
    choices.push(json!({ "not": { "anyOf": ways } }));
    schema.insert("oneOf".to_owned(), choices.into());
}

/// The rules for one template: what to take from its pages, and where it stands.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "Windrow wrapper")]
struct Wrapper {
    /// Where the schema of this file is; for editors.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// What the wrapper is called.
    name: Option<String>,
    /// What it is for.
    description: Option<String>,
    /// The page to begin with, if none is given; also the address of a saved page that stands in for it.
    url: Option<String>,
    /// How it was learned, if it was.
    learned: Option<Learned>,
    /// How far `get` may go.
    follow: Option<Follow>,
    /// How its pages are asked for, if they are those of a search engine.
    search: Option<Search>,
    #[schemars(flatten)]
    sections: Sections,
}

/// How a wrapper was learned.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Learned {
    /// The method: `discover`, `example`, `feed`, `domain`, `repair`.
    by: String,
    /// The page or pages it was learned from.
    from: Option<OneOrMore>,
    /// When: a date or time as RFC 3339 writes it, in TOML without quotes.
    at: Option<String>,
}

/// A text or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Bounds on the pages that `get` may ask for.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Follow {
    /// Pages on one way from the first page; 1 follows the links of the page itself. 3 if left out.
    depth: Option<u32>,
    /// Pages in all, for one page that the wrapper is run on. 1000 if left out.
    pages: Option<u32>,
}

/// How a search engine is asked, whose result pages the wrapper reads.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Search {
    /// The address of a page of results. `{query}` is what is looked for, `{page}` the number of the page; without it,
    /// where the results go on is read off the page.
    url: String,
    /// What `{page}` is for the first page. 1 if left out.
    first: Option<u32>,
    /// By how much it grows from page to page: 10, if it counts results. 1 if left out.
    step: Option<u32>,
    /// Pages of results that are read for a query. 3 if left out.
    #[schemars(range(min = 1, max = 100))]
    pages: Option<u32>,
    /// The field that leads to what was found. The one called `link`, or else the first of type `url`, if left out.
    link: Option<String>,
}

/// The rules of a scope. They run in this order: saves, fields, groups, lists.
#[derive(JsonSchema)]
struct Sections {
    /// Patterns that save several texts at once.
    save: Option<Vec<Save>>,
    /// Single values, by name.
    #[schemars(extend("propertyNames" = { "pattern": NAME }))]
    field: Option<BTreeMap<String, FieldOrExpression>>,
    /// Objects that hold others, by name.
    #[schemars(extend("propertyNames" = { "pattern": NAME }))]
    group: Option<BTreeMap<String, Group>>,
    /// Lists of records or values, by name.
    #[schemars(extend("propertyNames" = { "pattern": NAME }))]
    list: Option<BTreeMap<String, ListOrExpression>>,
}

/// An expression, or a table with more.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum FieldOrExpression {
    /// XPath or CSS, whichever it looks like.
    Expression(String),
    Field(Box<Field>),
}

/// One value: the first that its locator finds.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way)]
struct Field {
    #[schemars(flatten)]
    locator: LocatorKeys,
    #[schemars(flatten)]
    rule: RuleKeys,
}

/// One object that holds what its own rules find.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Group {
    /// Where it is; the scope around it if left out.
    at: Option<LocatorOrExpression>,
    /// Objects shown in it beside its own: a label, and the name of the rule that finds it.
    take: Option<BTreeMap<String, String>>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// An expression for the members of a list of values, or a table with more.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum ListOrExpression {
    /// XPath or CSS, whichever it looks like.
    Expression(String),
    List(Box<List>),
}

/// An object for each record that is found; without rules a value for each.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct List {
    /// Where its records are.
    records: LocatorOrExpression,
    /// The fields that tell one record from another; records are matched by them from one day to the next.
    key: Option<Key>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// The names of fields of the list; `group.field` for those of a group.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Key {
    Field(String),
    Fields(#[schemars(length(min = 1, max = FIELDS), extend("uniqueItems" = true))] Vec<String>),
}

/// A pattern that saves several texts at once.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way)]
struct Save {
    #[schemars(flatten)]
    locator: LocatorKeys,
    /// What becomes of each saved text, in order.
    #[schemars(length(min = 1))]
    into: Vec<IntoOrName>,
    /// Whether a page may lack it.
    optional: Option<bool>,
    /// For which members of the list around it runs.
    members: Option<Slice>,
}

/// What becomes of a saved text.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum IntoOrName {
    /// The name of a field. One that begins with `_` is not shown.
    Name(#[schemars(regex(pattern = NAME))] String),
    Into(Box<Into>),
    /// The text is taken apart further.
    Save(Box<Save>),
}

/// What becomes of a saved text: a list with `records`, a group with `at` or rules, else a field.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way, extend("dependentRequired" = { "key": ["records"] }))]
struct Into {
    /// What it is called. A name that begins with `_` is not shown.
    #[schemars(regex(pattern = NAME))]
    name: String,
    #[schemars(flatten)]
    locator: LocatorKeys,
    /// Where its records are in the text: makes a list of it.
    records: Option<LocatorOrExpression>,
    /// Of a list: the fields that tell one record from another.
    key: Option<Key>,
    /// Where it is in the text: makes a group of it.
    at: Option<LocatorOrExpression>,
    /// Objects shown in it beside its own: a label, and the name of the rule that finds it.
    take: Option<BTreeMap<String, String>>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// What rules of all kinds have.
#[derive(JsonSchema)]
struct RuleKeys {
    /// The type of its values; `string` if left out.
    r#type: Option<Type>,
    /// Whether a page may lack it.
    optional: Option<bool>,
    /// The label of its objects, if it is not the name.
    label: Option<String>,
    /// For which members of the list around it runs; for all if left out.
    members: Option<Slice>,
    /// The absolute XPath at which it was found when it was learned, but for the records' indexes. Nothing is found by it.
    path: Option<String>,
}

/// What a text is read as.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
enum Type {
    /// Visible text.
    String,
    /// A URL, made absolute.
    Url,
    /// A date or time, as ISO 8601.
    Date,
    /// A number.
    Number,
    /// An amount with its currency.
    Money,
    /// HTML as the page has it.
    Html,
}

/// An expression, or a table with more.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum LocatorOrExpression {
    /// XPath or CSS, whichever it looks like.
    Expression(String),
    Locator(Box<Locator>),
}

/// How values are found: one way of finding, then refinements. An empty one is the scope itself.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way)]
struct Locator {
    #[schemars(flatten)]
    keys: LocatorKeys,
}

#[derive(JsonSchema)]
struct LocatorKeys {
    /// An XPath expression or CSS selector, whichever it looks like.
    find: Option<String>,
    /// An XPath expression.
    xpath: Option<String>,
    /// A CSS selector.
    css: Option<String>,
    /// A pattern over the page's source: `*` discards, `#` saves, all else stands for itself.
    pattern: Option<String>,
    /// A text: finds the pieces between its occurrences.
    split: Option<String>,
    /// Token rules: what lies between two, or from each match to the next.
    landmark: Option<Landmark>,
    /// The data rows of a table: of the scope, or of the one found.
    table: Option<Table>,
    /// A cell of a table row: by its column's header, or by number from 1.
    column: Option<Column>,
    /// The first of these that finds something.
    #[schemars(length(min = 1))]
    case: Option<Vec<LocatorOrExpression>>,
    /// The page whose URL is found.
    get: Option<LocatorOrExpression>,
    /// Extends each match over its following siblings: up to the `next` match, or what an expression selects.
    until: Option<Until>,
    /// Which of the matches count.
    slice: Option<Slice>,
    /// XPath or CSS: what it selects inside what was found is no part of the value.
    without: Option<String>,
    /// Only what follows this label in the visible text.
    after: Option<String>,
    /// Only what precedes this text in the visible text.
    before: Option<String>,
    /// Only what this regular expression matches: its first group, or all of it.
    r#match: Option<String>,
    /// A locator that runs in what was found.
    then: Option<LocatorOrExpression>,
}

/// Token rules: tags, texts in quotes, and `*` for any number of tokens.
#[derive(JsonSchema)]
#[schemars(untagged, deny_unknown_fields)]
enum Landmark {
    /// What lies between.
    Between {
        /// The tokens in front.
        start: String,
        /// The tokens behind; the end of the scope if left out.
        end: Option<String>,
    },
    /// From each match, itself included, up to the next.
    Each {
        /// The tokens that each begins with.
        each: String,
    },
}

/// `true` for the scope itself, or where the table is.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Table {
    Here(#[schemars(extend("const" = true))] bool),
    There(LocatorOrExpression),
}

/// A column of a table.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Column {
    /// By its header, case and white space aside.
    Header(String),
    /// By position, from 1.
    Number(#[schemars(range(min = 1))] u32),
}

/// How far a record reaches over its following siblings.
#[derive(JsonSchema)]
#[schemars(untagged, deny_unknown_fields)]
enum Until {
    /// `next`, or an expression for the sibling in front of which it ends.
    Sibling(String),
    /// The same for any expression, `next` too.
    Before {
        /// An expression.
        before: String,
    },
}

/// Which members count: `[skip, drop]` leaves out so many at the beginning and the end; a number is that one alone, from 0.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum Slice {
    Range([u32; 2]),
    Index(u32),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::files::keys::Place;

    /// The reader and the schema know the same keys.
    #[test]
    fn keys_agree() {
        let schema = schema();
        let keys_at = |pointer: &str| -> BTreeSet<String> {
            let properties = schema.pointer(pointer).and_then(Value::as_object);
            properties.unwrap_or_else(|| panic!("no {pointer}")).keys().cloned().collect()
        };
        for (place, pointers) in [
            (Place::Wrapper, &["/properties"][..]),
            (Place::Learned, &["/$defs/Learned/properties"]),
            (Place::Follow, &["/$defs/Follow/properties"]),
            (Place::Search, &["/$defs/Search/properties"]),
            (Place::Field, &["/$defs/Field/properties"]),
            (Place::Group, &["/$defs/Group/properties"]),
            (Place::List, &["/$defs/List/properties"]),
            (Place::Save, &["/$defs/Save/properties"]),
            (Place::Into, &["/$defs/Into/properties"]),
            (Place::Locator, &["/$defs/Locator/properties"]),
            (Place::Landmark, &["/$defs/Landmark/anyOf/0/properties", "/$defs/Landmark/anyOf/1/properties"]),
            (Place::Until, &["/$defs/Until/anyOf/1/properties"]),
        ] {
            let described: BTreeSet<String> = pointers.iter().flat_map(|pointer| keys_at(pointer)).collect();
            let known: BTreeSet<String> = keys::of(place).map(str::to_owned).collect();
            assert_eq!(described, known, "{place:?}");
        }
    }

    #[test]
    fn types_agree() {
        let schema = schema();
        let choices = schema.pointer("/$defs/Type/oneOf").and_then(Value::as_array).expect("a choice of types");
        let described: Vec<&str> = choices.iter().filter_map(|choice| choice.get("const")?.as_str()).collect();
        assert_eq!(described, crate::values::Type::ALL.map(crate::values::Type::name));
    }

    /// Every key says what it is for.
    #[test]
    fn all_is_described() {
        fn walk(schema: &Value, path: &str) {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                for (key, property) in properties {
                    assert!(property.get("description").is_some(), "{path}/{key}");
                }
            }
            if let Value::Object(object) = schema {
                object.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}")));
            }
            if let Value::Array(items) = schema {
                items.iter().for_each(|item| walk(item, path));
            }
        }
        walk(&schema(), "");
    }
}
