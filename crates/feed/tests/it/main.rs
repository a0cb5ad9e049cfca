//! Behaviour of feeds.
