//! Rules tried on the new page by the ordinary executor: what counts is what they will give, not what they should.

use windrow_dom::NodeId;
use windrow_wrapper::{Extractor, Locator, Object, Rule, Until, Wrapper};
use windrow_xpath::{Node, path_of};

use super::known::{KnownRecord, told};
use super::offers::line;
use super::sheet::Sheet;
use crate::scope::{Cut, Scope};

/// Bytes of one expression that names records one by one.
const LONGEST: usize = 40_000;
/// The label of the records of a trial.
const RECORDS: &str = "r";

/// A value that a rule gave, and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Got {
    pub(super) text: String,
    pub(super) node: Option<NodeId>,
}

/// Runs rules in scopes, which are in the order of the page, and tells of each scope what is found in it; none if they
/// cannot be run there.
fn each(sheet: &Sheet<'_>, cut: Cut, scopes: &[Scope], rules: &[Rule], tell: &mut dyn FnMut(Object<'_>)) -> Option<()> {
    // A rule for each record, so that records are counted even if nothing is found in them.
    let mut own = rules.to_vec();
    own.push(Rule::field("_", Locator::default()).optional());
    let mut rest = scopes;
    while !rest.is_empty() {
        let mut expression = String::new();
        let mut count = 0;
        for scope in rest {
            let path = path_of(sheet.document, Node::node(scope.record.first));
            // Of runs, each ends where the next one begins.
            if count > 0 && expression.len() + path.len() > LONGEST && cut == Cut::Nodes {
                break;
            }
            if count > 0 {
                expression.push_str(" | ");
            }
            expression.push_str(&path);
            count += 1;
        }
        let mut locator = Locator::xpath(expression);
        if cut != Cut::Nodes {
            locator.until = Some(Until::Next);
        }
        let list = Rule::list(RECORDS, locator).with(own.clone());
        let wrapper = Wrapper { rules: vec![list], ..Wrapper::default() };
        let extraction = Extractor::new(&wrapper).ok()?.extract(sheet.page.clone());
        if extraction.objects().count() != count {
            return None;
        }
        extraction.objects().for_each(&mut *tell);
        rest = &rest[count..];
    }
    Some(())
}

/// What rules give in each of these scopes.
pub(super) fn run(sheet: &Sheet<'_>, cut: Cut, scopes: &[Scope], rules: &[Rule]) -> Option<Vec<KnownRecord>> {
    let mut all = Vec::with_capacity(scopes.len());
    each(sheet, cut, scopes, rules, &mut |object| all.push(KnownRecord::of(object)))?;
    Some(all)
}

/// Whether a rule can be run at all.
fn reads(rule: &Rule) -> bool {
    Extractor::new(&Wrapper { rules: vec![rule.clone()], ..Wrapper::default() }).is_ok()
}

/// Whether a rule finds something on the page.
pub(super) fn finds(sheet: &Sheet<'_>, locator: &Locator) -> bool {
    let wrapper = Wrapper { rules: vec![Rule::list(RECORDS, locator.clone()).optional()], ..Wrapper::default() };
    Extractor::new(&wrapper).is_ok_and(|extractor| !extractor.extract(sheet.page.clone()).is_empty())
}

/// The number of a rule in a trial.
fn number(object: Object<'_>) -> Option<usize> {
    object.label().strip_prefix('c')?.parse().ok()
}

/// What rules give in each of the scopes: by rule, by scope.
pub(super) fn values(sheet: &Sheet<'_>, cut: Cut, scopes: &[Scope], rules: Vec<Rule>) -> Option<Vec<Vec<Option<Got>>>> {
    let count = rules.len();
    let rules: Vec<Rule> = rules
        .into_iter()
        .enumerate()
        .map(|(number, rule)| Rule { name: format!("c{number}").into(), label: None, optional: true, ..rule })
        .collect();
    let attempt = |rules: &[Rule]| {
        let mut all: Vec<Vec<Option<Got>>> = vec![Vec::with_capacity(scopes.len()); count];
        each(sheet, cut, scopes, rules, &mut |record| {
            all.iter_mut().for_each(|values| values.push(None));
            for object in record.objects() {
                let own = number(object).and_then(|number| all.get_mut(number)).and_then(|values| values.last_mut());
                if let Some(own) = own {
                    *own = Some(Got { text: line(&told(object)), node: object.node().map(|node| node.id()) });
                }
            }
        })?;
        Some(all)
    };
    attempt(&rules).or_else(|| {
        // One that cannot be read must not take the others with it.
        let reads = |rule: &Rule| Extractor::new(&Wrapper { rules: vec![rule.clone()], ..Wrapper::default() }).is_ok();
        let kept: Vec<Rule> = rules.iter().filter(|&rule| reads(rule)).cloned().collect();
        if kept.len() < rules.len() { attempt(&kept) } else { None }
    })
}

/// The nodes at the beginning of the records that a list rule finds on the page, in order.
pub(super) fn records(sheet: &Sheet<'_>, rule: &Rule) -> Vec<NodeId> {
    let bare = Rule { rules: vec![Rule::field("_", Locator::default()).optional()], optional: true, ..rule.clone() };
    let wrapper = Wrapper { rules: vec![bare], ..Wrapper::default() };
    let Ok(extractor) = Extractor::new(&wrapper) else { return Vec::new() };
    let extraction = extractor.extract(sheet.page.clone());
    let mut nodes: Vec<NodeId> =
        extraction.objects().filter_map(|object| object.node()).map(|node| node.id()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The nodes that list rules find in each scope: by rule, by scope. Of runs, all must be given.
pub(super) fn items(sheet: &Sheet<'_>, cut: Cut, scopes: &[Scope], rules: &[Rule]) -> Option<Vec<Vec<Vec<NodeId>>>> {
    let below: Vec<Rule> = rules
        .iter()
        .enumerate()
        .map(|(number, rule)| Rule {
            name: format!("c{number}").into(),
            label: None,
            rules: vec![Rule::field("_", Locator::default()).optional()],
            optional: true,
            ..rule.clone()
        })
        .collect();
    // One that cannot be read must not take the others with it.
    let below: Vec<Rule> = below.into_iter().filter(reads).collect();
    let mut all: Vec<Vec<Vec<NodeId>>> = vec![Vec::with_capacity(scopes.len()); rules.len()];
    each(sheet, cut, scopes, &below, &mut |record| {
        all.iter_mut().for_each(|found| found.push(Vec::new()));
        for item in record.objects() {
            let found = number(item).and_then(|number| all.get_mut(number)).and_then(|found| found.last_mut());
            if let (Some(found), Some(node)) = (found, item.node()) {
                found.push(node.id());
            }
        }
    })?;
    Some(all)
}
