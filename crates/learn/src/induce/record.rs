//! Where the records are: the selector of their first nodes that will last longest.
//!
//! What a person named comes first: a class of the records, or one of the list with the records' tag. A selector must
//! select exactly the records. The record's own context is part of it: what has none of the fields, an advertisement or
//! a heading among the records, is not selected, on this page or the next. If a name is changed, a second selector that
//! does not need it takes over. Positions come last, and the nodes one by one if nothing else is exact.
//!
//! # Cost
//!
//! One walk over the page for each class word that is tried; expressions are evaluated only if that gives the records.

use windrow_dom::{Document, NodeId, names};
use windrow_wrapper::{Find, Kind, Locator, Rule};
use windrow_xpath::{Expr, Node, path_of};

use super::generated::looks_generated;
use super::path::{class_test, quoted};
use super::selectors::data_names;
use crate::page_view::PageView;

/// Class words of an element that are tried.
const WORDS: usize = 4;
/// Elements around the list that are tried.
const ANCHORS: usize = 8;
/// Tags that are everywhere: what has one of them may be anything.
const USUAL: [&str; 10] = ["a", "div", "span", "p", "img", "li", "td", "b", "i", "font"];
/// Candidates that are tried, and those that are tried for a second one.
const TRIES: usize = 40;
const SECOND: usize = 10;
/// Candidates that are tried for a choice of them.
const OFFERS: usize = 60;
/// Nodes in a record that are looked at for what tells it from others.
const INSIDE: usize = 200;
/// Fields that make the context.
const CONTEXT: usize = 3;
/// Bytes of the longest expression that is written: the engine takes 64 KiB.
const LONGEST: usize = 60_000;

/// A selector with the names that it needs.
#[derive(Debug, Clone)]
struct Candidate {
    selector: String,
    /// Class words and ids.
    needs: Vec<String>,
    /// It names the records themselves, not only what is around them.
    named: bool,
}

/// What is known of the records.
struct Known<'k> {
    /// Their first nodes, in order.
    nodes: &'k [NodeId],
    /// Selectors of fields, those that all records have first.
    fields: &'k [String],
    /// Words that stand in the text of each record.
    labels: &'k [String],
    /// Texts that no record has.
    without: &'k [String],
    /// Records are runs of siblings: what is in them need not be in their first node.
    runs: bool,
}

/// The locator of the first nodes of records, whose fields have these rules. `runs`: records are siblings in a row.
/// `without`: texts that no record has.
pub(crate) fn of_rules(
    view: &PageView<'_>,
    nodes: &[NodeId],
    runs: bool,
    rules: &[Rule],
    without: &[String],
) -> Locator {
    let (fields, labels) = (selectors(rules), labels(rules));
    locator(view, &Known { nodes, fields: &fields, labels: &labels, without, runs })
}

/// Whether a locator of records is their paths one by one: that is no rule.
pub(crate) fn is_one_by_one(locator: &Locator) -> bool {
    let has_number = |path: &str| path.ends_with(']') && path.contains('/');
    match &locator.find {
        Find::XPath(paths) => paths.contains(" | /") && paths.split(" | ").all(has_number),
        Find::Case(cases) => cases.first().is_some_and(is_one_by_one),
        _ => false,
    }
}

/// The selectors of fields, those that all records have first.
fn selectors(rules: &[Rule]) -> Vec<String> {
    [false, true]
        .iter()
        .flat_map(|&optional| rules.iter().filter(move |rule| rule.optional == optional))
        .filter(|rule| rule.kind == Kind::Field)
        .filter_map(|rule| selector(&rule.locator))
        .fold(Vec::new(), |mut all, selector| {
            if !all.contains(&selector) {
                all.push(selector);
            }
            all
        })
}

