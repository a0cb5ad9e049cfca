//! Fields of the page itself: a page that tells of one thing, or what stands beside its lists.

use windrow_dom::names;
use windrow_wrapper::{Find, Kind, Locator, Rule};

use super::clues::telling;
use super::known::KnownRecord;
use super::level::Level;
use super::refusal::{Note, Refusal};
use super::sheet::Sheet;
use super::{Mended, fields, rules, single};
use crate::scope::{Cut, Scope};

/// How much of what is known of a page must still stand on it.
const ENOUGH: f32 = 0.4;

/// Mends the fields at the top of a wrapper.
pub(super) fn mend(
    sheets: &[Sheet<'_>],
    old: &mut [Rule],
    records: &[KnownRecord],
    notes: &mut Vec<Note>,
) -> Result<Option<Mended>, Refusal> {
    let own = |rule: &Rule| rule.kind == Kind::Field && !rules::is_by_hand(rule);
    if records.is_empty() || !old.iter().any(own) {
        return Ok(None);
    }
    // The page that has most of one of the records.
    let mut best: Option<(f32, &Sheet<'_>, Scope, &KnownRecord)> = None;
    for sheet in sheets {
        let Some(html) = sheet.document.find_html(names::HTML) else { continue };
        let scope = Scope::node(sheet.document, html);
        for record in records.iter().take(super::clues::RECORDS) {
            let share = standing(sheet, scope, record);
            if best.as_ref().is_none_or(|best| share > best.0) {
                best = Some((share, sheet, scope, record));
            }
        }
    }
    let Some((share, sheet, scope, record)) = best else { return Ok(None) };
    let list = String::new();
    if share == 0.0 {
        return Err(Refusal::NoneFound { list, known: records.len() });
    }
    if share < ENOUGH {
        return Err(Refusal::TooFew { list, known: records.len(), found: 0 });
    }
    let level = Level { sheet, cut: Cut::Nodes, scopes: vec![scope], known: vec![Some(record)] };
    let share = |rule: &Rule| {
        let has = records.iter().filter(|record| record.value(rule.shown()).is_some()).count();
        has as f32 / records.len() as f32
    };
    let mut report = Mended {
        label: list.clone(),
        known: records.len(),
        found: 1,
        records: 1,
        kept: true,
        fields: Vec::new(),
        lists: Vec::new(),
    };
    let chosen = fields::choose(&level, &old.iter().filter(|rule| own(rule)).collect::<Vec<_>>(), &share);
    for (rule, chosen) in old.iter_mut().filter(|rule| own(rule)).zip(chosen) {
        match chosen.rule {
            Some(new) => {
                if new.locator != rule.locator {
                    *rule = Rule { locator: from_the_top(new.locator), ..new };
                }
                report.fields.push(chosen.report);
            }
            // It is kept: nothing that it gives on this page is wrong, as it gives nothing.
            None if rule.optional && !chosen.needed => {
                notes.push(Note::LeftOut { list: list.clone(), field: rule.shown().to_owned() });
            }
            None => {
                let (field, known) = (rule.shown().to_owned(), chosen.report.compared);
                return Err(Refusal::FieldLost { list, field, stands: chosen.stands, known });
            }
        }
    }
    Ok(Some(report))
}

/// Mends a list whose one record is the page.
pub(super) fn record(
    sheet: &Sheet<'_>,
    rule: &Rule,
    record: &KnownRecord,
    notes: &mut Vec<Note>,
) -> Result<(Rule, Mended), Refusal> {
    let list = rule.shown().to_owned();
    let Some(html) = sheet.document.find_html(names::HTML) else { return Err(Refusal::NoPage) };
    let scope = Scope::node(sheet.document, html);
    let level = Level { sheet, cut: Cut::Nodes, scopes: vec![scope], known: vec![Some(record)] };
    let mut told = Vec::new();
    let inner = rules::mend(&level, &list, &rule.rules, &[record], &mut told)?;
    if inner.same_page.is_some_and(|same_page| same_page < single::SAME_PAGE) {
        return Err(Refusal::TooFew { list, known: 1, found: 0 });
    }
    notes.extend(told);
    let report =
        Mended { label: list, known: 1, found: 1, records: 1, kept: true, fields: inner.fields, lists: inner.lists };
    Ok((Rule { rules: inner.rules, ..rule.clone() }, report))
}

/// How much of what is known of a record stands in a scope.
pub(super) fn standing(sheet: &Sheet<'_>, scope: Scope, record: &KnownRecord) -> f32 {
    let (mut found, mut all) = (0.0, 0.0);
    for value in record.values.iter().filter(|value| !value.raw.is_empty()) {
        let worth = telling(&value.raw);
        all += worth;
        found += if sheet.stands(scope, &value.raw) { worth } else { 0.0 };
    }
    if all == 0.0 { 0.0 } else { found / all }
}

/// A locator in the page's root element as one in the page.
fn from_the_top(locator: Locator) -> Locator {
    let find = match &locator.find {
        Find::XPath(text) if &**text == "." => Find::XPath("/html".into()),
        Find::XPath(text) if !text.starts_with('/') => Find::XPath(format!("/html/{}", &**text).into()),
        Find::Case(cases) => Find::Case(cases.iter().cloned().map(from_the_top).collect()),
        find => find.clone(),
    };
    Locator { find, ..locator }
}
