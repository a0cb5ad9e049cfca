//! Where the known records are on the new page: the nodes, or runs of siblings, that each hold one of them.
//!
//! Each trace of a record counts for all elements around it. An element is a record's if nearly all that counts there is
//! this record's. The elements that are so, from where most of a record's values are together up to where its neighbours
//! begin, each vote for their path by tags; the highest path that nearly all records agree on is where records are.
//! What stands there beside those that were found again may be a new record, or none: the fields will tell.
//!
//! Where the values of a record stand in several siblings, the record is a run of them.
//!
//! # Cost
//!
//! Traces times depth, and a sort of that.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::NodeId;

use super::clues::Traces;
use super::sheet::Sheet;
use crate::scope::{Cut, Record, Scope};

/// The share of what counts at an element that makes it a record's.
const OWN: f32 = 0.75;
/// The share of a record's best place that makes an element a place of it.
const NEAR: f32 = 0.7;
/// The share of the best path's votes that makes a path good.
const GOOD: f32 = 0.9;
/// The share of a record's worth that must be found in a place for it to be this record.
const ENOUGH: f32 = 0.2;
/// How far up a record is looked for from where its own values are, and how much more must be found there.
const UP: usize = 4;
const MORE: f32 = 1.3;
/// Further parts of a list, and what a record of one must have of what the others have.
const PARTS: usize = 3;
const PART: f32 = 0.6;
/// How much better runs must be than nodes.
const RUNS: f32 = 1.15;

/// Where the records of a list are.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub(super) cut: Cut,
    /// In the order of the page: those that were found again, and those that stand like them.
    pub(super) scopes: Vec<Scope>,
    /// By scope: the number of the known record that is there.
    pub(super) known: Vec<Option<usize>>,
    /// What was found of them.
    pub(super) weight: f32,
}

impl Region {
    /// How many known records are there.
    pub(super) fn matched(&self) -> usize {
        self.known.iter().flatten().count()
    }
}

/// What of a record is at an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) node: NodeId,
    pub(super) record: u32,
    pub(super) weight: f32,
}

/// The best place for the records, if values of any are on the page. `before`: what they were.
pub(super) fn find(sheet: &Sheet<'_>, traces: &Traces, before: Cut) -> Option<Region> {
    let own = owned(sheet, traces, &|_| NodeId::ROOT);
    let nodes = nodes(sheet, traces, &own);
    let runs = runs(sheet, traces, &own);
    let better = if before == Cut::Nodes { RUNS } else { 1.0 / RUNS };
    match (nodes, runs) {
        (Some(nodes), Some(runs)) if runs.weight > nodes.weight * better => Some(runs),
        (nodes, runs) => nodes.or(runs),
    }
}

/// The elements below the node that `below` gives for a record, and that are this record's, in the order of records and nodes.
pub(super) fn owned(sheet: &Sheet<'_>, traces: &Traces, below: &dyn Fn(u32) -> NodeId) -> Vec<Held> {
    let document = sheet.document;
    let mut entries: Vec<(NodeId, u32, u32, f32)> = Vec::new();
    for trace in &traces.all {
        let around = std::iter::once(trace.node).chain(document.ancestors(trace.node));
        let below = below(trace.record);
        for node in around.take_while(|&node| node > below) {
            entries.push((node, trace.record, trace.field, trace.weight));
        }
    }
    entries.sort_unstable_by_key(|entry| (entry.0, entry.1, entry.2));
    entries.dedup_by_key(|entry| (entry.0, entry.1, entry.2));
    let mut held: Vec<Held> = Vec::new();
    for (node, record, _, weight) in entries {
        match held.last_mut() {
            Some(last) if last.node == node && last.record == record => last.weight += weight,
            _ => held.push(Held { node, record, weight }),
        }
    }
    let mut own = Vec::with_capacity(held.len());
    for at_node in held.chunk_by(|one, two| one.node == two.node) {
        let total: f32 = at_node.iter().map(|held| held.weight).sum();
        own.extend(at_node.iter().filter(|held| held.weight >= OWN * total).copied());
    }
    own.sort_unstable_by_key(|held| (held.record, held.node));
    own
}

