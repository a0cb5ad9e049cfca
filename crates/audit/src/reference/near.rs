//! The known name that is most like an unknown one.

use crate::normal::degree;

/// Least degree of equality at which a name is offered: half of the letters.
const LEAST: f64 = 0.5;

/// The nearest of the names, if it is near at all; of several, the first.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are short; what is not may be a whole file without line ends.
    let short = |name: &'a str| name.char_indices().nth(64).map_or(name, |(end, _)| &name[..end]);
    let wanted: String = name.chars().take(64).collect();
    let degrees = known.into_iter().map(short).map(|other| (degree(&wanted, other), other));
    let best = degrees.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    (best.0 >= LEAST).then_some(best.1)
}
