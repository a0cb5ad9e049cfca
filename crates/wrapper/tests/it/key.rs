//! Keys of records: how files write them, which fields they may name, and how callers see them.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{self, Format};
use windrow_wrapper::{Extractor, Find, Landmark, Locator, Rule, Shape, Take, Wrapper};

use crate::errors::render;

/// A list with fields of every kind; `KEY` is the key.
const ADS: &str = r#"
[list.ads]
records = "li"
key = KEY

[list.ads.field]
title = "b"
link = { css = "a::attr(href)", label = "url" }
_raw = "u"

[list.ads.group.seller]
at = "p"
label = "by"
field.name = "i"
field.phone = { css = "u", label = "tel" }

[list.ads.group._box]
at = "div"
field.size = "i"

[list.ads.group.more]
take = { raw = "_raw", all = "tags" }

[list.ads.list]
tags = "em"

[[list.ads.save]]
pattern = "*(#, #)*"
into = ["town", "zip"]
"#;

fn ads(key: &str) -> String {
    ADS.replace("KEY", key)
}

fn read(source: &str) -> Wrapper {
    files::read(source, Format::Toml).unwrap_or_else(|errors| panic!("{}", render(source, &errors)))
}

/// Returns the keys of all lists, as labels of their objects.
fn keys(wrapper: &Wrapper) -> Vec<String> {
    fn walk(shapes: &[Shape], keys: &mut Vec<String>) {
        for shape in shapes {
            if !shape.key.is_empty() {
                keys.push(format!("{}: {}", shape.label, shape.key.join(", ")));
            }
            walk(&shape.children, keys);
        }
    }
    let mut keys = Vec::new();
    walk(&Extractor::new(wrapper).expect("it compiles").shape(), &mut keys);
    keys
}

