//! Input of an archive, decompressed on demand.
//!
//! An archive is plain text or a sequence of gzip members: usually one for each record, sometimes one for the whole
//! file. [`Input`] provides one stream of decompressed bytes, addressed by [`Position`], with [`Mark`]s in it: the
//! beginning of a member with its offset in the file, damage, the end of the file. Bytes that the reader no longer
//! needs are released, so that memory holds one record and not the file.
//!
//! A damaged member is abandoned at the point where its bytes become invalid or the file ends; then the next beginning
//! is searched for.
//!
//! # Cost
//!
//! Each byte is decoded once, in place; the rest of a buffer is moved only when its end is reached. Searching tries to
//! decode a few bytes at each candidate for a member, so it is linear, if slow.

use std::collections::VecDeque;
use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

/// Number of bytes requested from the source at once.
const READ: usize = 256 << 10;
/// Minimum room for the decoder's output.
const ROOM: usize = 64 << 10;
/// Number of bytes of a damaged member that are searched again. Larger members hold whole files, and nothing follows
/// them.
const KEPT: usize = 1 << 20;
/// First bytes of a gzip member: the magic number and the only compression method.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// First bytes of every record.
pub(super) const WARC: &[u8] = b"WARC/";

/// Position in the decompressed bytes.
pub(super) type Position = u64;

/// Event at a position, with its offset in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Position,
    pub(super) offset: u64,
    pub(super) what: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A gzip member begins.
    Member,
    /// Uncompressed text begins.
    Text,
    /// The preceding member is damaged; the following bytes were found by searching.
    Damaged,
    /// The preceding bytes are not a member; the following bytes were found by searching.
    Junk,
    /// The file ends within the preceding member; the following bytes were found by searching.
    Truncated,
    /// The file ends.
    End,
}

impl MarkKind {
    /// Reports whether the bytes before and after the mark are unrelated.
    fn separates(self) -> bool {
        matches!(self, MarkKind::Damaged | MarkKind::Junk | MarkKind::Truncated | MarkKind::End)
    }
}

enum State {
    /// After a member, or before the first.
    Between,
    /// Searching for the next beginning.
    Searching,
    Member(Box<Decompress>),
    Text,
    Over,
}

pub(super) struct Input<R> {
    source: R,
    source_ended: bool,
    state: State,
    /// True once a member was seen: text that looks like a record is then part of a stored (uncompressed) member.
    compressed: bool,
    /// Undecoded input is `raw[raw_from..raw_to]`.
    raw: Vec<u8>,
    raw_from: usize,
    raw_to: usize,
    /// Start of the current member in `raw`, while it is kept.
    member: Option<usize>,
    /// Offset of `raw[0]` in the file.
    raw_offset: u64,
    /// Decoded and unreleased output is `plain[from..to]`.
    plain: Vec<u8>,
    from: usize,
    to: usize,
    /// Position of `plain[0]`.
    base: Position,
    marks: VecDeque<Mark>,
    /// Initial size of `plain` and `raw`, to which they shrink again.
    usual: usize,
}

impl<R: Read> Input<R> {
    /// Creates an input that starts at `offset` of the file. `expected` is the number of bytes, if known, which saves
    /// memory for small ones.
    pub(super) fn new(source: R, offset: u64, expected: Option<u64>) -> Input<R> {
        let usual = expected.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(READ).clamp(4 << 10, READ);
        Input {
            source,
            source_ended: false,
            state: State::Between,
            compressed: false,
            raw: vec![0; usual],
            raw_from: 0,
            raw_to: 0,
            member: None,
            raw_offset: offset,
            plain: Vec::new(),
            from: 0,
            to: 0,
            base: 0,
            marks: VecDeque::new(),
            usual,
        }
    }

    /// Returns the decompressed bytes from a position on that are available so far. The position must not be released.
    pub(super) fn bytes(&self, from: Position) -> &[u8] {
        self.plain.get(self.index(from)..self.to).unwrap_or_default()
    }

    /// Returns the bytes between two positions, for modification in place.
    pub(super) fn bytes_mut(&mut self, from: Position, to: Position) -> &mut [u8] {
        let (from, to) = (self.index(from), self.index(to).min(self.to));
        self.plain.get_mut(from..to).unwrap_or_default()
    }

