//! Texts that hold several fields, cut at what separates them in every record.
//!
//! `Case No. 17, Filed May 3, 2024, 2024 UT 2` is three fields to a reader, who sees the same commas and words in every
//! record. A text is cut in two where a separator stands in all of them, and each half is tried again; dates and amounts
//! are masked first, so that the comma in `May 3, 2024` does not count. Many texts have a comma or a dash, so these alone
//! are not enough: both halves must begin with words of their own (`Case No.`, `Filed`), or one with a word and a date.
//! Titles are not cut at all: `Rakes | The farm shop` is one to a reader.
//!
//! What was cut is written as a regular expression and tried on every record; where it does not say the same, the text
//! stays whole.
//!
//! # Cost
//!
//! For each separator one look at each text, for a bounded number of separators and halves.

use regex::Regex;
use windrow_wrapper::values::{Hints, date, money};

use crate::alignment::content;
use crate::alignment::shape;

/// A field in a text.
#[derive(Debug, Clone)]
pub(crate) struct Cutting {
    /// Matches the text; its group is the field.
    pub(crate) regex: String,
    /// The words that stood in front of it in every record.
    pub(crate) label: Option<String>,
    pub(crate) values: Vec<Option<String>>,
}

/// Records from which on a separator may be no accident.
const FEWEST: usize = 4;
/// Characters of the longest text that is cut.
const LONGEST: usize = 240;
/// Cuts inside cuts.
const DEPTH: usize = 4;
/// Texts that are looked at before all are.
const SAMPLE: usize = 40;

/// What may separate fields, and whether it does by itself; the others stand in titles and sentences, too.
const SEPARATORS: &[(&str, bool)] = &[
    (" | ", true),
    (" ｜ ", true),
    (" │ ", true),
    (" • ", true),
    (" · ", true),
    (" » ", true),
    (" - ", false),
    (" – ", false),
    (" — ", false),
    (" / ", false),
    ("; ", false),
    (", ", false),
    (" (", false),
    (": ", false),
];

/// The fields of these texts, if they are several.
pub(crate) fn cut(values: &[Option<String>]) -> Option<Vec<Cutting>> {
    let texts: Vec<String> = values.iter().flatten().map(|text| shape::collapse(text)).collect();
    if texts.len() < FEWEST || texts.iter().any(|text| text.chars().count() > LONGEST) {
        return None;
    }
    // A sentence is one value, though all of them were made by one template.
    let sentences = texts.iter().filter(|text| content::is_sentence(text)).count();
    if sentences * 2 > texts.len() {
        return None;
    }
    // What is no separator in the whole text is none in its mask, which costs more to make.
    if !SEPARATORS.iter().any(|(separator, _)| texts.iter().all(|text| text.contains(separator))) {
        return None;
    }
    let masks: Vec<String> = texts.iter().map(|text| mask(text)).collect();
    let whole = Piece {
        from: vec![0; texts.len()],
        to: texts.iter().map(String::len).collect(),
        before: String::new(),
        after: String::new(),
        own: ".*".to_owned(),
    };
    let mut pieces = Vec::new();
    let source = Source { texts: &texts, masks: &masks };
    source.divide(whole, 0, &mut pieces);
    if pieces.len() < 2 {
        return None;
    }
    let mut cuttings = Vec::new();
    for piece in pieces {
        let found = source.verify(values, piece)?;
        // Signs alone are no field.
        if found.values.iter().flatten().any(|value| value.contains(char::is_alphanumeric)) {
            cuttings.push(found);
        }
    }
    (cuttings.len() > 1).then_some(cuttings)
}

struct Source<'t> {
    texts: &'t [String],
    /// The same with dates and amounts blotted out, byte for byte.
    masks: &'t [String],
}

/// A part of every text, and how to find it.
#[derive(Debug, Clone)]
struct Piece {
    from: Vec<usize>,
    to: Vec<usize>,
    /// What matches in front of it, and behind.
    before: String,
    after: String,
    /// What matches itself.
    own: String,
}

