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
use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::{Find, Locator, Slice};
use windrow_xpath::{Expr, Language, Node};

use crate::outline::Outline;
use crate::scope::{Record, Scope};

/// Records that an expression is tried on before it is tried on all.
const SAMPLE: usize = 64;
/// Ways that are tried as a second one.
const FALLBACKS: usize = 12;
/// Class words of an element that are tried.
const WORDS: usize = 3;
/// Different ways of standing in a record that are put together.
const SHAPES: usize = 4;

/// One way of saying where something is: an expression, maybe which of its finds, and maybe another one in that.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Way {
    language: Language,
    text: String,
    nth: Option<u32>,
    then: Option<String>,
}

impl Way {
    fn css(text: String) -> Way {
        Way { language: Language::Css, text, nth: None, then: None }
    }

    fn xpath(text: String) -> Way {
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
}

impl Way {
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
    pub(crate) outline: &'o Outline<'d>,
    pub(crate) document: &'d Document,
}

impl Finder<'_, '_> {
    /// The locator that finds exactly these nodes, one in each record at most; none if none finds any. In the records
    /// `sure`, it must be right.
    pub(crate) fn field(&self, scopes: &[Scope], wanted: &[Option<NodeId>], sure: &[usize]) -> Option<Locator> {
        let examples = wanted.iter().enumerate().filter_map(|(at, node)| Some((at, (*node)?)));
        let mut ways = self.ways(scopes, examples, sure);
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
                    (Some(_), None) => Some(false),
                    (None, Some(_)) => None,
                    (None, None) => Some(true),
                })
            }))
        };
        let (number, clean) = match best(scopes.len(), ways.len(), |number, step| judge(true, number, step))? {
            (number, true) => (number, true),
            _ => best(scopes.len(), ways.len(), |number, step| judge(false, number, step))?,
        };
        let first = &ways[number];
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

    /// The locator that finds exactly these nodes in each record.
    pub(crate) fn list(&self, scopes: &[Scope], wanted: &[Vec<NodeId>]) -> Option<Locator> {
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
        }
        let right = |number: usize, found: &[NodeId]| match found.is_empty() && !wanted[number].is_empty() {
            true => None,
            false => Some(found == wanted[number]),
        };
        let judge = |way: usize, step: usize| {
            let mut all = Found::default();
            let whole = self.try_way(scopes, &ways[way], step, |number, found| all = all.and(right(number, found)))?;
            Some(if whole { all } else { Found::BROKEN })
        };
        best(scopes.len(), ways.len(), judge).map(|(number, _)| ways[number].locator())
    }

    /// The ways of all the shapes in which nodes stand, the usual one's first, then unions.
    fn ways(&self, scopes: &[Scope], examples: impl Iterator<Item = (usize, NodeId)>, sure: &[usize]) -> Vec<Way> {
        let mut shapes: HashMap<Vec<u64>, (usize, usize, NodeId), FixedState> = HashMap::default();
        for (at, node) in examples {
            let base = self.base(scopes[at]);
            let mut shape: Vec<u64> = self.steps(base, node).iter().map(|&step| self.outline.step(step)).collect();
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
        let mut around: Option<(NodeId, Vec<NodeId>)> = None;
        for (number, &scope) in scopes.iter().enumerate().step_by(step) {
            let mut nodes = self.find(scope, &expr, &mut around);
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

    /// What an expression selects in a scope, as the executor would. What CSS finds around runs of siblings is kept:
    /// the next run mostly has the same parent.
    fn find(&self, scope: Scope, expr: &Expr, around: &mut Option<(NodeId, Vec<NodeId>)>) -> Vec<NodeId> {
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
    fn base(&self, scope: Scope) -> NodeId {
        let first = scope.record.first;
        if scope.run { self.document.parent(first).unwrap_or(first) } else { first }
    }

    /// Ways of saying where a node stands in its record, the best first; the last three are by XPath: classes, what has
    /// none, positions.
    fn tries(&self, scope: Scope, target: NodeId) -> Vec<Way> {
        let document = self.document;
        let first = scope.record.first;
        if target == first && !scope.run {
            return vec![Way::xpath(".".to_owned())];
        }
        let base = self.base(scope);
        let mut ways = Vec::new();
        let (element, text) = match document.is_text(target) {
            true => (document.parent(target).unwrap_or(base), true),
            false => (target, false),
        };
        let steps = self.steps(base, element);
        let css: Vec<String> = steps.iter().map(|&step| self.css_step(step)).collect();
        let chain = self.selectors(&css);
        let mut selectors = self.lasting(&steps);
        for selector in &chain {
            if !selectors.contains(selector) {
                selectors.push(selector.clone());
            }
        }
        let pieces: Vec<String> = if text { self.text_steps(target) } else { Vec::new() };
        if !text {
            ways.extend(selectors.iter().cloned().map(Way::css));
        } else if !css.is_empty() {
            // Where its element stands may vary; CSS looks through all of the record.
            for selector in &selectors {
                for piece in &pieces {
                    ways.push(Way { then: Some(piece.clone()), ..Way::css(selector.clone()) });
                }
            }
        }
        // By XPath: classes, then positions. In a run, what is not in its first node is behind it.
        let inside = steps.first().is_none_or(|&top| top == first) || !scope.run;
        let below = if scope.run && !steps.is_empty() { &steps[1..] } else { &steps[..] };
        let path = |step: &dyn Fn(NodeId) -> String| below.iter().map(|&id| step(id)).collect::<Vec<_>>().join("/");
        let mut by_class = path(&|id| self.xpath_step(id));
        let mut by_bareness = path(&|id| self.bare_step(id));
        let mut by_place = path(&|id| self.place_step(id));
        if !text && let Some(exact) = self.exact_step(target) {
            ways.push(Way::css(match css.len() {
                0 | 1 => exact,
                length => format!("{} > {exact}", css[length - 2]),
            }));
        }
        if !inside {
            let top = steps[0];
            let (class, tag) = (self.xpath_step(top), document.name(top).unwrap_or("*").to_owned());
            let nth = siblings_between(document, first, top, document.name(top));
            let join = |front: String, rest: &str| if rest.is_empty() { front } else { format!("{front}/{rest}") };
            by_class = join(format!("following-sibling::{class}"), &by_class);
            by_bareness = join(format!("following-sibling::{}", self.bare_step(top)), &by_bareness);
            by_place = join(format!("following-sibling::{tag}[{nth}]"), &by_place);
        }
        // Which of the elements of one kind, wherever they stand.
        let mut counted: Vec<&String> = selectors.first().into_iter().chain(&chain).collect();
        counted.dedup();
        for selector in counted.into_iter().take(if text { 0 } else { 2 }) {
            let nth = Expr::css(selector)
                .ok()
                .and_then(|expr| self.find(scope, &expr, &mut None).iter().position(|&node| node == target));
            ways.extend(nth.map(|nth| Way { nth: Some(nth as u32), ..Way::css(selector.clone()) }));
        }
        for path in [by_class, by_bareness, by_place] {
            match (text, path.is_empty()) {
                (false, true) => ways.push(Way::xpath(".".to_owned())),
                (false, false) => ways.push(Way::xpath(path)),
                // A text among the nodes of the run itself.
                (true, true) if scope.run => ways.extend(self.run_texts(first, target).into_iter().map(Way::xpath)),
                (true, true) => ways.extend(pieces.iter().cloned().map(Way::xpath)),
                (true, false) => ways.extend(pieces.iter().map(|piece| Way::xpath(format!("{path}/{piece}")))),
            }
        }
        ways
    }

    /// Selectors of the element that this path of steps leads to, those first that outlive a redesign: what a person
    /// named, then what a tag says, at any depth; neither how deep it is nor where among its siblings.
    fn lasting(&self, steps: &[NodeId]) -> Vec<String> {
        let document = self.document;
        let [above @ .., own] = steps else { return Vec::new() };
        let tag = document.name(*own).unwrap_or("*");
        let words = self.outline.class_words(*own);
        let mut all: Vec<String> = Vec::new();
        let mut add = |selector: String| {
            if !all.contains(&selector) {
                all.push(selector);
            }
        };
        if let Some(property) = named_property(document, *own) {
            add(property);
        }
        words.iter().take(WORDS).for_each(|word| add(format!(".{word}")));
        let telling = is_telling(tag);
        if telling {
            add(tag.to_owned());
        }
        let near = || above.iter().rev().take(3);
        for &id in near() {
            if let Some(property) = named_property(document, id) {
                add(format!("{property} {tag}"));
            }
            let around = self.outline.class_words(id);
            for around in around.iter().take(WORDS) {
                for word in words.iter().take(WORDS) {
                    add(format!(".{around} .{word}"));
                }
                add(format!(".{around} {tag}"));
            }
        }
        for name in near().filter_map(|&id| document.name(id)).filter(|name| is_telling(name)) {
            add(format!("{name} {tag}"));
        }
        // The columns of a table have no other name than their number.
        if let Some(cell) = steps.iter().rev().find_map(|&id| Some((id, self.cell_number(id)?))) {
            let column = format!("{}:nth-child({})", document.name(cell.0).unwrap_or("td"), cell.1);
            add(if cell.0 == *own { column } else { format!("{column} {tag}") });
        }
        words.iter().take(WORDS).for_each(|word| add(format!("{tag}.{word}")));
        for name in near().filter_map(|&id| document.name(id)).take(2) {
            add(format!("{name} {tag}"));
        }
        all
    }

    /// Selectors of the element that this path of steps leads to, short ones with a class first.
    fn selectors(&self, css: &[String]) -> Vec<String> {
        let mut selectors = Vec::new();
        for length in 1..=css.len().min(4) {
            let tail = &css[css.len() - length..];
            if tail.iter().any(|step| step.contains('.')) || length > 1 || css.len() == 1 {
                selectors.push(tail.join(" > "));
            }
        }
        selectors.extend(css.last().filter(|last| css.len() > 1 && !last.contains('.')).cloned());
        if css.len() > 4 {
            selectors.push(css.join(" > "));
        }
        selectors
    }

    /// Ways of saying which of the texts in its element a text is.
    fn text_steps(&self, target: NodeId) -> Vec<String> {
        let document = self.document;
        let Some(element) = document.parent(target) else { return Vec::new() };
        let texts: Vec<NodeId> = document
            .children(element)
            .filter(|&child| document.is_text(child) && !document.text(child).trim().is_empty())
            .take(64)
            .collect();
        let nth = texts.iter().position(|&text| text == target).map_or(1, |at| at + 1);
        let mut steps = vec![format!("text()[normalize-space()][{nth}]")];
        let before = std::iter::successors(document.prev_sibling(target), |&id| document.prev_sibling(id))
            .take(8)
            .find(|&id| document.is_element(id));
        if let Some(before) = before {
            let nearest = "following-sibling::text()[normalize-space()][1]";
            steps.push(format!("{}/{nearest}", self.xpath_step(before)));
            steps.push(format!("{}/{nearest}", self.place_step(before)));
        }
        if nth == texts.len() && nth > 1 {
            steps.push("text()[normalize-space()][last()]".to_owned());
        }
        steps
    }

    /// The same for a text that is itself a node of a run.
    fn run_texts(&self, first: NodeId, target: NodeId) -> Vec<String> {
        let document = self.document;
        if first == target {
            return vec!["self::text()".to_owned()];
        }
        let behind = std::iter::successors(document.next_sibling(first), |&id| document.next_sibling(id));
        let nth = behind
            .take_while(|&id| id <= target)
            .filter(|&id| document.is_text(id) && !document.text(id).trim().is_empty())
            .count();
        let mut ways = vec![format!("following-sibling::text()[normalize-space()][{nth}]")];
        let before = std::iter::successors(document.prev_sibling(target), |&id| document.prev_sibling(id))
            .take(8)
            .take_while(|&id| id > first)
            .find(|&id| document.is_element(id));
        if let Some(before) = before {
            let step = self.xpath_step(before);
            ways.push(format!("following-sibling::{step}[1]/following-sibling::text()[normalize-space()][1]"));
        }
        ways
    }

    /// The elements from below `base` down to a node.
    pub(crate) fn steps(&self, base: NodeId, node: NodeId) -> Vec<NodeId> {
        let document = self.document;
        let mut steps: Vec<NodeId> =
            std::iter::once(node).chain(document.ancestors(node)).take_while(|&id| id != base).collect();
        steps.retain(|&id| document.is_element(id));
        steps.reverse();
        steps
    }

    pub(crate) fn css_step(&self, id: NodeId) -> String {
        let mut step = self.document.name(id).unwrap_or("*").to_owned();
        for word in self.outline.class_words(id) {
            step.push('.');
            step.push_str(word);
        }
        if let Some(nth) = self.cell_number(id) {
            step.push_str(&format!(":nth-child({nth})"));
        }
        step
    }

    pub(crate) fn xpath_step(&self, id: NodeId) -> String {
        let mut step = self.document.name(id).unwrap_or("*").to_owned();
        for word in self.outline.class_words(id) {
            step.push_str(&format!("[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]"));
        }
        if self.cell_number(id).is_some() {
            return self.place_step(id);
        }
        step
    }

    /// An element by its class alone: others have more classes.
    fn exact_step(&self, id: NodeId) -> Option<String> {
        let class = self.document.attr_by_id(id, names::CLASS)?;
        let plain =
            !class.is_empty() && class.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '));
        plain.then(|| format!("{}[class=\"{class}\"]", self.document.name(id).unwrap_or("*")))
    }

    /// The same, where an element without a class is told from its like with one.
    fn bare_step(&self, id: NodeId) -> String {
        let step = self.xpath_step(id);
        match self.document.attr_by_id(id, names::CLASS) {
            None if self.cell_number(id).is_none() => format!("{step}[not(@class)]"),
            _ => step,
        }
    }

    fn place_step(&self, id: NodeId) -> String {
        let document = self.document;
        let name = document.name(id).unwrap_or("*");
        let nth = document.parent(id).and_then(|parent| document.first_child(parent)).map_or(1, |first| {
            siblings_between(document, first, id, Some(name))
                + usize::from(document.name(first) == Some(name) && first != id)
        });
        format!("{name}[{}]", nth.max(1))
    }

    /// The number of a table cell in its row.
    fn cell_number(&self, id: NodeId) -> Option<usize> {
        let document = self.document;
        matches!(document.name_id(id), Some(names::TD | names::TH)).then(|| {
            document
                .parent(id)
                .map_or(1, |row| document.children(row).filter(|&cell| document.is_element(cell) && cell <= id).count())
        })
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

/// Whether a tag says what is in it, so that there is often but one in a record.
fn is_telling(tag: &str) -> bool {
    matches!(
        tag,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "time" | "address" | "cite" | "em" | "strong" | "b" | "figcaption"
    )
}

/// A selector by what the page says for programs: microdata.
fn named_property(document: &Document, id: NodeId) -> Option<String> {
    let value = document.attr(id, "itemprop")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!value.is_empty() && value.chars().all(plain)).then(|| format!("[itemprop={value}]"))
}

/// How many elements of a name stand behind `first` up to `node`.
fn siblings_between(document: &Document, first: NodeId, node: NodeId, name: Option<&str>) -> usize {
    std::iter::successors(document.next_sibling(first), |&id| document.next_sibling(id))
        .take_while(|&id| id <= node)
        .filter(|&id| document.is_element(id) && document.name(id) == name)
        .count()
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
