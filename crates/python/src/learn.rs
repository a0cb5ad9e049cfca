//! Learning wrappers from examples, feeds and domains.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use windrow::learn::example::{Example, Not, Pointed, Pointer, Request, Shape};
use windrow::learn::{domain, feed, types};
use windrow::{Document, Domain, DomainReader};

use crate::errors::{FeedError, LearnError, from_diagnostic, from_wrapper, raise};
use crate::page::{Node, Page};
use crate::wrapper::Wrapper;

/// Learns a wrapper for pages like these.
///
/// Each keyword names a field, and its value is the visible text of that field in one record, or a node of the page. `examples` shows
/// further records, or fields whose names are no keywords. With `feed`, a blog's feed is the evidence; with `domain`, a vocabulary;
/// with `schema`, a Pydantic model or JSON Schema: the examples of its properties, or else their names.
#[pyfunction]
#[pyo3(signature = (pages, *, examples = None, not_ = None, feed = None, domain = None, schema = None, is_list = None, **fields))]
pub(crate) fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    examples: Option<Vec<Bound<'_, PyDict>>>,
    not_: Option<&Bound<'_, PyAny>>,
    feed: Option<Vec<u8>>,
    domain: Option<&str>,
    schema: Option<&Bound<'_, PyAny>>,
    is_list: Option<bool>,
    fields: Option<&Bound<'_, PyDict>>,
) -> PyResult<Wrapper> {
    let pages = gather(pages)?;
    if pages.is_empty() {
        return Err(PyValueError::new_err("give at least one page to learn from"));
    }
    let shown: Vec<&Bound<'_, PyDict>> = fields.into_iter().chain(examples.iter().flatten()).collect();
    let kinds = [!shown.is_empty(), feed.is_some(), domain.is_some(), schema.is_some()];
    if kinds.into_iter().filter(|is_given| *is_given).count() > 1 {
        let message = "a wrapper is learned from examples, a feed, a domain or a schema: give one of them";
        return Err(PyValueError::new_err(message));
    }
    if let Some(schema) = schema {
        return by_schema(py, &pages, schema, is_list);
    }
    match (feed, domain) {
        (Some(feed), _) => by_feed(py, &pages, &feed),
        (None, Some(domain)) => by_domain(py, &pages, domain),
        (None, None) => by_example(py, &pages, &shown, not_, is_list),
    }
}

/// The pages of an argument: one, or any iterable of them.
fn gather(pages: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<windrow::Page>>> {
    if let Ok(page) = pages.cast::<Page>() {
        return Ok(vec![Arc::clone(&page.get().inner)]);
    }
    let page = |page: PyResult<Bound<'_, PyAny>>| match page?.cast::<Page>() {
        Ok(page) => Ok(Arc::clone(&page.get().inner)),
        Err(_) => {
            Err(PyTypeError::new_err("a wrapper is learned from pages; make them with windrow.Page, fetch or read"))
        }
    };
    pages.try_iter()?.map(page).collect()
}

fn by_example(
    py: Python<'_>,
    pages: &[Arc<windrow::Page>],
    shown: &[&Bound<'_, PyDict>],
    not: Option<&Bound<'_, PyAny>>,
    is_list: Option<bool>,
) -> PyResult<Wrapper> {
    let mut request = Request { shape: shape(is_list), ..Request::default() };
    for fields in shown {
        let mut example = Example::default();
        for (name, value) in fields.iter() {
            example.fields.push(Pointed { field: name.extract()?, at: pointer(&value)? });
        }
        request.examples.push(example);
    }
    match not {
        None => {}
        Some(one) if one.is_instance_of::<PyString>() || one.cast::<Node>().is_ok() => {
            request.not.push(Not { field: None, at: pointer(one)?, page: None });
        }
        Some(several) => {
            for one in several.try_iter()? {
                request.not.push(Not { field: None, at: pointer(&one?)?, page: None });
            }
        }
    }
    let learned = py.detach(|| {
        let documents: Vec<&Document> = pages.iter().map(|page| page.document()).collect();
        windrow::learn_by_example(&documents, &request).map(|mut lesson| {
            types::assign(&mut lesson.wrapper, pages);
            lesson
        })
    });
    let lesson = learned.map_err(|error| raise::<LearnError>(&error.to_string(), None, None))?;
    Wrapper::learned(named(lesson.wrapper, pages), lesson.notes.iter().map(ToString::to_string).collect())
}

/// Learns by the examples of a schema's properties if it has them, else by their names.
fn by_schema(
    py: Python<'_>,
    pages: &[Arc<windrow::Page>],
    schema: &Bound<'_, PyAny>,
    is_list: Option<bool>,
) -> PyResult<Wrapper> {
    // A Pydantic model describes itself.
    let schema = match schema.getattr_opt("model_json_schema")? {
        Some(describe) => describe.call0()?,
        None => schema.clone(),
    };
    let text: String = py.import("json")?.call_method1("dumps", (schema,))?.extract()?;
    let schema: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| PyValueError::new_err(format!("the schema is no JSON: {error}")))?;
    let wrong = |error: windrow::schema::NotARecord| raise::<LearnError>(&error.to_string(), None, None);
    let shown = windrow::schema::examples(&schema).map_err(wrong)?;
    if shown.is_empty() {
        let domain = windrow::schema::domain(&schema).map_err(wrong)?;
        return by_domain(py, pages, &domain.write());
    }
    let fields = PyDict::new(py);
    for (name, value) in shown {
        fields.set_item(name, value)?;
    }
    by_example(py, pages, &[&fields], None, is_list)
}

