//! Output files that appear whole or not at all.
//!
//! The content goes to a temporary file beside the target. When all is written, the file is synced to the disk and
//! renamed: a run that fails, or that Ctrl-C ends, leaves the old file as it was. What a failed run did produce can be kept
//! beside the target under another name, such as `ads.partial.csv`.

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

/// Removes all unfinished files. For the handler of Ctrl-C: no file can be finished afterwards.
pub fn abandon_all() {
    let mut files = temporary();
    for path in files.drain(..) {
        let _ = fs::remove_file(path);
    }
    // Whoever is about to finish a file waits for the end of the process.
    std::mem::forget(files);
}

/// A file being written.
#[derive(Debug)]
pub struct AtomicFile {
    writer: BufWriter<File>,
    /// As given.
    name: PathBuf,
    path: PathBuf,
    /// None for a device or a pipe, which is written as it is.
    temporary: Option<PathBuf>,
}

impl AtomicFile {
    /// Begins a file that will be at `name`.
    pub fn create(name: &Path) -> io::Result<AtomicFile> {
        // What a link points to is replaced, not the link.
        let path = fs::canonicalize(name).unwrap_or_else(|_| name.to_owned());
        let name = name.to_owned();
        let before = fs::metadata(&path).ok();
        if before.as_ref().is_some_and(|before| before.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(AtomicFile { writer: BufWriter::new(file), name, path, temporary: None });
        }
        let own = path.file_name().map(|own| own.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files = temporary();
        let mut attempt = 0;
        loop {
            let other = path.with_file_name(format!(".{own}.{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&other) {
                Ok(file) => {
                    if let Some(before) = &before {
                        let _ = fs::set_permissions(&other, before.permissions());
                    }
                    files.push(other.clone());
                    return Ok(AtomicFile { writer: BufWriter::new(file), name, path, temporary: Some(other) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns `true` if there is a file with something in it at the target, which this one would replace.
    pub fn would_replace(&self) -> bool {
        self.temporary.is_some() && fs::metadata(&self.path).is_ok_and(|before| before.len() > 0)
    }

    /// Returns `true` if the target is a device or a pipe, whose reader has had everything already.
    pub fn is_stream(&self) -> bool {
        self.temporary.is_none()
    }

    /// Adds to it.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)
    }

    /// Writes everything to the disk. After this, only renaming is left to do.
    fn sync(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.temporary {
            Some(_) => self.writer.get_ref().sync_all(),
            None => Ok(()),
        }
    }

    /// Renames the file.
    fn put(mut self, path: &Path) -> io::Result<()> {
        let Some(own) = &self.temporary else { return Ok(()) };
        let mut files = temporary();
        fs::rename(own, path)?;
        files.retain(|other| other != own);
        self.temporary = None;
        // The new name is on the disk when its directory is; file systems that cannot say so are left alone.
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
        Ok(())
    }
}

/// Puts files in their places, all of them or, if one cannot be written, none.
pub fn finish(mut files: Vec<AtomicFile>) -> io::Result<()> {
    files.iter_mut().try_for_each(AtomicFile::sync)?;
    files.into_iter().try_for_each(|file| {
        let path = file.path.clone();
        file.put(&path)
    })
}

/// Puts files beside their targets, which stay as they are; gives their names.
pub fn finish_beside(mut files: Vec<AtomicFile>) -> io::Result<Vec<PathBuf>> {
    files.iter_mut().try_for_each(AtomicFile::sync)?;
    let beside = files.into_iter().map(|file| {
        let (path, name) = (partial(&file.path), partial(&file.name));
        file.put(&path).map(|()| name)
    });
    beside.collect()
}

/// The name for what is not whole: `ads.partial.csv` for `ads.csv`.
fn partial(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default();
    let mut name = stem.to_owned();
    name.push(".partial");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(own) = self.temporary.take() {
            temporary().retain(|path| *path != own);
            let _ = fs::remove_file(own);
        }
    }
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write(bytes)?;
    finish(vec![file])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory for one test.
    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("windrow-pending-{}-{name}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    #[test]
    fn a_file_appears_when_it_is_finished() {
        let directory = directory("whole");
        let path = directory.join("out.json");
        fs::write(&path, "before").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write(b"after").unwrap();
        assert!(file.would_replace());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        finish(vec![file]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        let mut dropped = AtomicFile::create(&path).unwrap();
        dropped.write(b"never").unwrap();
        drop(dropped);
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "no temporary file is left");
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn what_is_not_whole_is_put_beside_the_target() {
        let directory = directory("partial");
        let path = directory.join("out.csv");
        fs::write(&path, "before").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write(b"half").unwrap();
        assert_eq!(finish_beside(vec![file]).unwrap(), [directory.join("out.partial.csv")]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_to_string(directory.join("out.partial.csv")).unwrap(), "half");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 2, "no temporary file is left");
        fs::remove_dir_all(&directory).unwrap();
        assert_eq!(partial(Path::new("a/ads")), Path::new("a/ads.partial"));
    }
}
