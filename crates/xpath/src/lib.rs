//! XPath 1.0 and CSS selectors on [`windrow_dom::Document`], compiled once and run on many pages.
//!
//! ```
//! use windrow_dom::Document;
//! use windrow_xpath::Expr;
//!
//! let page = Document::parse("<ul><li><a href=/oslo>Oslo</a><li><a href=/rome>Rome</a></ul>");
//! let links = Expr::xpath("//li/a/@href")?;
//! let found = links.select(&page, page.root())?;
//! let found: Vec<_> = found.iter().map(|node| node.string_value(&page)).collect();
//! assert_eq!(found, ["/oslo", "/rome"]);
//!
//! let names = Expr::css("li:nth-child(2) > a::text")?;
//! assert_eq!(names.evaluate(&page, page.root())?.to_text(&page), "Rome");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The answers are those of a browser's `document.evaluate` and `querySelectorAll` on the same page: names of HTML
//! elements compare without case, SVG and MathML elements need a prefix in XPath, template contents are invisible.
//! `docs/xpath.md` in the repository tells the rules and the few departures.
//!
//! # How it works
//!
//! Text becomes tokens (`lexer`), tokens a tree as the grammar has it (`parser`, `ast`), the tree a plan (`plan`,
//! `compile`) in which the frequent forms have shapes of their own; `css` writes the same plan from a selector. One
//! evaluator (`eval`) runs plans. A node's id is its rank in the document, so a node-set is a sorted vector, a subtree is
//! a range, and most steps yield their nodes in order without sorting.
//!
//! # Bounds
//!
//! Nothing here panics or runs away on any input: expressions are limited in length and nesting
//! ([`ParseError::TooLong`], [`ParseError::TooDeep`]), evaluation in the nodes it may visit
//! ([`Environment::with_budget`]).

mod ast;
mod compile;
mod css;
mod environment;
mod error;
mod eval;
mod expr;
mod lexer;
mod node;
mod number;
mod parser;
mod path;
mod plan;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
mod value;

pub use css::{Origin, TranslateError, css_to_xpath, xpath_literal};
pub use environment::Environment;
pub use error::{EvalError, ParseError, Span};
pub use expr::{Expr, Language};
pub use node::Node;
pub use path::{Paths, path_of};
pub use value::Value;

/// The examples of `docs/xpath.md`, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/xpath.md")]
struct Guide;
