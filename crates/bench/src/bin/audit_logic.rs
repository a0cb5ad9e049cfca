//! Measures the time of probabilistic logic, and the number of records that an audit compares with a register per
//! second.
//!
//! `audit_logic [--theories 20] [--records 100000] [--rows 100000] [--csv OUT.csv]`
//!
//! Theories have four shapes and 10 to 40 propositions, with twenty seeds each: a chain of implications; rules with two
//! or three conditions each, in layers; random clauses of three, which are as entangled as possible; and disjunctions
//! of all propositions. Probabilities come from a random distribution over worlds, so that theories are consistent; a
//! tenth is then made contradictory to measure the search for confidences to weaken. Both the median and the longest
//! time are reported.
//!
//! The audit applies the built-in drug rules to generated advertisements, of which three in ten have a problem.

use std::time::Instant;

use windrow_audit::logic::{Formula, Interval, LogicError, Sentence, entail};
use windrow_audit::reference::Reference;
use windrow_audit::{Auditor, Field, Options, Record, Rules};
use windrow_bench::arguments::Arguments;
use windrow_bench::report::Table;

fn main() {
    let arguments = Arguments::read();
    let theories: u64 = arguments.number("theories", 20);
    let mut table =
        Table::new(&["theory", "propositions", "sentences", "middle ms", "longest ms", "contradictory ms", "failed"]);
    for shape in [Shape::Chain, Shape::Layers, Shape::Clauses, Shape::Wide] {
        for propositions in [10, 20, 30, 40] {
            measure(shape, propositions, theories, &mut table);
        }
    }
    table.print("Probabilistic logic");
    table.write(arguments.path("csv").as_deref());
    audit(arguments.number("records", 100_000), arguments.number("rows", 100_000));
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Chain,
    Layers,
    Clauses,
    Wide,
}

/// Numbers that look random: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: u32) -> u32 {
        (self.next() % u64::from(most)) as u32
    }

    fn literal(&mut self, propositions: u32) -> Formula {
        let atom = Formula::atom(self.below(propositions));
        if self.below(2) == 0 { atom } else { atom.negate() }
    }
}

fn formulas(shape: Shape, propositions: u32, random: &mut Random) -> Vec<Formula> {
    let mut formulas: Vec<Formula> = match shape {
        Shape::Chain => {
            (1..propositions).map(|at| Formula::implies(Formula::atom(at - 1), Formula::atom(at))).collect()
        }
        Shape::Layers => (propositions / 3..propositions)
            .map(|at| {
                let count = 2 + random.below(2);
                let conditions = (0..count).map(|_| random.literal(at)).collect::<Vec<_>>();
                Formula::implies(Formula::all(conditions), Formula::atom(at))
            })
            .collect(),
        Shape::Clauses => (0..propositions)
            .map(|_| Formula::any((0..3).map(|_| random.literal(propositions)).collect::<Vec<_>>()))
            .collect(),
        Shape::Wide => (0..propositions / 5)
            .map(|_| {
                let wide = (0..propositions).filter(|_| random.below(2) == 0).map(Formula::atom).collect::<Vec<_>>();
                Formula::implies(Formula::any(wide), random.literal(propositions))
            })
            .collect(),
    };
    let known = match shape {
        Shape::Layers => propositions / 3,
        Shape::Wide => propositions,
        _ => propositions / 2,
    };
    formulas.extend((0..known).map(Formula::atom));
    formulas
}

/// Sentences with the probabilities that some distribution gives them, a little widened.
fn theory(shape: Shape, propositions: u32, random: &mut Random) -> Vec<Sentence> {
    let formulas = formulas(shape, propositions, random);
    let worlds: Vec<u64> = (0..100).map(|_| random.next()).collect();
    formulas
        .into_iter()
        .map(|formula| {
            let holds = |world: &&u64| formula.holds(&|proposition| **world >> (proposition.0 % 64) & 1 == 1);
            let probability = worlds.iter().filter(holds).count() as f64 / worlds.len() as f64;
            let width = f64::from(random.below(3)) / 50.0;
            let interval = Interval::new((probability - width).max(0.0), (probability + width).min(1.0));
            Sentence::new(formula, interval)
        })
        .collect()
}

