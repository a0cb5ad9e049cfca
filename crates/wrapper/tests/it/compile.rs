//! Errors found before any page is seen: mistakes across rules, and the descriptions of rules.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Locator, Page, Rule, Wrapper};

use crate::errors::render;

fn check(source: &str, expected: Expect) {
    let wrapper = files::read(source, Format::Toml).unwrap();
    let errors = Extractor::new(&wrapper).err().unwrap_or_else(|| panic!("accepted: {source}"));
    expected.assert_eq(&render(source, &errors));
}

#[test]
fn a_save_is_a_pattern_and_nothing_else() {
    check(
        r#"
save = [{ pattern = "*<a>#</a>*<b>#</b>*", slice = 3, after = "x", into = ["x", "y"] }]
"#,
        expect![[r#"
            wrapper::conflicting_keys: `into` and `slice` cannot be used together
              2:22  save = [{ pattern = "*<a>#</a>*<b>#</b>*", slice = 3, after = "x", into = ["x", "y"] }]
                                         ^^^^^^^^^^^^^^^^^^^ remove one of the two
               help: put the save into a group or list whose locator has it
            wrapper::conflicting_keys: `into` and `after` cannot be used together
              2:22  save = [{ pattern = "*<a>#</a>*<b>#</b>*", slice = 3, after = "x", into = ["x", "y"] }]
                                         ^^^^^^^^^^^^^^^^^^^ remove one of the two
               help: put the save into a group or list whose locator has it
        "#]],
    );
    check(
        r#"
save = [{ xpath = "//p", into = ["x", "y"] }]
"#,
        expect![[r#"
            wrapper::wrong_value: `save` must be a `pattern`, or a `case` of patterns, not `//p`
              2:20  save = [{ xpath = "//p", into = ["x", "y"] }]
                                       ^^^ here
               help: put the save into a group: `at` takes any locator
        "#]],
    );
    check(
        r#"
save = [{ case = [{ pattern = "*#a#b" }, { css = "i" }], into = ["x", "y"] }]
"#,
        expect![[r#"
            wrapper::wrong_value: `save` must be a `pattern`, or a `case` of patterns, not `i`
              2:51  save = [{ case = [{ pattern = "*#a#b" }, { css = "i" }], into = ["x", "y"] }]
                                                                      ^ here
               help: put the save into a group: `at` takes any locator
        "#]],
    );
}

#[test]
fn what_is_in_the_members_of_a_list_is_taken_there() {
    check(
        r#"
[list._rows]
records = "li"
field = { city = "b" }
[group.place]
take = { city = "city" }
"#,
        expect![[r#"
            wrapper::unknown_variable: no rule defines `city`
              6:18  take = { city = "city" }
                                     ^^^^ used here
               help: it is in the list `_rows`, once for each member: put the group there
        "#]],
    );
}

fn values(source: &str, page: &str) -> Vec<(String, String)> {
    let extractor = Extractor::new(&files::read(source, Format::Toml).unwrap()).unwrap();
    let extraction = extractor.extract(Page::from_text("page", page));
    let mut found = Vec::new();
    let mut open: Vec<_> = extraction.objects().collect();
    while let Some(object) = open.pop() {
        if object.is_set() {
            open.extend(object.objects())
        } else {
            found.push((object.text().into_owned(), object.rule().to_owned()))
        }
    }
    found.reverse();
    found
}

#[test]
fn saved_texts_say_which_they_are() {
    let rules = r#"
save = [{ pattern = "*<td>#</td>*<td>#</td>*", into = ["city", { name = "sky", xpath = "b" }] }]
"#;
    let pattern = "*<td>#</td>*<td>#</td>*";
    assert_eq!(
        values(rules, "<table><tr><td>Oslo</td><td><b>rain</b></td></table>"),
        [
            ("Oslo".to_owned(), format!("#1 of pattern {pattern}")),
            ("rain".to_owned(), format!("#2 of pattern {pattern} then b")),
        ]
    );
}

#[test]
fn a_group_takes_a_group_with_what_it_takes() {
    let rules = r#"
field._city = "b"
[group.place]
take = { city = "_city" }
[group.report]
take = { where = "place" }
"#;
    let found = values(rules, "<b>Oslo</b>");
    assert_eq!(found.iter().map(|(value, _)| value.as_str()).collect::<Vec<_>>(), ["Oslo", "Oslo"]);
}

#[test]
fn rules_inside_rules_have_a_bound() {
    let mut deep = Rule::field("x", "b");
    for _ in 0..200 {
        deep = Rule::save(Locator::pattern("*<b>#</b>*"), vec![deep]);
    }
    let errors = Extractor::new(&Wrapper { rules: vec![deep], ..Wrapper::default() }).unwrap_err();
    assert_eq!(errors.0[0].to_string(), "the wrapper has too many levels of nested rules: more than 64");
    // Each takes the previous one twice.
    let mut rules = "field._0 = 'b'\n".to_owned();
    for number in 1..100 {
        let before = number - 1;
        rules += &format!("group._{number}.take = {{ a = '_{before}', b = '_{before}' }}\n");
    }
    let errors = Extractor::new(&files::read(&rules, Format::Toml).unwrap()).unwrap_err();
    assert!(errors.0[0].to_string().starts_with("the wrapper has too many rules"), "{}", errors.0[0]);
}

/// The `path` of a rule is checked with the rule, although it does not affect extraction.
#[test]
fn a_path_is_an_absolute_xpath() {
    check(
        r#"
[list.ads]
records = "li"
path = "/html[1]/body[1]/ul[1/li"
field.title = { css = "b", path = "b[1]" }
"#,
        expect![[r#"
            wrapper::bad_expression: in the rule `ads`: `/` needs nodes, but this is a number
              4:29  path = "/html[1]/body[1]/ul[1/li"
                                                ^ here
               help: only paths, unions, variables and `id()` return nodes
            wrapper::wrong_value: `path` must be an absolute XPath, not `b[1]`
              5:36  field.title = { css = "b", path = "b[1]" }
                                                       ^^^^ here
               help: it begins at the page: `/html[1]/body[1]/…`
        "#]],
    );
}

#[test]
fn a_path_changes_nothing() {
    let rules =
        r#"list.ads = { records = "li", path = "/nowhere", field.title = { css = "b", path = "/nowhere/b[7]" } }"#;
    let wrapper = files::read(rules, Format::Toml).unwrap();
    assert_eq!(wrapper.rules[0].rules[0].path.as_deref(), Some("/nowhere/b[7]"));
    let page = || Page::from_text("p", "<ul><li><b>Rake</b><li><b>Twine</b></ul>");
    let extraction = Extractor::new(&wrapper).unwrap().extract(page());
    let titles: Vec<String> = extraction.objects().map(|ad| ad.text().to_string()).collect();
    assert_eq!(titles, ["Rake", "Twine"]);
    assert_eq!(extraction.problems().len(), 0);
}
