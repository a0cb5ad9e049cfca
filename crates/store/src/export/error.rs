//! Errors of exports.

use std::io;

/// Error of an export.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ExportError {
    /// The output could not be written.
    #[error("the output could not be written: {0}")]
    #[diagnostic(code(export::write))]
    Write(#[from] io::Error),
    /// A columnar file or a workbook could not be encoded.
    #[error("the {format} file could not be written: {source}")]
    #[diagnostic(code(export::encode))]
    Encode {
        /// Name of the format.
        format: &'static str,
        /// Error of the encoder.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A record is too large for a batch.
    #[error(
        "a record of `{list}` from {page} has {bytes} bytes, but a columnar file can hold at most {limit} per record"
    )]
    #[diagnostic(code(export::too_large), help("export to JSON Lines, which has no such limit"))]
    TooLarge {
        /// Label of the list.
        list: String,
        /// Page of the record.
        page: String,
        /// Size of the record.
        bytes: usize,
        /// Largest size.
        limit: usize,
    },
    /// A column named for a part of a feed does not exist.
    #[error("`{list}` has no column `{name}`, which was given as the {role} of the feed's entries")]
    #[diagnostic(code(export::unknown_column), help("its columns are {known}"))]
    UnknownColumn {
        /// Label of the list.
        list: String,
        /// Requested name.
        name: String,
        /// Part of the feed that the column was given for.
        role: &'static str,
        /// Names of the existing columns.
        known: String,
    },
}

impl ExportError {
    /// Wraps an encoder's error. An I/O error of the output is unwrapped, so that callers can recognize a closed pipe.
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

/// Returns the kind of the I/O error in an error's chain of sources, if there is one.
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
