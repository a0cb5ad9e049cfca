//! State of the running studio: the open pages, and the fetchers for more.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use windrow::Page;
use windrow::fetch::warc::{Replay, WarcError};
use windrow::fetch::{Fetcher, render};

use crate::Config;
use crate::api::{Failure, PageInfo};
use crate::door::Door;
use crate::failure::Refused;

/// Largest number of open pages; the least recently used ones are closed first.
const MOST_PAGES: usize = 64;
/// Largest total size of their sources in bytes.
const MOST_BYTES: usize = 512 << 20;

/// Number of archives whose index is kept, so that assets are found without reading the archive again.
const MOST_ARCHIVES: usize = 4;

/// Origin of an open page, from which its assets come, too.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// The web, or archives that replace it.
    Web,
    /// A file; its assets come from its folder.
    File(PathBuf),
    /// An archive.
    Archive(PathBuf),
    /// Sent by the client; it has no assets.
    Sent,
}

/// An open page.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) page: Arc<Page>,
    pub(crate) info: PageInfo,
    pub(crate) origin: Origin,
}

/// The open pages.
#[derive(Debug, Default)]
struct Pages {
    last: u64,
    open: BTreeMap<u64, Arc<Open>>,
    /// Numbers of the pages in order of use, most recent last.
    asked: Vec<u64>,
}

impl Pages {
    /// Marks a page as used.
    fn touch(&mut self, id: u64) {
        self.asked.retain(|&other| other != id);
        self.asked.push(id);
    }

    fn remove(&mut self, id: u64) {
        self.open.remove(&id);
        self.asked.retain(|&other| other != id);
    }
}

/// State of the studio.
pub(crate) struct State {
    pub(crate) config: Config,
    pub(crate) port: u16,
    /// Token that calls must carry.
    pub(crate) token: String,
    /// Key in the addresses of pages and assets.
    pub(crate) key: String,
    /// File that opens a browser; `None` after the first call.
    door: Mutex<Option<Door>>,
    pages: Mutex<Pages>,
    /// Indexes of archives, the most recent last.
    archives: Mutex<Vec<(PathBuf, Arc<Replay>)>>,
    /// Pages given at the start: those that were opened, and the failures of the others.
    given: OnceLock<(Vec<PageInfo>, Vec<Failure>)>,
    fetcher: OnceLock<Result<Fetcher, String>>,
    renderer: OnceLock<Result<Fetcher, String>>,
    asset_fetcher: OnceLock<Result<Fetcher, String>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the token nor the key must appear in a log.
        f.debug_struct("State").field("port", &self.port).finish_non_exhaustive()
    }
}

impl State {
    pub(crate) fn new(config: Config, port: u16) -> Result<State, String> {
        Ok(State {
            config,
            port,
            token: random()?,
            key: random()?,
            door: Mutex::default(),
            pages: Mutex::default(),
            archives: Mutex::default(),
            given: OnceLock::new(),
            fetcher: OnceLock::new(),
            renderer: OnceLock::new(),
            asset_fetcher: OnceLock::new(),
        })
    }

    /// Writes the file that opens `address` in a browser.
    pub(crate) fn open_door(&self, address: &str) -> std::io::Result<PathBuf> {
        let random = random().map_err(std::io::Error::other)?;
        let door = Door::write(&std::env::temp_dir(), &random, address)?;
        let file = door.file().to_owned();
        *self.door.lock().unwrap_or_else(PoisonError::into_inner) = Some(door);
        Ok(file)
    }

