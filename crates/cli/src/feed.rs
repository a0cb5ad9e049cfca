//! `windrow feed`: the items of feeds, and the feeds of pages.

use std::io::{self, IsTerminal};

use miette::Report;
use url::Url;
use windrow::feed::{Feed, Link, NotAFeed};
use windrow::feeds::render::FeedRenderer;
use windrow::feeds::{UnreadFeed, parse, places};
use windrow::fetch::http::Request;
use windrow::format::OutputFormat;
use windrow::open::Content;

use crate::args::FeedArguments;
use crate::pages::{self, Opener, Source};
use crate::run::{self, Ending, Job, Rendered};
use crate::terminal;

/// A page without a feed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("`{name}` is an HTML page, and no feed of it can be found")]
#[diagnostic(code(feed::none), help("neither what it names nor the usual places, /feed and its like, have one"))]
struct NoFeed {
    name: String,
}

/// Runs the command.
pub(crate) fn run(arguments: &FeedArguments) -> Ending {
    let usual = || if io::stdout().is_terminal() { OutputFormat::Table } else { OutputFormat::JSONL };
    let room = terminal::room(arguments.table.rows, "--format csv shows all");
    let renderer = FeedRenderer::new(arguments.format.unwrap_or_else(usual), arguments.pages.len() > 1, room);
    let printer = renderer.printer();
    let opener = match pages::opener(&arguments.reading) {
        Ok(opener) => opener,
        Err(report) => {
            run::tell_error(&report);
            return Ending::Failed;
        }
    };
    run::over_sources(opener.find(&arguments.pages), Job::standard(&arguments.reading, printer), |source| {
        feed(arguments, &opener, source, &renderer)
    })
}

/// Reads one feed.
fn feed(
    arguments: &FeedArguments,
    opener: &Opener,
    source: &Source,
    renderer: &FeedRenderer,
) -> Result<Rendered, Report> {
    let name = source.name();
    let content = opener.content(source)?;
    match parse(&content, arguments.reading.charset, arguments.url.as_ref().map(Url::as_str)) {
        Ok(feed) => {
            let mut rendered = Rendered::new(renderer.feed(&name, &feed), !feed.items.is_empty());
            rendered.notes = feed.notes.iter().map(|note| format!("note: {name}: {note}")).collect();
            if feed.items.is_empty() {
                rendered.notes.push(format!("note: {name}: the feed has no items"));
            }
            Ok(rendered)
        }
        Err(NotAFeed::Html { feeds }) if content.address.is_some() => {
            let Some((url, feed)) = of_page(arguments, opener, &content, &feeds) else {
                return Err(NoFeed { name }.into());
            };
            let mut rendered = Rendered::new(renderer.feed(url.as_str(), &feed), !feed.items.is_empty());
            rendered.notes = vec![format!("note: {name}: this is an HTML page; its feed is {url}")];
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
        Err(cause) => Err(UnreadFeed { name, cause }.into()),
    }
}

/// The feed of a page that has an address.
fn of_page(arguments: &FeedArguments, opener: &Opener, page: &Content, named: &[Link]) -> Option<(Url, Feed)> {
    places(named, page.address.as_ref()).iter().filter_map(|place| place.parse().ok()).find_map(|url| {
        let content = opener.fetch(&Request::page(url)).ok()?;
        let feed = parse(&content, arguments.reading.charset, arguments.url.as_ref().map(Url::as_str)).ok()?;
        Some((content.address?, feed))
    })
}
