//! Names of tables and columns, derived from labels.
//!
//! A name consists of lower-case letters, digits and `_`, is not too long, and is unique in its table or store. Unless
//! it is an SQL keyword, both databases accept it without quotes. Names that begin with `_` belong to the store itself.

/// Longest name in bytes: PostgreSQL cuts names at 63 bytes, and companion columns add a suffix.
const MOST: usize = 48;

/// Returns a free name for a label.
pub(crate) fn name(label: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut name = String::new();
    for c in label.chars().flat_map(char::to_lowercase) {
        let c = if c.is_alphanumeric() { c } else { '_' };
        // Two consecutive underscores separate a column's name from the suffix of its companions.
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
    // Both databases reserve such prefixes, and a name must not begin with a digit.
    if name.starts_with(|c: char| c.is_numeric()) || name.starts_with("sqlite_") || name.starts_with("pg_") {
        name.insert(0, 'n');
    }
    let numbered = (2..).map(|n: u32| format!("{name}_{n}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    all.find(|name| is_free(name)).unwrap_or(name)
}

/// Reports whether one of the databases has a system column of this name.
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
