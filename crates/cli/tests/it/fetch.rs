//! Pages from servers and archives, on real sockets of loopback and with an archive of our own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::expect;
use windrow_testkit::server::{Reply, Server};

use crate::{Folder, check, check_error, windrow};

const BARN: &str = "testdata/archives/barn.warc.gz";

#[test]
fn an_address_is_a_page() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/moved" => Reply::redirect("/page"),
        "/page" => Reply::new(200, "<title>Gr\u{f6}\u{df}e</title>".chars().map(|c| c as u8).collect::<Vec<u8>>())
            .with_header("Content-Type", "text/html; charset=iso-8859-1"),
        _ => Reply::status(404),
    });
    let run = windrow(&["select", &server.url("/page"), "//title", "--format", "text"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "Größe\n", ""), "the header's charset");
    // The redirect comes out of an answer, but the user named this server.
    let run = windrow(&["select", &server.url("/moved"), "//title", "--format", "text"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "Größe\n"), "{}", run.stderr);
    let run = windrow(&["select", &server.url("/gone"), "//title"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the server answered 404"), "{}", run.stderr);
}

#[test]
fn links_of_a_fetched_page_are_absolute_and_get_fetches() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/list/" => Reply::html("<ul><li><a href=a.html>A</a></ul>"),
        "/list/a.html" => Reply::html("<p class=text>All about A</p>"),
        _ => Reply::status(404),
    });
    let rules = "[list.r]\nrecords = \"li\"\n[list.r.field]\nlink = { xpath = \"a/@href\", type = \"url\" }\n[list.r.group.page]\nat = { get = { xpath = \"a/@href\" } }\nfield = { text = \".text\" }\n";
    let folder = Folder::new("fetch-get").with("r.toml", rules);
    let wrapper = folder.path("r.toml");
    let page = server.url("/list/");
    // What a page leads to may be private if it is of the origin that the user named.
    let run = windrow(&["extract", "-w", &wrapper, &page, "--format", "jsonl", "--delay", "0"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let link = server.url("/list/a.html");
    assert_eq!(
        run.stdout,
        format!(
            "{{\"page\":\"{page}\",\"data\":{{\"r\":[{{\"link\":\"{link}\",\"page\":{{\"text\":\"All about A\"}}}}]}}}}\n"
        )
    );
    // Any other private address is refused, unless the user says so.
    let elsewhere = Server::start(move |_| Reply::html(format!("<ul><li><a href={link}>A</a></ul>")));
    let other = elsewhere.url("/");
    let before = server.requests();
    let run = windrow(&["extract", "-w", &wrapper, &other, "--format", "jsonl"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("private address 127.0.0.1"), "{}", run.stderr);
    assert_eq!(server.requests(), before);
    let run = windrow(&["extract", "-w", &wrapper, &other, "--format", "jsonl", "--allow-private"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn robots_are_asked_to_keep_out() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Reply::new(200, *b"User-agent: *\nDisallow: /private\n"),
        _ => Reply::html("<title>x</title>"),
    });
    let run = windrow(&["select", &server.url("/private/page"), "//title"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("robots.txt forbids it"), "{}", run.stderr);
    assert!(run.stderr.contains("--ignore-robots"), "{}", run.stderr);
    assert_eq!(server.requests(), 1);
    let run = windrow(&["select", &server.url("/private/page"), "//title", "--ignore-robots", "--format", "text"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "x\n"));
}

#[test]
fn what_is_recorded_can_be_replayed() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/a" => Reply::html("<title>A</title>"),
        "/b" => Reply::redirect("/a"),
        _ => Reply::status(404),
    });
    let folder = Folder::new("record");
    let archive = folder.path("site.warc.gz");
    let (a, b) = (server.url("/a"), server.url("/b"));
    for page in [&a, &b] {
        let run = windrow(&["select", page, "//title", "--record", &archive, "--allow-private"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let missing = server.url("/c");
    drop(server);
    for page in [&a, &b] {
        let run = windrow(&["select", page, "//title", "--replay", &archive, "--format", "text"]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "A\n", ""));
    }
    let run = windrow(&["select", &missing, "//title", "--replay", &archive]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains(&format!("the archive has no answer for `{missing}`")), "{}", run.stderr);
    // As a stream of pages, the redirect is none, and the page was fetched twice.
    let run = windrow(&["select", "-e", "//title", &archive, "--format", "csv"]);
    assert_eq!(run.stdout, format!("page,expression,n,value\n{a},//title,1,A\n{a},//title,1,A\n"), "{}", run.stderr);
}

#[test]
fn a_cache_asks_whether_a_page_has_changed() {
    let full = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&full);
    let server = Server::start(move |asked| match asked.path.as_str() {
        "/page" if asked.header("if-none-match") == Some("\"v1\"") => Reply::status(304).with_header("ETag", "\"v1\""),
        "/page" => {
            counted.fetch_add(1, Ordering::Relaxed);
            Reply::html("<title>x</title>").with_header("ETag", "\"v1\"").with_header("Cache-Control", "max-age=0")
        }
        _ => Reply::status(404),
    });
    let folder = Folder::new("cache");
    let cache = folder.path("cache.db");
    for _ in 0..3 {
        let run = windrow(&["select", &server.url("/page"), "//title", "--cache", &cache, "--format", "text"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "x\n"), "{}", run.stderr);
    }
    assert_eq!(full.load(Ordering::Relaxed), 1);
}

#[test]
fn the_user_agent_is_honest_and_may_be_changed() {
    let agents: std::sync::Arc<Mutex<Vec<String>>> = std::sync::Arc::default();
    let heard = std::sync::Arc::clone(&agents);
    let server = Server::start(move |asked| {
        heard.lock().unwrap().push(asked.header("user-agent").unwrap_or_default().to_owned());
        Reply::html("<title>x</title>")
    });
    windrow(&["select", &server.url("/"), "//title", "--ignore-robots"]);
    windrow(&[
        "select",
        &server.url("/"),
        "//title",
        "--ignore-robots",
        "--user-agent",
        "hay-census/1 (me@farm.example)",
    ]);
    let agents = agents.lock().unwrap();
    assert!(agents[0].starts_with(concat!("windrow/", env!("CARGO_PKG_VERSION"), " (+https://")), "{agents:?}");
    assert_eq!(agents[1], "hay-census/1 (me@farm.example)");
}

#[test]
fn an_archive_is_a_stream_of_pages() {
    check(
        &["select", "-e", "h1=//h1", BARN, "--format", "csv"],
        &expect![[r#"
            page,expression,n,value
            https://barn.example/ads,h1,1,Ads
            https://barn.example/ads?page=2,h1,1,Ads
            https://barn.example/ads?page=3,h1,1,Ads
            https://barn.example/ad/rake,h1,1,"Two-wheel rake, hardly used"
            https://barn.example/ad/twine,h1,1,"Baler twine, 12 rolls"
            https://barn.example/ad/wagon,h1,1,Old hay wagon
            https://barn.example/ad/fork,h1,1,"Hay fork, ash handle"
            https://barn.example/ad/net,h1,1,"Bale net, two rolls"
        "#]],
    );
}

#[test]
fn a_wrapper_may_name_its_page() {
    check(
        &["extract", "-w", "testdata/wrappers/barn/barn.toml", "--replay", BARN, "--format", "csv"],
        &expect![[r#"
            page,title,price,price.currency,page.text
            https://barn.example/,"Two-wheel rake, hardly used",340,EUR,Folds for the road. Pick up near Tønder.
            https://barn.example/,"Baler twine, 12 rolls",55,EUR,"Sisal. Dry store, no mice."
        "#]],
    );
}

#[test]
fn learning_and_discovering_take_addresses() {
    check(
        &["discover", "https://barn.example/ads", "--replay", BARN, "--format", "csv"],
        &expect![[r#"
            page,name,name_link,price,price.currency
            https://barn.example/ads,"Two-wheel rake, hardly used",https://barn.example/ad/rake,340,EUR
            https://barn.example/ads,"Baler twine, 12 rolls",https://barn.example/ad/twine,55,EUR
        "#]],
    );
    let folder = Folder::new("learn-replay");
    let rules = folder.path("ads.toml");
    let page = "https://barn.example/ads?page=2";
    let run = windrow(&["learn", page, "--example", "title=Old hay wagon", "--replay", BARN, "-o", &rules]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    check(
        &["extract", "-w", &rules, "https://barn.example/ads", "--replay", BARN, "--format", "csv"],
        &expect![[r#"
            page,title
            https://barn.example/ads,"Two-wheel rake, hardly used"
            https://barn.example/ads,"Baler twine, 12 rolls"
        "#]],
    );
}

#[test]
fn the_feed_of_a_page_is_found() {
    let run = windrow(&["feed", "https://barn.example/ads", "--replay", BARN, "--format", "jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with(r#"{"page":"https://barn.example/feed.xml""#), "{}", run.stdout);
    assert_eq!(
        run.stderr,
        "note: https://barn.example/ads: this is an HTML page; its feed is https://barn.example/feed.xml\n"
    );
}

#[test]
fn errors_say_what_to_do() {
    check_error(
        &["select", "https://barn.example/none", "//h1", "--replay", BARN],
        &expect![[r#"
        fetch::not_recorded

          × the archive has no answer for `https://barn.example/none`
          help: --replay uses only the archives; leave it out to fetch the page from the web
    "#]],
    );
    check_error(
        &["select", "ftp://barn.example/", "//h1"],
        &expect![[r#"
        page::url

          × cannot read `ftp://barn.example/`: `ftp:` addresses cannot be read
          help: an address looks like https://example.org/page
    "#]],
    );
    check_error(
        &["select", "https://barn.example/", "//h1", "--replay", "testdata/pages/README.md"],
        &expect![[r#"
        warc::no_records

          × `testdata/pages/README.md` contains no WARC records
          help: a WARC file begins with `WARC/1.0` or `WARC/1.1`, or is one compressed by gzip
    "#]],
    );
    check_error(
        &["select", "https://barn.example/", "//h1", "--replay", "testdata/none.warc.gz"],
        &expect![[r#"
        warc::unreadable

          × cannot read `testdata/none.warc.gz`: No such file or directory (os error 2)
    "#]],
    );
    // What the system says of it differs from machine to machine.
    let run = windrow(&["select", "http://windrow.invalid/", "//h1"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("fetch::name\n"), "{}", run.stderr);
    assert!(run.stderr.contains("check the spelling of the host name and the network connection"), "{}", run.stderr);
}

/// Requests of one run to one host are spaced like those of a crawl: with an hour between them, only the first page comes.
#[test]
fn many_pages_of_one_host_are_fetched_politely() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Reply::status(404),
        path => Reply::html(format!("<title>{path}</title>")),
    });
    let pages = ["/1", "/2", "/3"].map(|path| server.url(path));
    let mut arguments = vec!["select", "-e", "//title", "--format", "csv", "-j", "3", "--delay", "3600"];
    arguments.extend(pages.iter().map(String::as_str));
    let mut child = crate::command(&arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
    // robots.txt and one page; the other two wait for their time, however long this test looks.
    while server.requests() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(server.requests(), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    // Without a delay all of them come.
    arguments[8] = "0";
    let run = windrow(&arguments);
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 4), "{}", run.stderr);
}

const SCRIPTED: &str = "<!doctype html><title>Shop</title><ul id=list></ul><script>
    for (const [name, price] of [['Rake', 340], ['Twine', 55], ['Wagon', 900], ['Fork', 18]])
        list.insertAdjacentHTML('beforeend', `<li><b>${name}</b> <i>€ ${price}</i></li>`);
</script>";

#[test]
fn a_page_that_scripts_fill_suggests_a_browser() {
    let folder = Folder::new("scripted")
        .with("page.html", SCRIPTED)
        .with("r.toml", "[list.r]\nrecords = \"li\"\nfield = { t = \"b\" }\n");
    let (page, rules) = (folder.path("page.html"), folder.path("r.toml"));
    let hint = "the page seems to be filled by its scripts; --render lets a browser run them first";
    for arguments in [vec!["discover", &page], vec!["extract", "-w", &rules, &page]] {
        let run = windrow(&arguments);
        assert!(run.stderr.contains(hint), "{arguments:?}: {}", run.stderr);
        let quiet = windrow(&[&arguments[..], &["-q"]].concat());
        assert!(!quiet.stderr.contains(hint), "{}", quiet.stderr);
    }
    if !windrow::fetch::render::Config::default().has_browser() {
        return;
    }
    // From the file, and from standard input.
    let run = windrow(&["extract", "-w", &rules, "--render", "--timeout", "120", "--format", "csv", &page]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let rows = format!("page,t\n{page},Rake\n{page},Twine\n{page},Wagon\n{page},Fork\n");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (rows.as_str(), ""));
    let arguments = ["extract", "-w", &rules, "--render", "--timeout", "120", "--format", "csv", "-"];
    let run = crate::windrow_on(SCRIPTED.as_bytes(), &arguments);
    assert_eq!(run.stdout, rows.replace(&page, "-"), "{}", run.stderr);
}
