//! stub
use crate::*;
impl Document {
    /// The node's contents as HTML.
    pub fn inner_html(&self, _id: NodeId) -> String { String::new() }
    /// The node with its contents as HTML.
    pub fn outer_html(&self, _id: NodeId) -> String { String::new() }
}
