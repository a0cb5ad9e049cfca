//! `windrow show`: the rules of a wrapper, and how they fare on pages.
//!
//! Pages are read and extracted from in parallel; of each, only counts and a few values are kept, which are joined in
//! the order of the arguments when all are done.

mod found;
mod json;
mod text;
mod tree;
mod warnings;

use std::collections::HashMap;
use std::sync::Mutex;

use miette::Report;
use windrow::Extraction;

use crate::args::{ShowArguments, ShowFormat};
use crate::fmt::print_as_is;
use windrow::format::printer::{Block, Printer};
use windrow::pages::WrapperReader;
use windrow::wrapper_file::WrapperFile;

use crate::pages;
use crate::run::{self, Ending, Job, Rendered};

use found::Found;
use tree::Shown;

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
    let shown = Shown::new(&rules.wrapper, pages.as_ref().map(|pages| pages.found.as_slice()));
    let text = match arguments.format {
        ShowFormat::Text => text::blocks(rules, pages.as_ref(), &shown, text::Style::of_output()),
        ShowFormat::Json => json::object(rules, pages.as_ref(), &shown),
    };
    match print_as_is(&text) {
        Ok(()) => Ok(ending),
        Err(error) => Err(miette::miette!(code = "output::failed", "cannot write the output: {error}")),
    }
}

/// What the rules found on all pages together.
#[derive(Debug)]
struct Pages {
    names: Vec<String>,
    /// One for each rule, in the order of their numbers.
    found: Vec<Found>,
}

fn over_pages(arguments: &ShowArguments, rules: &WrapperFile) -> Result<(Pages, Ending), Report> {
    let reader = WrapperReader::new(arguments.pages.clone(), pages::opener(&arguments.reading)?, rules)?;
    let sources = reader.sources();
    let order: Mutex<HashMap<String, usize>> = Mutex::default();
    let sources = sources.inspect(|source| {
        let mut order = order.lock().unwrap_or_else(|broken| broken.into_inner());
        let index = order.len();
        order.entry(source.name()).or_insert(index);
    });
    let done: Mutex<Vec<(String, Vec<Found>)>> = Mutex::new(Vec::new());
    let ending = run::over_sources(sources, Job::standard(&arguments.reading, Printer::plain()), |source| {
        let (page, notes) = reader.read(source)?;
        let name = source.name();
        let extraction = reader.extract(source, page);
        let mut rendered = Rendered::new(Block::Text(String::new()), extraction.has_values());
        rendered.notes = notes;
        rendered.errors = cuts(&name, &extraction);
        let found = found::on_page(&extraction);
        done.lock().unwrap_or_else(|broken| broken.into_inner()).push((name, found));
        Ok(rendered)
    });
    let mut done = done.into_inner().unwrap_or_else(|broken| broken.into_inner());
    let order = order.into_inner().unwrap_or_else(|broken| broken.into_inner());
    // A page given twice is the same page: its place does not matter.
    done.sort_by_key(|(name, _)| order.get(name).copied());
    let mut pages = Pages { names: Vec::new(), found: Vec::new() };
    for (name, found) in done {
        pages.names.push(name);
        if pages.found.is_empty() {
            pages.found = found;
        } else {
            pages.found.iter_mut().zip(found).for_each(|(all, page)| all.join(page));
        }
    }
    Ok((pages, ending))
}

/// What makes the result less than whole, a line each. What is only missing is counted instead.
fn cuts(page: &str, extraction: &Extraction) -> Vec<String> {
    let cut = extraction.problems().iter().filter(|problem| problem.is_cut());
    cut.map(|problem| format!("error: {page}: {}: {}", problem.path(extraction), problem.message(extraction))).collect()
}
