//! `windrow hunt`: a recorded web, a web on real sockets with known culprits, kills, and what is said when nothing comes of it.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use expect_test::expect;
use windrow_testkit::hunt::{Score, Size, Told, Web};

use crate::{Folder, check_error, command, windrow};

const WEB: &str = "testdata/hunt/web.warc.gz";
const ENGINE: &str = "testdata/hunt/engine.toml";
const REGISTER: &str = "testdata/hunt/register.csv";

/// What a run told, out of its JSON lines.
fn told(lines: &str) -> Vec<Told> {
    let line = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| value[name].as_str().unwrap().to_owned();
        Told { page: text("page"), conclusion: text("conclusion") }
    };
    lines.lines().map(line).collect()
}

/// The options of a hunt on loopback.
fn local<'a>(engine: &'a str, register: &'a str, store: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut arguments =
        vec!["hunt", "--domain", "drugs", "--search", engine, "--rules", "drugs", "--reference", register];
    arguments.extend(["--into", store, "-o", out, "--allow-private", "--delay", "0", "--retries", "0", "-q"]);
    arguments
}

#[test]
fn a_recorded_web_is_hunted_offline() {
    let folder = Folder::new("hunt-recorded");
    let store = folder.path("hunt.db");
    let arguments = [
        "hunt",
        "--domain",
        "drugs",
        "--search",
        ENGINE,
        "--queries",
        "4",
        "--rules",
        "drugs",
        "--reference",
        REGISTER,
        "--replay",
        WEB,
        "--into",
        &store,
        "--format",
        "jsonl",
    ];
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages: Vec<String> =
        told(&run.stdout).iter().map(|told| format!("{} {}", told.page, told.conclusion)).collect();
    expect![[r#"
        https://swathe-pills.example/p/spray Counterfeit
        https://swathe-pills.example/p/granules Unapproved
        https://nightbarn.example/p/syrup PrescriptionSoldFreely
        https://nightbarn.example/p/syrup Controlled
        https://nightbarn.example/p/balm Misleading
        https://kangmin.example/p/2 Unapproved"#]]
    .assert_eq(&pages.join("\n"));
    expect![[r#"
        ┌──────────────────────┬───────────┬─────────────┬─────────┬─────────┬─────────────────────────────┐
        │ site                 ┆ data-rich ┆ link offers ┆ neither ┆ records ┆ findings                    │
        ╞══════════════════════╪═══════════╪═════════════╪═════════╪═════════╪═════════════════════════════╡
        │ nightbarn.example    ┆         2 ┆           0 ┆       3 ┆       2 ┆ 1 Controlled, 1 Misleading… │
        │ swathe-pills.example ┆         3 ┆           0 ┆       3 ┆       3 ┆ 1 Counterfeit, 1 Unapproved │
        │ kangmin.example      ┆         2 ┆           0 ┆       3 ┆       2 ┆ 1 Unapproved                │
        │ rickyard.example     ┆         2 ┆           0 ┆       3 ┆       2 ┆                             │
        │ hay-diary.example    ┆         0 ┆           0 ┆       2 ┆       0 ┆                             │
        │ weir-tools.example   ┆         0 ┆           0 ┆       2 ┆       1 ┆                             │
        └──────────────────────┴───────────┴─────────────┴─────────┴─────────┴─────────────────────────────┘
        10 links on 8 pages of results: 6 sites
        25 pages: 9 data-rich, 0 link offers, 16 neither
        10 records
        6 findings: 1 Controlled, 1 Counterfeit, 1 Misleading, 1 PrescriptionSoldFreely, 2 Unapproved
        complete (state: DIR/hunt.db.hunt)
        kept in DIR/hunt.db: 25 pages, 10 rows: 10 new, 0 changed, 0 gone
        kept in DIR/hunt.db: 6 new findings, 0 known, 0 gone
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    // The servers' addresses are those of the archive, and it is known what led to each site.
    let asked = ["query", &store, "select host, ip, found_by from _sites order by host", "--format", "csv"];
    expect![[r#"
        host,ip,found_by
        hay-diary.example,192.0.2.50,medicine
        kangmin.example,192.0.2.40,药品
        nightbarn.example,192.0.2.30,online pharmacy
        rickyard.example,192.0.2.10,medicine
        swathe-pills.example,192.0.2.20,medicine
        weir-tools.example,192.0.2.60,medicine
    "#]]
    .assert_eq(&windrow(&asked).stdout);
    // The same command has nothing left to do, and tells nothing twice.
    let again = windrow(&arguments);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""), "{}", again.stderr);
    let asked = ["query", &store, "select count(*) as n from _findings", "--format", "csv"];
    assert_eq!(windrow(&asked).stdout, format!("n\n{}\n", pages.len()));
}

/// The floors are a little below what was measured; `docs/hunt.md` has the figures of a larger web.
#[test]
fn culprits_are_found() {
    let web = Web::new(7, Size { shops: 10, others: 4, drugs: 6 });
    let served = web.serve();
    let folder = Folder::new("hunt-web").with("engine.toml", &web.wrapper()).with("register.csv", &web.register);
    let (engine, register) = (folder.path("engine.toml"), folder.path("register.csv"));
    let (store, out) = (folder.path("hunt.db"), folder.path("found.jsonl"));
    let run = windrow(&local(&engine, &register, &store, &out));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let found = told(&folder.read("found.jsonl"));
    let score = Score::new(&web.truth(), &found.iter().cloned().collect());
    let why = format!("{}\n{}\nmissed {:#?}\nwrong {:#?}", score.findings, score.sites, score.missed, score.wrong);
    assert!(score.findings.recall() >= 0.9 && score.findings.precision() >= 0.9, "{why}");
    assert!(score.sites.recall() >= 0.99 && score.sites.precision() >= 0.99, "{why}");
    // Servers are known by the address that answered.
    let asked = ["query", &store, "select count(distinct ip) as n, count(*) as m from _sites", "--format", "csv"];
    let sites = web.sites.len();
    assert_eq!(windrow(&asked).stdout, format!("n,m\n{sites},{sites}\n"));
    drop(served);
}

#[test]
fn a_killed_hunt_goes_on_without_loss_or_doubling() {
    let web = Web::new(11, Size { shops: 4, others: 2, drugs: 4 });
    let served = web.serve();
    let folder = Folder::new("hunt-killed").with("engine.toml", &web.wrapper()).with("register.csv", &web.register);
    let (engine, register) = (folder.path("engine.toml"), folder.path("register.csv"));
    let whole = folder.path("whole.db");
    let whole_out = folder.path("whole.jsonl");
    assert_eq!(windrow(&local(&engine, &register, &whole, &whole_out)).code, Some(0));
    let (store, out) = (folder.path("killed.db"), folder.path("killed.jsonl"));
    let mut arguments = local(&engine, &register, &store, &out);
    // One page after the other.
    arguments.extend(["--concurrency", "1", "--threads", "1"]);
    let mut kills = 0;
    for round in 1..=3 {
        // It can only go on if it is answered, so it is hit in the middle however fast it is.
        served.stop_after(15 * round);
        let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !served.has_stopped() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        kills += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    served.resume();
    assert!(kills >= 2, "there are too few pages for it to be killed");
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let sorted = |name: &str| {
        let mut told = told(&folder.read(name));
        told.sort();
        told
    };
    assert_eq!(sorted("killed.jsonl"), sorted("whole.jsonl"));
    for sql in [
        "select page, conclusion, low, snippet from _findings where gone is null order by 1, 2, 4",
        "select proprietary_name, authentication_code from records_now order by 1, 2",
        // Several queries find a site, and pages of results come as they come: which of them was first is chance.
        "select host, found_by is not null from _sites order by 1",
    ] {
        let ask = |store: &str| windrow(&["query", store, sql, "--format", "csv"]);
        let (killed, whole) = (ask(&store), ask(&whole));
        assert_eq!(killed.code, Some(0), "{}", killed.stderr);
        assert_eq!(killed.stdout, whole.stdout, "{sql}");
    }
    let unique: BTreeSet<String> = folder.read("killed.jsonl").lines().map(str::to_owned).collect();
    assert_eq!(unique.len(), folder.read("killed.jsonl").lines().count());
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = Folder::new("hunt-errors").with("plain.toml", "[list.r]\nrecords = \"li\"\n");
    let (plain, store) = (folder.path("plain.toml"), folder.path("h.db"));
    let hunt = |search: &str, more: &[&str]| {
        let run = windrow(&[&["hunt", "--domain", "drugs", "--search", search][..], more].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        folder.hide(&run.stderr)
    };
    expect![[r#"
        hunt::no_search

          × the wrapper `DIR/plain.toml` does not say how its pages are searched
          help: add a table to it: [search], and below it url = "https://search.example/?q={query}&page={page}"
    "#]]
    .assert_eq(&hunt(&plain, &["--into", &store]));
    expect![[r#"
        hunt::no_store

          × it is not said where to keep what is found
          help: give a store: --into hunt.db
    "#]]
    .assert_eq(&hunt(ENGINE, &[]));
    // Nothing recorded answers this query.
    let replay = ["--replay", WEB, "--into", &store, "-q", "--queries", "0"];
    expect![[r#"
        hunt::unreachable

          × the search engine gave no page: the archive has no answer for `https://gleaner.example/?q=hay&page=1`
          help: see what it answers: windrow extract -w testdata/hunt/engine.toml 'https://gleaner.example/?q=hay&page=1'; the same command goes on with what failed for a while
    "#]].assert_eq(&hunt(ENGINE, &[&replay[..], &["--query", "hay"]].concat()));
    let wrong = folder.path("wrong.toml");
    let text = std::fs::read_to_string(crate::root().join(ENGINE)).unwrap().replace(".results li", ".hits li");
    std::fs::write(&wrong, text).unwrap();
    let other = folder.path("o.db");
    let replay = ["--replay", WEB, "--into", &other, "-q", "--queries", "1"];
    expect![[r#"
        hunt::no_results

          × the wrapper `DIR/wrong.toml` finds no result on 1 page
          help: see what its rules find: windrow extract -w DIR/wrong.toml 'https://gleaner.example/?q=medicine&page=1'; an engine that asks who is there gives such pages, too; --restart asks again
    "#]].assert_eq(&hunt(&wrong, &replay));
    let names = ["--rules", "drugs", "--reference", REGISTER, "--names", "S.brand", "--into", &store];
    expect![[r#"
        hunt::names

          × `S.brand` is no column of a table of reference
          help: S has the columns authentication_code, proprietary_name, generic_name, manufacturer, country, prescription, controlled
    "#]].assert_eq(&hunt(ENGINE, &names));
}

#[test]
fn a_search_that_is_wrong_is_drawn_where_it_stands() {
    let folder = Folder::new("hunt-wrong").with(
        "engine.toml",
        "[search]\nurl = \"https://a.example/?q={search}\"\npgaes = 2\n\n[list.r]\nrecords = \"li\"\n",
    );
    let run = windrow(&["extract", "-w", &folder.path("engine.toml"), "testdata/pages/ads/page-1.html"]);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        wrapper::unknown_key

          × unknown key `pgaes` in `search`
           ╭─[DIR/engine.toml:3:1]
         2 │ url = "https://a.example/?q={search}"
         3 │ pgaes = 2
           · ──┬──
           ·   ╰── no such key here
         4 │ 
           ╰────
          help: did you mean `pages`?
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    check_error(
        &["hunt", "--domain", "drugs", "--search", "no-such.toml", "--into", "x.db"],
        &expect![[r#"
        wrapper::unreadable

          × cannot read the wrapper `no-such.toml`: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn results_that_lead_to_private_addresses_are_refused() {
    let web = Web::new(3, Size { shops: 2, others: 0, drugs: 3 });
    let _served = web.serve();
    let folder = Folder::new("hunt-private").with("engine.toml", &web.wrapper());
    let (engine, store) = (folder.path("engine.toml"), folder.path("h.db"));
    let arguments =
        ["hunt", "--domain", "drugs", "--search", &engine, "--into", &store, "--delay", "0", "-q", "--queries", "1"];
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("hunt::no_sites") && run.stderr.contains("--allow-private"), "{}", run.stderr);
}
