//! Errors in SQL, drawn at their place, with suggestions.
//!
//! The databases tell what they did not understand in a sentence and, if it is a matter of grammar, where. Of a name that
//! they do not know they tell the name: its place is looked for, and the names there are are compared with it.

use crate::store::{Error, Store};
use crate::wrapper::files::nearest;
use miette::{Diagnostic, NamedSource, Report, SourceSpan};

use super::catalogue::Catalogue;

/// Names that a hint tells.
const MOST: usize = 8;

/// DomainFile that begin statements that write.
const WRITES: [&str; 13] = [
    "insert", "update", "delete", "replace", "create", "drop", "alter", "truncate", "pragma", "attach", "vacuum",
    "begin", "reindex",
];

#[derive(Debug, thiserror::Error, Diagnostic)]
enum SqlError {
    #[error("{why}")]
    #[diagnostic(code(query::sql))]
    Wrong {
        why: String,
        #[source_code]
        sql: NamedSource<String>,
        #[label("{label}")]
        span: Option<SourceSpan>,
        label: &'static str,
        #[help]
        hint: Option<String>,
    },
    #[error("{why}")]
    #[diagnostic(code(query::writes))]
    Writes {
        why: String,
        #[source_code]
        sql: NamedSource<String>,
        #[label("this would write")]
        span: SourceSpan,
        #[help]
        hint: Option<String>,
    },
    #[error("the query was stopped after {seconds} s")]
    #[diagnostic(code(query::slow), help("ask for less, or allow more with --time"))]
    Slow { seconds: u64 },
}

/// Returns the report of an error in a query.
pub fn report(error: Error, sql: &str, store: &mut Store) -> Report {
    let hint = error.hint();
    let why = error.to_string();
    let source = || NamedSource::new("SQL", sql.to_owned());
    match error {
        Error::Query { why, at, hint } => {
            let unknown = Unknown::in_message(&why);
            // Of `a.titel` the database tells where `a` is.
            let begin = at.filter(|at| sql.is_char_boundary(*at)).unwrap_or(0);
            let named = unknown.as_ref().and_then(|unknown| find(&sql[begin..], &unknown.name));
            let at = named.map(|named| begin + named).or(at).or_else(|| ends_early(sql, &why));
            let hint = unknown.as_ref().and_then(|unknown| unknown.hint(store)).or(hint);
            let label = if unknown.is_some() { "not known" } else { "here" };
            let span = at.map(|at| word(sql, at));
            SqlError::Wrong { why: tidy(&why), sql: source(), span, label, hint }.into()
        }
        Error::Writes => {
            let at = WRITES.iter().filter_map(|word| find(sql, word)).min().unwrap_or(0);
            SqlError::Writes { why, sql: source(), span: word(sql, at), hint }.into()
        }
        Error::Slow { seconds } => SqlError::Slow { seconds }.into(),
        other => crate::stores::report(other),
    }
}

/// Returns the database's message without what is drawn anyway.
fn tidy(why: &str) -> String {
    match why {
        "incomplete input" => "the query ends too early".to_owned(),
        why => why.split(" - should this be").next().unwrap_or(why).to_owned(),
    }
}

/// A name that the database does not know.
#[derive(Debug, PartialEq, Eq)]
struct Unknown {
    what: What,
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Table,
    Column,
}

impl Unknown {
    /// The name in what SQLite or PostgreSQL says of it.
    fn in_message(why: &str) -> Option<Unknown> {
        let sqlite = |what, begin| why.strip_prefix(begin).map(|rest| (what, rest.split(" - ").next().unwrap_or(rest)));
        let server = |what, begin| Some((what, why.strip_prefix(begin)?.strip_suffix(" does not exist")?));
        let (what, name) = sqlite(What::Table, "no such table: ")
            .or_else(|| sqlite(What::Column, "no such column: "))
            .or_else(|| server(What::Table, "relation "))
            .or_else(|| server(What::Column, "column "))?;
        // Of `a.title` the title is not known.
        let name = name.trim_matches('"').rsplit('.').next().unwrap_or(name).trim_matches('"');
        Some(Unknown { what, name: name.to_owned() })
    }

    fn hint(&self, store: &mut Store) -> Option<String> {
        let catalogue = Catalogue::read(store).ok()?;
        let known = match self.what {
            What::Table => catalogue.table_names(),
            What::Column => catalogue.column_names(),
        };
        // The groups around a list or a field are part of its name.
        let inside = || known.iter().find(|name| name.ends_with(&format!("_{}", self.name))).map(String::as_str);
        if let Some(near) = nearest(&self.name, known.iter().map(String::as_str)).or_else(inside) {
            return Some(format!("did you mean `{near}`?"));
        }
        let views: Vec<String> = catalogue.tables.iter().map(|table| table.view()).collect();
        let more = if views.len() > MOST { ", …" } else { "" };
        match self.what {
            What::Table if views.is_empty() => Some("nothing has been kept in it yet".to_owned()),
            What::Table => Some(format!("it has {}{more}", views[..views.len().min(MOST)].join(", "))),
            What::Column => Some("a query without SQL tells the columns; texts stand in single quotes".to_owned()),
        }
    }
}

/// Finds a word that stands by itself, in any case.
fn find(sql: &str, wanted: &str) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    let (sql, wanted) = (sql.to_ascii_lowercase(), wanted.to_ascii_lowercase());
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let free = |at: usize| !is_part(sql[..at].chars().next_back()) && !is_part(sql[at + wanted.len()..].chars().next());
    sql.match_indices(&wanted).map(|(at, _)| at).find(|at| free(*at))
}

fn ends_early(sql: &str, why: &str) -> Option<usize> {
    (why == "incomplete input").then_some(sql.len())
}

/// The word that begins at a byte, or the character there.
fn word(sql: &str, at: usize) -> SourceSpan {
    let Some(rest) = sql.get(at..) else { return (sql.len(), 0).into() };
    let letters = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    let length = if letters > 0 { letters } else { rest.chars().next().map_or(0, char::len_utf8) };
    (at, length).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_read_from_what_databases_say() {
        let unknown = |why| Unknown::in_message(why).map(|unknown| (unknown.what, unknown.name));
        let table = |name: &str| Some((What::Table, name.to_owned()));
        let column = |name: &str| Some((What::Column, name.to_owned()));
        assert_eq!(unknown("no such table: adds"), table("adds"));
        assert_eq!(unknown("no such column: a.titel"), column("titel"));
        assert_eq!(
            unknown("no such column: \"Vienna\" - should this be a string literal in single-quotes?"),
            column("Vienna")
        );
        assert_eq!(unknown("relation \"adds\" does not exist"), table("adds"));
        assert_eq!(unknown("column \"titel\" does not exist"), column("titel"));
        assert_eq!(unknown("column a.titel does not exist"), column("titel"));
        assert_eq!(unknown("near \"form\": syntax error"), None);
    }

    #[test]
    fn names_are_found_where_they_stand_alone() {
        assert_eq!(find("select titles, Title from x", "title"), Some(15));
        assert_eq!(find("select 1", "title"), None);
        assert_eq!(find("ß title", "TITLE"), Some(3));
        assert_eq!(find("x", ""), None);
    }
}
