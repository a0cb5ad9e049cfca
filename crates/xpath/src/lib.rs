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
//! Results are those of a browser's `document.evaluate` and `querySelectorAll` on the same page: names of HTML
//! elements are compared ignoring case, SVG and MathML elements need a prefix in XPath, and template contents are
//! invisible. `docs/xpath.md` in the repository describes the rules and the few departures.
//!
//! # How it works
//!
//! The text is split into tokens (`lexer`), parsed to a tree that follows the grammar (`parser`, `ast`), and compiled
//! to a plan (`plan`, `compile`) with special operations for frequent forms; `css` compiles selectors to the same
//! plan. One evaluator (`eval`) runs plans. A node's id is its rank in the document, so a node-set is a sorted
//! vector, a subtree is a range, and most steps yield their nodes in order without sorting.
//!
//! # Limits
//!
//! Nothing here panics or runs forever on any input: expressions are limited in length and nesting
//! ([`ParseError::TooLong`], [`ParseError::TooDeep`]), evaluation in the number of nodes it may visit
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

/// Runs the examples of `docs/xpath.md` as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/xpath.md")]
struct Guide;
