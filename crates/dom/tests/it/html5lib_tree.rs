//! html5lib's tree construction cases, each in the scripting modes it is meant for.

use std::panic::catch_unwind;

use windrow_dom::{Document, ParseOptions};
use windrow_testkit::html5lib::{SUITE, TreeRun, tree_runs};
use windrow_testkit::tally::Tally;
use windrow_testkit::{shared, tree};

use crate::known;

fn parse(run: &TreeRun) -> Document {
    let options = ParseOptions::default().with_scripting(run.scripting);
    match &run.context {
        Some(context) => Document::parse_fragment(run.html.as_str(), context, &options),
        None => Document::parse_with(run.html.as_str(), &options),
    }
}

#[test]
fn all_tree_cases() {
    let Some(runs) = tree_runs() else {
        shared::not_checked(SUITE);
        return;
    };
    assert!(runs.len() > 3500, "the suite has shrunk to {} runs", runs.len());
    let mut tally = Tally::new(known::TREE);
    for run in &runs {
        // A panic counts as one failure and does not end the suite.
        let found = catch_unwind(|| tree::dump(&parse(run))).unwrap_or_else(|_| "(panic)".to_owned());
        tally.count(&run.name, found == run.expected, || {
            let context = run.context.as_deref().unwrap_or("page");
            format!("#data ({context})\n{}\n#expected\n{}\n#found\n{found}", run.html, run.expected)
        });
    }
    eprintln!("html5lib tree construction: {}", tally.summary());
    let complaints = tally.complaints();
    assert!(complaints.is_empty(), "{}\n{complaints}", tally.summary());
}
