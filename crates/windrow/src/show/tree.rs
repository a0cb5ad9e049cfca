//! The rules as they are shown: the wrapper's tree, each rule with what it found and what is to be said of it.

use crate::Wrapper;
use crate::wrapper::{Find, Kind, Rule, files};

use super::finds::RuleFinds;
use super::warnings::{self, RuleWarning};

/// A rule, and those below it.
#[derive(Debug)]
pub struct RuleReport<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// The scope of the rule.
    pub around: RuleScope<'a>,
    /// The number of the text that it is, of those that a pattern saved; from 1.
    pub saved: Option<usize>,
    /// None if there were no pages.
    pub found: Option<&'a RuleFinds>,
    /// Warnings about the rule.
    pub warnings: Vec<RuleWarning>,
    /// The rules below it.
    pub below: Vec<RuleReport<'a>>,
}

/// The scope that a rule is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleScope<'a> {
    /// Pages.
    Pages,
    /// Records of a list.
    Records,
    /// A group of this name.
    Group(&'a str),
}

impl<'a> RuleReport<'a> {
    /// The rules of a wrapper. `found`: what each found, in the order of their numbers.
    pub fn new(wrapper: &'a Wrapper, found: Option<&'a [RuleFinds]>) -> Vec<RuleReport<'a>> {
        let mut number = 0;
        let mut shown = rules(&wrapper.rules, RuleScope::Pages, found, &mut number);
        warnings::warn(&mut shown);
        shown
    }

    /// Returns the kind of rule, as files write it.
    pub fn kind(&self) -> &'static str {
        self.rule.kind.name()
    }

    /// The rule as a person would write it.
    pub fn written(&self) -> String {
        let own = files::write_rule(self.rule);
        match self.saved {
            Some(number) if own == "{}" => format!("#{number}"),
            Some(number) => format!("#{number} then {own}"),
            None => own,
        }
    }

    /// Returns `true` if it makes values, not sets of objects. The rows of a table whose columns no rule names are sets.
    pub fn has_values(&self) -> bool {
        let makes = match self.rule.kind {
            Kind::Field => true,
            Kind::List => !matches!(self.rule.locator.find, Find::Table(_)),
            Kind::Group | Kind::Save => false,
        };
        makes && self.rule.rules.is_empty() && !self.rule.is_temporary()
    }
}

/// As deep as rules nest, which is bounded.
fn rules<'a>(
    rules: &'a [Rule],
    around: RuleScope<'a>,
    found: Option<&'a [RuleFinds]>,
    number: &mut usize,
) -> Vec<RuleReport<'a>> {
    let mut shown = Vec::with_capacity(rules.len());
    for rule in rules {
        let own = found.and_then(|found| found.get(*number));
        *number += 1;
        let within = match rule.kind {
            Kind::List => RuleScope::Records,
            Kind::Save => around,
            Kind::Field | Kind::Group => RuleScope::Group(&rule.name),
        };
        let mut below = self::rules(&rule.rules, within, found, number);
        if rule.kind == Kind::Save {
            below.iter_mut().enumerate().for_each(|(index, below)| below.saved = Some(index + 1));
        }
        shown.push(RuleReport { rule, around, saved: None, found: own, warnings: Vec::new(), below });
    }
    shown
}