/// A path, and what speaks for it.
struct Vote {
    path: u64,
    record: u32,
    weight: f32,
    depth: usize,
    node: NodeId,
}

/// Records that are one node each.
fn nodes(sheet: &Sheet<'_>, traces: &Traces, own: &[Held]) -> Option<Region> {
    let document = sheet.document;
    let mut votes: Vec<Vote> = Vec::new();
    for places in own.chunk_by(|one, two| one.record == two.record) {
        let most = places.iter().map(|held| held.weight).fold(0.0, f32::max);
        for held in places.iter().filter(|held| held.weight >= NEAR * most && document.is_element(held.node)) {
            let path = sheet.view.node_keys_below(NodeId::ROOT, held.node)[1];
            let depth = document.ancestors(held.node).count();
            votes.push(Vote { path, record: held.record, weight: held.weight, depth, node: held.node });
        }
    }
    votes.sort_by(|one, two| {
        (one.path, one.record).cmp(&(two.path, two.record)).then(two.weight.total_cmp(&one.weight))
    });
    votes.dedup_by_key(|vote| (vote.path, vote.record));
    let mut used: Vec<u64> = vec![elected(&votes, &|_| true)?];
    let path = |id: NodeId| sheet.view.node_keys_below(NodeId::ROOT, id)[1];
    let like = |used: &[u64]| {
        let like = document.nodes().filter(|&id| {
            document.is_element(id)
                && used.contains(&sheet.view.node_keys_below(NodeId::ROOT, id)[1])
                && (sheet.view.has_content(id) || !traces.within(id, document.subtree_end(id)).is_empty())
        });
        let scopes: Vec<Scope> = like.map(|id| Scope::node(document, id)).collect();
        assign(traces, Cut::Nodes, scopes)
    };
    let mut region = like(&used);
    // Records that have much in common do not own what is around them, only what sets them apart: more of each of them
    // may be further up.
    let firsts = |region: &Region| -> Vec<NodeId> {
        let known = region.scopes.iter().zip(&region.known).filter(|(_, known)| known.is_some());
        known.map(|(scope, _)| scope.record.first).collect()
    };
    let mut nodes = firsts(&region);
    for _ in 0..UP {
        let around = nodes.iter().filter_map(|&node| document.parent(node)).filter(|&id| document.is_element(id));
        let mut around: Vec<u64> = around.map(path).collect();
        around.sort_unstable();
        let usual = around.chunk_by(|one, two| one == two).max_by_key(|group| group.len());
        let Some(up) = usual.map(|group| group[0]) else { break };
        let wider = like(&[up]);
        if wider.matched() * 10 < region.matched() * 9 {
            break;
        }
        nodes = firsts(&wider);
        if wider.weight > MORE * region.weight {
            (used, region) = (vec![up], wider);
        }
    }
    // A list may be in several parts of the page that are not alike around it.
    for _ in 0..PARTS {
        let mut found: Vec<usize> = region.known.iter().flatten().copied().collect();
        found.sort_unstable();
        let left = |record: u32| found.binary_search(&(record as usize)).is_err();
        let Some(path) = elected(&votes, &left).filter(|path| !used.contains(path)) else { break };
        used.push(path);
        let more = like(&used);
        let (count, before) = (more.matched() - region.matched().min(more.matched()), region.matched());
        let nested = more.scopes.windows(2).any(|pair| pair[0].record.end > pair[1].record.first);
        // What is found of them must be as much of what is known of them as it is of the others.
        let known = |region: &Region| region.known.iter().flatten().map(|&record| traces.worth[record]).sum::<f32>();
        let (before_worth, worth) = (known(&region), known(&more));
        let gain = (more.weight - region.weight) / (worth - before_worth).max(1e-6);
        if nested || count < 2 || count * 10 < before || gain < PART * region.weight / before_worth.max(1e-6) {
            break;
        }
        region = more;
    }
    Some(region)
}

