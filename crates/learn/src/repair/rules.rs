//! The rules of one level: fields, lists in the records, and what is kept as it is.

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::{Type, date, money, number};
use windrow_wrapper::{Find, Kind, Locator, Rule};

use super::known::KnownRecord;
use super::level::Level;
use super::refusal::{Note, Refusal};
use super::trial::Got;
use super::{Mended, MendedField, fields, items, single, trial};
use crate::induce::names::likeness;
use crate::scope::Cut;

/// The share of records that must have a field for it to be a sign of a record.
const USUAL: f32 = 0.9;

/// The rules of a level, and what was done to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) fields: Vec<MendedField>,
    pub(super) lists: Vec<Mended>,
    /// Of a page that is the record: what speaks for it that it is the known one.
    pub(super) same_page: Option<f32>,
}

/// Finds the rules of a level anew, those that need it. `all`: all known records of the list.
pub(super) fn mend(
    level: &Level<'_, '_, '_>,
    name: &str,
    old: &[Rule],
    all: &[&KnownRecord],
    notes: &mut Vec<Note>,
) -> Result<Rules, Refusal> {
    let mut mended = Rules::default();
    let plain = |rule: &&Rule| rule.kind == Kind::Field && !is_by_hand(rule);
    let share = |rule: &Rule| {
        let label = rule.shown();
        let has = |record: &&&KnownRecord| record.value(label).is_some_and(|value| !value.trim().is_empty());
        all.iter().filter(has).count() as f32 / all.len().max(1) as f32
    };
    let own: Vec<&Rule> = old.iter().filter(plain).collect();
    let mut chosen = match single::is_page(level) {
        true => {
            let found = single::choose(level, &own);
            mended.same_page = Some(found.same_page);
            found.chosen
        }
        false => fields::choose(level, &own, &share),
    }
    .into_iter();
    for rule in old {
        if plain(&rule) {
            let Some(chosen) = chosen.next() else { continue };
            let field = || rule.shown().to_owned();
            match chosen.rule {
                Some(rule) => {
                    if chosen.by_look && !chosen.report.kept {
                        notes.push(Note::ByLook { list: name.to_owned(), field: field() });
                    }
                    mended.fields.push(chosen.report);
                    mended.rules.push(rule);
                }
                None if mended.same_page.is_some() => {
                    notes.push(Note::Dropped { list: name.to_owned(), field: field() });
                }
                None if rule.optional && !chosen.needed => {
                    notes.push(Note::LeftOut { list: name.to_owned(), field: field() });
                }
                None => {
                    let known = chosen.report.compared;
                    return Err(Refusal::FieldLost {
                        list: name.to_owned(),
                        field: field(),
                        stands: chosen.stands,
                        known,
                    });
                }
            }
        } else if rule.kind == Kind::List && !is_by_hand(rule) {
            match items::mend(level, name, rule, all, notes)? {
                Some((rule, report)) => {
                    mended.rules.push(rule);
                    mended.lists.push(report);
                }
                None => notes.push(Note::LeftOut { list: name.to_owned(), field: rule.shown().to_owned() }),
            }
        } else if works(level, rule) {
            mended.rules.push(rule.clone());
        } else if rule.optional {
            notes.push(Note::LeftOut { list: name.to_owned(), field: rule.shown().to_owned() });
        } else {
            return Err(Refusal::ByHand { list: name.to_owned(), rule: rule.name.to_string() });
        }
    }
    Ok(mended)
}

/// Whether a rule is of a kind that no learner writes: it is kept, or it cannot be repaired.
pub(super) fn is_by_hand(rule: &Rule) -> bool {
    fn gets(locator: &Locator) -> bool {
        let inner = match &locator.find {
            Find::Get(_) => true,
            Find::Case(cases) => cases.iter().any(gets),
            Find::Table(locator) => gets(locator),
            _ => false,
        };
        inner || locator.then.as_deref().is_some_and(gets)
    }
    rule.is_temporary()
        || rule.members.is_some()
        || matches!(rule.kind, Kind::Group | Kind::Save)
        || gets(&rule.locator)
}

/// Whether a rule gives what is known, as far as anything is known of what it gives.
fn works(level: &Level<'_, '_, '_>, rule: &Rule) -> bool {
    let matched = level.matched();
    let scopes: Vec<_> = match level.cut {
        Cut::Nodes => matched.iter().map(|&at| level.scopes[at]).collect(),
        _ => level.scopes.clone(),
    };
    let Some(found) = trial::run(level.sheet, level.cut, &scopes, std::slice::from_ref(rule)) else { return false };
    let found: Vec<&KnownRecord> = match level.cut {
        Cut::Nodes => found.iter().collect(),
        _ => matched.iter().filter_map(|&at| found.get(at)).collect(),
    };
    // A temporary makes no object, but what is below it does.
    let makers = match rule.is_temporary() {
        true => &rule.rules[..],
        false => std::slice::from_ref(rule),
    };
    let labels: Vec<&str> = makers.iter().map(Rule::shown).collect();
    let (mut right, mut compared) = (0usize, 0usize);
    for (found, known) in found.iter().zip(matched.iter().filter_map(|&at| level.known_at(at))) {
        for label in &labels {
            let (one, two) = (found.value(label), known.value(label));
            let (first, second) = (found.list(label), known.list(label));
            if one.is_some() || two.is_some() || !first.is_empty() || !second.is_empty() {
                right += usize::from(one == two && first == second);
                compared += 1;
            }
        }
    }
    // What follows links gives nothing here, and is not known here.
    right * 2 >= compared
}

