//! The new wrapper, run as any other, against what is known.
//!
//! Every step before this looked at parts; here the whole is asked: does it give the known records, each value in its
//! field, as many as there were, and nothing empty that was full?

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_wrapper::values::{Hints, Type, date, money, number};
use windrow_wrapper::{Kind, Rule};

use super::clues::telling;
use super::fields::NEEDED;
use super::known::KnownRecord;
use super::offers::line;
use super::refusal::Refusal;
use super::rules::is_by_hand;

/// The share of the known records that must come out again, and the share of what comes out that they must be.
const FOUND: f32 = 0.4;
const SHARE: f32 = 0.35;
/// The share of values still on the page that must come out in their fields.
const AGREED: f32 = 0.4;
/// How much of what a field had it must still have.
const FILLED: f32 = 0.5;
/// Records that may have the same value for it to tell them apart.
const RARE: usize = 6;

/// Which known record each new one is, by number.
fn pairs(known: &[KnownRecord], now: &[KnownRecord]) -> Vec<(usize, usize)> {
    let mut by_value: HashMap<(&str, String), Vec<usize>, FixedState> = HashMap::default();
    for (number, record) in known.iter().enumerate() {
        for value in record.values.iter().filter(|value| !value.raw.is_empty()) {
            by_value.entry((&value.label, line(&value.raw))).or_default().push(number);
        }
        for list in &record.lists {
            for value in list.records.iter().flat_map(|item| &item.values).take(64) {
                by_value.entry((&list.label, line(&value.raw))).or_default().push(number);
            }
        }
    }
    let mut ranked: Vec<(f32, usize, usize)> = Vec::new();
    for (number, record) in now.iter().enumerate() {
        let mut here: Vec<(usize, f32)> = Vec::new();
        let own = record.values.iter().map(|value| (value.label.as_str(), line(&value.raw)));
        let nested = record.lists.iter().flat_map(|list| {
            let values = list.records.iter().flat_map(|item| &item.values).take(64);
            values.map(|value| (list.label.as_str(), line(&value.raw)))
        });
        for (label, text) in own.chain(nested) {
            let worth = telling(&text);
            let same = by_value.get(&(label, text)).map_or(&[][..], Vec::as_slice);
            if same.len() <= RARE {
                here.extend(same.iter().map(|&known| (known, worth / same.len() as f32)));
            }
        }
        here.sort_by_key(|pair| pair.0);
        for own in here.chunk_by(|one, two| one.0 == two.0) {
            ranked.push((own.iter().map(|pair| pair.1).sum(), own[0].0, number));
        }
    }
    ranked.sort_by(|one, two| two.0.total_cmp(&one.0).then((one.2, one.1).cmp(&(two.2, two.1))));
    let (mut taken, mut given) = (vec![false; known.len()], vec![false; now.len()]);
    let mut pairs = Vec::new();
    for (_, known, now) in ranked {
        if !taken[known] && !given[now] {
            (taken[known], given[now]) = (true, true);
            pairs.push((known, now));
        }
    }
    pairs
}

/// Whether the records that a list now gives are those that are known, as far as they are still there.
pub(super) fn list(
    name: &str,
    rule: &Rule,
    known: &[KnownRecord],
    now: &[KnownRecord],
    hints: &Hints,
) -> Result<(), Refusal> {
    let pairs = pairs(known, now);
    let least = (FOUND * known.len() as f32).max(if known.len() > 1 { 2.0 } else { 1.0 });
    let disagrees = |field: Option<&str>, agreed: usize, compared: usize| {
        Err(Refusal::Disagrees { list: name.to_owned(), field: field.map(str::to_owned), agreed, compared })
    };
    if (pairs.len() as f32) < least || (pairs.len() as f32) < SHARE * now.len() as f32 {
        return disagrees(None, pairs.len(), known.len().max(now.len()));
    }
    let (mut all_agreed, mut all_compared) = (0usize, 0usize);
    for rule in rule.rules.iter().filter(|rule| rule.kind == Kind::Field && !is_by_hand(rule)) {
        let label = rule.shown();
        let value = |record: &KnownRecord| record.value(label).map(line).filter(|text| !text.is_empty());
        let share = |records: &[KnownRecord], test: &dyn Fn(&str) -> bool| {
            let has = records.iter().filter(|record| value(record).is_some_and(|text| test(&text))).count();
            has as f32 / records.len().max(1) as f32
        };
        let (before, after) = (share(known, &|_| true), share(now, &|_| true));
        let typed = |text: &str| match rule.ty {
            Type::Number => number::parse(text, hints).is_some(),
            Type::Money => money::parse(text, hints).is_some(),
            Type::Date => date::parse(text, hints).is_some(),
            _ => true,
        };
        let (right, still) = (share(known, &typed), share(now, &typed));
        if before >= NEEDED && after < FILLED * before || right >= NEEDED && still < FILLED * right {
            return disagrees(Some(label), (still * now.len() as f32) as usize, now.len());
        }
        let both = pairs.iter().filter_map(|&(one, two)| Some((value(&known[one])?, value(&now[two]))));
        let (mut agreed, mut compared) = (0, 0);
        for (one, two) in both {
            compared += 1;
            agreed += usize::from(two.as_deref() == Some(&one));
        }
        // A field whose values are all new says nothing of the others.
        if agreed > 0 {
            all_agreed += agreed;
            all_compared += compared;
        }
    }
    if (all_agreed as f32) < AGREED * all_compared as f32 {
        return disagrees(None, all_agreed, all_compared);
    }
    Ok(())
}
