//! Finds in the five formats.
//!
//! | format | without `--each`: a row for each match | with `--each`: a row for each record |
//! |---|---|---|
//! | table | page and expression where there are several; number, value | page where there are several; the columns |
//! | text | value | the columns |
//! | json, jsonl | `{"page", "matches": {NAME: [value, …]}}` | `{"page", "records": [{NAME: value}, …]}` |
//! | csv | page, expression, number, value | page, the columns |

use serde_json::{Map, Value as Json, json};
use windrow::store::export::joined;

use crate::args::{RowLimit, SelectFormat};
use crate::select::query::{Column, Query};
use crate::terminal;
use windrow::format::printer::{Block, Printer};
use windrow::select::{MatchCell, MatchParts, Matches, ValueForm};
use windrow::text::collapse;

/// Text between the values of a list cell where there is only text.
const SEPARATOR: &str = "; ";

/// The finds of a query on one page.
#[derive(Debug)]
pub(crate) enum Finds {
    /// For each column, its matches.
    Matches(Vec<Matches>),
    /// For each record, a cell for each column.
    Records(Vec<Vec<Matches>>),
}

impl Finds {
    /// Returns `true` if there is anything.
    pub(crate) fn any(&self) -> bool {
        match self {
            Finds::Matches(matches) => matches.iter().any(|found| !found.cells().is_empty()),
            Finds::Records(records) => !records.is_empty(),
        }
    }
}

/// Writes finds in one format.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    query: &'a Query,
    show: MatchParts,
    format: SelectFormat,
    rows: Option<RowLimit>,
    /// True if a row says which page it is from.
    page_column: bool,
    /// True if a match says which expression found it.
    expression_column: bool,
}

