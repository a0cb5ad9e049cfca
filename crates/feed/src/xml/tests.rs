use super::*;

/// Checks the events of a document, one per line.
fn check(source: &str, expected: &[&str]) {
    let mut reader = Reader::new(source);
    let mut lines = Vec::new();
    while let Some(event) = reader.next() {
        lines.push(match event {
            Event::Start { name, empty } => {
                let attributes: String =
                    reader.attributes.iter().map(|(name, value)| format!(" {name}=[{value}]")).collect();
                format!("<{name}{attributes}{}>", if empty { "/" } else { "" })
            }
            Event::End { name } => format!("</{name}>"),
            Event::Text(text) => format!("{text:?}"),
            Event::Netscape => "netscape".to_owned(),
        });
    }
    assert_eq!(lines, expected, "{source}");
}

#[test]
fn well_formed_xml_is_read() {
    check(
        r#"<?xml version="1.0"?><!-- c --><a x="1" y='&lt;2'><b/>t &amp; u<![CDATA[<&]]></a>"#,
        &["<a x=[1] y=[<2]>", "<b/>", "\"t & u\"", "\"<&\"", "</a>"],
    );
}

#[test]
fn references_of_all_kinds() {
    check("&#233;&#xE9;&eacute;&bogus;&&amp;lt; R&D&#0;&#xD800;", &["\"éé\u{e9}&bogus;&&lt; R&D\u{fffd}\u{fffd}\""]);
}

#[test]
fn tags_without_quotes_or_ends() {
    check("<a x=1 y z=u/v/>t", &["<a x=[1] z=[u/v]/>", "\"t\""]);
    check("<a x=\"1>t</a>", &["<a x=[1]>", "\"t\"", "</a>"]);
    check("<a x=\"<b>\">t", &["<a x=[<b>]>", "\"t\""]);
    check("<a <b>t</b </a>", &["<a>", "<b>", "\"t\"", "</b>", "</a>"]);
    check("<a =\"\" é>", &["<a>"]);
}

#[test]
fn characters_that_are_no_tags() {
    check("1 < 2 <3 </ 4> <", &["\"1 \"", "\"< 2 \"", "\"<3 \"", "\"</ 4> \""]);
}

#[test]
fn what_is_open_at_the_end() {
    check("a<!-- b > c", &["\"a\"", "\" c\""]);
    check("a<![CDATA[b", &["\"a\"", "\"b\""]);
    check("a<![CD", &["\"a\""]);
    check("a<b c=\"d", &["\"a\""]);
    check("a</b", &["\"a\"", "</b>"]);
    check("a<?b", &["\"a\""]);
}

#[test]
fn declared_entities_are_understood_and_bombs_are_not() {
    let dtd = r#"<!DOCTYPE feed [<!ENTITY farm "Upper Field"><!ENTITY two "&farm;&farm;"><!ENTITY nb "&#160;">]>"#;
    check(&format!("{dtd}<a>&farm;&two;&nb;"), &["<a>", "\"Upper Field&two;\\u{a0}\""]);
    let mut bomb = format!("<!DOCTYPE a [<!ENTITY x \"{}\">]><a>", "y".repeat(1000));
    bomb.push_str(&"&x;".repeat(100_000));
    let mut reader = Reader::new(&bomb);
    let mut length = 0;
    while let Some(event) = reader.next() {
        if let Event::Text(text) = event {
            length += text.len();
        }
    }
    assert!(length < 3 * bomb.len() && reader.references.bomb, "{length}");
}

#[test]
fn netscape_is_told() {
    check(r#"<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "x"><rss>"#, &["netscape", "<rss>"]);
}
