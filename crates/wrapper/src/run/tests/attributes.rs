//! Landmarks whose value is an attribute.

use expect_test::expect;

use super::{check, run};
use crate::values::Type;
use crate::wrapper::{Find, Landmark};
use crate::*;

const PAGE: &str = "<h3 class=t><a name=n></a> <a class=u href='/a?b=1&amp;c=2'>One</a></h3><a href='#'>up</a>\
    <h3 class=t> <a href=/b>Two</a></h3><h3 class=t>Three</h3>";

fn behind(start: &str) -> Locator {
    Locator::new(Find::Landmark(Landmark::Between { start: start.into(), end: None }))
}

#[test]
fn the_value_is_an_attribute_of_the_last_tag() {
    let rules = || {
        vec![
            Rule::field("first", behind("<h3> * <a href=#>")),
            Rule::list("all", behind("<a href=#>")),
            Rule::list("text", behind("<a href='#'>")),
            Rule::field("class", behind("<h3> * <a class=# href='/a?b=1&c=2'>")),
            Rule::field("none", behind("<h3> <a title=#>")).optional(),
        ]
    };
    check(
        rules(),
        PAGE,
        expect![[r##"
            first "/a?b=1&c=2"
            all "/a?b=1&c=2"
            all "#"
            all "/b"
            text "up Two Three"
            class "u"
        "##]],
    );
    let extraction = run(rules(), PAGE);
    let first = extraction.objects().next().unwrap();
    assert_eq!(first.span().map(|span| &PAGE[span.range()]), Some("/a?b=1&amp;c=2"));
    assert!(first.node().unwrap().is_attribute());
}

#[test]
fn records_begin_with_the_rule_of_their_first_field() {
    let records = Locator::new(Find::Landmark(Landmark::Each("<h3 class=t>".into())));
    let rules = vec![Rule::list("entries", records).with(vec![
        Rule::field("title", Locator::between("<h3 class=t>", "</h3>")),
        Rule::field("link", behind("<h3 class=t> * <a href=#>")).typed(Type::Url).optional(),
    ])];
    let url = "https://example.org/x/".parse().unwrap();
    let wrapper = Wrapper { rules, ..Wrapper::default() };
    let extraction = Extractor::new(&wrapper).unwrap().extract(Page::from_text("p", PAGE).with_url(url));
    let links: Vec<_> = extraction.objects().map(|entry| entry.objects().nth(1).map(|link| link.value())).collect();
    let link = |url: &str| Some(Value::Url(url.to_owned()));
    assert_eq!(links, [link("https://example.org/a?b=1&c=2"), link("https://example.org/b"), None]);
}

#[test]
fn what_cannot_be_is_said() {
    let errors = |find| {
        let wrapper = Wrapper { rules: vec![Rule::field("x", Locator::new(find))], ..Wrapper::default() };
        Extractor::new(&wrapper).unwrap_err().0.iter().map(|error| format!("{error}\n")).collect::<String>()
    };
    let between = |start: &str, end: &str| {
        errors(Find::Landmark(Landmark::Between { start: start.into(), end: Some(end.into()) }))
    };
    assert_eq!(between("<a href=#>", "</a>"), "`#` and `end` cannot be used together\n");
    assert_eq!(between("<a>", "<b id=#>"), "invalid token rule: `#` is allowed in `start`, not in `end`\n");
    assert_eq!(
        errors(Find::Landmark(Landmark::Each("<b id=#>".into()))),
        "invalid token rule: `#` is allowed in `start`, not in `each`\n"
    );
    assert_eq!(between("<a href=#> <b>", "</a>"), "invalid token rule: a tag after `#`, or a second `#`\n");
}
