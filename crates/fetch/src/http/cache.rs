//! HTTP cache that persists between runs.
//!
//! The rules of the HTTP standard for private caches decide whether an answer may be stored, how long it is fresh and
//! how it is revalidated. Bodies are stored as they were sent. If the cache fails (a full disk, a damaged file), pages
//! are fetched as if there were no cache.
//!
//! Answers that set cookies or depend on them are not stored, since a cached answer would not set them again.
//!
//! Cost: one row of a SQLite file per address; the least recently used rows are removed when the limit is reached.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue, SET_COOKIE, TRANSFER_ENCODING,
    VARY,
};
use http::{Method, StatusCode, Version};
use http_cache_semantics::{BeforeRequest, CacheOptions, CachePolicy};
use rusqlite::{Connection, OptionalExtension, params};
use url::Url;

use crate::Answer;

/// Default limit on the total size of bodies and headers.
const LIMIT: u64 = 1 << 30;
/// Version of the file's tables; a file with another version is emptied.
const VERSION: i64 = 1;
/// Interval in milliseconds within which repeated uses count as one, so that not every read has to write.
const USE_GRAIN: i64 = 60_000;

/// Cached answers in a file. Clones share the file, and so may processes.
#[derive(Debug, Clone)]
pub struct Cache {
    file: Arc<Mutex<File>>,
    limit: u64,
}

#[derive(Debug)]
struct File {
    connection: Connection,
    /// Upper bound on the total size, as far as this process knows. Computing the exact size is linear, so it is done
    /// only when this bound exceeds the limit.
    size: u64,
}

/// Error of opening a cache.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot open the cache `{path}`: {cause}")]
#[diagnostic(code(fetch::cache), help("delete the file: the cache is filled again as pages are fetched"))]
pub struct CacheError {
    path: String,
    #[source]
    cause: rusqlite::Error,
}

/// Result of a cache lookup.
#[derive(Debug)]
pub(super) enum Kept {
    /// No usable answer.
    Nothing,
    /// An answer that can be used without asking the server.
    Fresh(Answer),
    /// An answer that can be used if the server confirms it in reply to a request with these headers.
    Stale { answer: Answer, conditional: HeaderMap },
}

impl Cache {
    /// Opens a cache file, creating it if it does not exist.
    pub fn open(path: &Path) -> Result<Cache, CacheError> {
        let failed = |cause| CacheError { path: path.display().to_string(), cause };
        let connection = Connection::open(path).map_err(failed)?;
        set_up(&connection).map_err(failed)?;
        let size = total(&connection).map_err(failed)?;
        Ok(Cache { file: Arc::new(Mutex::new(File { connection, size })), limit: LIMIT })
    }

    /// Limits the total size of headers and bodies in bytes.
    pub fn with_limit(mut self, bytes: u64) -> Cache {
        self.limit = bytes;
        self
    }

    /// Looks up the answer to a request with these headers.
    pub(super) async fn look(&self, url: &Url, headers: &HeaderMap, now: SystemTime) -> Kept {
        let Some(request) = request(url, headers) else { return Kept::Nothing };
        let (url, key) = (url.clone(), key(url));
        let found = self.with(move |file| read(&file.connection, &key, url, now)).await;
        let Some((policy, mut answer)) = found else { return Kept::Nothing };
        match policy.before_request(&request, now) {
            BeforeRequest::Fresh(parts) => {
                // Only `Age` is updated; all other headers stay as they were stored.
                if let Some(age) = parts.headers.get(http::header::AGE) {
                    answer.headers.insert(http::header::AGE, age.clone());
                }
                Kept::Fresh(answer)
            }
            BeforeRequest::Stale { request, matches: true } => Kept::Stale { answer, conditional: request.headers },
            BeforeRequest::Stale { .. } => Kept::Nothing,
        }
    }

    /// Stores the answer to a request with these headers, if it may be stored.
    pub(super) async fn keep(&self, headers: &HeaderMap, answer: &Answer) {
        let Some(request) = request(&answer.url, headers) else { return };
        let by_cookie = answer.headers.get_all(VARY).iter().any(|value| {
            value.to_str().is_ok_and(|value| value.split(',').any(|name| name.trim().eq_ignore_ascii_case("cookie")))
        });
        let size = (answer.body.len() + header_bytes(&answer.headers).len()) as u64;
        if by_cookie || answer.headers.contains_key(SET_COOKIE) || size > self.limit / 4 {
            return;
        }
        let mut response = http::Response::new(());
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers.clone();
        let options = CacheOptions { shared: false, ..CacheOptions::default() };
        let policy = CachePolicy::new_options(&request, &response, answer.at, options);
        let Ok(policy) = serde_json::to_string(&policy).map(|text| policy.is_storable().then_some(text)) else {
            return;
        };
        let (answer, limit) = (answer.clone(), self.limit);
        self.with(move |file| match policy {
            Some(policy) => write(file, &policy, &answer, size, limit),
            // An answer that must not be stored still invalidates the earlier one.
            None => file.connection.execute("DELETE FROM answers WHERE url = ?1", [key(&answer.url)]).map(|_| None),
        })
        .await;
    }

    /// Runs a job on the file, on a thread that may block. Returns `None` if it fails.
    async fn with<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut File) -> rusqlite::Result<Option<T>> + Send + 'static,
    ) -> Option<T> {
        let file = self.file.clone();
        let task = tokio::task::spawn_blocking(move || {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            job(&mut file).ok().flatten()
        });
        task.await.ok().flatten()
    }
}

