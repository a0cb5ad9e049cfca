//! Running rules: objects become tables whose cells have places.
//!
//! Every top-level list is a table; groups become columns such as `group.field`, and inner lists become cells that
//! contain rows. Fields of the page itself form a table of one row. Linear in the objects; only the first rows of a
//! table are sent.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};
use windrow::keep::{PAGE, VALUE};
use windrow::wrapper::{Kind, Shape, Value};
use windrow::xpath::Paths;
use windrow::{Extraction, Node, NodeId, Object, Page};

use crate::api::{Cell, Column, Problem, Row, RuleReport, RunResult, Spot, Table};
use crate::failure::Units;
use crate::place;
use crate::rules::{Rules, walk};

/// Largest number of rows sent of a table.
const MOST_ROWS: usize = 2_000;
/// Largest number of rows sent of an inner list.
const MOST_INNER: usize = 200;
/// Largest number of characters sent of a value.
const LONGEST: usize = 4_000;
/// Largest number of problems sent.
const MOST_PROBLEMS: usize = 200;

/// Runs rules on a page.
pub(crate) fn run(rules: &Rules, page: &Arc<Page>) -> RunResult {
    let began = Instant::now();
    // Places refer to nodes, so the tree is needed even if the rules do not use it.
    page.document();
    let extraction = rules.extractor.extract(Arc::clone(page));
    result(rules, page, &extraction, began)
}

/// Converts an extraction from a page.
pub(crate) fn result(rules: &Rules, page: &Arc<Page>, extraction: &Extraction, began: Instant) -> RunResult {
    let shapes = rules.extractor.shape();
    let names = Names::new(rules);
    let mut writer = Writer { page, paths: Paths::new(page.document()), texts: HashMap::new() };
    let tables = writer.tables(&shapes, &names, extraction);
    let units = Units::new(&rules.text);
    RunResult {
        tables,
        problems: writer.problems(extraction, &units),
        unreported: extraction.unreported() + extraction.problems().len().saturating_sub(MOST_PROBLEMS),
        rules: reports(rules, extraction, &units),
        micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
    }
}

/// Converts an extraction that was made without a wrapper: objects of this shape.
pub(crate) fn shaped(shapes: &[Shape], page: &Arc<Page>, extraction: &Extraction, began: Instant) -> RunResult {
    let mut writer = Writer { page, paths: Paths::new(page.document()), texts: HashMap::new() };
    RunResult {
        tables: writer.tables(shapes, &Names::default(), extraction),
        problems: Vec::new(),
        unreported: 0,
        rules: Vec::new(),
        micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
    }
}

/// Returns the statistics of each rule.
fn reports(rules: &Rules, extraction: &Extraction, units: &Units) -> Vec<RuleReport> {
    let tallies = extraction.tallies();
    let mut reports = Vec::new();
    walk(&rules.wrapper.rules, "", &mut |rule, path| {
        let tally = tallies.get(reports.len()).copied().unwrap_or_default();
        reports.push((
            rule.kind,
            RuleReport {
                rule: path,
                kind: rule.kind.name().to_owned(),
                locator: rule.locator.to_string(),
                asked: tally.scopes,
                matched: tally.matched,
                label: rule.name.span.map(|span| units.label(span, "")),
            },
        ));
    });
    reports.into_iter().filter(|(kind, _)| *kind != Kind::Save).map(|(_, report)| report).collect()
}

/// Paths of rules by the paths of their objects' labels.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    fn new(rules: &Rules) -> Names {
        let mut names = HashMap::new();
        fn add(rules: &[windrow::wrapper::Rule], label: &str, path: &str, names: &mut HashMap<String, String>) {
            for rule in rules {
                let path = join(path, &rule.name);
                // A temporary rule has no object; its inner rules belong to the surrounding one.
                let label = if rule.kind == Kind::Save || rule.name.starts_with('_') {
                    label.to_owned()
                } else {
                    join(label, rule.shown())
                };
                names.entry(label.clone()).or_insert_with(|| path.clone());
                add(&rule.rules, &label, &path, names);
            }
        }
        add(&rules.wrapper.rules, "", "", &mut names);
        Names(names)
    }

    fn of(&self, label: &str) -> String {
        self.0.get(label).cloned().unwrap_or_else(|| label.to_owned())
    }
}

