//! What is wrong, where, and what to do: the texts are part of the interface.

use expect_test::expect;

use crate::{check_error, windrow};

const ADS: &str = "testdata/pages/ads/page-1.html";

#[test]
fn an_expression_error_points_into_the_expression() {
    check_error(&["select", ADS, "title=//h2[contain(., 'hay')]"], &expect![[""]]);
    check_error(&["select", ADS, "li:contains('hay')"], &expect![[""]]);
    check_error(&["select", ADS, "--each", "//li[", "h2"], &expect![[""]]);
}

#[test]
fn the_expression_in_the_pages_place() {
    check_error(&["select", "//h2", ADS], &expect![[""]]);
    check_error(&["select", "//h2"], &expect![[""]]);
}

#[test]
fn a_page_in_an_expressions_place() {
    check_error(&["select", ADS, "//h2", "testdata/pages/blog/page-1.html"], &expect![[""]]);
}

#[test]
fn no_expression() {
    check_error(&["select", ADS], &expect![[""]]);
}

#[test]
fn column_names() {
    check_error(&["select", ADS, "a=//h1", "a=//h2"], &expect![[""]]);
    check_error(&["select", ADS, "page=//h1"], &expect![[""]]);
}

#[test]
fn records_must_be_nodes() {
    check_error(&["select", ADS, "--each", "count(//li)", "h2"], &expect![[""]]);
}

#[test]
fn undefined_variables_and_prefixes_name_the_page() {
    check_error(&["select", ADS, "//h2[. = $title]"], &expect![[""]]);
}

#[test]
fn urls_are_not_read_yet() {
    check_error(&["dom", "https://example.org/"], &expect![[""]]);
}

#[test]
fn a_directory_without_pages() {
    check_error(&["dom", "crates/cli/src"], &expect![[""]]);
}

#[test]
fn a_page_that_cannot_be_read_does_not_stop_the_others() {
    let run = windrow(&["select", "-e", "//h1", "--format", "text", "testdata/missing.html", ADS]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "Tractors and tools\n"));
    expect![[""]].assert_eq(&run.stderr);
}

#[test]
fn absolute_paths_below_records_get_a_hint() {
    let arguments = ["select", ADS, "--each", "//li[@class='ad']", "//h2", "--format", "text"];
    let run = windrow(&arguments);
    assert_eq!(run.code, Some(0));
    expect![[""]].assert_eq(&run.stderr);
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
