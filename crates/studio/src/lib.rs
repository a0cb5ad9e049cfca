//! The studio: wrappers by pointing, in a browser.
//!
//! [`Studio`] is a server on loopback. It shows pages as they look, in a frame in which nothing of theirs runs, and
//! answers the questions of its front end (`web/`): what is here, what is like it, what do these rules find. Every
//! answer is made by the libraries; nothing is learned here.
//!
//! # Reading order
//!
//! [`api`] is what goes over the wire. `server` has the routes, `guard` says who may ask, `door` lets a browser in, `state` holds the open pages,
//! `open` fills it. `view` makes a page harmless and keeps its looks, `assets` brings the images and styles it names. The
//! other files are a call each.
//!
//! # What a page may do
//!
//! Nothing. A page's scripts are taken out, its frame has an origin of its own and a policy that runs one script only,
//! ours, and loads from nowhere but here; what it names is fetched by [`windrow::fetch`], which refuses private
//! addresses. Each of the three would be enough.

pub mod api;

mod alternatives;
mod assets;
mod blocking;
mod calls;
mod convert;
mod discover;
mod domain;
mod door;
mod export;
mod failure;
mod feed;
mod folder;
mod guard;
mod learn;
mod many;
mod open;
mod place;
mod repair;
mod rules;
mod run;
mod save;
mod server;
mod state;
mod store;
mod view;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use windrow::fetch::FetcherConfig;

use crate::state::State;

/// How often the studio asks whether it is to stop.
const ASKED_EVERY: Duration = Duration::from_millis(50);

/// What a studio is started with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// Pages to open: addresses and files.
    pub pages: Vec<String>,
    /// A wrapper to begin with: its file, and its text.
    pub rules: Option<(String, String)>,
    /// The folder that files are saved below.
    pub folder: PathBuf,
    /// How pages are fetched.
    pub fetching: FetcherConfig,
    /// What time it is, as RFC 3339 has it.
    pub now: fn() -> Option<String>,
}

impl Config {
    /// A studio that saves below this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Config {
        Config {
            port: 0,
            pages: Vec::new(),
            rules: None,
            folder: folder.into(),
            fetching: FetcherConfig::default(),
            now: || None,
        }
    }
}

/// Why there is no studio.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum StudioError {
    /// The port is taken, or sockets are refused.
    #[error("cannot listen on port {port}: {cause}")]
    #[diagnostic(code(studio::port), help("--port 0 takes any that is free"))]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The system has no random numbers, or no threads.
    #[error("cannot begin: {cause}")]
    #[diagnostic(code(studio::system))]
    System {
        /// What the system said.
        cause: String,
    },
}

/// A studio that listens and does not answer yet.
#[derive(Debug)]
pub struct Studio {
    listener: TcpListener,
    state: Arc<State>,
}

impl Studio {
    /// Listens, on loopback only.
    pub fn new(config: Config) -> Result<Studio, StudioError> {
        let port = config.port;
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let fail = |cause| StudioError::Port { port, cause };
        let listener = TcpListener::bind(wanted).map_err(fail)?;
        listener.set_nonblocking(true).map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        let state = State::new(config, port).map_err(|cause| StudioError::System { cause })?;
        Ok(Studio { listener, state: Arc::new(state) })
    }

    /// Where to look, with the token that only who is told it knows.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.state.port, self.state.token)
    }

    /// Writes a file that leads a browser to [`Studio::address`]. Only its owner can read it, and its name does not have the
    /// token in it, so it can be given to a program whose arguments other users see. It is removed when the first call
    /// with the token has come, or when the studio ends.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn door(&self) -> std::io::Result<PathBuf> {
        self.state.open_door(&self.address())
    }

    /// Answers until it is to stop, which it asks now and then.
    pub fn serve(self, is_stopped: impl Fn() -> bool + Send + 'static) -> Result<(), StudioError> {
        let fail = |cause: std::io::Error| StudioError::System { cause: cause.to_string() };
        // Work is done on blocking threads; these two only pass it on.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("windrow-studio")
            .enable_all()
            .build()
            .map_err(fail)?;
        let state = Arc::clone(&self.state);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let opening = Arc::clone(&state);
            tokio::task::spawn_blocking(move || opening.open_given());
            let stop = async move {
                while !is_stopped() {
                    tokio::time::sleep(ASKED_EVERY).await;
                }
            };
            // Connections that browsers keep open are not waited for.
            tokio::select! {
                served = async { axum::serve(listener, server::router(self.state)).await } => served,
                () = stop => Ok(()),
            }
        });
        state.close_door();
        // A call that is still at work is not waited for.
        runtime.shutdown_background();
        served.map_err(fail)
    }
}
