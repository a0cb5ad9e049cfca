//! What rules find, run by the executor, held against what is known of the entries.

use std::sync::Arc;

use windrow_wrapper::values::date;
use windrow_wrapper::{Extraction, Extractor, Find, Landmark, Locator, Object, Rule, Value, Wrapper};
use windrow_xpath::Node;

use super::Template;
use crate::feed::sheet::day_of;
use crate::feed::words;
use crate::feed::{FIELDS, PageKind};

/// What a list gives of the entries that it was run on.
#[derive(Default)]
struct Outcome {
    /// Entries whose record was found.
    records: usize,
    /// By field: entries that have any value.
    given: [usize; FIELDS.len()],
    /// By field: entries that have the right one.
    right: [usize; FIELDS.len()],
}

impl Template<'_, '_> {
    /// How many of these entries each locator gives right; none for fields without one.
    pub(super) fn scores(&self, locators: &[Option<Locator>], entries: &[usize]) -> Vec<Option<usize>> {
        let outcome = self.list(locators.to_vec(), false).map(|list| self.run_on(&list, entries)).unwrap_or_default();
        locators.iter().zip(outcome.right).map(|(locator, right)| locator.as_ref().map(|_| right)).collect()
    }

    /// Runs a list on the pages of these entries.
    fn run_on(&self, list: &Rule, entries: &[usize]) -> Outcome {
        let mut outcome = Outcome::default();
        let wrapper = Wrapper { rules: vec![list.clone()], ..Wrapper::default() };
        let Ok(extractor) = Extractor::new(&wrapper) else { return outcome };
        // Entries of one page stand together.
        let mut last: Option<(usize, Extraction)> = None;
        for &at in entries {
            let page = Arc::as_ptr(self.pages[at]) as usize;
            if last.as_ref().is_none_or(|last| last.0 != page) {
                last = Some((page, extractor.extract(Arc::clone(self.pages[at]))));
            }
            let Some((_, extraction)) = &last else { continue };
            let first = self.seen[at].entry.scope.record.first;
            let is_own = |record: &Object<'_>| self.kind == PageKind::Entry || record.node() == Some(Node::node(first));
            let Some(record) = extraction.objects().find(is_own) else { continue };
            outcome.records += 1;
            for (field, name) in FIELDS.iter().enumerate().filter(|(field, _)| self.found[*field][at].is_some()) {
                outcome.given[field] += usize::from(record.objects().any(|object| object.label() == *name));
                outcome.right[field] += usize::from(self.is_right(field, at, record));
            }
        }
        outcome
    }

    /// Whether a list that was learned elsewhere finds most of the entries that are known here.
    pub(in crate::feed) fn fits(&self, list: &Rule) -> bool {
        let known = self.known();
        self.run_on(list, &known).records * 2 >= known.len()
    }

    /// Adds to the rules of a list that fits what it does not find here.
    pub(in crate::feed) fn improve(&self, list: &mut Rule) {
        let known = self.known();
        let given = self.run_on(list, &known).given;
        let has = |field: usize| known.iter().any(|&at| self.found[field][at].is_some());
        // What finds another value here would come first: only where it finds nothing is there room.
        let silent: Vec<usize> = (0..FIELDS.len()).filter(|&field| given[field] == 0 && has(field)).collect();
        if silent.is_empty() {
            return;
        }
        let mut own = self.xpaths(&known);
        for field in silent {
            let Some(rule) = list.rules.iter_mut().find(|rule| &*rule.name == FIELDS[field]) else { continue };
            let Some(locator) = own[field].take() else { continue };
            let mut cases = match &rule.locator.find {
                Find::Case(cases) if rule.locator == Locator::new(Find::Case(cases.clone())) => cases.clone(),
                _ => vec![rule.locator.clone()],
            };
            cases.push(locator);
            rule.locator = Locator::new(Find::Case(cases));
        }
    }

    /// Whether a record has the field that its entry has.
    fn is_right(&self, field: usize, at: usize, record: Object<'_>) -> bool {
        let document = self.seen[at].sheet.document;
        let mut values = record.objects().filter(|object| object.label() == FIELDS[field]);
        let Some(found) = &self.found[field][at] else { return false };
        match FIELDS[field] {
            "body" => {
                let sheet = self.seen[at].sheet;
                let Some(body) = self.bodies.bodies[at] else { return false };
                let (first, end) = body.range(document);
                let own = sheet.words_in(first, end);
                let Some(value) = values.next() else { return false };
                let words = words::hashes(&value.text());
                sheet.words[own].iter().map(|word| word.hash).eq(words)
            }
            "categories" => {
                values.map(|value| value.text().into_owned()).eq(found.places.iter().map(|place| place.text(document)))
            }
            "date" => {
                let wanted = self.seen[at].wanted.filter(|wanted| wanted.date.is_some());
                let date = match values.next().map(|value| value.value()) {
                    Some(Value::Date(date)) => date,
                    _ => return false,
                };
                match wanted {
                    Some(wanted) => wanted.is_date(date).is_some(),
                    None => found.places.first().is_some_and(|place| {
                        let own = date::parse(&place.text(document), &self.seen[at].sheet.hints);
                        own.and_then(day_of) == day_of(date)
                    }),
                }
            }
            _ => {
                let Some(place) = found.places.first() else { return false };
                values.next().is_some_and(|value| match &place.attribute {
                    Some(name) => document.attr(place.node, name).is_some_and(|own| own.trim() == value.raw().trim()),
                    None => value.text() == place.text(document),
                })
            }
        }
    }
}

/// How much there is to read in a locator.
pub(super) fn steps(locator: &Locator) -> usize {
    if let Some(then) = &locator.then {
        return steps(then) + steps(&Locator { then: None, ..locator.clone() });
    }
    match &locator.find {
        Find::Case(cases) => cases.first().map_or(0, steps),
        Find::XPath(text) | Find::Css(text) | Find::Expression(text) => {
            let steps = text.split([' ', '/', '>']).filter(|step| !step.is_empty()).count();
            steps + usize::from(locator.slice.is_some()) + text.matches("nth-").count()
        }
        Find::Landmark(Landmark::Between { .. }) => usize::MAX,
        _ => 1,
    }
}
