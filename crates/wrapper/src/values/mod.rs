//! Typed values out of the texts people write.
