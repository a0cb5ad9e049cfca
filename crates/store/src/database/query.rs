//! Questions of other people's, answered by SQLite: what they may do, and what is told when they may not.
//!
//! SQLite asks before it prepares each part of a statement whether it is allowed. Reading is, and so are the pragmas that
//! tell of tables; attaching files, loading code and every other pragma are not, whatever the statement around them.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::Value;

use crate::error::Error;

/// Pragmas that only tell.
const TELLING: [&str; 14] = [
    "table_info",
    "table_xinfo",
    "table_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
    "foreign_key_check",
    "integrity_check",
    "quick_check",
    "compile_options",
    "function_list",
    "collation_list",
    "pragma_list",
];

/// Whether a part of a question is allowed.
pub(super) fn allowed(context: AuthContext<'_>) -> Authorization {
    let is_allowed = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !["load_extension", "fts3_tokenizer"].iter().any(|name| function_name.eq_ignore_ascii_case(name))
        }
        AuthAction::Pragma { pragma_name, .. } => TELLING.iter().any(|name| pragma_name.eq_ignore_ascii_case(name)),
        _ => false,
    };
    if is_allowed { Authorization::Allow } else { Authorization::Deny }
}

/// A parameter as people mean it: a number if it looks like one, since SQLite compares 5 and '5' as different.
pub(super) fn typed(text: &str) -> Value {
    let plain = text.parse::<i64>().ok().filter(|number| number.to_string() == text).map(Value::Integer);
    let real = || text.parse::<f64>().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
    plain.or_else(|| real().map(Value::Real)).unwrap_or_else(|| Value::Text(text.to_owned()))
}

/// What is wrong with a query, and where.
pub(super) fn complaint(sql: &str, error: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode::{AuthorizationForStatementDenied, DatabaseBusy, DatabaseLocked, OperationInterrupted};
    match error.sqlite_error_code() {
        Some(AuthorizationForStatementDenied) => return Error::Writes,
        Some(DatabaseBusy | DatabaseLocked | OperationInterrupted) => return error.into(),
        _ => {}
    }
    match error {
        rusqlite::Error::SqlInputError { msg, offset, .. } => {
            Error::Query { why: msg, at: usize::try_from(offset).ok().filter(|at| *at <= sql.len()), hint: None }
        }
        rusqlite::Error::MultipleStatement => Error::Query {
            why: "there are several statements".to_owned(),
            at: sql.find(';'),
            hint: Some("ask one question at a time".to_owned()),
        },
        rusqlite::Error::SqliteFailure(_, Some(why)) => Error::Query { why, at: None, hint: None },
        other => other.into(),
    }
}
