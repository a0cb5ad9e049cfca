//! Measures the matching of records with a reference table, and compares the results with those of comparing all pairs.
//!
//! `audit_match [--rows 200000] [--records 100000] [--threads 2] [--sample 100] [--seed 1] [--dump DIR] [--csv OUT.csv]`.
//! The table and the records are generated (`data.rs`); the table is written as CSV, to `--dump` if given, and read
//! back. Each column is matched at three thresholds. A sample of the records is compared with every row, which gives
//! the expected results and the time for all pairs. `--dump` keeps the sample for `bench/audit.py`.

mod data;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rapidfuzz::distance::levenshtein::BatchComparator;
use windrow_audit::matching::Index;
use windrow_audit::normal::normal;
use windrow_audit::reference::{Options, Reference, Source};
use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;

use self::data::{COLUMNS, Row};

const THRESHOLDS: [f64; 3] = [0.7, 0.8, 0.9];
/// The columns of a record that count for the requirement; the last is beside it.
const RECORD: usize = 3;
/// Records that a thread takes at a time.
const CHUNK: usize = 64;

fn main() {
    let arguments = Arguments::read();
    let threads: usize = arguments.number("threads", 2);
    let sample: usize = arguments.number("sample", 100);
    let (rows, records) = data::make(
        arguments.number("rows", 200_000),
        arguments.number("records", 100_000),
        arguments.number("seed", 1),
    );
    let dump = arguments.path("dump");
    let folder = dump.clone().unwrap_or_else(std::env::temp_dir);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("register.csv");
    write(&file, &rows);

    let start = Instant::now();
    let source = Source::from(file.display().to_string().as_str());
    let reference = Reference::open(&source, &Options::default()).expect("the table was just written");
    let reading = start.elapsed().as_secs_f64();
    println!("{} rows, read in {reading:.2} s, {} bytes a row", rows.len(), reference.memory() / rows.len());
    println!("{} records, {threads} threads", records.len());

    let mut built = Table::new(&["column", "values", "built, s", "bytes a row"]);
    let mut matched = Table::new(&[
        "column",
        "threshold",
        "time, s",
        "of processors, s",
        "µs a record",
        "rows a record",
        "records with one",
    ]);
    let mut naive =
        Table::new(&["column", "threshold", "same answers", "ns a pair", "all pairs, hours", "times slower"]);
    let (mut total, mut total_used) = (reading, 0.0);
    let mut expected = String::new();
    for (column, name) in COLUMNS.iter().enumerate() {
        let start = Instant::now();
        let index = Index::new(&reference, column);
        // The first question that needs them makes the lists of grams.
        index.within(&records[0][column], 0.8);
        let building = start.elapsed().as_secs_f64();
        let bytes = index.memory() / rows.len();
        built.row(vec![name.to_string(), index.values().to_string(), format!("{building:.2}"), bytes.to_string()]);
        let truth = Naive::new(&rows, column, &records[..sample.min(records.len())]);
        for threshold in THRESHOLDS {
            let used = processors();
            let (time, found, with) = join(&index, &records, column, threshold, threads);
            let used = processors() - used;
            if column < RECORD && threshold == 0.8 {
                total += building + time;
                total_used += used;
            }
            matched.row(vec![
                name.to_string(),
                threshold.to_string(),
                format!("{time:.2}"),
                format!("{used:.1}"),
                format!("{:.1}", used * 1e6 / records.len() as f64),
                format!("{:.1}", found as f64 / records.len() as f64),
                with.to_string(),
            ]);
            let (same, count) = truth.agrees(&index, threshold);
            expected += &format!("{name}\t{threshold}\t{count}\n");
            let pairs = records.len() as f64 * rows.len() as f64;
            let all = truth.seconds_a_pair * pairs / threads as f64;
            naive.row(vec![
                name.to_string(),
                threshold.to_string(),
                format!("{same} of {}", truth.degrees.len()),
                format!("{:.1}", truth.seconds_a_pair * 1e9),
                format!("{:.2}", all / 3600.0),
                format!("{:.0}", all / time),
            ]);
            assert_eq!(same, truth.degrees.len(), "the index gives other answers for {name} at {threshold}");
        }
        if let Some(folder) = &dump {
            truth.dump(folder, name);
        }
    }
    built.print("Indexes");
    matched.print("Matching");
    matched.write(arguments.path("csv").as_deref());
    naive.print("Beside comparing a sample with every row");
    let columns = COLUMNS[..RECORD].join(", ");
    println!("\nA record on {columns} at 0.8, with reading and building: {total:.1} s;");
    println!(
        "matching took {total_used:.1} s of processors, which is less than the time times {threads} if other work ran."
    );
    crowd(rows.len());
    match &dump {
        Some(folder) => fs::write(folder.join("expected.tsv"), expected).expect("the answers can be written"),
        None => drop(fs::remove_file(&file)),
    }
}

