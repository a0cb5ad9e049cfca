//! SQLite: a table, a view or a query of a file, which is only read.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::error::Error;
use super::near::nearest;
use super::open::{Options, Rows};
use super::source::Part;
use super::table::Reference;

/// Reads a file.
pub(super) fn read(name: &str, path: &Path, part: &Part, options: &Options) -> Result<Reference, Error> {
    let place = path.display().to_string();
    let failed = |error: rusqlite::Error| Error::Database { place: place.clone(), why: error.to_string() };
    // SQLite may have to replay a log, so the connection may write; the queries may not.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))
        .map_err(failed)?;
    connection.pragma_update(None, "query_only", true).map_err(failed)?;
    // Prevents views of an untrusted file from calling unsafe functions.
    connection.pragma_update(None, "trusted_schema", false).map_err(failed)?;
    let sql = match part {
        Part::Query(sql) => sql.clone(),
        Part::Table(table) => {
            let known = tables(&connection).map_err(failed)?;
            // SQLite ignores the case of table names.
            if !known.iter().any(|known| known.eq_ignore_ascii_case(table)) {
                let near = nearest(table, known.iter().map(String::as_str)).map(str::to_owned);
                return Err(Error::Table { place, table: table.clone(), near, known });
            }
            format!("select * from {}", quoted(table))
        }
        Part::Only => match tables(&connection).map_err(failed)?.as_slice() {
            [only] => format!("select * from {}", quoted(only)),
            known => return Err(Error::WhichTable { place, known: known.to_vec() }),
        },
    };
    let refused =
        |error: rusqlite::Error| Error::Query { place: place.clone(), query: sql.clone(), why: error.to_string() };
    let mut statement = connection.prepare(&sql).map_err(refused)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = Rows::new(name, columns, options)?;
    let mut found = statement.query([]).map_err(refused)?;
    while let Some(row) = found.next().map_err(refused)? {
        for column in 0..rows.columns() {
            match row.get_ref(column).map_err(refused)? {
                ValueRef::Null => rows.cell("")?,
                ValueRef::Integer(number) => rows.cell(&number.to_string())?,
                ValueRef::Real(number) => rows.cell(&number.to_string())?,
                ValueRef::Text(text) => rows.cell(&String::from_utf8_lossy(text))?,
                // Bytes that are not text count as no value.
                ValueRef::Blob(bytes) => rows.cell(std::str::from_utf8(bytes).unwrap_or_default())?,
            }
        }
        rows.end()?;
    }
    Ok(rows.done())
}

/// Returns the tables and views of a file by name.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' \
               order by name";
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Quotes an SQL identifier.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
