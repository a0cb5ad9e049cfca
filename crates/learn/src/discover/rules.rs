//! From records and columns to the wrapper that finds them.
//!
//! For each place several locators are written, the most readable and lasting first (a class, a short path, positions
//! last), and each is tried on the page itself: the first that finds exactly what it should, in every record, and
//! nothing where there is nothing, is taken.

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::values::{Hints, Type, date, money, number};
use windrow_wrapper::{Find, Learned, Locator, Rule, Until, Wrapper};
use windrow_xpath::{Expr, Language, Node, path_of};

use super::names::Namer;
use super::region::{Candidate, Cut, Record};
use super::template::{Column, Sublist, Template};
use crate::outline::Outline;

/// Records that one locator is tried on.
const TRIED: usize = 400;
/// Bytes of the longest expression that is written: the engine takes 64 KiB.
const LONGEST: usize = 60_000;

/// Writes the wrapper of a candidate.
pub(crate) fn wrapper(outline: &Outline<'_>, candidate: &Candidate, template: &Template) -> Wrapper {
    let writer = Writer { outline, document: outline.document };
    let mut records = writer.records(candidate);
    let scopes: Vec<Scope> = candidate.records.iter().map(|&record| Scope::new(candidate.cut, record)).collect();
    if candidate.cut != Cut::Nodes {
        records.until = Some(Until::Next);
    }
    let mut list = Rule::list("records", records);
    list.rules = writer.rules(&scopes, template, 0);
    Wrapper {
        learned: Some(Learned { by: "discover".to_owned(), from: Vec::new(), at: None }),
        rules: vec![list],
        ..Wrapper::default()
    }
}

/// Where a field's locator runs.
#[derive(Debug, Clone, Copy)]
struct Scope {
    record: Record,
    run: bool,
}

impl Scope {
    fn new(cut: Cut, record: Record) -> Scope {
        Scope { record, run: cut != Cut::Nodes }
    }

    fn node(document: &Document, first: NodeId) -> Scope {
        Scope { record: Record { first, end: document.subtree_end(first) }, run: false }
    }
}

struct Writer<'o, 'd> {
    outline: &'o Outline<'d>,
    document: &'d Document,
}

impl Writer<'_, '_> {
    /// A locator that selects the first node of each record.
    fn records(&self, candidate: &Candidate) -> Locator {
        let document = self.document;
        let wanted: Vec<NodeId> = candidate.records.iter().map(|record| record.first).collect();
        let mut tries: Vec<String> = Vec::new();
        let first = wanted[0];
        let own = self.css_step(first);
        let xpath_own = self.xpath_step(first);
        if own.contains('.') {
            tries.push(own.clone());
        }
        for above in document.ancestors(first).take(4) {
            if let Some(id) = clean_id(document, above) {
                tries.push(format!("#{id} {own}"));
            }
            let step = self.css_step(above);
            if step.contains('.') {
                tries.push(format!("{step} {own}"));
                tries.push(format!("{step} > {own}"));
            }
        }
        if let Some(parent) = document.parent(first) {
            let path = path_of(document, Node::node(parent));
            let tag = document.name(first).unwrap_or("*");
            for step in [xpath_own, tag.to_owned()] {
                tries.push(format!("{path}/{step}"));
                for below in self.telling(candidate) {
                    tries.push(format!("{path}/{step}[{below}]"));
                }
            }
        }
        let select = |text: &String| {
            let found = Expr::parse(text).ok()?.select(document, document.root()).ok()?;
            (found.len() == wanted.len()
                && found.iter().zip(&wanted).all(|(found, wanted)| *found == Node::node(*wanted)))
            .then(|| text.clone())
        };
        match tries.iter().find_map(select) {
            Some(text) => Locator::from(text.as_str()),
            None => {
                // No short way of saying it: the nodes one by one.
                let mut paths = String::new();
                for &node in &wanted {
                    let path = path_of(document, Node::node(node));
                    if paths.len() + path.len() > LONGEST {
                        break;
                    }
                    if !paths.is_empty() {
                        paths.push_str(" | ");
                    }
                    paths.push_str(&path);
                }
                Locator::xpath(paths)
            }
        }
    }

