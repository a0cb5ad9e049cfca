//! Exports: files in every format, with their rows counted; what is refused.

use expect_test::expect;

use crate::query::{ADS, RULES, keep, with_server};
use crate::{Folder, Run, check_error, windrow};

fn shop(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let store = keep(&folder, "shop.db", RULES, &[ADS]);
    (folder, store)
}

#[test]
fn a_file_tells_the_format_by_its_name() {
    let (folder, shop) = shop("export-names");
    for (name, begin) in [
        ("ads.jsonl", &b"{\"title\":"[..]),
        ("ads.ndjson", b"{\"title\":"),
        ("ads.csv", b"title,link,price,price.currency,tags"),
        ("ads.parquet", b"PAR1"),
        ("ads.arrow", b"ARROW1"),
        ("ads.feather", b"ARROW1"),
        ("ads.xlsx", b"PK"),
        ("ads.atom", b"<?xml"),
        ("ads.rss", b"<?xml"),
    ] {
        let run = windrow(&["export", &shop, "ads", "-o", &folder.path(name), "--quiet"]);
        // The rows are counted even so.
        let expected = format!("wrote DIR/{name}: 3 rows of ads, 3 of ads.tags\n");
        assert_eq!((run.code, folder.hide(&run.stderr)), (Some(0), expected));
        let bytes = std::fs::read(folder.path(name)).unwrap();
        assert!(bytes.starts_with(begin), "{name}: {:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
    }
    assert_eq!(folder.names().len(), 10, "nothing else is left: {:?}", folder.names());
}

#[test]
fn without_a_file_it_is_printed() {
    let (_folder, shop) = shop("export-printed");
    let run = windrow(&["export", &shop, "ads"]);
    assert_eq!(run.code, Some(0));
    expect![[r#"
        {"title":"Two-wheel rake, hardly used","link":"https://barn.example/ad/101","price":{"amount":340,"currency":"EUR"},"tags":["rakes","hay"]}
        {"title":"Baler twine, 12 rolls","link":"https://barn.example/ad/102","price":{"amount":55,"currency":"EUR"},"tags":["hay"]}
        {"title":"Old hay wagon","link":"https://barn.example/ad/103?ref=list&pos=3","price":null,"tags":[]}
    "#]].assert_eq(&run.stdout);
    expect![[r#"
        printed: 3 rows of ads, 3 of ads.tags
    "#]]
    .assert_eq(&run.stderr);
    let csv = windrow(&["export", &shop, "ads", "--format", "csv", "-o", "-"]);
    expect![[r#"
        title,link,price,price.currency,tags
        "Two-wheel rake, hardly used",https://barn.example/ad/101,340,EUR,rakes; hay
        "Baler twine, 12 rolls",https://barn.example/ad/102,55,EUR,hay
        Old hay wagon,https://barn.example/ad/103?ref=list&pos=3,,,
    "#]]
    .assert_eq(&csv.stdout);
    // Of all lists the page's own fields are one, with one record.
    let page = windrow(&["export", &shop, "page", "--provenance"]);
    assert!(page.stdout.starts_with("{\"_page\":\"testdata/pages/ads/page-1.html\",\"_first\":"), "{}", page.stdout);
    assert_eq!(page.stderr, "printed: 1 row of page\n");
}

#[test]
fn what_cannot_be_exported() {
    let (folder, shop) = shop("export-errors");
    check_error(
        &["export", &shop],
        &expect![[r#"
        export::which_list

          × the store has several lists
          help: say which: page, ads
    "#]],
    );
    check_error(
        &["export", &shop, "adds"],
        &expect![[r#"
        store::no_list

          × the store has no list `adds`
          help: it has page, ads
    "#]],
    );
    check_error(
        &["export", &shop, "ads", "-o", "ads.doc"],
        &expect![[r#"
        export::unknown_format

          × the name `ads.doc` does not tell the format
          help: names end in .jsonl, .ndjson, .csv, .parquet, .arrow, .feather, .xlsx, .atom or .rss; else say --format
    "#]],
    );
    check_error(
        &["export", &shop, "ads", "-o", "ads.csv", "--title", "Ads"],
        &expect![[r#"
        export::feeds_only

          × --title is for feeds, and the format is csv
          help: --format atom or --format rss makes a feed
    "#]],
    );
    check_error(
        &["export", &shop, "ads", "--format", "atom", "--role", "title=headline"],
        &expect![[r#"
        export::unknown_column

          × `ads` has no column `headline`, which was given as the title of the feed's entries
          help: its columns are `title`, `link`, `price`
    "#]],
    );
    check_error(
        &["export"],
        &expect![[r#"
        store::none_given

          × no store was given
          help: name it in front, as in `windrow export shop.db …`, with --store, or in WINDROW_STORE
    "#]],
    );
    let run = windrow(&["export", &shop, "ads", "-o", &folder.path("no/ads.csv")]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
    let run = windrow(&["export", &shop, "ads", "--format", "rss", "--role", "headline=title"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the parts are title, link, date, author and content"), "{}", run.stderr);
}

#[test]
fn an_export_that_fails_leaves_what_was_there() {
    let (folder, shop) = shop("export-whole");
    let folder = folder.with("ads.atom", "before");
    let run = windrow(&["export", &shop, "ads", "-o", &folder.path("ads.atom"), "--role", "title=no_such"]);
    assert_eq!((run.code, folder.read("ads.atom").as_str()), (Some(2), "before"));
    assert_eq!(folder.names(), ["ads.atom", "shop.db"]);
}

/// A page of news, as it is on two days.
const NEWS: &str = "\
name = 'news'
[list.news]
records = 'li'
field = { title = 'a', link = { xpath = 'a/@href', type = 'url' }, date = { css = 'i', type = 'date' } }
";

fn page(items: &[(&str, &str)]) -> String {
    let item =
        |(title, day): &(&str, &str)| format!("<li><a href='https://news.example/{title}'>{title}</a> <i>{day}</i>");
    items.iter().map(item).collect()
}

/// Makes a store of two days' news.
fn two_days(name: &str) -> (Folder, String) {
    let first = [("rain", "16 November 2026"), ("hay", "15 November 2026"), ("rakes", "14 November 2026")];
    let folder = Folder::new(name).with("news.toml", NEWS).with("news.html", &page(&first));
    let rules = folder.path("news.toml");
    let store = folder.path("news.db");
    let keep = |seconds: &str| {
        let arguments = ["extract", "-w", &rules, "--into", &store, "--quiet", &folder.path("news.html")];
        let output = crate::command(&arguments).env("SOURCE_DATE_EPOCH", seconds).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    keep("1794819600");
    let second = [("snow", "17 November 2026"), ("rain", "16 November 2026"), ("hay", "15 November 2026")];
    std::fs::write(folder.path("news.html"), page(&second)).unwrap();
    keep("1794906000");
    (folder, store)
}

#[test]
fn a_page_without_a_feed_gets_one() {
    let (folder, store) = two_days("export-feed");
    for name in ["news.atom", "news.rss"] {
        let feed = folder.path(name);
        let run = windrow(&["export", &store, "-o", &feed, "--title", "News", "--site-url", "https://news.example/"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let read = windrow(&["feed", &feed, "--format", "csv"]);
        assert_eq!((read.code, read.stderr.as_str()), (Some(0), ""));
        let items: Vec<Vec<&str>> = read.stdout.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let told: Vec<(&str, &str, &str)> = items.iter().map(|item| (item[1], item[2], &item[4][..10])).collect();
        let expected = [
            ("snow", "https://news.example/snow", "2026-11-17"),
            ("rain", "https://news.example/rain", "2026-11-16"),
            ("hay", "https://news.example/hay", "2026-11-15"),
        ];
        assert_eq!(told, expected, "{name}: the newest first, and what is gone is left out");
    }
    let run = windrow(&["export", &store, "-o", &folder.path("news.atom"), "--entries", "1"]);
    expect![[r#"
        wrote DIR/news.atom: 1 row of news, the newest of 3
        note: columns used for the entries: title `title`, link `link`, date `date`
    "#]]
    .assert_eq(&folder.hide(&run.stderr));
}

#[test]
fn what_is_gone_is_exported_if_asked_for() {
    let (_folder, store) = two_days("export-gone");
    let run = windrow(&["export", &store, "--format", "csv", "--all", "--provenance"]);
    let rows: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split(',').skip(1).take(4).collect()).collect();
    let (first, second) = ("2026-11-16T09:00:00Z", "2026-11-17T09:00:00Z");
    let expected = [
        ["first_seen", "last_seen", "gone", "title"],
        [first, second, "", "rain"],
        [first, second, "", "hay"],
        [first, first, second, "rakes"],
        [second, second, "", "snow"],
    ];
    assert_eq!(rows, expected);
    assert_eq!(run.stderr, "printed: 4 rows of news\n");
}

#[test]
fn a_list_without_records() {
    let folder = Folder::new("export-empty").with("news.toml", NEWS).with("news.html", "<p>No news.</p>");
    let store = folder.path("news.db");
    windrow(&["extract", "-w", &folder.path("news.toml"), "--into", &store, "--quiet", &folder.path("news.html")]);
    let run = windrow(&["export", &store, "--format", "csv"]);
    let expected =
        Run { code: Some(1), stdout: "title,link,date\n".to_owned(), stderr: "printed: 0 rows of news\n".to_owned() };
    assert_eq!(run, expected);
}

#[test]
fn a_server_is_exported_as_a_file_is() {
    with_server("export", |address| {
        let run = windrow(&["extract", "-w", RULES, "--into", address, "--quiet", ADS]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let folder = Folder::new("export-server");
        let shop = keep(&folder, "shop.db", RULES, &[ADS]);
        for format in ["jsonl", "csv", "atom"] {
            let export = |store| windrow(&["export", store, "ads", "--format", format]);
            assert_eq!(export(address), export(&shop), "{format}");
        }
    });
}
