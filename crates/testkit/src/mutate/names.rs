//! All classes and ids get other names: half of them as a build would make them, half other words.

use std::collections::{BTreeMap, BTreeSet};

use super::State;
use super::slots::MadeOf;
use crate::generate::Rng;

/// First parts of invented names of page parts.
const FRONT: [&str; 16] = [
    "page", "site", "ui", "content", "view", "base", "media", "stack", "inner", "grid", "flow", "unit", "tile", "deck",
    "shell", "app",
];
const BACK: [&str; 16] = [
    "panel", "cell", "holder", "piece", "strip", "region", "slot", "group", "body", "frame", "block", "part", "bar",
    "wrap", "lane", "zone",
];

/// Renames every class and id, the same to the same, and drops what scripts hang on.
pub(super) fn rename(state: &mut State, rng: &mut Rng, _: &[String]) -> bool {
    let kept: BTreeSet<(usize, String)> = state
        .used()
        .filter_map(|slot| match &slot.made_of {
            MadeOf::Attribute { item, name } => Some((*item, name.clone())),
            _ => None,
        })
        .collect();
    let tree = &mut state.tree;
    let order = tree.order();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for &at in &order {
        for name in tree.classes(at).chain(tree.attr(at, "id")) {
            if !names.contains_key(name) {
                names.insert(name.to_owned(), String::new());
            }
        }
    }
    let mut taken = BTreeSet::new();
    for new in names.values_mut() {
        // Names run out after some hundred; then they are counted.
        *new = (0..).map(|draw| draw_name(rng, draw)).find(|name| taken.insert(name.clone())).unwrap_or_default();
    }
    let mut changed = false;
    for at in order {
        let own = tree.items[at].attrs.clone();
        let renamed = own.iter().filter_map(|(name, value)| {
            if kept.contains(&(at, name.to_string())) {
                return Some((name.clone(), value.clone()));
            }
            let new = |word: &str| names.get(word).cloned().unwrap_or_else(|| word.to_owned());
            match &**name {
                "class" => {
                    let classes: Vec<String> = value.split_ascii_whitespace().map(new).collect();
                    Some((name.clone(), classes.join(" ").into()))
                }
                "id" => Some((name.clone(), new(value).into())),
                _ if name.starts_with("data-") => None,
                _ => Some((name.clone(), value.clone())),
            }
        });
        let renamed: Vec<_> = renamed.collect();
        changed |= renamed.len() != own.len() || renamed.iter().ne(own.iter());
        tree.items[at].attrs = renamed.into();
    }
    changed
}

fn draw_name(rng: &mut Rng, draw: usize) -> String {
    if rng.once_in(2) {
        let letters = (0..6).map(|rank| {
            let letter = char::from(b'a' + rng.below(26) as u8);
            if rank % 2 == 1 && rng.once_in(2) { char::from(b'0' + rng.below(10) as u8) } else { letter }
        });
        let tail: String = letters.collect();
        return format!("{}{tail}", ["css-", "sc-", "_", "x"][rng.below(4)]);
    }
    let name = format!("{}-{}", rng.pick(&FRONT), rng.pick(&BACK));
    if draw < 4 { name } else { format!("{name}-{draw}") }
}
