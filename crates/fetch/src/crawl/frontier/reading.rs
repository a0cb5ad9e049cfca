//! Reading the frontier while it is written: parts for visits, and the state of a crawl.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use url::Url;

use super::{Canonical, Counts, State, key};
use crate::crawl::{Checkpoint, CrawlError, MOST_HOPS, OpenSite};

/// Opens the file for reading while another connection writes.
pub(in crate::crawl) fn reader(path: &Path) -> Result<Connection, CrawlError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    Ok(connection)
}

/// Returns a part's stored answer, the reason for its failure, or `None` if it has not arrived yet.
pub(in crate::crawl) fn part(
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
    // One more than the number of redirects that are followed.
    for _ in 0..=MOST_HOPS {
        let Some((id, state, target, note)) = found else { return Ok(None) };
        if state == State::Failed as i64 {
            return Ok(Some(Err(note.unwrap_or_else(|| "it could not be fetched".to_owned()))));
        }
        if state == State::Redirected as i64 {
            let Some(target) = target else { return Ok(Some(Err("its redirect has no target".to_owned()))) };
            found = by_id.query_row(params![target], row).optional()?;
            continue;
        }
        let mut body = connection.prepare_cached("SELECT answer FROM bodies WHERE id = ?1")?;
        return Ok(body.query_row(params![id], |row| row.get(0)).optional()?.map(Ok));
    }
    Ok(Some(Err("its redirects form a loop or are too many".to_owned())))
}

/// Returns the last checkpoint, if there is one.
pub(in crate::crawl) fn checkpoint(connection: &Connection) -> Result<Option<Checkpoint>, CrawlError> {
    // A state whose process was killed while creating it has no tables yet.
    if !connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'facts'")?.exists([])? {
        return Ok(None);
    }
    let fact = |name: &str| {
        let sought = connection.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get(0));
        sought.optional()
    };
    let generation: Option<String> = fact("generation")?;
    let generation = generation.and_then(|text| text.parse().ok()).unwrap_or(0);
    Ok(fact("crawl")?.map(|crawl| Checkpoint { crawl, generation }))
}

/// Counts the addresses by state.
pub(in crate::crawl) fn counts(connection: &Connection) -> Result<Counts, CrawlError> {
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
            state if state == State::Left as i64 => counts.left += count,
            _ => counts.queued += count,
        }
    }
    Ok(counts)
}

/// Returns the sites that links have opened, in alphabetical order.
pub(in crate::crawl) fn sites(connection: &Connection) -> Result<Vec<OpenSite>, CrawlError> {
    let mut sites = connection.prepare("SELECT name, note FROM sites ORDER BY name")?;
    let row = |row: &rusqlite::Row<'_>| Ok(OpenSite { name: row.get(0)?, note: row.get(1)? });
    Ok(sites.query_map([], row)?.collect::<Result<_, _>>()?)
}

/// Returns the addresses whose pages are stored.
pub(in crate::crawl) fn stored(connection: &Connection) -> Result<Vec<String>, CrawlError> {
    let mut stored =
        connection.prepare("SELECT url FROM urls WHERE state = 5 OR state = 4 OR state = 1 ORDER BY id")?;
    Ok(stored.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
