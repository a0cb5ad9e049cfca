//! Scopes, in which rules search: a node, a run of siblings, a range of the source, or a computed text; each possibly
//! with something left out.
//!
//! They are converted where a rule needs another kind: a node has a range of the source through its span, and the
//! nodes in a range of the source are found through the page's extents.

use windrow_dom::{Document, NodeId, Span};
use windrow_xpath::Node;

use crate::object::Extraction;
use crate::page::Page;

/// A place on one of the pages of an extraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scope {
    pub(crate) page: u16,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// A range of the source.
    Span(Span),
    /// A node or an attribute; the root is the whole page.
    Node(Node),
    /// Sibling nodes: from `first` up to, but not including, `end`.
    Run { first: NodeId, end: NodeId },
    /// A text that is on no page, by its index in the extraction.
    Computed(u32),
    /// One of the other places with something left out, by its index in the extraction.
    Pruned(u32),
}

impl Scope {
    pub(crate) fn whole(page: u16) -> Scope {
        Scope { page, place: Place::Node(Node::node(NodeId::ROOT)) }
    }

    /// Returns the scope with nothing left out.
    #[inline]
    pub(crate) fn bare(self, extraction: &Extraction) -> Scope {
        match self.place {
            Place::Pruned(index) => Scope { page: self.page, place: extraction.pruned[index as usize].from },
            _ => self,
        }
    }

    pub(crate) fn node(self, extraction: &Extraction) -> Option<Node> {
        match self.place {
            Place::Node(node) => Some(node),
            Place::Run { first, .. } => Some(Node::node(first)),
            Place::Span(span) => {
                let page = &extraction.pages[self.page as usize];
                let document = page.built()?;
                Some(Node::node(page.extents().context(document, span)))
            }
            Place::Computed(index) => {
                Scope { page: self.page, place: extraction.computed[index as usize].from }.node(extraction)
            }
            Place::Pruned(_) => self.bare(extraction).node(extraction),
        }
    }

    pub(crate) fn span(self, extraction: &Extraction) -> Option<Span> {
        match self.place {
            Place::Computed(index) => {
                Scope { page: self.page, place: extraction.computed[index as usize].from }.span(extraction)
            }
            Place::Pruned(_) => self.bare(extraction).span(extraction),
            place => place.span(&extraction.pages[self.page as usize]),
        }
    }
}

impl Place {
    /// Returns its range of the source. `None` for nodes inserted by the parser, computed texts and pruned places.
    pub(crate) fn span(self, page: &Page) -> Option<Span> {
        match self {
            Place::Span(span) => Some(span),
            Place::Node(node) if node == Node::node(NodeId::ROOT) => Some(Span::new(0, page.source().len())),
            Place::Node(node) => match node.attr(page.document()) {
                Some(attribute) => Some(attribute.value_span()),
                None if node.is_attribute() => None,
                None => node_span(page, node.id()),
            },
            Place::Run { first, end } => {
                let document = page.document();
                let mut whole: Option<Span> = None;
                for node in siblings(document, first, end) {
                    if let Some(span) = node_span(page, node) {
                        whole = Some(whole.map_or(span, |whole| Span {
                            start: whole.start.min(span.start),
                            end: whole.end.max(span.end),
                        }));
                    }
                }
                whole
            }
            Place::Computed(_) | Place::Pruned(_) => None,
        }
    }
}

/// Returns the range that a node covers: from its tags if it has both, else from the extents, which cost one pass
/// over the page.
fn node_span(page: &Page, id: NodeId) -> Option<Span> {
    let document = page.document();
    if document.is_element(id) && (document.is_inserted(id) || document.end_tag(id).is_none()) {
        page.extents().span_of(id)
    } else {
        document.span(id)
    }
}

/// Returns the nodes of a run.
pub(crate) fn siblings(document: &Document, first: NodeId, end: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::successors(Some(first), |&node| document.next_sibling(node)).take_while(move |&node| node < end)
}
