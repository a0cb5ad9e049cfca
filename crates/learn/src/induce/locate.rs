//! Locators: from nodes, one or some in each record, to the expression that finds them.
//!
//! Several expressions are written, the most readable and lasting first (a class, a short path, positions last), and each
//! is tried on the page itself: the first that finds exactly what it should in every record, and nothing where there is
//! nothing, is taken. Where the nodes stand in different ways, a union of expressions is tried. If none is right
//! everywhere, one that misses values is taken rather than one that finds others.
//!
//! # Cost
//!
//! A bounded number of expressions, each evaluated in a sample of the records, and those that pass in all of them.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use windrow_dom::{Document, NodeId};
use windrow_wrapper::{Column, Find, Locator, Slice};
use windrow_xpath::{Expr, Language, Node};

use super::path::quoted;
use super::selections::{Answer, Selector};
use super::selectors::is_telling;
use crate::page_view::PageView;
use crate::scope::{Record, Scope};

/// Records that an expression is tried on before it is tried on all.
const SAMPLE: usize = 64;
/// Ways that are tried as a second one.
const FALLBACKS: usize = 12;
/// Different ways of standing in a record that are put together.
const SHAPES: usize = 4;

/// Signs that stand between values and say nothing.
const SEPARATORS: &str = " \u{a0}•·|/,;:–—-‧∙";

/// One way of saying where something is: an expression, maybe which of its finds, and maybe another one in that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) language: Language,
    pub(super) text: String,
    pub(super) nth: Option<u32>,
    pub(super) then: Option<String>,
}

impl Way {
    pub(super) fn css(text: String) -> Way {
        Way { language: Language::Css, text, nth: None, then: None }
    }

    pub(super) fn xpath(text: String) -> Way {
        Way { language: Language::XPath, text, nth: None, then: None }
    }

    fn locator(&self) -> Locator {
        let mut locator = match self.language {
            Language::Css => Locator::css(self.text.as_str()),
            _ => Locator::xpath(self.text.as_str()),
        };
        locator.slice = self.nth.map(Slice::Index);
        locator.then = self.then.as_ref().map(|then| Box::new(Locator::xpath(then.as_str())));
        locator
    }

    /// The classes and properties that it needs.
    fn names(&self) -> Vec<String> {
        let named = |part: &str| part.starts_with(['.', '[']) || part.contains('.');
        let parts = self.text.split([' ', '>', ',']).filter(|part| named(part));
        let words = parts.flat_map(|part| part.split(['.', '[', ']', ':', '\'', '"']).skip(1));
        words.filter(|word| !word.is_empty() && !word.contains('(')).map(str::to_owned).collect()
    }

    /// Whether it finds things by a name, so that it finds nothing where they are missing: a position has another's.
    fn is_named(&self) -> bool {
        let position = self.nth.is_some() || self.language != Language::Css || self.text.contains(":nth-");
        !position && (!self.names().is_empty() || self.text.split(' ').any(is_telling))
    }

    /// Whether it needs one of these names.
    fn needs(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.text.contains(name.as_str()))
    }
}

/// How well a way does.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    right: usize,
    missing: usize,
    wrong: usize,
}

/// What a way finds in one record.
struct Hit {
    first: Option<NodeId>,
    several: bool,
}

impl Found {
    /// Of a way that cannot be read.
    const BROKEN: Found = Found { right: 0, missing: 0, wrong: 1 };

    /// With one record more: whether what was found in it is right; none if nothing was found, but should have been.
    fn and(mut self, right: Option<bool>) -> Found {
        match right {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.missing += 1,
        }
        self
    }

    fn is_clean(self) -> bool {
        self.wrong == 0 && self.missing == 0
    }

    /// A value that is another's is worse than several that are not found.
    fn worth(self) -> isize {
        self.right as isize - 4 * self.wrong as isize
    }
}

pub(crate) struct Finder<'o, 'd> {
    pub(crate) view: &'o PageView<'d>,
    pub(crate) document: &'d Document,
}

