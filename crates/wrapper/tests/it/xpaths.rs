//! Lists of XPath expressions: what they become, what is said of wrong ones, and what they find.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read, write};
use windrow_wrapper::values::Type;
use windrow_wrapper::{Extractor, Kind, Locator, Page, Rule, Slice, Wrapper};

use crate::bracket_support::{Dice, objects, outline, report};

fn check(file: &str, expected: Expect) {
    let wrapper = read(file, Format::XPaths).unwrap_or_else(|errors| panic!("{}", report(file, &errors)));
    expected.assert_eq(&outline(&wrapper));
    round_trip(&wrapper);
}

fn check_errors(file: &str, expected: Expect) {
    let errors = read(file, Format::XPaths).expect_err("it is wrong");
    expected.assert_eq(&report(file, &errors));
}

fn round_trip(wrapper: &Wrapper) -> String {
    let text = write(wrapper, Format::XPaths).unwrap_or_else(|errors| panic!("{}", report("", &errors)));
    match read(&text, Format::XPaths) {
        Ok(again) => assert_eq!(again, *wrapper, "{text}"),
        Err(errors) => panic!("{text}\n{}", report(&text, &errors)),
    }
    text
}

const MERL: &str = "\
title = /html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]
link = /html[1]/body[1]/table[1]/tbody[1]/tr/td[1]/a[1]/@href
price = /html[1]/body[1]/table[1]/tbody[1]/tr/td[2]
";

