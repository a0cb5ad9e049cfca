//! What the studio keeps as a case is what `windrow test` reads.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use windrow_studio::{Config, Studio};

use crate::{Folder, windrow};

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
