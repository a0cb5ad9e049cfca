//! Decoding of content codings: gzip, deflate, brotli, zstd, and combinations of them.
//!
//! Bodies are stored as they were sent and decompressed when they are read, with a limit that is checked during
//! decompression: ten megabytes that decompress to ten gigabytes cost no more than the limit. Servers set the header
//! incorrectly in known ways that browsers accept; these are accepted here as well, provided nothing has to be guessed.
//! Data that ends early is an error.
//!
//! Cost: linear in the output, with at most the limit for each coding of the list.

use std::io::{self, ErrorKind, Read};

use bytes::Bytes;
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use http::header::CONTENT_ENCODING;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::{Answer, FetchError};

/// Longest list of codings; legitimate servers use at most two.
const MAX_CODINGS: usize = 4;
/// Largest zstd window that browsers allow (RFC 9659); a larger one would only waste memory.
const MAX_ZSTD_WINDOW: u64 = 8 << 20;

impl Answer {
    /// Returns the body with its content codings undone.
    ///
    /// # Errors
    ///
    /// [`FetchError::TooLarge`] as soon as there are more than `limit` bytes; [`FetchError::Coding`] if the body does
    /// not match its header or ends early.
    pub fn content(&self, limit: u64) -> Result<Bytes, FetchError> {
        match unpack(self, limit) {
            Ok(content) => Ok(content),
            Err(Trouble::TooLarge { .. }) => Err(FetchError::TooLarge { url: self.url.clone(), limit }),
            Err(Trouble::Bad { cause, .. }) => Err(FetchError::Coding { url: self.url.clone(), cause }),
        }
    }

    /// Returns the first bytes of the content: as much as can be decompressed, up to `limit`.
    pub(crate) fn content_start(&self, limit: u64) -> Bytes {
        match unpack(self, limit) {
            Ok(content) => content,
            Err(Trouble::TooLarge { mut start } | Trouble::Bad { mut start, .. }) => {
                start.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
                start.into()
            }
        }
    }
}

/// Error of decompressing a body, with the bytes decompressed so far.
enum Trouble {
    TooLarge { start: Vec<u8> },
    Bad { cause: String, start: Vec<u8> },
}

impl Trouble {
    fn bad(cause: impl Into<String>) -> Trouble {
        Trouble::Bad { cause: cause.into(), start: Vec::new() }
    }
}

fn unpack(answer: &Answer, limit: u64) -> Result<Bytes, Trouble> {
    let mut codings = Vec::new();
    for value in answer.headers.get_all(CONTENT_ENCODING) {
        for coding in value.as_bytes().split(|&byte| byte == b',') {
            let coding = coding.trim_ascii().to_ascii_lowercase();
            if coding.is_empty() || coding == b"identity" {
                continue;
            }
            if codings.len() == MAX_CODINGS {
                return Err(Trouble::bad(format!("it has more than {MAX_CODINGS} content codings")));
            }
            codings.push(coding);
        }
    }
    let mut body = answer.body.clone();
    // The last coding of the list was applied last.
    for coding in codings.iter().rev() {
        if body.is_empty() {
            break;
        }
        body = undo(coding, body, limit)?;
    }
    if body.len() as u64 > limit {
        return Err(Trouble::TooLarge { start: body.to_vec() });
    }
    Ok(body)
}

fn undo(coding: &[u8], body: Bytes, limit: u64) -> Result<Bytes, Trouble> {
    match coding {
        b"gzip" | b"x-gzip" => match *body {
            [0x1f, 0x8b, ..] | [0x1f] => gzip(&body, limit).map(Bytes::from),
            // A server or proxy decompressed the body and kept the header.
            _ => Ok(body),
        },
        b"zstd" => match *body {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => zstd(&body, limit).map(Bytes::from),
            [0x28] | [0x28, 0xb5] | [0x28, 0xb5, 0x2f] => Err(Trouble::bad("the zstd data ends early")),
            _ => Ok(body),
        },
        // These two formats have no magic number: a body that fails to decompress and looks like markup is already
        // plain.
        b"deflate" => deflate(&body, limit).or_else(|trouble| plain(&body, trouble)),
        b"br" => brotli(&body, limit).or_else(|trouble| plain(&body, trouble)),
        // Servers send invalid values such as `utf-8`, `none` and `binary`.
        _ => plain(&body, Trouble::bad(format!("its content coding `{}` is unknown", String::from_utf8_lossy(coding)))),
    }
}

/// Returns the body unchanged if it begins like markup or JSON, else the error.
fn plain(body: &Bytes, trouble: Trouble) -> Result<Bytes, Trouble> {
    let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    let head = &text[..text.len().min(256)];
    let printable = head.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    match (head.first(), &trouble) {
        (Some(b'<' | b'{' | b'['), Trouble::Bad { .. }) if printable => Ok(body.clone()),
        _ => Err(trouble),
    }
}

