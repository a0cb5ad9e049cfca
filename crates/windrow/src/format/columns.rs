//! Trees to rows: which columns a wrapper's objects fill, and the rows that a page's data make.
//!
//! Groups become columns `group.field`. What becomes of a list inside a record depends on the output:
//!
//! | | list of values | list of records |
//! |---|---|---|
//! | one CSV file ([`Nesting::Join`]) | one cell, `; ` between them | one cell, ` \| ` between the fields |
//! | several CSV files ([`Nesting::Link`]) | a file of its own | a file of its own |
//! | a table for people ([`Nesting::Count`]) | one cell, `; ` between them | `3 records` |
//!
//! [`joined`] describes how a list is joined into one cell.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::store::export::joined;
use crate::wrapper::Shape;
use crate::wrapper::values::Type;

use crate::data::{Data, Form, Record};
use crate::format::csv::{CsvRow, CsvSheet};

/// Text between the values of one cell.
const SEPARATOR: &str = "; ";

/// Treatment of a list inside a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    /// One cell.
    Join,
    /// A sheet of its own.
    Link,
    /// A number.
    Count,
}

/// One kind of rows.
#[derive(Debug, Default)]
pub struct RowPlan {
    /// The labels that lead to the list whose records are the rows; none for rows that are pages.
    pub path: Vec<String>,
    /// The columns that are known.
    pub columns: Vec<String>,
    /// True if the pages tell further ones.
    pub open: bool,
    parts: Vec<Part>,
}

/// The cells that one shape fills.
#[derive(Debug)]
enum Part {
    /// An atomic value in this column.
    Cell(usize),
    /// An amount in this column, its currency in the next.
    Money(usize),
    /// All values in this column, for people.
    Listed(usize),
    /// All values in this column, for programs.
    Joined(usize),
    /// All records, whose fields these are, in this column.
    JoinedRecords(usize, Vec<Shape>),
    /// The number of records in this column.
    Count(usize),
    /// Another object's parts, with what columns of the page's are called.
    Group(Vec<Part>, String),
    /// Rows of another sheet.
    Sheet(usize),
}

/// The rows of a run.
#[derive(Debug)]
pub struct RowLayout {
    /// Several only if lists have sheets of their own; then the first has the pages.
    pub plans: Vec<RowPlan>,
    /// Labels that are in none of the plans.
    pub left_out: Vec<String>,
    /// The lists that are one cell: their columns, and the names of their fields, none if the list has values.
    pub joined: Vec<(String, Vec<String>)>,
    /// The way to the rows of the only plan.
    way: Vec<usize>,
    /// True if they are values, not records.
    values: bool,
}

impl RowLayout {
    /// One kind of rows: the records of the wrapper's main list, or the pages if there is no list.
    pub fn main(shapes: &[Shape], form: Form, nesting: Nesting) -> RowLayout {
        let way = main_list(shapes).unwrap_or_default();
        RowLayout::at(shapes, &way, form, nesting)
    }

    /// The records of the list that a way of indexes leads to; the pages if it leads nowhere.
    pub fn at(shapes: &[Shape], way: &[usize], form: Form, nesting: Nesting) -> RowLayout {
        let mut builder = Builder { form, nesting, plans: vec![RowPlan::default()], joined: Vec::new() };
        let mut left_out = Vec::new();
        let (mut level, mut values) = (shapes, false);
        for (depth, &at) in way.iter().enumerate() {
            let shape = &level[at];
            left_out.extend(level.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| &other.label));
            builder.plans[0].path.push(shape.label.clone());
            if depth + 1 == way.len() && !shape.is_set {
                values = true;
                builder.plans[0].parts = vec![builder.value(0, &shape.label, shape.ty)];
            }
            level = &shape.children;
            builder.plans[0].open |= depth + 1 == way.len() && shape.columns;
        }
        let left_out = left_out.into_iter().cloned().collect();
        if !values {
            builder.plans[0].parts = builder.parts(0, level, "");
        }
        RowLayout { plans: builder.plans, left_out, joined: builder.joined, way: way.to_vec(), values }
    }

    /// All that there is: the pages' own fields, and a sheet for each list, at any depth.
    pub fn linked(shapes: &[Shape], form: Form) -> RowLayout {
        let mut builder = Builder { form, nesting: Nesting::Link, plans: vec![RowPlan::default()], joined: Vec::new() };
        builder.plans[0].parts = builder.parts(0, shapes, "");
        RowLayout { plans: builder.plans, left_out: Vec::new(), joined: Vec::new(), way: Vec::new(), values: false }
    }

    /// Returns `true` if the rows of the only plan are values, not records.
    pub fn of_values(&self) -> bool {
        self.values
    }

    /// The rows of a page, a sheet for each plan.
    pub fn rows(&self, page: &str, shapes: &[Shape], record: &Record<'_>) -> Vec<CsvSheet> {
        let mut rows = RowCollector { layout: self, page, sheets: Vec::new(), extra: Vec::new() };
        rows.sheets =
            self.plans.iter().map(|plan| CsvSheet { columns: plan.columns.clone(), rows: Vec::new() }).collect();
        rows.extra = vec![Vec::new(); self.plans.len()];
        let mut here = vec![record];
        let mut level = shapes;
        let Some((&last, groups)) = self.way.split_last() else {
            rows.record(0, &self.plans[0].parts, record, None);
            return rows.finish();
        };
        for &at in groups {
            here = here.into_iter().filter_map(|record| as_record(&record.values[at])).collect();
            level = &level[at].children;
        }
        debug_assert!(level[last].many);
        for record in here {
            let Data::List(list) = &record.values[last] else { continue };
            for value in list {
                match as_record(value) {
                    Some(record) if !self.values => rows.record(0, &self.plans[0].parts, record, None),
                    _ => rows.value(0, &self.plans[0].parts, value, None),
                }
            }
        }
        rows.finish()
    }
}

