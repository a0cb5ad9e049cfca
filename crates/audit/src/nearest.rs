//! Suggestions for misspelled names.

/// Returns the most similar candidate, if at most a third of its letters differ.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    let like =
        candidates.into_iter().map(|candidate| (strsim::osa_distance(&folded, &candidate.to_lowercase()), candidate));
    let (distance, candidate) = like.min_by_key(|(distance, candidate)| (*distance, candidate.len()))?;
    let longer = word.chars().count().max(candidate.chars().count());
    (distance * 3 <= longer).then_some(candidate)
}

/// Returns a hint with the most similar name, or else with the existing names.
pub(crate) fn hint<'a>(word: &str, there: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let there: Vec<&str> = there.into_iter().collect();
    if let Some(near) = nearest(word, there.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    if there.is_empty() {
        return None;
    }
    let more = if there.len() > 12 { ", …" } else { "" };
    Some(format!("there are `{}`{more}", there.iter().take(12).copied().collect::<Vec<_>>().join("`, `")))
}
