//! Which of the places of a text is the one that is meant, with the other fields in view.

use windrow_dom::{NodeId, names};

use super::super::Wanted;
use super::{Shown, list_name};
use crate::induce::label::{Label, LabelKind};
use crate::induce::names::likeness;
use crate::induce::path::lasting_id;
use crate::induce::ways::Site;
use crate::reading::{Reading, Rung, Spot};

/// Places of a value that are looked at.
const SPOTS: usize = 12;

/// For each field its places by example, the best first.
pub(super) fn choose<'r, 'd>(pages: &'r [Reading<'d>], fields: &'r [Wanted]) -> Vec<Vec<Shown<'r, 'd>>> {
    // First each by itself, then with what was chosen for the others.
    let mut all: Vec<Vec<Judged<'r, 'd>>> = fields.iter().map(|field| judge(pages, field)).collect();
    let chosen: Vec<Vec<(usize, usize)>> =
        all.iter().map(|examples| examples.iter().filter_map(Judged::best).collect()).collect();
    let lists: Vec<(usize, usize, NodeId)> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| list_name(&field.name).is_some())
        .flat_map(|(number, _)| {
            all[number].iter().filter_map(move |judged| Some((number, judged.page, judged.holder()?)))
        })
        .collect();
    for (number, examples) in all.iter_mut().enumerate() {
        for judged in examples {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != number).flat_map(|(_, places)| places);
            let near: Vec<usize> = others.filter(|(page, _)| *page == judged.page).map(|(_, at)| *at).collect();
            let items = lists.iter().filter(|(other, page, _)| *other != number && *page == judged.page);
            let items: Vec<NodeId> = items.map(|(_, _, holder)| *holder).collect();
            for (cost, site) in &mut judged.sites {
                let node = site.place.node;
                let at = site.reading.range(node).start;
                let away = |other: &usize| match at == *other {
                    // Two fields are seldom one.
                    true => SAME,
                    false => NEAR * (1.0 + at.abs_diff(*other) as f32).log2(),
                };
                *cost += near.iter().map(away).sum::<f32>();
                // What is in an item of a list that is shown belongs to the item.
                let holds = |holder: &NodeId| site.reading.document.is_ancestor(*holder, node);
                *cost += if items.iter().any(holds) { IN_ITEM } else { 0.0 };
                // `5` under `Prep time` is no rating.
                let anothers = |label: &Label| {
                    let others = fields.iter().enumerate().filter(|(other, _)| *other != number);
                    let most = others.map(|(_, other)| likeness(&other.name, &label.text)).fold(0.0, f32::max);
                    most > NAMES && most > label.likeness
                };
                *cost += if site.labels.first().is_some_and(anothers) { ANOTHERS } else { 0.0 };
            }
            judged.sites.sort_by(|one, two| one.0.total_cmp(&two.0));
        }
    }
    let shown = |judged: Judged<'r, 'd>| {
        let best = judged.sites.first().map_or(0.0, |(cost, _)| *cost);
        Shown {
            page: judged.page,
            close: judged.sites.iter().skip(1).take_while(|(cost, _)| cost - best < CLOSE).count(),
            sites: judged.sites.into_iter().map(|(_, site)| site).collect(),
        }
    };
    all.into_iter()
        .map(|examples| examples.into_iter().filter(|judged| !judged.sites.is_empty()).map(shown).collect())
        .collect()
}

/// What each doubling of the distance to another field costs.
const NEAR: f32 = 0.15;
/// Places that cost so little more than the best cannot be told from it.
const CLOSE: f32 = 0.3;
/// What it costs to be where another field is.
const SAME: f32 = 1.5;
/// What it costs to stand behind the name of another field, and how much a label must be that name. Set by hand: as much as
/// to be in an item of a list.
const ANOTHERS: f32 = 3.0;
const NAMES: f32 = 0.6;
/// What it costs to be in an item of a list that another field is.
const IN_ITEM: f32 = 3.0;

/// The places of a text on one page, each with what speaks against it.
struct Judged<'r, 'd> {
    page: usize,
    sites: Vec<(f32, Site<'r, 'd>)>,
}

impl Judged<'_, '_> {
    /// What holds the item that is the best, and its like.
    fn holder(&self) -> Option<NodeId> {
        let best = self.sites.iter().min_by(|one, two| one.0.total_cmp(&two.0))?;
        let (site, document) = (&best.1, best.1.reading.document);
        let item = *site.levels.last()?;
        let around = std::iter::once(item).chain(document.ancestors(item)).take(4);
        let listed = |id: &NodeId| matches!(document.name_id(*id), Some(names::LI | names::TR | names::DD));
        document.parent(around.into_iter().find(listed).unwrap_or(item))
    }

