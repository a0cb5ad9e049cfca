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
use crate::outline::Outline;

/// Class words of an element that are tried.
const WORDS: usize = 4;
/// Elements around the list that are tried.
const ANCHORS: usize = 8;
/// Tags that are everywhere: what has one of them may be anything.
const USUAL: [&str; 10] = ["a", "div", "span", "p", "img", "li", "td", "b", "i", "font"];
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
    outline: &Outline<'_>,
    nodes: &[NodeId],
    runs: bool,
    rules: &[Rule],
    without: &[String],
) -> Locator {
    // Fields that all records have come first.
    let fields = [false, true]
        .iter()
        .flat_map(|&optional| rules.iter().filter(move |rule| rule.optional == optional))
        .filter(|rule| rule.kind == Kind::Field)
        .filter_map(|rule| selector(&rule.locator))
        .fold(Vec::new(), |mut all, selector| {
            if !all.contains(&selector) {
                all.push(selector);
            }
            all
        });
    let labels = labels(rules);
    locator(outline, &Known { nodes, fields: &fields, labels: &labels, without, runs })
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
fn locator(outline: &Outline<'_>, known: &Known<'_>) -> Locator {
    let finder = Finder { outline, document: outline.document, known };
    let mut found: Vec<(Candidate, String)> = Vec::new();
    for candidate in finder.candidates() {
        // A second one is for the case that a name of the first is changed.
        let other = |(first, _): &(Candidate, String)| !first.needs.iter().any(|name| candidate.needs.contains(name));
        if !found.iter().all(other) {
            continue;
        }
        if let Some(expression) = finder.exact(&candidate) {
            found.push((candidate, expression));
        }
        if found.len() == 2 || found.len() == 1 && found[0].0.needs.is_empty() {
            break;
        }
    }
    let mut locators: Vec<Locator> =
        found.into_iter().map(|(_, expression)| Locator::from(expression.as_str())).collect();
    match locators.len() {
        0 => finder.by_position(),
        1 => locators.swap_remove(0),
        _ => Locator::new(Find::Case(locators)),
    }
}

struct Finder<'o, 'd> {
    outline: &'o Outline<'d>,
    document: &'d Document,
    known: &'o Known<'o>,
}

impl Finder<'_, '_> {
    /// Selectors, the most lasting first.
    fn candidates(&self) -> Vec<Candidate> {
        let document = self.document;
        let nodes = self.known.nodes;
        let Some(&first) = nodes.first() else { return Vec::new() };
        let tag =
            document.name(first).filter(|_| nodes.iter().all(|&id| document.name_id(id) == document.name_id(first)));
        let tag = tag.unwrap_or("*");
        // Words that all have, the ones that say most about them first.
        let mut words = self.outline.class_words(first);
        words.retain(|word| nodes.iter().all(|&id| has_word(document, id, word)));
        words.sort_by_key(|word| self.outline.word_count(word).abs_diff(nodes.len()));
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
            for word in self.outline.class_words(parent).into_iter().take(WORDS) {
                for between in [" ", " > "] {
                    add(format!(".{word}{between}{tag}"), &[word], false);
                }
            }
        }
        for end in ends {
            add(format!("{tag}{end}"), &[], false);
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
            for word in self.outline.words_of(id).into_iter().take(2) {
                anchors.push((format!(".{word}"), word.to_owned()));
            }
        }
        anchors
    }

    /// The expression of a candidate with as much context as it needs to select exactly the records.
    fn exact(&self, candidate: &Candidate) -> Option<String> {
        let found = self.select(&Expr::css(&candidate.selector).ok()?)?;
        let nodes = self.known.nodes;
        if found.len() < nodes.len() || nodes.iter().any(|node| found.binary_search(node).is_err()) {
            return None;
        }
        let exact = found.len() == nodes.len();
        if self.known.runs {
            return exact.then(|| candidate.selector.clone());
        }
        let (telling, usual): (Vec<&str>, Vec<&str>) =
            self.known.fields.iter().map(String::as_str).partition(|field| !USUAL.contains(field));
        let has = |fields: &[&str], joint: &str| {
            let all: Vec<String> = fields.iter().map(|field| field.to_string()).collect();
            format!("{}:has({})", candidate.selector, all.join(joint))
        };
        // Of a table's row, that it has all its cells tells more than that it has one of them.
        let telling = &telling[..telling.len().min(CONTEXT)];
        if let Some(cells) = self.cells() {
            let alone = has(&[&cells], "");
            let both = telling.iter().map(|field| format!("{alone}:has({field})"));
            if let Some(found) = std::iter::once(alone.clone()).chain(both).find(|one| self.selects(one)) {
                return Some(found);
            }
        }
        // Any of the fields is enough, so that one that changes does not take the others with it.
        if !telling.is_empty() && self.selects(&has(telling, ", ")) {
            return Some(has(telling, ", "));
        }
        if exact && candidate.named {
            return Some(candidate.selector.clone());
        }
        let mut tries: Vec<String> = telling.iter().chain(&usual).map(|field| has(&[*field], "")).collect();
        tries.push(
            self.known.fields.iter().fold(candidate.selector.clone(), |all, field| format!("{all}:has({field})")),
        );
        // Not what holds another such element: tables in tables.
        let tag = candidate.selector.rsplit([' ', '.']).next().unwrap_or_default();
        let inner: Vec<String> = tries.iter().map(|one| format!("{one}:not(:has({tag}))")).collect();
        if !tag.is_empty() && !tag.contains([':', '#']) {
            tries.extend(inner);
        }
        tries.extend(self.known.labels.iter().filter_map(|label| self.labelled(candidate, label)));
        let good = tries.into_iter().find(|one| self.selects(one));
        good.or_else(|| exact.then(|| candidate.selector.clone()))
            .or_else(|| self.telling(candidate, &found))
            .or_else(|| self.without(candidate))
    }

    /// With what all records have in them, and the others that were found have not.
    fn telling(&self, candidate: &Candidate, found: &[NodeId]) -> Option<String> {
        let nodes = self.known.nodes;
        let mut others: Vec<NodeId> = found.iter().copied().filter(|id| nodes.binary_search(id).is_err()).collect();
        if others.len() > nodes.len() {
            return None;
        }
        let mut tokens = self.tokens(*nodes.first()?);
        for &node in nodes.iter().skip(1) {
            let own = self.tokens(node);
            tokens.retain(|token| own.contains(token));
        }
        let mut selector = candidate.selector.clone();
        for _ in 0..CONTEXT {
            let without = |token: &String| others.iter().filter(|&&id| !self.tokens(id).contains(token)).count();
            let best = tokens.iter().max_by_key(|token| (without(token), std::cmp::Reverse(token.len())))?.clone();
            if without(&best) == 0 {
                return None;
            }
            others.retain(|&id| self.tokens(id).contains(&best));
            selector = format!("{selector}:has({best})");
            if others.is_empty() {
                break;
            }
        }
        self.selects(&selector).then_some(selector)
    }

    /// The classes and tags of what is in a node.
    fn tokens(&self, id: NodeId) -> Vec<String> {
        let document = self.document;
        let mut tokens: Vec<String> = Vec::new();
        for below in document.descendants(id).take(INSIDE).filter(|&below| document.is_element(below)) {
            let classes = self.outline.class_words(below).into_iter().map(|word| format!(".{word}"));
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

    /// What tells that a row has as many cells as every record.
    fn cells(&self) -> Option<String> {
        let document = self.document;
        let count = |id: NodeId| document.children(id).filter(|&cell| document.is_element(cell)).count();
        let rows = self.known.nodes.iter().all(|&id| document.name_id(id) == Some(names::TR));
        let least = self.known.nodes.iter().map(|&id| count(id)).min().filter(|_| rows)?;
        (least >= 2).then(|| format!("> td:nth-child({least})"))
    }

    /// By XPath, only what has a label in its text.
    fn labelled(&self, candidate: &Candidate, label: &str) -> Option<String> {
        Some(format!("{}[contains(., {})]", xpath(&candidate.selector)?, quoted(label)?))
    }

    /// The same by XPath, without what has one of the texts that no record has.
    fn without(&self, candidate: &Candidate) -> Option<String> {
        if self.known.without.is_empty() {
            return None;
        }
        let mut path = xpath(&candidate.selector)?;
        for text in self.known.without {
            path.push_str(&format!("[not(contains(., {}))]", quoted(text)?));
        }
        self.selects(&path).then_some(path)
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

/// A text as XPath writes it; none if it has both kinds of quotes.
fn quoted(text: &str) -> Option<String> {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => Some(format!("'{text}'")),
        (_, false) => Some(format!("\"{text}\"")),
        _ => None,
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
    let tests: String =
        words.map(|word| format!("[contains(concat(' ', normalize-space(@class), ' '), ' {word} ')]")).collect();
    Some(format!("{tag}{tests}"))
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
