//! What can go wrong with an example, and what to know about one that went well.

use std::fmt;

use miette::Diagnostic;
use windrow_dom::Document;
use windrow_xpath::ParseError;

use crate::labels::Place;

/// A place that may be meant, as a person can tell it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its absolute XPath.
    pub path: String,
    /// What stands there.
    pub text: String,
    /// What stands in front of it, in the same line.
    pub before: String,
}

impl Candidate {
    pub(crate) fn new(document: &Document, place: &Place) -> Candidate {
        let shorten = |text: String| match text.char_indices().nth(80) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        };
        // The nearest text in front, as long as it is in the same block.
        let mut before = String::new();
        let lineage = std::iter::once(place.node).chain(document.ancestors(place.node)).take(4);
        for id in lineage {
            let siblings = std::iter::successors(document.prev_sibling(id), |&id| document.prev_sibling(id)).take(8);
            let text = siblings.map(|id| document.visible_text(id)).find(|text| !text.trim().is_empty());
            if let Some(line) = text.as_deref().and_then(|text| text.trim().lines().last()) {
                let skip = line.chars().count().saturating_sub(30);
                before = line.chars().skip(skip).collect();
                break;
            }
        }
        Candidate { path: place.path(document), text: shorten(place.text(document)), before }
    }
}

/// Why nothing was learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No field was shown.
    NoExample,
    /// One example names a field twice.
    Twice {
        /// The field.
        field: String,
    },
    /// A text is on none of the pages.
    NotFound {
        /// The field.
        field: String,
        /// What was looked for.
        text: String,
        /// Texts of the page that are most like it.
        nearest: Vec<Candidate>,
    },
    /// An XPath cannot be read.
    XPath {
        /// The field.
        field: String,
        /// The expression.
        xpath: String,
        /// What is wrong with it, and where.
        error: Box<ParseError>,
    },
    /// An XPath selects nothing.
    Nothing {
        /// The field.
        field: String,
        /// The expression.
        xpath: String,
    },
    /// An attribute of a field that is not shown.
    UnknownField {
        /// The field.
        field: String,
        /// The field it refers to.
        of: String,
    },
    /// Neither the element of a field nor those around it have such an attribute.
    NoAttribute {
        /// The field.
        field: String,
        /// The attribute.
        name: String,
        /// The element's path.
        path: String,
        /// The attributes that there are.
        known: Vec<String>,
    },
    /// The fields are in no record together: each is in a list of its own.
    Apart {
        /// A field.
        field: String,
        /// Its path.
        path: String,
        /// One that is never with it.
        other: String,
        /// Its path.
        other_path: String,
    },
    /// No rule gives what all examples show.
    Contradiction {
        /// The field.
        field: String,
        /// Where the examples show it.
        paths: Vec<String>,
    },
    /// What must not come out is what an example shows.
    Excluded {
        /// The field, if one was named.
        field: Option<String>,
        /// Where it is.
        path: String,
    },
    /// The node that is said to be the record does not hold a field.
    Outside {
        /// The field.
        field: String,
        /// Its path.
        path: String,
        /// The record's.
        record: String,
    },
    /// A list was asked for, and there is no second record.
    NoList {
        /// The path of the record.
        path: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoExample => write!(f, "no field was shown"),
            Error::Twice { field } => write!(f, "`{field}` is shown twice in one record"),
            Error::NotFound { field, text, .. } => write!(f, "`{field}`: `{text}` is not on the page"),
            Error::XPath { field, error, .. } => write!(f, "`{field}`: {error}"),
            Error::Nothing { field, xpath } => write!(f, "`{field}`: `{xpath}` selects nothing on the page"),
            Error::UnknownField { field, of } => write!(f, "`{field}`: there is no field `{of}`"),
            Error::NoAttribute { field, name, path, .. } => {
                write!(f, "`{field}`: no attribute `{name}` at {path}, nor around it")
            }
            Error::Apart { field, path, other, other_path } => {
                write!(f, "`{field}` ({path}) and `{other}` ({other_path}) are in different lists")
            }
            Error::Contradiction { field, paths } => {
                write!(f, "`{field}`: no one rule finds {}", paths.join(" and "))
            }
            Error::Excluded { field: Some(field), path } => {
                write!(f, "`{field}`: {path} is shown as an example and excluded")
            }
            Error::Excluded { field: None, path } => write!(f, "the record at {path} is shown and excluded"),
            Error::Outside { field, path, record } => write!(f, "`{field}` ({path}) is not in the record {record}"),
            Error::NoList { path } => write!(f, "there is no second record like {path}"),
        }
    }
}

impl std::error::Error for Error {}

impl Diagnostic for Error {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.hint().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }
}

