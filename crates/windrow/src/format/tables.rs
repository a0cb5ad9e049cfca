//! Data as tables for people.
//!
//! A wrapper with one list gives one table over all pages. Anything else is shown page by page: the page's own fields in
//! a block of two columns, then a table for each list, each under its name. Records of which nobody knows which of their
//! many fields have a value are [`Cards`]: a block of two columns each.

use crate::wrapper::Shape;

use super::columns::{self, Nesting, RowLayout};
use crate::data::{Form, Record};
use crate::format::printer::{Block, Printer, Room, Section};
use crate::text::plural;

/// The tables of a run.
#[derive(Debug)]
pub struct Tables {
    /// The page's own fields, if there are any.
    fields: Option<RowLayout>,
    lists: Vec<RowLayout>,
    /// True if there is one table over all pages.
    single: bool,
    /// True if it must be told which page a row is from.
    several_pages: bool,
}

impl Tables {
    /// Tables for a wrapper's objects.
    pub fn new(shapes: &[Shape], form: Form, several_pages: bool) -> Tables {
        let own: Vec<Shape> = fields(shapes);
        let ways = columns::lists(shapes);
        let lists: Vec<RowLayout> =
            ways.iter().map(|(way, _)| RowLayout::at(shapes, way, form, Nesting::Count)).collect();
        let has_fields = has_values(&own);
        let open = lists.iter().any(|list| list.plans[0].open);
        // Rows of different pages go under one header if it is known what it says.
        let single = !open && (lists.len() == 1 && !has_fields || lists.is_empty() && several_pages);
        let fields = (has_fields || lists.is_empty()).then(|| RowLayout::at(&own, &[], form, Nesting::Count));
        Tables { fields, lists, single, several_pages }
    }

    /// The printer for these tables.
    pub fn printer(&self, room: Room) -> Printer {
        match (self.single, self.lists.first().or(self.fields.as_ref())) {
            (true, Some(only)) => {
                let page = self.several_pages.then(|| "page".to_owned());
                Printer::table(page.into_iter().chain(only.plans[0].columns.iter().cloned()).collect(), room)
            }
            _ => Printer::sections(room),
        }
    }

    /// Renders a page.
    pub fn render(&self, page: &str, shapes: &[Shape], record: &Record<'_>) -> Block {
        if let (true, Some(only)) = (self.single, self.lists.first().or(self.fields.as_ref())) {
            let rows = only.rows(page, shapes, record).swap_remove(0).rows.into_iter().map(|row| {
                let page = self.several_pages.then(|| row.page.clone());
                page.into_iter().chain(row.cells).collect()
            });
            return Block::Rows(rows.collect());
        }
        let mut sections = Vec::new();
        let mut headings: Vec<String> = self.several_pages.then(|| page.to_owned()).into_iter().collect();
        if let Some(fields) = &self.fields {
            let (own, values) = own_values(shapes, record);
            let sheet = fields.rows(page, &own, &values).swap_remove(0);
            let cells = sheet.rows.into_iter().flat_map(|row| row.cells);
            let rows = sheet.columns.into_iter().zip(cells).map(|(name, cell)| vec![name, cell]).collect();
            sections.push(Section { headings: std::mem::take(&mut headings), columns: Vec::new(), rows });
        }
        for list in &self.lists {
            let sheet = list.rows(page, shapes, record).swap_remove(0);
            let kind = if list.of_values() { "value" } else { "record" };
            headings.push(format!("{}: {}", list.plans[0].path.join("."), plural(sheet.rows.len(), kind)));
            let rows = sheet.rows.into_iter().map(|row| row.cells).collect();
            sections.push(Section { headings: std::mem::take(&mut headings), columns: sheet.columns, rows });
        }
        Block::Sections(sections)
    }
}

/// A block of two columns for each record: its fields that have a value.
#[derive(Debug)]
pub struct Cards {
    records: RowLayout,
    /// True if it must be told which page a record is from.
    several_pages: bool,
}

impl Cards {
    /// Cards for the records of the main list.
    pub fn new(shapes: &[Shape], form: Form, several_pages: bool) -> Cards {
        Cards { records: RowLayout::main(shapes, form, Nesting::Count), several_pages }
    }

    /// Renders a page.
    pub fn render(&self, page: &str, shapes: &[Shape], record: &Record<'_>) -> Block {
        let sheet = self.records.rows(page, shapes, record).swap_remove(0);
        let mut headings: Vec<String> = self.several_pages.then(|| page.to_owned()).into_iter().collect();
        let sections = sheet.rows.into_iter().map(|row| {
            let cells = sheet.columns.iter().zip(row.cells).filter(|(_, cell)| !cell.is_empty());
            let rows = cells.map(|(name, cell)| vec![name.clone(), cell]).collect();
            Section { headings: std::mem::take(&mut headings), columns: Vec::new(), rows }
        });
        Block::Sections(sections.collect())
    }
}

/// The shapes without lists, at any depth that groups reach.
fn fields(shapes: &[Shape]) -> Vec<Shape> {
    let own = shapes.iter().filter(|shape| !shape.many).map(|shape| {
        let mut shape = shape.clone();
        shape.children = fields(&shape.children);
        shape
    });
    own.collect()
}

fn has_values(shapes: &[Shape]) -> bool {
    shapes.iter().any(|shape| !shape.is_set || has_values(&shape.children))
}

/// The page's own fields and their values.
fn own_values<'e>(shapes: &[Shape], record: &Record<'e>) -> (Vec<Shape>, Record<'e>) {
    use crate::data::Data;
    let mut own = Record { columns: record.columns.clone(), ..Record::default() };
    for (shape, value) in shapes.iter().zip(&record.values) {
        if shape.many {
            continue;
        }
        own.values.push(match value {
            Data::Record(inner) => Data::Record(own_values(&shape.children, inner).1),
            value => value.clone(),
        });
    }
    (fields(shapes), own)
}
