//! Assets that pages refer to: images, style sheets, fonts.
//!
//! They come from the same source as the page: the web, the folder of a file, or an archive. Only images, style sheets
//! and fonts are passed on, as recognized by their contents; style sheets are rewritten.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use url::{Position, Url};
use windrow::fetch::http::Request;

use crate::failure::Refused;
use crate::open;
use crate::state::{Open, Origin, State};
use crate::view::{Links, rewrite_css};

/// Largest size of an asset in bytes.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// An asset that was fetched.
struct Asset {
    bytes: Vec<u8>,
    /// Media type given by the server.
    media_type: Option<String>,
    /// Address at which it was found.
    url: Url,
}

/// Returns an asset of a page.
pub(crate) fn asset(state: &State, id: u64, address: &str) -> Result<Response, Refused> {
    let page = state.page(id)?;
    let gone = |why: &str| Refused::missing("studio::asset", format!("`{address}` could not be loaded: {why}"));
    let url = Url::parse(address).map_err(|error| gone(&error.to_string()))?;
    let asset = get(state, &page, url).map_err(|why| gone(&why))?;
    let kind = kind(&asset).ok_or_else(|| gone("it is not an image, style sheet or font"))?;
    let bytes = match kind {
        "text/css" => {
            let css = String::from_utf8_lossy(&asset.bytes);
            rewrite_css(&css, &Links { base: Some(asset.url), assets: assets(state, id) }).into_bytes()
        }
        _ => asset.bytes,
    };
    let mut answer = (StatusCode::OK, Body::from(bytes)).into_response();
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(kind).map_err(|_| gone("its media type is invalid"))?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=600"));
    // An SVG image that is opened by itself is a page, which must not do anything either.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    // The frame has no origin, and without this header it gets no fonts. Requests need the key anyway.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(answer)
}

/// Returns the address of a page's assets, up to the asset's own address.
pub(crate) fn assets(state: &State, id: u64) -> String {
    format!("/asset/{}/{id}", state.key)
}

fn get(state: &State, page: &Arc<Open>, url: Url) -> Result<Asset, String> {
    match (&page.origin, url.scheme()) {
        (Origin::Web, "http" | "https") => {
            // An asset on the same server as a page that the user opened is as trusted as the page.
            let beside = page.page.url().is_some_and(|own| own[..Position::BeforePath] == url[..Position::BeforePath]);
            let request = if beside { Request::user(url) } else { Request::page(url) };
            let fetcher = state.asset_fetcher().map_err(|refused| refused.failure.message)?;
            let found = fetcher.get(&request).map_err(|error| error.to_string())?;
            let media_type = found.answer.media_type();
            Ok(Asset { bytes: found.content.to_vec(), media_type, url: found.answer.url })
        }
        (Origin::File(folder), "file") => {
            let path = inside(folder, &url).ok_or("it is not in the page's folder")?;
            Ok(Asset { bytes: open::read(&path, MOST_BYTES)?, media_type: None, url })
        }
        (Origin::Archive(archive), "http" | "https") => archived(state, archive, url),
        _ => Err("it does not come from the same source as the page".to_owned()),
    }
}

/// Returns the file that an address means, if it is in this folder after resolving links.
fn inside(folder: &Path, url: &Url) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let path = url.to_file_path().ok()?.canonicalize().ok()?;
    path.starts_with(&folder).then_some(path)
}

fn archived(state: &State, archive: &Path, url: Url) -> Result<Asset, String> {
    let replay = state.archive(archive, false).map_err(|error| error.to_string())?;
    let found = replay.get(&url).map_err(|error| error.to_string())?;
    let answer = found.ok_or("it is not in the archive")?;
    let bytes = answer.content(MOST_BYTES).map_err(|error| error.to_string())?.to_vec();
    Ok(Asset { bytes, media_type: answer.media_type(), url })
}

/// Returns the media type for an asset, or `None` if it is not of a permitted kind.
fn kind(asset: &Asset) -> Option<&'static str> {
    let bytes = &asset.bytes[..];
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    // The first bytes determine the type; the server's declaration may be wrong.
    let known = match () {
        () if begins(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        () if begins(b"\xFF\xD8\xFF") => Some("image/jpeg"),
        () if begins(b"GIF8") => Some("image/gif"),
        () if begins(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        () if begins(b"BM") => Some("image/bmp"),
        () if begins(b"\0\0\x01\0") => Some("image/x-icon"),
        () if matches!(bytes.get(4..12), Some(b"ftypavif" | b"ftypavis")) => Some("image/avif"),
        () if begins(b"wOF2") => Some("font/woff2"),
        () if begins(b"wOFF") => Some("font/woff"),
        () if begins(b"OTTO") => Some("font/otf"),
        () if begins(b"\0\x01\0\0") || begins(b"true") => Some("font/ttf"),
        () => None,
    };
    if known.is_some() {
        return known;
    }
    let extension = asset.url.path().rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match asset.media_type.as_deref() {
        Some("text/css") => Some("text/css"),
        Some("image/svg+xml") => Some("image/svg+xml"),
        Some(said) if said != "application/octet-stream" && said != "text/plain" => None,
        _ => match extension.as_str() {
            "css" => Some("text/css"),
            "svg" => Some("image/svg+xml"),
            _ => None,
        },
    }
}
