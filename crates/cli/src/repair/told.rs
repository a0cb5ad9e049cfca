//! What a repair did, in lines: how many known records it found again, and how the values of each field agree.

use windrow::learn::repair::{Mended, Repair};

/// The lines that tell it.
pub(crate) fn lines(repair: &Repair) -> Vec<String> {
    let mut lines = Vec::new();
    repair.lists.iter().for_each(|list| tell(list, 0, &mut lines));
    lines.extend(repair.notes.iter().map(|note| format!("note: {note}")));
    lines
}

fn tell(list: &Mended, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let how = |kept: bool| if kept { "kept" } else { "new rule" };
    match list.label.is_empty() {
        true => lines.push(format!("{indent}the page")),
        false => lines.push(format!(
            "{indent}{}: {}; {} records, {} of {} known ones among them",
            list.label,
            how(list.kept),
            list.records,
            list.found,
            list.known,
        )),
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
