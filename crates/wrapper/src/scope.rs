//! Where a rule looks: a node, a run of siblings, a range of the source, or a text that was computed; each
//! possibly with something left out of it.
//!
//! Each becomes the other where a rule needs it: a node is a range of the source through its span, a range of the
//! source is the nodes that lie in it through the page's extents.

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
    /// Sibling nodes: from `first` up to the node `end`, which is behind them.
    Run { first: NodeId, end: NodeId },
    /// A text that stands on no page, by its number in the extraction.
    Computed(u32),
    /// One of the others with something left out, by its number in the extraction.
    Pruned(u32),
}

impl Scope {
    pub(crate) fn whole(page: u16) -> Scope {
        Scope { page, place: Place::Node(Node::node(NodeId::ROOT)) }
    }

    /// The same with nothing left out.
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
    /// Its range of the source. None for what the parser made up, for computed texts, and for what is not bare.
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

/// What a node covers: read off its tags if it has both, else from the extents, which cost a pass over the page once.
fn node_span(page: &Page, id: NodeId) -> Option<Span> {
    let document = page.document();
    match document.is_element(id) && (document.is_inserted(id) || document.end_tag(id).is_none()) {
        true => page.extents().of(id),
        false => document.span(id),
    }
}

/// The nodes of a run.
pub(crate) fn siblings(document: &Document, first: NodeId, end: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::successors(Some(first), |&node| document.next_sibling(node)).take_while(move |&node| node < end)
}
