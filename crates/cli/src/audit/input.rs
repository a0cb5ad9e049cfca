//! Where the records come from: a store, or pages that are read by a wrapper or a domain's words.
//!
//! A store is read by one thread, some records at a time, while others audit. Pages are read, extracted from and audited by
//! the thread that took them. A domain reads each page for itself, so what is found on one does not depend on the others.

use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};

use miette::{Diagnostic, Report};
use windrow::keep::Keeper;
use windrow::learn::domain::Class;
use windrow::store::audits::{PageKind, Scope};
use windrow::store::{Layout, Placed, Store};
use windrow::wrapper::Shape;
use windrow::{Extraction, audit};

use super::tally::Judged;
use super::{Judge, Run};
use crate::args::{AuditArguments, Reading};
use crate::domain::{Words, note};
use crate::extract::{Given, Reader, problems};
use crate::ordered;
use crate::output::{Output, Sink, Stop};
use crate::pages::{Source, Sources};
use crate::query::asked::Stored;
use crate::query::filter::short_name;
use crate::rules::Rules;
use crate::run::{Ending, tell, tell_error};

/// Records of a store that a thread takes at a time.
const CHUNK: usize = 64;

/// Why it is not known which records are meant.
#[derive(Debug, thiserror::Error, Diagnostic)]
enum InputError {
    #[error("there are several lists of records")]
    #[diagnostic(code(audit::which_list), help("say which with --list: {lists}"))]
    WhichList { lists: String },
    #[error("there is no list `{name}`")]
    #[diagnostic(code(audit::no_such_list), help("there is {lists}"))]
    NoSuchList { name: String, lists: String },
    #[error("there is no list of records")]
    #[diagnostic(code(audit::no_list))]
    NoList,
    #[error("no page was given")]
    #[diagnostic(code(audit::no_page), help("give pages behind the options, or --check to check the rules alone"))]
    NoPage,
    #[error("the list is given twice: `{first}` and `{second}`")]
    #[diagnostic(code(audit::list_twice))]
    ListTwice { first: String, second: String },
}

/// Where the records come from.
pub(super) enum Input {
    /// Nowhere: the rules are only checked.
    Nothing,
    /// A store.
    Kept { address: String, store: Box<Store>, list: Layout },
    /// Pages, by a wrapper.
    Wrapper { rules: Box<Rules>, pages: Vec<String>, list: Layout, open: bool },
    /// Pages, by a domain's words.
    Domain { words: Box<Words>, pages: Vec<String>, list: Layout },
}

impl Input {
    /// What the arguments mean; none if a wrapper or domain is wrong, which was told then.
    pub(super) fn new(arguments: &AuditArguments) -> Result<Option<Input>, Report> {
        let pages = arguments.arguments.clone();
        if (arguments.wrapper.is_some() || arguments.domain.is_some()) && pages.is_empty() && !arguments.check {
            return Err(InputError::NoPage.into());
        }
        let named = arguments.list.as_deref();
        if let Some(name) = &arguments.wrapper {
            let Some(rules) = Rules::open(name) else { return Ok(None) };
            let shapes = rules.extractor.shape();
            let list = chosen(Keeper::new(&shapes).layouts(), named)?;
            let open = shapes.iter().any(is_open);
            return Ok(Some(Input::Wrapper { rules: Box::new(rules), pages, list, open }));
        }
        if let Some(name) = &arguments.domain {
            let Some(words) = Words::open(name) else { return Ok(None) };
            let list = chosen(Keeper::new(&words.reader.shape()).layouts(), named)?;
            return Ok(Some(Input::Domain { words: Box::new(words), pages, list }));
        }
        if arguments.check && pages.is_empty() && arguments.store.is_none() {
            return Ok(Some(Input::Nothing));
        }
        let help = "give a store and one of its lists; for pages, say -w WRAPPER or --domain DOMAIN";
        let Stored { store, other } = Stored::new("audit", arguments.store.as_deref(), &pages, help)?;
        let named = match (other, named) {
            (Some(first), Some(second)) if first != second => {
                return Err(InputError::ListTwice { first, second: second.to_owned() }.into());
            }
            (Some(name), _) => Some(name),
            (None, named) => named.map(str::to_owned),
        };
        let address = store;
        let store = crate::store::open_read_only(&address)?;
        let list = chosen(&store.layouts(), named.as_deref())?;
        Ok(Some(Input::Kept { address, store: Box::new(store), list }))
    }

    /// The fields that rules may name, if that is known beforehand.
    pub(super) fn fields(&self) -> Option<Vec<String>> {
        match self {
            Input::Nothing | Input::Wrapper { open: true, .. } => None,
            Input::Kept { list, .. } | Input::Wrapper { list, .. } | Input::Domain { list, .. } => {
                Some(audit::fields(list))
            }
        }
    }

