//! `windrow learn --feed`: a wrapper from what a weblog's own feed says.
//!
//! What belongs to the weblog is read first ([`blog`]): its feed, given or found, and its home page. Then pages are added
//! that the learner can use ([`gather`]): those of entries, and older index pages. At most a dozen are in memory beside
//! those that were given.

mod blog;
mod explain;
mod gather;

use std::sync::Arc;

use miette::Report;
use windrow::Page;
use windrow::learn::feed::{self, Form, Lesson, Options, PageKind};

use self::blog::Blog;
use self::explain::Explanation;
use super::destination::Destination;
use super::summary::Summary;
use super::{compile, one, wrong_rules};
use crate::args::{LearnArguments, RulesForm};
use crate::clock::now;
use crate::extract::Neighbours;
use crate::fmt;
use crate::pages;
use crate::run::tell;
use crate::text::excerpt;

/// Characters of a feed's title that are enough for a wrapper's name.
const NAME: usize = 100;

/// Learns, and tells what was learned. `named`: the feed, unless it is to be found.
pub(super) fn learn(arguments: &LearnArguments, named: Option<&str>) -> Result<(), Vec<Report>> {
    let reading = &arguments.reading;
    let destination = Destination::new(arguments).map_err(one)?;
    let opener = pages::opener(reading).map_err(one)?;
    let Blog { feed, name, home, mut pages } = blog::read(arguments, named, &opener)?;
    let neighbours = Neighbours::new(&home, None, blog::address(&pages[0], &feed), true, &opener);
    if !arguments.no_follow {
        let refused = gather::follow(&feed, &mut pages, &neighbours, &opener, reading.quiet);
        if let Some(why) = refused.filter(|_| !reading.quiet) {
            tell(&format!("note: no page of an entry could be read: {why}"));
        }
    }
    let pages: Vec<Arc<Page>> = pages.into_iter().map(Arc::new).collect();
    let read: Vec<&Page> = pages.iter().map(Arc::as_ref).collect();
    let options = options(arguments, &destination);
    let lesson = feed::learn(&feed.items, &pages, &options).map_err(one)?;
    let Lesson { mut wrapper, matches, kinds, trials, notes, .. } = lesson;
    let from: Vec<String> = std::iter::once(name).chain(pages.iter().map(|page| page.name().to_owned())).collect();
    wrapper.name = feed.title.as_deref().filter(|title| !title.trim().is_empty()).map(|title| excerpt(title, NAME));
    wrapper.url = pages[0].url().or_else(|| pages[0].base()).map(|url| url.as_str().into());
    let learned = wrapper.learned.get_or_insert_default();
    "feed".clone_into(&mut learned.by);
    learned.from.clone_from(&from);
    learned.at = now();
    let (text, extractor) = compile(&wrapper, &destination, &from)?;
    let summary = Summary::new(&extractor, &pages, &[]);
    if summary.is_empty() {
        return Err(wrong_rules(&from, "they find nothing"));
    }
    destination.write(&text).map_err(one)?;
    if arguments.explain {
        let explanation = Explanation { items: &feed.items, pages: &read, matches: &matches, kinds: &kinds };
        let tables = explanation.text(&trials);
        match destination.is_standard() {
            true => tell(tables.trim_end()),
            false => fmt::print(&tables)
                .map_err(|error| one(miette::miette!(code = "output::failed", "cannot write the output: {error}")))?,
        }
    }
    if !reading.quiet {
        tell(&format!("{}: {}", destination.told(), summary.entries(&kinds)));
        summary.field_lines().iter().for_each(|line| tell(line));
        notes.iter().for_each(|note| tell(&format!("note: {note}")));
        // What the paper's form of rules does not cover is no surprise.
        let expected = |page: usize| match kinds.get(page) {
            Some(PageKind::Index | PageKind::Titles) => true,
            Some(PageKind::Entry) => options.form != Form::Landmark,
            Some(PageKind::Other) | None => false,
        };
        for (_, page) in summary.empty_pages().filter(|(number, _)| expected(*number)) {
            tell(&format!("note: `{page}` shows entries that the rules do not find"));
        }
    }
    Ok(())
}

fn options(arguments: &LearnArguments, destination: &Destination) -> Options {
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
