//! Measures parsing of pages on one thread: the sum of each page's fastest time.
//!
//! `parse [--rounds 15] [--step 1] [--python PEERS.csv] [--csv OUT.csv]`; the rows of `bench/peers.py` are shown with
//! ours. Windrow's time includes copying the source, which a document owns.

use std::time::Duration;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{Page, markup_only, pages, total_bytes};
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, megabytes_per_second};
use windrow_dom::Document;

/// A parser's time for one page, and how many nodes it made.
type Parser = fn(usize, &str) -> (Duration, usize);

fn windrow(rounds: usize, text: &str) -> (Duration, usize) {
    let (time, document) = fastest(rounds, || Document::parse(text));
    // The root is no node of the page.
    (time, document.len() - 1)
}

#[cfg(feature = "peers")]
mod peers {
    use std::time::Duration;

    use windrow_bench::timing::fastest;
    use windrow_testkit::oracle;
    use windrow_testkit::tree::{Event, Tree};

    pub(super) fn html5ever(rounds: usize, text: &str) -> (Duration, usize) {
        let (time, tree) = fastest(rounds, || oracle::page(text, false));
        let mut nodes = 0;
        tree.walk(&mut |event| {
            let counts =
                matches!(event, Event::Open { .. } | Event::Text(_) | Event::Comment(_) | Event::Doctype { .. });
            nodes += usize::from(counts);
        });
        (time, nodes)
    }

    pub(super) fn scraper(rounds: usize, text: &str) -> (Duration, usize) {
        let (time, html) = fastest(rounds, || scraper::Html::parse_document(text));
        (time, html.tree.root().descendants().count() - 1)
    }
}

fn parsers() -> Vec<(&'static str, Parser)> {
    vec![
        ("windrow", windrow),
        #[cfg(feature = "peers")]
        ("html5ever (arena)", peers::html5ever),
        #[cfg(feature = "peers")]
        ("scraper", peers::scraper),
    ]
}

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let whole = pages(arguments.number("step", 1));
    let markup: Vec<Page> = whole.iter().map(markup_only).collect();
    let python = arguments.path("python").map(|file| read(&file)).unwrap_or_default();
    let mut table = Table::new(&["pages", "parser", "count", "bytes", "nodes", "seconds", "MB/s", "windrow is"]);
    for (set, pages) in [("whole", &whole), ("markup", &markup)] {
        let bytes = total_bytes(pages);
        let parsers = parsers();
        let mut sums = vec![(Duration::ZERO, 0); parsers.len()];
        for page in pages {
            // The parsers take turns on each page: what slows the machine for a while slows them all.
            for ((_, parse), sum) in parsers.iter().zip(&mut sums) {
                let (time, nodes) = parse(rounds, &page.text);
                sum.0 += time;
                sum.1 += nodes;
            }
        }
        let ours = sums[0].0.as_secs_f64();
        let mut row = |parser: &str, nodes: String, seconds: f64| {
            let speed = megabytes_per_second(bytes, Duration::from_secs_f64(seconds));
            table.row(vec![
                set.to_owned(),
                parser.to_owned(),
                pages.len().to_string(),
                bytes.to_string(),
                nodes,
                format!("{seconds:.4}"),
                format!("{speed:.0}"),
                format!("{:.2} x", seconds / ours),
            ]);
        };
        for ((name, _), (time, nodes)) in parsers.iter().zip(&sums) {
            row(name, nodes.to_string(), time.as_secs_f64());
        }
        for peer in python.iter().filter(|peer| peer[0] == set) {
            assert_eq!(peer[2], bytes.to_string(), "{} was given other bytes", peer[1]);
            row(&peer[1], peer[3].clone(), peer[4].parse().expect("peers.py writes seconds"));
        }
    }
    table.print("Parsing, one thread, sum of each page's fastest parse");
    table.write(arguments.path("csv").as_deref());
}
