//! Questions to a store, or to pages that are kept in one for as long as the program runs.

pub mod catalogue;
pub mod cells;
mod complaint;
mod over;
mod overview;

use crate::store::jq::Objects;
use crate::store::{Form, Layout, Store, Which};
use crate::stores::short_name;

pub use self::complaint::report;
pub use self::over::{PageStore, keep};
pub use self::overview::describe;

/// Reads the present records of a store as one tree, each list under its short name.
///
/// # Errors
///
/// The store failed.
pub fn objects(store: &mut Store) -> crate::store::Result<Objects> {
    let layouts = store.layouts();
    let mut objects = Objects::new();
    for layout in &layouts {
        let named = Layout { label: short_name(&layout.label, &layouts).to_owned(), ..layout.clone() };
        let mut list = objects.list(&named);
        store.records(&layout.label, Which::Present, Form::Typed, |record| {
            list.push(&record);
            true
        })?;
    }
    Ok(objects)
}