impl Error {
    /// The field it is about.
    pub fn field(&self) -> Option<&str> {
        match self {
            Error::NoExample | Error::NoList { .. } => None,
            Error::Excluded { field, .. } => field.as_deref(),
            Error::Twice { field }
            | Error::NotFound { field, .. }
            | Error::XPath { field, .. }
            | Error::Nothing { field, .. }
            | Error::UnknownField { field, .. }
            | Error::NoAttribute { field, .. }
            | Error::Apart { field, .. }
            | Error::Outside { field, .. }
            | Error::Contradiction { field, .. } => Some(field),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let quoted = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
        };
        Some(match self {
            Error::NoExample => "show at least one field of one record, as `--example title=\"its text\"`".to_owned(),
            Error::Twice { .. } => "each field of a record is shown once".to_owned(),
            Error::NotFound { nearest, .. } if nearest.is_empty() => {
                "give the text as the page shows it, or an XPath behind `@`".to_owned()
            }
            Error::NotFound { nearest, .. } => {
                format!("near it: {}", quoted(&mut nearest.iter().map(|candidate| &*candidate.text)))
            }
            Error::XPath { error, .. } => return error.help().map(|help| help.to_string()),
            Error::Nothing { .. } => "`windrow select` shows what an expression finds".to_owned(),
            Error::UnknownField { .. } => "`@NAME of FIELD` needs that field in the same record".to_owned(),
            Error::NoAttribute { known, .. } if known.is_empty() => return None,
            Error::NoAttribute { known, .. } => {
                format!("there are: {}", quoted(&mut known.iter().map(String::as_str)))
            }
            Error::Apart { .. } => "show fields of one record, or learn a wrapper for each list".to_owned(),
            Error::Contradiction { .. } => "check the values, or learn a wrapper for each kind of page".to_owned(),
            Error::Excluded { .. } => "take one of them back".to_owned(),
            Error::Outside { .. } => "choose an element around all the fields".to_owned(),
            Error::NoList { .. } => "leave out `--as-list` to take the page as the record".to_owned(),
        })
    }
}

/// What to know about a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// No second record was found, so the record is the page.
    SingleRecord,
    /// A text occurs at several places that one example cannot tell apart; the first was taken.
    Ambiguous {
        /// The field.
        field: String,
        /// The places, the one that was taken first.
        candidates: Vec<Candidate>,
    },
    /// The rule of a field goes by its position on the page: nothing there has a name that lasts.
    Positional {
        /// The field.
        field: String,
    },
    /// Nothing on the page is built like the shown item of a list.
    OneItem {
        /// The field.
        field: String,
    },
    /// A field was found in few records.
    Rare {
        /// The field.
        field: String,
        /// In how many.
        found: usize,
        /// Of how many.
        records: usize,
        /// The first record without it.
        without: Candidate,
    },
    /// The page may as well be cut into another number of records.
    Unsure {
        /// How many there are.
        records: usize,
        /// How many there would be.
        others: usize,
        /// The first that only one of the two has.
        differs: Candidate,
    },
    /// Elements beside the records that have some of the fields were left out.
    LeftOut {
        /// How many.
        count: usize,
        /// The first of them.
        first: Candidate,
        /// The shown fields that it lacks.
        lacks: Vec<String>,
    },
    /// Nothing but their numbers tells the records from what is beside them, so they are written one by one.
    OneByOne {
        /// How many records.
        records: usize,
    },
    /// A field is found by its position among like elements, and not all records have it.
    PositionalInRecord {
        /// The field.
        field: String,
        /// The first record without it.
        without: Candidate,
    },
    /// A field is something else in some records: no number, date or amount as the shown one is, or one where the shown one is words.
    OtherKind {
        /// The field.
        field: String,
        /// In how many.
        count: usize,
        /// The first of these values.
        value: String,
        /// The record that has it.
        within: Candidate,
    },
    /// In some records a field was taken from another place than in the shown one, since an amount or a date like it stands there alone.
    OtherPlace {
        /// The field.
        field: String,
        /// In how many records.
        count: usize,
        /// The first of the places.
        first: Candidate,
    },
    /// Records that lack a field have a value of its kind elsewhere, where no record with the field has anything.
    Elsewhere {
        /// The field.
        field: String,
        /// In how many records.
        count: usize,
        /// The first of the values.
        first: Candidate,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SingleRecord => write!(f, "no second record was found: the record is the page"),
            Note::Ambiguous { field, candidates } => {
                write!(f, "`{field}` may be any of {} places; {} was taken", candidates.len(), candidates[0].path)
            }
            Note::Positional { field } => {
                write!(
                    f,
                    "`{field}` is found by its position alone: try the rules on other pages, or show a second one"
                )
            }
            Note::OneItem { field } => write!(f, "`{field}` has one item here: nothing beside it is built like it"),
            Note::Rare { field, found, records, .. } => {
                write!(f, "`{field}` was found in {found} of {records} records")
            }
            Note::Unsure { records, others, differs } => write!(
                f,
                "{records} records were found, but there may be {others}: {} `{}` ({})",
                if others > records { "look at" } else { "a doubtful one is" },
                differs.text,
                differs.path
            ),
            Note::LeftOut { count, first, lacks } => {
                let lacks: Vec<String> = lacks.iter().map(|field| format!("`{field}`")).collect();
                let why = if lacks.is_empty() { String::new() } else { format!(": it has no {}", lacks.join(", ")) };
                write!(
                    f,
                    "{count} elements beside the records that have some of the fields were left out, the first `{}` ({}){why}",
                    first.text, first.path
                )
            }
            Note::OneByOne { records } => write!(
                f,
                "no rule tells the {records} records from what is beside them: they are found by their positions on this page alone; \
                 show a second record, or say with `--not` what is none"
            ),
            Note::PositionalInRecord { field, .. } => {
                write!(f, "`{field}` is found by its position alone, and a record that lacks it may give another value")
            }
            Note::Elsewhere { field, count, first } => write!(
                f,
                "`{field}` was not found in {count} records that have a value like it elsewhere, the first `{}` ({}): if that is \
                 meant, show it, too",
                first.text, first.path
            ),
            Note::OtherPlace { field, count, first } => write!(
                f,
                "`{field}` stands at another place in {count} records, the first `{}` ({}): if that is not meant, exclude it with `--not`",
                first.text, first.path
            ),
            Note::OtherKind { field, count, value, .. } => {
                write!(f, "`{field}` is another kind of value in {count} records, the first `{value}`")
            }
        }
    }
}
