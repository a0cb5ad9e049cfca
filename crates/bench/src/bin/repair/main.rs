//! Measures the repair of wrappers: wrappers are learned on real pages, the pages are mutated, and the results of the
//! repairs are counted.
//!
//! `repair [CORPUS] [--seeds 2] [--first 0] [--only NAME] [--kind KIND] [--verbose] [--json OUT.json] [--dump DIR]`. The corpus is
//! `../shared/corpus` unless another is named: the pages of `lists`, each with the wrapper that `discover` learns and the
//! one that an example teaches, and the home pages of `blogs` with the wrapper that their feed teaches. What is known is what
//! the wrapper found on the page before. Each kind of change is made `--seeds` times, the first by the seed `--first`:
//! what was tuned on some seeds is measured on others. `--only` takes a part of a page's or method's name, `--kind` one kind of change;
//! `--verbose` prints a line for each case that did not end well; `--dump` keeps all cases for other tools
//! (`tools/scrapling-repair`), with the wrappers that came out.
//!
//! A case is *restored* if every record, field and nested list reads as the truth says, *partly* if what is given
//! is right but for a fifth at most, *wrong* otherwise. A wrapper that gives the truth as it is needs no repair and *still
//! works*. On pages that have to be refused, everything but a refusal is wrong. The kinds: `windrow_testkit::mutate`.

mod cases;
mod dump;
mod judge;
mod subjects;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

use serde_json::json;
use windrow_bench::report::Table;
use windrow_bench::timing::quantile;
use windrow_testkit::mutate::{Agreement, Kind};

use self::cases::NEGATIVE;
use self::judge::{End, Verdict};
use self::subjects::{Learned, LeftOut, Source};

/// Command-line options.
#[derive(Default)]
struct Options {
    corpus: Option<PathBuf>,
    seeds: Option<u64>,
    first: u64,
    only: String,
    kind: Option<String>,
    verbose: bool,
    json: Option<PathBuf>,
    dump: Option<PathBuf>,
}

impl Options {
    /// Reads the command line.
    fn read() -> Options {
        let mut options = Options::default();
        let mut given = std::env::args().skip(1);
        while let Some(name) = given.next() {
            let mut value = || given.next().unwrap_or_else(|| panic!("{name} has no value"));
            match name.as_str() {
                "--seeds" => options.seeds = Some(value().parse().expect("--seeds takes a number")),
                "--first" => options.first = value().parse().expect("--first takes a number"),
                "--only" => options.only = value(),
                "--kind" => options.kind = Some(value()),
                "--verbose" => options.verbose = true,
                "--json" => options.json = Some(value().into()),
                "--dump" => options.dump = Some(value().into()),
                _ if name.starts_with("--") => panic!("unknown option {name}"),
                _ => options.corpus = Some(name.into()),
            }
        }
        options
    }
}

/// One wrapper with what became of it.
struct Measured {
    corpus: &'static str,
    method: &'static str,
    page: String,
    verdicts: Vec<Verdict>,
    /// Kinds that found nothing to change, once for each seed.
    without: Vec<&'static str>,
}

