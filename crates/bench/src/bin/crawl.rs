//! Measures `windrow crawl` against local servers: a faulty one, a slow one, a fast one, a large one.
//!
//! `crawl --windrow PATH [--what faults,rate,speed,memory] [--pages N] [--kills 20] [--csv OUT.csv]`
//!
//! - `faults`: 10,000 pages of [`FaultySite`], the crawl killed (SIGKILL) on the way; counts pages lost, pages twice in the
//!   output, and pages that were asked for again after they were stored.
//! - `rate`: a server that takes 50 ms; how near the crawl comes to the rate it is allowed.
//! - `speed`: pages of 50 KB with no politeness.
//! - `memory`: a million addresses seen; the most memory that the crawl had.
//!
//! The server runs in this process, on the same two cores as the crawl.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;
use windrow_fetch::crawl;
use windrow_testkit::faulty::FaultySite;
use windrow_testkit::server::{Reply, Server};

const RULES: &str = "[field]\ntitle = \"h1\"\n";

struct Bench {
    windrow: PathBuf,
    folder: PathBuf,
    table: Table,
}

fn main() {
    let arguments = Arguments::read();
    let windrow = arguments.path("windrow").expect("--windrow PATH of the program");
    let what = arguments.path("what").map(|what| what.display().to_string());
    let what = what.unwrap_or_else(|| "faults,rate,speed,memory".to_owned());
    let folder = std::env::temp_dir().join(format!("windrow-bench-crawl-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    fs::write(folder.join("rules.toml"), RULES).expect("a file");
    let mut bench = Bench { windrow, folder: folder.clone(), table: Table::new(&["what", "figure", "value"]) };
    for what in what.split(',') {
        match what {
            "faults" => bench.faults(arguments.number("pages", 10_000), arguments.number("kills", 20)),
            "rate" => bench.rate(),
            "speed" => bench.speed(arguments.number("pages", 20_000)),
            "memory" => bench.memory(),
            other => panic!("--what {other}: there is no such measurement"),
        }
    }
    bench.table.print("windrow crawl");
    bench.table.write(arguments.path("csv").as_deref());
    let _ = fs::remove_dir_all(folder);
}

impl Bench {
    fn row(&mut self, what: &str, figure: &str, value: impl ToString) {
        let value = value.to_string();
        eprintln!("{what}: {figure}: {value}");
        self.table.row(vec![what.to_owned(), figure.to_owned(), value]);
    }

    fn clean(&self) {
        for name in ["out.jsonl", "out.jsonl.crawl", "out.jsonl.crawl-wal", "out.jsonl.crawl-shm", "out.warc.gz"] {
            let _ = fs::remove_file(self.folder.join(name));
        }
    }

    /// A crawl of `url` with these further arguments.
    fn start(&self, url: &str, more: &[&str]) -> Child {
        Command::new(&self.windrow)
            .current_dir(&self.folder)
            .args([
                "crawl",
                url,
                "-w",
                "rules.toml",
                "-o",
                "out.jsonl",
                "--allow-private",
                "--no-next",
                "--follow",
                "a",
            ])
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::from(fs::File::create(self.folder.join("stderr.txt")).expect("a file")))
            .spawn()
            .expect("the program starts")
    }

    /// The pages in the output, with how often each is there.
    fn written(&self) -> BTreeMap<usize, usize> {
        let mut pages = BTreeMap::new();
        for line in fs::read_to_string(self.folder.join("out.jsonl")).unwrap_or_default().lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("each line is whole");
            *pages.entry(number(value["page"].as_str().unwrap_or_default())).or_default() += 1;
        }
        pages
    }

    fn faults(&mut self, pages: usize, kills: usize) {
        self.clean();
        let site = Arc::new(FaultySite::new(pages, 2_000));
        let expected = site.expected();
        let answering = Arc::clone(&site);
        let server = Server::start(move |asked| answering.answer(asked));
        let more = [
            "--delay",
            "0",
            "--per-host",
            "64",
            "--concurrency",
            "64",
            "--timeout",
            "1",
            "--retries",
            "4",
            "--back-off",
            "0.2",
            "--max-size",
            "4M",
            "--record",
            "out.warc.gz",
            "-q",
        ];
        let begun = Instant::now();
        let mut again = 0;
        let mut stored_before: Vec<(usize, BTreeSet<usize>)> = Vec::new();
        let mut runs = 0;
        loop {
            let mut child = self.start(&server.url("/0"), &more);
            runs += 1;
            let killed = if stored_before.len() < kills {
                // Somewhere between the first request and some seconds of work.
                let wait = 150 + (runs * 7_919) % 1_400;
                std::thread::sleep(Duration::from_millis(wait as u64));
                matches!(child.try_wait(), Ok(None)) && child.kill().is_ok()
            } else {
                false
            };
            let status = child.wait().expect("the child ends");
            if !killed {
                assert!(
                    matches!(status.code(), Some(0 | 1)),
                    "{}",
                    fs::read_to_string(self.folder.join("stderr.txt")).unwrap_or_default()
                );
                break;
            }
            let stored = crawl::stored(&self.folder.join("out.jsonl.crawl")).unwrap_or_default();
            stored_before.push((site.asked().len(), stored.iter().map(|url| number(url)).collect()));
        }
        let asked = site.asked();
        for (at, stored) in &stored_before {
            // A request that was on its way when its sender was killed may be counted late.
            again += asked[*at..].iter().filter(|page| stored.contains(page)).count();
        }
        let written = self.written();
        let lost = expected.iter().filter(|page| !written.contains_key(page)).count();
        let unexpected = written.keys().filter(|page| !expected.contains(page)).count();
        let twice = written.values().filter(|times| **times > 1).count();
        self.row("faults", "pages of the site", pages);
        self.row("faults", "pages that can be had", expected.len());
        self.row("faults", "killed", stored_before.len());
        self.row("faults", "lost", lost);
        self.row("faults", "not expected", unexpected);
        self.row("faults", "twice", twice);
        self.row("faults", "asked for again after being stored", again);
        self.row("faults", "requests", asked.len());
        self.row("faults", "seconds", format!("{:.1}", begun.elapsed().as_secs_f64()));
    }

    fn rate(&mut self) {
        for (delay, per_host, pages) in [("0.1", "2", 100_usize), ("0.01", "8", 1_000), ("0.002", "64", 4_000)] {
            self.clean();
            let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
            let noted = Arc::clone(&times);
            let server = Server::start(move |asked| {
                if asked.path == "/robots.txt" {
                    return Reply::status(404);
                }
                noted.lock().expect("no panic").push(Instant::now());
                let links: String = (0..pages).map(|page| format!("<a href=/{page}>x</a>")).collect();
                let html = if asked.path == "/" { links } else { "<h1>x</h1>".to_owned() };
                Reply::html(html).after(Duration::from_millis(50))
            });
            let more = ["--delay", delay, "--per-host", per_host, "-q"];
            self.start(&server.url("/"), &more).wait().expect("the child ends");
            let times = times.lock().expect("no panic");
            // Without the first, whose links have to be read before there is more to ask for.
            let span = times[times.len() - 1] - times[1];
            let reached = (times.len() - 2) as f64 / span.as_secs_f64();
            let allowed = 1.0 / delay.parse::<f64>().expect("a number");
            self.row(
                "rate",
                &format!("{allowed:.0} a second allowed: reached"),
                format!("{:.1} %", 100.0 * reached / allowed),
            );
        }
    }

    fn speed(&mut self, pages: usize) {
        let filler =
            "<p class=text>Hay is cut, dried, raked into <b>windrows</b> and <a>baled</a> before the rain.</p>\n";
        let filler = filler.repeat(50_000 / filler.len());
        for (name, latency, more) in [
            ("no latency", 0, &[][..]),
            ("50 ms latency", 50, &[][..]),
            ("no latency, recorded", 0, &["--record", "out.warc.gz"][..]),
        ] {
            self.clean();
            let served = filler.clone();
            let times: Arc<Mutex<Vec<Instant>>> = Arc::default();
            let noted = Arc::clone(&times);
            let server = Server::start(move |asked| {
                if asked.path == "/robots.txt" {
                    return Reply::status(404);
                }
                noted.lock().expect("no panic").push(Instant::now());
                let page: usize = asked.path[1..].parse().unwrap_or(0);
                let links: String = (1..=20)
                    .map(|next| page * 20 + next)
                    .filter(|next| *next < pages)
                    .map(|next| format!("<a href=/{next}>x</a>"))
                    .collect();
                Reply::html(format!("<title>x</title><h1>Page {page}</h1>{links}{served}"))
                    .after(Duration::from_millis(latency))
            });
            let mut arguments = vec!["--delay", "0", "--per-host", "256", "--concurrency", "256", "-q"];
            arguments.extend(more);
            let mut child = self.start(&server.url("/"), &arguments);
            let most = watch_memory(&mut child);
            let times = times.lock().expect("no panic");
            assert_eq!(self.written().len(), pages);
            // The first few hundred pages are a few links wide.
            let from = times.len() / 10;
            let span = times[times.len() - 1] - times[from];
            let rate = (times.len() - 1 - from) as f64 / span.as_secs_f64();
            self.row("speed", &format!("pages of 50 KB a second, {name}"), format!("{rate:.0}"));
            self.row("speed", &format!("memory, {name}"), format!("{} MB", most / 1_000_000));
        }
    }

    fn memory(&mut self) {
        self.clean();
        let (pages, links) = (1_000_usize, 1_000_usize);
        let served = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&served);
        let server = Server::start(move |asked| {
            let page: usize = match asked.path.strip_prefix("/hub/") {
                Some(page) => page.parse().unwrap_or(0),
                None => return Reply::status(404),
            };
            counted.fetch_add(1, Ordering::Relaxed);
            let found: String = match page {
                0 => (1..=pages).map(|hub| format!("<a href=/hub/{hub}>hub</a>")).collect(),
                _ => (0..links)
                    .map(|link| format!("<a href=/catalogue/section-{page}/item-{}.html>item</a>", page * links + link))
                    .collect(),
            };
            Reply::html(format!("<h1>Hub {page}</h1>{found}"))
        });
        // The hubs come first, and there the budget ends.
        let budget = (pages + 1).to_string();
        let more = ["--delay", "0", "--per-host", "1", "--pages", &budget, "--retries", "0", "-q"];
        let mut child = self.start(&server.url("/hub/0"), &more);
        let most = watch_memory(&mut child);
        let counts = crawl::status(&self.folder.join("out.jsonl.crawl")).expect("a state");
        let seen = counts.done + counts.failed + counts.queued + counts.redirected;
        self.row("memory", "addresses seen", seen);
        self.row("memory", "most memory", format!("{} MB", most / 1_000_000));
    }
}

/// Waits for the child; the most memory it had, in bytes.
fn watch_memory(child: &mut Child) -> u64 {
    let status = Path::new("/proc").join(child.id().to_string()).join("status");
    let mut most = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0) * 1024);
        if !matches!(child.try_wait(), Ok(None)) {
            return most;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The number of a page by its address.
fn number(url: &str) -> usize {
    url.rsplit('/').next().and_then(|last| last.parse().ok()).unwrap_or(0)
}
