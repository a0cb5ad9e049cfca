//! A domain made ready to read pages.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use windrow_dom::{Document, NodeId};
use windrow_wrapper::values::Type;
use windrow_wrapper::{Assembly, Errors, Extraction, Extractor, Find, Locator, Page, Rule, Shape, Wrapper};
use windrow_xpath::Node;

use super::confidence::{self, Clues};
use super::entropy::{Entropies, Kind, Labelled};
use super::judge::{Judged, judge};
use super::layout::{Candidate, Layout, Layouts};
use super::lexicon::{Lexicon, Mark, Stand};
use super::records::{self, Group};
use super::sheet::Sheet;
use super::unknown::{self, NONE};
use super::words::{Domain, Role, Thresholds};
use super::{Class, Evidence, Label, Pair, Reading, Record, Value, inner, items, names, phrase, said, title};
use crate::structured;

/// The list that records are in, and the field of a title that no role asks for.
pub(super) const RECORDS: &str = "records";
pub(super) const TITLE: &str = "title";
/// The field of what a role with roles inside is called, if none of them asks for it.
const NAME: &str = "name";

/// The score of a role that is told by roles inside it alone: that of a value in the next block, and a little more.
const HEADED: f32 = 1.5;
/// Likeness of the head of a column to a title: as much as a heading.
const COLUMN_TITLE: f32 = 8.0;
/// Bytes of a value that is no list.
const SHORT: u32 = 40;
/// How deep roles may lie in each other.
const DEEPEST: usize = 16;

