//! Problems of a page, one line each: page, object, rule, reason.

use std::collections::{HashMap, HashSet};

use crate::Extraction;

use crate::wrapper_file::WrapperFile;

/// Lines for one rule on one page; further ones are counted.
const MOST: usize = 10;

/// The lines that tell a page's problems.
#[derive(Debug, Default)]
pub struct ProblemLines {
    /// Lines that are worth knowing.
    pub warnings: Vec<String>,
    /// Reasons why the result is incomplete.
    pub errors: Vec<String>,
}

/// Tells the problems of a page, with the places of the rules if they are in a file: ten for each rule, the others are
/// counted. `strict`: what is required and missing is an error.
pub fn tell(page: &str, extraction: &Extraction, rules: Option<&WrapperFile>, strict: bool) -> ProblemLines {
    at_most(MOST, page, extraction, rules, strict)
}

/// Tells all problems of a page, for a run that counts lines itself.
pub fn all(page: &str, extraction: &Extraction, rules: Option<&WrapperFile>, strict: bool) -> ProblemLines {
    at_most(usize::MAX, page, extraction, rules, strict)
}

fn at_most(
    most: usize,
    page: &str,
    extraction: &Extraction,
    rules: Option<&WrapperFile>,
    strict: bool,
) -> ProblemLines {
    let mut told = ProblemLines::default();
    let mut counts: HashMap<String, usize> = HashMap::new();
    // In the order of their first lines.
    let mut more: Vec<(String, bool)> = Vec::new();
    // What could not be had is missing, too; the first says why.
    let cut = extraction.problems().iter().filter(|problem| problem.is_cut());
    let cut: HashSet<_> = cut.map(|problem| problem.subject()).collect();
    for problem in extraction.problems() {
        if problem.is_missing() && cut.contains(&problem.subject()) {
            continue;
        }
        let is_error = problem.is_cut() || strict && problem.is_missing();
        let rule = problem.rule(extraction);
        let count = counts.entry(rule.clone()).or_default();
        *count += 1;
        if *count > most {
            if *count == most + 1 {
                more.push((rule, is_error));
            }
            continue;
        }
        let place = rules.map(|rules| format!(" ({})", rules.place(problem.place(extraction)))).unwrap_or_default();
        let other = problem.page(extraction);
        let on = if other == page { String::new() } else { format!(" (on {other})") };
        let what = format!("{}{place}: {}{on}", problem.path(extraction), problem.message(extraction));
        told.push(page, &what, is_error);
    }
    for (rule, is_error) in more {
        let count = counts.get(&rule).map_or(0, |count| count - most);
        told.push(page, &format!("{rule}: the same {count} times more"), is_error);
    }
    if extraction.unreported() > 0 {
        told.push(page, &format!("{} further problems", extraction.unreported()), strict);
    }
    told
}

impl ProblemLines {
    fn push(&mut self, page: &str, what: &str, is_error: bool) {
        if is_error {
            self.errors.push(format!("error: {page}: {what}"))
        } else {
            self.warnings.push(format!("warning: {page}: {what}"))
        }
    }
}
