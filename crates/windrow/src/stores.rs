//! Stores: opened by their address, and their errors told.

use std::fmt;

use crate::store::{Error, Layout, Store};
use miette::{Diagnostic, Report};

/// An error of a store, with what to do about it.
#[derive(Debug)]
struct StoreReport(Error);

impl fmt::Display for StoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for StoreReport {}

impl Diagnostic for StoreReport {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.0.code()))
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.0.hint().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }
}

/// An error of a store as it is told.
pub fn report(error: Error) -> Report {
    Report::new(StoreReport(error))
}

/// Opens a store to write to it; a file is made if there is none.
pub fn open(address: &str) -> Result<Store, Report> {
    Store::open(address).map_err(report)
}

/// Opens a store to write to it, which must be there.
pub fn open_existing(address: &str) -> Result<Store, Report> {
    Store::open_existing(address).map_err(report)
}

/// Opens a store to read from it.
pub fn open_read_only(address: &str) -> Result<Store, Report> {
    Store::open_read_only(address).map_err(report)
}

/// Returns the short name of a list: of `root.temperature.city_temp`, whose groups are there once a page, `city_temp`, if no
/// other list is called so.
pub fn short_name<'a>(label: &'a str, layouts: &[Layout]) -> &'a str {
    let last = |label: &'a str| label.rsplit('.').next().unwrap_or(label);
    let same = |layout: &&Layout| layout.label == last(label) || layout.label.ends_with(&format!(".{}", last(label)));
    match layouts.iter().filter(same).count() {
        0 | 1 => last(label),
        _ => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_short_names_if_nobody_else_has_them() {
        let layouts = |labels: &[&str]| -> Vec<Layout> {
            labels.iter().map(|label| Layout { label: (*label).to_owned(), ..Layout::default() }).collect()
        };
        assert_eq!(short_name("root.days.city_temp", &layouts(&["page", "root.days.city_temp"])), "city_temp");
        assert_eq!(short_name("a.ads", &layouts(&["a.ads", "b.ads"])), "a.ads");
        assert_eq!(short_name("a.ads", &layouts(&["a.ads", "ads"])), "a.ads");
        assert_eq!(short_name("ads", &layouts(&["ads", "loads"])), "ads");
    }
}
