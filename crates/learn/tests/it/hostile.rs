//! Pages that were made to hurt must end, and what is written for them must be a wrapper that can be run.
//!
//! Smaller here than in `crates/bench`, where they are timed: what is quadratic shows at this size, too, as a test that
//! does not end.

use windrow_dom::Document;
use windrow_learn::discover::discover;
use windrow_learn::example::{Error, Example, Lesson, Not, Pointed, Pointer, Request, Shape, learn};
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Extractor, Page};

/// Finds the lists of a page; says how many fields the first has.
#[track_caller]
fn fields(page: &str) -> Option<usize> {
    let lists = discover(&Document::parse(page), 3);
    for list in &lists {
        assert!(Extractor::new(list).is_ok(), "a wrapper that cannot be run");
    }
    lists.first().map(|list| list.rules[0].rules.len())
}

fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn different_siblings() {
    assert_eq!(fields(&each(20_000, |n| format!("<x{n} class=c{n}q>text {n}</x{n}>"))), None);
    fields(&each(20_000, |n| format!("<p class=k{}x>text {n}</p>", n / 2)));
}

#[test]
fn depth() {
    assert_eq!(fields(&"<div>word one".repeat(10_000)), None);
    fields(&each(100, |n| format!("<ul><li>one {n}</li><li>two {n}")));
    let deep = each(100, |n| format!("<ul><li>one {n}</li><li>two {n}")) + &"</li></ul>".repeat(100);
    fields(&deep.repeat(10));
}

#[test]
fn one_giant_text() {
    fields(&format!("<p>{}</p><p>end</p>", "lorem ipsum ".repeat(200_000)));
}

#[test]
fn records_of_one_word() {
    fields(&format!("<ul>{}</ul>", each(20_000, |n| format!("<li>word {n}"))));
    fields(&each(20_000, |n| format!("<a href=/{n}>word {n}</a>, ")));
    fields(&each(20_000, |n| format!("word {n}<br>")));
}

#[test]
fn wide_tables_lose_columns_not_time() {
    let row = |n| format!("<tr>{}", each(300, |m| format!("<td>{}", n * 300 + m)));
    let found = fields(&format!("<table>{}</table>", each(300, row)));
    assert!(found.is_some_and(|fields| (16..=200).contains(&fields)), "{found:?}");
}

#[test]
fn siblings_of_many_kinds_in_turn() {
    fields(&each(5_000, |n| format!("<h3>head {n}</h3><p>body of number {n}</p>")));
    let tag = |n: usize| ["h3", "p", "div", "section", "pre"][n * n % 5];
    fields(&each(10_000, |n| format!("<{0}>text {n}</{0}>", tag(n))));
}

fn example(show: &[(&str, Pointer)]) -> Example {
    let pointed = |(field, at): &(&str, Pointer)| Pointed { field: (*field).to_owned(), at: at.clone() };
    Example { fields: show.iter().map(pointed).collect(), page: None }
}

fn text(text: &str) -> Pointer {
    Pointer::Text(text.to_owned())
}

fn xpath(xpath: &str) -> Pointer {
    Pointer::XPath(xpath.to_owned())
}

/// Learns from what is shown; what is learned must be a wrapper that can be run.
#[track_caller]
fn learned(page: &str, show: &[(&str, Pointer)]) -> Result<Lesson, Error> {
    let request = Request { examples: vec![example(show)], ..Request::default() };
    let lesson = learn(&[&Document::parse(page)], &request);
    if let Ok(lesson) = &lesson {
        assert!(Extractor::new(&lesson.wrapper).is_ok(), "a wrapper that cannot be run");
    }
    lesson
}

/// Learns from what is shown, by text, and counts the records and those with the first field; the shown one must be
/// among them.
#[track_caller]
fn records(page: &str, show: &[(&str, &str)]) -> (usize, usize) {
    let pointed: Vec<(&str, Pointer)> = show.iter().map(|&(field, value)| (field, text(value))).collect();
    let wrapper = match learned(page, &pointed) {
        Ok(lesson) => lesson.wrapper,
        Err(error) => panic!("{}", error.to_string().chars().take(300).collect::<String>()),
    };
    let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("page", page));
    let first = |record: &windrow_wrapper::Object<'_>| {
        record.objects().find(|object| object.label() == show[0].0).map(|object| object.text().to_string())
    };
    let values: Vec<Option<String>> = extraction.objects().map(|record| first(&record)).collect();
    let came_out = values.iter().flatten().any(|value| *value == collapse(show[0].1));
    assert!(came_out, "{:.40?} did not come out, but {:.200?}: {:#.2000?}", show[0].1, values.first(), wrapper.rules);
    (values.len(), values.iter().flatten().count())
}

