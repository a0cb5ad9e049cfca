//! What was wrong with an archive, and where: reading goes on behind it.

use std::fmt;

/// What had to be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// Where in the file: the offset of the record or of the gzip member that it is in.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a part of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Bytes that are no record.
    Junk,
    /// A gzip member that cannot be unpacked, or unpacks to other bytes than were packed.
    Damaged,
    /// The file ends within a record.
    Truncated,
    /// A record's header has a line that is no field.
    BadHeader,
    /// A record's header does not end.
    LongHeader,
    /// A record does not tell its length.
    NoLength,
    /// A record that is longer than was asked for.
    LongBlock {
        /// Its length in bytes.
        length: u64,
    },
    /// A record that is shorter than it says.
    ShortBlock,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Junk => f.write_str("bytes that are no record"),
            Problem::Damaged => f.write_str("a damaged gzip member"),
            Problem::Truncated => f.write_str("the file ends within a record"),
            Problem::BadHeader => f.write_str("a record's header has a line that is no field"),
            Problem::LongHeader => f.write_str("a record's header does not end"),
            Problem::NoLength => f.write_str("a record without Content-Length"),
            Problem::LongBlock { length } => write!(f, "a record of {length} bytes"),
            Problem::ShortBlock => f.write_str("a record that is shorter than it says"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

/// The first notes, and how many there were.
#[derive(Debug, Default)]
pub(super) struct Notes {
    first: Vec<Note>,
    count: u64,
}

impl Notes {
    /// A file can be nothing but damage; more notes than this say nothing new.
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
