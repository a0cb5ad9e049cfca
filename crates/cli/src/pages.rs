//! Opens pages as the command line says; notes on them go to standard error.

use std::sync::Arc;

use miette::Report;
pub(crate) use windrow::open::{
    Content, Opener, Page, PageError, Source, Sources, file, is_several, is_url, parse_options,
};
use windrow::open::{Listener, Options};

use crate::args::Reading;

/// Prints notes on standard error.
struct StandardError;

impl Listener for StandardError {
    fn note(&self, place: &str, note: &str) {
        let colon = if place.is_empty() { "" } else { ": " };
        crate::run::tell(&format!("note: {place}{colon}{note}"));
    }
}

/// Makes an opener for these options.
pub(crate) fn opener(reading: &Reading) -> Result<Opener, Report> {
    Ok(Opener::new(Options {
        charset: reading.charset,
        fetcher: reading.fetching.config(),
        follow: reading.fetching.fetch,
        listener: (!reading.quiet).then(|| Arc::new(StandardError) as Arc<dyn Listener>),
    })?)
}
