//! servo-xpath on Windrow's documents: the same trees, another engine.
//!
//! `windrow-bench-servo-xpath --csv OUT.csv [--rounds 15] [--step 1]` writes a row a page and expression, in the form
//! that the `xpath` program of `crates/bench` reads as a peer. Names are made atoms once for each page, outside of the
//! measured time.

mod tree;

use servo_xpath::{Value, evaluate_parsed_xpath, parse};
use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::pages;
use windrow_bench::expressions::EXPRESSIONS;
use windrow_bench::report::Table;
use windrow_bench::timing::fastest;
use windrow_dom::Document;

use crate::tree::{Handle, Page, Resolver, Tree};

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let mut table = Table::new(&["page", "expression", "peer", "ns", "results"]);
    for page in pages(arguments.number("step", 1)) {
        let tree = Page::new(Document::parse(page.text.as_str()));
        for (name, text) in EXPRESSIONS {
            let expression = parse(&mut (), text, Some(Resolver), true).expect("the expressions are well formed");
            let (time, value) = fastest(rounds, || {
                evaluate_parsed_xpath::<Tree<'_>>(&mut (), &expression, Handle::root(&tree))
                    .expect("ordinary expressions")
            });
            let Value::NodeSet(nodes) = value else { panic!("{text} gives nodes") };
            let cells =
                [&page.name, name, "servo-xpath", &time.as_nanos().to_string(), &nodes.into_iter().count().to_string()];
            table.row(cells.map(str::to_owned).into());
        }
    }
    table.write(arguments.path("csv").as_deref());
}
