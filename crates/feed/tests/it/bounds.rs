//! Hostile feeds: they are read to the end, and the result stays within bounds.
//!
//! The program `growth` of `crates/bench` times the same feeds at two sizes.

use std::fmt::Write;

use expect_test::expect;
use windrow_feed::{Options, parse};
use windrow_testkit::hostile::FEEDS;

#[test]
fn hostile_feeds_are_read() {
    let mut out = String::new();
    for shape in FEEDS {
        let text = shape.large();
        let _ = match parse(text.as_bytes(), &Options::new().with_base("http://a.example/")) {
            Ok(feed) => {
                let texts = feed.items.iter().flat_map(|item| [&item.summary, &item.body]).flatten();
                let bytes: usize = texts.map(|text| text.value.len()).sum();
                assert!(bytes <= 4 * text.len(), "{}: {bytes} bytes of text", shape.name);
                let (categories, authors) = feed.items.iter().fold((0, 0), |(categories, authors), item| {
                    (categories + item.categories.len(), authors + item.authors.len())
                });
                writeln!(
                    out,
                    "{}: {} items, {categories} categories, {authors} authors, {} notes",
                    shape.name,
                    feed.items.len(),
                    feed.notes.len()
                )
            }
            Err(error) => writeln!(out, "{}: {error}", shape.name),
        };
    }
    expect![[r#"
        nesting: 0 items, 0 categories, 0 authors, 1 notes
        nesting in content: 1 items, 0 categories, 0 authors, 1 notes
        bases: 0 items, 0 categories, 0 authors, 1 notes
        attributes: 1 items, 0 categories, 0 authors, 1 notes
        namespaces: 1 items, 0 categories, 0 authors, 1 notes
        end tags: 0 items, 0 categories, 0 authors, 1 notes
        open comments: 0 items, 0 categories, 0 authors, 1 notes
        open CDATA: 0 items, 0 categories, 0 authors, 1 notes
        open quotes: 0 items, 0 categories, 0 authors, 2 notes
        ampersands: 0 items, 0 categories, 0 authors, 2 notes
        entities: 0 items, 0 categories, 0 authors, 2 notes
        declarations: this is not a feed: it is neither XML nor JSON
        items: 80000 items, 0 categories, 0 authors, 2 notes
        categories: 1 items, 200 categories, 0 authors, 1 notes
        authors: 80000 items, 0 categories, 239997 authors, 1 notes
        summaries: 1 items, 0 categories, 0 authors, 1 notes
        divs: 1 items, 0 categories, 0 authors, 1 notes
        JSON: 80000 items, 0 categories, 0 authors, 1 notes
        deep JSON: this is not a feed: it is neither XML nor JSON
    "#]]
    .assert_eq(&out);
}

#[test]
fn entities_do_not_blow_up() {
    let mut bomb = "<!DOCTYPE a [<!ENTITY a0 \"haha\">".to_owned();
    for level in 1..40 {
        bomb += &format!("<!ENTITY a{level} \"&a{};&a{};\">", level - 1, level - 1);
    }
    bomb += "]><rss><item><title>&a39;</title></item></rss>";
    let feed = parse(bomb.as_bytes(), &Options::new()).unwrap();
    assert_eq!(feed.items[0].title.as_deref(), Some("&a39;"));
}
