//! The wrapper language of Windrow: objects, types, rules, and the executor that runs them on pages.
//!
//! ```
//! use windrow_wrapper::{Extractor, Page, files};
//!
//! let wrapper = files::read(
//!     r#"
//!     [list.ads]
//!     records = "//li"
//!     field = { title = "b", price = { xpath = "i", type = "money" } }
//!     "#,
//!     files::Format::Toml,
//! )?;
//! let extractor = Extractor::new(&wrapper)?;
//! let page = Page::from_text("ads.html", "<ul><li><b>Rake</b> <i>€ 340</i><li><b>Twine</b> <i>€ 55</i></ul>");
//! let extraction = extractor.extract(page);
//! let titles: Vec<_> = extraction.objects().flat_map(|ad| ad.objects().next()).map(|title| title.text()).collect();
//! assert_eq!(titles, ["Rake", "Twine"]);
//! # Ok::<(), windrow_wrapper::Errors>(())
//! ```
//!
//! # Reading order
//!
//! [`Wrapper`] is the language as data; [`files`] reads and writes it. [`Extractor`] compiles a wrapper and runs it
//! on a [`Page`]. The result is an [`Extraction`]: [`Object`]s, and the [`Problem`]s met on the way. [`values`] turns
//! texts into dates, numbers and amounts.
//!
//! The crate does no I/O: when a wrapper follows links, the pages come from the caller's implementation of [`Pages`].

mod assembly;
mod describe;
mod error;
pub mod files;
mod key;
mod landmark;
mod named;
mod object;
mod page;
mod paths;
mod pattern;
mod problem;
mod program;
mod pruned;
mod run;
mod save;
mod scope;
mod search;
mod shape;
mod tally;
mod typed;
pub mod values;
mod wrapper;

pub use assembly::Assembly;
pub use error::{Errors, WrapperError};
pub use object::{Extraction, Object, Objects};
pub use page::Page;
pub use problem::{Problem, ProblemKind};
pub use run::{Extractor, Limits, NoPages, Pages};
pub use search::Engine;
pub use shape::Shape;
pub use tally::Tally;
pub use typed::Value;
pub use wrapper::{
    Column, Find, Follow, Kind, Landmark, Learned, Locator, Rule, Search, Slice, Take, Text, Until, Wrapper,
};
