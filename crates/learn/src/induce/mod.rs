//! From labels to rules: expressions that find places again, on this page and on others, as long as possible.
//!
//! Nothing here knows of evidence. A [`Way`](way::Way) is one alternative of a rule: an XPath, and what is cut from the
//! text it finds; a [`Probe`](way::Probe) tells what it finds on a page. [`ways`] writes those of a place, the most
//! lasting first: by [`label`], id, class, heading, and steps from what has a name. [`cut`] and [`part`] take a part out
//! of a text, [`shape`] says what a value looks like, [`names`] whether the page calls a field what a person calls it,
//! [`heading`] finds a list by the words above it,
//! [`landmark`] finds a value by the tokens around it, and [`generated`] tells names that a person gave from names that a program made up.

pub(crate) mod cut;
pub(crate) mod generated;
pub(crate) mod heading;
pub(crate) mod label;
pub(crate) mod landmark;
pub(crate) mod locate;
pub(crate) mod marks;
pub(crate) mod names;
pub(crate) mod part;
pub(crate) mod path;
pub(crate) mod record;
mod selectors;
pub(crate) mod shape;
pub(crate) mod way;
pub(crate) mod ways;
