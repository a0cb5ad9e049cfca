//! Values of records as Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use windrow::keep::VALUE;
use windrow::store::{Kind, Layout, Record, Value};

/// A record as a dictionary: groups (`author.name`) are dictionaries inside, lists are lists.
pub(crate) fn record<'py>(py: Python<'py>, layout: &Layout, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    for (column, value) in layout.columns.iter().zip(&record.values) {
        put(&row, &column.label, value_of(py, value, column.kind)?)?;
    }
    for (list, records) in layout.lists.iter().zip(&record.lists) {
        put(&row, &list.label, members(py, list, records)?.into_any())?;
    }
    Ok(row)
}

fn members<'py>(py: Python<'py>, layout: &Layout, records: &[Record]) -> PyResult<Bound<'py, PyList>> {
    let is_of_values = layout.lists.is_empty() && layout.columns.len() == 1 && layout.columns[0].label == VALUE;
    let list = PyList::empty(py);
    for member in records {
        match (is_of_values, member.values.first()) {
            (true, Some(value)) => list.append(value_of(py, value, layout.columns[0].kind)?)?,
            _ => list.append(record(py, layout, member)?)?,
        }
    }
    Ok(list)
}

/// Puts a value under a label with dots: the parts in front name dictionaries.
fn put(row: &Bound<'_, PyDict>, label: &str, value: Bound<'_, PyAny>) -> PyResult<()> {
    if let Some((group, rest)) = label.split_once('.')
        && !group.is_empty()
        && !rest.is_empty()
    {
        let inner = match row.get_item(group)? {
            Some(inner) => inner.cast_into::<PyDict>().ok(),
            None => {
                let inner = PyDict::new(row.py());
                row.set_item(group, &inner)?;
                Some(inner)
            }
        };
        if let Some(inner) = inner {
            return put(&inner, rest, value);
        }
    }
    row.set_item(label, value)
}

/// A value: numbers as `int` or `float`, whole dates as `date` or `datetime`, money as a dictionary, all else as `str`.
fn value_of<'py>(py: Python<'py>, value: &Value, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Number(digits) => number(py, digits)?,
        Value::Money { amount, currency } => {
            let money = PyDict::new(py);
            money.set_item("amount", number(py, amount)?)?;
            money.set_item("currency", currency)?;
            money.into_any()
        }
        Value::Text(text) if kind == Kind::Date => date(py, text)?,
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}

fn number<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(whole) = digits.parse::<i128>() {
        return Ok(whole.into_pyobject(py)?.into_any());
    }
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number.into_pyobject(py)?.into_any()),
        _ => Ok(digits.into_pyobject(py)?.into_any()),
    }
}

/// A date that names a day is a `date`, one with a time a `datetime`; a month or a year stays text.
fn date<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let class = match text.len() {
        10 => "date",
        16.. => "datetime",
        _ => return Ok(text.into_pyobject(py)?.into_any()),
    };
    // Before 3.11, `fromisoformat` does not know `Z`.
    let plain = text.strip_suffix('Z').map(|text| format!("{text}+00:00"));
    let class = py.import("datetime")?.getattr(class)?;
    let made = class.call_method1("fromisoformat", (plain.as_deref().unwrap_or(text),));
    made.or_else(|_| Ok(text.into_pyobject(py)?.into_any()))
}
