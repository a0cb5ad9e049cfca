//! The folder beside the repository: corpus pages and outside suites.
//!
//! Tests that need it look here first and say so when it is not there; nothing of it is copied into the repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder when it is not `../shared` of the workspace root.
pub const VARIABLE: &str = "WINDROW_SHARED";

/// The shared folder, or a part of it (`"corpus"`, `"suites/html5lib-tests"`), if it is there.
pub fn find(part: &str) -> Option<PathBuf> {
    let root = match std::env::var_os(VARIABLE) {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let path = root.join(part);
    path.exists().then_some(path)
}

/// What to print when a part is missing.
pub fn missing(part: &str) -> String {
    format!("skipped: no ../shared/{part} beside the workspace (set {VARIABLE} to where it is)")
}

/// All files with the extension below a folder, sorted by path.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The pages of the corpus, sorted by path; none if the corpus is not there.
pub fn pages() -> Option<Vec<PathBuf>> {
    files(&find("corpus")?, "html").ok()
}

/// A path as reports name it: below the shared folder, with forward slashes.
pub fn short_name(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    text.rsplit_once("/shared/").map_or(text.clone(), |(_, below)| below.to_owned())
}
