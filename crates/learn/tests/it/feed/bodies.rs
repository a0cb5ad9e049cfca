//! Feeds that do not have the whole bodies (the paper's error class 4), and bodies that are no element of their own.

use super::feeds::{element, heads, rss_of, rss_saying};
use super::site::{Post, Row, Site, words};
use super::{check, check_rows};

fn shown(post: &Post, body: &str) -> String {
    format!(
        "<div class=\"entry\">\n<h2><a href=\"{}\">{}</a></h2>\n<div class=\"date\">{}</div>\n\
         <div class=\"text\">{body}</div>\n<div class=\"foot\">Filed by the farmer</div>\n</div>\n",
        post.path,
        post.title,
        post.english()
    )
}

fn single(post: &Post) -> String {
    format!(
        "<div class=\"article\">\n<h1>{}</h1>\n<div class=\"date\">{}</div>\n<div class=\"text\">{}</div>\n\
         <div class=\"foot\">Filed by the farmer</div>\n</div>\n",
        post.title,
        post.english(),
        post.html()
    )
}

/// The first words of a text, and a sign that there are more.
fn beginning(text: &str, words: usize) -> String {
    text.split(' ').take(words).collect::<Vec<_>>().join(" ") + " [...]"
}

#[test]
fn the_feed_has_the_first_words() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_feed(|posts| rss_saying(posts, |post| beginning(&post.text(), 12))));
}

#[test]
fn the_feed_has_the_first_paragraph() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_feed(|posts| rss_saying(posts, |post| format!("<p>{}</p>", post.paragraphs[0]))));
}

#[test]
fn the_feed_has_an_abstract_in_other_words() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_feed(|posts| rss_saying(posts, |post| words(900 + post.number, 20))));
}

#[test]
fn index_pages_have_the_first_paragraph_and_the_feed_the_whole() {
    let first = |post: &Post| format!("<p>{}</p>", post.paragraphs[0]);
    let site = Site::new(move |post| shown(post, &first(post)));
    check_rows(&site, |post| Row { body: Some(post.paragraphs[0].clone()), ..post.row() });
}

#[test]
fn index_pages_have_the_first_words_and_entry_pages_the_whole() {
    let first = |post: &Post| format!("<p>{}</p>", beginning(&post.text(), 15));
    let site = Site::new(move |post| shown(post, &first(post))).with_entries(single);
    let wrapper = super::lesson(&site).wrapper;
    let index = Site::new(move |post| shown(post, &first(post)));
    super::check_wrapper(&wrapper, &index, &|post| Row { body: Some(beginning(&post.text(), 15)), ..post.row() });
    for post in &site.posts {
        let rows = super::rows(&wrapper, &post.link(), &site.page(post).unwrap());
        super::same(&rows, &[Row { link: None, ..post.row() }], &wrapper, &post.path);
    }
}

#[test]
fn the_feed_has_both_a_summary_and_the_whole() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_feed(|posts| {
        rss_of(posts, |post| {
            heads(post)
                + &element("description", &words(700 + post.number, 14))
                + &element("content:encoded", &post.html())
        })
    }));
}

/// As Movable Type had it: all in one element, in which nothing is named but the foot.
fn movable(post: &Post) -> String {
    format!(
        "<h3 class=\"title\"><a href=\"{}\">{}</a></h3>\n{}<div class=\"posted\">Posted on {} | \
         <a href=\"{0}\">Permalink</a></div>\n",
        post.path,
        post.title,
        post.html(),
        post.english()
    )
}

#[test]
fn runs_of_siblings_in_records_that_are_runs() {
    check(&Site::new(movable));
}

#[test]
fn runs_of_siblings_in_an_element() {
    check(&Site::new(|post| format!("<div class=\"blogbody\">\n{}</div>\n", movable(post))));
}

#[test]
fn runs_of_siblings_on_entry_pages() {
    let single = |post: &Post| {
        format!(
            "<div class=\"blogbody\">\n<h3 class=\"title\">{}</h3>\n{}<div class=\"posted\">Posted on {}</div>\n\
             <h2 id=\"comments\">Comments</h2>\n<p>Good to know.</p>\n</div>\n",
            post.title,
            post.html(),
            post.english()
        )
    };
    let site = Site::new(|post| format!("<div class=\"blogbody\">\n{}</div>\n", movable(post))).with_entries(single);
    check(&site);
}

#[test]
fn runs_of_siblings_of_which_the_feed_has_the_first_words() {
    let site = Site::new(|post| format!("<div class=\"blogbody\">\n{}</div>\n", movable(post)));
    check(&site.with_feed(|posts| rss_saying(posts, |post| beginning(&post.text(), 10))));
}

#[test]
fn paragraphs_with_lists_quotes_and_headings() {
    let rich = |post: &mut Post| {
        let quote = words(300 + post.number, 12);
        post.paragraphs.push(quote);
    };
    let html = |post: &Post| {
        let (last, first) = post.paragraphs.split_last().unwrap();
        let items: String = first.iter().skip(1).map(|text| format!("<li>{text}</li>")).collect();
        let list = if items.is_empty() { String::new() } else { format!("<ul>{items}</ul>") };
        format!("<p>{}</p>{list}<blockquote><p>{last}</p></blockquote>", first[0])
    };
    let site = Site::new(move |post| shown(post, &html(post)));
    check(&site.with_posts(rich).with_feed(move |posts| rss_saying(posts, html)));
}

#[test]
fn text_that_no_element_holds() {
    let bare = |post: &Post| post.paragraphs.join("<br><br>\n");
    let loose = move |post: &Post| {
        format!(
            "<div class=\"day\"><b class=\"t\">{}</b><br>\n{}\n<span class=\"by\">{} <a href=\"{}\">#</a></span></div>\n",
            post.title,
            bare(post),
            post.english(),
            post.path
        )
    };
    check(&Site::new(loose).with_feed(move |posts| rss_saying(posts, bare)));
}

/// What the feed says is no part of the template, though all entries say it.
#[test]
fn a_sentence_that_all_bodies_end_with() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_posts(|post| post.paragraphs.push("Good night, and mind the gate.".to_owned())));
}

#[test]
fn a_sentence_that_all_bodies_begin_with() {
    let site = Site::new(|post| shown(post, &post.html())).with_entries(single);
    check(&site.with_posts(|post| post.paragraphs.insert(0, "Good morning, dear readers of this page.".to_owned())));
}
