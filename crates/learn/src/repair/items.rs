//! Lists in records: where their known items stand in each record that was found again.
//!
//! An item is known again in its own record alone, so that what other records have, too, a tag or a name, still tells
//! where it is. Else it is as with the records themselves: the elements that are one item's vote for their path.

use windrow_dom::NodeId;
use windrow_wrapper::values::text::collapse;
use windrow_wrapper::{Locator, Rule};

use super::clues::{self, Trace, Traces};
use super::fields::NEEDED;
use super::known::KnownRecord;
use super::level::Level;
use super::refusal::{Note, Refusal};
use super::region;
use super::sheet::hash;
use super::{Mended, offers, rules, trial};
use crate::scope::{Cut, Scope};

/// The share of known items that must be found again.
const ENOUGH: f32 = 0.4;
/// Values of one item that are looked for.
const VALUES: usize = 24;
/// The share of the best path's votes that makes a path as good.
const GOOD: f32 = 0.995;

/// Records that locators are tried on, and locators that are tried on all.
const SAMPLE: usize = 40;
const FINALISTS: usize = 6;

/// An item that is known, and the scope it is in.
struct Item<'k> {
    scope: usize,
    record: &'k KnownRecord,
}

/// The rule of a list in the records, mended if need be; none if it is left out.
pub(super) fn mend(
    level: &Level<'_, '_, '_>,
    name: &str,
    rule: &Rule,
    all: &[&KnownRecord],
    notes: &mut Vec<Note>,
) -> Result<Option<(Rule, Mended)>, Refusal> {
    let label = rule.shown();
    let name = if name.is_empty() { label.to_owned() } else { format!("{name}.{label}") };
    let matched = level.matched();
    let items: Vec<Item<'_>> = matched
        .iter()
        .filter_map(|&scope| Some((scope, level.known_at(scope)?)))
        .flat_map(|(scope, record)| record.list(label).iter().map(move |record| Item { scope, record }))
        .collect();
    let has = all.iter().filter(|record| !record.list(label).is_empty()).count();
    let needed = !rule.optional || has as f32 >= NEEDED * all.len() as f32;
    let report = |found: usize, records: usize, kept: bool| Mended {
        label: label.to_owned(),
        known: items.len(),
        found,
        records,
        kept,
        fields: Vec::new(),
        lists: Vec::new(),
    };
    if has == 0 {
        return Ok(Some((rule.clone(), report(0, 0, true))));
    }
    let lost = |stands: usize| match needed {
        false => Ok(None),
        true => Err(Refusal::FieldLost { list: name.clone(), field: label.to_owned(), stands, known: items.len() }),
    };
    if items.is_empty() {
        return lost(0);
    }
    let traces = traces(level, &items);
    let old = trial::items(level.sheet, level.cut, &level.scopes, std::slice::from_ref(rule));
    let old = old.and_then(|mut old| old.pop()).unwrap_or_default();
    let old = assign(level, &traces, old);
    let new = find(level, &traces, &items).map(|nodes| assign(level, &traces, nodes));
    let best = new.as_ref().map_or(0, |new| new.1.matched());
    let most = items.len() + items.len() / 4 + 1;
    let count = |found: &(Vec<usize>, region::Region)| {
        found.0.iter().filter(|scope| matched.binary_search(scope).is_ok()).count()
    };
    let keep = old.1.matched() * 20 >= best * 19 && old.1.matched() > 0 && count(&old) <= most;
    let (owners, found) = match (keep, new) {
        (false, Some(new)) => new,
        _ => old,
    };
    if (found.matched() as f32) < ENOUGH * items.len() as f32 {
        return lost(found.matched());
    }
    let known: Vec<Option<&KnownRecord>> =
        found.known.iter().map(|known| known.map(|number| items[number].record)).collect();
    let below = Level { sheet: level.sheet, cut: Cut::Nodes, scopes: found.scopes.clone(), known };
    let records: Vec<&KnownRecord> = all.iter().flat_map(|record| record.list(label)).collect();
    let mut inner = match rule.rules.is_empty() {
        true => rules::Rules::default(),
        false => match rules::mend(&below, &name, &rule.rules, &records, notes) {
            Ok(inner) => inner,
            Err(_) if !needed => return Ok(None),
            Err(refusal) => return Err(refusal),
        },
    };
    let mut mended = Rule { rules: std::mem::take(&mut inner.rules), ..rule.clone() };
    if !keep {
        let mut accepted = match rule.rules.is_empty() {
            true => vec![true; found.scopes.len()],
            false => rules::accept(&below, &mended.rules),
        };
        leave_out_others(level, &owners, &below, &mut accepted);
        leave_out_fields(level, &owners, &below, &mut accepted);
        let mut wanted: Vec<Vec<NodeId>> = vec![Vec::new(); level.scopes.len()];
        for ((scope, owner), _) in found.scopes.iter().zip(&owners).zip(accepted).filter(|(_, accepted)| *accepted) {
            wanted[*owner].push(scope.record.first);
        }
        match locator(level, &matched, rule, &wanted) {
            Some(locator) => mended = Rule { locator, path: None, ..mended },
            None => return lost(found.matched()),
        }
    }
    let report = Mended {
        fields: inner.fields,
        lists: inner.lists,
        ..report(found.matched(), found.scopes.len(), mended.locator == rule.locator)
    };
    Ok(Some((mended, report)))
}

