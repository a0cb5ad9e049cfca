//! Lists of XPath expressions: the resulting rules, errors, and the values found.

use expect_test::{Expect, expect};
use windrow_wrapper::files::{Format, read, write};
use windrow_wrapper::{Extractor, Kind, Locator, Page, Rule, Wrapper};

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
    // Expressions that only look like XPath are written, too.
    let loose = Wrapper { rules: vec![Rule::field("title", "//h1")], ..Wrapper::default() };
    assert_eq!(write(&loose, Format::XPaths).unwrap(), "# page:\ntitle = //h1\n");
}

#[test]
fn files_that_are_wrong() {
    check_errors(
        "",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there are no rules
          1 | 
            | ^ here
            = write `title = //h1`
    "#]],
    );
    check_errors(
        "# only a remark\n",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there are no rules
          1 | # only a remark
            | ^ here
            = write `title = //h1`
    "#]],
    );
    check_errors(
        "//h1\na b = //h1\n= //h1\ntitle =\n",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: there is no name before the expression
          1 | //h1
            | ^^^^ here
            = write `name = //path`
        wrapper::bad_name: `a b` is not a valid name
          2 | a b = //h1
            | ^^^ here
            = a name begins with a letter or `_` and contains no space, comma, quote or bracket
        wrapper::bad_name: `` is not a valid name
          3 | = //h1
            | ^^^^^^ here
            = a name begins with a letter or `_` and contains no space, comma, quote or bracket
        wrapper::wrong_value: `title` must be followed by an XPath expression, not by nothing
          4 | title =
            | ^^^^^^^ here
            = write `name = //path`
    "#]],
    );
    check_errors(
        "records = //li\nrecords = //dd\na = //li/b\na = //li/i\nb = //dd/b\n",
        expect![[r#"
        wrapper::conflicting_keys: `records` and `records` cannot be used together
          2 | records = //dd
            | ^^^^^^^ remove one of the two
            = begin another list with a line `# list: name`
        wrapper::duplicate_name: two rules in one scope are named `a`
          4 | a = //li/i
            | ^ the second one
            = rename one of them; `label` shows both under one name
        wrapper::wrong_value: `b` must be within the records, not `//dd/b`
          5 | b = //dd/b
            |     ^^^^^^ here
            = begin it with `//li/`, or with the step below a record
    "#]],
    );
    check_errors(
        "# page:\nrecords = //li\n",
        expect![[r#"
        wrapper::conflicting_keys: `# page:` and `records` cannot be used together
          2 | records = //li
            |           ^^^^ remove one of the two
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
        wrapper::duplicate_name: two rules in one scope are named `a`
          3 | a = //i
            | ^ the second one
            = rename one of them; `label` shows both under one name
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
        Rule::field("title", "h1:lang(en)"),
        expect![
            "the rule `title` cannot be written as a list of XPath expressions: XPath 1.0 has no equivalent of `:lang()`"
        ],
    );
    refused(
        Rule::field("when", Locator::pattern("*<i>#</i>*")),
        expect![
            "the rule `when` cannot be written as a list of XPath expressions: its locator is neither an XPath expression nor a selector"
        ],
    );
    refused(
        Rule::save(Locator::pattern("*<i>#</i>#"), vec![Rule::field("a", "."), Rule::field("b", ".")]),
        expect![
            "the rule `` cannot be written as a list of XPath expressions: only fields, groups and lists of them can be written"
        ],
    );
    refused(
        Rule::field("two", Locator { after: Some("a\nb".into()), ..Locator::xpath("//i") }),
        expect!["the rule `two` cannot be written as a list of XPath expressions: its `after` is not one line"],
    );
    refused(
        Rule::field("records", Locator::xpath("//i")),
        expect![
            "the rule `records` cannot be written as a list of XPath expressions: its name is not allowed in this format"
        ],
    );
}

/// Checks the list written for a wrapper in TOML, and that both find the same on a page.
#[track_caller]
fn as_list(toml: &str, page: &str, expected: Expect) {
    let wrapper = read(toml, Format::Toml).unwrap_or_else(|errors| panic!("{}", report(toml, &errors)));
    let list = write(&wrapper, Format::XPaths).unwrap_or_else(|errors| panic!("{}", report(toml, &errors)));
    expected.assert_eq(&list);
    let again = read(&list, Format::XPaths).unwrap_or_else(|errors| panic!("{list}\n{}", report(&list, &errors)));
    assert_eq!(write(&again, Format::XPaths).as_deref().unwrap_or_default(), list, "it is written as it was read");
    let found = |wrapper: &Wrapper| {
        let page = Page::from_text("page.html", page).with_url("https://example.org/shop".parse().unwrap());
        objects(&Extractor::new(wrapper).unwrap_or_else(|errors| panic!("{list}\n{errors:?}")).extract(page))
    };
    assert_eq!(found(&wrapper), found(&again), "{list}");
}

#[test]
fn learned_rules_become_lists() {
    as_list(
        r#"
        [list.ads]
        records = { case = ["li.ad:has(b)", "li:has(b)"] }
        key = ["link", "title"]

        [list.ads.field]
        title = { case = ["b.t", "b"] }
        link = { css = "a::attr(href)", type = "url" }
        price = { css = "i", after = "for", type = "money", optional = true }
        second = { css = "span", slice = 1, optional = true }
        pic = { css = "a", then = { xpath = "img/@alt" }, optional = true, label = "picture" }

        [list.ads.list.tags]
        records = "em"
        optional = true
        "#,
        "<ul><li class=ad><b></b><a href=/1>x<img alt=one></a> <b class=t>Rake</b> <i>now for 3 EUR</i><em>a</em><em>b</em>\
         <li>nothing<li class=ad><b>Fork</b> <a href=/2>y</a><span>1</span><span>2</span><li><b>Not an ad</b></ul>",
        expect![[r#"
            # list: ads
            # key: link, title
            records = //li[contains(concat(' ', normalize-space(@class), ' '), ' ad ')][.//b] | //li[.//b][not(//li[contains(concat(' ', normalize-space(@class), ' '), ' ad ')][.//b])]
            title = (.//b[contains(concat(' ', normalize-space(@class), ' '), ' t ')])[1][normalize-space() or count(.//node()) > 1] | self::node()[not((.//b[contains(concat(' ', normalize-space(@class), ' '), ' t ')])[1][normalize-space() or count(.//node()) > 1])]//b
            link = .//a/@href
            # type: money
            # after: for
            price? = .//i
            second? = (.//span)[2]
            # label: picture
            pic? = .//a/img/@alt
            # list: tags in ads
            records? = .//em
        "#]],
    );
}

#[test]
fn records_over_several_siblings_become_lists() {
    as_list(
        r#"
        [list.terms]
        records = { css = "dt", until = "next" }

        [list.terms.field]
        name = "dt"
        text = { case = ["dd.x", "dd"], optional = true }
        second = { css = "dd", until = "next", slice = 1, optional = true }

        [list.terms.group.more]
        at = { css = "dd p" }
        optional = true
        field = { first = "i", last = { css = "b", optional = true } }
        "#,
        "<dl><dt>A<dd>one<dd class=x>two<p><i>p</i><dt>B<dt>C<dd>three<p><i>q</i><b>r</b></dl><p>end</p>",
        expect![[r#"
            # list: terms
            # until: next
            records = //dt
            name = (. | following-sibling::node())/descendant-or-self::dt
            text? = (. | following-sibling::node())/descendant-or-self::dd[contains(concat(' ', normalize-space(@class), ' '), ' x ')]
            or text = (. | following-sibling::node())/descendant-or-self::dd
            # until: next
            # slice: [1]
            second? = (. | following-sibling::node())/descendant-or-self::dd
            # group: more in terms
            at? = (. | following-sibling::node())/descendant-or-self::p[ancestor::dd]
            first = .//i
            last? = .//b
        "#]],
    );
}

#[test]
fn a_page_of_one_record_becomes_a_list() {
    as_list(
        r#"
        [field]
        title = { case = ["h1.big", "title"] }
        text = { css = "div", without = ".ad", type = "html" }
        where = { css = "p", then = { landmark = { start = "<br>" } } }
        when = { css = "p", then = { css = "i", match = '(\d+)' }, type = "number" }
        lead = { css = "p", then = { xpath = "node()[1]", until = "i", slice = 0 }, type = "html" }

        [list.links]
        records = { css = "a::attr(href)" }

        [list.all]
        records = { xpath = "/html" }
        field = { heading = { xpath = "//h1" }, either = { case = [{ xpath = "//h2" }, { xpath = "//title", match = "." }] } }
        "#,
        "<title>T</title><h1 class=big>&#32;</h1><div>x<b class=ad>y</b></div><p>a<br>Oslo <i>no 12</i></p><a href=1></a><a href=2></a>",
        expect![[r##"
            # page:
            title = (//h1[contains(concat(' ', normalize-space(@class), ' '), ' big ')])[1][normalize-space() or count(.//node()) > 1] | //*[local-name() = 'title'][not((//h1[contains(concat(' ', normalize-space(@class), ' '), ' big ')])[1][normalize-space() or count(.//node()) > 1])]
            # type: html
            # without: .//*[contains(concat(' ', normalize-space(@class), ' '), ' ad ')]
            text = //div
            # then: { landmark = { start = "<br>" } }
            where = //p
            # type: number
            # match: (\d+)
            when = //p//i
            # type: html
            # then: { xpath = "node()[1]", until = "i", slice = 0 }
            lead = //p
            # values:
            # type: string
            links = //a/@href
            # list: all
            records = /html
            heading = (//h1)
            either = (//h2)
            # match: .
            or either = //title
        "##]],
    );
}

#[test]
fn what_comments_say_is_read() {
    check(
        "# list: ads\n# until: next\nrecords? = //dt\n# type: money\n# after: Price:\npay? = b\nor pay = i\n# a remark\n\
         # list: tags in ads\nrecords = .//em\n# group: seller in ads\nat = .//p\nname = b\n# label: e-mail\nmail = a\n",
        expect![[r#"
            list ads? = xpath //dt
              field pay?:money = case(xpath b | xpath i)
              list tags = xpath .//em
              group seller = xpath .//p
                field name = xpath b
                field mail->e-mail = xpath a
        "#]],
    );
    check_errors(
        "# list: tags in ads\nrecords = .//em\n",
        expect![[r#"
        wrapper::wrong_value: `tags` must be in a list or group defined above it, not `ads`, which is not defined above
          1 | # list: tags in ads
            |                 ^^^ here
    "#]],
    );
    check_errors(
        "# page:\na = //b\nor c = //i\n# then: { landmark = 1 }\nd = //i\n",
        expect![[r#"
        wrapper::syntax: this is not a list of XPath expressions: an alternative has no line above it
          3 | or c = //i
            |    ^ here
            = put it below the line `c = …`
        wrapper::wrong_value: `then` must be a locator, not `{ landmark = 1 }`
          4 | # then: { landmark = 1 }
            |         ^^^^^^^^^^^^^^^^ here
            = { landmark = { start = "<br>" } }
    "#]],
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
        "# list: y in x",
        "# group: z in x",
        "# until: next\n",
        "# type: money\n",
        "# after: q\n",
        "at",
        "or ",
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
            if dice.chance(6) {
                (0..dice.below(6)).for_each(|_| file.push_str(dice.pick::<&str>(&scraps)))
            } else {
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
