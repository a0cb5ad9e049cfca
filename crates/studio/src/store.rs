//! Inspecting a store: its wrappers, their pages, and which of them are broken.

use windrow::Format;
use windrow::store::{self, Store};

use crate::api::{RuleText, StoreRequest, Stored, StoredPage, StoredWrapper};
use crate::export::refused;
use crate::failure::Refused;
use crate::rules::form;

/// Largest number of wrappers listed.
const WRAPPERS: usize = 200;
/// Largest number of pages listed for each.
const PAGES: usize = 200;

/// Describes the contents of a store.
pub(crate) fn look(request: &StoreRequest) -> Result<Stored, Refused> {
    let fail = |error: store::Error| refused(&error);
    let mut store = Store::open_read_only(&request.store).map_err(fail)?;
    let mut wrappers = Vec::new();
    for name in store.wrappers().map_err(fail)?.into_iter().take(WRAPPERS) {
        let Some(last) = store.versions(&name).map_err(fail)?.pop() else { continue };
        let pages = store.pages(&name, PAGES).map_err(fail)?;
        let report = store.check(&name).map_err(fail)?;
        let broken = report
            .findings
            .iter()
            .map(|finding| format!("{finding}; since {}, on {} of {} pages", finding.since, finding.on, finding.of));
        wrappers.push(StoredWrapper {
            broken: broken.collect(),
            rules: RuleText { form: form(Format::from_name(&last.format).unwrap_or(Format::Toml)), text: last.text },
            since: last.made,
            pages: pages.into_iter().map(|page| StoredPage { name: page.name, seen: page.seen }).collect(),
            name,
        });
    }
    Ok(Stored { wrappers })
}
