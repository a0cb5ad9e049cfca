//! Which store is meant, and which of the arguments is the question.
//!
//! A store may be named by an argument, by --store, or by the environment. An argument behind a store that is named
//! otherwise is the question (or, for an export, the list), unless it plainly is a store itself.

use std::io::{self, Read};
use std::path::Path;

use miette::{Diagnostic, Report};

use crate::args::QueryArguments;

/// The variable that names a store.
const VARIABLE: &str = "WINDROW_STORE";

/// Bytes of SQL that are read from standard input.
const LONGEST: u64 = 1 << 20;

/// Why it is not known what is asked, or of whom.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum AskedError {
    #[error("no store was given")]
    #[diagnostic(
        code(store::none_given),
        help("name it in front, as in `windrow {command} shop.db …`, with --store, or in WINDROW_STORE")
    )]
    NoStore { command: &'static str },
    #[error("there is one argument too many: `{argument}`")]
    #[diagnostic(code(query::too_many), help("{help}"))]
    TooMany { argument: String, help: &'static str },
    #[error("no page was given")]
    #[diagnostic(
        code(query::no_page),
        help("the pages come first, the SQL last: windrow query -w {rules} PAGE… 'select …'")
    )]
    NoPage { rules: String },
    #[error("no SQL was given")]
    #[diagnostic(
        code(query::no_sql),
        help("`{argument}` is a page; the SQL comes behind the pages, for instance 'select * from {list}_now'")
    )]
    NoSql { argument: String, list: String },
    #[error("the SQL on standard input cannot be read: {cause}")]
    #[diagnostic(code(query::standard_input))]
    Unreadable { cause: io::Error },
}

/// A store and what else was given.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Its address.
    pub(crate) store: String,
    /// The SQL, or the list.
    pub(crate) other: Option<String>,
}

impl Stored {
    /// Reads the arguments of a command; `help` describes what they may be.
    pub(crate) fn new(
        command: &'static str,
        option: Option<&str>,
        arguments: &[String],
        help: &'static str,
    ) -> Result<Stored, Report> {
        let variable = std::env::var(VARIABLE).ok().filter(|address| !address.is_empty());
        Stored::resolve(command, option, variable, arguments, help)
    }

    fn resolve(
        command: &'static str,
        option: Option<&str>,
        variable: Option<String>,
        arguments: &[String],
        help: &'static str,
    ) -> Result<Stored, Report> {
        let too_many = |argument: &String| Err(too_many(argument.clone(), help));
        match (option, variable, arguments) {
            (Some(store), _, []) => Ok(Stored { store: store.to_owned(), other: None }),
            (Some(store), _, [other]) => Ok(Stored { store: store.to_owned(), other: Some(other.clone()) }),
            (Some(_), _, [_, more, ..]) | (None, _, [_, _, more, ..]) => too_many(more),
            (None, _, [store, other]) => Ok(Stored { store: store.clone(), other: Some(other.clone()) }),
            (None, Some(store), [other]) if !is_store(other) => Ok(Stored { store, other: Some(other.clone()) }),
            (None, None, [other]) if looks_like_sql(other) && !is_store(other) => {
                Err(AskedError::NoStore { command }.into())
            }
            (None, _, [store]) => Ok(Stored { store: store.clone(), other: None }),
            (None, Some(store), []) => Ok(Stored { store, other: None }),
            (None, None, []) => Err(AskedError::NoStore { command }.into()),
        }
    }
}

/// One argument that cannot be used.
pub(super) fn too_many(argument: String, help: &'static str) -> Report {
    AskedError::TooMany { argument, help }.into()
}

/// Returns `true` if an argument is a store rather than anything else.
fn is_store(argument: &str) -> bool {
    is_server(argument) || Path::new(argument).is_file()
}

/// Returns `true` if a store is on a server.
pub(super) fn is_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

fn looks_like_sql(argument: &str) -> bool {
    let first = argument.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ["select", "with", "values", "explain"].contains(&first.as_str()) && argument.trim().len() > first.len()
}

/// The pages and the SQL, if SQL is asked for; `list` is a list to show the way with.
pub(super) fn over(arguments: &QueryArguments, rules: &str, list: &str) -> Result<(Vec<String>, String), Report> {
    let mut pages = arguments.arguments.clone();
    let sql = match (&arguments.jq, pages.pop()) {
        (Some(_), _) => String::new(),
        (None, None) => return Err(AskedError::NoPage { rules: rules.to_owned() }.into()),
        (None, Some(last)) if is_page(&last) => {
            return Err(AskedError::NoSql { argument: last, list: list.to_owned() }.into());
        }
        (None, Some(last)) => read(&last)?,
    };
    let pages = if arguments.jq.is_some() { arguments.arguments.clone() } else { pages };
    if pages.is_empty() { Err(AskedError::NoPage { rules: rules.to_owned() }.into()) } else { Ok((pages, sql)) }
}

fn is_page(argument: &str) -> bool {
    crate::pages::is_url(argument) || Path::new(argument).exists()
}

/// The SQL of an argument, or of standard input.
pub(super) fn read(argument: &str) -> Result<String, Report> {
    if argument != "-" {
        return Ok(argument.trim().to_owned());
    }
    let mut sql = String::new();
    let read = io::stdin().lock().take(LONGEST).read_to_string(&mut sql);
    read.map_err(|cause| AskedError::Unreadable { cause })?;
    Ok(sql.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(option: Option<&str>, variable: Option<&str>, arguments: &[&str]) -> Option<(String, Option<String>)> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let stored = Stored::resolve("query", option, variable.map(str::to_owned), &arguments, "help").ok()?;
        Some((stored.store, stored.other))
    }

    fn some(store: &str, other: Option<&str>) -> Option<(String, Option<String>)> {
        Some((store.to_owned(), other.map(str::to_owned)))
    }

    #[test]
    fn a_store_is_named_in_three_ways() {
        let sql = "select 1";
        assert_eq!(resolve(None, None, &["a.db", sql]), some("a.db", Some(sql)));
        assert_eq!(resolve(Some("a.db"), None, &[sql]), some("a.db", Some(sql)));
        assert_eq!(resolve(None, Some("a.db"), &[sql]), some("a.db", Some(sql)));
        assert_eq!(resolve(Some("a.db"), Some("b.db"), &[]), some("a.db", None));
        assert_eq!(resolve(None, Some("b.db"), &[]), some("b.db", None));
    }

    #[test]
    fn what_is_named_in_the_arguments_comes_before_the_environment() {
        assert_eq!(resolve(None, Some("b.db"), &["a.db", "select 1"]), some("a.db", Some("select 1")));
        assert_eq!(resolve(None, Some("b.db"), &["postgres://me@host/shop"]), some("postgres://me@host/shop", None));
    }

    #[test]
    fn without_a_store_there_is_nothing_to_ask() {
        assert_eq!(resolve(None, None, &[]), None);
        assert_eq!(resolve(None, None, &["select 1"]), None);
        assert_eq!(resolve(None, None, &["shop.db"]), some("shop.db", None));
        assert_eq!(resolve(None, None, &["a.db", "select 1", "x"]), None);
        assert_eq!(resolve(Some("a.db"), None, &["select 1", "x"]), None);
    }
}
