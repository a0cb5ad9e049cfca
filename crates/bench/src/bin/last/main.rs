//! Measures the lifetime of rules: wrappers are learned on real pages, the pages are redesigned, and the rules that
//! still give the same values are counted, compared with the absolute paths of the same values.
//!
//! `last [--seeds 20] [--changes 5] [--step 1] [--only NAME] [--csv OUT.csv] [--deaths OUT.csv]`. The pages are those of `lists` and
//! `swde`, shown the fields that the scorers show (of the middle record alone); on `lists` also what `discover` finds
//! with no help; `--only` takes a part of the names in the table's first column. `--deaths` lists every rule that a single
//! change killed, with the change. What a redesign is, and how the mix was chosen: `windrow_testkit::redesign`.
//!
//! A field's rule is alive if the redesigned page gives the same values, record by record, as the page before; a record
//! that comes in or goes kills the rules of all fields of its list. An absolute path (the one written beside the rule, or
//! else the path of the values with the indexes dropped in which the records differ) is judged by its values alone,
//! which is kinder. Rules that did not get the value that was shown, or got nothing, are not counted.

mod absolute;
mod subject;
mod values;

use std::collections::BTreeMap;
use std::thread;

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_testkit::redesign::{Kind, Redesign, redesign, redesign_by};

use self::subject::{Learned, Method, Page};

/// Numbers of rules after redesigns, and of those that survived.
#[derive(Clone, Copy, Default)]
struct Count {
    rules: usize,
    chosen: usize,
    absolute: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.rules += other.rules;
        self.chosen += other.chosen;
        self.absolute += other.absolute;
    }

    fn share(alive: usize, rules: usize) -> String {
        if rules == 0 { "–".to_owned() } else { format!("{:.3}", alive as f64 / rules as f64) }
    }
}

/// Counts of one page.
struct Measured {
    page: String,
    /// Number of rules that were learned; `None` if learning failed.
    rules: Option<usize>,
    /// By the kind of change; without one, after several of any kind.
    counts: BTreeMap<Option<Kind>, Count>,
    /// Rows of the file of deaths, method and page left out.
    deaths: Vec<[String; 7]>,
}

/// Numbers of redesigns and of changes in each.
#[derive(Clone, Copy)]
struct Plan {
    seeds: u64,
    changes: usize,
}

fn main() {
    let arguments = Arguments::read();
    let plan = Plan { seeds: arguments.number("seeds", 20), changes: arguments.number("changes", 5) };
    let only = arguments.path("only").map(|only| only.to_string_lossy().into_owned());
    let methods =
        Method::ALL.into_iter().filter(|method| only.as_ref().is_none_or(|only| method.name().contains(only)));
    let mut all = Vec::new();
    for method in methods {
        let pages = method.pages(arguments.number("step", 1));
        let measured = measure_all(method, &pages, plan);
        let unlearned: Vec<&str> =
            measured.iter().filter(|page| page.rules.is_none()).map(|page| page.page.as_str()).collect();
        if !unlearned.is_empty() {
            eprintln!("{}: nothing learned on {}", method.name(), unlearned.join(", "));
        }
        all.push((method, measured));
    }
    print(&all, plan);
    let mut counts = Table::new(&["method", "page", "changes", "rules", "chosen alive", "absolute alive"]);
    let mut deaths = Table::new(&["method", "page", "field", "rule", "records", "absolute", "kind", "seed", "change"]);
    for (method, page) in all.iter().flat_map(|(method, pages)| pages.iter().map(move |page| (method, page))) {
        let row = || [method.name().to_owned(), page.page.clone()].into_iter();
        for (kind, count) in &page.counts {
            let numbers = [count.rules, count.chosen, count.absolute].map(|count| count.to_string());
            counts.row(row().chain([kind.map_or("any", Kind::name).to_owned()]).chain(numbers).collect());
        }
        for death in &page.deaths {
            deaths.row(row().chain(death.iter().cloned()).collect());
        }
    }
    counts.write(arguments.path("csv").as_deref());
    deaths.write(arguments.path("deaths").as_deref());
}

/// Measures the pages on as many threads as there are cores; the answers are in the order of the pages.
fn measure_all(method: Method, pages: &[Page], plan: Plan) -> Vec<Measured> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut measured: Vec<(usize, Measured)> = thread::scope(|scope| {
        let spawn = |first: usize| {
            let part = pages.iter().enumerate().skip(first).step_by(threads);
            scope.spawn(move || part.map(|(at, page)| (at, measure(method, page, plan))).collect::<Vec<_>>())
        };
        let running: Vec<_> = (0..threads).map(spawn).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("no page panics")).collect()
    });
    measured.sort_by_key(|(at, _)| *at);
    measured.into_iter().map(|(_, measured)| measured).collect()
}

