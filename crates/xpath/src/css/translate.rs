//! Translates selectors to XPath 1.0.
//!
//! A selector is compiled to a plan, and every part of such a plan has a form in XPath. So the plan is printed, and
//! the printed expression selects the same as the selector, because both come from the same steps. `.title >
//! a[href^="/"]` is
//!
//! ```text
//! //*[contains(concat(' ', normalize-space(@class), ' '), ' title ')]/a[starts-with(@href, '/')]      from the document
//! .//a[starts-with(@href, '/')][parent::*[contains(concat(' ', normalize-space(@class), ' '), ' title ')]]     below an element
//! ```
//!
//! # Selectors without an equivalent
//!
//! `:lang()`, `:checked`, `:disabled` and `:enabled` test more than XPath 1.0 can compare; `:nth-of-type()` needs a
//! type selector, since a predicate cannot refer to the element it started from; `:scope` is only allowed at the
//! beginning. Each of these is rejected with an error that names it.
//!
//! # Differences
//!
//! Four differences remain that no expression can resolve and that hardly ever occur on pages. In quirks mode, CSS
//! compares ids and classes ignoring case; XPath never does. A form feed separates classes in CSS and is a letter to
//! `normalize-space()`. The name of an HTML element means only HTML elements here, and any elements in CSS: `a` does
//! not find links inside an SVG image (names that pages also use in SVG images, `title` and `style`, are translated
//! so that they do). And values such as that of `type` are compared ignoring case on all elements, in CSS only on
//! HTML elements.
//!
//! # Cost
//!
//! Linear in the output, which is bounded like all expressions. `:nth-child()` becomes a count of the preceding
//! siblings, which is quadratic in their number, whereas CSS's own evaluation is linear.

use super::compile;
use crate::ast::Axis;
use crate::error::ParseError;
use crate::expr::Expr;
use crate::parser::MAX_LENGTH;
use crate::plan::*;

/// The place where a selector is evaluated, which affects its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The document: the selector may begin anywhere on the page.
    Document,
    /// An element: matches are below it, but compounds further left in the selector may be above it.
    Element,
    /// The first of several siblings: matches are the siblings and everything in them. The expression does not
    /// determine where the siblings end.
    Siblings,
}

/// An error that prevents the translation of a selector to XPath.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum TranslateError {
    /// The selector cannot be parsed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Selector(#[from] ParseError),
    /// XPath 1.0 has no equivalent.
    #[error("XPath 1.0 has no equivalent of {what}")]
    #[diagnostic(code(xpath::no_equivalent))]
    NoEquivalent {
        /// Part of the selector without an equivalent.
        what: &'static str,
    },
    /// The translation would be longer or more deeply nested than expressions may be.
    #[error("as XPath it is longer or deeper than an expression may be")]
    #[diagnostic(code(xpath::translation_too_long))]
    TooLong,
}

/// Translates a CSS selector to an XPath 1.0 expression that selects the same nodes from the same place.
///
/// ```
/// use windrow_xpath::{Origin, css_to_xpath};
///
/// assert_eq!(css_to_xpath("ul > li:first-child", Origin::Document)?, "//ul/li[not(preceding-sibling::*)]");
/// assert_eq!(css_to_xpath("a::attr(href)", Origin::Element)?, ".//a/@href");
/// # Ok::<(), windrow_xpath::TranslateError>(())
/// ```
pub fn css_to_xpath(selector: &str, origin: Origin) -> Result<String, TranslateError> {
    let plan = compile(selector)?;
    let Ex::ByContext(both) = &plan.root else { return Err(TranslateError::TooLong) };
    let ex = if origin == Origin::Document { &both.0 } else { &both.1 };
    let printer = Printer { names: &plan.names, origin };
    let paths: Vec<&Ex> = match ex {
        Ex::Union(paths) => paths.iter().collect(),
        one => vec![one],
    };
    let written: Result<Vec<String>, _> = paths.into_iter().map(|path| printer.top(path)).collect();
    let written = written?.join(" | ");
    match Expr::xpath(&written) {
        Ok(_) => Ok(written),
        Err(_) => Err(TranslateError::TooLong),
    }
}

/// Writes a string literal. XPath has no escapes, so a text with both kinds of quotes is concatenated.
pub fn xpath_literal(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
    format!("concat({})", parts.join(", \"'\", ")).replace("'', ", "").replace(", '')", ")")
}

