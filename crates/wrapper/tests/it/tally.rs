//! Counts of how often each rule was searched for and found, including rules that leave no objects.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extraction, Extractor, Kind, Page, Rule, Tally};

fn extraction(rules: &str, page: &str) -> (Vec<String>, Extraction) {
    let wrapper = files::read(rules, Format::Toml).unwrap_or_else(|errors| panic!("{:#?}", errors.0));
    let mut names = Vec::new();
    walk(&wrapper.rules, 0, &mut names);
    (names, Extractor::new(&wrapper).unwrap().extract(Page::from_text("page.html", page)))
}

/// Returns the rules in the order of their numbers.
fn walk(rules: &[Rule], depth: usize, names: &mut Vec<String>) {
    for rule in rules {
        let name = if rule.kind == Kind::Save { "save" } else { &rule.name };
        names.push(format!("{}{name}", "  ".repeat(depth)));
        walk(&rule.rules, depth + 1, names);
    }
}

fn check(rules: &str, page: &str, expected: Expect) {
    let (names, extraction) = extraction(rules, page);
    let tallies = extraction.tallies();
    assert_eq!(names.len(), tallies.len());
    let line = |(name, tally): (&String, &Tally)| {
        format!("{name}: {} of {}, {} in all\n", tally.matched, tally.scopes, tally.found)
    };
    let lines = names.iter().zip(&tallies).map(line);
    expected.assert_eq(&lines.collect::<String>());
}

const ADS: &str =
    "<h1>Ads</h1><ul><li><b>Rake</b> <i>340</i> <u>hay</u><u>tools</u><li><b>Twine</b> <u>hay</u><li>Sold</ul>";

#[test]
fn rules_are_counted_where_they_are_looked_for() {
    check(
        r#"
field = { heading = "h1", missing = "h2" }
[list.ads]
records = "li"
field = { title = "b", price = { css = "i", optional = true } }
list.tags = "u"
"#,
        ADS,
        expect![[r#"
            heading: 1 of 1, 1 in all
            missing: 0 of 1, 0 in all
            ads: 1 of 1, 3 in all
              title: 2 of 3, 2 in all
              price: 1 of 3, 1 in all
              tags: 2 of 3, 3 in all
        "#]],
    );
}

#[test]
fn what_leaves_no_objects_is_counted() {
    check(
        r#"
[group._ul]
at = "ul"
[group._ul.list._ads]
records = "li"
[[group._ul.list._ads.save]]
pattern = "*<b>#</b> #<*"
into = ["title", { name = "price", css = "i", type = "number" }]
[group._ul.list._ads.group.first]
members = 0
field.tag = "u"
"#,
        ADS,
        expect![[r#"
            _ul: 1 of 1, 1 in all
              _ads: 1 of 1, 3 in all
                save: 2 of 3, 2 in all
                  title: 2 of 3, 2 in all
                  price: 0 of 3, 0 in all
                first: 1 of 1, 1 in all
                  tag: 1 of 1, 1 in all
        "#]],
    );
}

/// Texts taken apart further, also where every part is used unchanged.
#[test]
fn patterns_inside_patterns() {
    let rules = r##"
[[save]]
pattern = "*<p>#;#</p>"
into = ["a", { pattern = "#,#", into = ["b", "c"] }]
"##;
    check(
        rules,
        "<p>1;2,3</p>",
        expect![[r#"
        save: 1 of 1, 1 in all
          a: 1 of 1, 1 in all
          save: 1 of 1, 1 in all
            b: 1 of 1, 1 in all
            c: 1 of 1, 1 in all
    "#]],
    );
    check(
        rules,
        "<p>1;2</p>",
        expect![[r#"
        save: 1 of 1, 1 in all
          a: 1 of 1, 1 in all
          save: 0 of 1, 0 in all
            b: 0 of 1, 0 in all
            c: 0 of 1, 0 in all
    "#]],
    );
    let (_, extraction) = extraction(rules, "<p>1;2,3</p>");
    let found: Vec<String> =
        extraction.objects().map(|object| format!("{}={}", object.label(), object.text())).collect();
    assert_eq!(found, ["a=1", "b=2", "c=3"]);
}

/// A copy does not count as a match: neither for itself nor for the rules it copies.
#[test]
fn what_a_group_takes_is_counted_once() {
    let rules = r#"
[group.b]
take = { copy = "seller", note = "_note" }
[group.seller]
at = "p"
field.name = "b"
[field]
_note = "i"
"#;
    check(
        rules,
        "<p><b>Ann</b></p><i>Hay</i>",
        expect![[r#"
            _note: 1 of 1, 1 in all
            b: 1 of 1, 1 in all
            seller: 1 of 1, 1 in all
              name: 1 of 1, 1 in all
        "#]],
    );
    let (names, extraction) = extraction(rules, "<p><b>Ann</b></p><i>Hay</i>");
    let mut by_rule: Vec<String> = Vec::new();
    let mut open: Vec<_> = extraction.objects().collect();
    while let Some(object) = open.pop() {
        let rule = object.rule_number().map_or("-", |number| names[number].trim_start());
        by_rule.push(format!("{} by {rule}", object.label()));
        if object.is_set() {
            open.extend(object.objects());
        }
    }
    by_rule.sort();
    expect![[r#"
        b by b
        copy by -
        name by -
        name by name
        note by -
        seller by seller"#]]
    .assert_eq(&by_rule.join("\n"));
}
