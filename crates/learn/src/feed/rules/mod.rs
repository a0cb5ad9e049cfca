//! From the places of fields to the rules of one template.
//!
//! Some entries are held back. The rules of each field are written in two forms from the others: as XPath and CSS
//! (`xpath`, with `dates` and `runs`; they ask `induce::locate` in the records of an index page, `example::page` on the
//! pages of single entries), and as landmarks (`tokens`, which asks `induce::landmark`). Both are run on all entries
//! (`trial`); the form that gives more of those held back is kept, then the simpler, and written anew from all entries.
//!
//! Paper: Zhang et al. 2006, section 3.2: the rule composer's random division into training and test data, by entries.

mod dates;
mod runs;
mod tokens;
mod trial;
mod xpath;

use std::sync::Arc;

use windrow_dom::NodeId;
use windrow_wrapper::values::Type;
use windrow_wrapper::{Locator, Page, Rule, Until};
use windrow_xpath::{Node, path_of};

use self::tokens::Strips;
use self::trial::steps;
use super::body::Bodies;
use super::fields::Seen;
use super::{FIELDS, Form, How, Match, Options, PageKind, Trial};
use crate::induce::record;
use crate::scope::Cut;

/// Entries below which none is held back.
pub(super) const FEW: usize = 4;
/// Tokens more that a rule by names may have: it lasts longer.
const LASTING: usize = 2;

/// The fields of entries, by field of [`FIELDS`] and entry.
pub(super) type Found = [Vec<Option<Match>>; FIELDS.len()];

/// Entries of one template, with where their fields are.
pub(super) struct Template<'s, 'p> {
    pub(super) kind: PageKind,
    pub(super) cut: Cut,
    pub(super) seen: Vec<Seen<'s, 'p>>,
    /// By entry: the page that it is on.
    pub(super) pages: Vec<&'s Arc<Page>>,
    pub(super) found: Found,
    pub(super) bodies: Bodies,
}

/// The type of a field.
fn typed(field: &str) -> Type {
    match field {
        "link" => Type::Url,
        "date" => Type::Date,
        "body" => Type::Html,
        _ => Type::String,
    }
}

/// Which of so many entries are held back: a third of them, chosen at random.
fn held_back(count: usize, seed: u64) -> Vec<bool> {
    let mut held = vec![false; count];
    if count < FEW {
        return held;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for at in (1..count).rev() {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        order.swap(at, ((mixed ^ (mixed >> 31)) % (at as u64 + 1)) as usize);
    }
    order[..count / 3].iter().for_each(|&at| held[at] = true);
    held
}

impl Template<'_, '_> {
    /// The list of the entries, and how each field's form was chosen.
    pub(super) fn rule(&self, options: &Options) -> Option<(Rule, Vec<Trial>)> {
        let known = self.known();
        let held = held_back(known.len(), options.seed);
        let of = |wanted: bool| known.iter().zip(&held).filter(move |(_, held)| **held == wanted).map(|(at, _)| *at);
        let (training, tests): (Vec<usize>, Vec<usize>) = (of(false).collect(), of(true).collect());
        let strips = Strips::new(self);
        if options.form == Form::Landmark && self.kind == PageKind::Index {
            return Some((self.tokens_alone(&strips, &known)?, Vec::new()));
        }
        let tested = if tests.is_empty() { &known } else { &tests };
        let xpaths = self.xpaths(&training);
        let landmarks: Vec<Option<(Locator, usize)>> =
            (0..FIELDS.len()).map(|field| self.landmark(&strips, field, &training, &tests)).collect();
        let scores = [
            self.scores(&xpaths, tested),
            self.scores(
                &landmarks.iter().map(|form| form.as_ref().map(|form| form.0.clone())).collect::<Vec<_>>(),
                tested,
            ),
        ];
        let all = self.xpaths(&known);
        let mut trials = Vec::new();
        let mut chosen: Vec<Option<Locator>> = Vec::new();
        for (field, name) in FIELDS.iter().enumerate() {
            let has = tested.iter().filter(|&&at| self.found[field][at].is_some()).count();
            let (xpath, landmark) = (scores[0][field], scores[1][field]);
            let simple = || {
                let tokens = landmarks[field].as_ref().map_or(usize::MAX, |form| form.1);
                // A run of siblings ends with what holds it, also where the token behind it is missing.
                let runs = *name == "body" && !self.has_elements(&known);
                xpaths[field].as_ref().is_some_and(|locator| runs || steps(locator) <= tokens + LASTING)
            };
            // Tokens around it do not say how a date is to be read.
            let reads = *name == "date"
                && xpath.is_some_and(|right| right > 0)
                && known.iter().any(|&at| {
                    self.found[field][at].as_ref().is_some_and(|it| matches!(it.how, How::Yearless | How::Swapped))
                });
            let by_xpath = match (xpath, landmark) {
                _ if reads => true,
                (Some(_), None) => true,
                (None, _) => false,
                (Some(one), Some(other)) => options.form == Form::XPath || one > other || one == other && simple(),
            };
            let locator = match by_xpath {
                true => all[field].clone(),
                // Where no rule fits all, the one that fits those it was tried on stays.
                false => {
                    self.landmark(&strips, field, &known, &[]).or_else(|| landmarks[field].clone()).map(|form| form.0)
                }
            };
            // A rule that gives no date right in any entry gives something else.
            let locator = locator.filter(|locator| {
                let mut alone = vec![None; FIELDS.len()];
                alone[field] = Some(locator.clone());
                *name != "date" || xpath.max(landmark) != Some(0) || self.scores(&alone, &known)[field] != Some(0)
            });
            if xpath.is_some() || landmark.is_some() {
                let kept = if by_xpath { Form::XPath } else { Form::Landmark };
                trials.push(Trial { field: name, kind: self.kind, tried: has, xpath, landmark, kept });
            }
            chosen.push(locator);
        }
        Some((self.list(chosen, true)?, trials))
    }

    /// The entries that are items'.
    fn known(&self) -> Vec<usize> {
        (0..self.seen.len()).filter(|&at| self.seen[at].entry.item.is_some()).collect()
    }

    /// The list with these locators for its fields.
    fn list(&self, locators: Vec<Option<Locator>>, finished: bool) -> Option<Rule> {
        let mut list = Rule::list("entries", Locator::default());
        for (field, locator) in locators.into_iter().enumerate() {
            let Some(mut locator) = locator else { continue };
            let name = FIELDS[field];
            if name == "body" && finished && !self.bodies.noise.is_empty() {
                locator.without = Some(self.bodies.noise.join(", ").into());
            }
            let mut rule = match name {
                "categories" => Rule::list(name, locator),
                _ => Rule::field(name, locator).typed(typed(name)),
            };
            rule.optional = self
                .seen
                .iter()
                .zip(&self.found[field])
                .any(|(seen, found)| seen.entry.item.is_some() && found.is_none());
            list.rules.push(rule);
        }
        if self.kind == PageKind::Entry {
            list.locator = Locator::xpath("/html");
            list.path = Some("/html[1]".into());
        } else {
            let sheet = self.seen.first()?.sheet;
            let nodes: Vec<NodeId> = self.seen.iter().map(|seen| seen.entry.scope.record.first).collect();
            let runs = self.cut != Cut::Nodes;
            list.locator = record::of_rules(&sheet.view, &nodes, runs, &list.rules, &[]);
            if runs {
                list.locator.until = Some(Until::Next);
            }
            list.path = Some(path_of(sheet.document, Node::node(*nodes.first()?)).into());
        }
        list.rules.iter_mut().for_each(|rule| rule.optional = true);
        Some(list)
    }
}
