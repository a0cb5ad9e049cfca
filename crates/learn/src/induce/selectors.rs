//! The writing of selectors: ways of saying where a node stands in its record, those first that outlive a redesign.
//!
//! What a person named comes first (microdata, classes), then what a tag says, at any depth; then paths, and positions
//! last. Which of them is right is tried in `locate`.

use windrow_dom::{Document, NodeId, names};
use windrow_xpath::Expr;

use super::generated::looks_generated;
use super::locate::{Finder, Way};
use super::marks::marks;
use super::path::class_test;
use crate::scope::Scope;

/// Times that a page must have a value of an attribute for it to say what something is, and not which: more than the picture of a thing
/// and the link around it say its name.
const USUAL: usize = 3;
/// Class words of an element that are tried.
const WORDS: usize = 3;
/// Marks of an element that are tried.
const MARKS: usize = 12;

impl Finder<'_, '_> {
    /// Ways of saying where a node stands in its record, the best first; the last three are by XPath: classes, what has
    /// none, positions.
    pub(super) fn tries(&self, scope: Scope, target: NodeId) -> Vec<Way> {
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
        // What tells it from others of its tag and class is better than its number among them.
        if let (Some(&own), false) = (steps.last(), element == base) {
            let tag = document.name(own).unwrap_or("*");
            let is_usual = |value: &str| self.view.attribute_count(value) >= USUAL;
            for mark in marks(document, own, &is_usual).into_iter().take(MARKS) {
                let selector = format!("{tag}{mark}");
                if !selectors.contains(&selector) {
                    selectors.push(selector);
                }
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
        let words = self.telling_words(*own);
        let mut all: Vec<String> = Vec::new();
        let mut add = |selector: String| {
            if !all.contains(&selector) {
                all.push(selector);
            }
        };
        if let Some(property) = named_property(document, *own) {
            add(property);
        }
        words.iter().for_each(|word| add(format!(".{word}")));
        data_names(document, *own).into_iter().for_each(&mut add);
        let telling = is_telling(tag);
        if telling {
            add(tag.to_owned());
        }
        let near = || above.iter().rev().take(3);
        for &id in near() {
            if let Some(property) = named_property(document, id) {
                add(format!("{property} {tag}"));
            }
            for around in self.telling_words(id) {
                for word in &words {
                    add(format!(".{around} .{word}"));
                }
                add(format!(".{around} {tag}"));
            }
            for around in data_names(document, id) {
                for word in &words {
                    add(format!("{around} .{word}"));
                }
                add(format!("{around} {tag}"));
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
        words.iter().for_each(|word| add(format!("{tag}.{word}")));
        for name in near().filter_map(|&id| document.name(id)).take(2) {
            add(format!("{name} {tag}"));
        }
        all
    }

    /// The class words of an element that are tried in selectors: of many, as pages give them that write their style in classes, those
    /// that stand in the fewest places of the page.
    fn telling_words(&self, id: NodeId) -> Vec<&str> {
        let mut words = self.view.class_words(id);
        if words.len() > WORDS {
            words.sort_by_key(|word| self.view.word_count(word));
            words.truncate(WORDS);
        }
        words
    }

    /// Ways that hold until the page is built anew: class words that a program made up, for where nothing else is right.
    pub(super) fn brittle(&self, scope: Scope, target: NodeId) -> Vec<Way> {
        let document = self.document;
        let text = document.is_text(target);
        let element = if text { document.parent(target).unwrap_or(target) } else { target };
        let steps = self.steps(self.base(scope), element);
        let [above @ .., own] = &steps[..] else { return Vec::new() };
        let tag = document.name(*own).unwrap_or("*");
        let made_up = |id: NodeId| self.view.written_words(id).take(WORDS);
        let mut selectors: Vec<String> = made_up(*own).map(|word| format!("{tag}.{word}")).collect();
        for &id in above.iter().rev().take(3) {
            selectors.extend(made_up(id).map(|word| format!(".{word} {tag}")));
        }
        let pieces = if text { self.text_steps(target) } else { Vec::new() };
        let mut ways = Vec::new();
        for selector in selectors {
            match text {
                false => ways.push(Way::css(selector)),
                true => ways
                    .extend(pieces.iter().map(|piece| Way { then: Some(piece.clone()), ..Way::css(selector.clone()) })),
            }
        }
        ways
    }

    /// Selectors of the element that this path of steps leads to, short ones with a class first.
    pub(super) fn selectors(&self, css: &[String]) -> Vec<String> {
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
        for word in self.view.class_words(id) {
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
        for word in self.view.class_words(id) {
            step.push_str(&format!("[{}]", class_test(word)));
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

/// Whether a tag says what is in it, so that there is often but one in a record.
pub(super) fn is_telling(tag: &str) -> bool {
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

/// Attributes of one element that are tried as its name.
const DATA_NAMES: usize = 2;
/// Characters of the longest name in an attribute.
const LONGEST_NAME: usize = 40;

/// Selectors by the names that pages give their parts for tests, scripts and narrow screens: `data-testid`, `data-label` and their like.
pub(super) fn data_names(document: &Document, id: NodeId) -> Vec<String> {
    let is_name = |name: &str, value: &str| {
        let sign = |c: char| c.is_alphabetic() || matches!(c, '-' | '_' | ' ');
        name.len() > 5
            && name.starts_with("data-")
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && value.chars().count() <= LONGEST_NAME
            && value.starts_with(char::is_alphabetic)
            && value.chars().all(sign)
            && !looks_generated(value)
            && !matches!(value, "true" | "false")
    };
    let attributes = document.attrs(id).filter(|attribute| is_name(attribute.name(), attribute.value()));
    attributes.take(DATA_NAMES).map(|attribute| format!("[{}=\"{}\"]", attribute.name(), attribute.value())).collect()
}

/// How many elements of a name stand behind `first` up to `node`.
fn siblings_between(document: &Document, first: NodeId, node: NodeId, name: Option<&str>) -> usize {
    std::iter::successors(document.next_sibling(first), |&id| document.next_sibling(id))
        .take_while(|&id| id <= node)
        .filter(|&id| document.is_element(id) && document.name(id) == name)
        .count()
}
