//! Records read back as trees, a thousand at a time.

use std::collections::HashMap;

use crate::catalogue::Kept;
use crate::data::{Kind, Layout, Record, Value};
use crate::database::{Cell, Param, quoted};
use crate::error::{Error, Result};
use crate::store::Store;

/// Records that are held at a time.
const CHUNK: usize = 1000;

/// Which records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Those that are there.
    #[default]
    Present,
    /// Those that are gone, too.
    All,
    /// Those that were there before this run.
    Before(i64),
}

/// How values are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// As their kinds say.
    #[default]
    Typed,
    /// As they stood on the page; addresses as they are.
    Raw,
}

impl Store {
    /// The lists at the top: what their records look like, as far as anything was ever kept of them.
    pub fn layouts(&self) -> Vec<Layout> {
        let tables = &self.catalogue.tables;
        (0..tables.len()).filter(|&at| tables[at].parent.is_none()).map(|at| self.catalogue.layout(at)).collect()
    }

    /// The layout of a list at the top, by its label or its table's name.
    pub fn layout(&self, list: &str) -> Result<Layout> {
        self.table(list).map(|table| self.catalogue.layout(table))
    }

    /// Hands over the records of a list at the top, in the order they were first kept, as long as `each` wants more.
    pub fn records(
        &mut self,
        list: &str,
        which: Which,
        form: Form,
        mut each: impl FnMut(Record) -> bool,
    ) -> Result<()> {
        let table = self.table(list)?;
        let mut last = 0;
        loop {
            let some = self.chunk(table, which, form, &format!("r._id > {last}"), "r._id", Some(CHUNK))?;
            let Some((_, end)) = some.last() else { return Ok(()) };
            last = end.id;
            let is_last = some.len() < CHUNK;
            for (_, record) in some {
                if !each(record) {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn table(&self, list: &str) -> Result<usize> {
        let tables = &self.catalogue.tables;
        let top = || tables.iter().enumerate().filter(|(_, table)| table.parent.is_none());
        let found =
            top().find(|(_, table)| table.label == list).or_else(|| top().find(|(_, table)| table.name == list));
        found.map(|(at, _)| at).ok_or_else(|| Error::NoList {
            name: list.to_owned(),
            known: top().map(|(_, table)| table.label.clone()).collect(),
        })
    }

    /// Records with the number of the one around them.
    fn chunk(
        &mut self,
        table: usize,
        which: Which,
        form: Form,
        condition: &str,
        order: &str,
        limit: Option<usize>,
    ) -> Result<Vec<(i64, Record)>> {
        let this = self.catalogue.tables[table].clone();
        let columns = this.columns.iter().flat_map(|kept| selected(kept, form));
        let columns: Vec<String> = columns.map(|name| format!(", cast(r.{} as text)", quoted(&name))).collect();
        let present = match which {
            Which::Present => " and r._gone is null".to_owned(),
            Which::All => String::new(),
            Which::Before(run) => format!(" and r._first < {run} and (r._gone is null or r._gone >= {run})"),
        };
        let limit = limit.map(|limit| format!(" limit {limit}")).unwrap_or_default();
        let sql = format!(
            "select r._id, coalesce(r._parent, 0), p.name, f.started, s.started, g.started{} from {} r
             join _pages p on p.id = r._page join _runs f on f.id = r._first join _runs s on s.id = r._seen
             left join _runs g on g.id = r._gone where {condition}{present} order by {order}{limit}",
            columns.concat(),
            quoted(&this.name),
        );
        let mut records = Vec::new();
        self.database.select(&sql, &[] as &[Param<'_>], &mut |row| {
            let mut cells = row.into_iter();
            let mut next = || cells.next().unwrap_or(Cell::Null);
            let (id, parent) = (next().int().unwrap_or_default(), next().int().unwrap_or_default());
            let mut text = || next().into_text();
            let (page, first, seen) =
                (text().unwrap_or_default(), text().unwrap_or_default(), text().unwrap_or_default());
            let gone = text();
            let values = this.columns.iter().map(|kept| value(kept, form, &mut text)).collect();
            records.push((parent, Record { id, page, first, seen, gone, values, lists: Vec::new() }));
            Ok(())
        })?;
        let ids = records.iter().map(|(_, record)| record.id);
        let Some((least, most)) = ids.clone().min().zip(ids.max()) else { return Ok(records) };
        let below: Vec<usize> = self.catalogue.below(table).collect();
        for inner in below {
            let condition = format!("r._parent between {least} and {most}");
            let inside = self.chunk(inner, which, form, &condition, "r._parent, r._n, r._id", None)?;
            let mut by_parent: HashMap<i64, Vec<Record>> = HashMap::new();
            for (parent, record) in inside {
                by_parent.entry(parent).or_default().push(record);
            }
            for (_, record) in &mut records {
                record.lists.push(by_parent.remove(&record.id).unwrap_or_default());
            }
        }
        Ok(records)
    }
}

/// The columns that a value is read from.
fn selected(kept: &Kept, form: Form) -> Vec<String> {
    match (form, kept.kind) {
        (Form::Raw, Kind::Date | Kind::Number | Kind::Money) => vec![format!("{}__raw", kept.name)],
        (Form::Typed, Kind::Money) => vec![kept.name.clone(), format!("{}__currency", kept.name)],
        _ => vec![kept.name.clone()],
    }
}

fn value(kept: &Kept, form: Form, text: &mut dyn FnMut() -> Option<String>) -> Value {
    let first = text();
    match (form, kept.kind) {
        (Form::Typed, Kind::Number) => first.map_or(Value::Null, Value::Number),
        (Form::Typed, Kind::Money) => {
            let currency = text();
            first.map_or(Value::Null, |amount| Value::Money { amount, currency })
        }
        _ => first.map_or(Value::Null, Value::Text),
    }
}
