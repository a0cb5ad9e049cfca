//! The compiled expression that callers use.

use std::fmt;
use std::sync::Arc;

use windrow_dom::{Document, NodeId};

use crate::environment::Environment;
use crate::error::{EvalError, ParseError};
use crate::node::Node;
use crate::plan::Plan;
use crate::value::Value;
use crate::{compile, css, eval, parser};

/// The language an expression was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// XPath 1.0.
    XPath,
    /// CSS selectors.
    Css,
}

/// An expression, compiled once and run many times; cheap to clone, and can be shared between threads.
#[derive(Clone)]
pub struct Expr {
    inner: Arc<Inner>,
}

struct Inner {
    source: String,
    language: Language,
    plan: Plan,
}

static DEFAULT: Environment = Environment::new();

impl Expr {
    /// Compiles an XPath 1.0 expression.
    pub fn xpath(source: &str) -> Result<Expr, ParseError> {
        let plan = compile::compile(&parser::parse(source)?);
        Ok(Expr::new(source, Language::XPath, plan))
    }

    /// Compiles a CSS selector. From the document's root it selects the same as `querySelectorAll`; from an element,
    /// the matching elements below it.
    pub fn css(source: &str) -> Result<Expr, ParseError> {
        Ok(Expr::new(source, Language::Css, css::compile(source)?))
    }

    /// Compiles an expression in either language. A prefix `xpath:` or `css:` decides; without one,
    ///
    /// 1. an expression is XPath if it begins (ignoring opening parentheses) with `/`, `./`, `..`, `@`, `$`, a quote
    ///    or a digit, is a lone `.`, or begins with an axis (`name::` other than `::text` and `::attr(`), a function
    ///    or a node type;
    /// 2. otherwise, an expression that is valid in only one language is in that language;
    /// 3. otherwise, an expression with a `/` or `|` outside brackets, or an `@` or a lone number inside them, is
    ///    XPath; the rest, such as `a`, `*` and `li[title]`, is CSS.
    ///
    /// ```
    /// use windrow_xpath::{Expr, Language};
    ///
    /// for xpath in ["//a", "ul/li", "a[1]", "a[@href]", "text()", "count(//a)", "xpath:a", "self::a", "."] {
    ///     assert_eq!(Expr::parse(xpath)?.language(), Language::XPath, "{xpath}");
    /// }
    /// for css in ["a", "ul > li", "a.big", "#main", "a[href]", "a::text", "li:not(.x)", "css:a", "h1, h2"] {
    ///     assert_eq!(Expr::parse(css)?.language(), Language::Css, "{css}");
    /// }
    /// # Ok::<(), windrow_xpath::ParseError>(())
    /// ```
    pub fn parse(source: &str) -> Result<Expr, ParseError> {
        if let Some(rest) = source.strip_prefix("xpath:") {
            return Expr::xpath(rest).map_err(|error| error.shifted("xpath:".len()));
        }
        if let Some(rest) = source.strip_prefix("css:") {
            return Expr::css(rest).map_err(|error| error.shifted("css:".len()));
        }
        if looks_like_xpath(source) {
            return Expr::xpath(source);
        }
        match (Expr::xpath(source), Expr::css(source)) {
            (Ok(_), Ok(css)) => Ok(css),
            (Ok(xpath), Err(_)) => Ok(xpath),
            (Err(_), Ok(css)) => Ok(css),
            (Err(xpath), Err(css)) => {
                // The parser that got further is more likely that of the intended language.
                if css.span().start >= xpath.span().start { Err(css) } else { Err(xpath) }
            }
        }
    }

    fn new(source: &str, language: Language, plan: Plan) -> Expr {
        Expr { inner: Arc::new(Inner { source: source.to_owned(), language, plan }) }
    }

    /// Returns the expression as written, without the prefix that selected its language.
    pub fn source(&self) -> &str {
        &self.inner.source
    }

    /// Returns the language it was written in.
    pub fn language(&self) -> Language {
        self.inner.language
    }

    /// Returns `true` if it always returns nodes, rather than a string, a number or a boolean.
    pub fn selects(&self) -> bool {
        self.inner.plan.root.value_type() == crate::ast::Type::Nodes
    }

    /// Evaluates the expression with `context` as context node.
    pub fn evaluate(&self, document: &Document, context: NodeId) -> Result<Value, EvalError> {
        self.evaluate_with(document, Node::node(context), &DEFAULT)
    }

    /// Evaluates the expression with variables, additional namespace prefixes or another budget.
    pub fn evaluate_with(
        &self,
        document: &Document,
        context: Node,
        environment: &Environment,
    ) -> Result<Value, EvalError> {
        eval::run(&self.inner.plan, document, context, environment, &mut environment.budget())
    }

    /// Evaluates the expression with `left`, the rest of a budget shared by many evaluations, and subtracts what it
    /// used.
    pub fn evaluate_within(&self, document: &Document, context: Node, left: &mut u64) -> Result<Value, EvalError> {
        eval::run(&self.inner.plan, document, context, &DEFAULT, left)
    }

    /// Returns the selected nodes in document order without duplicates, or an error if the value is not a node-set.
    pub fn select(&self, document: &Document, context: NodeId) -> Result<Vec<Node>, EvalError> {
        match self.evaluate(document, context)? {
            Value::Nodes(nodes) => Ok(nodes),
            other => Err(EvalError::NotNodes { found: other.type_name() }),
        }
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expr")
            .field("source", &self.source())
            .field("language", &self.language())
            .finish_non_exhaustive()
    }
}

/// Returns `true` for syntax of XPath that is never CSS, or only in rare selectors.
fn looks_like_xpath(source: &str) -> bool {
    let begin = source.trim_start_matches(|c: char| c == '(' || c.is_ascii_whitespace());
    let Some(first) = begin.bytes().next() else { return false };
    if matches!(first, b'/' | b'@' | b'$' | b'"' | b'\'' | b'0'..=b'9' | b'-') {
        return true;
    }
    if begin == "." || begin.starts_with("./") || begin.starts_with("..") || begin.starts_with(". ") {
        return true;
    }
    let name = begin.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-').count();
    let after = begin[name..].trim_start();
    if name > 0
        && (after.starts_with('(') || crate::ast::Axis::from_name(&begin[..name]).is_some() && after.starts_with("::"))
    {
        return true;
    }
    // Ignores strings: looks for a slash or bar outside brackets, and an attribute sign or a position inside.
    let mut quote = None;
    let mut open = 0usize;
    let bytes = source.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(mark), _) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => {
                open += 1;
                let inside = source[at + 1..].trim_start();
                let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
                if inside.starts_with('@') || digits > 0 && inside[digits..].trim_start().starts_with(']') {
                    return true;
                }
            }
            (None, b']') => open = open.saturating_sub(1),
            (None, b'/') if open == 0 => return true,
            (None, b'|') if open == 0 && bytes.get(at + 1) != Some(&b'=') => return true,
            _ => {}
        }
    }
    false
}
