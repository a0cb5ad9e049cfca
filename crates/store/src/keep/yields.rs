//! How much of each field a page gave: what a later run is compared with.
//!
//! For each field of a list on a page: in how many records it was found, how many of those texts were of its kind, how
//! many differ, what they look like, and an example or two. A value looks like its [`shape`]: what a date or a price
//! looks like hardly changes while the values do.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value as Json, json};

use crate::data::{Layout, Value};
use crate::database::clean;
use crate::found::Found;

/// Shapes that are counted for one field of one page.
const SHAPES: usize = 8;
/// Letters of a shape.
const LONGEST: usize = 24;
/// Examples, and letters of each.
const EXAMPLES: usize = 2;
const EXAMPLE: usize = 60;

/// What became of one field.
#[derive(Debug, Default)]
struct Field {
    filled: usize,
    typed: usize,
    distinct: HashSet<u64>,
    shapes: Vec<(String, usize)>,
    others: usize,
    examples: Vec<String>,
}

/// What the records of one list on one page gave, as it is kept.
pub(super) fn of<'f>(layout: &Layout, columns: &[&str], records: impl Iterator<Item = &'f Found>) -> String {
    let mut fields: Vec<Field> = layout.columns.iter().map(|_| Field::default()).collect();
    for record in records {
        for (field, found) in fields.iter_mut().zip(&record.values) {
            let Some(text) = found.text().filter(|_| found.is_found()) else { continue };
            let text = &*clean(text);
            field.filled += 1;
            field.typed += usize::from(found.value != Value::Null);
            let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
            text.hash(&mut hash);
            field.distinct.insert(hash.finish());
            let shape = shape(text);
            match field.shapes.iter().position(|(known, _)| *known == shape) {
                Some(at) => field.shapes[at].1 += 1,
                None if field.shapes.len() < SHAPES => field.shapes.push((shape, 1)),
                None => field.others += 1,
            }
            if field.examples.len() < EXAMPLES {
                field.examples.push(text[..text.floor_char_boundary(EXAMPLE)].to_owned());
            }
        }
    }
    let mut all = Map::new();
    for (field, column) in fields.into_iter().zip(columns) {
        let shapes: Map<String, Json> = field.shapes.into_iter().map(|(shape, count)| (shape, json!(count))).collect();
        all.insert(
            (*column).to_owned(),
            json!({
                "filled": field.filled,
                "typed": field.typed,
                "distinct": field.distinct.len(),
                "shapes": shapes,
                "others": field.others,
                "examples": field.examples,
            }),
        );
    }
    Json::Object(all).to_string()
}

/// What a value looks like: letters as `a`, digits as `9`, runs of either as one, the rest as it is.
pub(crate) fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut letters = 0;
    for c in text.chars() {
        let c = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '9',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        // Words are words, however many.
        if shape.ends_with(c) || (c == 'a' && shape.ends_with("a ")) {
            continue;
        }
        if letters == LONGEST {
            shape.push('…');
            break;
        }
        letters += 1;
        shape.push(c);
    }
    while shape.ends_with(' ') {
        shape.pop();
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn shapes() {
        assert_eq!(shape("€ 1,340.00"), "€ 9,9.9");
        assert_eq!(shape("The old hay wagon"), "a");
        assert_eq!(shape("12. März 2024"), "9. a 9");
        assert_eq!(shape("3 comments"), "9 a");
        assert_eq!(shape(""), "");
    }
}
