//! Iteration over the records of an archive.
//!
//! Accepts any `Read`: plain text, one gzip member per record, or one gzip member around everything. A record borrows
//! the reader's buffer, so memory use is that of the largest record. Damaged parts are noted and skipped. An
//! `io::Error` always comes from the source.
//!
//! # Cost
//!
//! Each byte is decoded once and, if its record is returned, never copied.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::error::WarcError;
use super::input::{Input, Mark, MarkKind, Position, WARC};
use super::note::{Note, Notes, Problem};
use super::record::{Place, Record};

/// Longest record header in bytes. Real ones have less than two thousand.
const LONGEST_HEADER: u64 = 256 << 10;
/// Default limit on a record's block in bytes.
const LONGEST_BLOCK: u64 = 64 << 20;

/// Reader of records from a file or a stream.
pub struct Reader<R> {
    input: Input<R>,
    /// Position at which the next record is searched for.
    at: Position,
    /// Section that contains `at`: the last beginning of a member or of text.
    section: Mark,
    /// True if a record of that member was returned.
    given: bool,
    /// Fields of the header; the buffer is reused.
    fields: Vec<(Range<usize>, Range<usize>)>,
    notes: Notes,
    /// True if junk was noted and no record was found since.
    lost: bool,
    longest_block: u64,
}

/// Parts of a record, as positions.
struct Found {
    start: Position,
    block: Position,
    end: Position,
    place: Place,
}

