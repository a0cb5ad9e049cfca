//! One feed for each kind of damage, with the feed that is read and the notes.

use expect_test::{Expect, expect};
use windrow_feed::{NotAFeed, Options, parse};

use crate::{outline, read};

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: Expect) {
    expected.assert_eq(&outline(&read(bytes)));
}

/// Creates an RSS feed with this content in its channel.
fn rss(inside: &str) -> String {
    format!("<rss version=\"2.0\"><channel><title>T</title>{inside}</channel></rss>")
}

#[test]
fn undeclared_entities_and_bare_ampersands() {
    check(
        rss("<item><title>Caf&eacute; &nbsp;R&D &bogus; A&B;</title><link>http://a.example/?x=1&y=2</link></item>"),
        expect![[r#"
            rss 2.0
            title: T
            item: Café R&D &bogus; A&B;
              link: http://a.example/?x=1&y=2
            note: 4 references to undeclared entities
            note: 2 bare ampersands
        "#]],
    );
}

#[test]
fn attributes_without_quotes() {
    check(
        "<rss version=2.0><channel><item><title>a</title><guid isPermaLink=false>g</guid>\
         <enclosure url=http://a.example/x.mp3 length=3 type=\"audio/mpeg></item></channel></rss>",
        expect![[r#"
            rss 2.0
            item: a
              id: g
              enclosure: http://a.example/x.mp3 Some("audio/mpeg") Some(3)
            note: 1 element without an end tag
            note: 5 attributes badly quoted
        "#]],
    );
}

#[test]
fn latin1_in_utf8() {
    check(
        b"<?xml version=\"1.0\" encoding=\"utf-8\"?><rss><channel><item><title>Gr\xFC\xDFe \xC3\xA9</title></item></channel></rss>",
        expect![[r#"
            rss
            item: Grüße é
            note: some bytes are invalid in its encoding
        "#]],
    );
}

#[test]
fn no_encoding_or_a_wrong_one() {
    check(
        b"<rss><channel><item><title>L'\xE9t\xE9 \xE0 la campagne</title></item></channel></rss>",
        expect![[r#"
        rss
        item: L'été à la campagne
        note: declared as UTF-8, but read as windows-1252
    "#]],
    );
    check(
        "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><item><title>été 中</title></item></channel></rss>",
        expect![[r#"
            rss
            item: été 中
            note: declared as windows-1252, but read as UTF-8
        "#]],
    );
    check(
        "<?xml version='1.0' encoding='klingon'?><rss><channel><item><title>été</title></item></channel></rss>",
        expect![[r#"
            rss
            item: été
        "#]],
    );
}

#[test]
fn junk_before_and_after() {
    check(
        format!(
            "Warning: mysql_connect() in x.php\n\n<?xml version='1.0'?>{}<script>track()</script>",
            rss("<item><title>a</title></item>")
        ),
        expect![[r#"
            rss 2.0
            title: T
            item: a
            note: 35 bytes before the feed
        "#]],
    );
}

#[test]
fn junk_that_looks_like_json() {
    check(
        format!("[warning] x.php\n{}", rss("<item><title>a</title></item>")),
        expect![[r#"
        rss 2.0
        title: T
        item: a
        note: 16 bytes before the feed
    "#]],
    );
}

#[test]
fn a_feed_that_ends_in_the_middle() {
    let whole =
        rss("<item><title>a</title><link>http://a.example/</link></item><item><title>b</title><description>Half a sen");
    let cut = whole.strip_suffix("</channel></rss>").unwrap();
    check(
        cut,
        expect![[r#"
            rss 2.0
            title: T
            item: a
              link: http://a.example/
            item: b
              summary: [html] Half a sen
              body: [html] Half a sen
            note: the feed is cut off within `description`
        "#]],
    );
    check(
        "<rss><channel><item><title><![CDATA[Half a ti",
        expect![[r#"
            rss
            item: Half a ti
            note: the feed is cut off within `title`
        "#]],
    );
    check(
        "<rss><channel><item><title>a</title><link>http://a.example/</li",
        expect![[r#"
            rss
            item: a
              link: http://a.example/
            note: the feed is cut off within `link`
        "#]],
    );
    check(
        "<rss><channel><item><title>a</title><guid isPerma",
        expect![[r#"
            rss
            item: a
            note: the feed is cut off within `item`
            note: 1 attribute badly quoted
        "#]],
    );
}

#[test]
fn elements_that_never_end() {
    check(
        rss("<item><title>a<link>http://a.example/</link><description>x<p>y<pubDate>2026-01-01</pubDate>\
             <item><title>b</title></item>"),
        expect![[r#"
            rss 2.0
            title: T
            item: a
              link: http://a.example/
              published: 2026-01-01
              summary: [html] x<p>y</p>
              body: [html] x<p>y</p>
            item: b
            note: 3 elements without an end tag
        "#]],
    );
    check(
        rss("<item><title>a</titel></title></b></item><item><title>b</title></item>"),
        expect![[r#"
        rss 2.0
        title: T
        item: a
        item: b
    "#]],
    );
}

#[test]
fn prefixes_without_namespaces() {
    check(
        rss(
            "<item><dc:title>a</dc:title><dc:date>2026-01-01</dc:date><content:encoded>&lt;p>x</content:encoded></item>",
        ),
        expect![[r#"
            rss 2.0
            title: T
            item: a
              updated: 2026-01-01
              body: [html] <p>x
            note: no namespace for the prefix `dc`
        "#]],
    );
}

#[test]
fn markup_in_the_wrong_place() {
    // Unescaped, doubly escaped, and escaped in a title that is plain text.
    check(
        rss("<item><description>a <b>b</b> &amp; c<br/>d</description></item>"),
        expect![[r#"
        rss 2.0
        title: T
        item: -
          summary: [html] a <b>b</b> &amp; c<br>d
          body: [html] a <b>b</b> &amp; c<br>d
    "#]],
    );
    check(
        rss("<item><title>&amp;lt;b&amp;gt; R&amp;amp;D</title><description>&amp;lt;p&amp;gt;</description></item>"),
        expect![[r#"
            rss 2.0
            title: T
            item: <b> R&D
              summary: [html] &lt;p&gt;
              body: [html] &lt;p&gt;
        "#]],
    );
    check(
        rss("<item><title>&lt;b>Bold&lt;/b> move</title></item><item><title>Vec&lt;T></title></item>"),
        expect![[r#"
            rss 2.0
            title: T
            item: Bold move
            item: Vec<T>
        "#]],
    );
}

#[test]
fn texts_encoded_twice() {
    check(
        rss("<item><title>cafÃ©</title><description>it\u{92}s</description></item>"),
        expect![[r#"
        rss 2.0
        title: T
        item: café
          summary: [html] it’s
          body: [html] it’s
    "#]],
    );
}

#[test]
fn dates_that_are_missing_or_none() {
    check(
        rss("<item><title>a</title><pubDate>soon</pubDate></item><item><title>b</title><pubDate/></item>\
             <item><title>c</title><pubDate>16. November 2026</pubDate></item>"),
        expect![[r#"
            rss 2.0
            title: T
            item: a
            item: b
            item: c
              published: 2026-11-16
            note: 1 unreadable date, such as "soon"
        "#]],
    );
}

#[test]
fn two_summaries_are_a_short_and_a_long_one() {
    check(
        rss("<item><description>short</description><description>long</description></item>"),
        expect![[r#"
        rss 2.0
        title: T
        item: -
          summary: [html] short
          body: [html] long
    "#]],
    );
}

#[test]
fn what_is_no_feed_says_what_it_is() {
    let error = |text: &str| parse(text.as_bytes(), &Options::new().with_base("http://a.example/")).unwrap_err();
    let page = error("<!doctype html><title>x</title><link rel=alternate type=application/atom+xml href=/atom.xml>");
    assert!(matches!(&page, NotAFeed::Html { feeds } if feeds[0].url == "http://a.example/atom.xml"), "{page:?}");
    for (text, expected) in [
        ("", "the input is empty, not a feed"),
        (" \n", "the input is empty, not a feed"),
        ("<html><body>x", "this is an HTML page, not a feed"),
        ("{\"a\": 1}", "this is JSON, but not a JSON Feed"),
        ("<opml><body/></opml>", "this is XML, but not a feed: it begins with `<opml>`"),
        (
            "<urlset><url><loc>http://a.example/</loc></url></urlset>",
            "this is XML, but not a feed: it begins with `<urlset>`",
        ),
        ("[1, 2]", "this is JSON, but not a JSON Feed"),
        ("[package]\nname = 1", "this is not a feed: it is neither XML nor JSON"),
        ("plain words", "this is not a feed: it is neither XML nor JSON"),
    ] {
        assert_eq!(error(text).to_string(), expected, "{text}");
    }
}