/// The way to the first list of records, through groups only; else to the first list of values.
fn main_list(shapes: &[Shape]) -> Option<Vec<usize>> {
    let lists = lists(shapes);
    lists.iter().find(|(_, shape)| shape.is_set).or(lists.first()).map(|(way, _)| way.clone())
}

/// Returns the label of the main list as stores have it, the groups around it in front: `weather.days`.
pub(super) fn main_label(shapes: &[Shape]) -> Option<String> {
    let mut level = shapes;
    let mut labels = Vec::new();
    for at in main_list(shapes)? {
        labels.push(level[at].label.clone());
        level = &level[at].children;
    }
    Some(labels.join("."))
}

/// The lists that are reached through groups only, in the order of the rules, each with the way to it.
pub fn lists(shapes: &[Shape]) -> Vec<(Vec<usize>, &Shape)> {
    let mut lists = Vec::new();
    for (at, shape) in shapes.iter().enumerate() {
        if shape.many {
            lists.push((vec![at], shape));
        } else {
            lists.extend(self::lists(&shape.children).into_iter().map(|(mut way, list)| {
                way.insert(0, at);
                (way, list)
            }));
        }
    }
    lists
}

/// The record that a value is, if it is one.
pub fn as_record<'a, 'e>(data: &'a Data<'e>) -> Option<&'a Record<'e>> {
    match data {
        Data::Record(record) => Some(record),
        _ => None,
    }
}

struct Builder {
    form: Form,
    nesting: Nesting,
    plans: Vec<RowPlan>,
    joined: Vec<(String, Vec<String>)>,
}

impl Builder {
    fn parts(&mut self, plan: usize, shapes: &[Shape], prefix: &str) -> Vec<Part> {
        shapes.iter().map(|shape| self.part(plan, shape, prefix)).collect()
    }

    fn part(&mut self, plan: usize, shape: &Shape, prefix: &str) -> Part {
        let name = format!("{prefix}{}", shape.label);
        match (shape.many, shape.is_set, self.nesting) {
            (false, false, _) => self.value(plan, &name, shape.ty),
            (false, true, _) => {
                let prefix = format!("{name}.");
                self.plans[plan].open |= shape.columns;
                Part::Group(self.parts(plan, &shape.children, &prefix), prefix)
            }
            (true, _, Nesting::Link) => {
                let sheet = self.plans.len();
                let mut path = self.plans[plan].path.clone();
                path.push(name);
                self.plans.push(RowPlan { path, open: shape.columns, ..RowPlan::default() });
                self.plans[sheet].parts = if shape.is_set {
                    self.parts(sheet, &shape.children, "")
                } else {
                    vec![self.value(sheet, "value", shape.ty)]
                };
                Part::Sheet(sheet)
            }
            (true, false, Nesting::Count) => Part::Listed(self.column(plan, name)),
            (true, false, Nesting::Join) => {
                let column = self.column(plan, name);
                self.joined.push((self.plans[plan].columns[column].clone(), Vec::new()));
                Part::Joined(column)
            }
            (true, true, Nesting::Count) => Part::Count(self.column(plan, name)),
            (true, true, Nesting::Join) => {
                let column = self.column(plan, name);
                let mut fields = Vec::new();
                field_names(&shape.children, "", &mut fields);
                self.joined.push((self.plans[plan].columns[column].clone(), fields));
                Part::JoinedRecords(column, shape.children.clone())
            }
        }
    }

