//! Compilation of rules: names become columns, comparisons become numbered atoms, and equal atoms are shared.

use std::collections::BTreeMap;

use super::amount::{Amount, days};
use crate::matching::Index;
use crate::reference::Reference;
use crate::rules::{Condition, FieldName, Operand, Operator, Rules, Term};

/// Source of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// A field of the record, by its name in the data.
    Extracted(String),
    /// A column of the reference row.
    Column(usize),
    /// A constant in the rule.
    Literal(String),
}

/// One side of a comparison of amounts.
#[derive(Debug, Clone)]
pub(super) enum Side {
    /// A value, with a factor and a summand.
    Value(Source, Option<f64>, Option<f64>),
    /// A constant. `None` stands for the day of the audit if it is not known.
    Fixed(Option<Amount>),
}

/// Test of values.
#[derive(Debug, Clone)]
pub(super) enum Test {
    Missing(Source),
    Equal { left: Source, right: Source, at: f64 },
    In { value: Source, list: Vec<String>, at: f64 },
    Contains { value: Source, list: Vec<String> },
    Amounts { left: Side, operator: Operator, right: Side },
}

/// A test with the names that reports show.
#[derive(Debug, Clone)]
pub(super) struct Atom {
    pub(super) test: Test,
    /// Text of the test in the rule.
    pub(super) text: String,
    /// Field of the record that the test refers to; `column` is the column of the reference table.
    pub(super) field: Option<String>,
    pub(super) column: Option<String>,
    /// Index of the reference table.
    pub(super) reference: Option<usize>,
}

/// Condition over atoms.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Always,
    Conclusion(usize),
    Atom(usize),
    /// `exists`; `none` is its negation. Equal ones have the same `number`.
    Rows {
        reference: usize,
        node: Box<Node>,
        number: usize,
    },
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Node {
    /// Reports whether the condition needs rows of a reference table.
    pub(super) fn has_rows(&self) -> bool {
        match self {
            Node::Rows { .. } => true,
            Node::Not(inner) => inner.has_rows(),
            Node::And(parts) | Node::Or(parts) => parts.iter().any(Node::has_rows),
            Node::Always | Node::Conclusion(_) | Node::Atom(_) => false,
        }
    }
}

/// A reference table with the indexes that conditions need.
#[derive(Debug)]
pub(super) struct Table<'a> {
    pub(super) alias: String,
    pub(super) reference: &'a Reference,
    pub(super) indexes: BTreeMap<usize, Index>,
}

/// Compiled rules.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) tables: Vec<Table<'a>>,
    pub(super) atoms: Vec<Atom>,
    /// Condition of each rule.
    pub(super) nodes: Vec<Node>,
    pub(super) conclusions: Vec<String>,
    /// Number of different `exists` conditions.
    pub(super) rows: usize,
}

/// Compiles rules that were checked against these tables.
pub(super) fn compile<'a>(rules: &Rules, references: &[(&str, &'a Reference)], today: Option<&str>) -> Program<'a> {
    let tables = references.iter().map(|(alias, reference)| Table {
        alias: (*alias).to_owned(),
        reference,
        indexes: BTreeMap::new(),
    });
    let mut compiler = Compiler {
        rules,
        today: today.and_then(days),
        atoms: BTreeMap::new(),
        rows: BTreeMap::new(),
        program: Program {
            tables: tables.collect(),
            atoms: Vec::new(),
            nodes: Vec::new(),
            conclusions: rules.conclusions().into_iter().map(str::to_owned).collect(),
            rows: 0,
        },
    };
    for rule in &rules.rules {
        let node = compiler.node(&rule.condition, None);
        compiler.program.nodes.push(node);
    }
    let mut program = compiler.program;
    program.rows = compiler.rows.len();
    let mut needed = Vec::new();
    program.nodes.iter().for_each(|node| needs(node, &program.atoms, &mut needed));
    for (table, column) in needed {
        let table = &mut program.tables[table];
        let reference = table.reference;
        table.indexes.entry(column).or_insert_with(|| Index::new(reference, column));
    }
    program
}

/// Collects the columns by which rows can be looked up: those of equalities that are not negated.
fn needs(node: &Node, atoms: &[Atom], needed: &mut Vec<(usize, usize)>) {
    match node {
        Node::Rows { node, .. } => needs(node, atoms, needed),
        Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| needs(part, atoms, needed)),
        Node::Atom(atom) => {
            let atom = &atoms[*atom];
            if let (Some((column, _)), Some(reference)) = (atom.lookup(), atom.reference) {
                needed.push((reference, column));
            }
        }
        // A negated `none` requires a row that matches.
        Node::Not(inner) => {
            if let Node::Rows { node, .. } = &**inner {
                needs(node, atoms, needed);
            }
        }
        Node::Always | Node::Conclusion(_) => {}
    }
}

impl Atom {
    /// Returns the column and the other side, if the test is an equality by which rows can be looked up.
    pub(super) fn lookup(&self) -> Option<(usize, &Source)> {
        match &self.test {
            Test::Equal { left: Source::Column(column), right, .. } if !matches!(right, Source::Column(_)) => {
                Some((*column, right))
            }
            Test::Equal { left, right: Source::Column(column), .. } if !matches!(left, Source::Column(_)) => {
                Some((*column, left))
            }
            _ => None,
        }
    }
}

