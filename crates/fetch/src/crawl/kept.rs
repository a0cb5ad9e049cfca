//! Serialized answers in the state: a line of JSON with the headers, then the body as it was sent.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::answer::Answer;

#[derive(Serialize, Deserialize)]
struct Head {
    url: String,
    /// Milliseconds since 1970.
    at: u64,
    status: u16,
    /// Values as Latin-1, in which every byte is a character.
    headers: Vec<(String, String)>,
}

pub(super) fn write(answer: &Answer) -> Vec<u8> {
    let at = answer.at.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0));
    let latin = |value: &HeaderValue| value.as_bytes().iter().map(|&byte| char::from(byte)).collect();
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str().to_owned(), latin(value))).collect();
    let head = Head { url: answer.url.to_string(), at, status: answer.status.as_u16(), headers };
    let mut bytes = serde_json::to_vec(&head).expect("texts and numbers are JSON");
    bytes.push(b'\n');
    bytes.extend_from_slice(&answer.body);
    bytes
}

pub(super) fn read(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
    let mut headers = HeaderMap::new();
    for (name, value) in &head.headers {
        let value: Vec<u8> = value.chars().filter_map(|char| u8::try_from(u32::from(char)).ok()).collect();
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::from_bytes(&value)) {
            headers.append(name, value);
        }
    }
    Some(Answer {
        url: Url::parse(&head.url).ok()?,
        at: UNIX_EPOCH.checked_add(Duration::from_millis(head.at)).unwrap_or_else(SystemTime::now),
        address: None,
        version: Version::HTTP_11,
        status: StatusCode::from_u16(head.status).ok()?,
        headers,
        body: Bytes::copy_from_slice(&bytes[end + 1..]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut headers = HeaderMap::new();
        headers.append("set-cookie", HeaderValue::from_bytes(b"a=\xe9").unwrap());
        headers.append("set-cookie", HeaderValue::from_static("b=2"));
        let answer = Answer {
            url: Url::parse("https://example.org/a\u{fc}?x=1").unwrap(),
            at: UNIX_EPOCH + Duration::from_millis(1_763_283_661_123),
            address: None,
            version: Version::HTTP_11,
            status: StatusCode::NOT_FOUND,
            headers,
            body: Bytes::from_static(b"line\nline \xff"),
        };
        let again = read(&write(&answer)).unwrap();
        assert_eq!((&again.url, again.at, again.status), (&answer.url, answer.at, answer.status));
        assert_eq!((&again.headers, &again.body), (&answer.headers, &answer.body));
        assert!(read(b"").is_none());
        assert!(read(b"{}\n").is_none());
    }
}