/// Leaves out what stands like items, but is none: in records whose items are known, elsewhere than they are; in others,
/// under other classes.
fn leave_out_others(level: &Level<'_, '_, '_>, owners: &[usize], below: &Level<'_, '_, '_>, accepted: &mut [bool]) {
    let document = level.sheet.document;
    let finder = level.finder();
    let key = |at: usize| {
        let base = finder.base(level.scopes[owners[at]]);
        level.sheet.view.node_keys_below(base, below.scopes[at].record.first)[0]
    };
    let mut keys: Vec<u64> = (0..owners.len()).filter(|&at| below.known[at].is_some()).map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut holders: Vec<(usize, Option<NodeId>)> = (0..owners.len())
        .filter(|&at| below.known[at].is_some())
        .map(|at| (owners[at], document.parent(below.scopes[at].record.first)))
        .collect();
    holders.sort_unstable();
    holders.dedup();
    for at in 0..accepted.len() {
        if below.known[at].is_some() || !accepted[at] {
            continue;
        }
        let from = holders.partition_point(|holder| holder.0 < owners[at]);
        let own: Vec<Option<NodeId>> =
            holders[from..].iter().take_while(|holder| holder.0 == owners[at]).map(|holder| holder.1).collect();
        let listed = match own.is_empty() {
            // A known record without items has none.
            true => level.known[owners[at]].is_none(),
            false => own.contains(&document.parent(below.scopes[at].record.first)),
        };
        accepted[at] = listed && keys.binary_search(&key(at)).is_ok();
    }
}

/// Leaves out what says what another field of its record is known to say: the author among the tags. If that is so in
/// most records, what stands at the same rank in the others is left out, too.
fn leave_out_fields(level: &Level<'_, '_, '_>, owners: &[usize], below: &Level<'_, '_, '_>, accepted: &mut [bool]) {
    let reading = &level.sheet.reading;
    let (mut ranks, mut records): (Vec<usize>, usize) = (Vec::new(), 0);
    let mut at = 0;
    while at < owners.len() {
        let end = at + owners[at..].iter().take_while(|&&owner| owner == owners[at]).count();
        if let Some(record) = level.known_at(owners[at]) {
            records += 1;
            for (rank, accepted) in accepted.iter_mut().enumerate().take(end).skip(at) {
                let text = reading.of(below.scopes[rank].record.first);
                let other = |value: &super::known::KnownValue| value.raw.len() > 2 && collapse(&value.raw) == text;
                if *accepted && below.known[rank].is_none() && record.values.iter().any(other) {
                    *accepted = false;
                    ranks.push(rank - at);
                }
            }
        }
        at = end;
    }
    ranks.sort_unstable();
    let usual = ranks.chunk_by(|one, two| one == two).max_by_key(|group| group.len());
    let Some(rank) = usual.filter(|group| group.len() * 2 > records).map(|group| group[0]) else { return };
    let mut at = 0;
    while at < owners.len() {
        let end = at + owners[at..].iter().take_while(|&&owner| owner == owners[at]).count();
        if at + rank < end && below.known[at + rank].is_none() {
            accepted[at + rank] = false;
        }
        at = end;
    }
}

