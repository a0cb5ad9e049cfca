//! `windrow dom`: outlines, tokens, JSON, and what it tells of the encoding.

use expect_test::expect;
use serde_json::Value;

use crate::{check, windrow, windrow_on};

#[test]
fn an_outline_marks_what_the_parser_inserted() {
    check(&["dom", "testdata/pages/results/page-1.html"], &expect![[]]);
}

#[test]
fn depth_cuts_the_outline() {
    check(&["dom", "--depth", "2", "testdata/pages/ads/page-1.html"], &expect![[]]);
}

#[test]
fn all_shows_attributes_and_white_space() {
    let run = windrow_on(b"<p id=x title='a b'> <b>c</b></p>", &["dom", "--all", "-"]);
    expect![[]].assert_eq(&run.stdout);
}

#[test]
fn template_contents_stand_below_their_element() {
    let run = windrow_on(b"<template><p>a</template><svg><path/></svg>", &["dom", "-"]);
    expect![[]].assert_eq(&run.stdout);
}

#[test]
fn tokens_are_in_source_order() {
    let run = windrow_on(b"<!-- hay --><table><tr><td>a</table><p>b", &["dom", "--tokens", "-"]);
    expect![[]].assert_eq(&run.stdout);
}

#[test]
fn a_page_cannot_steer_the_terminal() {
    let run = windrow_on(b"<p class='\x1b[2J'>a\x1b[31mb</p><!--\x07-->", &["dom", "--all", "-"]);
    assert!(!run.stdout.contains(['\x1b', '\x07']), "{:?}", run.stdout);
}

fn heading(arguments: &[&str]) -> String {
    windrow(&[&["dom", "--depth", "0"], arguments].concat()).stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_heading_says_how_the_page_was_decoded_and_why() {
    let headings = [
        heading(&["testdata/pages/ads/page-1.html"]),
        heading(&["testdata/pages/shop-gbk/page-1.html"]),
        heading(&["testdata/pages/forum-1251/page-1.html"]),
        heading(&["--charset", "koi8-r", "testdata/pages/forum-1251/page-1.html"]),
        heading(&["--charset", "gbk", "testdata/pages/shop-gbk/page-1.html"]),
    ];
    expect![[]].assert_eq(&headings.join("\n"));
}

#[test]
fn json_is_a_flat_list_of_nodes() {
    let run = windrow_on("<p class=a>größe".as_bytes(), &["dom", "--format", "json", "-"]);
    expect![[]].assert_eq(&run.stdout);
    let pages: Value = serde_json::from_str(&run.stdout).unwrap();
    let nodes = pages[0]["nodes"].as_array().unwrap();
    for node in nodes {
        let Some(parent) = node["parent"].as_u64() else { continue };
        assert!(nodes.iter().any(|other| other["id"].as_u64() == Some(parent)), "{node}");
    }
}

#[test]
fn jsonl_is_a_line_for_each_page() {
    let run = windrow(&["dom", "--format", "jsonl", "testdata/pages"]);
    let pages: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = pages.iter().map(|page| page["page"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "testdata/pages/ads/page-1.html",
            "testdata/pages/blog/page-1.html",
            "testdata/pages/forum-1251/page-1.html",
            "testdata/pages/results/page-1.html",
            "testdata/pages/shop-gbk/page-1.html",
        ]
    );
    assert_eq!(pages[4]["encoding"]["overruled"], "GBK");
}

#[test]
fn json_tokens_have_spans_and_nodes() {
    let run = windrow_on(b"<p>a</p>", &["dom", "--tokens", "--format", "jsonl", "-"]);
    let page: Value = serde_json::from_str(&run.stdout).unwrap();
    let spans: Vec<(&str, &Value)> =
        page["tokens"].as_array().unwrap().iter().map(|it| (it["kind"].as_str().unwrap(), &it["span"])).collect();
    let expected = [
        ("start-tag", serde_json::json!([0, 3])),
        ("text", serde_json::json!([3, 4])),
        ("end-tag", serde_json::json!([4, 8])),
    ];
    assert_eq!(spans, expected.iter().map(|(kind, span)| (*kind, span)).collect::<Vec<_>>());
}

#[test]
fn an_empty_page_has_a_tree_too() {
    let run = windrow(&["dom", "-"]);
    assert_eq!(run.code, Some(0));
    expect![[]].assert_eq(&run.stdout);
}
