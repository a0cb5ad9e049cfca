//! A part of a text: what stands around it in the shown text, and in the others as well.
//!
//! `Posted by Ann on 3 May`, with `Ann` shown: the words in front and behind that the other texts have too are the
//! template, and what is between them is the value. If such words are not everywhere, a regular expression makes them
//! optional; a number is found as a number if nothing constant stands around it.
//!
//! # Cost
//!
//! A bounded number of candidates, each tried on a sample of the texts.

use regex::Regex;
use windrow_wrapper::Locator;

use super::shape;
use crate::reading::is_edge;

/// Words around the value that are tried.
const WORDS: usize = 4;
/// Texts that a candidate is tried on.
const SAMPLE: usize = 50;

/// How a part is taken out of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cutting {
    pub(crate) after: Option<String>,
    pub(crate) before: Option<String>,
    pub(crate) matches: Option<String>,
}

impl Cutting {
    /// The same locator, for this part of what it finds.
    pub(crate) fn of(&self, mut locator: Locator) -> Locator {
        if let Some(then) = locator.then.take() {
            return Locator { then: Some(Box::new(self.of(*then))), ..locator };
        }
        let text = |text: &Option<String>| text.as_deref().map(Into::into);
        Locator { after: text(&self.after), before: text(&self.before), matches: text(&self.matches), ..locator }
    }

    /// Returns whether something must stand in front of what it takes.
    pub(crate) fn has_front(&self) -> bool {
        self.after.is_some() || self.matches.as_ref().is_some_and(|matches| matches.starts_with(FRONT))
    }

    /// Its regular expression, read; none if it cannot be.
    pub(crate) fn regex(&self) -> Option<Option<Regex>> {
        self.matches.as_deref().map(Regex::new).transpose().ok()
    }

    /// What it takes out of a text, as the executor does.
    pub(crate) fn apply<'t>(&self, text: &'t str, regex: Option<&Regex>) -> Option<&'t str> {
        let mut part = text;
        if let Some(after) = &self.after {
            part = part.split_once(after.as_str())?.1;
        }
        if let Some(before) = &self.before {
            part = part.split_once(before.as_str())?.0;
        }
        if let Some(regex) = regex {
            let found = regex.captures(part)?;
            part = found.get(1).or_else(|| found.get(0))?.as_str();
        }
        Some(part.trim()).filter(|part| !part.is_empty())
    }
}

/// How to take `text[start..end]` out of its text and its like out of the others; none if there is no way.
pub(crate) fn cutting(text: &str, start: usize, end: usize, others: &[&str]) -> Option<Cutting> {
    let (left, value, right) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
    let mut tries: Vec<Cutting> = Vec::new();
    let lefts = ends(left, true);
    let rights = ends(right, false);
    if left.chars().all(is_edge) && right.chars().all(is_edge) {
        let sign = |signs: &str| match signs.trim() {
            "" => String::new(),
            signs => format!("(?:{})?", regex::escape(signs)),
        };
        let matches = Some(format!(r"^{}\s*(.*?)\s*{}$", sign(left), sign(right)));
        tries.push(Cutting { matches, ..Cutting::default() });
    }
    for after in &lefts {
        for before in &rights {
            // A short word stands in longer ones: "on" in "von".
            if let Some(short) = after.as_deref().filter(|after| is_short_word(after)) {
                let end = before.as_ref().map_or("$".to_owned(), |before| as_word(before));
                let matches = Some(format!(r"{FRONT}{short}\s+(.*?)\s*{end}"));
                tries.push(Cutting { matches, ..Cutting::default() });
                continue;
            }
            tries.push(Cutting { after: after.clone(), before: before.clone(), matches: None });
        }
    }
    for short in lefts.iter().flatten().filter(|after| is_short_word(after)) {
        for before in rights.iter().flatten() {
            let matches = Some(format!(r"{FRONT}{short}\s+(.*?)\s*(?:{}|$)", as_word(before)));
            tries.push(Cutting { matches, ..Cutting::default() });
        }
    }
    for after in &lefts {
        for before in rights.iter().flatten() {
            let behind = format!(r"^\s*(.*?)\s*(?:{}|$)", as_word(before));
            tries.push(Cutting { after: after.clone(), before: None, matches: Some(behind) });
        }
    }
    if value.chars().any(|c| c.is_ascii_digit()) && value.chars().all(|c| c.is_ascii_digit() || ".,".contains(c)) {
        let number = r"\d[\d.,]*";
        let before = Regex::new(number).ok()?.find_iter(left).count();
        let skip = format!(r"(?:\D*{number}){{{before}}}\D*?");
        tries.push(Cutting { matches: Some(format!("^{skip}({number})")), ..Cutting::default() });
    }
    // What follows the value may be different in each: it ends where it no longer looks like one.
    if let Some(shape) = shape::of_words(value).filter(|_| !right.trim().is_empty()) {
        for after in &lefts {
            let matches = Some(format!(r"^\s*{}(?:\s|$)", shape.pattern()));
            tries.push(Cutting { after: after.clone(), before: None, matches });
        }
    }
    let sample: Vec<&str> = others.iter().copied().take(SAMPLE).collect();
    // What stands around a value in the shown text alone is no template, though a value is found without it.
    let worth = |cutting: &Cutting, regex: Option<&Regex>, other: &str| match cutting.apply(other, regex) {
        None => 0,
        Some(found) if cutting.matches.is_some() && other.ends_with(found) && !right.is_empty() => 1,
        // A colon belongs to the label in front of it, which may be another's.
        Some(_) if matches!(cutting.after.as_deref(), Some(":" | "：")) => 1,
        Some(_) => 2,
    };
    let mut best: Option<(usize, Cutting)> = None;
    for cutting in tries {
        let Some(regex) = cutting.regex() else { continue };
        if cutting.apply(text, regex.as_ref()) != Some(value.trim()) {
            continue;
        }
        let support = sample.iter().map(|other| worth(&cutting, regex.as_ref(), other)).sum();
        if best.as_ref().is_none_or(|best| support > best.0) {
            best = Some((support, cutting));
        }
        // No other does better.
        if support == 2 * sample.len() {
            break;
        }
    }
    best.map(|best| best.1)
}

