//! Shared parts of crawls that read pages: answers as pages, fingerprints, and the store that belongs to a crawl.

use std::path::Path;

use crate::fetch::Answer;
use crate::fetch::crawl::{self, Visited};
use crate::{Document, Page};
use miette::{Diagnostic, Report};

use crate::keeping;
use crate::open::{self, Content};
use crate::stores;

/// An answer as a page.
pub fn page(answer: &Answer, content: &[u8], charset: Option<&'static str>) -> Page {
    let mut options = open::parse_options(charset);
    options.charset = answer.charset().map(str::to_owned);
    let document = Document::from_bytes(content.to_vec(), &options);
    Page::from_document(answer.url.as_str(), document).with_url(answer.url.clone())
}

/// Returns a hash that changes with the page.
pub fn fingerprint(visited: &Visited<'_>, charset: Option<&'static str>) -> String {
    let content = Content {
        bytes: visited.content.to_vec(),
        media_type: None,
        charset: visited.answer.charset().map(str::to_owned),
        address: Some(visited.answer.url.clone()),
        notes: Vec::new(),
    };
    keeping::fingerprint(&content, charset.unwrap_or_default())
}

/// Returns `true` if an answer is worth parsing.
pub fn is_page(answer: &Answer) -> bool {
    answer.media_type().is_none_or(|media| {
        matches!(media.as_str(), "text/html" | "application/xhtml+xml")
            || media.ends_with("/xml")
            || media.ends_with("+xml")
    })
}

/// Returns a hash of a text for the identity of a crawl.
pub fn sum(text: &str) -> String {
    let sum =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{sum:016x}")
}

/// A store that is not the one that a crawl has kept its records in.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("`{state}` says that {pages} pages are kept in {store}, but {why}")]
#[diagnostic(
    code(crawl::store),
    help("put the store back, add --restart to fetch the pages again, or give a new crawl its own --state FILE")
)]
pub struct StoreMismatch {
    state: String,
    pages: u64,
    store: String,
    why: String,
}

/// Checks that a store holds what the crawl with this state has kept in it, before anything is written to either.
pub fn check_store(address: &str, state: &Path, restart: bool) -> Result<(), Report> {
    // The state first: a crawl that is under way marks its store before its state.
    let Some(checkpoint) = crawl::checkpoint(state)?.filter(|checkpoint| !restart && checkpoint.generation > 0) else {
        return Ok(());
    };
    let pages = crawl::status(state)?.done;
    let is_file = !address.contains("://");
    let mismatch = |why: String| StoreMismatch {
        state: state.display().to_string(),
        pages,
        store: if is_file { format!("`{address}`") } else { "the database".to_owned() },
        why,
    };
    if is_file && !Path::new(address).exists() {
        return Err(mismatch("that file is gone".to_owned()).into());
    }
    let mark = stores::open(address)?.crawl_mark(&checkpoint.crawl).map_err(stores::report)?;
    match mark {
        None => Err(mismatch("that store knows nothing of this crawl".to_owned()).into()),
        Some(mark) if mark < checkpoint.generation => {
            let why = format!(
                "that store is an older copy: it has the crawl's first {mark} batches of pages, and the crawl has kept {}",
                checkpoint.generation
            );
            Err(mismatch(why).into())
        }
        Some(_) => Ok(()),
    }
}
