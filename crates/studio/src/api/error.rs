//! Errors: the same code, place and help that the command draws.

use serde::Serialize;
use utoipa::ToSchema;

/// Failure of a call.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Failure {
    /// Error code for programs: `wrapper::unknown_key`.
    pub code: String,
    /// Message for display.
    pub message: String,
    /// Hint on how to resolve the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Positions in the rules that were sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// Further errors, each with its own place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub related: Vec<Failure>,
}

/// A place in a text that was sent, in UTF-16 units as browsers count, from 0.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Label {
    /// The first.
    pub start: usize,
    /// The one behind the last.
    pub end: usize,
    /// Text of the label.
    pub text: String,
}
