//! The rule of a labelled list: where its records are, their fields, and the lists in them.
//!
//! Each field is found by the locator that gives its places and nothing else ([`locate`](super::locate)), then cut to the part that is
//! meant. The records are found by what tells them from their siblings, their fields included ([`record`]).
//!
//! # Cost
//!
//! For each field and list a bounded number of expressions, each tried in a sample of the records.

use windrow_dom::NodeId;
use windrow_wrapper::{Extractor, Find, Locator, Rule, Until, Wrapper};
use windrow_xpath::Expr;

use super::locate::{Finder, attribute};
use super::{Warning, extent, heading, outside, record};
use crate::alignment::Part;
use crate::labels::{Extent, LabelledField, Labels, Place};
use crate::page_view::PageView;
use crate::scope::{Cut, Scope};

/// Records that are looked at to see whether some have fewer of the elements among which a rule counts.
const SAMPLE: usize = 64;

/// Writes the rule of a list.
pub(super) fn rule(view: &PageView<'_>, labels: &Labels, warnings: &mut Vec<Warning>) -> Rule {
    let mut writer = Writer { finder: Finder { view, document: view.document }, warnings: Vec::new() };
    let scopes = labels.scopes();
    let mut list = Rule::list(labels.name.as_str(), Locator::default());
    list.path = labels.path.as_deref().map(Into::into);
    list.rules = writer.rules(&scopes, labels, "");
    let nodes: Vec<NodeId> = labels.records.iter().map(|record| record.first).collect();
    let runs = labels.cut != Cut::Nodes;
    list.locator = record::of_rules(view, &nodes, runs, &list.rules, &labels.without);
    if runs {
        list.locator.until = Some(Until::Next);
    } else if let ([field], []) = (&labels.fields[..], &labels.lists[..])
        && !field.shown.is_empty()
        && list.rules.len() == 1
    {
        // Nothing but its heading tells a list of plain values.
        let is_headed = heading::add(view, &nodes, &mut list.locator);
        let says_all = |(node, place): (&NodeId, &Option<Place>)| {
            let place = place.as_ref().filter(|place| place.attribute.is_none());
            place.is_some_and(|place| *place.text(view.document) == *view.text(*node))
        };
        let is_whole = field.extent == Extent::Part(Part::All) && nodes.iter().zip(&field.places).all(says_all);
        if is_headed && is_whole {
            heading::or_whole(&mut list.rules[0]);
        }
    }
    warnings.append(&mut writer.warnings);
    if record::is_one_by_one(&list.locator) {
        warnings.push(Warning::OneByOne { records: nodes.len() });
    }
    drop_unreadable(&mut list, warnings);
    list
}

/// Drops fields whose rules cannot be read: they must not take the others with them.
fn drop_unreadable(list: &mut Rule, warnings: &mut Vec<Warning>) {
    let is_readable = |rules: Vec<Rule>| {
        let list = Rule { rules, ..list.clone() };
        Extractor::new(&Wrapper { rules: vec![list], ..Wrapper::default() }).is_ok()
    };
    if is_readable(list.rules.clone()) {
        return;
    }
    let (kept, dropped): (Vec<Rule>, Vec<Rule>) =
        list.rules.iter().cloned().partition(|rule| is_readable(vec![rule.clone()]));
    list.rules = kept;
    warnings.extend(dropped.iter().map(|rule| Warning::NoRule { field: rule.name.to_string() }));
}

struct Writer<'o, 'd> {
    finder: Finder<'o, 'd>,
    warnings: Vec<Warning>,
}

impl Writer<'_, '_> {
    /// The rules of the fields of records, then of the lists in them. `within`: the names of the lists around, each with a dot behind it.
    fn rules(&mut self, scopes: &[Scope], labels: &Labels, within: &str) -> Vec<Rule> {
        let mut rules = Vec::new();
        for field in &labels.fields {
            let name = || format!("{within}{}", field.name);
            match self.field(scopes, field) {
                None => self.warnings.push(Warning::NoRule { field: name() }),
                Some(rule) => {
                    let without = match rule.optional && is_positional(&rule.locator) {
                        true => Some(field.first_without().unwrap_or_default()),
                        false => self.first_with_fewer(scopes, &rule.locator),
                    };
                    if let Some(without) = without {
                        let without = scopes[without].record.first;
                        self.warnings.push(Warning::Positional { field: name(), without });
                    }
                    rules.push(rule);
                }
            }
        }
        for list in &labels.lists {
            match self.inner(scopes, list, within) {
                None => self.warnings.push(Warning::NoRule { field: format!("{within}{}", list.name) }),
                Some(rule) => rules.push(rule),
            }
        }
        rules
    }

