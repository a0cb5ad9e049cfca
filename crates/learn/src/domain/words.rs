//! A domain: the roles that its things have, and what pages call them. The only thing known of a site before it is read.

use windrow_wrapper::values::Type;

use super::entropy::{DATA_RICH, LIST};

/// Roles, their keywords, and what their values look like.
///
/// Made by [`Domain::read`](crate::domain::Domain::read) from a file, or by hand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Domain {
    /// Its name, as a wrapper learned from it is called.
    pub name: String,
    /// What its pages are about, for people.
    pub description: String,
    /// What its things are called, and who offers them: the words that are looked for where sites are not known. `medicine`,
    /// `药品`.
    pub things: Vec<String>,
    /// Its roles, in the order of the file; a role stands in front of those inside it.
    pub roles: Vec<Role>,
    /// The entropies from which on a node is data-rich or a list.
    pub thresholds: Thresholds,
}

/// The entropies from which on a node holds a record (H_d in the paper) or a list (H_l).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// From here on a node is data-rich.
    pub data_rich: f64,
    /// From here on a node may be a list of things.
    pub list: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { data_rich: DATA_RICH, list: LIST }
    }
}

/// One attribute of the things that a domain is about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Role {
    /// What it is called in the result.
    pub name: String,
    /// What it means, for people.
    pub description: String,
    /// What pages call it. Case, accents and white space do not count.
    pub keywords: Vec<String>,
    /// A regular expression that some part of a good value matches, as it is written.
    pub value: Option<String>,
    /// Regular expressions for texts that tell a value without a label; the first group is the value.
    pub phrases: Vec<String>,
    /// How its text is read.
    pub ty: Type,
    /// Whether it has several values: always, never, or, if nothing is said, as the page shows it.
    pub many: Option<bool>,
    /// Whether it is what the thing is called: the title of its page is its value, if no label says otherwise.
    pub title: bool,
    /// What schema.org calls it: `brand`, or along the way `offers.price`.
    pub schema: Vec<String>,
    /// The role it is a part of, by its number: a manufacturer's address is none of the product.
    pub within: Option<usize>,
}

impl Domain {
    /// The role of this name at the top.
    pub fn role(&self, name: &str) -> Option<usize> {
        self.roles.iter().position(|role| role.within.is_none() && role.name == name)
    }

    /// The role whose value is the title: one that says so, else one called `title`, else one called `name`.
    pub fn title(&self) -> Option<usize> {
        let said = self.roles.iter().position(|role| role.title && role.within.is_none());
        said.or_else(|| self.role("title")).or_else(|| self.role("name"))
    }
}
