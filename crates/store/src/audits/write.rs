//! Writing a running audit.

use std::collections::{HashMap, HashSet, VecDeque};

use xxhash_rust::xxh3::xxh3_64;

use super::{AuditedPage, KeptFindings, PageKind, Scope, Site, Verdict};
use crate::database::{Cell, Param};
use crate::error::Result;
use crate::found::content_hash;
use crate::store::Store;

/// A running audit. If it is dropped without [`Store::finish_audit`], it stays marked as interrupted.
#[derive(Debug)]
pub struct Audit {
    id: i64,
    ruleset: String,
    list: String,
    scope: Scope,
    at: String,
    /// Hashes of the names of the pages audited so far.
    looked: HashSet<u64>,
}

impl Audit {
    /// Returns the number of the audit.
    pub fn id(&self) -> i64 {
        self.id
    }
}

/// A stored finding of a page, with the properties by which it is recognized.
struct Known {
    id: i64,
    record: String,
    path: String,
    conclusion: String,
}

impl Store {
    /// Records that a site was seen. Keeps the earliest time and the first source; updates the IP address if one is
    /// given.
    pub fn note_site(&mut self, site: &Site) -> Result<()> {
        self.transaction(|store| store.put_site(site))
    }

    fn put_site(&mut self, site: &Site) -> Result<()> {
        let id = self.next("_sites")?;
        let params = [
            Param::Int(id),
            Param::text(&site.host),
            Param::text(&site.first),
            Param::text(&site.last),
            Param::maybe(site.ip.as_deref()),
            Param::maybe(site.found_by.as_deref()),
        ];
        let sql = "insert into _sites (id, host, first_seen, last_seen, ip, found_by) values ($1, $2, $3, $4, $5, $6)
                   on conflict (host) do update set
                   first_seen = case when excluded.first_seen < _sites.first_seen
                       then excluded.first_seen else _sites.first_seen end,
                   last_seen = case when excluded.last_seen > _sites.last_seen
                       then excluded.last_seen else _sites.last_seen end,
                   ip = coalesce(excluded.ip, _sites.ip), found_by = coalesce(_sites.found_by, excluded.found_by)";
        self.database.execute(sql, &params).map(drop)
    }

    /// Begins an audit of a list's records. `text` is the text of the rules and `at` the current time in RFC 3339.
    /// Findings are compared with those of earlier audits with the same rule name and list.
    pub fn begin_audit(&mut self, ruleset: &str, text: &str, list: &str, scope: Scope, at: &str) -> Result<Audit> {
        let hash = content_hash(text.as_bytes());
        let id = self.transaction(|store| {
            let id = store.next("_audits")?;
            let params = [Param::Int(id), Param::text(ruleset), Param::text(hash), Param::text(list), Param::text(at)];
            let sql = "insert into _audits (id, ruleset, hash, list, started) values ($1, $2, $3, $4, $5)";
            store.database.execute(sql, &params)?;
            Ok(id)
        })?;
        let (ruleset, list) = (ruleset.to_owned(), list.to_owned());
        Ok(Audit { id, ruleset, list, scope, at: at.to_owned(), looked: HashSet::new() })
    }

    /// Stores the findings of a page in one transaction and marks its site as seen.
    pub fn keep_findings(
        &mut self,
        audit: &mut Audit,
        looked: &AuditedPage<'_>,
        verdicts: &[Verdict],
    ) -> Result<KeptFindings> {
        let name = xxh3_64(looked.page.as_bytes());
        let is_first = !audit.looked.contains(&name);
        let kept = self.transaction(|store| {
            let kept = store.put_findings(audit, looked, verdicts)?;
            store.count(audit, looked, &kept, is_first)?;
            if !looked.host.is_empty() {
                let (first, last) = (audit.at.clone(), audit.at.clone());
                store.put_site(&Site { host: looked.host.to_owned(), first, last, ip: None, found_by: None })?;
            }
            Ok(kept)
        })?;
        audit.looked.insert(name);
        Ok(kept)
    }