impl Finder<'_, '_> {
    /// The locator that finds exactly these nodes, one in each record at most; none if none finds any. In the records
    /// `sure`, it must be right.
    pub(crate) fn field(&self, scopes: &[Scope], wanted: &[Option<NodeId>], sure: &[usize]) -> Option<Locator> {
        self.field_by(scopes, wanted, sure, None)
    }

    /// As [`field`](Self::field), where the text of the nodes begins or ends with a label.
    pub(crate) fn field_by(
        &self,
        scopes: &[Scope],
        wanted: &[Option<NodeId>],
        sure: &[usize],
        label: Option<&str>,
    ) -> Option<Locator> {
        if sure.is_empty()
            && let Some(locator) = self.column(scopes, wanted)
        {
            return Some(locator);
        }
        let examples = wanted.iter().enumerate().filter_map(|(at, node)| Some((at, (*node)?)));
        let mut ways = self.ways(scopes, examples, sure);
        if let Some(label) = label.and_then(quoted)
            && let Some(tag) = wanted.iter().flatten().next().and_then(|&node| self.document.name(node))
        {
            // The label may stand in an element in front of it.
            let node = wanted.iter().flatten().next().copied().unwrap_or(NodeId::ROOT);
            let before = std::iter::successors(self.document.prev_sibling(node), |&id| self.document.prev_sibling(id));
            if let Some(name) = before.take(4).find_map(|id| self.document.name(id)) {
                let behind = format!(".//{name}[normalize-space() = {label}]/following-sibling::{tag}[1]");
                ways.insert(0, Way::xpath(behind));
            }
            let begins = format!(".//{tag}[starts-with(normalize-space(), {label})]");
            let holds = format!(".//{tag}[contains(normalize-space(), {label})]");
            ways.splice(0..0, [Way::xpath(begins), Way::xpath(holds)]);
        }
        // What completes the first way need not find the shown records.
        let all = ways.clone();
        if !sure.is_empty() {
            let (own, places): (Vec<Scope>, Vec<Option<NodeId>>) =
                sure.iter().map(|&at| (scopes[at], wanted[at])).unzip();
            ways.retain(|way| {
                let mut right = true;
                let told = |at: usize, found: &[NodeId]| right &= found.first().copied() == places[at];
                self.try_way(&own, way, 1, told) == Some(true) && right
            });
        }
        // One that finds nothing else is better than one whose first find is right: the next page may lack that first.
        // What a way finds is the same for both questions.
        let mut known: Vec<[Option<Vec<Hit>>; 2]> = ways.iter().map(|_| [None, None]).collect();
        let mut judge = |alone: bool, number: usize, step: usize| {
            let known = &mut known[number][usize::from(step > 1)];
            if known.is_none() {
                let mut hits = Vec::with_capacity(scopes.len() / step + 1);
                let hit = |_, found: &[NodeId]| {
                    hits.push(Hit { first: found.first().copied(), several: found.len() > 1 });
                };
                if !self.try_way(scopes, &ways[number], step, hit)? {
                    return Some(Found::BROKEN);
                }
                *known = Some(hits);
            }
            let hits = known.iter().flatten();
            Some(hits.zip(wanted.iter().step_by(step)).fold(Found::default(), |found, (hit, wanted)| {
                found.and(match (hit.first, *wanted) {
                    _ if alone && hit.several => Some(false),
                    (Some(hit), Some(wanted)) => Some(hit == wanted),
                    // A dash says that there is nothing.
                    (Some(hit), None) => Some(is_dash(self.document, hit)),
                    (None, Some(_)) => None,
                    (None, None) => Some(true),
                })
            }))
        };
        let (number, clean) = match best(scopes.len(), ways.len(), |number, step| judge(true, number, step))? {
            (number, true) => (number, true),
            _ => {
                // Cells that cover several rows: no number of a cell in its row is right everywhere.
                if let Some(locator) = self.column(scopes, wanted) {
                    return Some(locator);
                }
                best(scopes.len(), ways.len(), |number, step| judge(false, number, step))?
            }
        };
        let first = &ways[number];
        if !clean {
            let others = self.completing(scopes, wanted, &all, first);
            if !others.is_empty() {
                let cases = std::iter::once(first).chain(others).map(Way::locator).collect();
                return Some(Locator::new(Find::Case(cases)));
            }
        }
        // What was learned from one example has to last: if one of its names is changed, another way takes over.
        let mut names = first.names();
        if names.is_empty() {
            // A heading's tag is a name, too.
            let tag = first.text.split_once(' ').map(|(tag, _)| tag);
            names.extend(tag.filter(|tag| is_telling(tag)).map(str::to_owned));
        }
        let other = match !sure.is_empty() && clean && !names.is_empty() {
            true => (0..ways.len())
                .filter(|&other| other != number && !ways[other].needs(&names) && ways[other].is_named())
                .take(FALLBACKS)
                .find(|&other| judge(true, other, 1).is_some_and(Found::is_clean)),
            false => None,
        };
        Some(match other {
            Some(other) => Locator::new(Find::Case(vec![first.locator(), ways[other].locator()])),
            None => first.locator(),
        })
    }

