//! Alternative locators for a rule.

use windrow::learn::alternatives::alternatives;
use windrow::wrapper::files::write_locator;

use crate::api::{Alternative, Alternatives, AlternativesRequest};
use crate::failure::Refused;
use crate::place;
use crate::rules::Rules;
use crate::state::State;

/// Returns the alternative locators for what a rule finds on a page.
pub(crate) fn find(state: &State, request: AlternativesRequest) -> Result<Alternatives, Refused> {
    let open = state.page(request.page)?;
    let rules = Rules::read(request.rules)?;
    let ways =
        alternatives(&open.page, &rules.wrapper, &request.rule).map_err(|errors| Refused::of(&errors, &rules.text))?;
    let document = open.page.document();
    let told = ways.into_iter().map(|way| Alternative {
        expression: write_locator(&way.locator),
        current: way.current,
        found: way.found,
        same: way.same,
        robustness: way.robustness,
        why: way.why,
        spots: way.places.into_iter().filter_map(|node| place::spot(document, node)).collect(),
    });
    Ok(Alternatives { alternatives: told.collect() })
}