    fn field(&self, scopes: &[Scope], field: &LabelledField) -> Option<Rule> {
        if let Extent::Depth { around } = field.extent {
            let depth = extent::depth(&self.finder, around, scopes.first()?.record.first)?;
            return Some(Rule::field(field.name.as_str(), Locator::xpath(depth)).typed(field.ty));
        }
        let nodes = field.nodes();
        let is_outside = |(node, scope): (&Option<NodeId>, &Scope)| node.is_some_and(|node| !scope.contains(node));
        let shown = field.shown.first().copied();
        let surest = shown.or_else(|| nodes.iter().position(Option::is_some))?;
        let covers = shown.and_then(|shown| nodes[shown]).is_some_and(|node| outside::covers_rows(&self.finder, node));
        let mut locator = match covers || nodes.iter().zip(scopes).any(is_outside) {
            true => outside::locator(&self.finder, scopes, &nodes, surest)?,
            false => self.finder.field_by(scopes, &nodes, &field.shown, field.told.as_deref())?,
        };
        locator = match &field.extent {
            Extent::Part(part) => {
                let element = nodes[surest].and_then(|node| self.finder.document.name(node));
                extent::part_of(locator, part, element)
            }
            Extent::Cut(cutting) => cutting.of(locator),
            Extent::Depth { .. } => locator,
        };
        if let Some(name) = field.places[surest].as_ref().and_then(|place| place.attribute.as_deref()) {
            locator = attribute(&locator, name);
        }
        if let Some(test) = &field.test {
            locator = tested(locator, test);
        }
        let rule = Rule::field(field.name.as_str(), locator).typed(field.ty);
        let path = field.path.as_deref().map(Into::into);
        Some(Rule { optional: field.filled < scopes.len(), path, ..rule })
    }

    /// The first record that has fewer elements of those that a field is counted among than others have: what it lacks may be the field,
    /// and then it has the value of another.
    fn first_with_fewer(&self, scopes: &[Scope], locator: &Locator) -> Option<usize> {
        let (Find::Css(selector), Some(_)) = (&locator.find, &locator.slice) else { return None };
        let expr = Expr::css(selector).ok()?;
        let mut around = None;
        let step = (scopes.len() / SAMPLE).max(1);
        let counts: Vec<(usize, usize)> = (0..scopes.len())
            .step_by(step)
            .map(|at| (self.finder.find(scopes[at], &expr, &mut around).len(), at))
            .collect();
        let most = counts.iter().map(|count| count.0).max()?;
        counts.iter().filter(|count| count.0 < most).min().map(|count| count.1)
    }

    /// The rule of a list in each record.
    fn inner(&mut self, scopes: &[Scope], list: &Labels, within: &str) -> Option<Rule> {
        let mut wanted: Vec<Vec<NodeId>> = vec![Vec::new(); scopes.len()];
        for (record, &around) in list.records.iter().zip(&list.within) {
            wanted[around].push(record.first);
        }
        let locator = self.finder.list(scopes, &wanted)?;
        let mut rule = Rule::list(list.name.as_str(), locator).optional();
        rule.path = list.path.as_deref().map(Into::into);
        rule.ty = list.ty;
        if list.cut != Cut::Nodes {
            rule.locator.until = Some(Until::Next);
        }
        let is_of_values = list.fields.is_empty() && list.lists.is_empty();
        rule.rules = self.rules(&list.scopes(), list, &format!("{within}{}.", list.name));
        (is_of_values || !rule.rules.is_empty()).then_some(rule)
    }
}

/// Returns whether a locator goes by the number of a node among its like.
pub fn is_positional(locator: &Locator) -> bool {
    let is_number = |part: &str| part.split_once(']').is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    match &locator.find {
        Find::XPath(path) => path.split('[').skip(1).any(is_number) && !path.contains("normalize-space()"),
        _ => locator.slice.is_some(),
    }
}

/// Adds a test to the text that a locator finds, if it has none yet.
fn tested(locator: Locator, test: &str) -> Locator {
    match locator.then {
        _ if locator.matches.is_some() => locator,
        Some(then) => Locator { then: Some(Box::new(Locator { matches: Some(test.into()), ..*then })), ..locator },
        None => Locator { matches: Some(test.into()), ..locator },
    }
}

/// Makes one list of two that were learned on pages of one kind: what differs stands side by side, and what only one of them has may be
/// missing.
pub(super) fn merge(list: &mut Rule, more: Rule) {
    list.locator = either(&list.locator, &more.locator);
    for rule in more.rules {
        match list.rules.iter_mut().find(|own| own.name == rule.name) {
            Some(own) => {
                own.locator = either(&own.locator, &rule.locator);
                own.optional |= rule.optional;
            }
            None => list.rules.push(rule.optional()),
        }
    }
}

/// The locator of what one of two locators finds, the first before the other.
fn either(one: &Locator, other: &Locator) -> Locator {
    let cases = |locator: &Locator| match &locator.find {
        Find::Case(cases) if *locator == Locator::new(Find::Case(cases.clone())) => cases.clone(),
        _ => vec![Locator { until: None, ..locator.clone() }],
    };
    let mut all = cases(one);
    for case in cases(other) {
        if !all.contains(&case) {
            all.push(case);
        }
    }
    match all.len() {
        1 => one.clone(),
        _ => Locator { until: one.until.clone(), ..Locator::new(Find::Case(all)) },
    }
}
