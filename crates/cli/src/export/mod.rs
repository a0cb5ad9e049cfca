//! `windrow export`: the records of a list as a file.
//!
//! Records go from the store to the file a thousand at a time. A feed is of the newest records, so all are looked at and
//! only its entries are held.

mod destination;
mod progress;

use indicatif::HumanCount;
use miette::Report;
use windrow::export::{self, ExportFailure, is_feed};
use windrow::store::export::{ExportError, Format, Options, Roles, Summary};
use windrow::store::{Layout, Which};
use windrow::stores;

use crate::args::{ExportArguments, Role};
use crate::output::Console;
use crate::query::asked::Stored;
use crate::run::{Ending, ended, tell};

use destination::ExportDestination;
pub(crate) use progress::RowProgress;

/// An option that goes with feeds only.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{option} is for feeds, and the format is {format}")]
#[diagnostic(code(export::feeds_only), help("--format atom or --format rss makes a feed"))]
struct FeedsOnly {
    option: &'static str,
    format: &'static str,
}

/// Runs the command.
pub(crate) fn run(arguments: &ExportArguments) -> Ending {
    ended(export(arguments).map_err(Into::into))
}

fn export(arguments: &ExportArguments) -> Result<Ending, Report> {
    let help = "give a store and one of its lists";
    let Stored { store, other } = Stored::new("export", arguments.store.as_deref(), &arguments.arguments, help)?;
    let destination = ExportDestination::new(arguments)?;
    let options = options(arguments, destination.format)?;
    let mut store = stores::open_read_only(&store)?;
    let layout = export::list(&store, other.as_deref())?;
    let console = Console::new(true);
    let mut writer = destination.open(&console)?;
    let which = if arguments.all { Which::All } else { Which::Present };
    let mut progress = RowProgress::new(arguments.quiet || !destination.is_file());
    let written = export::write(&mut store, (&layout, which), (destination.format, &options), &mut writer, &mut || {
        progress.advance()
    });
    progress.end();
    match written {
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
        Err(ExportFailure::Export(ExportError::Write(_))) if writer.is_closed() => Ok(Ending::Found),
        Err(ExportFailure::Export(ExportError::Write(cause))) => Err(destination.unwritable(cause)),
        Err(ExportFailure::Export(error)) => Err(error.into()),
        Err(ExportFailure::Store(error)) => Err(stores::report(error)),
    }
}

fn options(arguments: &ExportArguments, format: Format) -> Result<Options, FeedsOnly> {
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
            Some((option, _)) => Err(FeedsOnly { option, format: format.name() }),
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

/// Describes what was written: `wrote ads.parquet: 1,240 rows of ads, 3,310 of ads.tags`.
fn told(destination: &ExportDestination, layout: &Layout, summary: &Summary, of: Option<u64>) -> String {
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
