//! `windrow select`: what expressions find on pages, as matches or as rows.
//!
//! Matches of different expressions do not belong together just because they have the same number, so they are never put
//! side by side: without `--each` every match is a row of its own. `--each` says what does belong together.

mod cell;
mod query;
mod render;

use miette::{Diagnostic, NamedSource, Report};
use windrow::xpath::{Environment, EvalError};
use windrow::{Document, Node, Value};

use crate::args::SelectArguments;
use crate::pages::Page;
use crate::run::{self, Ending, Rendered};
use cell::{Found, Show};
use query::{Column, Query};
use render::{Finds, Renderer};

/// Runs the command.
pub(crate) fn run(arguments: &SelectArguments) -> Ending {
    let query = match Query::new(arguments) {
        Ok(query) => query,
        Err(report) => {
            run::tell_error(&report);
            return Ending::Failed;
        }
    };
    if !arguments.reading.quiet {
        query.hints().iter().for_each(|hint| run::tell(hint));
    }
    let show = Show::new(arguments);
    let renderer = Renderer::new(&query, show, arguments.format);
    run::over_pages(&query.pages, &arguments.reading, renderer.printer(), |page| {
        let finds = find(&query, page, show)?;
        Ok(Rendered { found: finds.any(), block: renderer.render(&page.name, &finds) })
    })
}

fn find(query: &Query, page: &Page, show: Show) -> Result<Finds, Report> {
    let document = &page.document;
    let Some(each) = &query.each else {
        let matches = query.columns.iter().map(|column| {
            let value = evaluate(column, page, document.root().into())?;
            Ok(Found::new(document, value, show, usize::MAX))
        });
        return Ok(Finds::Matches(matches.collect::<Result<_, Report>>()?));
    };
    let value = evaluate(each, page, document.root().into())?;
    let Value::Nodes(records) = value else {
        return Err(failed(each, page, EvalError::NotNodes { found: value.type_name() }));
    };
    let rows = records.into_iter().map(|record| row(query, page, record, show));
    Ok(Finds::Records(rows.collect::<Result<_, Report>>()?))
}

fn row(query: &Query, page: &Page, record: Node, show: Show) -> Result<Vec<Found>, Report> {
    let cell = |column: &Column| {
        let value = evaluate(column, page, record)?;
        Ok(Found::new(&page.document, value, show, if column.list { usize::MAX } else { 1 }))
    };
    query.columns.iter().map(cell).collect()
}

fn evaluate(column: &Column, page: &Page, context: Node) -> Result<Value, Report> {
    let document: &Document = &page.document;
    column.expr.evaluate_with(document, context, &Environment::new()).map_err(|error| failed(column, page, error))
}

/// An expression that gives nothing on one page.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("cannot evaluate `{column}` on `{page}`")]
#[diagnostic(code(select::evaluation))]
struct EvaluationError {
    column: String,
    page: String,
    #[source_code]
    expression: NamedSource<String>,
    #[source]
    #[diagnostic_source]
    cause: EvalError,
}

fn failed(column: &Column, page: &Page, cause: EvalError) -> Report {
    let expression = NamedSource::new("expression", column.expr.source().to_owned());
    EvaluationError { column: column.name.clone(), page: page.name.clone(), expression, cause }.into()
}
