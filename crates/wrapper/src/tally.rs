//! How often each rule was looked for and how often it was found: what tells a person which rule is the weak one.
//!
//! Temporaries and saves are counted, too, which leave no objects behind. Three additions for each time that a rule runs;
//! the values that a pattern saves as they are cost none, since they are found whenever the pattern is.

use crate::object::Extraction;
use crate::program::Rule;
use crate::wrapper::Kind;

/// What became of one rule on one page, and on those it led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tally {
    /// In how many scopes it was looked for: records, or the page.
    pub scopes: u64,
    /// In how many of them something was found.
    pub matched: u64,
    /// How much was found in all: more than `matched` if it is a list.
    pub found: u64,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, found: usize) {
        self.scopes += 1;
        self.matched += u64::from(found > 0);
        self.found += found as u64;
    }
}

impl Extraction {
    /// What became of each rule of the wrapper, each in front of those below it, as
    /// [`Object::rule_number`](crate::Object::rule_number) counts them.
    pub fn tallies(&self) -> Vec<Tally> {
        let mut tallies = self.tallies.clone();
        of_saved_texts(&self.program.rules, &mut tallies);
        let number = |&variable: &u32| tallies.get(variable as usize).copied().unwrap_or_default();
        self.program.numbered.iter().map(number).collect()
    }
}

/// A saved text is looked for wherever its pattern is; as it is, it is found whenever that is. Recurses as deep as the
/// rules lie, which the compiler bounds.
fn of_saved_texts(rules: &[Rule], tallies: &mut [Tally]) {
    for rule in rules {
        if rule.kind == Kind::Save {
            let save = tallies[rule.variable as usize];
            for below in &rule.rules {
                let tally = &mut tallies[below.variable as usize];
                if below.plain && below.kind == Kind::Field {
                    *tally = save;
                }
                tally.scopes = save.scopes;
            }
        }
        of_saved_texts(&rule.rules, tallies);
    }
}
