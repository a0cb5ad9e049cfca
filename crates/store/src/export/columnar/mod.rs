//! Parquet and Arrow IPC: records by columns, with their lists and amounts as nested types.
//!
//! Both formats get the same batches (see `batch`). Text, addresses, dates and markup are `Utf8`: dates differ in
//! precision, and a date type would invent what the page does not say. Numbers are `Float64`, amounts `Struct<amount,
//! currency>`. A batch is written as soon as it has [`BATCH_ROWS`] rows or [`BATCH_BYTES`]; row groups of Parquet end
//! at [`GROUP_ROWS`] or [`GROUP_BYTES`], which bounds the memory needed for writing and for reading.

mod batch;

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use self::batch::Batch;
use super::{ExportError, Options, list};
use crate::data::{Layout, Record, Value};

/// Largest number of rows in a batch. Arrow readers hold one batch at a time.
const BATCH_ROWS: usize = 8 * 1024;
/// Approximate limit on the text bytes of a batch, far below the limit of 31-bit offsets.
const BATCH_BYTES: usize = 16 << 20;
/// Largest number of rows in a row group.
const GROUP_ROWS: usize = 64 * 1024;
/// Approximate limit on the encoded bytes of a row group.
const GROUP_BYTES: usize = 64 << 20;
/// Largest record. A batch of one record must stay within 31-bit offsets.
const RECORD_BYTES: usize = 1 << 30;
/// Name of the creator in the files.
const MAKER: &str = concat!("Windrow ", env!("CARGO_PKG_VERSION"));

/// Writer of batches.
pub(super) struct Columnar<W: Write + Send> {
    out: Out<W>,
    batches: Batches,
}

enum Out<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    Arrow(Box<FileWriter<BufWriter<W>>>),
}

impl<W: Write + Send> Columnar<W> {
    pub(super) fn parquet(layout: &Layout, options: &Options, out: W) -> Result<Columnar<W>, ExportError> {
        Columnar::new(layout, options, |schema| {
            let properties = WriterProperties::builder()
                .set_created_by(MAKER.to_owned())
                .set_key_value_metadata(Some(vec![KeyValue::new("windrow.list".to_owned(), layout.label.clone())]))
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_max_row_group_row_count(Some(GROUP_ROWS))
                .set_max_row_group_bytes(Some(GROUP_BYTES))
                .build();
            let writer = ArrowWriter::try_new(out, schema, Some(properties));
            Ok(Out::Parquet(Box::new(writer.map_err(|error| ExportError::encode("Parquet", error))?)))
        })
    }

    pub(super) fn arrow(layout: &Layout, options: &Options, out: W) -> Result<Columnar<W>, ExportError> {
        Columnar::new(layout, options, |schema| {
            let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
            let writer = options
                .and_then(|options| FileWriter::try_new_with_options(BufWriter::new(out), &schema, options))
                .map_err(|error| ExportError::encode("Arrow", error))?;
            Ok(Out::Arrow(Box::new(writer)))
        })
    }

    fn new(
        layout: &Layout,
        options: &Options,
        out: impl FnOnce(SchemaRef) -> Result<Out<W>, ExportError>,
    ) -> Result<Columnar<W>, ExportError> {
        let batches = Batches::new(layout, options);
        let out = out(batches.schema())?;
        Ok(Columnar { out, batches })
    }

    pub(super) fn push(&mut self, record: &Record) -> Result<(), ExportError> {
        match self.batches.push(record)? {
            Some(batch) => self.write(&batch),
            None => Ok(()),
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), ExportError> {
        match &mut self.out {
            Out::Parquet(writer) => writer.write(batch).map_err(|error| ExportError::encode("Parquet", error)),
            Out::Arrow(writer) => writer.write(batch).map_err(|error| ExportError::encode("Arrow", error)),
        }
    }

    pub(super) fn finish(mut self) -> Result<Vec<String>, ExportError> {
        if let Some(batch) = self.batches.take()? {
            self.write(&batch)?;
        }
        match self.out {
            Out::Parquet(mut writer) => {
                // `into_inner` would turn the output's error into a text.
                writer.finish().map_err(|error| ExportError::encode("Parquet", error))?;
                writer.inner_mut().flush()?;
            }
            Out::Arrow(mut writer) => {
                writer.finish().map_err(|error| ExportError::encode("Arrow", error))?;
                writer.get_mut().flush()?;
            }
        }
        Ok(self.batches.notes())
    }
}

/// Gathers the records of one list into Arrow record batches of bounded size.
pub struct Batches {
    batch: Batch,
    schema: SchemaRef,
    label: String,
    bytes: usize,
    notes: Vec<String>,
}

impl Batches {
    /// Makes batches for records of this layout.
    pub fn new(layout: &Layout, options: &Options) -> Batches {
        let mut notes = Vec::new();
        let batch = Batch::new(layout, options.provenance, &mut notes);
        let about = [("windrow.list", layout.label.as_str()), ("windrow.maker", MAKER)];
        let about: HashMap<String, String> = about.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
        let schema = Arc::new(Schema::new_with_metadata(batch.fields(), about));
        Batches { batch, schema, label: layout.label.clone(), bytes: 0, notes }
    }

    /// Returns the schema that all batches have.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Adds a record. If the batch is full without it, that batch is returned, and the record begins the next.
    pub fn push(&mut self, record: &Record) -> Result<Option<RecordBatch>, ExportError> {
        let bytes = size(record);
        if bytes > RECORD_BYTES {
            let (list, page) = (self.label.clone(), record.page.clone());
            return Err(ExportError::TooLarge { list, page, bytes, limit: RECORD_BYTES });
        }
        let is_full = self.batch.rows() >= BATCH_ROWS || (self.batch.rows() > 0 && self.bytes + bytes > BATCH_BYTES);
        let full = if is_full { self.take()? } else { None };
        self.bytes += bytes;
        self.batch.push(record);
        Ok(full)
    }

    /// Returns the records added since the last batch, if there are any.
    pub fn take(&mut self) -> Result<Option<RecordBatch>, ExportError> {
        if self.batch.rows() == 0 {
            return Ok(None);
        }
        self.bytes = 0;
        let batch = RecordBatch::try_new(self.schema.clone(), self.batch.take());
        batch.map(Some).map_err(|error| ExportError::encode("Arrow", error))
    }

    /// Returns notes on values that could not be written as they are.
    pub fn notes(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.batch.note()).collect()
    }
}

/// Estimates the size of a record: its texts, plus a few bytes for each value and inner record.
fn size(record: &Record) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let values = record.values.iter().map(|value| match value {
        Value::Null => 1,
        Value::Text(text) => 4 + text.len(),
        Value::Number(_) => 8,
        Value::Money { currency, .. } => 12 + text(currency),
    });
    let lists = (0..record.lists.len()).flat_map(|number| list(record, number)).map(size);
    record.page.len() + 28 + values.sum::<usize>() + lists.sum::<usize>()
}
