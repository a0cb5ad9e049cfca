//! `windrow repair`: a wrapper mended from what is known of its pages; what was done is told, and shown as a patch.

mod told;

use std::io;
use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, Report};
use windrow::learn::repair::{Known, KnownValue, Refusal, Repair, repair};
use windrow::store::Store;
use windrow::wrapper::files;
use windrow::{Format, Page};

use crate::args::{Reading, RepairArguments};
use crate::extract::Given;
use crate::extract::into::wrapper_name;
use crate::fmt::print;
use crate::keep::now;
use crate::rules::Rules;
use crate::run::{Ending, tell, tell_error};
use crate::{clock, patch, pending, store};

pub(crate) use self::told::{lines, side_by_side};

/// Why there is nothing to repair from, or nowhere to write to.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum RepairError {
    #[error("the rules cannot be written as {format}: {cause}")]
    #[diagnostic(code(repair::format), help("convert the wrapper first: windrow fmt RULES -o RULES.toml"))]
    Format { format: Format, cause: String },
    #[error("`{text}` is no example")]
    #[diagnostic(
        code(repair::example),
        help("give a field and its value as the page shows it: --example price='12 €'")
    )]
    Example { text: String },
    #[error("the wrapper came from standard input, so there is no file to write it to")]
    #[diagnostic(code(repair::no_file), help("name one with -o"))]
    NoFile,
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
}

/// A mended wrapper.
pub(crate) struct Mended {
    pub(crate) repair: Repair,
    /// Its file's new text.
    pub(crate) text: String,
    /// What changes in it.
    pub(crate) patch: String,
}

/// Runs the command.
pub(crate) fn run(arguments: &RepairArguments) -> Ending {
    let Some(rules) = Rules::open(&arguments.wrapper) else { return Ending::Failed };
    match mend(arguments, &rules) {
        Ok(ending) => ending,
        Err(report) => {
            tell_error(&report);
            Ending::Failed
        }
    }
}

fn mend(arguments: &RepairArguments, rules: &Rules) -> Result<Ending, Report> {
    if arguments.write && rules.file.name == "-" {
        return Err(RepairError::NoFile.into());
    }
    let name = wrapper_name(rules);
    let pages = pages(arguments.pages.clone(), &arguments.reading, rules, arguments.url.clone())?;
    let mut opened = None;
    let mut known = match &arguments.store {
        Some(address) => {
            let store = opened.insert(match arguments.write {
                true => store::open_existing(address)?,
                false => store::open_read_only(address)?,
            });
            windrow::known(store, &name, &pages).map_err(store::report)?
        }
        None => before(arguments, rules)?,
    };
    for example in &arguments.examples {
        let (label, raw) = example.split_once('=').ok_or_else(|| RepairError::Example { text: example.clone() })?;
        known.shown.push(KnownValue { label: label.trim().to_owned(), raw: raw.trim().to_owned() });
    }
    let mended = match attempt(rules, &known, &pages)? {
        Ok(mended) => mended,
        Err(Refusal::StillWorks) => {
            tell(&format!("{}: the wrapper still gives what is known: there is nothing to mend", rules.file.name));
            return Ok(Ending::Found);
        }
        Err(refusal) => {
            tell(&format!("{}: not mended: {refusal}", rules.file.name));
            tell(&format!("hint: {}", refusal.hint()));
            return Ok(Ending::Nothing);
        }
    };
    print(&mended.patch).map_err(|cause| RepairError::Unwritable { path: "standard output".to_owned(), cause })?;
    if !arguments.reading.quiet {
        lines(&mended.repair).iter().for_each(|line| tell(line));
    }
    let file = match (arguments.write, &arguments.output) {
        (true, _) => Some(rules.file.name.as_str()),
        (false, output) => output.as_deref(),
    };
    if let Some(file) = file {
        write(file, &mended.text)?;
    }
    if let Some(store) = opened.as_mut().filter(|_| arguments.write) {
        note(store, &name, rules, &mended.text)?;
    }
    if !arguments.reading.quiet {
        tell(&match file {
            Some(file) => format!("wrote {file}"),
            None => "nothing was written: --write changes the file, -o FILE makes another".to_owned(),
        });
    }
    Ok(Ending::Found)
}

/// Mends a wrapper, or says why not.
pub(crate) fn attempt(rules: &Rules, known: &Known, pages: &[Arc<Page>]) -> Result<Result<Mended, Refusal>, Report> {
    let mut repair = match repair(&rules.wrapper, known, pages) {
        Ok(repair) => repair,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Some(learned) = &mut repair.wrapper.learned {
        learned.at = clock::now();
    }
    let format = rules.file.format;
    let text = files::revise(&rules.file.text, format, &repair.wrapper)
        .map_err(|errors| RepairError::Format { format, cause: errors.to_string() })?;
    let name = &rules.file.name;
    let patch = patch::unified(&rules.file.text, &text, name, name);
    Ok(Ok(Mended { repair, text, patch }))
}

/// Writes a mended wrapper, whole or not at all.
pub(crate) fn write(file: &str, text: &str) -> Result<(), Report> {
    pending::write(Path::new(file), text.as_bytes())
        .map_err(|cause| RepairError::Unwritable { path: file.to_owned(), cause }.into())
}

/// Notes a mended wrapper as a version of its own.
pub(crate) fn note(store: &mut Store, name: &str, rules: &Rules, text: &str) -> Result<(), Report> {
    let format = rules.file.format.to_string();
    store.version(name, text, &format, "repaired", &now()).map(drop).map_err(store::report)
}

/// Pages with their trees.
fn pages(
    arguments: Vec<String>,
    reading: &Reading,
    rules: &Rules,
    url: Option<url::Url>,
) -> Result<Vec<Arc<Page>>, Report> {
    let given = Given::new(arguments, reading, ("wrapper", &rules.file.name), true)?.at_address(url)?;
    let mut pages = Vec::new();
    for source in given.sources() {
        let (page, notes) = given.read(&source?)?;
        notes.iter().filter(|_| !reading.quiet).for_each(|note| tell(note));
        pages.push(Arc::new(page));
    }
    Ok(pages)
}

/// What the wrapper found on pages as they were.
fn before(arguments: &RepairArguments, rules: &Rules) -> Result<Known, Report> {
    // It was at the same address.
    let url = arguments.url.clone().filter(|_| arguments.before.len() == 1);
    let pages = pages(arguments.before.clone(), &arguments.reading, rules, url)?;
    Ok(Known::of(&pages.into_iter().map(|page| rules.extractor.extract(page)).collect::<Vec<_>>()))
}
