//! Files that grow with the frontier: what is in them and what the frontier says of them never part.
//!
//! A file is written before the transaction that tells its new length is committed. After a kill it may be longer than
//! the frontier says, never shorter; what is too much is cut off, because the pages it came from will come again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::CrawlError;
use super::frontier::Frontier;

/// Bytes by which a file is known again.
const TAIL: usize = 64;

/// The files of a crawl, by number.
#[derive(Debug)]
pub(super) struct Files {
    /// None for what has no file.
    files: Vec<Option<Growing>>,
}

#[derive(Debug)]
struct Growing {
    path: PathBuf,
    /// Its name in the frontier: the number, since a folder may be moved.
    name: String,
    file: File,
    length: u64,
    /// Its last bytes, by which it is known again.
    tail: Vec<u8>,
    waiting: Vec<u8>,
}

impl Files {
    /// Opens the files, each at the length that the frontier tells; `begin` is written to one that is new.
    pub(super) fn open(paths: &[(Option<PathBuf>, Vec<u8>)], frontier: &Frontier) -> Result<Files, CrawlError> {
        let mut files = Vec::new();
        for (number, (path, begin)) in paths.iter().enumerate() {
            let Some(path) = path else {
                files.push(None);
                continue;
            };
            let name = number.to_string();
            let known = frontier.file(&name)?;
            let fail = |cause| CrawlError::File { path: path.clone(), cause };
            if known.is_none() && path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) {
                return Err(CrawlError::FileExists { path: path.clone() });
            }
            let mut file =
                OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).map_err(fail)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(CrawlError::FileBusy { path: path.clone() }),
                // Some file systems know no locks, and pipes need none.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            let (length, tail) = known.clone().unwrap_or_default();
            let there = file.metadata().map_err(fail)?.len();
            if there < length {
                return Err(CrawlError::FileShort { path: path.clone(), length, there });
            }
            // It is about to be cut: it had better be the file that was written.
            let mut end = vec![0; tail.len()];
            file.seek(SeekFrom::Start(length - tail.len() as u64))
                .and_then(|_| file.read_exact(&mut end))
                .map_err(fail)?;
            if end != tail {
                return Err(CrawlError::FileChanged { path: path.clone() });
            }
            file.set_len(length).map_err(fail)?;
            // From now on it is known, so that a kill before the first page is no riddle for the next run.
            if known.is_none() {
                frontier.set_file(&name, 0, &[])?;
            }
            let waiting = if length == 0 { begin.clone() } else { Vec::new() };
            files.push(Some(Growing { path: path.clone(), name, file, length, tail, waiting }));
        }
        Ok(Files { files })
    }

    /// Adds to a file; [`Files::write`] puts it there.
    pub(super) fn add(&mut self, number: usize, bytes: &[u8]) {
        if let Some(Some(growing)) = self.files.get_mut(number) {
            growing.waiting.extend_from_slice(bytes);
        }
    }

    /// Writes what was added, and tells the frontier, whose transaction must be open.
    pub(super) fn write(&mut self, frontier: &Frontier) -> Result<(), CrawlError> {
        for growing in self.files.iter_mut().flatten().filter(|growing| !growing.waiting.is_empty()) {
            let fail = |cause| CrawlError::File { path: growing.path.clone(), cause };
            growing.file.write_all(&growing.waiting).map_err(fail)?;
            // A machine that loses its power must not remember a length that never reached the disk.
            growing.file.sync_data().map_err(fail)?;
            growing.length += growing.waiting.len() as u64;
            growing.tail.extend_from_slice(&growing.waiting[growing.waiting.len().saturating_sub(TAIL)..]);
            growing.tail.drain(..growing.tail.len().saturating_sub(TAIL));
            growing.waiting.clear();
            growing.waiting.shrink_to(1 << 20);
            frontier.set_file(&growing.name, growing.length, &growing.tail)?;
        }
        Ok(())
    }
}

/// Holds others off a crawl's file until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(state: &Path) -> Result<Lock, CrawlError> {
        // A file of its own: to close any handle of the database's own file would drop the locks SQLite holds on it.
        let mut path = state.as_os_str().to_owned();
        path.push("-lock");
        let path = PathBuf::from(path);
        let fail = |cause| CrawlError::File { path: path.clone(), cause };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(CrawlError::Busy { path: state.to_owned() }),
            Err(TryLockError::Error(cause)) => Err(CrawlError::File { path, cause }),
        }
    }
}
