//! Files below the folder that the studio was started in: nowhere else is anything written.
//!
//! A name may not climb, and what it leads through may not be a link that leads out. A file appears whole or not at all: it
//! is written beside its place under another name, and then renamed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::failure::Refused;

/// Bytes of a name.
const LONGEST: usize = 1_000;

/// A place below the folder; what is around it is there afterwards.
pub(crate) fn place(folder: &Path, name: &str) -> Result<PathBuf, Refused> {
    let outside = |why: &str| {
        let refused = Refused::unfit("studio::outside", format!("`{name}` cannot be written: {why}"));
        refused.with_help("files are written below the folder that the studio was started in: name one in there")
    };
    if name.trim().is_empty() || name.len() > LONGEST || name.contains('\0') {
        return Err(outside("it is no name of a file"));
    }
    let folder = folder.canonicalize().map_err(|error| outside(&error.to_string()))?;
    let given = Path::new(name);
    let below = match given.is_absolute() {
        true => given.strip_prefix(&folder).map_err(|_| outside("it is outside the folder"))?,
        false => given,
    };
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !below.components().all(plain) || !below.components().any(|part| matches!(part, Component::Normal(_))) {
        return Err(outside("it leads out of the folder"));
    }
    let path = folder.join(below);
    let around = path.parent().ok_or_else(|| outside("it is no name of a file"))?;
    // The part of the way that is there must not be a link to elsewhere; what is made behind it is none.
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

/// What may be done with a file that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum There {
    Stays,
    IsReplaced,
}

impl From<bool> for There {
    fn from(replace: bool) -> There {
        if replace { There::IsReplaced } else { There::Stays }
    }
}

/// Says whether a file may be written here.
pub(crate) fn check(path: &Path, there: There) -> Result<(), Refused> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if !found.is_file() {
        return Err(Refused::unfit("studio::no_file", format!("`{}` is there and is no file", path.display())));
    }
    match there {
        There::IsReplaced => Ok(()),
        There::Stays => Err(exists(path)),
    }
}

fn exists(path: &Path) -> Refused {
    let refused = Refused::unfit("studio::exists", format!("`{}` is there already", path.display()));
    refused.with_help("give it another name, or say that it may be replaced")
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8], there: There) -> Result<(), Refused> {
    check(path, there)?;
    let unwritable =
        |error: io::Error| Refused::unfit("output::unwritable", format!("cannot write `{}`: {error}", path.display()));
    let (temporary, mut file) = beside(path).map_err(unwritable)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| match there {
        There::IsReplaced => fs::rename(&temporary, path),
        // Unlike renaming, linking fails if somebody was quicker.
        There::Stays => fs::hard_link(&temporary, path).and_then(|()| fs::remove_file(&temporary)),
    });
    done.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        match error.kind() == io::ErrorKind::AlreadyExists {
            true => exists(path),
            false => unwritable(error),
        }
    })
}

/// A new file beside another.
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

/// A path as it is told: from the folder on.
pub(crate) fn told(folder: &Path, path: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.strip_prefix(&folder).unwrap_or(path).display().to_string()
}
