//! Who wrote an entry, and what it is filed under.

use super::feeds::{element, heads, rss_of};
use super::site::{ADDRESS, Post, Row, Site};
use super::{feeds, lesson, rows, same};

fn shown(post: &Post, signed: &str, filed: &str) -> String {
    format!(
        "<div class=\"post\">\n<h2><a href=\"{}\">{}</a></h2>\n<p class=\"meta\">{signed}</p>\n\
         <div class=\"text\">{}</div>\n{filed}\n</div>\n",
        post.path,
        post.title,
        post.html()
    )
}

fn single(post: &Post, signed: &str, filed: &str) -> String {
    format!(
        "<div class=\"full\">\n<h1>{}</h1>\n<p class=\"meta\">{signed}</p>\n<div class=\"text\">{}</div>\n{filed}\n</div>\n",
        post.title,
        post.html()
    )
}

fn feed(posts: &[Post]) -> String {
    rss_of(posts, |post| {
        let categories: String = post.categories.iter().map(|name| element("category", name)).collect();
        heads(post) + &element("dc:creator", &post.author) + &categories + &element("description", &post.html())
    })
}

fn row(post: &Post) -> Row {
    Row { author: Some(post.author.clone()), categories: post.categories.clone(), ..post.row() }
}

/// Checks all six fields on all pages.
#[track_caller]
fn check_all(site: &Site, row: impl Fn(&Post) -> Row) {
    let wrapper = lesson(site).wrapper;
    let (newest, older) = site.posts[..site.shown * 2].split_at(site.shown);
    for (name, html, posts) in [("/", site.home(), newest), ("/page/2/", site.older(), older)] {
        let expected: Vec<Row> = posts.iter().map(&row).collect();
        same(&rows(&wrapper, &format!("{ADDRESS}{name}"), &html), &expected, &wrapper, name);
    }
    for post in newest.iter().chain(older).filter(|_| site.has_pages()) {
        let found = rows(&wrapper, &post.link(), &site.page(post).unwrap());
        same(&found, &[Row { link: None, ..row(post) }], &wrapper, &post.path);
    }
}

/// The name in an element of its own.
fn by(post: &Post) -> String {
    format!("<span class=\"date\">{}</span> by <a rel=\"author\" href=\"/author/\">{}</a>", post.english(), post.author)
}

/// The categories as links.
fn under(post: &Post) -> String {
    let link = |name: &String| format!("<a rel=\"category\" href=\"/c/{}/\">{name}</a>", name.len());
    format!("<p class=\"cats\">Filed under {}</p>", post.categories.iter().map(link).collect::<Vec<_>>().join(", "))
}

#[test]
fn elements_of_their_own() {
    let site = Site::new(|post| shown(post, &by(post), &under(post)));
    check_all(&site.with_entries(|post| single(post, &by(post), &under(post))).with_feed(feed), row);
}

#[test]
fn of_an_atom_feed() {
    let site = Site::new(|post| shown(post, &by(post), &under(post)));
    check_all(&site.with_entries(|post| single(post, &by(post), &under(post))).with_feed(feeds::atom), row);
}

#[test]
fn a_name_within_a_line() {
    let line = |post: &Post| format!("Posted by {} on {}", post.author, post.english());
    let site = Site::new(move |post| shown(post, &line(post), &under(post)));
    check_all(&site.with_entries(move |post| single(post, &line(post), &under(post))).with_feed(feed), row);
}

#[test]
fn one_author_for_all() {
    let alone = |post: &mut Post| post.author = "Ada Harrow".to_owned();
    let site = Site::new(|post| shown(post, &by(post), &under(post)));
    check_all(&site.with_entries(|post| single(post, &by(post), &under(post))).with_feed(feed).with_posts(alone), row);
}

#[test]
fn an_entry_that_is_filed_under_nothing() {
    let some = |post: &mut Post| {
        if matches!(post.number, 1 | 8) {
            post.categories.clear();
        }
    };
    let filed = |post: &Post| if post.categories.is_empty() { String::new() } else { under(post) };
    let site = Site::new(move |post| shown(post, &by(post), &filed(post)));
    check_all(
        &site.with_entries(move |post| single(post, &by(post), &filed(post))).with_feed(feed).with_posts(some),
        row,
    );
}

#[test]
fn categories_in_a_list() {
    let list = |post: &Post| {
        let item = |name: &String| format!("<li><a href=\"/tag/{}\">{name}</a></li>", name.len());
        format!("<ul class=\"tags\">{}</ul>", post.categories.iter().map(item).collect::<String>())
    };
    let site = Site::new(move |post| shown(post, &by(post), &list(post)));
    check_all(&site.with_entries(move |post| single(post, &by(post), &list(post))).with_feed(feed), row);
}

#[test]
fn what_the_page_does_not_say_is_not_found() {
    let site = Site::new(|post| shown(post, &format!("<span class=\"date\">{}</span>", post.english()), ""));
    check_all(&site.with_feed(feed), Post::row);
}

#[test]
fn a_name_in_the_body_is_no_author() {
    let mention = |post: &mut Post| {
        let text = match post.number % 3 {
            0 => format!("Thanks to {} for the rake.", post.author),
            1 => format!("Without {} we would have lost all of it.", post.author),
            _ => format!("The dog likes nobody but {}, as you know.", post.author),
        };
        post.paragraphs.push(text);
    };
    let site = Site::new(|post| shown(post, &format!("<span class=\"date\">{}</span>", post.english()), ""));
    check_all(&site.with_feed(feed).with_posts(mention), Post::row);
}

/// All entries that are known are filed under one category, and a link to the comments stands beside it; older ones are
/// filed under two.
#[test]
fn more_categories_than_any_known_entry_has() {
    let under = |post: &Post| {
        let link = |name: &String| format!("<a href=\"/category/{}/\">{name}</a>", name.len());
        let links: Vec<String> = post.categories.iter().map(link).collect();
        format!(
            "<p class=\"meta\">Posted in {} | <a href=\"{}#comments\">Comments</a></p>",
            links.join(", "),
            post.path
        )
    };
    let one = |post: &mut Post| post.categories.truncate(if post.number < 6 { 1 } else { 2 });
    let site = Site::new(move |post| shown(post, &by(post), &under(post))).with_feed(feed).with_posts(one);
    check_all(&site, row);
}

/// `August 7, 2013 by Ada Harrow`: the year is not what stands in front of every name.
#[test]
fn a_name_behind_the_year() {
    let site = Site::new(|post| shown(post, &format!("{} by {}", post.english(), post.author), "")).with_feed(feed);
    let site = site.with_posts(|post| post.day.0 = if post.number < 6 { 2013 } else { 2009 });
    check_all(&site, |post| Row { categories: Vec::new(), ..row(post) });
}
