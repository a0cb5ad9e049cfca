//! Tables: the rows of one list over many pages, in memory or streamed as Arrow batches.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList};
use windrow::rows::Rows;
use windrow::store::export::{Batches, Options};
use windrow::store::{Found, Record};
use windrow::{Extraction, Extractor};

use crate::page::{Page, read_pages};
use crate::wrapper::Wrapper;
use crate::{notebook, values};

/// Problems of single pages that become warnings; the others are counted.
const MOST_PROBLEMS: usize = 20;

/// The rows of one list, from one page or many.
///
/// Pages are read when the rows are asked for. As an Arrow stream (`pyarrow.table`, `polars.from_arrow`, DuckDB) they pass through in
/// batches of bounded size and are not kept; `len`, iteration and indexing keep the rows.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct Table {
    rows: Arc<Rows>,
    extractor: Arc<Extractor>,
    wrapper: Option<windrow::Wrapper>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The pages that are still to be read.
    pending: Option<Py<PyIterator>>,
    rows: Vec<(String, Found)>,
    problems: Vec<String>,
    unreported: usize,
}

/// The rows of one page, worked out without the interpreter's lock.
struct Worked {
    rows: Vec<(String, Found)>,
    problems: Vec<String>,
    unreported: usize,
}

fn work(extractor: &Extractor, rows: &Rows, page: &Arc<windrow::Page>) -> Worked {
    let extraction: Extraction = extractor.extract(Arc::clone(page));
    let found = rows.found(&extraction).into_iter().map(|found| (page.name().to_owned(), found));
    let problems = extraction.problems();
    let lines = problems
        .iter()
        .take(MOST_PROBLEMS)
        .map(|problem| format!("{}: {}: {}", page.name(), problem.path(&extraction), problem.message(&extraction)));
    let unreported = extraction.unreported() + problems.len().saturating_sub(MOST_PROBLEMS);
    Worked { rows: found.collect(), problems: lines.collect(), unreported }
}

/// The page that an item of an iterable means: a page, or the path of a file.
fn page_of(item: &Bound<'_, PyAny>) -> PyResult<Arc<windrow::Page>> {
    if let Ok(page) = item.cast::<Page>() {
        return Ok(Arc::clone(&page.get().inner));
    }
    if let Ok(path) = item.extract::<std::path::PathBuf>() {
        let reader = Bound::new(item.py(), read_pages(vec![path])?)?;
        if let Some(page) = reader.try_iter()?.next() {
            return Ok(Arc::clone(&page?.cast::<Page>()?.get().inner));
        }
    }
    Err(PyTypeError::new_err("expected pages (windrow.Page) or paths of files"))
}

impl Table {
    pub(crate) fn new(rows: Rows, extractor: Arc<Extractor>) -> Table {
        Table { rows: Arc::new(rows), extractor, wrapper: None, state: Mutex::default() }
    }

    /// The table that a discovered wrapper finds on its page.
    pub(crate) fn of_page(py: Python<'_>, wrapper: windrow::Wrapper, page: Arc<windrow::Page>) -> PyResult<Table> {
        let learned = Wrapper::learned(wrapper.clone(), Vec::new())?;
        let mut table = Table::new(learned.rows(None)?, Arc::clone(&learned.extractor));
        table.wrapper = Some(wrapper);
        table.add(py, &page);
        Ok(table)
    }

    /// The same, with pages that are read when they are needed.
    pub(crate) fn reading(mut self, pages: Py<PyIterator>) -> Table {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).pending = Some(pages);
        self
    }

    /// Adds the rows of a page.
    pub(crate) fn add(&self, py: Python<'_>, page: &Arc<windrow::Page>) {
        let worked = py.detach(|| work(&self.extractor, &self.rows, page));
        let mut state = self.state();
        state.rows.extend(worked.rows);
        state.problems.extend(worked.problems);
        state.unreported += worked.unreported;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the pages that are left. Ctrl-C ends it after a page; the rows so far are kept, and the next call goes on.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            let Some(pages) = self.state().pending.as_ref().map(|pages| pages.clone_ref(py)) else { return Ok(()) };
            let Some(page) = pages.bind(py).clone().next() else {
                self.state().pending = None;
                return Ok(());
            };
            let page = page_of(&page?)?;
            self.add(py, &page);
            py.check_signals()?;
        }
    }

    fn record(&self, row: &(String, Found)) -> Record {
        self.rows.record(&row.0, row.1.clone())
    }

    fn schema(&self) -> SchemaRef {
        Batches::new(self.rows.layout(), &Options::new()).schema()
    }
}

