//! Why nothing was learned, shown in the arguments themselves.

use std::fmt;

use crate::learn::example::{Candidate, Error, Pointer};
use miette::{Diagnostic, LabeledSpan, NamedSource, Report, SourceCode};

use super::pointing::PointingArgument;
use crate::text::excerpt;

/// Characters of a candidate's text that are shown.
const TEXT: usize = 60;

/// An error of the learner, and the arguments that are to blame.
#[derive(Debug)]
struct ExampleComplaint {
    error: Error,
    message: String,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
}

/// The report of an error, pointing into these arguments. `pages` is how many there are.
pub fn report(error: Error, arguments: &[PointingArgument], pages: usize) -> Report {
    let blamed = blamed(&error, arguments);
    let label = label(&error, pages);
    let (source, labels) = match blamed.as_slice() {
        [] => (None, Vec::new()),
        [one] => {
            let span = one.span();
            (Some(one.source()), vec![LabeledSpan::new(Some(label), span.offset(), span.len())])
        }
        several => {
            // A line for each, so that all are seen together.
            let (mut text, mut labels) = (String::new(), Vec::new());
            for (number, argument) in several.iter().enumerate() {
                let path = path(&error, number).unwrap_or(&label).to_owned();
                labels.push(LabeledSpan::new(Some(path), text.len() + argument.span().offset(), argument.span().len()));
                text += argument.text();
                text.push('\n');
            }
            (Some(NamedSource::new(several[0].option(), text)), labels)
        }
    };
    let (message, help) = (message(&error, &blamed), help(&error, arguments));
    Report::new(ExampleComplaint { error, message, help, source, labels })
}

/// The arguments that an error is about.
fn blamed<'a>(error: &Error, arguments: &'a [PointingArgument]) -> Vec<&'a PointingArgument> {
    let is = |argument: &PointingArgument, field: &str| argument.field.as_deref() == Some(field);
    let first = |field: &str| arguments.iter().find(|argument| is(argument, field));
    let named = |argument: &&PointingArgument| error.field().is_none_or(|field| is(argument, field));
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

/// Returns `true` if an error is about pointing in this way; nothing if it is about something else.
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

/// Returns `true` if two texts are the same but for white space.
fn same(one: &str, two: &str) -> bool {
    one.split_whitespace().eq(two.split_whitespace())
}

/// Returns the label at the argument.
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

/// Returns the label at one argument of several: the node it was taken for.
fn path(error: &Error, number: usize) -> Option<&String> {
    match error {
        Error::Apart { path, other_path, .. } => [path, other_path].get(number).copied(),
        Error::Contradiction { paths, .. } => paths.get(number),
        _ => None,
    }
}

/// Returns the message. An argument without a field is not said to have one.
fn message(error: &Error, blamed: &[&PointingArgument]) -> String {
    match (error, blamed) {
        (Error::NotFound { text, .. }, [one]) if one.field.is_none() => format!("`{text}` is not on the page"),
        (Error::Nothing { xpath, .. }, [one]) if one.field.is_none() => {
            format!("`{xpath}` selects nothing on the page")
        }
        _ => error.to_string(),
    }
}

/// Returns advice.
fn help(error: &Error, arguments: &[PointingArgument]) -> Option<String> {
    match error {
        Error::NotFound { nearest, .. } if !nearest.is_empty() => {
            let lines = nearest.iter().map(|candidate| format!("  {}", line(candidate)));
            Some(format!("nearest to it on the page:\n{}", lines.collect::<Vec<_>>().join("\n")))
        }
        Error::NoExample => {
            let hint = error.hint().unwrap_or_default();
            Some(format!("{hint}, or give a weblog's feed with --feed"))
        }
        Error::UnknownField { .. } => {
            let mut names: Vec<&str> = arguments.iter().filter_map(|argument| argument.field.as_deref()).collect();
            let mut seen = std::collections::HashSet::new();
            names.retain(|name| Some(*name) != error.field() && seen.insert(*name));
            if names.is_empty() {
                Some("show that field, too".to_owned())
            } else {
                Some(format!("the other fields of the record are `{}`", names.join("`, `")))
            }
        }
        _ => error.hint(),
    }
}

