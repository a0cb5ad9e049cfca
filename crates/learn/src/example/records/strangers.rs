//! What is in a set of records and is none of them: cards of another kind, rows of headers, advertisements.
//!
//! # Cost
//!
//! The leaves of each record that is looked at; a sample of the others.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use windrow_dom::{Document, NodeId, names};

use super::{LEAST, Record, Records, Search, WHOLE, alike};
use crate::example::fields::is_kind_of;
use crate::page_view::{By, Leaf};
use crate::scope::Cut;

/// The records of a set, as far as another record is compared with them.
#[derive(Default)]
pub(super) struct Kin<'d> {
    /// The words of their classes; none if a record has no class.
    classes: HashSet<&'d str>,
    /// By field: the key of its place in a record.
    keys: Vec<u64>,
    /// By field: the text of the shown record.
    shown: Vec<Option<&'d str>>,
    /// By record and field: the text, if there is one.
    texts: Vec<Vec<Option<&'d str>>>,
    /// By field: the elements that lead from the shown record to it. None at all if they do not tell a record from another.
    chains: Vec<Vec<NodeId>>,
}

/// Records of a set that another record is compared with, so that the comparison costs the same on long lists.
const SAMPLE: usize = 50;

/// How a record is built: what elements it has, each with its class and those around it, however many of each. What the
/// record itself is called does not count: rows are odd and even.
pub(super) fn build(document: &Document, record: &Record) -> Vec<u64> {
    let mut keys: HashMap<NodeId, u64> = HashMap::new();
    let mut all = Vec::new();
    for index in record.first.index()..record.end.index() {
        let id = NodeId::from_index(index);
        if !document.is_element(id) {
            continue;
        }
        let around = document.parent(id).and_then(|parent| keys.get(&parent));
        let class = document.attr_by_id(id, names::CLASS).filter(|_| id != record.first).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (around, document.name(id), class).hash(&mut hasher);
        let key = hasher.finish();
        keys.insert(id, key);
        all.push(key);
    }
    all.sort_unstable();
    all.dedup();
    all
}

