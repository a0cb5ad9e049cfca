//! What `feed` promises: learned from a feed, a home page and some pages of entries; run on these, on an older page whose
//! entries are in no feed, and on pages of entries that were not learned from; and all values compared.

mod bodies;
mod dates;
mod feeds;
mod formats;
mod integrity;
mod kinds;
mod landmarks;
mod links;
mod missing;
mod noise;
mod paper;
mod people;
mod site;
mod templates;
mod titles;
mod told;

use windrow_learn::feed::{Form, Lesson, Options};
use windrow_wrapper::{Extractor, Object, Objects, Page, Value, Wrapper, files};

use site::{ADDRESS, Post, Row, Site};

/// The entries that a wrapper finds on a page.
#[track_caller]
fn rows(wrapper: &Wrapper, name: &str, html: &str) -> Vec<Row> {
    fn collect(objects: Objects<'_>, rows: &mut Vec<Row>) {
        for object in objects {
            match object.label() {
                "entries" => rows.push(row(object)),
                _ => collect(object.objects(), rows),
            }
        }
    }
    fn row(record: Object<'_>) -> Row {
        let mut row = Row::default();
        for object in record.objects() {
            let text = object.text().into_owned();
            match object.label() {
                "title" => row.title = Some(text),
                "body" => row.body = Some(text),
                "author" => row.author = Some(text),
                "categories" => row.categories.push(text),
                "link" => {
                    row.link = Some(match object.value() {
                        Value::Url(url) => url,
                        _ => format!("no address: {text}"),
                    });
                }
                "date" => {
                    row.date = Some(match object.value() {
                        Value::Date(date) => date.to_string(),
                        _ => format!("no date: {text}"),
                    });
                }
                other => panic!("an entry has no `{other}`"),
            }
        }
        row
    }
    let extraction = Extractor::new(wrapper).unwrap().extract(Page::from_text(name, html));
    let mut rows = Vec::new();
    collect(extraction.objects(), &mut rows);
    rows
}

/// A line for each row, and one for each of its values.
fn written(rows: &[Row]) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "(none)".to_owned());
    let row = |row: &Row| {
        format!(
            "title {}\n  link {}\n  date {}\n  body {}\n  author {}\n  categories {}\n",
            value(&row.title),
            value(&row.link),
            value(&row.date),
            value(&row.body),
            value(&row.author),
            row.categories.join(", ")
        )
    };
    rows.iter().map(row).collect()
}

/// Whether rows are the same; the lines that differ and the rules are shown if not.
#[track_caller]
fn same(got: &[Row], expected: &[Row], wrapper: &Wrapper, page: &str) {
    let (got, expected) = (written(got), written(expected));
    if got == expected {
        return;
    }
    let lines = got.lines().count().max(expected.lines().count());
    let pairs = expected
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(got.lines().map(Some).chain(std::iter::repeat(None)));
    let differ = pairs.take(lines).filter(|(expected, got)| expected != got);
    let told: String = differ
        .map(|(expected, got)| {
            format!("expected {}\n     got {}\n", expected.unwrap_or_default(), got.unwrap_or_default())
        })
        .collect();
    panic!("on {page}\n{told}--- rules\n{}", files::write(wrapper, files::Format::Toml).unwrap());
}

/// Which fields count: author and categories only where a test is about them.
fn of_four(mut rows: Vec<Row>) -> Vec<Row> {
    for row in &mut rows {
        row.author = None;
        row.categories.clear();
    }
    rows
}

/// Checks what a wrapper finds on all index pages of a site, and on the pages of all its posts, each to give the same row
/// without a link.
#[track_caller]
fn check_wrapper(wrapper: &Wrapper, site: &Site, row: &dyn Fn(&Post) -> Row) {
    let (newest, older) = site.posts[..site.shown * 2].split_at(site.shown);
    for (name, html, posts) in [("/", site.home(), newest), ("/page/2/", site.older(), older)] {
        let expected: Vec<Row> = posts.iter().map(row).collect();
        same(&of_four(rows(wrapper, &format!("{ADDRESS}{name}"), &html)), &expected, wrapper, name);
    }
    for post in newest.iter().chain(older).filter(|_| site.has_pages()) {
        let html = site.page(post).unwrap_or_default();
        let expected = Row { link: None, ..row(post) };
        same(&of_four(rows(wrapper, &post.link(), &html)), &[expected], wrapper, &post.path);
    }
}

/// Learns, with the options that are usual.
#[track_caller]
fn lesson(site: &Site) -> Lesson {
    match site.learn(&Options::default()) {
        Ok(lesson) => lesson,
        Err(error) => panic!("{error}"),
    }
}

/// Learns from a site and checks what comes out of all its pages: for each post this row, whatever is held back and
/// whether tokens are allowed or not.
#[track_caller]
fn check_rows(site: &Site, row: impl Fn(&Post) -> Row) {
    check_wrapper(&lesson(site).wrapper, site, &row);
    match site.learn(&Options::default().with_seed(1).with_form(Form::XPath)) {
        Ok(lesson) => check_wrapper(&lesson.wrapper, site, &row),
        Err(error) => panic!("{error}"),
    }
}

/// Learns from a site and checks that all its posts come out of all its pages.
#[track_caller]
fn check(site: &Site) {
    check_rows(site, Post::row);
}
