//! The feeds of real blogs, held against what people found on the blogs' pages.
//!
//! `../shared/corpus/blogs` (or `$WINDROW_SHARED`) has them; without it, there is nothing to check and the test says so.
//! How the items compare with feedparser's, `tools/feeds` tells.

use windrow_feed::{Options, parse};
use windrow_testkit::shared;

#[test]
fn every_item_has_what_the_feed_says() {
    let Some(folder) = shared::find("corpus/blogs") else {
        eprintln!("{}", shared::missing("corpus/blogs"));
        return;
    };
    let (mut feeds, mut items, mut dates, mut bodies) = (0, 0, 0, 0);
    for blog in std::fs::read_dir(folder).unwrap() {
        let blog = blog.unwrap().path();
        let Ok(bytes) = std::fs::read(blog.join("feed.xml")) else { continue };
        let feed = parse(&bytes, &Options::new()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let count = |tag: &str| text.matches(tag).count();
        assert_eq!(
            feed.items.len(),
            count("<item>") + count("<item ") + count("<entry>") + count("<entry "),
            "{blog:?}"
        );
        for item in &feed.items {
            assert!(item.link.is_some() && item.title.is_some(), "{blog:?}: {item:?}");
            dates += usize::from(item.date().is_some());
            bodies += usize::from(item.body.is_some());
        }
        feeds += 1;
        items += feed.items.len();
    }
    eprintln!("feeds: {items} items of {feeds} feeds of blogs");
    // A few posts are a title and nothing else, and one of the feeds has no dates.
    assert!(bodies * 100 >= items * 98 && dates * 100 >= items * 98, "{bodies} bodies, {dates} dates");
    assert!(feeds >= 20 && items >= 200, "{feeds} feeds, {items} items");
}
