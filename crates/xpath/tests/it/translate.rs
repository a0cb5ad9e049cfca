//! Translation of selectors to XPath: the same nodes from the same place, in the same order.

use proptest::prelude::*;
use windrow_dom::{Document, NodeId, ParseOptions};
use windrow_testkit::shared;
use windrow_xpath::{Expr, Node, Origin, TranslateError, css_to_xpath};

/// Small pages with everything that selectors test, each unusual in its way.
const PAGES: [&str; 5] = [
    "<!DOCTYPE html><ul class='list  big'><li class=a id=x>1<li class='a b'><a href='/p?q=1' title='It\"s'>2</a><b>3</b>
     <li>4<ul><li class=\"a\tc\"><a href=https://x.example/y.pdf rel=NEXT>5</a></li></ul></ul><p>6<p class=a><i>7</i>",
    "<!DOCTYPE html><div id=main><h2 class=title><a href=#1>A</a></h2><p>a<p>b<h2><a>B</a></h2><p class=a>c
     <table><tr><th>x<th>y<tr><td lang=en>1<td lang=en-GB>2<tr class=a><td colspan=2></table></div><div class='a b c'></div>",
    "<!DOCTYPE html><svg><title>s</title><a href=#q><path d=M0></path></a></svg><title>t</title><section data-k='a b'>
     <x-card class=a><span data-k=A>1</span><SPAN data-k=b->2</SPAN></x-card><span></span><!-- --><em> </em></section>",
    "<!DOCTYPE html>",
    "<!DOCTYPE html><dl><dt class=a>k<dd>v<dd>w<dt>l<dd class=b>u</dl><p id=\"a'b\">q<br>r<br><p id='a\"b'>s",
];

/// Returns the nodes that an expression selects from every place of a page.
fn everywhere(document: &Document, expr: &Expr, contexts: &[NodeId]) -> Vec<Vec<Node>> {
    contexts.iter().map(|&context| expr.select(document, context).unwrap()).collect()
}

/// Returns the nodes that a selector finds in a node and the siblings after it, as for records of several siblings.
fn in_siblings(document: &Document, css: &Expr, first: NodeId) -> Vec<Node> {
    let parent = document.parent(first).unwrap();
    let found = css.select(document, parent).unwrap();
    found.into_iter().filter(|node| node.id() >= first && node.id() < document.subtree_end(parent)).collect()
}

fn compare(document: &Document, selector: &str, contexts: &[NodeId]) {
    let css = Expr::css(selector).unwrap();
    let root = [document.root()];
    for origin in [Origin::Document, Origin::Element, Origin::Siblings] {
        let xpath = match css_to_xpath(selector, origin) {
            Ok(xpath) => xpath,
            Err(error) => panic!("{selector}: {error}"),
        };
        let expr = Expr::xpath(&xpath).unwrap_or_else(|error| panic!("{selector}: {xpath}: {error}"));
        match origin {
            Origin::Document => {
                let (css, xpath_found) = (everywhere(document, &css, &root), everywhere(document, &expr, &root));
                assert_eq!(css, xpath_found, "{selector}\n{xpath}\n{}", document.source());
            }
            Origin::Element => {
                let (css, xpath_found) = (everywhere(document, &css, contexts), everywhere(document, &expr, contexts));
                assert_eq!(css, xpath_found, "{selector}\n{xpath}\n{}", document.source());
            }
            Origin::Siblings => {
                for &first in
                    contexts.iter().filter(|&&id| document.parent(id).is_some_and(|id| document.is_element(id)))
                {
                    let found = expr.select(document, first).unwrap();
                    assert_eq!(in_siblings(document, &css, first), found, "{selector}\n{xpath}\n{}", document.source());
                }
            }
        }
    }
}

fn elements(document: &Document) -> Vec<NodeId> {
    document.nodes().filter(|&id| document.is_element(id)).collect()
}