impl Source<'_> {
    fn text(&self, piece: &Piece, at: usize) -> &str {
        self.texts[at].get(piece.from[at]..piece.to[at]).unwrap_or("")
    }

    fn mask(&self, piece: &Piece, at: usize) -> &str {
        self.masks[at].get(piece.from[at]..piece.to[at]).unwrap_or("")
    }

    fn divide(&self, piece: Piece, depth: usize, pieces: &mut Vec<Piece>) {
        if depth < DEPTH {
            for &(separator, strong) in SEPARATORS {
                if let Some((left, right)) = self.try_separator(&piece, separator, strong) {
                    self.divide(left, depth + 1, pieces);
                    self.divide(right, depth + 1, pieces);
                    return;
                }
            }
        }
        pieces.push(piece);
    }

    /// Cuts at a separator, if it stands in all texts, at the same place among its like, and parts different things.
    fn try_separator(&self, piece: &Piece, separator: &str, strong: bool) -> Option<(Piece, Piece)> {
        let all = 0..self.texts.len();
        let step = (self.texts.len() / SAMPLE).max(1);
        if all.clone().step_by(step).any(|at| !self.mask(piece, at).contains(separator)) {
            return None;
        }
        for last in [false, true] {
            // Where it stands in each text; and which occurrence that is, those in dates counted.
            let mut places = Vec::with_capacity(self.texts.len());
            let mut nth = None;
            let mut once = true;
            for at in all.clone() {
                let mask = self.mask(piece, at);
                let place = if last { mask.rfind(separator) } else { mask.find(separator) }?;
                once &= mask.find(separator) == mask.rfind(separator);
                let text = self.text(piece, at);
                let number = text.get(..place)?.matches(separator).count();
                let behind = text.get(place + separator.len()..)?.matches(separator).count();
                let own = if last { behind } else { number };
                if *nth.get_or_insert(own) != own || last && own > 0 {
                    return None;
                }
                places.push(place);
            }
            let nth = nth?;
            let (left, right) = self.halves(piece, separator, &places, nth, last);
            if self.differ(&left, &right, strong) || self.are_measures(&left, &right, separator) {
                return Some((left, right));
            }
            if once {
                break;
            }
        }
        None
    }

    fn halves(&self, piece: &Piece, separator: &str, places: &[usize], nth: usize, last: bool) -> (Piece, Piece) {
        let escaped = regex::escape(separator);
        let all = 0..self.texts.len();
        let begin = |at: usize| piece.from[at] + places[at];
        let skip = match (last, nth) {
            (true, _) => ".*".to_owned(),
            (false, 0) => ".*?".to_owned(),
            (false, _) => format!("(?:.*?{escaped}){{{nth}}}.*?"),
        };
        let left = Piece {
            from: piece.from.clone(),
            to: all.clone().map(begin).collect(),
            before: piece.before.clone(),
            after: format!("{escaped}.*{}", piece.after),
            own: skip.clone(),
        };
        let right = Piece {
            from: all.map(|at| begin(at) + separator.len()).collect(),
            to: piece.to.clone(),
            before: format!("{}{skip}{escaped}", piece.before),
            after: piece.after.clone(),
            own: piece.own.clone(),
        };
        (left, right)
    }

    /// Whether two halves are different things. `strong`: what parts them says so already.
    fn differ(&self, left: &Piece, right: &Piece, strong: bool) -> bool {
        let (left, right) = (self.look(left), self.look(right));
        // Nothing in front: a separator that follows something else.
        if left.blank || right.blank {
            return left.blank && !right.blank && !right.constant;
        }
        let told = |look: &Look| look.led && look.typed;
        strong || left.led && right.led || told(&left) || told(&right)
    }

    /// Says whether numbers of two units meet at a separator: `2 rooms, 50 m²`. Two of one unit are a range or a size.
    fn are_measures(&self, left: &Piece, right: &Piece, separator: &str) -> bool {
        if !matches!(separator.trim(), "," | ";" | "/") {
            return false;
        }
        let step = (self.texts.len() / SAMPLE).max(1);
        let all = || (0..self.texts.len()).step_by(step);
        let ends: Vec<&str> =
            all().map(|at| self.text(left, at).rsplit(separator).next().unwrap_or("").trim()).collect();
        let begins: Vec<&str> =
            all().map(|at| self.text(right, at).split(separator).next().unwrap_or("").trim()).collect();
        matches!((unit(&ends), unit(&begins)), (Some(one), Some(other)) if one != other)
    }

    fn look(&self, piece: &Piece) -> Look {
        let step = (self.texts.len() / SAMPLE).max(1);
        let texts: Vec<&str> = (0..self.texts.len()).step_by(step).map(|at| self.text(piece, at).trim()).collect();
        let all = texts.len();
        let count = |test: &dyn Fn(&str) -> bool| texts.iter().filter(|text| test(text)).count();
        let mut distinct = texts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let label = led(&texts).unwrap_or("");
        let told = |text: &str| text.strip_prefix(label).unwrap_or(text).trim().to_owned();
        let punctuation = |text: &str| !text.contains(char::is_alphanumeric);
        Look {
            blank: count(&punctuation) * 2 > all,
            constant: distinct.len() == 1,
            typed: count(&|text| shape::is_date(&told(text)) || shape::is_money(&told(text))) * 10 >= all * 9,
            led: !label.is_empty(),
        }
    }

    /// Writes a piece as a rule, and takes the label off its front; none if the rule does not find it everywhere.
    fn verify(&self, values: &[Option<String>], piece: Piece) -> Option<Cutting> {
        let texts: Vec<&str> = (0..self.texts.len()).map(|at| self.text(&piece, at).trim()).collect();
        let label = led(&texts).filter(|label| texts.iter().all(|text| text.len() > label.len())).map(str::to_owned);
        let taken = label.as_ref().map_or(0, String::len);
        let front = label.as_ref().map(|label| format!("\\s*{}", regex::escape(label))).unwrap_or_default();
        let pattern = format!("^{}{front}({}){}$", piece.before, piece.own, piece.after);
        let regex = Regex::new(&pattern).ok()?;
        let mut found = Vec::with_capacity(values.len());
        let mut at = 0;
        for value in values {
            if value.is_none() {
                found.push(None);
                continue;
            }
            let wanted = texts[at].get(taken..)?.trim();
            let got = regex.captures(&self.texts[at])?.get(1)?.as_str().trim();
            if got != wanted {
                return None;
            }
            found.push((!wanted.is_empty()).then(|| wanted.to_owned()));
            at += 1;
        }
        Some(Cutting { regex: pattern, label, values: found })
    }
}

