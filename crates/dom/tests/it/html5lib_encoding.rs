//! html5lib's encoding cases: the encoding that a page declares.
//!
//! The suite falls back to windows-1252 if nothing is declared. Windrow detects the encoding from the bytes instead,
//! and valid UTF-8 overrides a declaration that contradicts it, so the declaration it found is compared, not its
//! choice.

use std::fs;

use windrow_dom::{Document, EncodingReason, ParseOptions};
use windrow_testkit::html5lib::SUITE;
use windrow_testkit::tally::Tally;
use windrow_testkit::{dat, shared};

use crate::known;

/// Returns the declared encoding, or the suite's fallback.
fn declared(bytes: &[u8]) -> &'static str {
    let document = Document::from_bytes(bytes, &ParseOptions::default());
    let decision = document.encoding();
    match (decision.because, decision.overruled) {
        (_, Some(declared)) => declared,
        (EncodingReason::ValidUtf8 | EncodingReason::Detected, None) => "windows-1252",
        _ => decision.name,
    }
}

#[test]
fn all_encoding_cases() {
    let Some(folder) = shared::find(SUITE).map(|suite| suite.join("encoding")) else {
        shared::not_checked(SUITE);
        return;
    };
    let mut tally = Tally::new(known::ENCODING);
    for path in shared::files(&folder, "dat").expect("the suite's folder can be read") {
        let file = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
        for case in dat::read(&fs::read(&path).expect("the suite's files can be read")) {
            let found = declared(&case.data);
            tally.count(&format!("{file}:{}", case.number), found.eq_ignore_ascii_case(&case.expected), || {
                let start = String::from_utf8_lossy(&case.data[..case.data.len().min(300)]).into_owned();
                format!("{start}\nexpected {}, found {found}", case.expected)
            });
        }
    }
    eprintln!("html5lib encoding: {}", tally.summary());
    let complaints = tally.complaints();
    assert!(complaints.is_empty(), "{}\n{complaints}", tally.summary());
}
