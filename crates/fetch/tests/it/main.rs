//! Behaviour of fetching.
