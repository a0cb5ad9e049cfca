//! `windrow extract`: where pages come from, and where the output goes.

use std::process::Stdio;

use expect_test::expect;
use serde_json::Value;

use crate::{Folder, command, windrow, windrow_on};

const OFFERS: &str = "testdata/wrappers/ads/offers.toml";
const ADS: &str = "testdata/pages/ads/page-1.html";

#[test]
fn many_pages_come_in_order_with_any_number_of_threads() {
    let mut folder = Folder::new("extract-order").with("t.toml", "field.n = 'h1'");
    for number in 0..200 {
        // Sizes differ, so that pages finish out of order.
        let padding = "x".repeat(if number % 7 == 0 { 100_000 } else { 10 });
        folder = folder.with(&format!("p/{number:03}.html"), &format!("<!--{padding}--><h1>{number}</h1>"));
    }
    for threads in ["1", "2", "7"] {
        let run = windrow(&["extract", "-j", threads, "-w", &folder.path("t.toml"), &folder.path("p")]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let numbers: Vec<String> = run
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["data"]["n"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(numbers, (0..200).map(|number| number.to_string()).collect::<Vec<_>>());
    }
}

#[test]
fn the_name_of_the_output_tells_the_format() {
    let folder = Folder::new("formats");
    let begins = [
        ("a.txt", "┌"),
        ("a.json", "[\n"),
        ("a.jsonl", "{\"page\""),
        ("a.ndjson", "{\"page\""),
        ("a.csv", "page,title"),
        ("a.xml", "<?xml"),
        ("a.oem", "offers complex {"),
    ];
    for (name, begin) in begins {
        let run = windrow(&["extract", "-w", OFFERS, ADS, "-o", &folder.path(name)]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{name}");
        let note = "note: list `tags` is joined into one cell per record; for a table of its own, use --csv-dir DIR\n";
        let note = if name == "a.csv" { note } else { "" };
        assert_eq!(folder.hide(&run.stderr), format!("{note}wrote DIR/{name}: 3 records, 3 fields\n"));
        assert!(folder.read(name).starts_with(begin), "{name}: {}", folder.read(name));
    }
    assert_eq!(folder.names().len(), begins.len(), "nothing else is left: {:?}", folder.names());
}

/// Waits until the temporary file stands beside the output. It must come as long as the child lives, however slow the
/// machine is; the ten minutes only end a test that hangs.
fn wait_for_second_file(folder: &Folder, child: &mut std::process::Child) {
    for _ in 0..60_000 {
        if folder.names().len() == 2 {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote anything");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("no temporary file is written beside the output");
}

#[test]
fn the_output_appears_when_all_is_done() {
    let folder = Folder::new("rename").with("out.jsonl", "before\n");
    let out = folder.path("out.jsonl");
    // The page comes through a pipe that stays open, so the run cannot end.
    let mut child = command(&["extract", "-w", OFFERS, "-", "-o", &out])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_second_file(&folder, &mut child);
    assert_eq!(folder.read("out.jsonl"), "before\n");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"<li class=ad><h2><a>Rake</a></h2>").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.read("out.jsonl").contains("Rake"));
    assert_eq!(folder.names(), ["out.jsonl"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_file_as_it_was() {
    let folder = Folder::new("interrupted").with("out.jsonl", "before\n");
    let mut child = command(&["extract", "-w", OFFERS, "-", "-o", &folder.path("out.jsonl")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Held open: waiting would close it, and the child would end by itself.
    let _input = child.stdin.take();
    wait_for_second_file(&folder, &mut child);
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.read("out.jsonl"), "before\n");
    assert_eq!(folder.names(), ["out.jsonl"]);
}

#[test]
fn lists_can_have_files_of_their_own() {
    let folder = Folder::new("csv-dir")
        .with(
            "w.toml",
            "[field]\nheading = 'h1'\n[list.ads]\nrecords = 'article'\nfield = { title = 'h2' }\n\
             list.tags = { records = 'em', optional = true }\n[list.ads.list.offers]\nrecords = 'li'\noptional = true\n\
             field = { by = 'b', price = { css = 'i', type = 'money' } }\n",
        )
        .with(
            "p/1.html",
            "<h1>One</h1><article><h2>Rake</h2><em>red</em><li><b>Ann</b><i>€ 5</i></article><article><h2>Twine</h2><em>x</em></article>",
        )
        .with("p/2.html", "<h1>Two</h1><article><h2>Wagon</h2><li><b>Bob</b><i>€ 6</i><li><b>Cem</b><i>7</i></article>");
    let write = |option: &str| {
        let directory = folder.path("out/");
        let run = windrow(&["extract", "-w", &folder.path("w.toml"), &folder.path("p"), option, &directory]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
        assert_eq!(folder.hide(&run.stderr), "wrote DIR/out/: 3 records, 3 fields\n");
        let files = ["page", "ads", "ads.tags", "ads.offers"];
        let shown = files.map(|name| format!("{name}.csv\n{}", folder.read(&format!("out/{name}.csv"))));
        std::fs::remove_dir_all(folder.0.join("out")).unwrap();
        folder.hide(&shown.concat())
    };
    let written = write("--csv-dir");
    assert_eq!(write("-o"), written);
    expect![[r#"
        page.csv
        page,_id,_parent,heading
        DIR/p/1.html,1,,One
        DIR/p/2.html,2,,Two
        ads.csv
        page,_id,_parent,title
        DIR/p/1.html,1,1,Rake
        DIR/p/1.html,2,1,Twine
        DIR/p/2.html,3,2,Wagon
        ads.tags.csv
        page,_id,_parent,value
        DIR/p/1.html,1,1,red
        DIR/p/1.html,2,2,x
        ads.offers.csv
        page,_id,_parent,by,price,price.currency
        DIR/p/1.html,1,1,Ann,5,EUR
        DIR/p/2.html,2,3,Bob,6,EUR
        DIR/p/2.html,3,3,Cem,7,
    "#]]
    .assert_eq(&written);
}

#[test]
fn the_wrapper_may_come_through_a_pipe() {
    let run = windrow_on(b"h1 = //h1\n", &["extract", "-w", "-", ADS]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("Tractors and tools"), "{}", run.stdout);
}

const LINKED: &str = "url = \"https://example.org/list/\"\n\
    [list.cities]\nrecords = 'li'\n\
    [list.cities.group._page]\nat = { get = 'a/@href' }\nfield = { name = 'h1' }\n";

fn linked(name: &str, links: &str) -> Folder {
    let items: String = links.split_whitespace().map(|link| format!("<li><a href='{link}'>x</a>")).collect();
    Folder::new(name)
        .with("w.toml", LINKED)
        .with("site/list.html", &items)
        .with("site/vie.html", "<h1>Vienna</h1>")
        .with("site/osl/index.html", "<h1>Oslo</h1>")
        .with("site/a b.html?x=1", "<h1>Query</h1>")
        .with("secret.html", "<h1>Secret</h1>")
}

/// The names of the cities, and what was told.
fn cities(folder: &Folder, arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    let (rules, page) = (folder.path("site/../w.toml"), folder.path("site/list.html"));
    // The wrapper's own directory counts too, and the secret is in it: a copy elsewhere keeps it out.
    let elsewhere = Folder::new(&format!("{}-rules", folder.0.file_name().unwrap().to_str().unwrap()))
        .with("w.toml", &std::fs::read_to_string(rules).unwrap());
    let run = windrow(&[&["extract", "-w", &elsewhere.path("w.toml"), &page], arguments].concat());
    let data: Value = serde_json::from_str(&run.stdout).unwrap();
    let cities = data["data"]["cities"].as_array().unwrap();
    let names = cities.iter().map(|city| city["name"].as_str().unwrap_or("-").to_owned()).collect();
    (names, folder.hide(&run.stderr).lines().map(str::to_owned).collect())
}

#[test]
fn linked_pages_are_found_beside_the_page() {
    let folder =
        linked("linked", "vie.html https://example.org/list/vie osl/ /list/osl a%20b.html?x=1 ../list/vie.html#top");
    let (names, told) = cities(&folder, &[]);
    assert_eq!(names, ["Vienna", "Vienna", "Oslo", "Oslo", "Query", "Vienna"]);
    assert_eq!(told, [""; 0]);
}

#[test]
fn other_pages_are_told() {
    let folder = linked("unlinked", "https://other.example/ gone.html mailto:a@b.example");
    let (names, told) = cities(&folder, &[]);
    assert_eq!(names, ["-", "-", "-"]);
    let errors: Vec<&String> = told.iter().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors.len(), 3, "{told:?}");
    expect![[r#"
        error: DIR/site/list.html: cities[0]._page (w.toml:4): cannot fetch https://other.example/: it is not below `https://example.org/list/`, so there is no saved copy; --fetch fetches it
        error: DIR/site/list.html: cities[1]._page (w.toml:4): cannot fetch https://example.org/list/gone.html: there is no saved copy; it would be `gone.html`; --fetch fetches it
        error: DIR/site/list.html: cities[2]._page (w.toml:4): cannot fetch mailto:a@b.example: `mailto:` addresses cannot be read
    "#]].assert_eq(&(told.join("\n") + "\n"));
}

#[test]
fn a_page_cannot_make_us_read_other_files() {
    let folder = linked("outside", "vie.html");
    let secret = folder.path("secret.html");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, folder.0.join("site/link.html")).unwrap();
    let page = format!(
        "<li><a href='file://{secret}'>x</a><li><a href='../secret.html'>x</a><li><a href='link.html'>x</a><li><a href='%2e%2e/secret.html'>x</a><li><a href='/list/..%2fsecret.html'>x</a>"
    );
    std::fs::write(folder.0.join("site/list.html"), page).unwrap();
    let (names, told) = cities(&folder, &[]);
    assert_eq!(names, ["-"; 5], "{told:#?}");
}

#[test]
fn links_of_a_page_without_an_address_are_files() {
    let folder = Folder::new("relative")
        .with("w.toml", &LINKED.replace("url = \"https://example.org/list/\"\n", ""))
        .with("list.html", "<li><a href=vie.html>x</a><li><a href='sub/osl.html'>x</a>")
        .with("vie.html", "<h1>Vienna</h1>")
        .with("sub/osl.html", "<h1>Oslo</h1>");
    let run = windrow(&["extract", "-w", &folder.path("w.toml"), &folder.path("list.html")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(
        run.stdout.ends_with("\"data\":{\"cities\":[{\"name\":\"Vienna\"},{\"name\":\"Oslo\"}]}}\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn without_a_page_the_wrappers_file_is_read() {
    let folder = Folder::new("own-page")
        .with("w.toml", "url = 'saved/p.html'\nfield.h = 'h1'")
        .with("saved/p.html", "<h1>Hay</h1>");
    let run = windrow(&["extract", "-w", &folder.path("w.toml")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("\"data\":{\"h\":\"Hay\"}"), "{}", run.stdout);
}

#[test]
fn the_papers_linked_pages() {
    let weather = "testdata/wrappers/weather";
    let run =
        windrow(&["extract", "-w", &format!("{weather}/weather-linked.tsimmis"), &format!("{weather}/europe.html")]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let line: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(line["data"]["root"]["city"][0]["name"], "Vienna");
}
