//! Bodies that are runs of siblings, as XPath: from the node behind one that has a name to the next that has one.

use windrow_dom::NodeId;
use windrow_wrapper::{Find, Locator, Slice, Until};

use super::Template;
use crate::feed::body::Body;
use crate::feed::sheet::Sheet;
use crate::induce::locate::Finder;
use crate::induce::path::{named_step, quoted};
use crate::scope::Scope;

/// Bytes of a text that tells where a run ends.
const STOP: usize = 60;

impl Template<'_, '_> {
    /// Whether bodies are elements, not runs of siblings.
    pub(super) fn has_elements(&self, entries: &[usize]) -> bool {
        entries.iter().any(|&at| matches!(self.bodies.bodies[at], Some(Body::Element(_))))
    }

    /// The parents of bodies that are runs.
    fn run_parents(&self, entries: &[usize]) -> Vec<Option<NodeId>> {
        let parent = |&at: &usize| match self.bodies.bodies[at] {
            Some(Body::Run { first, .. }) => self.seen[at].sheet.document.parent(first),
            _ => None,
        };
        entries.iter().map(parent).collect()
    }

    /// The locator of bodies that are runs of siblings in the records of an index page.
    pub(super) fn run_in_records(&self, finder: &Finder<'_, '_>, entries: &[usize]) -> Option<Locator> {
        let run = self.run(entries)?;
        let parents = self.run_parents(entries);
        let scopes: Vec<Scope> = entries.iter().map(|&at| self.seen[at].entry.scope).collect();
        let is_record = |(parent, scope): (&Option<NodeId>, &Scope)| {
            parent
                .is_none_or(|parent| !scope.run && parent == scope.record.first || scope.run && !scope.contains(parent))
        };
        if parents.iter().zip(&scopes).all(is_record) {
            // A run has no element of its own to begin in, only its first node.
            return if scopes.iter().any(|scope| scope.run) { self.run_in_runs(run, entries) } else { Some(run) };
        }
        let sure: Vec<usize> = (0..parents.len()).filter(|&at| parents[at].is_some()).collect();
        let holder = finder.field(&scopes, &parents, &sure).or_else(|| finder.field(&scopes, &parents, &[]))?;
        Some(in_holder(holder, run))
    }

    /// The same run from the first node of a record that is a run itself.
    fn run_in_runs(&self, run: Locator, entries: &[usize]) -> Option<Locator> {
        let heads = entries.iter().filter_map(|&at| match self.bodies.bodies[at] {
            Some(Body::Run { first, .. }) => Some((self.seen[at].entry.scope.record.first, first, at)),
            _ => None,
        });
        let behind_first = |(head, first, at): (NodeId, NodeId, usize)| {
            let document = self.seen[at].sheet.document;
            let mut between = std::iter::successors(document.next_sibling(head), |&id| document.next_sibling(id));
            between.find(|&id| document.is_element(id) || id == first).is_some_and(|next| next >= first)
        };
        let Find::XPath(text) = &run.find else { return None };
        let begin = match heads.clone().all(behind_first) {
            true => "following-sibling::node()[1]".to_owned(),
            false => format!("following-sibling::{}", text.value),
        };
        // Without a stop it would go on into the next record.
        let Some(Until::Before(stop)) = run.until else { return None };
        let until = Some(Until::Before(format!("following-sibling::{}", stop.value).into()));
        Some(Locator { until, slice: Some(Slice::Index(0)), ..Locator::xpath(begin) })
    }

    /// The locator of bodies that are runs, from the element that they are in.
    pub(super) fn run(&self, entries: &[usize]) -> Option<Locator> {
        let mut anchors: Vec<String> = Vec::new();
        let mut stops: Vec<Option<String>> = Vec::new();
        for &at in entries {
            let Some(Body::Run { first, end }) = self.bodies.bodies[at] else { continue };
            let document = self.seen[at].sheet.document;
            let siblings = std::iter::successors(document.prev_sibling(first), |&id| document.prev_sibling(id));
            let before = siblings.into_iter().find(|&id| document.is_element(id));
            anchors.push(before.map(|id| named_step(document, id)).unwrap_or_default());
            let behind = self.seen[at].entry.scope.record.end > end
                && document.is_element(end)
                && document.parent(end) == document.parent(first);
            stops.push(behind.then(|| stop_of(self.seen[at].sheet, end)).flatten());
        }
        let anchor = usual(&anchors)?;
        let begin = match anchor.is_empty() {
            true => "node()[1]".to_owned(),
            false => format!("{anchor}/following-sibling::node()[1]"),
        };
        let runs = stops.len();
        let stops: Vec<String> = stops.into_iter().flatten().collect();
        let stop = usual(&stops).filter(|stop| stops.iter().filter(|other| other == stop).count() * 2 >= runs);
        let until = stop.map_or(Until::Next, |stop| Until::Before(stop.clone().into()));
        Some(Locator { until: Some(until), slice: Some(Slice::Index(0)), ..Locator::xpath(begin) })
    }
}

/// What a run of siblings ends at, as a step of an XPath: by its class, or by what it says or begins with.
fn stop_of(sheet: &Sheet<'_>, id: NodeId) -> Option<String> {
    let test = named_step(sheet.document, id);
    if test.contains('[') {
        return Some(test);
    }
    let text = Some(sheet.reading.of(id)).filter(|text| !text.is_empty())?;
    // A line with a date is another in each entry, and begins alike.
    let first = text.split_whitespace().next().filter(|word| word.chars().all(char::is_alphabetic));
    match first.filter(|_| text.contains(|c: char| c.is_ascii_digit())) {
        Some(first) => Some(format!("{test}[starts-with(normalize-space(), {})]", quoted(&format!("{first} "))?)),
        None if text.len() <= STOP => Some(format!("{test}[normalize-space() = {}]", quoted(text)?)),
        None => None,
    }
}

/// What most of these are.
fn usual(all: &[String]) -> Option<&String> {
    let count = |one: &String| all.iter().filter(|other| *other == one).count();
    all.iter().max_by_key(|one| (count(one), std::cmp::Reverse(one.len())))
}

/// A run in the element that a locator finds.
pub(super) fn in_holder(holder: Locator, run: Locator) -> Locator {
    match holder.find {
        Find::Case(cases) if holder.then.is_none() => {
            Locator::new(Find::Case(cases.into_iter().map(|case| in_holder(case, run.clone())).collect()))
        }
        _ => match holder.then {
            Some(then) => Locator { then: Some(Box::new(in_holder(*then, run))), ..holder },
            None => Locator { then: Some(Box::new(run)), ..holder },
        },
    }
}
