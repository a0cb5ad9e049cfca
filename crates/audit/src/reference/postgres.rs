//! PostgreSQL: a table, a view or a query, read in a read-only transaction.
//!
//! Rows are read through a cursor, a thousand at a time, in the text form that the server produces for values of any
//! type.

use std::time::Duration;

use ::postgres::error::SqlState;
use ::postgres::{Client, Config, NoTls, SimpleQueryMessage, Transaction};

use super::error::Error;
use super::near::nearest;
use super::open::{Options, Rows};
use super::source::{Part, shown};
use super::sqlite::quoted;
use super::table::Reference;

/// Time limit for connecting.
const PATIENCE: Duration = Duration::from_secs(10);
/// Query for the tables that a user can name; those in other schemas include the schema.
const TABLES: &str = "select case when table_schema = current_schema() then table_name \
                      else table_schema || '.' || table_name end as name from information_schema.tables \
                      where table_schema not in ('pg_catalog', 'information_schema') order by 1";

/// Reads a part of a database.
pub(super) fn read(name: &str, address: &str, part: &Part, options: &Options) -> Result<Reference, Error> {
    let place = shown(address);
    let failed = |error: ::postgres::Error| Error::Database { place: place.clone(), why: server_message(&error) };
    let mut config: Config = address.parse().map_err(failed)?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    let mut client = config.connect(NoTls).map_err(failed)?;
    let query = match part {
        Part::Query(sql) => sql.clone(),
        Part::Table(table) => format!("select * from {}", path(table)),
        Part::Only => match tables(&mut client).map_err(failed)?.as_slice() {
            [only] => format!("select * from {}", path(only)),
            known => return Err(Error::WhichTable { place, known: known.to_vec() }),
        },
    };
    let mut transaction = client.build_transaction().read_only(true).start().map_err(failed)?;
    // Uses the extended protocol, which permits only a single statement, whatever the query contains.
    let declared = transaction.execute(&format!("declare rows no scroll cursor for {query}"), &[]);
    match declared {
        Ok(_) => fetch(name, &mut transaction, options, |error| Error::Query {
            place: place.clone(),
            query: query.clone(),
            why: server_message(&error),
        }),
        Err(error) => {
            drop(transaction);
            match part {
                Part::Table(table) if absent(&error) => {
                    let known = tables(&mut client).map_err(failed)?;
                    let near = nearest(table, known.iter().map(String::as_str)).map(str::to_owned);
                    Err(Error::Table { place, table: table.clone(), near, known })
                }
                _ => Err(Error::Query { place, query, why: server_message(&error) }),
            }
        }
    }
}

fn fetch(
    name: &str,
    transaction: &mut Transaction<'_>,
    options: &Options,
    failed: impl Fn(::postgres::Error) -> Error,
) -> Result<Reference, Error> {
    let mut rows: Option<Rows> = None;
    loop {
        let mut more = false;
        for message in transaction.simple_query("fetch 1000 from rows").map_err(&failed)? {
            match message {
                SimpleQueryMessage::RowDescription(columns) if rows.is_none() => {
                    let names = columns.iter().map(|column| column.name().to_owned());
                    rows = Some(Rows::new(name, names, options)?);
                }
                SimpleQueryMessage::Row(row) => {
                    let Some(rows) = &mut rows else { continue };
                    (0..rows.columns()).try_for_each(|column| rows.cell(row.get(column).unwrap_or_default()))?;
                    rows.end()?;
                    more = true;
                }
                _ => {}
            }
        }
        if !more {
            return rows.map_or_else(|| Rows::new(name, [], options), Ok).map(Rows::done);
        }
    }
}

fn tables(client: &mut Client) -> Result<Vec<String>, ::postgres::Error> {
    client.query(TABLES, &[])?.iter().map(|row| row.try_get(0)).collect()
}

/// Quotes a table name with an optional schema.
fn path(table: &str) -> String {
    table.split('.').map(quoted).collect::<Vec<_>>().join(".")
}

fn absent(error: &::postgres::Error) -> bool {
    let absent = [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME];
    error.code().is_some_and(|code| absent.contains(code))
}

/// Returns the server's message; the crate's own text only says that there was an error.
fn server_message(error: &::postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(error), _) => error.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}
