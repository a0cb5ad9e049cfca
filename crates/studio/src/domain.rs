//! Learning from a domain: reads pages by the domain's words, and derives rules.

use std::sync::Arc;
use std::time::Instant;

use windrow::learn::domain::{self, Lesson, Reading};
use windrow::{Domain, DomainReader, Page};

use crate::api::{DomainInfo, DomainRequest, Form, Learned, RuleText, RunResult};
use crate::failure::Refused;
use crate::rules::Rules;
use crate::run;
use crate::state::State;

/// Largest number of pages in one request.
const MOST_PAGES: usize = 32;

/// Returns the built-in domains.
pub(crate) fn shipped() -> Vec<DomainInfo> {
    let domains = domain::file::shipped().iter().filter_map(|(name, _)| Domain::shipped(name));
    domains.map(|domain| DomainInfo { name: domain.name, about: domain.description }).collect()
}

/// Reads a page by a domain's words and learns rules. If no rules can be learned, returns the values that were read.
pub(crate) fn learn(state: &State, request: &DomainRequest) -> Result<Learned, Refused> {
    let began = Instant::now();
    let Some(domain) = Domain::shipped(&request.domain) else {
        let known: Vec<&str> = domain::file::shipped().iter().map(|(name, _)| *name).collect();
        let refused = Refused::unfit("domain::unknown", format!("unknown domain `{}`", request.domain));
        return Err(refused.with_help(format!("the domains are {}", known.join(", "))));
    };
    if request.pages.len() >= MOST_PAGES {
        return Err(Refused::unfit("studio::pages", format!("give {MOST_PAGES} pages at most")));
    }
    let reader = DomainReader::new(domain).map_err(|errors| Refused::of(&errors, ""))?;
    let mut ids = vec![request.page];
    ids.extend(request.pages.iter().copied().filter(|id| *id != request.page));
    let pages = ids.iter().map(|&id| Ok(state.page(id)?.page.clone())).collect::<Result<Vec<Arc<Page>>, Refused>>()?;
    let readings: Vec<Reading> = pages.iter().map(|page| reader.read(page)).collect();
    let read: Vec<(Arc<Page>, &Reading)> = pages.iter().cloned().zip(&readings).collect();
    let micros = || u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    let why = match domain::learn(&reader, &read) {
        Ok(lesson) => {
            let learned = taught(state, &lesson, &ids)?;
            let result = run::run(&learned, &pages[0]);
            if !is_empty(&result) {
                let notes = windrow::learning::doubts(&learned.wrapper, &lesson.trials);
                return Ok(Learned { rules: learned.sent(), result, notes, micros: micros() });
            }
            "the rules that were learned find nothing on this page".to_owned()
        }
        Err(error) if readings[0].records.is_empty() => return Err(Refused::of(&error, "")),
        Err(error) => error.to_string(),
    };
    let extraction = reader.extraction(pages[0].clone(), &readings[0]);
    let result = run::shaped(&reader.shape(), &pages[0], &extraction, began);
    if is_empty(&result) {
        return Err(Refused::unfit(
            "domain::nothing",
            format!("the page has nothing that belongs to the domain `{}`", request.domain),
        ));
    }
    let notes = vec![
        format!("{why}; the table shows the values that were read by the domain's words"),
        "add detail pages of the same site to learn rules".to_owned(),
    ];
    Ok(Learned { rules: RuleText { text: String::new(), form: Form::Toml }, result, notes, micros: micros() })
}

fn taught(state: &State, lesson: &Lesson, ids: &[u64]) -> Result<Rules, Refused> {
    let mut wrapper = lesson.wrapper.clone();
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = ids.iter().map(|&id| Ok(state.page(id)?.info.name.clone())).collect::<Result<_, Refused>>()?;
    learned.at = (state.config.now)();
    Rules::written(&wrapper)
}

fn is_empty(result: &RunResult) -> bool {
    result.tables.iter().all(|table| table.total == 0)
}
