//! Parquet: rows of plain types, converted to text.
//!
//! Rows are read one by one, so that the Parquet crate formats dates, decimals and timestamps. Texts are taken as they
//! are; bytes that are not text, and nulls, count as no value; nested values are written as JSON-like text.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::error::Error;
use super::open::{Options, Rows};
use super::table::Reference;

/// Reads a file.
pub(super) fn read(path: &Path, options: &Options) -> Result<Reference, Error> {
    // The crate panics on some kinds of damage, as if they were errors of the caller.
    catch_unwind(AssertUnwindSafe(|| read_rows(path, options))).unwrap_or_else(|_| {
        Err(Error::Database { place: path.display().to_string(), why: "the file is damaged".to_owned() })
    })
}

fn read_rows(path: &Path, options: &Options) -> Result<Reference, Error> {
    let name = path.display().to_string();
    let failed = |error: parquet::errors::ParquetError| Error::Database { place: name.clone(), why: error.to_string() };
    let file = File::open(path).map_err(|source| Error::file(path, source))?;
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.root_schema().get_fields().iter().map(|field| field.name().to_owned());
    let mut rows = Rows::new(&name, columns, options)?;
    let said = reader.metadata().file_metadata().num_rows();
    if usize::try_from(said).is_ok_and(|said| said > options.rows) {
        return Err(Error::TooLarge { name, what: "rows", most: options.rows });
    }
    let mut text = String::new();
    for row in reader.get_row_iter(None).map_err(failed)? {
        let row = row.map_err(failed)?;
        for (_, field) in row.get_column_iter() {
            match field {
                Field::Str(value) => rows.cell(value)?,
                Field::Null => rows.cell("")?,
                Field::Bytes(value) => rows.cell(value.as_utf8().unwrap_or_default())?,
                other => {
                    use std::fmt::Write;
                    text.clear();
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{other}");
                    rows.cell(&text)?;
                }
            }
        }
        rows.end()?;
    }
    Ok(rows.done())
}
