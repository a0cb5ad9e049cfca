//! Evaluation of a record: computes to what degree each comparison in the rules holds.
//!
//! `exists S (…)` is decided by a witness: the row for which the condition is most certain. Rows are not tried one by
//! one. For the condition to have any probability, some equality in it must reach its threshold: any one part of a
//! conjunction, or one in each part of a disjunction. Such a set of equalities is a *cover*; the index of each
//! equality's column returns every row that reaches the threshold, and no other row can be a witness. For a
//! conjunction, the part whose columns have the most distinct values is used, so that few rows match. A condition
//! without a cover is tried on every row, and [`Evaluator::scans`] reports it.
//!
//! Among the candidates, the witness is the row with the greatest lower bound of the whole condition by Fréchet's
//! arithmetic, which the linear program uses, too; then by fuzzy logic (and = min, or = max, not = 1 − x), in case the
//! first is 0 for all; then the greatest upper bound, the greatest sum of degrees, and the first row.
//!
//! # Missing values
//!
//! A comparison with a value that the record or row lacks is unknown: the interval [0, 1]. A drug without a number is
//! therefore not "unapproved": nothing follows. A row that lacks a value cannot become a witness by that value.
//!
//! # Cost
//!
//! For each record: one lookup for each equality in a cover, and one evaluation of the condition for each candidate.

mod amount;
mod compile;
mod test;
#[cfg(test)]
mod tests;

pub(crate) use amount::days;

use std::collections::BTreeMap;

use crate::logic::{Formula, Interval, Proposition};
use crate::matching::Index;
use crate::record::Record;
use crate::reference::Reference;
use crate::rules::Rules;
use compile::{Node, Program, Source, Test};
use test::{Outcome, Row, test, texts};

/// Compiled rules, ready to evaluate records.
#[derive(Debug)]
pub(crate) struct Evaluator<'a> {
    program: Program<'a>,
}

/// Evaluation of one record.
#[derive(Debug)]
pub(crate) struct Evaluation {
    /// Condition of each rule. Propositions are numbered with the conclusions first, then the facts.
    pub(crate) conditions: Vec<Formula>,
    /// Interval of each fact that is neither certain nor impossible.
    pub(crate) facts: Vec<Interval>,
    /// Tests of each rule, in the order of its condition.
    pub(crate) tests: Vec<Vec<Tested>>,
}

/// Result of one test of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tested {
    pub(crate) atom: usize,
    /// Row of the reference table, if one was found.
    pub(crate) row: Option<usize>,
    pub(crate) interval: Interval,
    pub(crate) degree: Option<f64>,
}

/// Names and values that a test refers to, for reports.
#[derive(Debug)]
pub(crate) struct About<'p> {
    /// Text of the test in the rule.
    pub(crate) text: &'p str,
    pub(crate) field: Option<&'p str>,
    /// Name of the field in the data.
    pub(crate) in_data: Option<&'p str>,
    pub(crate) column: Option<&'p str>,
    pub(crate) reference: Option<&'p str>,
    pub(crate) reference_value: Option<&'p str>,
}

/// Rows that may be a witness.
enum Candidates {
    Rows(Vec<usize>),
    /// The record lacks the values for the lookup.
    Unknown,
    All,
}

/// Cached lookups for a record, by atom: several rules may look up the same value.
type Seen = BTreeMap<usize, Option<Vec<usize>>>;

/// Certainty of a condition for one row.
#[derive(Clone, Copy)]
struct Certainty {
    frechet: Interval,
    fuzzy: Interval,
    sum: f64,
}

