//! One way of finding a value, and what it finds on a page.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use regex::Regex;
use windrow_dom::NodeId;
use windrow_wrapper::Locator;
use windrow_wrapper::values::text::collapse;
use windrow_xpath::{Expr, Language, Node};

use super::part::Cutting;
use super::shape::Shape;
use crate::reading::Reading;

/// Nodes that one expression may visit, for each node of the page: a learner tries many.
const VISITS: u64 = 64;

/// Nodes whose text is looked at, if the first need not be the one.
const MOST: usize = 500;

/// What a way holds on to, the most lasting first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A label in the value's own text, `after = "Price:"`.
    LabelInside,
    /// A property that is there for machines: `itemprop`.
    Property,
    /// The id of the value's element.
    Id,
    /// A label in front of it that says that it is one: a colon behind it, a cell for itself.
    Label,
    /// A class that no other element has.
    Class,
    /// The page's only heading of its rank.
    Heading,
    /// A way down from an element with an id or a class of its own.
    Anchored,
    /// A text in front of it that may be a label.
    Words,
    /// A class that others have, but the value's element is the first.
    SharedClass,
    /// The first text of a block that looks like the value.
    Shaped,
    /// All steps from the root, with their indexes.
    Absolute,
}

impl Kind {
    /// What a way of this kind costs.
    fn cost(self) -> f32 {
        match self {
            Kind::LabelInside => 0.5,
            Kind::Property => 0.8,
            Kind::Id => 1.0,
            Kind::Label => 1.5,
            Kind::Class => 2.0,
            Kind::Heading => 2.2,
            Kind::Anchored => 1.8,
            Kind::Words => 3.5,
            Kind::SharedClass => 4.0,
            Kind::Shaped => 4.5,
            Kind::Absolute => 6.0,
        }
    }
}

/// One alternative of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Way {
    pub(crate) kind: Kind,
    /// An XPath, or a CSS selector.
    pub(crate) expression: String,
    language: Language,
    pub(crate) cut: Cutting,
    /// What the text must look like; `cut` says the same.
    looks: Option<Rc<Shape>>,
    /// How soon it will fail, by all that is known of it before it is tried.
    pub(crate) cost: f32,
    /// What it holds on to: ways of one group fail together.
    pub(crate) group: u32,
}

/// What a way finds on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The text of the first match, cut.
    pub(crate) text: String,
    /// How many nodes there are.
    pub(crate) count: usize,
}

impl Way {
    /// A way by XPath.
    pub(crate) fn new(kind: Kind, expression: impl Into<String>) -> Way {
        let (expression, language) = (expression.into(), Language::XPath);
        Way { kind, expression, language, cut: Cutting::default(), looks: None, cost: kind.cost(), group: 0 }
    }

    /// A way by CSS.
    pub(crate) fn css(kind: Kind, expression: impl Into<String>) -> Way {
        Way { language: Language::Css, ..Way::new(kind, expression) }
    }

    /// The same, costing more.
    pub(crate) fn costing(mut self, more: f32) -> Way {
        self.cost += more;
        self
    }

    /// The same, but a part of the text.
    pub(crate) fn cut(mut self, cut: Cutting) -> Way {
        self.cut = cut;
        self
    }

    /// The same, but only a text that looks so.
    pub(crate) fn looking(mut self, shape: &Rc<Shape>) -> Way {
        self.cut = Cutting { matches: Some(shape.at_start()), ..Cutting::default() };
        self.looks = Some(shape.clone());
        self
    }

    /// Whether it says the same as another.
    pub(crate) fn says(&self, other: &Way) -> bool {
        self.expression == other.expression && self.cut == other.cut
    }

    /// Whether it goes by the place of a value among others: as the first of several, or by an index.
    pub(crate) fn is_positional(&self) -> bool {
        let index = || self.expression.as_bytes().windows(2).any(|pair| pair[0] == b'[' && pair[1].is_ascii_digit());
        match self.kind {
            Kind::SharedClass | Kind::Shaped | Kind::Absolute => true,
            Kind::Anchored => index(),
            _ => false,
        }
    }