/// The beginning of a pattern for a word, and what stands behind it.
const FRONT: &str = r"(?:^|\s)";

/// Letters of a word that often stands in others.
const SHORT: usize = 3;

/// Returns whether a landmark is one short word.
fn is_short_word(landmark: &str) -> bool {
    landmark.chars().count() <= SHORT && landmark.chars().all(|c| c.is_ascii_alphabetic())
}

/// A pattern for a landmark that does not begin or end within a word, if it is made of words.
fn as_word(landmark: &str) -> String {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let (front, back) = (word(landmark.chars().next()), word(landmark.chars().next_back()));
    let edge = |is: bool| if is { r"\b" } else { "" };
    format!("{}{}{}", edge(front), regex::escape(landmark), edge(back))
}

/// What may stand next to the value, the longest first; nothing where the text begins or ends.
fn ends(text: &str, front: bool) -> Vec<Option<String>> {
    let clean = text.trim();
    if clean.is_empty() {
        return vec![None];
    }
    let words: Vec<&str> = clean.split(' ').filter(|word| !word.is_empty()).collect();
    let most = words.len().min(WORDS);
    let mut ends: Vec<Option<String>> = (1..=most)
        .rev()
        .map(|count| Some(if front { words[words.len() - count..].join(" ") } else { words[..count].join(" ") }))
        .collect();
    // The signs next to the value, and the one sign.
    let word = |c: char| c.is_alphanumeric();
    let signs = match front {
        true => clean.rfind(word).map_or(clean, |at| clean[at..].trim_start_matches(word)),
        false => clean.find(word).map_or(clean, |at| &clean[..at]),
    };
    let sign = if front { signs.chars().next_back() } else { signs.chars().next() };
    for sign in [Some(signs.trim().to_owned()), sign.map(String::from)].into_iter().flatten() {
        let sign = Some(sign).filter(|sign| !sign.is_empty());
        if sign.is_some() && !ends.contains(&sign) {
            ends.push(sign);
        }
    }
    ends.sort_by_key(|end| std::cmp::Reverse(end.as_ref().map_or(0, String::len)));
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, value: &str, others: &[&str], expected: &[Option<&str>]) {
        let start = text.find(value).unwrap();
        let cutting = cutting(text, start, start + value.len(), others).unwrap();
        let regex = cutting.matches.as_ref().map(|matches| Regex::new(matches).unwrap());
        let found: Vec<_> = others.iter().map(|other| cutting.apply(other, regex.as_ref())).collect();
        assert_eq!(found, expected, "{cutting:?}");
    }

    #[test]
    fn what_stands_around_it_everywhere() {
        check(
            "Posted by Ann on 3 May",
            "Ann",
            &["Posted by Bo Lee on 4 May", "Posted by Cy on 1 June"],
            &[Some("Bo Lee"), Some("Cy")],
        );
        check("Author: Ann", "Ann", &["Author: Bo", "Editor: Cy"], &[Some("Bo"), None]);
    }

    #[test]
    fn what_stands_behind_it_now_and_then() {
        check("by Ann on 3 May", "Ann", &["by Bo", "by Cy on 1 June"], &[Some("Bo"), Some("Cy")]);
    }

    #[test]
    fn what_stands_around_it_here_alone() {
        let others = ["State v. Hunt, (280A24 - Published)", "Jones v. Hatcher, Inc., (264A23 - Published)"];
        check(
            "White v. NC, (140A24 - Published)",
            "White v. NC",
            &others,
            &[Some("State v. Hunt"), Some("Jones v. Hatcher, Inc.")],
        );
        check("White v. NC, (140A24 - Published)", "140A24", &others, &[Some("280A24"), Some("264A23")]);
    }

    #[test]
    fn signs_around_it() {
        check("(PG)", "PG", &["(R)", "G"], &[Some("R"), Some("G")]);
    }

    #[test]
    fn a_sign_after_what_differs() {
        check("Twine: 55 kr", "55 kr", &["Rake: 340 kr", "Old wagon: 900 kr"], &[Some("340 kr"), Some("900 kr")]);
    }

    #[test]
    fn what_stands_behind_it_is_different_everywhere() {
        check(
            "Talk Date and time: July 11, 2024 9:00 AM - 11:00 AM 75 Erie Plaza",
            "July 11, 2024 9:00 AM - 11:00 AM",
            &[
                "Fair Date and time: May 2, 2024 12:00 PM - 1:30 PM Sure House",
                "Run Date and time: June 1, 2024 6:30 PM - 8:30 PM",
            ],
            &[Some("May 2, 2024 12:00 PM - 1:30 PM"), Some("June 1, 2024 6:30 PM - 8:30 PM")],
        );
    }

    #[test]
    fn numbers() {
        check("5 replies", "5", &["1 reply", "1,204 replies"], &[Some("1"), Some("1,204")]);
        check("page 2 of 7", "7", &["page 3 of 8"], &[Some("8")]);
    }
}
