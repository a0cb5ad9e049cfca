//! `windrow crawl` on real sockets: what it writes, how it stops, and that a kill loses and repeats nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use windrow_testkit::faulty::FaultySite;
use windrow_testkit::server::{Reply, Server};

use crate::{Folder, command, windrow};

const BARN: &str = "testdata/archives/barn.warc.gz";
const BARN_RULES: &str = "testdata/wrappers/barn/barn.toml";

fn pages_of(path: &Path) -> BTreeMap<usize, usize> {
    let mut pages = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        *pages.entry(number(value["page"].as_str().unwrap())).or_default() += 1;
    }
    pages
}

fn number(url: &str) -> usize {
    url.rsplit('/').next().unwrap().parse().unwrap()
}

#[test]
fn a_crawl_follows_next_pages_and_get() {
    let folder = Folder::new("crawl-barn");
    let out = folder.path("ads.csv");
    let arguments = ["crawl", "https://barn.example/", "-w", BARN_RULES, "--replay", BARN, "-o", &out];
    let run = windrow(&arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    expect![[r#"
        complete: 3 pages stored (state: DIR/ads.csv.crawl)
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    let expected = expect![[r#"
        page,title,price,price.currency,page.text
        https://barn.example/ads,"Two-wheel rake, hardly used",340,EUR,Folds for the road. Pick up near Tønder.
        https://barn.example/ads,"Baler twine, 12 rolls",55,EUR,"Sisal. Dry store, no mice."
        https://barn.example/ads?page=2,Old hay wagon,900,EUR,Needs a new floor & one wheel.
        https://barn.example/ads?page=2,"Hay fork, ash handle",18,EUR,"Three tines, one slightly bent."
        https://barn.example/ads?page=3,"Bale net, two rolls",120,EUR,1.23 m × 3000 m.
    "#]];
    let rows = folder.read("ads.csv");
    let mut lines: Vec<&str> = rows.lines().collect();
    // Pages wait for their parts, and so may overtake each other.
    lines[1..].sort_by_key(|line| (line.contains("page=2"), line.contains("page=3")));
    lines[1..].sort_by_key(|line| line.split(',').next().unwrap_or_default());
    expected.assert_eq(&(lines.join("\n") + "\n"));
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(0));
    expect![[r#"
        nothing was left to do: 3 pages stored (state: DIR/ads.csv.crawl)
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    assert_eq!(folder.read("ads.csv"), rows);
    // Anew.
    let run = windrow(&[&arguments[..], &["--restart"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(folder.read("ads.csv").lines().count(), rows.lines().count());
}

#[test]
fn a_crawl_without_a_file_prints() {
    let folder = Folder::new("crawl-print");
    let state = folder.path("state");
    let run = windrow(&[
        "crawl",
        "https://barn.example/ads",
        "-w",
        BARN_RULES,
        "--replay",
        BARN,
        "--state",
        &state,
        "--raw",
        "-q",
    ]);
    assert_eq!((run.code, run.stdout.lines().count(), run.stderr.as_str()), (Some(0), 3, ""));
    let other = folder.path("other");
    let csv = ["--format", "csv", "--state", &other, "-q"];
    let run = windrow(&[&["crawl", "https://barn.example/ads", "-w", BARN_RULES, "--replay", BARN][..], &csv].concat());
    assert!(run.stdout.starts_with("page,title,price,"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 6);
}

#[test]
fn a_state_is_not_for_other_rules() {
    let folder = Folder::new("crawl-other").with("r.toml", "[field]\nt = \"h1\"\n");
    let (state, rules) = (folder.path("state"), folder.path("r.toml"));
    let crawl = |wrapper: &str| {
        windrow(&["crawl", "https://barn.example/ads", "-w", wrapper, "--replay", BARN, "--state", &state, "-q"])
    };
    assert_eq!(crawl(BARN_RULES).code, Some(0));
    let run = crawl(&rules);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        crawl::other

          × `DIR/state` holds a different crawl (another wrapper)
          help: add --restart to discard it, or --state FILE to keep both
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn a_budget_ends_it_and_the_same_command_goes_on() {
    let site = Arc::new(FaultySite::new(30, 100));
    let answering = Arc::clone(&site);
    let server = Server::start(move |asked| answering.answer(asked));
    let folder = Folder::new("crawl-budget").with("r.toml", "[field]\nt = \"h1\"\n");
    let (out, rules, seed) = (folder.path("out.jsonl"), folder.path("r.toml"), server.url("/0"));
    let crawl = |pages: &str| {
        let run = windrow(&[
            "crawl",
            &seed,
            "-w",
            &rules,
            "-o",
            &out,
            "--allow-private",
            "--follow",
            "a",
            "--delay",
            "0",
            "--timeout",
            "1",
            "--back-off",
            "0.05",
            "--max-size",
            "1M",
            "--pages",
            pages,
        ]);
        (run.code, run.stderr)
    };
    let (_, told) = crawl("5");
    assert!(told.starts_with("the budget is used up: 5 pages stored, "), "{told}");
    assert_eq!(pages_of(Path::new(&out)).len(), 5);
    // Loops and bombs are never had: less than what was asked for.
    let (code, told) = crawl("1000");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.starts_with("complete: ") && told.contains("its redirects form a loop"), "{told}");
    assert_eq!(pages_of(Path::new(&out)).keys().copied().collect::<BTreeSet<_>>(), site.expected());
}

/// A small version of what `bench crawl --what faults` measures.
#[test]
fn killed_again_and_again_it_loses_and_repeats_nothing() {
    let site = Arc::new(FaultySite::new(400, 500));
    let answering = Arc::clone(&site);
    let server = Server::start(move |asked| answering.answer(asked));
    let folder = Folder::new("crawl-kill").with("r.toml", "[field]\nt = \"h1\"\n");
    let (out, rules, archive) = (folder.path("out.jsonl"), folder.path("r.toml"), folder.path("out.warc.gz"));
    let seed = server.url("/0");
    let arguments = [
        "crawl",
        &seed,
        "-w",
        &rules,
        "-o",
        &out,
        "--record",
        &archive,
        "--allow-private",
        "--follow",
        "a",
        "--no-next",
        "--delay",
        "0",
        "--per-host",
        "16",
        "--timeout",
        "1",
        "--retries",
        "4",
        "--back-off",
        "0.1",
        "--max-size",
        "1M",
        "-q",
    ];
    let mut kills = Vec::new();
    for wait in [150, 400, 700, 300, 1_000] {
        let mut child = command(&arguments).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
        if let Ok(stored) = windrow::fetch::crawl::stored(&folder.0.join("out.jsonl.crawl")) {
            kills.push((site.asked().len(), stored.iter().map(|url| number(url)).collect::<BTreeSet<_>>()));
        }
    }
    let run = windrow(&arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "some pages are never had");
    let asked = site.asked();
    for (at, stored) in &kills {
        let again: Vec<_> = asked[*at..].iter().filter(|page| stored.contains(page)).collect();
        assert!(again.is_empty(), "asked for again after being stored: {again:?}");
    }
    let written = pages_of(Path::new(&out));
    assert_eq!(written.keys().copied().collect::<BTreeSet<_>>(), site.expected());
    assert!(written.values().all(|times| *times == 1), "{written:?}");
    // The archive has the same pages, each once.
    let run = windrow(&["extract", "-w", &rules, &archive, "--format", "jsonl", "-q"]);
    let archived = folder.0.join("archived.jsonl");
    std::fs::write(&archived, run.stdout).unwrap();
    assert_eq!(pages_of(&archived), written);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_in_order() {
    let server = Server::start(|asked| {
        let page: usize = asked.path[1..].parse().unwrap_or(0);
        Reply::html(format!("<h1>{page}</h1><a href=/{}>x</a>", page + 1)).after(Duration::from_millis(20))
    });
    let folder = Folder::new("crawl-interrupt").with("r.toml", "[field]\nt = \"h1\"\n");
    let (out, rules, seed) = (folder.path("out.jsonl"), folder.path("r.toml"), server.url("/0"));
    let arguments = ["crawl", &seed, "-w", &rules, "-o", &out, "--allow-private", "--follow", "a", "--delay", "0"];
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // In the middle of an endless site, some pages after the start.
    while server.requests() < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.starts_with("stopped: ") && told.contains("the same command goes on"), "{told}");
    // What was found so far waits beside the file, which is not there before the crawl has ended.
    assert!(!Path::new(&out).exists() && told.contains("so far in"), "{told}");
    assert!(!pages_of(Path::new(&format!("{out}.part"))).is_empty());
}

#[test]
fn a_local_site_is_crawled_and_other_private_servers_are_not() {
    let inside = Server::start(|_| Reply::html("<h1>inside</h1>"));
    let to = inside.url("/");
    let server = Server::start(move |asked| match asked.path.as_str() {
        "/" => Reply::html(format!("<h1>list</h1><a href=/item>x</a><a href={to}>y</a>")),
        "/item" => Reply::html("<h1>item</h1>"),
        _ => Reply::status(404),
    });
    let folder = Folder::new("crawl-local").with("r.toml", "[field]\nt = \"h1\"\n");
    let (out, rules, seed) = (folder.path("out.jsonl"), folder.path("r.toml"), server.url("/"));
    let arguments =
        ["crawl", &seed, "-w", &rules, "-o", &out, "--follow", "a", "--no-next", "--anywhere", "--delay", "0"];
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(folder.read("out.jsonl").lines().count(), 2, "{}", run.stderr);
    assert!(run.stderr.starts_with("complete: 2 pages stored, 1 failed "), "{}", run.stderr);
    assert!(
        run.stderr.contains(
            "a page links or redirects to the private address 127.0.0.1 (if pages may lead to your private network, add --allow-private)"
        ),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("\nto retry: "), "{}", run.stderr);
    assert_eq!(inside.requests(), 0);
    // The same without the flag changes nothing; with it, what was refused is had, and nothing else is asked for again.
    let before = server.requests();
    assert_eq!(windrow(&arguments).code, Some(1));
    let run = windrow(&[&arguments[..], &["--allow-private"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("complete: 3 pages stored "), "{}", run.stderr);
    assert_eq!(server.requests(), before);
    assert_eq!(folder.read("out.jsonl").lines().count(), 3);
}

/// The pages of a list of two, kept in a store.
fn crawl_into(store: &str, state: &str, more: &[&str]) -> crate::Run {
    let arguments = ["crawl", "https://barn.example/ads", "-w", BARN_RULES, "--replay", BARN, "--into", store];
    windrow(&[&arguments[..], &["--state", state], more].concat())
}

#[test]
fn a_crawl_does_not_go_on_without_its_store() {
    let folder = Folder::new("crawl-store");
    let (store, state) = (folder.path("ads.db"), folder.path("ads.crawl"));
    // A copy of the store after the first page.
    assert_eq!(crawl_into(&store, &state, &["--pages", "1", "-q"]).code, Some(0));
    std::fs::copy(&store, folder.path("older.db")).unwrap();
    assert_eq!(crawl_into(&store, &state, &["-q"]).code, Some(0));
    std::fs::copy(&store, folder.path("whole.db")).unwrap();
    let run = crawl_into(&store, &state, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("nothing was left to do"), "{}", run.stderr);
    let rows = |store: &str| windrow(&["query", store, "select count(*) as n from ads_now", "--format", "csv"]).stdout;
    let whole = rows(&store);

    // The store is gone.
    std::fs::remove_file(&store).unwrap();
    let run = crawl_into(&store, &state, &[]);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        crawl::store

          × `DIR/ads.crawl` says that 3 pages are kept in `DIR/ads.db`, but that file is gone
          help: put the store back, add --restart to fetch the pages again, or give a new crawl its own --state FILE
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
    assert!(!Path::new(&store).exists(), "no empty store takes its place");

    // An older copy of it.
    std::fs::copy(folder.path("older.db"), &store).unwrap();
    let run = crawl_into(&store, &state, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("but that store is an older copy"), "{}", run.stderr);
    assert!(run.stderr.contains("add --restart to fetch the pages again"), "{}", run.stderr);

    // The store of another crawl.
    std::fs::remove_file(&store).unwrap();
    assert_eq!(crawl_into(&store, &folder.path("other.crawl"), &["-q"]).code, Some(0));
    let run = crawl_into(&store, &state, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("that store knows nothing of this crawl"), "{}", run.stderr);

    // Its own store again, or all pages again.
    std::fs::copy(folder.path("whole.db"), &store).unwrap();
    assert_eq!(crawl_into(&store, &state, &["-q"]).code, Some(0));
    std::fs::remove_file(&store).unwrap();
    assert_eq!(crawl_into(&store, &state, &["-q", "--restart"]).code, Some(0));
    assert_eq!(rows(&store), whole);
}

#[test]
fn a_crawl_does_not_go_on_without_its_database() {
    let folder = Folder::new("crawl-database");
    let state = folder.path("ads.crawl");
    // The same name, so that the crawl is the same but for what the database holds.
    for round in 0..2 {
        crate::query::with_server("crawl", |address| {
            let run = crawl_into(address, &state, &[]);
            match round {
                0 => {
                    assert_eq!(run.code, Some(0), "{}", run.stderr);
                    assert!(crawl_into(address, &state, &[]).stderr.contains("nothing was left to do"));
                }
                _ => {
                    assert_eq!(run.code, Some(2), "{}", run.stderr);
                    assert!(run.stderr.contains("that store knows nothing of this crawl"), "{}", run.stderr);
                }
            }
        });
    }
}

#[test]
fn what_is_wrong_is_told_before_anything_is_fetched() {
    let error = |arguments: &[&str]| {
        let run = windrow(arguments);
        assert_eq!(run.code, Some(2));
        run.stderr
    };
    assert!(error(&["crawl", "example.org", "-w", BARN_RULES]).contains("`example.org` is no address"));
    assert!(
        error(&["crawl", "https://example.org/", "-w", BARN_RULES, "-o", "x.xml"])
            .contains("does not tell how to write")
    );
    assert!(error(&["crawl", "https://example.org/"]).contains("--wrapper"));
    assert!(error(&["crawl", "https://example.org/", "-w", BARN_RULES, "--follow", "//a["]).contains("--follow"));
}
