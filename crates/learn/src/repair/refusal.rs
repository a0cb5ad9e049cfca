//! Why a wrapper was not repaired, and what to know about one that was.

use std::fmt;

use miette::Diagnostic;

/// Why a wrapper was not repaired. A refusal is the usual outcome on a page that no longer shows the records.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no page to repair it with.
    NoPage,
    /// No record is known.
    NothingKnown,
    /// It still gives what is known: there is nothing to repair.
    StillWorks,
    /// The wrapper cannot be run.
    Broken {
        /// What is wrong with it.
        message: String,
    },
    /// None of the known values is on the page.
    NoneFound {
        /// The list.
        list: String,
        /// How many of its records are known.
        known: usize,
    },
    /// Too few of the known records are on the page.
    TooFew {
        /// The list.
        list: String,
        /// How many of its records are known.
        known: usize,
        /// How many of them were found again.
        found: usize,
    },
    /// Known values are on the page, but not in records that are alike.
    NoList {
        /// The list.
        list: String,
        /// How many of its records have values on the page.
        found: usize,
    },
    /// A field that nearly all records had cannot be found again.
    FieldLost {
        /// The list.
        list: String,
        /// The field.
        field: String,
        /// In how many of the records that were found again its known value stands.
        stands: usize,
        /// In how many its value is known.
        known: usize,
    },
    /// A rule that does not find what it should is of a kind that is written by hand.
    ByHand {
        /// The list.
        list: String,
        /// The rule.
        rule: String,
    },
    /// A value that a person showed is not on the page, or not of a field of the page itself.
    NotShown {
        /// The field.
        field: String,
    },
    /// The new rules do not give what is known.
    Disagrees {
        /// The list.
        list: String,
        /// The field; none if it is the records themselves.
        field: Option<String>,
        /// How often they give what is known.
        agreed: usize,
        /// How often that was looked at.
        compared: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoneFound { list, .. } if list.is_empty() => {
                write!(f, "none of the known fields of the page has left a trace on it")
            }
            Refusal::TooFew { list, .. } if list.is_empty() => {
                write!(f, "too few of the known fields of the page are still on it")
            }
            Refusal::NoPage => write!(f, "there is no page to repair it with"),
            Refusal::NothingKnown => write!(f, "no record is known from before"),
            Refusal::StillWorks => write!(f, "the wrapper still gives what is known"),
            Refusal::Broken { message } => write!(f, "the wrapper cannot be run: {message}"),
            Refusal::NoneFound { list, known } => {
                write!(f, "none of the {known} known records of `{list}` has left a trace on the page")
            }
            Refusal::TooFew { list, known, found } => {
                write!(f, "only {found} of the {known} known records of `{list}` are on the page")
            }
            Refusal::NoList { list, found } => {
                write!(f, "values of {found} known records of `{list}` are on the page, but in no list")
            }
            Refusal::FieldLost { list, field, stands, known } => {
                write!(
                    f,
                    "`{list}.{field}` cannot be found again: its known value stands in {stands} of {known} records"
                )
            }
            Refusal::ByHand { list, rule } => write!(f, "`{list}.{rule}` no longer finds what it should"),
            Refusal::NotShown { field } => {
                write!(f, "the value shown for `{field}` was not found as a field of the page")
            }
            Refusal::Disagrees { list, field: Some(field), agreed, compared } => {
                write!(f, "new rules give what is known of `{list}.{field}` only {agreed} times of {compared}")
            }
            Refusal::Disagrees { list, field: None, agreed, compared } => {
                write!(f, "new rules give only {agreed} of {compared} known records of `{list}`")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl Diagnostic for Refusal {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.hint()))
    }
}

impl Refusal {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Refusal::NoPage => "give the page as it is now",
            Refusal::NothingKnown => "keep records with the wrapper while it works: they are what it is repaired from",
            Refusal::StillWorks => "there is nothing to repair",
            Refusal::Broken { .. } => "correct the wrapper first",
            Refusal::TooFew { known: 1, .. } => {
                "it may be another page; if it is the same, show a field as it reads now: --example FIELD=VALUE"
            }
            Refusal::NoneFound { .. } | Refusal::TooFew { .. } | Refusal::NoList { .. } => {
                "the list may be gone or be another one; if it is only renewed, learn a wrapper anew"
            }
            Refusal::FieldLost { .. } => "if the site no longer shows it, make it optional; else show it by an example",
            Refusal::ByHand { .. } => "rules of this kind are not learned: correct it by hand",
            Refusal::NotShown { .. } => {
                "give the text as the page shows it; fields of lists are learned anew: windrow learn --example"
            }
            Refusal::Disagrees { .. } => "show the records by an example, and compare",
        }
    }
}

/// What to know about a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// An optional field that few records had was not found again, and is left out.
    LeftOut {
        /// The list.
        list: String,
        /// The field.
        field: String,
    },
    /// A field of the page was not found for sure, and is left out. A person may show it.
    Dropped {
        /// The list.
        list: String,
        /// The field.
        field: String,
    },
    /// No known value of a field is on the page: it was found by its place and by what its values look like.
    ByLook {
        /// The list.
        list: String,
        /// The field.
        field: String,
    },
    /// Items of a plain list do not stand on the page as they were; texts that have most of their words were taken for them.
    Reworded {
        /// The list.
        list: String,
        /// Number of its items.
        count: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::LeftOut { list, field } => write!(f, "`{list}.{field}` was not found again and is left out"),
            Note::Dropped { list, field } => write!(
                f,
                "`{list}.{field}` was not found for sure and is left out; if the page still has it, show it: \
                 --example {field}=VALUE"
            ),
            Note::ByLook { list, field } => {
                write!(f, "all values of `{list}.{field}` are new: it was found by what they look like")
            }
            Note::Reworded { list, count } => {
                write!(
                    f,
                    "{count} of the known items of `{list}` were found in other words; compare them with the page"
                )
            }
        }
    }
}
