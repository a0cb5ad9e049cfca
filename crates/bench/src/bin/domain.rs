//! Measures the time to read a page by the words of a domain, compared with the time that peers need to parse it or to
//! read its structured data; the time of the wrapper for its template; and the number of entropies that the early exit
//! saves.
//!
//! `domain [--rounds 15] [--step 1] [--worst 5] [--python CSV] [--csv OUT.csv]`. The pages are those of `../shared/corpus/details`,
//! each folder with its own domain, and of `../shared/corpus/swde` with the domains that come along. A peer's file has a row
//! a page, or several, the fastest of which counts: page, peer, nanoseconds, nodes. Ratios are taken page by page.
//! Making a domain ready and compiling a wrapper happen once, outside of the clock.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::sync::Arc;

use windrow_bench::arguments::Arguments;
use windrow_bench::corpus::{self, pages};
use windrow_bench::report::{Table, read};
use windrow_bench::timing::{fastest, quantile};
use windrow_dom::Document;
use windrow_learn::domain::{self, Domain, Plan, Reader, Reading, Site};
use windrow_testkit::shared;
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Errors, Extraction, Extractor, Page};

/// The verticals of SWDE, and the domains that come along for them.
const VERTICALS: [(&str, &str); 8] = [
    ("auto", "car"),
    ("book", "book"),
    ("camera", "camera"),
    ("job", "job"),
    ("movie", "movie"),
    ("nbaplayer", "player"),
    ("restaurant", "restaurant"),
    ("university", "university"),
];

/// The peers, as their file names them.
const LEXBOR: &str = "lexbor (selectolax)";
const EXTRUCT: &str = "extruct";

/// Measured work; each includes parsing.
const WORK: [&str; 4] = ["parse", "parse and read", "parse and wrapper", "parse, recognise and wrapper"];

/// The pages of one site.
struct Pages {
    /// `details` or `swde`.
    set: &'static str,
    site: String,
    reader: Arc<Reader>,
    pages: Vec<corpus::Page>,
}

/// Times of one page in nanoseconds, for each of [`WORK`], and the number of values found.
struct Times {
    set: &'static str,
    page: String,
    bytes: usize,
    times: [Option<f64>; 4],
    values: [usize; 4],
    count: Count,
}

/// Counts of a page's nodes.
#[derive(Default, Clone, Copy)]
struct Count {
    nodes: usize,
    computed: usize,
    passed: usize,
}

/// Result of learning the template of a site.
#[derive(Default, Clone, Copy)]
struct Template {
    pages: usize,
    /// Pairs read, and those that the wrapper learned from all pages gives alike.
    read: usize,
    same: usize,
    /// Pages for which the site's wrapper did, on the way through them and when they come again; pairs read on those, and
    /// those that it gives alike.
    accelerated: [usize; 2],
    accelerated_read: usize,
    accelerated_same: usize,
    /// True if a wrapper was learned from the pages.
    learned: bool,
}

fn main() {
    let arguments = Arguments::read();
    let rounds = arguments.number("rounds", 15);
    let (mut times, mut templates) = (Vec::new(), Vec::new());
    for site in sites(arguments.number("step", 1)) {
        let template = measure(&site, rounds, &mut times);
        templates.push((site.set, site.site, template));
    }
    if times.is_empty() {
        return;
    }
    let mut csv = Table::new(&["page", "bytes", "what", "ns"]);
    for page in &times {
        for (what, time) in WORK.iter().zip(page.times) {
            let Some(time) = time else { continue };
            csv.row(vec![page.page.clone(), page.bytes.to_string(), (*what).to_owned(), format!("{time:.0}")]);
        }
    }
    let peers = peers(arguments.path("python").iter().flat_map(|file| read(file)));
    for ((peer, page), time) in &peers {
        if let Some(known) = times.iter().find(|known| known.page == *page) {
            csv.row(vec![page.clone(), known.bytes.to_string(), peer.clone(), format!("{time:.0}")]);
        }
    }
    for set in ["details", "swde"] {
        compare(set, &times, &peers);
    }
    early_end(&times);
    template_table(&templates);
    for work in [1, 2, 3] {
        worst(work, &times, &peers, arguments.number("worst", 5));
    }
    csv.write(arguments.path("csv").as_deref());
}

