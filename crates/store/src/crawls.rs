//! Crawls that keep their records in a store: how far each has come.
//!
//! A crawl knows from its own state which pages are stored. If its store is removed or replaced by an older copy, those
//! pages are gone and the crawl would not fetch them again. So both carry a mark: the crawl's name and a number that grows
//! with every batch of pages. The store is marked, and its mark is on the disk, before the state is: a store that is behind
//! its crawl is not the one that the crawl has written.

use crate::catalogue::exists;
use crate::database::{Cell, Param, SqlType, one};
use crate::error::Result;
use crate::store::Store;

impl Store {
    /// Notes how far a crawl has come. When this returns, that and everything that was kept before is on the disk.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub fn mark_crawl(&mut self, crawl: &str, generation: u64) -> Result<()> {
        let is_server = self.database.is_server();
        // Otherwise a file is forced to the disk now and then only. It must be set outside of a transaction.
        if !is_server {
            self.database.batch("pragma synchronous = full")?;
        }
        let marked = self.transaction(|store| {
            if is_server {
                store.database.batch("set local synchronous_commit = on")?;
            }
            if !exists(&mut *store.database, "_crawls")? {
                let int = store.database.type_name(SqlType::Integer);
                store
                    .database
                    .batch(&format!("create table _crawls (id text primary key, generation {int} not null)"))?;
            }
            let params = [Param::text(crawl), Param::Int(i64::try_from(generation).unwrap_or(i64::MAX))];
            let sql = "insert into _crawls (id, generation) values ($1, $2)
                       on conflict (id) do update set generation = excluded.generation";
            store.database.execute(sql, &params).map(drop)
        });
        if !is_server {
            self.database.batch("pragma synchronous = normal")?;
        }
        marked
    }

    /// How far a crawl had come when it last marked this store; none if it never did.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub fn crawl_mark(&mut self, crawl: &str) -> Result<Option<u64>> {
        if !exists(&mut *self.database, "_crawls")? {
            return Ok(None);
        }
        let sql = "select generation from _crawls where id = $1";
        let mark = one(&mut *self.database, sql, &[Param::text(crawl)])?;
        Ok(mark.as_ref().and_then(Cell::int).map(i64::unsigned_abs))
    }
}
