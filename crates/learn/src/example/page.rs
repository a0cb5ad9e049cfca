//! A page that shows a single record: each field by the rules most likely to find it on other pages of the site.
//!
//! The places of all fields are chosen together: a place is good if its text is just the value, if something says what it
//! is (a label, an id, the field's own name), if it stands near the places of the other fields, and not in a list of its
//! like. The rule of a field is a chain: the ways to its best place, the most lasting first, then to other places. The
//! first that finds something wins; ways that vote were tried, and lose: those by position agree with each other. Of a
//! list, one item is shown (`items`).
//!
//! Each way is tried on the pages that show the field, and must give what they show; other pages tell whether it finds
//! anything there, and not the same everywhere.
//!
//! # Cost
//!
//! A bounded number of places and ways; each way is one evaluation a page.

mod choose;
mod items;
#[cfg(test)]
mod tests;

use windrow_wrapper::{Find, Locator, Rule};

use self::choose::choose;
use super::Wanted;
use super::error::{Candidate, Note};
use crate::induce::way::{Kind, Probe, Way};
use crate::induce::ways::Site;
use crate::reading::Reading;

/// Alternatives of one rule, besides those that only some of the examples need.
const CHAIN: usize = 4;
/// Alternatives of one rule in all.
const LONGEST: usize = 8;
/// What a way by a label costs at most that says that it is one.
const SURE: f32 = 1.3;
/// How much the label of another place must be the field's name: `Total Time` is not `prep_time`.
const NAMES: f32 = 0.6;
/// Places of one value that ways are written for.
const PLACES: usize = 3;
/// Pages without examples that ways are tried on.
const TESTS: usize = 4;
/// Ways to one place that are tried if there are several pages.
const TRIES: usize = 24;

/// The rules of these fields, whose places are on the first page or others of the same site.
pub(crate) fn rules(pages: &[Reading<'_>], fields: &[Wanted]) -> Vec<Rule> {
    learn(pages, fields).0
}

/// The rule of a field whose place nobody showed, without the ways that lead to the first of several places: on another page
/// the first may be another field's, and no value is better than that.
pub(crate) fn firm_rule(page: &Reading<'_>, wanted: &Wanted) -> Option<Rule> {
    let (pages, fields) = (std::slice::from_ref(page), std::slice::from_ref(wanted));
    let probes = [Probe::new(page)];
    let sites = choose(pages, fields).pop()?;
    rule(&probes, wanted, &sites, &[], Ways::Firm, &mut Vec::new())
}

/// The ways that a rule may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ways {
    All,
    /// The places that something names, if there is one.
    Firm,
}

/// The same, with what to know about them. A field that is called `tags[]` is a list, of which an item is shown.
pub(crate) fn learn(pages: &[Reading<'_>], fields: &[Wanted]) -> (Vec<Rule>, Vec<Note>) {
    let probes: Vec<Probe<'_, '_>> = pages.iter().map(Probe::new).collect();
    let sites = choose(pages, fields);
    // What is a value of this page is no label on the next.
    let shown = sites.iter().flatten().filter_map(|shown| shown.sites.first());
    let shown: Vec<String> = shown.map(Site::value).collect();
    let values: Vec<String> = shown.iter().map(|value| format!("='{value}'")).collect();
    let mut notes = Vec::new();
    let mut rules = Vec::new();
    for (number, (wanted, examples)) in fields.iter().zip(&sites).enumerate() {
        rules.extend(match list_name(&wanted.name) {
            Some(name) => {
                let others = fields.iter().zip(&sites).enumerate().filter(|(other, _)| *other != number);
                let others = others.flat_map(|(_, (other, examples))| {
                    let is_list = list_name(&other.name).is_some();
                    let whole = move |site: &&Site<'_, '_>| is_list || site.place.part.is_none();
                    let best = move |shown: &Shown<'_, '_>| {
                        let site = shown.sites.first().filter(whole)?;
                        Some((shown.page, site.place.node, is_list))
                    };
                    examples.iter().filter_map(best)
                });
                let others: Vec<_> = others.collect();
                items::rule(&probes, name, examples, &others, &shown, &mut notes)
            }
            None => {
                notes.extend(ambiguous(&wanted.name, examples));
                rule(&probes, wanted, examples, &values, Ways::All, &mut notes)
            }
        });
    }
    (rules, notes)
}

/// The places of a field that one example cannot tell apart.
fn ambiguous(name: &str, examples: &[Shown<'_, '_>]) -> Option<Note> {
    let [shown] = examples else { return None };
    let sites = shown.sites.get(..=shown.close).filter(|sites| sites.len() > 1)?;
    let candidates = sites.iter().map(|site| Candidate::new(site.reading.document, &site.place)).collect();
    Some(Note::Ambiguous { field: name.to_owned(), candidates })
}

/// The name of a list of values, of which an item is shown.
pub(crate) fn list_name(name: &str) -> Option<&str> {
    name.strip_suffix("[]")
}

/// The places of a field on one page, the best first.
pub(crate) struct Shown<'r, 'd> {
    page: usize,
    sites: Vec<Site<'r, 'd>>,
    /// How many of them fit nearly as well as the first.
    close: usize,
}

/// A way, and what it gives on the pages that show the field.
struct Tried {
    way: Way,
    outcomes: Vec<Outcome>,
}

/// What a way gives on a page that shows the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Right,
    Nothing,
    Wrong,
}

