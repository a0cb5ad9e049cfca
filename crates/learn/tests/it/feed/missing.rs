//! Values that are missing, on the page or in the feed (the paper's error class 8).

use super::feeds::{element, heads, rfc822, rss_of};
use super::site::{Post, Row, Site};
use super::{check, check_rows};

/// A post; without a title if it is empty, and without a body if that is.
fn shown(post: &Post) -> String {
    let title = match post.title.is_empty() {
        true => String::new(),
        false => format!("<h2><a href=\"{}\">{}</a></h2>\n", post.path, post.title),
    };
    format!(
        "<div class=\"post\">\n{title}<p class=\"date\"><a href=\"{}\">{}</a></p>\n<div class=\"text\">{}</div>\n</div>\n",
        post.path,
        post.english(),
        post.html()
    )
}

fn single(post: &Post) -> String {
    let title = match post.title.is_empty() {
        true => String::new(),
        false => format!("<h1>{}</h1>\n", post.title),
    };
    format!(
        "<div class=\"full\">\n{title}<p class=\"date\">{}</p>\n<div class=\"text\">{}</div>\n</div>\n",
        post.english(),
        post.html()
    )
}

fn present(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

#[test]
fn an_entry_without_a_title() {
    let site = Site::new(shown).with_posts(|post| {
        if matches!(post.number, 2 | 8) {
            post.title.clear();
        }
    });
    check_rows(&site, |post| Row { title: present(&post.title), ..post.row() });
}

#[test]
fn entries_without_titles() {
    let site = Site::new(shown).with_posts(|post| post.title.clear());
    check_rows(&site, |post| Row { title: None, ..post.row() });
}

#[test]
fn an_entry_page_without_a_title() {
    let site = Site::new(shown).with_entries(single).with_posts(|post| {
        if matches!(post.number, 2 | 8) {
            post.title.clear();
        }
    });
    check_rows(&site, |post| Row { title: present(&post.title), ..post.row() });
}

#[test]
fn titles_that_the_feed_lacks() {
    let site = Site::new(shown).with_entries(single);
    check(&site.with_feed(|posts| {
        rss_of(posts, |post| {
            element("link", &post.link()) + &element("pubDate", &rfc822(post)) + &element("description", &post.html())
        })
    }));
}

#[test]
fn dates_that_the_feed_lacks() {
    let site = Site::new(shown).with_entries(single);
    check(&site.with_feed(|posts| {
        rss_of(posts, |post| {
            element("title", &post.title) + &element("link", &post.link()) + &element("description", &post.html())
        })
    }));
}

#[test]
fn dates_that_the_page_lacks() {
    let undated = |post: &Post| {
        format!(
            "<div class=\"post\">\n<h2><a href=\"{}\">{}</a></h2>\n<div class=\"text\">{}</div>\n</div>\n",
            post.path,
            post.title,
            post.html()
        )
    };
    let named = |post: &mut Post| post.path = format!("/story/{}", post.number);
    check_rows(&Site::new(undated).with_posts(named), |post| Row { date: None, ..post.row() });
}

#[test]
fn a_date_that_one_entry_lacks() {
    let site = Site::new(|post| {
        let html = shown(post);
        if matches!(post.number, 1 | 7) { html.replace(&post.english(), "Some day") } else { html }
    });
    let site = site.with_posts(|post| post.path = format!("/story/{}", post.number));
    let wrapper = super::lesson(&site).wrapper;
    for (name, html, from) in [("/", site.home(), 0), ("/page/2/", site.older(), 6)] {
        let rows = super::of_four(super::rows(&wrapper, &format!("{}{name}", super::ADDRESS), &html));
        let date = |post: &Post| match post.number {
            1 | 7 => rows.get(post.number - from).and_then(|row| row.date.clone()),
            _ => Some(post.iso()),
        };
        let expected: Vec<Row> =
            site.posts[from..from + 6].iter().map(|post| Row { date: date(post), ..post.row() }).collect();
        super::same(&rows, &expected, &wrapper, name);
        let undated = rows[1].date.as_deref();
        assert!(undated.is_none_or(|date| date.starts_with("no date")), "a date of another entry: {undated:?}");
    }
}

#[test]
fn bodies_that_the_feed_lacks() {
    let site = Site::new(shown).with_entries(single);
    check(&site.with_feed(|posts| rss_of(posts, heads)));
}

#[test]
fn links_that_the_feed_lacks() {
    let site = Site::new(shown);
    check(&site.with_feed(|posts| {
        rss_of(posts, |post| {
            element("title", &post.title) + &element("pubDate", &rfc822(post)) + &element("description", &post.html())
        })
    }));
}

#[test]
fn an_entry_without_a_body() {
    let site = Site::new(|post| shown(post).replace("<div class=\"text\"></div>\n", ""));
    let site = site.with_posts(|post| {
        if matches!(post.number, 3 | 9) {
            post.paragraphs.clear();
        }
    });
    check_rows(&site, |post| Row { body: present(&post.text()), ..post.row() });
}

#[test]
fn entries_that_are_pictures() {
    let site = Site::new(|post| {
        let html = shown(post);
        match post.number {
            3 | 9 => html.replace("<div class=\"text\">", "<div class=\"text\"><img src=\"/hay.jpg\" alt=\"\">"),
            _ => html,
        }
    });
    let site = site.with_posts(|post| {
        if matches!(post.number, 3 | 9) {
            post.paragraphs.clear();
        }
    });
    check_rows(&site, |post| Row { body: Some(post.text()), ..post.row() });
}

#[test]
fn home_page_shows_more_than_the_feed() {
    let mut site = Site::new(shown).with_entries(single);
    site.learned = 3;
    check(&site.with_feed(|posts| super::feeds::rss(&posts[..3])));
}

#[test]
fn the_feed_has_more_than_the_home_page() {
    let site = Site::new(shown).with_entries(single);
    check(&site.with_feed(|_| super::feeds::rss(&super::site::posts())));
}

#[test]
fn a_home_page_with_one_entry() {
    let mut site = Site::new(shown).with_entries(single);
    site.shown = 1;
    site.learned = 1;
    check(&site);
}

#[test]
fn two_entries() {
    let mut site = Site::new(shown).with_entries(single);
    site.shown = 2;
    site.learned = 2;
    check(&site);
}

/// An entry without a title in the box of a day that has no other entry.
#[test]
fn an_entry_without_a_title_in_a_box_of_its_own() {
    let untitled = |post: &mut Post| {
        if post.number.is_multiple_of(6) {
            post.title.clear();
        }
    };
    let entry = |post: &Post| {
        let title = format!("<h3><a href=\"{}\">{}</a></h3>", post.path, post.title);
        let title = if post.title.is_empty() { String::new() } else { title };
        format!(
            "<div class=\"day\"><div class=\"post\">{title}\n<div class=\"text\">{}</div>\n<p class=\"date\">{}</p>\
             <a class=\"permalink\" href=\"{}\">permalink</a></div></div>\n",
            post.html(),
            post.english(),
            post.path
        )
    };
    let row = |post: &Post| Row { title: present(&post.title), ..post.row() };
    check_rows(&Site::new(entry).with_posts(untitled), row);
}
