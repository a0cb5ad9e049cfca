//! Why a filter gives no results.

use std::time::Duration;

use miette::SourceSpan;

/// What is wrong with a filter, or became of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum JqError {
    /// It is not written as jq is.
    #[error("the filter is not jq: expected {expected}, found {found}")]
    #[diagnostic(code(jq::syntax))]
    Syntax {
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
        /// Where.
        #[label("expected {expected}")]
        span: SourceSpan,
        /// What may be meant.
        #[help]
        hint: Option<String>,
    },
    /// It calls a filter, a variable or a label that there is not.
    #[error("no {what} is known")]
    #[diagnostic(code(jq::undefined))]
    Undefined {
        /// What it is, with its name: `filter `selct/1``.
        what: String,
        /// Where.
        #[label("not known")]
        span: SourceSpan,
        /// What may be meant.
        #[help]
        hint: Option<String>,
    },
    /// It is too long to be read.
    #[error("the filter has {bytes} bytes; {limit} are the most")]
    #[diagnostic(code(jq::too_long))]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The longest.
        limit: usize,
    },
    /// A variable's name cannot be written in a filter.
    #[error("`{name}` is no name for a variable")]
    #[diagnostic(code(jq::variable), help("letters, digits and `_`, and no digit first"))]
    Variable {
        /// The name.
        name: String,
    },
    /// It failed on these objects.
    #[error("the filter failed: {message}")]
    #[diagnostic(code(jq::failed))]
    Failed {
        /// What it says.
        message: String,
        /// What may help.
        #[help]
        hint: Option<String>,
    },
    /// It took too long.
    #[error("the filter was stopped after {}", human(*.limit))]
    #[diagnostic(code(jq::time))]
    Time {
        /// The time it had.
        limit: Duration,
    },
    /// It calls itself too often.
    #[error("the filter calls itself too deep and was stopped")]
    #[diagnostic(code(jq::too_deep), help("a call that is the last thing a definition does costs no depth"))]
    TooDeep,
    /// There was no thread for it, or it broke the interpreter.
    #[error("the filter cannot be run: {message}")]
    #[diagnostic(code(jq::broken))]
    Broken {
        /// What is known.
        message: String,
    },
}

impl JqError {
    /// The bytes of the filter that it is about.
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
