//! Feeds of every format teach the same.

use super::site::{Post, Site};
use super::{check, feeds};

fn shown(post: &Post) -> String {
    format!(
        "<div class=\"post\">\n<h2><a href=\"{}\">{}</a></h2>\n<p class=\"date\">{}</p>\n<div class=\"text\">{}</div>\n\
         </div>\n",
        post.path,
        post.title,
        post.english(),
        post.html()
    )
}

fn single(post: &Post) -> String {
    format!(
        "<div class=\"full\">\n<h1>{}</h1>\n<p class=\"date\">{}</p>\n<div class=\"text\">{}</div>\n</div>\n",
        post.title,
        post.english(),
        post.html()
    )
}

#[track_caller]
fn check_feed(format: windrow_feed::Format, feed: fn(&[Post]) -> String) {
    let site = Site::new(shown).with_entries(single);
    let written = feed(&site.posts[..1]);
    let read = windrow_feed::parse(written.as_bytes(), &windrow_feed::Options::new()).unwrap();
    assert_eq!(read.format, format);
    check(&site.with_feed(feed));
}

#[test]
fn rss_091() {
    check_feed(windrow_feed::Format::Rss091, feeds::rss_091);
}

#[test]
fn rss_10() {
    check_feed(windrow_feed::Format::Rss10, feeds::rss_10);
}

#[test]
fn rss_20() {
    check_feed(windrow_feed::Format::Rss20, feeds::rss);
}

#[test]
fn atom() {
    check_feed(windrow_feed::Format::Atom10, feeds::atom);
}

#[test]
fn json() {
    check_feed(windrow_feed::Format::Json11, feeds::json);
}
