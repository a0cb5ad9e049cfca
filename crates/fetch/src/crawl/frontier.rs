//! The frontier: every address that was ever seen and what became of it, in one SQLite file.
//!
//! The file is the truth. Whatever a page brings (its links, its output's length, its own end) is written in one
//! transaction, so a crawl that is killed finds on its next start a state in which each page is either finished with
//! all it brought or not begun.
//!
//! Memory does not grow with the addresses: they are on disk, with a bounded cache of keys in front, because most links
//! of a site lead to what was seen before.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use sha1::{Digest, Sha1};
use url::{Position, Url};

use super::{CrawlError, MOST_HOPS, Order};

/// Keys held in memory, at 16 bytes each and as much again for the table.
const KEYS_IN_MEMORY: usize = 1 << 21;

/// Pages that are visited again at a time.
const REVISITS: usize = 32;

/// The version of the file's tables.
const VERSION: i64 = 1;

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
    state INTEGER NOT NULL,
    given INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    hops INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    target INTEGER,
    note TEXT
);
CREATE INDEX IF NOT EXISTS urls_pending ON urls (host, depth, id) WHERE state = 0;
CREATE INDEX IF NOT EXISTS urls_pending_parts ON urls (host, depth, id) WHERE state = 0 AND page = 0;
CREATE INDEX IF NOT EXISTS urls_ready ON urls (id) WHERE state = 1;
CREATE INDEX IF NOT EXISTS urls_taken ON urls (id) WHERE state = 2;
CREATE INDEX IF NOT EXISTS urls_later ON urls (due) WHERE state = 3;
CREATE INDEX IF NOT EXISTS urls_failed ON urls (id) WHERE state = 7;
CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, answer BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS needs (page INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY (page, part)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS needs_part ON needs (part);
CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, length INTEGER NOT NULL, tail BLOB NOT NULL) WITHOUT ROWID;
";

/// What became of an address so far. The numbers are in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum State {
    /// To be fetched.
    Pending = 0,
    /// To be visited again: its parts are there.
    Ready = 1,
    /// Being fetched or visited. Of a crawl that was killed: not begun.
    Taken = 2,
    /// To be fetched again, not before it is due.
    Later = 3,
    /// Fetched, and waiting for parts.
    Waiting = 4,
    /// Fetched, visited, written.
    Done = 5,
    /// It leads elsewhere.
    Redirected = 6,
    /// It cannot be had.
    Failed = 7,
}

/// An address to be fetched or visited.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) id: i64,
    pub(super) url: Url,
    pub(super) host: i64,
    pub(super) depth: u32,
    /// Whether a person gave it: it may then be anywhere.
    pub(super) given: bool,
    /// Whether it is wanted as a page, not only as a part of another.
    pub(super) page: bool,
    /// Attempts before this one.
    pub(super) attempts: u32,
    /// The answer, if it was fetched before.
    pub(super) kept: Option<Vec<u8>>,
    /// Whether it was fetched before.
    pub(super) revisit: bool,
}

/// Numbers of addresses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Pages fetched, visited, written.
    pub done: u64,
    /// Fetched because pages needed them.
    pub parts: u64,
    /// Given up.
    pub failed: u64,
    /// That lead elsewhere.
    pub redirected: u64,
    /// To be fetched, now or later, or under way.
    pub queued: u64,
}

#[derive(Debug, Default)]
struct Host {
    pending: u64,
    taken: u32,
}

/// The open file.
#[derive(Debug)]
pub(super) struct Frontier {
    connection: Connection,
    order: Order,
    canonical: Canonical,
    hosts: HashMap<i64, Host>,
    origins: HashMap<String, i64>,
    /// Hosts with something pending, to be served in turn.
    turn: std::collections::VecDeque<i64>,
    seen: HashSet<u128>,
    counts: Counts,
    taken: u64,
    /// Those of them that are visited again.
    revisits: usize,
    /// Pages that are taken, waiting or ready: on their way to being done.
    begun: u64,
}

/// How addresses are told apart: two with the same canonical form are one.
pub type Canonical = fn(&Url) -> Url;

/// The key under which an address is known.
fn key(url: &Url, canonical: Canonical) -> u128 {
    let mut hash = Sha1::new();
    hash.update(canonical(url).as_str().as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    u128::from_be_bytes(bytes)
}

/// Opens the file for reading beside its writer.
pub(super) fn reader(path: &Path) -> Result<Connection, CrawlError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    Ok(connection)
}

