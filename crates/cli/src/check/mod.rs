//! `windrow test`: a wrapper against saved pages, each with the data it is expected to give.
//!
//! What is expected of `ads.html` is in `ads.json` beside it: the object that `extract` prints as `data`.

mod diff;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use miette::{Diagnostic, Report};
use serde_json::Value;

use crate::args::TestArguments;
use crate::extract::Reader;
use crate::fmt::print;
use crate::pages::Source;
use crate::pending;
use crate::printer::{Block, Printer};
use crate::rules::Rules;
use crate::run::{self, Ending, Job, Rendered};
use windrow::data::json::Json;
use windrow::data::{self, Form};

/// Differences of one page that are told.
const MOST: usize = 20;

/// Why a page cannot be tested.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum TestError {
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

/// Runs the command.
pub(crate) fn run(arguments: &TestArguments) -> Ending {
    let Some(rules) = Rules::open(&arguments.wrapper) else { return Ending::Failed };
    let reader = match Reader::of(arguments.pages.clone(), &arguments.reading, &rules) {
        Ok(reader) => reader,
        Err(report) => {
            run::tell_error(&report);
            return Ending::Failed;
        }
    };
    let shapes = rules.extractor.shape();
    let (passed, failed, updated) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::Relaxed);
    let ending = run::over_sources(reader.sources(), Job::standard(&arguments.reading, Printer::plain()), |source| {
        let (page, notes) = reader.read(source)?;
        let extraction = reader.extract(source, page);
        let mut json = Json::pretty(0);
        json.top(&shapes, &data::page(&shapes, &extraction, Form::Typed));
        let found = json.finish() + "\n";
        let name = source.name();
        let expected = beside(source)?;
        let text = match arguments.update {
            true => update(&expected, &found)?.map(|word| {
                count(&updated);
                format!("{word} {}\n", expected.display())
            }),
            false => None,
        };
        let text = match text {
            Some(text) => text,
            None => {
                let differences = compare(&name, &expected, &found)?;
                count(if differences.is_empty() { &passed } else { &failed });
                report(&name, &differences)
            }
        };
        let mut rendered = Rendered::new(Block::Text(text), true);
        rendered.notes = notes;
        Ok(rendered)
    });
    let (passed, failed, updated) = (passed.into_inner(), failed.into_inner(), updated.into_inner());
    let mut words = vec![format!("{passed} passed"), format!("{failed} failed")];
    if arguments.update {
        words = vec![format!("{passed} unchanged"), format!("{updated} written")];
    }
    if !arguments.reading.quiet && passed + failed + updated > 0 {
        let _ = print(&format!("{}\n", words.join(", ")));
    }
    match ending {
        Ending::Failed => Ending::Failed,
        _ if failed > 0 => Ending::Nothing,
        _ => Ending::Found,
    }
}

/// The file that says what is expected of a page.
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
    pending::write(expected, found.as_bytes()).map_err(unwritable)?;
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

fn report(page: &str, differences: &[String]) -> String {
    if differences.is_empty() {
        return format!("ok   {page}\n");
    }
    let mut text = format!("FAIL {page}\n");
    for difference in differences.iter().take(MOST) {
        text += &format!("     {difference}\n");
    }
    if differences.len() > MOST {
        text += &format!("     and {} more\n", differences.len() - MOST);
    }
    text
}