#[pymethods]
impl Table {
    /// The name of the list.
    #[getter]
    fn name(&self) -> &str {
        &self.rows.layout().label
    }

    /// The names of the columns, lists in records last.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let layout = self.rows.layout();
        let columns = layout.columns.iter().map(|column| column.label.clone());
        columns.chain(layout.lists.iter().map(|list| list.label.clone())).collect()
    }

    /// The wrapper that found the rows, for tables of `Page.discover`.
    #[getter]
    fn wrapper(&self) -> PyResult<Option<Wrapper>> {
        self.wrapper.clone().map(|wrapper| Wrapper::learned(wrapper, Vec::new())).transpose()
    }

    /// Defects: columns that are empty in most rows, and what the rules did not find.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.finish(py)?;
        let state = self.state();
        let mut warnings = Vec::new();
        let total = state.rows.len();
        for (number, column) in self.rows.layout().columns.iter().enumerate() {
            let is_empty = |row: &&(String, Found)| row.1.values.get(number).is_none_or(|value| !value.is_found());
            let empty = state.rows.iter().filter(is_empty).count();
            if empty * 2 > total {
                warnings.push(format!("`{}` is empty in {empty} of {total} rows", column.label));
            }
        }
        warnings.extend(state.problems.iter().cloned());
        if state.unreported > 0 {
            warnings.push(format!("and {} more problems of this kind", state.unreported));
        }
        Ok(warnings)
    }

    /// Returns all rows as dictionaries.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.finish(py)?;
        let records: Vec<Record> = self.state().rows.iter().map(|row| self.record(row)).collect();
        let rows = PyList::empty(py);
        for record in &records {
            rows.append(values::record(py, self.rows.layout(), record)?)?;
        }
        Ok(rows)
    }

    /// Returns the table as a polars data frame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Returns the table as a pandas data frame; pandas reads it by pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))?.call_method0("to_pandas")
    }

    /// Says where a value stands and which rule found it.
    fn explain<'py>(&self, py: Python<'py>, row: usize, column: &str) -> PyResult<Bound<'py, PyDict>> {
        self.finish(py)?;
        let layout = self.rows.layout();
        let Some(number) = layout.columns.iter().position(|known| known.label == column) else {
            return Err(PyKeyError::new_err(format!("there is no column `{column}`")));
        };
        let state = self.state();
        let Some((page, found)) = state.rows.get(row) else {
            return Err(PyIndexError::new_err(format!("row {row} of {}", state.rows.len())));
        };
        let made = PyDict::new(py);
        made.set_item("page", page)?;
        made.set_item("rule", &layout.columns[number].rule)?;
        made.set_item("record", &found.place.path)?;
        if let Some(value) = found.values.get(number) {
            made.set_item("text", value.text())?;
            made.set_item("path", value.place.as_ref().map(|place| place.path.as_str()))?;
            made.set_item("span", value.place.as_ref().and_then(|place| place.span))?;
        }
        Ok(made)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.finish(py)?;
        Ok(self.state().rows.len())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyDict>> {
        self.finish(py)?;
        let record = {
            let state = self.state();
            let index = if row < 0 { state.rows.len().checked_add_signed(row) } else { usize::try_from(row).ok() };
            index.and_then(|index| state.rows.get(index)).map(|row| self.record(row))
        };
        let record = record.ok_or_else(|| PyIndexError::new_err("there is no such row"))?;
        values::record(py, self.rows.layout(), &record)
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Row> {
        Ok(Row { table: slf.clone().unbind(), next: Mutex::new(0) })
    }

    fn __repr__(&self) -> String {
        let state = self.state();
        let rows = match &state.pending {
            Some(_) => "pages not read yet".to_owned(),
            None => format!("{} rows", state.rows.len()),
        };
        format!("<windrow.Table {}: {rows}; columns {}>", self.name(), self.columns().join(", "))
    }

    /// Shows the first rows in a notebook. Pages that have not been read yet are not read for it.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        if self.state().pending.is_some() {
            return Ok(notebook::page(
                &self.__repr__(),
                "Ask for its rows, or give it to a data frame, to read the pages.",
            ));
        }
        let warnings = self.warnings(py)?;
        Ok(notebook::table(&self.rows, &self.state().rows, &warnings))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema()).map_err(arrow)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        slf: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol lets a producer ignore the wish for another schema.
        let _ = requested_schema;
        let table = slf.get();
        let layout = table.rows.layout();
        let mut state = table.state();
        let is_fresh = state.rows.is_empty();
        let pages = if is_fresh { state.pending.take() } else { None };
        drop(state);
        if pages.is_none() {
            table.finish(slf.py())?;
        }
        let stream = Stream {
            batches: Batches::new(layout, &Options::new()),
            table: slf.clone().unbind(),
            pages,
            ready: Vec::new(),
            next: 0,
            ended: false,
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(slf.py(), stream, c"arrow_array_stream")
    }
}

