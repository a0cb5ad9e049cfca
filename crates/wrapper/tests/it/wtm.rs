//! WTM rule XML: conversion to token rules and back, errors in files, and extraction from a weblog.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read, write};
use windrow_wrapper::values::Type;
use windrow_wrapper::{Extractor, Find, Landmark, Locator, Page, Rule, Wrapper};

use crate::bracket_support::{Dice, fixture, objects, outline, report};

const RULES: &str = "weblog/rules.xml";

fn check_errors(file: &str, expected: Expect) {
    let errors = read(file, Format::Wtm).expect_err("it is wrong");
    expected.assert_eq(&report(file, &errors));
}

fn data(inside: &str) -> String {
    format!("<StalkerRules>{inside}</StalkerRules>")
}

fn round_trip(wrapper: &Wrapper) -> String {
    let text = write(wrapper, Format::Wtm).unwrap_or_else(|errors| panic!("{}", report("", &errors)));
    assert_eq!(read(&text, Format::Wtm).as_ref(), Ok(wrapper), "{text}");
    text
}

#[test]
fn rules_are_token_rules() {
    let wrapper = read(&fixture(RULES), Format::Wtm).unwrap();
    expect![[r#"
        list entries = each <h3 class="storytitle"> <a>
          field title? = between <h3 class="storytitle"> <a> … </a>
          field link?:url = behind <h3 class="storytitle"> <a href=#>
          field author? = between "Posted by" <em> … </em>
          field body:html = between <div class="storycontent"> … </div> <!--end of entry-->
    "#]]
    .assert_eq(&outline(&wrapper));
    assert_eq!(round_trip(&wrapper), fixture(RULES));
}

/// The same in the shorter idioms that people write.
const SHORT: &str = r#"<!-- name: field-notes -->
<StalkerRules>
  <Data DType="Title"><start>&lt;h3[^>]*\sclass="storytitle"[^>]*>\s*&lt;a[^>]*></start><end>&lt;/a></end></Data>
  <Data DType="Link"><start>&lt;h3 class="storytitle">&lt;a[^>]*\shref="</start><end>"</end></Data>
  <Data DType="Author"><start>Posted by\s*&lt;em></start><end>&lt;/em></end></Data>
  <Data DType="Body" optional="false">
    <start>&lt;div[^>]*\sclass="storycontent"[^>]*></start><end>&lt;/div>\s*&lt;!--end of entry--></end>
  </Data>
</StalkerRules>"#;

#[test]
fn short_rules_are_the_same() {
    assert_eq!(read(SHORT, Format::Wtm), read(&fixture(RULES), Format::Wtm));
}

/// The first datum begins an entry; the others may be missing, and stand in any order.
#[test]
fn data_in_any_order() {
    let rules = data(
        "<Data DType='Title'><start>&lt;h3></start><end>&lt;/h3></end></Data>\
         <Data DType='Date'><start>&lt;i></start><end>&lt;/i></end></Data>\
         <Data DType='Link'><start>&lt;p>\\s*&lt;a href=\"</start><end>\"</end></Data>\
         <Data DType='Body'><start>&lt;div></start><end>&lt;/div></end></Data>",
    );
    let page = "<i>1 May 2005</i><h3>A</h3><div>a</div><i>2 May 2005</i><p><a href='/a'>#</a>\
        <h3>B</h3><p> <a class=x href=/b>#</a><div>b</div>\
        <i>3 May 2005</i><div>no title</div>\
        <h3>C</h3><p>-<a href=/c>#</a>";
    let wrapper = read(&rules, Format::Wtm).unwrap();
    let again = read(&round_trip(&wrapper), Format::Wtm).unwrap();
    let found = |wrapper| objects(&Extractor::new(wrapper).unwrap().extract(Page::from_text("page", page)));
    assert_eq!(found(&wrapper), found(&again));
    expect![[r#"
        entries complex {
          title string "A"
          date date "2 May 2005"
          link url "/a"
          body html "a"
        }
        entries complex {
          title string "B"
          date date "3 May 2005"
          link url "/b"
          body html "b"
        }
        entries complex {
          title string "C"
        }
    "#]]
    .assert_eq(&found(&wrapper));
}

/// An attribute may begin the entry, too.
#[test]
fn an_attribute_may_be_the_first_datum() {
    let link = Rule::field("link", behind("<p> <a href=#>")).typed(Type::Url).optional();
    let text = Rule::field("title", Locator::between("<a>", "</a>")).optional();
    let wrapper = Wrapper { rules: vec![entries("<p> <a href>").with(vec![link, text])], ..Wrapper::default() };
    round_trip(&wrapper);
}

fn behind(start: &str) -> Locator {
    Locator::new(Find::Landmark(Landmark::Between { start: start.into(), end: None }))
}

#[test]
fn rules_find_the_entries_of_a_weblog() {
    let wrapper = read(&fixture(RULES), Format::Wtm).unwrap();
    let page = Page::from_text("page.html", fixture("weblog/page.html"))
        .with_url("https://blog.example.org/".parse().unwrap());
    let extraction = Extractor::new(&wrapper).unwrap().extract(page);
    expect![[r#"
        entries complex {
          title string "Rain at last"
          link url "https://blog.example.org/2005/07/rain/?p=1570&x=1"
          author string "Ada"
          body html "It rained all night, see the map. More tomorrow."
        }
        entries complex {
          title string "Rakes & forks"
          link url "https://blog.example.org/2005/07/rakes/"
          author string "Bo"
          body html "Which to buy?"
        }
        entries complex {
          title string "Hay"
          link url "https://blog.example.org/2005/07/hay/"
          body html "Made while the sun shone."
        }
    "#]]
    .assert_eq(&objects(&extraction));
}

#[test]
fn other_ways_to_write_the_same() {
    let file = data(
        "<Data DType='Title' optional='false'><start><![CDATA[<h2 class='t'>\\s*<b>]]></start><end>&lt;/b&#62;</end></Data>\
         <Data DType='Author'><end/><start>Posted by\\s+.*&lt;i></start></Data>",
    );
    let wrapper = read(&file, Format::Wtm).unwrap();
    expect![[r#"
        list entries = each <h2 class="t"> <b>
          field title = between <h2 class="t"> <b> … </b>
          field author? = behind "Posted by" * <i>
    "#]]
    .assert_eq(&outline(&wrapper));
    round_trip(&wrapper);
}

#[test]
fn headers_stand_in_comments() {
    let mut wrapper = Wrapper { name: Some("a -- b".to_owned()), url: Some("https://example.org/".into()), ..simple() };
    wrapper.rules[0].path = Some("/html[1]/body[1]/div".into());
    wrapper.rules[0].rules[0].path = Some("/html[1]/body[1]/div/h3[1]".into());
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- name: a -\- b -->
        <!-- url: https://example.org/ -->
        <!-- path: entries = /html[1]/body[1]/div -->
        <!-- path: entries title = /html[1]/body[1]/div/h3[1] -->
        <StalkerRules>
          <Data DType="Title">
            <start>&lt;(?i:h3)(?:\s(?:[^&gt;"']|"[^"]*"|'[^']*')*)?/?&gt;</start>
            <end>&lt;/(?i:h3)\s*&gt;</end>
          </Data>
        </StalkerRules>
    "#]]
    .assert_eq(&round_trip(&wrapper));
}

fn simple() -> Wrapper {
    let title = Rule::field("title", Locator::between("<h3>", "</h3>")).optional();
    Wrapper { rules: vec![entries("<h3>").with(vec![title])], ..Wrapper::default() }
}

fn entries(start: &str) -> Rule {
    Rule::list("entries", Locator::new(Find::Landmark(Landmark::Each(start.into()))))
}

#[test]
fn files_that_are_wrong() {
    check_errors(
        "",
        expect![[r#"
        wrapper::syntax: this is not WTM rule XML: there is no element
          1 | 
            | ^ here
            = rules are enclosed in <StalkerRules>
    "#]],
    );
    check_errors(
        "<StalkerRules>",
        expect![[r#"
        wrapper::syntax: this is not WTM rule XML: an element is not closed
          1 | <StalkerRules>
            |               ^ here
            = rules are enclosed in <StalkerRules>
    "#]],
    );
    check_errors(
        "<StalkerRules/>",
        expect![[r#"
        wrapper::missing_key: StalkerRules needs `Data`
          1 | <StalkerRules/>
            | ^ in this one
            = <Data DType="Title"><start>&lt;h3></start><end>&lt;/h3></end></Data>
    "#]],
    );
    check_errors(
        "<Rules><x/></Rules>",
        expect![[r#"
        wrapper::unknown_key: unknown key `Rules` in the file
          1 | <Rules><x/></Rules>
            | ^^^^^^^ no such key here
            = there is one `StalkerRules`
    "#]],
    );
    check_errors(
        "<StalkerRules><Data DType='Title'></StalkerRules>",
        expect![[r#"
        wrapper::missing_key: a Data element needs `start`
          1 | <StalkerRules><Data DType='Title'></StalkerRules>
            |               ^^^^^^^^^^^^^^^^^^^^ in this one
            = <start>&lt;h3[^>]*></start>
        wrapper::syntax: this is not WTM rule XML: ill-formed document: expected `</Data>`, but `</StalkerRules>` was found
          1 | <StalkerRules><Data DType='Title'></StalkerRules>
            |                                   ^ here
    "#]],
    );
    check_errors(
        "<!DOCTYPE x [<!ENTITY a 'b'>]><StalkerRules/>",
        expect![[r#"
        wrapper::syntax: this is not WTM rule XML: document types are not allowed
          1 | <!DOCTYPE x [<!ENTITY a 'b'>]><StalkerRules/>
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here
            = remove the document type declaration
    "#]],
    );
    check_errors(
        &data("<Data DType='Titel'/><Dada/><Data/>stray"),
        expect![[r#"
        wrapper::wrong_value: `DType` must be one of `Title`, `Date`, `Link`, `Body`, `Author`, `Categories`, not `Titel`
          1 | <StalkerRules><Data DType='Titel'/><Dada/><Data/>stray</StalkerRules>
            |               ^^^^^^^^^^^^^^^^^^^^^ here
            = did you mean `Title`?
        wrapper::unknown_key: unknown key `Dada` in StalkerRules
          1 | <StalkerRules><Data DType='Titel'/><Dada/><Data/>stray</StalkerRules>
            |                                    ^^^^^^^ no such key here
            = there are `Data` elements
        wrapper::missing_key: a Data element needs `DType`
          1 | <StalkerRules><Data DType='Titel'/><Dada/><Data/>stray</StalkerRules>
            |                                           ^^^^^^^ in this one
            = <Data DType="Title">
        wrapper::syntax: this is not WTM rule XML: unexpected text between the elements
          1 | <StalkerRules><Data DType='Titel'/><Dada/><Data/>stray</StalkerRules>
            |                                                  ^^^^^ here
            = rules are enclosed in <start> and <end>
    "#]],
    );
    check_errors(
        &data("<Data DType='Title' kind='x'><begin/></Data>"),
        expect![[r#"
        wrapper::unknown_key: unknown key `kind` in a Data element
          1 | <StalkerRules><Data DType='Title' kind='x'><begin/></Data></StalkerRules>
            |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no such key here
            = it may have `DType` and `optional`
        wrapper::missing_key: a Data element needs `start`
          1 | <StalkerRules><Data DType='Title' kind='x'><begin/></Data></StalkerRules>
            |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in this one
            = <start>&lt;h3[^>]*></start>
        wrapper::unknown_key: unknown key `begin` in a Data element
          1 | <StalkerRules><Data DType='Title' kind='x'><begin/></Data></StalkerRules>
            |                                            ^^^^^^^^ no such key here
            = there are `start` or `end`
    "#]],
    );
    check_errors(
        &data("<Data DType='Title'><start>&lt;b></start><end>&nbsp;</end><start>x</start></Data>"),
        expect![[r#"
            wrapper::syntax: this is not WTM rule XML: an entity is unknown
              1 | <StalkerRules><Data DType='Title'><start>&lt;b></start><end>&nbsp;</end><start>x</start></Data></StalkerRules>
                |                                                             ^^^^^^ here
                = there are `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers
            wrapper::conflicting_keys: `start` and `start` cannot be used together
              1 | <StalkerRules><Data DType='Title'><start>&lt;b></start><end>&nbsp;</end><start>x</start></Data></StalkerRules>
                |                                                                                 ^^^^^^^^ remove one of the two
                = a Data element has one of each
        "#]],
    );
    check_errors(
        &data("<Data DType='Title'><start><b></b></start></Data>"),
        expect![[r#"
        wrapper::missing_key: a Data element needs `start`
          1 | <StalkerRules><Data DType='Title'><start><b></b></start></Data></StalkerRules>
            |               ^^^^^^^^^^^^^^^^^^^^ in this one
            = <start>&lt;h3[^>]*></start>
        wrapper::unknown_key: unknown key `b` in a rule
          1 | <StalkerRules><Data DType='Title'><start><b></b></start></Data></StalkerRules>
            |                                          ^^^ no such key here
            = write `&lt;` for `<`
    "#]],
    );
    check_errors(
        &data("<Data DType='Body'><start>x</start></Data><Data DType='Body'><start>y</start></Data>"),
        expect![[r#"
            wrapper::duplicate_name: two rules in one scope are named `Body`
              1 | <StalkerRules><Data DType='Body'><start>x</start></Data><Data DType='Body'><start>y</start></Data></StalkerRules>
                |                                                         ^^^^^^^^^^^^^^^^^^^ the second one
                = rename one of them; `label` shows both under one name
        "#]],
    );
}

#[test]
fn regular_expressions_beyond_tokens() {
    check_errors(
        &data(
            "<Data DType='Title'><start>&lt;h[1-6]></start><end>(a|b)</end></Data>\n\
             <Data DType='Body'><start>&lt;p></start><end>\\d+</end></Data>\n\
             <Data DType='Date'><start>.*</start></Data>\n\
             <Data DType='Link'><start>&lt;a[^>]*href=\"</start><end>&lt;/a></end></Data>",
        ),
        expect![[r#"
            wrapper::bad_regex: in the rule `Title`: invalid regular expression: expected a name at `[1-6]>`
              1 | <StalkerRules><Data DType='Title'><start>&lt;h[1-6]></start><end>(a|b)</end></Data>
                |                                          ^^^^^^^^^^^ here
                = a rule is tags, texts and `.*?`, such as <h3[^>]*>\s*<a[^>]*>
            wrapper::bad_regex: in the rule `Body`: invalid regular expression: `\d` cannot be part of a token rule
              2 | <Data DType='Body'><start>&lt;p></start><end>\d+</end></Data>
                |                                              ^^^ here
                = a rule is tags, texts and `.*?`, such as <h3[^>]*>\s*<a[^>]*>
            wrapper::bad_regex: in the rule `Date`: invalid regular expression: it contains no token
              3 | <Data DType='Date'><start>.*</start></Data>
                |                           ^^ here
                = a rule is tags, texts and `.*?`, such as <h3[^>]*>\s*<a[^>]*>
            wrapper::bad_regex: in the rule `Link`: invalid regular expression: a value ends with its quote
              4 | <Data DType='Link'><start>&lt;a[^>]*href="</start><end>&lt;/a></end></Data></StalkerRules>
                |                                                        ^^^^^^^ here
                = a rule is tags, texts and `.*?`, such as <h3[^>]*>\s*<a[^>]*>
        "#]],
    );
}

#[test]
fn what_rule_xml_cannot_say() {
    let refused = |rules: Vec<Rule>, expected: Expect| {
        let errors = write(&Wrapper { rules, ..Wrapper::default() }, Format::Wtm).expect_err("it cannot be written");
        expected.assert_eq(&errors.0[0].to_string());
    };
    let title = || Rule::field("title", Locator::between("<h3>", "</h3>"));
    refused(vec![], expect!["the rule `` cannot be written as WTM rules: the format allows only one list"]);
    refused(
        vec![title()],
        expect!["the rule `title` cannot be written as WTM rules: records have to begin with a token rule"],
    );
    refused(vec![entries("<h3>")], expect!["the rule `entries` cannot be written as WTM rules: it has no fields"]);
    refused(
        vec![entries("<h3>").optional().with(vec![title()])],
        expect![
            "the rule `entries` cannot be written as WTM rules: the list must be named `entries`, be required, and have no refinements"
        ],
    );
    refused(
        vec![entries("<h2>").with(vec![title()])],
        expect![
            "the rule `title` cannot be written as WTM rules: the first field must begin with the token rule of the records"
        ],
    );
    refused(
        vec![entries("<h3>").with(vec![title().typed(Type::Date)])],
        expect![
            "the rule `title` cannot be written as WTM rules: the fields must be title, date, link, body, author and categories, each with its own type"
        ],
    );
    refused(
        vec![entries("<h3>").with(vec![title(), Rule::field("link", behind("<a id=x href=#>")).typed(Type::Url)])],
        expect![
            "the rule `link` cannot be written as WTM rules: it has to lie between two token rules, or be an attribute: `landmark = { start = '<h3> <a href=#>' }`; a tag names at most three attributes, and none beside `#`"
        ],
    );
    refused(
        vec![entries("<h3>").with(vec![title(), Rule::field("body", "p").typed(Type::Html)])],
        expect![
            "the rule `body` cannot be written as WTM rules: it has to lie between two token rules, or be an attribute: `landmark = { start = '<h3> <a href=#>' }`; a tag names at most three attributes, and none beside `#`"
        ],
    );
    refused(
        vec![entries("<h3>"), entries("<h3>")],
        expect!["the rule `entries` cannot be written as WTM rules: the format allows only one list"],
    );
}

#[test]
fn hostile_files_end() {
    for part in ["<", "<a>", "&", "<StalkerRules>", "<!--", "]]>", "<![CDATA[", "<Data DType='Title'>"] {
        assert!(read(&part.repeat(50_000), Format::Wtm).is_err());
    }
    let long = data(&format!("<Data DType='Title'><start>{}</start></Data>", "&lt;a[^>]*>".repeat(50_000)));
    assert!(read(&long, Format::Wtm).is_ok());
}

#[test]
fn what_is_read_is_written() {
    let scraps = [
        "<", ">", "&lt;", "[^>]*", "\\s*", ".*?", "\\", "\"", "'", "b", "<!--", "-->", "/", " ", "=", "é", "(",
        "<end/>",
    ];
    let mut right = 0;
    for seed in 0..5_000 {
        let mut dice = Dice::new(seed);
        let mut file = if dice.chance(2) { fixture(RULES) } else { SHORT.to_owned() };
        for _ in 0..1 + dice.below(3) {
            let mut at = dice.below(file.len());
            while !file.is_char_boundary(at) {
                at -= 1;
            }
            if dice.chance(2) {
                file.remove(at);
            }
            if dice.chance(2) {
                file.insert_str(at, dice.pick::<&str>(&scraps));
            }
        }
        match read(&file, Format::Wtm) {
            Ok(wrapper) => {
                right += 1;
                round_trip(&wrapper);
            }
            Err(errors) => {
                for error in &errors.0 {
                    let span = error.span().expect("errors of a file have a place");
                    assert!(file.get(span.range()).is_some(), "{file}\n{error} {span:?}");
                }
            }
        }
    }
    assert!((500..4_750).contains(&right), "{right}");
}

#[test]
fn an_escaped_carriage_return_is_white_space() {
    let file =
        "<StalkerRules><Data DType=\"Title\"><start>a\\\rb&lt;b&gt;</start><end>&lt;/b&gt;</end></Data></StalkerRules>";
    let once = read(file, Format::Wtm).unwrap();
    let again = read(&write(&once, Format::Wtm).unwrap(), Format::Wtm).unwrap();
    assert_eq!(once, again);
}
