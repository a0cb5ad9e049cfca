//! html5lib's cases as they are to be run: every tree case in the scripting modes it is meant for.

use std::fs;

use crate::{dat, shared, tokenizer_tests};

/// Path of the suite in the shared folder.
pub const SUITE: &str = "suites/html5lib-tests";

/// One run of a tree construction case.
#[derive(Debug, Clone)]
pub struct TreeRun {
    /// `tests1.dat:12`, with `+script` if scripting is on.
    pub name: String,
    /// The page or fragment.
    pub html: String,
    /// The context element of a fragment.
    pub context: Option<String>,
    /// True if scripting is enabled.
    pub scripting: bool,
    /// The tree.
    pub expected: String,
}

/// All runs of the tree construction cases; none if the suite is not there.
pub fn tree_runs() -> Option<Vec<TreeRun>> {
    let folder = shared::find(SUITE)?.join("tree-construction");
    let mut runs = Vec::new();
    for path in shared::files(&folder, "dat").ok()? {
        let file = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        for case in dat::read(&fs::read(&path).ok()?) {
            let modes: &[bool] = match case.scripting {
                Some(true) => &[true],
                Some(false) => &[false],
                None => &[false, true],
            };
            for &scripting in modes {
                runs.push(TreeRun {
                    name: format!("{file}:{}{}", case.number, if scripting { "+script" } else { "" }),
                    // The suite is UTF-8 throughout.
                    html: String::from_utf8_lossy(&case.data).into_owned(),
                    context: case.fragment.clone(),
                    scripting,
                    expected: case.expected.clone(),
                });
            }
        }
    }
    Some(runs)
}

/// All tokenizer cases with the file they are from and their position in it; none if the suite is not there.
pub fn tokenizer_runs() -> Option<Vec<(String, tokenizer_tests::TokenizerCase)>> {
    let folder = shared::find(SUITE)?.join("tokenizer");
    let mut runs = Vec::new();
    for path in shared::files(&folder, "test").ok()? {
        let file = path.file_name()?.to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).ok()?;
        let cases = tokenizer_tests::read(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        runs.extend(cases.into_iter().enumerate().map(|(at, case)| (format!("{file}:{}", at + 1), case)));
    }
    Some(runs)
}
