//! Measures learning a weblog from its feed, and running the learned rules, compared with parsing.
//!
//! `feed [--rounds 15] [--entries 10] [--only NAME] [--worst 5] [--csv OUT.csv] [--rules DIR]`. The weblogs are those of
//! `../shared/corpus/blogs`. A weblog is learned from its feed, its home page and as many pages of the feed's entries as
//! are there, ten at most; all lie in memory as bytes. The rules then run on all of its pages. `--only` takes a part of
//! the weblogs' names, `--rules` keeps the wrappers that were learned. Ratios are taken page by page. A wrapper is
//! compiled once, outside of the clock.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use url::Url;
use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_bench::timing::{fastest, median, quantile};
use windrow_dom::{Document, ParseOptions};
use windrow_feed::{Feed, Options, parse};
use windrow_learn::feed::{self, learn, wanted};
use windrow_testkit::shared;
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Object, Objects, Page, Wrapper};

/// Folder of the weblogs.
const BLOGS: &str = "corpus/blogs";

/// The share of the pages, by size, that stand for the median one: a single page says more about itself than about its
/// size.
const MIDDLE: usize = 5;

/// A page as it came.
struct Source {
    name: String,
    url: Url,
    bytes: Vec<u8>,
}

impl Source {
    fn document(bytes: Vec<u8>) -> Document {
        Document::from_bytes(bytes, &ParseOptions::default())
    }

    fn page(&self, bytes: Vec<u8>) -> Page {
        Page::from_document(self.name.as_str(), Source::document(bytes)).with_url(self.url.clone())
    }
}

/// A weblog: its feed, and its pages, the home page first.
struct Blog {
    name: String,
    feed: Vec<u8>,
    pages: Vec<Source>,
}

/// Times of learning a weblog in nanoseconds.
struct Learning {
    blog: String,
    /// Pages that it was learned from.
    pages: usize,
    bytes: usize,
    feed: f64,
    parse: f64,
    learn: f64,
}

impl Learning {
    fn all(&self) -> f64 {
        self.feed + self.parse + self.learn
    }
}

/// Times of a page in nanoseconds.
struct Extracting {
    page: String,
    bytes: usize,
    parse: f64,
    /// Parsing included; every value is read as its type says, as the command prints it.
    extract: f64,
    /// The same, every value read as text.
    text: f64,
    values: usize,
}

impl Extracting {
    fn ratio(&self) -> f64 {
        self.extract / self.parse
    }
}

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let entries = arguments.number("entries", 10);
    let only = arguments.path("only").map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    let mut csv = Table::new(&["page", "bytes", "what", "ns"]);
    let (mut learned, mut extracted) = (Vec::new(), Vec::new());
    for blog in blogs().into_iter().filter(|blog| blog.name.contains(&only)) {
        let (learning, wrapper) = match learn_blog(&blog, entries, rounds) {
            Ok(lesson) => lesson,
            Err(error) => {
                eprintln!("{}: nothing learned: {error}", blog.name);
                continue;
            }
        };
        let parts = [("read the feed", learning.feed), ("parse", learning.parse), ("learn", learning.learn)];
        for (what, time) in parts {
            csv.row(vec![blog.name.clone(), learning.bytes.to_string(), what.into(), format!("{time:.0}")]);
        }
        learned.push(learning);
        if let Some(folder) = arguments.path("rules") {
            write_rules(&folder, &blog.name, &wrapper);
        }
        let extractor = Extractor::new(&wrapper).expect("a learned wrapper is right");
        for page in &blog.pages {
            let times = extract_page(page, &extractor, rounds);
            let parts = [("parse", times.parse), ("parse and extract", times.extract), ("as text", times.text)];
            for (what, time) in parts {
                csv.row(vec![page.name.clone(), times.bytes.to_string(), what.into(), format!("{time:.0}")]);
            }
            extracted.push(times);
        }
    }
    if learned.is_empty() {
        return;
    }
    learning_table(&learned);
    each_blog(&learned);
    extracting_table(&mut extracted);
    worst(&mut extracted, arguments.number("worst", 5));
    csv.write(arguments.path("csv").as_deref());
}

/// The weblogs; none, with a note on standard error, if they are not there.
fn blogs() -> Vec<Blog> {
    let Some(folder) = shared::find(BLOGS) else {
        eprintln!("{}", shared::missing(BLOGS));
        return Vec::new();
    };
    let truths = shared::files(&folder, "json").unwrap_or_default();
    truths.iter().filter(|file| file.ends_with("truth.json")).filter_map(|file| blog(file)).collect()
}