/// Locators of the first nodes of records, the most lasting first, each of which selects exactly these.
pub(crate) fn offers(view: &PageView<'_>, nodes: &[NodeId], runs: bool, rules: &[Rule]) -> Vec<Locator> {
    let fields = selectors(rules);
    let labels = labels(rules);
    let known = Known { nodes, fields: &fields, labels: &labels, without: &[], runs };
    let mut finder = Finder::new(view, &known);
    let candidates = finder.candidates();
    let mut found: Vec<String> = Vec::new();
    for candidate in candidates.iter().take(OFFERS) {
        // With the context that makes it exact on the next page, and without.
        let bare = Some(candidate.selector.clone()).filter(|bare| finder.selects(bare));
        for expression in finder.exact(candidate).into_iter().chain(bare) {
            if !found.contains(&expression) {
                found.push(expression);
            }
        }
    }
    let mut all: Vec<Locator> = found.iter().map(|expression| Locator::from(expression.as_str())).collect();
    all.push(finder.by_position());
    all
}

/// The selector of a field.
fn selector(locator: &Locator) -> Option<String> {
    match &locator.find {
        Find::Case(cases) => cases.first().and_then(selector),
        Find::Css(selector) => {
            let selector = selector.split("::").next().unwrap_or_default();
            (!selector.is_empty() && !selector.contains(',')).then(|| selector.to_owned())
        }
        _ => None,
    }
}

/// Words that stand in the text of every record: labels of its fields.
fn labels(rules: &[Rule]) -> Vec<String> {
    let required = rules.iter().filter(|rule| !rule.optional).map(|rule| &rule.locator);
    let last = required.map(|locator| locator.then.as_deref().unwrap_or(locator));
    let labels = last.flat_map(|locator| [&locator.after, &locator.before]).flatten();
    labels
        .map(|label| label.value.clone())
        .filter(|label| label.chars().filter(|c| c.is_alphabetic()).count() > 2)
        .collect()
}

/// The locator of the first nodes of records.
fn locator(view: &PageView<'_>, known: &Known<'_>) -> Locator {
    let mut finder = Finder::new(view, known);
    let candidates = finder.candidates();
    let mut found = finder.choose(&candidates);
    if found.is_empty() {
        // More context, which costs more to check on every page.
        finder.thorough = true;
        finder.contexts.clear();
        found = finder.choose(&candidates);
    }
    let mut locators: Vec<Locator> = found.iter().map(|expression| Locator::from(expression.as_str())).collect();
    match locators.len() {
        0 => finder.by_position(),
        1 => locators.swap_remove(0),
        _ => Locator::new(Find::Case(locators)),
    }
}

/// What in the records tells them from what else a selector selects.
#[derive(Debug, Clone, Default)]
struct Context {
    /// Selectors of what they have in them.
    has: Vec<String>,
    /// The tag of what they do not have in them.
    not: Option<String>,
    /// A class that they do not have.
    class: Option<String>,
    /// Words in their text.
    label: Option<String>,
    /// The texts that no record has tell it.
    without: bool,
}

impl Context {
    fn has(has: Vec<String>) -> Context {
        Context { has, ..Context::default() }
    }

    /// A selector with this context.
    fn with(&self, selector: &str, known: &Known<'_>) -> Option<String> {
        if self.label.is_none() && !self.without {
            let has: String = self.has.iter().map(|has| format!(":has({has})")).collect();
            let not = self.not.as_ref().map(|tag| format!(":not(:has({tag}))")).unwrap_or_default();
            let class = self.class.as_ref().map(|word| format!(":not(.{word})")).unwrap_or_default();
            return Some(format!("{selector}{class}{has}{not}"));
        }
        let mut path = xpath(selector)?;
        if let Some(label) = &self.label {
            path.push_str(&format!("[contains(., {})]", quoted(label)?));
        }
        for text in known.without.iter().filter(|_| self.without) {
            path.push_str(&format!("[not(contains(., {}))]", quoted(text)?));
        }
        Some(path)
    }
}

struct Finder<'o, 'd> {
    view: &'o PageView<'d>,
    document: &'d Document,
    known: &'o Known<'o>,
    /// By field: what its selector selects on the page.
    matches: Vec<Vec<NodeId>>,
    /// Nodes that were selected, and the context they need beside the records.
    contexts: Vec<(Vec<NodeId>, bool, Option<Context>)>,
    /// Whether several things together may make the context.
    thorough: bool,
}

impl<'o, 'd> Finder<'o, 'd> {
    fn new(view: &'o PageView<'d>, known: &'o Known<'o>) -> Finder<'o, 'd> {
        let (matches, contexts) = (Vec::new(), Vec::new());
        Finder { view, document: view.document, known, matches, contexts, thorough: false }
    }
}

