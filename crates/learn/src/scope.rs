//! Where rules run: a record, as one node or as siblings in a row.

use windrow_dom::{Document, NodeId};

/// One record: sibling nodes from `first` up to the node `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) first: NodeId,
    pub(crate) end: NodeId,
}

impl Record {
    /// One node and what is below it.
    pub(crate) fn node(document: &Document, first: NodeId) -> Record {
        Record { first, end: document.subtree_end(first) }
    }

    /// The last node in it.
    pub(crate) fn last(&self) -> NodeId {
        NodeId::from_index(self.end.index().saturating_sub(1).max(self.first.index()))
    }
}

/// How a candidate's records were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Each record is one node.
    Nodes,
    /// Each record begins with a node of one kind.
    Starts,
    /// Each record ends with a node of one kind.
    Ends,
}

/// Where a field's locator runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) record: Record,
    pub(crate) run: bool,
}

impl Scope {
    pub(crate) fn new(cut: Cut, record: Record) -> Scope {
        Scope { record, run: cut != Cut::Nodes }
    }

    pub(crate) fn node(document: &Document, first: NodeId) -> Scope {
        Scope { record: Record { first, end: document.subtree_end(first) }, run: false }
    }

    /// Whether a node is in it.
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.record.first <= node && node < self.record.end
    }
}
