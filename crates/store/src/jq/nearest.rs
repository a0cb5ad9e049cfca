//! Suggestions for misspelled names.

/// Returns the most similar name, if at most a quarter of the letters differ (one letter is always allowed).
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(64).collect();
    let most = (name.len() / 4).max(1);
    let distances = known.into_iter().map(|other| (distance(&name, other), other));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, other)| other)
}

/// Returns the edit distance, with swapped neighbours as one edit (Damerau–Levenshtein).
fn distance(name: &[char], other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, &letter) in name.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &another) in other.iter().enumerate() {
            let changed = last[j] + usize::from(letter != another);
            let mut best = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && letter == other[j - 1] && name[i - 1] == another {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let known = ["select", "map", "length", "to_entries"];
        let cases = [
            ("selct", Some("select")),
            ("slelect", Some("select")),
            ("lenght", Some("length")),
            ("toentries", Some("to_entries")),
            ("mpa", Some("map")),
            ("where", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
    }
}
