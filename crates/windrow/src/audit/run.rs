//! Audits of the records of a store, or of pages that a wrapper or a domain's words read.
//!
//! A store is read by one thread, some records at a time, while others audit. Pages are read, extracted from and audited by
//! the thread that took them. A domain reads each page for itself, so a page's findings do not depend on the others.

use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};

use miette::{Diagnostic, Report};

use super::keeping::{FindingsRun, record_key, verdict};
use super::print::{self, Findings, Style};
use super::references::ReferenceTable;
use super::rule_file::RuleFile;
use super::rules::{Columns, Known};
use super::tally::{AuditTally, Judged};
use super::{Auditor, Options, Record};
use crate::Extraction;
use crate::domains::{DomainFile, notes};
use crate::keep::Keeper;
use crate::learn::domain::Class;
use crate::monitor::{Ending, Monitor, Reports};
use crate::open::{Opener, Source, Sources};
use crate::pages::{GivenPages, WrapperReader};
use crate::store::audits::{PageKind, Scope};
use crate::store::{Layout, Placed, Store};
use crate::stores::{self, short_name};
use crate::wrapper::Shape;
use crate::wrapper_file::WrapperFile;
use crate::{parallel, problems, run};

/// Records of a store that a thread takes at a time.
const CHUNK: usize = 64;

/// An error in the choice of the list to audit.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum InputError {
    /// There are several lists, and none is named.
    #[error("there are several lists of records")]
    #[diagnostic(code(audit::which_list), help("say which with --list: {lists}"))]
    WhichList {
        /// Names of the lists.
        lists: String,
    },
    /// No list has this name.
    #[error("there is no list `{name}`")]
    #[diagnostic(code(audit::no_such_list), help("there is {lists}"))]
    NoSuchList {
        /// The name.
        name: String,
        /// Names of the lists.
        lists: String,
    },
    /// There are no records.
    #[error("there is no list of records")]
    #[diagnostic(code(audit::no_list))]
    NoList,
}

/// The place that records come from.
pub enum AuditSource<'a> {
    /// Nowhere: the rules are only checked.
    Nothing,
    /// A store.
    Store {
        /// Its address.
        address: &'a str,
        /// Name of the list.
        list: Option<&'a str>,
    },
    /// Pages, by a wrapper.
    Wrapper {
        /// The wrapper's file.
        file: &'a str,
        /// Arguments that mean pages.
        pages: Vec<String>,
        /// Name of the list.
        list: Option<&'a str>,
    },
    /// Pages, by a domain's words.
    Domain {
        /// The domain's file, or the name of a built-in one.
        file: &'a str,
        /// Arguments that mean pages.
        pages: Vec<String>,
        /// Name of the list.
        list: Option<&'a str>,
    },
}

/// Records to audit.
pub struct AuditInput(Input);

enum Input {
    Nothing,
    Kept { address: String, store: Box<Store>, list: Layout },
    Wrapper { rules: Box<WrapperFile>, pages: Vec<String>, list: Layout, open: bool },
    Domain { words: Box<DomainFile>, pages: Vec<String>, list: Layout },
}

impl AuditInput {
    /// Opens the place that records come from.
    ///
    /// # Errors
    ///
    /// The store, the wrapper or the domain cannot be read, or it is not clear which list is meant.
    pub fn open(source: AuditSource<'_>) -> Result<AuditInput, Reports> {
        Ok(AuditInput(match source {
            AuditSource::Nothing => Input::Nothing,
            AuditSource::Store { address, list } => {
                let store = stores::open_read_only(address)?;
                let list = chosen(&store.layouts(), list)?;
                Input::Kept { address: address.to_owned(), store: Box::new(store), list }
            }
            AuditSource::Wrapper { file, pages, list } => {
                let rules = WrapperFile::open(file)?;
                let shapes = rules.extractor.shape();
                let list = chosen(Keeper::new(&shapes).layouts(), list)?;
                let open = shapes.iter().any(is_open);
                Input::Wrapper { rules: Box::new(rules), pages, list, open }
            }
            AuditSource::Domain { file, pages, list } => {
                let words = DomainFile::open(file)?;
                let list = chosen(Keeper::new(&words.reader.shape()).layouts(), list)?;
                Input::Domain { words: Box::new(words), pages, list }
            }
        }))
    }

    /// Returns the fields that rules may name, if they are known beforehand.
    pub fn fields(&self) -> Option<Vec<String>> {
        match &self.0 {
            Input::Nothing | Input::Wrapper { open: true, .. } => None,
            Input::Kept { list, .. } | Input::Wrapper { list, .. } | Input::Domain { list, .. } => {
                Some(super::fields(list))
            }
        }
    }

