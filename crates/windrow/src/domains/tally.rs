//! The finds of a domain's words on pages, counted: role by role, and the pages by class.
//!
//! Pages are counted, not values: a price in each of twenty records of one page says no more about the word than one.

use std::collections::BTreeMap;

use crate::learn::domain::{Class, Domain, Evidence, Pair, Reading, Unknown};

/// Counts over pages.
#[derive(Debug, Default)]
pub struct DomainTally {
    /// Number of pages.
    pub pages: usize,
    /// Number of pages of each class.
    pub classes: [usize; CLASSES.len()],
    /// Number of records.
    pub records: usize,
    /// The names of pages without a record.
    pub empty: Vec<String>,
    /// One for each role of the domain.
    pub roles: Vec<RoleTally>,
    /// Labels that no role has, case aside.
    proposals: BTreeMap<String, Proposal>,
}

/// Examples that are kept of what an unknown label labels.
const EXAMPLES: usize = 3;

/// A label that looks as those of the domain do, and belongs to no role.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// As pages write it.
    pub label: String,
    /// The role that it may be meant for.
    pub role: Option<usize>,
    /// Number of pages that have it.
    pub pages: usize,
    /// Values that it labels there.
    pub examples: Vec<String>,
}

/// The classes, in the order of [`DomainTally::classes`].
pub const CLASSES: [Class; 3] = [Class::DataRich, Class::LinkOffer, Class::Neither];

/// Ways to a value, in the order of [`RoleTally::ways`].
pub const WAYS: [&str; 5] = ["label", "phrase", "name", "structured", "title"];

/// Counts of one role.
#[derive(Debug, Default, Clone)]
pub struct RoleTally {
    /// Number of pages with a value.
    pub pages: usize,
    /// Number of pages with one by a label, only by its wording, only by the name of an element, only in structured data, as the title.
    pub ways: [usize; WAYS.len()],
    /// The labels as pages write them, case aside: how many have each.
    labels: BTreeMap<String, (String, usize)>,
    /// Number of pages whose structured data says something else.
    pub conflicts: usize,
}

impl RoleTally {
    /// The labels and their pages, the most frequent first.
    pub fn labels(&self) -> Vec<(&str, usize)> {
        let mut labels: Vec<(&str, usize)> =
            self.labels.values().map(|(text, count)| (text.as_str(), *count)).collect();
        labels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        labels
    }
}

impl DomainTally {
    /// Nothing counted yet.
    pub fn new(domain: &Domain) -> DomainTally {
        DomainTally { roles: vec![RoleTally::default(); domain.roles.len()], ..DomainTally::default() }
    }

    /// Counts a page, with the labels on it that no role has.
    pub fn add(&mut self, page: &str, reading: &Reading, unknown: Vec<Unknown>) {
        self.propose(unknown);
        self.pages += 1;
        self.records += reading.records.len();
        if reading.records.is_empty() {
            self.empty.push(page.to_owned());
        }
        if let Some(class) = CLASSES.iter().position(|class| *class == reading.class) {
            self.classes[class] += 1;
        }
        let mut found: BTreeMap<usize, RoleFinds> = BTreeMap::new();
        reading.records.iter().for_each(|record| gather(&record.pairs, &mut found));
        for (role, found) in found {
            let Some(tally) = self.roles.get_mut(role) else { continue };
            tally.pages += 1;
            tally.ways[found.way] += 1;
            for (key, text) in found.labels {
                let (shown, count) = tally.labels.entry(key).or_insert_with(|| (text.clone(), 0));
                // One spelling for all, whichever page is counted first.
                if text < *shown {
                    *shown = text;
                }
                *count += 1;
            }
        }
        let mut conflicts: Vec<usize> = reading.conflicts.iter().map(|conflict| conflict.role).collect();
        conflicts.sort_unstable();
        conflicts.dedup();
        for role in conflicts {
            if let Some(tally) = self.roles.get_mut(role) {
                tally.conflicts += 1;
            }
        }
    }
}

impl DomainTally {
    fn propose(&mut self, unknown: Vec<Unknown>) {
        // A page may write a label in two ways.
        let mut seen: Vec<String> = Vec::new();
        for Unknown { label, value, near, .. } in unknown {
            let key = label.to_lowercase();
            let first = Proposal { label: label.clone(), role: near, pages: 0, examples: Vec::new() };
            let proposal = self.proposals.entry(key.clone()).or_insert(first);
            if !seen.contains(&key) {
                proposal.pages += 1;
                seen.push(key);
            }
            if label < proposal.label {
                proposal.label = label;
            }
            // The first in the order of letters: threads count pages in any order.
            if let Err(at) = proposal.examples.binary_search(&value)
                && at < EXAMPLES
            {
                proposal.examples.insert(at, value);
                proposal.examples.truncate(EXAMPLES);
            }
        }
    }

    /// Labels that no role has, the most frequent first.
    pub fn proposals(&self) -> Vec<&Proposal> {
        let mut proposals: Vec<&Proposal> = self.proposals.values().collect();
        proposals.sort_by_key(|proposal| std::cmp::Reverse(proposal.pages));
        proposals
    }
}

/// The values of a role on one page.
struct RoleFinds {
    /// The best way to a value of it.
    way: usize,
    labels: BTreeMap<String, String>,
}

/// As deep as roles nest, which is bounded.
fn gather(pairs: &[Pair], found: &mut BTreeMap<usize, RoleFinds>) {
    for pair in pairs {
        pair.inner.iter().for_each(|inner| gather(inner, found));
        let Some(role) = pair.role else { continue };
        let way = match pair.evidence {
            Evidence::Label(_) => 0,
            Evidence::Phrase => 1,
            Evidence::Name => 2,
            Evidence::Said(_) => 3,
            Evidence::Title => 4,
        };
        let found = found.entry(role).or_insert(RoleFinds { way, labels: BTreeMap::new() });
        found.way = found.way.min(way);
        if let Some(label) = &pair.label {
            found.labels.entry(label.text.to_lowercase()).or_insert_with(|| label.text.clone());
        }
    }
}

/// A role's name behind those of the roles around it: `maker.address`.
pub fn full_name(domain: &Domain, role: usize) -> String {
    let mut names = Vec::new();
    let mut at = Some(role);
    // A role stands behind the one around it, so the way up ends; a hand-made domain may not keep to that.
    while let Some(role) = at.and_then(|at| domain.roles.get(at)).filter(|_| names.len() < domain.roles.len()) {
        names.push(role.name.as_str());
        at = role.within;
    }
    names.reverse();
    names.join(".")
}
