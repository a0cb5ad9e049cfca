//! `windrow learn --example`: a wrapper from the fields of one record.

use miette::{Diagnostic, Report};
use windrow::learn::example::{self, Example, Not, Note, Pointed, Request, Shape};
use windrow::learning::pointing::PointingArgument;
use windrow::learning::{self, ExampleLesson, Lesson, complaint, json};
use windrow::monitor::Reports;

use super::ask;
use super::destination::WrapperDestination;
use crate::args::{LearnArguments, LearnFormat};
use crate::output::Console;
use crate::run::tell;
use crate::{fmt, pages};

/// A report that cannot be printed.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("cannot print the report: {cause}")]
#[diagnostic(code(output::unwritable))]
struct Unprintable {
    cause: std::io::Error,
}

/// Candidates that a note lists.
const MOST_CANDIDATES: usize = 5;

/// Learns, and tells what was learned.
pub(super) fn learn(arguments: &LearnArguments) -> Result<(), Reports> {
    let destination = WrapperDestination::new(arguments)?;
    let (mut request, shown) = request(arguments)?;
    if request.examples.is_empty() {
        return Err(complaint::report(example::Error::NoExample, &shown, 0).into());
    }
    let opener = pages::opener(&arguments.reading)?;
    let console = Console::new(arguments.reading.quiet);
    let pages = learning::shared(learning::read(&arguments.pages, &opener, arguments.reading.threads(), &console)?);
    let documents = learning::documents(&pages);
    let lesson = example::learn(&documents, &request);
    let lesson = lesson.map_err(|error| complaint::report(error, &shown, pages.len()))?;
    let lesson = if ask::is_possible(arguments) {
        ask::what_is_meant(&documents, &mut request, lesson, &mut std::io::stdin().lock())
    } else {
        lesson
    };
    let learned = learning::by_example(lesson, &request, &pages, &arguments.pages, destination.format())?;
    let ExampleLesson { lesson: Lesson { text, summary, .. }, notes, report, missed } = learned;
    if arguments.format == LearnFormat::Json {
        let is_printed = destination.is_standard();
        if !is_printed {
            destination.write(&text)?;
        }
        let report = json::report(&summary, &report, &notes, Some(text.as_str()).filter(|_| is_printed));
        return Ok(fmt::print(&report).map_err(|cause| Unprintable { cause })?);
    }
    destination.write(&text)?;
    if !arguments.reading.quiet {
        tell(&format!("{}: {}", destination.told(), summary.counts()));
        summary.lines().iter().for_each(|line| tell(line));
        notes.iter().flat_map(note_lines).for_each(|line| tell(&line));
        missed.iter().for_each(|line| tell(line));
        if let Some(question) = &report.question {
            tell(&format!("question: {question}"));
        }
    }
    Ok(())
}

/// Reads the examples of the command line, and the arguments that show them.
fn request(arguments: &LearnArguments) -> Result<(Request, Vec<PointingArgument>), Report> {
    let mut shown =
        arguments.examples.iter().map(|text| PointingArgument::example(text)).collect::<Result<Vec<_>, _>>()?;
    let mut examples: Vec<Example> = Vec::new();
    for argument in &shown {
        let pointed = Pointed { field: argument.field.clone().unwrap_or_default(), at: argument.at.clone() };
        let is_new = |example: &Example| example.fields.iter().all(|other| other.field != pointed.field);
        match examples.last_mut() {
            Some(example) if is_new(example) => example.fields.push(pointed),
            _ => examples.push(Example { fields: vec![pointed], page: None }),
        }
    }
    let not = arguments.not.iter().map(|text| PointingArgument::not(text, &shown)).collect::<Result<Vec<_>, _>>()?;
    let record = arguments.node.as_deref().map(PointingArgument::record).transpose()?;
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

/// Describes a note, with the places that a person could choose.
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
