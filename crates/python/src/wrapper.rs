//! Wrappers: loading, saving, running and repairing them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use windrow::learn::repair::{self, Known};
use windrow::rows::Rows;
use windrow::{Extractor, Format};

use crate::errors::{LearnError, RepairRefused, WrapperError, from_wrapper, raise};
use crate::notebook;
use crate::page::Page;
use crate::table::Table;

/// A wrapper: the rules for one kind of page.
#[pyclass(frozen, module = "windrow")]
pub(crate) struct Wrapper {
    pub(crate) inner: windrow::Wrapper,
    pub(crate) extractor: Arc<Extractor>,
    /// Notes on how it was learned.
    pub(crate) warnings: Vec<String>,
}

impl Wrapper {
    /// Compiles a wrapper that a learner wrote.
    pub(crate) fn learned(inner: windrow::Wrapper, warnings: Vec<String>) -> PyResult<Wrapper> {
        match Extractor::new(&inner) {
            Ok(extractor) => Ok(Wrapper { inner, extractor: Arc::new(extractor), warnings }),
            Err(errors) => {
                let messages: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
                Err(raise::<LearnError>(
                    &format!("the rules that were learned are wrong: {}", messages.join("; ")),
                    None,
                    None,
                ))
            }
        }
    }

    /// The rows of a list, or an error that names the lists there are.
    pub(crate) fn rows(&self, list: Option<&str>) -> PyResult<Rows> {
        let shapes = self.extractor.shape();
        Rows::new(&shapes, list).ok_or_else(|| {
            let names = Rows::names(&shapes);
            let hint = (!names.is_empty()).then(|| format!("its lists are `{}`", names.join("`, `")));
            let message =
                list.map_or("the wrapper has no rules".to_owned(), |list| format!("the wrapper has no list `{list}`"));
            raise::<WrapperError>(&message, None, hint)
        })
    }
}

#[pymethods]
impl Wrapper {
    /// Reads a wrapper from text, in any of the formats.
    #[new]
    #[pyo3(signature = (text, *, format = None))]
    fn python_new(text: &str, format: Option<&str>) -> PyResult<Wrapper> {
        let format = match format {
            Some(name) => Format::from_name(name)
                .ok_or_else(|| raise::<WrapperError>(&format!("there is no format `{name}`"), None, None))?,
            None => Format::guess(text),
        };
        let inner = windrow::read_wrapper(text, format).map_err(|errors| from_wrapper(&errors, text))?;
        let extractor = Extractor::new(&inner).map_err(|errors| from_wrapper(&errors, text))?;
        Ok(Wrapper { inner, extractor: Arc::new(extractor), warnings: Vec::new() })
    }

    /// Reads a wrapper from a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Wrapper> {
        let text = std::fs::read_to_string(&path)?;
        let format = path.extension().and_then(|extension| extension.to_str()).and_then(Format::from_extension);
        Wrapper::python_new(&text, format.map(|format| format.to_string()).as_deref())
    }

    /// Writes the wrapper to a file; the name's ending selects the format.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let format = path.extension().and_then(|extension| extension.to_str()).and_then(Format::from_extension);
        let text = self.write(format.unwrap_or(Format::Toml))?;
        Ok(std::fs::write(path, text)?)
    }

    /// The wrapper as TOML.
    fn to_toml(&self) -> PyResult<String> {
        self.write(Format::Toml)
    }

    /// Its lists.
    #[getter]
    fn lists(&self) -> Vec<String> {
        Rows::names(&self.extractor.shape())
    }

    /// Notes on how it was learned.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Runs the wrapper on a page, or on any iterable of pages; these are read when the rows are asked for.
    #[pyo3(signature = (pages, *, list = None))]
    fn extract(&self, py: Python<'_>, pages: &Bound<'_, PyAny>, list: Option<&str>) -> PyResult<Table> {
        let rows = self.rows(list)?;
        if let Ok(page) = pages.cast::<Page>() {
            let table = Table::new(rows, Arc::clone(&self.extractor));
            table.add(py, &page.get().inner);
            return Ok(table);
        }
        Ok(Table::new(rows, Arc::clone(&self.extractor)).reading(pages.try_iter()?.unbind()))
    }

    /// Mends the wrapper for a page that was redesigned, from the records that it had before. Refuses if it is not sure.
    #[pyo3(signature = (page, *, known))]
    fn repair(&self, py: Python<'_>, page: &Bound<'_, Page>, known: Vec<PyRef<'_, Page>>) -> PyResult<Wrapper> {
        let pages = vec![Arc::clone(&page.get().inner)];
        let before: Vec<Arc<windrow::Page>> = known.iter().map(|page| Arc::clone(&page.inner)).collect();
        drop(known);
        let repaired = py.detach(|| {
            let extractions: Vec<_> = before.into_iter().map(|page| self.extractor.extract(page)).collect();
            repair::repair(&self.inner, &Known::of(&extractions), &pages)
        });
        match repaired {
            Ok(repaired) => {
                Wrapper::learned(repaired.wrapper, repaired.notes.iter().map(ToString::to_string).collect())
            }
            Err(refusal) => Err(raise::<RepairRefused>(&refusal.to_string(), None, Some(refusal.hint().to_string()))),
        }
    }

    fn _repr_html_(&self) -> PyResult<String> {
        Ok(notebook::wrapper(&self.write(Format::Toml)?, &self.warnings))
    }

    fn __repr__(&self) -> String {
        format!("<windrow.Wrapper of {}>", self.lists().join(", "))
    }
}

impl Wrapper {
    fn write(&self, format: Format) -> PyResult<String> {
        windrow::write_wrapper(&self.inner, format).map_err(|errors| from_wrapper(&errors, ""))
    }
}
