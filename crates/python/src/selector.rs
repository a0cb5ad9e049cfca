//! `windrow.Selector`: what `parsel.Selector` is in Scrapy spiders, on this package's parser and evaluator.
//!
//! Selectors are compiled once and kept. As in parsel, the context of a whole page is its `html` element, and CSS looks at the context
//! itself and at what is below it, for every part of the selector.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pyo3::exceptions::{PyNotImplementedError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use windrow::xpath::{Environment, Origin, css_to_xpath};
use windrow::{Document, Expr, NodeKind, ParseOptions, Value};

/// Expressions that are kept compiled. Spiders have some dozens; beyond this number all are forgotten at once.
const MOST_KEPT: usize = 1024;
/// Characters of the data that `repr` shows, as in parsel.
const SHOWN: usize = 40;

/// Expressions that were compiled, by language and text.
static COMPILED: LazyLock<Mutex<HashMap<(Written, String), Expr>>> = LazyLock::new(Mutex::default);

/// The language of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Written {
    Css,
    XPath,
}

/// A part of a page, or a value that was computed from it.
#[derive(Clone)]
enum Part {
    Node(windrow::Node),
    Value(String),
}

/// A page or a part of it, to be queried by CSS and XPath as `parsel.Selector` is.
#[pyclass(frozen, subclass, weakref, module = "windrow")]
pub(crate) struct Selector {
    document: Arc<Document>,
    part: Part,
    query: Option<String>,
    namespaces: Mutex<HashMap<String, String>>,
    base_url: Option<String>,
}

impl Selector {
    /// Compiles an expression, or finds it among those that were compiled before.
    fn compile(written: Written, text: &str) -> PyResult<Expr> {
        let key = (written, text.to_owned());
        if let Some(known) = COMPILED.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let wrong = |what: &str, error: &dyn std::fmt::Display| {
            PyValueError::new_err(format!("{what} error: {error} in {text}"))
        };
        let made = match written {
            Written::XPath => Expr::xpath(text).map_err(|error| wrong("XPath", &error))?,
            Written::Css => {
                let path = css_to_xpath(text, Origin::Document).map_err(|error| wrong("CSS", &error))?;
                Expr::xpath(&from_context(&path)).map_err(|error| wrong("CSS", &error))?
            }
        };
        let mut kept = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        Ok(made)
    }

    fn with_part(&self, part: Part, query: &str) -> Selector {
        Selector {
            document: Arc::clone(&self.document),
            part,
            query: Some(query.to_owned()),
            namespaces: Mutex::new(self.namespaces()),
            base_url: self.base_url.clone(),
        }
    }

