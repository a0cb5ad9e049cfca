//! Measures a pattern specification on a large page of the paper's kind, compared with a plain substring search for the
//! same delimiters, and with peers on the same page.
//!
//! `pattern [--rows 50000] [--rounds 15] [--into DIR] [--python CSV] [--csv OUT.csv]`. With `--into` it only writes the page
//! for the peers. A peer's file has the rows: peer, bytes, values, seconds.

use std::sync::Arc;
use std::time::Duration;

use memchr::memmem::Finder;
use windrow_bench::arguments::Arguments;
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, megabytes_per_second};
use windrow_bench::weather;
use windrow_wrapper::{Extractor, Page};

fn main() {
    let arguments = Arguments::read();
    let source = weather::page(arguments.number("rows", 50_000));
    if let Some(into) = arguments.path("into") {
        std::fs::write(into.join("weather.html"), &source).expect("the page can be written");
        return;
    }
    let rounds = arguments.number("rounds", 15);
    let bytes = source.len();
    let extractor = Extractor::new(&weather::wrapper()).expect("the specification is right");
    assert!(!extractor.needs_document());
    let page = Arc::new(Page::from_text("weather", source));
    let source = page.source().as_bytes();

    let finders: Vec<(Finder<'_>, bool)> =
        weather::TEXTS.iter().map(|(text, ends)| (Finder::new(text), *ends)).collect();
    let row = Finder::new(weather::ROW);

    // Interleaved, so that the noise of a shared machine falls on both alike.
    let (mut ours, mut walk) = (Duration::MAX, Duration::MAX);
    let (mut values, mut walked) = (0, (0, 0));
    for _ in 0..rounds {
        let (time, extraction) = fastest(1, || extractor.extract(page.clone()));
        ours = ours.min(time);
        values = extraction.len();
        assert!(extraction.problems().is_empty());
        let (time, found) = fastest(1, || substring_walk(source, &row, &finders));
        walk = walk.min(time);
        walked = found;
    }
    // Reading the values as well: each as its visible text.
    let extraction = extractor.extract(page.clone());
    let (texts, length) = fastest(rounds, || texts(&extraction));
    let seconds = |time: Duration| format!("{:.5}", time.as_secs_f64());
    let speed = |time: Duration| format!("{:.0}", megabytes_per_second(bytes, time));
    let mut table = Table::new(&["what", "bytes", "values", "seconds", "MB/s", "windrow is"]);
    let mut line = |what: &str, values: usize, time: Duration| {
        let ratio = format!("{:.2} x", time.as_secs_f64() / ours.as_secs_f64());
        table.row(vec![what.into(), bytes.to_string(), values.to_string(), seconds(time), speed(time), ratio]);
    };
    line("windrow, pattern", values, ours);
    line("memmem walk", walked.0, walk);
    line("windrow, pattern and all values as text", length.0, ours + texts);
    if let Some(file) = arguments.path("python") {
        for row in read(&file) {
            let [peer, _, values, time] = &row[..] else { panic!("malformed row: {row:?}") };
            let time = Duration::from_secs_f64(time.parse().expect("seconds"));
            line(peer, values.parse().expect("a count"), time);
        }
    }
    table.print("A pattern specification on a large page");
    table.write(arguments.path("csv").as_deref());
}

/// The bare walk: from delimiter to delimiter, adding up what lies between. Gives the number of values and their bytes.
fn substring_walk(source: &[u8], row: &Finder<'_>, finders: &[(Finder<'_>, bool)]) -> (usize, usize) {
    let (mut at, mut values, mut length) = (0, 0, 0);
    // The header row has none of the cells.
    for _ in 0..2 {
        at += row.find(&source[at..]).expect("there are header rows") + row.needle().len();
    }
    while let Some(found) = row.find(&source[at..]) {
        at += found + row.needle().len();
        for (finder, ends) in finders {
            let found = finder.find(&source[at..]).expect("each row has all cells");
            if *ends {
                values += 1;
                length += found;
            }
            at += found + finder.needle().len();
        }
    }
    (values, length)
}

/// All atomic values as text: how many, and their bytes.
fn texts(extraction: &windrow_wrapper::Extraction) -> (usize, usize) {
    fn add(objects: windrow_wrapper::Objects<'_>, sum: &mut (usize, usize)) {
        for object in objects {
            if object.is_set() {
                add(object.objects(), sum)
            } else {
                sum.0 += 1;
                sum.1 += object.text().len();
            }
        }
    }
    let mut sum = (0, 0);
    add(extraction.objects(), &mut sum);
    sum
}
