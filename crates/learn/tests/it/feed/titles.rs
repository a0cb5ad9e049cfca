//! Titles that are not the same on the page and in the feed: cut short (the paper's error class 1), or other words (3).

use super::feeds::{element, heads, rfc822, rss_of};
use super::site::{Post, Row, Site};
use super::{check, check_rows};

/// A post as a theme with named parts has it, under this title.
fn post_under(post: &Post, title: &str) -> String {
    format!(
        "<article class=\"post\">\n<h2 class=\"entry-title\"><a href=\"{}\">{title}</a></h2>\n\
         <p class=\"entry-date\">{}</p>\n<div class=\"entry-content\">{}</div>\n</article>\n",
        post.path,
        post.english(),
        post.html()
    )
}

fn single_under(post: &Post, title: &str) -> String {
    format!(
        "<article class=\"full\">\n<h1 class=\"entry-title\">{title}</h1>\n<p class=\"entry-date\">{}</p>\n\
         <div class=\"entry-content\">{}</div>\n</article>\n",
        post.english(),
        post.html()
    )
}

/// The feed with other titles than the posts have.
fn titled(posts: &[Post], title: impl Fn(&Post) -> String) -> String {
    rss_of(posts, |post| {
        let title = element("title", &title(post));
        title
            + &element("link", &post.link())
            + &element("pubDate", &rfc822(post))
            + &element("description", &post.html())
    })
}

/// The first words of a long title.
fn abbreviated(title: &str, sign: &str) -> String {
    match title.char_indices().nth(14).and_then(|(at, _)| title[..at].rfind(' ')) {
        Some(end) => format!("{}{sign}", &title[..end]),
        None => title.to_owned(),
    }
}

#[test]
fn abbreviated_in_the_feed() {
    let site = Site::new(|post| post_under(post, &post.title)).with_entries(|post| single_under(post, &post.title));
    check(&site.with_feed(|posts| titled(posts, |post| abbreviated(&post.title, "..."))));
}

#[test]
fn abbreviated_in_the_feed_with_brackets() {
    let site = Site::new(|post| post_under(post, &post.title));
    check(&site.with_feed(|posts| titled(posts, |post| abbreviated(&post.title, " [...]"))));
}

#[test]
fn abbreviated_in_the_feed_without_a_sign() {
    let site = Site::new(|post| post_under(post, &post.title));
    check(&site.with_feed(|posts| titled(posts, |post| abbreviated(&post.title, ""))));
}

#[test]
fn abbreviated_on_the_page() {
    let short = |post: &Post| abbreviated(&post.title, "…");
    let site = Site::new(move |post| post_under(post, &short(post)));
    check_rows(&site, |post| Row { title: Some(short(post)), ..post.row() });
}

#[test]
fn abbreviated_on_index_pages_and_whole_on_entry_pages() {
    let short = |post: &Post| abbreviated(&post.title, "…");
    let site =
        Site::new(move |post| post_under(post, &short(post))).with_entries(|post| single_under(post, &post.title));
    let wrapper = super::lesson(&site).wrapper;
    let index = Site::new(move |post| post_under(post, &short(post)));
    super::check_wrapper(&wrapper, &index, &|post| Row { title: Some(short(post)), ..post.row() });
    for post in &site.posts {
        let rows = super::rows(&wrapper, &post.link(), &site.page(post).unwrap());
        super::same(&rows, &[Row { link: None, ..post.row() }], &wrapper, &post.path);
    }
}

#[test]
fn the_author_in_front_of_the_feeds_titles() {
    let site = Site::new(|post| post_under(post, &post.title)).with_entries(|post| single_under(post, &post.title));
    check(&site.with_feed(|posts| titled(posts, |post| format!("{}: {}", post.author, post.title))));
}

#[test]
fn the_author_in_front_of_the_pages_titles() {
    let signed = |post: &Post| format!("{}: {}", post.author, post.title);
    let site = Site::new(move |post| post_under(post, &signed(post)))
        .with_entries(move |post| single_under(post, &signed(post)));
    check_rows(&site, |post| Row { title: Some(signed(post)), ..post.row() });
}

/// With the signs that typesetters use.
fn typographic(title: &str) -> String {
    title.replace('\'', "’").replace(" a ", " “a” ").replace(" of ", " — of ")
}

#[test]
fn typographic_on_the_page() {
    let site = Site::new(|post| post_under(post, &typographic(&post.title)))
        .with_entries(|post| single_under(post, &typographic(&post.title)));
    check_rows(&site, |post| Row { title: Some(typographic(&post.title)), ..post.row() });
}

#[test]
fn capitals_and_references_on_the_page() {
    let loud = |post: &Post| post.title.to_uppercase().replace('\'', "&#8217;").replace(' ', "&nbsp;");
    let site = Site::new(move |post| post_under(post, &loud(post)));
    check_rows(&site, |post| {
        let title = post.title.to_uppercase().replace('\'', "’");
        Row { title: Some(title), ..post.row() }
    });
}

#[test]
fn other_words_on_the_page_that_link_to_the_same() {
    let other = |post: &Post| format!("No. {} of our farm", 200 - post.number);
    let site = Site::new(move |post| post_under(post, &other(post)));
    check_rows(&site, |post| Row { title: Some(other(post)), ..post.row() });
}

#[test]
fn one_post_of_six_has_another_title_in_the_feed() {
    let title = |post: &Post| if post.number == 2 { "It poured".to_owned() } else { post.title.clone() };
    let site = Site::new(|post| post_under(post, &post.title)).with_entries(|post| single_under(post, &post.title));
    check(&site.with_feed(move |posts| titled(posts, title)));
}

#[test]
fn titles_that_say_the_same() {
    let site = Site::new(|post| post_under(post, &post.title)).with_entries(|post| single_under(post, &post.title));
    check(&site.with_posts(|post| {
        if post.number % 2 == 1 {
            post.title = "Weekly notes".to_owned();
        }
    }));
}

#[test]
fn titles_that_are_not_links() {
    let plain = |post: &Post| {
        format!(
            "<div class=\"post\"><h2>{}</h2><div class=\"text\">{}</div>\n\
             <p class=\"foot\">{} | <a href=\"{}\">Permalink</a></p></div>\n",
            post.title,
            post.html(),
            post.english(),
            post.path
        )
    };
    check(&Site::new(plain));
}

#[test]
fn titles_with_markup() {
    let marked =
        |post: &Post| post.title.replacen(' ', " <em>", 1) + if post.title.contains(' ') { "</em>" } else { "" };
    let site = Site::new(move |post| post_under(post, &marked(post)))
        .with_entries(move |post| single_under(post, &marked(post)));
    check(&site.with_feed(|posts| rss_of(posts, |post| heads(post) + &element("description", &post.html()))));
}

/// Titles that begin alike, and other entries below them on entry pages.
#[test]
fn titles_that_begin_with_what_could_be_a_label() {
    let tutorial = |post: &mut Post| post.title = format!("Tutorial: {}", post.title);
    let single = |post: &Post| {
        let others = "<h2 class=\"headline\">Tutorial: Knots</h2><h2 class=\"headline\">Tutorial: Ropes</h2>";
        format!("{}<div class=\"related\">{others}</div>", single_under(post, &post.title))
    };
    check(&Site::new(|post| post_under(post, &post.title)).with_entries(single).with_posts(tutorial));
}
