//! The executor on small pages: each test is a wrapper, a page, and the objects as an outline.

mod attributes;
mod missing;
mod without;

use std::fmt::Write;
use std::sync::Arc;

use expect_test::{Expect, expect};

use crate::values::Type;
use crate::wrapper::{Column, Find, Landmark, Slice, Take, Until};
use crate::*;

/// Formats objects as `label "text"` for atoms, `label { … }` for sets, `!label` for missing values.
fn outline(extraction: &Extraction) -> String {
    fn write(objects: Objects<'_>, depth: usize, out: &mut String) {
        for object in objects {
            let indent = "  ".repeat(depth);
            if object.is_set() {
                writeln!(out, "{indent}{} {{", object.label()).unwrap();
                write(object.objects(), depth + 1, out);
                object.missing().for_each(|label| writeln!(out, "{indent}  !{label}").unwrap());
                writeln!(out, "{indent}}}").unwrap();
            } else {
                writeln!(out, "{indent}{} {:?}", object.label(), object.text()).unwrap()
            }
        }
    }
    let mut out = String::new();
    write(extraction.objects(), 0, &mut out);
    for problem in extraction.problems() {
        writeln!(out, "{}: {}", problem.rule(extraction), problem.message(extraction)).unwrap();
    }
    out
}

fn run(rules: Vec<Rule>, page: &str) -> Extraction {
    let wrapper = Wrapper { rules, ..Wrapper::default() };
    let extractor = Extractor::new(&wrapper).unwrap();
    let from_text = extractor.extract(Page::from_text("page", page));
    let from_tree = extractor.extract(Page::from_document("page", windrow_dom::Document::parse(page)));
    assert_eq!(outline(&from_text), outline(&from_tree), "the same from text and from a tree");
    from_text
}

fn check(rules: Vec<Rule>, page: &str, expected: Expect) {
    expected.assert_eq(&outline(&run(rules, page)));
}

/// Pages by address.
struct Site(Vec<(&'static str, &'static str)>);

impl Pages for Site {
    fn get(&self, url: &str) -> Result<Arc<Page>, String> {
        let page = self.0.iter().find(|(known, _)| *known == url).ok_or("no such page")?;
        Ok(Arc::new(Page::from_text(page.0, page.1)))
    }
}

