//! Results of rules on a page: tables whose cells have places.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{RuleText, Spot};

/// Rules to run on a page.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct RunRequest {
    /// The page.
    pub page: u64,
    /// The rules.
    pub rules: RuleText,
}

/// Results of rules on a page.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RunResult {
    /// A table for each list; what the page tells of itself, outside of any list, is a table of one row, `page`.
    pub tables: Vec<Table>,
    /// Missing or unexpected values; of very many similar ones only the first.
    pub problems: Vec<Problem>,
    /// Number of further problems.
    pub unreported: usize,
    /// Statistics of each rule.
    pub rules: Vec<RuleReport>,
    /// Microseconds that it took.
    pub micros: u64,
}

/// The records of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Table {
    /// The list's label.
    pub label: String,
    /// Its rule: names from the outermost on, parted by `.`
    pub rule: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its records; of very many the first ones.
    pub rows: Vec<Row>,
    /// Total number of records.
    pub total: usize,
}

/// A column of a table: a field, or a list in the records.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Column {
    /// Its label.
    pub label: String,
    /// Its rule: names from the outermost on, parted by `.`
    pub rule: String,
    /// `string`, `url`, `date`, `number`, `money`, `html`; `list` if its cells are lists of records.
    #[serde(rename = "type")]
    pub ty: String,
    /// True if a page may lack it.
    pub optional: bool,
    /// True if a record may have several values.
    pub many: bool,
    /// The columns of its records, if it is a list of such.
    #[schema(no_recursion)]
    pub columns: Vec<Column>,
}

/// A record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Row {
    /// Its elements: one, or the first to the last of several siblings.
    pub nodes: Vec<usize>,
    /// Its absolute XPath.
    pub path: String,
    /// By column: its cells. None if it lacks it; several where a record has several.
    pub cells: Vec<Vec<Cell>>,
}

/// A value and its place, or a record in a record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Cell {
    /// Its place, if it is on the open page.
    pub spot: Option<Spot>,
    /// The same as an absolute XPath.
    pub path: String,
    /// As it stands on the page.
    pub raw: String,
    /// As a person reads it.
    pub text: String,
    /// As its type says: a text, a number, `{amount, currency}`; null if it cannot be read so.
    pub value: Value,
    /// If it is a record of a list in the record: its own row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub row: Option<Box<Row>>,
}

/// Something that was missing, or not as the rules say.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// What, for people.
    pub message: String,
    /// The rule.
    pub rule: String,
    /// Position in the rules' text, in UTF-16 units.
    pub label: Option<super::Label>,
    /// The record's element, if it is about one.
    pub node: Option<usize>,
}

/// Statistics of one rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RuleReport {
    /// The rule: names from the outermost on, parted by `.`
    pub rule: String,
    /// `list`, `field` or `group`.
    pub kind: String,
    /// Short description of its locator.
    pub locator: String,
    /// Places that it was asked at.
    pub asked: u64,
    /// Number of these in which it found something.
    pub matched: u64,
    /// Its position in the rules' text, in UTF-16 units.
    pub label: Option<super::Label>,
}
