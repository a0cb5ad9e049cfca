//! The tables of a store and their columns, read from the store's own tables.

use crate::store::{Answer, Cell, Error, Kind, Question, Store};

/// The store's own tables that answer questions of their own.
pub const OWN: [&str; 13] = [
    "_pages",
    "_runs",
    "_changes",
    "_wrappers",
    "_versions",
    "_rules",
    "_yields",
    "_findings",
    "_sites",
    "_audits",
    "_visits",
    "_tables",
    "_columns",
];

/// The first columns of each view.
const VIEW: [&str; 4] = ["_id", "page", "first_seen", "last_seen"];

/// The tables of records.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The tables.
    pub tables: Vec<StoreTable>,
}

/// A table of records.
#[derive(Debug)]
pub struct StoreTable {
    /// Name of the table.
    pub name: String,
    /// The table of the records around.
    pub parent: Option<String>,
    /// The columns.
    pub columns: Vec<StoreColumn>,
}

/// A column of a table.
#[derive(Debug)]
pub struct StoreColumn {
    /// Name of the column.
    pub name: String,
    /// Kind of its values.
    pub kind: Kind,
}

impl Catalogue {
    /// Reads it.
    pub fn read(store: &mut Store) -> Result<Catalogue, Error> {
        let mut catalogue = Catalogue::default();
        for row in ask(store, "select name, parent from _tables order by id")? {
            let [name, parent] = texts(row);
            let name = name.unwrap_or_default();
            catalogue.tables.push(StoreTable { name, parent, columns: Vec::new() });
        }
        for row in ask(store, "select tbl, name, kind from _columns order by id")? {
            let [table, name, kind] = texts(row);
            let (Some(table), Some(name)) = (table, name) else { continue };
            let kind = kind.and_then(|kind| Kind::from_name(&kind)).unwrap_or_default();
            if let Some(table) = catalogue.tables.iter_mut().find(|known| known.name == table) {
                table.columns.push(StoreColumn { name, kind });
            }
        }
        Ok(catalogue)
    }

    /// The names that can stand behind `from`, those that people ask most first.
    pub fn table_names(&self) -> Vec<String> {
        let views = self.tables.iter().map(StoreTable::view);
        let tables = self.tables.iter().map(|table| table.name.clone());
        views.chain(tables).chain(OWN.map(str::to_owned)).collect()
    }

    /// The names of all columns of records.
    pub fn column_names(&self) -> Vec<String> {
        let columns = self.tables.iter().flat_map(|table| &table.columns);
        let own = VIEW.iter().map(|name| (*name).to_owned()).chain(["_parent".to_owned()]);
        columns.flat_map(|column| column.names()).chain(own).collect()
    }
}

impl StoreTable {
    /// The view of the records that are there.
    pub fn view(&self) -> String {
        format!("{}_now", self.name)
    }

    /// The columns of the view, each with the kind of its values.
    pub fn shown(&self) -> Vec<(String, &'static str)> {
        let mut shown: Vec<(String, &str)> = vec![("_id".to_owned(), "number")];
        if self.parent.is_some() {
            shown.push(("_parent".to_owned(), "number"));
        }
        shown.extend(
            [("page", "text"), ("first_seen", "date"), ("last_seen", "date")]
                .map(|(name, kind)| (name.to_owned(), kind)),
        );
        for column in &self.columns {
            shown.push((column.name.clone(), column.kind.name()));
            if column.kind == Kind::Money {
                shown.push((format!("{}__currency", column.name), "text"));
            }
        }
        shown
    }
}

impl StoreColumn {
    /// The column, and what stands beside it.
    fn names(&self) -> Vec<String> {
        let mut names = vec![self.name.clone()];
        if self.kind == Kind::Money {
            names.push(format!("{}__currency", self.name));
        }
        if !matches!(self.kind, Kind::Text | Kind::Html) {
            names.push(format!("{}__raw", self.name));
        }
        names
    }
}

/// The rows of a query of our own; they are few.
pub fn ask(store: &mut Store, sql: &str) -> Result<Vec<Vec<Cell>>, Error> {
    struct Collected(Vec<Vec<Cell>>);
    impl Answer for Collected {
        fn columns(&mut self, _: &[String]) {}
        fn row(&mut self, cells: Vec<Cell>) -> bool {
            self.0.push(cells);
            true
        }
    }
    let mut collected = Collected(Vec::new());
    store.query(&Question { sql, ..Question::default() }, &mut collected)?;
    Ok(collected.0)
}

fn texts<const N: usize>(row: Vec<Cell>) -> [Option<String>; N] {
    let mut cells = row.into_iter();
    std::array::from_fn(|_| match cells.next() {
        Some(Cell::Text(text)) => Some(text),
        _ => None,
    })
}

/// A name in quotes.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