#[test]
fn selectors_by_hand() {
    let selectors = [
        "a",
        "*",
        "LI",
        "ul li",
        "ul > li",
        "li + li",
        "li ~ li",
        "h2, p, .a",
        "li.a, p.a > i, #x",
        "ul ul > li a",
        ".a",
        ".a.b",
        ".title > a",
        ".title a",
        "#x",
        "#a\\'b",
        "#a\\\"b",
        "[href]",
        "[HREF]",
        "[title='It\"s']",
        "[href^='/']",
        "[href$='.pdf']",
        "[href$=f]",
        "[href*='?q']",
        "[class~=b]",
        "[class~='a b']",
        "[class~='']",
        "[lang|=en]",
        "[lang|=EN]",
        "[rel=next]",
        "[rel=next s]",
        "[data-k='a b']",
        "[data-k=a i]",
        "[data-k|=b]",
        "[href^='']",
        "[*|href]",
        "li:first-child",
        "li:last-child",
        ":only-child",
        "li:nth-child(2)",
        ":nth-child(2n)",
        ":nth-child(2n+1)",
        ":nth-child(n+2)",
        ":nth-child(-n+2)",
        ":nth-child(-2n+3)",
        ":nth-child(3n+2)",
        ":nth-child(3n-1)",
        ":nth-child(n)",
        ":nth-child(0)",
        ":nth-child(-1)",
        ":nth-last-child(2)",
        "p:nth-of-type(2)",
        "dd:first-of-type",
        "dd:last-of-type",
        "p:only-of-type",
        "title:first-of-type",
        "li:nth-child(2 of .a)",
        ":nth-child(odd of .a, .b)",
        ":nth-last-child(1 of li)",
        "li:not(.a)",
        "li:not(.a, :first-child)",
        ":is(h2, p).a",
        ":is(ul, div) > :not(li)",
        ":is()",
        ":where(.a) a",
        "li:has(a)",
        "li:has(> a)",
        "h2:has(+ p)",
        "dt:has(~ .b)",
        "li:has(> a + b, ul)",
        "ul:has(li:has(a[href]))",
        "tr:has(> td:nth-child(2))",
        "td:empty",
        ":empty",
        ":root",
        ":root > body",
        "a:link",
        ":not(:link)",
        "title",
        "svg",
        "svg a path",
        "x-card > span",
        "x-card .a, x-card",
        "a::text",
        "a ::text",
        "::text",
        "div ::text",
        "a::attr(href)",
        "ul ::attr(class)",
        "::attr(id)",
        "li > a::attr(href), h2 a::text",
        "a::attr(HREF)",
        "|a",
        "*|li",
        ":is(ul > li, .a):not(#x)",
        "p:not(:has(i)) ~ div",
        "td:nth-child(2) a::attr(href)",
        "[xlink\\:href]",
    ];
    for page in PAGES {
        let document = Document::parse(page);
        let contexts = elements(&document);
        for selector in selectors {
            // In XPath, `a` does not find a link inside an SVG image; see the documentation of the module.
            let links = ["svg a", "a::", "a ::", "a:"].iter().any(|link| selector.contains(link)) || selector == "a";
            if links && page.contains("<svg>") {
                continue;
            }
            compare(&document, selector, &contexts);
        }
    }
}

#[test]
fn scope_begins_a_selector() {
    let document = Document::parse(PAGES[0]);
    for (selector, below) in [(":scope > li", "li"), (":scope a", ".//a"), (":scope > li > a", "li/a")] {
        assert_eq!(css_to_xpath(selector, Origin::Element).as_deref(), Ok(below));
        let (css, xpath) = (Expr::css(selector).unwrap(), Expr::xpath(below).unwrap());
        let contexts = elements(&document);
        assert_eq!(everywhere(&document, &css, &contexts), everywhere(&document, &xpath, &contexts));
        let xpath = Expr::xpath(&css_to_xpath(selector, Origin::Document).unwrap()).unwrap();
        assert_eq!(css.select(&document, document.root()), xpath.select(&document, document.root()));
    }
}

#[test]
fn what_xpath_cannot_say_is_refused_by_name() {
    for (selector, what) in [
        (":lang(en)", "`:lang()`"),
        ("input:checked", "`:checked`"),
        ("input:disabled", "`:disabled`"),
        (":enabled", "`:enabled`"),
        (".a:first-of-type", "`:nth-of-type()` without an element's name"),
        ("li :scope", "`:scope` inside a selector"),
    ] {
        assert_eq!(css_to_xpath(selector, Origin::Element), Err(TranslateError::NoEquivalent { what }), "{selector}");
    }
    assert!(matches!(css_to_xpath("a >", Origin::Document), Err(TranslateError::Selector(_))));
    // Each level is written twice.
    let deep = (0..60).fold("a".to_owned(), |inner, _| format!(":nth-child(2 of {inner})"));
    assert_eq!(css_to_xpath(&deep, Origin::Document), Err(TranslateError::TooLong));
}

