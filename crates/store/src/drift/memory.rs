//! History of a list: the results of earlier runs, and the current faults.

use std::collections::{BTreeMap, HashSet};

use super::field::{FALL, Fault, Field, Yield};
use super::movement::{Habit, Movement, Range, moved};
use super::{FaultKind, Finding, PAGES, Past, Since};
use crate::data::Kind;
use crate::export::moment;

/// Smallest number of elements, and smallest share of all elements like the records, that count as left out. A few
/// may be advertisements or notices between the records.
const LEFT_OUT: u64 = 5;
const LEFT_OUT_SHARE: f64 = 0.2;
/// Standard deviations by which the number of records of one of several pages must fall: the square root of a count has a
/// standard deviation of one half.
const CLEAR: f64 = 3.0;
/// Number of good runs after which the usual coverage of a field is known, number of records from which it is compared
/// closely, number from which the share in a run counts by itself, and the drop below the lowest share ever found that
/// counts then.
const KNOWN_RUNS: u32 = 7;
const MANY: u64 = 20;
const SOME: u64 = 10;
const DROP: f64 = 0.12;
/// Share of the lost amounts that as many changed amounts of another field explain. Some prices stay at the end of a sale
/// because they change for other reasons in the same night.
const REPRICED: f64 = 0.7;
/// Probabilities below which a number of found values, and finding none, is a fault and not chance. Calibrated by
/// `tests/it/ordinary.rs`.
const CHANCE: f64 = 3e-6;
const GONE: f64 = 1e-5;

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
    /// Largest number of elements that were left out in good runs, and the number when the page was last read.
    most_left_out: Option<u64>,
    left_out: Option<u64>,
    /// Time at which the page was last read.
    at: String,
    broken: Option<(FaultKind, Since)>,
}

