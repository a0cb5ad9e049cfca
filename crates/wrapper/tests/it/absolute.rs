//! Absolute paths written in MERL's format: the output, the values it finds, and the wrappers it rejects.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Page};

use crate::bracket_support::{objects, outline, report};

/// Checks the output, and the result of reading it back.
fn check(rules: &str, written: Expect, read: Expect) -> String {
    let wrapper = files::read(rules, Format::Toml).unwrap_or_else(|errors| panic!("{}", report(rules, &errors)));
    let text = files::write_absolute(&wrapper).unwrap_or_else(|errors| panic!("{}", report(rules, &errors)));
    written.assert_eq(&text);
    let again = files::read(&text, Format::XPaths).unwrap_or_else(|errors| panic!("{}", report(&text, &errors)));
    read.assert_eq(&outline(&again));
    text
}

fn refused(rules: &str, expected: Expect) {
    let wrapper = files::read(rules, Format::Toml).unwrap_or_else(|errors| panic!("{}", report(rules, &errors)));
    let errors = files::write_absolute(&wrapper).expect_err("it has no such form");
    expected.assert_eq(&report(rules, &errors));
}

const SHOP: &str = r#"
name = "shop"

[list.ads]
records = "tr.ad"
path = "/html[1]/body[1]/table[1]/tbody[1]/tr"

[list.ads.field]
title = { css = "a", path = "/html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]" }
link = { xpath = ".//a/@href", type = "url", path = "/html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]/@href" }
price = { css = ".price", type = "money", optional = true, path = "/html[1]/body[1]/table[1]/tbody[1]/tr/td[2]" }
"#;

const PAGE: &str = "<table><tr class=ad><td><a href=/1>Rake</a><td class=price>€ 340</tr>\
                    <tr class=ad><td><a href=/2>Twine</a></tr></table>";

