//! jq over kept records: the lists are one tree, `{"city_temp": [{…}, …], "ads": […]}`.
//!
//! The language is jq's, as `jaq` runs it. A filter is a program of the user's, so it is kept from harm: it cannot read
//! files, the environment or standard input, nor print by itself. It runs on a thread of its own with a large stack, and
//! `watch` counts its steps: one that recurses too deep, or takes longer than it [may](Options::with_time), is stopped.
//! How much memory it takes is not bounded.
//!
//! Cost: all records are in memory at once, as values of jaq's, without a detour over text. A filter costs what it does.

mod compile;
mod error;
mod nearest;
mod print;
mod run;
mod values;
mod watch;

use std::ops::ControlFlow;
use std::time::Duration;

pub use error::JqError;
pub use values::{List, Objects};

/// How a filter is run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// How long it may take.
    pub time: Option<Duration>,
    /// Variables, without the `$`, and their texts.
    pub variables: Vec<(String, String)>,
    /// Whether results that are texts are given as they are, without quotes.
    pub raw: bool,
}

impl Options {
    /// No limit, no variables, all results in JSON.
    pub fn new() -> Options {
        Options::default()
    }

    /// The filter is stopped after that time.
    pub fn with_time(mut self, time: Duration) -> Options {
        self.time = Some(time);
        self
    }

    /// `$name` is that text in the filter; a later one of the same name counts.
    pub fn with_variable(mut self, name: impl Into<String>, text: impl Into<String>) -> Options {
        self.variables.push((name.into(), text.into()));
        self
    }

    /// Texts come without quotes and escapes.
    pub fn with_raw(mut self, raw: bool) -> Options {
        self.raw = raw;
        self
    }
}

/// Runs a filter on the objects and hands over each result, as JSON in one line; says how many there were.
///
/// ```
/// use std::ops::ControlFlow;
/// use windrow_store::{Column, Kind, Layout, Record, Value};
/// use windrow_store::jq::{Objects, Options, jq};
///
/// let column = |label: &str, kind| Column { label: label.to_owned(), kind, rule: String::new() };
/// let columns = vec![column("city", Kind::Text), column("high", Kind::Number)];
/// let layout = Layout { label: "city_temp".to_owned(), columns, ..Layout::default() };
/// let mut objects = Objects::new();
/// let mut list = objects.list(&layout);
/// for (city, high) in [("Vienna", "-2"), ("Oslo", "-9.50")] {
///     let values = vec![Value::Text(city.to_owned()), Value::Number(high.to_owned())];
///     list.push(&Record { values, ..Record::default() });
/// }
///
/// let mut found = Vec::new();
/// let options = Options::new().with_variable("city", "Oslo");
/// jq(".city_temp[] | select(.city == $city) | .high", objects, &options, |result| {
///     found.push(result);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, ["-9.50"]);
/// # Ok::<(), windrow_store::jq::JqError>(())
/// ```
///
/// # Errors
///
/// The filter is not written as jq is, names what there is not, fails on these objects, or was stopped.
pub fn jq(
    filter: &str,
    objects: Objects,
    options: &Options,
    each: impl FnMut(String) -> ControlFlow<()>,
) -> Result<u64, JqError> {
    run::run(filter, objects.into_value(), options, each)
}
