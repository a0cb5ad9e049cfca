//! Repairs: a wrapper mended from what is known of its pages, with a patch of its file.

pub mod lines;

use std::io;
use std::path::Path;
use std::sync::Arc;

use miette::{Diagnostic, Report};

use crate::learn::repair::{Known, KnownValue, Refusal, Repair, repair};
use crate::pages::GivenPages;
use crate::store::Store;
use crate::wrapper::files;
use crate::wrapper_file::WrapperFile;
use crate::{Format, Page, Wrapper, atomic_file, clock, patch, stores};

/// An error that keeps a wrapper from being repaired or written.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum RepairError {
    /// The format of the wrapper cannot express the new rules.
    #[error("the rules cannot be written as {format}: {cause}")]
    #[diagnostic(code(repair::format), help("convert the wrapper first: windrow fmt RULES -o RULES.toml"))]
    Format {
        /// The format.
        format: Format,
        /// Reason.
        cause: String,
    },
    /// An example lacks a field or a value.
    #[error("`{text}` is no example")]
    #[diagnostic(
        code(repair::example),
        help("give a field and its value as the page shows it: --example price='12 €'")
    )]
    Example {
        /// The example.
        text: String,
    },
    /// The file cannot be written.
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable {
        /// The file.
        path: String,
        /// Error of the system.
        cause: io::Error,
    },
}

/// A mended wrapper.
#[derive(Debug)]
pub struct MendedWrapper {
    /// The repair.
    pub repair: Repair,
    /// Its file's new text.
    pub text: String,
    /// The changes of its file.
    pub patch: String,
}

/// Adds values that a person gives as `FIELD=VALUE` to what is known.
///
/// # Errors
///
/// One of them has no `=`.
pub fn add_examples(known: &mut Known, examples: &[String]) -> Result<(), RepairError> {
    for example in examples {
        let (label, raw) = example.split_once('=').ok_or_else(|| RepairError::Example { text: example.clone() })?;
        known.shown.push(KnownValue { label: label.trim().to_owned(), raw: raw.trim().to_owned() });
    }
    Ok(())
}

/// Mends a wrapper that is not broken beyond repair, else returns the reason. `names` stand for the old and the new
/// file in the patch; `at` is the time that the new one names.
///
/// # Errors
///
/// The format of the wrapper cannot express the new rules.
pub fn attempt(
    (wrapper, text, format): (&Wrapper, &str, Format),
    names: (&str, &str),
    known: &Known,
    pages: &[Arc<Page>],
    at: Option<String>,
) -> Result<Result<MendedWrapper, Refusal>, RepairError> {
    let mut repair = match repair(wrapper, known, pages) {
        Ok(repair) => repair,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Some(learned) = &mut repair.wrapper.learned {
        learned.at = at;
    }
    let new = files::revise(text, format, &repair.wrapper)
        .map_err(|errors| RepairError::Format { format, cause: errors.to_string() })?;
    let patch = patch::unified(text, &new, names.0, names.1);
    Ok(Ok(MendedWrapper { repair, text: new, patch }))
}

/// Mends the wrapper of a file, as [`attempt`] does.
///
/// # Errors
///
/// The format of the wrapper cannot express the new rules.
pub fn attempt_file(
    rules: &WrapperFile,
    known: &Known,
    pages: &[Arc<Page>],
) -> Result<Result<MendedWrapper, Refusal>, RepairError> {
    let names = (rules.file.name.as_str(), rules.file.name.as_str());
    attempt((&rules.wrapper, &rules.file.text, rules.file.format), names, known, pages, clock::now())
}

/// Writes a mended wrapper, whole or not at all.
pub fn write(file: &str, text: &str) -> Result<(), Report> {
    atomic_file::write(Path::new(file), text.as_bytes())
        .map_err(|cause| RepairError::Unwritable { path: file.to_owned(), cause }.into())
}

/// Notes a mended wrapper as a version of its own.
pub fn note(store: &mut Store, name: &str, rules: &WrapperFile, text: &str) -> Result<(), Report> {
    let format = rules.file.format.to_string();
    store.version(name, text, &format, "repaired", &clock::stamp()).map(drop).map_err(stores::report)
}

/// Reads pages with their trees, and returns them with the notes on them.
///
/// # Errors
///
/// A page cannot be read.
pub fn read(given: &GivenPages) -> Result<(Vec<Arc<Page>>, Vec<String>), Report> {
    let (mut pages, mut all) = (Vec::new(), Vec::new());
    for source in given.sources() {
        let (page, notes) = given.read(&source?)?;
        all.extend(notes);
        pages.push(Arc::new(page));
    }
    Ok((pages, all))
}
