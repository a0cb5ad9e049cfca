//! PostgreSQL: one store shared by several users.
//!
//! Rows are sent as arrays, one statement for all of a page's records in a list. Writers take turns by an advisory lock
//! held for each transaction, so that two of them cannot create the same record.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error as StdError;

use ::postgres::types::{Format, IsNull, ToSql, Type, private::BytesMut};
use ::postgres::{Client, NoTls, Statement, error::SqlState, fallible_iterator::FallibleIterator};

use super::{Answer, Cell, Database, Each, Param, Question, SqlType, Target, address, clean, quoted};
use crate::error::{Error, Result};

/// Key of the advisory lock that writers take; arbitrary, but unlikely to be used by others.
const LOCK: i64 = 0x77696e64726f77;
/// Seconds to wait for another writer.
const PATIENCE: u32 = 60;
/// Number of prepared statements that are kept.
const STATEMENTS: usize = 256;
/// Number of rows fetched at a time.
const ROWS: i32 = 1000;

/// A connection to a server.
pub(crate) struct Postgres {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    /// Connects to a server.
    pub(crate) fn open(address: &str) -> Result<Postgres> {
        let mut client = address::config(address)?.connect(NoTls)?;
        // Set explicitly, whatever the server's defaults: writers take turns, and each sees what the previous one
        // wrote.
        client.batch_execute(&format!(
            "set session characteristics as transaction isolation level read committed; set lock_timeout = '{PATIENCE}s'"
        ))?;
        Ok(Postgres { client, statements: HashMap::new() })
    }

