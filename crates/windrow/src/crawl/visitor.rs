//! The visits of a crawl: run the wrapper on a page, and find links to go on with.

use std::cell::Cell;
use std::sync::Arc;

use crate::fetch::Answer;
use crate::fetch::crawl::{self, Link, Visit, Visited};
use crate::wrapper::Limits;
use crate::{Document, Expr, Page, Pages};
use miette::Report;
use url::Url;

use super::{CrawlError, CrawlOptions, Fatal, pages};
use crate::format::render::Renderer;
use crate::keeping::{self, PageOutcome, StoreRun};
use crate::monitor::Monitor;
use crate::problems;
use crate::wrapper_file::WrapperFile;

/// Reads the pages of a crawl.
pub(super) struct CrawlVisitor<'a> {
    rules: Option<(&'a WrapperFile, Renderer<'a>)>,
    /// The store for records.
    keeping: Option<&'a StoreRun>,
    /// True if records are written, too.
    writes: bool,
    /// Beginning of the output.
    header: Vec<u8>,
    follow: Vec<Expr>,
    next: bool,
    charset: Option<&'static str>,
    fatal: &'a Fatal,
    monitor: &'a dyn Monitor,
}

impl<'a> CrawlVisitor<'a> {
    pub(super) fn new(
        options: &CrawlOptions,
        rules: Option<&'a WrapperFile>,
        keeping: Option<&'a StoreRun>,
        fatal: &'a Fatal,
        monitor: &'a dyn Monitor,
    ) -> Result<CrawlVisitor<'a>, Report> {
        let rules = match rules {
            Some(rules) => Some((rules, Renderer::of(options.format, options.raw, rules.extractor.shape(), true)?)),
            None => None,
        };
        // A store takes the place of standard output.
        let writes = keeping.is_none() || options.output.is_some();
        let mut header = Vec::new();
        if let Some((_, renderer)) = rules.as_ref().filter(|_| writes) {
            if renderer.columns_are_open() {
                return Err(CrawlError::OpenColumns.into());
            }
            header = renderer.printer().end()?.into_iter().flat_map(|(_, bytes)| bytes).collect();
            renderer.hints("--into STORE").iter().for_each(|hint| monitor.note(hint));
        }
        let (follow, next) = (options.follow.clone(), options.next_pages);
        Ok(CrawlVisitor { rules, keeping, writes, header, follow, next, charset: options.charset, fatal, monitor })
    }

    /// Returns the beginning of the output.
    pub(super) fn header(&self) -> Vec<u8> {
        self.header.clone()
    }

    fn page(&self, answer: &Answer, content: &[u8]) -> Page {
        pages::page(answer, content, self.charset)
    }

    /// Keeps what was found on a page.
    fn keep(
        &self,
        keeping: &StoreRun,
        name: &str,
        hash: String,
        extraction: &crate::Extraction,
        rules: &WrapperFile,
    ) -> Result<(), Report> {
        let (errors, notes) = match keeping::outcome(keeping, name, hash, extraction, Some(rules), false, Vec::new()) {
            PageOutcome::Page { page, notes } => (keeping.keep(&page)?, notes),
            PageOutcome::Cut { errors, notes } => {
                keeping.keep_failed()?;
                (errors, notes)
            }
            PageOutcome::Unchanged { .. } => unreachable!("it was extracted from"),
        };
        errors.iter().for_each(|line| self.monitor.alarm(line));
        notes.iter().for_each(|line| self.monitor.note(line));
        Ok(())
    }

    fn links(&self, page: &Page) -> Vec<Link> {
        let (document, address) = (page.document(), page.base().cloned());
        let Some(base) = address else { return Vec::new() };
        let mut links = Vec::new();
        if self.next {
            links.extend(crate::learn::next::page(document, page.url().unwrap_or(&base)).map(|next| next.url));
        }
        for expr in &self.follow {
            let found = expr.select(document, document.root()).unwrap_or_default();
            links.extend(found.into_iter().filter_map(|node| base.join(target(document, node)?.trim()).ok()));
        }
        links.into_iter().map(Link::from).collect()
    }
}

/// Returns the target of a node: an attribute's value, or the `href` or `src` of an element.
fn target(document: &Document, node: crate::Node) -> Option<&str> {
    match node.attr(document) {
        Some(attribute) => Some(attribute.value()),
        None => ["href", "src"].iter().find_map(|name| document.attr(node.id(), name)),
    }
}

impl crawl::Visitor for CrawlVisitor<'_> {
    fn visit(&self, visited: &Visited<'_>) -> Visit {
        self.read(visited).unwrap_or_else(|report| {
            self.fatal.set(report);
            Visit::default()
        })
    }
}

impl CrawlVisitor<'_> {
    /// Reads a page. An error is one of the store, and ends the crawl.
    fn read(&self, visited: &Visited<'_>) -> Result<Visit, Report> {
        if !pages::is_page(visited.answer) {
            return Ok(Visit::default());
        }
        let page = Arc::new(self.page(visited.answer, &visited.content));
        let links = self.links(&page);
        let Some((rules, renderer)) = &self.rules else { return Ok(Visit { links, ..Visit::default() }) };
        let name = visited.answer.url.as_str();
        let hash = self.keeping.map(|keeping| (keeping, pages::fingerprint(visited, self.charset)));
        // Other pages that the wrapper asks for may have changed.
        if let Some((keeping, hash)) = hash.as_ref().filter(|_| !self.writes && !rules.extractor.asks_for_pages())
            && keeping.is_unchanged(name, hash)?
        {
            keeping.keep_unchanged(name)?;
            return Ok(Visit { links, ..Visit::default() });
        }
        let parts = CrawlParts { visitor: self, visited, incomplete: Cell::new(false) };
        let extraction = rules.extractor.extract_with(Arc::clone(&page), &parts, Limits::default());
        if parts.incomplete.get() {
            return Ok(Visit { links, ..Visit::default() });
        }
        if let Some((keeping, hash)) = hash {
            self.keep(keeping, name, hash, &extraction, rules)?;
        } else {
            let told = problems::tell(name, &extraction, Some(rules), false);
            told.errors.iter().chain(&told.warnings).for_each(|line| self.monitor.note(line));
        }
        let records = extraction.objects().count() as u64;
        if !extraction.has_values() || !self.writes {
            return Ok(Visit { links, records, ..Visit::default() });
        }
        let mut output = Vec::new();
        for (_, bytes) in renderer.printer().print(renderer.render(name, &extraction))? {
            output.extend_from_slice(bytes.strip_prefix(self.header.as_slice()).unwrap_or(&bytes));
        }
        Ok(Visit { links, output: vec![(0, output)], records, ..Visit::default() })
    }
}

/// The pages that the wrapper asks for.
struct CrawlParts<'a> {
    visitor: &'a CrawlVisitor<'a>,
    visited: &'a Visited<'a>,
    /// True if some are still to come.
    incomplete: Cell<bool>,
}

impl Pages for CrawlParts<'_> {
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
