//! Lists in the format that was asked for.
//!
//! Unlike a wrapper that a person gave, no list is known before its page is read: every page makes its own columns.

use crate::discovery::Lists;
use crate::text::plural;

use crate::data::json::Json;
use crate::data::{self, Data, Form, Record};
use crate::fill::Fill;
use crate::format::columns::{Nesting, RowLayout};
use crate::format::csv::CsvFiles;
use crate::format::printer::{Block, Printer, Room, Section};
use crate::format::render::FormatError;
use crate::format::{OutputFormat, oem, render, xml};

/// Formats of lists that nobody has described.
pub const FORMATS: [OutputFormat; 6] = [
    OutputFormat::Table,
    OutputFormat::Json,
    OutputFormat::JSONL,
    OutputFormat::CSV,
    OutputFormat::Xml,
    OutputFormat::Oem,
];

/// Writes lists in one format.
#[derive(Debug)]
pub struct ListRenderer {
    format: Option<OutputFormat>,
    form: Form,
    several_pages: bool,
    /// True if it must be told which list a table is.
    several_lists: bool,
    /// The room that tables have.
    room: Room,
}

impl ListRenderer {
    /// Creates a renderer; without a format it writes nothing, as the wrapper takes the place of the records.
    pub fn new(
        format: Option<OutputFormat>,
        raw: bool,
        several_pages: bool,
        several_lists: bool,
        room: Room,
    ) -> Result<ListRenderer, FormatError> {
        if let Some(format) = format.filter(|format| !FORMATS.contains(format)) {
            return Err(FormatError::NoRecords { format: format.name() });
        }
        let form = if raw { Form::Raw } else { Form::Typed };
        Ok(ListRenderer { format, form, several_pages, several_lists, room })
    }

    /// The printer for this format.
    pub fn printer(&self) -> Printer {
        match self.format {
            Some(OutputFormat::Json) if self.several_pages => Printer::json_array(),
            Some(OutputFormat::CSV) => Printer::Sheets(CsvFiles::new(vec![(Vec::new(), true)], false)),
            Some(OutputFormat::Xml) => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            Some(OutputFormat::Table) => Printer::sections(self.room),
            _ => Printer::plain(),
        }
    }

    /// Renders the lists of a page.
    pub fn render(&self, page: &str, lists: &Lists) -> Block {
        let raw = self.form == Form::Raw;
        Block::Text(match self.format {
            Some(OutputFormat::Table) => return Block::Sections(self.sections(page, lists)),
            // The wrapper takes the place of the records.
            None => String::new(),
            // Without a list, a row would be a page.
            Some(OutputFormat::CSV) if lists.shapes.is_empty() => return Block::Sheets(Vec::new()),
            Some(OutputFormat::CSV) => {
                let layout = RowLayout::main(&lists.shapes, self.form, Nesting::Join);
                return Block::Sheets(layout.rows(page, &lists.shapes, &self.data(lists)));
            }
            Some(OutputFormat::Json) if self.several_pages => format!("  {}", self.json(Json::pretty(1), page, lists)),
            Some(OutputFormat::Json) => self.json(Json::pretty(0), page, lists) + "\n",
            Some(OutputFormat::JSONL) => self.json(Json::line(), page, lists) + "\n",
            Some(OutputFormat::Xml) => xml::page(page, &lists.extraction, raw),
            Some(_) => oem::page(self.several_pages.then_some(page), &lists.extraction, raw),
        })
    }

    /// Returns hints on what the format cannot show, or shows in another way.
    pub fn hints(&self, lists: &Lists) -> Vec<String> {
        match self.format {
            Some(OutputFormat::CSV) => {
                let layout = RowLayout::main(&lists.shapes, self.form, Nesting::Join);
                render::hints(&layout, "`discover -o rules.toml`, then `extract -w rules.toml --csv-dir DIR`")
            }
            _ => Vec::new(),
        }
    }

    /// Counts the records, and the fields that they lack. Pages have lists of their own, which are not added up.
    pub fn fill(&self, lists: &Lists) -> Fill {
        let fill = Fill::count(&lists.shapes, &data::page(&lists.shapes, &lists.extraction, self.form));
        if self.several_pages { fill.without_empty_fields() } else { fill }
    }

    /// Returns `true` if what it writes has a place for an explanation.
    pub fn is_json(&self) -> bool {
        matches!(self.format, Some(OutputFormat::Json) | Some(OutputFormat::JSONL))
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
