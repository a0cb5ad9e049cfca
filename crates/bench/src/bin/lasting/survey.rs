//! One page: its rules, their alternatives, and what is left of these after redesigns.

use std::sync::Arc;

use windrow_bench::shown::Shown;
use windrow_dom::{Document, NodeId};
use windrow_learn::alternatives::{Alternative, alternatives, holds_on_to};
use windrow_learn::example;
use windrow_testkit::redesign::{Value, redesign, settled};
use windrow_wrapper::{Extractor, Kind, Object, Page, Rule, Wrapper, files};

/// Numbers of redesigns and of changes in each.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) seeds: u64,
    pub(super) changes: usize,
}

/// Result of one locator.
pub(super) struct Measured {
    pub(super) page: String,
    pub(super) rule: String,
    pub(super) way: String,
    pub(super) estimate: f64,
    pub(super) holds: Vec<(&'static str, usize)>,
    /// True if it combines several alternatives.
    pub(super) several: bool,
    pub(super) runs: usize,
    pub(super) alive: usize,
}

impl Measured {
    pub(super) fn share(&self) -> f64 {
        self.alive as f64 / self.runs.max(1) as f64
    }
}

/// Values that locators find on a page, by scope and locator, with their nodes.
type Given = Vec<Vec<Vec<(String, Option<NodeId>)>>>;

/// A rule and its alternatives, in the place of the rule.
struct Tried {
    measured: Vec<Measured>,
    extractor: Extractor,
    depth: usize,
    list: bool,
    before: Given,
}

/// Measures the rules of a page; nothing if nothing is learned from it.
pub(super) fn page(shown: &Shown, plan: Plan) -> Vec<Measured> {
    let Some(document) = settled(&shown.text) else { return Vec::new() };
    let Ok(lesson) = example::learn(&[&document], &shown.request()) else { return Vec::new() };
    let page = Arc::new(Page::from_document("page", document.clone()));
    let mut rules = Vec::new();
    paths(&lesson.wrapper.rules, "", &mut rules);
    let mut tried: Vec<Tried> = rules.iter().filter_map(|rule| tried(shown, &page, &lesson.wrapper, rule)).collect();
    let records = values(&lesson.wrapper, &page);
    if records.is_empty() {
        return Vec::new();
    }
    for seed in 0..plan.seeds {
        let after = redesign(&document, &records, seed, plan.changes);
        if after.changes.len() < plan.changes {
            continue;
        }
        let kept = after.records;
        let now = Arc::new(Page::from_document("page", after.document));
        tried.iter_mut().for_each(|tried| judge(tried, &now, &kept));
    }
    tried.into_iter().flat_map(|tried| tried.measured).collect()
}

/// The paths of fields and lists.
fn paths(rules: &[Rule], above: &str, all: &mut Vec<String>) {
    for rule in rules.iter().filter(|rule| rule.kind != Kind::Save) {
        let path = if above.is_empty() { rule.name.to_string() } else { format!("{above}.{}", rule.name) };
        all.push(path.clone());
        paths(&rule.rules, &path, all);
    }
}

fn tried(shown: &Shown, page: &Arc<Page>, wrapper: &Wrapper, path: &str) -> Option<Tried> {
    let ways = alternatives(page, wrapper, path).ok()?;
    let whole: Vec<Alternative> =
        ways.iter().filter(|way| way.same == ways[0].found && way.found == way.same).cloned().collect();
    let chain = wrapper.rule(path).ok()?;
    let (target, above) = chain.split_last()?;
    if target.locator.until.is_some() || above.iter().any(|rule| rule.locator.until.is_some()) {
        return None;
    }
    let list = target.kind == Kind::List;
    let rule = |(number, way): (usize, &Alternative)| {
        let mut rule = Rule::field(format!("c{number}"), way.locator.clone()).optional();
        rule.kind = if list { Kind::List } else { Kind::Field };
        rule
    };
    let mut rules: Vec<Rule> = whole.iter().enumerate().map(rule).collect();
    for around in above.iter().rev() {
        let mut outer = Rule::field("around", around.locator.clone()).optional().with(rules);
        outer.kind = around.kind;
        rules = vec![outer];
    }
    let extractor = Extractor::new(&Wrapper { rules, ..Wrapper::default() }).ok()?;
    let measured = whole.iter().map(|way| Measured {
        page: shown.name.clone(),
        rule: path.to_owned(),
        way: files::write_locator(&way.locator),
        estimate: way.robustness.into(),
        holds: holds_on_to(&way.locator),
        several: matches!(way.locator.find, windrow_wrapper::Find::Case(_)),
        runs: 0,
        alive: 0,
    });
    let measured: Vec<Measured> = measured.collect();
    let before = given(&extractor, page, above.len(), measured.len());
    Some(Tried { measured, extractor, depth: above.len(), list, before })
}

fn given(extractor: &Extractor, page: &Arc<Page>, depth: usize, ways: usize) -> Given {
    fn walk<'e>(objects: &mut dyn Iterator<Item = Object<'e>>, depth: usize, ways: usize, all: &mut Given) {
        if depth > 0 {
            objects.for_each(|object| walk(&mut object.objects(), depth - 1, ways, all));
            return;
        }
        let mut scope = vec![Vec::new(); ways];
        for object in objects {
            let number = object.label().strip_prefix('c').and_then(|number| number.parse::<usize>().ok());
            if let Some(values) = number.and_then(|number| scope.get_mut(number)) {
                values.push((object.text().into_owned(), object.node().map(|node| node.id())));
            }
        }
        all.push(scope);
    }
    let mut all = Given::new();
    walk(&mut extractor.extract(page.clone()).objects(), depth, ways, &mut all);
    all
}

