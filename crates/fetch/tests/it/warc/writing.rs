//! Writing: round trips, revisits, cutting back.

use std::fs;

use bytes::Bytes;
use expect_test::expect;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use proptest::prelude::*;
use windrow_fetch::Answer;
use windrow_fetch::warc::{Kind, Place, Reader, Writer, WriterConfig};

use super::{answer, url};

/// The answers of a file that are no revisits.
fn answers(path: &std::path::Path) -> Vec<Answer> {
    let mut reader = Reader::open(path).expect("the file is there");
    let mut answers = Vec::new();
    while let Some(record) = reader.next_record().expect("the file can be read") {
        answers.extend(record.answer().map(|answer| answer.expect("a good answer")));
    }
    assert_eq!(reader.notes(), &[]);
    answers
}

fn assert_same(found: &Answer, written: &Answer) {
    let mut headers = written.headers.clone();
    headers.remove("transfer-encoding");
    if !matches!(written.status.as_u16(), 100..200 | 204) {
        headers.insert("content-length", HeaderValue::from(written.body.len()));
    }
    assert_eq!(found.headers, headers);
    assert_eq!((found.status, &found.body, found.address), (written.status, &written.body, written.address));
    assert_eq!((found.version, found.at), (written.version, written.at));
}

#[test]
fn an_exchange_is_two_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default().with_software("a\nb")).expect("it can be written");
    let begin = writer.length();
    let mut asked = HeaderMap::new();
    asked.insert("user-agent", HeaderValue::from_static("windrow"));
    let headers = [("content-type", "text/html"), ("transfer-encoding", "chunked"), ("content-length", "7")];
    let page = answer("http://a.example:81/x?y=z#part", 200, &headers, "<p>page");
    let place = writer.exchange(&asked, &page).expect("it can be written");
    assert_eq!(place.offset(), begin);
    assert_eq!(writer.length(), fs::metadata(&path).expect("it is there").len());

    let mut reader = Reader::open(&path).expect("the file is there");
    let mut shown = String::new();
    while let Some(record) = reader.next_record().expect("the file can be read") {
        if record.kind() == Kind::Response {
            assert_eq!(record.place(), place);
        }
        for (name, value) in record.fields() {
            let changing = ["WARC-Record-ID", "WARC-Concurrent-To"].contains(&&*name);
            let now = name == "WARC-Date" && record.kind() == Kind::Warcinfo;
            shown += &if changing || now { format!("{name}: …\n") } else { format!("{name}: {value}\n") };
        }
        shown += &format!("\n{}\n", String::from_utf8_lossy(record.block()).replace('\r', ""));
    }
    expect![[r#"
        WARC-Type: warcinfo
        WARC-Record-ID: …
        WARC-Date: …
        WARC-Filename: a.warc.gz
        WARC-Block-Digest: sha1:CB4I362CP7HK4CMHZ4R2P6JXZHV27F44
        Content-Type: application/warc-fields
        Content-Length: 137

        software: a b
        format: WARC File Format 1.1
        conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/

        WARC-Type: response
        WARC-Record-ID: …
        WARC-Date: 2026-11-16T09:30:00.250Z
        WARC-Target-URI: http://a.example:81/x?y=z
        WARC-IP-Address: 192.0.2.1
        WARC-Block-Digest: sha1:VZUCQHVIS4ESM2TRJ3KHMMUUVP53DX3E
        WARC-Payload-Digest: sha1:UFOGXECONOSSSMZHRDQAQME7FZRCHU3G
        Content-Type: application/http; msgtype=response
        Content-Length: 70

        HTTP/1.1 200 OK
        content-type: text/html
        content-length: 7

        <p>page
        WARC-Type: request
        WARC-Record-ID: …
        WARC-Date: 2026-11-16T09:30:00.250Z
        WARC-Target-URI: http://a.example:81/x?y=z
        WARC-Concurrent-To: …
        WARC-Block-Digest: sha1:63B4BSUDA5GP2YCQNCISNVTICZPRNNJ3
        Content-Type: application/http; msgtype=request
        Content-Length: 64

        GET /x?y=z HTTP/1.1
        host: a.example:81
        user-agent: windrow


    "#]]
    .assert_eq(&shown);
    assert_same(&answers(&path)[0], &page);
}

#[test]
fn a_body_that_was_written_is_not_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default().with_revisits(true)).expect("it can be written");
    let body = "<p>the same, many times over".repeat(20);
    let asked = HeaderMap::new();
    let before = writer.length();
    writer.exchange(&asked, &answer("http://a.example/1", 200, &[], &body)).expect("it can be written");
    writer.exchange(&asked, &answer("http://a.example/2", 200, &[], &body)).expect("it can be written");
    writer.exchange(&asked, &answer("http://a.example/1", 304, &[("etag", "x")], "")).expect("it can be written");
    // What is cut off is forgotten, too.
    writer.truncate_to(before).expect("it was as long");
    writer.exchange(&asked, &answer("http://a.example/3", 200, &[], &body)).expect("it can be written");
    writer.exchange(&asked, &answer("http://a.example/4", 200, &[], &body)).expect("it can be written");
    writer.exchange(&asked, &answer("http://a.example/3", 304, &[("etag", "x")], "")).expect("it can be written");
    writer.sync().expect("it can be written");

    let mut reader = Reader::open(&path).expect("the file is there");
    let mut shown = String::new();
    while let Some(record) = reader.next_record().expect("the file can be read") {
        shown += &format!("{:?}", record.kind());
        for name in ["WARC-Target-URI", "WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"] {
            shown += &record.field(name).map(|value| format!(" {value}")).unwrap_or_default();
        }
        shown += "\n";
    }
    expect![[r#"
        Warcinfo
        Response http://a.example/3
        Request http://a.example/3
        Revisit http://a.example/4 http://netpreserve.org/warc/1.1/revisit/identical-payload-digest http://a.example/3 2026-11-16T09:30:00.250Z
        Request http://a.example/4
        Revisit http://a.example/3 http://netpreserve.org/warc/1.1/revisit/server-not-modified http://a.example/3
        Request http://a.example/3
    "#]].assert_eq(&shown);
}

#[test]
fn a_killed_writer_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let config = WriterConfig::default;
    let page = |number: u32| answer(&format!("http://a.example/{number}"), 200, &[], &number.to_string());
    let mut writer = Writer::append(&path, config()).expect("it can be written");
    writer.exchange(&HeaderMap::new(), &page(1)).expect("it can be written");
    let committed = writer.length();
    writer.exchange(&HeaderMap::new(), &page(2)).expect("it can be written");
    drop(writer);
    let file = fs::OpenOptions::new().write(true).open(&path).expect("the file is there");
    file.set_len(committed + 100).expect("it can be cut");

    let mut writer = Writer::append(&path, config()).expect("it can be written");
    assert_eq!(writer.length(), committed + 100);
    writer.truncate_to(committed).expect("it is longer");
    assert!(writer.truncate_to(committed + 1).is_err());
    writer.exchange(&HeaderMap::new(), &page(3)).expect("it can be written");
    let bodies: Vec<Bytes> = answers(&path).into_iter().map(|answer| answer.body).collect();
    assert_eq!(bodies, ["1", "3"]);
}