fn rule(
    probes: &[Probe<'_, '_>],
    wanted: &Wanted,
    examples: &[Shown<'_, '_>],
    strange: &[String],
    ways: Ways,
    notes: &mut Vec<Note>,
) -> Option<Rule> {
    let first = examples.first()?;
    let best = first.sites.first()?;
    let values = examples.iter().map(|shown| shown.sites[0].value()).collect();
    let tries = Tries { probes, examples, strange, values };
    let mut chain = tries.chain();
    let is_firm = |tried: &Tried| tried.way.kind < Kind::Words;
    if ways == Ways::Firm && chain.iter().any(is_firm) {
        chain.retain(is_firm);
    }
    let mut alternatives: Vec<Locator> = chain.iter().map(|tried| tried.way.locator()).collect();
    let locator = match alternatives.len() {
        0 => return None,
        1 => alternatives.pop()?,
        _ => Locator::new(Find::Case(alternatives)),
    };
    if chain.iter().all(|tried| tried.way.is_positional()) {
        notes.push(Note::Positional { field: wanted.name.clone() });
    }
    let path = best.place.path(best.reading.document);
    Some(Rule::field(wanted.name.as_str(), locator).optional().found_at(path))
}

/// What ways are tried on.
struct Tries<'t, 'r, 'd> {
    probes: &'t [Probe<'r, 'd>],
    examples: &'t [Shown<'r, 'd>],
    /// Tests of labels that are values.
    strange: &'t [String],
    /// By example: what it shows.
    values: Vec<String>,
}

