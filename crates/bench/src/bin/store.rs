//! How fast records are kept and found again, and in how much memory.
//!
//! `store [--records 1000000] [--on-page 50] [--into DIR] [--postgres URL] [--csv OUT.csv]`.
//!
//! Ads of a made-up shop are kept in a SQLite file, page by page as pages come, each with six typed fields and the place
//! of every value; then once more with a twentieth of the prices changed; then queries are asked, each five times. One
//! thread does it all: its time on the processor counts, so that a busy machine does not. Memory is told after a quarter
//! of the records and after all: it must not grow with them. A server is measured the same way, if one is given.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_bench::timing::fastest;
use windrow_store::{
    Answer, Cell, Column, Found, FoundValue, Kind, Layout, Page, Place, Question, Store, Value, content_hash,
};

/// What people ask; `{n}` is the number of a record in the middle.
const QUERIES: [(&str, &str); 8] = [
    ("one record by its address", "select * from ads_now where link = 'https://example.org/ads/{n}'"),
    ("the cheapest hundred", "select title, price from ads where price is not null order by price limit 100"),
    ("a range of prices, counted", "select count(*) from ads where price between 500 and 510"),
    ("a month, counted", "select count(*) from ads where posted >= '2026-03' and posted < '2026-04'"),
    (
        "all of one page",
        "select a.title from ads a join _pages p on p.id = a._page where p.name = 'https://example.org/list/7'",
    ),
    (
        "what changed, with what it was",
        "select a.title, c.was from _changes c join ads a on a._id = c.record order by c.id desc limit 100",
    ),
    ("a word in the titles (no index)", "select count(*) from ads where title like '%wagon 77%'"),
    (
        "average price by seller (no index)",
        "select seller, avg(price) from ads group by seller order by 2 desc limit 10",
    ),
];

fn main() {
    let arguments = Arguments::read();
    let records: usize = arguments.number("records", 1_000_000);
    let on_page: usize = arguments.number("on-page", 50);
    let folder = arguments.path("into").unwrap_or_else(std::env::temp_dir);
    let file = folder.join("windrow-bench.db");
    let mut table = Table::new(&["store", "what", "records", "ms", "records/s", "rows", "peak MB"]);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", file.display()));
    }
    measure("SQLite", &file.display().to_string(), records, on_page, &mut table);
    println!("file: {:.0} MB", fs::metadata(&file).map_or(0.0, |file| file.len() as f64 / 1e6));
    if let Some(server) = arguments.path("postgres") {
        measure("PostgreSQL", &server.display().to_string(), records / 10, on_page, &mut table);
    }
    table.print("Records kept and found again");
    table.write(arguments.path("csv").as_deref());
}

fn measure(name: &str, address: &str, records: usize, on_page: usize, table: &mut Table) {
    let mut store = Store::open(address).expect("a store");
    let layouts: Arc<[Layout]> = Arc::from([layout()]);
    let pages = records / on_page;
    let mut run = |what: &str, from: usize, to: usize, day: &str, change: bool, table: &mut Table| {
        let at = format!("{day}T08:00:00Z");
        let version = store.version("shop", "rules", "toml", "given", &at).expect("a version");
        let mut run = store.begin(version.id, &at).expect("a run");
        let (mut spent, mut wall, mut rows) = (Duration::ZERO, Duration::ZERO, 0);
        for number in from..to {
            // Not counted: what an extraction has done already.
            let page = page(&layouts, number, on_page, change);
            let (begin, clock) = (on_processor(), Instant::now());
            let outcome = store.keep(&mut run, &page, false).expect("kept");
            (spent, wall) = (spent + on_processor().saturating_sub(begin), wall + clock.elapsed());
            rows += if change { outcome.updated } else { outcome.inserted };
        }
        store.finish(run, &at).expect("finished");
        let spent = if name == "SQLite" { spent } else { wall };
        let kept = (to - from) * on_page;
        row(table, name, what, kept, spent, rows as usize, true);
    };
    run("keep, first quarter", 0, pages / 4, "2026-11-01", false, table);
    run("keep, the rest", pages / 4, pages, "2026-11-01", false, table);
    run("keep again, a twentieth changed", 0, pages / 10, "2026-11-02", true, table);
    for (what, sql) in QUERIES {
        let sql = sql.replace("{n}", &(records / 2).to_string());
        let mut ask = || {
            let mut count = Count(0);
            store.query(&Question { sql: &sql, ..Question::default() }, &mut count).expect("an answer");
            count.0
        };
        let (time, rows) = fastest(5, &mut ask);
        row(table, name, what, records, time, rows, false);
    }
}