fn main() {
    let options = Options::read();
    let corpus = options.corpus.clone().or_else(|| windrow_testkit::shared::find("corpus"));
    let Some(corpus) = corpus.filter(|corpus| corpus.exists()) else {
        eprintln!("{}", windrow_testkit::shared::missing("corpus"));
        return;
    };
    let sources = subjects::sources(&corpus);
    let mut left_out = LeftOut::default();
    let learned: Vec<Learned> =
        sources.iter().enumerate().flat_map(|(number, source)| source.learn(number, &mut left_out)).collect();
    let measured = measure(&options, &sources, &learned);
    println!("{} wrappers on {} pages", learned.len(), sources.len());
    for (what, names) in [("nothing learned", &left_out.unlearned), ("fewer than two records", &left_out.too_few)] {
        if !names.is_empty() {
            println!("left out, {what}: {} ({})", names.len(), names.join(", "));
        }
    }
    print(&measured);
    if options.verbose {
        verbose(&measured);
    }
    println!("\n{}", figures(&measured));
    if let Some(file) = &options.json {
        std::fs::write(file, report(&measured)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// Lets every wrapper meet its cases, on as many threads as there are cores; the answers are in order.
fn measure(options: &Options, sources: &[Source], learned: &[Learned]) -> Vec<Measured> {
    let chosen: Vec<usize> = (0..learned.len())
        .filter(|&number| {
            let source = &sources[learned[number].source];
            format!("{}/{}/{}", source.corpus, learned[number].method, source.name).contains(&options.only)
        })
        .collect();
    let one = |number: usize| {
        let (one, source) = (&learned[number], &sources[learned[number].source]);
        let seeds = options.first..options.first + options.seeds.unwrap_or(2);
        let (mut cases, without) = cases::of(learned, number, sources, seeds);
        cases.retain(|case| options.kind.as_ref().is_none_or(|kind| kind == case.kind));
        let verdicts: Vec<Verdict> = cases.iter().map(|case| judge::meet(one, source, case)).collect();
        if let Some(folder) = &options.dump {
            dump::write(folder, source, one, &cases, &verdicts);
        }
        Measured { corpus: source.corpus, method: one.method, page: source.name.clone(), verdicts, without }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut measured: Vec<(usize, Measured)> = thread::scope(|scope| {
        let spawn = |first: usize| {
            let part = chosen.iter().copied().skip(first).step_by(threads);
            let one = &one;
            scope.spawn(move || part.map(|number| (number, one(number))).collect::<Vec<_>>())
        };
        let running: Vec<_> = (0..threads).map(spawn).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("no page panics")).collect()
    });
    measured.sort_by_key(|(number, _)| *number);
    measured.into_iter().map(|(_, measured)| measured).collect()
}

/// Counts of a set of cases.
#[derive(Default)]
struct Count {
    ends: BTreeMap<End, usize>,
    agreement: Agreement,
}

impl Count {
    fn add(&mut self, verdict: &Verdict) {
        *self.ends.entry(verdict.end).or_default() += 1;
        self.agreement.wanted += verdict.agreement.wanted;
        self.agreement.given += verdict.agreement.given;
        self.agreement.right += verdict.agreement.right;
    }

    fn of(&self, end: End) -> usize {
        self.ends.get(&end).copied().unwrap_or_default()
    }

    fn all(&self) -> usize {
        self.ends.values().sum()
    }
}

fn share(part: usize, all: usize) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / all as f64) }
}

/// The counts of a kind in each group, a group being a corpus with a method, and last all together.
fn counts(measured: &[Measured], kind: Option<&str>, must_refuse: bool) -> Vec<(String, Count)> {
    let mut groups: Vec<(String, Count)> = Vec::new();
    let mut total = Count::default();
    for one in measured {
        let name = format!("{}, {}", one.corpus, one.method);
        if !groups.iter().any(|(group, _)| *group == name) {
            groups.push((name.clone(), Count::default()));
        }
        let group = groups.iter_mut().find(|(group, _)| *group == name).expect("it was just put in");
        let fits =
            |verdict: &&Verdict| verdict.must_refuse == must_refuse && kind.is_none_or(|kind| verdict.kind == kind);
        for verdict in one.verdicts.iter().filter(fits) {
            group.1.add(verdict);
            total.add(verdict);
        }
    }
    groups.push(("all".to_owned(), total));
    groups
}