    /// Returns where the findings are to be kept: the store, the list, and how its records come. `into` is the store for
    /// findings; `same` says to keep them in the store of the records.
    pub fn kept_in<'a>(&'a self, into: Option<&'a str>, same: bool) -> Option<(&'a str, &'a str, Scope)> {
        match &self.0 {
            Input::Nothing => None,
            Input::Kept { address, list, .. } => Some((if same { address } else { into? }, &list.label, Scope::List)),
            Input::Wrapper { list, .. } | Input::Domain { list, .. } => Some((into?, &list.label, Scope::Pages)),
        }
    }

    /// Audits all records. The opener reads pages; `write` takes the findings as text, and breaks if nobody reads them.
    ///
    /// # Errors
    ///
    /// The store of the records or of the findings failed.
    pub fn run(
        self,
        judge: &Judge<'_>,
        mut audit: AuditRun<'_>,
        opener: Opener,
        threads: usize,
    ) -> Result<AuditResult, Report> {
        match self.0 {
            Input::Nothing => {}
            Input::Kept { mut store, list, .. } => audit.kept(&mut store, &list, judge, threads)?,
            Input::Wrapper { rules, pages, list, .. } => {
                let reader = WrapperReader::new(pages, opener, &rules)?;
                let work = |source: &Source| {
                    let (page, mut notes) = reader.read(source)?;
                    let extraction = reader.extract(source, page);
                    let told = problems::tell(&source.name(), &extraction, Some(&rules), false);
                    notes.extend(told.warnings);
                    let judged = judged(judge, &list, &extraction);
                    let kind = if judged.is_empty() { PageKind::Neither } else { PageKind::Rich };
                    Ok(AuditedPage { page: source.name(), kind, judged, notes, errors: told.errors })
                };
                audit.over_pages(reader.sources(), threads, work)?;
            }
            Input::Domain { words, pages, list } => {
                let given = GivenPages::new(pages, opener, ("domain", &words.name), true)?;
                let work = |source: &Source| {
                    let (page, mut notes) = given.read(source)?;
                    let page = Arc::new(page);
                    let read = words.reader.read(&page);
                    let extraction = words.reader.extraction(page, &read);
                    let (name, domain) = (source.name(), words.reader.domain());
                    notes.extend(notes::conflicts(domain, &read).map(|line| format!("note: {name}: {line}")));
                    let kind = match read.class {
                        Class::DataRich => PageKind::Rich,
                        Class::LinkOffer => PageKind::Offer,
                        Class::Neither => PageKind::Neither,
                    };
                    let judged = judged(judge, &list, &extraction);
                    Ok(AuditedPage { page: name, kind, judged, notes, errors: Vec::new() })
                };
                audit.over_pages(given.sources(), threads, work)?;
            }
        }
        Ok(audit.end())
    }
}

/// Returns the list of this name, which may be its short one; without a name, the only one.
fn chosen(layouts: &[Layout], name: Option<&str>) -> Result<Layout, InputError> {
    let lists = || layouts.iter().map(|layout| layout.label.as_str()).collect::<Vec<_>>().join(", ");
    let found = match (name, layouts) {
        (_, []) => return Err(InputError::NoList),
        (None, [only]) => Some(only),
        (None, _) => return Err(InputError::WhichList { lists: lists() }),
        (Some(name), _) => {
            let whole = layouts.iter().find(|layout| layout.label == name);
            whole.or_else(|| layouts.iter().find(|layout| short_name(&layout.label, layouts) == name))
        }
    };
    let name = name.unwrap_or_default();
    found.cloned().ok_or_else(|| InputError::NoSuchList { name: name.to_owned(), lists: lists() })
}

/// Returns `true` if pages have columns of their own.
fn is_open(shape: &Shape) -> bool {
    shape.columns || shape.children.iter().any(is_open)
}

fn judged(judge: &Judge<'_>, list: &Layout, extraction: &Extraction) -> Vec<Judged> {
    super::extracted(list, extraction).iter().map(|record| judge.judge(record, None)).collect()
}

/// The records of one page, audited.
struct AuditedPage {
    page: String,
    kind: PageKind,
    judged: Vec<Judged>,
    notes: Vec<String>,
    /// Reasons why the page is incomplete.
    errors: Vec<String>,
}