/// Reads pages in the words of a domain. Cheap to share between threads.
#[derive(Debug)]
pub struct Reader {
    domain: Domain,
    lexicon: Lexicon,
    patterns: Vec<Option<Regex>>,
    phrases: Vec<Vec<Regex>>,
    wrapper: Wrapper,
    extractor: Extractor,
    /// By role, and one for the title: the number of its rule.
    rules: Vec<usize>,
    /// By role: of one with roles inside, the number of the rule for what it is called.
    called: Vec<Option<usize>>,
    /// How sure a pair must be.
    least: f32,
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
        let has_group = |phrase: &Regex| phrase.captures_len() > 1;
        let phrases = |role: &Role| role.phrases.iter().filter_map(pattern).filter(has_group).collect();
        let phrases = domain.roles.iter().map(phrases).collect();
        let Numbered { wrapper, rules, called } = numbered(&domain);
        let extractor = Extractor::new(&wrapper)?;
        Ok(Reader { domain, lexicon, patterns, phrases, wrapper, extractor, rules, called, least: confidence::LEAST })
    }

    /// Leaves out pairs whose confidence is below this, from 0 to 1, instead of [`confidence::LEAST`]; [`Reading::doubtful`] has
    /// them.
    #[must_use]
    pub fn at_least(self, confidence: f32) -> Reader {
        Reader { least: confidence, ..self }
    }

    /// Reads with other thresholds than the domain's.
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Reader {
        self.domain.thresholds = thresholds;
        self
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The wrapper whose shape everything has that comes out: a list of records whose fields are the roles.
    pub fn wrapper(&self) -> &Wrapper {
        &self.wrapper
    }

    /// That shape.
    pub fn shape(&self) -> Vec<Shape> {
        self.extractor.shape()
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
        let entropies = Entropies::new(document, &labelled, |id| sheet.leaves_below(id), self.domain.thresholds, false);
        let mut candidates = layouts.candidates();
        self.settle_roles(&layouts, &mut candidates);
        self.take_lists(&layouts, &mut candidates);
        let inner = inner::take(&self.domain, &mut candidates);
        let judged = judge(&layouts, &self.patterns, candidates);
        let groups = records::group(&layouts, &entropies, judged, self.domain.thresholds.data_rich);
        let class = self.class(&entropies, &groups);
        let alone = groups.len() == 1;
        let mut records: Vec<Record> = groups.iter().map(|group| self.record(&layouts, group, &inner, alone)).collect();
        let mut conflicts = Vec::new();
        let mut class = class;
        if let [record] = &mut records[..] {
            conflicts = self.complete(document, page, &layouts, record);
        } else if records.is_empty() && class == Class::Neither {
            // A page that scripts draw may say all of it to machines alone.
            let structured = structured::read(document, page.base());
            records.extend(said::record(document, &self.domain, &self.lexicon, &structured));
            class = if records.is_empty() { class } else { Class::DataRich };
        }
        let mut doubtful = Vec::new();
        let count = records.len() as u32;
        for record in &mut records {
            confidence::settle(record, count);
            let (sure, rest) = record.pairs.drain(..).partition(|pair| pair.confidence >= self.least);
            record.pairs = sure;
            doubtful.extend::<Vec<Pair>>(rest);
        }
        records.retain(|record| !record.pairs.is_empty());
        Reading { class, records, doubtful, conflicts, passed: entropies.passed, nodes: entropies.nodes }
    }

    /// The roles at the top whose labels a page has.
    pub(super) fn labels_on(&self, page: &Page) -> Vec<u32> {
        let sheet = Sheet::new(page.document());
        let top = |role: u32| self.domain.roles.get(role as usize).is_some_and(|role| role.within.is_none());
        let marks = self.lexicon.marks(&sheet);
        let labels = marks.iter().filter(|mark| mark.stand < Stand::Prose && top(mark.role));
        let mut roles: Vec<u32> = labels.map(|mark| mark.role).collect();
        roles.sort_unstable();
        roles.dedup();
        roles
    }

    pub(super) fn patterns(&self) -> &[Option<Regex>] {
        &self.patterns
    }

    pub(super) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The labels of a page, known and not.
    pub(super) fn marks(&self, sheet: &Sheet<'_>) -> Vec<Mark> {
        let mut marks = self.lexicon.marks(sheet);
        inner::settle(sheet, &self.domain, self.lexicon.keys(), &mut marks);
        let layouts = Layouts::new(sheet, &marks, &self.patterns);
        let candidates = layouts.candidates();
        unknown::add(sheet, marks.clone(), &candidates, &layouts)
    }

    /// Gives a value whose label is a keyword of several roles to the first whose pattern it matches, or that has none.
    fn settle_roles(&self, layouts: &Layouts<'_, '_>, candidates: &mut [Candidate]) {
        for candidate in candidates {
            let key = layouts.marks[candidate.mark as usize].key as usize;
            let roles = self.lexicon.keys().get(key).map_or(&[][..], |roles| roles);
            if roles.len() > 1 && self.domain.roles[candidate.role as usize].within.is_none() {
                let text = layouts.text(candidate);
                let top = || roles.iter().filter(|&&role| self.domain.roles[role as usize].within.is_none());
                let fits =
                    |role: &&u32| self.patterns[**role as usize].as_ref().is_some_and(|pattern| pattern.is_match(text));
                let open = |role: &&u32| self.patterns[**role as usize].is_none();
                candidate.role = *top().find(fits).or_else(|| top().find(open)).unwrap_or(&candidate.role);
            }
        }
    }

    /// Adds the lists below headings; each stands for what its heading would have had for a value.
    fn take_lists(&self, layouts: &Layouts<'_, '_>, candidates: &mut Vec<Candidate>) {
        let lists = items::candidates(layouts, &self.domain, &self.lexicon, candidates);
        candidates.retain(|candidate| {
            // Of a keyword of several roles, a short text may be the other's value.
            let long = candidate.end - candidate.start > SHORT;
            let listed = |list: &Candidate| list.mark == candidate.mark && (list.role == candidate.role || long);
            candidate.layout != Layout::Below || !lists.iter().any(listed)
        });
        candidates.extend(lists);
        candidates.sort_by_key(|candidate| (candidate.mark, candidate.list.is_some()));
    }

    fn class(&self, entropies: &Entropies, groups: &[Group]) -> Class {
        let offers = entropies.nodes.iter().any(|node| node.kind == Kind::LinkOffer);
        match groups.is_empty() {
            false => Class::DataRich,
            true if offers => Class::LinkOffer,
            true => Class::Neither,
        }
    }

    fn record(&self, layouts: &Layouts<'_, '_>, group: &Group, inner: &[Candidate], alone: bool) -> Record {
        let mut pairs: Vec<Pair> = group
            .pairs
            .iter()
            .map(|judged| {
                let candidate = &judged.candidate;
                let below = match self.has_parts(candidate.role) {
                    true => inner::groups(layouts, &self.domain, inner, candidate.role, candidate.mark),
                    false => Vec::new(),
                };
                let below = below
                    .iter()
                    .map(|group| group.iter().map(|candidate| self.labelled(layouts, candidate, judged)).collect());
                Pair { inner: below.collect(), ..self.labelled(layouts, candidate, judged) }
            })
            .filter(|pair| !pair.values.is_empty() || !pair.inner.is_empty())
            .collect();
        if alone {
            pairs.extend(self.headed(layouts, inner, &pairs));
        }
        let called = self.domain.title();
        if !pairs.iter().any(|pair| pair.role.is_some() && pair.role == called)
            && let Some((value, weight)) = match group.title {
                Some((start, end)) => {
                    layouts.text_value(start as usize..end as usize).map(|value| (value, COLUMN_TITLE))
                }
                None => title::title(layouts, group, alone),
            }
        {
            let title = Pair {
                role: called,
                label: None,
                values: vec![value],
                evidence: Evidence::Title,
                confidence: 0.5,
                clues: Clues { title: weight, ..Clues::default() },
                inner: Vec::new(),
            };
            pairs.insert(0, title);
        }
        Record { node: group.node, entropy: group.entropy, pairs }
    }

    /// Whether a role has roles inside.
    fn has_parts(&self, role: u32) -> bool {
        self.called.get(role as usize).is_some_and(Option::is_some)
    }

    /// Pairs of roles with roles inside whose labels have no value but those.
    fn headed(&self, layouts: &Layouts<'_, '_>, inner: &[Candidate], known: &[Pair]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        let Some(first) = inner.first() else { return pairs };
        let headed = Judged { candidate: first.clone(), score: HEADED, clues: Clues::default() };
        for (number, mark) in layouts.marks.iter().enumerate().filter(|(_, mark)| mark.stand < Stand::Prose) {
            let role = Some(mark.role as usize);
            if !self.has_parts(mark.role) || known.iter().chain(&pairs).any(|pair| pair.role == role) {
                continue;
            }
            let below = inner::groups(layouts, &self.domain, inner, mark.role, number as u32);
            if below.is_empty() {
                continue;
            }
            let text = layouts.sheet.text[mark.start as usize..mark.end as usize].to_owned();
            let label = Label { text, node: layouts.sheet.pieces[mark.first as usize].node };
            let groups = below
                .iter()
                .map(|group| group.iter().map(|candidate| self.labelled(layouts, candidate, &headed)).collect());
            let evidence = Evidence::Label(below[0][0].layout);
            pairs.push(Pair {
                role,
                label: Some(label),
                values: Vec::new(),
                evidence,
                confidence: headed.weight(),
                clues: headed.clues,
                inner: groups.collect(),
            });
        }
        pairs
    }

    /// A pair that a label tells.
    fn labelled(&self, layouts: &Layouts<'_, '_>, candidate: &Candidate, judged: &Judged) -> Pair {
        let role = candidate.role as usize;
        let mut values = layouts.values(candidate, self.domain.roles[role].many);
        values.retain(|value| value.text.contains(char::is_alphanumeric) && !is_loading(&value.text));
        Pair {
            role: Some(role),
            label: Some(Label { text: layouts.label(candidate).to_owned(), node: layouts.label_node(candidate) }),
            values,
            evidence: Evidence::Label(candidate.layout),
            confidence: judged.weight(),
            clues: judged.clues,
            inner: Vec::new(),
        }
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
        // A heading that may lead elsewhere gives way to a list whose elements are called so.
        let sure = |pair: &Pair| pair.evidence != Evidence::Label(Layout::Below) || pair.confidence >= items::WEAK;
        let known = |role: usize| record.pairs.iter().any(|pair| pair.role == Some(role) && sure(pair));
        let wanted: Vec<bool> = (0..self.domain.roles.len()).map(|role| !known(role)).collect();
        let lists = items::named(layouts, &self.domain, &self.lexicon, &wanted, &record.pairs);
        record.pairs.retain(|pair| !lists.iter().any(|list| list.role == pair.role));
        record.pairs.extend(lists);
        let missing = |pairs: &[Pair]| -> Vec<bool> {
            let known = |role: usize| pairs.iter().any(|pair| pair.role == Some(role));
            self.domain.roles.iter().enumerate().map(|(at, role)| role.within.is_none() && !known(at)).collect()
        };
        let phrased = phrase::find(layouts, &self.phrases, &missing(&record.pairs), record);
        record.pairs.extend(phrased);
        let wanted = missing(&record.pairs);
        if wanted.contains(&true) {
            let is_title = |pair: &&Pair| pair.evidence == Evidence::Title;
            let title = record.pairs.iter().find(is_title).and_then(|pair| pair.values.first()).map(|value| value.node);
            record.pairs.extend(names::find(
                layouts,
                &self.domain,
                &self.lexicon,
                &self.patterns,
                &wanted,
                record.node,
                title,
            ));
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
        let Some(role) = pair.role.filter(|&role| self.has_parts(role as u32)) else {
            return pair.values.iter().for_each(|value| self.value(assembly, rule, pair, value));
        };
        // A thing of its own: what stands behind its label is what it is called.
        let label = pair.label.as_ref().map(|label| label.node);
        let node = pair.values.first().map(|value| value.node).or(label).unwrap_or(NodeId::ROOT);
        let called = self.called[role];
        for group in pair.inner.iter().map(Vec::as_slice).chain(pair.inner.is_empty().then_some(&[][..])) {
            assembly.open(rule, node);
            if let (Some(called), Some(value)) = (called, pair.values.first())
                && !group.iter().any(|inner| inner.role.is_some_and(|role| self.rules[role] == called))
            {
                self.value(assembly, called, pair, value);
            }
            group.iter().for_each(|inner| self.pair(assembly, inner));
            assembly.close();
        }
    }

    fn value(&self, assembly: &mut Assembly, rule: usize, pair: &Pair, value: &Value) {
        match value.part {
            None if !matches!(pair.evidence, Evidence::Said(_)) => assembly.node(rule, Node::node(value.node)),
            _ => assembly.text(rule, value.text.as_str(), Node::node(value.node)),
        }
    }
}

/// Returns whether a text stands where a script has not put the value yet.
fn is_loading(text: &str) -> bool {
    let word = text.trim_end_matches(['.', '…', ' ']);
    ["loading", "please wait"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The rules that say what comes out, and their numbers.
struct Numbered {
    wrapper: Wrapper,
    rules: Vec<usize>,
    called: Vec<Option<usize>>,
}

fn numbered(domain: &Domain) -> Numbered {
    let mut list = Rule::list(RECORDS, Locator::new(Find::Scope));
    let mut numbers =
        Numbers { next: 0, rules: vec![0; domain.roles.len() + 1], called: vec![None; domain.roles.len()] };
    if domain.title().is_none() {
        numbers.rules[domain.roles.len()] = numbers.take();
        list.rules.push(Rule::field(TITLE, Locator::new(Find::Scope)).optional());
    }
    list.rules.extend(numbers.roles(domain, None, DEEPEST));
    let name = Some(domain.name.clone()).filter(|name| !name.is_empty());
    let wrapper = Wrapper { name, rules: vec![list], ..Wrapper::default() };
    Numbered { wrapper, rules: numbers.rules, called: numbers.called }
}

/// Numbers of rules, as they are counted: each in front of those below it.
struct Numbers {
    next: usize,
    rules: Vec<usize>,
    called: Vec<Option<usize>>,
}

impl Numbers {
    fn take(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// The rules of the roles inside a role, or at the top; what lies deeper than `depth` has none.
    fn roles(&mut self, domain: &Domain, within: Option<usize>, depth: usize) -> Vec<Rule> {
        let mut all = Vec::new();
        for (at, role) in domain.roles.iter().enumerate().filter(|(_, role)| role.within == within) {
            self.rules[at] = self.take();
            let here = || Locator::new(Find::Scope);
            let inner = || domain.roles.iter().enumerate().filter(|(_, inner)| inner.within == Some(at));
            let named = inner().find(|(_, inner)| inner.title || matches!(inner.name.as_str(), "name" | "title"));
            let mut parts = Vec::new();
            if depth > 0 && inner().next().is_some() {
                // What stands behind its label is what it is called, whether or not a role asks for it.
                if named.is_none() {
                    self.called[at] = Some(self.take());
                    parts.push(Rule::field(NAME, here()).optional());
                }
                parts.extend(self.roles(domain, Some(at), depth - 1));
                if let Some((named, _)) = named {
                    self.called[at] = Some(self.rules[named]);
                }
            }
            let rule = match (role.many == Some(true), parts.is_empty()) {
                (true, _) => Rule::list(role.name.as_str(), here()),
                (false, true) => Rule::field(role.name.as_str(), here()),
                (false, false) => Rule::group(role.name.as_str(), here()),
            };
            let ty = if parts.is_empty() { role.ty } else { Type::String };
            all.push(Rule { ty, ..rule.optional().with(parts) });
        }
        all
    }
}
