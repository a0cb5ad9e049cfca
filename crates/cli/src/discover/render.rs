//! Lists in the format that was asked for.
//!
//! Unlike a wrapper that a person gave, no list is known before its page is read: every page makes its own columns.

use std::fmt::Write;
use std::io::{self, IsTerminal};

use super::lists::{Lists, plural};
use crate::args::{DiscoverArguments, DiscoverFormat};
use crate::extract::columns::{Layout, Nesting};
use crate::extract::{oem, xml};
use crate::printer::{Block, Printer, layout};
use crate::sheets::{Row, Sheets};
use crate::text::table_cell;
use windrow::data::json::Json;
use windrow::data::{self, Data, Form, Record};

/// Writes lists in one format.
#[derive(Debug)]
pub(crate) struct Renderer {
    format: DiscoverFormat,
    form: Form,
    several_pages: bool,
    /// Whether it must be told which list a table is.
    several_lists: bool,
}

impl Renderer {
    /// A renderer for what the command line asks.
    pub(crate) fn new(arguments: &DiscoverArguments, several_pages: bool) -> Renderer {
        let for_people = arguments.output.is_none() && io::stdout().is_terminal();
        let usual = || if for_people { DiscoverFormat::Table } else { DiscoverFormat::Jsonl };
        Renderer {
            // JSON lines also if rules take the records' place: both are printed as they are.
            format: arguments.format.unwrap_or_else(usual),
            form: if arguments.raw { Form::Raw } else { Form::Typed },
            several_pages,
            several_lists: arguments.all,
        }
    }

    /// The printer for this format.
    pub(crate) fn printer(&self) -> Printer {
        match self.format {
            DiscoverFormat::Json if self.several_pages => Printer::json_array(),
            DiscoverFormat::Csv => Printer::Sheets(Sheets::new(vec![(Vec::new(), true)], false)),
            DiscoverFormat::Xml => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            DiscoverFormat::Table | DiscoverFormat::Json | DiscoverFormat::Jsonl | DiscoverFormat::Oem => {
                Printer::plain()
            }
        }
    }

    /// What a page adds to the output.
    pub(crate) fn render(&self, page: &str, lists: &Lists) -> Block {
        let raw = self.form == Form::Raw;
        Block::Text(match self.format {
            DiscoverFormat::Table => self.tables(page, lists),
            // Without a list, a row would be a page.
            DiscoverFormat::Csv if lists.shapes.is_empty() => return Block::Sheets(Vec::new()),
            DiscoverFormat::Csv => {
                let layout = Layout::main(&lists.shapes, self.form, Nesting::Repeat);
                return Block::Sheets(layout.rows(page, &lists.shapes, &self.data(lists)));
            }
            DiscoverFormat::Json if self.several_pages => format!("  {}", self.json(Json::pretty(1), page, lists)),
            DiscoverFormat::Json => self.json(Json::pretty(0), page, lists) + "\n",
            DiscoverFormat::Jsonl => self.json(Json::line(), page, lists) + "\n",
            DiscoverFormat::Xml => xml::page(page, &lists.extraction, raw),
            DiscoverFormat::Oem => oem::page(self.several_pages.then_some(page), &lists.extraction, raw),
        })
    }

    /// Whether what it writes has a place for an explanation.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, DiscoverFormat::Json | DiscoverFormat::Jsonl)
    }

    fn data<'e>(&self, lists: &'e Lists) -> Record<'e> {
        let mut record = data::page(&lists.shapes, &lists.extraction, self.form);
        forgive(&mut record);
        record
    }

    /// A table for each list, under its name where there may be others.
    fn tables(&self, page: &str, lists: &Lists) -> String {
        let record = self.data(lists);
        let mut text = String::new();
        if self.several_pages {
            let _ = writeln!(text, "{page}");
        }
        for (at, shape) in lists.shapes.iter().enumerate() {
            let rows = Layout::at(&lists.shapes, &[at], self.form, Nesting::Count);
            let sheet = rows.rows(page, &lists.shapes, &record).swap_remove(0);
            if sheet.rows.is_empty() {
                continue;
            }
            if self.several_pages || self.several_lists {
                let _ = writeln!(text, "{}: {}", shape.label, plural(sheet.rows.len(), "record"));
            }
            let cells = |row: Row| row.cells.iter().map(|cell| table_cell(cell)).collect();
            text += &layout(&sheet.columns, sheet.rows.into_iter().map(cells).collect());
        }
        text
    }

    /// The page as an object: its name, and its lists in their order.
    fn json(&self, mut json: Json, page: &str, lists: &Lists) -> String {
        let record = self.data(lists);
        json.object(|json| {
            json.key("page");
            json.text(page);
            json.key("lists");
            json.array(|json| {
                for (shape, value) in lists.shapes.iter().zip(&record.values) {
                    let Data::List(records) = value else { continue };
                    if records.is_empty() {
                        continue;
                    }
                    json.element();
                    json.object(|json| {
                        json.key("name");
                        json.text(&shape.label);
                        json.key("records");
                        json.array(|json| {
                            for record in records {
                                json.element();
                                match record {
                                    Data::Record(record) => json.top(&shape.children, record),
                                    value => json.atom(value),
                                }
                            }
                        });
                    });
                }
            });
            if let Some(explanation) = &lists.explanation {
                json.key("considered");
                explanation.json(json);
            }
        });
        json.finish()
    }
}

/// Forgets what is said to be missing: nobody has asked for these fields, so none is owed.
fn forgive(record: &mut Record<'_>) {
    record.missing.clear();
    record.values.iter_mut().for_each(forgive_value);
}

fn forgive_value(value: &mut Data<'_>) {
    match value {
        Data::Record(record) => forgive(record),
        Data::List(list) => list.iter_mut().for_each(forgive_value),
        Data::Absent | Data::Null | Data::Untyped(_) | Data::Text(_) | Data::Number(_) | Data::Money { .. } => {}
    }
}
