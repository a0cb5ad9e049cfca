//! Test cases for RFC 9309.

use std::time::Duration;

use url::Url;

use super::*;

/// Checks which paths a file permits to `windrow`.
#[track_caller]
fn check(text: &str, allowed: &[&str], refused: &[&str]) {
    let robots = Robots::parse(text.as_bytes(), "windrow");
    let allows = |path: &str| robots.allows(&Url::parse("https://example.org").unwrap().join(path).unwrap());
    for path in allowed {
        assert!(allows(path), "{path} is allowed by {robots:?}");
    }
    for path in refused {
        assert!(!allows(path), "{path} is refused by {robots:?}");
    }
}

#[test]
fn rules_are_prefixes_of_path_and_query() {
    check(
        "User-agent: *\nDisallow: /fish",
        &["/", "/Fish", "/catfish"],
        &["/fish", "/fish.html", "/fish/s", "/fish?a"],
    );
    check("User-agent: *\nDisallow: /fish/", &["/fish", "/fish.html"], &["/fish/", "/fish/salmon"]);
    check("User-agent: *\nDisallow: /list?page", &["/list", "/list?p"], &["/list?page=2"]);
    check("User-agent: *\nDisallow: /", &["/robots.txt"], &["/", "/a"]);
    check("User-agent: *\nDisallow:", &["/", "/a"], &[]);
    check("", &["/", "/a"], &[]);
}

#[test]
fn the_longest_rule_decides_and_allow_wins_ties() {
    check("User-agent: *\nAllow: /p\nDisallow: /", &["/page"], &["/a"]);
    check("User-agent: *\nDisallow: /folder\nAllow: /folder", &["/folder/page"], &[]);
    check("User-agent: *\nAllow: /page\nDisallow: /*.htm", &["/page"], &["/page.htm", "/other.htm"]);
    check("User-agent: *\nAllow: /page\nDisallow: /*.ph", &["/page.php5?x"], &["/a.php"]);
    check("User-agent: *\nAllow: /$\nDisallow: /", &["/"], &["/page", "/?q"]);
    check("User-agent: *\nDisallow: /a/\nAllow: /a/b/\nDisallow: /a/b/c", &["/a/b/d"], &["/a/x", "/a/b/c/d"]);
}

#[test]
fn wildcards_and_ends() {
    check("User-agent: *\nDisallow: /*.php", &["/", "/windows.PHP"], &["/i.php", "/f/i.php?p", "/i.php/"]);
    check("User-agent: *\nDisallow: /*.php$", &["/i.php?p", "/i.php/", "/i.php5"], &["/i.php", "/f/i.php"]);
    check("User-agent: *\nDisallow: /fish*.php", &["/Fish.php"], &["/fish.php", "/fishheads/catfish.php?id"]);
    check("User-agent: *\nDisallow: *.gif$", &["/a.gif2"], &["/a.gif", "/b/a.gif.gif"]);
    check("User-agent: *\nDisallow: /a**b", &["/ac"], &["/ab", "/axxb"]);
    check("User-agent: *\nDisallow: /a*b*a$", &["/aba/x", "/ab"], &["/aba", "/abba", "/axbxa"]);
    check("User-agent: *\nDisallow: /x$y", &["/x", "/xy"], &["/x$y"]);
    check("User-agent: *\nDisallow: /aa*aa$", &["/aaa", "/aa"], &["/aaaa"]);
    // This input would take a backtracking matcher forever.
    let long = format!("User-agent: *\nDisallow: /{}$", "*a".repeat(2000));
    check(&long, &[format!("/{}b", "a".repeat(5000)).as_str()], &[]);
}

