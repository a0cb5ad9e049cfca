//! Output files that stay consistent with the frontier.
//!
//! A file is written before the transaction that records its new length is committed. After a kill it may be longer
//! than recorded, but never shorter; the surplus is cut off, since the pages it came from will be visited again.
//!
//! Until the crawl has ended, it writes to a temporary file (`ads.csv.part` for `ads.csv`), which then replaces the
//! requested one. A crawl that fails or is interrupted thus leaves the earlier file unchanged. If the crawl continues
//! after that, it appends to the final file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::CrawlError;
use super::frontier::Frontier;

/// Number of trailing bytes by which a file is recognized.
const TAIL: usize = 64;

/// Specification of a file to be written.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Path; `None` for an output without a file.
    pub(super) path: Option<PathBuf>,
    /// Initial bytes of a new file.
    pub(super) begin: Vec<u8>,
    /// True if a file that does not come from this crawl may be replaced.
    pub(super) may_replace: bool,
}

/// Files of a crawl, by number.
#[derive(Debug)]
pub(super) struct Files {
    /// `None` for an output without a file.
    files: Vec<Option<Growing>>,
}

#[derive(Debug)]
struct Growing {
    /// The requested file.
    path: PathBuf,
    /// The temporary file beside it; `None` once it has replaced the requested one.
    part: Option<PathBuf>,
    /// Name in the frontier: the file's number, since a folder may be moved.
    name: String,
    file: File,
    length: u64,
    /// Last bytes, by which the file is recognized.
    tail: Vec<u8>,
    waiting: Vec<u8>,
}

/// Returns the path of the temporary file: the same name with `.part` appended.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = target(path).into_os_string();
    name.push(".part");
    name.into()
}

/// Resolves symbolic links, so that the file behind a link is replaced and not the link.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Files {
    /// Opens the files, each at the length recorded in the frontier.
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

    /// Appends to a file's buffer; [`Files::write`] writes it.
    pub(super) fn add(&mut self, number: usize, bytes: &[u8]) {
        if let Some(Some(growing)) = self.files.get_mut(number) {
            growing.waiting.extend_from_slice(bytes);
        }
    }

    /// Writes the buffers and records the new lengths in the frontier, whose transaction must be open.
    pub(super) fn write(&mut self, frontier: &Frontier) -> Result<(), CrawlError> {
        for growing in self.files.iter_mut().flatten().filter(|growing| !growing.waiting.is_empty()) {
            let fail = |cause| CrawlError::File { path: growing.path.clone(), cause };
            growing.file.write_all(&growing.waiting).map_err(fail)?;
            // After a power failure, the frontier must not remember a length that never reached the disk.
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

    /// Moves the temporary files to their final paths. If the process is killed before the frontier records this, the
    /// next run recognizes a file by its length and last bytes.
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

    /// Returns the temporary files that have not replaced the requested ones yet.
    pub(super) fn parts(&self) -> Vec<PathBuf> {
        self.files.iter().flatten().filter_map(|growing| growing.part.clone()).collect()
    }
}

/// Returns the name of the fact that a file is at its final path.
fn placed(name: &str) -> String {
    format!("placed {name}")
}

/// Makes a new file name durable. Not all systems support this, and the file's contents are safe without it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

impl Growing {
    fn open(name: String, path: &Path, wanted: &Wanted, frontier: &Frontier) -> Result<Growing, CrawlError> {
        let path = target(path);
        let known = frontier.file(&name)?;
        let (length, tail) = known.clone().unwrap_or_default();
        // A pipe or device is written directly.
        let is_special = path.metadata().is_ok_and(|there| !there.is_file());
        let is_placed = is_special || frontier.fact(&placed(&name))?.is_some();
        let part = part_of(&path);
        let part = match &known {
            _ if is_placed => None,
            // The process was killed after the rename; a file with exactly this length needs no cut.
            Some(_) if length > 0 && !part.exists() => {
                if is_same(&path, length, &tail) {
                    None
                } else {
                    return Err(CrawlError::FileGone { path: part, length });
                }
            }
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
        // A file at its final path must exist: a new one would not have the earlier contents.
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
            // Some file systems do not support locks, and pipes need none.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let there = file.metadata().map_err(fail)?.len();
        if there < length {
            return Err(CrawlError::FileShort { path: written, length, there });
        }
        // Check that it is the file this crawl wrote before it is truncated.
        if !is_tail(&mut file, length, &tail).map_err(fail)? {
            return Err(CrawlError::FileChanged { path: written });
        }
        if !is_special {
            file.set_len(length).map_err(fail)?;
        }
        // Record the file now, so that the next run recognizes it even if no page was written.
        if known.is_none() {
            frontier.set_file(&name, 0, &[])?;
        }
        let waiting = if length == 0 { wanted.begin.clone() } else { Vec::new() };
        Ok(Growing { path, part, name, file, length, tail, waiting })
    }
}

/// Reports whether a file has this length and ends with these bytes.
fn is_same(path: &Path, length: u64, tail: &[u8]) -> bool {
    let same =
        File::open(path).and_then(|mut file| Ok(file.metadata()?.len() == length && is_tail(&mut file, length, tail)?));
    same.unwrap_or(false)
}

/// Reports whether the bytes before offset `length` are `tail`; leaves the file positioned at `length`.
fn is_tail(file: &mut File, length: u64, tail: &[u8]) -> io::Result<bool> {
    if length == 0 {
        return Ok(true);
    }
    let mut end = vec![0; tail.len()];
    file.seek(SeekFrom::Start(length - tail.len() as u64))?;
    file.read_exact(&mut end)?;
    Ok(end == tail)
}

/// Lock on a crawl's state, held until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(state: &Path) -> Result<Lock, CrawlError> {
        // The lock is a separate file: closing any handle of the database file would release the locks that SQLite
        // holds on it.
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
