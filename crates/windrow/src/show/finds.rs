//! The finds of one rule on some pages: counts, a few values, and enough to tell whether its values are all the same or
//! those of another rule.
//!
//! Values are remembered by their hashes, of which a wrong agreement is no worse than a wrong hint.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::learn::types::is_value;
use crate::wrapper::Tally;
use crate::{Extraction, Object, SiblingsLeftOut, siblings_left_out};

use crate::data::{self, Data, Form};
use crate::format::columns;
use crate::text::excerpt;

/// Characters of a value that are kept.
const KEPT: usize = 300;
/// Different values that are kept, to choose one from the middle.
const MOST: usize = 64;

/// The finds of a rule.
#[derive(Debug, Default, Clone)]
pub struct RuleFinds {
    /// Places that it was looked for in.
    pub scopes: u64,
    /// Number of scopes with a match.
    pub matched: u64,
    /// Number of matches.
    pub found: u64,
    /// Values, if it makes values: those that are of their type, and not empty.
    pub values: u64,
    /// Values that are empty.
    pub empty: u64,
    /// Values that are not of their type.
    pub untyped: u64,
    /// The first of these.
    pub no_value: Option<String>,
    /// Texts of a rule without a type: single dates, numbers and amounts, then words; the first of each, and how many there are.
    pub kinds: [Option<(u64, String)>; 2],
    /// Elements that are built like the records of the first page that has some, and are none.
    pub left_out: Option<SiblingsLeftOut>,
    distinct: HashSet<u64>,
    samples: Samples,
    /// Hash of all values and of the records they are in.
    digest: u64,
}

impl RuleFinds {
    fn count(&mut self, tally: Tally) {
        (self.scopes, self.matched, self.found) = (tally.scopes, tally.matched, tally.found);
    }

    /// Adds what was found on a further page.
    pub fn join(&mut self, page: RuleFinds) {
        self.scopes += page.scopes;
        self.matched += page.matched;
        self.found += page.found;
        self.values += page.values;
        self.empty += page.empty;
        self.untyped += page.untyped;
        self.no_value = self.no_value.take().or(page.no_value);
        self.left_out = self.left_out.take().or(page.left_out);
        for (own, more) in self.kinds.iter_mut().zip(page.kinds) {
            match (own, more) {
                (Some((count, _)), Some((more, _))) => *count += more,
                (own @ None, more) => *own = more,
                _ => {}
            }
        }
        self.digest = joined(self.digest, page.digest);
        for (value, text) in page.samples.all {
            if self.distinct.insert(value) {
                self.samples.push(value, text);
            }
        }
        if let Some((value, text)) = page.samples.last
            && self.distinct.insert(value)
        {
            self.samples.push(value, text);
        }
        self.distinct.extend(page.distinct);
    }

    /// Returns the number of different values.
    pub fn distinct(&self) -> usize {
        self.distinct.len()
    }

    /// Returns `true` if another rule found the same values in the same records.
    pub fn agrees(&self, other: &RuleFinds) -> bool {
        let counts = |found: &RuleFinds| (found.values, found.empty, found.untyped, found.digest);
        counts(self) == counts(other)
    }

    /// The first, one from the middle, and the last of the values that differ.
    pub fn samples(&self) -> Vec<&str> {
        self.samples.chosen()
    }

    /// Counts a text by its kind.
    fn kind(&mut self, text: &str) {
        let kind = &mut self.kinds[usize::from(!is_value(text))];
        kind.get_or_insert_with(|| (0, excerpt(text, KEPT))).0 += 1;
    }

    /// Adds a value; `around`: the number of the object it is in.
    fn value(&mut self, around: usize, value: &str) {
        self.values += 1;
        let hash = hash_of(value);
        self.digest = joined(self.digest, hash_of((around, hash)));
        if self.distinct.insert(hash) {
            self.samples.push(hash, excerpt(value, KEPT));
        }
    }
}

/// Returns the finds of every rule on one page, in the order of their numbers.
pub fn on_page(extraction: &Extraction) -> Vec<RuleFinds> {
    let tallies = extraction.tallies();
    let mut found: Vec<RuleFinds> = vec![RuleFinds::default(); tallies.len()];
    found.iter_mut().zip(tallies).for_each(|(found, tally)| found.count(tally));
    for object in extraction.objects() {
        add(&mut found, object, 0);
    }
    for left in siblings_left_out(extraction) {
        if let Some(found) = found.get_mut(left.rule) {
            found.left_out = Some(left);
        }
    }
    found
}