/// Where the values of items stand in their records.
fn traces(level: &Level<'_, '_, '_>, items: &[Item<'_>]) -> Traces {
    let mut all = Vec::new();
    let mut worth = Vec::with_capacity(items.len());
    for siblings in items.chunk_by(|one, two| one.scope == two.scope) {
        let scope = level.scopes[siblings[0].scope];
        let keys: Vec<Vec<(u64, f32)>> = siblings.iter().map(|item| keys(item.record)).collect();
        let mut often: Vec<u64> = keys.iter().flatten().map(|key| key.0).collect();
        often.sort_unstable();
        for own in keys {
            let record = worth.len() as u32;
            let mut sum = 0.0;
            for (field, &(key, telling)) in own.iter().enumerate() {
                let known = often.partition_point(|&other| other <= key) - often.partition_point(|&other| other < key);
                // What is around an item votes by itself; from the outside, what is in it would not.
                let texts = level.sheet.innermost_texts_in(scope, key);
                let attributes = level.sheet.attributes_in(scope, key);
                let places = texts.len().max(attributes.len()).max(1);
                let weight = telling / known.max(places.min(8)).max(1) as f32;
                sum += weight;
                let trace = |node: NodeId| Trace { node, record, field: field as u32, weight };
                all.extend(texts.iter().take(8).copied().map(trace));
                all.extend(attributes.iter().take(8).map(|told| trace(told.0)));
            }
            worth.push(sum);
        }
    }
    all.sort_by_key(|trace| (trace.node, trace.record, trace.field));
    Traces { all, worth }
}

/// The values of an item, each with what it says by itself.
fn keys(record: &KnownRecord) -> Vec<(u64, f32)> {
    let mut keys: Vec<(u64, f32)> = Vec::new();
    let mut add = |record: &KnownRecord, share: f32| {
        for value in record.values.iter().filter(|value| !value.raw.is_empty()) {
            if keys.len() < VALUES {
                let text = collapse(&value.raw);
                keys.push((hash(&text), share * clues::telling(&text).max(0.05)));
            }
        }
    };
    add(record, 1.0);
    for inner in record.lists.iter().flat_map(|list| &list.records).take(VALUES) {
        add(inner, 0.5);
    }
    keys
}

/// The elements that may be items, by the scope they are in.
fn find(level: &Level<'_, '_, '_>, traces: &Traces, items: &[Item<'_>]) -> Option<Vec<Vec<NodeId>>> {
    let (sheet, document) = (level.sheet, level.sheet.document);
    let finder = level.finder();
    let floor = |record: u32| {
        let scope = level.scopes[items[record as usize].scope];
        if scope.run { NodeId::from_index(scope.record.first.index().saturating_sub(1)) } else { scope.record.first }
    };
    let own = region::owned(sheet, traces, &floor);
    let mut votes: Vec<(u64, u32, f32, usize)> = Vec::new();
    let mut several = false;
    for siblings in items.chunk_by(|one, two| one.scope == two.scope) {
        several |= siblings.len() > 1;
    }
    for places in own.chunk_by(|one, two| one.record == two.record) {
        let most = places.iter().map(|held| held.weight).fold(0.0, f32::max);
        let base = finder.base(level.scopes[items[places[0].record as usize].scope]);
        for held in places.iter().filter(|held| held.weight >= 0.7 * most && document.is_element(held.node)) {
            let path = sheet.view.node_keys_below(base, held.node)[1];
            let depth = document.ancestors(held.node).take_while(|&id| id != base).count();
            votes.push((path, held.record, held.weight, depth));
        }
    }
    votes.sort_by(|one, two| (one.0, one.1).cmp(&(two.0, two.1)).then(two.2.total_cmp(&one.2)));
    votes.dedup_by_key(|vote| (vote.0, vote.1));
    let mut paths: Vec<(f32, usize, u64)> = votes
        .chunk_by(|one, two| one.0 == two.0)
        .map(|votes| (votes.iter().map(|vote| vote.2).sum(), votes[0].3, votes[0].0))
        .collect();
    let most = paths.iter().map(|path| path.0).fold(0.0, f32::max);
    paths.retain(|path| path.0 >= GOOD * most);
    // Where no record has several items, nothing says how far up an item reaches.
    let path = match several {
        true => paths.iter().min_by_key(|path| path.1)?.2,
        false => paths.iter().max_by_key(|path| path.1)?.2,
    };
    let like = |scope: &Scope| {
        let base = finder.base(*scope);
        let nodes = (scope.record.first.index()..scope.record.end.index()).map(NodeId::from_index);
        let nodes = nodes.filter(|&id| id != base && document.is_element(id));
        nodes.filter(|&id| sheet.view.node_keys_below(base, id)[1] == path).collect()
    };
    Some(level.scopes.iter().map(like).collect())
}

