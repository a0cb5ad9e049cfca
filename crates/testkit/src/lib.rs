//! Helpers that Windrow's tests share; never published.
//!
//! - [`shared`] finds the pages and suites that lie beside the repository and samples them; [`all`] and [`sample`] are
//!   re-exported from it.
//! - [`dat`] and [`tokenizer_tests`] read html5lib's two file formats, [`html5lib`] lists its cases, and [`tally`] holds the
//!   results of a suite against its list of known failures.
//! - [`tree`] writes trees in the notation of html5lib's tests, and [`checks`] holds the invariants of every document.
//! - [`generate`] makes odd HTML from a seed, [`hostile`] makes inputs on which careless algorithms are slow, and
//!   [`redesign`] changes pages as site owners do.
//! - `oracle` (feature `oracle`) parses with html5ever into the same form.
//! - `server` (feature `server`) is a web server that misbehaves on demand, `faulty` a site that does, and `hunt` a small web
//!   of pharmacies with a search engine.
//! - `mutate` (feature `mutate`) changes pages as a relaunch would and says what a wrapper must find on them.

pub mod checks;
pub mod dat;
#[cfg(feature = "server")]
pub mod faulty;
pub mod generate;
pub mod hostile;
pub mod html5lib;
#[cfg(feature = "server")]
pub mod hunt;
#[cfg(feature = "mutate")]
pub mod mutate;
#[cfg(feature = "oracle")]
pub mod oracle;
pub mod redesign;
#[cfg(feature = "server")]
pub mod server;
pub mod shared;
pub mod tally;
pub mod tokenizer_tests;
pub mod tree;

pub use shared::{all, sample};
