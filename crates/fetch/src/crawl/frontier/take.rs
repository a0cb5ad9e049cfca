//! Selection of the next jobs.

use url::Url;

use super::{Frontier, Job, State};
use crate::crawl::{Config, CrawlError, Order};

/// Largest number of repeated visits at a time.
const REVISITS: usize = 32;

impl Frontier {
    /// Hands out up to `room` jobs within the page budgets: repeated visits first, then the jobs of each host in turn,
    /// none with more than its share.
    pub(in crate::crawl) fn take(&mut self, room: usize, config: &Config) -> Result<Vec<Job>, CrawlError> {
        let pages = config.budget.pages;
        let mut jobs = Vec::new();
        self.take_ready(room, &mut jobs)?;
        // A few hosts may fill the window; many hosts share it.
        let share = (room / self.turn.len().max(1)).max(4).min(config.share.max(1));
        for _ in 0..self.turn.len() {
            if jobs.len() >= room {
                break;
            }
            let Some(host) = self.turn.pop_front() else { break };
            let taken = self.hosts.get(&host).map_or(0, |state| state.taken as usize);
            let wanted = share.saturating_sub(taken).min(room - jobs.len());
            if wanted > 0 {
                let pages = pages.map(|pages| pages.saturating_sub(self.counts.done + self.begun));
                let allowance = self.allowance(host, config);
                let least = pages.into_iter().chain(allowance).min();
                self.take_of(host, wanted, least, &mut jobs)?;
                if self.allowance(host, config) == Some(0) {
                    self.leave_out(host)?;
                }
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
        // Their bodies are in memory, and a few are enough to keep every thread busy.
        let room = room.min(REVISITS.saturating_sub(self.revisits));
        if room == 0 {
            return Ok(());
        }
        let ready: Vec<Job> = {
            let mut ready = self.connection.prepare_cached(
                "SELECT urls.id, url, host, depth, given, page, attempts, opens, rank, answer FROM urls JOIN bodies ON bodies.id = urls.id
                 WHERE state = 1 ORDER BY urls.id LIMIT ?1",
            )?;
            let room = i64::try_from(room).unwrap_or(i64::MAX);
            ready.query_map([room], |row| job(row, row.get(9)?))?.collect::<Result<_, _>>()?
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

    /// Takes jobs of one host; only parts if no more pages are allowed.
    fn take_of(&mut self, host: i64, wanted: usize, pages: Option<u64>, jobs: &mut Vec<Job>) -> Result<(), CrawlError> {
        let all =
            "SELECT id, url, host, depth, given, page, attempts, opens, rank FROM urls WHERE state = 0 AND host = ?1";
        let (which, wanted) = match pages {
            Some(0) => (" AND page = 0", wanted),
            Some(pages) => ("", wanted.min(usize::try_from(pages).unwrap_or(usize::MAX))),
            None => ("", wanted),
        };
        let order = match self.order {
            Order::BreadthFirst => "ORDER BY rank, depth, id LIMIT ?2",
            Order::DepthFirst => "ORDER BY rank, depth DESC, id DESC LIMIT ?2",
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
        self.spend(host, found.iter().filter(|job| job.page).count() as u64);
        for job in found {
            self.set_state(job.id, State::Taken)?;
            self.begun += u64::from(job.page);
            jobs.push(job);
        }
        Ok(())
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
        opens: row.get(7)?,
        rank: row.get(8)?,
        revisit: kept.is_some(),
        kept,
    })
}
