//! Measures the gain of a second thread: pages parsed and queried by one thread and by two.
//!
//! `threads [--rounds 7] [--step 1] [--csv OUT.csv]`. The threads take pages from one list; nothing else is shared.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{Page, pages, total_bytes};
use windrow_bench::report::Table;
use windrow_bench::timing::{fastest, megabytes_per_second};
use windrow_dom::Document;
use windrow_xpath::Expr;

const EXPRESSION: &str = "//div[@class]//a/@href";

/// Parses and queries every page on `threads` threads; the number of nodes found.
fn run(pages: &[Page], expression: &Expr, threads: usize) -> usize {
    let next = AtomicUsize::new(0);
    let found = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Relaxed)) {
                    let document = Document::parse(page.text.as_str());
                    let nodes = expression.select(&document, document.root()).expect("an ordinary expression");
                    found.fetch_add(nodes.len(), Relaxed);
                }
            });
        }
    });
    found.into_inner()
}

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 7);
    let mut pages = pages(arguments.number("step", 1));
    // Large pages first: a large one taken last would leave the other thread idle.
    pages.sort_by_key(|page| std::cmp::Reverse(page.text.len()));
    let bytes = total_bytes(&pages);
    let expression = Expr::xpath(EXPRESSION).expect("the expression is well formed");
    let mut table = Table::new(&["threads", "pages", "nodes found", "seconds", "MB/s", "speed-up"]);
    let mut single = None;
    for threads in [1, 2] {
        let (time, found) = fastest(rounds, || run(&pages, &expression, threads));
        let single = *single.get_or_insert(time);
        table.row(vec![
            threads.to_string(),
            pages.len().to_string(),
            found.to_string(),
            format!("{:.4}", time.as_secs_f64()),
            format!("{:.0}", megabytes_per_second(bytes, time)),
            format!("{:.2} x", single.as_secs_f64() / time.as_secs_f64()),
        ]);
    }
    table.print(&format!("Parse and `{EXPRESSION}`, all pages"));
    table.write(arguments.path("csv").as_deref());
}
