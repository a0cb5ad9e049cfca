//! Windrow extracts structured records from web pages.
//!
//! This crate is the entry point to the libraries that do so: about thirty names, enough for most programs. The
//! crates behind it, such as [`dom`], [`xpath`], [`wrapper`] and [`learn`], contain the rest.
//!
//! # Parse a page
//!
//! Parsing HTML cannot fail: every sequence of bytes is a page, and the tree is the one a browser builds.
//!
//! ```
//! use windrow::Document;
//!
//! let page = Document::parse("<table><tr><td>Oslo<td>5°<tr><td>Rome<td>21°</table>");
//! assert_eq!(page.visible_text(page.root()), "Oslo\t5°\nRome\t21°");
//! ```
//!
//! Bytes are decoded as in browsers, and the document records the encoding and the reason for it.
//!
//! ```
//! use windrow::{Document, ParseOptions};
//!
//! let page = Document::from_bytes("<meta charset=gbk><p>Größe".as_bytes(), &ParseOptions::default());
//! assert_eq!(page.encoding().name, "UTF-8");
//! assert_eq!(page.encoding().overruled, Some("GBK"));
//! ```
//!
//! # Find nodes with expressions
//!
//! [`Expr`] is an XPath 1.0 expression or a CSS selector, compiled once and run on any number of pages.
//!
//! ```
//! use windrow::{Document, Expr};
//!
//! let page = Document::parse("<ul><li><a href=/oslo>Oslo</a><li><a href=/rome>Rome</a></ul>");
//! let records = Expr::xpath("//li")?;
//! let link = Expr::xpath("a/@href")?;
//!
//! let mut rows = Vec::new();
//! for record in records.select(&page, page.root())? {
//!     let city = page.visible_text(record.id());
//!     let href = link.evaluate(&page, record.id())?.to_text(&page).into_owned();
//!     rows.push((city, href));
//! }
//! assert_eq!(rows, [("Oslo".into(), "/oslo".into()), ("Rome".into(), "/rome".into())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Errors in expressions have a place.
//!
//! ```
//! use windrow::Expr;
//!
//! let error = Expr::xpath("//li[contain(., 'Oslo')]").unwrap_err();
//! assert_eq!(error.to_string(), "unknown function `contain()`");
//! assert_eq!(error.span().range(), 5..12);
//! ```
//!
//! # Locate nodes
//!
//! Every node has a place in the tree, as a path that selects exactly that node, and in the source, as a range of
//! bytes.
//!
//! ```
//! use windrow::{Document, Expr, path_of};
//!
//! let page = Document::parse("<ul><li>Oslo<li>Rome</ul>");
//! let rome = Expr::css("li:last-child")?.select(&page, page.root())?[0];
//! assert_eq!(path_of(&page, rome), "/html[1]/body[1]/ul[1]/li[2]");
//!
//! let span = page.span(rome.id()).unwrap();
//! assert_eq!(&page.source()[span.range()], "<li>Rome");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Extract objects with wrappers
//!
//! A [`Wrapper`] contains the rules for the pages of one template; [`Extractor`] runs it. Every [`Object`] has a
//! label, a type and a value, its place on the page, and the rule that made it.
//!
//! ```
//! use windrow::{Extractor, Format, Page, Wrapper};
//!
//! let rules = r#"
//!     [list.ads]
//!     records = "li"
//!     field = { title = "b", price = { xpath = "i", type = "money" } }
//! "#;
//! let extractor = Extractor::new(&windrow::read_wrapper(rules, Format::Toml)?)?;
//!
//! let page = Page::from_text("ads.html", "<ul><li><b>Rake</b> <i>€ 340</i><li><b>Twine</b></ul>");
//! let extraction = extractor.extract(page);
//! let ads: Vec<_> = extraction.objects().collect();
//! assert_eq!(ads[0].objects().next().unwrap().text(), "Rake");
//! assert_eq!(ads[1].missing().collect::<Vec<_>>(), ["price"]);
//! # Ok::<(), windrow::WrapperErrors>(())
//! ```
//!
//! # Discover lists
//!
//! A page with repeated records needs no rules to begin with: [`discover()`] writes a wrapper for each list,
//! beginning with the main list of the page; [`explain()`] also returns the alternatives considered, and the reasons
//! for rejecting them.
//!
//! ```
//! use std::sync::Arc;
//! use windrow::{Extractor, Page};
//!
//! let page = Arc::new(Page::from_text(
//!     "ads.html",
//!     "<ul><li><b>Rake</b> <i>€ 340</i><li><b>Twine</b> <i>€ 55</i><li><b>Hay wagon</b> <i>€ 900</i></ul>",
//! ));
//! let lists = windrow::discover(&page, 1);
//! let extraction = Extractor::new(&lists[0])?.extract(page);
//! let records: Vec<_> = extraction.objects().collect();
//! assert_eq!(records.len(), 3);
//! assert_eq!(records[1].objects().next().unwrap().text(), "Twine");
//! # Ok::<(), windrow::WrapperErrors>(())
//! ```
//!
//! # Read attributes by their names
//!
//! A [`Domain`] describes the attributes of a kind of thing and the names that pages use for them. With that alone, a
//! [`DomainReader`] finds the attributes and their values on pages of any site. A dozen domains are included.
//!
//! ```
//! use std::sync::Arc;
//! use windrow::{Domain, DomainReader, Page};
//!
//! let reader = DomainReader::new(Domain::shipped("product").unwrap())?;
//! let page = Arc::new(Page::from_text(
//!     "rake.html",
//!     "<h1>Meadow Rake</h1><dl><dt>Brand<dd>Meadow<dt>Model<dd>MR-12<dt>Weight<dd>1.4 kg<dt>Price<dd>€ 34</dl>",
//! ));
//! let reading = reader.read(&page);
//! let extraction = reader.extraction(page, &reading);
//! let rake = extraction.objects().next().unwrap();
//! let fields: Vec<_> = rake.objects().map(|field| (field.label(), field.text())).collect();
//! assert!(fields.contains(&("brand", "Meadow".into())) && fields.contains(&("weight", "1.4 kg".into())));
//! # Ok::<(), windrow::WrapperErrors>(())
//! ```
//!
//! # Learn from one example
//!
//! To get certain fields under names of your choice, point at them in one record: [`learn_by_example`] writes the
//! rules for all records. If the page has no similar records, the whole page is the record, and the rules are for
//! other pages of its kind. A field that cannot be learned is reported as an [`ExampleError`] that names it.
//!
//! ```
//! use std::sync::Arc;
//! use windrow::{Example, Extractor, Page, Pointed, Pointer, Request};
//!
//! let page = Arc::new(Page::from_text(
//!     "ads.html",
//!     "<ul><li><b>Rake</b> <i>€ 340</i><li><b>Twine</b> <i>€ 55</i><li><b>Hay wagon</b> <i>€ 900</i></ul>",
//! ));
//! let show = |field: &str, text: &str| Pointed { field: field.into(), at: Pointer::Text(text.into()) };
//! let example = Example { fields: vec![show("title", "Twine"), show("price", "€ 55")], ..Example::default() };
//! let request = Request { examples: vec![example], ..Request::default() };
//!
//! let lesson = windrow::learn_by_example(&[page.document()], &request)?;
//! let extraction = Extractor::new(&lesson.wrapper)?.extract(page);
//! let wagon = extraction.objects().last().unwrap();
//! let fields: Vec<_> = wagon.objects().map(|field| (field.label(), field.text())).collect();
//! assert_eq!(fields, [("title", "Hay wagon".into()), ("price", "€ 900".into())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Do what the command does
//!
//! The modules behind the feature `workflow` are what the command line, the studio and the Python package call. Each
//! takes a [`monitor::Monitor`], which hears of notes, errors and progress and may cancel, and returns values; none of
//! them prints.
//!
//! | to do | module |
//! |---|---|
//! | open pages from files, folders, addresses, archives | [`open`], [`pages`] |
//! | write records in a format | [`mod@format`], [`data`], [`rows`] |
//! | learn a wrapper by an example, a feed, a domain | [`learning`], [`discovery`] |
//! | keep records in a store, ask it, export from it | [`keeping`], [`query`], [`export`] |
//! | crawl a site, hunt with a search engine, watch pages | [`mod@crawl`], [`hunt`], [`watch`] |
//! | check a store, test and repair a wrapper | [`check`], [`expectations`], [`repair`] |
//! | audit records, report findings | [`audit`], [`report`] |
//!
//! ```
//! # #[cfg(feature = "workflow")] {
//! use windrow::format::{OutputFormat, render::Renderer};
//! use windrow::{Extractor, Format, Page};
//!
//! let rules = "[list.ads]\nrecords = \"li\"\nfield = { title = \"b\" }";
//! let extractor = Extractor::new(&windrow::read_wrapper(rules, Format::Toml)?)?;
//! let renderer = Renderer::of(OutputFormat::CSV, false, extractor.shape(), false)?;
//! let mut printer = renderer.printer();
//!
//! let page = Page::from_text("ads.html", "<ul><li><b>Rake</b><li><b>Twine</b></ul>");
//! let mut file = printer.print(renderer.render("ads.html", &extractor.extract(page)))?;
//! file.extend(printer.end()?);
//! let text: Vec<u8> = file.into_iter().flat_map(|(_, bytes)| bytes).collect();
//! assert_eq!(text, b"page,title\nads.html,Rake\nads.html,Twine\n");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "workflow")]
pub mod atomic_file;
#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "workflow")]
pub mod check;
#[cfg(feature = "workflow")]
pub mod clock;
#[cfg(feature = "workflow")]
pub mod convert;
#[cfg(feature = "workflow")]
pub mod crawl;
pub mod data;
#[cfg(feature = "workflow")]
pub mod discovery;
#[cfg(feature = "workflow")]
pub mod domains;
#[cfg(feature = "workflow")]
pub mod expectations;
#[cfg(feature = "workflow")]
pub mod export;
#[cfg(feature = "workflow")]
pub mod feeds;
#[cfg(feature = "workflow")]
pub mod fill;
#[cfg(feature = "workflow")]
pub mod format;
#[cfg(feature = "workflow")]
pub mod hunt;
#[cfg(feature = "store")]
pub mod keep;
#[cfg(feature = "workflow")]
pub mod keeping;
#[cfg(feature = "store")]
mod known;
#[cfg(feature = "workflow")]
pub mod learning;
mod left_out;
#[cfg(feature = "fetch")]
pub mod monitor;
#[cfg(feature = "workflow")]
pub mod neighbours;
#[cfg(feature = "fetch")]
pub mod open;
#[cfg(feature = "workflow")]
pub mod outline;
#[cfg(feature = "workflow")]
pub mod pages;
#[cfg(feature = "workflow")]
pub mod parallel;
#[cfg(feature = "workflow")]
pub mod patch;
#[cfg(feature = "workflow")]
pub mod problems;
#[cfg(feature = "workflow")]
pub mod query;
#[cfg(feature = "workflow")]
pub mod repair;
#[cfg(feature = "audit")]
pub mod report;
#[cfg(feature = "store")]
pub mod rows;
#[cfg(feature = "workflow")]
pub mod run;
pub mod schema;
#[cfg(feature = "workflow")]
pub mod scripted;
#[cfg(feature = "workflow")]
pub mod select;
#[cfg(feature = "workflow")]
pub mod show;
mod siblings;
#[cfg(feature = "workflow")]
pub mod stores;
#[cfg(feature = "workflow")]
pub mod text;
#[cfg(feature = "workflow")]
pub mod turns;
#[cfg(feature = "workflow")]
pub mod watch;
#[cfg(feature = "workflow")]
pub mod wrapper_file;

pub use windrow_dom as dom;
pub use windrow_feed as feed;
#[cfg(feature = "fetch")]
pub use windrow_fetch as fetch;
pub use windrow_learn as learn;
#[cfg(feature = "store")]
pub use windrow_store as store;
pub use windrow_wrapper as wrapper;
pub use windrow_xpath as xpath;

#[cfg(feature = "store")]
pub use known::known;
pub use left_out::{TextsLeftOut, texts_left_out};
pub use siblings::{SiblingsLeftOut, siblings_left_out};
pub use windrow_dom::{Document, NodeId, NodeKind, ParseOptions, Span, Token};
pub use windrow_learn::discover::{Discovery, discover, explain};
pub use windrow_learn::domain::{Domain, Reader as DomainReader};
pub use windrow_learn::example::{
    Error as ExampleError, Example, Lesson, Pointed, Pointer, Request, learn as learn_by_example,
};
pub use windrow_wrapper::files::{Format, read as read_wrapper, write as write_wrapper};
pub use windrow_wrapper::{Errors as WrapperErrors, Extraction, Extractor, Object, Page, Pages, Problem, Wrapper};
pub use windrow_xpath::{Expr, Node, ParseError, Value, path_of};

/// Runs the README's example with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
