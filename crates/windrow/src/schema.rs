//! A JSON Schema as evidence: its property names, titles and descriptions are words to look for, its examples values to point at.
//!
//! Pydantic models, OpenAPI parts and hand-written schemas all come as a JSON Schema of an object. [`domain`] makes a vocabulary of it,
//! [`examples`] the fields of one record, if every property that is required shows one.
//!
//! ```
//! let schema = serde_json::json!({
//!     "title": "Tool",
//!     "type": "object",
//!     "properties": { "name": { "title": "Product name" }, "weightKg": { "type": "number" } },
//! });
//! let domain = windrow::schema::domain(&schema).unwrap();
//! assert_eq!(domain.name, "tool");
//! assert!(domain.write().contains("weight kg"));
//! ```
//!
//! Linear in the schema; references inside the schema are followed one step.

use std::fmt::Write;

use serde_json::{Map, Value};
use windrow_learn::domain::Domain;

/// Properties that a record may have; a domain may have no more roles.
const MOST: usize = 200;

/// A schema that no vocabulary can be made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotARecord(String);

impl std::fmt::Display for NotARecord {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for NotARecord {}

/// Makes a vocabulary of the properties of an object.
pub fn domain(schema: &Value) -> Result<Domain, NotARecord> {
    let title = schema.get("title").and_then(Value::as_str).unwrap_or("record");
    let mut text = format!("name = {}\n", quoted(&words(title).join("-")));
    for (name, property) in properties(schema)? {
        let property = resolved(schema, property);
        let mut keywords = vec![words(name).join(" ")];
        for more in ["title", "alias"] {
            keywords.extend(property.get(more).and_then(Value::as_str).map(|text| text.trim().to_lowercase()));
        }
        keywords.sort();
        keywords.dedup();
        keywords.retain(|keyword| !keyword.is_empty());
        let keywords: Vec<String> = keywords.iter().map(|keyword| quoted(keyword)).collect();
        let _ = write!(text, "\n[role.{}]\nkeywords = [{}]\n", key(name), keywords.join(", "));
        if let Some(description) = property.get("description").and_then(Value::as_str) {
            let line: Vec<&str> = description.split_whitespace().collect();
            let _ = writeln!(text, "description = {}", quoted(&line.join(" ")));
        }
        if is_of(property, "array") {
            text.push_str("many = true\n");
        }
        if is_of(property, "number") || is_of(property, "integer") {
            let _ = writeln!(text, "value = {}", quoted("[0-9]"));
        }
        if ["name", "title"].contains(&name.as_str()) {
            text.push_str("title = true\n");
        }
        // The names of schema.org have letters alone.
        if name.chars().all(|letter| letter.is_ascii_alphabetic()) {
            let _ = writeln!(text, "schema = [{}]", quoted(name));
        }
    }
    Domain::read(&text, &|_| None).map_err(|errors| {
        let causes: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
        NotARecord(format!("no vocabulary can be made of the schema: {}", causes.join("; ")))
    })
}

/// Returns the fields of one record with the first example of each property: none unless all required properties show one.
pub fn examples(schema: &Value) -> Result<Vec<(String, String)>, NotARecord> {
    let properties = properties(schema)?;
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut shown = Vec::new();
    for (name, property) in properties {
        let property = resolved(schema, property);
        let first = property.get("examples").and_then(|all| all.get(0)).or_else(|| property.get("example"));
        match first {
            Some(Value::Array(values)) => {
                shown.extend(values.first().and_then(text).map(|value| (format!("{name}[]"), value)));
            }
            Some(value) => shown.extend(text(value).map(|value| (name.clone(), value))),
            None if required.contains(&name.as_str()) => return Ok(Vec::new()),
            None => {}
        }
    }
    Ok(shown)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn properties(schema: &Value) -> Result<&Map<String, Value>, NotARecord> {
    let fail = |message: &str| NotARecord(message.to_owned());
    let found = schema.get("properties").and_then(Value::as_object);
    let properties = found.ok_or_else(|| fail("the schema describes no object: it has no `properties`"))?;
    match properties.len() {
        0 => Err(fail("the schema has no properties")),
        many if many > MOST => Err(fail("the schema has too many properties for a record")),
        _ => Ok(properties),
    }
}

/// A property, or what it refers to (`{"$ref": "#/$defs/Money"}`, also as the only way that is not null).
fn resolved<'s>(schema: &'s Value, property: &'s Value) -> &'s Value {
    let inner =
        property.get("anyOf").and_then(Value::as_array).and_then(|ways| ways.iter().find(|way| !is_of(way, "null")));
    let own = property.get("$ref").or_else(|| inner.and_then(|inner| inner.get("$ref"))).and_then(Value::as_str);
    own.and_then(|path| schema.pointer(path.strip_prefix('#')?)).unwrap_or(property)
}

fn is_of(property: &Value, kind: &str) -> bool {
    let is = |property: &Value| property.get("type").and_then(Value::as_str) == Some(kind);
    is(property) || property.get("anyOf").and_then(Value::as_array).is_some_and(|ways| ways.iter().any(is))
}

/// The words of a name: `weightKg` and `weight_kg` are `weight kg`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_small {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "")
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare = name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{domain, examples};

    #[test]
    fn examples_are_taken_if_all_required_properties_show_one() {
        let property = |example: &str| json!({ "examples": [example] });
        let mut schema = json!({ "properties": { "title": property("Rake"), "price": property("€ 9"), "note": {} } });
        let shown = vec![("price".to_owned(), "€ 9".to_owned()), ("title".to_owned(), "Rake".to_owned())];
        let sorted = |mut fields: Vec<(String, String)>| {
            fields.sort();
            fields
        };
        assert_eq!(sorted(examples(&schema).unwrap()), shown);
        schema["required"] = json!(["title"]);
        assert_eq!(sorted(examples(&schema).unwrap()), shown);
        schema["required"] = json!(["title", "note"]);
        assert_eq!(examples(&schema).unwrap(), []);
    }

    #[test]
    fn what_is_no_record_is_an_error() {
        for schema in [json!({ "type": "string" }), json!({ "properties": {} }), json!(3)] {
            assert!(domain(&schema).is_err() && examples(&schema).is_err());
        }
    }

    #[test]
    fn odd_names_and_texts_are_quoted() {
        let schema =
            json!({ "title": "\"A\"\n b", "properties": { "net_weight": { "description": "a \"b\"\n\\ c" } } });
        let domain = domain(&schema).unwrap();
        assert_eq!(domain.name, "a-b");
        assert!(domain.write().contains("net weight"));
    }
}
