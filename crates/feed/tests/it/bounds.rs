//! Hostile feeds: the time grows with the bytes and no faster.

use std::time::{Duration, Instant};

use windrow_feed::{Options, parse};

fn time(bytes: &[u8]) -> Duration {
    (0..4)
        .map(|_| {
            let begin = Instant::now();
            let _ = parse(bytes, &Options::new().with_base("http://a.example/"));
            begin.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// Sixteen times the bytes may take a hundred times as long, which leaves room for a busy machine; quadratic is two
/// hundred and fifty-six.
#[track_caller]
fn check(name: &str, make: impl Fn(usize) -> String) {
    let small = time(make(5_000).as_bytes()).max(Duration::from_micros(500));
    let large = time(make(80_000).as_bytes());
    assert!(large < 100 * small, "{name}: {small:?}, then {large:?}");
}

#[test]
fn time_is_linear() {
    check("nesting", |n| format!("<rss><channel>{}", "<a>".repeat(n)));
    check("nesting in content", |n| format!("<rss><item><description>{}", "<b>".repeat(n)));
    check("bases", |n| format!("<rss>{}", "<a xml:base='b/'>".repeat(n)));
    check("attributes", |n| format!("<rss><item{}>", (0..n).map(|i| format!(" a{i}='b'")).collect::<String>()));
    check("namespaces", |n| format!("<rss{}><item>", (0..n).map(|i| format!(" xmlns:a{i}='b'")).collect::<String>()));
    check("end tags", |n| format!("<rss>{}{}", "<a>".repeat(300), "</b>".repeat(n)));
    check("open comments", |n| format!("<rss>{}", "<!--".repeat(n)));
    check("open CDATA", |n| format!("<rss><title>{}", "<![CDATA[".repeat(n)));
    check("open quotes", |n| format!("<rss>{}", "<a b=\"".repeat(n)));
    check("ampersands", |n| format!("<rss><title>{}", "&".repeat(n)));
    check("entities", |n| format!("<!DOCTYPE a [<!ENTITY e \"{}\">]><rss><title>{}", "x".repeat(n), "&e;".repeat(n)));
    check("declarations", |n| format!("<!DOCTYPE a [{}", "<!ENTITY e \"x\">".repeat(n)));
    check("items", |n| format!("<rss>{}", "<item><title>a</title>".repeat(n)));
    check("categories", |n| {
        format!("<rss><item>{}", (0..n).map(|i| format!("<category>{i}</category>")).collect::<String>())
    });
    check("authors", |n| {
        format!("<feed>{}", (0..n).map(|i| format!("<author>{i}</author><entry/>")).collect::<String>())
    });
    check("summaries", |n| format!("<rss><item>{}", "<description>a&amp;b</description>".repeat(n)));
    check("divs", |n| format!("<feed><entry><content type='xhtml'>{}", "<div></div>".repeat(n)));
    check("json", |n| format!("{{\"version\":\"jsonfeed\",\"items\":[{}", "{\"id\":1},".repeat(n)));
    check("deep json", |n| "[".repeat(n));
}

#[test]
fn entities_do_not_blow_up() {
    let mut bomb = "<!DOCTYPE a [<!ENTITY a0 \"haha\">".to_owned();
    for level in 1..40 {
        bomb += &format!("<!ENTITY a{level} \"&a{};&a{};\">", level - 1, level - 1);
    }
    bomb += "]><rss><item><title>&a39;</title></item></rss>";
    let feed = parse(bomb.as_bytes(), &Options::new()).unwrap();
    assert_eq!(feed.items[0].title.as_deref(), Some("&a39;"));
}
