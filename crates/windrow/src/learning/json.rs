//! The report of `learn --example` for programs.

use crate::data::json::Json;
use crate::learn::example::{Candidate, Note, Question, Report};

use super::LessonSummary;

/// Returns what the rules find, what was left out, and what is doubtful, as one object. `wrapper`: its text, if it is not in a file.
pub fn report(summary: &LessonSummary, report: &Report, notes: &[Note], wrapper: Option<&str>) -> String {
    let mut json = Json::pretty(0);
    json.object(|json| {
        number(json, "records", summary.records());
        json.key("fields");
        json.array(|json| {
            for (name, values, first) in summary.fields() {
                json.element();
                json.object(|json| field(json, report, &name, values, first));
            }
        });
        json.key("left_out");
        match &report.left_out {
            None => json.literal("null"),
            Some(left) => json.object(|json| {
                number(json, "count", left.count);
                json.key("first");
                place(json, &left.first);
                texts(json, "lacks", left.lacks.iter().cloned());
            }),
        }
        json.key("question");
        match &report.question {
            None => json.literal("null"),
            Some(asked) => json.object(|json| question(json, asked)),
        }
        texts(json, "notes", notes.iter().map(ToString::to_string));
        if let Some(wrapper) = wrapper {
            json.key("wrapper");
            json.text(wrapper);
        }
    });
    json.finish() + "\n"
}

fn field(json: &mut Json, report: &Report, name: &str, values: usize, first: Option<&str>) {
    json.key("name");
    json.text(name);
    number(json, "values", values);
    json.key("first");
    match first {
        Some(first) => json.text(first),
        None => json.literal("null"),
    }
    let own = report.fields.iter().find(|field| field.name == name);
    json.key("positional");
    json.literal(if own.is_some_and(|field| field.positional) { "true" } else { "false" });
    json.key("other_kind");
    match own.and_then(|field| field.other_kind.as_ref()) {
        None => json.literal("null"),
        Some((count, value)) => json.object(|json| {
            number(json, "count", *count);
            json.key("first");
            json.text(value);
        }),
    }
}

fn question(json: &mut Json, question: &Question) {
    json.key("text");
    json.text(&question.to_string());
    json.key("about");
    json.text(if matches!(question, Question::IsRecord { .. }) { "record" } else { "field" });
    json.key("field");
    match question {
        Question::Field { field, .. } => json.text(field),
        _ => json.literal("null"),
    }
    json.key("at");
    place(json, question.at());
}

fn texts(json: &mut Json, key: &str, texts: impl Iterator<Item = String>) {
    json.key(key);
    json.array(|json| {
        for text in texts {
            json.element();
            json.text(&text);
        }
    });
}

fn number(json: &mut Json, key: &str, number: usize) {
    json.key(key);
    json.literal(&number.to_string());
}

fn place(json: &mut Json, candidate: &Candidate) {
    json.object(|json| {
        json.key("path");
        json.text(&candidate.path);
        json.key("text");
        json.text(&candidate.text);
    });
}
