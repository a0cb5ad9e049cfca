//! Saving files below the folder in which the studio was started; files are written nowhere else.
//!
//! A name must not contain `..`, and its path must not contain a link that leads out of the folder. Files are written
//! atomically: under a temporary name in the same folder, and then renamed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::failure::Refused;

/// Longest name in bytes.
const LONGEST: usize = 1_000;

/// Returns the path of a name below the folder, creating its parent folders.
pub(crate) fn place(folder: &Path, name: &str) -> Result<PathBuf, Refused> {
    let outside = |why: &str| {
        let refused = Refused::unfit("studio::outside", format!("`{name}` cannot be written: {why}"));
        refused.with_help("choose a name below the folder in which the studio was started")
    };
    if name.trim().is_empty() || name.len() > LONGEST || name.contains('\0') {
        return Err(outside("it is not a valid file name"));
    }
    let folder = folder.canonicalize().map_err(|error| outside(&error.to_string()))?;
    let given = Path::new(name);
    let below = if given.is_absolute() {
        given.strip_prefix(&folder).map_err(|_| outside("it is outside the folder"))?
    } else {
        given
    };
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !below.components().all(plain) || !below.components().any(|part| matches!(part, Component::Normal(_))) {
        return Err(outside("it is outside the folder"));
    }
    let path = folder.join(below);
    let around = path.parent().ok_or_else(|| outside("it is not a valid file name"))?;
    // The existing part of the path must not contain a link to elsewhere; newly created folders are not links.
    let there = around.ancestors().find(|part| part.exists()).unwrap_or(&folder);
    let real = there.canonicalize().map_err(|error| outside(&error.to_string()))?;
    if !real.starts_with(&folder) {
        return Err(outside("a link leads out of the folder"));
    }
    fs::create_dir_all(around).map_err(|error| outside(&error.to_string()))?;
    match around.canonicalize() {
        Ok(real) if real.starts_with(&folder) => Ok(path),
        _ => Err(outside("a link leads out of the folder")),
    }
}

/// Treatment of an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExistingFile {
    Keep,
    Replace,
}

impl From<bool> for ExistingFile {
    fn from(replace: bool) -> ExistingFile {
        if replace { ExistingFile::Replace } else { ExistingFile::Keep }
    }
}

/// Checks that a file may be written here.
pub(crate) fn check(path: &Path, there: ExistingFile) -> Result<(), Refused> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if !found.is_file() {
        return Err(Refused::unfit("studio::no_file", format!("`{}` exists and is not a file", path.display())));
    }
    match there {
        ExistingFile::Replace => Ok(()),
        ExistingFile::Keep => Err(exists(path)),
    }
}

fn exists(path: &Path) -> Refused {
    let refused = Refused::unfit("studio::exists", format!("`{}` already exists", path.display()));
    refused.with_help("choose another name, or allow it to be replaced")
}

/// Writes a file atomically.
pub(crate) fn write(path: &Path, bytes: &[u8], there: ExistingFile) -> Result<(), Refused> {
    check(path, there)?;
    let unwritable =
        |error: io::Error| Refused::unfit("output::unwritable", format!("cannot write `{}`: {error}", path.display()));
    let (temporary, mut file) = beside(path).map_err(unwritable)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| match there {
        ExistingFile::Replace => fs::rename(&temporary, path),
        // Unlike renaming, linking fails if the file was created in the meantime.
        ExistingFile::Keep => fs::hard_link(&temporary, path).and_then(|()| fs::remove_file(&temporary)),
    });
    done.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        if error.kind() == io::ErrorKind::AlreadyExists { exists(path) } else { unwritable(error) }
    })
}

/// Creates a temporary file in the same folder.
fn beside(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = name.chars().take(60).collect();
    let mut attempt = 0;
    loop {
        let other = path.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&other) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            file => return file.map(|file| (other, file)),
        }
    }
}

/// Returns a path relative to the folder, for display.
pub(crate) fn told(folder: &Path, path: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.strip_prefix(&folder).unwrap_or(path).display().to_string()
}
