//! Measures expressions on parsed pages, compared with peers on the same pages.
//!
//! `xpath [--rounds 15] [--step 1] [--lxml CSV] [--servo CSV] [--csv OUT.csv] [--pages-csv EACH.csv]`. A peer's file has a row a
//! page and expression: page, expression's name, peer, nanoseconds, results. The ratio is taken page by page, and
//! its median reported: a sum would tell of the largest pages only.

use std::collections::BTreeMap;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::pages;
use windrow_bench::expressions::EXPRESSIONS;
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, median};
use windrow_dom::Document;
use windrow_xpath::Expr;

/// A peer's nanoseconds and results, by page and expression.
type Times = BTreeMap<(String, String), (f64, usize)>;

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let mut peers: BTreeMap<String, Times> = BTreeMap::new();
    let files = ["lxml", "servo"].into_iter().filter_map(|peer| arguments.path(peer));
    for row in files.flat_map(|file| read(&file)) {
        let [page, expression, peer, nanoseconds, results] = &row[..] else { panic!("malformed row: {row:?}") };
        let time = (nanoseconds.parse().expect("nanoseconds"), results.parse().expect("a count"));
        peers.entry(peer.clone()).or_default().insert((page.clone(), expression.clone()), time);
    }
    let mut each = Table::new(&["page", "expression", "peer", "ns", "results"]);
    let mut ours = Times::new();
    for page in pages(arguments.number("step", 1)) {
        let document = Document::parse(page.text.as_str());
        for (name, text) in EXPRESSIONS {
            let expression = Expr::xpath(text).expect("the expressions are well formed");
            let run = || expression.select(&document, document.root()).expect("ordinary expressions");
            let (time, found) = fastest(rounds, run);
            let nanoseconds = time.as_secs_f64() * 1e9;
            let cells = [&page.name, name, "windrow", &format!("{nanoseconds:.0}"), &found.len().to_string()];
            each.row(cells.map(str::to_owned).into());
            ours.insert((page.name.clone(), name.to_owned()), (nanoseconds, found.len()));
        }
    }
    let mut table = Table::new(&[
        "expression",
        "text",
        "pages",
        "peer",
        "ms",
        "windrow ms",
        "results",
        "windrow results",
        "median ratio",
        "slowest ratio",
    ]);
    for (name, text) in EXPRESSIONS {
        let mine: Vec<_> = ours.iter().filter(|((_, expression), _)| expression == name).collect();
        let totals = |times: &[(f64, usize)]| {
            (times.iter().map(|time| time.0).sum::<f64>() / 1e6, times.iter().map(|time| time.1).sum::<usize>())
        };
        let mut row = |peer: &str, theirs: &[(f64, usize)], mine: &[(f64, usize)]| {
            let mut ratios: Vec<f64> =
                theirs.iter().zip(mine).map(|(theirs, mine)| theirs.0 / mine.0.max(1.0)).collect();
            let (milliseconds, results) = totals(theirs);
            let (own_milliseconds, own_results) = totals(mine);
            table.row(vec![
                name.to_owned(),
                text.to_owned(),
                mine.len().to_string(),
                peer.to_owned(),
                format!("{milliseconds:.2}"),
                format!("{own_milliseconds:.2}"),
                results.to_string(),
                own_results.to_string(),
                format!("{:.1}", median(&mut ratios)),
                format!("{:.1}", ratios.first().copied().unwrap_or(f64::NAN)),
            ]);
        };
        let all: Vec<(f64, usize)> = mine.iter().map(|(_, time)| **time).collect();
        row("windrow", &all, &all);
        for (peer, times) in &peers {
            let (theirs, mine): (Vec<_>, Vec<_>) =
                mine.iter().filter_map(|(key, time)| Some((*times.get(*key)?, **time))).unzip();
            row(peer, &theirs, &mine);
        }
    }
    table.print("XPath on parsed pages, each page's fastest run");
    table.write(arguments.path("csv").as_deref());
    each.write(arguments.path("pages-csv").as_deref());
}
