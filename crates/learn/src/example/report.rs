//! The report of a lesson: what was found, what was left out, and the one question whose answer helps most.
//!
//! One example leaves questions open. Each note says what may be wrong; the question names the record that would settle the weightiest
//! of them, so that a person need not compare all the records with the page.

use std::fmt;

use super::Lesson;
use super::error::{Candidate, Note};
use crate::labels::{Coverage, Labels, coverage};

/// The result of learning, and its doubts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Number of records found on the pages with examples.
    pub records: usize,
    /// The fields, as they were shown.
    pub fields: Vec<FieldReport>,
    /// Elements beside the records that were left out, though they have some of the fields.
    pub left_out: Option<LeftOut>,
    /// The record that would settle what one example leaves open.
    pub question: Option<Question>,
}

/// One field of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldReport {
    /// Its name.
    pub name: String,
    /// In how many records it is.
    pub values: usize,
    /// Its rule goes by position.
    pub positional: bool,
    /// In how many records its value is of another kind than the shown one, and the first of these values.
    pub other_kind: Option<(usize, String)>,
}

/// Elements that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Their number.
    pub count: usize,
    /// The first of them.
    pub first: Candidate,
    /// The shown fields that it lacks.
    pub lacks: Vec<String>,
}

/// A question about one element of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// True if it is a record.
    IsRecord {
        /// The element.
        at: Candidate,
        /// True if it was taken for one.
        taken: bool,
    },
    /// The rule of a field in a record.
    Field {
        /// The field.
        field: String,
        /// The record.
        record: Candidate,
    },
}

impl Question {
    /// Returns the element that it is about.
    pub fn at(&self) -> &Candidate {
        match self {
            Question::IsRecord { at, .. } => at,
            Question::Field { record, .. } => record,
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Candidate { text, path, .. } = self.at();
        match self {
            Question::IsRecord { taken: true, .. } => {
                write!(
                    f,
                    "is this a record: `{text}` ({path})? If not, exclude it with `--not`; if it is, show its fields, too"
                )
            }
            Question::IsRecord { taken: false, .. } => {
                write!(f, "is this also a record: `{text}` ({path})? If it is, show its fields, too")
            }
            Question::Field { field, .. } => {
                write!(f, "what is `{field}` here: `{text}` ({path})? Show the fields of this record, too")
            }
        }
    }
}

impl Lesson {
    /// Returns what was found and what is doubtful.
    pub fn report(&self) -> Report {
        let is_positional = |name: &str| {
            self.notes.iter().any(|note| match note {
                Note::Positional { field } | Note::PositionalInRecord { field, .. } => field == name,
                _ => false,
            })
        };
        let other_kind = |name: &str| {
            self.notes.iter().find_map(|note| match note {
                Note::OtherKind { field, count, value, .. } if field == name => Some((*count, value.clone())),
                _ => None,
            })
        };
        let field = |Coverage { field, records }: Coverage| FieldReport {
            values: records,
            positional: is_positional(&field),
            other_kind: other_kind(&field),
            name: field,
        };
        let left_out = self.notes.iter().find_map(|note| match note {
            Note::LeftOut { count, first, lacks } => {
                Some(LeftOut { count: *count, first: first.clone(), lacks: lacks.clone() })
            }
            _ => None,
        });
        let question = self.notes.iter().filter_map(question).min_by_key(|(order, _)| *order);
        Report {
            records: self.labels.iter().map(Labels::count).sum(),
            fields: coverage(&self.labels).into_iter().map(field).collect(),
            left_out,
            question: question.map(|(_, question)| question),
        }
    }
}

/// Returns the question that a note raises, with its place in the order in which they are asked: which records there are comes before
/// what is in them, and a value that is there before one that may be missing.
fn question(note: &Note) -> Option<(usize, Question)> {
    let field = |field: &String, record: &Candidate| Question::Field { field: field.clone(), record: record.clone() };
    Some(match note {
        Note::Unsure { records, others, differs } => {
            (0, Question::IsRecord { at: differs.clone(), taken: others < records })
        }
        Note::LeftOut { first, .. } => (1, Question::IsRecord { at: first.clone(), taken: false }),
        Note::Elsewhere { field: name, first, .. } | Note::OtherPlace { field: name, first, .. } => {
            (2, field(name, first))
        }
        Note::OtherKind { field: name, within, .. } => (3, field(name, within)),
        Note::Rare { field: name, without, .. } => (4, field(name, without)),
        Note::PositionalInRecord { field: name, without } => (5, field(name, without)),
        _ => return None,
    })
}
