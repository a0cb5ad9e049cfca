//! `windrow discover`: the lists of a page that nobody has described, and the rules that find them.
//!
//! What is printed is what the learned wrapper extracts, never the learner's own view of the page: so the records are
//! those that `extract` gives with the same rules. Pages are worked on in parallel, each on its own.

mod explain;
mod lists;
mod render;
mod rules;

use std::sync::Arc;

use miette::{Diagnostic, Report};

use crate::args::{DiscoverArguments, DiscoverFormat};
use crate::output::Sink;
use crate::pages::{self, Opener, Source};
use crate::printer::Block;
use crate::run::{self, Ending, Rendered};
use crate::scripted;

pub(crate) use lists::plural;
use lists::{Lists, Wanted};
use render::Renderer;
use rules::Destination;

/// Lists of one page that `--all` takes. A page's tenth list is furniture as a rule: a menu, a footer.
const MOST: usize = 10;

/// Why the command cannot do what it is asked.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum DiscoverError {
    #[error("-o writes the rules of one page, and there are several")]
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
    let destination = arguments.output.as_deref().map(|rules| Destination::new(rules, arguments.format.is_some()));
    let destination = destination.transpose()?;
    if let (Some(rules), true) = (&arguments.output, several_pages) {
        return Err(DiscoverError::SeveralPages { rules: rules.clone() }.into());
    }
    if arguments.format == Some(DiscoverFormat::Csv) && (several_pages || arguments.all) {
        return Err(DiscoverError::SeveralSheets.into());
    }
    let renderer = Renderer::new(arguments, several_pages);
    let opener = Opener::new(&arguments.reading)?;
    let sources = pages::find(&arguments.pages, &arguments.reading);
    let printer = renderer.printer();
    Ok(run::over_sources(sources, &arguments.reading, printer, Sink::Standard, |source| {
        page(arguments, &opener, source, &renderer, destination.as_ref())
    }))
}

/// Works on one page.
fn page(
    arguments: &DiscoverArguments,
    opener: &Opener<'_>,
    source: &Source,
    renderer: &Renderer,
    destination: Option<&Destination>,
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
    let lists = Lists::find(Arc::clone(&page), Wanted { most, explain: arguments.explain, all: arguments.all })?;
    let block = match destination {
        Some(destination) if lists.found() => {
            let printed = destination.write(&lists)?;
            notes.extend(destination.told(&lists));
            match arguments.format {
                Some(_) => renderer.render(&name, &lists),
                None => Block::Text(printed),
            }
        }
        Some(_) if arguments.format.is_none() => Block::Text(String::new()),
        _ => renderer.render(&name, &lists),
    };
    let errors = lists.errors(&name);
    if !lists.found() && errors.is_empty() {
        let unwritten = arguments.output.iter().filter(|path| *path != "-");
        let unwritten: String = unwritten.map(|path| format!("; {path} is not written")).collect();
        notes.push(format!("note: {name}: no list of records found{unwritten}"));
        notes.extend(scripted::hint(&name, page.document(), arguments.reading.fetching.render));
    }
    let records_are_printed = destination.is_none() || arguments.format.is_some();
    // In JSON, it stands beside the records.
    if let Some(explanation) = lists.explanation.as_ref().filter(|_| !(records_are_printed && renderer.is_json())) {
        notes.extend(explanation.lines(&name));
    }
    let mut rendered = Rendered::new(block, lists.found());
    rendered.notes = notes;
    rendered.errors = errors;
    Ok(rendered)
}
