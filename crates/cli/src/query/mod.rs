//! `windrow query`: a store, or pages, asked by SQL or jq.
//!
//! SQL is the database's own and only reads; rows are printed as they come. jq sees all records as one tree, in memory.
//! Pages are asked by keeping what is found on them in a store in memory first.

pub(crate) mod asked;
mod filter;
mod params;
mod rows;

use std::io::{self, IsTerminal};

use miette::Report;
use windrow::format::OutputFormat;
use windrow::monitor::Reports;
use windrow::pages::WrapperReader;
use windrow::store::{Question, Store};
use windrow::stores;
use windrow::wrapper_file::WrapperFile;

use crate::args::QueryArguments;
use crate::output::Console;
use crate::pages;
use crate::run::{Ending, ended, unwritten};

use asked::Stored;
use params::Params;
use rows::Rows;

/// Runs the command.
pub(crate) fn run(arguments: &QueryArguments) -> Ending {
    ended(query(arguments))
}

fn query(arguments: &QueryArguments) -> Result<Ending, Reports> {
    Ok(match &arguments.over {
        Some(rules) => over_pages(arguments, &WrapperFile::open(rules)?)?,
        None => in_store(arguments)?,
    })
}

fn in_store(arguments: &QueryArguments) -> Result<Ending, Report> {
    let help = match arguments.jq {
        Some(_) => "with --jq, the only argument is the store",
        None => "give a store and one query; a query with spaces stands in quotes",
    };
    let Stored { store, other } = Stored::new("query", arguments.store.as_deref(), &arguments.arguments, help)?;
    match (&arguments.jq, other) {
        (Some(filter), None) => filter::run(&mut stores::open_read_only(&store)?, filter, arguments),
        (Some(_), Some(other)) => Err(asked::too_many(other, help)),
        (None, Some(sql)) => {
            let sql = asked::read(&sql)?;
            let params = Params::new(&arguments.params);
            let params = if asked::is_server(&store) { params.all_numbered()? } else { params };
            ask(&mut stores::open_read_only(&store)?, &sql, params, arguments)
        }
        (None, None) => overview(&mut stores::open_read_only(&store)?, format(arguments)),
    }
}

fn over_pages(arguments: &QueryArguments, rules: &WrapperFile) -> Result<Ending, Report> {
    let keeper = windrow::keep::Keeper::new(&rules.extractor.shape());
    let list = keeper.layouts().last().map_or("LIST".to_owned(), |layout| layout.label.replace('.', "_"));
    let (names, sql) = asked::over(arguments, &rules.file.name, &list)?;
    let reader = WrapperReader::new(names, pages::opener(&arguments.reading)?, rules)?;
    let console = Console::new(arguments.reading.quiet);
    let mut kept = windrow::query::keep(&reader, arguments.reading.threads(), &console)?;
    let ending = match &arguments.jq {
        Some(filter) => filter::run(&mut kept.store, filter, arguments)?,
        None => ask(&mut kept.store, &sql, Params::new(&arguments.params), arguments)?,
    };
    Ok(if kept.failed { Ending::Failed } else { ending })
}

/// Prints what SQL gives.
fn ask(store: &mut Store, sql: &str, params: Params, arguments: &QueryArguments) -> Result<Ending, Report> {
    let console = Console::new(true);
    let mut rows = Rows::new(format(arguments), arguments.table.rows, &console);
    let seconds = arguments.time.map(|time| time.as_secs_f64().ceil() as u64);
    let question = Question { sql, params: params.numbered, named: params.named, seconds };
    match store.query(&question, &mut rows) {
        Ok(()) => match rows.finish()? {
            0 => Ok(Ending::Nothing),
            _ => Ok(Ending::Found),
        },
        Err(error) => {
            rows.give_up()?;
            Err(windrow::query::report(error, sql, store))
        }
    }
}

/// Prints the tables of a store.
fn overview(store: &mut Store, format: OutputFormat) -> Result<Ending, Report> {
    let (text, found) = windrow::query::describe(store, format)?;
    crate::fmt::print(&text).map_err(|error| unwritten(&error, None))?;
    Ok(if found { Ending::Found } else { Ending::Nothing })
}

fn format(arguments: &QueryArguments) -> OutputFormat {
    arguments.format.unwrap_or(if io::stdout().is_terminal() { OutputFormat::Table } else { OutputFormat::JSONL })
}
