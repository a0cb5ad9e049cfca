//! Location of a reference table, written as one text; see the [module](super).

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Location of a reference table.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A file; for a database file, a part of it.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Part of the database.
        part: Part,
    },
    /// A PostgreSQL server.
    Postgres {
        /// Address `postgres://…`, with the password if there is one.
        address: String,
        /// Part of the database.
        part: Part,
    },
}

/// Part of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The only table.
    Only,
    /// A table or view.
    Table(String),
    /// The result of a query.
    Query(String),
}

/// Extensions of files that have parts.
const DATABASES: [&str; 4] = [".db", ".sqlite", ".sqlite3", ".db3"];

impl From<&str> for Source {
    fn from(text: &str) -> Source {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let (address, part) = text.split_once('#').unwrap_or((text, ""));
            return Source::Postgres { address: address.to_owned(), part: Part::from(part) };
        }
        let ends_a_database = |hash: &usize| {
            let path = text[..*hash].to_ascii_lowercase();
            DATABASES.iter().any(|ending| path.ends_with(ending))
        };
        match text.match_indices('#').map(|(hash, _)| hash).find(ends_a_database) {
            Some(hash) => Source::File { path: text[..hash].into(), part: Part::from(&text[hash + 1..]) },
            None => Source::File { path: text.into(), part: Part::Only },
        }
    }
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Source, Infallible> {
        Ok(Source::from(text))
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        let text = text.trim();
        let first = text.split(|character: char| !character.is_ascii_alphabetic()).next().unwrap_or_default();
        let queries = ["select", "with", "values"];
        match text {
            "" => Part::Only,
            _ if first.len() < text.len() && queries.iter().any(|word| word.eq_ignore_ascii_case(first)) => {
                Part::Query(text.to_owned())
            }
            _ => Part::Table(text.to_owned()),
        }
    }
}

/// Writes the source as it was given, without a password.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self {
            Source::File { path, part } => {
                write!(out, "{}", path.display())?;
                part
            }
            Source::Postgres { address, part } => {
                out.write_str(&shown(address))?;
                part
            }
        };
        match part {
            Part::Only => Ok(()),
            Part::Table(text) | Part::Query(text) => write!(out, "#{text}"),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Source({self})")
    }
}

/// Returns an address without its password, wherever in the address it is given.
pub(super) fn shown(address: &str) -> String {
    let (place, settings) = address.split_once('?').unwrap_or((address, ""));
    let place = match place.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?))) {
        Some((scheme, (user, host))) => format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or_default()),
        None => place.to_owned(),
    };
    let settings: Vec<&str> =
        settings.split('&').filter(|setting| !setting.is_empty() && !setting.starts_with("password")).collect();
    if settings.is_empty() { place } else { format!("{place}?{}", settings.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart() {
        let file = |path: &str, part| Source::File { path: path.into(), part };
        let table = |name: &str| Part::Table(name.to_owned());
        let query = |sql: &str| Part::Query(sql.to_owned());
        for (text, expected) in [
            ("register.csv", file("register.csv", Part::Only)),
            ("drugs#2.csv", file("drugs#2.csv", Part::Only)),
            ("register.db", file("register.db", Part::Only)),
            ("register.db#drugs", file("register.db", table("drugs"))),
            ("a#b.SQLite3#drugs", file("a#b.SQLite3", table("drugs"))),
            ("register.db#selection", file("register.db", table("selection"))),
            ("register.db#Select a from b#c", file("register.db", query("Select a from b#c"))),
        ] {
            assert_eq!(Source::from(text), expected, "{text}");
        }
        let Source::Postgres { address, part } = Source::from("postgres://me:secret@host/db#public.drugs") else {
            panic!("no server")
        };
        assert_eq!((address.as_str(), part), ("postgres://me:secret@host/db", table("public.drugs")));
    }

    #[test]
    fn passwords_are_not_shown() {
        for (text, shown) in [
            ("postgres://me:secret@host/db#drugs", "postgres://me@host/db#drugs"),
            ("postgres://me:se@cret@host/db", "postgres://me@host/db"),
            ("postgresql://host/db?user=me&password=secret", "postgresql://host/db?user=me"),
            ("register.db#drugs", "register.db#drugs"),
        ] {
            assert_eq!(Source::from(text).to_string(), shown);
        }
    }
}
