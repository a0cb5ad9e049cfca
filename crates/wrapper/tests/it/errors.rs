//! The errors of TOML and JSON files as people see them. The texts are part of the interface.

use expect_test::{Expect, expect};
use miette::Diagnostic;
use windrow_wrapper::Errors;
use windrow_wrapper::files::{self, Format};

/// Formats each error as code and message, the line with a caret below, and the hint.
pub(crate) fn render(source: &str, errors: &Errors) -> String {
    let mut out = String::new();
    for error in &errors.0 {
        let code = error.code().map(|code| code.to_string()).unwrap_or_default();
        out.push_str(&format!("{code}: {error}\n"));
        for label in error.labels().into_iter().flatten() {
            let (start, end) = (label.offset(), label.offset() + label.len());
            assert!(source.is_char_boundary(start) && source.is_char_boundary(end), "{error:?}");
            let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let line = source[line_start..].lines().next().unwrap_or_default();
            let number = source[..start].matches('\n').count() + 1;
            let column = source[line_start..start].chars().count();
            let width = source[start..end].lines().next().unwrap_or_default().chars().count().max(1);
            let text = label.label().unwrap_or_default();
            let shown: String = line.chars().take(120).collect();
            out.push_str(&format!("{number:>3}:{:<3} {shown}\n", column + 1));
            if column < 120 {
                out.push_str(&format!("        {}{} {text}\n", " ".repeat(column), "^".repeat(width.min(120))));
            }
        }
        if let Some(help) = error.help() {
            out.push_str(&format!("   help: {help}\n"));
        }
    }
    out
}

fn check(source: &str, expected: Expect) {
    let errors = files::read(source, Format::Toml).err().unwrap_or_else(|| panic!("accepted: {:.200}", source));
    expected.assert_eq(&render(source, &errors));
}

fn check_json(source: &str, expected: Expect) {
    let errors = files::read(source, Format::Json).err().unwrap_or_else(|| panic!("accepted: {:.200}", source));
    expected.assert_eq(&render(source, &errors));
}

