//! Checks that a rule that saves several texts has only a pattern, or a `case` of patterns, as its locator.
//!
//! Any refinement would have to say which of the texts it applies to, so refinements are rejected rather than
//! ignored.

use windrow_xpath::Span;

use crate::describe::{describe, place_of};
use crate::error::WrapperError;
use crate::wrapper::{Find, Locator};

/// Checks the locator of a [`Kind::Save`](crate::Kind::Save).
pub(crate) fn check(locator: &Locator, span: Option<Span>, errors: &mut Vec<WrapperError>) {
    match &locator.find {
        Find::Case(cases) => {
            check_refinements(locator, span, errors);
            cases.iter().for_each(|case| check_pattern(case, place_of(case).or(span), errors));
        }
        Find::Scope
        | Find::Expression(_)
        | Find::XPath(_)
        | Find::Css(_)
        | Find::Pattern(_)
        | Find::Split(_)
        | Find::Landmark(_)
        | Find::Table(_)
        | Find::Column(_)
        | Find::Get(_) => check_pattern(locator, span, errors),
    }
}

fn check_pattern(locator: &Locator, span: Option<Span>, errors: &mut Vec<WrapperError>) {
    check_refinements(locator, span, errors);
    if !matches!(locator.find, Find::Pattern(_)) {
        errors.push(WrapperError::WrongValue {
            key: "save".to_owned(),
            expected: "a `pattern`, or a `case` of patterns".to_owned(),
            found: format!("`{}`", describe(&Locator::new(locator.find.clone()))),
            hint: Some("put the save into a group: `at` takes any locator".to_owned()),
            span,
        });
    }
}

fn check_refinements(locator: &Locator, span: Option<Span>, errors: &mut Vec<WrapperError>) {
    let Locator { find: _, until, slice, without, after, before, matches, then } = locator;
    let refined = [
        ("until", until.is_some()),
        ("slice", slice.is_some()),
        ("without", without.is_some()),
        ("after", after.is_some()),
        ("before", before.is_some()),
        ("match", matches.is_some()),
        ("then", then.is_some()),
    ];
    for (key, _) in refined.iter().filter(|(_, given)| *given) {
        errors.push(WrapperError::ConflictingKeys {
            first: "into".to_owned(),
            second: (*key).to_owned(),
            hint: Some("put the save into a group or list whose locator has it".to_owned()),
            span,
        });
    }
}
