//! Movement: detects whole columns that moved between two runs by more than is usual.
//!
//! Single values change every day, but a rule that reads a different value changes all of them at once. The bounds are
//! chosen so that ordinary changes stay below them:
//!
//! | ordinary change | why it stays below the bounds |
//! |---|---|
//! | a sale on some items, prices of a few | fewer than four fifths of the records move |
//! | a new rate of VAT, exchange rates, a storewide sale of 20 % | the median moves by less than a quarter |
//! | amounts in another currency | not compared: both amount and currency say so, and nothing is wrong |
//! | stock, views, votes: they move every day, each on its own | for plain numbers that move often, only a common
//! factor counts |
//! | ranks, ages, days left: all move by one | a common difference is treated as a clock or a counter |
//! | "updated today", "offer ends on" | dates that move with the calendar are ignored |
//! | a column that moved as much before, or whose movement was accepted | it must move three times as far as ever
//! before |
//!
//! Real faults exceed the bounds: all prices 50 % higher (the rule reads an older price beside the current one), a
//! hundred times higher (a lost decimal point), all dates a month later (day and month swapped, or a wrong year).

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::FaultKind;
use super::field::{Fault, share};
use crate::data::Kind;

/// Smallest number of values to compare. Five values all move in the same direction by chance in one case out of
/// sixteen, and the other bounds apply as well.
const ENOUGH: u64 = 5;
/// Smallest number of plain numbers to compare if nothing says that the column is steady. Of five small counts, all rise
/// by about the same factor once in a few hundred days.
const NUMBERS_ENOUGH: u64 = 10;
/// Smallest number of known records that lost their values.
const LOST: u64 = 4;
/// Share of the values that must move in the same direction.
const MOST: f64 = 0.8;
/// Factor by which the median must move. It exceeds VAT (up to a fifth), exchange rates (a few percent) and the usual
/// storewide sale (20 % off is a factor of 1.25); a second price tends to be a third higher.
const FACTOR: f64 = 1.26;
/// Days by which the median of dates must move; a smaller shift may be a time zone.
const DAYS: f64 = 1.0;
/// Days by which dates may move forward beyond the time that passed: the schedule of a week becomes that of the next.
const WEEK: f64 = 7.0;
/// Multiple of the farthest earlier movement that the median must reach.
const BEYOND: f64 = 3.0;
/// Largest share of values that may change in one run of a steady column.
const STEADY: f64 = 0.5;
const NEW_STEADY: f64 = 0.2;
/// Number of compared runs after which a habit is known well. Weekly changes happen at least once in that many days.
const FORTNIGHT: u32 = 14;
/// Largest interquartile range of log ratios that still counts as one common factor: a tenth.
const ALIKE: f64 = 0.1;
/// Smallest number of values on a page whose quartiles are compared, and the factor (`FAR`) by which all three
/// quartiles must have left their range. Used where most records are new. The median of eight prices with the usual
/// spread (a factor of e is one standard deviation) is off by a factor of 8 about once in a thousand times, and all
/// three quartiles together even less often. A lost decimal point is at least a factor of ten.
const NUMBERS: u64 = 8;
pub(super) const FAR: f64 = 8.0;

/// Movement of a column, on one page or several.
#[derive(Debug, Clone, Default)]
pub(super) struct Movement {
    matched: u64,
    lost: u64,
    pairs: u64,
    changed: u64,
    /// Logarithms of ratios, each with the number of values it represents.
    ratios: Vec<(f64, f64)>,
    differences: Vec<(f64, f64)>,
    /// By column, the number of changed values that are now what that column had before.
    taken: BTreeMap<String, u64>,
}

