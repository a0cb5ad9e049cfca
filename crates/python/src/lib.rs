//! The Python package of Windrow: PyO3 glue and nothing else.
//!
//! Every class stands on a type of the crate `windrow`; what a method does is done there. Work on pages releases the interpreter's
//! lock. Types are described in `python/windrow/_windrow.pyi`, which the tests hold against this module.

mod errors;
mod learn;
mod notebook;
mod page;
mod selector;
mod store;
mod table;
mod values;
mod wrapper;

use pyo3::prelude::*;

/// The module `windrow._windrow`.
#[pymodule]
mod _windrow {
    #[pymodule_export]
    use crate::errors::{
        FeedError, LearnError, PageError, RepairRefused, SelectorError, StoreError, WindrowError, WrapperError,
    };
    #[pymodule_export]
    use crate::learn::learn;
    #[pymodule_export]
    use crate::page::{Node, Page, PageReader, fetch, read_feed, read_pages};
    #[pymodule_export]
    use crate::selector::Selector;
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::table::{Row, Table};
    #[pymodule_export]
    use crate::wrapper::Wrapper;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
