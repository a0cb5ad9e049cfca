//! The record around the fields that were shown, and all records like it.
//!
//! From the lowest node that holds all the fields, the climb goes up. At each height the record may be the node there, and
//! its like are the nodes at the same height whose ancestors are all alike: of one tag, and of classes that have a word
//! in common. If the fields stand in several children of the lowest node, the record may also be a run of its children,
//! from one of a kind up to the next. Every such set of records is judged by how many of the shown fields each of its
//! records has, at the same place; the lowest set that does well is taken, and what is no record in it is left out.
//!
//! Paper: Nikovski et al. 2009, section 3.1, steps 2 to 4: the lowest common ancestor, and the climb until a sibling or
//! cousin has a subtree that matches.
//!
//! # Departures from the paper
//!
//! The paper wants subtrees that match exactly, and stops at the lowest list; here a record may lack parts, may span
//! siblings, and like lists further up (columns, groups) are taken together.
//!
//! # Cost
//!
//! One walk over the page for all heights; then the leaves of each set.

mod strangers;

use windrow_dom::{Document, NodeId, names};

use self::strangers::build;
use super::fields::{is_kind_of, is_value};
use super::point::meet;
use crate::alignment::shape;
use crate::page_view::{By, Leaf, PageView, share_class};
use crate::reading::Reading;
use crate::scope::Cut;
pub(crate) use crate::scope::Record;
use crate::segmentation::Candidate;
use crate::segmentation::marks::Marks;
use crate::segmentation::noise;
use crate::segmentation::tally::Tally;

/// Heights that are tried.
const HEIGHTS: usize = 24;
/// Kinds of nodes that a run may begin with.
const KINDS: usize = 8;
/// The share of the fields that a record must have.
const LEAST: f32 = 0.5;
/// Each round sees what the records are like more clearly.
const ROUNDS: usize = 3;
/// The share of the fields that makes a record whatever else it is like.
const WHOLE: f32 = 0.99;
/// The share of the best set's worth that makes a set good enough.
const GOOD: f32 = 0.75;

/// A set of records with those that were shown.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    pub(crate) cut: Cut,
    pub(crate) records: Vec<Record>,
    /// Where keys are taken from if records are runs.
    pub(crate) parent: NodeId,
    /// For each record the share of the shown fields that it has.
    pub(crate) shares: Vec<f32>,
    /// By example: the number of its record.
    pub(crate) shown: Vec<usize>,
    /// Texts that no record has.
    pub(crate) without: Vec<String>,
    /// The sum of the shares.
    pub(crate) worth: f32,
    /// How likely these are the records of a list, if the page was cut so without knowing what is shown.
    pub(crate) chance: Option<f32>,
    /// How good it is beside the other sets, if they were compared.
    score: Option<f32>,
    /// It is the set that likeness with what is shown gives.
    pub(crate) by_likeness: bool,
}

/// Another set of records that is nearly as good as the one that was taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rival {
    /// How many records it has.
    pub(crate) records: usize,
    /// The first record that only one of the two has.
    pub(crate) differs: Record,
}

/// The difference of scores below which another set is nearly as good: odds of less than three to one.
const NEARLY: f32 = 1.0;

/// The difference of scores by which another set must be better than the one that likeness gives: as much as makes it more than nearly
/// as good. On the open list pages and forums 268 and 80 runs are perfect with it, 265 and 80 without, 268 and 74 with twice as much.
const MARGIN: f32 = NEARLY;

/// What is added to the score of a set that has the post which opens a thread, too: it is taken if it is nearly as good as the one that
/// likeness gives.
const OPENING: f32 = MARGIN + NEARLY;

/// The probability from which a cut is a list even if nothing else on the page is like the shown record. With sites held out, most
/// of the cuts above it are right (`tools/fit lists` prints the table).
const LIKELY: f32 = 0.2;

/// What each look at a set says for its being the right one: the least share of the shown fields in a record, the log of the odds that
/// the cut is a list, whether there are no such odds, whether records are runs of siblings, the share of records that have all fields,
/// the log of the sum of the shares beside the greatest, and the number of records with all fields beside that. Fitted by a softmax
/// over the sets of each run on the open list pages and forums: the right set is chosen in 388 of 409 runs with sites held out (391 of
/// 409 on the pages it was fitted to), where the set grown by likeness alone was right in 352.
const LOOKS: [f32; 7] = [2.02, 1.21, -1.25, -1.15, 0.81, 0.93, 1.43];

impl Records {
    /// How many records have all the fields.
    fn full(&self) -> usize {
        self.shares.iter().filter(|share| **share > WHOLE).count()
    }

    /// What is seen of it. `most`: the greatest worth of all sets.
    fn looks(&self, most: f32) -> [f32; LOOKS.len()] {
        let odds = self.chance.map_or(0.0, |chance| {
            let chance = chance.clamp(0.01, 0.99);
            (chance / (1.0 - chance)).ln()
        });
        let flag = |is: bool| f32::from(u8::from(is));
        let full = self.full() as f32;
        [
            self.shares.iter().copied().fold(1.0, f32::min).max(0.0),
            odds,
            flag(self.chance.is_none()),
            flag(self.cut != Cut::Nodes),
            full / self.records.len().max(1) as f32,
            (self.worth / most + 0.01).max(0.001).ln(),
            full / most,
        ]
    }

    /// Returns whether it has the records of another set, and in front of them one more that has all fields: the post that opens a
    /// thread stands apart from the answers.
    fn adds_an_opening(&self, others: &[Record]) -> bool {
        let is_same = |(own, other): (&Record, &Record)| {
            own.first <= other.first && other.end <= own.end || other.first <= own.first && own.end <= other.end
        };
        match (&self.records[..], &self.shares[..], others) {
            ([opening, rest @ ..], [share, ..], [first, ..]) => {
                opening.end <= first.first
                    && *share > WHOLE
                    && rest.len() == others.len()
                    && rest.iter().zip(others).all(is_same)
            }
            _ => false,
        }
    }

