//! Which rule finds a field on the new page: the one that gives most of what is known, in the records where it is known.
//!
//! The old rule is tried first, and stays if it is as good as any. A rule is right where it gives the known value, wrong
//! where it gives another though the known one still stands in the record; where the known value is gone, a new one may
//! stand in its place, and it should look like the old one. If next to no value of a field is left, as of prices and
//! counts, it is found by that look alone: the column must be the only one that fits.

use windrow_wrapper::{Locator, Rule};

use super::clues::telling;
use super::exceptions::{self, Found};
use super::level::Level;
use super::look::likeness;
use super::offers::{self, attribute_of, line};
use super::trial::{self, Got};
use super::{MendedField, columns};

/// Records that all locators are tried on, and those that the best few are.
const SAMPLE: usize = 20;
const ALL: usize = 240;
/// What a value must say by itself for it to stand somewhere by no chance.
const TELLING: f32 = 0.1;
/// Records with a field that are among them, if so many have it.
const HAVE: usize = 4;
/// Locators of one field that are tried on more.
const FINALISTS: usize = 5;
/// What the old rule is given in advance.
pub(super) const OLD: f32 = 0.04;
/// The share of records in which a field must have been for a repair to need it.
pub(super) const NEEDED: f32 = 0.6;
/// What a link is given that is where the text of its name is.
const BESIDE: f32 = 0.7;

/// What was found for a field.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    /// The rule; none if the field cannot be found again.
    pub(super) rule: Option<Rule>,
    pub(super) report: MendedField,
    /// In how many records the known value stands.
    pub(super) stands: usize,
    /// It was found by what its values look like.
    pub(super) by_look: bool,
    /// It was there in most of the known records.
    pub(super) needed: bool,
}

/// A field with what is known of it.
pub(super) struct Field<'r> {
    pub(super) rule: &'r Rule,
    /// By matched record: its known value, and whether it stands in the record.
    pub(super) known: Vec<Option<(String, bool)>>,
}

/// How a locator does.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    worth: f32,
    right: usize,
    /// Other values than the known ones.
    filled: usize,
    /// Records where it finds nothing, or something, and should not.
    amiss: usize,
    /// Records where a value is known, and where that stands.
    known: usize,
    stands: usize,
}

impl Score {
    /// Whether more is right, and no more wrong.
    pub(super) fn is_better(self, other: Score) -> bool {
        self.right > other.right
            && self.right + other.filled >= other.right + self.filled
            && self.amiss <= other.amiss
            && self.worth > other.worth
    }

    /// Whether a rule that was there before is still right: most values are the same, the others may be new.
    fn holds(self, records: usize) -> bool {
        self.right > 0 && self.right * 10 >= (self.right + self.filled) * 5 && self.amiss * 10 <= records
    }
}

impl Field<'_> {
    pub(super) fn compared(&self) -> usize {
        self.known.iter().flatten().filter(|known| !known.0.is_empty()).count()
    }

    /// Whether most values say something by themselves.
    fn is_told(&self) -> bool {
        let known = || self.known.iter().flatten().filter(|known| !known.0.is_empty());
        known().filter(|known| telling(&known.0) >= TELLING).count() * 2 >= self.compared()
    }

    /// Whether most values are gone; that a count stands somewhere is chance.
    pub(super) fn is_gone(&self) -> bool {
        let stands = self.known.iter().flatten().filter(|known| known.1 && telling(&known.0) >= TELLING);
        stands.count() * 2 < self.compared()
    }

    fn stands(&self) -> usize {
        self.known.iter().flatten().filter(|known| known.1).count()
    }

    /// How well these values do; `at`: by value, the number of its matched record.
    pub(super) fn score(&self, at: &[usize], values: &[Option<Got>]) -> Score {
        let mut score = Score::default();
        for (&record, value) in at.iter().zip(values) {
            let value = value.as_ref().map(|got| got.text.as_str());
            if let Some((known, stands)) = &self.known[record] {
                score.known += usize::from(!known.is_empty());
                score.stands += usize::from(*stands);
            }
            score.worth += match (&self.known[record], value) {
                // An empty element says no more than one that is not there.
                (Some((known, _)), Some(value)) if *known == value => {
                    score.right += usize::from(!known.is_empty());
                    if known.is_empty() { 0.3 } else { 1.0 }
                }
                (Some((known, _)), None) if known.is_empty() => 0.25,
                (None, Some("")) => 0.25,
                (Some((known, stands)), Some(value)) => {
                    score.filled += 1;
                    if *stands { -0.8 } else { 0.5 * likeness(known, value) - 0.05 }
                }
                (Some((_, stands)), None) => {
                    score.amiss += 1;
                    if *stands { -0.6 } else { -0.3 }
                }
                (None, Some(_)) => {
                    score.amiss += 1;
                    -0.5
                }
                (None, None) => 0.3,
            };
        }
        score.worth /= at.len().max(1) as f32;
        score
    }
}