    fn value(&mut self, plan: usize, name: &str, ty: Type) -> Part {
        let column = self.column(plan, name.to_owned());
        if ty != Type::Money || self.form == Form::Raw || self.nesting == Nesting::Count {
            return Part::Cell(column);
        }
        self.column(plan, format!("{name}.currency"));
        Part::Money(column)
    }

    /// Adds a column; its name is made unique, and other than those that every file has.
    fn column(&mut self, plan: usize, name: String) -> usize {
        let columns = &mut self.plans[plan].columns;
        let reserved: &[&str] = match self.nesting {
            Nesting::Join => &["page"],
            Nesting::Link => &["page", "_id", "_parent"],
            Nesting::Count => &[],
        };
        let free = |name: &String| !columns.contains(name) && !reserved.contains(&name.as_str());
        let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}_{number}")));
        let name = names.into_iter().find(free).unwrap_or(name);
        columns.push(name);
        columns.len() - 1
    }
}

/// The rows of one page in the making.
struct RowCollector<'a> {
    layout: &'a RowLayout,
    page: &'a str,
    sheets: Vec<CsvSheet>,
    /// For each row of each sheet, the values in columns of the page's own.
    extra: Vec<Vec<Vec<(String, String)>>>,
}

/// A row to be, and the lists that have sheets of their own.
struct Draft<'d, 'e> {
    cells: Vec<String>,
    extra: Vec<(String, String)>,
    linked: Vec<(usize, &'d [Data<'e>])>,
}

impl<'a> RowCollector<'a> {
    /// A row for a record, and those of its lists in other sheets.
    fn record(&mut self, plan: usize, parts: &'a [Part], record: &Record<'_>, parent: Option<(usize, usize)>) {
        let cells = vec![String::new(); self.layout.plans[plan].columns.len()];
        let mut draft = Draft { cells, extra: Vec::new(), linked: Vec::new() };
        fill(parts, record, &mut draft);
        draft.extra.extend(own_columns(record, ""));
        let own = self.sheets[plan].rows.len();
        self.push(plan, draft.cells, draft.extra, parent);
        for (sheet, list) in draft.linked {
            let parts = &self.layout.plans[sheet].parts;
            for value in list {
                match as_record(value) {
                    Some(record) => self.record(sheet, parts, record, Some((plan, own))),
                    None => self.value(sheet, parts, value, Some((plan, own))),
                }
            }
        }
    }

    /// A row of one value.
    fn value(&mut self, plan: usize, parts: &[Part], value: &Data<'_>, parent: Option<(usize, usize)>) {
        let mut cells = vec![String::new(); self.layout.plans[plan].columns.len()];
        if let [part] = parts {
            atom(part, value, &mut cells);
        }
        self.push(plan, cells, Vec::new(), parent);
    }

    fn push(&mut self, plan: usize, cells: Vec<String>, extra: Vec<(String, String)>, parent: Option<(usize, usize)>) {
        self.sheets[plan].rows.push(CsvRow { page: self.page.to_owned(), parent, cells });
        self.extra[plan].push(extra);
    }

    /// Puts the values of the page's own columns behind the others, a column for each name.
    fn finish(mut self) -> Vec<CsvSheet> {
        for (sheet, extra) in self.sheets.iter_mut().zip(self.extra) {
            let mut places: HashMap<String, usize> = HashMap::new();
            for (row, values) in sheet.rows.iter_mut().zip(extra) {
                for (name, value) in values {
                    let at = match places.get(&name) {
                        Some(&at) => at,
                        None => {
                            sheet.columns.push(name.clone());
                            places.insert(name, sheet.columns.len() - 1);
                            sheet.columns.len() - 1
                        }
                    };
                    if row.cells.len() <= at {
                        row.cells.resize(at + 1, String::new());
                    }
                    row.cells[at] = value;
                }
            }
            let width = sheet.columns.len();
            sheet.rows.iter_mut().for_each(|row| row.cells.resize(width, String::new()));
        }
        self.sheets
    }
}

/// The values in columns that only the page names.
fn own_columns(record: &Record<'_>, prefix: &str) -> impl Iterator<Item = (String, String)> {
    record.columns.iter().map(move |(label, value)| (format!("{prefix}{label}"), text(value).into_owned()))
}

