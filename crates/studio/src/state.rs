//! What the studio knows while it runs: the open pages, and how to get more.

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

/// Pages that are open at a time: those that nobody asked for longest go first.
const MOST_PAGES: usize = 64;
/// Bytes of source of all of them.
const MOST_BYTES: usize = 512 << 20;

/// Archives whose index is kept: what a page of one names is looked for at once, not by reading all of it again.
const MOST_ARCHIVES: usize = 4;

/// Where an open page came from, and so where what it names may come from.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// The web, or the archives that stand in for it: images and styles come from there, too.
    Web,
    /// A file: they come from its folder.
    File(PathBuf),
    /// An archive: they come out of it.
    Archive(PathBuf),
    /// Whoever sent it: it has none.
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
    /// The numbers of the pages, those that were asked for last at the end.
    asked: Vec<u64>,
}

impl Pages {
    /// Notes that a page was asked for.
    fn touch(&mut self, id: u64) {
        self.asked.retain(|&other| other != id);
        self.asked.push(id);
    }

    fn remove(&mut self, id: u64) {
        self.open.remove(&id);
        self.asked.retain(|&other| other != id);
    }
}

/// What the studio knows.
pub(crate) struct State {
    pub(crate) config: Config,
    pub(crate) port: u16,
    /// What calls must carry.
    pub(crate) token: String,
    /// What the addresses of pages and assets have in them.
    pub(crate) key: String,
    /// The file that leads a browser here, until somebody has come.
    door: Mutex<Option<Door>>,
    pages: Mutex<Pages>,
    /// Indexes of archives, the last that was made at the end.
    archives: Mutex<Vec<(PathBuf, Arc<Replay>)>>,
    /// The pages that were named at the start: those that are open, and what became of the others.
    given: OnceLock<(Vec<PageInfo>, Vec<Failure>)>,
    fetcher: OnceLock<Result<Fetcher, String>>,
    renderer: OnceLock<Result<Fetcher, String>>,
    asset_fetcher: OnceLock<Result<Fetcher, String>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the token nor the key belongs into a log.
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

    /// Writes the file that leads a browser to `address`.
    pub(crate) fn open_door(&self, address: &str) -> std::io::Result<PathBuf> {
        let random = random().map_err(std::io::Error::other)?;
        let door = Door::write(&std::env::temp_dir(), &random, address)?;
        let file = door.file().to_owned();
        *self.door.lock().unwrap_or_else(PoisonError::into_inner) = Some(door);
        Ok(file)
    }

    /// Removes that file, if it is there.
    pub(crate) fn close_door(&self) {
        self.door.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// What lets one script run in one view.
    pub(crate) fn nonce(&self) -> Result<String, Refused> {
        random().map_err(Refused::internal)
    }

    /// Whether a `Host` header means this studio.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let own = host.rsplit_once(':').filter(|(_, port)| port.parse() == Ok(self.port)).map(|(name, _)| name);
        matches!(own, Some("127.0.0.1" | "localhost"))
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        // Nothing is left half done under this lock.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a page: gives it a number. Those that nobody asked for longest make room.
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

    /// An open page.
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

    /// The pages that were named at the start, once they are open.
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

    /// Opens the pages that were named at the start, before anybody asks.
    pub(crate) fn open_given(&self) {
        self.given();
    }

    /// The index of an archive, made once; an archive that is opened again is read anew.
    pub(crate) fn archive(&self, path: &Path, anew: bool) -> Result<Arc<Replay>, WarcError> {
        // Held while the index is made: whoever else wants it would only read the same file.
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

    /// Gets pages.
    pub(crate) fn fetcher(&self) -> Result<&Fetcher, Refused> {
        made(self.fetcher.get_or_init(|| {
            let mut config = self.config.fetching.clone();
            config.render = None;
            Fetcher::new(config).map_err(|error| error.to_string())
        }))
    }

    /// Gets pages as a browser shows them.
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

    /// Gets what pages name. A person looks at one page, so what robots may do is not asked; nothing of it is recorded.
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
    fetcher.as_ref().map_err(|cause| Refused::internal(format!("nothing can be fetched: {cause}")))
}

/// 128 random bits, for addresses and headers.
fn random() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