/// What is known of a part: its answer, why there is none, or nothing yet.
pub(super) fn part(
    connection: &Connection,
    url: &Url,
    canonical: Canonical,
) -> Result<Option<Result<Vec<u8>, String>>, CrawlError> {
    let mut sought = connection.prepare_cached("SELECT id, state, target, note FROM urls WHERE key = ?1")?;
    let mut by_id = connection.prepare_cached("SELECT id, state, target, note FROM urls WHERE id = ?1")?;
    let row = |row: &rusqlite::Row<'_>| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, i64>(1)?,
            row.get::<_, Option<i64>>(2)?,
            row.get::<_, Option<String>>(3)?,
        ))
    };
    let mut found = sought.query_row(params![key(url, canonical).to_be_bytes()], row).optional()?;
    // As many steps as redirects are followed, and one more.
    for _ in 0..=MOST_HOPS {
        let Some((id, state, target, note)) = found else { return Ok(None) };
        if state == State::Failed as i64 {
            return Ok(Some(Err(note.unwrap_or_else(|| "it cannot be fetched".to_owned()))));
        }
        if state == State::Redirected as i64 {
            let Some(target) = target else { return Ok(Some(Err("it leads nowhere".to_owned()))) };
            found = by_id.query_row(params![target], row).optional()?;
            continue;
        }
        let mut body = connection.prepare_cached("SELECT answer FROM bodies WHERE id = ?1")?;
        return Ok(body.query_row(params![id], |row| row.get(0)).optional()?.map(Ok));
    }
    Ok(Some(Err("it leads from redirect to redirect".to_owned())))
}

/// How many addresses are in which state.
pub(super) fn counts(connection: &Connection) -> Result<Counts, CrawlError> {
    let mut counts = Counts::default();
    let mut states = connection.prepare("SELECT state, page, count(*) FROM urls GROUP BY state, page")?;
    for row in states.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?, row.get::<_, i64>(2)?)))? {
        let (state, is_page, count) = row?;
        let count = count.unsigned_abs();
        match state {
            state if state == State::Done as i64 && is_page => counts.done = count,
            state if state == State::Done as i64 => counts.parts = count,
            state if state == State::Failed as i64 => counts.failed += count,
            state if state == State::Redirected as i64 => counts.redirected += count,
            _ => counts.queued += count,
        }
    }
    Ok(counts)
}

