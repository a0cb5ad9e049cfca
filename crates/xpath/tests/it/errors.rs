//! Error messages, which are part of the interface: message, code, help, and the place they point at.

use expect_test::{Expect, expect};
use miette::Diagnostic;
use windrow_xpath::{Expr, ParseError};

fn report(source: &str, error: &ParseError) -> String {
    let span = error.span();
    let marks = "^".repeat(source[span.start..span.end.min(source.len())].chars().count().max(1));
    let indent = " ".repeat(source[..span.start].chars().count());
    let code = error.code().map(|code| code.to_string()).unwrap_or_default();
    let help = error.help().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let label = error.labels().and_then(|mut labels| labels.next()?.label().map(str::to_owned)).unwrap_or_default();
    format!("{code}: {error}\n{source}\n{indent}{marks} {label}{help}\n")
}

fn check(source: &str, expected: Expect) {
    expected.assert_eq(&report(source, &Expr::xpath(source).expect_err(source)));
}

fn check_css(source: &str, expected: Expect) {
    expected.assert_eq(&report(source, &Expr::css(source).expect_err(source)));
}

#[test]
fn xpath() {
    check(
        "",
        expect![[r#"
        xpath::empty: the expression is empty

        ^ nothing here
        help: `//a` selects all links, `.` the context node itself
    "#]],
    );
    check(
        "//a[contain(@href, 'x')]",
        expect![[r#"
        xpath::unknown_function: unknown function `contain()`
        //a[contain(@href, 'x')]
            ^^^^^^^ not an XPath 1.0 function
        help: did you mean `contains()`?
    "#]],
    );
    check(
        "//a[lower-case(.) = 'x']",
        expect![[r#"
        xpath::unknown_function: unknown function `lower-case()`
        //a[lower-case(.) = 'x']
            ^^^^^^^^^^ not an XPath 1.0 function
        help: XPath 1.0 has no `lower-case()`: use `translate(…, 'ABC…', 'abc…')`
    "#]],
    );
    check(
        "//a[contains(@href)]",
        expect![[r#"
        xpath::argument_count: `contains()` takes two arguments, not 1
        //a[contains(@href)]
            ^^^^^^^^^^^^^^^ in this call
        help: contains(string, part) → boolean
    "#]],
    );
    check(
        "//a[@href == 'x']",
        expect![[r#"
        xpath::unexpected_token: expected a step such as `a`, `*`, `@href` or `text()`, found `=`
        //a[@href == 'x']
                   ^ here
        help: XPath compares with a single `=`
    "#]],
    );
    check(
        "folowing-sibling::a",
        expect![[r#"
        xpath::unknown_axis: unknown axis `folowing-sibling`
        folowing-sibling::a
        ^^^^^^^^^^^^^^^^ not one of the thirteen axes
        help: did you mean `following-sibling::`?
    "#]],
    );
    check(
        "//a[1",
        expect![[r#"
        xpath::unexpected_token: expected `]`, found the end of the expression
        //a[1
             ^ here
    "#]],
    );
    check(
        "//a/",
        expect![[r#"
        xpath::unexpected_token: expected a step such as `a`, `*`, `@href` or `text()`, found the end of the expression
        //a/
            ^ here
        help: a path does not end in `/`
    "#]],
    );
    check(
        "//",
        expect![[r#"
        xpath::unexpected_token: expected a step such as `a`, `*`, `@href` or `text()`, found the end of the expression
        //
          ^ here
        help: name what to look for: `//a`, `//*`
    "#]],
    );
    check(
        "//a[@title='it's']",
        expect![[r#"
        xpath::unclosed_string: the string is not closed
        //a[@title='it's']
                        ^^ opened here
        help: XPath has no escapes: put a string that contains one kind of quote into the other kind
    "#]],
    );
    check(
        "//a & //b",
        expect![[r#"
        xpath::unexpected_character: unexpected character `&`
        //a & //b
            ^ not part of any token
        help: write `and`
    "#]],
    );
    check(
        "count('x')",
        expect![[r#"
        xpath::not_nodes: `count()` needs nodes, but this is a string
        count('x')
              ^^^ a string
        help: only paths, unions, variables and `id()` return nodes
    "#]],
    );
    check(
        "//a | 1",
        expect![[r#"
        xpath::not_nodes: `|` needs nodes, but this is a number
        //a | 1
              ^ a number
        help: only paths, unions, variables and `id()` return nodes
    "#]],
    );
    check(
        "'a'[1]",
        expect![[r#"
        xpath::not_nodes: a predicate needs nodes, but this is a string
        'a'[1]
        ^^^ a string
        help: only paths, unions, variables and `id()` return nodes
    "#]],
    );
    check(
        "//a/string()",
        expect![[r#"
        xpath::unexpected_token: expected a step such as `a`, `*`, `@href` or `text()`, found `string(`
        //a/string()
            ^^^^^^ here
        help: a function cannot be a step of a path: wrap the path instead, as in `string(//a)`
    "#]],
    );
    check(
        ".[1]",
        expect![[r#"
        xpath::unexpected_token: expected an operator or the end of the expression, found `[`
        .[1]
         ^ here
        help: `.` and `..` take no predicate: write `self::node()[…]` or `parent::node()[…]`
    "#]],
    );
    check(
        "ul > > li",
        expect![[r#"
        xpath::unexpected_token: expected a step such as `a`, `*`, `@href` or `text()`, found `>`
        ul > > li
             ^ here
        help: `>` between elements is CSS; in XPath write `/`
    "#]],
    );
    check(
        "//div[é = 'ü'] foo",
        expect![[r#"
        xpath::unexpected_token: expected an operator or the end of the expression, found `foo`
        //div[é = 'ü'] foo
                       ^^^ here
    "#]],
    );
}

#[test]
fn css() {
    check_css(
        "a:contains('x')",
        expect![[r#"
        css::unknown_pseudo_class: unknown pseudo-class `:contains`
        a:contains('x')
         ^^^^^^^^^ not supported
        help: CSS cannot look at text: use XPath, as in `//p[contains(., 'text')]`
    "#]],
    );
    check_css(
        "a:frist-child",
        expect![[r#"
        css::unknown_pseudo_class: unknown pseudo-class `:frist-child`
        a:frist-child
         ^^^^^^^^^^^^ not supported
        help: did you mean `:first-child`?
    "#]],
    );
    check_css(
        "a:hover",
        expect![[r#"
        css::unknown_pseudo_class: unknown pseudo-class `:hover`
        a:hover
         ^^^^^^ not supported
        help: a page that is not displayed has no such state
    "#]],
    );
    check_css(
        "a::before",
        expect![[r#"
        css::unknown_pseudo_element: unknown pseudo-element `::before`
        a::before
         ^^^^^^^^ not supported here
        help: `::text` and `::attr(name)` are supported, as the last step
    "#]],
    );
    check_css(
        "a::text b",
        expect![[r#"
        xpath::unexpected_token: expected a combinator, `,` or the end of the selector, found `b`
        a::text b
                ^ here
    "#]],
    );
    check_css(
        "li:nth-child(2x)",
        expect![[r#"
        css::nth: `2x` is not a valid position
        li:nth-child(2x)
                     ^^ expected `an+b`
        help: write `odd`, `even`, a number, or `an+b` as in `2n+1`
    "#]],
    );
    check_css(
        "li:nth-child",
        expect![[r#"
        css::unknown_pseudo_class: unknown pseudo-class `:nth-child`
        li:nth-child
          ^^^^^^^^^^ not supported
        help: `:nth-child` needs an argument in parentheses
    "#]],
    );
    check_css(
        "a[href",
        expect![[r#"
        xpath::unexpected_token: expected `]` or an operator such as `=`, found the end of the selector
        a[href
              ^ here
    "#]],
    );
    check_css(
        "a[href='x]",
        expect![[r#"
            xpath::unclosed_string: the string is not closed
            a[href='x]
                   ^^^ opened here
        "#]],
    );
    check_css(
        "a >",
        expect![[r#"
        xpath::unexpected_token: expected a selector such as `a`, `.class` or `#id`, found the end of the selector
        a >
           ^ here
    "#]],
    );
    check_css(
        "#1a",
        expect![[r#"
        xpath::unexpected_token: expected an id, found `1`
        #1a
         ^ here
        help: names cannot begin with a digit: write `\31 0` for `10`, or `[id="10"]`
    "#]],
    );
    check_css(
        "//a",
        expect![[r#"
        xpath::unexpected_token: expected a selector such as `a`, `.class` or `#id`, found `/`
        //a
        ^ here
        help: this looks like XPath; put `xpath:` before an XPath expression
    "#]],
    );
    check_css(
        "svg|a",
        expect![[r#"
            xpath::unexpected_token: expected a combinator, `,` or the end of the selector, found `|`
            svg|a
               ^ here
            help: namespaces other than `*|` and `|` are not supported in selectors; XPath has `svg:` and `math:`
        "#]],
    );
    check_css(
        "a,",
        expect![[r#"
        xpath::unexpected_token: expected a selector such as `a`, `.class` or `#id`, found the end of the selector
        a,
          ^ here
    "#]],
    );
}

#[test]
fn prefixes_shift_the_place() {
    let error = Expr::parse("xpath://a[").unwrap_err();
    assert_eq!(error.span(), windrow_xpath::Span::new(10, 10));
    let error = Expr::parse("css:a:b").unwrap_err();
    assert_eq!(error.span(), windrow_xpath::Span::new(5, 7));
}
