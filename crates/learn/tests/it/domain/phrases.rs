//! Values that their own wording tells.

use windrow_learn::domain::Evidence;

use super::{domain, lines, read_in};

const DISHES: &str = r#"
name = "dish"

[role.title]
title = true

[role.course]
keywords = ["course"]

[role.time]
keywords = ["time"]
value = '\d'

[role.level]
keywords = ["level"]

[role.rating]
keywords = ["rating"]
phrases = ['\b([0-5](?:\.\d)?) (?:from|of) \d+ votes', '\b([0-5]\.\d) ?/ ?5\b']
"#;

const PAIRS: &str = "<p>Course: Soup</p><p>Time: 30 min</p><p>Level: easy</p>";

/// The rating of a page with this text in front of the pairs.
fn rating(before: &str, after: &str) -> Option<String> {
    let html = format!("<body class='content-sidebar'><h1>Beet soup</h1>{before}<div>{PAIRS}</div>{after}</body>");
    let reading = read_in(domain(DISHES), &html);
    assert_eq!(reading.records.len(), 1);
    let pairs = lines(&domain(DISHES), &reading.records[0]);
    pairs.iter().find_map(|line| line.strip_prefix("rating: ")).map(str::to_owned)
}

#[test]
fn a_phrase_tells_a_value_without_a_label() {
    assert_eq!(rating("<p><b>4.8</b> from <span>54</span> votes</p>", "").as_deref(), Some("4.8"));
    assert_eq!(rating("<p>3.5/5</p>", "").as_deref(), Some("3.5"));
    assert_eq!(rating("<p>We cook it on Sundays.</p>", ""), None);
}

#[test]
fn a_label_comes_before_a_phrase() {
    assert_eq!(rating("<p>4.8 from 54 votes</p>", "<p>Rating: 3</p>").as_deref(), Some("3"));
}

#[test]
fn what_others_say_and_other_pages_is_not_the_record() {
    assert_eq!(rating("", "<div class='comments'><p>2 of 3 votes</p></div>"), None);
    assert_eq!(rating("", "<aside><a href=/x>Leek soup</a> 4.1/5</aside>"), None);
    let list = "<ul><li><a href=/x>Leek soup</a> 4.1/5</ul>";
    assert_eq!(rating("<p>4.8 from 54 votes</p>", list).as_deref(), Some("4.8"));
}

#[test]
fn such_a_value_says_how_it_was_found() {
    let html = format!("<h1>Beet soup</h1><p>4.8 from 54 votes</p><div>{PAIRS}</div>");
    let reading = read_in(domain(DISHES), &html);
    let role = domain(DISHES).role("rating");
    let pair = reading.records[0].pairs.iter().find(|pair| pair.role == role).unwrap();
    assert_eq!(pair.evidence, Evidence::Phrase);
}