#[test]
fn the_step_without_an_index_is_the_record() {
    check(
        MERL,
        expect![[r#"
        list records = xpath /html[1]/body[1]/table[1]/tbody[1]/tr
          field title = xpath td[1]/a[1]
          field link:url = xpath td[1]/a[1]/@href
          field price = xpath td[2]
    "#]],
    );
    check(
        "a = /html/body/ul/li[2]/b\nb = /html/body/ul/li[2]/i\n",
        expect![[r#"
        list records = xpath /html/body/ul
          field a = xpath li[2]/b
          field b = xpath li[2]/i
    "#]],
    );
    check(
        "name = //li\nprice = //li/b\nunit = //li//i\n",
        expect![[r#"
        list records = xpath //li
          field name = xpath .
          field price = xpath b
          field unit = xpath .//i
    "#]],
    );
}

#[test]
fn merls_paths_find_records() {
    let page = "<table><tr><td><a href=/1>Rake</a><td>340</tr><tr><td><a href=/2>Twine</a></tr>\
                <tr><td><a href=/3>Fork</a><td>12</tr></table>";
    let page = Page::from_text("page.html", page).with_url("https://example.org/shop".parse().unwrap());
    let extraction = Extractor::new(&read(MERL, Format::XPaths).unwrap()).unwrap().extract(page);
    expect![[r#"
        records complex {
          title string "Rake"
          link url "https://example.org/1"
          price string "340"
        }
        records complex {
          title string "Twine"
          link url "https://example.org/2"
          price is missing
        }
        records complex {
          title string "Fork"
          link url "https://example.org/3"
          price string "12"
        }
        ! records[1].price
    "#]]
    .assert_eq(&objects(&extraction));
}

#[test]
fn without_a_common_record_there_are_values() {
    check(
        "title = //h1\n",
        expect![[r#"
        list title = xpath //h1
    "#]],
    );
    check(
        "title = //h1\nlinks: //a/@href\n",
        expect![[r#"
        list title = xpath //h1
        list links:url = xpath //a/@href
    "#]],
    );
    check(
        "title = /html/body/h1\ntext = /html/body/p\n",
        expect![[r#"
        list title = xpath /html/body/h1
        list text = xpath /html/body/p
    "#]],
    );
    check(
        "a = //li/b | //li/i\nb = //li/b\n",
        expect![[r#"
        list a = xpath //li/b | //li/i
        list b = xpath //li/b
    "#]],
    );
}

#[test]
fn records_can_be_said() {
    check(
        "# name: shop\n\n# list: ads\nrecords: //div[@class='ad']\ntitle\t//div[@class='ad']/h2\nall = //div[@class='ad']\n\
         deep = //div[@class='ad']//i\npay? = string(b)\npic = .//img/@src\n# a remark\n",
        expect![[r#"
            list ads = xpath //div[@class='ad']
              field title = xpath h2
              field all = xpath .
              field deep = xpath .//i
              field pay? = xpath string(b)
              field pic:url = xpath .//img/@src
        "#]],
    );
}

#[test]
fn sections_follow_each_other() {
    check(
        "# page:\ntitle = //h1\n# values:\ntag = //em\nsrc = //img/@src\n# list: ads\nrecord = //li\nname = b\n\
         # list: more\nrecords = //dd\nname = b\n# page:\nfoot = //small\n",
        expect![[r#"
            field title = xpath //h1
            list tag = xpath //em
            list src:url = xpath //img/@src
            list ads = xpath //li
              field name = xpath b
            list more = xpath //dd
              field name = xpath b
            field foot = xpath //small
        "#]],
    );
}

#[test]
fn what_is_written() {
    let mut pay = Rule::field("pay", Locator::xpath("following-sibling::tr[1]/td"));
    pay.optional = true;
    let list = Rule::list("records", Locator::xpath("//tr[td]")).with(vec![
        Rule::field("title", Locator::xpath("td[1]")),
        Rule::field("both", Locator::xpath("b | i")),
        Rule::field("up", Locator::xpath("..")),
        pay,
    ]);
    let wrapper = Wrapper { url: Some("https://example.org/".into()), rules: vec![list], ..Wrapper::default() };
    expect![[r#"
        # url: https://example.org/
        records = //tr[td]
        title = //tr[td]/td[1]
        both = b | i
        up = //tr[td]/..
        pay? = //tr[td]/following-sibling::tr[1]/td
    "#]]
    .assert_eq(&round_trip(&wrapper));
    // What only looks like XPath is written, too.
    let loose = Wrapper { rules: vec![Rule::field("title", "//h1")], ..Wrapper::default() };
    assert_eq!(write(&loose, Format::XPaths).unwrap(), "# page:\ntitle = //h1\n");
}

#[test]
fn files_that_are_wrong() {
    check_errors(
        "",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there is no line
          1 | 
            | ^ here
            = write `title = //h1`
    "#]],
    );
    check_errors(
        "# only a remark\n",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there is no line
          1 | # only a remark
            | ^ here
            = write `title = //h1`
    "#]],
    );
    check_errors(
        "//h1\na b = //h1\n= //h1\ntitle =\n",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there is no name in front of the expression
          1 | //h1
            | ^^^^ here
            = write `name = //path`
        wrapper::bad_name: `a b` cannot be a name
          2 | a b = //h1
            | ^^^ here
            = a name begins with a letter or `_` and has no space, comma, quote or bracket
        wrapper::bad_name: `` cannot be a name
          3 | = //h1
            | ^^^^^^ here
            = a name begins with a letter or `_` and has no space, comma, quote or bracket
        wrapper::wrong_value: `title` must be followed by an XPath expression, not by nothing
          4 | title =
            | ^^^^^^^ here
            = write `name = //path`
    "#]],
    );
    check_errors(
        "records = //li\nrecords = //dd\na = //li/b\na = //li/i\nb = //dd/b\n",
        expect![[r#"
        wrapper::conflicting_keys: `records` and `records` cannot stand together
          2 | records = //dd
            | ^^^^^^^ one of them too many
            = begin another list with a line `# list: name`
        wrapper::duplicate_name: there are two rules `a` in one scope
          4 | a = //li/i
            | ^ the second one
            = rename one; `label` lets both show under one label
        wrapper::wrong_value: `b` must be within the records, not `//dd/b`
          5 | b = //dd/b
            |     ^^^^^^ here
            = begin it with `//li/`, or with the step below a record
    "#]],
    );
    check_errors(
        "# page:\nrecords = //li\n",
        expect![[r#"
        wrapper::conflicting_keys: `# page:` and `records` cannot stand together
          2 | records = //li
            |           ^^^^ one of them too many
            = records belong to a list: `# list: name`
    "#]],
    );
    check_errors(
        "# list: ads\ntitle = b\n",
        expect![[r#"
        wrapper::missing_key: a list needs `records`
          1 | # list: ads
            |         ^^^ in this one
            = records = //table/tbody/tr
    "#]],
    );
    check_errors(
        "# page:\na = //b\na = //i\n",
        expect![[r#"
        wrapper::duplicate_name: there are two rules `a` in one scope
          3 | a = //i
            | ^ the second one
            = rename one; `label` lets both show under one label
    "#]],
    );
    let long = "a = //b\n".repeat(20_000);
    assert!(read(&long, Format::XPaths).is_err());
}

#[test]
fn what_lists_cannot_say() {
    let refused = |rule: Rule, expected: Expect| {
        let errors = write(&Wrapper { rules: vec![rule], ..Wrapper::default() }, Format::XPaths).expect_err("no way");
        expected.assert_eq(&errors.0[0].to_string());
    };
    refused(
        Rule::field("title", "h1.big"),
        expect![
            "the rule `title` cannot be written as a list of XPath expressions: its locator is not an XPath expression"
        ],
    );
    refused(
        Rule::field("when", Locator::xpath("//i")).typed(Type::Date),
        expect!["the rule `when` cannot be written as a list of XPath expressions: there is no place for its type"],
    );
    refused(
        Rule::group("g", Locator::xpath("//i")),
        expect![
            "the rule `g` cannot be written as a list of XPath expressions: only fields, and lists of fields, can be written"
        ],
    );
    let mut sliced = Rule::list("l", Locator::xpath("//i"));
    sliced.locator.slice = Some(Slice::Index(1));
    refused(
        sliced,
        expect!["the rule `l` cannot be written as a list of XPath expressions: an expression has no refinements"],
    );
    let outside = Rule::field("out", Locator::xpath("//h1"));
    refused(
        Rule::list("l", Locator::xpath("//li")).with(vec![outside]),
        expect![
            "the rule `l` cannot be written as a list of XPath expressions: its field `out`: an absolute path leads out of the record"
        ],
    );
    refused(
        Rule::field("records", Locator::xpath("//i")),
        expect!["the rule `records` cannot be written as a list of XPath expressions: it cannot be called so"],
    );
}

#[test]
fn what_is_read_is_written() {
    let scraps = [
        "records",
        "record",
        " = ",
        ": ",
        "\t",
        "\n",
        "\n",
        "//li",
        "/b",
        "[1]",
        "[@x='/']",
        "/@href",
        "title",
        "a?",
        "# list: x",
        "# page:",
        "# values:",
        ".//i",
        " | ",
        "text()",
        ".",
        "é",
        "#",
        "/html",
        "/body",
    ];
    let mut right = 0;
    for seed in 0..50_000 {
        let mut dice = Dice::new(seed);
        let mut file = String::new();
        for _ in 0..1 + dice.below(4) {
            match dice.chance(6) {
                true => (0..dice.below(6)).for_each(|_| file.push_str(dice.pick::<&str>(&scraps))),
                false => {
                    file.push_str(dice.pick::<&str>(&[
                        "a = ",
                        "b: ",
                        "c? = ",
                        "records = ",
                        "# list: x\n",
                        "# page:\n",
                        "d = ",
                    ]));
                    (0..1 + dice.below(3)).for_each(|_| file.push_str(dice.pick::<&str>(&scraps[7..12])));
                }
            }
            file.push('\n');
        }
        match read(&file, Format::XPaths) {
            Ok(wrapper) => {
                right += 1;
                assert!(wrapper.rules.iter().all(|rule| matches!(rule.kind, Kind::List | Kind::Field)));
                round_trip(&wrapper);
            }
            Err(errors) => {
                assert!(errors.0.iter().all(|error| file.get(error.span().unwrap().range()).is_some()), "{file}")
            }
        }
    }
    assert!((5_000..49_000).contains(&right), "{right}");
}