/// The path that most records stand at, or the highest of those that are nearly as good; among these records.
fn elected(votes: &[Vote], among: &dyn Fn(u32) -> bool) -> Option<u64> {
    let mut paths: Vec<(f32, usize, NodeId, u64)> = votes
        .chunk_by(|one, two| one.path == two.path)
        .filter_map(|votes| {
            let own = || votes.iter().filter(|vote| among(vote.record));
            let first = own().map(|vote| vote.node).min()?;
            Some((own().map(|vote| vote.weight).sum(), votes[0].depth, first, votes[0].path))
        })
        .collect();
    let most = paths.iter().map(|path| path.0).fold(0.0, f32::max);
    paths.retain(|path| path.0 >= GOOD * most);
    paths.iter().min_by_key(|path| (path.1, path.2)).map(|path| path.3)
}

/// Records that are runs of siblings.
fn runs(sheet: &Sheet<'_>, traces: &Traces, own: &[Held]) -> Option<Region> {
    let document = sheet.document;
    let mut starts: Vec<(u64, u64, NodeId)> = Vec::new();
    for places in own.chunk_by(|one, two| one.record == two.record) {
        let is_own = |id: NodeId| places.binary_search_by_key(&id, |held| held.node).is_ok();
        // The highest elements that are this record's, by what holds them.
        let mut tops: Vec<(NodeId, NodeId, f32)> = places
            .iter()
            .filter_map(|held| Some((document.parent(held.node)?, held.node, held.weight)))
            .filter(|top| !is_own(top.0))
            .collect();
        tops.sort_by_key(|top| (top.0, top.1));
        let best = tops.chunk_by(|one, two| one.0 == two.0).max_by(|one, two| {
            let sum = |tops: &[(NodeId, NodeId, f32)]| tops.iter().map(|top| top.2).sum::<f32>();
            sum(one).total_cmp(&sum(two)).then(two[0].0.cmp(&one[0].0))
        });
        if let Some([first, _, ..]) = best {
            let path = sheet.view.node_keys_below(NodeId::ROOT, first.0)[1];
            starts.push((path, sheet.view.step(first.1), first.1));
        }
    }
    starts.sort_unstable();
    let usual = starts.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)).max_by_key(|group| group.len())?;
    let &[(path, step, _), _, ..] = usual else { return None };
    let mut scopes: Vec<Scope> = Vec::new();
    let parents = document
        .nodes()
        .filter(|&id| document.is_element(id) && sheet.view.node_keys_below(NodeId::ROOT, id)[1] == path);
    for parent in parents {
        let like: Vec<NodeId> =
            document.children(parent).filter(|&id| !document_blank(sheet, id) && sheet.view.step(id) == step).collect();
        for (at, &first) in like.iter().enumerate() {
            let end = like.get(at + 1).copied().unwrap_or(document.subtree_end(parent));
            scopes.push(Scope { record: Record { first, end }, run: true });
        }
    }
    scopes.sort_by_key(|scope| scope.record.first);
    Some(assign(traces, Cut::Starts, scopes))
}

fn document_blank(sheet: &Sheet<'_>, id: NodeId) -> bool {
    sheet.document.is_text(id) && sheet.document.text(id).trim().is_empty()
}

/// Which known record is in which scope: one in each, the surest first.
pub(super) fn assign(traces: &Traces, cut: Cut, scopes: Vec<Scope>) -> Region {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (number, scope) in scopes.iter().enumerate() {
        let mut here: Vec<(u32, u32, f32)> = traces
            .within(scope.record.first, scope.record.end)
            .iter()
            .map(|trace| (trace.record, trace.field, trace.weight))
            .collect();
        here.sort_unstable_by_key(|trace| (trace.0, trace.1));
        here.dedup_by_key(|trace| (trace.0, trace.1));
        for own in here.chunk_by(|one, two| one.0 == two.0) {
            let weight: f32 = own.iter().map(|trace| trace.2).sum();
            let record = own[0].0 as usize;
            if weight >= ENOUGH * traces.worth[record] {
                pairs.push((weight, number, record));
            }
        }
    }
    pairs.sort_by(|one, two| two.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(two.1, two.2))));
    let mut known = vec![None; scopes.len()];
    let mut taken: HashMap<usize, usize, FixedState> = HashMap::default();
    let mut sum = 0.0;
    for (weight, scope, record) in pairs {
        if known[scope].is_none() && !taken.contains_key(&record) {
            known[scope] = Some(record);
            taken.insert(record, scope);
            sum += weight;
        }
    }
    Region { cut, scopes, known, weight: sum }
}