    /// Paths to leaves that every record has: what tells records from what stands among them.
    fn telling(&self, candidate: &Candidate) -> Vec<String> {
        let record = candidate.records[0];
        let leaves = self.outline.leaves_in(record.first, record.end);
        let mut paths: Vec<String> = Vec::new();
        for leaf in leaves.iter().take(12) {
            let steps = self.steps(record.first, leaf.node);
            if steps.is_empty() {
                continue;
            }
            let path = steps.iter().map(|&step| self.xpath_step(step)).collect::<Vec<_>>().join("/");
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    fn rules(&self, scopes: &[Scope], template: &Template, level: usize) -> Vec<Rule> {
        let mut namer = Namer::new(self.document);
        let mut rules = Vec::new();
        for column in self.different(&template.columns) {
            self.column(scopes, column, &mut namer, &mut rules);
        }
        for sublist in &template.sublists {
            if let Some(rule) = self.sublist(scopes, sublist, &mut namer, level) {
                rules.push(rule);
            }
        }
        rules
    }

    /// The columns without those that only say again what another one says.
    fn different<'t>(&self, columns: &'t [Column]) -> Vec<&'t Column> {
        let value = |node: &Option<NodeId>| node.and_then(|node| self.outline.leaf(node)).map(|leaf| leaf.value);
        let mut kept: Vec<(&Column, Vec<Option<u64>>)> = Vec::new();
        for column in columns {
            let values: Vec<Option<u64>> = column.nodes.iter().map(value).collect();
            let filled = values.iter().flatten().count();
            let repeats = |other: &Vec<Option<u64>>| {
                let same = values.iter().zip(other).filter(|(mine, theirs)| mine.is_some() && mine == theirs).count();
                same * 10 >= filled * 9
            };
            // Numbers and dates may agree by chance in a few records.
            if filled > 1 && kept.iter().any(|(_, other)| repeats(other)) {
                continue;
            }
            kept.push((column, values));
        }
        kept.into_iter().map(|(column, _)| column).collect()
    }

    /// The fields of a column: its text, and where it is a link or an image, the address.
    fn column(&self, scopes: &[Scope], column: &Column, namer: &mut Namer<'_>, rules: &mut Vec<Rule>) {
        let Some(example) = column.nodes.iter().flatten().next().copied() else { return };
        let filled = column.nodes.iter().flatten().count();
        let optional = filled < scopes.len();
        let wanted: Vec<Option<NodeId>> = column.nodes.iter().map(|node| node.map(|node| self.holder(node))).collect();
        let image = self.document.name_id(example) == Some(names::IMG);
        let mut text = self.locate(scopes, &wanted, example);
        // What is the same in every record is furniture: a label, a button.
        let values: Vec<u64> =
            column.nodes.iter().flatten().filter_map(|&node| self.outline.leaf(node)).map(|leaf| leaf.value).collect();
        let constant = values.len() > 2 && values.windows(2).all(|pair| pair[0] == pair[1]);
        if constant {
            namer.label(self.document, example);
            return;
        }
        let name = namer.name(self.outline, &column.nodes);
        let link = self.link_of(example);
        if image {
            text = attribute(&text, "src");
            rules.push(Rule { optional, ..Rule::field(name, text).typed(Type::Url) });
            return;
        }
        let ty = self.infer(column);
        rules.push(Rule { optional, ..Rule::field(name.as_str(), text).typed(ty) });
        if let Some(link) = link {
            let wanted: Vec<Option<NodeId>> =
                column.nodes.iter().map(|node| node.and_then(|node| self.link_of(node))).collect();
            let address = attribute(&self.locate(scopes, &wanted, link), "href");
            let name = namer.unique(&format!("{name}_link"));
            let optional = wanted.iter().any(Option::is_none);
            rules.push(Rule { optional, ..Rule::field(name, address).typed(Type::Url) });
        }
    }

    fn sublist(&self, scopes: &[Scope], sublist: &Sublist, namer: &mut Namer<'_>, level: usize) -> Option<Rule> {
        let example = sublist.items.first()?.1;
        let mut wanted: Vec<Vec<NodeId>> = vec![Vec::new(); scopes.len()];
        for &(record, node) in &sublist.items {
            wanted[record].push(node);
        }
        let tries = self.tries(scopes[sublist.items[0].0], example);
        let locator = self.best(scopes, &tries, |number, found| found == wanted[number]);
        let inner: Vec<Scope> = sublist.items.iter().map(|&(_, node)| Scope::node(self.document, node)).collect();
        let mut list = Rule::list(namer.list(self.document, example), locator).optional();
        list.rules = self.rules(&inner, &sublist.template, level + 1);
        let texts = list.rules.iter().filter(|rule| rule.ty != Type::Url).count();
        if list.rules.is_empty() || texts == 0 && list.rules.len() > 1 {
            return None;
        }
        // A list of single values needs no record around each.
        if let [only] = &list.rules[..]
            && only.locator == Locator::xpath(".")
        {
            list.ty = only.ty;
            list.name = only.name.clone();
            list.rules.clear();
            if namer.is_used(&list.name) {
                list.name = namer.unique(&list.name).into();
            }
        }
        Some(list)
    }

