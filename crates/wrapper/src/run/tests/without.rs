//! `without`, and the texts of runs of siblings.

use expect_test::{Expect, expect};

use super::run;
use crate::values::Type;
use crate::wrapper::{Find, Landmark, Until};
use crate::*;

const POST: &str = "<div class=post><h3>Title</h3>\
    <div class=entry title='a \"b\" &amp; c'>One <b>two</b><span class=ad> buy!</span> three.\
    <p>Four<em>teen <i class=ad>x</i></em></p><div class=share><a href=/t>Tweet</a> <b class=ad>y</b></div></div>\
    <p class=posted>by Ann</p></div>";

fn without(mut locator: Locator, expression: &str) -> Locator {
    locator.without = Some(expression.into());
    locator
}

fn until(mut locator: Locator, stop: &str) -> Locator {
    locator.until = Some(match stop {
        "next" => Until::Next,
        stop => Until::Before(stop.into()),
    });
    locator
}

/// Checks text, HTML, raw text and source of the first object.
fn check(locator: Locator, page: &str, expected: Expect) {
    let strings = run(vec![Rule::field("x", locator.clone())], page);
    let markup = run(vec![Rule::field("x", locator).typed(Type::Html)], page);
    let mut out = String::new();
    for (object, html) in strings.objects().zip(markup.objects()) {
        let (Value::String(text), Value::Html(html)) = (object.value(), html.value()) else { panic!("other types") };
        let source = object.span().map_or("-", |span| &page[span.range()]);
        out += &format!("{text}\n-- {html}\n-- {:?}\n-- {source}\n", object.raw());
    }
    for problem in strings.problems() {
        out += &format!("! {}\n", problem.message(&strings));
    }
    expected.assert_eq(&out);
}

