//! Labels: what evidence says of pages. Every method answers the same question, *which places of this page hold which
//! field of which record?*, and the answer has one form, so that one inducer serves them all.

use std::ops::Range;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::values::text::collapse;
use windrow_xpath::{Node, path_of};

/// A place on a page that holds a value: a node, one of its attributes, or a part of its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The element or text.
    pub node: NodeId,
    /// The attribute of the element, if it is not its text.
    pub attribute: Option<String>,
    /// The bytes of its visible text in one line, or of its attribute, if it is not all of that.
    pub part: Option<Range<usize>>,
}

impl Place {
    /// All the text of a node.
    pub fn node(node: NodeId) -> Place {
        Place { node, attribute: None, part: None }
    }

    /// An attribute of an element.
    pub fn attribute(node: NodeId, name: impl Into<String>) -> Place {
        Place { node, attribute: Some(name.into()), part: None }
    }

    /// The value that stands there: visible text in one line, or the attribute's.
    pub fn text(&self, document: &Document) -> String {
        let all = match &self.attribute {
            Some(name) => collapse(document.attr(self.node, name).unwrap_or_default()).into_owned(),
            None => collapse(&document.visible_text(self.node)).into_owned(),
        };
        match self.part.clone().and_then(|part| all.get(part)) {
            Some(part) => part.to_owned(),
            None => all,
        }
    }

    /// The absolute XPath of its node or attribute.
    pub fn path(&self, document: &Document) -> String {
        let mut path = path_of(document, Node::node(self.node));
        if let Some(name) = &self.attribute {
            path.push_str("/@");
            path.push_str(name);
        }
        path
    }
}

/// One record as evidence knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// The page it is on, by its number.
    pub page: usize,
    /// For each field where it stands; none if the record lacks it, or if nothing is known of it.
    pub places: Vec<Option<Place>>,
}

/// What evidence says of pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// The fields' names.
    pub fields: Vec<String>,
    /// The records.
    pub records: Vec<Labelled>,
}
