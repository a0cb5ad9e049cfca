//! stub
use crate::*;
use crate::document::*;
pub(crate) fn page(source: String, encoding: EncodingDecision, _options: &ParseOptions) -> Document {
    Document { source, nodes: vec![Node{parent:NONE,end:1,name:0,kind:NodeKind::Document,bits:0,attr_count:0,span:Span::default(),extra:[0,0]}], strings: Default::default(), doctypes: vec![], templates: vec![], main_len: 1, quirks: QuirksMode::None, encoding, notes: vec![] }
}
pub(crate) fn fragment(source: String, _context: &str, options: &ParseOptions) -> Document { page(source, EncodingDecision::TEXT, options) }
