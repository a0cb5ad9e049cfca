//! `windrow learn`: a wrapper from what a person shows, from what a feed says, or from what a domain's words find.

mod ask;
mod destination;
mod domain;
mod example;
mod feed;

use windrow::monitor::Reports;

use crate::args::LearnArguments;
use crate::run::{Ending, ended};

/// Runs the command.
pub(crate) fn run(arguments: &LearnArguments) -> Ending {
    ended(learn(arguments).map(|()| Ending::Found))
}

fn learn(arguments: &LearnArguments) -> Result<(), Reports> {
    match (&arguments.feed, &arguments.domain) {
        (Some(feed), _) => feed::learn(arguments, feed.as_deref()),
        (None, Some(domain)) => domain::learn(arguments, domain),
        (None, None) => example::learn(arguments),
    }
}
