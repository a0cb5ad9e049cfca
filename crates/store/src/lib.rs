//! Storage of records in a SQLite file or on a PostgreSQL server: matches them from one run to the next, answers
//! queries, exports.
//!
//! [`Store::keep`] stores the records found on a [`Page`] in tables: one for each list, and one for each list inside
//! its records. [`Store::query`] runs SQL queries, [`Store::records`] returns the records as trees, and
//! [`Store::placed`] adds their places on the page. [`export`] writes records to files, [`jq`] runs filters over them,
//! and [`audits`] stores the findings of audits.
//!
//! The crate knows nothing about HTML or about running wrappers: a wrapper is an opaque text to it, and callers convert
//! extraction results.

pub mod audits;
mod catalogue;
mod changes;
mod crawls;
mod data;
mod database;
mod drift;
mod error;
pub mod export;
mod found;
pub mod jq;
mod keep;
mod names;
mod placed;
mod read;
mod store;
mod versions;

pub use changes::{Change, ChangeKind, Changes, FieldChange};
pub use data::{Column, Kind, Layout, Record, Value};
pub use database::{Answer, Cell, Question, shown};
pub use drift::{FaultKind, Finding, Report};
pub use error::{Error, Result};
pub use found::{Found, FoundValue, Page, Place, content_hash};
pub use keep::Outcome;
pub use placed::Placed;
pub use read::{Form, Which};
pub use store::{Run, Separated, Store};
pub use versions::{SeenPage, Version};
