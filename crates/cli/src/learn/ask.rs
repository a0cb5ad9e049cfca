//! Asks on a terminal which of several places is meant.

use std::io::{self, BufRead, IsTerminal};

use windrow::Document;
use windrow::learn::example::{self, Candidate, Lesson, Note, Pointer, Request};

use crate::args::{LearnArguments, LearnFormat};
use crate::run::tell;
use windrow::learning::complaint;

/// Returns `true` if a person can be asked.
pub(super) fn is_possible(arguments: &LearnArguments) -> bool {
    let is_text = arguments.format == LearnFormat::Text && !arguments.reading.quiet;
    let reads_input = arguments.pages.iter().any(|page| page == "-");
    is_text && !reads_input && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for each field that may be at several places which one is meant, and learns again with the answers.
pub(super) fn what_is_meant(
    documents: &[&Document],
    request: &mut Request,
    lesson: Lesson,
    input: &mut impl BufRead,
) -> Lesson {
    let mut answered = false;
    for note in &lesson.notes {
        let Note::Ambiguous { field, candidates } = note else { continue };
        let fields = request.examples.first_mut().map(|example| &mut example.fields);
        let shown = fields.and_then(|fields| fields.iter_mut().find(|shown| shown.field == *field));
        let Some(shown) = shown.filter(|shown| matches!(shown.at, Pointer::Text(_))) else { continue };
        if let Some(chosen) = choose(field, candidates, input) {
            shown.at = Pointer::XPath(chosen.path.clone());
            answered = true;
        }
    }
    if !answered {
        return lesson;
    }
    example::learn(documents, request).unwrap_or(lesson)
}

/// Returns the candidate that a person chooses; none for the first.
fn choose<'c>(field: &str, candidates: &'c [Candidate], input: &mut impl BufRead) -> Option<&'c Candidate> {
    tell(&format!("`{field}` stands at {} places:", candidates.len()));
    for (at, candidate) in candidates.iter().enumerate() {
        tell(&format!("  {}. {}", at + 1, complaint::line(candidate)));
    }
    tell("which one is meant? A number, or Enter for the first:");
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    let chosen = line.trim().parse::<usize>().ok()?.checked_sub(1).filter(|&at| at > 0)?;
    candidates.get(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_chooses_and_enter_takes_the_first() {
        let place = |path: &str| Candidate { path: path.to_owned(), text: "2".to_owned(), before: String::new() };
        let places = [place("/a"), place("/b")];
        let path = |line: &str| choose("left", &places, &mut line.as_bytes()).map(|chosen| chosen.path.clone());
        assert_eq!(path("2\n").as_deref(), Some("/b"));
        assert_eq!((path("\n"), path("1\n"), path("7\n"), path("")), (None, None, None, None));
    }
}
