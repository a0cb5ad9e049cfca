//! Names of tables and columns, from labels that pages and people gave.
//!
//! A name can be written without quotes in both databases unless it is a word of SQL: letters, digits and `_`, small,
//! not too long, unique in its place. What begins with `_` is the store's own.

/// Bytes of a name; PostgreSQL cuts at 63, and companions need some.
const MOST: usize = 48;

/// A name for a label that is free.
pub(crate) fn name(label: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut name = String::new();
    for c in label.chars().flat_map(char::to_lowercase) {
        let c = if c.is_alphanumeric() { c } else { '_' };
        // Two underscores in a row part a column from its companions.
        if !(c == '_' && (name.is_empty() || name.ends_with('_'))) {
            name.push(c);
        }
        if name.len() > MOST {
            break;
        }
    }
    name.truncate(name.floor_char_boundary(MOST));
    let mut name = name.trim_end_matches('_').to_owned();
    if name.is_empty() {
        name = "unnamed".to_owned();
    }
    // Names that begin like this are the databases' own.
    if name.starts_with(|c: char| c.is_numeric()) || name.starts_with("sqlite_") || name.starts_with("pg_") {
        name.insert(0, 'n');
    }
    let numbered = (2..).map(|n: u32| format!("{name}_{n}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    all.find(|name| is_free(name)).unwrap_or(name)
}

/// Columns that each table of one of the databases has already.
pub(crate) fn is_taken_by_databases(column: &str) -> bool {
    ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "rowid", "oid"].contains(&column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_names() {
        let named = |label: &str| name(label, |_| true);
        assert_eq!(named("Price"), "price");
        assert_eq!(named("group.field"), "group_field");
        assert_eq!(named("  Größe (cm) "), "größe_cm");
        assert_eq!(named("_id"), "id");
        assert_eq!(named("a__raw"), "a_raw");
        assert_eq!(named("2024"), "n2024");
        assert_eq!(named("***"), "unnamed");
        assert_eq!(named("\0"), "unnamed");
        assert_eq!(named("sqlite_master"), "nsqlite_master");
        assert_eq!(named("PG Class"), "npg_class");
        assert_eq!(named(&"x".repeat(200)).len(), MOST);
        assert_eq!(named(&"ж".repeat(200)).len(), MOST);
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        assert_eq!(name("Price", |name| name != "price"), "price_2");
        assert_eq!(name("Price", |name| !["price", "price_2"].contains(&name)), "price_3");
    }
}
