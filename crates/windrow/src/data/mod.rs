//! An extraction as data: the objects of a set collected under their labels, in the order of the wrapper's rules.
//!
//! Every record has every label of the wrapper, with null or an empty list if the page has no value, so that rows and
//! keys are the same on every page. If there are several values for a label where one is expected, it has a list of
//! them.

pub mod json;

use std::borrow::Cow;

use windrow_wrapper::{Extraction, Object, Shape, Value};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Data<'e> {
    /// No value.
    Absent,
    /// An empty text where another type was expected.
    Null,
    /// A text that is not of its type; kept unchanged, so that nothing is lost.
    Untyped(Cow<'e, str>),
    /// A text.
    Text(Cow<'e, str>),
    /// Decimal digits, with sign and point.
    Number(String),
    /// An amount of money.
    Money {
        /// Decimal digits.
        amount: String,
        /// ISO 4217 code, if the page indicates one.
        currency: Option<&'static str>,
    },
    /// Several values.
    List(Vec<Data<'e>>),
    /// The values of a set.
    Record(Record<'e>),
}

/// The values of a set.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record<'e> {
    /// One value for each of the shapes that describe the set.
    pub values: Vec<Data<'e>>,
    /// Values of columns that only the page's own table has.
    pub columns: Vec<(&'e str, Data<'e>)>,
    /// Labels of required values that are missing.
    pub missing: Vec<&'e str>,
}

/// The form of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// According to their types.
    Typed,
    /// As visible text on one line.
    Raw,
}

/// Returns all values found on a page.
pub fn page<'e>(shapes: &[Shape], extraction: &'e Extraction, form: Form) -> Record<'e> {
    gather(shapes, extraction.objects(), extraction.missing(), form)
}

fn gather<'e>(
    shapes: &[Shape],
    objects: impl Iterator<Item = Object<'e>>,
    missing: impl Iterator<Item = &'e str>,
    form: Form,
) -> Record<'e> {
    let empty = |shape: &Shape| if shape.many { Data::List(Vec::new()) } else { Data::Absent };
    let mut record = Record { values: shapes.iter().map(empty).collect(), ..Record::default() };
    // Objects come in the order of the rules, so the next one usually belongs to the next shape, or to the same one.
    let mut at = 0;
    for object in objects {
        let label = object.label();
        let (behind, before) = (at..shapes.len(), 0..at);
        match behind.chain(before).find(|&at| shapes[at].label == label) {
            Some(found) => {
                at = found;
                let value = value(&shapes[at], object, form);
                match &mut record.values[at] {
                    Data::List(list) => list.push(value),
                    slot @ Data::Absent => *slot = value,
                    // One was expected, but no value found is dropped.
                    slot => *slot = Data::List(vec![std::mem::replace(slot, Data::Absent), value]),
                }
            }
            None => record.columns.push((label, atom(object, form))),
        }
    }
    for label in missing {
        if !record.missing.contains(&label) {
            record.missing.push(label);
        }
    }
    record
}

fn value<'e>(shape: &Shape, object: Object<'e>, form: Form) -> Data<'e> {
    if object.is_set() {
        Data::Record(gather(&shape.children, object.objects(), object.missing(), form))
    } else {
        atom(object, form)
    }
}

impl Data<'_> {
    /// Returns `true` if there is no value.
    pub fn is_absent(&self) -> bool {
        match self {
            Data::Absent => true,
            Data::List(list) => list.is_empty(),
            _ => false,
        }
    }
}

/// Returns the value of an atomic object.
pub fn atom(object: Object<'_>, form: Form) -> Data<'_> {
    if form == Form::Raw {
        return Data::Text(object.text());
    }
    match object.value() {
        Value::String(text) | Value::Html(text) => Data::Text(text),
        Value::Url(url) => Data::Text(url.into()),
        Value::Date(date) => Data::Text(date.to_string().into()),
        Value::Number(number) => Data::Number(number.to_string()),
        Value::Money(money) => Data::Money { amount: money.amount.to_string(), currency: money.currency },
        _ => match object.text() {
            text if text.is_empty() => Data::Null,
            text => Data::Untyped(text),
        },
    }
}
