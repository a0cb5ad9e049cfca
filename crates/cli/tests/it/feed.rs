//! `windrow feed`: items of feeds, feeds of pages, and what is neither.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{check, check_error, windrow, windrow_on};

const RSS: &str = "testdata/feeds/rss-2.0.xml";
const ATOM: &str = "testdata/feeds/atom-1.0.xml";

const PAGE: &str = "<!doctype html><title>Farm</title>
<link rel=alternate type=application/rss+xml title='Comments' href=/comments/feed>
<link rel=alternate type=application/rss+xml title='News' href=/feed>";

#[test]
fn items_as_a_table() {
    check(
        &["feed", RSS, "--format", "table"],
        &expect![[r#"
        ┌────────────┬─────────────────────────┬─────────────────────────────────┐
        │ date       ┆ title                   ┆ link                            │
        ╞════════════╪═════════════════════════╪═════════════════════════════════╡
        │ 2026-11-16 ┆ Ploughing: 1 < 2 fields ┆ http://farm.example/news/plough │
        │            ┆ Only a summary          ┆ http://farm.example/news/2      │
        └────────────┴─────────────────────────┴─────────────────────────────────┘
    "#]],
    );
}

#[test]
fn items_as_csv() {
    check(
        &["feed", RSS, ATOM, "--format", "csv"],
        &expect![[r#"
        page,title,link,id,date,updated,author,categories,summary,body
        testdata/feeds/rss-2.0.xml,Ploughing: 1 < 2 fields,http://farm.example/news/plough,p-1,2026-11-16T09:00:00Z,,Ann,Soil; Work,Short,See the map.
        testdata/feeds/rss-2.0.xml,,http://farm.example/news/2,http://farm.example/news/2,,,,hay; straw,Only a summary,Only a summary
        testdata/feeds/atom-1.0.xml,Less is more,http://field.example/blog/less,urn:x:1,2026-01-02T03:04:05Z,2026-01-03T03:04:05+01:00,Bo,A letter,Text with <no> markup,One link & 1 < 2
        testdata/feeds/atom-1.0.xml,Second,http://field.example/2,http://field.example/2,2026-01-04,2026-01-04,Cy,,,
    "#]],
    );
}

#[test]
fn a_feed_as_json() {
    check(
        &["feed", "testdata/feeds/rss-1.0.xml", "--format", "json"],
        &expect![[r#"
        {
          "page": "testdata/feeds/rss-1.0.xml",
          "format": "rss 1.0",
          "title": "Wiese",
          "link": "http://wiese.example/",
          "description": "Über Gras",
          "language": "de",
          "items": [
            {
              "title": "Mähen",
              "link": "http://wiese.example/1",
              "id": "http://wiese.example/1",
              "date": "2026-06-01T05:30+02:00",
              "updated": "2026-06-01T05:30+02:00",
              "author": "Frieda",
              "categories": [
                "Gras"
              ],
              "summary": "Kurz.",
              "body": "<p>Lang &amp; breit.</p>",
              "body_is_html": true
            }
          ],
          "notes": []
        }
    "#]],
    );
}

#[test]
fn several_feeds_are_an_array_or_lines() {
    let array: Value = serde_json::from_str(&windrow(&["feed", RSS, ATOM, "--format", "json"]).stdout).unwrap();
    let lines = windrow(&["feed", RSS, ATOM]).stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, json!(lines));
    assert_eq!(lines[1]["items"][0]["date"], "2026-01-02T03:04:05Z");
}

#[test]
fn a_broken_feed_is_read_and_noted() {
    let run = windrow_on(
        b"junk<rss><channel><item><title>Hay & straw</title><link>/hay</li",
        &["feed", "-", "--base", "http://a.example/"],
    );
    let feed: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(feed["items"][0]["title"], "Hay & straw");
    assert_eq!(feed["items"][0]["link"], "http://a.example/hay");
    assert_eq!(run.code, Some(0));
    expect![[r#"
        note: -: 4 bytes before the feed
        note: -: the feed is cut off within `link`
        note: -: 1 bare ampersand
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn a_page_tells_its_feeds() {
    let run = windrow_on(PAGE.as_bytes(), &["feed", "-", "--base", "http://a.example/blog/"]);
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        page["feeds"][0],
        json!({"url": "http://a.example/feed", "title": "News", "type": "application/rss+xml", "comments": false})
    );
    assert_eq!(page["feeds"][1]["comments"], true);
    assert_eq!(run.code, Some(1));
    expect![[r#"
        note: -: this is an HTML page; the likeliest of its feeds is http://a.example/feed
    "#]]
    .assert_eq(&run.stderr);
    let table = windrow_on(PAGE.as_bytes(), &["feed", "-", "--format", "table"]);
    expect![[r#"
        ┌──────┬──────────┬────────────────┐
        │ date ┆ title    ┆ link           │
        ╞══════╪══════════╪════════════════╡
        │      ┆ News     ┆ /feed          │
        │      ┆ Comments ┆ /comments/feed │
        └──────┴──────────┴────────────────┘
    "#]]
    .assert_eq(&table.stdout);
}

#[test]
fn a_feed_without_items_is_none() {
    let run = windrow_on(b"<rss><channel><title>x</title></channel></rss>", &["feed", "-", "--format", "csv"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (Some(1), "page,title,link,id,date,updated,author,categories,summary,body\n")
    );
    assert_eq!(run.stderr, "note: -: the feed has no items\n");
}

#[test]
fn what_is_no_feed_is_an_error() {
    check_error(
        &["feed", "Cargo.toml"],
        &expect![[r#"
        feed::unknown

          × cannot read `Cargo.toml`: this is not a feed: it is neither XML nor JSON
    "#]],
    );
    let run = windrow_on(b"<opml><body/></opml>", &["feed", "-"]);
    assert_eq!(run.code, Some(2));
    expect![[r#"
        feed::xml

          × cannot read `-`: this is XML, but not a feed: it begins with `<opml>`
          help: an OPML file lists feeds: give one of the addresses in its `xmlUrl`
    "#]]
    .assert_eq(&run.stderr);
}
