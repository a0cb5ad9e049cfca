//! Growth of the time with the size of hostile inputs: linear, or faster.
//!
//! `growth [--rounds 5] [--largest 10000000] [--limit 6.5] [--csv OUT.csv]` prints two tables.
//!
//! The first is the parser's, on shapes from 10 KB to 10 MB. The factor is nanoseconds a byte at a size over those at the
//! size ten times smaller; the worst is taken from 100 KB on, since at 10 KB what is done once for a page still shows.
//!
//! The second is for what works on parsed pages and on feeds: the shapes of `windrow_testkit::hostile` at two sizes, one
//! sixteen times the other. The tests read the same shapes and check the results; times are compared here alone.
//!
//! With `--limit`, the program fails if a factor is above it. Quadratic is 10 in the first table and 16 in the second.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_bench::timing::fastest_within;
use windrow_dom::Document;
use windrow_learn::domain::{Domain, Reader};
use windrow_learn::{next, repair};
use windrow_testkit::hostile::{self, Relaunch};
use windrow_wrapper::{Extractor, Page, files};

/// A page shape: what it starts with, and what is repeated.
struct Shape {
    name: &'static str,
    before: fn(usize) -> String,
    unit: fn(usize) -> String,
}

fn nothing(_: usize) -> String {
    String::new()
}

const SHAPES: &[Shape] = &[
    Shape { name: "plain paragraphs", before: nothing, unit: |_| "<p>word word".into() },
    Shape { name: "nested <ul><li>", before: nothing, unit: |_| "<ul><li>".into() },
    Shape { name: "nested <div>", before: nothing, unit: |_| "<div>".into() },
    Shape { name: "nested <table><tr><td>", before: nothing, unit: |_| "<table><tr><td>".into() },
    Shape { name: "<table> in <table>, foster parented", before: nothing, unit: |_| "<table>x".into() },
    Shape { name: "text fostered out of one table", before: |_| "<table>".into(), unit: |_| "x<tr>".into() },
    Shape { name: "misnested <b><p>", before: nothing, unit: |_| "<b><p>".into() },
    Shape { name: "misnested <b><p></b>", before: nothing, unit: |_| "<b><p>x</b>".into() },
    Shape { name: "unclosed <a><b><i>", before: nothing, unit: |_| "<a><b><i>".into() },
    Shape { name: "unclosed <font color=N>", before: nothing, unit: |n| format!("<font color={n}>") },
    Shape { name: "<font color=N><p>", before: nothing, unit: |n| format!("<font color={n}><p>") },
    Shape { name: "</b> on a deep stack", before: |size| "<b><div>".repeat(size / 16), unit: |_| "</b>".into() },
    Shape { name: "</p> on a deep stack", before: |size| "<span>".repeat(size / 12), unit: |_| "</p>".into() },
    Shape { name: "</x> on a deep stack", before: |size| "<span>".repeat(size / 12), unit: |_| "</x>".into() },
    Shape { name: "attribute flood", before: |_| "<div".into(), unit: |n| format!(" a{n}=1") },
    Shape { name: "one attribute again and again", before: |_| "<div".into(), unit: |_| " a=1".into() },
    Shape { name: "attributes on late <body>", before: nothing, unit: |n| format!("<body a{n}=1>") },
    Shape { name: "character references", before: nothing, unit: |_| "&amp;&notit;&#x41;".into() },
    Shape { name: "ampersands", before: nothing, unit: |_| "&".into() },
    Shape { name: "less-thans", before: nothing, unit: |_| "<".into() },
    Shape { name: "comment opened again and again", before: |_| "<!--".into(), unit: |_| "<!-- -".into() },
    Shape { name: "script with <!--<script", before: |_| "<script>".into(), unit: |_| "<!--<script ".into() },
    Shape { name: "nested <select><option>", before: nothing, unit: |_| "<select><option>".into() },
    Shape { name: "nested <svg><foreignObject>", before: nothing, unit: |_| "<svg><foreignObject>".into() },
    Shape { name: "nested <template>", before: nothing, unit: |_| "<template>".into() },
    Shape { name: "<form> and </form>", before: nothing, unit: |_| "<div><form></div></form>".into() },
    Shape { name: "<li> after <li>, deep inline", before: |_| "<b><i><u>".into(), unit: |_| "<li><em>x".into() },
];