#[test]
fn example_in_a_hundred_thousand_records() {
    let page = format!("<ul>{}</ul>", each(100_000, |n| format!("<li><b>word {n}</b> <i>{n} kr</i>")));
    assert_eq!(records(&page, &[("name", "word 70000"), ("price", "70000 kr")]), (100_000, 100_000));
    let page = format!("<table>{}</table>", each(100_000, |n| format!("<tr><td>word {n}<td>{n} kr")));
    assert_eq!(records(&page, &[("name", "word 70000"), ("price", "70000 kr")]), (100_000, 100_000));
}

#[test]
fn example_in_many_siblings() {
    let page = each(20_000, |n| format!("<h3>word {n}</h3><p>text of {n}</p>"));
    assert_eq!(records(&page, &[("name", "word 7000"), ("text", "text of 7000")]), (20_000, 20_000));
    let page = each(20_000, |n| format!("<b>word {n}</b> text of {n}<br>"));
    records(&page, &[("name", "word 7000"), ("text", "text of 7000")]);
    let page = each(20_000, |n| format!("<x{n} class=c{n}q>text {n}</x{n}>"));
    records(&page, &[("name", "text 7000")]);
}

#[test]
fn example_in_the_depth() {
    let page = "<div>".repeat(5_000) + "<ul><li>one<li>two<li>three</ul>";
    records(&page, &[("name", "two")]);
    let page = each(5_000, |n| format!("<div>word {n}"));
    records(&page, &[("name", "word 4000")]);
    records(&page, &[("name", "word 4000"), ("other", "word 10")]);
    let page = each(300, |n| format!("<ul><li>one {n}</li><li>two {n}"));
    records(&page, &[("name", "two 200")]);
    let page = "<b><i><u>".repeat(2_000) + "end" + &"</u></i></b>".repeat(2_000);
    // It may be refused, since its path is so long.
    let _ = learned(&page, &[("name", text("end"))]);
}

#[test]
fn example_of_a_value_that_is_everywhere() {
    let page = format!("<ul>{}</ul>", each(100_000, |n| format!("<li><b>same</b> <i>{n} kr</i>")));
    assert_eq!(records(&page, &[("name", "same")]), (100_000, 100_000));
    assert_eq!(records(&page, &[("name", "same"), ("price", "90000 kr")]), (100_000, 100_000));
    let page = format!("<ul>{}</ul>", each(10_000, |_| "<li><b>same</b> <i>same</i> <u>same</u>".to_owned()));
    assert_eq!(records(&page, &[("a", "same"), ("b", "same"), ("c", "same")]), (10_000, 10_000));
    // Nothing says which of the four.
    let _ = learned(&"<p>a a a a".repeat(10_000), &[("letter", text("a"))]);
    let _ = learned(&"same ".repeat(100_000), &[("word", text("same"))]);
    let _ = learned(&"a".repeat(300_000), &[("letter", text("a"))]);
    let _ = learned(&"<p>x".repeat(20_000), &[("none", text("xx x"))]);
}

#[test]
fn example_of_many_fields() {
    let row = |n: usize| format!("<tr>{}", each(300, |m| format!("<td>{}", n * 300 + m)));
    let page = format!("<table>{}</table>", each(60, row));
    let shown: Vec<(String, String)> = (0..300).map(|m| (format!("f{m}"), (30 * 300 + m).to_string())).collect();
    let show: Vec<(&str, &str)> = shown.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(records(&page, &show), (60, 60));
    // All of one text.
    let page = format!("<table>{}</table>", format!("<tr>{}", "<td>1".repeat(100)).repeat(30));
    let names: Vec<String> = (0..100).map(|m| format!("f{m}")).collect();
    let show: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "1")).collect();
    records(&page, &show);
}

