//! Checks that all names in the rules exist: conclusions and references in the file, fields and columns in the data.

use super::error::{Errors, Found, RuleError};
use super::{Condition, EXTRACTED, FieldName, Name, Rules};
use crate::nearest::hint;
use crate::span::Span;

/// Columns of one reference table.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    /// Name of the table in the rules: `S`.
    pub reference: &'a str,
    /// Column names.
    pub columns: &'a [String],
}

/// Names that exist in the data.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Fields that records may have; `None` if they are not known beforehand.
    pub fields: Option<&'a [String]>,
    /// Reference tables.
    pub references: &'a [Columns<'a>],
}

impl Rules {
    /// Returns an error if a rule uses a field or column that the data does not have.
    pub fn check(&self, known: Known<'_>) -> Result<(), Errors> {
        let mut found = Found::default();
        let mut told: Vec<(String, usize)> = Vec::new();
        for rule in &self.rules {
            rule.condition.walk(&mut |condition| {
                for field in condition.own_fields() {
                    self.check_field(field, known, &mut found);
                }
                if let Condition::Rows { reference, .. } = condition
                    && !known.references.iter().any(|columns| columns.reference == reference.text)
                    && !told.iter().any(|(name, _)| *name == reference.text)
                {
                    told.push((reference.text.clone(), reference.span.start));
                    let there = known.references.iter().map(|columns| columns.reference);
                    found.push(unknown(
                        "reference table",
                        &reference.text,
                        hint(&reference.text, there),
                        reference.span,
                    ));
                }
            });
        }
        found.check()
    }

    fn check_field(&self, field: &FieldName, known: Known<'_>, found: &mut Found) {
        let name = self.in_data(field);
        let (what, there) = if field.is_extracted() {
            let Some(fields) = known.fields else { return };
            ("field".to_owned(), fields)
        } else {
            let Some(columns) = known.references.iter().find(|columns| columns.reference == field.of) else { return };
            (format!("column of {}", field.of), columns.columns)
        };
        if !there.iter().any(|one| one == name) {
            found.push(unknown(&what, name, hint(name, there.iter().map(String::as_str)), field.span));
        }
    }
}

fn unknown(what: &str, name: &str, hint: Option<String>, span: Span) -> RuleError {
    RuleError::UnknownName { what: what.to_owned(), name: name.to_owned(), hint, span }
}

/// Checks that need only the rule file.
pub(super) fn names(rules: &Rules, found: &mut Found) {
    twice("the rule", rules.rules.iter().map(|rule| &rule.name), found);
    twice("the reference table", rules.references.iter(), found);
    for (number, rename) in rules.renames.iter().enumerate() {
        let FieldName { of, name, span } = &rename.field;
        check_of(rules, &rename.field, None, true, found);
        if let Some(first) = rules.renames[..number].iter().find(|first| first.field == rename.field) {
            let (what, name) = ("the renaming of", format!("{of}.{name}"));
            found.push(RuleError::Twice { what, name, first_span: first.field.span, span: *span });
        }
    }
    let conclusions = rules.conclusions();
    for rule in &rules.rules {
        condition(rules, &rule.condition, &conclusions, None, found);
        rule.condition.walk(&mut |condition| {
            let Condition::Conclusion(name) = condition else { return };
            let own = rule.conclusions.iter().find(|conclusion| conclusion.name == *name && !conclusion.negated);
            if let Some(own) = own {
                let (rule, name) = (rule.name.text.clone(), name.text.clone());
                found.push(RuleError::Circle { rule, name, span: own.name.span });
            }
        });
    }
}

fn twice<'a>(what: &'static str, names: impl Iterator<Item = &'a Name>, found: &mut Found) {
    let mut first: std::collections::BTreeMap<&str, Span> = std::collections::BTreeMap::new();
    for name in names {
        match first.get(name.text.as_str()) {
            Some(span) => {
                found.push(RuleError::Twice { what, name: name.text.clone(), first_span: *span, span: name.span });
            }
            None => {
                first.insert(&name.text, name.span);
            }
        }
    }
}

/// Checks a condition. `row` is the reference table whose row it refers to.
fn condition(rules: &Rules, condition_: &Condition, conclusions: &[&str], row: Option<&str>, found: &mut Found) {
    for field in condition_.own_fields() {
        check_of(rules, field, row, false, found);
    }
    match condition_ {
        Condition::Conclusion(name) if !conclusions.contains(&name.text.as_str()) => {
            found.push(unknown("conclusion", &name.text, conclusion_hint(&name.text, conclusions), name.span));
        }
        Condition::Rows { none, reference, condition: inner } => {
            if row.is_some() {
                let word = if *none { "none" } else { "exists" };
                found.push(RuleError::NestedRows { word, span: reference.span });
            }
            if !rules.references.iter().any(|there| there == reference) {
                let there = rules.references.iter().map(|name| name.text.as_str());
                found.push(unknown("reference table", &reference.text, hint(&reference.text, there), reference.span));
                return;
            }
            condition(rules, inner, conclusions, Some(&reference.text), found);
        }
        Condition::Not(inner) => condition(rules, inner, conclusions, row, found),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| condition(rules, part, conclusions, row, found));
        }
        _ => {}
    }
}

fn conclusion_hint(name: &str, conclusions: &[&str]) -> Option<String> {
    let near = crate::nearest::nearest(name, conclusions.iter().copied());
    Some(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("no rule has this conclusion; to use a field of the record, write `{EXTRACTED}.{name}`"),
    })
}

/// Checks that a field belongs to the record or to the row in scope.
fn check_of(rules: &Rules, field: &FieldName, row: Option<&str>, anywhere: bool, found: &mut Found) {
    if field.is_extracted() || row == Some(&field.of) {
        return;
    }
    if !rules.references.iter().any(|reference| reference.text == field.of) {
        let there = std::iter::once(EXTRACTED).chain(rules.references.iter().map(|name| name.text.as_str()));
        found.push(unknown("reference table", &field.of, hint(&field.of, there), field.span));
    } else if !anywhere {
        let name = format!("{}.{}", field.of, field.name);
        found.push(RuleError::NoRow { field: name, of: field.of.clone(), span: field.span });
    }
}