impl Movement {
    pub(super) fn read(json: &Json) -> Movement {
        let number = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
        let pairs = number("pairs");
        let distances = |key: &str| {
            let all = json.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            // If no value changed, the store keeps no distances.
            let all: Vec<f64> = if all.is_empty() { vec![0.0] } else { all.iter().filter_map(Json::as_f64).collect() };
            let weight = pairs as f64 / all.len().max(1) as f64;
            all.into_iter().map(|distance| (distance, weight)).collect()
        };
        Movement {
            matched: number("matched"),
            lost: number("lost"),
            pairs,
            changed: number("changed"),
            ratios: distances("ratios"),
            differences: distances("differences"),
            taken: (json.get("taken").and_then(Json::as_object).into_iter().flatten())
                .map(|(column, count)| (column.clone(), count.as_u64().unwrap_or(0)))
                .collect(),
        }
    }

    pub(super) fn add(&mut self, other: &Movement) {
        self.matched += other.matched;
        self.lost += other.lost;
        self.pairs += other.pairs;
        self.changed += other.changed;
        self.ratios.extend(&other.ratios);
        self.differences.extend(&other.differences);
        for (column, count) in &other.taken {
            *self.taken.entry(column.clone()).or_default() += count;
        }
    }

    /// Returns the column whose earlier values this column has now, and the share of records in which it does.
    pub(super) fn taken(&self) -> Option<(&str, f64)> {
        let (column, count) = self.taken.iter().max_by_key(|(_, count)| **count)?;
        Some((column, share(*count, self.pairs)))
    }

    /// Reports whether most values are now what some other column had before.
    pub(super) fn is_taken(&self) -> bool {
        self.taken().is_some_and(|(other, _)| self.is_taken_from(other))
    }

    /// Reports whether most values are now what `column` had before.
    pub(super) fn is_taken_from(&self, column: &str) -> bool {
        self.pairs >= ENOUGH && self.taken().is_some_and(|(other, share)| other == column && share >= MOST)
    }

    /// Returns the number of values that changed.
    pub(super) fn changes(&self) -> u64 {
        self.changed
    }

    /// Returns the number of known records that had a value and have none now.
    pub(super) fn losses(&self) -> u64 {
        self.lost
    }

    /// Returns the number of known records that had a value before.
    pub(super) fn matched(&self) -> u64 {
        self.matched
    }

    /// Reports whether most of the known records that had a value have none now.
    pub(super) fn is_lost(&self) -> bool {
        self.lost >= LOST && share(self.lost, self.lost + self.matched) > 0.5
    }

    /// Returns the share of the values of other pages that changed, of a run whose pages moved like `whole`.
    pub(super) fn changed_elsewhere(&self, whole: &Movement) -> f64 {
        share(whole.changed.saturating_sub(self.changed), whole.pairs.saturating_sub(self.pairs))
    }

    /// Reports whether there were enough known records and most of their values stayed the same.
    pub(super) fn stayed(&self) -> bool {
        self.pairs >= 3 && self.changed() < STEADY
    }

    /// Returns the share of values that changed.
    fn changed(&self) -> f64 {
        share(self.changed, self.pairs)
    }

    fn distances(&self, kind: Kind) -> &[(f64, f64)] {
        if kind == Kind::Date { &self.differences } else { &self.ratios }
    }

    /// Returns the movement of the median: the logarithm of a factor, or days.
    pub(super) fn middle(&self, kind: Kind) -> f64 {
        quantile(self.distances(kind), 0.5)
    }

    /// Returns the share of values that moved in the same direction as the median.
    fn together(&self, kind: Kind) -> f64 {
        let (distances, way) = (self.distances(kind), self.middle(kind).signum());
        let all: f64 = distances.iter().map(|(_, weight)| weight).sum();
        let with: f64 = distances.iter().filter(|(distance, _)| distance * way > 0.0).map(|(_, weight)| weight).sum();
        if all > 0.0 { with / all } else { 0.0 }
    }

    fn width(distances: &[(f64, f64)]) -> f64 {
        quantile(distances, 0.75) - quantile(distances, 0.25)
    }

    /// Reports whether most values moved by a common factor rather than by a common difference.
    fn is_one_factor(&self) -> bool {
        let step = quantile(&self.differences, 0.5).abs();
        Movement::width(&self.ratios) <= ALIKE && Movement::width(&self.differences) > ALIKE * step
    }

