//! What the learners promise, each promise on a small page of its own; pages built like the papers' examples; and what
//! must hold on any page.

mod alternatives;
mod domain;
mod domain_file;
mod example;
mod feed;
mod figure;
mod hostile;
mod integrity;
mod naming;
mod next;
mod promises;
mod repair;
mod specify;

use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_wrapper::{Extractor, Objects, Page, Wrapper};

/// The records that a wrapper finds on a page, a line for each.
fn table(wrapper: &Wrapper, html: &str) -> String {
    fn line(objects: Objects<'_>, out: &mut String) {
        for object in objects {
            if !out.is_empty() && !out.ends_with(['\n', '{']) {
                out.push_str(", ");
            }
            out.push_str(object.label());
            match object.is_set() {
                true => {
                    out.push_str(" {");
                    line(object.objects(), out);
                    out.push('}');
                }
                false => out.push_str(&format!(" {:?}", object.text())),
            }
        }
    }
    let extraction = Extractor::new(wrapper).unwrap().extract(Page::from_text("page", html));
    let record = |record: windrow_wrapper::Object<'_>| {
        let mut out = String::new();
        line(record.objects(), &mut out);
        out + "\n"
    };
    extraction.objects().map(record).collect()
}

/// The records of the page's lists, at most so many lists: a line for each record, a blank line between lists.
fn rows(html: &str, most: usize) -> String {
    let document = Document::parse(html);
    let lists: Vec<String> = discover(&document, most).iter().map(|wrapper| table(wrapper, html)).collect();
    lists.join("\n")
}

/// Checks the rows of the page's main list.
#[track_caller]
fn check(html: &str, expected: &expect_test::Expect) {
    expected.assert_eq(&rows(html, 1));
}
