//! Why nothing was learned, shown in the arguments themselves.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, NamedSource, Report, SourceCode};
use windrow::learn::example::{Candidate, Error, Pointer};

use super::pointing::Argument;
use crate::text::excerpt;

/// Characters of a candidate's text that are shown.
const TEXT: usize = 60;

/// What the learner complains of, and the arguments that are to blame.
#[derive(Debug)]
struct Complaint {
    error: Error,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
}

/// The report of an error, pointing into these arguments. `pages` is how many there are.
pub(crate) fn report(error: Error, arguments: &[Argument], pages: usize) -> Report {
    let blamed = blamed(&error, arguments);
    let label = label(&error, pages);
    let (source, labels) = match blamed.as_slice() {
        [] => (None, Vec::new()),
        // An XPath has a place of its own.
        [one] => {
            let (mut start, mut length) = (one.span().offset(), one.span().len());
            if let Error::XPath { error, .. } = &error {
                let span = error.span();
                // Behind the `@`.
                (start, length) = (start + 1 + span.start, span.end - span.start);
            }
            (Some(one.source()), vec![LabeledSpan::new(Some(label), start, length)])
        }
        several => {
            // A line for each, so that all are seen together.
            let (mut text, mut labels) = (String::new(), Vec::new());
            for argument in several {
                let path = path(&error, argument).unwrap_or_else(|| label.clone());
                labels.push(LabeledSpan::new(Some(path), text.len() + argument.span().offset(), argument.span().len()));
                text += argument.text();
                text.push('\n');
            }
            (Some(NamedSource::new(several[0].option(), text)), labels)
        }
    };
    let help = help(&error, arguments);
    Report::new(Complaint { error, help, source, labels })
}

/// The arguments that an error is about.
fn blamed<'a>(error: &Error, arguments: &'a [Argument]) -> Vec<&'a Argument> {
    let is = |argument: &Argument, field: &str| argument.field.as_deref() == Some(field);
    let first = |field: &str| arguments.iter().find(|argument| is(argument, field));
    let named = |argument: &&Argument| error.field().is_none_or(|field| is(argument, field));
    match error {
        Error::Apart { field, other, .. } => first(field).into_iter().chain(first(other)).collect(),
        Error::Contradiction { .. } => arguments.iter().filter(|it| !it.is_not()).filter(named).collect(),
        Error::Excluded { .. } => arguments.iter().filter(|it| it.is_not()).filter(named).collect(),
        _ => {
            // The field of a counterexample may be none, and what it points at tells enough.
            let meant = arguments.iter().filter(|argument| points_so(error, &argument.at) == Some(true));
            let meant = meant.filter(|argument| argument.field.is_none() || named(argument)).take(1);
            let by_name = error.field().filter(|_| points_so(error, &Pointer::Text(String::new())).is_none());
            meant.chain(by_name.and_then(first)).collect()
        }
    }
}

/// Whether an error is about pointing in this way; nothing if it is about something else.
fn points_so(error: &Error, at: &Pointer) -> Option<bool> {
    Some(match (error, at) {
        (Error::NotFound { text, .. }, at) => matches!(at, Pointer::Text(own) if same(own, text)),
        (Error::XPath { xpath, .. } | Error::Nothing { xpath, .. }, at) => {
            matches!(at, Pointer::XPath(own) if own == xpath)
        }
        (Error::UnknownField { of, .. }, at) => matches!(at, Pointer::Attribute { of: own, .. } if own == of),
        (Error::NoAttribute { name, .. }, at) => matches!(at, Pointer::Attribute { name: own, .. } if own == name),
        _ => return None,
    })
}

/// Whether two texts are the same but for white space.
fn same(one: &str, two: &str) -> bool {
    one.split_whitespace().eq(two.split_whitespace())
}

/// What is said at the argument.
fn label(error: &Error, pages: usize) -> String {
    match error {
        Error::NotFound { .. } if pages > 1 => format!("on none of the {pages} pages"),
        Error::NotFound { .. } => "not on the page".to_owned(),
        Error::XPath { .. } => "here".to_owned(),
        Error::Nothing { .. } => "selects nothing".to_owned(),
        Error::UnknownField { .. } => "refers to a field that is not shown".to_owned(),
        Error::NoAttribute { .. } => "no such attribute".to_owned(),
        Error::Twice { .. } => "shown twice".to_owned(),
        Error::Excluded { .. } => "shown and excluded".to_owned(),
        _ => "this".to_owned(),
    }
}

/// What is said at one argument of several: the node it was taken for.
fn path(error: &Error, argument: &Argument) -> Option<String> {
    match error {
        Error::Apart { field, path, .. } if argument.field.as_ref() == Some(field) => Some(path.clone()),
        Error::Apart { other_path, .. } => Some(other_path.clone()),
        _ => None,
    }
}

/// What to do.
fn help(error: &Error, arguments: &[Argument]) -> Option<String> {
    match error {
        Error::NotFound { nearest, .. } if !nearest.is_empty() => {
            let lines = nearest.iter().map(|candidate| format!("  {}", line(candidate)));
            Some(format!("nearest to it on the page:\n{}", lines.collect::<Vec<_>>().join("\n")))
        }
        Error::UnknownField { .. } => {
            let mut names: Vec<&str> = arguments.iter().filter_map(|argument| argument.field.as_deref()).collect();
            let mut seen = std::collections::HashSet::new();
            names.retain(|name| Some(*name) != error.field() && seen.insert(*name));
            match names.is_empty() {
                true => Some("show that field, too".to_owned()),
                false => Some(format!("the other fields of the record are `{}`", names.join("`, `"))),
            }
        }
        _ => error.hint(),
    }
}

/// A place of the page on one line.
pub(crate) fn line(candidate: &Candidate) -> String {
    let before = match candidate.before.trim() {
        "" => String::new(),
        before => format!(", behind \"{}\"", excerpt(before, TEXT)),
    };
    format!("\"{}\"{before} (@{})", excerpt(&candidate.text, TEXT), candidate.path)
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Complaint {}

impl Diagnostic for Complaint {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let code = match &self.error {
            Error::NoExample => "learn::no_example",
            Error::Twice { .. } => "learn::twice",
            Error::NotFound { .. } => "learn::not_found",
            Error::XPath { error, .. } => return error.code().map(|code| code.to_string()).map(boxed),
            Error::Nothing { .. } => "learn::selects_nothing",
            Error::UnknownField { .. } => "learn::unknown_field",
            Error::NoAttribute { .. } => "learn::no_attribute",
            Error::Apart { .. } => "learn::apart",
            Error::Contradiction { .. } => "learn::contradiction",
            Error::Excluded { .. } => "learn::excluded",
            Error::NoList { .. } => "learn::no_list",
            _ => "learn::failed",
        };
        Some(Box::new(code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.clone().map(boxed)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

fn boxed<'a>(text: String) -> Box<dyn fmt::Display + 'a> {
    Box::new(text)
}
