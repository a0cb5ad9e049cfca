//! SQLite: one file, no set-up.
//!
//! The write-ahead log makes each page atomic even if the program is killed, and allows reading while another program
//! writes. Transactions are not synced to the disk (`synchronous = normal`): a crash of the machine may lose the last
//! pages, but never part of one.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};

use super::query::{allowed, complaint, typed};
use super::{Answer, Cell, Database, Each, Param, Question, SqlType, Target, clean, quoted};
use crate::error::{Error, Result};

/// Time to wait for another writer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Delay between attempts at an operation for which SQLite itself does not wait; writing a page takes about as long.
const RETRY: Duration = Duration::from_millis(5);
/// Number of prepared statements that are kept.
const STATEMENTS: usize = 256;

/// A SQLite file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Opens a file for writing, creating it if it does not exist.
    pub(crate) fn open(path: &Path) -> Result<Sqlite> {
        // The path is a file name and not a URI, even if it looks like one.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| Sqlite::at(path, error.into()))?;
        let sqlite = Sqlite::new(connection);
        let set = || -> Result<()> {
            let connection = &sqlite.connection;
            // Leave files of other programs unchanged.
            let sql = "select count(*) > 0 and sum(name = '_windrow') = 0 from sqlite_master";
            if connection.query_row(sql, [], |row| row.get::<_, Option<bool>>(0))? == Some(true) {
                let why = "it already contains tables of another program".to_owned();
                return Err(Error::Foreign { place: String::new(), why });
            }
            // The page size has no effect once the first table exists.
            connection.pragma_update(None, "page_size", 4096)?;
            sqlite.log_ahead()?;
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "cache_size", -131_072)?;
            connection.pragma_update(None, "wal_autocheckpoint", 8192)?;
            Ok(())
        };
        set().map_err(|error| Sqlite::at(path, error))?;
        Ok(sqlite)
    }

    /// Opens a file for reading.
    pub(crate) fn open_read_only(path: &Path) -> Result<Sqlite> {
        if !path.exists() {
            return Err(Error::Missing { path: path.to_owned() });
        }
        let open = |name: &Path, flags: OpenFlags| -> Result<Sqlite> {
            let sqlite = Sqlite::new(Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?);
            sqlite.connection.pragma_update(None, "query_only", true)?;
            sqlite.connection.pragma_update(None, "cache_size", -131_072)?;
            // Opening alone does not read the file; this query does.
            sqlite.connection.query_row("select count(*) from sqlite_master", [], |_| Ok(()))?;
            Ok(sqlite)
        };
        // SQLite may have to replay the log or rebuild its index, so the connection may write; queries may not.
        open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|error| match Sqlite::unchanging(path) {
                // In a read-only place there is no log and no other writer.
                Some(uri) => open(&uri, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI),
                None => Err(error),
            })
            .map_err(|error| Sqlite::at(path, error))
    }

    /// Turns the write-ahead log on. When two programs do this to a new file at the same time, SQLite does not wait but
    /// rejects one of them at once, since each holds a lock that the other needs. The rejected one retries.
    fn log_ahead(&self) -> Result<()> {
        let start = Instant::now();
        loop {
            match self.connection.query_row("pragma journal_mode = wal", [], |_| Ok(())) {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(RETRY);
                }
                result => return Ok(result?),
            }
        }
    }

    /// Returns the file as a URI that marks it immutable, or `None` if a log stands beside it.
    fn unchanging(path: &Path) -> Option<PathBuf> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let has_log = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        let path = path.canonicalize().ok().filter(|_| !has_log)?;
        let mut uri = String::from("file://");
        for byte in path.to_str()?.bytes() {
            match byte {
                b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => uri.push(byte.into()),
                _ => uri += &format!("%{byte:02X}"),
            }
        }
        Some(PathBuf::from(uri + "?immutable=1"))
    }

    /// Opens a store in memory, for the lifetime of the program.
    pub(crate) fn in_memory() -> Result<Sqlite> {
        Ok(Sqlite::new(Connection::open_in_memory()?))
    }

    fn new(connection: Connection) -> Sqlite {
        let _ = connection.busy_timeout(PATIENCE);
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        Sqlite { connection }
    }

    /// Adds the file's name to an error.
    fn at(path: &Path, error: Error) -> Error {
        match error {
            Error::Foreign { why, .. } => Error::Foreign { place: path.display().to_string(), why },
            other => other,
        }
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Param::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Param::Text(text) => match clean(text) {
                Cow::Borrowed(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
                Cow::Owned(text) => ToSqlOutput::Owned(Value::Text(text)),
            },
            Param::Number(digits) => match digits.parse::<i64>() {
                Ok(number) => ToSqlOutput::Owned(Value::Integer(number)),
                // A number that is too large has no value; its text is stored beside it.
                Err(_) => match digits.parse::<f64>().ok().filter(|number| number.is_finite()) {
                    Some(number) => ToSqlOutput::Owned(Value::Real(number)),
                    None => ToSqlOutput::Borrowed(ValueRef::Null),
                },
            },
        })
    }
}

fn bind(statement: &mut Statement<'_>, params: &[Param<'_>]) -> rusqlite::Result<()> {
    for (at, param) in params.iter().enumerate() {
        statement.raw_bind_parameter(at + 1, param)?;
    }
    Ok(())
}