    /// Chooses ways that find what a first one misses, and nothing where there is nothing: records of another build have the same field
    /// in another place.
    fn completing<'w>(
        &self,
        scopes: &[Scope],
        wanted: &[Option<NodeId>],
        ways: &'w [Way],
        first: &Way,
    ) -> Vec<&'w Way> {
        let mut open: Vec<usize> = Vec::new();
        let tried = self.try_way(scopes, first, 1, |number, found| {
            if found.is_empty() {
                open.push(number);
            }
        });
        let mut chosen = Vec::new();
        while tried == Some(true) && chosen.len() < SHAPES && open.iter().any(|&number| wanted[number].is_some()) {
            let (own, places): (Vec<Scope>, Vec<Option<NodeId>>) =
                open.iter().map(|&number| (scopes[number], wanted[number])).unzip();
            let judge = |number: usize, step: usize| {
                let mut all = Found::default();
                let whole = self.try_way(&own, &ways[number], step, |at, found| {
                    all = all.and(match (found, places[at]) {
                        ([], None) => Some(true),
                        ([], Some(_)) => None,
                        (found, wanted) => Some(found.first().copied() == wanted),
                    });
                })?;
                Some(if whole { all } else { Found::BROKEN })
            };
            // What finds nothing is right where there is nothing: only what is found counts.
            let empty = places.iter().filter(|place| place.is_none()).count();
            let Some((number, _)) = best(own.len(), ways.len(), judge) else { break };
            if judge(number, 1).is_none_or(|found| found.wrong > 0 || found.right <= empty) {
                break;
            }
            let mut left = Vec::new();
            self.try_way(&own, &ways[number], 1, |at, found| {
                if found.is_empty() {
                    left.push(open[at]);
                }
            });
            open = left;
            chosen.push(&ways[number]);
        }
        chosen
    }

    /// The column of a table, where records are rows and cells cover several of them; with the way from the cell to the node,
    /// if all stand in it alike.
    fn column(&self, scopes: &[Scope], wanted: &[Option<NodeId>]) -> Option<Locator> {
        let document = self.document;
        let mut found: Option<(u32, Vec<u64>, NodeId, NodeId)> = None;
        for (scope, node) in scopes.iter().zip(wanted) {
            let row = scope.record.first;
            let Some(node) = *node else { continue };
            let cell =
                std::iter::once(node).chain(document.ancestors(node)).find(|&id| document.parent(id) == Some(row))?;
            let column = self.view.spanned_column(cell).filter(|_| !scope.run)?;
            let below: Vec<u64> = self.steps(cell, node).iter().map(|&step| self.view.step(step)).collect();
            match &found {
                None => found = Some((column, below, cell, node)),
                Some(known) if known.0 == column && known.1 == below => {}
                Some(_) => return None,
            }
        }
        let (column, _, cell, node) = found?;
        let mut locator = Locator::new(Find::Column(Column::Number(column + 1)));
        if cell != node {
            let inner = self.tries(Scope::node(document, cell), node).into_iter().next()?;
            locator.then = Some(Box::new(inner.locator()));
        }
        Some(locator)
    }

    /// The locator that finds exactly these nodes in each record.
    pub(crate) fn list(&self, scopes: &[Scope], wanted: &[Vec<NodeId>]) -> Option<Locator> {
        let ways = self.list_ways(scopes, wanted);
        let right = |number: usize, found: &[NodeId]| match found.is_empty() && !wanted[number].is_empty() {
            true => None,
            false => Some(found == wanted[number]),
        };
        let judge = |way: usize, step: usize| {
            let mut all = Found::default();
            let whole = self.try_way(scopes, &ways[way], step, |number, found| all = all.and(right(number, found)))?;
            Some(if whole { all } else { Found::BROKEN })
        };
        let (number, clean) = best(scopes.len(), ways.len(), judge)?;
        let finds = clean || judge(number, 1).is_some_and(|found| found.right > 0);
        finds.then(|| ways[number].locator())
    }

    /// Locators of some nodes in each record, the most lasting first; whether they find just these is not tried.
    pub(crate) fn list_offers(&self, scopes: &[Scope], wanted: &[Vec<NodeId>]) -> Vec<Locator> {
        self.list_ways(scopes, wanted).iter().map(Way::locator).collect()
    }

    fn list_ways(&self, scopes: &[Scope], wanted: &[Vec<NodeId>]) -> Vec<Way> {
        let examples = wanted.iter().enumerate().filter_map(|(at, nodes)| Some((at, *nodes.first()?)));
        let mut ways = self.ways(scopes, examples, &[]);
        // All of one tag in what holds them, whatever classes they have.
        let first = wanted.iter().enumerate().find_map(|(at, nodes)| Some((at, *nodes.first()?)));
        if let Some((at, node)) = first
            && let Some(holder) = self.document.parent(node).filter(|&holder| scopes[at].contains(holder))
            && let Some(tag) = self.document.name(node)
        {
            let steps = self.steps(self.base(scopes[at]), holder);
            let css: Vec<String> = steps.iter().map(|&step| self.css_step(step)).collect();
            ways.extend(self.selectors(&css).into_iter().map(|selector| Way::css(format!("{selector} > {tag}"))));
            // Without the signs between them, where these are elements of the same tag.
            let is_sign = |&child: &NodeId| {
                let text = self.document.text_content(child);
                self.document.name(child) == Some(tag)
                    && !text.trim().is_empty()
                    && text.chars().all(|c| c.is_whitespace() || SEPARATORS.contains(c))
            };
            let holders = wanted.iter().filter_map(|nodes| self.document.parent(*nodes.first()?)).take(SAMPLE);
            if holders.into_iter().any(|holder| self.document.children(holder).any(|child| is_sign(&child))) {
                let step = self.xpath_step(holder);
                let full = format!("{tag}[translate(normalize-space(), '{SEPARATORS}', '') != '']");
                let around = if holder == self.base(scopes[at]) { full.clone() } else { format!(".//{step}/{full}") };
                ways.extend([Way::xpath(around), Way::xpath(format!(".//{full}"))]);
            }
            if tag == "tr" {
                // All rows but those of headers.
                ways.push(Way::css("tr:has(> td)".to_owned()));
            }
        }
        ways
    }

    /// Locators of one node in its record, the most lasting first; whether they find the like elsewhere is not tried.
    pub(crate) fn offers(&self, scope: Scope, node: NodeId) -> Vec<Locator> {
        self.tries(scope, node).iter().map(Way::locator).collect()
    }

    /// The ways of all the shapes in which nodes stand, the usual one's first, then unions.
    fn ways(&self, scopes: &[Scope], examples: impl Iterator<Item = (usize, NodeId)>, sure: &[usize]) -> Vec<Way> {
        let mut shapes: HashMap<Vec<u64>, (usize, usize, NodeId), FixedState> = HashMap::default();
        for (at, node) in examples {
            let base = self.base(scopes[at]);
            let mut shape: Vec<u64> = self.steps(base, node).iter().map(|&step| self.view.step(step)).collect();
            shape.push(u64::from(self.document.is_text(node)));
            if shapes.len() < 64 || shapes.contains_key(&shape) {
                let known = shapes.entry(shape).or_insert((0, at, node));
                known.0 += 1;
                if sure.contains(&at) {
                    (known.1, known.2) = (at, node);
                }
            }
        }
        let mut shapes: Vec<(usize, usize, NodeId)> = shapes.into_values().collect();
        shapes.sort_by_key(|&(count, at, _)| (!sure.contains(&at), std::cmp::Reverse(count), at));
        shapes.truncate(SHAPES);
        let each: Vec<Vec<Way>> = shapes.iter().map(|&(_, at, node)| self.tries(scopes[at], node)).collect();
        let mut ways: Vec<Way> = Vec::new();
        for way in each.iter().flatten() {
            if !ways.contains(way) {
                ways.push(way.clone());
            }
        }
        if each.len() > 1 {
            // By the classes, by what has none, by position: the last three ways of each.
            for language in [Language::Css, Language::XPath] {
                let own = |ways: &Vec<Way>| -> Vec<String> {
                    ways.iter()
                        .filter(|way| way.language == language && way.nth.is_none() && way.then.is_none())
                        .map(|way| way.text.clone())
                        .collect()
                };
                let texts: Vec<Vec<String>> = each.iter().map(own).collect();
                if texts.iter().any(Vec::is_empty) {
                    continue;
                }
                let between = if language == Language::Css { ", " } else { " | " };
                for nth in 0..3 {
                    let parts: Vec<&str> = texts
                        .iter()
                        .map(|texts| texts[texts.len().saturating_sub(3 - nth).min(texts.len() - 1)].as_str())
                        .collect();
                    ways.push(Way { language, text: parts.join(between), nth: None, then: None });
                }
            }
        }
        for way in shapes.iter().flat_map(|&(_, at, node)| self.brittle(scopes[at], node)) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }

    /// Tells what a way finds in each `step`-th record; false if it cannot be read.
    fn try_way(
        &self,
        scopes: &[Scope],
        way: &Way,
        step: usize,
        mut tell: impl FnMut(usize, &[NodeId]),
    ) -> Option<bool> {
        let parse = |text: &str, language| match language {
            Language::Css => Expr::css(text),
            _ => Expr::xpath(text),
        };
        let Ok(expr) = parse(&way.text, way.language) else { return Some(false) };
        let then = match &way.then {
            Some(then) => Some(Expr::xpath(then).ok()?),
            None => None,
        };
        let indexed = self.answer(way.language, &way.text);
        let mut around: Option<(NodeId, Vec<NodeId>)> = None;
        for (number, &scope) in scopes.iter().enumerate().step_by(step) {
            let mut nodes = match &indexed {
                Some(answer) => {
                    let Record { first, end } = scope.record;
                    // An element does not match in itself, but does in a run that begins with it.
                    let mut nodes = answer.between(first, end);
                    nodes.retain(|&node| scope.run || node != first);
                    nodes
                }
                None => self.find(scope, &expr, &mut around),
            };
            if let Some(nth) = way.nth {
                nodes = nodes.get(nth as usize).copied().into_iter().collect();
            }
            if let Some(then) = &then {
                let inner = |&node: &NodeId| then.select(self.document, node).unwrap_or_default();
                nodes = nodes.iter().flat_map(inner).map(Node::id).collect();
            }
            tell(number, &nodes);
        }
        Some(true)
    }

    /// The answer of the page's index to a selector; none if it has to be evaluated.
    fn answer(&self, language: Language, text: &str) -> Option<Answer<'_>> {
        if language != Language::Css {
            return None;
        }
        Some(self.view.elements()?.answer(self.document, &Selector::parse(text)?))
    }

    /// What an expression selects in a scope, as the executor would. What CSS finds around runs of siblings is kept:
    /// the next run mostly has the same parent.
    pub(super) fn find(&self, scope: Scope, expr: &Expr, around: &mut Option<(NodeId, Vec<NodeId>)>) -> Vec<NodeId> {
        let document = self.document;
        let Record { first, end } = scope.record;
        let select = |context: NodeId| -> Vec<NodeId> {
            expr.select(document, context).unwrap_or_default().into_iter().map(Node::id).collect()
        };
        if !scope.run {
            return select(first);
        }
        if expr.language() != Language::Css {
            return select(first).into_iter().filter(|&id| id < end).collect();
        }
        let parent = document.parent(first).unwrap_or(first);
        if around.as_ref().is_none_or(|around| around.0 != parent) {
            *around = Some((parent, select(parent)));
        }
        let nodes = around.as_ref().map_or(&[][..], |around| &around.1[..]);
        let from = nodes.partition_point(|&node| node < first);
        let to = nodes.partition_point(|&node| node < end);
        nodes[from..to.max(from)].to_vec()
    }

    /// What paths in a scope begin below.
    pub(crate) fn base(&self, scope: Scope) -> NodeId {
        let first = scope.record.first;
        if scope.run { self.document.parent(first).unwrap_or(first) } else { first }
    }
}

