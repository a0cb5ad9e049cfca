//! Extending: what is added, replaced, taken over and left out.

use expect_test::{Expect, expect};
use windrow_learn::domain::Domain;

use super::show;

const BASE: &str = r#"
name = "base"
description = "Things."

[role.name]
title = true

[role.price]
keywords = ["price", "cost"]
value = '\d'
type = "money"

[role.maker]
description = "Who made it."
keywords = ["maker", "made by"]

[role.maker.role.city]
keywords = ["city"]

[role.size]
keywords = ["size"]
"#;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let others = |name: &str| match name {
        "base" => Some(BASE.to_owned()),
        "shapes" => Some("name = 'shapes'\n[role.form]\nkeywords = ['form', 'size']\n".to_owned()),
        _ => None,
    };
    let domain = Domain::read(text, &others).unwrap_or_else(|errors| panic!("{:?}", errors.0));
    expected.assert_eq(&show(&domain));
}

#[test]
fn keywords_are_added_and_other_keys_replaced() {
    check(
        r#"
        name = "rakes"
        extends = "base"
        [role.price]
        keywords = ["Cost", "our price"]
        type = "string"
        [role.maker.role.city]
        keywords = ["town"]
        [role.tines]
        keywords = ["tines"]
        "#,
        expect![[r#"
            rakes: Things.
            name [] title
            price ["price", "cost", "our price"] /\d/
            maker ["maker", "made by"] "Who made it."
              city ["city", "town"]
            size ["size"]
            tines ["tines"]
        "#]],
    );
}

#[test]
fn an_empty_pattern_replaces_one() {
    check(
        "extends = 'base'\ndrop = ['maker', 'size', 'name']\n[role.price]\nvalue = ''\n",
        expect![[r#"
        base: Things.
        price ["price", "cost"] money
    "#]],
    );
}

#[test]
fn roles_are_left_out() {
    check(
        "extends = 'base'\ndrop = ['price', 'maker.city']\n",
        expect![[r#"
        base: Things.
        name [] title
        maker ["maker", "made by"] "Who made it."
        size ["size"]
    "#]],
    );
}

#[test]
fn the_file_on_top_has_the_word() {
    check(
        "extends = 'base'\n[role.city]\nkeywords = ['city']\n[role.fee]\nkeywords = ['cost']\n[role.form]\nkeywords = ['size']\n[role.label]\ntitle = true\n",
        expect![[r#"
            base: Things.
            price ["price"] /\d/ money
            maker ["maker", "made by"] "Who made it."
              city ["city"]
            city ["city"]
            fee ["cost"]
            form ["size"]
            label [] title
        "#]],
    );
}

#[test]
fn several_are_laid_over_each_other_in_order() {
    check(
        "extends = ['base', 'shapes']\ndrop = ['maker', 'price']\n",
        expect![[r#"
        shapes: Things.
        name [] title
        form ["form", "size"]
    "#]],
    );
}

#[test]
fn a_file_may_extend_the_shipped_domain_of_its_own_name() {
    let text = "name = 'book'\nextends = 'book'\n[role.shelf]\nkeywords = ['shelf']\n";
    let others = |name: &str| (name == "book").then(|| text.to_owned());
    let domain = Domain::read(text, &others).unwrap();
    let shipped = Domain::shipped("book").unwrap();
    assert_eq!(domain.roles.len(), shipped.roles.len() + 1);
    assert_eq!(domain.roles[..shipped.roles.len()], shipped.roles[..]);
}

#[test]
fn others_are_asked_first() {
    let others = |name: &str| (name == "product").then(|| "[role.only]\nkeywords = ['only']\n".to_owned());
    let domain = Domain::read("extends = 'product'\n", &others).unwrap();
    assert_eq!(show(&domain), ": \nonly [\"only\"]\n");
}
