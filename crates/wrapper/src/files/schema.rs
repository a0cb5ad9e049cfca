//! The JSON Schema of wrapper files, for editors and for programs that write wrappers.
//!
//! The types here mirror the file, not the model: they exist only to be described, and their comments become the
//! descriptions in the schema. Tests compare them with the published `schema/wrapper.schema.json` and the reader's
//! keys.
#![allow(dead_code, reason = "the types are described, never made")]

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::keys;
use crate::key::FIELDS;

/// Pattern of valid rule names, as strict as a regular expression that every validator supports can be.
const NAME: &str = r#"^[^\u0000-@\[-^`{-\u007f][^\s,="'`()\[\]{}\u0000-\u001f]*$"#;

/// Returns the schema of wrapper files, as JSON Schema 2020-12. It describes TOML as well, with its times as strings.
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Wrapper>().to_value();
    without_null(&mut schema);
    // The keys that a person reads first come first.
    let mut ordered = serde_json::Map::new();
    for key in ["$schema", "title", "description"] {
        ordered.extend(schema.as_object_mut().and_then(|schema| schema.shift_remove_entry(key)));
    }
    if let Value::Object(rest) = schema {
        ordered.extend(rest);
    }
    Value::Object(ordered)
}

/// Removes `null` from the schema. `Option` stands for a key that may be left out; `null` is not a value of the
/// language.
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

/// Requires that a locator has at most one way of finding.
fn one_way(schema: &mut Schema) {
    let ways = keys::FIND.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>();
    let mut choices = ways.clone();
    choices.push(json!({ "not": { "anyOf": ways } }));
    schema.insert("oneOf".to_owned(), choices.into());
}

/// The rules for one template: the values to extract from its pages and where they stand.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, title = "Windrow wrapper")]
struct Wrapper {
    /// Address of the schema of this file; used by editors.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// Name of the wrapper.
    name: Option<String>,
    /// Description of its purpose.
    description: Option<String>,
    /// Page to start with if none is given; also the address of a saved page that stands in for it.
    url: Option<String>,
    /// Origin of the rules, if they were learned.
    learned: Option<Learned>,
    /// Limits on the pages that `get` may fetch.
    follow: Option<Follow>,
    /// Query settings, if the wrapper reads the result pages of a search engine.
    search: Option<Search>,
    #[schemars(flatten)]
    sections: Sections,
}

/// Origin of a learned wrapper.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Learned {
    /// Learning method: `discover`, `example`, `feed`, `domain` or `repair`.
    by: String,
    /// Page or pages it was learned from.
    from: Option<OneOrMore>,
    /// Date or time of learning, as RFC 3339; in TOML without quotes.
    at: Option<String>,
}

/// A text or a list of texts.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Limits on the pages that `get` may fetch.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Follow {
    /// Largest number of links followed in a row; 1 follows only the links of the first page. Default: 3.
    depth: Option<u32>,
    /// Largest number of pages fetched in total for one page that the wrapper is run on. Default: 1000.
    pages: Option<u32>,
}

/// Query settings of a search engine whose result pages the wrapper reads.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Search {
    /// Address of a page of results. `{query}` is replaced by the query, `{page}` by the page number. Without
    /// `{page}`, the link to the next page is found on the page itself.
    url: String,
    /// Value of `{page}` for the first page. Default: 1.
    first: Option<u32>,
    /// Increment of `{page}` from one page to the next: 10 if it counts results. Default: 1.
    step: Option<u32>,
    /// Number of result pages to read per query. Default: 3.
    #[schemars(range(min = 1, max = 100))]
    pages: Option<u32>,
    /// Field that holds the link to a result. Default: the field named `link`, or else the first of type `url`.
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
    /// Objects that contain others, by name.
    #[schemars(extend("propertyNames" = { "pattern": NAME }))]
    group: Option<BTreeMap<String, Group>>,
    /// Lists of records or values, by name.
    #[schemars(extend("propertyNames" = { "pattern": NAME }))]
    list: Option<BTreeMap<String, ListOrExpression>>,
}