/// History of one field.
#[derive(Default)]
struct Remembered {
    /// Statistics from good runs.
    good: Field,
    /// Number of good runs, and the smallest share of records in which the field was found in one of them that had
    /// enough records for a share to mean something.
    runs: u32,
    least_found: Option<f64>,
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

impl Page {
    /// Reports whether a page with so many records has far fewer than ever. The last of several pages of a list has as
    /// many as are left, so there the numbers must differ by more than counts do by chance.
    fn has_fewer(&self, records: u64, is_alone: bool) -> bool {
        let is_clear = is_alone || 2.0 * ((self.least as f64).sqrt() - (records as f64).sqrt()) >= CLEAR;
        self.least >= 4 && records * 2 < self.least && is_clear
    }
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
                page.most_left_out = page.left_out;
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
            field.runs = 0;
            field.least_found = None;
            field.since = None;
        }
    }

    /// Compares the number of records on each page.
    fn add_records(&mut self, run: &Past, yields: &[Yield]) {
        let was_seen = self.seen;
        let is_alone = yields.len() == 1;
        for page in yields {
            let known = self.pages.get(&page.page);
            let usual = known.and_then(|known| known.most_left_out);
            let what = match known {
                _ if run.accepted => None,
                Some(known) if known.least > 0 && page.records == 0 => Some(FaultKind::Emptied),
                Some(known) if known.has_fewer(page.records, is_alone) => Some(FaultKind::Fewer),
                // A new page of a list that has never been empty on any page.
                None if was_seen && !self.was_empty && page.records == 0 => Some(FaultKind::Emptied),
                _ if is_left_out(page, usual) => Some(FaultKind::LeftOut),
                _ => None,
            };
            let known = self.pages.entry(page.page).or_insert_with(|| Page { least: page.records, ..Page::default() });
            known.records = page.records;
            known.left_out = page.left_out;
            known.at.clone_from(&run.at);
            match what {
                Some(what) => {
                    let since = known.broken.take().filter(|(known, _)| *known == what).map(|(_, since)| since);
                    known.broken = Some((what, since.unwrap_or_else(|| (run.id, run.at.clone()))));
                }
                None => {
                    self.was_empty |= page.records == 0;
                    self.seen = true;
                    known.most_left_out =
                        if run.accepted { page.left_out } else { known.most_left_out.max(page.left_out) };
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
            let sum = |count: &dyn Fn(&Page) -> Option<u64>| {
                pages.iter().filter_map(|(_, page, _)| count(page)).sum::<u64>() as f64
            };
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
                before: sum(&|page| if what == FaultKind::LeftOut { page.most_left_out } else { Some(page.least) }),
                now: sum(&|page| if what == FaultKind::LeftOut { page.left_out } else { Some(page.records) }),
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
                self.runs = 0;
                self.least_found = None;
                pages.iter().for_each(|(page, field)| self.add_range(*page, field));
            }
            self.since = None;
            return;
        }
        // The end of a sale takes the old prices away, and changes the prices of the same records in the same run. A rule
        // that no longer finds a field changes no other one.
        let is_repriced = |now: &Field, on: &dyn Fn(&Yield) -> bool| {
            let amounts = |page: &Yield| {
                let others = page.fields.iter().filter(|(other, field)| *other != name && field.kind == Kind::Money);
                others.map(|(_, field)| field.movement.changes()).max().unwrap_or(0)
            };
            let changed: u64 = yields.iter().filter(|page| on(page)).map(amounts).sum();
            let lost = now.movement.losses();
            now.kind == Kind::Money && lost > 0 && changed as f64 >= REPRICED * lost as f64
        };
        // A single page may be broken while the run as a whole is not.
        let is_sale = is_repriced(&all, &|_| true);
        let whole = self.covers_less(&all).filter(|_| !is_sale).or_else(|| all.fault(&self.good));
        let days = pages.iter().filter_map(|(page, _)| elapsed.get(page)).copied().fold(0.0, f64::max);
        let others = |other: &str, on: &dyn Fn(&Yield) -> bool| {
            let mut movement = Movement::default();
            let fields = yields.iter().filter(|page| on(page)).filter_map(|page| page.fields.get(other));
            fields.for_each(|field| movement.add(&field.movement));
            movement
        };
        let is_chain = |movement: &Movement, on: &dyn Fn(&Yield) -> bool| {
            movement.taken().is_some_and(|(other, _)| others(other, on).is_taken())
        };
        let taken = self.habit.taken(all.kind, &all.movement, is_chain(&all.movement, &|_| true));
        let moved = taken.or_else(|| self.habit.fault(all.kind, &all.movement, days));
        let mut is_good = whole.is_none();
        for (page, field) in pages {
            let fault = match &whole {
                Some(fault) => is_like(fault, field).then(|| fault.clone()),
                None => (self.covers_less(field).filter(|_| !is_repriced(field, &|other| other.page == page)))
                    .or_else(|| field.fault(&self.good))
                    .or_else(|| match was.get(&page) {
                        Some(fault) => self.still(fault, page, field),
                        None => {
                            let is_chain = is_chain(&field.movement, &|other| other.page == page);
                            let taken = self.habit.taken(field.kind, &field.movement, is_chain);
                            let elapsed = elapsed.get(&page).copied().unwrap_or(0.0);
                            let is_alone = field.movement.changed_elsewhere(&all.movement) < FALL;
                            taken.or_else(|| self.moved(moved.as_ref(), page, field, elapsed, is_alone))
                        }
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
            if all.records > 0 {
                if all.records >= SOME {
                    self.least_found = Some(self.least_found.map_or(1.0, |least| least).min(all.found()));
                }
                self.runs += 1;
            }
        }
        if self.broken.is_empty() {
            self.since = None
        } else {
            self.since.get_or_insert_with(|| (run.id, run.at.clone()));
        }
    }

    /// Returns a fault if the field is found in clearly fewer records than in any good run.
    fn covers_less(&self, now: &Field) -> Option<Fault> {
        let least = self.least_found.unwrap_or_else(|| self.good.found());
        let records = now.records as f64;
        if self.good.records < 3 || least * records < 2.0 {
            return None;
        }
        let is_known = self.runs >= KNOWN_RUNS && now.records >= MANY;
        if least - now.found() <= if is_known { DROP } else { FALL } {
            return None;
        }
        let is_gone = now.filled() == 0 && (1.0 - least).powf(records) < GONE;
        let (found, missing) = (self.good.filled(), self.good.records - self.good.filled());
        let is_fault = is_gone || now.movement.is_lost() || at_most(now.filled(), now.records, found, missing) < CHANCE;
        is_fault.then(|| Fault::new(FaultKind::Missing, least, now.found()))
    }

    fn add_range(&mut self, page: i64, field: &Field) {
        if let Some(quartiles) = field.quartiles {
            let range = self.ranges.entry(page).or_insert_with(|| Range::new(quartiles, field.filled()));
            range.add(quartiles, field.filled());
        }
    }

    /// Returns the fault of a page whose values moved: together with the whole run, on their own, or, if few of the
    /// page's records are known from before, out of the range of the numbers it ever had.
    ///
    /// A page counts on its own only if hardly anything moved on the others (`is_alone`): of a sale on half of all records,
    /// one page may have more than its share.
    fn moved(&self, whole: Option<&Fault>, page: i64, field: &Field, elapsed: f64, is_alone: bool) -> Option<Fault> {
        let middle = field.movement.middle(field.kind);
        let is_along = |fault: &&Fault| match offset(fault) {
            Some(offset) => middle * offset > 0.0,
            None if fault.what == FaultKind::Taken => {
                fault.other.as_ref().is_some_and(|other| field.movement.is_taken_from(other))
            }
            None => !field.movement.stayed(),
        };
        whole
            .filter(is_along)
            .cloned()
            .or_else(|| self.habit.fault(field.kind, &field.movement, elapsed).filter(|_| is_alone))
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
        if fault.what == FaultKind::Missing {
            let is_back = fault.before - field.found() < (fault.before - fault.now) / 2.0;
            return (!is_back).then(|| Fault { now: field.found(), ..fault.clone() });
        }
        if fault.what == FaultKind::Taken {
            // Values that go back are taken from the same column again.
            let is_back = fault.other.as_ref().is_some_and(|other| field.movement.is_taken_from(other));
            return (!is_back).then(|| fault.clone());
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

/// Reports whether a page leaves out many more elements like its records than it ever did.
fn is_left_out(page: &Yield, most: Option<u64>) -> bool {
    let (Some(now), Some(most)) = (page.left_out, most) else { return false };
    let more = now.saturating_sub(most);
    more >= LEFT_OUT && more as f64 >= LEFT_OUT_SHARE * (page.records + now) as f64
}

/// Returns the probability that at most `filled` of `records` records have a field that `found` records had and `missing`
/// had not: the lower tail of the beta-binomial distribution, after the rule of succession.
fn at_most(filled: u64, records: u64, found: u64, missing: u64) -> f64 {
    let (n, a, b) = (records as f64, found as f64 + 1.0, missing as f64 + 1.0);
    // The probability of none, then of each further one by the ratio to the one before.
    let mut log: f64 = (0..records).map(|at| ((b + at as f64) / (a + b + at as f64)).ln()).sum();
    let mut sum = log.exp();
    for at in 0..filled {
        let k = at as f64;
        log += ((n - k) / (k + 1.0) * (a + k) / (b + n - k - 1.0)).ln();
        sum += log.exp();
    }
    sum
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
        FaultKind::Missing => field.found() < fault.before - FALL.min((fault.before - fault.now) / 2.0),
        FaultKind::Mistyped => field.typed() < fault.before - FALL,
        _ => true,
    }
}
