//! What Windrow's tests share, never published.
//!
//! [`shared`] finds the pages and suites that lie beside the repository, [`dat`] and [`tokenizer_tests`] read
//! html5lib's two file formats, [`tree`] writes trees the way its tests do, [`checks`] says what must hold for every document, [`generate`] makes odd HTML from a seed, [`redesign`] changes pages as site owners do,
//! [`html5lib`] lists its cases, and [`tally`] holds a suite's results against its list of known failures. With the feature `oracle`, `oracle`
//! parses with html5ever into the same form; with `server`, `server` is a web server that misbehaves on demand,
//! `faulty` a site that does, and `hunt` a small web of pharmacies with a search engine; with `mutate`, `mutate` writes pages as a wrapper finds them after a relaunch, and says what it
//! must give there.

pub mod checks;
pub mod dat;
#[cfg(feature = "server")]
pub mod faulty;
pub mod generate;
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
