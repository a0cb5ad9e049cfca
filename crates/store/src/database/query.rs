//! Users' queries on SQLite: permission checks and error messages.
//!
//! SQLite asks an authorizer about each part of a statement before it prepares it. Reading is allowed, and so are the
//! pragmas that describe tables; attaching files, loading code and all other pragmas are denied, whatever the statement
//! around them.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::Value;

use crate::error::Error;

/// Pragmas that only report information.
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

/// Authorizes one part of a query.
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

/// Converts a parameter to a number if it is written as one, since SQLite treats 5 and '5' as different. `01234` is a
/// code rather than a number and stays a text.
pub(super) fn typed(text: &str) -> Value {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_number = all(whole) && all(part) && (whole == "0" || !whole.starts_with('0'));
    let number = text.parse::<i64>().map(Value::Integer).or_else(|_| text.parse::<f64>().map(Value::Real));
    match (is_number, number) {
        (true, Ok(number)) => number,
        _ => Value::Text(text.to_owned()),
    }
}

/// Converts a query's error, with its position in the query.
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
            why: "the query contains more than one statement".to_owned(),
            at: sql.find(';'),
            hint: Some("run one statement at a time".to_owned()),
        },
        rusqlite::Error::SqliteFailure(_, Some(why)) => Error::Query { why, at: None, hint: None },
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbers_only_if_written_so() {
        assert_eq!(typed("5"), Value::Integer(5));
        assert_eq!(typed("-5"), Value::Integer(-5));
        assert_eq!(typed("0"), Value::Integer(0));
        assert_eq!(typed("0.50"), Value::Real(0.5));
        for text in ["01234", "1e5", "5.", ".5", "", "-", "5 ", "inf", "1-2", "--5"] {
            assert_eq!(typed(text), Value::Text(text.to_owned()));
        }
    }
}