/// An expression, or a table with more settings.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum FieldOrExpression {
    /// XPath expression or CSS selector; the syntax is detected.
    Expression(String),
    Field(Box<Field>),
}

/// A single value: the first match of its locator.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way)]
struct Field {
    #[schemars(flatten)]
    locator: LocatorKeys,
    #[schemars(flatten)]
    rule: RuleKeys,
}

/// An object that contains the values its own rules find.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Group {
    /// Place of the group. Default: the scope around it.
    at: Option<LocatorOrExpression>,
    /// Objects shown in it in addition to its own: a label, and the name of the rule that finds the value.
    take: Option<BTreeMap<String, String>>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// An expression for the members of a list of values, or a table with more settings.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum ListOrExpression {
    /// XPath expression or CSS selector; the syntax is detected.
    Expression(String),
    List(Box<List>),
}

/// A list with one object per record found; without rules, a list of values.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct List {
    /// Locator of the records.
    records: LocatorOrExpression,
    /// Fields that identify a record; records are matched by them from one run to the next.
    key: Option<Key>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// Names of fields of the list; `group.field` for a field in a group.
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
    /// Rules for the saved texts, in order.
    #[schemars(length(min = 1))]
    into: Vec<IntoOrName>,
    /// `true` if a page may lack it.
    optional: Option<bool>,
    /// Members of the list around it that it runs for. Default: all.
    members: Option<Slice>,
}

/// The use of a saved text.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum IntoOrName {
    /// Name of a field. A field whose name begins with `_` is not shown.
    Name(#[schemars(regex(pattern = NAME))] String),
    Into(Box<Into>),
    /// A pattern that takes the text apart further.
    Save(Box<Save>),
}

/// The use of a saved text: a list if `records` is given, a group if `at` or rules are given, otherwise a field.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way, extend("dependentRequired" = { "key": ["records"] }))]
struct Into {
    /// Name of the object. If it begins with `_`, the object is not shown.
    #[schemars(regex(pattern = NAME))]
    name: String,
    #[schemars(flatten)]
    locator: LocatorKeys,
    /// Locator of records in the text; makes it a list.
    records: Option<LocatorOrExpression>,
    /// Fields that identify a record, if it is a list.
    key: Option<Key>,
    /// Place in the text; makes it a group.
    at: Option<LocatorOrExpression>,
    /// Objects shown in it in addition to its own: a label, and the name of the rule that finds the value.
    take: Option<BTreeMap<String, String>>,
    #[schemars(flatten)]
    rule: RuleKeys,
    #[schemars(flatten)]
    sections: Sections,
}

/// Keys common to all kinds of rules.
#[derive(JsonSchema)]
struct RuleKeys {
    /// Type of its values. Default: `string`.
    r#type: Option<Type>,
    /// `true` if a page may lack it.
    optional: Option<bool>,
    /// Label of its objects, if it differs from the name.
    label: Option<String>,
    /// Members of the list around it that the rule runs for. Default: all.
    members: Option<Slice>,
    /// Absolute XPath at which the value was found during learning, without the indexes of records. It does not
    /// affect extraction.
    path: Option<String>,
}

/// The type of a value.
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
    /// HTML as it stands on the page.
    Html,
}

/// An expression, or a table with more settings.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum LocatorOrExpression {
    /// XPath expression or CSS selector; the syntax is detected.
    Expression(String),
    Locator(Box<Locator>),
}

/// A locator: one way of finding values, then refinements. An empty one selects the scope itself.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, transform = one_way)]
struct Locator {
    #[schemars(flatten)]
    keys: LocatorKeys,
}

