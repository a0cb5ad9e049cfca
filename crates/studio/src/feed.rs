//! Learning a weblog's rules from its feed.
//!
//! The feed is named by the request or by the page, or found at one of the usual addresses. It comes from the same
//! source as the page, and so do the entry pages that make the rules more reliable: the web, with a limited number of
//! requests and no longer than [`LONGEST`]; an archive; or the folder of a file, for the feed only.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use url::Url;
use windrow::feed::{Feed, Options};
use windrow::fetch::http::Request;
use windrow::learn::feed::{self, Library, gather};
use windrow::learning::sign_feed;
use windrow::{Document, Page, ParseOptions};

use crate::api::{FeedRequest, Learned};
use crate::failure::Refused;
use crate::open;
use crate::rules::Rules;
use crate::run;
use crate::state::{Open, Origin, State};

/// Time limit for fetching pages.
const LONGEST: Duration = Duration::from_secs(45);
/// Largest size of a feed in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// Largest number of addresses at which a feed is searched for.
const PLACES: usize = 12;

/// Learns from a weblog's feed.
pub(crate) fn learn(state: &State, request: &FeedRequest) -> Result<Learned, Refused> {
    let began = Instant::now();
    let open = state.page(request.page)?;
    let mut shelf = Shelf { state, open: &open, began };
    let (name, feed) = match request.feed.as_deref().map(str::trim).filter(|feed| !feed.is_empty()) {
        Some(name) => (name.to_owned(), shelf.named(name)?),
        None => shelf.found()?,
    };
    let mut notes: Vec<String> = feed.notes.iter().map(ToString::to_string).collect();
    notes.insert(0, format!("the feed is {name}, {} items", feed.items.len()));
    let home = Page::from_document(&open.info.name, open.page.document().clone());
    let site = open.page.url().or_else(|| open.page.base()).cloned();
    let mut pages = vec![match &site {
        Some(url) => home.with_url(url.clone()),
        None => home,
    }];
    if let Some(site) = site.as_ref().filter(|_| matches!(open.origin, Origin::Web | Origin::Archive(_)))
        && let Some(why) = gather(&feed.items, site, &mut pages, &mut shelf)
    {
        notes.push(format!("no page of an entry could be read: {why}"));
    }
    let pages: Vec<Arc<Page>> = pages.into_iter().map(Arc::new).collect();
    let lesson =
        feed::learn(&feed.items, &pages, &feed::Options::default()).map_err(|error| Refused::of(&error, ""))?;
    let mut wrapper = lesson.wrapper;
    let from: Vec<String> = std::iter::once(name).chain(pages.iter().map(|page| page.name().to_owned())).collect();
    sign_feed(&mut wrapper, &feed, &pages[0], &from, (state.config.now)());
    let rules = Rules::written(&wrapper)?;
    notes.extend(lesson.notes.iter().map(ToString::to_string));
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Learned { result: run::run(&rules, &open.page), rules: rules.sent(), notes, micros })
}

/// Content fetched from an address.
struct Fetched {
    bytes: Vec<u8>,
    url: Option<Url>,
    charset: Option<String>,
    media_type: Option<String>,
}

/// Access to the source of an open page.
struct Shelf<'a> {
    state: &'a State,
    open: &'a Open,
    began: Instant,
}

