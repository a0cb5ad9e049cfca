//! `windrow domain check`: a domain on pages.

use std::sync::Mutex;

use windrow::domains::DomainFile;
use windrow::domains::report::DomainReport;
use windrow::domains::tally::DomainTally;
use windrow::format::printer::{Block, Printer};
use windrow::monitor::Reports;
use windrow::pages::GivenPages;

use super::finish;
use crate::args::{DomainCheckArguments, DomainFormat};
use crate::run::{self, Ending, Job, Rendered};
use crate::{pages, terminal};

/// Runs the command.
pub(super) fn run(arguments: &DomainCheckArguments) -> Ending {
    run::ended(check(arguments))
}

fn check(arguments: &DomainCheckArguments) -> Result<Ending, Reports> {
    let words = &DomainFile::open(&arguments.domain)?;
    let opener = pages::opener(&arguments.reading)?;
    let given = GivenPages::new(arguments.pages.clone(), opener, ("domain", &words.name), true)?;
    let domain = words.reader.domain();
    let tally = Mutex::new(DomainTally::new(domain));
    let ending = run::over_sources(given.sources(), Job::standard(&arguments.reading, Printer::plain()), |source| {
        let (page, notes) = given.read(source)?;
        let reading = words.reader.read(&page);
        let mut rendered = Rendered::new(Block::Text(String::new()), !reading.records.is_empty());
        rendered.notes = notes;
        let unknown = words.reader.unknown(&page);
        tally.lock().unwrap_or_else(|broken| broken.into_inner()).add(&source.name(), &reading, unknown);
        Ok(rendered)
    });
    let mut tally = tally.into_inner().unwrap_or_else(|broken| broken.into_inner());
    // A page that could not be read was told; if there is no other, there is nothing to report.
    if tally.pages == 0 {
        return Ok(ending);
    }
    // Threads count pages in any order.
    tally.empty.sort();
    let report = DomainReport { name: &words.name, domain, tally: &tally };
    let text = match arguments.format {
        DomainFormat::Table => report.text(terminal::columns()),
        DomainFormat::Json => report.json(),
    };
    Ok(match finish(&text) {
        Ending::Found => ending,
        failed => failed,
    })
}
