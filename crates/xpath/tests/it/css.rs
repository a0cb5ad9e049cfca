//! Selectors, each from the root and below the root element.

use windrow_dom::Document;
use windrow_xpath::Expr;

use crate::support::{answer, check_css as check};

const LIST: &str = "<ul id=u><li id=a>1<li id=b class='x y'>2<li id=c title=\"Foo-bar baz\">3<li id=d class=x>4</ul>";

#[test]
fn simple_selectors() {
    check(LIST, "li", "<li#a> <li#b> <li#c> <li#d>");
    check(LIST, "LI.x", "<li#b> <li#d>");
    check(LIST, ".x.y", "<li#b>");
    check(LIST, "#c", "<li#c>");
    check(LIST, "ul, #b, li#b", "<ul#u> <li#b>");
    check(LIST, "ul *", "<li#a> <li#b> <li#c> <li#d>");
    check(LIST, "*|li.y", "<li#b>");
    check(LIST, "/* all */ li/**/.x", "<li#b> <li#d>");
    check("<svg><foreignObject id=f></foreignObject></svg>", "foreignObject", "<foreignObject#f>");
    check("<svg><foreignObject id=f></foreignObject></svg>", "foreignobject", "");
    check("<svg id=s>", "svg", "<svg#s>");
    check("<p id=1a class='a:b'>", r"#\31 a.a\:b", "<p#1a>");
}

#[test]
fn quirks_mode_forgets_case_of_classes_and_ids() {
    check("<p id=A class=X>", "#a.x", "<p#A>");
    check("<!DOCTYPE html><p id=A class=X>", "#a", "");
    check("<!DOCTYPE html><p id=A class=X>", ".x", "");
}

#[test]
fn attributes() {
    check(LIST, "[title]", "<li#c>");
    check(LIST, "[title='Foo-bar baz']", "<li#c>");
    check(LIST, "[title='foo-bar baz']", "");
    check(LIST, "[title='foo-bar baz' i]", "<li#c>");
    check(LIST, "[title~=baz]", "<li#c>");
    check(LIST, "[title|=Foo]", "<li#c>");
    check(LIST, "[title^=Foo]", "<li#c>");
    check(LIST, "[title$=baz]", "<li#c>");
    check(LIST, "[title*='bar b']", "<li#c>");
    check(LIST, "[title*='']", "");
    check(LIST, "[title^='']", "");
    check(LIST, "[class~='']", "");
    check("<input type=TEXT id=i>", "[type=text]", "<input#i>");
    check("<input type=TEXT id=i>", "[type=text s]", "");
    check("<svg viewBox=x id=s>", "[viewBox]", "<svg#s>");
    check("<svg viewBox=x id=s>", "[viewbox]", "");
    check("<a href=x id=a><svg><a xlink:href=x id=b></a></svg>", "[*|href=x]", "<a#a> <a#b>");
    check("<a href=x id=a><svg><a xlink:href=x id=b></a></svg>", "[|href]", "<a#a>");
    check("<a id=a>", "|a", "");
    check("<p DATA-X=1 id=p>", "[Data-X='1']", "<p#p>");
}

#[test]
fn combinators() {
    check(LIST, "ul > .x", "<li#b> <li#d>");
    check(LIST, "body li", "<li#a> <li#b> <li#c> <li#d>");
    check(LIST, "html > li", "");
    check(LIST, "#a + li", "<li#b>");
    check(LIST, "#a + .y + li", "<li#c>");
    check(LIST, "#b ~ .x", "<li#d>");
    check(LIST, ".x ~ li", "<li#c> <li#d>");
    check(LIST, ".x + li", "<li#c>");
    check("<div class=a><div class=b><p id=p></p></div></div>", ".a .b p", "<p#p>");
    check("<div class=a><div class=b><div class=a><p id=p></p></div></div></div>", ".a > .b p", "<p#p>");
    check("<div class=b><div class=a><p id=p></p></div></div>", ".a .b p", "");
}

#[test]
fn logical_pseudo_classes() {
    check(LIST, "li:not(.x)", "<li#a> <li#c>");
    check(LIST, "li:not(.x, #a)", "<li#c>");
    check(LIST, ":is(#a, .y)", "<li#a> <li#b>");
    check(LIST, "li:is(ul > .x):where(:not(#b))", "<li#d>");
    check(LIST, "li:is()", "");
    check(LIST, "ul:has(.y)", "<ul#u>");
    check(LIST, "ul:has(> .z)", "");
    check(LIST, "li:has(+ .x)", "<li#a> <li#c>");
    check(LIST, "li:has(~ .y)", "<li#a>");
    check(LIST, "body:has(ul > #c) #d", "<li#d>");
    check(LIST, "li:not(:has(+ li))", "<li#d>");
}

