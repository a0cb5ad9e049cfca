//! Any tree of records comes back from JSON Lines, Parquet, Arrow and jq as it was.

use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::{Map, Value as Json};
use windrow_store::export::{Format, Options};
use windrow_store::jq::{self, Objects};
use windrow_store::{Column, Kind, Layout, Record, Value};

use super::columnar;
use super::sample::export;

/// A layout of some depth; labels are plain, so that what is expected needs no knowledge of groups.
fn layouts(depth: u32) -> BoxedStrategy<Layout> {
    let kind = prop::sample::select(Kind::ALL.to_vec());
    let columns = prop::collection::vec(kind, 1..4);
    let lists = match depth {
        0 => Just(Vec::new()).boxed(),
        depth => prop::collection::vec(layouts(depth - 1), 0..3).boxed(),
    };
    (columns, lists, any::<bool>())
        .prop_map(|(kinds, lists, values)| {
            let values = values && kinds.len() == 1 && lists.is_empty();
            let label = |at: usize| if values { "value".to_owned() } else { format!("c{at}") };
            let column = |(at, kind)| Column { label: label(at), kind, rule: String::new() };
            let columns = kinds.into_iter().enumerate().map(column).collect();
            let lists =
                lists.into_iter().enumerate().map(|(at, list)| Layout { label: format!("l{at}"), ..list }).collect();
            Layout { label: "list".to_owned(), key: Vec::new(), columns, lists }
        })
        .boxed()
}

fn values(kind: Kind) -> BoxedStrategy<Value> {
    let digits = "-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,4})?";
    let some = match kind {
        Kind::Number => digits.prop_map(Value::Number).boxed(),
        Kind::Money => (digits, prop::option::of("[A-Z]{3}"))
            .prop_map(|(amount, currency)| Value::Money { amount, currency })
            .boxed(),
        _ => any::<String>().prop_map(Value::Text).boxed(),
    };
    prop_oneof![1 => Just(Value::Null), 4 => some].boxed()
}

fn records(layout: &Layout) -> BoxedStrategy<Record> {
    let values: Vec<_> = layout.columns.iter().map(|column| values(column.kind)).collect();
    let lists: Vec<_> = layout.lists.iter().map(|list| prop::collection::vec(records(list), 0..4)).collect();
    (values, lists).prop_map(|(values, lists)| Record { values, lists, ..Record::default() }).boxed()
}

fn samples() -> impl Strategy<Value = (Layout, Vec<Record>)> {
    layouts(2).prop_flat_map(|layout| (Just(layout.clone()), prop::collection::vec(records(&layout), 0..5)))
}

fn expected(layout: &Layout, record: &Record) -> Json {
    let columns = layout.columns.iter().zip(&record.values);
    let mut members: Map<String, Json> = columns.map(|(column, value)| (column.label.clone(), atom(value))).collect();
    for (list, records) in layout.lists.iter().zip(&record.lists) {
        let of_values = list.lists.is_empty() && list.columns.len() == 1 && list.columns[0].label == "value";
        let one = |record: &Record| if of_values { atom(&record.values[0]) } else { expected(list, record) };
        members.insert(list.label.clone(), records.iter().map(one).collect());
    }
    Json::Object(members)
}

/// Numbers are doubles, so that `340` and `340.0` are the same.
fn atom(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Text(text) => text.clone().into(),
        Value::Number(digits) => digits.parse::<f64>().unwrap().into(),
        Value::Money { amount, currency } => {
            serde_json::json!({"amount": amount.parse::<f64>().unwrap(), "currency": currency})
        }
    }
}

fn doubles(tree: Json) -> Json {
    match tree {
        Json::Number(number) => number.as_f64().into(),
        Json::Array(values) => values.into_iter().map(doubles).collect(),
        Json::Object(members) => members.into_iter().map(|(name, value)| (name, doubles(value))).collect(),
        other => other,
    }
}

fn parse(line: &str) -> Json {
    doubles(serde_json::from_str(line).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if crate::support::all() { 64 } else { 16 }))]

    #[test]
    fn trees_come_back((layout, records) in samples()) {
        let wanted: Vec<Json> = records.iter().map(|record| expected(&layout, record)).collect();

        let (bytes, summary) = export(Format::Jsonl, &layout, &Options::new(), &records);
        prop_assert_eq!(summary.rows, records.len() as u64);
        // Lines end with line feeds only: the texts may have other ends of lines.
        let text = String::from_utf8(bytes).unwrap();
        prop_assert_eq!(&text.split_terminator('\n').map(parse).collect::<Vec<_>>(), &wanted);

        for format in [Format::Parquet, Format::Arrow] {
            let (bytes, _) = export(format, &layout, &Options::new(), &records);
            prop_assert_eq!(&columnar::read(format, bytes), &wanted);
        }

        let mut objects = Objects::new();
        let mut list = objects.list(&layout);
        records.iter().for_each(|record| list.push(record));
        let mut found = Vec::new();
        jq::jq(".list[]", objects, &jq::Options::new(), |result| {
            found.push(parse(&result));
            ControlFlow::Continue(())
        }).unwrap();
        prop_assert_eq!(&found, &wanted);
    }
}
