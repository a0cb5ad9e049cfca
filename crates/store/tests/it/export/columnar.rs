//! Parquet and Arrow: read back by their own crates, as trees.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Map, Value as Json, json};
use windrow_store::export::{ExportError, Exporter, Format, Options};
use windrow_store::{Kind, Layout, Record, Value};

use super::sample::{NASTY, ads, export, layout, nasty, number, record, text};

/// All rows of a file as trees.
pub(crate) fn read(format: Format, bytes: Vec<u8>) -> Vec<Json> {
    batches(format, bytes).iter().flat_map(|batch| (0..batch.num_rows()).map(|row| tree(batch, row))).collect()
}

fn batches(format: Format, bytes: Vec<u8>) -> Vec<RecordBatch> {
    match format {
        Format::Parquet => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).unwrap();
            reader.build().unwrap().map(Result::unwrap).collect()
        }
        _ => {
            let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
            reader.map(Result::unwrap).collect()
        }
    }
}

fn tree(batch: &RecordBatch, row: usize) -> Json {
    let members = batch.schema_ref().fields().iter().zip(batch.columns());
    Json::Object(members.map(|(field, column)| (field.name().clone(), cell(column.as_ref(), row))).collect())
}

fn cell(array: &dyn Array, row: usize) -> Json {
    if array.is_null(row) {
        return Json::Null;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Timestamp(..) => array.as_primitive::<TimestampMillisecondType>().value(row).into(),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let members: Map<String, Json> =
                columns.map(|(field, column)| (field.name().clone(), cell(column.as_ref(), row))).collect();
            members.into()
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|item| cell(items.as_ref(), item)).collect::<Vec<_>>().into()
        }
        other => panic!("{other} is none of ours"),
    }
}

#[test]
fn nested_types_are_kept() {
    let (layout, records) = ads();
    for format in [Format::Parquet, Format::Arrow] {
        let (bytes, summary) = export(format, &layout, &Options::new(), &records);
        assert_eq!((summary.rows, summary.notes.len()), (2, 0));
        let expected = [
            json!({
                "title": "Flat, \"sunny\"", "link": "https://farm.example/1", "posted": "2026-11-15", "rooms": 3.5,
                "price": {"amount": 340.0, "currency": "EUR"}, "body": "<p>Big & bright</p>",
                "place": {"city": "Vienna", "zip": "1010"}, "tags": ["flat", "sun"],
                "photos": [
                    {"src": "https://farm.example/1.jpg", "sizes": [{"width": 640.0}, {"width": 80.0}]},
                    {"src": "https://farm.example/2.jpg", "sizes": []},
                ],
            }),
            json!({
                "title": "=House", "link": null, "posted": "2026-11", "rooms": null,
                "price": {"amount": 1200.0, "currency": null}, "body": null,
                "place": {"city": "Graz", "zip": null}, "tags": [], "photos": [],
            }),
        ];
        assert_eq!(read(format, bytes), expected, "{format:?}");
    }
}

#[test]
fn provenance_has_times() {
    let (layout, records) = ads();
    for format in [Format::Parquet, Format::Arrow] {
        let (bytes, _) = export(format, &layout, &Options::new().with_provenance(true), &records);
        let rows = read(format, bytes);
        assert_eq!(rows[0]["page"], "https://farm.example/ads?p=1");
        assert_eq!(rows[0]["first_seen"], 1_793_520_000_000_i64);
        assert_eq!(rows[0]["last_seen"], 1_794_816_000_250_i64);
        assert_eq!(rows[0]["gone"], Json::Null);
        assert_eq!(rows[1]["gone"], 1_794_873_600_000_i64);
        assert_eq!(rows[1]["title"], "=House");
    }
}

#[test]
fn the_file_says_who_made_it_and_how() {
    let (layout, records) = ads();
    let (bytes, _) = export(Format::Parquet, &layout, &Options::new(), &records);
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let file = reader.metadata().file_metadata();
    assert_eq!(file.created_by(), Some(concat!("Windrow ", env!("CARGO_PKG_VERSION"))));
    let about = file.key_value_metadata().unwrap();
    assert!(about.iter().any(|pair| pair.key == "windrow.list" && pair.value.as_deref() == Some("ads")), "{about:?}");
    let codec = reader.metadata().row_group(0).column(0).compression().to_string();
    assert!(codec.starts_with("ZSTD"), "{codec}");
}

