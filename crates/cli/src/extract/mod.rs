//! `windrow extract`: the records that a wrapper or a domain's words find on pages, in all formats of records.
//!
//! The wrapper or domain is read and checked before any page is. Pages are read and worked on in parallel; a wrapper that
//! looks only at text never has a tree built.

mod destination;
mod domain;

use std::sync::Arc;

use miette::{Diagnostic, Report};
use windrow::domains::{DomainFile, Settings};
use windrow::format::render::Renderer;
use windrow::keeping::{self, StoreRun, WrapperOrigin, WrapperRun};
use windrow::monitor::Reports;
use windrow::pages::WrapperReader;
use windrow::wrapper_file::WrapperFile;
use windrow::{problems, scripted};

use crate::args::ExtractArguments;
use crate::output::Console;
use crate::pages;
use crate::run::{self, Details, Ending, Job, Rendered};

use destination::RecordDestination;

/// An option that does not go with a store.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("--into keeps records instead of printing them, so {option} has nothing to do")]
#[diagnostic(
    code(extract::into),
    help("leave it out; `windrow export STORE -o FILE` writes what was kept, in many formats")
)]
struct NothingPrinted {
    option: &'static str,
}

/// Runs the command.
pub(crate) fn run(arguments: &ExtractArguments) -> Ending {
    run::ended(extract(arguments))
}

fn extract(arguments: &ExtractArguments) -> Result<Ending, Reports> {
    match (&arguments.wrapper, &arguments.domain) {
        (Some(wrapper), _) => Ok(by_wrapper(arguments, &WrapperFile::open(wrapper)?)?),
        (None, Some(domain)) => {
            let settings = Settings {
                min_confidence: arguments.min_confidence,
                data_rich: arguments.data_rich_entropy,
                list: arguments.list_entropy,
            };
            Ok(domain::run(arguments, &DomainFile::open_with(domain, settings)?)?)
        }
        (None, None) => unreachable!("one of them is required"),
    }
}

fn by_wrapper(arguments: &ExtractArguments, rules: &WrapperFile) -> Result<Ending, Report> {
    let reader = WrapperReader::new(arguments.pages.clone(), pages::opener(&arguments.reading)?, rules)?
        .with_documents(arguments.explain)
        .told(arguments.url.clone(), arguments.at)?;
    if let Some(store) = &arguments.keep.into {
        let (name, format) = (rules.store_name(), rules.file.format.to_string());
        let origin = WrapperOrigin { name: &name, text: &rules.file.text, format: &format };
        return into_store(arguments, store, origin, &rules.extractor.shape(), |keeping, settings, console| {
            keeping::by_wrapper(keeping, &reader, settings, console)
        });
    }
    let destination = RecordDestination::new(arguments)?;
    let shapes = rules.extractor.shape();
    let mut renderer = renderer(arguments, shapes, &destination, reader.several_pages())?;
    if arguments.explain {
        renderer = renderer.explained(rules);
    }
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

/// Makes a renderer for what the command line asks.
fn renderer<'a>(
    arguments: &ExtractArguments,
    shapes: Vec<windrow::wrapper::Shape>,
    destination: &RecordDestination,
    several_pages: bool,
) -> Result<Renderer<'a>, Report> {
    let mut renderer = Renderer::of(destination.format, arguments.raw, shapes, several_pages)?
        .with_room(destination.room(arguments.table.rows));
    if arguments.per_record {
        renderer = renderer.by_record()?;
    }
    Ok(if destination.is_directory() { renderer.linked() } else { renderer })
}

/// Keeps records in a store instead of printing them.
fn into_store(
    arguments: &ExtractArguments,
    store: &str,
    origin: WrapperOrigin<'_>,
    shapes: &[windrow::wrapper::Shape],
    keep: impl FnOnce(&StoreRun, WrapperRun, &Console) -> Result<(), Report>,
) -> Result<Ending, Report> {
    let options = [
        ("-o", arguments.output.is_some()),
        ("--csv-dir", arguments.csv_dir.is_some()),
        ("--format", arguments.format.is_some()),
        ("--per-record", arguments.per_record),
        ("--raw", arguments.raw),
    ];
    if let Some((option, _)) = options.into_iter().find(|(_, given)| *given) {
        return Err(NothingPrinted { option }.into());
    }
    let keeping = StoreRun::begin(store, arguments.keep.options(), origin, shapes)?;
    let threads = arguments.reading.threads();
    let settings = WrapperRun { threads, strict: arguments.strict, details: Details::new(arguments.explain) };
    keep(&keeping, settings, &Console::new(arguments.reading.quiet))?;
    let place = keeping.place().to_owned();
    let (kept, _) = keeping.finish()?;
    if !arguments.reading.quiet {
        run::tell(&kept.told(&place));
    }
    Ok(kept.ending())
}