    fn score(&self, most: f32) -> f32 {
        self.looks(most).iter().zip(&LOOKS).map(|(look, weight)| look * weight).sum()
    }

    /// Leaves out the records that hold one of these nodes. Fails with the first node of a record that was shown.
    ///
    /// Without a text, a person crossed out this record and no other; those that are built just as it is, and as no shown
    /// one is, go with it: of two advertisements in a list, one is pointed at. They must be few, since a person may have
    /// shown the one record that is unlike all others.
    pub(crate) fn leave_out(
        &mut self,
        document: &Document,
        nodes: &[NodeId],
        text: Option<&str>,
    ) -> Result<(), NodeId> {
        let holds = |record: &Record| nodes.iter().any(|&node| record.first <= node && node < record.end);
        if let Some(&shown) = self.shown.iter().find(|&&shown| holds(&self.records[shown])) {
            return Err(self.records[shown].first);
        }
        let shown: Vec<NodeId> = self.shown.iter().map(|&shown| self.records[shown].first).collect();
        let before = self.records.len();
        let mut out: Vec<bool> = self.records.iter().map(holds).collect();
        if text.is_none() {
            let builds: Vec<Vec<u64>> = self.records.iter().map(|record| build(document, record)).collect();
            let as_shown = |build: &Vec<u64>| self.shown.iter().any(|&shown| builds[shown] == *build);
            let crossed: Vec<usize> = (0..before).filter(|&at| out[at] && !as_shown(&builds[at])).collect();
            let alike: Vec<bool> = builds.iter().map(|own| crossed.iter().any(|&at| builds[at] == *own)).collect();
            let count = alike.iter().filter(|alike| **alike).count();
            if count * ALIKE_SHARE <= before {
                out.iter_mut().zip(alike).for_each(|(out, alike)| *out |= alike);
            }
        }
        let mut out = out.into_iter();
        self.records.retain(|_| !out.next().unwrap_or_default());
        if let Some(text) = text.filter(|_| self.records.len() < before) {
            self.without.push(text.to_owned());
        }
        let at = |node: &NodeId| self.records.iter().position(|record| record.first == *node);
        self.shown = shown.iter().filter_map(at).collect();
        Ok(())
    }
}

/// Records that are compared for the elements that all have.
const COMPARED: usize = 50;

/// Of how many records one may go with another that was crossed out.
const ALIKE_SHARE: usize = 3;

/// What one example shows: the nodes of its fields.
pub(crate) type Shown = Vec<NodeId>;

/// How a node is like the one of the chain at its depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    None,
    /// But for its own name: a record may have one; what is in a part of the page with another name is another thing.
    Named,
    /// But for the class of a sibling of the chain's nodes.
    Sibling,
    /// All the way down.
    Full,
}

/// The share of the shown fields that a record has.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// By tags, or by a class.
    tags: f32,
    /// By all classes on the way.
    classes: f32,
}

/// How a field is known again in another record.
struct Sign {
    /// Keys of the leaf, by classes and by tags, if it is in the record.
    leaf: Option<[u64; 2]>,
    /// Of the elements around it with the same text, and below the record: the keys of each by classes and by tags.
    around: Vec<[u64; 2]>,
    /// What such an element looks like, if it has a class.
    steps: Vec<u64>,
}

struct Search<'o, 'd> {
    view: &'o PageView<'d>,
    document: &'d Document,
    reading: &'o Reading<'d>,
    /// By example.
    shown: &'o [Shown],
    /// By field of the first example: the leaf that stands for it, and the elements around it with the same text.
    fields: Vec<(Leaf, Vec<NodeId>)>,
}

/// The records that those shown belong to, the best set first; none if there is no second record. The first `own` nodes
/// of each are fields of the record itself, not of lists in it. Sets that cannot be
/// good are left out. `cuts`: the ways of cutting the page into records that `discover` sees.
pub(crate) fn find(
    view: &PageView<'_>,
    reading: &Reading<'_>,
    shown: &[Shown],
    own: usize,
    record: Option<NodeId>,
    cuts: &[Candidate],
) -> Vec<Records> {
    Search::new(view, reading, shown, own).all(record, cuts)
}

/// The leaf at a node: itself, the first below it, or the one around it.
fn leaf_at(view: &PageView<'_>, node: NodeId) -> Option<Leaf> {
    if let Some(leaf) = view.leaves_below(node).first() {
        return Some(*leaf);
    }
    let around = view.document.ancestors(node).take(8).find_map(|above| {
        let leaf = view.leaves_below(above).first().copied()?;
        (leaf.node == above).then_some(leaf)
    });
    around.or_else(|| view.document.ancestors(node).take(3).find_map(|above| view.leaves_below(above).first().copied()))
}

/// A node and the elements around it that say the same, from the lowest up.
pub(crate) fn equals(reading: &Reading<'_>, node: NodeId) -> Vec<NodeId> {
    let own = reading.range(node);
    let around = reading.document.ancestors(node).take(8).take_while(|&id| reading.range(id) == own);
    std::iter::once(node).chain(around).collect()
}

impl<'o, 'd> Search<'o, 'd> {
    fn new(view: &'o PageView<'d>, reading: &'o Reading<'d>, shown: &'o [Shown], own: usize) -> Search<'o, 'd> {
        let document = view.document;
        let element = |id: &NodeId| document.is_element(*id);
        let field =
            |&node: &NodeId| Some((leaf_at(view, node)?, equals(reading, node).into_iter().filter(element).collect()));
        let own = if own == 0 { usize::MAX } else { own };
        let fields = shown.first().into_iter().flatten().take(own).filter_map(field).collect();
        Search { view, document, reading, shown, fields }
    }
}

