//! Network access of a rendered page: a local proxy that all its connections go through.
//!
//! A page that runs scripts can request any address, by requests, sockets, workers, frames and redirects. Checking
//! names in the browser would miss some of these, and would trust that a name still resolves as it did when it was
//! checked. The page's browser context therefore has this proxy as its only way to the network. The proxy resolves each
//! name itself, connects to exactly the address that it checked, and refuses private ones. It speaks SOCKS 5, which
//! forwards connections without interpreting their contents.
//!
//! The proxy is open to other programs on this machine while a page is rendered; through it they reach nothing that
//! they could not reach directly.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use url::{Host, Url};

use super::local::LOCAL_HOST;
use crate::http::guard::is_private;

/// Largest number of simultaneous connections of a page.
const CONNECTIONS: usize = 128;
/// Time limit for connecting to a server.
const CONNECT: Duration = Duration::from_secs(10);

/// Proxy of one page. Dropping it closes all connections.
pub(super) struct Guard {
    address: SocketAddr,
    rules: Arc<Rules>,
    // Dropped with the guard, which ends the tasks.
    _tasks: JoinSet<()>,
}

struct Rules {
    allow_private: bool,
    /// Host and port of the page itself, if they are private and the user asked for it.
    own: Option<(String, u16)>,
    traffic: AtomicU64,
    most_traffic: u64,
    exhausted: AtomicBool,
    /// True if no address may be reached.
    closed: AtomicBool,
    asked_in_vain: AtomicBool,
    refused: Mutex<Option<(String, IpAddr)>>,
}

impl Guard {
    /// Starts the proxy of a page. Its own host may be private if `trusted`; others only if `allow_private`.
    pub(super) async fn open(
        url: &Url,
        trusted: bool,
        allow_private: bool,
        most_traffic: u64,
    ) -> std::io::Result<Guard> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let mut own = None;
        if trusted
            && !allow_private
            && let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default())
        {
            // The page's own name is only exempt if it is private now: a page must not turn a public name into a
            // private one.
            let host = bare(host).to_owned();
            let addresses = resolve(&host, port).await;
            if !addresses.is_empty() && addresses.iter().all(|address| is_private(address.ip())) {
                own = Some((host, port));
            }
        }
        let rules = Arc::new(Rules {
            allow_private,
            own,
            traffic: AtomicU64::new(0),
            most_traffic,
            exhausted: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            asked_in_vain: AtomicBool::new(false),
            refused: Mutex::new(None),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::clone(&rules)));
        Ok(Guard { address, rules, _tasks: tasks })
    }

    /// Returns the proxy's address in the form that browsers expect.
    pub(super) fn server(&self) -> String {
        format!("socks5://{}", self.address)
    }

    /// Returns the first host that was refused, with its private address.
    pub(super) fn refused(&self) -> Option<(String, IpAddr)> {
        self.rules.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses all connections from now on.
    pub(super) fn close(&self) {
        self.rules.closed.store(true, Ordering::Relaxed);
    }

    /// Reports whether a connection was requested while all are refused.
    pub(super) fn is_asked_in_vain(&self) -> bool {
        self.rules.asked_in_vain.load(Ordering::Relaxed)
    }

    /// Reports whether the page was cut off because it exceeded its traffic limit.
    pub(super) fn is_exhausted(&self) -> bool {
        self.rules.exhausted.load(Ordering::Relaxed)
    }
}

async fn accept(listener: TcpListener, rules: Arc<Rules>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Most likely there are no free file descriptors; others may be released soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let rules = Arc::clone(&rules);
        connections.spawn(async move {
            // The browser reports a failed connection to the page.
            let _ = serve(stream, &rules).await;
            drop(place);
        });
    }
}

async fn serve(mut client: TcpStream, rules: &Rules) -> std::io::Result<()> {
    let Ok(asked) = tokio::time::timeout(CONNECT, greet(&mut client)).await else { return Ok(()) };
    let (host, port) = asked?;
    let Some(mut server) = rules.connect(&host, port).await else {
        // The page sees no difference between refused and unreachable, so it learns nothing about private networks.
        return client.write_all(&[VERSION, UNREACHABLE, 0, IPV4, 0, 0, 0, 0, 0, 0]).await;
    };
    client.write_all(&[VERSION, DONE, 0, IPV4, 0, 0, 0, 0, 0, 0]).await?;
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let up = copy(&mut from_client, &mut to_server, rules);
    let down = copy(&mut from_server, &mut to_client, rules);
    tokio::try_join!(up, down).map(drop)
}

// RFC 1928.
const VERSION: u8 = 5;
const CONNECT_COMMAND: u8 = 1;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;
const DONE: u8 = 0;
const UNREACHABLE: u8 = 4;