#[test]
fn ranks() {
    check(LIST, "li:first-child", "<li#a>");
    check(LIST, "li:last-child", "<li#d>");
    check(LIST, "li:only-child", "");
    check(LIST, "li:nth-child(2)", "<li#b>");
    check(LIST, "li:nth-child(odd)", "<li#a> <li#c>");
    check(LIST, "li:nth-child(even of .x)", "<li#d>");
    check(LIST, "li:nth-child(1 of .x)", "<li#b>");
    check(LIST, "li:nth-last-child(1 of .x)", "<li#d>");
    check(LIST, "li:nth-child(-n+2)", "<li#a> <li#b>");
    check(LIST, "li:nth-child(n+3)", "<li#c> <li#d>");
    check(LIST, "li:nth-last-child(2)", "<li#c>");
    check(LIST, "li:nth-child( 2n + 1 )", "<li#a> <li#c>");
    let mixed = "<p id=a></p><b id=b></b><p id=c></p><b id=d></b><i id=e></i>";
    check(mixed, "p:first-of-type, b:last-of-type", "<p#a> <b#d>");
    check(mixed, "body > :only-of-type", "<i#e>");
    check(mixed, "b:nth-of-type(2)", "<b#d>");
    check(mixed, "p:nth-last-of-type(2)", "<p#a>");
    check(mixed, ":root", "<html>");
    check("<p id=a></p><p id=b> </p><p id=c><!--x--></p><p id=d><b></b></p>", "p:empty", "<p#a> <p#c>");
}

#[test]
fn states_and_languages() {
    check("<input type=checkbox checked id=a><input type=text checked id=b>", ":checked", "<input#a>");
    check("<select><option id=a><option selected id=b></select>", ":checked", "<option#b>");
    check("<select><option disabled id=a><option id=b><option></select>", ":checked", "<option#b>");
    check("<select><option selected id=a><option selected id=b></select>", ":checked", "<option#b>");
    check("<select size=2><option id=a></select><select multiple><option id=b></select>", ":checked", "");
    check("<input type=radio name=n checked id=a><input type=radio name=n checked id=b>", ":checked", "<input#b>");
    check(
        "<meta http-equiv=content-language content=en><p id=p lang=fr><b id=b></b>",
        "p:lang(fr), body:lang(en)",
        "<body> <p#p>",
    );
    check(
        "<fieldset disabled id=f><legend><input id=a></legend><input id=b></fieldset>",
        ":disabled",
        "<fieldset#f> <input#b>",
    );
    check("<button id=a></button><button id=b disabled></button>", ":enabled", "<button#a>");
    check("<a id=a></a><a id=b href=/></a>", ":link, a:any-link", "<a#b>");
    check("<svg><a id=a xlink:href=x></a><a id=b href=x></a><a id=c></a></svg>", "a:link", "<a#a> <a#b>");
    check("<p lang=en-GB id=p><b id=b></b></p><p lang=english>", ":lang(en)", "<p#p> <b#b>");
    check("<p lang=de-Latn-CH id=p>", ":lang('*-CH', fr)", "<p#p>");
}

#[test]
fn texts_and_attributes() {
    check("<a href=1>x<b>y</b></a>z", "a::text", "'x'");
    check("<a href=1>x<b>y</b></a>z", "a ::text", "'x' 'y'");
    check("<a href=1>x<b>y</b></a>z", "::text", "'x' 'y' 'z'");
    check("<a href=1>x<b>y</b></a>z", "a > ::text", "'y'");
    check("<a href=1>x<b href=2>y</b></a>z", "a::attr(href)", "@href=1");
    check("<a href=1>x<b href=2>y</b></a>z", "a ::attr(HREF)", "@href=1 @href=2");
    check("<a href=1>x<b href=2>y</b></a>z", "a::text, b::attr(href)", "'x' @href=2");
}

#[test]
fn below_an_element() {
    let page = Document::parse("<div class=o id=a><p id=p><b id=b><i id=i></i></b></p></div><p id=q></p>");
    let context = Expr::css("#p").unwrap().select(&page, page.root()).unwrap()[0].id();
    let from = |source: &str| answer(&page, &Expr::css(source).unwrap(), context);
    assert_eq!(from("b, p"), "<b#b>");
    assert_eq!(from(".o b"), "<b#b>");
    assert_eq!(from("p > b"), "<b#b>");
    assert_eq!(from(":scope > *"), "<b#b>");
    assert_eq!(from(":scope i"), "<i#i>");
    assert_eq!(from(":scope + p"), "");
    assert_eq!(from(":is(:scope > b) > i"), "<i#i>");
    assert_eq!(from("html"), "");
}
