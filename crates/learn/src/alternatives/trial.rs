//! Ways tried by the ordinary executor, where the rule itself runs.
//!
//! The rules around it stay; in the place of the rule stand all ways at once, each under a name of its own.

use std::sync::Arc;

use windrow_wrapper::{Extractor, Kind, Locator, Object, Page, Rule, Wrapper};
use windrow_xpath::Node;

/// Where and as what ways are tried.
pub(super) struct Trial<'a> {
    page: &'a Arc<Page>,
    wrapper: &'a Wrapper,
    /// The rules around, the outermost first.
    above: &'a [&'a Rule],
    target: &'a Rule,
}

/// What a way finds: by scope, in order.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) scopes: Vec<Found>,
}

/// What a way finds in one scope.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The node that the rules around found; none for the page itself.
    pub(super) scope: Option<Node>,
    pub(super) hits: Vec<Hit>,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hit {
    pub(super) node: Option<Node>,
    pub(super) text: String,
    /// The node behind the last one below it.
    end: usize,
}

impl Tried {
    pub(super) fn count(&self) -> usize {
        self.scopes.iter().map(|found| found.hits.len()).sum()
    }

    pub(super) fn places(&self) -> impl Iterator<Item = Node> {
        self.scopes.iter().flat_map(|found| &found.hits).filter_map(|hit| hit.node)
    }

    /// How many values are those of another way, too. Of a list, the nodes alone are compared.
    pub(super) fn same(&self, other: &Tried, list: bool) -> usize {
        let pairs = self.scopes.iter().zip(&other.scopes);
        pairs.map(|(one, other)| if list { one.nodes_in(other) } else { one.values_in(other) }).sum()
    }
}

impl Found {
    fn nodes_in(&self, other: &Found) -> usize {
        let nodes = |found: &Found| -> Vec<Option<Node>> {
            let mut nodes: Vec<Option<Node>> = found.hits.iter().map(|hit| hit.node).collect();
            nodes.sort_unstable();
            nodes
        };
        let theirs = nodes(other);
        nodes(self).iter().filter(|node| node.is_some() && theirs.binary_search(node).is_ok()).count()
    }

    fn values_in(&self, other: &Found) -> usize {
        self.hits.iter().zip(&other.hits).filter(|(one, other)| one.is(other)).count()
    }
}

impl Hit {
    fn new(object: Object<'_>, list: bool) -> Hit {
        let node = object.node();
        let end = node.zip(object.page().built()).map_or(0, |(node, page)| page.subtree_end(node.id()).index());
        Hit { node, text: if list { String::new() } else { object.text().into_owned() }, end }
    }

    /// Whether it is the same value in the same place: an element around it that says nothing else is the same place.
    fn is(&self, other: &Hit) -> bool {
        let holds = |outer: &Hit, inner: Node| {
            outer.node.is_some_and(|node| node.id() <= inner.id()) && inner.id().index() < outer.end
        };
        let near = match (self.node, other.node) {
            (Some(one), Some(two)) => one == two || holds(self, two) || holds(other, one),
            (None, None) => true,
            _ => false,
        };
        near && self.text == other.text
    }
}

impl<'a> Trial<'a> {
    pub(super) fn new(page: &'a Arc<Page>, wrapper: &'a Wrapper, above: &'a [&'a Rule], target: &'a Rule) -> Trial<'a> {
        Trial { page, wrapper, above, target }
    }

    /// What each way finds; nothing for one that cannot be read.
    pub(super) fn run(&self, ways: &[Locator]) -> Vec<Tried> {
        let mut all: Vec<Tried> = ways.iter().map(|_| Tried::default()).collect();
        let reads = |rule: &Rule| Extractor::new(&Wrapper { rules: vec![rule.clone()], ..Wrapper::default() }).is_ok();
        let list = self.target.kind == Kind::List;
        let mut rules: Vec<Rule> = ways.iter().enumerate().map(|(at, way)| self.rule(at, way)).filter(reads).collect();
        for (depth, rule) in self.above.iter().enumerate().rev() {
            let mut around = Rule::field(format!("a{depth}"), rule.locator.clone()).optional().with(rules);
            (around.kind, around.members) = (rule.kind, rule.members);
            rules = vec![around];
        }
        let wrapper =
            Wrapper { rules, url: self.wrapper.url.clone(), follow: self.wrapper.follow, ..Wrapper::default() };
        let Ok(extractor) = Extractor::new(&wrapper) else { return all };
        let extraction = extractor.extract(self.page.clone());
        let mut tell = |scope: Option<Node>, objects: &mut dyn Iterator<Item = Object<'_>>| {
            all.iter_mut().for_each(|tried| tried.scopes.push(Found { scope, hits: Vec::new() }));
            for object in objects {
                let number = object.label().strip_prefix('c').and_then(|number| number.parse::<usize>().ok());
                let found = number.and_then(|number| all.get_mut(number)).and_then(|tried| tried.scopes.last_mut());
                if let Some(found) = found {
                    found.hits.push(Hit::new(object, list));
                }
            }
        };
        match self.above.len() {
            0 => tell(None, &mut extraction.objects()),
            depth => inner(&mut extraction.objects(), depth - 1, &mut |scope| {
                tell(scope.node(), &mut scope.objects());
            }),
        }
        all
    }

    fn rule(&self, number: usize, way: &Locator) -> Rule {
        let kind = if self.target.kind == Kind::List { Kind::List } else { Kind::Field };
        let mut rule = Rule::field(format!("c{number}"), way.clone()).optional();
        (rule.kind, rule.members) = (kind, self.target.members);
        rule
    }
}

/// Tells the objects that lie so deep.
fn inner<'e>(objects: &mut dyn Iterator<Item = Object<'e>>, depth: usize, tell: &mut dyn FnMut(Object<'e>)) {
    for object in objects.filter(|object| object.is_set()) {
        match depth {
            0 => tell(object),
            _ => inner(&mut object.objects(), depth - 1, tell),
        }
    }
}
