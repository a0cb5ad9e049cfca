//! `windrow extract --domain`: pages of any site, read by a domain's words.
//!
//! What is found becomes an ordinary extraction, so every format takes it. Most of a domain's roles have no value on a
//! page: formats whose readers do not need them leave those out. What the page is to the domain goes to standard error.
//!
//! When several pages of one template agree, a wrapper is learned on the way and used for those that follow.

use std::sync::Arc;

use miette::Report;
use windrow::learn::domain::{Plan, Site};
use windrow::{Extraction, Page};

use super::destination::Destination;
use super::problems;
use super::reading::Given;
use super::render::Renderer;
use super::turns::{Turn, Turns};
use crate::args::{ExtractArguments, ExtractFormat};
use crate::domain::note::PageNotes;
use crate::domain::{Words, explain};
use crate::printer::{Block, Printer};
use crate::run::{self, Details, Ending, Job, Rendered};
use windrow::data::json::Json;

/// Runs the command.
pub(super) fn run(arguments: &ExtractArguments, words: &Words) -> Result<Ending, Report> {
    let pages = arguments.pages.clone();
    let given = Given::new(pages, &arguments.reading, ("domain", &words.name), true)?.told(arguments)?;
    if let Some(store) = &arguments.keep.into {
        return super::into::by_domain(arguments, words, &given, store);
    }
    let destination = Destination::new(arguments)?;
    if arguments.explain {
        return explained(arguments, words, &destination, &given);
    }
    let renderer = Renderer::sparse(arguments, words.reader.shape(), &destination, given.several_pages());
    let sink = destination.open(&renderer.files())?;
    let site = Turns::new(Site::new(words.reader.clone()));
    let (reading, printer) = (&arguments.reading, renderer.printer());
    Ok(run::over_numbered(given.sources(), Job { reading, printer, sink, details: Details::Few }, |number, source| {
        // Pages take their turns in learning templates, also those that fail.
        let turn = (!arguments.each).then(|| site.of(number));
        let source = source?;
        let (page, notes) = given.read(source)?;
        let name = source.name();
        let (extraction, read) = match turn {
            Some(turn) => learned(words, &name, &Arc::new(page), turn),
            None => read(words, &name, &Arc::new(page)),
        };
        let told = problems::all(&name, &extraction, None, arguments.strict);
        let mut rendered =
            Rendered::new(renderer.render_with(&name, &extraction, &|json| read.json(json)), extraction.has_values());
        rendered.notes = notes.into_iter().chain(read.lines()).chain(told.warnings).collect();
        rendered.errors = told.errors;
        // A domain has many fields that a page does not show, so an empty one says nothing.
        rendered.fill = renderer.fill(&extraction).without_empty_fields();
        Ok(rendered)
    }))
}

/// Reads a page.
pub(super) fn read(words: &Words, name: &str, page: &Arc<Page>) -> (Extraction, PageNotes) {
    let reading = words.reader.read(page);
    (words.reader.extraction(page.clone(), &reading), PageNotes::new(name, &words.reader, &reading))
}

/// Extracts a page by the wrapper of its template if there is one that does, or else reads it and learns from it.
pub(super) fn learned(words: &Words, name: &str, page: &Arc<Page>, turn: Turn<'_, Site>) -> (Extraction, PageNotes) {
    let planned = turn.take(|site| match site.plan(page) {
        Plan::Wrapper(wrapper) => Err(wrapper),
        Plan::Read(ticket) => {
            let reading = words.reader.read(page);
            site.learn(ticket, page, &reading);
            Ok(reading)
        }
    });
    match planned {
        Ok(reading) => (words.reader.extraction(page.clone(), &reading), PageNotes::new(name, &words.reader, &reading)),
        Err(wrapper) => match wrapper.extract(page) {
            Some(extraction) => {
                let notes = PageNotes::by_wrapper(name, extraction.len(), wrapper.confidence());
                (extraction, notes)
            }
            None => read(words, name, page),
        },
    }
}

/// Prints how the page was read, instead of what came out.
fn explained(
    arguments: &ExtractArguments,
    words: &Words,
    destination: &Destination,
    given: &Given,
) -> Result<Ending, Report> {
    let printer = match destination.format {
        ExtractFormat::Json => Printer::json_array(),
        _ => Printer::plain(),
    };
    let sink = destination.open(&[])?;
    let job = Job { reading: &arguments.reading, printer, sink, details: Details::All };
    Ok(run::over_sources(given.sources(), job, |source| {
        let (page, notes) = given.read(source)?;
        let reading = words.reader.read(&page);
        let explained = explain::Explained {
            page: &source.name(),
            document: page.document(),
            domain: words.reader.domain(),
            reading: &reading,
        };
        let text = match destination.format {
            ExtractFormat::Json => format!("  {}", explained.json(Json::pretty(1))),
            ExtractFormat::Jsonl => explained.json(Json::line()) + "\n",
            _ => explained.outline(),
        };
        let mut rendered = Rendered::new(Block::Text(text), !reading.records.is_empty());
        rendered.notes = notes;
        Ok(rendered)
    }))
}
