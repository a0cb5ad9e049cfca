//! The wrappers that are broken and repaired: each with its page, and what it found there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;
use url::Url;
use windrow_dom::{Document, ParseOptions};
use windrow_feed::Options;
use windrow_learn::discover::discover;
use windrow_learn::example::{self, Example, Pointed, Pointer, Request};
use windrow_learn::feed;
use windrow_learn::repair::Known;
use windrow_testkit::mutate::{Subject, words};
use windrow_testkit::redesign::settled;
use windrow_wrapper::{Extraction, Extractor, Page, Wrapper};

/// So many pages of entries a weblog is learned from at most.
const ENTRIES: usize = 10;

/// Fields that an example shows at most, as the scorer does.
const SHOWN: usize = 5;

/// A page of a corpus, decoded, and written so that it reads back as itself.
pub(super) struct Source {
    pub(super) corpus: &'static str,
    pub(super) name: String,
    /// Pages of one site are not foreign to each other.
    pub(super) site: String,
    pub(super) language: String,
    pub(super) url: Option<Url>,
    pub(super) document: Document,
    pub(super) words: Vec<String>,
    folder: PathBuf,
}

/// A wrapper with its page.
pub(super) struct Learned {
    pub(super) method: &'static str,
    /// Its page, by number.
    pub(super) source: usize,
    pub(super) wrapper: Wrapper,
    pub(super) extractor: Extractor,
    pub(super) extraction: Extraction,
    pub(super) known: Known,
    pub(super) subject: Subject,
}

/// Number of wrappers that could not be learned, by reason.
#[derive(Default)]
pub(super) struct LeftOut {
    pub(super) unlearned: Vec<String>,
    pub(super) too_few: Vec<String>,
}

/// The list pages and home pages below a folder, sorted by name.
pub(super) fn sources(corpus: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for (set, file) in [("lists", "page.html"), ("blogs", "home.html")] {
        let mut folders: Vec<PathBuf> = match fs::read_dir(corpus.join(set)) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(error) => {
                eprintln!("skipped: {}: {error}", corpus.join(set).display());
                continue;
            }
        };
        folders.sort();
        for folder in folders {
            let Ok(bytes) = fs::read(folder.join(file)) else { continue };
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let decoded = Document::from_bytes(bytes, &ParseOptions::default());
            let Some(document) = settled(decoded.source()) else {
                eprintln!("left out: {set}/{name} does not read back as itself");
                continue;
            };
            let meta = json(&folder.join("meta.json"));
            let truth = json(&folder.join("truth.json"));
            let text = |key: &str| meta[key].as_str().unwrap_or_default().to_owned();
            let url = truth["pages"][file]["url"].as_str().or(meta["url"].as_str());
            sources.push(Source {
                corpus: set,
                site: Some(text("site")).filter(|site| !site.is_empty()).unwrap_or_else(|| name.clone()),
                language: text("lang").chars().take(2).collect(),
                url: url.and_then(|url| Url::parse(url).ok()),
                words: words(&document),
                document,
                name,
                folder,
            });
        }
    }
    sources
}

impl Source {
    /// A page of the same address with another source.
    pub(super) fn page(&self, document: Document) -> Arc<Page> {
        let page = Page::from_document(format!("{}/{}", self.corpus, self.name), document);
        Arc::new(match &self.url {
            Some(url) => page.with_url(url.clone()),
            None => page,
        })
    }

    /// All wrappers that can be learned on it.
    pub(super) fn learn(&self, number: usize, left_out: &mut LeftOut) -> Vec<Learned> {
        let wrappers = match self.corpus {
            "lists" => {
                vec![("discover", discover(&self.document, 1).into_iter().next()), ("example", self.by_example())]
            }
            _ => vec![("feed", self.by_feed())],
        };
        let mut learned = Vec::new();
        for (method, wrapper) in wrappers {
            let name = format!("{method} {}", self.name);
            let Some((wrapper, extractor)) = wrapper.and_then(|wrapper| {
                let extractor = Extractor::new(&wrapper).ok()?;
                Some((wrapper, extractor))
            }) else {
                left_out.unlearned.push(name);
                continue;
            };
            let page = self.page(self.document.clone());
            let extraction = extractor.extract(Arc::clone(&page));
            if extraction.objects().filter(|object| object.is_record()).count() < 2 {
                left_out.too_few.push(name);
                continue;
            }
            learned.push(Learned {
                method,
                source: number,
                known: Known::of(&[extractor.extract(page)]),
                subject: Subject::new(&self.document, &extraction),
                wrapper,
                extractor,
                extraction,
            });
        }
        learned
    }

    /// Shown the first of the records that have most fields, as the scorer of examples does.
    fn by_example(&self) -> Option<Wrapper> {
        let truth = json(&self.folder.join("truth.json"));
        let records: Vec<_> =
            truth["records"].as_array()?.iter().filter_map(|record| record["fields"].as_object()).collect();
        if records.len() < 2 {
            return None;
        }
        let says = |value: &Json| value.as_str().is_some_and(|text| !text.trim().is_empty());
        let most = records.iter().map(|fields| fields.values().filter(|value| says(value)).count()).max()?;
        let shown = records.iter().find(|fields| fields.values().filter(|value| says(value)).count() == most)?;
        let fields = shown.iter().take(SHOWN).filter(|(_, value)| says(value)).filter_map(|(field, value)| {
            Some(Pointed { field: field.clone(), at: Pointer::Text(value.as_str()?.to_owned()) })
        });
        let example = Example { fields: fields.collect(), page: None };
        let request = Request { examples: vec![example], ..Request::default() };
        Some(example::learn(&[&self.document], &request).ok()?.wrapper)
    }

    /// From the weblog's feed, its home page, and the pages of entries that the learner asks for.
    fn by_feed(&self) -> Option<Wrapper> {
        let url = self.url.as_ref()?;
        let bytes = fs::read(self.folder.join("feed.xml")).ok()?;
        let items = windrow_feed::parse(&bytes, &Options::new().with_base(url.as_str())).ok()?.items;
        let home = self.page(self.document.clone());
        let truth = json(&self.folder.join("truth.json"));
        let others: Vec<(&String, Url)> = truth["pages"]
            .as_object()?
            .iter()
            .filter(|(file, _)| *file != "home.html")
            .filter_map(|(file, page)| Some((file, Url::parse(page["url"].as_str()?).ok()?)))
            .collect();
        let mut pages = vec![Arc::clone(&home)];
        let mut taken: Vec<&str> = Vec::new();
        for wanted in feed::wanted(&items, &home) {
            let found = others.iter().find(|(_, url)| address(url) == address(&wanted));
            if let Some((file, url)) =
                found.filter(|(file, _)| pages.len() <= ENTRIES && !taken.contains(&file.as_str()))
            {
                taken.push(file);
                let bytes = fs::read(self.folder.join(file)).ok()?;
                let document = Document::from_bytes(bytes, &ParseOptions::default());
                pages.push(Arc::new(Page::from_document(file.as_str(), document).with_url(url.clone())));
            }
        }
        Some(feed::learn(&items, &pages, &feed::Options::default()).ok()?.wrapper)
    }
}

/// Returns the part of an address that its spellings have in common.
fn address(url: &Url) -> (&str, &str, &str) {
    let host = url.host_str().unwrap_or_default();
    let path = url.path().trim_end_matches("index.html").trim_end_matches('/');
    (host.trim_start_matches("www."), path, url.query().unwrap_or_default())
}

/// A JSON file; null if it is not there.
fn json(file: &Path) -> Json {
    fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Json::Null)
}
