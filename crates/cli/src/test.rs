//! `windrow test`: a wrapper against saved pages, each with the data that it is expected to give.

use std::sync::atomic::{AtomicUsize, Ordering};

use windrow::expectations::{self, Verdict};
use windrow::format::printer::{Block, Printer};
use windrow::monitor::Reports;
use windrow::pages::WrapperReader;
use windrow::wrapper_file::WrapperFile;

use crate::args::TestArguments;
use crate::fmt::print;
use crate::pages;
use crate::run::{self, Ending, Job, Rendered};

/// Differences of one page that are told.
const MOST: usize = 20;

/// Runs the command.
pub(crate) fn run(arguments: &TestArguments) -> Ending {
    run::ended(test(arguments))
}

fn test(arguments: &TestArguments) -> Result<Ending, Reports> {
    let rules = WrapperFile::open(&arguments.wrapper)?;
    let reader = WrapperReader::new(arguments.pages.clone(), pages::opener(&arguments.reading)?, &rules)?;
    let shapes = rules.extractor.shape();
    let (passed, failed, updated) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let count = |counter: &AtomicUsize| counter.fetch_add(1, Ordering::Relaxed);
    let ending = run::over_sources(reader.sources(), Job::standard(&arguments.reading, Printer::plain()), |source| {
        let (page, notes) = reader.read(source)?;
        let extraction = reader.extract(source, page);
        let text = match expectations::test(source, &shapes, &extraction, arguments.update)? {
            Verdict::Passed => {
                count(&passed);
                format!("ok   {}\n", source.name())
            }
            Verdict::Failed(differences) => {
                count(&failed);
                report(&source.name(), &differences)
            }
            Verdict::Updated { verb, file } => {
                count(&updated);
                format!("{verb} {}\n", file.display())
            }
        };
        let mut rendered = Rendered::new(Block::Text(text), true);
        rendered.notes = notes;
        Ok(rendered)
    });
    let (passed, failed, updated) = (passed.into_inner(), failed.into_inner(), updated.into_inner());
    if !arguments.reading.quiet && passed + failed + updated > 0 {
        let _ = if arguments.update {
            print(&format!("{passed} unchanged, {updated} written\n"))
        } else {
            print(&format!("{passed} passed, {failed} failed\n"))
        };
    }
    Ok(match ending {
        Ending::Failed => Ending::Failed,
        _ if failed > 0 => Ending::Nothing,
        _ => Ending::Found,
    })
}

fn report(page: &str, differences: &[String]) -> String {
    let mut text = format!("FAIL {page}\n");
    for difference in differences.iter().take(MOST) {
        text += &format!("     {difference}\n");
    }
    if differences.len() > MOST {
        text += &format!("     and {} more\n", differences.len() - MOST);
    }
    text
}
