//! The two databases behind one small door.
//!
//! What the store does to a page is written once, in statements that both understand; where they differ in more than
//! words, the door has a method: many rows at a time are one statement with arrays on a server, where a round trip
//! costs, and a prepared statement run many times in a file, where it does not.

mod address;
mod postgres;
mod query;
mod sqlite;

use std::borrow::Cow;

pub use self::address::shown;
pub(crate) use self::postgres::Postgres;
pub(crate) use self::sqlite::Sqlite;
use crate::error::Result;

/// A value for a statement.
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

/// A value of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Decimal digits.
    Number(String),
    /// A truth value, which PostgreSQL has.
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

    /// The digits of a number, or a text.
    pub(crate) fn into_digits(self) -> Option<String> {
        match self {
            Cell::Int(number) => Some(number.to_string()),
            // As few digits as tell it from its neighbours, and never an exponent.
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

/// The rows of one table that are written alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) table: String,
    /// Their columns; the first is `_id`.
    pub(crate) columns: Vec<(String, SqlType)>,
}

/// What is called with each row.
pub(crate) type Each<'f> = dyn FnMut(Vec<Cell>) -> Result<()> + 'f;

/// A database.
pub(crate) trait Database: Send {
    /// Whether it is a server: some statements differ.
    fn is_server(&self) -> bool;
    /// What a type is called.
    fn type_name(&self, ty: SqlType) -> &'static str;
    /// Runs statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<()>;
    /// Runs one statement; how many rows it changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64>;
    /// Runs a query of our own, whose columns are whole numbers and texts.
    fn select(&mut self, sql: &str, params: &[Param<'_>], each: &mut Each<'_>) -> Result<()>;
    /// Runs `select`, once for all `keys` or once for each: its condition ends with `by` being one of them.
    fn lookup(&mut self, select: &str, by: &str, keys: &[Param<'_>], each: &mut Each<'_>) -> Result<()>;
    /// Adds rows.
    fn insert(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()>;
    /// Changes rows, each found by its first value.
    fn update(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()>;
    /// Begins what will be kept whole or not at all; no other writer comes between.
    fn begin(&mut self) -> Result<()>;
    /// Begins to read what is there now, whatever is written meanwhile.
    fn begin_reading(&mut self) -> Result<()>;
    /// Keeps it.
    fn commit(&mut self) -> Result<()>;
    /// Forgets it.
    fn rollback(&mut self);
    /// Makes an index of a column whose values may be long, or are ordered and short.
    fn index(&mut self, table: &str, column: &str, is_ordered: bool) -> Result<()>;
    /// Writes a view, whose columns may only have grown.
    fn view(&mut self, name: &str, select: &str) -> Result<()>;
    /// Runs a query of somebody else's: names of the columns first, then the rows.
    fn query(&mut self, query: &Question<'_>, each: &mut dyn Answer) -> Result<()>;
}

/// A query of somebody else's.
#[derive(Debug, Clone, Default)]
pub struct Question<'a> {
    /// The statement.
    pub sql: &'a str,
    /// Values for `?` or `$1`, in order.
    pub params: Vec<String>,
    /// Values for `:name`. (In SQLite only; a server numbers them.)
    pub named: Vec<(String, String)>,
    /// After how many seconds it is stopped; never if none is given.
    pub seconds: Option<u64>,
}

/// Who is told the rows of an answer.
pub trait Answer {
    /// The columns' names, before the first row.
    fn columns(&mut self, names: &[String]);
    /// A row. False if no more are wanted.
    fn row(&mut self, cells: Vec<Cell>) -> bool;
}

/// A name in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text without NUL, which a server does not take, and at which functions of SQLite end.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    match text.as_bytes().contains(&0) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(text.replace('\0', "\u{fffd}")),
    }
}

/// The first cell of the first row.
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
