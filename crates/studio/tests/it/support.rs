//! A studio on a port of its own, and a client as small as can be.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use windrow_studio::{Config, Studio};

/// A studio that runs, in a folder that goes with it.
pub(crate) struct Running {
    /// The host and its port.
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) folder: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Answer of the studio.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header's value, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.headers.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value.trim())
    }
}

/// The files that come with the sources.
pub(crate) fn testdata(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path).display().to_string()
}

impl Running {
    pub(crate) fn new() -> Running {
        Running::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Running {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("windrow-studio-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut config = Config::new(&folder);
        config.now = || Some("2026-11-17T09:00:00Z".to_owned());
        change(&mut config);
        let studio = Studio::new(config).unwrap();
        let whole = studio.address();
        let (address, token) = whole.split_once("/#token=").unwrap();
        let (address, token) = (address.trim_start_matches("http://").to_owned(), token.to_owned());
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let thread = std::thread::spawn(move || studio.serve(move || asked.load(Ordering::Relaxed)).unwrap());
        Running { address, token, folder, stop, thread: Some(thread) }
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &str, token: &str) -> Answer {
        let headers =
            [("Host", self.address.as_str()), ("X-Windrow-Token", token), ("Content-Type", "application/json")];
        self.speak(method, path, &headers, body)
    }

    /// A request with these headers and no others, but for its length: also what no browser would say.
    pub(crate) fn speak(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        head += "\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let split = bytes.windows(4).position(|part| part == b"\r\n\r\n").expect("an answer has a head");
        let headers = String::from_utf8_lossy(&bytes[..split]).to_lowercase();
        let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        Answer { status, headers, body: bytes[split + 4..].to_vec() }
    }

    /// Sends a request of a frame or window, which has no token.
    pub(crate) fn look(&self, path: &str) -> Answer {
        self.speak("GET", path, &[("Host", &self.address)], "")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", &self.token)
    }

    pub(crate) fn ask(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", &format!("/api/v1/{path}"), &body.to_string(), &self.token)
    }

    /// Sends a text that may be no request at all.
    pub(crate) fn raw(&self, path: &str, body: &str) -> Answer {
        self.send("POST", path, body, &self.token)
    }

    /// Returns the answer of a call that must succeed.
    #[track_caller]
    pub(crate) fn call(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// The code of a failure.
    #[track_caller]
    pub(crate) fn refused(&self, path: &str, body: &Value) -> String {
        let answer = self.ask(path, body);
        assert!((400..500).contains(&answer.status), "{path}: {} {answer:?}", answer.status);
        let failure = answer.json();
        assert!(!failure["message"].as_str().unwrap().is_empty(), "{failure}");
        failure["code"].as_str().unwrap().to_owned()
    }

    /// Opens a page that is sent.
    #[track_caller]
    pub(crate) fn open_page(&self, html: &str) -> Value {
        self.call("pages", &json!({ "kind": "text", "name": "ads.html", "html": html }))["page"].clone()
    }

    /// Opens a page that is sent; its number.
    #[track_caller]
    pub(crate) fn open(&self, html: &str) -> u64 {
        self.open_page(html)["id"].as_u64().unwrap()
    }

    /// Opens a file of the sources; its number.
    #[track_caller]
    pub(crate) fn open_file(&self, path: &str) -> u64 {
        let opened = self.call("pages", &json!({ "kind": "file", "path": testdata(path) }));
        opened["page"]["id"].as_u64().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Rules as they are sent.
pub(crate) fn toml(text: &str) -> Value {
    json!({ "text": text, "form": "toml" })
}

/// A page with three ads, and the rules for them.
pub(crate) const ADS: &str = "<!doctype html><title>Barn</title><h1>Barn</h1><ul id=ads>\
    <li class=ad><h2><a href=/1>Rake</a></h2> <b class=price>€ 340</b></li>\
    <li class=ad><h2><a href=/2>Twine</a></h2> <b class=price>€ 55</b></li>\
    <li class=ad><h2><a href=/3>Wagon</a></h2></li></ul>";

pub(crate) const RULES: &str = r#"# The barn.
[list.ads]
records = "li.ad" # all of them

[list.ads.field]
title = "h2/a"
link = { css = "h2 a::attr(href)", type = "url" }
price = { css = ".price", type = "money", optional = true }
"#;

/// The number of the first element that a selector finds on a page, as the studio counts.
pub(crate) fn node(html: &str, selector: &str) -> usize {
    let document = windrow::Document::parse(html);
    let found = windrow::Expr::css(selector).unwrap().select(&document, document.root()).unwrap();
    found.first().unwrap_or_else(|| panic!("no {selector}")).id().index()
}
