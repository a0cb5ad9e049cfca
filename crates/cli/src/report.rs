//! `windrow report`: what audits kept, told week by week.
//!
//! The library counts and writes the page; here are the store, the days that are meant, the
//! file, and where addresses are.

use std::io;
use std::path::Path;

use miette::{Diagnostic, Report as Complaint};
use windrow::report::geoip::Locations;
use windrow::report::period::PeriodRequest;
use windrow::report::{self, Report};
use windrow::store::Store;
use windrow::stores;

use crate::args::{ReportArguments, ReportFormat};
use crate::export::RowProgress;
use crate::output::{Console, Outcome, Output, Sink, Stop};
use crate::run::{Ending, tell, tell_error};
use windrow::clock::stamp;

#[derive(Debug, thiserror::Error, Diagnostic)]
enum ReportError {
    #[error("nothing was audited in `{place}` yet, so there is nothing to report")]
    #[diagnostic(
        code(report::no_audits),
        help("`windrow audit … --into {place}` keeps what it finds; of a store's own records, --keep does")
    )]
    NoAudits { place: String },
    #[error("the name `{path}` does not tell the format")]
    #[diagnostic(code(output::unknown_format), help("names end in .html, .htm or .json; else say --format"))]
    UnknownFormat { path: String },
    #[error("cannot write `{path}`: {cause}")]
    #[diagnostic(code(output::unwritable))]
    Unwritable { path: String, cause: io::Error },
    #[error("cannot write the output: {cause}")]
    #[diagnostic(code(output::failed))]
    Failed { cause: io::Error },
}

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments) -> Ending {
    written(arguments).unwrap_or_else(|complaint| {
        tell_error(&complaint);
        Ending::Failed
    })
}

fn written(arguments: &ReportArguments) -> Result<Ending, Complaint> {
    let address = &arguments.store;
    let format = format(arguments)?;
    let asked = PeriodRequest { week: arguments.week, since: arguments.since, until: arguments.until };
    let locations = arguments.geoip.as_deref().map(Locations::open).transpose()?;
    let mut store = stores::open_read_only(address)?;
    let mut input = report::input(&mut store).map_err(stores::report)?;
    let Some(last) = input.last_week() else {
        return Err(ReportError::NoAudits { place: store.place().to_owned() }.into());
    };
    input.title.clone_from(&arguments.title);
    input.made = stamp();
    for site in &mut input.sites {
        site.location = locations.as_ref().zip(site.ip.as_deref()).and_then(|(known, ip)| known.of(ip));
    }
    let period = asked.period(last)?;
    let mut progress = RowProgress::new(arguments.quiet);
    let counted = report::count(&mut store, input, period, |_| progress.advance());
    progress.end();
    let counted = counted.map_err(stores::report)?;
    if counted.is_empty() {
        if !arguments.quiet {
            let unchanged = to_file(arguments).map(|path| format!("; {path} is not written")).unwrap_or_default();
            tell(&format!("nothing was audited by the end of {}{unchanged}", period.until));
        }
        return Ok(Ending::Nothing);
    }
    write(arguments, format, &counted, &mut store)?;
    if let Some(path) = to_file(arguments).filter(|_| !arguments.quiet) {
        let (sites, findings) = (counted.sites().iter().filter(|row| row.is_new).count(), counted.findings());
        let plural = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        tell(&format!("wrote {path}: {period}: {}, {}", plural(sites, "new site"), plural(findings, "finding")));
    }
    Ok(Ending::Found)
}

fn to_file(arguments: &ReportArguments) -> Option<&str> {
    arguments.output.as_deref().filter(|path| *path != "-")
}

fn format(arguments: &ReportArguments) -> Result<ReportFormat, ReportError> {
    let path = match (arguments.format, to_file(arguments)) {
        (Some(format), _) => return Ok(format),
        (None, None) => return Ok(ReportFormat::Html),
        (None, Some(path)) => path,
    };
    match Path::new(path).extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => Ok(ReportFormat::Html),
        Some("json") => Ok(ReportFormat::Json),
        _ => Err(ReportError::UnknownFormat { path: path.to_owned() }),
    }
}

/// Why the writing ended.
enum Ended {
    Store(windrow::store::Error),
    Output(Stop),
}

fn write(
    arguments: &ReportArguments,
    format: ReportFormat,
    counted: &Report,
    store: &mut Store,
) -> Result<(), Complaint> {
    let sink = match to_file(arguments) {
        None => Sink::Standard,
        Some(path) => {
            Sink::file(Path::new(path)).map_err(|cause| ReportError::Unwritable { path: path.to_owned(), cause })?
        }
    };
    let console = Console::new(true);
    let mut output = Output::new(sink, &console);
    let mut progress = RowProgress::new(arguments.quiet);
    let details = |ids: &[i64]| {
        ids.iter().for_each(|_| progress.advance());
        report::details(store, ids).map_err(Ended::Store)
    };
    let out = |text: &str| match output.write(0, text.as_bytes()) {
        std::ops::ControlFlow::Continue(()) => Ok(()),
        std::ops::ControlFlow::Break(stop) => Err(Ended::Output(stop)),
    };
    let done = match format {
        ReportFormat::Html => counted.html(arguments.most, details, out),
        ReportFormat::Json => counted.json(details, out),
    };
    progress.end();
    match done {
        Err(Ended::Store(error)) => return Err(stores::report(error)),
        Err(Ended::Output(Stop::Failed(cause))) => return Err(ReportError::Failed { cause }.into()),
        // Nobody reads any more, which is their right.
        Err(Ended::Output(Stop::Closed)) | Ok(()) => {}
    }
    output.finish(Outcome::Found).map(drop).map_err(|cause| ReportError::Failed { cause }.into())
}