    pub(crate) fn locator(&self) -> Locator {
        self.cut.of(match self.language {
            Language::XPath => Locator::xpath(self.expression.as_str()),
            Language::Css => Locator::css(self.expression.as_str()),
        })
    }
}

/// Tries ways on one page.
pub(crate) struct Probe<'r, 'd> {
    pub(crate) reading: &'r Reading<'d>,
    /// Expressions compiled already: the ways of a field share theirs.
    regexes: RefCell<HashMap<String, Option<Regex>, FixedState>>,
}

impl<'r, 'd> Probe<'r, 'd> {
    pub(crate) fn new(reading: &'r Reading<'d>) -> Probe<'r, 'd> {
        Probe { reading, regexes: RefCell::default() }
    }

    /// The nodes that a way selects on the page, in their order; none if it cannot be read.
    pub(crate) fn select(&self, way: &Way) -> Option<Vec<NodeId>> {
        let document = self.reading.document;
        let expr = match way.language {
            Language::XPath => Expr::xpath(&way.expression).ok()?,
            Language::Css => Expr::css(&way.expression).ok()?,
        };
        let mut left = VISITS * document.len() as u64;
        let value = expr.evaluate_within(document, Node::node(document.root()), &mut left).ok()?;
        Some(value.as_nodes()?.iter().map(|node| node.id()).collect())
    }

    /// What the executor would find on the page.
    pub(crate) fn find(&self, way: &Way) -> Option<Found> {
        let document = self.reading.document;
        let expr = match way.language {
            Language::XPath => Expr::xpath(&way.expression).ok()?,
            Language::Css => Expr::css(&way.expression).ok()?,
        };
        let mut left = VISITS * document.len() as u64;
        let value = expr.evaluate_within(document, Node::node(document.root()), &mut left).ok()?;
        let nodes = value.as_nodes()?;
        if way.cut == Cutting::default() {
            let &node = nodes.first()?;
            let text = text_of(self.reading, node);
            return (!text.is_empty()).then(|| Found { text: text.into_owned(), count: nodes.len() });
        }
        let count = nodes.len();
        if let Some(shape) = &way.looks {
            return nodes.iter().take(MOST).find_map(|&node| {
                let text = text_of(self.reading, node);
                shape.find(&text).map(|text| Found { text: text.to_owned(), count })
            });
        }
        let mut regexes = self.regexes.borrow_mut();
        let regex = match &way.cut.matches {
            Some(pattern) => {
                Some(regexes.entry_ref(pattern.as_str()).or_insert_with(|| Regex::new(pattern).ok()).as_ref()?)
            }
            None => None,
        };
        nodes.iter().take(MOST).find_map(|&node| {
            let text = text_of(self.reading, node);
            let text = way.cut.apply(&text, regex)?;
            Some(Found { text: text.to_owned(), count })
        })
    }
}

/// The text of a node or an attribute, as the executor reads it.
fn text_of<'r>(reading: &'r Reading<'_>, node: Node) -> Cow<'r, str> {
    let document = reading.document;
    if let Some(attribute) = node.attr(document) {
        return collapse(attribute.value());
    }
    let id = node.id();
    match document.name(id) {
        Some("img" | "area") => collapse(document.attr(id, "alt").unwrap_or_default()),
        Some("input") => collapse(document.attr(id, "value").unwrap_or_default()),
        Some("meta") => collapse(document.attr(id, "content").unwrap_or_default()),
        _ => match reading.of(id) {
            // What is hidden from a reader still has a text of its own.
            "" => Cow::Owned(collapse(&document.visible_text(id)).into_owned()),
            text => Cow::Borrowed(text),
        },
    }
}
