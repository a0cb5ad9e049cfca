//! Values for a query: by number or by name.

use miette::{Diagnostic, Report};

/// The values that were given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Params {
    /// In order.
    pub(super) numbered: Vec<String>,
    /// With their names.
    pub(super) named: Vec<(String, String)>,
}

/// Why a value cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum ParamError {
    #[error("the value `{value}` has no name, and in jq every value needs one")]
    #[diagnostic(code(query::param), help("write --param NAME=VALUE, and `$NAME` in the filter"))]
    NoName { value: String },
    #[error("`:{name}` is known to SQLite only; a server numbers its parameters")]
    #[diagnostic(code(query::param), help("write $1, $2, … in the query, and --param VALUE for each"))]
    Named { name: String },
}

impl Params {
    /// The values of --param.
    pub(super) fn new(given: &[String]) -> Params {
        let mut params = Params::default();
        for text in given {
            match text.split_once('=') {
                Some(("", value)) => params.numbered.push(value.to_owned()),
                Some((name, value)) if is_name(name) => params.named.push((name.to_owned(), value.to_owned())),
                _ => params.numbered.push(text.clone()),
            }
        }
        params
    }

    /// For a filter of jq's.
    pub(super) fn variables(self) -> Result<Vec<(String, String)>, Report> {
        match self.numbered.into_iter().next() {
            Some(value) => Err(ParamError::NoName { value }.into()),
            None => Ok(self.named),
        }
    }

    /// For a server.
    pub(super) fn all_numbered(self) -> Result<Params, Report> {
        match self.named.first() {
            Some((name, _)) => Err(ParamError::Named { name: name.clone() }.into()),
            None => Ok(self),
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_values() {
        let given = ["Vienna", "city=Oslo", "https://x.example/?a=b", "=a=b", "max=", "5=5"].map(str::to_owned);
        let params = Params::new(&given);
        assert_eq!(params.numbered, ["Vienna", "https://x.example/?a=b", "a=b", "5=5"]);
        let named = [("city", "Oslo"), ("max", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(params.named, named);
    }
}
