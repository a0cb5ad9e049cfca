//! Feeds of weblogs: the repository's own, and those of `../shared/corpus/blogs` (or below `$WINDROW_SHARED`).
//!
//! `tools/feeds` compares the items with those that feedparser finds.

use std::path::{Path, PathBuf};

use windrow_feed::{Options, parse};
use windrow_testkit::shared;

#[test]
fn every_item_has_what_the_feed_says() {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/blog/feed.xml")];
    match shared::find("corpus/blogs") {
        Some(folder) => {
            let feeds: Vec<PathBuf> = shared::files(&folder, "xml").unwrap();
            assert!(feeds.len() >= 20, "{} feeds", feeds.len());
            files.extend(feeds);
        }
        None => shared::not_checked("corpus/blogs"),
    }
    let (mut items, mut titles, mut dates, mut bodies) = (0, 0, 0, 0);
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let feed = parse(&bytes, &Options::new()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let count = |tag: &str| text.matches(tag).count();
        let written = match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Ok(json) => json["items"].as_array().map_or(0, Vec::len),
            Err(_) => count("<item>") + count("<item ") + count("<entry>") + count("<entry "),
        };
        assert_eq!(feed.items.len(), written, "{file:?}");
        for item in &feed.items {
            assert!(item.link.is_some(), "{file:?}: {item:?}");
            titles += usize::from(item.title.is_some());
            dates += usize::from(item.date().is_some());
            bodies += usize::from(item.body.is_some());
        }
        items += feed.items.len();
    }
    eprintln!("feeds: {items} items of {} feeds", files.len());
    // A few posts have no title, a few consist only of a title, and three feeds have no dates (40 items).
    assert!(titles * 100 >= items * 98, "{titles} titles of {items}");
    assert!(bodies * 100 >= items * 98 && dates * 100 >= items * 97, "{bodies} bodies, {dates} dates of {items}");
    assert!(items >= 4 * files.len(), "{items} items of {} feeds", files.len());
}