fn join(around: &str, name: &str) -> String {
    if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") }
}

/// Returns the columns that these objects fill; groups are flattened. `around` is the path of labels of the outer
/// objects.
fn columns(shapes: &[Shape], names: &Names, around: &str, prefix: &str) -> Vec<Column> {
    let mut all = Vec::new();
    for shape in shapes {
        let (label, whole) = (join(prefix, &shape.label), join(around, &shape.label));
        if shape.is_set && !shape.many {
            all.extend(columns(&shape.children, names, &whole, &label));
            continue;
        }
        let inner = if shape.is_set { columns(&shape.children, names, &whole, "") } else { Vec::new() };
        all.push(Column {
            rule: names.of(&whole),
            label,
            ty: if shape.is_set { "list" } else { shape.ty.name() }.to_owned(),
            optional: shape.optional,
            many: shape.many,
            columns: inner,
        });
    }
    all
}

/// Converts objects to cells.
struct Writer<'p> {
    page: &'p Arc<Page>,
    paths: Paths<'p>,
    /// Spots of nodes, computed once.
    texts: HashMap<NodeId, Option<Spot>>,
}

impl<'p> Writer<'p> {
    fn tables(&mut self, shapes: &[Shape], names: &Names, extraction: &Extraction) -> Vec<Table> {
        let (lists, own): (Vec<Shape>, Vec<Shape>) = shapes.iter().cloned().partition(|shape| shape.many);
        let mut tables = Vec::new();
        let own_columns = columns(&own, names, "", "");
        if !own_columns.is_empty() {
            let mut cells = vec![Vec::new(); own_columns.len()];
            let mut own_columns = own_columns;
            for object in extraction.objects().filter(|object| !object.is_many()) {
                self.put(object, &mut own_columns, &mut cells, "");
            }
            let rows = if cells.iter().any(|cells| !cells.is_empty()) {
                vec![Row { nodes: Vec::new(), path: "/".to_owned(), cells }]
            } else {
                Vec::new()
            };
            let (label, total) = (PAGE.to_owned(), rows.len());
            tables.push(Table { label, rule: String::new(), columns: own_columns, rows, total });
        }
        for shape in &lists {
            let mut columns = if shape.is_set {
                columns(&shape.children, names, &shape.label, "")
            } else {
                vec![Column {
                    label: VALUE.to_owned(),
                    rule: names.of(&shape.label),
                    ty: shape.ty.name().to_owned(),
                    optional: shape.optional,
                    many: false,
                    columns: Vec::new(),
                }]
            };
            let objects = extraction.objects().filter(|object| object.label() == shape.label);
            let total = objects.clone().count();
            let mut rows = Vec::new();
            for object in objects.take(MOST_ROWS) {
                let row = self.row(object, &mut columns);
                rows.push(row);
            }
            // A row that was created before a column was added lacks its cell.
            rows.iter_mut().for_each(|row| row.cells.resize_with(columns.len(), Vec::new));
            tables.push(Table { label: shape.label.clone(), rule: names.of(&shape.label), columns, rows, total });
        }
        tables
    }

    fn row(&mut self, object: Object<'_>, columns: &mut Vec<Column>) -> Row {
        let mut cells = vec![Vec::new(); columns.len()];
        if object.is_set() {
            object.objects().for_each(|below| self.put(below, columns, &mut cells, ""))
        } else {
            cells[0].push(self.cell(object))
        }
        let path = self.own(object).map(|node| self.paths.of(node)).unwrap_or_default();
        Row { nodes: self.elements(object), path, cells }
    }

