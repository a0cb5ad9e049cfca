//! The errors of domain files as people see them. The texts are part of the interface.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use miette::Diagnostic;
use windrow_learn::domain::Domain;
use windrow_learn::domain::file::Errors;

/// Code and message, each place with a caret below its line, and the hint, for each error.
pub(crate) fn render(source: &str, errors: &Errors) -> String {
    let mut out = String::new();
    for error in &errors.0 {
        let code = error.code().map(|code| code.to_string()).unwrap_or_default();
        let _ = writeln!(out, "{code}: {error}");
        for label in error.labels().into_iter().flatten() {
            let (start, end) = (label.offset(), label.offset() + label.len());
            assert!(source.is_char_boundary(start) && source.is_char_boundary(end), "{error:?}");
            let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let line = source[line_start..].lines().next().unwrap_or_default();
            let number = source[..start].matches('\n').count() + 1;
            let column = source[line_start..start].chars().count();
            let width = source[start..end].lines().next().unwrap_or_default().chars().count().max(1);
            let text = label.label().unwrap_or_default();
            let _ = writeln!(out, "{number:>3}:{:<3} {line:.100}", column + 1);
            let _ = writeln!(out, "        {}{} {text}", " ".repeat(column.min(100)), "^".repeat(width.min(100)));
        }
        if let Some(help) = error.help() {
            let _ = writeln!(out, "   help: {help}");
        }
    }
    out
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    check_with(source, &|_| None, expected);
}

#[track_caller]
fn check_with(source: &str, others: &dyn Fn(&str) -> Option<String>, expected: Expect) {
    let errors = Domain::read(source, others).err().unwrap_or_else(|| panic!("accepted: {source:.200}"));
    expected.assert_eq(&render(source, &errors));
}

