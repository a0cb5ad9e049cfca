//! What is known of a list from the runs so far, and what is broken in it.

use std::collections::{BTreeMap, HashSet};

use super::field::{FALL, Field, Yield};
use super::{Finding, PAGES, Past, Since, What};

/// What is known of one list.
#[derive(Default)]
pub(super) struct Memory {
    pages: BTreeMap<i64, Page>,
    /// Whether any page was ever empty and nobody minded.
    was_empty: bool,
    seen: bool,
    fields: BTreeMap<String, Remembered>,
}

/// What is known of a page.
#[derive(Default)]
struct Page {
    /// How many records good runs gave, the least.
    least: u64,
    /// How many it gave when it was last read.
    records: u64,
    broken: Option<(What, Since)>,
}

/// What is known of a field.
#[derive(Default)]
struct Remembered {
    /// What good runs gave.
    good: Field,
    /// The pages on which it is broken, and what they gave.
    broken: BTreeMap<i64, (Told, Field)>,
    since: Option<Since>,
    /// What was broken until somebody said that it is not.
    accepted: Field,
}

/// What is wrong, with what is compared.
type Told = (What, f64, f64);

impl Memory {
    /// Compares a run with what is known, and remembers what is good of it.
    pub(super) fn add(&mut self, run: &Past, yields: &[Yield]) {
        self.add_records(run, yields);
        let mut names: Vec<&String> = yields.iter().flat_map(|page| page.fields.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.fields.entry(name.clone()).or_default().add(run, yields, name);
        }
    }

    /// What is broken is how things are now.
    pub(super) fn accept(&mut self) {
        for page in self.pages.values_mut() {
            if page.broken.take().is_some() {
                page.least = page.records;
                self.was_empty |= page.records == 0;
            }
        }
        for field in self.fields.values_mut().filter(|field| !field.broken.is_empty()) {
            field.accepted = Field::default();
            for (_, (_, now)) in std::mem::take(&mut field.broken) {
                field.accepted.add(&now);
            }
            field.good = field.accepted.clone();
            field.since = None;
        }
    }

    /// How many records each page has.
    fn add_records(&mut self, run: &Past, yields: &[Yield]) {
        let was_seen = self.seen;
        for page in yields {
            let known = self.pages.get(&page.page);
            let what = match known {
                _ if run.accepted => None,
                Some(known) if known.least > 0 && page.records == 0 => Some(What::Emptied),
                Some(known) if known.least >= 4 && page.records * 2 < known.least => Some(What::Fewer),
                // A new page of a list that was never empty anywhere.
                None if was_seen && !self.was_empty && page.records == 0 => Some(What::Emptied),
                _ => None,
            };
            let known = self.pages.entry(page.page).or_insert_with(|| Page { least: page.records, ..Page::default() });
            known.records = page.records;
            match what {
                Some(what) => {
                    let since = known.broken.take().filter(|(known, _)| *known == what).map(|(_, since)| since);
                    known.broken = Some((what, since.unwrap_or_else(|| (run.id, run.at.clone()))));
                }
                None => {
                    self.was_empty |= page.records == 0;
                    self.seen = true;
                    known.least = if run.accepted { page.records } else { known.least.min(page.records) };
                    known.broken = None;
                }
            }
        }
    }

    /// What is broken on these pages.
    pub(super) fn findings(&self, table: &str, seen: &HashSet<i64>, findings: &mut Vec<Finding>) {
        let of = self.pages.keys().filter(|page| seen.contains(page)).count();
        let mut told: BTreeMap<What, Vec<(i64, &Page, &Since)>> = BTreeMap::new();
        for (number, page) in self.pages.iter().filter(|(number, _)| seen.contains(number)) {
            if let Some((what, since)) = &page.broken {
                told.entry(*what).or_default().push((*number, page, since));
            }
        }
        for (what, pages) in told {
            let (run, since) = pages.iter().map(|(_, _, since)| *since).min().cloned().unwrap_or_default();
            findings.push(Finding {
                list: table.to_owned(),
                field: None,
                what,
                since,
                run,
                pages: pages.iter().take(PAGES).map(|(number, ..)| number.to_string()).collect(),
                on: pages.len(),
                of,
                before: pages.iter().map(|(_, page, _)| page.least as f64).sum(),
                now: pages.iter().map(|(_, page, _)| page.records as f64).sum(),
                was: Vec::new(),
                is: Vec::new(),
            });
        }
        for (name, field) in &self.fields {
            let on = field.broken.iter().filter(|(page, _)| seen.contains(page));
            let on: Vec<(i64, Told, &Field)> = on.map(|(page, (told, now))| (*page, *told, now)).collect();
            let Some(&(_, (what, before, now), _)) = on.first() else { continue };
            let (run, since) = field.since.clone().unwrap_or_default();
            findings.push(Finding {
                list: table.to_owned(),
                field: Some(name.clone()),
                what,
                since,
                run,
                pages: on.iter().take(PAGES).map(|(page, ..)| page.to_string()).collect(),
                on: on.len(),
                of,
                before,
                now,
                was: field.good.examples.clone(),
                is: on.iter().flat_map(|(_, _, now)| &now.examples).take(2).cloned().collect(),
            });
        }
    }
}

impl Remembered {
    fn add(&mut self, run: &Past, yields: &[Yield], name: &str) {
        let mut all = Field::default();
        let mut pages = Vec::new();
        for page in yields {
            self.broken.remove(&page.page);
            if let Some(field) = page.fields.get(name).filter(|_| page.records > 0) {
                all.add(field);
                pages.push((page.page, field));
            }
        }
        if run.accepted {
            // What pages gave that were not read again is accepted, too.
            let others = std::mem::take(&mut self.accepted);
            if all.records > 0 {
                self.good = all;
                self.good.add(&others);
            }
            self.since = None;
            return;
        }
        // A page may be broken while all of them together hardly are.
        let whole = all.broken(&self.good);
        let own: Vec<Option<Told>> = pages.iter().map(|(_, field)| field.broken(&self.good)).collect();
        for ((page, field), own) in pages.into_iter().zip(own) {
            match whole.filter(|told| is_like(told, field)).or(own.filter(|_| whole.is_none())) {
                Some(told) => drop(self.broken.insert(page, (told, field.clone()))),
                // What is good in a run that is broken here and there is still good.
                None if whole.is_none() => self.good.add(field),
                None => {}
            }
        }
        match self.broken.is_empty() {
            true => self.since = None,
            false => drop(self.since.get_or_insert_with(|| (run.id, run.at.clone()))),
        }
    }
}

/// Whether a page is broken as the whole run is.
fn is_like((what, was, _): &Told, field: &Field) -> bool {
    match what {
        What::Missing => field.found() < was - FALL,
        What::Mistyped => field.typed() < was - FALL,
        _ => true,
    }
}
