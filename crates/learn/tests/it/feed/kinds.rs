//! Index pages and entry pages, told apart: the rules of one find nothing on the other.

use std::sync::Arc;

use windrow_learn::feed::{Options, PageKind, learn};
use windrow_wrapper::{Page, Wrapper};

use super::site::{ADDRESS, Post, Row, Site, frame};
use super::{check, lesson, paper, rows, same};

/// A post, the same on all pages.
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

/// What readers said, as posts are written.
const COMMENTS: &str = "<div id=\"comments\">\n<h3>Two readers said</h3>\n\
     <div class=\"comment\"><p class=\"date\">August 9, 2013</p><div class=\"text\"><p>It rained here, too.</p></div></div>\n\
     <div class=\"comment\"><p class=\"date\">August 10, 2013</p><div class=\"text\"><p>Not here.</p></div></div>\n</div>\n";

/// A page that does not say of which kind it is.
fn nameless(_kind: &str, content: &str) -> String {
    frame("", content).replace(" class=\"\"", "")
}

#[test]
fn by_the_name_of_the_page() {
    check(&Site::new(shown).with_entries(|post| shown(post).replace("h2>", "h1>")));
}

#[test]
fn by_comments() {
    let single = |post: &Post| shown(post).replace("h2>", "h1>") + COMMENTS;
    check(&Site::new(shown).with_frame(nameless).with_entries(single));
}

#[test]
fn by_a_heading() {
    let single = |post: &Post| {
        let html = shown(post);
        html.replace("<h2>", "<h1 class=\"headline\">").replace("</h2>", "</h1>")
    };
    check(&Site::new(shown).with_frame(nameless).with_entries(single));
}

#[test]
fn comments_on_some_entry_pages() {
    let single = |post: &Post| {
        let html = shown(post).replace("h2>", "h1>");
        if post.number.is_multiple_of(2) { html + COMMENTS } else { html }
    };
    check(&Site::new(shown).with_entries(single));
}

#[test]
fn comments_that_are_written_as_posts() {
    let single = |post: &Post| {
        format!(
            "<div class=\"article\">{}</div>\n{}",
            shown(post).replace("h2>", "h1>"),
            COMMENTS.replace("comment\"", "post\"")
        )
    };
    check(&Site::new(shown).with_entries(single));
}

#[test]
fn neighbours_on_entry_pages() {
    let posts = super::site::posts();
    let single = move |post: &Post| {
        let other = |at: usize| format!("<a href=\"{}\">{}</a>", posts[at].path, posts[at].title);
        let (next, last) = (post.number.saturating_sub(1), (post.number + 1).min(posts.len() - 1));
        format!("<p class=\"nav\">{} | {}</p>\n{}", other(last), other(next), shown(post).replace("h2>", "h1>"))
    };
    check(&Site::new(shown).with_entries(single));
}

#[test]
fn each_rule_for_its_own_pages() {
    let site = Site::new(paper::story).with_entries(paper::single);
    let wrapper = lesson(&site).wrapper;
    assert_eq!(wrapper.rules.len(), 2);
    let alone = |at: usize| Wrapper { rules: vec![wrapper.rules[at].clone()], ..Wrapper::default() };
    for post in &site.posts {
        assert_eq!(rows(&alone(0), &post.link(), &site.page(post).unwrap()), []);
    }
    for html in [site.home(), site.older()] {
        assert_eq!(rows(&alone(1), ADDRESS, &html), []);
    }
}

/// Where nothing differs, one rule does for both.
#[test]
fn entry_pages_that_are_index_pages_with_one_entry() {
    let site = Site::new(shown).with_frame(nameless).with_entries(shown);
    let wrapper = lesson(&site).wrapper;
    super::check_wrapper(&wrapper, &Site::new(shown).with_frame(nameless), &Post::row);
    for post in &site.posts {
        let found = rows(&wrapper, &post.link(), &site.page(post).unwrap());
        let row = Row { link: found.first().and_then(|row| row.link.clone()), ..post.row() };
        assert!(row.link.is_none() || row.link == Some(post.link()));
        same(&found, &[row], &wrapper, &post.path);
    }
}

