//! Servers asked politely.
