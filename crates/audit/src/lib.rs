//! Extracted records held against reference data.
//!
//! Rules with a confidence say what is wrong with a record (E) in the light of a table of reference (S); how far two
//! values agree is a degree, and what follows is an interval of probability.
//!
//! ```
//! use windrow_audit::{Auditor, Field, Options, Record, Rules, reference::Reference};
//!
//! let rules = Rules::read("R1: none S (E.code = S.code at 1) -> Unapproved [0.9]").unwrap();
//! let register = Reference::from_rows("register", &["code"], [["H20050001"], ["H20050002"]]);
//! let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).unwrap();
//! let advertised = Record::new("http://pharmacy.example/7").with("code", Field::text("H99999999"));
//! let finding = &auditor.audit(&advertised).findings[0];
//! assert_eq!(finding.conclusion, "Unapproved");
//! assert!((finding.interval.low - 0.9).abs() < 1e-6);
//! ```
//!
//! [`rules`] reads the rules, [`mod@reference`] the tables; [`matching`] finds the rows that agree, [`normal`] says how far;
//! [`logic`] works out the probabilities; an [`Auditor`] does all of it for each record and gives [`Finding`]s, of which
//! [`report`] makes a page.

mod auditor;
mod evaluate;
mod finding;
mod json;
pub mod logic;
pub mod matching;
mod nearest;
pub mod normal;
mod record;
pub mod reference;
pub mod report;
pub mod rules;
mod span;

pub use auditor::{Auditor, Options};
pub use finding::{Audited, Evidence, Finding, RuleUse, WeakenedRule};
pub use json::rounded;
pub use record::{Field, Record};
pub use rules::Rules;
pub use span::{Place, Span};