impl Search<'_, '_> {
    fn all(&self, record: Option<NodeId>, cuts: &[Candidate]) -> Vec<Records> {
        let document = self.document;
        let lowest = |shown: &Shown| {
            let mut nodes = shown.iter().copied();
            let first = nodes.next()?;
            let low = nodes.fold(first, |low, node| meet(document, low, node));
            Some(if document.is_element(low) { low } else { document.parent(low)? })
        };
        let Some(lows) = self.shown.iter().map(lowest).collect::<Option<Vec<NodeId>>>() else { return Vec::new() };
        let Some(&low) = lows.first() else { return Vec::new() };
        // From the root down to the lowest.
        let mut chain: Vec<NodeId> = std::iter::once(low).chain(document.ancestors(low)).collect();
        chain.reverse();
        let sets = self.like(&chain);
        let mut found: Vec<(usize, Records)> = Vec::new();
        let top = chain.len().saturating_sub(HEIGHTS).max(2);
        if record.is_none() {
            found.extend(self.runs(low).into_iter().map(|records| (chain.len(), records)));
        }
        let mut most = found.iter().map(|found| found.1.worth).fold(0.0, f32::max);
        for height in (top..chain.len()).rev() {
            if record.is_some_and(|record| record != chain[height]) {
                continue;
            }
            for nodes in &sets[height] {
                // No record is worth more than one. Further up the sets are small and their nodes large: most of the
                // climb ends here.
                if nodes.len() < 2 || (nodes.len() as f32) < most * GOOD {
                    continue;
                }
                let records: Vec<Record> = nodes.iter().map(|&node| Record::node(document, node)).collect();
                if let Some(set) = self.judge(Cut::Nodes, document.root(), records, &sets[height][0]) {
                    most = most.max(set.worth);
                    found.push((height, set));
                }
            }
        }
        // The lowest that does nearly as well as any.
        found.sort_by(|one, two| {
            let good = |found: &(usize, Records)| found.1.worth >= most * GOOD;
            let order = good(two).cmp(&good(one)).then(two.0.cmp(&one.0));
            order.then(two.1.worth.total_cmp(&one.1.worth))
        });
        let mut found: Vec<Records> = found.into_iter().map(|found| found.1).collect();
        if let Some(best) = found.first_mut() {
            self.drop_noise(best);
            if record.is_none() {
                self.grow(best);
            }
            // Those that are left are seen as the cuts are.
            let shares = self.shares(best.cut, best.parent, &best.records, best.shown[0]);
            best.shares = shares.iter().map(|share| share.tags).collect();
            best.worth = best.shares.iter().sum();
            best.by_likeness = true;
        }
        // With one field, each set has all of them everywhere: the score says little.
        let several = self.fields.len() > 1;
        if record.is_none() && !cuts.is_empty() && several {
            self.choose(&mut found, cuts);
        }
        found
    }

    /// Puts the best sets first: of those that were found by their likeness with what is shown, and of the cuts of the page that
    /// have it in one record.
    fn choose(&self, found: &mut Vec<Records>, cuts: &[Candidate]) {
        if let Some((likeness, others)) = found.split_first().filter(|(likeness, _)| likeness.cut == Cut::Nodes) {
            let holds = others.iter().map(|set| self.holds_several(set, likeness));
            let mut holds: Vec<bool> = std::iter::once(false).chain(holds).collect();
            holds.reverse();
            found.retain(|_| !holds.pop().unwrap_or_default());
        }
        let grown = found.len();
        for cut in cuts.iter().filter(|cut| cut.cut != Cut::Ends) {
            let mut set = self.of_cut(cut);
            set.iter_mut().for_each(|set| self.drop_other_values(set));
            let set = set.filter(|set| set.records.len() >= 2);
            let set = match found[..grown].first() {
                Some(likeness) => set.and_then(|set| self.without_strangers(likeness, set)),
                None => set,
            };
            let Some(set) = set else { continue };
            match found[..grown].iter_mut().find(|known| known.cut == set.cut && known.records == set.records) {
                Some(known) => {
                    known.chance = Some(set.chance.unwrap_or_default().max(known.chance.unwrap_or_default()))
                }
                None => found.push(set),
            }
        }
        // Without a second record that is like the shown one by itself, the cut has to be a likely list, and its records whole.
        if grown == 0 {
            found.retain(|set| set.chance.is_some_and(|chance| chance >= LIKELY) && set.full() * 2 > set.records.len());
        }
        let most = found.iter().map(|set| set.worth).fold(0.1, f32::max);
        for set in found.iter_mut() {
            set.score = Some(set.score(most));
        }
        let likeness = found.iter().find(|set| set.by_likeness).map(|set| set.records.clone()).unwrap_or_default();
        let rank = |set: &Records| {
            let margin = match () {
                () if set.by_likeness => MARGIN,
                () if set.adds_an_opening(&likeness) => OPENING,
                () => 0.0,
            };
            set.score.unwrap_or_default() + margin
        };
        found.sort_by(|one, two| rank(two).total_cmp(&rank(one)));
    }

    /// Returns a cut without the records that the set grown by likeness left out for a reason. Returns none if the cut is no match for
    /// that set: what is shown tells better where a run of siblings begins, and a record that holds what is shown twice would lose
    /// one of the two.
    fn without_strangers(&self, likeness: &Records, mut cut: Records) -> Option<Records> {
        if likeness.cut == Cut::Nodes && self.holds_several(&cut, likeness) {
            return None;
        }
        if likeness.cut != Cut::Nodes || cut.cut != Cut::Nodes {
            return (likeness.cut == Cut::Nodes || cut.cut == Cut::Nodes).then_some(cut);
        }
        let is_in = |records: &[Record], record: &Record| {
            records.binary_search_by_key(&record.first, |known| known.first).is_ok_and(|at| records[at] == *record)
        };
        if !likeness.records.iter().all(|record| is_in(&cut.records, record)) {
            return Some(cut);
        }
        let kin = self.kin(likeness);
        let keep = |record: &Record| is_in(&likeness.records, record) || !self.is_stranger(&kin, record);
        let keep: Vec<bool> = cut.records.iter().map(keep).collect();
        let mut kept = keep.iter();
        cut.records.retain(|_| kept.next().copied().unwrap_or(true));
        let mut kept = keep.iter();
        cut.shares.retain(|_| kept.next().copied().unwrap_or(true));
        cut.worth = cut.shares.iter().sum();
        cut.shown = self.numbers(&cut.records)?;
        Some(cut)
    }

