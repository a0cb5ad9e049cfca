//! Parsing of a server's answer: status line, headers, body.
//!
//! Accepts what browsers accept: bare line feeds, folded lines, invalid lines, repeated headers, status lines without a
//! reason or of HTTP/2, and interim answers before the real one. Chunked encoding is undone, unless the program that
//! wrote the archive already did that and kept the header.

use std::borrow::Cow;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{StatusCode, Version, header};

/// Error of parsing a record's block as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum BadAnswer {
    /// The block does not begin with a status line.
    #[error("the record does not begin with a status line")]
    #[diagnostic(code(warc::no_status))]
    NoStatus,
    /// The headers are too long.
    #[error("the record's answer has more than {} bytes of headers", LONGEST)]
    #[diagnostic(code(warc::long_headers))]
    LongHeaders,
}

/// Largest size of status line and headers in bytes. Servers and browsers stop at a tenth of this.
const LONGEST: usize = 1 << 20;

pub(super) struct Response<'a> {
    pub(super) version: Version,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Cow<'a, [u8]>,
}

/// Parses an answer.
pub(super) fn read(block: &[u8]) -> Result<Response<'_>, BadAnswer> {
    let mut response = read_head(block)?;
    undo_chunks(&mut response);
    Ok(response)
}

/// Parses only an answer's status.
pub(super) fn status(block: &[u8]) -> Option<u16> {
    Some(read_head(block).ok()?.status.as_u16())
}

/// Parses up to the body, which is left as it is.
fn read_head(block: &[u8]) -> Result<Response<'_>, BadAnswer> {
    let mut lines = Lines { rest: block, left: LONGEST };
    loop {
        // Servers that count wrongly leave line ends of the preceding answer.
        let first = loop {
            match lines.next()? {
                Some([]) => {}
                Some(line) => break line,
                None => return Err(BadAnswer::NoStatus),
            }
        };
        let (version, status) = status_line(first).ok_or(BadAnswer::NoStatus)?;
        let headers = read_headers(&mut lines)?;
        if status.is_informational() && status != StatusCode::SWITCHING_PROTOCOLS && lines.rest.starts_with(b"HTTP/") {
            continue;
        }
        return Ok(Response { version, status, headers, body: Cow::Borrowed(lines.rest) });
    }
}

/// Lines of a header without their ends, up to a limit.
struct Lines<'a> {
    rest: &'a [u8],
    left: usize,
}

impl<'a> Lines<'a> {
    /// Returns the next line; `None` at the end of the block.
    fn next(&mut self) -> Result<Option<&'a [u8]>, BadAnswer> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let window = &self.rest[..self.rest.len().min(self.left)];
        let (line, length) = match window.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&window[..end], end + 1),
            None if window.len() < self.rest.len() => return Err(BadAnswer::LongHeaders),
            None => (window, window.len()),
        };
        self.rest = &self.rest[length..];
        self.left -= length;
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

/// Parses a status line such as `HTTP/1.1 200 OK`, `HTTP/2 200` or `ICY 200`.
fn status_line(line: &[u8]) -> Option<(Version, StatusCode)> {
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    let version = match words.next()? {
        b"HTTP/0.9" => Version::HTTP_09,
        b"HTTP/1.0" | b"HTTP/1" | b"ICY" => Version::HTTP_10,
        b"HTTP/2" | b"HTTP/2.0" => Version::HTTP_2,
        b"HTTP/3" | b"HTTP/3.0" => Version::HTTP_3,
        other if other.starts_with(b"HTTP/") || other == b"HTTP" => Version::HTTP_11,
        _ => return None,
    };
    let status = words.next()?;
    // Real archives contain `200OK`, `200,` and the like.
    Some((version, StatusCode::from_bytes(status.get(..3)?).ok()?))
}

/// Reads headers up to the blank line, or to the end of the block.
fn read_headers(lines: &mut Lines<'_>) -> Result<HeaderMap, BadAnswer> {
    let mut headers = HeaderMap::new();
    let mut last: Option<(HeaderName, Vec<u8>)> = None;
    loop {
        let line = lines.next()?.unwrap_or_default();
        if let [b' ' | b'\t', ..] = line
            && let Some((_, value)) = &mut last
            && !line.trim_ascii().is_empty()
        {
            value.push(b' ');
            value.extend_from_slice(line.trim_ascii());
            continue;
        }
        if let Some((name, value)) = last.take()
            && let Ok(value) = HeaderValue::from_maybe_shared(bytes::Bytes::from(value))
        {
            // The map accepts at most 32,768 headers; the rest is dropped.
            let _ = headers.try_append(name, value);
        }
        if line.is_empty() {
            return Ok(headers);
        }
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { continue };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        last = HeaderName::from_bytes(name).ok().map(|name| (name, value.to_vec()));
    }
}

