//! Behaviour of fetching.

mod render;
