//! `windrow show`: the rules of a wrapper, and how they fare on pages.
//!
//! Pages are read and extracted from in parallel; of each, only counts and a few values are kept, which are joined in
//! the order of the arguments when all are done.

mod text;

use std::collections::HashMap;
use std::sync::Mutex;

use miette::Report;
use windrow::Extraction;

use crate::args::{ShowArguments, ShowFormat};
use crate::fmt::print_as_is;
use windrow::format::printer::{Block, Printer};
use windrow::pages::WrapperReader;
use windrow::show::{PageFinds, RuleFinds, RuleReport, json, on_page};
use windrow::wrapper_file::WrapperFile;

use crate::pages;
use crate::run::{self, Ending, Job, Rendered};

/// Runs the command.
pub(crate) fn run(arguments: &ShowArguments) -> Ending {
    run::ended(WrapperFile::open(&arguments.wrapper).and_then(|rules| Ok(show(arguments, &rules)?)))
}

fn show(arguments: &ShowArguments, rules: &WrapperFile) -> Result<Ending, Report> {
    let (pages, ending) = match arguments.pages.is_empty() {
        true if rules.wrapper.rules.is_empty() => (None, Ending::Nothing),
        true => (None, Ending::Found),
        false => {
            let (pages, ending) = over_pages(arguments, rules)?;
            (Some(pages), ending)
        }
    };
    // A page that could not be read was told; if there is no other, there is nothing to count.
    if pages.as_ref().is_some_and(|pages| pages.names.is_empty()) {
        return Ok(ending);
    }
    let shown = RuleReport::new(&rules.wrapper, pages.as_ref().map(|pages| pages.found.as_slice()));
    let text = match arguments.format {
        ShowFormat::Text => text::blocks(rules, pages.as_ref(), &shown, text::Style::of_output()),
        ShowFormat::Json => json::object(rules, pages.as_ref(), &shown),
    };
    match print_as_is(&text) {
        Ok(()) => Ok(ending),
        Err(error) => Err(miette::miette!(code = "output::failed", "cannot write the output: {error}")),
    }
}

fn over_pages(arguments: &ShowArguments, rules: &WrapperFile) -> Result<(PageFinds, Ending), Report> {
    let reader = WrapperReader::new(arguments.pages.clone(), pages::opener(&arguments.reading)?, rules)?;
    let sources = reader.sources();
    let order: Mutex<HashMap<String, usize>> = Mutex::default();
    let sources = sources.inspect(|source| {
        let mut order = order.lock().unwrap_or_else(|broken| broken.into_inner());
        let index = order.len();
        order.entry(source.name()).or_insert(index);
    });
    let done: Mutex<Vec<(String, Vec<RuleFinds>)>> = Mutex::new(Vec::new());
    let ending = run::over_sources(sources, Job::standard(&arguments.reading, Printer::plain()), |source| {
        let (page, notes) = reader.read(source)?;
        let name = source.name();
        let extraction = reader.extract(source, page);
        let mut rendered = Rendered::new(Block::Text(String::new()), extraction.has_values());
        rendered.notes = notes;
        rendered.errors = cuts(&name, &extraction);
        let found = on_page(&extraction);
        done.lock().unwrap_or_else(|broken| broken.into_inner()).push((name, found));
        Ok(rendered)
    });
    let mut done = done.into_inner().unwrap_or_else(|broken| broken.into_inner());
    let order = order.into_inner().unwrap_or_else(|broken| broken.into_inner());
    // A page given twice is the same page: its place does not matter.
    done.sort_by_key(|(name, _)| order.get(name).copied());
    Ok((PageFinds::join(done), ending))
}

/// Returns the reasons why the result is incomplete, a line each. Missing values are counted instead.
fn cuts(page: &str, extraction: &Extraction) -> Vec<String> {
    let cut = extraction.problems().iter().filter(|problem| problem.is_cut());
    cut.map(|problem| format!("error: {page}: {}: {}", problem.path(extraction), problem.message(extraction))).collect()
}
