//! TOML and JSON files: their meaning, writing, formatting, and telling the formats apart.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::values::Type;
use windrow_wrapper::{Column, Find, Follow, Kind, Landmark, Locator, Rule, Slice, Text, Until, Wrapper};

use crate::random;

/// One of everything.
const WHOLE: &str = r##"
name = "classified-ads"
description = "Small ads of an example site"
url = "https://example.org/jobs"                 # page to begin with
learned = { by = "discover", from = "https://example.org/jobs?q=nanny", at = 2026-11-15T09:00:00Z }
follow = { depth = 2, pages = 100 }

[field]
title = "//h1"
updated = { css = ".date", type = "date", optional = true, label = "last_update" }

[list.ads]
records = { xpath = "//table[@id='results']/tbody/tr[td/h2]", until = "next" }
optional = true
members = [1, 0]

[list.ads.field]
title = "td/h2/a"
pay = { xpath = "following-sibling::tr[1]/td", after = "Compensation:", type = "money", optional = true }
phone = { find = "td[2]", match = '\d{3}-\d+', before = "(office", slice = 0 }
body = { landmark = { start = '<td class="body">', end = "</td>" }, type = "html" }
rest = { landmark = { start = "<hr>" } }
row = { table = "//table[2]", then = { column = "Price", then = { column = 2 } } }

[list.ads.list]
tags = ".tags li"

[list.ads.list.published]
records = "following-sibling::tr//ul/li"
field = { site = "a", date = { xpath = "text()", type = "date" } }

[list.ads.group.seller]
at = { get = "a/@href" }
take = { city = "_city" }
field = { phone = "#phone" }

[list.cities]
records = { split = "<TR", slice = [1, 0], then = { landmark = { each = "<TD>" } } }

[[list.cities.save]]
pattern = "*<TD>#</TD>*HREF=#>#</A>*"
into = ["country", { name = "c_url", type = "url" }, "_skip"]

[[list.cities.save]]
case = [{ pattern = "*<B>#</B>*" }, { pattern = "*<I>#</I>*" }]
into = [{ name = "weather", table = true, field = { sky = { column = 1 } } }]
optional = true
"##;

fn read(text: &str) -> Wrapper {
    files::read(text, Format::Toml).unwrap_or_else(|errors| panic!("{:#?}\n{text}", errors.0))
}

#[test]
fn everything_is_read() {
    let wrapper = read(WHOLE);
    assert_eq!(wrapper.name.as_deref(), Some("classified-ads"));
    assert_eq!(wrapper.follow, Follow { depth: 2, pages: 100 });
    let learned = wrapper.learned.as_ref().expect("`learned` is given");
    assert_eq!(learned.from, ["https://example.org/jobs?q=nanny"]);
    assert_eq!(learned.at.as_deref(), Some("2026-11-15T09:00:00Z"));

    let names: Vec<&str> = wrapper.rules.iter().map(|rule| &*rule.name).collect();
    assert_eq!(names, ["title", "updated", "ads", "cities"]);
    assert_eq!(wrapper.rules[0], Rule::field("title", "//h1"));
    let mut updated = Rule::field("updated", Locator::css(".date")).typed(Type::Date).optional();
    updated.label = Some("last_update".into());
    assert_eq!(wrapper.rules[1], updated);

    let ads = &wrapper.rules[2];
    assert_eq!(ads.kind, Kind::List);
    assert_eq!(ads.locator.until, Some(Until::Next));
    assert_eq!(ads.members, Some(Slice::Range { skip: 1, drop: 0 }));
    let kinds: Vec<(Kind, &str)> = ads.rules.iter().map(|rule| (rule.kind, &*rule.name)).collect();
    use Kind::*;
    assert_eq!(
        kinds,
        [
            (Field, "title"),
            (Field, "pay"),
            (Field, "phone"),
            (Field, "body"),
            (Field, "rest"),
            (Field, "row"),
            (Group, "seller"),
            (List, "tags"),
            (List, "published")
        ]
    );
    let Find::Table(table) = &ads.rules[5].locator.find else { panic!("{:?}", ads.rules[5]) };
    assert_eq!(**table, Locator::from("//table[2]"));
    let then = ads.rules[5].locator.then.as_deref().expect("the column comes then");
    assert_eq!(then.find, Find::Column(Column::Named("Price".into())));
    let rest = Landmark::Between { start: "<hr>".into(), end: None };
    assert_eq!(ads.rules[4].locator.find, Find::Landmark(rest));
    assert_eq!(ads.rules[6].take[0].label, Text::from("city"));

    let cities = &wrapper.rules[3];
    let save = Rule::save(
        Locator::pattern("*<TD>#</TD>*HREF=#>#</A>*"),
        vec![
            Rule::field("country", Locator::default()),
            Rule::field("c_url", Locator::default()).typed(Type::Url),
            Rule::field("_skip", Locator::default()),
        ],
    );
    assert_eq!(cities.rules[0], save);
    assert_eq!(cities.rules[1].rules[0].kind, Group);
    assert!(cities.rules[1].optional);
}

