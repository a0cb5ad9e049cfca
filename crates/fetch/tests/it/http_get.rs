//! Everything for one page: repetitions, redirects, content.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use url::Url;
use windrow_fetch::FetchError;
use windrow_fetch::http::Client;
use windrow_testkit::server::{Fault, Reply, Server};

use crate::http_common::{client, config, get, gzip, linked, request};

/// A server that gives `first` so many times, then a page.
fn flaky(times: u64, first: Reply) -> Server {
    let asked = AtomicU64::new(0);
    Server::start(
        move |_| {
            if asked.fetch_add(1, Ordering::Relaxed) < times { first.clone() } else { Reply::html("page") }
        },
    )
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let broken = Reply::html("0123456789").with_fault(Fault::Truncated);
    let half = Reply::html(&gzip(&[b'x'; 5000])[..20]).with_header("Content-Encoding", "gzip");
    let firsts = [
        Reply::status(408),
        Reply::status(429),
        Reply::status(500),
        Reply::status(502),
        Reply::status(503),
        Reply::status(504),
        Reply::html("").with_fault(Fault::Reset),
        broken,
        half,
    ];
    for first in firsts {
        let server = flaky(2, first.clone());
        let fetched = get(config(), &server.url("/")).await;
        assert_eq!(&fetched.expect("a page at last").content[..], b"page", "{first:?}");
        assert_eq!(server.requests(), 3, "{first:?}");
    }
}

#[tokio::test]
async fn attempts_have_a_bound_and_the_rest_is_final() {
    let server = flaky(u64::MAX, Reply::status(503));
    let error = get(config(), &server.url("/")).await.unwrap_err();
    assert!(matches!(&error, FetchError::Status { status, .. } if *status == 503), "{error:?}");
    assert!(error.is_transient());
    assert_eq!(server.requests(), 4);
    for status in [400, 401, 403, 404, 410, 501] {
        let server = flaky(u64::MAX, Reply::status(status));
        let error = get(config(), &server.url("/")).await.unwrap_err();
        assert!(matches!(&error, FetchError::Status { status: got, .. } if *got == status), "{error:?}");
        assert!(!error.is_transient());
        assert_eq!(server.requests(), 1, "{status}");
    }
}

/// Waits until no page of the address's origin may be asked for, and says until when.
async fn held(client: &Client, url: &Url) -> Instant {
    loop {
        match client.gate().try_enter(url, Instant::now()) {
            Ok(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            Err(until) => return until,
        }
    }
}

#[tokio::test]
async fn retry_after_is_waited_for_and_holds_the_whole_origin() {
    let in_seconds = |_| "100".to_owned();
    // A date has no fractions of a second.
    let as_date = |now: SystemTime| httpdate::fmt_http_date(now + Duration::from_secs(101));
    for (status, value) in [(429, &in_seconds as &dyn Fn(SystemTime) -> String), (503, &as_date)] {
        let (begun, value) = (Instant::now(), value(SystemTime::now()));
        let server = flaky(1, Reply::status(status).with_header("Retry-After", value));
        let client = client(config());
        let (asking, url) = (client.clone(), server.url("/first"));
        let first = tokio::spawn(async move { asking.get(&request(&url)).await });
        let until = held(&client, &request(&server.url("/second")).url).await;
        assert!(until >= begun + Duration::from_secs(100), "{:?}", until - begun);
        assert_eq!(server.requests(), 1);
        // The time passes at once.
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(102)).await;
        tokio::time::resume();
        assert_eq!(&first.await.unwrap().unwrap().content[..], b"page");
        assert_eq!(server.requests(), 2);
    }
}

#[tokio::test]
async fn a_long_retry_after_is_left_to_the_caller() {
    let server = flaky(1, Reply::status(503).with_header("Retry-After", "3600"));
    let error = get(config(), &server.url("/")).await.unwrap_err();
    let FetchError::Status { retry_after, .. } = error else { panic!("{error:?}") };
    assert_eq!((retry_after, server.requests()), (Some(Duration::from_secs(3600)), 1));
}

#[tokio::test]
async fn redirects_are_followed_and_listed() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/1" => Reply::redirect("2?x"),
        "/2?x" => Reply::status(308).with_header(
            "Location",
            "//127.0.0.1:PORT/3".replace("PORT", asked.header("host").unwrap().rsplit(':').next().unwrap()),
        ),
        _ => Reply::html(asked.path.clone()),
    });
    let fetched = get(config(), &server.url("/1#part")).await.unwrap();
    assert_eq!(&fetched.content[..], b"/3");
    assert_eq!(fetched.answer.url.as_str(), server.url("/3#part"));
    let hops: Vec<u16> = fetched.hops.iter().map(|hop| hop.status.as_u16()).collect();
    assert_eq!(hops, [302, 308]);
}

