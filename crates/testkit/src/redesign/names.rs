//! Changes of names: classes, ids, and the labels in front of values.

use super::map::{Map, Target, is_generated, only_text};
use super::tree::{Content, Tree};
use super::words;
use crate::generate::Rng;

/// Renames one class wherever it stands.
pub(super) fn rename_class(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let fits = |at: usize| tree.classes(at).any(|class| !is_generated(class));
    let Target { members, .. } = map.target(rng, &fits)?;
    let classes: Vec<&str> = tree.classes(*members.first()?).filter(|class| !is_generated(class)).collect();
    let old = (*classes.get(rng.below(classes.len()))?).to_owned();
    let new = match rng.below(4) {
        0 => format!("site-{old}"),
        1 => format!("{old}-{}", 2 + rng.below(3)),
        _ => words::class(rng, &words::NAMES),
    };
    // Two classes that become one are another change than a new name.
    if tree.order().into_iter().any(|at| tree.classes(at).any(|class| class == new)) {
        return None;
    }
    rename_classes(tree, &mut |class| (class == old).then(|| new.clone()));
    Some(format!(".{old} to .{new}"))
}

/// Renames all classes that a build made: the next build makes others.
pub(super) fn rebuild(tree: &mut Tree, rng: &mut Rng) -> Option<String> {
    // The same class gets the same name wherever it stands, so its name is drawn from itself and one number.
    let salt = rng.bits();
    let count = rename_classes(tree, &mut |class| is_generated(class).then(|| rehash(class, salt)));
    (count > 0).then(|| format!("{count} generated classes"))
}

/// Another name of the same form for a generated class: the last part is drawn anew.
fn rehash(class: &str, salt: u64) -> String {
    let seed = class.bytes().fold(salt, |sum, byte| sum.rotate_left(7) ^ u64::from(byte).wrapping_mul(0x9E37_79B9));
    let mut rng = Rng::new(seed);
    let tail = class.rfind(['-', '_']).map_or(0, |at| at + 1);
    let draw = |char: char| match char {
        'a'..='z' => char::from(b'a' + rng.below(26) as u8),
        'A'..='Z' => char::from(b'A' + rng.below(26) as u8),
        '0'..='9' => char::from(b'0' + rng.below(10) as u8),
        other => other,
    };
    format!("{}{}", &class[..tail], class[tail..].chars().map(draw).collect::<String>())
}

/// Renames one id.
pub(super) fn rename_id(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let Target { members, .. } = map.target(rng, &|at| tree.attr(at, "id").is_some())?;
    let mut whats = Vec::new();
    let name = rng.pick(&words::NAMES);
    for at in members {
        let Some(old) = tree.attr(at, "id").map(str::to_owned) else { continue };
        // What tells one element from the next stays in it, as in `item-17`.
        let number: String = old.chars().filter(char::is_ascii_digit).collect();
        let new = format!("{name}{number}");
        tree.set_attr(at, "id", &new);
        whats.push(format!("#{old} to #{new}"));
    }
    whats.into_iter().next()
}

/// Rewords a label in front of a value, in all records alike.
pub(super) fn relabel(tree: &mut Tree, map: &Map, rng: &mut Rng) -> Option<String> {
    let labels = map.labels(tree);
    let group = labels.get(rng.below(labels.len()))?;
    let before = rng.once_in(2);
    let mut what = None;
    for &label in group {
        let at = only_text(tree, label)?;
        let Content::Text(old) = &tree.items[at].content else { continue };
        let (old, words) = (old.to_string(), old.trim().to_owned());
        let (name, colon) = words.strip_suffix(':').map_or((words.as_str(), ""), |name| (name, ":"));
        let new = if before { format!("Our {name}{colon}") } else { format!("{name} (new){colon}") };
        tree.items[at].content = Content::Text(old.replacen(&words, &new, 1).into());
        what.get_or_insert(format!("{words} to {new}"));
    }
    what
}

/// Renames classes on the whole page; says how many there were to rename.
fn rename_classes(tree: &mut Tree, rename: &mut dyn FnMut(&str) -> Option<String>) -> usize {
    let mut count = 0;
    for at in tree.order() {
        let classes: Vec<(String, bool)> = tree
            .classes(at)
            .map(|class| rename(class).map_or_else(|| (class.to_owned(), false), |new| (new, true)))
            .collect();
        if classes.iter().any(|(_, renamed)| *renamed) {
            count += classes.iter().filter(|(_, renamed)| *renamed).count();
            let value = classes.into_iter().map(|(class, _)| class).collect::<Vec<_>>().join(" ");
            tree.set_attr(at, "class", &value);
        }
    }
    count
}