    /// Reports whether most values moved by the same difference, as counters and clocks do.
    fn is_one_step(&self) -> bool {
        let step = quantile(&self.differences, 0.5).abs();
        Movement::width(&self.differences) <= ALIKE * step
    }

    /// Reports whether most dates moved by the same number of days, give or take one: the length of a year varies.
    fn is_one_distance(&self) -> bool {
        Movement::width(&self.differences) <= DAYS
    }
}

/// Returns the weighted quantile of the values at `at`.
fn quantile(values: &[(f64, f64)], at: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    let wanted = at * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut sum = 0.0;
    for (value, weight) in &values {
        sum += weight;
        if sum >= wanted {
            return *value;
        }
    }
    values.last().map_or(0.0, |(value, _)| *value)
}

/// Usual movement of a column from run to run, learned from good runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Habit {
    /// False until there were enough values to compare.
    is_known: bool,
    /// Largest share of values that changed in one run.
    changed: f64,
    /// Largest movement of the median.
    farthest: f64,
    /// Number of runs that could be compared with the run before.
    compared: u32,
    /// Largest share of values that were another column's earlier value.
    taken: f64,
}

impl Habit {
    /// Updates the habit with a run that was good or accepted.
    pub(super) fn learn(&mut self, kind: Kind, movement: &Movement) {
        if movement.pairs < ENOUGH {
            return;
        }
        self.is_known = true;
        self.compared += 1;
        self.taken = self.taken.max(movement.taken().map_or(0.0, |(_, share)| share));
        self.changed = self.changed.max(movement.changed());
        self.farthest = self.farthest.max(movement.middle(kind).abs());
    }

    /// Returns the fault of a column that has the earlier values of another one. If the other one has the values of a
    /// column, too (`is_chain`), columns were swapped or have moved on. One alone may be *previous close*, which has the
    /// values of *close* every day, *last week's rank* after each match day, or an old price when a sale begins; only a
    /// text is a fault then, after two weeks of runs without anything like it.
    pub(super) fn taken(&self, kind: Kind, movement: &Movement, is_chain: bool) -> Option<Fault> {
        let (other, now) = movement.taken()?;
        let is_lone = kind == Kind::Text && self.compared >= FORTNIGHT;
        let is_new = self.taken < MOST / 2.0 && (is_chain || is_lone);
        let is_fault = movement.is_taken_from(other) && is_new;
        is_fault.then(|| Fault { other: Some(other.to_owned()), ..Fault::new(FaultKind::Taken, self.taken, now) })
    }

    /// Reports whether the values hardly ever changed. In the first week, fewer may have: of seven values that change on
    /// two days out of three, fewer than half may change in the first night.
    fn is_steady(&self) -> bool {
        self.is_known && self.changed < if self.compared >= FORTNIGHT / 2 { STEADY } else { NEW_STEADY }
    }

    /// Returns the largest movement of the median that is still normal.
    pub(super) fn bound(&self, kind: Kind) -> f64 {
        let least = if kind == Kind::Date { DAYS } else { FACTOR.ln() };
        least.max(BEYOND * self.farthest)
    }

    /// Returns the fault of a column that moved this way within `elapsed` days, if it counts as one.
    pub(super) fn fault(&self, kind: Kind, movement: &Movement, elapsed: f64) -> Option<Fault> {
        if movement.pairs < ENOUGH || movement.changed() < MOST {
            return None;
        }
        if matches!(kind, Kind::Text | Kind::Url | Kind::Html) {
            // Texts may change every day, so the column must be known to be steady.
            return self.is_steady().then(|| Fault::new(FaultKind::Rewritten, self.changed, movement.changed()));
        }
        let middle = movement.middle(kind);
        if movement.together(kind) < MOST || middle.abs() < self.bound(kind) {
            return None;
        }
        let is_fault = match kind {
            // Dates that move with the calendar are not a fault.
            Kind::Date if middle > 0.0 && middle <= elapsed + WEEK => false,
            Kind::Date => self.is_steady() || movement.is_one_distance(),
            Kind::Number if movement.is_one_step() => false,
            Kind::Number => self.is_steady() || movement.pairs >= NUMBERS_ENOUGH && movement.is_one_factor(),
            _ => true,
        };
        is_fault.then(|| moved(kind, middle))
    }
}

