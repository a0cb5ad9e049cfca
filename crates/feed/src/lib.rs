//! Reads feeds of every format, however broken, as a list of items.
//!
//! RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON Feed and CDF describe a list of items with the same few
//! properties. [`parse`] reads any of them from bytes into one [`Feed`]; [`find`] lists the feeds of a page.
//!
//! ```
//! let bytes = b"<rss version=2.0><channel><title>Farm &nbsp; news</title>
//!     <item><title>Hay & straw</title><link>/hay</link><pubDate>Mon, 16 Nov 2026 9:00:00 EST</pubDate>";
//! let feed = windrow_feed::parse(bytes, &windrow_feed::Options::new().with_base("https://farm.example/"))?;
//! let item = &feed.items[0];
//! assert_eq!(item.title.as_deref(), Some("Hay & straw"));
//! assert_eq!(item.link.as_deref(), Some("https://farm.example/hay"));
//! assert_eq!(item.date().unwrap().to_string(), "2026-11-16T09:00:00-05:00");
//! # Ok::<(), windrow_feed::NotAFeed>(())
//! ```
//!
//! A broken feed gives a feed with [`notes`](Feed::notes); the only error is input that is not a feed at all. Nothing
//! here does I/O or panics, and the cost is linear in the number of bytes.

mod build;
mod content;
mod date;
mod encoding;
mod error;
mod find;
mod json;
mod markup;
mod model;
mod names;
mod read;
mod repair;
mod uri;
mod xml;

pub use date::parse as parse_date;
pub use error::NotAFeed;
pub use find::{Link, find, usual_places};
pub use model::{Enclosure, Feed, Format, Item, Note, Text};
pub use read::{Options, parse};
pub use windrow_wrapper::values::date::Date;
