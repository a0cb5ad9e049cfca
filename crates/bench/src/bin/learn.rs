//! Measures learning from one example, compared with the time that a peer needs to parse the page; running the learned
//! rules, compared with parsing; and checks that learning grows linearly with the list.
//!
//! `learn [--rounds 15] [--step 1] [--only NAME] [--worst 5] [--largest 100000] [--python CSV] [--csv OUT.csv]
//! [--rules DIR]`. The pages are those of `lists` and `swde`, shown the fields that the scorers show (of the middle record
//! alone); `--only` takes a part of the pages' names, `--rules` keeps the wrappers that were learned. A peer's file has a
//! row a page: page, peer, nanoseconds, nodes. Ratios are taken page by page. A wrapper is compiled once, outside of the
//! clock.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use windrow_bench::arguments::Arguments;
use windrow_bench::lists::list;
use windrow_bench::report::{Table, read};
use windrow_bench::shown::Shown;
use windrow_bench::timing::{fastest, fastest_within, quantile};
use windrow_dom::Document;
use windrow_learn::example::{Example, Pointed, Pointer, Request, learn};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Objects, Page, Wrapper};

/// The parts of the corpus with pages that an example can be shown of.
const SETS: [&str; 2] = ["lists", "swde"];

/// Times of one page in nanoseconds.
struct Times {
    parse: f64,
    learn: f64,
    /// Parsing included.
    extract: f64,
    values: usize,
}

/// One peer's times by page.
type Peer = BTreeMap<String, f64>;

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let text = |name: &str| arguments.path(name).map(|path| path.to_string_lossy().into_owned());
    let only = text("only").unwrap_or_default();
    let mut peers: BTreeMap<String, Peer> = BTreeMap::new();
    for row in arguments.path("python").iter().flat_map(|file| read(file)) {
        let [page, peer, nanoseconds, _nodes] = &row[..] else { panic!("malformed row: {row:?}") };
        let time = nanoseconds.parse().expect("nanoseconds");
        peers.entry(peer.clone()).or_default().insert(page.clone(), time);
    }
    let mut csv = Table::new(&["page", "what", "ns"]);
    let mut all: Vec<(&str, BTreeMap<String, Times>)> = Vec::new();
    for set in SETS {
        let pages = Shown::pages(set, arguments.number("step", 1)).into_iter().filter(|page| page.name.contains(&only));
        let mut times = BTreeMap::new();
        for page in pages {
            match measure(&page, rounds, arguments.path("rules").as_deref()) {
                Ok(measured) => {
                    let parts =
                        [("parse", measured.parse), ("learn", measured.learn), ("parse and extract", measured.extract)];
                    for (what, time) in parts {
                        csv.row(vec![page.name.clone(), what.into(), format!("{time:.0}")]);
                    }
                    times.insert(page.name, measured);
                }
                Err(error) => eprintln!("{}: nothing learned: {error}", page.name),
            }
        }
        all.push((set, times));
    }
    compare(&all, &peers);
    if let Some(peer) = peers.iter().next() {
        worst(&all, peer, arguments.number("worst", 5));
    }
    growth(arguments.number("largest", 100_000), &mut csv);
    csv.write(arguments.path("csv").as_deref());
}

