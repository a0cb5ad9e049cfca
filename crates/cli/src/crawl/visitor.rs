//! What a crawl does with a page: runs the wrapper on it, and looks for where to go on.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use miette::Report;
use url::Url;
use windrow::fetch::Answer;
use windrow::fetch::crawl::{self, Link, Visit, Visited};
use windrow::wrapper::Limits;
use windrow::{Document, Expr, Page, Pages};

use super::watch::Lines;
use super::{CrawlError, reading};
use crate::args::{CrawlArguments, CrawlFormat, ExtractFormat};
use crate::extract::into;
use crate::extract::problems;
use crate::extract::render::Renderer;
use crate::keep::{Keeping, Worked};
use crate::rules::Rules;

/// Reads the pages of a crawl.
pub(super) struct Visitor<'a> {
    rules: Option<(&'a Rules, Renderer<'a>)>,
    /// Where records are kept.
    keeping: Option<&'a Keeping>,
    /// Whether they are written, too.
    writes: bool,
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
        keeping: Option<&'a Keeping>,
    ) -> Result<Visitor<'a>, Report> {
        let format = match format {
            CrawlFormat::Jsonl => ExtractFormat::Jsonl,
            CrawlFormat::Csv => ExtractFormat::Csv,
        };
        let rules = rules.map(|rules| (rules, Renderer::of(format, arguments.raw, rules.extractor.shape(), true)));
        // A store takes the place of standard output.
        let writes = keeping.is_none() || arguments.output.is_some();
        let mut header = Vec::new();
        if let Some((_, renderer)) = rules.as_ref().filter(|_| writes) {
            if renderer.columns_are_open() {
                return Err(CrawlError::OpenColumns.into());
            }
            header = renderer.printer().end().into_iter().flat_map(|(_, bytes)| bytes).collect();
            if !arguments.reading.quiet {
                renderer.hints("--into STORE").iter().for_each(|hint| crate::run::tell(hint));
            }
        }
        Ok(Visitor {
            rules,
            keeping,
            writes,
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

    fn page(&self, answer: &Answer, content: &[u8]) -> Page {
        reading::page(answer, content, self.charset)
    }

    /// Keeps what was found on a page.
    fn keep(&self, keeping: &Keeping, name: &str, hash: String, extraction: &windrow::Extraction, rules: &Rules) {
        let tell = |lines: Vec<String>, quiet: bool| {
            if let Some(watch) = self.lines.get().filter(|_| !quiet) {
                lines.into_iter().for_each(|line| watch.tell(line));
            }
        };
        let done = match into::worked(keeping, name, hash, extraction, Some(rules), false, Vec::new()) {
            Worked::Page { page, notes } => keeping.keep(&page).map(|alarms| (alarms, notes)),
            Worked::Cut { errors, notes } => keeping.keep_failed().map(|()| (errors, notes)),
            Worked::Unchanged { .. } => unreachable!("it was extracted from"),
        };
        let (errors, notes) = done.unwrap_or_else(|report| reading::end(&report));
        tell(errors, false);
        tell(notes, self.quiet);
    }

    fn links(&self, page: &Page) -> Vec<Link> {
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
        links.into_iter().map(Link::from).collect()
    }
}

/// Where a node leads: an attribute's value, or the `href` or `src` of an element.
fn target(document: &Document, node: windrow::Node) -> Option<&str> {
    match node.attr(document) {
        Some(attribute) => Some(attribute.value()),
        None => ["href", "src"].iter().find_map(|name| document.attr(node.id(), name)),
    }
}

impl crawl::Visitor for Visitor<'_> {
    fn visit(&self, visited: &Visited<'_>) -> Visit {
        if !reading::is_page(visited.answer) {
            return Visit::default();
        }
        let page = Arc::new(self.page(visited.answer, &visited.content));
        let links = self.links(&page);
        let Some((rules, renderer)) = &self.rules else { return Visit { links, ..Visit::default() } };
        let name = visited.answer.url.as_str();
        let hash = self.keeping.map(|keeping| (keeping, reading::fingerprint(visited, self.charset)));
        // What other pages say is part of it, and they may have changed.
        if let Some((keeping, hash)) = hash.as_ref().filter(|_| !self.writes && !rules.extractor.asks_for_pages())
            && keeping.is_unchanged(name, hash).unwrap_or_else(|report| reading::end(&report))
        {
            keeping.keep_unchanged(name).unwrap_or_else(|report| reading::end(&report));
            return Visit { links, ..Visit::default() };
        }
        let parts = Parts { visitor: self, visited, incomplete: Cell::new(false) };
        let extraction = rules.extractor.extract_with(Arc::clone(&page), &parts, Limits::default());
        if parts.incomplete.get() {
            return Visit { links, ..Visit::default() };
        }
        if let Some((keeping, hash)) = hash {
            self.keep(keeping, name, hash, &extraction, rules);
        } else if !self.quiet
            && let Some(lines) = self.lines.get()
        {
            let told = problems::tell(name, &extraction, Some(rules), false);
            told.errors.into_iter().chain(told.warnings).for_each(|line| lines.tell(line));
        }
        if !extraction.has_values() || !self.writes {
            let records = extraction.objects().count() as u64;
            return Visit { links, records, ..Visit::default() };
        }
        let mut output = Vec::new();
        for (_, bytes) in renderer.printer().print(renderer.render(name, &extraction)) {
            output.extend_from_slice(bytes.strip_prefix(self.header.as_slice()).unwrap_or(&bytes));
        }
        let records = extraction.objects().count() as u64;
        Visit { links, output: vec![(0, output)], records, ..Visit::default() }
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