    fn index(&self, position: Position) -> usize {
        usize::try_from(position.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// Returns the position after the last available byte.
    pub(super) fn end(&self) -> Position {
        self.base + self.to as u64
    }

    /// Removes and returns the first mark, unless it is after a position.
    pub(super) fn take_mark(&mut self, until: Position) -> Option<Mark> {
        let first = self.marks.front().filter(|mark| mark.at <= until)?;
        let first = *first;
        self.marks.pop_front();
        Some(first)
    }

    /// Returns the first mark at or after a position.
    pub(super) fn mark(&self, from: Position) -> Option<Mark> {
        self.marks.iter().find(|mark| mark.at >= from).copied()
    }

    /// Reports whether the bytes from `start` up to `to` proved to be damaged, possibly by the checksum after them.
    pub(super) fn damaged(&self, start: Position, to: Position) -> bool {
        let within = self.marks.iter().skip_while(|mark| mark.at <= start).take_while(|mark| mark.at <= to);
        // Damage in the next member does not count.
        within
            .take_while(|mark| mark.at < to || mark.what != MarkKind::Member)
            .any(|mark| mark.what == MarkKind::Damaged)
    }

    /// Releases the bytes before a position.
    pub(super) fn release(&mut self, before: Position) {
        self.from = self.index(before).min(self.to);
        if self.from == self.to {
            // Nothing is left: start over at the front, and free the memory of a large record.
            self.base += self.from as u64;
            (self.from, self.to) = (0, 0);
            if self.plain.len() > 16 * READ {
                self.plain = Vec::new();
            }
        }
    }

    /// Decodes until bytes up to `to` are available. Returns false if they are separated from those at `start`, or
    /// missing.
    pub(super) fn ensure(&mut self, start: Position, to: Position) -> io::Result<bool> {
        loop {
            if let Some(barrier) = self.barrier(start)?
                && barrier < to
            {
                return Ok(false);
            }
            if self.end() >= to {
                return Ok(true);
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    /// Returns the end of the bytes that belong to those at `start`, if it is known: at damage, at the end of the file,
    /// or where the next member begins with a record. A record may continue in the next member, since some programs
    /// split files into members at arbitrary points.
    pub(super) fn barrier(&mut self, start: Position) -> io::Result<Option<Position>> {
        let mut next = 0;
        while let Some(&mark) = self.marks.get(next) {
            next += 1;
            if mark.at <= start {
                continue;
            }
            if mark.what.separates() {
                return Ok(Some(mark.at));
            }
            let enough = mark.at + WARC.len() as u64;
            while self.end() < enough && self.marks.len() == next && self.fill()? {}
            if self.bytes(mark.at).starts_with(WARC) {
                return Ok(Some(mark.at));
            }
        }
        Ok(None)
    }

    /// After a damaged member without any usable record, searches again from its second byte if that is still
    /// available, instead of from the point of damage. The member may have been truncated, or may never have been one,
    /// so that its supposed bytes contain the next member.
    pub(super) fn search_again(&mut self) {
        if let (State::Searching, Some(member)) = (&self.state, self.member) {
            self.raw_from = member + 1;
        }
    }

    /// Decodes some more bytes or reaches a mark. Returns false at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        match &mut self.state {
            State::Over => return Ok(false),
            State::Between => self.begin()?,
            State::Searching => self.search()?,
            State::Text => self.copy()?,
            State::Member(_) => self.inflate()?,
        }
        Ok(true)
    }

    fn put_mark(&mut self, what: MarkKind) {
        let mark = Mark { at: self.end(), offset: self.raw_offset + self.raw_from as u64, what };
        self.marks.push_back(mark);
        match what {
            MarkKind::Member => {
                self.compressed = true;
                self.member = Some(self.raw_from);
                self.state = State::Member(Box::new(Decompress::new_gzip(15)));
            }
            MarkKind::Text => self.state = State::Text,
            MarkKind::Damaged | MarkKind::Junk | MarkKind::Truncated => self.state = State::Searching,
            MarkKind::End => self.state = State::Over,
        }
    }

    /// Determines what begins at the current position.
    fn begin(&mut self) -> io::Result<()> {
        self.member = None;
        self.want(MAGIC.len().max(WARC.len()))?;
        let raw = &self.raw[self.raw_from..self.raw_to];
        match raw {
            [] => self.put_mark(MarkKind::End),
            // Blank lines between members and zeros at the end of a file are harmless.
            [b'\r' | b'\n' | 0, ..] => self.raw_from += 1,
            _ if raw.starts_with(&MAGIC) => self.put_mark(MarkKind::Member),
            _ if raw.starts_with(WARC) && !self.compressed => self.put_mark(MarkKind::Text),
            _ => self.put_mark(MarkKind::Junk),
        }
        Ok(())
    }

    /// Advances to the next place where a record can begin, or to the end.
    fn search(&mut self) -> io::Result<()> {
        // Number of bytes needed to test a candidate, more than any real gzip header has.
        const ENOUGH: usize = 4 << 10;
        self.member = None;
        self.want(ENOUGH)?;
        let raw = &self.raw[self.raw_from..self.raw_to];
        if raw.is_empty() {
            self.put_mark(MarkKind::End);
            return Ok(());
        }
        let safe = if self.source_ended { raw.len() } else { raw.len() - (ENOUGH - 1).min(raw.len() - 1) };
        for at in 0..safe {
            let here = &raw[at..];
            if here[0] == MAGIC[0] && here.starts_with(&MAGIC) && unpacks_to_record(&here[..here.len().min(ENOUGH)]) {
                self.raw_from += at;
                self.put_mark(MarkKind::Member);
                return Ok(());
            }
            if here[0] == WARC[0] && !self.compressed && here.starts_with(WARC) {
                self.raw_from += at;
                self.put_mark(MarkKind::Text);
                return Ok(());
            }
        }
        self.raw_from += safe;
        Ok(())
    }

    /// Copies uncompressed text.
    fn copy(&mut self) -> io::Result<()> {
        self.make_room();
        let room = &mut self.plain[self.to..];
        let waiting = self.raw_to - self.raw_from;
        if waiting > 0 {
            let count = waiting.min(room.len());
            room[..count].copy_from_slice(&self.raw[self.raw_from..self.raw_from + count]);
            self.raw_from += count;
            self.to += count;
            return Ok(());
        }
        match read(&mut self.source, room)? {
            0 => {
                self.source_ended = true;
                self.put_mark(MarkKind::End);
            }
            count => {
                // The bytes were never in `raw`, but its offset must account for them.
                self.raw_offset += count as u64;
                self.to += count;
            }
        }
        Ok(())
    }

    /// Decodes the available bytes of the current member.
    fn inflate(&mut self) -> io::Result<()> {
        self.want(1)?;
        self.make_room();
        let State::Member(decoder) = &mut self.state else { return Ok(()) };
        let (taken, given) = (decoder.total_in(), decoder.total_out());
        let raw = &self.raw[self.raw_from..self.raw_to];
        let starved = raw.is_empty();
        let status = decoder.decompress(raw, &mut self.plain[self.to..], FlushDecompress::None);
        let (taken, given) = (decoder.total_in() - taken, decoder.total_out() - given);
        self.raw_from += taken as usize;
        self.to += given as usize;
        match status {
            Ok(Status::StreamEnd) => self.state = State::Between,
            Ok(_) if starved && given == 0 => self.put_mark(MarkKind::Truncated),
            // The decoder makes no progress, and more input would not help.
            Ok(_) if taken == 0 && given == 0 => self.put_mark(MarkKind::Damaged),
            Ok(_) => {}
            Err(_) => self.put_mark(MarkKind::Damaged),
        }
        Ok(())
    }

    /// Reads until `bytes` undecoded bytes are available, or the source ends.
    fn want(&mut self, bytes: usize) -> io::Result<()> {
        while self.raw_to - self.raw_from < bytes && !self.source_ended {
            if self.raw_to == self.raw.len() {
                if self.member.is_some_and(|member| self.raw_from - member > KEPT) {
                    self.member = None;
                }
                let keep = self.member.unwrap_or(self.raw_from);
                self.raw.copy_within(keep..self.raw_to, 0);
                self.raw_offset += keep as u64;
                self.member = self.member.map(|_| 0);
                self.raw_from -= keep;
                self.raw_to -= keep;
                if self.raw_to + READ / 2 > self.raw.len() {
                    self.raw.resize(self.raw_to + READ, 0);
                }
            }
            match read(&mut self.source, &mut self.raw[self.raw_to..])? {
                0 => self.source_ended = true,
                count => self.raw_to += count,
            }
        }
        Ok(())
    }

    /// Makes room for output, by moving the remaining bytes to the front or by growing the buffer.
    fn make_room(&mut self) {
        let enough = ROOM.min(self.usual);
        if self.plain.len() - self.to >= enough {
            return;
        }
        let left = self.to - self.from;
        // Moves at most as many bytes as become free, which keeps the cost of moving below that of decoding.
        if self.from > 0 && left <= self.plain.len() / 2 {
            self.plain.copy_within(self.from..self.to, 0);
            self.base += self.from as u64;
            (self.from, self.to) = (0, left);
        }
        if self.plain.len() - self.to < enough {
            self.plain.resize((self.plain.len() * 2).max(self.to + enough).max(self.usual), 0);
        }
    }
}

/// Reads once, repeating interrupted calls.
fn read(source: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Reports whether the bytes begin a member that contains a record.
fn unpacks_to_record(bytes: &[u8]) -> bool {
    // The upper bits of the flags are reserved and must be zero.
    if bytes.get(3).is_some_and(|flags| flags & 0xe0 != 0) {
        return false;
    }
    let mut first = [0; WARC.len()];
    let mut decoder = Decompress::new_gzip(15);
    let status = decoder.decompress(bytes, &mut first, FlushDecompress::None);
    status.is_ok() && first == WARC
}
