//! Filters of jq's over the records of a store.
//!
//! All lists are read into memory, as one tree; what cannot be read is told before the filter runs.

use std::ops::ControlFlow;

use miette::{NamedSource, Report};
use windrow::store::jq::{Objects, Options, jq};
use windrow::store::{Form, Layout, Store, Which};

use super::params::Params;
use super::rows::Blocks;
use crate::args::{QueryArguments, QueryFormat};
use crate::printer::{Block, Printer};
use crate::run::Ending;

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
        Some(QueryFormat::Json) => Printer::json_array(),
        Some(QueryFormat::Jsonl) | None => Printer::plain(),
        Some(QueryFormat::Table | QueryFormat::Csv) => return Err(FilterError::NoRows.into()),
    };
    let mut options = Options::new().with_raw(arguments.raw);
    for (name, value) in Params::new(&arguments.params).variables()? {
        options = options.with_variable(name, value);
    }
    if let Some(time) = arguments.time {
        options = options.with_time(time);
    }
    let objects = read(store).map_err(crate::store::report)?;
    let mut blocks = Blocks::new();
    let results = jq(filter, objects, &options, |result| match blocks.add(printer.print(Block::Text(result + "\n"))) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    if results.is_ok() {
        blocks.add(printer.end());
    }
    // What came before it failed is printed all the same.
    blocks.finish()?;
    let results =
        results.map_err(|error| Report::new(error).with_source_code(NamedSource::new("--jq", filter.to_owned())))?;
    Ok(if results > 0 { Ending::Found } else { Ending::Nothing })
}

/// The records that are there, each list under its name.
fn read(store: &mut Store) -> windrow::store::Result<Objects> {
    let layouts = store.layouts();
    let mut objects = Objects::new();
    for layout in &layouts {
        let named = Layout { label: short_name(&layout.label, &layouts).to_owned(), ..layout.clone() };
        let mut list = objects.list(&named);
        store.records(&layout.label, Which::Present, Form::Typed, |record| {
            list.push(&record);
            true
        })?;
    }
    Ok(objects)
}

/// What a list is called for short: of `root.temperature.city_temp`, whose groups are there once a page and tell nothing,
/// `city_temp`, if no other list is called so.
pub(crate) fn short_name<'a>(label: &'a str, layouts: &[Layout]) -> &'a str {
    let last = |label: &'a str| label.rsplit('.').next().unwrap_or(label);
    let same = |layout: &&Layout| layout.label == last(label) || layout.label.ends_with(&format!(".{}", last(label)));
    match layouts.iter().filter(same).count() {
        0 | 1 => last(label),
        _ => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_short_names_if_nobody_else_has_them() {
        let layouts = |labels: &[&str]| -> Vec<Layout> {
            labels.iter().map(|label| Layout { label: (*label).to_owned(), ..Layout::default() }).collect()
        };
        assert_eq!(short_name("root.days.city_temp", &layouts(&["page", "root.days.city_temp"])), "city_temp");
        assert_eq!(short_name("a.ads", &layouts(&["a.ads", "b.ads"])), "a.ads");
        assert_eq!(short_name("a.ads", &layouts(&["a.ads", "ads"])), "a.ads");
        assert_eq!(short_name("ads", &layouts(&["ads", "loads"])), "ads");
    }
}
