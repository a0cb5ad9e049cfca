//! One request: what is sent, what comes back, what is refused.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use http::Version;
use windrow_fetch::FetchError;
use windrow_fetch::http::{Client, Config, Validators};
use windrow_testkit::server::{Fault, Reply, Server};

use crate::http_common::{client, config, linked, once, request, steady};

#[tokio::test]
async fn an_honest_request_and_its_answer() {
    let heard = Arc::new(Mutex::new(String::new()));
    let hearing = Arc::clone(&heard);
    let server = Server::start(move |asked| {
        let mut headers: Vec<String> = asked.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        headers.sort();
        *hearing.lock().unwrap() = format!("{} {}\n{}", asked.method, asked.path, headers.join("\n"));
        Reply::html("<p>Oslo").with_header("X-Twice", "1").with_header("X-Twice", "2")
    });
    let answer = once(config().with_accept_language("nb"), &server.url("/a?b#c")).await.unwrap();
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"<p>Oslo"[..]));
    assert_eq!(answer.version, Version::HTTP_11);
    assert_eq!(answer.address, Some(server.address().ip()));
    assert_eq!(answer.url.as_str(), server.url("/a?b#c"));
    assert_eq!(answer.headers.get_all("x-twice").iter().count(), 2);
    let heard = heard.lock().unwrap().replace(env!("CARGO_PKG_VERSION"), "VERSION");
    expect![[r#"
        GET /a?b
        accept-encoding: gzip, deflate, br, zstd
        accept-language: nb
        accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
        host: 127.0.0.1:PORT
        user-agent: windrow/VERSION (+https://github.com/windrow/windrow)"#]]
    .assert_eq(&steady(&heard, &server));
}

#[tokio::test]
async fn every_status_is_an_answer_and_no_redirect_is_followed() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/moved" => Reply::redirect("/there"),
        _ => Reply::status(503).with_header("Retry-After", "1"),
    });
    assert_eq!(once(config(), &server.url("/moved")).await.unwrap().status, 302);
    assert_eq!(once(config(), &server.url("/busy")).await.unwrap().status, 503);
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn validators_make_a_request_conditional() {
    let server = Server::start(|asked| match (asked.header("if-none-match"), asked.header("if-modified-since")) {
        (Some("\"v1\""), Some("Sun, 06 Nov 1994 08:49:37 GMT")) => Reply::status(304),
        _ => Reply::html("new"),
    });
    let validators = Validators::from_text(Some("\"v1\""), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    let request = request(&server.url("/")).with_validators(validators);
    assert_eq!(client(config()).once(&request).await.unwrap().status, 304);
}

#[tokio::test]
async fn a_part_is_never_given_for_the_whole() {
    let page = || Reply::html("0123456789".repeat(1000));
    for (fault, transient) in [(Fault::Truncated, true), (Fault::LongLength, true), (Fault::Reset, true)] {
        let server = Server::start(move |_| page().with_fault(fault));
        let result = once(config().with_timeout(Duration::from_millis(500)), &server.url("/")).await;
        let error = result.expect_err("no whole answer");
        assert_eq!(error.is_transient(), transient, "{fault:?}: {error}");
    }
    // Chunks that break off before the last.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut stream = accept(&listener);
        stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>Os\r\n").unwrap();
    });
    let error = once(config(), &url).await.expect_err("no whole answer");
    assert!(matches!(error, FetchError::Connection { .. }), "{error:?}");
    // Waiting here would keep the client from hanging up.
    tokio::task::spawn_blocking(|| server.join().unwrap()).await.unwrap();
}

/// A connection whose request has been read.
fn accept(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().unwrap();
    let mut request = [0; 4096];
    assert!(stream.read(&mut request).unwrap() > 0);
    stream
}

#[tokio::test]
async fn silence_and_dripping_end_at_the_deadline() {
    for fault in [Fault::Silence, Fault::Drip] {
        let server = Server::start(move |_| Reply::html("0123456789".repeat(10)).with_fault(fault));
        let after = Duration::from_millis(300);
        let error = once(config().with_timeout(after), &server.url("/")).await.unwrap_err();
        assert!(matches!(error, FetchError::TimedOut { after: told, .. } if told == after), "{error:?}");
    }
}

#[tokio::test]
async fn bodies_have_a_bound_announced_or_not() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/fits" => Reply::html(vec![b'x'; 1000]),
        _ => Reply::html(vec![b'x'; 1001]),
    });
    let config = config().with_max_size(1000);
    assert_eq!(once(config.clone(), &server.url("/fits")).await.unwrap().body.len(), 1000);
    let error = once(config.clone(), &server.url("/large")).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { limit: 1000, .. }), "{error:?}");
    // A body without end: it is read as far as the bound and no further.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut stream = accept(&listener);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        let mut sent = 0u64;
        // Ends with an error when the client hangs up.
        while stream.write_all(&[b'x'; 8192]).is_ok() {
            sent += 8192;
            assert!(sent < 1 << 30, "the client never hangs up");
        }
    });
    let error = once(config, &url).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error:?}");
    // Waiting here would keep the client from hanging up.
    tokio::task::spawn_blocking(|| server.join().unwrap()).await.unwrap();
}

#[tokio::test]
async fn headers_have_a_bound() {
    let server = Server::start(|_| Reply::html("x").with_header("X-Long", "y".repeat(8 << 20)));
    let error = once(config(), &server.url("/")).await.unwrap_err();
    assert!(matches!(error, FetchError::Connection { .. }), "{error:?}");
}

