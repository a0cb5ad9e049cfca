//! The auditor: takes records, returns findings.
//!
//! For each record, the comparisons in the rules become facts with a probability, the rules become sentences about
//! these facts, and one linear program yields the interval of each conclusion ([`logic`](crate::logic)). If the rules
//! contradict each other for a record, as few of them as possible are weakened before the intervals are computed, and
//! the findings say so.
//!
//! # Cost
//!
//! The lookups of [`evaluate`](crate::evaluate). Most records look the same to the rules, so solved linear programs are
//! cached by their contents, with degrees rounded to four decimals: a hundred thousand records need some hundred
//! programs. An [`Auditor`] may be used by several threads at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use crate::evaluate::{Evaluation, Evaluator, Tested};
use crate::finding::{Audited, Evidence, Finding, RuleUse, WeakenedRule};
use crate::logic::{Formula, Interval, LogicError, Proposition, Sentence, entail_all};
use crate::normal::degree;
use crate::record::{Field, Record};
use crate::reference::Reference;
use crate::rules::{Columns, Errors, Kind, Known, Rule, Rules, sentence};

/// Largest number of cached programs; when it is reached, the cache is emptied. A program takes some hundred bytes.
const MAX_KEPT: usize = 100_000;

/// Degrees are rounded to a ten-thousandth, so that similar records yield the same linear program.
const PARTS: f64 = 1e4;

/// Settings of an audit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Smallest lower bound of a conclusion's probability for which it is reported.
    pub report: f64,
    /// Day of the audit, `2026-11-17`; without it, comparisons with `today` are unknown.
    pub today: Option<String>,
}

impl Default for Options {
    /// Reports conclusions that are more probable than not.
    fn default() -> Options {
        Options { report: 0.5, today: None }
    }
}

impl Options {
    /// Sets the smallest probability of conclusions to report.
    #[must_use]
    pub fn with_report(mut self, report: f64) -> Options {
        self.report = report;
        self
    }

    /// Sets the day of the audit.
    #[must_use]
    pub fn with_today(mut self, today: impl Into<String>) -> Options {
        self.today = Some(today.into());
        self
    }
}

/// Compiled rules and reference tables, ready to audit records.
#[derive(Debug)]
pub struct Auditor<'a> {
    rules: &'a Rules,
    evaluator: Evaluator<'a>,
    options: Options,
    /// Conclusions of each rule as a formula.
    concluded: Vec<Formula>,
    solved: Mutex<HashMap<Stated, Arc<Solved>>>,
}

/// Contents of a linear program: the relevant rules with their conditions, and the degrees of the facts in
/// ten-thousandths.
type Stated = (Vec<(usize, Formula)>, Vec<(u32, u32)>);

/// Solution of a linear program.
#[derive(Debug, Default)]
struct Solved {
    /// Interval of each conclusion.
    intervals: Vec<Interval>,
    /// Weakened rules, with their new confidence.
    weakened: Vec<(usize, f64)>,
    failure: Option<String>,
}

