//! Discovery of lists without examples.

use std::time::Instant;

use crate::api::{DiscoverRequest, Discovered, Evidence, FoundList};
use crate::failure::Refused;
use crate::rules::Rules;
use crate::run;
use crate::state::State;

/// Largest number of lists in an answer.
const MOST: usize = 32;

/// Finds the lists of a page.
pub(crate) fn discover(state: &State, request: &DiscoverRequest) -> Result<Discovered, Refused> {
    let began = Instant::now();
    let open = state.page(request.page)?;
    let discovery = windrow::explain(&*open.page, request.most.clamp(1, MOST));
    let mut lists = Vec::new();
    for (number, mut wrapper) in discovery.lists.into_iter().enumerate() {
        let learned = wrapper.learned.get_or_insert_default();
        learned.from = vec![open.info.name.clone()];
        learned.at = (state.config.now)();
        let rules = Rules::written(&wrapper)?;
        let cut = discovery.considered.iter().find(|cut| cut.list == Some(number));
        let mut evidence: Vec<Evidence> = cut
            .into_iter()
            .flat_map(|cut| &cut.evidence)
            .map(|seen| Evidence { name: seen.name.to_owned(), value: seen.value, worth: seen.value * seen.weight })
            .collect();
        evidence.retain(|seen| seen.worth != 0.0);
        evidence.sort_by(|one, other| other.worth.abs().total_cmp(&one.worth.abs()));
        lists.push(FoundList {
            place: cut.map(|cut| cut.place.clone()).unwrap_or_default(),
            score: cut.map_or(0.0, |cut| cut.score),
            evidence,
            dropped: cut.map_or(0, |cut| cut.dropped),
            result: run::run(&rules, &open.page),
            rules: rules.sent(),
        });
    }
    Ok(Discovered { lists, micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX) })
}