#[tokio::test]
async fn cookies_last_for_the_run() {
    let server = Server::start(|asked| {
        let sent = asked.header("cookie").unwrap_or("none").to_owned();
        Reply::html(sent).with_header("Set-Cookie", "visit=1; Path=/").with_header("Set-Cookie", "b=2; Path=/only")
    });
    let client = client(config());
    let mut bodies = Vec::new();
    for (path, origin) in [("/", true), ("/", true), ("/only/here", true)] {
        let asked = if origin { request(&server.url(path)) } else { linked(&server.url(path)) };
        bodies.push(client.once(&asked).await.unwrap().body);
    }
    assert_eq!(&bodies[0][..], b"none");
    assert_eq!(&bodies[1][..], b"visit=1");
    let both = String::from_utf8_lossy(&bodies[2]);
    assert!(both.contains("visit=1") && both.contains("b=2"), "{both}");
}

#[tokio::test]
async fn pages_do_not_lead_into_private_networks() {
    let server = Server::start(|_| Reply::html("secret"));
    let port = server.address().port();
    let refused = client(config());
    for host in ["127.0.0.1", "localhost", "a.localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0"] {
        let error = refused.once(&linked(&format!("http://{host}:{port}/"))).await.unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{host}: {error:?}");
    }
    assert_eq!(server.requests(), 0);
    // The user may go there, and so may pages if the user says so.
    assert_eq!(&once(config(), &server.url("/")).await.unwrap().body[..], b"secret");
    let allowed = client(config().with_allow_private(true));
    assert_eq!(&allowed.once(&linked(&server.url("/"))).await.unwrap().body[..], b"secret");
    // Nor does a request of the user's to one private server lead to others, or to another name of the same.
    refused.once(&request(&server.url("/"))).await.unwrap();
    for host in ["localhost", "127.0.0.2", "[::ffff:127.0.0.1]", "0"] {
        let error = refused.once(&linked(&format!("http://{host}:{port}/"))).await.unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{host}: {error:?}");
    }
}

#[tokio::test]
async fn pages_may_lead_to_the_private_origin_that_the_user_named() {
    let inside = Server::start(|_| Reply::html("secret"));
    let to = inside.url("/");
    let server = Server::start(move |asked| match asked.path.as_str() {
        "/out" => Reply::redirect(&to),
        _ => Reply::html("own"),
    });
    let named = client(config());
    named.once(&request(&server.url("/list"))).await.unwrap();
    assert_eq!(&named.once(&linked(&server.url("/item"))).await.unwrap().body[..], b"own");
    // A crawl that goes on names its seeds without asking for them again.
    let resumed = client(config());
    assert!(resumed.once(&linked(&server.url("/item"))).await.is_err());
    let resumed = client(config());
    resumed.name(&server.url("/list").parse().unwrap());
    assert_eq!(&resumed.once(&linked(&server.url("/item"))).await.unwrap().body[..], b"own");
    // Its redirects to other private servers are refused, as are links to them.
    let error = named.get(&request(&server.url("/out"))).await.unwrap_err();
    assert!(matches!(error, FetchError::Private { .. }), "{error:?}");
    assert!(named.once(&linked(&inside.url("/"))).await.is_err());
    assert_eq!(inside.requests(), 0);
}

#[tokio::test]
async fn a_proxy_is_used_if_it_is_named() {
    let server = Server::start(|asked| Reply::html(format!("{} for {}", asked.path, asked.header("host").unwrap())));
    let through = client(config().with_proxy(server.url("")));
    let answer = through.once(&linked("http://example.org/page?x")).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.body), "http://example.org/page?x for example.org");
    // An address that is private by its spelling stays so.
    assert!(matches!(through.once(&linked("http://10.0.0.1/")).await, Err(FetchError::Private { .. })));
}

#[tokio::test]
async fn errors_say_what_is_wrong_in_words() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = Server::start(|_| Reply::html("0123456789").with_fault(Fault::Truncated));
    let mut texts = Vec::new();
    for url in [&format!("http://{free}/"), &server.url("/"), "ftp://example.org/", "mailto:me@example.org"] {
        texts.push(once(config(), url).await.unwrap_err().to_string());
    }
    let text = steady(&texts.join("\n"), &server).replace(&free.port().to_string(), "FREE");
    expect![[r#"
        cannot fetch `http://127.0.0.1:FREE/`: no connection: tcp connect error: Connection refused (os error 111)
        cannot fetch `http://127.0.0.1:PORT/`: end of file before message length reached
        cannot fetch `ftp://example.org/`: only http: and https: addresses can be fetched, not `ftp:`
        cannot fetch `mailto:me@example.org`: only http: and https: addresses can be fetched, not `mailto:`"#]]
    .assert_eq(&text);
    let error = once(config(), "http://no-such-host.invalid/").await.unwrap_err();
    assert!(matches!(error, FetchError::Name { .. }), "{error:?}");
}

#[test]
fn settings_that_cannot_be_used_are_told() {
    let mut texts = Vec::new();
    for config in [
        Config::default().with_user_agent("a\nb"),
        Config::default().with_proxy("no proxy"),
        Config::default().with_root_certificates("no certificate"),
        Config::default().with_root_certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
    ] {
        texts.push(Client::new(config).unwrap_err().to_string());
    }
    expect![[r#"
        `a
        b` cannot be sent as User-Agent
        `no proxy` is not a valid proxy address: relative URL without a base
        the root certificates could not be read: no certificate was found in them
        the root certificates could not be read: invalid peer certificate: BadEncoding"#]]
    .assert_eq(&texts.join("\n"));
}
