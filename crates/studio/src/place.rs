//! Conversion between the spots of the API and the nodes of the libraries.

use windrow::wrapper::values::Type;
use windrow::wrapper::values::text::collapse;
use windrow::xpath::Paths;
use windrow::{Document, Node, NodeId, Pointer, path_of};

use crate::api::{Attribute, PlaceInfo, Spot, Step};
use crate::failure::Refused;

/// Largest number of characters shown of a value.
const VALUE: usize = 2_000;
/// Largest number of attributes shown of an element.
const ATTRIBUTES: usize = 100;

/// Returns the node at a spot: an element, a text or an attribute.
pub(crate) fn node(document: &Document, spot: &Spot) -> Result<Node, Refused> {
    let gone = |what: &str| {
        let refused = Refused::unfit("studio::no_place", format!("the page has no {what} at this place"));
        refused.with_help("the page may have been reopened; select the place again")
    };
    let id = NodeId::from_index(spot.node);
    if !document.contains(id) || !document.is_element(id) {
        return Err(gone("element"));
    }
    if let Some(name) = &spot.attribute {
        let at = document.attrs(id).position(|attr| attr.name() == name);
        return at.map(|at| Node::attribute_of(id, at)).ok_or_else(|| gone(&format!("attribute `{name}`")));
    }
    match spot.text {
        None => Ok(Node::node(id)),
        Some(number) => {
            let text = document.children(id).filter(|&child| document.is_text(child)).nth(number);
            text.map(Node::node).ok_or_else(|| gone("text"))
        }
    }
}

/// Returns the spot of a node; `None` for nodes that browsers do not show, such as the document.
pub(crate) fn spot(document: &Document, node: Node) -> Option<Spot> {
    let plain = |id: NodeId| Spot { node: id.index(), text: None, attribute: None, part: None };
    if let Some(attr) = node.attr(document) {
        return Some(Spot { attribute: Some(attr.name().to_owned()), ..plain(node.id()) });
    }
    let id = node.id();
    if document.is_element(id) {
        return Some(plain(id));
    }
    let parent = document.parent(id).filter(|&parent| document.is_element(parent))?;
    if !document.is_text(id) {
        return Some(plain(parent));
    }
    let number = document.children(parent).take_while(|&child| child < id).filter(|&child| document.is_text(child));
    Some(Spot { text: Some(number.count()), ..plain(parent) })
}

/// Converts a spot to an example for the learner.
pub(crate) fn pointer(document: &Document, spot: &Spot) -> Result<Pointer, Refused> {
    let xpath = path_of(document, node(document, spot)?);
    if xpath.is_empty() {
        return Err(Refused::unfit("studio::no_path", "this place has no path, because it is inside a template"));
    }
    Ok(match spot.part.as_ref().filter(|part| !part.trim().is_empty()) {
        Some(part) => Pointer::Part { xpath, text: part.clone() },
        None => Pointer::XPath(xpath),
    })
}

/// Describes the node at a spot.
pub(crate) fn info(document: &Document, asked: &Spot) -> Result<PlaceInfo, Refused> {
    let node = node(document, asked)?;
    let element = NodeId::from_index(asked.node);
    let mut paths = Paths::new(document);
    let path = paths.of(node);
    let mut lineage: Vec<NodeId> = document.ancestors(element).filter(|&id| document.is_element(id)).collect();
    lineage.reverse();
    lineage.push(element);
    let steps = lineage.iter().map(|&id| {
        let whole = paths.of(Node::node(id));
        Step { text: whole.rsplit('/').next().unwrap_or_default().to_owned(), node: id.index() }
    });
    let steps = steps.collect();
    let shown = if node.is_attribute() {
        collapse(&node.string_value(document)).into_owned()
    } else {
        collapse(&document.visible_text(node.id())).into_owned()
    };
    let value = asked.part.clone().unwrap_or(shown);
    let name = match &asked.attribute {
        Some(name) => name.trim_start_matches("data-").replace(|letter: char| !letter.is_alphanumeric(), "_"),
        None => windrow::learn::discover::suggest(document, node.id(), kind(&value)),
    };
    let attributes = document
        .attrs(element)
        .take(ATTRIBUTES)
        .map(|attr| Attribute { name: attr.name().to_owned(), value: attr.value().chars().take(VALUE).collect() });
    Ok(PlaceInfo { path, steps, value: value.chars().take(VALUE).collect(), attributes: attributes.collect(), name })
}

/// Guesses the type of a value.
fn kind(value: &str) -> Type {
    use windrow::wrapper::values::{Hints, date, money, number};
    let hints = Hints::default();
    if value.chars().count() > 40 {
        return Type::String;
    }
    match () {
        () if money::parse(value, &hints).is_some_and(|money| money.currency.is_some()) => Type::Money,
        () if number::parse(value, &hints).is_some() => Type::Number,
        () if date::parse(value, &hints).is_some() => Type::Date,
        () => Type::String,
    }
}
