//! Files that grow with the frontier: their contents and what the frontier says of them never part.
//!
//! A file is written before the transaction that records its new length is committed. After a kill it may be longer than
//! the frontier says, never shorter; the surplus is cut off, because the pages it came from will come again.
//!
//! Until the crawl has ended by itself, it writes to a file beside the one that was asked for (`ads.csv.part` for
//! `ads.csv`), which takes its place then: a crawl that fails or is interrupted leaves what was there before. A crawl that
//! goes on after that appends to the file in its place, which is its own now.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::CrawlError;
use super::frontier::Frontier;

/// Bytes by which a file is known again.
const TAIL: usize = 64;

/// A file to be written.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// None for what has no file.
    pub(super) path: Option<PathBuf>,
    /// The bytes that a new file begins with.
    pub(super) begin: Vec<u8>,
    /// Whether a file of another origin may be replaced.
    pub(super) may_replace: bool,
}

/// The files of a crawl, by number.
#[derive(Debug)]
pub(super) struct Files {
    /// None for what has no file.
    files: Vec<Option<Growing>>,
}

#[derive(Debug)]
struct Growing {
    /// The file that was asked for.
    path: PathBuf,
    /// The file beside it that is written meanwhile; none once it is in its place.
    part: Option<PathBuf>,
    /// Its name in the frontier: the number, since a folder may be moved.
    name: String,
    file: File,
    length: u64,
    /// Its last bytes, by which it is known again.
    tail: Vec<u8>,
    waiting: Vec<u8>,
}

/// The file that a crawl writes until it has ended: the same name with `.part` at its end.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = target(path).into_os_string();
    name.push(".part");
    name.into()
}

/// The file that a path leads to: a link stays, and the file that it points to is replaced.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Files {
    /// Opens the files, each at the length that the frontier has recorded.
    pub(super) fn open(wanted: &[Wanted], frontier: &Frontier) -> Result<Files, CrawlError> {
        let mut files = Vec::new();
        for (number, wanted) in wanted.iter().enumerate() {
            files.push(match &wanted.path {
                Some(path) => Some(Growing::open(number.to_string(), path, wanted, frontier)?),
                None => None,
            });
        }
        Ok(Files { files })
    }

    /// Adds to a file; [`Files::write`] puts it there.
    pub(super) fn add(&mut self, number: usize, bytes: &[u8]) {
        if let Some(Some(growing)) = self.files.get_mut(number) {
            growing.waiting.extend_from_slice(bytes);
        }
    }

    /// Writes what was added, and records it in the frontier, whose transaction must be open.
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

    /// Puts the files in their places. Killed before the frontier has heard of it, the next run finds the file there by
    /// its length and its last bytes.
    pub(super) fn place(&mut self, frontier: &Frontier) -> Result<(), CrawlError> {
        for growing in self.files.iter_mut().flatten() {
            let Some(part) = &growing.part else { continue };
            let fail = |cause| CrawlError::File { path: growing.path.clone(), cause };
            if let Ok(before) = growing.path.metadata() {
                let _ = std::fs::set_permissions(part, before.permissions());
            }
            std::fs::rename(part, &growing.path).map_err(fail)?;
            sync_folder(&growing.path);
            frontier.set_fact(&placed(&growing.name), "1")?;
            growing.part = None;
        }
        Ok(())
    }

    /// The files that are not in their places yet.
    pub(super) fn parts(&self) -> Vec<PathBuf> {
        self.files.iter().flatten().filter_map(|growing| growing.part.clone()).collect()
    }
}

/// The fact that a file is in its place.
fn placed(name: &str) -> String {
    format!("placed {name}")
}

/// Makes a new name durable. Not every system can do it, and the file's contents are safe without it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

impl Growing {
    fn open(name: String, path: &Path, wanted: &Wanted, frontier: &Frontier) -> Result<Growing, CrawlError> {
        let path = target(path);
        let known = frontier.file(&name)?;
        let (length, tail) = known.clone().unwrap_or_default();
        // A pipe or a device is written as it is.
        let is_special = path.metadata().is_ok_and(|there| !there.is_file());
        let is_placed = is_special || frontier.fact(&placed(&name))?.is_some();
        let part = part_of(&path);
        let part = match &known {
            _ if is_placed => None,
            // Killed after it was put in its place. Nothing of a file of this very length is cut off.
            Some(_) if length > 0 && !part.exists() => match is_same(&path, length, &tail) {
                true => None,
                false => return Err(CrawlError::FileGone { path: part, length }),
            },
            Some(_) => Some(part),
            None => {
                let has_content = |path: &Path| path.metadata().is_ok_and(|there| there.len() > 0);
                if has_content(&part) {
                    return Err(CrawlError::FileExists { path: part });
                }
                if !wanted.may_replace && has_content(&path) {
                    return Err(CrawlError::FileExists { path });
                }
                Some(part)
            }
        };
        let written = part.as_ref().unwrap_or(&path).clone();
        let fail = |cause| CrawlError::File { path: written.clone(), cause };
        // A file that is in its place must be there: another crawl's is not made up for it.
        let mut options = OpenOptions::new();
        options.create(part.is_some() || length == 0).truncate(false).read(true).write(true);
        let mut file = match options.open(&written) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Err(CrawlError::FileGone { path: written, length });
            }
            opened => opened.map_err(fail)?,
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(CrawlError::FileBusy { path: written }),
            // Some file systems know no locks, and pipes need none.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let there = file.metadata().map_err(fail)?.len();
        if there < length {
            return Err(CrawlError::FileShort { path: written, length, there });
        }
        // It is about to be cut: it had better be the file that was written.
        if !is_tail(&mut file, length, &tail).map_err(fail)? {
            return Err(CrawlError::FileChanged { path: written });
        }
        if !is_special {
            file.set_len(length).map_err(fail)?;
        }
        // From now on it is known, so that a kill before the first page is no riddle for the next run.
        if known.is_none() {
            frontier.set_file(&name, 0, &[])?;
        }
        let waiting = if length == 0 { wanted.begin.clone() } else { Vec::new() };
        Ok(Growing { path, part, name, file, length, tail, waiting })
    }
}

/// Whether a file has this length and ends with these bytes.
fn is_same(path: &Path, length: u64, tail: &[u8]) -> bool {
    let same =
        File::open(path).and_then(|mut file| Ok(file.metadata()?.len() == length && is_tail(&mut file, length, tail)?));
    same.unwrap_or(false)
}

/// Whether these bytes stand before the place `length`, to which the file is moved.
fn is_tail(file: &mut File, length: u64, tail: &[u8]) -> io::Result<bool> {
    if length == 0 {
        return Ok(true);
    }
    let mut end = vec![0; tail.len()];
    file.seek(SeekFrom::Start(length - tail.len() as u64))?;
    file.read_exact(&mut end)?;
    Ok(end == tail)
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
