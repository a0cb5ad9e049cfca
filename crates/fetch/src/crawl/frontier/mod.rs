//! The frontier: every address that was ever seen and its state, in one SQLite file.
//!
//! The file is the single source of truth. All results of a page (its links, the lengths of the outputs, its final
//! state) are written in one transaction. A crawl that is killed therefore restarts with pages that are either
//! completely processed or not begun.
//!
//! Memory does not grow with the number of addresses: they are on disk behind a bounded cache of keys, since most links
//! of a site lead to addresses that were seen before.

mod outcomes;
mod reading;
mod sites;
mod take;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use sha1::{Digest, Sha1};
use url::{Position, Url};

use super::{Checkpoint, CrawlError, Link, MOST_HOPS, Order, Reason, Way, site};

pub(super) use reading::{checkpoint, counts, part, reader, sites, stored};

/// Number of keys held in memory; each takes 16 bytes plus about as much for the table.
const KEYS_IN_MEMORY: usize = 1 << 21;

/// Version of the file's tables.
const VERSION: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hosts (id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    host INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    page INTEGER NOT NULL,
    rank INTEGER NOT NULL DEFAULT 0,
    opens INTEGER NOT NULL DEFAULT 0,
    state INTEGER NOT NULL,
    given INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    hops INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    target INTEGER,
    note TEXT
);
CREATE INDEX IF NOT EXISTS urls_next ON urls (host, rank, depth, id) WHERE state = 0;
CREATE INDEX IF NOT EXISTS urls_next_parts ON urls (host, rank, depth, id) WHERE state = 0 AND page = 0;
CREATE INDEX IF NOT EXISTS urls_ready ON urls (id) WHERE state = 1;
CREATE INDEX IF NOT EXISTS urls_taken ON urls (id) WHERE state = 2;
CREATE INDEX IF NOT EXISTS urls_later ON urls (due) WHERE state = 3;
CREATE INDEX IF NOT EXISTS urls_failed ON urls (id) WHERE state = 7;
CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, answer BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS needs (page INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY (page, part)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS needs_part ON needs (part);
CREATE TABLE IF NOT EXISTS sites (name TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tallies (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, length INTEGER NOT NULL, tail BLOB NOT NULL) WITHOUT ROWID;
";

/// Changes from version 1 of the tables.
const SINCE_1: &str = "
ALTER TABLE urls ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE urls ADD COLUMN opens INTEGER NOT NULL DEFAULT 0;
DROP INDEX urls_pending;
DROP INDEX urls_pending_parts;
";

/// State of an address. The numbers are stored in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum State {
    /// Not fetched yet.
    Pending = 0,
    /// All parts have arrived; ready to be visited again.
    Ready = 1,
    /// Being fetched or visited. In a crawl that was killed, this counts as not begun.
    Taken = 2,
    /// To be fetched again once it is due.
    Later = 3,
    /// Fetched, and waiting for parts.
    Waiting = 4,
    /// Fetched, visited and written.
    Done = 5,
    /// Redirects to another address.
    Redirected = 6,
    /// Failed.
    Failed = 7,
    /// Left out because its site has reached its page limit. A later run may raise the limit.
    Left = 8,
}

/// An address that is to be fetched or visited.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) id: i64,
    pub(super) url: Url,
    pub(super) host: i64,
    pub(super) depth: u32,
    /// True if the user gave the address, which may then be private.
    pub(super) given: bool,
    /// True if it is wanted as a page and not only as a part of another.
    pub(super) page: bool,
    /// True if its redirects may open a new site.
    pub(super) opens: bool,
    /// Rank of the link; lower ranks come first.
    pub(super) rank: u8,
    /// Number of earlier attempts.
    pub(super) attempts: u32,
    /// Stored answer, if it was fetched before.
    pub(super) kept: Option<Vec<u8>>,
    /// True if it was fetched before.
    pub(super) revisit: bool,
}

