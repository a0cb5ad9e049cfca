//! The records of one list as rows, page by page: what tables, data frames and Arrow batches are made of.
//!
//! A wrapper of a detail page gives one row for each page, with the lists of the page inside; any other wrapper gives a row for each
//! record of one of its lists, the first unless another is named.
//!
//! ```
//! use windrow::rows::Rows;
//! use windrow::store::Value;
//! use windrow::{Extractor, Format, Page};
//!
//! let rules = "[list.ads]\nrecords = \"li\"\nfield = { title = \"b\" }";
//! let extractor = Extractor::new(&windrow::read_wrapper(rules, Format::Toml)?)?;
//! let rows = Rows::new(&extractor.shape(), None).unwrap();
//! let extraction = extractor.extract(Page::from_text("ads.html", "<ul><li><b>Rake</b><li><b>Twine</b></ul>"));
//! let records: Vec<_> = rows.found(&extraction).into_iter().map(|found| rows.record("ads.html", found)).collect();
//! assert_eq!(records[1].values, [Value::Text("Twine".to_owned())]);
//! # Ok::<(), windrow::WrapperErrors>(())
//! ```
//!
//! Linear in the objects of an extraction.

use windrow_store::{Found, Layout, Record};
use windrow_wrapper::{Extraction, Shape};

use crate::keep::Keeper;

/// Turns extractions of one wrapper into the rows of one list.
#[derive(Debug)]
pub struct Rows {
    keeper: Keeper,
    /// The number of the list; none if a row is a page.
    list: Option<usize>,
}

impl Rows {
    /// Makes rows of this list; without a name, of the pages if the wrapper has fields outside of lists, else of its first list.
    /// None if there is no such list.
    pub fn new(shapes: &[Shape], list: Option<&str>) -> Option<Rows> {
        let keeper = Keeper::new(shapes);
        let root = keeper.root();
        let list = match list {
            Some(name) if name == root.label && !root.columns.is_empty() => None,
            Some(name) => Some(root.lists.iter().position(|list| list.label == name)?),
            None if root.columns.is_empty() && root.lists.is_empty() => return None,
            None => root.columns.is_empty().then_some(0),
        };
        Some(Rows { keeper, list })
    }

    /// Returns the names that [`Rows::new`] takes for a wrapper.
    pub fn names(shapes: &[Shape]) -> Vec<String> {
        let keeper = Keeper::new(shapes);
        let root = keeper.root();
        let own = (!root.columns.is_empty()).then(|| root.label.clone());
        own.into_iter().chain(root.lists.iter().map(|list| list.label.clone())).collect()
    }

    /// The columns of a row.
    pub fn layout(&self) -> &Layout {
        let root = self.keeper.root();
        self.list.map_or(root, |list| &root.lists[list])
    }

    /// Returns the rows of one page, each value with its place.
    pub fn found(&self, extraction: &Extraction) -> Vec<Found> {
        let mut whole = self.keeper.whole(extraction);
        match self.list {
            Some(list) => whole.lists.swap_remove(list),
            None if extraction.has_values() => vec![whole],
            None => Vec::new(),
        }
    }

    /// Returns a row without the places of its values.
    pub fn record(&self, page: &str, found: Found) -> Record {
        record(self.layout(), page, found)
    }
}

fn record(layout: &Layout, page: &str, found: Found) -> Record {
    let mut values: Vec<_> = found.values.into_iter().map(|found| found.value).collect();
    values.resize_with(layout.columns.len(), Default::default);
    let mut lists: Vec<Vec<Record>> = layout
        .lists
        .iter()
        .zip(found.lists)
        .map(|(layout, list)| list.into_iter().map(|found| record(layout, page, found)).collect())
        .collect();
    lists.resize_with(layout.lists.len(), Vec::new);
    Record { page: page.to_owned(), values, lists, ..Record::default() }
}
