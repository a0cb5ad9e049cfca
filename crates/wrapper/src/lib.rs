//! The wrapper language of Windrow: objects, types, rules, and the executor that runs them on pages.

pub mod values;
