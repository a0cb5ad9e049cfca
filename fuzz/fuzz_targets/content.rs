//! Bytes to a body with content codings: unpacked within the bound, and what is given is given twice alike.
#![no_main]

use std::time::SystemTime;

use http::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};
use http::{StatusCode, Version};
use libfuzzer_sys::fuzz_target;
use windrow_fetch::{Answer, FetchError};

const LIMIT: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the codings, the rest is the body.
    let Some((&choice, body)) = data.split_first() else { return };
    let codings = ["gzip", "deflate", "br", "zstd", "x-gzip, identity", "br, gzip", "deflate, zstd", "none"];
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static(codings[usize::from(choice) % codings.len()]));
    let answer = Answer {
        url: "https://example.org/".parse().expect("an address"),
        at: SystemTime::UNIX_EPOCH,
        address: None,
        version: Version::HTTP_11,
        status: StatusCode::OK,
        headers,
        body: body.to_vec().into(),
    };
    match answer.content(LIMIT) {
        Ok(content) => {
            assert!(content.len() as u64 <= LIMIT);
            assert_eq!(answer.content(LIMIT).expect("the same again"), content);
            // What fits in its own length fits no tighter bound.
            if let Some(tighter) = (content.len() as u64).checked_sub(1) {
                assert!(matches!(answer.content(tighter), Err(FetchError::TooLarge { .. })));
            }
        }
        Err(FetchError::TooLarge { .. } | FetchError::Coding { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});
