//! The plan.
pub(crate) struct Plan;
