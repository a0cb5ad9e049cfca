//! XPath 1.0 and the rules of HTML, expression by expression.

use windrow_dom::Document;
use windrow_xpath::{Environment, EvalError, Expr, Node, Value};

use crate::support::{answer, check};

const LIST: &str = "<ul id=u><li id=a>one<li id=b class='x y'>two<li id=c>three<li id=d>four</ul>";

#[test]
fn paths() {
    check(LIST, "/html/body/ul/li[2]", "<li#b>");
    check(LIST, "//li", "<li#a> <li#b> <li#c> <li#d>");
    check(LIST, "//ul//text()", "'one' 'two' 'three' 'four'");
    check(LIST, "//li/@id", "@id=a @id=b @id=c @id=d");
    check(LIST, "//@class/..", "<li#b>");
    check(LIST, "/", "/");
    check(LIST, "/..", "");
    check(LIST, "//li/self::node()[@class]", "<li#b>");
    check(LIST, "id('c a')", "<li#a> <li#c>");
    check(LIST, "id('u')/li[last()]", "<li#d>");
    check(LIST, "id(//@id)", "<ul#u> <li#a> <li#b> <li#c> <li#d>");
    check(LIST, "//li/..//li/../li[1]", "<li#a>");
    check("<div><p id=a><b><p id=c></b></div>", "//div//p | //div", "<div> <p#a> <p#c>");
}

#[test]
fn positions() {
    check(LIST, "//li[position() < 3]", "<li#a> <li#b>");
    check(LIST, "//li[position() > 1][2]", "<li#c>");
    check(LIST, "//li[2][1]", "<li#b>");
    check(LIST, "//li[last() - 1]", "<li#c>");
    check(LIST, "//li[position() mod 2 = 0]", "<li#b> <li#d>");
    check(LIST, "//li[position() != 2]", "<li#a> <li#c> <li#d>");
    check(LIST, "//li[1.5]", "");
    check(LIST, "//li[0 div 0]", "");
    check(LIST, "//li[-1]", "");
    check(LIST, "//li[99999999999999]", "");
    check(LIST, "(//li)[3]", "<li#c>");
    check(LIST, "(//li)[last()]/@id", "@id=d");
    check(LIST, "//li[string-length(@id)]", "<li#a>");
    let nested = "<div id=a><div id=b><div id=c></div></div><div id=d></div></div>";
    check(nested, "//div[1]", "<div#a> <div#b> <div#c>");
    check(nested, "//div[last()]", "<div#a> <div#c> <div#d>");
    check(nested, "(//div)[2]", "<div#b>");
    check(nested, "/descendant::div[2]", "<div#b>");
}

#[test]
fn reverse_axes_count_from_the_context_node() {
    check(LIST, "//li[4]/preceding-sibling::li[1]", "<li#c>");
    check(LIST, "//li[4]/preceding-sibling::li", "<li#a> <li#b> <li#c>");
    check(LIST, "(//li[4]/preceding-sibling::li)[1]", "<li#a>");
    check(LIST, "//li[4]/preceding-sibling::li[last()]", "<li#a>");
    check(LIST, "//li[3]/ancestor::*[1]", "<ul#u>");
    check(LIST, "//li[3]/ancestor::*[last()]", "<html>");
    check(LIST, "//li[3]/preceding::*[1]", "<li#b>");
    check(LIST, "//li[3]/preceding::text()[2]", "'one'");
    check(LIST, "//li[2]/ancestor-or-self::*[2]", "<ul#u>");
}

#[test]
fn axes_of_attributes() {
    let page = "<p id=a title=t><b>x</b></p><i>y</i>";
    check(page, "//@title/ancestor::p", "<p#a>");
    check(page, "//@title/following::*", "<b> <i>");
    check(page, "//@title/preceding::*", "<head>");
    check(page, "//@title/following-sibling::node()", "");
    check(page, "//@title/child::node()", "");
    check(page, "//@title/self::node()", "@title=t");
    check(page, "//@title/self::*", "");
    check(page, "//@title/ancestor-or-self::node()[1]", "@title=t");
    check(page, "//@title/descendant-or-self::node()", "@title=t");
    check(page, "//p/@*[2]", "@title=t");
    check(page, "//p/@text()", "");
}