/// The rules of fields on this level.
pub(super) fn choose(level: &Level<'_, '_, '_>, rules: &[&Rule], share: &dyn Fn(&Rule) -> f32) -> Vec<Chosen> {
    let matched = level.matched();
    let value = |rule: &Rule, scope: usize| {
        let known = line(level.known_at(scope)?.value(rule.shown())?);
        let stands = !known.is_empty() && level.stands(scope, attribute_of(&rule.locator), &known);
        Some((known, stands))
    };
    let fields: Vec<Field<'_>> = rules
        .iter()
        .map(|&rule| Field { rule, known: matched.iter().map(|&scope| value(rule, scope)).collect() })
        .collect();
    // The old rules first: most fields of a page that changed a little need no other.
    let old: Vec<Vec<Locator>> = fields.iter().map(|field| vec![field.rule.locator.clone()]).collect();
    let at = telling_sample(level, &fields, matched.len(), ALL);
    let tried = try_all(level, &matched, &fields, &old, &at);
    let holds: Vec<bool> = fields
        .iter()
        .zip(&tried)
        .map(|(field, tried)| tried.first().is_some_and(|values| field.score(&at, values).holds(at.len())))
        .collect();
    let offers: Vec<Vec<Locator>> = fields
        .iter()
        .zip(&holds)
        .map(|(field, holds)| {
            if *holds {
                return vec![field.rule.locator.clone()];
            }
            let values: Vec<(usize, String)> = matched
                .iter()
                .zip(&field.known)
                .filter_map(|(&scope, known)| Some((scope, known.as_ref()?.0.clone())))
                .collect();
            offers::of_field(level, field.rule, &values)
        })
        .collect();
    let mut best = rank(level, &matched, &fields, &offers, &holds, &at);
    // Those of which nothing is left, by their looks.
    let lost: Vec<usize> = (0..fields.len()).filter(|&at| !by_value(&fields[at], best[at].0.as_ref())).collect();
    let mut looked = vec![false; fields.len()];
    if !lost.is_empty() {
        let taken: Vec<Vec<Option<Got>>> =
            (0..fields.len()).filter(|at| !lost.contains(at)).filter_map(|at| best[at].1.clone()).collect();
        columns::choose(level, &matched, &fields, &lost, (&taken, &at), &mut |at, found| {
            best[at].0 = found;
            looked[at] = best[at].0.is_some();
        });
    }
    best.into_iter()
        .zip(&fields)
        .zip(looked)
        .map(|(((found, _), field), by_look)| {
            let stands = field.stands();
            let compared = found.as_ref().map_or(field.compared(), |found| found.1.known);
            let (rule, agreed) = match found {
                Some((locator, score)) => (Some(with(field.rule, locator)), score.right),
                // Nothing is known of it here: whether it still works cannot be told, and it gives nothing wrong.
                None if compared == 0 && share(field.rule) == 0.0 => (Some(field.rule.clone()), 0),
                None => (None, 0),
            };
            let kept = rule.as_ref().is_some_and(|rule| rule.locator == field.rule.locator);
            let report = MendedField { label: field.rule.shown().to_owned(), compared, agreed, kept };
            Chosen { rule, report, stands, by_look, needed: share(field.rule) >= NEEDED }
        })
        .collect()
}

/// A rule with another locator.
fn with(rule: &Rule, locator: Locator) -> Rule {
    match rule.locator == locator {
        true => rule.clone(),
        false => Rule { locator, path: None, ..rule.clone() },
    }
}

/// Whether a locator gives enough of what is known for it to be no chance: counts are often the same. Of many records,
/// some were tried.
fn by_value(field: &Field<'_>, found: Option<&(Locator, Score)>) -> bool {
    let share = if field.is_told() { 3 } else { 5 };
    found.is_some_and(|(_, score)| {
        score.right > 0 && score.right * 10 >= score.known * share && score.right * 10 >= score.stands * 6
    })
}

type Best = (Option<(Locator, Score)>, Option<Vec<Option<Got>>>);