impl Shape {
    fn page(&self, size: usize) -> String {
        let mut page = (self.before)(size);
        page.truncate(size);
        let mut number = 0;
        while page.len() < size {
            page.push_str(&(self.unit)(number));
            number += 1;
        }
        page
    }
}

/// Parses a page; dropping the tree is part of it, since a deep one can make that slow too.
type Parser = fn(&str);

fn windrow(text: &str) {
    drop(black_box(Document::parse(text)));
}

#[cfg(feature = "peers")]
fn html5ever(text: &str) {
    drop(black_box(windrow_testkit::oracle::page(text, false)));
}

/// The time of some work, and the number of input bytes it was done on.
type Timed = (Duration, usize);

/// Times the readers at two sizes, and puts a row into the table for each shape. Gives the worst factor.
fn readers(rounds: usize, table: &mut Table) -> f64 {
    let fastest = |work: &mut dyn FnMut() -> usize| fastest_within(Duration::from_secs(2), rounds, work);
    let mut worst: f64 = 0.0;
    let mut add = |reader: &str, shape: &str, small: (Timed, usize), large: (Timed, usize)| {
        let cost = |((time, bytes), _): (Timed, usize)| time.as_secs_f64() * 1e9 / bytes as f64;
        let factor = cost(large) / cost(small);
        // Below a tenth of a millisecond, the clock and the allocator say more than the work does.
        if small.0.0 >= Duration::from_micros(100) {
            worst = worst.max(factor);
        }
        let number = |number: f64| format!("{number:.2}");
        let results = large.1.to_string();
        let cells =
            [reader.to_owned(), shape.to_owned(), results, number(cost(small)), number(cost(large)), number(factor)];
        table.row(cells.into());
    };
    for shape in hostile::FEEDS {
        let options = windrow_feed::Options::new().with_base("http://a.example/");
        let [small, large] = [shape.small(), shape.large()].map(|text| {
            let items = || windrow_feed::parse(text.as_bytes(), &options).map_or(0, |feed| feed.items.len());
            let (time, items) = fastest(&mut { items });
            ((time, text.len()), items)
        });
        add("feed", shape.name, small, large);
    }
    let reader = Reader::new(Domain::shipped("product").expect("there is such a domain")).expect("its names are good");
    for shape in hostile::DETAILS {
        let [small, large] = [shape.small(), shape.large()].map(|text| {
            let bytes = text.len();
            let page = parsed(text);
            let (time, records) = fastest(&mut || reader.read(&page).records.len());
            ((time, bytes), records)
        });
        add("domain", shape.name, small, large);
    }
    let address = Url::parse("https://example.org/list").expect("a good address");
    for shape in hostile::PAGERS {
        let [small, large] = [shape.small(), shape.large()].map(|text| {
            let page = Document::parse(text.as_str());
            let (time, pages) = fastest(&mut || next::pages(&page, &address).len());
            ((time, text.len()), pages)
        });
        add("next", shape.name, small, large);
    }
    for (rules, shape) in hostile::EXTRACTIONS {
        let wrapper = files::read(rules, files::Format::Toml).expect("the rules can be read");
        let extractor = Extractor::new(&wrapper).expect("the rules can be run");
        let [small, large] = [shape.small(), shape.large()].map(|text| {
            let bytes = text.len();
            let page = parsed(text);
            let (time, objects) = fastest(&mut || extractor.extract(page.clone()).len());
            ((time, bytes), objects)
        });
        add("extract", shape.name, small, large);
    }
    let Relaunch { rules, before, now } = hostile::RELAUNCH;
    let wrapper = files::read(rules, files::Format::Toml).expect("the rules can be read");
    let extractor = Extractor::new(&wrapper).expect("the rules can be run");
    let [small, large] = [500, 8000].map(|offers| {
        let known = repair::Known::of(&[extractor.extract(parsed(before(offers)))]);
        let text = now(offers);
        let bytes = text.len();
        let pages = [parsed(text)];
        let repaired = || repair::repair(&wrapper, &known, &pages).map_or(0, |repair| repair.lists[0].records);
        let (time, records) = fastest(&mut { repaired });
        ((time, bytes), records)
    });
    add("repair", "offers that differ by a number", small, large);
    worst
}

