//! Memory of a list: what the runs so far gave, and what is broken in it.

use std::collections::{BTreeMap, HashSet};

use super::field::{FALL, Fault, Field, Yield};
use super::movement::{Habit, Movement, Range, moved};
use super::{Finding, PAGES, Past, Since, What};
use crate::data::Kind;
use crate::export::moment;

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
    /// When that was.
    at: String,
    broken: Option<(What, Since)>,
}

/// What is known of a field.
#[derive(Default)]
struct Remembered {
    /// What good runs gave.
    good: Field,
    /// How its values move from day to day.
    habit: Habit,
    /// The numbers that each page gave in good runs.
    ranges: BTreeMap<i64, Range>,
    /// The pages on which it is broken, and what they gave.
    broken: BTreeMap<i64, (Fault, Field)>,
    since: Option<Since>,
    /// What was broken until somebody said that it is not.
    accepted: Field,
}

impl Memory {
    /// Compares a run with what is known, and remembers what is good of it.
    pub(super) fn add(&mut self, run: &Past, yields: &[Yield]) {
        // The days since each page was last read.
        let elapsed = yields.iter().filter_map(|page| {
            let before = moment(&self.pages.get(&page.page)?.at)?;
            let seconds = moment(&run.at)?.timestamp().as_second() - before.timestamp().as_second();
            Some((page.page, seconds as f64 / 86_400.0))
        });
        let elapsed: BTreeMap<i64, f64> = elapsed.collect();
        self.add_records(run, yields);
        let mut names: Vec<&String> = yields.iter().flat_map(|page| page.fields.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            self.fields.entry(name.clone()).or_default().add(run, yields, name, &elapsed);
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
            field.accepted.note_run(field.accepted.filled());
            field.good = field.accepted.clone();
            field.ranges.clear();
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
            known.at.clone_from(&run.at);
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
                other: None,
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
            let on: Vec<(i64, &Fault, &Field)> = on.map(|(page, (fault, now))| (*page, fault, now)).collect();
            let Some(&(_, fault, _)) = on.first() else { continue };
            if fault.what == What::Copied && self.is_copied_from(name, fault, seen) {
                continue;
            }
            let (run, since) = field.since.clone().unwrap_or_default();
            findings.push(Finding {
                list: table.to_owned(),
                field: Some(name.clone()),
                other: fault.other.clone(),
                what: fault.what,
                since,
                run,
                pages: on.iter().take(PAGES).map(|(page, ..)| page.to_string()).collect(),
                on: on.len(),
                of,
                before: fault.before,
                now: fault.now,
                was: field.good.examples.clone(),
                is: on.iter().flat_map(|(_, _, now)| &now.examples).take(2).cloned().collect(),
            });
        }
    }

    /// Reports whether two fields that agree accuse each other, and it is rather the other one that changed.
    fn is_copied_from(&self, name: &str, fault: &Fault, seen: &HashSet<i64>) -> bool {
        let Some((other, field)) = fault.other.as_ref().and_then(|other| self.fields.get_key_value(other)) else {
            return false;
        };
        let theirs = field.broken.iter().find(|(page, _)| seen.contains(page)).map(|(_, (fault, _))| fault);
        let theirs = theirs.filter(|theirs| theirs.what == What::Copied && theirs.other.as_deref() == Some(name));
        theirs.is_some_and(|theirs| (theirs.unlike, other.as_str()) > (fault.unlike, name))
    }
}