    /// A cut of the page as a set, if what is shown is in records of it. What has none of the fields is no record.
    fn of_cut(&self, cut: &Candidate) -> Option<Records> {
        let shown = self.numbers(&cut.records)?;
        let held = self.shown.iter().zip(&shown).all(|(fields, &at)| {
            let record = &cut.records[at];
            fields.iter().all(|&node| record.first <= node && node < record.end)
        });
        if !held || (1..shown.len()).any(|at| shown[..at].contains(&shown[at])) {
            return None;
        }
        let shares = self.shares(cut.cut, cut.parent, &cut.records, shown[0]);
        let mut keep: Vec<bool> = shares.iter().map(|share| share.tags > 0.0).collect();
        shown.iter().for_each(|&at| keep[at] = true);
        keep_between(cut.cut, &mut keep);
        let kept = |at: &usize| keep[*at];
        let records: Vec<Record> = (0..keep.len()).filter(kept).map(|at| cut.records[at]).collect();
        let shares: Vec<f32> = (0..keep.len()).filter(kept).map(|at| shares[at].tags).collect();
        let worth = shares.iter().sum();
        let shown = self.numbers(&records)?;
        (records.len() >= 2).then_some(Records {
            cut: cut.cut,
            parent: cut.parent,
            records,
            shares,
            shown,
            without: Vec::new(),
            worth,
            chance: Some(cut.chance),
            score: None,
            by_likeness: false,
        })
    }

    /// By height: the sets of nodes that are like the one of the chain there. One set has those that are alike all the
    /// way down, another also those that have one ancestor of another class beside the chain's.
    fn like(&self, chain: &[NodeId]) -> Vec<Vec<Vec<NodeId>>> {
        let document = self.document;
        let mut likeness = vec![Likeness::None; document.len()];
        let mut depths = vec![0u32; document.len()];
        let mut sets: Vec<Vec<Vec<NodeId>>> = vec![vec![Vec::new(); 2]; chain.len()];
        let column = self.column(chain);
        for id in document.nodes() {
            let at = id.index();
            let parent = document.parent(id);
            let (above, depth) = match parent {
                Some(parent) => (likeness[parent.index()], depths[parent.index()] + 1),
                None => (Likeness::Full, 0),
            };
            depths[at] = depth;
            let Some(&model) = chain.get(depth as usize).filter(|_| above > Likeness::Named) else { continue };
            if column.is_some_and(|(cell, key)| cell == model && self.cell_key(id) != Some(key)) {
                continue;
            }
            if id == model {
                likeness[at] = Likeness::Full;
            } else if document.is_element(id) && document.name_id(id) == document.name_id(model) {
                likeness[at] = match alike(document, id, model) {
                    true => above,
                    false if parent == document.parent(model) && differ(document, id, model) => Likeness::Named,
                    false if parent == document.parent(model) => Likeness::Sibling,
                    false => Likeness::None,
                };
            }
            if likeness[at] > Likeness::None && self.view.has_content(id) && !self.view.is_hidden(id) {
                let own = &mut sets[depth as usize];
                own[1].push(id);
                if likeness[at] == Likeness::Full {
                    own[0].push(id);
                }
            }
        }
        for own in &mut sets {
            own.dedup();
        }
        sets
    }

    /// The cell of the chain that all that was shown is in, and is all there is in it, if others stand below it in the
    /// same column: a value in a table, and those of its kind are in its column. A cell that holds more is a card.
    fn column(&self, chain: &[NodeId]) -> Option<(NodeId, u64)> {
        let document = self.document;
        let [(_, around)] = &self.fields[..] else { return None };
        let &cell = chain.iter().rev().find(|&&id| self.cell_key(id).is_some())?;
        let key = self.cell_key(cell).filter(|_| around.contains(&cell))?;
        let row = document.parent(cell)?;
        let rows = document.children(document.parent(row)?).filter(|&other| other != row);
        let other = |row: NodeId| document.children(row).any(|id| self.cell_key(id) == Some(key));
        rows.into_iter().any(other).then_some((cell, key))
    }

    /// The column of a cell, as a key.
    fn cell_key(&self, id: NodeId) -> Option<u64> {
        let cell = matches!(self.document.name_id(id), Some(names::TD | names::TH));
        let row = self.document.parent(id).filter(|_| cell)?;
        Some(self.view.node_keys_below(row, id)[1])
    }

    /// Runs of the children of a node. What a run begins with is known by its tag and class; if there is no such kind, by
    /// what comes first in it, or by how many parts it has.
    fn runs(&self, parent: NodeId) -> Vec<Records> {
        let document = self.document;
        let own = |id: NodeId| self.view.step(id);
        let first = |id: NodeId| {
            let leaf = self.view.leaves_below(id).first();
            own(id) ^ leaf.map_or(0, |leaf| self.view.key_below(id, leaf, By::Class)).rotate_left(1)
        };
        let parts = |id: NodeId| {
            let parts = document.children(id).filter(|&child| document.is_element(child)).count();
            own(id) ^ (parts as u64 + 1).rotate_left(32)
        };
        let kinds: [&dyn Fn(NodeId) -> u64; 3] = [&own, &first, &parts];
        let found = kinds.into_iter().map(|kind| self.runs_by(parent, kind)).find(|found| !found.is_empty());
        let mut found = found.unwrap_or_default();
        found.extend(self.runs_by_word(parent));
        found
    }

