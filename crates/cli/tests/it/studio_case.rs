//! What the studio keeps as a case is what `windrow test` reads; how it is opened.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use windrow_studio::{Config, Studio};

use crate::{Folder, command, windrow};

const RULES: &str = "[list.ads]\nrecords = \"li\"\n[list.ads.field]\ntitle = \"b\"\n\
    link = { css = \"a::attr(href)\", type = \"url\" }\nprice = { css = \"i\", type = \"money\", optional = true }\n";

fn ask(address: &str, path: &str, body: &Value) -> Value {
    let (host, token) = address.trim_start_matches("http://").split_once("/#token=").unwrap();
    let body = body.to_string();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "POST /api/v1/{path} HTTP/1.1\r\nHost: {host}\r\nX-Windrow-Token: {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_case_of_the_studio_passes() {
    let folder = Folder::new("studio-case");
    let studio = Studio::new(Config::new(&folder.0)).unwrap();
    let address = studio.address();
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let serving = std::thread::spawn(move || studio.serve(move || asked.load(Ordering::Relaxed)).unwrap());
    // An address that the saved page will not have, another encoding in its head, and odd line ends.
    let html = "<!doctype html>\r\n<meta charset=gbk><title>Høy</title><ul><li><a href=/1><b>Høy</b></a> <i>€ 340</i>\r\n\
                <li><a href=2><b>Wagon</b></a></ul>";
    let page = json!({ "kind": "text", "name": "ads.html", "html": html, "url": "https://barn.example/ads" });
    let id = ask(&address, "pages", &page)["page"]["id"].clone();
    let rules = json!({ "text": RULES, "form": "toml" });
    let saved = ask(&address, "rules/save", &json!({ "rules": rules, "path": "ads.toml" }));
    assert_eq!(saved["files"], json!(["ads.toml"]));
    let saved = ask(&address, "rules/case", &json!({ "page": id, "rules": rules, "path": "cases" }));
    assert_eq!(saved["files"], json!(["cases/ads.html", "cases/ads.json"]), "{saved}");
    stop.store(true, Ordering::Relaxed);
    serving.join().unwrap();
    let run = windrow(&["test", "-w", &folder.path("ads.toml"), &folder.path("cases")]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.ends_with("1 passed, 0 failed\n"), "{}", run.stdout);
    assert!(folder.read("cases/ads.json").contains("Høy"));
}

/// A studio whose browser is a script that writes down what it is given.
#[cfg(unix)]
struct Opened {
    child: Child,
    address: String,
    /// The arguments of the program that was to open a browser.
    arguments: String,
}

#[cfg(unix)]
impl Opened {
    fn new(folder: &Folder) -> Opened {
        use std::os::unix::fs::PermissionsExt;
        let opener = folder.0.join("xdg-open");
        std::fs::write(
            &opener,
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$OPENED.tmp\" && mv \"$OPENED.tmp\" \"$OPENED\"\n",
        )
        .unwrap();
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
        let opened = folder.0.join("opened");
        let _ = std::fs::remove_file(&opened);
        let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap_or_default());
        let mut studio = command(&["studio"]);
        studio.env("PATH", path).env("OPENED", &opened).env("TMPDIR", &folder.0);
        let mut child = studio.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        wait_until(|| opened.exists());
        Opened { child, address: address.trim().to_owned(), arguments: std::fs::read_to_string(opened).unwrap() }
    }

    fn token(&self) -> &str {
        self.address.split_once("#token=").unwrap().1
    }

    fn interrupt(mut self) {
        let status = std::process::Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        self.child.wait().unwrap();
    }
}

/// Waits for something that must come; only a hang ends it.
#[cfg(unix)]
fn wait_until(mut done: impl FnMut() -> bool) {
    for _ in 0..60_000 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it did not come in five minutes");
}

#[cfg(unix)]
#[test]
fn the_token_is_not_in_the_arguments_of_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let folder = Folder::new("studio-open");
    let studio = Opened::new(&folder);
    assert!(!studio.arguments.contains(studio.token()), "{}", studio.arguments);
    let door = PathBuf::from(studio.arguments.trim_end());
    assert_eq!((mode(&door), mode(door.parent().unwrap())), (0o600, 0o700));
    let html = std::fs::read_to_string(&door).unwrap();
    assert!(html.contains(&format!("content=\"0;url={}\"", studio.address)), "{html}");
    // It is there until somebody has come in.
    ask(&studio.address, "pages", &json!({ "kind": "text", "name": "a.html", "html": "<p>a" }));
    assert!(!door.exists() && !door.parent().unwrap().exists());
    studio.interrupt();

    // Nobody came in: the studio's end removes it.
    let studio = Opened::new(&folder);
    let door = PathBuf::from(studio.arguments.trim_end());
    assert!(door.exists());
    studio.interrupt();
    assert!(!door.exists());
}