#[test]
fn encoding_does_not_matter() {
    check("User-agent: *\nDisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", &[], &["/foo/bar?baz=https%3a%2f%2ffoo.bar"]);
    check("User-agent: *\nDisallow: /foo/bar/ツ", &[], &["/foo/bar/%E3%83%84", "/foo/bar/ツ"]);
    check("User-agent: *\nDisallow: /foo/bar/%E3%83%84", &[], &["/foo/bar/ツ"]);
    check("User-agent: *\nDisallow: /foo/bar/%62%61%7A", &[], &["/foo/bar/baz"]);
    check("User-agent: *\nDisallow: /a%2fb", &["/a/b"], &["/a%2Fb"]);
    check("User-agent: *\nDisallow: /file-with-a-%2A.html", &["/file-with-a-x.html"], &["/file-with-a-*.html"]);
    check("User-agent: *\nDisallow: /foo-%24", &["/foo-", "/foo-x"], &["/foo-$"]);
    check("User-agent: *\nDisallow: /a b", &[], &["/a%20b"]);
    check("User-agent: *\nDisallow: /100%", &[], &["/100%"]);
}

#[test]
fn the_robots_own_group_replaces_the_general_one() {
    let text = "User-agent: *\nDisallow: /\n\nUser-agent: Windrow\nDisallow: /private\n";
    check(text, &["/"], &["/private"]);
    check("User-agent: windrow/2.1\nDisallow: /a", &["/b"], &["/a"]);
    check("User-agent: windrow-images\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", &["/a"], &["/b"]);
    check("User-agent: wind\nDisallow: /a", &["/a"], &[]);
    check("User-agent: windrow\nDisallow:\n\nUser-agent: *\nDisallow: /", &["/"], &[]);
    // A group of its own without rules permits everything.
    check("User-agent: *\nDisallow: /\n\nUser-agent: windrow\n", &["/"], &[]);
}

#[test]
fn groups_of_one_robot_are_one() {
    let text =
        "User-agent: windrow\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: windrow\nDisallow: /c";
    check(text, &["/b"], &["/a", "/c"]);
    let text = "User-agent: *\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: *\nDisallow: /c";
    check(text, &["/b"], &["/a", "/c"]);
    // Several names may precede the rules; unknown lines between them do not end the list.
    let text = "User-agent: other\n\n# and\nSitemap: https://example.org/s.xml\nCrawl-delay: 1\nUser-agent: windrow\nDisallow: /a\n\nUser-agent: x\nDisallow: /";
    check(text, &["/b"], &["/a"]);
    check("Disallow: /before\nUser-agent: *\nDisallow: /a", &["/before"], &["/a"]);
}

#[test]
fn what_real_files_look_like() {
    check("\u{feff}User-agent: *\nDisallow: /a", &[], &["/a"]);
    check("user-AGENT : *\r\nDISALLOW:/a # why\r\n\r\n  Disallow : /b\r", &["/c"], &["/a", "/b"]);
    check("User-agent: *\rDisallow: /a\rDisallow: /b", &[], &["/a", "/b"]);
    check("User-agent: *\nDisallow: private/", &["/x"], &["/private/a"]);
    check("User-agent: *\nDisallow: /a\nNoindex: /b\nHost: example.org\n<html>", &["/b"], &["/a"]);
    check("<!doctype html><title>Not found: sorry</title>", &["/"], &[]);
}

#[test]
fn half_a_megabyte_is_read_and_no_more() {
    let line = "Disallow: /aaaaaaaaaaaaaaaaaaaa\n";
    let filler = |bytes: usize| format!("User-agent: *\n{}", line.repeat(bytes / line.len()));
    check(&(filler(490 << 10) + "Disallow: /late\n"), &[], &["/late"]);
    check(&(filler(501 << 10) + "Disallow: /late\n"), &["/late"], &[]);
}

#[test]
fn delays_and_sitemaps() {
    let text = "Sitemap: https://example.org/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /a\nUser-agent: windrow\n\
        Crawl-delay: 7\nsitemap: /2.xml\nDisallow:";
    let robots = Robots::parse(text.as_bytes(), "windrow");
    assert_eq!(robots.crawl_delay(), Some(Duration::from_secs(7)));
    assert_eq!(robots.sitemaps(), ["https://example.org/1.xml", "/2.xml"]);
    assert_eq!(Robots::parse(text.as_bytes(), "x").crawl_delay(), Some(Duration::from_millis(2500)));
    for odd in ["-1", "NaN", "inf", "1e400", "soon", ""] {
        let text = format!("User-agent: *\nCrawl-delay: {odd}");
        assert_eq!(Robots::parse(text.as_bytes(), "windrow").crawl_delay(), None, "{odd}");
    }
}
