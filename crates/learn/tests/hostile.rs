//! Pages that were made to hurt must end, and what is written for them must be a wrapper that can be run.
//!
//! Smaller here than in `crates/bench`, where they are timed: what is quadratic shows at this size, too, as a test that
//! does not end.

use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_wrapper::Extractor;

/// Finds the lists of a page; says how many fields the first has.
#[track_caller]
fn fields(page: &str) -> Option<usize> {
    let lists = discover(&Document::parse(page), 3);
    for list in &lists {
        assert!(Extractor::new(list).is_ok(), "a wrapper that cannot be run");
    }
    lists.first().map(|list| list.rules[0].rules.len())
}

fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn different_siblings() {
    assert_eq!(fields(&each(20_000, |n| format!("<x{n} class=c{n}q>text {n}</x{n}>"))), None);
    fields(&each(20_000, |n| format!("<p class=k{}x>text {n}</p>", n / 2)));
}

#[test]
fn depth() {
    assert_eq!(fields(&"<div>word one".repeat(10_000)), None);
    fields(&each(100, |n| format!("<ul><li>one {n}</li><li>two {n}")));
    let deep = each(100, |n| format!("<ul><li>one {n}</li><li>two {n}")) + &"</li></ul>".repeat(100);
    fields(&deep.repeat(10));
}

#[test]
fn one_giant_text() {
    fields(&format!("<p>{}</p><p>end</p>", "lorem ipsum ".repeat(200_000)));
}

#[test]
fn records_of_one_word() {
    fields(&format!("<ul>{}</ul>", each(20_000, |n| format!("<li>word {n}"))));
    fields(&each(20_000, |n| format!("<a href=/{n}>word {n}</a>, ")));
    fields(&each(20_000, |n| format!("word {n}<br>")));
}

#[test]
fn wide_tables_lose_columns_not_time() {
    let row = |n| format!("<tr>{}", each(300, |m| format!("<td>{}", n * 300 + m)));
    let found = fields(&format!("<table>{}</table>", each(300, row)));
    assert!(found.is_some_and(|fields| (16..=200).contains(&fields)), "{found:?}");
}

#[test]
fn siblings_of_many_kinds_in_turn() {
    fields(&each(5_000, |n| format!("<h3>head {n}</h3><p>body of number {n}</p>")));
    let tag = |n: usize| ["h3", "p", "div", "section", "pre"][n * n % 5];
    fields(&each(10_000, |n| format!("<{0}>text {n}</{0}>", tag(n))));
}