/// Returns the fault of a column whose median moved by `middle`.
pub(super) fn moved(kind: Kind, middle: f64) -> Fault {
    match kind {
        Kind::Date => Fault::new(FaultKind::Redated, 0.0, middle),
        _ => Fault::new(FaultKind::Shifted, 1.0, middle.exp()),
    }
}

/// Range of the quartiles of a page's numbers in good runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    numbers: u64,
    least: [f64; 3],
    most: [f64; 3],
}

impl Range {
    pub(super) fn new(quartiles: [f64; 3], numbers: u64) -> Range {
        Range { numbers, least: quartiles, most: quartiles }
    }

    pub(super) fn add(&mut self, quartiles: [f64; 3], numbers: u64) {
        self.numbers = self.numbers.min(numbers);
        for (at, quartile) in quartiles.into_iter().enumerate() {
            self.least[at] = self.least[at].min(quartile);
            self.most[at] = self.most[at].max(quartile);
        }
    }

    /// Returns the logarithm of the factor by which the median left the range, if all three quartiles left it by at
    /// least `FAR`.
    pub(super) fn beyond(&self, quartiles: [f64; 3], numbers: u64) -> Option<f64> {
        if self.numbers < NUMBERS || numbers < NUMBERS || self.least[0] <= 0.0 || quartiles[0] <= 0.0 {
            return None;
        }
        let above = (0..3).all(|at| quartiles[at] >= FAR * self.most[at]);
        let below = (0..3).all(|at| quartiles[at] <= self.least[at] / FAR);
        match (above, below) {
            (true, _) => Some((quartiles[1] / self.most[1]).ln()),
            (_, true) => Some((quartiles[1] / self.least[1]).ln()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A movement of values from these to those.
    fn movement(pairs: &[(f64, f64)]) -> Movement {
        let weigh = |each: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(old, new)| (each(old, new), 1.0)).collect();
        Movement {
            matched: pairs.len() as u64,
            pairs: pairs.len() as u64,
            changed: pairs.iter().filter(|(old, new)| old != new).count() as u64,
            ratios: weigh(&|old, new| (new / old).ln()),
            differences: weigh(&|old, new| new - old),
            ..Movement::default()
        }
    }

    fn steady() -> Habit {
        Habit { is_known: true, changed: 0.1, compared: 7, farthest: 0.0, ..Habit::default() }
    }

    const PRICES: [f64; 10] = [340.0, 55.0, 900.0, 12.5, 80.0, 199.0, 45.0, 1200.0, 7.0, 66.0];

    fn scaled(factor: impl Fn(usize) -> f64) -> Movement {
        let pairs: Vec<(f64, f64)> = PRICES.iter().enumerate().map(|(at, old)| (*old, old * factor(at))).collect();
        movement(&pairs)
    }

    #[test]
    fn prices_that_move_as_a_whole() {
        let told = |movement: &Movement| Habit::default().fault(Kind::Money, movement, 1.0).map(|fault| fault.now);
        for factor in [1.5, 100.0, 0.01, 0.5, 1.3] {
            let now = told(&scaled(|_| factor)).unwrap();
            assert!((now - factor).abs() < 0.001, "{factor}: {now}");
        }
        // An older price, which is higher by as much as each item was reduced.
        assert!(told(&scaled(|at| 1.2 + at as f64 / 20.0)).is_some());
    }

    #[test]
    fn prices_on_ordinary_days() {
        let told = |movement: &Movement| Habit::default().fault(Kind::Money, movement, 1.0);
        // Nothing, exchange rates, VAT, a fifth off on everything, half off on seven of ten, up and down.
        for ordinary in [
            scaled(|_| 1.0),
            scaled(|_| 1.03),
            scaled(|_| 1.19),
            scaled(|_| 0.8),
            scaled(|at| if at < 7 { 0.5 } else { 1.0 }),
            scaled(|at| if at % 2 == 0 { 1.6 } else { 0.6 }),
        ] {
            assert_eq!(told(&ordinary), None, "{ordinary:?}");
        }
        let few = movement(&[(10.0, 20.0); 4]);
        assert_eq!(told(&few), None);
        // Quotes that moved by a tenth before may move by a quarter.
        let mut restless = Habit::default();
        restless.learn(Kind::Money, &scaled(|_| 1.1));
        assert_eq!(restless.fault(Kind::Money, &scaled(|_| 1.3), 1.0), None);
        assert!(restless.fault(Kind::Money, &scaled(|_| 1.5), 1.0).is_some());
    }

    #[test]
    fn plain_numbers_may_grow_as_they_like() {
        let told = |movement: &Movement| Habit::default().fault(Kind::Number, movement, 1.0);
        // Views: old articles hardly, new ones manyfold.
        assert_eq!(told(&scaled(|at| 1.1 + (at * at) as f64)), None);
        // Days left, ranks, ages.
        let ages: Vec<(f64, f64)> = (1..=10).map(|age| (f64::from(age), f64::from(age) + 1.0)).collect();
        assert_eq!(told(&movement(&ages)), None);
        assert_eq!(told(&movement(&[(2.0, 3.0); 10])), None);
        // A lost decimal point, and another column where numbers hardly ever changed.
        assert!(told(&scaled(|_| 10.0)).is_some());
        let other = scaled(|at| 2.0 + (at * at) as f64);
        assert!(steady().fault(Kind::Number, &other, 1.0).is_some());
    }

    #[test]
    fn dates_that_move_as_a_whole() {
        let by = |days: &dyn Fn(usize) -> f64| {
            movement(&PRICES.iter().enumerate().map(|(at, old)| (*old, old + days(at))).collect::<Vec<_>>())
        };
        let told = |habit: &Habit, movement: &Movement| habit.fault(Kind::Date, movement, 1.0).map(|fault| fault.what);
        let unknown = Habit::default();
        assert_eq!(told(&unknown, &by(&|_| 30.0)), Some(FaultKind::Redated));
        assert_eq!(told(&unknown, &by(&|_| -1.0)), Some(FaultKind::Redated));
        assert_eq!(told(&unknown, &by(&|at| if at < 4 { 365.0 } else { 366.0 })), Some(FaultKind::Redated));
        // Day and month confused: every date by as much as it likes, where they never changed.
        assert_eq!(told(&steady(), &by(&|at| 29.0 * (at as f64 + 1.0))), Some(FaultKind::Redated));
        // The calendar, a time zone, some that were put off.
        assert_eq!(told(&unknown, &by(&|_| 1.0)), None);
        assert_eq!(told(&unknown, &by(&|_| -0.25)), None);
        assert_eq!(told(&unknown, &by(&|at| if at < 5 { 14.0 } else { 0.0 })), None);
        assert_eq!(told(&unknown, &by(&|at| 3.0 * (at as f64 + 1.0))), None);
    }

    #[test]
    fn numbers_of_other_records() {
        let range = Range::new([20.0, 50.0, 200.0], 12);
        assert!(range.beyond([2000.0, 5000.0, 20_000.0], 12).is_some());
        assert!(range.beyond([0.2, 0.5, 2.0], 12).is_some());
        assert_eq!(range.beyond([60.0, 150.0, 600.0], 12), None);
        assert_eq!(range.beyond([20.0, 5000.0, 20_000.0], 12), None);
        assert_eq!(range.beyond([2000.0, 5000.0, 20_000.0], 7), None);
    }
}