/// Redesigns one page again and again, at random and by each kind alone.
fn measure(method: Method, page: &Page, plan: Plan) -> Measured {
    let learned = method.learn(page);
    let mut measured = Measured {
        page: page.name.clone(),
        rules: learned.as_ref().map(|learned| learned.rules.len()),
        counts: BTreeMap::new(),
        deaths: Vec::new(),
    };
    let Some(learned) = learned else { return measured };
    let (document, records) = (&learned.document, &learned.records);
    for kind in [None].into_iter().chain(Kind::MIX.map(|(kind, _)| Some(kind))) {
        for seed in 0..plan.seeds {
            let (after, wanted) = match kind {
                Some(kind) => (redesign_by(kind, document, records, seed, 1), 1),
                None => (redesign(document, records, seed, plan.changes), plan.changes),
            };
            // A page without a place for such changes says nothing of them.
            if after.changes.len() == wanted {
                judge(&learned, kind, seed, after, &mut measured);
            }
        }
    }
    measured
}

/// Runs the rules on a redesigned page.
fn judge(learned: &Learned, kind: Option<Kind>, seed: u64, after: Redesign, measured: &mut Measured) {
    let what = after.changes.iter().map(|change| change.what.as_str()).collect::<Vec<_>>().join("; ");
    let page = values::page(after.document);
    let now = values::of(&learned.extractor, &page);
    for rule in &learned.rules {
        let chosen = now.fields.get(&rule.field) == Some(&rule.values);
        let absolute = rule.absolute.values(&page) == rule.absolute_values;
        let count = Count { rules: 1, chosen: chosen.into(), absolute: absolute.into() };
        measured.counts.entry(kind).or_default().add(count);
        if let Some(kind) = kind.filter(|_| !chosen) {
            measured.deaths.push([
                rule.field.clone(),
                rule.text.clone(),
                rule.records.clone(),
                if absolute { "alive" } else { "dead" }.to_owned(),
                kind.name().to_owned(),
                seed.to_string(),
                what.clone(),
            ]);
        }
    }
}

fn print(all: &[(Method, Vec<Measured>)], plan: Plan) {
    let sum = |pages: &[&Measured], kind: Option<Kind>| {
        let mut sum = Count::default();
        pages.iter().filter_map(|page| page.counts.get(&kind)).for_each(|count| sum.add(*count));
        sum
    };
    // Each method by itself, then what is learned from examples on pages of either sort.
    let mut groups: Vec<(&str, Vec<&Measured>)> =
        all.iter().map(|(method, pages)| (method.name(), pages.iter().collect())).collect();
    let examples = all.iter().filter(|(method, _)| *method != Method::Discover);
    groups.push(("example, all pages", examples.flat_map(|(_, pages)| pages).collect()));
    let mut table =
        Table::new(&["method", "pages", "not learned", "rules", "rules run", "chosen", "absolute", "times as many"]);
    for (name, pages) in &groups {
        let Count { rules, chosen, absolute } = sum(pages, None);
        table.row(vec![
            (*name).to_owned(),
            pages.len().to_string(),
            pages.iter().filter(|page| page.rules.is_none()).count().to_string(),
            pages.iter().filter_map(|page| page.rules).sum::<usize>().to_string(),
            rules.to_string(),
            Count::share(chosen, rules),
            Count::share(absolute, rules),
            if absolute == 0 { "–".to_owned() } else { format!("{:.1}", chosen as f64 / absolute as f64) },
        ]);
    }
    table.print(&format!("Rules alive after {} random changes", plan.changes));
    let forms = |name: &str| ["chosen", "absolute"].map(|form| format!("{name}, {form}"));
    let names: Vec<String> = groups.iter().flat_map(|(name, _)| forms(name)).collect();
    let heading: Vec<&str> = ["change", "of 100"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heading);
    for (kind, share) in Kind::MIX {
        let mut row = vec![kind.name().to_owned(), share.to_string()];
        for (_, pages) in &groups {
            let count = sum(pages, Some(kind));
            row.extend([count.chosen, count.absolute].map(|alive| Count::share(alive, count.rules)));
        }
        table.row(row);
    }
    table.print("Rules alive after one change of one kind");
}
