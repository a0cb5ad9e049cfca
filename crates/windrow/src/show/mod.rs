//! The rules of a wrapper, each with its finds on some pages and with warnings.

mod finds;
pub mod json;
mod tree;
pub mod warnings;

pub use self::finds::{RuleFinds, on_page};
pub use self::tree::{RuleReport, RuleScope};

/// The finds of all rules on some pages.
#[derive(Debug, Default)]
pub struct PageFinds {
    /// Names of the pages.
    pub names: Vec<String>,
    /// Finds of each rule, in the order of their numbers.
    pub found: Vec<RuleFinds>,
}

impl PageFinds {
    /// Joins the finds on several pages.
    pub fn join(pages: Vec<(String, Vec<RuleFinds>)>) -> PageFinds {
        let mut all = PageFinds::default();
        for (name, found) in pages {
            all.names.push(name);
            if all.found.is_empty() {
                all.found = found;
            } else {
                all.found.iter_mut().zip(found).for_each(|(all, page)| all.join(page));
            }
        }
        all
    }
}