    /// The element or text whose visible text is that of a leaf: the element, where it holds nothing else.
    fn holder(&self, leaf: NodeId) -> NodeId {
        let document = self.document;
        match document.parent(leaf) {
            Some(parent) if document.is_text(leaf) && document.subtree_end(parent).index() == parent.index() + 2 => {
                parent
            }
            _ => leaf,
        }
    }

    fn link_of(&self, node: NodeId) -> Option<NodeId> {
        let document = self.document;
        std::iter::once(node)
            .chain(document.ancestors(node).take(3))
            .find(|&id| document.name_id(id) == Some(names::A) && document.attr(id, "href").is_some())
    }

    /// The locator that finds exactly these nodes, one in each record at most.
    fn locate(&self, scopes: &[Scope], wanted: &[Option<NodeId>], example: NodeId) -> Locator {
        let at = wanted.iter().position(Option::is_some).unwrap_or(0);
        let target = wanted.get(at).copied().flatten().unwrap_or(example);
        let tries = self.tries(scopes[at], target);
        self.best(scopes, &tries, |number, found| found.first().copied() == wanted[number])
    }

    /// Ways of saying where a node stands in its record, the best first.
    fn tries(&self, scope: Scope, target: NodeId) -> Vec<String> {
        let document = self.document;
        let first = scope.record.first;
        if target == first && !scope.run {
            return vec![".".to_owned()];
        }
        let base = if scope.run { document.parent(first).unwrap_or(first) } else { first };
        let mut tries = Vec::new();
        let (element, text) = match document.is_text(target) {
            true => (document.parent(target).unwrap_or(base), true),
            false => (target, false),
        };
        let steps = self.steps(base, element);
        let css: Vec<String> = steps.iter().map(|&step| self.css_step(step)).collect();
        if !text {
            for length in 1..=css.len().min(4) {
                let tail = &css[css.len() - length..];
                if tail.iter().any(|step| step.contains('.')) || length > 1 || css.len() == 1 {
                    tries.push(format!("css:{}", tail.join(" > ")));
                }
            }
            tries.extend(
                css.last().filter(|last| css.len() > 1 && !last.contains('.')).map(|last| format!("css:{last}")),
            );
            tries.push(format!("css:{}", css.join(" > ")));
        }
        // By XPath: classes, then positions. In a run, what is not in its first node is behind it.
        let inside = steps.first().is_none_or(|&top| top == first) || !scope.run;
        let steps = if scope.run && !steps.is_empty() { &steps[1..] } else { &steps[..] };
        let mut by_class = steps.iter().map(|&step| self.xpath_step(step)).collect::<Vec<_>>().join("/");
        let mut by_bareness = steps.iter().map(|&step| self.bare_step(step)).collect::<Vec<_>>().join("/");
        let mut by_place = steps.iter().map(|&step| self.place_step(step)).collect::<Vec<_>>().join("/");
        if !inside {
            let top = self.steps(base, element)[0];
            let (class, tag) = (self.xpath_step(top), document.name(top).unwrap_or("*").to_owned());
            let nth = siblings_between(document, first, top, document.name(top));
            let join = |front: String, rest: &str| if rest.is_empty() { front } else { format!("{front}/{rest}") };
            by_class = join(format!("following-sibling::{class}"), &by_class);
            by_bareness = join(format!("following-sibling::{}", self.bare_step(top)), &by_bareness);
            by_place = join(format!("following-sibling::{tag}[{nth}]"), &by_place);
        }
        for path in [by_class, by_bareness, by_place] {
            let mut path = if path.is_empty() { ".".to_owned() } else { path };
            if text {
                let nth = document
                    .children(element)
                    .filter(|&child| {
                        document.is_text(child) && child <= target && !document.text(child).trim().is_empty()
                    })
                    .count();
                path = format!("{path}/text()[normalize-space()][{nth}]");
            }
            tries.push(format!("xpath:{path}"));
        }
        tries
    }

