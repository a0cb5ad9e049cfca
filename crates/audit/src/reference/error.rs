//! Why a reference table cannot be read: what is wrong, where, and what to do.

/// Why a reference table cannot be read, or not be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum Error {
    /// Columns that are asked for are not there.
    #[error("`{name}` has no column {}", missing.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    #[diagnostic(code(audit::reference::columns), help("{}", columns_help(missing, near, present)))]
    Columns {
        /// The table.
        name: String,
        /// Those that are missing.
        missing: Vec<String>,
        /// For each of them, the present one that is most like it.
        near: Vec<Option<String>>,
        /// Those that are present.
        present: Vec<String>,
    },
}

fn columns_help(missing: &[String], near: &[Option<String>], present: &[String]) -> String {
    let offers: Vec<String> = std::iter::zip(missing, near)
        .filter_map(|(missing, near)| near.as_ref().map(|near| format!("`{near}` may be meant by `{missing}`")))
        .collect();
    let present = format!("it has {}", present.join(", "));
    if offers.is_empty() { present } else { format!("{}; {present}", offers.join(", ")) }
}
