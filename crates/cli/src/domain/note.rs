//! What a page is to a domain, a line on standard error; below it, where it tells machines something else than people.

use windrow::learn::domain::{Domain, Reading};
use windrow::learn::structured::Syntax;

use crate::discover::plural;
use crate::text::excerpt;

/// Characters of a value that a line shows.
const VALUE: usize = 60;

/// The lines of a page.
pub(crate) fn lines(page: &str, domain: &Domain, reading: &Reading) -> Vec<String> {
    let mut lines = vec![format!("{page}: {}", class(reading))];
    lines.extend(conflicts(domain, reading).map(|line| format!("note: {page}: {line}")));
    lines
}

/// The line of a page that a wrapper learned on the way was used for.
pub(crate) fn by_wrapper(page: &str) -> String {
    format!("{page}: data-rich, by the wrapper of its template")
}

/// Where a page tells machines something else than people.
pub(crate) fn conflicts(domain: &Domain, reading: &Reading) -> impl Iterator<Item = String> {
    reading.conflicts.iter().map(|conflict| {
        let role = domain.roles.get(conflict.role).map_or("", |role| role.name.as_str());
        let (seen, said) = (excerpt(&conflict.seen, VALUE), excerpt(&conflict.said, VALUE));
        format!("{role}: the page shows \"{seen}\", its {} says \"{said}\"", syntax(conflict.syntax))
    })
}

/// The class of a page, and how much it has.
pub(crate) fn class(reading: &Reading) -> String {
    let class = reading.class.name();
    let pairs: usize = reading.records.iter().map(|record| record.pairs.len()).sum();
    match reading.records.len() {
        0 => format!("{class}, no record"),
        records => format!("{class}, {}, {}", plural(records, "record"), plural(pairs, "pair")),
    }
}

/// A syntax as people call it.
pub(crate) fn syntax(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::JsonLd => "JSON-LD",
        Syntax::Microdata => "microdata",
        Syntax::Rdfa => "RDFa",
        Syntax::Meta => "meta element",
        other => other.name(),
    }
}