/// The number of the first way that is right in all records, or else of the one that does best; and whether it is right
/// in all.
///
/// `judge`: how well a way does, by its number, in each so manieth record.
fn best(records: usize, ways: usize, mut judge: impl FnMut(usize, usize) -> Option<Found>) -> Option<(usize, bool)> {
    let step = (records / SAMPLE).max(1);
    let mut best: Option<(isize, usize)> = None;
    for number in 0..ways {
        let sample = judge(number, step)?;
        // Only a way that does well in the sample is worth trying on all.
        if best.is_some_and(|best| sample.worth() * step as isize <= best.0) && !sample.is_clean() {
            continue;
        }
        let found = if step > 1 { judge(number, 1)? } else { sample };
        if best.is_none_or(|best| found.worth() > best.0) {
            best = Some((found.worth(), number));
        }
        if found.is_clean() {
            return Some((number, true));
        }
    }
    best.map(|best| (best.1, false))
}

/// Returns whether a node's text is a sign that stands for nothing.
fn is_dash(document: &Document, id: NodeId) -> bool {
    let text = document.visible_text(id);
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= 3 && text.chars().all(|c| "-–—‒−·.*".contains(c))
}

/// An attribute of what a locator finds.
pub(crate) fn attribute(locator: &Locator, name: &str) -> Locator {
    if let Some(then) = &locator.then {
        return Locator { then: Some(Box::new(attribute(then, name))), ..locator.clone() };
    }
    // Counted by elements, those without the attribute as well.
    if locator.slice.is_some() {
        return Locator { then: Some(Box::new(Locator::xpath(format!("@{name}")))), ..locator.clone() };
    }
    let each = |text: &str, between: &str, end: &dyn Fn(&str) -> String| {
        text.split(between).map(end).collect::<Vec<_>>().join(between)
    };
    match &locator.find {
        Find::Case(cases) => Locator::new(Find::Case(cases.iter().map(|case| attribute(case, name)).collect())),
        Find::Css(text) => Locator::css(each(text, ", ", &|part| format!("{part}::attr({name})"))),
        Find::XPath(text) => Locator::xpath(each(text, " | ", &|part| match part {
            "." => format!("@{name}"),
            _ => format!("{part}/@{name}"),
        })),
        _ => locator.clone(),
    }
}
