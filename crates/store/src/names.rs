//! Names of tables and columns, from labels that pages and people gave.
//!
//! A name can be written without quotes in both databases unless it is a word of SQL: letters, digits and `_`, small,
//! not too long, unique in its place. What begins with `_` is the store's own.

use std::collections::HashSet;

/// Bytes of a name; PostgreSQL cuts at 63, and companions need some.
const MOST: usize = 48;

/// A name for a label that is not among those taken, to which it is added.
pub(crate) fn name(label: &str, taken: &mut HashSet<String>) -> String {
    let mut name = String::new();
    for c in label.chars().flat_map(char::to_lowercase) {
        let c = if c.is_alphanumeric() { c } else { '_' };
        // Two underscores in a row part a column from its companions.
        if !(c == '_' && (name.is_empty() || name.ends_with('_'))) {
            name.push(c);
        }
    }
    name.truncate(name.floor_char_boundary(MOST));
    let mut name = name.trim_end_matches('_').to_owned();
    if name.is_empty() {
        name = "unnamed".to_owned();
    }
    if name.starts_with(|c: char| c.is_numeric()) {
        name.insert(0, 'n');
    }
    let unique = (1..).map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") });
    let unique = unique.into_iter().find(|name| !taken.contains(name)).unwrap_or(name);
    taken.insert(unique.clone());
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_names() {
        let mut taken = HashSet::new();
        let mut named = |label: &str| name(label, &mut taken);
        assert_eq!(named("Price"), "price");
        assert_eq!(named("price"), "price_2");
        assert_eq!(named("group.field"), "group_field");
        assert_eq!(named("  Größe (cm) "), "größe_cm");
        assert_eq!(named("_id"), "id");
        assert_eq!(named("a__raw"), "a_raw");
        assert_eq!(named("2024"), "n2024");
        assert_eq!(named("***"), "unnamed");
        assert_eq!(named(&"x".repeat(200)).len(), MOST);
    }
}
