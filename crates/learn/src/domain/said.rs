//! Structured data as evidence: what the page tells machines about the record, where people are not told, and whether it
//! is the same where they are.
//!
//! A role is found by the ways that the domain gives (`schema = ["offers.price"]`), or by a property that is called like
//! one of its keywords (`streetAddress` for `street address`). Of several things that a page tells of, the record is the
//! one with the most roles.

use windrow_dom::Document;
use windrow_wrapper::values::Type;

use super::lexicon::{Lexicon, words_of};
use super::sheet::fold_into;
use super::words::Domain;
use super::{Clues, Conflict, Evidence, Pair, Record, Value};
use crate::structured::{Item, Structured, Syntax};

/// How sure a value is that only machines are told.
const CONFIDENCE: f32 = 0.6;
/// Below this, a value that people see is a guess.
const GUESS: f32 = 0.4;
/// Roles of a thing that only machines are told of.
const LEAST: usize = 2;
/// Values of one role.
const MOST: usize = 200;
/// Names by which every page speaks of itself.
const OF_PAGES: [&str; 10] =
    ["title", "type", "url", "image", "description", "site name", "locale", "name", "card", "updated time"];

/// Parts of a thing whose properties are its own.
const PARTS: [&str; 2] = ["offers", "aggregateRating"];

/// What structured data says of a role.
struct Told {
    role: usize,
    values: Vec<Value>,
    syntax: Syntax,
}

/// Adds what is only told, and reports what is told otherwise.
pub(super) fn weigh(
    document: &Document,
    domain: &Domain,
    lexicon: &Lexicon,
    structured: &Structured,
    pairs: &mut Vec<Pair>,
) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for told in told(document, domain, lexicon, structured) {
        match pairs.iter_mut().find(|pair| pair.role == Some(told.role)) {
            Some(pair) => {
                let agrees =
                    pair.values.iter().any(|seen| told.values.iter().any(|said| is_same(&seen.text, &said.text)));
                pair.clues.agrees = Some(agrees);
                if agrees {
                    pair.confidence = (pair.confidence + 0.2).min(1.0);
                } else if let (Some(seen), Some(said)) = (pair.values.first(), told.values.first()) {
                    let (seen, said) = (seen.text.clone(), said.text.clone());
                    conflicts.push(Conflict { role: told.role, seen, said, syntax: told.syntax });
                    // A guess gives way to what the page tells machines.
                    if pair.confidence < GUESS {
                        *pair = structured_pair(told);
                    }
                }
            }
            None => pairs.push(structured_pair(told)),
        }
    }
    conflicts
}

fn structured_pair(told: Told) -> Pair {
    Pair {
        role: Some(told.role),
        label: None,
        values: told.values,
        evidence: Evidence::Said(told.syntax),
        confidence: CONFIDENCE,
        clues: Clues::default(),
        inner: Vec::new(),
    }
}

/// The record of a page that tells machines alone: of one thing, at least two roles.
pub(super) fn record(
    document: &Document,
    domain: &Domain,
    lexicon: &Lexicon,
    structured: &Structured,
) -> Option<Record> {
    let things = structured.top().filter(|item| item.syntax != Syntax::Meta);
    let mut things = things.filter(|item| of_item(document, domain, lexicon, structured, item).len() >= LEAST);
    let (thing, None) = (things.next()?, things.next()) else { return None };
    let mut pairs = Vec::new();
    weigh(document, domain, lexicon, structured, &mut pairs);
    Some(Record { node: thing.node, entropy: 0.0, pairs })
}

/// What is said of each role by the item that says most, and of the others by the rest.
fn told(document: &Document, domain: &Domain, lexicon: &Lexicon, structured: &Structured) -> Vec<Told> {
    let mut items: Vec<Vec<Told>> =
        structured.top().map(|item| of_item(document, domain, lexicon, structured, item)).collect();
    items.sort_by_key(|told| std::cmp::Reverse(told.len()));
    let mut all: Vec<Told> = Vec::new();
    // The thing itself, and what the head of the page says of it.
    let is_meta = |told: &[Told]| told.iter().all(|told| told.syntax == Syntax::Meta);
    let main = items.iter().position(|told| !told.is_empty() && !is_meta(told));
    let chosen: Vec<Vec<Told>> = items
        .into_iter()
        .enumerate()
        .filter(|(at, told)| Some(*at) == main || is_meta(told))
        .map(|(_, told)| told)
        .collect();
    for told in chosen.into_iter().flatten() {
        if !all.iter().any(|known| known.role == told.role) {
            all.push(told);
        }
    }
    all.sort_by_key(|told| told.role);
    all
}