impl Finder<'_, '_> {
    /// The first candidate that can be made exact, and one for the case that a name of the first is changed.
    fn choose(&mut self, candidates: &[Candidate]) -> Vec<String> {
        let mut found: Vec<(&Candidate, String)> = Vec::new();
        let mut left = TRIES;
        for candidate in candidates {
            let other =
                |(first, _): &(&Candidate, String)| !first.needs.iter().any(|name| candidate.needs.contains(name));
            if !found.iter().all(other) {
                continue;
            }
            left -= 1;
            if let Some(expression) = self.exact(candidate) {
                found.push((candidate, expression));
                left = left.min(SECOND);
            }
            if left == 0 || found.len() == 2 || found.len() == 1 && found[0].0.needs.is_empty() {
                break;
            }
        }
        found.into_iter().map(|(_, expression)| expression).collect()
    }

    /// Selectors, the most lasting first.
    fn candidates(&self) -> Vec<Candidate> {
        let document = self.document;
        let nodes = self.known.nodes;
        let Some(&first) = nodes.first() else { return Vec::new() };
        let tag =
            document.name(first).filter(|_| nodes.iter().all(|&id| document.name_id(id) == document.name_id(first)));
        let tag = tag.unwrap_or("*");
        // Words that all have, the ones that say most about them first.
        let mut words = self.view.class_words(first);
        words.retain(|word| nodes.iter().all(|&id| has_word(document, id, word)));
        words.sort_by_key(|word| self.view.word_count(word).abs_diff(nodes.len()));
        words.truncate(WORDS);
        let anchors = self.anchors(first);
        let mut all: Vec<Candidate> = Vec::new();
        let mut add = |selector: String, needs: &[&str], named: bool| {
            all.push(Candidate { selector, needs: needs.iter().map(|&name| name.to_owned()).collect(), named });
        };
        for word in &words {
            add(format!(".{word}"), &[word], true);
        }
        for word in &words {
            add(format!("{tag}.{word}"), &[word], true);
        }
        // What the page calls them for programs.
        for name in data_names(document, first) {
            if Expr::css(&name).is_ok_and(|expr| {
                self.select(&expr).is_some_and(|found| nodes.iter().all(|node| found.binary_search(node).is_ok()))
            }) {
                add(name.clone(), &[&name], true);
            }
        }
        for (anchor, name) in &anchors {
            for word in &words {
                add(format!("{anchor} .{word}"), &[word, name], true);
                add(format!("{anchor} > .{word}"), &[word, name], true);
            }
        }
        for (at, word) in words.iter().enumerate() {
            for other in &words[at + 1..] {
                add(format!(".{word}.{other}"), &[word, other], true);
            }
        }
        let bare = nodes.iter().all(|&id| document.attr_by_id(id, names::CLASS).is_none());
        let ends: &[&str] = if bare { &["", ":not([class])"] } else { &[""] };
        for between in [" ", " > "] {
            for (anchor, name) in &anchors {
                for end in ends {
                    add(format!("{anchor}{between}{tag}{end}"), &[name], false);
                }
            }
        }
        // What is around the records one by one may have a name, too.
        if let Some(parent) = document.parent(first) {
            for word in self.view.class_words(parent).into_iter().take(WORDS) {
                for between in [" ", " > "] {
                    add(format!(".{word}{between}{tag}"), &[word], false);
                }
            }
        }
        for end in ends {
            add(format!("{tag}{end}"), &[], false);
        }
        // Words that a program made up hold until the page is built anew, which is better than positions.
        let is_shared = |word: &&str| !words.contains(word) && nodes.iter().all(|&id| has_word(document, id, word));
        for word in self.view.written_words(first).filter(is_shared).take(WORDS) {
            add(format!("{tag}.{word}"), &[word], true);
        }
        all
    }