fn blog(truth: &Path) -> Option<Blog> {
    let read = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = truth.parent()?;
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let json: Json =
        serde_json::from_slice(&read(truth)).unwrap_or_else(|error| panic!("{}: {error}", truth.display()));
    let source = |(file, page): (&String, &Json)| {
        let url = Url::parse(page["url"].as_str()?).ok()?;
        Some((file == "home.html", Source { name: format!("{name}/{file}"), url, bytes: read(&folder.join(file)) }))
    };
    let mut pages: Vec<(bool, Source)> = json["pages"].as_object()?.iter().filter_map(source).collect();
    pages.sort_by_key(|(home, _)| !home);
    let pages = pages.into_iter().map(|(_, page)| page).collect();
    Some(Blog { feed: read(&folder.join("feed.xml")), pages, name })
}

/// Learns a weblog from its bytes; says why if nothing was learned.
fn learn_blog(blog: &Blog, entries: usize, rounds: usize) -> Result<(Learning, Wrapper), String> {
    let home = blog.pages.first().ok_or("it has no pages")?;
    let read = || parse(&blog.feed, &Options::new().with_base(home.url.as_str()));
    let feed = read().map_err(|error| error.to_string())?;
    let sources = chosen(blog, &feed, entries);
    let mut learning = Learning {
        blog: blog.name.clone(),
        pages: sources.len(),
        bytes: blog.feed.len() + sources.iter().map(|source| source.bytes.len()).sum::<usize>(),
        feed: f64::MAX,
        parse: f64::MAX,
        learn: f64::MAX,
    };
    let mut wrapper = None;
    for _ in 0..rounds.max(1) {
        let (time, feed) = fastest(1, read);
        learning.feed = learning.feed.min(nanoseconds(time));
        let feed = feed.map_err(|error| error.to_string())?;
        // Copies of the bytes are made outside of the clock.
        let mut bytes = Some(sources.iter().map(|source| source.bytes.clone()).collect::<Vec<_>>());
        let (time, pages) = fastest(1, || {
            let bytes = bytes.take().expect("one round");
            let pages = sources.iter().zip(bytes).map(|(source, bytes)| Arc::new(source.page(bytes)));
            pages.collect::<Vec<Arc<Page>>>()
        });
        learning.parse = learning.parse.min(nanoseconds(time));
        // A page keeps what was asked of it, so that each round has pages of its own.
        let (time, lesson) = fastest(1, || learn(&feed.items, &pages, &feed::Options::default()));
        learning.learn = learning.learn.min(nanoseconds(time));
        wrapper = Some(lesson.map_err(|error| error.to_string())?.wrapper);
    }
    Ok((learning, wrapper.expect("at least one round was run")))
}

/// The pages that a weblog is learned from: the home page, and those of entries that the learner asks for.
fn chosen<'b>(blog: &'b Blog, feed: &Feed, entries: usize) -> Vec<&'b Source> {
    let (home, others) = blog.pages.split_first().expect("a weblog has pages");
    let asked = wanted(&feed.items, &home.page(home.bytes.clone()));
    let found = asked.iter().filter_map(|url| others.iter().find(|page| address(&page.url) == address(url)));
    let mut chosen = vec![home];
    for page in found {
        if chosen.len() <= entries && !chosen.iter().any(|known| known.name == page.name) {
            chosen.push(page);
        }
    }
    chosen
}

/// Returns the part of an address that its spellings have in common.
fn address(url: &Url) -> (&str, &str, &str) {
    let host = url.host_str().unwrap_or_default();
    let path = url.path().trim_end_matches("index.html").trim_end_matches('/');
    (host.trim_start_matches("www."), path, url.query().unwrap_or_default())
}

/// Runs the rules of a weblog on one of its pages.
fn extract_page(page: &Source, extractor: &Extractor, rounds: usize) -> Extracting {
    let mut times = Extracting {
        page: page.name.clone(),
        bytes: page.bytes.len(),
        parse: f64::MAX,
        extract: f64::MAX,
        text: f64::MAX,
        values: 0,
    };
    for _ in 0..rounds.max(1) {
        // Turn by turn, so that noise falls on all alike.
        let mut bytes = Some(page.bytes.clone());
        let (time, document) = fastest(1, || Source::document(bytes.take().expect("one round")));
        times.parse = times.parse.min(nanoseconds(time));
        drop(document);
        let mut run = |read: fn(Object<'_>)| {
            let mut bytes = Some(page.bytes.clone());
            let (time, (values, _extraction)) = fastest(1, || {
                let extraction = extractor.extract(page.page(bytes.take().expect("one round")));
                (read_all(extraction.objects(), read), extraction)
            });
            times.values = values;
            nanoseconds(time)
        };
        let typed = run(|object| drop(black_box(object.value())));
        let text = run(|object| drop(black_box(object.text())));
        times.extract = times.extract.min(typed);
        times.text = times.text.min(text);
    }
    times
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

/// Reads every value; says how many there are.
fn read_all(objects: Objects<'_>, read: fn(Object<'_>)) -> usize {
    let mut count = 0;
    for object in objects {
        count += if object.is_set() {
            read_all(object.objects(), read)
        } else {
            read(object);
            1
        };
    }
    count
}

