//! Exceptions: one class for each kind of error, with its code, its place and a hint.

use miette::Diagnostic;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use windrow::WrapperErrors;

create_exception!(windrow, WindrowError, PyException, "The base of all errors of this package; see `code` and `hint`.");
create_exception!(windrow, PageError, WindrowError, "A page cannot be read or fetched.");
create_exception!(
    windrow,
    WrapperError,
    WindrowError,
    "The text of a wrapper is wrong; `line` and `column` say where."
);
create_exception!(
    windrow,
    SelectorError,
    WindrowError,
    "An XPath expression or CSS selector is wrong; `column` says where."
);
create_exception!(windrow, LearnError, WindrowError, "No wrapper can be learned from what was shown.");
create_exception!(windrow, RepairRefused, WindrowError, "A repair was refused, since it was not sure.");
create_exception!(windrow, FeedError, WindrowError, "The bytes are no feed.");
create_exception!(windrow, StoreError, WindrowError, "A store cannot be opened, written or queried.");

/// Makes an exception of this class, with the parts that the package's errors have.
pub(crate) fn raise<E: pyo3::PyTypeInfo>(message: &str, code: Option<String>, hint: Option<String>) -> PyErr {
    Python::attach(|py| {
        let text = match &hint {
            Some(hint) => format!("{message}\n{hint}"),
            None => message.to_owned(),
        };
        let error = PyErr::from_type(py.get_type::<E>(), text);
        let value = error.value(py);
        // An exception is an ordinary object, so its attributes can be set.
        let _ = value.setattr("code", code);
        let _ = value.setattr("hint", hint);
        error
    })
}

/// The exception for an error that describes itself.
pub(crate) fn from_diagnostic<E: pyo3::PyTypeInfo>(error: &dyn Diagnostic) -> PyErr {
    let text = |part: Option<Box<dyn std::fmt::Display + '_>>| part.map(|part| part.to_string());
    raise::<E>(&error.to_string(), text(error.code()), text(error.help()))
}

/// The exception for a wrapper's text that is wrong: all errors, the place of the first one.
pub(crate) fn from_wrapper(errors: &WrapperErrors, source: &str) -> PyErr {
    let messages: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
    let text = |part: Option<Box<dyn std::fmt::Display + '_>>| part.map(|part| part.to_string());
    let first = errors.0.first();
    let error = raise::<WrapperError>(
        &messages.join("\n"),
        first.and_then(|error| text(error.code())),
        first.and_then(|error| text(error.help())),
    );
    let place = first.and_then(windrow::wrapper::WrapperError::span).map(|span| line_and_column(source, span.start));
    Python::attach(|py| {
        let value = error.value(py);
        let _ = value.setattr("line", place.map(|place| place.0));
        let _ = value.setattr("column", place.map(|place| place.1));
    });
    error
}

/// The exception for an expression that is wrong.
pub(crate) fn from_selector(error: &windrow::ParseError) -> PyErr {
    let raised = from_diagnostic::<SelectorError>(error);
    Python::attach(|py| {
        let _ = raised.value(py).setattr("column", error.span().start + 1);
    });
    raised
}

/// The exception for an error of a store.
pub(crate) fn from_store(error: &windrow::store::Error) -> PyErr {
    raise::<StoreError>(&error.to_string(), Some(error.code().to_owned()), error.hint())
}

fn line_and_column(source: &str, at: usize) -> (usize, usize) {
    let before = source.get(..at).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}