    /// Named elements around all records, the nearest first: a selector and its name.
    fn anchors(&self, first: NodeId) -> Vec<(String, String)> {
        let document = self.document;
        let last = self.known.nodes.last().copied().unwrap_or(first);
        let around = document.ancestors(first).filter(|&id| document.subtree_end(id) > last);
        let mut anchors = Vec::new();
        for id in around.take(ANCHORS).filter(|&id| document.is_element(id)) {
            if let Some(name) = clean_id(document, id) {
                anchors.push((format!("#{name}"), format!("#{name}")));
            }
            for word in self.view.words_of(id).into_iter().take(2) {
                anchors.push((format!(".{word}"), word.to_owned()));
            }
            for name in data_names(document, id) {
                anchors.push((name.clone(), name));
            }
        }
        anchors
    }

    /// The expression of a candidate with as much context as it needs to select exactly the records.
    fn exact(&mut self, candidate: &Candidate) -> Option<String> {
        let found = self.select(&Expr::css(&candidate.selector).ok()?)?;
        let nodes = self.known.nodes;
        if found.len() < nodes.len() || nodes.iter().any(|node| found.binary_search(node).is_err()) {
            return None;
        }
        // Selectors of the same nodes need the same context.
        let context = match self.contexts.iter().find(|(known, named, _)| *named == candidate.named && *known == found)
        {
            Some((_, _, context)) => context.clone(),
            None => {
                let context = self.context(candidate, &found);
                self.contexts.push((found, candidate.named, context.clone()));
                context
            }
        };
        let expression = context?.with(&candidate.selector, self.known)?;
        self.selects(&expression).then_some(expression)
    }

    /// What the records have in them, and what else was found has not.
    fn context(&mut self, candidate: &Candidate, found: &[NodeId]) -> Option<Context> {
        let document = self.document;
        let nodes = self.known.nodes;
        let exact = found.len() == nodes.len();
        if self.known.runs {
            return exact.then(Context::default);
        }
        let others: Vec<NodeId> = found.iter().copied().filter(|id| nodes.binary_search(id).is_err()).collect();
        let (telling, usual): (Vec<usize>, Vec<usize>) =
            (0..self.known.fields.len()).partition(|&field| !USUAL.contains(&self.known.fields[field].as_str()));
        let telling = &telling[..telling.len().min(CONTEXT)];
        self.find_fields();
        let tells =
            |test: &dyn Fn(NodeId) -> bool| nodes.iter().all(|&id| test(id)) && !others.iter().any(|&id| test(id));
        let field = |field: usize| self.known.fields[field].clone();
        let holds = |id: NodeId, field: usize| self.holds(id, field);
        // Of a table's row, that it has all its cells tells more than that it has one of them.
        if let Some(cells) = self.cells() {
            let full = |id: NodeId| has_cells(document, id, cells);
            let cells = format!("> td:nth-child({cells})");
            if tells(&full) {
                return Some(Context::has(vec![cells]));
            }
            if let Some(&other) = telling.iter().find(|&&other| tells(&|id| full(id) && holds(id, other))) {
                return Some(Context::has(vec![cells, field(other)]));
            }
        }
        // Any of the fields is enough, so that one that changes does not take the others with it.
        if !telling.is_empty() && tells(&|id| telling.iter().any(|&other| holds(id, other))) {
            return Some(Context::has(vec![telling.iter().map(|&other| field(other)).collect::<Vec<_>>().join(", ")]));
        }
        if exact && candidate.named {
            return Some(Context::default());
        }
        if let Some(class) = self.strange_class(&others) {
            return Some(Context { class: Some(class), ..Context::default() });
        }
        let all: Vec<usize> = (0..self.known.fields.len()).collect();
        let sets =
            telling.iter().chain(&usual).map(std::slice::from_ref).chain([&all[..]]).filter(|set| !set.is_empty());
        // Not what holds another such element: tables in tables.
        let tag = document.name_id(nodes[0]);
        let innermost = |id: NodeId| {
            !document.descendants(id).skip(1).any(|below| document.is_element(below) && document.name_id(below) == tag)
        };
        for inner in [false, true].into_iter().filter(|inner| !inner || self.thorough) {
            for set in sets.clone().filter(|set| set.len() == 1 || self.thorough) {
                if tells(&|id| set.iter().all(|&other| holds(id, other)) && (!inner || innermost(id))) {
                    let not = document.name(nodes[0]).filter(|_| inner).map(str::to_owned);
                    return Some(Context {
                        has: set.iter().map(|&other| field(other)).collect(),
                        not,
                        ..Context::default()
                    });
                }
            }
        }
        if let Some(label) =
            self.known.labels.iter().find(|label| tells(&|id| document.text_content(id).contains(label.as_str())))
        {
            return Some(Context { label: Some(label.clone()), ..Context::default() });
        }
        if exact {
            return Some(Context::default());
        }
        if !self.thorough {
            return None;
        }
        // Of those that hold no other such element, too, if the records do not.
        let inner: Vec<NodeId> = others.iter().copied().filter(|&id| innermost(id)).collect();
        let not =
            document.name(nodes[0]).filter(|_| inner.len() < others.len() && nodes.iter().all(|&id| innermost(id)));
        match self.telling(others).map(|tokens| (tokens, None)).or_else(|| {
            let not = not.map(str::to_owned)?;
            Some((self.telling(inner)?, Some(not)))
        }) {
            Some((has, not)) => Some(Context { has, not, ..Context::default() }),
            None if self.known.without.is_empty() => None,
            None => Some(Context { without: true, ..Context::default() }),
        }
    }