impl<'a> Evaluator<'a> {
    /// Compiles rules, which must have been checked against these tables.
    pub(crate) fn new(rules: &Rules, references: &[(&str, &'a Reference)], today: Option<&str>) -> Evaluator<'a> {
        Evaluator { program: compile::compile(rules, references, today) }
    }

    /// Returns the conclusions of the rules, which are the first propositions.
    pub(crate) fn conclusions(&self) -> &[String] {
        &self.program.conclusions
    }

    /// Returns the rules that try every row of a table for every record, by number, with the table's name.
    pub(crate) fn scans(&self) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        for (rule, node) in self.program.nodes.iter().enumerate() {
            self.scans_in(node, &mut |table| found.push((rule, self.program.tables[table].alias.as_str())));
        }
        found
    }

    fn scans_in(&self, node: &Node, found: &mut impl FnMut(usize)) {
        match node {
            Node::Rows { reference, node, .. } => {
                if self.cost(node).is_none() {
                    found(*reference);
                }
            }
            Node::Not(inner) => self.scans_in(inner, found),
            Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| self.scans_in(part, found)),
            Node::Always | Node::Conclusion(_) | Node::Atom(_) => {}
        }
    }

    /// Returns the names and values that a test refers to.
    pub(crate) fn about(&self, tested: &Tested) -> About<'_> {
        let atom = &self.program.atoms[tested.atom];
        let table = atom.reference.map(|table| &self.program.tables[table]);
        let (mut in_data, mut column) = (None, None);
        for source in test::sources(&atom.test) {
            match source {
                Source::Extracted(name) => in_data = in_data.or(Some(name.as_str())),
                Source::Column(at) => column = column.or(Some(*at)),
                Source::Literal(_) => {}
            }
        }
        let value = |row| table.zip(column).and_then(|(table, column)| table.reference.value(row, column));
        About {
            text: &atom.text,
            field: atom.field.as_deref(),
            in_data,
            column: atom.column.as_deref(),
            reference: table.map(|table| table.alias.as_str()),
            reference_value: tested.row.and_then(value),
        }
    }

    /// Evaluates a record against the rules and the tables.
    pub(crate) fn evaluate(&self, record: &Record) -> Evaluation {
        let mut run = Run {
            evaluator: self,
            record,
            seen: Seen::new(),
            witnesses: vec![None; self.program.rows],
            propositions: BTreeMap::new(),
            facts: Vec::new(),
            tests: Vec::new(),
        };
        let mut conditions = Vec::with_capacity(self.program.nodes.len());
        let mut tests = Vec::with_capacity(self.program.nodes.len());
        for node in &self.program.nodes {
            conditions.push(run.formula(node, (Row::None, None)));
            tests.push(std::mem::take(&mut run.tests));
        }
        Evaluation { conditions, facts: run.facts, tests }
    }

    /// Estimates the number of rows that a lookup by the condition's cover returns; `None` if it has no cover.
    fn cost(&self, node: &Node) -> Option<f64> {
        match node {
            Node::Atom(atom) => {
                let atom = &self.program.atoms[*atom];
                let table = &self.program.tables[atom.reference?];
                let index = table.indexes.get(&atom.lookup()?.0)?;
                Some(table.reference.rows() as f64 / index.values().max(1) as f64)
            }
            Node::And(parts) => parts.iter().filter_map(|part| self.cost(part)).reduce(f64::min),
            Node::Or(parts) => parts.iter().map(|part| self.cost(part)).sum(),
            Node::Always | Node::Conclusion(_) | Node::Rows { .. } | Node::Not(_) => None,
        }
    }

