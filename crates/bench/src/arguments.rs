//! The programs' few options: `--name value` pairs, each with a default.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

/// The options given on the command line.
pub struct Arguments(BTreeMap<String, String>);

impl Arguments {
    /// Reads the command line.
    ///
    /// # Panics
    ///
    /// On anything that is not a `--name value` pair: these programs are run by a script.
    pub fn read() -> Arguments {
        let mut pairs = BTreeMap::new();
        let mut given = std::env::args().skip(1);
        while let Some(name) = given.next() {
            let name = name.strip_prefix("--").unwrap_or_else(|| panic!("expected --name value, found `{name}`"));
            let value = given.next().unwrap_or_else(|| panic!("--{name} has no value"));
            pairs.insert(name.to_owned(), value);
        }
        Arguments(pairs)
    }

    /// A number, or its default.
    ///
    /// # Panics
    ///
    /// If what was given is not a number.
    pub fn number<T: FromStr>(&self, name: &str, default: T) -> T {
        match self.0.get(name) {
            Some(value) => value.parse().unwrap_or_else(|_| panic!("--{name} takes a number, not `{value}`")),
            None => default,
        }
    }

    /// A path, if given.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.0.get(name).map(PathBuf::from)
    }
}