    fn namespaces(&self) -> HashMap<String, String> {
        self.namespaces.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn evaluate(
        &self,
        py: Python<'_>,
        expression: &Expr,
        environment: &Environment,
        query: &str,
    ) -> PyResult<Py<PyAny>> {
        let Part::Node(context) = self.part else { return selector_list(py, Vec::new()) };
        let document = &self.document;
        let value = py.detach(|| expression.evaluate_with(document, context, environment));
        let value = value.map_err(|error| PyValueError::new_err(format!("XPath error: {error} in {query}")))?;
        let found = match value {
            Value::Nodes(nodes) => nodes.into_iter().map(|node| self.with_part(Part::Node(node), query)).collect(),
            Value::Boolean(value) => vec![self.with_part(Part::Value(u8::from(value).to_string()), query)],
            Value::Number(value) => {
                // As Python writes floats.
                let text = PyFloat::new(py, value).str()?.to_string();
                vec![self.with_part(Part::Value(text), query)]
            }
            Value::String(value) => vec![self.with_part(Part::Value(value), query)],
        };
        selector_list(py, found)
    }
}

#[pymethods]
impl Selector {
    #[new]
    #[pyo3(signature = (text = None, r#type = None, body = None, encoding = "utf-8", namespaces = None, *, base_url = None))]
    fn python_new(
        py: Python<'_>,
        text: Option<&Bound<'_, PyAny>>,
        r#type: Option<&str>,
        body: Option<Vec<u8>>,
        encoding: &str,
        namespaces: Option<HashMap<String, String>>,
        base_url: Option<String>,
    ) -> PyResult<Selector> {
        match r#type {
            None | Some("html") => {}
            Some(kind @ ("xml" | "json" | "text")) => {
                let message = format!("windrow.Selector reads HTML; for {kind}, use parsel.Selector");
                return Err(PyNotImplementedError::new_err(message));
            }
            Some(other) => return Err(PyValueError::new_err(format!("Invalid type: {other}"))),
        }
        let document = match (text, body) {
            (Some(text), _) => {
                let text = text.cast::<PyString>().map_err(|_| {
                    let kind = text.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                    PyTypeError::new_err(format!("text argument should be of type str, got {kind}"))
                })?;
                let text = text.to_str()?.to_owned();
                py.detach(|| Document::parse(text))
            }
            (None, Some(body)) => {
                let mut options = ParseOptions::default();
                options.charset = Some(encoding.to_owned());
                py.detach(|| Document::from_bytes(body, &options))
            }
            (None, None) => {
                return Err(PyValueError::new_err(
                    "Selector needs text, body, or root arguments (a root of lxml is not supported)",
                ));
            }
        };
        let root = document.root();
        let html = document.children(root).find(|&child| document.is_element(child)).unwrap_or(root);
        Ok(Selector {
            part: Part::Node(windrow::Node::node(html)),
            document: Arc::new(document),
            query: None,
            namespaces: Mutex::new(namespaces.unwrap_or_default()),
            base_url,
        })
    }

