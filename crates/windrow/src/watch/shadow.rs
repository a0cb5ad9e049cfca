//! A mended wrapper that runs beside the old one until it is trusted.
//!
//! A repair of one day may be a coincidence of that day. So the mended wrapper is not put in place at once: it
//! waits beside the old one, as `offers.mended.toml`, and runs in each round on the same pages. What it finds is kept in a
//! store of its own, `offers.mended.db`, and checked there like any wrapper's runs. If it has run on so many changed pages
//! without a problem it replaces the old one; if it runs into one it is dropped. The two files are the whole state, so a
//! watch can be ended and started again at any time.
//!
//! It runs on the pages that were fetched for the old wrapper; nothing is fetched twice.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Page;
use crate::keep::Keeper;
use crate::store::{Answer, Cell, Question, Store};
use miette::Report;

use crate::clock::stamp as now;
use crate::monitor::Reports;
use crate::stores;
use crate::wrapper_file::WrapperFile;
use crate::{check, repair};

/// A mended wrapper that is not in use yet.
#[derive(Debug)]
pub(super) struct Shadow {
    wrapper: PathBuf,
    records: PathBuf,
}

/// State of a mended wrapper after a round.
#[derive(Debug)]
pub(super) enum Trial {
    /// It has run this often, each time without a problem.
    Agrees(u64),
    /// It has a problem: the report.
    Fails(String),
}

impl Shadow {
    /// The one beside this wrapper.
    pub(super) fn beside(wrapper: &str) -> Shadow {
        let wrapper = Path::new(wrapper);
        let ending = wrapper.extension().map_or(String::new(), |ending| format!(".{}", ending.display()));
        let stem = wrapper.file_stem().unwrap_or_default().display().to_string();
        Shadow {
            wrapper: wrapper.with_file_name(format!("{stem}.mended{ending}")),
            records: wrapper.with_file_name(format!("{stem}.mended.db")),
        }
    }

    pub(super) fn file(&self) -> String {
        self.wrapper.display().to_string()
    }

    /// Its rules, if there is one.
    pub(super) fn rules(&self) -> Result<Option<WrapperFile>, Reports> {
        self.wrapper.is_file().then(|| WrapperFile::open(&self.file())).transpose()
    }

    /// Writes a mended wrapper that has not run yet.
    pub(super) fn begin(&self, text: &str) -> Result<(), Report> {
        self.discard();
        repair::write(&self.file(), text)
    }

    /// Removes it and its records.
    pub(super) fn discard(&self) {
        let records = self.records.display();
        for file in [self.file(), format!("{records}"), format!("{records}-wal"), format!("{records}-shm")] {
            // It may not be there.
            let _ = std::fs::remove_file(file);
        }
    }

    /// Runs it on these pages. Pages that are as they were when it last ran do not count.
    pub(super) fn run(&self, name: &str, rules: &WrapperFile, pages: &[Arc<Page>]) -> Result<Trial, Report> {
        let address = self.records.display().to_string();
        let mut store = stores::open(&address)?;
        let keeper = Keeper::new(&rules.extractor.shape());
        let (before, runs) = seen(&mut store)?;
        let extractions = pages.iter().map(|page| (page, rules.extractor.extract(Arc::clone(page))));
        let found: Vec<_> = extractions
            .map(|(page, extraction)| keeper.page(page.name(), page.document().source().as_bytes(), &extraction))
            .collect();
        let is_new = found.iter().any(|page| !before.contains(&page.hash));
        if is_new {
            let format = rules.file.format.to_string();
            let version = store.version(name, &rules.file.text, &format, "repaired", &now()).map_err(stores::report)?;
            let mut run = store.begin(version.id, &now()).map_err(stores::report)?;
            for page in &found {
                store.keep(&mut run, page, false).map_err(stores::report)?;
            }
            store.finish(run, &now()).map_err(stores::report)?;
        }
        let report = store.check(name).map_err(stores::report)?;
        Ok(if report.findings.is_empty() {
            Trial::Agrees(runs + u64::from(is_new))
        } else {
            Trial::Fails(check::report(&report, None, &address))
        })
    }
}

/// Returns the hashes of the pages that were seen, and the number of runs.
fn seen(store: &mut Store) -> Result<(Vec<String>, u64), Report> {
    #[derive(Default)]
    struct Cells(Vec<Cell>);
    impl Answer for Cells {
        fn columns(&mut self, _: &[String]) {}
        fn row(&mut self, cells: Vec<Cell>) -> bool {
            self.0.extend(cells);
            true
        }
    }
    let (mut hashes, mut runs) = (Cells::default(), Cells::default());
    let question = |sql| Question { sql, ..Question::default() };
    store.query(&question("select hash from _pages"), &mut hashes).map_err(stores::report)?;
    store.query(&question("select count(*) from _runs"), &mut runs).map_err(stores::report)?;
    let runs = runs.0.first().map_or(0, |cell| if let Cell::Int(runs) = cell { *runs } else { 0 });
    let hash = |cell| if let Cell::Text(hash) = cell { Some(hash) } else { None };
    Ok((hashes.0.into_iter().filter_map(hash).collect(), runs as u64))
}
