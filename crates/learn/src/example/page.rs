//! A page that shows a single record: each field by the rule most likely to find it on other pages of the site.

use windrow_wrapper::{Locator, Rule};

use super::Wanted;
use crate::reading::Reading;

/// The rules of these fields, whose places are on the first page or others of the same site.
pub(crate) fn rules(pages: &[Reading<'_>], fields: &[Wanted]) -> Vec<Rule> {
    let rule = |wanted: &Wanted| {
        let (page, spots) = wanted.spots.first()?;
        let path = spots.first()?.place.path(pages.get(*page)?.document);
        Some(Rule::field(wanted.name.as_str(), Locator::xpath(path)))
    };
    fields.iter().filter_map(rule).collect()
}