/// What a half looks like in all texts.
struct Look {
    blank: bool,
    constant: bool,
    /// Dates or amounts.
    typed: bool,
    /// The same words in front.
    led: bool,
}

/// The unit of texts that are all a number and a unit, of which there are two at most: `1 room`, `2 rooms`. That of amounts of money is
/// empty.
fn unit<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let money = texts.iter().filter(|text| shape::is_money(text)).count();
    if money * 10 >= texts.len() * 9 {
        return Some("");
    }
    let number =
        |c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | ',' | '\'' | '+' | '-' | '–' | '~' | '<' | '>');
    let mut units: Vec<&str> = Vec::new();
    for text in texts {
        let unit = text.trim_start_matches(number);
        let amount = text.get(..text.len() - unit.len()).unwrap_or_default();
        let plain = unit.chars().count() <= 20 && unit.starts_with(char::is_alphabetic);
        if !plain || !amount.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    if units.len() <= 2 { units.first().copied() } else { None }
}

/// The words that all texts begin with, if something else follows them.
fn led<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let first = *texts.first()?;
    let mut length = first.len();
    for text in texts {
        let same = first.char_indices().zip(text.chars()).find(|((_, one), other)| one != other);
        let own = same.map_or(text.len().min(first.len()), |((at, _), _)| at);
        length = length.min(own);
    }
    // Back to the end of a word.
    let mut end = 0;
    for (at, c) in first[..length].char_indices() {
        if c == ' ' {
            end = at;
        }
    }
    let label = first[..end].trim_end();
    let told =
        label.chars().filter(|c| c.is_alphabetic()).count() >= 2 && !label.contains(|c: char| c.is_ascii_digit());
    let varies = texts.windows(2).any(|pair| pair[0] != pair[1]);
    (told && varies).then_some(label)
}

/// A text with its dates and amounts blotted out.
fn mask(text: &str) -> String {
    let hints = Hints::default();
    let mut bytes = text.as_bytes().to_vec();
    let mut from = 0;
    for _ in 0..6 {
        let rest = &text[from..];
        let dated = date::find(rest, &hints).map(|(_, range)| range);
        let paid = money::find(rest, &hints).map(|(_, range)| range);
        let Some(range) = [dated, paid].into_iter().flatten().min_by_key(|range| range.start) else { break };
        if range.is_empty() {
            break;
        }
        bytes[from + range.start..from + range.end].fill(b'0');
        from += range.end;
    }
    // Blotted bytes are ASCII, and ranges end between characters.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(texts: &[&str]) -> Vec<Vec<String>> {
        let values: Vec<Option<String>> = texts.iter().map(|text| Some((*text).to_owned())).collect();
        let cuttings = cut(&values).unwrap_or_default();
        cuttings.into_iter().map(|cutting| cutting.values.into_iter().flatten().collect()).collect()
    }

    #[test]
    fn labels_and_dates_part_a_text() {
        let found = pieces(&[
            ", Case No. 20240965, Filed October 24, 2024, 2024 UT 40",
            ", Case No. 20230436, Filed September 05, 2024, 2024 UT 38",
            ", Case No. 20220747, Filed September 05, 2024, 2024 UT 37",
            ", Case No. 20220039, Filed June 13, 2024, 2024 UT 17",
        ]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0][0], "20240965");
        assert_eq!(found[1][0], "October 24, 2024");
        assert_eq!(found[2][0], "2024 UT 40");
    }

    #[test]
    fn bars_always_part() {
        let found = pieces(&["Oslo | sun", "Rome | rain", "Bern | snow", "Wien | fog"]);
        assert_eq!(found, [["Oslo", "Rome", "Bern", "Wien"], ["sun", "rain", "snow", "fog"]]);
    }

    #[test]
    fn a_comma_alone_does_not_part() {
        assert!(pieces(&["Chicago, IL", "Boston, MA", "Austin, TX", "Provo, UT"]).is_empty());
        assert!(pieces(&["May 3, 2024", "June 3, 2024", "July 3, 2024", "July 4, 2024"]).is_empty());
        assert!(pieces(&["Oslo | sun", "Rome", "Bern | snow", "Wien | fog"]).is_empty());
    }
}