#[derive(JsonSchema)]
struct LocatorKeys {
    /// XPath expression or CSS selector; the syntax is detected.
    find: Option<String>,
    /// XPath expression.
    xpath: Option<String>,
    /// CSS selector.
    css: Option<String>,
    /// Pattern over the page's source: `*` discards, `#` saves, everything else is literal.
    pattern: Option<String>,
    /// Text to split at; finds the pieces between its occurrences.
    split: Option<String>,
    /// Token rules: find the content between two of them, or from each match to the next.
    landmark: Option<Landmark>,
    /// Data rows of a table: the table at the scope, or the one found by a locator.
    table: Option<Table>,
    /// Cell of a table row: by the header of its column, or by column number from 1.
    column: Option<Column>,
    /// Alternatives; the first that finds something is used.
    #[schemars(length(min = 1))]
    case: Option<Vec<LocatorOrExpression>>,
    /// Locator of a URL; the page at that URL becomes the scope.
    get: Option<LocatorOrExpression>,
    /// Extends each match over its following siblings: up to the `next` match, or to the sibling that an expression
    /// selects.
    until: Option<Until>,
    /// Selects which matches count.
    slice: Option<Slice>,
    /// XPath expression or CSS selector: the nodes it selects inside a match are left out of the value.
    without: Option<String>,
    /// Keeps only the visible text after this label.
    after: Option<String>,
    /// Keeps only the visible text before this text.
    before: Option<String>,
    /// Keeps only the part that this regular expression matches: its first group, or the whole match.
    r#match: Option<String>,
    /// Locator evaluated in each match.
    then: Option<LocatorOrExpression>,
}

/// Token rules: tags, texts in quotes, and `*` for any number of tokens.
#[derive(JsonSchema)]
#[schemars(untagged, deny_unknown_fields)]
enum Landmark {
    /// The content between two token rules.
    Between {
        /// Tokens before the content.
        start: String,
        /// Tokens after the content. Default: the end of the scope.
        end: Option<String>,
    },
    /// From each match, including the match, to the next one.
    Each {
        /// Tokens that begin each piece.
        each: String,
    },
}

/// `true` for the scope itself, or a locator of the table.
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
    /// Header of the column; case and white space are ignored.
    Header(String),
    /// Number of the column, from 1.
    Number(#[schemars(range(min = 1))] u32),
}

/// The end of a record that extends over its following siblings.
#[derive(JsonSchema)]
#[schemars(untagged, deny_unknown_fields)]
enum Until {
    /// `next`, or an expression for the sibling before which the record ends.
    Sibling(String),
    /// The same with any expression, even one that reads `next`.
    Before {
        /// Expression for the sibling.
        before: String,
    },
}

/// Members by position: `[skip, drop]` leaves out so many at the beginning and at the end; a number selects one
/// member, counted from 0.
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
    use crate::files::keys::TableKind;

    /// The reader and the schema have the same keys.
    #[test]
    fn keys_agree() {
        let schema = schema();
        let keys_at = |pointer: &str| -> BTreeSet<String> {
            let properties = schema.pointer(pointer).and_then(Value::as_object);
            properties.unwrap_or_else(|| panic!("no {pointer}")).keys().cloned().collect()
        };
        for (place, pointers) in [
            (TableKind::Wrapper, &["/properties"][..]),
            (TableKind::Learned, &["/$defs/Learned/properties"]),
            (TableKind::Follow, &["/$defs/Follow/properties"]),
            (TableKind::Search, &["/$defs/Search/properties"]),
            (TableKind::Field, &["/$defs/Field/properties"]),
            (TableKind::Group, &["/$defs/Group/properties"]),
            (TableKind::List, &["/$defs/List/properties"]),
            (TableKind::Save, &["/$defs/Save/properties"]),
            (TableKind::Into, &["/$defs/Into/properties"]),
            (TableKind::Locator, &["/$defs/Locator/properties"]),
            (TableKind::Landmark, &["/$defs/Landmark/anyOf/0/properties", "/$defs/Landmark/anyOf/1/properties"]),
            (TableKind::Until, &["/$defs/Until/anyOf/1/properties"]),
        ] {
            let described: BTreeSet<String> = pointers.iter().flat_map(|pointer| keys_at(pointer)).collect();
            let known: BTreeSet<String> = keys::valid_keys(place).map(str::to_owned).collect();
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

    /// Every key has a description.
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