    /// Prepares an internal statement, or returns the prepared one.
    fn prepared(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if self.statements.len() >= STATEMENTS {
            self.statements.clear();
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// A value sent as text, which the server converts to the expected type.
#[derive(Debug)]
struct Any<'a>(Option<&'a str>);

impl ToSql for Any<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self.0 {
            Some(text) => {
                out.extend_from_slice(text.as_bytes());
                Ok(IsNull::No)
            }
            None => Ok(IsNull::Yes),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    fn to_sql_checked(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        self.to_sql(ty, out)
    }
}

/// Returns a parameter as text.
fn text<'p>(param: &'p Param<'_>) -> Option<Cow<'p, str>> {
    match param {
        Param::Null => None,
        Param::Int(number) => Some(number.to_string().into()),
        Param::Text(text) | Param::Number(text) => Some(clean(text)),
    }
}

fn type_name(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Integer => "bigint",
        SqlType::Number => "numeric",
        SqlType::Text => "text",
        SqlType::Json => "jsonb",
    }
}

/// Returns the columns of the rows as arrays of texts.
fn arrays<'p>(target: &Target, rows: &'p [Vec<Param<'_>>]) -> Vec<Vec<Option<Cow<'p, str>>>> {
    (0..target.columns.len()).map(|at| rows.iter().map(|row| text(&row[at])).collect()).collect()
}

fn unnested(target: &Target) -> String {
    let arrays: Vec<String> = (1..=target.columns.len()).map(|at| format!("${at}::text[]")).collect();
    let names: Vec<String> = (1..=target.columns.len()).map(|at| format!("c{at}")).collect();
    format!("unnest({}) as u({})", arrays.join(", "), names.join(", "))
}

impl Postgres {
    fn written(&mut self, sql: &str, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        let arrays = arrays(target, rows);
        let params: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| array as &(dyn ToSql + Sync)).collect();
        let statement = self.prepared(sql)?;
        self.client.execute(&statement, &params)?;
        Ok(())
    }

    fn answer(&mut self, query: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        let sql = query.sql.trim_end().trim_end_matches(';');
        let fail = |error: ::postgres::Error| complaint(sql, 0, error);
        // Prepare the bare statement first: anything but a single complete statement is rejected here, so it cannot
        // break out of the subquery that is put around it below.
        let statement = self.client.prepare(sql).map_err(fail)?;
        let names: Vec<String> = statement.columns().iter().map(|column| column.name().to_owned()).collect();
        let types: Vec<Type> = statement.columns().iter().map(|column| column.type_().clone()).collect();
        if names.is_empty() {
            return Err(Error::Writes);
        }
        if statement.params().len() > query.params.len() {
            return Err(Error::Query {
                why: format!("no value is given for parameter {}", query.params.len() + 1),
                at: None,
                hint: Some("pass --param VALUE once for each of $1, $2, …".to_owned()),
            });
        }
        // The query becomes a subquery whose columns are cast to text one by one, so all values arrive as text whatever
        // their types.
        let columns: Vec<String> = (0..names.len()).map(|at| format!("c{at}")).collect();
        let casts: Vec<String> = columns.iter().map(|name| format!("{name}::text")).collect();
        let before = format!("select {} from (", casts.join(", "));
        let cast = format!("{before}{sql}\n) as q({})", columns.join(", "));
        let params: Vec<Any<'_>> = query.params.iter().map(|text| Any(Some(text))).collect();
        let params = params.iter().take(statement.params().len()).map(|param| param as &(dyn ToSql + Sync));
        let params: Vec<&(dyn ToSql + Sync)> = params.collect();
        let prepared = self.client.prepare_typed(&cast, statement.params());
        let prepared = prepared.map_err(|error| match error.code() {
            // Statements that return columns but cannot be a subquery: `show`, `explain`, `insert … returning`.
            Some(&SqlState::SYNTAX_ERROR | &SqlState::FEATURE_NOT_SUPPORTED) => Error::Writes,
            _ => complaint(sql, before.chars().count(), error),
        })?;
        answer.columns(&names);
        let mut transaction = self.client.build_transaction().read_only(true).start()?;
        let portal = transaction.bind(&prepared, &params).map_err(fail)?;
        loop {
            let rows = transaction.query_portal(&portal, ROWS).map_err(fail)?;
            for row in &rows {
                let cell = |at: usize| read(&types[at], row.get::<_, Option<String>>(at));
                if !answer.row((0..names.len()).map(cell).collect()) {
                    return Ok(());
                }
            }
            if rows.len() < ROWS as usize {
                return Ok(());
            }
        }
    }
}

/// Converts a value that arrived as text.
fn read(ty: &Type, text: Option<String>) -> Cell {
    let Some(text) = text else { return Cell::Null };
    match *ty {
        Type::BOOL => Cell::Bool(text == "true" || text == "t"),
        Type::INT2 | Type::INT4 | Type::INT8 => text.parse().map_or(Cell::Text(text), Cell::Int),
        Type::FLOAT4 | Type::FLOAT8 => text.parse().map_or(Cell::Text(text), Cell::Real),
        Type::NUMERIC => Cell::Number(text),
        _ => Cell::Text(text),
    }
}

/// Converts a query's error, with its position in the query.
fn complaint(sql: &str, before: usize, error: ::postgres::Error) -> Error {
    let Some(told) = error.as_db_error() else { return error.into() };
    if *told.code() == SqlState::READ_ONLY_SQL_TRANSACTION {
        return Error::Writes;
    }
    if *told.code() == SqlState::QUERY_CANCELED {
        return error.into();
    }
    let at = match told.position() {
        // The server counts in characters, from 1.
        Some(::postgres::error::ErrorPosition::Original(at)) => {
            (*at as usize).checked_sub(1 + before).and_then(|at| Some(sql.char_indices().nth(at)?.0))
        }
        _ => None,
    };
    Error::Query { why: told.message().to_owned(), at, hint: told.hint().map(str::to_owned) }
}

impl Database for Postgres {
    fn is_server(&self) -> bool {
        true
    }

    fn type_name(&self, ty: SqlType) -> &'static str {
        type_name(ty)
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        Ok(self.client.batch_execute(sql)?)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let texts: Vec<Option<Cow<'_, str>>> = params.iter().map(text).collect();
        let params: Vec<Any<'_>> = texts.iter().map(|text| Any(text.as_deref())).collect();
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        let statement = self.prepared(sql)?;
        Ok(self.client.execute(&statement, &params)?)
    }

