//! Crawling, on sites that are made up in memory: what is asked for, in which order, and what is left in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, Version};
use url::Url;
use windrow_fetch::Answer;
use windrow_fetch::crawl::{
    self, Asking, Budget, Config, End, Leave, Link, Observer, Source, Stop, Summary, Visit, Visited, Visitor, Way,
};

/// The status and the text of a path, when it is asked for the so-manieth time.
type Answers = dyn Fn(&str, usize) -> (u16, String) + Send + Sync;

/// A site: what each path answers, and what it was asked for.
struct Site {
    answer: Box<Answers>,
    asked: Mutex<Vec<String>>,
}

impl Site {
    fn new(answer: impl Fn(&str, usize) -> (u16, String) + Send + Sync + 'static) -> Arc<Site> {
        Arc::new(Site { answer: Box::new(answer), asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Source for Site {
    fn ask<'a>(&'a self, url: &'a Url, _given: bool) -> Asking<'a> {
        let path = url[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
        let times = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(path.clone());
            asked.iter().filter(|known| **known == path).count()
        };
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let (status, text) = (self.answer)(&path, times);
            let mut headers = HeaderMap::new();
            if (300..400).contains(&status) {
                let mut parts = text.split(' ');
                headers.insert("location", HeaderValue::from_str(parts.next().unwrap()).unwrap());
                if let Some(cookie) = parts.next() {
                    headers.insert("set-cookie", HeaderValue::from_str(cookie).unwrap());
                }
            }
            Ok(Answer {
                url: url.clone(),
                at: SystemTime::now(),
                address: None,
                version: Version::HTTP_11,
                status: StatusCode::from_u16(status).unwrap(),
                headers,
                body: Bytes::from(text),
            })
        })
    }

    fn leave<'a>(&'a self, _url: &'a Url, _given: bool) -> Leave<'a> {
        Box::pin(async { Ok(None) })
    }
}

/// Reads pages of lines: `link URL`, `need URL`; writes its address, and the texts of what it needed.
struct Reader;

impl Visitor for Reader {
    fn visit(&self, page: &Visited<'_>) -> Visit {
        let text = String::from_utf8_lossy(&page.content).into_owned();
        let at = |word: &str| {
            let here = page.answer.url.clone();
            let word = format!("{word} ");
            text.lines().filter_map(move |line| here.join(line.strip_prefix(&word)?).ok()).collect::<Vec<_>>()
        };
        let mut line = page.answer.url.path().to_owned();
        for need in at("need") {
            let part = page.part(&need).map(|(_, content)| String::from_utf8_lossy(&content).replace('\n', " "));
            line += &format!(" [{}]", part.unwrap_or_else(|why| why));
        }
        Visit {
            links: at("link").into_iter().map(Link::from).collect(),
            output: vec![(0, format!("{line}\n").into_bytes())],
            records: 1,
            ..Visit::default()
        }
    }
}

struct Silent;
impl Observer for Silent {}

fn config(folder: &Path) -> Config {
    let mut config = Config::new(folder.join("state.db"));
    config.outputs = vec![(Some(folder.join("out.txt")), b"begin\n".to_vec())];
    config.delay = Duration::ZERO;
    config.back_off = Duration::from_millis(5);
    config
}

fn crawl(site: &Arc<Site>, config: &Config, seeds: &[&str]) -> Summary {
    let seeds: Vec<Url> = seeds.iter().map(|seed| Url::parse(&format!("http://site.test{seed}")).unwrap()).collect();
    let source: Arc<dyn Source> = Arc::clone(site) as _;
    crawl::run(config, &seeds, source, &Reader, &Stop::default(), &mut Silent).unwrap()
}

fn output(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("out.txt")).unwrap();
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    assert_eq!(text.lines().next(), Some("begin"));
    lines.sort();
    lines
}

#[test]
fn every_page_that_links_lead_to_is_had_once() {
    let site = Site::new(|path, _| {
        let number: u32 = path[1..].parse().unwrap_or(0);
        let links: Vec<String> =
            (1..=3).map(|n| number * 3 + n).filter(|n| *n < 300).map(|n| format!("link /{n}#top")).collect();
        (200, links.join("\n") + "\nlink /\nlink mailto:x@y\nlink http://elsewhere.test/")
    });
    let folder = tempfile::tempdir().unwrap();
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    assert_eq!((summary.end, summary.progress.counts.done, summary.resumed), (End::Complete, 300, false));
    let asked = site.asked();
    assert_eq!(asked.len(), 300);
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), 300);
    assert_eq!(output(folder.path()).len(), 300);
    // Again: nothing is left to do.
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    assert_eq!((summary.end, summary.resumed, summary.progress.counts.done), (End::Complete, true, 300));
    assert_eq!(site.asked().len(), 300);
}