#[test]
fn names_follow_the_rules_of_html() {
    let page =
        "<DIV ID=a DATA-X=1><svg viewBox=v xlink:href=h xmlns=ignored><foreignObject/><g id=g></g></svg><o:p id=o>";
    check(page, "//DIV/@ID", "@id=a");
    check(page, "//div/@Data-X", "@data-x=1");
    check(page, "//svg", "");
    check(page, "//svg:svg/@viewBox", "@viewBox=v");
    check(page, "//svg:svg/@viewbox", "");
    check(page, "//svg:foreignobject", "");
    check(page, "//svg:foreignObject", "<foreignObject>");
    check(page, "//*[local-name() = 'svg']", "<svg>");
    check(page, "//svg:*", "<svg> <foreignObject> <g#g>");
    check(page, "//html:DIV", "<div#a>");
    check(page, "//@xlink:href", "@xlink:href=h");
    check(page, "//@xlink:*", "@xlink:href=h");
    check(page, "//@href", "");
    check(page, "local-name(//@xlink:href)", "\"href\"");
    check(page, "namespace-uri(//svg:g)", "\"http://www.w3.org/2000/svg\"");
    check(page, "namespace-uri(//div)", "\"http://www.w3.org/1999/xhtml\"");
    check(page, "//svg:svg/@xmlns", "");
    check(page, "count(//svg:svg/@*)", "2");
    check(page, "name(//div)", "\"div\"");
    check(page, "//*[name() = 'o:p']", "<o:p#o>");
    check(page, "//o:p", "error: undeclared namespace prefix `o`");
    check(page, "//processing-instruction('x')", "");
    check(page, "//div/namespace::*", "");
}

#[test]
fn nodes_as_browsers_have_them() {
    check("<!DOCTYPE html><!--c--><p>x", "/comment()", "<!--c-->");
    check("<!DOCTYPE html><p>x", "/node()", "<!DOCTYPE> <html>");
    check("<template><p>x</p></template><p id=a>", "//p", "<p#a>");
    check("<title>t</title><script>s</script><p>x", "string(/)", "\"tsx\"");
    check("<p>x<!--c-->y", "string(//p)", "\"xy\"");
    check("<p>x<!--c-->y", "//p/text()", "'x' 'y'");
    check("<p lang=en>x", "//p[lang('en')]", "");
    check("<svg xml:lang=en-GB><g id=g></g></svg>", "//svg:g[lang('en')]", "<g#g>");
    check("<p id=x>1<p id=x>2", "id('x')/text()", "'1'");
}

#[test]
fn strings() {
    check("<p title=' a  b '>x", "normalize-space(//@title)", "\"a b\"");
    check("<p>a&nbsp; b", "normalize-space(//p)", "\"a\u{a0} b\"");
    check("", "concat('a', 1, true())", "\"a1true\"");
    check("", "substring('12345', 2, 3)", "\"234\"");
    check("", "substring('12345', 1.5, 2.6)", "\"234\"");
    check("", "substring('12345', 0 div 0, 3)", "\"\"");
    check("", "substring('12345', -42, 1 div 0)", "\"12345\"");
    check("", "substring('12345', -1 div 0, 1 div 0)", "\"\"");
    check("", "substring('aéz', 2)", "\"éz\"");
    check("", "substring-before('1999/04/01', '/')", "\"1999\"");
    check("", "substring-after('1999/04/01', '/')", "\"04/01\"");
    check("", "substring-after('abc', '')", "\"abc\"");
    check("", "translate('bar', 'abc', 'AB')", "\"BAr\"");
    check("", "string-length('añb')", "3");
    check("", "starts-with('abc', '')", "true");
    check("<p>ab<b>cd</b>ef", "//p[contains(., 'bcde')]", "<p>");
    check("<p>ab<b>c</b>de", "//p[contains(., 'bcd')]", "<p>");
    check("<p>ab<b>c</b>de", "//p[contains(., 'abd')]", "");
    check("<p>ab<b>cd</b>ef", "//p[. = 'abcdef']", "<p>");
    check("<p>ab<b>cd</b>ef", "//p[. = 'abcdefg']", "");
    check("<p class='a bc d'>", "//p[contains(concat(' ', normalize-space(@class), ' '), ' bc ')]", "<p>");
    check("<p class='a bc d'>", "//p[contains(concat(' ', @class, ' '), ' b ')]", "");
}

#[test]
fn numbers() {
    check("", "1 div 0", "Infinity");
    check("", "-1 div 0", "-Infinity");
    check("", "0 div 0", "NaN");
    check("", "5 mod -2", "1");
    check("", "-5 mod 2", "-1");
    check("", "1.5 mod 0.5", "0");
    check("", "- - 2", "2");
    check("", "round(-2.5)", "-2");
    check("", "1 div round(-0.2)", "-Infinity");
    check("", "string(1000000 * 1000000 * 1000000 * 1000000)", "\"1000000000000000000000000\"");
    check("", "0.1 + 0.2", "0.30000000000000004");
    check("", "number('1e3')", "NaN");
    check("", "number(' -1.50 ')", "-1.5");
    check("", "number('+1')", "NaN");
    check("", "number(true())", "1");
    check("", "floor(-1.5) + ceiling(-1.5)", "-3");
    check("<p>1<p>2<p>x", "sum(//p[position() < 3])", "3");
    check("<p>1<p>2<p>x", "sum(//p)", "NaN");
    check("", "sum(//nothing)", "0");
    check("", "count(//nothing)", "0");
    check("", "2 + 3 * 4 - 6 div 2", "11");
}

