//! An extraction in the format that was asked for.

use crate::Extraction;
use crate::wrapper::Shape;

use super::columns::{self, Nesting, RowLayout};
use super::tables::{Cards, Tables};
use super::{OutputFormat, explained, oem, xml};
use crate::data::json::{self, Json};
use crate::data::{self, Form};
use crate::fill::Fill;
use crate::format::csv::CsvFiles;
use crate::format::printer::{Block, Printer, Room};
use crate::rows::Rows;
use crate::store::export;
use crate::wrapper_file::WrapperFile;

/// Writes extractions in one format.
#[derive(Debug)]
pub struct Renderer<'a> {
    shapes: Vec<Shape>,
    format: Format<'a>,
    form: Form,
    /// True if labels without a value are left out where a reader does not miss them.
    sparse: bool,
    /// True if it must be told which page an object is from.
    several_pages: bool,
    /// The room that tables have.
    room: Room,
}

#[derive(Debug)]
enum Format<'a> {
    Table(Tables),
    Cards(Cards),
    Csv {
        layout: RowLayout,
        linked: bool,
    },
    Json,
    Jsonl,
    Xml,
    Oem,
    /// One list, written as a store exports it.
    Export {
        format: export::Format,
        rows: Rows,
    },
    Outline(&'a WrapperFile),
    ExplainedJson(&'a WrapperFile),
    ExplainedJsonl(&'a WrapperFile),
}

impl<'a> Renderer<'a> {
    /// Creates a renderer of extractions with these shapes. `raw` writes every value as its visible text;
    /// `several_pages` says that rows must name their page.
    ///
    /// # Errors
    ///
    /// Records of pages cannot be written in this format: a feed, a web page.
    pub fn of(
        format: OutputFormat,
        raw: bool,
        shapes: Vec<Shape>,
        several_pages: bool,
    ) -> Result<Renderer<'a>, FormatError> {
        let form = if raw { Form::Raw } else { Form::Typed };
        let format = match format {
            OutputFormat::Table => Format::Table(Tables::new(&shapes, form, several_pages)),
            OutputFormat::Json => Format::Json,
            OutputFormat::JSONL => Format::Jsonl,
            OutputFormat::CSV => Format::Csv { layout: RowLayout::main(&shapes, form, Nesting::Join), linked: false },
            OutputFormat::Xml => Format::Xml,
            OutputFormat::Oem => Format::Oem,
            OutputFormat::PARQUET | OutputFormat::ARROW | OutputFormat::XLSX if raw => {
                return Err(FormatError::Typed { format: format.name() });
            }
            OutputFormat::Export(format @ (export::Format::Parquet | export::Format::Arrow | export::Format::Xlsx)) => {
                exported(format, &shapes)?
            }
            OutputFormat::Html | OutputFormat::Export(_) => {
                return Err(FormatError::NoRecords { format: format.name() });
            }
        };
        let room = Room::new(usize::MAX, None, "");
        Ok(Renderer { shapes, format, form, sparse: false, several_pages, room })
    }

    /// Writes a line for each record of the main list instead of one for each page, if the format is JSON Lines.
    ///
    /// # Errors
    ///
    /// The format is another one.
    pub fn by_record(mut self) -> Result<Renderer<'a>, FormatError> {
        match self.format {
            Format::Jsonl if self.form == Form::Raw => {
                Err(FormatError::Typed { format: "JSON Lines by record (--per-record)" })
            }
            Format::Jsonl => {
                self.format = exported(export::Format::Jsonl, &self.shapes)?;
                Ok(self)
            }
            _ => Err(FormatError::NotJsonLines),
        }
    }

    /// Sets the size of tables.
    pub fn with_room(mut self, room: Room) -> Renderer<'a> {
        self.room = room;
        self
    }

    /// Leaves out labels without a value, for records of many fields of which most have none.
    pub fn sparse(mut self) -> Renderer<'a> {
        self.sparse = true;
        if matches!(self.format, Format::Table(_)) {
            self.format = Format::Cards(Cards::new(&self.shapes, self.form, self.several_pages));
        }
        self
    }

    /// Also writes where each value comes from: an outline, or JSON if that is the format.
    pub fn explained(mut self, rules: &'a WrapperFile) -> Renderer<'a> {
        self.format = match self.format {
            Format::Json => Format::ExplainedJson(rules),
            Format::Jsonl => Format::ExplainedJsonl(rules),
            _ => Format::Outline(rules),
        };
        self
    }

    /// Writes a CSV file for the pages and one for each list, instead of one for the main list.
    pub fn linked(mut self) -> Renderer<'a> {
        if let Format::Csv { layout, linked } = &mut self.format {
            (*layout, *linked) = (RowLayout::linked(&self.shapes, self.form), true);
        }
        self
    }

    /// Returns `true` if only the pages tell the columns.
    pub fn columns_are_open(&self) -> bool {
        matches!(&self.format, Format::Csv { layout, .. } if layout.plans.iter().any(|plan| plan.open))
    }

    /// Returns hints on what the format cannot show. `all` is the option that shows it.
    pub fn hints(&self, all: &str) -> Vec<String> {
        match &self.format {
            Format::Csv { layout, .. } => hints(layout, all),
            Format::Export { rows, .. } => {
                let main = &rows.layout().label;
                let others: Vec<String> = Rows::names(&self.shapes)
                    .into_iter()
                    .filter(|name| name != main)
                    .map(|name| format!("`{name}`"))
                    .collect();
                let are = if others.len() == 1 { "is" } else { "are" };
                let left_out = format!(
                    "hint: the records are those of `{main}`; {} {are} left out: --into STORE keeps all, and `windrow export` writes them",
                    others.join(", ")
                );
                if others.is_empty() { Vec::new() } else { vec![left_out] }
            }
            _ => Vec::new(),
        }
    }

    /// The names of the files, if there are several.
    pub fn files(&self) -> Vec<String> {
        let Format::Csv { layout, linked: true } = &self.format else { return Vec::new() };
        let mut names: Vec<String> = Vec::new();
        for plan in &layout.plans {
            let name = if plan.path.is_empty() { "page".to_owned() } else { file_name(&plan.path.join(".")) };
            // Some file systems take upper and lower case for the same.
            let free = |name: &String| !names.iter().any(|other| other.to_lowercase() == name.to_lowercase());
            let mut numbered = (2..).map(|number| format!("{name}_{number}"));
            let name = if free(&name) { name } else { numbered.find(free).unwrap_or_default() };
            names.push(name);
        }
        names.iter().map(|name| format!("{name}.csv")).collect()
    }

    /// The printer for this format.
    pub fn printer(&self) -> Printer {
        match &self.format {
            Format::Table(tables) => tables.printer(self.room),
            Format::Cards(_) => Printer::sections(self.room),
            Format::Csv { layout, linked } => {
                let files = layout.plans.iter().map(|plan| (plan.columns.clone(), plan.open)).collect();
                Printer::Sheets(CsvFiles::new(files, *linked))
            }
            Format::Json | Format::ExplainedJson(_) => Printer::json_array(),
            Format::Xml => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            Format::Jsonl | Format::Oem => Printer::plain(),
            Format::Outline(_) | Format::ExplainedJsonl(_) => Printer::plain(),
            Format::Export { format, rows } => Printer::export(*format, rows.layout()),
        }
    }

    /// Counts the records of a page, and the fields that they lack.
    pub fn fill(&self, extraction: &Extraction) -> Fill {
        Fill::count(&self.shapes, &data::page(&self.shapes, extraction, self.form))
    }

    /// Renders a page.
    pub fn render(&self, page: &str, extraction: &Extraction) -> Block {
        self.render_with(page, extraction, &|_| ())
    }

    /// Renders a page; `more` writes further keys of the page where the format is JSON.
    pub fn render_with(&self, page: &str, extraction: &Extraction, more: &dyn Fn(&mut Json)) -> Block {
        let raw = self.form == Form::Raw;
        let data = || data::page(&self.shapes, extraction, self.form);
        let json = |json: Json| if self.sparse { json.sparse() } else { json };
        Block::Text(match &self.format {
            Format::Table(tables) => return tables.render(page, &self.shapes, &data()),
            Format::Cards(cards) => return cards.render(page, &self.shapes, &data()),
            Format::Csv { layout, .. } => return Block::Sheets(layout.rows(page, &self.shapes, &data())),
            Format::Export { rows, .. } => {
                let found = rows.found(extraction).into_iter();
                return Block::Records(found.map(|found| rows.record(page, found)).collect());
            }
            Format::Json => format!("  {}", json::page_with(json(Json::pretty(1)), page, &self.shapes, &data(), more)),
            Format::Jsonl => json::page_with(json(Json::line()), page, &self.shapes, &data(), more) + "\n",
            Format::Xml => xml::page(page, extraction, raw),
            Format::Oem => oem::page(self.several_pages.then_some(page), extraction, raw),
            Format::Outline(rules) => explained::outline(page, extraction, rules, raw),
            Format::ExplainedJson(rules) => {
                format!("  {}", explained::json(Json::pretty(1), page, extraction, rules, raw))
            }
            Format::ExplainedJsonl(rules) => explained::json(Json::line(), page, extraction, rules, raw) + "\n",
        })
    }
}