    /// Runs that begin with an element of one class word, whatever others it has: rows that are striped, entries that are new.
    fn runs_by_word(&self, parent: NodeId) -> Vec<Records> {
        let document = self.document;
        let Some(&node) = self.shown.first().and_then(|fields| fields.iter().min()) else { return Vec::new() };
        let Some(start) = document.children(parent).take_while(|&child| child <= node).last() else {
            return Vec::new();
        };
        let words = self.view.words_of(start);
        if words.len() < 2 {
            return Vec::new();
        }
        let has = |id: NodeId, word: &str| {
            document.is_element(id)
                && document.name_id(id) == document.name_id(start)
                && self.view.words_of(id).contains(&word)
        };
        let runs = |word: &&str| {
            let kind = |id: NodeId| if has(id, word) { 1 } else { self.view.step(id) | 2 };
            self.runs_by(parent, &kind)
        };
        let mut found: Vec<Records> = words.iter().take(KINDS).flat_map(runs).collect();
        found.retain(|set| set.records.get(set.shown[0]).is_some_and(|record| record.first == start));
        found
    }

    fn runs_by(&self, parent: NodeId, kind_of: &dyn Fn(NodeId) -> u64) -> Vec<Records> {
        let document = self.document;
        let children: Vec<NodeId> = document.children(parent).filter(|&child| self.view.has_content(child)).collect();
        let Some(fields) = self.shown.first() else { return Vec::new() };
        let child_of = |node: NodeId| children.partition_point(|&child| child <= node).checked_sub(1);
        let mut own: Vec<usize> = fields.iter().filter_map(|&node| child_of(node)).collect();
        own.sort_unstable();
        let (Some(&from), Some(&to)) = (own.first(), own.last()) else { return Vec::new() };
        if children.len() < 4 || from == to {
            return Vec::new();
        }
        let kinds: Vec<u64> = children.iter().map(|&child| kind_of(child)).collect();
        let mut found = Vec::new();
        let mut tried: Vec<u64> = Vec::new();
        for at in (0..=from).rev() {
            let kind = kinds[at];
            // It does not occur within the record.
            if tried.contains(&kind) || kinds[at + 1..=to].contains(&kind) {
                continue;
            }
            if tried.len() >= KINDS {
                break;
            }
            tried.push(kind);
            let starts = children.iter().zip(&kinds).filter(|(_, own)| **own == kind);
            let starts: Vec<NodeId> = starts.map(|(&child, _)| child).collect();
            if starts.len() < 2 {
                continue;
            }
            let ends = starts.iter().skip(1).copied().chain([document.subtree_end(parent)]);
            let records = starts.iter().zip(ends).map(|(&first, end)| Record { first, end }).collect();
            found.extend(self.judge(Cut::Starts, parent, records, &starts));
        }
        found
    }

    /// How well a set does; none if the shown records are not each one of it. `like`: the first nodes of records that are
    /// like the shown ones by class; others must have all the fields, and by their classes.
    fn judge(&self, cut: Cut, parent: NodeId, records: Vec<Record>, like: &[NodeId]) -> Option<Records> {
        let within = |node: NodeId| {
            let at = records.partition_point(|record| record.first <= node).checked_sub(1)?;
            (node < records[at].end).then_some(at)
        };
        let mut shown: Vec<usize> = Vec::with_capacity(self.shown.len());
        for fields in self.shown {
            let at = within(*fields.first()?)?;
            if fields.iter().any(|&node| within(node) != Some(at)) || shown.contains(&at) {
                return None;
            }
            shown.push(at);
        }
        let shares = self.shares(cut, parent, &records, shown[0]);
        // What has less than half of the fields is none of the records.
        let mut kept = Records {
            cut,
            parent,
            records: Vec::new(),
            shares: Vec::new(),
            shown: Vec::new(),
            without: Vec::new(),
            worth: 0.0,
            chance: None,
            score: None,
            by_likeness: false,
        };
        let enough = |(at, (record, share)): (usize, (&Record, &Share))| {
            let enough = match like.binary_search(&record.first) {
                Ok(_) => share.tags >= LEAST,
                Err(_) => share.classes > WHOLE,
            };
            enough || shown.contains(&at)
        };
        let mut keep: Vec<bool> = records.iter().zip(&shares).enumerate().map(enough).collect();
        keep_between(cut, &mut keep);
        for ((record, share), keep) in records.into_iter().zip(shares).zip(keep) {
            let share = share.tags;
            if keep {
                kept.records.push(record);
                kept.shares.push(share);
                kept.worth += share;
            }
        }
        kept.shown = self.numbers(&kept.records)?;
        (kept.records.len() >= 2).then_some(kept)
    }

    /// By example: the number of its record.
    fn numbers(&self, records: &[Record]) -> Option<Vec<usize>> {
        let number = |fields: &Shown| {
            let node = *fields.first()?;
            records.iter().position(|record| record.first <= node && node < record.end)
        };
        self.shown.iter().map(number).collect()
    }