#[test]
fn further_pages_are_taken_for_what_they_show() {
    let site = Site::new(paper::story).with_entries(paper::single);
    let about =
        frame("page", "<div class=\"static\"><h1>About</h1><p>A meadow near a river, and who mows it.</p></div>\n");
    let title = |post: &Post| format!("<li>{}: <a href=\"{}\">{}</a></li>\n", post.english(), post.path, post.title);
    let list = format!(
        "<h1>All of 2013</h1>\n<ul class=\"archive\">\n{}</ul>\n",
        site.posts.iter().map(title).collect::<String>()
    );
    let mut pages = site.pages();
    for (name, html) in [("/page/2/", site.older()), ("/about/", about), ("/2013/", frame("archive", &list))] {
        pages.push(Arc::new(Page::from_text(format!("{ADDRESS}{name}"), html)));
    }
    let lesson = learn(&site.items(), &pages, &Options::default()).unwrap();
    let entry = PageKind::Entry;
    let expected = [PageKind::Index, entry, entry, entry, entry, PageKind::Index, PageKind::Other, PageKind::Titles];
    assert_eq!(lesson.kinds, expected);
    super::check_wrapper(&lesson.wrapper, &site, &Post::row);
}

/// On pages of neither kind there is nothing that looks like an entry with a body.
#[test]
fn pages_of_neither_kind() {
    let site = Site::new(paper::story).with_entries(paper::single);
    let wrapper = lesson(&site).wrapper;
    let about =
        frame("page", "<div class=\"static\"><h1>About</h1><p>A meadow near a river, and who mows it.</p></div>\n");
    let found = rows(&wrapper, &format!("{ADDRESS}/about/"), &about);
    assert!(found.iter().all(|row| row.body.is_none() && row.title.is_none()), "{found:?}");
}

/// Only the titles of older posts on the home page, below the newest in full.
#[test]
fn titles_below_the_entries() {
    let index = |posts: &[Post]| {
        let full: String = posts.iter().map(shown).collect();
        let title = |post: &Post| format!("<li><a href=\"{}\">{}</a></li>\n", post.path, post.title);
        format!("{full}<ul class=\"more\">\n{}</ul>\n", super::site::posts()[6..].iter().map(title).collect::<String>())
    };
    check(&Site::new(shown).with_index(index));
}

/// One entry is shown in full in front, the others as teasers in the same way.
#[test]
fn a_first_entry_that_is_larger() {
    let index = |posts: &[Post]| {
        let (first, rest) = posts.split_first().unwrap();
        let rest: String = rest.iter().map(shown).collect();
        shown(first).replace("<div class=\"post\">", "<div class=\"post first sticky\">") + &rest
    };
    check(&Site::new(shown).with_index(index));
}

/// A tool that marks every second entry.
#[test]
fn entries_of_two_looks() {
    let index = |posts: &[Post]| {
        let entry = |post: &Post| {
            let class = if post.number.is_multiple_of(2) { "post even" } else { "post odd" };
            shown(post).replace("class=\"post\"", &format!("class=\"{class}\" id=\"post-{}\"", 70 - post.number))
        };
        posts.iter().map(entry).collect::<String>()
    };
    check(&Site::new(shown).with_index(index));
}

/// Advertisements between the entries are none.
#[test]
fn what_stands_between_entries() {
    let index = |posts: &[Post]| {
        let entry = |post: &Post| {
            let ad = "<div class=\"advert\"><h2><a href=\"https://ads.example/\">Rakes</a></h2><p>Half the price.</p></div>\n";
            shown(post) + if post.number % 3 == 1 { ad } else { "" }
        };
        posts.iter().map(entry).collect::<String>()
    };
    check(&Site::new(shown).with_index(index));
}

/// As old pages were made: a table, and nothing that is named.
#[test]
fn cells_of_a_table() {
    let row = |post: &Post| {
        format!(
            "<tr><td><font size=\"4\"><a href=\"{}\">{}</a></font></td><td align=\"right\">{}</td></tr>\n\
             <tr><td colspan=\"2\">{}</td></tr>\n",
            post.path,
            post.title,
            post.english(),
            post.html()
        )
    };
    let index = move |posts: &[Post]| format!("<table>\n{}</table>\n", posts.iter().map(row).collect::<String>());
    check(&Site::new(shown).with_index(index));
}

#[test]
fn entry_pages_that_repeat_the_list_of_the_home_page() {
    let list = |posts: &[Post]| format!("<div>\n{}</div>\n", posts.iter().map(shown).collect::<String>());
    let newest = list(&super::site::posts()[..6]);
    let single = move |post: &Post| format!("<div>\n{}</div>\n<div>\n{newest}</div>\n", shown(post));
    check(&Site::new(shown).with_index(list).with_frame(nameless).with_entries(single));
}