/// Returns a cached answer that the server has confirmed, updated with its new headers.
pub(super) fn refreshed(mut kept: Answer, answer: &Answer) -> Answer {
    // The body is the cached one, so the headers that describe it stay.
    let fixed = [CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING, CONTENT_RANGE];
    for name in answer.headers.keys().filter(|name| !fixed.contains(name)) {
        kept.headers.remove(name);
        for value in answer.headers.get_all(name) {
            kept.headers.append(name, value.clone());
        }
    }
    kept.headers.remove(http::header::AGE);
    kept.at = answer.at;
    kept.address = answer.address;
    kept
}

/// Returns the request in the form the cache policy needs; `None` if its answer must not be stored.
fn request(url: &Url, headers: &HeaderMap) -> Option<http::Request<()>> {
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let mut request = http::Request::new(());
    *request.method_mut() = Method::GET;
    *request.uri_mut() = key(url).parse().ok()?;
    *request.headers_mut() = headers.clone();
    Some(request)
}

/// Returns the address without its fragment.
fn key(url: &Url) -> String {
    let text = url.as_str();
    text.split('#').next().unwrap_or(text).to_owned()
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // After a power failure the cache may lack its last answers, which is harmless.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        connection.execute_batch("DROP TABLE IF EXISTS answers")?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS answers (
            url TEXT PRIMARY KEY,
            policy TEXT NOT NULL,
            at INTEGER NOT NULL,
            address TEXT,
            version INTEGER NOT NULL,
            status INTEGER NOT NULL,
            size INTEGER NOT NULL,
            used INTEGER NOT NULL,
            headers BLOB NOT NULL,
            body BLOB NOT NULL
        );
        CREATE INDEX IF NOT EXISTS answers_used ON answers (used, size);",
    )
}

fn read(
    connection: &Connection,
    key: &str,
    url: Url,
    now: SystemTime,
) -> rusqlite::Result<Option<(CachePolicy, Answer)>> {
    let mut statement = connection.prepare_cached(
        "SELECT policy, at, address, version, status, used, headers, body FROM answers WHERE url = ?1",
    )?;
    let row = statement.query_row([key], |row| {
        let policy: String = row.get(0)?;
        let address: Option<String> = row.get(2)?;
        let status: u16 = row.get(4)?;
        let used: i64 = row.get(5)?;
        let headers: Vec<u8> = row.get(6)?;
        let body: Vec<u8> = row.get(7)?;
        let answer = Answer {
            url,
            at: UNIX_EPOCH + Duration::from_millis(row.get::<_, i64>(1)?.unsigned_abs()),
            address: address.and_then(|address| address.parse().ok()),
            version: version(row.get(3)?),
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            headers: headers_from(&headers),
            body: Bytes::from(body),
        };
        Ok((policy, used, answer))
    });
    let Some((policy, used, answer)) = row.optional()? else { return Ok(None) };
    let Ok(policy) = serde_json::from_str::<CachePolicy>(&policy) else { return Ok(None) };
    let now = milliseconds(now);
    if now - used > USE_GRAIN {
        connection.prepare_cached("UPDATE answers SET used = ?2 WHERE url = ?1")?.execute(params![key, now])?;
    }
    Ok(Some((policy, answer)))
}

fn write(file: &mut File, policy: &str, answer: &Answer, size: u64, limit: u64) -> rusqlite::Result<Option<()>> {
    let transaction = file.connection.transaction()?;
    let at = milliseconds(answer.at);
    transaction
        .prepare_cached("INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
        .execute(params![
            key(&answer.url),
            policy,
            at,
            answer.address.map(|address| address.to_string()),
            version_number(answer.version),
            answer.status.as_u16(),
            i64::try_from(size).unwrap_or(i64::MAX),
            at,
            header_bytes(&answer.headers),
            &answer.body[..],
        ])?;
    file.size = file.size.saturating_add(size);
    if file.size > limit {
        file.size = total(&transaction)?;
    }
    let excess = file.size.saturating_sub(limit);
    if excess > 0 {
        // Removes a tenth more than needed, so that this does not happen with every answer.
        let excess = i64::try_from(excess.saturating_add(limit / 10)).unwrap_or(i64::MAX);
        transaction.execute(
            "DELETE FROM answers WHERE rowid IN (
                SELECT rowid FROM (
                    SELECT rowid, size, sum(size) OVER (ORDER BY used, rowid) AS through FROM answers
                ) WHERE through - size < ?1
            ) AND url <> ?2",
            params![excess, key(&answer.url)],
        )?;
        file.size = total(&transaction)?;
    }
    transaction.commit()?;
    Ok(Some(()))
}

fn total(connection: &Connection) -> rusqlite::Result<u64> {
    connection.query_row("SELECT total(size) FROM answers", [], |row| row.get::<_, f64>(0)).map(|total| total as u64)
}

fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Serializes headers as lines.
fn header_bytes(headers: &HeaderMap) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.push(b':');
        bytes.extend_from_slice(value.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn headers_from(bytes: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in bytes.split(|&byte| byte == b'\n') {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { continue };
        let name = HeaderName::from_bytes(&line[..colon]);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(&line[colon + 1..])) {
            headers.append(name, value);
        }
    }
    headers
}

fn version_number(version: Version) -> i64 {
    match version {
        Version::HTTP_09 => 9,
        Version::HTTP_10 => 10,
        Version::HTTP_2 => 20,
        Version::HTTP_3 => 30,
        _ => 11,
    }
}

fn version(number: i64) -> Version {
    match number {
        9 => Version::HTTP_09,
        10 => Version::HTTP_10,
        20 => Version::HTTP_2,
        30 => Version::HTTP_3,
        _ => Version::HTTP_11,
    }
}
