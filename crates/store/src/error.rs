//! What can go wrong with a store: each says what to do.

use std::path::PathBuf;

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no file.
    #[error("there is no store `{}`", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("`{place}` is not a store of Windrow: {why}")]
    Foreign {
        /// The file, or the database's name.
        place: String,
        /// What it is instead.
        why: String,
    },
    /// It was written by a later version.
    #[error("the store has format {found}, this program knows formats up to {known}")]
    Newer {
        /// Its format.
        found: i64,
        /// The last that is known.
        known: i64,
    },
    /// The address is no address.
    #[error("`{address}` is not the address of a store: {why}")]
    Address {
        /// As it was given, without a password.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The address asks for a connection that nobody can listen to, and there is none.
    #[error("the address asks for TLS (sslmode={mode}), which stores do not speak yet; nothing was sent")]
    Tls {
        /// What it asks for.
        mode: String,
    },
    /// Another program is writing.
    #[error("the store is busy: another program is writing to it")]
    Busy,
    /// A query is not SQL, or asks for what is not there.
    #[error("{why}")]
    Query {
        /// What the database says.
        why: String,
        /// Where in the query, in bytes.
        at: Option<usize>,
        /// What may have been meant.
        hint: Option<String>,
    },
    /// A query that would change something.
    #[error("a query only reads, and this one would write")]
    Writes,
    /// A query that took too long.
    #[error("the query was stopped after {seconds} seconds")]
    Slow {
        /// How long it was given.
        seconds: u64,
    },
    /// There is no such list.
    #[error("the store has no list `{name}`")]
    NoList {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// There is no such wrapper.
    #[error("the store knows no wrapper `{name}`")]
    NoWrapper {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// More columns than a table can have.
    #[error("the list `{list}` has {columns} fields, more than the {most} that are kept")]
    TooWide {
        /// The list.
        list: String,
        /// Its fields.
        columns: usize,
        /// The bound.
        most: usize,
    },
    /// SQLite's own complaint.
    #[error("the database failed: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// PostgreSQL's own complaint.
    #[error("the database failed: {}", told(.0))]
    Postgres(#[source] postgres::Error),
    /// Something is in the store that should not be.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// What PostgreSQL says, with its detail; the crate's own text says only that there was an error.
fn told(error: &postgres::Error) -> String {
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
    /// What it is called in reports: `store::missing`.
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

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Missing { .. } => {
                Some("`windrow extract -w RULES PAGE… --into FILE` makes one; a server's is postgres://…".to_owned())
            }
            Error::Foreign { .. } => Some("give the name of a new file, or of a database of its own".to_owned()),
            Error::Newer { .. } => Some("use a later version of Windrow".to_owned()),
            Error::Address { .. } => {
                Some("a store is a file such as shop.db, or postgres://user:password@host/database".to_owned())
            }
            Error::Tls { .. } => Some(
                "bring the server near: a socket (host=/run/postgresql), or a tunnel (ssh -L 5433:localhost:5432 …)"
                    .to_owned(),
            ),
            Error::Busy => Some("wait until it is done, and try again".to_owned()),
            Error::Query { hint, .. } => hint.clone(),
            Error::Writes => {
                Some("`select …` reads; what is kept changes by `windrow extract --into` alone".to_owned())
            }
            Error::Slow { .. } => Some("ask for less, or allow more time".to_owned()),
            Error::NoList { known, .. } | Error::NoWrapper { known, .. } if known.is_empty() => {
                Some("nothing has been kept in it yet".to_owned())
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
                Error::Foreign { place: "the file".to_owned(), why: "it is no SQLite database".to_owned() }
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

/// The result of what a store does.
pub type Result<T> = std::result::Result<T, Error>;
