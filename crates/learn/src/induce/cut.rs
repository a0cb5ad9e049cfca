//! The part of a text that is the value: what stands in front of it and behind it, or what it looks like.

use std::ops::Range;

use super::part::Cutting;
use super::shape;
use crate::reading::is_edge;

/// Characters of a text that are taken as a label in front of a part.
const LABEL: usize = 40;

/// The ways of cutting a part from a text, the most lasting first; each gives exactly the part.
pub(crate) fn cuts(text: &str, part: Range<usize>) -> Vec<Cutting> {
    let (Some(front), Some(value), Some(behind)) =
        (text.get(..part.start), text.get(part.clone()), text.get(part.end..))
    else {
        return Vec::new();
    };
    let mut cuts: Vec<Cutting> = Vec::new();
    // Signs around it: they may be missing elsewhere.
    if front.chars().all(is_edge) && behind.chars().all(is_edge) {
        let optional = |signs: &str| -> String {
            signs.split_whitespace().map(|sign| format!("(?:{})? ?", regex::escape(sign))).collect()
        };
        let back: String = behind.split_whitespace().map(|sign| format!(" ?(?:{})?", regex::escape(sign))).collect();
        let greedy = if back.is_empty() { "" } else { "?" };
        cuts.push(matching(format!("^{}(.+{greedy}){back}$", optional(front))));
    }
    // The number in front of what is counted: that may be named otherwise elsewhere, or stand behind a word.
    let numeric = |c: char| c.is_ascii_digit() || ".,-–/ ".contains(c);
    if front.trim().is_empty() && value.starts_with(|c: char| c.is_ascii_digit()) && value.chars().all(numeric) {
        cuts.push(matching(r"^[^0-9]*([0-9][0-9.,/]*(?: ?[-–] ?[0-9][0-9.,]*)?)".to_owned()));
        cuts.push(matching("^[^0-9]*([0-9][0-9.,/]*)".to_owned()));
    }
    // Words around it that nothing sets apart: as many are left out elsewhere.
    let words = |text: &str| text.split_whitespace().count();
    let signed = |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric());
    if behind.trim().is_empty() && (1..=2).contains(&words(front)) && !signed(front.trim_end().chars().next_back()) {
        cuts.push(matching(format!("^{}(.+)$", "[^ ]+ ".repeat(words(front)))));
    }
    if front.trim().is_empty() && (1..=2).contains(&words(behind)) && !signed(behind.trim_start().chars().next()) {
        cuts.push(matching(format!("^(.+?){}$", " [^ ]+".repeat(words(behind)))));
    }
    let after = label_behind(front);
    let before = sign_in_front(behind);
    let shape = shape::of(value).map(|shape| shape.pattern());
    let whole = |after: &Option<String>, before: &Option<String>, matches: Option<String>| Cutting {
        after: after.clone(),
        before: before.clone(),
        matches,
    };
    match (front.trim().is_empty(), behind.trim().is_empty()) {
        (true, false) => {
            cuts.extend(before.is_some().then(|| whole(&None, &before, None)));
            cuts.extend(shape.clone().map(|shape| matching(format!("^{shape}"))));
        }
        (false, true) => cuts.extend(after.is_some().then(|| whole(&after, &None, None))),
        _ => {
            cuts.extend((after.is_some() && before.is_some()).then(|| whole(&after, &before, None)));
            cuts.extend(shape.clone().filter(|_| after.is_some()).map(|shape| whole(&after, &None, Some(shape))));
        }
    }
    cuts.extend(shape.map(matching));
    cuts.retain(|cut| cut.regex().is_some_and(|regex| cut.apply(text, regex.as_ref()) == Some(value)));
    cuts.dedup();
    cuts
}

/// What a regular expression matches.
fn matching(pattern: String) -> Cutting {
    Cutting { matches: Some(pattern), ..Cutting::default() }
}

/// What may be a label at the end of what stands in front of a part.
fn label_behind(front: &str) -> Option<String> {
    let front = front.trim();
    if front.is_empty() {
        return None;
    }
    if front.chars().count() <= LABEL && front.split_whitespace().count() <= 4 {
        return Some(front.to_owned());
    }
    // The last clause, or the last words.
    let clause = front.trim_end_matches([':', ' ']).rfind(['.', ';', '|', '•', '·', ')', ',']).map_or(0, |at| at + 1);
    let clause = front.get(clause..).map_or("", str::trim);
    if !clause.is_empty() && clause.chars().count() <= LABEL && clause.split_whitespace().count() <= 4 {
        return Some(clause.to_owned());
    }
    let start = front.char_indices().rev().filter(|(_, c)| *c == ' ').nth(1).map_or(0, |(at, _)| at + 1);
    let words = &front[start..];
    (words.chars().count() <= LABEL).then(|| words.to_owned())
}

/// What may end a part: the sign or the word behind it.
fn sign_in_front(behind: &str) -> Option<String> {
    let word = behind.split_whitespace().next()?;
    let sign: String = word.chars().take_while(|c| !c.is_alphanumeric()).collect();
    Some(match sign.is_empty() {
        true => word.chars().take(LABEL).collect(),
        // A sign may stand in the value itself, with no space in front of it.
        false if behind.starts_with(char::is_whitespace) => format!(" {sign}"),
        false => sign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str, value: &str) -> Option<Cutting> {
        let at = text.find(value).unwrap();
        cuts(text, at..at + value.len()).into_iter().next()
    }

    fn cut(after: &str, before: &str, matches: &str) -> Option<Cutting> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Some(Cutting { after: some(after), before: some(before), matches: some(matches) })
    }

    #[test]
    fn labels_and_signs() {
        assert_eq!(first("Pub. Date: June 2010", "June 2010"), cut("Pub. Date:", "", ""));
        assert_eq!(first("Oslo (Norway)", "Oslo"), cut("", " (", ""));
        assert_eq!(first("by Ann Lee | 3 comments", "Ann Lee"), cut("by", " |", ""));
        assert_eq!(
            first("12 Tarts", "12")
                .and_then(|cut| cut.regex()?.map(|regex| regex.replace("Serves 8-10", "$1").into_owned())),
            Some("8-10".to_owned())
        );
        assert_eq!(first("(PG)", "PG"), cut("", "", r"^(?:\()? ?(.+?) ?(?:\))?$"));
    }

    #[test]
    fn what_does_not_give_the_part_is_left_out() {
        // The sign behind it stands in the value, too.
        assert_eq!(first("a, b, c", "a, b"), None);
        assert_eq!(first("call 555-1234 now, 12", "555-1234").and_then(|cut| cut.after), Some("call".to_owned()));
    }
}
