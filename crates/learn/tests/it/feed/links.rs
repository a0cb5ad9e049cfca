//! Links that are spelled otherwise in the feed than on the page (what the paper's error class 7 calls not supported).

use std::sync::Arc;

use windrow_learn::feed::{Options, learn};
use windrow_wrapper::Page;

use super::feeds::{element, rfc822, rss_of};
use super::site::{ADDRESS, Post, Row, Site};
use super::{check, check_rows, lesson, rows, same};

/// A post that links to this address.
fn linked(post: &Post, href: &str) -> String {
    format!(
        "<div class=\"post\">\n<h2><a href=\"{href}\">{}</a></h2>\n<p class=\"date\">{}</p>\n\
         <div class=\"text\">{}</div>\n</div>\n",
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

/// The feed with these elements for links.
fn feed_of(posts: &[Post], link: impl Fn(&Post) -> String) -> String {
    rss_of(posts, |post| {
        element("title", &post.title)
            + &link(post)
            + &element("pubDate", &rfc822(post))
            + &element("description", &post.html())
    })
}

/// A site whose feed has other links than its pages, which have their paths.
fn feed_links(link: impl Fn(&Post) -> String + 'static) -> Site {
    let site = Site::new(|post| linked(post, &post.path)).with_entries(single);
    site.with_feed(move |posts| feed_of(posts, |post| element("link", &link(post))))
}

#[test]
fn relative_on_the_page() {
    check(&feed_links(Post::link));
}

#[test]
fn relative_to_a_base_element() {
    fn based(kind: &str, content: &str) -> String {
        super::site::frame(kind, content).replace("<head>", "<head><base href=\"https://meadow.example/2013/\">")
    }
    let site = Site::new(|post| linked(post, &format!("..{}", post.path)));
    check(&site.with_frame(based));
}

#[test]
fn another_scheme_in_the_feed() {
    check(&feed_links(|post| post.link().replace("https:", "http:")));
}

#[test]
fn www_in_the_feed() {
    check(&feed_links(|post| post.link().replace("//", "//www.")));
}

#[test]
fn another_host_in_the_feed() {
    check(&feed_links(|post| post.link().replace("meadow.example", "meadow-blog.farm.example")));
}

#[test]
fn where_readers_came_from_in_the_feed() {
    check(&feed_links(|post| post.link() + "?utm_source=feed&utm_medium=rss&utm_campaign=meadow"));
}

#[test]
fn where_readers_came_from_on_the_page() {
    let site = Site::new(|post| linked(post, &format!("{}?utm_source=home", post.path))).with_entries(single);
    check_rows(&site, |post| Row { link: Some(post.link() + "?utm_source=home"), ..post.row() });
}

#[test]
fn through_a_service_that_tells_the_original() {
    let link = |post: &Post| {
        element("link", &format!("https://feeds.example/~r/meadow/~3/x{}y/", post.number * 7919))
            + &element("feedburner:origLink", &post.link())
    };
    let site = Site::new(|post| linked(post, &post.path)).with_entries(single);
    check(&site.with_feed(move |posts| feed_of(posts, link)));
}

#[test]
fn through_a_service_that_tells_nothing() {
    check(&feed_links(|post| format!("https://feeds.example/~r/meadow/~3/x{}y/", post.number * 7919)));
}

#[test]
fn a_guid_alone_in_the_feed() {
    let site = Site::new(|post| linked(post, &post.path)).with_entries(single);
    let link = |post: &Post| format!("<guid isPermaLink=\"true\">{}</guid>\n", post.link());
    check(&site.with_feed(move |posts| feed_of(posts, link)));
}

#[test]
fn references_in_addresses() {
    let named = |post: &mut Post| post.path = format!("/story?id={}&lang=en", 300 - post.number);
    let site = Site::new(|post| linked(post, &post.path.replace('&', "&amp;"))).with_entries(single);
    check(&site.with_posts(named));
}

#[test]
fn letters_that_addresses_write_as_numbers() {
    let named = |post: &mut Post| post.path = format!("/heu/f%C3%BCr-{}/", post.number);
    let site = Site::new(|post| linked(post, &post.path.replace("%C3%BC", "ü"))).with_entries(single);
    check(&site.with_posts(named));
}

#[test]
fn an_anchor_of_the_page() {
    let entry = |post: &Post| {
        format!(
            "<div class=\"post\"><a name=\"e{0}\"></a><h2>{1}</h2><p class=\"date\">{2}</p>\n<div class=\"text\">{3}</div>\n\
             <p class=\"foot\"><a href=\"/#e{0}\">link</a></p></div>\n",
            post.number,
            post.title,
            post.english(),
            post.html()
        )
    };
    let named = |post: &mut Post| post.path = format!("/#e{}", post.number);
    check(&Site::new(entry).with_posts(named));
}

#[test]
fn links_in_bodies_to_other_entries() {
    let entry = |post: &Post| {
        let other = &super::site::posts()[(post.number + 1) % 5];
        let first = format!("<p><a href=\"{}\">{}</a> ", other.path, other.title);
        linked(post, &post.path).replacen("<div class=\"text\"><p>", &format!("<div class=\"text\">{first}"), 1)
    };
    let text = |post: &Post| format!("{} {}", super::site::posts()[(post.number + 1) % 5].title, post.text());
    let site = Site::new(entry).with_feed(move |posts| super::feeds::rss_saying(posts, text));
    check_rows(&site, |post| Row { body: Some(text(post)), ..post.row() });
}

/// A page that is known by the address that it tells, not by where it was read from.
#[test]
fn pages_from_files() {
    fn canonical(kind: &str, content: &str) -> String {
        let html = super::site::frame(kind, content);
        html.replace("<head>", &format!("<head><link rel=\"canonical\" href=\"{ADDRESS}/\">"))
    }
    let site = Site::new(|post| linked(post, &post.path)).with_frame(canonical);
    let wrapper = lesson(&site).wrapper;
    let expected: Vec<Row> = site.posts[..site.shown].iter().map(Post::row).collect();
    same(&rows(&wrapper, "home.html", &site.home()), &expected, &wrapper, "home.html");
}

#[test]
fn a_link_to_the_comments_in_front_of_the_permalink() {
    let entry = |post: &Post| {
        let top = format!(
            "<div class=\"top\"><a href=\"{0}#comments\">3 comments</a> <a href=\"{0}\">★</a></div>",
            post.path
        );
        format!(
            "<div class=\"post\">{top}<h3 class=\"title\">{}</h3>\n<p class=\"date\">{}</p>\n<div class=\"text\">{}</div></div>\n",
            post.title,
            post.english(),
            post.html()
        )
    };
    check(&Site::new(entry));
}

#[test]
fn a_page_that_does_not_say_its_address() {
    let site = Site::new(|post| linked(post, &post.link()));
    let home = Arc::new(Page::from_text("home.html", site.home()));
    let lesson = learn(&site.items(), &[home], &Options::default()).unwrap();
    let expected: Vec<Row> = site.posts[..site.shown].iter().map(Post::row).collect();
    same(&rows(&lesson.wrapper, "home.html", &site.home()), &expected, &lesson.wrapper, "home.html");
}
