//! Learning: from what was pointed at, and from nothing.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RuleText, RunResult, Spot};

/// Examples that the user points at.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ExampleRequest {
    /// The page whose table is asked for.
    pub page: u64,
    /// The records that are shown; one is enough on most pages.
    pub examples: Vec<Shown>,
    /// Values and records that must not be found.
    #[serde(default)]
    pub not: Vec<Not>,
    /// The element that is the record, if a person picked it.
    #[serde(default)]
    pub record: Option<Mark>,
    /// Name of the list.
    #[serde(default)]
    pub name: Option<String>,
}

/// One record that is shown.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Shown {
    /// The page it is on.
    pub page: u64,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// A field that is pointed at.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its place on the page.
    pub spot: Spot,
}

/// A value or record that must not come out.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Not {
    /// The page it is on.
    pub page: u64,
    /// The field that does not have it; without one, what holds it is no record.
    #[serde(default)]
    pub field: Option<String>,
    /// Its place on the page.
    pub spot: Spot,
}

/// An element of a page.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Mark {
    /// The page.
    pub page: u64,
    /// The element.
    pub node: usize,
}

/// Result of learning.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Learned {
    /// The wrapper, as TOML.
    pub rules: RuleText,
    /// Records that it finds on the page.
    pub result: RunResult,
    /// Notes for display.
    pub notes: Vec<String>,
    /// Microseconds that learning took.
    pub micros: u64,
}

/// A page to find lists on.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct DiscoverRequest {
    /// The page.
    pub page: u64,
    /// Lists at most.
    #[serde(default = "DiscoverRequest::most")]
    pub most: usize,
}

impl DiscoverRequest {
    /// Enough to choose from, few enough to colour.
    fn most() -> usize {
        8
    }
}

/// Lists of a page, the main one first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Discovered {
    /// The lists.
    pub lists: Vec<FoundList>,
    /// Microseconds that it took.
    pub micros: u64,
}

/// A list that was found.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FoundList {
    /// XPath of its first record.
    pub place: String,
    /// The sum of the evidence.
    pub score: f32,
    /// Evidence for and against it, by decreasing weight.
    pub evidence: Vec<Evidence>,
    /// Records that were left out because they are unlike the rest.
    pub dropped: usize,
    /// The wrapper that finds it, as TOML.
    pub rules: RuleText,
    /// Records that it finds.
    pub result: RunResult,
}

/// One thing that was seen of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Evidence {
    /// Name of the observation.
    pub name: String,
    /// Measured value.
    pub value: f32,
    /// Contribution to the score, which may be negative.
    pub worth: f32,
}
