//! Content codings, as servers send them and as they should not.

use std::io::Write;
use std::time::SystemTime;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use http::header::{CONTENT_ENCODING, HeaderMap};
use http::{StatusCode, Version};
use windrow_fetch::{Answer, FetchError};

use crate::http_common::gzip;

const PAGE: &[u8] = b"<!doctype html><title>Oslo</title><p>Rome, Oslo, Rome</p>";
const LIMIT: u64 = 1 << 20;

/// `PAGE` as the reference implementations pack it.
const BROTLI: &str =
    "1b3800301c07eebe4b12fe92127d844a6f169ea739f9f602976c3e20e090433f007e4b24e1802a9fb95ca0f078cd4d63eacf5434a413";
const ZSTD: &str = "28b52ffd2439ad010032430b11b0b90177c7c9ee4cf14a557260eed2c9559784514f2c3cd5b0807a72c9c24f350e73d1fa52\
    f718a6b5e5063801007c284efac0dad4";
/// A hundred megabytes of zeros.
const BROTLI_BOMB: &str = "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f\
    0110870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c00d0bdffe3ffff1ffc1300715800\
    a07bffc7ffff3ff82700e2b00040f7fe8fffff7ff04f00c4610180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f0110870500baf77ff9\
    ffff837f02200e0b0074ef7f00";

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bare(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn content(codings: &[&str], body: impl Into<Bytes>, limit: u64) -> Result<Bytes, FetchError> {
    let mut headers = HeaderMap::new();
    for coding in codings {
        headers.append(CONTENT_ENCODING, coding.parse().unwrap());
    }
    let answer = Answer {
        url: "https://example.org/".parse().unwrap(),
        at: SystemTime::UNIX_EPOCH,
        address: None,
        version: Version::HTTP_11,
        status: StatusCode::OK,
        headers,
        body: body.into(),
    };
    answer.content(limit)
}

#[track_caller]
fn unpacks(codings: &[&str], body: impl Into<Bytes>) {
    assert_eq!(content(codings, body, LIMIT).expect("it unpacks"), PAGE, "{codings:?}");
}

#[track_caller]
fn fails(coding: &str, body: impl Into<Bytes>) -> String {
    let error = content(&[coding], body, LIMIT).expect_err("it does not unpack");
    assert!(matches!(error, FetchError::Coding { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn every_coding_is_undone() {
    unpacks(&[], PAGE);
    unpacks(&["gzip"], gzip(PAGE));
    unpacks(&["X-GZIP"], gzip(PAGE));
    unpacks(&["deflate"], zlib(PAGE));
    unpacks(&["deflate"], bare(PAGE));
    unpacks(&["br"], hex(BROTLI));
    unpacks(&["zstd"], hex(ZSTD));
    unpacks(&["zstd"], zstd(PAGE));
}

#[test]
fn lists_are_undone_from_the_end() {
    unpacks(&["br, gzip"], gzip(&hex(BROTLI)));
    unpacks(&["deflate", "identity", "gzip"], gzip(&zlib(PAGE)));
    unpacks(&[" gzip ,, gzip,"], gzip(&gzip(PAGE)));
    let mut deep = PAGE.to_vec();
    for _ in 0..5 {
        deep = gzip(&deep);
    }
    assert!(fails("gzip, gzip, gzip, gzip, gzip", deep).contains("more than 4 content codings"));
}

#[test]
fn pieces_follow_each_other() {
    let (first, second) = PAGE.split_at(20);
    unpacks(&["gzip"], [gzip(first), gzip(second)].concat());
    unpacks(&["gzip"], [gzip(PAGE), vec![0; 100]].concat());
    unpacks(&["zstd"], [zstd(first), zstd(second)].concat());
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &hex(ZSTD)].concat();
    unpacks(&["zstd"], skipped);
}

#[test]
fn what_is_already_plain_stays() {
    for coding in ["gzip", "x-gzip", "deflate", "br", "zstd", "utf-8", "none", "identity", "gzip, br"] {
        unpacks(&[coding], PAGE);
    }
    for coding in ["gzip", "deflate", "br", "zstd"] {
        assert!(content(&[coding], Bytes::new(), LIMIT).unwrap().is_empty(), "{coding}");
    }
    assert!(fails("compress", vec![0x1f, 0x9d, 0x90, 0]).contains("`compress` is unknown"));
}

#[test]
fn what_breaks_off_or_is_damaged_is_an_error() {
    let page = PAGE.repeat(50);
    let packed = [
        ("gzip", gzip(&page)),
        ("deflate", zlib(&page)),
        ("deflate", bare(&page)),
        ("br", hex(BROTLI)),
        ("zstd", hex(ZSTD)),
        ("zstd", zstd(&page)),
    ];
    for (coding, body) in packed {
        for length in 1..body.len() {
            let result = content(&[coding], body[..length].to_vec(), LIMIT);
            assert!(matches!(result, Err(FetchError::Coding { .. })), "{coding}, {length} bytes: {result:?}");
        }
        for at in 0..body.len() {
            let mut damaged = body.clone();
            damaged[at] ^= 0x10;
            // No panic; and what has a checksum shows all damage to the data itself.
            let result = content(&[coding], damaged, LIMIT);
            if coding == "gzip" && at >= 10 {
                assert!(result.is_err(), "{coding}, byte {at}");
            }
        }
    }
    let checksum = hex(ZSTD).len() - 1;
    let mut damaged = hex(ZSTD);
    damaged[checksum] ^= 1;
    assert!(fails("zstd", damaged).contains("checksum"));
}

#[test]
fn bombs_stop_at_the_bound() {
    let zeros = vec![0; 100 << 20];
    // Two hundred members, 20 GB in all.
    let bomb = gzip(&zeros).repeat(200);
    let bombs = [
        (vec!["gzip"], bomb.clone()),
        (vec!["deflate"], zlib(&zeros)),
        (vec!["deflate"], bare(&zeros)),
        (vec!["br"], hex(BROTLI_BOMB)),
        (vec!["zstd"], zstd(&zeros)),
        (vec!["gzip, gzip"], gzip(&bomb)),
    ];
    for (codings, body) in bombs {
        let result = content(&codings, body, LIMIT);
        assert!(matches!(result, Err(FetchError::TooLarge { limit: LIMIT, .. })), "{codings:?}: {result:?}");
    }
    // The bound itself fits.
    for body in [gzip(&zeros[..1000]), gzip(&zeros[..1001])] {
        let fits = content(&["gzip"], body, 1000).map(|content| content.len());
        assert!(matches!(fits, Ok(1000) | Err(FetchError::TooLarge { .. })), "{fits:?}");
    }
    assert_eq!(content(&["gzip"], gzip(&zeros[..1000]), 1000).unwrap().len(), 1000);
    assert!(content(&["gzip"], gzip(&zeros[..1001]), 1000).is_err());
    assert!(content(&[], vec![0; 1001], 1000).is_err());
}

#[test]
fn a_window_beyond_what_browsers_allow_is_refused() {
    // A frame that asks for 2 GiB of window before its first byte.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00];
    assert!(fails("zstd", frame.to_vec()).contains("indow"));
}
