//! Counts of how often each rule was searched for and found, which show a person which rules are weak.
//!
//! Temporaries and saves are counted too, although they leave no objects behind. Costs three additions each time a
//! rule runs. Texts that a pattern saves unchanged cost nothing, since they are found whenever the pattern is.

use crate::object::Extraction;
use crate::program::Rule;
use crate::wrapper::Kind;

/// The outcome of one rule on one page and on the pages it led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tally {
    /// Number of scopes (records, or the page) in which it was searched for.
    pub scopes: u64,
    /// Number of these scopes in which something was found.
    pub matched: u64,
    /// Number of matches in total; more than `matched` if the rule is a list.
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
    /// Returns one tally per rule of the wrapper, in the order in which
    /// [`Object::rule_number`](crate::Object::rule_number) counts rules.
    pub fn tallies(&self) -> Vec<Tally> {
        let mut tallies = self.tallies.clone();
        of_saved_texts(&self.program.rules, &mut tallies);
        let number = |&variable: &u32| tallies.get(variable as usize).copied().unwrap_or_default();
        self.program.numbered.iter().map(number).collect()
    }
}

/// Sets the tallies of saved texts. A saved text is searched for whenever its pattern is; used unchanged, it is also
/// found whenever the pattern is. Recursion is as deep as the rules, which the compiler bounds.
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
