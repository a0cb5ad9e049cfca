//! Errors in the parts of a command: a pattern, a function, a slice, a variable.

use expect_test::{Expect, expect};

use crate::tsimmis_errors::check_command;

#[test]
fn patterns_that_cannot_be() {
    check_command(
        r##"["a", "root", "*<B>*"]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", "*<B>*"]]
            |                 ^^^^^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", ""]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", ""]]
            |                 ^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", "*<B>##</B>"]"##,
        expect![[r#"
        wrapper::adjacent_wildcards: `##` has no text between its two wildcards, so the end of the first is ambiguous
          2 |  ["a", "root", "*<B>##</B>"]]
            |                     ^^ here
            = write the text between them, or remove one of them
    "#]],
    );
    check_command(
        r##"["a", "root", "*<B>*#</B>"]"##,
        expect![[r#"
        wrapper::adjacent_wildcards: `*#` has no text between its two wildcards, so the end of the first is ambiguous
          2 |  ["a", "root", "*<B>*#</B>"]]
            |                     ^^ here
            = write the text between them, or remove one of them
    "#]],
    );
    check_command(
        r##"["a", "root", "#<B>#"]"##,
        expect![[r##"
            wrapper::variable_count: 1 variable for a pattern with 2 `#`
              2 |  ["a", "root", "#<B>#"]]
                |                 ^^^^^ 2 saved here
                = each `#` fills one variable, in order; give a text you do not need a name that begins with `_`
        "##]],
    );
    check_command(
        r##"["a,b,c", "root", "#<B>#"]"##,
        expect![[r##"
        wrapper::variable_count: 3 variables for a pattern with 2 `#`
          2 |  ["a,b,c", "root", "#<B>#"]]
            |                     ^^^^^ 2 saved here
            = each `#` fills one variable, in order; give a text you do not need a name that begins with `_`
    "##]],
    );
    check_command(
        r##"["a,b", "root", "case('#<B>#', '#<I>')"]"##,
        expect![[r#"
        wrapper::case_count: all alternatives of a `case` must save the same number of texts: 2 in the first, 1 in this one
          2 |  ["a,b", "root", "case('#<B>#', '#<I>')"]]
            |                                  ^^^^ 1 saved here
            = each `#` fills one variable, whichever alternative matches
    "#]],
    );
    check_command(
        r##"["a", "root", "case('#<B>', '<I>')"]"##,
        expect![[r#"
        wrapper::pattern_without_save: the pattern saves nothing: it has no `#`
          2 |  ["a", "root", "case('#<B>', '<I>')"]]
            |                               ^^^ no `#` in it
            = `*` discards and `#` saves: `*<b>#</b>*` saves what stands between the first <b> and </b>
    "#]],
    );
    check_command(
        r##"["a", "root", "case('#<B>', root)"]"##,
        expect![[r#"
        wrapper::wrong_value: `case` must be given patterns in quotes, not something else
          2 |  ["a", "root", "case('#<B>', root)"]]
            |                              ^^^^ here
            = for example case('*<TD>#</TD>*', '*<B>#</B>*')
    "#]],
    );
    check_command(
        r##"["a", "extract_table(root, '#x#')", "#"]"##,
        expect![[r##"
            wrapper::variable_count: 1 variable for a pattern with 2 `#`
              2 |  ["a", "extract_table(root, '#x#')", "#"]]
                |                              ^^^ 2 saved here
                = each `#` fills one variable, in order; give a text you do not need a name that begins with `_`
        "##]],
    );
}

#[test]
fn functions_that_are_not_there() {
    check_command(
        r##"["a", "spilt(root, '<TR>')", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `spilt`
          2 |  ["a", "spilt(root, '<TR>')", "#"]]
            |         ^^^^^ no such function
            = did you mean `split`?
    "##]],
    );
    check_command(
        r##"["a", "frobnicate(root)", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `frobnicate`
          2 |  ["a", "frobnicate(root)", "#"]]
            |         ^^^^^^^^^^ no such function
            = there are `get`, `split`, `extract_table` and `group`, and `case` in patterns
    "##]],
    );
    check_command(
        r##"["a", "case('#')", "#"]"##,
        expect![[r##"
        wrapper::unknown_function: unknown function `case`
          2 |  ["a", "case('#')", "#"]]
            |         ^^^^ no such function
            = `case` belongs in the pattern: ["a", "variable", "case('…#…', '…#…')"]
    "##]],
    );
    check_command(
        r##"["a", "split(root)", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `split` must be `split(variable, 'delimiter')`, not `split(root)`
          2 |  ["a", "split(root)", "#"]]
            |         ^^^^^^^^^^^ here
    "##]],
    );
    check_command(
        r##"["a", "split('root', '<TR>')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `the first argument` must be a variable or the page, not a string
          2 |  ["a", "split('root', '<TR>')", "#"]]
            |                ^^^^ here
            = write variables without quotes
    "##]],
    );
    check_command(
        r##"["a", "split(split(root, 'a'), 'b')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `the first argument` must be a variable or the page, not a function
          2 |  ["a", "split(split(root, 'a'), 'b')", "#"]]
            |               ^^^^^^^^^^^^^^^^ here
            = give the inner one a command and a variable of its own
    "##]],
    );
    check_command(
        r##"["a", "split(root, '')", "#"]"##,
        expect![[r##"
        wrapper::empty_delimiter: nothing to split by: the delimiter is empty
          2 |  ["a", "split(root, '')", "#"]]
            |                      ^ empty
            = `split` cuts at each occurrence of a text, such as `<tr`
    "##]],
    );
    check_command(
        r##"["a", "get('v')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `get` must be given a variable, or the first page's address `u`, not `v`
          2 |  ["a", "get('v')", "#"]]
            |              ^ here
            = a list of commands begins with one page: put the other in a file of its own, or take its address from the first page and `get(variable)`
    "##]],
    );
    check_command(
        r##"["a", "get('')", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `get` must be given an address, not an empty text
          2 |  ["a", "get('')", "#"]]
            |              ^ here
            = `get()` is the page that the wrapper is run on
    "##]],
    );
    check_command(
        r##"["a", "root root", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: unexpected `root` after a complete expression
          2 |  ["a", "root root", "#"]]
            |              ^^^^ here
            = a source is one variable or one function
    "##]],
    );
    check_command(
        r##"["a", "'root'", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `source` must be a variable or a function, not a string
          2 |  ["a", "'root'", "#"]]
            |          ^^^^ here
            = to get a page: get('root')
    "##]],
    );
    check_command(
        r##"["a", "", "#"]"##,
        expect![[r##"
        wrapper::syntax: this is not a list of TSIMMIS commands: a variable is missing
          2 |  ["a", "", "#"]]
            |         ^ here
            = a source is a variable, or `get('address')` for the page
    "##]],
    );
}

