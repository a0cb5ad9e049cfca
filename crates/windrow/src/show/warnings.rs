//! Warnings about rules, judged by their finds.

use crate::learn::is_positional;
use crate::wrapper::Kind;

use super::finds::RuleFinds;
use super::tree::{RuleReport, RuleScope};
use crate::text::excerpt;
use crate::text::plural;

/// An optional field that is found in fewer than one of so many records is worth a word.
const RARE: u64 = 3;
/// Fewer equal values may be chance.
const CHANCE: u64 = 3;
/// Words among numbers, dates or amounts are odd if they are one in so many or fewer. Numbers among words are not: a title may be a year.
const FEW_ARE_ODD: u64 = 5;
/// Characters of a value in a message.
const VALUE: usize = 40;

/// A thing worth a second look.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum RuleWarning {
    /// Nothing was found.
    Nowhere { of: String },
    /// A required value that some records lack.
    Missing { lacking: u64, of: String },
    /// An optional value that few records have.
    Rare { matched: u64, of: String },
    /// The list never has more than one record.
    OneRecord { several: bool },
    /// Its values are all the same.
    Constant { values: u64 },
    /// Its values are those of another field.
    Repeats { field: String },
    /// It is required, and some are empty.
    Empty { count: u64, of: u64 },
    /// Its rule goes by position, and records may lack it.
    Positional,
    /// Few values are words, and the others numbers, dates or amounts.
    OtherKind { count: u64, of: u64, such: String },
    /// Elements beside the records are built like them.
    LeftOut { count: usize, first: String, path: String, lacks_class: Option<String> },
    /// Values that are not of their type.
    Untyped { count: u64, of: u64, ty: &'static str, such: String },
}

impl RuleWarning {
    /// Returns the name for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            RuleWarning::Nowhere { .. } => "nowhere",
            RuleWarning::Missing { .. } => "missing",
            RuleWarning::Rare { .. } => "rare",
            RuleWarning::OneRecord { .. } => "one-record",
            RuleWarning::Constant { .. } => "constant",
            RuleWarning::Repeats { .. } => "repeats",
            RuleWarning::Empty { .. } => "empty",
            RuleWarning::Positional => "positional",
            RuleWarning::OtherKind { .. } => "other-kind",
            RuleWarning::LeftOut { .. } => "left-out",
            RuleWarning::Untyped { .. } => "untyped",
        }
    }

    /// For people.
    pub fn message(&self) -> String {
        match self {
            RuleWarning::Nowhere { of } => format!("found in none of {of}"),
            RuleWarning::Missing { lacking, of } => format!("required, but missing in {lacking} of {of}"),
            RuleWarning::Rare { matched, of } => format!("found in only {matched} of {of}"),
            RuleWarning::OneRecord { several: false } => "a list with one record".to_owned(),
            RuleWarning::OneRecord { several: true } => "a list that never has more than one record".to_owned(),
            RuleWarning::Constant { values } => format!("all {values} values are the same"),
            RuleWarning::Repeats { field } => format!("the same as `{field}` everywhere"),
            RuleWarning::Empty { count, of } => format!("{} empty", values(*count, *of)),
            RuleWarning::Positional => {
                "found by its position: a record that lacks it may give another value".to_owned()
            }
            RuleWarning::OtherKind { count, of, such } => {
                format!("{} no number, date or amount as the others are, such as `{such}`", values(*count, *of))
            }
            RuleWarning::LeftOut { count, first, path, lacks_class } => {
                let why = match lacks_class {
                    Some(class) => format!(": it lacks the class `{class}`"),
                    None => String::new(),
                };
                let elements = plural(*count, "element");
                let (are, were) = if *count == 1 { ("is", "was") } else { ("are", "were") };
                format!(
                    "{elements} beside the records {are} built like them and {were} left out, the first `{first}` ({path}){why}"
                )
            }
            RuleWarning::Untyped { count, of, ty, such } => {
                format!("{} no {ty}, such as `{such}`", values(*count, *of))
            }
        }
    }
}

/// `1 of 5 values is`.
fn values(count: u64, of: u64) -> String {
    format!("{count} of {} {}", plural(of as usize, "value"), if count == 1 { "is" } else { "are" })
}