/// The addresses whose pages are stored.
pub(super) fn stored(connection: &Connection) -> Result<Vec<String>, CrawlError> {
    let mut stored =
        connection.prepare("SELECT url FROM urls WHERE state = 5 OR state = 4 OR state = 1 ORDER BY id")?;
    Ok(stored.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

impl Frontier {
    /// Opens or begins a file. What a killed crawl had taken is pending again.
    pub(super) fn open(path: &Path, order: Order, canonical: Canonical) -> Result<Frontier, CrawlError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(1))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // In KiB. Random keys touch the whole index, so it should hold a good part of it.
        connection.pragma_update(None, "cache_size", -65_536)?;
        connection.set_prepared_statement_cache_capacity(64);
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > VERSION {
            return Err(CrawlError::Newer { path: path.to_owned() });
        }
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        let mut frontier = Frontier {
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
        };
        frontier.recover()?;
        Ok(frontier)
    }

    fn recover(&mut self) -> Result<(), CrawlError> {
        // What has been fetched is visited again, not fetched again.
        self.connection.execute(
            "UPDATE urls SET state = CASE WHEN EXISTS (SELECT 1 FROM bodies WHERE bodies.id = urls.id) THEN 1 ELSE 0 END
             WHERE state = 2",
            [],
        )?;
        // What failed for a while may be had now.
        self.connection.execute("UPDATE urls SET state = 0, attempts = 0, due = 0 WHERE state = 7 AND due < 0", [])?;
        let begun = "SELECT count(*) FROM urls WHERE page = 1 AND (state = 1 OR state = 4)";
        self.begun = self.connection.query_row(begun, [], |row| row.get::<_, i64>(0))?.unsigned_abs();
        let mut hosts = self.connection.prepare("SELECT id, origin FROM hosts")?;
        for row in hosts.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))? {
            let (id, origin) = row?;
            self.origins.insert(origin, id);
        }
        let mut pending = self.connection.prepare("SELECT host, count(*) FROM urls WHERE state = 0 GROUP BY host")?;
        for row in pending.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))? {
            let (host, count) = row?;
            self.hosts.insert(host, Host { pending: count.unsigned_abs(), taken: 0 });
            self.turn.push_back(host);
        }
        self.counts = counts(&self.connection)?;
        Ok(())
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Jobs handed out and not finished.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// A fact about the crawl as a whole.
    pub(super) fn fact(&self, name: &str) -> Result<Option<String>, CrawlError> {
        let sought = self.connection.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get(0));
        Ok(sought.optional()?)
    }

    /// Writes down a fact.
    pub(super) fn set_fact(&self, name: &str, value: &str) -> Result<(), CrawlError> {
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", [name, value])?;
        Ok(())
    }

    /// How long a file was when this state was written, and how it ended.
    pub(super) fn file(&self, name: &str) -> Result<Option<(u64, Vec<u8>)>, CrawlError> {
        let sought = "SELECT length, tail FROM files WHERE name = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?));
        Ok(self.connection.query_row(sought, [name], row).optional()?)
    }

    /// Writes down how long a file is, and how it ends.
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

    /// Adds an address to be fetched as a page, unless it is known as one.
    pub(super) fn add_page(&mut self, url: &Url, depth: u32, given: bool) -> Result<(), CrawlError> {
        let key = key(url, self.canonical);
        if self.seen.contains(&key) {
            return Ok(());
        }
        if self.seen.len() >= KEYS_IN_MEMORY {
            self.seen.clear();
        }
        self.seen.insert(key);
        let (id, new) = self.insert(key, url, depth, given, true)?;
        if !new {
            self.become_page(id)?;
            if given {
                self.connection.prepare_cached("UPDATE urls SET given = 1 WHERE id = ?1")?.execute([id])?;
            }
        }
        Ok(())
    }

    /// Adds an address that a page needs. Whether it still has to be waited for.
    pub(super) fn add_part(&mut self, page: i64, url: &Url, depth: u32) -> Result<bool, CrawlError> {
        let (mut id, new) = self.insert(key(url, self.canonical), url, depth, false, false)?;
        if !new {
            id = self.target(id)?;
        }
        self.connection.prepare_cached("INSERT OR IGNORE INTO needs VALUES (?1, ?2)")?.execute([page, id])?;
        Ok(new || self.is_awaited(id)?)
    }

    /// Where redirects that are known lead from an address.
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

    /// Whether the answer of an address is still to come.
    fn is_awaited(&self, id: i64) -> Result<bool, CrawlError> {
        let state = self.state(id)?;
        if state != State::Taken as i64 {
            return Ok(state == State::Pending as i64 || state == State::Later as i64);
        }
        let kept = self.connection.prepare_cached("SELECT 1 FROM bodies WHERE id = ?1")?.exists([id])?;
        Ok(!kept)
    }

    fn insert(&mut self, key: u128, url: &Url, depth: u32, given: bool, page: bool) -> Result<(i64, bool), CrawlError> {
        let host = self.host(url)?;
        let added = self
            .connection
            .prepare_cached("INSERT OR IGNORE INTO urls (key, url, host, depth, given, page, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)")?
            .execute(params![key.to_be_bytes(), &url[..Position::AfterQuery], host, depth, given, page])?;
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
        self.origins.insert(origin, id);
        Ok(id)
    }

    fn set_state(&self, id: i64, state: State) -> Result<(), CrawlError> {
        let mut statement = self.connection.prepare_cached("UPDATE urls SET state = ?2 WHERE id = ?1")?;
        statement.execute(params![id, state as i64])?;
        Ok(())
    }

    /// Makes what is due pending. When the next will be, in milliseconds since 1970.
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

    /// Hands out up to `room` jobs, and no more pages than `pages`: what is to be visited again first, then each host's own
    /// in turn, none with more than its share.
    pub(super) fn take(&mut self, room: usize, pages: Option<u64>) -> Result<Vec<Job>, CrawlError> {
        let mut jobs = Vec::new();
        self.take_ready(room, &mut jobs)?;
        // A few hosts may fill the window, many share it.
        let share = (room / self.turn.len().max(1)).clamp(4, 512);
        for _ in 0..self.turn.len() {
            if jobs.len() >= room {
                break;
            }
            let Some(host) = self.turn.pop_front() else { break };
            let taken = self.hosts.get(&host).map_or(0, |state| state.taken as usize);
            let wanted = share.saturating_sub(taken).min(room - jobs.len());
            if wanted > 0 {
                let pages = pages.map(|pages| pages.saturating_sub(self.counts.done + self.begun));
                self.take_of(host, wanted, pages, &mut jobs)?;
            }
            if self.hosts.get(&host).is_some_and(|state| state.pending > 0) {
                self.turn.push_back(host);
            } else if self.hosts.get(&host).is_some_and(|state| state.taken == 0) {
                self.hosts.remove(&host);
            }
        }
        Ok(jobs)
    }

    fn take_ready(&mut self, room: usize, jobs: &mut Vec<Job>) -> Result<(), CrawlError> {
        // Their bodies are in memory; a few are enough to keep every thread busy.
        let room = room.min(REVISITS.saturating_sub(self.revisits));
        if room == 0 {
            return Ok(());
        }
        let ready: Vec<Job> = {
            let mut ready = self.connection.prepare_cached(
                "SELECT urls.id, url, host, depth, given, page, attempts, answer FROM urls JOIN bodies ON bodies.id = urls.id
                 WHERE state = 1 ORDER BY urls.id LIMIT ?1",
            )?;
            let room = i64::try_from(room).unwrap_or(i64::MAX);
            ready.query_map([room], |row| job(row, row.get(7)?))?.collect::<Result<_, _>>()?
        };
        for job in ready {
            self.set_state(job.id, State::Taken)?;
            self.hosts.entry(job.host).or_default().taken += 1;
            self.taken += 1;
            self.revisits += 1;
            jobs.push(job);
        }
        Ok(())
    }

    /// Jobs of one host; of its parts alone if there is no room for pages.
    fn take_of(&mut self, host: i64, wanted: usize, pages: Option<u64>, jobs: &mut Vec<Job>) -> Result<(), CrawlError> {
        let all = "SELECT id, url, host, depth, given, page, attempts FROM urls WHERE state = 0 AND host = ?1";
        let (which, wanted) = match pages {
            Some(0) => (" AND page = 0", wanted),
            Some(pages) => ("", wanted.min(usize::try_from(pages).unwrap_or(usize::MAX))),
            None => ("", wanted),
        };
        let order = match self.order {
            Order::BreadthFirst => "ORDER BY depth, id LIMIT ?2",
            Order::DepthFirst => "ORDER BY depth DESC, id DESC LIMIT ?2",
        };
        let found: Vec<Job> = {
            let mut pending = self.connection.prepare_cached(&format!("{all}{which} {order}"))?;
            let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
            pending.query_map([host, wanted], |row| job(row, None))?.collect::<Result<_, _>>()?
        };
        let state = self.hosts.entry(host).or_default();
        state.pending = state.pending.saturating_sub(found.len() as u64);
        state.taken += u32::try_from(found.len()).unwrap_or(u32::MAX);
        self.taken += found.len() as u64;
        for job in found {
            self.set_state(job.id, State::Taken)?;
            self.begun += u64::from(job.page);
            jobs.push(job);
        }
        Ok(())
    }

    /// A job has left its worker.
    fn release(&mut self, job: &Job) {
        self.taken = self.taken.saturating_sub(1);
        self.revisits = self.revisits.saturating_sub(usize::from(job.revisit));
        if let Some(state) = self.hosts.get_mut(&job.host) {
            state.taken = state.taken.saturating_sub(1);
        }
    }

    /// A page is no longer on its way to being done.
    fn leave(&mut self, job: &Job) {
        self.begun = self.begun.saturating_sub(u64::from(job.page));
    }

    /// Puts a job back as it was.
    pub(super) fn put_back(&mut self, job: &Job) -> Result<(), CrawlError> {
        self.release(job);
        if job.revisit {
            return self.set_state(job.id, State::Ready);
        }
        self.leave(job);
        self.set_state(job.id, State::Pending)?;
        self.pending(job.host);
        Ok(())
    }

    /// Keeps an answer for later visits.
    pub(super) fn keep(&self, job: &Job, answer: &[u8]) -> Result<(), CrawlError> {
        let mut statement = self.connection.prepare_cached("INSERT OR REPLACE INTO bodies VALUES (?1, ?2)")?;
        statement.execute(params![job.id, answer])?;
        Ok(())
    }

    /// A job is fetched, visited and written.
    pub(super) fn finish(&mut self, job: &Job) -> Result<(), CrawlError> {
        self.release(job);
        // It may have become a page while it was fetched as a part.
        let is_page: bool = self
            .connection
            .prepare_cached("SELECT page FROM urls WHERE id = ?1")?
            .query_row([job.id], |row| row.get(0))?;
        if is_page && !job.page {
            self.set_state(job.id, State::Ready)?;
            self.begun += 1;
        } else {
            self.leave(job);
            self.set_state(job.id, State::Done)?;
            self.counts.done += u64::from(is_page);
            self.counts.parts += u64::from(!is_page);
            self.counts.queued = self.counts.queued.saturating_sub(1);
        }
        self.arrived(job.id)
    }

    /// A job waits for parts that were added with [`Frontier::add_part`].
    pub(super) fn wait(&mut self, job: &Job, awaited: bool) -> Result<(), CrawlError> {
        self.release(job);
        self.set_state(job.id, if awaited { State::Waiting } else { State::Ready })?;
        self.arrived(job.id)
    }

    /// A job cannot be had.
    pub(super) fn fail(&mut self, job: &Job, why: &str) -> Result<(), CrawlError> {
        self.give_up(job, why, false)
    }

    /// A job cannot be had; `for_now`: the next run may try again.
    pub(super) fn give_up(&mut self, job: &Job, why: &str, for_now: bool) -> Result<(), CrawlError> {
        self.release(job);
        self.leave(job);
        let mut statement =
            self.connection.prepare_cached("UPDATE urls SET state = 7, note = ?2, due = ?3 WHERE id = ?1")?;
        statement.execute(params![job.id, why, if for_now { -1 } else { 0 }])?;
        drop(statement);
        self.counts.failed += 1;
        self.counts.queued = self.counts.queued.saturating_sub(1);
        self.arrived(job.id)
    }

    /// A job is to be tried again, not before `due`.
    pub(super) fn retry(&mut self, job: &Job, due: i64, why: &str) -> Result<(), CrawlError> {
        self.release(job);
        self.leave(job);
        let mut statement = self
            .connection
            .prepare_cached("UPDATE urls SET state = 3, due = ?2, attempts = attempts + 1, note = ?3 WHERE id = ?1")?;
        statement.execute(params![job.id, due, why])?;
        Ok(())
    }

    /// Whether a job is a page, and whether pages need it, as it stands now.
    pub(super) fn role(&self, job: &Job) -> Result<(bool, bool), CrawlError> {
        let sought = "SELECT page, EXISTS (SELECT 1 FROM needs WHERE part = urls.id) FROM urls WHERE id = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.prepare_cached(sought)?.query_row([job.id], row)?)
    }

    /// A job leads to another address, as a page or only as a part. `bounced`: with a cookie, so that what led here may lead
    /// elsewhere now.
    pub(super) fn redirect(&mut self, job: &Job, to: &Url, as_page: bool, bounced: bool) -> Result<(), CrawlError> {
        let hops: u32 = {
            let mut sought = self.connection.prepare_cached("SELECT hops FROM urls WHERE id = ?1")?;
            sought.query_row([job.id], |row| row.get(0))?
        };
        if hops as usize >= MOST_HOPS {
            return self.fail(job, "it leads from redirect to redirect");
        }
        let (target, new) = self.insert(key(to, self.canonical), to, job.depth, false, as_page)?;
        if new {
            let mut further = self.connection.prepare_cached("UPDATE urls SET hops = ?2 WHERE id = ?1")?;
            further.execute([target, i64::from(hops) + 1])?;
        } else if target == job.id && to[..Position::AfterQuery] != job.url[..Position::AfterQuery] {
            // The same page in another spelling, which the server likes better.
            return self.respell(job, to);
        } else {
            let again = bounced && self.bounce(target, job)?;
            if target == job.id && again {
                self.release(job);
                self.leave(job);
                return Ok(());
            }
            if self.target(target)? == job.id {
                return self.fail(job, "it leads from redirect to redirect");
            }
            if as_page {
                self.become_page(target)?;
            }
        }
        self.release(job);
        self.leave(job);
        self.connection
            .prepare_cached("UPDATE urls SET state = 6, target = ?2 WHERE id = ?1")?
            .execute([job.id, target])?;
        self.counts.redirected += 1;
        self.counts.queued = self.counts.queued.saturating_sub(1);
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO needs SELECT page, ?2 FROM needs WHERE part = ?1")?
            .execute([job.id, target])?;
        self.arrived(job.id)
    }

    /// An address is asked again in another spelling.
    fn respell(&mut self, job: &Job, to: &Url) -> Result<(), CrawlError> {
        self.release(job);
        self.leave(job);
        let host = self.host(to)?;
        self.connection
            .prepare_cached("UPDATE urls SET state = 0, url = ?2, host = ?3, hops = hops + 1 WHERE id = ?1")?
            .execute(params![job.id, &to[..Position::AfterQuery], host])?;
        self.pending(host);
        Ok(())
    }

    /// What was known as a part is wanted as a page, and so is where it leads.
    fn become_page(&mut self, mut id: i64) -> Result<(), CrawlError> {
        for _ in 0..=MOST_HOPS {
            let mut change = self.connection.prepare_cached("UPDATE urls SET page = 1 WHERE id = ?1 AND page = 0")?;
            let was_part = change.execute([id])? > 0;
            drop(change);
            let sought = "SELECT state, target FROM urls WHERE id = ?1";
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?));
            let (state, target) = self.connection.prepare_cached(sought)?.query_row([id], row)?;
            if was_part && state == State::Done as i64 {
                self.set_state(id, State::Ready)?;
                self.begun += 1;
                self.counts.parts = self.counts.parts.saturating_sub(1);
                self.counts.queued += 1;
            }
            match target.filter(|_| state == State::Redirected as i64) {
                Some(target) => id = target,
                None => break,
            }
        }
        Ok(())
    }

    /// An address that led elsewhere is asked again, now that a cookie is set; not endlessly.
    fn bounce(&mut self, id: i64, job: &Job) -> Result<bool, CrawlError> {
        let mut again = self.connection.prepare_cached(
            "UPDATE urls SET state = 0, target = NULL, hops = hops + 3
             WHERE id = ?1 AND (state = 6 OR id = ?2) AND hops < 9 RETURNING host",
        )?;
        let host: Option<i64> = again.query_row([id, job.id], |row| row.get(0)).optional()?;
        drop(again);
        let Some(host) = host else { return Ok(false) };
        if id != job.id {
            self.counts.redirected = self.counts.redirected.saturating_sub(1);
            self.counts.queued += 1;
        }
        self.pending(host);
        Ok(true)
    }

    /// The pages that waited for this alone are ready.
    fn arrived(&mut self, part: i64) -> Result<(), CrawlError> {
        let pages: Vec<i64> = {
            let mut waiting = self.connection.prepare_cached("SELECT page FROM needs WHERE part = ?1")?;
            waiting.query_map([part], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        for page in pages {
            if self.state(page)? != State::Waiting as i64 {
                continue;
            }
            let awaited = self
                .connection
                .prepare_cached(
                    "SELECT 1 FROM needs JOIN urls ON urls.id = needs.part WHERE needs.page = ?1
                     AND (state = 0 OR state = 3 OR (state = 2 AND NOT EXISTS (SELECT 1 FROM bodies WHERE bodies.id = urls.id)))",
                )?
                .exists([page])?;
            if !awaited {
                self.set_state(page, State::Ready)?;
            }
        }
        Ok(())
    }

    /// Pages that wait although nothing is under way are visited as they are: there are none, but for a mistake here,
    /// and a mistake must not make a crawl wait forever.
    pub(super) fn unblock(&self) -> Result<(), CrawlError> {
        if self.turn.is_empty() {
            self.connection.execute("UPDATE urls SET state = 1 WHERE state = 4", [])?;
        }
        Ok(())
    }

    /// The pages that were given, and those they led to.
    pub(super) fn seeds(&self) -> Result<Vec<Url>, CrawlError> {
        let mut seeds = self.connection.prepare("SELECT url FROM urls WHERE depth = 0 AND page = 1")?;
        let urls: Vec<String> = seeds.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(urls.iter().filter_map(|url| Url::parse(url).ok()).collect())
    }

    /// Puts everything into the one file.
    pub(super) fn close(self) {
        // A reader that is still there keeps the log beside the file, which is as good.
        let _ = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Addresses that failed, with why.
    pub(super) fn failures(&self, most: usize) -> Result<Vec<(String, String)>, CrawlError> {
        let mut failed =
            self.connection.prepare("SELECT url, coalesce(note, '') FROM urls WHERE state = 7 LIMIT ?1")?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        Ok(failed.query_map([most], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }
}

fn job(row: &rusqlite::Row<'_>, kept: Option<Vec<u8>>) -> rusqlite::Result<Job> {
    let url: String = row.get(1)?;
    let url = Url::parse(&url)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, Box::new(error)))?;
    Ok(Job {
        id: row.get(0)?,
        url,
        host: row.get(2)?,
        depth: row.get(3)?,
        given: row.get(4)?,
        page: row.get(5)?,
        attempts: row.get(6)?,
        revisit: kept.is_some(),
        kept,
    })
}