#[test]
fn example_of_odd_texts() {
    let long = "lorem ipsum ".repeat(90_000);
    for odd in [
        "(",
        "[a-z]+(",
        "\\",
        "\\d{9}",
        "$1",
        "^.*$",
        "{}",
        "a|b",
        "'",
        "\"",
        "'\"'",
        "]]>",
        "&",
        "<b>",
        "#",
        "*",
        "/html",
        "@",
        "%",
        "\u{200b}x\u{200b}",
        "\u{202e}abc\u{202c}",
        "乾草",
        "مجرفة قش",
        "é",
        "e\u{301}",
        "👩‍🌾",
        "İ",
        "ß",
        "ǅ",
        "\u{feff}x",
        "\u{1}x\u{7f}",
        long.trim(),
    ] {
        let escaped = odd.replace('&', "&amp;").replace('<', "&lt;");
        let page = format!(
            "<ul><li><b>{escaped}</b> <i>1</i><li><b>plain</b> <i>2</i><li><b>{escaped}.</b> <i>3</i></ul><p>Odd: {escaped}!"
        );
        assert_eq!(records(&page, &[("odd", odd), ("n", "1")]), (3, 3), "{odd:.20}");
        // As a part of a text.
        let page = page.replace("<b>", "<b>Odd: ").replace("</b>", " (end)</b>");
        records(&page, &[("odd", odd), ("n", "1")]);
        // As an attribute.
        let quoted = escaped.replace('"', "&quot;");
        let page = format!("<ul><li data-x=\"{quoted}\">a<li data-x=b>c</ul>");
        records(&page, &[("odd", odd)]);
        // As a label in front of the value.
        let page = format!("<ul><li><b>{escaped}</b> one <i>1</i><li><b>{escaped}</b> two <i>2</i></ul>");
        records(&page, &[("word", "two"), ("n", "2")]);
        let page = format!("<h1>Page</h1><table><tr><th>{escaped}<td>one<tr><th>Other<td>two</table>");
        records(&page, &[("word", "one")]);
        // As what must not come out.
        let page = format!("<ul><li>{escaped}<li>first<li>last</ul>");
        let not = [Some("word".to_owned()), None].map(|field| Not { field, at: text(odd), page: None });
        for not in not {
            let request =
                Request { examples: vec![example(&[("word", text("last"))])], not: vec![not], ..Request::default() };
            let lesson = learn(&[&Document::parse(&*page)], &request).unwrap();
            assert!(Extractor::new(&lesson.wrapper).is_ok(), "{odd:.20}");
        }
    }
}

#[test]
fn example_of_what_is_no_text() {
    let page = "<ul><li>a<li>b<li>c</ul>";
    for empty in ["", " ", "\n\t", "\u{a0}", "\u{200b}", "\0", "\u{1}", ":", "…"] {
        assert!(matches!(learned(page, &[("x", text(empty))]), Err(Error::NotFound { .. })), "{empty:?}");
        assert!(learned("", &[("x", text(empty))]).is_err(), "{empty:?}");
    }
    assert!(learned(page, &[("x", text(&"lorem ipsum ".repeat(90_000)))]).is_err());
}

#[test]
fn example_by_any_xpath() {
    let page = "<!DOCTYPE html><!-- a --><html><head><title>t</title><script>s()</script></head><body><!-- b -->\
                <ul id=l><li class=x>a <!-- c --><li class=x>b <template><p>t</p></template><li class=x></ul><svg><title>v</title></svg><br></body></html>";
    for node in [
        "/",
        "/html",
        "/html/head",
        "/html/body",
        "//comment()",
        "/comment()",
        "//li/comment()",
        "//li",
        "//li[3]",
        "//ul",
        "//ul/@id",
        "//li/@class",
        "//br",
        "//title",
        "//script",
        "//script/text()",
        "//template",
        "//text()",
        "//svg",
        "//@*",
        "(//node())[1]",
        "(//node())[2]",
        "//node()[last()]",
        "/node()[1]",
        "namespace::*",
        "//li/..",
        "1",
        "'a'",
        "true()",
        "//li | //ul",
        "id('l')",
    ] {
        for shape in [Shape::Auto, Shape::List, Shape::Page] {
            let show = [
                vec![("x", xpath(node))],
                vec![("x", xpath(node)), ("y", text("b"))],
                vec![("y", text("b")), ("x", xpath(node))],
            ];
            for show in show {
                for record in [None, Some("//li[2]".to_owned()), Some(node.to_owned())] {
                    let examples = vec![example(&show)];
                    let request = Request { examples, shape, record, ..Request::default() };
                    if let Ok(lesson) = learn(&[&Document::parse(page)], &request) {
                        let extraction =
                            Extractor::new(&lesson.wrapper).unwrap().extract(Page::from_text("page", page));
                        assert!(extraction.len() < 100);
                    }
                }
            }
            for field in [None, Some("y".to_owned())] {
                let not = vec![Not { field, at: xpath(node), page: None }];
                let request =
                    Request { examples: vec![example(&[("y", text("b"))])], shape, not, ..Request::default() };
                let _ = learn(&[&Document::parse(page)], &request);
            }
        }
    }
}

#[test]
fn example_without_pages_or_on_many() {
    let request = Request { examples: vec![example(&[("x", text("word 3"))])], ..Request::default() };
    assert_eq!(learn(&[], &request), Err(Error::NoExample));
    let pages: Vec<Document> = (0..300).map(|n| Document::parse(format!("<h1>word {n}</h1><p>text {n}"))).collect();
    let pages: Vec<&Document> = pages.iter().collect();
    let lesson = learn(&pages, &request).unwrap();
    assert!(Extractor::new(&lesson.wrapper).is_ok());
    let shown = |n: usize| {
        let (word, more) = (format!("word {n}"), format!("text {n}"));
        example(&[("x", text(&word)), ("y", text(&more))])
    };
    let request = Request { examples: (0..100).map(shown).collect(), ..Request::default() };
    let lesson = learn(&pages, &request).unwrap();
    assert!(Extractor::new(&lesson.wrapper).is_ok());
}