fn shape(is_list: Option<bool>) -> Shape {
    match is_list {
        None => Shape::Auto,
        Some(true) => Shape::List,
        Some(false) => Shape::Page,
    }
}

fn pointer(value: &Bound<'_, PyAny>) -> PyResult<Pointer> {
    if let Ok(node) = value.cast::<Node>() {
        return Ok(Pointer::XPath(node.get().path()));
    }
    match value.cast::<PyString>() {
        Ok(text) => Ok(Pointer::Text(text.to_str()?.to_owned())),
        Err(_) => {
            Err(PyTypeError::new_err("a field is shown by its text as the page has it, or by a node of the page"))
        }
    }
}

fn by_feed(py: Python<'_>, pages: &[Arc<windrow::Page>], bytes: &[u8]) -> PyResult<Wrapper> {
    let learned = py.detach(|| {
        let feed = windrow::feed::parse(bytes, &windrow::feed::Options::new());
        let feed = feed.map_err(|error| from_diagnostic::<FeedError>(&error))?;
        feed::learn(&feed.items, pages, &feed::Options::default())
            .map_err(|error| raise::<LearnError>(&error.to_string(), None, None))
    })?;
    Wrapper::learned(named(learned.wrapper, pages), learned.notes.iter().map(ToString::to_string).collect())
}

fn by_domain(py: Python<'_>, pages: &[Arc<windrow::Page>], name: &str) -> PyResult<Wrapper> {
    let reader = reader(name)?;
    let learned = py.detach(|| {
        let readings: Vec<_> = pages.iter().map(|page| reader.read(page)).collect();
        let read: Vec<_> = pages.iter().cloned().zip(&readings).collect();
        domain::learn(&reader, &read).map_err(|error| raise::<LearnError>(&error.to_string(), None, None))
    })?;
    let doubts = learned.trials.iter().filter(|trial| trial.right < trial.read);
    let doubts = doubts.map(|trial| {
        format!("`{}`: the rule gives what was read on {} of {} pages", trial.name, trial.right, trial.read)
    });
    Wrapper::learned(named(learned.wrapper, pages), doubts.collect())
}

/// A domain by its name, or by the text of a domain file.
pub(crate) fn reader(domain: &str) -> PyResult<DomainReader> {
    let found = match Domain::shipped(domain) {
        Some(found) => found,
        None if domain.contains('\n') => {
            Domain::read(domain, &|_| None).map_err(|errors| raise::<LearnError>(&errors.to_string(), None, None))?
        }
        None => {
            let hint = "give the name of a built-in domain (`windrow domain list`) or the text of a domain file";
            return Err(raise::<LearnError>(&format!("there is no domain `{domain}`"), None, Some(hint.to_owned())));
        }
    };
    DomainReader::new(found).map_err(|errors| from_wrapper(&errors, ""))
}

/// Says in the wrapper which pages it was learned from.
fn named(mut wrapper: windrow::Wrapper, pages: &[Arc<windrow::Page>]) -> windrow::Wrapper {
    wrapper.learned.get_or_insert_default().from = pages.iter().map(|page| page.name().to_owned()).collect();
    wrapper
}