    fn candidates(&self, node: &Node, table: usize, record: &Record, seen: &mut Seen) -> Candidates {
        match node {
            Node::Atom(number) => {
                let atom = &self.program.atoms[*number];
                let (Some((column, source)), Test::Equal { at, .. }) = (atom.lookup(), &atom.test) else {
                    return Candidates::All;
                };
                let Some(index) = self.program.tables[table].indexes.get(&column) else { return Candidates::All };
                match seen.entry(*number).or_insert_with(|| self.looked_up(index, source, *at, record)) {
                    Some(rows) => Candidates::Rows(rows.clone()),
                    None => Candidates::Unknown,
                }
            }
            Node::And(parts) => {
                let mut parts: Vec<(f64, &Node)> =
                    parts.iter().filter_map(|part| Some((self.cost(part)?, part))).collect();
                parts.sort_by(|one, other| one.0.total_cmp(&other.0));
                let mut found = Candidates::All;
                for (_, part) in parts {
                    match self.candidates(part, table, record, seen) {
                        rows @ Candidates::Rows(_) => return rows,
                        Candidates::Unknown => found = Candidates::Unknown,
                        Candidates::All => {}
                    }
                }
                found
            }
            Node::Or(parts) => {
                let mut rows = Vec::new();
                let mut known = false;
                for part in parts {
                    match self.candidates(part, table, record, seen) {
                        Candidates::Rows(found) => {
                            known = true;
                            rows.extend(found);
                        }
                        Candidates::Unknown => {}
                        Candidates::All => return Candidates::All,
                    }
                }
                rows.sort_unstable();
                rows.dedup();
                if known { Candidates::Rows(rows) } else { Candidates::Unknown }
            }
            Node::Always | Node::Conclusion(_) | Node::Rows { .. } | Node::Not(_) => Candidates::All,
        }
    }

    /// Returns the rows that reach the threshold of one equality. `None` if the record lacks the value.
    fn looked_up(&self, index: &Index, source: &Source, at: f64, record: &Record) -> Option<Vec<usize>> {
        let mut found: Option<Vec<usize>> = None;
        for text in texts(source, record, Row::None) {
            let rows = index.within(text, at).into_iter().map(|(row, _)| row);
            found.get_or_insert_default().extend(rows);
        }
        if let Some(rows) = &mut found {
            rows.sort_unstable();
            rows.dedup();
        }
        found
    }

    /// Returns the witness of a condition about rows.
    fn witness(&self, node: &Node, table: usize, record: &Record, seen: &mut Seen) -> Row<'a> {
        let reference = self.program.tables[table].reference;
        let mut best: Option<(Certainty, usize)> = None;
        let mut consider = |row: usize| -> bool {
            let certainty = self.certainty(node, record, Row::At(reference, row));
            if best.is_none_or(|(best, _)| certainty.is_better(best)) {
                best = Some((certainty, row));
            }
            // No row can be more certain, so the first such row is taken.
            certainty.frechet.low >= 1.0
        };
        match self.candidates(node, table, record, seen) {
            Candidates::Rows(rows) => drop(rows.into_iter().any(&mut consider)),
            Candidates::All => drop((0..reference.rows()).any(&mut consider)),
            Candidates::Unknown => return Row::Unknown,
        }
        best.map_or(Row::None, |(_, row)| Row::At(reference, row))
    }

    fn certainty(&self, node: &Node, record: &Record, row: Row<'_>) -> Certainty {
        let of = |interval: Interval, sum: f64| Certainty { frechet: interval, fuzzy: interval, sum };
        match node {
            Node::Always => of(Interval::TRUE, 0.0),
            Node::Conclusion(_) | Node::Rows { .. } => of(Interval::UNKNOWN, 0.0),
            Node::Atom(atom) => {
                let Outcome { interval, degree } = test(&self.program.atoms[*atom], record, row);
                of(interval, degree.unwrap_or(interval.low))
            }
            Node::Not(inner) => {
                let Certainty { frechet, fuzzy, sum } = self.certainty(inner, record, row);
                Certainty { frechet: frechet.negate(), fuzzy: fuzzy.negate(), sum }
            }
            Node::And(parts) => parts.iter().map(|part| self.certainty(part, record, row)).fold(
                of(Interval::TRUE, 0.0),
                |one, other| Certainty {
                    frechet: one.frechet.and(other.frechet),
                    fuzzy: Interval::new(one.fuzzy.low.min(other.fuzzy.low), one.fuzzy.high.min(other.fuzzy.high)),
                    sum: one.sum + other.sum,
                },
            ),
            Node::Or(parts) => parts.iter().map(|part| self.certainty(part, record, row)).fold(
                of(Interval::FALSE, 0.0),
                |one, other| Certainty {
                    frechet: one.frechet.or(other.frechet),
                    fuzzy: Interval::new(one.fuzzy.low.max(other.fuzzy.low), one.fuzzy.high.max(other.fuzzy.high)),
                    sum: one.sum + other.sum,
                },
            ),
        }
    }
}

