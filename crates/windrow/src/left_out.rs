//! Texts of records that are in no field.
//!
//! A wrapper that a learner wrote may miss a part of what a reader sees in a record: a paragraph, a line without a label. Nothing else
//! tells, since the fields that are there are right. [`texts_left_out`] compares the texts inside each record with the places of its
//! values. What most records say, such as labels and the words of buttons, is not counted.
//!
//! # Cost
//!
//! Each text of the records once.

use std::collections::HashMap;

use windrow_dom::{Document, NodeId, Span};
use windrow_wrapper::{Extraction, Object};

/// Texts of records that no field holds.
#[derive(Debug, Clone, PartialEq)]
pub struct TextsLeftOut {
    /// Number of records that have such a text.
    pub records: usize,
    /// Number of all records.
    pub of: usize,
    /// Share of the records' text, by characters.
    pub share: f32,
    /// The longest of them.
    pub example: String,
}

/// Records below which a text that occurs once may be a label.
const FEWEST: usize = 3;

/// Looks for texts of an extraction's outermost records that are in none of their fields; `None` if there are none.
pub fn texts_left_out(extraction: &Extraction) -> Option<TextsLeftOut> {
    let records: Vec<Object<'_>> = extraction.objects().filter(|object| object.is_record()).collect();
    if records.len() < FEWEST {
        return None;
    }
    let document = extraction.pages().first().and_then(|page| page.built())?;
    let texts = seen_texts(document);
    // By text: the number of records that leave it out.
    let mut often: HashMap<String, usize> = HashMap::new();
    let mut left: Vec<Vec<String>> = Vec::with_capacity(records.len());
    let mut all = 0usize;
    for record in &records {
        let Some(span) = record.span() else { continue };
        let (mut values, mut said) = (Vec::new(), String::new());
        places(*record, &mut values, &mut said);
        values.sort_unstable();
        // The furthest end of the values that begin in front of each, so that one look tells whether any of them reaches a text.
        let mut reach = 0;
        let ends: Vec<u32> = values
            .iter()
            .map(|value| {
                reach = reach.max(value.1);
                reach
            })
            .collect();
        let mut own = Vec::new();
        let from = texts.partition_point(|text| text.1.start < span.start);
        for &(id, place) in texts[from..].iter().take_while(|text| text.1.start < span.end) {
            let text = document.text(id).split_whitespace().collect::<Vec<_>>().join(" ");
            if !text.contains(char::is_alphanumeric) {
                continue;
            }
            all += text.len();
            let before = values.partition_point(|value| value.0 < place.end);
            // What a field says in another place of the record is not lost.
            if (before == 0 || ends[before - 1] <= place.start) && !said.contains(&text) {
                *often.entry(text.clone()).or_default() += 1;
                own.push(text);
            }
        }
        left.push(own);
    }
    let most = records.len().div_ceil(2);
    let news = |text: &&String| often.get(*text).is_some_and(|&count| count < most);
    let told: Vec<&String> = left.iter().flatten().filter(news).collect();
    let example = told.iter().max_by_key(|text| text.len())?;
    let length: usize = told.iter().map(|text| text.len()).sum();
    Some(TextsLeftOut {
        records: left.iter().filter(|own| own.iter().any(|text| news(&text))).count(),
        of: records.len(),
        share: length as f32 / all.max(1) as f32,
        example: example.to_string(),
    })
}

/// The places of an object's values, and their texts.
fn places(object: Object<'_>, found: &mut Vec<(u32, u32)>, said: &mut String) {
    if !object.is_set() {
        found.extend(object.span().map(|span| (span.start, span.end)));
        said.push_str(&object.text().split_whitespace().collect::<Vec<_>>().join(" "));
        said.push('\n');
    }
    for inner in object.objects() {
        places(inner, found, said);
    }
}

/// The texts that a reader sees on a page with their places, in order, but for those of buttons and choices.
fn seen_texts(document: &Document) -> Vec<(NodeId, Span)> {
    let mut skip_until = NodeId::ROOT;
    let mut texts = Vec::new();
    for id in document.nodes() {
        if id < skip_until {
            continue;
        }
        let name = document.name(id).unwrap_or_default();
        if document.is_hidden(id) || matches!(name, "button" | "option" | "select" | "script" | "style" | "svg") {
            skip_until = document.subtree_end(id);
        } else if document.is_text(id)
            && let Some(span) = document.span(id)
        {
            texts.push((id, span));
        }
    }
    texts
}
