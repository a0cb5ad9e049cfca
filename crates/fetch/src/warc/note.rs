//! Notes on damaged parts of an archive, after which reading continues.

use std::fmt;

/// A part of an archive that had to be skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// Offset in the file of the record, or of the gzip member that contains it.
    pub offset: u64,
    /// Kind of problem.
    pub problem: Problem,
}

/// Kind of problem with a part of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Bytes that are not a record.
    Junk,
    /// A gzip member that cannot be decompressed, or whose checksum is wrong.
    Damaged,
    /// The file ends within a record.
    Truncated,
    /// A record's header has a line that is not a field.
    BadHeader,
    /// A record's header has no end.
    LongHeader,
    /// A record has no length.
    NoLength,
    /// A record exceeds the size limit.
    LongBlock {
        /// Length in bytes.
        length: u64,
    },
    /// A record is shorter than its stated length.
    ShortBlock,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Junk => f.write_str("bytes that are not a record"),
            Problem::Damaged => f.write_str("a damaged gzip member"),
            Problem::Truncated => f.write_str("the file ends within a record"),
            Problem::BadHeader => f.write_str("a record's header has a line that is not a field"),
            Problem::LongHeader => f.write_str("a record's header has no end"),
            Problem::NoLength => f.write_str("a record without Content-Length"),
            Problem::LongBlock { length } => write!(f, "a record of {length} bytes, which is too long"),
            Problem::ShortBlock => f.write_str("a record that is shorter than its Content-Length"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

/// The first notes, and the total number.
#[derive(Debug, Default)]
pub(super) struct Notes {
    first: Vec<Note>,
    count: u64,
}

impl Notes {
    /// Number of notes that are kept. A file may consist entirely of damage, and more notes would add nothing.
    const KEPT: usize = 100;

    pub(super) fn put(&mut self, offset: u64, problem: Problem) {
        self.count += 1;
        if self.first.len() < Notes::KEPT {
            self.first.push(Note { offset, problem });
        }
    }

    pub(super) fn first(&self) -> &[Note] {
        &self.first
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