/// For each field the locator that does best.
fn rank(
    level: &Level<'_, '_, '_>,
    matched: &[usize],
    fields: &[Field<'_>],
    offers: &[Vec<Locator>],
    holds: &[bool],
    more: &[usize],
) -> Vec<Best> {
    let few = telling_sample(level, fields, matched.len(), SAMPLE);
    let mut offers: Vec<Vec<Locator>> = offers.to_vec();
    if few.len() < matched.len() || offers.iter().any(|offers| offers.len() > FINALISTS) {
        let tried = try_all(level, matched, fields, &offers, &few);
        for ((own, tried), field) in offers.iter_mut().zip(&tried).zip(fields) {
            let mut order: Vec<(f32, usize)> = tried
                .iter()
                .enumerate()
                .map(|(number, values)| (field.score(&few, values).worth + if number == 0 { OLD } else { 0.0 }, number))
                .collect();
            order.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
            order.truncate(if attribute_of(&field.rule.locator).is_some() { 3 * FINALISTS } else { FINALISTS });
            // The old one stays among them.
            if !order.iter().any(|finalist| finalist.1 == 0) {
                order.push((0.0, 0));
            }
            order.sort_by_key(|finalist| finalist.1);
            *own = order.iter().map(|finalist| own[finalist.1].clone()).collect();
        }
    }
    let tried = try_all(level, matched, fields, &offers, more);
    let mut chosen: Vec<Option<(usize, Score)>> = Vec::with_capacity(fields.len());
    for (number, field) in fields.iter().enumerate() {
        let told = fields[..number].iter().rposition(|other| is_link_of(field.rule, other.rule));
        let beside = told.and_then(|other| Some(&tried[other][chosen[other]?.0]));
        let mut best: Option<(f32, usize, Score)> = None;
        for (way, values) in tried[number].iter().enumerate() {
            let score = field.score(more, values);
            let mut worth = score.worth + if way == 0 { OLD } else { 0.0 };
            // A link may be given twice in a record; it is the one that the text of this name has.
            if beside.is_some_and(|beside| is_beside(level, beside, values)) && score.right * 10 >= score.known * 3 {
                worth += BESIDE;
            }
            if best.is_none_or(|best| worth > best.0 + 1e-4) {
                best = Some((worth, way, score));
            }
        }
        chosen.push(best.filter(|_| !holds[number] || !tried[number].is_empty()).map(|best| (best.1, best.2)));
    }
    let give = |(number, chosen): (usize, Option<(usize, Score)>)| match chosen {
        Some((way, score)) => {
            let mut found = Found { locator: offers[number][way].clone(), values: tried[number][way].clone(), score };
            if !holds[number] {
                found = exceptions::cover(level, matched, &fields[number], more, found);
            }
            (Some((found.locator, found.score)), Some(found.values))
        }
        None => (None, None),
    };
    chosen.into_iter().enumerate().map(give).collect()
}

/// Whether a rule takes the address of what another takes the text of, by their names: `title_link` and `title`.
fn is_link_of(rule: &Rule, other: &Rule) -> bool {
    let linked = rule.name.strip_suffix("_link").is_some_and(|name| name == &*other.name);
    linked || &*rule.name == "link" && &*other.name == "title"
}

/// Whether the elements of two rules are in each other, in nearly all records that have both.
fn is_beside(level: &Level<'_, '_, '_>, one: &[Option<Got>], two: &[Option<Got>]) -> bool {
    let document = level.sheet.document;
    let (mut near, mut all) = (0, 0);
    for pair in one.iter().zip(two) {
        if let (Some(Got { node: Some(one), .. }), Some(Got { node: Some(two), .. })) = pair {
            all += 1;
            near += usize::from(one == two || document.is_ancestor(*one, *two) || document.is_ancestor(*two, *one));
        }
    }
    all > 0 && near * 10 >= all * 9
}

/// Numbers of matched records, evenly taken; and of each field some that have it.
fn telling_sample(level: &Level<'_, '_, '_>, fields: &[Field<'_>], count: usize, most: usize) -> Vec<usize> {
    let all: Vec<usize> = (0..count).collect();
    let mut at = level.sample(&all, most);
    for field in fields {
        let has = |number: usize| field.known[number].as_ref().is_some_and(|known| !known.0.is_empty());
        if at.iter().filter(|&&number| has(number)).count() < HAVE {
            at.extend((0..count).filter(|&number| has(number)).take(HAVE));
        }
    }
    at.sort_unstable();
    at.dedup();
    at
}

/// What the locators of all fields give in these matched records: by field, by locator.
pub(super) fn try_all(
    level: &Level<'_, '_, '_>,
    matched: &[usize],
    fields: &[Field<'_>],
    offers: &[Vec<Locator>],
    at: &[usize],
) -> Vec<Vec<Vec<Option<Got>>>> {
    let rules = fields.iter().zip(offers).flat_map(|(field, offers)| {
        offers.iter().map(|locator| Rule { locator: locator.clone(), ..field.rule.clone() })
    });
    let scopes: Vec<usize> = at.iter().map(|&number| matched[number]).collect();
    let found = values(level, &scopes, rules.collect());
    let mut found = found.into_iter();
    offers.iter().map(|offers| found.by_ref().take(offers.len()).collect()).collect()
}

/// What rules give in these scopes. A run ends where the next one begins, so runs are tried all together.
fn values(level: &Level<'_, '_, '_>, at: &[usize], rules: Vec<Rule>) -> Vec<Vec<Option<Got>>> {
    let count = rules.len();
    let nothing = || vec![vec![None; at.len()]; count];
    match level.cut {
        crate::scope::Cut::Nodes => {
            let scopes: Vec<_> = at.iter().map(|&scope| level.scopes[scope]).collect();
            trial::values(level.sheet, level.cut, &scopes, rules).unwrap_or_else(nothing)
        }
        _ => {
            let Some(all) = trial::values(level.sheet, level.cut, &level.scopes, rules) else { return nothing() };
            all.into_iter().map(|values| at.iter().map(|&scope| values[scope].clone()).collect()).collect()
        }
    }
}
