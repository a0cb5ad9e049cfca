//! Errors in bracket files: brackets, quotes, undefined variables.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read};

use crate::bracket_support::{fixture, report};

fn check_errors(file: &str, expected: Expect) {
    let errors = read(file, Format::Tsimmis).expect_err("it is wrong");
    expected.assert_eq(&report(file, &errors));
}

/// Puts one command after a correct one.
pub(crate) fn check_command(command: &str, expected: Expect) {
    check_errors(&format!("[[\"root\", \"get('u')\", \"#\"],\n {command}]"), expected);
}

#[test]
fn figure_3_as_it_was_printed() {
    // It has `{` instead of `[`, lacks a quote, and gives nine variables to eight `#`: each is reported, and nothing
    // else.
    check_errors(
        &fixture("weather/figure-3-as-printed.tsimmis"),
        expect![[r##"
        wrapper::wrong_bracket: found `{` where `[` is expected
          1 | [{"root",
            |  ^ put `[` here
            = the list of commands and each command are enclosed in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::unbalanced: `"` is not closed
          2 |    "get('https://weather.example.org/europe.html'),
            |    ^ opened here
            = a string ends on the line where it begins: put `"` behind `urope.html')`
        wrapper::variable_count: 9 variables for a pattern with 8 `#`
         19 |   "*<TD>#</TD>*HREF=#>#</A>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*<TD>#</TD>*"
            |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 8 saved here
            = each `#` fills one variable, in order; give a text you do not need a name that begins with `_`
    "##]],
    );
}

#[test]
fn brackets_that_do_not_pair() {
    check_errors(
        r##"[["root", "get('u')", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `[` is not closed
          1 | [["root", "get('u')", "#"]
            | ^ opened here
            = put a `]` at the end, after the last command
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#", ["a", "root", "#"]]"##,
        expect![[r##"
            wrapper::unbalanced: `[` is not closed
              1 | [["root", "get('u')", "#", ["a", "root", "#"]]
                |  ^ opened here
                = put a `]` after the pattern
        "##]],
    );
    check_errors(
        r##"["root", "get('u')", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands has no bracket of its own
          1 | ["root", "get('u')", "#"]
            | ^ here
            = put a `[` before the first command and a `]` after the last
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#"]]]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands is closed, and something follows
          1 | [["root", "get('u')", "#"]]]
            |                            ^ here
            = remove this bracket
    "##]],
    );
    check_errors(
        r##"[["root", "get('u')", "#"]], ["a", "root", "#"]]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: the list of commands is closed, and something follows
          1 | [["root", "get('u')", "#"]], ["a", "root", "#"]]
            |                            ^ here
            = the list is closed too early: move its closing bracket to the end
    "##]],
    );
    check_errors(
        r##"{["root", "get('u')", "#"}, ("a", "root", "#")}"##,
        expect![[r##"
        wrapper::wrong_bracket: found `{` where `[` is expected
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            | ^ put `[` here
            = the list of commands and each command are enclosed in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::wrong_bracket: found `}` where `]` is expected
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            |                          ^ put `]` here
            = the list of commands and each command are enclosed in `[` and `]`: [["root", "get('…')", "#"], …]
        wrapper::wrong_bracket: found `(` where `[` is expected
          1 | {["root", "get('u')", "#"}, ("a", "root", "#")}
            |                             ^ put `[` here
            = the list of commands and each command are enclosed in `[` and `]`: [["root", "get('…')", "#"], …]
    "##]],
    );
    check_errors(
        "]",
        expect![[r#"
        wrapper::unopened: `]` has no matching opening bracket
          1 | ]
            | ^ no open bracket here
            = remove it, or add the missing opening bracket
    "#]],
    );
}

#[test]
fn quotes_and_parentheses_that_do_not_pair() {
    check_command(
        r##"["a, "root", "#"]"##,
        expect![[r##"
            wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two parts of a command
              2 |  ["a, "root", "#"]]
                |        ^^^^ here
                = put a `,` before this one, or add the missing quote
            wrapper::unbalanced: `"` is not closed
              2 |  ["a, "root", "#"]]
                |                 ^ opened here
                = a string ends on the line where it begins: put a second `"`
        "##]],
    );
    check_command(
        r##"["a", "root", "*<B>#]"##,
        expect![[r#"
        wrapper::unbalanced: `"` is not closed
          2 |  ["a", "root", "*<B>#]]
            |                ^ opened here
            = a string ends on the line where it begins: put `"` behind `*<B>#`
    "#]],
    );
    check_command(
        r##"["a", "split(root, '<TR>)", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `'` is not closed
          2 |  ["a", "split(root, '<TR>)", "#"]]
            |                     ^ opened here
            = a string ends on the line where it begins: put `'` behind `<TR>`
    "##]],
    );
    check_command(
        r##"["a", "split(root, '<TR>'", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `(` is not closed
          2 |  ["a", "split(root, '<TR>'", "#"]]
            |              ^ opened here
            = put `)` after the last argument of `split`
    "##]],
    );
    check_command(
        r##"["a", "split(root, '<TR>'))", "#"]"##,
        expect![[r##"
            wrapper::unopened: `)` has no matching opening bracket
              2 |  ["a", "split(root, '<TR>'))", "#"]]
                |                            ^ no open bracket here
                = remove it
        "##]],
    );
    check_command(
        r##"["a", "root", case('#', 'x#'"##,
        expect![[r##"
            wrapper::unbalanced: `[` is not closed
              1 | [["root", "get('u')", "#"],
                | ^ opened here
                = put a `]` at the end, after the last command
            wrapper::unbalanced: `[` is not closed
              2 |  ["a", "root", case('#', 'x#']
                |  ^ opened here
                = put a `]` after the pattern
            wrapper::unbalanced: `(` is not closed
              2 |  ["a", "root", case('#', 'x#']
                |                    ^ opened here
                = put `)` after the last argument
        "##]],
    );
    check_command(
        r##"["a", "root[1:0", "#"]"##,
        expect![[r##"
        wrapper::unbalanced: `[` is not closed
          2 |  ["a", "root[1:0", "#"]]
            |             ^ opened here
            = put `]` after the numbers
    "##]],
    );
}

#[test]
fn commands_of_another_length() {
    check_errors(
        "",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 | 
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_errors(
        " ; nothing\n",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 |  ; nothing
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_errors(
        "[]",
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no command
          1 | []
            | ^ here
            = the first command gets the page: [["root", "get('https://example.org/')", "#"]]
    "##]],
    );
    check_command(
        r##"["a", "root"]"##,
        expect![[r#"
        wrapper::command_parts: a command has three parts, this one has 2
          2 |  ["a", "root"]]
            |  ^^^^^^^^^^^^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "#]],
    );
    check_command(
        r##"["a", "root", "#", "#"]"##,
        expect![[r##"
        wrapper::command_parts: a command has three parts, this one has 4
          2 |  ["a", "root", "#", "#"]]
            |  ^^^^^^^^^^^^^^^^^^^^^^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "##]],
    );
    check_command(
        r##"[]"##,
        expect![[r#"
        wrapper::command_parts: a command has three parts, this one has 0
          2 |  []]
            |  ^^ this command
            = [variables, source, pattern], each in quotes: ["title", "root", "*<H1>#</H1>*"]
    "#]],
    );
    check_command(
        r##"["a" "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two parts of a command
          2 |  ["a" "root", "#"]]
            |       ^^^^^^ here
            = put a `,` before this one, or add the missing quote
    "##]],
    );
    check_command(
        r##"["a",, "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is nothing before this comma
          2 |  ["a",, "root", "#"]]
            |       ^ here
            = remove the comma
    "##]],
    );
    check_command(
        r##"["a", "root", "#"] ["b", "root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: there is no comma between two commands
          2 |  ["a", "root", "#"] ["b", "root", "#"]]
            |                     ^ here
            = put a `,` before this one
    "##]],
    );
    check_command(
        r##""a", "root", "#""##,
        expect![[r##"
            wrapper::syntax: this is not a list of TSIMMIS commands: this is not inside a command
              2 |  "a", "root", "#"]
                |  ^^^ here
                = a command is `[variables, source, pattern]`, each in quotes
        "##]],
    );
    check_command(
        r##"[a, "root", #]"##,
        expect![[r#"
        wrapper::syntax: this is not a list of TSIMMIS commands: the variables need quotes
          2 |  [a, "root", #]]
            |   ^ here
            = put quotes around it
        wrapper::syntax: this is not a list of TSIMMIS commands: the pattern needs quotes
          2 |  [a, "root", #]]
            |              ^ here
            = put quotes around it
    "#]],
    );
}

#[test]
fn variables_that_are_not_there() {
    check_command(
        r##"["a", "rot", "#"], ["b", "something_else", "#"]"##,
        expect![[r##"
        wrapper::unknown_variable: no rule defines `rot`
          2 |  ["a", "rot", "#"], ["b", "something_else", "#"]]
            |         ^^^ used here
            = did you mean `root`?
        wrapper::unknown_variable: no rule defines `something_else`
          2 |  ["a", "rot", "#"], ["b", "something_else", "#"]]
            |                            ^^^^^^^^^^^^^^ used here
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "root", "#"]"##,
        expect![[r##"
        wrapper::used_before_defined: `b` is used before it is defined
          2 |  ["a", "b", "#"], ["b", "root", "#"]]
            |         ^ used here
          2 |  ["a", "b", "#"], ["b", "root", "#"]]
            |                     ^ defined here
            = commands run in order: move the one that defines it up
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "a", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → b → a is a cycle of definitions
          2 |  ["a", "b", "#"], ["b", "a", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "a", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → a is a cycle of definitions
          2 |  ["a", "a", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "b", "#"], ["b", "c", "#"], ["c", "a", "#"], ["d", "c", "#"]"##,
        expect![[r##"
        wrapper::cycle: a → c → b → a is a cycle of definitions
          2 |  ["a", "b", "#"], ["b", "c", "#"], ["c", "a", "#"], ["d", "c", "#"]]
            |         ^ begins here
            = one of them has to come from a page: `get('…')`
    "##]],
    );
    check_command(
        r##"["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]"##,
        expect![[r##"
        wrapper::duplicate_name: two rules in one scope are named `a`
          2 |  ["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]]
            |                          ^ the second one
            = rename one of them; `label` shows both under one name
        wrapper::duplicate_name: two rules in one scope are named `root`
          2 |  ["a", "root", "#"], ["b,a", "root", "#x#"], ["root", "a", "#"]]
            |                                                ^^^^ the second one
            = rename one of them; `label` shows both under one name
    "##]],
    );
    check_command(
        r##"["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]"##,
        expect![[r##"
            wrapper::used_before_defined: `a` is used before it is defined
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                          ^ used here
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                                          ^ defined here
                = commands run in order: move the one that defines it up
            wrapper::unknown_variable: no rule defines `lates`
              2 |  ["g", "group(root)", "x=a, y=lates"], ["a", "root", "#"], ["late", "root", "#"]]
                |                               ^^^^^ used here
                = did you mean `late`?
        "##]],
    );
    check_errors(
        r##"[["a", "page", "#"]]"##,
        expect![[r##"
        wrapper::unknown_variable: no rule defines `page`
          1 | [["a", "page", "#"]]
            |         ^^^^ used here
            = the first command gets the page: `get('https://example.org/')`
    "##]],
    );
}

#[test]
fn too_much_is_refused() {
    let mut deep = String::from("[[\"v0\", \"get()\", \"#\"]");
    for level in 1..200 {
        deep.push_str(&format!(",\n[\"v{level}\", \"v{}\", \"#\"]", level - 1));
    }
    let errors = read(&format!("{deep}]"), Format::Tsimmis).unwrap_err();
    expect!["the wrapper has too many levels: more than 64"].assert_eq(&errors.0[0].to_string());
    let mut long = String::from("[[\"v0\", \"get()\", \"#\"]");
    for number in 1..20_000 {
        long.push_str(&format!(",[\"v{number}\", \"v0\", \"#\"]"));
    }
    let errors = read(&format!("{long}]"), Format::Tsimmis).unwrap_err();
    expect!["the wrapper has too many commands: more than 10000"].assert_eq(&errors.0[0].to_string());
    for hostile in ["[", "{", "(", "\"", "[\"", "a(", "[[\"a\",\"a(", "];", "\\", "\"\n", "a('\n", "\"a\",\n"] {
        let errors = read(&hostile.repeat(100_000), Format::Tsimmis).unwrap_err();
        assert!(errors.0.len() <= 210, "{hostile}: {}", errors.0.len());
    }
    for (variables, source, pattern) in
        [("a,", "get()", ""), (",", "get()", "#"), ("g", "group(get())", "x=y,"), ("g", "group(get())", ",")]
    {
        let many = |part: &str| if part.ends_with(',') { part.repeat(200_000) } else { part.to_owned() };
        let file = format!("[[\"{}\", \"{source}\", \"{}\"]]", many(variables), many(pattern));
        let errors = read(&file, Format::Tsimmis).unwrap_err();
        assert!(errors.0.len() <= 110, "{variables} {pattern}: {}", errors.0.len());
    }
    let mut unknown = String::from("[[\"v0\", \"get()\", \"#\"]");
    for number in 1..9_000 {
        unknown.push_str(&format!(",[\"{}{number}\", \"{}{number}\", \"#\"]", "v".repeat(60), "w".repeat(60)));
    }
    assert!(read(&format!("{unknown}]"), Format::Tsimmis).unwrap_err().0.len() <= 102);
}
