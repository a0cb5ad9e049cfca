//! Archives: what is written is read, damage costs what is damaged, replay answers.

mod lists;
mod reading;
mod replaying;
mod warcio;
mod writing;

use std::io::Write;
use std::net::IpAddr;
use std::time::{Duration, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use url::Url;
use windrow_fetch::Answer;
use windrow_fetch::warc::{Note, Reader};

/// One gzip member.
fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

/// A record as text.
fn record(kind: &str, url: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-16T09:30:00Z\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response of status 200 with an HTML body.
fn html(url: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    record("response", url, "Content-Type: application/http; msgtype=response\r\n", block.as_bytes())
}

/// Contents of a file: each record's kind, address and block, and the notes.
fn read(bytes: &[u8]) -> (Vec<String>, Vec<Note>) {
    let mut reader = Reader::new(bytes);
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().expect("memory does not fail") {
        let target = record.field("WARC-Target-URI").unwrap_or_default().into_owned();
        records.push(format!("{:?} {target} {}", record.kind(), String::from_utf8_lossy(record.block())));
    }
    (records, reader.notes().to_vec())
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

fn answer(address: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a header's name");
        map.append(name, HeaderValue::from_str(value).expect("a header's value"));
    }
    Answer {
        url: url(address),
        at: UNIX_EPOCH + Duration::from_millis(1_794_821_400_250),
        address: Some(IpAddr::from([192, 0, 2, 1])),
        version: Version::HTTP_11,
        status: StatusCode::from_u16(status).expect("a status"),
        headers: map,
        body: body.as_bytes().to_vec().into(),
    }
}