#[test]
fn a_rendered_page_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.warc.gz");
    let mut writer = Writer::create(&path, WriterConfig::default()).expect("it can be written");
    let place = writer.rendered(&answer("http://a.example/1", 200, &[], "<p>dom")).expect("it can be written");
    let mut reader = Reader::open(&path).expect("the file is there");
    reader.next_record().expect("the file can be read");
    let record = reader.next_record().expect("the file can be read").expect("a record");
    assert_eq!((record.place(), record.kind(), record.is_rendered()), (place, Kind::Resource, true));
    assert!(matches!(place, Place::File { .. }));
    let answer = record.answer().expect("an answer").expect("a good one");
    assert_eq!(answer.media_type().as_deref(), Some("text/html"));
    assert_eq!(&answer.body[..], b"<p>dom");
}

fn any_answer() -> impl Strategy<Value = Answer> {
    let headers = prop::collection::vec(("[a-z][a-z0-9-]{0,12}", "[ -~]{0,40}"), 0..6);
    let body = prop::collection::vec(any::<u8>(), 0..4000);
    (200..600_u16, headers, body, any::<bool>(), any::<[u8; 4]>(), 0..2_000_000_000_000_u64).prop_map(
        |(status, headers, body, second, address, millis)| {
            let headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.trim()))
                .filter(|(name, _)| *name != "transfer-encoding")
                .collect();
            let mut answer = answer("http://a.example/x", status, &headers, "");
            answer.version = if second { Version::HTTP_2 } else { Version::HTTP_10 };
            answer.address = Some(address.into());
            answer.at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(millis);
            answer.body = body.into();
            answer
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_answers_read_back(written in prop::collection::vec(any_answer(), 1..6), level in 0..10_u32) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.warc.gz");
        let mut writer = Writer::create(&path, WriterConfig::default().with_level(level)).expect("it can be written");
        let asked = HeaderMap::from_iter([(HeaderName::from_static("host"), HeaderValue::from_static("a.example"))]);
        let written: Vec<Answer> = written.into_iter().filter(|answer| answer.status != StatusCode::NOT_MODIFIED).collect();
        for answer in &written {
            writer.exchange(&asked, answer).expect("it can be written");
        }
        let found = answers(&path);
        prop_assert_eq!(found.len(), written.len());
        for (found, written) in found.iter().zip(&written) {
            assert_same(found, written);
            prop_assert_eq!(&found.url, &url("http://a.example/x"));
        }
    }
}
