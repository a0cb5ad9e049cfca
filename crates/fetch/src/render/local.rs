//! Local files for the browser: they are served under a host that does not exist.
//!
//! A browser that opens a file directly may read all files of the machine. A local page is therefore given to the
//! browser as a page of a host that does not exist (`.invalid`, RFC 2606), and every request to that host is answered
//! here. The page can read files in its own folder and below, except hidden files (names that begin with a dot), links
//! that lead out of the folder, and files larger than 16 MB. It then has no network, so that it cannot send anywhere
//! what it has read. If it may use the network, it gets only scripts and style sheets of its folder, which it can run
//! but not read.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use url::Url;

/// Host name that stands for the local page.
pub(super) const LOCAL_HOST: &str = "page.windrow.invalid";

/// Base address of the local page.
const ORIGIN: &str = "http://page.windrow.invalid/";

/// Largest file beside a page that is served to it.
const MOST_BYTES: u64 = 16 << 20;

/// A page that was read from a file or from standard input.
#[derive(Debug, Clone)]
pub struct LocalPage {
    content: Vec<u8>,
    url: Url,
    /// Folder whose files it may read, with symbolic links resolved.
    folder: Option<PathBuf>,
    media_type: String,
    online: bool,
}

impl LocalPage {
    /// Creates a page from its content alone. It has no folder and no network.
    pub fn new(content: Vec<u8>) -> LocalPage {
        let url = Url::parse(ORIGIN).expect("the origin is an address");
        LocalPage { content, url, folder: None, media_type: "text/html".to_owned(), online: false }
    }

    /// Sets the page's file, so that it may read the files beside it.
    pub fn in_file(mut self, path: &Path) -> LocalPage {
        if let (Some(name), Ok(mut segments)) = (path.file_name(), self.url.path_segments_mut()) {
            segments.clear().push(&name.to_string_lossy());
        }
        let is_xml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xhtml"));
        if is_xml {
            self.media_type = "application/xhtml+xml".to_owned();
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.folder = folder.canonicalize().ok();
        self
    }

    /// Decodes the page with this charset, overriding its declaration.
    pub fn with_charset(mut self, charset: &str) -> LocalPage {
        self.media_type = format!("{}; charset={charset}", self.media_type);
        self
    }

    /// Permits access to public addresses on the network; the page can then no longer read the files beside it as data.
    pub fn with_network(mut self, online: bool) -> LocalPage {
        self.online = online;
        self
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn is_online(&self) -> bool {
        self.online
    }

    /// Returns the pattern of requests to intercept, for the browser's `Fetch.enable`.
    pub(super) fn pattern() -> Value {
        json!({ "urlPattern": format!("{ORIGIN}*") })
    }

    /// Returns the answer to a request of this resource type for `Fetch.fulfillRequest`, or `None` if it is for another
    /// host.
    pub(super) fn answer(&self, request: &Value, address: &str, kind: &str) -> Option<Value> {
        let url = Url::parse(address).ok().filter(|url| url.origin() == self.url.origin())?;
        let found = if url.path() == self.url.path() {
            Some((self.media_type.as_str(), self.content.clone()))
        } else {
            self.neighbour(&url, kind)
        };
        let (status, media_type, body) = match found {
            Some((media_type, body)) => (200, media_type, body),
            None => (404, "text/plain", Vec::new()),
        };
        let headers = [json!({ "name": "Content-Type", "value": media_type })];
        Some(json!({
            "requestId": request, "responseCode": status, "responseHeaders": headers, "body": base64(&body)
        }))
    }

    fn neighbour(&self, url: &Url, kind: &str) -> Option<(&'static str, Vec<u8>)> {
        let folder = self.folder.as_ref()?;
        if self.online && !matches!(kind, "Script" | "Stylesheet") {
            return None;
        }
        // Parsing as a file URL decodes the path, so that `%2e%2e` and `%2F` are recognized.
        let mut path = Url::parse("file:///").ok()?;
        path.set_path(url.path());
        let path = path.to_file_path().ok()?;
        let relative = path.strip_prefix("/").ok()?;
        let is_plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
        if !relative.components().all(is_plain) {
            return None;
        }
        let file = folder.join(relative).canonicalize().ok().filter(|file| file.starts_with(folder))?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > MOST_BYTES {
            return None;
        }
        let media_type = match file.extension().and_then(|extension| extension.to_str()) {
            Some("js" | "mjs") => "text/javascript",
            Some("css") => "text/css",
            Some("json") => "application/json",
            Some("html" | "htm") => "text/html",
            Some("xml") => "text/xml",
            Some("svg") => "image/svg+xml",
            Some("csv") => "text/csv",
            _ => "application/octet-stream",
        };
        Some((media_type, std::fs::read(file).ok()?))
    }
}

/// Encodes bytes in base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().chain(&[0, 0]).take(3).fold(0_u32, |group, byte| group << 8 | u32::from(*byte));
        for digit in 0..4 {
            if digit <= chunk.len() {
                text.push(char::from(DIGITS[(group >> (18 - 6 * digit)) as usize & 63]))
            } else {
                text.push('=')
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_rfc_has_them() {
        let written = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(written, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn a_page_reads_its_own_folder_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("data")).unwrap();
        for file in ["site/page.html", "site/data/list.json", "site/.hidden", "secret.json", "site/a b.js"] {
            std::fs::write(folder.path().join(file), file).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path().join("secret.json"), site.join("link.json")).unwrap();
        let page = LocalPage::new(b"page".to_vec()).in_file(&site.join("page.html"));
        let status = |page: &LocalPage, path: &str, kind: &str| {
            let answer = page.answer(&json!("1"), &format!("{ORIGIN}{path}"), kind).unwrap();
            answer["responseCode"].as_u64().unwrap()
        };
        for there in ["page.html", "data/list.json", "a%20b.js", "data/../data/list.json"] {
            assert_eq!(status(&page, there, "Fetch"), 200, "{there}");
        }
        for absent in [
            "secret.json",
            "../secret.json",
            "%2e%2e/secret.json",
            "..%2fsecret.json",
            "data/..%2f..%2fsecret.json",
            "link.json",
            ".hidden",
            "%2ehidden",
            "data",
            "/etc/hostname",
            "%2fetc%2fhostname",
        ] {
            assert_eq!(status(&page, absent, "Fetch"), 404, "{absent}");
        }
        assert_eq!(page.answer(&json!("1"), "http://example.org/page.html", "Fetch"), None);
        // With a network, the page can run the files beside it but not read them.
        let online = page.with_network(true);
        assert_eq!(status(&online, "data/list.json", "Fetch"), 404);
        assert_eq!(status(&online, "a%20b.js", "Script"), 200);
        // Without a file there is no folder.
        assert_eq!(status(&LocalPage::new(Vec::new()), "page.html", "Script"), 404);
    }
}
