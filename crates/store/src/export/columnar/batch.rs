//! Converting records to columns: the fields of a layout, and the arrays filled by its records.
//!
//! There is one builder for each leaf; groups and lists form a tree of builders that mirrors the tree of the layout.
//! Linear, with an occasional allocation when a buffer grows.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Float64Builder, StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, Fields, TimeUnit};

use super::super::csv::{PROVENANCE, text};
use super::super::digits::double;
use super::super::time::milliseconds;
use super::super::tree::{Member, Node, Tree};
use super::super::{list, value};
use crate::data::{Kind, Layout, Record, Value};

/// Rows of the batch that is being built.
pub(super) struct Batch {
    columns: Vec<(String, Builder)>,
    rows: usize,
    /// Number of values in number columns that are not numbers.
    misfits: u64,
}

/// A column that is being built. The numbers are indexes into the record's values or lists.
enum Builder {
    /// Store metadata of a record, by its index in [`PROVENANCE`].
    Page(StringBuilder),
    Time(usize, TimestampMillisecondBuilder),
    Text(usize, StringBuilder),
    Number(usize, Float64Builder),
    Money(usize, Box<Money>),
    Group(Vec<(String, Builder)>, usize),
    List(usize, Vec<i32>, Box<Builder>),
}

#[derive(Default)]
struct Money {
    amounts: Float64Builder,
    currencies: StringBuilder,
    present: Option<NullBufferBuilder>,
}

impl Batch {
    pub(super) fn new(layout: &Layout, provenance: bool, notes: &mut Vec<String>) -> Batch {
        let mut columns = Vec::new();
        let empty = layout.columns.is_empty() && layout.lists.is_empty();
        if empty {
            notes.push(format!("`{}` has no columns, so its pages and times are written instead", layout.label));
        }
        let reserved: &[&str] = if provenance || empty { &PROVENANCE } else { &[] };
        columns.extend(reserved.iter().enumerate().map(|(number, name)| match number {
            0 => ((*name).to_owned(), Builder::Page(StringBuilder::new())),
            _ => ((*name).to_owned(), Builder::Time(number, times())),
        }));
        columns.extend(builders(&Tree::new(layout, reserved).members));
        Batch { columns, rows: 0, misfits: 0 }
    }

    pub(super) fn fields(&self) -> Fields {
        self.columns.iter().map(|(name, builder)| builder.field(name)).collect()
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn push(&mut self, record: &Record) {
        self.rows += 1;
        for (_, builder) in &mut self.columns {
            builder.push(record, &mut self.misfits);
        }
    }

    /// Returns the columns built so far and empties the batch.
    pub(super) fn take(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        self.columns.iter_mut().map(|(_, builder)| builder.finish()).collect()
    }

    /// Returns a note on values that could not be written.
    pub(super) fn note(&self) -> Option<String> {
        let values = match self.misfits {
            0 => return None,
            1 => "1 value is".to_owned(),
            many => format!("{many} values are"),
        };
        Some(format!("{values} not a number or too large for a number column, and left empty"))
    }
}

fn times() -> TimestampMillisecondBuilder {
    TimestampMillisecondBuilder::new().with_timezone("UTC")
}

fn builders(members: &[Member]) -> Vec<(String, Builder)> {
    members.iter().map(|member| (member.name.clone(), Builder::new(&member.node))).collect()
}

impl Builder {
    fn new(node: &Node) -> Builder {
        match node {
            Node::Column(number, kind) => Builder::leaf(*number, *kind),
            Node::Group(members) => Builder::Group(builders(members), 0),
            Node::Values(number, kind) => Builder::List(*number, vec![0], Box::new(Builder::leaf(0, *kind))),
            // Parquet cannot store records without columns; a column of nulls keeps their count.
            Node::Records(number, tree) if tree.members.is_empty() => {
                Builder::List(*number, vec![0], Box::new(Builder::leaf(0, Kind::Text)))
            }
            Node::Records(number, tree) => {
                Builder::List(*number, vec![0], Box::new(Builder::Group(builders(&tree.members), 0)))
            }
        }
    }

    fn leaf(number: usize, kind: Kind) -> Builder {
        match kind {
            Kind::Number => Builder::Number(number, Float64Builder::new()),
            Kind::Money => Builder::Money(number, Box::default()),
            Kind::Text | Kind::Url | Kind::Date | Kind::Html => Builder::Text(number, StringBuilder::new()),
        }
    }