fn arrow(error: ArrowError) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(error.to_string())
}

/// The rows of a table as Arrow batches.
struct Stream {
    batches: Batches,
    table: Py<Table>,
    /// The pages that are read on the way; none if the table has its rows already.
    pages: Option<Py<PyIterator>>,
    ready: Vec<RecordBatch>,
    next: usize,
    ended: bool,
}

impl Stream {
    /// Adds the rows of one more page, or some of those that the table has. Returns false behind the last.
    fn advance(&mut self) -> PyResult<bool> {
        let table = self.table.get();
        let rows = match &self.pages {
            Some(pages) => {
                let page = Python::attach(|py| {
                    py.check_signals()?;
                    pages.bind(py).clone().next().map(|page| page_of(&page?)).transpose()
                })?;
                let Some(page) = page else { return Ok(false) };
                let worked = Python::attach(|py| py.detach(|| work(&table.extractor, &table.rows, &page)));
                let mut state = table.state();
                let room = MOST_PROBLEMS.saturating_sub(state.problems.len());
                state.unreported += worked.unreported + worked.problems.len().saturating_sub(room);
                state.problems.extend(worked.problems.into_iter().take(room));
                worked.rows
            }
            None => {
                let state = table.state();
                let rows: Vec<_> = state.rows.iter().skip(self.next).take(1024).cloned().collect();
                self.next += rows.len();
                if rows.is_empty() {
                    return Ok(false);
                }
                rows
            }
        };
        for (page, found) in rows {
            let record = table.rows.record(&page, found);
            let full = self.batches.push(&record).map_err(|error| arrow(ArrowError::ExternalError(Box::new(error))))?;
            self.ready.extend(full);
        }
        Ok(true)
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            match self.advance() {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    match self.batches.take() {
                        Ok(last) => self.ready.extend(last),
                        Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
                    }
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(ArrowError::CDataInterface(error.to_string())));
                }
            }
        }
        // Records are small beside batches, so there is seldom more than one.
        if self.ready.is_empty() { None } else { Some(Ok(self.ready.remove(0))) }
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

/// Iterates over the rows of a table as dictionaries; pages are read on the way.
#[pyclass(frozen, module = "windrow", name = "RowIterator")]
pub(crate) struct Row {
    table: Py<Table>,
    next: Mutex<usize>,
}

#[pymethods]
impl Row {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let table = self.table.get();
        let number = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let record = table.state().rows.get(number).map(|row| table.record(row));
            if let Some(record) = record {
                *self.next.lock().unwrap_or_else(PoisonError::into_inner) = number + 1;
                return values::record(py, table.rows.layout(), &record).map(Some);
            }
            let Some(pages) = table.state().pending.as_ref().map(|pages| pages.clone_ref(py)) else { return Ok(None) };
            match pages.bind(py).clone().next() {
                Some(page) => table.add(py, &page_of(&page?)?),
                None => table.state().pending = None,
            }
        }
    }
}
