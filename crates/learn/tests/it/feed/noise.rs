//! What stands in and around bodies and is none of them (the paper's error class 6): bars to share it, links to the whole,
//! advertisements, boxes about the author.

use super::check;
use super::feeds::rss_saying;
use super::site::{Post, Row, Site};

fn shown(post: &Post, body: &str) -> String {
    format!(
        "<div class=\"post hentry\">\n<h2 class=\"entry-title\"><a href=\"{}\">{}</a></h2>\n\
         <span class=\"date\">{}</span>\n<div class=\"entry-content\">{body}</div>\n</div>\n",
        post.path,
        post.title,
        post.english()
    )
}

fn single(post: &Post, body: &str) -> String {
    format!(
        "<div class=\"post full\">\n<h1 class=\"entry-title\">{}</h1>\n<span class=\"date\">{}</span>\n\
         <div class=\"entry-content\">{body}</div>\n</div>\n",
        post.title,
        post.english()
    )
}

const SHARE: &str = "<div class=\"sharing\"><ul><li><a href=\"https://t.example/share\">Tweet</a></li>\
                     <li><a href=\"https://f.example/share\">Like this</a></li></ul></div>\n";

#[test]
fn a_bar_to_share_behind_the_body() {
    let body = |post: &Post| post.html() + SHARE;
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn a_bar_to_share_in_front_of_the_body() {
    let body = |post: &Post| SHARE.to_owned() + &post.html();
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn a_link_to_the_whole() {
    let body = |post: &Post| {
        format!(
            "<p>{}</p>\n<p><a class=\"more-link\" href=\"{}#more\">Read the rest</a></p>",
            post.paragraphs[0], post.path
        )
    };
    let site = Site::new(move |post| shown(post, &body(post)));
    super::check_rows(&site, |post| Row { body: Some(post.paragraphs[0].clone()), ..post.row() });
}

#[test]
fn a_link_to_the_whole_with_the_title_in_it() {
    let body = |post: &Post| {
        format!(
            "<p>{} <a class=\"more\" href=\"{}\">Continue reading {} →</a></p>",
            post.paragraphs[0], post.path, post.title
        )
    };
    let site = Site::new(move |post| shown(post, &body(post)));
    let site = site.with_feed(|posts| rss_saying(posts, |post| post.paragraphs[0].clone() + " [...]"));
    super::check_rows(&site, |post| Row { body: Some(post.paragraphs[0].clone()), ..post.row() });
}

#[test]
fn an_advertisement_in_the_middle() {
    let body = |post: &Post| {
        let (first, rest) = post.paragraphs.split_first().unwrap();
        let rest: String = rest.iter().map(|text| format!("<p>{text}</p>")).collect();
        format!(
            "<p>{first}</p><div class=\"advert\"><a href=\"https://ads.example/\">Rakes at half price</a></div>{rest}"
        )
    };
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn another_advertisement_in_each() {
    const GOODS: [&str; 5] =
        ["Rakes at half price", "Twine for less", "A barn in a day", "Gloves that last", "Used balers"];
    let body = |post: &Post| {
        let (first, rest) = post.paragraphs.split_first().unwrap();
        let rest: String = rest.iter().map(|text| format!("<p>{text}</p>")).collect();
        let goods = GOODS[post.number % 5];
        format!("<p>{first}</p><div class=\"advert\"><a href=\"https://ads.example/\">{goods}</a></div>{rest}")
    };
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn a_box_about_the_author() {
    let about = |post: &Post| {
        format!(
            "<div class=\"author-box\"><h4>About {0}</h4><p>{0} has mown this meadow for years and writes about it when \
             it rains.</p></div>",
            post.author
        )
    };
    let body = move |post: &Post| post.html() + &about(post);
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn related_posts_behind_the_body() {
    let body = |post: &Post| {
        let other = |step: usize| format!("<li><a href=\"/old/{0}/\">Older story {0}</a></li>", post.number * 3 + step);
        format!("{}<div class=\"related\"><h3>See also</h3><ul>{}{}</ul></div>", post.html(), other(1), other(2))
    };
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}

#[test]
fn scripts_styles_and_comments() {
    let body = |post: &Post| {
        format!(
            "<!-- {0} --><style>.x{{color:red}}</style>{1}<script>var post = {0}; document.write(\"<p>no</p>\");</script>",
            post.number,
            post.html()
        )
    };
    check(&Site::new(move |post| shown(post, &body(post))).with_entries(move |post| single(post, &body(post))));
}