/// Which of the scopes are records: those that a known one is in, and those that have what these have.
pub(super) fn accept(level: &Level<'_, '_, '_>, rules: &[Rule]) -> Vec<bool> {
    let document = level.sheet.document;
    let matched = level.matched();
    let mut accepted: Vec<bool> = level.known.iter().map(Option::is_some).collect();
    if matched.len() == level.scopes.len() || matched.is_empty() {
        return accepted;
    }
    let signs: Vec<Rule> = rules.iter().filter(|rule| rule.kind == Kind::Field && !is_by_hand(rule)).cloned().collect();
    let Some(values) = trial::values(level.sheet, level.cut, &level.scopes, signs.clone()) else { return accepted };
    let fits = |rule: &Rule, value: &Option<Got>| {
        let hints = level.sheet.page.hints();
        let text = value.as_ref().map(|got| got.text.as_str());
        text.filter(|text| !text.is_empty()).is_some_and(|text| match rule.ty {
            Type::Number => number::parse(text, hints).is_some(),
            Type::Money => money::parse(text, hints).is_some(),
            Type::Date => date::parse(text, hints).is_some(),
            _ => true,
        })
    };
    let usual: Vec<(&Rule, &Vec<Option<Got>>, bool)> = signs
        .iter()
        .zip(&values)
        .filter_map(|(rule, values)| {
            let has = matched.iter().filter(|&&at| fits(rule, &values[at])).count();
            (has as f32 >= USUAL * matched.len() as f32).then_some((rule, values, has == matched.len()))
        })
        .collect();
    let firsts: Vec<NodeId> = matched.iter().map(|&at| level.scopes[at].record.first).collect();
    let words = common_words(document, &firsts);
    let mut parents: Vec<Option<NodeId>> = firsts.iter().map(|&node| document.parent(node)).collect();
    parents.sort_unstable();
    parents.dedup();
    for at in 0..level.scopes.len() {
        if accepted[at] {
            continue;
        }
        let first = level.scopes[at].record.first;
        let (mut has, mut lacks) = (0, 0);
        for (rule, values, always) in &usual {
            match fits(rule, &values[at]) {
                true => has += 1,
                // What is there, but of another type, is not missing.
                false if values[at].as_ref().is_some_and(|got| !got.text.is_empty()) => lacks += 1,
                false => lacks += if *always { 2 } else { 1 },
            }
        }
        let named = words.is_empty() || class_of(document, first).any(|word| words.contains(&word));
        let near = parents.len() > 1 || parents.contains(&document.parent(first));
        let enough = match usual.len() {
            0 => (0..signs.len()).any(|sign| values[sign][at].is_some()),
            // What all have must be there; of what nearly all have, one may be missing.
            _ => has > 0 && lacks < 2,
        };
        // The head of a table says what the fields are called.
        let heads = signs
            .iter()
            .zip(&values)
            .filter(|(rule, values)| values[at].as_ref().is_some_and(|got| likeness(rule.shown(), &got.text) > 0.9));
        let head = heads.count() * 2 >= signs.len().max(2);
        accepted[at] = named && near && enough && !head;
    }
    // Many that nobody knows: only those that are named as the known ones are, all the way up.
    let more = accepted.iter().filter(|accepted| **accepted).count() - matched.len();
    if more * 3 > matched.len() {
        let path = |at: usize| level.sheet.view.path(level.scopes[at].record.first);
        let mut paths: Vec<u64> = matched.iter().map(|&at| path(at)).collect();
        paths.sort_unstable();
        for (at, accepted) in accepted.iter_mut().enumerate() {
            *accepted &= level.known[at].is_some() || paths.binary_search(&path(at)).is_ok();
        }
    }
    if level.cut != Cut::Nodes
        && let (Some(first), Some(last)) =
            (accepted.iter().position(|accepted| *accepted), accepted.iter().rposition(|accepted| *accepted))
    {
        // A run ends where the next one begins.
        accepted[first..last].fill(true);
    }
    accepted
}

fn class_of(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    document.attr_by_id(id, names::CLASS).unwrap_or_default().split_ascii_whitespace()
}

/// The class words that all these have.
fn common_words<'d>(document: &'d Document, nodes: &[NodeId]) -> Vec<&'d str> {
    let Some((&first, others)) = nodes.split_first() else { return Vec::new() };
    class_of(document, first)
        .filter(|word| others.iter().all(|&other| class_of(document, other).any(|own| own == *word)))
        .collect()
}
