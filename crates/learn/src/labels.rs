//! Labels: the answer of a method to *which places of this page hold which field of which record?*
//!
//! [`Labels`] are one list of one page: its records, the places of each field in them, and the lists in the records, which are labels
//! again. `discover` and `example` label all records of a page, and `induce` writes the rules that find the labelled
//! places again. It knows nothing of the evidence.

use std::ops::Range;

use windrow_dom::{Document, NodeId};
use windrow_wrapper::values::Type;
use windrow_wrapper::values::text::collapse;
use windrow_xpath::{Node, path_of};

use crate::alignment::Part;
use crate::induce::part::Cutting;
use crate::scope::{Cut, Record, Scope};

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

/// The labels of one list of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    /// The page's number.
    pub page: usize,
    /// The list's name.
    pub name: String,
    /// The fields of its records.
    pub fields: Vec<LabelledField>,
    /// The lists in its records.
    pub lists: Vec<Labels>,
    pub(crate) cut: Cut,
    pub(crate) records: Vec<Record>,
    /// Of a list in records: for each of its records, the number of the record around it.
    pub(crate) within: Vec<usize>,
    /// Texts that no record has.
    pub(crate) without: Vec<String>,
    /// Type of the values, if its records are single values without fields.
    pub(crate) ty: Type,
    /// The paper's path of the record that was shown.
    pub(crate) path: Option<String>,
}

impl Labels {
    /// Returns labels of these records, without fields.
    pub(crate) fn new(name: impl Into<String>, cut: Cut, records: Vec<Record>) -> Labels {
        Labels {
            page: 0,
            name: name.into(),
            fields: Vec::new(),
            lists: Vec::new(),
            cut,
            records,
            within: Vec::new(),
            without: Vec::new(),
            ty: Type::String,
            path: None,
        }
    }

    /// Returns the labels of a page that is a record itself: the places of these fields.
    pub(crate) fn of_page(document: &Document, page: usize, places: Vec<(String, Place)>) -> Labels {
        let fields = places.into_iter().map(|(name, place)| LabelledField::new(name, vec![Some(place)])).collect();
        let record = Record::node(document, document.root());
        Labels { page, fields, ..Labels::new("records", Cut::Nodes, vec![record]) }
    }

    /// Number of its records.
    pub fn count(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn scopes(&self) -> Vec<Scope> {
        self.records.iter().map(|&record| Scope::new(self.cut, record)).collect()
    }
}

/// In how many records a field was labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The field's name.
    pub field: String,
    /// Number of the records in which it has a place.
    pub records: usize,
}

/// Returns how many records have each field, over several pages.
pub fn coverage(pages: &[Labels]) -> Vec<Coverage> {
    let mut all: Vec<Coverage> = Vec::new();
    for field in pages.iter().flat_map(|labels| &labels.fields) {
        let records = field.places.iter().flatten().count();
        match all.iter_mut().find(|known| known.field == field.name) {
            Some(known) => known.records += records,
            None => all.push(Coverage { field: field.name.clone(), records }),
        }
    }
    all
}

/// One field of labelled records.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledField {
    /// Its name.
    pub name: String,
    /// By record: where it stands; none if the record lacks it. A place outside of its record is that of a heading over it, or of a cell
    /// that covers its row.
    pub places: Vec<Option<Place>>,
    /// The part of the texts there that is meant.
    pub(crate) extent: Extent,
    /// Number of records that have a value there.
    pub(crate) filled: usize,
    /// A label that its text begins or ends with, or that stands in front of it, and tells it from others.
    pub(crate) told: Option<String>,
    /// The records that a person showed it in, the surest first: its rule must be right there.
    pub(crate) shown: Vec<usize>,
    pub(crate) ty: Type,
    /// A regular expression that tells its values from those that a person excluded.
    pub(crate) test: Option<String>,
    /// The paper's path of the place that was shown.
    pub(crate) path: Option<String>,
}

impl LabelledField {
    pub(crate) fn new(name: impl Into<String>, places: Vec<Option<Place>>) -> LabelledField {
        LabelledField {
            name: name.into(),
            filled: places.iter().flatten().count(),
            places,
            extent: Extent::Part(Part::All),
            told: None,
            shown: Vec::new(),
            ty: Type::String,
            test: None,
            path: None,
        }
    }

    /// Returns a field that is at these nodes, or an attribute of them.
    pub(crate) fn at(name: impl Into<String>, nodes: &[Option<NodeId>], attribute: Option<&str>) -> LabelledField {
        let place = |node: NodeId| Place { node, attribute: attribute.map(str::to_owned), part: None };
        LabelledField::new(name, nodes.iter().map(|node| node.map(place)).collect())
    }

    pub(crate) fn nodes(&self) -> Vec<Option<NodeId>> {
        self.places.iter().map(|place| place.as_ref().map(|place| place.node)).collect()
    }

    /// The first record that has no place of it.
    pub(crate) fn first_without(&self) -> Option<usize> {
        self.places.iter().position(Option::is_none)
    }
}

/// The part of the text of a place that is a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it, a line of it, or what stands behind a label: as the alignment of the records says.
    Part(Part),
    /// The text between these words.
    Cut(Cutting),
    /// No text: the number of elements like this one around the place, less those around the first record.
    Depth {
        /// One of the elements.
        around: NodeId,
    },
}