/// The sites of both sets; none, with a note on standard error, if they are not there.
fn sites(step: usize) -> Vec<Pages> {
    let mut readers: BTreeMap<String, Arc<Reader>> = BTreeMap::new();
    let mut all: BTreeMap<(&'static str, String), Pages> = BTreeMap::new();
    for page in pages(step) {
        let parts: Vec<&str> = page.name.split('/').collect();
        let (set, site, words) = match parts[..] {
            ["details", domain, folder, _] => {
                let site = folder.rsplit_once('_').map_or(folder, |(site, _)| site);
                ("details", site.to_owned(), format!("corpus/details/{domain}/domain.toml"))
            }
            ["swde", site, _] => {
                let vertical = site.split('-').next().unwrap_or(site);
                let Some((_, domain)) = VERTICALS.iter().find(|(name, _)| *name == vertical) else { continue };
                ("swde", site.to_owned(), (*domain).to_owned())
            }
            _ => continue,
        };
        let reader = readers.entry(words.clone()).or_insert_with(|| Arc::new(reader(&words))).clone();
        let fresh = || Pages { set, site: site.clone(), reader, pages: Vec::new() };
        all.entry((set, site.clone())).or_insert_with(fresh).pages.push(page);
    }
    all.into_values().collect()
}

/// A domain made ready: one that comes along, or a file.
fn reader(words: &str) -> Reader {
    let domain = Domain::shipped(words).unwrap_or_else(|| {
        let file = shared::find(words).unwrap_or_else(|| panic!("{}", shared::missing(words)));
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Domain::read(&text, &|_| None).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    });
    Reader::new(domain).expect("a domain that was read has good names")
}

/// Reads, learns and times the pages of one site.
fn measure(site: &Pages, rounds: usize, all: &mut Vec<Times>) -> Template {
    let reader = &site.reader;
    let parsed =
        |page: &corpus::Page| Arc::new(Page::from_document(page.name.as_str(), Document::parse(page.text.as_str())));
    let read: Vec<(Arc<Page>, Reading)> = site
        .pages
        .iter()
        .map(|source| {
            let page = parsed(source);
            let reading = reader.read(&page);
            (page, reading)
        })
        .collect();
    let mut template = Template { pages: read.len(), ..Template::default() };

    let shown: Vec<(Arc<Page>, &Reading)> = read.iter().map(|(page, reading)| (page.clone(), reading)).collect();
    let lesson = domain::learn(reader, &shown).ok();
    // A wrapper that is wrong is told, and its site goes on without one.
    let tell = |error: &Errors| eprintln!("{}: no wrapper: {error}: {:?}", site.site, error);
    let extractor = lesson.and_then(|lesson| Extractor::new(&lesson.wrapper).inspect_err(tell).ok());
    if let Some(extractor) = &extractor {
        for (page, reading) in &read {
            let (pairs, same) = agreement(reader, reading, &extractor.extract(page.clone()));
            template.read += pairs;
            template.same += same;
        }
    }

    let mut way = Site::new(reader.clone());
    for pass in 0..2 {
        for (page, reading) in &read {
            match way.plan(page) {
                Plan::Wrapper(wrapper) => {
                    let Some(extraction) = wrapper.extract(page) else { continue };
                    let (pairs, same) = agreement(reader, reading, &extraction);
                    template.accelerated[pass] += 1;
                    template.accelerated_read += pairs;
                    template.accelerated_same += same;
                }
                Plan::Read(ticket) => way.learn(ticket, page, reading),
            }
        }
    }
    template.learned = way.wrappers() > 0;

    for (source, (page, reading)) in site.pages.iter().zip(&read) {
        let mut times = Times {
            set: site.set,
            page: source.name.clone(),
            bytes: source.text.len(),
            times: [None; 4],
            values: [0; 4],
            count: Count { nodes: page.document().len(), computed: reading.nodes.len(), passed: reading.passed },
        };
        for _ in 0..rounds.max(1) {
            // Turn by turn, so that noise falls on all alike. The copy of the source is made outside of the clock.
            let document = |source: &mut Option<String>| Document::parse(source.take().expect("one round"));
            let page = |source: &mut Option<String>| Page::from_document("page", document(source));
            let copy = || Some(source.text.clone());

            let mut text = copy();
            let (time, _) = fastest(1, || document(&mut text));
            times.keep(0, time.as_secs_f64(), 0);

            let mut text = copy();
            let (time, (_, reading)) = fastest(1, || {
                let page = page(&mut text);
                let reading = reader.read(&page);
                (page, reading)
            });
            times.keep(1, time.as_secs_f64(), reading.records.iter().map(|record| record.pairs.len()).sum());

            if let Some(extractor) = &extractor {
                let mut text = copy();
                let (time, (_, values)) = fastest(1, || {
                    let extraction = extractor.extract(page(&mut text));
                    let values = read_all(&extraction);
                    (extraction, values)
                });
                times.keep(2, time.as_secs_f64(), values);
            }

            if template.learned {
                let mut text = copy();
                let (time, done) = fastest(1, || {
                    let page = Arc::new(page(&mut text));
                    let Plan::Wrapper(wrapper) = way.plan(&page) else { return None };
                    let extraction = wrapper.extract(&page)?;
                    let values = read_all(&extraction);
                    Some((extraction, values))
                });
                if let Some((_, values)) = done {
                    times.keep(3, time.as_secs_f64(), values);
                }
            }
        }
        all.push(times);
    }
    template
}

impl Times {
    fn keep(&mut self, work: usize, seconds: f64, values: usize) {
        let time = seconds * 1e9;
        self.times[work] = Some(self.times[work].map_or(time, |known| known.min(time)));
        self.values[work] = values;
    }
}

/// Reads every value as text; says how many there are.
fn read_all(extraction: &Extraction) -> usize {
    let mut values = 0;
    for field in extraction.objects().flat_map(|record| record.objects()) {
        black_box(field.text());
        values += 1;
    }
    values
}

/// Returns the number of pairs that were read, and how many of them the wrapper gives exactly.
fn agreement(reader: &Reader, reading: &Reading, extraction: &Extraction) -> (usize, usize) {
    let [record] = &reading.records[..] else { return (0, 0) };
    let found = extraction.objects().next();
    let fields: Vec<(String, String)> = found
        .into_iter()
        .flat_map(|record| record.objects())
        .map(|field| (field.label().to_owned(), collapse(&field.text()).into_owned()))
        .collect();
    let same = record.pairs.iter().filter(|pair| {
        let name = reader.name(pair);
        let given = fields.iter().filter(|(label, _)| label == name).map(|(_, text)| text.as_str());
        given.eq(pair.values.iter().map(|value| value.text.as_str()))
    });
    (record.pairs.len(), same.count())
}

/// By peer and page: its fastest time.
fn peers(rows: impl Iterator<Item = Vec<String>>) -> BTreeMap<(String, String), f64> {
    let mut times: BTreeMap<(String, String), f64> = BTreeMap::new();
    for row in rows {
        let [page, peer, nanoseconds, _nodes] = &row[..] else { panic!("malformed row: {row:?}") };
        let time: f64 = nanoseconds.parse().expect("nanoseconds");
        let known = times.entry((peer.clone(), page.clone())).or_insert(time);
        *known = known.min(time);
    }
    times
}

/// Our times beside those of the peers.
fn compare(set: &str, times: &[Times], peers: &BTreeMap<(String, String), f64>) {
    let times: Vec<&Times> = times.iter().filter(|times| times.set == set).collect();
    let heading = ["what", "pages", "values", "ms", "µs a page", "MB/s", "x lexbor, median", "all pages", "slowest"];
    let mut table = Table::new(&[&heading[..], &["MB/s, x extruct's"]].concat());
    let peer = |name: &str, page: &Times| peers.get(&(name.to_owned(), page.page.clone())).copied();
    let rate = |rows: &[(&Times, f64)]| {
        let bytes: usize = rows.iter().map(|(page, _)| page.bytes).sum();
        bytes as f64 * 1e3 / rows.iter().map(|(_, time)| time).sum::<f64>()
    };
    let of_peer = |name: &str| -> Vec<(&Times, f64)> {
        times.iter().filter_map(|&page| Some((page, peer(name, page)?))).collect()
    };
    let slowest = of_peer(EXTRUCT);
    let mut line = |what: &str, values: Option<usize>, rows: &[(&Times, f64)]| {
        if rows.is_empty() {
            return;
        }
        let beside: Vec<(f64, f64)> =
            rows.iter().filter_map(|(page, time)| Some((*time, peer(LEXBOR, page)?))).collect();
        let mut ratios: Vec<f64> = beside.iter().map(|(own, theirs)| own / theirs).collect();
        let sums = beside.iter().fold((0.0, 0.0), |sums, (own, theirs)| (sums.0 + own, sums.1 + theirs));
        let all: f64 = rows.iter().map(|(_, time)| time).sum();
        let dash = |known: bool, number: String| if known { number } else { "–".to_owned() };
        table.row(vec![
            what.to_owned(),
            rows.len().to_string(),
            values.map_or_else(String::new, |values| values.to_string()),
            format!("{:.1}", all / 1e6),
            format!("{:.0}", all / 1e3 / rows.len() as f64),
            format!("{:.1}", rate(rows)),
            dash(!beside.is_empty(), format!("{:.2}", quantile(&mut ratios, 0.5))),
            dash(!beside.is_empty(), format!("{:.2}", sums.0 / sums.1)),
            dash(!beside.is_empty(), format!("{:.2}", quantile(&mut ratios, 1.0))),
            dash(!slowest.is_empty(), format!("{:.0}", rate(rows) / rate(&slowest))),
        ]);
    };
    for (work, what) in WORK.iter().enumerate() {
        let rows: Vec<(&Times, f64)> = times.iter().filter_map(|&page| Some((page, page.times[work]?))).collect();
        let values = rows.iter().map(|(page, _)| page.values[work]).sum();
        line(&format!("windrow, {what}"), (work > 0).then_some(values), &rows);
    }
    line("lexbor (selectolax), parse", None, &of_peer(LEXBOR));
    line("extruct", None, &slowest);
    table.print(&format!("Domain: the pages of `{set}`"));
}

/// Prints the share of nodes for which the entropy is computed.
fn early_end(times: &[Times]) {
    let heading = ["set", "pages", "nodes", "above a label", "computed", "passed over", "computed, of all nodes, %"];
    let mut table = Table::new(&heading);
    for set in ["details", "swde"] {
        let mut sum = Count::default();
        let pages: Vec<&Times> = times.iter().filter(|times| times.set == set).collect();
        for page in &pages {
            sum.nodes += page.count.nodes;
            sum.computed += page.count.computed;
            sum.passed += page.count.passed;
        }
        table.row(vec![
            set.to_owned(),
            pages.len().to_string(),
            sum.nodes.to_string(),
            (sum.computed + sum.passed).to_string(),
            sum.computed.to_string(),
            sum.passed.to_string(),
            format!("{:.2}", 100.0 * sum.computed as f64 / sum.nodes.max(1) as f64),
        ]);
    }
    table.print("Domain: entropies, and the early end");
}

/// Prints the values that the wrappers of templates give, compared with those that were read.
fn template_table(templates: &[(&str, String, Template)]) {
    let heading = ["site", "pages", "pairs read", "its wrapper gives alike", "accelerated", "when they come again"];
    let mut table = Table::new(&[&heading[..], &["pairs on those", "alike"]].concat());
    for set in ["details", "swde"] {
        let of_set = || templates.iter().filter(|(of, _, _)| *of == set);
        let sum = of_set().fold(Template::default(), |sum, (_, _, one)| Template {
            pages: sum.pages + one.pages,
            read: sum.read + one.read,
            same: sum.same + one.same,
            accelerated: [0, 1].map(|pass| sum.accelerated[pass] + one.accelerated[pass]),
            accelerated_read: sum.accelerated_read + one.accelerated_read,
            accelerated_same: sum.accelerated_same + one.accelerated_same,
            learned: false,
        });
        let learned = of_set().filter(|(_, _, one)| one.learned).count();
        let name = format!("all of `{set}`: {learned} of {} sites have a wrapper", of_set().count());
        for (name, one) in of_set().map(|(_, site, one)| (site.clone(), *one)).chain([(name, sum)]) {
            table.row(vec![
                name,
                one.pages.to_string(),
                one.read.to_string(),
                one.same.to_string(),
                one.accelerated[0].to_string(),
                one.accelerated[1].to_string(),
                one.accelerated_read.to_string(),
                one.accelerated_same.to_string(),
            ]);
        }
    }
    table.print("Domain: wrappers of templates, beside what is read");
}

/// The pages that take longest beside a peer's parsing, or without peers beside our own.
fn worst(work: usize, times: &[Times], peers: &BTreeMap<(String, String), f64>, count: usize) {
    let mut rows: Vec<(f64, &Times)> = times
        .iter()
        .filter_map(|page| {
            let beside = peers.get(&(LEXBOR.to_owned(), page.page.clone())).copied();
            Some((page.times[work]? / beside.or(page.times[0])?, page))
        })
        .collect();
    rows.sort_by(|one, two| two.0.total_cmp(&one.0));
    let mut table = Table::new(&["page", "bytes", "values", "parse, µs", &format!("{}, µs", WORK[work]), "ratio"]);
    for (ratio, page) in rows.into_iter().take(count) {
        let micro = |work: usize| page.times[work].map_or_else(String::new, |time| format!("{:.0}", time / 1e3));
        table.row(vec![
            page.page.clone(),
            page.bytes.to_string(),
            page.values[work].to_string(),
            micro(0),
            micro(work),
            format!("{ratio:.2}"),
        ]);
    }
    table.print(&format!("Domain: the slowest pages, {}", WORK[work]));
}