/// Numbers of addresses by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Number of pages that were fetched, visited and written.
    pub done: u64,
    /// Number of parts fetched for other pages.
    pub parts: u64,
    /// Number of addresses that failed.
    pub failed: u64,
    /// Number of addresses that redirect elsewhere.
    pub redirected: u64,
    /// Number of addresses that are pending, scheduled for later or in progress.
    pub queued: u64,
    /// Number of addresses left out because their sites have reached their limit.
    pub left: u64,
}

/// Role in which an address is wanted.
#[derive(Debug, Clone, Copy, Default)]
struct Role {
    page: bool,
    rank: u8,
    opens: bool,
}

#[derive(Debug, Default)]
struct Host {
    pending: u64,
    taken: u32,
}

/// An open frontier file.
#[derive(Debug)]
pub(super) struct Frontier {
    connection: Connection,
    order: Order,
    canonical: Canonical,
    hosts: HashMap<i64, Host>,
    origins: HashMap<String, i64>,
    /// Hosts with pending addresses, served in turn.
    turn: std::collections::VecDeque<i64>,
    seen: HashSet<u128>,
    counts: Counts,
    taken: u64,
    /// Number of taken jobs that are repeated visits.
    revisits: usize,
    /// Number of pages that are taken, waiting or ready.
    begun: u64,
    sites: sites::Sites,
}

/// Canonicalization of addresses: two with the same canonical form count as one.
pub type Canonical = fn(&Url) -> Url;