#[tokio::test]
async fn redirects_end() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/loop" => Reply::redirect("/loop#again"),
        "/a" => Reply::redirect("/b"),
        "/b" => Reply::redirect("/a"),
        path => match path[1..].parse::<u32>().unwrap() {
            0 => Reply::html("there"),
            left => Reply::redirect(&format!("/{}", left - 1)),
        },
    });
    for (path, requests) in [("/loop", 1), ("/a", 2), ("/11", 11)] {
        let before = server.requests();
        let error = get(config(), &server.url(path)).await.unwrap_err();
        assert!(matches!(&error, FetchError::Redirects { url } if url.path() == path), "{error:?}");
        assert!(!error.is_transient());
        assert_eq!(server.requests() - before, requests, "{path}");
    }
    assert_eq!(&get(config(), &server.url("/10")).await.unwrap().content[..], b"there");
}

#[tokio::test]
async fn a_cookie_may_send_us_back() {
    let server = Server::start(|asked| match asked.header("cookie") {
        None => Reply::redirect(&asked.path).with_header("Set-Cookie", "seen=1; Path=/"),
        Some(_) => Reply::html("welcome"),
    });
    let fetched = get(config(), &server.url("/door")).await.unwrap();
    assert_eq!((&fetched.content[..], fetched.hops.len()), (&b"welcome"[..], 1));
    // One that never has enough is a loop.
    let server = Server::start(|asked| Reply::redirect(&asked.path).with_header("Set-Cookie", "seen=1; Path=/"));
    let error = get(config(), &server.url("/door")).await.unwrap_err();
    assert!(matches!(error, FetchError::Redirects { .. }), "{error:?}");
    assert_eq!(server.requests(), 11);
}

#[tokio::test]
async fn redirects_are_checked_again() {
    let inside = Server::start(|_| Reply::html("secret"));
    let target = inside.url("/");
    let outside = Server::start(move |asked| match asked.path.as_str() {
        "/in" => Reply::redirect(&target),
        "/local" => Reply::redirect(&target.replace("127.0.0.1", "localhost")),
        "/same" => Reply::redirect("/page"),
        "/file" => Reply::redirect("file:///etc/passwd"),
        _ => Reply::html("page"),
    });
    for path in ["/in", "/local"] {
        let error = get(config(), &outside.url(path)).await.unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{path}: {error:?}");
    }
    assert_eq!(inside.requests(), 0);
    let error = get(config(), &outside.url("/file")).await.unwrap_err();
    assert!(matches!(error, FetchError::Scheme { .. }), "{error:?}");
    // A server that the user named may lead to its own pages, and to others with the user's leave.
    assert_eq!(&get(config(), &outside.url("/same")).await.unwrap().content[..], b"page");
    let allowed = config().with_allow_private(true);
    assert_eq!(&get(allowed, &outside.url("/in")).await.unwrap().content[..], b"secret");
    // On the word of a page not even that.
    assert!(client(config()).get(&linked(&outside.url("/same"))).await.is_err());
}

#[tokio::test]
async fn content_is_unpacked_within_the_bound() {
    let server = Server::start(|asked| {
        let size = if asked.path == "/bomb" { 50 << 20 } else { 5000 };
        Reply::html(gzip(&vec![b'x'; size])).with_header("Content-Encoding", "gzip")
    });
    let config = config().with_max_size(1 << 20);
    let fetched = get(config.clone(), &server.url("/")).await.unwrap();
    assert_eq!(fetched.content.len(), 5000);
    assert!(fetched.answer.body.len() < 100, "the answer keeps what was sent");
    let error = get(config, &server.url("/bomb")).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error:?}");
    assert_eq!(server.requests(), 2, "a bomb is not asked for again");
}

#[test]
fn many_threads_may_wait_for_pages() {
    let server = Server::start(|asked| Reply::html(asked.path.clone()).after(Duration::from_millis(20)));
    let client = Arc::new(client(config().with_per_host(8)));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (client, server) = (&client, &server);
            scope.spawn(move || {
                for page in 0..5 {
                    let path = format!("/{thread}/{page}");
                    let fetched = client.get_blocking(&request(&server.url(&path))).unwrap();
                    assert_eq!(String::from_utf8_lossy(&fetched.content), path);
                }
            });
        }
    });
    // Even from asynchronous code, where waiting is bad manners but must not be a panic.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { client.get_blocking(&request(&server.url("/"))).unwrap() });
    drop(client);
}
