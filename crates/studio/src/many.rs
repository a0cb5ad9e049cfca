//! Running rules on many pages: addresses, files, folders and archives.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::api::{ManyRequest, ManyRow, OpenRequest, Opened};
use crate::failure::Refused;
use crate::rules::Rules;
use crate::run;
use crate::state::{Open, State};

/// Largest number of pages in one call.
const MOST: usize = 40;
/// Largest number of given names.
const NAMES: usize = 1_000;
/// Deepest nesting of folders that is searched.
const DEEPEST: usize = 8;
/// Largest number of files and folders that are examined.
const LOOKED_AT: usize = 20_000;
/// Time limit for opening pages; the rest is reported as unopened before the call itself times out.
const LONGEST: Duration = Duration::from_secs(80);

/// A single page to open.
enum Page {
    Named(String),
    Archived { path: String, url: String },
    Unread { name: String, refused: Refused },
}

/// Runs rules on pages.
pub(crate) fn run(state: &State, request: ManyRequest) -> Result<Vec<ManyRow>, Refused> {
    let began = Instant::now();
    let rules = Rules::read(request.rules)?;
    if request.pages.is_empty() || request.pages.len() > NAMES {
        return Err(Refused::unfit("studio::pages", format!("give 1 to {NAMES} addresses, files or folders")));
    }
    let mut pages = Vec::new();
    let mut left = LOOKED_AT;
    for name in &request.pages {
        expand(state, name.trim(), &mut pages, &mut left);
    }
    let more = pages.len().saturating_sub(MOST);
    pages.truncate(MOST);
    let mut rows: Vec<ManyRow> = pages.into_iter().map(|page| row(state, &rules, page, began)).collect();
    if more > 0 {
        let message = format!("{more} further pages were not opened; at most {MOST} are opened at a time");
        let refused =
            Refused::unfit("studio::too_many", message).with_help("use `windrow extract` for any number of pages");
        rows.push(failed("…".to_owned(), refused));
    }
    Ok(rows)
}

fn row(state: &State, rules: &Rules, page: Page, began: Instant) -> ManyRow {
    let (name, opened) = match page {
        Page::Unread { name, refused } => (name, Err(refused)),
        Page::Named(name) | Page::Archived { url: name, .. } if began.elapsed() > LONGEST => {
            (name, Err(Refused::unfit("studio::no_time", "there was no time left to open it")))
        }
        Page::Named(name) => {
            let open = state.open_named(&name);
            (name, open)
        }
        Page::Archived { path, url } => {
            let opened = state.open(OpenRequest::File { path, url: Some(url.clone()) });
            let open = opened.and_then(|opened| match opened {
                Opened::Page { page } => state.page(page.id),
                Opened::Archive { .. } => Err(Refused::internal("the archive has no such page")),
            });
            (url, open)
        }
    };
    match opened {
        Ok(open) => found(name, rules, &open),
        Err(refused) => failed(name, refused),
    }
}

fn found(name: String, rules: &Rules, open: &Open) -> ManyRow {
    ManyRow { name, page: Some(open.info.clone()), result: Some(run::run(rules, &open.page)), failure: None }
}

fn failed(name: String, refused: Refused) -> ManyRow {
    ManyRow { name, page: None, result: None, failure: Some(*refused.failure) }
}

/// Adds the pages that a name refers to.
fn expand(state: &State, name: &str, pages: &mut Vec<Page>, left: &mut usize) {
    let unread = |refused: Refused| Page::Unread { name: name.to_owned(), refused };
    if name.contains("://") {
        pages.push(Page::Named(name.to_owned()));
        return;
    }
    let path = Path::new(name);
    if path.is_dir() {
        let before = pages.len();
        let mut files = Vec::new();
        folder(path, &mut files, left, 0);
        pages.extend(files.into_iter().map(|path| Page::Named(path.display().to_string())));
        if pages.len() == before {
            pages.push(unread(Refused::unfit("page::none", format!("`{name}` contains no pages"))));
        }
        return;
    }
    if !windrow::fetch::warc::Archive::is_one(path) {
        pages.push(Page::Named(name.to_owned()));
        return;
    }
    match state.open(OpenRequest::File { path: name.to_owned(), url: None }) {
        Ok(Opened::Archive { path, entries, .. }) => {
            let is_page = |kind: &Option<String>| kind.as_deref().is_none_or(|kind| kind.contains("html"));
            let own = entries.into_iter().filter(|entry| is_page(&entry.media_type));
            pages.extend(own.map(|entry| Page::Archived { path: path.clone(), url: entry.url }));
        }
        Ok(Opened::Page { page }) => pages.push(Page::Named(page.name)),
        Err(refused) => pages.push(unread(refused)),
    }
}

/// Adds the pages of a folder and its subfolders, sorted by name.
fn folder(path: &Path, files: &mut Vec<PathBuf>, left: &mut usize, depth: usize) {
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).take(*left).collect();
    *left -= entries.len();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_page = ["html", "htm", "xhtml"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        // Links are not followed, since they may form a cycle.
        if kind.is_dir() && depth < DEEPEST {
            folder(&path, files, left, depth + 1);
        } else if kind.is_file() && is_page {
            files.push(path);
        }
    }
}
