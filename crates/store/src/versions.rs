//! Wrappers and their versions: every text that pages were ever extracted with. The last version is the one in use.

use crate::database::{Cell, Param, one};
use crate::error::{Error, Result};
use crate::store::Store;

/// A version of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// Number in the store.
    pub id: i64,
    /// Number among the wrapper's versions, from 1.
    pub number: i64,
    /// Format of the text: `toml`, `json`, …
    pub format: String,
    /// Text of the wrapper.
    pub text: String,
    /// Time at which it was first used.
    pub made: String,
    /// Reason for the version: `given`, `repaired`, `put back`.
    pub note: String,
}

/// A page that a wrapper was run on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeenPage {
    /// Name of the page: an address or a file.
    pub name: String,
    /// Time at which it was last seen.
    pub seen: String,
}

impl Store {
    /// Returns the pages that a wrapper was run on, most recent first, at most `most`.
    pub fn pages(&mut self, wrapper: &str, most: usize) -> Result<Vec<SeenPage>> {
        let Some(id) = self.wrapper_id(wrapper)? else {
            return Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? });
        };
        let mut pages = Vec::new();
        let sql = "select name, seen from _pages where wrapper = $1 order by seen desc, id limit $2";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.database.select(sql, &[Param::Int(id), Param::Int(most)], &mut |row| {
            let mut texts = row.into_iter().map(|cell| cell.into_text().unwrap_or_default());
            let (name, seen) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
            pages.push(SeenPage { name, seen });
            Ok(())
        })?;
        Ok(pages)
    }

    /// Returns the wrapper's version with this text, creating it if the last version differs. The last version is the
    /// one in use, so an older text becomes a new version.
    pub fn version(&mut self, wrapper: &str, text: &str, format: &str, note: &str, at: &str) -> Result<Version> {
        let hash = crate::found::content_hash(text.as_bytes());
        self.transaction(|store| {
            let id = store.wrapper_id(wrapper)?;
            let id = match id {
                Some(id) => id,
                None => {
                    let id = store.next("_wrappers")?;
                    let params = [Param::Int(id), Param::text(wrapper)];
                    store.database.execute("insert into _wrappers (id, name) values ($1, $2)", &params)?;
                    id
                }
            };
            let last = store.versions_of(id)?.pop();
            if let Some(last) = &last
                && last.text == text
                && last.format == format
            {
                return Ok(last.clone());
            }
            let version = Version {
                id: store.next("_versions")?,
                number: last.map_or(1, |last| last.number + 1),
                format: format.to_owned(),
                text: text.to_owned(),
                made: at.to_owned(),
                note: note.to_owned(),
            };
            let params = [
                Param::Int(version.id),
                Param::Int(id),
                Param::Int(version.number),
                Param::text(hash),
                Param::text(format),
                Param::text(text),
                Param::text(at),
                Param::text(note),
            ];
            let sql = "insert into _versions (id, wrapper, number, hash, format, text, made, note)
                       values ($1, $2, $3, $4, $5, $6, $7, $8)";
            store.database.execute(sql, &params)?;
            Ok(version)
        })
    }

    /// Returns the versions of a wrapper, oldest first.
    pub fn versions(&mut self, wrapper: &str) -> Result<Vec<Version>> {
        match self.wrapper_id(wrapper)? {
            Some(id) => self.versions_of(id),
            None => Err(Error::NoWrapper { name: wrapper.to_owned(), known: self.wrappers()? }),
        }
    }

    /// Returns the names of the wrappers.
    pub fn wrappers(&mut self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.database.select("select name from _wrappers order by id", &[], &mut |row| {
            names.extend(row.into_iter().next().and_then(Cell::into_text));
            Ok(())
        })?;
        Ok(names)
    }

    pub(crate) fn wrapper_id(&mut self, name: &str) -> Result<Option<i64>> {
        let id = one(&mut *self.database, "select id from _wrappers where name = $1", &[Param::text(name)])?;
        Ok(id.and_then(|id| id.int()))
    }

    fn versions_of(&mut self, wrapper: i64) -> Result<Vec<Version>> {
        let mut versions = Vec::new();
        let sql = "select id, number, format, text, made, note from _versions where wrapper = $1 order by number";
        self.database.select(sql, &[Param::Int(wrapper)], &mut |row| {
            let mut row = row.into_iter();
            let mut next = || row.next().unwrap_or(Cell::Null);
            let (id, number) = (next().int().unwrap_or_default(), next().int().unwrap_or_default());
            let mut text = || next().into_text().unwrap_or_default();
            versions.push(Version { id, number, format: text(), text: text(), made: text(), note: text() });
            Ok(())
        })?;
        Ok(versions)
    }
}
