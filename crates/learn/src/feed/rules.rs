//! From the places of fields to the rules of one template.
//!
//! Some entries are held back. The rules of each field are written in two forms from the others: as XPath and CSS
//! (`induce::locate` in the records of an index page, `example::page` on the pages of single entries), and as landmarks
//! (`induce::landmark`). Both are run on all entries; the form that gives more of those held back is kept, then the
//! simpler, and written anew from all entries.
//!
//! Paper: Zhang et al. 2006, section 3.2: the rule composer's random division into training and test data, by entries.

use std::cell::OnceCell;
use std::sync::Arc;

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::{Type, date};
use windrow_wrapper::{Extractor, Find, Landmark, Locator, Object, Page, Rule, Slice, Until, Value, Wrapper};
use windrow_xpath::{Expr, Node, path_of};

use super::body::{Bodies, Body};
use super::fields::Seen;
use super::sheet::{Sheet, day_of};
use super::words;
use super::{FIELDS, Form, How, Match, Options, PageKind, Trial};
use crate::example::{self, Wanted as Shown};
use crate::induce::generated::looks_generated;
use crate::induce::landmark::{self, Sample, Strip};
use crate::induce::locate::{Finder, attribute};
use crate::induce::part;
use crate::induce::record::{self, clean_id};
use crate::labels::Place;
use crate::reading::{Reading, Rung, Spot};
use crate::scope::{Cut, Scope};

/// The date in an address.
const ADDRESS_DATE: &str = r"\b((?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2})\b";
/// Bytes of a text that tells where a run ends.
const STOP: usize = 60;
/// Entries below which none is held back.
pub(super) const FEW: usize = 4;
/// Tokens more that a rule by names may have: it lasts longer.
const LASTING: usize = 2;
/// Entry pages that rules are written from; the others test them.
const PAGES: usize = 6;

/// The fields of entries, by field of [`FIELDS`] and entry.
pub(super) type Found = [Vec<Option<Match>>; FIELDS.len()];

/// Entries of one template, with where their fields are.
pub(super) struct Template<'s, 'p> {
    pub(super) kind: PageKind,
    pub(super) cut: Cut,
    pub(super) seen: Vec<Seen<'s, 'p>>,
    /// By entry: the page that it is on.
    pub(super) pages: Vec<&'s Arc<Page>>,
    pub(super) found: Found,
    pub(super) bodies: Bodies,
}

/// The type of a field.
fn typed(field: &str) -> Type {
    match field {
        "link" => Type::Url,
        "date" => Type::Date,
        "body" => Type::Html,
        _ => Type::String,
    }
}