/// A place of the page on one line.
pub fn line(candidate: &Candidate) -> String {
    let before = match candidate.before.trim() {
        "" => String::new(),
        before => format!(", behind \"{}\"", excerpt(before, TEXT)),
    };
    format!("\"{}\"{before} (@{})", excerpt(&candidate.text, TEXT), candidate.path)
}

impl fmt::Display for ExampleComplaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExampleComplaint {}

impl Diagnostic for ExampleComplaint {
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

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use miette::{GraphicalReportHandler, GraphicalTheme};

    use super::*;

    /// Checks the report of an error about these examples and this counterexample.
    #[track_caller]
    fn check(error: Error, examples: &[&str], not: &[&str], expected: &Expect) {
        let mut arguments: Vec<_> = examples.iter().map(|text| PointingArgument::example(text).unwrap()).collect();
        let not: Vec<_> = not.iter().map(|text| PointingArgument::not(text, &arguments).unwrap()).collect();
        arguments.extend(not);
        arguments.push(PointingArgument::record("//li[2]").unwrap());
        let mut out = String::new();
        let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_wrap_lines(false);
        handler.render_report(&mut out, report(error, &arguments, 1).as_ref()).unwrap();
        expected.assert_eq(out.trim_matches('\n'));
    }

    fn field(name: &str) -> String {
        name.to_owned()
    }

    const TWO: [&str; 3] = ["title=Rake", "price=€ 340", "title=Old  twine"];

