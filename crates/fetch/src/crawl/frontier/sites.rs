//! Sites that links have opened, and the number of pages fetched from each.
//!
//! A site consists of all its hosts: with and without `www.`, by http and https. Pages are counted when they are handed
//! out; those that are put back, retried or redirected are not counted, or counted for the redirect's target. Once a
//! site has reached its limit, its other pages are left out, so that a crawl of many sites ends. A later run with a
//! higher limit fetches them.
//!
//! Memory holds a name for each host and a number for each site.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::params;
use url::Url;

use super::{Frontier, Job};
use crate::crawl::{Config, CrawlError, OpenSite, site};

/// Sites by host, and the pages spent on them.
#[derive(Debug, Default)]
pub(super) struct Sites {
    /// Site of each host.
    pub(super) of: HashMap<i64, String>,
    opened: HashSet<String>,
    /// Number of pages of each opened site that are fetched or in progress.
    spent: BTreeMap<String, u64>,
}

impl Frontier {
    /// Restores the sites and page counts of earlier runs.
    pub(super) fn recover_sites(&mut self) -> Result<(), CrawlError> {
        self.sites.opened = self.sites()?.into_iter().map(|site| site.name).collect();
        if self.sites.opened.is_empty() {
            return Ok(());
        }
        let mut begun = self
            .connection
            .prepare("SELECT host, count(*) FROM urls WHERE page = 1 AND state IN (1, 4, 5, 7) GROUP BY host")?;
        for row in begun.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))? {
            let (host, count) = row?;
            if let Some(site) = self.sites.of.get(&host) {
                *self.sites.spent.entry(site.clone()).or_default() += count.unsigned_abs();
            }
        }
        Ok(())
    }

    /// Returns the sites that links have opened.
    pub(in crate::crawl) fn sites(&self) -> Result<Vec<OpenSite>, CrawlError> {
        super::sites(&self.connection)
    }

    /// Opens a site unless there are already `most`, with a note on the link that led to it.
    pub(in crate::crawl) fn open_site(
        &mut self,
        name: &str,
        note: Option<&str>,
        most: u64,
    ) -> Result<bool, CrawlError> {
        if self.sites.opened.contains(name) {
            return Ok(true);
        }
        if self.sites.opened.len() as u64 >= most {
            return Ok(false);
        }
        self.connection.prepare_cached("INSERT OR IGNORE INTO sites VALUES (?1, ?2)")?.execute(params![name, note])?;
        self.sites.opened.insert(name.to_owned());
        Ok(true)
    }

    /// Records the site of a host.
    pub(super) fn name_host(&mut self, host: i64, url: &Url) {
        self.sites.of.insert(host, site(url));
    }

    /// Returns the number of pages that may still be fetched from a host; `None` if it is not limited.
    pub(super) fn allowance(&self, host: i64, config: &Config) -> Option<u64> {
        let site = self.sites.of.get(&host).filter(|site| self.sites.opened.contains(*site))?;
        let spent = self.sites.spent.get(site).copied().unwrap_or_default();
        config.sites.map(|sites| sites.pages.saturating_sub(spent))
    }

    /// Counts pages that are handed out.
    pub(super) fn spend(&mut self, host: i64, pages: u64) {
        if let Some(site) = self.sites.of.get(&host).filter(|site| self.sites.opened.contains(*site)) {
            *self.sites.spent.entry(site.clone()).or_default() += pages;
        }
    }

    /// Reverses the count of a job that fetched no page from its site.
    pub(super) fn refund(&mut self, job: &Job) {
        let site = self.sites.of.get(&job.host).filter(|_| job.page);
        if let Some(spent) = site.and_then(|site| self.sites.spent.get_mut(site)) {
            *spent = spent.saturating_sub(1);
        }
    }

    /// Leaves out the pending pages of a host whose site has reached its limit.
    pub(super) fn leave_out(&mut self, host: i64) -> Result<(), CrawlError> {
        let mut leave =
            self.connection.prepare_cached("UPDATE urls SET state = 8 WHERE state = 0 AND page = 1 AND host = ?1")?;
        let left = leave.execute(params![host])? as u64;
        self.counts.queued = self.counts.queued.saturating_sub(left);
        self.counts.left += left;
        if let Some(state) = self.hosts.get_mut(&host) {
            state.pending = state.pending.saturating_sub(left);
        }
        Ok(())
    }
}
