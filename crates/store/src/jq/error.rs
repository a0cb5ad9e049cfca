//! Errors of jq filters.

use std::time::Duration;

use miette::SourceSpan;

/// Error of a jq filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum JqError {
    /// The filter is not valid jq.
    #[error("the filter is not valid jq: expected {expected}, found {found}")]
    #[diagnostic(code(jq::syntax))]
    Syntax {
        /// Expected token or syntax.
        expected: String,
        /// Text found instead.
        found: String,
        /// Position in the filter.
        #[label("expected {expected}")]
        span: SourceSpan,
        /// Suggestion.
        #[help]
        hint: Option<String>,
    },
    /// The filter uses an unknown filter, variable or label.
    #[error("unknown {what}")]
    #[diagnostic(code(jq::undefined))]
    Undefined {
        /// Kind and name of the unknown item: `filter `selct/1``.
        what: String,
        /// Position in the filter.
        #[label("unknown")]
        span: SourceSpan,
        /// Suggestion.
        #[help]
        hint: Option<String>,
    },
    /// The filter is too long.
    #[error("the filter has {bytes} bytes, but may have at most {limit}")]
    #[diagnostic(code(jq::too_long))]
    TooLong {
        /// Length of the filter.
        bytes: usize,
        /// Largest length.
        limit: usize,
    },
    /// A variable's name is not valid in jq.
    #[error("`{name}` is not a valid variable name")]
    #[diagnostic(code(jq::variable), help("use letters, digits and `_`; the first character must not be a digit"))]
    Variable {
        /// Name of the variable.
        name: String,
    },
    /// The filter failed on these records.
    #[error("the filter failed: {message}")]
    #[diagnostic(code(jq::failed))]
    Failed {
        /// Message of the failure.
        message: String,
        /// Suggestion.
        #[help]
        hint: Option<String>,
    },
    /// The filter took too long.
    #[error("the filter was stopped because it took longer than {}", human(*.limit))]
    #[diagnostic(code(jq::time))]
    Time {
        /// Time limit.
        limit: Duration,
    },
    /// The filter recursed too deeply.
    #[error("the filter was stopped because it recursed too deeply")]
    #[diagnostic(
        code(jq::too_deep),
        help("make the recursive call the last step of the definition; tail calls need no stack")
    )]
    TooDeep,
    /// The thread could not be started, or the interpreter panicked.
    #[error("the filter could not be run: {message}")]
    #[diagnostic(code(jq::broken))]
    Broken {
        /// Description of the failure.
        message: String,
    },
}

impl JqError {
    /// Returns the byte range of the filter that the error is about.
    pub fn span(&self) -> Option<std::ops::Range<usize>> {
        match self {
            JqError::Syntax { span, .. } | JqError::Undefined { span, .. } => {
                Some(span.offset()..span.offset() + span.len())
            }
            _ => None,
        }
    }
}

fn human(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds => format!("{seconds} s"),
    }
}