fn print(measured: &[Measured]) {
    let ends = End::ALL.map(End::name);
    let heading =
        [&["wrappers", "kind", "cases"][..], &ends, &["whole, share", "of the broken", "values right", "no place"]]
            .concat();
    let mut table = Table::new(&heading);
    let kinds = Kind::ALL.map(|kind| Some(kind.name())).into_iter().chain([None]);
    let kinds: Vec<Option<&str>> = kinds.collect();
    for group in 0..counts(measured, None, false).len() {
        for &kind in &kinds {
            let (name, count) = counts(measured, kind, false).swap_remove(group);
            let without = measured
                .iter()
                .filter(|one| name == "all" || name == format!("{}, {}", one.corpus, one.method))
                .flat_map(|one| &one.without)
                .filter(|&&without| kind.map_or(!NEGATIVE.contains(&without), |kind| kind == without))
                .count();
            let whole = count.of(End::StillWorks) + count.of(End::Restored);
            let mut row = vec![name, kind.unwrap_or("any").to_owned(), count.all().to_string()];
            row.extend(End::ALL.map(|end| count.of(end).to_string()));
            row.push(share(whole, count.all()));
            row.push(share(count.of(End::Restored), count.all() - count.of(End::StillWorks)));
            row.push(share(count.agreement.right, count.agreement.wanted));
            row.push(without.to_string());
            table.row(row);
        }
    }
    table.print("Repair: pages that still show the list");
    let mut table = Table::new(&["wrappers", "kind", "cases", "refused", "not refused", "refused, share"]);
    for group in 0..counts(measured, None, true).len() {
        for kind in NEGATIVE.map(Some).into_iter().chain([None]) {
            let (name, count) = counts(measured, kind, true).swap_remove(group);
            let refused = count.of(End::Refused);
            table.row(vec![
                name,
                kind.unwrap_or("any").to_owned(),
                count.all().to_string(),
                refused.to_string(),
                (count.all() - refused).to_string(),
                share(refused, count.all()),
            ]);
        }
    }
    table.print("Repair: pages without the list");
    let mut table = Table::new(&["pages", "repairs", "median, ms", "95 of 100, ms", "worst, ms", "worst"]);
    for (name, must_refuse) in [("with the list", false), ("without", true)] {
        let timed = || {
            let all = measured.iter().flat_map(|one| one.verdicts.iter().map(move |verdict| (one, verdict)));
            all.filter(|(_, verdict)| verdict.must_refuse == must_refuse)
                .filter_map(|(one, verdict)| Some((one, verdict, verdict.time?.as_secs_f64() * 1e3)))
        };
        let mut times: Vec<f64> = timed().map(|(_, _, time)| time).collect();
        let worst = timed().max_by(|one, other| one.2.total_cmp(&other.2));
        let mut row = vec![name.to_owned(), times.len().to_string()];
        row.extend([0.5, 0.95, 1.0].map(|part| format!("{:.1}", quantile(&mut times, part))));
        row.push(worst.map_or_else(String::new, |(one, verdict, _)| format!("{} {}", one.page, verdict.kind)));
        table.row(row);
    }
    table.print("Repair: time");
}

/// The figures in one line of words and numbers, as floors are held against. `broken`: of the wrappers that no longer give
/// what they should, how many do again; `combined`: the same of the kinds that change everything.
fn figures(measured: &[Measured]) -> String {
    let share = |part: usize, all: usize| format!("{:.4}", part as f64 / all.max(1) as f64);
    let of = |kind: Option<&str>, must_refuse: bool| counts(measured, kind, must_refuse).pop().unwrap_or_default().1;
    let (shown, gone) = (of(None, false), of(None, true));
    let mut combined = of(Some(Kind::All.name()), false);
    for verdict in measured.iter().flat_map(|one| &one.verdicts).filter(|verdict| verdict.kind == Kind::Worst.name()) {
        combined.add(verdict);
    }
    let broken = |count: &Count| share(count.of(End::Restored), count.all() - count.of(End::StillWorks));
    let whole = shown.of(End::StillWorks) + shown.of(End::Restored);
    format!(
        "repair cases {} restored {} broken {} combined {} wrong {} refusals {} refused {}",
        shown.all(),
        share(whole, shown.all()),
        broken(&shown),
        broken(&combined),
        share(shown.of(End::Wrong), shown.all()),
        gone.all(),
        share(gone.of(End::Refused), gone.all()),
    )
}

/// A line for each case that did not end well.
fn verbose(measured: &[Measured]) {
    println!();
    for one in measured {
        for verdict in one.verdicts.iter().filter(|verdict| !verdict.is_good()) {
            let Agreement { wanted, given, right } = verdict.agreement;
            println!(
                "{}/{}/{} {} {}: {}, {right} right of {wanted} wanted, {given} given: {}",
                one.corpus,
                one.method,
                one.page,
                verdict.kind,
                verdict.seed,
                verdict.end.name(),
                verdict.why
            );
        }
    }
}

/// All verdicts as JSON.
fn report(measured: &[Measured]) -> String {
    let case = |one: &Measured, verdict: &Verdict| {
        json!({
            "corpus": one.corpus,
            "method": one.method,
            "page": one.page,
            "kind": verdict.kind,
            "seed": verdict.seed,
            "must_refuse": verdict.must_refuse,
            "end": verdict.end.name(),
            "wanted": verdict.agreement.wanted,
            "given": verdict.agreement.given,
            "right": verdict.agreement.right,
            "ms": verdict.time.map(|time| (time.as_secs_f64() * 1e5).round() / 1e2),
        })
    };
    let lines = measured.iter().flat_map(|one| one.verdicts.iter().map(move |verdict| case(one, verdict).to_string()));
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}