struct Compiler<'r, 'a> {
    rules: &'r Rules,
    today: Option<i64>,
    /// Number of each atom, by its text and reference.
    atoms: BTreeMap<(String, Option<usize>), usize>,
    rows: BTreeMap<String, usize>,
    program: Program<'a>,
}

impl Compiler<'_, '_> {
    /// Compiles a condition. `row` is the table whose row it refers to.
    fn node(&mut self, condition: &Condition, row: Option<usize>) -> Node {
        match condition {
            Condition::Always => Node::Always,
            Condition::Conclusion(name) => {
                let place = self.program.conclusions.iter().position(|conclusion| *conclusion == name.text);
                Node::Conclusion(place.unwrap_or(0))
            }
            Condition::Not(inner) => Node::Not(Box::new(self.node(inner, row))),
            Condition::And(parts) => Node::And(parts.iter().map(|part| self.node(part, row)).collect()),
            Condition::Or(parts) => Node::Or(parts.iter().map(|part| self.node(part, row)).collect()),
            Condition::Rows { none, reference, condition } => {
                let table = self.program.tables.iter().position(|table| table.alias == reference.text).unwrap_or(0);
                let next = self.rows.len();
                let number = *self.rows.entry(format!("{table} {condition}")).or_insert(next);
                let node = Box::new(self.node(condition, Some(table)));
                let rows = Node::Rows { reference: table, node, number };
                if *none { Node::Not(Box::new(rows)) } else { rows }
            }
            Condition::Compare { left, operator: Operator::NotEqual, right, at } => {
                let (left, right) = (left.clone(), right.clone());
                let equal = Condition::Compare { left, operator: Operator::Equal, right, at: *at };
                Node::Not(Box::new(self.node(&equal, row)))
            }
            other => Node::Atom(self.atom(other, row)),
        }
    }

    fn atom(&mut self, condition: &Condition, row: Option<usize>) -> usize {
        let fields = condition.own_fields();
        let column = fields.iter().find(|field| !field.is_extracted()).map(|field| field.name.clone());
        let field = fields.iter().find(|field| field.is_extracted()).map(|field| field.name.clone());
        let reference = if column.is_some() { row } else { None };
        let text = condition.to_string();
        if let Some(number) = self.atoms.get(&(text.clone(), reference)) {
            return *number;
        }
        let at = |at: &Option<f64>| at.unwrap_or(self.rules.threshold);
        let test = match condition {
            Condition::Missing(field) => Test::Missing(self.source(field, row)),
            Condition::In { field, list, at: own } => {
                Test::In { value: self.source(field, row), list: list.clone(), at: at(own) }
            }
            Condition::Contains { field, list } => {
                // A text of punctuation only would be contained in every text.
                let list =
                    list.iter().map(|text| crate::normal::normal(text)).filter(|text| !text.is_empty()).collect();
                Test::Contains { value: self.source(field, row), list }
            }
            Condition::Compare { left, operator: Operator::Equal, right, at: own }
                if left.is_textual() && right.is_textual() =>
            {
                Test::Equal { left: self.text(left, row), right: self.text(right, row), at: at(own) }
            }
            Condition::Compare { left, operator, right, .. } => {
                Test::Amounts { left: self.side(left, row), operator: *operator, right: self.side(right, row) }
            }
            // Other conditions are not atoms.
            _ => Test::Missing(Source::Literal(String::new())),
        };
        let number = self.program.atoms.len();
        self.atoms.insert((text.clone(), reference), number);
        self.program.atoms.push(Atom { test, text, field, column, reference });
        number
    }

    fn source(&self, field: &FieldName, row: Option<usize>) -> Source {
        let name = self.rules.in_data(field);
        if field.is_extracted() {
            return Source::Extracted(name.to_owned());
        }
        let column = row.and_then(|row| self.program.tables[row].reference.column(name));
        // The rules were checked, so the column exists.
        column.map_or_else(|| Source::Extracted(String::new()), Source::Column)
    }

    fn text(&self, operand: &Operand, row: Option<usize>) -> Source {
        match &operand.term {
            Term::Field(field) => self.source(field, row),
            Term::Text(text) => Source::Literal(text.clone()),
            _ => Source::Literal(String::new()),
        }
    }

    fn side(&self, operand: &Operand, row: Option<usize>) -> Side {
        let Operand { factor, term, plus, .. } = operand;
        let fixed = |amount: Amount| Side::Fixed(Some(amount.scaled(*factor, *plus)));
        let day = |day: i64| Amount { number: None, day: Some(day as f64) };
        match term {
            Term::Field(field) => Side::Value(self.source(field, row), *factor, *plus),
            Term::Text(text) => fixed(Amount::read(text)),
            Term::Number(number) => fixed(Amount { number: Some(*number), day: None }),
            Term::Date(date) => days(date).map_or(Side::Fixed(None), |date| fixed(day(date))),
            Term::Today => self.today.map_or(Side::Fixed(None), |today| fixed(day(today))),
        }
    }
}
