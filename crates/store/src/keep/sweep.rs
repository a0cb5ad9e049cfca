//! Marks records that a page no longer shows as gone, unless another page still shows them.

use std::collections::{BTreeMap, HashSet};

use super::Keeping;
use crate::database::{Cell, Param, SqlType, Target, quoted};
use crate::error::Result;

impl Keeping<'_> {
    /// Marks the page's records that were not seen now.
    pub(super) fn sweep_page(&mut self, table: usize, seen: &HashSet<i64>) -> Result<()> {
        if self.is_new {
            return Ok(());
        }
        let mut gone = self.present(table, "_page", &[self.page])?;
        gone.retain(|id| !seen.contains(id));
        let elsewhere = self.elsewhere(table, &gone)?;
        for (record, page) in &elsewhere {
            self.hand_over(table, &[*record], *page, true)?;
        }
        gone.retain(|id| !elsewhere.contains_key(id));
        self.mark_gone(table, &gone)
    }

    /// Marks the records inside these parents that were not seen now.
    pub(super) fn sweep_parents(&mut self, table: usize, parents: &[i64], seen: &HashSet<i64>) -> Result<()> {
        let mut gone = self.present(table, "_parent", parents)?;
        gone.retain(|id| !seen.contains(id));
        self.mark_gone(table, &gone)
    }

    /// Reports whether any of these records has records inside.
    pub(super) fn has_inside(&mut self, table: usize, parents: &[i64]) -> Result<bool> {
        Ok(!self.present(table, "_parent", parents)?.is_empty())
    }

    /// Stores which records of other pages this page shows.
    pub(super) fn note_shared(&mut self, table: &str, records: &[i64]) -> Result<()> {
        if !self.is_new {
            let params = [Param::Int(self.page), Param::text(table)];
            self.database.execute("delete from _also where page = $1 and tbl = $2", &params)?;
        }
        for &record in records {
            let params = [Param::Int(self.page), Param::text(table), Param::Int(record)];
            let sql = "insert into _also (page, tbl, record) values ($1, $2, $3) on conflict do nothing";
            self.database.execute(sql, &params)?;
        }
        Ok(())
    }

    /// Returns the current records whose column `by` (page or parent) is one of `keys`, in ascending order.
    fn present(&mut self, table: usize, by: &str, keys: &[i64]) -> Result<Vec<i64>> {
        let select = format!("select _id from {}", quoted(&self.catalogue.tables[table].name));
        let keys: Vec<Param<'_>> = keys.iter().map(|key| Param::Int(*key)).collect();
        let mut present = Vec::new();
        self.database.lookup(&select, &format!("_gone is null and {by}"), &keys, &mut |row| {
            present.extend(row.first().and_then(Cell::int));
            Ok(())
        })?;
        present.sort_unstable();
        Ok(present)
    }

    /// Returns for each record another page that shows it, if there is one.
    fn elsewhere(&mut self, table: usize, records: &[i64]) -> Result<BTreeMap<i64, i64>> {
        let by = format!("tbl = '{}' and record", self.catalogue.tables[table].name);
        let keys: Vec<Param<'_>> = records.iter().map(|id| Param::Int(*id)).collect();
        let mut pages: BTreeMap<i64, i64> = BTreeMap::new();
        self.database.lookup("select record, page from _also", &by, &keys, &mut |row| {
            if let [Cell::Int(record), Cell::Int(page)] = row[..] {
                let first = pages.entry(record).or_insert(page);
                *first = page.min(*first);
            }
            Ok(())
        })?;
        Ok(pages)
    }

    /// Assigns records to another page. Their places on it are unknown until it is read again.
    fn hand_over(&mut self, table: usize, records: &[i64], page: i64, is_top: bool) -> Result<()> {
        let name = self.catalogue.tables[table].name.clone();
        let columns = [
            ("_id", SqlType::Integer),
            ("_page", SqlType::Integer),
            ("_path", SqlType::Text),
            ("_start", SqlType::Integer),
            ("_end", SqlType::Integer),
            ("_sources", SqlType::Json),
        ];
        let target = Target { table: name.clone(), columns: columns.map(|(name, ty)| (name.to_owned(), ty)).into() };
        let row = |id: &i64| {
            vec![Param::Int(*id), Param::Int(page), Param::Null, Param::Null, Param::Null, Param::text("{}")]
        };
        self.database.update(&target, &records.iter().map(row).collect::<Vec<_>>())?;
        if is_top {
            for &record in records {
                let params = [Param::Int(page), Param::text(name.as_str()), Param::Int(record)];
                self.database.execute("delete from _also where page = $1 and tbl = $2 and record = $3", &params)?;
            }
        }
        for below in self.catalogue.below(table).collect::<Vec<_>>() {
            let inside = self.present(below, "_parent", records)?;
            if !inside.is_empty() {
                self.hand_over(below, &inside, page, false)?;
            }
        }
        Ok(())
    }

    /// Marks records and their inner records as gone.
    fn mark_gone(&mut self, table: usize, gone: &[i64]) -> Result<()> {
        if gone.is_empty() {
            return Ok(());
        }
        let name = self.catalogue.tables[table].name.clone();
        let target = Target {
            table: name.clone(),
            columns: vec![("_id".to_owned(), SqlType::Integer), ("_gone".to_owned(), SqlType::Integer)],
        };
        let run = self.run.id;
        let rows: Vec<_> = gone.iter().map(|id| vec![Param::Int(*id), Param::Int(run)]).collect();
        self.database.update(&target, &rows)?;
        self.outcome.gone += gone.len() as u64;
        self.note(&name, gone.iter().map(|id| (*id, "gone", None)).collect())?;
        for below in self.catalogue.below(table).collect::<Vec<_>>() {
            let inside = self.present(below, "_parent", gone)?;
            self.mark_gone(below, &inside)?;
        }
        Ok(())
    }
}