#[test]
fn how_it_reads() {
    let written = |selector| css_to_xpath(selector, Origin::Element).unwrap();
    assert_eq!(written("td:nth-child(2) a::attr(href)"), ".//a[ancestor::td[count(preceding-sibling::*) = 1]]/@href");
    assert_eq!(written(":scope > td"), "td");
    assert_eq!(
        written(".ad:has(h2 a, .price)"),
        ".//*[contains(concat(' ', normalize-space(@class), ' '), ' ad ')]\
         [.//h2//a or .//*[contains(concat(' ', normalize-space(@class), ' '), ' price ')]]"
    );
    assert_eq!(css_to_xpath("#main > ul li", Origin::Document).unwrap(), "//*[@id = 'main']/ul//li");
    assert_eq!(css_to_xpath("a", Origin::Siblings).unwrap(), "(. | following-sibling::node())/descendant-or-self::a");
}

fn compound() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["", "*", "li", "ul", "p", "div", "td", "x-card", "b"]);
    let part = prop::sample::select(vec![
        ".a",
        ".b",
        "#x",
        "[href]",
        "[class~=a]",
        "[href^='/']",
        "[href$=pdf]",
        "[data-k=A i]",
        ":first-child",
        ":last-child",
        ":nth-child(2n+1)",
        ":nth-child(-n+2)",
        ":nth-last-child(2)",
        ":nth-child(2 of .a)",
        ":empty",
        ":only-child",
        "[lang|=en]",
        ":not([class])",
    ]);
    (name, prop::collection::vec(part, 0..3)).prop_map(|(name, parts)| {
        let text = format!("{name}{}", parts.concat());
        if text.is_empty() { "*".to_owned() } else { text }
    })
}

fn selector() -> impl Strategy<Value = String> {
    let leaf = compound();
    leaf.prop_recursive(3, 12, 3, |inner| {
        let combinator = prop::sample::select(vec![" ", " > ", " + ", " ~ ", ", "]);
        let wrapper = prop::sample::select(vec![":is(", ":not(", ":has(", ":has(> ", ":has(+ ", ":has(~ "]);
        prop_oneof![
            (inner.clone(), combinator, inner.clone()).prop_map(|(a, sign, b)| format!("{a}{sign}{b}")),
            (compound(), wrapper, inner.clone()).prop_map(|(a, open, b)| format!("{a}{open}{b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn generated_selectors(selector in selector(), page in prop::sample::select(PAGES.to_vec())) {
        let document = Document::parse(page);
        compare(&document, &selector, &elements(&document));
    }
}

/// Share of the corpus that is read by default.
const ONE_PAGE_IN: usize = 30;

#[test]
fn on_real_pages() {
    let selectors = [
        "li",
        "td:nth-child(2)",
        "ul > li:first-child a",
        "tr:has(> td:nth-child(2))",
        "h2 a, h3 a",
        "[class]",
        "div:not([class]) > p",
        "li:nth-of-type(2n)",
        "a[href^=http]::attr(href)",
        "img[src$='.gif']",
        "div > ::text",
        "p + p",
        "[rel~=nofollow]",
        "table table td",
        "li:nth-last-child(2)",
    ];
    // The pages of testdata/xpath contain links inside SVG images: `a` in a selector finds them, `a` in XPath only
    // those of HTML.
    let drawings = |page: &&std::path::PathBuf| shared::short_name(page).starts_with("testdata/xpath/");
    for page in shared::test_pages(ONE_PAGE_IN).iter().filter(|page| !drawings(page)) {
        let document = Document::from_bytes(std::fs::read(page).unwrap(), &ParseOptions::default());
        let quirks = document.quirks() == windrow_dom::QuirksMode::Full;
        let mut contexts = elements(&document);
        contexts = contexts.iter().copied().step_by(contexts.len() / 10 + 1).collect();
        for selector in selectors {
            compare(&document, selector, &contexts);
        }
        // Uses the page's own classes.
        let classes = document.nodes().filter_map(|id| document.attr(id, "class"));
        let words: Vec<&str> = classes.flat_map(str::split_ascii_whitespace).collect();
        let plain = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
        for word in words.iter().filter(plain).step_by(words.len() / 10 + 1).filter(|_| !quirks) {
            for selector in [format!(".{word}"), format!("div:has(.{word}) > *"), format!(".{word} a")] {
                compare(&document, &selector, &contexts);
            }
        }
    }
}
