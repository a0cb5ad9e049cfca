//! Measures how well `windrow hunt` finds violations: a web of pharmacies is generated from a seed, served on loopback,
//! searched by the real command, and the findings are compared with the expected ones.
//!
//! ```text
//! cargo build --release -p windrow-cli -p windrow-bench
//! target/release/hunt [--windrow target/release/windrow] [--seed 1] [--shops 30] [--others 8] [--drugs 12] [--domain drugs] [--keep FOLDER]
//! ```
//!
//! Recall and precision are reported for findings (a page and a conclusion), for sites (a site with a finding is a
//! culprit), and for each layout. Missed and wrong findings are listed at the end; with `--keep`, the store, the
//! findings and an archive of the pages are kept for inspection.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Instant;

use windrow_bench::arguments::Arguments;
use windrow_testkit::hunt::{Rates, Score, Size, Told, Web};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::read();
    let beside = std::env::current_exe()?.with_file_name("windrow");
    let windrow = arguments.path("windrow").unwrap_or(beside);
    let seed = arguments.number("seed", 1);
    let (shops, others, drugs) =
        (arguments.number("shops", 30), arguments.number("others", 8), arguments.number("drugs", 12));
    let size = Size { shops, others, drugs };
    let domain = arguments.path("domain").unwrap_or_else(|| "drugs".into()).display().to_string();

    let web = Web::new(seed, size);
    let served = web.serve();
    let keep = arguments.path("keep");
    let temporary = std::env::temp_dir().join(format!("windrow-hunt-{}", std::process::id()));
    let folder = keep.clone().unwrap_or(temporary);
    std::fs::create_dir_all(&folder)?;
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(path("engine.toml"), web.wrapper())?;
    std::fs::write(path("register.csv"), &web.register)?;
    let begun = Instant::now();
    let archive = keep.iter().flat_map(|_| ["--record".to_owned(), path("web.warc.gz")]);
    let status = Command::new(&windrow)
        .args(["hunt", "--domain", &domain, "--search", &path("engine.toml"), "--rules", "drugs"])
        .args(["--reference", &path("register.csv"), "--into", &path("hunt.db"), "-o", &path("found.jsonl")])
        .args(["--allow-private", "--delay", "0", "--retries", "0"])
        .args(archive)
        .status()?;
    let seconds = begun.elapsed().as_secs_f64();
    let text = std::fs::read_to_string(path("found.jsonl"))?;
    let mut told = BTreeSet::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line)?;
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        told.insert(Told { page: text("page"), conclusion: text("conclusion") });
    }
    let truth = web.truth();
    let score = Score::new(&truth, &told);
    let pages: usize = web.sites.iter().map(|site| site.pages.len()).sum();
    println!(
        "\nseed {seed}: {} sites, {pages} pages; {} requests in {seconds:.1} s; {status}",
        web.sites.len(),
        served.requests()
    );
    println!("findings: {}", score.findings);
    println!("sites:    {}", score.sites);

    let origins: BTreeMap<&str, &str> =
        web.sites.iter().map(|site| (site.origin.as_str(), site.kind.split(' ').next().unwrap_or_default())).collect();
    let languages: BTreeMap<&str, &str> =
        web.sites.iter().map(|site| (site.origin.as_str(), site.kind.split(' ').nth(1).unwrap_or("none"))).collect();
    for (what, kinds) in [("layout", &origins), ("language", &languages)] {
        println!("\nby {what}:");
        let all: BTreeSet<&str> = kinds.values().copied().collect();
        for kind in all {
            let of = |set: &BTreeSet<Told>| -> BTreeSet<Told> {
                set.iter().filter(|one| kinds.get(one.site()) == Some(&kind)).cloned().collect()
            };
            println!("  {kind:<14} {}", Rates::of(&of(&truth), &of(&told)));
        }
    }
    let conclusions: BTreeSet<&str> = truth.iter().chain(&told).map(|one| one.conclusion.as_str()).collect();
    println!("\nby conclusion:");
    for conclusion in conclusions {
        let of = |set: &BTreeSet<Told>| -> BTreeSet<Told> {
            set.iter().filter(|one| one.conclusion == conclusion).cloned().collect()
        };
        println!("  {conclusion:<24} {}", Rates::of(&of(&truth), &of(&told)));
    }
    let kind = |one: &Told| {
        web.sites.iter().find(|site| site.origin == one.site()).map_or("", |site| site.kind.as_str()).to_owned()
    };
    score.missed.iter().for_each(|one| println!("missed {} {} ({})", one.page, one.conclusion, kind(one)));
    score.wrong.iter().for_each(|one| println!("wrong  {} {} ({})", one.page, one.conclusion, kind(one)));
    if keep.is_none() {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}
