//! Rules tried on the new page by the ordinary executor: what counts is what they will give, not what they should.

use windrow_dom::NodeId;
use windrow_wrapper::{Extractor, Locator, Rule, Until, Wrapper};
use windrow_xpath::{Node, path_of};

use super::known::{Known, KnownRecord};
use super::sheet::Sheet;
use crate::scope::{Cut, Scope};

/// Bytes of one expression that names records one by one.
const LONGEST: usize = 40_000;
/// Records that are named in one expression.
const CHUNK: usize = 200;
/// The label of the records of a trial.
const RECORDS: &str = "r";

/// What rules give in each of these scopes, which are in the order of the page; none if they cannot be run there.
pub(super) fn run(sheet: &Sheet<'_>, cut: Cut, scopes: &[Scope], rules: &[Rule]) -> Option<Vec<KnownRecord>> {
    let mut all = Vec::with_capacity(scopes.len());
    let mut rest = scopes;
    while !rest.is_empty() {
        let mut expression = String::new();
        let mut count = 0;
        for scope in rest {
            let path = path_of(sheet.document, Node::node(scope.record.first));
            if count > 0 && expression.len() + path.len() > LONGEST {
                break;
            }
            if count > 0 {
                expression.push_str(" | ");
            }
            expression.push_str(&path);
            count += 1;
        }
        let (now, later) = rest.split_at(count);
        let mut locator = Locator::xpath(expression);
        if cut != Cut::Nodes {
            locator.until = Some(Until::Next);
        }
        // A rule for each record, so that records are counted even if nothing is found in them.
        let mut own = rules.to_vec();
        own.push(Rule::field("_", Locator::default()).optional());
        let list = Rule::list(RECORDS, locator).with(own);
        let wrapper = Wrapper { rules: vec![list], ..Wrapper::default() };
        let extraction = Extractor::new(&wrapper).ok()?.extract(sheet.page.clone());
        let found =
            Known::of(std::slice::from_ref(&extraction)).lists.into_iter().find(|list| list.label == RECORDS)?;
        if found.records.len() != now.len() {
            return None;
        }
        all.extend(found.records);
        rest = later;
    }
    Some(all)
}

/// What locators give in each of the scopes: by locator, by scope.
pub(super) fn values(
    sheet: &Sheet<'_>,
    cut: Cut,
    scopes: &[Scope],
    rules: Vec<Rule>,
) -> Option<Vec<Vec<Option<String>>>> {
    let count = rules.len();
    let rules: Vec<Rule> = rules
        .into_iter()
        .enumerate()
        .map(|(number, rule)| Rule { name: format!("c{number}").into(), label: None, optional: true, ..rule })
        .collect();
    let records = match run(sheet, cut, scopes, &rules) {
        Some(records) => records,
        // One that cannot be read must not take the others with it.
        None => {
            let reads =
                |rule: &Rule| Extractor::new(&Wrapper { rules: vec![rule.clone()], ..Wrapper::default() }).is_ok();
            let kept: Vec<Rule> = rules.iter().filter(|rule| reads(rule)).cloned().collect();
            if kept.len() == rules.len() {
                return None;
            }
            run(sheet, cut, scopes, &kept)?
        }
    };
    let mut all = vec![vec![None; scopes.len()]; count];
    for (scope, record) in records.into_iter().enumerate() {
        for value in record.values {
            let number = value.label.strip_prefix('c').and_then(|number| number.parse::<usize>().ok());
            if let Some(own) = number.and_then(|number| all.get_mut(number)) {
                own[scope] = Some(value.raw);
            }
        }
    }
    Some(all)
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
    let mut all: Vec<Vec<Vec<NodeId>>> = vec![Vec::with_capacity(scopes.len()); rules.len()];
    for chunk in scopes.chunks(if cut == Cut::Nodes { CHUNK } else { scopes.len().max(1) }) {
        let paths: Vec<String> =
            chunk.iter().map(|scope| path_of(sheet.document, Node::node(scope.record.first))).collect();
        let mut locator = Locator::xpath(paths.join(" | "));
        if cut != Cut::Nodes {
            locator.until = Some(Until::Next);
        }
        let list = Rule::list(RECORDS, locator).with(below.clone());
        let wrapper = Wrapper { rules: vec![list], ..Wrapper::default() };
        let extraction = Extractor::new(&wrapper).ok()?.extract(sheet.page.clone());
        let mut count = 0;
        for record in extraction.objects() {
            count += 1;
            all.iter_mut().for_each(|found| found.push(Vec::new()));
            for item in record.objects() {
                let number = item.label().strip_prefix('c').and_then(|number| number.parse::<usize>().ok());
                let found = number.and_then(|number| all.get_mut(number)).and_then(|found| found.last_mut());
                if let (Some(found), Some(node)) = (found, item.node()) {
                    found.push(node.id());
                }
            }
        }
        if count != chunk.len() {
            return None;
        }
    }
    Some(all)
}
