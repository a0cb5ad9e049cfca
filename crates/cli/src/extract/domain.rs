//! `windrow extract --domain`: pages of any site, read by a domain's words.
//!
//! What is found becomes an ordinary extraction, so every format takes it. Most of a domain's roles have no value on a
//! page: formats whose readers do not need them leave those out. What the page is to the domain goes to standard error.

use std::sync::Arc;

use miette::Report;

use super::destination::Destination;
use super::json::Json;
use super::problems;
use super::reading::Given;
use super::render::Renderer;
use crate::args::{ExtractArguments, ExtractFormat};
use crate::domain::{Words, explain, note};
use crate::printer::{Block, Printer};
use crate::run::{self, Ending, Rendered};

/// Runs the command.
pub(super) fn run(arguments: &ExtractArguments, words: &Words) -> Result<Ending, Report> {
    let destination = Destination::new(arguments)?;
    let pages = arguments.pages.clone();
    let given = Given::new(pages, &arguments.reading, ("domain", &words.name), true)?.told(arguments)?;
    if arguments.explain {
        return explained(arguments, words, &destination, &given);
    }
    let renderer = Renderer::sparse(arguments, words.shapes(), &destination, given.several_pages());
    let sink = destination.open(&renderer.files())?;
    Ok(run::over_sources(given.sources(), &arguments.reading, renderer.printer(), sink, |source| {
        let (page, notes) = given.read(source)?;
        let name = source.name();
        let reading = words.reader.read(&page);
        let extraction = words.reader.extraction(Arc::new(page), &reading);
        let told = problems::tell(&name, &extraction, None, arguments.strict);
        let mut rendered = Rendered::new(renderer.render(&name, &extraction), extraction.has_values());
        let read = note::lines(&name, words.reader.domain(), &reading);
        rendered.notes = notes.into_iter().chain(read).chain(told.warnings).collect();
        rendered.errors = told.errors;
        Ok(rendered)
    }))
}

/// Prints how the page was read, instead of what came out.
fn explained(
    arguments: &ExtractArguments,
    words: &Words,
    destination: &Destination,
    given: &Given<'_>,
) -> Result<Ending, Report> {
    let printer = match destination.format {
        ExtractFormat::Json => Printer::json_array(),
        _ => Printer::plain(),
    };
    let sink = destination.open(&[])?;
    Ok(run::over_sources(given.sources(), &arguments.reading, printer, sink, |source| {
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
