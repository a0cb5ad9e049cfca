//! The bytes of an archive, unpacked as they are asked for.
//!
//! An archive is text, or gzip members: usually one for each record, sometimes one for the whole file. [`Input`] gives
//! one stream of unpacked bytes, addressed by [`Position`], and [`Mark`]s in it: where a member begins and at which
//! offset of the file, where something broke, where the file ends. What the reader no longer needs it releases, so that
//! memory holds one record and not the file.
//!
//! A broken member is given up where its bytes stop making sense, or the file ends; what comes next is searched for.
//!
//! # Cost
//!
//! Each byte is decoded once, in place; a buffer's rest is moved only when its end is reached. Searching tries to
//! decode a few bytes at each thing that looks like a member, so it is linear, if slow.

use std::collections::VecDeque;
use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

/// How many bytes the source is asked for at once.
const READ: usize = 256 << 10;
/// How many bytes the decoder has room for, at least.
const ROOM: usize = 64 << 10;
/// Bytes of a broken member that are searched again. Larger members hold whole files, behind which nothing follows.
const KEPT: usize = 1 << 20;
/// How a gzip member begins: the magic number and the only method there is.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// How every record begins.
pub(super) const WARC: &[u8] = b"WARC/";

/// A place in the unpacked bytes.
pub(super) type Position = u64;

/// What begins or ends at a position, and where that is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Position,
    pub(super) offset: u64,
    pub(super) what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A gzip member begins.
    Member,
    /// What is not compressed begins.
    Text,
    /// The member before this is broken; what follows was found by searching.
    Damaged,
    /// Something that is no member; what follows was found by searching.
    Junk,
    /// The file ends within the member before this; what follows was found by searching.
    Truncated,
    /// The file ends.
    End,
}

impl What {
    /// Whether bytes before and behind it have nothing to do with each other.
    fn separates(self) -> bool {
        matches!(self, What::Damaged | What::Junk | What::Truncated | What::End)
    }
}

enum State {
    /// A member is over, or none has begun.
    Between,
    /// Looking for the next beginning.
    Searching,
    Member(Box<Decompress>),
    Text,
    Over,
}

pub(super) struct Input<R> {
    source: R,
    source_ended: bool,
    state: State,
    /// Whether there has been a member: then text that looks like a record is a member's, stored.
    compressed: bool,
    /// What was read and is not decoded yet is `raw[raw_from..raw_to]`.
    raw: Vec<u8>,
    raw_from: usize,
    raw_to: usize,
    /// Where the current member begins in `raw`, as long as it is kept.
    member: Option<usize>,
    /// Where `raw[0]` is in the file.
    raw_offset: u64,
    /// What is decoded and not released is `plain[from..to]`.
    plain: Vec<u8>,
    from: usize,
    to: usize,
    /// The position of `plain[0]`.
    base: Position,
    marks: VecDeque<Mark>,
    /// How many bytes `plain` and `raw` begin with, and fall back to.
    usual: usize,
}

impl<R: Read> Input<R> {
    /// The file's bytes from `offset` on; `expected` of them, if that is known, which saves memory when there are few.
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

    /// The unpacked bytes from a position on, as far as there are any yet. The position must not be released.
    pub(super) fn bytes(&self, from: Position) -> &[u8] {
        self.plain.get(self.index(from)..self.to).unwrap_or_default()
    }

    /// The bytes between two positions, to be changed in place.
    pub(super) fn bytes_mut(&mut self, from: Position, to: Position) -> &mut [u8] {
        let (from, to) = (self.index(from), self.index(to).min(self.to));
        self.plain.get_mut(from..to).unwrap_or_default()
    }