impl<'a> Renderer<'a> {
    /// A renderer for a query's finds.
    pub(crate) fn new(
        query: &'a Query,
        show: MatchParts,
        format: SelectFormat,
        rows: Option<RowLimit>,
    ) -> Renderer<'a> {
        // People leave out what is the same in every row; programs want the same columns every time.
        let (page_column, expression_column) = match format {
            SelectFormat::Csv => (true, true),
            SelectFormat::Text => (false, false),
            _ => {
                let several =
                    query.pages.len() > 1 || query.pages.iter().any(|page| std::path::Path::new(page).is_dir());
                (several, query.columns.len() > 1)
            }
        };
        Renderer { query, show, format, rows, page_column, expression_column }
    }

    /// The printer for this format.
    pub(crate) fn printer(&self) -> Printer {
        match self.format {
            SelectFormat::Table => Printer::table(self.header(), terminal::room(self.rows, "--format csv shows all")),
            SelectFormat::Text | SelectFormat::Jsonl => Printer::plain(),
            SelectFormat::Json => Printer::json_array(),
            SelectFormat::Csv => Printer::below(csv(&[self.header()])),
        }
    }

    /// Renders a page.
    pub(crate) fn render(&self, page: &str, finds: &Finds) -> Block {
        match self.format {
            SelectFormat::Table => Block::Rows(self.rows(page, finds)),
            SelectFormat::Text => Block::Text(self.lines(page, finds)),
            SelectFormat::Csv => Block::Text(csv(&self.rows(page, finds))),
            SelectFormat::Jsonl => Block::Text(format!("{}\n", self.json(page, finds))),
            // No JSON string holds a line break, so indenting lines changes no value.
            SelectFormat::Json => Block::Text(format!("  {:#}\n", self.json(page, finds)).replace('\n', "\n  ")),
        }
    }

    fn header(&self) -> Vec<String> {
        let mut header = Vec::new();
        if self.page_column {
            header.push("page".to_owned());
        }
        if self.query.each.is_some() {
            header.extend(self.query.columns.iter().flat_map(|column| self.show.columns(&column.name)));
            return header;
        }
        if self.expression_column {
            header.push("expression".to_owned());
        }
        header.extend(["n".to_owned(), "value".to_owned()]);
        header.extend(self.show.path.then(|| "path".to_owned()));
        header.extend(self.show.span.then(|| "span".to_owned()));
        header
    }

    /// The rows under [`Renderer::header`].
    fn rows(&self, page: &str, finds: &Finds) -> Vec<Vec<String>> {
        let page = self.page_column.then(|| page.to_owned());
        match finds {
            Finds::Matches(matches) => {
                let named = self.query.columns.iter().zip(matches);
                let cells = named.flat_map(|(column, found)| (1..).zip(found.cells()).map(move |it| (column, it)));
                cells.map(|(column, it)| page.iter().cloned().chain(self.match_row(column, it)).collect()).collect()
            }
            Finds::Records(records) => {
                let row = |record: &Vec<Matches>| -> Vec<String> {
                    let cells = self.query.columns.iter().zip(record);
                    cells.flat_map(|(column, found)| self.cell_values(found, column.list)).collect()
                };
                records.iter().map(|record| page.iter().cloned().chain(row(record)).collect()).collect()
            }
        }
    }

    fn match_row(&self, column: &Column, (number, cell): (usize, &MatchCell)) -> Vec<String> {
        let expression = self.expression_column.then(|| column.name.clone());
        let path = self.show.path.then(|| cell.path.clone().unwrap_or_default());
        let span = self.show.span.then(|| cell.span_text());
        let value = [number.to_string(), cell.text.clone()];
        expression.into_iter().chain(value).chain(path).chain(span).collect()
    }

    /// Returns the cells that one expression adds to a record's row: the value, and its path and span if they are shown.
    fn cell_values(&self, found: &Matches, is_list: bool) -> Vec<String> {
        let join = |part: &dyn Fn(&MatchCell) -> String| {
            let mut values: Vec<String> = found.cells().iter().map(part).collect();
            match self.format {
                SelectFormat::Csv if is_list => {
                    values.iter_mut().for_each(|value| *value = joined::value(value).into_owned());
                    joined::list(&values, 1)
                }
                _ => values.join(SEPARATOR),
            }
        };
        let mut values = vec![join(&|cell| cell.text.clone())];
        if self.show.path {
            values.push(join(&|cell| cell.path.clone().unwrap_or_default()));
        }
        if self.show.span {
            values.push(join(&|cell| cell.span_text()));
        }
        values
    }

    /// The values alone, a row a line.
    fn lines(&self, page: &str, finds: &Finds) -> String {
        // The number of a match says nothing without its expression.
        let skip = usize::from(matches!(finds, Finds::Matches(_)));
        let one_line = |value: &String| match self.show.form {
            ValueForm::Text | ValueForm::Raw => collapse(value),
            // Spaces inside HTML may count; only what would break the line has to go.
            ValueForm::Html | ValueForm::InnerHtml => value.replace(['\n', '\r', '\t'], " "),
        };
        let line = |row: Vec<String>| row.iter().skip(skip).map(one_line).collect::<Vec<_>>().join("\t") + "\n";
        self.rows(page, finds).into_iter().map(line).collect()
    }

    fn json(&self, page: &str, finds: &Finds) -> Json {
        let columns = &self.query.columns;
        let list = |found: &Matches| found.cells().iter().map(|cell| cell.json(self.show)).collect::<Json>();
        let first = |found: &Matches| found.cells().first().map_or(Json::Null, |cell| cell.json(self.show));
        match finds {
            Finds::Matches(matches) => {
                let value = |found: &Matches| if let Matches::Nodes(_) = found { list(found) } else { first(found) };
                let named = columns.iter().zip(matches).map(|(column, found)| (column.name.clone(), value(found)));
                json!({ "page": page, "matches": named.collect::<Map<_, _>>() })
            }
            Finds::Records(records) => {
                let value = |column: &Column, found: &Matches| if column.list { list(found) } else { first(found) };
                let record = |cells: &Vec<Matches>| {
                    let named = columns.iter().zip(cells);
                    named
                        .map(|(column, found)| (column.name.clone(), value(column, found)))
                        .collect::<Map<_, _>>()
                        .into()
                };
                json!({ "page": page, "records": records.iter().map(record).collect::<Vec<Json>>() })
            }
        }
    }
}

fn csv(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("writing to memory cannot fail, and rows are as long as the header");
    }
    let bytes = writer.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("all fields are text")
}