#[test]
fn comparisons() {
    check("", "1 = '1'", "true");
    check("", "'a' = 'b' = false()", "true");
    check("", "3 > 2 > 1", "false");
    check("", "true() > false()", "true");
    check("", "//nothing = false()", "true");
    check("", "//nothing = ''", "false");
    check("", "//nothing != ''", "false");
    check("<p>1<p>2", "//p = 2", "true");
    check("<p>1<p>2", "//p != 2", "true");
    check("<p>1<p>2", "//p > 1", "true");
    check("<p>1<p>2", "2 < //p", "false");
    check("<p>1<p>2</p><b>2</b>", "//p = //b", "true");
    check("<p>1<p>1", "//p != //p", "false");
    check("<i>1</i><b>2</b>", "//i < //b", "true");
    check("<i>1</i><b>2</b>", "//i >= //b", "false");
    check("<i>x</i><b>2</b>", "//i < //b", "false");
    check("", "'a' < 'b'", "false");
    check("", "boolean('false')", "true");
    check("", "not(0 div 0)", "true");
}

#[test]
fn operator_names_are_names_where_operands_are_due() {
    let page = "<div><div></div></div><mod>x</mod>";
    check(page, "count(//div) div 2", "1");
    check(page, "//mod", "<mod>");
    check(page, "count(//*[self::div or self::mod])", "3");
    check(page, "count(//div) * 2 mod 3", "1");
}

#[test]
fn variables() {
    let page = Document::parse(LIST);
    let run = |source: &str, environment: &Environment| {
        Expr::xpath(source).unwrap().evaluate_with(&page, Node::node(page.root()), environment)
    };
    let items = Expr::xpath("//li").unwrap().select(&page, page.root()).unwrap();
    let environment =
        Environment::new().with_variable("n", 2.0).with_variable("s", "b").with_variable("items", items.clone());
    assert_eq!(run("//li[$n]", &environment), Ok(Value::Nodes(vec![items[1]])));
    assert_eq!(run("//li[@id = $s]", &environment), Ok(Value::Nodes(vec![items[1]])));
    assert_eq!(run("$items[3]/preceding-sibling::*", &environment), Ok(Value::Nodes(items[..2].to_vec())));
    assert_eq!(run("count($items | //ul)", &environment), Ok(Value::Number(5.0)));
    assert_eq!(run("$items = 'two'", &environment), Ok(Value::Boolean(true)));
    assert!(matches!(run("$other", &environment), Err(EvalError::UndefinedVariable { name, .. }) if name == "other"));
    assert!(matches!(run("count($s)", &environment), Err(EvalError::VariableType { found: "string", .. })));
}

#[test]
fn prefixes_can_be_declared() {
    let page = Document::parse("<svg><g id=g></svg>");
    let environment = Environment::new().with_prefix("s", "http://www.w3.org/2000/svg").with_prefix("x", "urn:x");
    let run = |source: &str| {
        Expr::xpath(source).unwrap().evaluate_with(&page, Node::node(page.root()), &environment).unwrap().to_boolean()
    };
    assert!(run("//s:g"));
    assert!(!run("//x:g"));
    assert!(!run("//x:*"));
}

#[test]
fn contexts() {
    let page = Document::parse("<div id=a><p>1</p></div><div id=b><p>2</p></div>");
    let second = Expr::xpath("//div[2]").unwrap().select(&page, page.root()).unwrap()[0].id();
    let from = |source: &str| answer(&page, &Expr::xpath(source).unwrap(), second);
    assert_eq!(from("p/text()"), "'2'");
    assert_eq!(from(".//p/text()"), "'2'");
    assert_eq!(from("//p/text()"), "'1' '2'");
    assert_eq!(from("../div[1]/p/text()"), "'1'");
    assert_eq!(from("@id"), "@id=b");
    let outside = windrow_dom::NodeId::from_index(9999);
    assert_eq!(Expr::xpath(".").unwrap().evaluate(&page, outside), Err(EvalError::NoSuchNode));
    assert_eq!(Expr::xpath("1").unwrap().select(&page, second), Err(EvalError::NotNodes { found: "number" }));
}

#[test]
fn template_contents_are_a_tree_of_their_own() {
    let page = Document::parse("<p>out</p><template><p>in</p></template>");
    let template = Expr::xpath("//template").unwrap().select(&page, page.root()).unwrap()[0].id();
    let contents = page.template_contents(template).unwrap();
    assert_eq!(answer(&page, &Expr::xpath("//p/text()").unwrap(), contents), "'in'");
    assert_eq!(answer(&page, &Expr::xpath("//p/text()").unwrap(), page.root()), "'out'");
}
