//! Measures storing and reading records, and the memory needed.
//!
//! `store [--records 1000000] [--into DIR] [--postgres URL] [--csv OUT.csv] [--dump ROWS.jsonl]`.
//!
//! Ads of a made-up shop (seven typed fields, two tags each, the place of every value) are kept page by page as pages
//! come, in SQLite: 10, 50 and 1000 on a page, beside the same ads as bare JSON in a table of one column, one transaction
//! a page, too. Then the large store: kept, kept again with a twentieth of the prices changed, queried, read back and
//! exported. A server is measured the same way with a tenth of the records, if one is given.
//!
//! One thread does it all. Its time on the processor is told first, the clock's second: on a busy machine the two differ.
//! For a server, only the time counts. Memory is the most so far, so what comes later can only show more.

mod made;

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_store::export::{Exporter, Format, Options};
use windrow_store::{Answer, Cell, Form, Layout, Question, Store, Which};

/// Typical queries; `{n}` is the number of a record in the middle.
const QUERIES: [(&str, &str); 14] = [
    ("one by its address", "select * from ads where link = 'https://example.org/ads/{n}'"),
    ("one by its address, with its page", "select * from ads_now where link = 'https://example.org/ads/{n}'"),
    (
        "one with its tags",
        "select t.* from ads a join ads_tags_now t on t._parent = a._id where a.link = 'https://example.org/ads/{n}'",
    ),
    ("the cheapest hundred", "select title, price from ads_now where price is not null order by price limit 100"),
    ("a range of prices", "select title, price from ads_now where price between 500 and 500.5"),
    ("a day, counted", "select count(*) from ads where posted = '2026-03-04'"),
    ("all of one page", "select title from ads_now where page = 'https://example.org/list/7'"),
    ("the newest hundred", "select title from ads order by _id desc limit 100"),
    (
        "what changed last, with what it was",
        "select a.title, c.was from _changes c join ads a on a._id = c.record where c.tbl = 'ads' order by c.id desc limit 100",
    ),
    ("what is gone, counted", "select count(*) from ads where _gone is not null"),
    ("all, counted", "select count(*) from ads_now"),
    ("a word in the titles", "select count(*) from ads where title like '%wagon 77%'"),
    ("average price by seller", "select seller, avg(price) from ads group by seller order by 2 desc limit 10"),
    (
        "average price by seller, in the view",
        "select seller, avg(price) from ads_now group by seller order by 2 desc limit 10",
    ),
];

fn main() {
    let arguments = Arguments::read();
    let records: usize = arguments.number("records", 1_000_000);
    let folder = arguments.path("into").unwrap_or_else(std::env::temp_dir);
    let mut table = Table::new(&["store", "what", "records", "cpu ms", "clock ms", "records/s", "rows", "peak MB"]);
    if let Some(file) = arguments.path("dump") {
        dump(&file, records / 10);
    }
    for on_page in [10, 50, 1000] {
        let file = fresh(&folder, "windrow-bench-small.db");
        let mut store = Store::open(&file).expect("a store");
        keep(
            &mut store,
            &mut table,
            "SQLite",
            &format!("keep, {on_page} on a page"),
            0..records / 10 / on_page,
            on_page,
            1,
        );
        bare(&folder, &mut table, records / 10 / on_page, on_page);
    }
    let file = fresh(&folder, "windrow-bench.db");
    measure("SQLite", &mut Store::open(&file).expect("a store"), records, &mut table);
    println!("file: {:.0} MB", fs::metadata(&file).map_or(0.0, |file| file.len() as f64 / 1e6));
    if let Some(server) = arguments.path("postgres") {
        let mut store = Store::open(&server.display().to_string()).expect("a server");
        measure("PostgreSQL", &mut store, records / 10, &mut table);
    }
    table.print("Records kept and found again");
    table.write(arguments.path("csv").as_deref());
}

/// A file that is not there yet.
fn fresh(folder: &Path, name: &str) -> String {
    let file = folder.join(name).display().to_string();
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{file}{end}"));
    }
    file
}

fn measure(name: &str, store: &mut Store, records: usize, table: &mut Table) {
    let on_page = 50;
    let pages = records / on_page;
    keep(store, table, name, "keep, one run", 0..pages, on_page, 1);
    keep(store, table, name, "keep again, a twentieth changed", 0..pages / 10, on_page, 2);
    keep(store, table, name, "keep a tenth more, with the indexes there", pages..pages * 11 / 10, on_page, 1);
    for (what, sql) in QUERIES {
        let sql = sql.replace("{n}", &(records / 2).to_string());
        let mut best = Spent { cpu: Duration::MAX, clock: Duration::MAX };
        let mut rows = 0;
        for _ in 0..5 {
            let mut count = Count(0);
            let spent =
                spent(|| store.query(&Question { sql: &sql, ..Question::default() }, &mut count).expect("an answer"));
            best = Spent { cpu: best.cpu.min(spent.cpu), clock: best.clock.min(spent.clock) };
            rows = count.0;
        }
        row(table, name, what, records, best, rows, false);
    }
    let mut rows = 0;
    let time = spent(|| {
        let each = |_| {
            rows += 1;
            true
        };
        store.records("ads", Which::Present, Form::Typed, each).expect("records");
    });
    row(table, name, "read back as trees", records, time, rows, true);
    let layout = store.layout("ads").expect("a list");
    let mut rows = 0;
    let time = spent(|| {
        let mut exporter =
            Exporter::new(Format::Jsonl, &layout, &Options::new(), std::io::sink()).expect("an exporter");
        let each = |record| {
            rows += 1;
            exporter.push(&record).is_ok()
        };
        store.records("ads", Which::Present, Form::Typed, each).expect("records");
        exporter.finish().expect("an export");
    });
    row(table, name, "export as JSON Lines", records, time, rows, true);
}