/// Which known items are at these nodes; and the scope of each.
fn assign(level: &Level<'_, '_, '_>, traces: &Traces, nodes: Vec<Vec<NodeId>>) -> (Vec<usize>, region::Region) {
    let document = level.sheet.document;
    let mut flat: Vec<(NodeId, usize)> = nodes
        .into_iter()
        .enumerate()
        .flat_map(|(scope, nodes)| nodes.into_iter().map(move |node| (node, scope)))
        .collect();
    flat.sort_unstable();
    flat.dedup_by_key(|item| item.0);
    let scopes = flat.iter().map(|&(node, _)| Scope::node(document, node)).collect();
    (flat.iter().map(|item| item.1).collect(), region::assign(traces, Cut::Nodes, scopes))
}

/// The locator that finds exactly these nodes in most of the matched records.
fn locator(level: &Level<'_, '_, '_>, matched: &[usize], rule: &Rule, wanted: &[Vec<NodeId>]) -> Option<Locator> {
    let few: Vec<usize> = level.sample(matched, SAMPLE);
    let offers = offers::of_items(level, &few, wanted, rule.locator.slice);
    let rules: Vec<Rule> = offers.iter().map(|locator| Rule { locator: locator.clone(), ..rule.clone() }).collect();
    let try_in = |at: &[usize], rules: &[Rule]| -> Vec<usize> {
        let scopes: Vec<Scope> = match level.cut {
            Cut::Nodes => at.iter().map(|&at| level.scopes[at]).collect(),
            _ => level.scopes.clone(),
        };
        let Some(found) = trial::items(level.sheet, level.cut, &scopes, rules) else { return vec![0; rules.len()] };
        let number = |nth: usize| if level.cut == Cut::Nodes { nth } else { at[nth] };
        let right = |found: &Vec<Vec<NodeId>>| {
            (0..at.len()).filter(|&nth| same(level, &found[number(nth)], &wanted[at[nth]])).count()
        };
        found.iter().map(right).collect()
    };
    let mut order: Vec<(usize, usize)> = try_in(&few, &rules).into_iter().zip(0..).collect();
    order.sort_by_key(|&(right, number)| (std::cmp::Reverse(right), number));
    order.truncate(FINALISTS);
    order.sort_by_key(|finalist| finalist.1);
    let finalists: Vec<Rule> = order.iter().map(|finalist| rules[finalist.1].clone()).collect();
    let right = try_in(matched, &finalists);
    let best = (0..finalists.len()).max_by_key(|&at| (right[at], std::cmp::Reverse(at)))?;
    (right[best] * 10 >= matched.len() * 7).then(|| finalists[best].locator.clone())
}

/// Whether two lists of nodes say the same: a node, or the only one in it.
fn same(level: &Level<'_, '_, '_>, found: &[NodeId], wanted: &[NodeId]) -> bool {
    let reading = &level.sheet.reading;
    found.len() == wanted.len()
        && found.iter().zip(wanted).all(|(&one, &two)| {
            let near =
                one == two || level.sheet.document.is_ancestor(one, two) || level.sheet.document.is_ancestor(two, one);
            near && (one == two || reading.range(one) == reading.range(two))
        })
}
