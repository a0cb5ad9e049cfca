//! The wrapper language of Windrow: objects, types, rules, and the executor that runs them on pages.

mod error;
pub mod values;
mod wrapper;

pub use error::{Errors, WrapperError};
pub use wrapper::{Column, Find, Follow, Kind, Landmark, Learned, Locator, Rule, Slice, Take, Text, Until, Wrapper};
