//! Filters of jq's over the records of a store.
//!
//! All lists are read into memory, as one tree; what cannot be read is told before the filter runs.

use std::ops::ControlFlow;

use miette::{NamedSource, Report};
use windrow::store::Store;
use windrow::store::jq::{Options, jq};

use super::params::Params;
use super::rows::{Blocks, text_pieces};
use windrow::format::OutputFormat;

use crate::args::QueryArguments;
use crate::output::Console;
use crate::run::Ending;
use windrow::format::printer::{Block, Printer};

/// Why a filter's results are not printed so.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum FilterError {
    #[error("the results of jq are JSON, and no rows")]
    #[diagnostic(code(query::format), help("leave out --format, or say --format json; SQL gives tables and CSV"))]
    NoRows,
}

/// Runs a filter and prints its results.
pub(super) fn run(store: &mut Store, filter: &str, arguments: &QueryArguments) -> Result<Ending, Report> {
    let mut printer = match arguments.format {
        Some(OutputFormat::Json) => Printer::json_array(),
        Some(OutputFormat::JSONL) | None => Printer::plain(),
        Some(_) => return Err(FilterError::NoRows.into()),
    };
    let mut options = Options::new().with_raw(arguments.raw);
    for (name, value) in Params::new(&arguments.params).variables()? {
        options = options.with_variable(name, value);
    }
    if let Some(time) = arguments.time {
        options = options.with_time(time);
    }
    let objects = windrow::query::objects(store).map_err(windrow::stores::report)?;
    let console = Console::new(true);
    let mut blocks = Blocks::new(&console);
    let results = jq(filter, objects, &options, |result| {
        if blocks.add(text_pieces(printer.print(Block::Text(result + "\n")))) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if results.is_ok() {
        blocks.add(text_pieces(printer.end()));
    }
    // What came before it failed is printed all the same.
    blocks.finish()?;
    let results =
        results.map_err(|error| Report::new(error).with_source_code(NamedSource::new("--jq", filter.to_owned())))?;
    Ok(if results > 0 { Ending::Found } else { Ending::Nothing })
}