impl Certainty {
    fn is_better(self, other: Certainty) -> bool {
        let key = |one: Certainty| [one.frechet.low, one.fuzzy.low, one.fuzzy.high, one.sum];
        let pairs = key(self).into_iter().zip(key(other));
        pairs
            .map(|(one, other)| one.total_cmp(&other))
            .find(|order| order.is_ne())
            .is_some_and(std::cmp::Ordering::is_gt)
    }
}

/// Evaluation of one record in progress.
struct Run<'e, 'a> {
    evaluator: &'e Evaluator<'a>,
    record: &'e Record,
    seen: Seen,
    /// Witness of each `exists`, once it was searched for.
    witnesses: Vec<Option<Row<'a>>>,
    /// Proposition of each atom, by its row, or by its `exists` if there is no row.
    propositions: BTreeMap<(usize, Option<usize>, Option<usize>), u32>,
    facts: Vec<Interval>,
    tests: Vec<Tested>,
}

impl<'a> Run<'_, 'a> {
    /// Converts a condition to a formula and substitutes facts that are certain. `row` is the witness and the `exists`
    /// that it belongs to.
    fn formula(&mut self, node: &Node, row: (Row<'a>, Option<usize>)) -> Formula {
        match node {
            Node::Always => Formula::True,
            Node::Conclusion(number) => Formula::Atom(Proposition(*number as u32)),
            Node::Not(inner) => self.formula(inner, row).negate(),
            Node::And(parts) => Formula::all(self.parts(parts, row, &Formula::False)),
            Node::Or(parts) => Formula::any(self.parts(parts, row, &Formula::True)),
            Node::Rows { reference, node, number } => {
                let witness = match self.witnesses[*number] {
                    Some(witness) => witness,
                    None => self.evaluator.witness(node, *reference, self.record, &mut self.seen),
                };
                self.witnesses[*number] = Some(witness);
                self.formula(node, (witness, Some(*number)))
            }
            Node::Atom(number) => self.atom(*number, row),
        }
    }

    /// Converts the parts of a conjunction or disjunction. Parts that need no rows come first; rows are only searched
    /// for if those leave the result open.
    fn parts(&mut self, parts: &[Node], row: (Row<'a>, Option<usize>), deciding: &Formula) -> Vec<Formula> {
        let (cheap, dear): (Vec<&Node>, Vec<&Node>) = parts.iter().partition(|part| !part.has_rows());
        let mut found: Vec<Formula> = cheap.into_iter().map(|part| self.formula(part, row)).collect();
        for part in dear {
            if found.contains(deciding) {
                break;
            }
            found.push(self.formula(part, row));
        }
        found
    }

    fn atom(&mut self, number: usize, (row, exists): (Row<'a>, Option<usize>)) -> Formula {
        let atom = &self.evaluator.program.atoms[number];
        let Outcome { interval, degree } = test(atom, self.record, row);
        let key = match row {
            _ if atom.reference.is_none() => (number, None, None),
            Row::At(_, at) => (number, Some(at), None),
            Row::None | Row::Unknown => (number, None, exists),
        };
        self.tests.push(Tested { atom: number, row: key.1, interval, degree });
        if interval == Interval::TRUE {
            return Formula::True;
        }
        if interval == Interval::FALSE {
            return Formula::False;
        }
        let next = (self.evaluator.program.conclusions.len() + self.facts.len()) as u32;
        let facts = &mut self.facts;
        Formula::atom(*self.propositions.entry(key).or_insert_with(|| {
            facts.push(interval);
            next
        }))
    }
}