fn fill<'d, 'e>(parts: &[Part], record: &'d Record<'e>, draft: &mut Draft<'d, 'e>) {
    for (part, value) in parts.iter().zip(&record.values) {
        match (part, value) {
            (Part::Group(parts, prefix), Data::Record(record)) => group(parts, prefix, record, draft),
            (Part::Group(parts, prefix), Data::List(list)) => {
                list.iter().filter_map(as_record).for_each(|record| group(parts, prefix, record, draft));
            }
            (Part::Sheet(sheet), Data::List(list)) => draft.linked.push((*sheet, list)),
            (Part::Listed(column), Data::List(list)) => {
                draft.cells[*column] = list.iter().map(text).collect::<Vec<_>>().join(SEPARATOR);
            }
            (Part::Joined(column), Data::List(list)) => {
                let values: Vec<String> = list.iter().map(|value| joined::value(&text(value)).into_owned()).collect();
                draft.cells[*column] = joined::list(&values, 1);
            }
            (Part::JoinedRecords(column, fields), Data::List(list)) => {
                draft.cells[*column] = join(fields, list, 1);
            }
            (Part::Count(column), Data::List(list)) => {
                draft.cells[*column] = match list.len() {
                    0 => String::new(),
                    1 => "1 record".to_owned(),
                    count => format!("{count} records"),
                };
            }
            (part, value) => atom(part, value, &mut draft.cells),
        }
    }
}

fn group<'d, 'e>(parts: &[Part], prefix: &str, record: &'d Record<'e>, draft: &mut Draft<'d, 'e>) {
    draft.extra.extend(own_columns(record, prefix));
    fill(parts, record, draft);
}

/// The names of the fields of joined records, in the order of [`fields`].
fn field_names(shapes: &[Shape], prefix: &str, names: &mut Vec<String>) {
    for shape in shapes {
        if shape.is_set && !shape.many {
            field_names(&shape.children, &format!("{prefix}{}.", shape.label), names)
        } else {
            names.push(format!("{prefix}{}", shape.label))
        }
    }
}

/// The records of a list in one cell.
fn join(shapes: &[Shape], list: &[Data<'_>], depth: usize) -> String {
    let item = |value: &Data<'_>| match value {
        Data::Record(record) => {
            let mut cells = Vec::new();
            fields(shapes, Some(record), depth, &mut cells);
            joined::record(&cells, depth)
        }
        value => joined::value(&text(value)).into_owned(),
    };
    joined::list(&list.iter().map(item).collect::<Vec<_>>(), depth)
}

/// The fields of a record that is joined, those of groups in their place; all of them, so that each has its position.
fn fields(shapes: &[Shape], record: Option<&Record<'_>>, depth: usize, cells: &mut Vec<String>) {
    for (at, shape) in shapes.iter().enumerate() {
        let value = record.and_then(|record| record.values.get(at));
        match (shape.many, shape.is_set, value) {
            (false, true, value) => fields(&shape.children, value.and_then(as_record), depth, cells),
            (true, _, Some(Data::List(list))) => cells.push(join(&shape.children, list, depth + 1)),
            (false, false, Some(Data::List(list))) => cells.push(join(&[], list, depth + 1)),
            (_, _, value) => cells.push(value.map(|it| joined::value(&text(it)).into_owned()).unwrap_or_default()),
        }
    }
    let own = record.into_iter().flat_map(|record| &record.columns);
    cells.extend(own.map(|(label, value)| joined::value(&format!("{label}: {}", text(value))).into_owned()));
}

fn atom(part: &Part, value: &Data<'_>, cells: &mut [String]) {
    match (part, value) {
        // Several values where one was expected.
        (part, Data::List(list)) => list.iter().for_each(|value| atom(part, value, cells)),
        (Part::Money(column), Data::Money { amount, currency }) => {
            put(&mut cells[*column], amount);
            // Prices of one record are as a rule in one currency.
            let currency = currency.unwrap_or_default();
            if cells[*column + 1] != currency {
                put(&mut cells[*column + 1], currency);
            }
        }
        (Part::Cell(column) | Part::Money(column), value) => put(&mut cells[*column], &text(value)),
        _ => {}
    }
}

/// Adds a value to a cell.
fn put(cell: &mut String, text: &str) {
    if !cell.is_empty() && !text.is_empty() {
        cell.push_str(SEPARATOR);
    }
    cell.push_str(text);
}

/// A value in one cell.
pub fn text<'a>(data: &'a Data<'_>) -> Cow<'a, str> {
    match data {
        Data::Text(text) | Data::Untyped(text) => Cow::Borrowed(text),
        Data::Number(digits) => Cow::Borrowed(digits),
        Data::Money { amount, currency: Some(currency) } => format!("{amount} {currency}").into(),
        Data::Money { amount, currency: None } => Cow::Borrowed(amount),
        Data::Absent | Data::Null | Data::List(_) | Data::Record(_) => Cow::Borrowed(""),
    }
}
