//! Fields of which next to no known value is left, as of prices and counts: which column of the records is which?
//!
//! A column looks like a field as far as its values look like the known ones, record by record. Fields and columns are
//! matched all at once: of two that look like views, one may look more like replies. A field gets its column only if
//! every other matching is clearly worse, or, where the difference is small, worse in so many records that it is no chance.
//!
//! # Cost
//!
//! Fields times locators that are tried, times records; and an assignment for each field.

use windrow_wrapper::values::Type;
use windrow_wrapper::{Find, Landmark, Locator};

use super::assignment;
use super::fields::{Field, OLD, Score, try_all};
use super::level::Level;
use super::look::likeness;
use super::offers::{self, attribute_of, line};
use super::sheet::hash;
use super::trial::Got;

/// How much values must look alike.
const ALIKE: f32 = 0.38;
/// How much worse every other matching must be, if it is so by more than a few standard errors; in any case; and by many
/// of them.
const MARGIN: f32 = 0.06;
const LARGE: f32 = 0.2;
const LITTLE: f32 = 0.015;
const ERRORS: f32 = 3.5;
/// How much what stands in front of records must look like the field in each.
const RATHER: f32 = 0.2;
/// No value that is the same counts for more: a count is the same by chance.
const SAME: f32 = 0.8;
/// What a rule is given that cuts the value out by the words that it was cut out by before, and an old one that goes by a name.
const WORDS: f32 = 0.2;
const NAMED: f32 = 0.2;
/// Values that must be compared for their looks to say something.
const LOOKS: usize = 3;
/// Fields that are looked for at once, and columns they are looked for in.
const FIELDS: usize = 24;
const COLUMNS: usize = 96;

/// A column as one field sees it.
struct Candidate {
    /// The locator, by number; none if the column is there, but no locator gives it.
    way: Option<usize>,
    /// By record: the hash of its text; 0 if there is none.
    texts: Vec<u64>,
    /// By record: how much it looks like what is known.
    likes: Vec<f32>,
    worth: f32,
}

/// A field, and the columns it may be.
struct Open {
    /// By number.
    field: usize,
    offers: Vec<Locator>,
    tried: Vec<Vec<Option<Got>>>,
    candidates: Vec<Candidate>,
}

