//! `windrow feed`: the items of feeds, and the feeds of pages.

mod render;

use miette::Report;
use windrow_feed::{NotAFeed, Options};

use crate::args::FeedArguments;
use crate::output::Sink;
use crate::pages::{self, Source};
use crate::run::{self, Ending, Rendered};

use render::Renderer;

/// A feed that cannot be read, with its name.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("cannot read `{name}`: {cause}")]
#[diagnostic(forward(cause))]
struct Unread {
    name: String,
    cause: NotAFeed,
}

/// Runs the command.
pub(crate) fn run(arguments: &FeedArguments) -> Ending {
    let renderer = Renderer::new(arguments.format, arguments.pages.len() > 1);
    let sources = pages::find(&arguments.pages);
    let printer = renderer.printer();
    run::over_sources(sources, &arguments.reading, printer, Sink::Standard, |source| feed(arguments, source, &renderer))
}

/// Reads one feed.
fn feed(arguments: &FeedArguments, source: &Source, renderer: &Renderer) -> Result<Rendered, Report> {
    let name = source.name();
    let mut options = Options::new();
    options.forced_charset = arguments.reading.charset.map(str::to_owned);
    options.base.clone_from(&arguments.base);
    match windrow_feed::parse(&source.bytes()?, &options) {
        Ok(feed) => {
            let mut rendered = Rendered::new(renderer.feed(&name, &feed), !feed.items.is_empty());
            rendered.notes = feed.notes.iter().map(|note| format!("note: {name}: {note}")).collect();
            if feed.items.is_empty() {
                rendered.notes.push(format!("note: {name}: the feed has no items"));
            }
            Ok(rendered)
        }
        Err(NotAFeed::Html { feeds }) => {
            let mut rendered = Rendered::new(renderer.page(&name, &feeds), false);
            rendered.notes = vec![match feeds.len() {
                0 => format!(
                    "note: {name}: this is an HTML page that names no feed; /feed, /rss.xml and /atom.xml are usual places"
                ),
                1 => format!("note: {name}: this is an HTML page; its feed is {}", feeds[0].url),
                _ => format!("note: {name}: this is an HTML page; the likeliest of its feeds is {}", feeds[0].url),
            }];
            Ok(rendered)
        }
        Err(cause) => Err(Unread { name, cause }.into()),
    }
}