    fn select(&mut self, sql: &str, params: &[Param<'_>], each: &mut Each<'_>) -> Result<()> {
        let texts: Vec<Option<Cow<'_, str>>> = params.iter().map(text).collect();
        let params: Vec<Any<'_>> = texts.iter().map(|text| Any(text.as_deref())).collect();
        let statement = self.prepared(sql)?;
        let mut rows = self.client.query_raw(&statement, params.iter().map(|param| param as &dyn ToSql))?;
        while let Some(row) = rows.next()? {
            each(own(&row)?)?;
        }
        Ok(())
    }

    fn lookup(&mut self, select: &str, by: &str, keys: &[Param<'_>], each: &mut Each<'_>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        let rows = match keys[0] {
            Param::Int(_) => {
                let keys: Vec<i64> =
                    keys.iter().filter_map(|key| if let Param::Int(key) = key { Some(*key) } else { None }).collect();
                let statement = self.prepared(&format!("{select} where {by} = any($1::bigint[])"))?;
                self.client.query(&statement, &[&keys])?
            }
            _ => {
                let keys: Vec<Option<Cow<'_, str>>> = keys.iter().map(text).collect();
                let statement = self.prepared(&format!("{select} where {by} = any($1::text[])"))?;
                self.client.query(&statement, &[&keys])?
            }
        };
        rows.iter().try_for_each(|row| each(own(row)?))
    }

    fn insert(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let from = unnested(target);
        let names: Vec<String> = target.columns.iter().map(|(name, _)| quoted(name)).collect();
        let casts = target.columns.iter().enumerate().map(|(at, (_, ty))| format!("c{}::{}", at + 1, type_name(*ty)));
        let casts: Vec<String> = casts.collect();
        let table = quoted(&target.table);
        let sql = format!("insert into {table} ({}) select {} from {from}", names.join(", "), casts.join(", "));
        self.written(&sql, target, rows)
    }

    fn update(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let from = unnested(target);
        let set = target.columns.iter().enumerate().skip(1);
        let set: Vec<String> =
            set.map(|(at, (name, ty))| format!("{} = c{}::{}", quoted(name), at + 1, type_name(*ty))).collect();
        let sql = format!("update {} set {} from {from} where _id = c1::bigint", quoted(&target.table), set.join(", "));
        self.written(&sql, target, rows)
    }

    fn begin(&mut self) -> Result<()> {
        self.batch(&format!("begin; select pg_advisory_xact_lock({LOCK})"))
    }

    fn begin_reading(&mut self) -> Result<()> {
        self.batch("begin isolation level repeatable read, read only")
    }

    fn commit(&mut self) -> Result<()> {
        self.batch("commit")
    }

    fn rollback(&mut self) {
        let _ = self.client.batch_execute("rollback");
    }

    fn index(&mut self, table: &str, column: &str, is_ordered: bool) -> Result<()> {
        let (table, column) = (quoted(table), quoted(column));
        // A B-tree rejects keys longer than a third of its page, as some addresses are. The server chooses the index's
        // name: a name made of table and column could exceed its limit.
        let kind = if is_ordered { "btree" } else { "hash" };
        self.batch(&format!("create index on {table} using {kind} ({column}) where {column} is not null"))
    }

    fn view(&mut self, name: &str, select: &str) -> Result<()> {
        self.batch(&format!("create or replace view {} as {select}", quoted(name)))
    }

    fn query(&mut self, query: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        let milliseconds = query.seconds.unwrap_or(0).saturating_mul(1000);
        self.batch(&format!("set statement_timeout = {milliseconds}"))?;
        let result = self.answer(query, answer);
        let _ = self.client.batch_execute("set statement_timeout = 0");
        result.map_err(|error| match (&error, query.seconds) {
            (Error::Postgres(inner), Some(seconds)) if inner.code() == Some(&SqlState::QUERY_CANCELED) => {
                Error::Slow { seconds }
            }
            _ => error,
        })
    }
}

/// Converts a row of an internal query.
fn own(row: &::postgres::Row) -> Result<Vec<Cell>> {
    let cell = |at: usize| -> Result<Cell> {
        Ok(match *row.columns()[at].type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map_or(Cell::Null, Cell::Int),
            Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map_or(Cell::Null, |number| Cell::Int(number.into())),
            Type::BOOL => row.try_get::<_, Option<bool>>(at)?.map_or(Cell::Null, Cell::Bool),
            _ => row.try_get::<_, Option<String>>(at)?.map_or(Cell::Null, Cell::Text),
        })
    };
    (0..row.len()).map(cell).collect()
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Postgres")
    }
}
