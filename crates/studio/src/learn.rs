//! Learning from examples that the user points at.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use windrow::learn::example::{self, Not, Note};
use windrow::learn::types;
use windrow::{Document, Example, Node, NodeId, Pointed, Request, path_of};

use crate::api::{ExampleRequest, Learned};
use crate::failure::Refused;
use crate::place;
use crate::rules::Rules;
use crate::run;
use crate::state::State;

/// Largest number of fields, examples and counterexamples in one request.
const MOST: usize = 500;

/// Learns from examples.
pub(crate) fn example(state: &State, request: ExampleRequest) -> Result<Learned, Refused> {
    let began = Instant::now();
    let shown: usize = request.examples.iter().map(|example| example.fields.len()).sum();
    if shown + request.not.len() > MOST {
        return Err(Refused::unfit("studio::too_much", format!("the request has more than {MOST} places")));
    }
    // Pages with examples; the page whose table is requested tests the rules.
    let ids = request.examples.iter().map(|example| example.page).chain(request.not.iter().map(|not| not.page));
    let ids: BTreeSet<u64> = ids.chain([request.page]).collect();
    let pages = ids.iter().map(|&id| state.page(id)).collect::<Result<Vec<_>, _>>()?;
    let documents: Vec<&Document> = pages.iter().map(|open| open.page.document()).collect();
    let number = |id: u64| ids.iter().position(|&own| own == id).unwrap_or_default();
    let pointer = |page: u64, spot| place::pointer(documents[number(page)], spot);
    let mut asked = Request::default();
    for shown in &request.examples {
        let fields = shown
            .fields
            .iter()
            .map(|field| Ok(Pointed { field: field.name.clone(), at: pointer(shown.page, &field.spot)? }));
        asked
            .examples
            .push(Example { fields: fields.collect::<Result<_, Refused>>()?, page: Some(number(shown.page)) });
    }
    for not in &request.not {
        let at = pointer(not.page, &not.spot)?;
        asked.not.push(Not { field: not.field.clone(), at, page: Some(number(not.page)) });
    }
    if let Some(record) = &request.record {
        let document = documents.get(number(record.page)).copied().unwrap_or(documents[0]);
        let id = NodeId::from_index(record.node);
        if !document.contains(id) {
            return Err(Refused::unfit("studio::no_place", "the page has no element at this place"));
        }
        asked.record = Some(path_of(document, Node::node(id)));
    }
    let lesson = example::learn(&documents, &asked).map_err(|error| {
        let mut refused = Refused::of(&error, "");
        refused.failure.code = "learn::example".to_owned();
        refused
    })?;
    let question = lesson.report().question.map(|question| question.to_string());
    let mut wrapper = lesson.wrapper;
    types::assign(&mut wrapper, &pages.iter().map(|open| Arc::clone(&open.page)).collect::<Vec<_>>());
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = pages.iter().map(|open| open.info.name.clone()).collect();
    learned.at = (state.config.now)();
    if let (Some(name), [list]) = (request.name.filter(|name| !name.trim().is_empty()), &mut wrapper.rules[..]) {
        list.name = name.as_str().into();
    }
    let rules = Rules::written(&wrapper)?;
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    let result = run::run(&rules, &state.page(request.page)?.page);
    let notes = lesson.notes.iter().map(note).chain(question).collect();
    Ok(Learned { rules: rules.sent(), result, notes, micros })
}

/// Returns a note with alternative places to choose from.
fn note(note: &Note) -> String {
    match note {
        Note::Ambiguous { candidates, .. } => {
            let others = candidates.iter().skip(1).take(4).map(|candidate| candidate.path.as_str());
            format!("{note}; others: {}", others.collect::<Vec<_>>().join(", "))
        }
        _ => note.to_string(),
    }
}