fn write(file: &Path, rows: &[Row]) {
    let quoted = |value: &String| format!("\"{}\"", value.replace('"', "\"\""));
    let lines = rows.iter().map(|row| row.each_ref().map(quoted).join(",") + "\n");
    let text: String = std::iter::once(COLUMNS.join(",") + "\n").chain(lines).collect();
    fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Matches all records: the seconds, the rows that were found, the records for which there was one.
fn join(index: &Index, records: &[Row], column: usize, threshold: f64, threads: usize) -> (f64, usize, usize) {
    let (next, found, with) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(chunk) = records.chunks(CHUNK).nth(next.fetch_add(1, Ordering::Relaxed)) {
                    for record in chunk {
                        let rows = index.within(&record[column], threshold).len();
                        found.fetch_add(rows, Ordering::Relaxed);
                        with.fetch_add(usize::from(rows > 0), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    (start.elapsed().as_secs_f64(), found.into_inner(), with.into_inner())
}

/// Seconds that this process has had of processors, where the system tells: time says little if other work runs.
fn processors() -> f64 {
    let told = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, in hundredths: the eleventh is the time in the program, the twelfth that in the system.
    let numbers = told.rsplit(')').next().unwrap_or_default().split(' ').skip(12).take(2);
    numbers.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A sample of the records compared with every row.
struct Naive<'a> {
    records: Vec<&'a str>,
    values: Vec<String>,
    /// For each record, the degree of each row.
    degrees: Vec<Vec<f64>>,
    seconds_a_pair: f64,
}

impl<'a> Naive<'a> {
    fn new(rows: &[Row], column: usize, records: &'a [Row]) -> Naive<'a> {
        let values: Vec<String> = rows.iter().map(|row| normal(&row[column])).collect();
        let records: Vec<&str> = records.iter().map(|record| record[column].as_str()).collect();
        let lengths: Vec<usize> = values.iter().map(|value| value.chars().count()).collect();
        let start = Instant::now();
        let compare = |record: &&str| {
            let record = normal(record);
            let length = record.chars().count();
            let pattern = BatchComparator::new(record.chars());
            let degree = |(value, &other): (&String, &usize)| match length.max(other) {
                0 => 1.0,
                longer => 1.0 - pattern.distance(value.chars()) as f64 / longer as f64,
            };
            std::iter::zip(&values, &lengths).map(degree).collect()
        };
        let degrees: Vec<Vec<f64>> = records.iter().map(compare).collect();
        let seconds_a_pair = start.elapsed().as_secs_f64() / (records.len() * values.len()) as f64;
        Naive { records, values, degrees, seconds_a_pair }
    }

    /// For how many records the index has the same rows with the same degrees, and how many rows these are.
    fn agrees(&self, index: &Index, threshold: f64) -> (usize, usize) {
        let (mut same, mut count) = (0, 0);
        for (record, degrees) in std::iter::zip(&self.records, &self.degrees) {
            let rows = degrees.iter().copied().enumerate().filter(|&(_, degree)| degree >= threshold);
            let expected: Vec<(usize, f64)> = rows.collect();
            same += usize::from(index.within(record, threshold) == expected);
            count += expected.len();
        }
        (same, count)
    }

    fn dump(&self, folder: &Path, column: &str) {
        let records: Vec<String> = self.records.iter().map(|record| normal(record)).collect();
        for (what, texts) in [("values", &self.values), ("records", &records)] {
            let file = folder.join(format!("{column}.{what}"));
            fs::write(&file, texts.join("\n")).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }
}

/// Values that are all nearly equal: what `within` has to give is large, what `best` has to look at is not.
fn crowd(rows: usize) {
    let mut dice = data::Dice::new(5);
    let value = "Shanghai Xinhua Pharmaceutical Co., Ltd.";
    let mut twice = || {
        let once = dice.edited(value);
        dice.edited(&once)
    };
    let values: Vec<String> = (0..rows).map(|_| twice()).collect();
    let reference = Reference::from_rows("crowd", &["maker"], values.iter().map(|value| [value.as_str()]));
    let index = Index::new(&reference, 0);
    let records: Vec<String> = (0..200).map(|_| dice.edited(value)).collect();
    let time = |work: &dyn Fn(&str) -> usize| {
        let start = Instant::now();
        let found: usize = records.iter().map(|record| work(record)).sum();
        (start.elapsed().as_secs_f64() * 1e3 / records.len() as f64, found / records.len())
    };
    let mut table = Table::new(&["question", "ms a record", "rows a record"]);
    let mut row = |what: &str, (time, found): (f64, usize)| {
        table.row(vec![what.to_owned(), format!("{time:.2}"), found.to_string()]);
    };
    row("within 0.8", time(&|record| index.within(record, 0.8).len()));
    row("top 10 at 0.8", time(&|record| index.top(record, 0.8, 10).len()));
    row("best at 0.8", time(&|record| usize::from(index.best(record, 0.8).is_some())));
    table.print(&format!("{rows} rows that are all nearly equal, {} distinct", index.values()));
}
