//! What is told plainly: feeds and pages that do not belong together, and what to know about a lesson.

use std::sync::Arc;

use expect_test::expect;
use windrow_learn::feed::{Error, Note, Options, learn};
use windrow_wrapper::Page;

use super::feeds::{self, element, rss_of};
use super::paper::{single, story};
use super::site::{ADDRESS, Post, Row, Site, frame, posts, words};
use super::{check_wrapper, lesson, rows, same};

fn page(path: &str, html: String) -> Arc<Page> {
    Arc::new(Page::from_text(format!("{ADDRESS}{path}"), html))
}

/// A page that has nothing to do with any of the posts.
fn about(_: &[Post]) -> String {
    format!("<div class=\"static\"><h1>About</h1><p>{}</p></div>\n", words(5000, 40))
}

fn bare(_kind: &str, content: &str) -> String {
    format!("<html><head><title>Elsewhere</title></head><body><div id=\"content\">{content}</div></body></html>")
}

#[test]
fn no_page() {
    let site = Site::new(story);
    assert_eq!(learn(&site.items(), &[], &Options::default()), Err(Error::NoPage));
}

#[test]
fn a_feed_without_items() {
    let site = Site::new(story).with_feed(|_| rss_of(&[], |_| String::new()));
    assert_eq!(site.learn(&Options::default()), Err(Error::NoItems { items: 0 }));
}

#[test]
fn items_that_say_nothing() {
    let site = Site::new(story).with_feed(|posts| rss_of(posts, |post| element("pubDate", &feeds::rfc822(post))));
    assert_eq!(site.items().len(), 6);
    assert_eq!(site.learn(&Options::default()), Err(Error::NoItems { items: 6 }));
}

#[test]
fn a_feed_of_another_weblog() {
    let other = |posts: &[Post]| {
        rss_of(&posts[..2], |post| {
            element("title", &format!("Boats {}", post.number))
                + &element("link", &format!("https://harbour.example/{}", post.number))
                + &element("description", "Nothing but boats and ropes and the sea in between all day long")
        })
    };
    let site = Site::new(story).with_entries(single).with_feed(other);
    let error = site.learn(&Options::default()).unwrap_err();
    let items = vec!["Boats 0".to_owned(), "Boats 1".to_owned()];
    let pages = site.pages().iter().map(|page| page.name().to_owned()).collect();
    assert_eq!(error, Error::NotTogether { items, pages });
    let one = learn(&site.items(), &site.pages()[..1], &Options::default()).unwrap_err();
    expect!["none of the feed's 2 items is on `https://meadow.example/`"].assert_eq(&one.to_string());
    expect![
        "looked for `Boats 0`, `Boats 1`: is this the page's feed, and the page the one that shows the newest entries?"
    ]
    .assert_eq(&one.hint());
}

#[test]
fn items_without_titles_are_told_by_their_addresses() {
    let other = |posts: &[Post]| rss_of(&posts[..1], |_| element("link", "https://harbour.example/boats"));
    let error = Site::new(story).with_feed(other).learn(&Options::default()).unwrap_err();
    let expected = Error::NotTogether {
        items: vec!["https://harbour.example/boats".to_owned()],
        pages: vec![format!("{ADDRESS}/")],
    };
    assert_eq!(error, expected);
}

#[test]
fn a_home_page_without_entries() {
    let site = Site::new(story).with_index(about).with_frame(bare);
    let error = site.learn(&Options::default()).unwrap_err();
    assert!(matches!(error, Error::NotTogether { .. }), "{error:?}");
}

#[test]
fn an_empty_home_page() {
    let items = Site::new(story).items();
    let error = learn(&items, &[page("/", String::new())], &Options::default()).unwrap_err();
    assert!(matches!(error, Error::NotTogether { .. }), "{error:?}");
}

#[test]
fn a_home_page_without_entries_and_pages_of_entries() {
    let site = Site::new(story).with_index(about).with_frame(bare).with_entries(single);
    let lesson = lesson(&site);
    assert!(lesson.notes.contains(&Note::NoEntries { page: format!("{ADDRESS}/") }), "{:?}", lesson.notes);
    for post in &site.posts {
        let found = rows(&lesson.wrapper, &post.link(), &site.page(post).unwrap());
        same(&found, &[Row { link: None, ..post.row() }], &lesson.wrapper, &post.path);
    }
}

