//! Errors of the store, each with a hint.

use std::path::PathBuf;

/// Error of a store operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("the store `{}` does not exist", path.display())]
    Missing {
        /// Expected path of the file.
        path: PathBuf,
    },
    /// The file or database belongs to another program.
    #[error("`{place}` is not a Windrow store: {why}")]
    Foreign {
        /// File name, or name of the database.
        place: String,
        /// Reason it is not a store.
        why: String,
    },
    /// The store was written by a later version of the program.
    #[error("the store has format {found}, but this version of Windrow reads formats up to {known} only")]
    Newer {
        /// Format of the store.
        found: i64,
        /// Latest format that this program knows.
        known: i64,
    },
    /// The address cannot be parsed.
    #[error("`{address}` is not a valid store address: {why}")]
    Address {
        /// Address as given, without its password.
        address: String,
        /// Reason from the parser.
        why: String,
    },
    /// The address asks for TLS, which is not supported.
    #[error("the address asks for TLS (sslmode={mode}), which is not supported yet; no connection was made")]
    Tls {
        /// Requested `sslmode`.
        mode: String,
    },
    /// Another program is writing to the store.
    #[error("the store is busy: another program is writing to it")]
    Busy,
    /// A query is not valid SQL, or refers to tables or columns that do not exist.
    #[error("{why}")]
    Query {
        /// Message of the database.
        why: String,
        /// Byte offset of the error in the query.
        at: Option<usize>,
        /// Suggestion for a correct query.
        hint: Option<String>,
    },
    /// A query would modify the store.
    #[error("the query would modify the store; queries may only read")]
    Writes,
    /// A query took too long.
    #[error("the query was stopped because it took longer than {seconds} seconds")]
    Slow {
        /// Time limit.
        seconds: u64,
    },
    /// The store has no such list.
    #[error("the store has no list `{name}`")]
    NoList {
        /// Requested name.
        name: String,
        /// Names of the existing lists.
        known: Vec<String>,
    },
    /// The store has no such wrapper.
    #[error("the store has no wrapper `{name}`")]
    NoWrapper {
        /// Requested name.
        name: String,
        /// Names of the existing wrappers.
        known: Vec<String>,
    },
    /// A list has more columns than a table can hold.
    #[error("the list `{list}` has {columns} fields, but a list in a store can have at most {most}")]
    TooWide {
        /// Label of the list.
        list: String,
        /// Number of its fields.
        columns: usize,
        /// Largest number of fields.
        most: usize,
    },
    /// Error reported by SQLite.
    #[error("the database failed: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// Error reported by PostgreSQL.
    #[error("the database failed: {}", server_message(.0))]
    Postgres(#[source] postgres::Error),
    /// The store's own tables have invalid contents.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// Returns the server's message with its detail; the crate's own text only says that there was an error.
fn server_message(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => match error.detail() {
            Some(detail) => format!("{} ({detail})", error.message()),
            None => error.message().to_owned(),
        },
        None => match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        },
    }
}

impl Error {
    /// Returns the error's code, as printed in reports: `store::missing`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Missing { .. } => "store::missing",
            Error::Foreign { .. } => "store::foreign",
            Error::Newer { .. } => "store::newer",
            Error::Address { .. } => "store::address",
            Error::Busy => "store::busy",
            Error::Query { .. } => "query::wrong",
            Error::Writes => "query::writes",
            Error::Slow { .. } => "query::slow",
            Error::NoList { .. } => "store::no_list",
            Error::NoWrapper { .. } => "store::no_wrapper",
            Error::TooWide { .. } => "store::too_wide",
            _ => "store::failed",
        }
    }

    /// Returns a hint on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Missing { .. } => {
                Some("`windrow extract -w RULES PAGE… --into FILE` creates a store; a store on a server has an address such as postgres://…".to_owned())
            }
            Error::Foreign { .. } => Some("give the name of a new file, or of an empty database".to_owned()),
            Error::Newer { .. } => Some("upgrade Windrow".to_owned()),
            Error::Address { .. } => {
                Some("a store is a file such as shop.db, or postgres://user:password@host/database".to_owned())
            }
            Error::Tls { .. } => Some(
                "connect through a local socket (host=/run/postgresql) or a tunnel (ssh -L 5433:localhost:5432 …)"
                    .to_owned(),
            ),
            Error::Busy => Some("wait until the other program has finished, then try again".to_owned()),
            Error::Query { hint, .. } => hint.clone(),
            Error::Writes => {
                Some("use `select …`; only `windrow extract --into` changes a store".to_owned())
            }
            Error::Slow { .. } => Some("narrow the query, or allow more time".to_owned()),
            Error::NoList { known, .. } | Error::NoWrapper { known, .. } if known.is_empty() => {
                Some("the store is still empty".to_owned())
            }
            Error::NoList { known, .. } | Error::NoWrapper { known, .. } => {
                Some(format!("it has {}", known.join(", ")))
            }
            Error::TooWide { .. } => Some("split the list in two, or leave fields out".to_owned()),
            Error::Damaged(_) | Error::Sqlite(_) | Error::Postgres(_) => None,
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, NotADatabase};
        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Error::Busy,
            Some(NotADatabase) => {
                Error::Foreign { place: "the file".to_owned(), why: "it is not a SQLite database".to_owned() }
            }
            _ => Error::Sqlite(error),
        }
    }
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Error {
        match error.code() {
            Some(&postgres::error::SqlState::LOCK_NOT_AVAILABLE) => Error::Busy,
            _ => Error::Postgres(error),
        }
    }
}

/// Result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;
