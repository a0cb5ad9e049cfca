//! A web server on loopback that misbehaves on demand.
//!
//! It speaks HTTP/1.1 on plain sockets, written by hand, because no proper server will send half a body, reset a
//! connection, or lie about a length. A handler answers each request with a [`Reply`]; connections are kept alive
//! wherever the reply leaves them in a state to be.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// `GET`, as a rule.
    pub method: String,
    /// The path with its query: `/list?page=2`.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Asked {
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reply to send.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Headers besides the length.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Arc<[u8]>,
    /// Fault of the reply, if any.
    pub fault: Option<Fault>,
    /// Time before anything is sent.
    pub latency: Duration,
}

/// Kind of fault of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is ever sent.
    Silence,
    /// The connection is reset before anything is sent.
    Reset,
    /// Half of the body is sent, then the connection is closed.
    Truncated,
    /// The length promises ten bytes more than ever come; the connection stays open.
    LongLength,
    /// A byte a quarter of a second.
    Drip,
}

impl Reply {
    /// A page.
    pub fn html(body: impl Into<Vec<u8>>) -> Reply {
        Reply::new(200, body.into()).with_header("Content-Type", "text/html; charset=utf-8")
    }

    /// A body without a type.
    pub fn new(status: u16, body: impl Into<Arc<[u8]>>) -> Reply {
        Reply { status, headers: Vec::new(), body: body.into(), fault: None, latency: Duration::ZERO }
    }

    /// A status and no more.
    pub fn status(status: u16) -> Reply {
        Reply::new(status, Vec::new())
    }

    /// A redirect.
    pub fn redirect(to: &str) -> Reply {
        Reply::status(302).with_header("Location", to)
    }

    /// The same with one more header.
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// The same, going wrong.
    pub fn with_fault(mut self, fault: Fault) -> Reply {
        self.fault = Some(fault);
        self
    }

    /// The same, later.
    pub fn after(mut self, latency: Duration) -> Reply {
        self.latency = latency;
        self
    }

    fn head(&self) -> Vec<u8> {
        let length = self.body.len() + if self.fault == Some(Fault::LongLength) { 10 } else { 0 };
        let mut head = format!("HTTP/1.1 {} Reply\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !(self.status == 304 || self.headers.iter().any(|(name, _)| *name == "Transfer-Encoding")) {
            head += &format!("Content-Length: {length}\r\n");
        }
        head += "\r\n";
        head.into_bytes()
    }
}

/// A server, which ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port of loopback, with a thread of its own.
    ///
    /// # Panics
    ///
    /// If there is no port or no thread to be had: a test cannot go on without.
    pub fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        Server::start_at("127.0.0.1:0".parse().expect("an address"), handler)
    }

    /// Starts a server at this address.
    ///
    /// # Panics
    ///
    /// If the address is taken or there is no thread to be had.
    pub fn start_at(address: SocketAddr, handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind(address).expect("a free port of loopback");
        listener.set_nonblocking(true).expect("a socket that does not block");
        let address = listener.local_addr().expect("the port that was given");
        let (stop, stopped) = oneshot::channel();
        let requests = Arc::new(AtomicU64::new(0));
        let handler = Arc::new(handler);
        let counted = Arc::clone(&requests);
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                let accept = async {
                    loop {
                        let Ok((stream, _)) = listener.accept().await else { continue };
                        tokio::spawn(converse(stream, Arc::clone(&handler), Arc::clone(&counted)));
                    }
                };
                tokio::select! { () = accept => {}, _ = stopped => {} }
            });
        };
        let thread = std::thread::Builder::new().name("test server".to_owned()).spawn(serve).expect("a thread");
        Server { address, requests, stop: Some(stop), thread: Some(thread) }
    }

    /// Returns the address of the server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of a page: `path` begins with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Requests so far.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers the requests of one connection until either side has enough.
async fn converse<H: Fn(&Asked) -> Reply>(mut stream: TcpStream, handler: Arc<H>, requests: Arc<AtomicU64>) {
    let _ = stream.set_nodelay(true);
    let mut unread = Vec::with_capacity(4096);
    while let Ok(Some(asked)) = request(&mut stream, &mut unread).await {
        requests.fetch_add(1, Ordering::Relaxed);
        let reply = handler(&asked);
        if !matches!(send(&mut stream, &asked, &reply).await, Ok(true)) {
            break;
        }
    }
}

/// The next request; none if the client is gone.
async fn request(stream: &mut TcpStream, unread: &mut Vec<u8>) -> io::Result<Option<Asked>> {
    let end = loop {
        if let Some(at) = unread.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if unread.len() > 1 << 20 || stream.read_buf(unread).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&unread[..end]).into_owned();
    unread.drain(..end + 4);
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    Ok(Some(Asked { method, path, headers }))
}

/// Sends a reply; says whether the connection can go on.
async fn send(stream: &mut TcpStream, asked: &Asked, reply: &Reply) -> io::Result<bool> {
    if !reply.latency.is_zero() {
        tokio::time::sleep(reply.latency).await;
    }
    let mut bytes = reply.head();
    let head = bytes.len();
    if asked.method != "HEAD" {
        bytes.extend_from_slice(&reply.body);
    }
    match reply.fault {
        None => {
            stream.write_all(&bytes).await?;
            Ok(true)
        }
        Some(Fault::Silence) => wait(stream).await,
        Some(Fault::Reset) => {
            // Closing with unsent data and no lingering sends a reset.
            stream.set_zero_linger()?;
            Ok(false)
        }
        Some(Fault::Truncated) => {
            stream.write_all(&bytes[..head + (bytes.len() - head) / 2]).await?;
            Ok(false)
        }
        Some(Fault::LongLength) => {
            stream.write_all(&bytes).await?;
            wait(stream).await
        }
        Some(Fault::Drip) => {
            for byte in bytes {
                stream.write_all(&[byte]).await?;
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
            Ok(true)
        }
    }
}

/// Waits for the client to go.
async fn wait(stream: &mut TcpStream) -> io::Result<bool> {
    let mut ignored = [0; 1024];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(false)
}
