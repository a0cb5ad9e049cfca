//! Bodies: from where the feed's text begins on the page to the boundary of the template.
//!
//! A feed has the whole body, a part of it, or another text; a page shows more or less than the feed. What they agree on
//! is where the body begins. The body is then the element around that place that has most of it and least of the rest:
//! words that are the feed's, if the feed has the whole body, else all words that are not the template's, which says the
//! same in every entry. Where the title is in every element around the body, the body is a run of siblings, up to the
//! first that belongs to the template (`known`). What of the template is left inside is named (`noise`).
//!
//! # Cost
//!
//! For each entry, its words a few times; what an element has of them is looked up.

mod known;
mod noise;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::{Document, NodeId};

use self::known::{Candidate, Known, repeated};
use self::noise::noise;
use super::matcher::Wanted;
use super::sheet::Sheet;
use crate::scope::Scope;

/// What a body must agree with its feed to be taken as known.
const AGREES: f32 = 0.8;
/// How much better a run of siblings must be than an element.
const MARGIN: f32 = 0.02;
/// How much worse it may be than an element without a name.
const TIE: f32 = 0.005;

/// An entry whose body is looked for.
pub(super) struct Case<'s, 'p> {
    pub(super) sheet: &'s Sheet<'p>,
    pub(super) scope: Scope,
    /// The word that it begins with, if the feed tells.
    pub(super) start: Option<usize>,
    pub(super) wanted: Option<&'s Wanted>,
    /// What is not in it: title, date.
    pub(super) outside: Vec<NodeId>,
    /// Links to the entry's own page.
    pub(super) links: Vec<NodeId>,
}

/// Where a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// All there is in an element.
    Element(NodeId),
    /// Siblings: from `first` up to the node `end`.
    Run {
        /// The first of them.
        first: NodeId,
        /// The node behind them.
        end: NodeId,
    },
}

impl Body {
    /// Its first node, and the one behind it.
    pub(super) fn range(self, document: &Document) -> (NodeId, NodeId) {
        match self {
            Body::Element(id) => (id, document.subtree_end(id)),
            Body::Run { first, end } => (first, end),
        }
    }
}

/// The bodies of entries of one template.
pub(super) struct Bodies {
    /// By case.
    pub(super) bodies: Vec<Option<Body>>,
    /// Selectors of what is in bodies, but is the template's.
    pub(super) noise: Vec<String>,
    /// Whether they agree with the feed, which has them whole.
    pub(super) whole: bool,
}

/// The bodies of these entries, which are all of one template.
pub(super) fn bodies(cases: &[Case<'_, '_>]) -> Bodies {
    let repeated = repeated(cases);
    let known: Vec<Option<Known<'_, '_, '_>>> =
        cases.iter().map(|case| Known::new(case, &repeated, cases.len())).collect();
    let candidates: Vec<Vec<Candidate>> =
        known.iter().map(|known| known.as_ref().map_or_else(Vec::new, Known::candidates)).collect();
    let told = known.iter().flatten().count().max(1) as f32;
    let mut found = Bodies { bodies: vec![None; cases.len()], noise: Vec::new(), whole: false };
    // If the feed has the whole bodies, one kind of element agrees with them.
    for mode in [0, 1] {
        let Some((key, sum, run)) = best(&candidates, mode) else { continue };
        if mode == 0 && sum / told < AGREES {
            continue;
        }
        let is_chosen = |candidate: &&Candidate| candidate.key == key && is_run(candidate) == run;
        let chosen = candidates.iter().map(|own| own.iter().find(is_chosen));
        // The first of several paragraphs is what the feed has of the body, not the body.
        let goes_on = known.iter().zip(chosen).filter(|(known, chosen)| match (known, chosen) {
            (Some(known), Some(Candidate { body: Body::Element(id), named: false, .. })) => known.goes_on(*id),
            _ => false,
        });
        if mode == 0 && goes_on.count() * 2 > told as usize {
            continue;
        }
        for (at, own) in candidates.iter().enumerate() {
            let same = own.iter().filter(|candidate| candidate.key == key && is_run(candidate) == run);
            let best = same.max_by(|one, two| one.score[mode].total_cmp(&two.score[mode]));
            found.bodies[at] = best.map(|candidate| candidate.body);
        }
        found.whole = mode == 0;
        found.noise = noise(&known, &found.bodies, mode == 0);
        return found;
    }
    found
}

fn is_run(candidate: &Candidate) -> bool {
    matches!(candidate.body, Body::Run { .. })
}

/// The kind of candidates that does best in all cases: its key, how well it does, and whether it is a run.
fn best(candidates: &[Vec<Candidate>], mode: usize) -> Option<(u64, f32, bool)> {
    let mut sums: HashMap<(u64, bool), (f32, f32), FixedState> = HashMap::default();
    for own in candidates {
        let mut counted: HashSet<(u64, bool), FixedState> = HashSet::default();
        for candidate in own {
            let key = (candidate.key, is_run(candidate));
            if counted.insert(key) {
                let sum = sums.entry(key).or_default();
                sum.0 += candidate.score[mode];
                // Of elements that do as well, one with a name, then the outer one.
                sum.1 += if candidate.named { 0.02 } else { -0.02 } - 0.001 * candidate.depth as f32;
            }
        }
    }
    let order = |(key, sum): &((u64, bool), (f32, f32))| (sum.0 + sum.1, key.0);
    let of = |run: bool| {
        let own = sums.iter().filter(|(key, _)| key.1 == run).map(|(key, sum)| (*key, *sum));
        own.max_by(|one, two| order(one).partial_cmp(&order(two)).unwrap_or(std::cmp::Ordering::Equal))
    };
    let told = candidates.iter().filter(|own| !own.is_empty()).count().max(1) as f32;
    match (of(false), of(true)) {
        (Some(element), Some(run)) => {
            // An element without a name may be missing in other entries, where the text stands in what is around it.
            let named = |sum: (f32, f32)| sum.1 > 0.0;
            let margin = if named(element.1) {
                MARGIN
            } else if named(run.1) {
                -TIE
            } else {
                MARGIN
            };
            match run.1.0 <= element.1.0 + margin * told {
                true => Some((element.0.0, element.1.0, false)),
                false => Some((run.0.0, run.1.0, true)),
            }
        }
        (None, Some(run)) => Some((run.0.0, run.1.0, true)),
        (Some(element), None) => Some((element.0.0, element.1.0, false)),
        (None, None) => None,
    }
}
