//! Values missing from a page or a wrapper: limits, mistakes, pages that do not exist.

use super::*;

#[test]
fn slices_out_of_range_are_told() {
    let mut rows = Locator::split(",");
    rows.slice = Some(Slice::Range { skip: 5, drop: 0 });
    let mut last = Locator::split(",");
    last.slice = Some(Slice::Range { skip: 1, drop: 1 });
    check(
        vec![Rule::list("rows", rows), Rule::list("middle", last)],
        "a,b,c",
        expect![[r#"
            middle "b"
            rows: the slice [5:0] is out of range: the list has 3 members
        "#]],
    );
}

#[test]
fn pages_are_followed_within_bounds() {
    let site = Site(vec![
        ("http://x/a/1", "<h1>One</h1><a href=../b>more</a>"),
        ("http://x/a/2", "<h1>Two</h1>"),
        ("http://x/b", "<h1>Deep</h1><a href=/c>"),
    ]);
    let get = |expression: &str| Locator::new(Find::Get(Box::new(Locator::xpath(expression))));
    let deeper = Rule::group("more", get("//a/@href")).optional().with(vec![
        Rule::field("title", "//h1"),
        Rule::group("beyond", get("//a/@href")).optional().with(vec![Rule::field("title", "//h1")]),
    ]);
    let rules = vec![Rule::list("items", "//li").with(vec![
        Rule::field("name", "a"),
        Rule::group("page", get("a/@href")).with(vec![Rule::field("title", "//h1"), deeper]),
    ])];
    let follow = Follow { depth: 2, pages: 10 };
    let extractor = Extractor::new(&Wrapper { rules, follow, ..Wrapper::default() }).unwrap();
    let page = "<li><a href=1>1</a><li><a href=2>2</a><li><a href=3>3</a><li><a href=1>1 again</a>";
    let extraction = extractor.extract_with(Page::from_text("http://x/a/", page), &site, Limits::default());
    expect![[r#"
        items {
          name "1"
          page {
            title "One"
            more {
              title "Deep"
            }
          }
        }
        items {
          name "2"
          page {
            title "Two"
          }
        }
        items {
          name "3"
          !page
        }
        items {
          name "1 again"
          page {
            title "One"
            more {
              title "Deep"
            }
          }
        }
        items.page.more.beyond: cannot fetch http://x/c: it is more than 2 links away; raise `follow.depth` to allow more
        items.page: cannot fetch http://x/a/3: no such page
        items.page: not found in `<li><a href=3>3</a>`
        items.page.more.beyond: cannot fetch http://x/c: it is more than 2 links away; raise `follow.depth` to allow more
    "#]]
    .assert_eq(&outline(&extraction));
    assert_eq!(extraction.pages().len(), 4);
}

#[test]
fn bounds_are_met_and_told() {
    let rules = vec![Rule::list("all", "//*").with(vec![Rule::list("each", "//*")])];
    let extractor = Extractor::new(&Wrapper { rules, ..Wrapper::default() }).unwrap();
    let page = Arc::new(Page::from_text("page", "<p>".repeat(2000)));
    let limits = Limits { objects: 10_000, ..Limits::default() };
    let extraction = extractor.extract_with(page.clone(), &NoPages, limits);
    assert_eq!(extraction.len(), 10_000);
    assert!(extraction.problems().iter().any(Problem::is_cut));
    let limits = Limits { visits: 50_000, ..Limits::default() };
    let extraction = extractor.extract_with(page, &NoPages, limits);
    assert!(extraction.len() < 100_000);
    assert!(extraction.problems().iter().any(Problem::is_cut));
}

#[test]
fn mistakes_are_found_before_any_page_is_seen() {
    let error = |rules: Vec<Rule>| {
        let error = Extractor::new(&Wrapper { rules, ..Wrapper::default() }).unwrap_err();
        error.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let scope = Locator::default;
    assert_eq!(
        error(vec![Rule::field("x", Locator::xpath("//a["))]),
        "in the rule `x`: expected a step such as `a`, `*`, `@href` or `text()`, found the end of the expression"
    );
    assert_eq!(error(vec![Rule::field("x", Locator::pattern("*<b>*"))]), "the pattern saves nothing: it has no `#`");
    assert_eq!(error(vec![Rule::field("x", Locator::pattern("a#b#c"))]), "1 variable for a pattern with 2 `#`");
    assert_eq!(
        error(vec![Rule::save(Locator::pattern("a#b"), vec![Rule::field("x", scope()), Rule::field("y", scope())])]),
        "2 variables for a pattern with 1 `#`"
    );
    assert_eq!(error(vec![Rule::list("x", Locator::split(""))]), "nothing to split by: the delimiter is empty");
    let mut group = Rule::group("g", scope());
    group.take = vec![Take { label: "x".into(), variable: "hihg".into() }];
    assert_eq!(error(vec![Rule::field("high", "a"), group.clone()]), "no rule defines `hihg`");
    group.take[0].variable = "root".into();
    assert_eq!(
        error(vec![Rule::group("root", scope()).with(vec![group])]),
        "root → x → root is a cycle of definitions"
    );
    let mut regex = Locator::xpath("//a");
    regex.matches = Some("(".into());
    assert_eq!(error(vec![Rule::field("x", regex)]), "in the rule `x`: invalid regular expression: unclosed group");
}

#[test]
fn members_that_a_list_does_not_have_are_told() {
    let mut third = Rule::field("third", Locator::default());
    third.members = Some(Slice::Index(2));
    let mut second = Rule::field("second", Locator::default());
    second.members = Some(Slice::Index(1));
    check(
        vec![Rule::list("_parts", Locator::split(",")).with(vec![third, second])],
        "a,b",
        expect![[r#"
            second "b"
            third: the slice [2] is out of range: the list has 2 members
        "#]],
    );
}

#[test]
fn a_part_of_a_text_is_the_end() {
    let mut cut = Locator::css("p");
    cut.matches = Some(r"\d+".into());
    cut.then = Some(Box::new(Locator::xpath("a")));
    let wrapper = Wrapper { rules: vec![Rule::field("x", cut.clone())], ..Wrapper::default() };
    let error = Extractor::new(&wrapper).unwrap_err().0[0].to_string();
    assert_eq!(error, "`after, before or match` and `a` cannot be used together");
    cut.then = None;
    let group = Rule::group("x", cut).with(vec![Rule::field("y", Locator::pattern("*a#"))]);
    assert!(Extractor::new(&Wrapper { rules: vec![group], ..Wrapper::default() }).is_err());
    // A function in a part of the source would look beyond it.
    let rule = Rule::list("rows", Locator::split("<hr>")).with(vec![Rule::field("n", Locator::xpath("count(b)"))]);
    let extraction = run(vec![rule], "<b>1</b><hr><b>2</b>");
    assert!(extraction.problems().iter().any(Problem::is_cut));
}