/// Prepares rules and tables, checked against the fields that records may have. Without a day in the options, `today` is
/// today.
///
/// # Errors
///
/// The rules do not fit the tables or the fields.
pub fn prepare<'a>(
    rules: &'a RuleFile,
    tables: &'a [ReferenceTable],
    fields: Option<&[String]>,
    mut options: Options,
) -> Result<Auditor<'a>, Reports> {
    let columns: Vec<Columns<'_>> = tables.iter().map(ReferenceTable::columns).collect();
    options.today = options.today.or_else(|| Some(crate::clock::now()?.get(..10)?.to_owned()));
    let named: Vec<_> = tables.iter().map(|table| (table.name.as_str(), &table.reference)).collect();
    let checked = rules.rules.check(Known { fields, references: &columns });
    checked.and_then(|()| Auditor::new(&rules.rules, &named, options)).map_err(|errors| rules.reports(errors))
}

/// Describes rules that are right: their conclusions, the tables, the fields.
pub fn describe(rules: &RuleFile, tables: &[ReferenceTable], fields: Option<&[String]>) -> String {
    let count = crate::text::plural;
    let mut conclusions = rules.rules.conclusions();
    // Steps on the way are no findings.
    conclusions.retain(|name| !name.starts_with('_'));
    let (number, ends) = (count(rules.rules.rules.len(), "rule"), count(conclusions.len(), "conclusion"));
    let mut text = format!("{}: {number}, {ends}: {}\n", rules.name, conclusions.join(", "));
    for ReferenceTable { name, reference, .. } in tables {
        let (rows, columns) = (count(reference.rows(), "row"), count(reference.columns().len(), "column"));
        text += &format!("{name}: {}, {rows}, {columns}\n", reference.name());
    }
    if let Some(fields) = fields {
        text += &format!("E: {}\n", count(fields.len(), "field"));
    }
    text
}

/// The rules at work: shared by threads.
pub struct Judge<'a> {
    /// The auditor.
    pub auditor: &'a Auditor<'a>,
    /// The form in which findings are written.
    pub style: Style,
    /// Prepares findings for a store, too.
    pub keeps: bool,
}

impl Judge<'_> {
    /// Audits a record. `number` is the record's in its store, if it has one.
    fn judge(&self, record: &Record, number: Option<i64>) -> Judged {
        let audited = self.auditor.audit(record);
        let verdicts = if self.keeps && !audited.findings.is_empty() {
            let key = number.map_or_else(|| record_key(record), |number| number.to_string());
            audited.findings.iter().map(|finding| verdict(finding, &key)).collect()
        } else {
            Vec::new()
        };
        Judged {
            page: record.page.clone(),
            verdicts,
            findings: audited.findings.iter().map(|one| (print::conclusion(one), self.style.render(one))).collect(),
            weakened: audited.weakened.into_iter().map(|rule| rule.name).collect(),
            failure: audited.failure.map(|why| format!("{} {}: {why}", record.page, record.path)),
        }
    }
}

/// The consumer of the results, in the records' order.
pub struct AuditRun<'a> {
    findings: Findings,
    tally: AuditTally,
    keeping: Option<FindingsRun>,
    write: &'a mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    monitor: &'a dyn Monitor,
    failed: bool,
    /// Nobody reads the findings any more, or they cannot be written.
    cut: bool,
}

/// The result of an audit. What is kept is not complete before [`AuditResult::finish`].
pub struct AuditResult {
    tally: AuditTally,
    keeping: Option<FindingsRun>,
    /// A page failed, or is incomplete.
    pub failed: bool,
    cut: bool,
}

