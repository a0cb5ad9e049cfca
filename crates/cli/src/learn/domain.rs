//! `windrow learn --domain`: a wrapper for a site from what a domain's words find on a few of its pages.

use windrow::domains::{DomainFile, notes};
use windrow::learn::domain::Reading;
use windrow::learning::{self, DomainLesson};
use windrow::monitor::Reports;

use super::destination::WrapperDestination;
use crate::args::LearnArguments;
use crate::output::Console;
use crate::pages;
use crate::run::tell;

/// Learns, and tells what was learned.
pub(super) fn learn(arguments: &LearnArguments, name: &str) -> Result<(), Reports> {
    let destination = WrapperDestination::new(arguments)?;
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
        let doubts = learning::doubts(&lesson.wrapper, &trials);
        doubts.iter().for_each(|doubt| tell(&format!("note: {doubt}")));
        let passed = pages.iter().zip(&readings).filter(|(_, reading)| reading.records.len() != 1);
        passed.for_each(|(page, reading)| tell(&passed_over(page.name(), reading)));
    }
    Ok(())
}

/// Describes a page that nothing was learned from.
fn passed_over(page: &str, reading: &Reading) -> String {
    format!("note: {page}: {}; rules are learned from pages with one", notes::class(reading))
}