impl Tries<'_, '_, '_> {
    /// The alternatives of the rule, in their order.
    fn chain(&self) -> Vec<Tried> {
        let mut chain: Vec<Tried> = Vec::new();
        let mut spare: Vec<Tried> = Vec::new();
        let single = self.probes.len() == 1;
        let mut own = 0;
        for at in 0..PLACES {
            let most = if at == 0 { CHAIN } else { (chain.len() + 1).min(CHAIN + 1) };
            let all = match single {
                true => self.in_turn(at),
                false if at == 0 => self.by_trial(),
                false => break,
            };
            let mut kept: Vec<(Kind, u32)> = Vec::new();
            for tried in all {
                if chain.len() >= most {
                    if single {
                        break;
                    }
                    spare.push(tried);
                    continue;
                }
                let key = (tried.way.kind, tried.way.group);
                let same = kept.iter().filter(|&&known| known == key).count();
                let redundant = match tried.way.kind {
                    // Where the label is missing the value is, too; its place has another's.
                    Kind::Anchored => {
                        same >= 1 || chain.iter().any(|known| known.way.kind == Kind::Label && known.way.cost < SURE)
                    }
                    Kind::Words | Kind::Absolute => chain.iter().any(|known| known.way.kind < Kind::Words),
                    // What has a class of its own is missing with it; what looks like it beside that is another value.
                    Kind::Shaped => chain.iter().any(|known| known.way.kind <= Kind::Class),
                    Kind::Label => same >= 3,
                    _ => same >= 2,
                };
                if self.is_wrong_after(&tried, &chain)
                    || redundant
                    || chain.iter().any(|known| known.way.says(&tried.way))
                {
                    spare.push(tried);
                    continue;
                }
                kept.push(key);
                chain.push(tried);
            }
            if at == 0 {
                own = chain.len();
            }
        }
        // In front of other places that say the same on this page, which need not on the next.
        let site = self.examples.first().and_then(|shown| shown.sites.first());
        for way in site.into_iter().flat_map(Site::by_name_alone) {
            if let Some(tried) = self.attempt(way)
                && !self.is_wrong_after(&tried, &chain[..own])
                && !chain.iter().any(|known| known.way.says(&tried.way))
            {
                chain.insert(own, tried);
                own += 1;
            }
        }
        self.cover(&mut chain, spare);
        chain
    }

    /// The ways to the place of this rank, each tried only when it is its turn.
    fn in_turn(&self, at: usize) -> Box<dyn Iterator<Item = Tried> + '_> {
        let site = self.examples.first().and_then(|shown| shown.sites.get(at));
        let Some(site) = site.filter(|site| at == 0 || may_be_spare(site)) else { return Box::new(std::iter::empty()) };
        let ways = site.ways().into_iter().filter(move |way| at == 0 || way.kind <= Kind::Anchored);
        Box::new(ways.filter_map(|way| self.attempt(way)))
    }

    /// The ways to all places, in the order of how they do on all pages.
    fn by_trial(&self) -> Box<dyn Iterator<Item = Tried> + '_> {
        let mut all: Vec<Tried> = Vec::new();
        for shown in self.examples {
            for (at, site) in shown.sites.iter().take(PLACES).enumerate() {
                let ways = site.ways().into_iter().take(TRIES).map(|way| way.costing(0.7 * at as f32));
                for way in ways {
                    if all.len() < LONGEST * TRIES && !all.iter().any(|known| known.way.says(&way)) {
                        all.extend(self.attempt(way));
                    }
                }
            }
        }
        all.sort_by(|one, two| one.way.cost.total_cmp(&two.way.cost));
        Box::new(all.into_iter())
    }

    /// Whether a way, behind these, would give a wrong value on a page that shows the right one.
    fn is_wrong_after(&self, tried: &Tried, chain: &[Tried]) -> bool {
        (0..self.values.len())
            .any(|example| tried.outcomes[example] == Outcome::Wrong && outcome(chain, example) == Outcome::Nothing)
    }

    /// Adds ways for the examples that no way in the chain finds.
    fn cover(&self, chain: &mut Vec<Tried>, mut spare: Vec<Tried>) {
        for example in 0..self.values.len() {
            if chain.len() >= LONGEST || outcome(chain, example) == Outcome::Right {
                continue;
            }
            // In front of what is wrong there, if it is not wrong itself elsewhere; else behind all.
            let wrong = chain.iter().position(|tried| tried.outcomes[example] == Outcome::Wrong);
            let right = |tried: &Tried| tried.outcomes[example] == Outcome::Right;
            let harmless = |tried: &Tried| !tried.outcomes.contains(&Outcome::Wrong);
            let found = spare.iter().position(|tried| right(tried) && harmless(tried));
            let found = found.or_else(|| spare.iter().position(|tried| right(tried) && wrong.is_none()));
            if let Some(at) = found {
                let tried = spare.remove(at);
                chain.insert(wrong.unwrap_or(chain.len()), tried);
            }
        }
    }

    /// Tries a way on all pages; none if it gives no example's value. What it does there changes what it costs.
    fn attempt(&self, mut way: Way) -> Option<Tried> {
        if self.strange.iter().any(|test| way.expression.contains(test.as_str())) {
            return None;
        }
        let mut outcomes = Vec::with_capacity(self.values.len());
        let mut several = false;
        for (shown, value) in self.examples.iter().zip(&self.values) {
            outcomes.push(match self.probes.get(shown.page)?.find(&way) {
                None => Outcome::Nothing,
                Some(found) if found.text == *value => {
                    several |= found.count > 1;
                    Outcome::Right
                }
                Some(_) => Outcome::Wrong,
            });
            if self.examples.len() == 1 && outcomes[0] != Outcome::Right {
                return None;
            }
        }
        if several && matches!(way.kind, Kind::Heading | Kind::Class | Kind::Property) {
            // It was the first of several: it need not be elsewhere.
            way.cost += 1.0;
            way.kind = Kind::SharedClass;
        }
        let share = |outcome| outcomes.iter().filter(|&&one| one == outcome).count() as f32 / outcomes.len() as f32;
        if share(Outcome::Right) == 0.0 {
            return None;
        }
        way.cost += 2.0 * share(Outcome::Nothing) + 6.0 * share(Outcome::Wrong);
        let tests = (0..self.probes.len()).filter(|&page| self.examples.iter().all(|shown| shown.page != page));
        let found: Vec<Option<String>> =
            tests.take(TESTS).map(|page| self.probes[page].find(&way).map(|found| found.text)).collect();
        if !found.is_empty() && found.iter().all(Option::is_none) {
            way.cost += 2.0;
        }
        if found.len() >= 2 && found.iter().all(|text| text.as_ref().is_some_and(|text| self.values.contains(text))) {
            way.cost += 3.0;
        }
        Some(Tried { way, outcomes })
    }
}

/// What a chain gives on a page.
fn outcome(chain: &[Tried], example: usize) -> Outcome {
    let first = chain.iter().map(|tried| tried.outcomes[example]).find(|&outcome| outcome != Outcome::Nothing);
    first.unwrap_or(Outcome::Nothing)
}

/// Whether another place of the same text may stand in if the best place is missing: not if the text is only a part
/// there, or if that place is named otherwise.
fn may_be_spare(site: &Site<'_, '_>) -> bool {
    let other = site.labels.iter().any(|label| label.is_sure() && label.likeness <= NAMES);
    site.place.part.is_none() && !other
}
