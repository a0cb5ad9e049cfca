//! Records kept: in a SQLite file or on a PostgreSQL server, matched from one day to the next, queried and exported.
//!
//! [`Store::keep`] takes what was found on a [`Page`] and makes tables of it: one for each list, one more for each list
//! inside its records. [`Store::query`] answers SQL, [`Store::records`] hands the records back as trees, and
//! [`Store::placed`] with where they stood.
//! [`export`] writes them to files, [`jq`] runs filters over them; [`audits`] keeps what was found wrong with them.
//!
//! The crate knows nothing of HTML or of how wrappers are run: the texts of wrappers are texts to it, and whoever has an
//! extraction converts it.

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
pub use drift::{Finding, Report, What};
pub use error::{Error, Result};
pub use found::{Found, FoundValue, Page, Place, content_hash};
pub use keep::Outcome;
pub use placed::Placed;
pub use read::{Form, Which};
pub use store::{Run, Separated, Store};
pub use versions::{Seen, Version};
