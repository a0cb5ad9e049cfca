//! Evaluation of a wrapper on a page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use windrow_dom::Document;
use windrow_learn::repair::{Refusal, repair};
use windrow_testkit::mutate::{Agreement, Content, Told, Truth};
use windrow_wrapper::{Extractor, Wrapper};

use super::cases::Case;
use super::subjects::{Learned, Source};

/// A wrapper of whose values fewer are right is wrong, not incomplete.
const RIGHT: f64 = 0.8;

/// Outcome of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// The old wrapper gives all that it should.
    StillWorks,
    /// The new one does.
    Restored,
    /// The new wrapper's results are right except for a small part; some may be missing.
    Partly,
    /// No wrapper came out.
    Refused,
    /// The results are wrong.
    Wrong,
}

impl End {
    pub(super) const ALL: [End; 5] = [End::StillWorks, End::Restored, End::Partly, End::Refused, End::Wrong];

    pub(super) fn name(self) -> &'static str {
        match self {
            End::StillWorks => "still works",
            End::Restored => "restored",
            End::Partly => "partly",
            End::Refused => "refused",
            End::Wrong => "wrong",
        }
    }
}

/// Evaluation of one case.
pub(super) struct Verdict {
    pub(super) kind: &'static str,
    pub(super) seed: u64,
    pub(super) must_refuse: bool,
    pub(super) end: End,
    /// Values that are wanted, given, and both.
    pub(super) agreement: Agreement,
    /// Time of the repair; `None` if none was needed.
    pub(super) time: Option<Duration>,
    /// Why it was refused, or what differs.
    pub(super) why: String,
    /// The new wrapper.
    pub(super) wrapper: Option<Wrapper>,
}

impl Verdict {
    /// Reports whether the outcome is acceptable.
    pub(super) fn is_good(&self) -> bool {
        if self.must_refuse { self.end == End::Refused } else { matches!(self.end, End::StillWorks | End::Restored) }
    }
}

/// Lets a wrapper meet a page.
pub(super) fn meet(learned: &Learned, source: &Source, case: &Case) -> Verdict {
    let page = source.page(Document::parse(case.html.as_str()));
    let old = Truth::of(&learned.extractor.extract(Arc::clone(&page)));
    let mut verdict = Verdict {
        kind: case.kind,
        seed: case.seed,
        must_refuse: case.truth.is_none(),
        end: End::StillWorks,
        agreement: Agreement::default(),
        time: None,
        why: String::new(),
        wrapper: None,
    };
    let nothing = Truth::default();
    let truth = case.truth.as_ref().unwrap_or(&nothing);
    if case.truth.is_some() && old == *truth {
        verdict.agreement = truth.compare(&old);
        return verdict;
    }
    let start = Instant::now();
    let outcome = repair(&learned.wrapper, &learned.known, &[Arc::clone(&page)]);
    verdict.time = Some(start.elapsed());
    let given = match outcome {
        Ok(repaired) => {
            let given = Extractor::new(&repaired.wrapper).map(|extractor| Truth::of(&extractor.extract(page)));
            verdict.wrapper = Some(repaired.wrapper);
            given.unwrap_or_default()
        }
        // It took the old wrapper for good: then what that gives counts. Where that gives nothing, nothing came out.
        Err(Refusal::StillWorks) if old.values() > 0 => {
            verdict.why = "says that it still works; ".to_owned();
            old
        }
        Err(refusal) => {
            verdict.end = End::Refused;
            verdict.why = refusal.to_string();
            verdict.agreement.wanted = truth.values();
            return verdict;
        }
    };
    verdict.agreement = truth.compare(&given);
    verdict.end = match verdict.agreement.precision() {
        _ if case.truth.is_some() && given == *truth => End::Restored,
        share if case.truth.is_some() && share >= RIGHT && verdict.agreement.right > 0 => End::Partly,
        _ => End::Wrong,
    };
    if verdict.end != End::Restored {
        verdict.why += &difference(truth, &given);
    }
    verdict
}

/// The first values that only one of the two has.
fn difference(truth: &Truth, given: &Truth) -> String {
    let mut counts: BTreeMap<(String, String), i64> = BTreeMap::new();
    flatten(&truth.members, "", &mut |field, text| *counts.entry((field, text)).or_default() += 1);
    flatten(&given.members, "", &mut |field, text| *counts.entry((field, text)).or_default() -= 1);
    let mut parts = vec![format!("{} records wanted, {} given", truth.records(), given.records())];
    for (what, sign) in [("lacks", 1), ("too much", -1)] {
        let mut fields: BTreeMap<&str, (i64, &str)> = BTreeMap::new();
        for ((field, text), count) in counts.iter().filter(|(_, count)| **count * sign > 0) {
            fields.entry(field).or_insert((0, text)).0 += count * sign;
        }
        for (field, (count, text)) in fields.into_iter().take(6) {
            let start: String = text.chars().take(50).collect();
            parts.push(format!("{what} {count} {field} (“{start}”)"));
        }
    }
    parts.join("; ")
}

fn flatten(members: &[Told], above: &str, tell: &mut dyn FnMut(String, String)) {
    for told in members {
        let field = format!("{above}/{}", told.label);
        match &told.value {
            Content::Text(text) => tell(field, text.clone()),
            Content::Set(members) => flatten(members, &field, tell),
        }
    }
}
