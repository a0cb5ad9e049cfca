//! Why nothing was learned from a feed.

use std::fmt;

use miette::{Diagnostic, Report};
use windrow::learn::feed::Error;

/// What the learner complains of.
#[derive(Debug)]
struct Complaint(Error);

/// The report of an error.
pub(super) fn report(error: Error) -> Report {
    Report::new(Complaint(error))
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Complaint {}

impl Diagnostic for Complaint {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(match &self.0 {
            Error::NoItems { .. } => "learn::no_items",
            Error::NoPage => "learn::no_page",
            Error::NotTogether { .. } => "learn::not_together",
            Error::NoRules { .. } => "learn::no_rules",
            _ => "learn::failed",
        }))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.hint()))
    }
}