#[test]
fn nothing_to_tell() {
    let lesson = lesson(&Site::new(story).with_entries(single));
    assert_eq!(lesson.notes, []);
}

#[test]
fn a_feed_with_one_item() {
    let site = Site::new(story).with_entries(single).with_feed(|posts| feeds::rss(&posts[..1]));
    let lesson = learn(&site.items(), &site.pages()[..2], &Options::default()).unwrap();
    assert!(lesson.notes.contains(&Note::Untested { entries: 1 }), "{:?}", lesson.notes);
    check_wrapper(&lesson.wrapper, &site, &Post::row);
}

#[test]
fn a_feed_with_one_item_and_the_home_page_alone() {
    let site = Site::new(story).with_feed(|posts| feeds::rss(&posts[..1]));
    let lesson = lesson(&site);
    assert!(lesson.notes.contains(&Note::Untested { entries: 1 }), "{:?}", lesson.notes);
    check_wrapper(&lesson.wrapper, &site, &Post::row);
}

#[test]
fn no_page_of_an_entry() {
    let lesson = lesson(&Site::new(story));
    assert_eq!(lesson.notes, [Note::NoEntryPages]);
}

#[test]
fn items_that_are_on_no_page() {
    let site = Site::new(story).with_feed(|_| feeds::rss(&posts()[..8])).with_entries(single);
    let lesson = lesson(&site);
    let items = site.posts[6..8].iter().map(|post| post.title.clone()).collect();
    assert_eq!(lesson.notes, [Note::NotFound { items, of: 8 }]);
}

#[test]
fn a_field_that_pages_lack() {
    let undated = |html: String, post: &Post| html.replace(&post.english(), "Lately");
    let site = Site::new(move |post| undated(story(post), post)).with_entries(single);
    let lesson = lesson(&site.with_posts(|post| post.path = format!("/story/{}", post.number)));
    assert_eq!(lesson.notes, [Note::NoField { field: "date", pages: "index pages" }]);
}

#[test]
fn a_field_that_entry_pages_lack() {
    let undated = |html: String, post: &Post| html.replace(&post.english(), "Lately");
    let site = Site::new(story).with_entries(move |post| undated(single(post), post));
    let lesson = lesson(&site.with_posts(|post| post.path = format!("/story/{}", post.number)));
    assert_eq!(lesson.notes, [Note::NoField { field: "date", pages: "entry pages" }]);
}

#[test]
fn a_page_that_shows_no_entry() {
    let site = Site::new(story).with_entries(single);
    let mut pages = site.pages();
    pages.push(page("/about/", frame("page", &about(&[])).replace("class=\"recent\"", "hidden")));
    let lesson = learn(&site.items(), &pages, &Options::default()).unwrap();
    assert_eq!(lesson.notes, [Note::Unused { page: format!("{ADDRESS}/about/") }]);
    check_wrapper(&lesson.wrapper, &site, &Post::row);
}

#[test]
fn what_notes_say() {
    let names = |count: usize| (0..count).map(|at| format!("Item {at}")).collect::<Vec<String>>();
    let notes = [
        Note::NotFound { items: names(1), of: 8 },
        Note::NotFound { items: names(2), of: 8 },
        Note::NotFound { items: names(5), of: 8 },
        Note::Untested { entries: 1 },
        Note::Untested { entries: 3 },
        Note::NoEntries { page: "home.html".to_owned() },
        Note::NoEntryPages,
        Note::NoField { field: "date", pages: "entry pages" },
        Note::Unused { page: "about.html".to_owned() },
    ];
    let told: String = notes.iter().map(|note| format!("{note}\n")).collect();
    expect![[r#"
        1 of the feed's 8 items is on none of the pages: `Item 0`
        2 of the feed's 8 items are on none of the pages: `Item 0`, `Item 1`
        5 of the feed's 8 items are on none of the pages: `Item 0`, `Item 1`, `Item 2`, …
        only one entry was known: the rules are not tested on another
        only 3 entries were known: none was held back for a test
        `home.html` shows none of the feed's entries: the rules are for entry pages alone
        no page of an entry was seen: the rules are for index pages alone
        `date` was not found on entry pages
        `about.html` shows none of the feed's entries
    "#]]
    .assert_eq(&told);
}
