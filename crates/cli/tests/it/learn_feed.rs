//! `windrow learn --feed`: feeds given and found, pages given and followed, what is told, and what is refused.
//!
//! Which rules are chosen is the learner's to decide; here the entries that they give count, and the words around them.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use windrow_testkit::server::{Fault, Reply, Server};

use crate::{Folder, Run, check_error, command, root, windrow, windrow_on};

const FEED: &str = "testdata/blog/feed.xml";
const HOME: &str = "testdata/blog/home.html";
const SECOND: &str = "testdata/blog/page/2.html";
const BALER: &str = "testdata/blog/2026/06/the-baler-is-back.html";
const ROOF: &str = "testdata/blog/2026/05/a-roof-for-the-old-barn.html";

const SITE: &str = "https://hollow-meadow.example";

/// The weblog on a server, its addresses those of the server, and what was asked for. Pages that only the feed knows are
/// not there.
fn serve() -> (Server, Arc<Mutex<Vec<String>>>) {
    let asked_for = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked_for);
    let server = Server::start(move |asked| {
        log.lock().unwrap().push(asked.path.clone());
        let own = format!("http://{}", asked.header("host").unwrap_or_default());
        let file = match asked.path.as_str() {
            "/" => "home.html".to_owned(),
            "/feed.xml" => "feed.xml".to_owned(),
            path => format!("{}.html", path.trim_matches('/')),
        };
        match std::fs::read_to_string(root().join("testdata/blog").join(&file)) {
            Ok(text) if file.ends_with(".xml") => Reply::new(200, text.replace(SITE, &own).into_bytes())
                .with_header("Content-Type", "application/rss+xml"),
            Ok(text) => Reply::html(text.replace(SITE, &own)),
            Err(_) => Reply::status(404),
        }
    });
    (server, asked_for)
}

/// What was asked for but robots.txt, in order.
fn paths(log: &Mutex<Vec<String>>) -> Vec<String> {
    let log = log.lock().unwrap();
    log.iter().filter(|path| *path != "/robots.txt").cloned().collect()
}