impl Remembered {
    fn add(&mut self, run: &Past, yields: &[Yield], name: &str, elapsed: &BTreeMap<i64, f64>) {
        let (mut all, mut movement) = (Field::default(), Movement::default());
        let mut pages = Vec::new();
        // What was wrong with these pages until now.
        let mut was: BTreeMap<i64, Fault> = BTreeMap::new();
        for page in yields {
            if let Some((fault, _)) = self.broken.remove(&page.page) {
                was.insert(page.page, fault);
            }
            if let Some(field) = page.fields.get(name).filter(|_| page.records > 0) {
                all.add(field);
                pages.push((page.page, field));
                // What is compared with something broken says nothing.
                if !was.contains_key(&page.page) {
                    movement.add(&field.movement);
                }
            }
        }
        all.movement = movement;
        if run.accepted {
            // What pages gave that were not read again is accepted, too.
            let others = std::mem::take(&mut self.accepted);
            self.habit.learn(all.kind, &all.movement);
            if all.records > 0 {
                self.good = all;
                self.good.add(&others);
                self.good.note_run(self.good.filled());
                self.ranges.clear();
                pages.iter().for_each(|(page, field)| self.add_range(*page, field));
            }
            self.since = None;
            return;
        }
        // A page may be broken while all of them together hardly are.
        let whole = all.fault(&self.good);
        let days = pages.iter().filter_map(|(page, _)| elapsed.get(page)).copied().fold(0.0, f64::max);
        let moved = self.habit.fault(all.kind, &all.movement, days);
        let mut is_good = whole.is_none();
        for (page, field) in pages {
            let fault = match &whole {
                Some(fault) => is_like(fault, field).then(|| fault.clone()),
                None => field.fault(&self.good).or_else(|| match was.get(&page) {
                    Some(fault) => self.still(fault, page, field),
                    None => self.moved(moved.as_ref(), page, field, elapsed.get(&page).copied().unwrap_or(0.0)),
                }),
            };
            match fault {
                Some(fault) => {
                    is_good = false;
                    self.broken.insert(page, (fault, field.clone()));
                }
                // What is good in a run that is broken here and there is still good.
                None if whole.is_none() => {
                    self.good.add(field);
                    self.add_range(page, field);
                }
                None => {}
            }
        }
        self.good.note_run(if whole.is_none() { all.filled() } else { 0 });
        if is_good {
            self.habit.learn(all.kind, &all.movement);
        }
        match self.broken.is_empty() {
            true => self.since = None,
            false => drop(self.since.get_or_insert_with(|| (run.id, run.at.clone()))),
        }
    }

    fn add_range(&mut self, page: i64, field: &Field) {
        if let Some(quartiles) = field.quartiles {
            let range = self.ranges.entry(page).or_insert_with(|| Range::new(quartiles, field.filled()));
            range.add(quartiles, field.filled());
        }
    }

    /// The fault of a page whose values moved: with those of the whole run, by themselves, or, where hardly any record
    /// is known from before, away from the numbers that the page ever had.
    fn moved(&self, whole: Option<&Fault>, page: i64, field: &Field, elapsed: f64) -> Option<Fault> {
        let middle = field.movement.middle(field.kind);
        let is_along = |fault: &&Fault| match offset(fault) {
            Some(offset) => middle * offset > 0.0,
            None => !field.movement.stayed(),
        };
        whole
            .filter(is_along)
            .cloned()
            .or_else(|| self.habit.fault(field.kind, &field.movement, elapsed))
            .or_else(|| self.beyond(page, field))
    }

    fn beyond(&self, page: i64, field: &Field) -> Option<Fault> {
        if field.movement.matched() * 2 >= field.filled() {
            return None;
        }
        let middle = self.ranges.get(&page)?.beyond(field.quartiles?, field.filled())?;
        Some(moved(field.kind, middle))
    }

    /// The fault of a page that was wrong compared with the values before, unless these are back.
    fn still(&self, fault: &Fault, page: i64, field: &Field) -> Option<Fault> {
        if fault.what == What::Rewritten {
            return (field.movement.matched() == 0 || field.movement.stayed()).then(|| fault.clone());
        }
        if fault.what == What::Copied {
            return fault.other.as_ref().is_some_and(|other| field.agrees_with(other)).then(|| fault.clone());
        }
        let middle = offset(fault)? + field.movement.middle(field.kind);
        let is_known = field.movement.matched() * 2 >= field.filled();
        // Half the way back is back: the bound is for alarms, and values went on changing meanwhile.
        let is_back = match is_known || !matches!(field.kind, Kind::Number | Kind::Money) {
            true => middle.abs() < self.habit.bound(field.kind) / 2.0,
            false => self.ranges.contains_key(&page) && self.beyond(page, field).is_none() && is_far(fault),
        };
        (!is_back).then(|| moved(field.kind, middle))
    }
}

/// How far the values of a fault moved, as [`Movement::middle`] says it.
fn offset(fault: &Fault) -> Option<f64> {
    match fault.what {
        What::Shifted => Some(fault.now.ln()),
        What::Redated => Some(fault.now),
        _ => None,
    }
}

/// Reports whether a fault is one that the range of a page's numbers alone tells.
fn is_far(fault: &Fault) -> bool {
    fault.now.ln().abs() >= super::movement::FAR.ln()
}

/// Reports whether a page is broken as the whole run is.
fn is_like(fault: &Fault, field: &Field) -> bool {
    match fault.what {
        What::Missing => field.found() < fault.before - FALL,
        What::Mistyped => field.typed() < fault.before - FALL,
        _ => true,
    }
}
