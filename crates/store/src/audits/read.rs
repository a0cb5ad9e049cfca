//! Reading stored audits.

use super::{Finding, Mark, PastAudit, Site, Verdict, Visit, is_there};
use crate::database::{Cell, Param};
use crate::error::Result;
use crate::store::Store;

/// Number of findings that are read at a time.
const CHUNK: usize = 1000;

/// Iterator over the cells of a row.
struct Row(std::vec::IntoIter<Cell>);

impl Row {
    fn maybe(&mut self) -> Option<String> {
        self.0.next().and_then(Cell::into_digits)
    }

    fn text(&mut self) -> String {
        self.maybe().unwrap_or_default()
    }

    fn int(&mut self) -> i64 {
        self.0.next().and_then(|cell| cell.int()).unwrap_or_default()
    }

    fn count(&mut self) -> u64 {
        u64::try_from(self.int()).unwrap_or_default()
    }

    fn real(&mut self) -> f64 {
        self.text().parse().unwrap_or_default()
    }
}

impl Store {
    /// Returns the sites, sorted by host.
    pub fn sites(&mut self) -> Result<Vec<Site>> {
        let sql = "select host, first_seen, last_seen, ip, found_by from _sites order by host";
        self.audit_rows(sql, |row| Site {
            host: row.text(),
            first: row.text(),
            last: row.text(),
            ip: row.maybe(),
            found_by: row.maybe(),
        })
    }

    /// Returns the audits, oldest first.
    pub fn audits(&mut self) -> Result<Vec<PastAudit>> {
        let sql = "select id, ruleset, hash, list, started, ended, pages, failed, records, findings, new, gone
                   from _audits order by id";
        self.audit_rows(sql, |row| PastAudit {
            id: row.int(),
            ruleset: row.text(),
            hash: row.text(),
            list: row.text(),
            started: row.text(),
            ended: row.maybe(),
            pages: row.count(),
            failed: row.count(),
            records: row.count(),
            findings: row.count(),
            new: row.count(),
            gone: row.count(),
        })
    }

    /// Returns the totals of each audit for each host.
    pub fn visits(&mut self) -> Result<Vec<Visit>> {
        let sql = "select audit, host, rich, offers, neither, records, findings from _visits order by audit, host";
        self.audit_rows(sql, |row| Visit {
            audit: row.int(),
            host: row.text(),
            rich: row.count(),
            offers: row.count(),
            neither: row.count(),
            records: row.count(),
            findings: row.count(),
        })
    }

    /// Passes every stored finding to `each`, oldest first, with the parts needed to count and sort it. Reads a
    /// snapshot: findings written meanwhile are not included.
    pub fn finding_marks(&mut self, mut each: impl FnMut(Mark)) -> Result<()> {
        if !is_there(&mut *self.database)? {
            return Ok(());
        }
        self.database.begin_reading()?;
        let mut last = 0;
        let mut chunk = |store: &mut Store| -> Result<usize> {
            let sql = format!(
                "select id, host, page, conclusion, cast(low as text), first_seen, gone from _findings
                 where id > $1 order by id limit {CHUNK}"
            );
            let mut count = 0;
            store.database.select(&sql, &[Param::Int(last)], &mut |cells| {
                let mut row = Row(cells.into_iter());
                let mark = Mark {
                    id: row.int(),
                    host: row.text(),
                    page: row.text(),
                    conclusion: row.text(),
                    low: row.real(),
                    first: row.text(),
                    gone: row.maybe(),
                };
                last = mark.id;
                count += 1;
                each(mark);
                Ok(())
            })?;
            Ok(count)
        };
        let done = loop {
            match chunk(self) {
                Ok(CHUNK) => {}
                other => break other.map(drop),
            }
        };
        self.database.rollback();
        done
    }

    /// Returns the findings with these numbers, in the given order; unknown numbers are skipped.
    pub fn findings(&mut self, ids: &[i64]) -> Result<Vec<Finding>> {
        if !is_there(&mut *self.database)? {
            return Ok(Vec::new());
        }
        let select = "select id, ruleset, list, page, host, path, record, conclusion, cast(low as text),
                      cast(high as text), rules, messages, snippet, cast(evidence as text), first_seen, last_seen, gone
                      from _findings";
        let keys: Vec<Param<'_>> = ids.iter().map(|id| Param::Int(*id)).collect();
        let mut found = std::collections::HashMap::new();
        self.database.lookup(select, "id", &keys, &mut |cells| {
            let mut row = Row(cells.into_iter());
            let (id, ruleset, list, page, host) = (row.int(), row.text(), row.text(), row.text(), row.text());
            let verdict = Verdict {
                path: row.text(),
                record: row.text(),
                conclusion: row.text(),
                low: row.real(),
                high: row.real(),
                rules: row.text(),
                messages: row.text(),
                snippet: row.text(),
                evidence: row.text(),
            };
            let (first, last, gone) = (row.text(), row.text(), row.maybe());
            found.insert(id, Finding { id, ruleset, list, page, host, verdict, first, last, gone });
            Ok(())
        })?;
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    /// Returns all rows of an audit table, which is small; an empty list if the store has no audit tables yet.
    fn audit_rows<T>(&mut self, sql: &str, read: impl Fn(&mut Row) -> T) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        if is_there(&mut *self.database)? {
            self.database.select(sql, &[], &mut |cells| {
                rows.push(read(&mut Row(cells.into_iter())));
                Ok(())
            })?;
        }
        Ok(rows)
    }
}