    /// The first way that is right in all records, or the one that is right in most.
    fn best(&self, scopes: &[Scope], tries: &[String], right: impl Fn(usize, &[NodeId]) -> bool) -> Locator {
        let mut best: Option<(usize, &String)> = None;
        for text in tries {
            let Ok(expr) = Expr::parse(text) else { continue };
            let count = scopes
                .iter()
                .enumerate()
                .take(TRIED)
                .filter(|(number, scope)| right(*number, &self.find(**scope, &expr)))
                .count();
            if best.is_none_or(|best| count > best.0) {
                best = Some((count, text));
            }
            if count == scopes.len().min(TRIED) {
                break;
            }
        }
        let text = best.map_or(".", |best| best.1.as_str());
        match text.strip_prefix("css:") {
            Some(css) => Locator::css(css),
            None => Locator::xpath(text.strip_prefix("xpath:").unwrap_or(text)),
        }
    }

    /// What an expression selects in a scope, as the executor would.
    fn find(&self, scope: Scope, expr: &Expr) -> Vec<NodeId> {
        let document = self.document;
        let Record { first, end } = scope.record;
        let css = expr.language() == Language::Css;
        let context = if scope.run && css { document.parent(first).unwrap_or(first) } else { first };
        let found = expr.select(document, context).unwrap_or_default();
        let low = if css && scope.run { first } else { NodeId::ROOT };
        let high = if scope.run { end } else { NodeId::from_index(u32::MAX as usize) };
        found.into_iter().map(Node::id).filter(|&id| low <= id && id < high).collect()
    }

    /// The elements from below `base` down to a node.
    fn steps(&self, base: NodeId, node: NodeId) -> Vec<NodeId> {
        let document = self.document;
        let mut steps: Vec<NodeId> =
            std::iter::once(node).chain(document.ancestors(node)).take_while(|&id| id != base).collect();
        steps.retain(|&id| document.is_element(id));
        steps.reverse();
        steps
    }

    fn css_step(&self, id: NodeId) -> String {
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

    fn xpath_step(&self, id: NodeId) -> String {
        let mut step = self.document.name(id).unwrap_or("*").to_owned();
        for word in self.outline.class_words(id) {
            step.push_str(&format!("[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]"));
        }
        if self.cell_number(id).is_some() {
            return self.place_step(id);
        }
        step
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

    /// The type that nine in ten of a column's texts have.
    fn infer(&self, column: &Column) -> Type {
        let hints = Hints::default();
        let texts: Vec<String> =
            column.nodes.iter().flatten().take(30).map(|&node| self.document.visible_text(node)).collect();
        let most =
            |test: &dyn Fn(&str) -> bool| texts.iter().filter(|text| test(text.trim())).count() * 10 >= texts.len() * 9;
        let short = texts.iter().all(|text| text.chars().count() <= 40);
        if !short || texts.is_empty() {
            return Type::String;
        }
        let is_number = |text: &str| {
            number::find(text, &hints).is_some_and(|(_, range)| range.start == 0 && range.end == text.len())
        };
        if most(&is_number) {
            Type::Number
        } else if most(&|text| money::parse(text, &hints).is_some_and(|money| money.currency.is_some())) {
            Type::Money
        } else if most(&|text| date::parse(text, &hints).is_some()) {
            Type::Date
        } else {
            Type::String
        }
    }
}

/// How many elements of a name stand behind `first` up to `node`.
fn siblings_between(document: &Document, first: NodeId, node: NodeId, name: Option<&str>) -> usize {
    std::iter::successors(document.next_sibling(first), |&id| document.next_sibling(id))
        .take_while(|&id| id <= node)
        .filter(|&id| document.is_element(id) && document.name(id) == name)
        .count()
}

/// An attribute of what a locator finds.
fn attribute(locator: &Locator, name: &str) -> Locator {
    match &locator.find {
        Find::Css(text) => Locator::css(format!("{text}::attr({name})")),
        Find::XPath(text) if &**text == "." => Locator::xpath(format!("@{name}")),
        Find::XPath(text) => Locator::xpath(format!("{text}/@{name}")),
        _ => locator.clone(),
    }
}

/// An id that names something, not one of many.
fn clean_id(document: &Document, id: NodeId) -> Option<&str> {
    let value = document.attr(id, "id")?;
    let plain = |c: char| c.is_ascii_alphabetic() || c == '-' || c == '_';
    (!value.is_empty() && value.chars().all(plain) && !value.starts_with('-')).then_some(value)
}
