//! What a page did not give: kept beside the objects, never instead of them.
//!
//! A problem is a few integers; its words are made when somebody reads them.

use std::borrow::Cow;

use windrow_dom::Span;

use crate::object::Extraction;

/// Something that a page did not give, or gave otherwise than the wrapper says.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What happened.
    pub kind: ProblemKind,
    /// The object that is the poorer for it; none at the top of the page.
    pub(crate) object: Option<u32>,
    pub(crate) variable: u32,
    pub(crate) page: u16,
    /// Where was looked.
    pub(crate) scope: Option<Span>,
}

/// The kinds of problems.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A required rule found nothing.
    Missing,
    /// A pattern's text was not found.
    Unmatched {
        /// The text.
        wanted: String,
        /// Where the search for it began.
        at: u32,
    },
    /// None of several alternatives matched.
    NoCase {
        /// How many there were.
        tried: u32,
    },
    /// A slice that no member of the list is in.
    EmptySlice {
        /// The slice.
        slice: crate::wrapper::Slice,
        /// How many members there are.
        members: u32,
    },
    /// A value that is not of its type.
    Untyped {
        /// The object.
        object: u32,
    },
    /// A page that could not be had.
    NotFetched {
        /// Its address.
        url: String,
        /// Why.
        message: String,
    },
    /// An expression went wrong on this page.
    Failed {
        /// How.
        message: String,
    },
    /// The page made more work than one page may.
    Limit {
        /// Of what there was too much.
        what: &'static str,
        /// How much there may be.
        limit: u64,
    },
}

impl Problem {
    /// Whether a required object is missing because of it.
    pub fn is_missing(&self) -> bool {
        use ProblemKind::*;
        matches!(self.kind, Missing | Unmatched { .. } | NoCase { .. } | EmptySlice { .. })
    }

    /// Whether the result is not whole because of it: a bound was met, or a page could not be had.
    pub fn is_cut(&self) -> bool {
        matches!(self.kind, ProblemKind::Limit { .. } | ProblemKind::NotFetched { .. } | ProblemKind::Failed { .. })
    }

    /// What it is about, to tell whether two problems are about the same: the index of the object that is the poorer
    /// for it, and the number of the rule. Comparing these is far cheaper than comparing paths.
    pub fn subject(&self) -> (Option<usize>, usize) {
        (self.object.map(|object| object as usize), self.variable as usize)
    }

    /// The label of what is missing or wrong.
    pub(crate) fn label<'e>(&self, extraction: &'e Extraction) -> &'e str {
        &extraction.program.variables[self.variable as usize].label
    }

    /// The rule, with those around it: `ads.pay`.
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

    /// Where the rule stands in the wrapper file.
    pub fn place(&self, extraction: &Extraction) -> Option<windrow_xpath::Span> {
        extraction.program.variables[self.variable as usize].place
    }

    /// The page's name.
    pub fn page<'e>(&self, extraction: &'e Extraction) -> &'e str {
        extraction.pages[self.page as usize].name()
    }

    /// Where on the page was looked, or what it is about.
    pub fn span(&self) -> Option<Span> {
        self.scope
    }

    /// What happened, in words.
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
                Some(saw) => format!("none of the {tried} cases fits {saw}"),
                None => format!("none of the {tried} cases fits"),
            },
            ProblemKind::EmptySlice { slice, members } => {
                let s = if *members == 1 { "" } else { "s" };
                format!("the slice {slice} is out of range: the list has {members} member{s}")
            }
            ProblemKind::Untyped { object } => {
                let entry = &extraction.entries[*object as usize];
                let text = crate::typed::text(extraction, entry.scope());
                let ty = extraction.program.variables[self.variable as usize].ty;
                format!("{} is no {}", quote(&text, 60), ty.name())
            }
            ProblemKind::NotFetched { url, message } => format!("cannot get {url}: {message}"),
            ProblemKind::Failed { message } => message.clone(),
            ProblemKind::Limit { what, limit } => format!("more than {limit} {what}: the rest was left out"),
        }
    }

    fn saw(&self, extraction: &Extraction) -> Option<String> {
        let scope = self.scope?;
        Some(excerpt(extraction.pages[self.page as usize].source(), scope.start as usize, scope.end as usize))
    }
}

/// The beginning of a range of the source, in quotes.
fn excerpt(source: &str, start: usize, end: usize) -> String {
    quote(source.get(start..end).unwrap_or_default(), 60)
}

/// A text in quotes on one line, cut to so many characters.
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
    match line.is_empty() {
        true => "an empty text".to_owned(),
        false => format!("`{line}`"),
    }
}