/// Which of so many entries are held back: a third of them, chosen at random.
fn held_back(count: usize, seed: u64) -> Vec<bool> {
    let mut held = vec![false; count];
    if count < FEW {
        return held;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for at in (1..count).rev() {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        order.swap(at, ((mixed ^ (mixed >> 31)) % (at as u64 + 1)) as usize);
    }
    order[..count / 3].iter().for_each(|&at| held[at] = true);
    held
}

impl<'s, 'p> Template<'s, 'p> {
    /// The list of the entries, and how each field's form was chosen.
    pub(super) fn rule(&self, options: &Options) -> Option<(Rule, Vec<Trial>)> {
        let known = self.known();
        let held = held_back(known.len(), options.seed);
        let of = |wanted: bool| known.iter().zip(&held).filter(move |(_, held)| **held == wanted).map(|(at, _)| *at);
        let (training, tests): (Vec<usize>, Vec<usize>) = (of(false).collect(), of(true).collect());
        let strips = Strips::new(self);
        if options.form == Form::Landmark && self.kind == PageKind::Index {
            return Some((self.tokens_alone(&strips, &known)?, Vec::new()));
        }
        let tested = if tests.is_empty() { &known } else { &tests };
        let xpaths = self.xpaths(&training);
        let landmarks: Vec<Option<(Locator, usize)>> =
            (0..FIELDS.len()).map(|field| self.landmark(&strips, field, &training, &tests)).collect();
        let scores = [
            self.scores(&xpaths, tested),
            self.scores(
                &landmarks.iter().map(|form| form.as_ref().map(|form| form.0.clone())).collect::<Vec<_>>(),
                tested,
            ),
        ];
        let all = self.xpaths(&known);
        let mut trials = Vec::new();
        let mut chosen: Vec<Option<Locator>> = Vec::new();
        for (field, name) in FIELDS.iter().enumerate() {
            let has = tested.iter().filter(|&&at| self.found[field][at].is_some()).count();
            let (xpath, landmark) = (scores[0][field], scores[1][field]);
            let simple = || {
                let tokens = landmarks[field].as_ref().map_or(usize::MAX, |form| form.1);
                // A run of siblings ends with what holds it, also where the token behind it is missing.
                let runs = *name == "body" && !self.has_elements(&known);
                xpaths[field].as_ref().is_some_and(|locator| runs || steps(locator) <= tokens + LASTING)
            };
            let by_xpath = match (xpath, landmark) {
                (Some(_), None) => true,
                (None, _) => false,
                (Some(one), Some(other)) => options.form == Form::XPath || one > other || one == other && simple(),
            };
            let locator = match by_xpath {
                true => all[field].clone(),
                // Where no rule fits all, the one that fits those it was tried on stays.
                false => {
                    self.landmark(&strips, field, &known, &[]).or_else(|| landmarks[field].clone()).map(|form| form.0)
                }
            };
            if xpath.is_some() || landmark.is_some() {
                let kept = if by_xpath { Form::XPath } else { Form::Landmark };
                trials.push(Trial { field: name, kind: self.kind, held_back: has, xpath, landmark, kept });
            }
            chosen.push(locator);
        }
        Some((self.list(chosen, true)?, trials))
    }

    /// The list with these locators for its fields.
    fn list(&self, locators: Vec<Option<Locator>>, finished: bool) -> Option<Rule> {
        let mut list = Rule::list("entries", Locator::default());
        for (field, locator) in locators.into_iter().enumerate() {
            let Some(mut locator) = locator else { continue };
            let name = FIELDS[field];
            if name == "body" && finished && !self.bodies.noise.is_empty() {
                locator = without(locator, &self.bodies.noise);
            }
            let mut rule = match name {
                "categories" => Rule::list(name, locator),
                _ => Rule::field(name, locator).typed(typed(name)),
            };
            rule.optional = self
                .seen
                .iter()
                .zip(&self.found[field])
                .any(|(seen, found)| seen.entry.item.is_some() && found.is_none());
            list.rules.push(rule);
        }
        if self.kind == PageKind::Entry {
            list.locator = Locator::xpath("/html");
            list.path = Some("/html[1]".into());
        } else {
            let sheet = self.seen.first()?.sheet;
            let nodes: Vec<NodeId> = self.seen.iter().map(|seen| seen.entry.scope.record.first).collect();
            let runs = self.cut != Cut::Nodes;
            list.locator = record::of_rules(&sheet.outline, &nodes, runs, &list.rules, &[]);
            if runs {
                list.locator.until = Some(Until::Next);
            }
            list.path = Some(path_of(sheet.document, Node::node(*nodes.first()?)).into());
        }
        list.rules.iter_mut().for_each(|rule| rule.optional = true);
        Some(list)
    }

    /// The locators of all fields as XPath and CSS, from these entries.
    fn xpaths(&self, entries: &[usize]) -> Vec<Option<Locator>> {
        match self.kind {
            PageKind::Entry => self.page_xpaths(entries),
            _ => (0..FIELDS.len()).map(|field| self.record_xpath(field, entries)).collect(),
        }
    }

    /// The locator of a field in the records of an index page.
    fn record_xpath(&self, field: usize, entries: &[usize]) -> Option<Locator> {
        let sheet = self.seen.first()?.sheet;
        let finder = Finder { outline: &sheet.outline, document: sheet.document };
        let scopes: Vec<Scope> = entries.iter().map(|&at| self.seen[at].entry.scope).collect();
        let own: Vec<Option<&Match>> = entries.iter().map(|&at| self.found[field][at].as_ref()).collect();
        own.iter().flatten().next()?;
        if FIELDS[field] == "categories" {
            let nodes = |found: &Match| found.places.iter().map(|place| place.node).collect();
            let wanted: Vec<Vec<NodeId>> = own.iter().map(|found| found.map_or_else(Vec::new, nodes)).collect();
            return finder.list(&scopes, &wanted);
        }
        if FIELDS[field] == "body" && !self.has_elements(entries) {
            return self.run_in_records(&finder, entries);
        }
        let places: Vec<Option<&Place>> =
            own.iter().map(|found| found.and_then(|found| found.places.first())).collect();
        let nodes: Vec<Option<NodeId>> = places.iter().map(|place| place.map(|place| place.node)).collect();
        let first = places.iter().flatten().next()?;
        if own.iter().flatten().filter(|found| found.how == How::Yearless).count() * 2 > own.iter().flatten().count() {
            return self.with_year(entries);
        }
        let mut locator = match own.iter().flatten().any(|found| found.how == How::Heading) {
            true => above(sheet, &scopes, &nodes)?,
            false => {
                let sure: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].is_some()).collect();
                finder.field(&scopes, &nodes, &sure).or_else(|| finder.field(&scopes, &nodes, &[]))?
            }
        };
        if let Some(name) = &first.attribute {
            locator = attribute(&locator, name);
        }
        if FIELDS[field] == "date" && first.attribute.is_some() && first.part.is_some() {
            return Some(Locator { matches: Some(ADDRESS_DATE.into()), ..locator });
        }
        let parts = places.iter().flatten().filter(|place| place.part.is_some()).count();
        if parts * 2 > places.iter().flatten().count()
            && let Some(shown) = places.iter().flatten().find(|place| place.part.is_some())
        {
            let range = shown.part.clone()?;
            let texts: Vec<&str> = nodes.iter().flatten().map(|&node| sheet.reading.of(node)).collect();
            locator = part::cutting(sheet.reading.of(shown.node), range.start, range.end, &texts)?.of(locator);
        }
        Some(locator)
    }

    /// The locator of dates that have no year, with one from the entry's address or from a heading in front of it.
    fn with_year(&self, entries: &[usize]) -> Option<Locator> {
        let sheet = self.seen.first()?.sheet;
        let document = sheet.document;
        let place = |at: usize| self.found[2][at].as_ref().filter(|found| found.how == How::Yearless)?.places.first();
        let day = |at: usize| self.seen[at].wanted.and_then(|wanted| day_of(wanted.date?));
        let known: Vec<usize> =
            entries.iter().copied().filter(|&at| place(at).is_some() && day(at).is_some()).collect();
        let &model = known.first()?;
        let node = place(model)?.node;
        let own = format!(".//{}", test_of(document, node));
        let mut years: Vec<String> = Vec::new();
        let year = day(model)?.0.to_string();
        if let Some(link) = self.found[1][model].as_ref().and_then(|link| link.places.first())
            && let Some(href) = document.attr(link.node, "href")
            && let Some(at) = href.find(&format!("/{year}"))
        {
            let prefix = &href[..at + 1];
            if !prefix.contains('\'') {
                let link = format!(".//{}/@href", test_of(document, link.node));
                years.push(format!("substring(substring-after({link}, '{prefix}'), 1, 4)"));
            }
        }
        // A heading in front that names the year.
        let before = sheet.shorts.iter().rev().filter(|short| short.node < self.seen[model].entry.scope.record.first);
        for short in before.filter(|short| sheet.reading.of(short.node).contains(&year)).take(3) {
            let test = test_of(document, short.node);
            years.extend([format!("preceding-sibling::{test}[1]"), format!("preceding::{test}[1]")]);
        }
        let right = |expression: &String| {
            let Ok(expr) = Expr::xpath(expression) else { return 0 };
            let gives = |&&at: &&usize| {
                let value = expr.evaluate(document, self.seen[at].entry.scope.record.first).ok();
                let text = value.map(|value| value.to_text(document).into_owned()).unwrap_or_default();
                date::parse(&text, &sheet.hints).and_then(day_of) == day(at)
            };
            known.iter().filter(gives).count()
        };
        let tries = years.iter().map(|year| format!("concat({own}, ' ', {year})"));
        let best = tries.map(|expression| (right(&expression), expression)).max_by_key(|best| best.0)?;
        (best.0 * 5 >= known.len() * 4).then(|| Locator::xpath(best.1))
    }

    /// Whether bodies are elements, not runs of siblings.
    fn has_elements(&self, entries: &[usize]) -> bool {
        entries.iter().any(|&at| matches!(self.bodies.bodies[at], Some(Body::Element(_))))
    }

    /// The parents of bodies that are runs.
    fn run_parents(&self, entries: &[usize]) -> Vec<Option<NodeId>> {
        let parent = |&at: &usize| match self.bodies.bodies[at] {
            Some(Body::Run { first, .. }) => self.seen[at].sheet.document.parent(first),
            _ => None,
        };
        entries.iter().map(parent).collect()
    }

    /// The locator of bodies that are runs of siblings in the records of an index page.
    fn run_in_records(&self, finder: &Finder<'_, '_>, entries: &[usize]) -> Option<Locator> {
        let run = self.run(entries)?;
        let parents = self.run_parents(entries);
        let scopes: Vec<Scope> = entries.iter().map(|&at| self.seen[at].entry.scope).collect();
        let is_record = |(parent, scope): (&Option<NodeId>, &Scope)| {
            parent
                .is_none_or(|parent| !scope.run && parent == scope.record.first || scope.run && !scope.contains(parent))
        };
        if parents.iter().zip(&scopes).all(is_record) {
            // A run has no element of its own to begin in, only its first node.
            return if scopes.iter().any(|scope| scope.run) { self.run_in_runs(run, entries) } else { Some(run) };
        }
        let sure: Vec<usize> = (0..parents.len()).filter(|&at| parents[at].is_some()).collect();
        let holder = finder.field(&scopes, &parents, &sure).or_else(|| finder.field(&scopes, &parents, &[]))?;
        Some(in_holder(holder, run))
    }

    /// The same run from the first node of a record that is a run itself.
    fn run_in_runs(&self, run: Locator, entries: &[usize]) -> Option<Locator> {
        let heads = entries.iter().filter_map(|&at| match self.bodies.bodies[at] {
            Some(Body::Run { first, .. }) => Some((self.seen[at].entry.scope.record.first, first, at)),
            _ => None,
        });
        let behind_first = |(head, first, at): (NodeId, NodeId, usize)| {
            let document = self.seen[at].sheet.document;
            let mut between = std::iter::successors(document.next_sibling(head), |&id| document.next_sibling(id));
            between.find(|&id| document.is_element(id) || id == first).is_some_and(|next| next >= first)
        };
        let Find::XPath(text) = &run.find else { return None };
        let begin = match heads.clone().all(behind_first) {
            true => "following-sibling::node()[1]".to_owned(),
            false => format!("following-sibling::{}", text.value),
        };
        // Without a stop it would go on into the next record.
        let Some(Until::Before(stop)) = run.until else { return None };
        let until = Some(Until::Before(format!("following-sibling::{}", stop.value).into()));
        Some(Locator { until, slice: Some(Slice::Index(0)), ..Locator::xpath(begin) })
    }

    /// The locator of bodies that are runs, from the element that they are in.
    fn run(&self, entries: &[usize]) -> Option<Locator> {
        let mut anchors: Vec<String> = Vec::new();
        let mut stops: Vec<Option<String>> = Vec::new();
        for &at in entries {
            let Some(Body::Run { first, end }) = self.bodies.bodies[at] else { continue };
            let document = self.seen[at].sheet.document;
            let siblings = std::iter::successors(document.prev_sibling(first), |&id| document.prev_sibling(id));
            let before = siblings.into_iter().find(|&id| document.is_element(id));
            anchors.push(before.map(|id| test_of(document, id)).unwrap_or_default());
            let behind = self.seen[at].entry.scope.record.end > end
                && document.is_element(end)
                && document.parent(end) == document.parent(first);
            stops.push(behind.then(|| stop_of(self.seen[at].sheet, end)).flatten());
        }
        let anchor = usual(&anchors)?;
        let begin = match anchor.is_empty() {
            true => "node()[1]".to_owned(),
            false => format!("{anchor}/following-sibling::node()[1]"),
        };
        let runs = stops.len();
        let stops: Vec<String> = stops.into_iter().flatten().collect();
        let stop = usual(&stops).filter(|stop| stops.iter().filter(|other| other == stop).count() * 2 >= runs);
        let until = stop.map_or(Until::Next, |stop| Until::Before(stop.clone().into()));
        Some(Locator { until: Some(until), slice: Some(Slice::Index(0)), ..Locator::xpath(begin) })
    }

    /// The locators of fields on the pages of single entries.
    fn page_xpaths(&self, entries: &[usize]) -> Vec<Option<Locator>> {
        let entries = &entries[..entries.len().min(PAGES)];
        let readings: Vec<Reading<'_>> = entries.iter().map(|&at| Reading::new(self.seen[at].sheet.document)).collect();
        let spot = |place: &Place| {
            let rung = if place.part.is_some() { Rung::Part } else { Rung::Whole };
            Spot { place: place.clone(), rung }
        };
        let wanted = |field: usize| -> Option<Shown> {
            let single = matches!(FIELDS[field], "title" | "date" | "author");
            let body = FIELDS[field] == "body";
            let place = |at: usize| match (body, self.bodies.bodies[at]) {
                (true, Some(Body::Run { first, .. })) => {
                    self.seen[at].sheet.document.parent(first).map(|parent| spot(&Place::node(parent)))
                }
                _ => {
                    let place = self.found[field][at].as_ref()?.places.first()?;
                    let told = place.attribute.is_none()
                        && FIELDS[field] == "date"
                        && self.seen[at].sheet.document.attr(place.node, "datetime").is_some();
                    Some(if told { spot(&Place::attribute(place.node, "datetime")) } else { spot(place) })
                }
            };
            let spots: Vec<(usize, Vec<Spot>)> = entries
                .iter()
                .enumerate()
                .filter(|_| single || body)
                .filter_map(|(page, &at)| Some((page, vec![place(at)?])))
                .collect();
            (!spots.is_empty()).then(|| Shown { name: FIELDS[field].to_owned(), spots })
        };
        let all: Vec<Shown> = (0..FIELDS.len()).filter_map(wanted).collect();
        let rules = example::page_rules(&readings, &all);
        let mut locators: Vec<Option<Locator>> = FIELDS
            .iter()
            .map(|name| rules.iter().find(|rule| &*rule.name == *name).map(|rule| rule.locator.clone()))
            .collect();
        if !self.has_elements(entries)
            && let Some(holder) = locators[3].take()
        {
            locators[3] = self.run(entries).map(|run| in_holder(holder, run));
        }
        locators[5] = self.page_categories(entries);
        locators
    }

    /// The locator of the categories on entry pages: links of one relation, or in one named element, that are right on
    /// most of them.
    fn page_categories(&self, entries: &[usize]) -> Option<Locator> {
        let wanted = |at: usize| -> Vec<NodeId> {
            self.found[5][at].iter().flat_map(|found| &found.places).map(|place| place.node).collect()
        };
        let filed: Vec<usize> = entries.iter().copied().filter(|&at| self.found[5][at].is_some()).collect();
        let mut tries: Vec<String> = Vec::new();
        for &at in filed.iter().take(3) {
            let sheet = self.seen[at].sheet;
            let document = sheet.document;
            let Some(node) = wanted(at).first().copied().filter(|&node| document.is_element(node)) else { continue };
            let tag = document.name(node).unwrap_or("a");
            tries.extend(
                document.attr(node, "rel").filter(|rel| !rel.contains('\'')).map(|rel| format!("{tag}[rel='{rel}']")),
            );
            tries.extend(sheet.outline.words_of(node).iter().map(|word| format!(".{word}")));
            for around in document.ancestors(node).take(4).filter(|&id| document.name_id(id) != Some(names::BODY)) {
                tries.extend(sheet.outline.words_of(around).iter().map(|word| format!(".{word} {tag}")));
                tries.extend(clean_id(document, around).map(|id| format!("#{id} {tag}")));
            }
        }
        let right = |selector: &String| {
            let Ok(expr) = Expr::css(selector) else { return 0 };
            let exact = |&&at: &&usize| {
                let found = expr.select(self.seen[at].sheet.document, NodeId::ROOT).unwrap_or_default();
                found.into_iter().map(Node::id).eq(wanted(at))
            };
            filed.iter().filter(exact).count()
        };
        let best = tries.into_iter().map(|selector| (right(&selector), selector));
        let best = best.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        (best.0 * 2 >= filed.len() && best.0 > 0).then(|| Locator::css(best.1))
    }

    /// The locator of a field by the tokens around it, and how many of them it names.
    fn landmark(
        &self,
        strips: &Strips<'p>,
        field: usize,
        training: &[usize],
        tests: &[usize],
    ) -> Option<(Locator, usize)> {
        let samples = |entries: &[usize]| -> Vec<Sample<'_, 'p>> {
            entries.iter().filter_map(|&at| self.sample(strips, field, at)).collect()
        };
        let (training, tests) = (samples(training), samples(tests));
        landmark::compose(&training.iter().collect::<Vec<_>>(), &tests.iter().collect::<Vec<_>>())
    }

    /// The tokens of a field's value in an entry.
    fn sample<'t>(&self, strips: &'t Strips<'p>, field: usize, at: usize) -> Option<Sample<'t, 'p>> {
        let found = self.found[field][at].as_ref()?;
        let strip = strips.of(self, at)?;
        let record = self.seen[at].entry.scope.record;
        let scope = (record.first, record.end);
        let place = found.places.first()?;
        match FIELDS[field] {
            "categories" => None,
            "body" => match self.bodies.bodies[at]? {
                Body::Element(id) => strip.content(scope, id),
                Body::Run { first, end } => strip.sample(scope, (first, end)),
            },
            _ if found.how == How::Heading || place.part.is_some() => None,
            _ => match &place.attribute {
                Some(name) => strip.attribute(scope, place.node, name),
                None => {
                    // What it says to machines is not between tokens.
                    let sheet = self.seen[at].sheet;
                    let told = sheet.document.attr(place.node, "datetime");
                    let told = told.and_then(|told| date::parse(told, &sheet.hints)).and_then(day_of);
                    let said = date::parse(sheet.reading.of(place.node), &sheet.hints).and_then(day_of);
                    if told.is_some() && said != told { None } else { strip.texts(scope, place.node) }
                }
            },
        }
    }

    /// The list in the paper's form: all rules are landmarks, and a record begins with its first field. What stands in
    /// front of that, a heading for several entries, cannot be said so.
    fn tokens_alone(&self, strips: &Strips<'p>, known: &[usize]) -> Option<Rule> {
        // The date may come first, if all entries have one that is known.
        let dated = (0..self.seen.len()).all(|at| self.sample(strips, 2, at).is_some());
        let first = if dated { [2, 0].as_slice() } else { [0].as_slice() };
        let lists = first.iter().filter_map(|&first| self.begin_with(strips, first, known));
        lists.max_by_key(|list| list.rules.len())
    }

    /// The list of records that begin with this field.
    fn begin_with(&self, strips: &Strips<'p>, first: usize, known: &[usize]) -> Option<Rule> {
        let head = |at: usize| {
            let record = self.seen[at].entry.scope.record;
            let title = || strips.of(self, at)?.texts((record.first, record.end), self.seen[at].entry.head);
            if first == 0 { title() } else { self.sample(strips, first, at) }
        };
        let heads: Vec<Sample<'_, 'p>> = (0..self.seen.len()).map(head).collect::<Option<_>>()?;
        let (start, scopes) = landmark::each(&heads.iter().collect::<Vec<_>>())?;
        let mut list = Rule::list("entries", Locator::new(Find::Landmark(Landmark::Each(start.as_str().into()))));
        let mut fields: Vec<(usize, Rule)> = Vec::new();
        for (field, name) in FIELDS.iter().enumerate().take(4) {
            let samples: Vec<Sample<'_, 'p>> = known
                .iter()
                .filter_map(|&at| match field == first {
                    true => heads[at].clone().within(scopes[at].clone()),
                    false => self.sample(strips, field, at)?.within(scopes[at].clone()),
                })
                .collect();
            if samples.len() * 2 < known.len() {
                continue;
            }
            let Some((mut locator, _)) = landmark::compose(&samples.iter().collect::<Vec<_>>(), &[]) else { continue };
            if let (true, Find::Landmark(Landmark::Between { start: own, .. })) = (field == first, &mut locator.find) {
                *own = start.as_str().into();
            }
            // The record begins with its first field, though a tag in front of it may be another's value.
            let position = if field == first { 0 } else { samples.first().map_or(0, Sample::position) };
            fields.push((position, Rule::field(*name, locator).typed(typed(name)).optional()));
        }
        // In the order of the page.
        fields.sort_by_key(|field| field.0);
        list.rules = fields.into_iter().map(|field| field.1).collect();
        Some(list).filter(|list| !list.rules.is_empty())
    }

    /// How many of these entries each locator gives right; none for fields without one.
    fn scores(&self, locators: &[Option<Locator>], entries: &[usize]) -> Vec<Option<usize>> {
        let right = self.list(locators.to_vec(), false).map(|list| self.right(&list, entries).0);
        let right = right.unwrap_or([0; FIELDS.len()]);
        locators.iter().zip(right).map(|(locator, right)| locator.as_ref().map(|_| right)).collect()
    }

    /// How many of these entries have each field right by this list, and how many are found at all.
    fn right(&self, list: &Rule, entries: &[usize]) -> ([usize; FIELDS.len()], usize) {
        let (mut right, mut found) = ([0; FIELDS.len()], 0);
        let wrapper = Wrapper { rules: vec![list.clone()], ..Wrapper::default() };
        let Ok(extractor) = Extractor::new(&wrapper) else { return (right, found) };
        let mut last: Option<(usize, windrow_wrapper::Extraction)> = None;
        for &at in entries {
            let page = Arc::as_ptr(self.pages[at]) as usize;
            if last.as_ref().is_none_or(|last| last.0 != page) {
                last = Some((page, extractor.extract(Arc::clone(self.pages[at]))));
            }
            let Some((_, extraction)) = &last else { continue };
            let first = self.seen[at].entry.scope.record.first;
            let is_own = |record: &Object<'_>| self.kind == PageKind::Entry || record.node() == Some(Node::node(first));
            let Some(record) = extraction.objects().find(is_own) else { continue };
            found += 1;
            for (field, right) in right.iter_mut().enumerate() {
                *right += usize::from(self.found[field][at].is_some() && self.is_right(field, at, record));
            }
        }
        (right, found)
    }

    /// Whether a list that was learned elsewhere finds most of the entries that are known here.
    pub(super) fn fits(&self, list: &Rule) -> bool {
        let known = self.known();
        self.right(list, &known).1 * 2 >= known.len()
    }

    /// The entries that are items'.
    fn known(&self) -> Vec<usize> {
        (0..self.seen.len()).filter(|&at| self.seen[at].entry.item.is_some()).collect()
    }

    /// Adds to the rules of a list that fits what it does not find here.
    pub(super) fn improve(&self, list: &mut Rule) {
        let known = self.known();
        let (right, _) = self.right(list, &known);
        let mut own: Option<Vec<Option<Locator>>> = None;
        for (field, name) in FIELDS.iter().enumerate() {
            let has = known.iter().filter(|&&at| self.found[field][at].is_some()).count();
            if has == 0 || right[field] * 2 >= has {
                continue;
            }
            let own = own.get_or_insert_with(|| self.xpaths(&known));
            let Some(locator) = own[field].take() else { continue };
            let Some(rule) = list.rules.iter_mut().find(|rule| &*rule.name == *name) else { continue };
            // What finds another value here would come first.
            if self.is_silent(rule, field, &known) {
                let mut cases = match &rule.locator.find {
                    Find::Case(cases) if rule.locator.then.is_none() && rule.locator.without.is_none() => cases.clone(),
                    _ => vec![rule.locator.clone()],
                };
                cases.push(locator);
                rule.locator = Locator::new(Find::Case(cases));
            }
        }
    }

    /// Whether a rule finds nothing in these entries.
    fn is_silent(&self, rule: &Rule, field: usize, entries: &[usize]) -> bool {
        let sheet = self.seen.first().map(|seen| seen.sheet);
        let nodes: Vec<NodeId> = self.seen.iter().map(|seen| seen.entry.scope.record.first).collect();
        let Some(sheet) = sheet.filter(|_| self.cut == Cut::Nodes) else { return false };
        let records = record::of_rules(&sheet.outline, &nodes, false, &[], &[]);
        let list = Rule::list("entries", records).with(vec![rule.clone()]);
        let wrapper = Wrapper { rules: vec![list], ..Wrapper::default() };
        let Ok(extractor) = Extractor::new(&wrapper) else { return false };
        let Some(&first) = entries.first() else { return false };
        let extraction = extractor.extract(Arc::clone(self.pages[first]));
        let has = |record: Object<'_>| record.objects().any(|object| object.label() == FIELDS[field]);
        !extraction.objects().any(has)
    }

    /// Whether a record has the field that its entry has.
    fn is_right(&self, field: usize, at: usize, record: Object<'_>) -> bool {
        let document = self.seen[at].sheet.document;
        let mut values = record.objects().filter(|object| object.label() == FIELDS[field]);
        let Some(found) = &self.found[field][at] else { return false };
        match FIELDS[field] {
            "body" => {
                let sheet = self.seen[at].sheet;
                let own = match self.bodies.bodies[at] {
                    Some(Body::Element(id)) => sheet.words_at(id),
                    Some(Body::Run { first, end }) => sheet.words_in(first, end),
                    None => return false,
                };
                let Some(value) = values.next() else { return false };
                let words = words::hashes(&value.text());
                sheet.words[own].iter().map(|word| word.hash).eq(words)
            }
            "categories" => {
                values.map(|value| value.text().into_owned()).eq(found.places.iter().map(|place| place.text(document)))
            }
            "date" => {
                let wanted = self.seen[at].wanted.filter(|wanted| wanted.date.is_some());
                let date = match values.next().map(|value| value.value()) {
                    Some(Value::Date(date)) => date,
                    _ => return false,
                };
                match wanted {
                    Some(wanted) => wanted.is_date(date).is_some(),
                    None => found.places.first().is_some_and(|place| {
                        let own = date::parse(&place.text(document), &self.seen[at].sheet.hints);
                        own.and_then(day_of) == day_of(date)
                    }),
                }
            }
            _ => {
                let Some(place) = found.places.first() else { return false };
                values.next().is_some_and(|value| match &place.attribute {
                    Some(name) => document.attr(place.node, name).is_some_and(|own| own.trim() == value.raw().trim()),
                    None => value.text() == place.text(document),
                })
            }
        }
    }
}

