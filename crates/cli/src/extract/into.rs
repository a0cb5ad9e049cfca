//! `windrow extract --into`: what is found goes into a store instead of being printed.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use miette::{Diagnostic, Report};
use windrow::Extraction;
use windrow::learn::domain::Site;

use super::reading::{Given, Reader};
use super::turns::Turns;
use super::{domain, problems};
use crate::args::ExtractArguments;
use crate::domain::Words;
use crate::domain::note::Classes;
use crate::keep::{self, Keeping, Origin, Worked, fingerprint};
use crate::rules::Rules;
use crate::run::{Details, Ending, tell};

/// What does not go with a store.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("--into keeps records instead of printing them, so {option} has nothing to do")]
#[diagnostic(
    code(extract::into),
    help("leave it out; `windrow export STORE -o FILE` writes what was kept, in many formats")
)]
struct NothingPrinted {
    option: &'static str,
}

fn check(arguments: &ExtractArguments) -> Result<(), NothingPrinted> {
    let options = [
        ("-o", arguments.output.is_some()),
        ("--csv-dir", arguments.csv_dir.is_some()),
        ("--format", arguments.format.is_some()),
        ("--raw", arguments.raw),
    ];
    match options.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(NothingPrinted { option }),
        None => Ok(()),
    }
}

/// The name of a wrapper in a store: its own, or that of its file.
pub(crate) fn wrapper_name(rules: &Rules) -> String {
    rules.wrapper.name.clone().unwrap_or_else(|| {
        let stem = Path::new(&rules.file.name).file_stem().and_then(|stem| stem.to_str());
        stem.filter(|stem| *stem != "-").unwrap_or("wrapper").to_owned()
    })
}

/// Keeps what a wrapper finds.
pub(super) fn by_rules(
    arguments: &ExtractArguments,
    rules: &Rules,
    reader: &Reader<'_>,
    store: &str,
) -> Result<Ending, Report> {
    check(arguments)?;
    let (name, format) = (wrapper_name(rules), rules.file.format.to_string());
    let origin = Origin { name: &name, text: &rules.file.text, format: &format };
    let keeping = Keeping::begin(store, &arguments.keep, origin, &rules.extractor.shape())?;
    let given = reader.given();
    let read_as = given.read_as();
    // What other pages say is part of it, and they may have changed.
    let alone = !rules.extractor.asks_for_pages();
    let details = Details::new(arguments.explain);
    keep::over(&keeping, reader.sources(), &arguments.reading, details, |_, source| {
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        if alone && keeping.is_unchanged(&name, &hash)? {
            return Ok(Worked::Unchanged { name });
        }
        let (page, notes) = given.page(source, content);
        let extraction = reader.extract(source, page);
        Ok(worked(&keeping, &name, hash, &extraction, Some(rules), arguments.strict, notes))
    })?;
    finish(keeping, arguments.reading.quiet)
}

/// Keeps what a domain's words find.
pub(super) fn by_domain(
    arguments: &ExtractArguments,
    words: &Words,
    given: &Given,
    store: &str,
) -> Result<Ending, Report> {
    check(arguments)?;
    let text = words.reader.domain().write();
    let origin = Origin { name: &words.reader.domain().name, text: &text, format: "domain" };
    let keeping = Keeping::begin(store, &arguments.keep, origin, &words.reader.shape())?;
    let read_as = given.read_as();
    let site = Turns::new(Site::new(words.reader.clone()));
    let classes: Mutex<Classes> = Mutex::default();
    let details = Details::new(arguments.explain);
    keep::over(&keeping, given.sources(), &arguments.reading, details, |number, source| {
        let turn = (!arguments.each).then(|| site.of(number));
        let source = source?;
        let (name, content) = (source.name(), given.content(source)?);
        let hash = fingerprint(&content, &read_as);
        if keeping.is_unchanged(&name, &hash)? {
            return Ok(Worked::Unchanged { name });
        }
        let (page, mut notes) = given.page(source, content);
        let (extraction, read) = match turn {
            Some(turn) => domain::learned(words, &name, &Arc::new(page), turn),
            None => domain::read(words, &name, &Arc::new(page)),
        };
        classes.lock().unwrap_or_else(PoisonError::into_inner).add(&read);
        match arguments.explain {
            true => notes.extend(read.lines()),
            false => notes.extend(read.conflicts),
        }
        Ok(worked(&keeping, &name, hash, &extraction, None, arguments.strict, notes))
    })?;
    let classes = classes.into_inner().unwrap_or_else(PoisonError::into_inner);
    classes.line().iter().filter(|_| !arguments.reading.quiet).for_each(|line| tell(line));
    finish(keeping, arguments.reading.quiet)
}

/// What is to be kept of an extraction.
pub(crate) fn worked(
    keeping: &Keeping,
    name: &str,
    hash: String,
    extraction: &Extraction,
    rules: Option<&Rules>,
    strict: bool,
    notes: Vec<String>,
) -> Worked {
    let told = problems::tell(name, extraction, rules, strict);
    let notes = notes.into_iter().chain(told.warnings).collect();
    match told.errors.is_empty() {
        true => Worked::Page { page: Box::new(keeping.page(name, hash, extraction)), notes },
        // Records that were not reached are not gone.
        false => Worked::Cut { errors: told.errors, notes },
    }
}

fn finish(keeping: Keeping, quiet: bool) -> Result<Ending, Report> {
    let place = keeping.place().to_owned();
    let (kept, _) = keeping.finish()?;
    kept.tell(&place, quiet);
    Ok(kept.ending())
}