/// Names of HTML elements that are translated to themselves: other languages on a page do not use them, or hardly
/// ever.
const HTML: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "b",
    "base",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "map",
    "mark",
    "marquee",
    "menu",
    "meta",
    "meter",
    "nav",
    "nobr",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "picture",
    "pre",
    "progress",
    "q",
    "ruby",
    "s",
    "samp",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];

struct Printer<'a> {
    names: &'a [NameRef],
    origin: Origin,
}

type TranslateResult = Result<String, TranslateError>;

fn no(what: &'static str) -> TranslateError {
    TranslateError::NoEquivalent { what }
}

fn bounded(text: String) -> TranslateResult {
    if text.len() > MAX_LENGTH { Err(TranslateError::TooLong) } else { Ok(text) }
}

impl Printer<'_> {
    /// Writes a whole path.
    fn top(&self, ex: &Ex) -> TranslateResult {
        let Ex::Path(path) = ex else { return Err(no("this selector")) };
        let mut text = match (self.origin, &path.start) {
            (Origin::Document, _) => String::new(),
            (Origin::Element, Start::Context | Start::Scope) => ".".to_owned(),
            (Origin::Siblings, Start::Context | Start::Scope) => "(. | following-sibling::node())".to_owned(),
            _ => return Err(no("this selector")),
        };
        for (index, step) in path.steps.iter().enumerate() {
            let in_siblings = self.origin == Origin::Siblings && index == 0;
            let written = match step.axis {
                // The siblings are among the nodes at which the expression starts.
                Axis::Child if in_siblings => format!("/self::{}", self.step(step)?),
                Axis::Descendant if in_siblings => format!("/descendant-or-self::{}", self.step(step)?),
                _ if in_siblings => return Err(no("this selector in a record of several siblings")),
                _ => self.behind(step)?,
            };
            text.push_str(&written);
        }
        // `./a` is equivalent to `a`.
        let text = match text.strip_prefix("./") {
            Some(short) if !short.starts_with('/') => short.to_owned(),
            _ => text,
        };
        bounded(text)
    }

    /// Writes a step after another one.
    fn behind(&self, step: &Step) -> TranslateResult {
        let written = self.step(step)?;
        Ok(match step.axis {
            Axis::Descendant if !step.positional => format!("//{written}"),
            Axis::Child => format!("/{written}"),
            Axis::Attribute => format!("/@{written}"),
            axis => format!("/{}::{written}", axis_name(axis)?),
        })
    }

    /// Writes a path inside a predicate.
    fn inner(&self, path: &Path) -> TranslateResult {
        let mut text = String::new();
        if !matches!(path.start, Start::Context) {
            return Err(no("`:scope` inside a selector"));
        }
        for (index, step) in path.steps.iter().enumerate() {
            let written = match (index, step.axis) {
                (0, Axis::Child) => self.step(step)?,
                (0, Axis::Descendant) if !step.positional => format!(".//{}", self.step(step)?),
                (0, axis) => format!("{}::{}", axis_name(axis)?, self.step(step)?),
                _ => self.behind(step)?,
            };
            text.push_str(&written);
        }
        bounded(text)
    }

    /// Writes a node test and its predicates.
    fn step(&self, step: &Step) -> TranslateResult {
        let (name, mut text) = match step.test {
            Test::Element => (None, "*".to_owned()),
            Test::Text => (None, "text()".to_owned()),
            Test::AnyNamespace(slot) => (Some(slot), self.element(slot)),
            Test::Html(slot) if step.axis == Axis::Attribute => (None, self.attribute_name(slot)),
            _ => return Err(no("this selector")),
        };
        for predicate in step.stream.iter().chain(&step.gather) {
            match predicate {
                Predicate::Range(first, last) if first == last => text.push_str(&format!("[{first}]")),
                // One condition per bracket is easier to read than `and`.
                Predicate::Test(Ex::And(parts)) => {
                    let name = named(parts).or(name);
                    for part in parts {
                        text.push_str(&format!("[{}]", self.condition(part, name, false)?));
                    }
                }
                Predicate::Test(ex) => text.push_str(&format!("[{}]", self.condition(ex, name, false)?)),
                _ => return Err(no("this selector")),
            }
        }
        bounded(text)
    }

    /// Writes the node test for an element's name.
    fn element(&self, slot: Slot) -> String {
        let exact = &self.names[slot].exact;
        let lower = exact.to_ascii_lowercase();
        match HTML.binary_search(&lower.as_str()) {
            Ok(_) => lower,
            Err(_) => format!("*[{}]", self.is_called(slot)),
        }
    }

    /// Writes a condition on the name of the context element.
    fn is_called(&self, slot: Slot) -> String {
        let exact = &self.names[slot].exact;
        let lower = exact.to_ascii_lowercase();
        if HTML.binary_search(&lower.as_str()).is_ok() {
            return format!("self::{lower}");
        }
        if *exact == lower {
            format!("local-name() = {}", xpath_literal(exact))
        } else {
            format!("(local-name() = {} or local-name() = {})", xpath_literal(&lower), xpath_literal(exact))
        }
    }

    /// Writes an attribute's name after `@`.
    fn attribute_name(&self, slot: Slot) -> String {
        let NameRef { prefix, exact, .. } = &self.names[slot];
        let plain = exact.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && exact.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        match prefix {
            Some(prefix) if plain => format!("{prefix}:{exact}"),
            _ if plain => exact.clone(),
            _ => format!("*[local-name() = {}]", xpath_literal(&exact.to_ascii_lowercase())),
        }
    }

    /// Writes a condition on the context element. `name` is its known type; `within` says that the condition is an
    /// operand of `and`.
    fn condition(&self, ex: &Ex, name: Option<Slot>, within: bool) -> TranslateResult {
        let text = match ex {
            Ex::Boolean(value) => format!("{value}()"),
            Ex::Not(inner) => format!("not({})", self.condition(inner, None, false)?),
            Ex::And(parts) if parts.is_empty() => "true()".to_owned(),
            Ex::Or(parts) if parts.is_empty() => "false()".to_owned(),
            Ex::And(parts) => {
                let name = named(parts).or(name);
                let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.condition(part, name, true)).collect();
                parts?.join(" and ")
            }
            Ex::Or(parts) => {
                let alone = parts.len() == 1;
                let parts: Result<Vec<_>, _> =
                    parts.iter().map(|part| self.condition(part, name, within && alone)).collect();
                match (alone, within) {
                    (false, true) => format!("({})", parts?.join(" or ")),
                    _ => parts?.join(" or "),
                }
            }
            Ex::Path(path) => self.inner(path)?,
            Ex::Attribute(slot, test) => self.attribute(*slot, test, within)?,
            Ex::Css(test) => self.css(test, name, within)?,
            _ => return Err(no("this selector")),
        };
        bounded(text)
    }

    fn attribute(&self, slot: Slot, test: &AttributeTest, within: bool) -> TranslateResult {
        let value = format!("@{}", self.attribute_name(slot));
        let (operator, wanted, case) = match test {
            AttributeTest::Present => return Ok(value),
            AttributeTest::Equal(wanted) => return Ok(format!("{value} = {}", xpath_literal(wanted))),
            AttributeTest::Css(operator, wanted, case) => (*operator, &**wanted, *case),
            _ => return Err(no("this attribute selector")),
        };
        let (value, wanted) = match case {
            Case::Sensitive => (value, wanted.to_owned()),
            Case::Insensitive | Case::InsensitiveInHtml => folded(value, wanted),
        };
        let literal = xpath_literal(&wanted);
        let spaced = wanted.contains([' ', '\t', '\n', '\r', '\x0c']);
        Ok(match operator {
            CssOperator::Equal => format!("{value} = {literal}"),
            CssOperator::Dash => {
                let both =
                    format!("{value} = {literal} or starts-with({value}, {})", xpath_literal(&format!("{wanted}-")));
                if within { format!("({both})") } else { both }
            }
            // By the standard, no value begins with, ends in or contains the empty text, and no word contains a
            // space.
            _ if wanted.is_empty() => "false()".to_owned(),
            CssOperator::Word if spaced => "false()".to_owned(),
            CssOperator::Word => word(&value, &wanted),
            CssOperator::Prefix => format!("starts-with({value}, {literal})"),
            CssOperator::Part => format!("contains({value}, {literal})"),
            CssOperator::Suffix => {
                let before = wanted.chars().count() - 1;
                let from = match before {
                    0 => format!("string-length({value})"),
                    _ => format!("string-length({value}) - {before}"),
                };
                format!("substring({value}, {from}) = {literal}")
            }
        })
    }

    fn css(&self, test: &CssTest, name: Option<Slot>, within: bool) -> TranslateResult {
        Ok(match test {
            CssTest::Type(slot) => self.is_called(*slot),
            CssTest::Id(id) => format!("@id = {}", xpath_literal(id)),
            CssTest::Class(class) if class.is_empty() || class.contains([' ', '\t', '\n', '\r', '\x0c']) => {
                "false()".to_owned()
            }
            CssTest::Class(class) => word("@class", class),
            CssTest::Nth(nth) => return self.nth(nth, name),
            CssTest::Empty => "not(* or text())".to_owned(),
            CssTest::Root => "not(parent::*)".to_owned(),
            CssTest::Scope if self.origin == Origin::Document => "not(parent::*)".to_owned(),
            CssTest::Scope => return Err(no("`:scope` inside a selector")),
            CssTest::Link => {
                let link = "@href and (self::a or self::area) or self::svg:a and (@href or @xlink:href)";
                if within { format!("({link})") } else { link.to_owned() }
            }
            CssTest::Lang(_) => return Err(no("`:lang()`")),
            CssTest::Checked => return Err(no("`:checked`")),
            CssTest::Disabled => return Err(no("`:disabled`")),
            CssTest::Enabled => return Err(no("`:enabled`")),
        })
    }

    /// Writes a test of the rank among siblings, as a count of those before or after.
    fn nth(&self, nth: &Nth, name: Option<Slot>) -> TranslateResult {
        let axis = if nth.from_end { "following-sibling" } else { "preceding-sibling" };
        let (others, own) = match &nth.among {
            Among::All => (format!("{axis}::*"), None),
            Among::SameType => match name {
                Some(slot) => (format!("{axis}::{}", self.element(slot)), None),
                None => return Err(no("`:nth-of-type()` without an element's name")),
            },
            Among::Matching(condition) => {
                let own = self.condition(condition, None, true)?;
                (format!("{axis}::*[{}]", self.condition(condition, None, false)?), Some(own))
            }
        };
        // The rank is one more than the count.
        let offset = i64::from(nth.offset) - 1;
        let rank = match (i64::from(nth.step), offset) {
            (0, ..0) => Some("false()".to_owned()),
            (0, 0) => Some(format!("not({others})")),
            (0, _) => Some(format!("count({others}) = {offset}")),
            (1, ..=0) => None,
            (1, _) => Some(format!("count({others}) >= {offset}")),
            (-1, _) => Some(format!("count({others}) <= {offset}")),
            (step @ 2.., ..=0) => Some(format!("(count({others}) + {}) mod {step} = 0", -offset)),
            (step @ 2.., _) => {
                Some(format!("count({others}) >= {offset} and (count({others}) - {offset}) mod {step} = 0"))
            }
            (step, _) => {
                Some(format!("count({others}) <= {offset} and ({offset} - count({others})) mod {} = 0", -step))
            }
        };
        let parts: Vec<String> = own.into_iter().chain(rank).collect();
        if parts.is_empty() { Ok("true()".to_owned()) } else { bounded(parts.join(" and ")) }
    }
}