    /// Records that a page could not be read. Its earlier findings stay as they are.
    pub fn note_unread(&mut self, audit: &Audit) -> Result<()> {
        self.transaction(|store| {
            let sql = "update _audits set failed = failed + 1 where id = $1";
            store.database.execute(sql, &[Param::Int(audit.id)]).map(drop)
        })
    }

    /// Ends an audit that has visited all its pages; `at` is the current time. Returns the number of findings marked as
    /// gone because no page of the list has them any more.
    pub fn finish_audit(&mut self, audit: Audit, at: &str) -> Result<u64> {
        self.transaction(|store| {
            let gone = match audit.scope {
                Scope::Pages => 0,
                Scope::List => store.sweep_findings(&audit)?,
            };
            let params = [Param::text(at), Param::Int(gone as i64), Param::Int(audit.id)];
            store.database.execute("update _audits set ended = $1, gone = gone + $2 where id = $3", &params)?;
            Ok(gone)
        })
    }

    /// Marks the findings that this audit did not see as gone.
    fn sweep_findings(&mut self, audit: &Audit) -> Result<u64> {
        let params = [
            Param::text(&audit.at),
            Param::Int(audit.id),
            Param::text(&audit.ruleset),
            Param::text(&audit.list),
            Param::Int(audit.id),
        ];
        let sql = "update _findings set gone = $1, gone_audit = $2
                   where ruleset = $3 and list = $4 and gone is null and last_audit <> $5";
        self.database.execute(sql, &params)
    }

    fn put_findings(&mut self, audit: &Audit, looked: &AuditedPage<'_>, verdicts: &[Verdict]) -> Result<KeptFindings> {
        let mut known = self.known(audit, looked.page)?;
        let mut kept = KeptFindings::default();
        let mut next = None;
        let same = recognise(verdicts, &mut known);
        for (verdict, same) in verdicts.iter().zip(same) {
            match same {
                Some(id) => {
                    self.put_again(audit, id, verdict)?;
                    kept.known += 1;
                }
                None => {
                    let id = match next {
                        Some(id) => id,
                        None => self.next("_findings")?,
                    };
                    next = Some(id + 1);
                    self.put_new(audit, id, looked, verdict)?;
                    kept.new += 1;
                }
            }
        }
        if audit.scope == Scope::Pages {
            for Known { id, .. } in &known {
                let params = [Param::text(&audit.at), Param::Int(audit.id), Param::Int(*id)];
                let sql = "update _findings set gone = $1, gone_audit = $2 where id = $3";
                self.database.execute(sql, &params)?;
                kept.gone += 1;
            }
        }
        Ok(kept)
    }

    /// Returns the open findings that earlier audits stored for a page.
    fn known(&mut self, audit: &Audit, page: &str) -> Result<Vec<Known>> {
        let params = [
            Param::text(page),
            Param::text(&audit.ruleset),
            Param::text(&audit.list),
            Param::Int(match audit.scope {
                Scope::Pages => 0,
                // Skips findings that another part of the same page has already matched.
                Scope::List => audit.id,
            }),
        ];
        let sql = "select id, record, path, conclusion from _findings where page = $1 and ruleset = $2 and list = $3
                   and gone is null and last_audit <> $4 order by id";
        let mut known = Vec::new();
        self.database.select(sql, &params, &mut |row| {
            let mut cells = row.into_iter();
            let id = cells.next().and_then(|cell| cell.int()).unwrap_or_default();
            let mut text = || cells.next().and_then(Cell::into_text).unwrap_or_default();
            known.push(Known { id, record: text(), path: text(), conclusion: text() });
            Ok(())
        })?;
        Ok(known)
    }

    fn put_again(&mut self, audit: &Audit, id: i64, verdict: &Verdict) -> Result<()> {
        let mut params = told(verdict);
        params.extend([Param::text(&audit.at), Param::Int(audit.id), Param::Int(id)]);
        let sql = "update _findings set path = $1, record = $2, conclusion = $3, low = $4, high = $5, rules = $6,
                   messages = $7, snippet = $8, evidence = $9, last_seen = $10, last_audit = $11 where id = $12";
        self.database.execute(sql, &params).map(drop)
    }