impl Shelf<'_> {
    /// Returns the feed with this name: an address or a file.
    fn named(&self, name: &str) -> Result<Feed, Refused> {
        let unread = |why: String| Refused::unfit("feed::unreadable", format!("cannot read `{name}`: {why}"));
        let had = match Url::parse(name) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => self.get(&url, true).map_err(unread)?,
            _ => {
                let bytes = open::read(Path::new(name), MOST_BYTES).map_err(unread)?;
                Fetched { bytes, url: None, charset: None, media_type: None }
            }
        };
        self.parsed(&had).map_err(unread)
    }

    /// Finds the feed that the page names, or one at the usual addresses.
    fn found(&self) -> Result<(String, Feed), Refused> {
        let address = self.open.page.url().or_else(|| self.open.page.base());
        let usual = address.map(windrow::feed::usual_places).unwrap_or_default();
        let mut places = self.open.info.feeds.clone();
        if matches!(self.open.origin, Origin::Web | Origin::Archive(_)) {
            places.extend(usual.iter().map(Url::to_string));
        }
        for place in places.iter().take(PLACES) {
            let had = match (&self.open.origin, Url::parse(place)) {
                (Origin::File(folder), _) => saved(folder, place),
                (_, Ok(url)) => self.get(&url, false),
                (_, Err(error)) => Err(error.to_string()),
            };
            if let Ok(feed) = had.and_then(|had| self.parsed(&had))
                && !feed.items.is_empty()
            {
                return Ok((place.clone(), feed));
            }
        }
        let refused = Refused::unfit("learn::no_feed", format!("no feed was found for `{}`", self.open.info.name));
        Err(refused.with_help(match self.open.info.feeds.first() {
            Some(first) => {
                format!("the page names {first}, which could not be read as a feed; enter the feed's address")
            }
            None => "the page names no feed; enter the feed's address or file".to_owned(),
        }))
    }

    fn parsed(&self, had: &Fetched) -> Result<Feed, String> {
        let mut options = Options::new();
        options.charset.clone_from(&had.charset);
        let base = had.url.as_ref().or_else(|| self.open.page.url()).or_else(|| self.open.page.base());
        options.base = base.map(Url::to_string);
        windrow::feed::parse(&had.bytes, &options).map_err(|error| error.to_string())
    }

    /// Fetches an address from the page's source. `asked` says that the user named it.
    fn get(&self, url: &Url, asked: bool) -> Result<Fetched, String> {
        if self.began.elapsed() > LONGEST {
            return Err("the time limit was reached".to_owned());
        }
        if let Origin::Archive(path) = &self.open.origin {
            return archived(self.state, path, url);
        }
        // An address on the same server as a page that the user opened is as trusted as the page.
        let beside = self.open.page.url().is_some_and(|own| own.origin() == url.origin());
        let request = if asked || beside { Request::user(url.clone()) } else { Request::page(url.clone()) };
        let fetcher = self.state.fetcher().map_err(|refused| refused.failure.message)?;
        let found = fetcher.get(&request).map_err(|error| error.to_string())?;
        Ok(Fetched {
            bytes: found.content.to_vec(),
            charset: found.answer.charset().map(str::to_owned),
            media_type: found.answer.media_type(),
            url: Some(found.answer.url),
        })
    }
}

impl Library for Shelf<'_> {
    fn page(&mut self, url: &Url) -> Result<Option<Page>, String> {
        let had = self.get(url, false)?;
        let is_page = |kind: &String| kind.contains("html") || kind.contains("xml");
        if !had.media_type.as_ref().is_none_or(is_page) {
            return Ok(None);
        }
        let mut options = ParseOptions::default();
        options.charset = had.charset;
        let page = Page::from_document(url.to_string(), Document::from_bytes(had.bytes, &options));
        Ok(Some(page.with_url(had.url.unwrap_or_else(|| url.clone()))))
    }

    fn asks_servers(&self) -> bool {
        matches!(self.open.origin, Origin::Web) && self.state.config.fetching.replay.is_empty()
    }
}

/// Reads a feed that was saved in the folder of a page.
fn saved(folder: &Path, place: &str) -> Result<Fetched, String> {
    let path = place.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    let folder = folder.canonicalize().map_err(|error| error.to_string())?;
    let file = folder.join(name).canonicalize().map_err(|error| error.to_string())?;
    if name.is_empty() || !file.starts_with(&folder) {
        return Err("it is not in the page's folder".to_owned());
    }
    let bytes = open::read(&file, MOST_BYTES)?;
    Ok(Fetched { bytes, url: Url::parse(place).ok(), charset: None, media_type: None })
}

fn archived(state: &State, path: &Path, url: &Url) -> Result<Fetched, String> {
    let replay = state.archive(path, false).map_err(|error| error.to_string())?;
    let found = replay.get(url).map_err(|error| error.to_string())?;
    let answer = found.ok_or_else(|| format!("{url} is not in the archive"))?;
    Ok(Fetched {
        bytes: answer.content(MOST_BYTES).map_err(|error| error.to_string())?.to_vec(),
        charset: answer.charset().map(str::to_owned),
        media_type: answer.media_type(),
        url: Some(answer.url),
    })
}