#[test]
fn callers_see_the_labels() {
    let check = |key: &str, expected: &str| assert_eq!(keys(&read(&ads(key))), [format!("ads: {expected}")]);
    check(r#""title""#, "title");
    check(r#""link""#, "url");
    check(r#"["link", "title"]"#, "url, title");
    check(r#""seller.name""#, "by.name");
    check(r#""seller.phone""#, "by.tel");
    check(r#""more.raw""#, "more.raw");
    check(r#"["zip", "size"]"#, "zip, size");
}

#[test]
fn without_a_key_there_is_none() {
    assert!(keys(&read(&ads("\"link\"").replace("key = \"link\"\n", ""))).is_empty());
}

/// Names may contain dots themselves.
#[test]
fn a_field_of_its_own_comes_before_that_of_a_group() {
    let wrapper = read(
        r#"
[list.ads]
records = "li"
key = ["a.b", "a.c", "d.e.f", "x"]
field."a.b" = { css = "b", label = "own" }
group.a = { field = { b = "i", c = { css = "u", label = "in" } } }
group."d.e" = { label = "g", field.f = "p" }
[[list.ads.save]]
pattern = "*#,#*"
into = [{ name = "_part", field.x = { css = "b", label = "far" } }, { name = "x", label = "near" }]
"#,
    );
    assert_eq!(keys(&wrapper), ["ads: own, a.in, g.f, near"]);
}

/// The columns of such a list are known only once there is a page, and so is whether the key names one of them.
#[test]
fn a_column_of_the_page_may_be_a_key() {
    let wrapper = read("[list.rows]\nrecords = { table = 'table' }\nkey = 'Part no.'\n");
    assert_eq!(keys(&wrapper), ["rows: Part no."]);
}

#[test]
fn lists_inside_lists_have_their_own() {
    let wrapper = read(
        r#"
[list.shops]
records = "section"
key = "name"
field.name = "h2"
[list.shops.list.ads]
records = "li"
key = ["title", "name"]
field = { title = "b", name = "i" }
[group.again]
take = { offers = "shops" }
"#,
    );
    assert_eq!(keys(&wrapper), ["shops: name", "ads: title, name", "offers: name", "ads: title, name"]);
}

#[test]
fn lists_that_share_a_label_have_the_first_key_said() {
    let lists = |first: &str, second: &str| {
        read(&format!(
            "[list.index]\nrecords = 'li'\nlabel = 'entries'\n{first}\nfield = {{ title = 'b', link = 'a' }}\n\
             [list.single]\nrecords = 'article'\nlabel = 'entries'\n{second}\nfield = {{ title = 'h1', link = 'a' }}\n"
        ))
    };
    assert_eq!(keys(&lists("key = 'link'", "key = 'title'")), ["entries: link"]);
    assert_eq!(keys(&lists("", "key = 'title'")), ["entries: title"]);
    assert!(keys(&lists("", "")).is_empty());
}

#[test]
fn files_say_it_again() {
    for key in [r#""link""#, r#"["seller.name", "town"]"#] {
        let wrapper = read(&ads(key));
        for format in [Format::Toml, Format::Json] {
            let text = files::write(&wrapper, format).expect("it can be said");
            assert_eq!(files::read(&text, format).as_ref(), Ok(&wrapper), "{text}");
        }
    }
    assert_ne!(read(&ads(r#""link""#)), read(&ads(r#""title""#)));
    assert_ne!(read(&ads(r#"["link", "title"]"#)), read(&ads(r#"["title", "link"]"#)));
    // One name in an array is the same as the name.
    assert_eq!(read(&ads(r#"["link"]"#)), read(&ads(r#""link""#)));
}

#[test]
fn it_stands_beside_the_records() {
    let fields = || vec![Rule::field("street", "b"), Rule::field("date", "i")];
    let rules = vec![
        Rule::list("flats", "li").with(fields()).keyed(["street", "date"]).optional(),
        Rule::save(
            Locator::pattern("*#;#*"),
            vec![Rule::field("a", Locator::default()), Rule::list("b", "p").with(fields()).keyed(["date"])],
        ),
    ];
    let wrapper = Wrapper { rules, ..Wrapper::default() };
    expect![[r#"
        [[save]]
        pattern = "*#;#*"

        [[save.into]]
        name = "a"

        [[save.into]]
        name = "b"
        records = "p"
        key = "date"

        [save.into.field]
        street = "b"
        date = "i"

        [list.flats]
        records = "li"
        key = ["street", "date"]
        optional = true

        [list.flats.field]
        street = "b"
        date = "i"
    "#]]
    .assert_eq(&files::write(&wrapper, Format::Toml).expect("TOML can say it"));
    expect![[r#"{ records = "li", key = ["street", "date"], optional = true }"#]]
        .assert_eq(&files::write_rule(&wrapper.rules[0]));
}

#[test]
fn layout_keeps_it() {
    let source = "[list.ads]\nrecords='li'\nkey=[ 'title','link' ] # for the store\nfield={title='b',link='a'}\n";
    let expected = expect![[r#"
        [list.ads]
        records = "li"
        key = ["title", "link"] # for the store
        field = { title = "b", link = "a" }
    "#]];
    expected.assert_eq(&files::format(source, Format::Toml).expect("it is right"));
    let json = r#"{"list": {"ads": {"key": "title", "records": "li", "field": {"title": "b"}}}}"#;
    let expected = expect![[r#"
        {
          "list": {
            "ads": {
              "key": "title",
              "records": "li",
              "field": {
                "title": "b"
              }
            }
          }
        }
    "#]];
    expected.assert_eq(&files::format(json, Format::Json).expect("it is right"));
}

fn check(source: &str, expected: Expect) {
    let errors = files::read(source, Format::Toml).err().unwrap_or_else(|| panic!("accepted: {source}"));
    expected.assert_eq(&render(source, &errors));
}

#[test]
fn a_name_that_no_field_has() {
    check(
        &ads(r#""lnik""#),
        expect![[r#"
        wrapper::bad_key: `lnik` cannot be in the key of `ads`: the list has no such field
          4:8   key = "lnik"
                       ^^^^ named here
           help: did you mean `link`?
    "#]],
    );
    check(
        &ads(r#"["title", "seller.nmae", "by.name", "headline"]"#),
        expect![[r#"
            wrapper::bad_key: `seller.nmae` cannot be in the key of `ads`: the list has no such field
              4:18  key = ["title", "seller.nmae", "by.name", "headline"]
                                     ^^^^^^^^^^^ named here
               help: did you mean `seller.name`?
            wrapper::bad_key: `by.name` cannot be in the key of `ads`: the list has no such field
              4:33  key = ["title", "seller.nmae", "by.name", "headline"]
                                                    ^^^^^^^ named here
               help: this is a label; use the name of the rule, `seller.name`
            wrapper::bad_key: `headline` cannot be in the key of `ads`: the list has no such field
              4:44  key = ["title", "seller.nmae", "by.name", "headline"]
                                                               ^^^^^^^^ named here
               help: the fields are `town`, `zip`, `title`, `link`, `seller.name`, `seller.phone`, `size`
        "#]],
    );
    check(
        "list.a = { records = 'li', key = 'b', list.c = 'i' }",
        expect![[r#"
        wrapper::bad_key: `b` cannot be in the key of `a`: the list has no such field
          1:35  list.a = { records = 'li', key = 'b', list.c = 'i' }
                                                  ^ named here
    "#]],
    );
    let source = r#"{"list": {"ads": {"records": "li", "key": ["tilte"], "field": {"title": "b"}}}}"#;
    let errors = files::read(source, Format::Json).expect_err("there is no such field");
    expect![[r#"
        wrapper::bad_key: `tilte` cannot be in the key of `ads`: the list has no such field
          1:45  {"list": {"ads": {"records": "li", "key": ["tilte"], "field": {"title": "b"}}}}
                                                            ^^^^^ named here
           help: did you mean `title`?
    "#]]
    .assert_eq(&render(source, &errors));
}

#[test]
fn a_name_that_is_not_a_fields() {
    check(
        &ads(r#"["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]"#),
        expect![[r#"
        wrapper::bad_key: `seller` cannot be in the key of `ads`: it is a group
          4:9   key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                        ^^^^^^ named here
           help: name one of its fields, such as `seller.name`
        wrapper::bad_key: `tags` cannot be in the key of `ads`: it is a list, and a record can have any number of its members
          4:19  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                  ^^^^ named here
        wrapper::bad_key: `_raw` cannot be in the key of `ads`: a temporary is not shown in the records
          4:27  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                          ^^^^ named here
        wrapper::bad_key: `_box` cannot be in the key of `ads`: a temporary is not shown in the records
          4:35  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                                  ^^^^ named here
        wrapper::bad_key: `more.all` cannot be in the key of `ads`: it is a list, and a record can have any number of its members
          4:43  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                                          ^^^^^^^^ named here
        wrapper::bad_key: `more` cannot be in the key of `ads`: it is a group
          4:55  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                                                      ^^^^ named here
        wrapper::bad_key: `link` cannot be in the key of `ads`: it is named twice
          4:71  key = ["seller", "tags", "_raw", "_box", "more.all", "more", "link", "link"]
                                                                                      ^^^^ named here
    "#]],
    );
}

#[test]
fn a_list_without_fields() {
    check(
        "list.tags = { records = '.tags li', key = 'name' }",
        expect![[r#"
        wrapper::bad_key: `name` cannot be in the key of `tags`: it is a list of values without fields
          1:44  list.tags = { records = '.tags li', key = 'name' }
                                                           ^^^^ named here
           help: only records with fields need a key
    "#]],
    );
    check(
        "list._rows = { records = 'li', key = 'name', field.name = 'b' }",
        expect![[r#"
        wrapper::bad_key: `name` cannot be in the key of `_rows`: the list is temporary and shows no records
          1:39  list._rows = { records = 'li', key = 'name', field.name = 'b' }
                                                      ^^^^ named here
    "#]],
    );
}

#[test]
fn a_rule_that_is_no_list() {
    check(
        "field.a = { css = 'b', key = 'c' }",
        expect![[r#"
        wrapper::unknown_key: unknown key `key` in a field
          1:24  field.a = { css = 'b', key = 'c' }
                                       ^^^ no such key here
           help: a key identifies the records of a list: put it in the list, next to `records`
    "#]],
    );
    check(
        "group.a = { at = 'p', key = 'c', field.c = 'b' }",
        expect![[r#"
        wrapper::unknown_key: unknown key `key` in a group
          1:23  group.a = { at = 'p', key = 'c', field.c = 'b' }
                                      ^^^ no such key here
           help: a key identifies the records of a list: put it in the list, next to `records`
    "#]],
    );
    check(
        "[list.a]\nrecords = { css = 'b', key = 'c' }\nfield.c = 'i'",
        expect![[r#"
        wrapper::unknown_key: unknown key `key` in a locator
          2:24  records = { css = 'b', key = 'c' }
                                       ^^^ no such key here
           help: it belongs next to the locator, not inside it
    "#]],
    );
    check(
        "[[save]]\npattern = '#,#'\nkey = 'a'\ninto = ['a', { name = 'b', key = 'c' }, { name = 'd', key = 'c', field.c = 'i' }]",
        expect![[r#"
            wrapper::unknown_key: unknown key `key` in a save
              3:1   key = 'a'
                    ^^^ no such key here
               help: a key identifies the records of a list: put it in the list, next to `records`
            wrapper::unknown_key: unknown key `key` in a field
              4:28  into = ['a', { name = 'b', key = 'c' }, { name = 'd', key = 'c', field.c = 'i' }]
                                               ^^^ no such key here
               help: a key identifies the records of a list: put it in the list, next to `records`
            wrapper::unknown_key: unknown key `key` in a group
              4:55  into = ['a', { name = 'b', key = 'c' }, { name = 'd', key = 'c', field.c = 'i' }]
                                                                          ^^^ no such key here
               help: a key identifies the records of a list: put it in the list, next to `records`
        "#]],
    );
}

#[test]
fn a_value_that_is_no_name() {
    for (value, expected) in [
        (
            "[]",
            expect![[r#"
        wrapper::wrong_value: `key` must be the name of a field, or an array of names, not an empty array
          4:7   key = []
                      ^^ here
           help: for example `key = "link"` or `key = ["street", "date"]`
    "#]],
        ),
        (
            "7",
            expect![[r#"
        wrapper::wrong_value: `key` must be the name of a field, or an array of names, not 7
          4:7   key = 7
                      ^ here
           help: for example `key = "link"` or `key = ["street", "date"]`
    "#]],
        ),
        (
            "['title', 7]",
            expect![[r#"
        wrapper::wrong_value: `key` must be a string, not 7
          4:17  key = ['title', 7]
                                ^ here
    "#]],
        ),
    ] {
        check(&ads(value), expected);
    }
    let names: Vec<String> = (0..17).map(|number| format!("f{number}")).collect();
    let fields: String = names.iter().map(|name| format!("{name} = 'b'\n")).collect();
    check(
        &format!("[list.a]\nrecords = 'li'\nkey = {names:?}\n[list.a.field]\n{fields}"),
        expect![[r#"
        wrapper::too_large: the wrapper has too many fields in a key: more than 16
          3:111 key = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "f13", "f14", "f15", "f16"]
                                                                                                                              ^^^ here
    "#]],
    );
}

/// A rule that could not be read may be the one that a key names.
#[test]
fn other_mistakes_come_first() {
    check(
        "[list.a]\nrecords = 'li'\nkey = 'b'\nfield.b = 7",
        expect![[r#"
        wrapper::wrong_value: `b` must be an expression or a table, not 7
          4:11  field.b = 7
                          ^ here
    "#]],
    );
}

/// Programs create wrappers, too, and rename rules.
#[test]
fn wrappers_of_programs_are_checked() {
    let list = Rule::list("ads", "li").with(vec![Rule::field("title", "b")]);
    let mut group = Rule::group("g", "p").with(vec![Rule::field("a", "b")]).keyed(["a"]);
    group.take = vec![Take { label: "b".into(), variable: "title".into() }];
    let rules = vec![list.keyed(["titel"]), Rule::field("title", "h1").keyed(["title"]), group];
    let errors = Extractor::new(&Wrapper { rules, ..Wrapper::default() }).expect_err("three mistakes");
    expect![[r#"
        wrapper::bad_key: `titel` cannot be in the key of `ads`: the list has no such field
           help: did you mean `title`?
        wrapper::unknown_key: unknown key `key` in a field
           help: a key identifies the records of a list: put it in the list, next to `records`
        wrapper::unknown_key: unknown key `key` in a group
           help: a key identifies the records of a list: put it in the list, next to `records`
    "#]]
    .assert_eq(&render("", &errors));
}

#[test]
fn formats_of_the_papers_have_no_place_for_it() {
    let fields = || vec![Rule::field("title", Locator::pattern("*<b>#</b>*"))];
    let split = Rule::list("rows", Locator::new(Find::Split("<tr>".into()))).with(fields());
    let between = Find::Landmark(Landmark::Between { start: "<h3>".into(), end: Some("</h3>".into()) });
    let entries = Rule::list("entries", Locator::new(Find::Landmark(Landmark::Each("<h3>".into()))))
        .with(vec![Rule::field("title", Locator::new(between))]);
    let paths = Rule::list("rows", Locator::new(Find::XPath("//li".into())))
        .with(vec![Rule::field("title", Locator::new(Find::XPath("b".into())))]);
    let check = |format: Format, list: Rule, expected: Expect| {
        let wrapper = |list: Rule| Wrapper { rules: vec![list], ..Wrapper::default() };
        files::write(&wrapper(list.clone()), format).expect("without a key it can be written");
        let errors = files::write(&wrapper(list.keyed(["title"])), format).expect_err("with a key it cannot");
        expected.assert_eq(&render("", &errors));
    };
    check(
        Format::Tsimmis,
        split,
        expect![[r#"
            wrapper::not_expressible: the rule `rows` cannot be written as TSIMMIS commands: the format has no place for its `key`
               help: TOML and JSON can express every wrapper; given a page (`--page`), commands are learned from what the rules find there
        "#]],
    );
    check(
        Format::Wtm,
        entries,
        expect![[r#"
        wrapper::not_expressible: the rule `entries` cannot be written as WTM rules: the format has no place for its `key`
           help: TOML and JSON can express every wrapper
    "#]],
    );
    let keyed = Wrapper { rules: vec![paths.keyed(["title"])], ..Wrapper::default() };
    let written = files::write(&keyed, Format::XPaths).expect("a list of XPaths has a comment for it");
    assert_eq!(written, "# list: rows\n# key: title\nrecords = //li\ntitle = //li/b\n");
}

/// Absolute paths say nothing but themselves.
#[test]
fn absolute_paths_leave_it_out() {
    let list = Rule::list("ads", "li").found_at("/html[1]/body[1]/ul[1]/li");
    let title = Rule::field("title", "b").found_at("/html[1]/body[1]/ul[1]/li/b[1]");
    let wrapper = |list: Rule| Wrapper { rules: vec![list.with(vec![title.clone()])], ..Wrapper::default() };
    let written = files::write_absolute(&wrapper(list.clone().keyed(["title"]))).expect("the paths are known");
    assert_eq!(Ok(written), files::write_absolute(&wrapper(list)));
}

/// A hostile file has many keys, many names in each, and long names: the list of errors stays short.
#[test]
fn keys_of_hostile_files_are_checked() {
    let deep = format!("[list.a{}]\nfield.i = 'b'\n", ".group.g".repeat(25));
    let names: Vec<String> = (0..40_000).map(|number| format!("{}{number}", "g.".repeat(40))).collect();
    let source = format!("[list.a]\nrecords = 'li'\nkey = {names:?}\n{deep}");
    let count = |source: &str| files::read(source, Format::Toml).expect_err("no field is named").0.len();
    assert_eq!(count(&source), 17, "sixteen names, and that there are more");
    let fields: String = (0..8_000).map(|number| format!("{}{number} = 'b'\n", "abcdefgh".repeat(7))).collect();
    let lists: String = (0..900)
        .map(|number| format!("[list.l{number}]\nrecords = 'li'\nkey = '{}'\nfield.b = 'b'\n", "x".repeat(60)))
        .collect();
    let source = format!("[list.a]\nrecords = 'li'\nkey = '{}'\n[list.a.field]\n{fields}{lists}", "hgfedcba".repeat(8));
    assert_eq!(count(&source), 901);
}