    /// A class word that all the others have, and no record.
    fn strange_class(&self, others: &[NodeId]) -> Option<String> {
        let document = self.document;
        let words = self.view.words_of(*others.first()?);
        let tells = |word: &&str| {
            others.iter().all(|&id| has_word(document, id, word))
                && !self.known.nodes.iter().any(|&id| has_word(document, id, word))
        };
        words.into_iter().find(|word| tells(word)).map(str::to_owned)
    }

    /// Finds the fields on the page, once.
    fn find_fields(&mut self) {
        if self.matches.is_empty() {
            let select = |field: &String| Expr::css(field).ok().and_then(|expr| self.select(&expr)).unwrap_or_default();
            self.matches = self.known.fields.iter().map(select).collect();
        }
    }

    /// Whether something in an element is what a field's selector selects on the page.
    fn holds(&self, id: NodeId, field: usize) -> bool {
        let Some(matches) = self.matches.get(field) else { return false };
        let from = matches.partition_point(|&found| found <= id);
        matches.get(from).is_some_and(|&found| found < self.document.subtree_end(id))
    }

    /// The number of cells that every record has, if they are rows of a table.
    fn cells(&self) -> Option<usize> {
        let document = self.document;
        let count = |id: NodeId| document.children(id).filter(|&cell| document.is_element(cell)).count();
        let rows = self.known.nodes.iter().all(|&id| document.name_id(id) == Some(names::TR));
        self.known.nodes.iter().map(|&id| count(id)).min().filter(|&least| rows && least >= 2)
    }

    /// Classes and tags that all records have in them, and of which each of the others lacks one.
    fn telling(&self, mut others: Vec<NodeId>) -> Option<Vec<String>> {
        let nodes = self.known.nodes;
        if others.len() > nodes.len() {
            return None;
        }
        let mut tokens = self.tokens(*nodes.first()?);
        for &node in nodes.iter().skip(1) {
            let own = self.tokens(node);
            tokens.retain(|token| own.contains(token));
        }
        let mut chosen = Vec::new();
        while !others.is_empty() && chosen.len() < CONTEXT {
            let lack = |token: &String| others.iter().filter(|&&id| !self.tokens(id).contains(token)).count();
            let best = tokens.iter().max_by_key(|token| (lack(token), std::cmp::Reverse(token.len())))?.clone();
            if lack(&best) == 0 {
                return None;
            }
            others.retain(|&id| self.tokens(id).contains(&best));
            chosen.push(best);
        }
        others.is_empty().then_some(chosen)
    }

    /// The classes and tags of what is in a node.
    fn tokens(&self, id: NodeId) -> Vec<String> {
        let document = self.document;
        let mut tokens: Vec<String> = Vec::new();
        for below in document.descendants(id).take(INSIDE).filter(|&below| document.is_element(below)) {
            let classes = self.view.class_words(below).into_iter().map(|word| format!(".{word}"));
            for token in classes.chain(document.name(below).map(str::to_owned)) {
                if !tokens.contains(&token)
                    && (token.starts_with('.') || token.chars().all(|c| c.is_ascii_alphanumeric()))
                {
                    tokens.push(token);
                }
            }
        }
        tokens
    }