    /// Where the best is: its page, and its first byte there.
    fn best(&self) -> Option<(usize, usize)> {
        let best = self.sites.iter().min_by(|one, two| one.0.total_cmp(&two.0))?;
        Some((self.page, best.1.reading.range(best.1.place.node).start))
    }
}

fn judge<'r, 'd>(pages: &'r [Reading<'d>], field: &'r Wanted) -> Vec<Judged<'r, 'd>> {
    let examples = field.spots.iter().filter_map(|(page, spots)| {
        let reading = pages.get(*page)?;
        let list = list_name(&field.name);
        let sites = spots.iter().take(SPOTS).map(|spot| {
            let site = Site::new(reading, &spot.place, list.unwrap_or(&field.name));
            (cost(&site, spot, list.is_some()), site)
        });
        Some(Judged { page: *page, sites: sites.collect() })
    });
    examples.collect()
}

/// How unlikely it is that a place is the one that is meant, or an item of the list that is. The units are those of a
/// rung.
fn cost(site: &Site<'_, '_>, spot: &Spot, list: bool) -> f32 {
    let reading = site.reading;
    let document = reading.document;
    let mut cost = match spot.rung {
        Rung::Whole => 0.0,
        Rung::Trimmed => 0.5,
        Rung::Folded => 1.5,
        Rung::Run => 3.0,
        Rung::Part => 5.0,
        Rung::FoldedPart => 6.0,
        Rung::Attribute => 6.0,
        Rung::Inside | Rung::Unseen => 8.0,
    };
    let node = spot.place.node;
    if list {
        // Where it stands among its like.
        let repeated = if repetition(reading, node) >= 2 { -1.5 } else { 0.0 };
        let away = if is_furniture(reading, node) { 2.0 } else { 0.0 };
        return cost + repeated + away - 1.5 * site.named();
    }
    // A label that stands on the page again and again names a field of a list.
    let listed = |text: &str| {
        let is = |&id: &NodeId| document.is_text(id) && document.text(id).trim() == text;
        reading.text.matches(text).nth(2).is_some() && document.nodes().filter(is).nth(2).is_some()
    };
    let label = site.labels.iter().find(|label| label.is_sure());
    let labelled = label.filter(|label| !listed(&label.text));
    cost -= match labelled.map(|label| (label.kind, label.likeness > 0.6)) {
        Some((_, true)) => 1.0,
        Some((LabelKind::Colon, _)) => 0.7,
        Some(_) => 0.5,
        None => 0.0,
    };
    let with_parent = site.levels.iter().copied().chain(document.parent(node));
    if with_parent.into_iter().any(|id| lasting_id(document, id).is_some()) {
        cost -= 1.0;
    }
    let heading = |id: NodeId| match document.name(id) {
        Some("h1") => Some(2.0),
        Some("h2") => Some(1.0),
        _ => None,
    };
    cost -= std::iter::once(node).chain(document.ancestors(node)).take(4).find_map(heading).unwrap_or(0.0);
    cost -= 1.5 * site.named();
    if is_furniture(reading, node) {
        cost += 2.0;
    }
    if labelled.is_none() && repetition(reading, node) >= 4 {
        cost += 1.0;
    }
    cost
}

/// Whether a place is in a part that shows the same on every page: navigation, a footer.
fn is_furniture(reading: &Reading<'_>, id: NodeId) -> bool {
    let document = reading.document;
    let apart =
        |above| matches!(document.name_id(above), Some(names::NAV | names::FOOTER | names::ASIDE | names::SELECT));
    document.ancestors(id).any(apart)
}

/// How many siblings of an element around are built like it: a value in a list of many is one of many.
fn repetition(reading: &Reading<'_>, id: NodeId) -> usize {
    let document = reading.document;
    let like = |one: NodeId, two: NodeId| {
        document.name_id(one) == document.name_id(two)
            && document.attr_by_id(one, names::CLASS) == document.attr_by_id(two, names::CLASS)
            && document.first_child(one).map(|child| document.name_id(child))
                == document.first_child(two).map(|child| document.name_id(child))
    };
    let repeated = |above: NodeId| {
        let Some(parent) = document.parent(above) else { return 0 };
        document
            .children(parent)
            .filter(|&sibling| document.is_element(sibling) && like(sibling, above))
            .take(50)
            .count()
    };
    let listed = |above: &NodeId| matches!(document.name(*above), Some("li" | "tr" | "div" | "dd" | "option" | "p"));
    std::iter::once(id).chain(document.ancestors(id)).take(5).filter(listed).map(repeated).max().unwrap_or(0)
}
