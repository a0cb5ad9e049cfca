//! An extraction in the format that was asked for.

use windrow::Extraction;
use windrow::wrapper::Shape;

use super::columns::{Layout, Nesting};
use super::destination::Destination;
use super::tables::{Cards, Tables};
use super::{explain, oem, xml};
use crate::args::{ExtractArguments, ExtractFormat};
use crate::fill::Fill;
use crate::printer::{Block, Printer, Room};
use crate::rules::Rules;
use crate::sheets::Sheets;
use windrow::data::json::{self, Json};
use windrow::data::{self, Form};

/// Writes extractions in one format.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    shapes: Vec<Shape>,
    format: Format<'a>,
    form: Form,
    /// Whether labels without a value are left out where a reader does not miss them.
    sparse: bool,
    /// Whether it must be told which page an object is from.
    several_pages: bool,
    /// The room that tables have.
    room: Room,
}

#[derive(Debug)]
enum Format<'a> {
    Table(Tables),
    Cards(Cards),
    Csv { layout: Layout, linked: bool },
    Json,
    Jsonl,
    Xml,
    Oem,
    Outline(&'a Rules),
    ExplainedJson(&'a Rules),
    ExplainedJsonl(&'a Rules),
}

impl<'a> Renderer<'a> {
    /// A renderer for what a wrapper finds, as the command line asks.
    pub(crate) fn new(
        arguments: &ExtractArguments,
        rules: &'a Rules,
        destination: &Destination,
        several_pages: bool,
    ) -> Renderer<'a> {
        let mut renderer = Renderer::of(destination.format, arguments.raw, rules.extractor.shape(), several_pages);
        renderer.room = destination.room(arguments.table.rows);
        match (destination.format, arguments.explain) {
            (_, false) => {}
            (ExtractFormat::Json, true) => renderer.format = Format::ExplainedJson(rules),
            (ExtractFormat::Jsonl, true) => renderer.format = Format::ExplainedJsonl(rules),
            (_, true) => renderer.format = Format::Outline(rules),
        }
        renderer.linked(destination)
    }

    /// A renderer for what a domain's words find: records of many fields, most of them without a value.
    pub(crate) fn sparse(
        arguments: &ExtractArguments,
        shapes: Vec<Shape>,
        destination: &Destination,
        several_pages: bool,
    ) -> Renderer<'a> {
        let mut renderer = Renderer::of(destination.format, arguments.raw, shapes, several_pages);
        renderer.room = destination.room(arguments.table.rows);
        renderer.sparse = true;
        if matches!(renderer.format, Format::Table(_)) {
            renderer.format = Format::Cards(Cards::new(&renderer.shapes, renderer.form, several_pages));
        }
        renderer.linked(destination)
    }

    fn linked(mut self, destination: &Destination) -> Renderer<'a> {
        if let (Format::Csv { layout, linked }, true) = (&mut self.format, destination.is_directory()) {
            (*layout, *linked) = (Layout::linked(&self.shapes, self.form), true);
        }
        self
    }

    /// A renderer for one output in this format.
    pub(crate) fn of(format: ExtractFormat, raw: bool, shapes: Vec<Shape>, several_pages: bool) -> Renderer<'a> {
        let form = if raw { Form::Raw } else { Form::Typed };
        let format = match format {
            ExtractFormat::Table => Format::Table(Tables::new(&shapes, form, several_pages)),
            ExtractFormat::Json => Format::Json,
            ExtractFormat::Jsonl => Format::Jsonl,
            ExtractFormat::Xml => Format::Xml,
            ExtractFormat::Oem => Format::Oem,
            ExtractFormat::Csv => Format::Csv { layout: Layout::main(&shapes, form, Nesting::Join), linked: false },
        };
        let room = Room::standard(None, "");
        Renderer { shapes, format, form, sparse: false, several_pages, room }
    }

    /// Whether only the pages tell the columns.
    pub(crate) fn columns_are_open(&self) -> bool {
        matches!(&self.format, Format::Csv { layout, .. } if layout.plans.iter().any(|plan| plan.open))
    }

    /// What the format cannot show. `all` is the option that shows it.
    pub(crate) fn hints(&self, all: &str) -> Vec<String> {
        match &self.format {
            Format::Csv { layout, .. } => hints(layout, all),
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
            Format::Table(tables) => tables.printer(self.room),
            Format::Cards(_) => Printer::sections(self.room),
            Format::Csv { layout, linked } => {
                let files = layout.plans.iter().map(|plan| (plan.columns.clone(), plan.open)).collect();
                Printer::Sheets(Sheets::new(files, *linked))
            }
            Format::Json | Format::ExplainedJson(_) => Printer::json_array(),
            Format::Xml => Printer::Plain { header: xml::HEADER.to_owned(), footer: xml::FOOTER },
            Format::Jsonl | Format::Oem => Printer::plain(),
            Format::Outline(_) | Format::ExplainedJsonl(_) => Printer::plain(),
        }
    }

    /// How many records a page has, and which fields they lack.
    pub(crate) fn fill(&self, extraction: &Extraction) -> Fill {
        Fill::count(&self.shapes, &data::page(&self.shapes, extraction, self.form))
    }

    /// What a page adds to the output.
    pub(crate) fn render(&self, page: &str, extraction: &Extraction) -> Block {
        self.render_with(page, extraction, &|_| ())
    }

    /// Renders a page; `more` writes further keys of the page where the format is JSON.
    pub(crate) fn render_with(&self, page: &str, extraction: &Extraction, more: &dyn Fn(&mut Json)) -> Block {
        let raw = self.form == Form::Raw;
        let data = || data::page(&self.shapes, extraction, self.form);
        let json = |json: Json| if self.sparse { json.sparse() } else { json };
        Block::Text(match &self.format {
            Format::Table(tables) => return tables.render(page, &self.shapes, &data()),
            Format::Cards(cards) => return cards.render(page, &self.shapes, &data()),
            Format::Csv { layout, .. } => return Block::Sheets(layout.rows(page, &self.shapes, &data())),
            Format::Json => format!("  {}", json::page_with(json(Json::pretty(1)), page, &self.shapes, &data(), more)),
            Format::Jsonl => json::page_with(json(Json::line()), page, &self.shapes, &data(), more) + "\n",
            Format::Xml => xml::page(page, extraction, raw),
            Format::Oem => oem::page(self.several_pages.then_some(page), extraction, raw),
            Format::Outline(rules) => explain::outline(page, extraction, rules, raw),
            Format::ExplainedJson(rules) => {
                format!("  {}", explain::json(Json::pretty(1), page, extraction, rules, raw))
            }
            Format::ExplainedJsonl(rules) => explain::json(Json::line(), page, extraction, rules, raw) + "\n",
        })
    }
}

/// What one CSV file cannot show, or shows in another way. `all` writes a table for each list.
pub(crate) fn hints(layout: &Layout, all: &str) -> Vec<String> {
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
    match name.starts_with('.') {
        true => name.replacen('.', "_", 1),
        false => name,
    }
}