/// Parses a page, learns from what is shown of it, and runs what was learned; says why if nothing was.
fn measure(page: &Shown, rounds: usize, keep: Option<&Path>) -> Result<Times, String> {
    let request = page.request();
    let lesson = learn(&[&Document::parse(page.text.as_str())], &request).map_err(|error| error.to_string())?;
    if let Some(folder) = keep {
        write_rules(folder, &page.name, &lesson.wrapper);
    }
    let extractor = Extractor::new(&lesson.wrapper).expect("a learned wrapper is right");
    let mut times = Times { parse: f64::MAX, learn: f64::MAX, extract: f64::MAX, values: 0 };
    for _ in 0..rounds {
        // Turn by turn, so that noise falls on all alike. Copies of the source are made outside of the clock.
        let mut source = Some(page.text.clone());
        let (time, document) = fastest(1, || Document::parse(source.take().expect("one round")));
        times.parse = times.parse.min(nanoseconds(time));
        let (time, _lesson) = fastest(1, || learn(&[&document], &request).ok());
        times.learn = times.learn.min(nanoseconds(time));
        drop(document);
        let mut source = Some(page.text.clone());
        let (time, (values, _extraction)) = fastest(1, || {
            let document = Document::parse(source.take().expect("one round"));
            let extraction = extractor.extract(Page::from_document(page.name.as_str(), document));
            (texts(extraction.objects()), extraction)
        });
        times.extract = times.extract.min(nanoseconds(time));
        times.values = values;
    }
    Ok(times)
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
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

/// Keeps a wrapper under its page's name.
fn write_rules(folder: &Path, page: &str, wrapper: &Wrapper) {
    let file = folder.join(page.replace('/', "-")).with_extension("toml");
    let text = files::write(wrapper, Format::Toml).expect("a learned wrapper can be written");
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// Our times beside those of a peer for parsing alone, and beside our own parsing.
fn compare(all: &[(&str, BTreeMap<String, Times>)], peers: &BTreeMap<String, Peer>) {
    let heading =
        ["pages", "what", "count", "values", "ms", "x peer, median", "all pages", "x our parse, median", "all pages"];
    let mut table = Table::new(&heading);
    let first = peers.values().next();
    for (set, times) in all {
        let mut line = |what: &str, values: String, own: &dyn Fn(&str) -> Option<f64>| {
            let sum: f64 = times.keys().filter_map(|page| own(page)).sum();
            let mut row = vec![
                (*set).to_owned(),
                what.to_owned(),
                times.keys().filter(|page| own(page).is_some()).count().to_string(),
                values,
                format!("{:.1}", sum / 1e6),
            ];
            let theirs = |page: &str| first.and_then(|peer| peer.get(page).copied());
            let parse = |page: &str| Some(times[page].parse);
            row.extend(ratios(times, own, &theirs));
            row.extend(ratios(times, own, &parse));
            table.row(row);
        };
        let values = times.values().map(|times| times.values).sum::<usize>().to_string();
        line("windrow, parse", String::new(), &|page| Some(times[page].parse));
        line("windrow, learn", String::new(), &|page| Some(times[page].learn));
        line("windrow, parse and learn", String::new(), &|page| Some(times[page].parse + times[page].learn));
        line("windrow, parse and extract", values, &|page| Some(times[page].extract));
        for (name, peer) in peers {
            line(&format!("{name}, parse"), String::new(), &|page| peer.get(page).copied());
        }
    }
    table.print("Example: learning from one record, and running what was learned");
}

/// Prints the ratio of two times: the median over the pages, and the ratio of the totals.
fn ratios(
    times: &BTreeMap<String, Times>,
    own: &dyn Fn(&str) -> Option<f64>,
    other: &dyn Fn(&str) -> Option<f64>,
) -> [String; 2] {
    let both: Vec<(f64, f64)> = times.keys().filter_map(|page| Some((own(page)?, other(page)?))).collect();
    if both.is_empty() {
        return ["–".to_owned(), "–".to_owned()];
    }
    let mut each: Vec<f64> = both.iter().map(|(own, other)| own / other).collect();
    let (own, other) = both.iter().fold((0.0, 0.0), |sum, (own, other)| (sum.0 + own, sum.1 + other));
    [quantile(&mut each, 0.5), own / other].map(|ratio| format!("{ratio:.2}"))
}

/// The pages that learning and extracting are slowest on, each by its own measure.
fn worst(all: &[(&str, BTreeMap<String, Times>)], (name, peer): (&String, &Peer), count: usize) {
    let theirs = format!("{name}, µs");
    let mut table =
        Table::new(&["slow at", "page", &theirs, "parse, µs", "learn, µs", "parse and extract, µs", "ratio"]);
    let learning = |page: &str, times: &Times| Some((times.parse + times.learn) / peer.get(page)?);
    let extracting = |_: &str, times: &Times| Some(times.extract / times.parse);
    type Ratio<'r> = &'r dyn Fn(&str, &Times) -> Option<f64>;
    let measures: [(&str, Ratio<'_>); 2] = [("learning", &learning), ("extracting", &extracting)];
    for (what, ratio) in measures {
        for (_, times) in all {
            let mut order: Vec<(f64, &String)> =
                times.iter().filter_map(|(page, times)| Some((ratio(page, times)?, page))).collect();
            order.sort_by(|one, two| two.0.total_cmp(&one.0));
            for (ratio, page) in order.into_iter().take(count) {
                let micros = |time: f64| format!("{:.0}", time / 1e3);
                let own = &times[page];
                table.row(vec![
                    what.to_owned(),
                    page.clone(),
                    peer.get(page).map_or("–".to_owned(), |&time| micros(time)),
                    micros(own.parse),
                    micros(own.learn),
                    micros(own.extract),
                    format!("{ratio:.2}"),
                ]);
            }
        }
    }
    table.print("Example: the slowest pages");
}

/// One list, longer and longer; the record in the middle is shown.
fn growth(largest: usize, csv: &mut Table) {
    let mut table = Table::new(&["records", "bytes", "parse, µs a record", "learn, µs a record", "extracted"]);
    for records in [100, 1_000, 10_000, 100_000].into_iter().filter(|&records| records <= largest) {
        let text = list(records);
        let request = Request { examples: vec![in_list(&text, records / 2)], ..Request::default() };
        let (parse, document) = fastest_within(Duration::from_secs(2), 15, || Document::parse(text.as_str()));
        let (time, lesson) = fastest_within(Duration::from_secs(10), 15, || learn(&[&document], &request).ok());
        let wrapper = lesson.expect("a list of articles can be learned").wrapper;
        let extractor = Extractor::new(&wrapper).expect("a learned wrapper is right");
        let extraction = extractor.extract(Page::from_document("list", document));
        let each = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e6 / records as f64);
        table.row(vec![
            records.to_string(),
            text.len().to_string(),
            each(parse),
            each(time),
            extraction.objects().count().to_string(),
        ]);
        csv.row(vec![format!("list of {records}"), "parse".into(), parse.as_nanos().to_string()]);
        csv.row(vec![format!("list of {records}"), "learn".into(), time.as_nanos().to_string()]);
    }
    table.print("Example: growth with the list");
}

/// The fields of one record of a made list.
fn in_list(page: &str, number: usize) -> Example {
    let record = page.split("<article ").nth(number + 1).expect("so many records were made");
    let between = |start: &str, end: &str| {
        let from = &record[record.find(start).expect("every record has it") + start.len()..];
        &from[..from.find(end).expect("every record has it")]
    };
    let link = between("<a href=", "</a>");
    let title = link.split_once('>').map_or(link, |(_, title)| title);
    let fields = vec![
        point("title", title),
        point("date", between("<time class=when>", "</time>")),
        point("price", between("<p class=price>", "</p>")),
        point("text", between("<p class=text>", "</p>")),
    ];
    Example { fields, page: None }
}

fn point(field: &str, text: &str) -> Pointed {
    Pointed { field: field.to_owned(), at: Pointer::Text(text.to_owned()) }
}
