//! Descriptions of a repair: the known records that were found again, and how the values of each field agree.

use crate::learn::repair::{Known, KnownRecord, Mended, Repair};

/// Records of a list that are shown with their values before and now.
const SHOWN: usize = 3;
/// Records that are searched for the same one.
const SEARCHED: usize = 200;
/// Characters of a value that are shown.
const WIDTH: usize = 60;

/// The lines that tell it.
pub fn lines(repair: &Repair) -> Vec<String> {
    let mut lines = Vec::new();
    repair.lists.iter().for_each(|list| tell(list, 0, &mut lines));
    lines.extend(repair.notes.iter().map(|note| format!("note: {note}")));
    lines
}

fn tell(list: &Mended, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let how = |kept: bool| if kept { "kept" } else { "new rule" };
    if list.label.is_empty() {
        lines.push(format!("{indent}the page"))
    } else {
        lines.push(format!(
            "{indent}{}: {}; {} records, {} of {} known ones among them",
            list.label,
            how(list.kept),
            list.records,
            list.found,
            list.known,
        ))
    }
    for field in &list.fields {
        let agreed = match field.compared {
            0 => "nothing to compare".to_owned(),
            compared => format!("{} of {compared} values as known", field.agreed),
        };
        lines.push(format!("{indent}  {}: {}; {agreed}", field.label, how(field.kept)));
    }
    list.lists.iter().for_each(|inner| tell(inner, depth + 1, lines));
}

/// Shows the values of a few known records beside those that the mended wrapper finds for the same records. Two records
/// are the same if they have more values in common than either has with others.
pub fn side_by_side(before: &Known, now: &Known) -> Vec<String> {
    let mut lines = Vec::new();
    for list in &before.lists {
        let found = now.list(&list.label);
        let same = |one: &KnownRecord, other: &KnownRecord| {
            one.values.iter().filter(|value| other.value(&value.label) == Some(&value.raw)).count()
        };
        let pairs = list.records.iter().take(SEARCHED).filter_map(|record| {
            let others = found.iter().take(SEARCHED).map(|other| (same(record, other), other));
            let (count, other) = others.rev().max_by_key(|(count, _)| *count)?;
            (count > 0 || found.len() == 1 && list.records.len() == 1).then_some((record, other))
        });
        for (number, (record, other)) in pairs.take(SHOWN).enumerate() {
            if number == 0 {
                let name = if list.label.is_empty() { "the page" } else { &list.label };
                lines.push(format!("{name}, before | now:"));
            }
            for (at, value) in record.values.iter().enumerate() {
                let bullet = if at == 0 { "-" } else { " " };
                let now = other.value(&value.label).map_or_else(|| "(nothing)".to_owned(), cut);
                lines.push(format!("  {bullet} {}: {} | {now}", value.label, cut(&value.raw)));
            }
        }
    }
    lines
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