/// Returns the key under which an address is stored.
fn key(url: &Url, canonical: Canonical) -> u128 {
    let mut hash = Sha1::new();
    hash.update(canonical(url).as_str().as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    u128::from_be_bytes(bytes)
}

impl Frontier {
    /// Opens or creates a file. [`Frontier::recover`] must be called next.
    pub(super) fn open(path: &Path, order: Order, canonical: Canonical) -> Result<Frontier, CrawlError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(1))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // In KiB. Random keys touch the whole index, so the cache should hold a good part of it.
        connection.pragma_update(None, "cache_size", -65_536)?;
        connection.set_prepared_statement_cache_capacity(64);
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > VERSION {
            return Err(CrawlError::Newer { path: path.to_owned() });
        }
        if version == 1 {
            connection.execute_batch(&format!("BEGIN IMMEDIATE; {SINCE_1} PRAGMA user_version = {VERSION}; COMMIT"))?;
        }
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        Ok(Frontier {
            connection,
            order,
            canonical,
            hosts: HashMap::new(),
            origins: HashMap::new(),
            turn: std::collections::VecDeque::new(),
            seen: HashSet::new(),
            counts: Counts::default(),
            taken: 0,
            revisits: 0,
            begun: 0,
            sites: sites::Sites::default(),
        })
    }

    /// Resumes from the state of the last run: addresses that were in progress or failed temporarily become pending
    /// again; with `forgive` (the conditions have changed), all failed ones do.
    pub(super) fn recover(&mut self, forgive: bool) -> Result<(), CrawlError> {
        // Pages that were fetched are visited again without being fetched again.
        self.connection.execute(
            "UPDATE urls SET state = CASE WHEN EXISTS (SELECT 1 FROM bodies WHERE bodies.id = urls.id) THEN 1 ELSE 0 END
             WHERE state = 2",
            [],
        )?;
        self.connection.execute("UPDATE urls SET state = 0 WHERE state = 8", [])?;
        let again = "UPDATE urls SET state = 0, attempts = 0, due = 0 WHERE state = 7 AND (due < 0 OR ?1)";
        self.connection.execute(again, [forgive])?;
        let begun = "SELECT count(*) FROM urls WHERE page = 1 AND (state = 1 OR state = 4)";
        self.begun = self.connection.query_row(begun, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
        let mut hosts = self.connection.prepare("SELECT id, origin FROM hosts")?;
        for row in hosts.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))? {
            let (id, origin) = row?;
            if let Ok(url) = Url::parse(&origin) {
                self.sites.of.insert(id, site(&url));
            }
            self.origins.insert(origin, id);
        }
        let mut pending = self.connection.prepare("SELECT host, count(*) FROM urls WHERE state = 0 GROUP BY host")?;
        for row in pending.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))? {
            let (host, count) = row?;
            self.hosts.insert(host, Host { pending: count.unsigned_abs(), taken: 0 });
            self.turn.push_back(host);
        }
        drop((hosts, pending));
        self.counts = counts(&self.connection)?;
        self.recover_sites()
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the number of jobs handed out and not finished.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Reads a fact about the crawl as a whole.
    pub(super) fn fact(&self, name: &str) -> Result<Option<String>, CrawlError> {
        let sought = self.connection.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get(0));
        Ok(sought.optional()?)
    }

    /// Stores a fact.
    pub(super) fn set_fact(&self, name: &str, value: &str) -> Result<(), CrawlError> {
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", [name, value])?;
        Ok(())
    }

    /// Returns the last checkpoint, creating the first one if there is none.
    pub(super) fn checkpoint(&self) -> Result<Checkpoint, CrawlError> {
        if let Some(checkpoint) = reading::checkpoint(&self.connection)? {
            return Ok(checkpoint);
        }
        use std::hash::{BuildHasher, RandomState};
        let random = || RandomState::new().hash_one(0);
        let checkpoint = Checkpoint { crawl: format!("{:016x}{:016x}", random(), random()), generation: 0 };
        self.set_fact("crawl", &checkpoint.crawl)?;
        Ok(checkpoint)
    }

    /// Stores a checkpoint.
    pub(super) fn set_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), CrawlError> {
        self.set_fact("generation", &checkpoint.generation.to_string())
    }

    /// Increases a tally.
    pub(super) fn add_tally(&self, name: &str, count: u64) -> Result<(), CrawlError> {
        let sql = "INSERT INTO tallies VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count";
        self.connection.prepare_cached(sql)?.execute(params![name, i64::try_from(count).unwrap_or(i64::MAX)])?;
        Ok(())
    }

    /// Returns the tallies of all visits, over all runs.
    pub(super) fn tallies(&self) -> Result<BTreeMap<String, u64>, CrawlError> {
        let mut tallies = self.connection.prepare("SELECT name, count FROM tallies")?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()));
        Ok(tallies.query_map([], row)?.collect::<Result<_, _>>()?)
    }

    /// Returns the recorded length of a file and its last bytes.
    pub(super) fn file(&self, name: &str) -> Result<Option<(u64, Vec<u8>)>, CrawlError> {
        let sought = "SELECT length, tail FROM files WHERE name = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?));
        Ok(self.connection.query_row(sought, [name], row).optional()?)
    }

    /// Records the length of a file and its last bytes.
    pub(super) fn set_file(&self, name: &str, length: u64, tail: &[u8]) -> Result<(), CrawlError> {
        let mut statement = self.connection.prepare_cached("INSERT OR REPLACE INTO files VALUES (?1, ?2, ?3)")?;
        statement.execute(params![name, i64::try_from(length).unwrap_or(i64::MAX), tail])?;
        Ok(())
    }

    pub(super) fn begin(&self) -> Result<(), CrawlError> {
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    pub(super) fn commit(&self) -> Result<(), CrawlError> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    /// Adds an address to be fetched as a page, unless it is already known as one.
    pub(super) fn add_page(&mut self, url: &Url, depth: u32, given: bool) -> Result<(), CrawlError> {
        self.add(&Link::from(url.clone()), depth, given)
    }

    /// Adds a page that another page links to, unless it is already known as one.
    pub(super) fn add_link(&mut self, link: &Link, depth: u32) -> Result<(), CrawlError> {
        self.add(link, depth, false)
    }

    fn add(&mut self, link: &Link, depth: u32, given: bool) -> Result<(), CrawlError> {
        let key = key(&link.url, self.canonical);
        // The rank is part of the cached key: an address seen at another rank may get a lower one now.
        let seen = key ^ u128::from(link.rank);
        if self.seen.contains(&seen) {
            return Ok(());
        }
        if self.seen.len() >= KEYS_IN_MEMORY {
            self.seen.clear();
        }
        self.seen.insert(seen);
        let role = Role { page: true, rank: link.rank, opens: link.way == Way::Site };
        let (id, new) = self.insert(key, &link.url, depth, given, role)?;
        if !new {
            self.become_page(id)?;
            if given {
                self.connection.prepare_cached("UPDATE urls SET given = 1 WHERE id = ?1")?.execute([id])?;
            }
            let nearer = "UPDATE urls SET rank = ?2 WHERE id = ?1 AND rank > ?2 AND state = 0";
            self.connection.prepare_cached(nearer)?.execute([id, i64::from(link.rank)])?;
        }
        Ok(())
    }

    /// Adds an address that a page needs. Returns true if it has not arrived yet.
    pub(super) fn add_part(&mut self, page: i64, url: &Url, depth: u32) -> Result<bool, CrawlError> {
        let (mut id, new) = self.insert(key(url, self.canonical), url, depth, false, Role::default())?;
        if !new {
            id = self.target(id)?;
        }
        self.connection.prepare_cached("INSERT OR IGNORE INTO needs VALUES (?1, ?2)")?.execute([page, id])?;
        Ok(new || self.is_awaited(id)?)
    }

    /// Follows known redirects from an address.
    fn target(&self, mut id: i64) -> Result<i64, CrawlError> {
        let mut statement = self.connection.prepare_cached("SELECT target FROM urls WHERE id = ?1 AND state = 6")?;
        for _ in 0..=MOST_HOPS {
            let next: Option<Option<i64>> = statement.query_row([id], |row| row.get(0)).optional()?;
            match next.flatten() {
                Some(next) => id = next,
                None => break,
            }
        }
        Ok(id)
    }

    fn state(&self, id: i64) -> Result<i64, CrawlError> {
        Ok(self.connection.prepare_cached("SELECT state FROM urls WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
    }

    /// Reports whether the answer of an address is still missing.
    fn is_awaited(&self, id: i64) -> Result<bool, CrawlError> {
        let state = self.state(id)?;
        if state != State::Taken as i64 {
            return Ok(state == State::Pending as i64 || state == State::Later as i64);
        }
        let kept = self.connection.prepare_cached("SELECT 1 FROM bodies WHERE id = ?1")?.exists([id])?;
        Ok(!kept)
    }

    fn insert(&mut self, key: u128, url: &Url, depth: u32, given: bool, role: Role) -> Result<(i64, bool), CrawlError> {
        let host = self.host(url)?;
        let added = self
            .connection
            .prepare_cached("INSERT OR IGNORE INTO urls (key, url, host, depth, given, page, rank, opens, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0)")?
            .execute(params![key.to_be_bytes(), &url[..Position::AfterQuery], host, depth, given, role.page, role.rank, role.opens])?;
        if added == 0 {
            let mut known = self.connection.prepare_cached("SELECT id FROM urls WHERE key = ?1")?;
            return Ok((known.query_row(params![key.to_be_bytes()], |row| row.get(0))?, false));
        }
        let id = self.connection.last_insert_rowid();
        self.counts.queued += 1;
        self.pending(host);
        Ok((id, true))
    }

    /// Counts one more pending address of a host.
    fn pending(&mut self, host: i64) {
        let state = self.hosts.entry(host).or_default();
        state.pending += 1;
        if state.pending == 1 {
            self.turn.push_back(host);
        }
    }

    fn host(&mut self, url: &Url) -> Result<i64, CrawlError> {
        let origin = url.origin().ascii_serialization();
        if let Some(&id) = self.origins.get(&origin) {
            return Ok(id);
        }
        self.connection.prepare_cached("INSERT OR IGNORE INTO hosts (origin) VALUES (?1)")?.execute([&origin])?;
        let mut sought = self.connection.prepare_cached("SELECT id FROM hosts WHERE origin = ?1")?;
        let id = sought.query_row([&origin], |row| row.get(0))?;
        drop(sought);
        self.name_host(id, url);
        self.origins.insert(origin, id);
        Ok(id)
    }

    fn set_state(&self, id: i64, state: State) -> Result<(), CrawlError> {
        let mut statement = self.connection.prepare_cached("UPDATE urls SET state = ?2 WHERE id = ?1")?;
        statement.execute(params![id, state as i64])?;
        Ok(())
    }

    /// Makes addresses that are due pending. Returns the next due time in milliseconds since 1970.
    pub(super) fn wake(&mut self, now: i64) -> Result<Option<i64>, CrawlError> {
        let due: Vec<(i64, i64)> = {
            let mut due =
                self.connection.prepare_cached("SELECT id, host FROM urls WHERE state = 3 AND due <= ?1 LIMIT 1000")?;
            due.query_map([now], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
        };
        for (id, host) in due {
            self.set_state(id, State::Pending)?;
            self.pending(host);
        }
        let mut next = self.connection.prepare_cached("SELECT min(due) FROM urls WHERE state = 3")?;
        Ok(next.query_row([], |row| row.get(0))?)
    }

    /// Makes waiting pages ready although parts are missing. Called when nothing is in progress. This happens only
    /// through a bug, and a bug must not make a crawl wait forever.
    pub(super) fn unblock(&self) -> Result<(), CrawlError> {
        if self.turn.is_empty() {
            self.connection.execute("UPDATE urls SET state = 1 WHERE state = 4", [])?;
        }
        Ok(())
    }

    /// Returns the pages at depth 0: those given as seeds, and the targets of their redirects.
    pub(super) fn seeds(&self) -> Result<Vec<Url>, CrawlError> {
        let mut seeds = self.connection.prepare("SELECT url FROM urls WHERE depth = 0 AND page = 1")?;
        let urls: Vec<String> = seeds.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(urls.iter().filter_map(|url| Url::parse(url).ok()).collect())
    }

    /// Returns the addresses that the user gave, in this run or an earlier one.
    pub(super) fn given(&self) -> Result<Vec<Url>, CrawlError> {
        let mut given = self.connection.prepare("SELECT url FROM urls WHERE given = 1")?;
        let urls: Vec<String> = given.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(urls.iter().filter_map(|url| Url::parse(url).ok()).collect())
    }

    /// Returns the reasons for failures, each with its count and an example, most frequent first.
    pub(super) fn reasons(&self) -> Result<Vec<Reason>, CrawlError> {
        // Most reasons mention the address; without it, equal reasons can be grouped.
        let mut reasons = self.connection.prepare(
            "SELECT count(*), url, coalesce(note, ''), replace(coalesce(note, ''), '`' || url || '`', 'a page') AS why
             FROM urls WHERE state = 7 GROUP BY why ORDER BY count(*) DESC, min(id) LIMIT 20",
        )?;
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Reason {
                count: row.get::<_, i64>(0)?.unsigned_abs(),
                url: row.get(1)?,
                note: row.get(2)?,
                summary: row.get(3)?,
            })
        };
        Ok(reasons.query_map([], row)?.collect::<Result<_, _>>()?)
    }

    /// Moves the write-ahead log into the file.
    pub(super) fn close(self) {
        // If a reader is still open, the log stays beside the file, which does no harm.
        let _ = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Returns failed addresses with their reasons.
    pub(super) fn failures(&self, most: usize) -> Result<Vec<(String, String)>, CrawlError> {
        let mut failed =
            self.connection.prepare("SELECT url, coalesce(note, '') FROM urls WHERE state = 7 LIMIT ?1")?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(failed.query_map([most], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }
}