/// Returns the name required by one of several conditions.
fn named(parts: &[Ex]) -> Option<Slot> {
    parts.iter().find_map(|part| match part {
        Ex::Css(test) => match **test {
            CssTest::Type(slot) => Some(slot),
            _ => None,
        },
        _ => None,
    })
}

fn word(value: &str, word: &str) -> String {
    format!("contains(concat(' ', normalize-space({value}), ' '), {})", xpath_literal(&format!(" {word} ")))
}

/// Returns a value and its comparison operand, ignoring case. Only letters that occur in the operand have to be
/// converted.
fn folded(value: String, wanted: &str) -> (String, String) {
    let lower = wanted.to_ascii_lowercase();
    let mut letters: Vec<char> = lower.chars().filter(char::is_ascii_lowercase).collect();
    letters.sort_unstable();
    letters.dedup();
    if letters.is_empty() {
        return (value, lower);
    }
    let low: String = letters.iter().collect();
    (format!("translate({value}, '{}', '{low}')", low.to_ascii_uppercase()), lower)
}

fn axis_name(axis: Axis) -> Result<&'static str, TranslateError> {
    Ok(match axis {
        Axis::Ancestor => "ancestor",
        Axis::AncestorOrSelf => "ancestor-or-self",
        Axis::Descendant => "descendant",
        Axis::DescendantOrSelf => "descendant-or-self",
        Axis::FollowingSibling => "following-sibling",
        Axis::Parent => "parent",
        Axis::PrecedingSibling => "preceding-sibling",
        Axis::Itself => "self",
        _ => return Err(no("this selector")),
    })
}
