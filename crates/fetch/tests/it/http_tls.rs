//! TLS and HTTP/2, with a server and a certificate authority of our own on loopback.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::Version;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use windrow_fetch::FetchError;

use crate::http_common::{client, config, request};

/// A server for `names` on loopback, and the certificate of the authority that vouches for it, as PEM.
async fn server(names: &[&str], protocols: &[&str]) -> (SocketAddr, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let root = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
        .unwrap();
    tls.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust us ends the handshake.
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let serve = service_fn(|asked: hyper::Request<hyper::body::Incoming>| async move {
                    let body = format!("{:?} {}", asked.version(), asked.uri().path());
                    Ok::<_, Infallible>(hyper::Response::new(Full::new(Bytes::from(body))))
                });
                let stream = TokioIo::new(stream);
                let _ = if two {
                    hyper::server::conn::http2::Builder::new(TokioExecutor::new()).serve_connection(stream, serve).await
                } else {
                    hyper::server::conn::http1::Builder::new().serve_connection(stream, serve).await
                };
            });
        }
    });
    (address, root.pem())
}

fn at(host: &str, address: SocketAddr) -> String {
    format!("https://{host}:{}/page", address.port())
}

#[tokio::test]
async fn http2_is_agreed_on() {
    let (address, root) = server(&["localhost"], &["h2", "http/1.1"]).await;
    let url = at("localhost", address);
    let two = client(config().with_root_certificates(root.clone()));
    let fetched = two.get(&request(&url)).await.unwrap();
    assert_eq!((fetched.answer.version, &fetched.content[..]), (Version::HTTP_2, &b"HTTP/2.0 /page"[..]));
    let one = client(config().with_root_certificates(root).with_http2(false));
    let fetched = one.get(&request(&url)).await.unwrap();
    assert_eq!((fetched.answer.version, &fetched.content[..]), (Version::HTTP_11, &b"HTTP/1.1 /page"[..]));
}

#[tokio::test]
async fn a_server_that_knows_no_http2_is_served_as_well() {
    let (address, root) = server(&["localhost"], &[]).await;
    let client = client(config().with_root_certificates(root));
    assert_eq!(client.once(&request(&at("localhost", address))).await.unwrap().version, Version::HTTP_11);
}

#[tokio::test]
async fn nobody_is_trusted_without_reason() {
    let (address, root) = server(&["localhost"], &["h2"]).await;
    let (_, other) = server(&["localhost"], &["h2"]).await;
    let name = at("localhost", address);
    let number = at("127.0.0.1", address);
    for (config, url, words) in [
        (config(), &name, "trusted authority"),
        (config().with_root_certificates(other), &name, "trusted authority"),
        (config().with_root_certificates(root), &number, "another host name"),
    ] {
        let error = client(config).once(&request(url)).await.unwrap_err();
        assert!(matches!(error, FetchError::Certificate { .. }), "{error:?}");
        assert!(error.to_string().contains(words) && !error.is_transient(), "{error}");
    }
}

#[tokio::test]
async fn text_on_a_port_for_tls_is_an_error_in_words() {
    let server = windrow_testkit::server::Server::start(|_| windrow_testkit::server::Reply::html("plain"));
    let url = server.url("/").replace("http:", "https:");
    let error =
        client(config().with_timeout(std::time::Duration::from_secs(2))).once(&request(&url)).await.unwrap_err();
    assert!(matches!(error, FetchError::Connection { .. } | FetchError::TimedOut { .. }), "{error:?}");
}