#[test]
fn the_paths_are_the_rules() {
    let text = check(
        SHOP,
        expect![[r#"
        # name: shop
        # list: ads
        title = /html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]
        link = /html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]/@href
        price? = /html[1]/body[1]/table[1]/tbody[1]/tr/td[2]
    "#]],
        expect![[r#"
        list ads = xpath /html[1]/body[1]/table[1]/tbody[1]/tr
          field title = xpath td[1]/a[1]
          field link:url = xpath td[1]/a[1]/@href
          field price? = xpath td[2]
    "#]],
    );
    let found = |rules: &str, format| {
        let page = Page::from_text("page.html", PAGE).with_url("https://example.org/shop".parse().unwrap());
        objects(&Extractor::new(&files::read(rules, format).unwrap()).unwrap().extract(page))
    };
    expect![[r#"
        ads complex {
          title string "Rake"
          link url "https://example.org/1"
          price string "€ 340"
        }
        ads complex {
          title string "Twine"
          link url "https://example.org/2"
        }
    "#]]
    .assert_eq(&found(&text, Format::XPaths));
    // The same except for the type of the price, which the paper has no place for.
    assert_eq!(found(SHOP, Format::Toml).replace("money", "string"), found(&text, Format::XPaths));
}

/// A `records` line is written where the records derived from the fields would be different.
#[test]
fn records_are_said_where_paths_do_not_tell_them() {
    check(
        r#"
list.one = { records = "li", path = "/html[1]/body[1]/ul[1]/li", field.a = { css = "b", path = "/html[1]/body[1]/ul[1]/li/b[1]" } }
[list.own]
records = "p"
path = "/html[1]/body[1]/p"
field.b = { css = "i", path = "/html[1]/body[1]/p/span/i[1]" }
field.c = { css = "u", path = "/html[1]/body[1]/p/span/u[1]" }
"#,
        expect![[r#"
            # list: one
            records = /html[1]/body[1]/ul[1]/li
            a = /html[1]/body[1]/ul[1]/li/b[1]
            # list: own
            records = /html[1]/body[1]/p
            b = /html[1]/body[1]/p/span/i[1]
            c = /html[1]/body[1]/p/span/u[1]
        "#]],
        expect![[r#"
            list one = xpath /html[1]/body[1]/ul[1]/li
              field a = xpath b[1]
            list own = xpath /html[1]/body[1]/p
              field b = xpath span/i[1]
              field c = xpath span/u[1]
        "#]],
    );
}

#[test]
fn the_tree_is_laid_flat() {
    check(
        r#"
field.heading = { css = "h1", path = "/html[1]/body[1]/h1[1]" }
field._unseen = "h2"
group.seller = { at = "p.seller", field.name = { css = "b", path = "/html[1]/body[1]/p[1]/b[1]" } }
group._box = { at = "p.box", field.note = { css = "i", path = "/html[1]/body[1]/p[2]/i[1]" } }

[list.ads]
records = "li"
path = "/html[1]/body[1]/ul[1]/li"
save = [{ pattern = "*<b>#</b>*<i>#</i>", into = [{ name = "x", path = "/html[1]/body[1]/ul[1]/li/b[1]" }, "_y"] }]
group.at.field.city = { css = "u", path = "/html[1]/body[1]/ul[1]/li/u[1]" }

[list.ads.list]
tags = { records = "em", path = "/html[1]/body[1]/ul[1]/li/em" }

[list.ads.list.offers]
records = "dl"
path = "/html[1]/body[1]/ul[1]/li/dl"
field.what = { css = "dt", path = "/html[1]/body[1]/ul[1]/li/dl/dt[1]" }
field.pay = { css = "dd", path = "/html[1]/body[1]/ul[1]/li/dl/dd[1]" }
"#,
        expect![[r#"
            # page:
            heading = /html[1]/body[1]/h1[1]
            seller.name = /html[1]/body[1]/p[1]/b[1]
            note = /html[1]/body[1]/p[2]/i[1]
            # values:
            ads.tags = /html[1]/body[1]/ul[1]/li/em
            # list: ads
            x = /html[1]/body[1]/ul[1]/li/b[1]
            at.city = /html[1]/body[1]/ul[1]/li/u[1]
            # list: ads.offers
            what = /html[1]/body[1]/ul[1]/li/dl/dt[1]
            pay = /html[1]/body[1]/ul[1]/li/dl/dd[1]
        "#]],
        expect![[r#"
            field heading = xpath /html[1]/body[1]/h1[1]
            field seller.name = xpath /html[1]/body[1]/p[1]/b[1]
            field note = xpath /html[1]/body[1]/p[2]/i[1]
            list ads.tags = xpath /html[1]/body[1]/ul[1]/li/em
            list ads = xpath /html[1]/body[1]/ul[1]/li
              field x = xpath b[1]
              field at.city = xpath u[1]
            list ads.offers = xpath /html[1]/body[1]/ul[1]/li/dl
              field what = xpath dt[1]
              field pay = xpath dd[1]
        "#]],
    );
}

#[test]
fn a_list_called_records_needs_no_name() {
    check(
        r#"
[list.records]
records = "li"
path = "/html[1]/body[1]/ul[1]/li"
field.a = { css = "a", path = "/html[1]/body[1]/ul[1]/li/a[1]" }
field.b = { css = "b", path = "/html[1]/body[1]/ul[1]/li/b[1]" }
"#,
        expect![[r#"
            a = /html[1]/body[1]/ul[1]/li/a[1]
            b = /html[1]/body[1]/ul[1]/li/b[1]
        "#]],
        expect![[r#"
            list records = xpath /html[1]/body[1]/ul[1]/li
              field a = xpath a[1]
              field b = xpath b[1]
        "#]],
    );
}

#[test]
fn rules_without_a_path_are_named() {
    refused(
        r#"
field.heading = "h1"
[list.ads]
records = "li"
path = "/html[1]/body[1]/ul[1]/li"
field.title = "b"
"#,
        expect![[r#"
            wrapper::no_path: the rule `heading` has no `path`
              2 | field.heading = "h1"
                |       ^^^^^^^ this one
                = learned wrappers have one in each rule; add it by hand as `path = "/html[1]/body[1]/…"`
            wrapper::no_path: the rule `ads.title` has no `path`
              6 | field.title = "b"
                |       ^^^^^ this one
                = learned wrappers have one in each rule; add it by hand as `path = "/html[1]/body[1]/…"`
        "#]],
    );
}

#[test]
fn what_would_be_read_otherwise_is_refused() {
    refused(
        r#"
group.all.take = { x = "heading" }
field.heading = { css = "h1", path = "h1[1]" }
field.record = { css = "h2", path = "/html[1]/h2[1]" }
field."a:b" = { css = "h3", path = "/html[1]/h3[1]" }
[list.ads]
records = "li"
path = "/html[1]/body[1]/ul[1]/li"
field.title = { css = "b", path = "/html[1]/body[1]/ul[2]/li/b[1]" }
field.price = { css = "i", path = "/html[1]/body[1]/ul[1]/li/\ni[1]" }
"#,
        expect![[r#"
            wrapper::not_expressible: the rule `all` cannot be written as a list of XPath expressions: values taken by a group have no path of their own
              2 | group.all.take = { x = "heading" }
                |       ^^^ this one
                = TOML and JSON can express every wrapper
            wrapper::wrong_value: `path` must be an absolute XPath, not `h1[1]`
              3 | field.heading = { css = "h1", path = "h1[1]" }
                |                                       ^^^^^ here
                = it begins at the page: `/html[1]/body[1]/…`
            wrapper::not_expressible: the rule `record` cannot be written as a list of XPath expressions: its name is not allowed in this format
              4 | field.record = { css = "h2", path = "/html[1]/h2[1]" }
                |       ^^^^^^ this one
                = TOML and JSON can express every wrapper
            wrapper::not_expressible: the rule `a:b` cannot be written as a list of XPath expressions: its name is not allowed in this format
              5 | field."a:b" = { css = "h3", path = "/html[1]/h3[1]" }
                |        ^^^ this one
                = TOML and JSON can express every wrapper
            wrapper::not_expressible: the rule `ads.title` cannot be written as a list of XPath expressions: its path does not continue that of the records
              9 | field.title = { css = "b", path = "/html[1]/body[1]/ul[2]/li/b[1]" }
                |       ^^^^^ this one
                = TOML and JSON can express every wrapper
            wrapper::not_expressible: the rule `ads.price` cannot be written as a list of XPath expressions: its path is not one line
             10 | field.price = { css = "i", path = "/html[1]/body[1]/ul[1]/li/\ni[1]" }
                |       ^^^^^ this one
                = TOML and JSON can express every wrapper
        "#]],
    );
    refused(
        "name = 'nothing'",
        expect![[r#"
            wrapper::not_expressible: the rule `` cannot be written as a list of XPath expressions: the wrapper has no rules
                = TOML and JSON can express every wrapper
        "#]],
    );
}

/// Settings that the paper's format keeps in comments survive a round trip.
#[test]
fn paths_survive_the_plain_form() {
    let rules = r#"
[list.ads]
records = "//ul/li"
path = "/html[1]/body[1]/ul[1]/li"
field.title = { xpath = "b", path = "/html[1]/body[1]/ul[1]/li/b[1]" }
"#;
    let wrapper = files::read(rules, Format::Toml).unwrap();
    let text = files::write(&wrapper, Format::XPaths).unwrap();
    expect![[r#"
        # path: ads = /html[1]/body[1]/ul[1]/li
        # path: ads title = /html[1]/body[1]/ul[1]/li/b[1]
        # list: ads
        records = //ul/li
        title = //ul/li/b
    "#]]
    .assert_eq(&text);
    let again = files::read(&text, Format::XPaths).unwrap();
    assert_eq!(files::write_absolute(&again), files::write_absolute(&wrapper));
}
