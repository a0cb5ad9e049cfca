//! `windrow repair`: mends a wrapper from what is known of its pages, and shows the change as a patch.

use std::sync::Arc;

use miette::{Diagnostic, Report};
use windrow::learn::repair::{Known, Refusal};
use windrow::monitor::Reports;
use windrow::pages::GivenPages;
use windrow::repair;
use windrow::wrapper_file::WrapperFile;
use windrow::{Page, stores};

use crate::args::RepairArguments;
use crate::fmt::print;
use crate::pages;
use crate::run::{Ending, ended, tell, unwritten};

/// A wrapper that cannot be written back.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("the wrapper came from standard input, so there is no file to write it to")]
#[diagnostic(code(repair::no_file), help("name one with -o"))]
struct NoFile;

/// Runs the command.
pub(crate) fn run(arguments: &RepairArguments) -> Ending {
    ended(mend(arguments))
}

fn mend(arguments: &RepairArguments) -> Result<Ending, Reports> {
    let rules = &WrapperFile::open(&arguments.wrapper)?;
    if arguments.write && rules.file.name == "-" {
        return Err(NoFile.into());
    }
    let name = rules.store_name();
    let pages = read(arguments, arguments.pages.clone(), rules, arguments.url.clone())?;
    let mut opened = None;
    let mut known = match &arguments.store {
        Some(address) => {
            let store = opened.insert(if arguments.write {
                stores::open_existing(address)?
            } else {
                stores::open_read_only(address)?
            });
            windrow::known(store, &name, &pages).map_err(stores::report)?
        }
        None => {
            // The pages were at the same address before.
            let url = arguments.url.clone().filter(|_| arguments.before.len() == 1);
            let before = read(arguments, arguments.before.clone(), rules, url)?;
            Known::of(&before.into_iter().map(|page| rules.extractor.extract(page)).collect::<Vec<_>>())
        }
    };
    repair::add_examples(&mut known, &arguments.examples)?;
    let mended = match repair::attempt_file(rules, &known, &pages)? {
        Ok(mended) => mended,
        Err(Refusal::StillWorks) => {
            tell(&format!("{}: the wrapper still gives what is known: there is nothing to mend", rules.file.name));
            return Ok(Ending::Found);
        }
        Err(refusal) => {
            tell(&format!("{}: not mended: {refusal}", rules.file.name));
            tell(&format!("hint: {}", refusal.hint()));
            return Ok(Ending::Nothing);
        }
    };
    print(&mended.patch).map_err(|cause| unwritten(&cause, None))?;
    if !arguments.reading.quiet {
        repair::lines::lines(&mended.repair).iter().for_each(|line| tell(line));
    }
    let file = if arguments.write { Some(rules.file.name.as_str()) } else { arguments.output.as_deref() };
    if let Some(file) = file {
        repair::write(file, &mended.text)?;
    }
    if let Some(store) = opened.as_mut().filter(|_| arguments.write) {
        repair::note(store, &name, rules, &mended.text)?;
    }
    if !arguments.reading.quiet {
        tell(&match file {
            Some(file) => format!("wrote {file}"),
            None => "nothing was written: --write changes the file, -o FILE makes another".to_owned(),
        });
    }
    Ok(Ending::Found)
}

/// Reads pages with their trees.
fn read(
    arguments: &RepairArguments,
    names: Vec<String>,
    rules: &WrapperFile,
    url: Option<url::Url>,
) -> Result<Vec<Arc<Page>>, Report> {
    let opener = pages::opener(&arguments.reading)?;
    let given = GivenPages::new(names, opener, ("wrapper", &rules.file.name), true)?.at_address(url)?;
    let (pages, notes) = repair::read(&given)?;
    notes.iter().filter(|_| !arguments.reading.quiet).for_each(|note| tell(note));
    Ok(pages)
}
