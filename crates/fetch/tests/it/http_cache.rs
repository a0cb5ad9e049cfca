//! The cache: what is kept, how long, how it is asked for again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use windrow_fetch::FetchError;
use windrow_fetch::http::{Cache, Client, Validators};
use windrow_testkit::server::{Asked, Reply, Server};

use crate::http_common::{client, config, gzip, linked, request};

fn cached(path: &Path) -> Client {
    client(config()).with_cache(Cache::open(path).expect("a cache"))
}

/// A server that counts its full answers in their bodies.
fn counting(headers: &'static [(&'static str, &'static str)]) -> (Server, Arc<AtomicU64>) {
    let full = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&full);
    let server = Server::start(move |asked: &Asked| {
        let mut reply = match (asked.header("if-none-match"), asked.header("if-modified-since")) {
            (Some("\"v1\""), _) | (None, Some(_)) => Reply::status(304).with_header("X-Checked", "yes"),
            _ => {
                let body = format!("{} {}", counter.fetch_add(1, Ordering::Relaxed), asked.path);
                Reply::html(gzip(body.as_bytes())).with_header("Content-Encoding", "gzip")
            }
        };
        for (name, value) in headers {
            reply = reply.with_header(name, *value);
        }
        reply
    });
    (server, full)
}

async fn text(client: &Client, url: &str) -> String {
    let fetched = client.get(&request(url)).await.expect("a page");
    String::from_utf8_lossy(&fetched.content).into_owned()
}

#[tokio::test]
async fn a_fresh_answer_needs_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache");
    let (server, _) = counting(&[("Cache-Control", "max-age=600")]);
    let client = cached(&file);
    for _ in 0..3 {
        assert_eq!(text(&client, &server.url("/a")).await, "0 /a");
    }
    assert_eq!(text(&client, &server.url("/a#part")).await, "0 /a");
    assert_eq!(text(&client, &server.url("/a?b")).await, "1 /a?b");
    assert_eq!(server.requests(), 2);
    // The next run has it still, as it was sent.
    let fetched = cached(&file).get(&request(&server.url("/a"))).await.unwrap();
    assert_eq!((&fetched.content[..], server.requests()), (&b"0 /a"[..], 2));
    assert_eq!(fetched.answer.body, gzip(b"0 /a"));
    assert_eq!(fetched.answer.address, Some(server.address().ip()));
    // Without the cache it is asked for again.
    assert_eq!(text(&crate::http_common::client(config()), &server.url("/a")).await, "2 /a");
}

