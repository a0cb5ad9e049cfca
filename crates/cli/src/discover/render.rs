//! Lists in the format that was asked for.
//!
//! Unlike a wrapper that a person gave, no list is known before its page is read: every page makes its own columns.

use windrow::discovery::Lists;
use windrow::text::plural;

use super::destination::Destination;
use crate::args::{DiscoverArguments, DiscoverFormat};
use crate::terminal;
use windrow::data::json::Json;
use windrow::data::{self, Data, Form, Record};
use windrow::fill::Fill;
use windrow::format::columns::{Nesting, RowLayout};
use windrow::format::csv::CsvFiles;
use windrow::format::printer::{Block, Printer, Room, Section};
use windrow::format::{oem, render, xml};

/// Writes lists in one format.
#[derive(Debug)]
pub(crate) struct Renderer {
    format: DiscoverFormat,
    form: Form,
    several_pages: bool,
    /// Whether it must be told which list a table is.
    several_lists: bool,
    /// The room that tables have.
    room: Room,
}

impl Renderer {
    /// A renderer for what the command line asks.
    pub(crate) fn new(arguments: &DiscoverArguments, destination: &Destination, several_pages: bool) -> Renderer {
        let all = match several_pages || arguments.all {
            true => "--format jsonl shows all",
            false => "--format csv shows all",
        };
        let format = match destination {
            Destination::Records { format, .. } => *format,
            Destination::Wrapper { .. } => DiscoverFormat::Toml,
        };
        let room = match destination.path() {
            Some(_) => terminal::room_in_file(arguments.table.rows, all),
            None => terminal::room(arguments.table.rows, all),
        };
        let form = if arguments.raw { Form::Raw } else { Form::Typed };
        Renderer { format, form, several_pages, several_lists: arguments.all, room }
    }

    /// The printer for this format.
    pub(crate) fn printer(&self) -> Printer {
        match self.format {
            DiscoverFormat::Json if self.several_pages => Printer::json_array(),
            DiscoverFormat::Csv => Printer::Sheets(CsvFiles::new(vec![(Vec::new(), true)], false)),
            DiscoverFormat::Xml => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            DiscoverFormat::Table => Printer::sections(self.room),
            DiscoverFormat::Json | DiscoverFormat::Jsonl | DiscoverFormat::Oem | DiscoverFormat::Toml => {
                Printer::plain()
            }
        }
    }

    /// What a page adds to the output.
    pub(crate) fn render(&self, page: &str, lists: &Lists) -> Block {
        let raw = self.form == Form::Raw;
        Block::Text(match self.format {
            DiscoverFormat::Table => return Block::Sections(self.sections(page, lists)),
            // The wrapper takes the place of the records.
            DiscoverFormat::Toml => String::new(),
            // Without a list, a row would be a page.
            DiscoverFormat::Csv if lists.shapes.is_empty() => return Block::Sheets(Vec::new()),
            DiscoverFormat::Csv => {
                let layout = RowLayout::main(&lists.shapes, self.form, Nesting::Join);
                return Block::Sheets(layout.rows(page, &lists.shapes, &self.data(lists)));
            }
            DiscoverFormat::Json if self.several_pages => format!("  {}", self.json(Json::pretty(1), page, lists)),
            DiscoverFormat::Json => self.json(Json::pretty(0), page, lists) + "\n",
            DiscoverFormat::Jsonl => self.json(Json::line(), page, lists) + "\n",
            DiscoverFormat::Xml => xml::page(page, &lists.extraction, raw),
            DiscoverFormat::Oem => oem::page(self.several_pages.then_some(page), &lists.extraction, raw),
        })
    }

    /// What the format cannot show, or shows in another way.
    pub(crate) fn hints(&self, lists: &Lists) -> Vec<String> {
        match self.format {
            DiscoverFormat::Csv => {
                let layout = RowLayout::main(&lists.shapes, self.form, Nesting::Join);
                render::hints(&layout, "`discover -o rules.toml`, then `extract -w rules.toml --csv-dir DIR`")
            }
            _ => Vec::new(),
        }
    }

    /// How many records there are, and which fields they lack. Pages have lists of their own, which are not added up.
    pub(crate) fn fill(&self, lists: &Lists) -> Fill {
        let fill = Fill::count(&lists.shapes, &data::page(&lists.shapes, &lists.extraction, self.form));
        if self.several_pages { fill.without_empty_fields() } else { fill }
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
    fn sections(&self, page: &str, lists: &Lists) -> Vec<Section> {
        let record = self.data(lists);
        let mut sections = Vec::new();
        let mut headings: Vec<String> = self.several_pages.then(|| page.to_owned()).into_iter().collect();
        for (at, shape) in lists.shapes.iter().enumerate() {
            let rows = RowLayout::at(&lists.shapes, &[at], self.form, Nesting::Count);
            let sheet = rows.rows(page, &lists.shapes, &record).swap_remove(0);
            if sheet.rows.is_empty() {
                continue;
            }
            if self.several_pages || self.several_lists {
                headings.push(format!("{}: {}", shape.label, plural(sheet.rows.len(), "record")));
            }
            let rows = sheet.rows.into_iter().map(|row| row.cells).collect();
            sections.push(Section { headings: std::mem::take(&mut headings), columns: sheet.columns, rows });
        }
        sections
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