/// The pages of a template as tokens; each is cut when it is needed.
struct Strips<'p> {
    /// Authors and categories of the entries.
    values: Vec<String>,
    strips: Vec<(usize, OnceCell<Strip<'p>>)>,
}

impl<'p> Strips<'p> {
    fn new(template: &Template<'_, 'p>) -> Strips<'p> {
        let mut strips: Vec<(usize, OnceCell<Strip<'p>>)> = Vec::new();
        for page in &template.pages {
            let key = Arc::as_ptr(page) as usize;
            if !strips.iter().any(|strip| strip.0 == key) {
                strips.push((key, OnceCell::new()));
            }
        }
        let wanted = || template.seen.iter().filter_map(|seen| seen.wanted);
        let mut values: Vec<String> =
            wanted().flat_map(|wanted| wanted.authors.iter().chain(&wanted.categories)).cloned().collect();
        values.retain(|value| !value.is_empty());
        values.sort_unstable();
        values.dedup();
        Strips { values, strips }
    }

    fn of(&self, template: &Template<'_, 'p>, at: usize) -> Option<&Strip<'p>> {
        let key = Arc::as_ptr(template.pages[at]) as usize;
        let strip = self.strips.iter().find(|strip| strip.0 == key)?;
        Some(strip.1.get_or_init(|| Strip::new(template.seen[at].sheet.document, self.values.clone())))
    }
}

