//! What crawls have in common that read pages: answers as pages, and what tells them apart.

use miette::Report;
use windrow::fetch::Answer;
use windrow::fetch::crawl::Visited;
use windrow::{Document, Page};

use crate::keep;
use crate::pages::{self, Content};

/// An answer as a page.
pub(crate) fn page(answer: &Answer, content: &[u8], charset: Option<&'static str>) -> Page {
    let mut options = pages::options(charset);
    options.charset = answer.charset().map(str::to_owned);
    let document = Document::from_bytes(content.to_vec(), &options);
    Page::from_document(answer.url.as_str(), document).with_url(answer.url.clone())
}

/// What tells whether a page has changed.
pub(crate) fn fingerprint(visited: &Visited<'_>, charset: Option<&'static str>) -> String {
    let content = Content {
        bytes: visited.content.to_vec(),
        media_type: None,
        charset: visited.answer.charset().map(str::to_owned),
        address: Some(visited.answer.url.clone()),
        notes: Vec::new(),
    };
    keep::fingerprint(&content, charset.unwrap_or_default())
}

/// Whether an answer is worth parsing.
pub(crate) fn is_page(answer: &Answer) -> bool {
    answer.media_type().is_none_or(|media| {
        matches!(media.as_str(), "text/html" | "application/xhtml+xml")
            || media.ends_with("/xml")
            || media.ends_with("+xml")
    })
}

/// Ends the program because the store takes nothing any more. The page is not stored yet as far as the crawl knows, so the
/// same command goes on with it: a crawl may end like this at any moment.
pub(crate) fn end(report: &Report) -> ! {
    crate::run::tell_error(report);
    std::process::exit(2)
}

/// What tells one text from another, in the identity of a crawl.
pub(crate) fn sum(text: &str) -> String {
    let sum =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{sum:016x}")
}