/// Keeps pages, and says how long that took.
fn keep(
    store: &mut Store,
    table: &mut Table,
    name: &str,
    what: &str,
    pages: std::ops::Range<usize>,
    on_page: usize,
    day: u32,
) {
    let layouts: Arc<[Layout]> = Arc::from([made::layout()]);
    let at = format!("2026-11-{day:02}T08:00:00Z");
    let version = store.version("shop", "rules", "toml", "given", &at).expect("a version");
    let mut run = store.begin(version.id, &at).expect("a run");
    let mut all = Spent::default();
    let (mut rows, kept) = (0, pages.len() * on_page);
    let tenth = pages.start + pages.len() / 10;
    let mut memory = String::new();
    for number in pages {
        if number == tenth {
            memory = peak();
        }
        // Not counted: what an extraction has done already.
        let page = made::page(&layouts, number, on_page, day > 1);
        let mut outcome = None;
        all.add(spent(|| outcome = Some(store.keep(&mut run, &page, false).expect("kept"))));
        rows += outcome.map_or(0, |outcome| outcome.inserted + outcome.updated);
    }
    all.add(spent(|| store.finish(run, &at).expect("finished")));
    let what = if kept >= 1_000_000 { format!("{what} (a tenth: {memory} MB)") } else { what.to_owned() };
    row(table, name, &what, kept, all, rows as usize, true);
}

/// The same ads as bare JSON, by SQLite alone: what keeping costs at the least.
fn bare(folder: &Path, table: &mut Table, pages: usize, on_page: usize) {
    let file = fresh(folder, "windrow-bench-bare.db");
    let mut connection = rusqlite::Connection::open(&file).expect("a file");
    connection.pragma_update(None, "journal_mode", "wal").expect("a log");
    connection.pragma_update(None, "synchronous", "normal").expect("a setting");
    connection.execute_batch("create table ads (id integer primary key, json text)").expect("a table");
    let layouts: Arc<[Layout]> = Arc::from([made::layout()]);
    let mut all = Spent::default();
    for number in 0..pages {
        let page = made::page(&layouts, number, on_page, false);
        let json: Vec<String> = page.lists[0].iter().map(made::bare).collect();
        all.add(spent(|| {
            let transaction = connection.transaction().expect("a transaction");
            let mut insert = transaction.prepare_cached("insert into ads (json) values (?)").expect("a statement");
            for json in &json {
                insert.execute([json]).expect("inserted");
            }
            drop(insert);
            transaction.commit().expect("kept");
        }));
    }
    row(table, "bare JSON", &format!("insert, {on_page} on a page"), pages * on_page, all, pages * on_page, true);
}

/// The bare ads as JSON Lines, for other tools.
fn dump(file: &Path, records: usize) {
    let layouts: Arc<[Layout]> = Arc::from([made::layout()]);
    let mut out = BufWriter::new(fs::File::create(file).expect("a file"));
    for number in 0..records / 50 {
        for ad in &made::page(&layouts, number, 50, false).lists[0] {
            writeln!(out, "{}", made::bare(ad)).expect("written");
        }
    }
}

fn row(table: &mut Table, store: &str, what: &str, records: usize, time: Spent, rows: usize, is_rate: bool) {
    // What a server does, this thread does not.
    let counted = if store == "PostgreSQL" { time.clock } else { time.cpu };
    let rate = if is_rate { format!("{:.0}", records as f64 / counted.as_secs_f64()) } else { String::new() };
    let cpu = if store == "PostgreSQL" { String::new() } else { format!("{:.2}", time.cpu.as_secs_f64() * 1000.0) };
    table.row(vec![
        store.to_owned(),
        what.to_owned(),
        records.to_string(),
        cpu,
        format!("{:.2}", time.clock.as_secs_f64() * 1000.0),
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

/// Time on the processor, and by the clock.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    cpu: Duration,
    clock: Duration,
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.cpu += other.cpu;
        self.clock += other.clock;
    }
}

fn spent(work: impl FnOnce()) -> Spent {
    let (begin, clock) = (on_processor(), Instant::now());
    work();
    Spent { cpu: on_processor().saturating_sub(begin), clock: clock.elapsed() }
}

/// Returns the processor time of this thread.
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