impl Search<'_, '_> {
    /// Collects what the records of a set have in common.
    pub(super) fn kin(&self, set: &Records) -> Kin<'_> {
        let class = |record: &Record| self.document.attr_by_id(record.first, names::CLASS).unwrap_or_default();
        let shown = set.records[set.shown[0]];
        let keys = self.fields.iter().map(|(leaf, _)| self.view.key_below(shown.first, leaf, By::Tag)).collect();
        let mut kin = Kin { keys, ..Kin::default() };
        if set.records.iter().all(|record| !class(record).trim().is_empty()) {
            kin.classes = set.records.iter().flat_map(|record| class(record).split_ascii_whitespace()).collect();
        }
        kin.chains = self.chains(set);
        kin.shown = self.texts(&kin.keys, &shown);
        kin.texts = set.records.iter().take(SAMPLE).map(|record| self.texts(&kin.keys, record)).collect();
        kin
    }

    /// Returns the text that a record has at the place of each field, given by its key. Fields with one key are the first, the second and
    /// so on of its places.
    pub(super) fn texts(&self, keys: &[u64], record: &Record) -> Vec<Option<&str>> {
        let mut texts = vec![None; keys.len()];
        for leaf in self.view.leaves_in(record.first, record.end) {
            let own = self.view.key_below(record.first, leaf, By::Tag);
            if let Some((text, _)) = texts.iter_mut().zip(keys).find(|(text, key)| text.is_none() && **key == own) {
                *text = Some(self.reading.of(leaf.node));
            }
        }
        texts
    }

    /// Leaves out what lacks a field and is built otherwise: a card of another kind that has a heading, too.
    pub(super) fn drop_other_builds(&self, found: &mut Records) {
        if found.cut != Cut::Nodes || found.shares.iter().all(|share| *share > WHOLE) {
            return;
        }
        let chains = self.chains(found);
        if chains.is_empty() {
            return;
        }
        let stays = |(at, (record, share)): (usize, (&Record, &f32))| {
            *share > WHOLE || found.shown.contains(&at) || self.is_built_so(&chains, record)
        };
        let keep: Vec<bool> = found.records.iter().zip(&found.shares).enumerate().map(stays).collect();
        self.keep(found, &keep);
    }

    /// Says whether a record is unlike all those of a set: it has a class, and theirs are others; or it lacks a field, and is
    /// built otherwise, or they all have that field, and what it has at the place of another one is of another kind than theirs.
    pub(super) fn is_stranger(&self, kin: &Kin<'_>, record: &Record) -> bool {
        let words = self.view.words_of(record.first);
        if !kin.classes.is_empty() && !words.is_empty() && !words.iter().any(|word| kin.classes.contains(word)) {
            return true;
        }
        let own = self.texts(&kin.keys, record);
        if !kin.chains.is_empty() && own.contains(&None) && !self.is_built_so(&kin.chains, record) {
            return true;
        }
        let lacks = |at: usize| own[at].is_none() && kin.texts.iter().all(|other| other[at].is_some());
        let is_other = |at: usize| {
            let (Some(own), Some(shown)) = (own[at], kin.shown[at]) else { return false };
            let mut others = kin.texts.iter().filter_map(|other| other[at]);
            !is_kind_of(shown, own) && others.all(|other| is_kind_of(shown, other))
        };
        (0..own.len()).any(lacks) && (0..own.len()).any(is_other)
    }

    /// Returns whether a record of one set holds several records of another that have half of the fields or more: one of these would be lost.
    pub(super) fn holds_several(&self, outer: &Records, inner: &Records) -> bool {
        let mut last = None;
        inner.records.iter().zip(&inner.shares).filter(|(_, share)| **share >= LEAST).any(|(record, _)| {
            let at = outer.records.partition_point(|around| around.first <= record.first).checked_sub(1);
            let at = at.filter(|&at| record.end <= outer.records[at].end);
            let again = at.is_some() && at == last;
            last = at;
            again
        })
    }

    /// By field: the elements that lead from the shown record to it. None at all if they do not tell a record from another:
    /// not each record that has all fields is built so.
    fn chains(&self, set: &Records) -> Vec<Vec<NodeId>> {
        let shown = set.records[set.shown[0]];
        let chain = |(leaf, around): &(Leaf, Vec<NodeId>)| -> Option<Vec<NodeId>> {
            let inside = |id: &NodeId| shown.first < *id;
            let end = around.iter().copied().rfind(inside).unwrap_or(leaf.node);
            let lineage = std::iter::once(end).chain(self.document.ancestors(end)).take_while(|id| *id != shown.first);
            let mut chain: Vec<NodeId> = lineage.filter(|id| self.document.is_element(*id)).collect();
            chain.reverse();
            (inside(&end) && !chain.is_empty()).then_some(chain)
        };
        let chains: Vec<Vec<NodeId>> = self.fields.iter().filter_map(chain).collect();
        let whole = set.records.iter().zip(&set.shares).filter(|(_, share)| **share > WHOLE);
        match whole.take(SAMPLE).all(|(record, _)| self.is_built_so(&chains, record)) {
            true => chains,
            false => Vec::new(),
        }
    }

    /// Whether one of these chains, at least, leads into a record through elements that are like its own.
    fn is_built_so(&self, chains: &[Vec<NodeId>], record: &Record) -> bool {
        let document = self.document;
        chains.iter().any(|chain| {
            let mut at = vec![record.first];
            for &model in chain {
                let like =
                    |id: &NodeId| document.name_id(*id) == document.name_id(model) && alike(document, *id, model);
                at = at.iter().flat_map(|&id| document.children(id)).filter(like).collect();
            }
            !at.is_empty()
        })
    }
}