/// Returns the writer of the main list: the first list of records, or the pages if there is no list.
fn exported<'a>(format: export::Format, shapes: &[Shape]) -> Result<Format<'a>, FormatError> {
    fn is_open(shape: &Shape) -> bool {
        shape.columns || shape.children.iter().any(is_open)
    }
    if shapes.iter().any(is_open) {
        return Err(FormatError::OpenColumns { format: format.name() });
    }
    let main = columns::main_label(shapes);
    let rows = Rows::new(shapes, main.as_deref()).ok_or(FormatError::NoColumns)?;
    Ok(Format::Export { format, rows })
}

/// An error of a format that cannot write what is asked for.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum FormatError {
    /// Records of pages are not written in this format.
    #[error("records of pages are not written as {format}")]
    #[diagnostic(
        code(output::no_records),
        help("`windrow export` writes feeds from a store, `windrow report` web pages")
    )]
    NoRecords {
        /// Name of the format.
        format: &'static str,
    },
    /// The values of the format have types.
    #[error("values in {format} have types, so they cannot be written as visible text")]
    #[diagnostic(code(output::typed), help("leave out --raw, or choose another format"))]
    Typed {
        /// Name of the format.
        format: &'static str,
    },
    /// The wrapper has no rule that gives a value.
    #[error("the wrapper has no columns to write")]
    #[diagnostic(code(output::no_columns), help("add a field or a list to the wrapper"))]
    NoColumns,
    /// The columns of the format have to be known before the pages are.
    #[error("the wrapper takes the columns that each table has, and {format} has the same columns in all records")]
    #[diagnostic(
        code(output::open_columns),
        help("choose CSV or JSON, or keep the records with --into and run `windrow export`")
    )]
    OpenColumns {
        /// Name of the format.
        format: &'static str,
    },
    /// Only JSON Lines has a line for each record.
    #[error("only JSON Lines has a line for each record")]
    #[diagnostic(code(output::by_record), help("add --format jsonl, or leave out --per-record"))]
    NotJsonLines,
}

