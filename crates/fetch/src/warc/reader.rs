//! The records of an archive, one after the other.
//!
//! Any `Read` will do: plain text, a gzip member for each record, a gzip member around everything. A record borrows
//! the reader's buffer, so that memory is that of the largest record. What is broken is noted and passed over: of a
//! damaged file one has what is not damaged. An `io::Error` is the source's own.
//!
//! # Cost
//!
//! Each byte is decoded once and, if its record is given, never copied.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::error::WarcError;
use super::input::{Input, Mark, Position, WARC, What};
use super::note::{Note, Notes, Problem};
use super::record::{Place, Record};

/// Bytes of a record's header at most. Real ones have less than two thousand.
const LONGEST_HEADER: u64 = 256 << 10;
/// Bytes of a record's block at most, unless the caller says otherwise.
const LONGEST_BLOCK: u64 = 64 << 20;

/// Reads records from a file or a stream.
pub struct Reader<R> {
    input: Input<R>,
    /// Where the next record is looked for.
    at: Position,
    /// What `at` is in: the last beginning of a member or of text.
    section: Mark,
    /// Whether a record of that member was given.
    given: bool,
    /// The header's fields, reused.
    fields: Vec<(Range<usize>, Range<usize>)>,
    notes: Notes,
    /// Whether something that is no record was noted and nothing was found since.
    lost: bool,
    longest_block: u64,
}

/// A record's parts, as positions.
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

    /// Reads from within a file: `source` is at `offset`, and gives `expected` bytes if that is known.
    pub(super) fn within(source: R, offset: u64, expected: Option<u64>) -> Reader<R> {
        Reader {
            input: Input::new(source, offset, expected),
            at: 0,
            section: Mark { at: 0, offset, what: What::Text },
            given: false,
            fields: Vec::new(),
            notes: Notes::default(),
            lost: false,
            longest_block: LONGEST_BLOCK,
        }
    }

    /// How many bytes a record may have, unpacked: 64 MiB unless said. A longer one is passed over and noted.
    pub fn with_longest_block(mut self, bytes: u64) -> Reader<R> {
        self.longest_block = bytes;
        self
    }

    /// The next record.
    pub fn next_record(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(found) = self.advance()? else { return Ok(None) };
        let bytes = self.input.bytes(found.start);
        let (header, rest) = bytes.split_at((found.block - found.start) as usize);
        let block = &rest[..(found.end - found.block) as usize];
        Ok(Some(Record { header, fields: &self.fields, block, place: found.place }))
    }

    /// What had to be left out so far: the first hundred.
    pub fn notes(&self) -> &[Note] {
        self.notes.first()
    }

    /// How often something had to be left out so far.
    pub fn problems(&self) -> u64 {
        self.notes.count()
    }

    /// Finds the next whole record.
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
                    // Its end is wherever the next record begins.
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

    /// Where `at` is in the file, as well as that can be said.
    fn offset(&self) -> u64 {
        match self.section.what {
            What::Text => self.section.offset + (self.at - self.section.at),
            _ => self.section.offset,
        }
    }

    /// Goes on to where a record begins; false at the end of the file.
    fn go_to_record(&mut self) -> io::Result<bool> {
        loop {
            self.input.release(self.at);
            // Marks at this place come before the bytes at it, so none must be left when a byte is looked at.
            while self.input.end() == self.at && self.input.mark(self.at).is_none() {
                if !self.input.fill()? {
                    return Ok(false);
                }
            }
            if let Some(mark) = self.input.take_mark(self.at) {
                match mark.what {
                    What::Member | What::Text => {
                        self.section = mark;
                        self.given = false;
                        continue;
                    }
                    What::Damaged => self.note(Problem::Damaged),
                    What::Truncated => self.note(Problem::Truncated),
                    What::Junk => self.notes.put(mark.offset, Problem::Junk),
                    What::End => return Ok(false),
                }
                // Whatever is no record between here and the next one has been noted with this.
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

    /// Goes on to the next line that begins like a record, or to the next mark.
    fn skip_junk(&mut self) -> io::Result<()> {
        let behind = self.at + 1;
        loop {
            let until = self.input.mark(behind).map(|mark| mark.at);
            let bytes = up_to(self.input.bytes(self.at), self.at, until);
            let mut ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
            // The beginning of one will do where the bytes end: the rest is not decoded yet.
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

    /// Reads the header at `at`. Gives where the block begins and how long it is said to be; or what is wrong, if that
    /// is not a mark's to say, and where to go on.
    #[allow(clippy::type_complexity)]
    fn header(&mut self) -> io::Result<Result<(Position, Option<u64>), (Option<Problem>, Position)>> {
        let start = self.at;
        self.fields.clear();
        let mut length = None;
        let mut line_start = start;
        loop {
            // The next line feed, decoding as far as it takes.
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
                    // The line may be the next record's first, so it is looked at again.
                    return Ok(Err((Some(Problem::BadHeader), line_start)));
                }
            }
            line_start = line_end;
        }
    }

    /// What to say of a record that ends too early, if the mark there does not say it by itself.
    fn blame(&self, at: Position) -> Option<Problem> {
        match self.input.mark(at)?.what {
            What::Damaged | What::Truncated => None,
            What::End | What::Junk => Some(Problem::Truncated),
            What::Member | What::Text => Some(Problem::ShortBlock),
        }
    }

    /// Makes spaces of the line ends within values, which changes no positions.
    fn unfold(&mut self, start: Position) {
        for (_, value) in &self.fields {
            let bytes = self.input.bytes_mut(start + value.start as u64, start + value.end as u64);
            for byte in bytes.iter_mut().filter(|byte| matches!(byte, b'\r' | b'\n')) {
                *byte = b' ';
            }
        }
    }

    /// Reads the block, and what is behind it up to the next record; `at` is the record's beginning and will be its
    /// end. None if it is not all there, too long, or broken.
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
        let cut = checked > next && self.input.mark(checked).is_some_and(|mark| mark.what == What::Truncated);
        if cut || self.input.damaged(start, checked) {
            return Ok(None);
        }
        let behind = self.input.mark(next).filter(|mark| mark.at == next);
        let place = match self.section.what {
            What::Text => Place::File { offset: self.section.offset + (start - self.section.at), length: next - start },
            _ => match behind {
                Some(mark) if self.section.at == start => {
                    Place::File { offset: self.section.offset, length: mark.offset.saturating_sub(self.section.offset) }
                }
                _ => Place::Member { offset: self.section.offset, unpacked: start },
            },
        };
        Ok(Some(Found { start, block, end, place }))
    }

    /// Up to where a record that ends at `next` should have been unpacked without damage. If no record follows it in
    /// its member, its length may be wrong, and the member's checksum will tell.
    fn doubtful(&mut self, next: Position) -> io::Result<Position> {
        const ENOUGH: u64 = 1 << 20;
        if self.section.what == What::Text || self.input.mark(next).is_some_and(|mark| mark.at == next) {
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

    /// Passes over a block without keeping it.
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

/// Bytes, the first at `from`, as far as they are before a limit.
fn up_to(bytes: &[u8], from: Position, limit: Option<Position>) -> &[u8] {
    let wanted = limit.and_then(|limit| usize::try_from(limit.saturating_sub(from)).ok());
    &bytes[..wanted.unwrap_or(usize::MAX).min(bytes.len())]
}

fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