    /// For each record the share of the fields that it has where the shown one has them, or with the same class.
    fn shares(&self, cut: Cut, parent: NodeId, records: &[Record], shown: usize) -> Vec<Share> {
        let view = self.view;
        let base = |record: &Record| if cut == Cut::Nodes { record.first } else { parent };
        let model = base(&records[shown]);
        let sign = |(leaf, around): &(Leaf, Vec<NodeId>)| {
            let inside = |id: &&NodeId| **id != model && records[shown].first <= **id;
            let below = model == leaf.node || self.document.is_ancestor(model, leaf.node);
            Sign {
                leaf: below.then(|| [By::Class, By::Tag].map(|by| view.key_below(model, leaf, by))),
                around: around.iter().filter(inside).map(|&id| view.node_keys_below(model, id)).collect(),
                steps: around
                    .iter()
                    .filter(inside)
                    .filter(|&&id| view.has_class(id))
                    .map(|&id| view.step(id))
                    .collect(),
            }
        };
        let signs: Vec<Sign> = self.fields.iter().map(sign).collect();
        let (mut has, mut has_class) = (vec![false; signs.len()], vec![false; signs.len()]);
        let share = |record: &Record| {
            has.fill(false);
            has_class.fill(false);
            let base = base(record);
            for leaf in view.leaves_in(record.first, record.end) {
                let keys = [By::Class, By::Tag].map(|by| view.key_below(base, leaf, by));
                for (at, sign) in signs.iter().enumerate() {
                    has_class[at] |= sign.leaf.is_some_and(|leaf| keys[0] == leaf[0]);
                    has[at] |= has_class[at] || sign.leaf.is_some_and(|leaf| keys[1] == leaf[1]);
                }
            }
            let mut at = record.first;
            while at < record.end && has.contains(&false) {
                if self.document.is_element(at) && at != base {
                    let (step, keys) = (view.step(at), view.node_keys_below(base, at));
                    for (has, sign) in has.iter_mut().zip(&signs).filter(|(has, _)| !**has) {
                        *has = (sign.steps.contains(&step)
                            || sign.around.iter().any(|around| around[0] == keys[0] || around[1] == keys[1]))
                            && view.has_content(at);
                    }
                }
                at = NodeId::from_index(at.index() + 1);
            }
            let share = |has: &[bool]| has.iter().filter(|has| **has).count() as f32 / has.len().max(1) as f32;
            Share { tags: share(&has), classes: share(&has_class) }
        };
        records.iter().map(share).collect()
    }

    /// Takes the elements around the records for the records, as far as each holds one of them and all are of one tag:
    /// what stands there belongs to the record, too.
    fn grow(&self, found: &mut Records) {
        let document = self.document;
        if found.cut != Cut::Nodes {
            return;
        }
        for _ in 0..HEIGHTS {
            let above = found.records.iter().map(|record| document.parent(record.first)).collect::<Option<Vec<_>>>();
            let Some(above) = above else { return };
            // Where a few hold another one behind the first, that is a part of the record.
            let first: Vec<bool> = (0..above.len()).map(|at| at == 0 || above[at] != above[at - 1]).collect();
            let more = first.iter().filter(|first| !**first).count();
            let like = above.windows(2).all(|pair| {
                (pair[0] == pair[1] || document.subtree_end(pair[0]) <= pair[1])
                    && document.name_id(pair[0]) == document.name_id(pair[1])
            });
            // With several fields shown, each of them is known to be a record.
            let most = if self.fields.len() > 1 { 0 } else { above.len() / 10 };
            if !like || more > most || found.shown.iter().any(|&shown| !first[shown]) {
                return;
            }
            let kept = || first.iter().zip(&above).filter(|(first, _)| **first).map(|(_, &node)| node);
            found.records = kept().map(|node| Record::node(document, node)).collect();
            let mut each = first.iter();
            found.shares.retain(|_| each.next().is_none_or(|first| *first));
            found.shown = self.numbers(&found.records).unwrap_or_default();
        }
    }

    /// Takes back fields that records have at the right place, but of another kind: a date where the shown one has an
    /// amount.
    fn weigh_types(&self, found: &mut Records) {
        let view = self.view;
        let base = |record: &Record| if found.cut == Cut::Nodes { record.first } else { found.parent };
        let model = base(&found.records[found.shown[0]]);
        let kind = |text: &str| [shape::is_money(text), shape::is_date(text), shape::is_value(text)];
        let below = |leaf: &Leaf| model == leaf.node || self.document.is_ancestor(model, leaf.node);
        let typed: Vec<(u64, [bool; 3])> = self
            .fields
            .iter()
            .filter(|(leaf, _)| below(leaf))
            .map(|(leaf, _)| (view.key_below(model, leaf, By::Tag), kind(self.reading.of(leaf.node))))
            .filter(|(_, kind)| kind.contains(&true))
            .collect();
        let one = 1.0 / self.fields.len().max(1) as f32;
        for (record, share) in found.records.iter().zip(&mut found.shares).filter(|(_, share)| **share < WHOLE) {
            let base = base(record);
            for leaf in view.leaves_in(record.first, record.end) {
                let key = view.key_below(base, leaf, By::Tag);
                let other = |own: &&(u64, [bool; 3])| own.0 == key && own.1 != kind(self.reading.of(leaf.node));
                *share -= typed.iter().filter(other).count() as f32 * one;
            }
        }
    }