/// Decompresses consecutive members; as in browsers, data after the last one that is not a member counts as padding.
fn gzip(mut body: &[u8], limit: u64) -> Result<Vec<u8>, Trouble> {
    let mut out = Vec::new();
    loop {
        let mut decoder = GzDecoder::new(body);
        read("gzip", &mut decoder, &mut out, body.len(), limit)?;
        body = decoder.into_inner();
        if !body.starts_with(&[0x1f, 0x8b]) {
            return Ok(out);
        }
    }
}

/// Decompresses `deflate`, which means zlib; some servers send the raw stream instead.
fn deflate(body: &[u8], limit: u64) -> Result<Bytes, Trouble> {
    let mut out = Vec::new();
    let zlib = match *body {
        [first, second, ..] => first & 0x0f == 8 && u16::from_be_bytes([first, second]) % 31 == 0,
        _ => false,
    };
    if zlib {
        match read("deflate", &mut ZlibDecoder::new(body), &mut out, body.len(), limit) {
            Ok(()) => return Ok(out.into()),
            // The first two bytes of a raw stream look like a zlib header about once in a thousand times.
            Err(Trouble::Bad { cause, start }) if start.is_empty() => {
                let bare = read("deflate", &mut DeflateDecoder::new(body), &mut out, body.len(), limit);
                return bare.map(|()| out.into()).map_err(|_| Trouble::Bad { cause, start });
            }
            Err(trouble) => return Err(trouble),
        }
    }
    read("deflate", &mut DeflateDecoder::new(body), &mut out, body.len(), limit)?;
    Ok(out.into())
}

fn brotli(body: &[u8], limit: u64) -> Result<Bytes, Trouble> {
    let mut out = Vec::new();
    let mut decoder = brotli_decompressor::Decompressor::new(body, 16 << 10);
    read("brotli", &mut decoder, &mut out, body.len(), limit)?;
    Ok(out.into())
}

/// Decompresses consecutive frames, block by block.
fn zstd(body: &[u8], limit: u64) -> Result<Vec<u8>, Trouble> {
    let mut out = Vec::new();
    let mut rest = body;
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_ZSTD_WINDOW);
    while let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] = *rest {
        if let [0x50..=0x5f, _, _, _, after @ ..] = rest {
            // A skippable frame: a length followed by as many bytes.
            let Some((length, after)) = after.split_first_chunk::<4>() else {
                return Err(Trouble::bad("the zstd data ends early"));
            };
            let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
            rest = after.get(length..).ok_or_else(|| Trouble::bad("the zstd data ends early"))?;
            continue;
        }
        if let Err(error) = decoder.reset(&mut rest) {
            return Err(Trouble::Bad { cause: format!("the zstd data is damaged: {error}"), start: out });
        }
        loop {
            let more = decoder.decode_blocks(&mut rest, BlockDecodingStrategy::UptoBlocks(1));
            let collected = decoder.collect_to_writer(&mut out).is_ok();
            if out.len() as u64 > limit {
                return Err(Trouble::TooLarge { start: out });
            }
            match more {
                Ok(true) if collected => break,
                Ok(false) if collected => {}
                Ok(_) => return Err(Trouble::Bad { cause: "the zstd data is damaged".into(), start: out }),
                Err(error) => {
                    return Err(Trouble::Bad { cause: format!("the zstd data is damaged: {error}"), start: out });
                }
            }
        }
        let (told, counted) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum());
        if told.is_some() && counted.is_some() && told != counted {
            return Err(Trouble::Bad { cause: "the zstd data is damaged: its checksum is wrong".into(), start: out });
        }
    }
    Ok(out)
}

/// Reads a decoder to its end, or one byte past the limit.
fn read(coding: &str, decoder: &mut dyn Read, out: &mut Vec<u8>, packed: usize, limit: u64) -> Result<(), Trouble> {
    // Markup compresses to about a fifth. The guess saves copying; lengths given in headers are not trusted.
    let guess = (packed as u64).saturating_mul(5).min(limit.saturating_add(1)).min(1 << 20);
    out.reserve(usize::try_from(guess).unwrap_or(0));
    let room = limit.saturating_add(1).saturating_sub(out.len() as u64);
    let result = decoder.take(room).read_to_end(out);
    match result {
        Ok(_) if out.len() as u64 > limit => Err(Trouble::TooLarge { start: std::mem::take(out) }),
        Ok(_) => Ok(()),
        Err(error) => Err(Trouble::Bad { cause: words(coding, &error), start: std::mem::take(out) }),
    }
}

fn words(coding: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => format!("the {coding} data ends early"),
        _ => format!("the {coding} data is damaged: {error}"),
    }
}