    #[test]
    fn a_text_is_found_among_the_arguments() {
        let near = Candidate {
            path: "/html[1]/body[1]/b[1]".to_owned(),
            text: "Old wine".to_owned(),
            before: "Lot 3".to_owned(),
        };
        // The second record, with its white space collapsed.
        let error = Error::NotFound { field: field("title"), text: "Old twine".to_owned(), nearest: vec![near] };
        check(
            error,
            &TWO,
            &[],
            &expect![[r#"
            learn::not_found

              × `title`: `Old twine` is not on the page
               ╭─[--example:1:7]
             1 │ title=Old  twine
               ·       ─────┬────
               ·            ╰── not on the page
               ╰────
              help: nearest to it on the page:
                      "Old wine", behind "Lot 3" (@/html[1]/body[1]/b[1])"#]],
        );
        let error = Error::NotFound { field: field("title"), text: "Plough".to_owned(), nearest: Vec::new() };
        check(
            error,
            &TWO,
            &["title=Plough"],
            &expect![[r#"
            learn::not_found

              × `title`: `Plough` is not on the page
               ╭─[--not:1:7]
             1 │ title=Plough
               ·       ───┬──
               ·          ╰── not on the page
               ╰────
              help: give the text as the page shows it, or an XPath behind `@`"#]],
        );
        // Whatever the learner calls the field of a counterexample that has none.
        let error = Error::NotFound { field: String::new(), text: "Plough".to_owned(), nearest: Vec::new() };
        check(
            error,
            &TWO,
            &["Plough"],
            &expect![[r#"
                learn::not_found

                  × `Plough` is not on the page
                   ╭─[--not:1:1]
                 1 │ Plough
                   · ───┬──
                   ·    ╰── not on the page
                   ╰────
                  help: give the text as the page shows it, or an XPath behind `@`"#]],
        );
    }

    #[test]
    fn an_xpath_is_shown_where_it_stands() {
        let argument = "title=@//b[1]";
        let error = Error::Nothing { field: field("title"), xpath: "//b[1]".to_owned() };
        check(
            error,
            &["price=3", argument],
            &[],
            &expect![[r#"
            learn::selects_nothing

              × `title`: `//b[1]` selects nothing on the page
               ╭─[--example:1:7]
             1 │ title=@//b[1]
               ·       ───┬───
               ·          ╰── selects nothing
               ╰────
              help: `windrow select` shows what an expression finds"#]],
        );
        let error = Error::Nothing { field: String::new(), xpath: "//li[2]".to_owned() };
        check(
            error,
            &["price=3"],
            &[],
            &expect![[r#"
                learn::selects_nothing

                  × `//li[2]` selects nothing on the page
                   ╭─[--node:1:1]
                 1 │ //li[2]
                   · ───┬───
                   ·    ╰── selects nothing
                   ╰────
                  help: `windrow select` shows what an expression finds"#]],
        );
    }

    #[test]
    fn attributes() {
        let arguments = ["title=Rake", "link=@hreff of title", "photo=@src of titel"];
        let error = Error::NoAttribute {
            field: field("link"),
            name: "hreff".to_owned(),
            path: "/html[1]/body[1]/a[1]".to_owned(),
            known: vec!["class".to_owned(), "href".to_owned()],
        };
        check(
            error,
            &arguments,
            &[],
            &expect![[r#"
            learn::no_attribute

              × `link`: no attribute `hreff` at /html[1]/body[1]/a[1], nor around it
               ╭─[--example:1:6]
             1 │ link=@hreff of title
               ·      ───────┬───────
               ·             ╰── no such attribute
               ╰────
              help: there are: `class`, `href`"#]],
        );
        let error = Error::UnknownField { field: field("photo"), of: "titel".to_owned() };
        check(
            error,
            &arguments,
            &[],
            &expect![[r#"
            learn::unknown_field

              × `photo`: there is no field `titel`
               ╭─[--example:1:7]
             1 │ photo=@src of titel
               ·       ──────┬──────
               ·             ╰── refers to a field that is not shown
               ╰────
              help: the other fields of the record are `title`, `link`"#]],
        );
    }

    #[test]
    fn several_arguments_are_shown_together() {
        let error = Error::Apart {
            field: field("title"),
            path: "/html[1]/body[1]/ul[1]/li[1]".to_owned(),
            other: field("price"),
            other_path: "/html[1]/body[1]/p[1]".to_owned(),
        };
        check(
            error,
            &TWO,
            &[],
            &expect![[r#"
            learn::apart

              × `title` (/html[1]/body[1]/ul[1]/li[1]) and `price` (/html[1]/body[1]/p[1]) are in different lists
               ╭─[--example:1:7]
             1 │ title=Rake
               ·       ──┬─
               ·         ╰── /html[1]/body[1]/ul[1]/li[1]
             2 │ price=€ 340
               ·       ──┬──
               ·         ╰── /html[1]/body[1]/p[1]
               ╰────
              help: show fields of one record, or learn a wrapper for each list"#]],
        );
        let paths = vec!["/html[1]/body[1]/b[1]".to_owned(), "/html[1]/body[1]/i[2]".to_owned()];
        check(
            Error::Contradiction { field: field("title"), paths },
            &TWO,
            &[],
            &expect![[r#"
                learn::contradiction

                  × `title`: no one rule finds /html[1]/body[1]/b[1] and /html[1]/body[1]/i[2]
                   ╭─[--example:1:7]
                 1 │ title=Rake
                   ·       ──┬─
                   ·         ╰── /html[1]/body[1]/b[1]
                 2 │ title=Old  twine
                   ·       ─────┬────
                   ·            ╰── /html[1]/body[1]/i[2]
                   ╰────
                  help: check the values, or learn a wrapper for each kind of page"#]],
        );
        let path = "/html[1]/body[1]/b[1]".to_owned();
        let error = Error::Excluded { field: Some(field("title")), path: path.clone() };
        check(
            error,
            &TWO,
            &["title=Rake"],
            &expect![[r#"
            learn::excluded

              × `title`: /html[1]/body[1]/b[1] is shown as an example and excluded
               ╭─[--not:1:7]
             1 │ title=Rake
               ·       ──┬─
               ·         ╰── shown and excluded
               ╰────
              help: take one of them back"#]],
        );
        check(
            Error::Excluded { field: None, path },
            &TWO,
            &["Rake"],
            &expect![[r#"
            learn::excluded

              × the record at /html[1]/body[1]/b[1] is shown and excluded
               ╭─[--not:1:1]
             1 │ Rake
               · ──┬─
               ·   ╰── shown and excluded
               ╰────
              help: take one of them back"#]],
        );
    }

    #[test]
    fn what_no_argument_is_to_blame_for() {
        check(
            Error::NoExample,
            &[],
            &[],
            &expect![[r#"
                learn::no_example

                  × no field was shown
                  help: show at least one field of one record, as `--example title="its text"`, or give a weblog's feed with --feed"#]],
        );
        check(
            Error::NoList { path: "/html[1]/body[1]".to_owned() },
            &TWO,
            &[],
            &expect![[r#"
            learn::no_list

              × there is no second record like /html[1]/body[1]
              help: leave out `--as-list` to take the page as the record"#]],
        );
    }
}