    fn put_new(&mut self, audit: &Audit, id: i64, looked: &AuditedPage<'_>, verdict: &Verdict) -> Result<()> {
        let mut params = told(verdict);
        params.extend([
            Param::Int(id),
            Param::text(&audit.ruleset),
            Param::text(&audit.list),
            Param::text(looked.page),
            Param::text(looked.host),
            Param::text(&audit.at),
            Param::text(&audit.at),
            Param::Int(audit.id),
            Param::Int(audit.id),
        ]);
        let sql = "insert into _findings (path, record, conclusion, low, high, rules, messages, snippet, evidence, id,
                   ruleset, list, page, host, first_seen, last_seen, first_audit, last_audit)
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
        self.database.execute(sql, &params).map(drop)
    }

    /// Adds a page to the totals of the audit and of its host.
    fn count(&mut self, audit: &Audit, looked: &AuditedPage<'_>, kept: &KeptFindings, is_first: bool) -> Result<()> {
        let int = |number: u64| Param::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let is = |kind: PageKind| int(u64::from(is_first && looked.kind == kind));
        let found = kept.new + kept.known;
        let sql = "update _audits set pages = pages + $1, records = records + $2, findings = findings + $3,
                   new = new + $4, gone = gone + $5 where id = $6";
        let sums = [
            int(u64::from(is_first)),
            int(looked.records),
            int(found),
            int(kept.new),
            int(kept.gone),
            Param::Int(audit.id),
        ];
        self.database.execute(sql, &sums)?;
        let sql = "insert into _visits (audit, host, rich, offers, neither, records, findings)
                   values ($1, $2, $3, $4, $5, $6, $7) on conflict (audit, host) do update set
                   rich = _visits.rich + excluded.rich, offers = _visits.offers + excluded.offers,
                   neither = _visits.neither + excluded.neither, records = _visits.records + excluded.records,
                   findings = _visits.findings + excluded.findings";
        let visit = [
            Param::Int(audit.id),
            Param::text(looked.host),
            is(PageKind::Rich),
            is(PageKind::Offer),
            is(PageKind::Neither),
            int(looked.records),
            int(found),
        ];
        self.database.execute(sql, &visit).map(drop)
    }
}

/// Returns the parameters that describe a verdict, in the order that both statements use.
fn told(verdict: &Verdict) -> Vec<Param<'_>> {
    vec![
        Param::text(&verdict.path),
        Param::text(&verdict.record),
        Param::text(&verdict.conclusion),
        Param::Number(verdict.low.to_string().into()),
        Param::Number(verdict.high.to_string().into()),
        Param::text(&verdict.rules),
        Param::text(&verdict.messages),
        Param::text(&verdict.snippet),
        Param::text(&verdict.evidence),
    ]
}

/// Returns for each verdict the stored finding that it matches, and removes the matches from `known`; the rest are
/// gone. Tries the strongest match first: record and place, then record alone, then place alone. Linear in both.
fn recognise(verdicts: &[Verdict], known: &mut Vec<Known>) -> Vec<Option<i64>> {
    let mut same: Vec<Option<i64>> = vec![None; verdicts.len()];
    let mut taken: HashSet<i64> = HashSet::new();
    for (by_record, by_path) in [(true, true), (true, false), (false, true)] {
        let sign = |record: &str, path: &str, conclusion: &str| {
            let of = |is_wanted: bool, text: &str| is_wanted.then(|| text.to_owned());
            (of(by_record, record), of(by_path, path), conclusion.to_owned())
        };
        let mut free: HashMap<_, VecDeque<i64>> = HashMap::new();
        for one in known.iter().filter(|one| !taken.contains(&one.id)) {
            free.entry(sign(&one.record, &one.path, &one.conclusion)).or_default().push_back(one.id);
        }
        for (verdict, same) in verdicts.iter().zip(&mut same).filter(|(_, same)| same.is_none()) {
            let key = sign(&verdict.record, &verdict.path, &verdict.conclusion);
            *same = free.get_mut(&key).and_then(VecDeque::pop_front);
            taken.extend(*same);
        }
    }
    known.retain(|one| !taken.contains(&one.id));
    same
}