/// Runs the learner, which must succeed: what it says.
#[track_caller]
fn told(arguments: &[&str]) -> String {
    let run = windrow(&[&["learn"], arguments].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    run.stderr
}

/// The entries that rules find on each page.
#[track_caller]
fn entries(rules: &str, pages: &[&str]) -> Vec<Value> {
    let run = windrow(&[&["extract", "-w", rules, "--format", "jsonl", "-q"], pages].concat());
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is an object"));
    lines.map(|line| line["data"]["entries"].clone()).collect()
}

fn titles(entries: &Value) -> Vec<&str> {
    entries.as_array().into_iter().flatten().map(|entry| entry["title"].as_str().unwrap_or_default()).collect()
}

#[test]
fn saved_pages_are_learned_from() {
    let folder = Folder::new("feed-saved");
    let rules = folder.path("blog.toml");
    let said = told(&["--feed", FEED, HOME, "-o", &rules]);
    expect![[r#"
        wrote DIR/blog.toml: 7 entries on 2 index pages, 3 on 3 entry pages
          title       10 of 10  "The baler is back"
          link         7 of 10  "/2026/06/the-baler-is-back/"
          date        10 of 10  "14 June 2026"
          body        10 of 10  "The baler came home on Thursday, on a trailer that was never…"
          author      10 of 10  "Marit"
          categories  10 of 10  "Machines"
    "#]]
    .assert_eq(&folder.hide(&said));
    let found = entries(&rules, &[HOME, SECOND, BALER, ROOF]);
    assert_eq!(
        titles(&found[0]),
        ["The baler is back", "Three dry days", "A roof for the old barn", "What the tractor said"]
    );
    assert_eq!(titles(&found[1]), ["Fences before cows", "Mud", "Sharpening scythes"], "two were never in the feed");
    assert_eq!(titles(&found[2]), ["The baler is back"]);
    assert_eq!(titles(&found[3]), ["A roof for the old barn"]);
    let mud = &found[1][1];
    assert_eq!(mud["link"], format!("{SITE}/2026/03/mud/"));
    assert!(mud["date"].as_str().unwrap().starts_with("2026-03-09"), "{mud}");
    assert!(mud["body"].as_str().unwrap().contains("a brook with opinions"), "{mud}");
    assert!(!mud["body"].as_str().unwrap().contains("Send"), "the share bar is no body: {mud}");
    assert_eq!(mud["author"], "Jo");
    assert_eq!(found[1][0]["categories"], json!(["Fences", "Cows"]));
    let text = folder.read("blog.toml");
    for line in ["name = \"Hollow Meadow\"", "by = \"feed\"", "url = \"https://hollow-meadow.example/\""] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(text.contains(FEED) && text.contains(HOME), "{text}");
}

#[test]
fn a_feed_is_found_by_its_page() {
    // A saved copy beside the page, however the page is given.
    for arguments in [&["--feed", HOME][..], &[HOME, "--feed"], &["--feed", HOME, SECOND], &["--feed", "--", HOME]] {
        let folder = Folder::new(&format!("feed-found-{}-{}", arguments.len(), arguments[0].len()));
        let rules = folder.path("blog.toml");
        let said = told(&[&["-o", &rules], arguments].concat());
        assert!(
            said.starts_with("note: the feed is https://hollow-meadow.example/feed.xml (rss 2.0, 5 items)\n"),
            "{said}"
        );
        assert_eq!(titles(&entries(&rules, &[HOME])[0]).len(), 4);
    }
}

#[test]
fn a_feed_tells_its_page() {
    let folder = Folder::new("feed-home");
    let copy = |from: &str, to: &str| std::fs::copy(root().join(from), folder.path(to)).unwrap();
    copy(FEED, "feed.xml");
    copy(HOME, "index.html");
    let rules = folder.path("blog.toml");
    let said = told(&["--feed", &folder.path("feed.xml"), "-o", &rules]);
    assert!(said.starts_with("note: the home page is https://hollow-meadow.example/, as the feed says\n"), "{said}");
    assert_eq!(titles(&entries(&rules, &[HOME])[0]).len(), 4);
}

#[test]
fn a_live_weblog_is_followed() {
    let (server, log) = serve();
    let folder = Folder::new("feed-live");
    let rules = folder.path("blog.toml");
    let (feed, home) = (server.url("/feed.xml"), server.url("/"));
    told(&["--feed", &feed, &home, "-o", &rules, "--allow-private"]);
    assert_eq!(
        paths(&log),
        [
            "/feed.xml",
            "/",
            "/2026/06/the-baler-is-back/",
            "/2026/06/three-dry-days/",
            "/2026/05/a-roof-for-the-old-barn/",
            "/2026/05/what-the-tractor-said/",
            "/2026/04/fences-before-cows/",
            "/page/2/",
        ]
    );
    let text = folder.read("blog.toml");
    assert!(text.contains(&server.url("/page/2/")), "{text}");
    assert!(!text.contains("fences-before-cows"), "what is not there is not learned from: {text}");
    let found = entries(&rules, &[&server.url("/page/2/")]);
    assert_eq!(found[0][2]["link"], server.url("/2026/02/sharpening-scythes/"));
    // Found by the page, after its comments are passed over.
    log.lock().unwrap().clear();
    let said = told(&["--feed", &home, "-o", &rules, "--allow-private", "--no-follow"]);
    assert!(said.starts_with(&format!("note: the feed is {feed} (rss 2.0, 5 items)\n")), "{said}");
    assert_eq!(paths(&log), ["/", "/feed.xml"]);
}

#[test]
fn an_archive_answers() {
    let (server, _) = serve();
    let folder = Folder::new("feed-archive");
    let (archive, rules) = (folder.path("blog.warc.gz"), folder.path("blog.toml"));
    let (feed, home) = (server.url("/feed.xml"), server.url("/"));
    let live = told(&["--feed", &feed, &home, "-o", &rules, "--allow-private", "--record", &archive]);
    drop(server);
    let replayed = told(&["--feed", &feed, &home, "-o", &rules, "--replay", &archive]);
    assert_eq!(live, replayed);
    // Without the pages of entries, and without any that was not recorded, that is told.
    let alone = told(&["--feed", &feed, &home, "-o", &rules, "--replay", &archive, "--no-follow"]);
    assert!(alone.contains("no page of an entry was seen"), "{alone}");
}

#[test]
fn a_site_that_refuses_is_left_alone() {
    let items: String =
        (0..60).map(|n| format!("<item><title>Letter {n}</title><link>/letter/{n}</link></item>")).collect();
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let server = Server::start(move |asked| {
        seen.lock().unwrap().push(asked.path.clone());
        match asked.path.as_str() {
            "/feed.xml" => Reply::new(200, format!("<rss><channel>{items}</channel></rss>").into_bytes()),
            "/" => {
                let letter =
                    |n| format!("<div class=letter><h2><a href=/letter/{n}>Letter {n}</a></h2><p>Hay {n}</p></div>");
                Reply::html((0..60).map(letter).collect::<String>())
            }
            // Every other page is there, but all are files of sound.
            path if path.ends_with(['0', '2', '4', '6', '8']) => {
                Reply::new(200, *b"la la la").with_header("Content-Type", "audio/mpeg")
            }
            _ => Reply::status(404),
        }
    });
    let folder = Folder::new("feed-refused");
    let rules = folder.path("blog.toml");
    let said = told(&["--feed", &server.url("/feed.xml"), &server.url("/"), "-o", &rules, "--delay", "0"]);
    assert_eq!(paths(&log).len(), 22, "the feed, the page, and twenty attempts");
    assert!(said.contains("no page of an entry could be read: "), "{said}");
}

#[test]
fn only_pages_of_the_site_are_followed() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let server = Server::start(move |asked| {
        seen.lock().unwrap().push(asked.path.clone());
        let letter =
            |n: usize| format!("<div class=letter><h2><a href=/letter/{n}>Letter {n}</a></h2><p>Hay {n}</p></div>");
        match asked.path.as_str() {
            "/feed.xml" => {
                // One elsewhere, one that leads elsewhere, two that lead home, one that is home, two that are there.
                let links =
                    ["http://elsewhere.invalid/1", "/away", "/gone/1", "/gone/2", "/#top", "/letter/5", "/letter/6"];
                let items = links.iter().enumerate();
                let items = items.map(|(n, link)| format!("<item><title>Letter {n}</title><link>{link}</link></item>"));
                Reply::new(200, format!("<rss><channel>{}</channel></rss>", items.collect::<String>()).into_bytes())
            }
            "/" => Reply::html((0..8).map(letter).collect::<String>()),
            "/away" => Reply::redirect("http://127.0.0.1:9/"),
            path if path.starts_with("/gone") => Reply::redirect("/"),
            path if path.starts_with("/letter") => Reply::html(format!("<h1>Letter {}</h1>", &path[8..])),
            _ => Reply::status(404),
        }
    });
    let folder = Folder::new("feed-elsewhere");
    let rules = folder.path("blog.toml");
    told(&["--feed", &server.url("/feed.xml"), &server.url("/"), "-o", &rules, "--allow-private"]);
    let asked = paths(&log);
    assert_eq!(asked[..2], ["/feed.xml", "/"]);
    for path in ["/away", "/gone/1", "/gone/2", "/letter/5", "/letter/6"] {
        assert!(asked.iter().any(|it| it == path), "{path} is not in {asked:?}");
    }
    let text = folder.read("blog.toml");
    let from = ["/letter/5", "/letter/6"].map(|path| format!("\"{}\"", server.url(path))).join(", ");
    let from = format!("from = [\"{}\", \"{}\", {from}]", server.url("/feed.xml"), server.url("/"));
    assert!(text.contains(&from), "{from} is not in\n{text}");
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_what_was_there() {
    let (entered, arrived) = std::sync::mpsc::channel();
    let entered = Mutex::new(entered);
    let blog = |file: &str| std::fs::read_to_string(root().join("testdata/blog").join(file)).unwrap();
    let (home, feed) = (blog("home.html"), blog("feed.xml"));
    let server = Server::start(move |asked| {
        let own = format!("http://{}", asked.header("host").unwrap_or_default());
        match asked.path.as_str() {
            "/" => Reply::html(home.replace(SITE, &own)),
            "/feed.xml" => Reply::new(200, feed.replace(SITE, &own).into_bytes()),
            "/robots.txt" => Reply::status(404),
            _ => {
                let _ = entered.lock().unwrap().send(());
                Reply::status(200).with_fault(Fault::Silence)
            }
        }
    });
    let folder = Folder::new("feed-interrupt").with("blog.toml", "# as it was\n");
    let (feed, home, rules) = (server.url("/feed.xml"), server.url("/"), folder.path("blog.toml"));
    let mut command = command(&["learn", "--feed", &feed, &home, "-o", &rules, "--allow-private"]);
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    arrived.recv_timeout(Duration::from_secs(60)).expect("a page of an entry is asked for");
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.names(), ["blog.toml"]);
    assert_eq!(folder.read("blog.toml"), "# as it was\n");
}

#[test]
fn the_match_table() {
    let folder = Folder::new("feed-explain");
    let rules = folder.path("blog.toml");
    let run = windrow(&["learn", "--feed", FEED, HOME, "-o", &rules, "--explain"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let home: String = run.stdout.split_inclusive('\n').take_while(|line| *line != "\n").collect();
    expect![[r#"
        testdata/blog/home.html: an index page, 4 of 5 items
        ┌───┬─────────────────────────┬───────┬──────┬──────┬──────┬────────┬────────────┐
        │   ┆ item                    ┆ title ┆ link ┆ date ┆ body ┆ author ┆ categories │
        ╞═══╪═════════════════════════╪═══════╪══════╪══════╪══════╪════════╪════════════╡
        │ 1 ┆ The baler is back       ┆ same  ┆ same ┆ day  ┆ same ┆ same   ┆ same       │
        │ 2 ┆ Three dry days          ┆ same  ┆ same ┆ day  ┆ same ┆ same   ┆ same       │
        │ 3 ┆ A roof for the old barn ┆ same  ┆ same ┆ day  ┆ same ┆ same   ┆ same       │
        │ 4 ┆ What the tractor said   ┆ same  ┆ same ┆ day  ┆ same ┆ same   ┆ same       │
        └───┴─────────────────────────┴───────┴──────┴──────┴──────┴────────┴────────────┘
    "#]]
    .assert_eq(&home);
    for line in [
        "https://hollow-meadow.example/2026/06/the-baler-is-back/: the page of an entry, 1 of 5 items",
        "│ pages ┆ field      ┆ tried on ┆ XPath ┆ landmark ┆ kept  │",
    ] {
        assert!(run.stdout.lines().any(|it| it == line), "{line} is not in\n{}", run.stdout);
    }
    assert!(run.stdout.contains("https://hollow-meadow.example/page/2/: an index page"), "{}", run.stdout);
    // Where the rules are printed, the table is not.
    let printed = windrow(&["learn", "--feed", FEED, HOME, "--explain", "-q"]);
    assert!(printed.stdout.starts_with("name = \"Hollow Meadow\""), "{}", printed.stdout);
    assert_eq!(printed.stderr, run.stdout);
}

#[test]
fn forms_of_rules() {
    let folder = Folder::new("feed-forms");
    let learn = |name: &str, more: &[&str]| {
        let rules = folder.path(name);
        told(&[&["--feed", FEED, HOME, "-q", "-o", &rules], more].concat());
        (entries(&rules, &[HOME]), folder.read(name))
    };
    let (xpath, text) = learn("xpath.toml", &["--form", "xpath"]);
    assert!(!text.contains("landmark"), "{text}");
    let (landmark, text) = learn("landmark.toml", &["--form", "landmark"]);
    assert!(text.contains("landmark"), "{text}");
    let (xml, text) = learn("rules.xml", &[]);
    assert!(text.contains("StalkerRules"), "{text}");
    let all = ["The baler is back", "Three dry days", "A roof for the old barn", "What the tractor said"];
    for found in [&xpath, &landmark, &xml] {
        assert_eq!(titles(&found[0]), all);
    }
    // The seed changes which entries are held back, never whether the same run repeats.
    let (_, one) = learn("one.toml", &["--seed", "1"]);
    let (_, again) = learn("again.toml", &["--seed", "1"]);
    assert_eq!(one, again);
}

#[test]
fn a_feed_and_a_page_that_do_not_belong_together() {
    check_error(
        &["learn", "--feed", FEED, "testdata/pages/ads/page-1.html", "--no-follow"],
        &expect![[r#"
            learn::not_together

              × none of the feed's 5 items is on `testdata/pages/ads/page-1.html`
              help: looked for `The baler is back`, `Three dry days`, `A roof for the old barn`: is this the page's feed, and the page the one that shows the newest entries?
        "#]],
    );
}

#[test]
fn feeds_that_are_none() {
    check_error(
        &["learn", "--feed", "testdata/wrappers/weblog/rules.xml", HOME],
        &expect![[r#"
            feed::xml

              × cannot read `testdata/wrappers/weblog/rules.xml`: this is XML, but not a feed: it begins with `<StalkerRules>`
              help: feeds begin with `<rss>`, `<rdf:RDF>`, `<feed>` or `<channel>`
        "#]],
    );
    check_error(
        &["learn", "--feed", "nowhere.xml", HOME],
        &expect![[r#"
        page::unreadable

          × cannot read `nowhere.xml`: No such file or directory (os error 2)
    "#]],
    );
    check_error(
        &["learn", "--feed", "testdata/pages", HOME],
        &expect![[r#"
        learn::several_feeds

          × `testdata/pages` may be several files, and a feed is one
          help: give the feed's own file or address
    "#]],
    );
    check_error(
        &["learn", "--feed", "-", "-"],
        &expect![[r#"
        page::standard_input_twice

          × standard input (`-`) can be read only once
    "#]],
    );
    let empty = windrow_on(b"<rss><channel><title>x</title></channel></rss>", &["learn", "--feed", "-", HOME]);
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(2), ""));
    expect![[r#"
        learn::no_items

          × the feed has no items
          help: `windrow feed` shows what a feed says
    "#]]
    .assert_eq(&empty.stderr);
}

#[test]
fn pages_without_a_feed() {
    // None is named, and the address is not known.
    check_error(
        &["learn", "testdata/pages/ads/page-1.html", "--feed"],
        &expect![[r#"
            learn::no_feed

              × no feed of `testdata/pages/ads/page-1.html` can be found
              help: it names none: give it with --feed FEED
        "#]],
    );
    // One is named that is not beside the page.
    check_error(
        &["learn", "--feed", "testdata/pages/blog/page-1.html"],
        &expect![[r#"
            learn::no_feed

              × no feed of `testdata/pages/blog/page-1.html` can be found
              help: it names /feed.xml, of which no copy is saved: give it with --feed FEED
        "#]],
    );
    check_error(
        &["learn", "--feed"],
        &expect![[r#"
        learn::no_page

          × there is no page to learn from
          help: give the weblog's home page
    "#]],
    );
    // A feed that is not told where its page is.
    let run = windrow_on(b"<rss><channel><item><title>x</title></item></channel></rss>", &["learn", "--feed", "-"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("learn::no_page"), "{}", run.stderr);
    let server = Server::start(|asked| match asked.path.as_str() {
        "/" => Reply::html("<title>x</title><link rel=alternate type=application/rss+xml href=/feed>"),
        _ => Reply::status(404),
    });
    let run = windrow(&["learn", "--feed", &server.url("/"), "--allow-private"]);
    assert_eq!(run.code, Some(2));
    let hidden = run.stderr.replace(&server.url("/"), "http://here/");
    expect![[r#"
        learn::no_feed

          × no feed of `http://here/` can be found
          help: it names http://here/feed, which is none or cannot be had: give it with --feed FEED
    "#]]
    .assert_eq(&hidden);
}

#[test]
fn one_kind_of_evidence() {
    for arguments in
        [&["--example", "title=x"][..], &["--not", "title=x"], &["--list"], &["--page"], &["--node", "//li"]]
    {
        let Run { code, stderr, .. } = windrow(&[&["learn", "--feed", FEED, HOME], arguments].concat());
        assert_eq!(code, Some(2));
        assert!(stderr.contains("cannot be used with"), "{stderr}");
    }
    for arguments in [&["--no-follow"][..], &["--form", "xpath"], &["--seed", "3"], &["--explain"]] {
        let Run { code, stderr, .. } = windrow(&[&["learn", HOME, "--example", "title=x"], arguments].concat());
        assert_eq!(code, Some(2));
        assert!(stderr.contains("--feed"), "{stderr}");
    }
}
