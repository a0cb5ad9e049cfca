//! One feed for each format, in `testdata/feeds`, with the expected result beside it.

use std::path::Path;

use expect_test::expect_file;

use crate::{outline, read};

#[test]
fn every_format_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/feeds");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "xml" || extension == "json"));
    files.sort();
    assert!(files.len() >= 10, "{} feeds", files.len());
    for file in files {
        let expected = file.canonicalize().unwrap().with_extension("txt");
        expect_file![expected].assert_eq(&outline(&read(std::fs::read(&file).unwrap())));
    }
}
