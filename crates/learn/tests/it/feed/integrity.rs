//! What must hold on any feed and any page: no panic, the same result twice, rules that survive being written, and sizes
//! that only a cost close to linear can stand.

use std::sync::Arc;

use windrow_feed::Item;
use windrow_learn::feed::{Error, Form, Lesson, Options, learn, wanted};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Page};

use super::feeds::{self, element, escape, items, rss_of};
use super::paper::{single, story};
use super::site::{ADDRESS, Post, Site, posts, words};
use super::{check_wrapper, lesson, rows};

fn page(path: &str, html: String) -> Arc<Page> {
    Arc::new(Page::from_text(format!("{ADDRESS}{path}"), html))
}

const FORMS: [Form; 3] = [Form::Best, Form::XPath, Form::Landmark];

/// Learns in all forms, and runs what was learned: nothing may panic.
fn survive(items: &[Item], pages: &[Arc<Page>]) -> Vec<Result<Lesson, Error>> {
    if let Some(home) = pages.first() {
        let found = wanted(items, home);
        assert!(found.len() <= items.len() * 2);
    }
    let learned: Vec<Result<Lesson, Error>> =
        FORMS.iter().map(|form| learn(items, pages, &Options::default().with_form(*form))).collect();
    for lesson in learned.iter().flatten() {
        let extractor = Extractor::new(&lesson.wrapper).expect("learned rules are sound");
        pages.iter().for_each(|page| drop(extractor.extract(Arc::clone(page))));
        let text = files::write(&lesson.wrapper, Format::Toml).unwrap();
        files::read(&text, Format::Toml).expect("written rules can be read");
    }
    learned
}

fn usual() -> Vec<Item> {
    items(&feeds::rss(&posts()[..6]))
}

#[test]
fn the_same_twice() {
    let site = Site::new(story).with_entries(single);
    for form in FORMS {
        let options = Options::default().with_form(form);
        assert_eq!(site.learn(&options), site.learn(&options));
    }
}

#[test]
fn pages_in_another_order() {
    let site = Site::new(story).with_entries(single);
    let mut pages = site.pages();
    pages[1..].reverse();
    let lesson = learn(&site.items(), &pages, &Options::default()).unwrap();
    check_wrapper(&lesson.wrapper, &site, &Post::row);
}

#[test]
fn items_in_another_order() {
    let site = Site::new(story).with_entries(single).with_feed(|posts| {
        let mut posts = posts.to_vec();
        posts.reverse();
        feeds::rss(&posts)
    });
    check_wrapper(&lesson(&site).wrapper, &site, &Post::row);
}

#[test]
fn an_item_that_comes_twice() {
    let site = Site::new(story).with_entries(single).with_feed(|posts| {
        let mut posts = posts.to_vec();
        posts.insert(2, posts[1].clone());
        feeds::rss(&posts)
    });
    check_wrapper(&lesson(&site).wrapper, &site, &Post::row);
}

#[test]
fn written_and_read_again() {
    let site = Site::new(story).with_entries(single);
    let wrapper = lesson(&site).wrapper;
    for format in [Format::Toml, Format::Json] {
        let text = files::write(&wrapper, format).unwrap();
        let again = files::read(&text, format).unwrap();
        check_wrapper(&again, &site, &Post::row);
        assert_eq!(files::write(&again, format).unwrap(), text);
    }
}

