//! `windrow extract --domain`: pages of any site, read by a domain's words.
//!
//! The result is an ordinary extraction, so every format takes it. Most of a domain's roles have no value on a page: formats
//! whose readers do not need them leave those out. The class of the page goes to standard error.
//!
//! When several pages of one template agree, a wrapper is learned on the way and used for those that follow.

use std::sync::Arc;

use miette::Report;
use windrow::data::json::Json;
use windrow::domains::explained::PageExplanation;
use windrow::domains::{self, DomainFile};
use windrow::format::OutputFormat;
use windrow::format::printer::{Block, Printer};
use windrow::keeping::{self, WrapperOrigin};
use windrow::learn::domain::Site;
use windrow::monitor::Monitor;
use windrow::pages::GivenPages;
use windrow::problems;
use windrow::turns::Turns;

use super::destination::RecordDestination;
use super::{into_store, renderer};
use crate::args::ExtractArguments;
use crate::pages;
use crate::run::{self, Details, Ending, Job, Rendered};

/// Runs the command.
pub(super) fn run(arguments: &ExtractArguments, words: &DomainFile) -> Result<Ending, Report> {
    let opener = pages::opener(&arguments.reading)?;
    let given = GivenPages::new(arguments.pages.clone(), opener, ("domain", &words.name), true)?
        .at_address(arguments.url.clone())?
        .saved_on(arguments.at);
    if let Some(store) = &arguments.keep.into {
        let text = words.reader.domain().write();
        let origin = WrapperOrigin { name: &words.reader.domain().name, text: &text, format: "domain" };
        return into_store(arguments, store, origin, &words.reader.shape(), |keeping, settings, console| {
            let classes = keeping::by_domain(keeping, words, &given, arguments.each, settings, console)?;
            classes.line().iter().for_each(|line| console.note(line));
            Ok(())
        });
    }
    let destination = RecordDestination::new(arguments)?;
    if arguments.explain {
        return explained(arguments, words, &destination, &given);
    }
    let renderer = renderer(arguments, words.reader.shape(), &destination, given.several_pages())?.sparse();
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
            Some(turn) => domains::learned(words, &name, &Arc::new(page), turn),
            None => domains::read_page(words, &name, &Arc::new(page)),
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

/// Prints how the page was read, instead of its records.
fn explained(
    arguments: &ExtractArguments,
    words: &DomainFile,
    destination: &RecordDestination,
    given: &GivenPages,
) -> Result<Ending, Report> {
    let printer = match destination.format {
        OutputFormat::Json => Printer::json_array(),
        _ => Printer::plain(),
    };
    let sink = destination.open(&[])?;
    let job = Job { reading: &arguments.reading, printer, sink, details: Details::All };
    Ok(run::over_sources(given.sources(), job, |source| {
        let (page, notes) = given.read(source)?;
        let reading = words.reader.read(&page);
        let explained = PageExplanation {
            page: &source.name(),
            document: page.document(),
            domain: words.reader.domain(),
            reading: &reading,
        };
        let text = match destination.format {
            OutputFormat::Json => format!("  {}", explained.json(Json::pretty(1))),
            OutputFormat::JSONL => explained.json(Json::line()) + "\n",
            _ => explained.outline(),
        };
        let mut rendered = Rendered::new(Block::Text(text), !reading.records.is_empty());
        rendered.notes = notes;
        Ok(rendered)
    }))
}
