//! A private file that opens the studio in a browser.
//!
//! Starting a browser puts the address into the arguments of a process, which every user of the machine can read. The
//! address with its token is therefore written to a file that only its owner can read, and the browser gets the file's
//! name. The file is removed at the first call with the token, or when the studio ends.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file, which is removed when dropped.
#[derive(Debug)]
pub(crate) struct Door {
    folder: PathBuf,
    file: PathBuf,
}

impl Door {
    /// Writes the file below `parent`, in a new folder whose name contains `random`.
    pub(crate) fn write(parent: &Path, random: &str, address: &str) -> io::Result<Door> {
        let folder = parent.join(format!("windrow-studio-{random}"));
        let mut builder = DirBuilder::new();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        builder.create(&folder)?;
        let file = folder.join("open.html");
        // From here on, dropping the door removes what exists.
        let door = Door { folder, file };
        let html = format!(
            "<!doctype html>\n<meta charset=utf-8><meta name=referrer content=no-referrer>\n\
             <meta http-equiv=refresh content=\"0;url={address}\"><title>Windrow studio</title>\n\
             <p><a href=\"{address}\">Open the studio</a>\n"
        );
        options.open(&door.file)?.write_all(html.as_bytes())?;
        Ok(door)
    }

    /// Returns the file's path, which need not be kept secret.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
        let _ = std::fs::remove_dir(&self.folder);
    }
}
