//! robots.txt, over real sockets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use windrow_fetch::FetchError;
use windrow_testkit::server::{Fault, Reply, Server};

use crate::http_common::{client, config, get, gzip, request};

/// A site with this robots.txt.
fn site(robots: impl Fn(u64) -> Reply + Send + Sync + 'static) -> Server {
    let asked = AtomicU64::new(0);
    Server::start(move |request| match request.path.as_str() {
        "/robots.txt" => robots(asked.fetch_add(1, Ordering::Relaxed)),
        "/elsewhere.txt" => Reply::new(200, *b"User-agent: *\nDisallow: /private"),
        "/leads" => Reply::redirect("/private/page"),
        path => Reply::html(path),
    })
}

fn obeying() -> windrow_fetch::http::Config {
    config().with_obey_robots(true)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, FetchError>) {
    assert!(matches!(result, Err(FetchError::Robots { .. })), "{result:?}");
}

#[tokio::test]
async fn rules_are_obeyed_and_fetched_once() {
    let server = site(|_| Reply::new(200, *b"User-agent: windrow\nDisallow: /private\nSitemap: /map.xml"));
    let client = client(obeying());
    refused(client.get(&request(&server.url("/private/page"))).await);
    for page in 0..3 {
        client.get(&request(&server.url(&format!("/{page}")))).await.unwrap();
    }
    assert_eq!(server.requests(), 4, "robots.txt once, three pages");
    refused(client.get(&request(&server.url("/leads"))).await);
    assert_eq!(client.robots(&request(&server.url("/"))).await.unwrap().sitemaps(), ["/map.xml"]);
    // Who has the site's leave need not ask.
    get(config(), &server.url("/private/page")).await.unwrap();
    // Another name, other rules.
    get(obeying().with_user_agent("other/1"), &server.url("/private/page")).await.unwrap();
}

#[tokio::test]
async fn many_at_once_ask_once_and_do_not_wait_for_each_other_for_ever() {
    let server = site(|_| Reply::new(200, *b"User-agent: *\nDisallow: /x").after(Duration::from_millis(100)));
    let client = client(obeying().with_per_host(1));
    let mut pages = Vec::new();
    for page in 0..20 {
        let (client, url) = (client.clone(), server.url(&format!("/{page}")));
        pages.push(tokio::spawn(async move { client.get(&request(&url)).await }));
    }
    for page in pages {
        tokio::time::timeout(Duration::from_secs(300), page).await.expect("no deadlock").unwrap().unwrap();
    }
    assert_eq!(server.requests(), 21);
}

#[tokio::test]
async fn a_site_without_robots_txt_asks_nothing() {
    for status in [400, 401, 403, 404, 410] {
        let server = site(move |_| Reply::status(status));
        get(obeying(), &server.url("/private")).await.unwrap();
        assert_eq!(server.requests(), 2, "{status}");
    }
}

#[tokio::test]
async fn a_robots_txt_that_cannot_be_had_closes_the_site_for_a_while() {
    let replies = [
        Reply::status(500),
        Reply::status(501),
        Reply::status(503),
        Reply::status(429),
        Reply::html("x").with_fault(Fault::Reset),
        Reply::html("0123456789").with_fault(Fault::Truncated),
        Reply::html("x").with_fault(Fault::Silence),
    ];
    for reply in replies {
        let sent = reply.clone();
        let server = site(move |_| sent.clone());
        // Long enough for a request to arrive on a busy machine, where nothing comes back anyway.
        let timeout = if reply.fault == Some(Fault::Silence) { 3 } else { 300 };
        let client = client(obeying().with_retries(1).with_timeout(Duration::from_secs(timeout)));
        for _ in 0..2 {
            let error = client.get(&request(&server.url("/page"))).await.unwrap_err();
            assert!(matches!(&error, FetchError::RobotsUnreachable { url, .. } if url.path() == "/page"), "{error:?}");
            assert!(error.is_transient());
        }
        assert_eq!(server.requests(), 2, "tried twice, then remembered: {reply:?}");
    }
    // A failure that passes is no failure.
    let server = site(|asked| if asked < 2 { Reply::status(503) } else { Reply::status(404) });
    get(obeying(), &server.url("/page")).await.unwrap();
    // If there is no host at all, that is what is told.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = get(obeying().with_retries(0), &format!("http://{free}/page")).await.unwrap_err();
    assert!(matches!(&error, FetchError::Connection { url, .. } if url.path() == "/page"), "{error:?}");
}

#[tokio::test]
async fn robots_txt_may_be_elsewhere_large_and_packed() {
    let server = site(|_| Reply::redirect("/elsewhere.txt"));
    refused(get(obeying(), &server.url("/private")).await);
    let server = site(|_| Reply::redirect("/robots.txt"));
    get(obeying(), &server.url("/private")).await.unwrap();
    assert_eq!(server.requests(), 7, "five redirects of robots.txt are followed");
    let large = format!("User-agent: *\nDisallow: /private\n{}", "# more\n".repeat(1 << 20));
    let (plain, packed) = (large.clone(), gzip(large.as_bytes()));
    let server = site(move |_| Reply::new(200, plain.as_bytes()));
    refused(get(obeying(), &server.url("/private")).await);
    let server = site(move |_| Reply::new(200, &packed[..]).with_header("Content-Encoding", "gzip"));
    refused(get(obeying(), &server.url("/private")).await);
    get(obeying(), &server.url("/")).await.unwrap();
}

#[tokio::test]
async fn the_crawl_delay_spaces_requests_up_to_a_bound() {
    let server = site(|_| Reply::new(200, *b"User-agent: *\nCrawl-delay: 3600"));
    let hour = Duration::from_secs(3600);
    let client = client(obeying().with_crawl_delay_limit(hour / 6));
    let page = request(&server.url("/page"));
    let begun = Instant::now();
    client.get(&page).await.unwrap();
    // The first page need not wait; the next one has to, for as long as the bound says.
    let next = client.gate().try_enter(&page.url, Instant::now()).unwrap_err();
    assert!(next >= begun + hour / 6 && next <= Instant::now() + hour / 6, "{:?}", next - begun);
    let verdict = client.allowed(&request(&server.url("/"))).await.unwrap();
    assert_eq!((verdict.allowed, verdict.delay), (true, Some(hour / 6)));
}
