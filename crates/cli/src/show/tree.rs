//! The rules as they are shown: the wrapper's tree, each rule with what it found and what is to be said of it.

use windrow::Wrapper;
use windrow::wrapper::{Find, Kind, Rule, files};

use super::found::Found;
use super::warnings::{self, Warning};

/// A rule, and those below it.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) rule: &'a Rule,
    /// What it was found in.
    pub(crate) around: Around<'a>,
    /// The number of the text that it is, of those that a pattern saved; from 1.
    pub(crate) saved: Option<usize>,
    /// None if there were no pages.
    pub(crate) found: Option<&'a Found>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) below: Vec<Shown<'a>>,
}

/// What a rule is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around<'a> {
    Pages,
    Records,
    Group(&'a str),
}

impl<'a> Shown<'a> {
    /// The rules of a wrapper. `found`: what each found, in the order of their numbers.
    pub(crate) fn new(wrapper: &'a Wrapper, found: Option<&'a [Found]>) -> Vec<Shown<'a>> {
        let mut number = 0;
        let mut shown = rules(&wrapper.rules, Around::Pages, found, &mut number);
        warnings::warn(&mut shown);
        shown
    }

    /// What kind of rule it is, in its file's words.
    pub(crate) fn kind(&self) -> &'static str {
        match self.rule.kind {
            Kind::Field => "field",
            Kind::Group => "group",
            Kind::List => "list",
            Kind::Save => "save",
        }
    }

    /// The rule as a person would write it.
    pub(crate) fn written(&self) -> String {
        let own = files::write_rule(self.rule);
        match self.saved {
            Some(number) if own == "{}" => format!("#{number}"),
            Some(number) => format!("#{number} then {own}"),
            None => own,
        }
    }

    /// Whether it makes values, not sets of objects. The rows of a table whose columns no rule names are sets.
    pub(crate) fn has_values(&self) -> bool {
        let makes = match self.rule.kind {
            Kind::Field => true,
            Kind::List => !matches!(self.rule.locator.find, Find::Table(_)),
            Kind::Group | Kind::Save => false,
        };
        makes && self.rule.rules.is_empty() && !self.rule.is_temporary()
    }
}

/// As deep as rules nest, which is bounded.
fn rules<'a>(rules: &'a [Rule], around: Around<'a>, found: Option<&'a [Found]>, number: &mut usize) -> Vec<Shown<'a>> {
    let mut shown = Vec::with_capacity(rules.len());
    for rule in rules {
        let own = found.and_then(|found| found.get(*number));
        *number += 1;
        let within = match rule.kind {
            Kind::List => Around::Records,
            Kind::Save => around,
            Kind::Field | Kind::Group => Around::Group(&rule.name),
        };
        let mut below = self::rules(&rule.rules, within, found, number);
        if rule.kind == Kind::Save {
            below.iter_mut().enumerate().for_each(|(index, below)| below.saved = Some(index + 1));
        }
        shown.push(Shown { rule, around, saved: None, found: own, warnings: Vec::new(), below });
    }
    shown
}