#[test]
fn slices_that_are_none() {
    let slice = |slice: &str, expected: Expect| {
        check_command(&format!(r##"["_l", "split(root, 'x')", "#"], ["a", "_l{slice}", "#"]"##), expected);
    };
    slice(
        "[1:]",
        expect![[r##"
        wrapper::bad_slice: `[1:]` is not a valid slice: a number is missing
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[1:]", "#"]]
            |                                            ^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
    slice(
        "[a:b]",
        expect![[r##"
        wrapper::bad_slice: `[a:b]` is not a valid slice: `a` is not a number
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[a:b]", "#"]]
            |                                            ^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
    slice(
        "[-1]",
        expect![[r##"
        wrapper::bad_slice: `[-1]` is not a valid slice: `-1` is negative
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[-1]", "#"]]
            |                                            ^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
    slice(
        "[0:99999999999]",
        expect![[r##"
        wrapper::bad_slice: `[0:99999999999]` is not a valid slice: `99999999999` is too large
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[0:99999999999]", "#"]]
            |                                            ^^^^^^^^^^^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
    slice(
        "[]",
        expect![[r##"
        wrapper::bad_slice: `[]` is not a valid slice: a number is missing
          2 |  ["_l", "split(root, 'x')", "#"], ["a", "_l[]", "#"]]
            |                                            ^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
    check_command(
        r##"["a", "root[1:0]", "#"]"##,
        expect![[r##"
        wrapper::bad_slice: `[1:0]` is not a valid slice: `root` is not a list; `split` and `extract_table` make lists
          2 |  ["a", "root[1:0]", "#"]]
            |             ^^^^^ here
            = `[1:0]` leaves out one member at the beginning and none at the end; `[2]` selects only the third
    "##]],
    );
}

#[test]
fn variables_that_cannot_be() {
    check_command(
        r##"["a b", "root", "#"]"##,
        expect![[r##"
        wrapper::bad_name: `a b` is not a valid name
          2 |  ["a b", "root", "#"]]
            |    ^^^ here
            = a name begins with a letter or `_` and contains no space, comma, quote or bracket
    "##]],
    );
    check_command(
        r##"["a,,b", "root", "#x#y#"]"##,
        expect![[r##"
        wrapper::bad_name: `` is not a valid name
          2 |  ["a,,b", "root", "#x#y#"]]
            |      ^ here
            = a name begins with a letter or `_` and contains no space, comma, quote or bracket
    "##]],
    );
    check_command(
        r##"["a:dat", "root", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `type` must be one of `string`, `url`, `date`, `number`, `money`, `html`, not `dat`
          2 |  ["a:dat", "root", "#"]]
            |     ^^^^ here
            = did you mean `date`?
    "##]],
    );
    check_command(
        r##"["a->", "root", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `->` must be followed by a label, not by nothing
          2 |  ["a->", "root", "#"]]
            |    ^^^ here
            = `a->another_label`
    "##]],
    );
    check_command(
        r##"["a:url", "root", "#"], ["b", "get(a)", "#"]"##,
        expect![[r##"
        wrapper::wrong_value: `a` must be without a type, not `url`
          2 |  ["a:url", "root", "#"], ["b", "get(a)", "#"]]
            |     ^^^^ here
            = `a` holds what is taken from it; copy it to a variable with a type: ["copy:url", "a", "#"]
    "##]],
    );
    check_command(
        r##"["a,b", "group(root)", ""]"##,
        expect![[r#"
        wrapper::wrong_value: `group` must be the source of one variable, not 2 variables
          2 |  ["a,b", "group(root)", ""]]
            |           ^^^^^^^^^^^ here
    "#]],
    );
    check_command(
        r##"["a", "group(root)", "x="]"##,
        expect![[r#"
        wrapper::wrong_value: `group` must be given what it shows as `label=variable`, not `x=`
          2 |  ["a", "group(root)", "x="]]
            |                        ^^ here
            = for example "date=_date_today, weather=_forecast"
    "#]],
    );
}
