//! Opens pages as the command line says; notes on them go to standard error.

use std::sync::Arc;

use miette::Report;
use windrow::open::Options;
pub(crate) use windrow::open::{Opener, Page, PageError, Source, Sources, is_several, is_url};

use crate::args::Reading;
use crate::output::Console;

/// Returns how pages are opened with these options.
pub(crate) fn options(reading: &Reading) -> Options {
    Options {
        charset: reading.charset,
        fetcher: reading.fetching.config(),
        follow: reading.fetching.fetch,
        monitor: Some(Arc::new(Console::new(reading.quiet))),
    }
}

/// Makes an opener for these options.
pub(crate) fn opener(reading: &Reading) -> Result<Opener, Report> {
    Ok(Opener::new(options(reading))?)
}