#[test]
fn a_list_of_records_with_fields() {
    let rules = vec![Rule::list("ads", "//li").with(vec![
        Rule::field("title", "b"),
        Rule::field("price", Locator::css("i")).optional(),
        Rule::list("tags", "u").optional(),
    ])];
    let page = "<ul><li><b>Rake</b> <i>340</i> <u>a</u><u>b</u><li><b>Twine</b><li>nothing</ul>";
    check(
        rules,
        page,
        expect![[r#"
            ads {
              title "Rake"
              price "340"
              tags "a"
              tags "b"
            }
            ads {
              title "Twine"
            }
            ads {
              !title
            }
            ads.title: not found in `<li>nothing`
        "#]],
    );
}

#[test]
fn records_over_siblings_end_at_the_next_one() {
    let mut records = Locator::xpath("//dt");
    records.until = Some(Until::Next);
    let fields = || {
        vec![
            Rule::field("name", Locator::xpath(".")),
            Rule::field("first", Locator::xpath("following-sibling::dd[1]")).optional(),
            Rule::list("all", Locator::css("dd")).optional(),
        ]
    };
    let page = "<dl><dt>A<dd>1<dd>2<dt>B<dt>C<dd>3</dd><hr><dd>4</dl>";
    check(
        vec![Rule::list("terms", records.clone()).with(fields())],
        page,
        expect![[r#"
            terms {
              name "A"
              first "1"
              all "1"
              all "2"
            }
            terms {
              name "B"
            }
            terms {
              name "C"
              first "3"
              all "3"
              all "4"
            }
        "#]],
    );
    records.until = Some(Until::Before("//dt | //hr".into()));
    check(
        vec![Rule::list("terms", records).with(vec![Rule::list("all", Locator::css("dd")).optional()])],
        page,
        expect![[r#"
            terms {
              all "1"
              all "2"
            }
            terms {
            }
            terms {
              all "3"
            }
        "#]],
    );
}

#[test]
fn the_papers_commands_give_its_objects() {
    let page = "<TABLE><TR>x</TR></TABLE><TABLE>\n<TR><TH>Tue</TH></TR>\n<TR ALIGN=left>\n<TH>country</TH>\n</TR>\n\
        <TR ALIGN=left>\n<TD>Austria</TD>\n<TD><A HREF=http://x/vie/>Vienna</A></TD>\n<TD>-2/-7</TD>\n</TR>\n\
        <TR ALIGN=left>\n<TD>Belgium</TD>\n<TD><A HREF=http://x/bru/>Brussels</A></TD>\n<TD>2/-2</TD>\n</TR>\n</TABLE>";
    let mut city = Rule::group("city_temp", Locator::default()).with(vec![Rule::save(
        Locator::pattern("*<TD>#</TD>*HREF=#>#</A>*<TD>#/#</TD>*"),
        vec![
            Rule::field("country", Locator::default()),
            Rule::field("c_url", Locator::default()).typed(Type::Url),
            Rule::field("city", Locator::default()),
            Rule::field("_high", Locator::default()),
            Rule::field("low", Locator::default()),
        ],
    )]);
    city.members = Some(Slice::Range { skip: 1, drop: 0 });
    let mut group = Rule::group("today", Locator::default());
    group.take = vec![
        Take { label: "date".into(), variable: "_date".into() },
        Take { label: "high".into(), variable: "_high".into() },
    ];
    city.rules.push(group);
    let rules = vec![Rule::group("root", Locator::default()).with(vec![
        Rule::field("_date", Locator::pattern("*<TH>#</TH>*")),
        Rule::group("temperatures", Locator::pattern("*<TABLE*<TABLE*</TR>#</TABLE>*"))
            .with(vec![Rule::list("_citytemp", Locator::split("<TR ALIGN=left>")).with(vec![city])]),
    ])];
    check(
        rules,
        page,
        expect![[r#"
            root {
              temperatures {
                city_temp {
                  country "Austria"
                  c_url "http://x/vie/"
                  city "Vienna"
                  low "-7"
                  today {
                    date "Tue"
                    high "-2"
                  }
                }
                city_temp {
                  country "Belgium"
                  c_url "http://x/bru/"
                  city "Brussels"
                  low "-2"
                  today {
                    date "Tue"
                    high "2"
                  }
                }
              }
            }
        "#]],
    );
}

#[test]
fn a_page_that_does_not_match_says_where() {
    let save = Rule::save(
        Locator::pattern("*<b>#</b>*<i>#</i>"),
        vec![Rule::field("x", Locator::default()), Rule::field("y", Locator::default())],
    );
    let rules = vec![Rule::list("rows", Locator::split("<hr>")).with(vec![save])];
    check(
        rules,
        "<b>1</b> <i>2</i><hr><b>3</b> no more<hr><b>5</b><i>6</i>",
        expect![[r#"
            rows {
              x "1"
              y "2"
            }
            rows {
              !x
              !y
            }
            rows {
              x "5"
              y "6"
            }
            rows.x: no `<i>` in `no more`
            rows.y: not found in `<b>3</b> no more`
        "#]],
    );
}

#[test]
fn cases_are_tried_in_order_and_the_next_input_goes_on() {
    let case = Locator::new(Find::Case(vec![Locator::pattern("*<b>#</b>"), Locator::pattern("*<i>#</i>")]));
    let rules = vec![
        Rule::list("rows", Locator::split(";"))
            .with(vec![Rule::save(case.clone(), vec![Rule::field("x", Locator::default())])]),
    ];
    let page = "<i>1</i>;<b>2</b>;none;<i>4</i>";
    let expected = expect![[r#"
        rows {
          x "1"
        }
        rows {
          x "2"
        }
        rows {
          !x
        }
        rows {
          x "4"
        }
        rows.x: none of the 2 cases matches `none`
    "#]];
    expected.assert_eq(&outline(&run(rules, page)));
    let rules = vec![Rule::list("rows", Locator::split(";")).with(vec![Rule::field("x", case)])];
    expected.assert_eq(&outline(&run(rules, page)));
}

#[test]
fn text_and_nodes_become_each_other() {
    // A pattern inside what an expression found; an expression inside what a pattern saved.
    let mut inside = Locator::xpath("//td[2]");
    inside.then = Some(Box::new(Locator::pattern("*: #</td>")));
    let mut back = Locator::pattern("*<hr>#<hr>");
    back.then = Some(Box::new(Locator::xpath("p/a/@href")));
    let mut chunk = Rule::list("rows", Locator::split("<tr>"));
    chunk.rules =
        vec![Rule::field("first", Locator::xpath("td[1]")), Rule::field("css", Locator::css("td:last-child"))];
    let page = "<a href=0></a><table><tr><td>a</td><td>pay: 3</td><tr><td>b</td><td>pay: 4</td></table><hr><p><a href=1>x</a></p><hr><p><a href=2>";
    check(
        vec![Rule::list("pay", inside), Rule::list("links", back), {
            let mut table = Rule::group("_table", Locator::pattern("*<table>#</table>*"));
            table.rules = vec![chunk];
            table
        }],
        page,
        expect![[r#"
            pay "3"
            pay "4"
            links "1"
            rows {
              first "a"
              css "pay: 3"
            }
            rows {
              first "b"
              css "pay: 4"
            }
        "#]],
    );
}

#[test]
fn landmarks_find_between_and_each() {
    let page = "<div class=post><h3>One</h3><p>1</p></div><div class=post><h3 class=x>Two</h3></div><h3>End</h3>";
    let each = Locator::new(Find::Landmark(Landmark::Each("<div class=post>".into())));
    check(
        vec![
            Rule::list("titles", Locator::between("<div class=post> <h3>", "</h3>")),
            Rule::list("posts", each).with(vec![
                Rule::field("title", Locator::between("<h3>", "</h3>")),
                Rule::field("body", Locator::between("<p>", "</p>")).optional(),
            ]),
        ],
        page,
        expect![[r#"
            titles "One"
            titles "Two"
            posts {
              title "One"
              body "1"
            }
            posts {
              title "Two"
            }
        "#]],
    );
}

#[test]
fn tables_by_header_and_by_themselves() {
    let page = "<table><tr><th>City<th colspan=2>Tue<tr><th><th>hi<th>lo<tr><td>Oslo<td>3<td>-1<tr><td rowspan=2>Rome<td>9<td>4<tr><td colspan=2>none</table>";
    let table = || Locator::new(Find::Table(Box::default()));
    check(
        vec![
            Rule::list("rows", table()).with(vec![
                Rule::field("city", Locator::new(Find::Column(Column::Named("city".into())))),
                Rule::field("low", Locator::new(Find::Column(Column::Number(3)))),
            ]),
            Rule::list("plain", table()),
        ],
        page,
        expect![[r#"
            rows {
              city "Oslo"
              low "-1"
            }
            rows {
              city "Rome"
              low "4"
            }
            rows {
              city "Rome"
              low "none"
            }
            plain {
              City "Oslo"
              Tue hi "3"
              Tue lo "-1"
            }
            plain {
              City "Rome"
              Tue hi "9"
              Tue lo "4"
            }
            plain {
              City "Rome"
              Tue hi "none"
            }
        "#]],
    );
}

#[test]
fn a_table_is_found_by_what_stands_in_front() {
    let page = "<table><tr><td>degrees</table><p>x</p><table><tr><td>1</table><table><tr><td>2</table>";
    for (pattern, cell) in
        [("*<table", "degrees"), ("*degrees", "degrees"), ("*degrees*</table>", "1"), ("*<p>#", "1"), ("*1</", "1")]
    {
        let table = Find::Table(Box::new(Locator::pattern(pattern)));
        let extraction = run(vec![Rule::list("rows", Locator::new(table))], page);
        let texts: Vec<_> = extraction.objects().flat_map(|row| row.objects()).map(|cell| cell.text()).collect();
        assert_eq!(texts, [cell], "{pattern}");
    }
}

#[test]
fn parts_of_texts() {
    let mut after = Locator::css("p");
    after.after = Some("price:".into());
    let mut between = after.clone();
    between.before = Some("incl".into());
    let mut matching = Locator::css("p");
    matching.matches = Some(r"(\d+) beds".into());
    check(
        vec![Rule::field("a", after), Rule::field("b", between), Rule::field("c", matching), {
            let mut none = Locator::css("p");
            none.after = Some("colour".into());
            Rule::field("d", none)
        }],
        "<p>3 beds, <b>PRICE</b>: € 7 incl. VAT</p>",
        expect![[r#"
            a "€ 7 incl. VAT"
            b "€ 7"
            c "3"
            d: not found in `<p>3 beds, <b>PRICE</b>: € 7 incl. VAT</p>`
        "#]],
    );
}

#[test]
fn an_object_knows_where_it_is_from() {
    let rules = vec![
        Rule::field("link", Locator::xpath("//a/@href")).typed(Type::Url),
        Rule::field("title", Locator::xpath("//b")),
        Rule::field("cut", Locator::pattern("*<b>#</b>*")),
        Rule::field("count", Locator::xpath("count(//b)")),
    ];
    let page = "<p><a href='x?a&amp;b'>l</a><b>T &lt; U</b>";
    let extraction = run(rules, page);
    let spans: Vec<_> = extraction.objects().map(|object| object.span().map(|span| &page[span.range()])).collect();
    assert_eq!(spans, [Some("x?a&amp;b"), Some("<b>T &lt; U</b>"), Some("T &lt; U"), Some(page)]);
    let raws: Vec<_> = extraction.objects().map(|object| object.raw().into_owned()).collect();
    assert_eq!(raws, ["x?a&b", "T < U", "T &lt; U", "1"]);
    let texts: Vec<_> = extraction.objects().map(|object| object.text().into_owned()).collect();
    assert_eq!(texts, ["x?a&b", "T < U", "T < U", "1"]);
}

#[test]
fn a_page_that_was_too_far_is_got_from_nearer() {
    let site = Site(vec![("http://x/1", "<a href=/deep#top>on</a>"), ("http://x/deep", "<h1>Deep</h1>")]);
    let get = || Locator::new(Find::Get(Box::new(Locator::xpath("//a/@href"))));
    let title = || vec![Rule::field("title", "//h1").optional()];
    let record = Locator::new(Find::Get(Box::new(Locator::xpath("a/@href"))));
    let rules = vec![Rule::list("items", "//li").with(vec![
        Rule::group("page", record)
            .with(vec![Rule::field("title", "//h1").optional(), Rule::group("more", get()).optional().with(title())]),
    ])];
    let follow = Follow { depth: 1, pages: 10 };
    let extractor = Extractor::new(&Wrapper { rules, follow, ..Wrapper::default() }).unwrap();
    let page = "<li><a href=1>1</a><li><a href=deep>2</a><li><a href=deep#part>3</a>";
    let extraction = extractor.extract_with(Page::from_text("http://x/", page), &site, Limits::default());
    let titles: Vec<_> = extraction.objects().map(|item| item.objects().next().unwrap().objects().count()).collect();
    assert_eq!(titles, [0, 1, 1], "{}", outline(&extraction));
    assert_eq!(extraction.pages().len(), 3, "what follows `#` is no other page");
}

#[test]
fn references_in_the_source_are_read_as_attributes_are() {
    let rules = vec![Rule::field("link", Locator::pattern("*href=\"#\"*")).typed(Type::Url)];
    let page = "<a href=\"http://x/?a=1&region=5&amp;section=2&copy=3&#38;d\">";
    let extraction = run(rules, page);
    let value = extraction.objects().next().unwrap().value();
    assert_eq!(value, Value::Url("http://x/?a=1&region=5&section=2&copy=3&d".to_owned()));
}

#[test]
fn a_page_that_stays_text_speaks_the_same_language() {
    let rules = vec![Rule::field("n", Locator::pattern("*<p>#</p>*")).typed(Type::Number)];
    let extractor = Extractor::new(&Wrapper { rules, ..Wrapper::default() }).unwrap();
    let page = "<!doctype html><html lang=de><p>1.234</p>";
    for page in [Page::from_text("text", page), Page::from_document("tree", windrow_dom::Document::parse(page))] {
        let extraction = extractor.extract(page);
        let Value::Number(number) = extraction.objects().next().unwrap().value() else { panic!("no number") };
        assert_eq!(number.to_string(), "1234", "{}", extraction.pages()[0].name());
    }
}
