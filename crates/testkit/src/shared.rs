//! Pages and suites that tests read: the corpus beside the repository, outside suites, and the repository's own pages.
//!
//! The shared folder is `../shared` beside the workspace, or the folder that `WINDROW_SHARED` names. Nothing of it is copied
//! into the repository. A test that finds a part missing reports it with [`not_checked`] and goes on with the repository's
//! own pages where that makes sense. Tests over many pages read a sample of them unless `WINDROW_TEST_ALL` is set.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The environment variable that names the shared folder when it is not `../shared` of the workspace root.
pub const VARIABLE: &str = "WINDROW_SHARED";

/// The environment variable that makes tests read every page instead of a sample.
pub const ALL_VARIABLE: &str = "WINDROW_TEST_ALL";

/// Returns whether tests read every page: `WINDROW_TEST_ALL` is set and not empty.
pub fn all() -> bool {
    std::env::var_os(ALL_VARIABLE).is_some_and(|value| !value.is_empty())
}

/// Finds the shared folder, or a part of it (`"corpus"`, `"suites/html5lib-tests"`), if it is there.
pub fn find(part: &str) -> Option<PathBuf> {
    let root = match std::env::var_os(VARIABLE) {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let path = root.join(part);
    path.exists().then_some(path)
}

/// Says that a part of the shared folder is missing: `not checked: corpus NAME (no DIR)`.
pub fn missing(part: &str) -> String {
    let name = match part.rsplit('/').next() {
        Some("corpus") | None => "pages",
        Some(name) => name,
    };
    let root = std::env::var_os(VARIABLE).map_or("../shared".into(), |root| root.to_string_lossy().into_owned());
    format!("not checked: corpus {name} (no {root}/{part})")
}

/// Prints [`missing`] on standard error, once for each part in a process.
#[expect(clippy::print_stderr, reason = "a test that checks less than it could has to say so")]
pub fn not_checked(part: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if reported.insert(part.to_owned()) {
        eprintln!("{}", missing(part));
    }
}

/// Lists all files with the extension below a folder, sorted by path.
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

/// Lists the pages of the corpus, sorted by path; `None` if the corpus is not there.
pub fn pages() -> Option<Vec<PathBuf>> {
    files(&find("corpus")?, "html").ok()
}

/// Lists the repository's own pages, `testdata/**/*.html`, sorted by path.
///
/// # Panics
///
/// If the folder cannot be read.
pub fn own_pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    files(&folder, "html").expect("the repository has testdata")
}

/// Lists the pages for a test that reads real pages: the repository's own, and one in `one_in` pages of the corpus.
///
/// Every page of the corpus is listed if [`all`] is set. A missing corpus is reported by [`not_checked`].
pub fn test_pages(one_in: usize) -> Vec<PathBuf> {
    let mut listed = own_pages();
    match (find("corpus"), pages()) {
        (Some(corpus), Some(pages)) => {
            let name = |page: &PathBuf| page.strip_prefix(&corpus).unwrap_or(page).to_string_lossy().into_owned();
            listed.extend(sample("pages", pages, one_in, name));
        }
        _ => not_checked("corpus"),
    }
    listed
}

/// Lists one in `one_in` pages below a part of the shared folder (`"corpus/lists"`), or all of them if [`all`] is set.
///
/// A missing part gives no pages and is reported by [`not_checked`].
///
/// # Panics
///
/// If the folder is there and has no page, or cannot be read.
pub fn sample_pages(part: &str, one_in: usize) -> Vec<PathBuf> {
    let Some(folder) = find(part) else {
        not_checked(part);
        return Vec::new();
    };
    let pages = files(&folder, "html").unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    assert!(!pages.is_empty(), "{} has no pages", folder.display());
    // One group: the folders of a corpus are pages or sites.
    sample(part, pages, one_in, |page| format!("/{}", page.strip_prefix(&folder).unwrap_or(page).display()))
}

/// Takes one item in `one_in`, the same ones in every run, and prints `NAME: sampled N of M`. Takes all if [`all`] is set.
///
/// `name` gives the path of an item below the corpus. Items are grouped by the first part of it, and at least one is taken
/// of each group, so that the sample covers every corpus. Within a group they are taken in the order of a hash of their
/// names: neighbours in a folder are often pages of one site, and much alike.
#[expect(clippy::print_stderr, reason = "a test that checks less than it could has to say so")]
pub fn sample<T>(what: &str, items: Vec<T>, one_in: usize, name: impl Fn(&T) -> String) -> Vec<T> {
    if all() || one_in <= 1 {
        return items;
    }
    let total = items.len();
    let sampled = take_sample(items, one_in, name);
    eprintln!("{what}: sampled {} of {total}", sampled.len());
    sampled
}

fn take_sample<T>(items: Vec<T>, one_in: usize, name: impl Fn(&T) -> String) -> Vec<T> {
    let mut groups: BTreeMap<String, Vec<(u64, usize)>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let name = name(item).replace('\\', "/");
        let group = name.split('/').next().unwrap_or_default().to_owned();
        groups.entry(group).or_default().push((hash(&name), at));
    }
    let mut taken = vec![false; items.len()];
    for mut group in groups.into_values() {
        group.sort_unstable();
        group.iter().step_by(one_in).for_each(|&(_, at)| taken[at] = true);
    }
    items.into_iter().zip(taken).filter_map(|(item, taken)| taken.then_some(item)).collect()
}

/// The 64-bit FNV-1a hash: the standard library's may change from one version to the next, and the sample with it.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Shortens a path to the form that reports use: below the shared folder or the repository, with forward slashes.
pub fn short_name(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    if let Some((_, below)) = text.rsplit_once("/../../testdata/") {
        return format!("testdata/{below}");
    }
    text.rsplit_once("/shared/").map_or(text.clone(), |(_, below)| below.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(group: &str, count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{group}/{number}/page.html")).collect()
    }

    #[test]
    fn a_sample_takes_its_share_of_every_corpus() {
        let items = [names("lists", 80), names("swde", 41), names("juris", 3)].concat();
        let sampled = take_sample(items.clone(), 8, String::clone);
        let of = |group: &str| sampled.iter().filter(|name| name.starts_with(group)).count();
        assert_eq!((of("lists/"), of("swde/"), of("juris/")), (10, 6, 1));
        assert_eq!(sampled, take_sample(items.clone(), 8, String::clone), "the same in every run");
        assert_eq!(take_sample(items.clone(), 1, String::clone), items);
    }

    #[test]
    fn a_sample_does_not_follow_the_order_of_names() {
        let sampled = take_sample(names("lists", 800), 8, String::clone);
        let every_eighth: Vec<String> = names("lists", 800).into_iter().step_by(8).collect();
        assert_eq!(sampled.len(), every_eighth.len());
        assert_ne!(sampled, every_eighth);
    }

    #[test]
    fn own_pages_are_named_by_their_folder() {
        let pages = own_pages();
        assert!(pages.len() >= 50, "{} pages", pages.len());
        assert!(pages.iter().all(|page| short_name(page).starts_with("testdata/")));
    }
}