/// A page that has been parsed already.
fn parsed(text: String) -> Arc<Page> {
    let page = Page::from_text("https://barn.example/ads", text);
    page.document();
    Arc::new(page)
}

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let limit = arguments.number("limit", f64::INFINITY);
    let rounds = arguments.number("rounds", 5);
    let largest = arguments.number("largest", 10_000_000);
    let sizes: Vec<usize> =
        std::iter::successors(Some(10_000), |size| Some(size * 10)).take_while(|&size| size <= largest).collect();
    let parsers: Vec<(&str, Parser)> = vec![
        ("windrow", windrow),
        #[cfg(feature = "peers")]
        ("html5ever", html5ever),
    ];
    let mut heading = vec!["shape".to_owned(), "parser".to_owned(), "windrow nodes".to_owned()];
    heading.extend(sizes.iter().map(|size| format!("ns/B at {} KB", size / 1000)));
    heading.push("factors".to_owned());
    heading.push("worst".to_owned());
    let mut table = Table::new(&heading.iter().map(String::as_str).collect::<Vec<_>>());
    let mut steepest: f64 = 0.0;
    for shape in SHAPES {
        for (parser, parse) in &parsers {
            let mut costs: Vec<f64> = Vec::new();
            let mut nodes = 0;
            for &size in &sizes {
                // What a size took foretells the next: html5ever is quadratic on some, and would take hours.
                if let [.., before, last] = costs[..] {
                    let expected = last * (last / before).max(1.0) * size as f64;
                    if expected > 2e10 {
                        break;
                    }
                }
                let page = shape.page(size);
                let (time, ()) = fastest_within(Duration::from_secs(2), rounds, || parse(&page));
                costs.push(time.as_secs_f64() * 1e9 / page.len() as f64);
                nodes = Document::parse(page).len() - 1;
            }
            let factors: Vec<f64> = costs.windows(2).map(|pair| pair[1] / pair[0]).collect();
            let worst = factors.iter().skip(1).copied().reduce(f64::max);
            // The peers are shown, not judged.
            if *parser == "windrow" {
                steepest = steepest.max(worst.unwrap_or(0.0));
            }
            let mut row = vec![shape.name.to_owned(), (*parser).to_owned(), nodes.to_string()];
            row.extend((0..sizes.len()).map(|at| costs.get(at).map_or("–".to_owned(), |cost| format!("{cost:.2}"))));
            row.push(factors.iter().map(|factor| format!("{factor:.2}")).collect::<Vec<_>>().join(" "));
            row.push(worst.map_or("–".to_owned(), |worst| format!("{worst:.2}")));
            table.row(row);
        }
    }
    table.print("Growth: nanoseconds a byte");
    table.write(arguments.path("csv").as_deref());

    let mut table = Table::new(&["reader", "shape", "results", "ns/B small", "ns/B large", "factor"]);
    steepest = steepest.max(readers(rounds, &mut table));
    table.print("Growth of the readers: nanoseconds a byte, and sixteen times as many bytes");
    table.write(arguments.path("csv").map(|path| path.with_extension("readers.csv")).as_deref());
    if steepest > limit {
        eprintln!("a factor of {steepest:.2} is above the limit of {limit}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
