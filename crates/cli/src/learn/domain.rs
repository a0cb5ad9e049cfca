//! `windrow learn --domain`: a wrapper for a site from what a domain's words find on a few of its pages.

use std::sync::Arc;

use miette::Report;
use windrow::Page;
use windrow::learn::domain::{self, Lesson, Reading, Trial};

use super::destination::Destination;
use super::summary::Summary;
use super::{compile, one, read, shared, wrong_rules};
use crate::args::LearnArguments;
use crate::clock::now;
use crate::domain::{Words, note};
use crate::pages;
use crate::run::tell;

/// Learns, and tells what was learned.
pub(super) fn learn(arguments: &LearnArguments, name: &str) -> Result<(), Vec<Report>> {
    let destination = Destination::new(arguments).map_err(one)?;
    // What is wrong with a domain was told.
    let words = Words::open(name).ok_or_else(Vec::new)?;
    let opener = pages::opener(&arguments.reading).map_err(one)?;
    let pages = shared(read(&arguments.pages, &opener, &arguments.reading)?);
    let readings: Vec<Reading> = pages.iter().map(|page| words.reader.read(page)).collect();
    let read: Vec<(Arc<Page>, &Reading)> = pages.iter().cloned().zip(&readings).collect();
    let Lesson { mut wrapper, trials } = domain::learn(&words.reader, &read).map_err(one)?;
    let learned = wrapper.learned.get_or_insert_default();
    learned.from = arguments.pages.clone();
    learned.at = now();
    let (text, extractor) = compile(&wrapper, &destination, &arguments.pages)?;
    let summary = Summary::new(&extractor, &pages, &[]);
    if summary.is_empty() {
        return Err(wrong_rules(&arguments.pages, "they find nothing"));
    }
    destination.write(&text).map_err(one)?;
    if !arguments.reading.quiet {
        tell(&format!("{}: {}", destination.told(), summary.counts()));
        summary.lines().iter().for_each(|line| tell(line));
        let labels: Vec<&str> = wrapper.rules.iter().flat_map(|list| &list.rules).map(|rule| &*rule.name).collect();
        let trials = trials.iter().filter(|trial| trial.right < trial.read);
        trials.for_each(|trial| tell(&doubt(trial, labels.contains(&trial.name.as_str()))));
        let passed = pages.iter().zip(&readings).filter(|(_, reading)| reading.records.len() != 1);
        passed.for_each(|(page, reading)| tell(&passed_over(page.name(), reading)));
    }
    Ok(())
}

/// A role whose rule is less than sure. `has_rule`: whether it has one at all.
fn doubt(trial: &Trial, has_rule: bool) -> String {
    let Trial { name, read, right } = trial;
    match has_rule {
        true => format!("note: `{name}`: the rule gives what was read on {right} of {read} pages"),
        false => format!("note: `{name}`: no rule; the best gives what was read on {right} of {read} pages"),
    }
}

/// A page that nothing was learned from.
fn passed_over(page: &str, reading: &Reading) -> String {
    format!("note: {page}: {}; rules are learned from pages with one", note::class(reading))
}
