//! Measures the time to find the list of a page, compared with the time that peers need to parse it; checks that it
//! grows linearly with the list, and that pages made to be slow finish in time.
//!
//! `discover [--rounds 15] [--step 1] [--largest 100000] [--python CSV] [--csv OUT.csv]`. A peer's file has one row per
//! page: page, peer, nanoseconds, nodes. Ratios are computed page by page.

use std::collections::BTreeMap;
use std::time::Duration;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::pages;
use windrow_bench::lists::{HOSTILE, list};
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, fastest_within, quantile};
use windrow_dom::Document;
use windrow_learn::discover::discover;

/// The parts of the corpus that are pages with a list.
const CORPORA: [&str; 4] = ["lists/", "fadwa/", "juris/", "webdext/"];

/// Times of one page in nanoseconds.
struct Times {
    parse: f64,
    discover: f64,
    lists: usize,
}

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let times = real_pages(rounds, arguments.number("step", 1));
    let mut csv = Table::new(&["page", "what", "ns"]);
    for (page, times) in &times {
        csv.row(vec![page.clone(), "parse".into(), format!("{:.0}", times.parse)]);
        csv.row(vec![page.clone(), "discover".into(), format!("{:.0}", times.discover)]);
    }
    compare(&times, arguments.path("python").iter().flat_map(|file| read(file)));
    growth(arguments.number("largest", 100_000), &mut csv);
    hostile(&mut csv);
    csv.write(arguments.path("csv").as_deref());
}

/// Parses each page and finds its list.
fn real_pages(rounds: usize, step: usize) -> BTreeMap<String, Times> {
    let pages = pages(step).into_iter().filter(|page| CORPORA.iter().any(|corpus| page.name.starts_with(corpus)));
    let mut all = BTreeMap::new();
    for page in pages {
        let mut times = Times { parse: f64::MAX, discover: f64::MAX, lists: 0 };
        for _ in 0..rounds {
            // Turn by turn, so that noise falls on both alike. The copy of the source is made outside of the clock.
            let mut source = Some(page.text.clone());
            let (time, document) = fastest(1, || Document::parse(source.take().expect("one round")));
            times.parse = times.parse.min(time.as_secs_f64() * 1e9);
            let (time, found) = fastest(1, || discover(&document, 1));
            times.discover = times.discover.min(time.as_secs_f64() * 1e9);
            times.lists = found.len();
        }
        all.insert(page.name, times);
    }
    all
}

/// Our times beside those of the peers for parsing alone.
fn compare(times: &BTreeMap<String, Times>, peers: impl Iterator<Item = Vec<String>>) {
    let mut table =
        Table::new(&["what", "pages", "lists", "ms", "pages/s", "x peer, quarter", "median", "three quarters"]);
    let mut theirs: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for row in peers {
        let [page, peer, nanoseconds, _nodes] = &row[..] else { panic!("malformed row: {row:?}") };
        let time = nanoseconds.parse().expect("nanoseconds");
        theirs.entry(peer.clone()).or_default().insert(page.clone(), time);
    }
    let peer = theirs.iter().next();
    let mut line = |what: &str, lists: String, own: &dyn Fn(&str) -> Option<f64>| {
        let all: Vec<f64> = times.keys().filter_map(|page| own(page)).collect();
        let mut ratios: Vec<f64> = match peer {
            Some((_, peer)) => times.keys().filter_map(|page| Some(own(page)? / peer.get(page)?)).collect(),
            None => Vec::new(),
        };
        let sum: f64 = all.iter().sum();
        let mut row = vec![
            what.to_owned(),
            all.len().to_string(),
            lists,
            format!("{:.1}", sum / 1e6),
            format!("{:.0}", all.len() as f64 / (sum / 1e9)),
        ];
        row.extend([0.25, 0.5, 0.75].map(|share| {
            if ratios.is_empty() { "–".to_owned() } else { format!("{:.2}", quantile(&mut ratios, share)) }
        }));
        table.row(row);
    };
    let found = times.values().map(|times| times.lists).sum::<usize>().to_string();
    line("windrow, parse", String::new(), &|page| Some(times[page].parse));
    line("windrow, discover", found.clone(), &|page| Some(times[page].discover));
    line("windrow, parse and discover", found, &|page| Some(times[page].parse + times[page].discover));
    for (name, times) in &theirs {
        line(&format!("{name}, parse"), String::new(), &|page| times.get(page).copied());
    }
    table.print("Discover: finding the list of a page, beside a peer's parsing");
}

/// One list, longer and longer.
fn growth(largest: usize, csv: &mut Table) {
    let mut table = Table::new(&["records", "bytes", "parse, µs a record", "discover, µs a record"]);
    for records in [100, 1_000, 10_000, 100_000].into_iter().filter(|&records| records <= largest) {
        let text = list(records);
        let each = |time: Duration| time.as_secs_f64() * 1e6 / records as f64;
        let (parse, document) = fastest_within(Duration::from_secs(2), 15, || Document::parse(text.as_str()));
        let (time, _) = fastest_within(Duration::from_secs(10), 15, || discover(&document, 1));
        table.row(vec![
            records.to_string(),
            text.len().to_string(),
            format!("{:.2}", each(parse)),
            format!("{:.2}", each(time)),
        ]);
        csv.row(vec![format!("list of {records}"), "parse".into(), parse.as_nanos().to_string()]);
        csv.row(vec![format!("list of {records}"), "discover".into(), time.as_nanos().to_string()]);
    }
    table.print("Discover: growth with the list");
}

/// Pages that were made to hurt.
fn hostile(csv: &mut Table) {
    let mut table = Table::new(&["page", "bytes", "nodes", "parse, ms", "discover, ms"]);
    for (name, page) in HOSTILE {
        let text = page(1);
        let (parse, document) = fastest_within(Duration::from_secs(1), 3, || Document::parse(text.as_str()));
        let (time, _) = fastest_within(Duration::from_secs(2), 3, || discover(&document, 1));
        table.row(vec![
            (*name).to_owned(),
            text.len().to_string(),
            document.len().to_string(),
            format!("{:.1}", parse.as_secs_f64() * 1e3),
            format!("{:.1}", time.as_secs_f64() * 1e3),
        ]);
        csv.row(vec![(*name).to_owned(), "parse".into(), parse.as_nanos().to_string()]);
        csv.row(vec![(*name).to_owned(), "discover".into(), time.as_nanos().to_string()]);
    }
    table.print("Discover: hostile pages");
}