/// An element by its tag and its first lasting class, as a step of an XPath.
fn test_of(document: &Document, id: NodeId) -> String {
    let tag = document.name(id).unwrap_or("*");
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    let plain =
        |word: &&str| word.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_') && !looks_generated(word);
    match class.split_ascii_whitespace().find(plain) {
        Some(word) => format!("{tag}[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]"),
        None => tag.to_owned(),
    }
}

/// What a run of siblings ends at, as a step of an XPath: by its class, or by what it says.
fn stop_of(sheet: &Sheet<'_>, id: NodeId) -> Option<String> {
    let test = test_of(sheet.document, id);
    if test.contains('[') {
        return Some(test);
    }
    let text = Some(sheet.reading.of(id)).filter(|text| !text.is_empty() && text.len() <= STOP)?;
    match (text.contains('\''), text.contains('"')) {
        (false, _) => Some(format!("{test}[normalize-space() = '{text}']")),
        (true, false) => Some(format!("{test}[normalize-space() = \"{text}\"]")),
        _ => None,
    }
}

/// What most of these are.
fn usual(all: &[String]) -> Option<&String> {
    let count = |one: &String| all.iter().filter(|other| *other == one).count();
    all.iter().max_by_key(|one| (count(one), std::cmp::Reverse(one.len())))
}