/// Returns hints on what one CSV file cannot show, or shows in another way. `all` writes a table for each list.
pub fn hints(layout: &RowLayout, all: &str) -> Vec<String> {
    let mut hints = Vec::new();
    let quoted = |name: &String| format!("`{name}`");
    if !layout.left_out.is_empty() {
        let names: Vec<String> = layout.left_out.iter().map(quoted).collect();
        let list = layout.plans[0].path.join(".");
        let is = if names.len() == 1 { "is" } else { "are" };
        hints.push(format!(
            "hint: the rows are those of `{list}`; {} {is} left out: {all} writes all",
            names.join(", ")
        ));
    }
    let shown = |(name, fields): &(String, Vec<String>)| match fields.as_slice() {
        [] => quoted(name),
        fields => format!("{} ({})", quoted(name), fields.join(" | ")),
    };
    let joined: Vec<String> = layout.joined.iter().map(shown).collect();
    hints.extend(match joined.as_slice() {
        [] => None,
        [one] => {
            Some(format!("note: list {one} is joined into one cell per record; for a table of its own, use {all}"))
        }
        several => Some(format!(
            "note: lists {} are joined into one cell per record; for tables of their own, use {all}",
            several.join(", ")
        )),
    });
    hints
}

/// A label as a file's name anywhere.
fn file_name(label: &str) -> String {
    let safe = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = label.chars().map(safe).collect();
    if name.starts_with('.') { name.replacen('.', "_", 1) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extractor, Format as FileFormat, read_wrapper};

    fn error_for(wrapper: &str) -> Option<String> {
        let wrapper = read_wrapper(wrapper, FileFormat::Toml).unwrap();
        let shapes = Extractor::new(&wrapper).unwrap().shape();
        Renderer::of(OutputFormat::PARQUET, false, shapes, false).err().map(|error| error.to_string())
    }

    #[test]
    fn files_of_typed_records_need_columns_that_are_known() {
        assert_eq!(error_for("[field]\ntitle = \"//h1\""), None);
        assert_eq!(error_for(""), Some("the wrapper has no columns to write".to_owned()));
        let table = "[list.rows]\nrecords = { table = \"//table\" }";
        assert!(
            error_for(table).is_some_and(|error| error.contains("columns that each table has")),
            "{:?}",
            error_for(table)
        );
    }
}
