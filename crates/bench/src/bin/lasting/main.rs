//! Measures how well the estimates of `windrow_learn::alternatives` predict the real lifetime of locators.
//!
//! `lasting [--seeds 20] [--changes 5] [--step 1] [--fit true] [--csv OUT.csv]`. Wrappers are learned on the development
//! pages as `last` does it; every rule is asked for its alternatives, each page is redesigned at random, and of each
//! alternative it is counted how often it still gives the same, beside what was estimated of it. A redesign in which the
//! rules around find another number of records says nothing about a rule in them and is not counted. An alternative for
//! records is alive if each record still holds its values and no record comes or goes.
//!
//! `--fit true` fits the hazards of `crates/learn/src/alternatives/lasting.rs` to what was measured, and prints them.

mod fit;
mod survey;

use std::thread;

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_bench::shown::Shown;

use self::survey::{Measured, Plan};

fn main() {
    let arguments = Arguments::read();
    let plan = Plan { seeds: arguments.number("seeds", 20), changes: arguments.number("changes", 5) };
    let step = arguments.number("step", 1);
    let pages: Vec<Shown> = ["lists", "swde"].into_iter().flat_map(|set| Shown::pages(set, step)).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut measured: Vec<(usize, Measured)> = thread::scope(|scope| {
        let spawn = |first: usize| {
            let part = pages.iter().enumerate().skip(first).step_by(threads);
            let page = move |(at, page): (usize, &Shown)| {
                survey::page(page, plan).into_iter().map(move |row| (at, row)).collect::<Vec<_>>()
            };
            scope.spawn(move || part.flat_map(page).collect::<Vec<_>>())
        };
        let running: Vec<_> = (0..threads).map(spawn).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("no page panics")).collect()
    });
    measured.sort_by_key(|(at, _)| *at);
    let measured: Vec<Measured> = measured.into_iter().map(|(_, row)| row).filter(|row| row.runs > 0).collect();
    by_estimate(&measured);
    order(&measured);
    if arguments.path("fit").is_some() {
        fit::print(&measured);
    }
    let mut rows = Table::new(&["page", "rule", "way", "runs", "alive", "estimate", "holds"]);
    for row in &measured {
        let holds: Vec<String> =
            row.holds.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
        rows.row(vec![
            row.page.clone(),
            row.rule.clone(),
            row.way.clone(),
            row.runs.to_string(),
            row.alive.to_string(),
            format!("{:.3}", row.estimate),
            holds.join(", "),
        ]);
    }
    rows.write(arguments.path("csv").as_deref());
}

/// Ways by what was estimated of them, beside what was measured.
fn by_estimate(measured: &[Measured]) {
    let mut table = Table::new(&["estimated", "ways", "redesigns", "estimate", "alive"]);
    for tenth in 0..10 {
        let low = f64::from(tenth) / 10.0;
        let inside = |row: &&Measured| row.estimate >= low && (row.estimate < low + 0.1 || tenth == 9);
        let rows: Vec<&Measured> = measured.iter().filter(inside).collect();
        let (runs, alive) = rows.iter().fold((0, 0), |(runs, alive), row| (runs + row.runs, alive + row.alive));
        if runs > 0 {
            let estimate: f64 = rows.iter().map(|row| row.estimate * row.runs as f64).sum();
            table.row(vec![
                format!("{low:.1} to {:.1}", low + 0.1),
                rows.len().to_string(),
                runs.to_string(),
                format!("{:.3}", estimate / runs as f64),
                format!("{:.3}", alive as f64 / runs as f64),
            ]);
        }
    }
    table.print("Ways alive, by what was estimated");
}

/// Prints how often, of two locators for the same value, the one with the longer estimated lifetime lasted longer.
fn order(measured: &[Measured]) {
    let (mut right, mut wrong, mut even) = (0u64, 0u64, 0u64);
    let mut at = 0;
    while at < measured.len() {
        let same = |row: &Measured| row.page == measured[at].page && row.rule == measured[at].rule;
        let end = at + measured[at..].iter().take_while(|row| same(row)).count();
        for (number, one) in measured[at..end].iter().enumerate() {
            for other in &measured[at + number + 1..end] {
                let estimate = one.estimate - other.estimate;
                let alive = one.share() - other.share();
                // Ways that are about as lasting have no order to get right.
                if estimate.abs() < 0.01 || alive.abs() < 0.051 {
                    even += 1;
                } else if (estimate > 0.0) == (alive > 0.0) {
                    right += 1;
                } else {
                    wrong += 1;
                }
            }
        }
        at = end;
    }
    let share = right as f64 / (right + wrong).max(1) as f64;
    println!(
        "\nPairs of ways to one thing: {right} in the measured order, {wrong} not ({share:.3}), {even} about even"
    );
}
