//! One interface to the two supported databases.
//!
//! The store's statements are written once, in SQL that both databases understand. Where they differ in more than
//! wording, the trait has a method. For example, many rows are written by one statement with array parameters on a
//! server, where each round trip costs, and by a prepared statement that is run many times on a file.

mod address;
mod postgres;
mod query;
mod sqlite;

use std::borrow::Cow;

pub use self::address::shown;
pub(crate) use self::postgres::Postgres;
pub(crate) use self::sqlite::Sqlite;
use crate::error::Result;

/// A parameter of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Param<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
    /// Decimal digits.
    Number(Cow<'a, str>),
}

impl<'a> Param<'a> {
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Param<'a> {
        Param::Text(text.into())
    }

    pub(crate) fn maybe(text: Option<impl Into<Cow<'a, str>>>) -> Param<'a> {
        text.map_or(Param::Null, |text| Param::Text(text.into()))
    }
}

impl From<i64> for Param<'_> {
    fn from(number: i64) -> Self {
        Param::Int(number)
    }
}

/// A value in the result of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// The SQL null value.
    Null,
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Real(f64),
    /// An exact number as decimal digits.
    Number(String),
    /// A Boolean; only PostgreSQL has these.
    Bool(bool),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Cell {
    pub(crate) fn int(&self) -> Option<i64> {
        match self {
            Cell::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Cell::Text(text) | Cell::Number(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the digits of a number, or a text.
    pub(crate) fn into_digits(self) -> Option<String> {
        match self {
            Cell::Int(number) => Some(number.to_string()),
            // `to_string` gives the shortest digits that identify the number, never an exponent.
            Cell::Real(number) => Some(number.to_string()),
            other => other.into_text(),
        }
    }
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SqlType {
    Integer,
    Number,
    Text,
    Json,
}

/// A table and the columns that a batch of rows sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) table: String,
    /// Columns; the first one is `_id`.
    pub(crate) columns: Vec<(String, SqlType)>,
}

/// Callback that receives each row.
pub(crate) type Each<'f> = dyn FnMut(Vec<Cell>) -> Result<()> + 'f;

/// A database.
pub(crate) trait Database: Send {
    /// Reports whether it is a server; some statements differ.
    fn is_server(&self) -> bool;
    /// Returns the SQL name of a type.
    fn type_name(&self, ty: SqlType) -> &'static str;
    /// Runs statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<()>;
    /// Runs one statement and returns the number of rows it changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64>;
    /// Runs an internal query, whose columns are integers and texts.
    fn select(&mut self, sql: &str, params: &[Param<'_>], each: &mut Each<'_>) -> Result<()>;
    /// Runs `select` with the condition that `by` equals one of `keys`: once for all keys, or once for each.
    fn lookup(&mut self, select: &str, by: &str, keys: &[Param<'_>], each: &mut Each<'_>) -> Result<()>;
    /// Inserts rows.
    fn insert(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()>;
    /// Updates rows, each identified by its first value.
    fn update(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()>;
    /// Begins a write transaction; waits until no other writer has one.
    fn begin(&mut self) -> Result<()>;
    /// Begins a read transaction on a snapshot of the current data.
    fn begin_reading(&mut self) -> Result<()>;
    /// Commits the transaction.
    fn commit(&mut self) -> Result<()>;
    /// Rolls the transaction back.
    fn rollback(&mut self);
    /// Creates an index on a column. `is_ordered` says that its values are short and may be queried by range.
    fn index(&mut self, table: &str, column: &str, is_ordered: bool) -> Result<()>;
    /// Creates or replaces a view; columns may only be added.
    fn view(&mut self, name: &str, select: &str) -> Result<()>;
    /// Runs a user's query: passes the column names to `each` first, then the rows.
    fn query(&mut self, query: &Question<'_>, each: &mut dyn Answer) -> Result<()>;
}

/// A user's query.
#[derive(Debug, Clone, Default)]
pub struct Question<'a> {
    /// The statement.
    pub sql: &'a str,
    /// Values for the positional parameters `?` or `$1`, in order.
    pub params: Vec<String>,
    /// Values for the named parameters `:name` (SQLite only; a server numbers its parameters).
    pub named: Vec<(String, String)>,
    /// Time limit in seconds; none means no limit.
    pub seconds: Option<u64>,
}

/// Receiver of a query's result.
pub trait Answer {
    /// Receives the column names, before the first row.
    fn columns(&mut self, names: &[String]);
    /// Receives a row. Returns false to stop the query.
    fn row(&mut self, cells: Vec<Cell>) -> bool;
}

/// Quotes an SQL identifier.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Replaces NUL characters, which PostgreSQL rejects and which end strings in some functions of SQLite.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.as_bytes().contains(&0) { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Returns the first cell of the first row.
pub(crate) fn one(database: &mut dyn Database, sql: &str, params: &[Param<'_>]) -> Result<Option<Cell>> {
    let mut found = None;
    database.select(sql, params, &mut |row| {
        if found.is_none() {
            found = row.into_iter().next();
        }
        Ok(())
    })?;
    Ok(found)
}
