//! `windrow check`: compares the last run of each wrapper with those before.

use windrow::monitor::Reports;
use windrow::{check, stores};

use crate::args::{CheckArguments, CheckFormat};
use crate::fmt::print;
use crate::run::{Ending, ended, tell, unwritten};

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments) -> Ending {
    ended(checked(arguments))
}

fn checked(arguments: &CheckArguments) -> Result<Ending, Reports> {
    let mut store = if arguments.accept {
        stores::open_existing(&arguments.store)?
    } else {
        stores::open_read_only(&arguments.store)?
    };
    let reports = check::run(&mut store, &arguments.wrappers, arguments.accept, arguments.changes)?;
    if reports.is_empty() {
        tell("nothing has been kept yet, so there is nothing to compare");
    }
    let text = match arguments.format {
        CheckFormat::Text => {
            let texts = reports.iter().map(|(one, changes)| check::report(one, changes.as_ref(), &arguments.store));
            texts.collect()
        }
        CheckFormat::Json => format!("{:#}\n", check::json(&reports)),
    };
    print(&text).map_err(|error| unwritten(&error, None))?;
    let is_well = reports.iter().all(|(report, _)| report.findings.is_empty() && report.failed == 0);
    Ok(if is_well { Ending::Found } else { Ending::Nothing })
}
