//! `windrow dom`: outlines, tokens, JSON, and what it tells of the encoding.

use expect_test::expect;
use serde_json::Value;

use crate::{check, windrow, windrow_on};

#[test]
fn an_outline_marks_what_the_parser_inserted() {
    check(
        &["dom", "testdata/pages/results/page-1.html"],
        &expect![[r#"
        testdata/pages/results/page-1.html: 471 bytes, 68 nodes, UTF-8 (the bytes are valid UTF-8), standards mode
          0..471   #document
           0..15     <!DOCTYPE html>
         16..471 +   html
          16..55 +     head
          16..54         title
          23..46           "Hay yields, season 2025"
         55..471 +     body
          55..87         h1
          59..82           "Hay yields, season 2025"
         88..435         table#results
        116..155           caption
        125..145             "Tonnes of dry matter"
        156..427 +         tbody
        156..208             tr
        160..168               th
        164..168                 "Farm"
        168..180               th
        172..180                 "Hectares"
        180..193               th
        184..193                 "First cut"
        193..208               th
        197..208                 "Second cut"
        208..268             tr
        212..247               td
        216..247                 a
        232..243                   "Nørregård"
        247..255               td
        251..255                 "12.5"
        255..261               td
        259..261                 "41"
        261..268               td
        265..268                 "28"
        268..322             tr
        272..306               td
        276..306                 a
        292..302                   "Lower Weir"
        306..311               td
        310..311                 "8"
        311..317               td
        315..317                 "30"
        317..322               td
        322..380             tr
        326..361               td
        330..361                 a
        347..357                   "Sankt Veit"
        361..367               td
        365..367                 "21"
        367..373               td
        371..373                 "77"
        373..380               td
        377..380                 "49"
        380..427             tr.total
        396..405               td
        400..405                 "Total"
        405..413               td
        409..413                 "41.5"
        413..420               td
        417..420                 "148"
        420..427               td
        424..427                 "77"
        436..471         p
        439..471           "Source: the farms' own figures."
    "#]],
    );
}

#[test]
fn depth_cuts_the_outline() {
    check(
        &["dom", "--depth", "2", "testdata/pages/ads/page-1.html"],
        &expect![[r#"
        testdata/pages/ads/page-1.html: 1096 bytes, 88 nodes, UTF-8 (declared by the page), standards mode
           0..1096   #document
             0..15     <!DOCTYPE html>
          16..1095     html
           33..166       head … 9 below
         167..1087       body … 73 below
    "#]],
    );
}

#[test]
fn all_shows_attributes_and_white_space() {
    let run = windrow_on(b"<p id=x title='a b'> <b>c</b></p>", &["dom", "--all", "-"]);
    expect![[r#"
        -: 33 bytes, 8 nodes, UTF-8 (the bytes are valid UTF-8), quirks mode
         0..33   #document
         0..33 +   html
               +     head
         0..33 +     body
         0..33         p#x title="a b"
        20..21           " "
        21..29           b
        24..25             "c"
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn template_contents_stand_below_their_element() {
    let run = windrow_on(b"<template><p>a</template><svg><path/></svg>", &["dom", "-"]);
    expect![[r#"
        -: 43 bytes, 7 nodes, UTF-8 (the bytes are valid UTF-8), quirks mode
         0..43   #document
         0..43 +   html
         0..25 +     head
         0..25         template
        10..14 +         #fragment
        10..14             p
        13..14               "a"
        25..43 +     body
        25..43         svg:svg
        30..37           svg:path
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn tokens_are_in_source_order() {
    let run = windrow_on(b"<!-- hay --><table><tr><td>a</table><p>b", &["dom", "--tokens", "-"]);
    expect![[r#"
        -: 40 bytes, 12 nodes, UTF-8 (the bytes are valid UTF-8), quirks mode
         0..12   comment   <!-- hay -->
        12..19   start-tag <table>
        19..23   start-tag <tr>
        23..27   start-tag <td>
        27..28   text      a
        28..36   end-tag   </table>
        36..39   start-tag <p>
        39..40   text      b
    "#]]
    .assert_eq(&run.stdout);
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
    expect![[r#"
        testdata/pages/ads/page-1.html: 1096 bytes, 88 nodes, UTF-8 (declared by the page), standards mode
        testdata/pages/shop-gbk/page-1.html: 357 bytes, 27 nodes, UTF-8 (the bytes are valid UTF-8, though GBK was declared), standards mode
        testdata/pages/forum-1251/page-1.html: 626 bytes, 49 nodes, windows-1251 (guessed from the bytes), quirks mode
        testdata/pages/forum-1251/page-1.html: 628 bytes, 49 nodes, KOI8-R (specified by the caller), quirks mode
        testdata/pages/shop-gbk/page-1.html: 377 bytes, 27 nodes, GBK (specified by the caller, some bytes malformed), standards mode"#]].assert_eq(&headings.join("\n"));
}

#[test]
fn json_is_a_flat_list_of_nodes() {
    let run = windrow_on("<p class=a>größe".as_bytes(), &["dom", "--format", "json", "-"]);
    expect![[r#"
        [
        {"page":"-","bytes":18,"encoding":{"name":"UTF-8","because":"the bytes are valid UTF-8","overruled":null,"malformed":false},"mode":"quirks mode","notes":[],"nodes":[
          {"id":0,"parent":null,"kind":"document","span":[0,18],"inserted":false},
          {"id":1,"parent":0,"kind":"element","name":"html","attributes":{},"start_tag":null,"end_tag":null,"span":[0,18],"inserted":true},
          {"id":2,"parent":1,"kind":"element","name":"head","attributes":{},"start_tag":null,"end_tag":null,"span":null,"inserted":true},
          {"id":3,"parent":1,"kind":"element","name":"body","attributes":{},"start_tag":null,"end_tag":null,"span":[0,18],"inserted":true},
          {"id":4,"parent":3,"kind":"element","name":"p","attributes":{"class":"a"},"start_tag":[0,11],"end_tag":null,"span":[0,18],"inserted":false},
          {"id":5,"parent":4,"kind":"text","text":"größe","span":[11,18],"inserted":false}]}
        ]
    "#]].assert_eq(&run.stdout);
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
            "testdata/pages/auction/page-1.html",
            "testdata/pages/blog/page-1.html",
            "testdata/pages/books/page-1.html",
            "testdata/pages/classifieds/page-1.html",
            "testdata/pages/forum-1251/page-1.html",
            "testdata/pages/offer/rake.html",
            "testdata/pages/offer/twine.html",
            "testdata/pages/offer/wagon.html",
            "testdata/pages/results/page-1.html",
            "testdata/pages/shop-gbk/page-1.html",
        ]
    );
    assert_eq!(pages[10]["encoding"]["overruled"], "GBK");
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
    expect![[r#"
        -: 0 bytes, 4 nodes, UTF-8 (the bytes are valid UTF-8), quirks mode
        0..0   #document
             +   html
             +     head
             +     body
    "#]]
    .assert_eq(&run.stdout);
}