#[tokio::test]
async fn a_stale_answer_is_asked_for_again_by_what_it_said() {
    for headers in [
        &[("Cache-Control", "no-cache"), ("ETag", "\"v1\"")][..],
        &[("Cache-Control", "max-age=0"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (server, full) = counting(headers);
        let client = cached(&folder.path().join("cache"));
        for round in 0..3 {
            let fetched = client.get(&request(&server.url("/"))).await.unwrap();
            assert_eq!((fetched.answer.status.as_u16(), &fetched.content[..]), (200, &b"0 /"[..]));
            // What the server says new of it is told.
            assert_eq!(fetched.answer.header("x-checked").is_some(), round > 0);
        }
        assert_eq!((server.requests(), full.load(Ordering::Relaxed)), (3, 1));
    }
}

#[tokio::test]
async fn a_changed_answer_replaces_the_kept_one() {
    let folder = tempfile::tempdir().unwrap();
    let version = Arc::new(AtomicU64::new(1));
    let current = Arc::clone(&version);
    let server = Server::start(move |asked| {
        let tag = format!("\"{}\"", current.load(Ordering::Relaxed));
        let reply =
            if asked.header("if-none-match") == Some(&tag) { Reply::status(304) } else { Reply::html(&tag[1..2]) };
        reply.with_header("ETag", tag).with_header("Cache-Control", "no-cache")
    });
    let client = cached(&folder.path().join("cache"));
    let mut texts = Vec::new();
    for (round, now) in [1, 1, 2, 2].into_iter().enumerate() {
        version.store(now, Ordering::Relaxed);
        texts.push(text(&client, &server.url("/")).await);
        assert_eq!(server.requests(), round as u64 + 1);
    }
    assert_eq!(texts, ["1", "1", "2", "2"]);
}

#[tokio::test]
async fn what_must_not_be_kept_is_not() {
    for headers in [
        &[("Cache-Control", "no-store, max-age=600")][..],
        &[("Cache-Control", "max-age=600"), ("Set-Cookie", "a=1")],
        &[("Cache-Control", "max-age=600"), ("Vary", "Accept, Cookie")],
        &[("Cache-Control", "max-age=600"), ("Vary", "*")],
        &[],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (server, _) = counting(headers);
        let client = cached(&folder.path().join("cache"));
        assert_eq!(text(&client, &server.url("/")).await, "0 /");
        assert_eq!(text(&client, &server.url("/")).await, "1 /", "{headers:?}");
    }
}

#[tokio::test]
async fn whoever_asks_otherwise_gets_another_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache");
    let (server, _) = counting(&[("Cache-Control", "max-age=600"), ("Vary", "Accept-Language")]);
    let asking = |language: &str| {
        let config = config().with_accept_language(language);
        crate::http_common::client(config).with_cache(Cache::open(&file).unwrap())
    };
    assert_eq!(text(&asking("nb"), &server.url("/")).await, "0 /");
    assert_eq!(text(&asking("nb"), &server.url("/")).await, "0 /");
    assert_eq!(text(&asking("it"), &server.url("/")).await, "1 /");
}

#[tokio::test]
async fn own_validators_reach_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = counting(&[("Cache-Control", "max-age=600"), ("ETag", "\"v1\"")]);
    let client = cached(&folder.path().join("cache"));
    text(&client, &server.url("/")).await;
    let asked = request(&server.url("/")).with_validators(Validators::from_text(Some("\"v1\""), None));
    assert_eq!(client.get(&asked).await.unwrap().answer.status, 304);
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn pages_learn_nothing_private_through_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = counting(&[("Cache-Control", "max-age=600")]);
    let client = cached(&folder.path().join("cache"));
    text(&client, &server.url("/")).await;
    // Another run, in which the user has not named this server.
    let client = cached(&folder.path().join("cache"));
    let error = client.get(&linked(&server.url("/"))).await.unwrap_err();
    assert!(matches!(error, FetchError::Private { .. }), "{error:?}");
}

#[tokio::test]
async fn the_cache_has_a_bound_and_drops_the_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache");
    let server = Server::start(|asked| {
        let seed = asked.path.len() as u64;
        let noise: Vec<u8> = (0..20_000u64).map(|at| (at.wrapping_mul(2_654_435_761 + seed) >> 13) as u8).collect();
        Reply::new(200, noise).with_header("Cache-Control", "max-age=600")
    });
    let client = client(config()).with_cache(Cache::open(&file).unwrap().with_limit(200_000));
    for page in 0..50 {
        client.get(&request(&server.url(&format!("/{page}")))).await.unwrap();
    }
    let size: u64 =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(size < 8_000_000, "{size} bytes on disk");
    let before = server.requests();
    client.get(&request(&server.url("/49"))).await.unwrap();
    assert_eq!(server.requests(), before, "the newest is kept");
    client.get(&request(&server.url("/0"))).await.unwrap();
    assert_eq!(server.requests(), before + 1, "the oldest is gone");
}

#[tokio::test]
async fn a_damaged_file_is_told_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cache");
    std::fs::write(&file, "no database, but some text that is long enough to be read as one".repeat(100)).unwrap();
    let error = Cache::open(&file).unwrap_err().to_string();
    assert!(error.starts_with("cannot open the cache `") && error.contains("not a database"), "{error}");
}
