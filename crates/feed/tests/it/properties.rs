//! Properties of all inputs: nothing panics, and cutting a feed off does not change the items before the cut.

use std::path::Path;

use proptest::prelude::*;
use windrow_feed::{Feed, Item, Options, find, parse, parse_date, usual_places};

/// Returns the feeds of `testdata/feeds`.
fn feeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/feeds");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension != "txt"));
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn items(bytes: &[u8]) -> Vec<Item> {
    parse(bytes, &Options::new()).map(|feed: Feed| feed.items).unwrap_or_default()
}

/// Pieces of feeds, so that random texts made of them are unusual feeds rather than noise.
const PIECES: &[&str] = &[
    "<rss version='2.0'>",
    "<feed xmlns='http://www.w3.org/2005/Atom'>",
    "<channel>",
    "<item>",
    "</item>",
    "<entry>",
    "</entry>",
    "<title>",
    "</title>",
    "<title type='xhtml'>",
    "<link>",
    "</link>",
    "<link href='a'/>",
    "<description>",
    "</description>",
    "<content type='base64'>",
    "</content>",
    "<guid>",
    "<pubDate>",
    "2026-01-01",
    "<div xmlns='x'>",
    "</div>",
    "<b",
    " a=\"",
    "'",
    ">",
    "/>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE x [<!ENTITY e 'v'>",
    "]>",
    "&e;",
    "&",
    "&#",
    "&#x110000;",
    "é",
    "<",
    "</",
    "<?",
    "\u{0}",
    "text",
    " xml:base='../x'",
    "<source>",
    "</source>",
    "<author>",
    "<name>",
    "<category term='x'/>",
    "{",
    "\"items\":[",
    "<media:title>",
    "xmlns:dc=''",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes, &Options::new().with_charset("utf-8").with_base("http://a.example/"));
    }

    #[test]
    fn random_pieces_do_no_harm(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..80)) {
        let text: String = pieces.concat();
        if let Ok(feed) = parse(text.as_bytes(), &Options::new().with_base("http://a.example/b/")) {
            for item in &feed.items {
                let _ = item.body.as_ref().map(|body| body.plain());
            }
        }
        let _ = find(&windrow_dom::Document::parse(text.as_str()), "");
    }

    #[test]
    fn random_dates_do_no_harm(text in "[0-9TZ:+ ,/.a-zé년월오후-]{0,40}") {
        let _ = parse_date(&text);
    }

    #[test]
    fn changed_feeds_do_no_harm(which in 0..10_usize, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let feeds = feeds();
        let mut bytes = feeds[which % feeds.len()].clone();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = parse(&bytes, &Options::new());
    }

    #[test]
    fn items_before_a_cut_are_unchanged(which in 0..10_usize, at in any::<prop::sample::Index>()) {
        let feeds = feeds();
        let whole = &feeds[which % feeds.len()];
        let cut = items(&whole[..at.index(whole.len())]);
        let whole = items(whole);
        prop_assert!(cut.len() <= whole.len());
        for (one, two) in cut.iter().zip(&whole).take(cut.len().saturating_sub(1)) {
            prop_assert_eq!(one, two);
        }
    }

    #[test]
    fn usual_places_are_of_the_same_site(path in "[a-z/.?#=]{0,30}") {
        if let Ok(page) = format!("https://a.example/{path}").parse::<url::Url>() {
            let places = usual_places(&page);
            prop_assert!(!places.is_empty());
            prop_assert!(places.iter().all(|place| place.host_str() == page.host_str()));
        }
    }
}
