//! `windrow extract`: what a wrapper or a domain's words find on pages, in six formats.
//!
//! The wrapper or domain is read and checked before any page is. Pages are read and worked on in parallel; a wrapper that
//! looks only at text never has a tree built.

pub(crate) mod columns;
mod destination;
mod domain;
mod explain;
mod follow;
pub(crate) mod into;
pub(crate) mod oem;
pub(crate) mod problems;
mod reading;
pub(crate) mod render;
mod tables;
mod turns;
pub(crate) mod xml;

use std::sync::Arc;

use miette::Report;

use crate::args::ExtractArguments;
use crate::domain::{Settings, Words};
use crate::rules::Rules;
use crate::run::{self, Details, Ending, Job, Rendered};
use crate::scripted;

use destination::Destination;
pub(crate) use follow::Neighbours;
pub(crate) use reading::{Given, Reader};
use render::Renderer;

/// Runs the command.
pub(crate) fn run(arguments: &ExtractArguments) -> Ending {
    let ending = match (&arguments.wrapper, &arguments.domain) {
        (Some(wrapper), _) => Rules::open(wrapper).map(|rules| by_rules(arguments, &rules)),
        (None, Some(domain)) => {
            Words::open_with(domain, settings(arguments)).map(|words| domain::run(arguments, &words))
        }
        (None, None) => unreachable!("one of them is required"),
    };
    match ending.unwrap_or(Ok(Ending::Failed)) {
        Ok(ending) => ending,
        Err(report) => {
            run::tell_error(&report);
            Ending::Failed
        }
    }
}

/// Reads the settings for a domain from the command line.
fn settings(arguments: &ExtractArguments) -> Settings {
    Settings {
        min_confidence: arguments.min_confidence,
        data_rich: arguments.data_rich_entropy,
        list: arguments.list_entropy,
    }
}

fn by_rules(arguments: &ExtractArguments, rules: &Rules) -> Result<Ending, Report> {
    let reader = Reader::new(arguments, rules)?;
    if let Some(store) = &arguments.keep.into {
        return into::by_rules(arguments, rules, &reader, store);
    }
    let destination = Destination::new(arguments)?;
    let renderer = Renderer::new(arguments, rules, &destination, reader.several_pages());
    if !arguments.reading.quiet {
        renderer.hints("--csv-dir DIR").iter().for_each(|hint| run::tell(hint));
    }
    let sink = destination.open(&renderer.files())?;
    let (reading, printer, details) = (&arguments.reading, renderer.printer(), Details::new(arguments.explain));
    Ok(run::over_sources(reader.sources(), Job { reading, printer, sink, details }, |source| {
        let (page, notes) = reader.read(source)?;
        let name = source.name();
        let page = Arc::new(page);
        let extraction = reader.extract_shared(source, Arc::clone(&page));
        let told = problems::all(&name, &extraction, Some(rules), arguments.strict);
        let mut rendered = Rendered::new(renderer.render(&name, &extraction), extraction.has_values());
        rendered.notes = notes.into_iter().chain(told.warnings).collect();
        if !rendered.found {
            rendered.notes.extend(scripted::hint(&name, page.document(), arguments.reading.fetching.render));
        }
        rendered.errors = told.errors;
        rendered.fill = renderer.fill(&extraction);
        Ok(rendered)
    }))
}
