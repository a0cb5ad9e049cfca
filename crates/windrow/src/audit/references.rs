//! Tables of reference by their arguments: `register.csv`, `S=register.db#drugs`.

use crate::audit::reference::{Options, Reference, Source};
use crate::audit::rules::Columns;
use miette::{Diagnostic, Report};

use super::rule_file::RuleFile;

/// A table and what the rules call it.
#[derive(Debug)]
pub struct ReferenceTable {
    /// Name of the table in the rules.
    pub name: String,
    /// The table.
    pub reference: Reference,
}

impl ReferenceTable {
    /// Returns the columns of the table.
    pub fn columns(&self) -> Columns<'_> {
        Columns { reference: &self.name, columns: self.reference.columns() }
    }
}

#[derive(Debug, thiserror::Error, Diagnostic)]
enum ReferenceError {
    #[error("the rules have {} tables of reference, and it is not said which `{place}` is", names.len())]
    #[diagnostic(code(audit::which_reference), help("write {}={place}; the tables are {}", names[0], names.join(", ")))]
    Which { place: String, names: Vec<String> },
    #[error("the table `{name}` is given twice")]
    #[diagnostic(code(audit::reference_twice), help("one --reference for each table that the rules name"))]
    Twice { name: String },
}

/// Opens them all.
pub fn open(arguments: &[String], rules: &RuleFile) -> Result<Vec<ReferenceTable>, Report> {
    let mut tables: Vec<ReferenceTable> = Vec::new();
    for argument in arguments {
        let (name, place) = split(argument);
        let name = match (name, &rules.rules.references[..]) {
            (Some(name), _) => name.to_owned(),
            (None, [only]) => only.text.clone(),
            (None, several) => {
                let names = several.iter().map(|name| name.text.clone()).collect();
                return Err(ReferenceError::Which { place: place.to_owned(), names }.into());
            }
        };
        if tables.iter().any(|table| table.name == name) {
            return Err(ReferenceError::Twice { name }.into());
        }
        let reference = Reference::open(&Source::from(place), &Options::default())?;
        tables.push(ReferenceTable { name, reference });
    }
    Ok(tables)
}

/// The name before `=`, if what stands there can be one, and the place. (`./a=b.csv` is a file.)
fn split(argument: &str) -> (Option<&str>, &str) {
    match argument.split_once('=') {
        Some((name, place)) if is_name(name) => (Some(name), place),
        _ => (None, argument),
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.starts_with(|first: char| first.is_alphabetic() || first == '_') && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_name_stands_before_the_first_equals_sign() {
        assert_eq!(split("S=register.csv"), (Some("S"), "register.csv"));
        assert_eq!(split("S=r.db#select a from t where b = 1"), (Some("S"), "r.db#select a from t where b = 1"));
        assert_eq!(split("register.csv"), (None, "register.csv"));
        assert_eq!(split("./a=b.csv"), (None, "./a=b.csv"));
        assert_eq!(split("postgres://me@host/d?sslmode=require#t"), (None, "postgres://me@host/d?sslmode=require#t"));
    }
}
