//! The report as JSON, with every finding.

use serde_json::{Value, json};

use super::count::{Report, SiteRow};
use super::detail::Detail;
use crate::json::rounded;

/// Number of findings whose evidence is requested at a time.
const CHUNK: usize = 200;

impl Report {
    /// Writes one JSON object to `out`, with one finding per line; `details` returns the findings with the given
    /// numbers.
    pub fn json<E>(
        &self,
        mut details: impl FnMut(&[i64]) -> Result<Vec<Detail>, E>,
        mut out: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let (open, new, gone) = self.sums();
        let kinds = self.kinds.iter().map(|kind| {
            json!({ "conclusion": kind.conclusion, "open": kind.open, "new": kind.new, "gone": kind.gone,
                "sites": kind.sites })
        });
        let trend = self.trend.iter().map(|one| {
            json!({ "week": one.week.to_string(), "sites": one.sites, "new_sites": one.new_sites, "open": one.open,
                "new": one.new, "gone": one.gone })
        });
        let audits = self.audits.iter().map(|audit| {
            json!({ "rules": audit.ruleset, "list": audit.list, "started": audit.started, "ended": audit.ended,
                "complete": audit.ended.is_some(), "pages": audit.pages, "unread": audit.failed,
                "records": audit.records, "findings": audit.findings })
        });
        let parts = [
            ("title", json!(self.title)),
            ("made", json!(self.made)),
            ("week", json!(self.period.week().map(|week| week.to_string()))),
            ("from", json!(self.period.from.to_string())),
            ("until", json!(self.period.until.to_string())),
            (
                "sums",
                json!({ "sites": self.sites_known, "new_sites": self.new_sites().count(), "open": open, "new": new,
                    "gone": gone }),
            ),
            ("kinds", kinds.collect()),
            ("trend", trend.collect()),
            ("audits", audits.collect()),
            ("sites", self.sites.iter().map(site).collect()),
        ];
        out("{\n")?;
        for (key, value) in parts {
            out(&format!("\"{key}\":{value},\n"))?;
        }
        out("\"findings\":[")?;
        let mut between = "\n";
        for row in &self.sites {
            for some in row.shown.chunks(CHUNK) {
                let ids: Vec<i64> = some.iter().map(|one| one.id).collect();
                for detail in details(&ids)? {
                    let Some(one) = some.iter().find(|one| one.id == detail.id) else { continue };
                    out(&format!("{between}{}", finding(&row.site.host, &detail, one.is_new, one.is_gone)))?;
                    between = ",\n";
                }
            }
        }
        out("\n]}\n")
    }
}

fn site(row: &SiteRow) -> Value {
    let site = &row.site;
    let kinds: serde_json::Map<String, Value> =
        row.kinds.iter().map(|(kind, count)| (kind.clone(), json!(count))).collect();
    json!({
        "host": site.host, "ip": site.ip, "location": site.location, "found_by": site.found_by,
        "first": site.first, "last": site.last, "is_new": row.is_new, "records": row.records,
        "pages": { "rich": row.pages[0], "offers": row.pages[1], "neither": row.pages[2] },
        "open": row.open, "new": row.new, "gone": row.gone, "kinds": kinds,
    })
}

fn finding(host: &str, detail: &Detail, is_new: bool, is_gone: bool) -> Value {
    json!({
        "id": detail.id, "host": host, "page": detail.page, "path": detail.path, "conclusion": detail.conclusion,
        "probability": [rounded(detail.low), rounded(detail.high)], "rules": detail.ruleset, "list": detail.list,
        "snippet": detail.snippet, "first": detail.first, "last": detail.last, "gone": detail.gone,
        "is_new": is_new, "is_gone": is_gone,
        "evidence": serde_json::from_str::<Value>(&detail.evidence).unwrap_or_default(),
    })
}
