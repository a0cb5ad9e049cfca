//! `windrow discover`: the lists of a page that nobody has described, and the rules that find them.
//!
//! The output is what the learned wrapper extracts, never the learner's own view of the page: so the records are
//! those that `extract` gives with the same rules. Pages are worked on in parallel, each on its own.

mod destination;

use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, Report};
use windrow::TextsLeftOut;
use windrow::discovery::render::ListRenderer;
use windrow::discovery::{ListRequest, Lists};
use windrow::format::OutputFormat;

use crate::args::DiscoverArguments;
use crate::pages::{self, Opener, Source};
use crate::run::{self, Details, Ending, Job, Rendered};
use crate::terminal;
use windrow::format::printer::Block;
use windrow::scripted;
use windrow::text::excerpt;

use destination::ListDestination;

/// Lists of one page that `--all` takes. A page's tenth list is furniture as a rule: a menu, a footer.
const MOST: usize = 10;

/// Why the command cannot do what it is asked.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum DiscoverError {
    #[error("a wrapper is learned from one page, and there are several")]
    #[diagnostic(code(discover::one_page), help("learn from one page, then: windrow extract -w {rules} PAGE..."))]
    SeveralPages { rules: String },
    #[error("CSV has one header, and every list has columns of its own")]
    #[diagnostic(
        code(discover::one_list),
        help(
            "give one page without --all, or another format; for many pages of one kind: windrow discover PAGE -o rules.toml, then windrow extract -w rules.toml PAGE... --format csv"
        )
    )]
    SeveralSheets,
}

/// Runs the command.
pub(crate) fn run(arguments: &DiscoverArguments) -> Ending {
    match prepare(arguments) {
        Ok(ending) => ending,
        Err(report) => {
            run::tell_error(&report);
            Ending::Failed
        }
    }
}

fn prepare(arguments: &DiscoverArguments) -> Result<Ending, Report> {
    let several_pages = arguments.pages.len() > 1 || arguments.pages.iter().any(|page| pages::is_several(page));
    let destination = ListDestination::new(arguments)?;
    if destination.is_wrapper() && several_pages {
        let rules = destination.path().map_or_else(|| "rules.toml".to_owned(), |path| path.display().to_string());
        return Err(DiscoverError::SeveralPages { rules }.into());
    }
    if destination.format() == Some(OutputFormat::CSV) && (several_pages || arguments.all) {
        return Err(DiscoverError::SeveralSheets.into());
    }
    let all = if several_pages || arguments.all { "--format jsonl shows all" } else { "--format csv shows all" };
    let room = match destination.path() {
        Some(_) => terminal::room_in_file(arguments.table.rows, all),
        None => terminal::room(arguments.table.rows, all),
    };
    let renderer = ListRenderer::new(destination.format(), arguments.raw, several_pages, arguments.all, room)?;
    let opener = pages::opener(&arguments.reading)?;
    let sources = opener.find(&arguments.pages);
    let (reading, printer, sink) = (&arguments.reading, renderer.printer(), destination.open()?);
    let details = Details::new(arguments.explain);
    Ok(run::over_sources(sources, Job { reading, printer, sink, details }, |source| {
        page(arguments, &opener, source, &renderer, &destination)
    }))
}

/// Works on one page.
fn page(
    arguments: &DiscoverArguments,
    opener: &Opener,
    source: &Source,
    renderer: &ListRenderer,
    destination: &ListDestination,
) -> Result<Rendered, Report> {
    let page = opener.read(source)?;
    let (name, address) = (page.name, page.address);
    let mut notes: Vec<String> = page.document.notes().iter().map(|note| format!("note: {name}: {note}")).collect();
    let page = windrow::Page::from_document(&name, page.document);
    let page = Arc::new(match address {
        Some(address) => page.with_url(address),
        None => page,
    });
    let most = if arguments.all { MOST } else { 1 };
    let lists = Lists::find(Arc::clone(&page), ListRequest { most, explain: arguments.explain, all: arguments.all })?;
    let block = match destination.is_wrapper() {
        true if lists.found() => {
            let printed = destination.write_wrapper(&lists)?;
            notes.extend(destination.path().map(|path| wrote(path, &lists)));
            Block::Text(printed)
        }
        true => Block::Text(String::new()),
        false => renderer.render(&name, &lists),
    };
    let errors = lists.errors(&name);
    if !lists.found() && errors.is_empty() {
        let unwritten = destination.path().filter(|_| destination.is_wrapper());
        let unwritten = unwritten.map(|path| format!("; {} is {}", path.display(), unwritten_state(path)));
        notes.push(format!("note: {name}: no list of records found{}", unwritten.unwrap_or_default()));
        notes.extend(scripted::hint(&name, page.document(), arguments.reading.fetching.render));
    }
    if lists.found() {
        notes.extend(lists.doubt.iter().map(|doubt| format!("warning: {name}: {doubt}")));
        notes.extend(left_out(&name, &lists));
        notes.extend(renderer.hints(&lists));
    }
    // In JSON, it stands beside the records.
    let is_beside = !destination.is_wrapper() && renderer.is_json();
    if let Some(explanation) = lists.explanation.as_ref().filter(|_| !is_beside) {
        notes.extend(explanation.lines(&name));
    }
    let mut rendered = Rendered::new(block, lists.found());
    rendered.fill = renderer.fill(&lists);
    rendered.notes = notes;
    rendered.errors = errors;
    Ok(rendered)
}

/// The share of the records' text that no field holds from which the command warns. Two of the 109 open list pages are above it.
const MUCH: f32 = 0.05;

/// Columns of the text that is shown.
const EXAMPLE: usize = 60;

/// A line about texts of the records that are in no field.
fn left_out(page: &str, lists: &Lists) -> Option<String> {
    let left = windrow::texts_left_out(&lists.extraction).filter(|left| left.share >= MUCH)?;
    let example = excerpt(&left.example, EXAMPLE);
    let percent = (left.share * 100.0).round();
    let TextsLeftOut { records, of, .. } = left;
    Some(format!(
        "warning: {page}: {percent}% of the text of the records is in no field, as `{example}`; texts are left out of {records} of {of} records"
    ))
}

fn wrote(path: &Path, lists: &Lists) -> String {
    format!("wrote {}: {}", path.display(), lists.counts().join("; "))
}

/// Describes a file that nothing is written to.
fn unwritten_state(path: &Path) -> &'static str {
    if path.exists() { "unchanged" } else { "not written" }
}