/// Keeps a wrapper under its weblog's name.
fn write_rules(folder: &Path, blog: &str, wrapper: &Wrapper) {
    let file = folder.join(blog).with_extension("toml");
    let text = files::write(wrapper, Format::Toml).expect("a learned wrapper can be written");
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

fn milliseconds(nanoseconds: f64) -> String {
    format!("{:.1}", nanoseconds / 1e6)
}

/// Prints the times of learning a weblog and of each step.
fn learning_table(learned: &[Learning]) {
    let mut table = Table::new(&["what", "weblogs", "median, ms", "worst, ms", "worst"]);
    type Part<'p> = &'p dyn Fn(&Learning) -> f64;
    let parts: [(&str, Part<'_>); 4] = [
        ("read the feed", &|times| times.feed),
        ("parse the pages", &|times| times.parse),
        ("learn", &|times| times.learn),
        ("all together", &Learning::all),
    ];
    for (what, part) in parts {
        let mut times: Vec<f64> = learned.iter().map(part).collect();
        let worst = learned.iter().max_by(|one, two| part(one).total_cmp(&part(two)));
        table.row(vec![
            what.to_owned(),
            learned.len().to_string(),
            milliseconds(median(&mut times)),
            worst.map_or_else(String::new, |worst| milliseconds(part(worst))),
            worst.map_or_else(String::new, |worst| worst.blog.clone()),
        ]);
    }
    table.print("Feed: learning a weblog");
}

/// Each weblog, the slowest first.
fn each_blog(learned: &[Learning]) {
    let mut order: Vec<&Learning> = learned.iter().collect();
    order.sort_by(|one, two| two.all().total_cmp(&one.all()));
    let mut table = Table::new(&["weblog", "pages", "kB", "feed, ms", "parse, ms", "learn, ms", "all, ms"]);
    for times in order {
        let parts = [times.feed, times.parse, times.learn, times.all()].map(milliseconds);
        let counts = [times.blog.clone(), times.pages.to_string(), (times.bytes / 1000).to_string()];
        table.row(counts.into_iter().chain(parts).collect());
    }
    table.print("Feed: each weblog");
}

/// Prints the times of running the rules, on all pages and on those of about the median size.
fn extracting_table(extracted: &mut [Extracting]) {
    extracted.sort_by_key(|times| times.bytes);
    let (count, width) = (extracted.len(), extracted.len() / MIDDLE);
    let middle = count / 2 - width / 2..count / 2 + width.div_ceil(2).max(1);
    let heading = ["pages", "count", "median bytes", "values", "read as", "parse, ms", "parse and extract, ms"];
    let more = ["x our parse, median", "all pages", "slowest", "pages a second"];
    let mut table = Table::new(&[&heading[..], &more].concat());
    type Time<'t> = (&'t str, fn(&Extracting) -> f64);
    let read: [Time<'_>; 2] = [("their types", |times| times.extract), ("text", |times| times.text)];
    for (what, pages) in [("all", &extracted[..]), ("of median size", &extracted[middle])] {
        for (form, time) in read {
            let mut ratios: Vec<f64> = pages.iter().map(|times| time(times) / times.parse).collect();
            let parse: f64 = pages.iter().map(|times| times.parse).sum();
            let extract: f64 = pages.iter().map(time).sum();
            table.row(vec![
                what.to_owned(),
                pages.len().to_string(),
                pages[pages.len() / 2].bytes.to_string(),
                pages.iter().map(|times| times.values).sum::<usize>().to_string(),
                form.to_owned(),
                milliseconds(parse),
                milliseconds(extract),
                format!("{:.2}", quantile(&mut ratios, 0.5)),
                format!("{:.2}", extract / parse),
                format!("{:.2}", quantile(&mut ratios, 1.0)),
                format!("{:.0}", pages.len() as f64 * 1e9 / extract),
            ]);
        }
    }
    table.print("Feed: running what was learned");
}

/// The pages that take most beside their parsing.
fn worst(extracted: &mut [Extracting], count: usize) {
    extracted.sort_by(|one, two| two.ratio().total_cmp(&one.ratio()));
    let mut table = Table::new(&["page", "bytes", "values", "parse, µs", "parse and extract, µs", "ratio"]);
    for times in extracted.iter().take(count) {
        table.row(vec![
            times.page.clone(),
            times.bytes.to_string(),
            times.values.to_string(),
            format!("{:.0}", times.parse / 1e3),
            format!("{:.0}", times.extract / 1e3),
            format!("{:.2}", times.ratio()),
        ]);
    }
    table.print("Feed: the slowest pages");
}
