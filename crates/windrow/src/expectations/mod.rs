//! Tests of wrappers: saved pages, each with the data that its rules are expected to find.
//!
//! The data expected of `ads.html` is in `ads.json` beside it: the object that `extract` prints as `data`.

mod diff;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use serde_json::Value;

use crate::Extraction;
use crate::atomic_file;
use crate::data::json::Json;
use crate::data::{self, Form};
use crate::open::Source;
use crate::wrapper::Shape;

/// An error that keeps a page from being tested.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum TestError {
    #[error("nothing is expected of `{page}`: there is no `{expected}`")]
    #[diagnostic(code(test::no_expectation), help("--update writes what is found now; read it before you keep it"))]
    NoExpectation { page: String, expected: String },
    #[error("what is expected cannot be read: `{expected}`: {cause}")]
    #[diagnostic(code(test::unreadable))]
    Unreadable { expected: String, cause: io::Error },
    #[error("what is expected is not JSON: `{expected}`: {cause}")]
    #[diagnostic(code(test::not_json), help("--update writes it anew"))]
    NotJson { expected: String, cause: serde_json::Error },
    #[error("cannot write `{expected}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { expected: String, cause: io::Error },
    #[error("a page {page} has no file beside it")]
    #[diagnostic(code(test::no_file), help("save the page and give the file"))]
    NotAFile { page: &'static str },
}

/// The result of the test of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The page gives what is expected.
    Passed,
    /// The page gives something else: the differences, a line each.
    Failed(Vec<String>),
    /// The file of expected data was written or changed.
    Updated {
        /// `wrote` or `changed`.
        verb: &'static str,
        /// The file.
        file: PathBuf,
    },
}

/// Compares the data that rules find on a page with the data in the file beside it, or writes that file if `update` is
/// set and it says something else.
///
/// # Errors
///
/// The page is not a file, or the expected data cannot be read or written.
pub fn test(source: &Source, shapes: &[Shape], extraction: &Extraction, update: bool) -> Result<Verdict, Report> {
    let mut json = Json::pretty(0);
    json.top(shapes, &data::page(shapes, extraction, Form::Typed));
    let found = json.finish() + "\n";
    let file = beside(source)?;
    if update && let Some(verb) = self::update(&file, &found)? {
        return Ok(Verdict::Updated { verb, file });
    }
    let differences = compare(&source.name(), &file, &found)?;
    Ok(if differences.is_empty() { Verdict::Passed } else { Verdict::Failed(differences) })
}

/// Returns the file with the data expected of a page.
fn beside(source: &Source) -> Result<PathBuf, TestError> {
    match source {
        Source::File(path) => Ok(path.with_extension("json")),
        Source::Standard => Err(TestError::NotAFile { page: "from standard input" }),
        Source::Url(_) => Err(TestError::NotAFile { page: "from the web" }),
        Source::Archived(_) => Err(TestError::NotAFile { page: "of an archive" }),
    }
}

/// Writes what was found, unless the file says so already.
fn update(expected: &Path, found: &str) -> Result<Option<&'static str>, Report> {
    let before = fs::read_to_string(expected).ok();
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    if before.as_deref().and_then(value).is_some_and(|before| Some(before) == value(found)) {
        return Ok(None);
    }
    let unwritable = |cause| TestError::Unwritable { expected: expected.display().to_string(), cause };
    atomic_file::write(expected, found.as_bytes()).map_err(unwritable)?;
    Ok(Some(if before.is_some() { "changed" } else { "wrote" }))
}

fn compare(page: &str, expected: &Path, found: &str) -> Result<Vec<String>, Report> {
    let name = || expected.display().to_string();
    let text = fs::read_to_string(expected).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => TestError::NoExpectation { page: page.to_owned(), expected: name() },
        _ => TestError::Unreadable { expected: name(), cause },
    })?;
    let not_json = |cause| TestError::NotJson { expected: name(), cause };
    let expected: Value = serde_json::from_str(&text).map_err(not_json)?;
    let found: Value = serde_json::from_str(found).map_err(not_json)?;
    Ok(diff::differences(&expected, &found))
}