fn measure(shape: Shape, propositions: u32, theories: u64, table: &mut Table) {
    let (mut times, mut contradictory, mut sentences, mut failed) = (Vec::new(), Vec::new(), 0, 0);
    for seed in 0..theories {
        let mut random = Random(seed);
        let mut theory = theory(shape, propositions, &mut random);
        sentences = theory.len();
        let goal = Formula::atom(propositions - 1);
        let start = Instant::now();
        let found = entail(&theory, &goal);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if !found.is_ok_and(|found| found.is_proper()) {
            failed += 1;
        }
        if seed % 10 == 0 {
            // The goal's last sentence, and its contrary.
            let Some(last) = theory.last().cloned() else { continue };
            theory.push(Sentence::new(last.formula.negate(), Interval::at_least((last.interval.low + 0.3).min(1.0))));
            theory.push(Sentence::new(theory[0].formula.clone(), Interval::exactly(1.0)));
            theory.push(Sentence::new(theory[0].formula.clone(), Interval::exactly(0.0)));
            let start = Instant::now();
            let found = entail(&theory, &goal);
            contradictory.push(start.elapsed().as_secs_f64() * 1e3);
            failed += usize::from(!matches!(found, Err(LogicError::Inconsistent(_))));
        }
    }
    times.sort_by(f64::total_cmp);
    let longest = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    table.row(vec![
        format!("{shape:?}").to_lowercase(),
        propositions.to_string(),
        sentences.to_string(),
        format!("{:.2}", times[times.len() / 2]),
        format!("{:.2}", longest(&times)),
        format!("{:.2}", longest(&contradictory)),
        failed.to_string(),
    ]);
}

const SYLLABLES: [&str; 12] = ["ba", "cor", "di", "flo", "gen", "lax", "mi", "nor", "pra", "ro", "tin", "zol"];

fn name(number: u64, syllables: u32) -> String {
    let mut random = Random(number);
    (0..syllables).map(|_| SYLLABLES[random.below(12) as usize]).collect()
}

fn row(number: u64) -> [String; 7] {
    let generic = number / 20;
    [
        format!("国药准字H{:08}", number * 7 + 10_000_000),
        name(number, 4),
        name(generic + 1_000_000_000, 6),
        format!("{} {} Pharmaceutical Co.", name(number % 700 + 2_000_000_000, 3), name(number % 700, 2)),
        ["China", "Germany", "India"][number as usize % 3].to_owned(),
        if generic.is_multiple_of(3) { "yes" } else { "no" }.to_owned(),
        if generic.is_multiple_of(50) { "yes" } else { "no" }.to_owned(),
    ]
}

const COLUMNS: [&str; 7] = [
    "authentication_code",
    "proprietary_name",
    "generic_name",
    "manufacturer",
    "country",
    "prescription",
    "controlled",
];

fn advertisement(number: u64, rows: u64) -> Record {
    let mut random = Random(number + 77);
    let mut fields: Vec<(&str, String)> =
        COLUMNS.into_iter().zip(row(u64::from(random.below(rows as u32)))).take(5).collect();
    for field in ["ingredients", "indications", "contraindications", "warnings", "dosage", "description"] {
        fields.push((field, format!("{field} of {}", name(number, 3))));
    }
    match random.below(20) {
        0 => fields[0].1 = format!("国药准字H{:08}", random.below(90_000_000) + 10_000_000),
        1 | 2 => fields[3].1 = format!("{} Laboratories", name(number, 4)),
        3 => drop(fields.remove(random.below(10) as usize)),
        4 => fields.retain(|(name, _)| *name != "warnings" && *name != "contraindications"),
        // Slips of the pen, in a name or in the maker.
        5..9 => fields[random.below(4) as usize].1.insert(3, 'x'),
        _ => {}
    }
    let fields = fields.into_iter().map(|(name, text)| (name.to_owned(), Field::text(text)));
    Record { fields: fields.collect(), ..Record::new(format!("http://pharmacy.example/{number}")) }
}

fn audit(records: u64, rows: u64) {
    let register: Vec<[String; 7]> = (0..rows).map(row).collect();
    let register =
        Reference::from_rows("register", &COLUMNS, register.iter().map(|row| row.iter().map(String::as_str)));
    let rules = Rules::drugs();
    let mut table = Table::new(&["threads", "rows", "ready s", "records", "s", "records/s", "findings", "programs"]);
    for threads in [1, 2] {
        let start = Instant::now();
        let auditor = Auditor::new(&rules, &[("S", &register)], Options::default()).expect("the shipped rules");
        let ready = start.elapsed().as_secs_f64();
        let records_of: Vec<Vec<Record>> = (0..threads)
            .map(|thread| {
                (0..records)
                    .filter(|number| number % threads == thread)
                    .map(|number| advertisement(number, rows))
                    .collect()
            })
            .collect();
        let start = Instant::now();
        let findings: usize = std::thread::scope(|scope| {
            let running: Vec<_> = (records_of.iter())
                .map(|records| {
                    let auditor = &auditor;
                    scope
                        .spawn(move || records.iter().map(|record| auditor.audit(record).findings.len()).sum::<usize>())
                })
                .collect();
            running.into_iter().map(|thread| thread.join().expect("no audit panics")).sum()
        });
        let time = start.elapsed().as_secs_f64();
        table.row(vec![
            threads.to_string(),
            rows.to_string(),
            format!("{ready:.2}"),
            records.to_string(),
            format!("{time:.2}"),
            format!("{:.0}", records as f64 / time),
            findings.to_string(),
            auditor.programs().to_string(),
        ]);
    }
    table.print("Audit");
}
