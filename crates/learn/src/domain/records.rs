//! Which pairs are one record.
//!
//! A data-rich node has a record. Of several, the one with the most roles is what the page is about; the others are
//! - its own, again or in part, if they agree with it: a summary beside the table, a price beside the description;
//! - other things, if they say something else of the same roles: records of their own if they have about as much to say,
//!   or else offers that lead to other pages, which say it again and in full: those are left out.
//!
//! Pairs that stand in no data-rich node are the page's own if it has one record, and they do not stand in a list of
//! offers, nor with others that are another thing's.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use windrow_dom::NodeId;

use super::entropy::{Entropies, Kind};
use super::judge::{Judged, is_linked, is_placeholder};
use super::layout::Layouts;
use crate::example::meet;

/// What a pair gains that stands in the node of its record.
const AT_HOME: f32 = 0.4;

/// Items of a list that is a record by itself.
const LISTED: usize = 3;
/// Pairs of an offer that are compared with one.
const NEAR: usize = 64;
/// Texts that an offer has at most.
const CARD: usize = 60;
/// How far up a pair is looked for beside another.
const AROUND: usize = 12;

/// The pairs of one thing, one for each role.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) node: NodeId,
    pub(super) entropy: f64,
    pub(super) pairs: Vec<Judged>,
    /// The bytes of what it is called, where its place tells.
    pub(super) title: Option<(u32, u32)>,
}

/// A data-rich node, and what is in it.
struct Region {
    node: NodeId,
    end: NodeId,
    entropy: f64,
    /// Pairs in it, by their numbers.
    judged: Vec<usize>,
    /// Their roles, each once.
    roles: Vec<u32>,
}

/// The records of a page.
pub(super) fn group(
    layouts: &Layouts<'_, '_>,
    entropies: &Entropies,
    judged: Vec<Judged>,
    data_rich: f64,
) -> Vec<Group> {
    if let Some(groups) =
        super::compare::groups(layouts, &judged).or_else(|| super::rows::groups(layouts, &judged, data_rich))
    {
        return groups;
    }
    let document = layouts.sheet.document;
    let rich = entropies.nodes.iter().filter(|node| node.kind == Kind::DataRich);
    let mut regions: Vec<Region> = rich
        .map(|node| Region {
            node: node.node,
            end: document.subtree_end(node.node),
            entropy: node.entropy,
            judged: Vec::new(),
            roles: Vec::new(),
        })
        .collect();
    // Of lists in lists the outermost.
    let mut offers: Vec<(NodeId, NodeId)> = Vec::new();
    for node in entropies.nodes.iter().filter(|node| node.kind == Kind::LinkOffer) {
        if offers.last().is_none_or(|&(_, end)| end <= node.node) {
            offers.push((node.node, document.subtree_end(node.node)));
        }
    }
    let mut strays = Vec::new();
    for (number, pair) in judged.iter().enumerate() {
        let label = layouts.label_node(&pair.candidate);
        let at = regions.partition_point(|region| region.node <= label);
        match at.checked_sub(1).map(|at| &mut regions[at]).filter(|region| label < region.end) {
            Some(region) => {
                region.judged.push(number);
                if !region.roles.contains(&pair.candidate.role) {
                    region.roles.push(pair.candidate.role);
                }
            }
            None => strays.push(number),
        }
    }
    // A node of labels without values is rich in nothing.
    let (rich, poor): (Vec<Region>, Vec<Region>) = regions.into_iter().partition(|region| region.roles.len() >= 2);
    let regions = rich;
    strays.extend(poor.into_iter().flat_map(|region| region.judged));
    strays.sort_unstable();
    let view = View { layouts, judged: &judged };
    // What is offered, one thing after the other, is told in full elsewhere.
    let offered = |&number: &usize| {
        let label = view.label(number);
        let around = offers.partition_point(|&(from, _)| from <= label).checked_sub(1).map(|at| offers[at]);
        around.filter(|&(_, to)| label < to).is_some_and(|(from, to)| {
            let others = view.between(&strays, from, to).iter().filter(|&&other| other != number);
            others.take(NEAR).any(|&other| view.is_another(number, other))
        })
    };
    let strays: Vec<usize> = strays.iter().copied().filter(|number| !offered(number)).collect();
    let most = |region: &Region| (!view.is_list(region), region.roles.len());
    let Some(main) = (0..regions.len()).max_by(|&a, &b| most(&regions[a]).cmp(&most(&regions[b])).then(b.cmp(&a)))
    else {
        let mut all = view.region(NodeId::ROOT, strays);
        if view.is_list(&all) {
            // A page with a list of its own is about one thing; what it says several times is said of others.
            if !all.judged.iter().any(|&number| is_long(&judged[number])) {
                return Vec::new();
            }
            let single: Vec<u32> = all.roles.iter().copied().filter(|&role| !view.is_several(&all, role)).collect();
            all.judged.retain(|&number| single.contains(&judged[number].candidate.role));
        }
        return view.collect(None, &all.judged).into_iter().collect();
    };
    let mut own = regions[main].judged.clone();
    let mut others = Vec::new();
    for (at, region) in regions.iter().enumerate().filter(|(at, _)| *at != main) {
        match view.is_foreign(&regions[main], region) {
            // About as much to say, and not only a way to where it is said.
            true if 4 * region.roles.len() >= 3 * regions[main].roles.len()
                && !view.is_list(region)
                && (!view.is_offer(region) || view.is_offer(&regions[main])) =>
            {
                others.push(at);
            }
            true => {}
            false => own.extend(&region.judged),
        }
    }
    if others.is_empty() {
        own.extend(view.without_foreign(&regions[main], strays));
    }
    own.sort_unstable();
    let mut groups: Vec<Group> = view.collect(Some(&regions[main]), &own).into_iter().collect();
    groups.extend(others.iter().filter_map(|&at| view.collect(Some(&regions[at]), &regions[at].judged)));
    groups.sort_by_key(|group| group.node);
    groups
}