/// A run in the element that a locator finds.
fn in_holder(holder: Locator, run: Locator) -> Locator {
    match holder.find {
        Find::Case(cases) if holder.then.is_none() => {
            Locator::new(Find::Case(cases.into_iter().map(|case| in_holder(case, run.clone())).collect()))
        }
        _ => match holder.then {
            Some(then) => Locator { then: Some(Box::new(in_holder(*then, run))), ..holder },
            None => Locator { then: Some(Box::new(run)), ..holder },
        },
    }
}

/// How much there is to read in a locator.
fn steps(locator: &Locator) -> usize {
    if let Some(then) = &locator.then {
        return steps(then) + steps(&Locator { then: None, ..locator.clone() });
    }
    match &locator.find {
        Find::Case(cases) => cases.first().map_or(0, steps),
        Find::XPath(text) | Find::Css(text) | Find::Expression(text) => {
            let steps = text.split([' ', '/', '>']).filter(|step| !step.is_empty()).count();
            steps + usize::from(locator.slice.is_some()) + text.matches("nth-").count()
        }
        Find::Landmark(Landmark::Between { .. }) => usize::MAX,
        _ => 1,
    }
}

/// The same locator, without these elements.
fn without(mut locator: Locator, noise: &[String]) -> Locator {
    locator.without = Some(noise.join(", ").into());
    locator
}

