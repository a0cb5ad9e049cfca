//! Records in which the best locator of a field fails, though the value stands there: a second locator for these.
//!
//! Some records are built otherwise than most, and a locator that most records teach is blind there. What the others
//! teach is tried in all records, alone, behind the first one and in front of it; it is taken if more is right by it, and
//! nothing wrong that was right.
//!
//! # Cost
//!
//! For fields that are not right everywhere, the locators of one more field.

use windrow_wrapper::{Find, Locator};

use super::clues::telling;
use super::fields::{Field, Score, try_all};
use super::level::Level;
use super::offers;
use super::trial::Got;

/// Locators in a row.
const CASES: usize = 3;
/// Records that teach.
const TAUGHT: usize = 12;
/// What a value must say by itself: a count stands elsewhere by chance.
const TELLING: f32 = 0.1;

/// A locator with what it gives and how it does.
pub(super) struct Found {
    pub(super) locator: Locator,
    pub(super) values: Vec<Option<Got>>,
    pub(super) score: Score,
}

/// The locator that is right in more records; the same one if there is none. `at`: the records that are tried, by number.
pub(super) fn cover(
    level: &Level<'_, '_, '_>,
    matched: &[usize],
    field: &Field<'_>,
    at: &[usize],
    first: Found,
) -> Found {
    let mut best = first;
    for _ in 1..CASES {
        let failed = |(&record, got): (&usize, &Option<Got>)| {
            let (known, stands) = field.known[record].as_ref()?;
            // Another value may be a new one, and the old one still stand elsewhere by chance; too much of it, or too little,
            // is none.
            let wrong = got.as_ref().is_none_or(|got| {
                let part = got.text.contains(known.as_str()) || known.contains(&got.text);
                part && got.text != *known
            });
            (wrong && *stands && telling(known) >= TELLING).then(|| (matched[record], known.clone()))
        };
        let left: Vec<(usize, String)> = at.iter().zip(&best.values).filter_map(failed).take(TAUGHT).collect();
        if left.is_empty() {
            break;
        }
        let offers = offers::of_field(level, field.rule, &left);
        let one = std::slice::from_ref(field);
        let Some(tried) = try_all(level, matched, one, std::slice::from_ref(&offers), at).pop() else { break };
        let mut better: Option<Found> = None;
        for (locator, values) in offers.into_iter().zip(tried) {
            let joined = |one: &[Option<Got>], two: &[Option<Got>]| -> Vec<Option<Got>> {
                one.iter().zip(two).map(|(one, two)| one.clone().or_else(|| two.clone())).collect()
            };
            let behind = (case(&best.locator, &locator), joined(&best.values, &values));
            let ahead = (case(&locator, &best.locator), joined(&values, &best.values));
            for (locator, values) in [(Some(locator), values), behind, ahead] {
                let score = field.score(at, &values);
                let before = better.as_ref().map_or(best.score, |better| better.score);
                if let Some(locator) = locator.filter(|_| score.is_better(before)) {
                    better = Some(Found { locator, values, score });
                }
            }
        }
        match better {
            Some(better) => best = better,
            None => break,
        }
    }
    best
}

/// One locator, and where it finds nothing, the other; none if they cannot be put together.
fn case(one: &Locator, two: &Locator) -> Option<Locator> {
    let cases = |locator: &Locator| match &locator.find {
        Find::Case(cases) if *locator == Locator::new(Find::Case(cases.clone())) => cases.clone(),
        _ => vec![locator.clone()],
    };
    let mut all = cases(one);
    all.extend(cases(two));
    (all.len() <= CASES + 1).then(|| Locator::new(Find::Case(all)))
}
