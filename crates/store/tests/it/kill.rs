//! Killed at any moment, a store has every page whole or not at all, and every page that was reported as kept.
//!
//! The test runs itself as a child that keeps pages and says so on standard output, and kills it with SIGKILL a moment
//! after it has reported a number of pages: at any point of keeping the next ones, however slow the machine is.
//! `WINDROW_KILLS` is how often; if it is not set, 25 times with `WINDROW_TEST_ALL` and 6 times without, and a fifth of
//! that for a server, whose own process outlives the writer's.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use windrow_store::{Layout, Page, Store, content_hash};

use crate::support::{all, layout, record, rows, run, server_address, with_database};

/// Records of a page, and records inside each.
const RECORDS: usize = 12;
const INSIDE: usize = 3;
/// Pages that are kept over and over with other values.
const PAGES: usize = 40;

fn ads() -> Layout {
    let mut ads = layout("ads", &["title", "link:url", "price:money", "round:number"]);
    ads.lists.push(layout("sellers", &["name", "phone"]));
    ads
}

/// A page as it is in one round: some records change, some come, some go.
fn page(ads: &Layout, layouts: &Arc<[Layout]>, number: usize, round: usize) -> Page {
    let records = (0..RECORDS).map(|n| {
        // Two of them move on with the rounds.
        let id = if n < 2 { format!("{number}-{n}-{round}") } else { format!("{number}-{n}") };
        let price = if n % 3 == 0 { round.to_string() } else { n.to_string() };
        let mut ad =
            record(ads, &[&format!("Ad {id}"), &format!("https://example.org/{id}"), &price, &round.to_string()]);
        let seller = |k: usize| record(&ads.lists[0], &[&format!("Seller {k}"), &format!("{}", round + k)]);
        ad.lists[0] = (0..INSIDE).map(seller).collect();
        ad
    });
    Page {
        name: format!("page {number}"),
        hash: content_hash(format!("{number} {round}").as_bytes()),
        layouts: Arc::clone(layouts),
        lists: vec![records.collect()],
        left_out: Vec::new(),
    }
}

/// The child: keeps pages until it is killed.
#[test]
#[ignore = "run by the test below, which kills it"]
fn child() {
    let Ok(path) = std::env::var("WINDROW_KILL_STORE") else { return };
    let first: usize = std::env::var("WINDROW_KILL_ROUND").unwrap().parse().unwrap();
    let mut store = Store::open(&path).unwrap();
    let ads = ads();
    let layouts: Arc<[Layout]> = Arc::from([ads.clone()]);
    for round in first.. {
        let mut run = run(&mut store, 1);
        for number in 0..PAGES {
            store.keep(&mut run, &page(&ads, &layouts, number, round), false).unwrap();
            let mut out = std::io::stdout().lock();
            writeln!(out, "\nkept {number} {round}").unwrap();
            out.flush().unwrap();
        }
        store.finish(run, "2026-11-01T09:00:00Z").unwrap();
    }
}

fn kills() -> usize {
    let set = std::env::var("WINDROW_KILLS").ok().and_then(|kills| kills.parse().ok());
    set.unwrap_or(if all() { 25 } else { 6 })
}

#[test]
fn a_file_whose_writer_is_killed_at_any_moment() {
    let directory = tempfile::tempdir().unwrap();
    killed(&directory.path().join("killed.db").display().to_string(), kills());
}

#[test]
fn a_server_whose_writer_is_killed_at_any_moment() {
    if server_address().is_some() {
        with_database(|address| killed(address, kills().div_ceil(5)));
    }
}

