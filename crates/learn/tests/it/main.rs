//! What `discover` promises, each promise on a small page of its own; a page built like the paper's example; and what
//! must hold on any page.

mod figure;
mod integrity;
mod promises;

use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_wrapper::{Extractor, Objects, Page};

/// The records of the page's lists, at most so many lists: a line for each record, a blank line between lists.
fn rows(html: &str, most: usize) -> String {
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
    let document = Document::parse(html);
    let lists = discover(&document, most).into_iter().map(|wrapper| {
        let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", html));
        let record = |record: windrow_wrapper::Object<'_>| {
            let mut out = String::new();
            line(record.objects(), &mut out);
            out + "\n"
        };
        extraction.objects().map(record).collect::<String>()
    });
    lists.collect::<Vec<_>>().join("\n")
}

/// Checks the rows of the page's main list.
#[track_caller]
fn check(html: &str, expected: &expect_test::Expect) {
    expected.assert_eq(&rows(html, 1));
}
