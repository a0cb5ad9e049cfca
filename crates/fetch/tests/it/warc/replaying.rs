//! Replay: which answer is given, revisits, files that are compressed as a whole, damage, threads.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use http::HeaderMap;
use windrow_fetch::warc::{Replay, WarcError, Writer, WriterConfig};

use super::{answer, html, member, record, url};

fn write(folder: &Path, name: &str, parts: &[Vec<u8>]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, parts.concat()).expect("it can be written");
    path
}

/// A response at a time, in seconds after a full hour.
fn response(address: &str, second: u32, status: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status}\r\nX: {second}\r\n\r\n{body}");
    let text = record("response", address, "", block.as_bytes());
    let text = String::from_utf8(text).expect("text");
    text.replace("09:30:00Z", &format!("09:30:{second:02}Z")).into_bytes()
}

fn check(replay: &Replay, address: &str, expected: Expect) {
    let shown = match replay.get(&url(address)).expect("the files are there") {
        Some(answer) => format!("{} {}", answer.status.as_u16(), String::from_utf8_lossy(&answer.body)),
        None => "none".to_owned(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn the_last_good_answer_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let parts = [
        response("http://a.example/1", 3, "200 OK", "third"),
        response("http://a.example/1", 2, "200 OK", "second"),
        response("http://a.example/1", 5, "301 Moved", "moved"),
        response("http://a.example/1", 6, "500 No", "failed"),
        response("http://a.example/2", 1, "302 Found", "moved"),
        response("http://a.example/2", 2, "404 No", "missing"),
        response("http://a.example/3", 1, "404 No", "earlier"),
        response("http://a.example/3", 1, "503 No", "later"),
    ];
    let others = [response("http://a.example/1", 3, "200 OK", "third, in another file")];
    let first = write(folder.path(), "a.warc", &parts);
    let second = write(folder.path(), "b.warc.gz", &others.map(|part| member(&part)));
    let replay = Replay::open(&[&first]).expect("the file is there");
    assert_eq!(replay.len(), 3);
    check(&replay, "http://a.example/1", expect!["200 third"]);
    check(&replay, "http://A.example:80/1#part", expect!["200 third"]);
    check(&replay, "https://a.example/1", expect!["200 third"]);
    check(&replay, "http://a.example/2", expect!["302 moved"]);
    check(&replay, "http://a.example/3", expect!["503 later"]);
    check(&replay, "http://a.example/1/", expect!["none"]);
    check(&replay, "file:///a", expect!["none"]);
    let asked = url("https://a.example/1#x");
    assert_eq!(replay.get(&asked).expect("the file is there").expect("an answer").url, asked);
    let replay = Replay::open(&[&first, &second]).expect("the files are there");
    check(&replay, "http://a.example/1", expect!["200 third, in another file"]);
}

#[test]
fn revisits_have_the_body_of_another_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default().with_revisits(true)).expect("it can be written");
    for (address, status, body) in [
        ("http://a.example/1", 200, "body"),
        ("http://a.example/2", 200, "body"),
        ("http://a.example/1", 304, ""),
        ("http://a.example/3", 304, ""),
    ] {
        let answer = answer(address, status, &[("x", address)], body);
        writer.exchange(&HeaderMap::new(), &answer).expect("it can be written");
    }
    // By the address alone, and to nothing.
    let by_address = "WARC-Refers-To-Target-URI: http://a.example/1\r\n";
    let more = [
        record("revisit", "http://a.example/4", by_address, b""),
        record("revisit", "http://a.example/5", "WARC-Payload-Digest: sha1:NONE\r\n", b"HTTP/1.1 200 OK\r\n\r\n"),
    ];
    let more = write(folder.path(), "b.warc", &more);
    let replay = Replay::open(&[&path, &more]).expect("the files are there");
    check(&replay, "http://a.example/1", expect!["200 body"]);
    check(&replay, "http://a.example/2", expect!["200 body"]);
    check(&replay, "http://a.example/3", expect!["304 "]);
    check(&replay, "http://a.example/4", expect!["200 body"]);
    check(&replay, "http://a.example/5", expect!["none"]);
    let second = replay.get(&url("http://a.example/2")).expect("the file is there").expect("an answer");
    assert_eq!(second.header("x"), Some("http://a.example/2"));
}

#[test]
fn a_file_that_is_compressed_as_a_whole_is_unpacked_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages: Vec<Vec<u8>> =
        (0..50).map(|number| html(&format!("http://a.example/{number}"), &format!("body {number}"))).collect();
    let path = write(folder.path(), "a.warc.gz", &[member(&pages.concat())]);
    let replay = Replay::open(&[&path]).expect("the file is there");
    check(&replay, "http://a.example/0", expect!["200 body 0"]);
    check(&replay, "http://a.example/49", expect!["200 body 49"]);
}

#[test]
fn a_rendered_page_is_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default()).expect("it can be written");
    writer.exchange(&HeaderMap::new(), &answer("http://a.example/1", 200, &[], "sent")).expect("it can be written");
    writer.rendered(&answer("http://a.example/1", 200, &[], "rendered")).expect("it can be written");
    writer.rendered(&answer("http://a.example/2", 200, &[], "only rendered")).expect("it can be written");
    let replay = Replay::open(&[&path]).expect("the file is there");
    check(&replay, "http://a.example/1", expect!["200 sent"]);
    check(&replay, "http://a.example/2", expect!["200 only rendered"]);
    let rendered = replay.rendered(&url("http://a.example/1")).expect("the file is there").expect("a page");
    assert_eq!(&rendered.body[..], b"rendered");
}

#[test]
fn what_is_no_archive_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "a.warc.gz", &[b"<html>".to_vec()]);
    assert!(matches!(Replay::open(&[&path]), Err(WarcError::NoRecords { .. })));
    assert!(matches!(Replay::open(&[folder.path().join("none.warc")]), Err(WarcError::Unreadable { .. })));
    // A file that is another one by now.
    let path = write(
        folder.path(),
        "b.warc.gz",
        &[member(&html("http://a.example/0", "0")), member(&html("http://a.example/1", "1"))],
    );
    let replay = Replay::open(&[&path]).expect("the file is there");
    fs::write(&path, b"gone").expect("it can be written");
    assert!(matches!(replay.get(&url("http://a.example/1")), Err(WarcError::NoRecordThere { .. })));
}

#[test]
fn threads_share_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages: Vec<Vec<u8>> =
        (0..40).map(|number| member(&html(&format!("http://a.example/{number}"), &number.to_string()))).collect();
    let path = write(folder.path(), "a.warc.gz", &pages);
    let replay = Replay::open(&[&path]).expect("the file is there");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let replay = &replay;
            scope.spawn(move || {
                for turn in 0..200 {
                    let number = (turn * 7 + thread) % 40;
                    let answer = replay.get(&url(&format!("http://a.example/{number}"))).expect("the file is there");
                    assert_eq!(answer.expect("an answer").body, number.to_string());
                }
            });
        }
    });
}
