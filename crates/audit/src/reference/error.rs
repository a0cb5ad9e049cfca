//! Errors of reference tables.

use std::io;
use std::path::{Path, PathBuf};

/// Error of reading or using a reference table.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("the file `{}` does not exist", path.display())]
    #[diagnostic(
        code(audit::reference::missing),
        help("a table is FILE.csv, FILE.parquet, FILE.db#TABLE or postgres://user@host/database#TABLE")
    )]
    Missing {
        /// Expected path of the file.
        path: PathBuf,
    },
    /// The file could not be read.
    #[error("`{}` could not be read: {source}", path.display())]
    #[diagnostic(code(audit::reference::file))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A row of a CSV file has more or fewer cells than there are columns.
    #[error("`{}`, line {line}, column {column}: the row has {found} cells, but the table has {expected} columns", path.display())]
    #[diagnostic(code(audit::reference::ragged), help("{hint}"))]
    Ragged {
        /// Path of the file.
        path: PathBuf,
        /// Line, from 1, at which the row ends too early or becomes too long.
        line: usize,
        /// Character in that line, from 1.
        column: usize,
        /// Number of cells in the row.
        found: usize,
        /// Number of columns.
        expected: usize,
        /// Suggested correction.
        hint: String,
    },
    /// The file is not valid in its encoding.
    #[error("`{}`, line {line}, column {column}: the text is not valid {encoding}", path.display())]
    #[diagnostic(code(audit::reference::encoding), help("specify the file's encoding, or save it as UTF-8"))]
    Encoding {
        /// Path of the file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Character in that line, from 1.
        column: usize,
        /// Encoding that was detected or specified.
        encoding: String,
    },
    /// The encoding is unknown.
    #[error("unknown encoding `{name}`")]
    #[diagnostic(code(audit::reference::encoding_name), help("use a name such as utf-8, windows-1252, gbk, shift_jis"))]
    NoEncoding {
        /// Requested name.
        name: String,
    },
    /// The file is not a table.
    #[error("`{}` is not a table: it is neither text nor Parquet nor an SQLite database", path.display())]
    #[diagnostic(code(audit::reference::binary))]
    Binary {
        /// Path of the file.
        path: PathBuf,
    },
    /// The table has no rows.
    #[error("`{name}` has no rows")]
    #[diagnostic(
        code(audit::reference::empty),
        help("an audit against an empty table would report every record as missing")
    )]
    Empty {
        /// Name of the table.
        name: String,
    },
    /// The table exceeds a limit.
    #[error("`{name}` has more than {most} {what}")]
    #[diagnostic(
        code(audit::reference::too_large),
        help("leave out rows or columns that no rule needs, for instance with a query")
    )]
    TooLarge {
        /// Name of the table.
        name: String,
        /// Unit of the limit.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// Required columns are missing.
    #[error("`{name}` has no column {}", quoted(missing))]
    #[diagnostic(code(audit::reference::columns), help("{}", columns_help(missing, near, present)))]
    Columns {
        /// Name of the table.
        name: String,
        /// Missing columns.
        missing: Vec<String>,
        /// For each of them, the most similar existing column.
        near: Vec<Option<String>>,
        /// Existing columns.
        present: Vec<String>,
    },
    /// The database has no such table.
    #[error("`{place}` has no table `{table}`")]
    #[diagnostic(code(audit::reference::table), help("{}", table_help(near.as_deref(), known)))]
    Table {
        /// Name of the database.
        place: String,
        /// Requested table.
        table: String,
        /// Most similar existing table.
        near: Option<String>,
        /// Existing tables.
        known: Vec<String>,
    },
    /// The database has several tables, and none was named.
    #[error("`{place}` has {} tables, and none was named", known.len())]
    #[diagnostic(code(audit::reference::which_table), help("write {place}#TABLE; {}", table_help(None, known)))]
    WhichTable {
        /// Name of the database.
        place: String,
        /// Existing tables.
        known: Vec<String>,
    },
    /// The database rejected the query.
    #[error("`{place}`: {why}")]
    #[diagnostic(code(audit::reference::query), help("the query was: {query}"))]
    Query {
        /// Name of the database.
        place: String,
        /// The query.
        query: String,
        /// Message of the database.
        why: String,
    },
    /// A database or Parquet file could not be read.
    #[error("`{place}` could not be read: {why}")]
    #[diagnostic(code(audit::reference::database))]
    Database {
        /// The file, or the server's address without its password.
        place: String,
        /// Message of the reader.
        why: String,
    },
}

impl Error {
    pub(super) fn file(path: &Path, source: io::Error) -> Error {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::NotFound { Error::Missing { path } } else { Error::File { path, source } }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Joins names, up to a limit.
fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let more = names.len().saturating_sub(MOST);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}

fn columns_help(missing: &[String], near: &[Option<String>], present: &[String]) -> String {
    let offers: Vec<String> = std::iter::zip(missing, near)
        .filter_map(|(missing, near)| {
            near.as_ref().map(|near| format!("did you mean `{near}` instead of `{missing}`? "))
        })
        .collect();
    format!("{}it has {}", offers.concat(), listed(present))
}

fn table_help(near: Option<&str>, known: &[String]) -> String {
    match near {
        _ if known.is_empty() => "it has no tables".to_owned(),
        Some(near) => format!("did you mean `{near}`? it has {}", listed(known)),
        None => format!("it has {}", listed(known)),
    }
}
