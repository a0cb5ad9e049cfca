//! `windrow select`: what expressions find on pages, as matches or as rows.
//!
//! Matches of different expressions do not belong together just because they have the same number, so they are never put
//! side by side: without `--each` every match is a row of its own. `--each` says what does belong together.

mod query;
mod render;

use miette::Report;
use windrow::xpath::Environment;
use windrow::{Node, Value};

use crate::args::SelectArguments;
use crate::pages::Page;
use crate::run::{self, Ending, Rendered};
use query::{Column, Query};
use render::{Finds, Renderer};
use windrow::select::{MatchParts, Matches, ValueForm};

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
    let show = parts(arguments);
    let renderer = Renderer::new(&query, show, arguments.format, arguments.table.rows);
    run::over_pages(&query.pages, &arguments.reading, renderer.printer(), |page| {
        let finds = find(&query, page, show)?;
        Ok(Rendered::new(renderer.render(&page.name, &finds), finds.any()))
    })
}

/// Returns the parts of every match that the command line asks for.
fn parts(arguments: &SelectArguments) -> MatchParts {
    let form = match arguments {
        SelectArguments { html: true, .. } => ValueForm::Html,
        SelectArguments { inner_html: true, .. } => ValueForm::InnerHtml,
        SelectArguments { raw: true, .. } => ValueForm::Raw,
        _ => ValueForm::Text,
    };
    MatchParts { form, path: arguments.path, span: arguments.span }
}

fn find(query: &Query, page: &Page, show: MatchParts) -> Result<Finds, Report> {
    let document = &page.document;
    let root = document.root().into();
    let Some(each) = &query.each else {
        let matches = query.columns.iter().map(|column| {
            let value = evaluate(column, page, root)?;
            Ok(Matches::new(document, value, show, usize::MAX))
        });
        return Ok(Finds::Matches(matches.collect::<Result<_, Report>>()?));
    };
    let records = evaluate(each, page, root)?;
    let rows = records.as_nodes().unwrap_or_default().iter().map(|&record| row(query, page, record, show));
    Ok(Finds::Records(rows.collect::<Result<_, Report>>()?))
}

fn row(query: &Query, page: &Page, record: Node, show: MatchParts) -> Result<Vec<Matches>, Report> {
    let cell = |column: &Column| {
        let value = evaluate(column, page, record)?;
        Ok(Matches::new(&page.document, value, show, if column.list { usize::MAX } else { 1 }))
    };
    query.columns.iter().map(cell).collect()
}

fn evaluate(column: &Column, page: &Page, context: Node) -> Result<Value, Report> {
    let value = column.expr.evaluate_with(&page.document, context, &Environment::new());
    value.map_err(|error| {
        column.complain(error).wrap_err(format!("cannot evaluate `{}` on `{}`", column.name, page.name))
    })
}