impl<'a> AuditRun<'a> {
    /// Begins an audit by these rules. `write` takes the findings as text, and breaks if nobody reads them.
    pub fn new(
        rules: &RuleFile,
        style: Style,
        keeping: Option<FindingsRun>,
        write: &'a mut dyn FnMut(&[u8]) -> ControlFlow<()>,
        monitor: &'a dyn Monitor,
    ) -> AuditRun<'a> {
        let (findings, tally) = (Findings::new(style), AuditTally::new(&rules.rules.conclusions()));
        AuditRun { findings, tally, keeping, write, monitor, failed: false, cut: false }
    }

    fn take(&mut self, judged: Vec<Judged>) -> ControlFlow<()> {
        for one in judged {
            self.tally.add(&one).iter().for_each(|note| self.monitor.note(note));
            for (_, text) in one.findings {
                let bytes = self.findings.add(text);
                self.write(&bytes)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let flow = if bytes.is_empty() { ControlFlow::Continue(()) } else { (self.write)(bytes) };
        self.cut |= flow.is_break();
        flow
    }

    /// Keeps the findings of a page.
    fn keep(&mut self, page: &str, kind: PageKind, judged: &[Judged]) -> Result<(), Report> {
        let Some(keeping) = &mut self.keeping else { return Ok(()) };
        let verdicts: Vec<_> = judged.iter().flat_map(|one| one.verdicts.iter().cloned()).collect();
        keeping.page(page, kind, judged.len(), &verdicts)
    }

    /// Keeps the findings of records that may belong to several pages.
    fn keep_kept(&mut self, judged: &[Judged]) -> Result<(), Report> {
        judged.chunk_by(|one, next| one.page == next.page).try_for_each(|some| {
            let page = some.first().map_or("", |one| one.page.as_str());
            self.keep(page, PageKind::Rich, some)
        })
    }

    /// Notes that a page is not known whole.
    fn unread(&mut self) -> Result<(), Report> {
        self.keeping.as_mut().map_or(Ok(()), FindingsRun::unread)
    }

    fn over_pages(
        &mut self,
        sources: Sources<'_>,
        threads: usize,
        work: impl Fn(&Source) -> Result<AuditedPage, Report> + Sync,
    ) -> Result<(), Report> {
        let monitor = self.monitor;
        let flow = run::over(
            sources,
            threads,
            monitor,
            |_, source| work(source?),
            |result: Result<AuditedPage, Report>| match result {
                Ok(AuditedPage { page, kind, judged, notes, errors }) => {
                    self.failed |= !errors.is_empty();
                    // Records that were not reached are not gone.
                    let kept = if errors.is_empty() { self.keep(&page, kind, &judged) } else { self.unread() };
                    errors.iter().for_each(|line| monitor.alarm(line));
                    notes.iter().for_each(|line| monitor.note(line));
                    stop_on(kept)?;
                    self.take(judged).map_break(|()| None)
                }
                Err(report) => {
                    self.failed = true;
                    monitor.error(&report);
                    stop_on(self.unread())
                }
            },
        );
        finished(flow)
    }

    fn kept(&mut self, store: &mut Store, list: &Layout, judge: &Judge<'_>, threads: usize) -> Result<(), Report> {
        // How far the reader may be ahead of the auditors.
        let (sender, receiver) = mpsc::sync_channel::<Vec<Placed>>(threads);
        let (flow, read) = std::thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut chunk = Vec::with_capacity(CHUNK);
                store.placed(&list.label, |placed| {
                    chunk.push(placed);
                    // Nobody takes it if what was printed is no longer read.
                    chunk.len() < CHUNK || sender.send(std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK))).is_ok()
                })?;
                let _ = sender.send(chunk);
                Ok(())
            });
            let work = |chunk: Vec<Placed>| -> Vec<Judged> {
                chunk.iter().map(|placed| judge.judge(&super::kept(list, placed), Some(placed.id))).collect()
            };
            let flow = parallel::map(receiver, threads, work, |judged| {
                stop_on(self.keep_kept(&judged))?;
                self.take(judged).map_break(|()| None)
            });
            (flow, reader.join())
        });
        match read {
            Ok(read) => read.map_err(stores::report)?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
        finished(flow)
    }

    /// Writes what stands behind the last finding.
    fn end(mut self) -> AuditResult {
        if !self.cut {
            let end = self.findings.end();
            // A break is noted, and the result says so.
            let _ = self.write(&end);
        }
        AuditResult { tally: self.tally, keeping: self.keeping, failed: self.failed, cut: self.cut }
    }
}

/// Ends the work if a store takes no more findings.
fn stop_on(kept: Result<(), Report>) -> ControlFlow<Option<Report>> {
    kept.map_or_else(|report| ControlFlow::Break(Some(report)), ControlFlow::Continue)
}

fn finished(flow: ControlFlow<Option<Report>>) -> Result<(), Report> {
    match flow {
        ControlFlow::Break(Some(report)) => Err(report),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(()),
    }
}

impl AuditResult {
    /// Returns the number of findings.
    pub fn findings(&self) -> u64 {
        self.tally.findings()
    }

    /// Returns the summary, a line each.
    pub fn summary(&self) -> Vec<String> {
        self.tally.summary()
    }

    /// Returns the kind of result.
    pub fn ending(&self) -> Ending {
        match (self.failed, self.findings()) {
            (true, _) => Ending::Failed,
            (false, 0) => Ending::Nothing,
            (false, _) => Ending::Found,
        }
    }

    /// Completes what is kept, and describes it; an audit whose reader went away has not looked at all, and stays marked.
    ///
    /// # Errors
    ///
    /// The store failed.
    pub fn finish(self) -> Result<Option<String>, Report> {
        self.keeping.filter(|_| !self.cut).map(FindingsRun::finish).transpose()
    }
}