/// Adds an object and those in it. As deep as rules nest, which is bounded.
fn add(found: &mut [RuleFinds], object: Object<'_>, around: usize) {
    let inner = object.index() + 1;
    if object.is_set() {
        object.objects().for_each(|below| add(found, below, inner));
    }
    let Some(rule) = object.rule_number().and_then(|number| found.get_mut(number)) else { return };
    if object.is_set() {
        // The rows of a table whose columns no rule names have no values but their own.
        if object.objects().next().is_some_and(|below| below.rule_number().is_none()) && object.is_record() {
            rule.value(around, &object.text());
        }
        return;
    }
    let value = data::atom(object, Form::Typed);
    if let Data::Untyped(text) = &value {
        rule.untyped += 1;
        rule.no_value.get_or_insert_with(|| excerpt(text, KEPT));
        return;
    }
    match columns::text(&value) {
        text if !text.trim().is_empty() => {
            if matches!(value, Data::Text(_)) {
                rule.kind(&text);
            }
            rule.value(around, &text);
        }
        _ => rule.empty += 1,
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn joined(one: u64, two: u64) -> u64 {
    if two == 0 { one } else { hash_of((one, two)) }
}

/// Values that differ, in order: all of them while they are few, then every second, every fourth…
#[derive(Debug, Default, Clone)]
struct Samples {
    all: Vec<(u64, String)>,
    last: Option<(u64, String)>,
    seen: usize,
    /// One of 2 to the power of this is kept.
    thinned: u32,
}

impl Samples {
    fn push(&mut self, hash: u64, text: String) {
        if self.seen.is_multiple_of(1 << self.thinned) {
            if self.all.len() == MOST {
                let mut index = 0;
                self.all.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.thinned += 1;
            }
            if self.seen.is_multiple_of(1 << self.thinned) {
                self.all.push((hash, text.clone()));
            }
        }
        self.seen += 1;
        self.last = Some((hash, text));
    }

    fn chosen(&self) -> Vec<&str> {
        let Some(((_, first), (last_hash, last))) = self.all.first().zip(self.last.as_ref()) else {
            return Vec::new();
        };
        match self.seen {
            1 => vec![first],
            2 => vec![first, last],
            _ => {
                let between = self.all[1..].iter().filter(|(hash, _)| hash != last_hash);
                let between: Vec<&str> = between.map(|(_, text)| text.as_str()).collect();
                let middle = between.get(between.len() / 2).copied();
                [Some(first.as_str()), middle, Some(last)].into_iter().flatten().collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(values: usize) -> Vec<String> {
        let mut found = RuleFinds::default();
        (0..values).for_each(|value| found.value(value, &format!("{:05}", value / 2)));
        assert_eq!(found.distinct(), values.div_ceil(2));
        found.samples().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn samples_are_from_the_beginning_the_middle_and_the_end() {
        assert!(chosen(0).is_empty());
        assert_eq!(chosen(2), ["00000"]);
        assert_eq!(chosen(4), ["00000", "00001"]);
        assert_eq!(chosen(6), ["00000", "00001", "00002"]);
        assert_eq!(chosen(10), ["00000", "00002", "00004"]);
        for many in [200, 2000, 100_000] {
            let [first, middle, last] = &chosen(many)[..] else { panic!("{many}") };
            assert_eq!((first.as_str(), last.as_str()), ("00000", format!("{:05}", many / 2 - 1).as_str()));
            let middle: usize = middle.parse().unwrap();
            assert!((many / 8..many * 3 / 8).contains(&middle), "{many}: {middle}");
        }
    }

    #[test]
    fn pages_add_up() {
        let page = |values: &[&str]| {
            let mut found = RuleFinds::default();
            values.iter().enumerate().for_each(|(at, value)| found.value(at, value));
            found
        };
        let mut all = page(&["a", "b"]);
        all.join(page(&["b", "c", "c"]));
        assert_eq!((all.values, all.distinct()), (5, 3));
        assert_eq!(all.samples(), ["a", "b", "c"]);
        let mut same = page(&["a", "b"]);
        same.join(page(&["b", "c", "c"]));
        assert!(all.agrees(&same));
        same.join(page(&["d"]));
        all.join(page(&["e"]));
        assert!(!all.agrees(&same));
    }
}