    fn index(&self, position: Position) -> usize {
        usize::try_from(position.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// The position behind the last byte that is there.
    pub(super) fn end(&self) -> Position {
        self.base + self.to as u64
    }

    /// Takes the first mark, if it is not behind a position.
    pub(super) fn take_mark(&mut self, until: Position) -> Option<Mark> {
        let first = self.marks.front().filter(|mark| mark.at <= until)?;
        let first = *first;
        self.marks.pop_front();
        Some(first)
    }

    /// The first mark at a position or behind it.
    pub(super) fn mark(&self, from: Position) -> Option<Mark> {
        self.marks.iter().find(|mark| mark.at >= from).copied()
    }

    /// Whether the bytes from `start` up to `to` turned out to be wrong, be it by the checksum behind them.
    pub(super) fn damaged(&self, start: Position, to: Position) -> bool {
        let within = self.marks.iter().skip_while(|mark| mark.at <= start).take_while(|mark| mark.at <= to);
        // Damage in the next member is not this one's.
        within.take_while(|mark| mark.at < to || mark.what != What::Member).any(|mark| mark.what == What::Damaged)
    }

    /// Bytes before this position are not needed any more.
    pub(super) fn release(&mut self, before: Position) {
        self.from = self.index(before).min(self.to);
        if self.from == self.to {
            // Nothing is left: begin again in front, and give back what one large record needed.
            self.base += self.from as u64;
            (self.from, self.to) = (0, 0);
            if self.plain.len() > 16 * READ {
                self.plain = Vec::new();
            }
        }
    }

    /// Decodes until there are bytes up to `to`; false if they are separated from those at `start`, or missing.
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

    /// Where the bytes that belong to those at `start` end, if that is known yet: at damage, at the end, or where the
    /// next member begins with a record. A record may go on from one member to the next, since some programs cut
    /// files into members wherever they like.
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

    /// Behind a broken member of which nothing was of use, search from its second byte on, if that is still there, and
    /// not from where it broke: what looked like its bytes may be the next member's, be it that it was cut short or
    /// that it never was one.
    pub(super) fn search_again(&mut self) {
        if let (State::Searching, Some(member)) = (&self.state, self.member) {
            self.raw_from = member + 1;
        }
    }

    /// Decodes some more, or comes to a mark. False at the end of the file.
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

    fn put_mark(&mut self, what: What) {
        let mark = Mark { at: self.end(), offset: self.raw_offset + self.raw_from as u64, what };
        self.marks.push_back(mark);
        match what {
            What::Member => {
                self.compressed = true;
                self.member = Some(self.raw_from);
                self.state = State::Member(Box::new(Decompress::new_gzip(15)));
            }
            What::Text => self.state = State::Text,
            What::Damaged | What::Junk | What::Truncated => self.state = State::Searching,
            What::End => self.state = State::Over,
        }
    }

    /// Sees what comes where nothing is under way.
    fn begin(&mut self) -> io::Result<()> {
        self.member = None;
        self.want(MAGIC.len().max(WARC.len()))?;
        let raw = &self.raw[self.raw_from..self.raw_to];
        match raw {
            [] => self.put_mark(What::End),
            // Blank lines between members and blocks of zeros at the end of a file do no harm.
            [b'\r' | b'\n' | 0, ..] => self.raw_from += 1,
            _ if raw.starts_with(&MAGIC) => self.put_mark(What::Member),
            _ if raw.starts_with(WARC) && !self.compressed => self.put_mark(What::Text),
            _ => self.put_mark(What::Junk),
        }
        Ok(())
    }

    /// Goes on to the next place where a record can begin, or to the end.
    fn search(&mut self) -> io::Result<()> {
        // A candidate's first bytes, more than any gzip header that is in use.
        const ENOUGH: usize = 4 << 10;
        self.member = None;
        self.want(ENOUGH)?;
        let raw = &self.raw[self.raw_from..self.raw_to];
        if raw.is_empty() {
            self.put_mark(What::End);
            return Ok(());
        }
        let safe = if self.source_ended { raw.len() } else { raw.len() - (ENOUGH - 1).min(raw.len() - 1) };
        for at in 0..safe {
            let here = &raw[at..];
            if here[0] == MAGIC[0] && here.starts_with(&MAGIC) && unpacks_to_record(&here[..here.len().min(ENOUGH)]) {
                self.raw_from += at;
                self.put_mark(What::Member);
                return Ok(());
            }
            if here[0] == WARC[0] && !self.compressed && here.starts_with(WARC) {
                self.raw_from += at;
                self.put_mark(What::Text);
                return Ok(());
            }
        }
        self.raw_from += safe;
        Ok(())
    }

    /// Passes text on.
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
                self.put_mark(What::End);
            }
            count => {
                // The bytes never were in `raw`, but its offset must say that they are gone by.
                self.raw_offset += count as u64;
                self.to += count;
            }
        }
        Ok(())
    }

    /// Decodes what is there of the current member.
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
            Ok(_) if starved && given == 0 => self.put_mark(What::Truncated),
            // Neither can the decoder go on with what it has, nor is there a reason to think that more would help.
            Ok(_) if taken == 0 && given == 0 => self.put_mark(What::Damaged),
            Ok(_) => {}
            Err(_) => self.put_mark(What::Damaged),
        }
        Ok(())
    }

    /// Reads until `bytes` undecoded ones are there, or the source ends.
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

    /// Makes room for decoded bytes: by moving what is left to the front, or by growing.
    fn make_room(&mut self) {
        let enough = ROOM.min(self.usual);
        if self.plain.len() - self.to >= enough {
            return;
        }
        let left = self.to - self.from;
        // Moving less than is free keeps the cost of moving below that of decoding.
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

/// Reads once, whatever interrupts.
fn read(source: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Whether bytes are the beginning of a member that holds a record.
fn unpacks_to_record(bytes: &[u8]) -> bool {
    // The upper bits of the flags are reserved, and zero.
    if bytes.get(3).is_some_and(|flags| flags & 0xe0 != 0) {
        return false;
    }
    let mut first = [0; WARC.len()];
    let mut decoder = Decompress::new_gzip(15);
    let status = decoder.decompress(bytes, &mut first, FlushDecompress::None);
    status.is_ok() && first == WARC
}
