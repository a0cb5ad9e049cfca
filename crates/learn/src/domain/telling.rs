//! Which roles tell that a thing is of the domain, and not only for sale.
//!
//! A rake has a manufacturer, a price and an availability, as a drug has; nobody would take it for one. What only few of the
//! domains that come along have in common with this one tells; what most of them have does not. Whoever reads pages that
//! are known to be of the domain need not ask; whoever looks for them must.
//!
//! # Cost
//!
//! The domains that come along are read once.

use std::collections::{BTreeMap, HashSet};

use super::file::shipped;
use super::lexicon::folded;
use super::{Domain, Record};

/// Other domains that may have a role, too, for it still to tell: of those that come along, three sell what people eat, take
/// or put on their skin.
const FEW: usize = 2;

/// The roles of a domain by how much they tell.
#[derive(Debug, Clone)]
pub struct Telling {
    /// For each role: how many of the other domains that come along have one of its keywords.
    elsewhere: Vec<usize>,
    title: Option<usize>,
}

impl Telling {
    /// Of a domain.
    pub fn new(domain: &Domain) -> Telling {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let others = shipped().iter().filter(|(name, _)| *name != domain.name);
        for other in others.filter_map(|(name, _)| Domain::shipped(name)) {
            let words = other.roles.iter().flat_map(|role| &role.keywords);
            let words: HashSet<String> = words.map(|word| folded(word)).collect();
            let mut words: Vec<String> = words.into_iter().collect();
            words.sort_unstable();
            words.into_iter().for_each(|word| *known.entry(word).or_default() += 1);
        }
        let most = |keywords: &[String]| keywords.iter().filter_map(|word| known.get(&folded(word))).copied().max();
        let elsewhere = domain.roles.iter().map(|role| most(&role.keywords).unwrap_or_default()).collect();
        Telling { elsewhere, title: domain.title() }
    }

    /// How many other domains have a role like this one.
    pub fn elsewhere(&self, role: usize) -> usize {
        self.elsewhere.get(role).copied().unwrap_or_default()
    }

    /// Whether a record has a role that tells, or its domain has none.
    pub fn has(&self, record: &Record) -> bool {
        let tells = |role: usize| Some(role) != self.title && self.elsewhere(role) <= FEW;
        let none = !(0..self.elsewhere.len()).any(tells);
        none || record.pairs.iter().filter_map(|pair| pair.role).any(tells)
    }
}
