//! A list of the page: its records found again, its rules mended, and the rule that finds exactly these records.

use windrow_dom::NodeId;
use windrow_wrapper::{Find, Kind, Locator, Rule, Until};
use windrow_xpath::{Node, path_of};

use super::Mended;
use super::clues::Traces;
use super::known::KnownRecord;
use super::level::Level;
use super::page;
use super::refusal::{Note, Refusal};
use super::region::{self, Region};
use super::rules;
use super::sheet::Sheet;
use super::trial;
use crate::induce::{heading, record};
use crate::scope::{Cut, Record, Scope};

/// The share of the known records that must be found again, the same of records with one value, and the share of the
/// records found that they must be.
const FOUND: f32 = 0.4;
// Of 0.5 and 0.6: on unseen redesigns one more list is mended at 0.5 and none more is wrong.
const BARE: f32 = 0.5;
const SHARE: f32 = 0.4;
/// Titles of a page that are looked at.
const TITLES: usize = 3;
/// How much of a single record must still stand there.
const ALONE: f32 = 0.4;

/// The rule of a list, mended if need be.
pub(super) fn mend(
    sheets: &[Sheet<'_>],
    rule: &Rule,
    records: &[KnownRecord],
    notes: &mut Vec<Note>,
) -> Result<(Rule, Mended), Refusal> {
    let name = rule.shown().to_owned();
    let all: Vec<&KnownRecord> = records.iter().collect();
    if let [record] = all[..]
        && let Some(sheet) = sheets.iter().find(|sheet| is_page(sheet, rule))
    {
        return page::record(sheet, rule, record, notes);
    }
    let mut found: Vec<Search<'_, '_>> = sheets.iter().map(|sheet| Search::new(sheet, rule, &all)).collect();
    if found.iter().all(|search| search.traces.all.is_empty()) {
        return Err(Refusal::NoneFound { list: name, known: all.len() });
    }
    let matched: usize = found.iter().map(Search::matched).sum();
    found.sort_by(|one, two| two.weight().total_cmp(&one.weight()));
    let Some(best) = found.into_iter().next() else {
        return Err(Refusal::NoneFound { list: name, known: all.len() });
    };
    if matched == 0 {
        return Err(Refusal::NoList { list: name, found: best.traces.records() });
    }
    // One record is a page that tells of one thing: it is where it was, or nothing says where else.
    let single = all.len() == 1 && best.old.scopes.len() == 1;
    if single && page::standing(best.sheet, best.old.scopes[0], all[0]) < ALONE {
        return Err(Refusal::TooFew { list: name, known: 1, found: 0 });
    }
    // Where records have one value each, as links have, nothing else says that they are the same.
    let bare = rule.rules.len() < 2;
    let least = if bare { BARE } else { FOUND } * all.len() as f32;
    let fewest = if all.len() > 3 { 3 } else { 2 };
    if matched < fewest && !single || (matched as f32) < least {
        return Err(Refusal::TooFew { list: name, known: all.len(), found: matched });
    }
    best.mend(rule, &all, &name, notes)
}

/// What was found of the records on one page.
struct Search<'s, 'p> {
    sheet: &'s Sheet<'p>,
    traces: Traces,
    /// Where the old rule finds records.
    old: Region,
    /// Where they are.
    new: Option<Region>,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(sheet: &'s Sheet<'p>, rule: &Rule, records: &[&KnownRecord]) -> Search<'s, 'p> {
        let document = sheet.document;
        let traces = Traces::new(sheet, records);
        let nodes = trial::records(sheet, rule);
        let cut = if rule.locator.until.is_some() { Cut::Starts } else { Cut::Nodes };
        let scope = |at: usize| match cut {
            Cut::Nodes => Scope::node(document, nodes[at]),
            _ => {
                let parent = document.parent(nodes[at]).unwrap_or(nodes[at]);
                let behind = document.subtree_end(parent);
                let end = nodes.get(at + 1).copied().map_or(behind, |next| next.min(behind));
                Scope { record: Record { first: nodes[at], end }, run: true }
            }
        };
        let old = region::assign(&traces, cut, (0..nodes.len()).map(scope).collect());
        let new = region::find(sheet, &traces, cut);
        Search { sheet, traces, old, new }
    }

    fn matched(&self) -> usize {
        self.old.matched().max(self.new.as_ref().map_or(0, Region::matched))
    }

    fn weight(&self) -> f32 {
        self.old.weight.max(self.new.as_ref().map_or(0.0, |new| new.weight))
    }

    fn mend(
        self,
        rule: &Rule,
        records: &[&KnownRecord],
        name: &str,
        notes: &mut Vec<Note>,
    ) -> Result<(Rule, Mended), Refusal> {
        let best = self.new.as_ref().map_or(0, Region::matched);
        let most = records.len().max(self.new.as_ref().map_or(0, |new| new.scopes.len()));
        let keep = records.len() == 1 || self.old.matched() * 20 >= best * 19 && self.old.scopes.len() * 4 <= most * 5;
        let region = match (keep, self.new) {
            (false, Some(new)) => new,
            _ => self.old,
        };
        let known = region.known.iter().map(|known| known.map(|number| records[number])).collect();
        let level = Level { sheet: self.sheet, cut: region.cut, scopes: region.scopes, known };
        let inner = rules::mend(&level, name, &rule.rules, records, notes)?;
        let accepted = match keep {
            true => vec![true; level.scopes.len()],
            false => rules::accept(&level, &inner.rules),
        };
        let nodes: Vec<NodeId> = level
            .scopes
            .iter()
            .zip(&accepted)
            .filter(|(_, accepted)| **accepted)
            .map(|(scope, _)| scope.record.first)
            .collect();
        let matched = level.matched().len();
        if (matched as f32) < SHARE * nodes.len() as f32 {
            return Err(Refusal::TooFew { list: name.to_owned(), known: nodes.len(), found: matched });
        }
        let mut mended = Rule { rules: inner.rules, ..rule.clone() };
        if !keep {
            let runs = level.cut != Cut::Nodes;
            mended.locator = record::of_rules(&self.sheet.view, &nodes, runs, &mended.rules, &[]);
            mended.locator = of_any_page(self.sheet, mended.locator);
            if runs {
                mended.locator.until = Some(Until::Next);
            } else if mended.rules.len() == 1 {
                let is_headed = heading::add(&self.sheet.view, &nodes, &mut mended.locator);
                let scopes: Vec<Scope> = nodes.iter().map(|&node| Scope::node(self.sheet.document, node)).collect();
                let values = trial::values(self.sheet, Cut::Nodes, &scopes, mended.rules.clone());
                let own = values.and_then(|mut values| values.pop()).unwrap_or_default();
                let says_all = |(node, value): (&NodeId, &Option<trial::Got>)| {
                    value.as_ref().is_some_and(|value| value.text == self.sheet.reading.of(*node))
                };
                let is_field = mended.rules[0].kind == Kind::Field && own.len() == nodes.len();
                if is_field && is_headed && nodes.iter().zip(&own).all(says_all) {
                    heading::or_whole(&mut mended.rules[0]);
                }
            }
            mended.path = nodes.first().map(|&first| {
                let path = path_of(self.sheet.document, Node::node(first));
                path.rfind('[').map_or(path.as_str(), |at| &path[..at]).into()
            });
        }
        let report = Mended {
            label: name.to_owned(),
            known: records.len(),
            found: matched,
            records: nodes.len(),
            kept: keep,
            fields: inner.fields,
            lists: inner.lists,
        };
        Ok((mended, report))
    }
}

/// A locator without the alternatives by an id that is the page's title: another page has another.
fn of_any_page(sheet: &Sheet<'_>, locator: Locator) -> Locator {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let document = sheet.document;
    let titles = document.nodes().filter(|&id| matches!(document.name(id), Some("title" | "h1"))).take(TITLES);
    let titles: Vec<String> = titles.map(|id| letters(&document.text_content(id))).collect();
    let is_title = |way: &Locator| {
        let Find::Css(text) = &way.find else { return false };
        let ids = text.split('#').skip(1).filter_map(|rest| rest.split([' ', '.', ':', '>', '[', ',']).next());
        ids.map(letters).any(|id| id.len() > 3 && titles.iter().any(|title| title.contains(&id)))
    };
    match &locator.find {
        Find::Case(cases) if cases.iter().any(&is_title) && !cases.iter().all(&is_title) => {
            let mut kept: Vec<Locator> = cases.iter().filter(|way| !is_title(way)).cloned().collect();
            match kept.len() {
                1 => kept.remove(0),
                _ => Locator { find: Find::Case(kept), ..locator },
            }
        }
        _ => locator,
    }
}

/// Whether the records of a rule are pages.
pub(super) fn is_page(sheet: &Sheet<'_>, rule: &Rule) -> bool {
    sheet.document.find_html(windrow_dom::names::HTML).is_some_and(|html| trial::records(sheet, rule) == [html])
}
