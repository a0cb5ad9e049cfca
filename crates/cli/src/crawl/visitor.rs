//! What a crawl does with a page: runs the wrapper on it, and looks for where to go on.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use miette::Report;
use url::Url;
use windrow::fetch::Answer;
use windrow::fetch::crawl::{self, Visit, Visited};
use windrow::wrapper::Limits;
use windrow::{Document, Expr, Page, Pages, ParseOptions};

use super::CrawlError;
use super::watch::Lines;
use crate::args::{CrawlArguments, CrawlFormat, ExtractFormat};
use crate::extract::problems;
use crate::extract::render::Renderer;
use crate::pages;
use crate::rules::Rules;

/// Reads the pages of a crawl.
pub(super) struct Visitor<'a> {
    rules: Option<(&'a Rules, Renderer<'a>)>,
    /// What the output begins with.
    header: Vec<u8>,
    follow: Vec<Expr>,
    next: bool,
    charset: Option<&'static str>,
    quiet: bool,
    lines: OnceLock<Lines>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new(
        arguments: &CrawlArguments,
        rules: Option<&'a Rules>,
        follow: Vec<Expr>,
        format: CrawlFormat,
    ) -> Result<Visitor<'a>, Report> {
        let format = match format {
            CrawlFormat::Jsonl => ExtractFormat::Jsonl,
            CrawlFormat::Csv => ExtractFormat::Csv,
        };
        let rules = rules.map(|rules| (rules, Renderer::of(format, arguments.raw, rules.extractor.shape(), true)));
        let mut header = Vec::new();
        if let Some((_, renderer)) = &rules {
            if renderer.columns_are_open() {
                return Err(CrawlError::OpenColumns.into());
            }
            header = renderer.printer().end().into_iter().flat_map(|(_, bytes)| bytes).collect();
            if !arguments.reading.quiet {
                renderer.hints().iter().for_each(|hint| crate::run::tell(hint));
            }
        }
        Ok(Visitor {
            rules,
            header,
            follow,
            next: !arguments.no_next,
            charset: arguments.reading.charset,
            quiet: arguments.reading.quiet,
            lines: OnceLock::new(),
        })
    }

    /// What the output begins with.
    pub(super) fn header(&self) -> Vec<u8> {
        self.header.clone()
    }

    /// Where to tell what is wrong with pages.
    pub(super) fn tell_through(&self, lines: Lines) {
        let _ = self.lines.set(lines);
    }

    fn options(&self, answer: &Answer) -> ParseOptions {
        let mut options = pages::options(self.charset);
        options.charset = answer.charset().map(str::to_owned);
        options
    }

    fn page(&self, answer: &Answer, content: &[u8]) -> Page {
        let document = Document::from_bytes(content.to_vec(), &self.options(answer));
        Page::from_document(answer.url.as_str(), document).with_url(answer.url.clone())
    }

    fn links(&self, page: &Page) -> Vec<Url> {
        let (document, address) = (page.document(), page.base().cloned());
        let Some(base) = address else { return Vec::new() };
        let mut links = Vec::new();
        if self.next {
            links.extend(windrow::learn::next::page(document, page.url().unwrap_or(&base)).map(|next| next.url));
        }
        for expr in &self.follow {
            let found = expr.select(document, document.root()).unwrap_or_default();
            links.extend(found.into_iter().filter_map(|node| base.join(target(document, node)?.trim()).ok()));
        }
        links
    }
}

/// Where a node leads: an attribute's value, or the `href` or `src` of an element.
fn target(document: &Document, node: windrow::Node) -> Option<&str> {
    match node.attr(document) {
        Some(attribute) => Some(attribute.value()),
        None => ["href", "src"].iter().find_map(|name| document.attr(node.id(), name)),
    }
}

/// Whether an answer is worth parsing.
fn is_page(answer: &Answer) -> bool {
    answer.media_type().is_none_or(|media| {
        matches!(media.as_str(), "text/html" | "application/xhtml+xml")
            || media.ends_with("/xml")
            || media.ends_with("+xml")
    })
}

impl crawl::Visitor for Visitor<'_> {
    fn visit(&self, visited: &Visited<'_>) -> Visit {
        if !is_page(visited.answer) {
            return Visit::default();
        }
        let page = Arc::new(self.page(visited.answer, &visited.content));
        let links = self.links(&page);
        let Some((rules, renderer)) = &self.rules else { return Visit { links, ..Visit::default() } };
        let parts = Parts { visitor: self, visited, incomplete: Cell::new(false) };
        let extraction = rules.extractor.extract_with(Arc::clone(&page), &parts, Limits::default());
        if parts.incomplete.get() {
            return Visit { links, ..Visit::default() };
        }
        let name = visited.answer.url.as_str();
        if !self.quiet
            && let Some(lines) = self.lines.get()
        {
            let told = problems::tell(name, &extraction, Some(rules), false);
            told.errors.into_iter().chain(told.warnings).for_each(|line| lines.tell(line));
        }
        if !extraction.has_values() {
            return Visit { links, ..Visit::default() };
        }
        let mut output = Vec::new();
        for (_, bytes) in renderer.printer().print(renderer.render(name, &extraction)) {
            output.extend_from_slice(bytes.strip_prefix(self.header.as_slice()).unwrap_or(&bytes));
        }
        let records = extraction.objects().count() as u64;
        Visit { links, output: vec![(0, output)], records }
    }
}

/// The pages that the wrapper asks for.
struct Parts<'a> {
    visitor: &'a Visitor<'a>,
    visited: &'a Visited<'a>,
    /// Whether some are still to come.
    incomplete: Cell<bool>,
}

impl Pages for Parts<'_> {
    fn get(&self, wanted: &str) -> Result<Arc<Page>, String> {
        let url = Url::parse(wanted).map_err(|error| error.to_string())?;
        match self.visited.part(&url) {
            Ok((answer, content)) => Ok(Arc::new(self.visitor.page(&answer, &content))),
            Err(why) => {
                self.incomplete.set(self.incomplete.get() || self.visited.is_waiting());
                Err(why)
            }
        }
    }
}
