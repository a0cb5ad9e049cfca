//! Answers kept in WARC files.
