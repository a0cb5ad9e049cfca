//! Pages and their nodes; opening pages from files, archives and the web.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use url::Url;
use windrow::fetch::render;
use windrow::learn::structured::{self, Structured};
use windrow::monitor::Monitor;
use windrow::open::{self, Opener, Options, Source, Sources};
use windrow::{Document, Expr, Extractor, ParseOptions, path_of};

use crate::errors::{FeedError, PageError, SelectorError, from_diagnostic, from_selector, raise};
use crate::notebook;
use crate::table::Table;

/// A page: its source, its address, and its tree.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct Page {
    pub(crate) inner: Arc<windrow::Page>,
}

impl Page {
    pub(crate) fn new(document: Document, name: &str, address: Option<Url>) -> Page {
        let page = windrow::Page::from_document(name, document);
        Page {
            inner: Arc::new(match address {
                Some(address) => page.with_url(address),
                None => page,
            }),
        }
    }

    fn from_opened(page: open::Page) -> Page {
        Page::new(page.document, &page.name, page.address)
    }

    fn document(&self) -> &Document {
        self.inner.document()
    }
}

/// Makes an address of a text.
fn address(text: &str) -> PyResult<Url> {
    let hint = "an address looks like https://example.org/page".to_owned();
    Url::parse(text).map_err(|error| raise::<PageError>(&format!("`{text}` is no address: {error}"), None, Some(hint)))
}

#[pymethods]
impl Page {
    #[new]
    #[pyo3(signature = (html, *, url = None, name = None, charset = None))]
    fn python_new(
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        name: Option<&str>,
        charset: Option<String>,
    ) -> PyResult<Page> {
        let address = url.map(address).transpose()?;
        let name = name.or(url).unwrap_or("page").to_owned();
        let document = if let Ok(text) = html.cast::<PyString>() {
            let text = text.to_str()?.to_owned();
            py.detach(|| Document::parse(text.as_str()))
        } else if let Ok(bytes) = html.cast::<PyBytes>() {
            let bytes = bytes.as_bytes().to_vec();
            let mut options = ParseOptions::default();
            options.charset = charset;
            py.detach(|| Document::from_bytes(bytes, &options))
        } else {
            return Err(PyTypeError::new_err("the page must be a str or bytes; to open a file, use windrow.read"));
        };
        Ok(Page::new(document, &name, address))
    }

    /// The name it was given by: an address, or a file's path.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Its address, if it is known.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.inner.url().map(Url::as_str)
    }

    /// Its source.
    #[getter]
    fn html(&self) -> &str {
        self.inner.source()
    }

    /// Its visible text.
    #[getter]
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.document().visible_text(self.document().root()))
    }

    /// Defects of its source.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.document().notes().iter().map(ToString::to_string).collect()
    }

    /// Finds the lists of the page, the main one first; without `all` only that.
    #[pyo3(signature = (*, all = false))]
    fn discover(&self, py: Python<'_>, all: bool) -> PyResult<Vec<Table>> {
        let page = Arc::clone(&self.inner);
        let most = if all { 10 } else { 1 };
        let wrappers = py.detach(|| windrow::discover(&*page, most));
        // A wrapper that cannot be run must not take the others with it.
        let runnable = wrappers.into_iter().filter(|wrapper| Extractor::new(wrapper).is_ok());
        runnable.map(|wrapper| Table::of_page(py, wrapper, Arc::clone(&page))).collect()
    }

    /// Returns the nodes that a CSS selector matches, or with `::text` and `::attr(NAME)` texts.
    fn select(&self, py: Python<'_>, css: &str) -> PyResult<Py<PyAny>> {
        let expression = Expr::css(css).map_err(|error| from_selector(&error))?;
        evaluate(py, &self.inner, &expression, windrow::Node::node(self.document().root()))
    }

    /// Evaluates an XPath 1.0 expression: nodes, a text, a number or a truth value.
    fn xpath(&self, py: Python<'_>, expression: &str) -> PyResult<Py<PyAny>> {
        let expression = Expr::xpath(expression).map_err(|error| from_selector(&error))?;
        evaluate(py, &self.inner, &expression, windrow::Node::node(self.document().root()))
    }

    /// Reads what the page says of itself for machines: JSON-LD, microdata, RDFa, Open Graph.
    fn structured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = py.detach(|| structured::read(self.document(), self.inner.base()));
        let top: Vec<&structured::Item> = found.top().collect();
        let items = PyList::empty(py);
        for one in top {
            items.append(item(py, &found, one, 0)?)?;
        }
        Ok(items)
    }

    /// Returns the address of the next page of the list, if the page links to one.
    fn next_page(&self, py: Python<'_>) -> Option<String> {
        let address = self.inner.url()?;
        py.detach(|| windrow::learn::next::page(self.document(), address)).map(|next| next.url.to_string())
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        notebook::page(self.inner.name(), &self.text(py))
    }

    fn __repr__(&self) -> String {
        format!("<windrow.Page {} ({} bytes)>", self.inner.name(), self.inner.source().len())
    }
}

