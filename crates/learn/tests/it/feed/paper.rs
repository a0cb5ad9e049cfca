//! The paper's own case, its figure 3: a WordPress page of its time and an RSS 2.0 feed with whole bodies.

use windrow_learn::feed::{FIELDS, Form, How, Note, Options, PageKind};

use super::site::{Post, Site};
use super::{check, check_wrapper, lesson};

/// A post as WordPress's classic theme had it, its number for its address.
pub(super) fn story(post: &Post) -> String {
    format!(
        "<div class=\"post\" id=\"post-{0}\">\n<h3 class=\"storytitle\"><a href=\"{1}\" rel=\"bookmark\">{2}</a></h3>\n\
         <div class=\"meta\"><span class=\"when\">{3}</span> by the farmer</div>\n<!-- the story -->\n\
         <div class=\"storycontent\">\n{4}</div>\n<div class=\"feedback\"><a href=\"{1}#comments\">Comments (3)</a></div>\n\
         </div>\n",
        1570 - post.number,
        post.link(),
        post.title,
        post.english(),
        post.html()
    )
}

/// The page of one post, with what its readers said.
pub(super) fn single(post: &Post) -> String {
    story(post).replace("<div class=\"feedback\">", "<div class=\"feedback\" id=\"respond\">")
        + "<ol class=\"commentlist\"><li><p>Well said.</p></li><li><p>I had the same rain here.</p></li></ol>\n\
           <form id=\"commentform\" action=\"/comment\"><textarea name=\"comment\"></textarea></form>\n"
}

pub(super) fn by_number(post: &mut Post) {
    post.path = format!("/?p={}", 1570 - post.number);
}

#[test]
fn all_fields_of_index_pages() {
    check(&Site::new(story));
}

#[test]
fn addresses_that_differ_in_a_parameter() {
    check(&Site::new(story).with_posts(by_number));
}

#[test]
fn index_pages_and_entry_pages() {
    check(&Site::new(story).with_entries(single));
}

#[test]
fn whatever_is_held_back() {
    let site = Site::new(story).with_entries(single);
    for form in [Form::Best, Form::XPath] {
        for seed in 1..=20 {
            let lesson = site.learn(&Options::default().with_seed(seed).with_form(form)).unwrap();
            check_wrapper(&lesson.wrapper, &site, &Post::row);
        }
    }
}

#[test]
fn what_was_found_where() {
    let site = Site::new(story).with_entries(single);
    let lesson = lesson(&site);
    assert_eq!(lesson.kinds[0], PageKind::Index);
    assert_eq!(lesson.kinds[1..], [PageKind::Entry; 4]);
    let found: Vec<(usize, usize)> = lesson.matches.iter().map(|matched| (matched.page, matched.item)).collect();
    assert_eq!(found, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 0), (2, 1), (3, 2), (4, 3)]);
    let pages = site.pages();
    for matched in &lesson.matches {
        let post = &site.posts[matched.item];
        let document = pages[matched.page].document();
        let text = |field: usize| {
            let found = matched.fields[field].as_ref()?;
            Some((found.how, found.places[0].text(document)))
        };
        assert_eq!(text(0), Some((How::Same, post.title.clone())));
        assert_eq!(text(2), Some((How::Day, post.english())));
        assert_eq!(text(3), Some((How::Same, post.text())));
        let link = text(1).map(|link| link.1);
        assert_eq!(link, (matched.page == 0).then(|| post.link()));
        assert_eq!((text(4), text(5)), (None, None));
    }
}

#[test]
fn both_forms_are_tried_on_what_was_held_back() {
    let lesson = lesson(&Site::new(story));
    let tried: Vec<&str> = lesson.trials.iter().map(|trial| trial.field).collect();
    assert_eq!(tried, FIELDS[..4]);
    for trial in lesson.trials {
        assert_eq!((trial.kind, trial.tried), (PageKind::Index, 2));
        assert_eq!((trial.xpath, trial.landmark), (Some(2), Some(2)), "{}", trial.field);
    }
}

/// None is held back of so few; the rules are tried on those that they were written from.
#[test]
fn few_entries_are_tried_on_all() {
    let mut site = Site::new(story);
    site.shown = 3;
    let lesson = lesson(&site);
    assert_eq!(lesson.trials.iter().map(|trial| trial.tried).collect::<Vec<_>>(), [3; 4]);
    assert!(lesson.notes.contains(&Note::Untested { entries: 3 }), "{:?}", lesson.notes);
}
