//! What `example` promises: learned from what is shown on one page, run on that page and on others, and all records
//! compared.

mod ads;
mod details;
mod elsewhere;
mod errors;
mod fields;
mod integrity;
mod look_alikes;
mod nested;
mod notes;
mod pages;
mod records;
mod several;

use expect_test::Expect;
use windrow_dom::Document;
use windrow_learn::example::{Error, Example, Lesson, Not, Pointed, Pointer, Request, Shape, learn};

use crate::table;

/// One record as it is shown: names of fields and what points at them, `@` in front of an XPath and `@NAME of FIELD` for
/// an attribute.
type Show<'s> = &'s [(&'s str, &'s str)];

fn pointer(at: &str) -> Pointer {
    match at.strip_prefix('@') {
        None => Pointer::Text(at.to_owned()),
        Some(rest) => match rest.split_once(" of ") {
            Some((name, of)) => Pointer::Attribute { name: name.to_owned(), of: of.to_owned() },
            None => Pointer::XPath(rest.to_owned()),
        },
    }
}

fn example(show: Show<'_>) -> Example {
    let pointed = |&(field, at): &(&str, &str)| Pointed { field: field.to_owned(), at: pointer(at) };
    Example { fields: show.iter().map(pointed).collect(), page: None }
}

/// A request that shows these records.
fn showing(shows: &[Show<'_>]) -> Request {
    Request { examples: shows.iter().map(|show| example(show)).collect(), ..Request::default() }
}

/// A request that shows a record, and what must not come out: for a field, or for any if its name is empty.
fn showing_but(show: Show<'_>, not: Show<'_>) -> Request {
    let field = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    let not = not.iter().map(|&(name, at)| Not { field: field(name), at: pointer(at), page: None }).collect();
    Request { not, ..showing(&[show]) }
}

fn shaped(show: Show<'_>, shape: Shape) -> Request {
    Request { shape, ..showing(&[show]) }
}

fn try_on(pages: &[&str], request: &Request) -> Result<Lesson, Error> {
    let documents: Vec<Document> = pages.iter().map(|page| Document::parse(*page)).collect();
    learn(&documents.iter().collect::<Vec<_>>(), request)
}

#[track_caller]
fn lesson_on(pages: &[&str], request: &Request) -> Lesson {
    match try_on(pages, request) {
        Ok(lesson) => lesson,
        Err(error) => panic!("{error}"),
    }
}

/// Learns from one record of a page, and checks the records that come out of it.
#[track_caller]
fn check(html: &str, show: Show<'_>, expected: &Expect) {
    check_on(&[html], html, &showing(&[show]), expected);
}

/// Learns as asked on some pages, and checks the records that come out of one, which may be another.
#[track_caller]
fn check_on(pages: &[&str], html: &str, request: &Request, expected: &Expect) {
    expected.assert_eq(&table(&lesson_on(pages, request).wrapper, html));
}

/// Learns on one page and checks both it and another one.
#[track_caller]
fn check_both(html: &str, other: &str, show: Show<'_>, expected: &Expect) {
    let wrapper = lesson_on(&[html], &showing(&[show])).wrapper;
    expected.assert_eq(&format!("{}--\n{}", table(&wrapper, html), table(&wrapper, other)));
}
