//! `windrow export`: the records of a list as a file.
//!
//! Records go from the store to the file a thousand at a time. A feed is of the newest records, so all are looked at and
//! only its entries are held.

mod destination;
mod newest;
mod progress;

use indicatif::HumanCount;
use miette::Report;
use windrow::store::export::{ExportError, Exporter, Format, Options, Roles, Summary};
use windrow::store::{Form, Layout, Record, Store, Which};

use crate::args::{ExportArguments, Role};
use crate::query::asked::Stored;
use crate::query::filter::short_name;
use crate::run::{Ending, tell, tell_error};

use destination::{Destination, Writer};
use newest::Newest;
pub(crate) use progress::Progress;

/// Why records are not exported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
enum Complaint {
    #[error("the store has several lists")]
    #[diagnostic(code(export::which_list), help("say which: {lists}"))]
    WhichList { lists: String },
    #[error("the store has no list")]
    #[diagnostic(code(export::no_list), help("nothing has been kept in it yet"))]
    NoList,
    #[error("{option} is for feeds, and the format is {format}")]
    #[diagnostic(code(export::feeds_only), help("--format atom or --format rss makes a feed"))]
    FeedsOnly { option: &'static str, format: &'static str },
}

/// Runs the command.
pub(crate) fn run(arguments: &ExportArguments) -> Ending {
    export(arguments).unwrap_or_else(|report| {
        tell_error(&report);
        Ending::Failed
    })
}

fn export(arguments: &ExportArguments) -> Result<Ending, Report> {
    let help = "give a store and one of its lists";
    let Stored { store, other } = Stored::new("export", arguments.store.as_deref(), &arguments.arguments, help)?;
    let destination = Destination::new(arguments)?;
    let options = options(arguments, destination.format)?;
    let mut store = crate::store::open_read_only(&store)?;
    let layout = match other {
        Some(list) => named(&store, &list)?,
        None => only(store.layouts())?,
    };
    let mut writer = destination.open()?;
    let which = if arguments.all { Which::All } else { Which::Present };
    let progress = Progress::new(arguments.quiet || !destination.is_file());
    let work = Work { store: &mut store, layout: &layout, which, progress };
    match work.write(destination.format, &options, &mut writer) {
        Ok((summary, of)) => {
            let placed = writer.finish(summary.rows).map_err(|cause| destination.unwritable(cause))?;
            if let Some(unchanged) = placed.untouched() {
                tell(&format!("note: no rows of {}; {unchanged}", layout.label));
                return Ok(Ending::Nothing);
            }
            tell(&told(&destination, &layout, &summary, of));
            summary.notes.iter().filter(|_| !arguments.quiet).for_each(|note| tell(&format!("note: {note}")));
            Ok(if summary.rows > 0 { Ending::Found } else { Ending::Nothing })
        }
        // Whoever read it has had enough.
        Err(Failure::Export(ExportError::Write(_))) if writer.is_closed() => Ok(Ending::Found),
        Err(Failure::Export(ExportError::Write(cause))) => Err(destination.unwritable(cause)),
        Err(Failure::Export(error)) => Err(error.into()),
        Err(Failure::Store(error)) => Err(crate::store::report(error)),
    }
}

/// The list of that name, which may be its short one.
fn named(store: &Store, list: &str) -> Result<Layout, Report> {
    store.layout(list).or_else(|error| {
        let layouts = store.layouts();
        let short = layouts.iter().find(|layout| short_name(&layout.label, &layouts) == list);
        short.cloned().ok_or_else(|| crate::store::report(error))
    })
}

/// The list of a store that has one.
fn only(layouts: Vec<Layout>) -> Result<Layout, Complaint> {
    let lists: Vec<String> = layouts.iter().map(|layout| layout.label.clone()).collect();
    let mut layouts = layouts.into_iter();
    match (layouts.next(), layouts.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Complaint::NoList),
        _ => Err(Complaint::WhichList { lists: lists.join(", ") }),
    }
}

fn options(arguments: &ExportArguments, format: Format) -> Result<Options, Complaint> {
    let mut options = Options::new().with_provenance(arguments.provenance);
    if !is_feed(format) {
        let given = [
            ("--title", arguments.title.is_some()),
            ("--self-url", arguments.self_url.is_some()),
            ("--site-url", arguments.site_url.is_some()),
            ("--role", !arguments.roles.is_empty()),
            ("--entries", arguments.entries.is_some()),
        ];
        return match given.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Complaint::FeedsOnly { option, format: format.name() }),
            None => Ok(options),
        };
    }
    options.title.clone_from(&arguments.title);
    options.self_url.clone_from(&arguments.self_url);
    options.site_url.clone_from(&arguments.site_url);
    let roles = arguments.roles.iter().fold(Roles::new(), |roles, (role, column)| match role {
        Role::Title => roles.with_title(column),
        Role::Link => roles.with_link(column),
        Role::Date => roles.with_date(column),
        Role::Author => roles.with_author(column),
        Role::Content => roles.with_content(column),
    });
    options = options.with_roles(roles);
    Ok(match arguments.entries {
        Some(entries) => options.with_entries(entries),
        None => options,
    })
}

fn is_feed(format: Format) -> bool {
    matches!(format, Format::Atom | Format::Rss)
}

/// Whose fault it is.
#[derive(Debug)]
enum Failure {
    Store(windrow::store::Error),
    Export(ExportError),
}

/// From a list to a file.
struct Work<'a> {
    store: &'a mut Store,
    layout: &'a Layout,
    which: Which,
    progress: Progress,
}

impl Work<'_> {
    /// Writes all that is wanted; says what, and of how many records, if not of all.
    fn write(
        mut self,
        format: Format,
        options: &Options,
        writer: &mut Writer,
    ) -> Result<(Summary, Option<u64>), Failure> {
        let mut exporter = Exporter::new(format, self.layout, options, writer).map_err(Failure::Export)?;
        let of = match is_feed(format) {
            true => {
                let mut newest = Newest::new(options.entries);
                self.each(|record| {
                    newest.add(record);
                    Ok(())
                })?;
                let all = newest.seen();
                for record in newest.finish() {
                    exporter.push(&record).map_err(Failure::Export)?;
                }
                Some(all)
            }
            false => {
                self.each(|record| exporter.push(&record))?;
                None
            }
        };
        let summary = exporter.finish().map_err(Failure::Export)?;
        let of = of.filter(|all| *all > summary.rows);
        Ok((summary, of))
    }

    fn each(&mut self, mut each: impl FnMut(Record) -> Result<(), ExportError>) -> Result<(), Failure> {
        let mut failed = None;
        let progress = &mut self.progress;
        let read = self.store.records(&self.layout.label, self.which, Form::Typed, |record| {
            progress.advance();
            match each(record) {
                Ok(()) => true,
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        });
        progress.end();
        read.map_err(Failure::Store)?;
        failed.map_or(Ok(()), |error| Err(Failure::Export(error)))
    }
}

/// What was written: `wrote ads.parquet: 1,240 rows of ads, 3,310 of ads.tags`.
fn told(destination: &Destination, layout: &Layout, summary: &Summary, of: Option<u64>) -> String {
    let plural = if summary.rows == 1 { "" } else { "s" };
    let mut line = format!("{}: {} row{plural} of {}", destination.told(), HumanCount(summary.rows), layout.label);
    if let Some(of) = of {
        line += &format!(", the newest of {}", HumanCount(of));
    }
    for (list, rows) in &summary.nested {
        line += &format!(", {} of {}.{list}", HumanCount(*rows), layout.label);
    }
    line
}