impl<'a> Auditor<'a> {
    /// Compiles the rules for these reference tables, named as in the rules: `[("S", &register)]`. A rule that refers
    /// to a missing column or table is an error.
    pub fn new(
        rules: &'a Rules,
        references: &[(&str, &'a Reference)],
        options: Options,
    ) -> Result<Auditor<'a>, Errors> {
        let columns: Vec<Columns<'_>> = (references.iter())
            .map(|(alias, reference)| Columns { reference: alias, columns: reference.columns() })
            .collect();
        rules.check(Known { fields: None, references: &columns })?;
        let evaluator = Evaluator::new(rules, references, options.today.as_deref());
        let place = |name: &str| evaluator.conclusions().iter().position(|conclusion| conclusion == name).unwrap_or(0);
        let concluded = (rules.rules.iter())
            .map(|rule| {
                Formula::all(rule.conclusions.iter().map(|conclusion| {
                    let atom = Formula::atom(place(&conclusion.name.text) as u32);
                    if conclusion.negated { atom.negate() } else { atom }
                }))
            })
            .collect();
        Ok(Auditor { rules, evaluator, options, concluded, solved: Mutex::default() })
    }

    /// Returns warnings about rules that compare every record with every row.
    pub fn notes(&self) -> Vec<String> {
        let scans = self.evaluator.scans().into_iter();
        scans
            .map(|(rule, table)| {
                let name = &self.rules.rules[rule].name.text;
                format!("`{name}` compares every record with every row of {table}, which is slow: it has no equality that must hold")
            })
            .collect()
    }

    /// Returns the number of cached linear programs: the number of distinct records as seen by the rules.
    pub fn programs(&self) -> usize {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Audits one record.
    pub fn audit(&self, record: &Record) -> Audited {
        let evaluation = self.evaluator.evaluate(record);
        let solved = self.solve(&evaluation);
        let conclusions = self.evaluator.conclusions().iter().cloned().zip(solved.intervals.iter().copied());
        let weakened: Vec<WeakenedRule> = (solved.weakened.iter())
            .map(|(rule, to)| {
                let rule = &self.rules.rules[*rule];
                WeakenedRule { name: rule.name.text.clone(), confidence: rule.confidence, to: *to }
            })
            .collect();
        let mut audited = Audited {
            findings: Vec::new(),
            conclusions: conclusions.collect(),
            weakened,
            failure: solved.failure.clone(),
        };
        for (number, interval) in solved.intervals.iter().enumerate() {
            if is_temporary(&self.evaluator.conclusions()[number]) {
                continue;
            }
            for (negated, interval) in [(false, *interval), (true, interval.negate())] {
                if interval.low >= self.options.report && interval.low > 0.0 {
                    let finding = self.finding(record, &evaluation, &solved.intervals, number, negated);
                    audited.findings.push(Finding { interval, weakened: audited.weakened.clone(), ..finding });
                }
            }
        }
        audited
    }

    /// Audits records one after the other.
    pub fn findings<'s, R>(&'s self, records: R) -> impl Iterator<Item = Finding> + use<'s, 'a, R>
    where
        R: IntoIterator<Item = Record>,
    {
        records.into_iter().flat_map(|record| self.audit(&record).findings)
    }

    /// Returns the intervals of the conclusions, solved or cached.
    fn solve(&self, evaluation: &Evaluation) -> Arc<Solved> {
        let stated = self.state(evaluation);
        let kept = self.solved.lock().unwrap_or_else(PoisonError::into_inner).get(&stated).cloned();
        if let Some(kept) = kept {
            return kept;
        }
        let solved = Arc::new(self.work_out(&stated));
        let mut kept = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(stated, Arc::clone(&solved));
        solved
    }

    /// Returns the contents of the linear program, with the relevant facts numbered in order of appearance.
    fn state(&self, evaluation: &Evaluation) -> Stated {
        let count = self.evaluator.conclusions().len();
        let mut conditions = Vec::new();
        let mut facts = Vec::new();
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let part = |value: f64| (value * PARTS).round() as u32;
        for (number, condition) in evaluation.conditions.iter().enumerate() {
            // A false condition makes an implication true, which is a contradiction only if its probability must be
            // less than 1.
            let rule = &self.rules.rules[number];
            if *condition == Formula::False && (rule.kind == Kind::Conditional || rule.confidence.high >= 1.0) {
                continue;
            }
            let condition = condition.renumber(&mut |Proposition(proposition)| {
                let Some(fact) = (proposition as usize).checked_sub(count).and_then(|at| evaluation.facts.get(at))
                else {
                    return Proposition(proposition);
                };
                let next = (count + facts.len()) as u32;
                Proposition(*numbers.entry(proposition).or_insert_with(|| {
                    facts.push((part(fact.low), part(fact.high)));
                    next
                }))
            });
            conditions.push((number, condition));
        }
        (conditions, facts)
    }

    fn work_out(&self, (conditions, facts): &Stated) -> Solved {
        let count = self.evaluator.conclusions().len();
        let mut sentences: Vec<Sentence> = (conditions.iter())
            .map(|(number, condition)| {
                let rule = &self.rules.rules[*number];
                sentence(condition.clone(), self.concluded[*number].clone(), rule.kind, rule.confidence)
            })
            .collect();
        sentences.extend(facts.iter().enumerate().map(|(number, (low, high))| {
            let interval = Interval::new(f64::from(*low) / PARTS, f64::from(*high) / PARTS);
            Sentence::new(Formula::atom((count + number) as u32), interval).firm()
        }));
        let goals: Vec<Formula> = (0..count as u32).map(Formula::atom).collect();
        let failed = |error: LogicError| Solved {
            intervals: vec![Interval::UNKNOWN; count],
            failure: Some(error.to_string()),
            ..Solved::default()
        };
        match entail_all(&sentences, &goals) {
            Ok(intervals) => Solved { intervals, ..Solved::default() },
            Err(LogicError::Inconsistent(weakening)) => {
                let mut weakened = Vec::new();
                for one in &weakening.weakened {
                    // Allows slightly more, to make up for rounding.
                    let Interval { low, high } = sentences[one.sentence].interval;
                    let low = low.min((one.to - 1e-6).max(0.0));
                    let high = high.max((one.to + 1e-6).min(1.0));
                    sentences[one.sentence].interval = Interval::new(low, high);
                    weakened.extend(conditions.get(one.sentence).map(|(rule, _)| (*rule, one.to)));
                }
                match entail_all(&sentences, &goals) {
                    Ok(intervals) => Solved { intervals, weakened, failure: None },
                    Err(error) => Solved { weakened, ..failed(error) },
                }
            }
            Err(error) => failed(error),
        }
    }

    fn finding(
        &self,
        record: &Record,
        evaluation: &Evaluation,
        intervals: &[Interval],
        conclusion: usize,
        negated: bool,
    ) -> Finding {
        let mut used: Vec<(f64, usize, Interval)> = Vec::new();
        let mut open = vec![(conclusion, negated)];
        let mut seen = BTreeSet::from([(conclusion, negated)]);
        let count = intervals.len();
        while let Some((conclusion, negated)) = open.pop() {
            let name = &self.evaluator.conclusions()[conclusion];
            for (number, rule) in self.rules.rules.iter().enumerate() {
                let concludes = |one: &crate::rules::Conclusion| one.name.text == *name && one.negated == negated;
                if !rule.conclusions.iter().any(concludes) || used.iter().any(|(_, used, _)| *used == number) {
                    continue;
                }
                let condition = evaluation.conditions[number].interval(&|proposition| {
                    let at = proposition.0 as usize;
                    let known = intervals.get(at).or_else(|| evaluation.facts.get(at.wrapping_sub(count)));
                    known.copied().unwrap_or(Interval::UNKNOWN)
                });
                let strength = strength(rule, condition);
                if strength <= 0.0 {
                    continue;
                }
                used.push((strength, number, condition));
                // If the rule depends on conclusions of other rules, the finding rests on those, too.
                for proposition in evaluation.conditions[number].propositions() {
                    let at = proposition.0 as usize;
                    for negated in [false, true] {
                        if at < count && seen.insert((at, negated)) {
                            open.push((at, negated));
                        }
                    }
                }
            }
        }
        // Rules for intermediate conclusions come last.
        let is_step = |number: usize| {
            let concluded = &self.rules.rules[number].conclusions;
            concluded.iter().all(|conclusion| is_temporary(&conclusion.name.text))
        };
        used.sort_by(|one, other| {
            let steps = is_step(one.1).cmp(&is_step(other.1));
            steps.then(other.0.total_cmp(&one.0)).then(one.1.cmp(&other.1))
        });
        let rules = used.iter().map(|(_, number, condition)| {
            let Rule { name, message, confidence, .. } = &self.rules.rules[*number];
            let (name, message) = (name.text.clone(), message.clone());
            RuleUse { name, message, confidence: *confidence, condition: *condition }
        });
        let evidence = used.iter().flat_map(|(_, number, _)| {
            let rule = &self.rules.rules[*number].name.text;
            evaluation.tests[*number].iter().map(move |tested| self.evidence(rule, tested, record))
        });
        Finding {
            conclusion: self.evaluator.conclusions()[conclusion].clone(),
            negated,
            interval: Interval::UNKNOWN,
            rules: rules.collect(),
            evidence: evidence.collect(),
            weakened: Vec::new(),
            page: record.page.clone(),
            path: record.path.clone(),
            snippet: record.snippet.clone(),
        }
    }

    fn evidence(&self, rule: &str, tested: &Tested, record: &Record) -> Evidence {
        let about = self.evaluator.about(tested);
        // Of several values, choose the one with the highest degree.
        let agrees = |field: &Field| match (about.reference_value, tested.degree) {
            (Some(value), Some(_)) => degree(&field.text, value),
            _ => 0.0,
        };
        let field = about.in_data.and_then(|name| {
            record.values(name).reduce(|one, next| if agrees(next) > agrees(one) { next } else { one })
        });
        let holds = match tested.interval {
            Interval::UNKNOWN => None,
            interval => Some(interval.low > 0.0),
        };
        Evidence {
            rule: rule.to_owned(),
            test: about.text.to_owned(),
            field: about.field.map(str::to_owned),
            extracted: field.map(|field| field.text.clone()),
            reference: about.reference.map(str::to_owned),
            column: about.column.map(str::to_owned),
            row: tested.row,
            reference_value: about.reference_value.map(str::to_owned),
            degree: tested.degree,
            holds,
            path: field.and_then(|field| field.path.clone()),
            snippet: field.and_then(|field| field.snippet.clone()),
        }
    }
}

/// Reports whether a conclusion only serves other rules and is not reported. As for variables in TSIMMIS, its name
/// begins with `_`.
fn is_temporary(conclusion: &str) -> bool {
    conclusion.starts_with('_')
}

/// Returns the smallest probability that the rule alone gives its conclusion.
fn strength(rule: &Rule, condition: Interval) -> f64 {
    match rule.kind {
        Kind::Implication => condition.low + rule.confidence.low - 1.0,
        Kind::Conditional => condition.low * rule.confidence.low,
    }
}
