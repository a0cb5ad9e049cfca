//! Wrappers for several kinds of pages: a guard tells which kind a page is, and the list below it is for that kind.
//!
//! A feed teaches such: one list for index pages, one for entries' own. The pages that are given are of one kind, so one
//! of the lists is mended, the first whose guard lets the page in, or else the first that can be; the others stay as they
//! are until a page of their kind is given.

use windrow_wrapper::{Kind, Locator, Rule};

use super::known::Known;
use super::refusal::{Note, Refusal};
use super::sheet::Sheet;
use super::{Mended, is_mended, list, trial};

/// Whether a rule is a guard with lists of which something is known.
fn is_guard(rule: &Rule, known: &Known) -> bool {
    let list = |rule: &Rule| is_mended(rule) && !known.list(rule.shown()).is_empty();
    rule.kind == Kind::Group && rule.is_temporary() && !rule.rules.is_empty() && rule.rules.iter().all(list)
}

/// Mends the list of the kind that the pages are of.
pub(super) fn mend(
    sheets: &[Sheet<'_>],
    rules: &mut [Rule],
    known: &Known,
    notes: &mut Vec<Note>,
) -> Result<Vec<Mended>, Refusal> {
    let lets_in = |rule: &Rule| sheets.iter().any(|sheet| trial::finds(sheet, &rule.locator));
    let mut guards: Vec<(bool, usize)> =
        (0..rules.len()).filter(|&at| is_guard(&rules[at], known)).map(|at| (!lets_in(&rules[at]), at)).collect();
    guards.sort_unstable();
    let mut refusal = None;
    for (shut, at) in guards {
        let mut told = Vec::new();
        match each(sheets, &rules[at], known, &mut told) {
            Ok((mut rule, reports)) => {
                if shut {
                    // What told its pages from the others is gone with the old names.
                    rule.locator = Locator::css("html");
                }
                rules[at] = rule;
                notes.extend(told);
                return Ok(reports);
            }
            Err(error) => {
                refusal.get_or_insert(error);
            }
        }
    }
    refusal.map_or(Ok(Vec::new()), Err)
}

/// Mends all lists below a guard.
fn each(
    sheets: &[Sheet<'_>],
    guard: &Rule,
    known: &Known,
    notes: &mut Vec<Note>,
) -> Result<(Rule, Vec<Mended>), Refusal> {
    let mut rule = guard.clone();
    let mut reports = Vec::new();
    for own in &mut rule.rules {
        let (new, report) = list::mend(sheets, own, known.list(own.shown()), notes)?;
        *own = new;
        reports.push(report);
    }
    Ok((rule, reports))
}
