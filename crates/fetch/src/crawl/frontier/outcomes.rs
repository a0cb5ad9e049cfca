//! Transitions of a job: done, waiting, failed, to be retried, redirected.

use rusqlite::{OptionalExtension, params};
use url::{Position, Url};

use super::{Frontier, Job, Role, State, key};
use crate::crawl::{CrawlError, MOST_HOPS};

impl Frontier {
    /// Removes a job from the counts of taken jobs.
    fn release(&mut self, job: &Job) {
        self.taken = self.taken.saturating_sub(1);
        self.revisits = self.revisits.saturating_sub(usize::from(job.revisit));
        if let Some(state) = self.hosts.get_mut(&job.host) {
            state.taken = state.taken.saturating_sub(1);
        }
    }

    /// Removes a page from the count of begun pages.
    fn leave(&mut self, job: &Job) {
        self.begun = self.begun.saturating_sub(u64::from(job.page));
    }

    /// Returns a job to its earlier state.
    pub(in crate::crawl) fn put_back(&mut self, job: &Job) -> Result<(), CrawlError> {
        self.release(job);
        if job.revisit {
            return self.set_state(job.id, State::Ready);
        }
        self.leave(job);
        self.refund(job);
        self.set_state(job.id, State::Pending)?;
        self.pending(job.host);
        Ok(())
    }

    /// Stores an answer for later visits.
    pub(in crate::crawl) fn keep(&self, job: &Job, answer: &[u8]) -> Result<(), CrawlError> {
        let mut statement = self.connection.prepare_cached("INSERT OR REPLACE INTO bodies VALUES (?1, ?2)")?;
        statement.execute(params![job.id, answer])?;
        Ok(())
    }

    /// Marks a job as fetched, visited and written.
    pub(in crate::crawl) fn finish(&mut self, job: &Job) -> Result<(), CrawlError> {
        self.release(job);
        // Another page may have linked to it as a page while it was fetched as a part.
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

    /// Makes a job wait for parts that were added with [`Frontier::add_part`].
    pub(in crate::crawl) fn wait(&mut self, job: &Job, awaited: bool) -> Result<(), CrawlError> {
        self.release(job);
        self.set_state(job.id, if awaited { State::Waiting } else { State::Ready })?;
        self.arrived(job.id)
    }

    /// Marks a job as failed.
    pub(in crate::crawl) fn fail(&mut self, job: &Job, why: &str) -> Result<(), CrawlError> {
        self.give_up(job, why, false)
    }

    /// Marks a job as failed; with `for_now`, the next run may try again.
    pub(in crate::crawl) fn give_up(&mut self, job: &Job, why: &str, for_now: bool) -> Result<(), CrawlError> {
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

    /// Schedules a job for another attempt, not before `due`.
    pub(in crate::crawl) fn retry(&mut self, job: &Job, due: i64, why: &str) -> Result<(), CrawlError> {
        self.release(job);
        self.leave(job);
        self.refund(job);
        let mut statement = self
            .connection
            .prepare_cached("UPDATE urls SET state = 3, due = ?2, attempts = attempts + 1, note = ?3 WHERE id = ?1")?;
        statement.execute(params![job.id, due, why])?;
        Ok(())
    }

    /// Returns whether a job is currently wanted as a page, and whether pages need it as a part.
    pub(in crate::crawl) fn role(&self, job: &Job) -> Result<(bool, bool), CrawlError> {
        let sought = "SELECT page, EXISTS (SELECT 1 FROM needs WHERE part = urls.id) FROM urls WHERE id = ?1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.prepare_cached(sought)?.query_row([job.id], row)?)
    }

    /// Records that a job redirects to another address, as a page or only as a part. `bounced` says that the redirect
    /// set a cookie, so the addresses that led here may answer differently now.
    pub(in crate::crawl) fn redirect(
        &mut self,
        job: &Job,
        to: &Url,
        as_page: bool,
        bounced: bool,
    ) -> Result<(), CrawlError> {
        let hops: u32 = {
            let mut sought = self.connection.prepare_cached("SELECT hops FROM urls WHERE id = ?1")?;
            sought.query_row([job.id], |row| row.get(0))?
        };
        if hops as usize >= MOST_HOPS {
            return self.fail(job, "its redirects form a loop or are too many");
        }
        let role = Role { page: as_page, rank: job.rank, opens: job.opens };
        let (target, new) = self.insert(key(to, self.canonical), to, job.depth, false, role)?;
        if new {
            let mut further = self.connection.prepare_cached("UPDATE urls SET hops = ?2 WHERE id = ?1")?;
            further.execute([target, i64::from(hops) + 1])?;
        } else if target == job.id && to[..Position::AfterQuery] != job.url[..Position::AfterQuery] {
            // The same page under another spelling that the server prefers.
            return self.respell(job, to);
        } else {
            let again = bounced && self.bounce(target, job)?;
            if target == job.id && again {
                self.release(job);
                self.leave(job);
                self.refund(job);
                return Ok(());
            }
            if self.target(target)? == job.id {
                return self.fail(job, "its redirects form a loop or are too many");
            }
            if as_page {
                self.become_page(target)?;
            }
        }
        self.release(job);
        self.leave(job);
        self.refund(job);
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

    /// Makes an address pending again under another spelling.
    fn respell(&mut self, job: &Job, to: &Url) -> Result<(), CrawlError> {
        self.release(job);
        self.leave(job);
        self.refund(job);
        let host = self.host(to)?;
        self.connection
            .prepare_cached("UPDATE urls SET state = 0, url = ?2, host = ?3, hops = hops + 1 WHERE id = ?1")?
            .execute(params![job.id, &to[..Position::AfterQuery], host])?;
        self.pending(host);
        Ok(())
    }

    /// Marks a part as a page, and the targets of its redirects, too.
    pub(super) fn become_page(&mut self, mut id: i64) -> Result<(), CrawlError> {
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

    /// Makes a redirected address pending again after a cookie was set, a limited number of times.
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

    /// Makes the pages ready whose last missing part this was.
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
}
