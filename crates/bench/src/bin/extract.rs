//! Measures parsing and extraction by a wrapper of XPath rules on real pages, compared with parsing alone and with
//! peers on the same pages and fields.
//!
//! `extract [--rounds 15] [--step 1] [--python CSV] [--csv OUT.csv]`. A peer's file has one row per page: page, peer,
//! nanoseconds, values. Ratios are computed page by page.

use std::collections::BTreeMap;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::pages;
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, median};
use windrow_dom::Document;
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Objects, Page};

/// A wrapper that finds something on most pages: what a list page's wrapper does, without knowing the page.
const WRAPPER: &str = r#"
[field]
title = { xpath = "//title", optional = true }
description = { xpath = "//meta[@name='description']/@content", optional = true }

[list.items]
records = { xpath = "//ul/li[a]" }
optional = true
[list.items.field]
name = { xpath = "a" }
link = { xpath = "a/@href" }
"#;

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let wrapper = files::read(WRAPPER, Format::Toml).expect("the wrapper is right");
    let extractor = Extractor::new(&wrapper).expect("the wrapper is right");
    let mut peers: BTreeMap<String, BTreeMap<String, (f64, usize)>> = BTreeMap::new();
    for row in arguments.path("python").iter().flat_map(|file| read(file)) {
        let [page, peer, nanoseconds, values] = &row[..] else { panic!("malformed row: {row:?}") };
        let time = (nanoseconds.parse().expect("nanoseconds"), values.parse().expect("a count"));
        peers.entry(peer.clone()).or_default().insert(page.clone(), time);
    }
    let mut table = Table::new(&["what", "pages", "values", "ms", "windrow is, median", "windrow is, all pages"]);
    let (mut parsing, mut extracting) = (BTreeMap::new(), BTreeMap::new());
    for page in pages(arguments.number("step", 1)) {
        let (mut parse, mut extract, mut values) = (f64::MAX, f64::MAX, 0);
        for _ in 0..rounds {
            // Turn by turn, so that noise falls on both alike. The copy of the source is made outside of the clock.
            let source = page.text.clone();
            let (time, _document) = fastest_once(move || Document::parse(source));
            parse = parse.min(time);
            let source = page.text.clone();
            let (time, count) = fastest_once(|| {
                let page = Page::from_document(page.name.as_str(), Document::parse(source));
                let extraction = extractor.extract(page);
                let count = texts(extraction.objects());
                (count, extraction)
            });
            extract = extract.min(time);
            values = count.0;
        }
        parsing.insert(page.name.clone(), (parse, values));
        extracting.insert(page.name, (extract, values));
    }
    let mut line = |what: &str, times: &BTreeMap<String, (f64, usize)>| {
        let both: Vec<_> = times.iter().filter_map(|(page, time)| Some((*time, *extracting.get(page)?))).collect();
        let mut ratios: Vec<f64> = both.iter().map(|(theirs, ours)| theirs.0 / ours.0).collect();
        let (theirs, ours) = both.iter().fold((0.0, 0.0), |sum, (theirs, ours)| (sum.0 + theirs.0, sum.1 + ours.0));
        table.row(vec![
            what.into(),
            both.len().to_string(),
            both.iter().map(|(theirs, _)| theirs.1).sum::<usize>().to_string(),
            format!("{:.1}", theirs / 1e6),
            format!("{:.2} x", median(&mut ratios)),
            format!("{:.2} x", theirs / ours),
        ]);
    };
    line("windrow, parse and extract", &extracting);
    line("windrow, parse only", &parsing);
    for (peer, times) in &peers {
        line(peer, times);
    }
    table.print("A wrapper of XPath rules on real pages");
    table.write(arguments.path("csv").as_deref());
}

fn fastest_once<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let mut work = Some(work);
    let (time, result) = fastest(1, || work.take().expect("one round")());
    (time.as_secs_f64() * 1e9, result)
}

/// Reads every value as text; says how many there are.
fn texts(objects: Objects<'_>) -> usize {
    let mut count = 0;
    for object in objects {
        count += if object.is_set() {
            texts(object.objects())
        } else {
            std::hint::black_box(object.text());
            1
        };
    }
    count
}
