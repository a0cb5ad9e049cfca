//! Reference tables, read from a file or a database, with which records are compared.
//!
//! A [`Source`] is written as one text, and [`Reference::open`] reads the whole table:
//!
//! | source | meaning |
//! |---|---|
//! | `register.csv` | CSV; the delimiter (`,` `;` tab `\|`) and the encoding are detected (`csv.rs`) |
//! | `register.parquet` | Parquet; columns of any plain type, converted to text (`parquet.rs`) |
//! | `register.db#drugs` | a table or view of an SQLite file; `#drugs` may be left out if there is only one (`sqlite.rs`) |
//! | `postgres://user@host/database#drugs` | a table or view of a PostgreSQL server, also `schema.drugs` (`postgres.rs`) |
//! | `register.db#select code, name from drugs` | the result of a query on either database: any text that begins with
//! `select`, `with` or `values` |
//!
//! The type of a file is determined by its first bytes, whatever its name; the name only decides whether a `#` belongs
//! to it.
//!
//! All sources become a [`Reference`]: column names and cells of text (`table.rs`), limited in rows and bytes by
//! [`Options`]. Every [`Error`] names the place of the problem. A table without rows is an error, too, since every
//! record would be reported as missing from it.

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
