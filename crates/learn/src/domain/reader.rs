//! A domain made ready to read pages.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use windrow_dom::Document;
use windrow_wrapper::{Assembly, Errors, Extraction, Extractor, Find, Locator, Page, Rule, Wrapper};
use windrow_xpath::Node;

use super::entropy::{Entropies, Kind, Labelled};
use super::judge::judge;
use super::layout::Layouts;
use super::lexicon::{Lexicon, Mark, Stand};
use super::records::{self, Group};
use super::sheet::Sheet;
use super::unknown::{self, NONE};
use super::words::Domain;
use super::{Class, Evidence, Label, Pair, Reading, Record, names, said, title};
use crate::structured;

/// The list that records are in, and the field of a title that no role asks for.
pub(super) const RECORDS: &str = "records";
pub(super) const TITLE: &str = "title";

/// Reads pages in the words of a domain. Cheap to share between threads.
#[derive(Debug)]
pub struct Reader {
    domain: Domain,
    lexicon: Lexicon,
    patterns: Vec<Option<Regex>>,
    wrapper: Wrapper,
    extractor: Extractor,
    /// By role, and one for the title: the number of its rule.
    rules: Vec<usize>,
}

impl Reader {
    /// Makes a domain ready.
    ///
    /// # Errors
    ///
    /// If a role cannot be the name of a field. A domain that was read from a file has no such role.
    pub fn new(domain: Domain) -> Result<Reader, Errors> {
        let lexicon = Lexicon::new(&domain);
        let pattern = |text: &String| RegexBuilder::new(text).size_limit(super::file::MAX_PATTERN).build().ok();
        let patterns = domain.roles.iter().map(|role| role.value.as_ref().and_then(pattern)).collect();
        let (wrapper, rules) = shape(&domain);
        let extractor = Extractor::new(&wrapper)?;
        Ok(Reader { domain, lexicon, patterns, wrapper, extractor, rules })
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The shape of what comes out: a list of records whose fields are the roles.
    pub fn wrapper(&self) -> &Wrapper {
        &self.wrapper
    }

    /// Reads a page.
    pub fn read(&self, page: &Page) -> Reading {
        let document = page.document();
        let sheet = Sheet::new(document);
        let marks = self.marks(&sheet);
        let layouts = Layouts::new(&sheet, &marks, &self.patterns);
        let labels = marks.iter().filter(|mark| mark.stand < Stand::Prose && mark.role != NONE);
        let labelled: Vec<Labelled> =
            labels.map(|mark| Labelled { node: sheet.pieces[mark.first as usize].node, role: mark.role }).collect();
        let entropies = Entropies::new(document, &labelled, |id| sheet.leaves_below(id), false);
        let candidates = layouts.candidates();
        let judged = judge(&layouts, &self.patterns, candidates);
        let groups = records::group(&layouts, &entropies, judged);
        let class = self.class(&entropies, &groups);
        let alone = groups.len() == 1;
        let mut records: Vec<Record> = groups.iter().map(|group| self.record(&layouts, group, alone)).collect();
        let mut conflicts = Vec::new();
        if let [record] = &mut records[..] {
            conflicts = self.complete(document, page, &layouts, record);
        }
        Reading { class, records, conflicts, passed: entropies.passed, nodes: entropies.nodes }
    }

    pub(super) fn patterns(&self) -> &[Option<Regex>] {
        &self.patterns
    }

    pub(super) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The labels of a page, known and not.
    pub(super) fn marks(&self, sheet: &Sheet<'_>) -> Vec<Mark> {
        let marks = self.lexicon.marks(sheet);
        let layouts = Layouts::new(sheet, &marks, &self.patterns);
        let candidates = layouts.candidates();
        unknown::add(sheet, marks.clone(), &candidates, &layouts)
    }

    fn class(&self, entropies: &Entropies, groups: &[Group]) -> Class {
        let offers = entropies.nodes.iter().any(|node| node.kind == Kind::LinkOffer);
        match groups.is_empty() {
            false => Class::DataRich,
            true if offers => Class::LinkOffer,
            true => Class::Neither,
        }
    }

    fn record(&self, layouts: &Layouts<'_, '_>, group: &Group, alone: bool) -> Record {
        let mut pairs: Vec<Pair> = group
            .pairs
            .iter()
            .map(|judged| {
                let candidate = &judged.candidate;
                let role = candidate.role as usize;
                let mark = &layouts.marks[candidate.mark as usize];
                let text = layouts.sheet.text[mark.start as usize..mark.end as usize].to_owned();
                Pair {
                    role: Some(role),
                    label: Some(Label { text, node: layouts.label_node(candidate) }),
                    values: layouts.values(candidate, self.domain.roles[role].many),
                    evidence: Evidence::Label(candidate.layout),
                    confidence: judged.confidence(),
                    inner: Vec::new(),
                }
            })
            .collect();
        let called = self.domain.title();
        if !pairs.iter().any(|pair| pair.role.is_some() && pair.role == called)
            && let Some(value) = title::title(layouts, group.node, alone, None)
        {
            let title = Pair {
                role: called,
                label: None,
                values: vec![value],
                evidence: Evidence::Title,
                confidence: 0.5,
                inner: Vec::new(),
            };
            pairs.insert(0, title);
        }
        Record { node: group.node, entropy: group.entropy, pairs }
    }

    /// Adds what is not seen as a label, and reports what machines are told otherwise.
    fn complete(
        &self,
        document: &Document,
        page: &Page,
        layouts: &Layouts<'_, '_>,
        record: &mut Record,
    ) -> Vec<super::Conflict> {
        let structured = structured::read(document, page.base());
        let mut conflicts = Vec::new();
        if !structured.items.is_empty() {
            conflicts = said::weigh(document, &self.domain, &self.lexicon, &structured, &mut record.pairs);
        }
        let known = |role: usize| record.pairs.iter().any(|pair| pair.role == Some(role));
        let wanted: Vec<bool> = (0..self.domain.roles.len()).map(|role| !known(role)).collect();
        if wanted.contains(&true) {
            record.pairs.extend(names::find(layouts, &self.lexicon, &self.patterns, &wanted));
        }
        record.pairs.sort_by_key(|pair| pair.role);
        conflicts
    }

    /// What was read as objects, in the shape of [`wrapper`](Reader::wrapper).
    pub fn extraction(&self, page: impl Into<Arc<Page>>, reading: &Reading) -> Extraction {
        let mut assembly = self.extractor.assemble(page);
        for record in &reading.records {
            assembly.open(0, record.node);
            for pair in &record.pairs {
                self.pair(&mut assembly, pair);
            }
            assembly.close();
        }
        assembly.finish()
    }

    fn pair(&self, assembly: &mut Assembly, pair: &Pair) {
        let Some(&rule) = self.rules.get(pair.role.unwrap_or(self.domain.roles.len())) else { return };
        for value in &pair.values {
            match value.part {
                None if !matches!(pair.evidence, Evidence::Said(_)) => assembly.node(rule, Node::node(value.node)),
                _ => assembly.text(rule, value.text.as_str(), Node::node(value.node)),
            }
        }
    }
}

/// The rules that say what comes out, and the number of each role's.
fn shape(domain: &Domain) -> (Wrapper, Vec<usize>) {
    let mut wrapper = Wrapper { name: Some(domain.name.as_str().into()), ..Wrapper::default() };
    let here = || Locator::new(Find::Scope);
    let mut list = Rule::list(RECORDS, here());
    let mut rules = vec![0; domain.roles.len() + 1];
    let mut number = 0;
    if domain.title().is_none() {
        number += 1;
        rules[domain.roles.len()] = number;
        list.rules.push(Rule::field(TITLE, here()).optional());
    }
    for (at, role) in domain.roles.iter().enumerate().filter(|(_, role)| role.within.is_none()) {
        number += 1;
        rules[at] = number;
        let make = if role.many == Some(true) { Rule::list } else { Rule::field };
        let mut rule = make(role.name.as_str(), here()).optional();
        rule.ty = role.ty;
        list.rules.push(rule);
    }
    wrapper.rules.push(list);
    (wrapper, rules)
}