#[test]
fn nasty_texts_come_back() {
    let (layout, records) = nasty();
    for format in [Format::Parquet, Format::Arrow] {
        let (bytes, _) = export(format, &layout, &Options::new(), &records);
        let rows = read(format, bytes);
        assert_eq!(rows.iter().map(|row| row["title"].as_str().unwrap()).collect::<Vec<_>>(), NASTY);
    }
}

#[test]
fn groups_of_rows_and_batches_are_bounded() {
    let layout = layout("numbers", &[("n", Kind::Number)], Vec::new());
    let records: Vec<Record> = (0..70_000).map(|at| record(at, vec![number(&at.to_string())], Vec::new())).collect();
    let (bytes, summary) = export(Format::Parquet, &layout, &Options::new(), &records);
    assert_eq!(summary.rows, 70_000);
    let reader = SerializedFileReader::new(Bytes::from(bytes.clone())).unwrap();
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [65_536, 4_464]);
    let rows = read(Format::Parquet, bytes);
    assert!(rows.iter().enumerate().all(|(at, row)| row["n"] == at as f64));

    let (bytes, _) = export(Format::Arrow, &layout, &Options::new(), &records);
    let sizes: Vec<usize> = batches(Format::Arrow, bytes).iter().map(RecordBatch::num_rows).collect();
    assert_eq!(sizes, [8_192, 8_192, 8_192, 8_192, 8_192, 8_192, 8_192, 8_192, 4_464]);

    // By bytes: five megabytes each, three to a batch.
    let layout = layout_of_text();
    let records: Vec<Record> = (0..7).map(|at| record(at, vec![text(&"x".repeat(5 << 20))], Vec::new())).collect();
    let (bytes, _) = export(Format::Arrow, &layout, &Options::new(), &records);
    let sizes: Vec<usize> = batches(Format::Arrow, bytes).iter().map(RecordBatch::num_rows).collect();
    assert_eq!(sizes, [3, 3, 1]);
}

fn layout_of_text() -> Layout {
    layout("texts", &[("text", Kind::Text)], Vec::new())
}

#[test]
fn what_is_no_number_is_told() {
    let layout = layout("n", &[("n", Kind::Number), ("m", Kind::Money)], Vec::new());
    let values = vec![vec![text("many"), number("5")], vec![number("1e999"), Value::Null]];
    let records: Vec<Record> = values.into_iter().map(|values| record(1, values, Vec::new())).collect();
    let (bytes, summary) = export(Format::Parquet, &layout, &Options::new(), &records);
    assert_eq!(summary.notes, ["2 values are not a number or too large for a number column, and left empty"]);
    let expected = [json!({"n": null, "m": {"amount": 5.0, "currency": null}}), json!({"n": null, "m": null})];
    assert_eq!(read(Format::Parquet, bytes), expected);
}

#[test]
fn lists_without_columns_and_without_records() {
    let empty = Layout { label: "empty".to_owned(), ..Layout::default() };
    let outer = Layout { lists: vec![empty.clone()], ..layout_of_text() };
    let inner = record(0, Vec::new(), Vec::new());
    for format in [Format::Parquet, Format::Arrow] {
        let (bytes, summary) = export(format, &empty, &Options::new(), std::slice::from_ref(&inner));
        assert_eq!(summary.notes, ["`empty` has no columns, so its pages and times are written instead"]);
        assert_eq!(read(format, bytes)[0]["page"], "https://farm.example/ads?p=1");

        let records = [record(1, vec![text("a")], vec![vec![inner.clone(), inner.clone()]])];
        let (bytes, _) = export(format, &outer, &Options::new(), &records);
        assert_eq!(read(format, bytes), [json!({"text": "a", "empty": [null, null]})]);

        let (bytes, summary) = export(format, &outer, &Options::new(), &[]);
        assert_eq!((read(format, bytes).len(), summary.rows), (0, 0));
    }
}

/// An output that takes so many bytes and then is closed, like a pipe.
struct Closing(usize);

impl std::io::Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_known_for_one() {
    let (layout, records) = ads();
    for format in Format::ALL {
        for space in [0, 100] {
            let failed = Exporter::new(format, &layout, &Options::new(), Closing(space)).and_then(|mut exporter| {
                records.iter().try_for_each(|record| exporter.push(record))?;
                exporter.finish()
            });
            match failed {
                Err(ExportError::Write(error)) => {
                    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe, "{format:?}")
                }
                other => panic!("{format:?}: {other:?}"),
            }
        }
    }
}
