//! What a known value is worth as evidence: much if it is long, and rare among the known records and on the page.
//!
//! A price or a count occurs anywhere by chance, and says next to nothing; a title that one record had and that stands
//! once on the page says that this record is there.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use windrow_dom::NodeId;
use windrow_wrapper::values::text::collapse;

use super::known::KnownRecord;
use super::sheet::{Sheet, hash};

/// Records that are looked for.
pub(super) const RECORDS: usize = 4000;
/// Values of one record that are weighed, and those that are looked for.
const VALUES: usize = 96;
const BEST: usize = 8;
/// Places of one value that are looked at.
const PLACES: usize = 24;
/// What a value in a list inside the record is worth beside the record's own.
const NESTED: f32 = 0.6;

/// Where a known value stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trace {
    pub(super) node: NodeId,
    /// The record, by its number.
    pub(super) record: u32,
    /// The value, by its number in the record.
    pub(super) field: u32,
    pub(super) weight: f32,
}

/// Where the values of known records stand on a page.
pub(super) struct Traces {
    /// In the order of nodes.
    pub(super) all: Vec<Trace>,
    /// By record: what all its values are worth that were looked for.
    pub(super) worth: Vec<f32>,
}

/// A value of a record.
struct Clue {
    field: u32,
    key: u64,
    worth: f32,
}

impl Traces {
    pub(super) fn new(sheet: &Sheet<'_>, records: &[&KnownRecord]) -> Traces {
        let mut clues: Vec<Vec<Clue>> = Vec::with_capacity(records.len().min(RECORDS));
        let mut often: HashMap<u64, u32, FixedState> = HashMap::default();
        for record in records.iter().take(RECORDS) {
            let mut own = Vec::new();
            gather(record, 1.0, &mut own, 0);
            let mut seen: HashSet<u64, FixedState> = HashSet::default();
            for clue in own.iter().filter(|clue| seen.insert(clue.key)) {
                *often.entry(clue.key).or_default() += 1;
            }
            clues.push(own);
        }
        // By text: how often the page says it, and where first. Thousands of records may say the same.
        let mut said: HashMap<u64, (usize, Vec<NodeId>), FixedState> = HashMap::default();
        let mut all = Vec::new();
        let mut worth = Vec::with_capacity(clues.len());
        for (number, mut own) in clues.into_iter().enumerate() {
            for clue in &mut own {
                let known = often.get(&clue.key).copied().unwrap_or(1).max(1) as f32;
                let (texts, _) = said.entry(clue.key).or_insert_with(|| {
                    let mut nodes = sheet.texts(clue.key);
                    let count = nodes.len();
                    nodes.truncate(PLACES);
                    (count, nodes)
                });
                let places = (*texts).max(sheet.attributes(clue.key).len()) as f32;
                // Squared: what many have in common must not count as theirs together, either.
                clue.worth /= known * known;
                if places > 2.0 * known {
                    clue.worth *= 2.0 * known / places;
                }
            }
            own.sort_by(|one, two| two.worth.total_cmp(&one.worth).then(one.field.cmp(&two.field)));
            own.truncate(BEST);
            worth.push(own.iter().map(|clue| clue.worth).sum());
            for clue in &own {
                let texts = said.get(&clue.key).map_or(&[][..], |said| &said.1);
                let attributes = sheet.attributes(clue.key).iter().map(|told| told.0);
                let trace = |node: NodeId| Trace { node, record: number as u32, field: clue.field, weight: clue.worth };
                all.extend(texts.iter().copied().map(trace));
                all.extend(attributes.take(PLACES).map(trace));
            }
        }
        all.sort_by_key(|trace| (trace.node, trace.record, trace.field));
        Traces { all, worth }
    }

    /// The traces in a run of nodes.
    pub(super) fn within(&self, first: NodeId, end: NodeId) -> &[Trace] {
        let from = self.all.partition_point(|trace| trace.node < first);
        let to = self.all.partition_point(|trace| trace.node < end);
        &self.all[from..to.max(from)]
    }

    /// How many records have left a trace.
    pub(super) fn records(&self) -> usize {
        let mut seen: Vec<u32> = self.all.iter().map(|trace| trace.record).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}

fn gather(record: &KnownRecord, share: f32, clues: &mut Vec<Clue>, depth: usize) {
    for value in record.values.iter().filter(|value| !value.raw.is_empty()) {
        if clues.len() >= VALUES {
            return;
        }
        // By number, not by label: each item of a list in the record counts.
        let field = clues.len() as u32;
        let text = collapse(&value.raw);
        clues.push(Clue { field, key: hash(&text), worth: share * telling(&text) });
    }
    if depth < super::DEEPEST {
        for item in record.lists.iter().flat_map(|list| &list.records) {
            gather(item, share * NESTED, clues, depth + 1);
        }
    }
}

/// How much a text says by itself, from 0 to 1.
pub(super) fn telling(text: &str) -> f32 {
    let (mut letters, mut digits) = (0usize, 0usize);
    for c in text.chars().take(64) {
        letters += match c.is_alphabetic() {
            true if c as u32 >= 0x2E80 => 2,
            true => 1,
            false => 0,
        };
        digits += usize::from(c.is_ascii_digit());
    }
    match letters {
        0 if digits < 6 => 0.03,
        0 => 0.2,
        1..=3 => 0.08,
        _ => (0.1 + (letters as f32 + digits as f32 / 2.0) / 24.0).min(1.0),
    }
}
