//! jq filters over stored records: the lists form one tree, `{"city_temp": [{…}, …], "ads": […]}`.
//!
//! The language is jq as implemented by `jaq`. Filters are sandboxed: they cannot read files, the environment or
//! standard input, nor print. A filter runs on its own thread with a large stack, and `watch` counts its steps: one
//! that recurses too deeply, or exceeds its [time limit](Options::with_time), is stopped. Memory use is not limited.
//!
//! Cost: all records are in memory at once, as jaq values built directly from the records, plus the cost of the filter
//! itself.

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

/// Options for running a filter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Time limit.
    pub time: Option<Duration>,
    /// Variables with their texts; the names are without the `$`.
    pub variables: Vec<(String, String)>,
    /// True to return text results without quotes.
    pub raw: bool,
}

impl Options {
    /// Creates the default options: no limit, no variables, all results in JSON.
    pub fn new() -> Options {
        Options::default()
    }

    /// Stops the filter after this time.
    pub fn with_time(mut self, time: Duration) -> Options {
        self.time = Some(time);
        self
    }

    /// Defines the variable `$name`; a later definition of the same name takes precedence.
    pub fn with_variable(mut self, name: impl Into<String>, text: impl Into<String>) -> Options {
        self.variables.push((name.into(), text.into()));
        self
    }

    /// Returns text results without quotes and escapes.
    pub fn with_raw(mut self, raw: bool) -> Options {
        self.raw = raw;
        self
    }
}

/// Runs a filter on the records and passes each result to `each`, as one line of JSON; returns the number of results.
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
/// The filter is not valid jq, uses an unknown name, fails on these records, or was stopped.
pub fn jq(
    filter: &str,
    objects: Objects,
    options: &Options,
    each: impl FnMut(String) -> ControlFlow<()>,
) -> Result<u64, JqError> {
    run::run(filter, objects.into_value(), options, each)
}
