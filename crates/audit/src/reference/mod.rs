//! Tables of reference: what records are held against, read from a file or a database.
//!
//! A [`Source`] is written as one text, and [`Reference::open`] reads it whole:
//!
//! | written | is |
//! |---|---|
//! | `register.csv` | CSV; the delimiter (`,` `;` tab `\|`) and the encoding are found out (`csv.rs`) |
//! | `register.parquet` | Parquet; columns of any plain type, as text (`parquet.rs`) |
//! | `register.db#drugs` | a table or view of an SQLite file; `#drugs` may be left out if there is only one (`sqlite.rs`) |
//! | `postgres://user@host/database#drugs` | a table or view of a PostgreSQL server, also `schema.drugs` (`postgres.rs`) |
//! | `register.db#select code, name from drugs` | the same two, by a query: whatever begins with `select`, `with` or `values` |
//!
//! What a file is its first bytes say, whatever it is called; its name says only whether a `#` belongs to it.
//!
//! All become one [`Reference`]: names of columns and cells of text (`table.rs`), bounded in rows and bytes by [`Options`].
//! Whatever is wrong with a table is an [`Error`] that says where; a table without rows is one, too, since every record
//! would be found missing from it.

mod csv;
mod error;
mod near;
mod open;
mod parquet;
mod postgres;
mod source;
mod sqlite;
mod table;

pub use self::error::Error;
pub use self::open::Options;
pub use self::source::{Part, Source};
pub use self::table::Reference;