#[test]
fn not_toml() {
    check(
        "[role.price]\nkeywords = price\n",
        expect![[r#"
        domain::syntax: this is not TOML: string values must be quoted, expected literal string
          2:12  keywords = price
                           ^^^^^ here
    "#]],
    );
    check(
        "[role.price]\nkeywords = ['price']\nvalue = \"\\d\"\n",
        expect![[r#"
        domain::syntax: this is not TOML: missing escaped value, expected `b`, `e`, `f`, `n`, `r`, `\`, `"`, `x`, `u`, `U`
          3:11  value = "\d"
                          ^ here
           help: a regular expression stands in single quotes: value = '\d'
    "#]],
    );
    check(
        "[role.price]\nkeywords = ['price']\n[role.price]\nkeywords = ['cost']\n",
        expect![[r#"
        domain::syntax: this is not TOML: duplicate key
          3:7   [role.price]
                      ^^^^^ here
           help: it stands further up already: put all that belongs to it in one place
    "#]],
    );
}

#[test]
fn unknown_keys() {
    check(
        "nmae = 'x'\ncolour = 1\n[role.price]\nkeyword = ['price']\nregex = '\\d'\nbanana = 1\nkeywords = ['price']\n[brand]\nkeywords = ['brand']\n",
        expect![[r#"
            domain::unknown_key: unknown key `nmae` in a domain
              1:1   nmae = 'x'
                    ^^^^ no such key here
               help: did you mean `name`?
            domain::unknown_key: unknown key `colour` in a domain
              2:1   colour = 1
                    ^^^^^^ no such key here
               help: if it is a role, write `[role.colour]`
            domain::unknown_key: unknown key `keyword` in a role
              4:1   keyword = ['price']
                    ^^^^^^^ no such key here
               help: did you mean `keywords`?
            domain::unknown_key: unknown key `regex` in a role
              5:1   regex = '\d'
                    ^^^^^ no such key here
               help: did you mean `value`?
            domain::unknown_key: unknown key `banana` in a role
              6:1   banana = 1
                    ^^^^^^ no such key here
               help: a role has `keywords`, `description`, `value`, `phrases`, `type`, `many`, `title`, `schema`, `role`
            domain::unknown_key: unknown key `brand` in a domain
              8:2   [brand]
                     ^^^^^ no such key here
               help: if it is a role, write `[role.brand]`
        "#]],
    );
}

#[test]
fn wrong_kinds() {
    check(
        "name = 3\nextends = [1]\nrole = { price = ['price'] }\n",
        expect![[r#"
            domain::wrong_value: `name` must be a string, not 3
              1:8   name = 3
                           ^ here
            domain::wrong_value: `extends` must be a name or an array of names, not one with 1
              2:12  extends = [1]
                               ^ here
               help: for example `extends = "product"`
            domain::wrong_value: `role.price` must be a table, not an array
              3:18  role = { price = ['price'] }
                                     ^^^^^^^^^ here
               help: its keywords go below its header: `keywords = ["price", "our price"]`
        "#]],
    );
    check(
        "[role.price]\nkeywords = 'price'\ntype = 'mony'\nmany = 'yes'\nschema = ['offers price']\nvalue = ['\\d']\n[role.x]\nkeywords = ['x', 3]\ntype = 'banana'\n",
        expect![[r#"
            domain::wrong_value: `keywords` must be an array of strings, not a string
              2:12  keywords = 'price'
                               ^^^^^^^ here
               help: each in quotes: `keywords = ["price", "our price"]`
            domain::unknown_type: there is no type `mony`
              3:8   type = 'mony'
                           ^^^^^^ here
               help: did you mean `money`?
            domain::wrong_value: `many` must be true or false, not a string
              4:8   many = 'yes'
                           ^^^^^ here
            domain::wrong_value: `schema` must be made of schema.org properties with dots between them, not `offers price`
              5:11  schema = ['offers price']
                              ^^^^^^^^^^^^^^ here
               help: for example `schema = ["offers.price", "price"]`
            domain::wrong_value: `value` must be a string, not an array
              6:9   value = ['\d']
                            ^^^^^^ here
            domain::wrong_value: `keywords` must be an array of strings, not one with 3
              8:18  keywords = ['x', 3]
                                     ^ here
               help: each in quotes: `keywords = ["price", "our price"]`
            domain::unknown_type: there is no type `banana`
              9:8   type = 'banana'
                           ^^^^^^^^ here
               help: a type is one of `string`, `url`, `date`, `number`, `money`, `html`
        "#]],
    );
    check(
        "role = 1\n",
        expect![[r#"
        domain::wrong_value: `role` must be a table of roles, not 1
          1:8   role = 1
                       ^ here
           help: each role has a header: `[role.price]`
    "#]],
    );
}

#[test]
fn roles_that_nothing_can_tell() {
    check(
        "name = 'x'\ndescription = 'empty'\n",
        expect![[r#"
        domain::no_roles: the domain has no roles
          1:1   name = 'x'
                ^^^^^^^^^^ none in this file
           help: a role is a header and the words that pages use: `[role.price]`, then `keywords = ["price", "our price"]`
    "#]],
    );
    check(
        "",
        expect![[r#"
        domain::no_roles: the domain has no roles
          1:1   
                ^ none in this file
           help: a role is a header and the words that pages use: `[role.price]`, then `keywords = ["price", "our price"]`
    "#]],
    );
    check(
        "[role.price]\nvalue = '\\d'\n[role.maker]\nkeywords = ['maker']\n[role.maker.role.city]\n[role.brand]\nkeywords = ['', ' : ', 'brand']\n",
        expect![[r#"
            domain::no_keywords: the role `price` has no keywords
              1:7   [role.price]
                          ^^^^^ this role
               help: say what pages write in front of its values, or what schema.org calls it, or that it is the `title`
            domain::no_keywords: the role `maker.city` has no keywords
              5:18  [role.maker.role.city]
                                     ^^^^ this role
               help: say what pages write in front of its values, or what schema.org calls it, or that it is the `title`
            domain::empty_keyword: a keyword of `brand` is empty
              7:13  keywords = ['', ' : ', 'brand']
                                ^^ nothing to look for
               help: a keyword has at least one sign that is not a space or punctuation
            domain::empty_keyword: a keyword of `brand` is empty
              7:17  keywords = ['', ' : ', 'brand']
                                    ^^^^^ nothing to look for
               help: a keyword has at least one sign that is not a space or punctuation
        "#]],
    );
}

#[test]
fn names() {
    check(
        "role.'a.b'.keywords = ['a']\nrole.''.keywords = ['b']\nrole.'c[0]'.keywords = ['c']\nrole.'_d'.keywords = ['d']\nrole.'list price'.keywords = ['e']\n",
        expect![[r#"
            domain::bad_name: `a.b` cannot be the name of a role
              1:6   role.'a.b'.keywords = ['a']
                         ^^^^^ here
               help: a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`
            domain::bad_name: `` cannot be the name of a role
              2:6   role.''.keywords = ['b']
                         ^^ here
               help: a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`
            domain::bad_name: `c[0]` cannot be the name of a role
              3:6   role.'c[0]'.keywords = ['c']
                         ^^^^^^ here
               help: a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`
            domain::bad_name: `_d` cannot be the name of a role
              4:6   role.'_d'.keywords = ['d']
                         ^^^^ here
               help: a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`
            domain::bad_name: `list price` cannot be the name of a role
              5:6   role.'list price'.keywords = ['e']
                         ^^^^^^^^^^^^ here
               help: a name begins with a letter and has no space, dot, comma, quote or bracket: `list_price`
        "#]],
    );
}

#[test]
fn one_keyword_for_two_roles() {
    check(
        "[role.price]\nkeywords = ['price', 'Cost:']\n[role.fee]\nkeywords = ['fee', 'cost']\n[role.maker]\nkeywords = ['maker']\n[role.maker.role.name]\nkeywords = ['MAKER']\n",
        expect![[r#"
            domain::same_keyword: `cost` is a keyword of two roles: `price` and `fee`
              2:22  keywords = ['price', 'Cost:']
                                         ^^^^^^^ of `price` here
              4:20  keywords = ['fee', 'cost']
                                       ^^^^^^ of `fee` here
               help: a label says one role: leave it out of one of them, or write the longer label that tells them apart
            domain::same_keyword: `MAKER` is a keyword of two roles: `maker` and `name`
              6:13  keywords = ['maker']
                                ^^^^^^^ of `maker` here
              8:13  keywords = ['MAKER']
                                ^^^^^^^ of `name` here
               help: a label says one role: leave it out of one of them, or write the longer label that tells them apart
        "#]],
    );
}

#[test]
fn titles() {
    check(
        "[role.name]\ntitle = true\n[role.title]\ntitle = true\n[role.maker]\nkeywords = ['maker']\n[role.maker.role.name]\ntitle = true\n",
        expect![[r#"
            domain::two_titles: two roles are the title: `name` and `title`
              1:7   [role.name]
                          ^^^^ this one
              3:7   [role.title]
                          ^^^^^ and this one
               help: a page has one title: leave `title` out of one of them
            domain::wrong_value: `title` must be left out in a role inside another, not true
              8:9   title = true
                            ^^^^ here
               help: `maker` is a part of the thing, and the title is that of the whole
        "#]],
    );
}

#[test]
fn phrases() {
    check(
        "[role.a]\nphrases = ['\\d votes']\n[role.b]\nphrases = '(\\d) votes'\n",
        expect![[r#"
            domain::wrong_value: `phrases` must be regular expressions with a group, not one without a group
              2:12  phrases = ['\d votes']
                               ^^^^^^^^^^ here
               help: the first group is the value: `phrases = ['(\d) of 5 stars']`
            domain::wrong_value: `phrases` must be an array of regular expressions, not a string
              4:11  phrases = '(\d) votes'
                              ^^^^^^^^^^^^ here
               help: the first group is the value: `phrases = ['(\d) of 5 stars']`
        "#]],
    );
}

#[test]
fn patterns() {
    check(
        "[role.a]\nkeywords = ['a']\nvalue = '\\d+('\n[role.b]\nkeywords = ['b']\nvalue = '(?=x)'\n[role.c]\nkeywords = ['c']\nvalue = '*'\n[role.d]\nkeywords = ['d']\nvalue = '(\\w{500}){500}'\n[role.e]\nkeywords = ['e']\nvalue = \"\\\\p{Moon}\"\n[role.f]\nkeywords = ['f']\nvalue = '''\n[z-a]'''\n",
        expect![[r#"
            domain::bad_pattern: the value pattern of `a` is wrong: unclosed group
              3:13  value = '\d+('
                                ^ here
            domain::bad_pattern: the value pattern of `b` is wrong: look-around, including look-ahead and look-behind, is not supported
              6:10  value = '(?=x)'
                             ^^^ here
               help: patterns are matched in linear time, which knows neither look-around nor back-references
            domain::bad_pattern: the value pattern of `c` is wrong: repetition operator missing expression
              9:10  value = '*'
                             ^ here
               help: a sign that means itself has a backslash in front: `\*`, `\+`, `\?`
            domain::bad_pattern: the value pattern of `d` is wrong: it is too large
             12:9   value = '(\w{500}){500}'
                            ^^^^^^^^^^^^^^^^ here
               help: large counts such as `{1000}` multiply
            domain::bad_pattern: the value pattern of `e` is wrong: Unicode property not found
             15:9   value = "\\p{Moon}"
                            ^^^^^^^^^^^ here
            domain::bad_pattern: the value pattern of `f` is wrong: invalid character class range, the start must be <= the end
             19:2   [z-a]'''
                     ^^^ here
        "#]],
    );
}

#[test]
fn domains_that_are_not_there() {
    check(
        "extends = 'prodct'\n",
        expect![[r#"
        domain::unknown_domain: there is no domain `prodct` to extend
          1:11  extends = 'prodct'
                          ^^^^^^^^ not found
           help: did you mean `product`?
    "#]],
    );
    check(
        "extends = ['product', 'moon']\n[role.x]\nkeyword = ['x']\n",
        expect![[r#"
        domain::unknown_domain: there is no domain `moon` to extend
          1:23  extends = ['product', 'moon']
                                      ^^^^^^ not found
           help: a file beside this one, or one of those that come along: book, camera, car, cosmetics, drugs, health-food, job, movie, person, player, product, recipe, restaurant, university
        domain::unknown_key: unknown key `keyword` in a role
          3:1   keyword = ['x']
                ^^^^^^^ no such key here
           help: did you mean `keywords`?
    "#]],
    );
    check(
        "extends = 'product'\ndrop = ['warrenty', 'price', 'moon']\n",
        expect![[r#"
        domain::unknown_role: there is no role `warrenty` to drop
          2:9   drop = ['warrenty', 'price', 'moon']
                        ^^^^^^^^^^ here
           help: did you mean `warranty`?
        domain::unknown_role: there is no role `moon` to drop
          2:30  drop = ['warrenty', 'price', 'moon']
                                             ^^^^^^ here
           help: what this one extends has no role of this name
    "#]],
    );
    check(
        "drop = ['price']\n[role.x]\nkeywords = ['x']\n",
        expect![[r#"
        domain::unknown_role: there is no role `price` to drop
          1:9   drop = ['price']
                        ^^^^^^^ here
           help: `drop` leaves out roles of the domains that this one `extends`
    "#]],
    );
}

#[test]
fn domains_that_extend_themselves() {
    let a = "extends = 'b'\n[role.x]\nkeywords = ['x']\n";
    let others = |name: &str| match name {
        "a" => Some(a.to_owned()),
        "b" => Some("name = 'b'\nextends = 'c'\n".to_owned()),
        "c" => Some("name = 'c'\n\nextends = 'a'\n".to_owned()),
        "self" => Some("extends = 'self'\n".to_owned()),
        _ => None,
    };
    check_with(
        a,
        &others,
        expect![[r#"
            domain::cycle: the domain extends itself: a → b → c → a
              1:11  extends = 'b'
                              ^^^ by this
               help: let both extend a third that holds what they have in common
        "#]],
    );
    check_with(
        "extends = 'self'\n",
        &others,
        expect![[r#"
            domain::cycle: the domain extends itself: self → self
              1:11  extends = 'self'
                              ^^^^^^ by this
               help: let both extend a third that holds what they have in common
        "#]],
    );
}

#[test]
fn domains_that_are_broken() {
    let others = |name: &str| {
        (name == "base")
            .then(|| "name = 'base'\n[role.price]\nkeyword = ['price']\n[role.x]\nkeywords = []\n".to_owned())
    };
    check_with(
        "name = 'x'\nextends = 'base'\ncolour = 1\n",
        &others,
        expect![[r#"
            domain::broken: the domain `base`, which this one extends, has 2 errors, the first in line 3: unknown key `keyword` in a role
              2:11  extends = 'base'
                              ^^^^^^ extended here
               help: did you mean `keywords`?
            domain::unknown_key: unknown key `colour` in a domain
              3:1   colour = 1
                    ^^^^^^ no such key here
               help: if it is a role, write `[role.colour]`
        "#]],
    );
}

#[test]
fn thresholds_that_no_entropy_reaches() {
    check(
        "name = 'x'\ndata_rich_entropy = 20\nlist_entropy = 'low'\n[role.price]\nkeywords = ['price']\n",
        expect![[r#"
            domain::wrong_value: `data_rich_entropy` must be a number from 0 to 9, not 20
              2:21  data_rich_entropy = 20
                                        ^^ here
            domain::wrong_value: `list_entropy` must be a number from 0 to 9, not a string
              3:16  list_entropy = 'low'
                                   ^^^^^ here
        "#]],
    );
}