fn of_item(document: &Document, domain: &Domain, lexicon: &Lexicon, structured: &Structured, item: &Item) -> Vec<Told> {
    let mut all: Vec<Told> = Vec::new();
    let add = |all: &mut Vec<Told>, role: usize, values: Vec<Value>| {
        if !values.is_empty() && !all.iter().any(|known| known.role == role) {
            all.push(Told { role, values, syntax: item.syntax });
        }
    };
    let values = |way: &str, ty: Type| -> Vec<Value> {
        let found = item.find(&structured.items, way).into_iter().take(MOST);
        let mut values: Vec<Value> = Vec::new();
        for (text, node) in found {
            // Where a thing is told of is not what it is called.
            if ty != Type::Url && (text.starts_with("http://") || text.starts_with("https://")) {
                continue;
            }
            let node = node.unwrap_or(item.node);
            if !text.trim().is_empty() && document.contains(node) && !values.iter().any(|known| known.text == text) {
                values.push(Value { text: text.to_owned(), node, part: None });
            }
        }
        values
    };
    for (number, role) in domain.roles.iter().enumerate().filter(|(_, role)| role.within.is_none()) {
        if let Some(values) = role.schema.iter().map(|way| values(way, role.ty)).find(|values| !values.is_empty()) {
            add(&mut all, number, values);
        }
    }
    for property in &item.properties {
        let bare = property.name.rsplit([':', '/', '#']).next().unwrap_or_default();
        let word = words_of(bare).join(" ");
        if item.syntax == Syntax::Meta && OF_PAGES.contains(&word.as_str()) {
            continue;
        }
        if let Some(role) = lexicon.role(&word).filter(|&role| domain.roles[role as usize].within.is_none()) {
            add(&mut all, role as usize, values(&property.name, domain.roles[role as usize].ty));
        }
    }
    // What a thing is called has no label, and its price is told of an offer.
    let title = domain.title().filter(|&role| item.syntax != Syntax::Meta && domain.roles[role].schema.is_empty());
    if let Some(role) = title.filter(|_| !all.is_empty()) {
        add(&mut all, role, values("name", domain.roles[role].ty));
    }
    for property in PARTS.iter().flat_map(|part| item.named(part)) {
        let crate::structured::Value::Item(part) = &property.value else { continue };
        let Some(part) = structured.items.get(part.index()) else { continue };
        for inner in part.properties.iter().take(MOST) {
            let word = words_of(&inner.name).join(" ");
            if let Some(role) = lexicon.role(&word).filter(|&role| domain.roles[role as usize].within.is_none()) {
                let way = format!("{}.{}", property.name, inner.name);
                add(&mut all, role as usize, values(&way, domain.roles[role as usize].ty));
            }
        }
    }
    all
}

/// Whether two texts say the same: the same numbers if one has nothing else, or words of which the ones are among the
/// others, in their order.
pub(super) fn is_same(seen: &str, said: &str) -> bool {
    let (one, two) = (words(seen), words(said));
    if one.is_empty() || two.is_empty() {
        return one == two;
    }
    // 1.299,00 and 1299.00
    if let (Some(one), Some(two)) = (number(seen), number(said)) {
        return one == two;
    }
    let (short, long) = if one.len() <= two.len() { (&one, &two) } else { (&two, &one) };
    // A date that is written another way has the same numbers in another order.
    long.windows(short.len()).any(|part| part == &short[..])
        || one.concat() == two.concat()
        || short.len() >= 3 && short.iter().all(|word| long.contains(word))
}

fn words(text: &str) -> Vec<String> {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The one number that a text has, its decimals without zeros at the end.
fn number(text: &str) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let digits = &text[start..end];
    if !digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{A0}' | '\'')) {
        return None;
    }
    // The last sign tells decimals if it is not followed by three digits.
    let point = digits.rfind(['.', ',']).filter(|at| digits.len() - at - 1 != 3);
    let (whole, decimals) = match point {
        Some(at) => (&digits[..at], digits[at + 1..].trim_end_matches('0')),
        None => (digits, ""),
    };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    Some(format!("{}.{decimals}", whole.trim_start_matches('0')))
}