/// The locators of lost fields by what their values look like. `taken`: what the other fields give in
/// these records, by number.
pub(super) fn choose(
    level: &Level<'_, '_, '_>,
    matched: &[usize],
    fields: &[Field<'_>],
    lost: &[usize],
    (taken, few): (&[Vec<Option<Got>>], &[usize]),
    tell: &mut dyn FnMut(usize, Option<(Locator, Score)>),
) {
    let taken: Vec<Vec<u64>> = taken.iter().map(|values| hashes(values)).collect();
    let mut open: Vec<Open> = Vec::new();
    for &at in lost {
        tell(at, None);
        if is_shaped(&fields[at]) && open.len() < FIELDS {
            open.extend(Open::new(level, matched, fields, at, few, &taken));
        }
    }
    // Columns, each with one of those that are it; and by field, by column: the candidate that is it.
    let mut columns: Vec<Vec<u64>> = Vec::new();
    let mut own: Vec<Vec<Option<usize>>> = Vec::new();
    for open in &open {
        let mut places: Vec<Option<usize>> = Vec::new();
        for (number, candidate) in open.candidates.iter().enumerate() {
            let column = match columns.iter().position(|column| differ(column, &candidate.texts) < 0.1) {
                Some(column) => column,
                None if columns.len() < COLUMNS => {
                    columns.push(candidate.texts.clone());
                    columns.len() - 1
                }
                None => continue,
            };
            places.resize(places.len().max(column + 1), None);
            let best = places[column].is_none_or(|other: usize| {
                let other = &open.candidates[other];
                let found = (candidate.way.is_some(), candidate.worth);
                found.0 && other.way.is_none() || found.0 == other.way.is_some() && found.1 > other.worth + 1e-4
            });
            if best {
                places[column] = Some(number);
            }
        }
        own.push(places);
    }
    let worth: Vec<Vec<f32>> = open
        .iter()
        .zip(&own)
        .map(|(open, own)| {
            own.iter().map(|number| number.map_or(0.0, |number| open.candidates[number].worth)).collect()
        })
        .collect();
    let (chosen, total) = assignment::best(&worth);
    let like = |row: usize, column: Option<usize>, record: usize| {
        let number = column.and_then(|column| own[row].get(column).copied().flatten());
        number.map_or(0.0, |number| open[row].candidates[number].likes[record])
    };
    for row in 0..open.len() {
        let Some(column) = chosen[row] else { continue };
        let Some(number) = own[row][column] else { continue };
        let Candidate { way: Some(way), worth: own_worth, .. } = open[row].candidates[number] else { continue };
        if own_worth < ALIKE {
            continue;
        }
        // What stands twice in a record is no other column.
        let mut without = worth.clone();
        for (other, worth) in without[row].iter_mut().enumerate() {
            if differ(&columns[other], &columns[column]) < 0.3 {
                *worth = 0.0;
            }
        }
        let (other, less) = assignment::best(&without);
        let differences: Vec<f32> = (0..few.len())
            .map(|record| {
                (0..open.len()).map(|row| like(row, chosen[row], record) - like(row, other[row], record)).sum()
            })
            .collect();
        let margin = total - less;
        // Few records err more often.
        let (sure, least) = (errors(&differences), 2.0 + 8.0 / few.len() as f32);
        let enough = margin >= LARGE || margin >= MARGIN && sure >= least;
        if enough || margin >= LITTLE && sure >= least.max(ERRORS) {
            let field = &fields[open[row].field];
            let score = field.score(few, &open[row].tried[way]);
            tell(open[row].field, Some((open[row].offers[way].clone(), score)));
        }
    }
}

/// Whether the looks of a field's values say something: in a record or two, anything may look like it; and words that are
/// all new may be anything.
fn is_shaped(field: &Field<'_>) -> bool {
    let known = || field.known.iter().flatten().filter(|known| !known.0.is_empty());
    let digits = known().filter(|known| known.0.contains(|c: char| c.is_ascii_digit())).count();
    let shaped = !matches!(field.rule.ty, Type::String | Type::Html)
        || attribute_of(&field.rule.locator).is_some()
        || digits * 10 >= known().count() * 7;
    field.compared() >= LOOKS && shaped && field.is_gone()
}

impl Open {
    fn new(
        level: &Level<'_, '_, '_>,
        matched: &[usize],
        fields: &[Field<'_>],
        at: usize,
        few: &[usize],
        taken: &[Vec<u64>],
    ) -> Option<Open> {
        let field = &fields[at];
        let values: Vec<(usize, String)> = matched
            .iter()
            .zip(&field.known)
            .filter_map(|(&scope, known)| Some((scope, known.as_ref()?.0.clone())))
            .collect();
        let columns = offers::Columns::new(level, attribute_of(&field.rule.locator), &values);
        let offers = columns.offers(level, field.rule, &values);
        let one = std::slice::from_ref(field);
        let tried = try_all(level, matched, one, std::slice::from_ref(&offers), few).pop()?;
        let mut candidates: Vec<Candidate> = Vec::new();
        for (number, values) in tried.iter().enumerate() {
            let texts: Vec<Option<&str>> = values.iter().map(|got| got.as_ref().map(|got| got.text.as_str())).collect();
            let mut candidate = Candidate::new(field, few, &texts, Some(number));
            candidate.add(if number == 0 {
                if is_by_name(&offers[0]) { NAMED } else { OLD }
            } else if is_by_words(&offers[number]) {
                WORDS
            } else {
                0.0
            });
            candidates.push(candidate);
        }
        for column in columns.texts(level) {
            let text = |&at: &usize| {
                let place = column.binary_search_by_key(&matched[at], |place| place.0).ok()?;
                Some(column[place].1.as_str())
            };
            let texts: Vec<Option<&str>> = few.iter().map(text).collect();
            candidates.push(Candidate::new(field, few, &texts, None));
        }
        // A column that is another field's is none for this one; and of those in front of the records, none is if one in
        // them will do.
        let outside = |candidate: &Candidate| candidate.way.is_some_and(|way| is_outside(&offers[way]));
        candidates.retain(|own| !outside(own) || own.is_alike_throughout());
        candidates.retain(|own| own.worth > 0.0 && !taken.iter().any(|taken| differ(taken, &own.texts) < 0.1));
        if candidates.iter().any(|own| own.worth >= ALIKE && !outside(own)) {
            candidates.retain(|own| !outside(own));
        }
        candidates.sort_by(|one, two| two.worth.total_cmp(&one.worth).then(one.way.cmp(&two.way)));
        Some(Open { field: at, offers, tried, candidates })
    }
}

impl Candidate {
    fn new(field: &Field<'_>, few: &[usize], texts: &[Option<&str>], way: Option<usize>) -> Candidate {
        let known =
            |at: usize| field.known[at].as_ref().map(|known| known.0.as_str()).filter(|known| !known.is_empty());
        let like = |(&at, text): (&usize, &Option<&str>)| match (known(at), text) {
            (Some(known), Some(text)) => likeness(known, text).min(SAME),
            _ => 0.0,
        };
        let likes: Vec<f32> = few.iter().zip(texts).map(like).collect();
        let expected = few.iter().filter(|&&at| known(at).is_some()).count();
        let filled = texts.iter().flatten().filter(|text| !text.is_empty()).count();
        let amiss = (filled as f32 - expected as f32).abs() / few.len().max(1) as f32;
        let worth = likes.iter().sum::<f32>() / expected.max(1) as f32 - amiss;
        let texts = texts.iter().map(|text| text.filter(|text| !text.is_empty()).map_or(0, hash)).collect();
        Candidate { way, texts, likes, worth }
    }

    /// Whether it looks like the field in all records. What stands in front of a record may be the one before, and then
    /// something else stands in front of the first.
    fn is_alike_throughout(&self) -> bool {
        self.likes.iter().zip(&self.texts).all(|(like, text)| *like >= RATHER || *text == 0)
            && self.texts.first().is_some_and(|text| *text != 0)
    }

    /// Makes it better in all records.
    fn add(&mut self, more: f32) {
        if self.worth > 0.0 {
            self.worth += more;
            self.likes.iter_mut().filter(|like| **like > 0.0).for_each(|like| *like += more);
        }
    }
}

fn hashes(values: &[Option<Got>]) -> Vec<u64> {
    let text = |got: &Option<Got>| got.as_ref().map(|got| line(&got.text)).filter(|text| !text.is_empty());
    values.iter().map(|got| text(got).map_or(0, |text| hash(&text))).collect()
}

/// The share of records in which two columns say different things, of those in which both say something; all if they
/// seldom do.
fn differ(one: &[u64], two: &[u64]) -> f32 {
    let filled = |texts: &[u64]| texts.iter().filter(|text| **text != 0).count();
    let both = || one.iter().zip(two).filter(|(one, two)| **one != 0 && **two != 0);
    if both().count() * 2 < filled(one).min(filled(two)).max(1) {
        return 1.0;
    }
    let other = both().filter(|(one, two)| one != two).count();
    other as f32 / both().count() as f32
}

/// How many standard errors the mean is from nothing.
fn errors(differences: &[f32]) -> f32 {
    let count = differences.len() as f32;
    let mean = differences.iter().sum::<f32>() / count.max(1.0);
    let square: f32 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    let error = (square / (count - 1.0).max(1.0) / count.max(1.0)).sqrt();
    mean / error.max(1e-4)
}

/// Whether a locator looks in front of the record.
fn is_outside(locator: &Locator) -> bool {
    matches!(&locator.find, Find::XPath(text) if text.contains("preceding"))
}

/// Whether a locator goes by what something is called, not by where it stands.
fn is_by_name(locator: &Locator) -> bool {
    let named = |text: &str| text.contains(['.', '#']) || text.contains("@class") || text.contains("@id");
    match &locator.find {
        Find::Css(text) | Find::XPath(text) | Find::Expression(text) => {
            locator.slice.is_none() && named(text) && !text.contains("nth-") && !text.contains('[')
        }
        Find::Case(cases) => cases.first().is_some_and(is_by_name),
        _ => false,
    }
}

/// Whether a locator cuts a value out of a text by words.
fn is_by_words(locator: &Locator) -> bool {
    let worded = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let cuts = [&locator.after, &locator.before, &locator.matches].into_iter().flatten().any(|text| worded(text));
    let find = match &locator.find {
        // Tags have words, too, but others every day.
        Find::Landmark(Landmark::Between { start, .. }) => start.starts_with('"') && worded(start),
        Find::Case(cases) => cases.iter().any(is_by_words),
        _ => false,
    };
    cuts || find || locator.then.as_deref().is_some_and(is_by_words)
}
