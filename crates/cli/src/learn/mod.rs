//! `windrow learn`: a wrapper from what a person shows.
//!
//! The arguments are read whole before any page is; then all pages are, since the rules must hold on all of them. The
//! summary is what the written wrapper finds, never the learner's own view of the pages.

mod complaint;
mod destination;
mod pointing;
mod summary;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use miette::{Diagnostic, Report};
use windrow::learn::example::{self, Example, Lesson, Not, Note, Pointed, Request, Shape};
use windrow::{Document, Extractor, Page};

use crate::args::LearnArguments;
use crate::ordered;
use crate::pages::{self, Opener, PageError};
use crate::run::{Ending, tell, tell_error};

use destination::Destination;
use pointing::Argument;
use summary::Summary;

/// Candidates that a note lists.
const MOST_CANDIDATES: usize = 5;

/// A mistake of ours, not of the example.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum LearnError {
    #[error("the rules that were learned from `{page}` are wrong: {cause}")]
    #[diagnostic(code(learn::wrong_rules), help("this is a bug: please report it with the page and the command"))]
    WrongRules { page: String, cause: String },
}

/// Runs the command.
pub(crate) fn run(arguments: &LearnArguments) -> Ending {
    match learn(arguments) {
        Ok(()) => Ending::Found,
        Err(reports) => {
            reports.iter().for_each(tell_error);
            Ending::Failed
        }
    }
}

fn learn(arguments: &LearnArguments) -> Result<(), Vec<Report>> {
    let destination = Destination::new(arguments).map_err(one)?;
    let (request, shown) = request(arguments).map_err(one)?;
    if request.examples.is_empty() {
        return Err(one(complaint::report(example::Error::NoExample, &shown, 0)));
    }
    let pages = read(arguments)?;
    let documents: Vec<&Document> = pages.iter().map(|page| page.document()).collect();
    let Lesson { mut wrapper, notes, .. } =
        example::learn(&documents, &request).map_err(|error| one(complaint::report(error, &shown, pages.len())))?;
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = arguments.pages.clone();
    learned.at = now();
    let wrong = |cause: String| LearnError::WrongRules { page: arguments.pages.join("`, `"), cause };
    let extractor = Extractor::new(&wrapper).map_err(|errors| {
        let causes: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
        one(wrong(causes.join("; ")).into())
    })?;
    let summary = Summary::new(&extractor, &pages, &request);
    if summary.is_empty() {
        return Err(one(wrong("they find nothing".to_owned()).into()));
    }
    destination.write(&wrapper).map_err(one)?;
    if !arguments.reading.quiet {
        tell(&format!("{}: {}", destination.told(), summary.counts()));
        summary.lines().iter().for_each(|line| tell(line));
        notes.iter().flat_map(note_lines).for_each(|line| tell(&line));
    }
    Ok(())
}

fn one(report: Report) -> Vec<Report> {
    vec![report]
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
            _ => examples.push(Example { fields: vec![pointed] }),
        }
    }
    let not = arguments.not.iter().map(|text| Argument::not(text, &shown)).collect::<Result<Vec<_>, _>>()?;
    let record = arguments.node.as_deref().map(Argument::record).transpose()?;
    let shape = match (arguments.list, arguments.page) {
        (true, _) => Shape::List,
        (_, true) => Shape::Page,
        _ => Shape::Auto,
    };
    let excluded = not.iter().map(|argument| Not { field: argument.field.clone(), at: argument.at.clone() });
    let request = Request { examples, not: excluded.collect(), shape, record: arguments.node.clone() };
    shown.extend(not);
    shown.extend(record);
    Ok((request, shown))
}

/// All pages, or what is wrong with those that cannot be read.
fn read(arguments: &LearnArguments) -> Result<Vec<Arc<Page>>, Vec<Report>> {
    let reading = &arguments.reading;
    let threads = reading.threads.or_else(|| available_parallelism().ok()).map_or(1, |threads| threads.get());
    let (mut pages, mut errors) = (Vec::new(), Vec::new());
    let opener = Opener::new(reading).map_err(one)?;
    let read = |source: Result<pages::Source, PageError>| opener.read(&source?);
    let _: ControlFlow<()> = ordered::map(pages::find(&arguments.pages, &arguments.reading), threads, read, |page| {
        match page {
            Ok(page) => {
                for note in page.document.notes().iter().filter(|_| !reading.quiet) {
                    tell(&format!("note: {}: {note}", page.name));
                }
                let read = Page::from_document(&page.name, page.document);
                pages.push(Arc::new(match page.address {
                    Some(address) => read.with_url(address),
                    None => read,
                }));
            }
            Err(error) => errors.push(Report::new(error)),
        }
        ControlFlow::Continue(())
    });
    if errors.is_empty() { Ok(pages) } else { Err(errors) }
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

/// The time, as RFC 3339 has it, to the second. `SOURCE_DATE_EPOCH` stands in for it where builds must repeat.
fn now() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u64>().ok());
    let seconds = match fixed {
        Some(seconds) => seconds,
        None => SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs(),
    };
    // RFC 3339 has years of four digits.
    (seconds < 253_402_300_800).then(|| rfc3339(seconds))
}

fn rfc3339(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March: the leap day is the last of them, and all else is division.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3_600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::{note_lines, rfc3339};
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

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_763_283_661), "2025-11-16T09:01:01Z");
        assert_eq!(rfc3339(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
