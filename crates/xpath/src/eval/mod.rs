//! Evaluation.
pub(crate) fn run(
    _plan: &crate::plan::Plan,
    _document: &windrow_dom::Document,
    _context: crate::Node,
    _environment: &crate::Environment,
) -> Result<crate::Value, crate::EvalError> {
    Ok(crate::Value::Nodes(Vec::new()))
}