/// Joins chunks, if the headers announce them and the body looks chunked.
fn undo_chunks(response: &mut Response<'_>) {
    let codings = response.headers.get_all(header::TRANSFER_ENCODING).iter();
    let chunked = codings
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.rsplit(',').next().is_some_and(|coding| coding.trim().eq_ignore_ascii_case("chunked")));
    if !chunked {
        return;
    }
    response.headers.remove(header::TRANSFER_ENCODING);
    if let Some(whole) = unchunked(&response.body) {
        response.body = Cow::Owned(whole);
    }
}

/// Returns the joined chunks; `None` if the first one is invalid. If a later one is incomplete, the data up to there is
/// kept.
fn unchunked(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(body.len());
    let mut rest = body;
    let mut first = true;
    while let Ok(httparse::Status::Complete((begin, size))) = httparse::parse_chunk_size(rest) {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if size == 0 {
            return Some(whole);
        }
        let data = rest.get(begin..).unwrap_or_default();
        let chunk = data.get(..size).unwrap_or(data);
        whole.extend_from_slice(chunk);
        rest = &data[chunk.len()..];
        match rest {
            [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => rest = after,
            [] | [b'\r'] => return Some(whole),
            // The body was already joined and begins with a number by chance.
            _ if first => return None,
            _ => return Some(whole),
        }
        first = false;
    }
    (!first).then_some(whole)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(block: &str, expected: Expect) {
        let shown = match read(block.as_bytes()) {
            Ok(response) => {
                let headers = response.headers.iter().map(|(name, value)| format!("{name}: {value:?}\n"));
                let body = String::from_utf8_lossy(&response.body);
                format!("{:?} {}\n{}\n{body}", response.version, response.status.as_u16(), headers.collect::<String>())
            }
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn an_ordinary_answer() {
        check(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n<p>x\n\ny",
            expect![[r#"
                HTTP/1.1 200
                content-type: "text/html"
                set-cookie: "a=1"
                set-cookie: "b=2"

                <p>x

                y"#]],
        );
    }

    #[test]
    fn line_feeds_folds_and_lines_that_are_no_headers() {
        check(
            "\r\nHTTP/2 404\nContent-Type : text/html;\n  charset=utf-8\nnonsense\nbad name: x\nServer:\n\nbody",
            expect![[r#"
                HTTP/2.0 404
                content-type: "text/html; charset=utf-8"
                server: ""

                body"#]],
        );
    }

    #[test]
    fn an_interim_answer_is_passed_over() {
        check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200OK\r\n\r\nbody", expect!["HTTP/1.0 200\n\nbody"]);
    }

    #[test]
    fn what_is_no_answer() {
        for block in ["", "\r\n", "<html>", "HTTP/1.1 OK", "HTTP/1.1 20", "GET / HTTP/1.1\r\n\r\n"] {
            check(block, expect!["the record does not begin with a status line"]);
        }
        let long = format!("HTTP/1.1 200 OK\r\nA: {}\r\n\r\n", "x".repeat(LONGEST));
        check(&long, expect!["the record's answer has more than 1048576 bytes of headers"]);
    }

    #[test]
    fn the_header_may_be_all_there_is() {
        check("HTTP/1.1 301 Moved\r\nLocation: /a", expect!["HTTP/1.1 301\nlocation: \"/a\"\n\n"]);
    }

    #[test]
    fn chunks_are_undone() {
        let chunked = |body: &str| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n{body}");
        check(&chunked("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"), expect!["HTTP/1.1 200\n\nabc0123456789"]);
        check(
            &chunked("3\nabc\n0\n\n"),
            expect![[r#"
            HTTP/1.1 200

            3
            abc
            0

        "#]],
        );
        // Truncated, and already joined.
        check(&chunked("3\r\nabc\r\nA\r\n0123"), expect!["HTTP/1.1 200\n\nabc0123"]);
        check(&chunked("<p>abc"), expect!["HTTP/1.1 200\n\n<p>abc"]);
        check(&chunked("3\r\nabcdef"), expect!["HTTP/1.1 200\n\n3\r\nabcdef"]);
        check(&chunked(""), expect!["HTTP/1.1 200\n\n"]);
    }
}
