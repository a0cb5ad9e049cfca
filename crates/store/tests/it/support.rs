//! Stores to test with, and records to put into them.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use windrow_store::{Answer, Cell, Column, Found, FoundValue, Kind, Layout, Page, Place, Question, Run, Store, Value};

/// Runs a test on each database that there is.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub(crate) fn on_each(test: impl Fn(&mut dyn FnMut() -> Store)) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("test.db").display().to_string();
    test(&mut || Store::open(&path).unwrap());
    if server_address().is_some() {
        with_server(test);
    } else {
        eprintln!("not tested on PostgreSQL: WINDROW_POSTGRES is not set");
    }
}

/// Reports whether slow tests run in full: `WINDROW_TEST_ALL` is set, and not empty.
pub(crate) fn all() -> bool {
    std::env::var_os("WINDROW_TEST_ALL").is_some_and(|value| !value.is_empty())
}

/// The address of a server, if there is one.
pub(crate) fn server_address() -> Option<String> {
    std::env::var("WINDROW_POSTGRES").ok()
}

/// Runs a test on a server.
pub(crate) fn with_server(test: impl Fn(&mut dyn FnMut() -> Store)) {
    with_database(|address| test(&mut || Store::open(address).unwrap()));
}

/// Runs a test on a database of its own, taken away afterwards.
pub(crate) fn with_database(test: impl Fn(&str)) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let server = server_address().unwrap();
    let name = format!("windrow_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut client = postgres::Client::connect(&format!("{server}/postgres"), postgres::NoTls).unwrap();
    client.batch_execute(&format!("create database {name}")).unwrap();
    let result = catch_unwind(AssertUnwindSafe(|| test(&format!("{server}/{name}"))));
    client.batch_execute(&format!("drop database {name} with (force)")).unwrap();
    if let Err(panic) = result {
        resume_unwind(panic);
    }
}

/// A layout: `title`, `link:url`, `price:money`.
pub(crate) fn layout(label: &str, columns: &[&str]) -> Layout {
    let column = |text: &&str| {
        let (label, kind) = text.split_once(':').unwrap_or((text, "text"));
        Column { label: label.into(), kind: Kind::from_name(kind).unwrap(), rule: format!(".//{label}") }
    };
    Layout { label: label.into(), columns: columns.iter().map(column).collect(), ..Layout::default() }
}

/// A record with these texts; an empty one is missing.
pub(crate) fn record(layout: &Layout, values: &[&str]) -> Found {
    let value = |(column, text): (&Column, &&str)| {
        if text.is_empty() {
            return FoundValue::default();
        }
        let value = match column.kind {
            Kind::Number => Value::Number((*text).into()),
            Kind::Money => Value::Money { amount: (*text).into(), currency: Some("EUR".into()) },
            _ => Value::Text((*text).into()),
        };
        let raw = (!matches!(column.kind, Kind::Text | Kind::Html)).then(|| format!("~{text}"));
        let place = Some(Place { path: column.label.clone(), span: Some((3, 7)) });
        FoundValue { value, raw, place }
    };
    let values = layout.columns.iter().zip(values).map(value).collect();
    Found {
        values,
        lists: vec![Vec::new(); layout.lists.len()],
        place: Place { path: "/html[1]".into(), span: Some((1, 9)) },
    }
}

/// A page with one list.
pub(crate) fn page(name: &str, layout: &Layout, records: Vec<Found>) -> Page {
    let hash = windrow_store::content_hash(format!("{records:?}").as_bytes());
    Page { name: name.into(), hash, layouts: Arc::from([layout.clone()]), lists: vec![records], left_out: Vec::new() }
}

/// Begins a run of a wrapper on this day of November.
pub(crate) fn run(store: &mut Store, day: u32) -> Run {
    let at = format!("2026-11-{day:02}T08:00:00Z");
    let version = store.version("shop", "rules", "toml", "given", &at).unwrap();
    store.begin(version.id, &at).unwrap()
}

/// The rows of a query, a line each, cells with `|` between them.
pub(crate) fn rows(store: &mut Store, sql: &str) -> Vec<String> {
    #[derive(Default)]
    struct Rows(Vec<String>);
    impl Answer for Rows {
        fn columns(&mut self, _: &[String]) {}
        fn row(&mut self, cells: Vec<Cell>) -> bool {
            let cell = |cell: &Cell| match cell {
                Cell::Null => "-".to_owned(),
                Cell::Int(number) => number.to_string(),
                Cell::Real(number) => number.to_string(),
                Cell::Number(text) | Cell::Text(text) => text.clone(),
                other => format!("{other:?}"),
            };
            self.0.push(cells.iter().map(cell).collect::<Vec<_>>().join("|"));
            true
        }
    }
    let mut answer = Rows::default();
    store.query(&Question { sql, ..Question::default() }, &mut answer).unwrap();
    answer.0
}

/// Nobody is told.
pub(crate) struct Nobody;

impl Answer for Nobody {
    fn columns(&mut self, _: &[String]) {}
    fn row(&mut self, _: Vec<Cell>) -> bool {
        true
    }
}