/// A node of a page: an element, a text or an attribute.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct Node {
    page: Arc<windrow::Page>,
    node: windrow::Node,
}

#[pymethods]
impl Node {
    /// The text that people read; of an attribute, its value.
    #[getter]
    fn text(&self) -> String {
        let document = self.page.document();
        match self.node.is_attribute() {
            true => self.node.string_value(document).into_owned(),
            false => document.visible_text(self.node.id()),
        }
    }

    /// The name of the element or attribute.
    #[getter]
    fn tag(&self) -> &str {
        self.node.local_name(self.page.document())
    }

    /// The element as HTML.
    #[getter]
    fn html(&self) -> String {
        self.page.document().outer_html(self.node.id())
    }

    /// The attributes of the element.
    #[getter]
    fn attrib<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for attribute in self.page.document().attrs(self.node.id()) {
            attributes.set_item(attribute.name(), attribute.value())?;
        }
        Ok(attributes)
    }

    /// The XPath that selects exactly this node.
    #[getter]
    pub(crate) fn path(&self) -> String {
        path_of(self.page.document(), self.node)
    }

    /// The characters of the source that the node was made from, as `(start, end)` byte offsets.
    #[getter]
    fn span(&self) -> Option<(usize, usize)> {
        let span = self.page.document().span(self.node.id())?;
        Some((span.range().start, span.range().end))
    }

    /// Returns what a CSS selector matches below this node.
    fn select(&self, py: Python<'_>, css: &str) -> PyResult<Py<PyAny>> {
        let expression = Expr::css(css).map_err(|error| from_selector(&error))?;
        evaluate(py, &self.page, &expression, self.node)
    }

    /// Evaluates an XPath 1.0 expression with this node as its context.
    fn xpath(&self, py: Python<'_>, expression: &str) -> PyResult<Py<PyAny>> {
        let expression = Expr::xpath(expression).map_err(|error| from_selector(&error))?;
        evaluate(py, &self.page, &expression, self.node)
    }

    fn __repr__(&self) -> String {
        format!("<windrow.Node {}>", self.path())
    }
}