#[test]
fn elements_are_left_out_of_text_and_html() {
    check(
        without(Locator::css(".entry"), ".ad, .share"),
        POST,
        expect![[r#"
            One two three.
            Fourteen
            -- One <b>two</b> three.<p>Four<em>teen </em></p>
            -- "One two three.Fourteen "
            -- <div class=entry title='a "b" &amp; c'>One <b>two</b><span class=ad> buy!</span> three.<p>Four<em>teen <i class=ad>x</i></em></p><div class=share><a href=/t>Tweet</a> <b class=ad>y</b></div></div>
        "#]],
    );
}

#[test]
fn an_element_around_keeps_its_attributes() {
    check(
        without(Locator::css(".post"), "//*[@class='ad'] | //h3"),
        POST,
        expect![[r#"
            One two three.
            Fourteen
            Tweet
            by Ann
            -- <div class="entry" title="a &quot;b&quot; &amp; c">One <b>two</b> three.<p>Four<em>teen </em></p><div class="share"><a href="/t">Tweet</a> </div></div><p class="posted">by Ann</p>
            -- "One two three.Fourteen Tweet by Ann"
            -- <div class=post><h3>Title</h3><div class=entry title='a "b" &amp; c'>One <b>two</b><span class=ad> buy!</span> three.<p>Four<em>teen <i class=ad>x</i></em></p><div class=share><a href=/t>Tweet</a> <b class=ad>y</b></div></div><p class=posted>by Ann</p></div>
        "#]],
    );
}

#[test]
fn a_run_loses_siblings_and_what_is_in_them() {
    check(
        without(until(Locator::xpath("//div[@class='entry']/node()[1]"), ".share"), ".ad, p"),
        POST,
        expect![[r#"
            One two three.
            -- One <b>two</b> three.
            -- "One two three."
            -- One <b>two</b><span class=ad> buy!</span> three.<p>Four<em>teen <i class=ad>x</i></em></p>
        "#]],
    );
}

#[test]
fn a_range_of_the_source_loses_the_nodes_in_it() {
    // It begins inside one element and ends inside another.
    let between = Find::Landmark(Landmark::Between { start: "\"Tit\"".into(), end: Some("<a>".into()) });
    check(
        without(Locator::new(between), ".ad, .share"),
        POST,
        expect![[r#"
            le
            One two three.
            Fourteen
            -- le</h3><div class=entry title='a "b" &amp; c'>One <b>two</b> three.<p>Four<em>teen </em></p><div class=share>
            -- "le</h3><div class=entry title='a \"b\" &amp; c'>One <b>two</b> three.<p>Four<em>teen </em></p><div class=share>"
            -- le</h3><div class=entry title='a "b" &amp; c'>One <b>two</b><span class=ad> buy!</span> three.<p>Four<em>teen <i class=ad>x</i></em></p><div class=share>
        "#]],
    );
}

#[test]
fn it_comes_before_the_cut_and_after_the_slice() {
    let page = "<p>a <s>price: 1</s> price: 2</p><p>b <s>price: 3</s> price: 4</p>";
    let mut locator = without(Locator::css("p"), "s");
    locator.after = Some("price:".into());
    locator.slice = Some(Slice::Index(1));
    check(
        locator,
        page,
        expect![[r#"
            4
            -- 4
            -- "4"
            -- <p>b <s>price: 3</s> price: 4</p>
        "#]],
    );
}

#[test]
fn what_is_not_there_changes_nothing() {
    let page = "<p title=x>a  <b>c</b></p>";
    for expression in ["s", "//s", ".", "@title", "count(b)"] {
        let extraction = run(vec![Rule::field("x", without(Locator::css("p"), expression))], page);
        assert!(extraction.pruned.is_empty(), "{expression}");
        assert_eq!(extraction.objects().next().map(|object| object.text().into_owned()).as_deref(), Some("a c"));
    }
}

#[test]
fn links_are_not_those_left_out() {
    let page = "<div><p class=ad><a href=/ad>x</a></p><p><a href=/b>y</a></p></div>";
    let rules = vec![Rule::field("x", without(Locator::css("div"), ".ad")).typed(Type::Url)];
    let extraction = run(rules, page);
    assert_eq!(extraction.objects().next().map(|object| object.value()), Some(Value::Url("/b".to_owned())));
}

#[test]
fn rules_below_do_not_see_it() {
    let rules = vec![Rule::list("posts", without(Locator::css(".post"), ".share")).with(vec![
            Rule::list("all", "b"),
            Rule::field("body", Locator::css(".entry")),
            Rule::field(
                "marked",
                Locator { then: Some(Box::new("p".into())), ..without(Locator::css(".entry"), ".ad") },
            ),
            Rule::field("link", Locator::css("a")).optional(),
            Rule::group("inner", without(Locator::css("div"), "em"))
                .with(vec![Rule::field("four", "p"), Rule::field("self", Locator::default())]),
            Rule::field("source", Locator::pattern("*<a*>#</a>")),
        ])];
    super::check(
        rules,
        POST,
        expect![[r#"
            posts {
              all "two"
              body "One two buy! three. Fourteen x"
              marked "Fourteen"
              inner {
                four "Four"
                self "One two buy! three. Four"
              }
              source "Tweet"
            }
        "#]],
    );
}

#[test]
fn a_run_reads_as_its_nodes_would_inside_one_element() {
    let line = "Posted <b>by</b> An<i>n</i>, <a href=/x>7</a> comments";
    for (inside, text) in [
        (line, "Posted by Ann, 7 comments"),
        ("one<br>two <b>three</b>", "one\ntwo three"),
        ("<p>one</p>two <b>three</b><div>four</div>", "one\ntwo three\nfour"),
        ("<b>a</b><b>b</b> <b> c</b>", "ab c"),
        ("a <span hidden>b</span><script>c</script> d", "a d"),
        ("<i>x</i><pre>\n a\n  b</pre>", "x\n a\n  b"),
    ] {
        let page = format!("<h3>t</h3>{inside}<hr>rest");
        let run_of = until(Locator::xpath("//h3/following-sibling::node()[1]"), "hr");
        let extraction = run(vec![Rule::field("x", run_of)], &page);
        let Some(Value::String(read)) = extraction.objects().next().map(|object| object.value()) else { panic!() };
        assert_eq!(read, text, "{inside}");
        let whole = run(vec![Rule::field("x", Locator::css("div"))], &format!("<div>{inside}</div>"));
        let Some(Value::String(read)) = whole.objects().next().map(|object| object.value()) else { panic!() };
        assert_eq!(read, text, "{inside}");
    }
}

#[test]
fn a_run_may_be_a_field() {
    let page = "<div><h3>Title</h3> One <b>two</b>\n three.<p>Four &amp; five</p><p class=posted>by Ann</p></div>";
    check(
        until(Locator::xpath("//h3/following-sibling::node()[1]"), ".posted"),
        page,
        expect![[r#"
            One two three.
            Four & five
            --  One <b>two</b>
             three.<p>Four &amp; five</p>
            -- " One two\n three.Four & five"
            --  One <b>two</b>
             three.<p>Four &amp; five</p>
        "#]],
    );
    // To the end of the parent.
    check(
        until(Locator::xpath("//h3/following-sibling::node()[1]"), "next"),
        page,
        expect![[r#"
            One two three.
            Four & five
            by Ann
            --  One <b>two</b>
             three.<p>Four &amp; five</p><p class="posted">by Ann</p>
            -- " One two\n three.Four & fiveby Ann"
            --  One <b>two</b>
             three.<p>Four &amp; five</p><p class=posted>by Ann</p>
        "#]],
    );
    // A single text; rows, which are none outside of a table.
    check(
        until(Locator::xpath("//h3/text()"), "next"),
        page,
        expect![[r#"
            Title
            -- Title
            -- "Title"
            -- Title
        "#]],
    );
    check(
        until(Locator::xpath("//tr[1]"), "next"),
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        expect![[r#"
            a	b
            c	d
            -- <tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>
            -- "abcd"
            -- <tr><td>a<td>b<tr><td>c<td>d
        "#]],
    );
}

#[test]
fn white_space_that_counts_is_kept() {
    check(
        without(Locator::css("pre"), "s"),
        "<pre>\n<s>x</s>\n a\n  <b>b<s>c</s>\n</b></pre>",
        expect![[r#"
             a
              b
            -- 
             a
              <b>b
            </b>
            -- "\n a\n  b\n"
            -- <pre>
            <s>x</s>
             a
              <b>b<s>c</s>
            </b></pre>
        "#]],
    );
}

/// Elements inside each other, each lacking all below: the work and the memory are bounded.
#[test]
fn nesting_is_bounded() {
    let page = format!("{}{}", "<div><s>x</s>".repeat(400), "</div>".repeat(400));
    let rules = |expression| vec![Rule::list("all", without(Locator::css("div"), expression))];
    for expression in ["s", "//s"] {
        let extraction = run(rules(expression), &page);
        assert!(extraction.objects().count() == 400, "{expression}");
        assert!(extraction.objects().all(|object| object.text().is_empty()));
    }
    let most = Limits { visits: 10_000, ..Limits::default() };
    let wrapper = Wrapper { rules: rules("s"), ..Wrapper::default() };
    let extraction = Extractor::new(&wrapper).unwrap().extract_with(Page::from_text("p", page), &NoPages, most);
    assert!(extraction.problems().iter().any(|problem| problem.message(&extraction).contains("10000")));
}