fn row(table: &mut Table, store: &str, what: &str, records: usize, time: Duration, rows: usize, is_rate: bool) {
    let rate = if is_rate { format!("{:.0}", records as f64 / time.as_secs_f64()) } else { String::new() };
    table.row(vec![
        store.to_owned(),
        what.to_owned(),
        records.to_string(),
        format!("{:.2}", time.as_secs_f64() * 1000.0),
        rate,
        rows.to_string(),
        peak(),
    ]);
}

struct Count(usize);

impl Answer for Count {
    fn columns(&mut self, _: &[String]) {}
    fn row(&mut self, _: Vec<Cell>) -> bool {
        self.0 += 1;
        true
    }
}

fn layout() -> Layout {
    let columns = [
        ("title", Kind::Text),
        ("link", Kind::Url),
        ("price", Kind::Money),
        ("posted", Kind::Date),
        ("seller", Kind::Text),
        ("stars", Kind::Number),
    ];
    let column =
        |(label, kind): (&str, Kind)| Column { label: label.into(), kind, rule: format!(".//*[@class='{label}']") };
    Layout { label: "ads".into(), columns: columns.map(column).into(), ..Layout::default() }
}

fn page(layouts: &Arc<[Layout]>, number: usize, on_page: usize, change: bool) -> Page {
    let records = (0..on_page).map(|n| ad(number * on_page + n, n, change)).collect();
    Page {
        name: format!("https://example.org/list/{number}"),
        hash: content_hash(&[number as u8, u8::from(change)]),
        layouts: Arc::clone(layouts),
        lists: vec![records],
    }
}

fn ad(id: usize, n: usize, change: bool) -> Found {
    // Prices and dates in no order, as pages have them.
    let mixed = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let price = mixed % 100_000 + if change && id.is_multiple_of(20) { 1 } else { 0 };
    let posted = format!("2026-{:02}-{:02}", mixed % 12 + 1, mixed % 28 + 1);
    let start = 1000 + 400 * n as u32;
    let value = |value: Value, raw: Option<String>, path: &str, at: u32| FoundValue {
        value,
        raw,
        place: Some(Place { path: path.into(), span: Some((start + at, start + at + 20)) }),
    };
    let amount = format!("{}.{:02}", price / 100, price % 100);
    Found {
        place: Place { path: format!("/html[1]/body[1]/div[2]/ul[1]/li[{}]", n + 1), span: Some((start, start + 400)) },
        values: vec![
            value(Value::Text(format!("Old hay wagon {id}, little used")), None, "h2[1]/a[1]", 20),
            value(
                Value::Text(format!("https://example.org/ads/{id}")),
                Some(format!("/ads/{id}")),
                "h2[1]/a[1]/@href",
                40,
            ),
            value(
                Value::Money { amount: amount.clone(), currency: Some("EUR".into()) },
                Some(format!("€ {amount}")),
                "div[1]/span[2]",
                90,
            ),
            value(Value::Text(posted.clone()), Some(posted), "div[1]/time[1]", 140),
            value(Value::Text(format!("Seller {}", mixed % 5000)), None, "div[2]/a[1]", 180),
            value(Value::Number((mixed % 5 + 1).to_string()), Some("★".into()), "div[2]/span[1]", 240),
        ],
        lists: Vec::new(),
    }
}

/// How long this thread has been on a processor.
fn on_processor() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|text| text.parse().ok());
    spent.map_or_else(|| Duration::from_nanos(0), Duration::from_nanos)
}

/// The most memory so far.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0);
    format!("{:.0}", kilobytes / 1000.0)
}