    fn field(&self, name: &str) -> Field {
        Field::new(name, self.data_type(), true)
    }

    fn data_type(&self) -> DataType {
        match self {
            Builder::Page(_) | Builder::Text(..) => DataType::Utf8,
            Builder::Time(..) => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
            Builder::Number(..) => DataType::Float64,
            Builder::Money(..) => DataType::Struct(Money::fields()),
            Builder::Group(members, _) => DataType::Struct(Builder::group_fields(members)),
            Builder::List(_, _, items) => DataType::List(Arc::new(items.field("item"))),
        }
    }

    fn group_fields(members: &[(String, Builder)]) -> Fields {
        members.iter().map(|(name, builder)| builder.field(name)).collect()
    }

    fn push(&mut self, record: &Record, misfits: &mut u64) {
        match self {
            Builder::Page(pages) => pages.append_value(&record.page),
            Builder::Time(number, times) => times.append_option(match *number {
                1 => milliseconds(&record.first),
                2 => milliseconds(&record.seen),
                _ => record.gone.as_deref().and_then(milliseconds),
            }),
            Builder::Text(number, texts) => match value(record, *number) {
                Value::Null => texts.append_null(),
                value => texts.append_value(text(value)),
            },
            Builder::Number(number, numbers) => match value(record, *number) {
                Value::Null => numbers.append_null(),
                Value::Text(digits) | Value::Number(digits) | Value::Money { amount: digits, .. } => {
                    numbers.append_option(fit(digits, misfits));
                }
            },
            Builder::Money(number, money) => money.push(value(record, *number), misfits),
            Builder::Group(members, rows) => {
                *rows += 1;
                members.iter_mut().for_each(|(_, builder)| builder.push(record, misfits));
            }
            Builder::List(number, offsets, items) => {
                let records = list(record, *number);
                records.iter().for_each(|record| items.push(record, misfits));
                // The batch has at most `BATCH_BYTES`, and each value counts as at least one byte.
                let end = offsets.last().copied().unwrap_or(0) as usize + records.len();
                offsets.push(i32::try_from(end).expect("a batch's bytes are bounded, and with them its values"));
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Page(texts) | Builder::Text(_, texts) => ArrayBuilder::finish(texts),
            Builder::Time(_, times) => ArrayBuilder::finish(times),
            Builder::Number(_, numbers) => ArrayBuilder::finish(numbers),
            Builder::Money(_, money) => money.finish(),
            Builder::Group(members, rows) => {
                let fields = Builder::group_fields(members);
                let arrays = members.iter_mut().map(|(_, builder)| builder.finish()).collect();
                let rows = std::mem::take(rows);
                Arc::new(
                    StructArray::try_new_with_length(fields, arrays, None, rows)
                        .expect("each member gets a value with each row"),
                )
            }
            Builder::List(_, offsets, items) => {
                let field = Arc::new(items.field("item"));
                let offsets = OffsetBuffer::new(std::mem::replace(offsets, vec![0]).into());
                Arc::new(
                    ListArray::try_new(field, offsets, items.finish(), None)
                        .expect("the offsets count the items that were pushed"),
                )
            }
        }
    }
}

impl Money {
    fn fields() -> Fields {
        let amount = Field::new("amount", DataType::Float64, true);
        Fields::from(vec![amount, Field::new("currency", DataType::Utf8, true)])
    }

    fn push(&mut self, value: &Value, misfits: &mut u64) {
        let (amount, currency) = match value {
            Value::Null => (None, None),
            Value::Text(digits) | Value::Number(digits) => (fit(digits, misfits), None),
            Value::Money { amount, currency } => (fit(amount, misfits), currency.as_deref()),
        };
        self.amounts.append_option(amount);
        self.currencies.append_option(currency);
        self.present.get_or_insert_with(|| NullBufferBuilder::new(64)).append(*value != Value::Null);
    }

    fn finish(&mut self) -> ArrayRef {
        let arrays = vec![ArrayBuilder::finish(&mut self.amounts), ArrayBuilder::finish(&mut self.currencies)];
        let nulls = self.present.take().and_then(|mut present| present.finish());
        let rows = arrays[0].len();
        Arc::new(
            StructArray::try_new_with_length(Money::fields(), arrays, nulls, rows)
                .expect("amount and currency get a value with each row"),
        )
    }
}

fn fit(digits: &str, misfits: &mut u64) -> Option<f64> {
    let number = double(digits);
    *misfits += u64::from(number.is_none());
    number
}