    /// Where the findings are to be kept, if they are: the store, the list, and how its records come.
    pub(super) fn kept_in<'a>(&'a self, arguments: &'a AuditArguments) -> Option<(&'a str, &'a str, Scope)> {
        match self {
            Input::Nothing => None,
            Input::Kept { address, list, .. } => {
                let address = if arguments.keep { Some(address) } else { arguments.into.as_ref() };
                Some((address?, &list.label, Scope::List))
            }
            Input::Wrapper { list, .. } | Input::Domain { list, .. } => {
                Some((arguments.into.as_ref()?, &list.label, Scope::Pages))
            }
        }
    }

    /// Audits all records.
    pub(super) fn run(
        self,
        judge: &Judge<'_>,
        run: Run,
        sink: Sink,
        threads: usize,
        reading: &Reading,
    ) -> Result<Ending, Report> {
        match self {
            Input::Nothing => Ok(Ending::Nothing),
            Input::Kept { mut store, list, .. } => kept(&mut store, &list, judge, run, sink, threads),
            Input::Wrapper { rules, pages, list, .. } => {
                let reader = Reader::of(pages, reading, &rules)?;
                let work = |source: &Source| {
                    let (page, mut notes) = reader.read(source)?;
                    let extraction = reader.extract(source, page);
                    let told = problems::tell(&source.name(), &extraction, Some(&rules), false);
                    notes.extend(told.warnings);
                    let judged = judged(judge, &list, &extraction);
                    let kind = if judged.is_empty() { PageKind::Neither } else { PageKind::Rich };
                    Ok(Worked { page: source.name(), kind, judged, notes, errors: told.errors })
                };
                over_pages(reader.sources(), run, sink, threads, reading, work)
            }
            Input::Domain { words, pages, list } => {
                let given = Given::new(pages, reading, ("domain", &words.name), true)?;
                let work = |source: &Source| {
                    let (page, mut notes) = given.read(source)?;
                    let page = Arc::new(page);
                    let read = words.reader.read(&page);
                    let extraction = words.reader.extraction(page, &read);
                    let (name, domain) = (source.name(), words.reader.domain());
                    notes.extend(note::conflicts(domain, &read).map(|line| format!("note: {name}: {line}")));
                    let kind = match read.class {
                        Class::DataRich => PageKind::Rich,
                        Class::LinkOffer => PageKind::Offer,
                        Class::Neither => PageKind::Neither,
                    };
                    let judged = judged(judge, &list, &extraction);
                    Ok(Worked { page: name, kind, judged, notes, errors: Vec::new() })
                };
                over_pages(given.sources(), run, sink, threads, reading, work)
            }
        }
    }
}

/// The list of this name, which may be its short one; without a name, the only one.
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

/// Whether pages have columns of their own.
fn is_open(shape: &Shape) -> bool {
    shape.columns || shape.children.iter().any(is_open)
}

fn judged(judge: &Judge<'_>, list: &Layout, extraction: &Extraction) -> Vec<Judged> {
    audit::extracted(list, extraction).iter().map(|record| judge.judge(record, None)).collect()
}

/// What became of a page.
struct Worked {
    page: String,
    kind: PageKind,
    judged: Vec<Judged>,
    notes: Vec<String>,
    /// What makes it less than whole.
    errors: Vec<String>,
}

fn over_pages(
    sources: Sources<'_>,
    mut run: Run,
    sink: Sink,
    threads: usize,
    reading: &Reading,
    work: impl Fn(&Source) -> Result<Worked, Report> + Sync,
) -> Result<Ending, Report> {
    let mut output = Output::new(sink, sources.count, reading.quiet);
    let mut failed = false;
    let mut unkept = None;
    let flow = ordered::map(
        sources,
        threads,
        |source| source.map_err(Report::from).and_then(|source| work(&source)),
        |result: Result<Worked, Report>| {
            match result {
                Ok(Worked { page, kind, judged, notes, errors }) => {
                    failed |= !errors.is_empty();
                    let kept = match errors.is_empty() {
                        true => run.keep(&page, kind, &judged),
                        // Records that were not reached are not gone.
                        false => run.unread(),
                    };
                    let notes = notes.iter().filter(|_| !reading.quiet);
                    output.aside(|| errors.iter().chain(notes).for_each(|line| tell(line)));
                    stopped(kept, &mut unkept)?;
                    run.take(judged, &mut output)?;
                }
                Err(report) => {
                    failed = true;
                    output.aside(|| tell_error(&report));
                    stopped(run.unread(), &mut unkept)?;
                }
            }
            output.advance();
            ControlFlow::Continue(())
        },
    );
    match unkept {
        Some(report) => Err(report),
        None => run.finish(flow, output, failed),
    }
}

/// Ends the work if a store does not take what is found.
fn stopped(kept: Result<(), Report>, unkept: &mut Option<Report>) -> ControlFlow<Stop> {
    match kept {
        Ok(()) => ControlFlow::Continue(()),
        Err(report) => {
            *unkept = Some(report);
            ControlFlow::Break(Stop::Closed)
        }
    }
}

fn kept(
    store: &mut Store,
    list: &Layout,
    judge: &Judge<'_>,
    mut run: Run,
    sink: Sink,
    threads: usize,
) -> Result<Ending, Report> {
    let mut output = Output::new(sink, Some(0), true);
    let mut unkept = None;
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
            chunk.iter().map(|placed| judge.judge(&audit::kept(list, placed), Some(placed.id))).collect()
        };
        let flow = ordered::map(receiver, threads, work, |judged| {
            stopped(run.keep_kept(&judged), &mut unkept)?;
            run.take(judged, &mut output)
        });
        (flow, reader.join())
    });
    match read {
        Ok(read) => read.map_err(crate::store::report)?,
        Err(panic) => std::panic::resume_unwind(panic),
    }
    match unkept {
        Some(report) => Err(report),
        None => run.finish(flow, output, false),
    }
}