    /// Removes the file, if it exists.
    pub(crate) fn close_door(&self) {
        self.door.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Creates the nonce that permits one script in one view.
    pub(crate) fn nonce(&self) -> Result<String, Refused> {
        random().map_err(Refused::internal)
    }

    /// Reports whether a `Host` header names this studio.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let own = host.rsplit_once(':').filter(|(_, port)| port.parse() == Ok(self.port)).map(|(name, _)| name);
        matches!(own, Some("127.0.0.1" | "localhost"))
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        // Changes under this lock are never left incomplete.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a page with a new number. The least recently used pages make room.
    pub(crate) fn add(&self, make: impl FnOnce(u64) -> Open) -> Arc<Open> {
        let mut pages = self.pages();
        pages.last += 1;
        let id = pages.last;
        let open = Arc::new(make(id));
        pages.open.insert(id, Arc::clone(&open));
        pages.touch(id);
        let bytes = |pages: &Pages| pages.open.values().map(|open| open.page.source().len()).sum::<usize>();
        while pages.open.len() > 1 && (pages.open.len() > MOST_PAGES || bytes(&pages) > MOST_BYTES) {
            let Some(&first) = pages.asked.first() else { break };
            pages.remove(first);
        }
        open
    }

    /// Returns an open page.
    pub(crate) fn page(&self, id: u64) -> Result<Arc<Open>, Refused> {
        let mut pages = self.pages();
        if pages.open.contains_key(&id) {
            pages.touch(id);
        }
        pages.open.get(&id).cloned().ok_or_else(|| {
            let refused = Refused::missing("studio::no_page", format!("page {id} is not open"));
            refused.with_help("open it again")
        })
    }

    /// Closes a page.
    pub(crate) fn close(&self, id: u64) {
        self.pages().remove(id);
    }

    /// Returns the pages given at the start, opening them if necessary.
    pub(crate) fn given(&self) -> &(Vec<PageInfo>, Vec<Failure>) {
        self.given.get_or_init(|| {
            let (mut open, mut failures) = (Vec::new(), Vec::new());
            for name in &self.config.pages {
                match self.open_named(name) {
                    Ok(page) => open.push(page.info.clone()),
                    Err(refused) => failures.push(*refused.failure),
                }
            }
            (open, failures)
        })
    }

    /// Opens the pages given at the start in advance.
    pub(crate) fn open_given(&self) {
        self.given();
    }

    /// Returns the cached index of an archive; `anew` reads the archive again.
    pub(crate) fn archive(&self, path: &Path, anew: bool) -> Result<Arc<Replay>, WarcError> {
        // The lock is held while the index is built, since others would only read the same file.
        let mut archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
        if anew {
            archives.retain(|(known, _)| known != path);
        }
        if let Some((_, replay)) = archives.iter().find(|(known, _)| known == path) {
            return Ok(Arc::clone(replay));
        }
        let replay = Arc::new(Replay::open(&[path])?);
        if archives.len() >= MOST_ARCHIVES {
            archives.remove(0);
        }
        archives.push((path.to_owned(), Arc::clone(&replay)));
        Ok(replay)
    }

    /// Returns the fetcher for pages.
    pub(crate) fn fetcher(&self) -> Result<&Fetcher, Refused> {
        made(self.fetcher.get_or_init(|| {
            let mut config = self.config.fetching.clone();
            config.render = None;
            Fetcher::new(config).map_err(|error| error.to_string())
        }))
    }

    /// Returns the fetcher for pages that are rendered in a browser.
    pub(crate) fn renderer(&self) -> Result<&Fetcher, Refused> {
        made(self.renderer.get_or_init(|| {
            let mut config = self.config.fetching.clone();
            let http = &config.http;
            let plain =
                || render::Config::default().with_allow_private(http.allow_private).with_user_agent(&http.user_agent);
            config.render = Some(config.render.clone().unwrap_or_else(plain));
            Fetcher::new(config).map_err(|error| error.to_string())
        }))
    }

    /// Returns the fetcher for assets. The user views a single page, so robots.txt is not consulted; assets are not
    /// recorded.
    pub(crate) fn asset_fetcher(&self) -> Result<&Fetcher, Refused> {
        made(self.asset_fetcher.get_or_init(|| {
            let mut config = self.config.fetching.clone();
            config.render = None;
            config.record = None;
            config.http = config.http.with_obey_robots(false).with_max_size(crate::assets::MOST_BYTES);
            Fetcher::new(config).map_err(|error| error.to_string())
        }))
    }
}

fn made(fetcher: &Result<Fetcher, String>) -> Result<&Fetcher, Refused> {
    fetcher.as_ref().map_err(|cause| Refused::internal(format!("the fetcher could not be created: {cause}")))
}

/// Returns 128 random bits in hexadecimal, for addresses and headers.
fn random() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
