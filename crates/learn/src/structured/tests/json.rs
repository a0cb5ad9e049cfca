//! The lenient JSON reader by itself.

use crate::structured::json::{Json, Reading, read};

fn values(text: &str) -> Reading<'_> {
    read(text, 8, &mut 1000)
}

/// A text that reads as one value without a complaint.
#[track_caller]
fn one(text: &str) -> Json<'_> {
    let mut reading = values(text);
    assert_eq!(reading.broken, None, "{text}");
    assert_eq!(reading.values.len(), 1, "{text}: {:?}", reading.values);
    reading.values.remove(0)
}

fn text(value: &str) -> Json<'_> {
    Json::Text(value.into())
}

#[test]
fn strings_are_decoded() {
    assert_eq!(one(r#""a\n\t\"\\\/é""#), text("a\n\t\"\\/é"));
    assert_eq!(one(r#""\ud83c\udf3e""#), text("🌾"));
    assert_eq!(one(r#""\ud83c x \udf3e""#), text("\u{fffd} x \u{fffd}"));
    assert_eq!(one(r#""\q\u12\'""#), text("qu12'"));
    assert_eq!(one("\"two\nlines\u{1}\""), text("two\nlines\u{1}"));
}

#[test]
fn numbers_stay_as_written() {
    for number in ["24.90", "-1", "1e3", "0", "007"] {
        assert_eq!(one(number), Json::Word(number));
    }
    assert_eq!(one("null"), Json::Null);
    assert_eq!(one("true"), Json::Word("true"));
    for word in ["inf", "nan", "yes", "1.2.3", "+", "'a'", "}"] {
        assert_eq!(values(word).broken, Some(0), "{word}");
    }
}

#[test]
fn commas_may_be_too_many_or_missing() {
    let list = Json::Array(vec![text("a"), text("b")]);
    for written in [r#"["a","b"]"#, r#"["a","b",]"#, r#"[,"a",,"b"]"#, r#"["a" "b"]"#] {
        assert_eq!(one(written), list, "{written}");
    }
    let object = Json::Object(vec![("a".into(), Json::Word("1")), ("b".into(), Json::Word("2"))]);
    for written in [r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,}"#, r#"{,"a":1 "b":2}"#] {
        assert_eq!(one(written), object, "{written}");
    }
}

#[test]
fn comments_are_space() {
    for written in [
        "// x\n[1]",
        "/* x */[/* y */1]//",
        "<!--\n[1]\n-->",
        "<!-- made by a plugin -->[1]",
        "<!--//--><![CDATA[//><!--\n[1]\n//--><!]]>",
        "//<![CDATA[\n[1]\n//]]>",
        "//<![CDATA[ [1] //]]>",
        "/*<![CDATA[*/[1]/*]]>*/",
        "<![CDATA[[1]]]>",
        "\u{feff}[1];",
    ] {
        let reading = values(written);
        assert_eq!(reading.values, [Json::Array(vec![Json::Word("1")])], "{written}");
    }
    assert_eq!(one(r#"["http://x//y", "/*"]"#), Json::Array(vec![text("http://x//y"), text("/*")]));
}

#[test]
fn values_follow_each_other() {
    assert_eq!(values("{}{} , [] 1").values.len(), 4);
}

#[test]
fn what_stands_before_the_break_is_kept() {
    let name = || ("name".into(), text("Pipe"));
    // The value before the break was cut short by its own quote.
    let reading = values(r#"{"name": "Pipe", "size": "12" wide", "color": "red"}"#);
    assert_eq!((reading.values, reading.broken), (vec![Json::Object(vec![name()])], Some(30)));
    // A text that merely ends takes nothing with it.
    let reading = values(r#"{"name": "Pipe""#);
    assert_eq!((reading.values, reading.broken), (vec![Json::Object(vec![name()])], Some(15)));
    let reading = values(r#"{"of": {"name": "Pipe", "x"#);
    let inner = Json::Object(vec![name()]);
    assert_eq!((reading.values, reading.broken), (vec![Json::Object(vec![("of".into(), inner)])], Some(24)));
}

#[test]
fn depth_and_number_are_bounded() {
    let reading = read(r#"[[["a]\"]"], 1], 2]"#, 2, &mut 100);
    let kept = Json::Array(vec![Json::Array(vec![Json::Null, Json::Word("1")]), Json::Word("2")]);
    assert_eq!((reading.values, reading.broken, reading.deep), (vec![kept], None, true));

    let mut left = 3;
    let reading = read("[1, 2, 3, 4]", 8, &mut left);
    assert_eq!(reading.values, [Json::Array(vec![Json::Word("1"), Json::Word("2")])]);
    assert_eq!((left, reading.broken), (0, None));
}
