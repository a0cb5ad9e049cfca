//! Repair: yesterday's records label today's page.
//!
//! A site was redesigned, and its wrapper finds nothing, or garbage. What it found before is known; where these values
//! still stand on the new page, records and fields are, and a new wrapper of the same shape is induced from there.

mod answers;
mod assignment;
mod clues;
mod columns;
mod exceptions;
mod fields;
mod items;
mod kinds;
mod known;
mod level;
mod list;
mod look;
mod model;
mod offers;
mod page;
mod paths;
mod quantity;
mod refusal;
mod region;
mod reworded;
mod rules;
mod runs;
mod sheet;
mod single;
mod trial;
mod verify;

use std::sync::Arc;

use windrow_wrapper::{Extraction, Extractor, Kind, Learned, Page, Rule, Wrapper};

pub use self::known::{Known, KnownList, KnownRecord, KnownValue};
pub use self::refusal::{Note, Refusal};
use self::sheet::{Sheet, Wanted};

/// Lists in lists that are looked into.
const DEEPEST: usize = 6;

/// A wrapper that was repaired.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// The new wrapper, of the same shape as the old one.
    pub wrapper: Wrapper,
    /// What was done to each list at the top; the fields of the page itself are a list without a label.
    pub lists: Vec<Mended>,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// What was done to a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// Its label.
    pub label: String,
    /// How many of its records are known.
    pub known: usize,
    /// How many of them the new rules find again.
    pub found: usize,
    /// How many records they find.
    pub records: usize,
    /// Whether the rule that finds the records was kept as it is.
    pub kept: bool,
    /// Its fields.
    pub fields: Vec<MendedField>,
    /// The lists in its records.
    pub lists: Vec<Mended>,
}

/// What was done to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MendedField {
    /// Its label.
    pub label: String,
    /// In how many of the records that were found again its value is known.
    pub compared: usize,
    /// How many of these values are the same now.
    pub agreed: usize,
    /// Whether its rule was kept as it is.
    pub kept: bool,
}

/// Whether a rule at the top is a list that can be mended.
fn is_mended(rule: &Rule) -> bool {
    rule.kind == Kind::List && !rules::is_by_hand(rule)
}

/// A place that repair considered for a field of a page with one record: for `tools/fit-repair`.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Considered {
    /// The field's label.
    pub field: String,
    /// The text of the place.
    pub text: String,
    /// The number of its answer: places that say the same have one.
    pub answer: usize,
    /// The values of its traits, in the order of [`traits`].
    pub traits: Vec<f32>,
}

/// The names of the traits of a place.
#[doc(hidden)]
pub fn traits() -> Vec<String> {
    model::names()
}

/// The places that are considered for the fields of a page with one record.
#[doc(hidden)]
pub fn explain(wrapper: &Wrapper, known: &Known, page: &Arc<Page>) -> Vec<Considered> {
    let wanted = Wanted::new(known);
    let sheet = Sheet::new(page, &wanted);
    let Some(html) = sheet.document.find_html(windrow_dom::names::HTML) else { return Vec::new() };
    let mut all = Vec::new();
    for rule in wrapper.rules.iter().filter(|rule| is_mended(rule) && list::is_page(&sheet, rule)) {
        let Some(record) = known.list(rule.shown()).first() else { continue };
        let scopes = vec![crate::scope::Scope::node(sheet.document, html)];
        let level = level::Level { sheet: &sheet, cut: crate::scope::Cut::Nodes, scopes, known: vec![Some(record)] };
        let own: Vec<&Rule> =
            rule.rules.iter().filter(|rule| rule.kind == Kind::Field && !rules::is_by_hand(rule)).collect();
        for (field, places) in single::considered(&level, &own) {
            all.extend(places.into_iter().map(|(text, answer, traits)| Considered {
                field: field.clone(),
                text,
                answer,
                traits: traits.values().to_vec(),
            }));
        }
    }
    all
}

/// Repairs a wrapper with what is known of the pages before they changed.
pub fn repair(wrapper: &Wrapper, known: &Known, pages: &[Arc<Page>]) -> Result<Repair, Refusal> {
    if pages.is_empty() {
        return Err(Refusal::NoPage);
    }
    if known.is_empty() {
        return Err(Refusal::NothingKnown);
    }
    if let Err(errors) = Extractor::new(wrapper) {
        return Err(Refusal::Broken { message: errors.to_string() });
    }
    let (mut lists, mut notes) = (Vec::new(), Vec::new());
    let known = &*reworded::reword(wrapper, known, pages, &mut notes);
    let wanted = Wanted::new(known);
    let sheets: Vec<Sheet<'_>> = pages.iter().map(|page| Sheet::new(page, &wanted)).collect();
    let mut mended = wrapper.clone();
    for rule in &mut mended.rules {
        if is_mended(rule) && !known.list(rule.shown()).is_empty() {
            let (new, report) = list::mend(&sheets, rule, known.list(rule.shown()), &mut notes)?;
            *rule = new;
            lists.push(report);
        }
    }
    lists.extend(kinds::mend(&sheets, &mut mended.rules, known, &mut notes)?);
    lists.extend(page::mend(&sheets, &mut mended.rules, known.list(""), &mut notes)?);
    if lists.is_empty() {
        let rule = wrapper.rules.first().map_or_else(String::new, |rule| rule.name.to_string());
        return Err(Refusal::ByHand { list: String::new(), rule });
    }
    for shown in &known.shown {
        let restored = |list: &Mended| list.fields.iter().any(|field| field.label == shown.label && field.agreed > 0);
        if !lists.iter().any(restored) {
            return Err(Refusal::NotShown { field: shown.label.clone() });
        }
    }
    if mended.rules == wrapper.rules {
        return Err(Refusal::StillWorks);
    }
    let extractor = Extractor::new(&mended).map_err(|errors| Refusal::Broken { message: errors.to_string() })?;
    let extractions: Vec<Extraction> = pages.iter().map(|page| extractor.extract(page.clone())).collect();
    let now = Known::of(&extractions);
    for report in lists.iter().filter(|report| !report.label.is_empty()) {
        let label = report.label.as_str();
        let own = mended.rules.iter().chain(mended.rules.iter().flat_map(|rule| &rule.rules));
        // Of lists for several kinds of pages, the one that was mended has the fields that were found.
        let fields = |rule: &&Rule| rule.rules.iter().filter(|rule| rule.kind == Kind::Field).count();
        let own = own.filter(|rule| is_mended(rule) && rule.shown() == label);
        if let Some(rule) = own.min_by_key(|rule| fields(rule).abs_diff(report.fields.len())) {
            // A page was verified field by field.
            if known.list(label).len() == 1 && sheets.iter().any(|sheet| list::is_page(sheet, rule)) {
                continue;
            }
            verify::list(label, rule, known.list(label), now.list(label), pages[0].hints())?;
        }
    }
    if let Some(extraction) = extractions.iter().max_by_key(|extraction| extraction.len()) {
        paths::write(&mut mended, wrapper, extraction);
    }
    let from = pages.iter().map(|page| page.name().to_owned()).collect();
    mended.learned = Some(Learned { by: "repair".to_owned(), from, at: None });
    Ok(Repair { wrapper: mended, lists, notes })
}
