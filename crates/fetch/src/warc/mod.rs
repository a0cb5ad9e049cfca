//! Answers kept in WARC files, and given back.
//!
//! [`Reader`] goes through the records of any archive, [`pages`](pages()) and [`Archive`] through its pages, [`cdx`]
//! through lists of records. [`Writer`] records what was asked and answered; [`Replay`] answers from what was recorded.
//!
//! WARC (ISO 28500) is a row of records, each a header of named fields and a block of bytes; what a server answered is
//! a record of type `response` whose block is the answer as it came over the wire. Archives are usually compressed
//! record by record, which makes every record a file of its own for who knows where it begins.

pub mod cdx;
mod digest;
mod encoder;
mod error;
mod input;
mod note;
mod packer;
mod pages;
mod reader;
mod record;
mod replay;
mod response;
mod time;
mod writer;

pub use encoder::{Encoder, WriterConfig};
pub use error::WarcError;
pub use note::{Note, Problem};
pub use pages::{Archive, Pages, pages};
pub use reader::Reader;
pub use record::{Kind, Place, Record};
pub use replay::Replay;
pub use response::BadAnswer;
pub use writer::Writer;