fn judge(tried: &mut Tried, page: &Arc<Page>, records: &[Vec<Value>]) {
    let now = given(&tried.extractor, page, tried.depth, tried.measured.len());
    if now.len() != tried.before.len() {
        return;
    }
    let document: &Document = page.document();
    let texts = |values: &[(String, Option<NodeId>)]| values.iter().map(|value| value.0.clone()).collect::<Vec<_>>();
    for (number, measured) in tried.measured.iter_mut().enumerate() {
        let alive = match tried.list && tried.depth == 0 {
            // Each record has its values, and there are no others.
            true => {
                let found = &now[0][number];
                let holds =
                    |node: NodeId, value: &Value| node <= value.node() && value.node() < document.subtree_end(node);
                found.len() == records.len()
                    && found.iter().zip(records).all(|((_, node), record)| {
                        node.is_some_and(|node| record.iter().all(|value| holds(node, value)))
                    })
            }
            false => now.iter().zip(&tried.before).all(|(now, before)| texts(&now[number]) == texts(&before[number])),
        };
        measured.runs += 1;
        measured.alive += usize::from(alive);
    }
}

/// The values of each record, for the redesign to keep. Of a page about one thing, those of the page.
fn values(wrapper: &Wrapper, page: &Arc<Page>) -> Vec<Vec<Value>> {
    fn collect(object: Object<'_>, values: &mut Vec<Value>) {
        match (object.is_set(), object.node()) {
            (true, _) => object.objects().for_each(|object| collect(object, values)),
            (false, Some(node)) if node.is_attribute() => values.push(Value::Attribute(node.id())),
            (false, Some(node)) => values.push(Value::Text(node.id())),
            (false, None) => {}
        }
    }
    let Ok(extractor) = Extractor::new(wrapper) else { return Vec::new() };
    let extraction = extractor.extract(page.clone());
    let (mut records, mut own) = (Vec::new(), Vec::new());
    for object in extraction.objects() {
        if object.is_record() && object.is_set() {
            let mut values = Vec::new();
            collect(object, &mut values);
            records.push(values);
        } else {
            collect(object, &mut own)
        }
    }
    if records.is_empty() && !own.is_empty() {
        records.push(own);
    }
    records.retain(|record| !record.is_empty());
    records
}