#[test]
fn which_pages_are_wanted() {
    let site = Site::new(story).with_entries(single).with_feed(|_| feeds::rss(&posts()[..8]));
    let expected: Vec<String> = site.posts[..8].iter().map(Post::link).collect();
    let found: Vec<String> = wanted(&site.items(), &site.pages()[0]).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn pages_that_are_hardly_any() {
    for html in
        ["", " ", "<", "<!-->", "text", "<html>", "<p>", "</p>", "\0", "<table><td>", "<frameset><frame>", "&#0;&"]
    {
        let learned = survive(&usual(), &[page("/", html.to_owned())]);
        assert!(learned.iter().all(|result| matches!(result, Err(Error::NotTogether { .. }))), "{html:?}: {learned:?}");
    }
}

#[test]
fn the_page_is_the_feed() {
    let feed = feeds::rss(&posts()[..6]);
    survive(&usual(), &[page("/", feed.clone()), page("/feed", feed)]);
}

#[test]
fn the_page_is_the_text_of_one_entry() {
    let post = &posts()[0];
    survive(&usual(), &[page("/", post.title.clone()), page(&post.path, post.text())]);
    survive(&usual(), &[page("/", post.html()), page(&post.path, post.html())]);
}

#[test]
fn the_home_page_again_and_again() {
    let site = Site::new(story);
    let home = Arc::clone(&site.pages()[0]);
    survive(&usual(), &[Arc::clone(&home), Arc::clone(&home), home]);
}

#[test]
fn an_entry_page_as_home_page() {
    let site = Site::new(story).with_entries(single);
    let pages: Vec<Arc<Page>> =
        site.posts.iter().map(|post| page(&post.path, site.page(post).unwrap())).take(4).collect();
    survive(&usual(), &pages);
}

#[test]
fn elements_within_elements() {
    let deep = |name: &str, content: &str| format!("{}{content}", format!("<{name}>").repeat(20_000));
    for name in ["div", "b", "span class=post", "table", "a href=/x", "ul><li"] {
        let first = &posts()[0];
        let content = format!("<h2><a href=\"{}\">{}</a></h2>{}", first.path, first.title, first.html());
        survive(&usual(), &[page("/", deep(name, &content)), page(&first.path, deep(name, &content))]);
    }
    let site = Site::new(|post| format!("{}{}{}", "<div>".repeat(400), story(post), "</div>".repeat(400)));
    survive(&usual(), &site.pages());
}

#[test]
fn a_hundred_thousand_links_to_one_item() {
    let post = &posts()[0];
    let link = format!("<p><a href=\"{}\">{}</a></p>\n", post.path, post.title);
    survive(&usual(), &[page("/", link.repeat(100_000))]);
}

#[test]
fn a_hundred_thousand_links_in_an_entry() {
    let post = &posts()[0];
    let link = format!("<a href=\"{}\">{}</a>\n", post.path, post.title);
    let html = Site::new(story).home().replacen(
        "<div class=\"storycontent\">",
        &format!("<div class=\"storycontent\">{}", link.repeat(100_000)),
        1,
    );
    survive(&usual(), &[page("/", html)]);
}

#[test]
fn five_thousand_entries() {
    let entry: String = story(&posts()[0]).replace(&posts()[0].html(), "<p>Hay.</p>");
    let html: String = (0..5_000).map(|at| entry.replace("lower-meadow", &format!("meadow-{at}"))).collect();
    survive(&usual(), &[page("/", format!("<div>{html}</div>{}", Site::new(story).home()))]);
}

#[test]
fn five_thousand_items_with_equal_titles() {
    let mut all = Vec::new();
    for number in 0..5000 {
        let mut post = posts()[number % 14].clone();
        post.title = "Notes".to_owned();
        post.path = format!("/notes/{number}");
        all.push(post);
    }
    let items = items(&feeds::rss(&all));
    assert_eq!(items.len(), 5000);
    let html: String = all[..300].iter().map(story).collect();
    survive(&items, &[page("/", html)]);
    survive(&items, &[page("/", "<h2>Notes</h2>\n".repeat(10_000))]);
}

#[test]
fn items_with_huge_texts() {
    let long = words(77, 20_000);
    let feed = rss_of(&posts()[..6], |post| {
        element("title", &format!("{} {}", post.title, words(post.number, 5_000)))
            + &element("link", &post.link())
            + &element("description", &format!("{} {long}", post.text()))
    });
    let html: String = posts()[..6].iter().map(|post| story(post).replace("</p>", &format!(" {long}</p>"))).collect();
    survive(&items(&feed), &[page("/", html)]);
}

#[test]
fn one_word_again_and_again() {
    let feed = rss_of(&posts()[..6], |post| {
        element("title", "hay") + &element("link", &post.link()) + &element("description", &"hay ".repeat(5000))
    });
    let html = format!("<h2>hay</h2><p>{}</p>", "hay ".repeat(100_000));
    survive(&items(&feed), &[page("/", html)]);
    let spread = "<p>hay</p>".repeat(50_000);
    survive(&items(&feed), &[page("/", spread)]);
}

#[test]
fn thirty_thousand_dates() {
    let dates = "<span class=\"when\">August 7, 2013</span> ".repeat(30_000);
    let html = Site::new(story).home();
    let inside = html.replacen("<div class=\"storycontent\">", &format!("<div class=\"storycontent\">{dates}"), 1);
    survive(&usual(), &[page("/", inside)]);
    survive(&usual(), &[page("/", html.replacen("<div id=\"content\">", &format!("<div id=\"content\">{dates}"), 1))]);
}

/// Values with every sign that means something in a rule.
#[test]
fn signs_that_mean_something_elsewhere() {
    let signs = "'\"]*#\\<&%{}$.^|?+()`~";
    let site = Site::new(|post| {
        let title = escape(&post.title);
        format!(
            "<div class=\"a'b &quot;c&quot; #d * \\ ]] {{x}}\" id=\"p'{}&quot;\"><h2 class=\"t]'&quot;\"><a href=\"{}\">{title}</a></h2>\n\
             <p class=\"'\">{}</p><div class='\"'>{}</div></div>\n",
            post.number,
            post.path,
            post.english(),
            post.html()
        )
    });
    let site = site.with_posts(|post| post.title = format!("{} {signs}", post.title));
    let learned = survive(&site.items(), &site.pages());
    check_wrapper(&learned[0].as_ref().unwrap().wrapper, &site, &Post::row);
}

/// A page without an address has no links to compare, but titles and bodies.
#[test]
fn pages_without_addresses() {
    let site = Site::new(story);
    let home = Arc::new(Page::from_text("home.html", site.home()));
    let lesson = learn(&site.items(), &[home], &Options::default()).unwrap();
    let found = rows(&lesson.wrapper, "home.html", &site.home());
    let titles: Vec<Option<String>> = found.iter().map(|row| row.title.clone()).collect();
    let bodies: Vec<Option<String>> = found.iter().map(|row| row.body.clone()).collect();
    assert_eq!(titles, site.posts[..6].iter().map(|post| Some(post.title.clone())).collect::<Vec<_>>());
    assert_eq!(bodies, site.posts[..6].iter().map(|post| Some(post.text())).collect::<Vec<_>>());
}
