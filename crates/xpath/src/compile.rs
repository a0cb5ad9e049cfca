//! Tree to plan.
pub(crate) fn compile(_ast: &crate::ast::Ast) -> crate::plan::Plan {
    crate::plan::Plan
}
