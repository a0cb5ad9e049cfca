//! Marks of the crawls that store their records here.
//!
//! A crawl's own state says which pages are stored. If the store is deleted or replaced by an older copy, those pages
//! are lost and the crawl would not fetch them again. Both therefore carry a mark: the crawl's name and a number that
//! grows with every batch of pages. The store's mark reaches the disk before the crawl's state does, so a store whose
//! mark is behind is not the one that the crawl has written.

use crate::catalogue::exists;
use crate::database::{Cell, Param, SqlType, one};
use crate::error::Result;
use crate::store::Store;

impl Store {
    /// Stores the mark of a crawl. When this returns, the mark and everything stored before it are on the disk.
    ///
    /// # Errors
    ///
    /// The database failed.
    pub fn mark_crawl(&mut self, crawl: &str, generation: u64) -> Result<()> {
        let is_server = self.database.is_server();
        // By default a file is synced to the disk only now and then. The pragma has no effect inside a transaction.
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

    /// Returns the number with which a crawl last marked this store, or `None` if it never did.
    ///
    /// # Errors
    ///
    /// The database failed.
    pub fn crawl_mark(&mut self, crawl: &str) -> Result<Option<u64>> {
        if !exists(&mut *self.database, "_crawls")? {
            return Ok(None);
        }
        let sql = "select generation from _crawls where id = $1";
        let mark = one(&mut *self.database, sql, &[Param::text(crawl)])?;
        Ok(mark.as_ref().and_then(Cell::int).map(i64::unsigned_abs))
    }
}
