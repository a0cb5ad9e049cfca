//! `windrow learn --example`: a wrapper from the fields of one record.

use miette::Report;
use windrow::Document;
use windrow::learn::example::{self, Example, Lesson, Not, Note, Pointed, Request, Shape};
use windrow::learn::types;

use super::destination::Destination;
use super::pointing::Argument;
use super::summary::Summary;
use super::{LearnError, ask, compile, complaint, json, one, read, shared, wrong_rules};
use crate::args::{LearnArguments, LearnFormat};
use crate::clock::now;
use crate::run::tell;
use crate::{fmt, pages};

/// Candidates that a note lists.
const MOST_CANDIDATES: usize = 5;

/// Learns, and tells what was learned.
pub(super) fn learn(arguments: &LearnArguments) -> Result<(), Vec<Report>> {
    let destination = Destination::new(arguments).map_err(one)?;
    let (mut request, shown) = request(arguments).map_err(one)?;
    if request.examples.is_empty() {
        return Err(one(complaint::report(example::Error::NoExample, &shown, 0)));
    }
    let opener = pages::opener(&arguments.reading).map_err(one)?;
    let pages = shared(read(&arguments.pages, &opener, &arguments.reading)?);
    let documents: Vec<&Document> = pages.iter().map(|page| page.document()).collect();
    let lesson = example::learn(&documents, &request);
    let lesson = lesson.map_err(|error| one(complaint::report(error, &shown, pages.len())))?;
    let lesson = match ask::is_possible(arguments) {
        true => ask::what_is_meant(&documents, &mut request, lesson, &mut std::io::stdin().lock()),
        false => lesson,
    };
    let report = lesson.report();
    let Lesson { mut wrapper, notes, labels } = lesson;
    types::assign(&mut wrapper, &pages);
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = arguments.pages.clone();
    learned.at = now();
    let (text, extractor) = compile(&wrapper, &destination, &arguments.pages)?;
    let summary = Summary::new(&extractor, &pages, &request.not);
    if summary.is_empty() {
        return Err(wrong_rules(&arguments.pages, "they find nothing"));
    }
    if arguments.format == LearnFormat::Json {
        let is_printed = destination.is_standard();
        if !is_printed {
            destination.write(&text).map_err(one)?;
        }
        let report = json::report(&summary, &report, &notes, Some(text.as_str()).filter(|_| is_printed));
        return fmt::print(&report).map_err(|cause| one(LearnError::Unprintable { cause }));
    }
    destination.write(&text).map_err(one)?;
    if !arguments.reading.quiet {
        tell(&format!("{}: {}", destination.told(), summary.counts()));
        summary.lines().iter().for_each(|line| tell(line));
        notes.iter().flat_map(note_lines).for_each(|line| tell(&line));
        summary.missed(&labels).iter().for_each(|line| tell(line));
        if let Some(question) = &report.question {
            tell(&format!("question: {question}"));
        }
    }
    Ok(())
}

/// What the command line shows, and the arguments that show it.
fn request(arguments: &LearnArguments) -> Result<(Request, Vec<Argument>), Report> {
    let mut shown = arguments.examples.iter().map(|text| Argument::example(text)).collect::<Result<Vec<_>, _>>()?;
    let mut examples: Vec<Example> = Vec::new();
    for argument in &shown {
        let pointed = Pointed { field: argument.field.clone().unwrap_or_default(), at: argument.at.clone() };
        let is_new = |example: &Example| example.fields.iter().all(|other| other.field != pointed.field);
        match examples.last_mut() {
            Some(example) if is_new(example) => example.fields.push(pointed),
            _ => examples.push(Example { fields: vec![pointed], page: None }),
        }
    }
    let not = arguments.not.iter().map(|text| Argument::not(text, &shown)).collect::<Result<Vec<_>, _>>()?;
    let record = arguments.node.as_deref().map(Argument::record).transpose()?;
    let shape = match (arguments.list, arguments.page) {
        (true, _) => Shape::List,
        (_, true) => Shape::Page,
        _ => Shape::Auto,
    };
    let excluded =
        not.iter().map(|argument| Not { field: argument.field.clone(), at: argument.at.clone(), page: None });
    let request = Request { examples, not: excluded.collect(), shape, record: arguments.node.clone() };
    shown.extend(not);
    shown.extend(record);
    Ok((request, shown))
}

/// What to know about the lesson, with the places that a person could choose.
fn note_lines(note: &Note) -> Vec<String> {
    let mut lines = vec![format!("note: {note}")];
    if let Note::Ambiguous { field, candidates, .. } = note {
        let shown = candidates.iter().take(MOST_CANDIDATES);
        lines.extend(shown.map(|candidate| format!("  {}", complaint::line(candidate))));
        if candidates.len() > MOST_CANDIDATES {
            lines.push(format!("  and {} more", candidates.len() - MOST_CANDIDATES));
        }
        lines.push(format!("  to choose another: --example '{field}=@…', or show a second record"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::note_lines;
    use windrow::learn::example::{Candidate, Note};

    #[test]
    fn places_that_cannot_be_told_apart_are_listed() {
        let candidate = |number: usize| Candidate {
            path: format!("/html[1]/body[1]/p[{number}]"),
            text: "€ 179".to_owned(),
            before: if number == 1 { "Price:".to_owned() } else { String::new() },
        };
        let note =
            |count| Note::Ambiguous { field: "price".to_owned(), candidates: (1..=count).map(candidate).collect() };
        expect_test::expect![[r#"
            note: `price` may be any of 2 places; /html[1]/body[1]/p[1] was taken
              "€ 179", behind "Price:" (@/html[1]/body[1]/p[1])
              "€ 179" (@/html[1]/body[1]/p[2])
              to choose another: --example 'price=@…', or show a second record"#]]
        .assert_eq(&note_lines(&note(2)).join("\n"));
        assert_eq!(note_lines(&note(8))[6], "  and 3 more");
        assert_eq!(note_lines(&Note::SingleRecord).len(), 1);
    }
}
