//! What is wrong, where, and what to do: the texts are part of the interface.

use expect_test::expect;

use crate::{check_error, windrow, windrow_on};

const ADS: &str = "testdata/pages/ads/page-1.html";

#[test]
fn an_expression_error_points_into_the_expression() {
    check_error(
        &["select", ADS, "title=//h2[contain(., 'hay')]"],
        &expect![[r#"
        xpath::unknown_function

          × unknown function `contain()`
           ╭─[expression:1:12]
         1 │ title=//h2[contain(., 'hay')]
           ·            ───┬───
           ·               ╰── not an XPath 1.0 function
           ╰────
          help: did you mean `contains()`?
    "#]],
    );
    check_error(
        &["select", ADS, "li:contains('hay')"],
        &expect![[r#"
        css::unknown_pseudo_class

          × unknown pseudo-class `:contains`
           ╭─[expression:1:3]
         1 │ li:contains('hay')
           ·   ────┬────
           ·       ╰── not supported
           ╰────
          help: CSS cannot look at text: use XPath, as in `//p[contains(., 'text')]`
    "#]],
    );
    check_error(
        &["select", ADS, "--each", "//li[", "h2"],
        &expect![[r#"
            xpath::unexpected_token

              × expected a step such as `a`, `*`, `@href` or `text()`, found the end of the expression
               ╭─[expression:1:6]
             1 │ //li[
               ╰────
        "#]],
    );
}

#[test]
fn the_expression_in_the_pages_place() {
    check_error(
        &["select", "//h2", ADS],
        &expect![[r#"
            select::swapped

              × `//h2` stands where the page should, and `testdata/pages/ads/page-1.html` is a page
              help: the page comes first: windrow select testdata/pages/ads/page-1.html '//h2'
        "#]],
    );
    check_error(
        &["select", "//h2"],
        &expect![[r#"
            select::no_page

              × no page was given for the expression `//h2`
              help: one page, then expressions: windrow select PAGE EXPRESSION...
                    or expressions with -e, then pages: windrow select -e EXPRESSION PAGE...
        "#]],
    );
}

#[test]
fn a_page_in_an_expressions_place() {
    check_error(
        &["select", ADS, "//h2", "testdata/pages/blog/page-1.html"],
        &expect![[r#"
            select::second_page

              × `testdata/pages/blog/page-1.html` is a page, but only the first argument is read as one
              help: for several pages give the expressions with -e: windrow select -e EXPRESSION PAGE...
                    if it is meant as an expression, put `css:` or `xpath:` in front
        "#]],
    );
}

#[test]
fn no_expression() {
    check_error(
        &["select", ADS],
        &expect![[r#"
            select::no_expression

              × no expression was given for `testdata/pages/ads/page-1.html`
              help: one page, then expressions: windrow select PAGE EXPRESSION...
                    or expressions with -e, then pages: windrow select -e EXPRESSION PAGE...
        "#]],
    );
}

#[test]
fn column_names() {
    check_error(
        &["select", ADS, "a=//h1", "a=//h2"],
        &expect![[r#"
            select::same_name

              × two columns are named `a`
              help: rename one of them: NAME=EXPRESSION
        "#]],
    );
    check_error(
        &["select", ADS, "page=//h1"],
        &expect![[r#"
        select::reserved_name

          × a column cannot be named `page`: that column says which page a row is from
          help: choose another name
    "#]],
    );
}

#[test]
fn records_must_be_nodes() {
    check_error(
        &["select", ADS, "--each", "count(//li)", "h2"],
        &expect![[r#"
            select::no_records

              × `--each` must select nodes, and `count(//li)` gives a number
              help: records are elements, as a rule: --each '//li'
        "#]],
    );
}

#[test]
fn undefined_variables_and_prefixes_name_the_page() {
    check_error(
        &["select", ADS, "//h2[. = $title]"],
        &expect![[r#"
            xpath::undefined_variable

              × undefined variable `$title`
               ╭─[expression:1:10]
             1 │ //h2[. = $title]
               ·          ───┬──
               ·             ╰── no value was given for this
               ╰────
        "#]],
    );
}

#[test]
fn an_expression_that_runs_away_is_stopped_on_that_page_only() {
    let rows = "<p>".repeat(3000);
    let arguments =
        ["select", "-e", "//p[count(following::p[count(following::p) > 1]) > 1]", "--format", "csv", "-", ADS];
    let run = windrow_on(rows.as_bytes(), &arguments);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("Folds for the road."), "{}", run.stdout);
    expect![[r#"
        xpath::budget

          × cannot evaluate `//p[count(following::p[count(following::p) > 1]) > 1]` on `-`
          ╰─▶ the expression visits more than 100000000 nodes
          help: nested `//` in predicates multiply: name the elements, or give a larger budget
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn addresses_that_are_none() {
    check_error(
        &["dom", "https://example..org:x/"],
        &expect![[r#"
            page::url

              × cannot read `https://example..org:x/`: invalid port number
              help: an address looks like https://example.org/page
        "#]],
    );
}

#[test]
fn a_directory_without_pages() {
    check_error(
        &["dom", "crates/cli/src"],
        &expect![[r#"
        page::none_in_directory

          × there is no page in `crates/cli/src`
          help: pages are files named .html, .htm or .xhtml, at any depth
    "#]],
    );
}

#[test]
fn a_page_that_cannot_be_read_does_not_stop_the_others() {
    let run = windrow(&["select", "-e", "//h1", "--format", "text", "testdata/missing.html", ADS]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "Tractors and tools\n"));
    expect![[r#"
        page::unreadable

          × cannot read `testdata/missing.html`: No such file or directory (os error 2)
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn absolute_paths_below_records_get_a_hint() {
    let arguments = ["select", ADS, "--each", "//li[@class='ad']", "//h2", "--format", "text"];
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(0));
    expect![[r#"
        hint: `//h2` starts from the page, so it is the same in every row; write `.//h2` to start from the record
    "#]]
    .assert_eq(&run.stderr);
    assert_eq!(windrow(&[&arguments[..], &["--quiet"]].concat()).stderr, "");
}

#[test]
fn usage_errors_are_exit_code_two() {
    for arguments in [&["select"][..], &["dom"], &["rake"], &["dom", "--charset", "klingon", "-"], &[]] {
        let run = windrow(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert_ne!(run.stderr, "");
    }
}