/// Reads the target of a connection.
async fn greet(client: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> std::io::Result<(String, u16)> {
    let invalid = || std::io::Error::from(std::io::ErrorKind::InvalidData);
    if client.read_u8().await? != VERSION {
        return Err(invalid());
    }
    let methods = client.read_u8().await?;
    read(client, methods.into()).await?;
    // No authentication is required.
    client.write_all(&[VERSION, 0]).await?;
    let request = [client.read_u8().await?, client.read_u8().await?, client.read_u8().await?];
    if request[..2] != [VERSION, CONNECT_COMMAND] {
        return Err(invalid());
    }
    let host = match client.read_u8().await? {
        IPV4 => IpAddr::from(client.read_u32().await?.to_be_bytes()).to_string(),
        IPV6 => IpAddr::from(client.read_u128().await?.to_be_bytes()).to_string(),
        NAME => {
            let length = client.read_u8().await?;
            let name = read(client, length.into()).await?;
            bare(&String::from_utf8(name).map_err(|_| invalid())?).to_owned()
        }
        _ => return Err(invalid()),
    };
    Ok((host, client.read_u16().await?))
}

async fn read(client: &mut (impl AsyncRead + Unpin), length: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    client.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// Removes the brackets of an IPv6 address.
fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

async fn resolve(host: &str, port: u16) -> Vec<SocketAddr> {
    // `localhost` and its subdomains are this machine, whatever a resolver answers.
    if matches!(Host::parse(host), Ok(Host::Domain(name)) if name == "localhost" || name.ends_with(".localhost")) {
        return vec![(Ipv4Addr::LOCALHOST, port).into(), (std::net::Ipv6Addr::LOCALHOST, port).into()];
    }
    match tokio::time::timeout(CONNECT, tokio::net::lookup_host((host, port))).await {
        Ok(Ok(addresses)) => addresses.collect(),
        _ => Vec::new(),
    }
}

impl Rules {
    async fn connect(&self, host: &str, port: u16) -> Option<TcpStream> {
        if self.closed.load(Ordering::Relaxed) {
            // The browser may request an icon from the page's own host.
            if host != LOCAL_HOST {
                self.asked_in_vain.store(true, Ordering::Relaxed);
            }
            return None;
        }
        let is_own = self.own.as_ref().is_some_and(|(own, own_port)| own == host && *own_port == port);
        for address in resolve(host, port).await {
            if !self.allow_private && !is_own && is_private(address.ip()) {
                let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                refused.get_or_insert_with(|| (host.to_owned(), address.ip()));
                continue;
            }
            if let Ok(Ok(stream)) = tokio::time::timeout(CONNECT, TcpStream::connect(address)).await {
                return Some(stream);
            }
        }
        None
    }

    fn count(&self, bytes: usize) -> std::io::Result<()> {
        let before = self.traffic.fetch_add(bytes as u64, Ordering::Relaxed);
        if before.saturating_add(bytes as u64) > self.most_traffic {
            self.exhausted.store(true, Ordering::Relaxed);
            return Err(std::io::ErrorKind::QuotaExceeded.into());
        }
        Ok(())
    }
}

async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    rules: &Rules,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut buffer).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        rules.count(read)?;
        to.write_all(&buffer[..read]).await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn greeted(bytes: &[u8]) -> Option<(String, u16)> {
        let (mut ours, mut theirs) = tokio::io::duplex(1024);
        theirs.write_all(bytes).await.unwrap();
        theirs.shutdown().await.unwrap();
        greet(&mut ours).await.ok()
    }

    #[tokio::test]
    async fn connections_go_to_names_and_addresses() {
        let name = greeted(b"\x05\x01\x00\x05\x01\x00\x03\x0bexample.org\x01\xbb").await;
        assert_eq!(name, Some(("example.org".to_owned(), 443)));
        let v4 = greeted(b"\x05\x01\x00\x05\x01\x00\x01\x7f\0\0\x01\0\x50").await;
        assert_eq!(v4, Some(("127.0.0.1".to_owned(), 80)));
        let v6 = greeted(b"\x05\x01\x00\x05\x01\x00\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\x50").await;
        assert_eq!(v6, Some(("::1".to_owned(), 80)));
    }

    #[tokio::test]
    async fn what_is_no_connection_is_dropped() {
        // HTTP, listening, an unknown address type, an early end.
        assert_eq!(greeted(b"GET / HTTP/1.1\r\n\r\n").await, None);
        assert_eq!(greeted(b"\x05\x00\x05\x02\x00\x01\x7f\0\0\x01\0\x50").await, None);
        assert_eq!(greeted(b"\x05\x00\x05\x01\x00\x09").await, None);
        assert_eq!(greeted(b"\x05\x00\x05\x01\x00\x03\xffshort").await, None);
    }

    #[tokio::test]
    async fn private_addresses_are_refused_but_for_the_page_s_own() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let own = server.local_addr().unwrap();
        let url = Url::parse(&format!("http://{own}/")).unwrap();
        let guard = Guard::open(&url, true, false, 1000).await.unwrap();
        assert!(guard.rules.connect("127.0.0.1", own.port()).await.is_some());
        assert_eq!(guard.refused(), None);
        // Another port, another name for the same host.
        assert!(guard.rules.connect("127.0.0.1", own.port() ^ 1).await.is_none());
        assert_eq!(guard.refused(), Some(("127.0.0.1".to_owned(), own.ip())));
        assert!(guard.rules.connect("localhost", own.port()).await.is_none());

        let linked = Guard::open(&url, false, false, 1000).await.unwrap();
        assert!(linked.rules.connect("127.0.0.1", own.port()).await.is_none());
        let open = Guard::open(&url, false, true, 1000).await.unwrap();
        assert!(open.rules.connect("localhost", own.port()).await.is_some());
    }

    #[tokio::test]
    async fn traffic_has_a_bound() {
        let guard = Guard::open(&Url::parse("http://example.invalid/").unwrap(), false, false, 10).await.unwrap();
        assert!(guard.rules.count(10).is_ok() && !guard.is_exhausted());
        assert!(guard.rules.count(1).is_err() && guard.is_exhausted());
    }
}
