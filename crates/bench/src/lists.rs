//! Pages that are made, not found: one list of any length, and shapes that hurt.

use std::fmt::Write;

const WORDS: [&str; 18] = [
    "river", "stone", "lamp", "green", "quiet", "window", "morning", "paper", "bridge", "cloud", "silver", "garden",
    "winter", "market", "open", "letter", "road", "song",
];

/// A page with a list of so many small advertisements: a linked title, a date, a price, a text, a sublist of tags.
pub fn list(records: usize) -> String {
    let mut page = String::from(
        "<!doctype html><title>Ads</title><h1>Ads</h1><nav><a href=/>Home</a> <a href=/new>New</a></nav><div id=list>",
    );
    for number in 0..records {
        let word = |nth: usize| WORDS[(number * 7 + nth * 5 + number / WORDS.len()) % WORDS.len()];
        let (day, year, price) = (1 + number % 28, 10 + number % 15, 10 + number % 990);
        let text = (0..6 + number % 9).map(word).collect::<Vec<_>>().join(" ");
        let tags: String =
            (0..1 + number % 4).map(|nth| format!("<li><a href=/t/{0}>{0}</a></li>", word(nth))).collect();
        let _ = writeln!(
            page,
            "<article class=ad><h2><a href=/ad/{number}>{} {} {number}</a></h2><time class=when>{day} May 20{year}</time>\
             <p class=price>${price}.00</p><p class=text>{text} number {number}</p><ul class=tags>{tags}</ul></article>",
            word(1),
            word(2),
        );
    }
    page + "</div><footer>The end</footer>"
}

/// A shape that hurts, by how many times smaller than full size it is to be.
pub type Hostile = (&'static str, fn(usize) -> String);

/// The shapes, each by its name.
pub const HOSTILE: &[Hostile] = &[
    ("100,000 different siblings", |less| each(100_000 / less, |n| format!("<x{n} class=c{n}q>text {n}</x{n}>"))),
    ("100,000 siblings in pairs", |less| each(100_000 / less, |n| format!("<p class=k{}x>text {n}</p>", n / 2))),
    ("depth 10,000", |less| "<div>word one".repeat(10_000 / less)),
    ("a text of 10 MB", |less| format!("<p>{}</p><p>end</p>", "lorem ipsum ".repeat(850_000 / less))),
    ("100,000 records of one word", |less| format!("<ul>{}</ul>", each(100_000 / less, |n| format!("<li>word {n}")))),
    ("100,000 links in one line", |less| each(100_000 / less, |n| format!("<a href=/{n}>word {n}</a>, "))),
    ("100,000 lines", |less| each(100_000 / less, |n| format!("word {n}<br>"))),
    ("a table of 1,000 x 1,000", |less| {
        let row = |n| format!("<tr>{}", each(1_000 / less, |m| format!("<td>{}", n * m)));
        format!("<table>{}</table>", each(1_000, row))
    }),
    ("50,000 siblings of two kinds", |less| {
        each(25_000 / less, |n| format!("<h3>head {n}</h3><p>body of number {n}</p>"))
    }),
    ("50,000 siblings of five kinds", |less| {
        let tag = |n: usize| ["h3", "p", "div", "section", "pre"][n * n % 5];
        each(50_000 / less, |n| format!("<{0}>text {n}</{0}>", tag(n)))
    }),
    ("lists in lists, 100 deep", |_| each(100, |n| format!("<ul><li>one {n}</li><li>two {n}"))),
    ("100 such lists", |less| {
        let deep = each(100, |n| format!("<ul><li>one {n}</li><li>two {n}")) + &"</li></ul>".repeat(100);
        deep.repeat(100 / less.min(100))
    }),
];

fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}
