//! Domains as files: TOML, with places and hints for what is wrong; files that extend others; the domains that come along.
//!
//! ```
//! use windrow_learn::domain::Domain;
//!
//! let domain = Domain::read(
//!     r#"
//!     name = "rake"
//!     extends = "product"
//!
//!     [role.tines]
//!     keywords = ["tines", "number of tines"]
//!     value = '\d'
//!     "#,
//!     &|_| None,
//! )?;
//! assert!(domain.role("tines").is_some() && domain.role("price").is_some());
//! # Ok::<(), windrow_learn::domain::file::Errors>(())
//! ```
//!
//! `docs/domains.md` explains every key. Reading a file takes two steps. `syntax` and `read` turn the text into a *sheet*:
//! what this file says, each key either said or not, with its place. `extend` lays the sheet over those that it extends,
//! and checks what comes out. All errors of a file are reported at once, in its order.
//!
//! # Cost
//!
//! Linear in the file and in the files it extends, each of which is read once; the `MAX_` constants bound both. The value
//! patterns are compiled to see that they can be, each within [`MAX_PATTERN`] bytes.

mod error;
mod extend;
mod fold;
mod read;
mod sheet;
mod shipped;
mod syntax;
mod write;

pub use error::{DomainError, Errors};
pub use shipped::shipped;

use super::Domain;

/// Bytes a domain file may have: a hundred times what a long one has.
pub const MAX_BYTES: usize = 1 << 20;

/// Roles a domain may have, those inside others among them.
pub const MAX_ROLES: usize = 512;

/// Keywords a domain may have, over all its roles.
pub const MAX_KEYWORDS: usize = 10_000;

/// Characters a keyword may have. Labels are short; a longer one is a sentence that got in by mistake.
pub const MAX_KEYWORD: usize = 200;

/// Words that a domain may have for its things.
pub const MAX_THINGS: usize = 100;

/// Roles that may lie within each other.
pub const MAX_DEPTH: usize = 8;

/// Domains that may extend each other in a row, and that one file may extend in all.
pub const MAX_EXTENDS: usize = 32;

/// Bytes that a compiled value pattern may take.
pub const MAX_PATTERN: usize = 1 << 20;

/// Phrases that a role may have: each costs a pass over the page.
pub const MAX_PHRASES: usize = 16;

/// Highest threshold of an entropy: that of 512 roles, each as often as the others, is 9.
pub const MAX_ENTROPY: f64 = 9.0;

/// Errors that are told at once. A file that has more is of another kind altogether.
pub const MAX_ERRORS: usize = 100;

impl Domain {
    /// Reads a domain file. What it `extends` is asked of `others`, by its name, and then looked for among those
    /// [`shipped`].
    ///
    /// A file may extend a shipped domain that has the name of the file itself.
    pub fn read(text: &str, others: &dyn Fn(&str) -> Option<String>) -> Result<Domain, Errors> {
        extend::domain(text, others)
    }

    /// The domain of this name that comes along, if there is one.
    pub fn shipped(name: &str) -> Option<Domain> {
        Domain::read(shipped::text(name)?, &|_| None).ok()
    }

    /// Writes the domain as a file. What is read again is the same domain, if its roles have names that a file can have
    /// and stand in front of those inside them; what it once extended is written out.
    pub fn write(&self) -> String {
        write::domain(self)
    }
}