    /// Leaves out what has words where the shown record has numbers, dates or amounts, if nearly all others are as the shown one is: an
    /// advertisement, if that is so of two fields or more; a row of headers, if it comes first and lacks another field.
    fn drop_other_values(&self, found: &mut Records) {
        if found.cut != Cut::Nodes || found.records.len() < 4 {
            return;
        }
        let shown = found.records[found.shown[0]];
        let keys: Vec<u64> =
            self.fields.iter().map(|(leaf, _)| self.view.key_below(shown.first, leaf, By::Tag)).collect();
        let model = self.texts(&keys, &shown);
        // By record: at how many places it has a value of the shown kind, and at how many one of another.
        let count = |record: &Record| {
            let own = self.texts(&keys, record);
            let pairs = model.iter().zip(&own).filter_map(|(model, own)| Some(((*model)?, (*own)?)));
            let figure = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "$€£¥₹".contains(c));
            let typed = pairs.filter(|(model, _)| is_value(model) || figure(model));
            typed.fold((0, 0), |(like, other), (model, own)| {
                let like_it = is_value(model) && is_kind_of(model, own) || figure(model) && figure(own);
                if like_it { (like + 1, other) } else { (like, other + 1) }
            })
        };
        let counts: Vec<(usize, usize)> = found.records.iter().map(count).collect();
        let whole = counts.iter().filter(|(like, other)| *like > 0 && *other == 0).count();
        if whole * ALIKE_SHARE < 2 * counts.len() {
            return;
        }
        let first = counts.iter().position(|(like, _)| *like > 0).unwrap_or_default();
        // The elements that all records with such values have: a record that has words instead has them, too.
        let mut common: Option<Vec<u64>> = None;
        for (record, _) in found.records.iter().zip(&counts).filter(|(_, (like, _))| *like > 0).take(COMPARED) {
            let own = build(self.document, record);
            match &mut common {
                Some(common) => common.retain(|key| own.binary_search(key).is_ok()),
                None => common = Some(own),
            }
        }
        let common = common.unwrap_or_default();
        let lacks_parts = |at: usize| {
            let own = build(self.document, &found.records[at]);
            common.iter().any(|key| own.binary_search(key).is_err())
        };
        let is_other = |at: usize| {
            let (like, other) = counts[at];
            like == 0 && (other > 1 && lacks_parts(at) || other == 1 && at < first && found.shares[at] < WHOLE)
        };
        let last = found.records.len() - 1;
        let is_total =
            |at: usize| at == last && found.shares[at] < WHOLE && noise::is_total(self.view, &found.records[at]);
        let keep: Vec<bool> =
            (0..counts.len()).map(|at| found.shown.contains(&at) || !is_other(at) && !is_total(at)).collect();
        self.keep(found, &keep);
    }

    /// Leaves out what says that it is an advertisement, unless one is shown.
    fn drop_ads(&self, found: &mut Records) {
        let ad = |record: &Record| noise::is_ad(self.document, record.first);
        if found.cut != Cut::Nodes || found.shown.iter().any(|&shown| ad(&found.records[shown])) {
            return;
        }
        let keep: Vec<bool> = found.records.iter().map(|record| !ad(record)).collect();
        self.keep(found, &keep);
    }

    /// Keeps some of the records.
    fn keep(&self, found: &mut Records, keep: &[bool]) {
        let mut each = keep.iter();
        found.records.retain(|_| each.next().is_none_or(|keep| *keep));
        let mut each = keep.iter();
        found.shares.retain(|_| each.next().is_none_or(|keep| *keep));
        found.worth = found.shares.iter().sum();
        found.shown = self.numbers(&found.records).unwrap_or_default();
    }

    /// Leaves out what is no record, though it has some of the fields.
    fn drop_noise(&self, found: &mut Records) {
        self.drop_ads(found);
        self.drop_other_builds(found);
        self.drop_other_values(found);
        self.weigh_types(found);
        let (mut marks, mut tally) = (None, Tally::default());
        for _ in 0..ROUNDS {
            // What stays anyway need not be looked at: on most pages all.
            let stays = |(at, share): (usize, &f32)| *share > WHOLE || found.shown.contains(&at);
            if found.shares.iter().enumerate().all(stays) {
                return;
            }
            let marks = marks.get_or_insert_with(|| Marks::new(self.document));
            let candidate = Candidate::new(found.cut, found.parent, std::mem::take(&mut found.records));
            let margins = noise::margins(self.view, marks, &mut tally, &candidate);
            let before = candidate.records.len();
            let mut keep: Vec<bool> = (0..before)
                .map(|at| {
                    let share = found.shares[at];
                    // At an end, what all others have must be there: an introduction, a pager.
                    let lacking = (at == 0 || at + 1 == before)
                        && before > 3
                        && share < WHOLE
                        && found.shares.iter().enumerate().all(|(other, share)| other == at || *share > WHOLE);
                    let inner = at > 0 && at + 1 < before;
                    let like = share > 0.7 && inner || margins[at] > if share > 0.7 { -4.0 } else { -2.0 };
                    found.shown.contains(&at) || share > WHOLE || like && !lacking && share >= LEAST
                })
                .collect();
            keep_between(found.cut, &mut keep);
            found.records = candidate.records;
            self.keep(found, &keep);
            if found.records.len() == before {
                return;
            }
        }
    }
}

/// The elements like the shown record wherever they stand below each other: comments with replies to replies. None if the record is
/// not in another one like it.
pub(crate) fn at_any_depth(
    view: &PageView<'_>,
    reading: &Reading<'_>,
    shown: &[Shown],
    own: usize,
    found: &Records,
) -> Option<Records> {
    let document = view.document;
    let model = found.records[*found.shown.first()?].first;
    let is_like = |id: NodeId| {
        document.name_id(id) == document.name_id(model)
            && view.step(id) == view.step(model)
            && view.has_content(id)
            && !view.is_hidden(id)
    };
    let around = document.parent(model)?;
    let beside = |id: NodeId| {
        document.parent(id).is_some_and(|parent| {
            document.name_id(parent) == document.name_id(around) && view.step(parent) == view.step(around)
        })
    };
    let top = document.ancestors(model).filter(|&id| is_like(id)).last().filter(|_| found.cut == Cut::Nodes)?;
    let region = document.parent(top)?;
    let nodes = document.descendants(region).filter(|&id| document.is_element(id) && is_like(id) && beside(id));
    let records: Vec<Record> = nodes.map(|id| Record::node(document, id)).collect();
    let number = |at: &usize| records.iter().position(|record| record.first == found.records[*at].first);
    let numbers = found.shown.iter().map(number).collect::<Option<Vec<usize>>>()?;
    let search = Search::new(view, reading, shown, own);
    let shares = search.shares(Cut::Nodes, found.parent, &records, *numbers.first()?);
    let shares: Vec<f32> = shares.iter().map(|share| share.tags).collect();
    let enough = shares.iter().all(|share| *share >= LEAST) && records.len() >= found.records.len();
    enough.then(|| Records { records, worth: shares.iter().sum(), shares, shown: numbers, ..found.clone() })
}