#[test]
fn texts_know_where_they_stand() {
    let check = |source: &str, exact: bool, shown: &str| {
        let wrapper = read(source);
        let Find::Expression(text) = &wrapper.rules[0].locator.find else { panic!("{wrapper:?}") };
        let span = text.span.expect("it was read from a file");
        assert_eq!((text.exact, &source[span.range()]), (exact, shown), "{source}");
    };
    check("field.a = '//b'", true, "//b");
    check("field.a = \"//b\" # c", true, "//b");
    check("field.a = \"\"\"\n//b\"\"\"", true, "//b");
    check("field.a = '''\r\n//b'''", true, "//b");
    check(r#"field.a = "\u002f/b""#, false, r#""\u002f/b""#);
    check("field.a = ''", true, "");
}

#[test]
fn json_texts_know_where_they_stand() {
    let source = "\u{feff}{\"field\": {\"a\": \"é//b\", \"c\": \"\\u00e9\"}}";
    let wrapper = files::read(source, Format::Json).expect("a byte order mark is no error");
    let place = |index: usize| {
        let Find::Expression(text) = &wrapper.rules[index].locator.find else { panic!("{wrapper:?}") };
        (text.exact, &source[text.span.expect("read from a file").range()])
    };
    assert_eq!(place(0), (true, "é//b"));
    assert_eq!(place(1), (false, "\"\\u00e9\""));
    assert_eq!(&source[wrapper.rules[0].name.span.expect("read from a file").range()], "a");
}

#[test]
fn written_files_are_canonical() {
    let wrapper = read(WHOLE);
    expect![[r##"
        name = "classified-ads"
        description = "Small ads of an example site"
        url = "https://example.org/jobs"
        learned = { by = "discover", from = "https://example.org/jobs?q=nanny", at = 2026-11-15T09:00:00Z }
        follow = { depth = 2, pages = 100 }

        [field]
        title = "//h1"
        updated = { css = ".date", type = "date", optional = true, label = "last_update" }

        [list.ads]
        records = { xpath = "//table[@id='results']/tbody/tr[td/h2]", until = "next" }
        optional = true
        members = [1, 0]

        [list.ads.field]
        title = "td/h2/a"
        pay = { xpath = "following-sibling::tr[1]/td", after = "Compensation:", type = "money", optional = true }
        phone = { find = "td[2]", slice = 0, before = "(office", match = '\d{3}-\d+' }
        body = { landmark = { start = '<td class="body">', end = "</td>" }, type = "html" }
        rest = { landmark = { start = "<hr>" } }
        row = { table = "//table[2]", then = { column = "Price", then = { column = 2 } } }

        [list.ads.group.seller]
        at = { get = "a/@href" }
        take = { city = "_city" }
        field = { phone = "#phone" }

        [list.ads.list]
        tags = ".tags li"

        [list.ads.list.published]
        records = "following-sibling::tr//ul/li"
        field = { site = "a", date = { xpath = "text()", type = "date" } }

        [list.cities]
        records = { split = "<TR", slice = [1, 0], then = { landmark = { each = "<TD>" } } }

        [[list.cities.save]]
        pattern = "*<TD>#</TD>*HREF=#>#</A>*"
        into = ["country", { name = "c_url", type = "url" }, "_skip"]

        [[list.cities.save]]
        case = [{ pattern = "*<B>#</B>*" }, { pattern = "*<I>#</I>*" }]
        optional = true

        [[list.cities.save.into]]
        name = "weather"
        table = true
        field = { sky = { column = 1 } }
    "##]]
    .assert_eq(&files::write(&wrapper, Format::Toml).expect("TOML can say it"));
}

#[test]
fn saved_texts_with_rules_get_headers() {
    let wrapper = read(
        r##"save = [{ pattern = "#;#", into = ["a", { name = "b", list = { c = { records = { split = "," }, field = { d = "x" } } } }] }]"##,
    );
    expect![[r##"
        [[save]]
        pattern = "#;#"

        [[save.into]]
        name = "a"

        [[save.into]]
        name = "b"

        [save.into.list.c]
        records = { split = "," }
        field = { d = "x" }
    "##]]
    .assert_eq(&files::write(&wrapper, Format::Toml).expect("TOML can say it"));
}

#[test]
fn json_says_the_same() {
    let wrapper =
        read("[list.ads]\nrecords = '//tr'\nmembers = 2\n[list.ads.field]\nlink = { xpath = 'a/@href', type = 'url' }");
    let json = files::write(&wrapper, Format::Json).expect("JSON can say it");
    expect![[r#"
        {
          "list": {
            "ads": {
              "records": "//tr",
              "members": 2,
              "field": {
                "link": {
                  "xpath": "a/@href",
                  "type": "url"
                }
              }
            }
          }
        }
    "#]]
    .assert_eq(&json);
    assert_eq!(files::read(&json, Format::Json).expect("it is read again"), wrapper);
    assert_eq!(files::format(&json.replace(['\n', ' '], ""), Format::Json).expect("it is JSON"), json);
}

/// Every rule on its own, one line each.
#[test]
fn a_rule_can_be_written_alone() {
    fn walk(rules: &[Rule], depth: usize, lines: &mut String) {
        for rule in rules {
            let name = if rule.kind == Kind::Save { "save" } else { &rule.name };
            lines.push_str(&format!("{}{name} = {}\n", "  ".repeat(depth), files::write_rule(rule)));
            walk(&rule.rules, depth + 1, lines);
        }
    }
    let mut lines = String::new();
    let mut wrapper = read(WHOLE);
    wrapper.rules.push(Rule::field("odd", Locator::pattern("a\n\"#'")).found_at("/html[1]"));
    walk(&wrapper.rules, 0, &mut lines);
    expect![[r##"
        title = "//h1"
        updated = { css = ".date", type = "date", optional = true, label = "last_update" }
        ads = { records = { xpath = "//table[@id='results']/tbody/tr[td/h2]", until = "next" }, optional = true, members = [1, 0] }
          title = "td/h2/a"
          pay = { xpath = "following-sibling::tr[1]/td", after = "Compensation:", type = "money", optional = true }
          phone = { find = "td[2]", slice = 0, before = "(office", match = '\d{3}-\d+' }
          body = { landmark = { start = '<td class="body">', end = "</td>" }, type = "html" }
          rest = { landmark = { start = "<hr>" } }
          row = { table = "//table[2]", then = { column = "Price", then = { column = 2 } } }
          seller = { at = { get = "a/@href" }, take = { city = "_city" } }
            phone = "#phone"
          tags = ".tags li"
          published = "following-sibling::tr//ul/li"
            site = "a"
            date = { xpath = "text()", type = "date" }
        cities = { records = { split = "<TR", slice = [1, 0], then = { landmark = { each = "<TD>" } } } }
          save = { pattern = "*<TD>#</TD>*HREF=#>#</A>*" }
            country = {}
            c_url = { type = "url" }
            _skip = {}
          save = { case = [{ pattern = "*<B>#</B>*" }, { pattern = "*<I>#</I>*" }], optional = true }
            weather = { at = { table = true } }
              sky = { column = 1 }
        odd = { pattern = "a\n\"#'" }
    "##]].assert_eq(&lines);
}

#[test]
fn a_schema_may_be_named() {
    let text = "{\n  \"$schema\": \"wrapper.schema.json\",\n  \"name\": \"x\"\n}\n";
    assert_eq!(files::read(text, Format::Json).expect("editors want it").name.as_deref(), Some("x"));
    assert_eq!(files::format(text, Format::Json).expect("it is laid out"), text);
}

/// Checks that formatting is idempotent and keeps the meaning.
fn check_format(source: &str, expected: Expect) {
    let formatted = files::format(source, Format::Toml).expect("it is TOML");
    expected.assert_eq(&formatted);
    assert_eq!(files::format(&formatted, Format::Toml).expect("it is TOML still"), formatted);
    assert_eq!(read(&formatted), read(source));
}

#[test]
fn layout_is_made_regular() {
    check_format(
        "\u{feff}\n\n# About this file\n\nname='x'   # its name\nurl   =   \"https://example.org\"\n\n\n\nfollow={depth=1,pages=2}\r\n[ field ]\n\n a='//b'\n\"c\" = \"say \\\"d\\\"\"\ne = \"it's \\\"f\\\"\"\n# the ads\n#   of the page\n[list.\"ads\"] # all\nrecords = {xpath='//tr' , until= \"next\" ,}\nmembers=[ 1,0 ]",
        expect![[r##"
            # About this file

            name = "x" # its name
            url = "https://example.org"

            follow = { depth = 1, pages = 2 }

            [field]
            a = "//b"
            c = 'say "d"'
            e = "it's \"f\""

            # the ads
            #   of the page
            [list.ads] # all
            records = { xpath = "//tr", until = "next" }
            members = [1, 0]
        "##]],
    );
}

#[test]
fn layout_keeps_what_people_mean_by_lines() {
    check_format(
        "field.a = { case = [ # one of\n'b', # first\n\n   # second\n{xpath='c'}\n] }\nlearned={by='x', from=[\n'd','e',\n'f']}\n[[save]]\npattern='''\n*#\\\n  x*'''\ninto=[]\n"
            .replace("into=[]", "into=[ 'g' ]")
            .as_str(),
        expect![[r#"
            field.a = { case = [ # one of
                "b", # first
                # second
                { xpath = "c" }
            ] }
            learned = { by = "x", from = [
                "d", "e",
                "f"] }

            [[save]]
            pattern = '''
            *#\
              x*'''
            into = ["g"]
        "#]],
    );
}

#[test]
fn formats_are_told_apart() {
    let cases = [
        ("", Format::Toml),
        ("# a comment\n\nname = \"x\"", Format::Toml),
        ("[list.ads]\nrecords = '//tr'", Format::Toml),
        ("  [[save]]", Format::Toml),
        ("[ list . ads ]", Format::Toml),
        ("[\"list\".ads]", Format::Toml),
        ("[list.ads", Format::Toml),
        ("field.title = '//h1'", Format::Toml),
        ("\"name\" = 'a:b'", Format::Toml),
        ("{\"name\": 1}", Format::Json),
        ("\u{feff}\n {}", Format::Json),
        ("[[\"root\", \"get('x')\", \"#\"]]", Format::Tsimmis),
        ("[ [\"root\", \"get('x')\", \"#\"],\n", Format::Tsimmis),
        ("[\n[\"root\"", Format::Tsimmis),
        ("[\"root\", \"get('x')\", \"#\"]", Format::Tsimmis),
        ("<?xml version=\"1.0\"?><StalkerRules/>", Format::Wtm),
        ("title = //h1", Format::XPaths),
        ("# merl\ntitle: //h1", Format::XPaths),
        ("title\t//h1[@class='x']", Format::XPaths),
        ("title = .//a[@href=\"x\"]", Format::XPaths),
    ];
    for (text, format) in cases {
        assert_eq!(Format::guess(text), format, "{text:?}");
    }
}

/// The example files are recognised as the format their names indicate.
#[test]
fn examples_are_told_apart() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/wrappers");
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples are in the repository") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let Some(format) = Format::from_extension(extension) else { continue };
            let text = std::fs::read_to_string(&path).expect("it is a text");
            assert_eq!(Format::guess(&text), format, "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0, "no examples in {folder}");
}

#[test]
fn formats_have_names_and_extensions() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    for (extension, format) in [
        ("toml", Some(Format::Toml)),
        ("JSON", Some(Format::Json)),
        ("tsm", Some(Format::Tsimmis)),
        ("spec", Some(Format::Tsimmis)),
        ("xml", Some(Format::Wtm)),
        ("txt", Some(Format::XPaths)),
        ("html", None),
    ] {
        assert_eq!(Format::from_extension(extension), format, "{extension}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_wrappers_are_read_again(wrapper in random::wrapper()) {
        for format in [Format::Toml, Format::Json] {
            let text = files::write(&wrapper, format).expect("both can say everything");
            let again = files::read(&text, format).unwrap_or_else(|errors| panic!("{:#?}\n{text}", errors.0));
            prop_assert_eq!(&again, &wrapper, "{}", text);
            // Written files are already formatted.
            prop_assert_eq!(files::format(&text, format).expect("it is readable"), text);
        }
    }

    #[test]
    fn layout_never_changes_the_meaning(wrapper in random::wrapper(), seed in any::<u64>()) {
        let text = shaken(&files::write(&wrapper, Format::Toml).expect("TOML can say it"), seed);
        let before = files::read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{:#?}\n{text}", errors.0));
        prop_assert_eq!(&before, &wrapper, "{}", text);
        let formatted = files::format(&text, Format::Toml).expect("it is TOML");
        prop_assert_eq!(&files::read(&formatted, Format::Toml).expect("it still is"), &wrapper, "{}\n{}", text, formatted);
        prop_assert_eq!(&files::format(&formatted, Format::Toml).expect("it still is"), &formatted, "{}", text);
        prop_assert_eq!(text.matches("#note").count(), formatted.matches("#note").count(), "{}\n{}", text, formatted);
    }
}

/// Returns the same file, badly formatted: blanks, blank lines and comments between its lines.
fn shaken(text: &str, mut seed: u64) -> String {
    let mut next = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let mut shaken = String::new();
    for line in text.lines() {
        match next(6) {
            0 => shaken.push_str("\n\n\n"),
            1 => shaken.push_str("  #note  \n"),
            2 => shaken.push_str("\t "),
            _ => {}
        }
        // A key's first `=` may have any space around it; later ones may be in strings.
        match line.split_once(" = ") {
            Some((key, value)) if next(2) == 0 && !key.contains(['"', '\'']) => {
                shaken.push_str(&format!("{key}={value}"));
            }
            _ => shaken.push_str(line),
        }
        match next(5) {
            0 if !line.ends_with('[') => shaken.push_str(" #note\r\n"),
            1 => shaken.push_str("   \n"),
            _ => shaken.push('\n'),
        }
    }
    shaken
}
