//! `windrow learn --domain`: a wrapper for a site from what a domain's words find on a few of its pages.

use windrow::domains::{DomainFile, notes};
use windrow::learn::domain::{Reading, Trial};
use windrow::learning::{self, DomainLesson};
use windrow::monitor::Reports;

use super::destination::Destination;
use crate::args::LearnArguments;
use crate::output::Console;
use crate::pages;
use crate::run::tell;

/// Learns, and tells what was learned.
pub(super) fn learn(arguments: &LearnArguments, name: &str) -> Result<(), Reports> {
    let destination = Destination::new(arguments)?;
    let words = DomainFile::open(name)?;
    let opener = pages::opener(&arguments.reading)?;
    let console = Console::new(arguments.reading.quiet);
    let pages = learning::shared(learning::read(&arguments.pages, &opener, arguments.reading.threads(), &console)?);
    let learned = learning::by_domain(&words, &pages, &arguments.pages, destination.format())?;
    let DomainLesson { lesson, trials, readings } = learned;
    destination.write(&lesson.text)?;
    if !arguments.reading.quiet {
        tell(&format!("{}: {}", destination.told(), lesson.summary.counts()));
        lesson.summary.lines().iter().for_each(|line| tell(line));
        let lists = &lesson.wrapper.rules;
        let labels: Vec<&str> = lists.iter().flat_map(|list| &list.rules).map(|rule| &*rule.name).collect();
        let trials = trials.iter().filter(|trial| trial.right < trial.read);
        trials.for_each(|trial| tell(&doubt(trial, labels.contains(&trial.name.as_str()))));
        let passed = pages.iter().zip(&readings).filter(|(_, reading)| reading.records.len() != 1);
        passed.for_each(|(page, reading)| tell(&passed_over(page.name(), reading)));
    }
    Ok(())
}

/// Describes a role whose rule is less than sure. `has_rule` says that it has one at all.
fn doubt(trial: &Trial, has_rule: bool) -> String {
    let Trial { name, read, right } = trial;
    if has_rule {
        format!("note: `{name}`: the rule gives what was read on {right} of {read} pages")
    } else {
        format!("note: `{name}`: no rule; the best gives what was read on {right} of {read} pages")
    }
}

/// Describes a page that nothing was learned from.
fn passed_over(page: &str, reading: &Reading) -> String {
    format!("note: {page}: {}; rules are learned from pages with one", notes::class(reading))
}