fn evaluate(
    py: Python<'_>,
    page: &Arc<windrow::Page>,
    expression: &Expr,
    context: windrow::Node,
) -> PyResult<Py<PyAny>> {
    let document = page.document();
    let value = py.detach(|| expression.evaluate(document, context.id()));
    let value = value.map_err(|error| raise::<SelectorError>(&error.to_string(), None, None))?;
    Ok(match value {
        windrow::Value::Nodes(nodes) => {
            let list = PyList::empty(py);
            for node in nodes {
                list.append(Py::new(py, Node { page: Arc::clone(page), node })?)?;
            }
            list.into_any().unbind()
        }
        windrow::Value::Boolean(value) => value.into_pyobject(py)?.to_owned().into_any().unbind(),
        windrow::Value::Number(value) => value.into_pyobject(py)?.into_any().unbind(),
        windrow::Value::String(value) => value.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Items inside items that are written out: more is a circle.
const DEEPEST: usize = 16;

fn item<'py>(py: Python<'py>, all: &Structured, one: &structured::Item, depth: usize) -> PyResult<Bound<'py, PyDict>> {
    let made = PyDict::new(py);
    if depth == 0 {
        made.set_item("syntax", one.syntax.name())?;
    }
    made.set_item("type", &one.types)?;
    if let Some(id) = &one.id {
        made.set_item("id", id)?;
    }
    let properties = PyDict::new(py);
    for property in &one.properties {
        let value = match &property.value {
            structured::Value::Text(text) => text.into_pyobject(py)?.into_any(),
            structured::Value::Item(id) if depth < DEEPEST => {
                item(py, all, &all.items[id.index()], depth + 1)?.into_any()
            }
            structured::Value::Item(_) => continue,
        };
        // A property that is said once is a value, one that is said again a list.
        match properties.get_item(&property.name)? {
            None => properties.set_item(&property.name, value)?,
            Some(known) => match known.cast::<PyList>() {
                Ok(list) => list.append(value)?,
                Err(_) => properties.set_item(&property.name, PyList::new(py, [known.clone(), value])?)?,
            },
        }
    }
    made.set_item("properties", properties)?;
    Ok(made)
}

/// Gathers notes while pages are opened.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Monitor for Notes {
    fn note(&self, line: &str) {
        let line = line.strip_prefix("note: ").unwrap_or(line).to_owned();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

/// Fetches a page, politely and with robots.txt obeyed; with `render`, a browser runs its scripts first.
#[pyfunction]
#[pyo3(signature = (url, *, render = false, timeout = None, user_agent = None, replay = None, allow_private = false))]
pub(crate) fn fetch(
    py: Python<'_>,
    url: &str,
    render: bool,
    timeout: Option<f64>,
    user_agent: Option<&str>,
    replay: Option<Vec<PathBuf>>,
    allow_private: bool,
) -> PyResult<Page> {
    let source = Source::Url(address(url)?);
    let mut options = Options { follow: true, ..Options::default() };
    let mut http = std::mem::take(&mut options.fetcher.http).with_allow_private(allow_private);
    let mut browser = render::Config::default().with_allow_private(allow_private);
    if let Some(seconds) = timeout {
        let timeout =
            Duration::try_from_secs_f64(seconds).map_err(|error| raise::<PageError>(&error.to_string(), None, None))?;
        http = http.with_timeout(timeout);
        browser = browser.with_timeout(timeout);
    }
    if let Some(user_agent) = user_agent {
        http = http.with_user_agent(user_agent);
        browser = browser.with_user_agent(user_agent);
    }
    options.fetcher.http = http;
    options.fetcher.render = render.then_some(browser);
    options.fetcher.replay = replay.unwrap_or_default();
    let page = py.detach(|| {
        let opener = Opener::new(options).map_err(|error| from_diagnostic::<PageError>(&error))?;
        opener.read(&source).map_err(|error| from_diagnostic::<PageError>(&error))
    })?;
    Ok(Page::from_opened(page))
}

/// Reads pages: files, folders (all .html, .htm and .xhtml files below), and WARC archives, one page after the other.
#[pyfunction]
#[pyo3(signature = (*paths))]
pub(crate) fn read_pages(paths: Vec<PathBuf>) -> PyResult<PageReader> {
    let notes = Arc::new(Notes::default());
    let options = Options { monitor: Some(notes.clone()), ..Options::default() };
    let opener = Opener::new(options).map_err(|error| from_diagnostic::<PageError>(&error))?;
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let sources = Mutex::new(opener.find(&paths));
    Ok(PageReader { opener, sources, notes })
}

/// Iterates over the pages of files, folders and archives.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct PageReader {
    opener: Opener,
    sources: Mutex<Sources<'static>>,
    notes: Arc<Notes>,
}

#[pymethods]
impl PageReader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Page>> {
        py.detach(|| {
            let source = self.sources.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(source) = source else { return Ok(None) };
            let page = source.and_then(|source| self.opener.read(&source));
            page.map(|page| Some(Page::from_opened(page))).map_err(|error| from_diagnostic::<PageError>(&error))
        })
    }

    /// Defects of the pages and archives read so far.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Reads a feed in any format (RSS, Atom, JSON Feed, CDF) from bytes.
#[pyfunction]
#[pyo3(signature = (data, *, base = None))]
pub(crate) fn read_feed<'py>(py: Python<'py>, data: Vec<u8>, base: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
    let options = base.map_or_else(windrow::feed::Options::new, |base| windrow::feed::Options::new().with_base(base));
    let feed = py.detach(|| windrow::feed::parse(&data, &options));
    let feed = feed.map_err(|error| from_diagnostic::<FeedError>(&error))?;
    let made = PyDict::new(py);
    made.set_item("format", feed.format.to_string())?;
    made.set_item("title", feed.title)?;
    made.set_item("link", feed.link)?;
    made.set_item("description", feed.description)?;
    let items = PyList::empty(py);
    for entry in feed.items {
        let one = PyDict::new(py);
        one.set_item("date", entry.date().map(|date| date.to_string()))?;
        one.set_item("title", entry.title)?;
        one.set_item("link", entry.link)?;
        one.set_item("id", entry.id)?;
        one.set_item("body", entry.body.map(|body| body.value))?;
        one.set_item("summary", entry.summary.map(|summary| summary.plain()))?;
        one.set_item("authors", entry.authors)?;
        one.set_item("categories", entry.categories)?;
        items.append(one)?;
    }
    made.set_item("items", items)?;
    made.set_item("notes", feed.notes.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(made)
}
