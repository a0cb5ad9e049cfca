//! The meaning of positional arguments where the first of them may be something else than the rest.
//!
//! A wrapper is given with `-w`, a store that is read as the first argument or with `--store`. Scripts of the first release
//! name the wrapper first, in front of the pages; that still works.

use std::path::Path;

/// The environment variable that names the store to read.
pub(super) const STORE_VARIABLE: &str = "WINDROW_STORE";

/// Takes the wrapper: the value of `-w`, or else the first of the arguments.
///
/// An error names the missing argument.
pub(super) fn take_wrapper(option: Option<String>, arguments: &mut Vec<String>) -> Result<String, &'static str> {
    match option {
        Some(wrapper) => Ok(wrapper),
        None if arguments.is_empty() => Err("--wrapper <FILE>"),
        None => Ok(arguments.remove(0)),
    }
}

/// Takes the store to read: the value of `--store`, the first of the arguments, or the environment's.
///
/// If the environment names a store, the first argument is one only if it plainly is: a file, or a server's address.
pub(super) fn take_store(
    option: Option<String>,
    variable: Option<String>,
    arguments: &mut Vec<String>,
) -> Result<String, &'static str> {
    let is_store = |argument: &String| {
        let server = argument.starts_with("postgres://") || argument.starts_with("postgresql://");
        server || Path::new(argument).is_file()
    };
    match (option, variable.filter(|store| !store.is_empty())) {
        (Some(store), _) => Ok(store),
        (None, Some(store)) if !arguments.first().is_some_and(is_store) => Ok(store),
        (None, _) if arguments.is_empty() => Err("<STORE>"),
        (None, _) => Ok(arguments.remove(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(arguments: &[&str]) -> Vec<String> {
        arguments.iter().map(|argument| (*argument).to_owned()).collect()
    }

    #[test]
    fn the_wrapper_is_an_option_or_the_first_argument() {
        let mut pages = texts(&["a.html", "b.html"]);
        assert_eq!(take_wrapper(Some("w.toml".to_owned()), &mut pages), Ok("w.toml".to_owned()));
        assert_eq!(pages, ["a.html", "b.html"]);
        let mut pages = texts(&["w.toml", "a.html"]);
        assert_eq!(take_wrapper(None, &mut pages), Ok("w.toml".to_owned()));
        assert_eq!(pages, ["a.html"]);
        assert_eq!(take_wrapper(None, &mut Vec::new()), Err("--wrapper <FILE>"));
    }

    #[test]
    fn the_store_is_an_option_an_argument_or_a_variable() {
        let take = |option: Option<&str>, variable: Option<&str>, arguments: &[&str]| {
            let mut rest = texts(arguments);
            take_store(option.map(str::to_owned), variable.map(str::to_owned), &mut rest).map(|store| (store, rest))
        };
        let found = |store: &str, rest: &[&str]| Ok((store.to_owned(), texts(rest)));
        assert_eq!(take(None, None, &["a.db", "ads"]), found("a.db", &["ads"]));
        assert_eq!(take(Some("a.db"), Some("b.db"), &["ads"]), found("a.db", &["ads"]));
        assert_eq!(take(None, Some("b.db"), &["ads"]), found("b.db", &["ads"]));
        assert_eq!(take(None, Some("b.db"), &["postgres://host/shop", "ads"]), found("postgres://host/shop", &["ads"]));
        assert_eq!(take(None, Some(""), &["a.db"]), found("a.db", &[]));
        assert_eq!(take(None, None, &[]), Err("<STORE>"));
    }
}
