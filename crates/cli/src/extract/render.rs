//! An extraction in the format that was asked for.

use windrow::Extraction;
use windrow::wrapper::Shape;

use super::columns::{Layout, Nesting};
use super::data::{self, Form};
use super::destination::Destination;
use super::json::{self, Json};
use super::tables::Tables;
use super::{explain, oem, xml};
use crate::args::{ExtractArguments, ExtractFormat};
use crate::printer::{Block, Printer};
use crate::rules::Rules;
use crate::sheets::Sheets;

/// Writes extractions in one format.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    rules: &'a Rules,
    shapes: Vec<Shape>,
    format: Format,
    form: Form,
    /// Whether it must be told which page an object is from.
    several_pages: bool,
}

#[derive(Debug)]
enum Format {
    Table(Tables),
    Csv { layout: Layout, linked: bool },
    Json,
    Jsonl,
    Xml,
    Oem,
    Outline,
    ExplainedJson,
    ExplainedJsonl,
}

impl<'a> Renderer<'a> {
    /// A renderer for what the command line asks.
    pub(crate) fn new(
        arguments: &ExtractArguments,
        rules: &'a Rules,
        destination: &Destination,
        several_pages: bool,
    ) -> Renderer<'a> {
        let mut renderer = Renderer::of(destination.format, arguments.raw, rules, several_pages);
        match (destination.format, arguments.explain) {
            (_, false) => {}
            (ExtractFormat::Json, true) => renderer.format = Format::ExplainedJson,
            (ExtractFormat::Jsonl, true) => renderer.format = Format::ExplainedJsonl,
            (_, true) => renderer.format = Format::Outline,
        }
        if let (Format::Csv { layout, linked }, true) = (&mut renderer.format, destination.is_directory()) {
            (*layout, *linked) = (Layout::linked(&renderer.shapes, renderer.form), true);
        }
        renderer
    }

    /// A renderer for one output in this format.
    pub(crate) fn of(format: ExtractFormat, raw: bool, rules: &'a Rules, several_pages: bool) -> Renderer<'a> {
        let shapes = rules.extractor.shape();
        let form = if raw { Form::Raw } else { Form::Typed };
        let format = match format {
            ExtractFormat::Table => Format::Table(Tables::new(&shapes, form, several_pages)),
            ExtractFormat::Json => Format::Json,
            ExtractFormat::Jsonl => Format::Jsonl,
            ExtractFormat::Xml => Format::Xml,
            ExtractFormat::Oem => Format::Oem,
            ExtractFormat::Csv => Format::Csv { layout: Layout::main(&shapes, form, Nesting::Repeat), linked: false },
        };
        Renderer { rules, shapes, format, form, several_pages }
    }

    /// Whether only the pages tell the columns.
    pub(crate) fn columns_are_open(&self) -> bool {
        matches!(&self.format, Format::Csv { layout, .. } if layout.plans.iter().any(|plan| plan.open))
    }

    /// What the format cannot show.
    pub(crate) fn hints(&self) -> Vec<String> {
        match &self.format {
            Format::Csv { layout, .. } if !layout.left_out.is_empty() => {
                let names: Vec<String> = layout.left_out.iter().map(|label| format!("`{label}`")).collect();
                let list = layout.plans[0].path.join(".");
                let is = if names.len() == 1 { "is" } else { "are" };
                let names = names.join(", ");
                vec![format!("hint: the rows are those of `{list}`; {names} {is} left out: --csv-dir DIR writes all")]
            }
            _ => Vec::new(),
        }
    }

    /// The names of the files, if there are several.
    pub(crate) fn files(&self) -> Vec<String> {
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
    pub(crate) fn printer(&self) -> Printer {
        match &self.format {
            Format::Table(tables) => tables.printer(),
            Format::Csv { layout, linked } => {
                let files = layout.plans.iter().map(|plan| (plan.columns.clone(), plan.open)).collect();
                Printer::Sheets(Sheets::new(files, *linked))
            }
            Format::Json | Format::ExplainedJson => Printer::json_array(),
            Format::Xml => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            Format::Jsonl | Format::Oem | Format::Outline | Format::ExplainedJsonl => Printer::plain(),
        }
    }

    /// What a page adds to the output.
    pub(crate) fn render(&self, page: &str, extraction: &Extraction) -> Block {
        let raw = self.form == Form::Raw;
        let data = || data::page(&self.shapes, extraction, self.form);
        Block::Text(match &self.format {
            Format::Table(tables) => return tables.render(page, &self.shapes, &data()),
            Format::Csv { layout, .. } => return Block::Sheets(layout.rows(page, &self.shapes, &data())),
            Format::Json => format!("  {}", json::page(Json::pretty(1), page, &self.shapes, &data())),
            Format::Jsonl => json::page(Json::line(), page, &self.shapes, &data()) + "\n",
            Format::Xml => xml::page(page, extraction, raw),
            Format::Oem => oem::page(self.several_pages.then_some(page), extraction, raw),
            Format::Outline => explain::outline(page, extraction, self.rules, raw),
            Format::ExplainedJson => {
                format!("  {}", explain::json(Json::pretty(1), page, extraction, self.rules, raw))
            }
            Format::ExplainedJsonl => explain::json(Json::line(), page, extraction, self.rules, raw) + "\n",
        })
    }
}

/// A label as a file's name anywhere.
fn file_name(label: &str) -> String {
    let safe = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = label.chars().map(safe).collect();
    match name.starts_with('.') {
        true => name.replacen('.', "_", 1),
        false => name,
    }
}
