//! Records kept.

mod data;

pub use data::{Column, Kind, Layout, Record, Value};
