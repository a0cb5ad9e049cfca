//! Changing one rule of a file: the rest of the text stays as its author wrote it.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{self, Edit, Format, read_locator, write_locator};

const ADS: &str = r#"# The ads of the barn.
name = "ads"

[list.ads] # all of them
records = "li.ad"
key = ["link", "seller.name"]

[list.ads.field]
link = { css = "h2 a::attr(href)", type = "url" }
title = "h2/a"         # the heading
# What it costs.
price = { css = ".price", type = "money", optional = true }

[list.ads.group.seller]
at = ".seller"

[list.ads.group.seller.field]
name = "b" # a person's
town = "i"
"#;

fn edit(rule: &str, edit: Edit) -> String {
    match files::edit(ADS, Format::Toml, rule, &edit) {
        Ok(text) => similar(ADS, &text),
        Err(errors) => errors.0.iter().map(|error| format!("{error}\n")).collect(),
    }
}

/// Returns the lines that differ.
fn similar(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("-{line}\n"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+{line}\n"));
    gone.chain(come).collect()
}

fn check(rule: &str, change: Edit, expected: &Expect) {
    expected.assert_eq(&edit(rule, change));
}

#[test]
fn a_field_gets_another_name_in_its_place() {
    check(
        "ads.title",
        Edit::Rename("what".into()),
        &expect![[r#"
        -title = "h2/a"         # the heading
        +what = "h2/a"         # the heading
    "#]],
    );
    let text = files::edit(ADS, Format::Toml, "ads.title", &Edit::Rename("what".into())).unwrap();
    assert_eq!(text, ADS.replace("title =", "what ="));
}

#[test]
fn a_list_gets_another_name_in_all_its_headers() {
    let text = files::edit(ADS, Format::Toml, "ads", &Edit::Rename("offers".into())).unwrap();
    assert_eq!(text, ADS.replace("list.ads", "list.offers"));
}

#[test]
fn a_key_names_the_renamed() {
    check(
        "ads.link",
        Edit::Rename("href".into()),
        &expect![[r#"
        -key = ["link", "seller.name"]
        -link = { css = "h2 a::attr(href)", type = "url" }
        +key = ["href", "seller.name"]
        +href = { css = "h2 a::attr(href)", type = "url" }
    "#]],
    );
    check(
        "ads.seller.name",
        Edit::Rename("who".into()),
        &expect![[r#"
        -key = ["link", "seller.name"]
        -name = "b" # a person's
        +key = ["link", "seller.who"]
        +who = "b" # a person's
    "#]],
    );
    let text = files::edit(ADS, Format::Toml, "ads.seller", &Edit::Rename("by".into())).unwrap();
    assert_eq!(text, ADS.replace("group.seller", "group.by").replace("\"seller.name\"", "\"by.name\""));
}

#[test]
fn what_is_removed_leaves_the_key() {
    check(
        "ads.link",
        Edit::Remove,
        &expect![[r#"
        -key = ["link", "seller.name"]
        -link = { css = "h2 a::attr(href)", type = "url" }
        +key = "seller.name"
    "#]],
    );
    check(
        "ads.seller",
        Edit::Remove,
        &expect![[r#"
        -key = ["link", "seller.name"]
        -[list.ads.group.seller]
        -at = ".seller"
        -[list.ads.group.seller.field]
        -name = "b" # a person's
        -town = "i"
        +key = "link"
    "#]],
    );
}

#[test]
fn types_and_options() {
    check(
        "ads.title",
        Edit::Type("html".into()),
        &expect![[r#"
        -title = "h2/a"         # the heading
        +title = { find = "h2/a", type = "html" }         # the heading
    "#]],
    );
    check(
        "ads.price",
        Edit::Type("string".into()),
        &expect![[r#"
        -price = { css = ".price", type = "money", optional = true }
        +price = { css = ".price", optional = true }
    "#]],
    );
    check(
        "ads.price",
        Edit::Optional(false),
        &expect![[r#"
        -price = { css = ".price", type = "money", optional = true }
        +price = { css = ".price", type = "money" }
    "#]],
    );
    check(
        "ads",
        Edit::Optional(true),
        &expect![[r#"
        +optional = true
    "#]],
    );
}

#[test]
fn found_otherwise() {
    let locate = |text: &str| Edit::Locate(Box::new(read_locator(text).unwrap()));
    check(
        "ads.price",
        locate("[itemprop=price]"),
        &expect![[r#"
            -price = { css = ".price", type = "money", optional = true }
            +price = { find = "[itemprop=price]", type = "money", optional = true }
        "#]],
    );
    check(
        "ads",
        locate("{ css = \".card\", until = \"next\" }"),
        &expect![[r#"
        -records = "li.ad"
        +records = { css = ".card", until = "next" }
    "#]],
    );
}

#[test]
fn a_path_does_not_outlive_its_rule() {
    let old = "field.title = { css = \"h1\", path = \"/html[1]/body[1]/h1[1]\" } # it\n";
    let new = files::edit(old, Format::Toml, "title", &Edit::Locate(Box::new("h2".into()))).unwrap();
    assert_eq!(new, "field.title = \"h2\" # it\n");
}

#[test]
fn mistakes_are_told_as_everywhere() {
    check(
        "ads.tilte",
        Edit::Remove,
        &expect![[r#"
        no rule defines `ads.tilte`
    "#]],
    );
    check(
        "ads.title",
        Edit::Rename("the title".into()),
        &expect![[r#"
        `the title` is not a valid name
    "#]],
    );
    check(
        "ads.title",
        Edit::Rename("price".into()),
        &expect![[r#"
        two rules in one scope are named `price`
    "#]],
    );
    check(
        "ads.title",
        Edit::Type("mony".into()),
        &expect![[r#"
        `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `mony`
    "#]],
    );
    check(
        "ads",
        Edit::Type("money".into()),
        &expect![[r#"
        `type` must be left out, not `money`
    "#]],
    );
    check(
        "ads.title",
        Edit::Locate(Box::new("h2[".into())),
        &expect![[r#"
        in the rule `title`: expected an attribute name, found the end of the selector
    "#]],
    );
    let errors = read_locator("{ css = 3, xpat = \"a\" }").unwrap_err();
    assert!(errors.0.iter().all(|error| error.span().is_none()), "{errors:?}");
    assert!(files::edit("[list", Format::Toml, "x", &Edit::Remove).is_err());
}

#[test]
fn takes_follow_their_rule() {
    let old = r#"
[field]
_city = "h1"

[list.days]
records = "li"
group.weather = { take = { city = "_city" }, field = { sky = "i" } }
"#;
    let new = files::edit(old, Format::Toml, "_city", &Edit::Rename("_town".into())).unwrap();
    assert_eq!(new, old.replace("_city", "_town"));
    // A rule that is shown elsewhere cannot be removed.
    assert!(files::edit(old, Format::Toml, "_city", &Edit::Remove).is_err());
}

#[test]
fn saved_texts_have_their_names_in_values() {
    let old = "[[save]]\npattern = \"<b>#</b> (#)\"\ninto = [\"title\", { name = \"price\", type = \"money\" }]\n";
    let new = files::edit(old, Format::Toml, "price", &Edit::Rename("cost".into())).unwrap();
    assert_eq!(new, old.replace("price", "cost"));
}

#[test]
fn other_formats_are_written_anew() {
    let json = files::write(&files::read(ADS, Format::Toml).unwrap(), Format::Json).unwrap();
    let new = files::edit(&json, Format::Json, "ads.title", &Edit::Rename("what".into())).unwrap();
    assert_eq!(similar(&json, &new).trim().lines().count(), 2, "{new}");
    let paths = "title = //h1\nprice? = //i\n";
    let new = files::edit(paths, Format::XPaths, "price", &Edit::Remove).unwrap();
    assert!(new.contains("//h1") && !new.contains("//i"), "{new}");
    let new = files::edit(paths, Format::XPaths, "title", &Edit::Type("money".into())).unwrap();
    assert!(new.contains("# type: money\ntitle = //h1"), "{new}");
}

#[test]
fn locators_are_read_as_they_are_written() {
    for text in [
        ".price",
        "h2/a",
        "//b[.='Price:']/following-sibling::i[1]",
        "{ css = \"h2\" }",
        "{ xpath = \"h2\" }",
        "{ css = \".price\", slice = 2, after = \"from\" }",
        "{ case = [\".a\", \".b\"], until = \"next\" }",
    ] {
        let locator = read_locator(text).unwrap();
        let written = write_locator(&locator);
        let again = read_locator(&written).unwrap();
        assert_eq!(write_locator(&again), written, "{text}");
        assert_eq!(again.slice, locator.slice, "{text}");
    }
    assert_eq!(write_locator(&windrow_wrapper::Locator::css("h2")), "h2");
    // By itself it would be read as a selector, which searches deeper.
    assert_eq!(write_locator(&windrow_wrapper::Locator::xpath("h2")), "{ xpath = \"h2\" }");
}
