//! Which of the places of a text is the one that is meant, with the other fields in view.

use windrow_dom::{NodeId, names};

use super::super::Wanted;
use super::Shown;
use crate::induce::label::LabelKind;
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
    for (number, examples) in all.iter_mut().enumerate() {
        for judged in examples {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != number).flat_map(|(_, places)| places);
            let near: Vec<usize> = others.filter(|(page, _)| *page == judged.page).map(|(_, at)| *at).collect();
            for (cost, site) in &mut judged.sites {
                let at = site.reading.range(site.place.node).start;
                *cost += near.iter().map(|other| NEAR * (1.0 + at.abs_diff(*other) as f32).log2()).sum::<f32>();
            }
            judged.sites.sort_by(|one, two| one.0.total_cmp(&two.0));
        }
    }
    let shown = |judged: Judged<'r, 'd>| Shown {
        page: judged.page,
        sites: judged.sites.into_iter().map(|(_, site)| site).collect(),
    };
    all.into_iter()
        .map(|examples| examples.into_iter().filter(|judged| !judged.sites.is_empty()).map(shown).collect())
        .collect()
}

/// What each doubling of the distance to another field costs.
const NEAR: f32 = 0.15;

/// The places of a text on one page, each with what speaks against it.
struct Judged<'r, 'd> {
    page: usize,
    sites: Vec<(f32, Site<'r, 'd>)>,
}

impl Judged<'_, '_> {
    /// Where the best is: its page, and its first byte there.
    fn best(&self) -> Option<(usize, usize)> {
        let best = self.sites.iter().min_by(|one, two| one.0.total_cmp(&two.0))?;
        Some((self.page, best.1.reading.range(best.1.place.node).start))
    }
}

fn judge<'r, 'd>(pages: &'r [Reading<'d>], field: &'r Wanted) -> Vec<Judged<'r, 'd>> {
    let examples = field.spots.iter().filter_map(|(page, spots)| {
        let reading = pages.get(*page)?;
        let sites = spots.iter().take(SPOTS).map(|spot| {
            let site = Site::new(reading, &spot.place, &field.name);
            (cost(&site, spot), site)
        });
        Some(Judged { page: *page, sites: sites.collect() })
    });
    examples.collect()
}

/// How unlikely it is that a place is the one that is meant. The units are those of a rung.
fn cost(site: &Site<'_, '_>, spot: &Spot) -> f32 {
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
    // A label that stands on the page again and again names a field of a list.
    let listed = |text: &str| {
        let is = |&id: &NodeId| document.is_text(id) && document.text(id).trim() == text;
        reading.text.matches(text).nth(2).is_some() && document.nodes().filter(is).nth(2).is_some()
    };
    let label = site.labels.iter().find(|label| label.is_sure());
    let labelled = label.filter(|label| !listed(&label.text));
    cost -= match labelled.map(|label| (label.kind, label.likeness > 0.6)) {
        Some((LabelKind::Colon, _) | (_, true)) => 1.0,
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
