//! Checks that the absolute paths that learners keep beside their rules are paths.
//!
//! Paths do not affect extraction, so a wrong one would be noticed only when somebody exports or repairs the wrapper,
//! long after it was written. It is reported with the other mistakes of the file instead. Linear in the wrapper.

use windrow_xpath::Expr;

use crate::error::WrapperError;
use crate::program::DEPTH;
use crate::wrapper::{Rule, Text};

/// Checks the paths of rules and of those below them.
pub(crate) fn check(rules: &[Rule], errors: &mut Vec<WrapperError>, depth: usize) {
    // Deeper nesting is reported elsewhere.
    if depth > DEPTH {
        return;
    }
    for rule in rules {
        if let Some(path) = &rule.path {
            errors.extend(mistake(&rule.name, path));
        }
        check(&rule.rules, errors, depth + 1);
    }
}

fn mistake(rule: &Text, path: &Text) -> Option<WrapperError> {
    if let Err(error) = Expr::xpath(path) {
        return Some(WrapperError::in_expression(rule, path, error));
    }
    let relative = || WrapperError::WrongValue {
        key: "path".to_owned(),
        expected: "an absolute XPath".to_owned(),
        found: format!("`{path}`"),
        hint: Some("it begins at the page: `/html[1]/body[1]/…`".to_owned()),
        span: path.span,
    };
    (!path.starts_with('/')).then(relative)
}