    fn selects(&self, expression: &str) -> bool {
        Expr::parse(expression).ok().and_then(|expr| self.select(&expr)).is_some_and(|found| found == self.known.nodes)
    }

    fn select(&self, expr: &Expr) -> Option<Vec<NodeId>> {
        let found = expr.select(self.document, self.document.root()).ok()?;
        Some(found.into_iter().map(Node::id).collect())
    }

    /// By where they are: below one parent, or one by one.
    fn by_position(&self) -> Locator {
        let document = self.document;
        let nodes = self.known.nodes;
        let Some(&first) = nodes.first() else { return Locator::xpath("/..") };
        if let Some(parent) = document.parent(first) {
            let path = self.path_from_name(parent);
            let tag = document.name(first).unwrap_or("node()");
            let mut tries = vec![format!("{path}/{tag}")];
            tries.extend(self.known.fields.iter().filter_map(|field| Some(format!("{path}/{tag}[{}]", inner(field)?))));
            tries.extend(["td", "a", "*[2]", "*"].map(|below| format!("{path}/{tag}[{below}]")));
            tries.extend(["td", "a"].map(|below| format!("{path}/{tag}[.//{below}]")));
            tries.push(format!("{path}/{tag}[position() > 1]"));
            if let Some(found) = tries.into_iter().find(|path| self.selects(path)) {
                return Locator::xpath(found);
            }
        }
        let mut paths = String::new();
        for &node in nodes {
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

    /// The path of a node from the nearest element with an id, if there is one.
    fn path_from_name(&self, id: NodeId) -> String {
        let document = self.document;
        let whole = path_of(document, Node::node(id));
        for above in std::iter::once(id).chain(document.ancestors(id)).take(ANCHORS) {
            let path = path_of(document, Node::node(above));
            if let (Some(name), Some(rest)) = (clean_id(document, above), whole.strip_prefix(&path)) {
                return format!("//*[@id='{name}']{rest}");
            }
        }
        whole
    }
}

/// A path to what a simple selector selects, from the page on.
fn xpath(selector: &str) -> Option<String> {
    let mut path = String::new();
    let mut child = false;
    for part in selector.split(' ') {
        if part == ">" {
            child = true;
            continue;
        }
        path.push_str(if child { "/" } else { "//" });
        path.push_str(&xpath_of(part)?);
        child = false;
    }
    Some(path)
}

/// A relative path to what a simple selector selects.
fn inner(selector: &str) -> Option<String> {
    let steps: Option<Vec<String>> = selector.split(' ').filter(|part| *part != ">").map(xpath_of).collect();
    Some(format!(".//{}", steps?.join("//")))
}

/// A step of XPath for a tag, a class, both, or an id.
fn xpath_of(part: &str) -> Option<String> {
    if part.contains([':', '[', ',']) {
        return None;
    }
    if let Some(id) = part.strip_prefix('#') {
        return Some(format!("*[@id='{id}']"));
    }
    let mut words = part.split('.');
    let tag = words.next().filter(|tag| !tag.is_empty()).unwrap_or("*");
    let tests: String = words.map(|word| format!("[{}]", class_test(word))).collect();
    Some(format!("{tag}{tests}"))
}

/// Whether a row has so many cells, the last of them one of data.
fn has_cells(document: &Document, row: NodeId, count: usize) -> bool {
    let mut cells = document.children(row).filter(|&cell| document.is_element(cell));
    cells.nth(count - 1).is_some_and(|cell| document.name_id(cell) == Some(names::TD))
}

fn has_word(document: &Document, id: NodeId, word: &str) -> bool {
    let class = document.attr_by_id(id, names::CLASS).unwrap_or_default();
    class.split_ascii_whitespace().any(|other| other == word)
}

/// An id that names something, not one of many.
pub(crate) fn clean_id(document: &Document, id: NodeId) -> Option<&str> {
    let value = document.attr(id, "id")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let usual = value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(plain);
    (usual && !looks_generated(value)).then_some(value)
}