/// So many of what a rule is looked for in.
pub fn places(around: RuleScope<'_>, count: u64) -> String {
    match around {
        RuleScope::Pages => plural(count as usize, "page"),
        RuleScope::Records => plural(count as usize, "record"),
        RuleScope::Group(name) => format!("{count} `{name}`"),
    }
}

/// Looks at all rules.
pub fn warn(rules: &mut [RuleReport<'_>]) {
    for index in 0..rules.len() {
        let (before, from) = rules.split_at_mut(index);
        let Some(rule) = from.first_mut() else { return };
        let Some(found) = rule.found else { return };
        rule.warnings = own(rule, found);
        if let Some(field) = repeated(before, rule, found) {
            rule.warnings.push(RuleWarning::Repeats { field });
        }
        warn(&mut rule.below);
    }
}

fn own(rule: &RuleReport<'_>, found: &RuleFinds) -> Vec<RuleWarning> {
    let mut warnings = Vec::new();
    let (scopes, matched) = (found.scopes, found.matched);
    let of = || places(rule.around, scopes);
    // What was not looked for lacks what is around it, and that is told there; of saved texts, at the pattern.
    let is_told = scopes == 0 || rule.saved.is_some() && rule.rule.locator.is_scope();
    if !is_told {
        if matched == 0 {
            warnings.push(RuleWarning::Nowhere { of: of() });
        } else if !rule.rule.optional && matched < scopes {
            warnings.push(RuleWarning::Missing { lacking: scopes - matched, of: of() });
        } else if rule.rule.optional && matched * RARE < scopes {
            warnings.push(RuleWarning::Rare { matched, of: of() });
        }
    }
    // In a record, a sublist of one is nothing unusual.
    let at_top = rule.around != RuleScope::Records;
    if rule.rule.kind == Kind::List && matched > 0 && (found.found == 1 || at_top && found.found == matched) {
        warnings.push(RuleWarning::OneRecord { several: matched > 1 });
    }
    if rule.has_values() && found.values >= CHANCE && found.distinct() == 1 && found.untyped + found.empty == 0 {
        warnings.push(RuleWarning::Constant { values: found.values });
    }
    let all = found.values + found.untyped + found.empty;
    if let (1.., Some(such)) = (found.untyped, &found.no_value) {
        let (count, ty) = (found.untyped, rule.rule.ty.name());
        warnings.push(RuleWarning::Untyped { count, of: all, ty, such: excerpt(such, VALUE) });
    }
    let in_records = rule.around == RuleScope::Records && rule.rule.kind == Kind::Field;
    if in_records && rule.rule.optional && matched < scopes && is_positional(&rule.rule.locator) {
        warnings.push(RuleWarning::Positional);
    }
    if let [Some((values, _)), Some((words, such))] = &found.kinds
        && words * FEW_ARE_ODD <= values + words
    {
        let (count, of) = (*words, values + words);
        warnings.push(RuleWarning::OtherKind { count, of, such: excerpt(such, VALUE) });
    }
    if let Some(left) = &found.left_out {
        let (first, path) = (excerpt(&left.text, VALUE), left.path.clone());
        warnings.push(RuleWarning::LeftOut { count: left.count, first, path, lacks_class: left.lacks_class.clone() });
    }
    if found.empty > 0 && !rule.rule.optional {
        warnings.push(RuleWarning::Empty { count: found.empty, of: all });
    }
    warnings
}

/// The name of the field of the same scope, above, that has the same values.
fn repeated(before: &[RuleReport<'_>], rule: &RuleReport<'_>, found: &RuleFinds) -> Option<String> {
    if rule.rule.kind != Kind::Field || !rule.has_values() || found.values < 2 {
        return None;
    }
    let fields = before.iter().flat_map(|rule| match rule.rule.kind {
        Kind::Save => rule.below.iter().collect::<Vec<_>>(),
        _ => vec![rule],
    });
    let mut fields = fields.filter(|other| other.rule.kind == Kind::Field && other.has_values());
    let same = fields.find(|other| other.found.is_some_and(|other| other.agrees(found)))?;
    Some(same.rule.name.value.clone())
}
