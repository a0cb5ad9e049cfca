//! stub
use crate::*;
impl Document {
    /// The text a person sees.
    pub fn visible_text(&self, _id: NodeId) -> String { String::new() }
    /// All character data below a node, concatenated (the DOM's `textContent`, XPath's string value).
    pub fn text_content(&self, _id: NodeId) -> std::borrow::Cow<'_, str> { "".into() }
}