#[test]
fn not_toml() {
    check(
        "[field]\ntitle = //h1\n",
        expect![[r#"
        wrapper::syntax: this is not TOML: string values must be quoted, expected literal string
          2:9   title = //h1
                        ^^^^ here
           help: put texts in quotes: "…", or '…' if the text contains quotes
    "#]],
    );
    check(
        "name = \"x\n",
        expect![[r#"
        wrapper::syntax: this is not TOML: invalid basic string, expected `"`
          1:10  name = "x
                         ^ here
    "#]],
    );
    check(
        "[list.ads\nrecords = 'x'",
        expect![[r#"
        wrapper::syntax: this is not TOML: unclosed table, expected `]`
          1:10  [list.ads
                         ^ here
    "#]],
    );
    check(
        "[field]\na = 'x'\na = 'y'",
        expect![[r#"
        wrapper::syntax: this is not TOML: duplicate key
          3:1   a = 'y'
                ^ here
           help: the same key occurs above: rename one of them, or merge the two tables
    "#]],
    );
    check(
        "field = { a = 'x', b = 'y'",
        expect![[r#"
        wrapper::syntax: this is not TOML: unclosed inline table, expected `}`
          1:27  field = { a = 'x', b = 'y'
                                          ^ here
    "#]],
    );
}

#[test]
fn not_json() {
    check_json(
        "",
        expect![[r#"
        wrapper::syntax: this is not JSON: the file is empty
          1:1   
                ^ here
    "#]],
    );
    check_json(
        "{\"name\": \"x\",}",
        expect![[r#"
        wrapper::syntax: this is not JSON: trailing commas are not allowed
          1:13  {"name": "x",}
                            ^ here
           help: remove the comma before the bracket
    "#]],
    );
    check_json(
        "{\n  \"name\": \"x\" // my wrapper\n}",
        expect![[r#"
        wrapper::syntax: this is not JSON: comments are not allowed
          2:15    "name": "x" // my wrapper
                              ^^^^^^^^^^^^^ here
           help: JSON has no comments; a wrapper in TOML may have them
    "#]],
    );
    check_json(
        "{'name': 1}",
        expect![[r#"
        wrapper::syntax: this is not JSON: single-quoted strings are not allowed
          1:2   {'name': 1}
                 ^ here
           help: strings and keys need double quotes
    "#]],
    );
    check_json(
        "{\"name\": \"x\" \"url\": \"y\"}",
        expect![[r#"
        wrapper::syntax: this is not JSON: expected comma
          1:13  {"name": "x" "url": "y"}
                            ^ here
    "#]],
    );
    check_json(
        "{\"field\": {\"a\": \"x\", \"a\": \"y\"}}",
        expect![[r#"
        wrapper::syntax: this is not JSON: the key `a` occurs twice in one object
          1:22  {"field": {"a": "x", "a": "y"}}
                                     ^^^ here
    "#]],
    );
    check_json(
        "{\"name\": \"a\u{1}\"}",
        expect![[r#"
        wrapper::syntax: this is not JSON: control character (\u0000-\u001F) found while parsing a string
          1:12  {"name": "a"}
                           ^ here
    "#]],
    );
    check_json(
        "{\"name\": \"x\"",
        expect![[r#"
        wrapper::syntax: this is not JSON: unterminated object
          1:1   {"name": "x"
                ^ here
    "#]],
    );
    check_json(
        "[]",
        expect![[r#"
        wrapper::wrong_value: `wrapper` must be a table, not an empty array
          1:1   []
                ^^ here
    "#]],
    );
}

#[test]
fn unknown_keys() {
    check(
        "nmae = 'x'\n[lists.ads]\nrecords = 'y'",
        expect![[r#"
        wrapper::unknown_key: unknown key `nmae` in a wrapper
          1:1   nmae = 'x'
                ^^^^ no such key here
           help: did you mean `name`?
        wrapper::unknown_key: unknown key `lists` in a wrapper
          2:2   [lists.ads]
                 ^^^^^ no such key here
           help: did you mean `list`?
    "#]],
    );
    check(
        "[list.ads]\nxpath = '//tr'",
        expect![[r#"
        wrapper::missing_key: a list needs `records`
          1:7   [list.ads]
                      ^^^ in this one
           help: for example `records = "//table/tbody/tr"`
        wrapper::unknown_key: unknown key `xpath` in a list
          2:1   xpath = '//tr'
                ^^^^^ no such key here
           help: it belongs in `records`: `records = { xpath = … }`
    "#]],
    );
    check(
        "[list.ads]\nrecords = '//tr'\ntitle = 'h2'",
        expect![[r#"
        wrapper::unknown_key: unknown key `title` in a list
          3:1   title = 'h2'
                ^^^^^ no such key here
           help: a field belongs in the section `field`: `field.title = …`
    "#]],
    );
    check(
        "[group.a]\ncss = 'b'",
        expect![[r#"
        wrapper::unknown_key: unknown key `css` in a group
          2:1   css = 'b'
                ^^^ no such key here
           help: it belongs in `at`: `at = { css = … }`
    "#]],
    );
    check(
        "[field.a]\nxpath = 'b'\nfield.c = 'd'",
        expect![[r#"
        wrapper::unknown_key: unknown key `field` in a field
          3:1   field.c = 'd'
                ^^^^^ no such key here
           help: a field is a single value; rules belong in a `group` or a `list`
    "#]],
    );
    check(
        "[list.a]\nrecords = { xpath = '//tr', optional = true }",
        expect![[r#"
        wrapper::unknown_key: unknown key `optional` in a locator
          2:29  records = { xpath = '//tr', optional = true }
                                            ^^^^^^^^ no such key here
           help: it belongs next to the locator, not inside it
    "#]],
    );
    check(
        "follow = { times = 2 }",
        expect![[r#"
            wrapper::unknown_key: unknown key `times` in `follow`
              1:12  follow = { times = 2 }
                               ^^^^^ no such key here
               help: the valid keys are `depth`, `pages`
        "#]],
    );
    check_json(
        "{\n  \"field\": {\n    \"a\": { \"xpaht\": \"//b\" }\n  }\n}",
        expect![[r#"
        wrapper::unknown_key: unknown key `xpaht` in a field
          3:13      "a": { "xpaht": "//b" }
                            ^^^^^ no such key here
           help: did you mean `xpath`?
    "#]],
    );
}

#[test]
fn missing_keys() {
    check(
        "[list.ads]\nfield.title = 'h2'",
        expect![[r#"
        wrapper::missing_key: a list needs `records`
          1:7   [list.ads]
                      ^^^ in this one
           help: for example `records = "//table/tbody/tr"`
    "#]],
    );
    check(
        "[list.ads.field]\ntitle = 'h2'",
        expect![[r#"
        wrapper::missing_key: a list needs `records`
          1:7   [list.ads.field]
                      ^^^ in this one
           help: for example `records = "//table/tbody/tr"`
    "#]],
    );
    check(
        "learned = { from = 'x' }",
        expect![[r#"
        wrapper::missing_key: `learned` needs `by`
          1:11  learned = { from = 'x' }
                          ^^^^^^^^^^^^^^ in this one
           help: for example `by = "discover"`
    "#]],
    );
    check(
        "[[save]]\ninto = ['a']",
        expect![[r#"
        wrapper::missing_key: a save needs `pattern`
          1:1   [[save]]
                ^^^^^^^^ in this one
           help: for example `pattern = "*<td>#</td>*<td>#</td>*"`
    "#]],
    );
    check(
        "[[save]]\npattern = '*#*'",
        expect![[r#"
        wrapper::missing_key: a save needs `into`
          1:1   [[save]]
                ^^^^^^^^ in this one
           help: a name for each `#` of the pattern: `into = ["title", "price"]`
    "#]],
    );
    check(
        "save = [{ pattern = '*#*', into = [{ type = 'url' }] }]",
        expect![[r#"
        wrapper::missing_key: a saved text needs `name`
          1:36  save = [{ pattern = '*#*', into = [{ type = 'url' }] }]
                                                   ^^^^^^^^^^^^^^^^ in this one
           help: for example `name = "price"`
    "#]],
    );
    check(
        "field.a = { landmark = { end = '</b>' } }",
        expect![[r#"
        wrapper::missing_key: a landmark needs `start`
          1:24  field.a = { landmark = { end = '</b>' } }
                                       ^^^^^^^^^^^^^^^^ in this one
           help: for example `landmark = { start = '<h3>', end = '</h3>' }`
    "#]],
    );
    check(
        "field.a = { xpath = 'b', until = {} }",
        expect![[r#"
        wrapper::missing_key: `until` needs `before`
          1:34  field.a = { xpath = 'b', until = {} }
                                                 ^^ in this one
           help: for example `until = { before = "hr" }`
    "#]],
    );
}

#[test]
fn keys_that_exclude_each_other() {
    check(
        "[field]\na = { xpath = '//b', css = 'b', split = ',' }",
        expect![[r#"
        wrapper::conflicting_keys: `xpath` and `css` cannot be used together
          2:22  a = { xpath = '//b', css = 'b', split = ',' }
                                     ^^^ remove one of the two
           help: a locator can have only one way of finding; use `then` to search inside its matches
        wrapper::conflicting_keys: `xpath` and `split` cannot be used together
          2:33  a = { xpath = '//b', css = 'b', split = ',' }
                                                ^^^^^ remove one of the two
           help: a locator can have only one way of finding; use `then` to search inside its matches
    "#]],
    );
    check(
        "field.a = { landmark = { each = '<b>', end = '</b>' } }",
        expect![[r#"
        wrapper::conflicting_keys: `each` and `end` cannot be used together
          1:40  field.a = { landmark = { each = '<b>', end = '</b>' } }
                                                       ^^^ remove one of the two
           help: `each` cuts at every match; `start` and `end` take what lies between
    "#]],
    );
    check(
        "save = [{ pattern = '*#*', into = [{ name = 'a', records = 'b', at = 'c', xpath = 'd' }] }]",
        expect![[r#"
            wrapper::conflicting_keys: `records` and `at` cannot be used together
              1:65  save = [{ pattern = '*#*', into = [{ name = 'a', records = 'b', at = 'c', xpath = 'd' }] }]
                                                                                    ^^ remove one of the two
               help: remove one of them
            wrapper::conflicting_keys: `records` and `xpath` cannot be used together
              1:75  save = [{ pattern = '*#*', into = [{ name = 'a', records = 'b', at = 'c', xpath = 'd' }] }]
                                                                                              ^^^^^ remove one of the two
               help: remove one of them
        "#]],
    );
}

#[test]
fn wrong_values() {
    check(
        "name = 3\nurl = true\nfollow = { depth = -1, pages = 'many' }",
        expect![[r#"
        wrapper::wrong_value: `name` must be a string, not 3
          1:8   name = 3
                       ^ here
        wrapper::wrong_value: `url` must be a string, not true
          2:7   url = true
                      ^^^^ here
        wrapper::wrong_value: `depth` must be a whole number from 0, not -1
          3:20  follow = { depth = -1, pages = 'many' }
                                   ^^ here
        wrapper::wrong_value: `pages` must be a whole number from 0, not a string
          3:32  follow = { depth = -1, pages = 'many' }
                                               ^^^^^^ here
    "#]],
    );
    check(
        "learned = { by = 'x', at = 'yesterday', from = [1] }",
        expect![[r#"
        wrapper::wrong_value: `at` must be a time such as 2026-11-15T09:00:00Z, not a string
          1:28  learned = { by = 'x', at = 'yesterday', from = [1] }
                                           ^^^^^^^^^^^ here
        wrapper::wrong_value: `from` must be a string, not 1
          1:49  learned = { by = 'x', at = 'yesterday', from = [1] }
                                                                ^ here
    "#]],
    );
    check(
        "[field]\na = { xpath = 'b', type = 'dat' }\nc = { xpath = 'd', type = 'colour' }",
        expect![[r#"
        wrapper::wrong_value: `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `dat`
          2:28  a = { xpath = 'b', type = 'dat' }
                                           ^^^ here
           help: did you mean `date`?
        wrapper::wrong_value: `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `colour`
          3:28  c = { xpath = 'd', type = 'colour' }
                                           ^^^^^^ here
    "#]],
    );
    check(
        "[field]\na = 1\nb = { xpath = 2, optional = 'yes', slice = [1], members = -1 }",
        expect![[r#"
        wrapper::wrong_value: `a` must be an expression or a table, not 1
          2:5   a = 1
                    ^ here
        wrapper::wrong_value: `xpath` must be a string, not 2
          3:15  b = { xpath = 2, optional = 'yes', slice = [1], members = -1 }
                              ^ here
        wrapper::wrong_value: `optional` must be true or false, not a string
          3:29  b = { xpath = 2, optional = 'yes', slice = [1], members = -1 }
                                            ^^^^^ here
        wrapper::wrong_value: `slice` must be two whole numbers from 0, or one, not an array
          3:44  b = { xpath = 2, optional = 'yes', slice = [1], members = -1 }
                                                           ^^^ here
           help: `[1, 0]` leaves out one at the beginning and none at the end; `2` selects only the third
        wrapper::wrong_value: `members` must be two whole numbers from 0, or one, not -1
          3:59  b = { xpath = 2, optional = 'yes', slice = [1], members = -1 }
                                                                          ^^ here
           help: `[1, 0]` leaves out one at the beginning and none at the end; `2` selects only the third
    "#]],
    );
    check(
        "[field]\na = { table = false }\nb = { get = true }\nc = { column = 0 }\nd = { case = [] }",
        expect![[r#"
            wrapper::wrong_value: `table` must be true, an expression or a table, not false
              2:15  a = { table = false }
                                  ^^^^^ here
               help: remove the key
            wrapper::wrong_value: `get` must be an expression or a table, not true
              3:13  b = { get = true }
                                ^^^^ here
               help: `get = {}` takes the URL from the scope itself
            wrapper::wrong_value: `column` must be a column's header, or its number from 1, not 0
              4:16  c = { column = 0 }
                                   ^ here
            wrapper::wrong_value: `case` must be an array of locators, not an empty array
              5:14  d = { case = [] }
                                 ^^ here
               help: for example `case = [{ pattern = "*<b>#</b>*" }, { pattern = "*<i>#</i>*" }]`
        "#]],
    );
    check(
        "field = 'x'\nlist = []\n[save]\npattern = '#'",
        expect![[r#"
        wrapper::wrong_value: `field` must be a table of fields, not a string
          1:9   field = 'x'
                        ^^^ here
           help: each field has a name: `field.name = …`
        wrapper::wrong_value: `list` must be a table of lists, not an empty array
          2:8   list = []
                       ^^ here
           help: each list has a name: `list.name = …`
        wrapper::wrong_value: `save` must be an array of tables, not a table
          3:2   [save]
                 ^^^^ here
           help: begin it with `[[save]]`, brackets doubled
    "#]],
    );
    check(
        "[group]\na = 'x'\nb = { take = 'c' }",
        expect![[r#"
        wrapper::wrong_value: `a` must be a table, not a string
          2:5   a = 'x'
                    ^^^ here
        wrapper::wrong_value: `take` must be a table of labels and rule names, not a string
          3:14  b = { take = 'c' }
                             ^^^ here
           help: for example `take = { city = "_name" }`
    "#]],
    );
    check(
        "[[save]]\npattern = '*#*'\ninto = 'a'",
        expect![[r#"
        wrapper::wrong_value: `into` must be an array of names and tables, not a string
          3:8   into = 'a'
                       ^^^ here
    "#]],
    );
    check(
        "field.a = { landmark = '<b>' }\nfield.b = { xpath = 'c', until = 3 }",
        expect![[r#"
        wrapper::wrong_value: `landmark` must be a table, not a string
          1:24  field.a = { landmark = '<b>' }
                                       ^^^^^ here
        wrapper::wrong_value: `until` must be `next` or an expression, not 3
          2:34  field.b = { xpath = 'c', until = 3 }
                                                 ^ here
    "#]],
    );
    check_json(
        "{\"name\": null, \"field\": {\"a\": 1.5}}",
        expect![[r#"
        wrapper::wrong_value: `name` must be a string, not null
          1:10  {"name": null, "field": {"a": 1.5}}
                         ^^^^ here
        wrapper::wrong_value: `a` must be an expression or a table, not 1.5
          1:31  {"name": null, "field": {"a": 1.5}}
                                              ^^^ here
    "#]],
    );
}

#[test]
fn names() {
    check(
        "[field]\n\"first name\" = 'a'\n1st = 'b'\n\"a,b\" = 'c'\n\"ünïcode\" = 'd'",
        expect![[r#"
        wrapper::bad_name: `first name` is not a valid name
          2:2   "first name" = 'a'
                 ^^^^^^^^^^ here
           help: a name begins with a letter or `_` and contains no space, comma, quote or bracket
        wrapper::bad_name: `1st` is not a valid name
          3:1   1st = 'b'
                ^^^ here
           help: a name begins with a letter or `_` and contains no space, comma, quote or bracket
        wrapper::bad_name: `a,b` is not a valid name
          4:2   "a,b" = 'c'
                 ^^^ here
           help: a name begins with a letter or `_` and contains no space, comma, quote or bracket
    "#]],
    );
    check(
        "[field]\nprice = 'a'\n[list]\nprice = 'b'",
        expect![[r#"
        wrapper::duplicate_name: two rules in one scope are named `price`
          4:1   price = 'b'
                ^^^^^ the second one
           help: rename one of them; `label` shows both under one name
    "#]],
    );
    check(
        "[field]\nprice = 'a'\n[[save]]\npattern = '*#,#*'\ninto = ['price', 'price']",
        expect![[r#"
        wrapper::duplicate_name: two rules in one scope are named `price`
          5:10  into = ['price', 'price']
                         ^^^^^ the second one
           help: rename one of them; `label` shows both under one name
        wrapper::duplicate_name: two rules in one scope are named `price`
          5:19  into = ['price', 'price']
                                  ^^^^^ the second one
           help: rename one of them; `label` shows both under one name
    "#]],
    );
}

#[test]
fn all_errors_come_at_once() {
    check(
        "nam = 'ads'\n\n[list.ads]\nrecord = '//tr'\n\n[list.ads.field]\nprice = { xpath = 'td', type = 'mony' }\ntitle = { xpath = 'h2', css = 'h2' }\n",
        expect![[r#"
            wrapper::unknown_key: unknown key `nam` in a wrapper
              1:1   nam = 'ads'
                    ^^^ no such key here
               help: did you mean `name`?
            wrapper::missing_key: a list needs `records`
              3:7   [list.ads]
                          ^^^ in this one
               help: for example `records = "//table/tbody/tr"`
            wrapper::unknown_key: unknown key `record` in a list
              4:1   record = '//tr'
                    ^^^^^^ no such key here
               help: did you mean `records`?
            wrapper::wrong_value: `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `mony`
              7:33  price = { xpath = 'td', type = 'mony' }
                                                    ^^^^ here
               help: did you mean `money`?
            wrapper::conflicting_keys: `xpath` and `css` cannot be used together
              8:25  title = { xpath = 'h2', css = 'h2' }
                                            ^^^ remove one of the two
               help: a locator can have only one way of finding; use `then` to search inside its matches
        "#]],
    );
}
