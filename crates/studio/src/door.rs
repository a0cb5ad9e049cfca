//! A private file that leads a browser to the studio.
//!
//! Whoever opens a browser names the address in the arguments of a process, which every user of the machine can read. So
//! the address with its token stands in a file that only its owner can read, and the browser is given the file's name. The
//! file is removed when the first call with the token has come, or when the studio ends.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file, removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Door {
    folder: PathBuf,
    file: PathBuf,
}

impl Door {
    /// Writes the file below `parent`, in a folder of its own whose name has `random` in it.
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
        // From here on, dropping it removes what is there.
        let door = Door { folder, file };
        let html = format!(
            "<!doctype html>\n<meta charset=utf-8><meta name=referrer content=no-referrer>\n\
             <meta http-equiv=refresh content=\"0;url={address}\"><title>Windrow studio</title>\n\
             <p><a href=\"{address}\">Open the studio</a>\n"
        );
        options.open(&door.file)?.write_all(html.as_bytes())?;
        Ok(door)
    }

    /// The file's path, which may be shown to anybody.
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