    /// The kind of document: always `html`.
    #[getter]
    fn r#type(&self) -> &'static str {
        "html"
    }

    /// The prefixes that XPath expressions may use, with their namespaces.
    #[getter(namespaces)]
    fn python_namespaces(&self) -> HashMap<String, String> {
        self.namespaces()
    }

    /// The address of the page, if it was given.
    #[getter]
    fn base_url(&self) -> Option<&str> {
        self.base_url.as_deref()
    }

    /// Returns what a CSS selector matches here and below, or with `::text` and `::attr(NAME)` texts.
    fn css(&self, py: Python<'_>, query: &str) -> PyResult<Py<PyAny>> {
        let expression = Selector::compile(Written::Css, query)?;
        self.evaluate(py, &expression, &Environment::new(), query)
    }

    /// Evaluates an XPath 1.0 expression here; keyword arguments are its variables.
    #[pyo3(signature = (query, namespaces = None, **variables))]
    fn xpath(
        &self,
        py: Python<'_>,
        query: &str,
        namespaces: Option<HashMap<String, String>>,
        variables: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let expression = Selector::compile(Written::XPath, query)?;
        let mut environment = Environment::new();
        for (prefix, address) in self.namespaces().into_iter().chain(namespaces.unwrap_or_default()) {
            environment = environment.with_prefix(prefix, &address);
        }
        for (name, value) in variables.into_iter().flatten() {
            environment = environment.with_variable(name.to_string(), variable(&value)?);
        }
        self.evaluate(py, &expression, &environment, query)
    }

    /// Raises an error: JSON is not what pages are made of.
    fn jmespath(&self, _query: &str) -> PyResult<()> {
        Err(PyNotImplementedError::new_err("windrow.Selector has no jmespath; use parsel.Selector for JSON"))
    }

    /// Returns the element as HTML, or the text or the value of the attribute.
    fn get(&self) -> String {
        let document = &self.document;
        match &self.part {
            Part::Value(value) => value.clone(),
            Part::Node(node) if node.is_attribute() => node.string_value(document).into_owned(),
            Part::Node(node) if document.kind(node.id()) == NodeKind::Text => document.text(node.id()).to_owned(),
            Part::Node(node) => document.outer_html(node.id()),
        }
    }

    /// Returns the same as `get`.
    fn extract(&self) -> String {
        self.get()
    }

    /// Returns the same as `get`, in a list.
    fn getall(&self) -> Vec<String> {
        vec![self.get()]
    }

    /// Returns what a regular expression finds in the data.
    #[pyo3(signature = (regex, replace_entities = true))]
    fn re(&self, py: Python<'_>, regex: &Bound<'_, PyAny>, replace_entities: bool) -> PyResult<Vec<String>> {
        let find = helpers(py)?.getattr("find")?;
        find.call1((regex, self.get(), replace_entities))?.extract()
    }

    /// Returns the first thing that a regular expression finds in the data.
    #[pyo3(signature = (regex, default = None, replace_entities = true))]
    fn re_first(
        &self,
        py: Python<'_>,
        regex: &Bound<'_, PyAny>,
        default: Option<String>,
        replace_entities: bool,
    ) -> PyResult<Option<String>> {
        Ok(self.re(py, regex, replace_entities)?.into_iter().next().or(default))
    }

    /// The attributes of the element.
    #[getter]
    fn attrib(&self) -> HashMap<String, String> {
        let Part::Node(node) = &self.part else { return HashMap::new() };
        let element = Some(node.id()).filter(|&id| !node.is_attribute() && self.document.is_element(id));
        let attributes = element.into_iter().flat_map(|id| self.document.attrs(id));
        attributes.map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned())).collect()
    }

    /// Lets XPath expressions use a prefix for a namespace.
    fn register_namespace(&self, prefix: String, uri: String) {
        self.namespaces.lock().unwrap_or_else(PoisonError::into_inner).insert(prefix, uri);
    }

    /// Raises an error: pages are not changed.
    fn drop(&self) -> PyResult<()> {
        Err(PyNotImplementedError::new_err("windrow.Selector does not change pages; select what is to stay instead"))
    }

    fn __bool__(&self) -> bool {
        !self.get().is_empty()
    }

    fn __str__(&self) -> String {
        self.get()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let own = slf.borrow();
        let text = own.get();
        let shown = match text.chars().count() > SHOWN {
            true => text.chars().take(SHOWN - 3).chain("...".chars()).collect(),
            false => text,
        };
        let py = slf.py();
        let query = match &own.query {
            Some(query) => PyString::new(py, query).repr()?.to_string(),
            None => "None".to_owned(),
        };
        let data = PyString::new(py, &shown).repr()?;
        Ok(format!("<{} query={query} data={data}>", slf.get_type().name()?))
    }

    fn __getstate__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("can't pickle Selector objects"))
    }
}

/// Makes the translation of a CSS selector begin at the context: `//a | //b` looks at the whole page.
fn from_context(path: &str) -> String {
    let mut made = String::with_capacity(path.len() + 32);
    let (mut quote, mut begins) = (None, true);
    let mut rest = path.chars().peekable();
    while let Some(c) = rest.next() {
        if begins && quote.is_none() && c == '/' && rest.peek() == Some(&'/') {
            rest.next();
            made.push_str("descendant-or-self::");
            begins = false;
            continue;
        }
        match quote {
            Some(open) if open == c => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => {}
        }
        begins = quote.is_none() && (c == '|' || begins && c == ' ');
        made.push(c);
    }
    made
}

/// The value of a variable.
fn variable(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(Value::Number(value.extract()?));
    }
    Ok(Value::String(value.str()?.to_string()))
}

/// The module with what is said in Python: the list of selectors, and regular expressions.
fn helpers(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || PyResult::Ok(py.import("windrow.selector")?.into_any().unbind()))?;
    Ok(module.bind(py).clone())
}

fn selector_list(py: Python<'_>, selectors: Vec<Selector>) -> PyResult<Py<PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || PyResult::Ok(helpers(py)?.getattr("SelectorList")?.unbind()))?;
    let list = PyList::new(py, selectors.into_iter().map(|one| Py::new(py, one)).collect::<PyResult<Vec<_>>>()?)?;
    class.call1(py, (list,))
}