/// The locator of something in front of the entries, one for several of them.
fn above(sheet: &Sheet<'_>, scopes: &[Scope], nodes: &[Option<NodeId>]) -> Option<Locator> {
    let document = sheet.document;
    // A heading may have a name where what is in it has none.
    let around = |node: NodeId| {
        let own = sheet.reading.range(node);
        let mut lineage = std::iter::once(node).chain(document.ancestors(node)).take(3);
        let named = lineage.find(|&id| !sheet.outline.words_of(id).is_empty() && sheet.reading.range(id) == own);
        named.unwrap_or(node)
    };
    let nodes: Vec<Option<NodeId>> = nodes.iter().map(|node| node.map(around)).collect();
    let at = nodes.iter().position(Option::is_some)?;
    let (node, record) = (nodes[at]?, scopes[at].record.first);
    let tag = document.name(node)?;
    let words = sheet.outline.words_of(node);
    let named =
        words.iter().take(2).map(|word| format!("*[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]"));
    let tests: Vec<String> = named.chain([tag.to_owned()]).collect();
    let mut tries: Vec<String> = Vec::new();
    let sibling = document.parent(node) == document.parent(record);
    for test in &tests {
        if sibling {
            tries.push(format!("preceding-sibling::{test}[1]"));
        }
        tries.push(format!("preceding::{test}[1]"));
    }
    let right = |text: &String| {
        let Ok(expr) = Expr::xpath(text) else { return 0 };
        let gives = |scope: &Scope, wanted: Option<NodeId>| {
            let found = expr.select(document, scope.record.first).unwrap_or_default();
            wanted.is_some() && found.first().map(|node| node.id()) == wanted
        };
        scopes.iter().zip(&nodes).filter(|(scope, wanted)| gives(scope, **wanted)).count()
    };
    let best = tries.into_iter().map(|text| (right(&text), text));
    let best = best.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    (best.0 > 0).then(|| Locator::xpath(best.1))
}
