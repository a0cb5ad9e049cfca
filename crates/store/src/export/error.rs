//! What can go wrong with an export.

use std::io;

/// Why records could not be exported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ExportError {
    /// The output could not be written.
    #[error("the output cannot be written: {0}")]
    #[diagnostic(code(export::write))]
    Write(#[from] io::Error),
    /// A columnar file or a workbook could not be made.
    #[error("the {format} file cannot be made: {source}")]
    #[diagnostic(code(export::encode))]
    Encode {
        /// The name of the format.
        format: &'static str,
        /// What its encoder says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A record that no batch can hold.
    #[error("a record of `{list}` from {page} has {bytes} bytes; {limit} is the most that a columnar file can hold")]
    #[diagnostic(code(export::too_large), help("JSON Lines has no such limit"))]
    TooLarge {
        /// The list's label.
        list: String,
        /// The record's page.
        page: String,
        /// Its size.
        bytes: usize,
        /// The largest size.
        limit: usize,
    },
    /// A feed's part is to be a column that the list does not have.
    #[error("`{list}` has no column `{name}` that could be the {role} of a feed's entries")]
    #[diagnostic(code(export::unknown_column), help("its columns are {known}"))]
    UnknownColumn {
        /// The list's label.
        list: String,
        /// The name.
        name: String,
        /// What the column was to be.
        role: &'static str,
        /// The columns that there are.
        known: String,
    },
}

impl ExportError {
    /// An encoder's error. One that is the output's own is told as such: a closed pipe must be known for one.
    pub(super) fn encode(
        format: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> ExportError {
        let source = source.into();
        match find_io(source.as_ref()) {
            Some(kind) => ExportError::Write(io::Error::new(kind, source)),
            None => ExportError::Encode { format, source },
        }
    }
}

/// The kind of the I/O error that is behind an error.
fn find_io(error: &(dyn std::error::Error + 'static)) -> Option<io::ErrorKind> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return Some(error.kind());
        }
        next = error.source();
    }
    None
}