/// Returns whether a pair is a list of its own.
fn is_long(pair: &Judged) -> bool {
    pair.candidate.list.as_ref().is_some_and(|list| list.items.len() >= LISTED)
}

struct View<'v, 's, 'd> {
    layouts: &'v Layouts<'s, 'd>,
    judged: &'v [Judged],
}

impl View<'_, '_, '_> {
    /// The text node that a pair's label begins in.
    fn label(&self, number: usize) -> NodeId {
        self.layouts.label_node(&self.judged[number].candidate)
    }

    /// Those of these pairs, which are in the order of the page, whose labels are among some nodes.
    fn between<'n>(&self, numbers: &'n [usize], from: NodeId, to: NodeId) -> &'n [usize] {
        let first = numbers.partition_point(|&number| self.label(number) < from);
        let end = numbers.partition_point(|&number| self.label(number) < to);
        &numbers[first..end.max(first)]
    }

    /// These pairs as a region.
    fn region(&self, node: NodeId, judged: Vec<usize>) -> Region {
        let mut roles: Vec<u32> = judged.iter().map(|&number| self.judged[number].candidate.role).collect();
        roles.sort_unstable();
        roles.dedup();
        Region { node, end: self.layouts.sheet.document.subtree_end(node), entropy: 0.0, judged, roles }
    }

    /// Pairs outside of a record, but those that stand with one that contradicts it, and are another thing's.
    fn without_foreign(&self, main: &Region, strays: Vec<usize>) -> Vec<usize> {
        let document = self.layouts.sheet.document;
        let label = |number: usize| self.label(number);
        let pairs = main.judged.iter().map(|&number| &self.judged[number].candidate);
        let told: HashSet<(u32, &str), FixedState> = pairs.map(|pair| (pair.role, self.layouts.text(pair))).collect();
        let contradicts = |number: usize| {
            let candidate = &self.judged[number].candidate;
            main.roles.contains(&candidate.role) && !told.contains(&(candidate.role, self.layouts.text(candidate)))
        };
        let mut foreign: Vec<(NodeId, NodeId)> = Vec::new();
        for (at, &number) in strays.iter().enumerate() {
            if foreign.last().is_some_and(|&(from, to)| (from..to).contains(&label(number))) || !contradicts(number) {
                continue;
            }
            // With what stands nearest to it.
            let before = at.checked_sub(1).map(|at| label(strays[at]));
            let behind = strays.get(at + 1).map(|&next| label(next));
            let near = |id: NodeId, end: NodeId| {
                [before, behind].into_iter().flatten().any(|other| (id..end).contains(&other))
            };
            let around = document.ancestors(label(number)).take(AROUND).find(|&id| near(id, document.subtree_end(id)));
            let node =
                around.filter(|&id| !(id..document.subtree_end(id)).contains(&main.node)).unwrap_or(label(number));
            let end = document.subtree_end(node);
            let inside = self.between(&strays, node, end);
            if inside.len() > CARD {
                continue;
            }
            let inside = inside.to_vec();
            if self.is_foreign(main, &self.region(node, inside)) {
                foreign.push((node, end));
            }
        }
        // In the order of the page; one may lie in another, not across it.
        foreign.sort_unstable();
        let mut until = NodeId::ROOT;
        foreign.retain(|&(from, to)| {
            from >= until && {
                until = to;
                true
            }
        });
        let own = |number: &usize| {
            let at = foreign.partition_point(|&(from, _)| from <= label(*number)).checked_sub(1);
            at.is_none_or(|at| foreign[at].1 <= label(*number))
        };
        strays.into_iter().filter(own).collect()
    }

    /// Whether two pairs say something else by the same label.
    fn is_another(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.judged[one].candidate, &self.judged[two].candidate);
        one.role == two.role
            && self.layouts.label(one) == self.layouts.label(two)
            && self.layouts.text(one) != self.layouts.text(two)
    }

    /// What a region says of a role, one after the other.
    fn values<'r>(&'r self, region: &'r Region, role: u32) -> impl Iterator<Item = &'r str> {
        let pairs = region.judged.iter().map(|&number| &self.judged[number]);
        pairs
            .filter(move |pair| pair.candidate.role == role && pair.candidate.list.is_none())
            .map(|pair| self.layouts.text(&pair.candidate))
    }

    /// Whether a region tells of several things: most of its roles have several values, each by the same label. (`Model` and
    /// `Model name` of one thing may differ.)
    fn is_list(&self, region: &Region) -> bool {
        let count = region.roles.iter().filter(|&&role| self.is_several(region, role)).count();
        count >= 2 && 2 * count >= region.roles.len()
    }

    /// Returns whether a region has several values of a role, by the same label.
    fn is_several(&self, region: &Region, role: u32) -> bool {
        let pairs = region.judged.iter().map(|&number| &self.judged[number].candidate);
        // The same heading may stand over a list in the story and in the summary.
        let mut pairs = pairs.filter(|candidate| candidate.role == role && candidate.list.is_none());
        let Some(first) = pairs.next() else { return false };
        let label = self.layouts.label(first);
        let value = self.layouts.text(first);
        pairs.any(|other| self.layouts.label(other) == label && self.layouts.text(other) != value)
    }

    /// Whether a region tells of another thing than the main one does.
    fn is_foreign(&self, main: &Region, region: &Region) -> bool {
        let (mut same, mut other) = (0, 0);
        for &role in &region.roles {
            let mut told = self.values(main, role).peekable();
            if told.peek().is_none() {
                continue;
            }
            let known: Vec<&str> = told.collect();
            if self.values(region, role).next().is_none() {
                continue;
            }
            match self.values(region, role).find(|value| known.contains(value)) {
                // That something is not known is true of many things.
                Some(value) if is_placeholder(value) => {}
                Some(_) => same += 1,
                None => other += 1,
            }
        }
        if other <= same {
            return false;
        }
        let most = 2 * other >= region.roles.len();
        match region.entropy > 0.0 {
            true => most || self.is_list(region) || self.is_offer(region),
            // Pairs that are less than a record have to say more to be another's.
            false => {
                let pieces = self.layouts.sheet.pieces_in(region.node, region.end).len();
                pieces <= CARD && (most && other >= 2 || self.is_list(region) || self.is_offer(region))
            }
        }
    }

    /// Whether a link leads the way to more about what a region tells of: right in front of a record, or among pairs that
    /// are less than one.
    fn is_offer(&self, region: &Region) -> bool {
        let sheet = self.layouts.sheet;
        let Some(&first) = region.judged.first() else { return false };
        let mark = &self.layouts.marks[self.judged[first].candidate.mark as usize];
        let Some(before) = (mark.first as usize).checked_sub(1).map(|at| sheet.pieces[at].node) else { return false };
        let inside = || region.entropy > 0.0 || self.around(region.judged.iter().map(|&at| self.label(at))) <= before;
        inside() && is_linked(sheet.document, before)
    }

    /// The best pair for each role; none if there is too little to be sure of.
    fn collect(&self, home: Option<&Region>, numbers: &[usize]) -> Option<Group> {
        let mut best: Vec<Judged> = Vec::new();
        for &number in numbers {
            let mut pair = self.judged[number].clone();
            let label = self.layouts.label_node(&pair.candidate);
            if home.is_some_and(|home| home.node <= label && label < home.end) {
                pair.score += AT_HOME;
            }
            pair.clues.at_home = home.is_some_and(|home| home.node <= label && label < home.end);
            let Some(known) = best.iter_mut().find(|known| known.candidate.role == pair.candidate.role) else {
                best.push(pair);
                continue;
            };
            let mut rivals = known.clues.rivals;
            let mut margin = known.clues.margin;
            if self.layouts.text(&known.candidate) != self.layouts.text(&pair.candidate) {
                let apart = (known.score - pair.score).abs();
                margin = if rivals == 0 { apart } else { margin.min(apart) };
                rivals += 1;
            }
            if known.score < pair.score {
                *known = pair;
            }
            (known.clues.rivals, known.clues.margin) = (rivals, margin);
        }
        // One label is no record, unless it heads a list.
        if best.len() < 2 && !best.iter().any(is_long) {
            return None;
        }
        best.sort_by_key(|pair| pair.candidate.role);
        let (node, entropy) = match home {
            Some(home) => (home.node, home.entropy),
            None => (self.around(best.iter().map(|pair| self.layouts.label_node(&pair.candidate))), 0.0),
        };
        Some(Group { node, entropy, pairs: best, title: None })
    }

    /// The smallest node that has all of these.
    fn around(&self, nodes: impl Iterator<Item = NodeId> + Clone) -> NodeId {
        match (nodes.clone().min(), nodes.max()) {
            (Some(first), Some(last)) => meet(self.layouts.sheet.document, first, last),
            _ => NodeId::ROOT,
        }
    }
}
