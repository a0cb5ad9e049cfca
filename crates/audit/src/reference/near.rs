//! Suggestions for misspelled names.

use crate::normal::degree;

/// Smallest degree of equality at which a name is suggested: half of the letters.
const LEAST: f64 = 0.5;

/// Returns the most similar name, if it is similar enough; the first one of several.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are short; a longer one may be a whole file without line ends.
    let short = |name: &'a str| name.char_indices().nth(64).map_or(name, |(end, _)| &name[..end]);
    let wanted: String = name.chars().take(64).collect();
    let degrees = known.into_iter().map(short).map(|other| (degree(&wanted, other), other));
    let best = degrees.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    (best.0 >= LEAST).then_some(best.1)
}
