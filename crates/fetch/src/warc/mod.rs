//! Reading, writing and replaying WARC files.
//!
//! [`Reader`] iterates over the records of any archive, [`pages`](pages()) and [`Archive`] over its pages, [`cdx`] over
//! lists of records. [`Writer`] records requests and answers; [`Replay`] answers requests from recorded archives.
//!
//! WARC (ISO 28500) is a sequence of records, each with a header of named fields and a block of bytes. A server's
//! answer is a record of type `response` whose block is the answer as transmitted. Archives are usually compressed
//! record by record, so that each record can be read on its own if its offset is known.

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