    /// Adds an object to its column.
    fn put(&mut self, object: Object<'_>, columns: &mut Vec<Column>, cells: &mut Vec<Vec<Cell>>, prefix: &str) {
        let label = join(prefix, object.label());
        if object.is_set() && !object.is_many() {
            object.objects().for_each(|below| self.put(below, columns, cells, &label));
            return;
        }
        let at = columns.iter().position(|column| column.label == label).unwrap_or_else(|| {
            // A column that the shape does not have.
            columns.push(Column {
                rule: object.rule_name().to_owned(),
                label,
                ty: object.ty().name().to_owned(),
                optional: true,
                many: false,
                columns: Vec::new(),
            });
            columns.len() - 1
        });
        cells.resize_with(columns.len(), Vec::new);
        if cells[at].len() >= MOST_INNER {
            return;
        }
        let cell = if object.is_set() {
            let row = self.row(object, &mut columns[at].columns);
            let spot = row.nodes.first().map(|&node| Spot { node, text: None, attribute: None, part: None });
            let (path, text) = (row.path.clone(), cut(&object.text()));
            Cell { spot, path, raw: String::new(), text, value: Json::Null, row: Some(Box::new(row)) }
        } else {
            self.cell(object)
        };
        cells[at].push(cell);
    }

    fn cell(&mut self, object: Object<'_>) -> Cell {
        let node = self.own(object);
        let spot = node.and_then(|node| self.spot(node)).map(|spot| self.part(object, spot));
        Cell {
            spot,
            path: node.map(|node| self.paths.of(node)).unwrap_or_default(),
            raw: cut(&object.raw()),
            text: cut(&object.text()),
            value: value(object),
            row: None,
        }
    }

    /// Returns an object's node, if it is on this page: linked pages have nodes of their own.
    fn own(&self, object: Object<'_>) -> Option<Node> {
        object.node().filter(|_| Arc::ptr_eq(object.page(), self.page))
    }

    fn spot(&mut self, node: Node) -> Option<Spot> {
        let document = self.page.document();
        if node.is_attribute() {
            return place::spot(document, node);
        }
        self.texts.entry(node.id()).or_insert_with(|| place::spot(document, node)).clone()
    }

    /// Narrows a spot to the part that is the value, if it is not all of the text.
    fn part(&self, object: Object<'_>, spot: Spot) -> Spot {
        if spot.attribute.is_some() {
            return spot;
        }
        let Some(node) = object.node() else { return spot };
        let all = windrow::wrapper::values::text::collapse(&self.page.document().visible_text(node.id())).into_owned();
        let text = object.text();
        if text.len() < all.len() && all.contains(&*text) {
            Spot { part: Some(text.into_owned()), ..spot }
        } else {
            spot
        }
    }

    /// Returns the elements of a record: the first one, and its siblings up to the last.
    fn elements(&self, object: Object<'_>) -> Vec<usize> {
        let document = self.page.document();
        let Some(first) = self.own(object).map(Node::id) else { return Vec::new() };
        let own_end = document.span(first).map(|span| span.end);
        let end = object.span().map(|span| span.end).max(own_end);
        let siblings = std::iter::successors(Some(first), |&id| document.next_sibling(id));
        let inside =
            siblings.take_while(|&id| id == first || document.span(id).is_some_and(|span| Some(span.start) < end));
        inside.filter(|&id| document.is_element(id)).map(NodeId::index).take(MOST_INNER).collect()
    }

    fn problems(&self, extraction: &Extraction, units: &Units) -> Vec<Problem> {
        let document = self.page.document();
        let problems = extraction.problems().iter().take(MOST_PROBLEMS);
        let element = |span: windrow::Span| {
            // The first element that begins in the searched range.
            let at = document.nodes().filter(|&id| document.is_element(id));
            at.into_iter().find(|&id| document.span(id).is_some_and(|own| own.start >= span.start)).map(NodeId::index)
        };
        problems
            .map(|problem| Problem {
                message: problem.message(extraction),
                rule: problem.rule(extraction),
                label: problem.place(extraction).map(|span| units.label(span, "")),
                node: problem.span().and_then(element),
            })
            .collect()
    }
}

/// Cuts a text to the length that is sent.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn value(object: Object<'_>) -> Json {
    match object.value() {
        Value::String(text) | Value::Html(text) => json!(cut(&text)),
        Value::Url(url) => json!(url),
        Value::Date(date) => json!(date.to_string()),
        Value::Number(number) => {
            number.as_str().parse::<serde_json::Number>().map_or(json!(number.as_str()), Json::from)
        }
        Value::Money(money) => json!({ "amount": money.amount.to_string(), "currency": money.currency }),
        // A text that cannot be read as its type is sent unchanged; a problem reports it.
        _ => match object.text() {
            text if text.is_empty() => Json::Null,
            text => json!(cut(&text)),
        },
    }
}
