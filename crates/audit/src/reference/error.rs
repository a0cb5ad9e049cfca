//! Why a reference table cannot be read: what is wrong, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// Why a reference table cannot be read, or not be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// There is no such file.
    #[error("there is no file `{}`", path.display())]
    #[diagnostic(
        code(audit::reference::missing),
        help("a table is FILE.csv, FILE.parquet, FILE.db#TABLE or postgres://user@host/database#TABLE")
    )]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("`{}` cannot be read: {source}", path.display())]
    #[diagnostic(code(audit::reference::file))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row of a CSV file has more or fewer cells than there are columns.
    #[error("`{}`, line {line}, column {column}: the row has {found} cells, and there are {expected} columns", path.display())]
    #[diagnostic(code(audit::reference::ragged), help("{hint}"))]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from one, where the row ends too soon or goes on too long.
        line: usize,
        /// The character in that line, from one.
        column: usize,
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
        /// What may be the matter.
        hint: String,
    },
    /// A file is not text in the encoding that it has or should have.
    #[error("`{}`, line {line}, column {column}: this is not {encoding}", path.display())]
    #[diagnostic(code(audit::reference::encoding), help("say which encoding it has, or save it as UTF-8"))]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// The character in that line, from one.
        column: usize,
        /// What it was taken for.
        encoding: String,
    },
    /// An encoding that there is not.
    #[error("there is no encoding `{name}`")]
    #[diagnostic(code(audit::reference::encoding_name), help("such as utf-8, windows-1252, gbk, shift_jis"))]
    NoEncoding {
        /// What was asked for.
        name: String,
    },
    /// A file is no table at all.
    #[error("`{}` is no table: it is neither text nor Parquet nor an SQLite database", path.display())]
    #[diagnostic(code(audit::reference::binary))]
    Binary {
        /// The file.
        path: PathBuf,
    },
    /// There are no rows.
    #[error("`{name}` has no rows")]
    #[diagnostic(code(audit::reference::empty), help("against an empty table every record would be found missing"))]
    Empty {
        /// The table.
        name: String,
    },
    /// There is more than was allowed.
    #[error("`{name}` has more than {most} {what}")]
    #[diagnostic(
        code(audit::reference::too_large),
        help("leave out rows or columns that no rule needs, for instance with a query")
    )]
    TooLarge {
        /// The table.
        name: String,
        /// Of what.
        what: &'static str,
        /// The bound.
        most: usize,
    },
    /// Columns that are asked for are not there.
    #[error("`{name}` has no column {}", quoted(missing))]
    #[diagnostic(code(audit::reference::columns), help("{}", columns_help(missing, near, present)))]
    Columns {
        /// The table.
        name: String,
        /// Those that are missing.
        missing: Vec<String>,
        /// For each of them, the present one that is most like it.
        near: Vec<Option<String>>,
        /// Those that are present.
        present: Vec<String>,
    },
    /// A database has no such table.
    #[error("`{place}` has no table `{table}`")]
    #[diagnostic(code(audit::reference::table), help("{}", table_help(near.as_deref(), known)))]
    Table {
        /// The database.
        place: String,
        /// What was asked for.
        table: String,
        /// The one that is most like it.
        near: Option<String>,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A database has several tables, and none was named.
    #[error("`{place}` has {} tables: say which", known.len())]
    #[diagnostic(code(audit::reference::which_table), help("write {place}#TABLE; {}", table_help(None, known)))]
    WhichTable {
        /// The database.
        place: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A query that the database does not take.
    #[error("`{place}`: {why}")]
    #[diagnostic(code(audit::reference::query), help("the query was: {query}"))]
    Query {
        /// The database.
        place: String,
        /// The query.
        query: String,
        /// What the database says.
        why: String,
    },
    /// A database, or a Parquet file, that cannot be read.
    #[error("`{place}` cannot be read: {why}")]
    #[diagnostic(code(audit::reference::database))]
    Database {
        /// The file, or the server's address without a password.
        place: String,
        /// What its reader says.
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

/// Names, but not more of them than help.
fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    let more = names.len().saturating_sub(MOST);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}

fn columns_help(missing: &[String], near: &[Option<String>], present: &[String]) -> String {
    let offers: Vec<String> = std::iter::zip(missing, near)
        .filter_map(|(missing, near)| near.as_ref().map(|near| format!("by `{missing}`, `{near}` may be meant; ")))
        .collect();
    format!("{}it has {}", offers.concat(), listed(present))
}

fn table_help(near: Option<&str>, known: &[String]) -> String {
    match near {
        _ if known.is_empty() => "it has no tables".to_owned(),
        Some(near) => format!("`{near}` may be meant; it has {}", listed(known)),
        None => format!("it has {}", listed(known)),
    }
}
