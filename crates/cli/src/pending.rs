//! Files that appear whole or not at all.
//!
//! What is written goes to a temporary file beside the one that is meant, which is renamed when all is done: a run that
//! fails, or that Ctrl-C ends, leaves what was there before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The temporary files there are now.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    // A panic while a path is pushed leaves nothing half done.
    TEMPORARY.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Removes what is not finished. For the handler of Ctrl-C: no file can be finished afterwards.
pub(crate) fn abandon_all() {
    let mut files = temporary();
    for path in files.drain(..) {
        let _ = fs::remove_file(path);
    }
    // Whoever is about to finish a file waits for the end of the process.
    std::mem::forget(files);
}

/// A file being written.
#[derive(Debug)]
pub(crate) struct Pending {
    writer: BufWriter<File>,
    path: PathBuf,
    /// None for a device or a pipe, which is written as it is.
    temporary: Option<PathBuf>,
}

impl Pending {
    /// Begins a file that will be at `path`.
    pub(crate) fn create(path: &Path) -> io::Result<Pending> {
        // What a link points to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&path).ok();
        if before.as_ref().is_some_and(|before| before.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Pending { writer: BufWriter::new(file), path, temporary: None });
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = temporary();
        let mut attempt = 0;
        loop {
            let other = path.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&other) {
                Ok(file) => {
                    if let Some(before) = &before {
                        let _ = fs::set_permissions(&other, before.permissions());
                    }
                    files.push(other.clone());
                    return Ok(Pending { writer: BufWriter::new(file), path, temporary: Some(other) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Adds to it.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)
    }

    /// Puts it in its place.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(own) = &self.temporary else { return Ok(()) };
        let mut files = temporary();
        fs::rename(own, &self.path)?;
        files.retain(|path| path != own);
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(own) = self.temporary.take() {
            temporary().retain(|path| *path != own);
            let _ = fs::remove_file(own);
        }
    }
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Pending::create(path)?;
    file.write(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_finished() {
        let directory = std::env::temp_dir().join(format!("windrow-pending-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("out.json");
        fs::write(&path, "before").unwrap();
        let mut file = Pending::create(&path).unwrap();
        file.write(b"after").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        let mut dropped = Pending::create(&path).unwrap();
        dropped.write(b"never").unwrap();
        drop(dropped);
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "no temporary file is left");
        fs::remove_dir_all(&directory).unwrap();
    }
}
