//! Rules as landmarks: of single fields, and of a whole list in the paper's form.

use std::cell::OnceCell;
use std::sync::Arc;

use windrow_wrapper::values::date;
use windrow_wrapper::{Find, Landmark, Locator, Rule};

use super::{Template, typed};
use crate::feed::body::Body;
use crate::feed::sheet::day_of;
use crate::feed::{FIELDS, How};
use crate::induce::landmark::{self, Sample, Strip};

impl<'p> Template<'_, 'p> {
    /// The locator of a field by the tokens around it, and how many of them it names.
    pub(super) fn landmark(
        &self,
        strips: &Strips<'p>,
        field: usize,
        training: &[usize],
        tests: &[usize],
    ) -> Option<(Locator, usize)> {
        let samples = |entries: &[usize]| -> Vec<Sample<'_, 'p>> {
            entries.iter().filter_map(|&at| self.sample(strips, field, at)).collect()
        };
        let (training, tests) = (samples(training), samples(tests));
        landmark::compose(&training.iter().collect::<Vec<_>>(), &tests.iter().collect::<Vec<_>>())
    }

    /// The tokens of a field's value in an entry.
    fn sample<'t>(&self, strips: &'t Strips<'p>, field: usize, at: usize) -> Option<Sample<'t, 'p>> {
        let found = self.found[field][at].as_ref()?;
        let strip = strips.of(self, at)?;
        let record = self.seen[at].entry.scope.record;
        let scope = (record.first, record.end);
        let place = found.places.first()?;
        match FIELDS[field] {
            "categories" => None,
            "body" => match self.bodies.bodies[at]? {
                Body::Element(id) => strip.content(scope, id),
                Body::Run { first, end } => strip.sample(scope, (first, end)),
            },
            _ if found.how == How::Heading || place.part.is_some() => None,
            _ => match &place.attribute {
                Some(name) => strip.attribute(scope, place.node, name),
                None => {
                    // What it says to machines is not between tokens.
                    let sheet = self.seen[at].sheet;
                    let told = sheet.document.attr(place.node, "datetime");
                    let told = told.and_then(|told| date::parse(told, &sheet.hints)).and_then(day_of);
                    let said = date::parse(sheet.reading.of(place.node), &sheet.hints).and_then(day_of);
                    if told.is_some() && said != told { None } else { strip.texts(scope, place.node) }
                }
            },
        }
    }

    /// The list in the paper's form: all rules are landmarks, and a record begins with its first field. What stands in
    /// front of that, a heading for several entries, cannot be said so.
    pub(super) fn tokens_alone(&self, strips: &Strips<'p>, known: &[usize]) -> Option<Rule> {
        // The date may come first, if all entries have one that is known.
        let dated = (0..self.seen.len()).all(|at| self.sample(strips, 2, at).is_some());
        let first = if dated { [2, 0].as_slice() } else { [0].as_slice() };
        let lists = first.iter().filter_map(|&first| self.begin_with(strips, first, known));
        lists.max_by_key(|list| list.rules.len())
    }

    /// The list of records that begin with this field.
    fn begin_with(&self, strips: &Strips<'p>, first: usize, known: &[usize]) -> Option<Rule> {
        let head = |at: usize| {
            let record = self.seen[at].entry.scope.record;
            let title = || strips.of(self, at)?.texts((record.first, record.end), self.seen[at].entry.head);
            if first == 0 { title() } else { self.sample(strips, first, at) }
        };
        let heads: Vec<Sample<'_, 'p>> = (0..self.seen.len()).map(head).collect::<Option<_>>()?;
        let (start, scopes) = landmark::each(&heads.iter().collect::<Vec<_>>())?;
        let mut list = Rule::list("entries", Locator::new(Find::Landmark(Landmark::Each(start.as_str().into()))));
        let mut fields: Vec<(usize, Rule)> = Vec::new();
        for (field, name) in FIELDS.iter().enumerate().take(4) {
            let samples: Vec<Sample<'_, 'p>> = known
                .iter()
                .filter_map(|&at| match field == first {
                    true => heads[at].clone().within(scopes[at].clone()),
                    false => self.sample(strips, field, at)?.within(scopes[at].clone()),
                })
                .collect();
            if samples.len() * 2 < known.len() {
                continue;
            }
            let Some((mut locator, _)) = landmark::compose(&samples.iter().collect::<Vec<_>>(), &[]) else { continue };
            if let (true, Find::Landmark(Landmark::Between { start: own, .. })) = (field == first, &mut locator.find) {
                *own = start.as_str().into();
            }
            // The record begins with its first field, though a tag in front of it may be another's value.
            let position = if field == first { 0 } else { samples.first().map_or(0, Sample::position) };
            fields.push((position, Rule::field(*name, locator).typed(typed(name)).optional()));
        }
        // In the order of the page.
        fields.sort_by_key(|field| field.0);
        list.rules = fields.into_iter().map(|field| field.1).collect();
        Some(list).filter(|list| !list.rules.is_empty())
    }
}

/// The pages of a template as tokens; each is cut when it is needed.
pub(super) struct Strips<'p> {
    /// Authors and categories of the entries.
    values: Vec<String>,
    strips: Vec<(usize, OnceCell<Strip<'p>>)>,
}

impl<'p> Strips<'p> {
    pub(super) fn new(template: &Template<'_, 'p>) -> Strips<'p> {
        let mut strips: Vec<(usize, OnceCell<Strip<'p>>)> = Vec::new();
        for page in &template.pages {
            let key = Arc::as_ptr(page) as usize;
            if !strips.iter().any(|strip| strip.0 == key) {
                strips.push((key, OnceCell::new()));
            }
        }
        let wanted = || template.seen.iter().filter_map(|seen| seen.wanted);
        let mut values: Vec<String> =
            wanted().flat_map(|wanted| wanted.authors.iter().chain(&wanted.categories)).cloned().collect();
        values.retain(|value| !value.is_empty());
        values.sort_unstable();
        values.dedup();
        Strips { values, strips }
    }

    fn of(&self, template: &Template<'_, 'p>, at: usize) -> Option<&Strip<'p>> {
        let key = Arc::as_ptr(template.pages[at]) as usize;
        let strip = self.strips.iter().find(|strip| strip.0 == key)?;
        Some(strip.1.get_or_init(|| Strip::new(template.seen[at].sheet.document, self.values.clone())))
    }
}
