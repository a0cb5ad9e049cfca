//! `windrow studio`: a web application on this machine, and a browser that shows it.

use std::sync::Arc;

use miette::Report;
use windrow::fetch::crawl::Stop;
use windrow_studio::{Config, Studio};

use crate::args::StudioArguments;
use crate::fmt::print;
use crate::output::stop_on_interrupt;
use crate::run::{Ending, tell, tell_error};
use windrow::clock;
use windrow::wrapper_file::WrapperText;

/// Runs the command.
pub(crate) fn run(arguments: &StudioArguments) -> Ending {
    match serve(arguments) {
        Ok(()) => Ending::Found,
        Err(report) => {
            tell_error(&report);
            Ending::Failed
        }
    }
}

fn serve(arguments: &StudioArguments) -> Result<(), Report> {
    let mut config = Config::new(".");
    config.port = arguments.port;
    config.pages = arguments.pages.clone();
    config.fetching = arguments.fetching.config();
    config.now = clock::now;
    if let Some(name) = &arguments.wrapper {
        // One that is wrong is opened all the same: the studio shows where.
        let file = WrapperText::open(name)?;
        config.rules = Some((file.name, file.text));
    }
    let studio = Studio::new(config)?;
    let address = studio.address();
    // From here on, Ctrl-C ends the studio in good order, and what it has written is removed.
    let stop = Arc::new(Stop::default());
    stop_on_interrupt(Arc::clone(&stop));
    let unwritable = |error| miette::miette!(code = "output::failed", "cannot write the output: {error}");
    print(&format!("{address}\n")).map_err(unwritable)?;
    // Other users of the machine can read the arguments of the program that opens a browser: they must not have the token.
    let is_opened = |studio: &Studio| studio.door().and_then(open::that_detached).is_ok();
    if !arguments.no_open && !is_opened(&studio) {
        tell("note: no browser could be opened: open the address above in one");
    }
    tell("the studio is open; Ctrl-C ends it");
    studio.serve(move || stop.is_stopped())?;
    Ok(())
}
