//! Problems met while extracting from a page. They are reported in addition to the objects, never instead of them.
//!
//! A problem is stored as a few integers; its message is formatted only on request.

use std::borrow::Cow;

use windrow_dom::Span;

use crate::object::Extraction;

/// A value that a page lacks, or that does not agree with the wrapper.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Kind of problem.
    pub kind: ProblemKind,
    /// Object that the value is missing from; `None` at the top of the page.
    pub(crate) object: Option<u32>,
    pub(crate) variable: u32,
    pub(crate) page: u16,
    /// Place on the page that was searched.
    pub(crate) scope: Option<Span>,
}

/// The kinds of problems.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A required rule found nothing.
    Missing,
    /// The text that a pattern requires was not found.
    Unmatched {
        /// Required text.
        wanted: String,
        /// Offset at which the search for it began.
        at: u32,
    },
    /// None of the alternatives of a `case` matched.
    NoCase {
        /// Number of alternatives.
        tried: u32,
    },
    /// A slice that selects none of the members.
    EmptySlice {
        /// Slice of the rule.
        slice: crate::wrapper::Slice,
        /// Number of members found.
        members: u32,
    },
    /// A value that cannot be read as its type.
    Untyped {
        /// Index of the object.
        object: u32,
    },
    /// A page that could not be fetched.
    NotFetched {
        /// Address of the page.
        url: String,
        /// Reason for the failure.
        message: String,
    },
    /// An expression failed on this page.
    Failed {
        /// Description of the failure.
        message: String,
    },
    /// A limit on the work for one page was reached.
    Limit {
        /// Name of the bounded quantity.
        what: &'static str,
        /// Upper limit.
        limit: u64,
    },
}

impl Problem {
    /// Returns `true` if a required object is missing.
    pub fn is_missing(&self) -> bool {
        use ProblemKind::*;
        matches!(self.kind, Missing | Unmatched { .. } | NoCase { .. } | EmptySlice { .. })
    }

    /// Returns `true` if the result is incomplete: a limit was reached, a page could not be fetched, or an expression
    /// failed.
    pub fn is_cut(&self) -> bool {
        matches!(self.kind, ProblemKind::Limit { .. } | ProblemKind::NotFetched { .. } | ProblemKind::Failed { .. })
    }

    /// Returns the index of the affected object and the number of the rule. Two problems with equal subjects are
    /// about the same value; comparing these is far cheaper than comparing paths.
    pub fn subject(&self) -> (Option<usize>, usize) {
        (self.object.map(|object| object as usize), self.variable as usize)
    }

    /// Returns the label of the missing or wrong value.
    pub(crate) fn label<'e>(&self, extraction: &'e Extraction) -> &'e str {
        &extraction.program.variables[self.variable as usize].label
    }

    /// Returns the name of the rule, preceded by the names of its parents: `ads.pay`.
    pub fn rule(&self, extraction: &Extraction) -> String {
        let variables = &extraction.program.variables;
        let mut names = Vec::new();
        let mut at = Some(self.variable);
        while let Some(variable) = at {
            let variable = &variables[variable as usize];
            names.push(variable.name.as_str());
            at = variable.parent;
        }
        names.reverse();
        names.join(".")
    }

    /// Returns the place of the rule in the wrapper file.
    pub fn place(&self, extraction: &Extraction) -> Option<windrow_xpath::Span> {
        extraction.program.variables[self.variable as usize].place
    }

    /// Returns the name of the page.
    pub fn page<'e>(&self, extraction: &'e Extraction) -> &'e str {
        extraction.pages[self.page as usize].name()
    }

    /// Returns the place on the page that was searched, or that the problem is about.
    pub fn span(&self) -> Option<Span> {
        self.scope
    }

    /// Returns a description of the problem.
    pub fn message(&self, extraction: &Extraction) -> String {
        match &self.kind {
            ProblemKind::Missing => match self.saw(extraction) {
                Some(saw) => format!("not found in {saw}"),
                None => "not found".to_owned(),
            },
            ProblemKind::Unmatched { wanted, at } => {
                let source = extraction.pages[self.page as usize].source();
                let end = self.scope.map_or(source.len(), |scope| scope.end as usize);
                format!("no {} in {}", quote(wanted, 60), excerpt(source, *at as usize, end))
            }
            ProblemKind::NoCase { tried } => match self.saw(extraction) {
                Some(saw) => format!("none of the {tried} cases matches {saw}"),
                None => format!("none of the {tried} cases matches"),
            },
            ProblemKind::EmptySlice { slice, members } => {
                let s = if *members == 1 { "" } else { "s" };
                format!("the slice {slice} is out of range: the list has {members} member{s}")
            }
            ProblemKind::Untyped { object } => {
                let entry = &extraction.entries[*object as usize];
                let text = crate::typed::text(extraction, entry.scope());
                let ty = extraction.program.variables[self.variable as usize].ty;
                format!("{} is not of type {}", quote(&text, 60), ty.name())
            }
            ProblemKind::NotFetched { url, message } => format!("cannot fetch {url}: {message}"),
            ProblemKind::Failed { message } => message.clone(),
            ProblemKind::Limit { what, limit } => format!("more than {limit} {what}: the rest was left out"),
        }
    }

    fn saw(&self, extraction: &Extraction) -> Option<String> {
        let scope = self.scope?;
        Some(excerpt(extraction.pages[self.page as usize].source(), scope.start as usize, scope.end as usize))
    }
}

/// Quotes the beginning of a range of the source.
fn excerpt(source: &str, start: usize, end: usize) -> String {
    quote(source.get(start..end).unwrap_or_default(), 60)
}

/// Quotes a text on one line, shortened to `most` characters.
fn quote(text: &str, most: usize) -> String {
    let mut words = text.chars().take(most * 8);
    let mut line = String::new();
    let mut count = 0;
    let mut blank = false;
    for c in words.by_ref() {
        if c.is_whitespace() {
            blank = count > 0;
            continue;
        }
        if count >= most {
            line.push('…');
            break;
        }
        if blank {
            line.push(' ');
            blank = false;
        }
        line.push(c);
        count += 1;
    }
    let line: Cow<'_, str> = if line.is_empty() && !text.is_empty() { "(white space)".into() } else { line.into() };
    if line.is_empty() { "an empty text".to_owned() } else { format!("`{line}`") }
}
