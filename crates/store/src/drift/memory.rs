//! History of a list: the results of earlier runs, and the current faults.

use std::collections::{BTreeMap, HashSet};

use super::field::{FALL, Fault, Field, Yield};
use super::movement::{Habit, Movement, Range, moved};
use super::{FaultKind, Finding, PAGES, Past, Since};
use crate::data::Kind;
use crate::export::moment;

/// History of one list.
#[derive(Default)]
pub(super) struct Memory {
    pages: BTreeMap<i64, Page>,
    /// True if a page was ever empty without being reported.
    was_empty: bool,
    seen: bool,
    fields: BTreeMap<String, Remembered>,
}

/// History of one page.
#[derive(Default)]
struct Page {
    /// Smallest number of records in good runs.
    least: u64,
    /// Number of records when the page was last read.
    records: u64,
    /// Time at which the page was last read.
    at: String,
    broken: Option<(FaultKind, Since)>,
}

/// History of one field.
#[derive(Default)]
struct Remembered {
    /// Statistics from good runs.
    good: Field,
    /// Usual movement of the values from run to run.
    habit: Habit,
    /// Range of the numbers on each page in good runs.
    ranges: BTreeMap<i64, Range>,
    /// Pages on which the field is broken, with their statistics.
    broken: BTreeMap<i64, (Fault, Field)>,
    since: Option<Since>,
    /// Statistics of values that were broken until the user accepted them.
    accepted: Field,
}

impl Memory {
    /// Compares a run with the history, and adds its good results to it.
    pub(super) fn add(&mut self, run: &Past, yields: &[Yield]) {
        // Days since each page was last read.
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

    /// Accepts the current state: whatever is broken now becomes the new normal.
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

    /// Compares the number of records on each page.
    fn add_records(&mut self, run: &Past, yields: &[Yield]) {
        let was_seen = self.seen;
        for page in yields {
            let known = self.pages.get(&page.page);
            let what = match known {
                _ if run.accepted => None,
                Some(known) if known.least > 0 && page.records == 0 => Some(FaultKind::Emptied),
                Some(known) if known.least >= 4 && page.records * 2 < known.least => Some(FaultKind::Fewer),
                // A new page of a list that has never been empty on any page.
                None if was_seen && !self.was_empty && page.records == 0 => Some(FaultKind::Emptied),
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

    /// Adds the current faults on these pages to `findings`.
    pub(super) fn findings(&self, table: &str, seen: &HashSet<i64>, findings: &mut Vec<Finding>) {
        let of = self.pages.keys().filter(|page| seen.contains(page)).count();
        let mut told: BTreeMap<FaultKind, Vec<(i64, &Page, &Since)>> = BTreeMap::new();
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
            if fault.what == FaultKind::Copied && self.is_copied_from(name, fault, seen) {
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

    /// Reports whether two fields that agree blame each other and the other one is more likely to have changed.
    fn is_copied_from(&self, name: &str, fault: &Fault, seen: &HashSet<i64>) -> bool {
        let Some((other, field)) = fault.other.as_ref().and_then(|other| self.fields.get_key_value(other)) else {
            return false;
        };
        let theirs = field.broken.iter().find(|(page, _)| seen.contains(page)).map(|(_, (fault, _))| fault);
        let theirs = theirs.filter(|theirs| theirs.what == FaultKind::Copied && theirs.other.as_deref() == Some(name));
        theirs.is_some_and(|theirs| (theirs.unlike, other.as_str()) > (fault.unlike, name))
    }
}

impl Remembered {
    fn add(&mut self, run: &Past, yields: &[Yield], name: &str, elapsed: &BTreeMap<i64, f64>) {
        let (mut all, mut movement) = (Field::default(), Movement::default());
        let mut pages = Vec::new();
        // Faults that these pages had so far.
        let mut was: BTreeMap<i64, Fault> = BTreeMap::new();
        for page in yields {
            if let Some((fault, _)) = self.broken.remove(&page.page) {
                was.insert(page.page, fault);
            }
            if let Some(field) = page.fields.get(name).filter(|_| page.records > 0) {
                all.add(field);
                pages.push((page.page, field));
                // A movement measured from broken values means nothing.
                if !was.contains_key(&page.page) {
                    movement.add(&field.movement);
                }
            }
        }
        all.movement = movement;
        if run.accepted {
            // The accepted values of pages that were not read again count, too.
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
        // A single page may be broken while the run as a whole is not.
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
                // In a run that is broken on some pages, the other pages still count as good.
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
        if self.broken.is_empty() {
            self.since = None
        } else {
            self.since.get_or_insert_with(|| (run.id, run.at.clone()));
        }
    }

    fn add_range(&mut self, page: i64, field: &Field) {
        if let Some(quartiles) = field.quartiles {
            let range = self.ranges.entry(page).or_insert_with(|| Range::new(quartiles, field.filled()));
            range.add(quartiles, field.filled());
        }
    }

    /// Returns the fault of a page whose values moved: together with the whole run, on their own, or, if few of the
    /// page's records are known from before, out of the range of the numbers it ever had.
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

    /// Returns the fault of a page that is still broken, or `None` if its earlier values are back.
    fn still(&self, fault: &Fault, page: i64, field: &Field) -> Option<Fault> {
        if fault.what == FaultKind::Rewritten {
            return (field.movement.matched() == 0 || field.movement.stayed()).then(|| fault.clone());
        }
        if fault.what == FaultKind::Copied {
            return fault.other.as_ref().is_some_and(|other| field.agrees_with(other)).then(|| fault.clone());
        }
        let middle = offset(fault)? + field.movement.middle(field.kind);
        let is_known = field.movement.matched() * 2 >= field.filled();
        // Half the way back counts as back: the bound is meant for alarms, and values kept changing meanwhile.
        let is_back = if is_known || !matches!(field.kind, Kind::Number | Kind::Money) {
            middle.abs() < self.habit.bound(field.kind) / 2.0
        } else {
            self.ranges.contains_key(&page) && self.beyond(page, field).is_none() && is_far(fault)
        };
        (!is_back).then(|| moved(field.kind, middle))
    }
}

/// Returns the distance by which the values of a fault moved, in the unit of [`Movement::middle`].
fn offset(fault: &Fault) -> Option<f64> {
    match fault.what {
        FaultKind::Shifted => Some(fault.now.ln()),
        FaultKind::Redated => Some(fault.now),
        _ => None,
    }
}

/// Reports whether a fault is large enough to be detected by the range of a page's numbers alone.
fn is_far(fault: &Fault) -> bool {
    fault.now.ln().abs() >= super::movement::FAR.ln()
}

/// Reports whether a page has the fault of the whole run.
fn is_like(fault: &Fault, field: &Field) -> bool {
    match fault.what {
        FaultKind::Missing => field.found() < fault.before - FALL,
        FaultKind::Mistyped => field.typed() < fault.before - FALL,
        _ => true,
    }
}