impl Reader<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Reader<File>, WarcError> {
        Ok(Reader::new(File::open(path).map_err(WarcError::unreadable(path))?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from the beginning of a file or a stream.
    pub fn new(source: R) -> Reader<R> {
        Reader::within(source, 0, None)
    }

    /// Reads from within a file: `source` is at `offset` and has `expected` bytes, if known.
    pub(super) fn within(source: R, offset: u64, expected: Option<u64>) -> Reader<R> {
        Reader {
            input: Input::new(source, offset, expected),
            at: 0,
            section: Mark { at: 0, offset, what: MarkKind::Text },
            given: false,
            fields: Vec::new(),
            notes: Notes::default(),
            lost: false,
            longest_block: LONGEST_BLOCK,
        }
    }

    /// Limits the size of a record in decompressed bytes; the default is 64 MiB. Longer ones are noted and skipped.
    pub fn with_longest_block(mut self, bytes: u64) -> Reader<R> {
        self.longest_block = bytes;
        self
    }

    /// Reads the next record.
    pub fn next_record(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(found) = self.advance()? else { return Ok(None) };
        let bytes = self.input.bytes(found.start);
        let (header, rest) = bytes.split_at((found.block - found.start) as usize);
        let block = &rest[..(found.end - found.block) as usize];
        Ok(Some(Record { header, fields: &self.fields, block, place: found.place }))
    }

    /// Returns notes on skipped parts so far: the first hundred.
    pub fn notes(&self) -> &[Note] {
        self.notes.first()
    }

    /// Returns the number of skipped parts so far.
    pub fn problems(&self) -> u64 {
        self.notes.count()
    }

    /// Finds the next complete record.
    fn advance(&mut self) -> io::Result<Option<Found>> {
        while self.go_to_record()? {
            match self.header()? {
                Ok((block, Some(length))) => {
                    if let Some(found) = self.block(block, length)? {
                        self.lost = false;
                        self.given = true;
                        return Ok(Some(found));
                    }
                }
                Ok((block, None)) => {
                    self.note(Problem::NoLength);
                    // The end is wherever the next record begins.
                    self.lost = true;
                    self.at = block;
                }
                Err((problem, resume)) => {
                    if let Some(problem) = problem {
                        self.note(problem);
                    }
                    self.lost = true;
                    self.at = resume;
                }
            }
        }
        Ok(None)
    }

    fn note(&mut self, problem: Problem) {
        self.notes.put(self.offset(), problem);
    }

    /// Returns the offset of `at` in the file, or of its member if the file is compressed.
    fn offset(&self) -> u64 {
        match self.section.what {
            MarkKind::Text => self.section.offset + (self.at - self.section.at),
            _ => self.section.offset,
        }
    }

    /// Advances to the beginning of a record; false at the end of the file.
    fn go_to_record(&mut self) -> io::Result<bool> {
        loop {
            self.input.release(self.at);
            // Marks at this position precede its bytes, so all of them must be processed first.
            while self.input.end() == self.at && self.input.mark(self.at).is_none() {
                if !self.input.fill()? {
                    return Ok(false);
                }
            }
            if let Some(mark) = self.input.take_mark(self.at) {
                match mark.what {
                    MarkKind::Member | MarkKind::Text => {
                        self.section = mark;
                        self.given = false;
                        continue;
                    }
                    MarkKind::Damaged => self.note(Problem::Damaged),
                    MarkKind::Truncated => self.note(Problem::Truncated),
                    MarkKind::Junk => self.notes.put(mark.offset, Problem::Junk),
                    MarkKind::End => return Ok(false),
                }
                // This note covers everything up to the next record.
                self.lost = true;
                if !self.given {
                    self.input.search_again();
                }
                continue;
            }
            self.input.ensure(self.at, self.at + WARC.len() as u64)?;
            match self.input.bytes(self.at) {
                bytes if bytes.starts_with(WARC) => return Ok(true),
                [b'\r' | b'\n', ..] => self.at += 1,
                _ => {
                    if !self.lost {
                        self.note(Problem::Junk);
                        self.lost = true;
                    }
                    self.skip_junk()?;
                }
            }
        }
    }

    /// Advances to the next line that begins like a record, or to the next mark.
    fn skip_junk(&mut self) -> io::Result<()> {
        let behind = self.at + 1;
        loop {
            let until = self.input.mark(behind).map(|mark| mark.at);
            let bytes = up_to(self.input.bytes(self.at), self.at, until);
            let mut ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
            // At the end of the available bytes a partial match is enough, since the rest is not decoded yet.
            if let Some(at) = ends.find(|&at| bytes[at..].starts_with(WARC) || WARC.starts_with(&bytes[at..])) {
                self.at += at as u64;
                return Ok(());
            }
            self.at += bytes.len() as u64;
            self.input.release(self.at);
            if Some(self.at) == until || !self.input.fill()? {
                return Ok(());
            }
        }
    }

    /// Reads the header at `at`. Returns the position of the block and its stated length; or the problem (unless a mark
    /// reports it) and the position at which to continue.
    #[allow(clippy::type_complexity)]
    fn header(&mut self) -> io::Result<Result<(Position, Option<u64>), (Option<Problem>, Position)>> {
        let start = self.at;
        self.fields.clear();
        let mut length = None;
        let mut line_start = start;
        loop {
            // Finds the next line feed, decoding as far as necessary.
            let mut searched = line_start;
            let line_end = loop {
                let limit = self.input.barrier(start)?;
                let bytes = up_to(self.input.bytes(searched), searched, limit);
                if let Some(at) = bytes.iter().position(|&byte| byte == b'\n') {
                    break searched + at as u64 + 1;
                }
                searched += bytes.len() as u64;
                if searched - start > LONGEST_HEADER {
                    return Ok(Err((Some(Problem::LongHeader), searched)));
                }
                if limit == Some(searched) || !self.input.fill()? {
                    return Ok(Err((self.blame(searched), searched)));
                }
            };
            let line = trim_end(&self.input.bytes(line_start)[..(line_end - line_start) as usize]);
            if line.is_empty() {
                self.unfold(start);
                return Ok(Ok((line_end, length)));
            }
            if line_end - start > LONGEST_HEADER {
                return Ok(Err((Some(Problem::LongHeader), line_end)));
            }
            let offset = (line_start - start) as usize;
            if line_start > start {
                if line[0] == b' ' || line[0] == b'\t' {
                    if let Some((_, value)) = self.fields.last_mut() {
                        value.end = offset + line.len();
                    }
                } else if let Some(colon) =
                    line.iter().position(|&byte| byte == b':').filter(|_| !line.starts_with(WARC))
                {
                    let name = line[..colon].trim_ascii_end().len();
                    let value = colon + 1 + line[colon + 1..].len() - line[colon + 1..].trim_ascii_start().len();
                    if length.is_none() && line[..name].eq_ignore_ascii_case(b"Content-Length") {
                        length = str::from_utf8(line[value..].trim_ascii()).ok().and_then(|text| text.parse().ok());
                    }
                    self.fields.push((offset..offset + name, offset + value..offset + line.len()));
                } else {
                    // The line may be the first of the next record, so it is read again.
                    return Ok(Err((Some(Problem::BadHeader), line_start)));
                }
            }
            line_start = line_end;
        }
    }

    /// Returns the problem of a record that ends too early, unless the mark there reports it itself.
    fn blame(&self, at: Position) -> Option<Problem> {
        match self.input.mark(at)?.what {
            MarkKind::Damaged | MarkKind::Truncated => None,
            MarkKind::End | MarkKind::Junk => Some(Problem::Truncated),
            MarkKind::Member | MarkKind::Text => Some(Problem::ShortBlock),
        }
    }

    /// Replaces line ends within values by spaces, which keeps all positions.
    fn unfold(&mut self, start: Position) {
        for (_, value) in &self.fields {
            let bytes = self.input.bytes_mut(start + value.start as u64, start + value.end as u64);
            for byte in bytes.iter_mut().filter(|byte| matches!(byte, b'\r' | b'\n')) {
                *byte = b' ';
            }
        }
    }

    /// Reads the block and the bytes after it up to the next record; moves `at` from the record's beginning to its end.
    /// Returns `None` if the block is incomplete, too long or damaged.
    fn block(&mut self, block: Position, length: u64) -> io::Result<Option<Found>> {
        let start = self.at;
        let end = block.saturating_add(length);
        if length > self.longest_block {
            self.note(Problem::LongBlock { length });
            self.skip_block(start, end)?;
            return Ok(None);
        }
        if !self.input.ensure(start, end)? {
            let barrier = self.input.barrier(start)?.unwrap_or(self.input.end());
            if let Some(problem) = self.blame(barrier) {
                self.note(problem);
            }
            self.at = barrier;
            return Ok(None);
        }
        let mut next = end;
        loop {
            match self.input.bytes(next).first().copied() {
                _ if self.input.mark(next).is_some_and(|mark| mark.at == next) => break,
                Some(b'\r' | b'\n') => next += 1,
                Some(_) => break,
                None if self.input.fill()? => {}
                None => break,
            }
        }
        self.at = next;
        let checked = self.doubtful(next)?;
        let cut = checked > next && self.input.mark(checked).is_some_and(|mark| mark.what == MarkKind::Truncated);
        if cut || self.input.damaged(start, checked) {
            return Ok(None);
        }
        let behind = self.input.mark(next).filter(|mark| mark.at == next);
        let place = match self.section.what {
            MarkKind::Text => {
                Place::File { offset: self.section.offset + (start - self.section.at), length: next - start }
            }
            _ => match behind {
                Some(mark) if self.section.at == start => {
                    Place::File { offset: self.section.offset, length: mark.offset.saturating_sub(self.section.offset) }
                }
                _ => Place::Member { offset: self.section.offset, unpacked: start },
            },
        };
        Ok(Some(Found { start, block, end, place }))
    }

    /// Returns the position up to which decompression must succeed before a record that ends at `next` is trusted. If
    /// no record follows in the same member, its length may be wrong, and only the member's checksum can tell.
    fn doubtful(&mut self, next: Position) -> io::Result<Position> {
        const ENOUGH: u64 = 1 << 20;
        if self.section.what == MarkKind::Text || self.input.mark(next).is_some_and(|mark| mark.at == next) {
            return Ok(next);
        }
        self.input.ensure(next, next + WARC.len() as u64)?;
        let bytes = self.input.bytes(next);
        if bytes.is_empty() || bytes.starts_with(WARC) {
            return Ok(next);
        }
        while self.input.mark(next).is_none() && self.input.end() - next < ENOUGH && self.input.fill()? {}
        Ok(self.input.mark(next).map_or(next, |mark| mark.at))
    }

    /// Skips a block without keeping it.
    fn skip_block(&mut self, start: Position, end: Position) -> io::Result<()> {
        loop {
            let limit = self.input.barrier(start)?.unwrap_or(Position::MAX).min(end);
            self.at = self.input.end().min(limit);
            if self.at == limit {
                return Ok(());
            }
            self.input.release(self.at);
            if !self.input.fill()? {
                return Ok(());
            }
        }
    }
}

/// Returns the bytes (the first is at `from`) before a limit.
fn up_to(bytes: &[u8], from: Position, limit: Option<Position>) -> &[u8] {
    let wanted = limit.and_then(|limit| usize::try_from(limit.saturating_sub(from)).ok());
    &bytes[..wanted.unwrap_or(usize::MAX).min(bytes.len())]
}

fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