fn killed(path: &str, kills: usize) {
    let mut round = 1;
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    // The round in which each page was last reported as kept.
    let mut reported = vec![0; PAGES];
    for kill in 0..kills {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill::child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .env("WINDROW_KILL_STORE", path)
            .env("WINDROW_KILL_ROUND", round.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        // One in eight is hit while it opens the store; the others when they have come as far as a round and a half.
        let lifetime = if random.is_multiple_of(8) { 0 } else { 1 + (random >> 8) as usize % (PAGES * 3 / 2) };
        let moment = Duration::from_micros((random >> 32) % 8_000);
        let mut kill_now = || {
            std::thread::sleep(moment);
            child.kill().unwrap();
        };
        let mut lines = 0;
        if lifetime == 0 {
            kill_now();
        }
        for line in out.lines().map_while(Result::ok) {
            let mut words = line.split(' ');
            if words.next() == Some("kept")
                && let (Some(page), Some(kept)) = (words.next(), words.next())
            {
                let (page, kept): (usize, usize) = (page.parse().unwrap(), kept.parse().unwrap());
                reported[page] = kept;
                lines += 1;
                round = round.max(kept + 1);
                if lines == lifetime {
                    kill_now();
                }
            }
        }
        child.wait().unwrap();
        verify(path, &mut reported, kill);
        round += 1;
    }
    let pages = reported.iter().filter(|round| **round > 0).count();
    assert!(pages > 0 || kills == 0, "no page was ever kept");
}

fn verify(path: &str, reported: &mut [usize], kill: usize) {
    let mut store = Store::open(path).unwrap();
    // Waits for what a server still does for the one that was killed.
    store.version("shop", "rules", "toml", "given", "x").unwrap();
    if !path.starts_with("postgres://") {
        let check = if kill.is_multiple_of(20) { "integrity_check" } else { "quick_check" };
        assert_eq!(rows(&mut store, &format!("select * from pragma_{check}")), ["ok"], "after kill {kill}");
        assert_eq!(rows(&mut store, "select count(*) from pragma_foreign_key_check"), ["0"]);
    }
    if rows(&mut store, "select count(*) from _tables where name = 'ads'") == ["0"] {
        assert!(reported.iter().all(|round| *round == 0), "pages were reported, and there is no table");
        return;
    }
    let sql = "select p.name, count(*), min(a.round), max(a.round), count(distinct a._key) from ads a
               join _pages p on p.id = a._page where a._gone is null group by p.name";
    let mut seen = 0;
    for row in rows(&mut store, sql) {
        let cells: Vec<&str> = row.split('|').collect();
        let page: usize = cells[0].strip_prefix("page ").unwrap().parse().unwrap();
        assert_eq!(cells[1], RECORDS.to_string(), "kill {kill}: {row}");
        assert_eq!(cells[4], RECORDS.to_string(), "kill {kill}: {row}");
        assert_eq!(cells[2], cells[3], "kill {kill}: {row}: a page of two rounds");
        let round: usize = cells[2].parse().unwrap();
        assert!(round >= reported[page], "kill {kill}: {row}: it was reported as kept in round {}", reported[page]);
        reported[page] = round;
        seen += 1;
    }
    let expected = reported.iter().filter(|round| **round > 0).count();
    assert_eq!(seen, expected, "kill {kill}: pages are lost");
    let sql = "select count(*) from (select s._parent, count(*) as n from ads_sellers s join ads a on a._id = s._parent
               where a._gone is null and s._gone is null group by s._parent) as families where n <> 3";
    assert_eq!(rows(&mut store, sql), ["0"], "kill {kill}: records without those inside them");
    let sql = "select count(*) from ads a where a._gone is null
               and not exists (select 1 from ads_sellers s where s._parent = a._id)";
    assert_eq!(rows(&mut store, sql), ["0"], "kill {kill}: records without those inside them");
    // What the runs counted is what is there.
    let sql = "select (select sum(inserted) from _runs)
               - (select count(*) from ads) - (select count(*) from ads_sellers)";
    assert_eq!(rows(&mut store, sql), ["0"], "kill {kill}: counts");
    let sql = "select count(*) from _changes c where c.what = 'gone' and c.tbl = 'ads'
               and not exists (select 1 from ads a where a._id = c.record and a._gone is not null)";
    assert_eq!(rows(&mut store, sql), ["0"], "kill {kill}: a change without a record");
}
