//! The studio: a browser interface for creating wrappers by pointing.
//!
//! [`Studio`] is a server on loopback. It shows pages as they look, in a frame in which none of their scripts run, and
//! answers the requests of its front end (`web/`): the element at a place, similar elements, the results of rules. All
//! answers come from the libraries; the studio itself learns nothing.
//!
//! # Reading order
//!
//! [`api`] defines requests and answers. `server` has the routes, `guard` controls access, `door` opens a browser,
//! `state` holds the open pages, `open` opens them. `view` makes a page harmless while keeping its looks, `assets`
//! delivers its images and style sheets. The other files implement one call each.
//!
//! # What a page may do
//!
//! Nothing. A page's scripts are removed, its frame has an origin of its own and a policy that runs only the studio's
//! script and loads from nowhere else; assets are fetched by [`windrow::fetch`], which refuses private addresses. Each
//! of the three would suffice.

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

/// Interval at which the studio checks whether it should stop.
const ASKED_EVERY: Duration = Duration::from_millis(50);

/// Settings of the studio.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// Port; 0 chooses a free one.
    pub port: u16,
    /// Pages to open: addresses and files.
    pub pages: Vec<String>,
    /// Initial wrapper: its file and text.
    pub rules: Option<(String, String)>,
    /// Folder below which files are saved.
    pub folder: PathBuf,
    /// Settings for fetching pages.
    pub fetching: FetcherConfig,
    /// Clock that returns the current time in RFC 3339.
    pub now: fn() -> Option<String>,
}

impl Config {
    /// Creates the settings of a studio that saves below this folder.
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

/// Error of starting or running the studio.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum StudioError {
    /// The port is in use, or sockets are not permitted.
    #[error("cannot listen on port {port}: {cause}")]
    #[diagnostic(code(studio::port), help("use --port 0 to choose a free port"))]
    Port {
        /// Port number.
        port: u16,
        /// Error of the operating system.
        cause: std::io::Error,
    },
    /// The system provides no random numbers or no threads.
    #[error("the studio could not be started: {cause}")]
    #[diagnostic(code(studio::system))]
    System {
        /// Error of the operating system.
        cause: String,
    },
}

/// A studio that is listening but not yet answering.
#[derive(Debug)]
pub struct Studio {
    listener: TcpListener,
    state: Arc<State>,
}

impl Studio {
    /// Listens on loopback only.
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

    /// Returns the address to open, including the secret token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.state.port, self.state.token)
    }

    /// Writes a file that opens [`Studio::address`] in a browser. Only its owner can read it, and its name does not
    /// contain the token, so it can be passed to a program whose arguments other users can see. It is removed at the
    /// first call with the token, or when the studio ends.
    ///
    /// # Errors
    ///
    /// The file could not be written.
    pub fn door(&self) -> std::io::Result<PathBuf> {
        self.state.open_door(&self.address())
    }

    /// Answers requests until `is_stopped` returns true, which is checked regularly.
    pub fn serve(self, is_stopped: impl Fn() -> bool + Send + 'static) -> Result<(), StudioError> {
        let fail = |cause: std::io::Error| StudioError::System { cause: cause.to_string() };
        // Work runs on blocking threads; these two threads only dispatch it.
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
            // Open connections of browsers are not waited for.
            tokio::select! {
                served = async { axum::serve(listener, server::router(self.state)).await } => served,
                () = stop => Ok(()),
            }
        });
        state.close_door();
        // Running calls are not waited for.
        runtime.shutdown_background();
        served.map_err(fail)
    }
}