fn cells(row: &rusqlite::Row<'_>, count: usize) -> rusqlite::Result<Vec<Cell>> {
    (0..count)
        .map(|at| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(number) => Cell::Int(number),
                ValueRef::Real(number) => Cell::Real(number),
                ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
                ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
            })
        })
        .collect()
}

impl Database for Sqlite {
    fn is_server(&self) -> bool {
        false
    }

    fn type_name(&self, ty: SqlType) -> &'static str {
        match ty {
            SqlType::Integer => "integer",
            SqlType::Number => "numeric",
            SqlType::Text | SqlType::Json => "text",
        }
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        Ok(self.connection.execute_batch(sql)?)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let mut statement = self.connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        Ok(statement.raw_execute()? as u64)
    }

    fn select(&mut self, sql: &str, params: &[Param<'_>], each: &mut Each<'_>) -> Result<()> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let count = statement.column_count();
        bind(&mut statement, params)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            each(cells(row, count)?)?;
        }
        Ok(())
    }

    fn lookup(&mut self, select: &str, by: &str, keys: &[Param<'_>], each: &mut Each<'_>) -> Result<()> {
        let mut statement = self.connection.prepare_cached(&format!("{select} where {by} = ?1"))?;
        let count = statement.column_count();
        for key in keys {
            statement.raw_bind_parameter(1, key)?;
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                each(cells(row, count)?)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = target.columns.iter().map(|(name, _)| quoted(name)).collect();
        let marks = vec!["?"; names.len()].join(",");
        let sql = format!("insert into {} ({}) values ({marks})", quoted(&target.table), names.join(","));
        let mut statement = self.connection.prepare_cached(&sql)?;
        for row in rows {
            bind(&mut statement, row)?;
            statement.raw_execute()?;
        }
        Ok(())
    }

    fn update(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let set = target.columns.iter().enumerate().skip(1);
        let set: Vec<String> = set.map(|(at, (name, _))| format!("{} = ?{}", quoted(name), at + 1)).collect();
        let sql = format!("update {} set {} where _id = ?1", quoted(&target.table), set.join(", "));
        let mut statement = self.connection.prepare_cached(&sql)?;
        for row in rows {
            bind(&mut statement, row)?;
            statement.raw_execute()?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        self.execute("begin immediate", &[]).map(drop)
    }

    fn begin_reading(&mut self) -> Result<()> {
        self.execute("begin", &[]).map(drop)
    }

    fn commit(&mut self) -> Result<()> {
        self.execute("commit", &[]).map(drop)
    }

    fn rollback(&mut self) {
        // The rollback fails if the error has already ended the transaction, which is harmless.
        let _ = self.connection.execute_batch("rollback");
    }

    fn index(&mut self, table: &str, column: &str, _: bool) -> Result<()> {
        let name = quoted(&format!("{table}.{column}"));
        let (table, column) = (quoted(table), quoted(column));
        self.batch(&format!("create index if not exists {name} on {table} ({column}) where {column} is not null"))
    }

    fn view(&mut self, name: &str, select: &str) -> Result<()> {
        let name = quoted(name);
        self.batch(&format!("drop view if exists {name}; create view {name} as {select}"))
    }

    fn query(&mut self, query: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        if let Some(seconds) = query.seconds {
            let end = Instant::now() + Duration::from_secs(seconds);
            self.connection.progress_handler(10_000, Some(move || Instant::now() > end))?;
        }
        self.connection.authorizer(Some(allowed))?;
        let result = self.answer(query, answer);
        self.connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
        self.connection.progress_handler(0, None::<fn() -> bool>)?;
        result.map_err(|error| match (&error, query.seconds) {
            (Error::Sqlite(inner), Some(seconds))
                if inner.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) =>
            {
                Error::Slow { seconds }
            }
            _ => error,
        })
    }
}

impl Sqlite {
    fn answer(&mut self, query: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        let mut statement = self.connection.prepare(query.sql).map_err(|error| complaint(query.sql, error))?;
        if !statement.readonly() {
            return Err(Error::Writes);
        }
        if statement.column_count() == 0 {
            return Err(Error::Query {
                why: "the query returns no columns".to_owned(),
                at: None,
                hint: Some("write a query that begins with `select`".to_owned()),
            });
        }
        let wanted = statement.parameter_count();
        for at in 1..=wanted {
            let name =
                statement.parameter_name(at).map(|name| name.trim_start_matches([':', '@', '$', '?']).to_owned());
            let named = name.as_ref().and_then(|name| query.named.iter().find(|(known, _)| known == name));
            let number = name.as_ref().and_then(|name| name.parse::<usize>().ok()).unwrap_or(at);
            let value = named.map(|(_, value)| value).or_else(|| query.params.get(number.wrapping_sub(1)));
            let Some(value) = value else {
                return Err(Error::Query {
                    why: match &name {
                        Some(name) if name.parse::<usize>().is_err() => format!("no value is given for `:{name}`"),
                        _ => format!("no value is given for parameter {number}"),
                    },
                    at: None,
                    hint: Some("pass --param VALUE once for each `?`, or --param NAME=VALUE for `:NAME`".to_owned()),
                });
            };
            statement.raw_bind_parameter(at, typed(value))?;
        }
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        answer.columns(&names);
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(|error| complaint(query.sql, error))? {
            if !answer.row(cells(row, names.len())?) {
                break;
            }
        }
        Ok(())
    }
}
