//! Windrow's learners: from evidence about a page to the wrapper that takes it apart.
//!
//! [`discover`] needs no evidence but the page's own repetition: it finds the list, its records, their fields and
//! sublists. [`example`] is shown the fields of one record, and finds them in all others. [`feed`] is told by a weblog's feed
//! what its newest entries are, and finds all the others.
//! [`specify`] takes a wrapper at work on a page for evidence, and writes it as TSIMMIS commands.
//! [`types`] chooses the types of a learned wrapper's fields, and names its list.
//! [`alternatives`] tells other ways of finding what a rule finds, and how long each will last.

pub mod alignment;
pub mod alternatives;
mod class_words;
pub mod discover;
pub mod domain;
pub mod example;
pub mod feed;
mod induce;
pub mod labels;
mod letters;
mod naming;
pub mod next;
mod page_view;
mod reading;
pub mod repair;
mod scope;
mod segmentation;
mod source;
pub mod specify;
pub mod structured;
pub mod types;

pub use induce::is_positional;
pub use source::Source;
