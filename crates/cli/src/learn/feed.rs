//! `windrow learn --feed`: a wrapper from what a weblog's own feed says.

use windrow::Page;
use windrow::learn::feed::{Form, Options, PageKind};
use windrow::learning::{self, FeedExplanation, FeedRequest};
use windrow::monitor::Reports;

use super::destination::WrapperDestination;
use crate::args::{LearnArguments, RulesForm};
use crate::output::Console;
use crate::run::{tell, unwritten};
use crate::{fmt, pages, terminal};

/// Learns, and tells what was learned. `named` is the feed, unless it is to be found.
pub(super) fn learn(arguments: &LearnArguments, named: Option<&str>) -> Result<(), Reports> {
    let reading = &arguments.reading;
    let destination = WrapperDestination::new(arguments)?;
    let opener = pages::opener(reading)?;
    let options = options(arguments, &destination);
    let request = FeedRequest { feed: named, pages: &arguments.pages, follow: !arguments.no_follow };
    let console = Console::new(reading.quiet);
    let learned = learning::by_feed(request, &options, destination.format(), &opener, reading.threads(), &console)?;
    let (lesson, kinds) = (&learned.lesson, &learned.kinds);
    destination.write(&lesson.text)?;
    if arguments.explain {
        let read: Vec<&Page> = learned.pages.iter().map(|page| &**page).collect();
        let explanation =
            FeedExplanation { items: &learned.feed.items, pages: &read, matches: &learned.matches, kinds };
        let tables = explanation.text(&learned.trials, terminal::columns());
        if destination.is_standard() {
            tell(tables.trim_end());
        } else {
            fmt::print(&tables).map_err(|error| unwritten(&error, None))?;
        }
    }
    if !reading.quiet {
        tell(&format!("{}: {}", destination.told(), lesson.summary.entries(kinds)));
        lesson.summary.field_lines().iter().for_each(|line| tell(line));
        learned.notes.iter().for_each(|note| tell(&format!("note: {note}")));
        // Pages that the paper's form of rules does not cover are no surprise.
        let expected = |page: usize| match kinds.get(page) {
            Some(PageKind::Index | PageKind::Titles) => true,
            Some(PageKind::Entry) => options.form != Form::Landmark,
            Some(PageKind::Other) | None => false,
        };
        for (_, page) in lesson.summary.empty_pages().filter(|(number, _)| expected(*number)) {
            tell(&format!("note: `{page}` shows entries that the rules do not find"));
        }
    }
    Ok(())
}

fn options(arguments: &LearnArguments, destination: &WrapperDestination) -> Options {
    let form = match arguments.form {
        Some(RulesForm::Best) => Form::Best,
        Some(RulesForm::Xpath) => Form::XPath,
        Some(RulesForm::Landmark) => Form::Landmark,
        None if destination.takes_landmarks_alone() => Form::Landmark,
        None => Form::Best,
    };
    let options = Options::default().with_form(form);
    match arguments.seed {
        Some(seed) => options.with_seed(seed),
        None => options,
    }
}