/// The best of the other sets that is nearly as good as the one that was taken, and has another number of records.
pub(crate) fn rival(taken: &Records, sets: &[Records]) -> Option<Rival> {
    let least = taken.score? - NEARLY;
    let scored = sets.iter().filter(|other| other.records.len() != taken.records.len());
    let scored = scored.filter_map(|other| Some((other.score.filter(|score| *score > least)?, other)));
    let (_, rival) = scored.max_by(|one, two| one.0.total_cmp(&two.0))?;
    let outside = |own: &Records, other: &Records| {
        let apart = |one: &Record| !other.records.iter().any(|two| one.first < two.end && two.first < one.end);
        own.records.iter().find(|record| apart(record)).copied()
    };
    let differs = outside(rival, taken).or_else(|| outside(taken, rival))?;
    Some(Rival { records: rival.records.len(), differs })
}

/// Returns the numbers of the shown fields that an element beside the records lacks.
pub(crate) fn lacks(
    view: &PageView<'_>,
    reading: &Reading<'_>,
    shown: &[Shown],
    own: usize,
    found: &Records,
    other: &Record,
) -> Vec<usize> {
    let search = Search::new(view, reading, shown, own);
    let model = found.records[found.shown[0]];
    let keys: Vec<u64> = search.fields.iter().map(|(leaf, _)| view.key_below(model.first, leaf, By::Tag)).collect();
    let texts = search.texts(&keys, other);
    (0..texts.len()).filter(|&at| texts[at].is_none()).collect()
}

/// Returns the records with all their siblings of the same tag that have some of the fields; none if there are no more.
pub(crate) fn widen(
    view: &PageView<'_>,
    reading: &Reading<'_>,
    shown: &[Shown],
    own: usize,
    found: &Records,
) -> Option<Records> {
    let document = view.document;
    if found.cut != Cut::Nodes {
        return None;
    }
    let search = Search::new(view, reading, shown, own);
    let name = document.name_id(found.records[found.shown[0]].first);
    let mut parents: Vec<NodeId> = found.records.iter().filter_map(|record| document.parent(record.first)).collect();
    parents.sort_unstable();
    parents.dedup();
    let children = parents.iter().flat_map(|&parent| document.children(parent));
    let like = |id: &NodeId| document.name_id(*id) == name && view.has_content(*id) && !view.is_hidden(*id);
    let mut records: Vec<Record> = children.filter(like).map(|id| Record::node(document, id)).collect();
    records.sort_unstable_by_key(|record| record.first);
    let at = search.numbers(&records)?;
    let shares = search.shares(Cut::Nodes, found.parent, &records, at[0]);
    let mut each = shares.iter();
    let known = |record: &Record| found.records.binary_search_by_key(&record.first, |known| known.first).is_ok();
    records.retain(|record| {
        let share = each.next().map_or(0.0, |share| share.tags);
        share > 0.0 || known(record)
    });
    // Far more than were known are another thing.
    if records.len() <= found.records.len() || records.len() > 2 * found.records.len() + 2 {
        return None;
    }
    let shown = search.numbers(&records)?;
    Some(Records { records, shown, ..found.clone() })
}

/// Runs that stand between others are kept: each ends where the next begins, so what is in one that is left out would be
/// the one's in front of it.
fn keep_between(cut: Cut, keep: &mut [bool]) {
    if cut != Cut::Nodes
        && let (Some(first), Some(last)) = (keep.iter().position(|keep| *keep), keep.iter().rposition(|keep| *keep))
    {
        keep[first..last].fill(true);
    }
}

/// Whether an element is like another of its tag: its class has a word in common with the other's, or neither has one;
/// and its id is no other name. An id with a digit in it only counts.
fn alike(document: &Document, one: NodeId, other: NodeId) -> bool {
    share_class(document, one, other) && !differ(document, one, other)
}

/// Whether two elements have ids, and not the same.
fn differ(document: &Document, one: NodeId, other: NodeId) -> bool {
    let name = |id: NodeId| document.attr(id, "id").filter(|id| !id.contains(|c: char| c.is_ascii_digit()));
    name(one).is_some_and(|one| name(other).is_some_and(|other| one != other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The post that opens a thread is one whole record in front of those that are known, and nothing else is.
    #[test]
    fn one_whole_record_in_front_is_an_opening() {
        let record =
            |first: usize, end: usize| Record { first: NodeId::from_index(first), end: NodeId::from_index(end) };
        let set = |records: Vec<Record>, shares: Vec<f32>| Records {
            cut: Cut::Nodes,
            worth: shares.iter().sum(),
            records,
            parent: NodeId::ROOT,
            shares,
            shown: vec![1],
            without: Vec::new(),
            chance: None,
            score: None,
            by_likeness: false,
        };
        let answers = [record(20, 30), record(30, 40)];
        // The other set may take what is inside of each.
        let thread = |share| set(vec![record(5, 15), record(21, 30), record(31, 40)], vec![share, 1.0, 1.0]);
        assert!(thread(1.0).adds_an_opening(&answers));
        assert!(!thread(0.5).adds_an_opening(&answers));
        assert!(!set(vec![record(20, 30), record(30, 40), record(50, 60)], vec![1.0; 3]).adds_an_opening(&answers));
        assert!(
            !set(vec![record(1, 4), record(5, 15), record(20, 30), record(30, 40)], vec![1.0; 4])
                .adds_an_opening(&answers)
        );
        assert!(!set(Vec::new(), Vec::new()).adds_an_opening(&answers));
    }
}
