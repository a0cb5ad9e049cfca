//! Stores: records kept in SQLite or PostgreSQL, and queries.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use windrow::store::{self, Answer, Cell, Question};

use crate::errors::from_store;

/// A store of records: a SQLite file or a PostgreSQL database, as `windrow extract --into` writes it.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct Store {
    inner: Mutex<store::Store>,
}

/// Gathers the rows of an answer.
#[derive(Default)]
struct Rows {
    names: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Answer for Rows {
    fn columns(&mut self, names: &[String]) {
        self.names = names.to_vec();
    }

    fn row(&mut self, cells: Vec<Cell>) -> bool {
        self.rows.push(cells);
        true
    }
}

#[pymethods]
impl Store {
    /// Opens a store to read from it.
    #[new]
    fn python_new(py: Python<'_>, address: &str) -> PyResult<Store> {
        let opened = py.detach(|| store::Store::open_read_only(address));
        Ok(Store { inner: Mutex::new(opened.map_err(|error| from_store(&error))?) })
    }

    /// Its lists.
    #[getter]
    fn lists(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let store = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            store.layouts().into_iter().map(|layout| layout.label).collect()
        })
    }

    /// Runs SQL that only reads; `params` are the values for `?`. Returns the rows as dictionaries.
    #[pyo3(signature = (sql, params = None))]
    fn query<'py>(&self, py: Python<'py>, sql: &str, params: Option<Vec<String>>) -> PyResult<Bound<'py, PyList>> {
        let answer = py.detach(|| {
            let mut rows = Rows::default();
            let question = Question { sql, params: params.unwrap_or_default(), ..Question::default() };
            let mut store = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            store.query(&question, &mut rows).map(|()| rows)
        });
        let answer = answer.map_err(|error| from_store(&error))?;
        let list = PyList::empty(py);
        for cells in answer.rows {
            let row = PyDict::new(py);
            for (name, cell) in answer.names.iter().zip(cells) {
                row.set_item(name, value(py, cell)?)?;
            }
            list.append(row)?;
        }
        Ok(list)
    }
}

fn value(py: Python<'_>, cell: Cell) -> PyResult<Py<PyAny>> {
    Ok(match cell {
        Cell::Null => py.None(),
        Cell::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
        Cell::Real(number) => number.into_pyobject(py)?.into_any().unbind(),
        Cell::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any().unbind(),
        Cell::Number(text) | Cell::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Cell::Bytes(bytes) => bytes.into_pyobject(py)?.into_any().unbind(),
    })
}
