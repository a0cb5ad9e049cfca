//! Audits of extracted records against reference data.
//!
//! Rules with a confidence state problems of a record (E) in the light of a reference table (S). The similarity of two
//! values is a degree, and each conclusion gets an interval of probability.
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
//! [`rules`] parses the rules and [`mod@reference`] reads the tables; [`matching`] finds similar rows, and [`normal`]
//! computes the degree; [`logic`] computes the probabilities. An [`Auditor`] combines these for each record and returns
//! [`Finding`]s, which [`report`] turns into a page.

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
