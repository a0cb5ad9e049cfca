//! Stores: opened by their address, and their errors told.

use std::fmt;

use miette::{Diagnostic, Report};
use windrow::store::{Error, Store};

/// An error of a store, with what to do about it.
#[derive(Debug)]
struct Told(Error);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Told {}

impl Diagnostic for Told {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.0.code()))
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.0.hint().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }
}

/// An error of a store as it is told.
pub(crate) fn report(error: Error) -> Report {
    Report::new(Told(error))
}

/// Opens a store to write to it; a file is made if there is none.
pub(crate) fn open(address: &str) -> Result<Store, Report> {
    Store::open(address).map_err(report)
}

/// Opens a store to write to it, which must be there.
pub(crate) fn open_existing(address: &str) -> Result<Store, Report> {
    Store::open_existing(address).map_err(report)
}

/// Opens a store to read from it.
pub(crate) fn open_read_only(address: &str) -> Result<Store, Report> {
    Store::open_read_only(address).map_err(report)
}
