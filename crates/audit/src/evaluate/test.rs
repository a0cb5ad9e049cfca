//! Tests of the values in a record and a row.
//!
//! A test of a missing value is unknown, the interval [0, 1], and so is a comparison of amounts that cannot be parsed.
//! If a field has several values, a test holds if it holds for one of them.

use std::cmp::Ordering;

use super::amount::{Amount, days};
use super::compile::{Atom, Side, Source, Test};
use crate::logic::Interval;
use crate::normal::{degree, normal};
use crate::record::{Field, Record};
use crate::reference::Reference;
use crate::rules::Operator;

/// Row that a test refers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Row<'a> {
    /// This row.
    At(&'a Reference, usize),
    /// No row matches, so equalities with the row fail.
    None,
    /// The row is unknown, because the record lacks the values to look it up.
    Unknown,
}

/// Result of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    /// Probability of the test.
    pub(super) interval: Interval,
    /// Degree of equality before the threshold is applied, if the test has one.
    pub(super) degree: Option<f64>,
}

impl Outcome {
    const UNKNOWN: Outcome = Outcome { interval: Interval::UNKNOWN, degree: None };

    fn certain(truth: bool) -> Outcome {
        Outcome { interval: if truth { Interval::TRUE } else { Interval::FALSE }, degree: None }
    }

    /// Creates the result of an equality, which counts as 0 below the threshold.
    fn degree(degree: f64, at: f64) -> Outcome {
        let counted = if degree >= at { degree } else { 0.0 };
        Outcome { interval: Interval::exactly(counted), degree: Some(degree) }
    }
}

/// Evaluates a test.
pub(super) fn test(atom: &Atom, record: &Record, row: Row<'_>) -> Outcome {
    match row {
        Row::Unknown if atom.reference.is_some() => return Outcome::UNKNOWN,
        Row::None if atom.reference.is_some() => {
            // If the record has a value, it is certain that no row has it; otherwise nothing is known.
            let known = atom.field.is_none()
                || sources(&atom.test).all(|source| match source {
                    Source::Extracted(name) => texts(source, record, row).next().is_some() || name.is_empty(),
                    _ => true,
                });
            return if known { Outcome::certain(false) } else { Outcome::UNKNOWN };
        }
        _ => {}
    }
    match &atom.test {
        Test::Missing(source) => Outcome::certain(texts(source, record, row).next().is_none()),
        Test::Equal { left, right, at } => {
            let pairs = texts(left, record, row)
                .flat_map(|left| texts(right, record, row).map(move |right| degree(left, right)));
            best(pairs, *at)
        }
        Test::In { value, list, at } => {
            let pairs = texts(value, record, row).flat_map(|value| list.iter().map(move |text| degree(value, text)));
            best(pairs, *at)
        }
        Test::Contains { value, list } => {
            let mut values = texts(value, record, row).map(normal).peekable();
            if values.peek().is_none() {
                return Outcome::UNKNOWN;
            }
            Outcome::certain(values.any(|value| list.iter().any(|part| value.contains(part.as_str()))))
        }
        Test::Amounts { left, operator, right } => {
            let rights = amounts(right, record, row);
            let orders = amounts(left, record, row)
                .into_iter()
                .flat_map(|left| rights.iter().filter_map(move |right| left.compare(*right)));
            let mut orders = orders.peekable();
            if orders.peek().is_none() {
                return Outcome::UNKNOWN;
            }
            Outcome::certain(orders.any(|order| holds(*operator, order)))
        }
    }
}

pub(super) fn sources(test: &Test) -> impl Iterator<Item = &Source> {
    let found: Vec<&Source> = match test {
        Test::Missing(source) | Test::In { value: source, .. } | Test::Contains { value: source, .. } => vec![source],
        Test::Equal { left, right, .. } => vec![left, right],
        Test::Amounts { left, right, .. } => [left, right]
            .into_iter()
            .filter_map(|one| if let Side::Value(source, ..) = one { Some(source) } else { None })
            .collect(),
    };
    found.into_iter()
}

fn best(degrees: impl Iterator<Item = f64>, at: f64) -> Outcome {
    degrees.reduce(f64::max).map_or(Outcome::UNKNOWN, |degree| Outcome::degree(degree, at))
}

fn holds(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Equal => order.is_eq(),
        Operator::NotEqual => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        Operator::GreaterOrEqual => order.is_ge(),
    }
}

/// Returns the meaningful values of a source: registers write a dash for an empty cell.
pub(super) fn texts<'a>(
    source: &'a Source,
    record: &'a Record,
    row: Row<'a>,
) -> Box<dyn Iterator<Item = &'a str> + 'a> {
    let says = |text: &&str| text.chars().any(char::is_alphanumeric) || !normal(text).is_empty();
    match source {
        Source::Extracted(name) => Box::new(record.values(name).map(|field| field.text.as_str()).filter(says)),
        Source::Column(column) => match row {
            Row::At(reference, row) => Box::new(reference.value(row, *column).into_iter().filter(says)),
            _ => Box::new(std::iter::empty()),
        },
        Source::Literal(text) => Box::new(std::iter::once(text.as_str())),
    }
}

fn amounts(side: &Side, record: &Record, row: Row<'_>) -> Vec<Amount> {
    match side {
        Side::Fixed(amount) => amount.iter().copied().collect(),
        Side::Value(Source::Extracted(name), factor, plus) => {
            record.values(name).map(|field| of_field(field).scaled(*factor, *plus)).collect()
        }
        Side::Value(source, factor, plus) => {
            texts(source, record, row).map(|text| Amount::read(text).scaled(*factor, *plus)).collect()
        }
    }
}

fn of_field(field: &Field) -> Amount {
    let read = Amount::read(&field.text);
    if field.number.is_none() && field.date.is_none() {
        return read;
    }
    let number = field.number.filter(|number| number.is_finite());
    Amount { number, day: field.date.as_deref().and_then(days).map(|day| day as f64) }
}
