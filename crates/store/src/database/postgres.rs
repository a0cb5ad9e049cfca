//! PostgreSQL: one store for several people.
//!
//! Rows go over in arrays, one statement for a page's records of a list. Writers take turns, by an advisory lock for
//! each transaction, so that two of them cannot make the same record twice.

use std::error::Error as StdError;

use ::postgres::types::{Format, IsNull, ToSql, Type, private::BytesMut};
use ::postgres::{Client, Config, NoTls, error::SqlState, fallible_iterator::FallibleIterator};

use super::{Answer, Cell, Database, Each, Param, Question, SqlType, Target, quoted};
use crate::error::{Error, Result};

/// The lock that writers take: any number that nobody else uses.
const LOCK: i64 = 0x77696e64726f77;
/// Rows that are read at a time.
const ROWS: i32 = 1000;

/// A connection to a server.
pub(crate) struct Postgres {
    client: Client,
}

impl Postgres {
    /// Connects.
    pub(crate) fn open(address: &str) -> Result<Postgres> {
        let config: Config = address
            .parse()
            .map_err(|error: ::postgres::Error| Error::Address { address: shown(address), why: error.to_string() })?;
        let client = config.connect(NoTls)?;
        Ok(Postgres { client })
    }
}

/// An address without its password.
pub fn shown(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    match rest.split_once('@') {
        Some((user, place)) => format!("{scheme}://{}@{place}", user.split(':').next().unwrap_or_default()),
        None => address.to_owned(),
    }
}

/// A value that the server reads from text, whatever type it expects.
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

/// A parameter as text; the server takes no NUL in one.
fn text(param: &Param<'_>) -> Option<String> {
    match param {
        Param::Null => None,
        Param::Int(number) => Some(number.to_string()),
        Param::Text(text) | Param::Number(text) => Some(text.replace('\0', "\u{fffd}")),
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

/// The columns of rows as arrays, each with its cast.
fn arrays(target: &Target, rows: &[Vec<Param<'_>>]) -> Vec<Vec<Option<String>>> {
    (0..target.columns.len()).map(|at| rows.iter().map(|row| text(&row[at])).collect()).collect()
}

fn unnested(target: &Target) -> (String, String) {
    let arrays: Vec<String> = (1..=target.columns.len()).map(|at| format!("${at}::text[]")).collect();
    let names: Vec<String> = (1..=target.columns.len()).map(|at| format!("c{at}")).collect();
    (format!("unnest({}) as u({})", arrays.join(", "), names.join(", ")), names.join(", "))
}

impl Postgres {
    fn written(&mut self, sql: &str, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        let arrays = arrays(target, rows);
        let params: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| array as &(dyn ToSql + Sync)).collect();
        self.client.execute(sql, &params)?;
        Ok(())
    }

    fn answer(&mut self, query: &Question<'_>, answer: &mut dyn Answer) -> Result<()> {
        let fail = |error: ::postgres::Error| complaint(query.sql, error);
        let sql = query.sql.trim().trim_end_matches(';');
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
                hint: Some("--param VALUE gives the next of $1, $2, …".to_owned()),
            });
        }
        // Whatever their types, the values come as text: the query becomes a table whose columns are cast one by one.
        let columns: Vec<String> = (0..names.len()).map(|at| format!("c{at}")).collect();
        let casts: Vec<String> = columns.iter().map(|name| format!("{name}::text")).collect();
        let cast = format!("select {} from ({sql}\n) as q({})", casts.join(", "), columns.join(", "));
        let params: Vec<Any<'_>> = query.params.iter().map(|text| Any(Some(text))).collect();
        let params = params.iter().take(statement.params().len()).map(|param| param as &(dyn ToSql + Sync));
        let params: Vec<&(dyn ToSql + Sync)> = params.collect();
        let prepared = self.client.prepare_typed(&cast, statement.params()).map_err(fail)?;
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

/// A value that came as text.
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

/// What is wrong with a query, and where.
fn complaint(sql: &str, error: ::postgres::Error) -> Error {
    let Some(told) = error.as_db_error() else { return error.into() };
    if *told.code() == SqlState::READ_ONLY_SQL_TRANSACTION {
        return Error::Writes;
    }
    let at = match told.position() {
        // Counted in characters, from 1.
        Some(::postgres::error::ErrorPosition::Original(at)) => {
            sql.char_indices().nth((*at as usize).saturating_sub(1)).map(|(at, _)| at)
        }
        _ => None,
    };
    Error::Query { why: told.message().to_owned(), at, hint: told.hint().map(str::to_owned) }
}

impl Database for Postgres {
    fn type_name(&self, ty: SqlType) -> &'static str {
        type_name(ty)
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        Ok(self.client.batch_execute(sql)?)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let texts: Vec<Option<String>> = params.iter().map(text).collect();
        let params: Vec<Any<'_>> = texts.iter().map(|text| Any(text.as_deref())).collect();
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
        Ok(self.client.execute(sql, &params)?)
    }

    fn select(&mut self, sql: &str, params: &[Param<'_>], each: &mut Each<'_>) -> Result<()> {
        let texts: Vec<Option<String>> = params.iter().map(text).collect();
        let params: Vec<Any<'_>> = texts.iter().map(|text| Any(text.as_deref())).collect();
        let mut rows = self.client.query_raw(sql, params.iter().map(|param| param as &dyn ToSql))?;
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
                self.client.query(&format!("{select} where {by} = any($1::bigint[])"), &[&keys])?
            }
            _ => {
                let keys: Vec<Option<String>> = keys.iter().map(text).collect();
                self.client.query(&format!("{select} where {by} = any($1::text[])"), &[&keys])?
            }
        };
        rows.iter().try_for_each(|row| each(own(row)?))
    }

    fn insert(&mut self, target: &Target, rows: &[Vec<Param<'_>>]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let (from, _) = unnested(target);
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
        let (from, _) = unnested(target);
        let set = target.columns.iter().enumerate().skip(1);
        let set: Vec<String> =
            set.map(|(at, (name, ty))| format!("{} = c{}::{}", quoted(name), at + 1, type_name(*ty))).collect();
        let sql = format!("update {} set {} from {from} where _id = c1::bigint", quoted(&target.table), set.join(", "));
        self.written(&sql, target, rows)
    }

    fn begin(&mut self) -> Result<()> {
        self.batch(&format!("begin; select pg_advisory_xact_lock({LOCK})"))
    }

    fn commit(&mut self) -> Result<()> {
        self.batch("commit")
    }

    fn rollback(&mut self) {
        let _ = self.client.batch_execute("rollback");
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
            (Error::Query { why, .. }, Some(seconds)) if why.contains("statement timeout") => Error::Slow { seconds },
            _ => error,
        })
    }
}

/// A row of a query of our own.
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