#[test]
fn breadth_comes_first() {
    let site = Site::new(|path, _| {
        let depth = path.matches('/').count();
        let path = path.trim_end_matches('/');
        (200, if depth < 5 { format!("link {path}/a\nlink {path}/b") } else { String::new() })
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    (config.per_host, config.depth) = (1, Some(3));
    crawl(&site, &config, &["/s"]);
    let depths: Vec<usize> = site.asked().iter().map(|path| path.matches('/').count()).collect();
    assert!(depths.is_sorted(), "{depths:?}");
    assert_eq!(depths.len(), 1 + 2 + 4 + 8);
}

#[test]
fn a_redirect_and_its_target_are_one_page() {
    let site = Site::new(|path, _| match path {
        "/" => (200, "link /old\nlink /new\nlink /loop\nlink /out\nlink /chain0".to_owned()),
        "/old" => (301, "/new".to_owned()),
        "/loop" => (302, "/pool".to_owned()),
        "/pool" => (302, "/loop".to_owned()),
        "/out" => (302, "http://elsewhere.test/".to_owned()),
        path if path.starts_with("/chain") => {
            let number: u32 = path["/chain".len()..].parse().unwrap();
            (302, format!("/chain{}", number + 1))
        }
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    assert_eq!(output(folder.path()), ["/", "/new"]);
    let failures: BTreeMap<String, String> = summary.failures.into_iter().collect();
    let of = |path: &str| failures.get(&format!("http://site.test{path}")).cloned().unwrap_or_default();
    assert!(of("/pool").contains("redirects form a loop") || of("/loop").contains("redirects form a loop"));
    assert_eq!(of("/out"), "it redirects to http://elsewhere.test/, which is outside the crawl's scope");
    assert!(of("/chain10").contains("redirects form a loop"), "{failures:?}");
    assert!(!site.asked().contains(&"/chain11".to_owned()));
}

#[test]
fn a_cookie_may_send_a_page_to_itself() {
    let site = Site::new(|path, times| match (path, times) {
        ("/", _) => (200, "link /a\nlink /self\nlink /forever".to_owned()),
        ("/a", 1) => (302, "/gate s=1".to_owned()),
        ("/gate", _) => (302, "/a s=2".to_owned()),
        ("/self", 1) => (302, "/self s=3".to_owned()),
        ("/forever", _) => (302, "/forever s=3".to_owned()),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    assert_eq!(output(folder.path()), ["/", "/a", "/self"]);
    assert_eq!(summary.progress.counts.failed, 1);
    assert_eq!(summary.progress.counts.queued, 0);
}

#[test]
fn what_fails_for_a_while_is_had_and_what_fails_is_told() {
    let site = Site::new(|path, times| match path {
        "/" => (200, "link /flaky\nlink /gone\nlink /broken".to_owned()),
        "/flaky" if times <= 3 => (503, String::new()),
        "/gone" => (404, String::new()),
        "/broken" => (500, String::new()),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    assert_eq!(output(folder.path()), ["/", "/flaky"]);
    let times = |path: &str| site.asked().iter().filter(|asked| *asked == path).count();
    assert_eq!((times("/flaky"), times("/gone"), times("/broken")), (4, 1, 4));
    assert_eq!(summary.progress.counts.failed, 2);
}

#[test]
fn pages_wait_for_their_parts() {
    let site = Site::new(|path, _| match path {
        "/" => (200, "link /both\nneed /part1\nneed /part2\nneed /moved\nneed /gone\nneed /both".to_owned()),
        "/part1" => (200, "one".to_owned()),
        "/part2" => (200, "two".to_owned()),
        "/moved" => (302, "/part1".to_owned()),
        "/both" => (200, "need /part2\nneed /".to_owned()),
        _ => (404, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.parts = true;
    let summary = crawl(&site, &config, &["/"]);
    assert_eq!(summary.end, End::Complete);
    let lines = output(folder.path());
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("/ [one] [two] [one] [cannot fetch `http://site.test/gone`: the server answered 404"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("/both [two] [link /both"), "{lines:?}");
    let asked = site.asked();
    assert_eq!(asked.len(), asked.iter().collect::<BTreeSet<_>>().len(), "nothing is fetched twice: {asked:?}");
}

#[test]
fn a_budget_ends_a_crawl_and_more_of_it_goes_on() {
    let site = Site::new(|path, _| {
        let number: u32 = path[1..].parse().unwrap_or(0);
        (200, format!("link /{}\nlink /{}", number * 2 + 1, number * 2 + 2))
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    for pages in [10, 25, 100] {
        config.budget = Budget { pages: Some(pages), ..Budget::default() };
        let summary = crawl(&site, &config, &["/"]);
        assert_eq!((summary.end, summary.progress.counts.done), (End::Budget, pages));
    }
    assert_eq!(site.asked().len(), 100);
    assert_eq!(output(folder.path()).len(), 100);
}

#[test]
fn a_state_belongs_to_one_crawl() {
    let site = Site::new(|_, _| (200, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.identity = "wrapper#12ab, CSV output".to_owned();
    crawl(&site, &config, &["/"]);
    config.identity = "wrapper#34cd, JSONL output".to_owned();
    let seeds = [Url::parse("http://site.test/").unwrap()];
    let again = || {
        let source: Arc<dyn Source> = Arc::clone(&site) as _;
        crawl::run(&config, &seeds, source, &Reader, &Stop::default(), &mut Silent)
    };
    let error = again().unwrap_err();
    assert!(error.to_string().ends_with("holds a different crawl (another wrapper, CSV output)"), "{error}");
}

#[test]
fn what_the_files_have_too_much_is_cut_off() {
    let site = Site::new(|_, _| (200, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    crawl(&site, &config, &["/"]);
    let path = folder.path().join("out.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}half a li")).unwrap();
    crawl(&site, &config, &["/", "/more"]);
    assert_eq!(output(folder.path()), ["/", "/more"]);
}

#[test]
fn a_file_that_the_crawl_did_not_write_is_left_alone() {
    let site = Site::new(|_, _| (200, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    crawl(&site, &config, &["/"]);
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "something precious, and longer than what the crawl has written").unwrap();
    let mut mistaken = config.clone();
    mistaken.outputs[0].0 = Some(other.clone());
    let seeds = [Url::parse("http://site.test/").unwrap()];
    let again = |config: &Config| {
        let source: Arc<dyn Source> = Arc::clone(&site) as _;
        crawl::run(config, &seeds, source, &Reader, &Stop::default(), &mut Silent)
    };
    let error = again(&mistaken).unwrap_err();
    assert!(error.to_string().ends_with("is not the file that this crawl has written"), "{error}");
    assert!(std::fs::read_to_string(&other).unwrap().starts_with("something precious"));
    // Nor is an archive that is there before the crawl: other commands add to archives.
    mistaken.state = folder.path().join("another.db");
    mistaken.outputs.clear();
    mistaken.record = Some(other.clone());
    let error = again(&mistaken).unwrap_err().to_string();
    assert!(error.contains("is not from a crawl that can be resumed"), "{error}");
    assert!(std::fs::read_to_string(&other).unwrap().starts_with("something precious"));
    // Nor is one file written by two.
    let mut twice = config.clone();
    twice.state = folder.path().join("twice.db");
    twice.outputs = vec![(Some(folder.path().join("new")), Vec::new()); 2];
    assert!(again(&twice).unwrap_err().to_string().contains("named twice"));
    // Anew, everything is replaced.
    std::fs::remove_file(folder.path().join("another.db")).unwrap();
    let mut anew = config.clone();
    anew.restart = true;
    assert!(!again(&anew).unwrap().resumed);
    assert_eq!(output(folder.path()), ["/"]);
}

/// A site of two pages whose second one stops the crawl, as an interrupt would, while it is asked for.
struct Interrupted {
    site: Arc<Site>,
    stop: Arc<Stop>,
}

impl Source for Interrupted {
    fn ask<'a>(&'a self, url: &'a Url, given: bool) -> Asking<'a> {
        if url.path() == "/second" {
            self.stop.stop();
            return Box::pin(std::future::pending());
        }
        self.site.ask(url, given)
    }

    fn leave<'a>(&'a self, url: &'a Url, given: bool) -> Leave<'a> {
        self.site.leave(url, given)
    }
}

#[test]
fn a_file_of_before_stays_until_the_crawl_has_ended() {
    let two = || Site::new(|path, _| (200, if path == "/" { "link /second" } else { "" }.to_owned()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let out = folder.path().join("out.txt");
    let part = folder.path().join("out.txt.part");
    let seeds = [Url::parse("http://site.test/").unwrap()];
    std::fs::write(&out, "yesterday's").unwrap();
    let interrupt = |config: &Config| {
        let stop = Arc::new(Stop::default());
        let source = Arc::new(Interrupted { site: two(), stop: Arc::clone(&stop) });
        crawl::run(config, &seeds, source, &Reader, &stop, &mut Silent).unwrap()
    };
    let summary = interrupt(&config);
    assert_eq!((summary.end, summary.parts), (End::Stopped, vec![part.clone()]));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "yesterday's");
    assert_eq!(std::fs::read_to_string(&part).unwrap(), "begin\n/\n");
    // It goes on where it was, and takes the old file's place.
    let summary = crawl(&two(), &config, &["/"]);
    assert!(summary.resumed && summary.parts.is_empty());
    assert_eq!(output(folder.path()), ["/", "/second"]);
    assert!(!part.exists());
    // Begun anew and interrupted, the last result is still there.
    let mut anew = config.clone();
    anew.restart = true;
    interrupt(&anew);
    assert_eq!(output(folder.path()), ["/", "/second"]);
    assert!(part.exists());
    // A crawl of which every page fails has nothing to put in its place.
    let failing = Site::new(|_, _| (404, String::new()));
    let summary = crawl(&failing, &anew, &["/"]);
    assert_eq!((summary.end, summary.progress.counts.failed), (End::Complete, 1));
    assert_eq!(output(folder.path()), ["/", "/second"]);
}

#[test]
fn a_kill_while_the_file_takes_its_place_loses_nothing() {
    let site = Site::new(|_, _| (200, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    crawl(&site, &config, &["/"]);
    // As if the process had been killed between the renaming and the state's transaction.
    let state = rusqlite::Connection::open(&config.state).unwrap();
    assert_eq!(state.execute("DELETE FROM facts WHERE name LIKE 'placed%'", []).unwrap(), 1);
    drop(state);
    crawl(&site, &config, &["/", "/more"]);
    assert_eq!(output(folder.path()), ["/", "/more"]);
    // A file that is gone is not begun anew in silence.
    std::fs::remove_file(folder.path().join("out.txt")).unwrap();
    let seeds = [Url::parse("http://site.test/").unwrap()];
    let source: Arc<dyn Source> = Arc::clone(&site) as _;
    let error = crawl::run(&config, &seeds, source, &Reader, &Stop::default(), &mut Silent).unwrap_err();
    assert!(error.to_string().contains("is gone"), "{error}");
}

#[test]
fn other_conditions_try_again_what_failed() {
    let site = Site::new(|path, times| match (path, times) {
        ("/", _) => (200, "link /refused".to_owned()),
        (_, 1) => (403, String::new()),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    let counts = |config: &Config| {
        let counts = crawl(&site, config, &["/"]).progress.counts;
        (counts.done, counts.failed)
    };
    assert_eq!(counts(&config), (1, 1));
    assert_eq!(counts(&config), (1, 1), "what failed for good is left alone");
    config.conditions = "another user agent".to_owned();
    assert_eq!(counts(&config), (2, 0));
    assert_eq!(site.asked(), ["/", "/refused", "/refused"]);
}

#[test]
fn reasons_for_failures_are_counted() {
    let site = Site::new(|path, _| match path {
        "/" => (200, "link /a\nlink /b\nlink /c".to_owned()),
        "/c" => (410, String::new()),
        _ => (404, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let summary = crawl(&site, &config(folder.path()), &["/"]);
    let told: Vec<(u64, &str)> = summary.reasons.iter().map(|reason| (reason.count, reason.summary.as_str())).collect();
    assert_eq!(
        told,
        [
            (2, "cannot fetch a page: the server answered 404 Not Found"),
            (1, "cannot fetch a page: the server answered 410 Gone")
        ]
    );
}

/// Keeps pages outside the state: counts them, and fails when it is told to.
#[derive(Default)]
struct Outside {
    marks: Vec<u64>,
    fails: bool,
}

impl Observer for Outside {
    fn secure(&mut self, checkpoint: &crawl::Checkpoint) -> Result<(), String> {
        if self.fails {
            return Err("the disk is full".to_owned());
        }
        self.marks.push(checkpoint.generation);
        Ok(())
    }
}

#[test]
fn the_state_is_never_ahead_of_what_is_kept_outside() {
    let site = Site::new(|path, _| (200, if path == "/" { "link /second" } else { "" }.to_owned()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let seeds = [Url::parse("http://site.test/").unwrap()];
    let run = |outside: &mut Outside| {
        let source: Arc<dyn Source> = Arc::clone(&site) as _;
        crawl::run(&config, &seeds, source, &Reader, &Stop::default(), outside)
    };
    assert_eq!(crawl::checkpoint(&config.state).unwrap(), None);
    // What cannot be kept is not done.
    let error = run(&mut Outside { fails: true, ..Outside::default() }).unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(crawl::status(&config.state).unwrap().done, 0);
    let before = crawl::checkpoint(&config.state).unwrap().unwrap();
    assert_eq!(before.generation, 0);
    let mut outside = Outside::default();
    run(&mut outside).unwrap();
    let after = crawl::checkpoint(&config.state).unwrap().unwrap();
    assert_eq!((&after.crawl, Some(&after.generation)), (&before.crawl, outside.marks.last()));
    assert!(after.generation > 0 && outside.marks.is_sorted());
    // Nothing to do, nothing to mark.
    let mut idle = Outside::default();
    run(&mut idle).unwrap();
    assert!(idle.marks.is_empty());
}

#[test]
fn a_kill_before_the_first_page_is_no_riddle() {
    let site = Site::new(|_, _| (200, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    crawl(&site, &config, &["/"]);
    // As if the state had been left behind when the file was opened, and the file with bytes that no state knows of.
    let state = rusqlite::Connection::open(&config.state).unwrap();
    state.execute("UPDATE files SET length = 0, tail = x''", []).unwrap();
    state.execute("UPDATE urls SET state = 0", []).unwrap();
    drop(state);
    crawl(&site, &config, &["/"]);
    assert_eq!(output(folder.path()), ["/"]);
}

#[test]
fn another_spelling_of_a_page_is_that_page() {
    fn canonical(url: &Url) -> Url {
        let mut url = url.clone();
        url.set_fragment(None);
        url.set_query(None);
        url
    }
    let site = Site::new(|path, _| match path {
        "/" => (200, "link /a?from=here\nlink /loop?1".to_owned()),
        "/a?from=here" => (301, "/a".to_owned()),
        "/loop?1" => (301, "/loop?2".to_owned()),
        "/loop?2" => (301, "/loop?1".to_owned()),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.canonical = canonical;
    let summary = crawl(&site, &config, &["/"]);
    assert_eq!(output(folder.path()), ["/", "/a"]);
    assert_eq!((summary.end, summary.progress.counts.failed), (End::Complete, 1));
}

#[test]
fn a_part_that_led_elsewhere_can_be_a_page_as_well() {
    let site = Site::new(|path, _| match path {
        "/" => (200, "need /go\nlink /second".to_owned()),
        "/second" => (200, "link /go".to_owned()),
        "/go" => (302, "/real".to_owned()),
        "/real" => (200, "need /part".to_owned()),
        _ => (200, "text".to_owned()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.parts = true;
    crawl(&site, &config, &["/"]);
    assert_eq!(output(folder.path()), ["/ [need /part]", "/real [text]", "/second"]);
    let asked = site.asked();
    assert_eq!(asked.len(), asked.iter().collect::<BTreeSet<_>>().len(), "{asked:?}");
}

#[test]
fn a_part_may_lead_out_of_the_scope() {
    let site = Site::new(|path, _| match path {
        "/" => (200, "need /out\nlink /out".to_owned()),
        "/out" => (302, "http://elsewhere.test/there".to_owned()),
        _ => (200, "far away".to_owned()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.parts = true;
    crawl(&site, &config, &["/"]);
    assert_eq!(output(folder.path()), ["/ [far away]"]);
}

#[test]
fn a_budget_of_pages_counts_no_parts() {
    let site = Site::new(|path, _| match path.strip_prefix("/page") {
        Some(number) => {
            let number: u32 = number.parse().unwrap();
            (200, format!("need /part{number}a\nneed /part{number}b\nlink /page{}", number + 1))
        }
        None => (200, path.to_owned()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.parts = true;
    for pages in [1, 3] {
        config.budget = Budget { pages: Some(pages), ..Budget::default() };
        let summary = crawl(&site, &config, &["/page1"]);
        assert_eq!((summary.end, summary.progress.counts.done), (End::Budget, pages));
        assert_eq!(output(folder.path()).len() as u64, pages);
        assert_eq!(summary.progress.counts.parts, 2 * pages);
    }
}

#[test]
fn what_failed_for_a_while_is_tried_by_the_next_run() {
    let up = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_up = Arc::clone(&up);
    let site = Site::new(move |path, _| match path {
        "/" => (200, "link /flaky\nlink /gone".to_owned()),
        "/flaky" if !is_up.load(std::sync::atomic::Ordering::SeqCst) => (503, String::new()),
        "/gone" => (404, String::new()),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.retries = 0;
    assert_eq!(crawl(&site, &config, &["/"]).progress.counts.failed, 2);
    up.store(true, std::sync::atomic::Ordering::SeqCst);
    let summary = crawl(&site, &config, &["/"]);
    assert_eq!((summary.progress.counts.done, summary.progress.counts.failed), (2, 1));
    assert_eq!(site.asked().iter().filter(|path| *path == "/gone").count(), 1, "what is gone is gone");
}

#[test]
fn prefixes_are_of_one_origin() {
    let site = Site::new(|path, _| match path {
        "/docs/" => (
            200,
            "link /docs/a\nlink /other\nlink http://site.test.evil.test/docs/b\nlink http://x@site.test:99/docs/c"
                .to_owned(),
        ),
        _ => (200, String::new()),
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.scope = crawl::Scope::Prefixes(vec![Url::parse("HTTP://SITE.test/docs/").unwrap()]);
    crawl(&site, &config, &["/docs/"]);
    assert_eq!(output(folder.path()), ["/docs/", "/docs/a"]);
}

#[test]
fn one_job_at_a_time_makes_every_run_the_same() {
    let run = || {
        let site = Site::new(|path, _| {
            let number: u32 = path[1..].parse().unwrap_or(0);
            (200, format!("need /p{number}\nlink /{}\nlink /{}", number * 2 + 1, number * 2 + 2))
        });
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path());
        (config.parts, config.window) = (true, 1);
        config.budget = Budget { pages: Some(20), ..Budget::default() };
        crawl(&site, &config, &["/0"]);
        std::fs::read_to_string(folder.path().join("out.txt")).unwrap()
    };
    let first = run();
    assert!((0..3).all(|_| run() == first));
}

#[test]
fn depth_can_come_first() {
    let site = Site::new(|path, _| {
        let depth = path.matches('/').count();
        (200, if depth < 4 { format!("link {path}/a\nlink {path}/b") } else { String::new() })
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    (config.order, config.window) = (crawl::Order::DepthFirst, 1);
    crawl(&site, &config, &["/s"]);
    assert_eq!(site.asked()[..5], ["/s", "/s/b", "/s/b/b", "/s/b/b/b", "/s/b/b/a"]);
}

/// Follows `rank address` lines; on `search.test`, results open sites.
struct Hunter;

impl Visitor for Hunter {
    fn visit(&self, page: &Visited<'_>) -> Visit {
        let text = String::from_utf8_lossy(&page.content).into_owned();
        let link = |line: &str| {
            let (rank, address) = line.split_once(' ')?;
            let link = Link::from(page.answer.url.join(address).ok()?);
            Some(match rank {
                "site" => link.on(Way::Site).noted("a query"),
                "next" => link.on(Way::Beside),
                rank => link.ranked(rank.parse().ok()?),
            })
        };
        let line = format!("{}{}\n", page.answer.url.host_str().unwrap(), page.answer.url.path());
        let tallies = vec![("pages".to_owned(), 1)];
        Visit {
            links: text.lines().filter_map(link).collect(),
            output: vec![(0, line.into_bytes())],
            tallies,
            ..Visit::default()
        }
    }
}

/// A web by hosts and paths.
struct Hosts(BTreeMap<&'static str, (u16, &'static str)>);

impl Source for Hosts {
    fn ask<'a>(&'a self, url: &'a Url, _given: bool) -> Asking<'a> {
        let name = format!("{}{}", url.host_str().unwrap(), url.path());
        let (status, text) = self.0.get(name.as_str()).copied().unwrap_or((404, ""));
        let mut headers = HeaderMap::new();
        if status == 302 {
            headers.insert("location", HeaderValue::from_static(text));
        }
        let answer = Answer {
            url: url.clone(),
            at: SystemTime::now(),
            address: None,
            version: Version::HTTP_11,
            status: StatusCode::from_u16(status).unwrap(),
            headers,
            body: Bytes::from_static(text.as_bytes()),
        };
        Box::pin(async move { Ok(answer) })
    }

    fn leave<'a>(&'a self, _url: &'a Url, _given: bool) -> Leave<'a> {
        Box::pin(async { Ok(None) })
    }
}

fn web() -> Arc<Hosts> {
    Arc::new(Hosts(BTreeMap::from([
        ("search.test/1", (200, "site http://a.test/\nsite http://old.test/\nnext http://search.test/2")),
        ("search.test/2", (200, "site http://www.c.test/x\nsite http://d.test/\n0 http://e.test/")),
        ("a.test/", (200, "4 /terms\n4 /about\n0 /p1\n0 /p2\n1 /list\n0 http://far.test/")),
        ("a.test/list", (200, "0 /p3\n0 /p4")),
        ("old.test/", (302, "http://b.test/")),
        ("b.test/", (200, "0 /p1\n0 http://old.test/x")),
        ("b.test/p1", (200, "0 /p2")),
        ("b.test/p2", (200, "0 /p3")),
        ("c.test/x", (200, "")),
        ("www.c.test/x", (200, "0 http://c.test/y")),
    ])))
}

fn hunt(folder: &Path, change: impl Fn(&mut Config)) -> (Summary, Vec<String>) {
    let mut config = config(folder);
    (config.window, config.share, config.retries) = (1, 1, 0);
    config.sites = Some(crawl::Sites { most: 4, pages: 3 });
    config.depth = Some(3);
    change(&mut config);
    let seeds = [Url::parse("http://search.test/1").unwrap()];
    let summary = crawl::run(&config, &seeds, web(), &Hunter, &Stop::default(), &mut Silent).unwrap();
    let text = std::fs::read_to_string(folder.join("out.txt")).unwrap();
    (summary, text.lines().skip(1).map(str::to_owned).collect())
}

fn of_host<'a>(lines: &'a [String], host: &str) -> Vec<&'a str> {
    lines.iter().filter_map(|line| line.strip_prefix(host)).collect()
}

#[test]
fn results_open_sites_and_each_has_its_share() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, lines) = hunt(folder.path(), |_| ());
    assert_eq!(summary.end, End::Complete);
    // The best links first, and no more pages than the share; those that fail count.
    assert_eq!(of_host(&lines, "a.test"), ["/"]);
    // Where a site's first page leads is where the site is; links there go no deeper than said.
    assert_eq!(of_host(&lines, "b.test"), ["/", "/p1", "/p2"]);
    // The fourth site is that of the redirect, so there is no room for another.
    assert_eq!(of_host(&lines, "www.c.test"), ["/x"]);
    assert!(of_host(&lines, "d.test").is_empty() && of_host(&lines, "e.test").is_empty(), "{lines:?}");
    assert!(of_host(&lines, "far.test").is_empty());
    assert_eq!(of_host(&lines, "search.test"), ["/1", "/2"]);
    assert!(summary.progress.counts.left > 0);
    assert_eq!(summary.tallies["pages"], lines.len() as u64);
    let sites = crawl::sites(&folder.path().join("state.db")).unwrap();
    let named: Vec<(&str, Option<&str>)> =
        sites.iter().map(|site| (site.name.as_str(), site.note.as_deref())).collect();
    let note = Some("a query");
    assert_eq!(named, [("a.test", note), ("b.test", None), ("c.test", note), ("old.test", note)]);
    // A larger share goes on with what was left out, and counts on.
    let (summary, more) = hunt(folder.path(), |config| config.sites = Some(crawl::Sites { most: 5, pages: 9 }));
    assert_eq!(of_host(&more, "a.test"), ["/", "/list"]);
    assert_eq!(of_host(&more, "c.test"), Vec::<&str>::new());
    assert_eq!(summary.tallies["pages"], more.len() as u64);
    assert_eq!(more[..lines.len()], lines[..]);
}
